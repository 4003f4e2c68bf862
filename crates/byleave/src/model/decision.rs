//! Decisions as data: the outcome, its reason, and the prerequisite that bars a use (S-01).
//!
//! `decide` makes decisions; `explain` puts their reasons into sentences.

use super::{StatementId, Usage};
use crate::base::table::table;
use crate::base::timestamp::Timestamp;

table! {
    /// The result of a decision (S-01). The enum is exhaustive on purpose, so that a new variant is a compile error in
    /// code that does not handle it.
    ///
    /// ```
    /// use byleave::{Crawler, Outcome, Policy, Usage};
    /// let policy = Policy::parse(b"User-agent: *\nContent-Usage: train-ai=n\nDisallow: /private/\n");
    /// let crawler = Crawler::named("ExampleBot");
    /// let bound = policy.bind(&crawler);
    /// assert_eq!(bound.decide(&Usage::Crawl, "/news/")?.outcome, Outcome::Permitted);
    /// assert_eq!(bound.decide(&Usage::TrainAi, "/news/")?.outcome, Outcome::Prohibited);
    /// assert_eq!(bound.decide(&Usage::Translate, "/news/")?.outcome, Outcome::Unstated);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Outcome {
        /// The use is permitted, expressly or by RFC 9309's default for `crawl`.
        Permitted = "permitted";
        /// The use is permitted if it meets the listed conditions.
        Conditional = "conditional";
        /// The use is prohibited.
        Prohibited = "prohibited";
        /// No statement applies. This does not mean that the site consents.
        Unstated = "unstated";
    }

    /// Returns the outcome's name, as used in all output.
    pub fn name: &'static str;
}

table! {
    /// The reason for a decision.
    ///
    /// ```
    /// use byleave::{Crawler, Policy, Usage};
    /// let policy = Policy::parse(b"User-agent: *\nDisallow: /private/\n");
    /// let crawler = Crawler::named("ExampleBot");
    /// let bound = policy.bind(&crawler);
    /// let reason = bound.decide(&Usage::Crawl, "/private/notes")?.reason;
    /// assert_eq!((reason.name(), reason.rule()), ("longest-pattern", "S-13"));
    /// let reason = bound.decide(&Usage::Crawl, "/news/")?.reason;
    /// assert_eq!((reason.name(), reason.statement()), ("no-rule-matches", None));
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Reason {
        /// The rule that RFC 9309 selects: the matching rule with the longest pattern. Among equally long patterns, a
        /// permission wins (S-13).
        LongestPattern(StatementId) = "longest-pattern", "S-13";
        /// No rule in the groups that bind the crawler matches, so RFC 9309's default permits the use (S-01).
        NoRuleMatches(BoundBy) = "no-rule-matches", "S-01";
        /// `/robots.txt` itself is always permitted (S-13).
        RobotsTxtItself = "robots-txt-itself", "S-13";
        /// There is no robots.txt, so the use is permitted by default (S-36).
        NoRobotsTxt(Obtained) = "no-robots-txt", "S-36";
        /// robots.txt could not be fetched, so the use is prohibited (S-36).
        RobotsTxtUnreachable(Obtained) = "robots-txt-unreachable", "S-36";
        /// It is not known whether there is a robots.txt (S-36).
        RobotsTxtUnknown = "robots-txt-unknown", "S-36";
        /// An ACAP statement without an opposing statement (S-03).
        Stated(StatementId) = "stated", "S-03";
        /// An ACAP statement that is narrower than all opposing statements (S-07).
        NarrowestScope(StatementId) = "narrowest-scope", "S-07";
        /// A prohibition. No opposing permission is known to be narrower (S-07).
        NotNarrower(StatementId) = "not-narrower", "S-07";
        /// A prohibition that determines the outcome because there are too many opposing statements to compare (S-34).
        Uncompared(StatementId) = "uncompared", "S-34";
        /// The page's own META tag, which overrides robots.txt (S-15).
        PageStatement(StatementId) = "page-statement", "S-15";
        /// A prohibition in robots.txt that the page's META tag does not override (S-15, S-27).
        NotOverridden(StatementId) = "not-overridden", "S-15";
        /// A statement on the element or an enclosing element. It overrides statements about the page (S-16).
        ElementStatement(StatementId) = "element-statement", "S-16";
        /// A directive in META, `Robots-Tag` or `X-Robots-Tag` that prohibits the use (S-17).
        Restriction(StatementId) = "restriction", "S-17";
        /// A directive with a limit that the crawler cannot apply (S-38).
        Unable(StatementId) = "unable", "S-38";
        /// A directive that limits the use. No other statement addresses this use (S-17).
        Limit(StatementId) = "limit", "S-17";
        /// A directive that permits the use. No other statement addresses this use (S-17).
        PermissiveDirective(StatementId) = "permissive-directive", "S-17";
        /// The permission has expired (S-20).
        Lapsed(StatementId) = "lapsed", "S-20";
        /// The details of the use break a condition (S-29).
        ConditionBroken(StatementId) = "condition-broken", "S-29";
        /// A permission requires the use of another resource, which the crawler may not crawl (S-37).
        SubstituteProhibited(StatementId) = "substitute-prohibited", "S-37";
        /// A permission requires the use of a part that the page does not have (S-37).
        TargetMissing(StatementId) = "target-missing", "S-37";
        /// The page's location is not the location that a permission requires (S-27).
        OtherLocation(StatementId) = "other-location", "S-27";
        /// A file that robots.txt refers to was not read (S-21).
        ReferenceUnread(StatementId) = "reference-unread", "S-21";
        /// A statement in an AI-preference dialect, selected by that dialect's own rule (S-31, S-40).
        Preference(StatementId) = "preference", "S-31";
        /// No statement addresses this usage (S-01).
        NoStatementApplies = "no-statement-applies", "S-01";
    }

    /// Returns the reason's stable name, as used in JSON.
    pub fn name: &'static str;

    /// Returns the number of the rule in the semantics that this reason follows.
    pub fn rule: &'static str;
}

