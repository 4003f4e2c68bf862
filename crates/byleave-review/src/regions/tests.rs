//! Checks the regions against all short paths, and checks that the engine makes the same decision for all paths in a
//! region.

use super::*;
use byleave::analysis::comparable_path;
use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Returns every path that consists of `/` and up to `most` of these letters.
fn all_paths(letters: &[&str], most: usize) -> Vec<String> {
    let mut paths = vec!["/".to_owned()];
    let mut last = paths.clone();
    for _ in 0..most {
        last = last.iter().flat_map(|path| letters.iter().map(move |letter| format!("{path}{letter}"))).collect();
        paths.extend(last.iter().cloned());
    }
    paths
}

fn applicable(patterns: &[String], reading: Reading) -> Vec<ApplicablePattern> {
    let rules: String = patterns.iter().map(|pattern| format!("Disallow: {pattern}\n")).collect();
    let robots_txt = format!("User-agent: *\n{rules}");
    let evidence = Site::of_robots_txt(robots_txt.as_bytes(), reading);
    let rules = evidence.applicable_to(&Crawler::named("a")).rules;
    let entry =
        |pattern| ApplicablePattern { pattern, reading: 0, sides: 1, rank: None, permits: false, is_changed: true };
    rules.into_iter().map(|rule| entry(rule.pattern)).collect()
}

/// Returns the numbers of the patterns that match a path.
fn matched(patterns: &[ApplicablePattern], path: &str, reading: Reading) -> Vec<usize> {
    let path = comparable_path(&format!("{ORIGIN}{path}"), reading);
    (0..).zip(patterns).filter(|(_, entry)| entry.pattern.matches(&path)).map(|(number, _)| number).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Law: each set of patterns that match a short path is found exactly once.
    #[test]
    fn every_region_is_found_once(
        patterns in prop::collection::vec("[/*](a|b|%2F|%C3|\\*|/){0,4}[$]?", 1..6),
        number in 0usize..4,
    ) {
        let reading = Reading::OF_ROBOTS_TXT[number];
        let patterns = applicable(&patterns, reading);
        let found = regions(&Space::Paths(reading), &patterns, Ties::Distinct, Wanted::All, WalkLimit::DEFAULT);
        prop_assert!(found.is_exact);
        let match_sets: Vec<_> = found.regions.iter().map(|region| matched(&patterns, &region.path, reading)).collect();
        let different: BTreeSet<_> = match_sets.iter().cloned().collect();
        prop_assert_eq!(different.len(), match_sets.len(), "{:?}", found.regions);
        for path in all_paths(&["a", "b", "/", "%2F", "%C3", "x"], 3) {
            prop_assert!(different.contains(&matched(&patterns, &path, reading)), "{} of {:?}", path, patterns);
        }
    }

    /// Law: paths that match the same patterns get the same decision in every reading, from rules and from ACAP fields.
    #[test]
    fn s13_paths_of_one_region_are_decided_alike(
        fields in prop::collection::vec(
            ("(Allow|Disallow|ACAP-allow-crawl|ACAP-disallow-crawl|ACAP-allow-index|ACAP-disallow-other)",
             "/(a|B|%2f|%c3|\\*|/|=){0,4}[$]?"),
            1..7),
        paths in prop::collection::vec("/(a|b|A|B|%2F|%2f|%3D|=|%C3%A9|x|/|robots.txt){0,5}", 2..60),
    ) {
        let of = |is_acap: bool| {
            let lines = fields.iter().filter(move |(name, _)| name.starts_with("ACAP") == is_acap);
            lines.map(|(name, pattern)| format!("{name}: {pattern}\n")).collect::<String>()
        };
        let robots_txt = format!("User-agent: *\n{}\nACAP-crawler: *\n{}", of(false), of(true));
        let crawler = Crawler::named("a");
        for reading in Reading::OF_ROBOTS_TXT {
            let evidence = Site::of_robots_txt(robots_txt.as_bytes(), *reading);
            let applicable = evidence.applicable_to(&crawler);
            for usage in [&Usage::Crawl, &Usage::Index, &Usage::Follow] {
                let mut known: BTreeMap<Vec<bool>, (Outcome, String)> = BTreeMap::new();
                for path in &paths {
                    let url = format!("{ORIGIN}{path}");
                    let comparable = comparable_path(&url, *reading);
                    let rules = applicable.rules.iter().map(|rule| &rule.pattern);
                    let of_usage = applicable.fields.iter().filter(|field| field.may_apply_to(usage));
                    let patterns = rules.chain(of_usage.map(|field| &field.pattern));
                    let mut match_set: Vec<bool> = patterns.map(|pattern| pattern.matches(&comparable)).collect();
                    match_set.push(comparable == b"/robots.txt");
                    let decided = byleave::analysis::decide_unchecked(&evidence, &ProposedUse::new(&url, &crawler, usage)).outcome;
                    let (first, where_) = known.entry(match_set).or_insert((decided, path.clone()));
                    prop_assert_eq!(*first, decided, "{} and {} in {} of\n{}", where_, path, reading, robots_txt);
                }
            }
        }
    }
}

