//! File formats: parsers from bytes to spans. They know no words of any permission dialect.

pub mod html;
pub mod http;
pub mod json;
pub mod xml;
