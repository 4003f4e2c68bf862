//! Stored responses: refuses those that cannot be read completely, and joins chunked bodies.

use crate::site::shown;
use crate::{Failure, chunked, warn};
use byleave::Headers;
use byleave::analysis::SavedResponse;
use byleave::analysis::html::is_html;
use std::path::Path;

/// Returns the joined body of a stored response; `None` if the body is not chunked.
///
/// Fails if the body is compressed, or if a header line ends in CR alone, because its content would be lost.
pub fn joined(path: &Path, bytes: &[u8], response: &SavedResponse) -> Result<Option<Vec<u8>>, Failure> {
    let (head, body) = bytes.split_at_checked(response.body).unwrap_or((bytes, &[]));
    if has_bare_cr(head) {
        let remedy = "end lines with LF or CR LF, as `curl -i` does";
        return Err(Failure::new(format!("a header line of `{}` ends in CR alone; {remedy}", shown(path))));
    }
    let joined = chunked::is_chunked(&response.headers, body).then(|| {
        let decoded = chunked::decoded(body);
        if !decoded.is_whole {
            warn(&format!(
                "the chunked body of `{}` is malformed or incomplete; the rest is read as it is",
                shown(path)
            ));
        }
        decoded.body
    });
    if is_compressed(&response.headers, joined.as_deref().unwrap_or(body)) {
        let remedy = "store it uncompressed, with `curl -i --compressed URL`";
        return Err(Failure::new(format!("the page in `{}` is compressed; {remedy}", shown(path))));
    }
    Ok(joined)
}

/// Returns whether the header lines contain a CR that no LF follows.
fn has_bare_cr(headers: &[u8]) -> bool {
    let ends = headers.iter().skip(1).chain([&b'\n']);
    headers.iter().zip(ends).any(|(byte, next)| *byte == b'\r' && *next != b'\n')
}

/// Returns whether a body is still compressed. The header alone does not show it: `curl --compressed` decodes the body
/// and keeps the header.
fn is_compressed(headers: &Headers, body: &[u8]) -> bool {
    let is_coding = |value: &[u8]| !value.is_empty() && !value.eq_ignore_ascii_case(b"identity");
    let is_coded = headers.named("content-encoding").any(|line| is_coding(line.value));
    let is_binary = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F);
    let has_magic = body.starts_with(b"\x1F\x8B") || body.starts_with(b"\x28\xB5\x2F\xFD");
    let is_called_html = is_html(body, headers.content_type());
    has_magic && (is_coded || is_called_html) || is_coded && body.iter().take(1024).any(is_binary)
}
