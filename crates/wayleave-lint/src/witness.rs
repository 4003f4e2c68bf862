//! Paths that stand for patterns: what matches such a path matches all that its pattern does.
//!
//! A pattern contains another exactly if it matches the other's own text with its wildcards taken for a character
//! that no pattern of the file has. So who decides for that one path decides wherever the pattern matches and
//! nothing narrower does, and a rule that does not decide there never decides.

use wayleave::syntax::Tree;

/// A character that no value of a file has, written or escaped; nothing where there is none left.
///
/// Cost: one pass over the values.
pub(crate) fn stranger(tree: &Tree<'_>) -> Option<u8> {
    let mut is_used = [false; 256];
    let mut mark = |byte: u8| {
        if let Some(used) = is_used.get_mut(usize::from(byte)) {
            *used = true;
        }
    };
    for line in tree.lines() {
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
    // Characters that a URL holds as they are, the rarest in patterns first; no letter of an escape.
    let candidates = b"~!'@,;()[]+jqxzkvywughlmnoprsti";
    candidates.iter().copied().find(|byte| is_used.get(usize::from(*byte)) == Some(&false))
}

/// The paths that stand for a pattern: one, and a second where it begins with `*/`, which may match nothing.
///
/// Cost: O(pattern).
pub(crate) fn witnesses(pattern: &[u8], stranger: u8) -> Vec<String> {
    let (body, tail) = match pattern.strip_suffix(b"$") {
        Some(body) => (body, None),
        None => (pattern, Some(stranger)),
    };
    let mut paths = Vec::new();
    match body.strip_prefix(b"*") {
        Some(rest) => {
            paths.push(path(b"/*", rest, tail, stranger));
            if rest.starts_with(b"/") {
                paths.push(path(b"", rest, tail, stranger));
            }
        }
        None => paths.push(path(b"", body, tail, stranger)),
    }
    paths
}

fn path(before: &[u8], body: &[u8], tail: Option<u8>, stranger: u8) -> String {
    let mut path = String::with_capacity(body.len() + 3);
    for byte in before.iter().chain(body).copied().chain(tail) {
        match byte {
            b'*' => path.push(char::from(stranger)),
            byte if byte.is_ascii() => path.push(char::from(byte)),
            byte => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayleave::{Reading, tree};

    #[test]
    fn a_stranger_is_in_no_value_in_either_case_or_as_an_escape() {
        let of = |text: &str| stranger(&tree(text.as_bytes(), Reading::Default));
        assert_eq!(of("Disallow: /a"), Some(b'~'));
        assert_eq!(of("Disallow: /%7Euser!"), Some(b'\''));
        assert_eq!(of("Disallow: /~!'@,;()[]+J # x"), Some(b'q'));
    }

    #[test]
    fn a_witness_is_matched_by_what_contains_its_pattern() {
        assert_eq!(witnesses(b"/a*b", b'~'), ["/a~b~"]);
        assert_eq!(witnesses(b"/a$", b'~'), ["/a"]);
        assert_eq!(witnesses(b"*.gif$", b'~'), ["/~.gif"]);
        assert_eq!(witnesses(b"*/x", b'~'), ["/~/x~", "/x~"]);
        assert_eq!(witnesses(b"/\xc3\xa9", b'~'), ["/%C3%A9~"]);
    }
}
