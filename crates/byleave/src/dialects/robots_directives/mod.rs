//! The directives of META tags, `Robots-Tag` and `X-Robots-Tag` (S-17, S-23, S-48).
//!
//! `vocabulary.rs` has the table of directives, `search_engines.rs` the rows that search engines read differently.
//! Collecting the directives of a page is done in `site`; combining those of several carriers is done in `decide`.

mod directive;
mod headers;
mod robots_tag;
pub(crate) mod search_engines;
#[cfg(any(test, feature = "testing"))]
mod test_view;
pub mod vocabulary;
mod x_robots_tag;

pub(crate) use directive::*;
pub(crate) use headers::{DirectiveAddressee, HeaderDirective, HeaderFault, HeaderField, HeaderFinding};
#[doc(hidden)]
#[cfg(feature = "testing")]
pub use test_view::{DirectiveView, meta_directive_views};
pub(crate) use vocabulary::TRAINING;
pub use vocabulary::{DIRECTIVES, DirectiveEffect, KnownDirective, ValueKind};
