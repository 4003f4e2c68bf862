//! Compares two versions of a policy: which crawlers gain or lose which usages, on every path.
//!
//! For each class of crawlers (`crawler_classes`) and each usage that either policy addresses, both policies are asked
//! about one path per region (`regions`). The comparison covers what the site expresses about the usage, including
//! conditions. If a usage is barred because `crawl` is prohibited (S-14), only `crawl` is listed as changed.
//!
//! Three cases are skipped, because nothing can change in them: crawlers and usages to which the same rules and fields
//! apply in both policies, crawlers for which every changed rule is redundant (`redundancy`), and paths that match only
//! rules that both policies contain.

mod change;
mod facts;

pub use change::{Change, ChangeKind, ChangedPlace, UnchangedPattern};
pub use facts::{FactChange, FactChangeKind};

use crate::applicable::{field_patterns, preference_patterns, prohibition_patterns, robots_txt_pattern, rule_patterns};
use crate::budget::Budget;
use crate::crawler_classes::{CrawlerClass, CrawlerClasses, crawler_classes, is_named};
use crate::grouping::{ClassFindings, Grouping};
use crate::redundancy::possible_changes;
use crate::regions::{ApplicablePattern, ORIGIN, Regions, Space, Ties, WalkLimit, Wanted, path_of};
use crate::scope::{Proof, ReviewScope, is_truncated, purposes, usages};
use crate::verdict::{QueriedPolicy, UseQuery, Verdict};
use byleave::analysis::{ApplicableRules, ComparablePattern, comparable_path};
use byleave::model::StatementId;
use byleave::{Outcome, Reading, Site, Usage};
use change::changes_of;
use facts::facts_changed;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

/// The differences between two versions of a policy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The reading of both versions.
    pub reading: Reading,
    /// Whether the result holds for every path.
    pub proof: Proof,
    /// The changed decisions, largest change first.
    pub changes: Vec<Change>,
    /// Removed or added fields that decide nothing, such as `Sitemap`.
    pub facts: Vec<FactChange>,
    /// Whether a file exceeds the size limit, so that its end was not read (S-22).
    pub is_truncated: bool,
    /// The number of states that the walks over paths visited, as a measure of the work.
    pub states: usize,
    /// The number of decisions that the engine was asked for.
    pub questions: usize,
}

impl Difference {
    /// Returns whether no decisions and no facts changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.facts.is_empty()
    }
}

/// Returns the changes from an old policy to a new one. Both must be in the same reading.
///
/// ```
/// use byleave::{Site, Reading};
/// use byleave_review::{ReviewScope, diff::diff};
/// let old = Site::of_robots_txt(b"User-agent: *\nAllow: /\n", Reading::Default);
/// let new = Site::of_robots_txt(b"User-agent: *\nDisallow: /a/\n", Reading::Default);
/// let difference = diff(&old, &new, &ReviewScope::default());
/// let change = &difference.changes[0];
/// assert_eq!(change.sentence(), "every crawler loses `crawl` on `/a/`");
/// assert_eq!(change.places[0].example, "/a/");
/// ```
///
/// Cost: bounded for any input. If a limit is reached, the result is marked as not proven.
#[must_use]
pub fn diff(old: &Site<'_>, new: &Site<'_>, scope: &ReviewScope) -> Difference {
    unexpected_changes(old, new, scope, &Budget::new(WalkLimit::DEFAULT), &|_, _| false)
}

/// A function that returns whether a change of `crawl` is expected. It receives the name of the crawler, or `None` for
/// crawlers that no group names, and the outcomes before and after the change.
pub type IsExpected<'f> = dyn Fn(Option<&str>, [Outcome; 2]) -> bool + 'f;

/// Works like [`diff`], but within a budget that several comparisons can share. A crawler is skipped, without examining
/// its paths, if its rules can only make changes that `is_expected` accepts.
#[must_use]
pub fn unexpected_changes(
    old: &Site<'_>,
    new: &Site<'_>,
    scope: &ReviewScope,
    budget: &Budget,
    is_expected: &IsExpected<'_>,
) -> Difference {
    let policies = [old, new].map(QueriedPolicy::new);
    let CrawlerClasses { classes, is_whole } = crawler_classes(&[old, new], scope);
    let comparing = PolicyDiff::new(&policies, scope, budget, is_expected);
    let mut grouping: Grouping<'_, (), ChangedPlace> = Grouping::new(&policies);
    let (mut is_exact, mut states) = (is_whole && comparing.is_exact, 0);
    for class in &classes {
        let found = comparing.of_class(class);
        is_exact &= found.is_exact;
        states += found.states;
        let opened = |usages: &[Usage], places: &mut [ChangedPlace]| comparing.add_unchanged(class, usages, places);
        let joined = |usages: &[Usage], places: &mut [ChangedPlace]| comparing.keep_unchanged(class, usages, places);
        grouping.add(class, found.uses, opened, joined);
    }
    Difference {
        reading: new.reading(),
        proof: Proof::of(is_exact),
        changes: changes_of(grouping, comparing.usages.len()),
        facts: facts_changed(old, new, &classes, scope),
        is_truncated: [old, new].into_iter().any(is_truncated),
        states,
        questions: policies.iter().map(|policy| policy.questions.get()).sum(),
    }
}

