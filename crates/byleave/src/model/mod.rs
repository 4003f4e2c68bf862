//! The one model every dialect is read into: statements, who they address, what they are about, and on
//! what terms.
//!
//! A compiled policy stores statements in a few bytes each; a [`Statement`] is how one is looked at.

use crate::instant::Instant;
use crate::source::Span;
use crate::vocabulary::Usage;

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modality {
    /// It permits.
    Permission,
    /// It prohibits.
    Prohibition,
}

impl Modality {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Prohibition => "prohibition",
        }
    }
}

/// The language a statement is in. Each resolves its own conflicts by its own rule (S-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// RFC 9309's Allow and Disallow.
    Conventional,
    /// ACAP 1.0 and 1.1, in robots.txt, META and class attributes.
    Acap,
    /// The words of META, `Robots-Tag` and `X-Robots-Tag`.
    RobotsWords,
    /// The Robot Exclusion Profile.
    ExclusionProfile,
    /// The marks by which search engines are told of parts of a page.
    SearchMarks,
    /// `Content-Usage` of AIPREF, in robots.txt and headers.
    ContentUsage,
    /// Content Signals, in robots.txt and headers.
    ContentSignal,
    /// `DisallowAITraining` and `AllowAITraining` in robots.txt.
    AiTraining,
    /// The TDM Reservation Protocol: tdmrep.json, headers, META tags, metadata.
    TdmRep,
    /// Really Simple Licensing.
    Rsl,
    /// ai.txt as Spawning has it.
    AiTxt,
    /// trust.txt.
    TrustTxt,
    /// PLUS data mining in the metadata of a file.
    PlusDataMining,
}

/// How statements of one dialect that disagree are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConflictRule {
    /// The longest pattern; of equally long ones the permission (RFC 9309 2.2.2).
    LongestPattern,
    /// The narrowest scope; undetermined means prohibited (S-06, S-07).
    NarrowestScope,
    /// All restrictions together; no permission lifts one (S-17).
    Union,
    /// The nearest enclosing element; on one element the restriction (S-26).
    NearestElement,
    /// The longest path; of equally long ones the restrictive (S-41, S-42).
    LongestPath,
    /// The first that matches; a later layer supersedes (S-44).
    FirstMatch,
    /// The narrowest scope; permitted and prohibited there means not licensed (S-45).
    NarrowestLicence,
    /// There is one value; of several the restrictive one.
    Single,
}

impl Dialect {
    /// Every dialect, with the rule that resolves its conflicts: the one table.
    pub const ALL: &'static [(Self, ConflictRule)] = &[
        (Self::Conventional, ConflictRule::LongestPattern),
        (Self::Acap, ConflictRule::NarrowestScope),
        (Self::RobotsWords, ConflictRule::Union),
        (Self::ExclusionProfile, ConflictRule::NearestElement),
        (Self::SearchMarks, ConflictRule::Union),
        (Self::ContentUsage, ConflictRule::LongestPath),
        (Self::ContentSignal, ConflictRule::LongestPath),
        (Self::AiTraining, ConflictRule::LongestPattern),
        (Self::TdmRep, ConflictRule::FirstMatch),
        (Self::Rsl, ConflictRule::NarrowestLicence),
        (Self::AiTxt, ConflictRule::LongestPattern),
        (Self::TrustTxt, ConflictRule::Single),
        (Self::PlusDataMining, ConflictRule::Single),
    ];

    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Conventional => "rfc9309",
            Self::Acap => "acap",
            Self::RobotsWords => "robots-words",
            Self::ExclusionProfile => "exclusion-profile",
            Self::SearchMarks => "search-marks",
            Self::ContentUsage => "content-usage",
            Self::ContentSignal => "content-signal",
            Self::AiTraining => "ai-training",
            Self::TdmRep => "tdmrep",
            Self::Rsl => "rsl",
            Self::AiTxt => "ai.txt",
            Self::TrustTxt => "trust.txt",
            Self::PlusDataMining => "plus-data-mining",
        }
    }

    /// The document, and of drafts the revision, by which it is read.
    #[must_use]
    pub fn revision(self) -> &'static str {
        match self {
            Self::Conventional => "RFC 9309",
            Self::Acap => "ACAP 1.0 (Part 1), 1.1 (Part 2)",
            Self::RobotsWords => "draft-illyes-repext-03",
            Self::ExclusionProfile => "draft of 2005-06-18",
            Self::SearchMarks => "help pages of search engines, 2005 to 2026",
            Self::ContentUsage => "draft-ietf-aipref-vocab-08, draft-ietf-aipref-attach-05",
            Self::ContentSignal => "Content Signals Policy of 2025-09-24, with `use` of 2026",
            Self::AiTraining => "draft-canel-robots-ai-control-00",
            Self::TdmRep => "TDMRep, final report of 2024-05-10",
            Self::Rsl => "RSL 1.0",
            Self::AiTxt => "ai.txt of Spawning, 2023",
            Self::TrustTxt => "trust.txt of 2024-04-04",
            Self::PlusDataMining => "IPTC 2023.1",
        }
    }

    /// The rule of the semantics that says how its statements count.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::Conventional => "S-13",
            Self::Acap => "S-07",
            Self::RobotsWords => "S-17",
            Self::ExclusionProfile => "S-26",
            Self::SearchMarks => "S-49",
            Self::ContentUsage => "S-41",
            Self::ContentSignal => "S-42",
            Self::AiTraining => "S-43",
            Self::TdmRep => "S-44",
            Self::Rsl => "S-45",
            Self::AiTxt | Self::TrustTxt => "S-46",
            Self::PlusDataMining => "S-47",
        }
    }

    /// Whether it is one of today's, which state preferences (S-40).
    #[must_use]
    pub fn is_preference(self) -> bool {
        !matches!(
            self,
            Self::Conventional | Self::Acap | Self::RobotsWords | Self::ExclusionProfile | Self::SearchMarks
        )
    }
}

