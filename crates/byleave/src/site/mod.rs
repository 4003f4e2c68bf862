//! Evidence: the documents a site was read from, and how and when each was obtained.
//!
//! robots.txt is read, and so are the files its ACAP groups refer to, where they are given (S-21), the response's
//! headers, and the page, as its source and as the DOM after scripts; other documents are kept by name and shown
//! in the report.

mod beyond_head;
mod document;
pub(crate) mod element_statements;
mod header_diagnostics;
mod named;
mod notes;
#[doc(hidden)]
pub mod outline;
pub(crate) mod preferences;
pub(crate) mod response;
mod response_preferences;
pub(crate) mod skip;
mod sources;

pub(crate) use beyond_head::AskedFor;
pub use document::Document;
pub(crate) use sources::{Parts, Sources};

use crate::model::Obtained;
use document::Role;
use preferences::SitePreferences;

use crate::base::limits::Limits;
use crate::base::timestamp::Instant;
use crate::dialects::acap::Acap;
use crate::dialects::preference::Preferences;
use crate::formats::html;
use crate::formats::html::Targets;
use crate::formats::http::Headers;
use crate::model::diagnostic::Diagnostic;
use crate::model::proposed_use::{Capabilities, ProposedUse};
use crate::model::reading::Reading;
use crate::model::{ELEMENTS, OUTSIDE_HEAD, RESPONSE, StatementId, StatementKind};
use crate::policy;
use crate::policy::{Compiler, Policy};
use crate::site::element_statements::OnElements;
use crate::site::response::{Carried, Entry, Response, Side};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Everything that is known of a site, read in one reading.
#[derive(Clone, Debug)]
pub struct Evidence<'e> {
    reading: Reading,
    robots_txt: RobotsTxt<'e>,
    documents: Vec<Document<'e>>,
    /// The files that robots.txt refers to and that are given.
    references: Vec<ReadReference>,
    /// For each reference of robots.txt, which of them it is.
    links: Vec<Option<u16>>,
    /// The type of the page, where it is not to be taken from its headers.
    content_type: Option<String>,
    headers: Option<Headers>,
    fetched: Option<Instant>,
    /// What headers and pages say.
    response: Response,
    /// META tags outside of `head`, read when first asked for (S-24).
    outside_head: OnceLock<Response>,
    /// What is said on elements, read when first it may matter (S-16).
    on_elements: OnceLock<Vec<OnElements>>,
    may_matter: [OnceLock<bool>; 3],
    /// The parts of the page, found when first asked for (S-37).
    targets: OnceLock<Vec<Targets>>,
    /// What documents other than robots.txt say in today's dialects, read when first asked for (S-40).
    preferences: OnceLock<SitePreferences>,
    /// What META tags outside of `head` prohibit in them.
    outside_head_preferences: OnceLock<Vec<Preferences>>,
    /// Made when first asked for.
    diagnostics: OnceLock<Vec<Diagnostic>>,
}

/// A file that robots.txt refers to, read.
#[derive(Clone, Debug)]
pub(crate) struct ReadReference {
    /// Its number among the documents.
    pub(crate) document: usize,
    pub(crate) acap: Acap,
    is_truncated: bool,
}

/// What is known of a site's robots.txt (S-36).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RobotsTxt<'e> {
    /// It was read.
    Read(Policy<'e>),
    /// There is none: the status of the 4xx kind, or redirects without end.
    NotThere(Obtained),
    /// It could not be fetched: the status of the 5xx kind, or a network failure.
    Unreachable(Obtained),
    /// Neither bytes nor status are known.
    Unknown,
}

impl<'e> RobotsTxt<'e> {
    /// What it says in ACAP, where it was read and says something.
    #[inline]
    fn acap(&self) -> Option<&Acap> {
        match self {
            Self::Read(policy) => policy.acap(),
            Self::NotThere(_) | Self::Unreachable(_) | Self::Unknown => None,
        }
    }

    /// What robots.txt says, from how it was obtained and its bytes (S-36).
    ///
    /// 2xx: read. 4xx, redirects without end, and a redirect that nobody followed: there is none.
    /// Anything else: unreachable.
    #[must_use]
    pub fn obtained(obtained: Obtained, body: &'e [u8], reading: Reading) -> Self {
        match obtained {
            Obtained::Status(200..=299) => Self::Read(Compiler::new(reading).compile(body)),
            Obtained::Status(300..=499) | Obtained::TooManyRedirects => Self::NotThere(obtained),
            Obtained::Status(_) | Obtained::Unreachable => Self::Unreachable(obtained),
        }
    }
}

