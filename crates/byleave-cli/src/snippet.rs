//! Snippets: lines of a document with the statements marked under them, as compilers show them.
//!
//! A long line is cut around its mark. What a terminal would act on is escaped, and the marks stay under
//! what they mark.

use crate::output::{Colour, Output, escaped, escaped_bytes};
use byleave::source::{Position, Span};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

/// Lines of a document, some of them marked.
pub struct Snippet<'t> {
    name: &'t str,
    text: &'t [u8],
    /// By line, then by where they begin.
    marks: BTreeMap<(u32, usize), Mark>,
    /// Further lines, shown so that the marked ones make sense.
    context: Vec<u32>,
    /// Where the reader should look first.
    place: Option<Position>,
}

struct Mark {
    span: Range<usize>,
    sign: &'static str,
    colour: Colour,
    label: String,
}

impl<'t> Snippet<'t> {
    /// Nothing of this document yet. `name` is shown as it is.
    pub fn new(name: &'t str, text: &'t [u8]) -> Self {
        Self { name, text, marks: BTreeMap::new(), context: Vec::new(), place: None }
    }

    /// Marks what matters.
    pub fn mark(&mut self, span: Span, place: Position, colour: Colour, label: String) {
        self.place = self.place.or(Some(place));
        let key = (place.line, span.range().start);
        self.marks.insert(key, Mark { span: span.range(), sign: "^", colour, label });
    }

    /// Marks what also bears on it.
    pub fn mark_lesser(&mut self, span: Span, place: Position, label: String) {
        self.place = self.place.or(Some(place));
        let mark = Mark { span: span.range(), sign: "-", colour: Colour::Lost, label };
        self.marks.entry((place.line, span.range().start)).or_insert(mark);
    }

    /// Shows these lines too.
    pub fn with_context(&mut self, lines: impl IntoIterator<Item = u32>) {
        self.context.extend(lines);
    }

    /// Writes it, if anything is marked. Gives the width of its margin.
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

    /// Whether anything is marked.
    pub fn is_empty(&self) -> bool {
        self.place.is_none()
    }

    fn write_line(&self, number: u32, line: &Range<usize>, margin: usize, out: &mut Output<'_>) -> io::Result<()> {
        let mut marks = self.marks.range((number, 0)..=(number, usize::MAX)).map(|(_, mark)| mark).peekable();
        let mut last = View::of(self.text, line, marks.peek().map(|mark| &mark.span));
        self.write_text(number, &last, margin, out)?;
        for mark in marks {
            // A long line is shown again where another part of it is marked.
            let view = View::of(self.text, line, Some(&mark.span));
            if view.shown != last.shown {
                self.write_text(number, &view, margin, out)?;
            }
            write_mark(mark, &view, margin, out)?;
            last = view;
        }
        Ok(())
    }

    fn write_text(&self, number: u32, view: &View, margin: usize, out: &mut Output<'_>) -> io::Result<()> {
        let numbered = format!("{number:margin$} |");
        let numbered = out.paint(Colour::Margin, &numbered);
        if view.shown.is_empty() { writeln!(out, "{numbered}") } else { writeln!(out, "{numbered} {}", view.shown) }
    }

