//! Permissions and prohibitions: a field's usage, resource and qualifiers (P1 2.4, 2.5, S-09, S-10).
//!
//! Fields, META tags and classes share this code. It stores each statement. If a permission cannot be interpreted and
//! therefore prohibits, it also stores the reason. `terms.rs` splits a value into its parts.

use super::parse::{AcapParser, Open};
use super::scope::{Pattern, pattern_of};
use super::terms::{Parts, Written, is_legacy, known_qualifier, parts};
use super::{Entry, FLOATING, Filter, GENERAL, OTHER_USAGES, UsageRef};
use crate::base::source::{Location, TableRange};
use crate::dialects::acap::Readiness;
use crate::dialects::rfc9309::key;
use crate::model::Uninterpretable;
use crate::model::Usage;
use crate::model::diagnostic::Code;
use crate::robots_txt::Line;

/// The resource that a field applies to: one pattern or a resource set.
pub(super) struct Resource {
    /// The pattern, or `None` if the resource is a resource set.
    pattern: Option<Pattern>,
    set: u32,
    is_lenient: bool,
    /// Whether the resource is a set whose patterns are separated by commas.
    has_commas: bool,
}

impl Resource {
    /// Returns the resource for a META tag, which is the page that contains the tag.
    pub(super) fn of_page(everything: Pattern) -> Self {
        Self { pattern: Some(everything), set: NO_SET, is_lenient: false, has_commas: false }
    }
}

/// A permission or prohibition while it is parsed.
pub(super) struct Draft<'t> {
    /// The span of the whole statement.
    pub(super) content: (usize, usize),
    /// The span of the usage's name.
    pub(super) name: (usize, usize),
    pub(super) usage: &'t [u8],
    pub(super) is_permission: bool,
    pub(super) is_lenient: bool,
    pub(super) group: u32,
    pub(super) purposes: u32,
    pub(super) at: Location,
}

/// The set number for a statement that does not use a resource set.
const NO_SET: u32 = u32::MAX;

