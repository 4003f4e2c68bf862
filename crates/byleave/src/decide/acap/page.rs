//! Decides by the ACAP META tags on a page together with robots.txt (S-15, S-24, S-25, S-27).
//!
//! META tags compete with each other like fields with equal patterns, so the same precedence applies. This file has the
//! rules that only pages need: which location a permission is for, what both source and DOM must contain, and whether
//! the page or robots.txt prevails.

use super::element::s16_with_element;
use super::{AcapQuestion, Bench, Candidate, Candidates, Contest, Members, Outcome, Recorder, Verdict, Walk, settle};
use crate::dialects::rfc9309::resource;
use crate::model::LostTo;
use crate::model::Source;
use crate::model::StatementId;
use crate::model::Usage;
use crate::site::response::DocumentKind;
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};

impl<'a> AcapQuestion<'a> {
    /// Returns the result from one tier, or `None` if neither robots.txt nor the page addresses it. `bench` holds the
    /// statements from robots.txt.
    pub(super) fn tier_with_page<R: Recorder>(
        &self,
        tier: &'a Usage,
        conventional: Option<Candidate<'a>>,
        bench: &mut Bench<'a>,
        recorder: &mut R,
    ) -> Option<Verdict<'a>> {
        let mut page = Bench::default();
        let mut walk = Walk::new();
        self.gather_page(tier, &mut page.candidates, &mut bench.twins, &mut walk);
        let by_robots_txt = settle::<R>(conventional, bench, &mut walk);
        let by_page = settle::<R>(None, &mut page, &mut walk);
        let by_element = self.by_element::<R>(tier, &mut bench.twins, &mut walk);
        let verdict = match (by_robots_txt, by_page) {
            (None, None) => None,
            (Some((outcome, contest)), None) => Some((outcome, contest)),
            (None, Some((outcome, contest))) => {
                bench.winners = page.winners;
                Some((outcome, contest))
            }
            (Some((outcome, contest)), Some((same, of_page))) if outcome == same => {
                // Both sides permit or both sides prohibit, so there is no conflict.
                bench.winners.extend(page.winners);
                Some((outcome, if contest == Contest::Unopposed { of_page } else { contest }))
            }
            (Some(_), Some((Outcome::Prohibited, _))) => {
                lose(&mut walk, &bench.winners, &page.winners, LostTo::PageStatement);
                bench.winners = page.winners;
                Some((Outcome::Prohibited, Contest::Page))
            }
            (Some(_), Some((outcome, _))) => {
                if self.is_crawl {
                    // A page can permit crawling only after it was crawled, which is too late (S-27).
                    lose(&mut walk, &page.winners, &bench.winners, LostTo::AfterTheFact);
                    Some((Outcome::Prohibited, Contest::RobotsTxt))
                } else {
                    // Prohibitions that the page prevails over are not sufficient for the outcome.
                    let is_beaten = s15_prevails(&page.winners);
                    let beaten: Candidates<'a> = bench.winners.iter().copied().filter(&is_beaten).collect();
                    bench.winners.retain(|one| !is_beaten(one));
                    lose(&mut walk, &beaten, &page.winners, LostTo::PageStatement);
                    if bench.winners.is_empty() {
                        bench.winners = page.winners;
                        Some((outcome, Contest::Page))
                    } else {
                        lose(&mut walk, &page.winners, &bench.winners, LostTo::MoreSpecific);
                        Some((Outcome::Prohibited, Contest::RobotsTxt))
                    }
                }
            }
        };
        let verdict = s16_with_element(verdict, &mut bench.winners, by_element, &mut walk);
        if R::KEEPS {
            // A statement in the DOM gets the same result as its twin in the source.
            let known: HashMap<StatementId, _> =
                walk.iter().map(|(id, uninterpretable, lost)| (*id, (*uninterpretable, *lost))).collect();
            for (kept, twin) in &bench.twins {
                walk.extend(known.get(kept).map(|(uninterpretable, lost)| (*twin, *uninterpretable, *lost)));
            }
        }
        self.group(tier, walk, recorder);
        verdict.map(|(outcome, contest)| Verdict { outcome, contest, tier })
    }

    /// Adds the page's ACAP statements about a tier to `candidates`, and the statements that do not count to the walk.
    pub(super) fn gather_page(
        &self,
        tier: &Usage,
        candidates: &mut Candidates<'a>,
        twins: &mut Twins,
        walk: &mut Walk,
    ) {
        let Some(response) = self.sources.response() else { return };
        let [mut source, mut dom]: [Candidates<'a>; 2] = Default::default();
        response.each_acap(self.crawler, self.capabilities, |number, side, acap| {
            let of_side = if side == DocumentKind::Dom { &mut dom } else { &mut source };
            self.gather(Source::HeadAcap(number as u16), acap, tier, of_side, &mut Members::new());
        });
        self.s27_alternatives(tier, &mut source, walk);
        self.s27_alternatives(tier, &mut dom, walk);
        if response.has_source_and_dom() {
            self.s25_permissions_of_both(tier, &mut source, &mut dom, walk);
            self.s25_twins(tier, &source, &mut dom, twins);
        }
        candidates.extend(source.into_iter().chain(dom));
        if let Some(outside) = self.sources.outside_head() {
            let mut restrictions = Candidates::new();
            outside.each_acap(self.crawler, self.capabilities, |number, _, acap| {
                self.gather(Source::BodyAcap(number as u16), acap, tier, &mut restrictions, &mut Members::new());
            });
            // S-24: only restrictions count here.
            candidates
                .extend(restrictions.into_iter().filter(|one| !one.is_permission && one.uninterpretable.is_none()));
        }
    }

    /// Removes permissions for other locations if there is a permission for this location. It compares only permissions
    /// with the same addressee and the same class of purposes (S-27).
    pub(super) fn s27_alternatives(&self, tier: &Usage, candidates: &mut Candidates<'a>, walk: &mut Walk) {
        let is_there = |one: &Candidate<'_>| {
            let (acap, entry) = self.sources.entry(one.id).filter(|_| one.is_permission)?;
            acap.is_located(entry, tier, |location| resource::is_same(location, self.url.as_bytes()))
        };
        let located: SmallVec<[Option<bool>; 8]> = candidates.iter().map(is_there).collect();
        let mut there: SmallVec<[((bool, bool), StatementId); 4]> = SmallVec::new();
        for (one, located) in candidates.iter().zip(&located) {
            if *located == Some(true) && !there.iter().any(|(rank, _)| *rank == one.rank()) {
                there.push((one.rank(), one.id));
            }
        }
        let mut located = located.into_iter();
        candidates.retain(|one| {
            let is_elsewhere = located.next().flatten() == Some(false);
            let here = there.iter().find(|(rank, _)| is_elsewhere && *rank == one.rank());
            walk.extend(here.map(|(_, id)| (one.id, one.uninterpretable, Some(LostTo::OtherLocation(*id)))));
            here.is_none()
        });
    }

    /// Keeps every prohibition in the source or the DOM. Keeps a permission only if the other document has a permission
    /// with the same usage, addressee and class of purposes. A permission that does not hold counts as a prohibition,
    /// so it is kept (S-25).
    fn s25_permissions_of_both(
        &self,
        tier: &Usage,
        source: &mut Candidates<'a>,
        dom: &mut Candidates<'a>,
        walk: &mut Walk,
    ) {
        let ranks = |side: &Candidates<'_>| -> SmallVec<[(bool, bool); 4]> {
            let mut ranks: SmallVec<[(bool, bool); 4]> = SmallVec::new();
            for one in side.iter().filter(|one| one.is_permission) {
                if !ranks.contains(&one.rank()) {
                    ranks.push(one.rank());
                }
            }
            ranks
        };
        let (in_source, in_dom) = (ranks(source), ranks(dom));
        for (side, other) in [(source, in_dom), (dom, in_source)] {
            side.retain(|one| self.s25_counts(one, tier, other.contains(&one.rank()), walk));
        }
    }

    /// Whether a statement in the source or the DOM counts. `is_in_both` states whether the other document has a
    /// matching statement.
    pub(super) fn s25_counts(&self, one: &Candidate<'a>, tier: &Usage, is_in_both: bool, walk: &mut Walk) -> bool {
        let counts = !one.is_permission || is_in_both || self.conditions.fails(one.id, tier);
        if !counts {
            walk.push((one.id, one.uninterpretable, Some(LostTo::NotInBoth)));
        }
        counts
    }

    /// Merges statements that are identical in source and DOM. Each pair becomes one statement (S-25).
    pub(super) fn s25_twins(&self, tier: &Usage, source: &Candidates<'a>, dom: &mut Candidates<'a>, twins: &mut Twins) {
        let content = |one: &Candidate<'_>| {
            let (acap, entry) = self.sources.entry(one.id)?;
            Some((one.is_permission, one.rank(), acap.terms_and_purposes(entry, tier)))
        };
        let mut known: HashMap<_, Vec<StatementId>> = HashMap::new();
        for one in source.iter().rev() {
            if let Some(content) = content(one) {
                known.entry(content).or_default().push(one.id);
            }
        }
        dom.retain(|one| {
            let twin = content(one).and_then(|content| known.get_mut(&content)?.pop());
            twins.extend(twin.map(|twin| (twin, one.id)));
            twin.is_none()
        });
    }
}

