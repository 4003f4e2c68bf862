//! `byleave explain`: shows the answer as a sentence, the deciding line in its context, the lines that lost, and the
//! rules.
//!
//! The sentences come from the engine. Diagnostics are about the site and not about a single question, so they are
//! written once, at the end.

use crate::annotate::{AnnotatedSource, lines};
use crate::check;
use crate::output::{Colour, Format, Output, escaped, shortened};
use crate::question::Question;
use crate::site::DocumentNames;
use byleave::analysis::SiteStatements;
use byleave::analysis::source::Position;
use byleave::diagnostic::{Diagnostic, Severity};
use byleave::model::{Carrier, Statement};
use byleave::{Explanation, Outcome, ProposedUse, Reading, Site};
use std::io::{self, Write};

/// Writes the explanations in the chosen format and returns the exit code. `names` maps documents to file names.
pub fn explain(
    site: &Site<'_>,
    question: &Question,
    names: &DocumentNames,
    format: Format,
    traces: bool,
    out: &mut Output<'_>,
) -> io::Result<u8> {
    if format == Format::Json && traces {
        return check::json(site, question, true, out);
    }
    if format != Format::Text {
        return check::check(site, question, format, out);
    }
    let (answers, code) = check::decide(site, question);
    for (number, answer) in answers.iter().enumerate() {
        if number > 0 {
            out.write_all(b"\n")?;
        }
        let explanation = byleave::analysis::explain_unchecked(site, &answer.proposed);
        write_explanation(site, &answer.proposed, &explanation, names, out)?;
        write_diagnostics(site, &explanation.notes, names, out)?;
        if traces {
            write_trace(&explanation, out)?;
        }
    }
    write_diagnostics(site, site.diagnostics(), names, out)?;
    Ok(code)
}

/// Writes one explanation for people.
pub fn write_explanation(
    site: &Site<'_>,
    proposed: &ProposedUse<'_>,
    explanation: &Explanation<'_>,
    names: &DocumentNames,
    out: &mut Output<'_>,
) -> io::Result<()> {
    let sentence = explanation.sentence(proposed);
    writeln!(out, "{}", out.paint(Colour::Heading, &escaped(&sentence)))?;
    let (mut hidden, mut margin) = (0, 1);
    // Documents with deciding statements come before documents that contain only losing statements.
    let deciding = explanation.determined_by.iter().chain(explanation.barred_by());
    let losing = explanation.considered.iter().map(|lost| &lost.statement);
    let mut shown: Vec<&str> = Vec::new();
    for statement in deciding.chain(losing) {
        if shown.contains(&statement.document) {
            continue;
        }
        shown.push(statement.document);
        let text = text_of(site, statement.document);
        let mut snippet = AnnotatedSource::new(names.of(statement.document), text);
        hidden += mark(&mut snippet, statement.document, text, site, proposed, explanation);
        if !snippet.is_empty() {
            margin = snippet.write(out)?;
        }
    }
    let mut note = |what: &str, text: &str| {
        let sign = format!("{:margin$} =", "");
        writeln!(out, "{} {what}: {}", out.paint(Colour::Margin, &sign), escaped(text))
    };
    if hidden > 0 {
        note("lost", &format!("statements not shown: {hidden}; `--format json` lists all"))?;
    }
    let decision = &explanation.decision;
    if decision.outcome != decision.effective {
        note("outcome", &format!("{}, effectively {}", decision.outcome.name(), decision.effective.name()))?;
    } else {
        note("outcome", decision.outcome.name())?;
    }
    for condition in &explanation.conditions {
        note("condition", &condition.to_string())?;
    }
    if let Some(instant) = decision.valid_until {
        note("valid until", &instant.to_string())?;
    }
    if let Some(instant) = explanation.fresh_until {
        note("fresh until", &format!("{instant}; fetch it again after that; its restrictions apply until you do"))?;
    }
    for must in &explanation.required_resources {
        let crawl = match must.crawl {
            Some(Outcome::Prohibited) => ", which may not be crawled",
            Some(_) => ", which may be crawled",
            None => "",
        };
        note("must use", &format!("{}{crawl} ({})", must.locator, must.condition))?;
    }
    for part in explanation.parts.iter().take(MAX_STATEMENTS) {
        let text = text_of(site, &part.document);
        let tag = text.get(part.span.range()).unwrap_or_default();
        let line = Position::of(text, part.span.start).line;
        let by = part.text.as_ref().map_or_else(String::new, |by| format!(", by `{by}`"));
        let tag = String::from_utf8_lossy(tag);
        note("part", &format!("{} in line {line} is {}{by}", shortened(&tag, 60), part.outcome.name()))?;
    }
    let parts = explanation.parts.len().saturating_sub(MAX_STATEMENTS);
    if parts > 0 {
        note("parts", &format!("parts not shown: {parts}; `--format json` lists all"))?;
    }
    for prerequisite in explanation.prerequisites.iter().filter(|prerequisite| !prerequisite.bars) {
        note("needs", &format!("{}, which is {}", prerequisite.usage.name(), prerequisite.outcome.name()))?;
    }
    if let Some(ground) = explanation.binding_sentence(proposed) {
        note("group", &ground)?;
    }
    if let Some(plain) = explanation.plain {
        let may = if plain.outcome == Outcome::Prohibited { "may not" } else { "may" };
        let line = plain.line.map_or_else(|| "by the default of RFC 9309".to_owned(), |line| format!("by line {line}"));
        note("plain crawlers", &format!("a crawler that reads only RFC 9309 {may} crawl it, {line}"))?;
    }
    for (action, path) in &explanation.actions {
        note("request", &format!("{action} {path}"))?;
    }
    let unreadable = explanation.unreadable();
    for location in explanation.needs.iter().filter(|location| !unreadable.contains(&location.as_str())) {
        note("unread", &format!("{location}; give it with `--document {location} FILE`"))?;
    }
    for location in unreadable {
        note("unreadable", &format!("{location} is given, but it is not readable RSL"))?;
    }
    for revision in explanation.revisions() {
        note("read by", revision)?;
    }
    if site.reading() != Reading::Default {
        note("reading", site.reading().name())?;
    }
    let (rules, rule) = (explanation.rules().join(", "), decision.reason.rule());
    note("rules", &format!("{rules} (run `byleave rule {rule}` to read a rule)"))
}

