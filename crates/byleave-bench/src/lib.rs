//! What the binaries of this crate share: the files they read and the URLs they ask about.

pub mod corpus;
