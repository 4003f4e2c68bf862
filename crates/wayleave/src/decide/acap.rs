//! ACAP's way to a result: usage tiers, addressees, purposes and scopes (S-03 to S-08, S-13).
//!
//! Statements that speak of a usage and match the resource are gathered tier by tier; the first tier that
//! has any decides. In it a statement that names the crawler sets aside those for any crawler, and among
//! what is left the narrowest scope wins. What cannot be determined is prohibited.

use super::{Outcome, Recorder};
use crate::crawler::Crawler;
use crate::evidence::Sources;
use crate::model::{Addressee, Fall, StatementId, StatementKind};
use crate::policy::Acap;
use crate::policy::acap::scope::{Narrower, Pattern};
use crate::policy::acap::{Entry, GENERAL, Paths, Said, WORDS, What};
use crate::proposed::Capabilities;
use crate::vocabulary::Usage;
use smallvec::SmallVec;

/// How many octets of patterns one decision compares before it calls scopes undetermined (S-34).
pub(crate) const COMPARED: u64 = 1 << 22;

/// The question to ACAP's statements: one usage, one purpose.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) sources: Sources<'a>,
    /// The comparable path, without capitals.
    pub(super) path: &'a [u8],
    pub(super) crawler: &'a Crawler,
    pub(super) capabilities: &'a Capabilities,
    pub(super) purpose: Option<&'a str>,
    /// The records of robots.txt that address the crawler, where that is known already.
    pub(super) addressed: Option<&'a [(u32, bool)]>,
}

/// A statement that addresses the crawler, matches the resource and speaks of the tier's usage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) id: StatementId,
    pub(crate) is_permission: bool,
    pub(crate) fall: Option<Fall>,
    pub(crate) is_named: bool,
    pub(crate) has_purpose: bool,
    /// Several members of one composite usage: none of them is narrower than all others.
    is_many: bool,
    scope: Scope<'a>,
    /// The one pattern that stands for its scope; where nothing does, all that match must agree.
    narrowest: Option<Pattern>,
}

/// What a candidate is about.
#[derive(Clone, Copy, Debug)]
struct Scope<'a> {
    acap: Option<&'a Acap>,
    selected: Option<&'a Selected<'a>>,
}

/// The patterns of the conventional rules that RFC 9309 selects.
#[derive(Debug)]
pub(super) struct Selected<'a> {
    pub(super) patterns: &'a [Pattern],
    pub(super) arena: &'a [u8],
}

impl<'a> Scope<'a> {
    fn arena(self) -> &'a [u8] {
        match (self.acap, self.selected) {
            (Some(acap), _) => &acap.arena,
            (None, Some(selected)) => selected.arena,
            (None, None) => &[],
        }
    }
}

/// Candidates, mostly few.
pub(super) type Candidates<'a> = SmallVec<[Candidate<'a>; 8]>;

/// The statements of the tier that decides. It is filled in place: moving it about would cost more than most
/// decisions.
#[derive(Default)]
pub(super) struct Bench<'a> {
    candidates: Candidates<'a>,
    /// What suffices for the outcome: the permissions that supply the conditions, or the unbeaten prohibitions.
    pub(super) winners: Candidates<'a>,
}

/// What a tier came to.
#[derive(Clone, Copy)]
pub(super) struct Verdict<'a> {
    pub(super) outcome: Outcome,
    pub(super) is_contested: bool,
    pub(super) tier: &'a Usage,
}

/// Why one statement is narrower than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// By its pattern (S-06).
    Scope,
    /// On equal patterns: it is for the crawler's purpose (S-05).
    Purpose,
    /// On equal patterns: it names the crawler (S-05).
    Named,
    /// On equal patterns: it is ACAP's and the other conventional (S-13).
    Acap,
}

