//! Input that the binaries in this crate share: files and URLs.

pub mod corpus;