/// What a statement was carried by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Carrier {
    /// The site's robots.txt.
    RobotsTxt,
    /// A file that robots.txt refers to.
    Reference,
    /// A header of the page's response.
    Header,
    /// A META tag.
    Meta,
    /// An element's class or attribute.
    Element,
    /// Another document a caller supplied.
    Document,
    /// No document: a default, a status or a limit.
    Default,
}

impl Carrier {
    /// Every carrier there is.
    pub const ALL: &'static [Self] =
        &[Self::RobotsTxt, Self::Reference, Self::Header, Self::Meta, Self::Element, Self::Document, Self::Default];

    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RobotsTxt => "robots.txt",
            Self::Reference => "reference",
            Self::Header => "header",
            Self::Meta => "meta",
            Self::Element => "element",
            Self::Document => "document",
            Self::Default => "default",
        }
    }
}

macro_rules! falls {
    ($($(#[$about:meta])* $variant:ident = $because:literal, $rule:literal;)*) => {
        /// Why a permission cannot be interpreted and counts as a prohibition (S-09).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Fall { $($(#[$about])* $variant,)* }

        impl Fall {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Why, as part of a sentence.
            #[must_use]
            pub fn because(self) -> &'static str {
                match self { $(Self::$variant => $because,)* }
            }

            /// The rule of the semantics.
            #[must_use]
            pub fn rule(self) -> &'static str {
                match self { $(Self::$variant => $rule,)* }
            }
        }
    };
}

falls! {
    /// It is not written to the letter, and the reading is strict.
    Leniency = "it is not written to the letter", "S-09";
    /// The usage is none that ACAP defines.
    UnknownUsage = "it is about a usage that ACAP does not define", "S-09";
    /// The local usage is defined nowhere.
    UndefinedUsage = "its usage is defined nowhere", "S-09";
    /// The definition cannot be interpreted.
    BadDefinition = "the definition of its usage cannot be interpreted", "S-09";
    /// A local usage takes no qualifiers of its own.
    QualifiedLocalUsage = "a usage in parentheses takes no further qualifiers", "S-09";
    /// The qualifier is none that ACAP defines.
    UnknownQualifier = "it has a qualifier that ACAP does not define", "S-09";
    /// The usage does not take the qualifier.
    QualifierNotValid = "it has a qualifier that its usage does not take", "S-09";
    /// The qualifier does not take the value.
    BadValue = "a qualifier has a value it does not take", "S-09";
    /// A qualifier stands more often than it may.
    Repeated = "a qualifier stands more often than it may", "S-09";
    /// There is a second path.
    SecondResource = "it names more than one resource", "S-09";
    /// There is text that is no qualifier.
    StrayText = "it ends in text that is no qualifier", "S-09";
    /// The major version is not supported.
    UnsupportedMajor = "its document is written for a version of ACAP that is not supported", "S-11";
    /// The feature needs an arrangement that there is not.
    NeedsArrangement = "a qualifier needs an arrangement between site and crawler, and there is none", "S-37";
    /// The feature is not ready.
    NotReady = "a qualifier is one that ACAP calls not ready", "S-37";
    /// The feature is undefined.
    Undefined = "ACAP leaves undefined what a qualifier means here", "S-37";
    /// The crawler cannot do it.
    Unable = "the crawler cannot interpret it", "S-38";
    /// The META tag holds more than one statement.
    SeveralStatements = "its tag holds more than one statement", "S-09";
    /// A local usage in a META tag.
    LocalUsageInMeta = "a META tag may not name a usage that robots.txt defines", "S-09";
    /// Its purposes are not one by one.
    PurposeList = "its purposes are not written one by one", "S-09";
    /// Commas stand between the patterns of its set.
    CommasInSet = "commas stand between the patterns of its resource set", "S-09";
}

/// Whom a statement addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Addressee {
    /// Any crawler.
    Any,
    /// Crawlers by name.
    Named,
}

