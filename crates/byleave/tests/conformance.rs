//! Checks that every case in `conformance/` has the expected result. `byleave test` runs the cases too. But this test
//! needs only the engine, so that a developer who changes the engine gets results quickly.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use byleave::cases::{Case, CaseFiles};
use std::path::Path;

#[test]
fn every_case_has_the_expected_result() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let read = |name: &Option<String>| name.as_ref().map(|name| std::fs::read(folder.join(name)).unwrap());
    let mut passed = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let about = format!("{}:{}", path.display(), number + 1);
            let case = Case::read(line).unwrap_or_else(|why| panic!("{about}: {why}"));
            let (robots_txt, page) = (read(&case.robots_file), read(&case.page_file));
            let files = CaseFiles { robots_txt: robots_txt.as_deref(), page: page.as_deref(), ..CaseFiles::default() };
            let run = case.run(files).unwrap_or_else(|why| panic!("{about}: {why}"));
            assert!(run.failures.is_empty(), "{about}: {}\n{}", case.name, run.failures.join("\n"));
            passed += 1;
        }
    }
    assert!(passed > 3000, "only {passed} cases were found");
}
