//! Why a statement that bears on a use does not decide it.

use super::{StatementId, StatementKind};

/// Why a statement did not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LostTo {
    /// A longer pattern matches too (RFC 9309 2.2.2).
    LongerPattern(StatementId),
    /// A permission with a pattern of the same length matches too (RFC 9309 2.2.2).
    PermissionOfEqualLength(StatementId),
    /// It is for any crawler, and a group names this one (RFC 9309 2.2.1).
    NamedGroup,
    /// It is for any crawler, and a group names one this one falls back to (S-35).
    FallbackGroup,
    /// It is for any crawler, and a group is for a purpose of this one (S-50).
    PurposeGroup,
    /// `/robots.txt` itself is always permitted (S-13).
    RobotsTxtItself,
    /// Conventional groups are set aside by `ACAP-ignore-conventional-records` (S-12).
    ConventionalIgnored,
    /// A usage nearer to the one asked about is spoken of (S-03).
    NearerUsage,
    /// It is for any crawler, and a statement about the same usage names this one (S-04).
    NamedStatement(StatementId),
    /// A narrower pattern matches too (S-07).
    NarrowerScope(StatementId),
    /// The same pattern stands under a purpose of the crawler (S-05).
    PurposeStatement(StatementId),
    /// The same pattern stands in an ACAP field (S-13).
    AcapField(StatementId),
    /// A prohibition has the same pattern, and nothing makes the permission count as narrower (S-05).
    SamePattern(StatementId),
    /// It is not determined to be narrower than a prohibition (S-07).
    Undetermined(StatementId),
    /// A narrower permission supplies the conditions (S-08).
    NarrowerPermission(StatementId),
    /// A file that robots.txt refers to is not read (S-21).
    ReferenceUnread,
    /// The answer for another purpose of the crawler is graver (S-05).
    OtherPurpose,
    /// Another statement sets a limit that is over or broken (S-20, S-29, S-37).
    FailedCondition(StatementId),
    /// The statements that oppose each other are too many to be compared (S-34).
    Uncompared(StatementId),
    /// The page's own META tag says otherwise (S-15).
    PageStatement(StatementId),
    /// A field of robots.txt for this crawler or purpose says otherwise (S-15).
    MoreSpecific(StatementId),
    /// A META tag permits crawling what robots.txt prohibits (S-27).
    AfterTheFact(StatementId),
    /// The page is where another META tag says it has to be (S-27).
    OtherLocation(StatementId),
    /// Only one of the page's source and DOM permits so (S-25).
    NotInBoth,
    /// It is on another element, or on a part where the page is asked about (S-16).
    OtherElement,
    /// A statement on a nearer element, or one that prohibits (S-16).
    NearerElement(StatementId),
    /// A statement on an element around it, under the strawman (S-28).
    OuterElement(StatementId),
    /// The element itself, or one around it, says otherwise (S-16).
    ElementStatement(StatementId),
    /// robots.txt could not be fetched (S-36).
    Unreachable,
    /// A word restricts, and no permission lifts that (S-17).
    Restriction(StatementId),
    /// A word that permits lifts nothing (S-17).
    LiftsNothing,
    /// A word limits what another prohibits (S-17).
    OtherProhibits(StatementId),
    /// A word that to this search engine lifts it (S-48).
    Lifted(StatementId),
    /// A preference has a longer path (S-41, S-42, S-43).
    LongerPath(StatementId),
    /// A narrower word of a licence speaks of the usage (S-45).
    NarrowerUsage(StatementId),
    /// A rule of the same file comes before it (S-44).
    EarlierRule(StatementId),
    /// What is nearer to the resource supersedes it: the header the file, the page the header (S-44).
    LaterLayer(StatementId),
    /// `Disallow` wins there, and where it does such a preference permits nothing (S-31).
    Disallowed(StatementId),
    /// The crawler's own group has preferences, and this one is the site's (S-40).
    OwnGroup(StatementId),
    /// Another preference prohibits, and no permission lifts that (S-31).
    Refused(StatementId),
}

impl LostTo {
    /// The rule of the semantics by which it lost.
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
            // With a conventional rule that names the crawler it is S-13 that makes neither narrower.
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

    /// The statement it lost to, where it is one.
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