/// Pairs of a statement in the source and the identical statement in the DOM.
pub(super) type Twins = SmallVec<[(StatementId, StatementId); 2]>;

/// Returns a function that checks whether the page prevails over a field. The page prevails if its addressee and
/// purpose are equally or more specific (S-15).
///
/// Every statement on the page must be at least as specific as the field. The lowest specificity on the page is found
/// once, for all fields.
pub(super) fn s15_prevails(page: &Candidates<'_>) -> impl Fn(&Candidate<'_>) -> bool + use<> {
    let (is_named, has_purpose) = (page.iter().all(|meta| meta.is_named), page.iter().all(|meta| meta.has_purpose));
    move |field| is_named >= field.is_named && has_purpose >= field.has_purpose
}

/// Records that the deciding statements on one side lost to the other side.
pub(super) fn lose(
    walk: &mut Walk,
    losing: &Candidates<'_>,
    winning: &Candidates<'_>,
    lost_to: fn(StatementId) -> LostTo,
) {
    if walk.is_empty() {
        return;
    }
    let Some(first) = winning.iter().map(|winner| winner.id).min() else { return };
    let losers: HashSet<StatementId> = losing.iter().map(|loser| loser.id).collect();
    for (id, _, own) in walk.iter_mut() {
        if own.is_none() && losers.contains(id) {
            *own = Some(lost_to(first));
        }
    }
}
