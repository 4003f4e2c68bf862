//! The lossless tree: every byte of a robots.txt file is in exactly one leaf.
//!
//! The tree is built only for explaining, linting and fixing. It is built with the same lexer that compiling a policy
//! uses.

use super::{Line, Lines, Separator};
use crate::base::source::Span;

/// A robots.txt file as a sequence of leaves that contains every byte.
#[derive(Clone, Debug)]
pub struct Tree<'t> {
    text: &'t [u8],
    body: usize,
    read: usize,
    lines: Vec<Line>,
}

/// A part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The kind of the part.
    pub kind: LeafKind,
    /// Where the part is.
    pub span: Span,
}

/// The kinds of leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LeafKind {
    /// The byte order mark.
    ByteOrderMark,
    /// Blanks before the name.
    Indent,
    /// The field's name, or the whole content of a line that is not a field.
    Name,
    /// The colon with the blanks around it, or the blanks that replace it.
    Separator,
    /// The value.
    Value,
    /// Blanks after the content.
    Trailing,
    /// The comment, including its `#`.
    Comment,
    /// CR, LF or CRLF.
    LineEnd,
    /// The text beyond the limit, which is not read (S-22).
    Unread,
}

impl<'t> Tree<'t> {
    /// Parses `text`. Its lines begin at `body`, after a byte order mark, and are read up to the offset `read`.
    #[must_use]
    pub(crate) fn new(text: &'t [u8], body: usize, read: usize) -> Self {
        let read_text = text.get(..read).unwrap_or(text);
        let lines = Lines::new(read_text, body).collect();
        Self { text, body, read: read_text.len(), lines }
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Returns the lines, in order.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns all leaves in order. Their spans cover the whole text without gaps.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf> + '_ {
        let mark = Leaf { kind: LeafKind::ByteOrderMark, span: Span::new(0, self.body) };
        let unread = Leaf { kind: LeafKind::Unread, span: Span::new(self.read, self.text.len()) };
        std::iter::once(mark)
            .chain(self.lines.iter().flat_map(Line::leaves))
            .chain(std::iter::once(unread))
            .filter(|leaf| !leaf.span.is_empty())
    }

    /// Returns the text with the bytes of one leaf replaced.
    #[must_use]
    pub fn replaced(&self, leaf: Leaf, bytes: &[u8]) -> Vec<u8> {
        let range = leaf.span.range();
        let before = self.text.get(..range.start).unwrap_or_default();
        let after = self.text.get(range.end..).unwrap_or_default();
        [before, bytes, after].concat()
    }
}

impl Line {
    /// Returns the parts of the line in order. Some may be empty. Together they cover the line, including its line end.
    pub fn leaves(&self) -> impl Iterator<Item = Leaf> + use<> {
        let separator_end = if self.separator == Separator::Missing { self.name.1 } else { self.value.0 };
        let value_end = if self.separator == Separator::Missing { self.name.1 } else { self.value.1 };
        let bounds = [
            (LeafKind::Indent, self.start, self.name.0),
            (LeafKind::Name, self.name.0, self.name.1),
            (LeafKind::Separator, self.name.1, separator_end),
            (LeafKind::Value, separator_end, value_end),
            (LeafKind::Trailing, value_end, self.comment),
            (LeafKind::Comment, self.comment, self.end),
            (LeafKind::LineEnd, self.end, self.next),
        ];
        bounds.into_iter().map(|(kind, start, end)| Leaf { kind, span: Span::new(start, end) })
    }
}
