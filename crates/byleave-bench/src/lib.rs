//! The input that the binaries of this crate share: files and URLs.

pub mod corpus;
