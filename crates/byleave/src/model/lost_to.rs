//! Why a statement that applies to a use does not determine the decision.

use super::{StatementId, StatementKind};

/// Why a statement did not determine the decision.
///
/// In the variants below, "this statement" is the one that lost. The id, if there is one, is the one that won.
///
/// ```
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain, model::LostTo};
/// let robots_txt = b"User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /news/\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let crawler = Crawler::named("GPTBot");
/// let explanation = explain(&site, &ProposedUse::new("/about", &crawler, &Usage::Crawl))?;
/// assert_eq!(explanation.considered[0].by, LostTo::NamedGroup);
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LostTo {
    /// A longer pattern matches too (RFC 9309 2.2.2).
    LongerPattern(StatementId),
    /// A permission with a pattern of the same length matches too (RFC 9309 2.2.2).
    PermissionOfEqualLength(StatementId),
    /// This statement is for any crawler, and a group names this crawler (RFC 9309 2.2.1).
    NamedGroup,
    /// This statement is for any crawler, and a group names one of this crawler's fallbacks (S-35).
    FallbackGroup,
    /// This statement is for any crawler, and a group is for one of this crawler's purposes (S-50).
    PurposeGroup,
    /// `/robots.txt` itself is always permitted (S-13).
    RobotsTxtItself,
    /// `ACAP-ignore-conventional-records` sets conventional groups aside (S-12).
    ConventionalIgnored,
    /// A statement addresses a usage that is nearer to the usage in question, such as `present` rather than `other`
    /// (S-03).
    NearerUsage,
    /// This statement is for any crawler, and a statement about the same usage names this crawler (S-04).
    NamedStatement(StatementId),
    /// A narrower pattern matches too (S-07).
    NarrowerScope(StatementId),
    /// A statement for the crawler's purpose has the same pattern (S-05).
    PurposeStatement(StatementId),
    /// An ACAP field has the same pattern (S-13).
    AcapField(StatementId),
    /// A prohibition has the same pattern as this permission, and nothing makes the permission narrower (S-05).
    SamePattern(StatementId),
    /// It could not be determined whether this permission is narrower than a prohibition (S-07).
    Undetermined(StatementId),
    /// A narrower permission supplies the conditions (S-08).
    NarrowerPermission(StatementId),
    /// A file that robots.txt refers to was not read (S-21).
    ReferenceUnread,
    /// The answer for another purpose of the crawler is more severe (S-05).
    OtherPurpose,
    /// A condition of another statement is not met (S-20, S-29, S-37).
    FailedCondition(StatementId),
    /// There are too many opposing statements to compare (S-34).
    Uncompared(StatementId),
    /// The page's own META tag overrides this statement (S-15).
    PageStatement(StatementId),
    /// A field in robots.txt for this crawler or purpose overrides this statement (S-15).
    MoreSpecific(StatementId),
    /// This statement is a META tag that permits crawling, but robots.txt prohibits crawling (S-27).
    AfterTheFact(StatementId),
    /// Another META tag contains a permission for the page's actual location (S-27).
    OtherLocation(StatementId),
    /// This statement is a permission that is not in both the page's source and its DOM (S-25).
    NotInBoth,
    /// This statement is on another element, or it is on an element and the question is about the page (S-16).
    OtherElement,
    /// A statement on a nearer element, or a prohibition on an element, overrides this statement (S-16).
    NearerElement(StatementId),
    /// A statement on an enclosing element overrides this statement, as in ACAP's strawman (S-28).
    OuterElement(StatementId),
    /// A statement on the element or on an enclosing element overrides this statement (S-16).
    ElementStatement(StatementId),
    /// robots.txt could not be fetched (S-36).
    Unreachable,
    /// A directive restricts the use, and no permission lifts the restriction (S-17).
    Restriction(StatementId),
    /// This statement is a permissive directive, which does not lift any prohibition (S-17).
    LiftsNothing,
    /// This statement is a directive that only limits the use, but another statement prohibits the use (S-17).
    OtherProhibits(StatementId),
    /// Another directive lifts this statement for this search engine (S-48).
    Lifted(StatementId),
    /// A preference with a longer path applies too (S-41, S-42, S-43).
    LongerPath(StatementId),
    /// A narrower term in a licence addresses the usage (S-45).
    NarrowerUsage(StatementId),
    /// An earlier rule in the same file applies (S-44).
    EarlierRule(StatementId),
    /// A carrier that is nearer to the resource overrides this statement. Headers override tdmrep.json, the page
    /// overrides headers, and metadata in the file overrides all of them (S-44).
    LaterLayer(StatementId),
    /// A `Disallow` rule wins for this path. A permission in this dialect then has no effect (S-31).
    Disallowed(StatementId),
    /// This statement is a preference outside every group, and the crawler's own group has preferences (S-40).
    OwnGroup(StatementId),
    /// Another preference prohibits the use, and no permission lifts the prohibition (S-31).
    Refused(StatementId),
}

