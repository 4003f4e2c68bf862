//! A matrix as tables in GitHub's Markdown, followed by the notes.
//!
//! Text from files and URLs is in code spans, where nothing is interpreted as markup. A bar (`|`) ends a table cell
//! even in a code span, and parsers differ on a backslash before it. So in tables a bar is written as `\x7c`.

use super::MatrixView;
use super::notes::{self, Notes};
use crate::output::Output;
use byleave_review::matrix::Cell;
use std::io::{self, Write};

/// Writes the tables and the notes.
pub fn write(shown: &MatrixView<'_>, out: &mut Output<'_>) -> io::Result<()> {
    let mut lines = Notes::default();
    writeln!(out, "# Who may do what\n")?;
    writeln!(out, "From {}, reading `{}`.", code(&shown.sources()), shown.site.reading().name())?;
    for table in &shown.matrix.tables {
        writeln!(out, "\n## {}\n", code(&notes::shown(&table.url, LONG)))?;
        let usages: Vec<_> =
            shown.matrix.usages.iter().map(|usage| in_table(&code(&notes::shown(usage.name(), LONG)))).collect();
        writeln!(out, "| crawler | {} |", usages.join(" | "))?;
        writeln!(out, "|---|{}", "---|".repeat(usages.len()))?;
        for row in &table.rows {
            let names: Vec<_> =
                row.crawlers.iter().map(|name| in_table(&code(&notes::shown(name, notes::MAX_NAME)))).collect();
            write!(out, "| {} |", names.join(", "))?;
            for cell in &row.cells {
                write!(out, " {} ({}) |", cell.effective.name(), lines.number(cell, line_of))?;
            }
            writeln!(out)?;
        }
    }
    writeln!(out)?;
    for (number, line) in lines.iter() {
        writeln!(out, "{number}. {line}")?;
    }
    writeln!(out)?;
    for line in notes::about_crawlers(shown) {
        writeln!(out, "- {line}")?;
    }
    Ok(())
}

/// Returns the note that explains a cell, with text from files in code spans.
fn line_of(cell: &Cell) -> String {
    let mut line = notes::change_of(cell);
    if !cell.conditions.is_empty() {
        let conditions: Vec<_> = cell.conditions.iter().map(|condition| code(&notes::shown(condition, LONG))).collect();
        line.push_str(&format!("on condition {}: ", conditions.join(" and ")));
    }
    let because = spans(&notes::because_of(cell));
    format!("{line}{because}{} ({})", notes::more_of(cell), cell.rule)
}

/// Returns a sentence from the engine as Markdown. Text from files is between backticks in the sentence. If that text
/// contains backticks itself, its end cannot be determined. Then the whole sentence becomes a code span.
fn spans(sentence: &str) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    let is_word = |letter: char| letter.is_alphanumeric() || " .,;:'()-/".contains(letter);
    // GitHub turns text with `//` or `www.` into links.
    let is_plain = |text: &&str| text.chars().all(is_word) && !text.contains("//") && !text.contains("www.");
    let has_plain_words = parts.iter().step_by(2).all(is_plain);
    if parts.len() % 2 == 1 && parts.len() <= 5 && has_plain_words { sentence.to_owned() } else { code(sentence) }
}

/// Returns a code span with delimiters that are longer than any run of backticks in the text.
fn code(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    let blank = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty() { " " } else { "" };
    format!("{marks}{blank}{text}{blank}{marks}")
}

fn in_table(text: &str) -> String {
    text.replace('|', "\\x7c")
}

const LONG: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_span_can_contain_any_text() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "```a``b```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(in_table(&code("a|b\\|c")), "`a\\x7cb\\\\x7cc`");
    }

    #[test]
    fn text_from_files_is_code() {
        assert_eq!(spans("line 3 prohibits `/<b>`"), "line 3 prohibits `/<b>`");
        assert_eq!(spans("line 3 prohibits `/a`<b>`"), "`` line 3 prohibits `/a`<b>` ``");
        assert_eq!(spans("line 1 of </x> permits it"), "`line 1 of </x> permits it`");
        assert_eq!(spans("line 1 permits `a` www.b.example `c`"), "`` line 1 permits `a` www.b.example `c` ``");
    }
}
