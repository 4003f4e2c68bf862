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
use crate::policy::acap::{Entry, GENERAL, Said, WORDS, What};
use crate::policy::key::PathKeys;
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
    patterns: &'a [Pattern],
    arena: &'a [u8],
    path: &'a [u8],
    /// The one pattern that stands for its scope; where nothing does, all that match must agree.
    narrowest: Option<Pattern>,
}

/// Candidates, mostly few.
pub(super) type Candidates<'a> = SmallVec<[Candidate<'a>; 16]>;

/// What a tier came to.
pub(super) struct Verdict<'a> {
    pub(super) outcome: Outcome,
    /// What suffices for it: the permissions that supply the conditions, or the unbeaten prohibitions.
    pub(super) winners: Candidates<'a>,
    pub(super) is_contested: bool,
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
    /// The result of the first tier that speaks; nothing where none does. `conventional` is what
    /// RFC 9309 selects, which joins the tier of `crawl`.
    pub(super) fn result<R: Recorder>(
        &self,
        usage: &'a Usage,
        conventional: Option<Candidate<'a>>,
        recorder: &mut R,
    ) -> Option<(Verdict<'a>, &'a Usage)> {
        let other = Some(&Usage::OtherUsage).filter(|other| *other != usage);
        let tiers = std::iter::once(usage).chain(usage.within()).chain(other);
        let mut found: Option<(Verdict<'a>, &'a Usage)> = None;
        for tier in tiers {
            if found.is_some() && !R::KEEPS {
                break;
            }
            let mut candidates = self.candidates(tier);
            let joins = *tier == Usage::Crawl;
            if candidates.is_empty() && !(joins && conventional.is_some()) {
                continue;
            }
            if found.is_some() {
                let late = candidates.iter().chain(conventional.iter().filter(|_| joins));
                let late = late.map(|late| (late.id, late.fall, Fate::LaterTier)).collect();
                let purpose = self.purpose.map(str::to_owned);
                recorder.tier(TierWalk { usage: tier.clone(), purpose, candidates: late });
                continue;
            }
            let aside = s04_named_sets_any_aside(&mut candidates);
            candidates.extend(conventional.filter(|_| joins));
            let verdict = resolve::<R>(&candidates);
            if R::KEEPS {
                let mut walk: Vec<_> =
                    aside.iter().map(|(aside, by)| (aside.id, aside.fall, Fate::NamedStatement(*by))).collect();
                walk.extend(candidates.iter().map(|one| (one.id, one.fall, fate(one, &candidates, &verdict))));
                let purpose = self.purpose.map(str::to_owned);
                recorder.tier(TierWalk { usage: tier.clone(), purpose, candidates: walk });
            }
            found = Some((verdict, tier));
        }
        found
    }

    /// The statements of one tier.
    fn candidates(&self, tier: &Usage) -> Candidates<'a> {
        let mut candidates = Candidates::new();
        self.sources.each(self.crawler, |document, acap| self.gather(document, acap, tier, &mut candidates));
        candidates
    }

    fn gather(&self, document: u16, acap: &'a Acap, tier: &Usage, candidates: &mut Candidates<'a>) {
        let bit = tier.standard_number().map_or(WORDS, |number| 1 << number);
        let alike = PathKeys::of(self.path, 1);
        let mut memory = Memory::default();
        for (number, entry) in acap.statements.iter().enumerate() {
            if entry.mask & bit == 0 || !alike.agree(entry.key) {
                continue;
            }
            let patterns = entry.patterns.of(&acap.patterns);
            let narrowest = match patterns {
                [one] if one.matches(&acap.arena, self.path) => Some(*one),
                [_] => continue,
                _ => match memory.set(acap, entry.set, self.path) {
                    SetState::Matches(narrowest) => narrowest,
                    SetState::Unknown | SetState::NoMatch => continue,
                },
            };
            if !memory.has_purpose(self, acap, entry.purposes) {
                continue;
            }
            let Some(addressee) = memory.addressee(acap, entry.record, self.crawler) else { continue };
            let Some(said) = memory.said(acap, entry, tier, self.capabilities) else { continue };
            let candidate = Candidate {
                id: StatementId { document, kind: StatementKind::Acap, number: number as u32 },
                is_permission: said.is_permission,
                fall: said.fall,
                is_named: addressee == Addressee::Named,
                has_purpose: entry.purposes != GENERAL,
                is_many: said.is_many,
                patterns,
                arena: &acap.arena,
                path: self.path,
                narrowest,
            };
            candidates.push(candidate);
            if said.is_mixed {
                candidates.push(Candidate { is_permission: true, fall: None, ..candidate });
            }
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
    record: Option<(u32, Option<Addressee>)>,
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

    fn addressee(&mut self, acap: &Acap, record: u32, crawler: &Crawler) -> Option<Addressee> {
        match self.record {
            Some((known, addressee)) if known == record => addressee,
            _ => {
                let addressee = acap.addressee(record, crawler);
                self.record = Some((record, addressee));
                addressee
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
    pub(super) fn conventional(
        rule: u32,
        is_permission: bool,
        is_named: bool,
        patterns: &'a [Pattern],
        arena: &'a [u8],
        path: &'a [u8],
    ) -> Self {
        Self {
            id: StatementId::rule(rule),
            is_permission,
            fall: None,
            is_named,
            has_purpose: false,
            is_many: false,
            patterns,
            arena,
            path,
            narrowest: patterns.first().copied().filter(|_| patterns.len() == 1),
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
    fn narrower_than(&self, other: &Self) -> Option<How> {
        let (Some(mine), Some(theirs)) = (self.narrowest, other.narrowest) else {
            return self.all_narrower_than(other).then_some(How::Scope);
        };
        if mine.is_plain() && theirs.is_plain() && mine.length() != theirs.length() {
            // Both begin the same path.
            return (mine.length() > theirs.length()).then_some(How::Scope);
        }
        self.is_narrower(mine, other, theirs)
    }

    /// How one of its patterns is narrower than one of another's.
    fn is_narrower(&self, mine: Pattern, other: &Self, theirs: Pattern) -> Option<How> {
        match mine.narrower(self.arena, theirs, other.arena) {
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
    fn all_narrower_than(&self, other: &Self) -> bool {
        if self.members().count() * other.members().count() > MEMBERS {
            return false;
        }
        self.members().all(|mine| other.members().all(|theirs| self.is_narrower(mine, other, theirs).is_some()))
    }

    /// The patterns that stand for its scope.
    fn members(&self) -> impl Iterator<Item = Pattern> {
        let all = if self.narrowest.is_some() { &[] } else { self.patterns };
        let matching = all.iter().copied().filter(|pattern| pattern.matches(self.arena, self.path));
        self.narrowest.into_iter().chain(matching)
    }

    /// How many octets comparing it looks at.
    fn cost(&self) -> u64 {
        match self.narrowest {
            Some(pattern) => u64::from(pattern.length()) + 1,
            None => self.patterns.iter().map(|pattern| u64::from(pattern.length()) + 1).sum(),
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

/// S-07 and S-08: a permission wins only if narrower than every opposing prohibition.
///
/// Patterns without wildcards that match one path are nested, so among many of them only the longest can
/// matter; the rest is compared pair by pair, up to [`COMPARED`] octets.
fn resolve<'a, R: Recorder>(candidates: &Candidates<'a>) -> Verdict<'a> {
    let permissions: Candidates<'a> = candidates.iter().filter(|one| one.is_permission).copied().collect();
    let is_contested = permissions.len() < candidates.len() && !permissions.is_empty();
    if permissions.len() == candidates.len() {
        return Verdict { outcome: Outcome::Permitted, winners: s08_narrowest(permissions), is_contested };
    }
    let prohibitions = opponents(candidates, false);
    let all: u64 = candidates.iter().filter(|one| !one.is_permission).count() as u64;
    if !permissions.is_empty() && pair_cost(&permissions, &prohibitions) <= COMPARED {
        let beats_all = |one: &&Candidate<'_>| prohibitions.iter().all(|other| one.narrower_than(other).is_some());
        let winning: Candidates<'a> = permissions.iter().filter(beats_all).copied().collect();
        if !winning.is_empty() {
            return Verdict { outcome: Outcome::Permitted, winners: s08_narrowest(winning), is_contested };
        }
    }
    let all_prohibitions = || candidates.iter().filter(|one| !one.is_permission);
    let mut winners = Candidates::new();
    if R::KEEPS && !permissions.is_empty() {
        let permissions = opponents(candidates, true);
        let cost = permissions.iter().map(Candidate::cost).sum::<u64>().saturating_mul(all);
        if cost <= COMPARED {
            let is_unbeaten = |one: &&Candidate<'_>| permissions.iter().all(|other| other.narrower_than(one).is_none());
            winners.extend(all_prohibitions().filter(is_unbeaten).copied());
        }
    }
    if winners.is_empty() {
        winners.extend(all_prohibitions().copied());
    }
    Verdict { outcome: Outcome::Prohibited, winners, is_contested }
}

/// The candidates of one kind that decide whether another is narrower than all of that kind: of those whose
/// scope is plain only the longest, of equally long ones the one hardest to beat.
fn opponents<'a>(candidates: &Candidates<'a>, is_permission: bool) -> Candidates<'a> {
    let of_kind = || candidates.iter().filter(|one| one.is_permission == is_permission);
    let top = of_kind()
        .filter_map(|one| one.plain().map(|pattern| (pattern.length(), one.rank(), one)))
        .max_by_key(|(length, rank, _)| (*length, *rank))
        .map(|(.., one)| *one);
    top.into_iter().chain(of_kind().filter(|one| one.plain().is_none()).copied()).collect()
}

fn pair_cost(one: &Candidates<'_>, other: &Candidates<'_>) -> u64 {
    let sum = |candidates: &Candidates<'_>| candidates.iter().map(Candidate::cost).sum::<u64>();
    let of_one = sum(one).saturating_mul(other.len() as u64);
    of_one.saturating_add(sum(other).saturating_mul(one.len() as u64))
}

/// The permission narrower than all the others supplies the conditions; else all of them do (S-08).
fn s08_narrowest(permissions: Candidates<'_>) -> Candidates<'_> {
    let best = permissions.iter().reduce(|best, one| if one.narrower_than(best).is_some() { one } else { best });
    let Some(best) = best.filter(|best| !best.is_many || permissions.len() == 1).copied() else { return permissions };
    let is_narrowest = permissions.iter().all(|other| other.id == best.id || best.narrower_than(other).is_some());
    if is_narrowest { std::iter::once(best).collect() } else { permissions }
}

/// What became of a candidate, for the explanation.
fn fate(one: &Candidate<'_>, candidates: &Candidates<'_>, verdict: &Verdict<'_>) -> Fate {
    if verdict.winners.iter().any(|winner| winner.id == one.id) {
        return Fate::Decides;
    }
    let opposing = candidates.iter().filter(|other| other.is_permission != one.is_permission);
    if one.is_permission {
        // The first prohibition it does not beat.
        let unbeaten = opposing.into_iter().take(FATES).find(|other| one.narrower_than(other).is_none());
        return match unbeaten {
            Some(other) => match other.narrower_than(one) {
                Some(how) => Fate::Narrower(other.id, how),
                None => Fate::Undetermined(other.id),
            },
            None => {
                let winner = verdict.winners.first().map_or(one.id, |winner| winner.id);
                match verdict.outcome {
                    Outcome::Prohibited => Fate::Undetermined(winner),
                    _ => Fate::NarrowerPermission(winner),
                }
            }
        };
    }
    let winners = verdict.winners.iter().filter(|winner| winner.is_permission);
    let beating = winners.chain(opposing).take(FATES);
    let beating = beating.into_iter().find_map(|other| other.narrower_than(one).map(|how| (other.id, how)));
    match (beating, verdict.winners.first()) {
        (Some((id, how)), _) => Fate::Narrower(id, how),
        (None, Some(winner)) => Fate::Narrower(winner.id, How::Scope),
        (None, None) => Fate::LaterTier,
    }
}

/// How many opposing statements an explanation looks at for each statement.
const FATES: usize = 256;
