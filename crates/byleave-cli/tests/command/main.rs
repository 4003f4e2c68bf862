//! The command from outside: what it writes, where, and with which exit code.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may stop where it fails")]

mod comparing;
mod conformance;
mod convert;
mod crawlers;
mod documentation;
mod errors;
mod exit_codes;
mod formats;
mod lint;
mod matrix;
mod mending;
mod needs;
mod pipes;
mod schema;
mod sites;
mod tests_file;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the command left behind.
struct Ran {
    stdout: String,
    stderr: String,
    code: i32,
}

impl Ran {
    /// All of it, to be kept as a snapshot.
    fn shown(&self) -> String {
        let mut shown = self.stdout.clone();
        if !self.stderr.is_empty() {
            shown.push_str("[stderr]\n");
            shown.push_str(&self.stderr);
        }
        format!("{shown}[exit {}]", self.code)
    }
}

/// The command, to be run at the root of the workspace in surroundings without colour.
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
    // A command that refuses its arguments reads nothing; that is no failure of the test.
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

/// A file of this content for the tests of this run.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}
