//! A site: the documents that contain its statements, and how and when each document was obtained.
//!
//! The engine parses robots.txt, the files that its ACAP groups refer to (S-21), the response headers, the page (as its
//! source and as the DOM after its scripts), and the documents of AI-preference dialects (S-40). Any other document is
//! only stored by name and listed in the report.

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

/// Everything that a site states, parsed in one reading: robots.txt, the response headers, the page and other
/// documents.
///
/// A site is built once ([`Site::builder`]) and never changes, so one question does not affect the answer to another.
/// Parts that few questions need are parsed when a question first needs them.
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
    /// The parsed files that robots.txt refers to, if they were supplied.
    references: Vec<ReadReference>,
    /// For each reference in robots.txt, its index in `references`, or `None` if the file was not supplied.
    links: Vec<Option<u16>>,
    /// The page's media type, if the caller stated it. It takes precedence over `Content-Type`.
    content_type: Option<String>,
    headers: Option<Headers>,
    fetched: Option<Timestamp>,
    /// The parsed headers and pages.
    response: Response,
    lazy: Lazy,
}

/// The parts that are parsed when a question first needs them. Each depends only on the site, never on a question.
#[derive(Clone, Debug, Default)]
struct Lazy {
    /// META tags outside `head` (S-24).
    outside_head: OnceLock<Response>,
    /// Statements on the elements of each page (S-16).
    elements: OnceLock<Vec<ElementStatements>>,
    /// Whether a page can have statements on elements at all, for each value of [`skip::Sought`].
    may_have_statements: [OnceLock<bool>; 3],
    /// The parts of each page that a permission can name (S-37).
    targets: OnceLock<Vec<Targets>>,
    /// Statements in AI-preference dialects in documents other than robots.txt (S-40).
    preferences: OnceLock<SitePreferences>,
    /// Statements in AI-preference dialects in META tags outside `head`.
    outside_head_preferences: OnceLock<Vec<Preferences>>,
    diagnostics: OnceLock<Vec<Diagnostic>>,
}

/// A parsed file that robots.txt refers to.
#[derive(Clone, Debug)]
pub(crate) struct ReadReference {
    /// The file's index among the documents.
    pub(crate) document: usize,
    pub(crate) acap: Acap,
    is_truncated: bool,
}

/// What is known about a site's robots.txt (S-36).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RobotsTxt<'e> {
    /// robots.txt was read.
    Read(SharedPolicy<'e>),
    /// There is no robots.txt: the status was 4xx, there were too many redirects, or a redirect was not followed.
    NotThere(Obtained),
    /// robots.txt could not be fetched: the status was 5xx, or the network failed.
    Unreachable(Obtained),
    /// Neither bytes nor status are known.
    Unknown,
}

impl<'e> RobotsTxt<'e> {
    /// Returns the ACAP table of robots.txt, or `None` if it was not read or has no ACAP statements.
    #[inline]
    fn acap(&self) -> Option<&Acap> {
        match self {
            Self::Read(policy) => policy.acap(),
            Self::NotThere(_) | Self::Unreachable(_) | Self::Unknown => None,
        }
    }

    /// Compiles robots.txt if its status is 2xx (S-36). If the status is 4xx, if there were too many redirects, or if a
    /// redirect was not followed, there is no robots.txt. Otherwise, it is unreachable.
    fn obtained(obtained: Obtained, body: SharedBytes<'e>, reading: Reading) -> Self {
        match obtained {
            Obtained::Status(200..=299) => Self::Read(Compiler::new(reading).compile(body).into()),
            Obtained::Status(300..=499) | Obtained::TooManyRedirects => Self::NotThere(obtained),
            Obtained::Status(_) | Obtained::Unreachable => Self::Unreachable(obtained),
        }
    }
}

/// The maximum number of documents, other than robots.txt, that are read (S-22).
const MAX_DOCUMENTS: usize = 0x7FFF;

/// The document name of robots.txt.
pub const ROBOTS_TXT: &str = "robots.txt";
/// The document name of the response's headers.
pub const HEADERS: &str = "headers";
/// The document name of the page as sent.
pub const PAGE: &str = "page";
/// The document name of the page's DOM after its scripts.
pub const DOM: &str = "dom";

