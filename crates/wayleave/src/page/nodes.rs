//! The elements and texts of a tree, and the sink through which html5ever makes and moves them.

use super::texts::{Piece, TextKind};
use super::tree::{Keeping, Work};
use crate::source::Span;
use html5ever::interface::{Attribute, ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};

/// A node by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub const DOCUMENT: Self = Self(0);
    /// Stands for comments, which are not kept.
    const COMMENT: Self = Self(u32::MAX);
}

/// Another node, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link(u32);

impl Link {
    const NONE: Self = Self(u32::MAX);

    fn get(self) -> Option<NodeId> {
        (self != Self::NONE).then_some(NodeId(self.0))
    }
}

impl From<Option<NodeId>> for Link {
    fn from(id: Option<NodeId>) -> Self {
        id.map_or(Self::NONE, |id| Self(id.0))
    }
}

/// The nodes of a tree: the document, its elements and texts, and the contents of its templates.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    /// Further start tags whose attributes an element has, in the order of the page (`html` and `body` only).
    merged: Vec<(NodeId, u32)>,
}

/// One of them: 28 bytes, as a page may have one for every three or four.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: Link,
    previous: Link,
    next: Link,
    first_child: Link,
    last_child: Link,
    /// Where the start tag or the text begins; nowhere where the element is implied.
    at: u32,
    kind: Kind,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Document,
    Element(Name),
    /// What a template has inside.
    Contents,
    /// A text, whose end is kept as its last child.
    Text(TextKind),
}

macro_rules! names {
    ($($variant:ident $name:tt,)*) => {
        /// The name of an element, as far as names are told apart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub(crate) enum Name {
            $($variant,)*
            /// Any other in HTML.
            Other,
            /// Of SVG or MathML.
            Foreign,
        }

        impl Name {
            fn of(name: &QualName) -> Self {
                if name.ns != ns!(html) {
                    return Self::Foreign;
                }
                match name.local {
                    $(local_name!($name) => Self::$variant,)*
                    _ => Self::Other,
                }
            }

            /// The name in letters; nothing where it has to be read from the start tag.
            pub(crate) fn known(self) -> Option<&'static str> {
                match self {
                    $(Self::$variant => Some($name),)*
                    Self::Other | Self::Foreign => None,
                }
            }
        }
    };
}

// All that a tree may have without a start tag of that name, and all that anything is asked about.
names! {
    A "a",
    Area "area",
    Base "base",
    Body "body",
    Br "br",
    Colgroup "colgroup",
    Form "form",
    Frameset "frameset",
    Head "head",
    Html "html",
    Img "img",
    Link "link",
    Meta "meta",
    P "p",
    Script "script",
    Style "style",
    Tbody "tbody",
    Template "template",
    Title "title",
    Tr "tr",
}

/// A step of a walk through the document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Walked {
    /// An element begins, whose start tag is there, if it has one.
    Enter(NodeId, Name, Option<u32>),
    Text(Span, TextKind),
    /// The element that was last entered, of those not left, ends.
    Leave,
}

impl Nodes {
    const NOWHERE: u32 = u32::MAX;

    fn new() -> Self {
        Self { nodes: vec![Node::new(Kind::Document, Self::NOWHERE)], merged: Vec::new() }
    }

    /// Further start tags whose attributes an element has, where it has none of that name yet.
    pub fn merged(&self) -> &[(NodeId, u32)] {
        &self.merged
    }

    /// Walks through the document in its order. What is in a template is not in the document.
    ///
    /// Cost: linear in the nodes.
    pub fn walk(&self, mut visit: impl FnMut(Walked)) {
        let mut at = NodeId::DOCUMENT;
        while let Some(node) = self.get(at) {
            match node.kind {
                Kind::Element(name) => {
                    visit(Walked::Enter(at, name, Some(node.at).filter(|at| *at != Self::NOWHERE)));
                }
                Kind::Text(kind) => visit(Walked::Text(Span { start: node.at, end: node.last_child.0 }, kind)),
                Kind::Document | Kind::Contents => {}
            }
            if let Some(first) = node.first_child.get() {
                at = first;
                continue;
            }
            let mut over = *node;
            let next = loop {
                if matches!(over.kind, Kind::Element(_)) {
                    visit(Walked::Leave);
                }
                if let Some(next) = over.next.get() {
                    break Some(next);
                }
                match over.parent.get().and_then(|parent| self.get(parent)) {
                    Some(parent) => over = *parent,
                    None => break None,
                }
            };
            let Some(next) = next else { return };
            at = next;
        }
    }

    fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    fn set(&mut self, id: Link, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            change(node);
        }
    }

    fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        id
    }

    /// A template's contents are made right before it.
    fn contents(&self, of: NodeId) -> Option<NodeId> {
        let is_template = matches!(self.get(of)?.kind, Kind::Element(Name::Template));
        let contents = NodeId(of.0.checked_sub(1).filter(|_| is_template)?);
        (self.get(contents)?.kind == Kind::Contents).then_some(contents)
    }

    fn detach(&mut self, id: NodeId) {
        let Some(&Node { parent, previous, next, .. }) = self.get(id) else { return };
        let link = Link::from(Some(id));
        self.set(previous, |node| node.next = next);
        self.set(next, |node| node.previous = previous);
        self.set(parent, |node| {
            node.first_child = if node.first_child == link { next } else { node.first_child };
            node.last_child = if node.last_child == link { previous } else { node.last_child };
        });
        self.set(link, |node| (node.parent, node.previous, node.next) = (Link::NONE, Link::NONE, Link::NONE));
    }

    fn append(&mut self, parent: NodeId, child: NodeId) {
        self.detach(child);
        let previous = self.get(parent).map_or(Link::NONE, |node| node.last_child);
        let (parent, child) = (Link::from(Some(parent)), Link::from(Some(child)));
        self.set(child, |node| (node.parent, node.previous) = (parent, previous));
        self.set(previous, |node| node.next = child);
        self.set(parent, |node| {
            node.first_child = if node.first_child == Link::NONE { child } else { node.first_child };
            node.last_child = child;
        });
    }

    fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        self.detach(child);
        let Some(&Node { parent, previous, .. }) = self.get(sibling) else { return };
        let (sibling, child) = (Link::from(Some(sibling)), Link::from(Some(child)));
        self.set(child, |node| (node.parent, node.previous, node.next) = (parent, previous, sibling));
        self.set(sibling, |node| node.previous = child);
        self.set(previous, |node| node.next = child);
        self.set(parent, |node| {
            node.first_child = if node.first_child == sibling { child } else { node.first_child };
        });
    }

    /// Puts a text after `previous`, as part of it where it goes on from there; else where `put` puts it.
    fn put_text(&mut self, piece: Piece, previous: Link, put: impl FnOnce(&mut Self, NodeId)) {
        let kind = Kind::Text(piece.kind);
        let before = previous.get().and_then(|previous| self.get(previous));
        if before.is_some_and(|before| before.kind == kind && before.last_child.0 == piece.span.start) {
            return self.set(previous, |node| node.last_child = Link(piece.span.end));
        }
        let text = self.add(Node { last_child: Link(piece.span.end), ..Node::new(kind, piece.span.start) });
        put(self, text);
    }
}

impl Node {
    fn new(kind: Kind, at: u32) -> Self {
        let none = Link::NONE;
        Self { parent: none, previous: none, next: none, first_child: none, last_child: none, at, kind }
    }
}

/// What the tree builder knows a node by: its number and its name.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    id: NodeId,
    namespace: Namespace,
    name: LocalName,
    /// Of `annotation-xml`, whether it holds HTML.
    is_integration_point: bool,
}

impl Handle {
    fn unnamed(id: NodeId) -> Self {
        Self { id, namespace: ns!(), name: local_name!(""), is_integration_point: false }
    }

    /// Whether text that is put there is read by the rules of foreign content, which keep NULs.
    fn is_foreign(&self) -> bool {
        let holds_html = match self.namespace {
            ns!(svg) => {
                matches!(self.name, local_name!("foreignObject") | local_name!("desc") | local_name!("title"))
            }
            ns!(mathml) => {
                let is_text = matches!(
                    self.name,
                    local_name!("mi")
                        | local_name!("mo")
                        | local_name!("mn")
                        | local_name!("ms")
                        | local_name!("mtext")
                );
                is_text || self.is_integration_point
            }
            _ => true,
        };
        !holds_html
    }
}

