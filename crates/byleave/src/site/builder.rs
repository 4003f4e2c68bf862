//! The site builder: collects documents in any order, and parses them when all are known.

use super::document::Role;
use super::{DOM, Document, HEADERS, Lazy, PAGE, ROBOTS_TXT, RobotsTxt, Site};
use crate::base::shared_bytes::SharedBytes;
use crate::base::timestamp::Timestamp;
use crate::formats::http::Headers;
use crate::model::Obtained;
use crate::model::reading::Reading;
use crate::policy::SharedPolicy;
use crate::site::response::Response;

/// Collects a site's documents. [`SiteBuilder::build`] parses them. The order in which they are supplied does not
/// matter.
///
/// Documents are borrowed or owned. A site that is built only from owned bytes is `'static` and can be sent to another
/// thread.
///
/// ```
/// use byleave::{Obtained, Reading, Site};
/// let site: Site<'static> = Site::builder(Reading::Default)
///     .with_robots_txt(Obtained::Status(200), b"User-agent: *\nDisallow:\n".to_vec())
///     .with_page(b"<!doctype html><title>News</title>".to_vec())
///     .build();
/// std::thread::spawn(move || assert_eq!(site.documents().len(), 2)).join().unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct SiteBuilder<'e> {
    reading: Reading,
    robots_txt: GivenRobotsTxt<'e>,
    documents: Vec<Document<'e>>,
    content_type: Option<String>,
    headers: Option<Headers>,
    fetched: Option<Timestamp>,
}

/// What the caller supplied for robots.txt.
#[derive(Clone, Debug)]
enum GivenRobotsTxt<'e> {
    /// Neither bytes nor status.
    Nothing,
    /// How robots.txt was obtained. Its bytes are among the documents.
    Obtained(Obtained),
    /// A policy that was compiled or loaded earlier.
    Policy(SharedPolicy<'e>),
}

impl<'e> SiteBuilder<'e> {
    pub(super) fn new(reading: Reading) -> Self {
        Self {
            reading,
            robots_txt: GivenRobotsTxt::Nothing,
            documents: Vec::new(),
            content_type: None,
            headers: None,
            fetched: None,
        }
    }

    pub(super) fn of_site(site: &Site<'e>) -> Self {
        let robots_txt = match &site.robots_txt {
            RobotsTxt::Unknown => GivenRobotsTxt::Nothing,
            RobotsTxt::Read(policy) => GivenRobotsTxt::Policy(policy.clone()),
            RobotsTxt::NotThere(obtained) | RobotsTxt::Unreachable(obtained) => GivenRobotsTxt::Obtained(*obtained),
        };
        let Site { reading, documents, content_type, headers, fetched, .. } = site.clone();
        Self { reading, robots_txt, documents, content_type, headers, fetched }
    }