impl<'e> Site<'e> {
    /// Returns a builder for a site whose documents are parsed in this reading.
    pub fn builder(reading: Reading) -> SiteBuilder<'e> {
        SiteBuilder::new(reading)
    }

    /// Returns a builder that contains this site's documents, for building another site that differs in some of them.
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

    /// Returns a site with only a robots.txt, which was fetched with status 200.
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, decide};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /cart\n", Reading::Default);
    /// let crawler = Crawler::named("ExampleBot");
    /// let decision = decide(&site, &ProposedUse::new("https://site.example/cart", &crawler, &Usage::Crawl))?;
    /// assert_eq!(decision.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn of_robots_txt(text: impl Into<SharedBytes<'e>>, reading: Reading) -> Self {
        Self::builder(reading).with_robots_txt(Obtained::Status(200), text).build()
    }

    /// Returns a site with only a compiled robots.txt. The policy is shared, not copied.
    ///
    /// ```
    /// use byleave::{Policy, Site};
    /// let policy = Policy::parse(b"User-agent: *\nDisallow: /cart\n");
    /// let site = Site::of_policy(&policy);
    /// assert_eq!(site.policy().map(Policy::rule_count), Some(1));
    /// ```
    #[must_use]
    pub fn of_policy(policy: impl Into<SharedPolicy<'e>>) -> Self {
        Self::builder(Reading::Default).with_policy(policy).build()
    }

    /// Returns the crawlers that directives in headers and META tags name, as written and without duplicates.
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

    /// Parses headers and pages. robots.txt is parsed earlier, because META tags may use its definitions.
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
                        // A page without statements still counts as a page (S-25).
                        None => ParsedDocument::new(number, kind, switches),
                    }
                }
                _ => continue,
            };
            response.add(parsed, switches, self.robots_txt.acap());
        }
        self.response = response;
    }

    /// Returns the page's media type: the one that the caller stated, or else the one in the headers.
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

    /// Returns a page, ready to be parsed, or `None` if it is not HTML.
    ///
    /// Cost: independent of the page's size once the response has been parsed. This matters because every part of the
    /// page that is parsed later calls this function again.
    fn decoded<'d>(&self, document: &'d Document<'_>) -> Option<html::Decoded<'d>> {
        match document.how {
            Some(how) => Some(html::Decoded::restored(how, document.text())),
            None => self.newly_decoded(document),
        }
    }

    fn newly_decoded<'d>(&self, document: &'d Document<'_>) -> Option<html::Decoded<'d>> {
        // The response's content type and charset describe the page as sent. The caller may encode the DOM differently.
        let is_sent = document.role != Role::Dom;
        let (content_type, charset) = (self.content_type().filter(|_| is_sent), self.charset().filter(|_| is_sent));
        let is_html = html::is_html(&document.bytes, content_type);
        let decoded = || html::decoded(&document.bytes, charset, &Limits::default());
        let is_xml = content_type.is_some_and(html::is_xml);
        is_html.then(|| if is_xml { decoded().as_xml() } else { decoded() })
    }

    /// Parses each document that robots.txt refers to once (S-21).
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

    /// Returns the sources of a decision other than conventional groups, for a crawler with these capabilities.
    /// `elements` contains the statements on elements that the question needs ([`Site::elements`]).
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

    /// Whether restrictions in META tags outside `head` count (S-24, S-48).
    fn reads_body_metas(&self, capabilities: &Capabilities) -> bool {
        capabilities.body_meta || self.reading.switches().reads_body_metas
    }

    /// Returns the site without its page and headers, for questions about another resource on the site.
    pub(crate) fn without_response(&self) -> Self {
        Self { response: Response::default(), lazy: Lazy::default(), ..self.clone() }
    }

    /// Returns the ACAP tables of robots.txt and of each file that it refers to.
    pub(crate) fn robots_acaps(&self) -> impl Iterator<Item = &Acap> {
        self.robots_txt.acap().into_iter().chain(self.references.iter().map(|reference| &reference.acap))
    }

    /// Whether the page was supplied both as sent and after its scripts.
    pub(crate) fn has_source_and_dom(&self) -> bool {
        self.response.has_source_and_dom()
    }

    /// Returns the ACAP table of robots.txt.
    pub(crate) fn acap(&self) -> Option<&Acap> {
        self.robots_txt.acap()
    }

    /// Returns the document that contains a statement. The document has no text if the policy is owned.
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

    /// Returns a directive in a META tag or header, and the document that contains it.
    pub(crate) fn directive(&self, id: StatementId) -> Option<(&ParsedDocument, &AddressedDirective)> {
        let (response, number) = match id.source {
            Source::HeadDirectives(number) => (&self.response, number),
            Source::BodyDirectives(number) => (self.outside_head(), number),
            _ => return None,
        };
        let parsed = response.documents.get(usize::from(number))?;
        Some((parsed, parsed.directives.get(id.number as usize)?))
    }

    /// Returns the document whose META tags contain an ACAP statement.
    pub(crate) fn metas(&self, id: StatementId) -> Option<&ParsedDocument> {
        match id.source {
            Source::HeadAcap(number) => self.response.of_acap(number),
            Source::BodyAcap(number) => self.outside_head().of_acap(number),
            _ => None,
        }
    }

    /// Returns the time until which the page and its headers are fresh (RT 3.1.4). After that time, the crawler should
    /// fetch them again. Until it does, their restrictions remain in force.
    ///
    /// ```
    /// use byleave::{Headers, Reading, Site, Timestamp};
    /// let fetched: Timestamp = "2026-03-01T12:00:00Z".parse()?;
    /// let headers = Headers::new().with("Cache-Control", "max-age=3600");
    /// let site = Site::builder(Reading::Default).with_headers(headers).fetched_at(fetched).build();
    /// assert_eq!(site.fresh_until(), Some("2026-03-01T13:00:00Z".parse()?));
    /// # Ok::<(), byleave::model::ParseTimestampError>(())
    /// ```
    #[must_use]
    pub fn fresh_until(&self) -> Option<Timestamp> {
        let headers = self.headers.as_ref()?;
        headers.fresh_until(self.fetched)
    }

    /// Whether a limit cut off any part of the site (S-22).
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

    /// Returns the reading that the site was parsed in.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Returns what is known about robots.txt.
    #[must_use]
    pub fn robots_txt(&self) -> &RobotsTxt<'e> {
        &self.robots_txt
    }

    /// Returns the compiled robots.txt, or `None` if it was not read.
    #[must_use]
    pub fn policy(&self) -> Option<&Policy<'e>> {
        match &self.robots_txt {
            RobotsTxt::Read(policy) => Some(policy),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
        }
    }

    /// Whether robots.txt refers to a document with this name. If so, the document is read (S-21).
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

    /// Returns the site's documents, in the order in which they were supplied.
    #[must_use]
    pub fn documents(&self) -> &[Document<'e>] {
        &self.documents
    }
}

/// Parses a file that robots.txt refers to. Only its ACAP fields count. It may use the definitions in robots.txt
/// (S-21).
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
