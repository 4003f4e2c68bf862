//! Where the readings of one site differ: for which crawlers, usages and paths, and which difference of the readings
//! it is.
//!
//! The paths are those of URLs in the normal form of RFC 3986 6.2.2: an octet is escaped only where it has to be, and
//! reserved characters only where some pattern of the site escapes the same. Outside of that, readings differ for
//! every site alike: Google's parser does not take `%61` for `a`, and to the letter of RFC 9309 `%2F` is `/`. For the
//! same reason `/robots.txt` itself is left out, which is always permitted but in the reading `google`.

mod cause;
mod grouped;

pub use cause::DivergenceCause;
pub use grouped::{Divergence, DivergentPlace};

use crate::applicable::{escaped_in, field_patterns, preference_patterns, walk_in_readings};
use crate::budget::Budget;
use crate::crawler_classes::{CrawlerClass, CrawlerClasses, crawler_classes};
use crate::regions::{ORIGIN, Regions, WalkLimit};
use crate::scope::{Proof, ReviewScope, is_truncated, purposes, usages};
use crate::verdict::{DecidingStatement, QueriedPolicy, UseQuery, Verdict};
use byleave::{Bearing, ComparablePattern, Crawler, Evidence, Reading, Usage};
use cause::{Causes, CausesOf};
use grouped::{Alike, Answers, Grouping};
use std::collections::{BTreeSet, HashMap};

/// Where readings of one site are not alike.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// How far it holds.
    pub proof: Proof,
    /// The differences, the biggest first.
    pub divergences: Vec<Divergence>,
    /// Whether the end of the file is beyond the limit and so unread (S-22).
    pub is_truncated: bool,
    /// How many states the walks over paths had.
    pub states: usize,
    /// How many decisions were asked for.
    pub questions: usize,
}

/// Where one site, given as it is read in each reading, is decided otherwise. The first is what others are held against.
///
/// ```
/// use byleave::{Evidence, Reading};
/// use byleave_review::{ReviewScope, compare::compare};
/// let robots_txt = b"User-agent: *\nDissalow: /a/\n";
/// let read: Vec<_> = Reading::OF_ROBOTS_TXT.iter().map(|reading| Evidence::of_robots_txt(robots_txt, *reading)).collect();
/// let compared = compare(&read.iter().collect::<Vec<_>>(), &ReviewScope::default());
/// let found = &compared.divergences[0];
/// assert_eq!(found.sentence(), "crawl of `/a/` by every crawler is permitted in rfc9309, and prohibited in default");
/// assert_eq!(found.because(), "because a line that is misspelt or has no colon is no rule there (S-18)");
/// assert_eq!(found.places[0].example, "/a/");
/// ```
///
/// Cost: bounded, whatever the file is; beyond the bound the result is not proven.
#[must_use]
pub fn compare(readings: &[&Evidence<'_>], asked: &ReviewScope) -> Comparison {
    let policies: Vec<QueriedPolicy<'_>> =
        readings.iter().take(MAX_READINGS).map(|evidence| QueriedPolicy::new(evidence)).collect();
    let evidences: Vec<&Evidence<'_>> = policies.iter().map(|policy| policy.evidence).collect();
    let CrawlerClasses { classes, is_whole } = crawler_classes(&evidences, &asked.crawlers);
    let budget = Budget::new(WalkLimit::DEFAULT);
    let (purposes, has_all_purposes) = purposes(&evidences, &budget);
    let escaped = escaped_in(classes.iter().flat_map(|class| &class.applicable));
    let comparing = ReadingComparison {
        policies: &policies,
        causes: Causes::new(&policies),
        usages: usages(&evidences, asked),
        purposes,
        escaped,
        budget,
    };
    let mut grouping = Grouping::of(evidences.iter().map(|one| one.reading()).collect(), comparing.usages.len());
    let (mut is_exact, mut states) = (is_whole && has_all_purposes && classes.len() <= MAX_CLASSES, 0);
    for class in classes.iter().take(MAX_CLASSES) {
        let found = comparing.of_class(class);
        is_exact &= found.is_exact;
        states += found.states;
        grouping.add(class, found.items, &comparing);
    }
    Comparison {
        proof: Proof::of(is_exact),
        divergences: grouping.divergences(),
        is_truncated: evidences.iter().any(|evidence| is_truncated(evidence)),
        states,
        questions: policies.iter().map(|policy| policy.questions.get()).sum(),
    }
}

/// More classes of crawlers are not asked about: a reading that cuts names may bind each by the groups of all.
const MAX_CLASSES: usize = 2_000;

/// More readings are not compared at once.
const MAX_READINGS: usize = 8;

/// Where a reading answers otherwise than the first one.
#[derive(Clone, Debug)]
pub(crate) struct DivergentDecision {
    pub(crate) usage: Usage,
    pub(crate) purpose: Option<String>,
    pub(crate) path: String,
    /// Which reading, by number.
    pub(crate) reading: usize,
    pub(crate) cause: DivergenceCause,
    pub(crate) ours: Verdict,
    pub(crate) theirs: Verdict,
    pub(crate) ours_by: Option<DecidingStatement>,
    pub(crate) theirs_by: Option<DecidingStatement>,
}

#[derive(Default)]
struct ClassFindings {
    items: Vec<DivergentDecision>,
    is_exact: bool,
    states: usize,
}

struct ReadingComparison<'a> {
    policies: &'a [QueriedPolicy<'a>],
    causes: Causes<'a>,
    usages: Vec<Usage>,
    purposes: Vec<Vec<String>>,
    /// The reserved characters that some pattern escapes.
    escaped: BTreeSet<u8>,
    budget: Budget,
}

