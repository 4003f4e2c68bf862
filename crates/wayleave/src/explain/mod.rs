//! The explanation: the decision with every statement that bore on it, and why each lost.
//!
//! It runs the decision's own body with a recorder that keeps what it hears; there is no second
//! implementation of any rule here. Sentences are made in `narrative` alone.

mod narrative;

#[cfg(feature = "report")]
pub(crate) use narrative::ground_of;

use crate::crawler::AnyRecord;
use crate::decide::{Decision, ProposedUse, Reason, Recorder, decide_with};
use crate::diagnostic::Diagnostic;
use crate::evidence::{Evidence, RobotsTxt};
use crate::model::{Condition, Statement, StatementId};
use crate::policy::{Bound, Ground, Policy, Winner};
use crate::source::Span;
use std::collections::HashSet;

/// A decision with its reasons.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation<'e> {
    /// The decision itself.
    pub decision: Decision,
    /// Every statement that suffices for the outcome; none where a default, a status or a limit decides.
    pub determined_by: Vec<Statement<'e>>,
    /// Every other statement that addresses the crawler and matches the resource, and why it lost.
    pub considered: Vec<SetAside<'e>>,
    /// The statements that prohibit a prerequisite, where one is prohibited (S-14).
    pub barred_by: Vec<Statement<'e>>,
    /// What must be kept for a conditional permission to hold.
    pub conditions: Vec<Condition>,
    /// Why these records of robots.txt bind the crawler; nothing where none was read.
    pub ground: Option<Ground>,
    /// What was noticed in the documents.
    pub diagnostics: &'e [Diagnostic],
}

/// A statement that bears on the question and does not decide it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SetAside<'e> {
    /// The statement.
    pub statement: Statement<'e>,
    /// Why it lost.
    pub by: LostTo,
}

/// Why a statement did not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostTo {
    /// A longer pattern matches too (RFC 9309 2.2.2).
    LongerPattern(StatementId),
    /// A permission with a pattern of the same length matches too (RFC 9309 2.2.2).
    PermissionOfEqualLength(StatementId),
    /// It is for any crawler, and a record names this one (RFC 9309 2.2.1).
    NamedRecord,
    /// It is for any crawler, and a record names one this one falls back to (S-35).
    FallbackRecord,
    /// `/robots.txt` itself is always permitted (S-13).
    RobotsTxtItself,
}

impl LostTo {
    /// The rule of the semantics by which it lost.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::LongerPattern(_) | Self::PermissionOfEqualLength(_) | Self::NamedRecord | Self::RobotsTxtItself => {
                "S-13"
            }
            Self::FallbackRecord => "S-35",
        }
    }
}

/// Decides and keeps the reasons.
///
/// ```
/// use wayleave::{Crawler, Evidence, ProposedUse, Reading, Usage};
/// let evidence = Evidence::of_robots_txt(b"User-agent: *\nDisallow: /news/\n", Reading::Default);
/// let crawler = Crawler::named("GPTBot");
/// let proposed = ProposedUse::new("/news/today", &crawler, &Usage::Crawl);
/// let explanation = wayleave::explain(&evidence, &proposed);
/// assert_eq!(explanation.determined_by[0].line, 2);
/// assert_eq!(explanation.sentence(&proposed), "GPTBot may not crawl `/news/today`: line 2 prohibits `/news/`");
/// ```
#[must_use]
pub fn explain<'e>(evidence: &'e Evidence<'_>, proposed: &ProposedUse<'_>) -> Explanation<'e> {
    let mut trail = Trail::default();
    let decision = decide_with(evidence, proposed, &mut trail);
    let mut explanation = Explanation {
        decision,
        determined_by: Vec::new(),
        considered: Vec::new(),
        barred_by: Vec::new(),
        conditions: Vec::new(),
        ground: trail.ground,
        diagnostics: evidence.diagnostics(),
    };
    if let RobotsTxt::Read(policy) = evidence.robots_txt() {
        explanation.place(policy, &trail, proposed);
    }
    explanation
}

