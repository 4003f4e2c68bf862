//! A compiled policy: the rules of one robots.txt for all crawlers.
//!
//! A policy is one buffer with offsets into the text, so it is small and can be shared between threads. An owned policy
//! also stores the parts of the text that it needs, and is serialized in that form (`serialize.rs`). This module finds
//! the groups that bind a crawler (RFC 9309 2.2.1, S-35) and the rule that wins (2.2.2). `decide` derives decisions
//! from them.

mod compile;
pub mod diagnose;
pub mod facts;
mod group;
mod index;
mod layout;
mod occurrences;
pub(crate) mod preferences;
mod rules;
mod serialize;
mod shared;
mod statements;

pub use compile::Compiler;
pub use group::Bound;
pub use serialize::DecodePolicyError;
pub use shared::SharedPolicy;
pub use statements::{CrawlerGroup, Fact, Statements};

pub(crate) use compile::body_start;
pub(crate) use rules::{Rules, Winner};

use crate::base::shared_bytes::SharedBytes;
use crate::dialects::acap::Acap;
use crate::dialects::preference::Preferences;
use crate::model::crawler::Crawler;
use crate::model::reading::Reading;
use layout::Header;
use std::borrow::Cow;
use std::sync::OnceLock;

/// The rules in one robots.txt, for all crawlers.
///
/// ```
/// use byleave::Policy;
/// let policy = Policy::parse(b"User-agent: *\nDisallow: /private/\nAllow: /private/open\n");
/// assert!(policy.may_crawl("AnyBot", "https://site.example/private/open.html"));
/// assert!(!policy.may_crawl("AnyBot", "https://site.example/private/closed.html"));
/// ```
#[derive(Clone, Debug)]
pub struct Policy<'t> {
    blob: Cow<'t, [u8]>,
    /// The text that the policy was parsed from. `None` for an owned policy, which contains everything it needs from
    /// the text.
    text: Option<SharedBytes<'t>>,
    /// The ACAP statements, if there are any.
    acap: Option<Box<Acap>>,
    /// The statements in AI-preference dialects, parsed when first needed.
    preferences: OnceLock<Box<Preferences>>,
}

impl<'t> Policy<'t> {
    /// Parses robots.txt in the default reading. To parse many files, use a [`Compiler`].
    #[must_use]
    pub fn parse(text: &'t [u8]) -> Self {
        Self::parse_as(text, Reading::Default)
    }

    /// Parses robots.txt in a given reading.
    ///
    /// ```
    /// use byleave::{Policy, Reading};
    /// let robots_txt = b"User-agent: *\nDisallow: /docs/\nAllow: /docs/index.html\n";
    /// assert!(!Policy::parse_as(robots_txt, Reading::Rfc9309).may_crawl("AnyBot", "/docs/"));
    /// assert!(Policy::parse_as(robots_txt, Reading::Google).may_crawl("AnyBot", "/docs/"));
    /// ```
    #[must_use]
    pub fn parse_as(text: &'t [u8], reading: Reading) -> Self {
        Compiler::new(reading).compile(text)
    }

    /// Whether the crawler with this name may fetch `url`. To check many URLs, call [`bind`](Self::bind) first.
    #[must_use]
    pub fn may_crawl(&self, crawler: &str, url: &str) -> bool {
        self.bind(&Crawler::named(crawler)).may_crawl(url)
    }

    /// Returns the policy as it applies to one crawler, for checking many URLs.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let policy = Policy::parse(b"User-agent: ExampleBot\nDisallow: /*?session=\n");
    /// let crawler = Crawler::named("ExampleBot");
    /// let bound = policy.bind(&crawler);
    /// assert!(bound.may_crawl("/news") && !bound.may_crawl("/news?session=1"));
    /// ```
    #[must_use]
    pub fn bind<'p>(&'p self, crawler: &'p Crawler) -> Bound<'p> {
        Bound::new(self, crawler, &[])
    }

    /// Returns the policy as it applies to one crawler with these purposes (S-50).
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let robots_txt = b"User-agent: *\nDisallow:\n\nUser-agent-purpose: ai-training\nDisallow: /\n";
    /// let policy = Policy::parse(robots_txt);
    /// let crawler = Crawler::named("ExampleBot");
    /// let purposes = ["ai-training".to_owned()];
    /// assert!(!policy.bind_for(&crawler, &purposes).may_crawl("/news"));
    /// ```
    #[must_use]
    pub fn bind_for<'p>(&'p self, crawler: &'p Crawler, purposes: &'p [String]) -> Bound<'p> {
        Bound::new(self, crawler, purposes)
    }

    /// Returns the reading that the policy was parsed in.
    #[must_use]
    pub fn reading(&self) -> Reading {
        Reading::from_number(self.header().reading).unwrap_or_default()
    }

    /// Whether the text was longer than the limit, so that its end was ignored (S-22).
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.header().flags & Header::TRUNCATED != 0
    }

    /// Returns the policy's heap size in bytes, excluding borrowed text.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let acap = self.acap.as_ref().map_or(0, |acap| acap.heap_bytes());
        let preferences = self.preferences.get().map_or(0, |preferences| preferences.heap_bytes());
        let text = self.text.as_ref().map_or(0, SharedBytes::heap_bytes);
        acap + preferences
            + text
            + match &self.blob {
                Cow::Owned(blob) => blob.capacity(),
                Cow::Borrowed(_) => 0,
            }
    }

    /// Returns the number of rules in all groups together.
    #[must_use]
    pub fn rule_count(&self) -> usize {
        self.header().rules as usize
    }

    /// Returns the text that the policy was parsed from, or `None` if the policy is owned.
    #[must_use]
    pub fn text(&self) -> Option<&[u8]> {
        self.text.as_deref()
    }

    /// Returns a shared handle to the text that the policy was compiled from, or `None` if the policy is owned.
    pub(crate) fn shared_text(&self) -> Option<SharedBytes<'t>> {
        self.text.clone()
    }

    /// Whether the file has ACAP fields, even if they have no effect.
    pub(crate) fn has_acap_fields(&self) -> bool {
        self.header().flags & Header::HAS_ACAP != 0
    }

    /// Returns the ACAP statements, if there are any.
    #[inline(always)]
    pub(crate) fn acap(&self) -> Option<&Acap> {
        self.acap.as_deref()
    }

    /// Returns the statements in AI-preference dialects, or `None` if there are none (S-40).
    pub(crate) fn preferences(&self) -> Option<&Preferences> {
        if self.header().facts == 0 {
            return None;
        }
        let parsed = self.preferences.get_or_init(|| Box::new(preferences::of_policy(self)));
        Some(parsed).map(|parsed| &**parsed).filter(|parsed| !parsed.entries.is_empty())
    }

    #[inline(always)]
    fn header(&self) -> Header {
        Header::read(&self.blob)
    }

    /// Returns the bytes that the policy's offsets refer to: the text, or the arena in an owned policy.
    #[inline(always)]
    fn source(&self, header: &Header) -> &[u8] {
        match &self.text {
            Some(text) => text,
            None => self.arena(header),
        }
    }

    #[inline(always)]
    fn arena(&self, header: &Header) -> &[u8] {
        self.blob.get(header.arena_at()..header.positions_at()).unwrap_or_default()
    }
}
