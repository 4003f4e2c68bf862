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
    /// As Google Search acts on META tags, headers and marks; robots.txt as in `google` (S-48).
    GoogleSearch,
    /// As Bing acts on META tags, headers and marks (S-48).
    Bing,
    /// As Yandex acts on META tags (S-48).
    Yandex,
    /// As Amazon acts on META tags and headers (S-48).
    Amazon,
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
    /// Whether ACAP fields are read at all; where not, they part no groups.
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
    pub skips_partial_bom: bool,
    /// How many bytes of a line are read, as a C string; nothing: all, whatever they are.
    pub line_limit: Option<usize>,
    /// Whose table of directives comes before the general one (S-48).
    pub directives: DirectiveTable,
    /// Which of them lift what others prohibit.
    pub lifting: Lifting,
    /// The names by which META words address anybody; nothing: any name may be a crawler's.
    pub meta_names: Option<&'static [&'static str]>,
    /// Whether META tags outside of `head` restrict, whatever the crawler can do (S-24).
    pub reads_body_metas: bool,
    /// The elements on which `data-nosnippet` counts; nothing: any (S-49).
    pub nosnippet_elements: Option<&'static [&'static str]>,
    /// Whether what is no snippet is no answer by AI either.
    pub nosnippet_bars_answers: bool,
}

/// Which table says what directives of META tags and headers mean; in each, the general table has what it lacks (S-48).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DirectiveTable {
    /// The general one alone.
    General,
    /// Google Search's own.
    GoogleSearch,
    /// Bing's own.
    Bing,
    /// Amazon's own.
    Amazon,
}

/// Which words of META and headers lift what others prohibit of the same usage (S-17, S-48).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lifting {
    /// None does.
    Nothing,
    /// Those of META that permit, what those of META prohibit. In headers they say nothing.
    Permissive,
    /// `nocache`, what `noarchive` prohibits.
    Nocache,
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
    pub const ALL: &'static [Self] = &[
        Self::Default,
        Self::Strict,
        Self::Rfc9309,
        Self::Google,
        Self::GoogleSearch,
        Self::Bing,
        Self::Yandex,
        Self::Amazon,
    ];

    /// The readings that read robots.txt differently; each of the others reads it as one of these does.
    pub const OF_ROBOTS_TXT: &'static [Self] = &[Self::Default, Self::Strict, Self::Rfc9309, Self::Google];

    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Strict => "strict",
            Self::Rfc9309 => "rfc9309",
            Self::Google => "google",
            Self::GoogleSearch => "google-search",
            Self::Bing => "bing",
            Self::Yandex => "yandex",
            Self::Amazon => "amazon",
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
            Self::GoogleSearch => &GOOGLE_SEARCH,
            Self::Bing => &BING,
            Self::Yandex => &YANDEX,
            Self::Amazon => &AMAZON,
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
    skips_partial_bom: false,
    line_limit: None,
    directives: DirectiveTable::General,
    lifting: Lifting::Nothing,
    meta_names: None,
    reads_body_metas: false,
    nosnippet_elements: None,
    nosnippet_bars_answers: false,
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
    skips_partial_bom: true,
    // robots.cc: 2083 * 8, less the terminator.
    line_limit: Some(16_663),
    ..DEFAULT
};

const GOOGLE_SEARCH: Switches = Switches {
    directives: DirectiveTable::GoogleSearch,
    meta_names: Some(&["robots", "googlebot", "googlebot-news"]),
    reads_body_metas: true,
    nosnippet_elements: Some(&["span", "div", "section"]),
    ..GOOGLE
};

const BING: Switches =
    Switches { directives: DirectiveTable::Bing, lifting: Lifting::Nocache, nosnippet_bars_answers: true, ..DEFAULT };

const YANDEX: Switches = Switches { lifting: Lifting::Permissive, ..DEFAULT };

const AMAZON: Switches = Switches { directives: DirectiveTable::Amazon, ..DEFAULT };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_policies_know_a_reading_by_its_number() {
        for (number, reading) in Reading::ALL.iter().enumerate() {
            assert_eq!(*reading as usize, number);
            assert_eq!(Reading::from_number(number as u8), Some(*reading));
            assert_eq!(reading.name().parse(), Ok(*reading));
        }
    }

    #[test]
    fn s48_search_engines_read_robots_txt_as_another_reading_does() {
        let of_robots_txt = |reading: &Reading| Switches {
            directives: DirectiveTable::General,
            lifting: Lifting::Nothing,
            meta_names: None,
            reads_body_metas: false,
            nosnippet_elements: None,
            nosnippet_bars_answers: false,
            ..*reading.switches()
        };
        let known: Vec<Switches> = Reading::OF_ROBOTS_TXT.iter().map(of_robots_txt).collect();
        assert!(Reading::ALL.iter().all(|reading| known.contains(&of_robots_txt(reading))));
    }
}