impl<'e> Explanation<'e> {
    /// The rules of the semantics that the explanation rests on, sorted.
    #[must_use]
    pub fn rules(&self) -> Vec<&'static str> {
        let mut rules = vec![self.decision.reason.rule()];
        rules.extend(self.considered.iter().map(|set_aside| set_aside.by.rule()));
        // Which records bind is a matter of names, and which rules match one of patterns.
        rules.extend(self.ground.map(|_| "S-35"));
        rules.extend((!self.determined_by.is_empty() || !self.barred_by.is_empty()).then_some("S-19"));
        rules.extend(self.decision.prerequisite.map(|_| "S-14"));
        rules.extend(self.decision.prerequisite.map(Reason::rule));
        // No robots.txt: permitted by RFC 9309's default.
        rules.extend(matches!(self.decision.reason, Reason::NoRobotsTxt(_)).then_some("S-01"));
        rules.extend(self.decision.is_truncated.then_some("S-22"));
        rules.extend(self.determined_by.iter().any(|statement| statement.is_fallen).then_some("S-09"));
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// Puts each statement of the trail where it belongs: winner, or loser with its reason.
    fn place(&mut self, policy: &'e Policy<'_>, trail: &Trail, proposed: &ProposedUse<'_>) {
        // S-13: of other usages conventional rules say nothing; they only bar them.
        let speaks_of_crawl = matches!(proposed.usage, crate::vocabulary::Usage::Crawl);
        let reason = self.decision.prerequisite.unwrap_or(self.decision.reason);
        let statements = policy.statements();
        let best = trail.matched.iter().max_by_key(|rule| rule.priority);
        for rule in &trail.matched {
            let Some(statement) = statements.get(StatementId(rule.rule)) else { continue };
            let by = match (reason, best) {
                (Reason::RobotsTxtItself, _) => LostTo::RobotsTxtItself,
                (_, Some(best)) if best.priority == rule.priority => {
                    if speaks_of_crawl {
                        self.determined_by.push(statement);
                    } else if self.decision.prerequisite.is_some() {
                        self.barred_by.push(statement);
                    }
                    continue;
                }
                (_, Some(best)) if best.priority >> 1 == rule.priority >> 1 => {
                    LostTo::PermissionOfEqualLength(StatementId(best.rule))
                }
                (_, Some(best)) => LostTo::LongerPattern(StatementId(best.rule)),
                (_, None) => continue,
            };
            if speaks_of_crawl {
                self.considered.push(SetAside { statement, by });
            }
        }
        if speaks_of_crawl {
            let by = if matches!(trail.ground, Some(Ground::Fallback(_))) {
                LostTo::FallbackRecord
            } else {
                LostTo::NamedRecord
            };
            // A record may be both: for any crawler and for this one.
            let bound: HashSet<u32> = trail.matched.iter().map(|rule| rule.rule).collect();
            let general = trail
                .general
                .iter()
                .filter(|rule| !bound.contains(&rule.rule))
                .filter_map(|rule| statements.get(StatementId(rule.rule)));
            self.considered.extend(general.map(|statement| SetAside { statement, by }));
        }
        self.determined_by.sort_by_key(|statement| statement.span);
        self.barred_by.sort_by_key(|statement| statement.span);
        self.considered.sort_by_key(|set_aside| set_aside.statement.span);
        // A line may stand for two rules in one reading; where it decides, it has not lost.
        let winners: HashSet<Span> = self.determined_by.iter().map(|statement| statement.span).collect();
        self.considered.retain(|set_aside| !winners.contains(&set_aside.statement.span));
        self.determined_by.dedup_by_key(|statement| statement.span);
    }
}

/// Keeps every step.
#[derive(Debug, Default)]
struct Trail {
    ground: Option<Ground>,
    matched: Vec<Winner>,
    /// Rules for any crawler that match too but do not bind one that a record names.
    general: Vec<Winner>,
}

impl Recorder for Trail {
    const KEEPS: bool = true;

    fn bound(&mut self, bound: &Bound<'_>, path: &[u8]) {
        self.ground = Some(bound.ground());
        let is_named = matches!(bound.ground(), Ground::Named | Ground::Fallback(_));
        if is_named && bound.crawler().any_record() == AnyRecord::Applies {
            let nobody = crate::crawler::Crawler::nobody();
            let general = bound.policy().bind(&nobody);
            general.each_match(path, |rule| self.general.push(rule));
        }
    }

    fn matches(&mut self, rule: Winner) {
        self.matched.push(rule);
    }
}
