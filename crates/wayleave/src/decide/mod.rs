//! The decision: may this crawler make this use of this resource, and on what ground.
//!
//! One body serves everybody: [`decide`] passes it a recorder that vanishes, `explain` one that keeps
//! every step. Order as in semantics section 3: for each purpose ACAP's tiers (`acap`), which the
//! conventional winner joins for `crawl` (S-13); conditions against time, history and details
//! (`conditions`); prerequisites last (S-14). A usage that nothing speaks of is unstated (S-01).

pub(crate) mod acap;
pub(crate) mod conditions;

use crate::evidence::{Evidence, Obtained, RobotsTxt, Sources};
use crate::instant::Instant;
use crate::model::{StatementId, StatementKind};
use crate::policy::acap::TermValue;
use crate::policy::acap::scope::{Pattern, pattern_of};
use crate::policy::{Bound, Ground, Policy, Winner};
use crate::proposed::{Details, History, ProposedUse, UnstatedDefault};
use crate::reading::Switches;
use crate::resource;
use crate::vocabulary::Usage;
use acap::{Asked, Bench, Candidate, Selected, TierWalk};
use conditions::{Held, hold};
use smallvec::SmallVec;

/// What a decision comes to (S-01). Not `non_exhaustive`: a caller should notice when it grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Expressly, or by RFC 9309's own default for `crawl`.
    Permitted,
    /// If the listed conditions are kept.
    Conditional,
    /// Not.
    Prohibited,
    /// Nothing speaks. Not consent.
    Unstated,
}

impl Outcome {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Permitted => "permitted",
            Self::Conditional => "conditional",
            Self::Prohibited => "prohibited",
            Self::Unstated => "unstated",
        }
    }
}

/// On what ground a decision stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The rule that RFC 9309 selects: the longest pattern, the permission among equals (S-13).
    LongestPattern(StatementId),
    /// No rule of the records that bind the crawler matches: permitted by RFC 9309's default (S-01).
    NoRuleMatches(Ground),
    /// `/robots.txt` itself is always permitted (S-13).
    RobotsTxtItself,
    /// There is no robots.txt: permitted by default (S-36).
    NoRobotsTxt(Obtained),
    /// robots.txt could not be fetched: prohibited (S-36).
    RobotsTxtUnreachable(Obtained),
    /// Nothing is known of robots.txt (S-36).
    RobotsTxtUnknown,
    /// An ACAP statement that nothing opposes (S-03).
    Stated(StatementId),
    /// An ACAP statement narrower than all that oppose it (S-07).
    NarrowestScope(StatementId),
    /// A prohibition that no permission is determined to be narrower than (S-07).
    NotNarrower(StatementId),
    /// The time a permission gives is over (S-20).
    Lapsed(StatementId),
    /// The use as described breaks a condition (S-29).
    ConditionBroken(StatementId),
    /// What a permission says must be used may not be crawled (S-37).
    SubstituteProhibited(StatementId),
    /// A file that robots.txt refers to was not read (S-21).
    ReferenceUnread(StatementId),
    /// No statement speaks of this usage (S-01).
    NothingSpeaks,
}

