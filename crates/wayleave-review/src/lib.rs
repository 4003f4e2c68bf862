//! What a site's rules come to, as working material: who may do what where, what a change of the rules changes, and
//! the same said in another way.
//!
//! Everything here asks the engine and decides nothing by itself. No I/O is done.

#![forbid(unsafe_code)]
