//! Decides by ACAP: usage tiers, addressees, purposes and scopes (S-03 to S-08, S-13).
//!
//! Statements that address a usage and match the resource are gathered tier by tier. The first tier with statements
//! decides. Within a tier, a statement that names the crawler sets aside statements for any crawler. Of the remaining
//! statements, the one with the narrowest scope wins. If statements conflict and the narrowest cannot be determined,
//! the use is prohibited.

mod conflict;
mod element;
mod page;

use super::Recorder;
use crate::base::limits::STATEMENT_COST;
use crate::base::source::TableRange;
use crate::dialects::acap::Acap;
use crate::dialects::acap::scope::{Narrower, Pattern};
use crate::dialects::acap::{Entry, Filter, GENERAL, OTHER_USAGES, Paths, StatementEffect, UsageRef};
use crate::model::LostTo;
use crate::model::Outcome;
use crate::model::Source;
use crate::model::Usage;
use crate::model::crawler::Crawler;
use crate::model::proposed_use::Capabilities;
use crate::model::{Addressee, StatementId, StatementKind, Uninterpretable};
use crate::site::Sources;
use conflict::{Fates, resolve, s04_named_sets_any_aside};
use smallvec::SmallVec;
use std::collections::HashSet;

/// How many octets of patterns are compared for one question. Beyond this limit, scopes count as undetermined (S-34).
const COMPARED: u64 = 1 << 22;

/// Returns the maximum work for one decision, in octets compared.
pub(crate) fn work_of(sources: &Sources<'_>) -> u64 {
    let (mut statements, mut octets) = (0u64, 0u64);
    for acap in sources.acaps() {
        statements += acap.statements.len() as u64;
        octets += acap.arena.len() as u64;
    }
    STATEMENT_COST * (1 + statements + sources.words() as u64) + statements.saturating_mul(octets).min(COMPARED)
}

/// A question about one usage and one purpose, answered from ACAP statements.
#[derive(Clone, Copy)]
pub(super) struct AcapQuestion<'a> {
    pub(super) sources: Sources<'a>,
    /// The normalized path, in lower case.
    pub(super) path: &'a [u8],
    pub(super) crawler: &'a Crawler,
    pub(super) capabilities: &'a Capabilities,
    pub(super) purpose: Option<&'a str>,
    /// The groups in robots.txt that address the crawler, if they are known already.
    pub(super) addressed: Option<&'a [(u32, bool)]>,
    /// The resource's URL as given.
    pub(super) url: &'a str,
    /// Whether another dialect addresses the usage. If so, the tier `other` is not considered (semantics, section 3).
    pub(super) has_directive: bool,
    /// Whether the question is about crawling, whatever the tier.
    pub(super) is_crawl: bool,
    pub(super) conditions: &'a dyn ConditionCheck,
}

/// Checks permissions against the proposed use.
pub(super) trait ConditionCheck {
    /// Whether a permission for a tier's usage does not hold, for example because its time has passed or a condition is
    /// broken.
    fn fails(&self, id: StatementId, tier: &Usage) -> bool;
}

/// A statement that addresses the crawler and the tier's usage and matches the resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) id: StatementId,
    pub(crate) is_permission: bool,
    pub(crate) uninterpretable: Option<Uninterpretable>,
    pub(crate) is_named: bool,
    pub(crate) has_purpose: bool,
    /// Whether the candidate represents several members of one composite usage, none of which is narrower than all
    /// others.
    is_many: bool,
    /// The text that contains the candidate's patterns.
    arena: &'a [u8],
    scope: Scope,
}

/// The resources that a candidate applies to.
#[derive(Clone, Copy, Debug)]
enum Scope {
    /// One pattern, which represents the scope.
    One(Pattern),
    /// Several patterns, none of which is narrower than all the others. The scope is narrower than another scope only
    /// if all of its patterns are. Contains a range in [`Bench::members`].
    Several(TableRange),
    /// Too many patterns to compare. The scope is neither narrower nor wider than any other scope (S-34).
    Vague,
}

/// The maximum number of patterns that are compared for one scope (S-34).
pub(super) const MEMBERS: usize = 8;

/// Patterns of scopes.
type Members = SmallVec<[Pattern; 8]>;

/// A list of candidates, which is usually short.
pub(super) type Candidates<'a> = SmallVec<[Candidate<'a>; 8]>;

