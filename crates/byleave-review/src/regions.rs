//! The exact partition of all paths by a set of patterns: every set of patterns that some path is matched by and
//! others are not, each with a short path that stands for all of its kind.
//!
//! **Why one path stands for all.** A decision by robots.txt looks at a path in one way only: which patterns match it.
//! Everything else that it compares belongs to the rules: how long a pattern is (S-13), which of two patterns is
//! narrower (S-06), whom a field addresses, for which usage and purpose and on which terms, and how many are compared
//! (S-34). One path is special by itself, `/robots.txt` (S-13), and enters as a pattern of its own. A permission that
//! names another resource relative to this one (S-37) would depend on more, but is never interpreted without an
//! arrangement, of which a file tells nothing. So paths that the same patterns match get the same decision, and
//! the tests of this module hold the engine to it.
//!
//! **How they are found.** Each pattern is a small deterministic automaton (`automaton`); their product is walked from
//! `/` on, the shortest texts first, letter by letter (`alphabet`). What is known of a text is where each pattern
//! stands that may yet match, and which have matched for good; texts of which the same is known are one state. From a
//! state only those letters are tried on which some pattern waits, and one on which none does. Literal patterns are
//! a tree of that walk, so thousands of them make about as many states as they have octets; wildcards multiply.
//!
//! **What is left out, exactly.**
//! - Of conventional rules the highest rank that matches is selected. A rule that can no longer have it in any policy
//!   that has the rule, because one of a higher rank has matched for good, is dropped. Rules of one rank do the same,
//!   so one is enough, unless ACAP fields compare their patterns ([`Ties`]).
//! - Where policies are compared, a text at which no rule that only some of them have is left, neither matched nor
//!   alive, is not followed ([`Wanted::Changed`]): whatever follows, the rules that match are then in all, and the
//!   selected ones are the same.
//! - Where nothing but what conventional rules permit is compared ([`Wanted::Differing`]), a text is not followed either
//!   at which each policy has settled on the same: what it selects now permits or prohibits, and whatever could yet be
//!   selected in its place does likewise. WalkLimit files prohibit only, and once one of their rules matches in each policy,
//!   others have nothing to add. Fields of ACAP that all prohibit are such rules, too, of one rank (`patterns`).

mod alphabet;
mod automaton;
mod probes;

pub(crate) use alphabet::{ORIGIN, Space, is_reserved};
pub(crate) use probes::path_of;

use alphabet::Alphabet;
use automaton::{Automaton, PatternPosition, Step};
use byleave::ComparablePattern;
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

/// A pattern that bears on answers, and on whose.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ApplicablePattern {
    pub(crate) pattern: ComparablePattern,
    /// By the number of the reading in which paths are compared with it.
    pub(crate) reading: usize,
    /// The policies that have it, a bit each.
    pub(crate) sides: u8,
    /// The rank of a conventional rule; nothing where every match counts.
    pub(crate) rank: Option<u32>,
    /// Whether a conventional rule permits.
    pub(crate) permits: bool,
    /// Whether not every policy has it alike.
    pub(crate) is_changed: bool,
}

/// Whether rules of one rank have to be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ties {
    /// No: they do the same.
    Equivalent,
    /// Yes: their patterns are compared with others.
    Distinct,
}

/// Which regions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Every one.
    All,
    /// Those where a changed pattern may make a difference.
    Changed,
    /// Those where conventional rules of so many policies may not permit the same.
    Differing(usize),
}

/// Paths that are decided alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// One of them, as short as any; for words, one of those.
    pub(crate) path: String,
}

/// What the walk found.
#[derive(Debug)]
pub(crate) struct Regions {
    pub(crate) regions: Vec<Region>,
    /// Whether these are all. If not, paths are added at which patterns match, alone and together.
    pub(crate) is_exact: bool,
    /// How many states were looked at.
    pub(crate) states: usize,
    /// How many places of patterns were moved on.
    pub(crate) steps: usize,
}

/// The most that one walk does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkLimit {
    pub(crate) states: usize,
    /// Places of patterns moved on by a letter.
    pub(crate) steps: usize,
}

impl WalkLimit {
    /// Enough for 98 of 100 real files.
    pub(crate) const DEFAULT: Self = Self { states: 100_000, steps: 40_000_000 };
}

/// The regions of a space.
///
/// Cost: at most what `most` says; beyond that, the paths of `probes`.
pub(crate) fn regions(
    space: &Space,
    patterns: &[ApplicablePattern],
    ties: Ties,
    wanted: Wanted,
    most: WalkLimit,
) -> Regions {
    let walk = Walk::new(space, patterns, ties, wanted);
    let mut found = walk.run(most);
    if !found.is_exact {
        let mut known: HashSet<String> = found.regions.iter().map(|region| region.path.clone()).collect();
        let probes = probes::probes(patterns).into_iter().filter(|path| known.insert(path.clone()));
        found.regions.extend(probes.map(|path| Region { path }));
    }
    found
}

