//! The elements of a page, as a browser without scripting builds them (S-16, S-24), each with its parent, subtree,
//! start tag and texts.
//!
//! Elements are numbered in document order, so a subtree is a range of numbers. Attributes are not stored, but parsed
//! from the start tags on demand. The contents of a template are not part of the document.

use super::Decoded;
use super::characters::{attribute_value, name};
use super::nodes::{Name, Nodes, WalkEvent};
use super::texts::TextRun;
use super::tokens::{Surroundings, Tag, Token, Tokens};
use super::tree::{Keeping, StepResult, Tree, Work};
use crate::base::source::Span;
use crate::model::ElementId;
use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

/// The elements of a page.
///
/// Methods that take a page need the page that the elements were built from.
#[derive(Clone, Debug)]
pub(crate) struct Elements {
    elements: Vec<ElementNode>,
    texts: Vec<TextRun>,
    /// Repeated start tags of `html` and `body`. An attribute in a repeated tag counts if the element does not have
    /// that attribute yet.
    merged: Vec<(ElementId, u32)>,
    index: OnceLock<Index>,
    is_whole: bool,
}

#[derive(Clone, Copy, Debug)]
struct ElementNode {
    parent: u32,
    /// One more than the number of the element's last descendant.
    end: u32,
    /// The start of the element's start tag, or `NONE` if the element is implied.
    tag: u32,
    /// The index of the first text at or after the element's start.
    text: u32,
    name: Name,
}

const NONE: u32 = u32::MAX;

impl Elements {
    /// Builds the elements and texts of a page.
    ///
    /// Cost: the cost of building the page's tree. Construction is abandoned if it takes far more steps than real pages
    /// do (S-22).
    pub(crate) fn of(page: &Decoded<'_>) -> Self {
        Self::keeping(page, Keeping::Texts, |_| {})
    }

    /// Builds the elements without texts.
    pub(crate) fn without_texts(page: &Decoded<'_>) -> Self {
        Self::observed(page, |_| {})
    }