impl Reason {
    /// The rule of the semantics it stands on.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::LongestPattern(_) | Self::RobotsTxtItself => "S-13",
            Self::NoRuleMatches(_) | Self::NothingSpeaks => "S-01",
            Self::NoRobotsTxt(_) | Self::RobotsTxtUnreachable(_) | Self::RobotsTxtUnknown => "S-36",
            Self::Stated(_) => "S-03",
            Self::NarrowestScope(_) | Self::NotNarrower(_) => "S-07",
            Self::Lapsed(_) => "S-20",
            Self::ConditionBroken(_) => "S-29",
            Self::SubstituteProhibited(_) => "S-37",
            Self::ReferenceUnread(_) => "S-21",
        }
    }

    /// The statement that decides, or the first of them; nothing where a default, a status or a limit does.
    #[must_use]
    pub fn statement(self) -> Option<StatementId> {
        match self {
            Self::LongestPattern(id)
            | Self::Stated(id)
            | Self::NarrowestScope(id)
            | Self::NotNarrower(id)
            | Self::Lapsed(id)
            | Self::ConditionBroken(id)
            | Self::SubstituteProhibited(id)
            | Self::ReferenceUnread(id) => Some(id),
            Self::NoRuleMatches(_)
            | Self::RobotsTxtItself
            | Self::NoRobotsTxt(_)
            | Self::RobotsTxtUnreachable(_)
            | Self::RobotsTxtUnknown
            | Self::NothingSpeaks => None,
        }
    }

    /// Its stable name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LongestPattern(_) => "longest-pattern",
            Self::NoRuleMatches(_) => "no-rule-matches",
            Self::RobotsTxtItself => "robots-txt-itself",
            Self::NoRobotsTxt(_) => "no-robots-txt",
            Self::RobotsTxtUnreachable(_) => "robots-txt-unreachable",
            Self::RobotsTxtUnknown => "robots-txt-unknown",
            Self::Stated(_) => "stated",
            Self::NarrowestScope(_) => "narrowest-scope",
            Self::NotNarrower(_) => "not-narrower",
            Self::Lapsed(_) => "lapsed",
            Self::ConditionBroken(_) => "condition-broken",
            Self::SubstituteProhibited(_) => "substitute-prohibited",
            Self::ReferenceUnread(_) => "reference-unread",
            Self::NothingSpeaks => "nothing-speaks",
        }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// What the site expressed.
    pub outcome: Outcome,
    /// The ground of that.
    pub reason: Reason,
    /// What it comes to after prerequisites (S-14) and the caller's default for silence.
    pub effective: Outcome,
    /// The prerequisite that bars it, if one does.
    pub prerequisite: Option<Barrier>,
    /// The first instant at which it no longer holds.
    pub valid_until: Option<Instant>,
    /// Whether evidence was cut at a limit (S-22).
    pub is_truncated: bool,
}

/// A prerequisite that is not to be had (S-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Barrier {
    /// The usage that is needed.
    pub usage: &'static Usage,
    /// Why it is not to be had.
    pub reason: Reason,
    /// Whether it is to be had, but only until the resource is crawled again, which is not enough.
    pub ends_at_recrawl: bool,
}

impl Decision {
    /// Whether the use may be made, conditions kept: everything but a prohibition.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effective != Outcome::Prohibited
    }
}

/// Decides. Keeps no history, reads no clock, and allocates nothing in the ordinary: only where a path of
/// more than two kilobytes has to be rewritten, or very many ACAP statements match.
///
/// Cost: linear in the URL and the candidate statements (S-34).
#[must_use]
pub fn decide(evidence: &Evidence<'_>, proposed: &ProposedUse<'_>) -> Decision {
    decide_with(evidence, proposed, &mut Silent)
}

/// Hears of each step of a decision.
pub(crate) trait Recorder {
    /// Whether it wants every statement that matches, and not only the one that wins.
    const KEEPS: bool;

    /// These conventional records bind the crawler.
    fn bound(&mut self, bound: &Bound<'_>, path: &[u8]);

    /// This rule of them matches the resource.
    fn matches(&mut self, rule: Winner);

    /// What became of the statements of one tier.
    fn tier(&mut self, tier: TierWalk);

    /// This statement, asked about this usage, suffices for this outcome.
    fn decides(&mut self, outcome: Outcome, id: StatementId, usage: &Usage);
}

/// Keeps nothing and costs nothing.
pub(crate) struct Silent;

impl Recorder for Silent {
    const KEEPS: bool = false;

