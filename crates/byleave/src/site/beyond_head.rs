//! Parses the rest of a page: META tags outside `head`, elements and parts.
//!
//! Each of these is parsed when a question first needs it. The result depends only on the site, not on the question.

use super::skip;
use super::{Parts, Role, Site};
use crate::base::limits::Limits;
use crate::base::source::Span;
use crate::dialects::acap::{Acap, Entry};
use crate::dialects::search_marks::MARKED_USAGES;
use crate::formats::html;
use crate::formats::html::{TargetKind, Targets};
use crate::model::ElementId;
use crate::model::Usage;
use crate::model::proposed_use::Capabilities;
use crate::model::proposed_use::ProposedUse;
use crate::model::{Source, StatementId, StatementKind};
use crate::site::Sources;
use crate::site::element_statements::{ElementAcap, ElementStatements};
use crate::site::response::{DocumentKind, ParsedDocument, Response};
use crate::site::skip::Sought;
use smallvec::SmallVec;

/// Which elements a question needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AskedFor<'u> {
    /// The question is about one element.
    Element,
    /// The question is about a usage of the page. Only statements on `html` and `body` can matter. These elements are
    /// not links.
    Page(&'u Usage),
    /// The question asks for all elements with statements about a usage.
    Parts(&'u Usage),
}

impl Parts for Site<'_> {
    fn targets(&self) -> &[Targets] {
        self.lazy.targets.get_or_init(|| {
            let pages = self.documents.iter().filter(|document| matches!(document.role, Role::Page | Role::Dom));
            // A page that is not HTML has no parts.
            let targets = |page| self.decoded(page).map_or_else(Targets::default, |page| Targets::of(&page));
            pages.map(targets).collect()
        })
    }

    fn locate(&self, page: usize, kind: TargetKind, name: &[u8]) -> Option<ElementId> {
        let page = self.all_elements().get(page)?;
        let decoded = self.decoded(self.documents.get(page.document)?)?;
        let name = std::str::from_utf8(name).ok()?;
        match kind {
            TargetKind::Id => page.elements.with_id(&decoded, name),
            TargetKind::Class => page.elements.with_class(&decoded, name),
            TargetKind::Meta => None,
        }
    }
}

