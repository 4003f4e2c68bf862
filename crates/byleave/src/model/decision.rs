//! Decisions as data: the outcome, its reason, and the prerequisite that bars a use (S-01).
//!
//! `decide` makes decisions; `explain` puts their reasons into sentences.

use super::{StatementId, Usage};
use crate::base::timestamp::Timestamp;

/// The result of a decision (S-01). It is not `non_exhaustive`: callers should notice a new variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The use is permitted, expressly or by RFC 9309's default for `crawl`.
    Permitted,
    /// The use is permitted if it keeps the listed conditions.
    Conditional,
    /// The use is prohibited.
    Prohibited,
    /// No statement applies. This is not consent.
    Unstated,
}

impl Outcome {
    /// Returns its name in every output.
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

/// The reason for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The rule that RFC 9309 selects: the one with the longest pattern; a permission among equally long patterns
    /// (S-13).
    LongestPattern(StatementId),
    /// No rule in the groups that bind the crawler matches, so RFC 9309's default permits the use (S-01).
    NoRuleMatches(BoundBy),
    /// `/robots.txt` itself is always permitted (S-13).
    RobotsTxtItself,
    /// There is no robots.txt, so the use is permitted by default (S-36).
    NoRobotsTxt(Obtained),
    /// robots.txt could not be fetched, so the use is prohibited (S-36).
    RobotsTxtUnreachable(Obtained),
    /// Nothing is known about robots.txt (S-36).
    RobotsTxtUnknown,
    /// An ACAP statement without an opposing statement (S-03).
    Stated(StatementId),
    /// An ACAP statement that is narrower than all opposing statements (S-07).
    NarrowestScope(StatementId),
    /// A prohibition; no permission is known to be narrower (S-07).
    NotNarrower(StatementId),
    /// A prohibition; too many statements oppose each other to compare them (S-34).
    Uncompared(StatementId),
    /// The page's own META tag, which overrides robots.txt (S-15).
    PageStatement(StatementId),
    /// A prohibition in robots.txt that the page's META tag does not lift (S-15, S-27).
    NotOverridden(StatementId),
    /// A statement on the element or an enclosing element, which overrides statements about the page (S-16).
    ElementStatement(StatementId),
    /// A directive in META, `Robots-Tag` or `X-Robots-Tag` that prohibits the use (S-17).
    Restriction(StatementId),
    /// A directive that limits the use; the crawler cannot keep the limit (S-38).
    Unable(StatementId),
    /// A directive that limits a use that no other statement addresses (S-17).
    Limit(StatementId),
    /// A directive that permits a use that no other statement addresses (S-17).
    PermissiveDirective(StatementId),
    /// The permission has expired (S-20).
    Lapsed(StatementId),
    /// The use as described breaks a condition (S-29).
    ConditionBroken(StatementId),
    /// The resource that a permission requires to be used instead may not be crawled (S-37).
    SubstituteProhibited(StatementId),
    /// The part that a permission requires to be used is not in the page (S-37).
    TargetMissing(StatementId),
    /// The page is at another location than a permission requires (S-27).
    OtherLocation(StatementId),
    /// A file that robots.txt refers to was not read (S-21).
    ReferenceUnread(StatementId),
    /// A preference in an AI-preference dialect, selected by the rule of that dialect (S-31, S-40).
    Preference(StatementId),
    /// No statement addresses this usage (S-01).
    NoStatementApplies,
}

impl Reason {
    /// Returns the number of the rule in the semantics.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::LongestPattern(_) | Self::RobotsTxtItself => "S-13",
            Self::NoRuleMatches(_) | Self::NoStatementApplies => "S-01",
            Self::NoRobotsTxt(_) | Self::RobotsTxtUnreachable(_) | Self::RobotsTxtUnknown => "S-36",
            Self::Stated(_) => "S-03",
            Self::NarrowestScope(_) | Self::NotNarrower(_) => "S-07",
            Self::Uncompared(_) => "S-34",
            Self::Unable(_) => "S-38",
            Self::PageStatement(_) | Self::NotOverridden(_) => "S-15",
            Self::ElementStatement(_) => "S-16",
            Self::Restriction(_) | Self::Limit(_) | Self::PermissiveDirective(_) => "S-17",
            Self::Lapsed(_) => "S-20",
            Self::ConditionBroken(_) => "S-29",
            Self::SubstituteProhibited(_) | Self::TargetMissing(_) => "S-37",
            Self::OtherLocation(_) => "S-27",
            Self::ReferenceUnread(_) => "S-21",
            Self::Preference(_) => "S-31",
        }
    }

    /// Returns the statement that decides, or the first of several. Returns `None` if a default, a status or a limit
    /// decides.
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
            | Self::PermissiveDirective(id)
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
            | Self::NoStatementApplies => None,
        }
    }

    /// Returns its stable name, as in JSON.
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
            Self::PermissiveDirective(_) => "permissive-directive",
            Self::Lapsed(_) => "lapsed",
            Self::ConditionBroken(_) => "condition-broken",
            Self::SubstituteProhibited(_) => "substitute-prohibited",
            Self::TargetMissing(_) => "target-missing",
            Self::OtherLocation(_) => "other-location",
            Self::ReferenceUnread(_) => "reference-unread",
            Self::Preference(_) => "preference",
            Self::NoStatementApplies => "no-statement-applies",
        }
    }
}

