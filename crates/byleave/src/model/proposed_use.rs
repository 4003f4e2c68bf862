//! Proposed uses: which crawler makes which use of which resource, and what else is known about the use.

use crate::base::timestamp::Timestamp;
use crate::model::Usage;
use crate::model::crawler::Crawler;

/// The question: may this crawler make this use of this resource?
///
/// ```
/// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage};
/// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /drafts/\n", Reading::Default);
/// let crawler = Crawler::named("AnyBot");
/// let proposed = ProposedUse::new("https://site.example/drafts/1", &crawler, &Usage::Index);
/// let decision = byleave::decide(&site, &proposed)?;
/// assert_eq!(decision.outcome, Outcome::Unstated);
/// assert_eq!(decision.effective, Outcome::Prohibited, "what may not be crawled cannot be indexed");
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProposedUse<'q> {
    /// The resource, as an absolute http(s) URL or a path that begins with `/`.
    pub url: &'q str,
    /// The crawler.
    pub crawler: &'q Crawler,
    /// The usage that the crawler proposes.
    pub usage: &'q Usage,
    /// The part of the page, as `#id` or `.class`. The first match in document order counts (S-16). `None` means the
    /// whole page.
    pub element: Option<&'q str>,
    /// The purposes that the crawler recognises as its own.
    pub purposes: &'q [String],
    /// The time of the use.
    pub at: Option<Timestamp>,
    /// Earlier uses of the resource.
    pub history: History,
    /// How the use would be made, as far as that is known.
    pub details: Details<'q>,
    /// What the crawler can and cannot do.
    pub capabilities: &'q Capabilities,
    /// What the caller does if no statement applies.
    pub unstated: UnstatedDefault,
    /// The part of the page as an element number, for questions that the engine asks internally.
    pub(crate) part: Option<PagePart>,
}

/// An element of the page, either as the server sent the page or after its scripts ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PagePart {
    /// The number of the page among the pages whose elements were parsed.
    pub(crate) page: usize,
    pub(crate) element: ElementId,
}

impl<'q> ProposedUse<'q> {
    /// Returns whether the question is about a part of the page.
    pub(crate) fn is_of_part(&self) -> bool {
        self.element.is_some() || self.part.is_some()
    }

    /// Returns a question without any details.
    #[must_use]
    pub fn new(url: &'q str, crawler: &'q Crawler, usage: &'q Usage) -> Self {
        const PLAIN: &Capabilities = &Capabilities::PLAIN;
        Self {
            url,
            crawler,
            usage,
            element: None,
            purposes: &[],
            at: None,
            history: History::default(),
            details: Details::default(),
            capabilities: PLAIN,
            unstated: UnstatedDefault::Permit,
            part: None,
        }
    }

