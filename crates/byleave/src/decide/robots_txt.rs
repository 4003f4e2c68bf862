//! Decides by the fields in robots.txt and the ACAP META tags on the page.
//!
//! For each purpose, this file runs ACAP's tiers, in which the conventional winner takes part. It then checks the
//! winners' conditions against the proposed use.

use super::acap::{AcapQuestion, Bench, Candidate, ConditionCheck, Contest, MEMBERS};
use super::conditions::{ConditionStatus, check};
use super::{Answer, Recorder, Silent, conventional, earlier, is_robots_txt, prerequisite};
use crate::dialects::acap::Acap;
use crate::dialects::acap::scope::{Pattern, pattern_of};
use crate::dialects::acap::{Term, TermValue, UsageRef};
use crate::dialects::rfc9309::resource;
use crate::model::BoundBy;
use crate::model::Source;
use crate::model::Usage;
use crate::model::proposed_use::ProposedUse;
use crate::model::{Outcome, Reason};
use crate::model::{StatementId, StatementKind};
use crate::policy::{Bound, Policy};
use crate::site::Sources;
use smallvec::SmallVec;

/// A question about one usage of one resource, answered from a site's fields and META tags.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) sources: Sources<'a>,
    /// The normalized path.
    pub(super) path: &'a [u8],
    pub(super) proposed: &'a ProposedUse<'a>,
    pub(super) usage: &'a Usage,
    /// Whether a statement in another dialect addresses the usage.
    pub(super) has_directive: bool,
    /// The outcome if no statement applies. RFC 9309's default is a permission too, although no line states it.
    pub(super) silence: Outcome,
}

/// Returns the answer based on a parsed robots.txt and the page's META tags.
pub(super) fn by_policy<R: Recorder>(
    policy: &Policy<'_>,
    bound: Option<&Bound<'_>>,
    question: &Question<'_>,
    recorder: &mut R,
) -> Answer {
    let Question { sources, path, proposed, usage, .. } = *question;
    if policy.acap().is_none() && !sources.has_response() {
        // S-13: conventional rules address crawling only.
        return if *usage == Usage::Crawl {
            let (outcome, reason) = conventional(&policy.bind_for(proposed.crawler, proposed.purposes), path, recorder);
            Answer::plain(outcome, reason)
        } else {
            Answer::plain(Outcome::Unstated, Reason::NoStatementApplies)
        };
    }
    let selected = Selected::of(policy, bound, question, recorder);
    let mut unread = sources.unread(proposed.crawler);
    if let Some(first) = unread.next() {
        for id in std::iter::once(first).chain(unread) {
            recorder.decides(Outcome::Prohibited, id, usage);
        }
        return Answer::plain(Outcome::Prohibited, Reason::ReferenceUnread(first));
    }
    drop(unread);
    let addressed = bound.and_then(|bound| bound.addressed().known());
    resource::without_case(path, |folded| {
        let rules = Rules::of(policy, &selected);
        let question = Question { path: folded, ..*question };
        let with_rules =
            QuestionWithRules { policy: Some(policy), question: &question, rules: Some(&rules), addressed };
        match with_rules.answer(recorder) {
            Some(answer) => answer,
            // RFC 9309 2.2.2: a resource that no rule of a parsed robots.txt matches may be crawled.
            None if *usage == Usage::Crawl => Answer::plain(Outcome::Permitted, selected.default),
            None => Answer::plain(Outcome::Unstated, Reason::NoStatementApplies),
        }
    })
}

/// Returns the answer based on the page's META tags if no robots.txt was read, or `None` if no tag addresses the usage.
pub(super) fn by_page<R: Recorder>(question: &Question<'_>, recorder: &mut R) -> Option<Answer> {
    QuestionWithRules { policy: None, question, rules: None, addressed: None }.answer(recorder)
}

/// The maximum number of substitutes (resources that must be used instead) checked in one decision (S-34).
const SUBSTITUTES: u32 = 64;

