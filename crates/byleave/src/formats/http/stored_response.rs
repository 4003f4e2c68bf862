//! Parses a response that is stored in one file: headers, a blank line and the body, as `curl -i` writes it.
//!
//! This is the only parser for stored responses. It reports problems as data, and the command decides which of them to
//! reject. `chunked.rs` decodes bodies, and `site` interprets the headers and the page.

use super::chunked;
use super::{Headers, trimmed};
use crate::base::source::Span;
use crate::formats::html::is_html;
use std::borrow::Cow;

/// A response stored in one file.
///
/// ```
/// use byleave::analysis::StoredResponse;
/// let stored = StoredResponse::parse(b"HTTP/1.1 200 OK\r\nX-Robots-Tag: noarchive\r\n\r\n<!DOCTYPE html>");
/// assert_eq!(stored.status, Some(200));
/// assert_eq!(stored.headers.lines().count(), 1);
/// assert_eq!(*stored.body, *b"<!DOCTYPE html>");
/// assert!(stored.problems.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredResponse<'src> {
    /// The last response's status, if it has a status line.
    pub status: Option<u16>,
    /// The last response's fields. Their text has the same lines as the file.
    pub headers: Headers,
    /// The span of everything before the body: earlier responses, the status line, the fields and the blank line.
    pub head_span: Span,
    /// The body, without chunk framing.
    pub body: Cow<'src, [u8]>,
    /// The span of the body in the file, including chunk framing.
    pub body_span: Span,
    /// How the body is stored.
    pub framing: BodyFraming,
    /// What is wrong with the file, in no particular order.
    pub problems: Vec<StoredResponseProblem>,
    bytes: &'src [u8],
    /// The span in the file of each line in `headers`, including its continuation lines.
    line_spans: Vec<Span>,
}

/// How the body of a stored response is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyFraming {
    /// Unchanged.
    Plain,
    /// In chunks (RFC 9112, 7.1).
    Chunked,
}

/// What is wrong with a stored response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoredResponseProblem {
    /// The file begins with neither a status line nor a field.
    NoHeaders,
    /// A header line contains a CR without an LF after it, so the fields after the CR are not recognised.
    BareCr,
    /// The chunks are malformed or incomplete. From the first malformed chunk on, the body contains the bytes
    /// unchanged.
    MalformedChunks,
    /// The body is compressed, so no statement in it can be read.
    CompressedBody,
}

impl<'src> StoredResponse<'src> {
    /// Parses stored header fields or a stored response: an optional status line, field lines, a blank line, and a
    /// body.
    ///
    /// `curl -i -L` writes several responses in a row. Each begins with a status line, and the last one counts. Another
    /// response is expected only after a response without a page of its own: 1xx, 3xx, 401, 407, and a proxy's `200
    /// Connection established`. This way, a page cannot pretend to be another response.
    ///
    /// Lines end in CRLF or LF. A line that begins with a blank continues the previous line. A line without a colon
    /// stays in the text but is not a field. A byte order mark is skipped, and so are blanks and blank lines before the
    /// first status line.
    ///
    /// Cost: O(bytes).
    #[must_use]
    pub fn parse(bytes: &'src [u8]) -> Self {
        let Head { status, headers, line_spans, end } = Head::parse(bytes);
        let (head, stored_body) = bytes.split_at_checked(end).unwrap_or((bytes, &[]));
        let mut problems = Vec::new();
        let begins_with_field = headers.lines().next().is_some_and(|line| line.line == 0);
        if status.is_none() && !begins_with_field {
            problems.push(StoredResponseProblem::NoHeaders);
        }
        if has_bare_cr(head) {
            problems.push(StoredResponseProblem::BareCr);
        }
        let (body, framing) = if chunked::is_chunked(&headers, stored_body) {
            let decoded = chunked::decode(stored_body);
            if !decoded.is_whole {
                problems.push(StoredResponseProblem::MalformedChunks);
            }
            (Cow::Owned(decoded.content), BodyFraming::Chunked)
        } else {
            (Cow::Borrowed(stored_body), BodyFraming::Plain)
        };
        if is_compressed(&headers, &body) {
            problems.push(StoredResponseProblem::CompressedBody);
        }
        let (head_span, body_span) = (Span::new(0, end), Span::new(end, bytes.len()));
        Self { status, headers, head_span, body, body_span, framing, problems, bytes, line_spans }
    }

