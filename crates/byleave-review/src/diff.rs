//! What a change of the rules changes: who gains or loses which usage where, over every path.
//!
//! For each class of crawler (`classes`) and each usage that either policy speaks of, both are asked about a path of
//! each region (`regions`). What is compared is what the site expresses of each usage, with its conditions. A usage
//! that is barred because `crawl` is (S-14) is told as the change of `crawl` that it is.
//!
//! Left out, exactly: crawlers and usages on which the same rules and fields bear in both policies, and paths where none
//! matches that they do not have in common. What decides is then a function of the same.

mod facts;
mod grouped;

pub use facts::{FactChange, FactChangeKind};
pub use grouped::{Change, ChangeKind, ChangedPlace, UnchangedPattern};

use crate::applicable::{field_patterns, preference_patterns, prohibition_patterns, robots_txt_pattern, rule_patterns};
use crate::budget::Budget;
use crate::crawler_classes::{CrawlerClass, CrawlerClasses, crawler_classes, is_named};
use crate::regions::{ApplicablePattern, ORIGIN, Regions, Space, Ties, WalkLimit, Wanted, path_of};
use crate::scope::{Proof, ReviewScope, is_truncated, purposes, usages};
use crate::verdict::{DecidingStatement, QueriedPolicy, UseQuery, Verdict};
use byleave::model::StatementId;
use byleave::{Bearing, ComparablePattern, Crawler, Evidence, Outcome, Reading, Usage, comparable_path};
use facts::facts_changed;
use grouped::{Alike, Changes, Grouping};
use std::cell::Cell;
use std::collections::HashMap;

/// What is not the same under two policies.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The reading of both.
    pub reading: Reading,
    /// How far it holds.
    pub proof: Proof,
    /// The changes of decisions, the biggest first.
    pub changes: Vec<Change>,
    /// Fields that decide nothing, taken away and added.
    pub facts: Vec<FactChange>,
    /// Whether the end of a file is beyond the limit and so unread (S-22).
    pub is_truncated: bool,
    /// How many states the walks over paths had.
    pub states: usize,
    /// How many decisions were asked for.
    pub questions: usize,
}

impl Difference {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.facts.is_empty()
    }
}

/// What changes from one policy to another, both read in the same reading.
///
/// ```
/// use byleave::{Evidence, Reading};
/// use byleave_review::{ReviewScope, diff::diff};
/// let old = Evidence::of_robots_txt(b"User-agent: *\nAllow: /\n", Reading::Default);
/// let new = Evidence::of_robots_txt(b"User-agent: *\nDisallow: /a/\n", Reading::Default);
/// let difference = diff(&old, &new, &ReviewScope::default());
/// let change = &difference.changes[0];
/// assert_eq!(change.sentence(), "every crawler loses crawl of `/a/`");
/// assert_eq!(change.places[0].example, "/a/");
/// ```
///
/// Cost: bounded, whatever the files are; beyond the bound the result is not proven.
#[must_use]
pub fn diff(old: &Evidence<'_>, new: &Evidence<'_>, asked: &ReviewScope) -> Difference {
    diff_within(old, new, asked, WalkLimit::DEFAULT)
}

/// The same with another bound.
pub(crate) fn diff_within(old: &Evidence<'_>, new: &Evidence<'_>, asked: &ReviewScope, most: WalkLimit) -> Difference {
    let (old, new) = (QueriedPolicy::new(old), QueriedPolicy::new(new));
    let CrawlerClasses { classes, is_whole } = crawler_classes(&[old.evidence, new.evidence], &asked.crawlers);
    let comparing = PolicyDiff::new(&old, &new, asked, most);
    let mut grouping = Grouping::of(comparing.usages.len());
    let (mut is_exact, mut states) = (is_whole && comparing.is_exact, 0);
    for class in &classes {
        let found = comparing.of_class(class);
        is_exact &= found.is_exact;
        states += found.states;
        grouping.add(class, found.items, &comparing);
    }
    let is_truncated = [old.evidence, new.evidence].into_iter().any(is_truncated);
    Difference {
        reading: new.evidence.reading(),
        proof: Proof::of(is_exact),
        changes: grouping.changes(),
        facts: facts_changed(old.evidence, new.evidence, &classes, asked),
        is_truncated,
        states,
        questions: old.questions.get() + new.questions.get(),
    }
}