impl AcapParser<'_> {
    pub(super) fn statement(
        &mut self,
        line: &Line,
        is_permission: bool,
        usage: &[u8],
        is_lenient: bool,
        open: &mut Open,
    ) {
        let content = line.content();
        let mut parts = parts(self.text, line.value.0, line.value.1);
        // S-11: the field counts as absent, so it does not end the list of names or purposes above it.
        if is_permission && self.is_too_new(&parts.qualifiers) {
            return;
        }
        if open.reference.is_some() {
            self.note_reference_not_alone(content);
        }
        open.takes_names = false;
        open.takes_purposes = false;
        open.fields += 1;
        let is_more_behind = parts.stray.is_some() || !is_permission && !parts.qualifiers.is_empty();
        if is_more_behind
            && let [path @ .., b',' | b';'] = self.of(parts.resource)
            && !path.is_empty()
        {
            self.note_comma(parts.resource, "the comma counts as the end of the path");
            parts.resource.1 -= 1;
        }
        let Some(resource) = self.resource(parts.resource, content) else { return };
        let is_lenient = is_lenient || resource.is_lenient || open.is_lenient;
        let at = self.at(line);
        let (group, purposes) = (open.number, open.purposes);
        let field = Draft { content, name: line.name, usage, is_permission, is_lenient, group, purposes, at };
        let uninterpretable = open.has_list.then_some(Uninterpretable::PurposeList);
        self.keep_statement(
            &field,
            &resource,
            &parts,
            uninterpretable.or(resource.has_commas.then_some(Uninterpretable::CommasInSet)),
        );
    }

    /// Reports a comma that seems to separate patterns. `message` states how the comma is interpreted.
    pub(super) fn note_comma(&mut self, at: (usize, usize), message: &str) {
        self.note(
            Code::CommaInPattern,
            at,
            message,
            "separate patterns with blanks, in a resource set; a field takes one pattern",
        );
    }

    /// Adds a permission or prohibition to the last group.
    pub(super) fn keep_statement(
        &mut self,
        draft: &Draft<'_>,
        resource: &Resource,
        parts: &Parts,
        uninterpretable: Option<Uninterpretable>,
    ) {
        let Draft { content, is_permission, .. } = *draft;
        let lenient = (draft.is_lenient && self.switches.leniency_prohibits).then_some(Uninterpretable::Leniency);
        let (usage, usage_fall) = self.usage(draft.name, draft.usage, is_permission);
        let usage_is_odd = Usage::standard_named(draft.usage).is_none();
        let is_astray = uninterpretable.is_some();
        let mut uninterpretable = lenient.or(usage_fall).or(uninterpretable);
        let terms = self.terms_of(draft, usage, &parts.qualifiers).unwrap_or_else(|because| {
            uninterpretable = uninterpretable.or(Some(because));
            TableRange::default()
        });
        let stray = self.stray(parts);
        uninterpretable = uninterpretable.or(stray);
        if is_permission && self.version.major != 1 {
            uninterpretable = uninterpretable.or(Some(Uninterpretable::UnsupportedMajor));
        }
        if is_permission && usage == UsageRef::Standard(Usage::OtherUsage.standard_number().unwrap_or(0)) {
            self.note(
                Code::AllowOther,
                content,
                "this permits every usage that no other statement addresses",
                "name the usages that are meant",
            );
        }
        // If no purpose of the subgroup can be parsed, its prohibitions apply to every purpose (S-10), and its
        // permissions to no purpose (S-02).
        let purposes = self.acap.purposes.get(draft.purposes as usize);
        let is_purposeless = purposes.is_some_and(|purposes| purposes.length == 0);
        let purposes = if is_purposeless && !is_permission { GENERAL } else { draft.purposes };
        let (key, is_floating) = resource.pattern.map_or((0, true), |pattern| pattern.key(&self.acap.arena));
        let mask = self.mask(usage, is_permission) | if is_floating { FLOATING } else { 0 };
        let is_standard = matches!(usage, UsageRef::Standard(_));
        let is_simple = is_standard && uninterpretable.is_none() && terms.length == 0 && purposes == GENERAL;
        let simple = is_simple.then_some(is_permission);
        self.acap.filters.push(Filter { key, mask, pattern: resource.pattern, simple });
        if let Some(group) = self.acap.groups.get_mut(draft.group as usize) {
            group.statements.length += 1;
            group.starts |= if is_floating { u64::MAX } else { key::start_bits(key) };
        }
        self.acap.statements.push(Entry {
            is_permission,
            uninterpretable: uninterpretable.filter(|_| is_permission),
            is_forgiven: !is_permission
                && (usage_is_odd
                    || is_purposeless
                    || is_astray
                    || !parts.qualifiers.is_empty()
                    || parts.stray.is_some()),
            usage,
            set: resource.set,
            terms,
            group: draft.group,
            purposes,
            resource: (parts.resource.0 as u32, parts.resource.1 as u32),
            at: draft.at,
        });
    }

    /// Returns the statement's terms, or why its qualifiers make a permission uninterpretable.
    fn terms_of(
        &mut self,
        draft: &Draft<'_>,
        usage: UsageRef,
        qualifiers: &[Written],
    ) -> Result<TableRange, Uninterpretable> {
        match (draft.is_permission, usage) {
            (true, UsageRef::Standard(number)) => self.terms(qualifiers, Usage::standard(number)),
            _ if qualifiers.is_empty() => Ok(TableRange::default()),
            (false, _) => {
                self.note(
                    Code::QualifiedProhibition,
                    draft.content,
                    "a prohibition takes no qualifiers; it applies without them",
                    "to permit on conditions, write a permission with qualifiers",
                );
                Ok(TableRange::default())
            }
            (true, UsageRef::Local(_)) => {
                self.note(
                    Code::QualifiedLocalUsage,
                    draft.content,
                    "a usage in parentheses takes no further qualifiers, so this prohibits it",
                    "put the qualifiers into its definition",
                );
                Err(Uninterpretable::QualifiedLocalUsage)
            }
            (true, _) => Ok(TableRange::default()),
        }
    }

    /// Reports text after the resource that is not a qualifier. Returns why the text makes a permission
    /// uninterpretable.
    fn stray(&mut self, parts: &Parts) -> Option<Uninterpretable> {
        let stray = parts.stray?;
        let word = self.of(stray);
        let is_apart = stray.0.checked_sub(1).is_some_and(|at| matches!(self.text.get(at), Some(b' ' | b'\t')));
        if is_apart && matches!(word.first(), Some(b'/' | b'*')) || resource_set(word).is_some() {
            self.note(
                Code::SecondResource,
                stray,
                "a field takes one resource: only the first counts, and a permission counts as a prohibition of it",
                "define a resource set, or write a field for each",
            );
            return Some(Uninterpretable::SecondResource);
        }
        self.note(
            Code::StrayText,
            stray,
            "this is not a qualifier: a prohibition applies without it, and a permission counts as a prohibition",
            "write qualifiers as `name=value`",
        );
        Some(Uninterpretable::StrayText)
    }

    /// Returns the statement's usage, and the reason if a permission for this usage is uninterpretable.
    fn usage(
        &mut self,
        name_at: (usize, usize),
        usage: &[u8],
        is_permission: bool,
    ) -> (UsageRef, Option<Uninterpretable>) {
        if let Some(inner) = usage.strip_prefix(b"(").and_then(|inner| inner.strip_suffix(b")")) {
            let name = inner.trim_ascii();
            if name.len() < inner.len() {
                self.note(Code::BlanksInName, name_at, "there are blanks inside the parentheses", "remove them");
            }
            let lenient =
                (name.len() < inner.len() && self.switches.leniency_prohibits).then_some(Uninterpretable::Leniency);
            return match self.local_named(name) {
                Some(local) => {
                    if !is_permission {
                        self.note(
                            Code::LocalProhibition,
                            name_at,
                            "a prohibition may not name a local usage; the usages in its definition are prohibited",
                            "prohibit these usages by name",
                        );
                    }
                    (UsageRef::Local(local), lenient)
                }
                None => {
                    self.note(
                        Code::UndefinedLocalUsage,
                        name_at,
                        "no definition has this name, so only a usage of this name is prohibited",
                        "define it with `ACAP-qualified-usage` or `ACAP-composite-usage`",
                    );
                    (UsageRef::Other(self.acap.keep(usage)), Some(Uninterpretable::UndefinedUsage))
                }
            };
        }
        if let Some(number) = Usage::standard_named(usage) {
            return (UsageRef::Standard(number), None);
        }
        self.note(
            Code::UnknownUsage,
            name_at,
            "ACAP does not define this usage",
            "use one of ACAP's fourteen usages, or define one and put its name in parentheses",
        );
        (UsageRef::Other(self.acap.keep(&usage.to_ascii_lowercase())), Some(Uninterpretable::UnknownUsage))
    }

    /// Returns the resource that a field applies to, or `None` if the field has no effect (S-10).
    fn resource(&mut self, at: (usize, usize), content: (usize, usize)) -> Option<Resource> {
        let written = self.of(at);
        if written.is_empty() {
            self.note(
                Code::EmptyPattern,
                content,
                "this field names no resource and has no effect",
                "write a path, `/` for everything",
            );
            return None;
        }
        if let Some((name, is_legacy)) = resource_set(written) {
            if is_legacy {
                self.note(
                    Code::LegacyScheme,
                    at,
                    "`acap:` is the old name of the scheme",
                    "write `the-acap:resource-set:`",
                );
            }
            let number = self.set_named(name);
            let set = number.and_then(|number| self.acap.sets.get(number as usize).map(|set| set.patterns));
            return match set {
                Some(patterns) if patterns.length > 0 => {
                    let is_lenient = is_legacy || self.definitions.lenient_sets.contains(&name.to_ascii_lowercase());
                    let has_commas = self.definitions.sets_with_commas.contains(&name.to_ascii_lowercase());
                    Some(Resource { pattern: None, set: number.unwrap_or(NO_SET), is_lenient, has_commas })
                }
                found => {
                    let (code, message) = match found {
                        Some(_) => (Code::EmptySet, "this set has no patterns, so the field has no effect"),
                        None => (Code::UndefinedSet, "no definition has this name, so the field has no effect"),
                    };
                    self.note(code, at, message, "define it with `ACAP-resource-set`");
                    None
                }
            };
        }
        let is_lenient = is_lenient(written);
        let pattern = self.path_pattern(at)?;
        let pattern = Some(pattern_of(&pattern, &mut self.acap.arena));
        Some(Resource { pattern, set: NO_SET, is_lenient, has_commas: false })
    }

    /// Returns a path pattern with its initial slash, or `None` if the pattern is a URL.
    pub(super) fn path_pattern(&mut self, at: (usize, usize)) -> Option<Vec<u8>> {
        let written = self.of(at);
        if is_absolute(written) || resource_set_prefix(written).is_some() {
            self.note(
                Code::AbsoluteUrl,
                at,
                "a pattern is a path on this site; a URL matches nothing, so this line has no effect",
                "write only the path",
            );
            return None;
        }
        let separates_paths = |pair: &[u8]| matches!(pair, [b',' | b';', b'/' | b'*']);
        if written.windows(2).any(separates_paths) || matches!(written, [.., b',' | b';']) {
            self.note_comma(at, "in a path, a comma is an ordinary character and is matched as one");
        }
        if written.get(..written.len().saturating_sub(1)).unwrap_or_default().contains(&b'$') {
            self.note(
                Code::InnerDollar,
                at,
                "`$` marks the end only as the last character; here it is an ordinary character",
                "write `%24` for a dollar sign",
            );
        }
        if written.contains(&b'?') {
            self.note(
                Code::QueryInPattern,
                at,
                "ACAP's grammar does not allow a query in a pattern; it is still matched with the path",
                "nothing needs to be done",
            );
        }
        if matches!(written.first(), Some(b'/' | b'*')) {
            return Some(written.to_vec());
        }
        self.note(
            Code::MissingSlash,
            at,
            "this pattern does not begin with `/`; it is read as if it did",
            "write the initial `/`",
        );
        Some([b"/", written].concat())
    }

    /// Returns a permission's terms, or why the permission is uninterpretable.
    pub(super) fn terms(&mut self, written: &[Written], usage: &Usage) -> Result<TableRange, Uninterpretable> {
        let text = self.text;
        let mut misspelt = Vec::new();
        let read = self.acap.parse_terms(text, written, usage, self.takes_locations, |at| misspelt.push(at));
        let legacy: Vec<_> = written.iter().map(|one| one.value).filter(|at| is_legacy(self.of(*at))).collect();
        for at in &legacy {
            self.note(Code::LegacyScheme, *at, "`acap:` is the old name of the scheme", "write `the-acap:`");
        }
        for at in &misspelt {
            self.note(
                Code::MisspeltValue,
                *at,
                "`until-recrawl` is read as `until-recrawled`",
                "write `until-recrawled`",
            );
        }
        for qualifier in written {
            self.note_readiness(qualifier, usage);
        }
        match read {
            Ok(_) if !(misspelt.is_empty() && legacy.is_empty()) && self.switches.leniency_prohibits => {
                Err(Uninterpretable::Leniency)
            }
            Ok(terms) => Ok(terms),
            Err(wrong) => {
                let message = match wrong.code {
                    Code::UnknownQualifier => {
                        "ACAP does not define this qualifier, so the permission counts as a prohibition"
                    }
                    Code::QualifierNotValid => {
                        "this usage does not accept the qualifier, so the permission counts as a prohibition"
                    }
                    Code::RepeatedQualifier => {
                        "this qualifier appears more often than allowed, so the permission counts as a prohibition"
                    }
                    Code::BadDate => "this is not a date, so the permission counts as a prohibition",
                    _ => "the qualifier does not accept this value, so the permission counts as a prohibition",
                };
                self.note(wrong.code, wrong.at, message, "see `byleave rule S-09`");
                Err(wrong.uninterpretable)
            }
        }
    }

    fn note_readiness(&mut self, written: &Written, usage: &Usage) {
        let readiness = known_qualifier(self.text, written).and_then(|(_, known)| known.readiness(usage));
        match readiness {
            Some(Readiness::ByArrangement) => self.note(
                Code::NeedsArrangement,
                written.name,
                "without an arrangement with the crawler, this qualifier makes the permission a prohibition",
                "make the arrangement, or remove the qualifier",
            ),
            Some(Readiness::NotReady | Readiness::Undefined) => self.note(
                Code::NotReady,
                written.name,
                "ACAP marks this qualifier as not ready; for most crawlers, the permission counts as a prohibition",
                "remove the qualifier",
            ),
            Some(Readiness::Ready) | None => {}
        }
    }

    /// Whether a qualifier belongs to a later version than the file declares (S-11). If so, reports it.
    pub(super) fn is_too_new(&mut self, written: &[Written]) -> bool {
        let version = self.version;
        let new = |qualifier: &&Written| {
            known_qualifier(self.text, qualifier).is_some_and(|(_, known)| known.since > version)
        };
        let Some(found) = written.iter().find(new).copied() else { return false };
        self.note(
            Code::UndeclaredFeature,
            found.name,
            "this qualifier came with ACAP 1.1, which the file does not declare, so the line is ignored",
            "declare it with `##ACAP version=1.1`",
        );
        true
    }

    fn mask(&mut self, usage: UsageRef, is_permission: bool) -> u16 {
        match self.acap.meant(usage, is_permission) {
            UsageRef::Standard(number) => 1 << number,
            UsageRef::Other(_) => OTHER_USAGES,
            UsageRef::Local(local) => {
                // The result is cached, because a composite usage may have very many members.
                let key = (local, is_permission);
                if let Some(mask) = self.masks.get(&key) {
                    return *mask;
                }
                let local = self.acap.locals.get(local as usize).copied();
                let members = local.map_or(&[][..], |local| local.members.of(&self.acap.members)).to_vec();
                let mask = members.iter().fold(0, |mask, member| mask | self.mask(member.usage, is_permission));
                self.masks.insert(key, mask);
                mask
            }
        }
    }
}

