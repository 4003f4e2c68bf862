//! Decides by ACAP classes on elements and by fragments as in ACAP's strawman.
//!
//! The result is joined with the results for the page and robots.txt (S-15, S-16, S-28).

use super::page::{Twins, lose, s15_prevails};
use super::{
    AcapQuestion, Bench, Candidate, Candidates, Contest, Gathering, Members, Memory, Outcome, Recorder, Walk, bit_of,
    settle,
};
use crate::dialects::acap::Strawman;
use crate::model::ElementId;
use crate::model::LostTo;
use crate::model::Source;
use crate::model::Usage;
use crate::model::{Addressee, Carrier, StatementId, Uninterpretable};
use crate::site::element_statements::{ElementAcap, ElementStatements};
use crate::site::response::DocumentKind;
use std::collections::HashSet;

/// The result from the statements that apply to an element.
pub(super) struct ByElement<'a> {
    pub(super) outcome: Outcome,
    pub(super) winners: Candidates<'a>,
}

/// A statement and its element. A statement from a list of fragments belongs to the outermost element that it applies
/// to.
#[derive(Clone, Copy)]
struct Placed<'a> {
    one: Candidate<'a>,
    on: ElementId,
    is_class: bool,
}

impl<'a> AcapQuestion<'a> {
    /// Returns the result from statements on the element in question, or on the page. Returns `None` if no statement
    /// addresses the usage.
    pub(super) fn by_element<R: Recorder>(
        &self,
        tier: &Usage,
        twins: &mut Twins,
        walk: &mut Walk,
    ) -> Option<ByElement<'a>> {
        // Statements on elements never address crawling, not even through the usage `other`.
        let pages = self.sources.elements().filter(|_| !self.is_crawl)?;
        let [mut source, mut dom]: [Vec<Placed<'a>>; 2] = Default::default();
        let mut first = 0;
        for (number, page) in pages.iter().enumerate() {
            let side = if page.kind == DocumentKind::Dom { &mut dom } else { &mut source };
            for (table, read) in (first..).zip(&page.acaps).filter(|(_, read)| self.reads(page, read)) {
                let document = Source::ElementAcap(table);
                let before = side.len();
                self.place(page, self.sources.asked(number), (document, read), tier, side);
                if R::KEEPS {
                    let placed: HashSet<StatementId> = side.iter().skip(before).map(|placed| placed.one.id).collect();
                    let others = self.all_of(document, read, tier);
                    let others = others.iter().filter(|one| !placed.contains(&one.id));
                    walk.extend(others.map(|one| (one.id, one.uninterpretable, Some(LostTo::OtherElement))));
                }
            }
            first += page.acaps.len() as u16;
        }
        let has = |side: DocumentKind| pages.iter().any(|page| page.kind == side);
        let has_both = has(DocumentKind::Source) && has(DocumentKind::Dom);
        if has_both {
            self.s25_on_both(tier, &mut source, &mut dom, walk);
        }
        let [before, after] = [source, dom].map(|side| match self.capabilities.strawman {
            true => s28_outermost(side, walk),
            false => s16_prohibitions_or_nearest(side, walk),
        });
        // Classes and fragments are resolved separately. A prohibition in either result prohibits.
        let results = [true, false].map(|is_class| {
            let of = |side: &[Placed<'a>]| -> Candidates<'a> {
                side.iter().filter(|placed| placed.is_class == is_class).map(|placed| placed.one).collect()
            };
            let (mut source, mut dom) = (of(&before), of(&after));
            self.s27_alternatives(tier, &mut source, walk);
            self.s27_alternatives(tier, &mut dom, walk);
            if has_both {
                self.s25_twins(tier, &source, &mut dom, twins);
            }
            let mut bench = Bench { candidates: source, ..Bench::default() };
            bench.candidates.extend(dom);
            settle::<R>(None, &mut bench, walk).map(|(outcome, _)| ByElement { outcome, winners: bench.winners })
        });
        joined(results, walk)
    }

    /// Whether this crawler parses classes in the way that this table was parsed.
    fn reads(&self, page: &ElementStatements, read: &ElementAcap) -> bool {
        let strawman = if self.capabilities.strawman { Strawman::Read } else { Strawman::Unread };
        let version = self.sources.response().and_then(|response| response.of_document(page.document));
        read.strawman.is_none_or(|own| own == strawman)
            && version.is_none_or(|parsed| parsed.declared_to(self.crawler) == read.version)
    }

    fn all_of(&self, document: Source, read: &'a ElementAcap, tier: &Usage) -> Candidates<'a> {
        let mut all = Candidates::new();
        self.gather(document, &read.acap, tier, &mut all, &mut Members::new());
        all
    }

    /// Adds the statements in one table that apply to the element in question, or to the page.
    ///
    /// Cost: one search for each enclosing element that has statements.
    fn place(
        &self,
        page: &'a ElementStatements,
        element: Option<ElementId>,
        (document, read): (Source, &'a ElementAcap),
        tier: &Usage,
        all: &mut Vec<Placed<'a>>,
    ) {
        let is_class = read.carrier == Carrier::Element;
        // The strawman lets crawlers without element-level support ignore fragments, so that the page remains usable.
        // Without the strawman, P2 2.2.6 tells these crawlers to leave the whole page alone.
        let (has_level, is_strawman) = (self.capabilities.element_level, self.capabilities.strawman);
        let element = element.filter(|_| has_level);
        if !has_level && !is_strawman {
            let prohibiting = self.all_of(document, read, tier).into_iter();
            let prohibiting = prohibiting.map(|one| Candidate { is_permission: false, ..one });
            all.extend(prohibiting.map(|one| Placed { one, on: ElementId(0), is_class }));
            return;
        }
        if !has_level && !is_class {
            return;
        }
        let (acap, bit) = (&read.acap, bit_of(tier));
        let (memory, members) = (Memory::default(), &mut Members::new());
        let mut gathering = Gathering { asked: self, document, acap, tier, memory, members };
        let before = all.len();
        for on in page.bearing_on(element) {
            for number in read.on(on) {
                let Some(filter) = acap.filters.get(number as usize).filter(|filter| filter.mask & bit != 0) else {
                    continue;
                };
                let group = acap.statements.get(number as usize).map_or(0, |entry| entry.group);
                let Some(addressee) = acap.addressee(group, self.crawler) else { continue };
                gathering.each(number, filter, addressee == Addressee::Named, |one| {
                    // For a question about the page itself, only prohibitions count.
                    if element.is_some() || !one.is_permission {
                        let on = if element.is_some() { on } else { ElementId(0) };
                        all.push(Placed { one, on, is_class });
                    }
                });
            }
        }
        if !is_class {
            let mut listed = all.split_off(before);
            listed.sort_by_key(|placed| (placed.one.id, placed.one.is_permission, placed.on));
            listed.dedup_by_key(|placed| (placed.one.id, placed.one.is_permission));
            all.extend(listed);
        }
    }

    /// Keeps the prohibitions in either the source or the DOM, and only those permissions that are in both (S-25).
    fn s25_on_both(&self, tier: &Usage, source: &mut Vec<Placed<'a>>, dom: &mut Vec<Placed<'a>>, walk: &mut Walk) {
        let kind = |placed: &Placed<'_>| (placed.is_class, placed.one.rank());
        let kinds = |side: &[Placed<'_>]| -> HashSet<_> {
            side.iter().filter(|placed| placed.one.is_permission).map(kind).collect()
        };
        let (in_source, in_dom) = (kinds(source), kinds(dom));
        for (side, other) in [(source, in_dom), (dom, in_source)] {
            side.retain(|placed| self.s25_counts(&placed.one, tier, other.contains(&kind(placed)), walk));
        }
    }
}

/// Keeps every prohibition on the element or its ancestors. If there is none, keeps the permissions nearest to the
/// element (S-16).
fn s16_prohibitions_or_nearest<'a>(mut all: Vec<Placed<'a>>, walk: &mut Walk) -> Vec<Placed<'a>> {
    let has_prohibition = all.iter().any(|placed| !placed.one.is_permission);
    let nearest = all.iter().map(|placed| placed.on).max();
    let counts = |placed: &Placed<'_>| match has_prohibition {
        true => !placed.one.is_permission,
        false => Some(placed.on) == nearest,
    };
    let first = all.iter().filter(|placed| counts(placed)).map(|placed| placed.one.id).min();
    all.retain(|placed| {
        walk.extend(first.filter(|_| !counts(placed)).map(|first| placed.loses(LostTo::NearerElement(first))));
        counts(placed)
    });
    all
}

