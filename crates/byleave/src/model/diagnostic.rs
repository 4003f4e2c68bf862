//! What was noticed while reading: code, severity, span, message, help.
//!
//! A diagnostic never changes a decision; it says what a reader of the file should know. The codes are
//! stable: tools and case files name them.

use crate::base::source::Span;

/// Something noticed in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What kind of thing it is.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// The name of the document it is in.
    pub document: String,
    /// Where it is there.
    pub span: Span,
    /// What is wrong, in one line, lower case, input in backticks.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// It works and could be clearer.
    Advice,
    /// Some crawlers will read it otherwise.
    Warning,
    /// The publisher's evident intent is not what happens.
    Error,
}

impl Severity {
    /// The word for it in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Advice => "advice",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[$about:meta])* $variant:ident = $name:literal, $severity:ident;)*) => {
        /// The kinds of diagnostics. Their names are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$about])* $variant,)* }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its stable name, as in JSON and case files.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much it matters in the default reading.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// A UTF-8 byte order mark stands before the first line.
    ByteOrderMark = "byte-order-mark", Advice;
    /// The text begins with the mark of UTF-16, which RFC 9309 does not allow.
    Utf16 = "utf-16", Error;
    /// A NUL byte stands in a line.
    NulByte = "nul-byte", Warning;
    /// The file is longer than the limit; the rest is unread (S-22).
    Truncated = "truncated", Error;
    /// A line is longer than Google's parser reads.
    LongLine = "long-line", Warning;
    /// A field nobody has defined.
    UnknownField = "unknown-field", Warning;
    /// A field name that a listed tolerance reads as another.
    MisspeltField = "misspelt-field", Warning;
    /// The colon is missing; blanks were taken for it.
    MissingColon = "missing-colon", Warning;
    /// A line that is neither a field, a comment nor blank.
    NotAField = "not-a-field", Warning;
    /// A rule before any group, which addresses nobody.
    OrphanRule = "orphan-rule", Error;
    /// A rule stands in a group of the other kind (S-12).
    ForeignField = "foreign-field", Warning;
    /// A pattern that begins with neither `/` nor `*` and so matches nothing.
    SlashlessPattern = "slashless-pattern", Error;
    /// A pattern that begins with `*`, which the grammar of RFC 9309 leaves out.
    LeadingStar = "leading-star", Advice;
    /// A crawler name with characters outside RFC 9309's product token.
    OddName = "odd-name", Advice;
    /// A user-agent line that names nobody.
    EmptyName = "empty-name", Error;
    /// A group with names and no rules before the next group.
    EmptyGroup = "empty-group", Advice;
    /// A word for META tags used as a robots.txt field.
    MisusedWord = "misused-directive", Warning;
    /// A value that its field cannot mean.
    BadValue = "bad-value", Warning;
    /// The scheme `acap:`, which became `the-acap:`.
    LegacyScheme = "legacy-scheme", Warning;
    /// A usage that ACAP does not define.
    UnknownUsage = "unknown-usage", Error;
    /// A definition that defines nothing.
    EmptyDefinition = "empty-definition", Error;
    /// An ACAP field before any ACAP group, which addresses nobody.
    OrphanField = "orphan-field", Error;
    /// A definition after a group.
    LateDefinition = "late-definition", Error;
    /// A definition that relies on a later one.
    ForwardReference = "forward-reference", Error;
    /// A permissions reference beside other fields of its group.
    ReferenceNotAlone = "reference-not-alone", Error;
    /// A permissions reference in a file that is itself referred to.
    NestedReference = "nested-reference", Error;
    /// A file that is referred to and was not given.
    ReferenceUnread = "reference-unread", Warning;
    /// Crawler lines apart from each other that make one group.
    MergedCrawlerLines = "merged-crawler-lines", Warning;
    /// A purpose without permissions or prohibitions.
    EmptySubgroup = "empty-subgroup", Warning;
    /// An action request inside a subgroup.
    ActionInSubgroup = "action-in-subgroup", Error;
    /// A group for any crawler that also names some.
    MixedAddressee = "mixed-addressee", Error;
    /// Purposes that are not one by one, or stand in quotation marks.
    PurposeList = "purpose-list", Error;
    /// Several crawlers in one line, which are read as one name, or in one META tag.
    NameList = "name-list", Warning;
    /// A qualifier that ACAP does not define.
    UnknownQualifier = "unknown-qualifier", Error;
    /// A qualifier that its usage does not take.
    QualifierNotValid = "qualifier-not-valid", Error;
    /// A value that its qualifier does not take.
    BadQualifierValue = "bad-qualifier-value", Error;
    /// A date that does not exist or is not written `YYYY-MM-DD`.
    BadDate = "bad-date", Error;
    /// A qualifier that stands more often than it may.
    RepeatedQualifier = "repeated-qualifier", Error;
    /// A second path in one field.
    SecondResource = "second-resource", Error;
    /// Text behind the path that is no qualifier.
    StrayText = "stray-text", Error;
    /// A prohibition with qualifiers, which do not weaken it.
    QualifiedProhibition = "qualified-prohibition", Error;
    /// A prohibition of a local usage.
    LocalProhibition = "local-prohibition", Error;
    /// A permission of a local usage with further qualifiers.
    QualifiedLocalUsage = "qualified-local-usage", Error;
    /// A local usage that no definition defines.
    UndefinedLocalUsage = "undefined-local-usage", Error;
    /// A resource set that no definition defines.
    UndefinedSet = "undefined-set", Error;
    /// A resource set without patterns.
    EmptySet = "empty-set", Error;
    /// A resource set defined twice: the patterns of both count.
    DuplicateSet = "duplicate-set", Warning;
    /// A local usage defined twice: the first counts.
    DuplicateUsage = "duplicate-usage", Error;
    /// A name that does not begin with a letter or has characters no name has.
    BadName = "bad-name", Error;
    /// A definition whose uses cannot be interpreted.
    BadDefinition = "bad-definition", Error;
    /// A field without a resource.
    EmptyPattern = "empty-pattern", Error;
    /// A URL where a path should be.
    AbsoluteUrl = "absolute-url", Error;
    /// A pattern without its initial slash, which is added.
    MissingSlash = "missing-slash", Warning;
    /// A comma that seems to part patterns.
    CommaInPattern = "comma-in-pattern", Warning;
    /// A `$` that is not the last character of its pattern.
    InnerDollar = "inner-dollar", Error;
    /// A pattern with a query, which ACAP's grammar leaves out.
    QueryInPattern = "query-in-pattern", Advice;
    /// A file-wide field after what it should precede.
    MisplacedField = "misplaced-field", Warning;
    /// A colon behind a field that takes no value.
    NeedlessColon = "needless-colon", Advice;
    /// A version comment that is not the first line or not written `##ACAP`.
    OddVersionMark = "odd-version-mark", Warning;
    /// A version that is no version.
    BadVersion = "bad-version", Warning;
    /// A major version of ACAP that is not supported.
    UnsupportedMajor = "unsupported-major", Error;
    /// A feature of a later version than the file declares.
    UndeclaredFeature = "undeclared-feature", Error;
    /// A feature that the declared version withdrew.
    FeatureWithdrawn = "feature-withdrawn", Advice;
    /// A wildcard in an action request, which is about one resource.
    WildcardInRequest = "wildcard-in-request", Error;
    /// A wildcard in a permissions reference.
    WildcardInReference = "wildcard-in-reference", Error;
    /// An action request that ACAP does not define.
    UnknownAction = "unknown-action", Advice;
    /// A conventional group after an ACAP group.
    ConventionalAfterAcap = "conventional-after-acap", Warning;
    /// A value that is read as another.
    MisspeltValue = "misspelt-value", Warning;
    /// Blanks inside the parentheses of a local usage.
    BlanksInName = "blanks-in-name", Advice;
    /// A feature that ACAP calls not ready.
    NotReady = "not-ready", Warning;
    /// A feature that needs an arrangement between site and crawler.
    NeedsArrangement = "needs-arrangement", Warning;
    /// A permission of every other usage.
    AllowOther = "allow-other", Warning;
    /// A page that is no HTML, and so has no META tags.
    NotHtml = "not-html", Advice;
    /// A META tag outside of `head`, where none counts (S-24).
    MetaOutsideHead = "meta-outside-head", Warning;
    /// A META tag that begins with `ACAP` and says nothing.
    EmptyStatement = "empty-statement", Error;
    /// A META tag with more than one ACAP statement.
    SeveralStatements = "several-statements", Error;
    /// A META tag that names a local usage.
    LocalUsageInMeta = "local-usage-in-meta", Error;
    /// A location that stands more than once in one META tag.
    RepeatedLocation = "repeated-location", Advice;
    /// A class of the Robot Exclusion Profile on a page that does not name the profile, where it means nothing (S-26).
    ProfileMissing = "profile-missing", Advice;
    /// A class that speaks of crawling an element, which nobody can (S-16).
    CrawlOnElement = "crawl-on-element", Warning;
    /// The page has no element such as is asked about; the answer is the page's (S-16).
    NoSuchElement = "no-such-element", Error;
    /// A META tag whose name, or whose token `ACAP`, stands in quotation marks that HTML does not take for such.
    QuotationMarks = "quotation-marks", Warning;
    /// What only crawlers that read the strawman of 2007 know the meaning of (S-28).
    StrawmanOnly = "strawman-only", Warning;
    /// Several versions of ACAP are declared; the lowest counts.
    ConflictingVersions = "conflicting-versions", Error;
    /// A version of ACAP declared to one crawler.
    VersionForOne = "version-for-one", Warning;
    /// A word of META or a header that no table has.
    UnknownWord = "unknown-directive", Warning;
    /// A word of META or a header whose value is missing or cannot be read, so that it says nothing.
    UnreadableValue = "unreadable-value", Error;
    /// A header field or META tag that is called nearly as one that crawlers read, so that none reads it.
    MisspeltCarrier = "misspelt-carrier", Error;
    /// Words in one META tag or header that permit what others there restrict; no word lifts a restriction (S-17).
    ContradictoryWords = "contradictory-directives", Warning;
    /// A preference that cannot be read and says nothing: no dictionary, a label without a value it takes (S-41, S-42).
    BadPreference = "bad-preference", Error;
    /// A preference about something that its dialect has no word for.
    UnknownPreference = "unknown-preference", Warning;
    /// A label of `Content-Usage` that the newest draft does not have (S-41), or a list or a relative `License` as RSL 0.9 had it (S-45).
    LegacyLabel = "legacy-label", Warning;
    /// A preference outside of every group, which counts where a crawler's own groups have none (S-40).
    OrphanPreference = "orphan-preference", Warning;
    /// A rule of tdmrep.json that never counts, because one before it matches all that it matches (S-44).
    ShadowedLocation = "shadowed-location", Warning;
    /// A document that is not what its location says it is.
    BadDocument = "bad-document", Error;
    /// A member of `Robots-Tag` that is no structured field item and is dropped (S-23).
    MalformedMember = "malformed-member", Error;
    /// A rule where `Robots-Tag` has a crawler's name; it is read as that rule for everyone (S-23).
    RuleAsName = "rule-as-name", Warning;
    /// A name in `Robots-Tag` that no rule follows.
    NameWithoutRules = "name-without-rules", Advice;
    /// The name `robots` in `Robots-Tag`, which is read as `*`.
    RobotsAsName = "robots-as-name", Warning;
    /// A rule of `Robots-Tag` that is false and so says nothing.
    FalseRule = "false-rule", Advice;
    /// A header is longer than the limit; the rest is unread (S-22).
    HeaderTooLong = "header-too-long", Error;
}

