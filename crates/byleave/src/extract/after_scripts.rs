//! What the page after its scripts prohibits of the page as sent (S-25).
//!
//! That an element is the same in both is told by its id; where the page as sent has none such, or the id repeats, its text
//! has to tell.
//! What is not looked at (S-22) is not known to be permitted.

use super::Asking;
use crate::formats::html::{Decoded, Elements, Fingerprint, Fingerprints, VisibleRun, VisibleText};
use crate::model::ElementId;
use crate::model::Usage;
use crate::site::element_statements::{LookedAt, OnElements};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// What the page after its scripts prohibits; nothing where there is none.
#[derive(Default)]
pub(super) struct AfterScripts {
    /// The elements of the page as sent that both pages have by their ids, where either says something of one; and whether
    /// one of that id is prohibited.
    by_id: HashMap<ElementId, bool>,
    /// Texts in prohibited elements that the page as sent does not have by an id of their own.
    texts: HashSet<Fingerprint>,
    /// Whether there are elements that are not looked at; they count as prohibited.
    pub(super) is_cut: bool,
}

/// What of the page as sent equals a text that the page after its scripts prohibits.
pub(super) struct SameText {
    /// For each run of text that is shown whether it is in such a text.
    pub(super) runs: Vec<bool>,
    /// For each element whether its own text is, and no other is in it: what else it has goes with that.
    pub(super) elements: Vec<bool>,
    pub(super) because: Arc<str>,
}

impl AfterScripts {
    /// Cost: that of the second page's tree, and a decision for each of its elements on which something is said.
    pub(super) fn of(asking: &Asking<'_>) -> Self {
        let ([source, dom], Some([sent, after])) = (asking.pages, asking.evidence.both_pages()) else {
            return Self::default();
        };
        let (ids, ids_after) = (Ids::of(source, &sent), Ids::of(dom, &after));
        let both = |id: &str| Some([ids.known.get(id)?, ids_after.known.get(id)?]);
        let is_in_both = |id: &str| both(id).is_some_and(|known| known.iter().any(|known| known.is_said));
        let in_both: Vec<ElementId> = ids_after.each().filter(|(id, _)| is_in_both(id)).map(|(_, one)| one).collect();
        let looked_at = asking.looked_at(1, &in_both);
        let prohibited = prohibited(asking, &dom.elements, &looked_at);
        let is_prohibited = |element: ElementId| prohibited.get(element.0 as usize).copied().unwrap_or_default();
        let no_ids: HashSet<&str> = ids_after.each().filter(|(_, one)| is_prohibited(*one)).map(|(id, _)| id).collect();
        let by_id = ids.each().filter(|(id, _)| is_in_both(id)).map(|(id, one)| (one, no_ids.contains(id))).collect();
        // What is found by its id need not be told by its text, unless it is in what has to be.
        let is_found = |id: &str| both(id).is_some_and(|known| known.iter().all(|known| known.is_single));
        let found: HashSet<ElementId> = ids_after.each().filter(|(id, _)| is_found(id)).map(|(_, one)| one).collect();
        let mut is_told_by_text: Vec<bool> = Vec::with_capacity(prohibited.len());
        for element in dom.elements.ids() {
            let outer = dom.elements.parent(element).and_then(|outer| is_told_by_text.get(outer.0 as usize)).copied();
            let is_said = is_prohibited(element) && dom.is_spoken_of(element);
            is_told_by_text.push(is_said && (!found.contains(&element) || outer.unwrap_or_default()));
        }
        let usage = asking.proposed.usage;
        let ranges = Some(dom).filter(|dom| dom.has_ranges_of(usage)).map(|dom| (dom, usage));
        Self { by_id, texts: texts_in(&after, &is_told_by_text, ranges), is_cut: !looked_at.is_all() }
    }

    /// The elements of the page as sent that have to be looked at for what the other says.
    pub(super) fn in_both(&self) -> Vec<ElementId> {
        self.by_id.keys().copied().collect()
    }

    /// Whether the page after its scripts prohibits an element of the page as sent by its id; nothing where it does not
    /// have it, or nothing is said of it.
    pub(super) fn bars(&self, element: ElementId) -> Option<bool> {
        self.by_id.get(&element).copied()
    }

    /// Why something is left out because of what that page has.
    pub(super) fn because(&self, has: &str) -> Arc<str> {
        let or = if self.is_cut { ", or not looked at" } else { "" };
        format!("the page after its scripts has {has} that is prohibited{or}").into()
    }

    /// What equals a text that is prohibited.
    ///
    /// Cost: linear in the text, and O(log texts) for each element.
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
        // How many such texts begin and end before each run: they may lie within each other.
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
            Counted::of(same.runs.iter().enumerate().map(|(run, is_same)| !is_same && alike.has_characters(run)));
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

/// The ids of a page.
struct Ids {
    /// In document order, those that are empty left out.
    ids: Vec<(String, ElementId)>,
    known: HashMap<String, Known>,
}

/// What is known of an id.
#[derive(Clone, Copy)]
struct Known {
    /// Whether one element alone has it.
    is_single: bool,
    /// Whether something is said on or around an element that has it.
    is_said: bool,
}

impl Ids {
    fn of(on: &OnElements, page: &Decoded<'_>) -> Self {
        let id = |element: ElementId| Some((on.elements.attribute(page, element, "id")?.into_owned(), element));
        let ids: Vec<_> = on.elements.ids().filter_map(id).filter(|(id, _)| !id.is_empty()).collect();
        let mut known: HashMap<String, Known> = HashMap::new();
        for (id, element) in &ids {
            let is_said = on.is_spoken_of(*element);
            let again = |known: &mut Known| *known = Known { is_single: false, is_said: known.is_said || is_said };
            known.entry(id.clone()).and_modify(again).or_insert(Known { is_single: true, is_said });
        }
        Self { ids, known }
    }

    fn each(&self) -> impl Iterator<Item = (&str, ElementId)> {
        self.ids.iter().map(|(id, element)| (id.as_str(), *element))
    }
}

/// How many of the runs before each are of a kind.
struct Counted(Vec<usize>);

impl Counted {
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

/// For each element of the page after its scripts whether it is prohibited by what is said on or around it.
fn prohibited(asking: &Asking<'_>, elements: &Elements, looked_at: &LookedAt) -> Vec<bool> {
    let mut prohibited: Vec<bool> = Vec::with_capacity(elements.count() as usize);
    for element in elements.ids() {
        let outer = elements.parent(element).and_then(|outer| prohibited.get(outer.0 as usize)).copied();
        prohibited.push(match looked_at.elements.binary_search(&element) {
            Ok(number) => number >= looked_at.count || !asking.decide(1, element).is_allowed(),
            Err(_) => outer.unwrap_or_default(),
        });
    }
    prohibited
}

/// The texts all of which stands in such elements, or in ranges that restrict a usage (S-49).
fn texts_in(page: &Decoded<'_>, is_in: &[bool], ranges: Option<(&OnElements, &Usage)>) -> HashSet<Fingerprint> {
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
    let outside = Counted::of(shown.runs().iter().enumerate().map(is_outside));
    shown.each_text(|runs| texts.extend(alike.fingerprint(&runs).filter(|_| outside.has_none(&runs))));
    texts
}