/// Why a candidate did not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Decides,
    /// A statement that names the crawler set it aside (S-04).
    NamedStatement(StatementId),
    /// Another is narrower.
    Narrower(StatementId, How),
    /// A permission: it is not determined to be narrower than this prohibition (S-07).
    Undetermined(StatementId),
    /// Another permission is narrower and supplies the conditions (S-08).
    NarrowerPermission(StatementId),
    /// A tier nearer to the usage spoke first (S-03).
    LaterTier,
}

/// One tier of a walk, for whoever wants to know it all.
#[derive(Clone, Debug)]
pub(crate) struct TierWalk {
    pub(crate) usage: Usage,
    pub(crate) purpose: Option<String>,
    pub(crate) candidates: Vec<(StatementId, Option<Fall>, Fate)>,
}

impl<'a> Asked<'a> {
    /// The result of the first tier that speaks; nothing where none does. `conventional` is what RFC 9309
    /// selects, which joins the tier of `crawl`.
    pub(super) fn result<R: Recorder>(
        &self,
        usage: &'a Usage,
        conventional: Option<Candidate<'a>>,
        bench: &mut Bench<'a>,
        recorder: &mut R,
    ) -> Option<Verdict<'a>> {
        let other = Some(&Usage::OtherUsage).filter(|other| *other != usage);
        let tiers = std::iter::once(usage).chain(usage.within()).chain(other);
        let mut found: Option<Verdict<'a>> = None;
        for tier in tiers {
            let joins = conventional.filter(|_| *tier == Usage::Crawl);
            if found.is_none() {
                found = self.tier(tier, joins, bench, recorder);
            } else if R::KEEPS {
                self.later_tier(tier, joins, recorder);
            }
            if found.is_some() && !R::KEEPS {
                break;
            }
        }
        found
    }

    /// Decides by one tier, if it speaks.
    fn tier<R: Recorder>(
        &self,
        tier: &'a Usage,
        conventional: Option<Candidate<'a>>,
        bench: &mut Bench<'a>,
        recorder: &mut R,
    ) -> Option<Verdict<'a>> {
        self.gather_all(tier, &mut bench.candidates);
        if bench.candidates.is_empty() && conventional.is_none() {
            return None;
        }
        let aside =
            if bench.candidates.len() > 1 { s04_named_sets_any_aside(&mut bench.candidates) } else { SmallVec::new() };
        bench.candidates.extend(conventional);
        let (outcome, is_contested) = resolve::<R>(&bench.candidates, self.path, &mut bench.winners);
        if R::KEEPS {
            let mut walk: Vec<_> =
                aside.iter().map(|(aside, by)| (aside.id, aside.fall, Fate::NamedStatement(*by))).collect();
            let fate = |one: &Candidate<'_>| fate(one, &bench.candidates, outcome, &bench.winners, self.path);
            walk.extend(bench.candidates.iter().map(|one| (one.id, one.fall, fate(one))));
            self.record(tier, walk, recorder);
        }
        Some(Verdict { outcome, is_contested, tier })
    }

    /// A tier after the one that decided.
    fn later_tier<R: Recorder>(&self, tier: &Usage, conventional: Option<Candidate<'a>>, recorder: &mut R) {
        let mut candidates = Candidates::new();
        self.gather_all(tier, &mut candidates);
        candidates.extend(conventional);
        if !candidates.is_empty() {
            let late = candidates.iter().map(|late| (late.id, late.fall, Fate::LaterTier)).collect();
            self.record(tier, late, recorder);
        }
    }

    fn record<R: Recorder>(&self, tier: &Usage, candidates: Vec<(StatementId, Option<Fall>, Fate)>, recorder: &mut R) {
        let purpose = self.purpose.map(str::to_owned);
        recorder.tier(TierWalk { usage: tier.clone(), purpose, candidates });
    }

    /// The statements of one tier.
    fn gather_all(&self, tier: &Usage, candidates: &mut Candidates<'a>) {
        self.sources.each(self.crawler, |document, acap| self.gather(document, acap, tier, candidates));
    }

    fn gather(&self, document: u16, acap: &'a Acap, tier: &Usage, candidates: &mut Candidates<'a>) {
        let bit = tier.standard_number().map_or(WORDS, |number| 1 << number);
        if acap.mask & bit == 0 {
            return;
        }
        let path = Paths::of(self.path);
        let mut memory = Memory::default();
        let mut visit = |record: u32, is_named: bool| {
            acap.each_candidate(record, bit, &path, |number, entry| {
                let narrowest = match entry.patterns.of(&acap.patterns) {
                    [one] if one.matches(&acap.arena, self.path) => Some(*one),
                    [_] => return,
                    _ => match memory.set(acap, entry.set, self.path) {
                        SetState::Matches(narrowest) => narrowest,
                        SetState::Unknown | SetState::NoMatch => return,
                    },
                };
                if !memory.has_purpose(self, acap, entry.purposes) {
                    return;
                }
                let Some(said) = memory.said(acap, entry, tier, self.capabilities) else { return };
                let candidate = Candidate {
                    id: StatementId { document, kind: StatementKind::Acap, number },
                    is_permission: said.is_permission,
                    fall: said.fall,
                    is_named,
                    has_purpose: entry.purposes != GENERAL,
                    is_many: said.is_many,
                    scope: Scope { acap: Some(acap), selected: None },
                    narrowest,
                };
                candidates.push(candidate);
                if said.is_mixed {
                    candidates.push(Candidate { is_permission: true, fall: None, ..candidate });
                }
            });
        };
        match self.addressed.filter(|_| document == 0) {
            Some(records) => records.iter().for_each(|(record, is_named)| visit(*record, *is_named)),
            None => acap.each_record_for(self.crawler, |record, addressee| {
                visit(record, addressee == Addressee::Named);
            }),
        }
    }
}