/// The conventional rules that RFC 9309 selects: no rule, one rule, or several rules of the same rank.
struct Selected {
    rules: SmallVec<[u32; 4]>,
    is_permission: bool,
    /// Whether the groups that bind the crawler name it.
    is_named: bool,
    /// The reason for a permission if no statement applies.
    default: Reason,
}

impl Selected {
    fn of<R: Recorder>(
        policy: &Policy<'_>,
        bound: Option<&Bound<'_>>,
        question: &Question<'_>,
        recorder: &mut R,
    ) -> Self {
        let ignores_conventional = policy.acap().is_some_and(|acap| acap.ignores_conventional);
        let default = Reason::NoRuleMatches(BoundBy::Any);
        let mut selected = Self { rules: SmallVec::new(), is_permission: false, is_named: false, default };
        // S-13: conventional rules address crawling only. The recorder receives them even if ACAP makes crawlers ignore
        // them.
        if *question.usage != Usage::Crawl || ignores_conventional && !R::KEEPS {
            return selected;
        }
        let unbound;
        let bound = match bound {
            Some(bound) => bound,
            None => {
                unbound = policy.bind_for(question.proposed.crawler, question.proposed.purposes);
                &unbound
            }
        };
        let (outcome, reason) = conventional(bound, question.path, recorder);
        if ignores_conventional {
            return selected;
        }
        selected.is_permission = outcome == Outcome::Permitted;
        selected.is_named = matches!(bound.bound_by(), BoundBy::Named | BoundBy::Fallback(_));
        selected.default = Reason::NoRuleMatches(match bound.bound_by() {
            BoundBy::NoGroup if policy.acap().is_some() => BoundBy::Any,
            ground => ground,
        });
        if reason.statement().is_some() {
            // RFC 9309 does not define which of several rules with the same rank applies. Together they count as
            // narrower than a statement only if each of them is narrower (S-02).
            bound.each_winner(question.path, |rule| selected.rules.push(rule));
            selected.rules.sort_unstable();
            selected.rules.dedup();
        }
        selected
    }
}

/// The selected rules as one statement that competes with ACAP statements. The patterns are in lower case.
struct Rules {
    first: Option<u32>,
    is_permission: bool,
    is_named: bool,
    patterns: SmallVec<[Pattern; 4]>,
    arena: SmallVec<[u8; 256]>,
}

impl Rules {
    fn of(policy: &Policy<'_>, selected: &Selected) -> Self {
        let mut arena: SmallVec<[u8; 256]> = SmallVec::new();
        let mut patterns: SmallVec<[Pattern; 4]> = SmallVec::new();
        for rule in &selected.rules {
            let pattern = pattern_of(policy.rule_pattern(*rule), &mut arena);
            if !patterns.iter().any(|known| known.is_same(&arena, pattern)) {
                patterns.push(pattern);
            }
            // Further patterns are not compared (S-34).
            if patterns.len() > MEMBERS {
                break;
            }
        }
        let Selected { is_permission, is_named, .. } = *selected;
        Self { first: selected.rules.first().copied(), is_permission, is_named, patterns, arena }
    }
}

/// A question about one usage of one resource, with the rules that RFC 9309 selects.
struct QuestionWithRules<'a> {
    policy: Option<&'a Policy<'a>>,
    /// The question. Its path is in lower case if there are patterns to match it against.
    question: &'a Question<'a>,
    rules: Option<&'a Rules>,
    addressed: Option<&'a [(u32, bool)]>,
}

