//! Preferences in AI-preference dialects in documents other than robots.txt (S-40).
//!
//! They are parsed when a question first needs them.

use super::MAX_DOCUMENTS;
use super::notes::Noted;
use super::response_preferences;
use super::{RobotsTxt, Role, Site};
use crate::dialects::acap::Meta;
use crate::dialects::preference;
use crate::dialects::preference::path_of;
use crate::dialects::preference::{Notes, Preference, Preferences};
use crate::dialects::rfc9309::resource::{is_same_location, resolved};
use crate::dialects::{DocumentParser, PREFERENCE_DIALECTS, PreferenceDialect, ai_txt, rsl, well_known_documents, xmp};
use crate::formats::http::Headers;
use crate::model::Source;
use crate::model::StatementId;
use crate::model::diagnostic::{Code, Diagnostic};
use crate::model::proposed_use::Capabilities;
use crate::model::reading::Reading;
use crate::policy::diagnose::diagnose;
use crate::policy::{Compiler, Policy};
use crate::site::response::{DocumentKind, ParsedDocument};

/// The preferences in documents other than robots.txt.
#[derive(Clone, Debug)]
pub(super) struct SitePreferences {
    tables: Vec<Preferences>,
    /// The groups in each ai.txt, with its document number (S-46).
    ai_txt: Vec<(usize, Policy<'static>)>,
}

impl Site<'_> {
    /// Returns the preferences in documents other than robots.txt. Documents without preferences are left out.
    pub(crate) fn preferences(&self) -> &[Preferences] {
        &self.site_preferences().tables
    }