/// The statements in the deciding tier. A bench is filled in place, because moving it would cost more than most
/// decisions.
#[derive(Default)]
pub(super) struct Bench<'a> {
    candidates: Candidates<'a>,
    /// The patterns of the scopes that have several patterns.
    members: Members,
    /// The statements that are sufficient for the outcome: the permissions that supply the conditions, or the unbeaten
    /// prohibitions.
    pub(super) winners: Candidates<'a>,
    /// Statements that are in both a page's source and its DOM, as pairs of the id in the source and the id in the DOM
    /// (S-25).
    pub(super) twins: SmallVec<[(StatementId, StatementId); 2]>,
}

/// The result for a tier.
#[derive(Clone, Copy)]
pub(super) struct Verdict<'a> {
    pub(super) outcome: Outcome,
    pub(super) contest: Contest,
    pub(super) tier: &'a Usage,
}

/// Whether statements in a tier oppose each other, and what settled the conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contest {
    Unopposed,
    /// The scopes settled the conflict (S-07).
    Scope,
    /// There are too many statements to compare (S-34).
    Uncompared,
    /// The page's META tags oppose robots.txt, and the page prevails (S-15).
    Page,
    /// The page's META tags oppose robots.txt, and the page does not prevail (S-15, S-27).
    RobotsTxt,
    /// Statements on the element oppose statements about the page (S-16).
    Element,
}

/// Why one statement is narrower than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// The statement's pattern is narrower (S-06).
    Scope,
    /// The patterns are equal, and the statement is for the crawler's purpose (S-05).
    Purpose,
    /// The patterns are equal, and the statement is an ACAP statement while the other is conventional (S-13).
    Acap,
}

impl How {
    /// Returns why the wider statement lost.
    fn lost_to(self, narrower: StatementId) -> LostTo {
        match self {
            Self::Scope => LostTo::NarrowerScope(narrower),
            Self::Purpose => LostTo::PurposeStatement(narrower),
            Self::Acap => LostTo::AcapField(narrower),
        }
    }
}

/// The statements in a tier, each with the reason why it lost. The reason is `None` if the statement decides the tier.
pub(crate) type Walk = Vec<(StatementId, Option<Uninterpretable>, Option<LostTo>)>;

/// One tier with all of its statements, for explanations.
#[derive(Clone, Debug)]
pub(crate) struct TierWalk {
    pub(crate) usage: Usage,
    pub(crate) purpose: Option<String>,
    pub(crate) candidates: Walk,
}

impl<'a> AcapQuestion<'a> {
    /// Returns the result from the first tier that has statements, or `None` if no tier has any. `conventional` is the
    /// statement that RFC 9309 selects. It joins the tier for `crawl`.
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
            let is_asked = !self.has_directive || Some(tier) != other;
            if found.is_none() && is_asked {
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

    /// Returns the result from one tier, or `None` if the tier has no statements.
    fn tier<R: Recorder>(
        &self,
        tier: &'a Usage,
        conventional: Option<Candidate<'a>>,
        bench: &mut Bench<'a>,
        recorder: &mut R,
    ) -> Option<Verdict<'a>> {
        self.gather_all(tier, &mut bench.candidates, &mut bench.members);
        if self.sources.has_response() {
            return self.tier_with_page(tier, conventional, bench, recorder);
        }
        let mut walk = Walk::new();
        let (outcome, contest) = settle::<R>(conventional, bench, &mut walk)?;
        self.group(tier, walk, recorder);
        Some(Verdict { outcome, contest, tier })
    }

    /// Records a tier after the deciding one.
    fn later_tier<R: Recorder>(&self, tier: &Usage, conventional: Option<Candidate<'a>>, recorder: &mut R) {
        let mut candidates = Candidates::new();
        self.gather_all(tier, &mut candidates, &mut Members::new());
        let (mut twins, mut aside) = (SmallVec::new(), Walk::new());
        self.gather_page(tier, &mut candidates, &mut twins, &mut aside);
        candidates.extend(conventional);
        let late = candidates.iter().map(|late| (late.id, late.uninterpretable));
        let late = late.chain(aside.iter().map(|(id, uninterpretable, _)| (*id, *uninterpretable)));
        let late = late.chain(twins.iter().map(|(_, twin)| (*twin, None)));
        self.group(
            tier,
            late.map(|(id, uninterpretable)| (id, uninterpretable, Some(LostTo::NearerUsage))).collect(),
            recorder,
        );
    }