    /// Builds the elements without texts, and calls `observe` with every token in the page, in order.
    pub(crate) fn observed(page: &Decoded<'_>, observe: impl FnMut(&Token<'_>)) -> Self {
        Self::keeping(page, Keeping::Elements, observe)
    }

    fn keeping(page: &Decoded<'_>, keeping: Keeping, mut observe: impl FnMut(&Token<'_>)) -> Self {
        let mut tree = Tree::new(page, Tokens::new(page.text(), page.start()), Work::default(), keeping);
        let is_whole = loop {
            match tree.step() {
                StepResult::Token(token) => observe(&token),
                StepResult::End => break !page.is_truncated(),
                StepResult::GivenUp => break false,
            }
        };
        Self::in_order(&tree.into_nodes(), is_whole)
    }

    fn in_order(nodes: &Nodes, is_whole: bool) -> Self {
        let (mut elements, mut texts) = (0, 0);
        nodes.walk(|walked| match walked {
            WalkEvent::Enter(..) => elements += 1,
            WalkEvent::Text(..) => texts += 1,
            WalkEvent::Leave => {}
        });
        let mut made = Self {
            elements: Vec::with_capacity(elements),
            texts: Vec::with_capacity(texts),
            merged: Vec::new(),
            index: OnceLock::new(),
            is_whole,
        };
        let mut within = NONE;
        nodes.walk(|walked| match walked {
            WalkEvent::Enter(node, name, tag) => {
                let number = made.count();
                let text = number_of(made.texts.len());
                made.elements.push(ElementNode { parent: within, end: NONE, tag: tag.unwrap_or(NONE), text, name });
                if matches!(name, Name::Html | Name::Body) {
                    let merged = nodes.merged().iter().filter(|(of, _)| *of == node);
                    made.merged.extend(merged.map(|(_, tag)| (ElementId(number), *tag)));
                }
                within = number;
            }
            WalkEvent::Text(span, kind) => made.texts.push(TextRun { span, element: ElementId(within), kind }),
            WalkEvent::Leave => {
                let end = made.count();
                if let Some(element) = made.elements.get_mut(within as usize) {
                    element.end = end;
                    within = element.parent;
                }
            }
        });
        made
    }

    /// Returns whether the whole page was parsed: the page is within the limit, and building its tree was not abandoned
    /// (S-22).
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the number of elements.
    pub(crate) fn count(&self) -> u32 {
        number_of(self.elements.len())
    }

    /// Returns all elements in document order.
    pub(crate) fn ids(&self) -> Ids {
        self.ids_from(0)
    }

    /// Returns the elements with this number or a higher one.
    pub(crate) fn ids_from(&self, first: u32) -> Ids {
        Ids { next: first, end: self.count() }
    }

    /// Returns the parent of an element, or `None` for `html`.
    pub(crate) fn parent(&self, id: ElementId) -> Option<ElementId> {
        self.get(id).map(|element| ElementId(element.parent)).filter(|parent| parent.0 != NONE)
    }

    /// Returns the element and its ancestors, from the inside out.
    pub(crate) fn lineage(&self, id: ElementId) -> impl Iterator<Item = ElementId> {
        std::iter::successors(self.get(id).map(|_| id), |id| self.parent(*id))
    }

    /// Returns one more than the number of the element's last descendant. The subtree is `id..end`.
    pub(crate) fn end(&self, id: ElementId) -> u32 {
        self.get(id).map_or(0, |element| element.end)
    }

    /// Returns whether the element is `other` or one of its descendants.
    pub(crate) fn is_within(&self, id: ElementId, other: ElementId) -> bool {
        (other.0..self.end(other)).contains(&id.0)
    }

    /// Returns the element's name, or `Other` or `Foreign` if the name has no variant of its own.
    pub(crate) fn name(&self, id: ElementId) -> Name {
        self.get(id).map_or(Name::Other, |element| element.name)
    }

    /// Returns the element's name in lower case.
    pub(crate) fn written_name<'p>(&self, page: &'p Decoded<'_>, id: ElementId) -> Cow<'p, str> {
        match self.name(id).known() {
            Some(known) => Cow::Borrowed(known),
            None => self.start_tag(page, id).map_or(Cow::Borrowed(""), |tag| name(tag.name, page.text_encoding())),
        }
    }

    /// Returns the span of the element's start tag, or `None` if the element is implied. For an implied `html` or
    /// `body`, returns the first tag that gave it attributes. For a recreated formatting element, returns the tag of
    /// the original.
    pub(crate) fn tag(&self, page: &Decoded<'_>, id: ElementId) -> Option<Span> {
        self.tags(page, id).next().map(|tag| tag.span)
    }

    /// Returns the start of the element's start tag.
    pub(crate) fn tag_start(&self, id: ElementId) -> Option<u32> {
        self.get(id).map(|element| element.tag).filter(|tag| *tag != NONE)
    }

    /// Returns the element's start tag, including its attributes.
    pub(crate) fn start_tag<'p>(&self, page: &'p Decoded<'_>, id: ElementId) -> Option<Tag<'p>> {
        tag_at(page, self.get(id)?.tag)
    }

    /// Returns an attribute's value, with character references replaced. `name` must be in lower case. `html` and
    /// `body` also have the attributes in their repeated start tags.
    ///
    /// Cost: one pass over the element's start tags.
    pub(crate) fn attribute<'p>(&self, page: &'p Decoded<'_>, id: ElementId, name: &str) -> Option<Cow<'p, str>> {
        let raw = self.tags(page, id).find_map(|tag| tag.attribute(name));
        raw.map(|raw| attribute_value(raw, page.text_encoding()))
    }

    /// Returns the tokens in the element's class attribute, in the order written.
    pub(crate) fn classes<'p>(&self, page: &'p Decoded<'_>, id: ElementId) -> impl Iterator<Item = Cow<'p, str>> {
        Words { value: self.attribute(page, id, "class").unwrap_or_default(), at: 0 }
    }

    /// Returns the element's `rel` attribute as written.
    pub(crate) fn rel<'p>(&self, page: &'p Decoded<'_>, id: ElementId) -> Option<Cow<'p, str>> {
        self.attribute(page, id, "rel")
    }

    /// Returns the first element with this id.
    ///
    /// Cost: O(log elements). The first call also takes one pass over all start tags.
    pub(crate) fn with_id(&self, page: &Decoded<'_>, id: &str) -> Option<ElementId> {
        let index = self.index(page);
        let mut found = index.find(&index.ids, id);
        found.find(|found| self.attribute(page, *found, "id").is_some_and(|own| own == id))
    }

    /// Returns the first element with this class.
    ///
    /// Cost: the same as for [`with_id`](Self::with_id).
    pub(crate) fn with_class(&self, page: &Decoded<'_>, class: &str) -> Option<ElementId> {
        let index = self.index(page);
        let mut found = index.find(&index.classes, class);
        found.find(|found| self.classes(page, *found).any(|own| own == class))
    }

    /// Returns all runs of text, in document order.
    pub(crate) fn texts(&self) -> &[TextRun] {
        &self.texts
    }

    /// Returns how many runs of text precede the element's start.
    pub(crate) fn first_text(&self, id: ElementId) -> usize {
        self.get(id).map_or(self.texts.len(), |element| element.text as usize)
    }

    /// Returns whether `head profile` or a `link rel=profile` names this URI, with or without a final `#` (S-26).
    ///
    /// Cost: one pass over the elements and over the tags of links.
    pub(crate) fn has_profile(&self, page: &Decoded<'_>, uri: &str) -> bool {
        let without_mark = |uri: &str| uri.strip_suffix('#').unwrap_or(uri).to_owned();
        let uri = without_mark(uri);
        let names = |value: Option<Cow<'_, str>>| {
            value.is_some_and(|value| value.split_ascii_whitespace().any(|named| without_mark(named) == uri))
        };
        self.ids().any(|id| match self.name(id) {
            Name::Head => names(self.attribute(page, id, "profile")),
            Name::Link => {
                let is_profile = |word: &str| word.eq_ignore_ascii_case("profile");
                self.rel(page, id).is_some_and(|rel| rel.split_ascii_whitespace().any(is_profile))
                    && names(self.attribute(page, id, "href"))
            }
            _ => false,
        })
    }

    fn get(&self, id: ElementId) -> Option<&ElementNode> {
        self.elements.get(id.0 as usize)
    }

    /// Returns the element's start tags. For each attribute, the first tag that has it counts.
    fn tags<'p>(&self, page: &'p Decoded<'_>, id: ElementId) -> impl Iterator<Item = Tag<'p>> {
        let element = self.get(id);
        let has_merged = element.is_some_and(|element| matches!(element.name, Name::Html | Name::Body));
        let merged = if has_merged { self.merged.as_slice() } else { &[] };
        let merged = merged.iter().filter(move |(of, _)| *of == id).map(|(_, tag)| *tag);
        element.map(|element| element.tag).into_iter().chain(merged).filter_map(|tag| tag_at(page, tag))
    }

    fn index(&self, page: &Decoded<'_>) -> &Index {
        self.index.get_or_init(|| Index::of(self, page))
    }
}

