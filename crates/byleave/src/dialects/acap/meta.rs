//! ACAP statements in META tags (P2 2.2, S-09 to S-11, S-27, S-28).
//!
//! A META tag is like a group with one field that applies to the page. This file splits the content into statements,
//! and also parses ACAP classes. Usages and qualifiers are parsed as in robots.txt fields. `site` determines which tags
//! count and which version a page declares.

use super::content::{AcapContent, MetaRole, is_mark};
use super::definitions::words;
use super::fields::{Draft, Resource};
use super::parse::AcapParser;
use super::purposes::purposes_in;
use super::scope::pattern_of;
use super::terms::{Parts, Written, parts};
use super::{Acap, GENERAL, Group};
use crate::base::source::{Location, TableRange};
use crate::base::text::{starts_with, without_quotes};
use crate::dialects::acap::{AcapVersion, CLASS_PREFIXES, STRAWMAN_CLASS};
use crate::model::Uninterpretable;
use crate::model::crawler::token_of;
use crate::model::diagnostic::{Code, Diagnostic};
use crate::model::reading::{NameGrammar, Switches};
use std::collections::HashSet;

/// A META tag, as ranges in the text that contains its attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) name: TableRange,
    pub(crate) content: TableRange,
    pub(crate) role: MetaRole,
    /// Whether quotation marks were removed (S-24).
    pub(crate) is_lenient: bool,
    pub(crate) at: Location,
}

/// Whether ACAP's strawman of 2007 is read (S-28).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strawman {
    Read,
    Unread,
}

/// Parses the ACAP statements in `metas`. `text` contains their attributes. `parent` contains the ACAP fields in
/// robots.txt. Only their definitions are used.
///
/// Cost: linear in the contents.
pub(crate) fn parse_metas(
    text: &[u8],
    metas: &[Meta],
    declared: AcapVersion,
    strawman: Strawman,
    switches: &'static Switches,
    parent: Option<&Acap>,
    notes: Option<&mut Vec<Diagnostic>>,
) -> Acap {
    let mut parser = AcapParser::new(text, switches, parent, notes);
    parser.version = declared;
    parser.takes_locations = true;
    parser.acap.binds_everyone = true;
    if strawman == Strawman::Read {
        parser.meta_definitions(metas);
    }
    let everything = pattern_of(b"/", &mut parser.acap.arena);
    for meta in metas.iter().filter(|meta| meta.role == MetaRole::Statement) {
        parser.meta(meta, &Resource::of_page(everything), strawman);
    }
    parser.acap.finish();
    parser.acap
}

impl TableRange {
    /// Returns the start and end offsets of the range.
    fn range(self) -> (usize, usize) {
        (self.start as usize, self.start as usize + self.length as usize)
    }
}

impl<'t> AcapParser<'t> {
    fn meta(&mut self, meta: &Meta, page: &Resource, strawman: Strawman) {
        let content = meta.content.range();
        let Some(acap) = AcapContent::of(self.of(content)) else { return };
        let words = words(self.text, content.0 + acap.start, content.1);
        let words: Vec<_> = words.iter().flat_map(|word| self.verbs_in(*word)).collect();
        let is_junk =
            |word: &(usize, usize)| self.of(*word).iter().all(|byte| !byte.is_ascii_graphic() || is_mark(*byte));
        let words: Vec<_> = words
            .into_iter()
            .filter(|word| !acap.is_outside_statements(word.0 - content.0) && !is_junk(word))
            .collect();
        let verbs: Vec<usize> =
            (0..words.len()).filter(|n| words.get(*n).is_some_and(|word| self.verb(*word).is_some())).collect();
        self.note_content(content, &acap, verbs.len());
        let Some(&first) = verbs.first() else { return };
        let several = (verbs.len() > 1 || acap.has_version() || acap.has_directives())
            .then_some(Uninterpretable::SeveralStatements);
        let before: Vec<&[u8]> = words.iter().take(first).map(|word| self.of(*word)).collect();
        let purposes: Vec<&[u8]> = before.iter().flat_map(|word| purposes_in(word)).collect();
        let follows_comma = words.get(first).is_some_and(|verb| matches!(self.text.get(verb.0 - 1), Some(b',' | b';')));
        let is_list = purposes != before || purposes.len() > 1 || follows_comma && !purposes.is_empty();
        if is_list {
            self.note(
                Code::PurposeList,
                content,
                "only one purpose may precede the usage; a prohibition applies to each, \
                 and a permission counts as a prohibition",
                "give each purpose a tag of its own, with blanks around it",
            );
        }
        let uninterpretable = several
            .or(is_list.then_some(Uninterpretable::PurposeList))
            .or(acap.is_odd.then_some(Uninterpretable::StrayText));
        let [for_prohibitions, for_permissions] = self.addressees(meta);
        let mut group: Option<(Addressees, u32)> = None;
        let purposes = self.meta_purposes(&purposes);
        let mut known: HashSet<(bool, Vec<u8>, u32)> = HashSet::new();
        for (n, verb) in verbs.iter().enumerate() {
            let Some(&verb) = words.get(*verb) else { continue };
            let end = verbs.get(n + 1).and_then(|next| words.get(*next)).map_or(content.1, |next| next.0);
            // A purpose between two statements could belong to either, so it is ignored.
            let purposes = if n == 0 { purposes } else { GENERAL };
            // A statement is stored once, even if it is written twice.
            let Some(statement) = self.verb(verb) else { continue };
            let key = (statement.is_permission, statement.usage.to_ascii_lowercase(), purposes);
            if known.contains(&key) {
                continue;
            }
            let addressees = if statement.is_permission { for_permissions } else { for_prohibitions };
            let group = match group {
                Some((known, group)) if known == addressees => group,
                _ => group.insert((addressees, self.open_meta(meta, addressees))).1,
            };
            let tag = Tag { meta, group, purposes, page, uninterpretable, strawman };
            if self.meta_statement(&tag, (verb, end)) {
                known.insert(key);
            }
        }
    }

