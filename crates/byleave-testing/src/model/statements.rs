//! Converts written fields to statements: which usage a permission or prohibition addresses (S-09, S-10, S-11, S-38),
//! and which conditions it has (S-08, S-37).

use super::document::{Document, Field, Qualifier};
use super::pattern::s19_meets;
use super::text::{DAY, day, instant, is, re};
use super::{Capabilities, Place, Question};
use crate::naive::comparable;
use byleave::analysis::vocabulary::UsageKind;
use byleave::{Reading, Usage};
use std::collections::BTreeSet;

/// A statement that addresses the crawler and matches the resource.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Where the statement is written. There are several places if RFC 9309 selects several equal rules, or if the
    /// statement is in both the page and the DOM.
    pub places: BTreeSet<Place>,
    pub permits: bool,
    pub usage: Usage,
    /// The matching patterns. A resource set or several equal rules have several patterns.
    pub patterns: Vec<String>,
    /// Whether the statement names the crawler. Otherwise it is for any crawler.
    pub is_named: bool,
    /// The purposes as written. Empty for a general statement.
    pub purposes: Vec<String>,
    /// The conditions, in the spelling of answers. `location=` gives a URL that the page must have (S-27).
    pub conditions: Vec<String>,
    pub carrier: Carrier,
    /// The number of levels between the element with the statement and the element in the question (S-16).
    pub distance: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    Conventional,
    RobotsTxt,
    Meta,
    /// A META tag about parts of the page (S-28).
    Fragment,
    Class,
    /// A directive in a META tag or header (S-17).
    Directive,
}

impl Statement {
    pub fn new(places: &[Place], permits: bool, usage: Usage) -> Self {
        Self {
            places: places.iter().cloned().collect(),
            permits,
            usage,
            patterns: vec!["/".to_owned()],
            is_named: false,
            purposes: Vec::new(),
            conditions: Vec::new(),
            carrier: Carrier::Directive,
            distance: 0,
        }
    }

    pub fn is_for(&self, purpose: Option<&str>) -> bool {
        let meets = |written: &String| purpose.is_some_and(|purpose| s19_meets(written, purpose));
        self.purposes.is_empty() || self.purposes.iter().any(meets)
    }

    pub fn is_purpose_specific(&self) -> bool {
        !self.purposes.is_empty()
    }

    pub fn locations(&self) -> impl Iterator<Item = &str> {
        self.conditions.iter().filter_map(|condition| condition.strip_prefix("location="))
    }
}

/// Returns the statements in a field, one per usage. An uninterpretable permission prohibits. The first document
/// contains the field, and the others provide definitions.
pub fn s09_statements(field: &Field, documents: &[&Document], question: &Question) -> Vec<Statement> {
    let is_local = field.usage.starts_with('(');
    let is_unsupported = documents[0].version.is_some_and(|(major, _)| major != 1);
    let falls = field.falls || is_unsupported || (is_local && !field.qualifiers.is_empty());
    let statement = |(word, qualifiers): (String, Vec<Qualifier>)| {
        let qualifiers = if is_local { &qualifiers } else { &field.qualifiers };
        let usage = if field.said.permits { Usage::named(&word) } else { s10_word(&word) };
        let conditions = s09_conditions(&usage, qualifiers, field.said.carrier, &question.capabilities);
        let conditions = conditions.filter(|_| field.said.permits && !falls);
        let permits = conditions.is_some();
        Statement { usage, permits, conditions: conditions.unwrap_or_default(), ..field.said.clone() }
    };
    let said: Vec<Statement> = s09_members(&field.usage, documents).into_iter().map(statement).collect();
    let prohibits = |usage: &Usage| said.iter().any(|one| one.usage == *usage && !one.permits);
    said.iter().filter(|one| !one.permits || !prohibits(&one.usage)).cloned().collect()
}

/// Returns the usages that a word means: the word itself, or the members of its definition. A member of a composite
/// usage may be a qualified usage. Deeper nesting is not supported.
fn s09_members(word: &str, documents: &[&Document]) -> Vec<(String, Vec<Qualifier>)> {
    let defined = |word: &str, documents: &[&Document]| {
        let at = documents.iter().position(|document| document.usages.contains_key(word))?;
        Some((at, documents[at].usages[word].clone()))
    };
    let Some((at, members)) = defined(word, documents) else { return vec![(word.to_owned(), Vec::new())] };
    let resolved = |member: (String, Vec<Qualifier>)| match defined(&member.0, &documents[at..]).map(|(_, inner)| inner)
    {
        Some(inner) if member.1.is_empty() && inner.len() == 1 && !inner[0].1.is_empty() => inner[0].clone(),
        _ => member,
    };
    members.into_iter().map(resolved).collect()
}

/// Returns the usage for a word. An unknown word such as `present-x` is read as `present`. Any other unknown word is a
/// usage of its own.
fn s10_word(word: &str) -> Usage {
    let usage = Usage::named(word);
    let is_presenting = usage.kind() == UsageKind::Unknown && usage.name().starts_with("present-");
    if is_presenting { Usage::Present } else { usage }
}

