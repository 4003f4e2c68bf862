//! What paths are made of: characters and escapes, each with the octets it comes to in every reading that matters.
//!
//! A text is taken apart into letters, each a character or one escape. In one reading a letter comes to the same
//! octets wherever it stands, so a run of letters is all that the automata need; the engine is asked what each comes
//! to. Letters that come to the same, as far as any pattern can tell, are one.
//!
//! Octets past ASCII are written as escapes. In one reading that leaves nothing out: where both sides are made
//! comparable a character and its escapes come to the same, and where the URL is taken as it is, no pattern has octets
//! past ASCII.

use byleave::reading::Escapes;
use byleave::{Reading, comparable_path};
use std::collections::{BTreeSet, HashSet};

/// A character or an escape.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    pub(super) spelling: String,
    /// What it comes to in each reading.
    pub(super) octets: Vec<Vec<u8>>,
}

/// The letters that texts are made of.
pub(super) struct Alphabet {
    /// Those that are the same octet in every reading, the plainest first.
    pub(super) plain: Vec<u8>,
    /// Those that are not, as far as they have to be told apart from runs of plain ones.
    pub(super) others: Vec<Letter>,
    /// The letter that every text begins with.
    pub(super) first: Option<u8>,
}

/// What the texts are.
#[derive(Clone, Debug)]
pub(crate) enum Space {
    /// The paths of any URLs, made comparable in one reading.
    Paths(Reading),
    /// The paths of URLs in the normal form of RFC 3986 6.2.2, made comparable in each of these readings: nothing that
    /// needs no escape is escaped. Of reserved characters these are found both as they are and escaped.
    NormalPaths(Vec<Reading>, BTreeSet<u8>),
    /// Any words, taken as they are.
    Words,
}

impl Space {
    /// How many ways there are to take a text.
    pub(crate) fn readings(&self) -> usize {
        match self {
            Self::NormalPaths(readings, _) => readings.len(),
            Self::Paths(_) | Self::Words => 1,
        }
    }

    /// The letters of this space, where patterns use these octets in each reading.
    pub(super) fn alphabet(&self, used: &[[bool; 256]]) -> Alphabet {
        let (plain, others) = match self {
            Self::Paths(reading) if reading.switches().escapes == Escapes::PatternOnly => {
                // Nothing is made comparable: an escape is a run of characters as any other.
                (plainest().filter(|byte| *byte != b'#').collect(), Vec::new())
            }
            Self::Paths(reading) => {
                let escapes = (0..=255).map(|octet| format!("%{octet:02X}"));
                let characters = plainest().filter(|byte| !b"#%".contains(byte));
                parted(escapes, characters, std::slice::from_ref(reading))
            }
            Self::NormalPaths(readings, escaped) => {
                let is_written =
                    |octet: &u8| !is_unreserved(*octet) && (!is_reserved(*octet) || escaped.contains(octet));
                let escapes = (0..=255).filter(is_written).map(|octet| format!("%{octet:02X}"));
                let characters =
                    plainest().filter(|byte| *byte != b'#' && (is_unreserved(*byte) || is_reserved(*byte)));
                parted(escapes, characters, readings)
            }
            Self::Words => (plainest().collect(), Vec::new()),
        };
        let first = if matches!(self, Self::Words) { None } else { Some(b'/') };
        Alphabet { others: told_apart(&plain, others, used), plain, first }
    }
}

/// Letters by whether they are one octet, and the same in each reading. Escapes come before characters that come to
/// the same: URLs have those.
fn parted(
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

/// Of letters that patterns cannot tell apart, one; none where runs of plain letters come to all that they do.
fn told_apart(plain: &[u8], mut others: Vec<Letter>, used: &[[bool; 256]]) -> Vec<Letter> {
    let is_used = |reading: usize, octet: u8| {
        used.get(reading).and_then(|used| used.get(usize::from(octet))).copied().unwrap_or(false)
    };
    if !is_needed(plain, used.len(), &is_used) {
        return Vec::new();
    }
    // Strangers are alike, and so are runs of them.
    let mut known = HashSet::new();
    others.retain(|letter| {
        let told = |(reading, octets): (usize, &Vec<u8>)| {
            let mut told: Vec<_> = octets.iter().map(|octet| is_used(reading, *octet).then_some(*octet)).collect();
            told.dedup_by(|one, other| one.is_none() && other.is_none());
            told
        };
        known.insert((0..).zip(&letter.octets).map(told).collect::<Vec<_>>())
    });
    others
}

/// RFC 3986 2.3.
fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || b"-._~".contains(&octet)
}

/// RFC 3986 2.2.
pub(crate) fn is_reserved(octet: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&octet)
}

/// Whether there is anything that runs of plain letters do not come to.
///
/// In one reading a letter that is not plain comes to octets. If some plain letter is in no pattern, it stands for
/// each octet that is in none; so such letters are needed only for octets that patterns have and plain letters do not
/// come to (`%`). Between readings they are what makes the difference.
fn is_needed(plain: &[u8], readings: usize, is_used: &impl Fn(usize, u8) -> bool) -> bool {
    let has_spare = plain.iter().any(|byte| !is_used(0, *byte));
    readings > 1 || !has_spare || (0..=255).any(|octet| is_used(0, octet) && !plain.contains(&octet))
}

/// Every ASCII character, those first that a person would choose.
fn plainest() -> impl Iterator<Item = u8> {
    const FIRST: &[u8] = b"xyzabcdefghijklmnopqrstuvw0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ/.~";
    FIRST.iter().copied().chain((b'!'..=b'~').chain(0..=b' ').chain([0x7F]).filter(|byte| !FIRST.contains(byte)))
}

/// Where paths are of, so that no path is taken for more than one.
pub(crate) const ORIGIN: &str = "https://example.com";
