//! Records every step of a decision, and derives the lists in an explanation from the steps.
//!
//! `decide` reports the steps through its `Recorder` trait. Nothing here affects the decision.

use super::narrative;
use super::{LostTo, SeenStatements, SiteStatements, Step, Tier};
use crate::decide::Recorder;
use crate::decide::acap::TierWalk;
use crate::decide::conditions::{condition, join};
use crate::dialects::acap::UsageRef;
use crate::dialects::preference;
use crate::model::BoundBy;
use crate::model::Usage;
use crate::model::crawler::AnyGroup;
use crate::model::{Condition, StatementId, StatementKind};
use crate::model::{Outcome, Reason};
use crate::policy::{Bound, Winner};
use crate::site::Site;
use std::collections::{HashMap, HashSet};

/// The steps of one decision.
#[derive(Debug, Default)]
pub(super) struct Trail {
    pub(super) bound_by: Option<BoundBy>,
    pub(super) matched: Vec<Winner>,
    /// Matching rules for any crawler that do not bind this crawler, because a group for its name, fallback name or
    /// purpose binds it.
    general: Vec<Winner>,
    pub(super) tiers: Vec<TierWalk>,
    decided: Vec<(Outcome, StatementId, Usage)>,
    /// The directives and preferences that address the usage, each with the reason why it does not count, if any.
    pub(super) directives: Vec<(StatementId, Usage, Option<LostTo>)>,
}

impl Recorder for Trail {
    const KEEPS: bool = true;

    fn bound(&mut self, bound: &Bound<'_>, path: &[u8]) {
        self.bound_by = Some(bound.bound_by());
        let is_named = matches!(bound.bound_by(), BoundBy::Named | BoundBy::Fallback(_) | BoundBy::Purpose);
        if is_named && bound.crawler().any_group() == AnyGroup::Applies {
            let nobody = crate::model::crawler::Crawler::nobody();
            let general = bound.policy().bind(&nobody);
            general.each_match(path, |rule| self.general.push(rule));
        }
    }

    fn matches(&mut self, rule: Winner) {
        self.matched.push(rule);
    }

    fn tier(&mut self, tier: TierWalk) {
        self.tiers.push(tier);
    }

    fn decides(&mut self, outcome: Outcome, id: StatementId, usage: &Usage) {
        self.decided.push((outcome, id, usage.clone()));
    }

    fn becomes(&mut self, from: Outcome, to: Outcome) {
        for (outcome, ..) in self.decided.iter_mut().filter(|(outcome, ..)| *outcome == from) {
            *outcome = to;
        }
    }

    fn directive(&mut self, id: StatementId, usage: &Usage, lost: Option<LostTo>) {
        self.directives.push((id, usage.clone(), lost));
    }
}

impl Trail {
    /// Returns the statements that are sufficient for the outcome, each with the usage for which it was examined.
    pub(super) fn deciding(&self, outcome: Outcome, reason: Reason) -> impl Iterator<Item = (StatementId, &Usage)> {
        const CRAWL: &Usage = &Usage::Crawl;
        let by_acap = self.decided.iter().filter(move |(of, ..)| *of == outcome).map(|(_, id, usage)| (*id, usage));
        // If no ACAP statement took part, RFC 9309 selects every rule with the highest rank.
        let best = self.matched.iter().map(|rule| rule.priority).max();
        let is_plain = matches!(reason, Reason::LongestPattern(_)) && self.decided.is_empty();
        let by_rule = |(of, id, _): &(Outcome, StatementId, Usage)| *of == outcome && id.kind() == StatementKind::Rule;
        let is_plain = is_plain || self.decided.iter().any(by_rule);
        let rules = self.matched.iter().filter(move |rule| is_plain && Some(rule.priority) == best);
        let itself = reason == Reason::RobotsTxtItself;
        by_acap.chain(rules.map(|rule| (StatementId::rule(rule.rule), CRAWL))).filter(move |_| !itself)
    }

