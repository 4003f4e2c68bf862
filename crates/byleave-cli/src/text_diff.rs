//! The difference between two versions of a file, as a unified diff that `patch` accepts.

use crate::output::{Colour, Output, escaped_bytes};
use byleave::Outcome;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};
use std::io::{self, IsTerminal, Write};

/// Writes how `after` differs from `before`.
pub fn write_diff(name: &str, before: &[u8], after: &[u8], out: &mut Output<'_>) -> io::Result<()> {
    let (before, after) = (lines(before), lines(after));
    let operations = capture_diff_slices(Algorithm::Myers, &before, &after);
    writeln!(out, "{}", out.paint(Colour::Heading, &format!("--- {name}")))?;
    writeln!(out, "{}", out.paint(Colour::Heading, &format!("+++ {name}")))?;
    for hunk in group_diff_ops(operations, CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let range = |start: usize, end: usize| match end - start {
            // For an empty range, the format requires the number of the line before it.
            0 => format!("{start},0"),
            1 => format!("{}", start + 1),
            length => format!("{},{length}", start + 1),
        };
        let old = range(first.old_range().start, last.old_range().end);
        let new = range(first.new_range().start, last.new_range().end);
        writeln!(out, "{}", out.paint(Colour::Margin, &format!("@@ -{old} +{new} @@")))?;
        for operation in &hunk {
            write_operation(operation, &before, &after, out)?;
        }
    }
    Ok(())
}

/// The number of unchanged lines shown around a change.
const CONTEXT: usize = 3;

fn write_operation(operation: &DiffOp, before: &[&[u8]], after: &[&[u8]], out: &mut Output<'_>) -> io::Result<()> {
    let old = before.get(operation.old_range()).unwrap_or_default();
    let new = after.get(operation.new_range()).unwrap_or_default();
    if operation.tag() == DiffTag::Equal {
        return old.iter().try_for_each(|line| write_line(' ', line, None, out));
    }
    old.iter().try_for_each(|line| write_line('-', line, Some(Colour::Of(Outcome::Prohibited)), out))?;
    new.iter().try_for_each(|line| write_line('+', line, Some(Colour::Of(Outcome::Permitted)), out))
}

/// Writes a line unchanged, so that the diff can be applied. On a terminal, writes it escaped.
fn write_line(sign: char, line: &[u8], colour: Option<Colour>, out: &mut Output<'_>) -> io::Result<()> {
    let (body, is_ended) = line.strip_suffix(b"\n").map_or((line, false), |body| (body, true));
    if io::stdout().is_terminal() {
        let text = format!("{sign}{}", escaped_bytes(body));
        writeln!(out, "{}", colour.map_or(text.as_str().into(), |colour| out.paint(colour, &text)))?;
    } else {
        write!(out, "{sign}")?;
        out.write_all(body)?;
        out.write_all(b"\n")?;
    }
    if is_ended { Ok(()) } else { out.write_all(b"\\ No newline at end of file\n") }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}
