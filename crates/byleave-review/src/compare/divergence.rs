//! The differences between readings, with the sentences that describe them.
//!
//! Paths are listed under the narrower of the two deciding rules. All ACAP fields about usages other than `crawl` are
//! listed as one difference for the readings that do not read ACAP. `grouping` groups everything else.

use super::DivergenceCause;
use crate::crawler_classes::CrawlerClass;
use crate::grouping::{DifferenceGroup, DifferingUse, GroupedPlace, Grouping};
use crate::phrases::{
    crawlers_in_words, line_in_words, place_in_words, places_in_words, quoted, size, usages_in_words,
};
use crate::verdict::{DecidingStatement, QueriedPolicy, Verdict};
use byleave::{Reading, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// Readings that decide the same uses differently from the first reading, for the same reason.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Divergence {
    /// The readings that differ.
    pub readings: Vec<Reading>,
    /// The first reading, which the others are compared with.
    pub against: Reading,
    /// Why the readings differ.
    pub cause: DivergenceCause,
    /// The verdict in the readings that differ.
    pub theirs: Verdict,
    /// The verdict in the first reading, or `None` if it varies between places.
    pub ours: Option<Verdict>,
    /// The names of the crawlers, as written. Crawlers that no group names are not listed.
    pub crawlers: Vec<String>,
    /// Whether the divergence also holds for every crawler that no group names.
    pub is_for_unnamed: bool,
    /// The number of other named crawlers, for which the divergence does not hold.
    pub others: usize,
    /// The usages that differ.
    pub usages: Vec<Usage>,
    /// The number of usages that were compared.
    pub asked: usize,
    /// The purpose for which the divergence holds, or `None` if it holds without a purpose.
    pub purpose: Option<String>,
    /// The places that differ, largest first.
    pub places: Vec<DivergentPlace>,
}

/// Paths on which readings differ because of one rule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DivergentPlace {
    /// The rule's pattern as written, or its resource set. `None` if no rule decides.
    pub pattern: Option<String>,
    /// The deciding statement in the first reading, or `None` if a default decides.
    pub ours_by: Option<DecidingStatement>,
    /// The deciding statement in the other readings, or `None` if a default decides.
    pub theirs_by: Option<DecidingStatement>,
    /// A path in this place.
    pub example: String,
}

impl DivergentPlace {
    /// Returns a phrase for the place: its pattern, or the whole site.
    #[must_use]
    pub fn in_words(&self) -> String {
        place_in_words(self.pattern.as_deref(), &self.example)
    }

    fn size(&self) -> (bool, usize, &str) {
        size(self.pattern.as_deref())
    }
}

impl Divergence {
    /// Returns a sentence that states what the readings decide, and for whom.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (who, _) = crawlers_in_words(&self.crawlers, self.is_for_unnamed, self.others);
        let what = usages_in_words(&self.usages, self.asked);
        let is = if what.contains(" and ") { "are" } else { "is" };
        let biggest = self.places.first().and_then(|place| place.pattern.as_deref());
        let place = places_in_words(biggest, &self.places.iter().map(DivergentPlace::in_words).collect::<Vec<_>>());
        let purpose = self.purpose.as_ref().map(|purpose| format!(" with the purpose {}", quoted(purpose)));
        let ours = self.ours.as_ref().map_or("decided by the ACAP fields".to_owned(), verdict_in_words);
        format!(
            "{what} {place} {is} {} for {who}{} in {}, but {ours} in {}",
            verdict_in_words(&self.theirs),
            purpose.unwrap_or_default(),
            self.readings_in_words(),
            self.against
        )
    }

    /// Returns why the readings differ, and the rule in the semantics.
    #[must_use]
    pub fn because(&self) -> String {
        format!("because {} ({})", self.cause.sentence(), self.cause.rule())
    }

    /// Returns a phrase for the statements that decide a place in the readings.
    #[must_use]
    pub fn decided_by(&self, place: &DivergentPlace) -> String {
        let by = |by: &Option<DecidingStatement>| by.as_ref().map_or("by no rule".to_owned(), line_in_words);
        format!("{} in {}, {} in {}", by(&place.theirs_by), self.readings_in_words(), by(&place.ours_by), self.against)
    }

    fn readings_in_words(&self) -> String {
        let names: Vec<&str> = self.readings.iter().map(|reading| reading.name()).collect();
        match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            names => names.concat(),
        }
    }

    fn size(&self) -> impl Ord + '_ {
        let place = self.places.first().map(DivergentPlace::size);
        let crawlers = self.crawlers.len() + usize::from(self.is_for_unnamed);
        (place.is_none_or(|(is_part, ..)| is_part), !self.is_for_unnamed, std::cmp::Reverse(crawlers), place)
    }
}

fn verdict_in_words(verdict: &Verdict) -> String {
    let conditions: Vec<String> = verdict.conditions.iter().map(|one| quoted(one)).collect();
    match conditions.as_slice() {
        [] => verdict.outcome.name().to_owned(),
        several => format!("{} ({})", verdict.outcome.name(), several.join(", ")),
    }
}

/// A use that a reading decides differently from the first reading.
type DivergentUse = DifferingUse<DivergenceCause>;

/// Divergences that are being grouped.
pub(super) struct DivergenceGrouping<'p> {
    grouping: Grouping<'p, DivergenceCause, DivergentPlace>,
    /// The ACAP statements about usages other than `crawl`, by the readings that do not read them.
    unread: BTreeMap<Vec<usize>, UnreadAcap>,
    readings: Vec<Reading>,
}