impl QuestionWithRules<'_> {
    fn answer<R: Recorder>(&self, recorder: &mut R) -> Option<Answer> {
        match self.question.proposed.purposes {
            [] => self.for_purpose(None, recorder),
            purposes => self.for_purposes(purposes, recorder),
        }
    }

    /// Returns the most restrictive answer for several purposes, in the order prohibited, conditional, unstated,
    /// permitted.
    fn for_purposes<R: Recorder>(&self, purposes: &[String], recorder: &mut R) -> Option<Answer> {
        let silence = self.question.silence;
        let gravity = |answer: &Option<Answer>| match answer.map_or(silence, |answer| answer.outcome) {
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
                (Some(None), Some(answer)) if gravity(&None) == gravity(&Some(answer)) => Some(answer),
                (Some(known), answer) if gravity(&known) <= gravity(&answer) => known,
                (_, answer) => answer,
            });
        }
        gravest.flatten()
    }

    fn for_purpose<R: Recorder>(&self, purpose: Option<&str>, recorder: &mut R) -> Option<Answer> {
        let Question { sources, path, proposed, usage, has_directive, .. } = *self.question;
        let (crawler, capabilities) = (proposed.crawler, proposed.capabilities);
        let (url, addressed) = (proposed.url, self.addressed);
        let is_crawl = *usage == Usage::Crawl;
        let conditions = self as &dyn ConditionCheck;
        let asked = AcapQuestion {
            sources,
            path,
            crawler,
            capabilities,
            purpose,
            addressed,
            url,
            has_directive,
            is_crawl,
            conditions,
        };
        let mut bench = Bench::default();
        let rules = self.rules.and_then(|rules| {
            let Rules { first, is_permission, is_named, patterns, arena } = rules;
            Candidate::conventional((*first)?, *is_permission, *is_named, patterns, arena, &mut bench)
        });
        let verdict = asked.result(usage, rules, &mut bench, recorder)?;
        bench.twins.sort_unstable();
        let (winners, tier) = (&bench.winners, verdict.tier);
        let first = winners.iter().map(|winner| winner.id).min()?;
        let mut decides = |outcome: Outcome, id: StatementId| {
            recorder.decides(outcome, id, tier);
            if R::KEEPS {
                let first = bench.twins.partition_point(|(kept, _)| *kept < id);
                let from = bench.twins.get(first..).unwrap_or_default();
                from.iter()
                    .take_while(|(kept, _)| *kept == id)
                    .for_each(|(_, twin)| recorder.decides(outcome, *twin, tier));
            }
        };
        let mut answer = Answer::plain(verdict.outcome, reason_of(first, verdict.outcome, verdict.contest));
        // If robots.txt is unreachable, crawling is prohibited, so a permission's conditions for crawling are not
        // checked.
        let is_beaten = is_crawl && sources.is_unreachable();
        if verdict.outcome == Outcome::Permitted && !is_beaten {
            let mut failing: SmallVec<[(StatementId, Reason); 4]> = SmallVec::new();
            let mut checker = ConditionChecker::new(self, tier, answer);
            for winner in winners {
                failing.extend(checker.failure_of(winner.id).map(|reason| (winner.id, reason)));
            }
            answer = checker.answer;
            if let Some((_, reason)) = failing.iter().min_by_key(|(id, _)| *id) {
                for (id, _) in &failing {
                    decides(Outcome::Prohibited, *id);
                }
                return Some(Answer::plain(Outcome::Prohibited, *reason));
            }
        }
        for winner in winners {
            decides(answer.outcome, winner.id);
        }
        Some(answer)
    }
}

impl ConditionCheck for QuestionWithRules<'_> {
    fn fails(&self, id: StatementId, tier: &Usage) -> bool {
        let answer = Answer::plain(Outcome::Permitted, Reason::NoStatementApplies);
        ConditionChecker::new(self, tier, answer).failure_of(id).is_some()
    }
}

/// Constructs the reason why a permission does not hold.
type Failure = fn(StatementId) -> Reason;

/// Checks permissions one by one against the proposed use.
struct ConditionChecker<'q> {
    with_rules: &'q QuestionWithRules<'q>,
    tier: &'q Usage,
    /// The results for large local usages, by file and number. A local usage has the same terms in every statement.
    known: SmallVec<[(Source, u32, Option<Failure>); 8]>,
    /// How many substitutes were checked so far.
    substitutes: u32,
    /// The combined answer of the permissions that hold.
    answer: Answer,
}

impl<'q> ConditionChecker<'q> {
    fn new(with_rules: &'q QuestionWithRules<'q>, tier: &'q Usage, answer: Answer) -> Self {
        Self { with_rules, tier, known: SmallVec::new(), substitutes: 0, answer }
    }

