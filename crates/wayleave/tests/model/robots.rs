//! robots.txt and what it refers to: lines (S-18), versions (S-11), definitions, records (S-12, S-21), and what they
//! say to a crawler (S-13, S-35, S-36). Conventional records are read by [`super::naive`].

use super::naive::{self, Asker, Naive};
use super::pattern::{s19_acap_pattern, s19_path, s19_pattern};
use super::statements::{Carrier, Field, Qualifier, Statement, qualifiers, s09_statements, s11_is_gated};
use super::text::re;
use super::{Place, Question, Robots};
use std::collections::{BTreeMap, BTreeSet};
use wayleave::{Reading, Usage};

/// What robots.txt says to the question: the statements that address the crawler and match the resource.
#[derive(Default)]
pub struct RobotsEvidence {
    /// The file, where it was read with ACAP.
    pub document: Option<Document>,
    pub acap: Vec<Statement>,
    pub unread_references: BTreeSet<Place>,
    /// The conventional winner; or the failure to obtain the file, which has no line.
    pub conventional: Option<Statement>,
}

impl RobotsEvidence {
    pub fn of(question: &Question) -> Self {
        let text = match &question.robots {
            Robots::Read(text) => text,
            // S-36: `crawl` is prohibited, determined by the failure.
            Robots::Failed => {
                return Self { conventional: Some(Statement::new(&[], false, Usage::Crawl)), ..Self::default() };
            }
            Robots::NotThere | Robots::Unknown => return Self::default(),
        };
        let conventional = s13_selected(text, question);
        if [Reading::Rfc9309, Reading::Google].contains(&question.reading) {
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

/// The rule that RFC 9309 selects, as one statement with all that are equally long and say the same.
fn s13_selected(text: &[u8], question: &Question) -> Option<Statement> {
    let names = question.s35_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let fallbacks: Vec<&str> = question.fallbacks.iter().map(String::as_str).collect();
    let naive = Naive::read(text, question.reading);
    let (is_named, rules) = naive.selected(&Asker { names: &names, fallbacks: &fallbacks }, &question.url);
    let places: Vec<Place> = rules.iter().map(|rule| ("robots.txt".to_owned(), rule.line.to_string())).collect();
    Some(Statement {
        patterns: rules.iter().map(|rule| s19_pattern(&rule.written)).collect(),
        is_named,
        carrier: Carrier::Conventional,
        ..Statement::new(&places, rules.first()?.permits, Usage::Crawl)
    })
}

/// The files that the crawler's records refer to, each once and one deep, and the lines whose files could not be read.
fn s21_references(robots: &Document, question: &Question) -> (Vec<Document>, BTreeSet<Place>) {
    let (mut read, mut unread) = (BTreeMap::new(), BTreeSet::new());
    for record in robots.records.iter().filter(|record| record.level(question).is_some()) {
        for (line, locator) in &record.references {
            match question.references.get(locator) {
                Some(text) => drop(read.insert(locator, Document::read(locator, text))),
                None => drop(unread.insert((robots.name.clone(), line.to_string()))),
            }
        }
    }
    (read.into_values().collect(), unread)
}

/// The statements of the first document; the others lend their definitions.
fn said(documents: &[&Document], question: &Question) -> Vec<Statement> {
    let path = s19_path(&question.url);
    let mut statements = Vec::new();
    for record in &documents[0].records {
        let Some(is_named) = record.level(question) else { continue };
        for field in &record.fields {
            let mut patterns = s10_resources(&field.resource, documents);
            patterns.retain(|pattern| super::pattern::s19_matches(pattern, &path));
            if !patterns.is_empty() {
                statements.extend(s09_statements(&Field { is_named, patterns, ..field.clone() }, documents, question));
            }
        }
    }
    statements
}

/// The patterns that a field names; none where it is void.
fn s10_resources(written: &str, documents: &[&Document]) -> Vec<String> {
    let Some(parts) = re("^(?:the-)?acap:(.*)$").captures(written) else {
        return s19_acap_pattern(written.as_bytes()).into_iter().collect();
    };
    let name = re("^resource-set:(.*)$").captures(&parts[1]).map(|parts| parts[1].to_ascii_lowercase());
    let set = name.and_then(|name| documents.iter().find_map(|document| document.sets.get(&name)));
    set.cloned().unwrap_or_default()
}

/// What a file, or the METAs of a page, define and declare; and the ACAP records of a file.
#[derive(Default)]
pub struct Document {
    name: String,
    /// Major and minor.
    pub version: Option<(u32, u32)>,
    ignores_conventional: bool,
    /// By name in lower case.
    sets: BTreeMap<String, Vec<String>>,
    /// By name in parentheses: words with their qualifiers, of which those of a composite usage have none.
    pub usages: BTreeMap<String, Vec<(String, Vec<Qualifier>)>>,
    records: Vec<Record>,
}

#[derive(Default)]
struct Record {
    names: Vec<String>,
    fields: Vec<Field>,
    references: Vec<(u32, String)>,
}

impl Record {
    /// Whether it names the crawler (true), is for any crawler (false), or does not address it.
    fn level(&self, question: &Question) -> Option<bool> {
        self.names.iter().filter_map(|name| question.s35_level(name, "")).max()
    }
}

impl Document {
    fn read(name: &str, text: &[u8]) -> Self {
        let lines: Vec<(u32, String)> = naive::lines(text, Reading::Default)
            .map(|(number, line)| (number, String::from_utf8_lossy(line).into_owned()))
            .collect();
        let fields: Vec<(u32, String, String)> =
            lines.iter().filter_map(|(line, text)| s18_field(*line, text)).collect();
        let comments = lines.iter().filter_map(|(_, line)| re(r"^\s*#+\s*acap\s+version=(\S+)").captures(line));
        let declared = fields.iter().filter(|(_, name, _)| name == "acap-version").map(|(.., value)| value.clone());
        let mut document = Self {
            name: name.to_owned(),
            version: comments
                .map(|parts| parts[1].to_owned())
                .chain(declared)
                .filter_map(|text| s11_version(&text))
                .min(),
            ignores_conventional: fields.iter().any(|(_, name, _)| name == "acap-ignore-conventional-records"),
            ..Self::default()
        };
        fields.iter().for_each(|(_, name, value)| document.define(name, value));
        document.s12_records(&fields);
        document
    }

    /// Definitions count wherever they stand. The first of a local name counts (S-09); sets of one name unite.
    pub fn define(&mut self, kind: &str, value: &str) {
        let Some(parts) = re(r"^\s*([a-z][a-z0-9._-]*)(?:\s+(\S.*))?$").captures(value) else { return };
        let (name, rest) = (parts[1].to_ascii_lowercase(), parts.get(2).map_or("", |rest| rest.as_str()));
        let members = match kind {
            "acap-resource-set" => {
                let patterns = rest.split_whitespace().filter_map(|member| s19_acap_pattern(member.as_bytes()));
                return self.sets.entry(name).or_default().extend(patterns);
            }
            "acap-composite-usage" => {
                rest.split_whitespace().map(|word| (word.to_ascii_lowercase(), Vec::new())).collect()
            }
            "acap-qualified-usage" if !rest.is_empty() => {
                let (base, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                // S-09: without a qualifier it falls on its base, as it does with an unreadable one.
                let qualifiers = if rest.is_empty() { qualifiers("?") } else { qualifiers(rest) };
                if s11_is_gated(self.version, &qualifiers) {
                    return;
                }
                vec![(base.to_ascii_lowercase(), qualifiers)]
            }
            _ => return,
        };
        self.usages.entry(format!("({name})")).or_insert(members);
    }

    fn s12_records(&mut self, fields: &[(u32, String, String)]) {
        let (mut is_open, mut takes_names, mut takes_purposes) = (false, false, false);
        let mut purposes: Vec<String> = Vec::new();
        for (line, name, value) in fields {
            match (name.as_str(), self.records.last_mut()) {
                ("user-agent" | "useragent" | "user agent", _) => (is_open, takes_names) = (false, false),
                ("acap-crawler", Some(record)) if takes_names => record.names.push(value.clone()),
                ("acap-crawler", _) => {
                    self.records.push(Record { names: vec![value.clone()], ..Record::default() });
                    (is_open, takes_names, takes_purposes) = (true, true, true);
                    purposes.clear();
                }
                (name, Some(record)) if is_open => {
                    if name == "acap-usage-purpose" {
                        if !takes_purposes {
                            purposes.clear();
                        }
                        takes_purposes = true;
                        purposes.push(value.clone());
                    } else if name == "acap-permissions-reference" {
                        record.references.push((*line, value.clone()));
                    } else if let Some(field) = s18_statement(name, value) {
                        if field.permits && s11_is_gated(self.version, &field.qualifiers) {
                            // As if absent.
                            continue;
                        }
                        takes_purposes = false;
                        let (place, purposes) =
                            ((self.name.clone(), line.to_string()), s10_purposes(&purposes, field.permits));
                        record.fields.push(Field { place, purposes, ..field });
                    } else if !name.starts_with("acap-request-") {
                        // Out of place, file-scoped or unknown: it parts nothing.
                        continue;
                    }
                    takes_names = false;
                }
                _ => {}
            }
        }
    }
}

/// The name in lower case and the value of a line's field, if it has one.
fn s18_field(line: u32, text: &str) -> Option<(u32, String, String)> {
    if let Some(parts) =
        re(r"^\s*(?:acap\s+version\s+([^\s#:]+)|(acap-ignore-conventional-records))\s*(?:#|$)").captures(text)
    {
        let name = parts.get(2).map_or("acap-version", |_| "acap-ignore-conventional-records");
        return Some((line, name.to_owned(), parts.get(1).map_or("", |version| version.as_str()).to_owned()));
    }
    let field = naive::field(line, text.as_bytes())?;
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    Some((line, text(field.name).to_ascii_lowercase(), text(field.value)))
}

/// A permission or prohibition.
fn s18_statement(name: &str, value: &str) -> Option<Field> {
    let parts = re("^acap-(dis)?allow-(.*)$").captures(name)?;
    let (resource, rest) = value.split_once([' ', '\t']).unwrap_or((value, ""));
    let usage = parts[2].replace([' ', '\t'], "");
    Some(Field {
        resource: resource.to_owned(),
        ..Field::new(Carrier::RobotsTxt, parts.get(1).is_none(), &usage, rest)
    })
}

/// The purposes of a statement: where none can be read, a prohibition is for all and a permission for nobody.
fn s10_purposes(written: &[String], permits: bool) -> Vec<String> {
    let readable = |purpose: &String| if purpose == "$" { String::new() } else { purpose.clone() };
    let purposes: Vec<String> = written.iter().map(readable).collect();
    if permits || purposes.iter().any(|purpose| !purpose.is_empty()) { purposes } else { Vec::new() }
}

/// Integers between dots, of which the first two count.
pub fn s11_version(text: &str) -> Option<(u32, u32)> {
    let parts = re(r"^(\d+)(?:\.(\d+))?(?:\.\d+)*$").captures(text)?;
    Some((parts[1].parse().ok()?, parts.get(2).map_or(Some(0), |minor| minor.as_str().parse().ok())?))
}
