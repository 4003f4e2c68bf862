//! Collects the diagnostics for all of a site's documents.
//!
//! Each parser reports its own problems. This file adds diagnostics about whole documents that are missing, truncated
//! or not HTML.

use super::{AskedFor, Document, HEADERS, ROBOTS_TXT, RobotsTxt, Site, read_reference};
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::dialects::acap::Acap;
use crate::model::Usage;
use crate::model::diagnostic::{Code, Diagnostic, MAX_NOTES};
use crate::policy::diagnose::diagnose;
use crate::site::response::{DocumentKind, diagnose_nameless};

impl Site<'_> {
    /// Returns the diagnostics for the site's documents. They are computed once.
    ///
    /// ```
    /// use byleave::{Reading, Site};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDissalow: /private/\n", Reading::Default);
    /// assert_eq!(site.diagnostics()[0].code.name(), "misspelt-field");
    /// ```
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.lazy.diagnostics.get_or_init(|| {
            let mut found = Vec::new();
            if let RobotsTxt::Read(policy) = &self.robots_txt {
                found.extend(policy.text().into_iter().flat_map(|text| diagnose(text, self.reading)));
                if let Some(acap) = policy.acap() {
                    self.diagnose_references(acap, &mut found);
                }
            }
            self.diagnose_response(&mut found);
            self.diagnose_documents(&mut found);
            found
        })
    }

    fn diagnose_response(&self, found: &mut Vec<Diagnostic>) {
        let (limits, switches) = (Limits::default(), self.reading.switches());
        for parsed in &self.response.documents {
            let Some(document) = self.documents.get(parsed.document) else { continue };
            let (mut notes, mut is_truncated) = (Vec::new(), parsed.is_truncated);
            let decoded = if parsed.kind == DocumentKind::Headers { None } else { self.decoded(document) };
            match (&self.headers, decoded) {
                (Some(headers), _) if parsed.kind == DocumentKind::Headers => {
                    notes = headers.diagnose(HEADERS, &limits)
                }
                (_, None) => {
                    let mut noted = Noted::default();
                    self.metadata(parsed, &mut noted.notes());
                    notes.push(not_html());
                    notes.extend(noted.0);
                }
                (_, Some(decoded)) => {
                    parsed.diagnose(switches, self.robots_txt.acap(), &mut notes);
                    diagnose_nameless(&decoded, &mut notes);
                    let mut noted = Noted::default();
                    self.licences_in(parsed, &mut noted.notes());
                    notes.extend(noted.0);
                    let pages = self.elements(AskedFor::Page(&Usage::Index)).unwrap_or_default();
                    if let Some(page) = pages.iter().find(|page| page.document == parsed.document) {
                        page.diagnose(parsed, switches, self.robots_txt.acap(), &mut notes);
                        is_truncated |= !page.elements.is_whole();
                    }
                    if let Some(outside) = self.outside_head().of_document(parsed.document) {
                        outside.diagnose_outside(&mut notes);
                        is_truncated |= outside.is_truncated;
                    }
                }
            }
            if is_truncated {
                notes.push(truncated(document));
            }
            found.extend(notes.into_iter().map(|note| Diagnostic { document: document.name.clone(), ..note }));
        }
    }

    fn diagnose_references(&self, acap: &Acap, found: &mut Vec<Diagnostic>) {
        for (reference, link) in acap.references.iter().zip(&self.links) {
            if link.is_none() {
                let locator = String::from_utf8_lossy(reference.locator.of(&acap.arena));
                found.push(Diagnostic {
                    code: Code::ReferenceUnread,
                    severity: Code::ReferenceUnread.severity(),
                    document: ROBOTS_TXT.to_owned(),
                    span: Span::new(reference.at.start as usize, reference.at.end as usize),
                    message: format!(
                        "`{locator}` was not supplied, so everything is prohibited for the group's crawlers"
                    ),
                    help: Some("supply the file, for example with `--document LOCATION FILE`".to_owned()),
                });
            }
        }
        for reference in &self.references {
            let Some(document) = self.documents.get(reference.document) else { continue };
            let mut notes = Vec::new();
            read_reference(&document.bytes, self.reading, acap, Some(&mut notes));
            found.extend(notes.into_iter().map(|note| Diagnostic { document: document.name.clone(), ..note }));
        }
    }
}

/// Returns the diagnostic for a page that is not HTML.
pub(super) fn not_html() -> Diagnostic {
    Diagnostic {
        code: Code::NotHtml,
        severity: Code::NotHtml.severity(),
        document: String::new(),
        span: Span::default(),
        message: "this is not HTML, so it has no META tags".to_owned(),
        help: Some("its headers still count".to_owned()),
    }
}

/// Returns the diagnostic for a document that is longer than the limit.
pub(super) fn truncated(document: &Document<'_>) -> Diagnostic {
    let end = document.text().len();
    Diagnostic {
        code: Code::Truncated,
        severity: Code::Truncated.severity(),
        document: String::new(),
        span: Span::new(end, end),
        message: "this is longer than the limit; the rest is not read".to_owned(),
        help: Some("see `byleave rule S-22`".to_owned()),
    }
}

/// Diagnostics from parsers that know the span but not the document.
#[derive(Default)]
pub(super) struct Noted(pub(super) Vec<Diagnostic>);

impl Noted {
    pub(super) fn notes(&mut self) -> impl FnMut(Code, (usize, usize), String, &'static str) {
        |code, (start, end), message, help| {
            // More diagnostics than this would not help the publisher.
            if self.0.len() < MAX_NOTES {
                let (severity, span, help) = (code.severity(), Span::new(start, end), Some(help.to_owned()));
                self.0.push(Diagnostic { code, severity, document: String::new(), span, message, help });
            }
        }
    }
}