/// What is known of a text: where each pattern stands, and which have matched for good.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    alive: Vec<(u32, PatternPosition)>,
    matched: Vec<u32>,
}

/// How a text goes on from another.
struct Node {
    before: Option<u32>,
    letter: PathLetter,
}

#[derive(Clone, Copy)]
enum PathLetter {
    Nothing,
    Plain(u8),
    Other(usize),
}

struct Walk<'b> {
    patterns: &'b [ApplicablePattern],
    automata: Vec<Automaton>,
    alphabet: Alphabet,
    ties: Ties,
    wanted: Wanted,
}

/// Policies that are compared at once, at most.
const MAX_POLICIES: usize = 8;

/// The highest rank that has matched in each policy.
type Best = [Option<u32>; MAX_POLICIES];

impl<'b> Walk<'b> {
    fn new(space: &Space, patterns: &'b [ApplicablePattern], ties: Ties, wanted: Wanted) -> Self {
        let mut used = vec![[false; 256]; space.readings()];
        for entry in patterns {
            let Some(used) = used.get_mut(entry.reading) else { continue };
            for octet in entry.pattern.pieces().flatten() {
                for octet in spellings(entry, *octet) {
                    if let Some(used) = used.get_mut(usize::from(octet)) {
                        *used = true;
                    }
                }
            }
        }
        let automata = patterns.iter().map(|entry| Automaton::of(&entry.pattern)).collect();
        Self { patterns, automata, alphabet: space.alphabet(&used), ties, wanted }
    }

    fn run(&self, most: WalkLimit) -> Regions {
        let mut run = Run {
            walk: self,
            known: HashSet::new(),
            queue: VecDeque::new(),
            nodes: Vec::new(),
            match_sets: HashSet::new(),
            regions: Vec::new(),
            steps: 0,
            most,
        };
        run.nodes.push(Node { before: None, letter: PathLetter::Nothing });
        let mut start = State::default();
        for (number, automaton) in (0..).zip(&self.automata) {
            start.take(number, automaton.start());
        }
        match self.alphabet.first {
            Some(first) => {
                let next = self.follow(&start, &[first; MAX_POLICIES].map(|octet| [octet]), &mut run.steps);
                run.reach(next, 0, PathLetter::Plain(first), TextState::Text);
            }
            // A word has at least one letter.
            None => run.reach(start, 0, PathLetter::Nothing, TextState::Empty),
        }
        let is_exact = run.go();
        Regions { regions: run.regions, is_exact, states: run.nodes.len(), steps: run.steps }
    }

    /// The state after a letter that comes to these octets in each reading.
    fn follow<O: AsRef<[u8]>>(&self, state: &State, octets: &[O], steps: &mut usize) -> State {
        let mut next = State { alive: Vec::new(), matched: state.matched.clone() };
        for (number, place) in &state.alive {
            let step = self.step(*number, *place, octets, steps);
            next.take(*number, step);
        }
        next
    }

    fn step<O: AsRef<[u8]>>(&self, number: u32, place: PatternPosition, octets: &[O], steps: &mut usize) -> Step {
        let (Some(automaton), Some(entry)) = (self.automata.get(number as usize), self.entry(number)) else {
            return Step::Dead;
        };
        let mut step = Step::At(place);
        for octet in octets.get(entry.reading).map(O::as_ref).unwrap_or_default() {
            let Step::At(place) = step else { break };
            *steps += 1;
            let octet = if entry.pattern.ignores_case() { octet.to_ascii_lowercase() } else { *octet };
            step = automaton.step(place, octet);
        }
        step
    }

