//! What robots.txt says to the question: how it was obtained (S-36), and in which reading it is read.
//!
//! `default` is read here, by [`super::document`]; `rfc9309` and `google` by the slow reading of plain
//! robots.txt that the tests of conventional records have.

use super::conventional::s13_select;
use super::document::Document;
use super::naive::{Asker, Naive};
use super::pattern::Pattern;
use super::statements::{self, Statement};
use super::{Place, Question, Robots};
use wayleave::{Reading, Usage};

/// The statements that address the crawler and match the resource.
#[derive(Default)]
pub struct RobotsEvidence {
    /// The file, where it was read with ACAP.
    pub document: Option<Document>,
    pub acap: Vec<Statement>,
    pub unread_references: Vec<Place>,
    /// The conventional winner; or the failure to obtain the file, which has no line.
    pub conventional: Option<Statement>,
}

impl RobotsEvidence {
    pub fn of(question: &Question) -> Self {
        let text = match &question.robots {
            Robots::Read(text) => text,
            Robots::Failed => return Self { conventional: Some(s36_failure()), ..Self::default() },
            Robots::NotThere | Robots::Unknown => return Self::default(),
        };
        if [Reading::Rfc9309, Reading::Google].contains(&question.reading) {
            return Self { conventional: s13_select_as(text, question), ..Self::default() };
        }
        let document = Document::read("robots.txt", text);
        let read = statements::gather(&document, question);
        Self {
            acap: read.statements,
            unread_references: read.unread_references,
            conventional: s13_select(&document, question),
            document: Some(document),
        }
    }
}

/// 5xx or unreachable: `crawl` is prohibited, determined by the failure.
fn s36_failure() -> Statement {
    conventional(false, Vec::new())
}

/// The rule that the reading selects, if one matches.
fn s13_select_as(text: &[u8], question: &Question) -> Option<Statement> {
    let fallbacks: Vec<&str> = question.fallbacks.iter().map(String::as_str).collect();
    let asker = Asker { names: &[&question.crawler], fallbacks: &fallbacks };
    let verdict = Naive::read(text, question.reading).decide(&asker, &question.url);
    (!verdict.determined.is_empty()).then(|| conventional(verdict.is_allowed, verdict.determined))
}

fn conventional(permits: bool, lines: Vec<u32>) -> Statement {
    Statement {
        places: lines.into_iter().map(|line| ("robots.txt".to_owned(), line)).collect(),
        permits,
        usage: Usage::Crawl,
        patterns: vec![Pattern::read(b"/")],
        is_named: false,
        purposes: Vec::new(),
        conditions: Vec::new(),
        is_conventional: true,
        locations: Vec::new(),
    }
}
