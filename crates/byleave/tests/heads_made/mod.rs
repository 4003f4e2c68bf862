//! For the unit tests of `page/tree.rs`, which name this path.

pub use byleave_testing::gen_heads::*;