/// Returns the conditions of a permission, or `None` if it cannot be interpreted.
fn s09_conditions(usage: &Usage, all: &[Qualifier], carrier: Carrier, able: &Capabilities) -> Option<Vec<String>> {
    let is_any = |(_, value): &Qualifier| value.as_ref().is_some_and(|value| value.eq_ignore_ascii_case("any"));
    let may_be_repeated =
        |name: &str| name == "location" || (name == "prohibited-modification" && !all.iter().any(is_any));
    let times = |name: &str| all.iter().filter(|(other, _)| other == name).count();
    let is_astray = all.iter().any(|(name, _)| times(name) > 1 && !may_be_repeated(name));
    if usage.kind() != UsageKind::Standard || is_astray || s38_is_unable(usage, all, able) {
        return None;
    }
    all.iter().map(|qualifier| s09_condition(usage, qualifier, carrier, able)).collect()
}

/// Returns whether the crawler declares that it does not support this usage or one of these qualifiers.
fn s38_is_unable(usage: &Usage, qualifiers: &[Qualifier], capabilities: &Capabilities) -> bool {
    let is_own = |unable: &String| qualifiers.iter().any(|(name, _)| name.eq_ignore_ascii_case(unable));
    capabilities.unable.iter().any(|unable| Usage::named(unable) == *usage || is_own(unable))
}

/// Each qualifier with a number, the usages that it is valid for, and its values. The number is 1 if the qualifier
/// needs a prior arrangement, and 2 if it is also not ready for use. For a qualifier with a URI, the values are those
/// that may follow `the-acap:`. No values of `target-condition` are known.
const QUALIFIERS: [(&str, u8, &str, &str); 9] = [
    ("time-limit", 0, "index|preserve|present(-.*)?", r"until-recrawl(ed)?|until-\d{4}-\d\d-\d\d|\d{1,18}-days"),
    ("max-length", 0, "present-(old)?snippet", r"\d{1,18}-(chars|words)"),
    ("prohibited-modification", 0, MODIFIABLE, "any|format|style|translation|annotation"),
    ("prohibited-context", 0, "present-(original|currentcopy|oldcopy)", "within-user-frame"),
    ("required-context", 0, "present-(original|currentcopy|oldcopy)", "within-original-frame"),
    ("must-use-resource", 1, "index", "extract:(id|class|meta):.+"),
    ("must-use-resource", 2, "present-(old)?(snippet|thumbnail)", "extract:(id|class|meta):.+"),
    ("must-include-resource", 2, "present(-.*)?", "credit:.+"),
    ("ref", 0, "other", ""),
];
const MODIFIABLE: &str = "present(-original|-currentcopy|-oldcopy)?";

/// Returns the condition that a qualifier states, in the spelling of answers.
fn s09_condition(usage: &Usage, qualifier: &Qualifier, carrier: Carrier, able: &Capabilities) -> Option<String> {
    let (name, value) = qualifier;
    let written = value.as_ref().filter(|value| !value.is_empty() && !value.contains(['"', '\'']))?;
    if name == "location" && [Carrier::Meta, Carrier::Fragment].contains(&carrier) {
        return Some(format!("location={written}"));
    }
    let is_given = |needs: u8| (able.has_prior_arrangement || needs < 1) && (able.reads_not_ready || needs < 2);
    let mut rows = QUALIFIERS.iter().filter(|(own, ..)| own == name);
    let (.., values) = rows.find(|(_, needs, usages, _)| is(usages, usage.name()) && is_given(*needs))?;
    if name == "ref" || name.starts_with("must-") {
        // The value is any URI, or `the-acap:` with a known value.
        let own = re("^(?:the-)?acap:(.*)$").captures(written);
        return own.is_none_or(|parts| is(values, &parts[1])).then(|| format!("{name}={written}"));
    }
    // Escapes are decoded once, and case is ignored.
    let value = String::from_utf8(comparable(written.as_bytes(), Reading::Default)).ok()?.to_ascii_lowercase();
    let value = Some(value).filter(|value| is(values, value))?;
    let value = match value.split_once('-') {
        Some(("until", "recrawl" | "recrawled")) => "until-recrawled".to_owned(),
        Some(("until", last)) => day(last).map(|_| value)?,
        Some((number, unit)) if is(r"\d+", number) => format!("{}-{unit}", number.parse::<i64>().ok()?),
        _ => value,
    };
    Some(format!("{name}={value}"))
}

/// Returns the unit and the amount of a condition, or `None` if it has no unit. For `until`, the amount is the end
/// time.
pub fn s08_amount(condition: &str) -> Option<(&str, i64)> {
    let (name, value) = condition.split_once('=')?;
    if let Some(end) = value.strip_prefix("until-") {
        return Some(("until", day(end).map(|last| last + DAY).or_else(|| instant(end))?));
    }
    let (number, unit) = value.split_once('-').unwrap_or((value, name));
    Some((unit, number.parse().ok()?))
}

/// Joins conditions: keeps the smallest amount for each unit, and drops duplicates. Locations are omitted (S-27).
pub fn s08_joined(conditions: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    let all: Vec<String> = conditions.into_iter().filter(|condition| !condition.starts_with("location=")).collect();
    let is_smaller = |one: &str, than: &str| match (s08_amount(one), s08_amount(than)) {
        // If a day and a time mean the same instant, the day is kept.
        (Some((unit, amount)), Some((other, more))) => unit == other && (amount, one.len()) < (more, than.len()),
        _ => false,
    };
    // S-42: the lowest level applies, and `use=immediate` is lower than `use=reference`.
    let is_least = |one: &str, than: &str| one == "use=immediate" && than == "use=reference";
    let beats = |one: &str, than: &str| is_smaller(one, than) || is_least(one, than);
    all.iter().filter(|condition| !all.iter().any(|other| beats(other, condition))).cloned().collect()
}
