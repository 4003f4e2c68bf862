//! The elements and texts of a page as plain data, for tests outside the crate.

use crate::base::source::Span;
use crate::formats::html::Decoded;
use crate::formats::html::elements::Elements;
use crate::model::ElementId;
use crate::site::skip::{Sought, may_matter};

/// All elements and texts of a page, in document order.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Outline<'p> {
    page: &'p Decoded<'p>,
    elements: Elements,
}

/// An element with its name, its place in the tree, its start tag and some attributes.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlinedElement {
    pub name: String,
    pub parent: Option<u32>,
    pub end: u32,
    pub tag: Option<Span>,
    /// The attributes `class`, `id`, `rel`, `href` and `name`, in this order.
    pub attributes: Vec<(&'static str, String)>,
}

/// A text with the number of the element that contains it.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlinedText {
    pub element: u32,
    pub span: Span,
    pub text: String,
    /// Whether this is the content of a script, a style sheet or a similar element.
    pub is_raw: bool,
}

impl<'p> Outline<'p> {
    /// Returns the outline of a page.
    #[must_use]
    pub fn of(page: &'p Decoded<'p>) -> Self {
        Self { page, elements: Elements::of(page) }
    }

    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.elements.is_whole()
    }

    #[must_use]
    pub fn count(&self) -> u32 {
        self.elements.count()
    }

    #[must_use]
    pub fn text_count(&self) -> usize {
        self.elements.texts().len()
    }

    #[must_use]
    pub fn elements(&self) -> Vec<OutlinedElement> {
        self.elements.ids().map(|id| self.element(id)).collect()
    }

    #[must_use]
    pub fn texts(&self) -> Vec<OutlinedText> {
        let outlined = |run: &crate::formats::html::texts::TextRun| OutlinedText {
            element: run.element.0,
            span: run.span,
            text: run.text(self.page).into_owned(),
            is_raw: run.kind.is_raw(),
        };
        self.elements.texts().iter().map(outlined).collect()
    }

    /// Returns how many texts are in an element's subtree.
    #[must_use]
    pub fn texts_of(&self, element: u32) -> usize {
        // The texts of a subtree are adjacent.
        let id = ElementId(element);
        let texts = self.elements.texts().iter().skip(self.elements.first_text(id));
        texts.take_while(|text| self.elements.is_within(text.element, id)).count()
    }

    #[must_use]
    pub fn with_id(&self, id: &str) -> Option<u32> {
        self.elements.with_id(self.page, id).map(|found| found.0)
    }

    #[must_use]
    pub fn with_class(&self, class: &str) -> Option<u32> {
        self.elements.with_class(self.page, class).map(|found| found.0)
    }

    #[must_use]
    pub fn classes(&self, element: u32) -> Vec<String> {
        self.elements.classes(self.page, ElementId(element)).map(|class| class.into_owned()).collect()
    }

    #[must_use]
    pub fn has_profile(&self, uri: &str) -> bool {
        self.elements.has_profile(self.page, uri)
    }

    /// Whether a page may have statements on its elements: in classes, in `rel` if `with_links`, or in one of the ids,
    /// classes or names in `more`.
    #[must_use]
    pub fn may_matter(page: &Decoded<'_>, with_links: bool, more: &[&str]) -> bool {
        may_matter(page, if with_links { Sought::ClassesAndLinks } else { Sought::Classes }, more)
    }

    /// Whether a page may contain search-engine marks on parts of itself (S-49).
    #[must_use]
    pub fn may_be_marked(page: &Decoded<'_>) -> bool {
        may_matter(page, Sought::ClassesAndMarks, &[])
    }

    fn element(&self, id: ElementId) -> OutlinedElement {
        let attribute = |name: &'static str| Some((name, self.elements.attribute(self.page, id, name)?.into_owned()));
        OutlinedElement {
            name: self.elements.written_name(self.page, id).into_owned(),
            parent: self.elements.lineage(id).nth(1).map(|parent| parent.0),
            end: self.elements.end(id),
            tag: self.elements.tag(self.page, id),
            attributes: ["class", "id", "rel", "href", "name"].into_iter().filter_map(attribute).collect(),
        }
    }
}
