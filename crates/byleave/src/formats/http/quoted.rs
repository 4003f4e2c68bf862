//! Splits a field value at separators outside quoted strings (RFC 9110, 5.6.4).

/// Returns the pieces of a text between separators. Separators inside quoted strings are ignored.
///
/// Cost: O(text).
pub(super) fn split_outside_quotes(text: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |byte| {
        let is_end = *byte == separator && !is_quoted;
        is_quoted ^= *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && is_quoted && !is_escaped;
        is_end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_in_quoted_strings_separate_nothing() {
        let pieces = |text: &'static str| split_outside_quotes(text.as_bytes(), b',').collect::<Vec<_>>();
        assert_eq!(pieces("a,b=\"c, \\\"d,\", e"), [&b"a"[..], b"b=\"c, \\\"d,\"", b" e"]);
        assert_eq!(pieces("a\\\",b,\",c"), [&b"a\\\",b,\""[..], b"c"]);
        assert_eq!(pieces(""), [b""]);
        assert_eq!(pieces("\"a,b"), [b"\"a,b"]);
    }
}
