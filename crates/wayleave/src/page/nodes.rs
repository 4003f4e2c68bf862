//! The elements of a tree, and the sink through which html5ever makes and moves them.

use super::tree::Work;
use crate::source::Span;
use html5ever::interface::{Attribute, ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// A node by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub const DOCUMENT: Self = Self(0);
    /// Stands for comments, which are not kept.
    const COMMENT: Self = Self(u32::MAX);
}

/// The nodes of a tree: the document, its elements, and the contents of its templates.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    /// Of an element.
    name: LocalName,
    /// The start tag it was made of; nothing where it is implied, or made again of an earlier tag.
    tag: Option<Span>,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    last_child: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    /// Of a template.
    contents: Option<NodeId>,
    is_integration_point: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Document,
    Head,
    Element,
    /// What a template has inside.
    Contents,
}

impl Nodes {
    fn new() -> Self {
        Self { nodes: vec![Node::new(Kind::Document, local_name!(""))] }
    }

    /// The nodes of the document in its order, but for what is in its head. What is in a template is not in the document.
    ///
    /// Cost: linear in the nodes.
    pub fn outside_head(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::DOCUMENT), |at| {
            let node = self.get(*at)?;
            node.first_child.filter(|_| node.kind != Kind::Head).or_else(|| self.following(*at))
        })
    }

    /// All nodes of the document in its order. What is in a template is not in the document.
    ///
    /// Cost: linear in the nodes.
    pub fn in_document(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::DOCUMENT), |at| self.get(*at)?.first_child.or_else(|| self.following(*at)))
    }

    /// The node that begins where this one has ended.
    fn following(&self, of: NodeId) -> Option<NodeId> {
        let mut at = self.get(of)?;
        while at.next.is_none() {
            at = self.get(at.parent?)?;
        }
        at.next
    }

    /// The start tag the element was made of; nothing where it is implied, or made again of an earlier tag.
    #[cfg_attr(not(test), expect(dead_code, reason = "for questions about elements"))]
    pub fn tag(&self, of: NodeId) -> Option<Span> {
        self.get(of)?.tag
    }

    /// The element's name; nothing where the node is none. A long name that HTML does not know is a number here.
    #[cfg_attr(not(test), expect(dead_code, reason = "for questions about elements"))]
    pub fn name(&self, of: NodeId) -> Option<&str> {
        self.get(of).map(|node| &*node.name).filter(|name| !name.is_empty())
    }

    /// What the node has in it, in order; of a template, what its contents have.
    #[cfg_attr(not(test), expect(dead_code, reason = "for questions about elements"))]
    pub fn children(&self, of: NodeId) -> impl Iterator<Item = NodeId> {
        let contents = self.get(of).and_then(|node| node.contents).unwrap_or(of);
        let first = self.get(contents).and_then(|node| node.first_child);
        std::iter::successors(first, |child| self.get(*child)?.next)
    }

    /// What the node stands in.
    pub fn parent(&self, of: NodeId) -> Option<NodeId> {
        self.get(of)?.parent
    }

    fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    fn set(&mut self, id: Option<NodeId>, change: impl FnOnce(&mut Node)) {
        if let Some(node) = id.and_then(|id| self.nodes.get_mut(id.0 as usize)) {
            change(node);
        }
    }

    fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        id
    }

    fn detach(&mut self, id: NodeId) {
        let Some(Node { parent, previous, next, .. }) = self.get(id).cloned() else { return };
        self.set(previous, |node| node.next = next);
        self.set(next, |node| node.previous = previous);
        self.set(parent, |node| {
            node.first_child = if node.first_child == Some(id) { next } else { node.first_child };
            node.last_child = if node.last_child == Some(id) { previous } else { node.last_child };
        });
        self.set(Some(id), |node| (node.parent, node.previous, node.next) = (None, None, None));
    }

    fn append(&mut self, parent: NodeId, child: NodeId) {
        self.detach(child);
        let previous = self.get(parent).and_then(|node| node.last_child);
        self.set(Some(child), |node| (node.parent, node.previous) = (Some(parent), previous));
        self.set(previous, |node| node.next = Some(child));
        self.set(Some(parent), |node| {
            node.first_child = node.first_child.or(Some(child));
            node.last_child = Some(child);
        });
    }

    fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        self.detach(child);
        let Some(Node { parent, previous, .. }) = self.get(sibling).cloned() else { return };
        self.set(Some(child), |node| (node.parent, node.previous, node.next) = (parent, previous, Some(sibling)));
        self.set(Some(sibling), |node| node.previous = Some(child));
        self.set(previous, |node| node.next = Some(child));
        self.set(parent, |node| {
            node.first_child = if node.first_child == Some(sibling) { Some(child) } else { node.first_child };
        });
    }
}

