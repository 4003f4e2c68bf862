//! Parses XML into elements with spans, so that a decision can point at a term in a licence.
//!
//! `quick-xml` splits the text into tags and texts and resolves namespaces. Only XML's five predefined entities and
//! numeric references are allowed. Any other entity is a fault. A document type declaration is ignored, so the entities
//! that it defines are never expanded. The elements before a fault are kept.

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;
use quick_xml::reader::NsReader;

/// An element and everything in it.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) namespace: Namespace,
    /// The element's name without its prefix.
    pub(crate) name: String,
    attributes: Vec<(Namespace, String, String)>,
    /// The span of the start tag, including `<` and `>`.
    pub(crate) tag: (usize, usize),
    /// The offset after the end tag, or the offset of the fault.
    pub(crate) end: usize,
    /// The text directly in the element, without the text in its children.
    pub(crate) text: String,
    pub(crate) children: Vec<Self>,
}

/// The namespace of a name: the index of a requested namespace, another namespace, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Namespace {
    Asked(usize),
    Other,
    None,
}

/// The result of parsing.
#[derive(Debug)]
pub(crate) struct Xml {
    pub(crate) root: Option<Element>,
    /// The offset at which the text stops being well-formed, if it does.
    pub(crate) fault: Option<usize>,
    /// The offset at which parsing stopped.
    pub(crate) end: usize,
}

/// The maximum nesting depth. A deeper element is a fault.
const MAX_DEPTH: usize = 64;
/// The maximum number of attributes in a tag. More attributes are a fault.
const MAX_ATTRIBUTES: usize = 64;

/// Parses a document with one root element. Stops at the root's start tag if `is_wanted` rejects it. `namespaces` are
/// the namespaces that the caller distinguishes.
///
/// Cost: O(text). Each name costs O(1), because at most 128 namespaces may be bound at a time.
pub(crate) fn read(text: &[u8], namespaces: &[&str], is_wanted: impl Fn(&Element) -> bool) -> Xml {
    let from = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    read_part(text, (from, text.len()), namespaces, is_wanted)
}

/// Parses the root element in a part of a text. Offsets are from the start of the whole text.
pub(crate) fn read_part(
    text: &[u8],
    (from, to): (usize, usize),
    namespaces: &[&str],
    is_wanted: impl Fn(&Element) -> bool,
) -> Xml {
    let bytes = text.get(from..to).unwrap_or_default();
    // The first invalid UTF-8 byte is a fault.
    let text = valid(bytes);
    let is_cut = text.len() < bytes.len();
    read_from(text, from, is_cut, namespaces, AfterRoot::CommentsOnly, is_wanted)
}

/// Parses the root element at the start of `text`, and ignores everything after it.
///
/// Cost: O(element).
pub(crate) fn packet(text: &str, namespaces: &[&str]) -> Xml {
    read_from(text, 0, true, namespaces, AfterRoot::Anything, |_| true)
}

/// Returns the longest prefix that is valid UTF-8.
pub(crate) fn valid(bytes: &[u8]) -> &str {
    let length = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    bytes.get(..length).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
}

fn read_from(
    text: &str,
    from: usize,
    is_cut: bool,
    namespaces: &[&str],
    after_root: AfterRoot,
    is_wanted: impl Fn(&Element) -> bool,
) -> Xml {
    let mut reader = TreeReader { namespaces, from, after_root, fault: None, open: Vec::new(), root: None };
    let mut events = NsReader::from_str(text);
    let (mut fault, mut at) = (None, 0);
    loop {
        let start = at;
        let event = events.read_event();
        at = usize::try_from(events.buffer_position()).unwrap_or(text.len()).min(text.len());
        let is_read = match event {
            Ok(Event::Eof) => {
                fault = (is_cut || !reader.open.is_empty()).then_some(from + at);
                break;
            }
            Ok(event) => reader.event(&events, event, (from + start, from + at), &is_wanted),
            Err(_) => EventResult::Fault,
        };
        match is_read {
            EventResult::Next => {}
            EventResult::Done => break,
            EventResult::Fault => {
                fault = Some(from + start);
                break;
            }
        }
    }
    let end = from + at;
    while reader.open.last().is_some() {
        reader.close(fault.unwrap_or(end));
    }
    Xml { root: reader.root, fault: reader.fault.or(fault), end }
}

