//! Basics that the other modules use: spans and positions in a text, limits, timestamps and dates, origins, byte
//! scanning, and a cursor.

pub(crate) mod cursor;
pub mod date;
pub(crate) mod host;
pub mod limits;
pub mod origin;
pub mod scan;
pub mod shared_bytes;
pub mod source;
pub mod system_time;
pub(crate) mod table;
pub mod text;
pub mod timestamp;
pub(crate) mod varint;
