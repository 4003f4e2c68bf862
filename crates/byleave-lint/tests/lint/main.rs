//! Tests the linter through its public API. All tests are in one binary, and `--test lint fixes::` runs one module.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may stop where it fails"
)]

mod adversarial;
mod corpus;
mod fixes;
mod rule_pages;
