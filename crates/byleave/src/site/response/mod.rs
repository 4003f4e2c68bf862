//! Statements in a response's headers and in the META tags of its page, as tables.
//!
//! A page may be supplied twice, as its source and as the DOM after its scripts (S-25). Source and DOM are separate
//! documents. How ACAP META tags are parsed depends on the version that the page declares and on whether the crawler
//! reads ACAP's strawman. So there is one table for each combination that can occur, usually only one.

mod diagnose;

pub(crate) use diagnose::{diagnose_nameless, noticed};

use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::base::source::{Location, TableRange};
use crate::base::text::without_quotes;
use crate::dialects::acap::Acap;
use crate::dialects::acap::AcapVersion;
use crate::dialects::acap::{
    AcapContent, AddressedNames, Meta, MetaRole, Strawman, addressed_names, is_robots, parse_metas,
};
use crate::dialects::robots_directives;
use crate::dialects::robots_directives::Directive;
use crate::dialects::robots_directives::search_engines;
use crate::dialects::robots_directives::{DirectiveAddressee, HeaderField, HeaderFinding};
use crate::formats::html;
use crate::formats::html::{Decoded, MetaTag};
use crate::formats::http::Headers;
use crate::model::Usage;
use crate::model::crawler::{Crawler, token_of};
use crate::model::diagnostic::Code;
use crate::model::proposed_use::Capabilities;
use crate::model::reading::{NameGrammar, Switches};

/// The parsed documents of a response.
#[derive(Clone, Debug, Default)]
pub(crate) struct Response {
    pub(crate) documents: Vec<ParsedDocument>,
    pub(crate) acaps: Vec<MetaAcap>,
}

/// The kinds of documents in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentKind {
    Headers,
    /// The page as it was sent.
    Source,
    /// The page after its scripts were run.
    Dom,
}

/// One document in the response: its directives, and the text that contains its statements.
#[derive(Clone, Debug)]
pub(crate) struct ParsedDocument {
    /// The document's index among the site's documents.
    pub(crate) document: usize,
    pub(crate) kind: DocumentKind,
    /// The contents of the META tags, or the header field lines.
    pub(crate) text: Vec<u8>,
    pub(crate) directives: Vec<AddressedDirective>,
    /// One bit for each named usage that a directive addresses.
    pub(crate) usages: u32,
    pub(crate) is_truncated: bool,
    /// Where the page's head ends in its text.
    pub(crate) head_end: usize,
    metas: Vec<Meta>,
    /// The names from lists of names, such as `name="examplebot,otherbot"`.
    listed: Vec<TableRange>,
    /// How many of `metas` were copied from `head`, as context for the META tags outside it.
    of_head: usize,
    switches: &'static Switches,
}

/// One directive, addressed to one crawler, several crawlers or all crawlers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddressedDirective {
    pub(crate) directive: Directive,
    /// The addressee, or `None` if the directive addresses everyone.
    name: Option<TableRange>,
    /// Further addressees, if the names are a list.
    others: TableRange,
    /// The statement as written: the META tag's content, the list member, or the field line.
    pub(crate) written: TableRange,
    pub(crate) at: Location,
}

/// The ACAP statements in a page's META tags, as parsed by crawlers to which this version is declared.
#[derive(Clone, Debug)]
pub(crate) struct MetaAcap {
    /// The document's index in [`Response::documents`].
    pub(crate) document: usize,
    version: Declared,
    /// Whether the strawman is read. `None` if it makes no difference.
    strawman: Option<Strawman>,
    pub(crate) acap: Acap,
}

/// The version of ACAP that a page declares, as far as it affects how statements are parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    V1_0,
    V1_1,
    Unsupported,
}

impl Declared {
    const ALL: [Self; 3] = [Self::V1_0, Self::V1_1, Self::Unsupported];

    fn of(version: Option<AcapVersion>) -> Self {
        match version {
            None => Self::V1_0,
            Some(version) if version.major != 1 => Self::Unsupported,
            Some(version) if version >= AcapVersion::V1_1 => Self::V1_1,
            Some(_) => Self::V1_0,
        }
    }

