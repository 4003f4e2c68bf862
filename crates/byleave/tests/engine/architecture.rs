//! Checks the style rules that a test can check: the length and first lines of files, no I/O, no `unsafe`, no module
//! named `util`, and the order of layers in ARCHITECTURE.md.

mod layers;
mod paths;

use layers::{Order, cycles};
use paths::Source;
use std::path::{Path, PathBuf};

/// The maximum number of lines in a file, not counting the tests inside it.
const LINES: usize = 600;

/// Returns the path and text of every source file in every crate.
fn sources() -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        gather(&entry.unwrap().path().join("src"), &mut found);
    }
    found.sort();
    assert!(found.iter().any(|(path, _)| path.ends_with("byleave/src/lib.rs")), "found no `byleave/src/lib.rs`");
    found
}

fn gather(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

/// Returns the part of a file before its tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap()
}

/// Returns whether a file belongs to the crate with this name. The name of the repository's folder does not matter.
fn is_of(path: &Path, name: &str) -> bool {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    path.strip_prefix(crates).is_ok_and(|below| below.starts_with(name))
}

fn is_library(path: &Path) -> bool {
    ["byleave", "byleave-lint", "byleave-review"].iter().any(|name| is_of(path, name))
}

#[test]
fn no_file_is_longer_than_the_limit() {
    for (path, text) in sources() {
        let is_bound = is_library(&path) || is_of(&path, "byleave-cli") || is_of(&path, "byleave-testing");
        let lines = without_tests(&text).lines().count();
        assert!(!is_bound || lines <= LINES, "{} has {lines} lines; {LINES} is the limit", path.display());
    }
}

#[test]
fn every_file_opens_with_what_it_is_about() {
    for (path, text) in sources() {
        assert!(text.starts_with("//! "), "{} does not open with `//! `", path.display());
    }
}

#[test]
fn libraries_do_no_io_read_no_clock_and_are_safe() {
    const OUTSIDE: [&str; 5] = ["fs", "net", "time", "thread", "env"];
    for (path, text) in sources().iter().filter(|(path, _)| is_library(path)) {
        for (number, line) in without_tests(text).lines().enumerate() {
            let code = line.split("//").next().unwrap();
            let words: Vec<&str> = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
            let place = format!("{}:{}", path.display(), number + 1);
            assert!(!words.contains(&"unsafe"), "{place}: unsafe code");
            // A time that the caller supplies is allowed. Reading a clock is not.
            assert!(!code.contains("::now("), "{place}: reads a clock");
            let code = code.replace("std::time::SystemTime", "");
            for module in OUTSIDE {
                let is_used = code.contains(&format!("std::{module}"))
                    || (code.contains("use std::{") && words.contains(&module));
                assert!(!is_used, "{place}: std::{module}");
            }
        }
    }
}

#[test]
fn no_module_is_called_util_or_the_like() {
    const DRAWERS: [&str; 5] = ["util", "utils", "common", "helpers", "misc"];
    for (path, text) in sources() {
        let names = path.iter().filter_map(|part| part.to_str()).map(|part| part.trim_end_matches(".rs"));
        let inside = text.lines().filter_map(|line| line.trim().trim_start_matches("pub ").strip_prefix("mod "));
        let inside = inside.map(|rest| rest.trim_end_matches([';', ' ', '{']));
        // Ignore the folders above `crates/`, because users choose their names.
        let ours: Vec<&str> = names.skip_while(|part| *part != "crates").chain(inside).collect();
        assert!(
            !ours.iter().any(|name| DRAWERS.contains(name)),
            "{} is or has a module with a name that is too general",
            path.display()
        );
    }
}

/// Returns the path of the module that a file in `src` defines. The path is empty for `lib.rs`.
fn module_of(file: &str) -> Vec<String> {
    let mut parts: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod" || last == "lib") {
        parts.pop();
    }
    parts
}

/// Returns the engine's source files.
fn engine() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources().into_iter().filter_map(|(path, text)| {
        let below: Vec<&str> = path.strip_prefix(&root).ok()?.iter().filter_map(|part| part.to_str()).collect();
        let below = below.join("/");
        Some(Source { module: module_of(&below), file: format!("crates/byleave/src/{below}"), text })
    });
    files.collect()
}

/// Law: a module uses only modules in earlier layers, in the order that ARCHITECTURE.md states. So no modules depend on
/// each other in a cycle. If ARCHITECTURE.md states no order, the test is skipped.
#[test]
fn modules_use_only_the_layers_before_their_own() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let Some(order) = Order::stated_in(&std::fs::read_to_string(page).unwrap()) else {
        eprintln!("skipped: ARCHITECTURE.md states no order of layers");
        return;
    };
    let sources = engine();
    let wrong = [order.offences(&sources), cycles(&sources)].concat();
    assert!(wrong.is_empty(), "{} uses are not in the order of layers:\n{}", wrong.len(), wrong.join("\n"));
}
