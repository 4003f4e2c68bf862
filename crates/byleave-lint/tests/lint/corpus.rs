//! Runs the rules on real files, and checks fixes and formatting on them. Runs only if `BYLEAVE_CORPUS` is set.
//!
//! `cargo test --release -p byleave-lint --test lint corpus:: -- --nocapture` shows how many files have findings for
//! each rule.

use byleave::{Crawler, Policy, Reading};
use byleave_lint::{
    Finding, FixLevel, LintInput, LintedDocument, RULES, ResponseInput, Safety, Selection, fix, format_robots_txt, lint,
};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// The number of files, the number of findings, and the first message for each rule.
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

/// Returns whether two files lead to the same decisions in every reading, for names in the first file and paths from
/// patterns in either file.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let is_same_in = |reading: &Reading| {
        let (one, other) = (Policy::parse_as(one, *reading), Policy::parse_as(other, *reading));
        let names = one.crawlers_named().into_iter().take(8).chain([&b"nobody"[..]]);
        let names: Vec<String> = names.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let patterns =
            one.statements().iter().chain(other.statements().iter()).map(|rule| rule.scope).collect::<Vec<_>>();
        let paths: BTreeSet<String> = patterns
            .iter()
            .filter_map(|scope| match scope {
                byleave::model::Scope::Pattern(pattern) => {
                    let text = String::from_utf8_lossy(pattern).replace('*', "~");
                    Some(format!("/{}", text.trim_start_matches('/').trim_end_matches('$')))
                }
                _ => None,
            })
            .collect();
        names.iter().all(|name| {
            let crawler = Crawler::named(name);
            let (one, other) = (one.bind(&crawler), other.bind(&crawler));
            paths.iter().all(|path| one.may_crawl(path) == other.may_crawl(path))
        })
    };
    Reading::OF_ROBOTS_TXT.iter().all(is_same_in)
}

/// The name, text and linted documents of a file.
type Linted<'f> = (&'f String, &'f Vec<u8>, Vec<LintedDocument<'f>>);

/// Fixes every file at both levels, formats it, and compares the decisions of the results with those of the original.
fn fix_all(linted: &[Linted<'_>]) {
    let everything = Selection::everything();
    let mut fixes: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    let (mut formatted, mut refused) = (0, Vec::new());
    let started = Instant::now();
    for (name, text, documents) in linted {
        let input = LintInput::new().with_robots_txt("robots.txt", text);
        let kind = |finding: &Finding| match finding.fix.as_ref().map(|fix| &fix.safety) {
            Some(Safety::Safe) => Some("safe"),
            Some(_) => Some("suggested"),
            None => None,
        };
        let mut count = |documents: &[LintedDocument<'_>], wanted: &str, is_left: bool| {
            for finding in documents.iter().flat_map(|document| &document.findings) {
                if let Some(kind) = kind(finding).filter(|kind| *kind == wanted) {
                    let counts = fixes.entry((kind, finding.rule.code)).or_default();
                    *(if is_left { &mut counts.1 } else { &mut counts.0 }) += 1;
                }
            }
        };
        for (kind, which) in [("safe", FixLevel::Safe), ("suggested", FixLevel::Suggested)] {
            count(documents, kind, false);
            let fixed = fix(&input, &everything, which).unwrap();
            assert!(
                which == FixLevel::Suggested || is_same(text, &fixed.text),
                "{name}: a safe fix changes a decision"
            );
            let input = LintInput::new().with_robots_txt("robots.txt", &fixed.text);
            count(&lint(&input, &everything), kind, true);
        }
        match format_robots_txt(&input).unwrap() {
            Ok(text_after) => {
                assert!(is_same(text, &text_after), "{name}: formatting changes a decision");
                let again = format_robots_txt(&LintInput::new().with_robots_txt("robots.txt", &text_after));
                assert_eq!(again, Some(Ok(text_after)), "{name}: formatting again changes it");
                formatted += 1;
            }
            Err(error) => refused.push(format!("{name}: {error}")),
        }
    }
    println!("fixed and formatted in {:?}", started.elapsed());
    for ((kind, code), (found, left)) in &fixes {
        println!("{code} {kind}: of {found} fixable findings {left} are left");
    }
    for kind in ["safe", "suggested"] {
        let of_kind = fixes.iter().filter(|((known, _), _)| *known == kind);
        let (found, left) = of_kind.fold((0, 0), |sum, (_, count)| (sum.0 + count.0, sum.1 + count.1));
        println!("{kind}: {} of {found} fixable findings were fixed", found - left);
        assert!(left * 20 < found, "too many fixes are not applied");
    }
    println!("{formatted} files formatted, {} left unchanged: {refused:#?}", refused.len());
    assert!(refused.len() * 100 < linted.len());
}

#[test]
fn rules_find_something_in_real_files_and_safe_fixes_change_no_decision() {
    let Some(files) = byleave_testing::real::files() else { return };
    let mut counts = Counts::default();
    let started = Instant::now();
    let mut slowest = (Duration::ZERO, String::new());
    let mut linted = Vec::new();
    let is_page = |name: &str| name.ends_with(".html");
    for (name, text) in files.iter().filter(|(name, _)| !is_page(name)) {
        let begun = Instant::now();
        let documents = lint(&LintInput::new().with_robots_txt("robots.txt", text), &Selection::everything());
        if begun.elapsed() > slowest.0 {
            slowest = (begun.elapsed(), name.clone());
        }
        linted.push((name, text, documents));
    }
    println!("{} files in {:?}; the slowest, {}, in {:?}", files.len(), started.elapsed(), slowest.1, slowest.0);
    for (name, _, documents) in &linted {
        counts.add(name, documents);
    }
    fix_all(&linted);
    for (name, page) in files.iter().filter(|(name, _)| is_page(name)) {
        let response = ResponseInput::new().with_page("page", page);
        counts.add(name, &lint(&LintInput::new().with_response(response), &Selection::everything()));
    }
    for page in byleave_testing::real::pages::pages().unwrap() {
        let headers = byleave::analysis::StoredResponse::parse(page.headers.as_bytes()).headers;
        let response = ResponseInput::new().with_headers("headers", headers).with_page("page", &page.body);
        counts.add(&page.name, &lint(&LintInput::new().with_response(response), &Selection::everything()));
    }
    let mut wrong = Vec::new();
    for rule in RULES {
        let (files, findings, first) = counts.0.get(rule.code).cloned().unwrap_or_default();
        // A rule page without findings in real files must explain why the rule exists.
        let says_why = rule.doc.text.contains("\n## In the wild\n");
        if (files == 0) != says_why {
            wrong.push(format!("{rule:?} has findings in {files} real documents; its page says otherwise"));
        }
        println!("{} {:26} {files:6} documents {findings:7} findings  {first}", rule.code, rule.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
