//! Readings: how forgiving, and whose habits. Each is a named bundle of switches (semantics, section 6).
//!
//! Nothing else in the engine asks which reading it is; code asks a switch.

use std::fmt;
use std::str::FromStr;

/// A named way of reading a site's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
#[repr(u8)]
pub enum Reading {
    /// RFC 9309 and ACAP, with the closed list of leniencies.
    #[default]
    Default,
    /// Every deviation is an error; a permission that needed leniency counts as a prohibition.
    Strict,
    /// RFC 9309's letter and nothing else.
    Rfc9309,
    /// As Google's robots.txt parser reads it.
    Google,
}

/// What a reading does at each fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Switches {
    /// How a field's name is recognised.
    pub fields: FieldMatching,
    /// Where a written crawler name ends.
    pub names: NameGrammar,
    /// Whether a crawler called `Name/1.0` is called `Name` too.
    pub cuts_versions: bool,
    /// How paths and patterns are made comparable.
    pub escapes: Escapes,
    /// Whether the listed misspellings of field names are forgiven.
    pub forgives_misspellings: bool,
    /// Whether blanks may stand for the colon on a line of two words.
    pub forgives_missing_colon: bool,
    /// Whether a permission that needed leniency counts as a prohibition (S-09).
    pub leniency_prohibits: bool,
    /// Whether every deviation is reported as an error.
    pub deviations_are_errors: bool,
    /// Whether ACAP fields are read at all; where not, they part no records.
    pub reads_acap: bool,
    /// Whether META tags and response headers are read.
    pub reads_responses: bool,
    /// Whether robots.txt and other documents are read for what today's dialects say (S-40).
    pub reads_preferences: bool,
    /// Whether `/robots.txt` itself is always permitted.
    pub permits_robots_txt: bool,
    /// Whether `Allow: /dir/index.htm…` also permits `/dir/`.
    pub index_page_is_directory: bool,
    /// Whether `//host/path` is a URL without a scheme and not a path, and `;` ends an authority.
    pub cuts_urls_as_google: bool,
    /// Whether the first bytes of a byte order mark are skipped where the rest is missing.
    pub skips_part_of_a_mark: bool,
    /// How many bytes of a line are read, as a C string; nothing: all, whatever they are.
    pub line_limit: Option<usize>,
}

/// How a field's name is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldMatching {
    /// The whole name, in any case.
    Whole,
    /// By what the name begins with.
    Prefix,
}

/// Where a written crawler name ends (S-35).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameGrammar {
    /// The whole value, or up to the first character outside `[A-Za-z0-9_.-]`.
    WholeOrToken,
    /// Up to the first character outside RFC 9309's `[A-Za-z_-]`.
    ProductToken,
}

/// How paths and patterns are made comparable (S-18, S-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Escapes {
    /// Both sides: unreserved octets decoded, other escapes upper-cased, what needs escaping escaped,
    /// reserved octets compared as written.
    Full,
    /// The same, and a reserved octet equals its escape (RFC 9309 2.2.2 to the letter).
    FullReserved,
    /// Patterns only: escapes upper-cased, octets past ASCII escaped. The URL is taken as it is.
    PatternOnly,
}

impl Reading {
    /// Every reading there is.
    pub const ALL: &'static [Self] = &[Self::Default, Self::Strict, Self::Rfc9309, Self::Google];

    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Strict => "strict",
            Self::Rfc9309 => "rfc9309",
            Self::Google => "google",
        }
    }

    /// What it does at each fork.
    #[must_use]
    pub fn switches(self) -> &'static Switches {
        match self {
            Self::Default => &DEFAULT,
            Self::Strict => &STRICT,
            Self::Rfc9309 => &RFC_9309,
            Self::Google => &GOOGLE,
        }
    }

    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no reading has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownReading;

impl fmt::Display for UnknownReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such reading; there are ")?;
        let names: Vec<_> = Reading::ALL.iter().map(|reading| reading.name()).collect();
        f.write_str(&names.join(", "))
    }
}

impl std::error::Error for UnknownReading {}

impl FromStr for Reading {
    type Err = UnknownReading;

    fn from_str(name: &str) -> Result<Self, UnknownReading> {
        Self::ALL.iter().copied().find(|reading| reading.name() == name).ok_or(UnknownReading)
    }
}

const DEFAULT: Switches = Switches {
    fields: FieldMatching::Whole,
    names: NameGrammar::WholeOrToken,
    cuts_versions: true,
    escapes: Escapes::Full,
    forgives_misspellings: true,
    forgives_missing_colon: true,
    leniency_prohibits: false,
    deviations_are_errors: false,
    reads_acap: true,
    reads_responses: true,
    reads_preferences: true,
    permits_robots_txt: true,
    index_page_is_directory: false,
    cuts_urls_as_google: false,
    skips_part_of_a_mark: false,
    line_limit: None,
};

const STRICT: Switches = Switches { leniency_prohibits: true, deviations_are_errors: true, ..DEFAULT };

const RFC_9309: Switches = Switches {
    names: NameGrammar::ProductToken,
    escapes: Escapes::FullReserved,
    forgives_misspellings: false,
    forgives_missing_colon: false,
    reads_acap: false,
    reads_responses: false,
    reads_preferences: false,
    ..DEFAULT
};

const GOOGLE: Switches = Switches {
    fields: FieldMatching::Prefix,
    names: NameGrammar::ProductToken,
    cuts_versions: false,
    escapes: Escapes::PatternOnly,
    reads_acap: false,
    reads_preferences: false,
    permits_robots_txt: false,
    index_page_is_directory: true,
    cuts_urls_as_google: true,
    skips_part_of_a_mark: true,
    // robots.cc: 2083 * 8, less the terminator.
    line_limit: Some(16_663),
    ..DEFAULT
};
