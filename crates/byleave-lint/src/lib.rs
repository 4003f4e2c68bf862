//! Finds what in a site's rules for crawlers does not work as meant, and says so with its place.
//!
//! It looks at documents that are given to it: robots.txt, headers, pages. A rule of the [`catalogue`] reads the
//! tree and the policy that the engine makes of them, and asks the engine where it needs to know who wins; it never
//! reads text a second time and decides nothing. No I/O is done here.
//!
//! ```
//! use byleave_lint::{Selection, Site, lint};
//! let site = Site::new().with_robots_txt("robots.txt", b"User-agent: *\nDisallow: /a/\nAllow: /a/\n");
//! let documents = lint(&site, &Selection::everything());
//! let finding = &documents[0].findings[0];
//! assert_eq!(finding.rule.name, "shadowed-prohibition");
//! assert_eq!(finding.message, "this prohibition never applies: line 3 permits everything that `/a/` matches");
//! ```

#![forbid(unsafe_code)]

pub mod catalogue;
mod compare;
mod finding;
mod ignore;
mod layout;
mod look;
mod mend;
mod page;
mod rules;
mod saved;
mod selection;
mod site;
mod witness;

pub use byleave::diagnostic::Severity;
pub use catalogue::{Family, RULES, Rule};
pub use compare::Difference;
pub use finding::{Edit, Finding, Fix, Only, Related, Safety};
pub use layout::{NotLaidOut, lay_out};
pub use mend::{Mended, Which, mend};
pub use page::{Example, Kind, Page};
pub use selection::{Selection, UnknownSelector};
pub use site::{LintedDocument, Response, Site, lint};
