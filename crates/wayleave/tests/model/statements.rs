//! From fields to statements: what a permission or prohibition says about which usage (S-09, S-10, S-38), to
//! whom (S-35), and what references bring in (S-21).

use super::conventional::s35_names_crawler;
use super::document::{AcapField, AcapRecord, Definition, Document};
use super::pattern::{Pattern, resource, s19_acap_pattern, s19_purpose_matches};
use super::qualifiers::{Condition, Qualifier, after_acap_scheme, s09_conditions};
use super::{Capabilities, Place, Question};
use std::collections::BTreeSet;
use wayleave::Usage;
use wayleave::vocabulary::UsageKind;

/// A statement that addresses the crawler and matches the resource.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Where it stands: several places where RFC 9309 selects rules that say the same, or where a META stands
    /// in the page and in the DOM.
    pub places: Vec<Place>,
    pub permits: bool,
    pub usage: Usage,
    /// Those of its patterns that match, in lower case: one, or those of a set or of several lines.
    pub patterns: Vec<Pattern>,
    /// Whether it names the crawler, or is for any.
    pub is_named: bool,
    /// As written; none for a general statement.
    pub purposes: Vec<String>,
    pub conditions: Vec<Condition>,
    pub is_conventional: bool,
    /// Where a META's permission says that the page must be; none for all else (S-27).
    pub locations: Vec<String>,
}

impl Statement {
    pub fn is_for(&self, purpose: Option<&str>) -> bool {
        let matches = |written: &String| purpose.is_some_and(|purpose| s19_purpose_matches(written, purpose));
        self.purposes.is_empty() || self.purposes.iter().any(matches)
    }

    pub fn is_purpose_specific(&self) -> bool {
        !self.purposes.is_empty()
    }
}

/// All ACAP statements for the question, and the references that could not be read.
pub struct Gathered {
    pub statements: Vec<Statement>,
    pub unread_references: Vec<Place>,
}

pub fn gather(robots: &Document, question: &Question) -> Gathered {
    let mut gathered = Gathered { statements: of_document(&[robots], question), unread_references: Vec::new() };
    s21_references(robots, question, &mut gathered);
    gathered
}

/// The files that the crawler's records refer to, each once, and one deep: a reference in them is not followed.
fn s21_references(robots: &Document, question: &Question, gathered: &mut Gathered) {
    let mut locators = BTreeSet::new();
    let records = robots.acap.iter().filter(|record| level(record, question).is_some());
    for (line, locator) in records.flat_map(|record| &record.references) {
        match question.references.get(locator) {
            Some(text) if locators.insert(locator) => {
                let referenced = Document::read(locator, text);
                gathered.statements.extend(of_document(&[&referenced, robots], question));
            }
            Some(_) => {}
            None => gathered.unread_references.push((robots.name.clone(), *line)),
        }
    }
}

/// The statements of the first document; the others lend their definitions.
fn of_document(documents: &[&Document], question: &Question) -> Vec<Statement> {
    let document = documents[0];
    let path = resource(&question.url).to_ascii_lowercase();
    let mut statements = Vec::new();
    for record in &document.acap {
        let Some(is_named) = level(record, question) else { continue };
        for field in &record.fields {
            let mut patterns = s10_resources(field, documents);
            patterns.retain(|pattern| pattern.matches(&path));
            if patterns.is_empty() {
                continue;
            }
            let said = match field.permits {
                true => s09_permission(field, documents, &question.capabilities),
                false => s10_prohibition(field, documents),
            };
            for Said { usage, conditions } in said {
                statements.push(Statement {
                    places: vec![(document.name.clone(), field.line)],
                    permits: field.permits && conditions.is_some(),
                    usage,
                    patterns: patterns.clone(),
                    is_named,
                    purposes: field.purposes.clone(),
                    conditions: conditions.unwrap_or_default(),
                    is_conventional: false,
                    locations: Vec::new(),
                });
            }
        }
    }
    statements
}

/// Whether a record names the crawler (true), is for any crawler (false), or does not address it.
fn level(record: &AcapRecord, question: &Question) -> Option<bool> {
    if record.names.iter().any(|written| s35_names_crawler(written, question)) {
        return Some(true);
    }
    record.names.iter().any(|written| super::conventional::s35_is_any(written)).then_some(false)
}

/// The patterns that a field names; none where it is void.
fn s10_resources(field: &AcapField, documents: &[&Document]) -> Vec<Pattern> {
    let written = String::from_utf8_lossy(&field.resource).into_owned();
    if let Some(rest) = after_acap_scheme(&written) {
        let Some((kind, name)) = rest.split_once(':') else { return Vec::new() };
        if !kind.eq_ignore_ascii_case("resource-set") {
            return Vec::new();
        }
        let name = name.to_ascii_lowercase();
        let set = documents.iter().find_map(|document| document.sets.get(&name));
        return set.cloned().unwrap_or_default();
    }
    s19_acap_pattern(&field.resource).into_iter().collect()
}

