//! One robots.txt, read into records and definitions: lines and fields (S-18), version (S-11), where records
//! end and what is out of place (S-12).

use super::pattern::{Pattern, s19_acap_pattern};
use super::qualifiers::{self, Qualifier};
use std::collections::BTreeMap;

#[derive(Default)]
pub struct Document {
    pub name: String,
    pub version: Option<Version>,
    pub ignores_conventional_records: bool,
    /// By name in lower case.
    pub sets: BTreeMap<String, Vec<Pattern>>,
    pub usages: BTreeMap<String, Definition>,
    pub conventional: Vec<ConventionalRecord>,
    pub acap: Vec<AcapRecord>,
}

/// Major and minor.
pub type Version = (u32, u32);

pub enum Definition {
    /// The base usage and the rest of the line.
    Qualified { base: String, qualifiers: Vec<Qualifier> },
    /// Words and local names.
    Composite(Vec<String>),
}

#[derive(Default)]
pub struct ConventionalRecord {
    pub names: Vec<Vec<u8>>,
    pub rules: Vec<ConventionalRule>,
}

pub struct ConventionalRule {
    pub line: u32,
    pub permits: bool,
    pub value: Vec<u8>,
}

#[derive(Default)]
pub struct AcapRecord {
    pub names: Vec<Vec<u8>>,
    pub fields: Vec<AcapField>,
    pub references: Vec<(u32, String)>,
}

/// A permission or prohibition.
pub struct AcapField {
    pub line: u32,
    pub permits: bool,
    /// The usage as written, in lower case: a word, or a local name in parentheses.
    pub usage: String,
    pub resource: Vec<u8>,
    pub qualifiers: Vec<Qualifier>,
    /// The purposes of its sub-record; none for a general field.
    pub purposes: Vec<String>,
}

/// The record that the lines are in.
#[derive(PartialEq)]
enum Within {
    Nothing,
    Conventional,
    Acap,
}

impl Document {
    pub fn read(name: &str, text: &[u8]) -> Self {
        let lines = s18_lines(text);
        let fields: Vec<Field> = lines.iter().filter_map(|(line, text)| s18_field(*line, text)).collect();
        let version = s11_version(&lines, &fields);
        let mut document = Self {
            name: name.to_owned(),
            version,
            ignores_conventional_records: fields.iter().any(|field| field.kind == Kind::IgnoreConventional),
            sets: BTreeMap::new(),
            usages: BTreeMap::new(),
            conventional: Vec::new(),
            acap: Vec::new(),
        };
        document.define(&fields);
        document.s12_records(&fields);
        document
    }

    /// Definitions count wherever they stand. The first of a local name counts (S-09); sets of one name unite.
    fn define(&mut self, fields: &[Field]) {
        for field in fields {
            let words = words(&field.value);
            let Some((first, rest)) = words.split_first() else { continue };
            let name = text_of(first).to_ascii_lowercase();
            if !is_name(&name) {
                continue;
            }
            let definition = match field.kind {
                Kind::ResourceSet => {
                    let patterns = rest.iter().filter_map(|member| s19_acap_pattern(member));
                    self.sets.entry(name).or_default().extend(patterns);
                    continue;
                }
                Kind::QualifiedUsage => {
                    let Some(base) = rest.first() else { continue };
                    let after = after_words(&field.value, 2);
                    let qualifiers = qualifiers::read(&text_of(after));
                    if s11_is_gated(self.version, &qualifiers) {
                        continue;
                    }
                    Definition::Qualified { base: text_of(base).to_ascii_lowercase(), qualifiers }
                }
                Kind::CompositeUsage => {
                    Definition::Composite(rest.iter().map(|word| text_of(word).to_ascii_lowercase()).collect())
                }
                _ => continue,
            };
            self.usages.entry(name).or_insert(definition);
        }
    }

