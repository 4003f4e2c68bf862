//! Diagnostics: findings about a document, each with a code, a severity, a span, a message and help.
//!
//! A diagnostic never changes a decision. It tells the publisher about a problem in a document. The codes are stable,
//! because tools and case files use them.

use crate::base::source::Span;

/// A finding about a document. [`diagnose`](crate::diagnostic::diagnose) returns the findings about a robots.txt.
///
/// ```
/// use byleave::{Reading, diagnostic::diagnose};
/// let found = diagnose(b"User-agent: *\nDissalow: /private/\n", Reading::Default);
/// assert_eq!(found[0].message, "`Dissalow` is read as `Disallow` here, but not by every crawler");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of finding.
    pub code: Code,
    /// How severe the finding is.
    pub severity: Severity,
    /// The name of the document.
    pub document: String,
    /// Where in the document the problem is.
    pub span: Span,
    /// What is wrong: one line in lower case, with input in backticks.
    pub message: String,
    /// What the publisher can do about it.
    pub help: Option<String>,
}

/// How severe a diagnostic is.
///
/// ```
/// use byleave::diagnostic::Severity;
/// assert!(Severity::Advice < Severity::Warning && Severity::Warning < Severity::Error);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// The input works but could be clearer.
    Advice,
    /// Some crawlers interpret the input differently.
    Warning,
    /// The effect is not what the publisher evidently intended.
    Error,
}

impl Severity {
    /// Returns the severity's name, as used in all output.
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
        ///
        /// ```
        /// use byleave::diagnostic::{Code, Severity};
        /// assert_eq!(Code::OrphanRule.name(), "orphan-rule");
        /// assert_eq!(Code::OrphanRule.severity(), Severity::Error);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$about])* $variant,)* }

