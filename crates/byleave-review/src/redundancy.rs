//! Finds out how changed rules can change outcomes, without a walk over their paths.
//!
//! Most edits to a file are small. For example, a rule that a wider rule covers is removed, or a pattern is spelled
//! differently. The patterns alone show that such edits change no outcome:
//! - A rule is redundant if another rule of the same or a higher rank matches all its paths. It is also redundant if a
//!   lower-ranked rule with the same effect, or the default (S-01), applies to all its paths, and no rule with the
//!   opposite effect ranks between the two.
//! - A rule in one version and a rule in the other are equivalent if they match the same paths with the same effect,
//!   and no rule with the opposite effect ranks between the two.
//!
//! Redundant rules are removed, and equivalent rules are merged. Neither step changes the outcome of a path in either
//! version, so the steps can be repeated. If changed rules remain, a walk over their paths must find out which outcomes
//! change.

use crate::budget::Budget;
use crate::regions::{ApplicablePattern, representatives, unused_octet};
use byleave::Outcome;
use byleave::analysis::ComparablePattern;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Unbounded};

/// Returns the possible changes between two versions with these conventional rules, as pairs of the old and the new
/// outcome. The result is empty if no rule changed, or if every changed rule is redundant or has an equivalent rule.
///
/// Cost: for each changed rule, one step of the budget per rule whose paths may overlap with the paths of the changed
/// rule.
pub(crate) fn possible_changes(rules: &[ApplicablePattern], budget: &Budget) -> BTreeSet<[Outcome; 2]> {
    if !rules.iter().any(|rule| rule.is_changed) {
        return BTreeSet::new();
    }
    let mut remaining = RemainingRules::new(rules);
    (0..rules.len()).for_each(|number| remaining.settle(number, budget));
    // If a path is no longer permitted, a rule that permitted it was removed, or a rule that prohibits it was added.
    let (yes, no) = (Outcome::Permitted, Outcome::Prohibited);
    let change = |rule: &ApplicablePattern| if rule.permits == (rule.sides == NEW) { [no, yes] } else { [yes, no] };
    remaining.rules.iter().filter(|rule| rule.is_changed).map(change).collect()
}

/// The rules of two versions. A removed rule stays in the list but belongs to neither version.
struct RemainingRules {
    rules: Vec<ApplicablePattern>,
    /// The numbers of the rules, keyed by the text that all paths of a rule begin with.
    by_beginning: BTreeMap<Vec<u8>, Vec<usize>>,
    /// An octet that no pattern contains, or `None` if there is no such octet.
    unused: Option<u8>,
}

impl RemainingRules {
    fn new(rules: &[ApplicablePattern]) -> Self {
        let mut by_beginning: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        for (number, rule) in rules.iter().enumerate() {
            by_beginning.entry(beginning(&rule.pattern).to_vec()).or_default().push(number);
        }
        Self { rules: rules.to_vec(), by_beginning, unused: unused_octet(rules) }
    }

