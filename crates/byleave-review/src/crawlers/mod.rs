//! The catalogue of crawlers: whose they are, what they are for, whose group they fall back to, and who says so.
//!
//! These are facts about crawlers, not about sites: nothing here decides. What is known of how a crawler reads groups
//! ([`KnownCrawler::crawler`]) the engine takes as it takes it from any caller (S-35).

mod table;

use crate::names::product_token;
use byleave::{AnyGroup, Crawler, Usage};

/// A crawler that the catalogue knows.
///
/// ```
/// use byleave_review::crawlers;
/// let known = crawlers::named("googlebot-image").unwrap();
/// assert_eq!((known.token, known.operator), ("Googlebot-Image", "Google"));
/// assert_eq!(known.crawler().fallbacks()[0].as_str(), "Googlebot");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownCrawler {
    /// The product token, by which groups name it.
    pub token: &'static str,
    /// Who runs it; empty where nobody says, or where anybody may.
    pub operator: &'static str,
    /// What it is.
    pub kind: CrawlerKind,
    /// Whether it obeys robots.txt.
    pub obedience: Obedience,
    /// What it is for.
    pub purposes: &'static [Purpose],
    /// Who says so.
    pub evidence: CatalogueEvidence,
    /// The names whose groups it obeys where none names it, in order.
    pub fallbacks: &'static [&'static str],
    /// Whether groups for any crawler bind it.
    pub any_group: AnyGroup,
    /// What else is worth knowing; may be empty.
    pub note: &'static str,
}

impl KnownCrawler {
    /// The crawler as the engine asks for it, with its fallbacks.
    #[must_use]
    pub fn crawler(&self) -> Crawler {
        self.crawler_called(self.token)
    }

    /// The same, its token spelled as somebody wrote it.
    pub(crate) fn crawler_called(&self, token: &str) -> Crawler {
        let crawler = Crawler::named(token).with_any_group(self.any_group);
        self.fallbacks.iter().fold(crawler, |crawler, name| crawler.with_fallback(name))
    }

    /// Whether its token is one that RFC 9309 2.2.1 allows: letters, `_` and `-`. Parsers that keep to it cut others.
    #[must_use]
    pub fn is_product_token(&self) -> bool {
        product_token(self.token.as_bytes()).len() == self.token.len()
    }
}

/// What a crawler is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrawlerKind {
    /// It goes from page to page by itself.
    Crawler,
    /// It fetches what a user asks for.
    Fetcher,
    /// It acts for a user, in a browser or a tool.
    Agent,
    /// It is a name in robots.txt and never in a request: it says how what another fetched may be used.
    Token,
}

impl CrawlerKind {
    /// Its name in every output.
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
    /// It does.
    Obeys,
    /// It does in part, or as its users choose.
    Partly,
    /// It does not.
    Ignores,
    /// Nobody says.
    Unknown,
}

impl Obedience {
    /// Its name in every output.
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

/// Who says what a row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogueEvidence {
    /// The operator, at this address.
    Documented(&'static str),
    /// A public list of crawlers, at this address.
    Listed(&'static str),
    /// Nobody that we could find.
    Unverified,
}

impl CatalogueEvidence {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Documented(_) => "documented",
            Self::Listed(_) => "listed",
            Self::Unverified => "unverified",
        }
    }

    /// Where it is said.
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
        /// What a crawler is for: in the word of a usage where there is one, else in a word of ours.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Purpose { $($(#[$about])* $variant,)* }

        impl Purpose {
            /// Every purpose there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in every output.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The usage of the semantics that it is; nothing where none fits.
            #[must_use]
            pub fn usage(self) -> Option<Usage> {
                let usages: &[(Self, Usage)] = &[$($((Self::$variant, Usage::$usage),)?)*];
                usages.iter().find(|(purpose, _)| *purpose == self).map(|(_, usage)| usage.clone())
            }
        }
    };
}

