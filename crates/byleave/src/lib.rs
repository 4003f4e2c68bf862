//! May this crawler make this use of this resource, on what conditions, and which line says so?
//!
//! Byleave parses all statements that a site addresses to crawlers into one model, decides, and gives the reasons. This
//! crate is the engine. It has no I/O, no clock, no threads and no global state, and it has an answer for any input
//! bytes.
//!
//! The shortest way to a decision and its explanation:
//!
//! ```
//! let robots_txt = b"User-agent: *\nDisallow: /private/\n";
//! assert!(!byleave::may_crawl(robots_txt, "AnyBot", "https://site.example/private/"));
//! assert_eq!(
//!     byleave::why(robots_txt, "AnyBot", "https://site.example/private/"),
//!     "AnyBot may not crawl `https://site.example/private/`: line 2 prohibits `/private/`",
//! );
//! ```
//!
//! A crawler compiles each robots.txt once, binds the policy to itself once, and then checks as many URLs as it likes:
//!
//! ```
//! use byleave::{Compiler, Crawler, Reading};
//! let crawler = Crawler::named("ExampleBot").with_fallback("OtherBot");
//! let mut compiler = Compiler::new(Reading::Default);
//! let policy = compiler.compile(b"User-agent: OtherBot\nDisallow: /*.pdf$\n");
//! let bound = policy.bind(&crawler);
//! assert!(!bound.may_crawl("/report.pdf"));
//! assert!(bound.may_crawl("/report.pdf?page=2"));
//! ```
//!
//! A [`Site`] is built from all of a site's documents, and then answers questions about any usage:
//!
//! ```
//! use byleave::{Crawler, Headers, Obtained, Outcome, ProposedUse, Reading, Site, Usage, decide};
//! let site = Site::builder(Reading::Default)
//!     .with_robots_txt(Obtained::Status(200), b"User-agent: *\nContent-Signal: ai-train=no\n")
//!     .with_headers(Headers::new().with("X-Robots-Tag", "noindex"))
//!     .build();
//! let crawler = Crawler::named("ExampleBot");
//! for usage in [Usage::Index, Usage::TrainAi] {
//!     let question = ProposedUse::new("https://site.example/", &crawler, &usage);
//!     assert_eq!(decide(&site, &question)?.outcome, Outcome::Prohibited);
//! }
//! # Ok::<(), byleave::InvalidUrlError>(())
//! ```
//!
//! [`explain()`] returns the decision with its reasons. The modules contain the rest:
//!
//! - [`model`]: the types for statements, conditions and decisions.
//! - [`diagnostic`]: what is wrong in a document, and where.
//! - [`needs`]: which documents are missing.
//! - [`mod@extract`]: which text of a page may be used.
//! - [`policy`]: facts in robots.txt, such as sitemaps and crawl delays.
//! - [`analysis`]: support for the linter and other tools. It is unstable.

#![forbid(unsafe_code)]

pub mod analysis;
mod base;
#[cfg(feature = "cases")]
pub mod cases;
mod decide;
pub mod diagnostic {
    //! Diagnostics: what is wrong in a document, and where.

    pub use crate::model::diagnostic::{Code, Diagnostic, Severity};
    pub use crate::policy::diagnose::diagnose;
}
mod dialects;
pub mod explain;
pub mod extract;
mod formats;
pub mod model;
pub mod needs;
pub mod policy;
mod robots_txt;
mod site;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;

pub use base::limits::Limits;
pub use base::origin::{Origin, ParseOriginError};
pub use base::shared_bytes::SharedBytes;
pub use base::timestamp::Timestamp;
pub use decide::decide;
pub use explain::{Explanation, explain};
pub use formats::http::Headers;
pub use model::crawler::Crawler;
pub use model::proposed_use::{InvalidUrlError, ProposedUse, UnstatedDefault};
pub use model::reading::Reading;
pub use model::semantics::SEMANTICS_VERSION;
pub use model::{Decision, Obtained, Outcome, Reason, Usage};
pub use policy::{Bound, Compiler, Policy};
pub use site::{Document, Site, SiteBuilder};

/// Returns whether the crawler with this name may fetch `url` under this robots.txt, in the default reading.
///
/// ```
/// let robots_txt = b"User-agent: *\nDisallow: /search\nAllow: /search/about\n";
/// assert!(byleave::may_crawl(robots_txt, "ExampleBot", "https://site.example/search/about"));
/// assert!(!byleave::may_crawl(robots_txt, "ExampleBot", "https://site.example/search?q=news"));
/// ```
#[must_use]
pub fn may_crawl(robots_txt: &[u8], crawler: &str, url: &str) -> bool {
    Policy::parse(robots_txt).may_crawl(crawler, url)
}

/// Answers the same question as [`may_crawl`] with a sentence that states the reason.
///
/// ```
/// let robots_txt = b"User-agent: GPTBot\nDisallow: /news/\n";
/// assert_eq!(
///     byleave::why(robots_txt, "GPTBot", "https://site.example/news/today"),
///     "GPTBot may not crawl `https://site.example/news/today`: line 2 prohibits `/news/`",
/// );
/// ```
#[must_use]
pub fn why(robots_txt: &[u8], crawler: &str, url: &str) -> String {
    let site = Site::of_robots_txt(robots_txt, Reading::Default);
    let crawler = Crawler::named(crawler);
    let proposed = ProposedUse::new(url, &crawler, &Usage::Crawl);
    explain::explain_unchecked(&site, &proposed).sentence(&proposed)
}

/// Compiles and runs the examples in the README and the migration page.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/migration.md")]
struct Samples;
