//! The body of a saved response that is still in chunks, as it came over the wire (RFC 9112, 7.1).
//!
//! Most tools undo chunks and leave the header as it was, so the body has to show them too.

use byleave::Headers;

/// A body without its chunks.
pub struct Decoded {
    /// What they held, and behind the first that is malformed all that is there.
    pub body: Vec<u8>,
    /// Whether they were well-formed, the last included.
    pub is_whole: bool,
}

/// Whether a body is in chunks: a header says so, and the body begins with the size of one.
pub fn is_chunked(headers: &Headers, body: &[u8]) -> bool {
    let is_named = |value: &[u8]| {
        value.split(|byte| *byte == b',').any(|coding| coding.trim_ascii().eq_ignore_ascii_case(b"chunked"))
    };
    headers.named("transfer-encoding").any(|line| is_named(line.value)) && size(body).is_some()
}

/// Takes the chunks apart. Fields behind the last are left out.
pub fn decoded(mut rest: &[u8]) -> Decoded {
    let mut body = Vec::with_capacity(rest.len());
    while let Some((size, data)) = size(rest) {
        if size == 0 {
            let is_whole = data.split(|byte| *byte == b'\n').all(is_field_or_blank);
            body.extend_from_slice(if is_whole { &[] } else { data });
            return Decoded { body, is_whole };
        }
        let (chunk, behind) = data.split_at(size.min(data.len()));
        body.extend_from_slice(chunk);
        rest = behind;
        match behind.strip_prefix(b"\r\n").or_else(|| behind.strip_prefix(b"\n")) {
            Some(next) => rest = next,
            None => break,
        }
    }
    body.extend_from_slice(rest);
    Decoded { body, is_whole: false }
}

fn is_field_or_blank(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().and_then(|name| std::str::from_utf8(name).ok());
    line.trim_ascii().is_empty() || line.contains(&b':') && name.is_some_and(Headers::is_name)
}

/// The size that a text begins with, in a line of its own that may have an extension, and what follows the line.
fn size(text: &[u8]) -> Option<(usize, &[u8])> {
    let end = text.iter().position(|byte| *byte == b'\n')?;
    let (line, behind) = (text.get(..end)?, text.get(end + 1..)?);
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
    let digits =
        std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some((usize::from_str_radix(digits, 16).ok()?, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(body: &str) -> (String, bool) {
        let Decoded { body, is_whole } = decoded(body.as_bytes());
        (String::from_utf8_lossy(&body).into_owned(), is_whole)
    }

    #[test]
    fn chunks_are_joined() {
        for whole in [
            "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            "3;x=\"1\"\r\nabc\r\n02 \r\nde\r\n0\r\nA: 1\r\n\r\n",
            "3\nabc\n2\nde\n0\n\n",
        ] {
            assert_eq!(told(whole), ("abcde".to_owned(), true), "{whole}");
        }
        assert_eq!(told("0\r\n\r\n"), (String::new(), true));
        assert_eq!(told("A\r\n0123456789\r\n0\r\n"), ("0123456789".to_owned(), true));
    }

    #[test]
    fn nothing_is_lost_of_what_is_malformed() {
        for (body, held) in [
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
            assert_eq!(told(body), (held.to_owned(), false), "{body}");
        }
    }

    #[test]
    fn a_header_and_the_body_have_to_say_so() {
        let headers = Headers::new().with("Transfer-Encoding", "gzip, Chunked");
        assert!(is_chunked(&headers, b"3\r\nabc\r\n0\r\n\r\n"));
        for body in ["<p>3\r\n", "", "\r\nabc", ";\r\nabc", "3", "-3\r\nabc", "+3\r\nabc"] {
            assert!(!is_chunked(&headers, body.as_bytes()), "{body}");
        }
        assert!(!is_chunked(&Headers::new(), b"3\r\nabc\r\n0\r\n\r\n"));
    }
}