    /// Reports problems in the content other than problems in its statements.
    fn note_content(&mut self, content: (usize, usize), acap: &AcapContent, verbs: usize) {
        if acap.has_bad_version() {
            self.note(Code::BadVersion, content, "this is not a version", "write it as `1.0` or `1.1`");
        }
        let several = match (acap.has_directives(), acap.has_version()) {
            (true, _) => Some(
                "conventional directives need their own tag: they count, but permissions here count as prohibitions",
            ),
            (_, true) if verbs > 0 => {
                Some("a version needs its own tag: it counts, but permissions here count as prohibitions")
            }
            _ if verbs > 1 => {
                Some("a META tag takes one statement: prohibitions here apply, and permissions count as prohibitions")
            }
            _ => None,
        };
        if let Some(message) = several {
            self.note(Code::SeveralStatements, content, message, "give each statement a tag of its own");
        }
        if verbs == 0 && !acap.has_directives() && !acap.has_version() {
            self.note(
                Code::EmptyStatement,
                content,
                "this neither permits nor prohibits anything",
                "write `ACAP allow-` or `ACAP disallow-` and a usage",
            );
        }
        if acap.is_odd {
            self.note(
                Code::StrayText,
                (content.0, content.0 + acap.start),
                "a blank should follow `ACAP`; a prohibition applies anyway, and a permission counts as a prohibition",
                "write `ACAP ` and the statement",
            );
        }
    }

    /// Returns the crawlers that a META tag's prohibitions address, and then the crawlers that its permissions address.
    fn addressees(&mut self, meta: &Meta) -> [Addressees; 2] {
        let name = self.of(meta.name.range());
        let mut keep = |names: &[&[u8]]| {
            let start = self.acap.names.len() as u32;
            names.iter().for_each(|name| self.keep_name(name));
            TableRange { start, length: names.len() as u32 }
        };
        let own = if is_robots(name) { Addressees::ANY } else { Addressees { names: keep(&[name]), is_any: false } };
        let for_prohibitions = match addressed_names(name) {
            AddressedNames::One => own,
            AddressedNames::Everyone => Addressees::ANY,
            AddressedNames::Names(names) => Addressees { names: keep(&names), is_any: false },
        };
        [for_prohibitions, own]
    }

    /// Adds a group for the crawlers that a META tag addresses, and returns its number.
    fn open_meta(&mut self, meta: &Meta, Addressees { names, is_any }: Addressees) -> u32 {
        let statements = TableRange { start: self.acap.statements.len() as u32, length: 0 };
        self.acap.groups.push(Group { names, is_any, line: meta.at.line, statements, starts: 0 });
        self.acap.groups.len() as u32 - 1
    }