    fn group<R: Recorder>(&self, tier: &Usage, candidates: Walk, recorder: &mut R) {
        if R::KEEPS && !candidates.is_empty() {
            let purpose = self.purpose.map(str::to_owned);
            recorder.tier(TierWalk { usage: tier.clone(), purpose, candidates });
        }
    }

    /// Adds the statements in one tier to `candidates`.
    fn gather_all(&self, tier: &Usage, candidates: &mut Candidates<'a>, members: &mut Members) {
        self.sources.each(self.crawler, |document, acap| self.gather(document, acap, tier, candidates, members));
    }

    fn gather(
        &self,
        document: Source,
        acap: &'a Acap,
        tier: &Usage,
        candidates: &mut Candidates<'a>,
        members: &mut Members,
    ) {
        let bit = bit_of(tier);
        if acap.mask & bit == 0 {
            return;
        }
        let path = Paths::of(self.path);
        let mut gathering = Gathering { asked: self, document, acap, tier, memory: Memory::default(), members };
        let mut visit = |group: u32, is_named: bool| {
            acap.each_candidate(group, bit, &path, |number, filter| {
                gathering.each(number, filter, is_named, |candidate| candidates.push(candidate));
            });
        };
        match self.addressed.filter(|_| document == Source::Acap) {
            Some(groups) => groups.iter().for_each(|(group, is_named)| visit(*group, *is_named)),
            None => acap.each_group_for(self.crawler, |group, addressee| {
                visit(group, addressee == Addressee::Named);
            }),
        }
    }
}

/// Returns the bit for a tier in the masks of statements.
pub(crate) fn bit_of(tier: &Usage) -> u16 {
    tier.standard_number().map_or(OTHER_USAGES, |number| 1 << number)
}

/// Converts statements in one file into candidates for a tier.
struct Gathering<'g, 'a> {
    asked: &'g AcapQuestion<'a>,
    document: Source,
    acap: &'a Acap,
    tier: &'g Usage,
    memory: Memory,
    members: &'g mut Members,
}

impl<'a> Gathering<'_, 'a> {
    /// Calls `visit` with the statement as a candidate, if it is one. The caller has already matched the statement's
    /// pattern, if it has one.
    #[inline]
    fn each(&mut self, number: u32, filter: &Filter, is_named: bool, mut visit: impl FnMut(Candidate<'a>)) {
        let (asked, acap) = (self.asked, self.acap);
        // In most cases the filter contains enough information, and the statement itself is not needed.
        let simple = filter.simple.filter(|_| asked.capabilities.unable.is_empty()).zip(filter.pattern);
        let (scope, has_purpose, effect) = if let Some((is_permission, pattern)) = simple {
            (Scope::One(pattern), false, StatementEffect { is_permission, uninterpretable: None, is_many: false })
        } else {
            let Some(entry) = acap.statements.get(number as usize) else { return };
            let scope = match filter.pattern {
                Some(one) => Scope::One(one),
                None => match self.memory.set(acap, entry.set, asked.path, self.members) {
                    SetState::Matches(scope) => scope,
                    SetState::Unknown | SetState::NoMatch => return,
                },
            };
            if !self.memory.has_purpose(asked, acap, entry.purposes) {
                return;
            }
            let Some(effect) = self.memory.effect(acap, entry, self.tier, asked.capabilities) else { return };
            (scope, entry.purposes != GENERAL, effect)
        };
        visit(Candidate {
            id: StatementId::new(self.document, number),
            is_permission: effect.is_permission,
            uninterpretable: effect.uninterpretable,
            is_named,
            has_purpose,
            is_many: effect.is_many,
            arena: &acap.arena,
            scope,
        });
    }
}

/// Returns the outcome from the gathered statements and what settled the conflict (S-04, S-05, S-07, S-08). Returns
/// `None` if there are no statements.
#[inline]
fn settle<'a, R: Recorder>(
    conventional: Option<Candidate<'a>>,
    bench: &mut Bench<'a>,
    walk: &mut Walk,
) -> Option<(Outcome, Contest)> {
    if bench.candidates.is_empty() && conventional.is_none() {
        return None;
    }
    let aside =
        if bench.candidates.len() > 1 { s04_named_sets_any_aside(&mut bench.candidates) } else { SmallVec::new() };
    bench.candidates.extend(conventional);
    let (outcome, contest) = resolve(&bench.candidates, &bench.members, &mut bench.winners);
    if R::KEEPS {
        walk.extend(
            aside.iter().map(|(aside, by)| (aside.id, aside.uninterpretable, Some(LostTo::NamedStatement(*by)))),
        );
        let deciding: HashSet<StatementId> = bench.winners.iter().map(|winner| winner.id).collect();
        let fates = Fates::of(bench, outcome, contest);
        walk.extend(bench.candidates.iter().map(|one| {
            let lost = (!deciding.contains(&one.id)).then(|| fates.lost_to(one));
            (one.id, one.uninterpretable, lost)
        }));
    }
    Some((outcome, contest))
}

