//! Compares the decisions and facts of two versions of a robots.txt, in every reading.
//!
//! Decisions are compared by `byleave-review`, for every crawler, usage and path. Facts, such as sitemaps, delays and
//! preferences, must match as written.

use crate::context::robots_txt_policy;
use byleave::analysis::vocabulary::Field;
use byleave::{Crawler, Document, Obtained, Outcome, Reading, Site, Usage};
use byleave_review::diff::{Change, unexpected_changes};
use byleave_review::{Budget, NamedCrawlers, Proof, ReviewScope};

/// A difference between two versions of a robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionDifference {
    /// A decision differs.
    Decision {
        /// The reading in which the decision differs.
        reading: Reading,
        /// The name of the crawler, or `None` for a crawler that no group names.
        crawler: Option<String>,
        /// The usage.
        usage: Usage,
        /// A path for which the decision differs.
        path: String,
        /// The outcome in the first version.
        before: Outcome,
        /// The outcome in the second version.
        after: Outcome,
    },
    /// A fact differs, or only one version is read completely.
    Fact {
        /// The reading in which the versions differ.
        reading: Reading,
    },
    /// The comparison limit was reached, so the versions may differ.
    Unknown,
}

/// Two versions of a robots.txt, with the files that it refers to.
pub(crate) struct Versions<'t> {
    pub(crate) before: &'t [u8],
    pub(crate) after: &'t [u8],
    /// The location and the text of each file that robots.txt refers to.
    pub(crate) references: &'t [(&'t str, &'t [u8])],
}

/// Compares the decisions and facts of two versions, in every reading of robots.txt. Returns the first difference that
/// `is_expected` does not accept, or `None` if there is no such difference.
///
/// Cost: at most the rest of the budget. If the budget runs out, the result is [`VersionDifference::Unknown`].
pub(crate) fn compare(
    versions: &Versions<'_>,
    budget: &Budget,
    is_expected: impl Fn(&VersionDifference) -> bool,
) -> Option<VersionDifference> {
    Reading::OF_ROBOTS_TXT.iter().find_map(|reading| compare_in_reading(versions, *reading, budget, &is_expected))
}

/// Returns a budget that suffices for any file that is not adversarial.
pub(crate) fn full_budget() -> Budget {
    Budget::of_states(500_000)
}

/// Returns a budget that suffices for nearly all real files.
pub(crate) fn small_budget() -> Budget {
    Budget::of_states(100_000)
}

fn compare_in_reading(
    versions: &Versions<'_>,
    reading: Reading,
    budget: &Budget,
    is_expected: &dyn Fn(&VersionDifference) -> bool,
) -> Option<VersionDifference> {
    let site = |text| {
        let site = Site::builder(reading).with_robots_txt(Obtained::Status(200), text);
        let references = versions.references.iter();
        references.fold(site, |site, (at, text)| site.with_document(Document::new(*at, *text))).build()
    };
    let versions_read = [&site(versions.before), &site(versions.after)];
    let [before, after] = versions_read;
    let fact = VersionDifference::Fact { reading };
    if facts(before) != facts(after) && !is_expected(&fact) {
        return Some(fact);
    }
    let mut scope = ReviewScope::default();
    scope.named = NamedCrawlers::KnownAndPlain;
    let decision = |crawler: Option<&str>, usage: &Usage, path: &str, [before, after]: [Outcome; 2]| {
        let crawler = crawler.filter(|name| is_named(name, versions_read)).map(str::to_owned);
        VersionDifference::Decision { reading, crawler, usage: usage.clone(), path: path.to_owned(), before, after }
    };
    let decisions = |change: &Change| -> Vec<VersionDifference> {
        let path = change.places.first().map(|place| place.example.as_str()).unwrap_or_default();
        let outcomes = [change.before.outcome, change.after.outcome];
        let named = change.crawlers.iter().map(|name| Some(name.as_str()));
        let crawlers = named.chain(change.is_for_unnamed.then_some(None));
        let uses = crawlers.flat_map(|crawler| change.usages.iter().map(move |usage| (crawler, usage)));
        uses.map(|(crawler, usage)| decision(crawler, usage, path, outcomes)).collect()
    };
    let difference = unexpected_changes(before, after, &scope, budget, &|crawler, outcomes| {
        is_expected(&decision(crawler, &Usage::Crawl, "", outcomes))
    });
    // The facts compared above leave out ACAP requests, so the facts that `byleave-review` lists are checked too.
    let facts = difference.facts.iter().take(1).map(|_| fact.clone());
    let mut found = facts.chain(difference.changes.iter().flat_map(decisions));
    let unknown = (difference.proof != Proof::Exact).then_some(VersionDifference::Unknown);
    found.find(|difference| !is_expected(difference)).or(unknown)
}

