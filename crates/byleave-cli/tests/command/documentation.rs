//! The examples in the documentation show the command's real output.
//!
//! The test runs every command in a `console` block of these pages, except those that `NOT_RUN` lists. Blocks of other
//! kinds, such as `sh`, show no output and are not run.

use crate::{byleave_with, root};

/// The pages, and the minimum number of commands that must be found and run in each.
const PAGES: [(&str, usize); 5] = [
    ("README.md", 6),
    ("docs/commands.md", 10),
    ("docs/matrix.md", 1),
    ("docs/crawlers.md", 1),
    ("docs/convert.md", 1),
];

/// The beginnings of commands that are not run, and the reasons. The pages must not show output of these commands.
const NOT_RUN: [(&str, &str); 3] = [
    ("cargo test", "it would run this test again"),
    ("cargo run --release -p byleave-bench ", "it does not run `byleave`, and it needs a corpus"),
    ("cargo run --release -- matrix ", "it writes a file"),
];

#[test]
fn every_shown_invocation_gives_the_shown_output() {
    let mut skipped = Vec::new();
    for (name, least) in PAGES {
        let page = std::fs::read_to_string(root().join(name)).unwrap();
        let mut run = 0;
        for (command, shown) in shown_commands(&page) {
            if let Some((start, why)) = NOT_RUN.iter().find(|(start, _)| command.starts_with(start)) {
                assert_eq!(shown, "", "{name}: the output of `{command}` is not checked: {why}");
                skipped.push(*start);
                continue;
            }
            let (arguments, input) = invocation(&command)
                .unwrap_or_else(|| panic!("{name}: `{command}` is not an invocation, and NOT_RUN does not list it"));
            let ran = byleave_with(&arguments, &input);
            assert_eq!((ran.stdout + &ran.stderr).trim_end(), shown, "{name}: {command}");
            run += 1;
        }
        assert!(run >= least, "{name}: only {run} invocations were found");
    }
    for (start, _) in NOT_RUN {
        assert!(skipped.contains(&start), "NOT_RUN lists `{start}`, but no page has such a command");
    }
}

/// Returns the commands in `console` blocks, each with the output below it.
fn shown_commands(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_suffix("console").filter(|fence| fence.starts_with("```")) else { continue };
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != fence).collect();
        let block = format!("\n{}", block.join("\n"));
        for command in block.split("\n$ ").skip(1) {
            let (command, shown) = command.split_once('\n').unwrap_or((command, ""));
            found.push((command.to_owned(), shown.trim_end().to_owned()));
        }
    }
    found
}

/// Returns the arguments for `byleave` and its standard input. Returns `None` if a command does not run `byleave`.
fn invocation(command: &str) -> Option<(Vec<&str>, Vec<u8>)> {
    let (input, command) = match command.strip_prefix("printf '") {
        Some(rest) => rest.split_once("' | ")?,
        None => ("", command),
    };
    let arguments = command.strip_prefix("byleave ").or_else(|| command.strip_prefix("cargo run --release -- "))?;
    let arguments = arguments.split_whitespace().map(|word| word.trim_matches('\'')).collect();
    Some((arguments, input.replace("\\n", "\n").into_bytes()))
}