impl Reason {
    /// Returns the statement that determines the outcome, or the first of several. Returns `None` if the decision rests
    /// on a default, a status or a limit.
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
}

/// The answer to a proposed use. See [`decide`](crate::decide()) for an example.
///
/// ```
/// use byleave::{Crawler, Outcome, Policy, Usage};
/// let policy = Policy::parse(b"User-agent: *\nDisallow: /drafts/\n");
/// let crawler = Crawler::named("ExampleBot");
/// let decision = policy.bind(&crawler).decide(&Usage::Index, "/drafts/1")?;
/// assert_eq!(decision.outcome, Outcome::Unstated, "no line mentions indexing");
/// assert_eq!(decision.effective, Outcome::Prohibited, "a page that may not be crawled cannot be indexed");
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The outcome according to the site's statements.
    pub outcome: Outcome,
    /// The reason for the outcome.
    pub reason: Reason,
    /// The outcome after prerequisites (S-14) and the caller's default for unstated uses.
    pub effective: Outcome,
    /// The prerequisite that bars the use, if one does.
    pub prerequisite: Option<Barrier>,
    /// The first point in time at which the decision is no longer valid.
    pub valid_until: Option<Timestamp>,
    /// Whether a limit cut off some of the input, so that statements may be missing (S-22).
    pub is_truncated: bool,
}

/// A prerequisite that is not met (S-14).
///
/// ```
/// use byleave::{Crawler, Policy, Usage};
/// let policy = Policy::parse(b"User-agent: *\nDisallow: /drafts/\n");
/// let crawler = Crawler::named("ExampleBot");
/// let decision = policy.bind(&crawler).decide(&Usage::Index, "/drafts/1")?;
/// let barrier = decision.prerequisite.expect("a page that may not be crawled cannot be indexed");
/// assert_eq!(barrier.usage, &Usage::Crawl);
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Barrier {
    /// The usage that must be permitted first.
    pub usage: &'static Usage,
    /// Why that usage is not permitted.
    pub reason: Reason,
    /// Whether that usage is permitted only until the resource is crawled again. This is not enough for the proposed
    /// use.
    pub ends_at_recrawl: bool,
}

impl Decision {
    /// Returns whether the use may be made, if its conditions are met. Returns `false` only if the use is effectively
    /// prohibited.
    ///
    /// ```
    /// use byleave::{Crawler, Policy, Usage};
    /// let policy = Policy::parse(b"User-agent: *\nContent-Signal: ai-train=no\nDisallow: /private/\n");
    /// let crawler = Crawler::named("ExampleBot");
    /// let bound = policy.bind(&crawler);
    /// assert!(bound.decide(&Usage::Index, "/news/")?.is_allowed());
    /// assert!(!bound.decide(&Usage::TrainAi, "/news/")?.is_allowed());
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effective != Outcome::Prohibited
    }
}

/// Why certain groups in robots.txt bind a crawler. See [`Bound::bound_by`](crate::Bound::bound_by).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoundBy {
    /// These groups name the crawler.
    Named,
    /// These groups name the fallback with this index in [`Crawler::fallbacks`](crate::Crawler::fallbacks).
    Fallback(usize),
    /// No group names the crawler, but these groups are for one of its purposes (S-50).
    Purpose,
    /// No group names the crawler, so the groups for any crawler bind it.
    Any,
    /// No group binds the crawler.
    NoGroup,
}

/// The result of fetching a document.
///
/// ```
/// use byleave::{Crawler, Obtained, Outcome, ProposedUse, Reading, Site, Usage, decide};
/// let crawler = Crawler::named("ExampleBot");
/// let question = ProposedUse::new("https://site.example/", &crawler, &Usage::Crawl);
/// let outcome = |obtained| {
///     let site = Site::builder(Reading::Default).with_robots_txt(obtained, b"").build();
///     decide(&site, &question).map(|decision| decision.outcome)
/// };
/// assert_eq!(outcome(Obtained::Status(404))?, Outcome::Permitted);
/// assert_eq!(outcome(Obtained::Status(503))?, Outcome::Prohibited);
/// assert_eq!(outcome(Obtained::Unreachable)?, Outcome::Prohibited);
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obtained {
    /// The server answered with this HTTP status.
    Status(u16),
    /// The document was not obtained because the server or the network failed.
    Unreachable,
    /// The document was not obtained because there were more than five redirects.
    TooManyRedirects,
}

#[cfg(feature = "report")]
mod serialized {
    //! Serializes the types of this file by name. The full JSON form of a decision is a report (`explain/report.rs`).

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