impl ReadingComparison<'_> {
    fn of_class(&self, class: &CrawlerClass) -> ClassFindings {
        let mut found = ClassFindings { is_exact: true, ..ClassFindings::default() };
        let causes = self.causes.of_class(class);
        let readings = self.policies.iter().map(|policy| policy.evidence.reading());
        let policies: Vec<(&Bearing, Reading)> = class.applicable.iter().zip(readings).collect();
        let mut known: HashMap<Vec<ComparablePattern>, Regions> = HashMap::new();
        for usage in &self.usages {
            // Conventional rules speak of `crawl` only (S-13).
            let has_preference = class.has_preferences_of(usage);
            if !class.has_acap() && !has_preference && *usage != Usage::Crawl {
                continue;
            }
            let mut fields = field_patterns(usage, &class.applicable);
            if has_preference {
                // Elsewhere nothing is said, whatever the path.
                let is_read = |(_, reading): &&(&Bearing, Reading)| reading.switches().reads_preferences;
                let reading: Vec<(&Bearing, usize)> =
                    policies.iter().filter(is_read).map(|(bearing, _)| (*bearing, 0)).collect();
                fields.extend(preference_patterns(usage, &reading));
                let escapes = Reading::Default.switches().escapes;
                let is_alike = |(_, reading): &(&Bearing, Reading)| reading.switches().escapes == escapes;
                found.is_exact &= self.escaped.is_empty() || policies.iter().filter(is_read).all(is_alike);
            }
            let key = fields.iter().map(|entry| entry.pattern.clone()).collect();
            let walk = || walk_in_readings(usage, fields, &policies, &self.escaped, &self.budget);
            // The regions of `crawl` are its own: rules are among its patterns.
            let own;
            let walked = if *usage == Usage::Crawl {
                own = walk();
                &own
            } else {
                &*known.entry(key).or_insert_with(walk)
            };
            for purposes in &self.purposes {
                self.ask(class, usage, purposes, walked, &causes, &mut found);
            }
        }
        found
    }

    fn ask(
        &self,
        class: &CrawlerClass,
        usage: &Usage,
        purposes: &[String],
        walked: &Regions,
        causes: &CausesOf<'_, '_>,
        found: &mut ClassFindings,
    ) {
        found.is_exact &= walked.is_exact;
        found.states += walked.states;
        let asked = UseQuery { crawler: &class.crawler, usage, purposes };
        for region in walked.regions.iter().filter(|region| region.path != "/robots.txt") {
            if !self.budget.takes_question(class) {
                found.is_exact = false;
                return;
            }
            let url = format!("{ORIGIN}{}", region.path);
            let Some(first) = self.policies.first() else { return };
            let ours = first.verdict(asked, &url);
            for (reading, other) in self.policies.iter().enumerate().skip(1) {
                let theirs = other.verdict(asked, &url);
                if ours == theirs {
                    continue;
                }
                found.items.push(DivergentDecision {
                    usage: usage.clone(),
                    purpose: purposes.first().cloned(),
                    path: region.path.clone(),
                    reading,
                    cause: causes.of(reading, asked, &url),
                    ours: ours.clone(),
                    theirs,
                    ours_by: first.decider(asked, &url),
                    theirs_by: other.decider(asked, &url),
                });
            }
        }
    }
}

impl Answers for ReadingComparison<'_> {
    fn answers(&self, crawler: &Crawler, usage: &Usage, readings: &[usize], alike: &Alike, path: &str) -> bool {
        let url = format!("{ORIGIN}{path}");
        let asked = UseQuery { crawler, usage, purposes: alike.purpose.as_slice() };
        let answers = |policy: &QueriedPolicy<'_>, verdict: &Verdict| policy.verdict(asked, &url) == *verdict;
        let mut others = readings.iter().filter_map(|number| self.policies.get(*number));
        self.policies.first().is_some_and(|first| answers(first, &alike.ours))
            && others.all(|other| answers(other, &alike.theirs))
    }
}
