//! `wayleave lint`: what was found, with its place, in one of three formats; and the list of rules.
//!
//! Every finding is of the crate `wayleave-lint`; this reads files and writes lines.

use crate::Failure;
use crate::arguments::{FailOn, Lint, LintFormat};
use crate::output::{Colour, Output, escaped, exit};
use crate::site::Files;
use crate::snippet::Snippet;
use crate::sources::SiteFiles;
use serde_json::{Value, json};
use std::io::{self, Write};
use wayleave::source::{LineStarts, Place, Span};
use wayleave_lint::{Finding, Fix, LintedDocument, RULES, Safety, Selection, Severity};

/// Looks at every source, writes what was found, and gives the exit code.
pub fn lint(asked: &Lint, files: &mut Files, out: &mut Output<'_>) -> Result<u8, Failure> {
    let words = |words: &[String]| words.iter().map(|word| word.trim().to_owned()).collect::<Vec<_>>();
    let (select, ignore) = (words(&asked.select), words(&asked.ignore));
    let selection =
        Selection::new(select.iter().map(String::as_str), ignore.iter().map(String::as_str)).map_err(|unknown| {
            Failure::new(format!("{}; `wayleave lint --list` lists them", escaped(&unknown.to_string())))
        })?;
    if asked.list {
        list(&selection, asked.format, out)?;
        return Ok(exit::FINE);
    }
    let mut tally = Tally::default();
    for source in &asked.sources {
        for site in SiteFiles::read(source, files)? {
            let documents = wayleave_lint::lint(&site.site(), &selection);
            for document in &documents {
                tally.count(document);
                write_document(document, &documents, asked.format, out)?;
            }
        }
    }
    if asked.format == LintFormat::Text {
        writeln!(out, "{}", out.paint(Colour::Heading, &tally.sentence()))?;
    }
    Ok(if tally.fails(asked.fail_on) { FOUND } else { exit::FINE })
}

/// Something was found.
const FOUND: u8 = exit::PROHIBITED;

/// How much was found.
#[derive(Default)]
struct Tally {
    documents: usize,
    errors: usize,
    warnings: usize,
    advice: usize,
}

impl Tally {
    fn count(&mut self, document: &LintedDocument<'_>) {
        self.documents += 1;
        for finding in &document.findings {
            match finding.rule.severity() {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                _ => self.advice += 1,
            }
        }
    }

    fn fails(&self, on: FailOn) -> bool {
        let graver = match on {
            FailOn::Never => 0,
            FailOn::Error => self.errors,
            FailOn::Warning => self.errors + self.warnings,
            FailOn::Advice => self.errors + self.warnings + self.advice,
        };
        graver > 0
    }

    fn sentence(&self) -> String {
        let counted = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let documents = counted(self.documents, "document", "documents");
        let all = self.errors + self.warnings + self.advice;
        if all == 0 {
            return format!("nothing found in {documents}");
        }
        let errors = counted(self.errors, "error", "errors");
        let warnings = counted(self.warnings, "warning", "warnings");
        format!(
            "{} in {documents}: {errors}, {warnings}, {} of advice",
            counted(all, "finding", "findings"),
            counted(self.advice, "piece", "pieces")
        )
    }
}

