//! Empties some elements in a page, and keeps all other bytes unchanged.
//!
//! The page's tree records which element each text and start tag belongs to. For other tokens, the tree is built again:
//! a comment belongs to the current node, and an end tag belongs to the elements that it closes.

use crate::dialects::search_marks::Mark;
use crate::formats::html::Decoded;
use crate::formats::html::elements::Elements;
use crate::formats::html::nodes::{Name, NodeElement, NodeId};
use crate::formats::html::texts::TextRun;
use crate::formats::html::tokens::{Tag, Token, Tokens};
use crate::formats::html::tree::{Keeping, StepResult, Tree, Work};
use crate::model::ElementId;

/// Returns the page without the content of elements that are not kept, and without texts that are not kept.
///
/// The tags of the outermost elements that are not kept remain, with only the attributes `class` and `id`. Kept
/// elements inside them remain with their tags and texts. Comments that mark ranges remain. Content that was not read
/// is left out (S-22).
///
/// The result has the encoding of [`Decoded::text`]. If the page was transcoded, the result begins with a UTF-8 byte
/// order mark.
///
/// Cost: building the tree once more, plus a search for each token.
pub(crate) fn redact(
    page: &Decoded<'_>,
    elements: &Elements,
    is_kept: &dyn Fn(ElementId) -> bool,
    is_text_kept: &dyn Fn(&TextRun) -> bool,
) -> Vec<u8> {
    let mut tree = Tree::new(page, Tokens::new(page.text(), page.start()), Work::default(), Keeping::Texts);
    let mut tokens: Vec<PlacedToken<'_>> = Vec::new();
    let mut closed: Vec<NodeId> = Vec::new();
    let (place, is_whole) = loop {
        let (place, start) = (tree.place(), tree.position());
        match tree.step() {
            StepResult::Token(token) => {
                let may_close = match token {
                    Token::End(_) => true,
                    // A start tag can also close an element. For example, a second `<select>` closes the first.
                    Token::Start(_) => !tree.has_own(),
                    Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => false,
                };
                let closes = if may_close { tree.climb(place, &mut closed) } else { Some(0) };
                tokens.push(PlacedToken { token, start, end: tree.position(), place, closes });
            }
            StepResult::End => break (place, !page.is_truncated()),
            StepResult::GivenUp => break (place, false),
        }
    };
    let numbers = tree.into_nodes().numbers();
    let kept = Kept { actions: TagActions::of(elements, is_kept), numbers, is_kept, is_text_kept };
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
    // An unfinished tag at the end of the page is not a token, so it is copied here.
    if is_whole && kept.has(place) {
        writer.written.extend_from_slice(page.text().get(end..).unwrap_or_default());
    }
    writer.written
}

/// A token, and the node that was current when it was read.
struct PlacedToken<'p> {
    token: Token<'p>,
    start: usize,
    end: usize,
    place: NodeId,
    /// The number of elements that the token closes, if known.
    closes: Option<usize>,
}

/// What happens to a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TagAction {
    Keep,
    /// Keep only the name, `class` and `id`.
    Strip,
    Drop,
}

/// The actions for start tags that created elements, with the start offset of each tag.
struct TagActions(Vec<(u32, TagAction)>);

impl TagActions {
    fn of(elements: &Elements, is_kept: &dyn Fn(ElementId) -> bool) -> Self {
        let mut actions: Vec<(u32, TagAction)> = Vec::new();
        for id in elements.ids() {
            let Some(tag) = elements.tag_start(id) else { continue };
            let is_page = matches!(elements.name(id), Name::Html | Name::Head | Name::Body);
            let is_outermost = is_page || elements.parent(id).is_none_or(is_kept);
            actions.push(match (is_kept(id), is_outermost) {
                (true, _) => (tag, TagAction::Keep),
                (false, true) => (tag, TagAction::Strip),
                (false, false) => (tag, TagAction::Drop),
            });
        }
        // One tag of a formatting element may create several elements. It is kept if any of them is kept.
        actions.sort_unstable();
        actions.dedup_by_key(|(tag, _)| *tag);
        Self(actions)
    }

    fn get(&self, tag: usize) -> Option<TagAction> {
        let found = self.0.binary_search_by_key(&tag, |(tag, _)| *tag as usize).ok()?;
        self.0.get(found).map(|(_, action)| *action)
    }
}

