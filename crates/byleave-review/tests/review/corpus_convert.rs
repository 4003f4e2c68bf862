//! Converts real files. Counts exact conversions and the causes of losses, and checks that no target permits what its
//! source prohibits. Runs only if `BYLEAVE_CORPUS` is set.
//!
//! `cargo test --release -p byleave-review --test review corpus_convert:: -- --nocapture` prints the tables in
//! docs/convert.md.

use byleave::{Crawler, Outcome, Policy, ProposedUse, Reading, Site, Usage};
use byleave_review::convert::{Conversion, LossCause, LossEffect, PathCase, TargetFile, convert};
use byleave_testing::generate::Numbers;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Table {
    files: usize,
    exact: usize,
    wider: usize,
    proved: usize,
    /// For each cause, the number of files, and the number of files with no other cause.
    by_cause: BTreeMap<LossCause, (usize, usize)>,
    slowest: (Duration, String),
}

impl Table {
    fn add(&mut self, name: &str, converted: &Conversion, took: Duration) {
        self.files += 1;
        self.exact += usize::from(converted.is_exact());
        self.proved += usize::from(converted.is_proved);
        let is_wider = |effect: LossEffect, cause: LossCause| effect == LossEffect::LeftOut && cause != LossCause::Fact;
        self.wider += usize::from(converted.losses.iter().any(|loss| is_wider(loss.effect, loss.cause)));
        let causes: BTreeSet<LossCause> = converted.losses.iter().map(|loss| loss.cause).collect();
        for cause in &causes {
            let counts = self.by_cause.entry(*cause).or_default();
            counts.0 += 1;
            counts.1 += usize::from(causes.len() == 1);
        }
        if took > self.slowest.0 {
            self.slowest = (took, name.to_owned());
        }
    }

    fn print(&self, title: &str) {
        println!("\n{title}: {} files, {} exact, {} with something left out", self.files, self.exact, self.wider);
        println!("all paths compared: {}", self.proved);
        for (cause, (files, only)) in &self.by_cause {
            println!("| {} | {files} | {only} |", cause.name());
        }
        println!("slowest: {:?} ({})", self.slowest.0, self.slowest.1);
    }
}

/// Returns a path on which the target permits what the source prohibits. The converter does not choose the examined
/// paths.
fn is_wider(source: &[u8], converted: &Conversion, target: TargetFile, seed: u64) -> Option<String> {
    let reading = if target == TargetFile::Acap { Reading::Default } else { Reading::Rfc9309 };
    let (before, after) =
        (Site::of_robots_txt(source, Reading::Default), Site::of_robots_txt(&converted.text, reading));
    let numbers = &mut Numbers::new(seed);
    let rules =
        byleave_testing::real::values(source, &["allow", "disallow", "acap-allow-crawl", "acap-disallow-crawl"]);
    let urls: Vec<String> = (0..12).map(|_| byleave_testing::generate::url(numbers, &rules)).collect();
    let has_escape = |text: &str| text.contains('%');
    let policy = Policy::parse(source);
    let is_plain = |name: &&[u8]| name.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-".contains(byte));
    // Strict RFC 9309 shortens other names, possibly to one of the plain names.
    let named: Vec<&[u8]> = policy.crawlers_named();
    let is_whole = target == TargetFile::Acap || named.iter().filter(|name| **name != b"*").all(is_plain);
    let names =
        named.iter().filter(|name| is_plain(name)).take(4).map(|name| String::from_utf8_lossy(name).into_owned());
    let names: Vec<String> = names.chain(["Byleave-unknown".to_owned()]).filter(|_| is_whole).collect();
    for name in &names {
        let crawler = Crawler::named(name);
        for url in urls.iter().filter(|url| target == TargetFile::Acap || !has_escape(url)) {
            let proposed = ProposedUse::new(url, &crawler, &Usage::Crawl);
            let (was, is) = (
                byleave::analysis::decide_unchecked(&before, &proposed),
                byleave::analysis::decide_unchecked(&after, &proposed),
            );
            if was.outcome == Outcome::Prohibited && is.outcome != Outcome::Prohibited {
                return Some(format!("`{name}` at `{url}`"));
            }
            if was.outcome != is.outcome && converted.is_exact() {
                return Some(format!("reported as exact, but decisions differ: `{name}` at `{url}`"));
            }
        }
    }
    None
}

#[test]
fn real_files_convert_and_none_becomes_wider() {
    let Some(files) = byleave_testing::real::files() else { return };
    let every = std::env::var("BYLEAVE_EVERY").ok().and_then(|every| every.parse().ok()).unwrap_or(1);
    let mut tables: BTreeMap<&str, Table> = BTreeMap::new();
    let (mut wider, mut asked) = (Vec::new(), 0);
    for (number, (name, text)) in files.iter().enumerate().filter(|(number, _)| number % every == 0) {
        let is_page = name.ends_with(".html");
        let has_acap = text.windows(5).any(|five| five.eq_ignore_ascii_case(b"acap-"));
        if is_page {
            continue;
        }
        for (title, target, capitals, reading) in [
            ("to ACAP", TargetFile::Acap, PathCase::Sensitive, Reading::Default),
            ("to ACAP, any case", TargetFile::Acap, PathCase::Insensitive, Reading::Default),
            ("to robots.txt", TargetFile::RobotsTxt, PathCase::Sensitive, Reading::Default),
            ("to robots.txt, read strictly", TargetFile::RobotsTxt, PathCase::Sensitive, Reading::Rfc9309),
        ] {
            let started = Instant::now();
            let converted = convert(&Site::of_robots_txt(text, reading), target, capitals).unwrap();
            let took = started.elapsed();
            tables.entry(title).or_default().add(name, &converted, took);
            if has_acap {
                let title = if target == TargetFile::Acap { "ACAP to ACAP" } else { "ACAP to robots.txt" };
                if capitals == PathCase::Sensitive && reading == Reading::Default {
                    tables.entry(title).or_default().add(name, &converted, took);
                }
            }
            if capitals == PathCase::Sensitive && reading == Reading::Default {
                asked += 1;
                wider.extend(
                    is_wider(text, &converted, target, number as u64).map(|what| format!("{name} {title}: {what}")),
                );
            }
        }
    }
    for (title, table) in &tables {
        table.print(title);
    }
    println!("\n{asked} conversions asked about, {} wider", wider.len());
    for one in wider.iter().take(40) {
        println!("{one}");
    }
    assert!(wider.is_empty());
}
