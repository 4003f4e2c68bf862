//! The report: an explanation as owned data, in the one JSON form that every shell writes.
//!
//! The form is described by `docs/decision.schema.json` and versioned by [`SCHEMA`]. Spans are half-open
//! byte ranges; lines and columns count from 1, columns in bytes.

use crate::base::source::LineStarts;
use crate::base::timestamp::Timestamp;
use crate::explain::{Explanation, MustHave, Part, Step, Tier};
use crate::model::BoundBy;
use crate::model::Obtained;
use crate::model::diagnostic::Diagnostic;
use crate::model::proposed_use::ProposedUse;
use crate::model::{Carrier, Statement, Term};
use crate::site::Evidence;
use serde::{Deserialize, Serialize};
use sha2::Digest;
use std::collections::HashMap;
use std::fmt::Write;

/// The name and version of the JSON form.
pub const SCHEMA: &str = "byleave.decision/1";

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
    /// Why these groups bind it: `named`, `fallback`, `any` or `none`; nothing where no robots.txt was read.
    pub bound_by: Option<String>,
    /// The usage asked about.
    pub usage: String,
    /// The resource as given.
    pub url: String,
    /// The part of it that was asked about, `#id` or `.class`; nothing: the resource.
    pub element: Option<String>,
    /// What must be kept, in canonical spelling.
    pub conditions: Vec<String>,
    /// The first instant at which the decision no longer holds.
    pub valid_until: Option<String>,
    /// How long what the page and its headers say is fresh, where they decide; after that it is to be fetched again,
    /// and until it is, its restrictions hold on.
    pub fresh_until: Option<String>,
    /// What decided: statements, or one entry of carrier `default`.
    pub determined_by: Vec<StatementReport>,
    /// What else bore on it, and why it lost.
    pub considered: Vec<StatementReport>,
    /// The prohibited and conditional prerequisites, with what determines them.
    pub prerequisites: Vec<PrerequisiteReport>,
    /// What a crawler that reads RFC 9309 alone would find, where that differs.
    pub plain_crawler: Option<PlainReport>,
    /// What must be used or included, and whether it may be crawled.
    pub must_have: Vec<MustHaveReport>,
    /// The parts of the page whose answer differs from the page's.
    pub parts: Vec<PartReport>,
    /// What was noticed in the documents.
    pub diagnostics: Vec<DiagnosticReport>,
    /// What the site asks the crawler to do.
    pub actions: Vec<String>,
    /// Further documents that the decision would need.
    pub needs: Vec<String>,
    /// What the decision was made from.
    pub evidence: Vec<DocumentReport>,
    /// The walk through ACAP's tiers, where it was asked for.
    pub trace: Option<Vec<TierReport>>,
}

/// One tier of ACAP's walk: a usage, and the statements about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TierReport {
    /// The usage asked about.
    pub usage: String,
    /// The purpose it was asked for, if any.
    pub purpose: Option<String>,
    /// What became of each statement.
    pub steps: Vec<StepReport>,
}

/// What became of one statement in a tier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct StepReport {
    /// The document it stands in.
    pub document: String,
    /// The line, from 1.
    pub line: u32,
    /// As written.
    pub text: String,
    /// Whether it decides its tier.
    pub decides: bool,
    /// The rule by which it lost, if it did.
    pub rule: Option<String>,
    /// What became of it, in a sentence.
    pub sentence: String,
}

/// A statement, or the default in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct StatementReport {
    /// `robots.txt`, `header`, ... or `default`.
    pub carrier: String,
    /// Its language, such as `acap` or `content-usage`; nothing for a default.
    pub dialect: Option<String>,
    /// The document, and of drafts the revision, by which it is read.
    pub revision: Option<String>,
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
    /// Where those of its terms stand that do not stand in it.
    pub terms: Vec<TermReport>,
}

/// A term that stands elsewhere in the document than the statement it limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TermReport {
    /// What it asks for.
    pub condition: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in bytes.
    pub column: u32,
    /// The bytes it is, half-open.
    pub span: [u32; 2],
}

/// What a crawler that reads conventional groups alone would find.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PlainReport {
    /// The outcome for it.
    pub outcome: String,
    /// The line that decides; nothing where RFC 9309's default does.
    pub line: Option<u32>,
}

