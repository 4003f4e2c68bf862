//! Decodes the chunked body of a stored response (RFC 9112, 7.1).
//!
//! Most tools decode the chunks but keep the header field, so the field alone does not show that a body is chunked.

use super::Headers;

/// A decoded body.
pub(super) struct DecodedBody {
    /// The content of the chunks. From the first malformed chunk on, the bytes are unchanged.
    pub(super) content: Vec<u8>,
    /// Whether all chunks, including the last, are well-formed.
    pub(super) is_whole: bool,
}

/// Returns whether a body is chunked: a header field must say so, and the body must begin with a chunk size.
pub(super) fn is_chunked(headers: &Headers, body: &[u8]) -> bool {
    let is_named = |value: &[u8]| {
        value.split(|byte| *byte == b',').any(|coding| coding.trim_ascii().eq_ignore_ascii_case(b"chunked"))
    };
    headers.named("transfer-encoding").any(|line| is_named(line.value)) && chunk_size(body).is_some()
}

/// Decodes the chunks. Trailer fields after the last chunk are dropped.
///
/// Cost: O(bytes of the body).
pub(super) fn decode(mut rest: &[u8]) -> DecodedBody {
    let mut content = Vec::with_capacity(rest.len());
    while let Some((size, data)) = chunk_size(rest) {
        if size == 0 {
            let is_whole = data.split(|byte| *byte == b'\n').all(is_field_or_blank);
            content.extend_from_slice(if is_whole { &[] } else { data });
            return DecodedBody { content, is_whole };
        }
        let (chunk, after) = data.split_at_checked(size).unwrap_or((data, &[]));
        content.extend_from_slice(chunk);
        rest = after;
        match after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")) {
            Some(next) => rest = next,
            None => break,
        }
    }
    content.extend_from_slice(rest);
    DecodedBody { content, is_whole: false }
}

fn is_field_or_blank(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().and_then(|name| std::str::from_utf8(name).ok());
    line.trim_ascii().is_empty() || line.contains(&b':') && name.is_some_and(Headers::is_name)
}

/// Returns the chunk size in the first line, which may contain an extension, and the text after that line.
fn chunk_size(text: &[u8]) -> Option<(usize, &[u8])> {
    let (line, after) = text.split_at_checked(memchr::memchr(b'\n', text)?)?;
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
    let digits =
        std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some((usize::from_str_radix(digits, 16).ok()?, after.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(body: &str) -> (String, bool) {
        let DecodedBody { content, is_whole } = decode(body.as_bytes());
        (String::from_utf8_lossy(&content).into_owned(), is_whole)
    }

    #[test]
    fn chunks_are_joined() {
        for whole in [
            "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            "3;x=\"1\"\r\nabc\r\n02 \r\nde\r\n0\r\nA: 1\r\n\r\n",
            "3\nabc\n2\nde\n0\n\n",
        ] {
            assert_eq!(decoded(whole), ("abcde".to_owned(), true), "{whole}");
        }
        assert_eq!(decoded("0\r\n\r\n"), (String::new(), true));
        assert_eq!(decoded("A\r\n0123456789\r\n0\r\n"), ("0123456789".to_owned(), true));
    }

    #[test]
    fn malformed_chunks_lose_no_content() {
        for (body, content) in [
            ("3\r\nabc\r\n", "abc"),
            ("3\r\nabc\r\nde", "abcde"),
            ("3\r\nabcde", "abcde"),
            ("9\r\nabc", "abc"),
            ("3\r\nabc\r\nx\r\nde\r\n0\r\n\r\n", "abcx\r\nde\r\n0\r\n\r\n"),
            ("3\r\nabc\r\nffffffffffffffffff\r\nde", "abcffffffffffffffffff\r\nde"),
            ("ffffffffffffffff\r\nde", "de"),
            ("0\r\n<p>abc", "<p>abc"),
            ("", ""),
        ] {
            assert_eq!(decoded(body), (content.to_owned(), false), "{body}");
        }
    }

    #[test]
    fn only_a_field_and_a_chunk_size_together_mean_chunked() {
        let headers = Headers::new().with("Transfer-Encoding", "gzip, Chunked");
        assert!(is_chunked(&headers, b"3\r\nabc\r\n0\r\n\r\n"));
        for body in ["<p>3\r\n", "", "\r\nabc", ";\r\nabc", "3", "-3\r\nabc", "+3\r\nabc"] {
            assert!(!is_chunked(&headers, body.as_bytes()), "{body}");
        }
        assert!(!is_chunked(&Headers::new(), b"3\r\nabc\r\n0\r\n\r\n"));
    }
}
