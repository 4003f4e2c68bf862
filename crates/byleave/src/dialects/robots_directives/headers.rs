//! The directives in the header fields `Robots-Tag` and `X-Robots-Tag`, and whom each directive addresses (S-17, S-23).
//!
//! The grammar of each field is in a file of its own. `site` writes the texts of diagnostics.

use super::{Directive, DirectiveError, robots_tag, x_robots_tag};
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::formats::http::Headers;
use crate::model::crawler::is_any;
use crate::model::diagnostic::Code;
use std::borrow::Cow;

impl Headers {
    /// Calls `found` with every directive in the header fields, and with every fault in them. If a field is longer than
    /// the limit, a fault with [`Code::HeaderTooLong`] reports the rest that was not parsed (S-22).
    ///
    /// Cost: O(text).
    pub(crate) fn parse_directives(&self, limits: &Limits, found: &mut dyn FnMut(HeaderFinding<'_>)) {
        for (line, span) in self.malformed_lines() {
            found(HeaderFinding::Fault(HeaderFault { code: Code::NotAField, line, span }));
        }
        let of = |field: HeaderField| self.named(field.name()).collect::<Vec<_>>();
        robots_tag::parse(&of(HeaderField::RobotsTag), limits, found);
        for line in of(HeaderField::XRobotsTag) {
            x_robots_tag::parse(&line, limits, found);
        }
    }
}

/// A header field that contains directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderField {
    RobotsTag,
    XRobotsTag,
}

impl HeaderField {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::RobotsTag => "Robots-Tag",
            Self::XRobotsTag => "X-Robots-Tag",
        }
    }
}

/// A directive or a fault in the header fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeaderFinding<'h> {
    Directive(HeaderDirective<'h>),
    Fault(HeaderFault),
}

/// A directive in a header field, and whom it addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderDirective<'h> {
    pub(crate) field: HeaderField,
    pub(crate) addressee: DirectiveAddressee<'h>,
    /// The directive's effect, or why it has no effect.
    pub(crate) parsed: Result<Directive, DirectiveError>,
    /// The directive's line in the text of the header fields, from 0.
    pub(crate) line: usize,
    /// The span of the statement in the text of the header fields. The statement is a member of `Robots-Tag`, or the
    /// whole value of `X-Robots-Tag`.
    pub(crate) statement: Span,
    /// The span of the directive and its value in the text of the header fields.
    pub(crate) span: Span,
}

/// The crawlers that a directive addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DirectiveAddressee<'h> {
    Everyone,
    /// The name as written, unescaped. Names are compared as in S-35.
    Named(Cow<'h, [u8]>),
}

impl<'h> DirectiveAddressee<'h> {
    /// Returns the addressee for a name before a colon. Some publishers repeat the field's own name there, which
    /// addresses everyone.
    pub(crate) fn before_colon(name: &'h [u8]) -> Self {
        let everyone = [&b""[..], b"robots", b"robots-tag", b"x-robots-tag"];
        let is_everyone = is_any(name) || everyone.iter().any(|one| name.eq_ignore_ascii_case(one));
        if is_everyone { Self::Everyone } else { Self::Named(Cow::Borrowed(name)) }
    }
}

/// A fault in the header fields, to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeaderFault {
    pub(crate) code: Code,
    pub(crate) line: usize,
    /// The span of the fault in the text of the header fields.
    pub(crate) span: Span,
}
