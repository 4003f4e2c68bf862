//! Probes: paths to ask about if there are too many regions. There are probes for each pattern, and for each overlap of
//! two patterns.
//!
//! The probe for a pattern is its text, with each wildcard replaced by a letter that no pattern contains. The rule that
//! decides this path decides all paths that match the pattern and no narrower pattern. The probe for an overlap shows
//! which of the two patterns wins. Overlaps of three or more patterns are not covered.

use super::ApplicablePattern;
use byleave::analysis::ComparablePattern;
use std::collections::BTreeSet;

/// Returns at most `most` paths, shortest first.
///
/// Cost: for each changed pattern, linear in all patterns, up to [`MAX_PAIRS`] pairs.
pub(super) fn probes(patterns: &[ApplicablePattern], most: usize) -> Vec<String> {
    if most == 0 {
        return Vec::new();
    }
    let unused = unused(patterns);
    let mut paths = BTreeSet::new();
    let mut keep = |text: Vec<u8>| {
        let path = spelt(&text);
        paths.insert((path.len(), path));
        paths.len() < most
    };
    for entry in patterns {
        let texts = [own(&entry.pattern, unused, Some(unused)), own(&entry.pattern, unused, None)];
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
            if let Some(text) = overlap(&changed.pattern, &other.pattern, unused)
                && !keep(text)
            {
                break 'all;
            }
        }
    }
    paths.into_iter().map(|(_, path)| path).collect()
}

/// At most this many pairs of patterns are examined.
const MAX_PAIRS: usize = 200_000;

/// Returns a path that a pattern matches. Other patterns may match the path too.
pub(crate) fn path_of(pattern: &ComparablePattern) -> String {
    spelt(&own(pattern, b'~', Some(b'~')))
}

/// Returns an octet that no pattern contains, or `None` if there is no such octet. It is a control character, so letter
/// case does not matter.
pub(crate) fn unused_octet(patterns: &[ApplicablePattern]) -> Option<u8> {
    let mut candidates = 1..b' ';
    candidates.find(|octet| !patterns.iter().any(|entry| entry.pattern.pieces().flatten().any(|used| used == octet)))
}

/// Returns texts that represent all paths of a pattern: if another pattern matches these texts, it matches all the
/// paths. `unused` is an octet that neither pattern contains. It replaces the wildcards and the rest of the path.
pub(crate) fn representatives(pattern: &ComparablePattern, unused: u8) -> Vec<Vec<u8>> {
    let text = own(pattern, unused, Some(unused));
    let after_wildcards = text.iter().position(|octet| *octet != unused).and_then(|first| text.get(first..));
    match after_wildcards.unwrap_or_default() {
        rest if rest.len() == text.len() => vec![text],
        // A path begins with a slash. A leading wildcard must match this slash, unless a slash follows the wildcard.
        rest if rest.starts_with(b"/") => vec![rest.to_vec(), [b"/", text.as_slice()].concat()],
        _ => vec![[b"/", text.as_slice()].concat()],
    }
}

/// Returns a letter that no pattern contains or, if there is no such letter, the letter that occurs least often.
fn unused(patterns: &[ApplicablePattern]) -> u8 {
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

/// Returns the text of a pattern with a letter in place of each wildcard, and a letter at the end if the pattern is not
/// anchored.
fn own(pattern: &ComparablePattern, unused: u8, tail: Option<u8>) -> Vec<u8> {
    let mut text = pattern.pieces().collect::<Vec<_>>().join(&unused);
    text.extend(tail.filter(|_| !pattern.is_anchored()));
    text
}

/// Returns a text that both patterns match, or `None` if no simple text is found.
fn overlap(one: &ComparablePattern, other: &ComparablePattern, unused: u8) -> Option<Vec<u8>> {
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
        text.push(unused);
        text.extend_from_slice(middle);
    }
    text.push(unused);
    text.extend_from_slice(if end.len() >= last.len() { end } else { last });
    Some(text)
}

/// Returns a text in comparable form as the path of a URL.
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