    /// Asks about a part of the page, given as `#id` or `.class`. The first match in document order counts (S-16).
    ///
    /// ```
    /// use byleave::{Crawler, Obtained, Outcome, ProposedUse, Reading, Site, Usage, decide};
    /// let site = Site::builder(Reading::GoogleSearch)
    ///     .with_robots_txt(Obtained::Status(200), b"User-agent: *\nDisallow:\n")
    ///     .with_page(b"<p>Free</p><div id=paid data-nosnippet>Paid</div>")
    ///     .build();
    /// let crawler = Crawler::named("Googlebot");
    /// let question = ProposedUse::new("https://site.example/", &crawler, &Usage::PresentSnippet);
    /// assert_eq!(decide(&site, &question)?.outcome, Outcome::Unstated);
    /// assert_eq!(decide(&site, &question.with_element("#paid"))?.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn with_element(self, element: &'q str) -> Self {
        Self { element: Some(element), ..self }
    }

    /// Sets the purposes that the crawler recognises as its own.
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, decide};
    /// let robots_txt = b"ACAP-crawler: *\nACAP-usage-purpose: archiving\nACAP-disallow-preserve: /news/\n";
    /// let site = Site::of_robots_txt(robots_txt, Reading::Default);
    /// let crawler = Crawler::named("ExampleBot");
    /// let purposes = ["archiving".to_owned()];
    /// let question = ProposedUse::new("/news/1", &crawler, &Usage::Preserve);
    /// assert_eq!(decide(&site, &question)?.outcome, Outcome::Unstated);
    /// assert_eq!(decide(&site, &question.with_purposes(&purposes))?.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn with_purposes(self, purposes: &'q [String]) -> Self {
        Self { purposes, ..self }
    }

    /// Sets the time of the use. Without a time, time limits are not checked.
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, decide};
    /// let robots_txt = b"ACAP-crawler: *\nACAP-allow-index: /news/ time-limit=until-2026-03-31\n";
    /// let site = Site::of_robots_txt(robots_txt, Reading::Default);
    /// let crawler = Crawler::named("NewsBot");
    /// let question = ProposedUse::new("https://site.example/news/1", &crawler, &Usage::Index);
    /// let outcome = |time: &str| Ok::<_, Box<dyn std::error::Error>>(decide(&site, &question.with_time(time.parse()?))?.outcome);
    /// assert_eq!(outcome("2026-03-31T12:00:00Z")?, Outcome::Conditional);
    /// assert_eq!(outcome("2026-04-01T00:00:00Z")?, Outcome::Prohibited);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_time(self, at: Timestamp) -> Self {
        Self { at: Some(at), ..self }
    }

    /// Sets the earlier uses of the resource (S-20).
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, decide, model::History};
    /// let robots_txt = b"ACAP-crawler: *\nACAP-allow-preserve: /news/ time-limit=30-days\n";
    /// let site = Site::of_robots_txt(robots_txt, Reading::Default);
    /// let crawler = Crawler::named("NewsBot");
    /// let question = ProposedUse::new("https://site.example/news/1", &crawler, &Usage::Preserve)
    ///     .with_time("2026-03-31T12:00:00Z".parse()?)
    ///     .with_history(History::default().with_first_use("2026-01-01T12:00:00Z".parse()?));
    /// assert_eq!(decide(&site, &question)?.outcome, Outcome::Prohibited);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_history(self, history: History) -> Self {
        Self { history, ..self }
    }

    /// Sets the details of how the use would be made. Conditions are checked against these details (S-29).
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, decide, model::Details};
    /// let robots_txt = b"ACAP-crawler: *\nACAP-allow-present-snippet: /news/ max-length=3-words\n";
    /// let site = Site::of_robots_txt(robots_txt, Reading::Default);
    /// let crawler = Crawler::named("NewsBot");
    /// let question = ProposedUse::new("https://site.example/news/1", &crawler, &Usage::PresentSnippet);
    /// let details = Details::default().with_snippet("a snippet of five words");
    /// assert_eq!(decide(&site, &question.with_details(details))?.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn with_details(self, details: Details<'q>) -> Self {
        Self { details, ..self }
    }

    /// Sets what the crawler can and cannot do.
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, decide, model::Capabilities};
    /// let robots_txt = b"ACAP-crawler: *\nACAP-allow-present-snippet: /news/ max-length=30-words\n";
    /// let site = Site::of_robots_txt(robots_txt, Reading::Default);
    /// let crawler = Crawler::named("NewsBot");
    /// let question = ProposedUse::new("https://site.example/news/1", &crawler, &Usage::PresentSnippet);
    /// assert_eq!(decide(&site, &question)?.outcome, Outcome::Conditional);
    /// let capabilities = Capabilities::default().unable_to("max-length");
    /// assert_eq!(decide(&site, &question.with_capabilities(&capabilities))?.outcome, Outcome::Prohibited);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn with_capabilities(self, capabilities: &'q Capabilities) -> Self {
        Self { capabilities, ..self }
    }

    /// Sets what the caller does if no statement applies.
    #[must_use]
    pub fn with_unstated(self, unstated: UnstatedDefault) -> Self {
        Self { unstated, ..self }
    }
}

/// The error for a question whose URL is neither an http(s) URL nor a path that begins with `/`.
///
/// ```
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, decide};
/// let site = Site::of_robots_txt(b"", Reading::Default);
/// let crawler = Crawler::named("AnyBot");
/// let error = decide(&site, &ProposedUse::new("ftp://site.example/", &crawler, &Usage::Crawl)).unwrap_err();
/// assert_eq!(error.to_string(), "`ftp://site.example/` is neither an http(s) URL nor a path that begins with `/`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidUrlError {
    pub(crate) url: String,
}

impl std::fmt::Display for InvalidUrlError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is neither an http(s) URL nor a path that begins with `/`", self.url.escape_debug())
    }
}

impl std::error::Error for InvalidUrlError {}

/// Earlier uses of the resource (S-20). See [`ProposedUse::with_history`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// When this use of the resource was first made.
    pub first_used: Option<Timestamp>,
    /// Whether the resource has been crawled again since the first use.
    pub is_recrawled: bool,
}

