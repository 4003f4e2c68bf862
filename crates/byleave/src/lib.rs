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
//! The way of the data, each step its own module, using only those before it: bytes ([`source`]), a
//! syntax tree with spans ([`syntax`]), the words ([`vocabulary`]), statements in one model ([`model`]),
//! a compiled [`Policy`], a [`Decision`], an [`Explanation`], a [`report`].

#![forbid(unsafe_code)]

mod bearing;
mod crawler;
mod decide;
mod diagnose;
pub mod diagnostic;
mod directive;
mod element;
mod evidence;
mod explain;
mod extract;
mod header;
mod instant;
mod limits;
pub mod model;
mod needs;
pub mod page;
mod pattern;
mod policy;
mod preference;
mod proposed;
pub mod reading;
#[cfg(feature = "report")]
pub mod report;
mod resource;
mod response;
mod snippet;
pub mod source;
pub mod syntax;
pub mod vocabulary;

#[cfg(feature = "cases")]
pub mod case;

pub use bearing::{Bearing, BearingField, BearingPreference, BearingRule, Binding, ComparablePattern, comparable_path};
pub use crawler::{AnyGroup, Crawler, CrawlerName, product_tokens};
pub use decide::{Barrier, Decision, LostTo, Outcome, Reason, decide};
pub use diagnose::{diagnose, field, tree};
pub use evidence::{DOM, Document, Evidence, HEADERS, Obtained, PAGE, ROBOTS_TXT, RobotsTxt};
pub use explain::{
    AcapStatement, EvidenceStatements, Explanation, MustHave, Part, PlainCrawler, PreferenceStatement, Prerequisite,
    SetAside, Step, Tier, explain,
};
pub use extract::{Extract, Piece, extract};
pub use header::{FieldLine, Headers, SavedResponse};
#[doc(hidden)]
pub use header::{Heard, meta_words};
pub use instant::{Instant, NotAnInstant};
pub use limits::Limits;
pub use needs::{Need, Wanted, needs};
pub use policy::{Bound, Compiler, CrawlerGroup, Fact, Ground, NotAPolicy, Policy, Statements};
pub use preference::SITE_LOCATIONS;
pub use proposed::{Capabilities, Details, History, ProposedUse, UnstatedDefault};
pub use reading::Reading;
pub use resource::{is_resource, origin};
pub use snippet::{cut, is_within};
pub use vocabulary::Usage;

/// The version of the numbered rules in `docs/semantics.md` that decisions follow.
pub const SEMANTICS_VERSION: u32 = 1;

/// The numbers of these rules; one was never given.
pub const RULES: [std::ops::RangeInclusive<u32>; 2] = [1..=38, 40..=50];

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
