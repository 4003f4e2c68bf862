//! Measures the cost of each of the engine's operations. An operation may use the result of an earlier operation, as a
//! caller would. Its cost does not include the earlier operation.

use crate::counters::{Count, count};
use byleave::analysis::html::{body_metas, decoded, head_metas};
use byleave::analysis::{StoredResponse, decide_unchecked, explain_unchecked, tree};
use byleave::diagnostic::diagnose;
use byleave::explain::report::Report;
use byleave::extract::{cut, extract, is_within};
use byleave::model::{Capabilities, Details};
use byleave::model::{Condition, LengthUnit};
use byleave::testing::Outline;
use byleave::testing::meta_directive_views;
use byleave::{
    Compiler, Crawler, Document, Headers, Limits, Obtained, Policy, ProposedUse, Reading, Site, Timestamp, Usage,
};
use std::hint::black_box;

/// The input for operations.
pub enum Input {
    /// A robots.txt file, an adversarial URL and crawler name, the usages, and a file that robots.txt refers to.
    RobotsTxt { text: Vec<u8>, url: String, crawler: String, usages: Vec<Usage>, reference: Option<Vec<u8>> },
    /// A page with an element `#x` to ask about, and a robots.txt.
    Page { page: Vec<u8>, robots_txt: Vec<u8>, questions: Questions },
    /// The value of a header field, or the content of a META tag.
    Value(String),
    /// The header lines of a stored response.
    Response(Vec<u8>),
    /// AI-preference dialects: in robots.txt, in header fields, or in a document at a location.
    Today { robots_txt: String, headers: Vec<(&'static str, String)>, document: Option<(&'static str, Vec<u8>)> },
    /// A snippet.
    Snippet(String),
    /// Lines that a faulty operation reads far too often.
    Fault(String),
}

/// The questions about a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Questions {
    /// Whether the page may be indexed and its links followed.
    Few,
    /// More usages, crawlers with other capabilities, and the same page as its DOM.
    Many,
}

impl Input {
    /// Returns a robots.txt file with a question about `crawl` for the crawler `AnyBot`.
    pub fn file(text: impl Into<Vec<u8>>, url: impl Into<String>) -> Self {
        Self::file_for("AnyBot", text, url)
    }

    /// Returns a robots.txt file with a question about `crawl` for a crawler with this name.
    pub fn file_for(crawler: impl Into<String>, text: impl Into<Vec<u8>>, url: impl Into<String>) -> Self {
        let (text, url, crawler) = (text.into(), url.into(), crawler.into());
        Self::RobotsTxt { text, url, crawler, usages: vec![Usage::Crawl], reference: None }
    }

    /// Returns an ACAP file with questions about more usages.
    pub fn acap(text: impl Into<Vec<u8>>) -> Self {
        let usages = vec![Usage::Crawl, Usage::PresentSnippet, Usage::named("zz")];
        let (url, crawler) = (format!("/{}", "a".repeat(2000)), "AnyBot".to_owned());
        Self::RobotsTxt { text: text.into(), url, crawler, usages, reference: None }
    }

    /// Returns an input with a page and without robots.txt.
    pub fn page(page: impl Into<Vec<u8>>, questions: Questions) -> Self {
        Self::Page { page: page.into(), robots_txt: Vec::new(), questions }
    }

    /// Returns the name and the cost of every operation on this input.
    pub fn operations(&self) -> Vec<(String, Count)> {
        let mut taken = Taken(Vec::new());
        match self {
            Self::RobotsTxt { text, url, crawler, usages, reference } => {
                let crawler = Crawler::named(crawler);
                taken.of_policy(text, url, &crawler);
                let site = Site::builder(Reading::Default).with_robots_txt(Obtained::Status(200), text);
                let site = match reference {
                    Some(bytes) => {
                        let site = site.with_document(Document::new("/r", bytes));
                        taken.count("read a reference", || site.build())
                    }
                    None => site.build(),
                };
                taken.of_questions(&site, url, &crawler, usages);
                taken.count("diagnostics", || site.diagnostics().len());
                taken.count("diagnose, strict", || diagnose(text, Reading::Strict));
                taken.count("tree", || tree(text, Reading::Default).leaves().count());
            }
            Self::Page { page, robots_txt, questions } => taken.of_page(page, robots_txt, *questions),
            Self::Value(value) => taken.of_value(value),
            Self::Response(bytes) => {
                let stored = taken.count("parse a response", || StoredResponse::parse(bytes));
                taken.of_headers(stored.headers);
            }
            Self::Today { robots_txt, headers, document } => taken.of_today(robots_txt, headers, document.as_ref()),
            Self::Snippet(text) => {
                for (unit, most) in
                    [(LengthUnit::Words, u64::MAX), (LengthUnit::Chars, u64::MAX), (LengthUnit::Chars, 9)]
                {
                    let conditions = [Condition::MaxLength(most, unit)];
                    taken.count(&format!("cut, {unit:?} {most}"), || cut(text, &conditions));
                    taken.count(&format!("is within, {unit:?} {most}"), || is_within(text, &conditions));
                }
                taken.of_snippet(text);
            }
            Self::Fault(text) => {
                let scan =
                    || text.lines().filter(|line| text.lines().filter(|other| other == line).count() > 1).count();
                taken.count("examine every line for every line", scan);
                let copy = || text.lines().map(|_| black_box(text.to_owned()).len()).sum::<usize>();
                taken.count("copy all lines for every line", copy);
            }
        }
        taken.0
    }
}

