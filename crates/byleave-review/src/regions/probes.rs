//! Paths to ask about where there are too many regions: one where each pattern matches, and one where two do.
//!
//! A pattern contains another exactly if it matches the other's own text with its wildcards taken for a letter that no
//! pattern has. So a path of that kind shows who decides where the pattern matches and nothing narrower does; a
//! meeting of two shows who decides between them. Where three or more have to meet, nothing is proven.

use super::ApplicablePattern;
use byleave::ComparablePattern;
use std::collections::BTreeSet;

/// The paths, shortest first, up to a number.
///
/// Cost: linear in the patterns for each of them that is changed, up to [`MAX_PAIRS`] and [`MAX_PROBES`] paths.
pub(super) fn probes(patterns: &[ApplicablePattern]) -> Vec<String> {
    let stranger = stranger(patterns);
    let mut paths = BTreeSet::new();
    let mut keep = |text: Vec<u8>| {
        let path = spelt(&text);
        paths.insert((path.len(), path));
        paths.len() < MAX_PROBES
    };
    for entry in patterns {
        let texts = [own(&entry.pattern, stranger, Some(stranger)), own(&entry.pattern, stranger, None)];
        if !texts.into_iter().all(&mut keep) {
            break;
        }
    }
    let mut tries = 0;
    'all: for changed in patterns.iter().filter(|entry| entry.is_changed) {
        for other in patterns {
            tries += 1;
            if tries > MAX_PAIRS {
                break 'all;
            }
            if let Some(text) = meeting(&changed.pattern, &other.pattern, stranger)
                && !keep(text)
            {
                break 'all;
            }
        }
    }
    paths.into_iter().map(|(_, path)| path).collect()
}

/// More paths are not asked about.
const MAX_PROBES: usize = 20_000;
/// More pairs of patterns are not looked at.
const MAX_PAIRS: usize = 200_000;

/// A path that stands for a pattern, where no letter is known that others do not have.
pub(crate) fn path_of(pattern: &ComparablePattern) -> String {
    spelt(&own(pattern, b'~', Some(b'~')))
}

/// A letter that no pattern has, or at least few.
fn stranger(patterns: &[ApplicablePattern]) -> u8 {
    let mut counts = [0u32; 256];
    for octet in patterns.iter().flat_map(|entry| entry.pattern.pieces().flatten()) {
        if let Some(count) = counts.get_mut(usize::from(octet.to_ascii_lowercase())) {
            *count += 1;
        }
    }
    let candidates = b"xzqjywvk~";
    let count = |byte: &u8| counts.get(usize::from(*byte)).copied().unwrap_or(0);
    candidates.iter().copied().min_by_key(count).unwrap_or(b'x')
}

/// The text of a pattern with a letter for each wildcard, and one behind it where it is open.
fn own(pattern: &ComparablePattern, stranger: u8, behind: Option<u8>) -> Vec<u8> {
    let mut text = pattern.pieces().collect::<Vec<_>>().join(&stranger);
    text.extend(behind.filter(|_| !pattern.is_anchored()));
    text
}

/// A text that both patterns match, where a simple one can be made.
fn meeting(one: &ComparablePattern, other: &ComparablePattern, stranger: u8) -> Option<Vec<u8>> {
    let parts = |pattern: &ComparablePattern| {
        let mut parts: Vec<Vec<u8>> = pattern.pieces().map(<[u8]>::to_vec).collect();
        if !pattern.is_anchored() {
            parts.push(Vec::new());
        }
        parts
    };
    let (ones, others) = (parts(one), parts(other));
    let ([first, .., end], [second, .., last]) = (ones.as_slice(), others.as_slice()) else { return None };
    let (longer, shorter) = if first.len() >= second.len() { (first, second) } else { (second, first) };
    if !longer.starts_with(shorter) {
        return None;
    }
    let mut text = longer.clone();
    for middle in [&ones, &others].into_iter().flat_map(|parts| parts.iter().skip(1).take(parts.len() - 2)) {
        text.push(stranger);
        text.extend_from_slice(middle);
    }
    text.push(stranger);
    text.extend_from_slice(if end.len() >= last.len() { end } else { last });
    Some(text)
}

/// A comparable text as the path of a URL.
fn spelt(text: &[u8]) -> String {
    let mut path = String::with_capacity(text.len() + 1);
    if text.first() != Some(&b'/') {
        path.push('/');
    }
    for byte in text {
        match byte {
            b'#' => path.push_str("%23"),
            byte if byte.is_ascii() => path.push(char::from(*byte)),
            byte => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path
}
