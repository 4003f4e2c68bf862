//! Byleave's fuzz targets. They are defined in `byleave-testing`, so that they also run under `cargo test`.

pub use byleave_testing::targets;
