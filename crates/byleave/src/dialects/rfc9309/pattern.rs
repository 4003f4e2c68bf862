//! Path patterns: their comparable form, and matching (S-18, S-19).
//!
//! A pattern is literal text in which `*` matches any octets, and a final `$` matches the end. The same octet can be
//! written in several ways, such as `b` and `%62`. So patterns and paths are first rewritten into one comparable form,
//! and then compared octet by octet.

use crate::base::scan::{Lanes, WIDTH};
use crate::model::reading::Escapes;

/// The wildcard in a rewritten pattern. There, a `*` is an ordinary octet, which the publisher wrote as `%2A`. No
/// comparable path contains the byte 0xFF, because octets outside ASCII are escaped.
pub(crate) const WILDCARD: u8 = 0xFF;

/// Whether a pattern must match up to the end of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// No, anything may follow the match.
    Open,
    /// Yes, because the pattern ends in `$`.
    Anchored,
}

/// Whether `path` matches the pattern whose wildcard is the byte `wildcard`.
///
/// The naive algorithm tries every way to split the path between wildcards. It is enough to take the leftmost position
/// for each literal piece, because a later position leaves less of the path for the pieces that follow.
///
/// Cost: O(pattern + path).
#[inline]
pub(crate) fn matches(pattern: &[u8], wildcard: u8, end: End, path: &[u8]) -> bool {
    matches_with(pattern, wildcard, end, path, |piece, from| find(piece, path, from))
}

/// Like [`matches`], with a `find` function that returns the first position of a piece at or after an offset.
#[inline(always)]
pub(crate) fn matches_with(
    pattern: &[u8],
    wildcard: u8,
    end: End,
    path: &[u8],
    find: impl Fn(&[u8], usize) -> Option<usize>,
) -> bool {
    // Most wildcards are the first octet, or directly after the initial `/`.
    let first_star = match *pattern {
        [first, ..] if first == wildcard => Some(0),
        [_, second, ..] if second == wildcard => Some(1),
        _ => memchr::memchr(wildcard, pattern),
    };
    let Some(first_star) = first_star else {
        return match end {
            End::Open => starts_with(path, pattern),
            End::Anchored => path == pattern,
        };
    };
    let (prefix, pieces) = pattern.split_at(first_star);
    if !starts_with(path, prefix) {
        return false;
    }
    let mut at = prefix.len();
    let mut pieces = pieces.get(1..).unwrap_or_default();
    // Pieces are short, so a plain loop is faster here than a search function.
    while let Some(star) = pieces.iter().position(|byte| *byte == wildcard) {
        let (piece, after) = pieces.split_at(star);
        let Some(found) = find(piece, at) else { return false };
        at = found + piece.len();
        pieces = after.get(1..).unwrap_or_default();
    }
    match end {
        End::Open => find(pieces, at).is_some(),
        End::Anchored => path.get(at..).is_some_and(|rest| rest.ends_with(pieces)),
    }
}

/// Whether `path` begins with `literal`. Most literals are short, so comparing their first and last eight octets as
/// numbers is faster than calling a memory comparison function.
#[inline(always)]
pub(crate) fn starts_with(path: &[u8], literal: &[u8]) -> bool {
    let length = literal.len();
    if length > 16 {
        return path.starts_with(literal);
    }
    match (literal.first_chunk::<8>(), literal.last_chunk::<8>(), path.get(..length)) {
        (Some(first), Some(last), Some(start)) => {
            start.first_chunk::<8>() == Some(first) && start.last_chunk::<8>() == Some(last)
        }
        (None, _, Some(start)) => start.iter().zip(literal).all(|(a, b)| a == b),
        _ => false,
    }
}

/// Returns the first position of a piece in `path` at or after `from`.
#[inline]
pub(crate) fn find(piece: &[u8], path: &[u8], from: usize) -> Option<usize> {
    match *piece {
        [] => Some(from),
        [byte] if path.get(from) == Some(&byte) => Some(from),
        [byte] => memchr::memchr(byte, path.get(from..)?).map(|found| from + found),
        [first, ..] => {
            // Setting up a substring search costs more than most searches, so a few positions are tried first.
            let mut from = from;
            for _ in 0..MAX_TRIES {
                let found = from + memchr::memchr(first, path.get(from..)?)?;
                if starts_with(path.get(found..)?, piece) {
                    return Some(found);
                }
                from = found + 1;
            }
            memchr::memmem::find(path.get(from..)?, piece).map(|found| from + found)
        }
    }
}

/// How many positions of a piece's first octet are tried before a substring search is set up.
const MAX_TRIES: usize = 4;

/// The result of one pass over a pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    /// Whether the pattern differs from its comparable form, apart from wildcards.
    pub(crate) is_rewritten: bool,
    /// The number of octets before the first wildcard.
    pub(crate) literal: usize,
}

/// Scans the pattern `text[start..end]`.
///
/// Cost: O(pattern).
#[inline]
pub(crate) fn scan(text: &[u8], start: usize, end: usize, escapes: Escapes) -> Scan {
    let (mut strangers, mut literal) = (0, end - start);
    for at in (start..end).step_by(WIDTH) {
        let lanes = Lanes::load(text, at);
        // Octets after the pattern are loaded too, and are masked out here.
        let within = u32::MAX >> (32 - (end - at).min(WIDTH));
        strangers |= lanes.strangers() & within;
        let stars = lanes.stars() & within;
        if stars != 0 {
            literal = literal.min(at - start + stars.trailing_zeros() as usize);
        }
    }
    let is_rewritten = match escapes {
        Escapes::Full | Escapes::FullReserved => strangers != 0,
        Escapes::PatternOnly => {
            text.get(start..end).unwrap_or_default().iter().any(|byte| *byte == b'%' || !byte.is_ascii())
        }
    };
    Scan { is_rewritten, literal }
}

