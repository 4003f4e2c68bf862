//! The report: an explanation as owned data, in the JSON form that every shell writes.
//!
//! `docs/decision.schema.json` describes the form, and [`SCHEMA`] is its version. Spans are half-open byte ranges.
//! Lines and columns start at 1, and columns count bytes.

use crate::base::source::LineStarts;
use crate::base::timestamp::Timestamp;
use crate::explain::{DifferingPart, Explanation, RequiredResource, Step, Tier};
use crate::model::BoundBy;
use crate::model::Obtained;
use crate::model::diagnostic::Diagnostic;
use crate::model::proposed_use::ProposedUse;
use crate::model::{Carrier, Statement, Term};
use crate::site::Site;
use serde::{Deserialize, Serialize};
use sha2::Digest;
use std::collections::HashMap;
use std::fmt::Write;

/// The name and version of the JSON form.
pub const SCHEMA: &str = "byleave.decision/1";

/// A decision with its reasons, owned and serializable.
///
/// ```
/// use byleave::explain::report::Report;
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
/// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /news/\n", Reading::Default);
/// let crawler = Crawler::named("GPTBot");
/// let proposed = ProposedUse::new("https://site.example/news/today", &crawler, &Usage::Crawl);
/// let report = Report::new(&site, &proposed, &explain(&site, &proposed)?);
/// assert_eq!((report.outcome.as_str(), report.determined_by[0].line), ("prohibited", Some(2)));
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// The version of the semantics.
    pub semantics: u32,
    /// The name of the reading.
    pub reading: String,
    /// The time of the question, or `None` if it has none.
    pub at: Option<String>,
    /// The outcome that the site's statements lead to, before prerequisites.
    pub outcome: String,
    /// The outcome after prerequisites.
    pub effective: String,
    /// The decision in one sentence.
    pub sentence: String,
    /// The stable name of the reason.
    pub reason: String,
    /// The crawler's name, or the first name if the crawler has several.
    pub crawler: String,
    /// Why certain groups bind the crawler: `named`, `fallback`, `purpose`, `any` or `none`. `None` if no robots.txt
    /// was read.
    pub bound_by: Option<String>,
    /// The usage in question.
    pub usage: String,
    /// The URL of the resource, as given.
    pub url: String,
    /// The element in question, as `#id` or `.class`, or `None` for the whole resource.
    pub element: Option<String>,
    /// The conditions that the use must meet, in canonical spelling.
    pub conditions: Vec<String>,
    /// The first point in time at which the decision is no longer valid.
    pub valid_until: Option<String>,
    /// The time until which the page and its headers are fresh, if they affect the decision. After that time, the
    /// crawler should fetch them again. Until it does, their restrictions remain in force.
    pub fresh_until: Option<String>,
    /// The deciding statements, or one entry whose carrier is `default`.
    pub determined_by: Vec<StatementReport>,
    /// The other statements that apply, and why each one lost.
    pub considered: Vec<StatementReport>,
    /// The prohibited and conditional prerequisites, with the statements that determine them.
    pub prerequisites: Vec<PrerequisiteReport>,
    /// The result for a crawler that reads only RFC 9309, if it is different.
    pub plain_crawler: Option<PlainReport>,
    /// The resources that must be used or included, and whether each one may be crawled.
    pub must_have: Vec<RequiredResourceReport>,
    /// The parts of the page whose outcome differs from the page's.
    pub parts: Vec<PartReport>,
    /// Diagnostics about the question and the documents.
    pub diagnostics: Vec<DiagnosticReport>,
    /// The actions that the site requests from the crawler.
    pub actions: Vec<String>,
    /// Documents that the decision needs but that were not read.
    pub needs: Vec<String>,
    /// The documents that the decision is based on.
    pub evidence: Vec<DocumentReport>,
    /// The walk through ACAP's tiers, if it was requested.
    pub trace: Option<Vec<TierReport>>,
}

/// One tier in ACAP's walk: a usage, and the statements about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TierReport {
    /// The usage of this tier.
    pub usage: String,
    /// The purpose for which the tier was examined, if any.
    pub purpose: Option<String>,
    /// What happened to each statement.
    pub steps: Vec<StepReport>,
}

/// What happened to one statement in a tier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct StepReport {
    /// The document that contains the statement.
    pub document: String,
    /// The line, from 1.
    pub line: u32,
    /// The statement's text, as written.
    pub text: String,
    /// Whether the statement decides its tier.
    pub decides: bool,
    /// The number of the rule by which the statement lost, if it did.
    pub rule: Option<String>,
    /// What happened to the statement, in a sentence.
    pub sentence: String,
}

/// A statement, or the default that decides instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct StatementReport {
    /// The carrier's name, such as `robots.txt` or `header`, or `default`.
    pub carrier: String,
    /// The statement's dialect, such as `acap` or `content-usage`, or `None` for a default.
    pub dialect: Option<String>,
    /// The specification that defines the dialect, with the revision if it is a draft.
    pub revision: Option<String>,
    /// The document's name, or `None` for a default.
    pub document: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1, in bytes.
    pub column: Option<u32>,
    /// The bytes from the start of the field's name to the end of its value, half-open.
    pub span: Option<[u32; 2]>,
    /// The statement's text as written, without comments and surrounding blanks.
    pub text: Option<String>,
    /// The number of the rule by which the statement decided or lost.
    pub rule: String,
    /// Why the statement decided or lost, in a sentence.
    pub sentence: String,
    /// The statement's terms that are written elsewhere in the document.
    pub terms: Vec<TermReport>,
}