/// Keeps the statements on the outermost element that has statements. They override all statements inside it (S-28).
fn s28_outermost<'a>(mut all: Vec<Placed<'a>>, walk: &mut Walk) -> Vec<Placed<'a>> {
    let outermost = all.iter().map(|placed| placed.on).min();
    let counts = |placed: &Placed<'_>| Some(placed.on) == outermost;
    let first = all.iter().filter(|placed| counts(placed)).map(|placed| placed.one.id).min();
    all.retain(|placed| {
        walk.extend(first.filter(|_| !counts(placed)).map(|first| placed.loses(LostTo::OuterElement(first))));
        counts(placed)
    });
    all
}

impl Placed<'_> {
    fn loses(&self, to: LostTo) -> (StatementId, Option<Uninterpretable>, Option<LostTo>) {
        (self.one.id, self.one.uninterpretable, Some(to))
    }
}

/// Joins the results from classes and fragments. A prohibition in either result prohibits.
fn joined<'a>(results: [Option<ByElement<'a>>; 2], walk: &mut Walk) -> Option<ByElement<'a>> {
    match results {
        [Some(one), Some(other)] if one.outcome == other.outcome => {
            let mut winners = one.winners;
            winners.extend(other.winners);
            Some(ByElement { outcome: one.outcome, winners })
        }
        [Some(one), Some(other)] => {
            let (winning, losing) = if one.outcome == Outcome::Prohibited { (one, other) } else { (other, one) };
            lose(walk, &losing.winners, &winning.winners, LostTo::NearerElement);
            Some(winning)
        }
        [one, other] => one.or(other),
    }
}