    /// Returns the groups in the document that contains these preferences, or `None` if it has no groups of its own
    /// (S-46).
    pub(crate) fn groups_of(&self, table: &Preferences) -> Option<&Policy<'static>> {
        table.general_groups.as_ref()?;
        let all = &self.site_preferences().ai_txt;
        all.iter().find(|(document, _)| Some(*document) == table.document).map(|(_, policy)| policy)
    }

    fn site_preferences(&self) -> &SitePreferences {
        self.lazy.preferences.get_or_init(|| {
            let switches = self.reading.switches();
            let of_response = |parsed: &ParsedDocument| match (parsed.kind, &self.headers) {
                (DocumentKind::Headers, Some(headers)) => {
                    response_preferences::of_headers(parsed.document, headers, switches)
                }
                (DocumentKind::Headers, None) => Preferences::default(),
                (DocumentKind::Source | DocumentKind::Dom, _) => {
                    self.metadata(parsed, &mut |_, _, _, _| {}).unwrap_or_else(|| self.of_page(parsed))
                }
            };
            let mut ai_txt = Vec::new();
            let mut all: Vec<Preferences> = self.response.documents.iter().map(of_response).collect();
            for parsed in &self.response.documents {
                all.extend(self.licences_in(parsed, &mut |_, _, _, _| {}));
            }
            if switches.reads_preferences {
                for (number, document) in self.documents.iter().enumerate().filter(|(_, document)| document.is_read()) {
                    let (name, bytes) = (&document.name, &document.bytes);
                    let read = of_document(number, name, bytes, self.reading, &mut |_, _, _, _| {});
                    let Some((table, groups)) = read else { continue };
                    all.push(table);
                    ai_txt.extend(groups.map(|groups| (number, groups)));
                }
            }
            // A licence without terms still counts as read (S-45).
            all.retain(|preferences| !preferences.entries.is_empty() || preferences.licence.is_some());
            // The document number in a statement's id has sixteen bits.
            all.truncate(MAX_DOCUMENTS);
            SitePreferences { tables: all, ai_txt }
        })
    }

    /// Returns the prohibitions in META tags outside `head`, if such tags count for this crawler (S-24).
    pub(crate) fn preferences_outside_head(&self, capabilities: &Capabilities) -> &[Preferences] {
        if !self.reads_body_metas(capabilities) || self.response.documents.is_empty() {
            return &[];
        }
        self.all_preferences_outside_head()
    }

    fn all_preferences_outside_head(&self) -> &[Preferences] {
        self.lazy.outside_head_preferences.get_or_init(|| {
            let of_page = |parsed: &ParsedDocument| {
                let (text, metas) = parsed.tags();
                let mut preferences = response_preferences::of_metas(parsed.document, text, metas);
                preferences.entries.retain(|entry| entry.claims.prohibits != 0);
                preferences
            };
            self.outside_head().documents.iter().map(of_page).filter(|table| !table.entries.is_empty()).collect()
        })
    }

    /// Returns the preferences in the metadata of a page that is an image or a PDF instead of HTML (S-47).
    pub(super) fn metadata(&self, parsed: &ParsedDocument, notes: Notes<'_>) -> Option<Preferences> {
        let document = self.documents.get(parsed.document).filter(|_| self.reading.switches().reads_preferences)?;
        if document.role != Role::Page || self.decoded(document).is_some() {
            return None;
        }
        xmp::of_file(parsed.document, &document.bytes, self.reading.switches(), notes)
    }

    /// Returns the preferences in a page's META tags and links.
    fn of_page(&self, parsed: &ParsedDocument) -> Preferences {
        let (text, metas) = parsed.tags();
        let mut preferences = response_preferences::of_metas(parsed.document, text, metas);
        let page = self.documents.get(parsed.document).filter(|_| self.reading.switches().reads_preferences);
        if let Some(page) = page.and_then(|document| self.decoded(document)) {
            rsl::add_links(&mut preferences, &page);
        }
        preferences
    }

    /// Returns the licences in a page's scripts (S-45).
    pub(super) fn licences_in(&self, parsed: &ParsedDocument, notes: Notes<'_>) -> Vec<Preferences> {
        let switches = self.reading.switches();
        let is_page = parsed.kind != DocumentKind::Headers && switches.reads_preferences;
        let document = self.documents.get(parsed.document).filter(|_| is_page);
        let Some(page) = document.and_then(|document| self.decoded(document)) else { return Vec::new() };
        rsl::of_scripts(parsed.document, &page, self.has_source_and_dom(), switches, notes)
    }

    /// Returns the location of the document that contains these preferences, or `None` if no caller supplied the
    /// document.
    pub(crate) fn location(&self, preferences: &Preferences) -> Option<&str> {
        let document = self.documents.get(preferences.document?)?;
        (document.role == Role::Supplied).then_some(document.name.as_str())
    }

    /// Whether a document with this name is read. It is read if robots.txt refers to it, if its location is well-known,
    /// or if it was supplied and contains a statement, as a licence or a file with metadata can.
    ///
    /// ```
    /// use byleave::{Document, Reading, Site};
    /// let site = Site::builder(Reading::Default).with_document(Document::new("/notes.txt", &b"hello"[..])).build();
    /// assert!(site.reads("/.well-known/tdmrep.json") && !site.reads("/notes.txt"));
    /// ```
    #[must_use]
    pub fn reads(&self, name: &str) -> bool {
        let reads_documents = self.reading.switches().reads_preferences;
        let has_its_place = || well_known_documents().any(|(path, _)| preference::path_of(name) == path);
        let is_said = || self.preferences().iter().any(|table| self.location(table) == Some(name));
        self.refers_to(name) || reads_documents && (has_its_place() || is_said())
    }

    /// Returns a preference and the table of all preferences in its document, or `None` if the site has no preference
    /// with this id.
    pub(crate) fn preference(&self, id: StatementId) -> Option<(&Preferences, &Preference)> {
        let table = match (id.source, &self.robots_txt) {
            (Source::Preferences, RobotsTxt::Read(policy)) => policy.preferences()?,
            (Source::DocumentPreferences(number), _) => {
                let (number, tables) = (usize::from(number), self.preferences());
                tables.get(number).or_else(|| self.all_preferences_outside_head().get(number - tables.len()))?
            }
            _ => return None,
        };
        Some((table, table.entries.get(id.number as usize)?))
    }

    /// Returns the response's header fields.
    pub(crate) fn headers(&self) -> Option<&Headers> {
        self.headers.as_ref()
    }

    /// Whether a page was supplied, as sent or after its scripts.
    pub(crate) fn has_page(&self) -> bool {
        self.documents.iter().any(|document| matches!(document.role, Role::Page | Role::Dom))
    }

    /// Returns each page's META tags, and the text that contains them.
    pub(crate) fn metas_of_pages(&self) -> impl Iterator<Item = (&[u8], &[Meta])> {
        self.response.documents.iter().filter(|parsed| parsed.kind != DocumentKind::Headers).map(ParsedDocument::tags)
    }

    /// Whether a caller supplied a document for this location. The names of documents are resolved against `url`.
    pub(crate) fn has_document(&self, url: &str, location: &str) -> bool {
        let is_it = |name: &str| is_same_location(&resolved(url, name), location);
        self.documents.iter().any(|document| document.is_read() && is_it(&document.name))
    }

    /// Reports problems in the supplied documents of AI-preference dialects.
    pub(super) fn diagnose_documents(&self, found: &mut Vec<Diagnostic>) {
        if !self.reading.switches().reads_preferences {
            return;
        }
        for (number, document) in self.documents.iter().enumerate().filter(|(_, document)| document.is_read()) {
            let (name, mut noted) = (&document.name, Noted::default());
            let read = of_document(number, name, &document.bytes, self.reading, &mut noted.notes());
            // A document in robots.txt format can have the same faults as robots.txt, except that its patterns may
            // begin with a star.
            if read.is_some_and(|(read, groups)| groups.is_some() && !read.entries.is_empty()) {
                let notes = diagnose(&document.bytes, self.reading);
                noted.0.extend(notes.into_iter().filter(|note| note.code != Code::LeadingStar));
            }
            found.extend(noted.0.into_iter().map(|note| Diagnostic { document: name.clone(), ..note }));
        }
    }
}

