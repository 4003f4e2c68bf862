//! Compares real files with changed versions of these files. Runs only if `BYLEAVE_CORPUS` is set.
//!
//! `cargo test --release -p byleave-review --test review corpus:: -- --nocapture` prints the number of exact results
//! and the time. `BYLEAVE_EVERY=10` uses every tenth file.

use byleave::analysis::RobotsTxt;
use byleave::model::Scope;
use byleave::{Outcome, ProposedUse, Reading, Site, Usage};
use byleave_review::compare::compare;
use byleave_review::crawlers;
use byleave_review::diff::diff;
use byleave_review::{Proof, ReviewScope};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Returns n if every nth file is used.
fn every() -> usize {
    std::env::var("BYLEAVE_EVERY").ok().and_then(|every| every.parse().ok()).unwrap_or(1)
}

/// Returns three changed versions of a file: one rule removed, one added, one reversed. The changes are the same in
/// every run.
fn changed(text: &[u8], seed: usize) -> Vec<(&'static str, Vec<u8>)> {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let is_rule = |line: &&[u8]| {
        let name = line.trim_ascii_start().to_ascii_lowercase();
        name.starts_with(b"disallow:") || name.starts_with(b"allow:")
    };
    let rules: Vec<usize> = (0..lines.len()).filter(|number| is_rule(&lines[*number])).collect();
    if rules.is_empty() {
        return Vec::new();
    }
    let at = rules[seed % rules.len()];
    let line = String::from_utf8_lossy(lines[at]).trim().to_owned();
    let (name, value) = line.split_once(':').unwrap();
    let value = value.split('#').next().unwrap().trim();
    let is_allow = name.eq_ignore_ascii_case("allow");
    let longer = if value.ends_with('$') { "/new-part/*.html".to_owned() } else { format!("{value}new-part/*.html") };
    let with = |replaced: String| {
        let mut lines: Vec<&[u8]> = lines.clone();
        lines[at] = replaced.as_bytes();
        lines.concat()
    };
    let other = |is_allow: bool| if is_allow { "Disallow" } else { "Allow" };
    vec![
        ("removed", with(String::new())),
        ("added", with(format!("{line}\n{}: {longer}\n", other(is_allow)))),
        ("reversed", with(format!("{}: {value}\n", other(is_allow)))),
    ]
}