    /// Supplies robots.txt: how it was obtained, and its bytes. The bytes count only if the status is 2xx (S-36).
    ///
    /// ```
    /// use byleave::{Crawler, Obtained, Outcome, ProposedUse, Reading, Site, Usage, decide};
    /// let missing = Site::builder(Reading::Default).with_robots_txt(Obtained::Status(404), b"").build();
    /// let failed = Site::builder(Reading::Default).with_robots_txt(Obtained::Status(503), b"").build();
    /// let crawler = Crawler::named("AnyBot");
    /// let question = ProposedUse::new("https://site.example/", &crawler, &Usage::Crawl);
    /// assert_eq!(decide(&missing, &question)?.outcome, Outcome::Permitted);
    /// assert_eq!(decide(&failed, &question)?.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    pub fn with_robots_txt(mut self, obtained: Obtained, body: impl Into<SharedBytes<'e>>) -> Self {
        self.robots_txt = GivenRobotsTxt::Obtained(obtained);
        self.put(Role::RobotsTxt, Document::new(ROBOTS_TXT, body).obtained(obtained));
        self
    }

    /// Supplies robots.txt as a policy that was compiled or loaded earlier. The policy is shared, not copied, and the
    /// site uses the policy's reading.
    ///
    /// ```
    /// use byleave::{Policy, Reading, Site};
    /// use std::sync::Arc;
    /// let policy = Arc::new(Policy::parse(b"User-agent: *\nDisallow: /private/\n"));
    /// let pages = [&b"<title>A</title>"[..], b"<title>B</title>"];
    /// let sites = pages.map(|page| Site::builder(Reading::Default).with_policy(policy.clone()).with_page(page).build());
    /// assert_eq!(Arc::strong_count(&policy), 3);
    /// # drop(sites);
    /// ```
    pub fn with_policy(mut self, policy: impl Into<SharedPolicy<'e>>) -> Self {
        let policy = policy.into();
        self.reading = policy.reading();
        if let Some(text) = policy.shared_text() {
            self.put(Role::RobotsTxt, Document::new(ROBOTS_TXT, text));
        }
        self.robots_txt = GivenRobotsTxt::Policy(policy);
        self
    }

    /// Supplies the headers of the page's response.
    ///
    /// ```
    /// use byleave::{Crawler, Headers, Outcome, ProposedUse, Reading, Site, Usage};
    /// let headers = Headers::new().with("X-Robots-Tag", "otherbot: noindex, nofollow");
    /// let site = Site::builder(Reading::Default).with_headers(headers).build();
    /// let outcome = |name| {
    ///     let crawler = Crawler::named(name);
    ///     byleave::decide(&site, &ProposedUse::new("/", &crawler, &Usage::Index)).map(|decision| decision.outcome)
    /// };
    /// assert_eq!(outcome("OtherBot"), Ok(Outcome::Prohibited));
    /// assert_eq!(outcome("AnyBot"), Ok(Outcome::Unstated));
    /// ```
    pub fn with_headers(mut self, headers: Headers) -> Self {
        self.put(Role::Headers, Document::new(HEADERS, headers.text().to_vec()));
        self.headers = Some(headers);
        self
    }

    /// Supplies the page as the server sent it. Only its `head` is parsed immediately.
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage};
    /// let page = b"<!doctype html><title>News</title><meta name=robots content='noindex, max-snippet: 50'>";
    /// let site = Site::builder(Reading::Default).with_page(page).build();
    /// let crawler = Crawler::named("AnyBot");
    /// let decision = byleave::decide(&site, &ProposedUse::new("https://site.example/", &crawler, &Usage::Index))?;
    /// assert_eq!(decision.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    pub fn with_page(mut self, page: impl Into<SharedBytes<'e>>) -> Self {
        self.put(Role::Page, Document::new(PAGE, page));
        self
    }

    /// Supplies the page's DOM after its scripts ran, serialized as HTML (S-25).
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, decide};
    /// let page = b"<!doctype html><title>News</title><script src=robots.js></script>";
    /// let dom = b"<!doctype html><title>News</title><meta name=robots content=noindex>";
    /// let site = Site::builder(Reading::Default).with_page(page).with_dom(dom).build();
    /// let crawler = Crawler::named("ExampleBot");
    /// let decision = decide(&site, &ProposedUse::new("https://site.example/", &crawler, &Usage::Index))?;
    /// assert_eq!(decision.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    pub fn with_dom(mut self, dom: impl Into<SharedBytes<'e>>) -> Self {
        self.put(Role::Dom, Document::new(DOM, dom));
        self
    }

    /// Supplies the page's media type in the form of `Content-Type`. It takes precedence over that header.
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, decide};
    /// let page = b"<meta name=robots content=noindex>";
    /// let crawler = Crawler::named("ExampleBot");
    /// let question = ProposedUse::new("/notes.txt", &crawler, &Usage::Index);
    /// let html = Site::builder(Reading::Default).with_page(page).with_content_type("text/html").build();
    /// let text = Site::builder(Reading::Default).with_page(page).with_content_type("text/plain").build();
    /// assert_eq!(decide(&html, &question)?.outcome, Outcome::Prohibited);
    /// assert_eq!(decide(&text, &question)?.outcome, Outcome::Unstated);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    pub fn with_content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Supplies another document, such as a file that robots.txt refers to, tdmrep.json, a licence, ai.txt or
    /// trust.txt.
    ///
    /// ```
    /// use byleave::{Crawler, Document, Outcome, ProposedUse, Reading, Site, Usage, decide};
    /// let rules = br#"[{"location": "/archive/*", "tdm-reservation": 1}]"#;
    /// let document = Document::new("/.well-known/tdmrep.json", &rules[..]);
    /// let site = Site::builder(Reading::Default).with_document(document).build();
    /// let crawler = Crawler::named("ExampleBot");
    /// let decision = decide(&site, &ProposedUse::new("/archive/1999", &crawler, &Usage::Tdm))?;
    /// assert_eq!(decision.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    pub fn with_document(mut self, document: Document<'e>) -> Self {
        self.documents.push(document);
        self
    }

    /// States when the page was fetched. The page's freshness is counted from this time.
    pub fn fetched_at(mut self, fetched: Timestamp) -> Self {
        self.fetched = Some(fetched);
        self
    }

    /// Parses the documents and returns the site.
    ///
    /// Cost: linear in robots.txt, the files it refers to, the headers and the page's `head`. The rest of the page and
    /// other documents are parsed when a question first needs them.
    #[must_use]
    pub fn build(self) -> Site<'e> {
        let Self { reading, robots_txt, documents, content_type, headers, fetched } = self;
        let robots_txt = match robots_txt {
            GivenRobotsTxt::Nothing => RobotsTxt::Unknown,
            GivenRobotsTxt::Policy(policy) => RobotsTxt::Read(policy),
            GivenRobotsTxt::Obtained(obtained) => {
                let document = documents.iter().find(|document| document.role == Role::RobotsTxt);
                let body = document.map(|document| document.bytes.clone()).unwrap_or_default();
                RobotsTxt::obtained(obtained, body, reading)
            }
        };
        let mut site = Site {
            reading,
            robots_txt,
            documents,
            references: Vec::new(),
            links: Vec::new(),
            content_type,
            headers,
            fetched,
            response: Response::default(),
            lazy: Lazy::default(),
        };
        site.read_references();
        site.read_response();
        site
    }

    /// Adds the document, or replaces the document that has this role.
    fn put(&mut self, role: Role, document: Document<'e>) {
        let document = document.with_role(role);
        match self.documents.iter_mut().find(|known| known.role == role) {
            Some(known) => *known = document,
            None => self.documents.push(document),
        }
    }
}