/// Parses a document that a caller supplied. Its location or content determines the dialect. Returns `None` if no
/// dialect reads it.
pub(crate) fn of_document(
    number: usize,
    location: &str,
    bytes: &[u8],
    reading: Reading,
    notes: Notes<'_>,
) -> Option<(Preferences, Option<Policy<'static>>)> {
    let (switches, path) = (reading.switches(), path_of(location));
    let is_placed = |entry: &&PreferenceDialect| entry.locations.contains(&&*path);
    let is_recognised = |entry: &&PreferenceDialect| entry.locations.is_empty();
    let parsers: Vec<&PreferenceDialect> = match PREFERENCE_DIALECTS.iter().find(is_placed) {
        Some(entry) => vec![entry],
        None => PREFERENCE_DIALECTS.iter().filter(is_recognised).collect(),
    };
    parsers.into_iter().find_map(|entry| match entry.document {
        DocumentParser::None => None,
        DocumentParser::Bytes(parse) => Some((parse(number, bytes, switches, notes)?, None)),
        DocumentParser::Groups => {
            let policy = Compiler::new(reading).compile(bytes);
            let table = of_ai_txt(number, bytes.len(), &policy, notes);
            Some((table, Some(policy.into_owned())))
        }
    })
}

/// Returns the statements in an ai.txt, which is compiled like robots.txt.
fn of_ai_txt(number: usize, length: usize, policy: &Policy<'_>, notes: Notes<'_>) -> Preferences {
    let statements = policy.statements();
    let groups = policy.groups().into_iter().map(|group| ai_txt::Group {
        is_general: group.names.contains(&&b"*"[..]),
        rules: group.rules.iter().filter_map(|id| statements.get(*id)).collect(),
    });
    ai_txt::of_groups(number, length, groups, policy.reading().switches().escapes, notes)
}
