//! ACAP statements of META tags (P2 2.2, S-09 to S-11, S-27, S-28).
//!
//! A META tag is a group of its own with one field, about the page it stands in. Its content is cut here; what
//! usages and qualifiers come to is read as in fields of robots.txt. Which tags stand where they count, and
//! which version a page declares, is the page's to say.

use super::content::{AcapContent, MetaRole, is_mark};
use super::definitions::words;
use super::fields::{Draft, Resource};
use super::purposes::purposes_in;
use super::read::Reader;
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

/// A META tag, as runs of the text that holds its attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) name: TableRange,
    pub(crate) content: TableRange,
    pub(crate) role: MetaRole,
    /// Whether quotation marks had to be taken away (S-24).
    pub(crate) is_lenient: bool,
    pub(crate) at: Location,
}

/// Whether the strawman of 2007 is read (S-28).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strawman {
    Read,
    Unread,
}

/// Reads the ACAP statements among `metas`, whose attributes `text` holds. `parent` is what robots.txt says;
/// of it only the definitions are in sight.
pub(crate) fn read_metas(
    text: &[u8],
    metas: &[Meta],
    declared: AcapVersion,
    strawman: Strawman,
    switches: &'static Switches,
    parent: Option<&Acap>,
    notes: Option<&mut Vec<Diagnostic>>,
) -> Acap {
    let mut reader = Reader::new(text, switches, parent, notes);
    reader.version = declared;
    reader.takes_locations = true;
    reader.acap.binds_everyone = true;
    if strawman == Strawman::Read {
        reader.meta_definitions(metas);
    }
    let everything = pattern_of(b"/", &mut reader.acap.arena);
    for meta in metas.iter().filter(|meta| meta.role == MetaRole::Statement) {
        reader.meta(meta, &Resource::of_page(everything), strawman);
    }
    reader.acap.finish();
    reader.acap
}

impl TableRange {
    /// The same as two offsets.
    fn range(self) -> (usize, usize) {
        (self.start as usize, self.start as usize + self.length as usize)
    }
}

impl<'t> Reader<'t> {
    fn meta(&mut self, meta: &Meta, page: &Resource, strawman: Strawman) {
        let content = meta.content.range();
        let Some(acap) = AcapContent::of(self.of(content)) else { return };
        let words = words(self.text, content.0 + acap.start, content.1);
        let words: Vec<_> = words.iter().flat_map(|word| self.verbs_in(*word)).collect();
        let is_junk =
            |word: &(usize, usize)| self.of(*word).iter().all(|byte| !byte.is_ascii_graphic() || is_mark(*byte));
        let words: Vec<_> =
            words.into_iter().filter(|word| !acap.is_beside(word.0 - content.0) && !is_junk(word)).collect();
        let verbs: Vec<usize> =
            (0..words.len()).filter(|n| words.get(*n).is_some_and(|word| self.verb(*word).is_some())).collect();
        self.note_beside(content, &acap, verbs.len());
        let Some(&first) = verbs.first() else { return };
        let several =
            (verbs.len() > 1 || acap.has_version() || acap.has_words()).then_some(Uninterpretable::SeveralStatements);
        let before: Vec<&[u8]> = words.iter().take(first).map(|word| self.of(*word)).collect();
        let purposes: Vec<&[u8]> = before.iter().flat_map(|word| purposes_in(word)).collect();
        let is_behind_comma =
            words.get(first).is_some_and(|verb| matches!(self.text.get(verb.0 - 1), Some(b',' | b';')));
        let is_list = purposes != before || purposes.len() > 1 || is_behind_comma && !purposes.is_empty();
        if is_list {
            self.note(
                Code::PurposeList,
                content,
                "only one purpose may stand before the usage; a prohibition holds for each, and a permission prohibits",
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
            // Whose purpose stands between two, nobody can tell.
            let purposes = if n == 0 { purposes } else { GENERAL };
            // Said twice it is said once, if it counts.
            let Some(said) = self.verb(verb) else { continue };
            let key = (said.is_permission, said.usage.to_ascii_lowercase(), purposes);
            if known.contains(&key) {
                continue;
            }
            let whom = if said.is_permission { for_permissions } else { for_prohibitions };
            let group = match group {
                Some((known, group)) if known == whom => group,
                _ => group.insert((whom, self.open_meta(meta, whom))).1,
            };
            let tag = Tag { meta, group, purposes, page, uninterpretable, strawman };
            if self.meta_statement(&tag, (verb, end)) {
                known.insert(key);
            }
        }
    }

    /// What is wrong with a content beside its statements.
    fn note_beside(&mut self, content: (usize, usize), acap: &AcapContent, verbs: usize) {
        if acap.has_bad_version() {
            self.note(Code::BadVersion, content, "this is no version", "write it as `1.0` or `1.1`");
        }
        let several = match (acap.has_words(), acap.has_version()) {
            (true, _) => Some(
                "words of conventional META have a tag of their own: they count, prohibitions beside them hold, and \
                 permissions prohibit",
            ),
            (_, true) if verbs > 0 => {
                Some("a version has a tag of its own: it counts, prohibitions beside it hold, and permissions prohibit")
            }
            _ if verbs > 1 => {
                Some("a META tag holds one statement: prohibitions among these hold, and permissions prohibit")
            }
            _ => None,
        };
        if let Some(message) = several {
            self.note(Code::SeveralStatements, content, message, "give each statement a tag of its own");
        }
        if verbs == 0 && !acap.has_words() && !acap.has_version() {
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
                "a blank should stand behind `ACAP`; a prohibition holds all the same, and a permission prohibits",
                "write `ACAP ` and the statement",
            );
        }
    }