    pub(crate) fn version(self) -> AcapVersion {
        match self {
            Self::V1_0 => AcapVersion::UNDECLARED,
            Self::V1_1 => AcapVersion::V1_1,
            Self::Unsupported => AcapVersion { major: 2, minor: 0 },
        }
    }
}

impl Response {
    /// Whether both the page's source and its DOM after scripts were supplied (S-25).
    pub(crate) fn has_source_and_dom(&self) -> bool {
        let has = |kind: DocumentKind| self.documents.iter().any(|parsed| parsed.kind == kind);
        has(DocumentKind::Source) && has(DocumentKind::Dom)
    }

    /// Returns the document that contains the statements in an ACAP table.
    pub(crate) fn of_acap(&self, number: u16) -> Option<&ParsedDocument> {
        self.documents.get(self.acaps.get(usize::from(number))?.document)
    }

    /// Returns the statements in one of the site's documents.
    pub(crate) fn of_document(&self, document: usize) -> Option<&ParsedDocument> {
        self.documents.iter().find(|parsed| parsed.document == document)
    }

    /// Calls `visit` with the ACAP table of each page as this crawler reads it, and the table's number.
    pub(crate) fn each_acap<'a>(
        &'a self,
        crawler: &Crawler,
        capabilities: &Capabilities,
        mut visit: impl FnMut(usize, DocumentKind, &'a Acap),
    ) {
        let strawman = if capabilities.strawman { Strawman::Read } else { Strawman::Unread };
        for (number, read) in self.acaps.iter().enumerate() {
            let Some(parsed) = self.documents.get(read.document) else { continue };
            let is_read = read.strawman.is_none_or(|own| own == strawman);
            if is_read && parsed.declared_to(crawler) == read.version {
                visit(number, parsed.kind, &read.acap);
            }
        }
    }

    /// Adds a document and its ACAP tables.
    pub(crate) fn add(&mut self, parsed: ParsedDocument, switches: &'static Switches, robots_txt: Option<&Acap>) {
        let number = self.documents.len();
        if parsed.metas.iter().any(|meta| meta.role == MetaRole::Statement) {
            for (version, strawman) in parsed.variants() {
                let (text, metas) = (&parsed.text, &parsed.metas);
                let read = strawman.unwrap_or(Strawman::Unread);
                let acap = parse_metas(text, metas, version.version(), read, switches, robots_txt, None);
                self.acaps.push(MetaAcap { document: number, version, strawman, acap });
            }
        }
        self.documents.push(parsed);
    }
}

impl ParsedDocument {
    /// Returns a document without statements.
    pub(crate) fn new(document: usize, kind: DocumentKind, switches: &'static Switches) -> Self {
        Self {
            document,
            kind,
            text: Vec::new(),
            directives: Vec::new(),
            usages: 0,
            is_truncated: false,
            head_end: 0,
            metas: Vec::new(),
            listed: Vec::new(),
            of_head: 0,
            switches,
        }
    }

    /// Parses the META tags in a page's head.
    pub(crate) fn of_head(
        document: usize,
        kind: DocumentKind,
        page: &Decoded<'_>,
        switches: &'static Switches,
        limits: &Limits,
    ) -> Self {
        let mut parsed = Self::new(document, kind, switches);
        let read = html::head_metas(page, |tag| parsed.tag(tag, limits));
        parsed.is_truncated |= !read.is_whole;
        parsed.head_end = read.end;
        parsed.read_words()
    }

