//! The question: who wants to do what with which resource, when and how.

use crate::base::timestamp::Timestamp;
use crate::model::Usage;
use crate::model::crawler::Crawler;

/// The question: who wants to do what with which resource, when and how.
///
/// ```
/// use byleave::{Crawler, Evidence, Outcome, ProposedUse, Reading, Usage};
/// let evidence = Evidence::of_robots_txt(b"User-agent: *\nDisallow: /drafts/\n", Reading::Default);
/// let crawler = Crawler::named("AnyBot");
/// let proposed = ProposedUse::new("https://site.example/drafts/1", &crawler, &Usage::Index);
/// let decision = byleave::decide(&evidence, &proposed);
/// assert_eq!(decision.outcome, Outcome::Unstated);
/// assert_eq!(decision.effective, Outcome::Prohibited, "what may not be crawled cannot be indexed");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProposedUse<'q> {
    /// The resource: an absolute http(s) URL, or a path that begins with `/`.
    pub url: &'q str,
    /// The crawler.
    pub crawler: &'q Crawler,
    /// What it would do.
    pub usage: &'q Usage,
    /// The part of the page it is about: `#id` or `.class`, the first in document order (S-16); nothing: the page.
    pub element: Option<&'q str>,
    /// The purposes it recognises as its own.
    pub purposes: &'q [String],
    /// When.
    pub at: Option<Timestamp>,
    /// What went before.
    pub history: History,
    /// What is known of how it would be done.
    pub details: Details<'q>,
    /// What the crawler can and cannot do.
    pub capabilities: &'q Capabilities,
    /// What the caller does where nothing is stated.
    pub unstated: UnstatedDefault,
    /// The part by its number, where we ask ourselves.
    pub(crate) part: Option<PagePart>,
}

/// An element of one of the pages: of the page as it was sent, or after scripts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PagePart {
    /// Which of the pages whose elements are read.
    pub(crate) page: usize,
    pub(crate) element: ElementId,
}

impl<'q> ProposedUse<'q> {
    /// Whether it is about a part of the page.
    pub(crate) fn is_of_part(&self) -> bool {
        self.element.is_some() || self.part.is_some()
    }

    /// The question in its plainest form.
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
}

/// What went before this use (S-20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// When this usage was first made of this resource.
    pub first_used: Option<Timestamp>,
    /// Whether the resource was crawled again since.
    pub is_recrawled: bool,
}

/// What is known of how the use would be made, to be checked against conditions (S-29).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details<'q> {
    /// The text to be shown.
    pub snippet: Option<&'q str>,
    /// The kind of change made: `format`, `style`, `translation`, `annotation`, `none`.
    pub modification: Option<&'q str>,
    /// What it is shown in: `within-user-frame`, `within-original-frame`.
    pub context: Option<&'q str>,
}

/// What a crawler can do, and has agreed with the site (S-16, S-24, S-28, S-37, S-38).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// It can tell the elements of a page apart.
    pub element_level: bool,
    /// Site and crawler have arranged the features that need it.
    pub prior_arrangement: bool,
    /// It interprets features that ACAP calls not ready.
    pub not_ready: bool,
    /// It interprets the strawman of 2007.
    pub strawman: bool,
    /// It takes restrictions from META tags outside `head`.
    pub body_meta: bool,
    /// Usages and qualifiers it cannot interpret.
    pub unable: Vec<String>,
}

impl Capabilities {
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

/// What the caller does where nothing is stated. Silence is no consent; whose default it is must be said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnstatedDefault {
    /// Go ahead, by absence of a prohibition.
    #[default]
    Permit,
    /// Do not.
    Prohibit,
}

/// An element by its number in document order, `html` being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ElementId(pub(crate) u32);
