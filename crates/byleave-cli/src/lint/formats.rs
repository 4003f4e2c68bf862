//! The output formats for findings: text, one line per finding, JSON, SARIF, and workflow annotations.

use crate::annotate::AnnotatedSource;
use crate::arguments::LintFormat;
use crate::output::{Colour, Output, escaped};
use byleave::analysis::source::{LineStarts, Position, Span};
use byleave_lint::{Finding, Fix, LintedDocument, RULES, Safety, Severity};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes findings in one format.
pub struct FindingWriter {
    format: LintFormat,
    /// The results for the SARIF document, which is written at the end.
    results: Vec<Value>,
}

impl FindingWriter {
    /// Creates a writer.
    pub fn new(format: LintFormat) -> Self {
        Self { format, results: Vec::new() }
    }

    /// Writes the findings in a document. `all` contains every linted document, including this one.
    pub fn write(
        &mut self,
        document: &LintedDocument<'_>,
        all: &[LintedDocument<'_>],
        out: &mut Output<'_>,
    ) -> io::Result<()> {
        if document.findings.is_empty() {
            return Ok(());
        }
        let lines = LineStarts::of(&document.text);
        for finding in &document.findings {
            match self.format {
                LintFormat::Text => write_text(document, &lines, finding, all, out)?,
                LintFormat::Concise => write_concise(document, &lines, finding, out)?,
                LintFormat::Json => {
                    serde_json::to_writer(&mut *out, &object(document, &lines, finding, all))?;
                    out.write_all(b"\n")?;
                }
                LintFormat::Sarif => self.results.push(result(document, &lines, finding, all)),
                LintFormat::Github => write_annotation(document, &lines, finding, out)?,
            }
        }
        Ok(())
    }

    /// Writes the part of the output that follows all findings.
    pub fn finish(self, out: &mut Output<'_>) -> io::Result<()> {
        if self.format == LintFormat::Sarif {
            serde_json::to_writer_pretty(&mut *out, &log(self.results))?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

fn write_concise(
    document: &LintedDocument<'_>,
    lines: &LineStarts,
    finding: &Finding,
    out: &mut Output<'_>,
) -> io::Result<()> {
    let (place, rule) = (lines.position(finding.span.start), finding.rule);
    let kind = format!("{}[{}]", rule.severity().name(), rule.code);
    let kind = out.paint(colour(finding), &kind);
    let (name, message) = (&document.name, escaped(&finding.message));
    writeln!(out, "{name}:{}:{}: {kind} {message}", place.line, place.column)
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
    let mut snippet = AnnotatedSource::new(&document.name, &document.text);
    snippet.mark(finding.span, lines.position(finding.span.start), colour(finding), String::new());
    for related in finding.related.iter().filter(|related| related.document == document.name) {
        snippet.mark_related(related.span, lines.position(related.span.start), related.label.clone());
    }
    let mut margin = snippet.write(out)?;
    for related in finding.related.iter().filter(|related| related.document != document.name) {
        let Some(other) = all.iter().find(|other| other.name == related.document) else { continue };
        let mut snippet = AnnotatedSource::new(&other.name, &other.text);
        snippet.mark_related(related.span, Position::of(&other.text, related.span.start), related.label.clone());
        margin = snippet.write(out)?;
    }
    if let Some(help) = &finding.help {
        let sign = format!("{:margin$} =", "");
        writeln!(out, "{} help: {}", out.paint(Colour::Margin, &sign), escaped(help))?;
    }
    if let Some(fix) = &finding.fix {
        let sign = format!("{:margin$} =", "");
        let description = match &fix.safety {
            Safety::Suggested { effect, .. } => format!("use `--fix --suggested`: {}", escaped(effect)),
            _ => "use `--fix`; no decision changes".to_owned(),
        };
        writeln!(out, "{} fix: {description}", out.paint(Colour::Margin, &sign))?;
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
        let place = Position::of(text, related.span.start);
        json!({
            "document": related.document,
            "line": place.line,
            "column": place.column,
            "span": bounds(related.span),
            "label": related.label,
        })
    });
    let (rule, place) = (finding.rule, lines.position(finding.span.start));
    json!({
        "schema": "byleave.lint/1",
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
        Safety::Suggested { effect: says, .. } => ("suggested", Some(says)),
        _ => ("unknown", None),
    };
    let edit = |edit: &byleave_lint::Edit| json!({ "span": [edit.span.start, edit.span.end], "replacement": String::from_utf8_lossy(&edit.replacement) });
    json!({ "safety": safety, "changes": changes, "edits": fix.edits.iter().map(edit).collect::<Vec<_>>() })
}

/// Writes a workflow annotation, which GitHub shows next to the line.
fn write_annotation(
    document: &LintedDocument<'_>,
    lines: &LineStarts,
    finding: &Finding,
    out: &mut Output<'_>,
) -> io::Result<()> {
    let rule = finding.rule;
    let kind = match rule.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "notice",
    };
    let (start, end) = (lines.position(finding.span.start), last_place(lines, finding.span));
    let title = property(&format!("{} {}", rule.code, rule.name));
    let help = finding.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
    let message = data(&format!("{}{help}", finding.message));
    let columns =
        if start.line == end.line { format!(",col={},endColumn={}", start.column, end.column) } else { String::new() };
    let (file, first, last) = (property(&document.name), start.line, end.line);
    writeln!(out, "::{kind} title={title},file={file},line={first},endLine={last}{columns}::{message}")
}

/// Returns the text with escapes for the characters that would end a workflow command.
fn data(text: &str) -> String {
    let lines = text.split('\n').map(|line| escaped(line).replace('%', "%25"));
    lines.collect::<Vec<_>>().join("%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Returns the end position of a span. If the span ends with a line ending, that line ending is not counted.
fn last_place(lines: &LineStarts, span: Span) -> Position {
    let end = lines.position(span.end);
    let is_beyond = end.column == 1 && span.end > span.start;
    if is_beyond { lines.position(span.end - 1) } else { end }
}

/// Returns a SARIF 2.1.0 document (OASIS) for one run.
fn log(results: Vec<Value>) -> Value {
    let rules = RULES.iter().map(|rule| {
        json!({
            "id": rule.code,
            "name": rule.name,
            "shortDescription": { "text": rule.doc.summary() },
            "help": { "text": rule.doc.text, "markdown": rule.doc.text },
            "defaultConfiguration": { "level": level(rule.severity()) },
            "properties": { "tags": [rule.family.name()] },
        })
    });
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "byleave",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.collect::<Vec<_>>(),
            } },
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    }
}

fn result(document: &LintedDocument<'_>, lines: &LineStarts, finding: &Finding, all: &[LintedDocument<'_>]) -> Value {
    let rule = finding.rule;
    let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    let related = finding.related.iter().filter_map(|related| {
        let other = all.iter().find(|other| other.name == related.document)?;
        let lines = LineStarts::of(&other.text);
        let place = physical(&other.name, region(&other.text, &lines, related.span));
        Some(json!({ "physicalLocation": place, "message": { "text": related.label } }))
    });
    let place = physical(&document.name, region(&document.text, lines, finding.span));
    json!({
        "ruleId": rule.code,
        "ruleIndex": RULES.iter().position(|known| known == rule),
        "level": level(rule.severity()),
        "message": { "text": format!("{}{help}", finding.message) },
        "locations": [{ "physicalLocation": place }],
        "relatedLocations": related.collect::<Vec<_>>(),
        "fixes": finding.fix.iter().map(|fix| changes(document, lines, fix)).collect::<Vec<_>>(),
    })
}

/// Returns a fix as SARIF.
fn changes(document: &LintedDocument<'_>, lines: &LineStarts, fix: &Fix) -> Value {
    let replacement = |edit: &byleave_lint::Edit| {
        json!({
            "deletedRegion": region(&document.text, lines, edit.span),
            "insertedContent": { "text": String::from_utf8_lossy(&edit.replacement) },
        })
    };
    let says = match &fix.safety {
        Safety::Suggested { effect: says, .. } => says.as_str(),
        _ => "no decision changes",
    };
    json!({
        "description": { "text": says },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(&document.name) },
            "replacements": fix.edits.iter().map(replacement).collect::<Vec<_>>(),
        }],
    })
}

fn physical(name: &str, region: Value) -> Value {
    json!({ "artifactLocation": { "uri": uri(name) }, "region": region })
}

/// Returns a span as a SARIF region of lines and columns. SARIF counts columns in UTF-16 code units.
fn region(text: &[u8], lines: &LineStarts, span: Span) -> Value {
    let column = |offset: u32| {
        let place = lines.position(offset);
        let start = offset as usize - (place.column as usize - 1);
        let before = text.get(start..offset as usize).unwrap_or_default();
        (place.line, String::from_utf8_lossy(before).encode_utf16().count() + 1)
    };
    let ((first, from), (last, to)) = (column(span.start), column(span.end));
    json!({ "startLine": first, "startColumn": from, "endLine": last, "endColumn": to })
}

/// Returns a file path as a URI reference.
fn uri(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            b'\\' => uri.push('/'),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