/// A term that is written in a different place than the statement it limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TermReport {
    /// The condition that the term sets.
    pub condition: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in bytes.
    pub column: u32,
    /// The bytes of the term, half-open.
    pub span: [u32; 2],
}

/// The result for a crawler that reads only conventional groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PlainReport {
    /// The outcome.
    pub outcome: String,
    /// The line that decides, or `None` if RFC 9309's default decides.
    pub line: Option<u32>,
}

/// A prerequisite that is prohibited or conditional.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PrerequisiteReport {
    /// The usage that must not be prohibited.
    pub usage: String,
    /// The outcome for this usage.
    pub outcome: String,
    /// The conditions that the prerequisite adds, in canonical spelling.
    pub conditions: Vec<String>,
    /// The statements that determine the outcome.
    pub determined_by: Vec<StatementReport>,
}

/// A part of a page whose outcome differs from the page's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PartReport {
    /// The document that contains the part.
    pub document: String,
    /// The bytes of the part's start tag or of the comment that begins the part, half-open.
    pub span: [u32; 2],
    /// The outcome for the part.
    pub outcome: String,
    /// The statement that decides, as written.
    pub text: Option<String>,
}

/// A resource that must be used or included for a use to be permitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RequiredResourceReport {
    /// `must-use-resource` or `must-include-resource`.
    pub condition: String,
    /// The locator of the resource or the part of the page, as written.
    pub locator: String,
    /// The outcome of crawling the resource, or `None` for a part of the page or a resource on another site.
    pub crawl: Option<String>,
}

impl RequiredResourceReport {
    fn new(required: &RequiredResource) -> Self {
        let crawl = required.crawl.map(|outcome| outcome.name().to_owned());
        Self { condition: required.condition.clone(), locator: required.locator.clone(), crawl }
    }
}

impl PartReport {
    fn new(part: &DifferingPart) -> Self {
        let span = [part.span.start, part.span.end];
        let (document, text) = (part.document.clone(), part.text.clone());
        Self { document, span, outcome: part.outcome.name().to_owned(), text }
    }
}

/// A diagnostic, with its line and column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DiagnosticReport {
    /// The diagnostic's stable code.
    pub code: String,
    /// `error`, `warning` or `advice`.
    pub severity: String,
    /// The document's name.
    pub document: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in bytes.
    pub column: u32,
    /// The bytes that the diagnostic is about, half-open.
    pub span: [u32; 2],
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// A document that the decision is based on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DocumentReport {
    /// The document's location.
    pub document: String,
    /// The SHA-256 digest of the document's bytes, in hexadecimal.
    pub sha256: String,
    /// The HTTP status, `unreachable` or `too-many-redirects`, or `None` if the status is not known.
    pub status: Option<String>,
    /// When the document was obtained, if known.
    pub at: Option<String>,
}

impl Report {
    /// Returns the report for an explanation.
    #[must_use]
    pub fn new(site: &Site<'_>, proposed: &ProposedUse<'_>, explanation: &Explanation<'_>) -> Self {
        let decision = &explanation.decision;
        let rule = decision.reason.rule();
        let mut determined_by: Vec<_> = explanation
            .determined_by
            .iter()
            .map(|statement| {
                StatementReport::new(statement, explanation.rule_of(statement), explanation.justification(statement))
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
                .map(|statement| StatementReport::new(statement, rule, crate::explain::justification(statement)))
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
            reading: site.reading().name().to_owned(),
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
            must_have: explanation.required_resources.iter().map(RequiredResourceReport::new).collect(),
            parts: explanation.parts.iter().map(PartReport::new).collect(),
            diagnostics: DiagnosticReport::all(site, &explanation.notes),
            actions: explanation.actions.iter().map(|(action, path)| format!("{action} {path}")).collect(),
            needs: explanation.needs.clone(),
            evidence: site.documents().iter().map(DocumentReport::new).collect(),
            trace: None,
        }
    }

    /// Adds the walk through ACAP's tiers.
    ///
    /// ```
    /// use byleave::explain::report::Report;
    /// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
    /// let site = Site::of_robots_txt(b"ACAP-crawler: *\nACAP-disallow-index: /private/\n", Reading::Default);
    /// let crawler = Crawler::named("ExampleBot");
    /// let proposed = ProposedUse::new("/private/1", &crawler, &Usage::Index);
    /// let explanation = explain(&site, &proposed)?;
    /// let report = Report::new(&site, &proposed, &explanation).with_trace(&explanation);
    /// assert_eq!(report.trace.unwrap()[0].steps[0].line, 2);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
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
    /// Returns `notes` and the diagnostics for the site's documents, with lines and columns.
    ///
    /// ```
    /// use byleave::explain::report::DiagnosticReport;
    /// use byleave::{Reading, Site};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDissalow: /private/\n", Reading::Default);
    /// let diagnostics = DiagnosticReport::all(&site, &[]);
    /// assert_eq!((diagnostics[0].code.as_str(), diagnostics[0].line), ("misspelt-field", 2));
    /// ```
    #[must_use]
    pub fn all(site: &Site<'_>, notes: &[Diagnostic]) -> Vec<Self> {
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
        let of = |name: &str| site.documents().iter().find(|document| document.name == name);
        let mut reports = Vec::new();
        for diagnostic in notes.iter().chain(site.diagnostics()) {
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

/// Returns the stable name for why groups bind the crawler.
fn bound_by_name(bound_by: BoundBy) -> &'static str {
    match bound_by {
        BoundBy::Named => "named",
        BoundBy::Fallback(_) => "fallback",
        BoundBy::Purpose => "purpose",
        BoundBy::Any => "any",
        BoundBy::NoGroup => "none",
    }
}
