//! A site: the documents that state its terms, and how and when each was obtained.
//!
//! The engine parses robots.txt, the files that its ACAP groups refer to if they are given (S-21), the response's
//! headers, and the page, as its source and as the DOM after its scripts. Other documents are kept by name and shown in
//! the report.

mod beyond_head;
mod builder;
mod document;
pub(crate) mod element_statements;
mod header_diagnostics;
mod named;
mod notes;
#[doc(hidden)]
#[cfg(feature = "testing")]
pub mod outline;
pub(crate) mod preferences;
pub(crate) mod response;
mod response_preferences;
pub(crate) mod skip;
mod sources;

pub(crate) use beyond_head::AskedFor;
pub use builder::SiteBuilder;
pub use document::Document;
pub(crate) use sources::{Parts, Sources};

use crate::model::Obtained;
use document::Role;
use preferences::SitePreferences;

use crate::base::limits::Limits;
use crate::base::shared_bytes::SharedBytes;
use crate::base::timestamp::Timestamp;
use crate::dialects::acap::Acap;
use crate::dialects::preference::Preferences;
use crate::formats::html;
use crate::formats::html::Targets;
use crate::formats::http::Headers;
use crate::model::diagnostic::Diagnostic;
use crate::model::proposed_use::{Capabilities, ProposedUse};
use crate::model::reading::Reading;
use crate::model::{Source, StatementId};
use crate::policy;
use crate::policy::{Compiler, Policy, SharedPolicy};
use crate::site::element_statements::ElementStatements;
use crate::site::response::{AddressedDirective, DocumentKind, ParsedDocument, Response};
use std::collections::HashMap;
use std::sync::OnceLock;

/// What a site says, read in one reading: robots.txt, the response's headers, the page and further documents.
///
/// A site is built once ([`Site::builder`]) and never changes: asking one question does not change the answer to
/// another. Parts that few questions need are parsed when a question first needs them.
///
/// ```
/// use byleave::{Crawler, Headers, Obtained, Outcome, ProposedUse, Reading, Site, Usage};
/// let site = Site::builder(Reading::Default)
///     .with_robots_txt(Obtained::Status(200), b"User-agent: *\nDisallow: /private/\n")
///     .with_headers(Headers::new().with("X-Robots-Tag", "otherbot: noindex"))
///     .with_page(b"<!doctype html><title>News</title><meta name=robots content=nofollow>")
///     .build();
/// let crawler = Crawler::named("AnyBot");
/// let outcome = |usage| byleave::decide(&site, &ProposedUse::new("/", &crawler, &usage)).map(|decision| decision.outcome);
/// assert_eq!(outcome(Usage::Crawl)?, Outcome::Permitted);
/// assert_eq!(outcome(Usage::Follow)?, Outcome::Prohibited);
/// assert_eq!(outcome(Usage::Index)?, Outcome::Unstated);
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Site<'e> {
    reading: Reading,
    robots_txt: RobotsTxt<'e>,
    documents: Vec<Document<'e>>,
    /// The files that robots.txt refers to and that are given.
    references: Vec<ReadReference>,
    /// For each reference of robots.txt its index in `references`; `None` if its file is not given.
    links: Vec<Option<u16>>,
    /// The media type of the page, if the caller states it; it takes precedence over `Content-Type`.
    content_type: Option<String>,
    headers: Option<Headers>,
    fetched: Option<Timestamp>,
    /// The parsed headers and pages.
    response: Response,
    lazy: Lazy,
}