/// ACAP statements that some readings do not read. They are listed as one divergence, however many there are.
struct UnreadAcap {
    crawlers: Vec<String>,
    is_for_unnamed: bool,
    usages: BTreeSet<Usage>,
    theirs: Verdict,
    /// One place per field.
    places: BTreeMap<Option<String>, DivergentPlace>,
}

impl<'p> DivergenceGrouping<'p> {
    pub(super) fn new(policies: &'p [QueriedPolicy<'p>]) -> Self {
        let readings = policies.iter().map(|policy| policy.site.reading()).collect();
        Self { grouping: Grouping::new(policies), unread: BTreeMap::new(), readings }
    }

    /// Adds the divergent uses for one class of crawlers.
    pub(super) fn add(&mut self, class: &CrawlerClass, uses: Vec<DivergentUse>) {
        let is_unread = |one: &DivergentUse| one.cause == DivergenceCause::AcapUnread && one.usage != Usage::Crawl;
        let (unread, uses): (Vec<DivergentUse>, Vec<DivergentUse>) = uses.into_iter().partition(is_unread);
        self.add_unread(class, unread);
        self.grouping.add(class, uses, |_, _| {}, |_, _| {});
    }

    fn add_unread(&mut self, class: &CrawlerClass, uses: Vec<DivergentUse>) {
        let Some(first) = uses.first() else { return };
        let readings: BTreeSet<usize> = uses.iter().map(|one| one.policy).collect();
        let unread = self.unread.entry(readings.into_iter().collect()).or_insert_with(|| UnreadAcap {
            crawlers: Vec::new(),
            is_for_unnamed: false,
            usages: BTreeSet::new(),
            theirs: first.other.clone(),
            places: BTreeMap::new(),
        });
        unread.crawlers.extend(class.names.iter().cloned());
        unread.is_for_unnamed |= class.has_unnamed;
        for one in uses {
            let text = one.first_by.as_ref().map(|by| by.text.clone());
            unread.places.entry(text).or_insert_with(|| DivergentPlace::of(&one));
            unread.usages.insert(one.usage);
        }
    }

    /// Returns the divergences, largest first.
    pub(super) fn divergences(self, asked: usize) -> Vec<Divergence> {
        let (named, all) = (self.grouping.named, self.readings);
        let against = all.first().copied().unwrap_or_default();
        let readings = |numbers: &[usize]| numbers.iter().filter_map(|number| all.get(*number).copied()).collect();
        let of_group = |group: DifferenceGroup<DivergenceCause, DivergentPlace>| Divergence {
            readings: readings(&group.policies),
            against,
            cause: group.cause,
            theirs: group.other,
            ours: Some(group.first),
            others: named - group.crawlers.len(),
            crawlers: group.crawlers,
            is_for_unnamed: group.is_for_unnamed,
            usages: group.usages,
            asked,
            purpose: group.purpose,
            places: group.places,
        };
        let of_unread = |(numbers, unread): (Vec<usize>, UnreadAcap)| Divergence {
            readings: readings(&numbers),
            against,
            cause: DivergenceCause::AcapUnread,
            theirs: unread.theirs,
            ours: None,
            others: named - unread.crawlers.len(),
            crawlers: unread.crawlers,
            is_for_unnamed: unread.is_for_unnamed,
            usages: unread.usages.into_iter().collect(),
            asked,
            purpose: None,
            places: in_order(unread.places.into_values().collect()),
        };
        let mut divergences: Vec<Divergence> = self.grouping.groups().map(of_group).collect();
        divergences.extend(self.unread.into_iter().map(of_unread));
        divergences.sort_by(|one, other| one.size().cmp(&other.size()));
        divergences
    }
}

impl GroupedPlace<DivergenceCause> for DivergentPlace {
    /// The pattern, and the texts of the deciding statements in the first reading and in the others.
    type Key = (Option<String>, Option<String>, Option<String>);

    fn places_of(uses: &[DivergentUse]) -> Vec<Self> {
        let mut places: BTreeMap<Option<String>, Self> = BTreeMap::new();
        for place in uses.iter().map(Self::of) {
            places.entry(place.pattern.clone()).or_insert(place);
        }
        in_order(places.into_values().collect())
    }

    fn key(&self) -> Self::Key {
        let text = |by: &Option<DecidingStatement>| by.as_ref().map(|by| by.text.clone());
        (self.pattern.clone(), text(&self.ours_by), text(&self.theirs_by))
    }

    fn example(&self) -> &str {
        &self.example
    }
}

impl DivergentPlace {
    /// Returns the place of the narrower (that is, the longer) of the two deciding rules.
    fn of(one: &DivergentUse) -> Self {
        let deciding = [&one.first_by, &one.other_by].into_iter().flatten();
        let patterns = deciding.map(|by| by.place());
        Self {
            pattern: patterns.max_by_key(|pattern| pattern.len()).map(str::to_owned),
            ours_by: one.first_by.clone(),
            theirs_by: one.other_by.clone(),
            example: one.path.clone(),
        }
    }
}

fn in_order(mut places: Vec<DivergentPlace>) -> Vec<DivergentPlace> {
    places.sort_by(|one, other| one.size().cmp(&other.size()));
    places
}
