//! Maps spans in the headers and in the page of a response stored in one file to spans in that file.
//!
//! The parsed header text has the lines of the file, with whitespace removed and continued lines joined. A span there is
//! searched for in the lines of the file that the field was parsed from.

use crate::finding::Finding;
use crate::linter::LintedDocument;
use byleave::analysis::SavedResponse;
use byleave::analysis::source::Span;

/// A response stored in one file, with the positions of its parts.
#[derive(Clone, Debug)]
pub(crate) struct StoredResponse<'t> {
    /// How reports call the file.
    pub(crate) name: String,
    bytes: &'t [u8],
    body: usize,
    /// The header lines as parsed.
    fields: Vec<u8>,
    /// The span of each of them in the file, with the lines that continue it.
    field_spans: Vec<Span>,
}

impl<'t> StoredResponse<'t> {
    /// Records where each header line is in the file. Cost: O(bytes up to the body).
    pub(crate) fn new(name: String, bytes: &'t [u8], read: &SavedResponse) -> Self {
        let fields = read.headers.text().to_vec();
        let head = bytes.get(..read.body).unwrap_or_default();
        let mut field_spans: Vec<Span> = Vec::new();
        let (mut at, mut field) = (0, 0);
        for (number, line) in head.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let end = at + line.trim_ascii_end().len();
            if line.starts_with(b" ") || line.starts_with(b"\t") {
                if let Some(span) = field_spans.get_mut(field) {
                    *span = Span::new(span.range().start, end);
                }
            } else {
                field = number;
            }
            field_spans.push(Span::new(at, end));
            at += line.len();
        }
        Self { name, bytes, body: read.body, fields, field_spans }
    }

    /// Returns the document name that the headers have until they are merged.
    pub(crate) fn headers_name(&self) -> String {
        format!("{} (headers)", self.name)
    }

    /// Returns the document name that the page has until it is merged.
    pub(crate) fn page_name(&self) -> String {
        format!("{} (page)", self.name)
    }

    /// Merges headers and page into one document. A page that was transcoded or dechunked keeps its own spans and stays
    /// a separate document.
    pub(crate) fn merged(&self, documents: Vec<LintedDocument<'t>>) -> Vec<LintedDocument<'t>> {
        let page = self.bytes.get(self.body..).unwrap_or_default();
        let mut whole = LintedDocument { name: self.name.clone(), text: self.bytes.into(), findings: Vec::new() };
        let mut merged = Vec::new();
        let is_plain = |document: &LintedDocument<'_>| document.name != self.page_name() || *document.text == *page;
        let is_whole = documents.iter().all(is_plain);
        for mut document in documents {
            let of_page = document.name == self.page_name();
            for finding in &mut document.findings {
                self.map_spans(finding, of_page, is_whole);
            }
            if is_plain(&document) { whole.findings.extend(document.findings) } else { merged.push(document) }
        }
        merged.insert(0, whole);
        merged
    }

    fn map_spans(&self, finding: &mut Finding, of_page: bool, is_whole: bool) {
        let in_file = |of_page: bool, span: Span| match (of_page, is_whole) {
            (true, true) => Span::new(self.body + span.range().start, self.body + span.range().end),
            (true, false) => span,
            (false, _) => self.span_in_file(span),
        };
        finding.span = in_file(of_page, finding.span);
        for related in &mut finding.related {
            if related.document == self.headers_name() {
                related.span = in_file(false, related.span);
                related.document.clone_from(&self.name);
            } else if related.document == self.page_name() && is_whole {
                related.span = in_file(true, related.span);
                related.document.clone_from(&self.name);
            }
        }
    }

    /// Returns the span in the file of a piece of the parsed headers. Returns the whole field if the piece does not occur
    /// in it literally, because lines were joined.
    fn span_in_file(&self, span: Span) -> Span {
        let before = self.fields.get(..span.range().start).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let Some(field) = self.field_spans.get(line).copied() else { return Span::new(0, 0) };
        let (piece, raw) = (span.of(&self.fields), field.of(self.bytes));
        // The same text may occur several times: skip as many occurrences as precede the piece in the parsed line.
        let earlier = before.get(start..).unwrap_or_default();
        let skipped = occurrences(earlier, piece);
        let mut found = (0..raw.len()).filter(|at| raw.get(*at..).is_some_and(|rest| rest.starts_with(piece)));
        let at = found.nth(skipped);
        match at {
            Some(at) if !piece.is_empty() => {
                let from = field.range().start + at;
                Span::new(from, from + piece.len())
            }
            _ => field,
        }
    }
}

fn occurrences(text: &[u8], piece: &[u8]) -> usize {
    if piece.is_empty() { 0 } else { text.windows(piece.len()).filter(|window| *window == piece).count() }
}

#[cfg(test)]
mod tests {
    use crate::{LintInput, ResponseInput, Selection, lint};

    fn found(bytes: &[u8]) -> Vec<(String, String)> {
        let input = LintInput::new()
            .with_robots_txt("robots.txt", b"User-agent: *\nDisallow: /a/\n")
            .with_response(ResponseInput::stored("a.http", bytes).at("/a/"));
        let documents = lint(&input, &Selection::everything());
        let document = documents.iter().find(|document| document.name == "a.http");
        let findings = document.map(|document| document.findings.as_slice()).unwrap_or_default();
        let shown = |span: byleave::analysis::source::Span| String::from_utf8_lossy(span.of(bytes)).into_owned();
        findings.iter().map(|finding| (finding.rule.code.to_owned(), shown(finding.span))).collect()
    }

    #[test]
    fn spans_point_into_the_file() {
        let stored = b"HTTP/1.1 301 Moved\r\nLocation: /a/\r\n\r\nHTTP/1.1 200 OK\r\nServer: x\r\n\
            X-Robots-Tag:   noindx,\r\n  noindex\r\n\r\n<!DOCTYPE html><meta name=robots content=noindex>";
        let found = found(stored);
        assert!(found.contains(&("X018".to_owned(), "noindx".to_owned())), "{found:?}");
        assert!(found.contains(&("R018".to_owned(), "X-Robots-Tag:   noindx,\r\n  noindex".to_owned())), "{found:?}");
        assert!(found.contains(&("R018".to_owned(), "<meta name=robots content=noindex>".to_owned())), "{found:?}");
    }
    #[test]
    fn a_dechunked_page_has_its_own_spans() {
        let stored = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<me\r\n9\r\nta x=y>..\r\n0\r\n\r\n";
        let page = b"<!DOCTYPE html><meta name=robots content=noindx>";
        let input = LintInput::new().with_response(ResponseInput::stored("a.http", stored).with_dechunked_page(page));
        let documents = lint(&input, &Selection::everything());
        let shown: Vec<_> = documents.iter().map(|one| (one.name.as_str(), one.findings.len())).collect();
        assert_eq!(shown, [("a.http", 0), ("a.http (page)", 1)]);
        let pieces = documents.iter().flat_map(|one| one.findings.iter().map(|finding| finding.span.of(&one.text)));
        assert_eq!(pieces.collect::<Vec<_>>(), [b"<meta name=robots content=noindx>"]);
    }
}