/// Which side of the comparison is being rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// A pattern, in which `*` becomes [`WILDCARD`].
    Pattern,
    /// A URL's path and query.
    Path,
}

/// Whether [`rewrite`] can change this octet in a path, if the reading has full escapes.
#[inline(always)]
pub(crate) fn needs_rewriting(byte: u8) -> bool {
    class(byte) == 0
}

/// Calls `push` with each octet in the comparable form of `text`.
///
/// Cost: O(text).
pub(crate) fn rewrite(text: &[u8], side: Side, escapes: Escapes, push: &mut (impl FnMut(u8) + ?Sized)) {
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%'
            && let Some(octet) = escaped_octet(after)
        {
            rest = after.get(2..).unwrap_or_default();
            if is_decoded(octet, escapes) {
                push(octet);
            } else {
                push_escape(octet, push);
            }
            continue;
        }
        let is_kept = match escapes {
            Escapes::Full | Escapes::FullReserved => is_unreserved(byte) || is_reserved(byte),
            Escapes::PatternOnly => byte.is_ascii(),
        };
        if byte == b'*' && side == Side::Pattern {
            push(WILDCARD);
        } else if is_kept {
            push(byte);
        } else {
            push_escape(byte, push);
        }
    }
}

/// Whether an escaped octet is compared as the octet itself, such as `%62` as `b`.
fn is_decoded(octet: u8, escapes: Escapes) -> bool {
    match escapes {
        // `%2A` and `%24` are the only way to write a literal `*` and final `$` (RFC 9309 2.2.3).
        Escapes::Full => is_unreserved(octet) || matches!(octet, b'*' | b'$'),
        Escapes::FullReserved => is_unreserved(octet) || is_reserved(octet),
        Escapes::PatternOnly => false,
    }
}

/// Returns the octet whose two hexadecimal digits follow a `%`, or `None` if they are not hexadecimal digits.
pub(crate) fn escaped_octet(after_percent: &[u8]) -> Option<u8> {
    let [high, low, ..] = *after_percent else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

fn push_escape(octet: u8, push: &mut (impl FnMut(u8) + ?Sized)) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    push(b'%');
    for nibble in [octet >> 4, octet & 15] {
        push(DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'0'));
    }
}

fn is_unreserved(byte: u8) -> bool {
    class(byte) & UNRESERVED != 0
}

fn is_reserved(byte: u8) -> bool {
    class(byte) & RESERVED != 0
}

#[inline(always)]
fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(0)
}

/// The unreserved characters (RFC 3986 2.3).
const UNRESERVED: u8 = 1;
/// The reserved characters (RFC 3986 2.2).
const RESERVED: u8 = 2;
/// The class of each octet.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time: an index out of bounds would not compile")]
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => UNRESERVED,
            b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+'
            | b',' | b';' | b'=' => RESERVED,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str, side: Side, escapes: Escapes) -> String {
        let mut bytes = Vec::new();
        rewrite(text.as_bytes(), side, escapes, &mut |byte| bytes.push(byte));
        bytes.iter().map(|&byte| char::from(byte)).collect()
    }

    #[test]
    fn s18_both_sides_get_one_form() {
        let full = |text| rewritten(text, Side::Path, Escapes::Full);
        assert_eq!(full("/%62%61z"), "/baz");
        assert_eq!(full("/%e3%83%84"), "/%E3%83%84");
        assert_eq!(full("/ツ"), "/%E3%83%84");
        assert_eq!(full("/a%3db=c"), "/a%3Db=c");
        assert_eq!(full("/a%2Ab%24"), "/a*b$");
        assert_eq!(full("/%zz%"), "/%25zz%25");
        assert_eq!(full("/a b|"), "/a%20b%7C");
        assert_eq!(rewritten("/*%2a", Side::Pattern, Escapes::Full), "/\u{FF}*");
        assert_eq!(rewritten("/%2f%3D?%25", Side::Path, Escapes::FullReserved), "//=?%25");
        assert_eq!(rewritten("/%2f%62ツ ", Side::Pattern, Escapes::PatternOnly), "/%2F%62%E3%83%84 ");
    }

    #[test]
    fn a_literal_is_compared_octet_by_octet_however_long() {
        let path: Vec<u8> = (b'0'..b'Z').collect();
        for length in 0..path.len() {
            let literal = path.get(..length).unwrap_or_default();
            assert!(starts_with(&path, literal) && starts_with(literal, literal), "{length}");
            assert!(length == 0 || !starts_with(literal.get(1..).unwrap_or_default(), literal), "{length}");
            for at in 0..length {
                let mut other = literal.to_vec();
                other.iter_mut().skip(at).take(1).for_each(|octet| *octet = b'z');
                assert!(!starts_with(&path, &other), "{length}, octet {at}");
            }
        }
    }

    #[test]
    fn s19_pieces_are_taken_leftmost() {
        let open = |pattern: &str, path: &str| matches(pattern.as_bytes(), b'*', End::Open, path.as_bytes());
        let anchored = |pattern: &str, path: &str| matches(pattern.as_bytes(), b'*', End::Anchored, path.as_bytes());
        assert!(open("/fish", "/fishheads") && !open("/fish", "/Fish"));
        assert!(open("/*.php", "/a/b.php5") && !anchored("/*.php", "/a/b.php5"));
        assert!(anchored("/*.php", "/a.php/b.php") && anchored("/a*", "/abc") && anchored("/a**b", "/ab"));
        assert!(open("*a*a", "/aa") && !open("*a*a*a", "/aa"));
        assert!(!anchored("/ab*b", "/ab") && anchored("/", "/") && !anchored("/", "/a"));
    }
}