    /// Removes a changed rule if it is redundant, or merges it with an equivalent rule.
    fn settle(&mut self, number: usize, budget: &Budget) {
        let Some(rule) = self.rules.get(number).filter(|rule| rule.is_changed) else { return };
        let near: Vec<usize> = self.near(rule).filter(|other| *other != number).collect();
        let Some(unused) = self.unused.filter(|_| budget.takes_steps(near.len())) else { return };
        let near: Vec<(usize, &ApplicablePattern)> =
            near.into_iter().filter_map(|other| Some((other, self.rules.get(other)?))).collect();
        let texts = representatives(&rule.pattern, unused);
        let containing = near.iter().filter(|(_, other)| matches_all(other, &texts));
        let (beside, opposite): (Vec<_>, Vec<_>) = containing.partition(|(_, other)| other.sides & rule.sides != 0);
        let has_opposing = |sides: u8, low: Option<u32>, high: Option<u32>| {
            let mut opposing = near.iter().filter(|(_, other)| other.permits != rule.permits);
            opposing.any(|(_, other)| other.sides & sides != 0 && low <= other.rank && other.rank <= high)
        };
        // All rules of the same rank have the same effect.
        let is_covered = beside.iter().any(|(_, other)| other.rank >= rule.rank);
        let lower = beside.iter().filter(|(_, other)| other.permits == rule.permits).map(|(_, other)| other.rank).max();
        // Everything is permitted by default, and every rule outranks the default.
        let lower = lower.or(rule.permits.then_some(None));
        let is_redundant = is_covered || lower.is_some_and(|lower| !has_opposing(rule.sides, lower, rule.rank));
        let equivalent = opposite.into_iter().find(|(_, other)| {
            other.is_changed
                && other.permits == rule.permits
                && matches_all(rule, &representatives(&other.pattern, unused))
                && !has_opposing(BOTH, rule.rank.min(other.rank), rule.rank.max(other.rank))
        });
        let equivalent = equivalent.map(|(other, _)| other).filter(|_| !is_redundant);
        if let Some(rule) = self.rules.get_mut(number).filter(|_| is_redundant || equivalent.is_some()) {
            (rule.sides, rule.is_changed) = (0, false);
        }
        if let Some(other) = equivalent.and_then(|other| self.rules.get_mut(other)) {
            (other.sides, other.is_changed) = (BOTH, false);
        }
    }

    /// Returns the rules whose paths may overlap with the paths of this rule. Two rules can overlap only if the
    /// beginning of one is a prefix of the beginning of the other.
    fn near(&self, rule: &ApplicablePattern) -> impl Iterator<Item = usize> {
        let whole = beginning(&rule.pattern);
        let wider = (0..=whole.len()).filter_map(|length| self.by_beginning.get(whole.get(..length)?));
        let longer = self.by_beginning.range::<[u8], _>((Excluded(whole), Unbounded));
        let narrower = longer.take_while(|(other, _)| other.starts_with(whole)).map(|(_, numbers)| numbers);
        wider.chain(narrower).flatten().copied()
    }
}

fn matches_all(rule: &ApplicablePattern, texts: &[Vec<u8>]) -> bool {
    texts.iter().all(|text| rule.pattern.matches(text))
}

/// Returns the text that all paths of a pattern begin with.
fn beginning(pattern: &ComparablePattern) -> &[u8] {
    pattern.pieces().next().filter(|piece| !piece.is_empty()).unwrap_or(b"/")
}