/// The name of robots.txt among the documents.
pub const ROBOTS_TXT: &str = "robots.txt";
/// The name of the response's headers among the documents.
pub const HEADERS: &str = "headers";
/// The name of the page among the documents.
pub const PAGE: &str = "page";
/// The name of the DOM after scripts among the documents.
pub const DOM: &str = "dom";

impl<'e> Evidence<'e> {
    /// No evidence yet, to be read in this reading.
    #[must_use]
    pub fn new(reading: Reading) -> Self {
        Self {
            reading,
            robots_txt: RobotsTxt::Unknown,
            documents: Vec::new(),
            references: Vec::new(),
            links: Vec::new(),
            content_type: None,
            headers: None,
            fetched: None,
            response: Response::default(),
            outside_head: OnceLock::new(),
            on_elements: OnceLock::new(),
            may_matter: Default::default(),
            targets: OnceLock::new(),
            preferences: OnceLock::new(),
            outside_head_preferences: OnceLock::new(),
            diagnostics: OnceLock::new(),
        }
    }

    /// The evidence of a robots.txt file that was read without trouble.
    #[must_use]
    pub fn of_robots_txt(text: &'e [u8], reading: Reading) -> Self {
        Self::new(reading).with_robots_txt(Obtained::Status(200), text)
    }

    /// The same evidence with robots.txt, obtained so.
    #[must_use]
    pub fn with_robots_txt(mut self, obtained: Obtained, body: &'e [u8]) -> Self {
        self.robots_txt = RobotsTxt::obtained(obtained, body, self.reading);
        self.put(Role::RobotsTxt, Document::new(ROBOTS_TXT, body).obtained(obtained));
        self.link()
    }