/// Results that are reused while gathering. Without them, a set of ten thousand patterns would be matched again for
/// each of ten thousand statements that use it.
#[derive(Default)]
struct Memory {
    sets: SmallVec<[SetState; 8]>,
    /// The effects of each local usage, first in a prohibition, then in a permission.
    locals: SmallVec<[[Option<Option<StatementEffect>>; 2]; 4]>,
    purposes: Option<(u32, bool)>,
}

#[derive(Clone, Copy)]
enum SetState {
    Unknown,
    NoMatch,
    /// Some members match. Contains their scope.
    Matches(Scope),
}

impl Memory {
    fn set(&mut self, acap: &Acap, number: u32, path: &[u8], members: &mut Members) -> SetState {
        let Some(set) = acap.sets.get(number as usize) else { return SetState::NoMatch };
        if self.sets.is_empty() {
            self.sets.resize(acap.sets.len(), SetState::Unknown);
        }
        let Some(state) = self.sets.get_mut(number as usize) else { return SetState::NoMatch };
        if matches!(state, SetState::Unknown) {
            let matching = set.patterns.of(&acap.patterns).iter().filter(|pattern| pattern.matches(&acap.arena, path));
            *state = scope_of(matching, &acap.arena, members).map_or(SetState::NoMatch, SetState::Matches);
        }
        *state
    }

    fn has_purpose(&mut self, asked: &AcapQuestion<'_>, acap: &Acap, purposes: u32) -> bool {
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

    fn effect(
        &mut self,
        acap: &Acap,
        entry: &Entry,
        tier: &Usage,
        capabilities: &Capabilities,
    ) -> Option<StatementEffect> {
        let UsageRef::Local(number) = entry.usage else { return acap.effect(entry, tier, capabilities) };
        if self.locals.is_empty() {
            self.locals.resize(acap.locals.len(), [None; 2]);
        }
        let known = self.locals.get_mut(number as usize)?.get_mut(usize::from(entry.is_permission))?;
        // The effect of the local usage alone. Other faults of this statement are left out, because the result is
        // cached for other statements.
        let bare = Entry { uninterpretable: None, ..*entry };
        let effect = (*known.get_or_insert_with(|| acap.effect(&bare, tier, capabilities)))?;
        let uninterpretable = entry.uninterpretable.or(effect.uninterpretable).filter(|_| entry.is_permission);
        Some(StatementEffect {
            is_permission: entry.is_permission && uninterpretable.is_none(),
            uninterpretable,
            ..effect
        })
    }
}

impl<'a> Candidate<'a> {
    /// Returns the rules that RFC 9309 selects as one statement (S-13). There may be one rule, or several of the same
    /// rank.
    pub(super) fn conventional(
        rule: u32,
        is_permission: bool,
        is_named: bool,
        patterns: &[Pattern],
        arena: &'a [u8],
        bench: &mut Bench<'a>,
    ) -> Option<Self> {
        // RFC 9309 does not say which of these rules applies, so the scope consists of all their patterns.
        let scope = match patterns {
            [] => return None,
            [one] => Scope::One(*one),
            _ if patterns.len() > MEMBERS => Scope::Vague,
            _ => Scope::Several(keep(patterns, &mut bench.members)),
        };
        let (id, uninterpretable) = (StatementId::rule(rule), None);
        Some(Self { id, is_permission, uninterpretable, is_named, has_purpose: false, is_many: false, arena, scope })
    }

    fn is_conventional(&self) -> bool {
        self.id.kind() == StatementKind::Rule
    }

    /// Returns the candidate's pattern if its scope is a plain path prefix. Returns `None` otherwise, and for
    /// conventional rules.
    fn plain(&self) -> Option<Pattern> {
        match self.scope {
            Scope::One(pattern) if pattern.is_plain() && !self.is_conventional() => Some(pattern),
            _ => None,
        }
    }

