//! Views of internal data for tests outside this crate: directives as parsed, and the elements of a page as plain data.

pub use crate::dialects::robots_directives::{DirectiveView, meta_directive_views};
pub use crate::site::outline::{Outline, OutlinedElement, OutlinedText};