/// Returns whether a group in either version names this crawler. The names in a change are not all crawlers with a
/// group: some are forms of a name that this reading does not use (S-35), and some are purposes (S-50).
fn is_named(name: &str, versions: [&Site<'_>; 2]) -> bool {
    versions.into_iter().any(|version| {
        robots_txt_policy(version).is_some_and(|policy| policy.names(&Crawler::named(name)))
            || version.crawlers_with_groups().iter().any(|written| written.eq_ignore_ascii_case(name.as_bytes()))
    })
}

/// A fact without its position: field, value, and the crawlers it applies to.
type PlainFact<'p> = (Field, &'p [u8], Vec<&'p [u8]>);

/// Returns the facts of a robots.txt, and whether it is longer than the part that is read.
fn facts<'e>(site: &'e Site<'_>) -> Option<(Vec<PlainFact<'e>>, bool)> {
    let policy = robots_txt_policy(site)?;
    let facts = policy.facts().into_iter().map(|fact| (fact.field, fact.value, fact.crawlers.to_vec()));
    Some((facts.collect(), policy.is_truncated()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{AllowedChange, Safety};

    fn differs(before: &str, after: &str, safety: &Safety) -> Option<VersionDifference> {
        let versions = Versions { before: before.as_bytes(), after: after.as_bytes(), references: &[] };
        compare(&versions, &full_budget(), |difference| safety.expects(difference))
    }

    #[test]
    fn s40_no_fix_that_changes_a_preference_is_safe() {
        let group = |line: &str| format!("User-agent: *\n{line}\nDisallow: /z/\n");
        let suggested = |allowed| Safety::Suggested { effect: String::new(), allowed };
        let changed = [
            ("Content-Signal: ai-train=no", "Content-Signal: ai-train=yes"),
            ("Content-Usage: /a train-ai=n", "Content-Usage: /b train-ai=n"),
            ("Content-Usage: train-ai=n", "Content-Usage: ai=n"),
            ("DisallowAITraining: /a", "DisallowAITraining: /a/"),
            ("License: /license.xml", ""),
        ];
        for (one, other) in changed {
            for (before, after) in [(group(one), group(other)), (group(other), group(one))] {
                let others = [
                    AllowedChange::OtherParsers,
                    AllowedChange::UnnamedCrawlers,
                    AllowedChange::ToOutcome(Outcome::Prohibited),
                ]
                .map(suggested);
                for safety in others.iter().chain([&Safety::Safe]) {
                    let found = differs(&before, &after, safety);
                    let expected = VersionDifference::Fact { reading: Reading::Default };
                    assert_eq!(found, Some(expected), "{before}{after}{safety:?}");
                }
            }
        }
        // A preference that addresses other crawlers is a different preference.
        let apart = "User-agent: a\nDisallow: /z/\nUser-agent: *\nContent-Signal: search=no\nDisallow: /z/\n";
        let joined = "User-agent: a\nUser-agent: *\nContent-Signal: search=no\nDisallow: /z/\n";
        assert!(differs(apart, joined, &Safety::Safe).is_some());
    }

    #[test]
    fn s50_purposes_of_groups_do_not_hide_a_safe_fix() {
        let purposes: String =
            ["a", "b", "c"].map(|purpose| format!("User-agent-purpose: {purpose}\nDisallow: /{purpose}\n\n")).concat();
        let file = |rules: &str| format!("{purposes}User-agent: *\n{rules}");
        let safe = |rules| differs(&file("Disallow: /x\nDisallow: /x/y\n"), &file(rules), &Safety::Safe);
        assert_eq!(safe("Disallow: /x\n"), None);
        assert!(matches!(safe("Disallow: /x/y\n"), Some(VersionDifference::Decision { crawler: None, .. })));
    }

    #[test]
    fn crawlers_of_the_catalogue_are_compared_with_and_without_fallbacks() {
        let general = "User-agent: Googlebot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n";
        for path in ["/a", "/b"] {
            let named = format!("User-agent: Googlebot-Image\nDisallow: {path}\n\n{general}");
            assert!(differs(&named, general, &Safety::Safe).is_some(), "{path}");
        }
    }

    #[test]
    fn a_comparison_without_budget_is_unknown() {
        let rules: String = (0..20).map(|n| format!("Disallow: /*{n}a*{n}b\nAllow: /*{n}c\n")).collect();
        let (before, after) = (format!("User-agent: *\n{rules}"), format!("User-agent: *\n{rules}Disallow: /*zzz\n"));
        let versions = Versions { before: before.as_bytes(), after: after.as_bytes(), references: &[] };
        assert_eq!(compare(&versions, &Budget::of_states(10), |_| false), Some(VersionDifference::Unknown));
        let to_prohibited = |difference: &VersionDifference| {
            matches!(difference, VersionDifference::Decision { after: Outcome::Prohibited, .. })
        };
        assert_eq!(compare(&versions, &full_budget(), to_prohibited), None);
    }
}
