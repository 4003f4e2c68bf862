//! Builds the tree of a page with html5ever's tree construction, from our own tokens.
//!
//! The tree builder decides what a start tag or a text becomes, and where it goes. The sink stores the result: the
//! name, parent and start tag of each element, and the parent and span of each text. Comments are dropped. Only
//! attributes that affect tree construction are parsed.
//!
//! Tree construction is not linear, because each tag may search all open elements. Therefore, its steps are counted. If
//! a page takes far more steps than real pages do, construction is abandoned, and the result says so (S-22).

use super::characters::{Leading, attribute_value, name};
use super::doctype::parse_doctype;
use super::elements::Elements;
use super::nodes::{Name, NodeId, Nodes};
use super::sink::{Handle, Sink};
use super::texts::{Piece, TextKind};
use super::tokens::{Content, Doctype, Raw, Surroundings, Tag, Text, Token, Tokens};
use super::{Decoded, MetaTag};
use crate::base::source::Span;
use encoding_rs::Encoding;
use html5ever::interface::{Attribute, Tracer};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{self, TagKind, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

/// The result of parsing a page for the META tags in its `body`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyRead {
    /// Whether the whole page was parsed. This is false if the page is longer than the limit, or if its tree takes too
    /// many steps for its length (S-22).
    pub is_whole: bool,
}

/// Calls `visit` with each META tag that is outside `head` and outside templates, in document order.
///
/// ```
/// use byleave::Limits;
/// use byleave::analysis::html as page;
/// let text = b"<meta name=a><p>News<template><meta name=b></template><meta name=c>";
/// let page = page::decoded(text, None, &Limits::default());
/// let mut names = Vec::new();
/// assert!(page::body_metas(&page, |meta| names.extend(meta.name())).is_whole);
/// assert_eq!(names, ["c"]);
/// ```
///
/// Cost: linear in the page, which is parsed as a whole. This is about ten times slower than
/// [`head_metas`](super::head_metas).
pub fn body_metas<'p>(page: &'p Decoded<'_>, mut visit: impl FnMut(&MetaTag<'p>)) -> BodyRead {
    let elements = Elements::without_texts(page);
    let mut ids = elements.ids();
    while let Some(id) = ids.next() {
        match elements.name(id) {
            Name::Head => ids = elements.ids_from(elements.end(id)),
            Name::Meta => {
                if let Some(tag) = elements.start_tag(page, id) {
                    visit(&MetaTag::new(tag, page.text_encoding()));
                }
            }
            _ => {}
        }
    }
    BodyRead { is_whole: elements.is_whole() }
}

/// The end of a template in the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The offset after the template's end tag, or the end of the page.
    pub end: usize,
    pub is_given_up: bool,
}

/// Finds the end of the template whose start tag is `tag`. Tree construction starts as if only the doctype and `<head>`
/// preceded the template. Nothing else before it, not even `</head>`, affects how a template is parsed.
pub(crate) fn template(page: &Decoded<'_>, doctype: Option<Doctype<'_>>, tag: &Tag<'_>, work: &mut Work) -> Template {
    let mut tree = Tree::new(page, Tokens::new(page.text(), tag.span.start as usize), *work, Keeping::Elements);
    if let Some(doctype) = doctype {
        tree.feed(Token::Doctype(doctype));
    }
    tree.feed_tag(local_name!("head"), TagKind::StartTag);
    let is_given_up = loop {
        match tree.step() {
            StepResult::Token(Token::End(tag)) if tag.is("template") => {
                if tree.is_at_head() {
                    break false;
                }
            }
            StepResult::Token(_) => {}
            StepResult::End => break false,
            StepResult::GivenUp => break true,
        }
    };
    *work = tree.work();
    Template { end: tree.tokens.position(), is_given_up }
}

/// The number of steps that tree construction has taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    steps: u64,
}

impl Work {
    /// The allowed number of steps per byte. Of 420 real pages, half take at most two, and all take fewer than ten.
    const STEPS_PER_BYTE: u64 = 64;
    /// The additional steps that every page may take, for short pages with deep trees.
    const BASE_STEPS: u64 = 4_000_000;

