//! Dialects: the languages of statements, each with its name, its revision and its rule in the semantics (S-31).

/// The language of a statement. Each dialect resolves its conflicts by its own rule (S-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// `Allow` and `Disallow` of RFC 9309.
    Conventional,
    /// ACAP 1.0 and 1.1, in robots.txt, META tags and class attributes.
    Acap,
    /// The directives of META, `Robots-Tag` and `X-Robots-Tag`.
    RobotsWords,
    /// The Robot Exclusion Profile.
    ExclusionProfile,
    /// The marks that tell search engines about parts of a page.
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
    /// ai.txt as defined by Spawning.
    AiTxt,
    /// trust.txt.
    TrustTxt,
    /// PLUS data mining in the metadata of a file.
    PlusDataMining,
}

/// How conflicting statements of one dialect are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConflictRule {
    /// The longest pattern wins; among equally long ones, the permission (RFC 9309 2.2.2).
    LongestPattern,
    /// The narrowest scope wins; if none is determined, the use is prohibited (S-06, S-07).
    NarrowestScope,
    /// All restrictions apply; no permission lifts one (S-17).
    Union,
    /// The nearest enclosing element wins; on one element, the restriction (S-26).
    NearestElement,
    /// The longest path wins; among equally long ones, the restriction (S-41, S-42).
    LongestPath,
    /// The first match wins; a later layer replaces an earlier one (S-44).
    FirstMatch,
    /// The narrowest scope wins; a conflict there means that the use is not licensed (S-45).
    NarrowestLicence,
    /// There is one value; among several, the restrictive one wins.
    Single,
}

impl Dialect {
    /// All dialects, each with the rule that resolves its conflicts.
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

    /// Returns its name in every output.
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

    /// Returns the document that defines it, and the revision if it is a draft.
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

    /// Returns the number of the rule in the semantics.
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

    /// Whether it is an AI-preference dialect (S-40).
    #[must_use]
    pub fn is_preference(self) -> bool {
        !matches!(
            self,
            Self::Conventional | Self::Acap | Self::RobotsWords | Self::ExclusionProfile | Self::SearchMarks
        )
    }
}
