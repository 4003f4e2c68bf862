//! The catalogue of crawlers: their operators and purposes, the groups that they fall back to, and the source of each
//! entry.
//!
//! The catalogue holds facts about crawlers, not about sites, and decides nothing. [`crawler`] tells the engine which
//! groups a crawler falls back to, as any caller could (S-35).

mod table;

use crate::names::product_token;
use byleave::model::AnyGroup;
use byleave::{Crawler, Usage};

/// An entry in the catalogue.
///
/// ```
/// use byleave_review::crawlers;
/// let known = crawlers::matching("googlebot-image")[0];
/// assert_eq!((known.token, known.operator), ("Googlebot-Image", "Google"));
/// assert_eq!(known.fallbacks, ["Googlebot"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownCrawler {
    /// The product token that groups use to name the crawler.
    pub token: &'static str,
    /// The operator. Empty if no source documents it, or if anyone can run the crawler.
    pub operator: &'static str,
    /// The kind of crawler.
    pub kind: CrawlerKind,
    /// Whether the crawler obeys robots.txt.
    pub obedience: Obedience,
    /// The purposes that the crawler crawls for.
    pub purposes: &'static [Purpose],
    /// The source of the entry.
    pub evidence: CatalogueEvidence,
    /// The names whose groups the crawler obeys if no group names it, in order of preference.
    pub fallbacks: &'static [&'static str],
    /// Whether groups for any crawler bind the crawler.
    pub any_group: AnyGroup,
    /// Other useful information, or an empty string.
    pub note: &'static str,
}

impl KnownCrawler {
    /// Returns the crawler for the engine: its fallbacks, and the token in the given spelling.
    fn crawler_called(&self, token: &str) -> Crawler {
        let crawler = Crawler::named(token).with_any_group(self.any_group);
        self.fallbacks.iter().fold(crawler, |crawler, name| crawler.with_fallback(name))
    }

    /// Returns whether the token follows RFC 9309 2.2.1: letters, `_` and `-`. Strict parsers shorten other tokens.
    #[must_use]
    pub fn is_product_token(&self) -> bool {
        product_token(self.token.as_bytes()).len() == self.token.len()
    }
}

/// The kinds of crawlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrawlerKind {
    /// A crawler that follows links on its own.
    Crawler,
    /// A program that fetches a page when a user asks for it.
    Fetcher,
    /// An agent that acts for a user, in a browser or a tool.
    Agent,
    /// A name in robots.txt that no request contains. It controls how content that another crawler fetched is used.
    Token,
}

impl CrawlerKind {
    /// Returns the kind's name, as used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Crawler => "crawler",
            Self::Fetcher => "fetcher",
            Self::Agent => "agent",
            Self::Token => "token",
        }
    }
}

/// Whether a crawler obeys robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obedience {
    /// The crawler obeys robots.txt.
    Obeys,
    /// The crawler obeys robots.txt only in part, or lets its users decide.
    Partly,
    /// The crawler ignores robots.txt.
    Ignores,
    /// No source documents whether the crawler obeys robots.txt.
    Unknown,
}

impl Obedience {
    /// Returns the value's name, as used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Obeys => "obeys",
            Self::Partly => "partly",
            Self::Ignores => "ignores",
            Self::Unknown => "unknown",
        }
    }
}

/// The source of a catalogue entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogueEvidence {
    /// The operator documents the crawler at this address.
    Documented(&'static str),
    /// A public list at this address contains the crawler.
    Listed(&'static str),
    /// No source is known.
    Unverified,
}

impl CatalogueEvidence {
    /// Returns the name of the evidence level, as used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Documented(_) => "documented",
            Self::Listed(_) => "listed",
            Self::Unverified => "unverified",
        }
    }

    /// Returns the address of the source, if there is one.
    #[must_use]
    pub fn address(self) -> Option<&'static str> {
        match self {
            Self::Documented(address) | Self::Listed(address) => Some(address),
            Self::Unverified => None,
        }
    }
}

