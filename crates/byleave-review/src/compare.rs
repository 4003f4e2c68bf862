//! Compares the readings of one site: for which crawlers, usages and paths they differ, and why.
//!
//! Only paths in the normal form of RFC 3986 6.2.2 are compared. In this form an octet is escaped only where required.
//! A reserved character is escaped only if some pattern on the site escapes it. Paths in other spellings are skipped,
//! because readings differ about them in the same way on every site: Google's parser does not read `%61` as `a`, and in
//! strict RFC 9309 `%2F` is `/`. For the same reason `/robots.txt` itself is excluded: every reading except `google`
//! always permits it.

mod cause;
mod divergence;

pub use cause::DivergenceCause;
pub use divergence::{Divergence, DivergentPlace};

use crate::applicable::{escaped_in, field_patterns, preference_patterns, walk_in_readings};
use crate::budget::Budget;
use crate::crawler_classes::{CrawlerClass, CrawlerClasses, crawler_classes};
use crate::grouping::ClassFindings;
use crate::regions::{Regions, WalkLimit};
use crate::scope::{Proof, ReviewScope, is_truncated, purposes, usages};
use crate::verdict::{QueriedPolicy, UseQuery, Verdict};
use byleave::analysis::{ApplicableRules, ComparablePattern};
use byleave::{Reading, Site, Usage};
use cause::Causes;
use divergence::DivergenceGrouping;
use std::collections::{BTreeSet, HashMap};

/// Where the readings of one site differ.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// Whether the result holds for every path.
    pub proof: Proof,
    /// The differences, largest first.
    pub divergences: Vec<Divergence>,
    /// Whether the file exceeds the size limit, so that its end was not read (S-22).
    pub is_truncated: bool,
    /// The number of states that the walks over paths visited, as a measure of the work.
    pub states: usize,
    /// The number of decisions that the engine was asked for.
    pub questions: usize,
}

/// Returns where the readings of one site decide differently. The caller passes the site once per reading. The first
/// reading is the reference for the others.
///
/// ```
/// use byleave::{Site, Reading};
/// use byleave_review::{ReviewScope, compare::compare};
/// let robots_txt = b"User-agent: *\nDissalow: /a/\n";
/// let read: Vec<_> = Reading::OF_ROBOTS_TXT.iter().map(|reading| Site::of_robots_txt(robots_txt, *reading)).collect();
/// let compared = compare(&read.iter().collect::<Vec<_>>(), &ReviewScope::default());
/// let found = &compared.divergences[0];
/// assert_eq!(found.sentence(), "`crawl` on `/a/` is permitted for every crawler in rfc9309, but prohibited in default");
/// assert_eq!(found.because(), "because a misspelt line, or one without a colon, is not a rule there (S-18)");
/// assert_eq!(found.places[0].example, "/a/");
/// ```
///
/// Cost: bounded for any input. If a limit is reached, the result is marked as not proven.
#[must_use]
pub fn compare(readings: &[&Site<'_>], scope: &ReviewScope) -> Comparison {
    let policies: Vec<QueriedPolicy<'_>> =
        readings.iter().take(MAX_READINGS).map(|site| QueriedPolicy::new(site)).collect();
    let sites: Vec<&Site<'_>> = policies.iter().map(|policy| policy.site).collect();
    let CrawlerClasses { classes, is_whole } = crawler_classes(&sites, scope);
    let budget = Budget::new(WalkLimit::DEFAULT);
    let (purposes, has_all_purposes) = purposes(&sites, &budget);
    let escaped = escaped_in(classes.iter().flat_map(|class| &class.applicable));
    let comparing = ReadingComparison {
        policies: &policies,
        causes: Causes::new(&policies),
        usages: usages(&sites, scope),
        purposes,
        escaped,
        budget,
    };
    let mut grouping = DivergenceGrouping::new(&policies);
    let (mut is_exact, mut states) = (is_whole && has_all_purposes && classes.len() <= MAX_CLASSES, 0);
    for class in classes.iter().take(MAX_CLASSES) {
        let found = comparing.of_class(class);
        is_exact &= found.is_exact;
        states += found.states;
        grouping.add(class, found.uses);
    }
    Comparison {
        proof: Proof::of(is_exact),
        divergences: grouping.divergences(comparing.usages.len()),
        is_truncated: sites.iter().any(|site| is_truncated(site)),
        states,
        questions: policies.iter().map(|policy| policy.questions.get()).sum(),
    }
}

/// At most this many crawler classes are compared. In a reading that shortens names, many groups may bind each crawler,
/// so one class may be expensive.
const MAX_CLASSES: usize = 2_000;

/// At most this many readings are compared at once.
const MAX_READINGS: usize = 8;

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
    fn of_class(&self, class: &CrawlerClass) -> ClassFindings<DivergenceCause> {
        let mut found = ClassFindings::new(true);
        let causes = self.causes.of_class(class);
        let readings = self.policies.iter().map(|policy| policy.site.reading());
        let policies: Vec<(&ApplicableRules, Reading)> = class.applicable.iter().zip(readings).collect();
        let mut known: HashMap<Vec<ComparablePattern>, Regions> = HashMap::new();
        for usage in &self.usages {
            // Conventional rules address only `crawl` (S-13).
            let has_preference = class.has_preferences_of(usage);
            if !class.has_acap() && !has_preference && *usage != Usage::Crawl {
                continue;
            }
            let mut fields = field_patterns(usage, &class.applicable);
            if has_preference {
                // In readings without preferences, no preference applies to any path.
                let is_read = |(_, reading): &&(&ApplicableRules, Reading)| reading.switches().reads_preferences;
                let reading: Vec<(&ApplicableRules, usize)> =
                    policies.iter().filter(is_read).map(|(applicable, _)| (*applicable, 0)).collect();
                fields.extend(preference_patterns(usage, &reading));
                let escapes = Reading::Default.switches().escapes;
                let is_alike = |(_, reading): &(&ApplicableRules, Reading)| reading.switches().escapes == escapes;
                found.is_exact &= self.escaped.is_empty() || policies.iter().filter(is_read).all(is_alike);
            }
            let key = fields.iter().map(|entry| entry.pattern.clone()).collect();
            let walk = || {
                let mut walked = walk_in_readings(usage, fields, &policies, &self.escaped, &self.budget);
                walked.regions.retain(|region| region.path != "/robots.txt");
                walked
            };
            // Only the regions for `crawl` depend on rules, so they are not shared with other usages.
            let own;
            let walked = if *usage == Usage::Crawl {
                own = walk();
                &own
            } else {
                &*known.entry(key).or_insert_with(walk)
            };
            for purposes in &self.purposes {
                let query = UseQuery { crawler: &class.crawler, usage, purposes };
                let explain = |policy: usize, url: &str, _: [&Verdict; 2]| (causes.of(policy, query, url), None);
                found.ask((self.policies, &self.budget), class, query, walked, explain);
            }
        }
        found
    }
}
