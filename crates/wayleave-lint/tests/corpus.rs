//! What the rules find in real files, and that none takes long; runs only with `WAYLEAVE_CORPUS`.
//!
//! `cargo test --release -p wayleave-lint --test corpus -- --nocapture` shows how many files each rule finds
//! something in.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop where it fails"
)]

#[path = "../../wayleave/tests/real/mod.rs"]
mod real;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use wayleave::{Crawler, Policy};
use wayleave_lint::{LintedDocument, RULES, Response, Safety, Selection, Site, lint};

/// How often each rule found something: files, findings, and the first message.
#[derive(Default)]
struct Counts(BTreeMap<&'static str, (usize, usize, String)>);

impl Counts {
    fn add(&mut self, name: &str, documents: &[LintedDocument<'_>]) {
        let mut seen = BTreeSet::new();
        for finding in documents.iter().flat_map(|document| &document.findings) {
            let count = self.0.entry(finding.rule.code).or_default();
            count.1 += 1;
            if seen.insert(finding.rule.code) {
                count.0 += 1;
                if count.2.is_empty() {
                    count.2 = format!("{name}: {}", finding.message);
                }
            }
            assert!(!finding.message.contains('\n') && !finding.message.ends_with('.'), "{}", finding.message);
        }
    }
}

/// Whether two files permit the same: each name of the first, each path that its patterns spell.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (Policy::read(one), Policy::read(other));
    let names: Vec<String> =
        one.crawlers_named().iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let paths: Vec<String> = one
        .statements()
        .iter()
        .filter_map(|rule| match rule.scope {
            wayleave::model::Scope::Pattern(pattern) => {
                let text = String::from_utf8_lossy(pattern).replace('*', "~");
                Some(format!("/{}", text.trim_start_matches('/').trim_end_matches('$')))
            }
            _ => None,
        })
        .collect();
    names.iter().take(8).all(|name| {
        let crawler = Crawler::named(name);
        let (one, other) = (one.bind(&crawler), other.bind(&crawler));
        paths.iter().all(|path| one.may_crawl(path) == other.may_crawl(path))
    })
}

#[test]
fn rules_find_something_in_real_files_and_safe_fixes_change_no_decision() {
    let Some(files) = real::files() else { return };
    let mut counts = Counts::default();
    let started = Instant::now();
    let mut slowest = (Duration::ZERO, String::new());
    let mut linted = Vec::new();
    let is_page = |name: &str| name.ends_with(".html");
    for (name, text) in files.iter().filter(|(name, _)| !is_page(name)) {
        let begun = Instant::now();
        let documents = lint(&Site::new().with_robots_txt("robots.txt", text), &Selection::everything());
        if begun.elapsed() > slowest.0 {
            slowest = (begun.elapsed(), name.clone());
        }
        linted.push((name, text, documents));
    }
    println!("{} files in {:?}; the slowest, {}, in {:?}", files.len(), started.elapsed(), slowest.1, slowest.0);
    let mut fixes = 0;
    for (name, text, documents) in &linted {
        counts.add(name, documents);
        let found = documents.iter().flat_map(|document| &document.findings);
        for fix in found.filter_map(|finding| finding.fix.as_ref()).take(3) {
            let mended = fix.applied(text).unwrap_or_else(|| panic!("{name}: {fix:?}"));
            assert!(fix.safety != Safety::Safe || is_same(text, &mended), "{name}: {fix:?}");
            fixes += 1;
        }
    }
    println!("{fixes} fixes tried");
    for (name, page) in files.iter().filter(|(name, _)| is_page(name)) {
        let response = Response::new().with_page("page", page);
        counts.add(name, &lint(&Site::new().with_response(response), &Selection::everything()));
    }
    for page in real::pages::pages().unwrap() {
        let headers = wayleave::Headers::read(page.headers.as_bytes()).headers;
        let response = Response::new().with_headers("headers", headers).with_page("page", &page.body);
        counts.add(&page.name, &lint(&Site::new().with_response(response), &Selection::everything()));
    }
    for rule in RULES {
        let (files, findings, first) = counts.0.get(rule.code).cloned().unwrap_or_default();
        // A rule that finds nothing in real files says why it is there.
        let says_why = rule.page.text.contains("\n## In the wild\n");
        assert!((files == 0) == says_why, "{rule:?} finds something in {files} real documents; see its page");
        println!("{} {:26} {files:6} documents {findings:7} findings  {first}", rule.code, rule.name);
    }
}