/// What was found out while gathering and holds for the next statements too: without it a set of ten
/// thousand patterns would be matched anew for each of ten thousand statements about it.
#[derive(Default)]
struct Memory {
    sets: SmallVec<[SetState; 8]>,
    /// What each local usage says, first as a prohibition, then as a permission.
    locals: SmallVec<[[Option<Option<Said>>; 2]; 4]>,
    purposes: Option<(u32, bool)>,
}

#[derive(Clone, Copy)]
enum SetState {
    Unknown,
    NoMatch,
    /// The member that stands for the set, if one does.
    Matches(Option<Pattern>),
}

impl Memory {
    fn set(&mut self, acap: &Acap, number: u32, path: &[u8]) -> SetState {
        let Some(set) = acap.sets.get(number as usize) else { return SetState::NoMatch };
        if self.sets.is_empty() {
            self.sets.resize(acap.sets.len(), SetState::Unknown);
        }
        let Some(state) = self.sets.get_mut(number as usize) else { return SetState::NoMatch };
        if matches!(state, SetState::Unknown) {
            let patterns = set.patterns.of(&acap.patterns);
            let is_match = patterns.iter().any(|pattern| pattern.matches(&acap.arena, path));
            *state = if is_match {
                SetState::Matches(narrowest_member(patterns, &acap.arena, path))
            } else {
                SetState::NoMatch
            };
        }
        *state
    }

    fn has_purpose(&mut self, asked: &Asked<'_>, acap: &Acap, purposes: u32) -> bool {
        if purposes == GENERAL {
            return true;
        }
        match self.purposes {
            Some((known, answer)) if known == purposes => answer,
            _ => {
                let answer = asked.purpose.is_some_and(|purpose| acap.is_for(purposes, purpose));
                self.purposes = Some((purposes, answer));
                answer
            }
        }
    }