    /// The lines to show by number: marked ones, context, and gaps too small to be worth a sign.
    fn shown_lines(&self) -> BTreeMap<u32, Range<usize>> {
        let marked = self.marks.keys().map(|(line, _)| *line);
        let mut wanted: Vec<u32> = marked.chain(self.context.iter().copied()).collect();
        wanted.sort_unstable();
        let small_gaps = wanted.windows(2).filter_map(|pair| match pair {
            [from, to] if to.saturating_sub(*from) <= SMALLEST_GAP => Some(*from + 1..*to),
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

/// A line as shown, and where its mark goes under it.
struct View {
    shown: String,
    indent: usize,
    length: usize,
}

impl View {
    fn of(text: &[u8], line: &Range<usize>, mark: Option<&Range<usize>>) -> Self {
        let mark = mark.cloned().unwrap_or(line.start..line.start);
        let mark = mark.start.clamp(line.start, line.end)..mark.end.clamp(line.start, line.end);
        let from = if mark.start - line.start > LONGEST_LEAD { mark.start - LEAD_KEPT } else { line.start };
        let from = (from..mark.start).find(|at| !is_inside_letter(text, *at)).unwrap_or(from);
        let piece = |range: Range<usize>| text.get(range).unwrap_or_default();
        let mut shown = String::new();
        if from > line.start {
            shown.push('…');
        }
        shown.push_str(&escaped_bytes(piece(from..mark.start)));
        let indent = shown.chars().count();
        // No letter is shown narrower than nothing: this many bytes are always enough.
        let most = WIDEST_LINE.saturating_sub(indent);
        let marked = escaped_bytes(piece(mark.start..mark.end.min(mark.start + most * LONGEST_LETTER)));
        let length = marked.chars().count().min(most);
        shown.push_str(&marked);
        if length < most {
            shown.push_str(&escaped_bytes(piece(mark.end..line.end.min(mark.end + most * LONGEST_LETTER))));
        }
        let shown = crate::output::shortened(shown.trim_end(), WIDEST_LINE).into_owned();
        Self { shown, indent, length }
    }
}

/// Whether the byte here goes on a UTF-8 letter begun before.
fn is_inside_letter(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80)
}

fn write_mark(mark: &Mark, view: &View, margin: usize, out: &mut Output<'_>) -> io::Result<()> {
    let signs = mark.sign.repeat(view.length.max(1));
    let indent = view.indent;
    write_bar(out, margin)?;
    write!(out, " {:indent$}{}", "", out.paint(mark.colour, &signs))?;
    if mark.label.is_empty() {
        return out.write_all(b"\n");
    }
    let label = escaped(&mark.label);
    if indent + signs.len() + label.chars().count() > WIDEST_WITH_LABEL {
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

/// Each line without its end. CR, LF and CRLF each end one, as in [`Position`].
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

/// What stands before a mark is cut where it is longer than this.
const LONGEST_LEAD: usize = 40;
const LEAD_KEPT: usize = 20;
const WIDEST_LINE: usize = 100;
const WIDEST_WITH_LABEL: usize = 110;
const LONGEST_LETTER: usize = 4;
/// Two lines this far apart or nearer are shown with what is between them.
const SMALLEST_GAP: u32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_places_say() {
        let text = b"a\nb\r\nc\rd\n";
        let found: Vec<_> = lines(text).map(|line| text.get(line).unwrap_or_default()).collect();
        assert_eq!(found, [&b"a"[..], b"b", b"c", b"d", b""]);
        for (number, line) in (1..).zip(lines(text)) {
            assert_eq!(Position::of(text, line.start as u32), Position { line: number, column: 1 });
        }
    }

    #[test]
    fn a_mark_stays_under_what_it_marks() {
        let text = b"\x1bx: \xff\tDisallow: /caf\xc3\xa9 # end";
        let at = text.iter().position(|byte| *byte == b'D').unwrap_or(0);
        let view = View::of(text, &(0..text.len()), Some(&(at..text.len() - 6)));
        assert_eq!(view.shown, "\\x1bx: \\xff\\tDisallow: /café # end");
        let marked: String = view.shown.chars().skip(view.indent).take(view.length).collect();
        assert_eq!(marked, "Disallow: /café");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let text = [&b"\xc3\xa9".repeat(5000)[..], b"Disallow: /", &b"x".repeat(100_000)].concat();
        let view = View::of(&text, &(0..text.len()), Some(&(10_000..text.len())));
        assert!(view.shown.starts_with("…éé") && view.shown.ends_with("xx…") && view.shown.chars().count() <= 101);
        let marked: String = view.shown.chars().skip(view.indent).take(view.length).collect();
        assert!(marked.starts_with("Disallow: /x"));
        let view = View::of(&text, &(0..text.len()), None);
        assert!(view.shown.chars().count() <= 101 && view.indent == 0);
    }
}
