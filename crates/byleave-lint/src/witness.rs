//! Witness paths: a pattern that matches the witness of another pattern matches everything that the other matches.
//!
//! A pattern contains another exactly if it matches the other's text with each wildcard replaced by a character that no
//! pattern of the file uses. So the rule that decides for the witness decides wherever the pattern matches and no
//! narrower pattern does, and a rule that does not decide for its own witness never decides.

use byleave::analysis::robots_txt::Tree;

/// Returns a character that no value of these files uses, raw or escaped, or `None` if there is none.
///
/// Cost: one pass over the values.
pub(crate) fn unused_byte(trees: &[Tree<'_>]) -> Option<u8> {
    let mut is_used = [false; 256];
    let mut mark = |byte: u8| {
        if let Some(used) = is_used.get_mut(usize::from(byte)) {
            *used = true;
        }
    };
    for (tree, line) in trees.iter().flat_map(|tree| tree.lines().iter().map(move |line| (tree, line))) {
        let value = tree.text().get(line.value.0..line.value.1).unwrap_or_default();
        for (at, byte) in value.iter().enumerate() {
            mark(byte.to_ascii_lowercase());
            if *byte == b'%'
                && let Some(digits) = value.get(at + 1..at + 3)
                && let Some(octet) = std::str::from_utf8(digits).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok())
            {
                mark(octet.to_ascii_lowercase());
            }
        }
    }
    // Characters that URLs contain unescaped, the rarest in patterns first; no hexadecimal letter.
    let candidates = b"~!'@,;()[]+jqxzkvywughlmnoprsti";
    candidates.iter().copied().find(|byte| is_used.get(usize::from(*byte)) == Some(&false))
}

/// Returns the witness paths of a pattern: one, and a second if it begins with `*/`, because the `*` may be empty.
///
/// Cost: O(pattern).
pub(crate) fn witnesses(pattern: &[u8], unused_byte: u8) -> Vec<String> {
    let (body, tail) = match pattern.strip_suffix(b"$") {
        Some(body) => (body, None),
        None => (pattern, Some(unused_byte)),
    };
    let mut paths = Vec::new();
    match body.strip_prefix(b"*") {
        Some(rest) => {
            paths.push(path(b"/*", rest, tail, unused_byte));
            if rest.starts_with(b"/") {
                paths.push(path(b"", rest, tail, unused_byte));
            }
        }
        None => paths.push(path(b"", body, tail, unused_byte)),
    }
    paths
}

/// Returns paths to test a pattern with: its witnesses, paths at its boundaries, and other spellings.
///
/// Cost: O(pattern).
pub(crate) fn probe_paths(pattern: &[u8], unused_byte: u8) -> Vec<String> {
    let mut paths = witnesses(pattern, unused_byte);
    let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let without_stars: Vec<u8> = body.iter().copied().filter(|byte| *byte != b'*').collect();
    paths.push(path(b"", body, Some(unused_byte), unused_byte));
    paths.push(path(b"", &without_stars, None, unused_byte));
    if let Some(at) = body.windows(9).position(|nine| nine == b"index.htm") {
        paths.push(path(b"", body.get(..at).unwrap_or_default(), None, unused_byte));
    }
    if body.contains(&b'%') || body.iter().any(|byte| must_be_escaped(*byte)) {
        paths.push(path(b"", &decoded(body), Some(unused_byte), unused_byte));
        paths.push(path(b"", &escaped(body), Some(unused_byte), unused_byte));
    }
    for path in &mut paths {
        if !path.starts_with('/') {
            path.insert(0, '/');
        }
    }
    paths
}

