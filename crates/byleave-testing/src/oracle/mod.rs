//! The META tags, elements and texts of a page, found with html5ever's tokenizer and tree builder, with scripting off.
//! The engine uses the same tree builder, but everything else is separate: this module keeps its own tree.

pub mod elements;

use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{Attribute, ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{QualName, TokenizerResult, local_name, ns};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// A META tag: its `name`, `content` and `value` attributes.
pub type Meta = (Option<String>, Option<String>, Option<String>);

/// The META tags of a page, in document order: those in the head, and those elsewhere. META tags in templates are
/// omitted.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Metas {
    pub head: Vec<Meta>,
    pub body: Vec<Meta>,
}

pub fn metas(text: &str) -> Metas {
    let mut found = Metas::default();
    gather(&document(text, Keeping::Elements), false, &mut found);
    found
}

/// Returns the elements of a page, one per line and indented by depth. Templates include their contents.
pub fn shown(text: &str) -> String {
    let mut shown = String::new();
    let mut waiting = vec![(document(text, Keeping::Elements), 0)];
    while let Some((node, depth)) = waiting.pop() {
        if !node.name.local.is_empty() {
            shown += &format!("{}{}\n", " ".repeat(depth), node.name.local);
        }
        let contents = node.contents.borrow().clone().unwrap_or(node.clone());
        waiting.extend(contents.children.borrow().iter().rev().map(|child| (child.clone(), depth + 1)));
    }
    shown
}

/// An element in the document: its name in lower case, the number of its parent, the number after its last descendant,
/// and the requested attributes, in the requested order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    pub parent: Option<u32>,
    pub end: u32,
    pub attributes: Vec<(&'static str, String)>,
}

/// The elements and texts of a page.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Outline {
    pub elements: Vec<Element>,
    /// The texts, each with the number of its element. Adjacent texts in the same element are joined.
    pub texts: Vec<(u32, String)>,
}

impl Outline {
    /// Adds the next text of the page.
    pub fn add_text(&mut self, element: u32, text: &str) {
        match self.texts.last_mut() {
            Some((last, joined)) if *last == element => joined.push_str(text),
            _ if text.is_empty() => {}
            _ => self.texts.push((element, text.to_owned())),
        }
    }
}

/// Returns the elements of a page in document order, except those in templates.
pub fn outline(text: &str, attributes: &[&'static str]) -> Outline {
    enum Step {
        Enter(Handle, Option<u32>),
        Leave(u32),
    }
    let mut outline = Outline::default();
    let mut waiting = vec![Step::Enter(document(text, Keeping::Texts), None)];
    while let Some(step) = waiting.pop() {
        let (node, parent) = match step {
            Step::Enter(node, parent) => (node, parent),
            Step::Leave(number) => {
                outline.elements[number as usize].end = outline.elements.len() as u32;
                continue;
            }
        };
        if let (Some(text), Some(parent)) = (&*node.text.borrow(), parent) {
            outline.add_text(parent, text);
            continue;
        }
        let mut number = parent;
        if !node.name.local.is_empty() {
            number = Some(outline.elements.len() as u32);
            let known = node.attributes.borrow();
            let get = |name: &&'static str| {
                let is_named = |known: &&Attribute| known.name.ns == ns!() && *known.name.local == **name;
                Some((*name, known.iter().find(is_named)?.value.to_string()))
            };
            let attributes = attributes.iter().filter_map(get).collect();
            let name = node.name.local.to_ascii_lowercase().to_string();
            outline.elements.push(Element { name, parent, end: 0, attributes });
            waiting.push(Step::Leave(number.unwrap()));
        }
        waiting.extend(node.children.borrow().iter().rev().map(|child| Step::Enter(child.clone(), number)));
    }
    outline
}

#[derive(Clone, Copy, PartialEq)]
enum Keeping {
    Elements,
    Texts,
}

fn document(text: &str, keeping: Keeping) -> Handle {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    // The byte order mark has already been removed, so a second one is text.
    let tokenizer = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let sink = Sink { document: Node::new(QualName::new(None, ns!(), local_name!("")), Vec::new()), keeping };
    let tokenizer = Tokenizer::new(WithoutErrors(TreeBuilder::new(sink, tree_builder)), tokenizer);
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0.sink.document
}

/// Drops parse errors before the tree builder sees them. To the tree builder, an error would be a token: in
/// `<pre>&#10`, it would then keep the line feed, which it must drop.
struct WithoutErrors(TreeBuilder<Handle, Sink>);

impl TokenSink for WithoutErrors {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        match token {
            Token::ParseError(_) => TokenSinkResult::Continue,
            token => self.0.process_token(token, line),
        }
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.adjusted_current_node_present_but_not_in_html_namespace()
    }
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
    text: RefCell<Option<String>>,
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
            text: RefCell::default(),
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
    keeping: Keeping,
}

impl Sink {
    /// Returns the text as a node, or `None` if it was joined to the preceding text or dropped.
    fn text(&self, before: Option<&Handle>, text: &str) -> Option<Handle> {
        if self.keeping == Keeping::Elements {
            return None;
        }
        if let Some(known) = before.and_then(|before| Some(before).filter(|before| before.text.borrow().is_some())) {
            known.text.borrow_mut().as_mut().unwrap().push_str(text);
            return None;
        }
        let node = self.create_comment(StrTendril::new());
        *node.text.borrow_mut() = Some(text.to_owned());
        Some(node)
    }
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
        let child = match child {
            NodeOrText::AppendNode(child) => Some(child),
            NodeOrText::AppendText(text) => self.text(parent.children.borrow().last(), &text),
        };
        if let Some(child) = child {
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
        let child = match child {
            NodeOrText::AppendNode(child) => Some(child),
            NodeOrText::AppendText(_) if self.keeping == Keeping::Elements => None,
            NodeOrText::AppendText(text) => {
                let (parent, index) = sibling.place().unwrap();
                self.text(index.checked_sub(1).map(|before| parent.children.borrow()[before].clone()).as_ref(), &text)
            }
        };
        if let Some(child) = child {
            self.remove_from_parent(&child);
            let (parent, index) = sibling.place().unwrap();
            *child.parent.borrow_mut() = Rc::downgrade(&parent);
            parent.children.borrow_mut().insert(index, child);
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        let mut known = target.attributes.borrow_mut();
        for attribute in attributes {
            if known.iter().all(|known| known.name != attribute.name) {
                known.push(attribute);
            }
        }
    }

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