/// Joins the verdict with the element's result (S-15, S-16). A prohibition on the element wins. A permission on the
/// element wins, unless a prohibition on the page or in robots.txt has a more specific addressee or purpose.
pub(super) fn s16_with_element<'a>(
    verdict: Option<(Outcome, Contest)>,
    winners: &mut Candidates<'a>,
    by_element: Option<ByElement<'a>>,
    walk: &mut Walk,
) -> Option<(Outcome, Contest)> {
    let Some(by_element) = by_element else { return verdict };
    let Some((outcome, contest)) = verdict else {
        *winners = by_element.winners;
        return Some((by_element.outcome, Contest::Unopposed));
    };
    if outcome == by_element.outcome {
        winners.extend(by_element.winners);
        return Some((outcome, contest));
    }
    if by_element.outcome == Outcome::Prohibited {
        lose(walk, winners, &by_element.winners, LostTo::ElementStatement);
        *winners = by_element.winners;
        return Some((Outcome::Prohibited, Contest::Element));
    }
    let is_beaten = s15_prevails(&by_element.winners);
    let specific: Candidates<'a> = winners.iter().copied().filter(|one| !is_beaten(one)).collect();
    if specific.is_empty() {
        lose(walk, winners, &by_element.winners, LostTo::ElementStatement);
        *winners = by_element.winners;
        return Some((Outcome::Permitted, Contest::Element));
    }
    lose(walk, &by_element.winners, &specific, LostTo::MoreSpecific);
    *winners = specific;
    Some((Outcome::Prohibited, Contest::RobotsTxt))
}
