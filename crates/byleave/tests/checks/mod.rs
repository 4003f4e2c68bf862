//! Checks that more than one test makes: of one file, one page or one response.

pub mod brute_force;
pub mod elements;
pub mod headers;
pub mod metas;
pub mod saved;
pub mod tree;
