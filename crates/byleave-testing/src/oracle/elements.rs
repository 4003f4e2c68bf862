//! The elements of a page with their attributes and parents, found in two ways: in html5ever's tree, or with a plain
//! stack of tags. The stack ignores implied end tags, foster parents and the adoption of formatting elements.

use super::{Handle, Keeping, document};
use html5ever::interface::Attribute;
use html5ever::tokenizer::states::RawKind::{Rawtext, Rcdata};
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::{local_name, ns};
use std::cell::RefCell;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    /// Whether the element is from HTML, not from SVG or MathML.
    pub is_html: bool,
    /// The attributes without a namespace. If an attribute is repeated, only the first is kept.
    pub attributes: Vec<(String, String)>,
    /// The index of the parent in the list.
    pub parent: Option<usize>,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// Returns all elements in document order, except those in a `template`, which are not part of the document.
pub fn elements(text: &str) -> Vec<Element> {
    let mut found: Vec<Element> = Vec::new();
    let mut waiting: Vec<(Handle, Option<usize>)> = vec![(document(text, Keeping::Elements), None)];
    while let Some((node, parent)) = waiting.pop() {
        let is_element = !node.name.local.is_empty();
        let here = if is_element { Some(found.len()) } else { parent };
        if is_element {
            let attributes = node.attributes.borrow();
            let name = |own: &Attribute| match own.name.ns {
                ns!() => Some(own.name.local.to_string()),
                ns!(xlink) => Some(format!("xlink:{}", own.name.local)),
                _ => None,
            };
            let named = attributes.iter().filter_map(|own| Some((name(own)?, own.value.to_string())));
            found.push(Element {
                name: node.name.local.to_string(),
                is_html: node.name.ns == ns!(html),
                attributes: named.collect(),
                parent,
            });
        }
        waiting.extend(node.children.borrow().iter().rev().map(|child| (child.clone(), here)));
    }
    found
}

/// Returns the elements according to a stack of tags: a start tag opens an element, and an end tag closes the innermost
/// open element with that name and everything inside it.
pub fn as_tags_nest(text: &str) -> Vec<Element> {
    let buffer = BufferQueue::default();
    buffer.push_back(text.into());
    let tokenizer = Tokenizer::new(Stack::default(), TokenizerOpts { discard_bom: false, ..Default::default() });
    let _ = tokenizer.feed(&buffer);
    tokenizer.end();
    tokenizer.sink.found.take()
}

#[derive(Default)]
struct Stack {
    found: RefCell<Vec<Element>>,
    open: RefCell<Vec<usize>>,
}

const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param"];

impl TokenSink for Stack {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let Token::TagToken(tag) = token else { return TokenSinkResult::Continue };
        match tag.kind {
            TagKind::StartTag => self.open(&tag),
            TagKind::EndTag => {
                let (found, mut open) = (self.found.borrow(), self.open.borrow_mut());
                if let Some(at) = open.iter().rposition(|element| *found[*element].name == *tag.name) {
                    open.truncate(at);
                }
            }
        }
        match (tag.kind, tag.name) {
            (TagKind::StartTag, local_name!("title") | local_name!("textarea")) => TokenSinkResult::RawData(Rcdata),
            (TagKind::StartTag, local_name!("script") | local_name!("style")) => TokenSinkResult::RawData(Rawtext),
            _ => TokenSinkResult::Continue,
        }
    }
}

impl Stack {
    fn open(&self, tag: &Tag) {
        let (mut found, mut open) = (self.found.borrow_mut(), self.open.borrow_mut());
        let attributes = tag.attrs.iter().map(|own| (own.name.local.to_string(), own.value.to_string()));
        found.push(Element {
            name: tag.name.to_string(),
            is_html: true,
            attributes: attributes.collect(),
            parent: open.last().copied(),
        });
        if !tag.self_closing && !VOID.contains(&&*tag.name) {
            open.push(found.len() - 1);
        }
    }
}
