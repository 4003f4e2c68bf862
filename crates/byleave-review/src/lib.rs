//! Computes the effects of a site's rules: tables of who may do what, changes between versions, differences between
//! readings, conversions to other dialects, and rules written for an intent.
//!
//! All decisions come from the engine (`byleave`). This crate makes no decisions itself and does no I/O.

#![forbid(unsafe_code)]

mod applicable;
mod budget;
pub mod compare;
pub mod convert;
mod crawler_classes;
pub mod crawlers;
pub mod diff;
mod directive_writer;
mod grouping;
pub mod matrix;
mod names;
mod phrases;
mod preference_writer;
mod redundancy;
mod regions;
mod scope;
pub mod starter_tests;
mod usage_intent;
mod verdict;
pub mod write;

pub use budget::Budget;
pub use phrases::quoted;
pub use scope::{NamedCrawlers, Proof, ReviewScope};
pub use verdict::{DecidingStatement, Verdict};