    /// Returns whether a file begins with `HTTP/`, ignoring case, after any byte order mark and blanks. No other kind
    /// of document begins like this.
    #[must_use]
    pub fn begins_with_http(bytes: &[u8]) -> bool {
        let text = without_byte_order_mark(bytes).trim_ascii_start();
        text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"))
    }

    /// Returns the whole file.
    #[must_use]
    pub fn bytes(&self) -> &'src [u8] {
        self.bytes
    }

    /// Returns the span in the file for a span in the text of `headers`. If the text is not literally in the file,
    /// because lines were joined, returns the span of the whole field.
    ///
    /// Cost: O(bytes of the field).
    #[must_use]
    pub fn span_in_file(&self, span: Span) -> Span {
        let following = self.headers.lines.partition_point(|line| line.whole.start <= span.start);
        let line =
            following.checked_sub(1).and_then(|line| Some((self.headers.lines.get(line)?, self.line_spans.get(line)?)));
        let Some((parsed, field)) = line else { return Span::default() };
        // Only blanks differ between the parsed line and the file, so the start is found by counting the other bytes.
        let before = Span { start: parsed.whole.start, end: span.start }.of(self.headers.text());
        let skipped = before.iter().filter(|byte| !is_blank(**byte)).count();
        let written = field.of(self.bytes).iter().zip(field.range()).filter(|(byte, _)| !is_blank(**byte));
        let start = written.map(|(_, at)| at).nth(skipped);
        let found = start.map(|start| Span::new(start, start.saturating_add(span.len())));
        let is_literal = |found: &Span| found.of(self.bytes) == span.of(self.headers.text());
        found.filter(|found| !span.is_empty() && is_literal(found)).unwrap_or(*field)
    }
}

/// The part of a stored response before its body.
#[derive(Default)]
struct Head {
    status: Option<u16>,
    headers: Headers,
    line_spans: Vec<Span>,
    /// The offset of the first byte of the body.
    end: usize,
}

impl Head {
    fn parse(bytes: &[u8]) -> Self {
        let (status, fields_start) = last_status(bytes);
        let mut head = Self { status, ..Self::default() };
        let mut at = bytes.len() - without_byte_order_mark(bytes).len();
        // The lines before the fields are kept, so that line numbers are the same as in the file.
        while at < fields_start {
            let line = StoredLine::at(bytes, at);
            head.headers.push_other(&[line.text], false);
            head.line_spans.push(line.span());
            at = line.next;
        }
        // The first line of a field, and its continuation lines.
        let mut field: Vec<StoredLine<'_>> = Vec::new();
        while at < bytes.len() {
            let line = StoredLine::at(bytes, at);
            at = line.next;
            if line.text.is_empty() {
                break;
            }
            if !line.text.starts_with(b" ") && !line.text.starts_with(b"\t") {
                head.push_field(&field);
                field.clear();
            }
            field.push(line);
        }
        head.push_field(&field);
        head.end = at;
        head
    }