    /// The same evidence with a policy that was compiled or loaded before, and its reading.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy<'e>) -> Self {
        self.reading = policy.reading();
        if let Some(text) = policy.text() {
            self.put(Role::RobotsTxt, Document::new(ROBOTS_TXT, text));
        }
        self.robots_txt = RobotsTxt::Read(policy);
        self.link()
    }

    /// The same evidence with the headers of the page's response.
    ///
    /// ```
    /// use byleave::{Crawler, Evidence, Headers, Outcome, ProposedUse, Reading, Usage};
    /// let headers = Headers::new().with("X-Robots-Tag", "otherbot: noindex, nofollow");
    /// let evidence = Evidence::new(Reading::Default).with_headers(headers);
    /// let outcome = |name| {
    ///     let crawler = Crawler::named(name);
    ///     byleave::decide(&evidence, &ProposedUse::new("https://site.example/", &crawler, &Usage::Index)).outcome
    /// };
    /// assert_eq!(outcome("OtherBot"), Outcome::Prohibited);
    /// assert_eq!(outcome("AnyBot"), Outcome::Unstated);
    /// ```
    #[must_use]
    pub fn with_headers(mut self, headers: Headers) -> Self {
        self.put(Role::Headers, Document::new(HEADERS, headers.text().to_vec()));
        self.headers = Some(headers);
        self.read_response()
    }

    /// The same evidence with the page as it was sent. It is read as far as its `head` goes; give robots.txt and
    /// headers first, so that it is read once.
    ///
    /// ```
    /// use byleave::{Crawler, Evidence, Outcome, ProposedUse, Reading, Usage};
    /// let page = b"<!doctype html><title>News</title><meta name=robots content='noindex, max-snippet: 50'>";
    /// let evidence = Evidence::new(Reading::Default).with_page(page);
    /// let crawler = Crawler::named("AnyBot");
    /// let decision = byleave::decide(&evidence, &ProposedUse::new("https://site.example/", &crawler, &Usage::Index));
    /// assert_eq!(decision.outcome, Outcome::Prohibited);
    /// ```
    #[must_use]
    pub fn with_page(self, page: &'e [u8]) -> Self {
        self.with_html(Role::Page, Document::new(PAGE, page))
    }

    /// The same evidence with the page's DOM after its scripts were run, serialised (S-25).
    #[must_use]
    pub fn with_dom(self, dom: &'e [u8]) -> Self {
        self.with_html(Role::Dom, Document::new(DOM, dom))
    }

    /// The same evidence with the type of the page, as `Content-Type` has it; it counts before the header.
    #[must_use]
    pub fn with_content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self.read_response()
    }

    fn with_html(mut self, role: Role, document: Document<'e>) -> Self {
        self.put(role, document);
        self.read_response()
    }

    /// The same evidence, whose page was fetched then. How long it is fresh is counted from there.
    #[must_use]
    pub fn fetched_at(mut self, fetched: Instant) -> Self {
        self.fetched = Some(fetched);
        self
    }

    /// Puts a document in the place of the one that had its role, for others are known by their numbers.
    fn put(&mut self, role: Role, document: Document<'e>) {
        let document = document.with_role(role);
        match self.documents.iter_mut().find(|known| known.role == role) {
            Some(known) => *known = document,
            None => self.documents.push(document),
        }
    }

    /// The crawlers that words of headers and META tags name, as written, each once.
    ///
    /// ```
    /// use byleave::{Evidence, Reading};
    /// let evidence = Evidence::new(Reading::Default).with_page(b"<meta name='NewsBot, OtherBot' content=noindex>");
    /// assert_eq!(evidence.crawlers_addressed(), [b"NewsBot".as_slice(), b"OtherBot"]);
    /// ```
    #[must_use]
    pub fn crawlers_addressed(&self) -> Vec<&[u8]> {
        let mut names: Vec<&[u8]> = self.response.carried.iter().flat_map(Carried::names).collect();
        names.sort_by_key(|name| name.to_ascii_lowercase());
        names.dedup_by(|one, other| one.eq_ignore_ascii_case(other));
        names
    }

    /// Reads what the response says; the definitions of robots.txt are in sight of META tags.
    fn read_response(mut self) -> Self {
        self.response = Response::default();
        self.outside_head = OnceLock::new();
        self.on_elements = OnceLock::new();
        self.may_matter = Default::default();
        self.targets = OnceLock::new();
        self.preferences = OnceLock::new();
        self.outside_head_preferences = OnceLock::new();
        self.diagnostics = OnceLock::new();
        let switches = self.reading.switches();
        if !switches.reads_responses {
            return self;
        }
        let limits = Limits::default();
        let robots_txt = self.robots_txt.acap();
        for number in 0..self.documents.len() {
            let Some(document) = self.documents.get(number) else { continue };
            let carried = match (document.role, &self.headers) {
                (Role::Headers, Some(headers)) => {
                    let carried = Carried::of_headers(number, headers, switches, &limits);
                    if self.is_image() { carried.of_image() } else { carried }
                }
                (role @ (Role::Page | Role::Dom), _) => {
                    let side = if role == Role::Dom { Side::Dom } else { Side::Source };
                    let Some(page) = self.newly_decoded(document) else {
                        if let Some(document) = self.documents.get_mut(number) {
                            (document.transcoded, document.how) = (None, None);
                        }
                        // A page that says nothing is there all the same (S-25).
                        self.response.add(Carried::new(number, side, switches), switches, robots_txt);
                        continue;
                    };
                    let carried = Carried::of_head(number, side, &page, switches, &limits);
                    let (transcoded, how) = (page.is_transcoded().then(|| page.text().to_vec()), page.how());
                    if let Some(document) = self.documents.get_mut(number) {
                        (document.transcoded, document.how) = (transcoded, Some(how));
                    }
                    carried
                }
                _ => continue,
            };
            self.response.add(carried, switches, robots_txt);
        }
        self
    }

    /// The type of the page, as it was told or as the headers have it.
    fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref().or_else(|| self.headers.as_ref()?.content_type())
    }

    /// Whether the resource is an image (S-48).
    fn is_image(&self) -> bool {
        let page = self.documents.iter().find(|document| document.role == Role::Page);
        html::is_image(page.map(|page| &*page.bytes), self.content_type())
    }

    fn charset(&self) -> Option<&str> {
        match &self.content_type {
            Some(content_type) => html::charset(content_type),
            None => self.headers.as_ref()?.charset(),
        }
    }

    /// A page, ready to be read; nothing where it is no HTML.
    ///
    /// Cost: nothing that depends on the page, once the response was read. It is asked for again for each part.
    fn decoded<'d>(&self, document: &'d Document<'_>) -> Option<html::Decoded<'d>> {
        match document.how {
            Some(how) => Some(html::Decoded::again(how, document.text())),
            None => self.newly_decoded(document),
        }
    }

    fn newly_decoded<'d>(&self, document: &'d Document<'_>) -> Option<html::Decoded<'d>> {
        // A DOM is serialised from what was HTML, in whatever encoding the caller has.
        let is_sent = document.role != Role::Dom;
        let (content_type, charset) = (self.content_type().filter(|_| is_sent), self.charset().filter(|_| is_sent));
        let is_html = html::is_html(&document.bytes, content_type);
        let decoded = || html::decoded(&document.bytes, charset, &Limits::default());
        let is_xml = content_type.is_some_and(html::is_xml);
        is_html.then(|| if is_xml { decoded().as_xml() } else { decoded() })
    }

    /// The same evidence with a further document.
    #[must_use]
    pub fn with_document(mut self, document: Document<'e>) -> Self {
        self.documents.push(document);
        let number = self.documents.len() - 1;
        self.link_from(number)
    }

    /// Reads the documents that robots.txt refers to, each once.
    fn link(mut self) -> Self {
        self.references.clear();
        self.links.clear();
        if let RobotsTxt::Read(policy) = &self.robots_txt
            && let Some(acap) = policy.acap()
        {
            self.links.resize(acap.references.len(), None);
        }
        let linked = self.link_from(0);
        if linked.response.carried.is_empty() { linked } else { linked.read_response() }
    }

    /// Reads those from this number on.
    fn link_from(mut self, first: usize) -> Self {
        self.preferences = OnceLock::new();
        self.outside_head_preferences = OnceLock::new();
        self.diagnostics = OnceLock::new();
        let RobotsTxt::Read(policy) = &self.robots_txt else { return self };
        let Some(acap) = policy.acap().filter(|acap| !acap.references.is_empty()) else { return self };
        let mut wanted: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (number, reference) in acap.references.iter().enumerate() {
            wanted.entry(reference.locator.of(&acap.arena)).or_default().push(number);
        }
        for (number, document) in self.documents.iter().enumerate().skip(first) {
            let references = wanted.get(document.name.as_bytes()).filter(|_| document.is_read());
            let Some(references) = references else { continue };
            let Some(next) = u16::try_from(self.references.len()).ok().filter(|next| *next < RESPONSE - 1) else {
                break;
            };
            let (read, is_truncated) = read_reference(&document.bytes, self.reading, acap, None);
            self.references.push(ReadReference { document: number, acap: read, is_truncated });
            for reference in references {
                if let Some(link) = self.links.get_mut(*reference) {
                    *link = Some(next);
                }
            }
        }
        self
    }

    /// What is read of it beside conventional groups, by a crawler of these capabilities.
    #[inline]
    pub(crate) fn sources(&self, capabilities: &Capabilities) -> Sources<'_> {
        let has_response = !self.response.carried.is_empty();
        Sources {
            robots_txt: self.robots_txt.acap(),
            is_unreachable: matches!(self.robots_txt, RobotsTxt::Unreachable(_)),
            references: &self.references,
            links: &self.links,
            response: has_response.then_some(&self.response),
            outside_head: (has_response && self.reads_body_metas(capabilities)).then(|| self.outside_head()),
            elements: self.on_elements.get().map(Vec::as_slice),
            asked: &[],
            page: has_response.then_some(self as &dyn Parts),
        }
    }

    /// Whether META tags outside of `head` restrict (S-24, S-48).
    fn reads_body_metas(&self, capabilities: &Capabilities) -> bool {
        capabilities.body_meta || self.reading.switches().reads_body_metas
    }

    /// The same evidence without page and headers, for questions about another resource of the site.
    pub(crate) fn without_response(&self) -> Self {
        let mut bare = self.clone();
        bare.response = Response::default();
        bare.outside_head = OnceLock::new();
        bare.on_elements = OnceLock::new();
        bare.preferences = OnceLock::new();
        bare.outside_head_preferences = OnceLock::new();
        bare
    }

    /// What robots.txt, and each file it refers to, says in ACAP.
    pub(crate) fn robots_acaps(&self) -> impl Iterator<Item = &Acap> {
        self.robots_txt.acap().into_iter().chain(self.references.iter().map(|reference| &reference.acap))
    }

    /// Whether the page is given twice: as it was sent, and after its scripts were run.
    pub(crate) fn has_source_and_dom(&self) -> bool {
        self.response.has_source_and_dom()
    }

    /// What robots.txt says in ACAP.
    pub(crate) fn acap(&self) -> Option<&Acap> {
        self.robots_txt.acap()
    }

    /// The document a statement stands in, which has no text where a policy stands alone.
    pub(crate) fn source(&self, id: StatementId) -> Option<&Document<'e>> {
        let number = match id.document {
            1.. if id.kind == StatementKind::Preference => self.preference(id)?.0.document?,
            0 => return self.documents.iter().find(|document| document.role == Role::RobotsTxt),
            ELEMENTS.. => self.on_element(id)?.document,
            OUTSIDE_HEAD.. => self.outside_head.get()?.document(id, OUTSIDE_HEAD)?,
            RESPONSE.. => self.response.document(id, RESPONSE)?,
            number => self.references.get(usize::from(number - 1))?.document,
        };
        self.documents.get(number)
    }

    /// A word of META or a header, and the document it is in.
    pub(crate) fn directive(&self, id: StatementId) -> Option<(&Carried, &Entry)> {
        let (response, first) = match id.document {
            ELEMENTS.. => return None,
            OUTSIDE_HEAD.. => (self.outside_head.get()?, OUTSIDE_HEAD),
            _ => (&self.response, RESPONSE),
        };
        let carried = response.carried.get(usize::from(id.document.checked_sub(first)?))?;
        Some((carried, carried.directives.get(id.number as usize)?))
    }

    /// What the META tags are written in that a statement in ACAP is one of.
    pub(crate) fn metas(&self, id: StatementId) -> Option<&Carried> {
        match id.document {
            ELEMENTS.. => None,
            OUTSIDE_HEAD.. => self.outside_head.get()?.of_acap(id.document - OUTSIDE_HEAD),
            RESPONSE.. => self.response.of_acap(id.document - RESPONSE),
            _ => None,
        }
    }

    /// How long what the page and its headers say is fresh (RT 3.1.4). After that it is to be fetched again; until
    /// it is, its restrictions hold on.
    #[must_use]
    pub fn fresh_until(&self) -> Option<Instant> {
        let headers = self.headers.as_ref()?;
        headers.fresh_until(self.fetched)
    }

    /// Whether any of it was cut at a limit (S-22).
    pub(crate) fn is_truncated(&self, proposed: &ProposedUse<'_>) -> bool {
        let elements =
            self.elements(if proposed.is_of_part() { AskedFor::Element } else { AskedFor::Page(proposed.usage) });
        let capabilities = proposed.capabilities;
        let is_cut = |response: &Response| response.carried.iter().any(|carried| carried.is_truncated);
        matches!(&self.robots_txt, RobotsTxt::Read(policy) if policy.is_truncated())
            || self.references.iter().any(|reference| reference.is_truncated)
            || is_cut(&self.response)
            || elements.is_some_and(|pages| pages.iter().any(|page| !page.elements.is_whole()))
            || self.reads_body_metas(capabilities) && !self.response.carried.is_empty() && is_cut(self.outside_head())
    }

    /// The reading it is read in.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// What is known of robots.txt.
    #[must_use]
    pub fn robots_txt(&self) -> &RobotsTxt<'e> {
        &self.robots_txt
    }

    /// Whether robots.txt refers to a document of this name, so that it is read (S-21).
    ///
    /// ```
    /// use byleave::{Evidence, Reading};
    /// let robots_txt = b"ACAP-crawler: LibraryBot\nACAP-permissions-reference: /library.txt\n";
    /// let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
    /// assert!(evidence.refers_to("/library.txt") && !evidence.refers_to("/lib"));
    /// ```
    #[must_use]
    pub fn refers_to(&self, name: &str) -> bool {
        let is_named =
            |acap: &Acap| acap.references.iter().any(|reference| reference.locator.of(&acap.arena) == name.as_bytes());
        self.robots_txt.acap().is_some_and(is_named)
    }

    /// Its documents, in the order they were given.
    #[must_use]
    pub fn documents(&self) -> &[Document<'e>] {
        &self.documents
    }
}