    /// Parses the META tags outside `head` (S-24). The version and the definitions in `head` apply to them.
    pub(crate) fn of_body(head: &Self, page: &Decoded<'_>, limits: &Limits) -> Self {
        let mut parsed = Self::new(head.document, head.kind, head.switches);
        let is_wide = |meta: &Meta| matches!(meta.role, MetaRole::Definition(_) | MetaRole::Version(_));
        for meta in head.metas.iter().filter(|meta| is_wide(meta)) {
            let name = parsed.keep(meta.name.of(&head.text));
            let content = parsed.keep(meta.content.of(&head.text));
            parsed.metas.push(Meta { name, content, ..*meta });
        }
        parsed.of_head = parsed.metas.len();
        let read = html::body_metas(page, |tag| parsed.tag(tag, limits));
        parsed.is_truncated |= !read.is_whole;
        for meta in parsed.metas.iter_mut().skip(parsed.of_head).filter(|meta| is_wide(meta)) {
            meta.role = MetaRole::OutOfPlace;
        }
        parsed.read_words()
    }

    /// Parses the headers of a response.
    pub(crate) fn of_headers(document: usize, headers: &Headers, switches: &'static Switches, limits: &Limits) -> Self {
        let mut parsed = Self::new(document, DocumentKind::Headers, switches);
        let text = headers.text();
        parsed.text.extend_from_slice(text);
        headers.parse_directives(limits, &mut |found| match found {
            HeaderFinding::Fault(note) => parsed.is_truncated |= note.code == Code::HeaderTooLong,
            HeaderFinding::Directive(in_header) => {
                let Ok(directive) = in_header.parsed else { return };
                let name = match &in_header.addressee {
                    DirectiveAddressee::Everyone => None,
                    DirectiveAddressee::Named(name) => Some(parsed.keep(name)),
                };
                let start = match in_header.field {
                    HeaderField::RobotsTag => in_header.statement.start,
                    // In `X-Robots-Tag`, the statement is the whole line.
                    HeaderField::XRobotsTag => line_start(text, in_header.statement.start),
                };
                let column = start - line_start(text, start) + 1;
                let at = Location { start, end: in_header.statement.end, line: in_header.line as u32 + 1, column };
                let written = TableRange { start, length: at.end.saturating_sub(start) };
                parsed.push(AddressedDirective { directive, name, others: TableRange::default(), written, at });
            }
        });
        parsed
    }

    /// Returns the document as it applies to an image (S-48).
    pub(crate) fn of_image(mut self) -> Self {
        for entry in &mut self.directives {
            entry.directive = entry.directive.of_image();
        }
        self
    }

    fn read_words(mut self) -> Self {
        for number in 0..self.metas.len() {
            if let Some(meta) = self.metas.get(number).copied().filter(|meta| meta.role == MetaRole::Directives) {
                self.words(&meta);
            }
        }
        self
    }

    fn keep(&mut self, bytes: &[u8]) -> TableRange {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(bytes);
        TableRange { start, length: bytes.len() as u32 }
    }

    fn push(&mut self, entry: AddressedDirective) {
        let entry = AddressedDirective {
            directive: entry.directive.among(search_engines::table(self.switches.directives)),
            ..entry
        };
        for usage in entry.directive.known.usages {
            self.usages |= bit(usage);
        }
        self.directives.push(entry);
    }