    /// Adds steps.
    pub fn and(self, steps: u64) -> Self {
        Self { steps: self.steps.saturating_add(steps) }
    }

    fn is_too_much(&self, position: usize) -> bool {
        self.steps > Self::BASE_STEPS.saturating_add(Self::STEPS_PER_BYTE.saturating_mul(position as u64))
    }
}

/// What the tree stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    Elements,
    /// Elements and texts.
    Texts,
}

/// The result of one step.
pub(crate) enum StepResult<'p> {
    /// The step processed this token.
    Token(Token<'p>),
    /// The page has ended.
    End,
    /// The tree took too many steps.
    GivenUp,
}

/// A tree under construction.
pub(crate) struct Tree<'p> {
    tokens: Tokens<'p>,
    builder: TreeBuilder<Handle, Sink>,
    encoding: &'static Encoding,
    /// The number of formatting elements at the last count, and the number of tags before the next count.
    formatting: (usize, usize),
    /// The last known insertion point.
    place: NodeId,
    /// Whether the next line feed is dropped.
    drops_line_feed: bool,
    is_xml: bool,
    /// Long names that the tree builder does not know, each with a number.
    names: HashMap<String, usize>,
}

impl<'p> Tree<'p> {
    /// Returns an empty tree that will be built from these tokens.
    pub fn new(page: &'p Decoded<'_>, tokens: Tokens<'p>, work: Work, keeping: Keeping) -> Self {
        let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
        let builder = TreeBuilder::new(Sink::new(work, keeping), options);
        let (encoding, place) = (page.text_encoding(), NodeId::DOCUMENT);
        Self {
            tokens,
            builder,
            encoding,
            formatting: (0, 0),
            place,
            drops_line_feed: false,
            is_xml: page.is_xml(),
            names: HashMap::new(),
        }
    }

