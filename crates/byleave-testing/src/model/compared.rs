//! Asks the engine and the model the same question, converts their answers to one form, and runs the case files.

use super::cases::{self, ModelCase};
use super::{Answer, Question, text};
use byleave::cases::Case;
use std::path::{Path, PathBuf};

/// Returns the value of the environment variable `BYLEAVE_ROUNDS`, or 1. The tests multiply the number of generated
/// sites by this factor.
pub fn rounds() -> u64 {
    std::env::var("BYLEAVE_ROUNDS").ok().map_or(1, |rounds| rounds.parse().expect("BYLEAVE_ROUNDS is a number"))
}

/// Returns the engine's answer in the model's form.
pub fn engine(question: &Question) -> Answer {
    let line = cases::written(question);
    let run = Case::read(&line)
        .and_then(|case| case.run(byleave::cases::CaseFiles::default()))
        .unwrap_or_else(|error| panic!("{error}\n{line}"));
    let report = run.report;
    let statements = report.determined_by.iter().filter_map(|statement| match statement.carrier.as_str() {
        "meta" | "header" => Some((statement.carrier.clone(), as_compared(statement.text.as_ref()?))),
        "element" => Some((statement.carrier.clone(), without_other_links(&as_compared(statement.text.as_ref()?)))),
        _ => Some((statement.document.clone()?, statement.line?.to_string())),
    });
    Answer {
        determined_by: statements.collect(),
        conditions: report.conditions.into_iter().collect(),
        outcome: report.outcome,
        effective: report.effective,
        valid_until: report.valid_until,
    }
}

/// Normalizes a text for comparison: in lower case, with single blanks, and without a field name.
pub fn as_compared(text: &str) -> String {
    let text = text::plain(text);
    let name = ["x-robots-tag:", "robots-tag:"].into_iter().find(|name| text.starts_with(name));
    text[name.map_or(0, str::len)..].trim().to_owned()
}

/// Returns `nofollow` for a `rel` value that contains `nofollow`. Returns a class unchanged.
fn without_other_links(text: &str) -> String {
    let is_class = text.starts_with("robots-") || text.contains("acap:");
    if is_class || !text.contains("nofollow") { text.to_owned() } else { "nofollow".to_owned() }
}

/// Returns the case files in the repository, and the file that `BYLEAVE_CASES` names.
pub fn case_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let entries = std::fs::read_dir(folder).expect("there is a conformance suite");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    paths.extend(std::env::var_os("BYLEAVE_CASES").map(PathBuf::from));
    paths.sort();
    paths
}

/// Law: the model passes every case that it can read, except the cases whose names begin with a prefix in `unmodelled`.
/// Returns the number of passed cases.
pub fn assert_model_passes(unmodelled: &[&str]) -> usize {
    let mut passed = 0;
    let mut failures = Vec::new();
    for path in case_files() {
        let text = std::fs::read_to_string(&path).expect("a case file");
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let Some(case) = ModelCase::read(line, path.parent().expect("a folder")) else { continue };
            if unmodelled.iter().any(|start| case.name.starts_with(start)) {
                continue;
            }
            let found = case.failures(&super::decide(&case.question));
            passed += usize::from(found.is_empty());
            failures
                .extend(found.iter().map(|what| format!("{}:{} {}: {what}", path.display(), number + 1, case.name)));
        }
    }
    assert!(failures.is_empty(), "{passed} passed\n{}", failures.join("\n"));
    println!("{passed} cases passed");
    passed
}
