//! What a site's rules come to, as working material: who may do what where, what a change of the rules changes, and
//! the same said in another way.
//!
//! Everything here asks the engine and decides nothing by itself. No I/O is done.

#![forbid(unsafe_code)]

mod answer;
mod budget;
mod compare;
pub mod convert;
pub mod crawlers;
mod diff;
mod facts;
pub mod first_tests;
mod kinds;
pub mod matrix;
mod regions;
mod saying;
mod words;
pub mod write;

pub use answer::{Decider, Verdict};
pub use compare::{Cause, Comparison, Divergence, DivergentPlace, compare};
pub use diff::{Asked, Change, Difference, Place, Proof, Turn, diff};
pub use facts::{FactChange, FactChangeKind};
pub use words::quoted;
