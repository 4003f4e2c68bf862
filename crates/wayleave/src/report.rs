//! The report: an explanation as owned data, in the one JSON form that every shell writes.
//!
//! The form is described by `docs/decision.schema.json` and versioned by [`SCHEMA`]. Spans are half-open
//! byte ranges; lines and columns count from 1, columns in bytes.

use crate::decide::ProposedUse;
use crate::diagnostic::Diagnostic;
use crate::evidence::{Evidence, Obtained, RobotsTxt};
use crate::explain::Explanation;
use crate::instant::Instant;
use crate::model::{Carrier, Statement};
use crate::policy::Ground;
use crate::source::LineStarts;
use crate::vocabulary::Usage;
use serde::{Deserialize, Serialize};
use sha2::Digest;
use std::fmt::Write;

/// The name and version of the JSON form.
pub const SCHEMA: &str = "wayleave.decision/1";

/// A decision with its reasons, owned and serialisable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of the rules.
    pub semantics: u32,
    /// The reading.
    pub reading: String,
    /// The time asked about; nothing where none was given.
    pub at: Option<String>,
    /// What the site expressed.
    pub outcome: String,
    /// What it comes to.
    pub effective: String,
    /// The decision in a sentence.
    pub sentence: String,
    /// The stable name of the ground it stands on.
    pub reason: String,
    /// The crawler's first name.
    pub crawler: String,
    /// Why these records bind it: `named`, `fallback`, `any` or `none`; nothing where no robots.txt was read.
    pub bound_by: Option<String>,
    /// The usage asked about.
    pub usage: String,
    /// The resource as given.
    pub url: String,
    /// What must be kept, in canonical spelling.
    pub conditions: Vec<String>,
    /// The first instant at which the decision no longer holds.
    pub valid_until: Option<String>,
    /// What decided: statements, or one entry of carrier `default`.
    pub determined_by: Vec<StatementReport>,
    /// What else bore on it, and why it lost.
    pub considered: Vec<StatementReport>,
    /// The prohibited prerequisites, with what prohibits them.
    pub prerequisites: Vec<PrerequisiteReport>,
    /// What was noticed in the documents.
    pub diagnostics: Vec<DiagnosticReport>,
    /// What the site asks the crawler to do.
    pub actions: Vec<String>,
    /// Further documents that the decision would need.
    pub needs: Vec<String>,
    /// What the decision was made from.
    pub evidence: Vec<DocumentReport>,
}

/// A statement, or the default in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct StatementReport {
    /// `robots.txt`, `header`, ... or `default`.
    pub carrier: String,
    /// The document's name; nothing for a default.
    pub document: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1, in bytes.
    pub column: Option<u32>,
    /// The bytes from the field's name to the end of its value, half-open.
    pub span: Option<[u32; 2]>,
    /// As written, without comment and outer blanks.
    pub text: Option<String>,
    /// The rule that decided, or set it aside.
    pub rule: String,
    /// Why, in a sentence.
    pub sentence: String,
}

/// A prohibited prerequisite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PrerequisiteReport {
    /// The usage that must not be prohibited.
    pub usage: String,
    /// What it comes to.
    pub outcome: String,
    /// What decided that.
    pub determined_by: Vec<StatementReport>,
}

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DiagnosticReport {
    /// Its stable code.
    pub code: String,
    /// `error`, `warning` or `advice`.
    pub severity: String,
    /// The document's name.
    pub document: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in bytes.
    pub column: u32,
    /// The bytes, half-open.
    pub span: [u32; 2],
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// A document of the evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DocumentReport {
    /// Its location.
    pub document: String,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// The HTTP status, `unreachable`, or `too-many-redirects`; nothing where it is not known.
    pub status: Option<String>,
    /// When it was obtained, where that is known.
    pub at: Option<String>,
}

