//! The statements in robots.txt, and in the files it refers to, for a crawler and a resource (S-10, S-13, S-21, S-36).

use super::document::{Document, Field};
use super::pattern::{s19_acap_pattern, s19_matches, s19_path, s19_pattern};
use super::statements::{Carrier, Statement, s09_statements};
use super::text::re;
use super::{Place, Question, Robots};
use crate::naive::Naive;
use byleave::{Reading, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// The statements in robots.txt that address the crawler and match the resource.
#[derive(Default)]
pub struct RobotsEvidence {
    /// The file, if it was read with ACAP.
    pub document: Option<Document>,
    pub acap: Vec<Statement>,
    pub unread_references: BTreeSet<Place>,
    /// The winning conventional rule, or the failure to fetch the file, which has no line.
    pub conventional: Option<Statement>,
}

impl RobotsEvidence {
    pub fn of(question: &Question) -> Self {
        let text = match &question.robots {
            Robots::Read(text) => text,
            // S-36: `crawl` is prohibited because of the failure.
            Robots::Failed => {
                return Self { conventional: Some(Statement::new(&[], false, Usage::Crawl)), ..Self::default() };
            }
            Robots::NotThere | Robots::Unknown => return Self::default(),
        };
        let conventional = s13_selected(text, question);
        if [Reading::Rfc9309, Reading::Google].contains(&question.of_robots_txt()) {
            return Self { conventional, ..Self::default() };
        }
        let document = Document::read("robots.txt", text);
        let (references, unread_references) = s21_references(&document, question);
        let mut acap = said(&[&document], question);
        acap.extend(references.iter().flat_map(|reference| said(&[reference, &document], question)));
        let conventional = conventional.filter(|_| !document.ignores_conventional);
        Self { acap, unread_references, conventional, document: Some(document) }
    }
}

/// Returns the rule that RFC 9309 selects, as one statement with all rules of the same length and modality.
fn s13_selected(text: &[u8], question: &Question) -> Option<Statement> {
    let naive = Naive::read(text, question.of_robots_txt());
    let (is_named, rules) = question.s13_bound(&naive, |asker, _| naive.selected(asker, &question.url));
    let places: Vec<Place> = rules.iter().map(|rule| ("robots.txt".to_owned(), rule.line.to_string())).collect();
    Some(Statement {
        patterns: rules.iter().map(|rule| s19_pattern(&rule.written)).collect(),
        is_named,
        carrier: Carrier::Conventional,
        ..Statement::new(&places, rules.first()?.permits, Usage::Crawl)
    })
}

/// Returns the files that the crawler's groups refer to, without duplicates. References in those files are not
/// followed. Also returns the lines that refer to files that could not be read.
fn s21_references(robots: &Document, question: &Question) -> (Vec<Document>, BTreeSet<Place>) {
    let (mut read, mut unread) = (BTreeMap::new(), BTreeSet::new());
    for group in robots.groups.iter().filter(|group| group.level(question).is_some()) {
        for (line, locator) in &group.references {
            match question.references.get(locator) {
                Some(text) => drop(read.insert(locator, Document::read(locator, text))),
                None => drop(unread.insert((robots.name.clone(), line.to_string()))),
            }
        }
    }
    (read.into_values().collect(), unread)
}

/// Returns the statements in the first document. The other documents provide definitions.
fn said(documents: &[&Document], question: &Question) -> Vec<Statement> {
    let path = s19_path(&question.url);
    let mut statements = Vec::new();
    for group in &documents[0].groups {
        let Some(is_named) = group.level(question) else { continue };
        for field in &group.fields {
            let mut patterns = s10_resources(&field.resource, documents);
            patterns.retain(|pattern| s19_matches(pattern, &path));
            if !patterns.is_empty() {
                let said = Statement { is_named, patterns, ..field.said.clone() };
                statements.extend(s09_statements(&Field { said, ..field.clone() }, documents, question));
            }
        }
    }
    statements
}

/// Returns the patterns that a field names, or an empty list if the field is void.
fn s10_resources(written: &str, documents: &[&Document]) -> Vec<String> {
    let Some(parts) = re("^(?:the-)?acap:(.*)$").captures(written) else {
        return s19_acap_pattern(written.as_bytes()).into_iter().collect();
    };
    let name = re("^resource-set:(.*)$").captures(&parts[1]).map(|parts| parts[1].to_ascii_lowercase());
    let set = name.and_then(|name| documents.iter().find_map(|document| document.sets.get(&name)));
    set.cloned().unwrap_or_default()
}
