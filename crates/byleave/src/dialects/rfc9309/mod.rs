//! RFC 9309's patterns and paths: their comparable form, matching, and eight-byte keys that filter rules.
//!
//! The rules of a whole robots.txt are compiled in `policy`.

pub mod key;
pub mod pattern;
pub mod resource;
