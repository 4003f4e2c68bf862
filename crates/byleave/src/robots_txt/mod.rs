//! Splits robots.txt into lines, and each line into its parts.
//!
//! There is only one lexer. Compiling a policy uses its [`Line`]s directly, and [`Tree`] stores them. The lexer records
//! what is written, right or wrong, and does not interpret it.

mod field;
mod tree;

pub use field::{Field, Role};
pub(crate) use field::{classify, is_space};
pub use tree::{Leaf, LeafKind, Tree};

use crate::base::scan::{Lanes, WIDTH};

/// The separator between a field's name and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// A colon, with or without blanks around it.
    Colon,
    /// Only blanks, on a line with exactly two words.
    Blanks,
    /// No separator, because the line is blank, a comment, or not a field.
    Missing,
}

/// One line and its parts. All offsets are in bytes from the start of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The start of the line.
    pub start: usize,
    /// The field's name without surrounding blanks, or the whole content if there is no separator.
    pub name: (usize, usize),
    /// The separator between name and value.
    pub separator: Separator,
    /// The value without surrounding blanks.
    pub value: (usize, usize),
    /// The start of the comment, at its `#`. If there is no comment, the end of the content.
    pub comment: usize,
    /// The end of the content and the comment, which is the first byte of the line end.
    pub end: usize,
    /// The start of the next line.
    pub next: usize,
    /// Whether the value may contain wildcards, escapes, or octets that must be escaped. Only `Allow` and `Disallow`
    /// are checked. For other fields this is always true.
    pub is_special: bool,
    /// The field, if it is one of the most common ones.
    pub(crate) common: Option<CommonField>,
}

/// The fields that occur on about nine out of ten lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommonField {
    Disallow,
    Allow,
    UserAgent,
}

/// An iterator over the lines in a text.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Lines<'t> {
    /// Returns the lines in `text`, starting at the byte `at`.
    #[must_use]
    pub fn new(text: &'t [u8], at: usize) -> Self {
        Self { text, at }
    }
}

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        (self.at < self.text.len()).then(|| {
            let line = Line::read(self.text, self.at);
            self.at = line.next;
            line
        })
    }
}

impl Line {
    /// Returns the range from the start of the name to the end of the value.
    pub(crate) fn content(&self) -> (usize, usize) {
        (self.name.0, self.value.1.max(self.name.1))
    }

    /// Parses the line in `text` that begins at `start`.
    ///
    /// Cost: one pass over the line, sixteen bytes at a time.
    #[inline(always)]
    pub(crate) fn read(text: &[u8], start: usize) -> Self {
        let name_start = skip_blanks(text, start);
        let (common, colon, content) = match text.get(name_start) {
            None | Some(b'#' | b'\n' | b'\r') => (None, usize::MAX, name_start),
            Some(_) => match common_field(text, name_start) {
                Some((common, colon)) => (Some(common), colon, usize::MAX),
                None => {
                    let (colon, content) = first_colon_or_end(text, name_start);
                    (None, colon, content)
                }
            },
        };
        let (name_end, separator, value, comment, is_special) = if colon < content {
            let value_start = skip_blanks(text, colon + 1);
            let (content, is_special) = match common {
                Some(CommonField::Disallow | CommonField::Allow) => content_end(text, value_start),
                Some(CommonField::UserAgent) | None => (plain_content_end(text, value_start), true),
            };
            let value = (value_start, trim_blanks(text, value_start, content));
            (trim_blanks(text, name_start, colon), Separator::Colon, value, content, is_special)
        } else if content > name_start {
            let (name_end, separator, value) = without_colon(text, name_start, content);
            (name_end, separator, value, content, true)
        } else {
            (name_start, Separator::Missing, (content, content), content, false)
        };
        let end = if text.get(comment) == Some(&b'#') { comment_end(text, comment) } else { comment };
        let next = match text.get(end) {
            None => end,
            Some(b'\r') if text.get(end + 1) == Some(&b'\n') => end + 2,
            Some(_) => end + 1,
        };
        Self { start, name: (name_start, name_end), separator, value, comment, end, next, is_special, common }
    }
}

