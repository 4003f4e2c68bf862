//! The catalogue: every lint rule with its code, its name, the check that implements it, and its page.
//!
//! A code is the letter of a family and a number. Codes are stable and never reused. To add a rule, add a row here and
//! a page `docs/rules/CODE-name.md`. The build fails until the page exists, and the tests run its examples.

use crate::context::{ResponseContext, RobotsTxtContext};
use crate::finding::Findings;
use crate::rule_doc::RuleDoc;
use crate::rules::{advice, carriers, divergence, misspelt, preferences, reach, syntax};
use byleave::diagnostic::{Code, Severity};
use std::fmt;

/// A lint rule.
#[non_exhaustive]
pub struct Rule {
    /// The code: the letter of the family and three digits.
    pub code: &'static str,
    /// The name. It completes the sentence "this document has a ...".
    pub name: &'static str,
    /// The family that the rule belongs to.
    pub family: Family,
    /// The page: what the rule finds, why it matters, and examples.
    pub doc: RuleDoc,
    pub(crate) check: RuleCheck,
}

/// How a rule is checked.
#[derive(Clone, Copy)]
pub(crate) enum RuleCheck {
    /// The engine reports the problem as a diagnostic while it parses.
    Diagnostic(Code),
    /// A function that checks robots.txt.
    RobotsTxt(Severity, fn(&RobotsTxtContext<'_>, &mut Findings)),
    /// A function that checks one document of a response. It receives the document's name in the site.
    Response(Severity, fn(&ResponseContext<'_>, &str, &mut Findings)),
    /// A diagnostic from the engine, or a function that checks one document of a response.
    DiagnosticOrResponse(Code, fn(&ResponseContext<'_>, &str, &mut Findings)),
    /// Ignore comments that suppress nothing, checked after all other rules.
    UnusedIgnore(Severity),
}

impl Rule {
    /// Returns the severity of the rule's findings.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self.check {
            RuleCheck::Diagnostic(code) | RuleCheck::DiagnosticOrResponse(code, _) => code.severity(),
            RuleCheck::RobotsTxt(severity, _)
            | RuleCheck::Response(severity, _)
            | RuleCheck::UnusedIgnore(severity) => severity,
        }
    }

    /// Returns the rule with this code or name, compared case-insensitively.
    #[must_use]
    pub fn named(word: &str) -> Option<&'static Self> {
        let is_it = |rule: &&Self| rule.code.eq_ignore_ascii_case(word) || rule.name.eq_ignore_ascii_case(word);
        RULES.iter().find(is_it)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.name)
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Rule {}

/// A family of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Text that is malformed or misspelt.
    Syntax,
    /// Statements that are undefined, contradictory or uninterpretable.
    Meaning,
    /// Rules that never apply, or that apply to different crawlers or paths than they seem to.
    Reach,
    /// Statements in robots.txt, other files, headers and pages that interfere with each other.
    Carriers,
    /// Text that crawlers interpret differently.
    Divergence,
    /// Rules that work but could be clearer.
    Advice,
}

impl Family {
    /// Every family.
    pub const ALL: &'static [Self] =
        &[Self::Syntax, Self::Meaning, Self::Reach, Self::Carriers, Self::Divergence, Self::Advice];

    /// Returns the name of the family. As a selector, it selects all rules in the family.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Meaning => "meaning",
            Self::Reach => "reach",
            Self::Carriers => "carriers",
            Self::Divergence => "divergence",
            Self::Advice => "advice",
        }
    }

    /// Returns the letter that the family's codes begin with.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            // `S` already begins the numbers of the rules in the semantics, such as S-13.
            Self::Syntax => 'X',
            Self::Meaning => 'M',
            Self::Reach => 'R',
            Self::Carriers => 'C',
            Self::Divergence => 'D',
            Self::Advice => 'A',
        }
    }
}

