//! Compares generated files before and after fixing and formatting, with questions that the linter did not choose.
//!
//! The generator comes from the engine's tests. Its small alphabets make patterns overlap often, and it adds
//! misspellings, missing colons, unusual bytes and line endings. `BYLEAVE_SEEDS` sets the number of files.

use byleave::{Crawler, Policy, Reading};
use byleave_lint::{FixLevel, LintInput, Selection, fix, format_robots_txt};
use byleave_testing::generate::{ASKERS, Group, NAMES, Noise, Numbers, groups, noisy, url};

/// Returns a question that two versions of a file answer differently, if one is found.
fn difference(numbers: &mut Numbers, groups: &[Group], before: &[u8], after: &[u8]) -> Option<String> {
    let patterns: Vec<&str> =
        groups.iter().flat_map(|group| &group.rules).map(|(_, pattern)| pattern.as_str()).collect();
    let urls: Vec<String> = (0..30).map(|_| url(numbers, &patterns)).collect();
    for reading in Reading::OF_ROBOTS_TXT {
        let (before, after) = (Policy::parse_as(before, *reading), Policy::parse_as(after, *reading));
        for name in ASKERS.iter().chain(&NAMES) {
            let crawler = Crawler::named(name);
            let (before, after) = (before.bind(&crawler), after.bind(&crawler));
            for url in &urls {
                if before.may_crawl(url) != after.may_crawl(url) {
                    return Some(format!("reading {reading}, crawler `{name}`, `{url}`"));
                }
            }
        }
    }
    None
}

#[test]
fn safe_fixes_and_formatting_change_no_decision() {
    let seeds = std::env::var("BYLEAVE_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(40);
    let (mut fix_count, mut format_count) = (0, 0);
    for seed in 0..seeds {
        let numbers = &mut Numbers::new(seed);
        let groups = groups(numbers);
        let noise = if numbers.one_in(2) { Noise::Any } else { Noise::Harmless };
        let before = noisy(&groups, numbers, noise);
        let input = LintInput::new().with_robots_txt("robots.txt", &before);
        let shown = |after: &[u8]| format!("{}\n--- becomes\n{}", before.escape_ascii(), after.escape_ascii());
        let fixed = fix(&input, &Selection::everything(), FixLevel::Safe).unwrap();
        fix_count += fixed.findings.len();
        if let Some(found) = difference(numbers, &groups, &before, &fixed.text) {
            panic!("seed {seed}: fixed, {found}\n{:?}\n{}", fixed.findings, shown(&fixed.text));
        }
        if let Ok(formatted) = format_robots_txt(&input).unwrap() {
            format_count += 1;
            if let Some(found) = difference(numbers, &groups, &before, &formatted) {
                panic!("seed {seed}: formatted, {found}\n{}", shown(&formatted));
            }
            let again = LintInput::new().with_robots_txt("robots.txt", &formatted);
            assert_eq!(
                format_robots_txt(&again),
                Some(Ok(formatted.clone())),
                "seed {seed}: formatting again changes it"
            );
        }
    }
    println!("{seeds} files: {fix_count} findings fixed, {format_count} files formatted");
    assert!(fix_count > 0 && format_count * 10 > seeds * 9, "{fix_count} fixed, {format_count} formatted");
}
