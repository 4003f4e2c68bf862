//! The ACAP content of a file as written: lines (S-18), versions (S-11), definitions, groups (S-12), permissions and
//! prohibitions.

use super::Question;
use super::pattern::s19_acap_pattern;
use super::statements::{Carrier, Statement};
use super::text::re;
use crate::naive;
use byleave::{Reading, Usage};
use std::collections::BTreeMap;

/// The ACAP content of a file or of a page's META tags: definitions, declarations, and (in files only) groups.
#[derive(Default)]
pub struct Document {
    pub name: String,
    /// The major and minor version.
    pub version: Option<(u32, u32)>,
    pub ignores_conventional: bool,
    /// Resource sets, keyed by name in lower case.
    pub sets: BTreeMap<String, Vec<String>>,
    /// Local usages, keyed by name in parentheses. The values are usages with qualifiers. The members of a composite
    /// usage have no qualifiers here.
    pub usages: BTreeMap<String, Vec<(String, Vec<Qualifier>)>>,
    pub groups: Vec<Group>,
}

#[derive(Default)]
pub struct Group {
    pub names: Vec<String>,
    pub fields: Vec<Field>,
    pub references: Vec<(u32, String)>,
}

impl Group {
    /// Returns `true` if the group names the crawler, `false` if it is for any crawler, and `None` if it does not
    /// apply.
    pub fn level(&self, question: &Question) -> Option<bool> {
        self.names.iter().filter_map(|name| question.s35_level(name, "")).max()
    }
}

impl Document {
    pub fn read(name: &str, text: &[u8]) -> Self {
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
        document.s12_groups(&fields);
        document
    }

    /// Adds a definition from a file or a META tag. If several definitions have the same name, the first one applies
    /// (S-09). Resource sets with the same name are merged.
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
                // S-09: a local usage without a qualifier, or with an unreadable one, is read as its base usage.
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

    fn s12_groups(&mut self, fields: &[(u32, String, String)]) {
        let (mut is_open, mut takes_names, mut takes_purposes) = (false, false, false);
        let mut purposes: Vec<String> = Vec::new();
        for (line, name, value) in fields {
            match (name.as_str(), self.groups.last_mut()) {
                ("user-agent" | "useragent" | "user agent" | "user-agent-purpose", _) => {
                    (is_open, takes_names) = (false, false)
                }
                ("acap-crawler", Some(group)) if takes_names => group.names.push(value.clone()),
                ("acap-crawler", _) => {
                    self.groups.push(Group { names: vec![value.clone()], ..Group::default() });
                    (is_open, takes_names, takes_purposes) = (true, true, true);
                    purposes.clear();
                }
                (name, Some(group)) if is_open => {
                    if name == "acap-usage-purpose" {
                        if !takes_purposes {
                            purposes.clear();
                        }
                        takes_purposes = true;
                        purposes.push(value.clone());
                    } else if name == "acap-permissions-reference" {
                        group.references.push((*line, value.clone()));
                    } else if let Some(mut field) = s18_statement(name, value) {
                        if field.said.permits && s11_is_gated(self.version, &field.qualifiers) {
                            // The field is treated as absent.
                            continue;
                        }
                        takes_purposes = false;
                        field.said.places.insert((self.name.clone(), line.to_string()));
                        field.said.purposes = s10_purposes(&purposes, field.said.permits);
                        group.fields.push(field);
                    } else if !name.starts_with("acap-request-") {
                        // The field is misplaced, file-scoped or unknown, so it does not separate groups.
                        continue;
                    }
                    takes_names = false;
                }
                _ => {}
            }
        }
    }
}

/// Returns the line number, the field name in lower case and the value, if the line contains a field.
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

/// Reads a permission or prohibition.
fn s18_statement(name: &str, value: &str) -> Option<Field> {
    let parts = re("^acap-(dis)?allow-(.*)$").captures(name)?;
    let (resource, rest) = value.split_once([' ', '\t']).unwrap_or((value, ""));
    let usage = parts[2].replace([' ', '\t'], "");
    Some(Field {
        resource: resource.to_owned(),
        ..Field::new(Carrier::RobotsTxt, parts.get(1).is_none(), &usage, rest)
    })
}

/// Returns the purposes of a statement. If none can be read, a prohibition applies to all purposes and a permission to
/// none.
fn s10_purposes(written: &[String], permits: bool) -> Vec<String> {
    let readable = |purpose: &String| if purpose == "$" { String::new() } else { purpose.clone() };
    let purposes: Vec<String> = written.iter().map(readable).collect();
    if permits || purposes.iter().any(|purpose| !purpose.is_empty()) { purposes } else { Vec::new() }
}

/// Parses a version: integers separated by dots. Only the first two are used.
pub fn s11_version(text: &str) -> Option<(u32, u32)> {
    let parts = re(r"^(\d+)(?:\.(\d+))?(?:\.\d+)*$").captures(text)?;
    Some((parts[1].parse().ok()?, parts.get(2).map_or(Some(0), |minor| minor.as_str().parse().ok())?))
}

/// A permission or prohibition as written in robots.txt, a META tag or a class.
#[derive(Clone, Debug)]
pub struct Field {
    /// The statement, still without its usage and conditions.
    pub said: Statement,
    /// The usage in lower case: a word, or a local name in parentheses.
    pub usage: String,
    pub resource: String,
    pub qualifiers: Vec<Qualifier>,
    /// Whether a permission is uninterpretable (S-09) because of its context, for example a second statement in the
    /// same class.
    pub falls: bool,
}

impl Field {
    pub fn new(carrier: Carrier, permits: bool, usage: &str, rest: &str) -> Self {
        Self {
            said: Statement { carrier, ..Statement::new(&[], permits, Usage::OtherUsage) },
            usage: usage.to_ascii_lowercase(),
            resource: String::new(),
            qualifiers: qualifiers(rest),
            falls: false,
        }
    }
}

/// The name in lower case, and the text after the equals sign, if there is one.
pub type Qualifier = (String, Option<String>);

/// Returns the qualifiers in a line: `name = value`, with or without blanks around `=`.
pub fn qualifiers(text: &str) -> Vec<Qualifier> {
    let found = re(r"([^\s=]+)(?:\s*=\s*(\S*))?");
    let all = found.captures_iter(text);
    all.map(|parts| (parts[1].to_ascii_lowercase(), parts.get(2).map(|value| value.as_str().to_owned()))).collect()
}

/// Returns whether one of the qualifiers needs ACAP 1.1, although the document does not declare version 1.1.
pub fn s11_is_gated(declared: Option<(u32, u32)>, qualifiers: &[Qualifier]) -> bool {
    let is_newer = |(name, value): &Qualifier| ["ref", "target-condition"].contains(&name.as_str()) && value.is_some();
    declared.is_none_or(|version| version < (1, 1)) && qualifiers.iter().any(is_newer)
}