/// Parses a line without a colon. If the line has two words, the blanks between them replace the colon. Otherwise, the
/// line is not a field. Returns the end of the name, the separator and the value.
#[cold]
#[inline(never)]
fn without_colon(text: &[u8], start: usize, content: usize) -> (usize, Separator, (usize, usize)) {
    let end = trim_blanks(text, start, content);
    let words = text.get(start..end).unwrap_or_default();
    let mut parts = words.split(is_blank).filter(|word| !word.is_empty());
    match (parts.next(), parts.next(), parts.next()) {
        (Some(name), Some(value), None) => (start + name.len(), Separator::Blanks, (end - value.len(), end)),
        _ => (end, Separator::Missing, (end, end)),
    }
}

/// Returns the common field name at the start of a line, and the offset of its colon. This is only a fast path. It
/// needs no search for the colon or the line end, because the letters before the colon contain neither.
#[inline(always)]
fn common_field(text: &[u8], from: usize) -> Option<(CommonField, usize)> {
    const LOWER: u64 = 0x2020_2020_2020_2020;
    const FIVE: u64 = 0xFF_FFFF_FFFF;
    let rest = text.get(from..)?;
    let first = u64::from_le_bytes(*rest.first_chunk::<8>()?) | LOWER;
    let (common, length) = if first == u64::from_le_bytes(*b"disallow") {
        (CommonField::Disallow, 8)
    } else if first & FIVE == u64::from_le_bytes(*b"allow\0\0\0") {
        (CommonField::Allow, 5)
    } else if first == u64::from_le_bytes(*b"user-age")
        // The hyphen is compared exactly, because the bit that makes letters lower case would turn a carriage return
        // into a hyphen.
        && rest.get(4) == Some(&b'-')
        && matches!(rest.get(8..10), Some([b'n' | b'N', b't' | b'T']))
    {
        (CommonField::UserAgent, 10)
    } else {
        return None;
    };
    (rest.get(length) == Some(&b':')).then_some((common, from + length))
}

/// Returns the offsets of the first colon and of the end of the content. Examines sixteen bytes at a time, and stops at
/// the first sixteen that contain a colon or an end. An offset that is not found by then is `usize::MAX`. The caller
/// ignores a colon after the end.
#[inline(always)]
fn first_colon_or_end(text: &[u8], from: usize) -> (usize, usize) {
    let mut at = from;
    loop {
        let lanes = Lanes::load(text, at);
        let (ends, colons) = (lanes.content_ends(), lanes.colons());
        if ends | colons != 0 {
            let colon = if colons == 0 { usize::MAX } else { at + colons.trailing_zeros() as usize };
            let end = if ends == 0 { usize::MAX } else { (at + ends.trailing_zeros() as usize).min(text.len()) };
            return (colon, end);
        }
        at += WIDTH;
    }
}

/// Returns the end of the content, and whether the content contains special bytes.
#[inline(always)]
fn content_end(text: &[u8], from: usize) -> (usize, bool) {
    let mut at = from;
    let mut specials = 0;
    loop {
        let lanes = Lanes::load(text, at);
        let (ends, found) = (lanes.content_ends(), lanes.specials());
        if ends != 0 {
            let before = (ends & ends.wrapping_neg()).wrapping_sub(1);
            return ((at + ends.trailing_zeros() as usize).min(text.len()), (specials | found & before) != 0);
        }
        specials |= found;
        at += WIDTH;
    }
}

/// Returns the end of the content.
#[inline(always)]
fn plain_content_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        let ends = Lanes::load(text, at).content_ends();
        if ends != 0 {
            return (at + ends.trailing_zeros() as usize).min(text.len());
        }
        at += WIDTH;
    }
}

#[inline(never)]
fn comment_end(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', rest).map_or(text.len(), |length| from + length)
}

#[inline(always)]
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[inline(always)]
fn skip_blanks(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while text.get(at).is_some_and(is_blank) {
        at += 1;
    }
    at
}

#[inline(always)]
fn trim_blanks(text: &[u8], start: usize, end: usize) -> usize {
    let mut at = end;
    while at > start && text.get(at - 1).is_some_and(is_blank) {
        at -= 1;
    }
    at
}