impl LostTo {
    /// Returns the number of the rule in the semantics by which the statement lost.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::LongerPattern(_)
            | Self::PermissionOfEqualLength(_)
            | Self::NamedGroup
            | Self::RobotsTxtItself
            | Self::AcapField(_) => "S-13",
            Self::FallbackGroup => "S-35",
            Self::PurposeGroup => "S-50",
            Self::ConventionalIgnored => "S-12",
            Self::NearerUsage => "S-03",
            Self::NamedStatement(_) => "S-04",
            Self::PurposeStatement(_) | Self::OtherPurpose => "S-05",
            // If the winner is a conventional rule, S-13 states that neither statement is narrower.
            Self::SamePattern(id) => {
                if id.kind() == StatementKind::Rule {
                    "S-13"
                } else {
                    "S-05"
                }
            }
            Self::NarrowerScope(_) | Self::Undetermined(_) => "S-07",
            Self::NarrowerPermission(_) => "S-08",
            Self::ReferenceUnread => "S-21",
            Self::FailedCondition(_) => "S-20",
            Self::Uncompared(_) => "S-34",
            Self::PageStatement(_) | Self::MoreSpecific(_) => "S-15",
            Self::AfterTheFact(_) | Self::OtherLocation(_) => "S-27",
            Self::NotInBoth => "S-25",
            Self::OuterElement(_) => "S-28",
            Self::Unreachable => "S-36",
            Self::OtherElement | Self::NearerElement(_) | Self::ElementStatement(_) => "S-16",
            Self::Restriction(_) | Self::LiftsNothing | Self::OtherProhibits(_) => "S-17",
            Self::Lifted(_) => "S-48",
            Self::LongerPath(_) | Self::Disallowed(_) | Self::Refused(_) => "S-31",
            Self::NarrowerUsage(_) => "S-45",
            Self::EarlierRule(_) | Self::LaterLayer(_) => "S-44",
            Self::OwnGroup(_) => "S-40",
        }
    }

    /// Returns the statement that won, if there is one.
    pub(crate) fn winner(self) -> Option<StatementId> {
        match self {
            Self::LongerPattern(id)
            | Self::PermissionOfEqualLength(id)
            | Self::NamedStatement(id)
            | Self::NarrowerScope(id)
            | Self::PurposeStatement(id)
            | Self::AcapField(id)
            | Self::SamePattern(id)
            | Self::Undetermined(id)
            | Self::NarrowerPermission(id)
            | Self::FailedCondition(id)
            | Self::Uncompared(id)
            | Self::PageStatement(id)
            | Self::MoreSpecific(id)
            | Self::AfterTheFact(id)
            | Self::OtherLocation(id)
            | Self::NearerElement(id)
            | Self::OuterElement(id)
            | Self::ElementStatement(id)
            | Self::Restriction(id)
            | Self::OtherProhibits(id)
            | Self::Lifted(id)
            | Self::LongerPath(id)
            | Self::NarrowerUsage(id)
            | Self::EarlierRule(id)
            | Self::LaterLayer(id)
            | Self::Disallowed(id)
            | Self::OwnGroup(id)
            | Self::Refused(id) => Some(id),
            Self::NamedGroup
            | Self::FallbackGroup
            | Self::PurposeGroup
            | Self::RobotsTxtItself
            | Self::ConventionalIgnored
            | Self::NearerUsage
            | Self::ReferenceUnread
            | Self::OtherPurpose
            | Self::NotInBoth
            | Self::OtherElement
            | Self::Unreachable
            | Self::LiftsNothing => None,
        }
    }
}
