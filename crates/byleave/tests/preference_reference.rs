//! The engine equals the model on made-up sites that speak today's dialects: fields of robots.txt, headers, METAs,
//! documents and licences, in one decision (S-40 to S-46, S-50). And laws that need no second reading (S-25, S-32,
//! S-33).
//!
//! `BYLEAVE_ROUNDS=20` makes twenty times as many sites.

#![cfg(feature = "cases")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod generate;
mod model;

use model::compared::engine;
use model::laws::{s25_holds, s32_holds, s33_holds, the_model_decides_alike};
use model::made_today::site;

#[test]
fn s40_made_up_sites_are_decided_as_the_model_decides() {
    the_model_decides_alike(90_000_000, 1500, site);
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
fn s33_the_preferences_that_are_named_did_it() {
    s33_holds(engine, 93_000_000, 500, site);
}

#[test]
fn s33_the_preferences_that_are_named_did_it_in_the_model() {
    s33_holds(model::decide, 93_000_000, 500, site);
}