    #[inline(always)]
    fn bound(&mut self, _: &Bound<'_>, _: &[u8]) {}

    #[inline(always)]
    fn matches(&mut self, _: Winner) {}

    #[inline(always)]
    fn tier(&mut self, _: TierWalk) {}

    #[inline(always)]
    fn decides(&mut self, _: Outcome, _: StatementId, _: &Usage) {}
}

/// What the site expresses of one usage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    pub(crate) reason: Reason,
    pub(crate) valid_until: Option<Instant>,
    /// Whether a condition ends it when the resource is crawled again.
    pub(crate) ends_at_recrawl: bool,
}

impl Answer {
    fn plain(outcome: Outcome, reason: Reason) -> Self {
        Self { outcome, reason, valid_until: None, ends_at_recrawl: false }
    }
}

pub(crate) fn decide_with<R: Recorder>(
    evidence: &Evidence<'_>,
    proposed: &ProposedUse<'_>,
    recorder: &mut R,
) -> Decision {
    let answer = expressed(evidence, proposed, proposed.usage, recorder);
    let mut decision = Decision {
        outcome: answer.outcome,
        reason: answer.reason,
        effective: answer.outcome,
        prerequisite: None,
        valid_until: answer.valid_until,
        is_truncated: evidence.is_truncated(),
    };
    if decision.outcome == Outcome::Unstated && proposed.unstated == UnstatedDefault::Prohibit {
        decision.effective = Outcome::Prohibited;
    }
    let mut needed_until = None;
    for usage in proposed.usage.prerequisites() {
        let needed = expressed(evidence, &prerequisite(proposed), usage, &mut Silent);
        let is_barred = bars(proposed.usage, usage, &needed);
        if is_barred && decision.prerequisite.is_none() {
            let ends_at_recrawl = needed.outcome != Outcome::Prohibited;
            decision.prerequisite = Some(Barrier { usage, reason: needed.reason, ends_at_recrawl });
        }
        if needed.outcome == Outcome::Conditional {
            if decision.effective == Outcome::Permitted {
                decision.effective = Outcome::Conditional;
            }
            needed_until = earlier(needed_until, needed.valid_until);
        }
    }
    if decision.prerequisite.is_some() {
        decision.effective = Outcome::Prohibited;
    }
    if decision.effective != Outcome::Prohibited {
        decision.valid_until = earlier(decision.valid_until, needed_until);
    }
    decision
}

/// The question about a prerequisite: without what belongs to the use itself (S-14).
pub(crate) fn prerequisite<'q>(proposed: &ProposedUse<'q>) -> ProposedUse<'q> {
    ProposedUse { details: Details::default(), history: History { first_used: None, ..proposed.history }, ..*proposed }
}

/// Whether what a prerequisite came to bars a usage (S-14).
pub(crate) fn bars(usage: &Usage, needed: &Usage, answer: &Answer) -> bool {
    let is_old = matches!(usage, Usage::PresentOldcopy | Usage::PresentOldsnippet | Usage::PresentOldthumbnail);
    let past_recrawl = is_old && *needed == Usage::Preserve && answer.ends_at_recrawl;
    answer.outcome == Outcome::Prohibited || past_recrawl
}

fn earlier(a: Option<Instant>, b: Option<Instant>) -> Option<Instant> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// What the site expresses of a usage.
pub(crate) fn expressed<R: Recorder>(
    evidence: &Evidence<'_>,
    proposed: &ProposedUse<'_>,
    usage: &Usage,
    recorder: &mut R,
) -> Answer {
    let switches = evidence.reading().switches();
    resource::with_path(proposed.url.as_bytes(), switches, |path| {
        let is_crawl = *usage == Usage::Crawl;
        let answer = match evidence.robots_txt() {
            RobotsTxt::Read(policy) => by_policy(policy, None, evidence.sources(), path, proposed, usage, recorder),
            // S-36: of other usages, how robots.txt was obtained says nothing.
            _ if !is_crawl => Answer::plain(Outcome::Unstated, Reason::NothingSpeaks),
            RobotsTxt::NotThere(obtained) => Answer::plain(Outcome::Permitted, Reason::NoRobotsTxt(*obtained)),
            RobotsTxt::Unreachable(obtained) => {
                Answer::plain(Outcome::Prohibited, Reason::RobotsTxtUnreachable(*obtained))
            }
            RobotsTxt::Unknown => Answer::plain(Outcome::Unstated, Reason::RobotsTxtUnknown),
        };
        if is_crawl && answer.outcome != Outcome::Permitted && is_robots_txt(path, switches) {
            Answer::plain(Outcome::Permitted, Reason::RobotsTxtItself)
        } else {
            answer
        }
    })
}