/// Makes the nodes that the tree builder asks for, and counts its steps.
#[derive(Debug)]
pub(super) struct Sink {
    nodes: RefCell<Nodes>,
    keeping: Keeping,
    work: Cell<Work>,
    /// The start tag that is being taken in: its name and where it begins.
    current: RefCell<Option<(LocalName, u32)>>,
    /// The element that the last start tag became.
    own: Cell<Option<NodeId>>,
    /// Where the start tags of formatting elements begin, by the address of the one attribute that each is given. A
    /// copy of an attribute has the same address, and as long as there is one, nothing else has it.
    formatting: RefCell<HashMap<usize, u32>>,
    /// The text that is being taken in.
    text: Cell<Option<Piece>>,
    /// Texts in a table that wait for the next token that is none.
    waiting: RefCell<VecDeque<Piece>>,
    has_frameset: Cell<bool>,
    is_comment_in_head: Cell<bool>,
}

impl Sink {
    /// What an element costs that is made again: so much that no more of them are made than a page may have tags.
    const STEPS_TO_MAKE_AGAIN: u64 = 128;

    pub fn new(work: Work, keeping: Keeping) -> Self {
        Self {
            nodes: RefCell::new(Nodes::new()),
            keeping,
            work: Cell::new(work),
            current: RefCell::new(None),
            own: Cell::new(None),
            formatting: RefCell::new(HashMap::new()),
            text: Cell::new(None),
            waiting: RefCell::new(VecDeque::new()),
            has_frameset: Cell::new(false),
            is_comment_in_head: Cell::new(false),
        }
    }

    /// Says which start tag comes next. `identity` is the attribute by which its element is made again, if it ever is.
    pub fn begin(&self, name: &LocalName, at: u32, identity: Option<&StrTendril>) {
        self.own.set(None);
        self.current.replace(Some((name.clone(), at)));
        if let Some(identity) = identity {
            self.formatting.borrow_mut().insert(address(identity), at);
        }
    }

    /// Says that the start tag is taken in.
    pub fn end(&self, at: u32) {
        self.current.replace(None);
        self.nodes.borrow_mut().set(self.own.get().into(), |node| node.at = at);
    }

    /// Says which text comes next.
    pub fn begin_text(&self, piece: Piece) {
        self.text.set(Some(piece));
    }

    /// Says that the text is taken in. Where it was put nowhere, it is dropped, or waits for the end of a table's text.
    pub fn end_text(&self) {
        if let Some(piece) = self.text.take()
            && !piece.is_null
        {
            self.waiting.borrow_mut().push_back(piece);
        }
    }

    /// Says that a token is taken in after which no text waits any longer.
    pub fn end_waiting(&self) {
        self.waiting.borrow_mut().clear();
    }

    /// Whether there is a `frameset`, which then is all that the page has.
    pub fn has_frameset(&self) -> bool {
        self.has_frameset.get()
    }

    pub fn work(&self) -> Work {
        self.work.get()
    }

    pub fn count(&self, steps: u64) {
        self.work.set(self.work.get().and(steps));
    }

    /// Whether the last comment went into `html` or `head`.
    pub fn is_comment_in_head(&self) -> bool {
        self.is_comment_in_head.get()
    }

    pub fn into_nodes(self) -> Nodes {
        self.nodes.into_inner()
    }

    /// Of the elements that a start tag makes, its own is the last of its name: before it come elements it implies and
    /// formatting elements that are made again. `image` becomes `img`; names in SVG get their capitals back.
    fn is_of_current(&self, name: &LocalName) -> bool {
        self.current.borrow().as_ref().is_some_and(|(current, _)| {
            current.eq_ignore_ascii_case(name) || (current == "image" && *name == local_name!("img"))
        })
    }

    /// The text that is being put somewhere: the one being taken in, or the first of those that waited.
    fn piece(&self, parent: &Handle) -> Option<Piece> {
        let piece = self.text.take().or_else(|| self.waiting.borrow_mut().pop_front())?;
        Some(piece.put_in(parent.is_foreign())).filter(|_| self.keeping == Keeping::Texts)
    }
}