/// What is parsed when a question first needs it. Each part depends on the site alone, never on a question.
#[derive(Clone, Debug, Default)]
struct Lazy {
    /// META tags outside `head` (S-24).
    outside_head: OnceLock<Response>,
    /// Statements on the elements of each page (S-16).
    elements: OnceLock<Vec<ElementStatements>>,
    /// Whether a page can have statements on elements at all, by what is sought: see [`skip::Sought`].
    may_have_statements: [OnceLock<bool>; 3],
    /// The parts of each page that a permission may name (S-37).
    targets: OnceLock<Vec<Targets>>,
    /// Statements of documents other than robots.txt in AI-preference dialects (S-40).
    preferences: OnceLock<SitePreferences>,
    /// Statements of META tags outside `head` in AI-preference dialects.
    outside_head_preferences: OnceLock<Vec<Preferences>>,
    diagnostics: OnceLock<Vec<Diagnostic>>,
}

/// A parsed file that robots.txt refers to.
#[derive(Clone, Debug)]
pub(crate) struct ReadReference {
    /// Its number among the documents.
    pub(crate) document: usize,
    pub(crate) acap: Acap,
    is_truncated: bool,
}

/// What is known about a site's robots.txt (S-36).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RobotsTxt<'e> {
    /// It was read.
    Read(SharedPolicy<'e>),
    /// There is none: a 4xx status, or endless redirects.
    NotThere(Obtained),
    /// It could not be fetched: a 5xx status, or a network failure.
    Unreachable(Obtained),
    /// Neither bytes nor status are known.
    Unknown,
}

impl<'e> RobotsTxt<'e> {
    /// Returns its ACAP table; `None` if it was not read or has no ACAP.
    #[inline]
    fn acap(&self) -> Option<&Acap> {
        match self {
            Self::Read(policy) => policy.acap(),
            Self::NotThere(_) | Self::Unreachable(_) | Self::Unknown => None,
        }
    }

    /// Compiles robots.txt if its status is 2xx (S-36). A 4xx status, endless redirects and a redirect that was not
    /// followed mean that there is none. Anything else means that it is unreachable.
    fn obtained(obtained: Obtained, body: SharedBytes<'e>, reading: Reading) -> Self {
        match obtained {
            Obtained::Status(200..=299) => Self::Read(Compiler::new(reading).compile(body).into()),
            Obtained::Status(300..=499) | Obtained::TooManyRedirects => Self::NotThere(obtained),
            Obtained::Status(_) | Obtained::Unreachable => Self::Unreachable(obtained),
        }
    }
}

/// How many documents other than robots.txt are read (S-22).
const MAX_DOCUMENTS: usize = 0x7FFF;

/// The name of robots.txt among the documents.
pub const ROBOTS_TXT: &str = "robots.txt";
/// The name of the response's headers among the documents.
pub const HEADERS: &str = "headers";
/// The name of the page among the documents.
pub const PAGE: &str = "page";
/// The name of the DOM after scripts among the documents.
pub const DOM: &str = "dom";