/// The answer to a proposed use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// What the site expressed.
    pub outcome: Outcome,
    /// The reason for the outcome.
    pub reason: Reason,
    /// The outcome after prerequisites (S-14) and the caller's default for unstated uses.
    pub effective: Outcome,
    /// The prerequisite that bars the use, if one does.
    pub prerequisite: Option<Barrier>,
    /// The first time at which the decision no longer holds.
    pub valid_until: Option<Timestamp>,
    /// Whether a limit cut off some of the evidence (S-22).
    pub is_truncated: bool,
}

/// A prerequisite that is not met (S-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Barrier {
    /// The usage that must be permitted first.
    pub usage: &'static Usage,
    /// Why it is not permitted.
    pub reason: Reason,
    /// Whether it is permitted, but only until the resource is crawled again, which is not enough.
    pub ends_at_recrawl: bool,
}

impl Decision {
    /// Whether the use may be made if its conditions are kept. Only a prohibition says no.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effective != Outcome::Prohibited
    }
}

/// Why certain groups bind a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundBy {
    /// They name the crawler.
    Named,
    /// They name its fallback with this number.
    Fallback(usize),
    /// No group names the crawler; these groups are for a purpose that it has (S-50).
    Purpose,
    /// No group names the crawler; these groups are for any crawler.
    Any,
    /// No group binds the crawler.
    NoGroup,
}

/// The result of fetching a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obtained {
    /// The server answered with this HTTP status.
    Status(u16),
    /// The document was not obtained: the server or the network failed.
    Unreachable,
    /// The document was not obtained: there were more than five redirects.
    TooManyRedirects,
}

#[cfg(feature = "report")]
mod serialized {
    //! Decisions as data of other formats: names instead of variants. The full JSON form is that of a report.

    use super::{Barrier, Decision, Outcome, Reason};
    use serde::ser::{Serialize, SerializeStruct, Serializer};

    impl Serialize for Outcome {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.name())
        }
    }

    impl Serialize for Reason {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("Reason", 2)?;
            fields.serialize_field("name", self.name())?;
            fields.serialize_field("rule", self.rule())?;
            fields.end()
        }
    }

    impl Serialize for Barrier {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("Barrier", 3)?;
            fields.serialize_field("usage", self.usage.name())?;
            fields.serialize_field("reason", &self.reason)?;
            fields.serialize_field("ends_at_recrawl", &self.ends_at_recrawl)?;
            fields.end()
        }
    }

    impl Serialize for Decision {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("Decision", 6)?;
            fields.serialize_field("outcome", &self.outcome)?;
            fields.serialize_field("reason", &self.reason)?;
            fields.serialize_field("effective", &self.effective)?;
            fields.serialize_field("prerequisite", &self.prerequisite)?;
            fields.serialize_field("valid_until", &self.valid_until.map(|until| until.to_string()))?;
            fields.serialize_field("is_truncated", &self.is_truncated)?;
            fields.end()
        }
    }

    #[cfg(test)]
    mod tests {
        use crate::{Crawler, ProposedUse, Reading, Site, Usage, decide};

        #[test]
        fn a_decision_serializes_with_names() {
            let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /a\n", Reading::Default);
            let crawler = Crawler::named("AnyBot");
            let decision = decide(&site, &ProposedUse::new("/a", &crawler, &Usage::Index));
            let json =
                serde_json::to_string(&decision.unwrap_or_else(|error| unreachable!("{error}"))).unwrap_or_default();
            assert_eq!(
                json,
                "{\"outcome\":\"unstated\",\"reason\":{\"name\":\"no-statement-applies\",\"rule\":\"S-01\"},\
                 \"effective\":\"prohibited\",\"prerequisite\":{\"usage\":\"crawl\",\"reason\":\
                 {\"name\":\"longest-pattern\",\"rule\":\"S-13\"},\"ends_at_recrawl\":false},\
                 \"valid_until\":null,\"is_truncated\":false}"
            );
        }
    }
}
