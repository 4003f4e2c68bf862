//! A matrix as text: a table if it fits the width, otherwise a list of answers for each crawler.

use super::MatrixView;
use super::notes::{self, Notes, line_of};
use crate::output::{Colour, Output, escaped};
use byleave::Outcome;
use byleave_review::matrix::{Cell, Row, Table};
use std::io::{self, Write};

/// Writes the tables and the notes. Lines have at most `width` columns, unless a single word is longer.
pub fn write(shown: &MatrixView<'_>, width: usize, out: &mut Output<'_>) -> io::Result<()> {
    let mut notes = Notes::default();
    let usages: Vec<String> = shown.matrix.usages.iter().map(|usage| escaped(usage.name()).into_owned()).collect();
    let mut columns: Vec<usize> = usages.iter().map(|usage| usage.chars().count()).collect();
    // Notes are numbered before the first line is written, because the column widths depend on the numbers.
    for row in shown.matrix.tables.iter().flat_map(|table| &table.rows) {
        for (cell, column) in row.cells.iter().zip(&mut columns) {
            *column = (*column).max(answer(cell, &mut notes).chars().count());
        }
    }
    let cells: usize = columns.iter().map(|column| column + GAP).sum();
    for (number, table) in shown.matrix.tables.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", out.paint(Colour::Heading, &escaped(&table.url)))?;
        if cells + MIN_NAMES_WIDTH <= width {
            let names = (width - cells).min(MAX_NAMES_WIDTH);
            write_table(table, &usages, &columns, names, &mut notes, out)?;
        } else {
            write_list(table, &usages, width, &mut notes, out)?;
        }
    }
    writeln!(out)?;
    for (number, line) in notes.iter() {
        write_wrapped(&format!("{:>5} ", format!("[{number}]")), 6, line, width, out)?;
    }
    writeln!(out)?;
    for line in notes::about_crawlers(shown) {
        write_wrapped("", 0, &line, width, out)?;
    }
    Ok(())
}

/// Returns the text of a cell: the outcome, and the number of its note.
fn answer(cell: &Cell, notes: &mut Notes) -> String {
    format!("{} [{}]", cell.effective.name(), notes.number(cell, line_of))
}

/// Returns an answer with the outcome in colour.
fn painted(answer: &str, outcome: Outcome, out: &Output<'_>) -> String {
    let (word, number) = answer.split_at(outcome.name().len());
    format!("{}{number}", out.paint(Colour::Of(outcome), word))
}

fn write_table(
    table: &Table,
    usages: &[String],
    columns: &[usize],
    names: usize,
    notes: &mut Notes,
    out: &mut Output<'_>,
) -> io::Result<()> {
    let widest = table.rows.iter().flat_map(|row| labels(row, names)).map(|label| label.chars().count()).max();
    let width = widest.unwrap_or(0);
    let mut heading = format!("{:width$}", "");
    for (usage, column) in usages.iter().zip(columns) {
        heading.push_str(&format!("{:GAP$}{usage:column$}", ""));
    }
    writeln!(out, "{}", out.paint(Colour::Heading, heading.trim_end()))?;
    for row in &table.rows {
        let mut labels = labels(row, names).into_iter();
        write!(out, "{:width$}", labels.next().unwrap_or_default())?;
        let last = row.cells.len().saturating_sub(1);
        for (number, (cell, column)) in row.cells.iter().zip(columns).enumerate() {
            let answer = answer(cell, notes);
            let pad = if number == last { 0 } else { column.saturating_sub(answer.len()) };
            write!(out, "{:GAP$}{}{:pad$}", "", painted(&answer, cell.effective, out), "")?;
        }
        writeln!(out)?;
        for label in labels {
            writeln!(out, "{label}")?;
        }
    }
    Ok(())
}

/// Writes the answers of each row as a list. Usages with the same answer share a line.
fn write_list(
    table: &Table,
    usages: &[String],
    width: usize,
    notes: &mut Notes,
    out: &mut Output<'_>,
) -> io::Result<()> {
    for row in &table.rows {
        for label in labels(row, width) {
            writeln!(out, "{label}")?;
        }
        let mut answers: Vec<(String, Outcome, Vec<&str>)> = Vec::new();
        for (cell, usage) in row.cells.iter().zip(usages) {
            let answer = answer(cell, notes);
            match answers.iter_mut().find(|(known, ..)| *known == answer) {
                Some((.., members)) => members.push(usage),
                None => answers.push((answer, cell.effective, vec![usage])),
            }
        }
        let widest = answers.iter().map(|(answer, ..)| answer.len()).max().unwrap_or(0);
        for (answer, outcome, members) in answers {
            let pad = widest - answer.len();
            let margin = format!("  {}{:pad$}  ", painted(&answer, outcome, out), "");
            write_wrapped(&margin, widest + 4, &members.join(", "), width, out)?;
        }
    }
    Ok(())
}

/// Returns the crawler names of a row in lines of at most `width` columns. A name that is longer has a line of its own.
/// At most `MAX_NAMES` names are shown, followed by the number of the others.
fn labels(row: &Row, width: usize) -> Vec<String> {
    let mut names: Vec<String> =
        row.crawlers.iter().take(MAX_NAMES).map(|name| notes::shown(name, notes::MAX_NAME)).collect();
    let more = row.crawlers.len() - names.len();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    let last = names.len().saturating_sub(1);
    let mut lines = vec![String::new()];
    for (number, name) in names.into_iter().enumerate() {
        let name = if number == last { name } else { format!("{name},") };
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = name,
            Some(line) if line.chars().count() + 1 + name.chars().count() <= width => {
                line.push(' ');
                line.push_str(&name);
            }
            _ => lines.push(format!(" {name}")),
        }
    }
    lines
}

/// Writes the text after a margin of `indent` columns, and indents the following lines by the same width.
fn write_wrapped(margin: &str, indent: usize, text: &str, width: usize, out: &mut Output<'_>) -> io::Result<()> {
    let most = width.saturating_sub(indent).max(MIN_WIDTH);
    let mut line = String::new();
    let mut margin = margin.to_owned();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
            writeln!(out, "{margin}{line}")?;
            margin = " ".repeat(indent);
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{margin}{line}")
}

const GAP: usize = 2;
/// A table needs at least this many columns for crawler names.
const MIN_NAMES_WIDTH: usize = 16;
const MAX_NAMES_WIDTH: usize = 40;
const MIN_WIDTH: usize = 20;
const MAX_NAMES: usize = 30;
