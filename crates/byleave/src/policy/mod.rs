//! A compiled policy: what one robots.txt says to all crawlers, ready to decide by.
//!
//! It is one run of bytes beside the text it was read from, so it is small, can be shared between
//! threads, and is saved and loaded as it is (`saved`). Which group binds a crawler is settled here
//! (RFC 9309 2.2.1, S-35), and so is which rule of it wins (2.2.2); what that means is `decide`'s.

mod compile;
pub mod diagnose;
mod group;
mod index;
mod layout;
mod occurrences;
pub(crate) mod preferences;
mod rules;
mod saved;
mod statements;

pub use compile::Compiler;
pub use group::Bound;
pub use saved::NotAPolicy;
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

/// What one robots.txt says to all crawlers.
///
/// ```
/// use byleave::Policy;
/// let policy = Policy::read(b"User-agent: *\nDisallow: /private/\nAllow: /private/open\n");
/// assert!(policy.may_crawl("AnyBot", "https://site.example/private/open.html"));
/// assert!(!policy.may_crawl("AnyBot", "https://site.example/private/closed.html"));
/// ```
#[derive(Clone, Debug)]
pub struct Policy<'t> {
    blob: Cow<'t, [u8]>,
    /// The text it was read from; a policy that stands alone holds what it needs of it.
    text: Option<SharedBytes<'t>>,
    /// What it says in ACAP, where it does.
    acap: Option<Box<Acap>>,
    /// What its fields say in today's dialects, read when first asked for.
    preferences: OnceLock<Box<Preferences>>,
}

impl<'t> Policy<'t> {
    /// Reads robots.txt in the default reading. To read many files, keep a [`Compiler`].
    #[must_use]
    pub fn read(text: &'t [u8]) -> Self {
        Self::read_as(text, Reading::Default)
    }

    /// Reads robots.txt in a reading.
    #[must_use]
    pub fn read_as(text: &'t [u8], reading: Reading) -> Self {
        Compiler::new(reading).compile(text)
    }

    /// Whether this policy lets the crawler of this name fetch `url`: the shortest way to an answer.
    #[must_use]
    pub fn may_crawl(&self, crawler: &str, url: &str) -> bool {
        self.bind(&Crawler::named(crawler)).may_crawl(url)
    }

    /// The policy as it binds one crawler, for many URLs.
    #[must_use]
    pub fn bind<'p>(&'p self, crawler: &'p Crawler) -> Bound<'p> {
        Bound::new(self, crawler, &[])
    }

    /// The policy as it binds one crawler that has these purposes (S-50).
    #[must_use]
    pub fn bind_for<'p>(&'p self, crawler: &'p Crawler, purposes: &'p [String]) -> Bound<'p> {
        Bound::new(self, crawler, purposes)
    }

    /// The reading it was read in.
    #[must_use]
    pub fn reading(&self) -> Reading {
        Reading::from_number(self.header().reading).unwrap_or_default()
    }

    /// Whether the text was longer than the limit, so that its end is unread (S-22).
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.header().flags & Header::TRUNCATED != 0
    }

    /// How many bytes it holds on the heap, its text not counted where that is borrowed.
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

    /// How many rules it holds, of all groups together.
    #[must_use]
    pub fn rule_count(&self) -> usize {
        self.header().rules as usize
    }

    /// The text it was read from, where it does not stand alone.
    #[must_use]
    pub fn text(&self) -> Option<&[u8]> {
        self.text.as_deref()
    }

    /// Returns the text it was compiled from, to be shared; `None` for an owned policy.
    pub(crate) fn shared_text(&self) -> Option<SharedBytes<'t>> {
        self.text.clone()
    }

    /// Whether the file has ACAP fields, even if they say nothing.
    pub(crate) fn has_acap_fields(&self) -> bool {
        self.header().flags & Header::HAS_ACAP != 0
    }

    /// What it says in ACAP.
    #[inline(always)]
    pub(crate) fn acap(&self) -> Option<&Acap> {
        self.acap.as_deref()
    }

    /// What its fields say in today's dialects (S-40); nothing where it has none.
    pub(crate) fn preferences(&self) -> Option<&Preferences> {
        if self.header().facts == 0 {
            return None;
        }
        let read = self.preferences.get_or_init(|| Box::new(preferences::of_policy(self)));
        Some(read).map(|read| &**read).filter(|read| !read.entries.is_empty())
    }

    #[inline(always)]
    fn header(&self) -> Header {
        Header::read(&self.blob)
    }

    /// The bytes that offsets point into: the text, or the arena of a policy that stands alone.
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
