//! Partitions all paths by a set of patterns: one short path for each set of patterns that match together.
//!
//! **Why one path is enough.** A decision by robots.txt depends on the path in only one way: which patterns match it.
//! Everything else is a property of the rules: the length of a pattern (S-13), which of two patterns is narrower
//! (S-06), the crawlers, usages, purposes and conditions of a field, and the number of patterns that are compared
//! (S-34). The only special path, `/robots.txt` (S-13), is represented by a pattern of its own. A permission that names
//! another resource relative to this one (S-37) would depend on more, but it is interpreted only with a prior
//! arrangement, which no file can state. So all paths that match the same patterns get the same decision. The tests of
//! this module check that the engine has this property.
//!
//! **How regions are found.** Each pattern becomes a small deterministic automaton (`automaton`). The walk visits the
//! states of all automata together. It starts at `/`, adds one letter at a time (`alphabet`), and visits shorter texts
//! first. A state contains the positions of the patterns that may still match, and the patterns that already match,
//! whatever letters follow. Texts that lead to the same state are visited only once. From a state, the walk tries each
//! letter that some pattern expects, and one letter that no pattern expects. Literal patterns form a tree, so thousands
//! of them need only about as many states as they have octets in total. Each wildcard can multiply the number of
//! states.
//!
//! **What is skipped without loss.**
//! - Of the conventional rules that match, the rule with the highest rank is selected. A rule is dropped if, in every
//!   policy that contains it, a rule of a higher rank already matches, whatever letters follow. Rules of the same rank
//!   have the same effect, so one of them is enough, unless ACAP fields compare their patterns ([`Ties`]).
//! - If policies are compared, a text is not continued once all policies contain every rule that has matched or may
//!   still match ([`Wanted::Changed`]). The policies then select the same rules, whatever follows.
//! - If only the outcomes of conventional rules are compared ([`Wanted::Differing`]), a text is not continued once all
//!   policies have reached the same final outcome. An outcome is final if every rule that could still replace the
//!   selected rule has the same effect. Most files only prohibit, so this happens as soon as a rule matches in each
//!   policy. If all ACAP fields prohibit, they are treated as conventional rules of equal rank (`applicable`).

mod alphabet;
mod automaton;
mod probes;

pub(crate) use alphabet::{ORIGIN, Space, is_reserved};
pub(crate) use probes::{path_of, representatives, unused_octet};

use alphabet::Alphabet;
use automaton::{Automaton, PatternPosition, Step};
use byleave::analysis::ComparablePattern;
use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

/// A pattern that applies to a question, and the policies that contain it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ApplicablePattern {
    pub(crate) pattern: ComparablePattern,
    /// The number of the reading in which paths are compared with the pattern.
    pub(crate) reading: usize,
    /// The policies that contain the pattern, one bit each.
    pub(crate) sides: u8,
    /// The rank of a conventional rule. If several rules match, only the rule with the highest rank counts. `None` for
    /// other patterns, which always count.
    pub(crate) rank: Option<u32>,
    /// Whether the pattern belongs to a conventional rule that permits.
    pub(crate) permits: bool,
    /// Whether the policies disagree about the pattern.
    pub(crate) is_changed: bool,
}

/// Whether rules of the same rank must be distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ties {
    /// No: rules of the same rank have the same effect.
    Equivalent,
    /// Yes: the patterns of the rules are compared with the patterns of ACAP fields.
    Distinct,
}

/// Which regions to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Every region.
    All,
    /// Regions where a changed pattern may make a difference.
    Changed,
    /// Regions for which the conventional rules in this many policies may have different outcomes.
    Differing(usize),
}

/// A set of paths that get the same decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// A shortest path in the region. In a space of words, a shortest word.
    pub(crate) path: String,
}

/// The result of a walk.
#[derive(Debug)]
pub(crate) struct Regions {
    pub(crate) regions: Vec<Region>,
    /// Whether the list is complete. If not, it also contains probes: paths that match one pattern or two.
    pub(crate) is_exact: bool,
    /// The number of visited states.
    pub(crate) states: usize,
    /// The number of times that a pattern was advanced by one letter.
    pub(crate) steps: usize,
}

/// The limits of one walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkLimit {
    pub(crate) states: usize,
    /// The number of times that a pattern may be advanced by one letter.
    pub(crate) steps: usize,
    /// The number of probes to add if another limit is reached.
    pub(crate) probes: usize,
}

