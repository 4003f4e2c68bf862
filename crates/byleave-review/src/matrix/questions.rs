//! The questions behind a matrix: which crawlers, usages and resources, and under which circumstances.

use crate::crawlers::{self, KnownCrawler};
use crate::names::unnamed;
use byleave::model::Capabilities;
use byleave::{Crawler, ProposedUse, Site, Timestamp, UnstatedDefault, Usage};

/// The questions behind a matrix: every combination of crawler, usage and resource.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MatrixQuestions {
    /// The crawlers, without duplicates.
    pub crawlers: Vec<MatrixCrawler>,
    /// The number of crawlers that the site names but the matrix leaves out.
    pub left_out: usize,
    /// The usages.
    pub usages: Vec<Usage>,
    /// The resources.
    pub urls: Vec<String>,
    /// The time of the proposed uses.
    pub at: Option<Timestamp>,
    /// The purposes that the crawlers recognize as their own.
    pub purposes: Vec<String>,
    /// The capabilities of the crawlers.
    pub capabilities: Capabilities,
    /// What a crawler does if no statement applies.
    pub unstated: UnstatedDefault,
}

/// A crawler in a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MatrixCrawler {
    /// The crawler, with its fallbacks if the catalogue lists any.
    pub crawler: Crawler,
    /// The crawler's entry in the catalogue, if there is one.
    pub known: Option<&'static KnownCrawler>,
    /// Why the crawler is asked about.
    pub why: WhyAsked,
}

/// Why a crawler is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyAsked {
    /// The site names the crawler.
    Named,
    /// The crawler represents every crawler that the site does not name.
    AnyOther,
    /// The crawler is one of the best-known crawlers in the catalogue.
    Prominent,
    /// The caller asked for the crawler.
    Given,
}

impl WhyAsked {
    /// Returns the value's name, as used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::AnyOther => "any-other",
            Self::Prominent => "prominent",
            Self::Given => "given",
        }
    }
}

/// By default, at most this many of the crawlers that a site names are asked about. 99 % of 12,000 real files name at
/// most 158.
const MAX_NAMED: usize = 200;

/// Crawlers with longer names are left out too, because no real crawler has such a long name.
const MAX_NAME_LENGTH: usize = 200;

impl MatrixQuestions {
    /// Returns questions for the crawlers that the site names, any other crawler, and a few crawlers in the catalogue.
    /// Usages and resources are added with [`of`](Self::of) and [`about`](Self::about).
    #[must_use]
    pub fn new(site: &Site<'_>) -> Self {
        let named = site.crawlers_named();
        let is_asked = |name: &&str| name.len() <= MAX_NAME_LENGTH && !name.trim().is_empty();
        let names: Vec<&str> =
            named.iter().filter_map(|name| std::str::from_utf8(name).ok()).filter(is_asked).collect();
        let mut asked = Self::of_nobody();
        for name in names.iter().take(MAX_NAMED) {
            asked.add(chosen(name, WhyAsked::Named));
        }
        asked.left_out = named.len() - names.len().min(MAX_NAMED);
        for known in crawlers::prominent() {
            asked.add(chosen(known.token, WhyAsked::Prominent));
        }
        asked.with_any_other(site)
    }

    /// Returns questions for every crawler in the catalogue, the crawlers that the site names, and any other crawler.
    #[must_use]
    pub fn of_all(site: &Site<'_>) -> Self {
        let mut asked = Self::new(site);
        let any_other = asked.crawlers.pop();
        for known in crawlers::all() {
            asked.add(chosen(known.token, WhyAsked::Given));
        }
        asked.crawlers.extend(any_other);
        asked
    }

