//! Checks on one file, page or response that several tests share.

pub mod brute_force;
pub mod elements;
pub mod header_pieces;
pub mod headers;
pub mod metas;
pub mod saved;
pub mod tree;