    /// Processes the next token.
    pub fn step(&mut self) -> StepResult<'p> {
        if self.work().is_too_much(self.tokens.position()) {
            return StepResult::GivenUp;
        }
        let is_foreign = self.builder.adjusted_current_node_present_but_not_in_html_namespace();
        match self.tokens.next(if is_foreign { Surroundings::Foreign } else { Surroundings::Html }) {
            Some(token) => {
                self.feed(token);
                StepResult::Token(token)
            }
            None => {
                self.process(tokenizer::Token::EOFToken);
                self.builder.sink.end_waiting();
                StepResult::End
            }
        }
    }

    /// Returns the nodes after the last step.
    pub fn into_nodes(self) -> Nodes {
        self.builder.sink.into_nodes()
    }

    fn work(&self) -> Work {
        self.builder.sink.work()
    }

    fn feed(&mut self, token: Token<'p>) {
        self.drops_line_feed = false;
        match token {
            Token::Start(tag) => self.feed_start(&tag),
            Token::End(tag) => {
                let name = self.name(&tag);
                self.feed_tag(name, TagKind::EndTag);
            }
            Token::Text(text) => return self.feed_text(&text),
            Token::Comment(_) => self.process(tokenizer::Token::CommentToken(StrTendril::new())),
            // A doctype does not affect the texts that wait in a table.
            Token::Doctype(doctype) => return self.feed_doctype(&doctype),
        }
        self.builder.sink.end_waiting();
    }

    fn feed_doctype(&mut self, doctype: &Doctype<'_>) {
        let parts = parse_doctype(doctype, self.encoding);
        let text = |part: Option<Cow<'_, str>>| part.as_deref().map(StrTendril::from);
        self.process(tokenizer::Token::DoctypeToken(tokenizer::Doctype {
            name: text(parts.name),
            public_id: text(parts.public),
            system_id: text(parts.system),
            force_quirks: parts.forces_quirks,
        }));
    }

    fn feed_start(&mut self, tag: &Tag<'_>) {
        let name = self.name(tag);
        let attrs = self.attributes(tag, &name);
        if is_formatting(&name) {
            self.count_formatting(&attrs);
        }
        let identity = attrs.iter().find(|attribute| attribute.name.local == local_name!(""));
        self.builder.sink.begin(&name, tag.span.start, identity.map(|identity| &identity.value));
        let is_preformatted = matches!(name, local_name!("pre") | local_name!("listing"));
        self.process(tokenizer::Token::TagToken(tokenizer::Tag {
            kind: TagKind::StartTag,
            name,
            self_closing: tag.is_self_closing,
            attrs,
            had_duplicate_attributes: false,
        }));
        self.builder.sink.end(tag.span.start);
        self.drops_line_feed = is_preformatted && self.has_own();
        let is_ended = |name: &&str| tag.is(name);
        if self.is_xml && tag.is_self_closing && self.builder.sink.is_own_html() && !NEVER_ENDED.iter().any(is_ended) {
            let name = self.name(tag);
            self.tokens.read_as(Content::Data);
            self.feed_tag(name, TagKind::EndTag);
            self.drops_line_feed = false;
        }
    }

    fn feed_tag(&mut self, name: LocalName, kind: TagKind) {
        self.process(tokenizer::Token::TagToken(tokenizer::Tag {
            kind,
            name,
            self_closing: false,
            attrs: Vec::new(),
            had_duplicate_attributes: false,
        }));
    }

    /// Feeds a text in up to four pieces: a line feed, which is dropped after `<pre>` and similar tags; whitespace,
    /// which is dropped before `body`; NULs, which start a `body`; and the rest, which all goes to the same parent.
    fn feed_text(&mut self, text: &Text<'_>) {
        let kind = TextKind::of(text);
        let inside = text.inside().start as usize;
        let piece =
            |from: usize, to: usize| Piece { span: Span::new(inside + from, inside + to), kind, is_null: false };
        let all = text.raw.len();
        if text.content == Content::Data && self.builder.sink.has_frameset() {
            let has_space = std::iter::successors(Some(0), |at| Some(at + text.leading(*at)?.1))
                .any(|at| matches!(text.leading(at), Some((Leading::LineFeed | Leading::Space, _))));
            if has_space {
                self.feed_piece(Piece { kind: TextKind::Spaces, ..piece(0, all) }, " ");
            }
            return;
        }
        let mut at = 0;
        if let Some((Leading::LineFeed, length)) = text.leading(0) {
            self.feed_piece(piece(0, length), "\n");
            at = length;
        }
        if text.content != Content::Data {
            if at < all {
                self.feed_piece(piece(at, all), "x");
            }
            return;
        }
        let run = |from: usize, is_of: fn(Leading) -> bool| {
            let next = |at: &usize| Some(at + text.leading(*at).filter(|(leading, _)| is_of(*leading))?.1);
            std::iter::successors(Some(from), next).last().unwrap_or(from)
        };
        let spaces = run(at, |leading| matches!(leading, Leading::LineFeed | Leading::Space));
        if spaces > at {
            self.feed_piece(piece(at, spaces), " ");
        }
        let nulls = run(spaces, |leading| leading == Leading::Null);
        if nulls > spaces {
            self.builder.sink.begin_text(Piece { is_null: true, ..piece(spaces, nulls) });
            self.process(tokenizer::Token::NullCharacterToken);
            self.builder.sink.end_text();
        }
        if nulls < all {
            let is_blank = run(nulls, |leading| leading != Leading::Character) == all;
            self.feed_piece(piece(nulls, all), if is_blank { " " } else { "x" });
        }
    }

    /// Feeds `instead` to the tree builder in place of a piece of text. The tree builder only needs to know whether the
    /// text is whitespace.
    fn feed_piece(&mut self, piece: Piece, instead: &str) {
        self.builder.sink.begin_text(piece);
        self.process(tokenizer::Token::CharacterTokens(StrTendril::from(instead)));
        self.builder.sink.end_text();
    }

    fn process(&mut self, token: tokenizer::Token) {
        match self.builder.process_token(token, 1) {
            TokenSinkResult::RawData(kind) => self.tokens.read_as(Content::Raw(match kind {
                RawKind::Rcdata => Raw::Rcdata,
                RawKind::Rawtext => Raw::Rawtext,
                RawKind::ScriptData | RawKind::ScriptDataEscaped(_) => Raw::ScriptData,
            })),
            TokenSinkResult::Plaintext => self.tokens.read_as(Content::Plaintext),
            // The encoding is already known, and scripts are not run.
            TokenSinkResult::Continue | TokenSinkResult::Script(_) | TokenSinkResult::EncodingIndicator(_) => {}
        }
    }

    /// Returns the element's name for the tree builder. The tree builder stores long unknown names in one table for all
    /// threads, which is slow if there are many names. So each of them is replaced by a short name with a capital
    /// letter, which no other name has.
    fn name(&mut self, tag: &Tag<'_>) -> LocalName {
        const KEPT_IN_PLACE: usize = 7;
        let name = name(tag.name, self.encoding);
        let known = LocalName::try_static(&name);
        if let Some(known) = known.or_else(|| (name.len() <= KEPT_IN_PLACE).then(|| LocalName::from(&*name))) {
            return known;
        }
        let number = self.names.len();
        let number = *self.names.entry(name.into_owned()).or_insert(number);
        LocalName::from(format!("A{number:x}"))
    }

    /// Returns the attributes that affect tree construction: `type` on `input`, `encoding` on `annotation-xml`, and
    /// three attributes on `font`, which may end SVG content. Formatting elements are compared by all their attributes,
    /// so each formatting element also gets one attribute that contains the comparison key.
    fn attributes(&self, tag: &Tag<'_>, name: &LocalName) -> Vec<Attribute> {
        let wanted: &[&str] = match *name {
            local_name!("input") => &["type"],
            local_name!("annotation-xml") => &["encoding"],
            local_name!("font") => &["color", "face", "size"],
            _ => &[],
        };
        let value = |raw| StrTendril::from(&*attribute_value(raw, self.encoding));
        let given = wanted.iter().filter_map(|name| Some((LocalName::from(*name), value(tag.attribute(name)?))));
        let all = is_formatting(name).then(|| (local_name!(""), self.comparison_key(tag)));
        let named = |(name, value)| Attribute { name: QualName::new(None, ns!(), name), value };
        given.chain(all).map(named).collect()
    }

    /// Returns all attributes of a tag as one text. Two tags have the same text only if they have the same attributes,
    /// in any order. The text is too long to be stored inline, so its address identifies the tag
    /// (`Sink::formatting`).
    fn comparison_key(&self, tag: &Tag<'_>) -> StrTendril {
        let mut written: Vec<_> =
            tag.attributes().map(|found| (name(found.name, self.encoding), found.value)).collect();
        // The sort is stable, so the first attribute with a name stays first.
        written.sort_by(|(one, _), (other, _)| one.cmp(other));
        written.dedup_by(|(later, _), (first, _)| later == first);
        let mut text = StrTendril::from("formatting element");
        for (name, raw) in written {
            let value = attribute_value(raw, self.encoding);
            // Names and values contain no NULs.
            [&name, "\0", &value, "\0"].iter().for_each(|part| text.push_slice(part));
        }
        text
    }

    /// Counts the comparisons between formatting elements, which the sink does not see.
    fn count_formatting(&mut self, attributes: &[Attribute]) {
        const EVERY: usize = 16;
        let (count, ago) = &mut self.formatting;
        if *ago == 0 {
            let counter = Counter::default();
            self.builder.trace_handles(&counter);
            *count = counter.count.get();
            *ago = EVERY;
        }
        *ago -= 1;
        // A comparison costs about eight steps, and one more for every two bytes.
        let each: usize = attributes.iter().map(|attribute| 8 + attribute.value.len() / 2).sum();
        self.builder.sink.count((*count as u64 + EVERY as u64).saturating_mul(each as u64));
    }

    /// Returns whether all elements except `html` and `head` are closed.
    fn is_at_head(&mut self) -> bool {
        let place = self.place();
        self.builder.sink.is_head(place)
    }

    /// Returns the start of the next token.
    pub fn position(&self) -> usize {
        self.tokens.position()
    }

    /// Returns whether the last start tag created an element.
    pub fn has_own(&self) -> bool {
        self.builder.sink.own().is_some()
    }

    /// Returns the insertion point. To find it, feeds a comment, because a comment does not change the tree.
    pub fn place(&mut self) -> NodeId {
        if !self.tokens.is_data() || self.drops_line_feed {
            // The element of the last start tag gets the next text.
            self.place = self.builder.sink.own().unwrap_or(self.place);
        } else if !self.builder.sink.is_waiting() {
            let work = self.work();
            self.feed(Token::Comment(Span::default()));
            self.builder.sink.set_work(work);
            self.place = self.builder.sink.comment_parent();
        }
        self.place
    }

    /// Adds to `closed` the elements that were closed since the insertion point was `place`, and returns their number.
    /// Returns `None` if there are too many, or if the current insertion point is not an ancestor of `place`.
    pub fn climb(&mut self, place: NodeId, closed: &mut Vec<NodeId>) -> Option<usize> {
        const MAX_CLOSED: usize = 64;
        let (to, before) = (self.place(), closed.len());
        let mut at = place;
        while at != to && closed.len() - before < MAX_CLOSED {
            closed.push(at);
            match self.builder.sink.parent(at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        if at == to {
            return Some(closed.len() - before);
        }
        closed.truncate(before);
        None
    }
}

/// Elements that `/>` does not end: void elements, `html`, `head` and `body`.
const NEVER_ENDED: [&str; 21] = [
    "area", "base", "basefont", "bgsound", "body", "br", "col", "embed", "frame", "head", "hr", "html", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

fn is_formatting(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("a")
            | local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("nobr")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}

#[derive(Default)]
struct Counter {
    count: Cell<usize>,
}

impl Tracer for Counter {
    type Handle = Handle;

    fn trace_handle(&self, _node: &Handle) {
        self.count.set(self.count.get() + 1);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

    use super::*;
    use crate::base::limits::Limits;
    use crate::formats::html::decoded;
    use crate::formats::html::nodes::NodeId;
    use byleave_testing::real::pages;
    use byleave_testing::{gen_heads, generate, oracle};

    /// Returns the elements of a page, one per line, indented by depth. Also compares each start tag with its element.
    fn shown(text: &str) -> String {
        let page = decoded(text.as_bytes(), Some("utf-8"), &Limits::default());
        let mut tree = Tree::new(&page, Tokens::new(page.text(), page.start()), Work::default(), Keeping::Texts);
        loop {
            match tree.step() {
                StepResult::Token(_) => {}
                StepResult::End => break,
                StepResult::GivenUp => panic!("given up: {text}"),
            }
        }
        let nodes = tree.into_nodes();
        let mut shown = String::new();
        let mut waiting = vec![(NodeId::DOCUMENT, 0)];
        while let Some((node, depth)) = waiting.pop() {
            if let Some((known, at)) = nodes.element(node) {
                let written = at.map(|at| match Tokens::new(page.text(), at as usize).next(Surroundings::Html) {
                    Some(Token::Start(tag)) => name(tag.name, page.text_encoding()),
                    _ => panic!("{known:?} has no start tag: {text}"),
                });
                if let (Some(known), Some(written)) = (known.known(), &written) {
                    assert!(written == known || known == "img", "{known}: {text}");
                }
                let shown_name = known.known().map(Cow::Borrowed).or(written).unwrap();
                shown += &format!("{}{shown_name}\n", " ".repeat(depth));
            }
            let children: Vec<NodeId> = nodes.children(node).collect();
            waiting.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
        }
        shown
    }

    #[test]
    fn s24_trees_are_those_of_html5ever_alone() {
        for seed in 0..if cfg!(debug_assertions) { 6_000 } else { 100_000 } {
            let made = gen_heads::page(&mut generate::Numbers::new(seed));
            assert_eq!(shown(&made), oracle::shown(&made).to_lowercase(), "generated from {seed}: {made:?}");
        }
    }

    #[test]
    fn s24_trees_of_tree_construction_tests_are_those_of_html5ever_alone() {
        for test in pages::tree_tests().into_iter().flatten() {
            assert_eq!(shown(&test.input), oracle::shown(&test.input).to_lowercase(), "{:?}", test.input);
        }
    }

    #[test]
    fn s24_trees_of_real_pages_are_those_of_html5ever_alone() {
        for page in pages::pages().into_iter().flatten() {
            let Ok(text) = String::from_utf8(page.body) else { continue };
            let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
            let ours = shown(text);
            let theirs = oracle::shown(text).to_lowercase();
            assert!(ours == theirs, "{}", page.name);
        }
    }
}
