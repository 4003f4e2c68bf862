//! The command passes every conformance suite.

use crate::{byleave, root};

#[test]
fn every_conformance_case_passes() {
    let folder = root().join("conformance");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")).collect();
    files.sort();
    assert!(!files.is_empty(), "{} contains no case files", folder.display());
    for file in files {
        let ran = byleave(&["test", file.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{}", ran.shown());
        let last = ran.stdout.lines().last().unwrap();
        assert!(last.ends_with(" passed, 0 failed") && !last.starts_with("0 "), "{}: {last}", file.display());
    }
}

#[test]
fn the_example_cases_pass() {
    let ran = byleave(&["test", "examples/gazette/cases.jsonl"]);
    assert_eq!(ran.shown(), "14 passed, 0 failed\n[exit 0]");
}
