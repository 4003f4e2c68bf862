//! Patterns for paths and purposes: what they match (S-19), and which of two is narrower (S-06).
//!
//! Here, a pattern is a normalized text. Only `*` (a wildcard) and a final `$` (the end of the path) are special.

use super::text::re;
use crate::naive::{comparable, path_of};
use byleave::Reading;
use std::collections::BTreeSet;

/// Returns a pattern from an ACAP field or resource set, with a leading slash. Returns `None` if the text is empty or a
/// URI.
pub fn s19_acap_pattern(written: &[u8]) -> Option<String> {
    let has_scheme = re(SCHEME).is_match(&String::from_utf8_lossy(written));
    match written.first() {
        _ if has_scheme => None,
        None => None,
        Some(b'/' | b'*') => Some(s19_pattern(written)),
        Some(_) => Some(s19_pattern(&[b"/", written].concat())),
    }
}

const SCHEME: &str = "^[a-z][a-z0-9+.-]*:";

/// Returns a written pattern, normalized and in lower case.
pub fn s19_pattern(written: &[u8]) -> String {
    let (body, end) = written.strip_suffix(b"$").map_or((written, ""), |body| (body, "$"));
    let pieces = body.split(|octet| *octet == b'*').map(|piece| literal(&comparable(piece, Reading::Default)));
    pieces.collect::<Vec<String>>().join("*") + end
}

/// Returns the path and query of a URL, normalized and in lower case.
pub fn s19_path(url: &str) -> String {
    literal(&path_of(url, Reading::Default))
}

fn literal(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).replace('*', "%2A").replace('$', "%24").to_ascii_lowercase()
}

/// Returns whether a crawler's purpose matches a written purpose, ignoring case. Names must be equal. A written URI
/// matches every URI that begins with it.
pub fn s19_meets(written: &str, purpose: &str) -> bool {
    let is_prefix = re(SCHEME).is_match(written) || written.ends_with('$');
    let pattern = format!("{written}{}", if is_prefix { "" } else { "$" }).to_ascii_lowercase();
    !written.is_empty() && s19_matches(&pattern, &purpose.to_ascii_lowercase())
}

pub fn s19_matches(pattern: &str, path: &str) -> bool {
    let pattern = with_end(pattern);
    path.chars().fold(rests(&pattern).collect(), |rests, letter| after(&rests, letter)).contains("")
}

/// Returns whether the first of two different patterns is narrower. The first difference from left to right decides.
/// But a pattern that matches every path of the other is not narrower.
pub fn s06_is_narrower(pattern: &str, other: &str) -> bool {
    let mut both = pattern.chars().zip(other.chars());
    let is_called_narrower = match both.find(|(one, two)| one != two) {
        // One pattern has ended, so the other is narrower.
        None => pattern.len() > other.len(),
        Some(('$', _)) => false,
        Some((_, '$')) => true,
        Some(('*', _)) => false,
        Some((_, '*')) => true,
        // If the first difference is between two ordinary characters, neither pattern is narrower.
        Some(_) => false,
    };
    is_called_narrower && !s06_contains(pattern, other)
}

/// Returns whether every path that begins with `/` and matches `inner` also matches `outer`. Follows both patterns
/// letter by letter, and visits every reachable pair of remainders.
fn s06_contains(outer: &str, inner: &str) -> bool {
    let (outer, inner) = (with_end(outer), with_end(inner));
    // NUL represents all letters that occur in neither pattern.
    let letters: BTreeSet<char> = outer.chars().chain(inner.chars()).chain(['/', '\0']).filter(|l| *l != '*').collect();
    let mut waiting = vec![(after(&rests(&outer).collect(), '/'), after(&rests(&inner).collect(), '/'))];
    let mut seen = BTreeSet::new();
    while let Some((wide, narrow)) = waiting.pop() {
        if narrow.contains("") && !wide.contains("") {
            return false;
        }
        if seen.insert((wide.clone(), narrow.clone())) {
            waiting.extend(letters.iter().map(|letter| (after(&wide, *letter), after(&narrow, *letter))));
        }
    }
    true
}

/// Returns the pattern in a form that must match the whole path: removes a final `$`, or adds `*` if there is none.
fn with_end(pattern: &str) -> String {
    pattern.strip_suffix('$').map_or(format!("{pattern}*"), str::to_owned)
}

/// Returns the possible remainders of a pattern before the next letter. A leading `*` may be skipped, because it can
/// match nothing.
fn rests(pattern: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pattern), |rest| rest.strip_prefix('*'))
}

/// Returns the possible remainders after one more letter.
fn after<'p>(left: &BTreeSet<&'p str>, letter: char) -> BTreeSet<&'p str> {
    let next =
        left.iter().filter_map(|rest| if rest.starts_with('*') { Some(*rest) } else { rest.strip_prefix(letter) });
    next.flat_map(rests).collect()
}
