//! Fuzz target for case files. Reads any text line by line, and runs every line that is a case.

use super::decisions;
use byleave::cases::{Case, CaseFiles};
use serde_json::Value;

/// Law: each line is a case, or the reader gives a reason on one line. Running a case twice gives the same result, and
/// the decision satisfies the laws in `decisions.rs`.
pub fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for line in text.lines().take(8) {
        let case = match Case::read(line) {
            Ok(case) => case,
            Err(why) => {
                assert!(!why.is_empty(), "{line}");
                continue;
            }
        };
        let run = |case: &Case| case.run(CaseFiles::default()).map(|run| (run.failures, run.report));
        let one = run(&case).expect("what was read can be run");
        assert_eq!(one, run(&case).expect("and run again"));
        let held = case.with(CaseFiles::default(), |site, proposed| {
            decisions::hold(site, proposed);
        });
        held.expect("what was run can be asked");
    }
}

pub fn seed(case: &Value) -> Option<Vec<u8>> {
    let is_whole = ["robots_file", "page_file"].iter().all(|field| case[*field].is_null());
    is_whole.then(|| case.to_string().into_bytes())
}