/// Returns paths that patterns in either version may match: each pattern as a path, without a suffix and with several
/// suffixes.
fn probes(versions: [&Site<'_>; 2]) -> Vec<String> {
    let mut paths: BTreeSet<String> = ["/", "/x", "/robots.txt", "/new-part/x.html"].map(str::to_owned).into();
    for site in versions {
        let RobotsTxt::Read(policy) = site.robots_txt() else { continue };
        for rule in policy.statements().iter() {
            let Scope::Pattern(pattern) = rule.scope else { continue };
            let text = String::from_utf8_lossy(pattern).into_owned();
            let body = text.trim_end_matches('$');
            for star in ["", "x", "/"] {
                let path = format!("/{}", body.replace('*', star).trim_start_matches('/'));
                paths.extend([format!("{path}x"), format!("{path}/new-part/x.html"), format!("{path}new-part/x.html")]);
                paths.insert(path);
            }
        }
    }
    paths.into_iter().collect()
}

/// Returns a crawler and a path for which the two versions decide differently, or `None`. Asks about the crawlers in
/// either version and these paths.
fn differs(old: &Site<'_>, new: &Site<'_>, paths: &[String]) -> Option<String> {
    let names = [old, new].into_iter().flat_map(|one| one.crawlers_with_groups());
    let names: BTreeSet<String> = names.filter_map(|name| Some(std::str::from_utf8(name).ok()?.to_owned())).collect();
    let mut known = BTreeSet::new();
    for name in names.into_iter().chain(["some-other-crawler".to_owned()]) {
        let crawler = crawlers::crawler(&name);
        let binding = format!("{:?}{:?}", old.binding_of(&crawler), new.binding_of(&crawler));
        if !known.insert(binding) || known.len() > 40 {
            continue;
        }
        for path in paths {
            let url = format!("https://example.com{path}");
            let proposed = ProposedUse::new(&url, &crawler, &Usage::Crawl);
            let prohibited = |site| byleave::analysis::decide_unchecked(site, &proposed).outcome == Outcome::Prohibited;
            if prohibited(old) != prohibited(new) {
                return Some(format!("{name} {path}"));
            }
        }
    }
    None
}

#[derive(Default)]
struct Tally {
    pairs: usize,
    exact: usize,
    changed: usize,
    told: usize,
    states: usize,
    spent: Duration,
    slowest: (Duration, String),
    beyond: Vec<String>,
}

#[test]
fn a_change_is_found_if_asking_finds_one() {
    let Some(files) = byleave_testing::real::files() else { return };
    let mut tally = Tally::default();
    for (number, (name, text)) in files.iter().filter(|(name, _)| !name.ends_with(".html")).enumerate().step_by(every())
    {
        let old = Site::of_robots_txt(text, Reading::Default);
        let same = diff(&old, &old, &ReviewScope::default());
        assert!(same.is_empty(), "{name}: the file differs from itself");
        for (kind, version) in changed(text, number) {
            let new = Site::of_robots_txt(&version, Reading::Default);
            let begun = Instant::now();
            let found = diff(&old, &new, &ReviewScope::default());
            let spent = begun.elapsed();
            tally.pairs += 1;
            tally.spent += spent;
            tally.states += found.states;
            tally.told += found.changes.len();
            if spent > tally.slowest.0 {
                tally.slowest = (spent, format!("{name} {kind}"));
            }
            match found.proof {
                Proof::Exact => tally.exact += 1,
                Proof::NotProven => tally.beyond.push(format!("{name} {kind} ({} states)", found.states)),
            }
            let by_asking = differs(&old, &new, &probes([&old, &new]));
            assert!(
                by_asking.is_none() || !found.changes.is_empty(),
                "{name}, {kind}: the diff does not report {by_asking:?}"
            );
            tally.changed += usize::from(!found.changes.is_empty());
            for change in &found.changes {
                let crawler = change.crawlers.first().map_or("some-other-crawler", String::as_str);
                let crawler = crawlers::crawler(crawler);
                for (place, usage) in
                    change.places.iter().flat_map(|place| change.usages.iter().map(move |one| (place, one)))
                {
                    let url = format!("https://example.com{}", place.example);
                    let proposed = ProposedUse::new(&url, &crawler, usage);
                    let outcome = |site| byleave::analysis::decide_unchecked(site, &proposed).outcome;
                    let told = (change.before.outcome, change.after.outcome);
                    assert_eq!((outcome(&old), outcome(&new)), told, "{name}, {kind}: {} at {url}", crawler.name());
                }
            }
        }
    }
    println!(
        "{} pairs: {} exact, {} beyond the limit; {} change decisions, {} changes reported; {} states",
        tally.pairs,
        tally.exact,
        tally.beyond.len(),
        tally.changed,
        tally.told,
        tally.states
    );
    println!("all in {:?}; the slowest, {}, in {:?}", tally.spent, tally.slowest.1, tally.slowest.0);
    println!("beyond: {:#?}", tally.beyond);
    // Files with very many wildcards exceed the limit. This may happen for at most 3 of 100 pairs.
    assert!(tally.beyond.len() * 33 < tally.pairs);
}

#[test]
fn readings_of_real_files_are_compared() {
    let Some(files) = byleave_testing::real::files() else { return };
    let (mut all, mut exact, mut alike) = (0, 0, 0);
    let (mut spent, mut slowest) = (Duration::ZERO, (Duration::ZERO, String::new()));
    let mut causes: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    // Comparing four readings takes time, so only every fourth file is used.
    for (name, text) in files.iter().filter(|(name, _)| !name.ends_with(".html")).step_by(4 * every()) {
        let read: Vec<_> = Reading::OF_ROBOTS_TXT.iter().map(|reading| Site::of_robots_txt(text, *reading)).collect();
        let begun = Instant::now();
        let found = compare(&read.iter().collect::<Vec<_>>(), &ReviewScope::default());
        let took = begun.elapsed();
        spent += took;
        if took > slowest.0 {
            slowest = (took, name.clone());
        }
        all += 1;
        exact += usize::from(found.proof == Proof::Exact);
        alike += usize::from(found.divergences.is_empty());
        for cause in found.divergences.iter().map(|one| one.cause.name()).collect::<BTreeSet<_>>() {
            *causes.entry(cause).or_default() += 1;
        }
    }
    println!("{all} files: {exact} exact, {alike} alike; in {spent:?}, the slowest, {}, in {:?}", slowest.1, slowest.0);
    println!("files with each cause: {causes:#?}");
    assert!(exact * 100 >= all * 98);
}