macro_rules! purposes {
    ($($(#[$about:meta])* $variant:ident = $name:literal $(, $usage:ident)?;)*) => {
        /// What a crawler crawls for: the name of a usage if one fits, otherwise a word that only this catalogue uses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Purpose { $($(#[$about])* $variant,)* }

        impl Purpose {
            /// Every purpose.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the purpose's name, as used in every output.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the matching usage, or `None` if none fits.
            pub(crate) fn usage(self) -> Option<Usage> {
                let usages: &[(Self, Usage)] = &[$($((Self::$variant, Usage::$usage),)?)*];
                usages.iter().find(|(purpose, _)| *purpose == self).map(|(_, usage)| usage.clone())
            }
        }
    };
}

purposes! {
    /// Search.
    Search = "search", Search;
    /// Answers from AI systems: grounding, retrieval, or fetching what a user asks for.
    AiInput = "ai-input", AiInput;
    /// Training AI models.
    TrainAi = "train-ai", TrainAi;
    /// AI. No further detail is known.
    Ai = "ai";
    /// Collecting data to supply it to others, including AI systems.
    DataSupply = "data-supply";
    /// Acting for a user.
    Agency = "agency";
    /// Archiving.
    Preserve = "preserve", Preserve;
    /// Link previews.
    Preview = "preview";
    /// Search engine optimization: link indexes, audits, rankings.
    Seo = "seo";
    /// Advertising.
    Ads = "ads";
    /// Feeds that users subscribed to.
    Feed = "feed";
    /// Research.
    Research = "research";
    /// Tools for site owners.
    SiteTools = "site-tools";
    /// Abuse detection.
    Security = "security";
    /// Accessibility for people who cannot read the page.
    Accessibility = "accessibility";
}

/// Returns every crawler in the catalogue, sorted by token, ignoring case.
#[must_use]
pub fn all() -> &'static [KnownCrawler] {
    table::ALL
}

/// Returns the crawler with this token, ignoring ASCII case.
///
/// Cost: one pass over the catalogue. The functions below cost the same.
pub(crate) fn named(token: &str) -> Option<&'static KnownCrawler> {
    all().iter().find(|known| known.token.eq_ignore_ascii_case(token))
}

/// Returns the crawler with this name for the engine. It has fallbacks if the catalogue lists any.
///
/// ```
/// let images = byleave_review::crawlers::crawler("googlebot-image");
/// assert_eq!(images.fallbacks()[0].as_str(), "Googlebot");
/// ```
#[must_use]
pub fn crawler(name: &str) -> Crawler {
    named(name).map_or_else(|| Crawler::named(name), |known| known.crawler_called(name))
}

/// Returns the crawlers that match a search term, ignoring case. A crawler matches if its token or operator contains
/// the term, or if its purpose, kind or evidence has that name. Usages are also found by their aliases.
#[must_use]
pub fn matching(word: &str) -> Vec<&'static KnownCrawler> {
    let word = word.trim().to_ascii_lowercase();
    let holds = |text: &str| text.to_ascii_lowercase().contains(&word);
    let is_purpose = |purpose: &Purpose| {
        let usage = purpose.usage();
        word == purpose.name() || usage.is_some_and(|usage| usage.aliases().contains(&word.as_str()))
    };
    let is_meant = |known: &&KnownCrawler| {
        holds(known.token)
            || holds(known.operator)
            || known.purposes.iter().any(is_purpose)
            || word == known.kind.name()
            || word == known.evidence.name()
    };
    all().iter().filter(is_meant).collect()
}

/// Returns the terms that [`matching`] finds: tokens, operators and purposes.
pub fn search_terms() -> impl Iterator<Item = &'static str> {
    let operators = all().iter().map(|known| known.operator).filter(|operator| !operator.is_empty());
    all().iter().map(|known| known.token).chain(operators).chain(Purpose::ALL.iter().map(|purpose| purpose.name()))
}

/// Returns a few crawlers that matter to most sites. They are the crawlers for search, answers, training and archives
/// by the largest operators, and the open corpus that many models are trained on. Their operators document them, except
/// for the archive's crawler, which is known from public lists.
pub(crate) fn prominent() -> Vec<&'static KnownCrawler> {
    PROMINENT.iter().filter_map(|token| named(token)).collect()
}