/// What may follow the root element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterRoot {
    /// Only comments, processing instructions and whitespace. The text is a document.
    CommentsOnly,
    /// Anything, which is not parsed. The text is a packet in a file.
    Anything,
}

enum EventResult {
    Next,
    Done,
    Fault,
}

struct TreeReader<'n> {
    namespaces: &'n [&'n str],
    from: usize,
    after_root: AfterRoot,
    /// The offset of the first undeclared prefix, if there is one.
    fault: Option<usize>,
    open: Vec<Element>,
    root: Option<Element>,
}

impl TreeReader<'_> {
    fn event(
        &mut self,
        events: &NsReader<&[u8]>,
        event: Event<'_>,
        span: (usize, usize),
        is_wanted: &impl Fn(&Element) -> bool,
    ) -> EventResult {
        let is_empty = matches!(event, Event::Empty(_));
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                let element = self.element(events, &tag, span).filter(|_| self.open.len() < MAX_DEPTH);
                // A document has only one root element.
                let Some(element) = element.filter(|_| self.root.is_none()) else { return EventResult::Fault };
                if self.open.is_empty() && !is_wanted(&element) {
                    return EventResult::Done;
                }
                self.open.push(element);
                if is_empty {
                    self.close(span.1);
                }
            }
            Event::End(_) => self.close(span.1),
            Event::Text(text) => match self.open.last_mut() {
                Some(element) => element.text.push_str(&text),
                // Text before the root is ignored, but text after the root is a fault.
                None if self.root.is_some() && !text.trim_ascii().is_empty() => return EventResult::Fault,
                None => {}
            },
            Event::CData(text) => {
                if let Some(element) = self.open.last_mut() {
                    element.text.push_str(&text);
                }
            }
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref();
                let Some(element) = self.open.last_mut() else { return EventResult::Fault };
                match (character, resolve_predefined_entity(&reference)) {
                    (Ok(Some(character)), _) => element.text.push(character),
                    (Ok(None), Some(text)) => element.text.push_str(text),
                    _ => return EventResult::Fault,
                }
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Eof => {}
        }
        if self.root.is_some() && self.after_root == AfterRoot::Anything {
            EventResult::Done
        } else {
            EventResult::Next
        }
    }

    fn element(&mut self, events: &NsReader<&[u8]>, tag: &BytesStart<'_>, span: (usize, usize)) -> Option<Element> {
        let names = events.resolver();
        let (namespace, name) = names.resolve_element(tag.name());
        let mut attributes = Vec::new();
        // The check for duplicates compares all pairs of attributes, so the number of attributes is limited.
        for attribute in tag.attributes() {
            let attribute = attribute.ok().filter(|_| attributes.len() < MAX_ATTRIBUTES)?;
            let (namespace, name) = names.resolve_attribute(attribute.key);
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
            attributes.push((self.namespace(&namespace, span.0), name.into_inner().to_owned(), value.into_owned()));
        }
        Some(Element {
            namespace: self.namespace(&namespace, span.0),
            name: name.into_inner().to_owned(),
            attributes,
            tag: span,
            end: span.1.max(self.from),
            text: String::new(),
            children: Vec::new(),
        })
    }

    fn namespace(&mut self, found: &ResolveResult<'_>, at: usize) -> Namespace {
        match found {
            ResolveResult::Unbound => Namespace::None,
            // The prefix is not declared, but the element can still be parsed.
            ResolveResult::Unknown(_) => {
                self.fault.get_or_insert(at);
                Namespace::Other
            }
            ResolveResult::Bound(namespace) => {
                let uri = namespace.into_inner();
                // In packets, publishers often omit or confuse the `/` and `#` at the end of a namespace.
                let bare = |uri: &str| match self.after_root {
                    AfterRoot::Anything => uri.trim_end_matches(['/', '#']).len(),
                    AfterRoot::CommentsOnly => uri.len(),
                };
                let is_it = |asked: &&str| asked.get(..bare(asked)) == uri.get(..bare(uri));
                self.namespaces.iter().position(is_it).map_or(Namespace::Other, Namespace::Asked)
            }
        }
    }

    /// Closes the innermost open element at `end`.
    fn close(&mut self, end: usize) {
        let Some(mut element) = self.open.pop() else { return };
        element.end = end;
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.root = Some(element),
        }
    }
}