    /// Adds a field, or a line that is not a field, with its continuation lines.
    fn push_field(&mut self, lines: &[StoredLine<'_>]) {
        let [first, more @ ..] = lines else { return };
        let last = lines.last().unwrap_or(first);
        self.line_spans.push(Span { start: first.span().start, end: last.span().end });
        self.line_spans.extend(more.iter().map(StoredLine::span));
        let is_name = |name: &[u8]| std::str::from_utf8(trimmed(name)).is_ok_and(Headers::is_name);
        let colon = memchr::memchr(b':', first.text);
        match colon.and_then(|colon| Some((first.text.get(..colon)?, first.text.get(colon + 1..)?))) {
            Some((name, value)) if is_name(name) => {
                let values: Vec<&[u8]> = std::iter::once(value).chain(more.iter().map(|line| line.text)).collect();
                self.headers.push(name, &values);
            }
            _ => self.headers.push_other(&lines.iter().map(|line| line.text).collect::<Vec<_>>(), true),
        }
        // A field with several lines becomes one line, followed by blank lines.
        more.iter().for_each(|_| self.headers.push_other(&[], false));
    }
}

/// Returns the last response's status, and the offset of the line after its status line. If there is no status line,
/// the fields begin after any byte order mark.
fn last_status(bytes: &[u8]) -> (Option<u16>, usize) {
    let text = without_byte_order_mark(bytes);
    let mut found = (None, bytes.len() - text.len());
    let mut at = bytes.len() - text.trim_ascii_start().len();
    loop {
        let mut line = StoredLine::at(bytes, at);
        let Some(status) = StatusLine::parse(line.text) else { return found };
        found = (Some(status.code), line.next);
        if !status.is_followed {
            return found;
        }
        while !line.text.is_empty() {
            line = StoredLine::at(bytes, line.next);
        }
        at = line.next;
    }
}

fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Returns whether the header lines contain a CR without an LF after it.
fn has_bare_cr(head: &[u8]) -> bool {
    memchr::memchr_iter(b'\r', head).any(|at| head.get(at + 1).is_some_and(|next| *next != b'\n'))
}

/// Returns whether a body is still compressed. The header alone does not show this, because `curl --compressed` decodes
/// the body but keeps the header.
fn is_compressed(headers: &Headers, body: &[u8]) -> bool {
    let is_coding = |value: &[u8]| !value.is_empty() && !value.eq_ignore_ascii_case(b"identity");
    let is_coded = headers.named("content-encoding").any(|line| is_coding(line.value));
    let is_binary = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F);
    let has_magic = body.starts_with(b"\x1F\x8B") || body.starts_with(b"\x28\xB5\x2F\xFD");
    let is_called_html = || is_html(body, headers.content_type());
    has_magic && (is_coded || is_called_html()) || is_coded && body.iter().take(1024).any(is_binary)
}

/// Returns whether a byte is whitespace or NUL. Only such bytes may differ between a header line in the file and the
/// parsed line.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0
}

/// A line of the file, without its line end.
struct StoredLine<'src> {
    text: &'src [u8],
    start: usize,
    /// The offset of the next line.
    next: usize,
}

impl<'src> StoredLine<'src> {
    fn at(bytes: &'src [u8], start: usize) -> Self {
        let rest = bytes.get(start..).unwrap_or_default();
        let (line, next) = match memchr::memchr(b'\n', rest) {
            Some(end) => (rest.get(..end).unwrap_or_default(), start + end + 1),
            None => (rest, bytes.len()),
        };
        Self { text: line.strip_suffix(b"\r").unwrap_or(line), start, next }
    }

    /// Returns the span without trailing blanks.
    fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.trim_ascii_end().len())
    }
}

/// A status line such as `HTTP/1.1 200 OK`.
#[derive(Clone, Copy)]
struct StatusLine {
    code: u16,
    /// Whether another response may follow instead of a body.
    is_followed: bool,
}

