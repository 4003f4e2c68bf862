//! The nodes of a tree: elements and texts, linked to their parents, siblings and children.

use super::texts::{Piece, TextKind};
use crate::base::source::Span;
use crate::model::ElementId;
use html5ever::{QualName, local_name, ns};

/// The number of a node in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub const DOCUMENT: Self = Self(0);
    /// Represents all comments, which are not stored.
    pub(super) const COMMENT: Self = Self(u32::MAX);

    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// The number of another node, or no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeLink(u32);

impl NodeLink {
    pub(super) const NONE: Self = Self(u32::MAX);

    pub(super) fn get(self) -> Option<NodeId> {
        (self != Self::NONE).then_some(NodeId(self.0))
    }
}

impl From<Option<NodeId>> for NodeLink {
    fn from(id: Option<NodeId>) -> Self {
        id.map_or(Self::NONE, |id| Self(id.0))
    }
}

/// The nodes of a tree: the document, its elements and texts, and the contents of its templates.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    /// Repeated start tags of `html` and `body`, in page order, each with the element that gets its attributes.
    pub(super) merged: Vec<(NodeId, u32)>,
}

/// A node. Its size of 28 bytes matters, because a page may have one node for every three or four bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: NodeLink,
    pub(super) previous: NodeLink,
    next: NodeLink,
    pub(super) first_child: NodeLink,
    pub(super) last_child: NodeLink,
    /// The start of the start tag or the text, or `NOWHERE` if the element is implied.
    pub(super) at: u32,
    pub(super) kind: NodeKind,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Document,
    Element(Name),
    /// The contents of a template.
    Contents,
    /// A text. The end of the text is stored in `last_child`.
    Text(TextKind),
}

macro_rules! names {
    ($($variant:ident $name:tt,)*) => {
        /// An element's name. Only names that matter to other code have a variant of their own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub(crate) enum Name {
            $($variant,)*
            /// Any other HTML element.
            Other,
            /// An SVG or MathML element.
            Foreign,
        }

        impl Name {
            pub(super) fn of(name: &QualName) -> Self {
                if name.ns != ns!(html) {
                    return Self::Foreign;
                }
                match name.local {
                    $(local_name!($name) => Self::$variant,)*
                    _ => Self::Other,
                }
            }

            /// Returns the name as text, or `None` if it must be read from the start tag.
            pub(crate) fn known(self) -> Option<&'static str> {
                match self {
                    $(Self::$variant => Some($name),)*
                    Self::Other | Self::Foreign => None,
                }
            }
        }
    };
}

// This list contains every element that can exist without a start tag of its own (such as `tbody`), and every element
// that other code distinguishes.
names! {
    A "a",
    Abbr "abbr",
    Acronym "acronym",
    Area "area",
    B "b",
    Base "base",
    Bdi "bdi",
    Bdo "bdo",
    Big "big",
    Body "body",
    Br "br",
    Cite "cite",
    Code "code",
    Colgroup "colgroup",
    Data "data",
    Del "del",
    Dfn "dfn",
    Em "em",
    Font "font",
    Form "form",
    Frameset "frameset",
    Head "head",
    Html "html",
    I "i",
    Img "img",
    Ins "ins",
    Kbd "kbd",
    Label "label",
    Link "link",
    Mark "mark",
    Meta "meta",
    Nobr "nobr",
    P "p",
    Q "q",
    S "s",
    Samp "samp",
    Script "script",
    Small "small",
    Span "span",
    Strike "strike",
    Strong "strong",
    Style "style",
    Sub "sub",
    Sup "sup",
    Tbody "tbody",
    Template "template",
    Time "time",
    Title "title",
    Tr "tr",
    Tt "tt",
    U "u",
    Var "var",
    Wbr "wbr",
}

/// The element that a node is or belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NodeElement {
    /// The node is this element.
    Itself(ElementId),
    /// The node is a text in this element, or the contents of this template.
    Within(ElementId),
}

impl NodeElement {
    pub fn element(self) -> ElementId {
        let (Self::Itself(element) | Self::Within(element)) = self;
        element
    }
}

/// A step in a walk through the document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WalkEvent {
    /// An element begins. Contains the offset of its start tag, if it has one.
    Enter(NodeId, Name, Option<u32>),
    Text(Span, TextKind),
    /// The innermost open element ends.
    Leave,
}

