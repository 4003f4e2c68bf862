//! The differences as a page for readers: `docs/divergence.md`.

use crate::classes::{COMPARISONS, Class, Comparison};
use crate::engines::{Engine, Verdict};
use crate::tally::{Row, Tally};
use std::fmt::Write;

/// The page for a run over `files` files, one tally a comparison.
pub fn page(files: usize, tallies: &[Tally]) -> String {
    let asked = tallies.first().map_or(0, |tally| tally.asked);
    let mut page = format!("{HEAD}\n{} files, {} questions for each peer.\n", grouped(files), grouped(asked));
    for (comparison, tally) in COMPARISONS.iter().zip(tallies) {
        page.push_str(&section(comparison, tally));
    }
    page
}

fn section(comparison: &Comparison, tally: &Tally) -> String {
    let (reading, peer) = (comparison.reading, comparison.peer.name());
    let share = tally.differing as f64 * 100.0 / tally.asked.max(1) as f64;
    let mut section = format!(
        "\n## `{reading}` beside {peer}\n\n{} verdicts differ, {share:.2} in a hundred.\n\n{TABLE}",
        grouped(tally.differing)
    );
    for (class, row) in comparison.classes.iter().zip(&tally.rows) {
        let Row { alone, together, files } = row;
        // Writing to a string does not fail.
        let _ = writeln!(
            section,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            class.name,
            cell(class.cause),
            cell(class.side),
            grouped(*alone),
            grouped(*together),
            grouped(*files),
            cell(&example(comparison, class)),
        );
    }
    section
}

/// A file, a question and both answers, in one line.
fn example(comparison: &Comparison, class: &Class) -> String {
    let question = class.example();
    let lines = question.robots_txt.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let lines: Vec<String> = lines.map(|line| format!("`{}`", visible(line))).collect();
    let answer = |engine: Engine| match engine.answer(&question) {
        Verdict::Permitted => "permits",
        Verdict::Prohibited => "prohibits",
        Verdict::Refused => "refuses the file",
    };
    format!(
        "{}; {} at `{}`: ours {}, theirs {}",
        lines.join(", "),
        question.crawler,
        visible(question.path.as_bytes()),
        answer(Engine::Byleave(comparison.reading)),
        answer(comparison.peer),
    )
}

/// Text with everything escaped that cannot be seen.
fn visible(text: &[u8]) -> String {
    let mut seen = String::new();
    for chunk in text.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                ' '..='~' => seen.push(letter),
                _ if letter.is_alphanumeric() => seen.push(letter),
                _ => seen.extend(letter.escape_unicode()),
            }
        }
        seen.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    seen
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

const HEAD: &str = "\
# Where other parsers answer otherwise

Written by `cargo run --release -p byleave-bench --bin divergence -- ROBOTS.JSONL.GZ --write`; the same command without
`--write` checks it. Do not edit it by hand.

Real robots.txt files are put to Byleave and to other Rust parsers, with URLs made from each file's own patterns: filled
in, cut, lengthened, escaped, decoded, in another case. For each file three crawlers ask: one that no file names,
`Googlebot`, and one that this file names, if it names any.

Each verdict that differs is put down to a class, and the run fails if one is left over. A class is a cure: it takes one
cause out of the question, such as a byte order mark, and changes nothing else. A difference belongs to the class if,
after the cure, Byleave still answers as before and the other parser answers the same; where several would do, it is
counted under the first. Where no single cure does that, all are applied and left out again one by one while the two
agree, and the verdict is counted under each that is needed, as \"with others\". With `--faults` the same run is made with
faults put into Byleave; their verdicts must be left over.

Sections are those of RFC 9309. \"Ours\" means that Byleave answers as it says. A class without verdicts was found in the
other parser's code or on disturbed files, and a test holds it. Examples are made up.

robotstxt takes text: where a file is not UTF-8, both are given it with U+FFFD for what is not. texting_robots and
robotstxt are asked by URL, robotxt by path.
";

const TABLE: &str = "\
| class | what the other parser does | RFC 9309's side | verdicts | with others | files | example |
|---|---|---|---|---|---|---|
";