/// A prerequisite that is prohibited or conditional.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PrerequisiteReport {
    /// The usage that must not be prohibited.
    pub usage: String,
    /// What it comes to.
    pub outcome: String,
    /// The conditions it adds, in canonical spelling.
    pub conditions: Vec<String>,
    /// What decided that.
    pub determined_by: Vec<StatementReport>,
}

/// A part of a page whose answer differs from the page's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PartReport {
    /// The document it is in.
    pub document: String,
    /// The bytes of its start tag, half-open.
    pub span: [u32; 2],
    /// What it comes to.
    pub outcome: String,
    /// What says so, as written.
    pub text: Option<String>,
}

/// What must be used or included for a use to be permitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MustHaveReport {
    /// `must-use-resource` or `must-include-resource`.
    pub condition: String,
    /// The resource or the part of the page, as written.
    pub locator: String,
    /// What crawling it comes to; nothing for a part of the page, or a resource of another site.
    pub crawl: Option<String>,
}

impl MustHaveReport {
    fn new(must: &MustHave) -> Self {
        let crawl = must.crawl.map(|outcome| outcome.name().to_owned());
        Self { condition: must.condition.clone(), locator: must.locator.clone(), crawl }
    }
}

impl PartReport {
    fn new(part: &Part) -> Self {
        let span = [part.span.start, part.span.end];
        let (document, text) = (part.document.clone(), part.text.clone());
        Self { document, span, outcome: part.outcome.name().to_owned(), text }
    }
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
            .map(|statement| {
                StatementReport::new(statement, explanation.rule_of(statement), explanation.ground_of(statement))
            })
            .collect();
        if determined_by.is_empty() {
            determined_by.push(StatementReport::default_of(rule, explanation.sentence(proposed)));
        }
        let considered = explanation
            .considered
            .iter()
            .map(|lost| StatementReport::new(&lost.statement, lost.by.rule(), lost.sentence()))
            .collect();
        let prerequisites = explanation.prerequisites.iter().map(|prerequisite| {
            let rule = prerequisite.reason.rule();
            let mut determined_by: Vec<_> = prerequisite
                .determined_by
                .iter()
                .map(|statement| StatementReport::new(statement, rule, crate::explain::ground_of(statement)))
                .collect();
            if determined_by.is_empty() {
                determined_by.push(StatementReport::default_of(rule, explanation.sentence(proposed)));
            }
            PrerequisiteReport {
                usage: prerequisite.usage.name().to_owned(),
                outcome: prerequisite.outcome.name().to_owned(),
                conditions: prerequisite.conditions.iter().map(ToString::to_string).collect(),
                determined_by,
            }
        });
        let plain =
            explanation.plain.map(|plain| PlainReport { outcome: plain.outcome.name().to_owned(), line: plain.line });
        Self {
            schema: SCHEMA.to_owned(),
            semantics: crate::model::semantics::SEMANTICS_VERSION,
            reading: evidence.reading().name().to_owned(),
            at: proposed.at.as_ref().map(Timestamp::to_string),
            outcome: decision.outcome.name().to_owned(),
            effective: decision.effective.name().to_owned(),
            sentence: explanation.sentence(proposed),
            reason: decision.reason.name().to_owned(),
            crawler: proposed.crawler.name().to_owned(),
            bound_by: explanation.bound_by.map(|bound_by| bound_by_name(bound_by).to_owned()),
            usage: proposed.usage.name().to_owned(),
            url: proposed.url.to_owned(),
            element: proposed.element.map(str::to_owned),
            conditions: explanation.conditions.iter().map(ToString::to_string).collect(),
            valid_until: decision.valid_until.as_ref().map(Timestamp::to_string),
            fresh_until: explanation.fresh_until.as_ref().map(Timestamp::to_string),
            determined_by,
            considered,
            prerequisites: prerequisites.collect(),
            plain_crawler: plain,
            must_have: explanation.resources.iter().map(MustHaveReport::new).collect(),
            parts: explanation.parts.iter().map(PartReport::new).collect(),
            diagnostics: DiagnosticReport::all(evidence, &explanation.notes),
            actions: explanation.actions.iter().map(|(action, path)| format!("{action} {path}")).collect(),
            needs: explanation.needs.clone(),
            evidence: evidence.documents().iter().map(DocumentReport::new).collect(),
            trace: None,
        }
    }

    /// The same report with the walk through ACAP's tiers.
    #[must_use]
    pub fn with_trace(mut self, explanation: &Explanation<'_>) -> Self {
        let step = |step: &Step<'_>| StepReport {
            document: step.statement.document.to_owned(),
            line: step.statement.line,
            text: String::from_utf8_lossy(&step.statement.text).into_owned(),
            decides: step.lost.is_none(),
            rule: step.lost.map(|by| by.rule().to_owned()),
            sentence: step.sentence.clone(),
        };
        let tier = |tier: &Tier<'_>| TierReport {
            usage: tier.usage.name().to_owned(),
            purpose: tier.purpose.clone(),
            steps: tier.steps.iter().map(step).collect(),
        };
        self.trace = Some(explanation.walk.iter().map(tier).collect());
        self
    }
}