impl WalkLimit {
    /// Enough for 98 of 100 real files.
    pub(crate) const DEFAULT: Self = Self { states: 100_000, steps: 40_000_000, probes: 20_000 };
}

/// Returns the regions of a space. If a limit is reached, also returns probes.
///
/// Cost: limited by `most`.
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
        let probes = probes::probes(patterns, most.probes).into_iter().filter(|path| known.insert(path.clone()));
        found.regions.extend(probes.map(|path| Region { path }));
    }
    found
}

/// The state after a text: the positions of the patterns that may still match, and the patterns that already match,
/// whatever letters follow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    alive: Vec<(u32, PatternPosition)>,
    matched: Vec<u32>,
}

/// A text, stored as its last letter and the node of the text before that letter.
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

/// At most this many policies are compared at once.
const MAX_POLICIES: usize = 8;

/// For each policy, the highest rank of a rule that has matched.
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
            // A word has at least one letter, so the walk starts with the empty text, which is not a region.
            None => run.reach(start, 0, PathLetter::Nothing, TextState::Empty),
        }
        let is_exact = run.go();
        Regions { regions: run.regions, is_exact, states: run.nodes.len(), steps: run.steps }
    }

    /// Returns the state after a letter, given the octets of the letter in each reading.
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

    /// Drops the patterns that can no longer make a difference. Returns `None` if no wanted region can follow.
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

    /// Returns whether all policies permit, or all policies prohibit, whatever follows.
    fn is_settled(&self, state: &State, best: &Best, policies: usize) -> bool {
        let patterns = |numbers: &mut dyn Iterator<Item = u32>, side: usize| -> Vec<&ApplicablePattern> {
            numbers.filter_map(|number| self.entry(number)).filter(|entry| entry.sides & 1 << side != 0).collect()
        };
        let mut outcomes = best.iter().enumerate().take(policies).map(|(side, best)| {
            let selected = patterns(&mut state.matched.iter().copied(), side).into_iter().find(|one| one.rank == *best);
            // Everything is permitted by default (S-01).
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

    /// Returns whether no policy would select this rule any more, because rules of a higher rank have matched. Rules of
    /// the same rank count too if they are equivalent.
    fn is_beaten(&self, entry: &ApplicablePattern, best: &Best) -> bool {
        let Some(rank) = entry.rank else { return false };
        let mut sides = best.iter().enumerate().filter(|(side, _)| entry.sides & 1 << side != 0);
        sides.all(|(_, best)| match self.ties {
            Ties::Equivalent => best.is_some_and(|best| best >= rank),
            Ties::Distinct => best.is_some_and(|best| best > rank),
        })
    }

    /// Keeps the matching rules that some policy selects. If several such rules have the same effect, keeps the rule
    /// that most policies contain.
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

/// Whether a state belongs to a text with letters or to the empty text at the start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextState {
    Empty,
    Text,
}

/// A walk in progress.
struct Run<'w> {
    walk: &'w Walk<'w>,
    known: HashSet<Rc<State>>,
    queue: VecDeque<(Rc<State>, u32)>,
    nodes: Vec<Node>,
    /// The sets of matching patterns that were found, without patterns that make no difference.
    match_sets: HashSet<Vec<u32>>,
    regions: Vec<Region>,
    steps: usize,
    most: WalkLimit,
}

impl Run<'_> {
    /// Walks until all states have been visited or a limit is reached. Returns whether all states were visited.
    fn go(&mut self) -> bool {
        while let Some((state, node)) = self.queue.pop_front() {
            if self.nodes.len() > self.most.states || self.steps > self.most.steps {
                return false;
            }
            self.expand(&state, node);
        }
        true
    }

    /// Records a state if it is new, and the region of the texts that lead to it.
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

    /// Returns the text that led to a node.
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

    /// Continues a state with every letter that makes a difference.
    fn expand(&mut self, state: &State, node: u32) {
        let walk = self.walk;
        // Before its first wildcard, a pattern can only continue with one particular octet. After the wildcard, it can
        // continue with any octet.
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

/// Returns the octets in a text that an octet in a pattern matches.
fn spellings(entry: &ApplicablePattern, octet: u8) -> impl Iterator<Item = u8> + use<> {
    let capital = Some(octet.to_ascii_uppercase()).filter(|capital| entry.pattern.ignores_case() && *capital != octet);
    std::iter::once(octet).chain(capital)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop where it fails")]
mod tests;
