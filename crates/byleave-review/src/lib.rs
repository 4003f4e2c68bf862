//! What a site's rules come to, as working material: who may do what where, what a change of the rules changes, and
//! the same said in another way.
//!
//! Everything here asks the engine and decides nothing by itself. No I/O is done.

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
mod regions;
mod scope;
pub mod starter_tests;
mod verdict;
pub mod write;

pub use phrases::quoted;
pub use scope::{Proof, ReviewScope};
pub use verdict::{DecidingStatement, Verdict};
