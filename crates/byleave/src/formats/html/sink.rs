//! The sink through which html5ever creates and moves the nodes of a tree. It records where each node is in the source.

use super::nodes::{Name, Node, NodeId, NodeKind, NodeLink, Nodes};
use super::texts::Piece;
use super::tree::{Keeping, Work};
use html5ever::interface::{Attribute, ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};

/// The tree builder's handle to a node, with the node's number and name.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    id: NodeId,
    namespace: Namespace,
    name: LocalName,
    /// Whether this is an `annotation-xml` element that contains HTML.
    is_integration_point: bool,
}

impl Handle {
    fn unnamed(id: NodeId) -> Self {
        Self { id, namespace: ns!(), name: local_name!(""), is_integration_point: false }
    }

    /// Returns whether text in this node follows the rules for foreign content, which keep NULs.
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

/// Creates the nodes that the tree builder requests, and counts its steps.
#[derive(Debug)]
pub(super) struct Sink {
    nodes: RefCell<Nodes>,
    keeping: Keeping,
    work: Cell<Work>,
    /// The name and start of the start tag that is being processed.
    current: RefCell<Option<(LocalName, u32)>>,
    /// The element created for the last start tag.
    own: Cell<Option<NodeId>>,
    /// The starts of formatting elements' start tags. The key is the address of the one attribute that each element
    /// gets. A copy of the attribute has the same address, and no other value can have this address while a copy
    /// exists.
    formatting: RefCell<HashMap<usize, u32>>,
    /// The text that is being processed.
    text: Cell<Option<Piece>>,
    /// Texts in a table that wait until the next token that is not text.
    waiting: RefCell<VecDeque<Piece>>,
    has_frameset: Cell<bool>,
    /// The parent of the last comment.
    comment_parent: Cell<NodeId>,
}

impl Sink {
    /// The cost of recreating an element. It is high enough that a page cannot have more recreated elements than tags.
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

    /// Must be called before a start tag is processed. `identity` is the attribute that identifies the element if it is
    /// recreated.
    pub fn begin(&self, name: &LocalName, at: u32, identity: Option<&StrTendril>) {
        self.own.set(None);
        self.current.replace(Some((name.clone(), at)));
        if let Some(identity) = identity {
            self.formatting.borrow_mut().insert(address(identity), at);
        }
    }

    /// Must be called after the start tag was processed.
    pub fn end(&self, at: u32) {
        self.current.replace(None);
        self.nodes.borrow_mut().set(self.own.get().into(), |node| node.at = at);
    }

    /// Must be called before a text is processed.
    pub fn begin_text(&self, piece: Piece) {
        self.text.set(Some(piece));
    }

    /// Must be called after the text was processed. If the text was not inserted, it waits: the tree builder inserts it
    /// at the end of the table text, or [`end_waiting`](Self::end_waiting) drops it. NULs never wait.
    pub fn end_text(&self) {
        if let Some(piece) = self.text.take()
            && !piece.is_null
        {
            self.waiting.borrow_mut().push_back(piece);
        }
    }

    /// Must be called after a token that ends a table text was processed. Drops the texts that are still waiting.
    pub fn end_waiting(&self) {
        self.waiting.borrow_mut().clear();
    }

    /// Returns whether there is a `frameset`. If so, the page has no other content.
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

    /// Returns the parent of the last comment.
    pub fn comment_parent(&self) -> NodeId {
        self.comment_parent.get()
    }

    /// Returns whether a node is `html` or `head`.
    pub fn is_head(&self, id: NodeId) -> bool {
        let nodes = self.nodes.borrow();
        nodes.get(id).is_some_and(|node| matches!(node.kind, NodeKind::Element(Name::Html | Name::Head)))
    }

    /// Returns the element created for the last start tag.
    pub fn own(&self) -> Option<NodeId> {
        self.own.get()
    }

    /// Returns whether the last start tag created an HTML element.
    pub fn is_own_html(&self) -> bool {
        let nodes = self.nodes.borrow();
        let own = self.own.get().and_then(|own| nodes.get(own));
        own.is_some_and(|own| own.kind != NodeKind::Element(Name::Foreign))
    }

    /// Returns whether texts in a table are waiting for the next token.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.borrow().is_empty()
    }

    /// Returns the parent of a node. The parent of template contents is the template.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.borrow().parent(id)
    }

    pub fn into_nodes(self) -> Nodes {
        self.nodes.into_inner()
    }

    /// Returns whether an element has the name of the current start tag. A start tag first creates implied elements and
    /// recreated formatting elements. Its own element is the last one with its name. `image` becomes `img`, and names
    /// in SVG get their capitals back.
    fn is_of_current(&self, name: &LocalName) -> bool {
        self.current.borrow().as_ref().is_some_and(|(current, _)| {
            current.eq_ignore_ascii_case(name) || (current == "image" && *name == local_name!("img"))
        })
    }

    /// Returns the text to insert: the text that is being processed, or the first waiting text.
    fn piece(&self, parent: &Handle) -> Option<Piece> {
        let piece = self.text.take().or_else(|| self.waiting.borrow_mut().pop_front())?;
        Some(piece.put_in(parent.is_foreign())).filter(|_| self.keeping == Keeping::Texts)
    }
}

/// Returns the address of an attribute's characters.
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
            // In HTML content, text is inserted before a node only if that node is a table.
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
