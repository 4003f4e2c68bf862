//! Checks that parsing and deciding take linear time, by counting steps instead of measuring time (S-34). Every
//! adversarial shape is generated in three sizes: n, 2n and 4n.
//!
//! ```text
//! LLVM_PROFILE_FILE=/dev/null RUSTFLAGS="-C instrument-coverage" \
//!     cargo run --profile steps --target-dir target/steps -p byleave-bench --bin steps
//! ```
//!
//! For each shape, the output shows the most expensive operation. With `--all`, it shows every operation. Other
//! arguments are words: only shapes whose names contain one of the words are run. `--fault` checks that quadratic work
//! is detected. The exit code is 1 if an operation is not linear, and 2 if steps are not counted.

mod counters;
mod operations;
mod rows;
mod shapes;

use rows::Row;
use shapes::Shape;
use std::process::ExitCode;

#[global_allocator]
static MEMORY: counters::Counting = counters::Counting;

fn main() -> ExitCode {
    let (options, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    if let Some(unknown) = options.iter().find(|option| !["--all", "--fault"].contains(&option.as_str())) {
        eprintln!("steps: unknown option `{unknown}`; usage: steps [--all] [--fault] [WORDS OF SHAPES...]");
        return ExitCode::from(2);
    }
    if !counters::are_there() {
        eprintln!("steps: this build counts nothing; build on Linux with RUSTFLAGS=\"-C instrument-coverage\"");
        return ExitCode::from(2);
    }
    let has = |option: &str| options.iter().any(|own| own == option);
    if has("--fault") {
        return finds_the_fault();
    }
    let is_asked = |shape: &Shape| words.is_empty() || words.iter().any(|word| shape.name.contains(word.as_str()));
    let shapes: Vec<Shape> = shapes::all().into_iter().filter(is_asked).collect();
    if shapes.is_empty() {
        eprintln!("steps: no shape name contains any of these words");
        return ExitCode::from(2);
    }
    println!("{}", Row::heading());
    let (mut operations, mut offending) = (0, Vec::new());
    for shape in &shapes {
        let rows = Row::of(shape);
        operations += rows.len();
        let most = rows.iter().max_by(|one, other| one.growth().total_cmp(&other.growth()));
        let is_shown = |row: &&Row| has("--all") || !row.is_kept() || most.is_some_and(|most| std::ptr::eq(*row, most));
        rows.iter().filter(is_shown).for_each(|row| println!("{row}"));
        offending.extend(rows.into_iter().filter(|row| !row.is_kept()));
    }
    println!("{} shapes, {operations} operations, {} outside their bounds", shapes.len(), offending.len());
    for row in &offending {
        eprintln!("steps: outside its bound: {} of {}", row.operation, row.shape);
    }
    if offending.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Returns whether every intentionally quadratic operation is detected.
fn finds_the_fault() -> ExitCode {
    let rows = Row::of(&shapes::fault());
    rows.iter().for_each(|row| println!("{row}"));
    let is_found = !rows.is_empty() && rows.iter().all(|row| !row.is_kept());
    println!("{}", if is_found { "every fault is found" } else { "a fault is not found" });
    if is_found { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
