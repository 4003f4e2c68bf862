//! Tests that run the command and check its output, standard error and exit code.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may stop where it fails")]

mod comparing;
mod conformance;
mod convert;
mod crawlers;
mod documentation;
mod errors;
mod exit_codes;
mod fixing;
mod formats;
mod lint;
mod matrix;
mod needs;
mod pipes;
mod schema;
mod sites;
mod tests_file;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The result of running the command.
struct Ran {
    stdout: String,
    stderr: String,
    code: i32,
}

impl Ran {
    /// Returns the output, standard error and exit code as one text, for snapshots.
    fn shown(&self) -> String {
        let mut shown = self.stdout.clone();
        if !self.stderr.is_empty() {
            shown.push_str("[stderr]\n");
            shown.push_str(&self.stderr);
        }
        format!("{shown}[exit {}]", self.code)
    }
}

/// Returns the command, set to run in the workspace root and without variables that affect output.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_byleave"));
    command.args(arguments).current_dir(root()).env_remove("NO_COLOR").env_remove("COLUMNS");
    command
}

fn byleave(arguments: &[&str]) -> Ran {
    byleave_with(arguments, b"")
}

/// Runs the command with these bytes on standard input.
fn byleave_with(arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = command(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that refuses its arguments does not read its input, so a failed write is not an error.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Writes a temporary file for a test, and returns its path.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    // Several tests may write the same file at once. A rename ensures that no test reads a partly written file.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let unfinished = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("unfinished-{}-{number}", std::process::id()));
    std::fs::write(&unfinished, content).unwrap();
    std::fs::rename(&unfinished, &path).unwrap();
    path.to_str().unwrap().to_owned()
}
