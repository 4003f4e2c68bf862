//! A page with some of its elements emptied, and the same byte for byte elsewhere.
//!
//! Which element a text or a start tag belongs to is known from the page's tree, wherever they are written. For the
//! rest the tree is built once more and asked at each token where it is being built: a comment goes there, and an end
//! tag goes with the elements that it closes.

use crate::dialects::search_marks::Mark;
use crate::formats::html::Decoded;
use crate::formats::html::elements::Elements;
use crate::formats::html::nodes::{Name, NodeElement, NodeId};
use crate::formats::html::texts::TextRun;
use crate::formats::html::tokens::{Tag, Token, Tokens};
use crate::formats::html::tree::{Keeping, StepResult, Tree, Work};
use crate::model::ElementId;

/// The page without what is in elements that are not kept, and without texts that are not. Of those elements themselves the
/// tags stay, with nothing but `class` and `id`; so do all tags and texts of kept elements inside. What was not read of the
/// page is left out (S-22). Comments that mark ranges stay.
///
/// It is in the encoding of [`Decoded::text`]; where that is not the page's own, it begins with the mark of UTF-8.
pub(crate) fn emptied(
    page: &Decoded<'_>,
    elements: &Elements,
    is_kept: &dyn Fn(ElementId) -> bool,
    is_text_kept: &dyn Fn(&TextRun) -> bool,
) -> Vec<u8> {
    let mut tree = Tree::new(page, Tokens::new(page.text(), page.start()), Work::default(), Keeping::Texts);
    let mut tokens: Vec<Placed<'_>> = Vec::new();
    let mut closed: Vec<NodeId> = Vec::new();
    let (place, is_whole) = loop {
        let (place, start) = (tree.place(), tree.position());
        match tree.step() {
            StepResult::Token(token) => {
                let may_close = match token {
                    Token::End(_) => true,
                    // As a second `<select>` in the first does.
                    Token::Start(_) => !tree.has_own(),
                    Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => false,
                };
                let closes = if may_close { tree.climb(place, &mut closed) } else { Some(0) };
                tokens.push(Placed { token, start, end: tree.position(), place, closes });
            }
            StepResult::End => break (place, !page.is_truncated()),
            StepResult::GivenUp => break (place, false),
        }
    };
    let numbers = tree.into_nodes().numbers();
    let kept = Kept { fates: Fates::of(elements, is_kept), numbers, is_kept, is_text_kept };
    let mut texts = elements.texts().to_vec();
    texts.sort_unstable_by_key(|text| text.span.start);
    let mut writer = Writer { page, elements, kept: &kept, texts, next_text: 0, has_body: false, written: Vec::new() };
    if page.is_transcoded() {
        writer.written.extend_from_slice(b"\xEF\xBB\xBF");
    }
    writer.written.extend_from_slice(page.text().get(..page.start()).unwrap_or_default());
    let mut end = page.start();
    let mut closed = closed.into_iter();
    for token in &tokens {
        let closed: Vec<NodeId> = closed.by_ref().take(token.closes.unwrap_or(0)).collect();
        writer.write(token, &closed);
        end = token.end;
    }
    // A tag that is never closed is no token.
    if is_whole && kept.has(place) {
        writer.written.extend_from_slice(page.text().get(end..).unwrap_or_default());
    }
    writer.written
}

/// A token, and where the tree was being built when it came.
struct Placed<'p> {
    token: Token<'p>,
    start: usize,
    end: usize,
    place: NodeId,
    /// How many elements it closes, if it is known.
    closes: Option<usize>,
}

/// What becomes of a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Stays,
    /// With its name, `class` and `id`.
    Bare,
    Goes,
}

/// What becomes of the start tags that made elements, by where they begin.
struct Fates(Vec<(u32, Fate)>);

impl Fates {
    fn of(elements: &Elements, is_kept: &dyn Fn(ElementId) -> bool) -> Self {
        let mut fates: Vec<(u32, Fate)> = Vec::new();
        for id in elements.ids() {
            let Some(tag) = elements.tag_start(id) else { continue };
            let is_page = matches!(elements.name(id), Name::Html | Name::Head | Name::Body);
            let is_outermost = is_page || elements.parent(id).is_none_or(is_kept);
            fates.push(match (is_kept(id), is_outermost) {
                (true, _) => (tag, Fate::Stays),
                (false, true) => (tag, Fate::Bare),
                (false, false) => (tag, Fate::Goes),
            });
        }
        // A formatting element may be made again: its tag stays where any of them does.
        fates.sort_unstable();
        fates.dedup_by_key(|(tag, _)| *tag);
        Self(fates)
    }

    fn get(&self, tag: usize) -> Option<Fate> {
        let found = self.0.binary_search_by_key(&tag, |(tag, _)| *tag as usize).ok()?;
        self.0.get(found).map(|(_, fate)| *fate)
    }
}

struct Kept<'k> {
    fates: Fates,
    numbers: Vec<Option<NodeElement>>,
    is_kept: &'k dyn Fn(ElementId) -> bool,
    is_text_kept: &'k dyn Fn(&TextRun) -> bool,
}

