//! What the rules find in real files, and that none takes long; runs only with `WAYLEAVE_CORPUS`.
//!
//! `cargo test --release -p wayleave-lint --test corpus -- --nocapture` shows how many files each rule finds
//! something in.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it fails")]

use base64::Engine;
use flate2::read::MultiGzDecoder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use wayleave_lint::{RULES, Safety, Selection, Site, lint};

/// Every robots.txt of the corpus, by name.
fn files(corpus: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let packed = File::open(corpus.join("data/robots.jsonl.gz")).unwrap();
    for line in BufReader::new(MultiGzDecoder::new(packed)).lines() {
        let object: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let text = match (&object["robots"], &object["robots_b64"]) {
            (serde_json::Value::String(text), _) => text.clone().into_bytes(),
            (_, serde_json::Value::String(bytes)) => {
                base64::engine::general_purpose::STANDARD.decode(bytes).unwrap()
            }
            _ => continue,
        };
        files.push((object["host"].as_str().unwrap_or_default().to_owned(), text));
    }
    for entry in std::fs::read_dir(corpus.join("data/acap-real")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            files.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
    files
}

#[test]
fn rules_find_something_in_real_files_and_safe_fixes_change_no_text_but_theirs() {
    let Some(corpus) = std::env::var_os("WAYLEAVE_CORPUS").map(PathBuf::from) else {
        return eprintln!("skipped: WAYLEAVE_CORPUS is not set");
    };
    let files = files(&corpus);
    let started = Instant::now();
    let mut slowest = (Duration::ZERO, String::new());
    let mut counts: BTreeMap<&str, (usize, usize, String)> = BTreeMap::new();
    for (name, text) in &files {
        let begun = Instant::now();
        let documents = lint(&Site::new().with_robots_txt("robots.txt", text), &Selection::everything());
        if begun.elapsed() > slowest.0 {
            slowest = (begun.elapsed(), name.clone());
        }
        let mut seen = BTreeSet::new();
        for finding in documents.iter().flat_map(|document| &document.findings) {
            let count = counts.entry(finding.rule.code).or_default();
            count.1 += 1;
            if seen.insert(finding.rule.code) {
                count.0 += 1;
                if count.2.is_empty() {
                    count.2 = format!("{name}: {}", finding.message);
                }
            }
            assert!(!finding.message.contains('\n') && !finding.message.ends_with('.'), "{}", finding.message);
            if let Some(fix) = &finding.fix {
                assert_eq!(fix.safety, Safety::Safe);
                assert!(fix.applied(text).is_some(), "{name}: {finding:?}");
            }
        }
    }
    println!("{} files in {:?}; the slowest, {}, in {:?}", files.len(), started.elapsed(), slowest.1, slowest.0);
    for rule in RULES {
        let (files, findings, first) = counts.get(rule.code).cloned().unwrap_or_default();
        println!("{} {:26} {files:6} files {findings:7} findings  {first}", rule.code, rule.name);
    }
    assert!(files.len() > 1_000, "the corpus is not where it was");
}
