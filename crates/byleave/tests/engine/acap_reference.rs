//! Checks that the engine agrees with `model`, a second implementation of ACAP and RFC 9309. The model shares no code
//! with the engine and follows the semantics rule by rule. This file also checks two laws that need no second
//! implementation (S-32, S-33).
//!
//! `BYLEAVE_ROUNDS=20` generates twenty times as many files. `BYLEAVE_CASES` names an additional case file that the
//! model must pass.

use byleave_testing::model;
use byleave_testing::model::compared::{assert_model_passes, engine};
use byleave_testing::model::gen_files::file;
use byleave_testing::model::laws::{s32_holds, s33_holds, the_engine_decides_as_the_model};

/// Prefixes of the names of cases that the model does not support: pages that are not HTML, limits on work, XML
/// documents, and text that no grammar allows, such as a list in place of one value.
const UNMODELLED: [&str; 15] = [
    "S-24 in XHTML",
    "S-24 META in ",
    "S-09 out of form",
    "S-10 out of form",
    "S-11 out of form",
    "S-17 out of form",
    "S-23 out of form",
    "S-24 out of form",
    "S-34 a limit",
    "S-40: as META",
    "S-43: as a header field",
    "S-44: of a member that stands twice",
    "S-46: a final dot",
    "S-45",
    "S-47",
];

/// Law: the model passes every case in the suite that it supports.
#[test]
fn the_model_passes_the_conformance_suite() {
    let passed = assert_model_passes(&UNMODELLED);
    assert!(passed > 3000, "only {passed} cases were found");
}

#[test]
fn s07_generated_files_are_decided_as_the_model_decides() {
    the_engine_decides_as_the_model(0, 1500, file);
}

#[test]
fn s32_layout_and_order_never_matter() {
    s32_holds(engine, 10_000_000, 300, file);
}

#[test]
fn s32_layout_and_order_never_matter_in_the_model() {
    s32_holds(model::decide, 10_000_000, 300, file);
}

#[test]
fn s33_the_named_lines_determine_the_outcome() {
    s33_holds(engine, 20_000_000, 300, file);
}

#[test]
fn s33_the_named_lines_determine_the_outcome_in_the_model() {
    s33_holds(model::decide, 20_000_000, 300, file);
}
