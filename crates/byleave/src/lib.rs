//! May this crawler make this use of this resource, on what conditions, and which line says so?
//!
//! Byleave parses everything a site says to crawlers into one model, decides, and gives the reasons. This crate is the
//! engine: no I/O, no clock, no threads, no global state. Any bytes have an answer.
//!
//! The shortest way to an answer, and to its explanation:
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
//! In a crawler, compile once and bind once, then ask as often as you like:
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
//! A whole site is built of its documents and asked:
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
//! [`explain()`] returns the decision with its reasons. The modules have the rest: [`model`] the types of statements and
//! conditions, [`diagnostic`] what is wrong in a document, [`needs`] which documents are missing, [`mod@extract`] which
//! text of a page may be used, [`policy`] the facts of robots.txt. [`analysis`] serves the linter and other tools and is
//! unstable.

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

/// Whether the crawler of this name may fetch `url` under this robots.txt, in the default reading.
#[must_use]
pub fn may_crawl(robots_txt: &[u8], crawler: &str, url: &str) -> bool {
    Policy::parse(robots_txt).may_crawl(crawler, url)
}

/// The same question, answered with its reason in a sentence.
#[must_use]
pub fn why(robots_txt: &[u8], crawler: &str, url: &str) -> String {
    let site = Site::of_robots_txt(robots_txt, Reading::Default);
    let crawler = Crawler::named(crawler);
    let proposed = ProposedUse::new(url, &crawler, &Usage::Crawl);
    explain::explain_unchecked(&site, &proposed).sentence(&proposed)
}

/// The samples of the README and of the page on migration, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/migration.md")]
struct Samples;
