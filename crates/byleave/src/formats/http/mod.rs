//! A response's header fields, stored as the lines of one text.
//!
//! `stored_response.rs` parses a response that is stored in a file, `structured` parses Structured Fields, and
//! `link.rs` parses links. `dialects` interprets the fields of each dialect.

mod chunked;
mod freshness;
#[cfg(feature = "http")]
mod header_map;
pub(crate) mod link;
mod quoted;
mod stored_response;
pub(crate) mod structured;

pub use stored_response::{BodyFraming, StoredResponse, StoredResponseProblem};
pub(crate) use structured::{DictionaryMember, dictionary};

use crate::base::source::Span;
use crate::base::timestamp::Timestamp;
use quoted::split_outside_quotes;

/// The header fields of one HTTP response, in order.
///
/// Names are compared without regard to ASCII case. Values are bytes, without surrounding blanks.
///
/// ```
/// use byleave::Headers;
/// let headers = Headers::new().with("Content-Type", "text/html; charset=utf-8").with("Robots-Tag", "*;noindex");
/// assert_eq!(headers.charset(), Some("utf-8"));
/// assert_eq!(headers.text(), b"Content-Type: text/html; charset=utf-8\nRobots-Tag: *;noindex\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    text: Vec<u8>,
    lines: Vec<HeaderLine>,
}

/// The spans of a line, its name and its value. A line that is not a field has neither name nor value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HeaderLine {
    whole: Span,
    field: Option<(Span, Span)>,
    /// Whether the line should be a field. This is false for status lines and continuation lines.
    is_expected: bool,
}

/// A field line in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldLine<'h> {
    /// The name as written.
    pub name: &'h [u8],
    /// The value, without surrounding blanks.
    pub value: &'h [u8],
    /// The number of the line in [`Headers::text`], from 0.
    pub line: usize,
    /// The value's span in [`Headers::text`].
    pub span: Span,
}

impl Headers {
    /// Returns headers without fields.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field line. Line ends and NULs in the name or value become blanks (RFC 9110, 5.5).
    #[must_use]
    pub fn with(mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Self {
        self.push(name.as_ref(), &[value.as_ref()]);
        self
    }

    /// Adds a line that is not a field.
    fn push_other(&mut self, parts: &[&[u8]], is_expected: bool) {
        let start = self.text.len();
        self.append(parts);
        let whole = Span::new(start, self.text.len());
        self.text.push(b'\n');
        self.lines.push(HeaderLine { whole, field: None, is_expected });
    }

    fn push(&mut self, name: &[u8], values: &[&[u8]]) {
        let start = self.text.len();
        self.append(&[name]);
        let name = Span::new(start, self.text.len());
        self.text.extend_from_slice(b": ");
        let value = self.text.len();
        self.append(values);
        let value = Span::new(value, self.text.len());
        let whole = Span::new(start, self.text.len());
        self.text.push(b'\n');
        self.lines.push(HeaderLine { whole, field: Some((name, value)), is_expected: true });
    }

    /// Appends the parts as one line, separated by blanks. Empty parts are dropped.
    fn append(&mut self, parts: &[&[u8]]) {
        let start = self.text.len();
        for part in parts.iter().map(|part| trimmed(part)).filter(|part| !part.is_empty()) {
            if self.text.len() > start {
                self.text.push(b' ');
            }
            let from = self.text.len();
            self.text.extend_from_slice(part);
            if memchr::memchr3(b'\r', b'\n', 0, part).is_some() {
                let bytes = self.text.iter_mut().skip(from).filter(|byte| matches!(byte, b'\r' | b'\n' | 0));
                bytes.for_each(|byte| *byte = b' ');
            }
        }
    }

    /// Returns the fields as text, with one `Name: value` line per field, including line ends. For a stored response,
    /// the text has the same lines as the file.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the field lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = FieldLine<'_>> {
        self.lines.iter().enumerate().filter_map(|(line, place)| {
            let (name, span) = place.field?;
            Some(FieldLine { name: name.of(&self.text), value: span.of(&self.text), line, span })
        })
    }