    fn said(&mut self, acap: &Acap, entry: &Entry, tier: &Usage, capabilities: &Capabilities) -> Option<Said> {
        let What::Local(number) = entry.what else { return acap.said(entry, tier, capabilities) };
        if self.locals.is_empty() {
            self.locals.resize(acap.locals.len(), [None; 2]);
        }
        let known = self.locals.get_mut(number as usize)?.get_mut(usize::from(entry.is_permission))?;
        // What the local usage says where nothing else makes it fall.
        let bare = Entry { fall: None, ..*entry };
        let said = (*known.get_or_insert_with(|| acap.said(&bare, tier, capabilities)))?;
        let fall = entry.fall.or(said.fall).filter(|_| entry.is_permission);
        let is_mixed = said.is_mixed && entry.fall.is_none();
        Some(Said { is_permission: entry.is_permission && fall.is_none(), fall, is_mixed, ..said })
    }
}

impl<'a> Candidate<'a> {
    /// What RFC 9309 selects, as one statement (S-13): one rule, or several of the same rank.
    pub(super) fn conventional(rule: u32, is_permission: bool, is_named: bool, selected: &'a Selected<'a>) -> Self {
        Self {
            id: StatementId::rule(rule),
            is_permission,
            fall: None,
            is_named,
            has_purpose: false,
            is_many: false,
            scope: Scope { acap: None, selected: Some(selected) },
            narrowest: selected.patterns.first().copied().filter(|_| selected.patterns.len() == 1),
        }
    }

    fn is_conventional(&self) -> bool {
        self.id.kind == StatementKind::Rule
    }

    /// Whether its scope is the beginning of paths and nothing more.
    fn plain(&self) -> Option<Pattern> {
        self.narrowest.filter(|pattern| pattern.is_plain() && !self.is_conventional())
    }

    fn rank(&self) -> (bool, bool) {
        (self.has_purpose, self.is_named)
    }

    /// How it is narrower than another, if it is (S-05, S-06, S-13).
    fn narrower_than(&self, other: &Self, path: &[u8]) -> Option<How> {
        let (Some(mine), Some(theirs)) = (self.narrowest, other.narrowest) else {
            return self.all_narrower_than(other, path).then_some(How::Scope);
        };
        if mine.is_plain() && theirs.is_plain() && mine.length() != theirs.length() {
            // Both begin the same path.
            return (mine.length() > theirs.length()).then_some(How::Scope);
        }
        self.is_narrower(mine, other, theirs)
    }

    /// How one of its patterns is narrower than one of another's.
    fn is_narrower(&self, mine: Pattern, other: &Self, theirs: Pattern) -> Option<How> {
        match mine.narrower(self.scope.arena(), theirs, other.scope.arena()) {
            Narrower::First => Some(How::Scope),
            Narrower::Second | Narrower::Undetermined => None,
            Narrower::Equal => match (self.is_conventional(), other.is_conventional()) {
                (false, true) => (self.is_named || !other.is_named).then_some(How::Acap),
                (true, _) => None,
                (false, false) if self.has_purpose != other.has_purpose => self.has_purpose.then_some(How::Purpose),
                (false, false) => (self.is_named && !other.is_named).then_some(How::Named),
            },
        }
    }

    /// Members of a set among which none is the narrowest must all agree.
    fn all_narrower_than(&self, other: &Self, path: &[u8]) -> bool {
        if self.members(path).count() * other.members(path).count() > MEMBERS {
            return false;
        }
        let beats_all = |mine| other.members(path).all(|theirs| self.is_narrower(mine, other, theirs).is_some());
        self.members(path).all(beats_all)
    }

    /// All patterns it is about.
    fn patterns(&self) -> &'a [Pattern] {
        match (self.scope.acap, self.scope.selected) {
            (Some(acap), _) => {
                acap.statements.get(self.id.number as usize).map_or(&[], |entry| entry.patterns.of(&acap.patterns))
            }
            (None, Some(selected)) => selected.patterns,
            (None, None) => &[],
        }
    }

    /// The patterns that stand for its scope.
    fn members(&self, path: &[u8]) -> impl Iterator<Item = Pattern> {
        let (all, arena) = (if self.narrowest.is_some() { &[] } else { self.patterns() }, self.scope.arena());
        let matching = all.iter().copied().filter(move |pattern| pattern.matches(arena, path));
        self.narrowest.into_iter().chain(matching)
    }

    /// How many octets comparing it looks at.
    fn cost(&self) -> u64 {
        match self.narrowest {
            Some(pattern) => u64::from(pattern.length()) + 1,
            None => self.patterns().iter().map(|pattern| u64::from(pattern.length()) + 1).sum(),
        }
    }
}

