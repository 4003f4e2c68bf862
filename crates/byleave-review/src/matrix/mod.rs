//! The matrix: who may do what with a resource, for many crawlers and usages at once.
//!
//! Every cell is the engine's answer to one question, with the part of the explanation that is shown. Crawlers with the
//! same answers share a row. `questions` chooses the crawlers, and `report` writes JSON.

mod questions;
#[cfg(feature = "report")]
mod report;

pub use questions::{MatrixCrawler, MatrixQuestions, WhyAsked};
#[cfg(feature = "report")]
pub use report::MatrixReport;

use byleave::analysis::explain_unchecked;
use byleave::model::Statement;
use byleave::{Explanation, Outcome, ProposedUse, Reason, Site, Usage};

/// What each crawler may do with each resource: one table per resource.
///
/// ```
/// use byleave::{Site, Outcome, Reading, Usage};
/// use byleave_review::matrix::{MatrixQuestions, Matrix};
/// let robots_txt = b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /news/\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let asked = MatrixQuestions::new(&site).about("/news/1").of(Usage::Crawl);
/// let matrix = Matrix::new(&site, &asked);
/// let table = &matrix.tables[0];
/// let row = table.row_of("GPTBot").unwrap();
/// assert_eq!(row.crawlers, ["GPTBot", "CCBot"]);
/// assert_eq!(row.cells[0].effective, Outcome::Prohibited);
/// assert_eq!(row.cells[0].statements[0].line, 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matrix {
    /// The usages, in the order of the cells in each row.
    pub usages: Vec<Usage>,
    /// One table per resource.
    pub tables: Vec<Table>,
}

/// What each crawler may do with one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Table {
    /// The resource as given.
    pub url: String,
    /// The rows, in the order in which their first crawlers were asked about.
    pub rows: Vec<Row>,
}

/// Crawlers with the same answers, and the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The names of the crawlers, in the order in which they were asked about.
    pub crawlers: Vec<String>,
    /// One answer per usage.
    pub cells: Vec<Cell>,
}

/// An answer with its justification. Equal cells give the same answer for the same reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cell {
    /// The outcome that the site expresses.
    pub outcome: Outcome,
    /// The effective outcome, which takes prerequisites into account (S-14).
    pub effective: Outcome,
    /// The conditions, in canonical spelling.
    pub conditions: Vec<String>,
    /// The rule in the semantics that decides. S-14 if a prerequisite is prohibited.
    pub rule: &'static str,
    /// The first statements that decide, or that prohibit the prerequisite. Empty if a default decides.
    pub statements: Vec<CellStatement>,
    /// The number of further deciding statements.
    pub more_statements: usize,
    /// The reason, as a phrase that names no crawler.
    pub because: String,
}

/// A statement that justifies an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CellStatement {
    /// The name of the statement's document.
    pub document: String,
    /// The line number of the statement, from 1.
    pub line: u32,
    /// The statement as written.
    pub text: Vec<u8>,
}

/// If several statements decide together, at most this many are kept.
const MAX_STATEMENTS: usize = 3;

/// At most this many bytes of a statement are kept.
const MAX_STATEMENT_LENGTH: usize = 1_000;

impl Matrix {
    /// Asks the engine for every cell.
    ///
    /// Cost: one explanation per cell.
    #[must_use]
    pub fn new(site: &Site<'_>, asked: &MatrixQuestions) -> Self {
        let tables = asked.urls.iter().map(|url| Table::new(site, asked, url)).collect();
        Self { usages: asked.usages.clone(), tables }
    }
}

impl Table {
    fn new(site: &Site<'_>, asked: &MatrixQuestions, url: &str) -> Self {
        let mut rows: Vec<Row> = Vec::new();
        for who in &asked.crawlers {
            let name = who.crawler.name().to_owned();
            let cell = |usage| Cell::new(site, &asked.proposed(url, &who.crawler, usage));
            let cells: Vec<Cell> = asked.usages.iter().map(cell).collect();
            match rows.iter_mut().find(|row| row.cells == cells) {
                Some(row) => row.crawlers.push(name),
                None => rows.push(Row { crawlers: vec![name], cells }),
            }
        }
        Self { url: url.to_owned(), rows }
    }

    /// Returns the row for a crawler, or `None` if it was not asked about.
    #[must_use]
    pub fn row_of(&self, crawler: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.crawlers.iter().any(|name| name == crawler))
    }
}

