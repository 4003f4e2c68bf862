//! Decisions as data: the outcome, its reason, and the prerequisite that bars a use (S-01).
//!
//! How a decision is reached is `decide`'s; why, in sentences, is `explain`'s.

use super::{StatementId, Usage};
use crate::base::timestamp::Timestamp;

/// What a decision comes to (S-01). Not `non_exhaustive`: a caller should notice when it grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Expressly, or by RFC 9309's own default for `crawl`.
    Permitted,
    /// If the listed conditions are kept.
    Conditional,
    /// Not.
    Prohibited,
    /// Nothing speaks. Not consent.
    Unstated,
}

impl Outcome {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Permitted => "permitted",
            Self::Conditional => "conditional",
            Self::Prohibited => "prohibited",
            Self::Unstated => "unstated",
        }
    }
}

/// On what ground a decision stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The rule that RFC 9309 selects: the longest pattern, the permission among equals (S-13).
    LongestPattern(StatementId),
    /// No rule of the groups that bind the crawler matches: permitted by RFC 9309's default (S-01).
    NoRuleMatches(BoundBy),
    /// `/robots.txt` itself is always permitted (S-13).
    RobotsTxtItself,
    /// There is no robots.txt: permitted by default (S-36).
    NoRobotsTxt(Obtained),
    /// robots.txt could not be fetched: prohibited (S-36).
    RobotsTxtUnreachable(Obtained),
    /// Nothing is known of robots.txt (S-36).
    RobotsTxtUnknown,
    /// An ACAP statement that nothing opposes (S-03).
    Stated(StatementId),
    /// An ACAP statement narrower than all that oppose it (S-07).
    NarrowestScope(StatementId),
    /// A prohibition that no permission is determined to be narrower than (S-07).
    NotNarrower(StatementId),
    /// A prohibition, where too many statements oppose each other to be compared (S-34).
    Uncompared(StatementId),
    /// The page's own META tag, against what robots.txt says (S-15).
    PageStatement(StatementId),
    /// A prohibition of robots.txt that the page's META tag does not lift (S-15, S-27).
    NotOverridden(StatementId),
    /// What is said on the element or around it, against what is said of the page (S-16).
    ElementStatement(StatementId),
    /// A word of META, `Robots-Tag` or `X-Robots-Tag` that prohibits (S-17).
    Restriction(StatementId),
    /// Such a word that limits, to a crawler that cannot keep the limit (S-38).
    Unable(StatementId),
    /// Such a word that limits what nothing else speaks of (S-17).
    Limit(StatementId),
    /// Such a word that permits what nothing else speaks of (S-17).
    PermissiveWord(StatementId),
    /// The time a permission gives is over (S-20).
    Lapsed(StatementId),
    /// The use as described breaks a condition (S-29).
    ConditionBroken(StatementId),
    /// What a permission says must be used may not be crawled (S-37).
    SubstituteProhibited(StatementId),
    /// What a permission says must be used is no part of the page (S-37).
    TargetMissing(StatementId),
    /// The page is not where a permission says it has to be (S-27).
    OtherLocation(StatementId),
    /// A file that robots.txt refers to was not read (S-21).
    ReferenceUnread(StatementId),
    /// A preference in one of today's dialects, which its own rule selects (S-31, S-40).
    Preference(StatementId),
    /// No statement speaks of this usage (S-01).
    NothingSpeaks,
}

