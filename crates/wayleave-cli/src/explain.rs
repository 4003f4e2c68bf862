//! `wayleave explain`: the sentence, the deciding line in its place, what lost to it, and the rules.
//!
//! Every sentence is the engine's. Diagnostics are of the site and not of the question, so they come once,
//! at the end.

use crate::check;
use crate::output::{Colour, Format, Output, escaped};
use crate::question::Question;
use crate::snippet::{Snippet, lines};
use std::io::{self, Write};
use wayleave::diagnostic::{Diagnostic, Severity};
use wayleave::model::Statement;
use wayleave::source::Place;
use wayleave::{Evidence, Explanation, Outcome, Policy, ProposedUse, Reading, RobotsTxt};

/// Writes the explanations in a format and gives the exit code. `name` is where robots.txt was read from.
pub fn explain(
    evidence: &Evidence<'_>,
    question: &Question,
    name: &str,
    format: Format,
    out: &mut Output<'_>,
) -> io::Result<u8> {
    if format != Format::Text {
        return check::check(evidence, question, format, out);
    }
    let (answers, code) = check::decide(evidence, question);
    for (number, answer) in answers.iter().enumerate() {
        if number > 0 {
            out.write_all(b"\n")?;
        }
        let explanation = wayleave::explain(evidence, &answer.proposed);
        write_explanation(evidence, &answer.proposed, &explanation, name, out)?;
    }
    write_diagnostics(evidence, evidence.diagnostics(), name, out)?;
    Ok(code)
}

/// Writes one explanation for people.
pub fn write_explanation(
    evidence: &Evidence<'_>,
    proposed: &ProposedUse<'_>,
    explanation: &Explanation<'_>,
    name: &str,
    out: &mut Output<'_>,
) -> io::Result<()> {
    let sentence = explanation.sentence(proposed);
    writeln!(out, "{}", out.paint(Colour::Heading, &escaped(&sentence)))?;
    let mut hidden = 0;
    let margin = match evidence.robots_txt() {
        RobotsTxt::Read(policy) => {
            let text = policy.text().unwrap_or_default();
            let mut snippet = Snippet::new(name, text);
            hidden = mark(&mut snippet, text, policy, proposed, explanation);
            snippet.write(out)?
        }
        _ => 1,
    };
    let mut note = |what: &str, text: &str| {
        let sign = format!("{:margin$} =", "");
        writeln!(out, "{} {what}: {}", out.paint(Colour::Margin, &sign), escaped(text))
    };
    if hidden > 0 {
        note("lost", &format!("{hidden} more that lost; `--format json` lists them all"))?;
    }
    let decision = &explanation.decision;
    if decision.outcome != decision.effective {
        note("outcome", &format!("{}, in effect {}", decision.outcome.name(), decision.effective.name()))?;
    } else {
        note("outcome", decision.outcome.name())?;
    }
    for condition in &explanation.conditions {
        note("condition", &condition.to_string())?;
    }
    if let Some(instant) = decision.valid_until {
        note("valid until", &instant.to_string())?;
    }
    if let Some(ground) = explanation.ground_sentence(proposed) {
        note("record", &ground)?;
    }
    if evidence.reading() != Reading::Default {
        note("reading", evidence.reading().name())?;
    }
    note(
        "rules",
        &format!("{} (`wayleave rule {}` prints one)", explanation.rules().join(", "), decision.reason.rule()),
    )
}

/// Writes what was noticed in robots.txt, if anything.
pub fn write_diagnostics(
    evidence: &Evidence<'_>,
    diagnostics: &[Diagnostic],
    name: &str,
    out: &mut Output<'_>,
) -> io::Result<()> {
    let RobotsTxt::Read(policy) = evidence.robots_txt() else { return Ok(()) };
    let text = policy.text().unwrap_or_default();
    for diagnostic in diagnostics.iter().take(MOST_DIAGNOSTICS) {
        let colour = match diagnostic.severity {
            Severity::Error => Colour::Error,
            Severity::Warning => Colour::Warning,
            _ => Colour::Margin,
        };
        let kind = format!("{}[{}]", diagnostic.severity.name(), diagnostic.code.name());
        writeln!(out, "\n{}: {}", out.paint(colour, &kind), escaped(&diagnostic.message))?;
        let mut snippet = Snippet::new(name, text);
        snippet.mark(diagnostic.span, Place::of(text, diagnostic.span.start), colour, String::new());
        let margin = snippet.write(out)?;
        if let Some(help) = &diagnostic.help {
            let sign = format!("{:margin$} =", "");
            writeln!(out, "{} help: {}", out.paint(Colour::Margin, &sign), escaped(help))?;
        }
    }
    let hidden = diagnostics.len().saturating_sub(MOST_DIAGNOSTICS);
    if hidden > 0 {
        writeln!(out, "\n{hidden} more noticed in {name}; `--format json` lists them all")?;
    }
    Ok(())
}

/// Marks what decided and what lost. Gives how many that lost are not shown.
fn mark(
    snippet: &mut Snippet<'_>,
    text: &[u8],
    policy: &Policy<'_>,
    proposed: &ProposedUse<'_>,
    explanation: &Explanation<'_>,
) -> usize {
    let statements = policy.statements();
    let decision = &explanation.decision;
    let decided = format!("decides ({})", decision.reason.rule());
    let barred = "prohibits crawl, and so this (S-14)".to_owned();
    let deciding = explanation.determined_by.iter().map(|statement| (statement, &decided, decision.outcome));
    let barring = explanation.barred_by.iter().map(|statement| (statement, &barred, Outcome::Prohibited));
    for (statement, label, outcome) in deciding.chain(barring).take(MOST_STATEMENTS) {
        snippet.mark(statement.span, place(statement), Colour::Of(outcome), label.clone());
        let record = statements.record_line(statement.id, proposed.crawler);
        snippet.with_context(record);
        snippet.with_context(neighbours(text, statement.line, record));
    }
    for lost in explanation.considered.iter().take(MOST_STATEMENTS) {
        let label = format!("{} ({})", lost.sentence(explanation), lost.by.rule());
        snippet.mark_lesser(lost.statement.span, place(&lost.statement), label);
        snippet.with_context(statements.record_line(lost.statement.id, proposed.crawler));
    }
    explanation.considered.len().saturating_sub(MOST_STATEMENTS)
}

/// Two lines before a statement, as far as its record reaches, and one after; no blank ones at the edge.
fn neighbours(text: &[u8], line: u32, record: Option<u32>) -> Vec<u32> {
    let first = line.saturating_sub(2).max(record.unwrap_or(1));
    let around = (1..).zip(lines(text)).skip_while(|(number, _)| *number < first);
    let around = around.take_while(|(number, _)| *number <= line.saturating_add(1));
    let is_blank = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default().trim_ascii().is_empty();
    around.filter(|(_, range)| !is_blank(range.clone())).map(|(number, _)| number).collect()
}

fn place(statement: &Statement<'_>) -> Place {
    Place { line: statement.line, column: statement.column }
}

/// More than this many of a kind help nobody who reads them one by one.
const MOST_STATEMENTS: usize = 12;
const MOST_DIAGNOSTICS: usize = 20;