/// How many pairs of set members are compared at most.
const MEMBERS: usize = 1 << 12;

/// The member of a set that is narrower than all others that match, if one is.
fn narrowest_member(patterns: &[Pattern], arena: &[u8], path: &[u8]) -> Option<Pattern> {
    let matching = || patterns.iter().filter(|pattern| pattern.matches(arena, path));
    let is_narrower = |a: &Pattern, b: &Pattern| a.narrower(arena, *b, arena) == Narrower::First;
    let best = matching().fold(None, |best: Option<&Pattern>, pattern| match best {
        Some(best) if !is_narrower(pattern, best) => Some(best),
        _ => Some(pattern),
    })?;
    // The same pattern written twice is one.
    let is_same = |other: &Pattern| best.narrower(arena, *other, arena) == Narrower::Equal;
    matching().all(|other| is_same(other) || is_narrower(best, other)).then_some(*best)
}

/// Within one class of purposes a statement that names the crawler sets aside those for any (S-04).
fn s04_named_sets_any_aside<'a>(candidates: &mut Candidates<'a>) -> SmallVec<[(Candidate<'a>, StatementId); 4]> {
    let mut aside = SmallVec::new();
    for has_purpose in [false, true] {
        let is_of_class = |one: &Candidate<'_>| one.has_purpose == has_purpose;
        let Some(by) = candidates.iter().find(|one| is_of_class(one) && one.is_named).map(|one| one.id) else {
            continue;
        };
        candidates.retain(|one| {
            let stays = !is_of_class(one) || one.is_named;
            if !stays {
                aside.push((*one, by));
            }
            stays
        });
    }
    aside
}

/// S-07 and S-08: a permission wins only if narrower than every opposing prohibition. Gives the outcome and
/// whether statements oppose each other.
///
/// Patterns without wildcards that match one path are nested, so among many of them only the longest can
/// matter; the rest is compared pair by pair, up to [`COMPARED`] octets.
fn resolve<'a, R: Recorder>(candidates: &Candidates<'a>, path: &[u8], winners: &mut Candidates<'a>) -> (Outcome, bool) {
    if let [one] = candidates.as_slice() {
        winners.push(*one);
        return (if one.is_permission { Outcome::Permitted } else { Outcome::Prohibited }, false);
    }
    let of_kind = |is_permission: bool| candidates.iter().filter(move |one| one.is_permission == is_permission);
    let permissions = of_kind(true).count();
    let prohibitions = candidates.len() - permissions;
    if prohibitions == 0 {
        s08_narrowest(candidates, path, winners);
        return (Outcome::Permitted, false);
    }
    if permissions == 0 {
        winners.extend(candidates.iter().copied());
        return (Outcome::Prohibited, false);
    }
    let opposing = opponents(candidates, false);
    if pair_cost(of_kind(true), permissions, &opposing) <= COMPARED {
        let beats_all = |one: &&Candidate<'_>| opposing.iter().all(|other| one.narrower_than(other, path).is_some());
        let winning: Candidates<'a> = of_kind(true).filter(beats_all).copied().collect();
        if !winning.is_empty() {
            s08_narrowest(&winning, path, winners);
            return (Outcome::Permitted, true);
        }
    }
    if R::KEEPS {
        let opposing = opponents(candidates, true);
        if pair_cost(of_kind(false), prohibitions, &opposing) <= COMPARED {
            let is_unbeaten =
                |one: &&Candidate<'_>| opposing.iter().all(|other| other.narrower_than(one, path).is_none());
            winners.extend(of_kind(false).filter(is_unbeaten).copied());
        }
    }
    if winners.is_empty() {
        winners.extend(of_kind(false).copied());
    }
    (Outcome::Prohibited, true)
}