    fn entry(&self, number: u32) -> Option<&'b ApplicablePattern> {
        self.patterns.get(number as usize)
    }

    /// Drops what can make no difference any more; nothing where nothing wanted is left.
    fn reduced(&self, mut state: State) -> Option<State> {
        state.matched.sort_unstable();
        state.alive.sort_unstable();
        let best = self.best(&state.matched);
        self.keep_best(&mut state.matched, &best);
        state.alive.retain(|(number, _)| self.entry(*number).is_some_and(|entry| !self.is_beaten(entry, &best)));
        let mut left = state.alive.iter().map(|(number, _)| number).chain(&state.matched);
        let is_wanted = match self.wanted {
            Wanted::All => true,
            Wanted::Changed => left.any(|number| self.is_changed(*number)),
            Wanted::Differing(policies) => {
                left.any(|number| self.is_changed(*number)) && !self.is_settled(&state, &best, policies)
            }
        };
        is_wanted.then_some(state)
    }

    /// Whether each policy permits, or each prohibits, and does so whatever follows.
    fn is_settled(&self, state: &State, best: &Best, policies: usize) -> bool {
        let patterns = |numbers: &mut dyn Iterator<Item = u32>, side: usize| -> Vec<&ApplicablePattern> {
            numbers.filter_map(|number| self.entry(number)).filter(|entry| entry.sides & 1 << side != 0).collect()
        };
        let mut outcomes = best.iter().enumerate().take(policies).map(|(side, best)| {
            let selected = patterns(&mut state.matched.iter().copied(), side).into_iter().find(|one| one.rank == *best);
            // By default all is permitted (S-01).
            let permits = selected.is_none_or(|one| one.permits);
            let alive = patterns(&mut state.alive.iter().map(|(number, _)| *number), side);
            let mut higher = alive.into_iter().filter(|one| one.rank > *best);
            higher.all(|one| one.permits == permits).then_some(permits)
        });
        let first = outcomes.next().flatten();
        first.is_some() && outcomes.all(|outcome| outcome == first)
    }

    fn is_changed(&self, number: u32) -> bool {
        self.entry(number).is_some_and(|entry| entry.is_changed)
    }

    fn best(&self, matched: &[u32]) -> Best {
        let mut best = [None; MAX_POLICIES];
        for entry in matched.iter().filter_map(|number| self.entry(*number)) {
            for (side, best) in best.iter_mut().enumerate() {
                if entry.sides & 1 << side != 0 {
                    *best = entry.rank.max(*best);
                }
            }
        }
        best
    }

    /// Whether a rule that has not matched yet would be selected by no policy.
    fn is_beaten(&self, entry: &ApplicablePattern, best: &Best) -> bool {
        let Some(rank) = entry.rank else { return false };
        let mut sides = best.iter().enumerate().filter(|(side, _)| entry.sides & 1 << side != 0);
        sides.all(|(_, best)| match self.ties {
            Ties::Equivalent => best.is_some_and(|best| best >= rank),
            Ties::Distinct => best.is_some_and(|best| best > rank),
        })
    }

    /// Keeps of the rules that match those that some policy selects; of several that do the same the one that most
    /// policies have.
    fn keep_best(&self, matched: &mut Vec<u32>, best: &Best) {
        let mut kept: Vec<u32> = Vec::new();
        for (side, best) in best.iter().enumerate().filter(|(_, best)| best.is_some()) {
            let selected = matched.iter().copied().filter(|number| {
                self.entry(*number).is_some_and(|entry| entry.sides & 1 << side != 0 && entry.rank == *best)
            });
            match self.ties {
                Ties::Distinct => kept.extend(selected),
                Ties::Equivalent => {
                    let order = |number: &u32| {
                        let sides = self.entry(*number).map_or(0, |entry| entry.sides.count_ones());
                        (std::cmp::Reverse(sides), *number)
                    };
                    kept.extend(selected.min_by_key(order));
                }
            }
        }
        matched.retain(|number| self.entry(*number).is_some_and(|entry| entry.rank.is_none()) || kept.contains(number));
    }
}

/// Whether a state is that of a text, or of none yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextState {
    Empty,
    Text,
}

/// A walk under way.
struct Run<'w> {
    walk: &'w Walk<'w>,
    known: HashSet<Rc<State>>,
    queue: VecDeque<(Rc<State>, u32)>,
    nodes: Vec<Node>,
    /// The sets of patterns that were found, so far as they make a difference.
    match_sets: HashSet<Vec<u32>>,
    regions: Vec<Region>,
    steps: usize,
    most: WalkLimit,
}

