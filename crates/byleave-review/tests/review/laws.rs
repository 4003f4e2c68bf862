//! Checks diffs and comparisons on every short path, and checks changes that must make no difference.

use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage};
use byleave_review::compare::{Divergence, compare};
use byleave_review::crawlers;
use byleave_review::diff::{Difference, diff, unexpected_changes};
use byleave_review::{Budget, DecidingStatement, Proof, ReviewScope, Verdict};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// According to the catalogue, the second crawler falls back to the first.
const NAMES: [&str; 4] = ["Googlebot", "Googlebot-Image", "AI2", "nobody"];
const USAGES: [Usage; 7] =
    [Usage::Crawl, Usage::Index, Usage::Follow, Usage::PresentSnippet, Usage::Preserve, Usage::TrainAi, Usage::Search];

fn decided(site: &Site<'_>, crawler: &Crawler, usage: &Usage, path: &str) -> Verdict {
    let url = format!("https://example.com{path}");
    let proposed = ProposedUse::new(&url, crawler, usage);
    let outcome = byleave::analysis::decide_unchecked(site, &proposed).outcome;
    let conditions = match outcome {
        Outcome::Conditional => byleave::analysis::explain_unchecked(site, &proposed).expressed,
        _ => Vec::new(),
    };
    Verdict { outcome, conditions: conditions.iter().map(ToString::to_string).collect() }
}