/// Returns the name in a reference to a resource set, and whether the scheme is the legacy `acap:`.
fn resource_set(written: &[u8]) -> Option<(&[u8], bool)> {
    let (rest, is_legacy) = resource_set_prefix(written)?;
    const KIND: &[u8] = b"resource-set:";
    let is_set = rest.get(..KIND.len()).is_some_and(|start| start.eq_ignore_ascii_case(KIND));
    is_set.then(|| (rest.get(KIND.len()..).unwrap_or_default(), is_legacy))
}

/// Returns the text after ACAP's own scheme, and whether the scheme is the legacy `acap:`.
fn resource_set_prefix(written: &[u8]) -> Option<(&[u8], bool)> {
    [(&b"the-acap:"[..], false), (b"acap:", true)].into_iter().find_map(|(scheme, is_legacy)| {
        let is_there = written.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
        is_there.then(|| (written.get(scheme.len()..).unwrap_or_default(), is_legacy))
    })
}

/// Whether ACAP's grammar does not allow the pattern but the default reading accepts it.
pub(super) fn is_lenient(written: &[u8]) -> bool {
    !matches!(written.first(), Some(b'/' | b'*')) || written.contains(&b'?')
}

/// Whether a pattern is written as a URL.
fn is_absolute(written: &[u8]) -> bool {
    let scheme = written.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let length = scheme.count();
    length > 0 && written.get(length..).is_some_and(|rest| rest.starts_with(b"://"))
}