    fn meta_purposes(&mut self, purposes: &[&[u8]]) -> u32 {
        if purposes.is_empty() {
            return GENERAL;
        }
        self.acap.purposes.push(TableRange { start: self.acap.purpose_patterns.len() as u32, length: 0 });
        for purpose in purposes {
            self.keep_purpose(purpose);
        }
        self.acap.purposes.len() as u32 - 1
    }

    /// Parses one permission or prohibition, from its verb to `end`. Returns whether the statement was stored.
    fn meta_statement(&mut self, tag: &Tag<'_>, (verb, end): ((usize, usize), usize)) -> bool {
        let Tag { meta, group, purposes, page, strawman, .. } = *tag;
        let Some(Verb { is_permission, usage, end: usage_end }) = self.verb(verb) else { return false };
        let content = meta.content.range();
        let mut parts = parts(self.text, verb.0, end);
        if is_permission && self.is_too_new(&parts.qualifiers) {
            return false;
        }
        // Text between the end of the usage and the next blank is stray.
        if usage_end < parts.resource.1 {
            parts.stray = Some((usage_end, parts.resource.1));
        }
        parts.resource = content;
        let has_ids = strawman == Strawman::Read && is_permission;
        let ids = has_ids.then(|| self.take_ids(&mut parts, end)).flatten();
        // Statements about fragments (S-28) and statements about the whole page are parsed in separate passes.
        if ids.is_some() != self.fragments.is_some() {
            return false;
        }
        let locations = parts.qualifiers.iter().filter(|one| self.is_named(one, b"location")).count();
        if locations > 1 && is_permission {
            self.note(
                Code::RepeatedLocation,
                content,
                "ACAP 1.1 allows one location; here the page may be at any of them",
                "give each location a tag of its own",
            );
        }
        let local = usage.strip_prefix(b"(").map(|name| name.strip_suffix(b")").unwrap_or(name).trim_ascii());
        let is_own = |name: &[u8]| self.definitions.locals.contains_key(&name.to_ascii_lowercase());
        let is_foreign = local.is_some_and(|name| strawman == Strawman::Unread || !is_own(name));
        let uninterpretable =
            tag.uninterpretable.or((is_foreign && is_permission).then_some(Uninterpretable::LocalUsageInMeta));
        if is_foreign {
            self.note(
                Code::LocalUsageInMeta,
                verb,
                "a META tag may not name a local usage of robots.txt; the usages in its definition are prohibited",
                "write the usage and its qualifiers here",
            );
        }
        let draft = Draft {
            content,
            name: verb,
            usage,
            is_permission,
            is_lenient: locations > 1 || meta.is_lenient,
            group,
            purposes,
            at: meta.at,
        };
        self.keep_statement(&draft, page, &parts, uninterpretable);
        if let Some(fragments) = &mut self.fragments {
            fragments.push(ids.unwrap_or_default());
        }
        true
    }

    fn is_named(&self, qualifier: &Written, name: &[u8]) -> bool {
        self.of(qualifier.name).eq_ignore_ascii_case(name)
    }

    /// Removes an `id-list` from the qualifiers and returns its ids, or `None` if there is no `id-list`.
    fn take_ids(&self, parts: &mut Parts, end: usize) -> Option<Vec<(usize, usize)>> {
        let list = parts.qualifiers.iter().position(|one| self.is_named(one, b"id-list"))?;
        let list = parts.qualifiers.remove(list);
        let following = words(self.text, list.value.0, end).into_iter();
        let ids: Vec<_> = following.take_while(|word| !self.of(*word).contains(&b'=')).collect();
        parts.stray = parts.stray.filter(|stray| ids.iter().all(|id| id.0 != stray.0));
        Some(ids)
    }

    /// Returns the parts of a word between commas and semicolons, if at least one part is a verb such as `allow-index`.
    /// Otherwise, returns the word.
    fn verbs_in(&self, word: (usize, usize)) -> Vec<(usize, usize)> {
        let mut parts = Vec::new();
        let mut start = word.0;
        for part in self.of(word).split(|byte| matches!(byte, b',' | b';')) {
            // Quotation marks before a verb are not part of the verb. Quotation marks after a verb are stray text.
            let marks = part.iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
            let is_quoted = without_quotes(part.get(..marks).unwrap_or_default()).is_empty();
            let verb = (start + marks, start + part.len());
            let is_verb = is_quoted && self.verb(verb).is_some();
            parts.push(if is_verb { verb } else { (start, verb.1) });
            start = verb.1 + 1;
        }
        parts.retain(|(start, end)| start < end);
        if parts.iter().any(|part| self.verb(*part).is_some()) { parts } else { vec![word] }
    }

