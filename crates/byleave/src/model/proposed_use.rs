//! The question: a crawler, a usage, a resource, and what is known about the use.

use crate::base::timestamp::Timestamp;
use crate::model::Usage;
use crate::model::crawler::Crawler;

/// The question: may this crawler make this use of this resource?
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
    /// The usage that it proposes.
    pub usage: &'q Usage,
    /// The part of the page: `#id` or `.class`, the first in document order (S-16). `None` means the whole page.
    pub element: Option<&'q str>,
    /// The purposes it recognises as its own.
    pub purposes: &'q [String],
    /// The time of the use.
    pub at: Option<Timestamp>,
    /// Earlier uses of the resource.
    pub history: History,
    /// How the use would be made, as far as known.
    pub details: Details<'q>,
    /// What the crawler can and cannot do.
    pub capabilities: &'q Capabilities,
    /// What the caller does if no statement applies.
    pub unstated: UnstatedDefault,
    /// The part by its number, for questions that the engine asks itself.
    pub(crate) part: Option<PagePart>,
}

/// An element of a page, either as the server sent the page or after scripts ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PagePart {
    /// The number of the page, among the pages whose elements were parsed.
    pub(crate) page: usize,
    pub(crate) element: ElementId,
}

impl<'q> ProposedUse<'q> {
    /// Whether the question is about a part of the page.
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
}

/// Earlier uses of the resource (S-20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// When this usage of this resource was first made.
    pub first_used: Option<Timestamp>,
    /// Whether the resource was crawled again since then.
    pub is_recrawled: bool,
}

/// How the use would be made, as far as known. Conditions are checked against it (S-29).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details<'q> {
    /// The text to be shown.
    pub snippet: Option<&'q str>,
    /// The kind of change: `format`, `style`, `translation`, `annotation`, `none`.
    pub modification: Option<&'q str>,
    /// The frame in which it is shown: `within-user-frame`, `within-original-frame`.
    pub context: Option<&'q str>,
}

/// What a crawler can do, and what it has arranged with the site (S-16, S-24, S-28, S-37, S-38).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// It can distinguish the elements of a page.
    pub element_level: bool,
    /// Site and crawler have agreed on the features that need an arrangement.
    pub prior_arrangement: bool,
    /// It interprets features that ACAP calls not ready.
    pub not_ready: bool,
    /// It interprets the strawman of 2007.
    pub strawman: bool,
    /// It obeys restrictions in META tags outside `head`.
    pub body_meta: bool,
    /// The usages and qualifiers that it cannot interpret.
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

/// What the caller does if no statement applies. Silence is not consent, so this default is the caller's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnstatedDefault {
    /// Go ahead, because there is no prohibition.
    #[default]
    Permit,
    /// Do not go ahead.
    Prohibit,
}

/// The number of an element in document order. `html` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ElementId(pub(crate) u32);
