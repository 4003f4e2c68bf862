//! A matrix as tables of GitHub's Markdown, with what they stand on as a list below.
//!
//! Whatever comes from strangers stands in code spans, in which nothing is markup. A bar would end a cell of a table
//! even there, and backslashes before it are read in more than one way, so in tables it is written `\x7c`.

use super::Shown;
use super::notes::{self, Notes};
use crate::output::Output;
use byleave_review::matrix::Cell;
use std::io::{self, Write};

/// Writes the tables and what they stand on.
pub fn write(shown: &Shown<'_>, out: &mut Output<'_>) -> io::Result<()> {
    let mut lines = Notes::default();
    writeln!(out, "# Who may do what\n")?;
    writeln!(out, "From {}, reading `{}`.", code(&shown.sources()), shown.evidence.reading().name())?;
    for table in &shown.matrix.tables {
        writeln!(out, "\n## {}\n", code(&notes::shown(&table.url, LONG)))?;
        let usages: Vec<_> =
            shown.matrix.usages.iter().map(|usage| in_table(&code(&notes::shown(usage.name(), LONG)))).collect();
        writeln!(out, "| crawler | {} |", usages.join(" | "))?;
        writeln!(out, "|---|{}", "---|".repeat(usages.len()))?;
        for row in &table.rows {
            let names: Vec<_> =
                row.crawlers.iter().map(|name| in_table(&code(&notes::shown(name, notes::LONGEST_NAME)))).collect();
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

/// What a cell stands on, the words of strangers in code spans.
fn line_of(cell: &Cell) -> String {
    let mut line = notes::change_of(cell);
    if !cell.conditions.is_empty() {
        let conditions: Vec<_> = cell.conditions.iter().map(|condition| code(&notes::shown(condition, LONG))).collect();
        line.push_str(&format!("if it keeps {}: ", conditions.join(" and ")));
    }
    let because = spans(&notes::because_of(cell));
    format!("{line}{because}{} ({})", notes::more_of(cell), cell.rule)
}

/// A sentence of the engine's, in which what stands between backticks is a stranger's. All of it becomes code where
/// such text has backticks of its own or an end is missing, for then nobody can say which is which.
fn spans(sentence: &str) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    let is_word = |letter: char| letter.is_alphanumeric() || " .,;:'()-/".contains(letter);
    // Nor does it hold what GitHub makes a link of.
    let is_plain = |text: &&str| text.chars().all(is_word) && !text.contains("//") && !text.contains("www.");
    let has_plain_words = parts.iter().step_by(2).all(is_plain);
    if parts.len() % 2 == 1 && parts.len() <= 5 && has_plain_words { sentence.to_owned() } else { code(sentence) }
}

/// A code span: its marks are longer than any run of backticks inside.
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
    fn a_code_span_holds_any_text() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "```a``b```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(in_table(&code("a|b\\|c")), "`a\\x7cb\\\\x7cc`");
    }

    #[test]
    fn what_strangers_wrote_is_code() {
        assert_eq!(spans("line 3 prohibits `/<b>`"), "line 3 prohibits `/<b>`");
        assert_eq!(spans("line 3 prohibits `/a`<b>`"), "`` line 3 prohibits `/a`<b>` ``");
        assert_eq!(spans("line 1 of </x> permits it"), "`line 1 of </x> permits it`");
        assert_eq!(spans("line 1 permits `a` www.b.example `c`"), "`` line 1 permits `a` www.b.example `c` ``");
    }
}