/// What a robots.txt that was read says of a usage.
fn by_policy<R: Recorder>(
    policy: &Policy<'_>,
    bound: Option<&Bound<'_>>,
    sources: Sources<'_>,
    path: &[u8],
    proposed: &ProposedUse<'_>,
    usage: &Usage,
    recorder: &mut R,
) -> Answer {
    let Some(acap) = policy.acap() else {
        // S-13: conventional rules speak of crawl only.
        return if *usage == Usage::Crawl {
            let (outcome, reason) = conventional(&policy.bind(proposed.crawler), path, recorder);
            Answer::plain(outcome, reason)
        } else {
            Answer::plain(Outcome::Unstated, Reason::NothingSpeaks)
        };
    };
    let addressed = bound.and_then(|bound| bound.addressed().known());
    let mut selected: SmallVec<[u32; 4]> = SmallVec::new();
    let mut is_permission = false;
    let mut is_named = false;
    let mut default = Reason::NothingSpeaks;
    if *usage == Usage::Crawl && (R::KEEPS || !acap.ignores_conventional) {
        let unbound;
        let bound = match bound {
            Some(bound) => bound,
            None => {
                unbound = policy.bind(proposed.crawler);
                &unbound
            }
        };
        let (outcome, reason) = conventional(bound, path, recorder);
        default = Reason::NoRuleMatches(bound.ground());
        is_named = matches!(bound.ground(), Ground::Named | Ground::Fallback(_));
        is_permission = outcome == Outcome::Permitted;
        if reason.statement().is_some() {
            // Which of several that RFC 9309 ranks alike is "the one" is left open: their statement counts as
            // narrower only if each of them is (S-02).
            bound.each_winner(path, |rule| selected.push(rule));
            selected.sort_unstable();
            selected.dedup();
        }
    }
    if acap.ignores_conventional {
        selected.clear();
        default = Reason::NoRuleMatches(Ground::NoRecord);
    }
    let mut unread = sources.unread(proposed.crawler);
    if let Some(first) = unread.next() {
        for id in std::iter::once(first).chain(unread) {
            recorder.decides(Outcome::Prohibited, id, usage);
        }
        return Answer::plain(Outcome::Prohibited, Reason::ReferenceUnread(first));
    }
    drop(unread);
    resource::without_case(path, |folded| {
        let mut arena: SmallVec<[u8; 256]> = SmallVec::new();
        let mut patterns: SmallVec<[Pattern; 4]> = SmallVec::new();
        for rule in &selected {
            let pattern = pattern_of(policy.rule_pattern(*rule), &mut arena);
            if !patterns.iter().any(|known| known.is_same(&arena, pattern)) {
                patterns.push(pattern);
            }
        }
        let together = Selected { patterns: &patterns, arena: &arena };
        let selected = selected.first();
        let selected = selected.map(|rule| Candidate::conventional(*rule, is_permission, is_named, &together));
        let question = Question { policy, sources, path: folded, proposed, usage, selected, addressed };
        let answer = match proposed.purposes {
            [] => question.for_purpose(None, recorder),
            purposes => question.for_purposes(purposes, recorder),
        };
        match answer {
            Some(answer) => answer,
            // RFC 9309 2.2.2: what robots.txt was read and says nothing of may be crawled.
            None if *usage == Usage::Crawl => Answer::plain(Outcome::Permitted, default),
            None => Answer::plain(Outcome::Unstated, Reason::NothingSpeaks),
        }
    })
}

/// What holding the terms of a local usage came to: its file, its number, and the reason where one failed.
type KnownLocals = SmallVec<[(u16, u32, Option<fn(StatementId) -> Reason>); 8]>;

