//! Finds mistakes in the rules that a site states for crawlers, and reports where they are.
//!
//! The linter checks documents that the caller supplies: robots.txt, the files it refers to, headers and pages. Each
//! rule in the [`catalogue`] reads the tree and the policy that the engine builds from the documents. Rules ask the
//! engine which statement wins. They never parse text again and decide nothing themselves. This crate does no I/O.
//!
//! ```
//! use byleave_lint::{LintInput, Selection, lint};
//! let input = LintInput::new().with_robots_txt("robots.txt", b"User-agent: *\nDisallow: /a/\nAllow: /a/\n");
//! let documents = lint(&input, &Selection::everything());
//! let finding = &documents[0].findings[0];
//! assert_eq!(finding.rule.name, "shadowed-prohibition");
//! assert_eq!(finding.message, "this prohibition never applies: line 3 permits everything that `/a/` matches");
//! ```

#![forbid(unsafe_code)]

pub mod catalogue;
mod compare;
mod context;
mod finding;
mod fix;
mod format;
mod ignore;
mod input;
mod linter;
mod response_file;
mod rule_doc;
mod rules;
mod selection;
mod witness;

pub use byleave::diagnostic::Severity;
pub use catalogue::{Family, RULES, Rule};
pub use compare::VersionDifference;
pub use finding::{AllowedChange, Edit, Finding, Fix, Related, Safety};
pub use fix::{FixLevel, Fixed, fix};
pub use format::{FormatError, format_robots_txt};
pub use input::{LintInput, ResponseInput};
pub use linter::{LintedDocument, lint};
pub use rule_doc::{Example, ExampleKind, RuleDoc};
pub use selection::{Selection, UnknownSelector};