macro_rules! rules {
    ($($family:ident { $($code:ident $name:literal $check:ident($($part:expr),*),)* })*) => {
        /// Every rule, sorted by family and code.
        pub static RULES: &[Rule] = &[$($(Rule {
            code: stringify!($code),
            name: $name,
            family: Family::$family,
            doc: RuleDoc { text: include_str!(concat!("../rules/", stringify!($code), "-", $name, ".md")) },
            check: RuleCheck::$check($($part),*),
        },)*)*];
    };
}

rules! {
    Syntax {
        X001 "byte-order-mark" Diagnostic(Code::ByteOrderMark),
        X002 "utf-16" Diagnostic(Code::Utf16),
        X003 "nul-byte" Diagnostic(Code::NulByte),
        X004 "truncated" Diagnostic(Code::Truncated),
        X005 "unknown-field" Diagnostic(Code::UnknownField),
        X006 "not-a-field" Diagnostic(Code::NotAField),
        X007 "bad-value" Diagnostic(Code::BadValue),
        X008 "empty-name" Diagnostic(Code::EmptyName),
        X009 "name-list" Diagnostic(Code::NameList),
        X010 "empty-pattern" Diagnostic(Code::EmptyPattern),
        X011 "absolute-url" Diagnostic(Code::AbsoluteUrl),
        X012 "missing-slash" Diagnostic(Code::MissingSlash),
        X013 "second-resource" Diagnostic(Code::SecondResource),
        X014 "stray-text" Diagnostic(Code::StrayText),
        X015 "bad-name" Diagnostic(Code::BadName),
        X016 "misspelt-value" Diagnostic(Code::MisspeltValue),
        X017 "malformed-member" Diagnostic(Code::MalformedMember),
        X018 "unknown-directive" Diagnostic(Code::UnknownDirective),
        X019 "unreadable-value" Diagnostic(Code::UnreadableValue),
        X020 "header-too-long" Diagnostic(Code::HeaderTooLong),
        X021 "odd-version-mark" Diagnostic(Code::OddVersionMark),
        X022 "bad-version" Diagnostic(Code::BadVersion),
        X023 "legacy-scheme" Diagnostic(Code::LegacyScheme),
        X024 "several-statements" Diagnostic(Code::SeveralStatements),
        X025 "empty-statement" Diagnostic(Code::EmptyStatement),
        X026 "bad-date" Diagnostic(Code::BadDate),
        X027 "wildcard-in-request" Diagnostic(Code::WildcardInRequest),
        X028 "wildcard-in-reference" Diagnostic(Code::WildcardInReference),
        X029 "joined-rules" RobotsTxt(Severity::Error, syntax::joined_rules),
        X030 "purpose-list" Diagnostic(Code::PurposeList),
        X031 "comma-in-pattern" Diagnostic(Code::CommaInPattern),
        X032 "quotation-marks" Diagnostic(Code::QuotationMarks),
        X033 "bad-preference" Diagnostic(Code::BadPreference),
        X034 "bad-document" Diagnostic(Code::BadDocument),
    }
    Meaning {
        M001 "unknown-usage" Diagnostic(Code::UnknownUsage),
        M002 "unknown-qualifier" Diagnostic(Code::UnknownQualifier),
        M003 "qualifier-not-valid" Diagnostic(Code::QualifierNotValid),
        M004 "bad-qualifier-value" Diagnostic(Code::BadQualifierValue),
        M005 "repeated-qualifier" Diagnostic(Code::RepeatedQualifier),
        M006 "qualified-prohibition" Diagnostic(Code::QualifiedProhibition),
        M007 "local-prohibition" Diagnostic(Code::LocalProhibition),
        M008 "qualified-local-usage" Diagnostic(Code::QualifiedLocalUsage),
        M009 "undefined-local-usage" Diagnostic(Code::UndefinedLocalUsage),
        M010 "undefined-set" Diagnostic(Code::UndefinedSet),
        M011 "empty-set" Diagnostic(Code::EmptySet),
        M012 "duplicate-set" Diagnostic(Code::DuplicateSet),
        M013 "duplicate-usage" Diagnostic(Code::DuplicateUsage),
        M014 "empty-definition" Diagnostic(Code::EmptyDefinition),
        M015 "bad-definition" Diagnostic(Code::BadDefinition),
        M016 "late-definition" Diagnostic(Code::LateDefinition),
        M017 "forward-reference" Diagnostic(Code::ForwardReference),
        M018 "misplaced-field" Diagnostic(Code::MisplacedField),
        M019 "undeclared-feature" Diagnostic(Code::UndeclaredFeature),
        M020 "unsupported-major" Diagnostic(Code::UnsupportedMajor),
        M021 "not-ready" Diagnostic(Code::NotReady),
        M022 "needs-arrangement" Diagnostic(Code::NeedsArrangement),
        M023 "misused-directive" Diagnostic(Code::MisusedDirective),
        M024 "unknown-action" Diagnostic(Code::UnknownAction),
        M025 "rule-as-name" Diagnostic(Code::RuleAsName),
        M026 "name-without-rules" Diagnostic(Code::NameWithoutRules),
        M027 "false-rule" Diagnostic(Code::FalseRule),
        M028 "inner-dollar" Diagnostic(Code::InnerDollar),
        M029 "robots-as-name" Diagnostic(Code::RobotsAsName),
        M030 "action-in-subgroup" Diagnostic(Code::ActionInSubgroup),
        M031 "contradictory-directives" Diagnostic(Code::ContradictoryDirectives),
        M032 "unknown-preference" Diagnostic(Code::UnknownPreference),
        M033 "contradictory-preferences" RobotsTxt(Severity::Warning, preferences::contradictory_preferences),
    }
    Reach {
        R001 "shadowed-permission" RobotsTxt(Severity::Error, reach::shadowed_permission),
        R002 "shadowed-prohibition" RobotsTxt(Severity::Error, reach::shadowed_prohibition),
        R003 "repeated-rule" RobotsTxt(Severity::Advice, reach::repeated_rule),
        R004 "covered-rule" RobotsTxt(Severity::Advice, reach::covered_rule),
        R005 "dropped-prohibition" RobotsTxt(Severity::Warning, reach::dropped_prohibition),
        R006 "merged-group" RobotsTxt(Severity::Warning, reach::merged_group),
        R007 "slashless-pattern" Diagnostic(Code::SlashlessPattern),
        R008 "dollar-inside" RobotsTxt(Severity::Error, reach::dollar_inside),
        R009 "cut-pattern" RobotsTxt(Severity::Warning, reach::cut_pattern),
        R010 "orphan-rule" Diagnostic(Code::OrphanRule),
        R011 "orphan-field" Diagnostic(Code::OrphanField),
        R012 "foreign-field" Diagnostic(Code::ForeignField),
        R013 "empty-group" Diagnostic(Code::EmptyGroup),
        R014 "merged-crawler-lines" Diagnostic(Code::MergedCrawlerLines),
        R015 "mixed-addressee" Diagnostic(Code::MixedAddressee),
        R016 "empty-subgroup" Diagnostic(Code::EmptySubgroup),
        R017 "prohibited-robots-txt" RobotsTxt(Severity::Advice, reach::prohibited_robots_txt),
        R018 "unseen-restriction" Response(Severity::Warning, carriers::unseen_restriction),
        R019 "meta-outside-head" Diagnostic(Code::MetaOutsideHead),
        R020 "crawl-on-element" Diagnostic(Code::CrawlOnElement),
        R021 "profile-missing" Diagnostic(Code::ProfileMissing),
        R022 "void-permission" RobotsTxt(Severity::Error, reach::void_permission),
        R023 "orphan-preference" Diagnostic(Code::OrphanPreference),
        R024 "shadowed-location" Diagnostic(Code::ShadowedLocation),
        R025 "dropped-preference" RobotsTxt(Severity::Warning, preferences::dropped_preference),
    }
    Carriers {
        C001 "reference-unread" Diagnostic(Code::ReferenceUnread),
        C002 "nested-reference" Diagnostic(Code::NestedReference),
        C003 "reference-not-alone" Diagnostic(Code::ReferenceNotAlone),
        C004 "local-usage-in-meta" Diagnostic(Code::LocalUsageInMeta),
        C005 "version-for-one" Diagnostic(Code::VersionForOne),
        C006 "conflicting-versions" Diagnostic(Code::ConflictingVersions),
        C007 "not-html" Diagnostic(Code::NotHtml),
        C008 "directive-that-lifts-nothing" Response(Severity::Warning, carriers::directive_that_lifts_nothing),
        C009 "overridden-acap-permission" Response(Severity::Warning, carriers::overridden_acap_permission),
        C010 "ineffective-crawl-permission" Response(Severity::Error, carriers::ineffective_crawl_permission),
        C011 "two-robots-headers" Response(Severity::Advice, carriers::two_robots_headers),
        C012 "conventional-after-acap" Diagnostic(Code::ConventionalAfterAcap),
        C013 "misspelt-carrier" DiagnosticOrResponse(Code::MisspeltCarrier, misspelt::misspelt_carrier),
    }
    Divergence {
        D001 "misspelt-field" Diagnostic(Code::MisspeltField),
        D002 "missing-colon" Diagnostic(Code::MissingColon),
        D003 "odd-name" Diagnostic(Code::OddName),
        D004 "leading-star" Diagnostic(Code::LeadingStar),
        D005 "long-line" Diagnostic(Code::LongLine),
        D006 "prefix-field" RobotsTxt(Severity::Warning, divergence::prefix_field),
        D007 "index-page-permission" RobotsTxt(Severity::Warning, divergence::index_page_permission),
        D008 "needless-escape" RobotsTxt(Severity::Warning, divergence::needless_escape),
        D009 "raw-character" RobotsTxt(Severity::Warning, divergence::raw_character),
        D010 "split-group" RobotsTxt(Severity::Warning, divergence::split_group),
        D011 "long-delay" RobotsTxt(Severity::Warning, divergence::long_delay),
        D012 "acap-only-prohibition" RobotsTxt(Severity::Warning, divergence::acap_only_prohibition),
        D013 "acap-only-permission" RobotsTxt(Severity::Warning, divergence::acap_only_permission),
        D014 "strawman-only" Diagnostic(Code::StrawmanOnly),
        D015 "legacy-label" Diagnostic(Code::LegacyLabel),
    }
    Advice {
        A001 "trailing-star" RobotsTxt(Severity::Advice, advice::trailing_star),
        A002 "folder-without-slash" RobotsTxt(Severity::Advice, advice::folder_without_slash),
        A003 "closed-site" RobotsTxt(Severity::Advice, advice::closed_site),
        A004 "missing-default-group" RobotsTxt(Severity::Advice, advice::missing_default_group),
        A005 "needless-permission" RobotsTxt(Severity::Advice, advice::needless_permission),
        A006 "empty-prohibition" RobotsTxt(Severity::Advice, advice::empty_prohibition),
        A007 "needless-ignore" UnusedIgnore(Severity::Advice),
        A008 "query-in-pattern" Diagnostic(Code::QueryInPattern),
        A009 "needless-colon" Diagnostic(Code::NeedlessColon),
        A010 "feature-withdrawn" Diagnostic(Code::FeatureWithdrawn),
        A011 "blanks-in-name" Diagnostic(Code::BlanksInName),
        A012 "allow-other" Diagnostic(Code::AllowOther),
        A013 "repeated-location" Diagnostic(Code::RepeatedLocation),
        A014 "signal-in-comment" RobotsTxt(Severity::Advice, advice::signal_in_comment),
    }
}