/// Returns a path that both patterns match, if a simple one can be built.
///
/// Cost: O(both).
pub(crate) fn common_path(one: &[u8], other: &[u8], unused_byte: u8) -> Option<String> {
    let cut = |pattern: &[u8]| {
        let (body, is_open) = match pattern.strip_suffix(b"$") {
            Some(body) => (body.to_vec(), false),
            None => (pattern.to_vec(), true),
        };
        let mut parts: Vec<Vec<u8>> = body.split(|byte| *byte == b'*').map(<[u8]>::to_vec).collect();
        if is_open {
            parts.push(Vec::new());
        }
        parts
    };
    let (one, other) = (cut(one), cut(other));
    let (first, second) = (one.first()?, other.first()?);
    let (longer, shorter) = if first.len() >= second.len() { (first, second) } else { (second, first) };
    // Different beginnings never match the same path. A pattern without wildcards that ends in `$` matches only itself.
    if !longer.starts_with(shorter) || one.len() < 2 || other.len() < 2 {
        return None;
    }
    let mut text = longer.clone();
    let ends = [one.last()?, other.last()?];
    let middles = [&one, &other].into_iter().flat_map(|parts| parts.iter().skip(1).take(parts.len() - 2));
    for middle in middles.filter(|middle| !middle.is_empty()) {
        text.push(unused_byte);
        text.extend_from_slice(middle);
    }
    text.push(unused_byte);
    let end = if ends[0].len() >= ends[1].len() { ends[0] } else { ends[1] };
    text.extend_from_slice(end);
    let path = path(b"", &text, None, unused_byte);
    Some(if path.starts_with('/') { path } else { format!("/{path}") })
}

/// Returns the pattern with needless escapes decoded.
pub(crate) fn decoded(pattern: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some((byte, after)) = rest.split_first() {
        let letter = rest.get(..3).and_then(unreserved_character);
        decoded.push(letter.unwrap_or(*byte));
        rest = if letter.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    decoded
}

/// Returns the unreserved character that an escape encodes (RFC 3986, section 2.3).
pub(crate) fn unreserved_character(escape: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(escape.strip_prefix(b"%")?).ok()?;
    let octet = u8::from_str_radix(digits, 16).ok()?;
    (octet.is_ascii_alphanumeric() || b"-._~".contains(&octet)).then_some(octet)
}

/// Returns the pattern with those characters escaped that a URL cannot contain raw.
pub(crate) fn escaped(pattern: &[u8]) -> Vec<u8> {
    let escape = |byte: &u8| if must_be_escaped(*byte) { format!("%{byte:02X}").into_bytes() } else { vec![*byte] };
    pattern.iter().flat_map(escape).collect()
}

/// Returns whether a URL can contain this character only escaped (RFC 3986, section 2).
pub(crate) fn must_be_escaped(byte: u8) -> bool {
    matches!(byte, b' ' | b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}

fn path(before: &[u8], body: &[u8], tail: Option<u8>, unused_byte: u8) -> String {
    let mut path = String::with_capacity(body.len() + 3);
    for byte in before.iter().chain(body).copied().chain(tail) {
        match byte {
            b'*' => path.push(char::from(unused_byte)),
            byte if byte.is_ascii() => path.push(char::from(byte)),
            byte => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use byleave::Reading;
    use byleave::analysis::tree;

    #[test]
    fn an_unused_byte_is_in_no_value_in_either_case_or_as_an_escape() {
        let of = |text: &str| unused_byte(&[tree(text.as_bytes(), Reading::Default)]);
        assert_eq!(of("Disallow: /a"), Some(b'~'));
        assert_eq!(of("Disallow: /%7Euser!"), Some(b'\''));
        assert_eq!(of("Disallow: /~!'@,;()[]+J # x"), Some(b'q'));
    }

    #[test]
    fn witnesses_replace_wildcards() {
        assert_eq!(witnesses(b"/a*b", b'~'), ["/a~b~"]);
        assert_eq!(witnesses(b"/a$", b'~'), ["/a"]);
        assert_eq!(witnesses(b"*.gif$", b'~'), ["/~.gif"]);
        assert_eq!(witnesses(b"*/x", b'~'), ["/~/x~", "/x~"]);
        assert_eq!(witnesses(b"/\xc3\xa9", b'~'), ["/%C3%A9~"]);
    }

    #[test]
    fn a_common_path_is_matched_by_both_patterns() {
        let meet = |one: &str, other: &str| common_path(one.as_bytes(), other.as_bytes(), b'~');
        assert_eq!(meet("/a", "/*b$").as_deref(), Some("/a~b"));
        assert_eq!(meet("/ab*c", "/a*d").as_deref(), Some("/ab~c~d~"));
        assert_eq!(meet("/a", "/abc").as_deref(), Some("/abc~"));
        assert_eq!(meet("/a", "/b"), None);
        assert_eq!(meet("/a$", "/a"), None);
    }
}