fn tag_at<'p>(page: &'p Decoded<'_>, at: u32) -> Option<Tag<'p>> {
    if at == NONE {
        return None;
    }
    match Tokens::new(page.text(), at as usize).next(Surroundings::Html) {
        Some(Token::Start(tag)) => Some(tag),
        _ => None,
    }
}

fn number_of(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// An iterator over element ids, in document order.
#[derive(Clone, Debug)]
pub(crate) struct Ids {
    next: u32,
    end: u32,
}

impl Iterator for Ids {
    type Item = ElementId;

    fn next(&mut self) -> Option<ElementId> {
        let id = ElementId(self.next);
        (self.next < self.end).then(|| {
            self.next += 1;
            id
        })
    }
}

/// An iterator over the words in a value, separated by whitespace.
struct Words<'p> {
    value: Cow<'p, str>,
    at: usize,
}

impl<'p> Iterator for Words<'p> {
    type Item = Cow<'p, str>;

    fn next(&mut self) -> Option<Cow<'p, str>> {
        let is_space = |character: char| character.is_ascii_whitespace();
        let rest = self.value.get(self.at..)?;
        let start = self.at + rest.find(|character| !is_space(character))?;
        let length = self.value.get(start..)?.find(is_space);
        self.at = length.map_or(self.value.len(), |length| start + length);
        match &self.value {
            Cow::Borrowed(value) => value.get(start..self.at).map(Cow::Borrowed),
            Cow::Owned(value) => value.get(start..self.at).map(|word| Cow::Owned(word.to_owned())),
        }
    }
}

/// Indexes of the elements with an id or a class, sorted by hash.
#[derive(Clone, Debug)]
struct Index {
    hashes: RandomState,
    ids: Vec<(u32, ElementId)>,
    classes: Vec<(u32, ElementId)>,
}

impl Index {
    fn of(elements: &Elements, page: &Decoded<'_>) -> Self {
        let mut index = Self { hashes: RandomState::new(), ids: Vec::new(), classes: Vec::new() };
        for id in elements.ids() {
            if let Some(own) = elements.attribute(page, id, "id") {
                index.ids.push((index.hash(&own), id));
            }
            if let Some(classes) = elements.attribute(page, id, "class") {
                index.classes.extend(classes.split_ascii_whitespace().map(|class| (hash_of(&index.hashes, class), id)));
            }
        }
        index.ids.sort_unstable();
        index.classes.sort_unstable();
        index
    }

    fn hash(&self, text: &str) -> u32 {
        hash_of(&self.hashes, text)
    }

    /// Returns the elements with the same hash as `text`, in document order. The caller must compare the values.
    fn find<'i>(&self, entries: &'i [(u32, ElementId)], text: &str) -> impl Iterator<Item = ElementId> + use<'i> {
        let hash = self.hash(text);
        let first = entries.partition_point(|(known, _)| *known < hash);
        let entries = entries.get(first..).unwrap_or_default();
        entries.iter().take_while(move |(known, _)| *known == hash).map(|(_, id)| *id)
    }
}

fn hash_of(hashes: &RandomState, text: &str) -> u32 {
    (hashes.hash_one(text) >> 32) as u32
}