    fn tag(&mut self, tag: &MetaTag<'_>, limits: &Limits) {
        if self.metas.len() >= limits.metas {
            self.is_truncated = true;
            return;
        }
        let Some(written) = tag.name() else { return };
        let meant = tag.between_typographic_marks("name", &written);
        let name = without_quotes(meant.as_deref().unwrap_or(&written).trim_ascii().as_bytes()).trim_ascii();
        if name.is_empty() {
            return;
        }
        let content = tag.content();
        // In ACAP's strawman, definitions may be in the `value` attribute (S-28).
        let value = if content.is_none() && MetaRole::is_definition(name) { tag.value() } else { None };
        let Some(content) = content.or(value) else { return };
        let Span { start, end } = tag.span();
        let at = Location { start, end, line: 0, column: 0 };
        let meant = tag.between_typographic_marks("content", &content);
        let inner = meant.as_deref().unwrap_or(&content).trim_ascii().as_bytes();
        let is_quoted = !AcapContent::is_in_front(inner) && AcapContent::is_in_front(without_quotes(inner));
        let inner = if is_quoted { without_quotes(inner) } else { inner };
        let is_lenient = name.len() < written.trim_ascii().len() || inner != content.trim_ascii().as_bytes();
        let (name, content) = (self.keep(name), self.keep(inner));
        // Line breaks in an attribute count as blanks (P2 2.2.3), and so do no-break spaces.
        let bytes = self.text.get_mut(content.start as usize..).unwrap_or_default();
        let spaces: Vec<usize> = memchr::memmem::find_iter(bytes, "\u{A0}").collect();
        for at in spaces {
            bytes.get_mut(at..at + 2).unwrap_or_default().fill(b' ');
        }
        for byte in bytes.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r' | b'\x0c')) {
            *byte = b' ';
        }
        for (role, (start, end)) in MetaRole::all_of(name.of(&self.text), content.of(&self.text)) {
            let content = TableRange { start: content.start + start as u32, length: (end - start) as u32 };
            self.metas.push(Meta { name, content, role, is_lenient, at });
        }
    }

    /// Whether any crawler reads directives in a META tag with this name (S-48).
    fn is_heard(&self, name: &[u8]) -> bool {
        let Some(known) = self.switches.meta_names else { return true };
        let is_known = |name: &[u8]| {
            let token = token_of(name, NameGrammar::WholeOrToken);
            known.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(token))
        };
        match addressed_names(name) {
            AddressedNames::Everyone => true,
            AddressedNames::Names(names) => names.into_iter().any(is_known),
            AddressedNames::One => is_robots(name) || is_known(name),
        }
    }

    fn words(&mut self, meta: &Meta) {
        if !self.is_heard(meta.name.of(&self.text)) {
            return;
        }
        let name = (!is_robots(meta.name.of(&self.text))).then_some(meta.name);
        let mut found: Vec<Directive> = Vec::new();
        robots_directives::content(meta.content.of(&self.text), &mut |_, word| found.extend(word.ok()));
        if found.is_empty() {
            return;
        }
        let listed = addressed_names(meta.name.of(&self.text));
        let is_for_everyone = matches!(listed, AddressedNames::Everyone);
        let names: Vec<Vec<u8>> = match listed {
            AddressedNames::Names(names) => names.into_iter().map(<[u8]>::to_vec).collect(),
            AddressedNames::One | AddressedNames::Everyone => Vec::new(),
        };
        let others = TableRange { start: self.listed.len() as u32, length: names.len() as u32 };
        for name in names {
            let name = self.keep(&name);
            self.listed.push(name);
        }
        for directive in found {
            // A restriction counts for every name in a list of names, a permission only for the first name (S-24).
            let (name, others) = match directive.effect.restricts() {
                true if is_for_everyone => (None, others),
                true => (name, others),
                false => (name, TableRange::default()),
            };
            self.push(AddressedDirective { directive, name, others, written: meta.content, at: meta.at });
        }
    }

    /// Returns the lowest version that the page declares to this crawler (S-11).
    pub(crate) fn declared_to(&self, crawler: &Crawler) -> Declared {
        let versions = self.metas.iter().filter_map(|meta| match meta.role {
            MetaRole::Version(version) => Some((meta, version)),
            _ => None,
        });
        let is_addressed = |meta: &Meta| {
            let name = meta.name.of(&self.text);
            is_robots(name) || names(crawler, name)
        };
        Declared::of(versions.filter(|(meta, _)| is_addressed(meta)).map(|(_, version)| version).min())
    }

    /// Returns the ways in which the document's ACAP statements can be parsed.
    pub(crate) fn variants(&self) -> Vec<(Declared, Option<Strawman>)> {
        let is_version = |meta: &&Meta| matches!(meta.role, MetaRole::Version(_));
        let is_for_one = |meta: &Meta| !is_robots(meta.name.of(&self.text));
        let versions = if self.metas.iter().filter(is_version).any(is_for_one) {
            Declared::ALL.to_vec()
        } else {
            vec![self.declared_to(&Crawler::nobody())]
        };
        let has_definitions = self.metas.iter().any(|meta| matches!(meta.role, MetaRole::Definition(_)));
        let is_strawman = has_definitions || self.has_lists();
        let strawmen: &[_] = if is_strawman { &[Some(Strawman::Unread), Some(Strawman::Read)] } else { &[None] };
        versions.iter().flat_map(|version| strawmen.iter().map(|strawman| (*version, *strawman))).collect()
    }

    /// Whether a META tag contains a list of fragments (S-28).
    pub(crate) fn has_lists(&self) -> bool {
        self.metas.iter().filter(|meta| meta.role == MetaRole::Statement).any(|meta| {
            let mut words = meta.content.of(&self.text).split(|byte| matches!(byte, b' ' | b'\t'));
            words.any(|word| crate::base::text::starts_with(word, b"id-list"))
        })
    }

    /// Returns the document's META tags, and the text that contains them.
    pub(crate) fn tags(&self) -> (&[u8], &[Meta]) {
        (&self.text, &self.metas)
    }

    /// Returns the strawman's definitions, and appends their contents to `text` (S-28).
    pub(crate) fn definitions(&self, text: &mut Vec<u8>) -> Vec<Meta> {
        let definitions = self.metas.iter().filter(|meta| matches!(meta.role, MetaRole::Definition(_)));
        let keep = |meta: &Meta| {
            let start = text.len() as u32;
            text.extend_from_slice(meta.content.of(&self.text));
            Meta { content: TableRange { start, ..meta.content }, ..*meta }
        };
        definitions.map(keep).collect()
    }

    /// Whether a directive addresses this crawler or everyone (S-17, S-35).
    pub(crate) fn is_addressed(&self, entry: &AddressedDirective, crawler: &Crawler) -> bool {
        let is_named = |name: &TableRange| names(crawler, name.of(&self.text));
        entry.name.as_ref().is_none_or(is_named) || entry.others.of(&self.listed).iter().any(is_named)
    }

    /// Returns the names that the document's directives address, as written.
    pub(crate) fn names(&self) -> impl Iterator<Item = &[u8]> {
        let lone = |entry: &AddressedDirective| entry.name.filter(|_| entry.others.length == 0);
        let runs = move |entry: &AddressedDirective| {
            lone(entry).into_iter().chain(entry.others.of(&self.listed).iter().copied())
        };
        self.directives.iter().flat_map(runs).map(|name| name.of(&self.text))
    }

    /// Returns the names that META tags with ACAP statements address, including each name in a list. Names for everyone
    /// are left out.
    pub(crate) fn names_in_acap(&self) -> impl Iterator<Item = &[u8]> {
        let statements = self.metas.iter().filter(|meta| meta.role == MetaRole::Statement);
        let names = statements.flat_map(|meta| meta.name.of(&self.text).split(|byte| *byte == b','));
        names.map(<[u8]>::trim_ascii).filter(|name| !name.is_empty() && !is_robots(name))
    }

    /// Whether the directive names a crawler, instead of addressing everyone.
    pub(crate) fn is_named(&self, entry: &AddressedDirective) -> bool {
        entry.name.is_some()
    }
}

/// Whether a written name is one of the crawler's names (S-35).
fn names(crawler: &Crawler, written: &[u8]) -> bool {
    let token = token_of(written, NameGrammar::WholeOrToken);
    crawler.names().iter().any(|own| own.equals(written) || own.equals(token))
}

/// Returns the bit of a named usage, or 0 for any other usage.
pub(crate) fn bit(usage: &Usage) -> u32 {
    usage.number().map_or(0, |number| 1 << number)
}

/// Returns the start of the line that contains an offset.
fn line_start(text: &[u8], offset: u32) -> u32 {
    let before = text.get(..offset as usize).unwrap_or_default();
    memchr::memrchr(b'\n', before).map_or(0, |end| end as u32 + 1)
}