/// One usage of one resource, asked of a robots.txt with ACAP.
struct Question<'a> {
    policy: &'a Policy<'a>,
    sources: Sources<'a>,
    /// Comparable, without capitals.
    path: &'a [u8],
    proposed: &'a ProposedUse<'a>,
    usage: &'a Usage,
    /// What RFC 9309 selects of the conventional rules.
    selected: Option<Candidate<'a>>,
    addressed: Option<&'a [(u32, bool)]>,
}

impl Question<'_> {
    /// Over several purposes: prohibited, conditional, unstated, permitted; the first that occurs.
    fn for_purposes<R: Recorder>(&self, purposes: &[String], recorder: &mut R) -> Option<Answer> {
        let gravity = |answer: &Option<Answer>| match answer.map_or(Outcome::Unstated, |answer| answer.outcome) {
            Outcome::Prohibited => 0,
            Outcome::Conditional => 1,
            Outcome::Unstated => 2,
            Outcome::Permitted => 3,
        };
        let mut gravest: Option<Option<Answer>> = None;
        for purpose in purposes {
            let answer = self.for_purpose(Some(purpose), recorder);
            gravest = Some(match (gravest, answer) {
                (Some(Some(known)), Some(answer)) if known.outcome == answer.outcome => Some(Answer {
                    valid_until: earlier(known.valid_until, answer.valid_until),
                    ends_at_recrawl: known.ends_at_recrawl || answer.ends_at_recrawl,
                    ..known
                }),
                (Some(known), answer) if gravity(&known) <= gravity(&answer) => known,
                (_, answer) => answer,
            });
        }
        gravest.flatten()
    }

    fn for_purpose<R: Recorder>(&self, purpose: Option<&str>, recorder: &mut R) -> Option<Answer> {
        let (proposed, sources) = (self.proposed, self.sources);
        let (crawler, capabilities) = (proposed.crawler, proposed.capabilities);
        let asked = Asked { sources, path: self.path, crawler, capabilities, purpose, addressed: self.addressed };
        let mut bench = Bench::default();
        let verdict = asked.result(self.usage, self.selected, &mut bench, recorder)?;
        let (winners, tier) = (&bench.winners, verdict.tier);
        let first = winners.iter().map(|winner| winner.id).min()?;
        let mut answer = Answer::plain(verdict.outcome, reason_of(first, verdict.outcome, verdict.is_contested));
        if verdict.outcome == Outcome::Permitted {
            let mut failing: SmallVec<[(StatementId, Reason); 4]> = SmallVec::new();
            let mut known = KnownLocals::new();
            for winner in winners {
                let failed = self.hold(winner.id, tier, &mut known, &mut answer);
                failing.extend(failed.map(|reason| (winner.id, reason)));
            }
            if let Some((_, reason)) = failing.iter().min_by_key(|(id, _)| *id) {
                for (id, _) in &failing {
                    recorder.decides(Outcome::Prohibited, *id, tier);
                }
                return Some(Answer::plain(Outcome::Prohibited, *reason));
            }
        }
        for winner in winners {
            recorder.decides(answer.outcome, winner.id, tier);
        }
        Some(answer)
    }

    /// Holds the terms of a winning permission against the use; gives the reason where one cannot be kept.
    fn hold(&self, id: StatementId, tier: &Usage, known: &mut KnownLocals, answer: &mut Answer) -> Option<Reason> {
        use crate::policy::acap::What;
        let (acap, entry) = self.sources.entry(id)?;
        let is_large = |local: u32| acap.locals.get(local as usize).is_some_and(|local| local.members.length > 8);
        let local = match entry.what {
            What::Local(local) if is_large(local) => Some(local),
            _ => None,
        };
        if let Some(local) = local {
            // One local usage has the same terms in every statement.
            if let Some((.., failed)) =
                known.iter().find(|(document, known, _)| (*document, *known) == (id.document, local))
            {
                return failed.map(|failed| failed(id));
            }
        }
        let mut failed: Option<fn(StatementId) -> Reason> = None;
        acap.each_term(entry, tier, |term| {
            answer.outcome = Outcome::Conditional;
            answer.ends_at_recrawl |= term.value == TermValue::UntilRecrawled;
            match hold(term, acap, self.proposed) {
                Held::Open(end) => answer.valid_until = earlier(answer.valid_until, end),
                Held::Lapsed => failed = failed.or(Some(Reason::Lapsed)),
                Held::Broken => failed = failed.or(Some(Reason::ConditionBroken)),
            }
            if let (None, Some(uri)) = (failed, term.resource(acap))
                && self.is_prohibited_substitute(uri)
            {
                failed = Some(Reason::SubstituteProhibited);
            }
        });
        if let Some(local) = local {
            known.push((id.document, local, failed));
        }
        failed.map(|failed| failed(id))
    }

    /// Whether a resource that must be used is one of this site that the crawler may not crawl (S-37).
    fn is_prohibited_substitute(&self, uri: &[u8]) -> bool {
        let Some(url) = resource::relative_to(self.proposed.url, uri) else { return false };
        let question = ProposedUse { url: &url, ..prerequisite(self.proposed) };
        let switches = self.policy.reading().switches();
        resource::with_path(url.as_bytes(), switches, |path| {
            let crawl = by_policy(self.policy, None, self.sources, path, &question, &Usage::Crawl, &mut Silent);
            crawl.outcome == Outcome::Prohibited && !is_robots_txt(path, switches)
        })
    }
}

