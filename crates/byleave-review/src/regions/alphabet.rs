//! The letters of paths: characters and escapes, each with its octets in every reading that is compared.
//!
//! A text is a sequence of letters. Each letter is one character or one escape. Within one reading, a letter always has
//! the same octets, which the engine supplies. If no pattern can distinguish several letters, only one of them is used.
//!
//! Octets outside ASCII are written as escapes. Within one reading, no region is missed as a result: if patterns and
//! URLs are both normalized, a character equals its escapes. If the URL is used unchanged, no pattern contains octets
//! outside ASCII.

use byleave::Reading;
use byleave::analysis::comparable_path;
use byleave::analysis::reading::Escapes;
use std::collections::{BTreeSet, HashSet};

/// A character or an escape.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    pub(super) spelling: String,
    /// The octets of the letter in each reading.
    pub(super) octets: Vec<Vec<u8>>,
}

/// The letters of a space.
pub(super) struct Alphabet {
    /// Letters that are the same single octet in every reading. The most readable letters come first.
    pub(super) plain: Vec<u8>,
    /// The other letters, except letters that sequences of plain letters can replace.
    pub(super) others: Vec<Letter>,
    /// The letter that every text begins with, or `None` for words.
    pub(super) first: Option<u8>,
}

/// The set of texts to walk over.
#[derive(Clone, Debug)]
pub(crate) enum Space {
    /// The paths of all URLs, normalized in one reading.
    Paths(Reading),
    /// The paths of URLs in the normal form of RFC 3986 6.2.2, in each of these readings. In this form, an octet is
    /// escaped only where required. The listed reserved characters appear both plain and escaped.
    NormalPaths(Vec<Reading>, BTreeSet<u8>),
    /// All words, without normalization.
    Words,
}

impl Space {
    /// Returns the number of readings in which texts are compared.
    pub(crate) fn readings(&self) -> usize {
        match self {
            Self::NormalPaths(readings, _) => readings.len(),
            Self::Paths(_) | Self::Words => 1,
        }
    }

    /// Returns the letters of this space, given the octets that patterns use in each reading.
    pub(super) fn alphabet(&self, used: &[[bool; 256]]) -> Alphabet {
        let (plain, others) = match self {
            Self::Paths(reading) if reading.switches().escapes == Escapes::PatternOnly => {
                // URLs are not normalized, so an escape is an ordinary sequence of characters.
                (most_readable().filter(|byte| *byte != b'#').collect(), Vec::new())
            }
            Self::Paths(reading) => {
                let escapes = (0..=255).map(|octet| format!("%{octet:02X}"));
                let characters = most_readable().filter(|byte| !b"#%".contains(byte));
                separate(escapes, characters, std::slice::from_ref(reading))
            }
            Self::NormalPaths(readings, escaped) => {
                let is_written =
                    |octet: &u8| !is_unreserved(*octet) && (!is_reserved(*octet) || escaped.contains(octet));
                let escapes = (0..=255).filter(is_written).map(|octet| format!("%{octet:02X}"));
                let characters =
                    most_readable().filter(|byte| *byte != b'#' && (is_unreserved(*byte) || is_reserved(*byte)));
                separate(escapes, characters, readings)
            }
            Self::Words => (most_readable().collect(), Vec::new()),
        };
        let first = if matches!(self, Self::Words) { None } else { Some(b'/') };
        Alphabet { others: distinct_letters(&plain, others, used), plain, first }
    }
}

/// Separates letters that are the same single octet in each reading from all other letters. Escapes come before
/// characters with the same octets, because URLs contain escapes.
fn separate(
    escapes: impl Iterator<Item = String>,
    characters: impl Iterator<Item = u8>,
    readings: &[Reading],
) -> (Vec<u8>, Vec<Letter>) {
    let letter = |spelling: String| {
        let url = format!("{ORIGIN}/{spelling}");
        let octets = readings.iter().map(|reading| comparable_path(&url, *reading));
        Letter { octets: octets.map(|path| path.get(1..).unwrap_or_default().to_vec()).collect(), spelling }
    };
    let mut others: Vec<Letter> = escapes.map(letter).collect();
    let mut plain = Vec::new();
    for byte in characters {
        let letter = letter(char::from(byte).to_string());
        if letter.octets.iter().all(|octets| octets.as_slice() == [byte]) {
            plain.push(byte);
        } else {
            others.push(letter);
        }
    }
    (plain, others)
}

/// Keeps one letter of each set that patterns cannot distinguish. Returns no letters if plain letters can replace all
/// of them.
fn distinct_letters(plain: &[u8], mut others: Vec<Letter>, used: &[[bool; 256]]) -> Vec<Letter> {
    let is_used = |reading: usize, octet: u8| {
        used.get(reading).and_then(|used| used.get(usize::from(octet))).copied().unwrap_or(false)
    };
    if !is_needed(plain, used.len(), &is_used) {
        return Vec::new();
    }
    // All octets that no pattern contains are equivalent, and so are sequences of such octets.
    let mut known = HashSet::new();
    others.retain(|letter| {
        let visible = |(reading, octets): (usize, &Vec<u8>)| {
            let mut visible: Vec<_> = octets.iter().map(|octet| is_used(reading, *octet).then_some(*octet)).collect();
            visible.dedup_by(|one, other| one.is_none() && other.is_none());
            visible
        };
        known.insert((0..).zip(&letter.octets).map(visible).collect::<Vec<_>>())
    });
    others
}

/// Returns whether an octet is unreserved (RFC 3986 2.3).
fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || b"-._~".contains(&octet)
}

/// Returns whether an octet is reserved (RFC 3986 2.2).
pub(crate) fn is_reserved(octet: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&octet)
}

/// Returns whether letters other than the plain ones are needed.
///
/// Within one reading, a plain letter that no pattern contains can replace every octet that no pattern contains. Other
/// letters are then needed only for octets that patterns contain and plain letters do not, such as `%`. If several
/// readings are compared, other letters are always needed, because readings interpret them differently.
fn is_needed(plain: &[u8], readings: usize, is_used: &impl Fn(usize, u8) -> bool) -> bool {
    let has_spare = plain.iter().any(|byte| !is_used(0, *byte));
    readings > 1 || !has_spare || (0..=255).any(|octet| is_used(0, octet) && !plain.contains(&octet))
}

/// Returns every ASCII character. The most readable characters come first.
fn most_readable() -> impl Iterator<Item = u8> {
    const FIRST: &[u8] = b"xyzabcdefghijklmnopqrstuvw0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ/.~";
    FIRST.iter().copied().chain((b'!'..=b'~').chain(0..=b' ').chain([0x7F]).filter(|byte| !FIRST.contains(byte)))
}

/// The origin that is put before each path to make a URL.
pub(crate) const ORIGIN: &str = "https://example.com";