    /// Whether a winning permission failed because of its conditions.
    pub(super) fn has_failed(&self, reason: Reason) -> bool {
        matches!(
            reason,
            Reason::Lapsed(_)
                | Reason::ConditionBroken(_)
                | Reason::SubstituteProhibited(_)
                | Reason::TargetMissing(_)
                | Reason::OtherLocation(_)
        )
    }

    /// Adds the matching conventional rules, each with the reason why it lost to the rule that RFC 9309 selects.
    pub(super) fn conventional_losers<'t>(
        &'t self,
        reason: Reason,
        ignores: bool,
        lost: &mut HashMap<StatementId, (LostTo, &'t Usage)>,
    ) {
        const CRAWL: &Usage = &Usage::Crawl;
        let best = self.matched.iter().max_by_key(|rule| rule.priority);
        for rule in &self.matched {
            let by = match (reason, best) {
                _ if ignores => LostTo::ConventionalIgnored,
                (Reason::RobotsTxtItself, _) => LostTo::RobotsTxtItself,
                (_, Some(best)) if best.priority >> 1 == rule.priority >> 1 => {
                    LostTo::PermissionOfEqualLength(StatementId::rule(best.rule))
                }
                (_, Some(best)) => LostTo::LongerPattern(StatementId::rule(best.rule)),
                (_, None) => continue,
            };
            lost.insert(StatementId::rule(rule.rule), (by, CRAWL));
        }
        let by = match self.bound_by {
            _ if ignores => LostTo::ConventionalIgnored,
            Some(BoundBy::Fallback(_)) => LostTo::FallbackGroup,
            Some(BoundBy::Purpose) => LostTo::PurposeGroup,
            _ => LostTo::NamedGroup,
        };
        // A group may be for any crawler and also name this crawler, so the rule may have an entry already.
        for rule in &self.general {
            lost.entry(StatementId::rule(rule.rule)).or_insert((by, CRAWL));
        }
    }

    /// Returns the joined conditions of the deciding statements.
    pub(super) fn conditions(&self, site: &Site<'_>, outcome: Outcome) -> Vec<Condition> {
        if outcome != Outcome::Conditional {
            return Vec::new();
        }
        let mut conditions = Vec::new();
        let mut known = HashSet::new();
        for (_, id, usage) in self.decided.iter().filter(|(of, ..)| *of == outcome) {
            if let Some((_, entry)) = site.directive(*id).filter(|_| id.kind() == StatementKind::Directive) {
                conditions.extend(entry.directive.condition());
                continue;
            }
            if let Some((_, preference)) = site.preference(*id).filter(|_| id.kind() == StatementKind::Preference) {
                conditions.extend(preference.limits(preference::bit(usage)).map(|limit| limit.condition.clone()));
                continue;
            }
            if let Some((acap, entry)) = site.acap_entry(*id) {
                // A local usage has the same terms in every statement, so they are added once.
                if let UsageRef::Local(local) = entry.usage
                    && !known.insert((id.source, local, usage.name()))
                {
                    continue;
                }
                acap.each_term(entry, usage, |term| conditions.push(condition(term, acap)));
            }
        }
        join(conditions)
    }

    /// Returns the walk through ACAP's tiers, with the result for each statement.
    pub(super) fn walk<'e>(&self, written: &SiteStatements<'e>) -> Vec<Tier<'e>> {
        let steps = |tier: &TierWalk| {
            let mut known = SeenStatements::default();
            let mut steps = Vec::new();
            for (id, uninterpretable, lost) in &tier.candidates {
                let Some(statement) = written.get(*id, &tier.usage) else { continue };
                if known.is_new(&statement, *lost) {
                    let to = lost.and_then(LostTo::winner).and_then(|id| written.get(id, &tier.usage));
                    let sentence = narrative::step(&statement, *uninterpretable, *lost, to.as_ref());
                    steps.push(Step { statement, lost: *lost, sentence });
                }
            }
            steps
        };
        let tier =
            |tier: &TierWalk| Tier { usage: tier.usage.clone(), purpose: tier.purpose.clone(), steps: steps(tier) };
        self.tiers.iter().map(tier).collect()
    }
}