/// Where a use is answered otherwise.
#[derive(Clone, Debug)]
pub(crate) struct ChangedDecision {
    pub(crate) usage: Usage,
    pub(crate) purpose: Option<String>,
    pub(crate) before: Verdict,
    pub(crate) after: Verdict,
    pub(crate) was_by: Option<DecidingStatement>,
    pub(crate) is_by: Option<DecidingStatement>,
    /// The pattern by which what speaks of it is set aside, where one of both says nothing in the end.
    pub(crate) silenced_by: Option<String>,
    pub(crate) path: String,
}

/// What was found for one class of crawler.
#[derive(Default)]
struct ClassFindings {
    items: Vec<ChangedDecision>,
    is_exact: bool,
    states: usize,
}

struct PolicyDiff<'a> {
    old: &'a QueriedPolicy<'a>,
    new: &'a QueriedPolicy<'a>,
    usages: Vec<Usage>,
    /// Those that stand for every purpose there is, and none.
    purposes: Vec<Vec<String>>,
    is_exact: bool,
    budget: Budget,
    /// How many rules may yet be looked at for what stays as it was.
    looks: Cell<usize>,
}

/// More rules are not looked at for what stays as it was.
const MAX_LOOKS: usize = 50_000;

impl<'a> PolicyDiff<'a> {
    fn new(old: &'a QueriedPolicy<'a>, new: &'a QueriedPolicy<'a>, asked: &ReviewScope, most: WalkLimit) -> Self {
        let policies = [old.evidence, new.evidence];
        let budget = Budget::new(most);
        let (purposes, is_exact) = purposes(&policies, &budget);
        let usages = usages(&policies, asked);
        Self { old, new, usages, purposes, is_exact, budget, looks: Cell::new(MAX_LOOKS) }
    }

    fn of_class(&self, class: &CrawlerClass) -> ClassFindings {
        let [before, after] = class.applicable.as_slice() else { return ClassFindings::default() };
        if class.has_acap() {
            return self.by_fields(class, before, after, |_| true);
        }
        let mut found = self.by_rules(class, before, after);
        let preferred = self.by_fields(class, before, after, |usage| class.has_preferences_of(usage));
        found.items.extend(preferred.items);
        found.is_exact &= preferred.is_exact;
        found.states += preferred.states;
        found
    }

    fn reading(&self) -> Reading {
        self.new.evidence.reading()
    }

    /// `/robots.txt`, in a reading that always permits it.
    fn robots_txt_pattern(&self) -> Option<ApplicablePattern> {
        self.reading().switches().permits_robots_txt.then(robots_txt_pattern)
    }

    /// Conventional groups alone: they speak of `crawl` only (S-13).
    fn by_rules(&self, class: &CrawlerClass, before: &Bearing, after: &Bearing) -> ClassFindings {
        let mut found = ClassFindings { is_exact: true, ..ClassFindings::default() };
        let mut patterns = rule_patterns(&[(before, 0), (after, 0)]);
        if !self.usages.contains(&Usage::Crawl) || !patterns.iter().any(|entry| entry.is_changed) {
            return found;
        }
        patterns.extend(self.robots_txt_pattern());
        let space = Space::Paths(self.reading());
        let walked = self.budget.walk(&space, &patterns, Ties::Equivalent, Wanted::Differing(2));
        self.ask(class, &Usage::Crawl, &[], &walked, &mut found);
        found
    }