/// Writes every tier of ACAP statements that was consulted, and which statement overrides which.
pub fn write_trace(explanation: &Explanation<'_>, out: &mut Output<'_>) -> io::Result<()> {
    if explanation.walk.is_empty() {
        return writeln!(out, "\n{}", out.paint(Colour::Heading, "trace: no ACAP statement applies to this usage"));
    }
    for (number, tier) in (1..).zip(&explanation.walk) {
        let usage = escaped(tier.usage.name());
        let purpose = tier.purpose.as_ref().map_or_else(String::new, |name| format!(", purpose `{}`", escaped(name)));
        let heading = format!("trace {number}: statements about `{usage}`{purpose}");
        writeln!(out, "\n{}", out.paint(Colour::Heading, &heading))?;
        for step in &tier.steps {
            let fate = step.lost.map_or("decides".to_owned(), |by| format!("lost, {}", by.rule()));
            let place = format!("{}:{}", escaped(step.statement.document), step.statement.line);
            let text = String::from_utf8_lossy(&step.statement.text);
            writeln!(out, "  {place}  {}  [{fate}]", escaped(&shortened(&text, 100)))?;
            writeln!(out, "      {}", escaped(&step.sentence))?;
        }
    }
    Ok(())
}

/// Returns the text of a document, or an empty slice if the document is unknown.
fn text_of<'e>(site: &'e Site<'_>, document: &str) -> &'e [u8] {
    let found = site.documents().iter().find(|known| known.name == document);
    found.map_or(&[][..], |known| known.text())
}

/// Writes the diagnostics for documents.
pub fn write_diagnostics(
    site: &Site<'_>,
    diagnostics: &[Diagnostic],
    names: &DocumentNames,
    out: &mut Output<'_>,
) -> io::Result<()> {
    for diagnostic in diagnostics.iter().take(MAX_DIAGNOSTICS) {
        let colour = match diagnostic.severity {
            Severity::Error => Colour::Error,
            Severity::Warning => Colour::Warning,
            _ => Colour::Margin,
        };
        let kind = format!("{}[{}]", diagnostic.severity.name(), diagnostic.code.name());
        writeln!(out, "\n{}: {}", out.paint(colour, &kind), escaped(&diagnostic.message))?;
        let text = text_of(site, &diagnostic.document);
        let mut snippet = AnnotatedSource::new(names.of(&diagnostic.document), text);
        snippet.mark(diagnostic.span, Position::of(text, diagnostic.span.start), colour, String::new());
        let margin = snippet.write(out)?;
        if let Some(help) = &diagnostic.help {
            let sign = format!("{:margin$} =", "");
            writeln!(out, "{} help: {}", out.paint(Colour::Margin, &sign), escaped(help))?;
        }
    }
    let hidden = diagnostics.len().saturating_sub(MAX_DIAGNOSTICS);
    if hidden > 0 {
        writeln!(out, "\ndiagnostics not shown: {hidden}; `--format json` lists all")?;
    }
    Ok(())
}

