//! ACAP's classes on elements, and how they stand against the page (S-15, S-16, S-28).

use super::page::{lose, s15_prevails};
use super::{Asked, Candidate, Candidates, Contest, Fate, Members, Outcome, Walk};
use crate::element::{ElementAcap, OnElements};
use crate::model::ELEMENTS;
use crate::page::ElementId;
use crate::policy::acap::Strawman;
use crate::response::Side;
use crate::vocabulary::Usage;

/// What the classes that bear on an element come to.
pub(super) struct ByElement<'a> {
    pub(super) outcome: Outcome,
    pub(super) winners: Candidates<'a>,
}

impl<'a> Asked<'a> {
    /// What classes say of a tier's usage for the element asked about, or for the page.
    pub(super) fn by_element(&self, tier: &Usage, walk: &mut Walk) -> Option<ByElement<'a>> {
        // Class statements never speak of crawl, `other` included.
        let pages = self.sources.elements().filter(|_| !self.is_crawl)?;
        let [mut source, mut dom]: [Option<ByElement<'a>>; 2] = [None, None];
        let mut first = ELEMENTS;
        for (number, page) in pages.iter().enumerate() {
            let mut placed: Vec<Placed<'a>> = Vec::new();
            for (document, read) in (first..).zip(&page.acaps).filter(|(_, read)| self.reads(page, read)) {
                let mut candidates = Candidates::new();
                self.gather(document, &read.acap, tier, &mut candidates, &mut Members::new());
                let owners = |one: &Candidate<'_>| read.owners.get(one.id.number as usize);
                placed.extend(candidates.iter().filter_map(|one| Some((*one, owners(one)?.as_slice()))));
            }
            let side = if page.side == Side::Dom { &mut dom } else { &mut source };
            *side = self.of_page(page, self.sources.asked(number), &placed, walk);
            first += page.acaps.len() as u16;
        }
        if pages.iter().any(|page| page.side == Side::Source) && pages.iter().any(|page| page.side == Side::Dom) {
            s25_of_both(source, dom, walk)
        } else {
            source.or(dom)
        }
    }

    /// Whether this crawler reads the classes so.
    fn reads(&self, page: &OnElements, read: &ElementAcap) -> bool {
        let strawman = if self.capabilities.strawman { Strawman::Read } else { Strawman::Unread };
        let version = self.sources.response().and_then(|response| response.of_document(page.document));
        read.strawman.is_none_or(|own| own == strawman)
            && version.is_none_or(|carried| carried.declared_to(self.crawler) == read.version)
    }

    fn of_page(
        &self,
        page: &OnElements,
        element: Option<ElementId>,
        placed: &[Placed<'a>],
        walk: &mut Walk,
    ) -> Option<ByElement<'a>> {
        let of = |all: &[Placed<'a>]| -> Candidates<'a> { all.iter().map(|(one, _)| *one).collect() };
        if !self.capabilities.element_level {
            // The strawman has such crawlers ignore fragments; P2 2.2.6 has them keep their hands off the page.
            let all = if self.capabilities.strawman { Candidates::new() } else { of(placed) };
            walk.extend(all.iter().map(|one| (one.id, one.fall, Fate::Decides)));
            return (!all.is_empty()).then_some(ByElement { outcome: Outcome::Prohibited, winners: all });
        }
        // Of the elements of a statement the outermost that covers the element asked about.
        let owner = |(one, owners): &Placed<'_>| match element {
            Some(element) => owners.iter().copied().filter(|owner| page.covers(*owner, element)).min(),
            None => owners.iter().copied().find(|owner| !one.is_permission && page.is_page(*owner)),
        };
        let mut applying: Vec<(Candidate<'a>, ElementId)> = Vec::new();
        for one in placed {
            match owner(one) {
                Some(owner) => applying.push((one.0, owner)),
                None => walk.push((one.0.id, one.0.fall, Fate::OtherElement)),
            }
        }
        // The strawman's outer element voids what is said inside of it.
        let outermost = applying.iter().map(|(_, owner)| *owner).min();
        let outermost = outermost.filter(|_| self.capabilities.strawman && element.is_some());
        let counts = |owner: ElementId| outermost.is_none_or(|outermost| owner == outermost);
        let counting = || applying.iter().filter(|(_, owner)| counts(*owner));
        let nearest = counting().filter(|(one, _)| one.is_permission).map(|(_, owner)| *owner).max();
        let prohibiting: Candidates<'a> =
            counting().filter(|(one, _)| !one.is_permission).map(|(one, _)| *one).collect();
        let permitting = counting().filter(|(one, owner)| one.is_permission && Some(*owner) == nearest);
        let permitting: Candidates<'a> = permitting.map(|(one, _)| *one).collect();
        let (outcome, winners) = match (prohibiting.is_empty(), permitting.is_empty()) {
            (false, _) => (Outcome::Prohibited, prohibiting),
            (true, false) => (Outcome::Permitted, permitting),
            (true, true) => return None,
        };
        let first = winners.iter().map(|winner| winner.id).min()?;
        for (one, owner) in &applying {
            let fate = match winners.iter().any(|winner| winner.id == one.id) {
                true => Fate::Decides,
                false if counts(*owner) => Fate::NearerElement(first),
                false => Fate::OuterElement(first),
            };
            walk.push((one.id, one.fall, fate));
        }
        Some(ByElement { outcome, winners })
    }
}

/// A statement, and the elements it is on.
type Placed<'a> = (Candidate<'a>, &'a [ElementId]);

/// Of source and DOM the prohibitions of either count, and a permission that both have (S-25).
fn s25_of_both<'a>(
    source: Option<ByElement<'a>>,
    dom: Option<ByElement<'a>>,
    walk: &mut Walk,
) -> Option<ByElement<'a>> {
    match (source, dom) {
        (Some(source), Some(dom)) => joined(Some(source), Some(dom)),
        (one, other) => {
            let only = one.or(other)?;
            if only.outcome == Outcome::Prohibited {
                return Some(only);
            }
            for (_, _, fate) in walk.iter_mut().filter(|(id, ..)| only.winners.iter().any(|winner| winner.id == *id)) {
                *fate = Fate::NotInBoth;
            }
            None
        }
    }
}

/// What two tables of statements come to together: a prohibition of either counts.
fn joined<'a>(known: Option<ByElement<'a>>, more: Option<ByElement<'a>>) -> Option<ByElement<'a>> {
    match (known, more) {
        (Some(known), Some(more)) if known.outcome == more.outcome => {
            let mut winners = known.winners;
            winners.extend(more.winners);
            Some(ByElement { outcome: known.outcome, winners })
        }
        (Some(known), Some(more)) => Some(if known.outcome == Outcome::Prohibited { known } else { more }),
        (known, more) => known.or(more),
    }
}

/// The verdict with what is said on the element (S-15, S-16): a prohibition on it wins; a permission wins over what is
/// for any crawler and any purpose.
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
        lose(walk, winners, &by_element.winners, Fate::ElementStatement);
        *winners = by_element.winners;
        return Some((Outcome::Prohibited, Contest::Element));
    }
    let specific: Candidates<'a> =
        winners.iter().copied().filter(|one| !s15_prevails(&by_element.winners, one)).collect();
    if specific.is_empty() {
        lose(walk, winners, &by_element.winners, Fate::ElementStatement);
        *winners = by_element.winners;
        return Some((Outcome::Permitted, Contest::Element));
    }
    lose(walk, &by_element.winners, &specific, Fate::MoreSpecific);
    *winners = specific;
    Some((Outcome::Prohibited, Contest::RobotsTxt))
}