impl Node {
    fn new(kind: Kind, name: LocalName) -> Self {
        Self {
            kind,
            name,
            tag: None,
            parent: None,
            first_child: None,
            last_child: None,
            previous: None,
            next: None,
            contents: None,
            is_integration_point: false,
        }
    }
}

/// What the tree builder knows a node by: its number and its name.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    id: NodeId,
    namespace: Namespace,
    name: LocalName,
}

/// Makes the nodes that the tree builder asks for, and counts its steps.
#[derive(Debug)]
pub(super) struct Sink {
    nodes: RefCell<Nodes>,
    work: Cell<Work>,
    /// The name of the start tag that is being taken in.
    current: RefCell<Option<LocalName>>,
    /// The element that the last start tag became.
    own: Cell<Option<NodeId>>,
    is_comment_in_head: Cell<bool>,
}

impl Sink {
    pub fn new(work: Work) -> Self {
        Self {
            nodes: RefCell::new(Nodes::new()),
            work: Cell::new(work),
            current: RefCell::new(None),
            own: Cell::new(None),
            is_comment_in_head: Cell::new(false),
        }
    }

    /// Says which start tag comes next.
    pub fn begin(&self, name: &LocalName) {
        self.own.set(None);
        self.current.replace(Some(name.clone()));
    }

    /// Says that the start tag is taken in.
    pub fn end(&self, tag: Span) {
        self.current.replace(None);
        self.nodes.borrow_mut().set(self.own.get(), |node| node.tag = Some(tag));
    }

    /// The element that the last start tag became.
    pub fn own(&self) -> Option<NodeId> {
        self.own.get()
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
        self.current.borrow().as_ref().is_some_and(|current| {
            current.eq_ignore_ascii_case(name) || (current == "image" && *name == local_name!("img"))
        })
    }
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
        Handle { id: NodeId::DOCUMENT, namespace: ns!(), name: local_name!("") }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.count(1);
        ExpandedName { ns: &target.namespace, local: &target.name }
    }

    fn create_element(&self, name: QualName, _attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        let is_head = name.ns == ns!(html) && name.local == local_name!("head");
        let mut node = Node::new(if is_head { Kind::Head } else { Kind::Element }, name.local.clone());
        node.is_integration_point = flags.mathml_annotation_xml_integration_point;
        node.contents = flags.template.then(|| nodes.add(Node::new(Kind::Contents, local_name!(""))));
        let id = nodes.add(node);
        if self.is_of_current(&name.local) {
            self.own.set(Some(id));
        }
        Handle { id, namespace: name.ns, name: name.local }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        Handle { id: NodeId::COMMENT, namespace: ns!(), name: local_name!("") }
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
            NodeOrText::AppendText(_) => {}
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.nodes.borrow().parent(element.id).is_some();
        if has_parent { self.append_before_sibling(element, child) } else { self.append(previous, child) }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let id = self.nodes.borrow().get(target.id).and_then(|node| node.contents).unwrap_or(target.id);
        Handle { id, namespace: ns!(), name: local_name!("") }
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        self.count(1);
        one.id == other.id
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(child) = child {
            self.nodes.borrow_mut().insert_before(sibling.id, child.id);
        }
    }

    fn add_attrs_if_missing(&self, _target: &Handle, _attributes: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Handle) {
        self.nodes.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut nodes = self.nodes.borrow_mut();
        while let Some(child) = nodes.get(node.id).and_then(|node| node.first_child) {
            self.count(1);
            nodes.append(new_parent.id, child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        self.nodes.borrow().get(handle.id).is_some_and(|node| node.is_integration_point)
    }
}
