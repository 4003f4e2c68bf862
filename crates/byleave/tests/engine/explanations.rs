//! Checks the content of explanations: why a group binds the crawler, which statements determine the decision, why each
//! other statement lost, and the diagnostics.
//!
//! `explanations/questions.jsonl` contains the questions, in the form of case files. `explanations/told.txt` contains
//! the explanations. `BYLEAVE_UPDATE=1` rewrites `told.txt`. Review the difference before you commit it.

use byleave::cases::{Case, CaseFiles};
use byleave::explain::report::Report;
use std::fmt::Write;
use std::path::Path;

#[test]
fn s33_every_reason_to_win_or_lose_is_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/explanations");
    let mut told = String::new();
    for line in std::fs::read_to_string(folder.join("questions.jsonl")).unwrap().lines() {
        let case = Case::read(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        let asked = case.with(CaseFiles::default(), |site, proposed| {
            let explanation = byleave::analysis::explain_unchecked(site, proposed);
            (explanation.rules().join(" "), Report::new(site, proposed, &explanation))
        });
        let (rules, report) = asked.unwrap_or_else(|why| panic!("{line}: {why}"));
        writeln!(told, "{line}").unwrap();
        writeln!(told, "  {} {} {}: {}", report.outcome, report.effective, report.reason, report.sentence).unwrap();
        writeln!(told, "  = {rules}").unwrap();
        for one in &report.determined_by {
            writeln!(told, "  + {} {}", one.rule, one.text.as_deref().unwrap_or("-")).unwrap();
        }
        for one in &report.considered {
            writeln!(told, "  - {} {}: {}", one.rule, one.text.as_deref().unwrap_or("-"), one.sentence).unwrap();
        }
        for one in &report.diagnostics {
            writeln!(told, "  ! {} {}:{}:{} {}", one.code, one.document, one.line, one.column, one.message).unwrap();
        }
    }
    let expected = folder.join("told.txt");
    if std::env::var_os("BYLEAVE_UPDATE").is_some() {
        std::fs::write(&expected, &told).unwrap();
    }
    let expected = std::fs::read_to_string(expected).unwrap();
    for (one, other) in told.lines().zip(expected.lines()) {
        assert_eq!(one, other);
    }
    assert_eq!(told.lines().count(), expected.lines().count());
}