impl<'e> Site<'e> {
    /// Returns a builder that collects the documents of a site, to be read in this reading.
    pub fn builder(reading: Reading) -> SiteBuilder<'e> {
        SiteBuilder::new(reading)
    }

    /// Returns a builder that has the documents of this site, to build another that differs in some of them.
    ///
    /// ```
    /// use byleave::{Obtained, Reading, Site};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /\n", Reading::Default);
    /// let changed = site.to_builder().with_robots_txt(Obtained::Status(200), b"User-agent: *\nDisallow:\n").build();
    /// assert_eq!(changed.documents().len(), 1);
    /// ```
    pub fn to_builder(&self) -> SiteBuilder<'e> {
        SiteBuilder::of_site(self)
    }

    /// Returns the site of a robots.txt that was fetched with status 200, and of nothing else.
    #[must_use]
    pub fn of_robots_txt(text: impl Into<SharedBytes<'e>>, reading: Reading) -> Self {
        Self::builder(reading).with_robots_txt(Obtained::Status(200), text).build()
    }

    /// Returns the site of a compiled robots.txt, and of nothing else. The policy is shared, not copied.
    #[must_use]
    pub fn of_policy(policy: impl Into<SharedPolicy<'e>>) -> Self {
        Self::builder(Reading::Default).with_policy(policy).build()
    }

    /// Returns the crawlers that directives of headers and META tags name, as written, each once.
    ///
    /// ```
    /// use byleave::{Reading, Site};
    /// let site = Site::builder(Reading::Default).with_page(b"<meta name='NewsBot, OtherBot' content=noindex>").build();
    /// assert_eq!(site.crawlers_addressed(), [b"NewsBot".as_slice(), b"OtherBot"]);
    /// ```
    #[must_use]
    pub fn crawlers_addressed(&self) -> Vec<&[u8]> {
        let mut names: Vec<&[u8]> = self.response.documents.iter().flat_map(ParsedDocument::names).collect();
        names.sort_by_key(|name| name.to_ascii_lowercase());
        names.dedup_by(|one, other| one.eq_ignore_ascii_case(other));
        names
    }

    /// Parses headers and pages. META tags may use the definitions of robots.txt, so robots.txt is parsed first.
    fn read_response(&mut self) {
        let switches = self.reading.switches();
        if !switches.reads_responses {
            return;
        }
        let limits = Limits::default();
        let mut response = Response::default();
        for number in 0..self.documents.len() {
            let Some(document) = self.documents.get(number) else { continue };
            let parsed = match (document.role, &self.headers) {
                (Role::Headers, Some(headers)) => {
                    let parsed = ParsedDocument::of_headers(number, headers, switches, &limits);
                    if self.is_image() { parsed.of_image() } else { parsed }
                }
                (role @ (Role::Page | Role::Dom), _) => {
                    let kind = if role == Role::Dom { DocumentKind::Dom } else { DocumentKind::Source };
                    match self.newly_decoded(document) {
                        Some(page) => {
                            let parsed = ParsedDocument::of_head(number, kind, &page, switches, &limits);
                            let (transcoded, how) = (page.is_transcoded().then(|| page.text().to_vec()), page.info());
                            if let Some(document) = self.documents.get_mut(number) {
                                (document.transcoded, document.how) = (transcoded, Some(how));
                            }
                            parsed
                        }
                        // A page without statements is still a page (S-25).
                        None => ParsedDocument::new(number, kind, switches),
                    }
                }
                _ => continue,
            };
            response.add(parsed, switches, self.robots_txt.acap());
        }
        self.response = response;
    }

    /// Returns the media type of the page: the one the caller states, or that of the headers.
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

    /// Returns a page, ready to be parsed; `None` if it is not HTML.
    ///
    /// Cost: independent of the page once the response was parsed. It is called again for each part.
    fn decoded<'d>(&self, document: &'d Document<'_>) -> Option<html::Decoded<'d>> {
        match document.how {
            Some(how) => Some(html::Decoded::restored(how, document.text())),
            None => self.newly_decoded(document),
        }
    }

    fn newly_decoded<'d>(&self, document: &'d Document<'_>) -> Option<html::Decoded<'d>> {
        // A DOM is serialized from HTML, in the encoding that the caller uses.
        let is_sent = document.role != Role::Dom;
        let (content_type, charset) = (self.content_type().filter(|_| is_sent), self.charset().filter(|_| is_sent));
        let is_html = html::is_html(&document.bytes, content_type);
        let decoded = || html::decoded(&document.bytes, charset, &Limits::default());
        let is_xml = content_type.is_some_and(html::is_xml);
        is_html.then(|| if is_xml { decoded().as_xml() } else { decoded() })
    }

    /// Parses the documents that robots.txt refers to, each once (S-21).
    fn read_references(&mut self) {
        let RobotsTxt::Read(policy) = &self.robots_txt else { return };
        let Some(acap) = policy.acap().filter(|acap| !acap.references.is_empty()) else { return };
        self.links.resize(acap.references.len(), None);
        let mut wanted: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (number, reference) in acap.references.iter().enumerate() {
            wanted.entry(reference.locator.of(&acap.arena)).or_default().push(number);
        }
        for (number, document) in self.documents.iter().enumerate() {
            let references = wanted.get(document.name.as_bytes()).filter(|_| document.is_read());
            let Some(references) = references else { continue };
            let Some(next) =
                u16::try_from(self.references.len()).ok().filter(|next| usize::from(*next) < MAX_DOCUMENTS)
            else {
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
    }

    /// Returns what a decision examines in addition to conventional groups, for a crawler with these capabilities.
    /// `elements` are the statements on elements that the question needs ([`Site::elements`]).
    #[inline]
    pub(crate) fn sources<'a>(
        &'a self,
        capabilities: &Capabilities,
        elements: Option<&'a [ElementStatements]>,
    ) -> Sources<'a> {
        let has_response = !self.response.documents.is_empty();
        Sources {
            robots_txt: self.robots_txt.acap(),
            is_unreachable: matches!(self.robots_txt, RobotsTxt::Unreachable(_)),
            references: &self.references,
            links: &self.links,
            response: has_response.then_some(&self.response),
            outside_head: (has_response && self.reads_body_metas(capabilities)).then(|| self.outside_head()),
            elements,
            asked: &[],
            page: has_response.then_some(self as &dyn Parts),
        }
    }

    /// Whether META tags outside `head` can impose restrictions (S-24, S-48).
    fn reads_body_metas(&self, capabilities: &Capabilities) -> bool {
        capabilities.body_meta || self.reading.switches().reads_body_metas
    }

    /// Returns the site without page and headers, for questions about another of its resources.
    pub(crate) fn without_response(&self) -> Self {
        Self { response: Response::default(), lazy: Lazy::default(), ..self.clone() }
    }

    /// Returns the ACAP tables of robots.txt and of each file it refers to.
    pub(crate) fn robots_acaps(&self) -> impl Iterator<Item = &Acap> {
        self.robots_txt.acap().into_iter().chain(self.references.iter().map(|reference| &reference.acap))
    }

    /// Whether the page is given twice: as it was sent, and after its scripts were run.
    pub(crate) fn has_source_and_dom(&self) -> bool {
        self.response.has_source_and_dom()
    }

    /// Returns the ACAP table of robots.txt.
    pub(crate) fn acap(&self) -> Option<&Acap> {
        self.robots_txt.acap()
    }

    /// Returns the document that contains a statement. It has no text if the policy is owned.
    pub(crate) fn source(&self, id: StatementId) -> Option<&Document<'e>> {
        let number = match id.source {
            Source::Rules | Source::Acap | Source::References | Source::Preferences => {
                return self.documents.iter().find(|document| document.role == Role::RobotsTxt);
            }
            Source::ReferenceAcap(number) => self.references.get(usize::from(number))?.document,
            Source::DocumentPreferences(_) => self.preference(id)?.0.document?,
            Source::HeadAcap(_) | Source::BodyAcap(_) => self.metas(id)?.document,
            Source::HeadDirectives(_) | Source::BodyDirectives(_) => self.directive(id)?.0.document,
            Source::ElementAcap(_) | Source::ElementRestrictions(_) => self.on_element(id)?.document,
        };
        self.documents.get(number)
    }

    /// Returns a directive of a META tag or header, and the document that contains it.
    pub(crate) fn directive(&self, id: StatementId) -> Option<(&ParsedDocument, &AddressedDirective)> {
        let (response, number) = match id.source {
            Source::HeadDirectives(number) => (&self.response, number),
            Source::BodyDirectives(number) => (self.outside_head(), number),
            _ => return None,
        };
        let parsed = response.documents.get(usize::from(number))?;
        Some((parsed, parsed.directives.get(id.number as usize)?))
    }

    /// Returns the META tags that contain an ACAP statement.
    pub(crate) fn metas(&self, id: StatementId) -> Option<&ParsedDocument> {
        match id.source {
            Source::HeadAcap(number) => self.response.of_acap(number),
            Source::BodyAcap(number) => self.outside_head().of_acap(number),
            _ => None,
        }
    }

    /// Returns how long the page and its headers are fresh (RT 3.1.4). After that they should be fetched again; until
    /// they are, their restrictions remain in force.
    #[must_use]
    pub fn fresh_until(&self) -> Option<Timestamp> {
        let headers = self.headers.as_ref()?;
        headers.fresh_until(self.fetched)
    }

    /// Whether any part was cut at a limit (S-22).
    pub(crate) fn is_truncated(&self, proposed: &ProposedUse<'_>) -> bool {
        let elements =
            self.elements(if proposed.is_of_part() { AskedFor::Element } else { AskedFor::Page(proposed.usage) });
        let capabilities = proposed.capabilities;
        let is_cut = |response: &Response| response.documents.iter().any(|parsed| parsed.is_truncated);
        matches!(&self.robots_txt, RobotsTxt::Read(policy) if policy.is_truncated())
            || self.references.iter().any(|reference| reference.is_truncated)
            || is_cut(&self.response)
            || elements.is_some_and(|pages| pages.iter().any(|page| !page.elements.is_whole()))
            || self.reads_body_metas(capabilities) && !self.response.documents.is_empty() && is_cut(self.outside_head())
    }

    /// Returns the reading in which the site is parsed.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Returns what is known about robots.txt.
    #[must_use]
    pub fn robots_txt(&self) -> &RobotsTxt<'e> {
        &self.robots_txt
    }

    /// Returns the compiled robots.txt; `None` if it was not read.
    #[must_use]
    pub fn policy(&self) -> Option<&Policy<'e>> {
        match &self.robots_txt {
            RobotsTxt::Read(policy) => Some(policy),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
        }
    }

    /// Whether robots.txt refers to a document of this name, so that it is read (S-21).
    ///
    /// ```
    /// use byleave::{Reading, Site};
    /// let robots_txt = b"ACAP-crawler: LibraryBot\nACAP-permissions-reference: /library.txt\n";
    /// let site = Site::of_robots_txt(robots_txt, Reading::Default);
    /// assert!(site.refers_to("/library.txt") && !site.refers_to("/lib"));
    /// ```
    #[must_use]
    pub fn refers_to(&self, name: &str) -> bool {
        let is_named =
            |acap: &Acap| acap.references.iter().any(|reference| reference.locator.of(&acap.arena) == name.as_bytes());
        self.robots_txt.acap().is_some_and(is_named)
    }

    /// Returns its documents, in the order in which they were given.
    #[must_use]
    pub fn documents(&self) -> &[Document<'e>] {
        &self.documents
    }
}

/// Parses a file that robots.txt refers to: ACAP only. It may use the definitions of robots.txt (S-21).
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
    let acap = crate::dialects::acap::parse(text, body, switches, Some(robots_txt), notes);
    (acap.unwrap_or_default(), read < bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::decide_unchecked;
    use crate::{Crawler, Outcome, ProposedUse, Usage};

    #[test]
    fn s22_meta_tags_beyond_the_limit_are_unread_and_every_decision_says_so() {
        let answer = |before: usize| {
            let page = "<meta name=a content=b>".repeat(before) + "<meta name=robots content=noindex>";
            let site = Site::builder(Reading::Default).with_page(page.as_bytes()).build();
            let crawler = Crawler::named("AnyBot");
            let decision = decide_unchecked(&site, &ProposedUse::new("https://site.example/", &crawler, &Usage::Index));
            (decision.outcome, decision.is_truncated)
        };
        let limit = Limits::default().metas;
        assert_eq!(answer(limit - 1), (Outcome::Prohibited, false));
        assert_eq!(answer(limit), (Outcome::Unstated, true));
    }
}