/// What a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope<'p> {
    /// Every path that matches a pattern, as written.
    Pattern(&'p [u8]),
    /// The patterns of a named resource set.
    ResourceSet(&'p [u8]),
    /// The one resource the statement came with.
    Resource,
    /// A part of that resource.
    Element(Span),
}

/// One statement of a site, with everything the decision can depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statement<'p> {
    /// Which it is.
    pub id: StatementId,
    /// What it does, after leniency and fallback.
    pub modality: Modality,
    /// What may or may not be done.
    pub usage: Usage,
    /// Its language.
    pub dialect: Dialect,
    /// What carried it.
    pub carrier: Carrier,
    /// The name of its document.
    pub document: &'p str,
    /// Whom it addresses.
    pub addressee: Addressee,
    /// The purposes it is limited to; none: any.
    pub purposes: Vec<String>,
    /// What it is about.
    pub scope: Scope<'p>,
    /// The terms on which it permits.
    pub qualifiers: Vec<Condition>,
    /// Where those of these terms stand that do not stand in it.
    pub terms: Vec<Term>,
    /// Where it stands, name and value.
    pub span: Span,
    /// Its line in the document, from 1.
    pub line: u32,
    /// Its column, from 1, in bytes.
    pub column: u32,
    /// As written, without comment and outer blanks.
    pub text: std::borrow::Cow<'p, [u8]>,
    /// Why it, a permission, counts as a prohibition, if it does (S-09).
    pub fall: Option<Fall>,
    /// Whether it is a prohibition that is not written as it should be and holds all the same (S-10).
    pub is_mended: bool,
}

/// A term that stands elsewhere in the document than the statement it limits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Term {
    /// What it asks for.
    pub condition: Condition,
    /// Where it stands.
    pub span: Span,
    /// Its line in the document, from 1.
    pub line: u32,
    /// Its column, from 1, in bytes.
    pub column: u32,
}

impl Statement<'_> {
    /// Whether it is a word that only limits a use (S-17).
    #[must_use]
    pub fn is_limit(&self) -> bool {
        let is_word = self.dialect == Dialect::RobotsWords || self.dialect.is_preference();
        is_word && self.modality == Modality::Permission && !self.qualifiers.is_empty()
    }
}

/// A statement within its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId {
    /// 0 for robots.txt, then the files it refers to; from [`RESPONSE`] on what the response says.
    pub(crate) document: u16,
    pub(crate) kind: StatementKind,
    pub(crate) number: u32,
}

/// The number of the first document of the response, its page read as far as `head` goes.
pub(crate) const RESPONSE: u16 = 0x8000;
/// The number of the first document that is a page outside of `head` (S-24).
pub(crate) const OUTSIDE_HEAD: u16 = 0xC000;

/// The number of the first document of statements on elements.
pub(crate) const ELEMENTS: u16 = 0xE000;

/// Which table of its document a statement is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum StatementKind {
    Rule,
    Acap,
    Reference,
    /// A word of META, `Robots-Tag` or `X-Robots-Tag`.
    Directive,
    /// A class of the Robot Exclusion Profile, or a link that is not to be followed.
    Restriction,
    /// A preference in one of today's dialects; its document is 0 for robots.txt, and else counts from 1 the other
    /// documents that have any.
    Preference,
}

impl StatementId {
    /// A conventional rule of robots.txt.
    pub(crate) fn rule(number: u32) -> Self {
        Self { document: 0, kind: StatementKind::Rule, number }
    }
}

/// What must hold for a conditional permission to be one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Condition {
    /// `time-limit=`: how long the use may last.
    TimeLimit(TimeLimit),
    /// `max-length=`: how much may be shown.
    MaxLength(u64, LengthUnit),
    /// `max-video-preview=`: how many seconds of a video.
    MaxVideoPreview(u64),
    /// Any other, as `name=value` in canonical spelling.
    Term(String, String),
}

/// How long a use may last (S-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TimeLimit {
    /// Until the resource is crawled again.
    UntilRecrawled,
    /// Until an instant, that instant excluded.
    Until(Instant),
    /// Until the end of a day: until this instant, at which the next one begins.
    UntilDate(Instant),
    /// That many days from the first use.
    Days(u64),
}

/// What a length is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LengthUnit {
    /// Unicode scalar values.
    Chars,
    /// Runs between blanks.
    Words,
}

impl std::fmt::Display for Condition {
    /// The canonical spelling of case files.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TimeLimit(TimeLimit::UntilRecrawled) => f.write_str("time-limit=until-recrawled"),
            Self::TimeLimit(TimeLimit::UntilDate(end)) => write!(f, "time-limit=until-{}", end.date_before()),
            Self::TimeLimit(TimeLimit::Until(instant)) => write!(f, "time-limit=until-{instant}"),
            Self::TimeLimit(TimeLimit::Days(days)) => write!(f, "time-limit={days}-days"),
            Self::MaxLength(length, LengthUnit::Chars) => write!(f, "max-length={length}-chars"),
            Self::MaxLength(length, LengthUnit::Words) => write!(f, "max-length={length}-words"),
            Self::MaxVideoPreview(seconds) => write!(f, "max-video-preview={seconds}"),
            Self::Term(name, value) => write!(f, "{name}={value}"),
        }
    }
}