    /// Returns questions for the crawlers with these names.
    #[must_use]
    pub fn of_crawlers<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut asked = Self::of_nobody();
        for name in names {
            asked.add(chosen(name, WhyAsked::Given));
        }
        asked
    }

    fn of_nobody() -> Self {
        Self {
            crawlers: Vec::new(),
            left_out: 0,
            usages: Vec::new(),
            urls: Vec::new(),
            at: None,
            purposes: Vec::new(),
            capabilities: Capabilities::default(),
            unstated: UnstatedDefault::Permit,
        }
    }

    /// Adds a resource.
    #[must_use]
    pub fn about(mut self, url: impl Into<String>) -> Self {
        self.urls.push(url.into());
        self
    }

    /// Adds a usage.
    #[must_use]
    pub fn of(mut self, usage: Usage) -> Self {
        if !self.usages.contains(&usage) {
            self.usages.push(usage);
        }
        self
    }

    /// Returns the number of answers in the matrix.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.crawlers.len().saturating_mul(self.usages.len()).saturating_mul(self.urls.len())
    }

    /// Returns one of the questions.
    #[must_use]
    pub fn proposed<'q>(&'q self, url: &'q str, crawler: &'q Crawler, usage: &'q Usage) -> ProposedUse<'q> {
        let mut proposed = ProposedUse::new(url, crawler, usage);
        proposed.at = self.at;
        proposed.purposes = &self.purposes;
        proposed.capabilities = &self.capabilities;
        proposed.unstated = self.unstated;
        proposed
    }

    fn add(&mut self, asked: MatrixCrawler) {
        let name = asked.crawler.name();
        if !self.crawlers.iter().any(|known| known.crawler.name().eq_ignore_ascii_case(name)) {
            self.crawlers.push(asked);
        }
    }

    /// Adds a crawler whose name does not occur on the site.
    fn with_any_other(mut self, site: &Site<'_>) -> Self {
        let name = unnamed(&[site], "any other crawler");
        self.crawlers.push(MatrixCrawler { crawler: Crawler::named(&name), known: None, why: WhyAsked::AnyOther });
        self
    }
}

/// Returns the crawler with this name, and its catalogue entry.
fn chosen(name: &str, why: WhyAsked) -> MatrixCrawler {
    MatrixCrawler { crawler: crawlers::crawler(name), known: crawlers::named(name), why }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop where it fails")]
mod tests {
    use super::*;
    use byleave::Reading;

    fn names(asked: &MatrixQuestions) -> Vec<&str> {
        asked.crawlers.iter().map(|asked| asked.crawler.name()).collect()
    }

    #[test]
    fn the_site_s_own_come_first_and_any_other_last() {
        let robots_txt = b"User-agent: Zed\nUser-agent: *\nUser-agent: gptbot\nUser-agent: GPTBot\nDisallow: /\n";
        let site = Site::of_robots_txt(robots_txt, Reading::Default);
        let asked = MatrixQuestions::new(&site);
        let names = names(&asked);
        assert_eq!(&names.iter().take(3).copied().collect::<Vec<_>>(), &["Zed", "gptbot", "Googlebot"]);
        assert_eq!(names.last(), Some(&"any other crawler"));
        assert_eq!(names.iter().filter(|name| name.eq_ignore_ascii_case("gptbot")).count(), 1);
        assert_eq!(MatrixQuestions::of_all(&site).crawlers.len(), crawlers::all().len() + 2);
    }

    #[test]
    fn any_other_is_named_by_nothing() {
        let robots_txt = b"User-agent: Any Other Crawler\nUser-agent: any other crawler-x\nDisallow: /\n";
        let site = Site::of_robots_txt(robots_txt, Reading::Default);
        assert_eq!(names(&MatrixQuestions::new(&site)).last(), Some(&"any other crawler-x-x"));
    }

    #[test]
    fn very_many_names_are_counted_and_left_out() {
        let robots_txt: String = (0..300).map(|n| format!("User-agent: b{n}\n")).collect();
        let robots_txt = format!("{robots_txt}User-agent: {}\nDisallow: /\n", "x".repeat(300));
        let site = Site::of_robots_txt(robots_txt.as_bytes(), Reading::Default);
        assert_eq!(MatrixQuestions::new(&site).left_out, 101);
    }
}
