//! File formats: parsers from bytes to values with spans. They do not know the vocabulary of any dialect.

pub mod html;
pub mod http;
pub mod json;
pub mod xml;
