//! Checks that every requirement in ACAP, its strawman, Robots-Tag and the Robot Exclusion Profile has a conformance
//! case, or a stated reason why it has none.
//!
//! The requirements are the rows in `docs/requirements.md`. Cases name them in `covers`. The reasons are in
//! `conformance/requirements.tsv`, one per line: an ID, a tab and the reason.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Returns the IDs of the rows in `docs/requirements.md`.
fn requirements() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("docs/requirements.md")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let mut ids = BTreeSet::new();
    for (id, _) in rows.filter(|(id, _)| is_requirement(id)) {
        assert!(ids.insert(id.to_owned()), "docs/requirements.md has {id} twice");
    }
    assert!(ids.len() >= 399, "{} requirements", ids.len());
    ids
}

/// Returns whether the first cell in a row is an ID, such as `P1-2.4.5-1`, and not a column title.
fn is_requirement(cell: &str) -> bool {
    cell.contains('-') && cell.ends_with(|last: char| last.is_ascii_digit())
}

/// Returns the requirements that cases name, each with the case file and line.
fn covered() -> BTreeMap<String, String> {
    let mut covered = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("conformance")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for (line, case) in text.lines().enumerate() {
            let place = format!("{}:{}", path.display(), line + 1);
            let case: Value = serde_json::from_str(case).unwrap_or_else(|error| panic!("{place}: {error}"));
            for id in case["covers"].as_array().into_iter().flatten() {
                covered.insert(id.as_str().expect("an ID is text").to_owned(), place.clone());
            }
        }
    }
    covered
}

/// Returns the requirements without a case, each with the stated reason.
fn excused() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(root().join("conformance/requirements.tsv")).unwrap();
    let mut excused = BTreeMap::new();
    for line in text.lines() {
        let (id, reason) = line.split_once('\t').unwrap_or_else(|| panic!("no tab in `{line}`"));
        assert!(!reason.trim().is_empty(), "{id} is listed without a reason");
        assert!(excused.insert(id.to_owned(), reason.to_owned()).is_none(), "{id} is listed twice");
    }
    excused
}

/// The prefixes of IDs, one per document, and how many requirements each document has.
const DOCUMENTS: &[(&str, usize)] = &[("P1-", 262), ("V11-", 10), ("P2-", 64), ("SM-", 21), ("RT-", 32), ("XP-", 10)];

#[test]
fn every_requirement_has_a_case_or_a_reason() {
    let (covered, excused) = (covered(), excused());
    let requirements = requirements();
    for (document, count) in DOCUMENTS {
        let of_document = || requirements.iter().filter(|id| id.starts_with(document));
        let has_neither = |id: &&String| !covered.contains_key(*id) && !excused.contains_key(*id);
        let missing: Vec<_> = of_document().filter(has_neither).collect();
        assert!(missing.is_empty(), "requirements with neither a case nor a reason: {missing:?}");
        assert_eq!(of_document().count(), *count, "{document}");
    }
}

#[test]
fn no_requirement_has_both_a_case_and_a_reason() {
    let covered = covered();
    for id in excused().keys() {
        assert!(!covered.contains_key(id), "{id} needs no reason: {} covers it", covered[id]);
    }
}

#[test]
fn every_requirement_that_is_named_exists() {
    let requirements = requirements();
    for (id, place) in covered() {
        assert!(
            requirements.contains(&id) || is_contested_place(&id),
            "{place} covers {id}, which docs/requirements.md does not have"
        );
    }
    for id in excused().keys() {
        assert!(requirements.contains(id), "docs/requirements.md does not have {id}");
    }
}

/// Returns whether an ID is one of C1 to C20, the points on which parsers differ (section 6.5 of `docs/semantics.md`).
fn is_contested_place(id: &str) -> bool {
    id.strip_prefix('C').and_then(|number| number.parse().ok()).is_some_and(|number: u32| (1..=20).contains(&number))
}
