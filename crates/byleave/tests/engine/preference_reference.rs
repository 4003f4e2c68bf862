//! Checks that the engine agrees with the model on generated sites with AI-preference dialects: robots.txt fields,
//! headers, META tags, documents and licences, in one decision (S-40 to S-46, S-50). Also checks laws that need no
//! second implementation (S-25, S-32, S-33).
//!
//! `BYLEAVE_ROUNDS=20` generates twenty times as many sites.

use byleave_testing::model;
use byleave_testing::model::compared::engine;
use byleave_testing::model::gen_preferences::site;
use byleave_testing::model::laws::{s25_holds, s32_holds, s33_holds, the_engine_decides_as_the_model};

#[test]
fn s40_generated_sites_are_decided_as_the_model_decides() {
    the_engine_decides_as_the_model(90_000_000, 1500, site);
}

#[test]
fn s32_the_order_of_preferences_never_matters() {
    s32_holds(engine, 91_000_000, 500, site);
}

#[test]
fn s32_the_order_of_preferences_never_matters_in_the_model() {
    s32_holds(model::decide, 91_000_000, 500, site);
}

#[test]
fn s25_a_dom_like_the_page_changes_nothing() {
    s25_holds(engine, 92_000_000, 300, site);
}

#[test]
fn s25_a_dom_like_the_page_changes_nothing_in_the_model() {
    s25_holds(model::decide, 92_000_000, 300, site);
}

#[test]
fn s33_the_named_preferences_determine_the_outcome() {
    s33_holds(engine, 93_000_000, 500, site);
}

#[test]
fn s33_the_named_preferences_determine_the_outcome_in_the_model() {
    s33_holds(model::decide, 93_000_000, 500, site);
}
