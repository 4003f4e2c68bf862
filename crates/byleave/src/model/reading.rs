//! Readings: named sets of switches that determine how lenient parsing is and which crawler's behaviour it follows
//! (semantics, section 6).
//!
//! Other code does not check which reading is in use. It checks the switches.

use std::fmt;
use std::str::FromStr;

/// A named way of interpreting a site's rules.
///
/// ```
/// use byleave::{Policy, Reading};
/// let robots_txt = b"User-agent: *\nDissalow: /private/\n";
/// assert!(!Policy::parse_as(robots_txt, Reading::Default).may_crawl("AnyBot", "/private/"));
/// assert!(Policy::parse_as(robots_txt, Reading::Rfc9309).may_crawl("AnyBot", "/private/"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
#[repr(u8)]
pub enum Reading {
    /// RFC 9309 and ACAP, with a closed list of leniencies.
    #[default]
    Default,
    /// Every deviation is an error. A permission that needs leniency counts as a prohibition.
    Strict,
    /// RFC 9309 alone, to the letter.
    Rfc9309,
    /// The behaviour of Google's open-source robots.txt parser.
    Google,
    /// The behaviour of Google Search for META tags, headers and marks. robots.txt is read as in `google` (S-48).
    GoogleSearch,
    /// The behaviour of Bing for META tags, headers and marks (S-48).
    Bing,
    /// The behaviour of Yandex for META tags (S-48).
    Yandex,
    /// The behaviour of Amazon for META tags and headers (S-48).
    Amazon,
}

/// The choices that a reading makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Switches {
    /// How a field's name is recognised.
    pub fields: FieldMatching,
    /// Where a crawler's name ends.
    pub names: NameGrammar,
    /// Whether a crawler with the name `Name/1.0` also has the name `Name`.
    pub cuts_versions: bool,
    /// How paths and patterns are normalized before they are compared.
    pub escapes: Escapes,
    /// Whether the listed misspellings of field names are accepted.
    pub forgives_misspellings: bool,
    /// Whether blanks may replace the colon on a line of two words.
    pub forgives_missing_colon: bool,
    /// Whether a permission that needs leniency counts as a prohibition (S-09).
    pub leniency_prohibits: bool,
    /// Whether every deviation is reported as an error.
    pub deviations_are_errors: bool,
    /// Whether ACAP fields are read. If not, they do not separate groups.
    pub reads_acap: bool,
    /// Whether META tags and response headers are read.
    pub reads_responses: bool,
    /// Whether robots.txt and other documents are searched for AI preferences (S-40).
    pub reads_preferences: bool,
    /// Whether `/robots.txt` itself is always permitted.
    pub permits_robots_txt: bool,
    /// Whether `Allow: /dir/index.htm…` also permits `/dir/`.
    pub index_page_is_directory: bool,
    /// Whether URLs are split as in Google's parser: `//host/path` is a URL without a scheme, and `;` ends the
    /// authority.
    pub cuts_urls_as_google: bool,
    /// Whether an incomplete byte order mark is skipped.
    pub skips_partial_bom: bool,
    /// The maximum number of bytes of a line that are read. If there is a maximum, a NUL also ends the line, as in a C
    /// string. `None` means that the whole line is read.
    pub line_limit: Option<usize>,
    /// The table of directives that takes precedence over the general table (S-48).
    pub directives: DirectiveTable,
    /// Which directives lift the prohibitions of other directives.
    pub lifting: Lifting,
    /// The META names that can address a crawler. `None` means that any name can.
    pub meta_names: Option<&'static [&'static str]>,
    /// Whether restrictions in META tags outside `head` always apply, whatever the crawler's capabilities (S-24).
    pub reads_body_metas: bool,
    /// The elements on which `data-nosnippet` has an effect. `None` means any element (S-49).
    pub nosnippet_elements: Option<&'static [&'static str]>,
    /// Whether text that must not be in a snippet must not be in an AI answer either.
    pub nosnippet_bars_answers: bool,
}

/// The table that defines what directives mean. The general table applies to directives that are not in the selected
/// table (S-48).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DirectiveTable {
    /// Only the general table.
    General,
    /// Google Search's table.
    GoogleSearch,
    /// Bing's table.
    Bing,
    /// Amazon's table.
    Amazon,
}

/// Which directives lift another directive's prohibition of the same usage (S-17, S-48).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lifting {
    /// No directive lifts a prohibition.
    Nothing,
    /// Permissive META directives lift the prohibitions of META directives. In headers they have no effect.
    Permissive,
    /// `nocache` lifts the prohibition of `noarchive`.
    Nocache,
}

/// How a field's name is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldMatching {
    /// By the whole name, ignoring ASCII case.
    Whole,
    /// By the beginning of the name.
    Prefix,
}

/// Where a crawler's name ends (S-35).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameGrammar {
    /// At the end of the value, or before the first character outside `[A-Za-z0-9_.-]`.
    WholeOrToken,
    /// Before the first character outside RFC 9309's `[A-Za-z_-]`.
    ProductToken,
}

/// How paths and patterns are normalized before they are compared (S-18, S-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Escapes {
    /// Normalizes both patterns and paths: decodes escaped unreserved octets, converts other escapes to upper case, and
    /// escapes octets that must be escaped. Reserved octets are compared as written, so `/` and `%2F` differ.
    Full,
    /// Like `Full`, but a reserved octet also equals its escape (RFC 9309 2.2.2 to the letter).
    FullReserved,
    /// Normalizes only patterns: converts escapes to upper case, and escapes octets above ASCII. The URL is not
    /// changed.
    PatternOnly,
}

impl Reading {
    /// All readings, in the order of the variants.
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

    /// The readings that interpret robots.txt differently from each other. Every other reading interprets robots.txt
    /// like one of these.
    pub const OF_ROBOTS_TXT: &'static [Self] = &[Self::Default, Self::Strict, Self::Rfc9309, Self::Google];

    /// Returns the reading's name, as used in all output.
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

    /// Returns the reading's switches.
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

/// The error for a string that is not the name of a reading.
///
/// ```
/// use byleave::Reading;
/// assert_eq!("google".parse(), Ok(Reading::Google));
/// assert!("altavista".parse::<Reading>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownReading;

impl fmt::Display for UnknownReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown reading; the readings are ")?;
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
    // The limit in robots.cc: 2083 * 8 bytes, minus the terminator.
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
