//! The fuzz targets of Wayleave. What they check is beside the engine's tests, where it runs under `cargo test` too.

#[path = "../../crates/wayleave/tests/checks/mod.rs"]
mod checks;
#[path = "../../crates/wayleave/tests/generate/mod.rs"]
mod generate;
#[path = "../../crates/wayleave/tests/model/mod.rs"]
mod model;
#[path = "../../crates/wayleave/tests/targets/mod.rs"]
pub mod targets;

use model::{naive, oracle};
