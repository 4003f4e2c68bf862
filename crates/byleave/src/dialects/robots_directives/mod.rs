//! The directives in META tags, `Robots-Tag` and `X-Robots-Tag` (S-17, S-23, S-48).
//!
//! `vocabulary.rs` contains the table of directives, and `search_engines.rs` contains the directives that some search
//! engines read differently. `site` collects the directives on a page, and `decide` combines the directives from
//! several carriers.

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
