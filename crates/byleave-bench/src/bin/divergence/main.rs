//! Compares the verdicts of Byleave and other parsers on the same files, and assigns every difference to a class.
//!
//! `cargo run --release -p byleave-bench --bin divergence -- CORPUS/data/robots.jsonl.gz` checks `docs/divergence.md`.
//! With `--write`, the command writes the page. With `--files N`, it uses only the first N files and ignores the page.
//! With `--faults`, it checks that no class explains the wrong verdicts of a faulty Byleave. The exit code is 1 if a
//! check fails, and 2 if a check cannot run.

mod classes;
mod cures;
mod document;
mod engines;
mod faults;
mod question;
mod tally;
mod urls;

use classes::COMPARISONS;
use engines::Engine;
use faults::Fault;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tally::Tally;

const USAGE: &str = "usage: divergence ROBOTS.JSONL.GZ [--write | --faults] [--files N]";
/// The maximum number of unexplained differences to show.
const SHOWN: usize = 20;

struct Options {
    corpus: PathBuf,
    task: Task,
    files: Option<usize>,
}

enum Task {
    Check,
    Write,
    Faults,
}

fn main() -> ExitCode {
    let done = options(std::env::args().skip(1)).and_then(|options| {
        let mut files = byleave_bench::corpus::files(&options.corpus)?;
        files.truncate(options.files.unwrap_or(files.len()));
        match options.task {
            Task::Faults => Ok(notices_faults(&files)),
            Task::Check | Task::Write => compare(&options, &files),
        }
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("divergence: {error}");
            ExitCode::from(2)
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let (mut corpus, mut task, mut files) = (None, Task::Check, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--write" => task = Task::Write,
            "--faults" => task = Task::Faults,
            "--files" => files = Some(arguments.next().and_then(|count| count.parse().ok()).ok_or(USAGE)?),
            _ if corpus.is_none() && !argument.starts_with("--") => corpus = Some(PathBuf::from(argument)),
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(Options { corpus: corpus.ok_or(USAGE)?, task, files })
}

/// Runs every comparison. Returns whether every difference is explained and the page is current.
fn compare(options: &Options, files: &[(String, Vec<u8>)]) -> Result<bool, String> {
    let tally = |comparison| Tally::of(comparison, Engine::Byleave(comparison.reading), files);
    let tallies: Vec<Tally> = COMPARISONS.iter().map(tally).collect();
    for (comparison, tally) in COMPARISONS.iter().zip(&tallies) {
        let Tally { asked, differing, left_over, .. } = tally;
        let (reading, peer) = (comparison.reading, comparison.peer.name());
        println!("{reading} and {peer}: {asked} questions, {differing} differ, {} unexplained", left_over.len());
        for (class, row) in comparison.classes.iter().zip(&tally.rows) {
            println!("  {:24} {:>7} {:>7} with others {:>6} files", class.name, row.alone, row.together, row.files);
        }
        for left in left_over.iter().take(SHOWN) {
            let (question, ours, theirs) = (&left.question, left.ours, left.theirs);
            let (crawler, path) = (&question.crawler, &question.path);
            println!("  unexplained: file {}, {crawler} at {path}: ours {ours:?}, theirs {theirs:?}", left.file);
        }
    }
    let is_explained = tallies.iter().all(|tally| tally.left_over.is_empty());
    let page = document::page(files.len(), &tallies);
    Ok(is_explained && (options.files.is_some() || is_current(&page, &options.task)?))
}

/// With `--write`, writes the page. Otherwise, returns whether the page is current.
fn is_current(page: &str, task: &Task) -> Result<bool, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/divergence.md");
    if matches!(task, Task::Write) {
        std::fs::write(&path, page).map_err(|error| format!("docs/divergence.md: {error}"))?;
        return Ok(true);
    }
    let is_same = std::fs::read_to_string(&path).is_ok_and(|found| found == page);
    if !is_same {
        println!("docs/divergence.md is not current; update it with `--write`");
    }
    Ok(is_same)
}

/// Runs every comparison with each fault. Returns whether the wrong verdicts stay unexplained.
fn notices_faults(files: &[(String, Vec<u8>)]) -> bool {
    let mut is_noticed = true;
    for fault in Fault::ALL {
        for comparison in &COMPARISONS {
            let tally = Tally::of(comparison, Engine::Faulty(comparison.reading, fault), files);
            let Tally { spoilt, noticed, hidden, .. } = tally;
            let agreeing = spoilt - noticed - hidden;
            println!(
                "{fault:?}, {} and {}: {spoilt} wrong verdicts, {noticed} unexplained, {hidden} explained by a class, \
                 {agreeing} the same as the other parser",
                comparison.reading,
                comparison.peer.name(),
            );
            // In rare cases, a wrong verdict happens to be the right verdict for a cured question, so a class explains
            // it.
            is_noticed &= noticed > 20 * hidden;
        }
    }
    is_noticed
}