impl StatementReport {
    fn new(statement: &Statement<'_>, rule: &str, sentence: String) -> Self {
        let term = |term: &Term| TermReport {
            condition: term.condition.to_string(),
            line: term.line,
            column: term.column,
            span: [term.span.start, term.span.end],
        };
        Self {
            carrier: statement.carrier.name().to_owned(),
            dialect: Some(statement.dialect.name().to_owned()),
            revision: Some(statement.dialect.revision().to_owned()),
            document: Some(statement.document.to_owned()),
            line: Some(statement.line),
            column: Some(statement.column),
            span: Some([statement.span.start, statement.span.end]),
            text: Some(String::from_utf8_lossy(&statement.text).into_owned()),
            rule: rule.to_owned(),
            sentence,
            terms: statement.terms.iter().map(term).collect(),
        }
    }

    fn default_of(rule: &str, sentence: String) -> Self {
        Self {
            carrier: Carrier::Default.name().to_owned(),
            dialect: None,
            revision: None,
            document: None,
            line: None,
            column: None,
            span: None,
            text: None,
            rule: rule.to_owned(),
            sentence,
            terms: Vec::new(),
        }
    }
}

impl DiagnosticReport {
    /// The diagnostics of some evidence, with their places.
    #[must_use]
    pub fn all(evidence: &Evidence<'_>, notes: &[Diagnostic]) -> Vec<Self> {
        let mut lines: HashMap<&str, LineStarts> = HashMap::new();
        let report = |diagnostic: &'_ Diagnostic, lines: &LineStarts| {
            let place = lines.position(diagnostic.span.start);
            Self {
                code: diagnostic.code.name().to_owned(),
                severity: diagnostic.severity.name().to_owned(),
                document: diagnostic.document.clone(),
                line: place.line,
                column: place.column,
                span: [diagnostic.span.start, diagnostic.span.end],
                message: diagnostic.message.clone(),
                help: diagnostic.help.clone(),
            }
        };
        let of = |name: &str| evidence.documents().iter().find(|document| document.name == name);
        let mut reports = Vec::new();
        for diagnostic in notes.iter().chain(evidence.diagnostics()) {
            let lines = lines.entry(&diagnostic.document).or_insert_with(|| {
                LineStarts::of(of(&diagnostic.document).map_or(&[][..], |document| document.text()))
            });
            reports.push(report(diagnostic, lines));
        }
        reports
    }
}

impl DocumentReport {
    fn new(document: &crate::site::Document<'_>) -> Self {
        let sha256 = sha2::Sha256::digest(&document.bytes).iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        });
        let status = document.obtained.map(|obtained| match obtained {
            Obtained::Status(status) => status.to_string(),
            Obtained::Unreachable => "unreachable".to_owned(),
            Obtained::TooManyRedirects => "too-many-redirects".to_owned(),
        });
        Self { document: document.name.clone(), sha256, status, at: document.at.as_ref().map(Timestamp::to_string) }
    }
}

/// The stable name of why a crawler is bound.
fn bound_by_name(bound_by: BoundBy) -> &'static str {
    match bound_by {
        BoundBy::Named => "named",
        BoundBy::Fallback(_) => "fallback",
        BoundBy::Purpose => "purpose",
        BoundBy::Any => "any",
        BoundBy::NoGroup => "none",
    }
}
