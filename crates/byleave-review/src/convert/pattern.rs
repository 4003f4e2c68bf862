//! Path patterns as text: simplifies and escapes patterns, and finds patterns for the overlap of two patterns.
//!
//! The engine decides what a pattern matches. This module only writes patterns.

/// Returns the pattern without redundant stars, such as the star in `/a*` or one of the two stars in `/a**b`.
pub(crate) fn tidied(pattern: &[u8]) -> Vec<u8> {
    let (body, end) = match pattern.strip_suffix(b"$") {
        Some(body) => (body, &b"$"[..]),
        None => (pattern, &b""[..]),
    };
    let mut tidied: Vec<u8> = Vec::with_capacity(pattern.len());
    for byte in body {
        if *byte != b'*' || tidied.last() != Some(&b'*') {
            tidied.push(*byte);
        }
    }
    if end.is_empty() {
        while tidied.last() == Some(&b'*') {
            tidied.pop();
        }
        if tidied.is_empty() {
            tidied.push(b'/');
        }
    }
    tidied.extend_from_slice(end);
    tidied
}

/// Returns the pattern with its blanks escaped, for fields whose value may contain several words.
pub(crate) fn without_blanks(pattern: &[u8]) -> Vec<u8> {
    let mut written = Vec::with_capacity(pattern.len());
    for byte in pattern {
        match byte {
            b' ' => written.extend_from_slice(b"%20"),
            b'\t' => written.extend_from_slice(b"%09"),
            _ => written.push(*byte),
        }
    }
    written
}

/// A pattern, split at its stars.
struct Parts<'p> {
    first: &'p [u8],
    /// The pieces that follow stars, except the end of an anchored pattern.
    middles: Vec<&'p [u8]>,
    /// The end of an anchored pattern.
    end: Option<&'p [u8]>,
    is_literal: bool,
}

impl<'p> Parts<'p> {
    fn of(pattern: &'p [u8]) -> Self {
        let (body, is_anchored) = match pattern.strip_suffix(b"$") {
            Some(body) => (body, true),
            None => (pattern, false),
        };
        let mut parts = body.split(|byte| *byte == b'*');
        let first = parts.next().unwrap_or_default();
        let mut middles: Vec<&[u8]> = parts.collect();
        let is_literal = is_anchored && middles.is_empty();
        let end = if is_anchored { middles.pop() } else { None };
        middles.retain(|middle| !middle.is_empty());
        Self { first, middles, end, is_literal }
    }
}

/// Returns simple patterns for the overlap of two patterns, such as `/docs/*.pdf$` for `/docs/` and `/*.pdf$`. Both
/// patterns match every path that a returned pattern matches. The result is empty if there is no simple pattern.
///
/// Cost: linear in both patterns.
pub(crate) fn meets(one: &[u8], other: &[u8]) -> Vec<Vec<u8>> {
    let (a, b) = (Parts::of(one), Parts::of(other));
    // An anchored pattern without stars matches a single path, which is compared anyway.
    if a.is_literal || b.is_literal {
        return Vec::new();
    }
    // A leading star may match the initial slash.
    let begin = |parts: &Parts<'_>| if parts.first.is_empty() { b"/".to_vec() } else { parts.first.to_vec() };
    let (first, second) = (begin(&a), begin(&b));
    let (longer, shorter) = if first.len() >= second.len() { (&first, &second) } else { (&second, &first) };
    if !longer.starts_with(shorter) {
        return Vec::new();
    }
    let end = match (a.end, b.end) {
        (Some(one), Some(other)) => {
            let (longer, shorter) = if one.len() >= other.len() { (one, other) } else { (other, one) };
            if !longer.ends_with(shorter) {
                return Vec::new();
            }
            Some(longer)
        }
        (one, other) => one.or(other),
    };
    let joined = |before: &Parts<'_>, after: &Parts<'_>| {
        let mut pattern = longer.clone();
        for middle in before.middles.iter().chain(&after.middles) {
            pattern.push(b'*');
            pattern.extend_from_slice(middle);
        }
        if let Some(end) = end {
            pattern.push(b'*');
            pattern.extend_from_slice(end);
            pattern.push(b'$');
        }
        pattern
    };
    let mut met = vec![joined(&a, &b)];
    if !a.middles.is_empty() && !b.middles.is_empty() {
        met.push(joined(&b, &a));
    }
    met
}

/// Returns the pattern with the case of its letters swapped, starting at the octet `from`. Escapes do not change.
pub(crate) fn recased(pattern: &[u8], from: usize) -> Vec<u8> {
    let mut digits = 0;
    let recase = |(at, byte): (usize, &u8)| {
        if *byte == b'%' {
            digits = 3;
        }
        let is_escape = digits > 0;
        digits = usize::saturating_sub(digits, 1);
        match byte {
            _ if at < from || is_escape => *byte,
            b'a'..=b'z' => byte.to_ascii_uppercase(),
            b'A'..=b'Z' => byte.to_ascii_lowercase(),
            _ => *byte,
        }
    };
    pattern.iter().enumerate().map(recase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_that_change_nothing_go() {
        for (pattern, expected) in [
            ("/a*", "/a"),
            ("/a**b*", "/a*b"),
            ("/*", "/"),
            ("*", "/"),
            ("/a*$", "/a*$"),
            ("*.gif$", "*.gif$"),
            ("/a", "/a"),
        ] {
            assert_eq!(tidied(pattern.as_bytes()), expected.as_bytes(), "{pattern}");
        }
    }

    #[test]
    fn patterns_meet_in_patterns() {
        let meets = |one: &str, other: &str| -> Vec<String> {
            let met = super::meets(one.as_bytes(), other.as_bytes());
            met.into_iter().map(|pattern| String::from_utf8_lossy(&pattern).into_owned()).collect()
        };
        assert_eq!(meets("/docs/", "/*.pdf$"), ["/docs/*.pdf$"]);
        assert_eq!(meets("/docs/", "*.pdf"), ["/docs/*.pdf"]);
        assert_eq!(meets("/*.gif", "/*private"), ["/*.gif*private", "/*private*.gif"]);
        assert_eq!(meets("/a", "/b*c"), Vec::<String>::new());
        assert_eq!(meets("/a*.gif$", "/*.png$"), Vec::<String>::new());
        assert_eq!(meets("/a$", "/*a"), Vec::<String>::new());
    }

    #[test]
    fn escapes_keep_their_digits() {
        assert_eq!(recased(b"/aB%c3%a9x", 0), b"/Ab%c3%a9X");
        assert_eq!(recased(b"/aB", 2), b"/ab");
    }
}
