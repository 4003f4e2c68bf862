//! May this crawler make this use of this resource, on what conditions, and which line says so?
//!
//! Byleave reads what a site says to crawlers into one model and decides by it, with its reasons. This
//! crate is the engine: no I/O, no clock, no threads, no global state. Any bytes have an answer.
//!
//! The shortest way to an answer, and the one to an explanation:
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
//! The way of the data, each step its own module, using only those before it: a compiled [`Policy`], a [`Decision`], an [`Explanation`].

#![forbid(unsafe_code)]

mod analysis;
mod base;
mod decide;
mod dialects;
mod explain;
mod extract;
mod formats;
pub mod model;
mod needs;
mod policy;
pub mod robots_txt;
mod site;

#[cfg(feature = "cases")]
pub mod cases;

pub use analysis::{
    Bearing, BearingField, BearingPreference, BearingRule, Binding, ComparablePattern, comparable_path,
};
pub use base::limits::Limits;
pub use base::shared_bytes::SharedBytes;
pub use base::timestamp::{ParseTimestampError, Timestamp};
pub use decide::decide;
pub use dialects::rfc9309::resource::{is_resource, origin};
#[doc(hidden)]
pub use dialects::robots_directives::{Heard, meta_words};
pub use dialects::well_known_documents;
pub use explain::{
    AcapStatement, EvidenceStatements, Explanation, MustHave, Part, PlainCrawler, PreferenceStatement, Prerequisite,
    SetAside, Step, Tier, explain,
};
pub use extract::snippet::{cut, is_within};
pub use extract::{Extract, Piece, extract};
pub use formats::http::{FieldLine, Headers, SavedResponse};
pub use model::crawler::{AnyGroup, Crawler, CrawlerName, product_tokens};
pub use model::proposed_use::{Capabilities, Details, History, ProposedUse, UnstatedDefault};
pub use model::reading::Reading;
pub use model::semantics::{RULES, SEMANTICS_VERSION};
pub use model::{Barrier, BoundBy, Decision, LostTo, Obtained, Outcome, Reason, Usage};
pub use needs::{Need, Wanted, needs};
pub use policy::diagnose::{diagnose, field, tree};
pub use policy::{Bound, Compiler, CrawlerGroup, Fact, NotAPolicy, Policy, Statements};
pub use site::{DOM, Document, Evidence, HEADERS, PAGE, ROBOTS_TXT, RobotsTxt, SiteBuilder};

// The modules of before, until the public names are settled.
pub use cases_facade::*;
mod cases_facade {
    #[cfg(feature = "cases")]
    pub use crate::cases as case;
    #[cfg(feature = "report")]
    pub use crate::explain::report;
    /// Pages.
    pub mod page {
        pub use crate::formats::html::*;
        #[doc(hidden)]
        pub use crate::site::outline::{Outline, OutlinedElement, OutlinedText};
    }
    pub use crate::base::source;
    pub use crate::model::{diagnostic, reading};
    pub use crate::robots_txt as syntax;
    /// The words of every dialect.
    pub mod vocabulary {
        pub use crate::dialects::abilities;
        pub use crate::dialects::acap::{AcapField, AcapVersion, QUALIFIERS, QualifierWord, Readiness, Values};
        pub use crate::dialects::exclusion_profile::{PROFILE_CLASSES, ProfileClass};
        pub use crate::dialects::robots_directives::vocabulary::{ValueKind, WORDS, Word, WordEffect, word};
        pub use crate::model::{Usage, UsageKind, UsageName};
        pub use crate::robots_txt::{Field, Role};
    }
}

/// Whether the crawler of this name may fetch `url` under this robots.txt, in the default reading.
#[must_use]
pub fn may_crawl(robots_txt: &[u8], crawler: &str, url: &str) -> bool {
    Policy::read(robots_txt).may_crawl(crawler, url)
}

/// The same question, answered with its reason in a sentence.
#[must_use]
pub fn why(robots_txt: &[u8], crawler: &str, url: &str) -> String {
    let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
    let crawler = Crawler::named(crawler);
    let proposed = ProposedUse::new(url, &crawler, &Usage::Crawl);
    explain(&evidence, &proposed).sentence(&proposed)
}