/// Reads a file that robots.txt refers to: ACAP only, with the definitions of robots.txt in sight (S-21).
fn read_reference(
    bytes: &[u8],
    reading: Reading,
    robots_txt: &Acap,
    notes: Option<&mut Vec<Diagnostic>>,
) -> (Acap, bool) {
    let switches = reading.switches();
    let read = Limits::default().cut(bytes);
    let text = bytes.get(..read).unwrap_or(bytes);
    let body = policy::body_start(text, switches);
    let acap = crate::dialects::acap::read(text, body, switches, Some(robots_txt), notes);
    (acap.unwrap_or_default(), read < bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Crawler, Outcome, ProposedUse, Usage, decide};

    #[test]
    fn s22_meta_tags_beyond_the_limit_are_unread_and_every_decision_says_so() {
        let answer = |before: usize| {
            let page = "<meta name=a content=b>".repeat(before) + "<meta name=robots content=noindex>";
            let evidence = Evidence::new(Reading::Default).with_page(page.as_bytes());
            let crawler = Crawler::named("AnyBot");
            let decision = decide(&evidence, &ProposedUse::new("https://site.example/", &crawler, &Usage::Index));
            (decision.outcome, decision.is_truncated)
        };
        let limit = Limits::default().metas;
        assert_eq!(answer(limit - 1), (Outcome::Prohibited, false));
        assert_eq!(answer(limit), (Outcome::Unstated, true));
    }
}