const PROMINENT: [&str; 12] = [
    "Googlebot",
    "bingbot",
    "Applebot",
    "OAI-SearchBot",
    "PerplexityBot",
    "ChatGPT-User",
    "GPTBot",
    "ClaudeBot",
    "Google-Extended",
    "meta-externalagent",
    "CCBot",
    "archive.org_bot",
];

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop where it fails")]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rows_are_sorted_and_tokens_are_unique() {
        let tokens: Vec<String> = all().iter().map(|known| known.token.to_ascii_lowercase()).collect();
        assert!(tokens.is_sorted(), "not sorted");
        assert_eq!(tokens.iter().collect::<BTreeSet<_>>().len(), tokens.len());
        assert!(tokens.len() > 200, "{} rows", tokens.len());
    }

    #[test]
    fn a_row_has_a_token_and_a_purpose_and_no_blanks_around() {
        for known in all() {
            assert!(!known.token.is_empty() && !known.purposes.is_empty(), "{known:?}");
            for text in [known.token, known.operator, known.note] {
                assert!(text.trim() == text && !text.contains(char::is_control) && !text.ends_with('.'), "{known:?}");
            }
            let purposes: BTreeSet<_> = known.purposes.iter().map(|purpose| purpose.name()).collect();
            assert_eq!(purposes.len(), known.purposes.len(), "{known:?}");
        }
    }

    #[test]
    fn evidence_has_an_address() {
        for known in all() {
            let is_address = |address: &str| address.starts_with("https://") && !address.contains(' ');
            assert!(known.evidence.address().is_none_or(is_address), "{known:?}");
            assert_eq!(known.evidence.address().is_none(), known.evidence == CatalogueEvidence::Unverified);
        }
    }

    #[test]
    fn what_affects_decisions_is_documented() {
        let bears = |known: &&KnownCrawler| !known.fallbacks.is_empty() || known.any_group == AnyGroup::DoesNotApply;
        let mut seen = 0;
        for known in all().iter().filter(bears) {
            assert!(matches!(known.evidence, CatalogueEvidence::Documented(_)), "{known:?}");
            for fallback in known.fallbacks {
                assert_eq!(named(fallback).map(|known| known.token), Some(*fallback), "{known:?}");
                assert_ne!(*fallback, known.token);
            }
            seen += 1;
        }
        assert!(seen >= 15, "{seen}");
    }

    #[test]
    fn s35_a_known_crawler_falls_back_and_may_ignore_groups_for_any() {
        let robots = b"User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /google/\n";
        let policy = byleave::Policy::parse(robots);
        let may = |token: &str, url: &str| policy.bind(&crawler(token)).may_crawl(url);
        assert!(may("Applebot", "/") && !may("Applebot", "/google/"));
        assert!(may("AdsBot-Google", "/google/"));
        assert!(!may("Storebot-Google", "/"), "groups for Googlebot do not bind it");
        assert!(!may("GPTBot", "/"));
    }

    #[test]
    fn crawlers_are_found_by_token_operator_and_purpose() {
        assert_eq!(named("gptbot").unwrap().token, "GPTBot");
        assert!(named("nobody").is_none());
        let tokens = |word: &str| matching(word).iter().map(|known| known.token).collect::<Vec<_>>();
        assert!(tokens("anthropic").contains(&"ClaudeBot") && tokens("openai").contains(&"OAI-SearchBot"));
        assert!(tokens("preserve").contains(&"CCBot"));
        assert_eq!(tokens("ai-train"), tokens("train-ai"));
        assert_eq!(tokens(" mj12 "), ["MJ12bot"]);
        assert!(tokens("xyzzy").is_empty());
    }

    #[test]
    fn purposes_are_usages_where_one_fits() {
        for purpose in Purpose::ALL {
            if let Some(usage) = purpose.usage() {
                assert_eq!(usage.name(), purpose.name());
            }
        }
        assert_eq!(Purpose::TrainAi.usage(), Some(Usage::TrainAi));
        assert_eq!(Purpose::Ads.usage(), None);
    }

    #[test]
    fn the_prominent_ones_are_in_the_catalogue() {
        assert_eq!(prominent().len(), PROMINENT.len());
        for known in prominent() {
            assert_ne!(known.evidence, CatalogueEvidence::Unverified, "{known:?}");
        }
    }
}