#[test]
fn s13_rules_that_can_no_longer_be_selected_are_dropped() {
    let ranked = |pattern: &str, rank: u32, sides: u8| {
        let pattern = applicable(&[pattern.to_owned()], Reading::Default).remove(0).pattern;
        ApplicablePattern { pattern, reading: 0, sides, rank: Some(rank), permits: false, is_changed: sides != 3 }
    };
    // Forty patterns overlap in 2^40 ways, but only the highest rank matters.
    let mut many: Vec<ApplicablePattern> = (0..40).map(|n| ranked(&format!("/*{n}="), 10 + 2 * n, 3)).collect();
    many.push(ranked("/*print=", 30, 1));
    let found = regions(&Space::Paths(Reading::Default), &many, Ties::Equivalent, Wanted::Changed, WalkLimit::DEFAULT);
    assert!(found.is_exact, "{} states", found.states);
    let below = many.iter().filter(|entry| entry.rank < Some(30)).count();
    assert_eq!(found.regions.len(), below + 1, "`/*print=` matches with each rule of a lower rank, and alone");
    assert_eq!(found.regions.first().map(|region| region.path.as_str()), Some("/print="));
    // Every rule prohibits. So once a pattern that both policies contain has matched, both policies prohibit the path,
    // whatever letters follow.
    let unlike = |patterns: &[ApplicablePattern]| {
        let found = regions(
            &Space::Paths(Reading::Default),
            patterns,
            Ties::Equivalent,
            Wanted::Differing(2),
            WalkLimit::DEFAULT,
        );
        found.regions.into_iter().map(|region| region.path).collect::<Vec<_>>()
    };
    assert_eq!(unlike(&many), ["/print="]);
    // After both policies have prohibited a path, a permission of a higher rank may still be selected in one of them.
    many.push(ApplicablePattern { permits: true, ..ranked("/*0=*open=", 200, 1) });
    assert!(unlike(&many).contains(&"/0=open=".to_owned()), "{:?}", unlike(&many));
}

#[test]
fn literals_make_as_many_states_as_they_have_octets() {
    let patterns: Vec<String> = (0..3000).map(|n| format!("/shop/{}/item-{n}/", n % 70)).collect();
    let octets: usize = patterns.iter().map(String::len).sum();
    let patterns = applicable(&patterns, Reading::Default);
    let found = regions(&Space::Paths(Reading::Default), &patterns, Ties::Distinct, Wanted::All, WalkLimit::DEFAULT);
    assert!(found.is_exact && found.states < octets, "{} states, {octets} octets", found.states);
    assert_eq!(found.regions.len(), patterns.len() + 1);
}

#[test]
fn beyond_the_bound_paths_are_asked_about_where_patterns_meet() {
    let patterns: Vec<String> = (0..12).map(|n| format!("/*{n}a*{n}b")).collect();
    let patterns = applicable(&patterns, Reading::Default);
    let most = WalkLimit { states: 50, ..WalkLimit::DEFAULT };
    let found = regions(&Space::Paths(Reading::Default), &patterns, Ties::Distinct, Wanted::All, most);
    assert!(!found.is_exact);
    let match_sets: BTreeSet<_> =
        found.regions.iter().map(|region| matched(&patterns, &region.path, Reading::Default)).collect();
    for (one, other) in (0..12).flat_map(|one| (0..12).map(move |other| (one, other))) {
        assert!(
            match_sets.iter().any(|match_set| match_set.contains(&one) && match_set.contains(&other)),
            "{one} and {other}"
        );
    }
}

#[test]
fn a_path_is_as_short_as_any() {
    let paths = |patterns: &[&str]| {
        let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        let patterns = applicable(&patterns, Reading::Default);
        let found =
            regions(&Space::Paths(Reading::Default), &patterns, Ties::Distinct, Wanted::All, WalkLimit::DEFAULT);
        found.regions.into_iter().map(|region| region.path).collect::<Vec<_>>()
    };
    assert_eq!(paths(&["/a/"]), ["/", "/a/"]);
    assert_eq!(paths(&["/a$", "/a"]), ["/", "/a", "/ax"]);
    assert_eq!(paths(&["/*.gif$", "/i/"]), ["/", "/i/", "/.gif", "/i/.gif"]);
    assert_eq!(paths(&["/%C3%A9"]), ["/", "/%C3%A9"]);
    assert_eq!(paths(&["/%7E"]), ["/", "/~"]);
}
