//! Positions in a document: byte spans, and the lines and columns derived from them.
//!
//! A span does not store its line number. The line is computed from the text when it is shown to a person, because
//! counting line ends is fast. A `Location` also stores the line, so that it can be used without the text.

/// A half-open range of bytes in one document.
///
/// ```
/// use byleave::{Reading, diagnostic::diagnose};
/// let robots_txt = b"User-agent: *\nDisallow: private/\n";
/// let found = diagnose(robots_txt, Reading::Default);
/// assert_eq!(found[0].span.of(robots_txt), b"private/");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span between two offsets. Offsets above `u32::MAX` are clamped, but no document is that long.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let hold = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: hold(start), end: hold(end) }
    }

    /// Returns the bytes of `text` in this span, or an empty slice if the span is outside the text.
    #[must_use]
    pub fn of<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        text.get(self.range()).unwrap_or_default()
    }

    /// Returns the span as a range of offsets.
    #[must_use]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the number of bytes in the span.
    #[must_use]
    pub fn len(&self) -> usize {
        self.range().len()
    }

    /// Returns whether the span contains no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start >= self.end
    }
}

/// A line and a column, both counted from 1. Columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1. CR, LF and CRLF each end a line.
    pub line: u32,
    /// The byte's position in the line, from 1.
    pub column: u32,
}

impl Position {
    /// Returns the position of the byte at `offset` in `text`. To find many positions, use [`LineStarts`].
    ///
    /// Cost: one pass over the text before `offset`.
    #[must_use]
    pub fn of(text: &[u8], offset: u32) -> Self {
        LineStarts::of(text.get(..offset as usize + 1).unwrap_or(text)).position(offset)
    }
}

/// The offset at which each line of a text begins.
#[derive(Clone, Debug)]
pub struct LineStarts {
    starts: Vec<u32>,
}

impl LineStarts {
    /// Finds the lines of `text`. CR, LF and CRLF each end a line.
    ///
    /// Cost: one pass over the text.
    #[must_use]
    pub fn of(text: &[u8]) -> Self {
        let is_first_of_two = |end: usize| text.get(end..end + 2) == Some(b"\r\n");
        let ends = memchr::memchr2_iter(b'\n', b'\r', text).filter(|end| !is_first_of_two(*end));
        let starts = ends.map(|end| u32::try_from(end + 1).unwrap_or(u32::MAX));
        Self { starts: std::iter::once(0).chain(starts).collect() }
    }

    /// Returns the position of the byte at `offset`.
    ///
    /// Cost: O(log lines).
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        Position { line: u32::try_from(line).unwrap_or(u32::MAX), column: (offset - start).saturating_add(1) }
    }

    /// Returns the offset at which a line starts, or `None` if the text has fewer lines. Lines are counted from 1.
    #[must_use]
    pub fn start(&self, line: u32) -> Option<u32> {
        self.starts.get((line as usize).checked_sub(1)?).copied()
    }
}

/// A range of entries in a table, or of bytes in an arena.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TableRange {
    pub(crate) start: u32,
    pub(crate) length: u32,
}

impl TableRange {
    /// Returns the entries in this range of `table`.
    pub(crate) fn of<T>(self, table: &[T]) -> &[T] {
        let start = self.start as usize;
        table.get(start..start + self.length as usize).unwrap_or_default()
    }
}

/// Where a field is written, as a span with its line and column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Location {
    /// The start of the span, which is the first byte of the name. The span ends after the value.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Location {
    /// Returns the bytes of `text` at this location.
    pub(crate) fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_every_kind_of_line_end() {
        let text = b"a\nb\r\nc\rd";
        let position = |offset| Position::of(text, offset);
        assert_eq!(position(0), Position { line: 1, column: 1 });
        assert_eq!(position(2), Position { line: 2, column: 1 });
        assert_eq!(position(5), Position { line: 3, column: 1 });
        assert_eq!(position(7), Position { line: 4, column: 1 });
        assert_eq!(position(1), Position { line: 1, column: 2 });
        assert_eq!(LineStarts::of(text).position(8), Position { line: 4, column: 2 });
    }
}