/// One usage of a field: its conditions if it is a permission that can be interpreted, nothing otherwise.
pub struct Said {
    pub usage: Usage,
    pub conditions: Option<Vec<Condition>>,
}

/// A permission, usage by usage; those that cannot be interpreted prohibit.
pub fn s09_permission(field: &AcapField, documents: &[&Document], capabilities: &Capabilities) -> Vec<Said> {
    let mut said = match local_name(&field.usage) {
        None => vec![plain(&field.usage, &field.qualifiers, capabilities)],
        Some(name) => local(&field.usage, name, documents, capabilities),
    };
    let is_unsupported = documents[0].version.is_some_and(|(major, _)| major != 1);
    let has_qualified_local = local_name(&field.usage).is_some() && !field.qualifiers.is_empty();
    for usage in &mut said {
        if is_unsupported || has_qualified_local || s38_is_unable(&usage.usage, &field.qualifiers, capabilities) {
            usage.conditions = None;
        }
    }
    said
}

fn plain(word: &str, qualifiers: &[Qualifier], capabilities: &Capabilities) -> Said {
    let usage = Usage::named(word);
    let is_readable = usage.kind() == UsageKind::Standard && !s38_is_unable(&usage, qualifiers, capabilities);
    let conditions = if is_readable { s09_conditions(&usage, qualifiers, capabilities) } else { None };
    Said { usage, conditions }
}

/// A local usage: a qualified one, or the members of a composite one. Where it is defined nowhere, only its
/// name falls.
fn local(written: &str, name: &str, documents: &[&Document], capabilities: &Capabilities) -> Vec<Said> {
    let falls = |written: &str| Said { usage: Usage::named(written), conditions: None };
    let qualified = |base: &str, qualifiers: &[Qualifier]| match qualifiers.is_empty() {
        true => falls(base),
        false => plain(base, qualifiers, capabilities),
    };
    match defined(name, documents) {
        None => vec![falls(written)],
        Some((Definition::Qualified { base, qualifiers }, _)) => vec![qualified(base, qualifiers)],
        Some((Definition::Composite(members), documents)) => {
            let member = |member: &String| match local_name(member) {
                None => plain(member, &[], capabilities),
                Some(name) => match defined(name, documents) {
                    Some((Definition::Qualified { base, qualifiers }, _)) => qualified(base, qualifiers),
                    Some((Definition::Composite(_), _)) | None => falls(member),
                },
            };
            members.iter().map(member).collect()
        }
    }
}

/// A prohibition, usage by usage; its qualifiers say nothing.
pub fn s10_prohibition(field: &AcapField, documents: &[&Document]) -> Vec<Said> {
    let said = |word: &str| Said { usage: s10_word(word), conditions: None };
    let Some(name) = local_name(&field.usage) else { return vec![said(&field.usage)] };
    match defined(name, documents) {
        None => vec![said(&field.usage)],
        Some((Definition::Qualified { base, .. }, _)) => vec![said(base)],
        Some((Definition::Composite(members), documents)) => {
            let member = |member: &String| match local_name(member).and_then(|name| defined(name, documents)) {
                Some((Definition::Qualified { base, .. }, _)) => said(base),
                Some((Definition::Composite(_), _)) | None => said(member),
            };
            members.iter().map(member).collect()
        }
    }
}

/// An unknown `present-x` is read as `present`, any other word as itself.
fn s10_word(word: &str) -> Usage {
    let usage = Usage::named(word);
    match usage.kind() == UsageKind::Unknown && usage.name().starts_with("present-") {
        true => Usage::Present,
        false => usage,
    }
}

/// Whether the crawler says it cannot do this usage or keep one of these qualifiers.
fn s38_is_unable(usage: &Usage, qualifiers: &[Qualifier], capabilities: &Capabilities) -> bool {
    let is_listed = |unable: &String| {
        Usage::named(unable) == *usage || qualifiers.iter().any(|own| own.name.eq_ignore_ascii_case(unable))
    };
    capabilities.unable.iter().any(is_listed)
}

/// The name in parentheses.
pub fn local_name(word: &str) -> Option<&str> {
    word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
}

/// The definition of a local name, and the documents in which its own members are looked up.
fn defined<'d, 's>(name: &str, documents: &'s [&'d Document]) -> Option<(&'d Definition, &'s [&'d Document])> {
    let at = documents.iter().position(|document| document.usages.contains_key(name))?;
    documents[at].usages.get(name).map(|definition| (definition, &documents[at..]))
}