/// The bit for the second version.
const NEW: u8 = 0b10;
/// The bits for both versions.
const BOTH: u8 = 0b11;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::applicable::rule_patterns;
    use crate::regions::{ORIGIN, Space, Ties, WalkLimit, Wanted, regions};
    use byleave::{Crawler, Policy, Reading, Site};
    use proptest::prelude::*;

    fn rules(versions: [&str; 2], reading: Reading) -> Vec<ApplicablePattern> {
        let crawler = Crawler::named("AnyBot");
        let version = |text: &str| Site::of_robots_txt(text.as_bytes(), reading).applicable_to(&crawler);
        let [before, after] = versions.map(version);
        rule_patterns(&[(&before, 0), (&after, 0)])
    }

    fn possible(before: &str, after: &str) -> Vec<[Outcome; 2]> {
        let versions = [before, after].map(|rules| format!("User-agent: *\n{rules}"));
        let rules = rules(versions.each_ref().map(String::as_str), Reading::Default);
        possible_changes(&rules, &Budget::of_states(1_000)).into_iter().collect()
    }

    #[test]
    fn rules_without_effect_change_nothing() {
        let nothing: [[Outcome; 2]; 0] = [];
        for (rest, rule) in [
            ("Disallow: /a\n", "Disallow: /a/b\n"),
            ("Disallow: /a\n", "Disallow: /a*\n"),
            ("Disallow: /*b$\n", "Disallow: /a*b$\n"),
            ("Allow: /*.html\n", "Disallow: /a.html\n"),
            ("", "Allow: /a\n"),
            ("Disallow: /a\nAllow: /ab/c\n", "Disallow: /ab\n"),
        ] {
            assert_eq!(possible(rest, &format!("{rest}{rule}")), nothing, "{rest}{rule}");
            assert_eq!(possible(&format!("{rest}{rule}"), rest), nothing, "{rest}{rule}");
        }
        assert_eq!(possible("Disallow: /a/*\n", "Disallow: /a/\n"), nothing);
        assert_eq!(possible("Disallow: **/a\n", "Disallow: */a\n"), nothing);
    }

    #[test]
    fn changes_have_a_direction() {
        let (gained, lost) = ([Outcome::Prohibited, Outcome::Permitted], [Outcome::Permitted, Outcome::Prohibited]);
        assert_eq!(possible("", "Disallow: /a\n"), [lost]);
        assert_eq!(possible("Disallow: /a\n", "Disallow: /a\nAllow: /a/b\n"), [gained]);
        assert_eq!(possible("Disallow: /a\n", "Disallow: /b\n"), [lost, gained]);
        // `/a/*` is as long as `/*b/`, so the permission wins. `/a/` is shorter, so it loses.
        assert_eq!(possible("Disallow: /*b/\nAllow: /a/*\n", "Disallow: /*b/\nAllow: /a/\n"), [lost]);
        // `/*/a` does not match `/a`.
        assert_eq!(possible("Disallow: /*/a\nDisallow: **/a\n", "Disallow: /*/a\n"), [gained]);
    }

    #[test]
    fn without_budget_every_changed_rule_counts() {
        let rules =
            rules(["User-agent: *\nDisallow: /a\nDisallow: /a/b\n", "User-agent: *\nDisallow: /a\n"], Reading::Default);
        assert_eq!(possible_changes(&rules, &Budget::of_states(0)).len(), 1);
        assert_eq!(possible_changes(&rules, &Budget::of_states(1)).len(), 0);
    }

    fn group() -> impl Strategy<Value = Vec<String>> {
        let line = (prop::sample::select(vec!["Allow", "Disallow"]), "[/*](a|b|\\*|/){0,4}[$]?");
        prop::collection::vec(line.prop_map(|(field, pattern)| format!("{field}: {pattern}\n")), 0..5)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        /// Law: every change that an exact walk over all paths finds is among the possible changes.
        #[test]
        fn no_change_is_missed(shared in group(), before in group(), after in group(), number in 0usize..4) {
            let reading = Reading::OF_ROBOTS_TXT.get(number).copied().unwrap_or_default();
            let [before, after] =
                [before, after].map(|own| format!("User-agent: *\n{}{}", shared.concat(), own.concat()));
            let rules = rules([&before, &after], reading);
            let possible = possible_changes(&rules, &Budget::of_states(100_000));
            let walked = regions(&Space::Paths(reading), &rules, Ties::Distinct, Wanted::All, WalkLimit::DEFAULT);
            prop_assert!(walked.is_exact);
            let crawler = Crawler::named("AnyBot");
            let policies = [&before, &after].map(|text| Policy::parse_as(text.as_bytes(), reading));
            for region in walked.regions.iter().filter(|region| region.path != "/robots.txt") {
                let outcomes = policies.each_ref().map(|policy| {
                    let is_permitted = policy.bind(&crawler).may_crawl(&format!("{ORIGIN}{}", region.path));
                    if is_permitted { Outcome::Permitted } else { Outcome::Prohibited }
                });
                let [was, is] = outcomes;
                prop_assert!(was == is || possible.contains(&outcomes), "{}: {was:?} {is:?}\n{before}---\n{after}", region.path);
            }
        }
    }
}