    /// Whom a META tag addresses by what it prohibits, and by what it permits.
    fn addressees(&mut self, meta: &Meta) -> [Addressees; 2] {
        let name = self.of(meta.name.range());
        let mut keep = |names: &[&[u8]]| {
            let start = self.acap.names.len() as u32;
            names.iter().for_each(|name| self.keep_name(name));
            TableRange { start, length: names.len() as u32 }
        };
        let own = if is_robots(name) { Addressees::ANY } else { Addressees { names: keep(&[name]), is_any: false } };
        let listed = match listed(name) {
            Listed::One => own,
            Listed::Everyone => Addressees::ANY,
            Listed::Names(names) => Addressees { names: keep(&names), is_any: false },
        };
        [listed, own]
    }

    /// A group for crawlers that a META tag addresses.
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

    /// One permission or prohibition, from its verb to `end`; says whether it counts here.
    fn meta_statement(&mut self, tag: &Tag<'_>, (verb, end): ((usize, usize), usize)) -> bool {
        let Tag { meta, group, purposes, page, strawman, .. } = *tag;
        let Some(Verb { is_permission, usage, end: behind }) = self.verb(verb) else { return false };
        let content = meta.content.range();
        let mut parts = parts(self.text, verb.0, end);
        if is_permission && self.is_too_new(&parts.qualifiers) {
            return false;
        }
        // What stands between the usage and the next blank.
        if behind < parts.resource.1 {
            parts.stray = Some((behind, parts.resource.1));
        }
        parts.resource = content;
        let has_ids = strawman == Strawman::Read && is_permission;
        let ids = has_ids.then(|| self.take_ids(&mut parts, end)).flatten();
        // Of parts of the page alone (S-28), or of the page.
        if ids.is_some() != self.fragments.is_some() {
            return false;
        }
        let locations = parts.qualifiers.iter().filter(|one| self.is_named(one, b"location")).count();
        if locations > 1 && is_permission {
            self.note(
                Code::RepeatedLocation,
                content,
                "ACAP 1.1 has a location once; here the page may be at any of them",
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
                "a META tag may not name a usage of robots.txt; what it stands for is prohibited",
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

    /// Takes the ids of an `id-list` out of the qualifiers, if there is one.
    fn take_ids(&self, parts: &mut Parts, end: usize) -> Option<Vec<(usize, usize)>> {
        let list = parts.qualifiers.iter().position(|one| self.is_named(one, b"id-list"))?;
        let list = parts.qualifiers.remove(list);
        let behind = words(self.text, list.value.0, end).into_iter();
        let ids: Vec<_> = behind.take_while(|word| !self.of(*word).contains(&b'=')).collect();
        parts.stray = parts.stray.filter(|stray| ids.iter().all(|id| id.0 != stray.0));
        Some(ids)
    }

    /// A word, or what it is made of where only commas part verbs from the rest.
    fn verbs_in(&self, word: (usize, usize)) -> Vec<(usize, usize)> {
        let mut parts = Vec::new();
        let mut start = word.0;
        for part in self.of(word).split(|byte| matches!(byte, b',' | b';')) {
            // Quotation marks in front of a verb are no part of it; those behind it are junk.
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

    /// Whether a word permits or prohibits, and which usage. What no usage has in it is junk, as is all behind it.
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

/// The tag a statement stands in, and what the tag gives it.
#[derive(Clone, Copy)]
struct Tag<'m> {
    meta: &'m Meta,
    group: u32,
    purposes: u32,
    page: &'m Resource,
    /// Why permissions in this tag prohibit.
    uninterpretable: Option<Uninterpretable>,
    strawman: Strawman,
}

/// A permission or prohibition without its qualifiers.
struct Verb<'t> {
    is_permission: bool,
    usage: &'t [u8],
    /// Where the usage ends.
    end: usize,
}

/// The crawlers of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Addressees {
    names: TableRange,
    is_any: bool,
}

impl Addressees {
    const ANY: Self = Self { names: TableRange { start: 0, length: 0 }, is_any: true };
}

/// Whom a META tag addresses by what it prohibits or limits, where its name is a list (S-24).
pub(crate) enum Listed<'t> {
    /// It is none.
    One,
    Everyone,
    Names(Vec<&'t [u8]>),
}

/// How many names in a list are told apart.
const MAX_NAMES: usize = 64;

/// The list that a name is, where it is one. `robots` in it is everyone, and so are too many names (S-02).
pub(crate) fn listed(name: &[u8]) -> Listed<'_> {
    let is_comma = |byte: &u8| matches!(byte, b',' | b';' | b'|');
    if is_robots(name) || !name.iter().any(is_comma) {
        return Listed::One;
    }
    let names = name.split(is_comma).map(|part| without_quotes(part.trim_ascii()).trim_ascii());
    let names: Vec<&[u8]> = names.filter(|name| !name.is_empty()).collect();
    let is_everyone = names.len() > MAX_NAMES || names.iter().any(|name| is_robots(name));
    if is_everyone { Listed::Everyone } else { Listed::Names(names) }
}

/// Whether the name of a META tag addresses every crawler, whole or cut as names are (S-35).
pub(crate) fn is_robots(name: &[u8]) -> bool {
    name == b"*" || token_of(name, NameGrammar::WholeOrToken).eq_ignore_ascii_case(b"robots")
}

/// Reads the strawman's permissions of fragments among `metas` (S-28). Gives the statements, and for each the ids of
/// its list.
pub(crate) fn read_fragments(
    text: &[u8],
    metas: &[Meta],
    declared: AcapVersion,
    switches: &'static Switches,
    parent: Option<&Acap>,
) -> (Acap, Vec<Vec<String>>) {
    let mut reader = Reader::new(text, switches, parent, None);
    reader.version = declared;
    reader.takes_locations = true;
    reader.acap.binds_everyone = true;
    reader.fragments = Some(Vec::new());
    reader.meta_definitions(metas);
    let everything = pattern_of(b"/", &mut reader.acap.arena);
    for meta in metas.iter().filter(|meta| meta.role == MetaRole::Statement) {
        reader.meta(meta, &Resource::of_page(everything), Strawman::Read);
    }
    reader.acap.finish();
    let named = |word: &(usize, usize)| String::from_utf8_lossy(reader.of(*word)).into_owned();
    let lists = reader.fragments.iter().flatten().map(|ids| ids.iter().map(named).collect()).collect();
    (reader.acap, lists)
}

/// Reads ACAP's classes: `tokens` are runs of `text`, one of each a prefix, a verb and a usage (P2 2.2.5). Gives the
/// statements, and for each of them which token it is of.
#[allow(clippy::too_many_arguments)]
pub(crate) fn read_classes(
    text: &[u8],
    tokens: &[(TableRange, Location)],
    definitions: &[Meta],
    declared: AcapVersion,
    strawman: Strawman,
    switches: &'static Switches,
    parent: Option<&Acap>,
    notes: Option<&mut Vec<Diagnostic>>,
) -> (Acap, Vec<u32>) {
    let mut reader = Reader::new(text, switches, parent, notes);
    reader.version = declared;
    reader.acap.binds_everyone = true;
    if strawman == Strawman::Read {
        reader.meta_definitions(definitions);
    }
    let everything = pattern_of(b"/", &mut reader.acap.arena);
    let page = Resource::of_page(everything);
    let statements = TableRange { start: 0, length: 0 };
    let names = TableRange { start: 0, length: 0 };
    reader.acap.groups.push(Group { names, is_any: true, line: 0, statements, starts: 0 });
    let mut owners = Vec::new();
    for (number, (token, at)) in tokens.iter().enumerate() {
        let before = reader.acap.statements.len();
        let meta = Meta {
            name: TableRange::default(),
            content: *token,
            role: MetaRole::Statement,
            is_lenient: false,
            at: *at,
        };
        reader.class(&meta, &page);
        owners.extend((before..reader.acap.statements.len()).map(|_| number as u32));
    }
    reader.acap.finish();
    (reader.acap, owners)
}

impl<'t> Reader<'t> {
    /// The strawman's definitions.
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

    /// A class, or several that nothing but commas part, each with a prefix of its own or without.
    fn class(&mut self, meta: &Meta, page: &Resource) {
        let content = meta.content.range();
        let prefix = |written: &[u8]| CLASS_PREFIXES.iter().find(|prefix| starts_with(written, prefix.as_bytes()));
        let mut verbs = Vec::new();
        let mut start = content.0;
        for part in self.of(content).split(|byte| matches!(byte, b',' | b';')) {
            let behind = start + prefix(part).map_or(0, |prefix| prefix.len());
            verbs.extend(self.verb((behind, start + part.len())).map(|_| (behind, start + part.len())));
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
                "a class holds one statement: prohibitions among these hold, and permissions prohibit",
                "part classes by blanks",
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