/// The candidates of one kind that decide whether another is narrower than all of that kind: of those whose
/// scope is plain only the longest, one for each rank that breaks ties.
fn opponents<'a>(candidates: &Candidates<'a>, is_permission: bool) -> Candidates<'a> {
    let of_kind = || candidates.iter().filter(|one| one.is_permission == is_permission);
    let longest = of_kind().filter_map(|one| one.plain().map(Pattern::length)).max();
    let mut opponents: Candidates<'a> = of_kind().filter(|one| one.plain().is_none()).copied().collect();
    for rank in [(false, false), (false, true), (true, false), (true, true)] {
        let is_top = |one: &&Candidate<'_>| one.rank() == rank && one.plain().map(Pattern::length) == longest;
        opponents.extend(of_kind().filter(|one| one.plain().is_some()).find(is_top).copied());
    }
    opponents
}

/// How many octets comparing every one with every opponent looks at.
fn pair_cost<'c, 'a: 'c>(ones: impl Iterator<Item = &'c Candidate<'a>>, count: usize, others: &Candidates<'_>) -> u64 {
    let of_ones = ones.map(Candidate::cost).sum::<u64>().saturating_mul(others.len() as u64);
    let of_others = others.iter().map(Candidate::cost).sum::<u64>().saturating_mul(count as u64);
    of_ones.saturating_add(of_others)
}

/// The permission narrower than all the others supplies the conditions; else all of them do (S-08).
fn s08_narrowest<'a>(permissions: &Candidates<'a>, path: &[u8], winners: &mut Candidates<'a>) {
    let narrower = |one: &Candidate<'a>, other: &Candidate<'a>| one.narrower_than(other, path).is_some();
    let best = permissions.iter().reduce(|best, one| if narrower(one, best) { one } else { best });
    let is_narrowest = |best: &&Candidate<'a>| {
        let beats = |other: &Candidate<'a>| other.id == best.id || narrower(best, other);
        permissions.len() == 1 || !best.is_many && permissions.iter().all(beats)
    };
    match best.filter(is_narrowest) {
        Some(best) => winners.push(*best),
        None => winners.extend(permissions.iter().copied()),
    }
}

/// What became of a candidate, for the explanation.
fn fate(
    one: &Candidate<'_>,
    candidates: &Candidates<'_>,
    outcome: Outcome,
    winners: &Candidates<'_>,
    path: &[u8],
) -> Fate {
    if winners.iter().any(|winner| winner.id == one.id) {
        return Fate::Decides;
    }
    let opposing = candidates.iter().filter(|other| other.is_permission != one.is_permission);
    let first = winners.first().map(|winner| winner.id);
    if one.is_permission {
        // The first prohibition it does not beat.
        let unbeaten = opposing.take(FATES).find(|other| one.narrower_than(other, path).is_none());
        return match (unbeaten, first) {
            (Some(other), _) => match other.narrower_than(one, path) {
                Some(how) => Fate::Narrower(other.id, how),
                None => Fate::Undetermined(other.id),
            },
            (None, first) if outcome == Outcome::Prohibited => Fate::Undetermined(first.unwrap_or(one.id)),
            (None, first) => Fate::NarrowerPermission(first.unwrap_or(one.id)),
        };
    }
    let beating = winners.iter().filter(|winner| winner.is_permission).chain(opposing).take(FATES);
    let beating = beating.into_iter().find_map(|other| other.narrower_than(one, path).map(|how| (other.id, how)));
    match (beating, first) {
        (Some((id, how)), _) => Fate::Narrower(id, how),
        (None, Some(first)) => Fate::Narrower(first, How::Scope),
        (None, None) => Fate::LaterTier,
    }
}

/// How many opposing statements an explanation looks at for each statement.
const FATES: usize = 256;