    /// Returns the lines of the field with this name, ignoring ASCII case.
    ///
    /// ```
    /// use byleave::Headers;
    /// let headers = Headers::new().with("X-Robots-Tag", "noindex").with("x-robots-tag", "otherbot: nofollow");
    /// let values: Vec<_> = headers.named("X-Robots-Tag").map(|line| line.value).collect();
    /// assert_eq!(values, [&b"noindex"[..], b"otherbot: nofollow"]);
    /// ```
    pub fn named<'h>(&'h self, name: &str) -> impl Iterator<Item = FieldLine<'h>> {
        self.lines().filter(move |line| line.name.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// Returns whether there are no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| line.field.is_none())
    }

    /// Returns the media type in the last `Content-Type` as written, without parameters, such as `text/html`.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        let value = self.named("content-type").last()?.value;
        let media_type = std::str::from_utf8(value.split(|byte| *byte == b';').next()?).ok()?;
        Some(media_type.trim()).filter(|media_type| !media_type.is_empty())
    }

    /// Returns the `charset` in the last `Content-Type` as written, without quotation marks.
    #[must_use]
    pub fn charset(&self) -> Option<&str> {
        let value = self.named("content-type").last()?.value;
        let parameters = value.get(memchr::memchr(b';', value)? + 1..)?;
        for written in split_outside_quotes(parameters, b';') {
            let Some(equals) = memchr::memchr(b'=', written) else { continue };
            let (name, value) = (written.get(..equals)?, trimmed(written.get(equals + 1..)?));
            if trimmed(name).eq_ignore_ascii_case(b"charset") {
                let value = value.strip_prefix(b"\"").unwrap_or(value);
                let charset = std::str::from_utf8(value.strip_suffix(b"\"").unwrap_or(value)).ok()?.trim();
                return Some(charset).filter(|charset| !charset.is_empty());
            }
        }
        None
    }

    /// Returns whether a text is a valid header field name, which is a token (RFC 9110, 5.6.2).
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        !text.is_empty() && text.bytes().all(is_token)
    }

    /// Returns the time until which the response is fresh (RFC 9111), or `None` if the response does not state it.
    ///
    /// `fetched` is the time at which the response was received. Without it, the response's own date is used. An
    /// expired response still binds the crawler until the crawler fetches it again (Robots-Tag draft, 3.1.4).
    ///
    /// ```
    /// use byleave::Headers;
    /// let headers = Headers::new().with("Cache-Control", "max-age=60");
    /// let fetched = "2026-01-01T00:00:00Z".parse()?;
    /// assert_eq!(headers.fresh_until(Some(fetched)), Some("2026-01-01T00:01:00Z".parse()?));
    /// # Ok::<(), byleave::model::ParseTimestampError>(())
    /// ```
    #[must_use]
    pub fn fresh_until(&self, fetched: Option<Timestamp>) -> Option<Timestamp> {
        freshness::fresh_until(self, fetched)
    }

    /// Returns the numbers (from 0) and spans of the lines that should be fields but are not.
    pub(crate) fn malformed_lines(&self) -> impl Iterator<Item = (usize, Span)> {
        let is_malformed = |line: &HeaderLine| line.field.is_none() && line.is_expected;
        self.lines
            .iter()
            .enumerate()
            .filter(move |(_, line)| is_malformed(line))
            .map(|(number, line)| (number, line.whole))
    }
}

impl<N: AsRef<[u8]>, V: AsRef<[u8]>> Extend<(N, V)> for Headers {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, lines: I) {
        for (name, value) in lines {
            self.push(name.as_ref(), &[value.as_ref()]);
        }
    }
}

impl<N: AsRef<[u8]>, V: AsRef<[u8]>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(lines: I) -> Self {
        let mut headers = Self::new();
        headers.extend(lines);
        headers
    }
}

/// Returns the bytes without surrounding blanks and line ends.
fn trimmed(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(headers: &Headers) -> String {
        String::from_utf8_lossy(headers.text()).into_owned()
    }

    #[test]
    fn lines_are_kept_with_their_places() {
        let headers = Headers::new().with(" A ", "\t1 ").with("b", "x\r\ny\0z").with("C", "");
        assert_eq!(shown(&headers), "A: 1\nb: x  y z\nC: \n");
        for line in headers.lines() {
            assert_eq!(line.span.of(headers.text()), line.value);
            assert_eq!(crate::base::source::Position::of(headers.text(), line.span.start).line as usize, line.line + 1);
        }
        assert_eq!(headers.named("B").map(|line| line.value).collect::<Vec<_>>(), [b"x  y z"]);
        assert!(Headers::new().is_empty() && !headers.is_empty());
    }

    #[test]
    fn the_charset_is_a_parameter() {
        let of = |value: &str| {
            let headers = Headers::new().with("Content-Type", "x/y;charset=x").with("content-type", value);
            (headers.content_type().map(str::to_owned), headers.charset().map(str::to_owned))
        };
        let html = Some("text/html".to_owned());
        assert_eq!(of("text/html; charset=utf-8"), (html.clone(), Some("utf-8".to_owned())));
        assert_eq!(of("text/html;Charset = \"UTF-8\"; a=b"), (html.clone(), Some("UTF-8".to_owned())));
        assert_eq!(of("text/html; a=\"; charset=x\\\"\"; charset=y"), (html.clone(), Some("y".to_owned())));
        assert_eq!(of("text/html; charset"), (html.clone(), None));
        assert_eq!(of("text/html; charset="), (html.clone(), None));
        assert_eq!(of("text/html"), (html, None));
        assert_eq!(of(";charset=y"), (None, Some("y".to_owned())));
        assert_eq!(of(""), (None, None));
    }
}
