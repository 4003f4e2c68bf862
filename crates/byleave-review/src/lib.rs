//! What a site's rules come to, as working material: who may do what where, what a change of the rules changes, and
//! the same said in another way.
//!
//! Everything here asks the engine and decides nothing by itself. No I/O is done.

#![forbid(unsafe_code)]

mod answer;
mod asked;
mod bearers;
mod budget;
pub mod compare;
pub mod convert;
pub mod crawlers;
pub mod diff;
pub mod first_tests;
mod kinds;
pub mod matrix;
mod names;
mod preferring;
mod regions;
mod saying;
mod words;
pub mod write;

pub use answer::{Decider, Verdict};
pub use asked::{Asked, Proof};
pub use words::quoted;