/// The names and costs of the operations so far.
struct Taken(Vec<(String, Count)>);

impl Taken {
    fn count<T>(&mut self, operation: &str, work: impl FnOnce() -> T) -> T {
        let (done, taken) = count(work);
        self.0.push((operation.to_owned(), taken));
        black_box(done)
    }

    fn of_today(
        &mut self,
        robots_txt: &str,
        headers: &[(&'static str, String)],
        document: Option<&(&'static str, Vec<u8>)>,
    ) {
        let mut fields = Headers::new();
        for (name, value) in headers {
            fields = fields.with(name, value.as_bytes());
        }
        let read = || {
            let site = Site::builder(Reading::Default)
                .with_robots_txt(Obtained::Status(200), robots_txt.as_bytes())
                .with_headers(fields);
            let site = match document {
                Some((place, bytes)) => site.with_document(Document::new(*place, &bytes[..])),
                None => site,
            };
            site.build()
        };
        let site = self.count("read", read);
        let crawler = Crawler::named("AnyBot");
        let url = "https://site.example/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        for usage in [Usage::TrainAi, Usage::Crawl] {
            let proposed = ProposedUse::new(url, &crawler, &usage);
            self.of_question(usage.name(), &site, &proposed);
        }
        self.count("diagnostics", || site.diagnostics().len());
    }

    fn of_policy(&mut self, text: &[u8], url: &str, crawler: &Crawler) {
        for reading in Reading::OF_ROBOTS_TXT {
            let policy = self.count(&format!("compile, {reading}"), || Compiler::new(*reading).compile(text));
            let bound = self.count(&format!("bind, {reading}"), || policy.bind(crawler));
            self.count(&format!("may crawl, {reading}"), || bound.may_crawl(url));
            if *reading != Reading::Default {
                continue;
            }
            self.count("facts", || policy.facts());
            self.count("facts for a crawler", || policy.facts_for(&bound));
            self.count("crawlers named", || policy.crawlers_named().len());
            self.count("statements", || policy.statements().iter().count());
            let saved = self.count("save", || policy.to_bytes());
            let loaded = self.count("load", || Policy::from_bytes(&saved).ok());
            let loaded = loaded.expect("what was saved can be loaded");
            let bound = self.count("bind, loaded", || loaded.bind(crawler));
            self.count("may crawl, loaded", || bound.may_crawl(url));
            let site = Site::builder(*reading).with_policy(loaded).build();
            let proposed = ProposedUse::new(url, crawler, &Usage::Crawl);
            self.count("explain, loaded", || explain_unchecked(&site, &proposed));
        }
    }

    fn of_questions(&mut self, site: &Site<'_>, url: &str, crawler: &Crawler, usages: &[Usage]) {
        for usage in usages {
            let named = usage.name();
            let proposed = ProposedUse::new(url, crawler, usage);
            self.of_question(named, site, &proposed);
            let mut arranged = Capabilities::default();
            (arranged.prior_arrangement, arranged.not_ready, arranged.strawman) = (true, true, true);
            let mut proposed = proposed;
            proposed.capabilities = &arranged;
            self.of_question(&format!("{named}, all capabilities"), site, &proposed);
        }
    }

    fn of_question(&mut self, about: &str, site: &Site<'_>, proposed: &ProposedUse<'_>) {
        self.count(&format!("decide {about}"), || decide_unchecked(site, proposed));
        let explanation = self.count(&format!("explain {about}"), || explain_unchecked(site, proposed));
        self.count(&format!("sentences of {about}"), || {
            let lost = explanation.considered.iter().map(|lost| lost.sentence().len()).sum::<usize>();
            explanation.sentence(proposed).len() + lost + explanation.rules().len()
        });
        self.count(&format!("report {about}"), || Report::new(site, proposed, &explanation).with_trace(&explanation));
    }

    fn of_page(&mut self, bytes: &[u8], robots_txt: &[u8], questions: Questions) {
        let mut limits = Limits::default();
        limits.page = Limits::MAX_PAGE;
        let page = self.count("decode", || decoded(bytes, None, &limits));
        self.count("METAs of the head", || {
            let mut length = 0;
            head_metas(&page, |tag| {
                length += [tag.name(), tag.content(), tag.value(), tag.attribute("missing")].iter().flatten().count();
            });
            length
        });
        self.count("METAs outside", || {
            let mut length = 0;
            body_metas(&page, |tag| length += tag.content().map_or(0, |content| content.len()));
            length
        });
        self.count("whether elements matter", || Outline::may_matter(&page, true, &["x-missing", "\u{e9}"]));
        let outline = self.count("elements", || Outline::of(&page));
        self.count("an element by id and class", || (outline.with_id("x-missing"), outline.with_class("x-missing")));
        self.count("the profile", || outline.has_profile("x-missing"));
        drop(outline);
        let read = || {
            Site::builder(Reading::Default)
                .with_robots_txt(byleave::Obtained::Status(200), robots_txt)
                .with_page(bytes)
                .build()
        };
        let site = self.count("read the page", read);
        let mut able = Capabilities::default();
        able.body_meta = true;
        self.of_parts("index", &site, &Usage::Index, &able);
        self.of_parts("follow", &site, &Usage::Follow, &able);
        self.count("diagnostics", || site.diagnostics().len());
        if questions == Questions::Few {
            return;
        }
        let (mut strawman, mut unable) = (Capabilities::default(), Capabilities::default());
        (strawman.prior_arrangement, strawman.not_ready, strawman.strawman) = (true, true, true);
        unable.element_level = false;
        self.of_parts("present-snippet, strawman", &site, &Usage::PresentSnippet, &strawman);
        self.of_parts("index, elements unread", &site, &Usage::Index, &unable);
        let site = self.count("read the page and its DOM", || read().to_builder().with_dom(bytes).build());
        self.of_parts("index, with DOM", &site, &Usage::Index, &able);
        self.count("diagnostics, with DOM", || site.diagnostics().len());
    }

    /// Decides about a page and about a part of the page, and extracts the text that may be used.
    fn of_parts(&mut self, about: &str, site: &Site<'_>, usage: &Usage, capabilities: &Capabilities) {
        let crawler = Crawler::named("AnyBot");
        let mut page = ProposedUse::new("https://site.example/a", &crawler, usage);
        page.capabilities = capabilities;
        let mut part = page;
        part.element = Some("#x");
        self.of_question(about, site, &page);
        self.count(&format!("decide a part, {about}"), || decide_unchecked(site, &part));
        self.of_question(&format!("a part again, {about}"), site, &part);
        let extract = self.count(&format!("extract {about}"), || extract(site, &page));
        if let Some(extract) = extract {
            self.count(&format!("text {about}"), || extract.text());
            self.count(&format!("HTML {about}"), || extract.html());
        }
    }

    fn of_value(&mut self, value: &str) {
        self.count("META words", || meta_directive_views(value.as_bytes()));
        let mut raised = Limits::default();
        raised.robots_tag = Limits::MAX_DOCUMENT;
        for field in ["Robots-Tag", "X-Robots-Tag"] {
            let headers = self.count(&format!("keep {field}"), || Headers::new().with(field, value));
            self.count(&format!("directives in {field}"), || headers.directive_views(&raised));
            self.count(&format!("directives in {field}, up to the limit"), || {
                headers.directive_views(&Limits::default())
            });
        }
        let dates = ["Expires", "Date", "Age", "Cache-Control", "Content-Type"].map(|field| (field, value));
        let headers: Headers = dates.into_iter().collect();
        self.count("how long it is fresh", || headers.fresh_until(Some(Timestamp::from_unix(0))));
        self.count("charset", || (headers.charset().map(str::len), headers.content_type().map(str::len)));
        let fields = ["Robots-Tag", "X-Robots-Tag"].map(|field| (field, value));
        self.of_headers(fields.into_iter().collect());
    }

    fn of_headers(&mut self, headers: Headers) {
        let site = self.count("read headers", || Site::builder(Reading::Default).with_headers(headers).build());
        let crawler = Crawler::named("AnyBot");
        self.of_questions(&site, "https://site.example/a", &crawler, &[Usage::Index, Usage::PresentSnippet]);
        self.count("diagnostics", || site.diagnostics().len());
    }

    fn of_snippet(&mut self, text: &str) {
        let page = b"<meta name=robots content='ACAP allow-present-snippet max-length=9-words, max-snippet: 5'>";
        let site = Site::builder(Reading::Default).with_page(page).build();
        let crawler = Crawler::named("AnyBot");
        let mut proposed = ProposedUse::new("https://site.example/a", &crawler, &Usage::PresentSnippet);
        proposed.details = Details { snippet: Some(text), ..Details::default() };
        self.count("decide with a snippet", || decide_unchecked(&site, &proposed));
    }
}