    /// Returns the verb and usage in a word, or `None` if the word does not begin with `allow-` or `disallow-`. The
    /// usage ends at the first character that a usage cannot contain. The rest is stray text.
    fn verb(&self, at: (usize, usize)) -> Option<Verb<'t>> {
        let word = self.of(at);
        let (verb, is_permission) =
            [(&b"allow-"[..], true), (b"disallow-", false)].into_iter().find(|(verb, _)| starts_with(word, verb))?;
        let rest = word.get(verb.len()..).unwrap_or_default();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_';
        let length = match rest.first() {
            Some(b'(') => rest.iter().position(|byte| *byte == b')').map_or(rest.len(), |end| end + 1),
            _ => rest.iter().take_while(|byte| is_name(byte)).count(),
        };
        Some(Verb { is_permission, usage: rest.get(..length)?, end: at.0 + verb.len() + length })
    }
}

/// The tag that contains a statement, and the properties that the statement takes from the tag.
#[derive(Clone, Copy)]
struct Tag<'m> {
    meta: &'m Meta,
    group: u32,
    purposes: u32,
    page: &'m Resource,
    /// Why permissions in this tag count as prohibitions.
    uninterpretable: Option<Uninterpretable>,
    strawman: Strawman,
}

/// A permission or prohibition without its qualifiers.
struct Verb<'t> {
    is_permission: bool,
    usage: &'t [u8],
    /// The end of the usage.
    end: usize,
}

/// The crawlers that a group addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Addressees {
    names: TableRange,
    is_any: bool,
}

impl Addressees {
    const ANY: Self = Self { names: TableRange { start: 0, length: 0 }, is_any: true };
}

/// The crawlers that a META tag's restrictions address, if its name is a list (S-24).
pub(crate) enum AddressedNames<'t> {
    /// The name is not a list.
    One,
    Everyone,
    Names(Vec<&'t [u8]>),
}

/// The maximum number of names in a list. A longer list addresses everyone.
const MAX_NAMES: usize = 64;

/// Splits a META tag's name if it is a list. A list with too many names, or with `robots` among them, addresses
/// everyone (S-02).
pub(crate) fn addressed_names(name: &[u8]) -> AddressedNames<'_> {
    let is_comma = |byte: &u8| matches!(byte, b',' | b';' | b'|');
    if is_robots(name) || !name.iter().any(is_comma) {
        return AddressedNames::One;
    }
    let names = name.split(is_comma).map(|part| without_quotes(part.trim_ascii()).trim_ascii());
    let names: Vec<&[u8]> = names.filter(|name| !name.is_empty()).collect();
    let is_everyone = names.len() > MAX_NAMES || names.iter().any(|name| is_robots(name));
    if is_everyone { AddressedNames::Everyone } else { AddressedNames::Names(names) }
}

/// Whether a META tag's name addresses every crawler. Names are compared as in S-35.
pub(crate) fn is_robots(name: &[u8]) -> bool {
    name == b"*" || token_of(name, NameGrammar::WholeOrToken).eq_ignore_ascii_case(b"robots")
}

/// Parses the strawman's permissions for fragments in `metas`, which list the ids of elements (S-28). Returns the
/// statements, and the ids for each statement.
pub(crate) fn parse_fragments(
    text: &[u8],
    metas: &[Meta],
    declared: AcapVersion,
    switches: &'static Switches,
    parent: Option<&Acap>,
) -> (Acap, Vec<Vec<String>>) {
    let mut parser = AcapParser::new(text, switches, parent, None);
    parser.version = declared;
    parser.takes_locations = true;
    parser.acap.binds_everyone = true;
    parser.fragments = Some(Vec::new());
    parser.meta_definitions(metas);
    let everything = pattern_of(b"/", &mut parser.acap.arena);
    for meta in metas.iter().filter(|meta| meta.role == MetaRole::Statement) {
        parser.meta(meta, &Resource::of_page(everything), Strawman::Read);
    }
    parser.acap.finish();
    let named = |word: &(usize, usize)| String::from_utf8_lossy(parser.of(*word)).into_owned();
    let lists = parser.fragments.iter().flatten().map(|ids| ids.iter().map(named).collect()).collect();
    (parser.acap, lists)
}

