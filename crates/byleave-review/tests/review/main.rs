//! Tests the reviews through the public API. All tests are in one binary, and `--test review laws::` runs one module.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may stop where it fails"
)]

mod adversarial;
mod convert;
mod corpus;
mod corpus_convert;
mod diff;
mod laws;
mod matrix;
mod preferences;
mod write;