impl Run<'_> {
    /// Whether the walk came to its end.
    fn go(&mut self) -> bool {
        while let Some((state, node)) = self.queue.pop_front() {
            if self.nodes.len() > self.most.states || self.steps > self.most.steps {
                return false;
            }
            self.expand(&state, node);
        }
        true
    }

    /// Notes a state, once, and the region of texts that end there.
    fn reach(&mut self, state: State, before: u32, letter: PathLetter, at: TextState) {
        let Some(state) = self.walk.reduced(state).map(Rc::new) else { return };
        if !self.known.insert(Rc::clone(&state)) {
            return;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { before: Some(before), letter });
        if at == TextState::Text {
            self.note_region(&state, node);
        }
        if !state.alive.is_empty() {
            self.queue.push_back((state, node));
        }
    }

    fn note_region(&mut self, state: &State, node: u32) {
        let walk = self.walk;
        let accepted = state.alive.iter().filter(|(number, place)| {
            walk.automata.get(*number as usize).is_some_and(|automaton| automaton.accepts(*place))
        });
        let mut matched: Vec<u32> = state.matched.iter().copied().chain(accepted.map(|(number, _)| *number)).collect();
        let best = walk.best(&matched);
        walk.keep_best(&mut matched, &best);
        matched.sort_unstable();
        let is_wanted = walk.wanted == Wanted::All || matched.iter().any(|number| walk.is_changed(*number));
        if is_wanted && self.match_sets.insert(matched) {
            self.regions.push(Region { path: self.text(node) });
        }
    }

    /// The text that led to a node.
    fn text(&self, node: u32) -> String {
        let mut letters = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.and_then(|node| self.nodes.get(node as usize)) {
            letters.push(node.letter);
            next = node.before;
        }
        let mut text = String::new();
        for letter in letters.iter().rev() {
            match letter {
                PathLetter::Nothing => {}
                PathLetter::Plain(byte) => text.push(char::from(*byte)),
                PathLetter::Other(number) => {
                    text.extend(self.walk.alphabet.others.get(*number).map(|letter| letter.spelling.as_str()));
                }
            }
        }
        text
    }

    /// Follows every letter from a state that makes a difference there.
    fn expand(&mut self, state: &State, node: u32) {
        let walk = self.walk;
        // Before its first wildcard a pattern waits for one octet alone; behind it, it lives on.
        let mut waiting: Vec<(u8, u32, PatternPosition)> = Vec::new();
        let mut floating: Vec<(u32, PatternPosition)> = Vec::new();
        let mut is_expected = [false; 256];
        let mut expect = |octet: u8| {
            if let Some(expected) = is_expected.get_mut(usize::from(octet)) {
                *expected = true;
            }
        };
        for (number, place) in &state.alive {
            let (Some(automaton), Some(entry)) = (walk.automata.get(*number as usize), walk.entry(*number)) else {
                continue;
            };
            match automaton.only(*place) {
                Some(only) => {
                    for octet in only.into_iter().flat_map(|octet| spellings(entry, octet)) {
                        expect(octet);
                        waiting.push((octet, *number, *place));
                    }
                }
                None => {
                    automaton.each_expected(*place, |octet| spellings(entry, octet).for_each(&mut expect));
                    floating.push((*number, *place));
                }
            }
        }
        waiting.sort_unstable();
        let waiting_for = |octet: u8| {
            let first = waiting.partition_point(|(known, ..)| *known < octet);
            waiting.get(first..).unwrap_or_default().iter().take_while(move |(known, ..)| *known == octet)
        };
        let mut has_stranger = false;
        for byte in &walk.alphabet.plain {
            let is_expected = is_expected.get(usize::from(*byte)).copied().unwrap_or(true);
            if !is_expected && std::mem::replace(&mut has_stranger, true) {
                continue;
            }
            let octets = [[*byte]; MAX_POLICIES];
            let mut next = State { alive: Vec::new(), matched: state.matched.clone() };
            let entries =
                waiting_for(*byte).map(|(_, number, place)| (*number, *place)).chain(floating.iter().copied());
            for (number, place) in entries {
                next.take(number, walk.step(number, place, &octets, &mut self.steps));
            }
            self.reach(next, node, PathLetter::Plain(*byte), TextState::Text);
        }
        for (spelt, letter) in walk.alphabet.others.iter().enumerate() {
            let mut next = State { alive: Vec::new(), matched: state.matched.clone() };
            for (number, place) in &floating {
                next.take(*number, walk.step(*number, *place, &letter.octets, &mut self.steps));
            }
            for (reading, octets) in letter.octets.iter().enumerate() {
                let Some(first) = octets.first() else { continue };
                for (_, number, place) in waiting_for(*first) {
                    if walk.entry(*number).is_some_and(|entry| entry.reading == reading) {
                        next.take(*number, walk.step(*number, *place, &letter.octets, &mut self.steps));
                    }
                }
            }
            self.reach(next, node, PathLetter::Other(spelt), TextState::Text);
        }
        self.steps += 1;
    }
}

impl State {
    fn take(&mut self, number: u32, step: Step) {
        match step {
            Step::Dead => {}
            Step::Matched => self.matched.push(number),
            Step::At(place) => self.alive.push((number, place)),
        }
    }
}

/// The octets of a text that count as this one of a pattern.
fn spellings(entry: &ApplicablePattern, octet: u8) -> impl Iterator<Item = u8> + use<> {
    let capital = Some(octet.to_ascii_uppercase()).filter(|capital| entry.pattern.ignores_case() && *capital != octet);
    std::iter::once(octet).chain(capital)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop where it fails")]
mod tests;
