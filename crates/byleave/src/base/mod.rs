//! The base of all other modules: spans and positions in a text, limits, timestamps and dates, byte scanning.

pub mod date;
pub mod limits;
pub mod scan;
pub mod shared_bytes;
pub mod source;
pub mod text;
pub mod timestamp;
pub(crate) mod varint;
