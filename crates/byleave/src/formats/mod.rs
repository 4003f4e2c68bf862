//! File formats: from bytes to spans. No word of any permission dialect is known here.

pub mod html;
pub mod http;
pub mod json;
pub mod xml;
