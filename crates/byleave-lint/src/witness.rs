//! Witness paths: if a pattern matches the witness of another pattern, it matches everything that the other pattern
//! matches.
//!
//! The witness of a pattern is its text, with each wildcard replaced by a character that no pattern in the file uses.
//! Without a final `$`, the end counts as a wildcard too: the witness of `/a*b` is `/a~b~`. So the rule that decides
//! for the witness decides for every path that the pattern matches, unless a narrower pattern matches too. A rule that
//! does not decide for its own witness never decides.

use byleave::analysis::robots_txt::Tree;

/// Returns a character that no value in these files contains, raw or escaped, or `None` if there is no such character.
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
    // Characters that need no escape in a URL and do not occur in escapes. The rarest in patterns come first.
    let candidates = b"~!'@,;()[]+jqxzkvywughlmnoprsti";
    candidates.iter().copied().find(|byte| is_used.get(usize::from(*byte)) == Some(&false))
}

/// Returns the witness paths of a pattern. There is a second path if the pattern begins with `*/`, because `*` may
/// match the empty string.
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

/// Returns the pattern with needless escapes decoded, such as `%7E` for `~`.
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

/// Returns the pattern with all characters escaped that a URL can contain only in escaped form.
pub(crate) fn escaped(pattern: &[u8]) -> Vec<u8> {
    let escape = |byte: &u8| if must_be_escaped(*byte) { format!("%{byte:02X}").into_bytes() } else { vec![*byte] };
    pattern.iter().flat_map(escape).collect()
}

/// Returns whether a URL can contain this character only in escaped form (RFC 3986, section 2).
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
}