struct PolicyDiff<'a> {
    /// The old policy and the new one.
    policies: &'a [QueriedPolicy<'a>; 2],
    usages: Vec<Usage>,
    /// An empty list, and one purpose for each set of purposes that the policies distinguish.
    purposes: Vec<Vec<String>>,
    is_exact: bool,
    budget: &'a Budget,
    is_expected: &'a IsExpected<'a>,
    /// How many more rules may be examined to find patterns whose paths do not change.
    looks: Cell<usize>,
}

/// At most this many rules are examined to find patterns whose paths do not change.
const MAX_LOOKS: usize = 50_000;

impl<'a> PolicyDiff<'a> {
    fn new(
        policies: &'a [QueriedPolicy<'a>; 2],
        scope: &ReviewScope,
        budget: &'a Budget,
        is_expected: &'a IsExpected<'a>,
    ) -> Self {
        let both: Vec<&Site<'_>> = policies.iter().map(|policy| policy.site).collect();
        let (purposes, is_exact) = purposes(&both, budget);
        let usages = usages(&both, scope);
        Self { policies, usages, purposes, is_exact, budget, is_expected, looks: Cell::new(MAX_LOOKS) }
    }

    fn of_class(&self, class: &CrawlerClass) -> ClassFindings<()> {
        let [before, after] = class.applicable.as_slice() else { return ClassFindings::new(false) };
        if class.has_acap() {
            return self.by_fields(class, before, after, |_| true);
        }
        let mut found = self.by_rules(class, before, after);
        let preferred = self.by_fields(class, before, after, |usage| class.has_preferences_of(usage));
        found.uses.extend(preferred.uses);
        found.is_exact &= preferred.is_exact;
        found.states += preferred.states;
        found
    }

    fn reading(&self) -> Reading {
        let [_, new] = self.policies;
        new.site.reading()
    }

    /// Returns the pattern for `/robots.txt` itself, if the reading always permits that path.
    fn robots_txt_pattern(&self) -> Option<ApplicablePattern> {
        self.reading().switches().permits_robots_txt.then(robots_txt_pattern)
    }

    /// Compares only conventional rules, which address only `crawl` (S-13).
    fn by_rules(&self, class: &CrawlerClass, before: &ApplicableRules, after: &ApplicableRules) -> ClassFindings<()> {
        let mut found = ClassFindings::new(true);
        let mut patterns = rule_patterns(&[(before, 0), (after, 0)]);
        if !self.usages.contains(&Usage::Crawl) || self.expects_all(class, possible_changes(&patterns, self.budget)) {
            return found;
        }
        patterns.extend(self.robots_txt_pattern());
        let space = Space::Paths(self.reading());
        let walked = self.budget.walk(&space, &patterns, Ties::Equivalent, Wanted::Differing(2));
        self.ask(class, &Usage::Crawl, &[], &walked, &mut found);
        found
    }

    /// Returns whether these changes are expected for every crawler in a class.
    fn expects_all(&self, class: &CrawlerClass, changes: BTreeSet<[Outcome; 2]>) -> bool {
        let names = class.names.iter().map(|name| Some(name.as_str()));
        let mut crawlers = names.chain(class.has_unnamed.then_some(None));
        crawlers.all(|crawler| changes.iter().all(|change| (self.is_expected)(crawler, *change)))
    }

    /// Compares usages that ACAP fields or preferences address, for every purpose and including conditions.
    fn by_fields(
        &self,
        class: &CrawlerClass,
        before: &ApplicableRules,
        after: &ApplicableRules,
        is_wanted: impl Fn(&Usage) -> bool,
    ) -> ClassFindings<()> {
        let mut found = ClassFindings::new(before.is_whole && after.is_whole);
        // A missing referenced file prohibits everything (S-21). If a policy contains ACAP, it matters whether a group
        // names the crawler (S-13).
        let context = |applicable: &ApplicableRules| (applicable.unread.is_empty(), is_named(applicable));
        let wanted = if context(before) == context(after) { Wanted::Changed } else { Wanted::All };
        // Usages to which the same patterns apply have the same regions.
        let mut known: HashMap<Vec<ApplicablePattern>, Regions> = HashMap::new();
        for usage in self.usages.iter().filter(|usage| is_wanted(usage)) {
            let both = [(before, 0), (after, 0)];
            let (patterns, ties, wanted) = match prohibition_patterns(usage, &both) {
                Some(patterns) => (patterns, Ties::Equivalent, Wanted::Differing(2)),
                None => (self.applicable(usage, class, &both), Ties::Distinct, wanted),
            };
            if wanted != Wanted::All && !patterns.iter().any(|entry| entry.is_changed) {
                continue;
            }
            let walk = || self.budget.walk(&Space::Paths(self.reading()), &patterns, ties, wanted);
            let walked = &*known.entry(patterns.clone()).or_insert_with(walk);
            for purposes in &self.purposes {
                self.ask(class, usage, purposes, walked, &mut found);
            }
        }
        found
    }

    /// Returns the fields and preferences that apply to a usage. For `crawl`, also returns the conventional rules
    /// (S-13).
    fn applicable(
        &self,
        usage: &Usage,
        class: &CrawlerClass,
        both: &[(&ApplicableRules, usize)],
    ) -> Vec<ApplicablePattern> {
        let mut patterns = field_patterns(usage, &class.applicable);
        patterns.extend(preference_patterns(usage, both));
        if *usage == Usage::Crawl {
            patterns.extend(rule_patterns(both));
            patterns.extend(self.robots_txt_pattern());
        }
        patterns
    }

    fn ask(
        &self,
        class: &CrawlerClass,
        usage: &Usage,
        purposes: &[String],
        walked: &Regions,
        found: &mut ClassFindings<()>,
    ) {
        let query = UseQuery { crawler: &class.crawler, usage, purposes };
        let [old, new] = self.policies;
        found.ask((self.policies, self.budget), class, query, walked, |_, url, [before, after]| {
            let silenced = |policy: &QueriedPolicy<'_>, verdict: &Verdict| {
                let is_silent = verdict.outcome == Outcome::Unstated && class.has_preferences_of(usage);
                if is_silent { policy.silenced_by(query, url) } else { None }
            };
            ((), silenced(new, after).or_else(|| silenced(old, before)))
        });
    }

    /// Records, for each place of a newly found change, the narrower patterns whose paths the change does not affect.
    fn add_unchanged(&self, class: &CrawlerClass, usages: &[Usage], places: &mut [ChangedPlace]) {
        let Some(usage) = shown_usage(usages) else { return };
        for place in places {
            let unchanged = place.pattern.as_ref().map(|own| self.unchanged(class, usage, own));
            place.unchanged = unchanged.unwrap_or_default();
        }
    }

    /// Keeps only the unchanged patterns whose paths do not change for this class either.
    fn keep_unchanged(&self, class: &CrawlerClass, usages: &[Usage], places: &mut [ChangedPlace]) {
        let Some(usage) = shown_usage(usages) else { return };
        for place in places {
            place.unchanged.retain(|one| self.is_unchanged(class, usage, one));
        }
    }

    /// Returns the class's rules or preferences that are narrower than a pattern and have the same outcome in both
    /// policies.
    fn unchanged(&self, class: &CrawlerClass, usage: &Usage, pattern: &str) -> Vec<UnchangedPattern> {
        // ACAP fields are skipped. Each pattern has one field per usage, so the list would be long.
        if class.has_acap() {
            return Vec::new();
        }
        // Rules only address `crawl` (S-13). Preferences address every usage except `crawl` (S-40).
        let statements = |applicable: &'_ ApplicableRules| -> Vec<(StatementId, ComparablePattern)> {
            match usage {
                Usage::Crawl => applicable.rules.iter().map(|rule| (rule.statement, rule.pattern.clone())).collect(),
                _ => {
                    let stating = applicable.preferences.iter().filter(|one| one.may_apply_to(usage));
                    stating.map(|one| (one.statement, one.pattern.clone())).collect()
                }
            }
        };
        let policies = self.policies.iter().zip(&class.applicable);
        let stated =
            policies.flat_map(|(policy, applicable)| statements(applicable).into_iter().map(move |one| (policy, one)));
        let written = |policy: &QueriedPolicy<'_>, id: StatementId| policy.pattern_of(id, usage).unwrap_or_default();
        let stated = stated.map(|(policy, (id, pattern))| (written(policy, id), pattern));
        let rules: Vec<(String, ComparablePattern)> = stated.take(self.looks.get()).collect();
        self.looks.set(self.looks.get() - rules.len());
        let Some((_, wide)) = rules.iter().find(|(text, _)| text == pattern) else { return Vec::new() };
        let mut found: Vec<UnchangedPattern> = Vec::new();
        for (text, narrow) in rules.iter().filter(|(text, _)| text != pattern && !text.is_empty()) {
            let path = path_of(narrow);
            let url = format!("{ORIGIN}{path}");
            let is_new = !found.iter().any(|known| known.pattern == *text);
            if is_new && wide.matches(&comparable_path(&url, self.reading())) {
                let query = UseQuery { crawler: &class.crawler, usage, purposes: &[] };
                let [before, after] = self.policies.each_ref().map(|policy| policy.verdict(query, &url).outcome);
                found.extend((before == after).then(|| UnchangedPattern::new(before, text.clone(), path)));
            }
        }
        found.sort();
        found
    }

    fn is_unchanged(&self, class: &CrawlerClass, usage: &Usage, one: &UnchangedPattern) -> bool {
        let url = format!("{ORIGIN}{}", one.path);
        let query = UseQuery { crawler: &class.crawler, usage, purposes: &[] };
        self.policies.iter().all(|policy| policy.verdict(query, &url).outcome == one.outcome)
    }
}

/// Returns the usage for which unchanged patterns are listed: `crawl` if it is included, otherwise the first usage.
fn shown_usage(usages: &[Usage]) -> Option<&Usage> {
    usages.iter().find(|usage| **usage == Usage::Crawl).or(usages.first())
}