impl Nodes {
    pub(super) const NOWHERE: u32 = u32::MAX;

    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::new(NodeKind::Document, Self::NOWHERE)], merged: Vec::new() }
    }

    /// Returns the repeated start tags. An attribute in a repeated tag counts if the element does not have that
    /// attribute yet.
    pub fn merged(&self) -> &[(NodeId, u32)] {
        &self.merged
    }

    /// Walks through the document in order. The contents of templates are not part of the document.
    ///
    /// Cost: linear in the nodes.
    pub fn walk(&self, mut visit: impl FnMut(WalkEvent)) {
        let mut at = NodeId::DOCUMENT;
        while let Some(node) = self.get(at) {
            match node.kind {
                NodeKind::Element(name) => {
                    visit(WalkEvent::Enter(at, name, Some(node.at).filter(|at| *at != Self::NOWHERE)));
                }
                NodeKind::Text(kind) => visit(WalkEvent::Text(Span { start: node.at, end: node.last_child.0 }, kind)),
                NodeKind::Document | NodeKind::Contents => {}
            }
            if let Some(first) = node.first_child.get() {
                at = first;
                continue;
            }
            let mut over = *node;
            let next = loop {
                if matches!(over.kind, NodeKind::Element(_)) {
                    visit(WalkEvent::Leave);
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

    /// Returns the element for each node. Elements are numbered in document order.
    ///
    /// Cost: linear in the nodes.
    pub fn numbers(&self) -> Vec<Option<NodeElement>> {
        let mut numbers: Vec<Option<NodeElement>> = vec![None; self.nodes.len()];
        let mut count = 0;
        self.walk(|walked| {
            if let WalkEvent::Enter(node, ..) = walked {
                if let Some(number) = numbers.get_mut(node.number()) {
                    *number = Some(NodeElement::Itself(ElementId(count)));
                }
                count += 1;
            }
        });
        for number in 0..self.nodes.len() as u32 {
            let mut passed = Vec::new();
            let mut at = Some(NodeId(number));
            let found = loop {
                let Some(node) = at else { break None };
                match numbers.get(node.number()).copied().flatten() {
                    Some(found) => break Some(found),
                    None => passed.push(node),
                }
                at = self.parent(node);
            };
            for node in passed {
                if let Some(number) = numbers.get_mut(node.number()) {
                    *number = found.map(|found| NodeElement::Within(found.element()));
                }
            }
        }
        numbers
    }

    pub(super) fn parent(&self, id: NodeId) -> Option<NodeId> {
        let node = self.get(id)?;
        // A template's contents are created directly before the template.
        if node.kind == NodeKind::Contents { Some(NodeId(id.0 + 1)) } else { node.parent.get() }
    }

    pub(super) fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    pub(super) fn set(&mut self, id: NodeLink, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            change(node);
        }
    }

    pub(super) fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        id
    }

    /// Returns the contents of a template, which are created directly before it.
    pub(super) fn contents(&self, of: NodeId) -> Option<NodeId> {
        let is_template = matches!(self.get(of)?.kind, NodeKind::Element(Name::Template));
        let contents = NodeId(of.0.checked_sub(1).filter(|_| is_template)?);
        (self.get(contents)?.kind == NodeKind::Contents).then_some(contents)
    }

    pub(super) fn detach(&mut self, id: NodeId) {
        let Some(&Node { parent, previous, next, .. }) = self.get(id) else { return };
        let link = NodeLink::from(Some(id));
        self.set(previous, |node| node.next = next);
        self.set(next, |node| node.previous = previous);
        self.set(parent, |node| {
            node.first_child = if node.first_child == link { next } else { node.first_child };
            node.last_child = if node.last_child == link { previous } else { node.last_child };
        });
        self.set(link, |node| {
            (node.parent, node.previous, node.next) = (NodeLink::NONE, NodeLink::NONE, NodeLink::NONE)
        });
    }

    pub(super) fn append(&mut self, parent: NodeId, child: NodeId) {
        self.detach(child);
        let previous = self.get(parent).map_or(NodeLink::NONE, |node| node.last_child);
        let (parent, child) = (NodeLink::from(Some(parent)), NodeLink::from(Some(child)));
        self.set(child, |node| (node.parent, node.previous) = (parent, previous));
        self.set(previous, |node| node.next = child);
        self.set(parent, |node| {
            node.first_child = if node.first_child == NodeLink::NONE { child } else { node.first_child };
            node.last_child = child;
        });
    }

    pub(super) fn insert_before(&mut self, sibling: NodeId, child: NodeId) {
        self.detach(child);
        let Some(&Node { parent, previous, .. }) = self.get(sibling) else { return };
        let (sibling, child) = (NodeLink::from(Some(sibling)), NodeLink::from(Some(child)));
        self.set(child, |node| (node.parent, node.previous, node.next) = (parent, previous, sibling));
        self.set(sibling, |node| node.previous = child);
        self.set(previous, |node| node.next = child);
        self.set(parent, |node| {
            node.first_child = if node.first_child == sibling { child } else { node.first_child };
        });
    }

    /// Appends a text to the text `previous` if both have the same kind and are adjacent in the source. Otherwise,
    /// calls `put`, which inserts the text as a new node.
    pub(super) fn put_text(&mut self, piece: Piece, previous: NodeLink, put: impl FnOnce(&mut Self, NodeId)) {
        let kind = NodeKind::Text(piece.kind);
        let before = previous.get().and_then(|previous| self.get(previous));
        if before.is_some_and(|before| before.kind == kind && before.last_child.0 == piece.span.start) {
            return self.set(previous, |node| node.last_child = NodeLink(piece.span.end));
        }
        let text = self.add(Node { last_child: NodeLink(piece.span.end), ..Node::new(kind, piece.span.start) });
        put(self, text);
    }
}

impl Node {
    pub(super) fn new(kind: NodeKind, at: u32) -> Self {
        let none = NodeLink::NONE;
        Self { parent: none, previous: none, next: none, first_child: none, last_child: none, at, kind }
    }
}

#[cfg(test)]
impl Nodes {
    /// Returns an element's name and the start of its start tag, or `None` for other nodes.
    pub fn element(&self, of: NodeId) -> Option<(Name, Option<u32>)> {
        let node = self.get(of)?;
        let NodeKind::Element(name) = node.kind else { return None };
        Some((name, Some(node.at).filter(|at| *at != Self::NOWHERE)))
    }

    /// Returns a node's children in order. For a template, returns the children of its contents.
    pub fn children(&self, of: NodeId) -> impl Iterator<Item = NodeId> {
        let first = self.get(self.contents(of).unwrap_or(of)).and_then(|node| node.first_child.get());
        std::iter::successors(first, |child| self.get(*child)?.next.get())
    }
}
