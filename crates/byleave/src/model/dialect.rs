//! Dialects: the languages that statements are written in. Each has a name, a revision and a rule in the semantics
//! (S-31).

use crate::base::table::table;

table! {
    /// The language that a statement is written in. Each dialect resolves conflicts by its own rule (S-31).
    ///
    /// ```
    /// use byleave::model::Dialect;
    /// assert_eq!(Dialect::TdmRep.name(), "tdmrep");
    /// assert!(Dialect::TdmRep.is_preference());
    /// assert_eq!(Dialect::Conventional.revision(), "RFC 9309");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Dialect {
        /// `Allow` and `Disallow`, as in RFC 9309.
        Conventional = "rfc9309", "RFC 9309", "S-13", DialectKind::Rules;
        /// ACAP 1.0 and 1.1, in robots.txt, META tags and class attributes.
        Acap = "acap", "ACAP 1.0 (Part 1), 1.1 (Part 2)", "S-07", DialectKind::Rules;
        /// The directives in META tags, `Robots-Tag` and `X-Robots-Tag`.
        RobotsDirectives = "robots-directives", "draft-illyes-repext-03", "S-17", DialectKind::Rules;
        /// The Robot Exclusion Profile.
        ExclusionProfile = "exclusion-profile", "draft of 2005-06-18", "S-26", DialectKind::Rules;
        /// Marks on parts of a page that search engines recognise, such as `data-nosnippet`.
        SearchMarks = "search-marks", "help pages of search engines, 2005 to 2026", "S-49", DialectKind::Rules;
        /// AIPREF's `Content-Usage`, in robots.txt and headers.
        ContentUsage =
            "content-usage", "draft-ietf-aipref-vocab-08, draft-ietf-aipref-attach-05", "S-41", DialectKind::Preferences;
        /// Content Signals, in robots.txt and headers.
        ContentSignal =
            "content-signal", "Content Signals Policy of 2025-09-24, plus the \"use\" signal added in 2026",
            "S-42", DialectKind::Preferences;
        /// `DisallowAITraining` and `AllowAITraining` in robots.txt and headers.
        AiTraining = "ai-training", "draft-canel-robots-ai-control-00", "S-43", DialectKind::Preferences;
        /// The TDM Reservation Protocol: tdmrep.json, headers, META tags, metadata.
        TdmRep = "tdmrep", "TDMRep, final report of 2024-05-10", "S-44", DialectKind::Preferences;
        /// Really Simple Licensing.
        Rsl = "rsl", "RSL 1.0", "S-45", DialectKind::Preferences;
        /// Spawning's ai.txt.
        AiTxt = "ai.txt", "ai.txt of Spawning, 2023", "S-46", DialectKind::Preferences;
        /// trust.txt.
        TrustTxt = "trust.txt", "trust.txt of 2024-04-04", "S-46", DialectKind::Preferences;
        /// The PLUS data mining property in a file's metadata.
        PlusDataMining = "plus-data-mining", "IPTC 2023.1", "S-47", DialectKind::Preferences;
        /// The invented dialect in `dialects/example`, which shows how to add a dialect.
        #[cfg(test)]
        Example = "example", "invented", "S-40", DialectKind::Preferences;
    }

    /// Returns the dialect's name, as used in all output.
    pub fn name: &'static str;

    /// Returns the document that defines the dialect, and its revision if it is a draft.
    pub fn revision: &'static str;

    /// Returns the number of the dialect's rule in the semantics.
    pub fn rule: &'static str;

    /// Returns the kind of its statements.
    fn kind: DialectKind;
}

impl Dialect {
    /// Returns whether this is an AI-preference dialect (S-40).
    #[must_use]
    pub fn is_preference(self) -> bool {
        self.kind() == DialectKind::Preferences
    }
}

/// The kinds of statements that a dialect has.
#[derive(PartialEq, Eq)]
enum DialectKind {
    /// Permissions, prohibitions and directives.
    Rules,
    /// Preferences about AI usages and search (S-40).
    Preferences,
}