impl StatusLine {
    fn parse(line: &[u8]) -> Option<Self> {
        let rest = line.strip_prefix(b"HTTP/")?;
        let blank = rest.iter().position(|byte| *byte == b' ')?;
        let is_version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        let version = rest.get(..blank).filter(|version| !version.is_empty() && version.iter().all(is_version));
        let [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', reason @ ..] = rest.get(blank + 1..)? else {
            return None;
        };
        if version.is_none() || !matches!(reason.first(), None | Some(b' ')) {
            return None;
        }
        let code = [a, b, c].iter().fold(0, |code, digit| code * 10 + u16::from(**digit - b'0'));
        let is_tunnel = trimmed(reason).eq_ignore_ascii_case(b"connection established");
        let is_followed = matches!(code, 100..=199 | 300..=399 | 401 | 407) || is_tunnel;
        Some(Self { code, is_followed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::limits::Limits;
    use crate::model::diagnostic::Code;
    use StoredResponseProblem::{BareCr, CompressedBody, MalformedChunks, NoHeaders};

    fn shown(headers: &Headers) -> String {
        String::from_utf8_lossy(headers.text()).into_owned()
    }

    #[test]
    fn stored_responses_are_parsed() {
        for text in [
            "HTTP/1.1 200 OK\r\nA: 1\r\nB : 2\r\n\r\nbody",
            "HTTP/2 200 \nA:1\nB: 2\n\nbody",
            "HTTP/1.0 301 Moved\r\nX: y\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\r\nA: 1\r\nB: 2\r\n\r\nbody",
            "HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\nB:\r\n 2\r\n\r\nbody",
            // A byte order mark and blank lines before the status line are skipped.
            "\u{FEFF}HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\n\r\nbody",
            "\r\n\n \tHTTP/1.1 200 OK\nA: 1\nB: 2\n\nbody",
            "\u{FEFF}\nHTTP/1.1 301 Moved\n\nHTTP/1.1 200 OK\nA: 1\nB: 2\n\nbody",
        ] {
            let stored = StoredResponse::parse(text.as_bytes());
            let lines: Vec<_> = stored.headers.lines().map(|line| (line.name, line.value)).collect();
            assert_eq!(lines, [(&b"A"[..], &b"1"[..]), (b"B", b"2")], "{text}");
            // Line numbers are the same as in the file.
            let first = text.lines().position(|line| line.starts_with("A:"));
            assert_eq!(stored.headers.lines().next().map(|line| line.line), first, "{text}");
            assert!(stored.headers.directive_views(&Limits::default()).1.is_empty(), "{text}");
            assert_eq!((stored.status, stored.framing), (Some(200), BodyFraming::Plain), "{text}");
            assert_eq!((&*stored.body, stored.body_span.of(text.as_bytes())), (&b"body"[..], &b"body"[..]), "{text}");
            assert_eq!((stored.head_span.start, stored.head_span.end), (0, stored.body_span.start), "{text}");
            assert!(stored.problems.is_empty() && StoredResponse::begins_with_http(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_byte_order_mark_hides_no_field() {
        let stored = StoredResponse::parse("\u{FEFF}X-Robots-Tag: noindex\n\nbody".as_bytes());
        assert_eq!((shown(&stored.headers).as_str(), stored.status), ("X-Robots-Tag: noindex\n", None));
        assert!(stored.problems.is_empty());
    }

    #[test]
    fn a_body_cannot_pretend_to_be_a_response() {
        for (text, headers, body, status) in [
            (
                "HTTP/1.1 200 OK\nRobots-Tag: *;noindex\n\nHTTP/1.1 200 OK\nA: 1\n\n",
                "HTTP/1.1 200 OK\nRobots-Tag: *;noindex\n",
                39,
                Some(200),
            ),
            ("Robots-Tag: *;noindex\n\nHTTP/1.1 200 OK\nA: 1\n\n", "Robots-Tag: *;noindex\n", 23, None),
        ] {
            let stored = StoredResponse::parse(text.as_bytes());
            assert_eq!((shown(&stored.headers).as_str(), stored.body_span.start), (headers, body));
            assert_eq!(stored.status, status);
        }
    }

    #[test]
    fn malformed_lines_are_kept_and_reported() {
        let stored = StoredResponse::parse(b"A: 1\nno field\n : 2\nB: x\n  y\n\tz\n \n  w");
        assert_eq!(shown(&stored.headers), "A: 1\nno field : 2\n\nB: x y z w\n\n\n\n\n");
        let (_, notes) = stored.headers.directive_views(&Limits::default());
        assert_eq!(notes.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [Code::NotAField]);
        assert_eq!(stored.headers.lines().map(|line| line.line).collect::<Vec<_>>(), [0, 3]);
        assert_eq!(stored.body_span.start, 36);
        for line in ["HTTP/1.1", "HTTP/ 200", "HTTP/1.1 20", "HTTP/1.1 2000", "http/1.1 200", "HTTP/x 200"] {
            let stored = StoredResponse::parse(line.as_bytes());
            assert_eq!((stored.status, stored.problems), (None, vec![NoHeaders]), "{line}");
        }
    }

    #[test]
    fn problems_are_reported() {
        let found = |text: &str| StoredResponse::parse(text.as_bytes()).problems;
        for text in ["", "\r\nx", "<!DOCTYPE html>\nA: 1\n\n", "\nA: 1\n\n"] {
            assert_eq!(found(text), [NoHeaders], "{text}");
        }
        assert_eq!(found("HTTP/1.1 200 OK\r\nA: 1\rX-Robots-Tag: noindex\r\n\r\n"), [BareCr]);
        assert_eq!(found("HTTP/1.1 200 OK\r\nA: 1\r\n\r\nx\ry"), []);
        assert_eq!(found("A: 1\r"), []);
        assert_eq!(found("Transfer-Encoding: chunked\n\n3\nab"), [MalformedChunks]);
        assert_eq!(found("Content-Encoding: gzip\n\n\x1F\0"), [CompressedBody]);
        assert_eq!(
            found("Content-Encoding: gzip\nTransfer-Encoding: chunked\n\n1\n\0"),
            [MalformedChunks, CompressedBody]
        );
        assert_eq!(found("Content-Encoding: gzip\n\n<p>x"), []);
    }

    #[test]
    fn a_chunked_body_is_decoded() {
        let text = b"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n2\nde\n0\n\n";
        let stored = StoredResponse::parse(text);
        assert_eq!((&*stored.body, stored.framing), (&b"abcde"[..], BodyFraming::Chunked));
        assert_eq!(stored.body_span.of(text), b"3\nabc\n2\nde\n0\n\n");
        // Most tools decode the body but keep the header.
        let stored = StoredResponse::parse(b"Transfer-Encoding: chunked\n\n<p>x");
        assert_eq!((&*stored.body, stored.framing), (&b"<p>x"[..], BodyFraming::Plain));
    }

    #[test]
    fn spans_of_headers_are_found_in_the_file() {
        let text = b"\xEF\xBB\xBFHTTP/1.1 200 OK\r\n odd\r\n odder\r\nA :\t aa a,\r\n  aa , b\0\r\nB:1\r\n\r\n";
        let stored = StoredResponse::parse(text);
        let parsed = shown(&stored.headers);
        assert_eq!(parsed, "HTTP/1.1 200 OK\nodd odder\n\nA: aa a, aa , b \n\nB: 1\n");
        let in_file = |start: usize, piece: &str| {
            assert_eq!(parsed.get(start..start + piece.len()), Some(piece));
            let span = stored.span_in_file(Span::new(start, start + piece.len()));
            String::from_utf8_lossy(span.of(text)).into_owned()
        };
        assert_eq!(in_file(0, "HTTP/1.1 200 OK"), "HTTP/1.1 200 OK");
        assert_eq!(in_file(16, "odd odder"), " odd\r\n odder");
        assert_eq!(in_file(27, "A"), "A");
        // The same text occurs several times in the field.
        assert_eq!(stored.span_in_file(Span::new(33, 34)), Span::new(42, 43));
        assert_eq!(stored.span_in_file(Span::new(36, 38)), Span::new(48, 50));
        assert_eq!(in_file(30, "aa a, aa"), "A :\t aa a,\r\n  aa , b\0");
        assert_eq!(in_file(45, "B: 1"), "B:1");
        assert_eq!(in_file(48, "1"), "1");
        assert_eq!(StoredResponse::parse(b"").span_in_file(Span::new(0, 9)), Span::default());
    }

    /// A chain of redirects costs no more than its bytes, because the lines before the last response are read once.
    #[test]
    fn s34_many_responses_in_a_row_have_an_answer() {
        let text = "HTTP/1.1 100 Continue\n\n".repeat(200_000) + "HTTP/1.1 200 OK\nA: 1\n\nbody";
        let stored = StoredResponse::parse(text.as_bytes());
        assert_eq!((stored.status, &*stored.body), (Some(200), &b"body"[..]));
        assert_eq!(stored.headers.lines().map(|line| line.line).collect::<Vec<_>>(), [400_001]);
    }
}
