//! Code that the tests and fuzz targets share: a second implementation of the semantics, generators, and checks.
//!
//! [`model`] and [`naive`] are a second implementation of `docs/semantics.md` and share almost no code with the engine.
//! [`oracle`] reads pages with html5ever alone. [`generate`], [`gen_heads`] and parts of [`model`] generate inputs from
//! a seed. [`real`] reads the corpus of real files. [`checks`] contains comparisons and assertions that several tests
//! share, and [`targets`] contains the fuzz targets.

#![allow(missing_docs, reason = "used only by tests")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may stop where it fails"
)]

pub mod checks;
pub mod gen_heads;
pub mod generate;
pub mod model;
pub mod naive;
pub mod oracle;
pub mod real;
pub mod targets;
