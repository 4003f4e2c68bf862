//! Annotated source: lines of a document with marks under them, as in compiler messages.
//!
//! Long lines are shortened around the mark. Characters that would control a terminal are escaped, and the marks stay
//! aligned with the marked text.

use crate::output::{Colour, Output, escaped, escaped_bytes};
use byleave::analysis::source::{Position, Span};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

/// Lines of a document, with marks under them.
pub struct AnnotatedSource<'t> {
    name: &'t str,
    text: &'t [u8],
    /// The marks, keyed by line number and start offset.
    marks: BTreeMap<(u32, usize), Mark>,
    /// Further lines to show as context.
    context: Vec<u32>,
    /// The position of the first mark. The heading shows it.
    place: Option<Position>,
}

struct Mark {
    span: Range<usize>,
    sign: &'static str,
    colour: Colour,
    label: String,
}

impl<'t> AnnotatedSource<'t> {
    /// Creates an annotation without marks. `name` is the document name to show, already escaped.
    pub fn new(name: &'t str, text: &'t [u8]) -> Self {
        Self { name, text, marks: BTreeMap::new(), context: Vec::new(), place: None }
    }

    /// Adds a mark.
    pub fn mark(&mut self, span: Span, place: Position, colour: Colour, label: String) {
        self.place = self.place.or(Some(place));
        let key = (place.line, span.range().start);
        self.marks.insert(key, Mark { span: span.range(), sign: "^", colour, label });
    }

    /// Adds a mark for a related place, unless there is a mark at this place already.
    pub fn mark_related(&mut self, span: Span, place: Position, label: String) {
        self.place = self.place.or(Some(place));
        let mark = Mark { span: span.range(), sign: "-", colour: Colour::Lost, label };
        self.marks.entry((place.line, span.range().start)).or_insert(mark);
    }

    /// Shows these lines too, even if they have no marks.
    pub fn with_context(&mut self, lines: impl IntoIterator<Item = u32>) {
        self.context.extend(lines);
    }

    /// Writes the marked lines and their context. Returns the width of the margin. Writes nothing if there are no
    /// marks.
    ///
    /// Cost: one pass over the document up to the last line shown.
    pub fn write(&self, out: &mut Output<'_>) -> io::Result<usize> {
        let Some(place) = self.place else { return Ok(1) };
        let lines = self.shown_lines();
        let margin = lines.keys().last().map_or(1, |line| line.to_string().len());
        let arrow = format!("{:margin$}-->", "");
        writeln!(out, "{} {}:{}:{}", out.paint(Colour::Margin, &arrow), self.name, place.line, place.column)?;
        write_bar(out, margin)?;
        out.write_all(b"\n")?;
        let mut previous = None;
        for (number, line) in &lines {
            if previous.is_some_and(|previous| previous + 1 < *number) {
                writeln!(out, "{}", out.paint(Colour::Margin, "..."))?;
            }
            previous = Some(*number);
            self.write_line(*number, line, margin, out)?;
        }
        Ok(margin)
    }

    /// Returns whether there are no marks.
    pub fn is_empty(&self) -> bool {
        self.place.is_none()
    }

    fn write_line(&self, number: u32, line: &Range<usize>, margin: usize, out: &mut Output<'_>) -> io::Result<()> {
        let mut marks = self.marks.range((number, 0)..=(number, usize::MAX)).map(|(_, mark)| mark).peekable();
        let mut last = LineView::of(self.text, line, marks.peek().map(|mark| &mark.span));
        self.write_text(number, &last, margin, out)?;
        for mark in marks {
            // A long line is shown again if the next mark is outside the part that was shown.
            let view = LineView::of(self.text, line, Some(&mark.span));
            if view.shown != last.shown {
                self.write_text(number, &view, margin, out)?;
            }
            write_mark(mark, &view, margin, out)?;
            last = view;
        }
        Ok(())
    }

    fn write_text(&self, number: u32, view: &LineView, margin: usize, out: &mut Output<'_>) -> io::Result<()> {
        let numbered = format!("{number:margin$} |");
        let numbered = out.paint(Colour::Margin, &numbered);
        if view.shown.is_empty() { writeln!(out, "{numbered}") } else { writeln!(out, "{numbered} {}", view.shown) }
    }

    /// Returns the lines to show, keyed by line number: marked lines, context lines, and short gaps between them.
    fn shown_lines(&self) -> BTreeMap<u32, Range<usize>> {
        let marked = self.marks.keys().map(|(line, _)| *line);
        let mut wanted: Vec<u32> = marked.chain(self.context.iter().copied()).collect();
        wanted.sort_unstable();
        let small_gaps = wanted.windows(2).filter_map(|pair| match pair {
            [from, to] if to.saturating_sub(*from) <= MAX_FILLED_GAP => Some(*from + 1..*to),
            _ => None,
        });
        let gaps: Vec<u32> = small_gaps.flatten().collect();
        wanted.extend(gaps);
        wanted.sort_unstable();
        let last = wanted.last().copied().unwrap_or(0);
        let numbered = (1..=last).zip(lines(self.text));
        numbered.filter(|(number, _)| wanted.binary_search(number).is_ok()).collect()
    }
}

/// The visible part of a line, and the position of a mark under it.
struct LineView {
    shown: String,
    indent: usize,
    length: usize,
}

