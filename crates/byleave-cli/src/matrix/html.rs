//! A matrix as one HTML file that needs no other: no script, no font, no picture, no address is fetched.
//!
//! What an answer stands on is shown where the pointer is, the finger taps or the keyboard goes, and on paper always.
//! Whatever comes from strangers passes [`html`] on its way.

use super::Shown;
use super::notes;
use crate::output::{Output, escaped_bytes, shortened};
use byleave::{Outcome, ROBOTS_TXT};
use byleave_review::matrix::{Cell, MatrixCrawler, Row, Table};
use std::io::{self, Write};

/// Writes the page.
pub fn write(shown: &Shown<'_>, out: &mut Output<'_>) -> io::Result<()> {
    let sources = html(&shown.sources());
    let reading = shown.evidence.reading().name();
    let usages: Vec<String> = shown.matrix.usages.iter().map(|usage| html(usage.name())).collect();
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <meta name=\"color-scheme\" content=\"light dark\">\n<title>Who may do what: {sources}</title>\n\
        <style>\n{STYLE}@media (max-width: {}rem) {{\n{NARROW}}}\n@media print {{\n{PAPER}}}\n</style>\n</head>\n<body>\n",
        narrow_below(usages.len())
    )?;
    writeln!(out, "<header>\n<h1>Who may do what</h1>\n<p>From <code>{sources}</code>, reading {reading}.</p>")?;
    writeln!(out, "<ul class=\"legend\" aria-label=\"What the answers mean\">")?;
    for outcome in [Outcome::Permitted, Outcome::Conditional, Outcome::Prohibited, Outcome::Unstated] {
        let (name, mark, meaning) = (outcome.name(), mark(outcome), meaning(outcome));
        writeln!(
            out,
            "<li><span class=\"word {name}\"><span aria-hidden=\"true\">{mark}</span> {name}</span> {meaning}</li>"
        )?;
    }
    writeln!(out, "</ul>\n</header>\n<main>")?;
    for (number, table) in shown.matrix.tables.iter().enumerate() {
        write_table(number, table, &usages, out)?;
    }
    writeln!(out, "</main>\n<footer>")?;
    write_crawlers(shown, out)?;
    writeln!(
        out,
        "<p>Made by Byleave {}, semantics version {}.</p>\n</footer>\n</body>\n</html>",
        env!("CARGO_PKG_VERSION"),
        byleave::SEMANTICS_VERSION
    )
}

