//! The engine's integration tests, as one binary with one module per subject, so that dependencies are linked only
//! once.
//!
//! `cargo test -p byleave --test engine laws::` runs one module. Two tests are separate binaries: `conformance`, which
//! must be quick to build, and `no_allocation`, which counts the allocations of the whole process.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may stop where it fails"
)]

mod acap;
mod acap_laws;
mod acap_reference;
mod adversarial;
mod architecture;
mod corpus;
mod corpus_laws;
mod documents;
mod element_reference;
mod elements;
mod elements_adversarial;
mod explanations;
mod extract;
mod fuzz;
mod headers;
mod heads;
mod heads_adversarial;
mod laws;
mod marks;
mod page_reference;
mod preference_laws;
mod preference_reference;
mod question_order;
mod reference;
mod requirements_index;
mod semantics_index;
mod tree;
