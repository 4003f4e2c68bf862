//! Diagnostics for header fields, as sentences.
//!
//! The parsers find the problems. This file describes each problem and what to do about it.

use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::dialects::robots_directives;
use crate::dialects::robots_directives::Directive;
use crate::dialects::robots_directives::{DirectiveAddressee, HeaderFault, HeaderField, HeaderFinding};
use crate::formats::http::Headers;
use crate::model::diagnostic::{Code, Diagnostic, MAX_NOTES, shown};
use crate::site::response_preferences;
use std::collections::BTreeMap;

impl Headers {
    /// Returns the diagnostics for the header fields that concern crawlers, in the order of the fields. `document` is
    /// the document name to use in the diagnostics.
    ///
    /// ```
    /// use byleave::{Headers, Limits};
    /// let headers = Headers::new().with("Robots-Tag", "noindex");
    /// let found = headers.diagnose("headers", &Limits::default());
    /// assert_eq!(found[0].code.name(), "rule-as-name");
    /// ```
    #[must_use]
    pub fn diagnose(&self, document: &str, limits: &Limits) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut push = |code: Code, span: Span, message: String, help: Option<&str>| {
            // More diagnostics than this would not help the publisher.
            if diagnostics.len() >= MAX_NOTES {
                return;
            }
            let (document, help) = (document.to_owned(), help.map(str::to_owned));
            diagnostics.push(Diagnostic { code, severity: code.severity(), document, span, message, help });
        };
        // The directives by line and addressee, to find contradictions among them.
        let mut known: BTreeMap<_, Vec<(Span, Directive)>> = BTreeMap::new();
        self.parse_directives(limits, &mut |found| match found {
            HeaderFinding::Directive(in_header) => match in_header.parsed {
                Ok(directive) => {
                    let whom = match in_header.addressee {
                        DirectiveAddressee::Everyone => None,
                        DirectiveAddressee::Named(name) => Some(name.to_ascii_lowercase()),
                    };
                    known.entry((in_header.line, whom)).or_default().push((in_header.span, directive));
                }
                Err(unread) => {
                    let (message, help) = unread.message(&self.shown(in_header.span));
                    push(unread.code(), in_header.span, message, help);
                }
            },
            HeaderFinding::Fault(note) => {
                let (message, help) = sentence(&note, &self.shown(note.span));
                push(note.code, note.span, message, help);
            }
        });
        for (permitting, restricting) in known.values().filter_map(|words| robots_directives::contradiction(words)) {
            let (message, help) = robots_directives::contradictory(&self.shown(permitting), &self.shown(restricting));
            push(Code::ContradictoryDirectives, permitting, message, Some(help));
        }
        response_preferences::notice_headers(self, &mut |code, (start, end), message, help| {
            push(code, Span::new(start, end), message, Some(help));
        });
        for line in self.lines() {
            let is_known = [HeaderField::RobotsTag, HeaderField::XRobotsTag]
                .iter()
                .any(|field| line.name.eq_ignore_ascii_case(field.name().as_bytes()));
            if !is_known
                && robots_directives::is_misspelt_carrier(line.name)
                && robots_directives::has_directives(line.value)
            {
                let message = format!("no crawler reads a header named `{}`", shown(line.name, (0, line.name.len())));
                push(Code::MisspeltCarrier, line.span, message, Some("write `X-Robots-Tag`"));
            }
        }
        diagnostics
    }

    fn shown(&self, span: Span) -> String {
        shown(self.text(), (span.start as usize, span.end as usize))
    }
}

/// Returns what is wrong and what to do about it.
fn sentence(note: &HeaderFault, written: &str) -> (String, Option<&'static str>) {
    const MEMBER: &str = "write each name, then its rules after semicolons, as in `*;noindex, ExampleBot;nosnippet`";
    match note.code {
        Code::NotAField => (format!("`{written}` is not a header field: it has no name before a colon"), None),
        Code::MalformedMember if written.is_empty() => ("this member is empty, so it is ignored".into(), Some(MEMBER)),
        Code::MalformedMember => {
            (format!("`{written}` is not a member of a structured field list, so it is ignored"), Some(MEMBER))
        }
        Code::RuleAsName => (
            format!(
                "`{written}` is in the place of a crawler's name; its rules count for the name before the colon, or \
                 for everyone if there is none"
            ),
            Some("put a name or `*` and a semicolon before the rules, as in `*;noindex`"),
        ),
        Code::NameWithoutRules => (
            format!("`{written}` names a crawler but no rule, so it has no effect"),
            Some("write the rules after it, as in `ExampleBot;noindex`"),
        ),
        Code::RobotsAsName => {
            (format!("`{written}` is not a crawler's name here; it means everyone"), Some("write `*`"))
        }
        Code::FalseRule => (format!("`{written}` is false, so it has no effect"), Some("remove it")),
        Code::EmptyName => ("this member names no crawler".into(), Some("write `*` for everyone")),
        Code::HeaderTooLong => ("the header is longer than the limit; the rest is not read".into(), None),
        // All remaining codes report a problem with a name.
        _ => (format!("`{written}` is not a crawler's name"), Some("write a token or a string")),
    }
}