/// Marks the deciding and the losing statements in a document. Returns the number of losing statements left out.
fn mark(
    snippet: &mut AnnotatedSource<'_>,
    document: &str,
    text: &[u8],
    site: &Site<'_>,
    proposed: &ProposedUse<'_>,
    explanation: &Explanation<'_>,
) -> usize {
    let statements = SiteStatements::of(site, proposed.capabilities);
    let decision = &explanation.decision;
    let decided = |statement: &Statement<'_>| match explanation.rule_of(statement) {
        rule if statement.is_limit() && decision.outcome == Outcome::Conditional => format!("limits it ({rule})"),
        rule => format!("decides ({rule})"),
    };
    let barred = match decision.prerequisite {
        Some(barrier) if barrier.ends_at_recrawl => {
            format!("permits {} only until the next crawl, which is not enough (S-14)", barrier.usage.name())
        }
        Some(barrier) => format!("prohibits {}, and therefore this use (S-14)", barrier.usage.name()),
        None => String::new(),
    };
    let is_here = |statement: &&Statement<'_>| statement.document == document;
    let deciding = explanation.determined_by.iter().filter(is_here);
    let deciding = deciding.map(|statement| (statement, decided(statement), decision.outcome));
    let is_barred = decision.outcome != Outcome::Prohibited;
    let barring = explanation
        .barred_by()
        .filter(|statement| is_barred && is_here(statement))
        .map(|statement| (statement, barred.clone(), Outcome::Prohibited));
    for (statement, label, outcome) in deciding.chain(barring).take(MAX_STATEMENTS) {
        snippet.mark(statement.span, place(statement), Colour::Of(outcome), label);
        for term in statement.terms.iter().take(MAX_STATEMENTS) {
            let place = Position { line: term.line, column: term.column };
            snippet.mark(term.span, place, Colour::Of(Outcome::Conditional), format!("requires `{}`", term.condition));
        }
        // In robots.txt, neighbouring lines belong to the same group and help the reader. In other documents they do
        // not.
        if matches!(statement.carrier, Carrier::RobotsTxt | Carrier::Reference) {
            let group = statements.group_line(statement.id, proposed.crawler);
            snippet.with_context(group);
            snippet.with_context(neighbours(text, statement.line, group));
        } else {
            // A tag that spans several lines is shown whole, up to a limit.
            let tag = text.get(statement.span.range()).unwrap_or_default();
            let more = tag.iter().filter(|byte| **byte == b'\n').take(MAX_LINES).count() as u32;
            snippet.with_context((statement.line..=statement.line + more).skip(1));
        }
    }
    let considered = || explanation.considered.iter().filter(|lost| is_here(&&lost.statement));
    for lost in considered().take(MAX_STATEMENTS) {
        let label = format!("{} ({})", lost.sentence(), lost.by.rule());
        snippet.mark_related(lost.statement.span, place(&lost.statement), label);
        snippet.with_context(statements.group_line(lost.statement.id, proposed.crawler));
    }
    considered().count().saturating_sub(MAX_STATEMENTS)
}

/// Returns the numbers of the lines to show around a statement: from two lines before it to one line after it. Blank
/// lines, and lines before the statement's group, are left out.
fn neighbours(text: &[u8], line: u32, group: Option<u32>) -> Vec<u32> {
    let first = line.saturating_sub(2).max(group.unwrap_or(1));
    let around = (1..).zip(lines(text)).skip_while(|(number, _)| *number < first);
    let around = around.take_while(|(number, _)| *number <= line.saturating_add(1));
    let is_blank = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default().trim_ascii().is_empty();
    around.filter(|(_, range)| !is_blank(range.clone())).map(|(number, _)| number).collect()
}

fn place(statement: &Statement<'_>) -> Position {
    Position { line: statement.line, column: statement.column }
}

/// The maximum number of lines that are shown after the first line of a tag.
const MAX_LINES: usize = 8;
/// The maximum number of statements, or of parts of a page, that are shown.
const MAX_STATEMENTS: usize = 12;
const MAX_DIAGNOSTICS: usize = 20;
