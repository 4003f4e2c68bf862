//! The data types that all dialects share: usages, statements, conditions, decisions, diagnostics.
//!
//! Documents are parsed into these types, and decisions are made from them. Nothing here parses or decides.

mod carrier;
mod condition;
pub mod crawler;
mod decision;
pub mod diagnostic;
mod dialect;
mod lost_to;
pub mod proposed_use;
pub mod reading;
pub mod semantics;
mod statement;
mod usage;

pub use carrier::Carrier;
pub use condition::{Condition, LengthUnit, TimeLimit};
pub use decision::{Barrier, BoundBy, Decision, Obtained, Outcome, Reason};
pub use dialect::Dialect;
pub use lost_to::LostTo;
pub(crate) use proposed_use::ElementId;
pub use statement::{Addressee, Modality, Scope, Statement, StatementId, Term, Uninterpretable};
pub(crate) use statement::{Source, StatementKind};
pub use usage::{Usage, UsageKind, UsageName};