struct Kept<'k> {
    actions: TagActions,
    numbers: Vec<Option<NodeElement>>,
    is_kept: &'k dyn Fn(ElementId) -> bool,
    is_text_kept: &'k dyn Fn(&TextRun) -> bool,
}

impl Kept<'_> {
    fn number(&self, node: NodeId) -> Option<NodeElement> {
        self.numbers.get(node.number()).copied().flatten()
    }

    /// Whether a node's direct content is kept. Content outside all elements belongs to `html`.
    fn has(&self, node: NodeId) -> bool {
        (self.is_kept)(self.number(node).map_or(ElementId(0), NodeElement::element))
    }
}

struct Writer<'w, 'p> {
    page: &'w Decoded<'p>,
    elements: &'w Elements,
    kept: &'w Kept<'w>,
    /// The texts, in page order.
    texts: Vec<TextRun>,
    /// The first text that may end after the current position.
    next_text: usize,
    /// Whether `<body>` was inserted in place of a text.
    has_body: bool,
    written: Vec<u8>,
}

impl Writer<'_, '_> {
    fn write(&mut self, placed: &PlacedToken<'_>, closed: &[NodeId]) {
        let PlacedToken { token, start, end, place, closes } = placed;
        let is_kept = self.kept.has(*place);
        match token {
            Token::Doctype(_) => self.copy(*start, *end),
            // A comment that marks a range also affects the content after it, so it is always kept (S-49).
            Token::Comment(_) if is_kept || Mark::of(token, self.page.text()).is_some() => self.copy(*start, *end),
            Token::Comment(_) => {}
            Token::Start(tag) => {
                let default = match is_kept {
                    // An earlier text made this tag ineffective. With that text removed, the tag would take effect, so
                    // it is dropped.
                    true if tag.is("frameset") && self.written.len() < *start => TagAction::Drop,
                    true => TagAction::Keep,
                    false if self.closes_kept_tag(*closes, closed) => TagAction::Strip,
                    false => TagAction::Drop,
                };
                match self.kept.actions.get(tag.span.start as usize).unwrap_or(default) {
                    TagAction::Keep => self.copy(*start, *end),
                    TagAction::Strip => self.write_stripped(tag),
                    TagAction::Drop => {}
                }
            }
            Token::End(_) if is_kept => self.copy(*start, *end),
            Token::End(tag) => {
                let is_mark = *closes == Some(0) && Mark::of(token, self.page.text()).is_some();
                if is_mark || self.closes_kept_tag(*closes, closed) {
                    self.written.extend_from_slice(b"</");
                    self.written.extend_from_slice(tag.name);
                    self.written.push(b'>');
                }
            }
            Token::Text(_) => self.write_text(*start, *end, is_kept),
        }
    }

    /// Whether a token closes, or may close, an element whose start tag remains.
    fn closes_kept_tag(&self, closes: Option<usize>, closed: &[NodeId]) -> bool {
        let is_tag_kept = |node: &NodeId| {
            // The content of a template belongs to the template.
            let Some(NodeElement::Itself(element)) = self.kept.number(*node) else { return self.kept.has(*node) };
            let action = self.elements.tag_start(element).and_then(|tag| self.kept.actions.get(tag as usize));
            action.is_some_and(|action| action != TagAction::Drop)
        };
        closes.is_none() || closed.iter().any(is_tag_kept)
    }

    fn copy(&mut self, start: usize, end: usize) {
        self.written.extend_from_slice(self.page.text().get(start..end).unwrap_or_default());
    }

    /// Writes a tag with only its name, `class` and `id`.
    fn write_stripped(&mut self, tag: &Tag<'_>) {
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

    /// Writes `<body>` in place of a removed text that implicitly opened `body`. Without it, the content that follows
    /// would move into `head`.
    fn begin_body(&mut self, run: &TextRun) {
        let is_implied =
            self.elements.name(run.element) == Name::Body && self.elements.tag_start(run.element).is_none();
        if is_implied && (self.kept.is_kept)(run.element) && !std::mem::replace(&mut self.has_body, true) {
            self.written.extend_from_slice(b"<body>");
        }
    }

    /// Writes the kept parts of a text. A text may belong to several elements, and parts of it to none.
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
