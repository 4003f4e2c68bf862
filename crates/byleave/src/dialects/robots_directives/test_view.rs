//! The directives in header fields and META contents as plain data, for tests outside the crate.
//!
//! This is not part of the public API. Decisions use the same parsers: `Headers::parse_directives` and
//! `directive::content`.

use super::{DirectiveAddressee, HeaderFinding};
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::dialects::robots_directives::{Directive, DirectiveError, content};
use crate::formats::http::Headers;
use crate::model::diagnostic::Code;

/// A parsed directive as plain data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirectiveView {
    /// `Robots-Tag`, `X-Robots-Tag` or `META`.
    pub field: &'static str,
    /// The crawler that the directive names, or `None` for everyone.
    pub crawler: Option<Vec<u8>>,
    /// The directive's name in the table, or `None` if it is unknown.
    pub directive: Option<&'static str>,
    /// The directive's effect, or the error code.
    pub effect: String,
    /// The directive's line, from 0.
    pub line: usize,
    /// Where the statement is.
    pub statement: Span,
    /// Where the directive is.
    pub span: Span,
}

impl Headers {
    /// Returns every directive in the header fields, and the code and span of every fault.
    #[doc(hidden)]
    #[must_use]
    pub fn directive_views(&self, limits: &Limits) -> (Vec<DirectiveView>, Vec<(Code, Span)>) {
        let (mut views, mut faults) = (Vec::new(), Vec::new());
        self.parse_directives(limits, &mut |found| match found {
            HeaderFinding::Directive(directive) => {
                let crawler = match directive.addressee {
                    DirectiveAddressee::Everyone => None,
                    DirectiveAddressee::Named(name) => Some(name.into_owned()),
                };
                let (name, effect) = shown(directive.parsed);
                let field = directive.field.name();
                views.push(DirectiveView {
                    field,
                    crawler,
                    directive: name,
                    effect,
                    line: directive.line,
                    statement: directive.statement,
                    span: directive.span,
                });
            }
            HeaderFinding::Fault(fault) => faults.push((fault.code, fault.span)),
        });
        (views, faults)
    }
}

/// Returns every directive in the content of a conventional META tag.
#[doc(hidden)]
#[must_use]
pub fn meta_directive_views(text: &[u8]) -> Vec<DirectiveView> {
    let mut views = Vec::new();
    content(text, &mut |(start, end), parsed| {
        let ((name, effect), span) = (shown(parsed), Span::new(start, end));
        views.push(DirectiveView {
            field: "META",
            crawler: None,
            directive: name,
            effect,
            line: 0,
            statement: span,
            span,
        });
    });
    views
}

fn shown(parsed: Result<Directive, DirectiveError>) -> (Option<&'static str>, String) {
    match parsed {
        Ok(directive) => (Some(directive.known.name), format!("{:?}", directive.effect)),
        Err(DirectiveError::Unknown) => (None, DirectiveError::Unknown.code().name().to_owned()),
        Err(error @ (DirectiveError::MissingValue(known) | DirectiveError::UnreadableValue(known))) => {
            (Some(known.name), error.code().name().to_owned())
        }
    }
}