purposes! {
    /// Search.
    Search = "search", Search;
    /// Answers of AI: grounding, retrieval, what a user asks for.
    AiInput = "ai-input", AiInput;
    /// Training of AI models.
    TrainAi = "train-ai", TrainAi;
    /// AI of a kind that nobody says.
    Ai = "ai";
    /// Data for others, AI systems among them.
    DataSupply = "data-supply";
    /// Acting for a user.
    Agency = "agency";
    /// Archives.
    Preserve = "preserve", Preserve;
    /// Previews of links.
    Preview = "preview";
    /// Maps of links, audits and ranks, for those who want to be found.
    Seo = "seo";
    /// Ads.
    Ads = "ads";
    /// Feeds that users subscribed to.
    Feed = "feed";
    /// Research.
    Research = "research";
    /// Tools for the owners of a site.
    SiteTools = "site-tools";
    /// Looking for abuse.
    Security = "security";
    /// Help for people who cannot read the page.
    Accessibility = "accessibility";
}

/// Every crawler of the catalogue, sorted by token without case.
#[must_use]
pub fn all() -> &'static [KnownCrawler] {
    table::ALL
}

/// The crawler of this token, in any ASCII case.
///
/// Cost: one pass over the catalogue, as for all that follow.
#[must_use]
pub fn named(token: &str) -> Option<&'static KnownCrawler> {
    all().iter().find(|known| known.token.eq_ignore_ascii_case(token))
}

/// The crawler of a name as the engine asks for it: with its fallbacks, where the catalogue has it.
///
/// ```
/// let images = byleave_review::crawlers::crawler("googlebot-image");
/// assert_eq!(images.fallbacks()[0].as_str(), "Googlebot");
/// ```
#[must_use]
pub fn crawler(name: &str) -> Crawler {
    named(name).map_or_else(|| Crawler::named(name), |known| known.crawler_called(name))
}

/// The crawlers of an operator, in any ASCII case.
pub fn of_operator(operator: &str) -> impl Iterator<Item = &'static KnownCrawler> {
    all().iter().filter(move |known| known.operator.eq_ignore_ascii_case(operator))
}

/// The crawlers for a purpose.
pub fn for_purpose(purpose: Purpose) -> impl Iterator<Item = &'static KnownCrawler> {
    all().iter().filter(move |known| known.purposes.contains(&purpose))
}

/// The crawlers that somebody may mean by a word: whose token or operator holds it, or whose purpose, kind or evidence
/// it is, without case. Usages are known by their other names too.
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

/// The words that [`matching`] knows: tokens, operators, purposes.
pub fn search_terms() -> impl Iterator<Item = &'static str> {
    let operators = all().iter().map(|known| known.operator).filter(|operator| !operator.is_empty());
    all().iter().map(|known| known.token).chain(operators).chain(Purpose::ALL.iter().map(|purpose| purpose.name()))
}

/// A few crawlers that most sites have reason to think of: for search, for answers, for training and for keeping, those
/// of the operators with most readers, and the open corpus that many models are trained on. Each is documented by its
/// operator, the archive aside, which public lists have.
#[must_use]
pub fn prominent() -> Vec<&'static KnownCrawler> {
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
    fn rows_are_sorted_and_no_token_is_twice() {
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
    fn what_decisions_can_rest_on_is_documented() {
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
        let policy = byleave::Policy::read(robots);
        let may = |token: &str, url: &str| policy.bind(&named(token).unwrap().crawler()).may_crawl(url);
        assert!(may("Applebot", "/") && !may("Applebot", "/google/"));
        assert!(may("AdsBot-Google", "/google/"));
        assert!(!may("Storebot-Google", "/"), "no group of Googlebot's binds it");
        assert!(!may("GPTBot", "/"));
    }

    #[test]
    fn crawlers_are_found_by_token_operator_and_purpose() {
        assert_eq!(named("gptbot").unwrap().token, "GPTBot");
        assert!(named("nobody").is_none());
        assert!(of_operator("openai").any(|known| known.token == "OAI-SearchBot"));
        assert!(for_purpose(Purpose::Preserve).any(|known| known.token == "CCBot"));
        let tokens = |word: &str| matching(word).iter().map(|known| known.token).collect::<Vec<_>>();
        assert!(tokens("anthropic").contains(&"ClaudeBot"));
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