impl Cell {
    /// Returns the engine's answer to one question.
    fn new(site: &Site<'_>, proposed: &ProposedUse<'_>) -> Self {
        let explanation = explain_unchecked(site, proposed);
        let decision = explanation.decision;
        // S-14: if a prerequisite bars the use, the statements that prohibit the prerequisite justify the answer.
        let is_barred = decision.outcome != Outcome::Prohibited && decision.prerequisite.is_some();
        let statements: Vec<&Statement<'_>> = if is_barred {
            explanation.barred_by().collect()
        } else {
            deciding_statements(&explanation, decision.reason)
        };
        Self {
            outcome: decision.outcome,
            effective: decision.effective,
            conditions: explanation.conditions.iter().map(ToString::to_string).collect(),
            rule: if is_barred { "S-14" } else { decision.reason.rule() },
            more_statements: statements.len().saturating_sub(MAX_STATEMENTS),
            statements: statements.into_iter().take(MAX_STATEMENTS).map(CellStatement::new).collect(),
            because: explanation.because(),
        }
    }
}

/// Returns the deciding statements, starting with the one that the reason names.
fn deciding_statements<'x, 'e>(explanation: &'x Explanation<'e>, reason: Reason) -> Vec<&'x Statement<'e>> {
    let mut statements: Vec<_> = explanation.determined_by.iter().collect();
    statements.sort_by_key(|statement| Some(statement.id) != reason.statement());
    statements
}

impl CellStatement {
    fn new(statement: &Statement<'_>) -> Self {
        let text = statement.text.iter().copied().take(MAX_STATEMENT_LENGTH).collect();
        Self { document: statement.document.to_owned(), line: statement.line, text }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop where it fails")]
mod tests {
    use super::*;
    use byleave::Reading;

    const ROBOTS_TXT: &[u8] = b"User-agent: A\nUser-agent: B\nDisallow: /x/\n\nUser-agent: C\nDisallow: /x/\n\n\
        ACAP-crawler: *\nACAP-allow-preserve: / time-limit=3-days\n";

    #[test]
    fn crawlers_that_are_answered_alike_share_a_row() {
        let site = Site::of_robots_txt(ROBOTS_TXT, Reading::Default);
        let asked = MatrixQuestions::new(&site).about("/x/1").about("/y").of(Usage::Crawl).of(Usage::Preserve);
        let matrix = Matrix::new(&site, &asked);
        let crawlers = |table: usize, row: usize| matrix.tables[table].rows[row].crawlers.join(" ");
        assert!(crawlers(0, 0) == "A B" && crawlers(0, 1) == "C", "different lines decide for `A` and `C`");
        assert!(crawlers(1, 0).starts_with("A B C ") && matrix.tables[1].rows.len() == 1);
        let barred = &matrix.tables[0].rows[0].cells[1];
        assert_eq!((barred.outcome, barred.effective), (Outcome::Conditional, Outcome::Prohibited));
        assert_eq!((barred.rule, barred.statements[0].line), ("S-14", 3));
        assert_eq!(barred.because, "the crawler may not crawl it: line 3 prohibits `/x/`");
        let kept = &matrix.tables[1].rows[0].cells[1];
        assert_eq!(
            (kept.effective, &kept.conditions[..]),
            (Outcome::Conditional, &["time-limit=3-days".to_owned()][..])
        );
    }

    #[test]
    fn a_default_has_a_rule_and_no_line() {
        let site = Site::of_robots_txt(b"", Reading::Default);
        let matrix = Matrix::new(&site, &MatrixQuestions::new(&site).about("/").of(Usage::Crawl).of(Usage::Index));
        let [crawl, index] = &matrix.tables[0].rows[0].cells[..] else { unreachable!() };
        assert!(crawl.statements.is_empty() && crawl.rule == "S-01" && crawl.effective == Outcome::Permitted);
        assert_eq!((index.outcome, index.effective), (Outcome::Unstated, Outcome::Unstated));
    }

    #[test]
    fn of_very_many_statements_a_few_are_kept() {
        let robots_txt = format!("ACAP-crawler: *\n{}", "ACAP-disallow-crawl: /\n".repeat(500));
        let site = Site::of_robots_txt(robots_txt.as_bytes(), Reading::Default);
        let matrix = Matrix::new(&site, &MatrixQuestions::new(&site).about("/").of(Usage::Crawl));
        let cell = &matrix.tables[0].rows[0].cells[0];
        assert_eq!((cell.statements.len(), cell.more_statements), (3, 497));
    }
}
