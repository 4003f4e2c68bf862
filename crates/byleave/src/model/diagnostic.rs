//! Diagnostics: findings about a document, each with a code, a severity, a span, a message and help.
//!
//! A diagnostic never changes a decision. It tells the publisher about a problem in a document. The codes are stable,
//! because tools and case files use them.

use crate::base::source::Span;
use crate::base::table::table;

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

table! {
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
        Advice = "advice";
        /// Some crawlers interpret the input differently.
        Warning = "warning";
        /// The effect is not what the publisher evidently intended.
        Error = "error";
    }

    /// Returns the severity's name, as used in all output.
    pub fn name: &'static str;
}

table! {
    /// The kinds of diagnostics. Their names are stable.
    ///
    /// ```
    /// use byleave::diagnostic::{Code, Severity};
    /// assert_eq!(Code::OrphanRule.name(), "orphan-rule");
    /// assert_eq!(Code::OrphanRule.severity(), Severity::Error);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Code {
        /// A UTF-8 byte order mark before the first line.
        ByteOrderMark = "byte-order-mark", Severity::Advice;
        /// A UTF-16 byte order mark. RFC 9309 does not allow UTF-16.
        Utf16 = "utf-16", Severity::Error;
        /// A NUL byte in a line.
        NulByte = "nul-byte", Severity::Warning;
        /// A file longer than the limit. The rest is not read (S-22).
        Truncated = "truncated", Severity::Error;
        /// A line longer than Google's parser reads.
        LongLine = "long-line", Severity::Warning;
        /// A field that no standard or convention defines.
        UnknownField = "unknown-field", Severity::Warning;
        /// A misspelt field name that a listed leniency accepts.
        MisspeltField = "misspelt-field", Severity::Warning;
        /// A missing colon. The blanks after the name are read as the colon.
        MissingColon = "missing-colon", Severity::Warning;
        /// A line that is neither a field nor a comment nor blank.
        NotAField = "not-a-field", Severity::Warning;
        /// A rule before the first group. It addresses no crawler.
        OrphanRule = "orphan-rule", Severity::Error;
        /// A conventional rule in an ACAP group, or an ACAP rule in a conventional group (S-12).
        ForeignField = "foreign-field", Severity::Warning;
        /// A pattern that starts with neither `/` nor `*`, so it matches nothing.
        SlashlessPattern = "slashless-pattern", Severity::Error;
        /// A pattern that starts with `*`, which RFC 9309's grammar does not allow.
        LeadingStar = "leading-star", Severity::Advice;
        /// A crawler name with characters that RFC 9309 does not allow in a product token.
        OddName = "odd-name", Severity::Advice;
        /// A user-agent line without a name.
        EmptyName = "empty-name", Severity::Error;
        /// A group that has names but no rules.
        EmptyGroup = "empty-group", Severity::Advice;
        /// A META directive used as a robots.txt field.
        MisusedDirective = "misused-directive", Severity::Warning;
        /// A value that is not valid for its field.
        BadValue = "bad-value", Severity::Warning;
        /// The scheme `acap:`, which `the-acap:` has replaced.
        LegacyScheme = "legacy-scheme", Severity::Warning;
        /// A usage that ACAP does not define.
        UnknownUsage = "unknown-usage", Severity::Error;
        /// A definition without a value.
        EmptyDefinition = "empty-definition", Severity::Error;
        /// An ACAP field before the first ACAP group. It addresses no crawler.
        OrphanField = "orphan-field", Severity::Error;
        /// A definition after a group.
        LateDefinition = "late-definition", Severity::Error;
        /// A definition that depends on a later definition.
        ForwardReference = "forward-reference", Severity::Error;
        /// A permissions reference with other fields in its group.
        ReferenceNotAlone = "reference-not-alone", Severity::Error;
        /// A permissions reference in a file that is itself referenced.
        NestedReference = "nested-reference", Severity::Error;
        /// A referenced file that was not supplied.
        ReferenceUnread = "reference-unread", Severity::Warning;
        /// Separate crawler lines that form one group.
        MergedCrawlerLines = "merged-crawler-lines", Severity::Warning;
        /// A purpose without permissions or prohibitions.
        EmptySubgroup = "empty-subgroup", Severity::Warning;
        /// An action request in a subgroup.
        ActionInSubgroup = "action-in-subgroup", Severity::Error;
        /// A group for any crawler that also names crawlers.
        MixedAddressee = "mixed-addressee", Severity::Error;
        /// Purposes that are written as a list or in quotation marks instead of one per line.
        PurposeList = "purpose-list", Severity::Error;
        /// Several crawlers in one META tag, or on one line, where they count as a single name.
        NameList = "name-list", Severity::Warning;
        /// A qualifier that ACAP does not define.
        UnknownQualifier = "unknown-qualifier", Severity::Error;
        /// A qualifier that its usage does not accept.
        QualifierNotValid = "qualifier-not-valid", Severity::Error;
        /// A value that its qualifier does not accept.
        BadQualifierValue = "bad-qualifier-value", Severity::Error;
        /// A date that does not exist or is not written `YYYY-MM-DD`.
        BadDate = "bad-date", Severity::Error;
        /// A qualifier that occurs more often than ACAP allows.
        RepeatedQualifier = "repeated-qualifier", Severity::Error;
        /// A second path in one field.
        SecondResource = "second-resource", Severity::Error;
        /// Text after the path that is not a qualifier.
        StrayText = "stray-text", Severity::Error;
        /// A prohibition with qualifiers. The qualifiers do not weaken it.
        QualifiedProhibition = "qualified-prohibition", Severity::Error;
        /// A prohibition of a local usage.
        LocalProhibition = "local-prohibition", Severity::Error;
        /// A permission for a local usage with further qualifiers.
        QualifiedLocalUsage = "qualified-local-usage", Severity::Error;
        /// A local usage that no definition defines.
        UndefinedLocalUsage = "undefined-local-usage", Severity::Error;
        /// A resource set that no definition defines.
        UndefinedSet = "undefined-set", Severity::Error;
        /// A resource set without patterns.
        EmptySet = "empty-set", Severity::Error;
        /// A resource set that is defined twice. The patterns of both definitions count.
        DuplicateSet = "duplicate-set", Severity::Warning;
        /// A local usage that is defined twice. The first definition counts.
        DuplicateUsage = "duplicate-usage", Severity::Error;
        /// A name that does not start with a letter or that contains characters not allowed in names.
        BadName = "bad-name", Severity::Error;
        /// A definition that cannot be interpreted.
        BadDefinition = "bad-definition", Severity::Error;
        /// A field without a resource.
        EmptyPattern = "empty-pattern", Severity::Error;
        /// A URL where a path should be.
        AbsoluteUrl = "absolute-url", Severity::Error;
        /// A pattern without its initial slash. Byleave adds the slash.
        MissingSlash = "missing-slash", Severity::Warning;
        /// A comma that seems to separate patterns.
        CommaInPattern = "comma-in-pattern", Severity::Warning;
        /// A `$` that is not the last character of its pattern.
        InnerDollar = "inner-dollar", Severity::Error;
        /// A pattern with a query, which ACAP's grammar does not allow.
        QueryInPattern = "query-in-pattern", Severity::Advice;
        /// A field that applies to the whole file but is written too late in the file.
        MisplacedField = "misplaced-field", Severity::Warning;
        /// A colon after a field that takes no value.
        NeedlessColon = "needless-colon", Severity::Advice;
        /// A version comment that is not on the first line or is not written `##ACAP`.
        OddVersionMark = "odd-version-mark", Severity::Warning;
        /// A version that is not a valid version number.
        BadVersion = "bad-version", Severity::Warning;
        /// A major version of ACAP that is not supported.
        UnsupportedMajor = "unsupported-major", Severity::Error;
        /// A feature from a later version of ACAP than the file declares.
        UndeclaredFeature = "undeclared-feature", Severity::Error;
        /// A feature that the declared version withdrew.
        FeatureWithdrawn = "feature-withdrawn", Severity::Advice;
        /// A wildcard in an action request, which must name one resource.
        WildcardInRequest = "wildcard-in-request", Severity::Error;
        /// A wildcard in a permissions reference.
        WildcardInReference = "wildcard-in-reference", Severity::Error;
        /// An action request that ACAP does not define.
        UnknownAction = "unknown-action", Severity::Advice;
        /// A conventional group after an ACAP group.
        ConventionalAfterAcap = "conventional-after-acap", Severity::Warning;
        /// A misspelt value that is read as a known value.
        MisspeltValue = "misspelt-value", Severity::Warning;
        /// Blanks inside the parentheses of a local usage.
        BlanksInName = "blanks-in-name", Severity::Advice;
        /// A feature that ACAP marks as not ready.
        NotReady = "not-ready", Severity::Warning;
        /// A feature that needs an arrangement between site and crawler.
        NeedsArrangement = "needs-arrangement", Severity::Warning;
        /// A permission for `other`, which covers every usage without a statement of its own.
        AllowOther = "allow-other", Severity::Warning;
        /// A page that is not HTML and so has no META tags.
        NotHtml = "not-html", Severity::Advice;
        /// A META tag outside `head`, where META tags do not count (S-24).
        MetaOutsideHead = "meta-outside-head", Severity::Warning;
        /// A META tag that begins with `ACAP` and has no statement.
        EmptyStatement = "empty-statement", Severity::Error;
        /// A META tag with more than one ACAP statement.
        SeveralStatements = "several-statements", Severity::Error;
        /// A META tag that names a local usage.
        LocalUsageInMeta = "local-usage-in-meta", Severity::Error;
        /// A location that occurs more than once in one META tag.
        RepeatedLocation = "repeated-location", Severity::Advice;
        /// A class of the Robot Exclusion Profile on a page that does not name the profile, so the class has no effect
        /// (S-26).
        ProfileMissing = "profile-missing", Severity::Advice;
        /// A class about crawling an element. An element cannot be crawled separately (S-16).
        CrawlOnElement = "crawl-on-element", Severity::Warning;
        /// The question is about an element that the page does not have. The answer for the page applies (S-16).
        NoSuchElement = "no-such-element", Severity::Error;
        /// A META tag whose name or `ACAP` token is in typographic quotation marks, which HTML does not recognise as
        /// quotes.
        QuotationMarks = "quotation-marks", Severity::Warning;
        /// A feature that only crawlers with support for ACAP's strawman of 2007 understand (S-28).
        StrawmanOnly = "strawman-only", Severity::Warning;
        /// Several different ACAP versions are declared. The lowest one counts.
        ConflictingVersions = "conflicting-versions", Severity::Error;
        /// An ACAP version that is declared to one crawler only.
        VersionForOne = "version-for-one", Severity::Warning;
        /// An unknown directive in META or a header.
        UnknownDirective = "unknown-directive", Severity::Warning;
        /// A directive in META or a header whose value is missing or malformed, so it has no effect.
        UnreadableValue = "unreadable-value", Severity::Error;
        /// A header field or META tag with a name that resembles a known name. No crawler reads it.
        MisspeltCarrier = "misspelt-carrier", Severity::Error;
        /// Permissive directives that contradict restrictions in the same META tag or header. They do not lift any
        /// restriction (S-17).
        ContradictoryDirectives = "contradictory-directives", Severity::Warning;
        /// A malformed preference, which has no effect: it is not a dictionary, or a label has no valid value (S-41,
        /// S-42).
        BadPreference = "bad-preference", Severity::Error;
        /// A preference about something that its dialect does not define.
        UnknownPreference = "unknown-preference", Severity::Warning;
        /// A form from an earlier draft: a `Content-Usage` label that the newest draft does not define (S-41), or, as
        /// in RSL 0.9, a comma-separated list in a licence or a relative `License` location (S-45).
        LegacyLabel = "legacy-label", Severity::Warning;
        /// A preference outside every group. It counts if the crawler's own groups have no preferences (S-40).
        OrphanPreference = "orphan-preference", Severity::Warning;
        /// A rule in tdmrep.json that never applies, because an earlier rule matches all of its paths (S-44).
        ShadowedLocation = "shadowed-location", Severity::Warning;
        /// A document that is not of the kind its location requires.
        BadDocument = "bad-document", Severity::Error;
        /// A member of `Robots-Tag` that is not a structured field item. It is ignored (S-23).
        MalformedMember = "malformed-member", Severity::Error;
        /// A rule in place of a crawler's name in `Robots-Tag`. It applies to every crawler (S-23).
        RuleAsName = "rule-as-name", Severity::Warning;
        /// A name in `Robots-Tag` without a rule after it.
        NameWithoutRules = "name-without-rules", Severity::Advice;
        /// The name `robots` in `Robots-Tag`, which counts as `*`.
        RobotsAsName = "robots-as-name", Severity::Warning;
        /// A rule of `Robots-Tag` with the value false, which has no effect.
        FalseRule = "false-rule", Severity::Advice;
        /// A header longer than the limit. The rest is not read (S-22).
        HeaderTooLong = "header-too-long", Severity::Error;
    }

    /// Returns the code's stable name, as used in JSON and case files.
    pub fn name: &'static str;

    /// Returns the code's severity in the default reading.
    pub fn severity: Severity;
}

impl Code {
    /// Returns whether this code reports an ACAP form that the default reading accepts and the strict reading rejects.
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
    // Decodes no more bytes than MAX characters can have.
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