/// Returns the usages to ask about. All other usages are decided like `other`.
fn usages(policies: &[&Site<'_>]) -> Vec<&'static Usage> {
    let is_standard = |usage: &Usage| !matches!(usage, Usage::TrainAi | Usage::Search);
    let is_spoken_of = |usage: &Usage| policies.iter().any(|one| one.usages_addressed().contains(usage));
    USAGES.iter().filter(|usage| is_standard(usage) || is_spoken_of(usage)).collect()
}

/// Returns whether a line decides, and not a default.
fn has_line(site: &Site<'_>, crawler: &Crawler, usage: &Usage, path: &str) -> bool {
    let url = format!("https://example.com{path}");
    byleave::analysis::decide_unchecked(site, &ProposedUse::new(&url, crawler, usage)).reason.statement().is_some()
}

fn changes(old: &str, new: &str, reading: Reading) -> Difference {
    let [old, new] = [old, new].map(|text| Site::of_robots_txt(text.as_bytes(), reading));
    diff(&old, &new, &ReviewScope::default())
}

/// Returns every path that consists of `/` and up to three of these letters, and `/robots.txt`.
fn paths() -> Vec<String> {
    let letters = ["a", "b", "x", "/", "%2F"];
    let mut paths = vec!["/".to_owned(), "/robots.txt".to_owned()];
    let mut last = vec!["/".to_owned()];
    for _ in 0..3 {
        last = last.iter().flat_map(|path| letters.iter().map(move |letter| format!("{path}{letter}"))).collect();
        paths.extend(last.iter().cloned());
    }
    paths
}

fn pattern() -> impl Strategy<Value = String> {
    "[/*](a|b|\\*|/|%2F|%61){0,3}[$]?"
}

/// A line in an AI-preference dialect.
fn preference() -> impl Strategy<Value = String> {
    let field = prop::sample::select(vec![
        ("Content-Usage", "train-ai=n"),
        ("Content-Usage", "train-ai=y, search=n"),
        ("Content-Usage", "search=y, train-ai=?"),
        ("Content-Signal", "ai-train=yes"),
        ("Content-Signal", "search=no"),
        ("Content-Signal", "search=yes, ai-train=no"),
        ("DisallowAITraining", ""),
        ("AllowAITraining", ""),
    ]);
    let path = prop_oneof![2 => pattern().prop_map(|pattern| format!("{pattern} ")), 1 => Just(String::new())];
    (field, path).prop_map(|((field, words), path)| format!("{field}: {path}{words}\n"))
}

/// The lines of a conventional or ACAP group.
fn group(is_acap: bool) -> impl Strategy<Value = String> {
    let field = if is_acap {
        prop::sample::select(vec![
            "ACAP-allow-crawl",
            "ACAP-disallow-crawl",
            "ACAP-allow-index",
            "ACAP-disallow-index",
            "ACAP-disallow-other",
            "ACAP-allow-other",
            "ACAP-allow-present",
            "ACAP-disallow-present-snippet",
            "ACAP-allow-(local)",
        ])
    } else {
        prop::sample::select(vec!["Allow", "Disallow", "Disallow", "Dissalow"])
    };
    let names = prop::sample::subsequence(vec!["Googlebot", "Googlebot-Image", "AI2", "*"], 1..3);
    let resource = if is_acap {
        prop_oneof![4 => pattern(), 1 => Just("the-acap:resource-set:set".to_owned())].boxed()
    } else {
        pattern().boxed()
    };
    let line = (field, resource).prop_map(|(field, resource)| format!("{field}: {resource}\n"));
    let line = if is_acap { line.boxed() } else { prop_oneof![4 => line, 1 => preference()].boxed() };
    (names, prop::collection::vec(line, 0..4)).prop_map(move |(names, lines)| {
        let head = if is_acap { "ACAP-crawler" } else { "User-agent" };
        let names: String = names.iter().map(|name| format!("{head}: {name}\n")).collect();
        format!("{names}{}\n", lines.concat())
    })
}

/// Definitions of a resource set and a local usage.
fn definitions() -> impl Strategy<Value = String> {
    let set = prop::collection::vec(pattern(), 1..3).prop_map(|patterns| patterns.join(" "));
    let days = prop::sample::select(vec!["2", "3"]);
    (set, days).prop_map(|(set, days)| {
        format!("ACAP-resource-set: set {set}\nACAP-qualified-usage: local preserve time-limit={days}-days\n")
    })
}

/// A robots.txt. One in three contains ACAP fields.
fn file() -> impl Strategy<Value = String> {
    let plain = || prop::collection::vec(group(false), 0..4).prop_map(|groups| groups.concat());
    let acap = prop::collection::vec(group(true), 1..3).prop_map(|groups| groups.concat());
    let ignoring = prop::sample::select(vec!["", "", "", "ACAP-ignore-conventional-records\n"]);
    let both = (plain(), definitions(), acap, ignoring)
        .prop_map(|(plain, definitions, acap, ignoring)| format!("{plain}{definitions}{acap}{ignoring}"));
    prop_oneof![2 => plain(), 1 => both]
}

/// Two files that share most lines.
fn pair() -> impl Strategy<Value = (String, String)> {
    let edited = (file(), any::<prop::sample::Index>(), pattern()).prop_map(|(old, at, pattern)| {
        let mut lines: Vec<String> = old.lines().map(ToOwned::to_owned).collect();
        let at = at.index(lines.len() + 1);
        lines.insert(at, format!("Disallow: {pattern}"));
        (old, lines.join("\n"))
    });
    let redefined = (definitions(), definitions(), prop::collection::vec(group(true), 1..3))
        .prop_map(|(old, new, groups)| (format!("{old}{}", groups.concat()), format!("{new}{}", groups.concat())));
    prop_oneof![(file(), file()), edited, redefined]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Every differing decision is part of a change that names the deciding lines, and every example differs as its
    /// change states.
    #[test]
    fn a_diff_agrees_with_every_short_path((old, new) in pair(), number in 0usize..4) {
        let reading = Reading::OF_ROBOTS_TXT[number];
        let found = changes(&old, &new, reading);
        prop_assert_eq!(found.proof, Proof::Exact);
        let [was, is] = [&old, &new].map(|text| Site::of_robots_txt(text.as_bytes(), reading));
        let paths = paths();
        for name in NAMES {
            let is_named = |names: &[String]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
            let mut spoken_of = [&was, &is].into_iter().flat_map(|one| one.crawlers_with_groups());
            let is_unnamed = !spoken_of.any(|known| known.eq_ignore_ascii_case(name.as_bytes()));
            // Crawlers that no group names and that fall back to another crawler are not listed.
            let crawler = if is_unnamed { Crawler::named(name) } else { crawlers::crawler(name) };
            for usage in usages(&[&was, &is]) {
                for path in &paths {
                    let (before, after) = (decided(&was, &crawler, usage, path), decided(&is, &crawler, usage, path));
                    if before == after {
                        continue;
                    }
                    let lines = [&was, &is].map(|one| has_line(one, &crawler, usage, path));
                    let told = found.changes.iter().any(|change| {
                        let is_who = is_named(&change.crawlers) || is_unnamed && change.is_for_unnamed;
                        let is_what = change.usages.contains(usage) && change.purpose.is_none();
                        is_who && is_what && change.before == before && change.after == after
                            && change.places.iter().any(|place| {
                                // If several rules have equal rank, any of them may be named. A class of crawlers names
                                // the lines for its first crawler.
                                let by = |known: &[DecidingStatement], by_default: bool, has_line: bool| {
                                    if has_line { !known.is_empty() } else { by_default }
                                };
                                by(&place.was_by, place.was_by_default, lines[0])
                                    && by(&place.is_by, place.is_by_default, lines[1])
                            })
                    });
                    prop_assert!(told, "{name} {usage} {path}: {before:?} {after:?} in {reading}\n{old}\n---\n{new}\n{:#?}", found.changes);
                }
            }
        }
        for change in &found.changes {
            let nobody = change.is_for_unnamed.then(|| "some-other-crawler".to_owned());
            for crawler in change.crawlers.iter().chain(&nobody) {
                for usage in &change.usages {
                    for place in &change.places {
                        let asked = crawlers::crawler(crawler);
                        let before = decided(&was, &asked, usage, &place.example);
                        let after = decided(&is, &asked, usage, &place.example);
                        prop_assert_eq!((&before, &after), (&change.before, &change.after), "{} {}", crawler, &place.example);
                    }
                }
            }
        }
    }

    /// `unexpected_changes` omits only expected changes, and adds no change.
    #[test]
    fn unexpected_changes_agree_with_a_diff(
        (old, new) in pair(),
        number in 0usize..4,
        name in prop::option::of(prop::sample::select(NAMES.to_vec())),
        to in prop::sample::select(vec![Outcome::Permitted, Outcome::Prohibited]),
    ) {
        let [was, is] = [&old, &new].map(|text| Site::of_robots_txt(text.as_bytes(), Reading::OF_ROBOTS_TXT[number]));
        let is_expected =
            |crawler: Option<&str>, [_, after]: [Outcome; 2]| after == to && (name.is_none() || crawler == name);
        let (scope, budget) = (ReviewScope::default(), Budget::of_states(100_000));
        let found = unexpected_changes(&was, &is, &scope, &budget, &is_expected);
        prop_assert_eq!(found.proof, Proof::Exact);
        let uses = |difference: &Difference| -> BTreeSet<String> {
            let mut uses = BTreeSet::new();
            for change in &difference.changes {
                let named = change.crawlers.iter().map(|name| Some(name.as_str()));
                for crawler in named.chain(change.is_for_unnamed.then_some(None)) {
                    let outcomes = [change.before.outcome, change.after.outcome];
                    let is_left = |usage: &&Usage| **usage != Usage::Crawl || !is_expected(crawler, outcomes);
                    for usage in change.usages.iter().filter(is_left) {
                        uses.insert(format!("{crawler:?} {usage} {:?} {outcomes:?}", change.purpose));
                    }
                }
            }
            uses
        };
        prop_assert_eq!(uses(&found), uses(&diff(&was, &is, &scope)), "{}\n---\n{}", old, new);
    }

    /// A file does not differ from itself.
    #[test]
    fn nothing_changes_from_a_file_to_itself(file in file(), number in 0usize..4) {
        let found = changes(&file, &file, Reading::OF_ROBOTS_TXT[number]);
        prop_assert!(found.is_empty() && found.proof == Proof::Exact, "{:#?}", found);
    }

    /// S-32: the order of lines in a group, comments, blank lines and the case of names make no difference.
    #[test]
    fn s32_layout_changes_nothing(
        names in prop::sample::subsequence(vec!["one", "two", "*"], 1..3),
        rules in prop::collection::vec((prop::sample::select(vec!["Allow", "Disallow"]), pattern()), 1..6),
        number in 0usize..4,
    ) {
        let old: String = names.iter().map(|name| format!("User-agent: {name}\n")).collect::<String>()
            + &rules.iter().map(|(field, pattern)| format!("{field}: {pattern}\n")).collect::<String>();
        let new: String = names.iter().rev().map(|name| format!("USER-AGENT:{}\r\n# who\r\n", name.to_uppercase())).collect::<String>()
            + &rules.iter().rev().map(|(field, pattern)| format!("\t{}: {pattern} # a\r\n\r\n", field.to_lowercase())).collect::<String>();
        let found = changes(&old, &new, Reading::OF_ROBOTS_TXT[number]);
        prop_assert!(found.is_empty(), "{}\n---\n{}\n{:#?}", old, new, found.changes);
    }

    /// A reversed diff mirrors the original diff.
    #[test]
    fn a_reversed_diff_is_the_mirror_image((old, new) in pair()) {
        let forth = changes(&old, &new, Reading::Default);
        let back = changes(&new, &old, Reading::Default);
        let told = |found: &Difference, is_back: bool| {
            let mut told: Vec<String> = found.changes.iter().map(|change| {
                let (before, after) =
                    if is_back { (&change.after, &change.before) } else { (&change.before, &change.after) };
                let mut crawlers = change.crawlers.clone();
                crawlers.sort();
                let places: Vec<_> = change.places.iter().map(|place| &place.pattern).collect();
                format!("{crawlers:?} {} {:?} {before:?} {after:?} {places:?}", change.is_for_unnamed, change.usages)
            }).collect();
            told.sort();
            told
        };
        prop_assert_eq!(told(&forth, false), told(&back, true));
    }

    /// A comparison lists all readings that differ on a short path, and the readings differ on every example.
    #[test]
    fn a_comparison_agrees_with_every_short_path(file in file()) {
        let read: Vec<Site<'_>> =
            Reading::OF_ROBOTS_TXT.iter().map(|reading| Site::of_robots_txt(file.as_bytes(), *reading)).collect();
        let found = compare(&read.iter().collect::<Vec<_>>(), &ReviewScope::default());
        prop_assert_eq!(found.proof, Proof::Exact);
        let has_escape = |name: &str| {
            let rules = read[0].applicable_to(&crawlers::crawler(name));
            let fields = rules.fields.iter().map(|field| &field.pattern);
            let preferences = rules.preferences.iter().map(|one| &one.pattern);
            let mut patterns = rules.rules.iter().map(|rule| &rule.pattern).chain(fields).chain(preferences);
            patterns.any(|pattern| pattern.pieces().any(|piece| piece.windows(3).any(|part| part.eq_ignore_ascii_case(b"%2F"))))
        };
        let has_escapes = NAMES.iter().any(|name| has_escape(name));
        let paths = paths();
        for name in NAMES {
            let is_named = |names: &[String]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
            let mut spoken_of = read.iter().flat_map(|one| one.crawlers_with_groups());
            let is_unnamed = !spoken_of.any(|known| known.eq_ignore_ascii_case(name.as_bytes()));
            let crawler = if is_unnamed { Crawler::named(name) } else { crawlers::crawler(name) };
            let usages = usages(&read.iter().collect::<Vec<_>>());
            for (usage, path) in usages.into_iter().flat_map(|usage| paths.iter().map(move |path| (usage, path))) {
                // Paths with escapes are compared only if the file contains escapes.
                if path.contains("%2F") && !has_escapes || path == "/robots.txt" {
                    continue;
                }
                let ours = decided(&read[0], &crawler, usage, path);
                for other in &read[1..] {
                    let theirs = decided(other, &crawler, usage, path);
                    let told = found.divergences.iter().any(|one| {
                        let is_who = is_named(&one.crawlers) || is_unnamed && one.is_for_unnamed;
                        let is_what = one.usages.contains(usage) && one.readings.contains(&other.reading());
                        is_who && is_what && one.theirs == theirs && one.ours.as_ref().is_none_or(|known| *known == ours)
                    });
                    let reading = other.reading();
                    prop_assert!(ours == theirs || told, "{name} {usage} {path} in {reading}\n{file}\n{:#?}", found.divergences);
                }
            }
        }
        for one in &found.divergences {
            let nobody = one.is_for_unnamed.then(|| "some-other-crawler".to_owned());
            let crawlers: Vec<Crawler> = one.crawlers.iter().chain(&nobody).map(|name| crawlers::crawler(name)).collect();
            prop_assert!(!one.places.is_empty() && !crawlers.is_empty() && one.ours.as_ref() != Some(&one.theirs));
            // If only some readings read the statements about a usage, these statements form one divergence, whatever
            // they state.
            for place in one.places.iter().filter(|_| one.ours.is_some()) {
                for (crawler, usage) in crawlers.iter().flat_map(|crawler| one.usages.iter().map(move |usage| (crawler, usage))) {
                    let verdict = |reading: Reading| {
                        let site = read.iter().find(|one| one.reading() == reading).unwrap();
                        decided(site, crawler, usage, &place.example)
                    };
                    prop_assert_eq!(Some(verdict(one.against)), one.ours.clone(), "{} {}", crawler.name(), &place.example);
                    for reading in &one.readings {
                        prop_assert_eq!(verdict(*reading), one.theirs.clone(), "{} {}", crawler.name(), &place.example);
                    }
                }
            }
        }
    }
}

/// Each kind of difference between readings is given its own cause.
#[test]
fn each_difference_between_readings_has_its_cause() {
    let causes = |file: &str| {
        let read: Vec<Site<'_>> =
            Reading::OF_ROBOTS_TXT.iter().map(|reading| Site::of_robots_txt(file.as_bytes(), *reading)).collect();
        let found = compare(&read.iter().collect::<Vec<_>>(), &ReviewScope::default());
        let cause = |one: &Divergence| {
            let readings: Vec<&str> = one.readings.iter().map(|reading| reading.name()).collect();
            format!("{} {}", readings.join(","), one.cause.name())
        };
        let mut causes: Vec<String> = found.divergences.iter().map(cause).collect();
        causes.sort();
        causes.dedup();
        causes
    };
    let rule = |line: &str| causes(&format!("User-agent: *\nDisallow: /z/\n{line}\n"));
    assert_eq!(rule("Disallow: /a"), Vec::<String>::new());
    assert_eq!(rule("Dissalow: /a"), ["rfc9309 forgiven"]);
    assert_eq!(rule("Disallow /a"), ["rfc9309 forgiven"]);
    assert_eq!(rule("Disallow: /\nAllow: *.txt"), ["strict leniency"]);
    assert_eq!(rule("DisallowAITraining: /a"), ["google prefix-field", "rfc9309,google preferences-unread"]);
    assert_eq!(rule("Content-Signal: ai-train=no"), ["rfc9309,google preferences-unread"]);
    assert_eq!(rule("Content-Usage: /a search=y"), ["rfc9309,google preferences-unread"]);
    assert_eq!(rule("Allow: /z/index.html"), ["google index-page"]);
    assert_eq!(rule("Disallow: /a b"), ["google escapes"]);
    assert_eq!(rule("Disallow: /%7Ea"), ["google escapes"]);
    assert_eq!(rule("Disallow: /a%2Fb"), ["rfc9309 escapes"]);
    assert_eq!(causes("User-agent: AI2\nDisallow: /a\n"), ["rfc9309,google names"]);
    assert_eq!(rule("\nACAP-crawler: *\nACAP-disallow-crawl: /a"), ["rfc9309,google acap-unread"]);
    assert_eq!(rule("\nACAP-crawler: *\nDisallow: /a"), ["rfc9309,google acap-ends-groups"]);
    assert_eq!(rule("\nACAP-crawler: *\nACAP-permissions-reference: /not-given.txt"), ["rfc9309,google acap-unread"]);
    assert_eq!(rule(&format!("Disallow: /{}*b", "a".repeat(17_000))), ["google line-end"]);
}
