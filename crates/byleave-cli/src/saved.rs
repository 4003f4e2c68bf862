//! A response saved in one file: whether it can be read without losing something, and its page joined of chunks.

use crate::site::shown;
use crate::{Failure, chunked, warn};
use byleave::page::is_html;
use byleave::{Headers, SavedResponse};
use std::path::Path;

/// What the body of a saved response comes to, where it is in chunks. Refuses what would be lost to a reader.
pub fn joined(path: &Path, bytes: &[u8], response: &SavedResponse) -> Result<Option<Vec<u8>>, Failure> {
    let (head, body) = bytes.split_at_checked(response.body).unwrap_or((bytes, &[]));
    if has_bare_cr(head) {
        let remedy = "end each with CR and LF, or LF, as `curl -i` writes them";
        return Err(Failure::new(format!("a header line of `{}` ends in CR alone; {remedy}", shown(path))));
    }
    let joined = chunked::is_chunked(&response.headers, body).then(|| {
        let decoded = chunked::decoded(body);
        if !decoded.is_whole {
            warn(&format!("the chunks of `{}` are malformed or break off; what is there is read", shown(path)));
        }
        decoded.body
    });
    if is_compressed(&response.headers, joined.as_deref().unwrap_or(body)) {
        let remedy = "save it as it is shown, with `curl -i --compressed URL`";
        return Err(Failure::new(format!("the page in `{}` is compressed; {remedy}", shown(path))));
    }
    Ok(joined)
}

/// Whether a CR stands in the lines of headers that no LF follows. Whatever is behind it would be lost.
fn has_bare_cr(headers: &[u8]) -> bool {
    let ends = headers.iter().skip(1).chain([&b'\n']);
    headers.iter().zip(ends).any(|(byte, next)| *byte == b'\r' && *next != b'\n')
}

/// Whether a body is still in a content coding. That a header names one is not enough: `curl --compressed` undoes it and
/// leaves the header as it was.
fn is_compressed(headers: &Headers, body: &[u8]) -> bool {
    let is_coding = |value: &[u8]| !value.is_empty() && !value.eq_ignore_ascii_case(b"identity");
    let is_coded = headers.named("content-encoding").any(|line| is_coding(line.value));
    let is_binary = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F);
    let has_magic = body.starts_with(b"\x1F\x8B") || body.starts_with(b"\x28\xB5\x2F\xFD");
    let is_called_html = is_html(body, headers.content_type());
    has_magic && (is_coded || is_called_html) || is_coded && body.iter().take(1024).any(is_binary)
}