impl Kept<'_> {
    fn number(&self, node: NodeId) -> Option<NodeElement> {
        self.numbers.get(node.number()).copied().flatten()
    }

    /// Whether what is right inside a node is kept. What is outside of all elements goes with `html`.
    fn has(&self, node: NodeId) -> bool {
        (self.is_kept)(self.number(node).map_or(ElementId(0), NodeElement::element))
    }
}

struct Writer<'w, 'p> {
    page: &'w Decoded<'p>,
    elements: &'w Elements,
    kept: &'w Kept<'w>,
    /// In the order of the page.
    texts: Vec<TextRun>,
    /// The first that may reach beyond what is written.
    next_text: usize,
    /// Whether a tag was put in for a text with which `body` begins.
    has_body: bool,
    written: Vec<u8>,
}

impl Writer<'_, '_> {
    fn write(&mut self, placed: &Placed<'_>, closed: &[NodeId]) {
        let Placed { token, start, end, place, closes } = placed;
        let is_kept = self.kept.has(*place);
        match token {
            Token::Doctype(_) => self.copy(*start, *end),
            // What marks a range counts for what follows, too (S-49).
            Token::Comment(_) if is_kept || Mark::of(token, self.page.text()).is_some() => self.copy(*start, *end),
            Token::Comment(_) => {}
            Token::Start(tag) => {
                let otherwise = match is_kept {
                    // One that was ignored for a text before it must not come to count without that text.
                    true if tag.is("frameset") && self.written.len() < *start => Fate::Goes,
                    true => Fate::Stays,
                    false if self.closes_what_stays(*closes, closed) => Fate::Bare,
                    false => Fate::Goes,
                };
                match self.kept.fates.get(tag.span.start as usize).unwrap_or(otherwise) {
                    Fate::Stays => self.copy(*start, *end),
                    Fate::Bare => self.write_bare(tag),
                    Fate::Goes => {}
                }
            }
            Token::End(_) if is_kept => self.copy(*start, *end),
            Token::End(tag) => {
                let is_mark = *closes == Some(0) && Mark::of(token, self.page.text()).is_some();
                if is_mark || self.closes_what_stays(*closes, closed) {
                    self.written.extend_from_slice(b"</");
                    self.written.extend_from_slice(tag.name);
                    self.written.push(b'>');
                }
            }
            Token::Text(_) => self.write_text(*start, *end, is_kept),
        }
    }

    /// Whether a token closes an element whose start tag stays, or may do so.
    fn closes_what_stays(&self, closes: Option<usize>, closed: &[NodeId]) -> bool {
        let stays = |node: &NodeId| {
            // What is in a template goes with it.
            let Some(NodeElement::Itself(element)) = self.kept.number(*node) else { return self.kept.has(*node) };
            let fate = self.elements.tag_start(element).and_then(|tag| self.kept.fates.get(tag as usize));
            fate.is_some_and(|fate| fate != Fate::Goes)
        };
        closes.is_none() || closed.iter().any(stays)
    }

    fn copy(&mut self, start: usize, end: usize) {
        self.written.extend_from_slice(self.page.text().get(start..end).unwrap_or_default());
    }

    fn write_bare(&mut self, tag: &Tag<'_>) {
        self.written.push(b'<');
        self.written.extend_from_slice(tag.name);
        for name in ["class", "id"] {
            if let Some(value) = tag.attribute(name) {
                self.written.extend_from_slice(format!(" {name}=\"").as_bytes());
                for part in value.split(|byte| *byte == b'"').enumerate() {
                    if part.0 > 0 {
                        self.written.extend_from_slice(b"&quot;");
                    }
                    self.written.extend_from_slice(part.1);
                }
                self.written.push(b'"');
            }
        }
        self.written.extend_from_slice(if tag.is_self_closing { b"/>" } else { b">" });
    }

    /// Where a text goes with which `body` begins, a tag has to: what follows would go into `head`.
    fn begin_body(&mut self, run: &TextRun) {
        let is_implied =
            self.elements.name(run.element) == Name::Body && self.elements.tag_start(run.element).is_none();
        if is_implied && (self.kept.is_kept)(run.element) && !std::mem::replace(&mut self.has_body, true) {
            self.written.extend_from_slice(b"<body>");
        }
    }

    /// A text may be of several elements, and parts of it of none.
    fn write_text(&mut self, start: usize, end: usize, is_kept: bool) {
        let mut at = start;
        while let Some(run) = self.texts.get(self.next_text).copied() {
            let (from, to) = (run.span.start as usize, run.span.end as usize);
            if to <= at {
                self.next_text += 1;
                continue;
            }
            if from >= end {
                break;
            }
            if is_kept && from > at {
                self.copy(at, from);
            }
            if (self.kept.is_kept)(run.element) && (self.kept.is_text_kept)(&run) {
                self.copy(from.max(at), to.min(end));
            } else {
                self.begin_body(&run);
            }
            at = to.min(end);
            if to > end {
                break;
            }
        }
        if is_kept {
            self.copy(at, end);
        }
    }
}
