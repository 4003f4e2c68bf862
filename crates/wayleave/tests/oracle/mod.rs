//! The META tags of a page by html5ever alone: its tokenizer, its tree construction, scripting off. It shares nothing
//! with the engine but the tree builder, and that with a tree of its own.

#![allow(dead_code)]

use html5ever::interface::{Attribute, ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, QualName, local_name, ns, parse_document};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// A META tag: its attributes `name`, `content` and `value`.
pub type Meta = (Option<String>, Option<String>, Option<String>);

/// The METAs in the head, and those elsewhere in the document but not in a template, both in document order.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Metas {
    pub head: Vec<Meta>,
    pub body: Vec<Meta>,
}

pub fn metas(text: &str) -> Metas {
    let mut found = Metas::default();
    gather(&document(text), false, &mut found);
    found
}

/// The elements of a page, one a line, deeper ones further in; templates with their contents.
pub fn shown(text: &str) -> String {
    let mut shown = String::new();
    let mut waiting = vec![(document(text), 0)];
    while let Some((node, depth)) = waiting.pop() {
        if !node.name.local.is_empty() {
            shown += &format!("{}{}\n", " ".repeat(depth), node.name.local);
        }
        let contents = node.contents.borrow().clone().unwrap_or(node.clone());
        waiting.extend(contents.children.borrow().iter().rev().map(|child| (child.clone(), depth + 1)));
    }
    shown
}

fn document(text: &str) -> Handle {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    // What is given here has no byte order mark any more: a second one is text.
    let tokenizer = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let sink = Sink { document: Node::new(QualName::new(None, ns!(), local_name!("")), Vec::new()) };
    parse_document(sink, ParseOpts { tokenizer, tree_builder }).one(text)
}

fn gather(document: &Handle, is_in_head: bool, found: &mut Metas) {
    let mut waiting = vec![(document.clone(), is_in_head)];
    while let Some((node, is_in_head)) = waiting.pop() {
        let is_html = node.name.ns == ns!(html);
        if is_html && node.name.local == local_name!("meta") {
            let attributes = node.attributes.borrow();
            let get = |name: &str| {
                let mut named = attributes.iter().filter(|attribute| &*attribute.name.local == name);
                named.next().map(|attribute| attribute.value.to_string())
            };
            let meta = (get("name"), get("content"), get("value"));
            if is_in_head { found.head.push(meta) } else { found.body.push(meta) }
        }
        let is_in_head = is_in_head || (is_html && node.name.local == local_name!("head"));
        waiting.extend(node.children.borrow().iter().rev().map(|child| (child.clone(), is_in_head)));
    }
}

type Handle = Rc<Node>;

struct Node {
    name: QualName,
    attributes: RefCell<Vec<Attribute>>,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Handle>>,
    contents: RefCell<Option<Handle>>,
    is_integration_point: RefCell<bool>,
}

impl Node {
    fn new(name: QualName, attributes: Vec<Attribute>) -> Handle {
        Rc::new(Self {
            name,
            attributes: RefCell::new(attributes),
            parent: RefCell::default(),
            children: RefCell::default(),
            contents: RefCell::default(),
            is_integration_point: RefCell::default(),
        })
    }

    fn place(&self) -> Option<(Handle, usize)> {
        let parent = self.parent.borrow().upgrade()?;
        let index = parent.children.borrow().iter().position(|child| std::ptr::eq(&**child, self)).unwrap();
        Some((parent, index))
    }
}

struct Sink {
    document: Handle,
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Handle;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Handle {
        self.document
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        self.document.clone()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        target.name.expanded()
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let node = Node::new(name, attributes);
        if flags.template {
            *node.contents.borrow_mut() = Some(self.create_comment(StrTendril::new()));
        }
        *node.is_integration_point.borrow_mut() = flags.mathml_annotation_xml_integration_point;
        node
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        Node::new(QualName::new(None, ns!(), local_name!("")), Vec::new())
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Handle {
        self.create_comment(StrTendril::new())
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(child) = child {
            self.remove_from_parent(&child);
            *child.parent.borrow_mut() = Rc::downgrade(parent);
            parent.children.borrow_mut().push(child);
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        if element.place().is_some() {
            self.append_before_sibling(element, child)
        } else {
            self.append(previous, child)
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.contents.borrow().clone().unwrap()
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        Rc::ptr_eq(one, other)
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(child) = child {
            self.remove_from_parent(&child);
            let (parent, index) = sibling.place().unwrap();
            *child.parent.borrow_mut() = Rc::downgrade(&parent);
            parent.children.borrow_mut().insert(index, child);
        }
    }

    fn add_attrs_if_missing(&self, _target: &Handle, _attributes: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Handle) {
        if let Some((parent, index)) = target.place() {
            parent.children.borrow_mut().remove(index);
            *target.parent.borrow_mut() = Weak::new();
        }
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        for child in node.children.take() {
            *child.parent.borrow_mut() = Rc::downgrade(new_parent);
            new_parent.children.borrow_mut().push(child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        *handle.is_integration_point.borrow()
    }
}
