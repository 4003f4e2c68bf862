//! Finds the content in the page as sent that the page after its scripts prohibits (S-25).
//!
//! An id identifies an element in both pages. If the id is missing from the page as sent, or is not unique, the texts
//! are compared instead. An element that is not examined (S-22) counts as prohibited.

use super::PageQuestion;
use crate::formats::html::{Decoded, Elements, Fingerprint, Fingerprints, VisibleRun, VisibleText};
use crate::model::ElementId;
use crate::model::Usage;
use crate::site::element_statements::{ElementStatements, ExaminedElements};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// The content that the page after its scripts prohibits. Empty if that page was not supplied.
#[derive(Default)]
pub(super) struct AfterScripts {
    /// The elements in the page as sent whose id is in both pages, if either page has a statement on the element. The
    /// value is whether an element with that id is prohibited.
    by_id: HashMap<ElementId, bool>,
    /// The texts of prohibited elements that cannot be identified by an id.
    texts: HashSet<Fingerprint>,
    /// Whether some elements were not examined. They count as prohibited.
    pub(super) is_cut: bool,
}

/// The content of the page as sent that equals a text which the page prohibits after its scripts ran.
pub(super) struct SameText {
    /// For each visible run of text, whether it is part of a prohibited text.
    pub(super) runs: Vec<bool>,
    /// For each element, whether its whole text is prohibited. The element's other content is then left out too.
    pub(super) elements: Vec<bool>,
    pub(super) because: Arc<str>,
}

impl AfterScripts {
    /// Compares both pages.
    ///
    /// Cost: building the second page's tree, plus one decision for each of its elements with a statement.
    pub(super) fn of(question: &PageQuestion<'_>) -> Self {
        let ([source, dom], Some([sent, after])) = (question.pages, question.site.both_pages()) else {
            return Self::default();
        };
        let (ids, ids_after) = (Ids::of(source, &sent), Ids::of(dom, &after));
        let both = |id: &str| Some([ids.known.get(id)?, ids_after.known.get(id)?]);
        let is_in_both = |id: &str| both(id).is_some_and(|known| known.iter().any(|known| known.has_statement));
        let in_both: Vec<ElementId> = ids_after.each().filter(|(id, _)| is_in_both(id)).map(|(_, one)| one).collect();
        let examined = question.examined_elements(1, &in_both);
        let prohibited = prohibited(question, &dom.elements, &examined);
        let is_prohibited = |element: ElementId| prohibited.get(element.0 as usize).copied().unwrap_or_default();
        let prohibited_ids: HashSet<&str> =
            ids_after.each().filter(|(_, one)| is_prohibited(*one)).map(|(id, _)| id).collect();
        let by_id =
            ids.each().filter(|(id, _)| is_in_both(id)).map(|(id, one)| (one, prohibited_ids.contains(id))).collect();
        // An element that is found by its id is compared by text only if it is inside an element that is compared by
        // text.
        let is_found = |id: &str| both(id).is_some_and(|known| known.iter().all(|known| known.is_single));
        let found: HashSet<ElementId> = ids_after.each().filter(|(id, _)| is_found(id)).map(|(_, one)| one).collect();
        let mut is_compared_by_text: Vec<bool> = Vec::with_capacity(prohibited.len());
        for element in dom.elements.ids() {
            let outer =
                dom.elements.parent(element).and_then(|outer| is_compared_by_text.get(outer.0 as usize)).copied();
            let has_statement = is_prohibited(element) && dom.has_statement(element);
            is_compared_by_text.push(has_statement && (!found.contains(&element) || outer.unwrap_or_default()));
        }
        let usage = question.proposed.usage;
        let ranges = Some(dom).filter(|dom| dom.has_ranges_of(usage)).map(|dom| (dom, usage));
        Self { by_id, texts: texts_in(&after, &is_compared_by_text, ranges), is_cut: !examined.is_all() }
    }

    /// Returns the elements in the page as sent that must be examined because of the page after its scripts.
    pub(super) fn in_both(&self) -> Vec<ElementId> {
        self.by_id.keys().copied().collect()
    }

    /// Whether the page after its scripts prohibits an element in the page as sent, identified by its id. Returns
    /// `None` if that page does not have the id, or if neither page has a statement on the element.
    pub(super) fn bars(&self, element: ElementId) -> Option<bool> {
        self.by_id.get(&element).copied()
    }

    /// Returns why content is left out because of the page after its scripts.
    pub(super) fn because(&self, has: &str) -> Arc<str> {
        let or = if self.is_cut { " or was not examined" } else { "" };
        format!("the page after its scripts has {has} that is prohibited{or}").into()
    }