impl Element {
    /// Returns the value of an attribute, by namespace and name.
    pub(crate) fn attribute(&self, namespace: Namespace, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, local, _)| *own == namespace && local == name);
        found.map(|(.., value)| value.as_str())
    }

    /// Returns the namespace, name and value of each attribute.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (Namespace, &str, &str)> {
        self.attributes.iter().map(|(namespace, name, value)| (*namespace, name.as_str(), value.as_str()))
    }

    /// Returns the element's own text, and the texts of all elements inside it.
    pub(crate) fn texts(&self) -> Vec<&str> {
        let inner = self.children.iter().flat_map(Self::texts);
        std::iter::once(self.text.as_str()).chain(inner).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Xml {
        read(text.as_bytes(), &["urn:a"], |_| true)
    }

    #[test]
    fn elements_have_their_places_and_namespaces() {
        let text = "\u{FEFF}<?xml version='1.0'?><!DOCTYPE a><a xmlns='urn:a'>\n<p:b xmlns:p='urn:b' c='&lt;&#49;'/>x&amp;<![CDATA[<y>]]></a>\n<!-- -->";
        let xml = read_all(text);
        let Some(root) = xml.root else { return assert!(xml.root.is_some()) };
        assert_eq!((xml.fault, root.namespace, root.text.as_str()), (None, Namespace::Asked(0), "\nx&<y>"));
        assert_eq!(text.get(root.tag.0..root.tag.1), Some("<a xmlns='urn:a'>"));
        assert_eq!(root.end, text.len() - "\n<!-- -->".len());
        let Some(child) = root.children.first() else { return assert!(!root.children.is_empty()) };
        assert_eq!((child.namespace, child.name.as_str()), (Namespace::Other, "b"));
        assert_eq!(child.attribute(Namespace::None, "c"), Some("<1"));
        assert_eq!(text.get(child.tag.0..child.end), Some("<p:b xmlns:p='urn:b' c='&lt;&#49;'/>"));
    }

    #[test]
    fn elements_before_a_fault_are_kept() {
        for fault in ["</b>", "&x;", "&", "<c d=e/>", "<c d='1' d='2'/>", "<c", "</a>x", "</a><a/>", "<c d='&x;'/>"] {
            let text = format!("<a><b>1</b>{fault}");
            let xml = read_all(&text);
            assert!(xml.fault.is_some_and(|at| (11..=text.len()).contains(&at)), "{fault}: {:?}", xml.fault);
            assert_eq!(xml.root.map(|root| root.children.len()), Some(1), "{fault}");
        }
        let foreign = read_all("<a><q:c/><b q:d=''/><b/></a>");
        assert_eq!((foreign.fault, foreign.root.map(|root| root.children.len())), (Some(3), Some(3)));
        let cut = read(b"<a><b/>\xFF</a>", &[], |_| true);
        assert_eq!((cut.fault, cut.root.map(|root| root.children.len())), (Some(7), Some(1)));
        assert_eq!((packet("<a/></b>", &[]).fault, packet("<a/></b>", &[]).end), (None, 4));
        let deep = read_all(&"<a>".repeat(10_000));
        assert_eq!(deep.fault, Some(MAX_DEPTH * 3));
        let many = format!("<a {}/>", (0..70).map(|n| format!("x{n}='' ")).collect::<String>());
        assert!(read_all(&many).fault.is_some());
        assert!(read_all("").root.is_none() && read_all("no").root.is_none());
        assert!(read(b"<b/>", &[], |root| root.name == "a").root.is_none());
    }
}
