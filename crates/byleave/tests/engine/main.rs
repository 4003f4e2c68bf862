//! The tests of the engine from outside, as one binary: a module each, so that the crates it needs are linked once.
//!
//! `cargo test -p byleave --test engine laws::` runs one module. Two tests are binaries of their own: `conformance`, which
//! has to be quick to build, and `no_allocation`, which counts what the whole process allocates.

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
