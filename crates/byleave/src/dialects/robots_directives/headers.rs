//! The directives of the header fields `Robots-Tag` and `X-Robots-Tag`, and whom each addresses (S-17, S-23).

use super::{Directive, Unread, robots_tag, x_robots_tag};
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::formats::http::Headers;
use crate::model::crawler::is_any;
use crate::model::diagnostic::Code;
use std::borrow::Cow;

impl Headers {
    /// Calls `found` with everything that the header fields say of uses, and with what was noticed. Where
    /// something is unread for its length, a note with [`Code::HeaderTooLong`] tells of it (S-22).
    ///
    /// Cost: O(text).
    pub(crate) fn heard(&self, limits: &Limits, found: &mut dyn FnMut(Found<'_>)) {
        for (line, span) in self.malformed_lines() {
            found(Found::Note(Note { code: Code::NotAField, line, span }));
        }
        let of = |field: HeaderField| self.named(field.name()).collect::<Vec<_>>();
        robots_tag::read(&of(HeaderField::RobotsTag), limits, found);
        for line in of(HeaderField::XRobotsTag) {
            x_robots_tag::read(&line, limits, found);
        }
    }
}

/// A header field that says something of uses.
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

/// What is found in the header fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found<'h> {
    Said(Said<'h>),
    Note(Note),
}

/// One word of a header field, and whom it addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said<'h> {
    pub(crate) field: HeaderField,
    pub(crate) whom: Whom<'h>,
    /// What it comes to, or why it is not read.
    pub(crate) read: Result<Directive, Unread>,
    /// Which line of the text it stands in, from 0.
    pub(crate) line: usize,
    /// The statement, in the text of the header fields: the member of `Robots-Tag`, the whole value of
    /// `X-Robots-Tag`.
    pub(crate) span: Span,
    /// The word with its value, in that text.
    pub(crate) word: Span,
}

/// Whom a word addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Whom<'h> {
    Everyone,
    /// The name as written, unescaped; how it is compared is S-35.
    Named(Cow<'h, [u8]>),
}

impl<'h> Whom<'h> {
    /// Whom a name before a colon means. The field's own name is what somebody wrote twice.
    pub(crate) fn before_colon(name: &'h [u8]) -> Self {
        let everyone = [&b""[..], b"robots", b"robots-tag", b"x-robots-tag"];
        let is_everyone = is_any(name) || everyone.iter().any(|one| name.eq_ignore_ascii_case(one));
        if is_everyone { Self::Everyone } else { Self::Named(Cow::Borrowed(name)) }
    }
}

/// Something noticed in the header fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) code: Code,
    pub(crate) line: usize,
    /// Where it is, in the text of the header fields.
    pub(crate) span: Span,
}
