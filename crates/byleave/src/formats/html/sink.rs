//! The sink through which html5ever makes and moves the nodes of a tree, and where each of them is written.

use super::nodes::{Name, Node, NodeId, NodeKind, NodeLink, Nodes};
use super::texts::Piece;
use super::tree::{Keeping, Work};
use html5ever::interface::{Attribute, ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};

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
    /// Where the last comment went.
    comment_parent: Cell<NodeId>,
}

impl Sink {
    /// What an element costs that is made again: so much that no more of them are made than a page may have tags.
    const STEPS_TO_RECREATE: u64 = 128;

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
            comment_parent: Cell::new(NodeId::DOCUMENT),
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

    pub fn set_work(&self, work: Work) {
        self.work.set(work);
    }

    /// Where the last comment went.
    pub fn comment_parent(&self) -> NodeId {
        self.comment_parent.get()
    }

    /// Whether a node is `html` or `head`.
    pub fn is_head(&self, id: NodeId) -> bool {
        let nodes = self.nodes.borrow();
        nodes.get(id).is_some_and(|node| matches!(node.kind, NodeKind::Element(Name::Html | Name::Head)))
    }

    /// The element that the last start tag became.
    pub fn own(&self) -> Option<NodeId> {
        self.own.get()
    }

    /// Whether the last start tag became an element of HTML.
    pub fn is_own_html(&self) -> bool {
        let nodes = self.nodes.borrow();
        let own = self.own.get().and_then(|own| nodes.get(own));
        own.is_some_and(|own| own.kind != NodeKind::Element(Name::Foreign))
    }

    /// Whether texts in a table wait for the next token.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.borrow().is_empty()
    }

    /// What a node is in; the contents of a template are in it.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.borrow().parent(id)
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
            nodes.add(Node::new(NodeKind::Contents, Nodes::NOWHERE));
        }
        let identity = attributes.iter().find(|attribute| attribute.name.local == local_name!(""));
        let at = identity.and_then(|identity| self.formatting.borrow().get(&address(&identity.value)).copied());
        if at.is_some() && at != self.current.borrow().as_ref().map(|(_, at)| *at) {
            self.count(Self::STEPS_TO_RECREATE);
        }
        let id = nodes.add(Node::new(NodeKind::Element(kind), at.unwrap_or(Nodes::NOWHERE)));
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
                self.comment_parent.set(parent.id);
            }
            NodeOrText::AppendNode(child) => self.nodes.borrow_mut().append(parent.id, child.id),
            NodeOrText::AppendText(_) => {
                if let Some(piece) = self.piece(parent) {
                    let mut nodes = self.nodes.borrow_mut();
                    let last = nodes.get(parent.id).map_or(NodeLink::NONE, |node| node.last_child);
                    nodes.put_text(piece, last, |nodes, text| nodes.append(parent.id, text));
                }
            }
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.nodes.borrow().get(element.id).is_some_and(|node| node.parent != NodeLink::NONE);
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
                    let before = nodes.get(sibling.id).map_or(NodeLink::NONE, |node| node.previous);
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