    /// Returns the reason why a permission does not hold for the proposed use, or `None` if it holds.
    fn failure_of(&mut self, id: StatementId) -> Option<Reason> {
        let (acap, entry) = self.with_rules.question.sources.entry(id)?;
        let is_large = |local: u32| acap.locals.get(local as usize).is_some_and(|local| local.members.length > 8);
        let local = match entry.usage {
            UsageRef::Local(local) if is_large(local) => Some(local),
            _ => None,
        };
        let is_known = |known: &&(Source, u32, _)| (known.0, Some(known.1)) == (id.source, local);
        if let Some((.., failure)) = self.known.iter().find(is_known) {
            return failure.map(|failure| failure(id));
        }
        let mut failure: Option<Failure> = None;
        acap.each_term(entry, self.tier, |term| {
            if failure.is_none() {
                failure = self.fails_by(term, acap);
            }
        });
        let url = self.with_rules.question.proposed.url.as_bytes();
        if failure.is_none() && acap.is_located(entry, self.tier, |place| resource::is_same(place, url)) == Some(false)
        {
            failure = Some(Reason::OtherLocation);
        }
        self.known.extend(local.map(|local| (id.source, local, failure)));
        failure.map(|failure| failure(id))
    }

    /// Checks one term against the use. Returns why the use fails it, or `None` if the use can meet it.
    fn fails_by(&mut self, term: &Term, acap: &Acap) -> Option<Failure> {
        let question = self.with_rules.question;
        self.answer.outcome = Outcome::Conditional;
        self.answer.ends_at_recrawl |= term.value == TermValue::UntilRecrawled;
        match check(term, acap, question.proposed) {
            ConditionStatus::Open(end) => self.answer.valid_until = earlier(self.answer.valid_until, end),
            ConditionStatus::Lapsed => return Some(Reason::Lapsed),
            ConditionStatus::Broken => return Some(Reason::ConditionBroken),
        }
        if term.resource(acap).is_some_and(|uri| self.is_prohibited_substitute(uri)) {
            return Some(Reason::SubstituteProhibited);
        }
        let is_missing = |(kind, name)| question.sources.lacks(kind, name) || question.sources.is_elsewhere(kind, name);
        term.part(acap).is_some_and(is_missing).then_some(Reason::TargetMissing)
    }

    /// Whether a resource that must be used instead is on this site and the crawler may not crawl it (S-37).
    fn is_prohibited_substitute(&mut self, uri: &[u8]) -> bool {
        // A substitute that was not checked is not known to be permitted (S-34).
        self.substitutes += 1;
        if self.substitutes > SUBSTITUTES {
            return true;
        }
        let QuestionWithRules { policy, question, .. } = *self.with_rules;
        let Some(url) = resource::relative_to(question.proposed.url, uri) else { return false };
        let Some(policy) = policy else { return question.sources.is_unreachable() };
        let proposed = ProposedUse { url: &url, ..prerequisite(question.proposed) };
        let switches = policy.reading().switches();
        resource::with_path(url.as_bytes(), switches, |path| {
            // Statements on the page do not apply to its substitute.
            let sources = question.sources.without_response();
            let (usage, silence) = (&Usage::Crawl, Outcome::Permitted);
            let question = Question { sources, path, proposed: &proposed, usage, has_directive: false, silence };
            let crawl = by_policy(policy, None, &question, &mut Silent);
            crawl.outcome == Outcome::Prohibited && !is_robots_txt(path, switches)
        })
    }
}

fn reason_of(first: StatementId, outcome: Outcome, contest: Contest) -> Reason {
    match (contest, outcome) {
        (Contest::Page, _) => Reason::PageStatement(first),
        (Contest::RobotsTxt, _) => Reason::NotOverridden(first),
        (Contest::Element, _) => Reason::ElementStatement(first),
        _ if first.kind() == StatementKind::Rule => Reason::LongestPattern(first),
        (Contest::Unopposed, _) => Reason::Stated(first),
        (Contest::Uncompared, _) => Reason::Uncompared(first),
        (Contest::Scope, Outcome::Prohibited) => Reason::NotNarrower(first),
        (Contest::Scope, _) => Reason::NarrowestScope(first),
    }
}