impl Site<'_> {
    /// Returns the META tags outside `head`.
    pub(super) fn outside_head(&self) -> &Response {
        self.lazy.outside_head.get_or_init(|| {
            let mut outside = Response::default();
            let (limits, switches) = (Limits::default(), self.reading.switches());
            for parsed in &self.response.documents {
                let Some(document) = self.documents.get(parsed.document) else { continue };
                let page = if parsed.kind == DocumentKind::Headers { None } else { self.decoded(document) };
                let Some(page) = page else { continue };
                let parsed = ParsedDocument::of_body(parsed, &page, &limits);
                outside.add(parsed, switches, self.robots_txt.acap());
            }
            outside
        })
    }

    /// Returns the statements on the page's elements. Returns `None` if nothing in the page can matter and the question
    /// is not about an element.
    ///
    /// The page as sent comes before the page after its scripts, regardless of the order in which they were supplied.
    pub(crate) fn elements(&self, asked: AskedFor) -> Option<&[ElementStatements]> {
        let pages = || self.documents_of(DocumentKind::Source).chain(self.documents_of(DocumentKind::Dom));
        pages().next()?;
        let decoded = |parsed: &ParsedDocument| self.decoded(self.documents.get(parsed.document)?);
        let may_matter = |sought: Sought| {
            let [classes, links, marks] = &self.lazy.may_have_statements;
            let known = match sought {
                Sought::Classes => classes,
                Sought::ClassesAndLinks => links,
                Sought::ClassesAndMarks => marks,
            };
            let may_matter =
                |parsed: &ParsedDocument| decoded(parsed).is_some_and(|page| skip::may_matter(&page, sought, &[]));
            *known.get_or_init(|| pages().any(may_matter))
        };
        // ACAP's strawman identifies fragments by element ids.
        let has_lists = || pages().any(ParsedDocument::has_lists);
        let is_needed = match asked {
            AskedFor::Element => true,
            AskedFor::Parts(Usage::Follow) => has_lists() || may_matter(Sought::ClassesAndLinks),
            AskedFor::Page(usage) | AskedFor::Parts(usage) if MARKED_USAGES.contains(usage) => {
                has_lists() || may_matter(Sought::ClassesAndMarks)
            }
            AskedFor::Page(_) | AskedFor::Parts(_) => has_lists() || may_matter(Sought::Classes),
        };
        is_needed.then(|| self.all_elements())
    }

    /// Returns the statements on the elements of each page. They are parsed when first needed.
    fn all_elements(&self) -> &[ElementStatements] {
        self.lazy.elements.get_or_init(|| {
            let pages = self.documents_of(DocumentKind::Source).chain(self.documents_of(DocumentKind::Dom));
            let (switches, robots_txt) = (self.reading.switches(), self.robots_txt.acap());
            let read = |parsed: &ParsedDocument| {
                let page = self.decoded(self.documents.get(parsed.document)?)?;
                Some(ElementStatements::of(&page, parsed, switches, robots_txt))
            };
            pages.filter_map(read).collect()
        })
    }

    /// Returns the page, ready to be parsed. This is the page as sent or, if there is none, the page after its scripts.
    pub(crate) fn page(&self) -> Option<html::Decoded<'_>> {
        let parsed = self.documents_of(DocumentKind::Source).chain(self.documents_of(DocumentKind::Dom)).next()?;
        self.decoded(self.documents.get(parsed.document)?)
    }

    fn documents_of(&self, kind: DocumentKind) -> impl Iterator<Item = &ParsedDocument> {
        self.response.documents.iter().filter(move |parsed| parsed.kind == kind)
    }

    /// Returns the element that is the given part of the page.
    pub(crate) fn part(&self, kind: TargetKind, name: &[u8]) -> Option<ElementId> {
        self.elements(AskedFor::Element)?;
        self.locate(0, kind, name)
    }

    /// Returns the element in question for each page. If the question gives the element's number in one page, the
    /// element with the same id is returned for the other page.
    pub(crate) fn find(&self, proposed: &ProposedUse<'_>) -> SmallVec<[Option<ElementId>; 2]> {
        let elements = if proposed.is_of_part() { self.all_elements() } else { &[] };
        let pages = elements.iter();
        let decoded = |page: &ElementStatements| self.decoded(self.documents.get(page.document)?);
        let Some(part) = proposed.part else {
            let find = |page: &ElementStatements| page.find(&decoded(page)?, proposed.element?);
            return pages.map(find).collect();
        };
        let own = pages.clone().nth(part.page);
        let id = || own.and_then(|own| Some(own.elements.attribute(&decoded(own)?, part.element, "id")?.into_owned()));
        let find = |(number, page): (usize, &ElementStatements)| match number == part.page {
            true => Some(part.element),
            false => page.elements.with_id(&decoded(page)?, &id()?),
        };
        pages.enumerate().map(find).collect()
    }

    /// Returns the page as sent and the page after its scripts, or `None` if one of them is missing.
    pub(crate) fn both_pages(&self) -> Option<[html::Decoded<'_>; 2]> {
        let [source, dom] = self.all_elements() else { return None };
        let decoded = |page: &ElementStatements| self.decoded(self.documents.get(page.document)?);
        Some([decoded(source)?, decoded(dom)?])
    }

    /// Returns the span of an element's start tag, in the bytes of its page.
    pub(crate) fn tag(&self, page: &ElementStatements, element: ElementId) -> Option<Span> {
        page.elements.tag(&self.decoded(self.documents.get(page.document)?)?, element)
    }

    /// Returns the ACAP table for a source, regardless of the question.
    pub(crate) fn acap_table(&self, source: Source) -> Option<&Acap> {
        let elements = matches!(source, Source::ElementAcap(_)).then(|| self.all_elements());
        let outside_head = matches!(source, Source::BodyAcap(_)).then(|| self.outside_head());
        Sources { outside_head, ..self.sources(&Capabilities::default(), elements) }.acap(source)
    }

    /// Returns an ACAP permission or prohibition, with its table.
    pub(crate) fn acap_entry(&self, id: StatementId) -> Option<(&Acap, &Entry)> {
        let acap = self.acap_table(id.source).filter(|_| id.kind() == StatementKind::Acap)?;
        Some((acap, acap.statements.get(id.number as usize)?))
    }

    /// Returns the table that contains an ACAP statement on an element.
    pub(crate) fn element_acap(&self, id: StatementId) -> Option<&ElementAcap> {
        let Source::ElementAcap(number) = id.source else { return None };
        self.all_elements().iter().flat_map(|page| &page.acaps).nth(usize::from(number))
    }

    /// Returns the page that contains a statement on an element.
    pub(crate) fn on_element(&self, id: StatementId) -> Option<&ElementStatements> {
        let pages = self.all_elements();
        let mut number = match id.source {
            Source::ElementRestrictions(page) => return pages.get(usize::from(page)),
            Source::ElementAcap(number) => usize::from(number),
            _ => return None,
        };
        for page in pages {
            match number.checked_sub(page.acaps.len()) {
                Some(rest) => number = rest,
                None => return Some(page),
            }
        }
        None
    }
}