    fn rank(&self) -> (bool, bool) {
        (self.has_purpose, self.is_named)
    }

    /// Returns why this candidate is narrower than another, or `None` if it is not (S-05, S-06, S-13).
    fn narrower_than(&self, other: &Self, members: &Members) -> Option<How> {
        match (self.scope, other.scope) {
            (Scope::One(mine), Scope::One(theirs)) => {
                if mine.is_plain() && theirs.is_plain() && mine.length() != theirs.length() {
                    // Both patterns are prefixes of the same path.
                    return (mine.length() > theirs.length()).then_some(How::Scope);
                }
                self.is_narrower(mine, other, theirs)
            }
            (Scope::Vague, _) | (_, Scope::Vague) => None,
            // Two scopes with the same patterns are equal.
            (Scope::Several(mine), Scope::Several(theirs)) if mine == theirs => None,
            _ => {
                let is_narrower = |mine: &Pattern, theirs: &Pattern| self.is_narrower(*mine, other, *theirs).is_some();
                let beats_all = |mine: &Pattern| other.patterns(members).iter().all(|theirs| is_narrower(mine, theirs));
                self.patterns(members).iter().all(beats_all).then_some(How::Scope)
            }
        }
    }

    /// Returns why the pattern `mine` of this candidate is narrower than the pattern `theirs` of the other candidate,
    /// or `None` if it is not narrower.
    fn is_narrower(&self, mine: Pattern, other: &Self, theirs: Pattern) -> Option<How> {
        match mine.narrower(self.arena, theirs, other.arena) {
            Narrower::First => Some(How::Scope),
            Narrower::Second | Narrower::Undetermined => None,
            Narrower::Equal => match (self.is_conventional(), other.is_conventional()) {
                (false, true) => (self.is_named || !other.is_named).then_some(How::Acap),
                (true, _) => None,
                // Within one class of purposes, statements that name the crawler have already set the others aside
                // (S-04).
                (false, false) => (self.has_purpose && !other.has_purpose).then_some(How::Purpose),
            },
        }
    }

    /// Whether both candidates have a single pattern and the patterns are equal.
    fn has_pattern_of(&self, other: &Self) -> bool {
        match (self.scope, other.scope) {
            (Scope::One(mine), Scope::One(theirs)) => mine.narrower(self.arena, theirs, other.arena) == Narrower::Equal,
            _ => false,
        }
    }

    /// Returns the patterns that represent the candidate's scope.
    fn patterns<'m>(&'m self, members: &'m Members) -> &'m [Pattern] {
        match &self.scope {
            Scope::One(pattern) => std::slice::from_ref(pattern),
            Scope::Several(run) => run.of(members),
            Scope::Vague => &[],
        }
    }

    /// Returns how many octets a comparison with this candidate examines.
    fn cost(&self, members: &Members) -> u64 {
        self.patterns(members).iter().map(|pattern| u64::from(pattern.length()) + 1).sum()
    }
}

fn keep(patterns: &[Pattern], members: &mut Members) -> TableRange {
    let start = members.len() as u32;
    members.extend_from_slice(patterns);
    TableRange { start, length: patterns.len() as u32 }
}

/// Returns the scope of the matching patterns in one set: the pattern that is narrower than all others, or all of them.
/// Returns `None` if no pattern matches.
///
/// Cost: two comparisons per pattern.
fn scope_of<'p>(
    matching: impl Iterator<Item = &'p Pattern> + Clone,
    arena: &[u8],
    members: &mut Members,
) -> Option<Scope> {
    let is_narrower = |a: &Pattern, b: &Pattern| a.narrower(arena, *b, arena) == Narrower::First;
    let best = matching.clone().reduce(|best, one| if is_narrower(one, best) { one } else { best })?;
    // A pattern that is written twice counts once.
    if matching.clone().all(|other| best.is_same(arena, *other) || is_narrower(best, other)) {
        return Some(Scope::One(*best));
    }
    let mut different: SmallVec<[Pattern; MEMBERS]> = SmallVec::new();
    for pattern in matching {
        if !different.iter().any(|known| known.is_same(arena, *pattern)) {
            if different.len() == MEMBERS {
                return Some(Scope::Vague);
            }
            different.push(*pattern);
        }
    }
    Some(Scope::Several(keep(&different, members)))
}