/// Parses ACAP classes. Each entry of `tokens` is a range of `text` that contains a prefix, a verb and a usage (P2
/// 2.2.5). Returns the statements, and the token number for each statement.
#[allow(clippy::too_many_arguments)]
pub(crate) fn parse_classes(
    text: &[u8],
    tokens: &[(TableRange, Location)],
    definitions: &[Meta],
    declared: AcapVersion,
    strawman: Strawman,
    switches: &'static Switches,
    parent: Option<&Acap>,
    notes: Option<&mut Vec<Diagnostic>>,
) -> (Acap, Vec<u32>) {
    let mut parser = AcapParser::new(text, switches, parent, notes);
    parser.version = declared;
    parser.acap.binds_everyone = true;
    if strawman == Strawman::Read {
        parser.meta_definitions(definitions);
    }
    let everything = pattern_of(b"/", &mut parser.acap.arena);
    let page = Resource::of_page(everything);
    let statements = TableRange { start: 0, length: 0 };
    let names = TableRange { start: 0, length: 0 };
    parser.acap.groups.push(Group { names, is_any: true, line: 0, statements, starts: 0 });
    let mut owners = Vec::new();
    for (number, (token, at)) in tokens.iter().enumerate() {
        let before = parser.acap.statements.len();
        let meta = Meta {
            name: TableRange::default(),
            content: *token,
            role: MetaRole::Statement,
            is_lenient: false,
            at: *at,
        };
        parser.class(&meta, &page);
        owners.extend((before..parser.acap.statements.len()).map(|_| number as u32));
    }
    parser.acap.finish();
    (parser.acap, owners)
}

impl<'t> AcapParser<'t> {
    /// Parses definitions as in ACAP's strawman (S-28).
    fn meta_definitions(&mut self, metas: &[Meta]) {
        for meta in metas {
            if let MetaRole::Definition(field) = meta.role {
                let (start, end) = meta.content.range();
                let cut = AcapContent::of(self.of((start, end))).map_or(start, |acap| start + acap.start);
                self.definition(field, (cut, end));
            }
        }
        self.resolve_definitions();
    }

    /// Parses a class, or several classes that are separated by commas. Each of them may have its own prefix.
    fn class(&mut self, meta: &Meta, page: &Resource) {
        let content = meta.content.range();
        let prefix = |written: &[u8]| CLASS_PREFIXES.iter().find(|prefix| starts_with(written, prefix.as_bytes()));
        let mut verbs = Vec::new();
        let mut start = content.0;
        for part in self.of(content).split(|byte| matches!(byte, b',' | b';')) {
            let verb = (start + prefix(part).map_or(0, |prefix| prefix.len()), start + part.len());
            verbs.extend(self.verb(verb).map(|_| verb));
            start += part.len() + 1;
        }
        if verbs.is_empty() {
            return self.note(
                Code::EmptyStatement,
                content,
                "this class neither permits nor prohibits anything",
                "write `the-acap:allow-` or `the-acap:disallow-` and a usage",
            );
        }
        let is_legacy = prefix(self.of(content)) == Some(&STRAWMAN_CLASS);
        if is_legacy {
            self.note(Code::LegacyScheme, content, "`acap:` is the old name of the scheme", "write `the-acap:`");
        }
        let several = (verbs.len() > 1).then_some(Uninterpretable::SeveralStatements);
        if several.is_some() {
            self.note(
                Code::SeveralStatements,
                content,
                "a class takes one statement: prohibitions here apply, and permissions count as prohibitions",
                "separate classes with blanks",
            );
        }
        for verb in verbs {
            self.class_statement(meta, verb, is_legacy, several, page);
        }
    }

    fn class_statement(
        &mut self,
        meta: &Meta,
        verb: (usize, usize),
        is_legacy: bool,
        uninterpretable: Option<Uninterpretable>,
        page: &Resource,
    ) {
        let content = meta.content.range();
        let Some(Verb { is_permission, usage, end }) = self.verb(verb) else { return };
        let stray = (end < verb.1).then_some((end, verb.1));
        let parts = Parts { resource: content, stray, ..Parts::default() };
        let at = meta.at;
        let draft =
            Draft { content, name: verb, usage, is_permission, is_lenient: is_legacy, group: 0, purposes: GENERAL, at };
        self.keep_statement(&draft, page, &parts, uninterpretable);
    }
}
