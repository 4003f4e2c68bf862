//! The fuzz targets of Byleave. What they check is beside the engine's tests, where it runs under `cargo test` too.

#[path = "../../crates/byleave/tests/checks/mod.rs"]
mod checks;
#[path = "../../crates/byleave/tests/generate/mod.rs"]
mod generate;
#[path = "../../crates/byleave/tests/model/mod.rs"]
mod model;
#[path = "../../crates/byleave/tests/targets/mod.rs"]
pub mod targets;

use model::{naive, oracle};
