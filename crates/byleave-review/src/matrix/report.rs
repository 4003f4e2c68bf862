//! The JSON form of a matrix: every decision in the usual JSON form. Values that the decisions share are written once.
//!
//! `docs/matrix.schema.json` describes this form, and `SCHEMA` is its version. Decisions are computed while they are
//! written, so only one is held in memory at a time.

use super::{Matrix, MatrixCrawler, MatrixQuestions};
use byleave::explain::report::{DiagnosticReport, Report};
use byleave::model::{AnyGroup, CrawlerName};
use byleave::{Crawler, Site};
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};

/// The name and version of the JSON form.
const SCHEMA: &str = "byleave.matrix/1";

/// A matrix that serializes as JSON.
pub struct MatrixReport<'m> {
    site: &'m Site<'m>,
    asked: &'m MatrixQuestions,
    matrix: &'m Matrix,
}

impl<'m> MatrixReport<'m> {
    /// Combines a matrix with its questions and its site.
    #[must_use]
    pub fn new(site: &'m Site<'m>, asked: &'m MatrixQuestions, matrix: &'m Matrix) -> Self {
        Self { site, asked, matrix }
    }
}

impl Serialize for MatrixReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { site, asked, matrix } = self;
        let mut object = serializer.serialize_struct("Matrix", 8)?;
        object.serialize_field("schema", SCHEMA)?;
        object.serialize_field("semantics", &byleave::SEMANTICS_VERSION)?;
        object.serialize_field("reading", site.reading().name())?;
        object.serialize_field("crawlers", &asked.crawlers.iter().map(crawler).collect::<Vec<_>>())?;
        object.serialize_field("left_out", &asked.left_out)?;
        object.serialize_field("usages", &matrix.usages.iter().map(byleave::Usage::name).collect::<Vec<_>>())?;
        let tables: Vec<_> = matrix.tables.iter().map(|table| TableReport { of: self, table }).collect();
        object.serialize_field("tables", &tables)?;
        object.serialize_field("diagnostics", &DiagnosticReport::all(site, &[]))?;
        object.end()
    }
}

#[derive(serde::Serialize)]
struct CrawlerReport {
    name: String,
    why: &'static str,
    fallbacks: Vec<String>,
    any_group: bool,
    operator: Option<&'static str>,
    purposes: Vec<&'static str>,
    evidence: Option<&'static str>,
}

fn crawler(asked: &MatrixCrawler) -> CrawlerReport {
    let MatrixCrawler { crawler, known, why } = asked;
    CrawlerReport {
        name: crawler.name().to_owned(),
        why: why.name(),
        fallbacks: crawler.fallbacks().iter().map(CrawlerName::as_str).map(str::to_owned).collect(),
        any_group: crawler.any_group() == AnyGroup::Applies,
        operator: known.map(|known| known.operator).filter(|operator| !operator.is_empty()),
        purposes: known.iter().flat_map(|known| known.purposes).map(|purpose| purpose.name()).collect(),
        evidence: known.map(|known| known.evidence.name()),
    }
}

struct TableReport<'r> {
    of: &'r MatrixReport<'r>,
    table: &'r super::Table,
}

impl Serialize for TableReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Table", 3)?;
        object.serialize_field("url", &self.table.url)?;
        object.serialize_field("alike", &self.table.rows.iter().map(|row| &row.crawlers).collect::<Vec<_>>())?;
        object.serialize_field("decisions", &Decisions(self))?;
        object.end()
    }
}

/// Every decision in a table: all usages for the first crawler, then all usages for the next one.
struct Decisions<'r>(&'r TableReport<'r>);

impl Serialize for Decisions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TableReport { of: MatrixReport { site, asked, .. }, table } = self.0;
        let mut decisions = serializer.serialize_seq(None)?;
        for (crawler, usage) in pairs(asked) {
            let proposed = asked.proposed(&table.url, crawler, usage);
            let explanation = byleave::analysis::explain_unchecked(site, &proposed);
            let mut report = Report::new(site, &proposed, &explanation);
            // Document diagnostics are written once for all decisions, so only diagnostics about the question stay
            // here.
            report.diagnostics.truncate(explanation.notes.len());
            decisions.serialize_element(&report)?;
        }
        decisions.end()
    }
}

fn pairs(asked: &MatrixQuestions) -> impl Iterator<Item = (&Crawler, &byleave::Usage)> {
    asked.crawlers.iter().flat_map(|who| asked.usages.iter().map(|usage| (&who.crawler, usage)))
}
