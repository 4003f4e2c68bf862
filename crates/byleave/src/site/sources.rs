//! What `decide` needs from a site apart from its conventional groups and its AI preferences.
//!
//! Everything is borrowed from `Site`. Nothing is parsed here, except that the parts of a page are located when first
//! needed.

use super::ReadReference;
use crate::dialects::acap::Acap;
use crate::dialects::acap::Entry;
use crate::formats::html::{TargetKind, Targets};
use crate::model::ElementId;
use crate::model::Source;
use crate::model::crawler::Crawler;
use crate::model::{StatementId, StatementKind};
use crate::policy::Policy;
use crate::site::element_statements::ElementStatements;
use crate::site::response::Response;
use smallvec::SmallVec;

/// The statements outside conventional groups: ACAP in robots.txt and in the files it refers to, and the response.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sources<'a> {
    pub(super) robots_txt: Option<&'a Acap>,
    pub(super) is_unreachable: bool,
    pub(super) references: &'a [ReadReference],
    pub(super) links: &'a [Option<u16>],
    pub(super) response: Option<&'a Response>,
    pub(super) outside_head: Option<&'a Response>,
    /// The statements on elements, or `None` if there cannot be any.
    pub(super) elements: Option<&'a [ElementStatements]>,
    /// The element in question in each of these pages.
    pub(super) asked: &'a [Option<ElementId>],
    /// The page, if there is one, for questions about its parts.
    pub(super) page: Option<&'a dyn Parts>,
}

/// A page whose parts are located when a question first needs them.
pub(crate) trait Parts: std::fmt::Debug {
    /// Returns the parts of each page document: the source and the DOM.
    fn targets(&self) -> &[Targets];

    /// Returns the element in a page that is this part.
    fn locate(&self, page: usize, kind: TargetKind, name: &[u8]) -> Option<ElementId>;
}

impl<'a> Sources<'a> {
    /// Returns the sources for a policy alone, without the files it refers to.
    pub(crate) fn of_policy(policy: &'a Policy<'_>) -> Self {
        Self {
            robots_txt: policy.acap(),
            is_unreachable: false,
            references: &[],
            links: &[],
            response: None,
            outside_head: None,
            elements: None,
            asked: &[],
            page: None,
        }
    }

    /// Returns these sources for a question about the given elements.
    pub(crate) fn asking(self, asked: &'a [Option<ElementId>]) -> Self {
        Self { asked, ..self }
    }

    /// Returns the element of a page that the question is about, or `None` if the question is about the page itself.
    pub(crate) fn asked(&self, page: usize) -> Option<ElementId> {
        self.asked.get(page).copied().flatten()
    }

    /// Whether the element in question is outside the given part of its page (S-37).
    pub(crate) fn is_elsewhere(&self, kind: TargetKind, name: &[u8]) -> bool {
        let Some(parts) = self.page else { return false };
        let pages = self.elements.unwrap_or_default().iter().enumerate();
        let is_elsewhere = |(number, page): (usize, &ElementStatements)| {
            self.asked(number).is_some_and(|element| {
                !parts.locate(number, kind, name).is_some_and(|target| page.covers(target, element))
            })
        };
        pages.into_iter().any(is_elsewhere)
    }

    /// Returns these sources without the statements in the response.
    pub(crate) fn without_response(self) -> Self {
        Self { response: None, outside_head: None, elements: None, page: None, ..self }
    }

    /// Whether robots.txt could not be fetched.
    pub(crate) fn is_unreachable(&self) -> bool {
        self.is_unreachable
    }

    #[inline]
    pub(crate) fn has_response(&self) -> bool {
        self.response.is_some()
    }