impl Report {
    /// The report of an explanation.
    #[must_use]
    pub fn new(evidence: &Evidence<'_>, proposed: &ProposedUse<'_>, explanation: &Explanation<'_>) -> Self {
        let decision = &explanation.decision;
        let rule = decision.reason.rule();
        let mut determined_by: Vec<_> = explanation
            .determined_by
            .iter()
            .map(|statement| StatementReport::new(statement, rule, explanation.sentence(proposed)))
            .collect();
        if determined_by.is_empty() {
            determined_by.push(StatementReport::default_of(rule, explanation.sentence(proposed)));
        }
        let considered = explanation
            .considered
            .iter()
            .map(|lost| StatementReport::new(&lost.statement, lost.by.rule(), lost.sentence(explanation)))
            .collect();
        let prerequisites = decision.prerequisite.map(|reason| {
            let rule = reason.rule();
            let mut determined_by: Vec<_> = explanation
                .barred_by
                .iter()
                .map(|statement| StatementReport::new(statement, rule, crate::explain::ground_of(statement)))
                .collect();
            if determined_by.is_empty() {
                determined_by.push(StatementReport::default_of(rule, explanation.sentence(proposed)));
            }
            PrerequisiteReport {
                usage: Usage::Crawl.name().to_owned(),
                outcome: "prohibited".to_owned(),
                determined_by,
            }
        });
        let text = match evidence.robots_txt() {
            RobotsTxt::Read(policy) => policy.text().unwrap_or_default(),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => &[],
        };
        Self {
            schema: SCHEMA.to_owned(),
            semantics: crate::SEMANTICS_VERSION,
            reading: evidence.reading().name().to_owned(),
            at: proposed.at.as_ref().map(Instant::to_string),
            outcome: decision.outcome.name().to_owned(),
            effective: decision.effective.name().to_owned(),
            sentence: explanation.sentence(proposed),
            reason: decision.reason.name().to_owned(),
            crawler: proposed.crawler.name().to_owned(),
            bound_by: explanation.ground.map(|ground| ground_name(ground).to_owned()),
            usage: proposed.usage.name().to_owned(),
            url: proposed.url.to_owned(),
            conditions: explanation.conditions.iter().map(ToString::to_string).collect(),
            valid_until: decision.valid_until.as_ref().map(Instant::to_string),
            determined_by,
            considered,
            prerequisites: prerequisites.into_iter().collect(),
            diagnostics: DiagnosticReport::all(text, explanation.diagnostics),
            actions: Vec::new(),
            needs: Vec::new(),
            evidence: evidence.documents().iter().map(DocumentReport::new).collect(),
        }
    }
}

impl StatementReport {
    fn new(statement: &Statement<'_>, rule: &str, sentence: String) -> Self {
        Self {
            carrier: statement.carrier.name().to_owned(),
            document: Some(statement.document.to_owned()),
            line: Some(statement.line),
            column: Some(statement.column),
            span: Some([statement.span.start, statement.span.end]),
            text: Some(String::from_utf8_lossy(&statement.text).into_owned()),
            rule: rule.to_owned(),
            sentence,
        }
    }

    fn default_of(rule: &str, sentence: String) -> Self {
        Self {
            carrier: Carrier::Default.name().to_owned(),
            document: None,
            line: None,
            column: None,
            span: None,
            text: None,
            rule: rule.to_owned(),
            sentence,
        }
    }
}

impl DiagnosticReport {
    /// The diagnostics of robots.txt with their places in `text`.
    #[must_use]
    pub fn all(text: &[u8], diagnostics: &[Diagnostic]) -> Vec<Self> {
        let lines = LineStarts::of(text);
        let report = |diagnostic: &Diagnostic| {
            let place = lines.place(diagnostic.span.start);
            Self {
                code: diagnostic.code.name().to_owned(),
                severity: diagnostic.severity.name().to_owned(),
                document: "robots.txt".to_owned(),
                line: place.line,
                column: place.column,
                span: [diagnostic.span.start, diagnostic.span.end],
                message: diagnostic.message.clone(),
                help: diagnostic.help.clone(),
            }
        };
        diagnostics.iter().map(report).collect()
    }
}

impl DocumentReport {
    fn new(document: &crate::evidence::Document<'_>) -> Self {
        let sha256 = sha2::Sha256::digest(document.bytes).iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        });
        let status = document.obtained.map(|obtained| match obtained {
            Obtained::Status(status) => status.to_string(),
            Obtained::Unreachable => "unreachable".to_owned(),
            Obtained::TooManyRedirects => "too-many-redirects".to_owned(),
        });
        Self { document: document.name.clone(), sha256, status, at: document.at.as_ref().map(Instant::to_string) }
    }
}

/// The stable name of why a crawler is bound.
fn ground_name(ground: Ground) -> &'static str {
    match ground {
        Ground::Named => "named",
        Ground::Fallback(_) => "fallback",
        Ground::Any => "any",
        Ground::NoRecord => "none",
    }
}
