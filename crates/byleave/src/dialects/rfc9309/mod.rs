//! RFC 9309's patterns and paths: their comparable form, matching, and eight-byte keys that filter rules.
//!
//! `policy` compiles the rules of a whole robots.txt.

pub mod key;
pub mod pattern;
pub mod resource;