fn write_table(number: usize, table: &Table, usages: &[String], out: &mut Output<'_>) -> io::Result<()> {
    let url = html(&notes::shown(&table.url, LONG));
    writeln!(out, "<section aria-labelledby=\"t{number}\">\n<h2 id=\"t{number}\">{url}</h2>")?;
    // Roles are written out because rules for narrow screens show rows as blocks, and then browsers forget them.
    writeln!(
        out,
        "<table role=\"table\" aria-labelledby=\"t{number}\">\n<thead role=\"rowgroup\">\n<tr role=\"row\">"
    )?;
    writeln!(out, "<th role=\"columnheader\" scope=\"col\">crawler</th>")?;
    for usage in usages {
        writeln!(out, "<th role=\"columnheader\" scope=\"col\">{usage}</th>")?;
    }
    writeln!(out, "</tr>\n</thead>\n<tbody role=\"rowgroup\">")?;
    for (line, row) in table.rows.iter().enumerate() {
        writeln!(out, "<tr role=\"row\">\n<th role=\"rowheader\" scope=\"row\">{}</th>", label(row))?;
        for (column, (cell, usage)) in row.cells.iter().zip(usages).enumerate() {
            write_cell(&format!("w{number}-{line}-{column}"), cell, usage, out)?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")
}

fn write_cell(id: &str, cell: &Cell, usage: &str, out: &mut Output<'_>) -> io::Result<()> {
    let (name, mark) = (cell.effective.name(), mark(cell.effective));
    writeln!(
        out,
        "<td role=\"cell\" data-usage=\"{usage}\"><div class=\"answer {name}\" tabindex=\"0\" aria-describedby=\"{id}\">\
        <span class=\"word\"><span aria-hidden=\"true\">{mark}</span> {name}</span> <span class=\"place\">{}</span></div>",
        html(&place(cell))
    )?;
    write!(out, "<div class=\"why\" role=\"tooltip\" id=\"{id}\">")?;
    if cell.outcome != cell.effective {
        write!(out, "<p>The site says: {}.</p>", cell.outcome.name())?;
    }
    if !cell.conditions.is_empty() {
        write!(out, "<p>If it keeps:</p><ul>")?;
        for condition in &cell.conditions {
            write!(out, "<li><code>{}</code></li>", html(&notes::shown(condition, LONG)))?;
        }
        write!(out, "</ul>")?;
    }
    write!(out, "<p>{}</p>", sentence(&capital(&notes::because_of(cell))))?;
    for ground in &cell.statements {
        let text = escaped_bytes(&ground.text);
        write!(
            out,
            "<p class=\"ground\"><span>{}</span> <code>{}</code></p>",
            html(&format!("{}:{}", ground.document, ground.line)),
            html(&shortened(&text, LONG))
        )?;
    }
    if cell.more_statements > 0 {
        write!(out, "<p class=\"ground\">and {} more</p>", cell.more_statements)?;
    }
    writeln!(out, "<p class=\"rule\">rule {}</p></div></td>", cell.rule)
}

/// The names of a row; of very many the first few, and the rest for those who want them.
fn label(row: &Row) -> String {
    let last = row.crawlers.len().saturating_sub(1);
    let name = |(number, name): (usize, &String)| {
        let comma = if number == last { "" } else { "," };
        format!("<span>{}{comma}</span>", html(&notes::shown(name, notes::LONGEST_NAME)))
    };
    let names: Vec<String> = row.crawlers.iter().enumerate().map(name).collect();
    let (first, rest) = names.split_at(FEW_NAMES.min(names.len()));
    if rest.len() < 2 {
        return names.join(" ");
    }
    let more = rest.len();
    format!("{} <details><summary>and {more} more</summary>{}</details>", first.join(" "), rest.join(" "))
}

/// Where what an answer stands on is found, in a word or two.
fn place(cell: &Cell) -> String {
    match (cell.statements.first(), cell.conditions.first()) {
        (_, Some(condition)) if cell.effective == Outcome::Conditional => {
            let more = cell.conditions.len() - 1;
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{}{rest}", notes::shown(condition, SHORT))
        }
        (Some(ground), _) if ground.document == ROBOTS_TXT => format!("line {}", ground.line),
        (Some(ground), _) => format!("{} {}", notes::shown(&ground.document, SHORT), ground.line),
        (None, _) => "by default".to_owned(),
    }
}

/// Who was asked for, whose they are and what for.
fn write_crawlers(shown: &Shown<'_>, out: &mut Output<'_>) -> io::Result<()> {
    for line in notes::about_crawlers(shown) {
        writeln!(out, "<p>{}</p>", sentence(&line))?;
    }
    let known: Vec<&MatrixCrawler> = shown.asked.crawlers.iter().filter(|who| who.known.is_some()).collect();
    if known.is_empty() {
        return Ok(());
    }
    writeln!(out, "<details><summary>What the catalogue says of these crawlers</summary>\n<ul>")?;
    for (who, known) in known.iter().filter_map(|who| Some((who, who.known?))) {
        let purposes: Vec<_> = known.purposes.iter().map(|purpose| purpose.name()).collect();
        let operator = if known.operator.is_empty() { "operator unknown" } else { known.operator };
        let name = html(&notes::shown(who.crawler.name(), notes::LONGEST_NAME));
        let evidence = known.evidence.name();
        let (operator, purposes) = (html(operator), html(&purposes.join(", ")));
        writeln!(out, "<li><b>{name}</b>: {operator}; {purposes}; {evidence}</li>")?;
    }
    writeln!(out, "</ul>\n</details>")
}

fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Permitted => "✓",
        Outcome::Conditional => "◐",
        Outcome::Prohibited => "✕",
        Outcome::Unstated => "–",
    }
}

fn meaning(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Permitted => "it may",
        Outcome::Conditional => "it may if it keeps the conditions",
        Outcome::Prohibited => "it may not",
        Outcome::Unstated => "nothing says, which is not consent",
    }
}

/// A sentence of the engine's as HTML: what stands between backticks is what somebody wrote.
fn sentence(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return html(text);
    }
    let part = |(number, part): (usize, &&str)| match number % 2 {
        0 => html(part),
        _ => format!("<code>{}</code>", html(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

/// A text as HTML, within elements and within attributes, and nothing in it that turns text around or is not seen.
fn html(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for letter in crate::output::escaped(text).chars() {
        match letter {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            letter => page.push(letter),
        }
    }
    page
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The width in rem below which a table of so many usages does not fit; wider ones than a screen are scrolled.
fn narrow_below(usages: usize) -> usize {
    (14 + usages.saturating_mul(8)).min(72)
}

const STYLE: &str = include_str!("page.css");
const NARROW: &str = include_str!("narrow.css");
const PAPER: &str = include_str!("paper.css");
const FEW_NAMES: usize = 16;
const LONG: usize = 300;
const SHORT: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(sentence("a `<b>` c"), "a <code>&lt;b&gt;</code> c");
        assert_eq!(sentence("a `<b>"), "a `&lt;b&gt;");
        assert_eq!(html("<b a=\"'&\u{202e}\0"), "&lt;b a=&quot;&#39;&amp;\\u{202e}\\x00");
    }
}
