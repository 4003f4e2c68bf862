//! Diagnostics of documents as wholes, and of readers that know only places.

use super::Document;
use crate::diagnostic::{Code, Diagnostic, MOST_NOTES};
use crate::source::Span;

/// A page without META tags.
pub(super) fn not_html() -> Diagnostic {
    Diagnostic {
        code: Code::NotHtml,
        severity: Code::NotHtml.severity(),
        document: String::new(),
        span: Span::default(),
        message: "this is no HTML, so it has no META tags".to_owned(),
        help: Some("what its headers say counts all the same".to_owned()),
    }
}

/// A document that is longer than is read.
pub(super) fn truncated(document: &Document<'_>) -> Diagnostic {
    let end = document.text().len();
    Diagnostic {
        code: Code::Truncated,
        severity: Code::Truncated.severity(),
        document: String::new(),
        span: Span::new(end, end),
        message: "this says more than is read; what lies beyond the limit is unread".to_owned(),
        help: Some("see `wayleave rule S-22`".to_owned()),
    }
}

/// Diagnostics of readers that only know the place, not yet of which document.
#[derive(Default)]
pub(super) struct Noted(pub(super) Vec<Diagnostic>);

impl Noted {
    pub(super) fn notes(&mut self) -> impl FnMut(Code, (usize, usize), String, &'static str) {
        |code, (start, end), message, help| {
            // More help nobody.
            if self.0.len() < MOST_NOTES {
                let (severity, span, help) = (code.severity(), Span::new(start, end), Some(help.to_owned()));
                self.0.push(Diagnostic { code, severity, document: String::new(), span, message, help });
            }
        }
    }
}