fn reason_of(first: StatementId, outcome: Outcome, is_contested: bool) -> Reason {
    match (first.kind, outcome, is_contested) {
        (StatementKind::Rule, ..) => Reason::LongestPattern(first),
        (_, _, false) => Reason::Stated(first),
        (_, Outcome::Prohibited, true) => Reason::NotNarrower(first),
        (_, _, true) => Reason::NarrowestScope(first),
    }
}

/// RFC 9309 2.2: the rule selected among the records that bind the crawler.
#[inline(always)]
fn conventional<R: Recorder>(bound: &Bound<'_>, path: &[u8], recorder: &mut R) -> (Outcome, Reason) {
    let winner = if R::KEEPS {
        recorder.bound(bound, path);
        let mut best = Winner::default();
        bound.each_match(path, |rule| {
            recorder.matches(rule);
            if rule.priority > best.priority {
                best = rule;
            }
        });
        best
    } else {
        bound.winner(path)
    };
    match winner {
        Winner { priority: 0, .. } => (Outcome::Permitted, Reason::NoRuleMatches(bound.ground())),
        _ => {
            let outcome = if winner.is_prohibition() { Outcome::Prohibited } else { Outcome::Permitted };
            (outcome, Reason::LongestPattern(StatementId::rule(winner.rule)))
        }
    }
}

fn is_robots_txt(path: &[u8], switches: &Switches) -> bool {
    switches.permits_robots_txt && path == b"/robots.txt"
}

impl Bound<'_> {
    /// Whether the crawler may fetch `url`, an absolute URL or a path. Allocates nothing.
    #[must_use]
    #[inline]
    pub fn may_crawl(&self, url: &str) -> bool {
        let switches = self.switches();
        resource::with_path(url.as_bytes(), switches, |path| {
            let is_prohibited = match self.policy().acap() {
                None => conventional(self, path, &mut Silent).0 == Outcome::Prohibited,
                Some(_) => self.is_prohibited(url, path),
            };
            !is_prohibited || is_robots_txt(path, switches)
        })
    }

    /// Whether a robots.txt with ACAP prohibits crawling. Files it refers to are not read here.
    #[cold]
    #[inline(never)]
    fn is_prohibited(&self, url: &str, path: &[u8]) -> bool {
        let proposed = ProposedUse::new(url, self.crawler(), &Usage::Crawl);
        let sources = Sources::of_policy(self.policy());
        by_policy(self.policy(), Some(self), sources, path, &proposed, &Usage::Crawl, &mut Silent).outcome
            == Outcome::Prohibited
    }
}