impl LineView {
    fn of(text: &[u8], line: &Range<usize>, mark: Option<&Range<usize>>) -> Self {
        let mark = mark.cloned().unwrap_or(line.start..line.start);
        let mark = mark.start.clamp(line.start, line.end)..mark.end.clamp(line.start, line.end);
        let from = if mark.start - line.start > MAX_LEAD { mark.start - LEAD_KEPT } else { line.start };
        let from = (from..mark.start).find(|at| !is_inside_letter(text, *at)).unwrap_or(from);
        let piece = |range: Range<usize>| text.get(range).unwrap_or_default();
        let mut shown = String::new();
        if from > line.start {
            shown.push('…');
        }
        shown.push_str(&escaped_bytes(piece(from..mark.start)));
        let indent = shown.chars().count();
        // A character has at most `MAX_LETTER_BYTES` bytes and takes at least one column, so these bytes fill the
        // width.
        let most = MAX_LINE_WIDTH.saturating_sub(indent);
        let marked = escaped_bytes(piece(mark.start..mark.end.min(mark.start + most * MAX_LETTER_BYTES)));
        let length = marked.chars().count().min(most);
        shown.push_str(&marked);
        if length < most {
            shown.push_str(&escaped_bytes(piece(mark.end..line.end.min(mark.end + most * MAX_LETTER_BYTES))));
        }
        let shown = crate::output::shortened(shown.trim_end(), MAX_LINE_WIDTH).into_owned();
        Self { shown, indent, length }
    }
}

/// Returns whether the byte at this offset continues a UTF-8 character.
fn is_inside_letter(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80)
}

fn write_mark(mark: &Mark, view: &LineView, margin: usize, out: &mut Output<'_>) -> io::Result<()> {
    let signs = mark.sign.repeat(view.length.max(1));
    let indent = view.indent;
    write_bar(out, margin)?;
    write!(out, " {:indent$}{}", "", out.paint(mark.colour, &signs))?;
    if mark.label.is_empty() {
        return out.write_all(b"\n");
    }
    let label = escaped(&mark.label);
    if indent + signs.len() + label.chars().count() > MAX_WIDTH_WITH_LABEL {
        out.write_all(b"\n")?;
        write_bar(out, margin)?;
        write!(out, " {:indent$}", "")?;
    } else {
        out.write_all(b" ")?;
    }
    writeln!(out, "{}", out.paint(mark.colour, &label))
}

fn write_bar(out: &mut Output<'_>, margin: usize) -> io::Result<()> {
    let bar = format!("{:margin$} |", "");
    write!(out, "{}", out.paint(Colour::Margin, &bar))
}

/// Returns the range of each line, without its line ending. CR, LF and CRLF end a line, as in [`Position`].
pub fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = Some(0);
    std::iter::from_fn(move || {
        let start = at?;
        let rest = text.get(start..)?;
        let Some(length) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            at = None;
            return Some(start..text.len());
        };
        let end = start + length;
        let is_two = rest.get(length..length + 2) == Some(b"\r\n");
        at = Some(end + if is_two { 2 } else { 1 });
        Some(start..end)
    })
}

/// If more than this many bytes precede a mark in its line, only the last `LEAD_KEPT` bytes of them are shown.
const MAX_LEAD: usize = 40;
const LEAD_KEPT: usize = 20;
const MAX_LINE_WIDTH: usize = 100;
const MAX_WIDTH_WITH_LABEL: usize = 110;
const MAX_LETTER_BYTES: usize = 4;
/// If the numbers of two shown lines differ by at most this, the lines between them are shown too.
const MAX_FILLED_GAP: u32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_places() {
        let text = b"a\nb\r\nc\rd\n";
        let found: Vec<_> = lines(text).map(|line| text.get(line).unwrap_or_default()).collect();
        assert_eq!(found, [&b"a"[..], b"b", b"c", b"d", b""]);
        for (number, line) in (1..).zip(lines(text)) {
            assert_eq!(Position::of(text, line.start as u32), Position { line: number, column: 1 });
        }
    }

    #[test]
    fn a_mark_stays_under_the_marked_text() {
        let text = b"\x1bx: \xff\tDisallow: /caf\xc3\xa9 # end";
        let at = text.iter().position(|byte| *byte == b'D').unwrap_or(0);
        let view = LineView::of(text, &(0..text.len()), Some(&(at..text.len() - 6)));
        assert_eq!(view.shown, "\\x1bx: \\xff\\tDisallow: /café # end");
        let marked: String = view.shown.chars().skip(view.indent).take(view.length).collect();
        assert_eq!(marked, "Disallow: /café");
    }

    #[test]
    fn long_lines_are_shortened_around_the_mark() {
        let text = [&b"\xc3\xa9".repeat(5000)[..], b"Disallow: /", &b"x".repeat(100_000)].concat();
        let view = LineView::of(&text, &(0..text.len()), Some(&(10_000..text.len())));
        assert!(view.shown.starts_with("…éé") && view.shown.ends_with("xx…") && view.shown.chars().count() <= 101);
        let marked: String = view.shown.chars().skip(view.indent).take(view.length).collect();
        assert!(marked.starts_with("Disallow: /x"));
        let view = LineView::of(&text, &(0..text.len()), None);
        assert!(view.shown.chars().count() <= 101 && view.indent == 0);
    }
}