/// Where the characters of an attribute are.
fn address(value: &StrTendril) -> usize {
    value.as_ptr().addr()
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle::unnamed(NodeId::DOCUMENT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.count(1);
        ExpandedName { ns: &target.namespace, local: &target.name }
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        let kind = Name::of(&name);
        if kind == Name::Frameset {
            self.has_frameset.set(true);
        }
        if flags.template {
            nodes.add(Node::new(Kind::Contents, Nodes::NOWHERE));
        }
        let identity = attributes.iter().find(|attribute| attribute.name.local == local_name!(""));
        let at = identity.and_then(|identity| self.formatting.borrow().get(&address(&identity.value)).copied());
        if at.is_some() && at != self.current.borrow().as_ref().map(|(_, at)| *at) {
            self.count(Self::STEPS_TO_MAKE_AGAIN);
        }
        let id = nodes.add(Node::new(Kind::Element(kind), at.unwrap_or(Nodes::NOWHERE)));
        if self.is_of_current(&name.local) {
            self.own.set(Some(id));
        }
        let is_integration_point = flags.mathml_annotation_xml_integration_point;
        Handle { id, namespace: name.ns, name: name.local, is_integration_point }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        Handle::unnamed(NodeId::COMMENT)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Handle {
        self.create_comment(StrTendril::new())
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        match child {
            NodeOrText::AppendNode(child) if child.id == NodeId::COMMENT => {
                let is_in_head = parent.name == local_name!("html") || parent.name == local_name!("head");
                self.is_comment_in_head.set(is_in_head && parent.namespace == ns!(html));
            }
            NodeOrText::AppendNode(child) => self.nodes.borrow_mut().append(parent.id, child.id),
            NodeOrText::AppendText(_) => {
                if let Some(piece) = self.piece(parent) {
                    let mut nodes = self.nodes.borrow_mut();
                    let last = nodes.get(parent.id).map_or(Link::NONE, |node| node.last_child);
                    nodes.put_text(piece, last, |nodes, text| nodes.append(parent.id, text));
                }
            }
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.nodes.borrow().get(element.id).is_some_and(|node| node.parent != Link::NONE);
        if has_parent { self.append_before_sibling(element, child) } else { self.append(previous, child) }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        Handle::unnamed(self.nodes.borrow().contents(target.id).unwrap_or(target.id))
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        self.count(1);
        one.id == other.id
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        match child {
            NodeOrText::AppendNode(child) if child.id == NodeId::COMMENT => {}
            NodeOrText::AppendNode(child) => self.nodes.borrow_mut().insert_before(sibling.id, child.id),
            // Only tables have text put before them, by the rules of HTML.
            NodeOrText::AppendText(_) => {
                if let Some(piece) = self.piece(sibling) {
                    let mut nodes = self.nodes.borrow_mut();
                    let before = nodes.get(sibling.id).map_or(Link::NONE, |node| node.previous);
                    nodes.put_text(piece, before, |nodes, text| nodes.insert_before(sibling.id, text));
                }
            }
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, _attributes: Vec<Attribute>) {
        if let Some((_, at)) = *self.current.borrow() {
            self.nodes.borrow_mut().merged.push((target.id, at));
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.nodes.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut nodes = self.nodes.borrow_mut();
        while let Some(child) = nodes.get(node.id).and_then(|node| node.first_child.get()) {
            self.count(1);
            nodes.append(new_parent.id, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        handle.is_integration_point
    }
}

#[cfg(test)]
impl Nodes {
    /// The element's name, as far as names are told apart, and where its start tag begins; nothing where it is no
    /// element.
    pub fn element(&self, of: NodeId) -> Option<(Name, Option<u32>)> {
        let node = self.get(of)?;
        let Kind::Element(name) = node.kind else { return None };
        Some((name, Some(node.at).filter(|at| *at != Self::NOWHERE)))
    }

    /// What the node has in it, in order; of a template, what its contents have.
    pub fn children(&self, of: NodeId) -> impl Iterator<Item = NodeId> {
        let first = self.get(self.contents(of).unwrap_or(of)).and_then(|node| node.first_child.get());
        std::iter::successors(first, |child| self.get(*child)?.next.get())
    }
}