fn write_document(
    document: &LintedDocument<'_>,
    all: &[LintedDocument<'_>],
    format: LintFormat,
    out: &mut Output<'_>,
) -> io::Result<()> {
    if document.findings.is_empty() {
        return Ok(());
    }
    let lines = LineStarts::of(&document.text);
    for finding in &document.findings {
        match format {
            LintFormat::Text => write_text(document, &lines, finding, all, out)?,
            LintFormat::Concise => {
                let (place, rule) = (lines.place(finding.span.start), finding.rule);
                let kind = format!("{}[{}]", rule.severity().name(), rule.code);
                let kind = out.paint(colour(finding), &kind);
                let (name, message) = (&document.name, escaped(&finding.message));
                writeln!(out, "{name}:{}:{}: {kind} {message}", place.line, place.column)?;
            }
            LintFormat::Json => {
                serde_json::to_writer(&mut *out, &object(document, &lines, finding, all))?;
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(())
}

fn write_text(
    document: &LintedDocument<'_>,
    lines: &LineStarts,
    finding: &Finding,
    all: &[LintedDocument<'_>],
    out: &mut Output<'_>,
) -> io::Result<()> {
    let rule = finding.rule;
    let kind = format!("{}[{} {}]", rule.severity().name(), rule.code, rule.name);
    writeln!(out, "{}: {}", out.paint(colour(finding), &kind), escaped(&finding.message))?;
    let mut snippet = Snippet::new(&document.name, &document.text);
    snippet.mark(finding.span, lines.place(finding.span.start), colour(finding), String::new());
    for related in finding.related.iter().filter(|related| related.document == document.name) {
        snippet.mark_lesser(related.span, lines.place(related.span.start), related.label.clone());
    }
    let mut margin = snippet.write(out)?;
    for related in finding.related.iter().filter(|related| related.document != document.name) {
        let Some(other) = all.iter().find(|other| other.name == related.document) else { continue };
        let mut snippet = Snippet::new(&other.name, &other.text);
        snippet.mark_lesser(related.span, Place::of(&other.text, related.span.start), related.label.clone());
        margin = snippet.write(out)?;
    }
    if let Some(help) = &finding.help {
        let sign = format!("{:margin$} =", "");
        writeln!(out, "{} help: {}", out.paint(Colour::Margin, &sign), escaped(help))?;
    }
    out.write_all(b"\n")
}

fn colour(finding: &Finding) -> Colour {
    match finding.rule.severity() {
        Severity::Error => Colour::Error,
        Severity::Warning => Colour::Warning,
        _ => Colour::Margin,
    }
}

fn object(document: &LintedDocument<'_>, lines: &LineStarts, finding: &Finding, all: &[LintedDocument<'_>]) -> Value {
    let bounds = |span: Span| [span.start, span.end];
    let related = finding.related.iter().map(|related| {
        let text = all.iter().find(|other| other.name == related.document).map_or(&[][..], |other| &other.text);
        let place = Place::of(text, related.span.start);
        json!({
            "document": related.document,
            "line": place.line,
            "column": place.column,
            "span": bounds(related.span),
            "label": related.label,
        })
    });
    let (rule, place) = (finding.rule, lines.place(finding.span.start));
    json!({
        "schema": "wayleave.lint/1",
        "code": rule.code,
        "name": rule.name,
        "family": rule.family.name(),
        "severity": rule.severity().name(),
        "document": document.name,
        "line": place.line,
        "column": place.column,
        "span": bounds(finding.span),
        "message": finding.message,
        "help": finding.help,
        "related": related.collect::<Vec<_>>(),
        "fix": finding.fix.as_ref().map(fix),
    })
}

fn fix(fix: &Fix) -> Value {
    let (safety, changes) = match &fix.safety {
        Safety::Safe => ("safe", None),
        Safety::Suggested(changes) => ("suggested", Some(changes)),
        _ => ("unknown", None),
    };
    let edit = |edit: &wayleave_lint::Edit| json!({ "span": [edit.span.start, edit.span.end], "replacement": String::from_utf8_lossy(&edit.replacement) });
    json!({ "safety": safety, "changes": changes, "edits": fix.edits.iter().map(edit).collect::<Vec<_>>() })
}

/// Writes the rules that are selected, one a line.
fn list(selection: &Selection, format: LintFormat, out: &mut Output<'_>) -> io::Result<()> {
    let rules = || RULES.iter().filter(|rule| selection.counts(rule));
    let width = rules().map(|rule| rule.name.len()).max().unwrap_or(0);
    for rule in rules() {
        let (severity, summary) = (rule.severity().name(), rule.page.summary());
        match format {
            LintFormat::Text => {
                let code = out.paint(Colour::Heading, rule.code);
                writeln!(out, "{code}  {:width$}  {severity:7}  {summary}", rule.name)?;
            }
            LintFormat::Concise => writeln!(out, "{}\t{}\t{severity}\t{}", rule.code, rule.name, rule.family.name())?,
            LintFormat::Json => {
                let object = json!({
                    "schema": "wayleave.lint-rule/1",
                    "code": rule.code,
                    "name": rule.name,
                    "family": rule.family.name(),
                    "severity": severity,
                    "summary": summary,
                });
                serde_json::to_writer(&mut *out, &object)?;
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(())
}