impl Code {
    /// Whether it tells of an ACAP form that the default reading accepts and the strict one does not.
    pub(crate) fn is_leniency(self) -> bool {
        matches!(
            self,
            Self::LegacyScheme
                | Self::MissingSlash
                | Self::QueryInPattern
                | Self::NeedlessColon
                | Self::OddVersionMark
                | Self::MisspeltValue
                | Self::BlanksInName
                | Self::RepeatedLocation
                | Self::OddName
                | Self::QuotationMarks
        )
    }
}

/// How many things are noticed in one META tag, or in the headers of one response.
pub(crate) const MAX_NOTES: usize = 1_000;

/// A piece of a document for a message: control characters replaced, long ones cut.
pub(crate) fn shown(text: &[u8], (start, end): (usize, usize)) -> String {
    const MAX: usize = 60;
    let piece = text.get(start..end).unwrap_or_default();
    // More bytes than any sixty characters have.
    let text = String::from_utf8_lossy(piece.get(..MAX * 4 + 4).unwrap_or(piece));
    let text: String = text.chars().map(|letter| if letter.is_control() { '\u{FFFD}' } else { letter }).collect();
    if text.chars().count() > MAX { text.chars().take(MAX).chain(['…']).collect() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_names_are_unique_and_kebab_case() {
        let names: std::collections::BTreeSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for name in names {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
        }
    }
}
