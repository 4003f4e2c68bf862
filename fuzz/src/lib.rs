//! The fuzz targets of Byleave. `byleave-testing` has them, where they run under `cargo test` too.

pub use byleave_testing::targets;