impl Reason {
    /// The rule of the semantics it stands on.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::LongestPattern(_) | Self::RobotsTxtItself => "S-13",
            Self::NoRuleMatches(_) | Self::NothingSpeaks => "S-01",
            Self::NoRobotsTxt(_) | Self::RobotsTxtUnreachable(_) | Self::RobotsTxtUnknown => "S-36",
            Self::Stated(_) => "S-03",
            Self::NarrowestScope(_) | Self::NotNarrower(_) => "S-07",
            Self::Uncompared(_) => "S-34",
            Self::Unable(_) => "S-38",
            Self::PageStatement(_) | Self::NotOverridden(_) => "S-15",
            Self::ElementStatement(_) => "S-16",
            Self::Restriction(_) | Self::Limit(_) | Self::PermissiveWord(_) => "S-17",
            Self::Lapsed(_) => "S-20",
            Self::ConditionBroken(_) => "S-29",
            Self::SubstituteProhibited(_) | Self::TargetMissing(_) => "S-37",
            Self::OtherLocation(_) => "S-27",
            Self::ReferenceUnread(_) => "S-21",
            Self::Preference(_) => "S-31",
        }
    }

    /// The statement that decides, or the first of them; nothing where a default, a status or a limit does.
    #[must_use]
    pub fn statement(self) -> Option<StatementId> {
        match self {
            Self::LongestPattern(id)
            | Self::Stated(id)
            | Self::NarrowestScope(id)
            | Self::NotNarrower(id)
            | Self::Uncompared(id)
            | Self::PageStatement(id)
            | Self::NotOverridden(id)
            | Self::ElementStatement(id)
            | Self::Restriction(id)
            | Self::Unable(id)
            | Self::Limit(id)
            | Self::PermissiveWord(id)
            | Self::Lapsed(id)
            | Self::ConditionBroken(id)
            | Self::SubstituteProhibited(id)
            | Self::TargetMissing(id)
            | Self::OtherLocation(id)
            | Self::ReferenceUnread(id)
            | Self::Preference(id) => Some(id),
            Self::NoRuleMatches(_)
            | Self::RobotsTxtItself
            | Self::NoRobotsTxt(_)
            | Self::RobotsTxtUnreachable(_)
            | Self::RobotsTxtUnknown
            | Self::NothingSpeaks => None,
        }
    }

    /// Its stable name, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LongestPattern(_) => "longest-pattern",
            Self::NoRuleMatches(_) => "no-rule-matches",
            Self::RobotsTxtItself => "robots-txt-itself",
            Self::NoRobotsTxt(_) => "no-robots-txt",
            Self::RobotsTxtUnreachable(_) => "robots-txt-unreachable",
            Self::RobotsTxtUnknown => "robots-txt-unknown",
            Self::Stated(_) => "stated",
            Self::NarrowestScope(_) => "narrowest-scope",
            Self::NotNarrower(_) => "not-narrower",
            Self::Uncompared(_) => "uncompared",
            Self::PageStatement(_) => "page-statement",
            Self::NotOverridden(_) => "not-overridden",
            Self::ElementStatement(_) => "element-statement",
            Self::Restriction(_) => "restriction",
            Self::Unable(_) => "unable",
            Self::Limit(_) => "limit",
            Self::PermissiveWord(_) => "permissive-word",
            Self::Lapsed(_) => "lapsed",
            Self::ConditionBroken(_) => "condition-broken",
            Self::SubstituteProhibited(_) => "substitute-prohibited",
            Self::TargetMissing(_) => "target-missing",
            Self::OtherLocation(_) => "other-location",
            Self::ReferenceUnread(_) => "reference-unread",
            Self::Preference(_) => "preference",
            Self::NothingSpeaks => "nothing-speaks",
        }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// What the site expressed.
    pub outcome: Outcome,
    /// The ground of that.
    pub reason: Reason,
    /// What it comes to after prerequisites (S-14) and the caller's default for silence.
    pub effective: Outcome,
    /// The prerequisite that bars it, if one does.
    pub prerequisite: Option<Barrier>,
    /// The first instant at which it no longer holds.
    pub valid_until: Option<Timestamp>,
    /// Whether evidence was cut at a limit (S-22).
    pub is_truncated: bool,
}

/// A prerequisite that is not to be had (S-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Barrier {
    /// The usage that is needed.
    pub usage: &'static Usage,
    /// Why it is not to be had.
    pub reason: Reason,
    /// Whether it is to be had, but only until the resource is crawled again, which is not enough.
    pub ends_at_recrawl: bool,
}

impl Decision {
    /// Whether the use may be made, conditions kept: everything but a prohibition.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effective != Outcome::Prohibited
    }
}

/// Why a crawler is bound by the groups it is bound by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundBy {
    /// A group names it.
    Named,
    /// A group names the fallback of this number.
    Fallback(usize),
    /// No group names it; a group is for a purpose that it has (S-50).
    Purpose,
    /// No group names it; a group is for any crawler.
    Any,
    /// No group speaks to it.
    NoGroup,
}

/// How a document was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obtained {
    /// With this HTTP status.
    Status(u16),
    /// Not at all: the server or the network failed.
    Unreachable,
    /// Not at all: more than five redirects.
    TooManyRedirects,
}