    /// Usages of which fields of ACAP or preferences speak, for every purpose, with conditions.
    fn by_fields(
        &self,
        class: &CrawlerClass,
        before: &Bearing,
        after: &Bearing,
        is_wanted: impl Fn(&Usage) -> bool,
    ) -> ClassFindings {
        let mut found = ClassFindings { is_exact: before.is_whole && after.is_whole, ..ClassFindings::default() };
        // Files that are not read prohibit everywhere (S-21), and who is named counts beside ACAP (S-13).
        let besides = |bearing: &Bearing| (bearing.unread.is_empty(), is_named(bearing));
        let wanted = if besides(before) == besides(after) { Wanted::Changed } else { Wanted::All };
        // Usages on which the same bears have the same regions.
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

    /// Fields and preferences that bear on a usage, and on `crawl` conventional rules (S-13).
    fn applicable(&self, usage: &Usage, class: &CrawlerClass, both: &[(&Bearing, usize)]) -> Vec<ApplicablePattern> {
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
        found: &mut ClassFindings,
    ) {
        found.is_exact &= walked.is_exact;
        found.states += walked.states;
        let asked = UseQuery { crawler: &class.crawler, usage, purposes };
        for region in &walked.regions {
            if !self.budget.takes_question(class) {
                found.is_exact = false;
                return;
            }
            let url = format!("{ORIGIN}{}", region.path);
            let (before, after) = (self.old.verdict(asked, &url), self.new.verdict(asked, &url));
            if before != after {
                let silenced = |policy: &QueriedPolicy<'_>, verdict: &Verdict| {
                    let is_silent = verdict.outcome == Outcome::Unstated && class.has_preferences_of(usage);
                    if is_silent { policy.silenced_by(asked, &url) } else { None }
                };
                let silenced_by = silenced(self.new, &after).or_else(|| silenced(self.old, &before));
                found.items.push(ChangedDecision {
                    usage: usage.clone(),
                    purpose: purposes.first().cloned(),
                    before,
                    after,
                    was_by: self.old.decider(asked, &url),
                    is_by: self.new.decider(asked, &url),
                    silenced_by,
                    path: region.path.clone(),
                });
            }
        }
    }
}

impl Changes for PolicyDiff<'_> {
    fn changes(&self, crawler: &Crawler, usage: &Usage, alike: &Alike, path: &str) -> bool {
        let url = format!("{ORIGIN}{path}");
        let asked = UseQuery { crawler, usage, purposes: alike.purpose.as_slice() };
        self.old.verdict(asked, &url) == alike.before && self.new.verdict(asked, &url) == alike.after
    }

    fn unchanged(&self, class: &CrawlerClass, usage: &Usage, pattern: &str) -> Vec<UnchangedPattern> {
        // Fields of ACAP are not looked at: below one there is one for each usage.
        if class.has_acap() {
            return Vec::new();
        }
        // Rules are of crawling (S-13), preferences are not (S-40).
        let said = |bearing: &'_ Bearing| -> Vec<(StatementId, ComparablePattern)> {
            match usage {
                Usage::Crawl => bearing.rules.iter().map(|rule| (rule.statement, rule.pattern.clone())).collect(),
                _ => {
                    let speaking = bearing.preferences.iter().filter(|one| one.bears_on(usage));
                    speaking.map(|one| (one.statement, one.pattern.clone())).collect()
                }
            }
        };
        let policies = [self.old, self.new].into_iter().zip(&class.applicable);
        let said = policies.flat_map(|(policy, bearing)| said(bearing).into_iter().map(move |one| (policy, one)));
        let written = |policy: &QueriedPolicy<'_>, id: StatementId| policy.pattern_of(id, usage).unwrap_or_default();
        let said = said.map(|(policy, (id, pattern))| (written(policy, id), pattern));
        let rules: Vec<(String, ComparablePattern)> = said.take(self.looks.get()).collect();
        self.looks.set(self.looks.get() - rules.len());
        let Some((_, wide)) = rules.iter().find(|(text, _)| text == pattern) else { return Vec::new() };
        let mut found: Vec<UnchangedPattern> = Vec::new();
        for (text, narrow) in rules.iter().filter(|(text, _)| text != pattern && !text.is_empty()) {
            let path = path_of(narrow);
            let url = format!("{ORIGIN}{path}");
            let is_new = !found.iter().any(|known| known.pattern == *text);
            if is_new && wide.matches(&comparable_path(&url, self.reading())) {
                let asked = UseQuery { crawler: &class.crawler, usage, purposes: &[] };
                let [before, after] = [self.old, self.new].map(|policy| policy.verdict(asked, &url).outcome);
                found.extend((before == after).then(|| UnchangedPattern::new(before, text.clone(), path)));
            }
        }
        found.sort();
        found
    }

    fn is_unchanged(&self, crawler: &Crawler, usage: &Usage, one: &UnchangedPattern) -> bool {
        let url = format!("{ORIGIN}{}", one.path);
        let asked = UseQuery { crawler, usage, purposes: &[] };
        [self.old, self.new].into_iter().all(|policy| policy.verdict(asked, &url).outcome == one.outcome)
    }
}
