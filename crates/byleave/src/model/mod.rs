//! The data types that all dialects share: usages, statements, conditions, decisions, diagnostics.
//!
//! Documents are parsed into these types, and decisions are made from them. Nothing here parses or decides.

mod carrier;
mod condition;
pub(crate) mod crawler;
mod decision;
pub(crate) mod diagnostic;
mod dialect;
mod lost_to;
pub(crate) mod proposed_use;
pub(crate) mod reading;
pub(crate) mod semantics;
mod statement;
mod usage;

pub use crate::base::system_time::TimestampRangeError;
pub use crate::base::timestamp::ParseTimestampError;
pub use carrier::Carrier;
pub use condition::{Condition, LengthUnit, TimeLimit};
pub use crawler::{AnyGroup, CrawlerName, ParseCrawlerNameError};
pub use decision::{Barrier, BoundBy, Decision, Obtained, Outcome, Reason};
pub use dialect::Dialect;
pub use lost_to::LostTo;
pub(crate) use proposed_use::ElementId;
pub use proposed_use::{Capabilities, Details, History};
pub use reading::UnknownReading;
pub use statement::{Addressee, Modality, Scope, Statement, StatementId, Term, Uninterpretable};
pub(crate) use statement::{Source, StatementKind};
pub use usage::{ParseUsageError, Usage, UsageKind, UsageName};