    fn s12_records(&mut self, fields: &[Field]) {
        let mut within = Within::Nothing;
        let mut purposes: Vec<String> = Vec::new();
        // Whether the record, or the sub-record, has had a field that ends its list of names, or of purposes.
        let mut has_fields = false;
        let mut purposes_are_closed = false;
        for field in fields {
            match &field.kind {
                Kind::UserAgent => {
                    if within != Within::Conventional || has_fields {
                        self.conventional.push(ConventionalRecord::default());
                    }
                    (within, has_fields) = (Within::Conventional, false);
                    let record = self.conventional.last_mut().expect("a record was opened");
                    record.names.push(field.value.clone());
                }
                Kind::Rule { permits } if within == Within::Conventional => {
                    has_fields = true;
                    let record = self.conventional.last_mut().expect("a record was opened");
                    let rule = ConventionalRule { line: field.line, permits: *permits, value: field.value.clone() };
                    record.rules.push(rule);
                }
                Kind::AcapCrawler => {
                    if within != Within::Acap || has_fields {
                        self.acap.push(AcapRecord::default());
                    }
                    (within, has_fields) = (Within::Acap, false);
                    purposes.clear();
                    purposes_are_closed = false;
                    let record = self.acap.last_mut().expect("a record was opened");
                    record.names.push(field.value.clone());
                }
                Kind::Statement { permits, usage } if within == Within::Acap => {
                    let qualifiers = qualifiers::read(&text_of(after_words(&field.value, 1)));
                    if *permits && s11_is_gated(self.version, &qualifiers) {
                        // As if absent.
                        continue;
                    }
                    has_fields = true;
                    purposes_are_closed = true;
                    let record = self.acap.last_mut().expect("a record was opened");
                    record.fields.push(AcapField {
                        line: field.line,
                        permits: *permits,
                        usage: usage.clone(),
                        resource: words(&field.value).first().map(|word| word.to_vec()).unwrap_or_default(),
                        qualifiers,
                        purposes: s10_purposes(&purposes, *permits),
                    });
                }
                Kind::Purpose if within == Within::Acap => {
                    has_fields = true;
                    if purposes_are_closed {
                        purposes.clear();
                        purposes_are_closed = false;
                    }
                    purposes.push(text_of(&field.value));
                }
                Kind::Reference if within == Within::Acap => {
                    has_fields = true;
                    let record = self.acap.last_mut().expect("a record was opened");
                    record.references.push((field.line, text_of(&field.value)));
                }
                Kind::Request if within == Within::Acap => has_fields = true,
                // Out of place, file-scoped or unknown: it closes and parts nothing.
                Kind::Rule { .. }
                | Kind::Statement { .. }
                | Kind::Purpose
                | Kind::Reference
                | Kind::Request
                | Kind::QualifiedUsage
                | Kind::CompositeUsage
                | Kind::ResourceSet
                | Kind::Version
                | Kind::IgnoreConventional
                | Kind::Unknown => {}
            }
        }
    }
}

/// The purposes of a statement: where none can be read a prohibition is for all, a permission for nobody.
fn s10_purposes(written: &[String], permits: bool) -> Vec<String> {
    let is_readable = |purpose: &&String| !matches!(purpose.as_str(), "" | "$");
    if written.iter().any(|purpose| is_readable(&purpose)) || permits {
        written.iter().map(|purpose| if purpose == "$" { String::new() } else { purpose.clone() }).collect()
    } else {
        Vec::new()
    }
}

struct Field {
    line: u32,
    kind: Kind,
    value: Vec<u8>,
}

#[derive(PartialEq)]
enum Kind {
    UserAgent,
    Rule { permits: bool },
    AcapCrawler,
    Statement { permits: bool, usage: String },
    Purpose,
    Reference,
    Request,
    QualifiedUsage,
    CompositeUsage,
    ResourceSet,
    Version,
    IgnoreConventional,
    Unknown,
}

impl Kind {
    fn of(name: &str) -> Self {
        let statement = |permits: bool, usage: &str| {
            let usage: String = usage.chars().filter(|letter| !" \t".contains(*letter)).collect();
            Self::Statement { permits, usage }
        };
        let name = name.to_ascii_lowercase();
        if let Some(usage) = name.strip_prefix("acap-allow-") {
            return statement(true, usage);
        }
        if let Some(usage) = name.strip_prefix("acap-disallow-") {
            return statement(false, usage);
        }
        match name.as_str() {
            "user-agent" | "useragent" | "user agent" => Self::UserAgent,
            "allow" => Self::Rule { permits: true },
            "disallow" | "dissallow" | "dissalow" | "disalow" | "diasllow" | "disallaw" => {
                Self::Rule { permits: false }
            }
            "acap-crawler" => Self::AcapCrawler,
            "acap-usage-purpose" => Self::Purpose,
            "acap-permissions-reference" => Self::Reference,
            "acap-request-take-down" | "acap-request-re-crawl" => Self::Request,
            "acap-qualified-usage" => Self::QualifiedUsage,
            "acap-composite-usage" => Self::CompositeUsage,
            "acap-resource-set" => Self::ResourceSet,
            "acap-version" => Self::Version,
            "acap-ignore-conventional-records" => Self::IgnoreConventional,
            _ => Self::Unknown,
        }
    }
}