    /// Finds the content that is the same as a prohibited text.
    ///
    /// Cost: linear in the text, plus O(log texts) for each element.
    pub(super) fn same_text(&self, page: &Decoded<'_>, elements: &Elements, shown: &VisibleText<'_>) -> SameText {
        let mut same = SameText {
            runs: vec![false; shown.runs().len()],
            elements: vec![false; elements.count() as usize],
            because: self.because("this text in an element"),
        };
        if self.texts.is_empty() {
            return same;
        }
        let alike = Fingerprints::of(page, shown);
        // Counts the prohibited texts that start and end at each run, because these texts may be nested.
        let mut edges = vec![0i64; shown.runs().len() + 1];
        shown.each_text(|runs| {
            if alike.fingerprint(&runs).is_some_and(|one| self.texts.contains(&one)) {
                for (at, step) in [(runs.start, 1), (runs.end, -1)] {
                    edges.get_mut(at).into_iter().for_each(|edge| *edge += step);
                }
            }
        });
        let mut depth = 0;
        for (is_same, edge) in same.runs.iter_mut().zip(edges) {
            depth += edge;
            *is_same = depth > 0;
        }
        let others =
            PrefixCounts::of(same.runs.iter().enumerate().map(|(run, is_same)| !is_same && alike.has_characters(run)));
        let owners = shown.runs().iter().zip(&same.runs).filter(|(_, is_same)| **is_same);
        let owners: HashSet<ElementId> = owners.map(|(shown, _)| shown.run.element).collect();
        for element in elements.ids() {
            let outer = elements.parent(element).and_then(|outer| same.elements.get(outer.0 as usize)).copied();
            let is_same = || owners.contains(&element) && others.has_none(&shown.within(element));
            let is_same = outer.unwrap_or_default() || is_same();
            same.elements.get_mut(element.0 as usize).into_iter().for_each(|own| *own = is_same);
        }
        same
    }
}

/// The ids in a page.
struct Ids {
    /// The ids in document order, without empty ids.
    ids: Vec<(String, ElementId)>,
    known: HashMap<String, IdUse>,
}

/// How a page uses an id.
#[derive(Clone, Copy)]
struct IdUse {
    /// Whether exactly one element has the id.
    is_single: bool,
    /// Whether an element with the id, or an enclosing element, has a statement.
    has_statement: bool,
}

impl Ids {
    fn of(on: &ElementStatements, page: &Decoded<'_>) -> Self {
        let id = |element: ElementId| Some((on.elements.attribute(page, element, "id")?.into_owned(), element));
        let ids: Vec<_> = on.elements.ids().filter_map(id).filter(|(id, _)| !id.is_empty()).collect();
        let mut known: HashMap<String, IdUse> = HashMap::new();
        for (id, element) in &ids {
            let has_statement = on.has_statement(*element);
            let again = |known: &mut IdUse| {
                *known = IdUse { is_single: false, has_statement: known.has_statement || has_statement };
            };
            known.entry(id.clone()).and_modify(again).or_insert(IdUse { is_single: true, has_statement });
        }
        Self { ids, known }
    }

    fn each(&self) -> impl Iterator<Item = (&str, ElementId)> {
        self.ids.iter().map(|(id, element)| (id.as_str(), *element))
    }
}

/// For each run, how many runs of a certain kind precede it.
struct PrefixCounts(Vec<usize>);

impl PrefixCounts {
    fn of(runs: impl Iterator<Item = bool>) -> Self {
        let counts = runs.scan(0, |count, is_one| {
            *count += usize::from(is_one);
            Some(*count)
        });
        Self(std::iter::once(0).chain(counts).collect())
    }

    fn has_none(&self, runs: &Range<usize>) -> bool {
        self.0.get(runs.start) == self.0.get(runs.end)
    }
}

/// Returns for each element in the page after its scripts whether a statement on it or on an enclosing element
/// prohibits it.
fn prohibited(question: &PageQuestion<'_>, elements: &Elements, examined: &ExaminedElements) -> Vec<bool> {
    let mut prohibited: Vec<bool> = Vec::with_capacity(elements.count() as usize);
    for element in elements.ids() {
        let outer = elements.parent(element).and_then(|outer| prohibited.get(outer.0 as usize)).copied();
        prohibited.push(match examined.elements.binary_search(&element) {
            Ok(number) => number >= examined.count || !question.decide(1, element).is_allowed(),
            Err(_) => outer.unwrap_or_default(),
        });
    }
    prohibited
}

/// Returns the texts that are entirely in the elements that `is_in` selects, or in ranges that restrict a usage (S-49).
fn texts_in(page: &Decoded<'_>, is_in: &[bool], ranges: Option<(&ElementStatements, &Usage)>) -> HashSet<Fingerprint> {
    let mut texts = HashSet::new();
    if !is_in.contains(&true) && ranges.is_none() {
        return texts;
    }
    let is_in_range =
        |shown: &VisibleRun| ranges.is_some_and(|(on, usage)| on.restriction_of_text(shown.run.span, usage).is_some());
    let elements = Elements::of(page);
    let shown = VisibleText::of(page, &elements);
    let alike = Fingerprints::of(page, &shown);
    let is_outside = |(number, shown): (usize, &VisibleRun)| {
        !is_in.get(shown.run.element.0 as usize).copied().unwrap_or_default()
            && !is_in_range(shown)
            && alike.has_characters(number)
    };
    let outside = PrefixCounts::of(shown.runs().iter().enumerate().map(is_outside));
    shown.each_text(|runs| texts.extend(alike.fingerprint(&runs).filter(|_| outside.has_none(&runs))));
    texts
}
