//! The catalogue: every rule with its code, its name, what finds it, and its page.
//!
//! A code is the letter of a family and a number. Codes and names are stable; a code is never used again. To add a
//! rule, add a row and a page `docs/rules/CODE-name.md`; the build stops until it is there, and the tests run its
//! examples.

use crate::finding::Findings;
use crate::look::{OfResponse, OfRobotsTxt};
use crate::page::Page;
use crate::rules::{advice, carriers, divergence, misspelt, preferences, reach, syntax};
use byleave::diagnostic::{Code, Severity};
use std::fmt;

/// A rule of the catalogue.
#[non_exhaustive]
pub struct Rule {
    /// Its code: the letter of its family and three digits.
    pub code: &'static str,
    /// Its name, which says what a document has that the rule finds.
    pub name: &'static str,
    /// What it is about.
    pub family: Family,
    /// What it finds, why it matters, and examples.
    pub page: Page,
    pub(crate) check: Check,
}

/// How a rule finds something.
#[derive(Clone, Copy)]
pub(crate) enum Check {
    /// The engine notices it while reading.
    Noticed(Code),
    /// A look at robots.txt.
    RobotsTxt(Severity, fn(&OfRobotsTxt<'_>, &mut Findings)),
    /// A look at one document of a response, by its name among the evidence.
    Response(Severity, fn(&OfResponse<'_>, &str, &mut Findings)),
    /// The engine notices it while reading, or a look at one document of a response finds it.
    NoticedOrFound(Code, fn(&OfResponse<'_>, &str, &mut Findings)),
    /// A look at the comments that keep rules quiet, after all else.
    Ignores(Severity),
}

impl Rule {
    /// How much what it finds matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self.check {
            Check::Noticed(code) | Check::NoticedOrFound(code, _) => code.severity(),
            Check::RobotsTxt(severity, _) | Check::Response(severity, _) | Check::Ignores(severity) => severity,
        }
    }

    /// The rule of this code or name, in any case.
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

/// What rules are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Family {
    /// How something is written.
    Syntax,
    /// What it means, or cannot mean.
    Meaning,
    /// What it applies to, or never does.
    Reach,
    /// What robots.txt, other files, headers and pages say of the same thing.
    Carriers,
    /// What crawlers read differently.
    Divergence,
    /// What works and could be clearer.
    Advice,
}

impl Family {
    /// Every family.
    pub const ALL: &'static [Self] =
        &[Self::Syntax, Self::Meaning, Self::Reach, Self::Carriers, Self::Divergence, Self::Advice];

    /// Its name, by which its rules can be selected.
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

    /// The letter that its codes begin with.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            // `S` is taken by the rules of the semantics.
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
        /// Every rule, family by family, in the order of codes.
        pub static RULES: &[Rule] = &[$($(Rule {
            code: stringify!($code),
            name: $name,
            family: Family::$family,
            page: Page { text: include_str!(concat!("../rules/", stringify!($code), "-", $name, ".md")) },
            check: Check::$check($($part),*),
        },)*)*];
    };
}

rules! {
    Syntax {
        X001 "byte-order-mark" Noticed(Code::ByteOrderMark),
        X002 "utf-16" Noticed(Code::Utf16),
        X003 "nul-byte" Noticed(Code::NulByte),
        X004 "truncated" Noticed(Code::Truncated),
        X005 "unknown-field" Noticed(Code::UnknownField),
        X006 "not-a-field" Noticed(Code::NotAField),
        X007 "bad-value" Noticed(Code::BadValue),
        X008 "empty-name" Noticed(Code::EmptyName),
        X009 "name-list" Noticed(Code::NameList),
        X010 "empty-pattern" Noticed(Code::EmptyPattern),
        X011 "absolute-url" Noticed(Code::AbsoluteUrl),
        X012 "missing-slash" Noticed(Code::MissingSlash),
        X013 "second-resource" Noticed(Code::SecondResource),
        X014 "stray-text" Noticed(Code::StrayText),
        X015 "bad-name" Noticed(Code::BadName),
        X016 "misspelt-value" Noticed(Code::MisspeltValue),
        X017 "malformed-member" Noticed(Code::MalformedMember),
        X018 "unknown-word" Noticed(Code::UnknownWord),
        X019 "unreadable-value" Noticed(Code::UnreadableValue),
        X020 "header-too-long" Noticed(Code::HeaderTooLong),
        X021 "odd-version-mark" Noticed(Code::OddVersionMark),
        X022 "bad-version" Noticed(Code::BadVersion),
        X023 "legacy-scheme" Noticed(Code::LegacyScheme),
        X024 "several-statements" Noticed(Code::SeveralStatements),
        X025 "empty-statement" Noticed(Code::EmptyStatement),
        X026 "bad-date" Noticed(Code::BadDate),
        X027 "wildcard-in-request" Noticed(Code::WildcardInRequest),
        X028 "wildcard-in-reference" Noticed(Code::WildcardInReference),
        X029 "joined-rules" RobotsTxt(Severity::Error, syntax::joined_rules),
        X030 "purpose-list" Noticed(Code::PurposeList),
        X031 "comma-in-pattern" Noticed(Code::CommaInPattern),
        X032 "quotation-marks" Noticed(Code::QuotationMarks),
        X033 "bad-preference" Noticed(Code::BadPreference),
        X034 "bad-document" Noticed(Code::BadDocument),
    }
    Meaning {
        M001 "unknown-usage" Noticed(Code::UnknownUsage),
        M002 "unknown-qualifier" Noticed(Code::UnknownQualifier),
        M003 "qualifier-not-valid" Noticed(Code::QualifierNotValid),
        M004 "bad-qualifier-value" Noticed(Code::BadQualifierValue),
        M005 "repeated-qualifier" Noticed(Code::RepeatedQualifier),
        M006 "qualified-prohibition" Noticed(Code::QualifiedProhibition),
        M007 "local-prohibition" Noticed(Code::LocalProhibition),
        M008 "qualified-local-usage" Noticed(Code::QualifiedLocalUsage),
        M009 "undefined-local-usage" Noticed(Code::UndefinedLocalUsage),
        M010 "undefined-set" Noticed(Code::UndefinedSet),
        M011 "empty-set" Noticed(Code::EmptySet),
        M012 "duplicate-set" Noticed(Code::DuplicateSet),
        M013 "duplicate-usage" Noticed(Code::DuplicateUsage),
        M014 "empty-definition" Noticed(Code::EmptyDefinition),
        M015 "bad-definition" Noticed(Code::BadDefinition),
        M016 "late-definition" Noticed(Code::LateDefinition),
        M017 "forward-reference" Noticed(Code::ForwardReference),
        M018 "misplaced-field" Noticed(Code::MisplacedField),
        M019 "undeclared-feature" Noticed(Code::UndeclaredFeature),
        M020 "unsupported-major" Noticed(Code::UnsupportedMajor),
        M021 "not-ready" Noticed(Code::NotReady),
        M022 "needs-arrangement" Noticed(Code::NeedsArrangement),
        M023 "misused-word" Noticed(Code::MisusedWord),
        M024 "unknown-action" Noticed(Code::UnknownAction),
        M025 "rule-as-name" Noticed(Code::RuleAsName),
        M026 "name-without-rules" Noticed(Code::NameWithoutRules),
        M027 "false-rule" Noticed(Code::FalseRule),
        M028 "inner-dollar" Noticed(Code::InnerDollar),
        M029 "robots-as-name" Noticed(Code::RobotsAsName),
        M030 "action-in-subgroup" Noticed(Code::ActionInSubgroup),
        M031 "contradictory-words" Noticed(Code::ContradictoryWords),
        M032 "unknown-preference" Noticed(Code::UnknownPreference),
        M033 "contradictory-preferences" RobotsTxt(Severity::Warning, preferences::contradictory_preferences),
    }
    Reach {
        R001 "shadowed-permission" RobotsTxt(Severity::Error, reach::shadowed_permission),
        R002 "shadowed-prohibition" RobotsTxt(Severity::Error, reach::shadowed_prohibition),
        R003 "repeated-rule" RobotsTxt(Severity::Advice, reach::repeated_rule),
        R004 "covered-rule" RobotsTxt(Severity::Advice, reach::covered_rule),
        R005 "dropped-prohibition" RobotsTxt(Severity::Warning, reach::dropped_prohibition),
        R006 "merged-group" RobotsTxt(Severity::Warning, reach::merged_group),
        R007 "slashless-pattern" Noticed(Code::SlashlessPattern),
        R008 "dollar-inside" RobotsTxt(Severity::Error, reach::dollar_inside),
        R009 "cut-pattern" RobotsTxt(Severity::Warning, reach::cut_pattern),
        R010 "orphan-rule" Noticed(Code::OrphanRule),
        R011 "orphan-field" Noticed(Code::OrphanField),
        R012 "foreign-field" Noticed(Code::ForeignField),
        R013 "empty-group" Noticed(Code::EmptyGroup),
        R014 "merged-crawler-lines" Noticed(Code::MergedCrawlerLines),
        R015 "mixed-addressee" Noticed(Code::MixedAddressee),
        R016 "empty-subgroup" Noticed(Code::EmptySubgroup),
        R017 "prohibited-robots-txt" RobotsTxt(Severity::Advice, reach::prohibited_robots_txt),
        R018 "unseen-restriction" Response(Severity::Warning, carriers::unseen_restriction),
        R019 "meta-outside-head" Noticed(Code::MetaOutsideHead),
        R020 "crawl-on-element" Noticed(Code::CrawlOnElement),
        R021 "profile-missing" Noticed(Code::ProfileMissing),
        R022 "void-permission" RobotsTxt(Severity::Error, reach::void_permission),
        R023 "orphan-preference" Noticed(Code::OrphanPreference),
        R024 "shadowed-location" Noticed(Code::ShadowedLocation),
        R025 "dropped-preference" RobotsTxt(Severity::Warning, preferences::dropped_preference),
    }
    Carriers {
        C001 "reference-unread" Noticed(Code::ReferenceUnread),
        C002 "nested-reference" Noticed(Code::NestedReference),
        C003 "reference-not-alone" Noticed(Code::ReferenceNotAlone),
        C004 "local-usage-in-meta" Noticed(Code::LocalUsageInMeta),
        C005 "version-for-one" Noticed(Code::VersionForOne),
        C006 "conflicting-versions" Noticed(Code::ConflictingVersions),
        C007 "not-html" Noticed(Code::NotHtml),
        C008 "word-that-lifts-nothing" Response(Severity::Warning, carriers::word_that_lifts_nothing),
        C009 "acap-permission-under-word" Response(Severity::Warning, carriers::acap_permission_under_word),
        C010 "permission-after-the-fact" Response(Severity::Error, carriers::permission_after_the_fact),
        C011 "two-robots-headers" Response(Severity::Advice, carriers::two_robots_headers),
        C012 "conventional-after-acap" Noticed(Code::ConventionalAfterAcap),
        C013 "misspelt-carrier" NoticedOrFound(Code::MisspeltCarrier, misspelt::misspelt_carrier),
    }
    Divergence {
        D001 "misspelt-field" Noticed(Code::MisspeltField),
        D002 "missing-colon" Noticed(Code::MissingColon),
        D003 "odd-name" Noticed(Code::OddName),
        D004 "leading-star" Noticed(Code::LeadingStar),
        D005 "long-line" Noticed(Code::LongLine),
        D006 "prefix-field" RobotsTxt(Severity::Warning, divergence::prefix_field),
        D007 "index-page-permission" RobotsTxt(Severity::Warning, divergence::index_page_permission),
        D008 "needless-escape" RobotsTxt(Severity::Warning, divergence::needless_escape),
        D009 "raw-character" RobotsTxt(Severity::Warning, divergence::raw_character),
        D010 "split-group" RobotsTxt(Severity::Warning, divergence::split_group),
        D011 "long-delay" RobotsTxt(Severity::Warning, divergence::long_delay),
        D012 "acap-only-prohibition" RobotsTxt(Severity::Warning, divergence::acap_only_prohibition),
        D013 "acap-only-permission" RobotsTxt(Severity::Warning, divergence::acap_only_permission),
        D014 "strawman-only" Noticed(Code::StrawmanOnly),
        D015 "legacy-label" Noticed(Code::LegacyLabel),
    }
    Advice {
        A001 "trailing-star" RobotsTxt(Severity::Advice, advice::trailing_star),
        A002 "folder-without-slash" RobotsTxt(Severity::Advice, advice::folder_without_slash),
        A003 "closed-site" RobotsTxt(Severity::Advice, advice::closed_site),
        A004 "missing-any-group" RobotsTxt(Severity::Advice, advice::missing_any_group),
        A005 "needless-permission" RobotsTxt(Severity::Advice, advice::needless_permission),
        A006 "empty-prohibition" RobotsTxt(Severity::Advice, advice::empty_prohibition),
        A007 "needless-ignore" Ignores(Severity::Advice),
        A008 "query-in-pattern" Noticed(Code::QueryInPattern),
        A009 "needless-colon" Noticed(Code::NeedlessColon),
        A010 "feature-withdrawn" Noticed(Code::FeatureWithdrawn),
        A011 "blanks-in-name" Noticed(Code::BlanksInName),
        A012 "allow-other" Noticed(Code::AllowOther),
        A013 "repeated-location" Noticed(Code::RepeatedLocation),
        A014 "signal-in-comment" RobotsTxt(Severity::Advice, advice::signal_in_comment),
    }
}