        impl Code {
            /// All codes, in the order of the variants.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the code's stable name, as used in JSON and case files.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the code's severity in the default reading.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// A UTF-8 byte order mark before the first line.
    ByteOrderMark = "byte-order-mark", Advice;
    /// A UTF-16 byte order mark. RFC 9309 does not allow UTF-16.
    Utf16 = "utf-16", Error;
    /// A NUL byte in a line.
    NulByte = "nul-byte", Warning;
    /// A file longer than the limit. The rest is not read (S-22).
    Truncated = "truncated", Error;
    /// A line longer than Google's parser reads.
    LongLine = "long-line", Warning;
    /// A field that no standard or convention defines.
    UnknownField = "unknown-field", Warning;
    /// A misspelt field name that a listed leniency accepts.
    MisspeltField = "misspelt-field", Warning;
    /// A missing colon. The blanks after the name are read as the colon.
    MissingColon = "missing-colon", Warning;
    /// A line that is neither a field nor a comment nor blank.
    NotAField = "not-a-field", Warning;
    /// A rule before any group, which addresses no crawler.
    OrphanRule = "orphan-rule", Error;
    /// A conventional rule in an ACAP group, or an ACAP rule in a conventional group (S-12).
    ForeignField = "foreign-field", Warning;
    /// A pattern that starts with neither `/` nor `*`, so it matches nothing.
    SlashlessPattern = "slashless-pattern", Error;
    /// A pattern that starts with `*`, which RFC 9309's grammar does not allow.
    LeadingStar = "leading-star", Advice;
    /// A crawler name with characters that RFC 9309 does not allow in a product token.
    OddName = "odd-name", Advice;
    /// A user-agent line without a name.
    EmptyName = "empty-name", Error;
    /// A group that has names but no rules.
    EmptyGroup = "empty-group", Advice;
    /// A META directive used as a robots.txt field.
    MisusedDirective = "misused-directive", Warning;
    /// A value that is not valid for its field.
    BadValue = "bad-value", Warning;
    /// The scheme `acap:`, which `the-acap:` has replaced.
    LegacyScheme = "legacy-scheme", Warning;
    /// A usage that ACAP does not define.
    UnknownUsage = "unknown-usage", Error;
    /// A definition without a value.
    EmptyDefinition = "empty-definition", Error;
    /// An ACAP field before any ACAP group, which addresses no crawler.
    OrphanField = "orphan-field", Error;
    /// A definition after a group.
    LateDefinition = "late-definition", Error;
    /// A definition that depends on a later definition.
    ForwardReference = "forward-reference", Error;
    /// A permissions reference with other fields in its group.
    ReferenceNotAlone = "reference-not-alone", Error;
    /// A permissions reference in a file that is itself referenced.
    NestedReference = "nested-reference", Error;
    /// A referenced file that was not supplied.
    ReferenceUnread = "reference-unread", Warning;
    /// Separate crawler lines that form one group.
    MergedCrawlerLines = "merged-crawler-lines", Warning;
    /// A purpose without permissions or prohibitions.
    EmptySubgroup = "empty-subgroup", Warning;
    /// An action request in a subgroup.
    ActionInSubgroup = "action-in-subgroup", Error;
    /// A group for any crawler that also names crawlers.
    MixedAddressee = "mixed-addressee", Error;
    /// Purposes that are written as a list or in quotation marks instead of one per line.
    PurposeList = "purpose-list", Error;
    /// Several crawlers on one line, which count as a single name, or in one META tag.
    NameList = "name-list", Warning;
    /// A qualifier that ACAP does not define.
    UnknownQualifier = "unknown-qualifier", Error;
    /// A qualifier that its usage does not accept.
    QualifierNotValid = "qualifier-not-valid", Error;
    /// A value that its qualifier does not accept.
    BadQualifierValue = "bad-qualifier-value", Error;
    /// A date that does not exist or is not written `YYYY-MM-DD`.
    BadDate = "bad-date", Error;
    /// A qualifier that occurs more often than ACAP allows.
    RepeatedQualifier = "repeated-qualifier", Error;
    /// A second path in one field.
    SecondResource = "second-resource", Error;
    /// Text after the path that is not a qualifier.
    StrayText = "stray-text", Error;
    /// A prohibition with qualifiers. The qualifiers do not weaken it.
    QualifiedProhibition = "qualified-prohibition", Error;
    /// A prohibition of a local usage.
    LocalProhibition = "local-prohibition", Error;
    /// A permission for a local usage with further qualifiers.
    QualifiedLocalUsage = "qualified-local-usage", Error;
    /// A local usage that no definition defines.
    UndefinedLocalUsage = "undefined-local-usage", Error;
    /// A resource set that no definition defines.
    UndefinedSet = "undefined-set", Error;
    /// A resource set without patterns.
    EmptySet = "empty-set", Error;
    /// A resource set that is defined twice. The patterns of both definitions count.
    DuplicateSet = "duplicate-set", Warning;
    /// A local usage that is defined twice. The first definition counts.
    DuplicateUsage = "duplicate-usage", Error;
    /// A name that does not start with a letter or that contains characters not allowed in names.
    BadName = "bad-name", Error;
    /// A definition that cannot be interpreted.
    BadDefinition = "bad-definition", Error;
    /// A field without a resource.
    EmptyPattern = "empty-pattern", Error;
    /// A URL where a path should be.
    AbsoluteUrl = "absolute-url", Error;
    /// A pattern without its initial slash. Byleave adds the slash.
    MissingSlash = "missing-slash", Warning;
    /// A comma that seems to separate patterns.
    CommaInPattern = "comma-in-pattern", Warning;
    /// A `$` that is not the last character of its pattern.
    InnerDollar = "inner-dollar", Error;
    /// A pattern with a query, which ACAP's grammar does not allow.
    QueryInPattern = "query-in-pattern", Advice;
    /// A field for the whole file that is written too late in the file.
    MisplacedField = "misplaced-field", Warning;
    /// A colon after a field that takes no value.
    NeedlessColon = "needless-colon", Advice;
    /// A version comment that is not on the first line or is not written `##ACAP`.
    OddVersionMark = "odd-version-mark", Warning;
    /// A version that is not a valid version number.
    BadVersion = "bad-version", Warning;
    /// A major version of ACAP that is not supported.
    UnsupportedMajor = "unsupported-major", Error;
    /// A feature from a later version of ACAP than the file declares.
    UndeclaredFeature = "undeclared-feature", Error;
    /// A feature that the declared version withdrew.
    FeatureWithdrawn = "feature-withdrawn", Advice;
    /// A wildcard in an action request, which must name one resource.
    WildcardInRequest = "wildcard-in-request", Error;
    /// A wildcard in a permissions reference.
    WildcardInReference = "wildcard-in-reference", Error;
    /// An action request that ACAP does not define.
    UnknownAction = "unknown-action", Advice;
    /// A conventional group after an ACAP group.
    ConventionalAfterAcap = "conventional-after-acap", Warning;
    /// A misspelt value that is read as a known value.
    MisspeltValue = "misspelt-value", Warning;
    /// Blanks inside the parentheses of a local usage.
    BlanksInName = "blanks-in-name", Advice;
    /// A feature that ACAP marks as not ready.
    NotReady = "not-ready", Warning;
    /// A feature that needs an arrangement between site and crawler.
    NeedsArrangement = "needs-arrangement", Warning;
    /// A permission for every other usage.
    AllowOther = "allow-other", Warning;
    /// A page that is not HTML and so has no META tags.
    NotHtml = "not-html", Advice;
    /// A META tag outside `head`, where META tags do not count (S-24).
    MetaOutsideHead = "meta-outside-head", Warning;
    /// A META tag that begins with `ACAP` and has no statement.
    EmptyStatement = "empty-statement", Error;
    /// A META tag with more than one ACAP statement.
    SeveralStatements = "several-statements", Error;
    /// A META tag that names a local usage.
    LocalUsageInMeta = "local-usage-in-meta", Error;
    /// A location that occurs more than once in one META tag.
    RepeatedLocation = "repeated-location", Advice;
    /// A class of the Robot Exclusion Profile on a page that does not name the profile, so the class has no effect
    /// (S-26).
    ProfileMissing = "profile-missing", Advice;
    /// A class about crawling an element. An element cannot be crawled separately (S-16).
    CrawlOnElement = "crawl-on-element", Warning;
    /// The question is about an element that the page does not have. The answer for the page applies (S-16).
    NoSuchElement = "no-such-element", Error;
    /// A META tag whose name or `ACAP` token is in typographic quotation marks, which HTML does not recognise as
    /// quotes.
    QuotationMarks = "quotation-marks", Warning;
    /// A feature that only crawlers with support for ACAP's strawman of 2007 understand (S-28).
    StrawmanOnly = "strawman-only", Warning;
    /// Several different ACAP versions are declared. The lowest one counts.
    ConflictingVersions = "conflicting-versions", Error;
    /// An ACAP version that is declared to one crawler only.
    VersionForOne = "version-for-one", Warning;
    /// An unknown directive in META or a header.
    UnknownDirective = "unknown-directive", Warning;
    /// A directive in META or a header whose value is missing or malformed, so it has no effect.
    UnreadableValue = "unreadable-value", Error;
    /// A header field or META tag with a name that resembles a known name. No crawler reads it.
    MisspeltCarrier = "misspelt-carrier", Error;
    /// Permissive directives that contradict restrictions in the same META tag or header. They do not lift any
    /// restriction (S-17).
    ContradictoryDirectives = "contradictory-directives", Warning;
    /// A malformed preference without effect: not a dictionary, or a label without a valid value (S-41, S-42).
    BadPreference = "bad-preference", Error;
    /// A preference about something that its dialect does not define.
    UnknownPreference = "unknown-preference", Warning;
    /// A `Content-Usage` label that the newest draft no longer defines (S-41), or a `License` list or relative
    /// `License` as in RSL 0.9 (S-45).
    LegacyLabel = "legacy-label", Warning;
    /// A preference outside every group. It counts if the crawler's own groups have no preferences (S-40).
    OrphanPreference = "orphan-preference", Warning;
    /// A rule in tdmrep.json that never applies, because an earlier rule matches all of its paths (S-44).
    ShadowedLocation = "shadowed-location", Warning;
    /// A document that is not of the kind its location requires.
    BadDocument = "bad-document", Error;
    /// A member of `Robots-Tag` that is not a structured field item. It is ignored (S-23).
    MalformedMember = "malformed-member", Error;
    /// A rule in place of a crawler's name in `Robots-Tag`. It applies to every crawler (S-23).
    RuleAsName = "rule-as-name", Warning;
    /// A name in `Robots-Tag` without a rule after it.
    NameWithoutRules = "name-without-rules", Advice;
    /// The name `robots` in `Robots-Tag`, which counts as `*`.
    RobotsAsName = "robots-as-name", Warning;
    /// A rule of `Robots-Tag` with the value false, which has no effect.
    FalseRule = "false-rule", Advice;
    /// A header longer than the limit. The rest is not read (S-22).
    HeaderTooLong = "header-too-long", Error;
}

impl Code {
    /// Whether this code reports an ACAP form that the default reading accepts and the strict reading rejects.
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

/// The maximum number of diagnostics for one META tag, or for the headers of one response.
pub(crate) const MAX_NOTES: usize = 1_000;

/// Returns an excerpt from a document for a message. Control characters are replaced, and a long excerpt is shortened.
pub(crate) fn shown(text: &[u8], (start, end): (usize, usize)) -> String {
    const MAX: usize = 60;
    let piece = text.get(start..end).unwrap_or_default();
    // Limits the decoding to the bytes that MAX characters can have at most.
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
