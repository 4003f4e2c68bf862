//! RFC 9309's paths: patterns and the paths of URLs in comparable form, and what can be known of a rule from eight bytes.
//!
//! The rules of a whole robots.txt are compiled in `policy`.

pub mod key;
pub mod pattern;
pub mod resource;