/// The lines with their numbers, without a byte order mark; nothing from the line on that passes the limit
/// of S-22.
fn s18_lines(text: &[u8]) -> Vec<(u32, Vec<u8>)> {
    const LIMIT: usize = 512_000;
    let mut lines = vec![Vec::new()];
    let mut at = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    while at < text.len() {
        match text[at] {
            b'\r' | b'\n' => {
                lines.push(Vec::new());
                if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') {
                    at += 1;
                }
            }
            octet if at < LIMIT => lines.last_mut().expect("there is a line").push(octet),
            _ => {
                lines.pop();
                break;
            }
        }
        at += 1;
    }
    (1..).zip(lines).collect()
}

/// The field of a line, if it has one.
fn s18_field(line: u32, text: &[u8]) -> Option<Field> {
    let text = text.split(|octet| *octet == b'#').next().unwrap_or_default();
    let text = trimmed(text);
    let field = |name: &[u8], value: &[u8]| {
        Some(Field { line, kind: Kind::of(&text_of(trimmed(name))), value: trimmed(value).to_vec() })
    };
    if let Some(colon) = text.iter().position(|octet| *octet == b':') {
        return field(&text[..colon], &text[colon + 1..]);
    }
    match words(text).as_slice() {
        [name] if text_of(name).eq_ignore_ascii_case("ACAP-ignore-conventional-records") => field(name, b""),
        [name, value] => field(name, value),
        [acap, version, value] if acap.eq_ignore_ascii_case(b"ACAP") && version.eq_ignore_ascii_case(b"version") => {
            field(b"ACAP-version", value)
        }
        _ => None,
    }
}

/// The lowest version that a field or a comment `##ACAP version=` declares.
fn s11_version(lines: &[(u32, Vec<u8>)], fields: &[Field]) -> Option<Version> {
    let written = fields.iter().filter(|field| field.kind == Kind::Version).map(|field| text_of(&field.value));
    let comments = lines.iter().filter_map(|(_, line)| version_comment(&text_of(trimmed(line))));
    written.chain(comments).filter_map(|text| version(&text)).min()
}

fn version_comment(line: &str) -> Option<String> {
    let comment = line.strip_prefix('#')?.trim_start_matches('#').to_ascii_lowercase();
    let rest = comment.trim_matches([' ', '\t']).strip_prefix("acap")?;
    let value = rest.strip_prefix([' ', '\t'])?.trim_start_matches([' ', '\t']).strip_prefix("version=")?;
    value.split([' ', '\t']).next().map(str::to_owned)
}

fn version(text: &str) -> Option<Version> {
    let (major, minor) = text.split_once('.')?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|octet| octet.is_ascii_digit());
    (is_number(major) && is_number(minor)).then_some((major.parse().ok()?, minor.parse().ok()?))
}

/// Whether a qualifier of 1.1 stands there although 1.1 is not declared.
pub fn s11_is_gated(declared: Option<Version>, qualifiers: &[Qualifier]) -> bool {
    let is_newer = |qualifier: &Qualifier| ["ref", "target-condition"].contains(&qualifier.name.as_str());
    declared.is_none_or(|version| version < (1, 1))
        && qualifiers.iter().any(|qualifier| qualifier.value.is_some() && is_newer(qualifier))
}

/// Whether it may be the name of a local usage or of a set.
fn is_name(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-_.".contains(&octet))
}

fn is_blank(octet: &u8) -> bool {
    *octet == b' ' || *octet == b'\t'
}

fn trimmed(mut text: &[u8]) -> &[u8] {
    while text.first().is_some_and(is_blank) {
        text = &text[1..];
    }
    while text.last().is_some_and(is_blank) {
        text = &text[..text.len() - 1];
    }
    text
}

fn words(text: &[u8]) -> Vec<&[u8]> {
    text.split(is_blank).filter(|word| !word.is_empty()).collect()
}

/// What follows the first words.
fn after_words(text: &[u8], count: usize) -> &[u8] {
    let mut rest = trimmed(text);
    for _ in 0..count {
        let end = rest.iter().position(is_blank).unwrap_or(rest.len());
        rest = trimmed(&rest[end..]);
    }
    rest
}

fn text_of(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}