/// How the use would be made, as far as that is known (S-29). See [`ProposedUse::with_details`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details<'q> {
    /// The text that would be shown.
    pub snippet: Option<&'q str>,
    /// The kind of change: `format`, `style`, `translation`, `annotation`, `none`.
    pub modification: Option<&'q str>,
    /// The frame in which the resource is shown: `within-user-frame` or `within-original-frame`.
    pub context: Option<&'q str>,
}

/// What a crawler can do, and what it has arranged with the site (S-16, S-24, S-28, S-37, S-38). See
/// [`ProposedUse::with_capabilities`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// Whether the crawler can distinguish the elements of a page.
    pub element_level: bool,
    /// Whether the site and the crawler have agreed on the features that need an arrangement.
    pub prior_arrangement: bool,
    /// Whether the crawler interprets features that ACAP marks as not ready.
    pub not_ready: bool,
    /// Whether the crawler interprets ACAP's strawman of 2007.
    pub strawman: bool,
    /// Whether the crawler obeys restrictions in META tags outside `head`.
    pub body_meta: bool,
    /// The usages, qualifiers and directives that the crawler cannot interpret.
    pub unable: Vec<String>,
}

impl History {
    /// Sets the time at which this use of the resource was first made.
    #[must_use]
    pub fn with_first_use(self, first_used: Timestamp) -> Self {
        Self { first_used: Some(first_used), ..self }
    }

    /// States that the resource has been crawled again since the first use.
    #[must_use]
    pub fn with_recrawl(self) -> Self {
        Self { is_recrawled: true, ..self }
    }
}

impl<'q> Details<'q> {
    /// Sets the text that would be shown.
    #[must_use]
    pub fn with_snippet(self, snippet: &'q str) -> Self {
        Self { snippet: Some(snippet), ..self }
    }

    /// Sets the kind of modification: `format`, `style`, `translation`, `annotation` or `none`.
    #[must_use]
    pub fn with_modification(self, modification: &'q str) -> Self {
        Self { modification: Some(modification), ..self }
    }

    /// Sets the frame in which the resource is shown: `within-user-frame` or `within-original-frame`.
    #[must_use]
    pub fn with_context(self, context: &'q str) -> Self {
        Self { context: Some(context), ..self }
    }
}

impl Capabilities {
    /// States that the crawler cannot distinguish the elements of a page (S-16).
    #[must_use]
    pub fn without_elements(self) -> Self {
        Self { element_level: false, ..self }
    }

    /// States that the site and the crawler have an arrangement for the features that need one (S-37).
    #[must_use]
    pub fn with_prior_arrangement(self) -> Self {
        Self { prior_arrangement: true, ..self }
    }

    /// States that the crawler interprets features that ACAP marks as not ready (S-37).
    #[must_use]
    pub fn with_not_ready_features(self) -> Self {
        Self { not_ready: true, ..self }
    }

    /// States that the crawler interprets ACAP's strawman of 2007 (S-28).
    #[must_use]
    pub fn with_strawman(self) -> Self {
        Self { strawman: true, ..self }
    }

    /// States that the crawler obeys restrictions in META tags outside `head` (S-24).
    #[must_use]
    pub fn with_body_meta(self) -> Self {
        Self { body_meta: true, ..self }
    }

    /// States that the crawler cannot interpret this usage, qualifier or directive (S-38).
    #[must_use]
    pub fn unable_to(mut self, name: impl Into<String>) -> Self {
        self.unable.push(name.into());
        self
    }

    const PLAIN: Self = Self {
        element_level: true,
        prior_arrangement: false,
        not_ready: false,
        strawman: false,
        body_meta: false,
        unable: Vec::new(),
    };
}

impl Default for Capabilities {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// What the caller does if no statement applies. A missing statement is not consent, so the caller has to choose.
///
/// ```
/// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, UnstatedDefault, Usage, decide};
/// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /private/\n", Reading::Default);
/// let crawler = Crawler::named("ExampleBot");
/// let question = ProposedUse::new("https://site.example/news/", &crawler, &Usage::TrainAi);
/// let decision = decide(&site, &question.with_unstated(UnstatedDefault::Prohibit))?;
/// assert_eq!((decision.outcome, decision.effective), (Outcome::Unstated, Outcome::Prohibited));
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnstatedDefault {
    /// Makes the use, because nothing prohibits it.
    #[default]
    Permit,
    /// Does not make the use.
    Prohibit,
}

/// The number of an element in document order, starting with `html` as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ElementId(pub(crate) u32);
