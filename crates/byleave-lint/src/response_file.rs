//! A response stored in one file: merges the findings in its headers and in its page into one document.
//!
//! The engine parses the file and maps spans of headers to spans of the file.

use crate::finding::Finding;
use crate::linter::LintedDocument;
use byleave::analysis::StoredResponse;
use byleave::analysis::source::Span;

/// A file that contains a whole response.
#[derive(Clone, Debug)]
pub(crate) struct ResponseFile<'t> {
    /// The name of the file in reports.
    pub(crate) name: String,
    pub(crate) stored: StoredResponse<'t>,
}

impl<'t> ResponseFile<'t> {
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
        let bytes = self.stored.bytes();
        let page = self.stored.body_span.of(bytes);
        let mut whole = LintedDocument { name: self.name.clone(), text: bytes.into(), findings: Vec::new() };
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
        let body = self.stored.body_span.range().start;
        let in_file = |of_page: bool, span: Span| match (of_page, is_whole) {
            (true, true) => Span::new(body + span.range().start, body + span.range().end),
            (true, false) => span,
            (false, _) => self.stored.span_in_file(span),
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

    /// The chunks of a page are joined before it is linted, so a statement that is split between two chunks is found.
    #[test]
    fn a_chunked_page_has_its_own_spans() {
        let stored = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n\
            13\r\n<meta name=robots c\r\ne\r\nontent=noindx>\r\n0\r\n\r\n";
        let input = LintInput::new().with_response(ResponseInput::stored("a.http", stored));
        let documents = lint(&input, &Selection::everything());
        let shown: Vec<_> = documents.iter().map(|one| (one.name.as_str(), one.findings.len())).collect();
        assert_eq!(shown, [("a.http", 0), ("a.http (page)", 1)]);
        let pieces = documents.iter().flat_map(|one| one.findings.iter().map(|finding| finding.span.of(&one.text)));
        assert_eq!(pieces.collect::<Vec<_>>(), [b"<meta name=robots content=noindx>"]);
    }

    #[test]
    fn a_blank_line_or_a_byte_order_mark_before_the_status_line_hides_no_header() {
        for before in ["\r\n", "\u{FEFF}", "\u{FEFF}\n"] {
            let stored = format!("{before}HTTP/1.1 200 OK\r\nX-Robots-Tag: noindx\r\n\r\n<p>x");
            assert_eq!(found(stored.as_bytes()), [("X018".to_owned(), "noindx".to_owned())], "{before:?}");
        }
    }
}
