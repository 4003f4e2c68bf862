//! The directives of META tags, `Robots-Tag` and `X-Robots-Tag` (S-17, S-23, S-48).
//!
//! One table has the directives (`vocabulary.rs`), another those that search engines understand otherwise. Whose page
//! it is and how directives of several carriers combine is `site`'s and `decide`'s.

mod directive;
mod headers;
mod heard;
mod robots_tag;
pub(crate) mod search_engines;
pub mod vocabulary;
mod x_robots_tag;

pub(crate) use directive::*;
pub(crate) use headers::{Found, HeaderField, Note, Said, Whom};
#[doc(hidden)]
pub use heard::{Heard, meta_words};
pub(crate) use vocabulary::TRAINING;
pub use vocabulary::{ValueKind, WORDS, Word, WordEffect};