    /// Returns the parsed headers and pages, if there are any.
    #[inline]
    pub(crate) fn response(&self) -> Option<&'a Response> {
        self.response
    }

    /// Returns the statements on each page's elements, or `None` if there cannot be any.
    pub(crate) fn elements(&self) -> Option<&'a [ElementStatements]> {
        self.elements
    }

    /// Whether a page was supplied and its source or its DOM does not have this part.
    pub(crate) fn lacks(&self, kind: TargetKind, name: &[u8]) -> bool {
        self.page.is_some_and(|page| page.targets().iter().any(|targets| !targets.has(kind, name)))
    }

    /// Returns the META tags outside `head`, for crawlers that read them (S-24).
    pub(crate) fn outside_head(&self) -> Option<&'a Response> {
        self.outside_head
    }

    /// Calls `visit` with the ACAP table of robots.txt, and of each file that it refers to for this crawler.
    pub(crate) fn each(&self, crawler: &Crawler, mut visit: impl FnMut(Source, &'a Acap)) {
        let Some(robots_txt) = self.robots_txt else { return };
        visit(Source::Acap, robots_txt);
        if self.references.is_empty() {
            return;
        }
        let mut numbers: SmallVec<[u16; 8]> = SmallVec::new();
        let mut is_for = LastGroup::default();
        for (link, to) in robots_txt.references.iter().zip(self.links) {
            numbers.extend(to.filter(|_| is_for.is_addressed(robots_txt, link.group, crawler)));
        }
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            if let Some(reference) = self.references.get(usize::from(number)) {
                visit(Source::ReferenceAcap(number), &reference.acap);
            }
        }
    }

    /// Returns every ACAP table that may apply to a page, for any crawler.
    pub(crate) fn acaps(&self) -> impl Iterator<Item = &'a Acap> {
        let responses = [self.response, self.outside_head].into_iter().flatten();
        let metas = responses.flat_map(|response| response.acaps.iter().map(|read| &read.acap));
        self.robots_txt.into_iter().chain(self.references.iter().map(|reference| &reference.acap)).chain(metas)
    }

    /// Returns the number of directives in META tags and headers.
    pub(crate) fn words(&self) -> usize {
        let responses = [self.response, self.outside_head].into_iter().flatten();
        responses.flat_map(|response| &response.documents).map(|parsed| parsed.directives.len()).sum()
    }

    /// Returns the references that address the crawler and whose files were not read (S-21).
    pub(crate) fn unread(&self, crawler: &'a Crawler) -> impl Iterator<Item = StatementId> + 'a {
        let (robots_txt, links) = (self.robots_txt, self.links);
        let references = robots_txt.map_or(&[][..], |acap| &acap.references);
        let mut is_for = LastGroup::default();
        let unread = (0u32..).zip(references).filter(move |(number, reference)| {
            let is_read = links.get(*number as usize).is_some_and(Option::is_some);
            !is_read && robots_txt.is_some_and(|acap| is_for.is_addressed(acap, reference.group, crawler))
        });
        unread.map(|(number, _)| StatementId::new(Source::References, number))
    }

    /// Returns the ACAP table for a source.
    pub(crate) fn acap(&self, source: Source) -> Option<&'a Acap> {
        let of = |response: Option<&'a Response>, number: u16| {
            response?.acaps.get(usize::from(number)).map(|read| &read.acap)
        };
        match source {
            Source::Acap | Source::References => self.robots_txt,
            Source::ReferenceAcap(number) => self.references.get(usize::from(number)).map(|reference| &reference.acap),
            Source::HeadAcap(number) => of(self.response, number),
            Source::BodyAcap(number) => of(self.outside_head, number),
            Source::ElementAcap(number) => {
                let mut acaps = self.elements?.iter().flat_map(|page| &page.acaps);
                acaps.nth(usize::from(number)).map(|read| &read.acap)
            }
            Source::Rules
            | Source::Preferences
            | Source::DocumentPreferences(_)
            | Source::HeadDirectives(_)
            | Source::BodyDirectives(_)
            | Source::ElementRestrictions(_) => None,
        }
    }

    /// Returns an ACAP permission or prohibition, with its table.
    pub(crate) fn entry(&self, id: StatementId) -> Option<(&'a Acap, &'a Entry)> {
        let acap = self.acap(id.source).filter(|_| id.kind() == StatementKind::Acap)?;
        Some((acap, acap.statements.get(id.number as usize)?))
    }
}

/// Caches whether the last group addresses the crawler, because references in one group are adjacent.
#[derive(Default)]
struct LastGroup(Option<(u32, bool)>);

impl LastGroup {
    fn is_addressed(&mut self, acap: &Acap, group: u32, crawler: &Crawler) -> bool {
        match self.0 {
            Some((known, answer)) if known == group => answer,
            _ => {
                let answer = acap.addressee(group, crawler).is_some();
                self.0 = Some((group, answer));
                answer
            }
        }
    }
}
