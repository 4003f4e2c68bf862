//! Runs every fuzz target (`byleave_testing::targets`) on seeds from the case files, and on seeds with small changes.
//! `docs/fuzzing.md` describes a longer run.
//!
//! `BYLEAVE_ROUNDS=20` makes twenty times as many changes. `BYLEAVE_INPUT` names a file on which [`an_input_by_name`]
//! runs the target in `BYLEAVE_TARGET`.

use byleave_testing::generate::Numbers;
use byleave_testing::model::compared::rounds;
use byleave_testing::targets::{TARGETS, Target, check, seeds};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Runs a target on its seeds and on `changes` changed seeds.
fn runs(name: &str, changes: u64) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let seeds = seeds::seeds(target, &root().join("conformance"));
    assert!(seeds.len() > 50, "{name}: only {} seeds", seeds.len());
    let words: Vec<String> = seeds::words().into_iter().collect();
    // Debug builds are slow, so only release builds run every seed.
    let step = if cfg!(debug_assertions) { 1 + seeds.len() / 250 } else { 1 };
    seeds.iter().step_by(step).for_each(|seed| holds(target, seed));
    for number in 0..changes * rounds() {
        holds(target, &seeds::changed(&mut Numbers::new(number), &seeds, &words));
    }
}

/// Checks one input, and prints it if a law does not hold.
fn holds(target: &Target, input: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (target.check)(input))) {
        eprintln!("{}: {}", target.name, input.escape_ascii());
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn robots_txt() {
    runs("robots_txt", 1_000);
}

#[test]
fn acap() {
    runs("acap", 700);
}

#[test]
fn headers() {
    runs("headers", 2_000);
}

#[test]
fn page() {
    runs("page", 3_000);
}

#[test]
fn extract() {
    runs("extract", 500);
}

#[test]
fn site() {
    runs("site", 300);
}

#[test]
fn preferences() {
    runs("preferences", 400);
}

#[test]
fn document() {
    runs("document", 700);
}

#[test]
fn case_file() {
    runs("case_file", 2_000);
}

#[test]
fn saved_policy() {
    runs("saved_policy", 4_000);
}

#[test]
fn reference() {
    runs("reference", 600);
}

/// Law: extreme numbers in a serialized policy do not cause a panic. Such a number is ten bytes long, so the small
/// changes of a fuzzer hardly ever produce one.
#[test]
fn s34_forged_numbers_make_nothing_panic() {
    let text = "ACAP-crawler: *\nACAP-allow-present-snippet: /a/* time-limit=until-2027-01-01 max-length=9-chars\n\
        ACAP-allow-crawl: / time-limit=3-days\nACAP-crawler: FooBot\nACAP-usage-purpose: p\nACAP-disallow-index: /b\n";
    let saved = byleave::Policy::parse(text.as_bytes()).to_bytes().split_off(16);
    let numbers = [vec![0xFF; 9], vec![0x80; 9], vec![0xFF, 0xFF, 0xFF, 0xFF]].map(|bytes| [bytes, vec![1]].concat());
    for at in 0..saved.len() {
        for number in &numbers {
            for length in [1, 2, 4, 5] {
                let end = saved.len().min(at + length);
                check("saved_policy", &[&saved[..at], &number[..], &saved[end..]].concat());
            }
        }
    }
}

/// Runs one input that a longer run has found.
#[test]
fn an_input_by_name() {
    let (Some(target), Some(input)) = (std::env::var_os("BYLEAVE_TARGET"), std::env::var_os("BYLEAVE_INPUT")) else {
        return;
    };
    check(target.to_str().unwrap(), &std::fs::read(input).unwrap());
}

/// Checks that every target has a binary for `cargo fuzz`.
#[test]
fn every_target_can_be_run_by_cargo_fuzz() {
    let manifest = std::fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    for Target { name, .. } in &TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} is not in fuzz/Cargo.toml");
        let text = std::fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{name}.rs"))).unwrap();
        assert!(text.contains(&format!("check(\"{name}\", ")), "{name}");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
}
