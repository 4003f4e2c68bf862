//! Differences between readings put together that are alike: the same other answer for the same reason, in the same
//! places; first for several readings, then for several usages, then for several crawlers.

use super::{DivergenceCause, DivergentDecision};
use crate::crawler_classes::CrawlerClass;
use crate::phrases::{
    crawlers_in_words, line_in_words, place_in_words, places_in_words, quoted, size, usages_in_words,
};
use crate::verdict::{DecidingStatement, Verdict};
use byleave::{Crawler, Reading, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// Where readings answer otherwise than the first one does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Divergence {
    /// The readings.
    pub readings: Vec<Reading>,
    /// The one that they are held against.
    pub against: Reading,
    /// Why they answer otherwise.
    pub cause: DivergenceCause,
    /// What they answer.
    pub theirs: Verdict,
    /// What the first one answers; nothing where that is one thing here and another there.
    pub ours: Option<Verdict>,
    /// The crawlers by name, as written.
    pub crawlers: Vec<String>,
    /// Whether it is so for every crawler that no group names.
    pub is_for_unnamed: bool,
    /// How many other crawlers are named, for which it is not.
    pub others: usize,
    /// The usages.
    pub usages: Vec<Usage>,
    /// How many usages were asked about.
    pub asked: usize,
    /// A purpose for which it is so, and without which it is not.
    pub purpose: Option<String>,
    /// Where, the biggest first.
    pub places: Vec<DivergentPlace>,
}

/// Paths for which readings differ by one rule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DivergentPlace {
    /// The pattern of the rule as written, or the resource set; nothing where no rule decides.
    pub pattern: Option<String>,
    /// What decides in the first reading; nothing where a default does.
    pub ours_by: Option<DecidingStatement>,
    /// What decides in the others.
    pub theirs_by: Option<DecidingStatement>,
    /// A path where it is so.
    pub example: String,
}

impl DivergentPlace {
    /// It in words: its pattern, or the whole site.
    #[must_use]
    pub fn in_words(&self) -> String {
        place_in_words(self.pattern.as_deref(), &self.example)
    }

    fn size(&self) -> (bool, usize, &str) {
        size(self.pattern.as_deref())
    }

    fn key(&self) -> PlaceKey {
        let text = |by: &Option<DecidingStatement>| by.as_ref().map(|by| by.text.clone());
        (self.pattern.clone(), text(&self.ours_by), text(&self.theirs_by))
    }
}

impl Divergence {
    /// Who answers otherwise of what, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (who, _) = crawlers_in_words(&self.crawlers, self.is_for_unnamed, self.others);
        let what = usages_in_words(&self.usages, self.asked);
        let biggest = self.places.first().and_then(|place| place.pattern.as_deref());
        let place = places_in_words(biggest, &self.places.iter().map(DivergentPlace::in_words).collect::<Vec<_>>());
        let purpose = self.purpose.as_ref().map(|purpose| format!(" for the purpose {}", quoted(purpose)));
        let ours = self.ours.as_ref().map_or("what the ACAP fields say".to_owned(), verdict_in_words);
        format!(
            "{what} of {place} by {who}{} is {} in {}, and {ours} in {}",
            purpose.unwrap_or_default(),
            verdict_in_words(&self.theirs),
            self.readings_in_words(),
            self.against
        )
    }

    /// Why, in a sentence.
    #[must_use]
    pub fn because(&self) -> String {
        format!("because {} ({})", self.cause.sentence(), self.cause.rule())
    }

    /// What decides in a place, in words.
    #[must_use]
    pub fn ground(&self, place: &DivergentPlace) -> String {
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

type PlaceKey = (Option<String>, Option<String>, Option<String>);

/// What is alike: the two answers, why they differ, and where.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Alike {
    pub(super) purpose: Option<String>,
    cause: DivergenceCause,
    pub(super) ours: Verdict,
    pub(super) theirs: Verdict,
    places: Vec<PlaceKey>,
}

/// Readings or usages that differ alike, and where.
type Placed<T> = (Vec<T>, Vec<DivergentPlace>);

/// Whether readings, by number, answer so to a use by a crawler at a path.
pub(super) trait Answers {
    fn answers(&self, crawler: &Crawler, usage: &Usage, readings: &[usize], alike: &Alike, path: &str) -> bool;
}

/// Differences on their way to be put together.
#[derive(Default)]
pub(super) struct Grouping {
    /// What differs alike, in which readings, of which usages; apart where the example of one crawler is none of
    /// another.
    found: BTreeMap<(Alike, Vec<usize>, Vec<Usage>), Vec<Group>>,
    /// What ACAP says of other usages than `crawl`, by the readings that do not hear of it: one difference, however
    /// much is said.
    unread: BTreeMap<Vec<usize>, Unread>,
    readings: Vec<Reading>,
    named: usize,
    asked: usize,
}

struct Group {
    crawlers: Vec<String>,
    is_for_unnamed: bool,
    places: Vec<DivergentPlace>,
}

struct Unread {
    crawlers: Vec<String>,
    is_for_unnamed: bool,
    usages: BTreeSet<Usage>,
    theirs: Verdict,
    places: BTreeMap<Option<String>, DivergentPlace>,
}

impl Grouping {
    /// Nothing yet, of these readings and so many usages.
    pub(super) fn of(readings: Vec<Reading>, asked: usize) -> Self {
        Self { readings, asked, ..Self::default() }
    }

    /// Adds what was found for a class of crawler.
    pub(super) fn add(&mut self, class: &CrawlerClass, items: Vec<DivergentDecision>, ask: &dyn Answers) {
        self.named += class.names.len();
        let is_unread =
            |item: &DivergentDecision| item.cause == DivergenceCause::AcapUnread && item.usage != Usage::Crawl;
        let (unread, items): (Vec<DivergentDecision>, Vec<DivergentDecision>) = items.into_iter().partition(is_unread);
        self.add_unread(class, unread);
        let is_so = |usages: &[Usage], readings: &[usize], alike: &Alike, places: &[DivergentPlace]| {
            let asked = places.iter().flat_map(|place| usages.iter().map(move |usage| (usage, &place.example)));
            asked.into_iter().all(|(usage, path)| ask.answers(&class.crawler, usage, readings, alike, path))
        };
        let mut by_usage: BTreeMap<(Usage, Alike), Vec<Placed<usize>>> = BTreeMap::new();
        for ((usage, reading), alike) in alike_of(items) {
            for (one, places) in alike {
                let known = by_usage.entry((usage.clone(), one.clone())).or_default();
                let usages = std::slice::from_ref(&usage);
                match known.iter_mut().find(|(_, places)| is_so(usages, &[reading], &one, places)) {
                    Some((readings, _)) => readings.push(reading),
                    None => known.push((vec![reading], places)),
                }
            }
        }
        let mut by_readings: BTreeMap<(Alike, Vec<usize>), Vec<Placed<Usage>>> = BTreeMap::new();
        for ((usage, one), known) in by_usage {
            for (readings, places) in known {
                let known = by_readings.entry((one.clone(), readings.clone())).or_default();
                let usages = std::slice::from_ref(&usage);
                match known.iter_mut().find(|(_, places)| is_so(usages, &readings, &one, places)) {
                    Some((usages, _)) => usages.push(usage.clone()),
                    None => known.push((vec![usage.clone()], places)),
                }
            }
        }
        for ((one, readings), known) in by_readings {
            for (usages, places) in known {
                let groups = self.found.entry((one.clone(), readings.clone(), usages.clone())).or_default();
                let (crawlers, is_for_unnamed) = (class.names.clone(), class.has_unnamed);
                match groups
                    .iter_mut()
                    .take(MAX_GROUPS_COMPARED)
                    .find(|group| is_so(&usages, &readings, &one, &group.places))
                {
                    Some(group) => {
                        group.crawlers.extend(crawlers);
                        group.is_for_unnamed |= is_for_unnamed;
                    }
                    None => groups.push(Group { crawlers, is_for_unnamed, places }),
                }
            }
        }
    }

    fn add_unread(&mut self, class: &CrawlerClass, items: Vec<DivergentDecision>) {
        let mut readings: Vec<usize> = items.iter().map(|item| item.reading).collect();
        readings.sort_unstable();
        readings.dedup();
        let Some(first) = items.first() else { return };
        let unread = self.unread.entry(readings).or_insert_with(|| Unread {
            crawlers: Vec::new(),
            is_for_unnamed: false,
            usages: BTreeSet::new(),
            theirs: first.theirs.clone(),
            places: BTreeMap::new(),
        });
        unread.crawlers.extend(class.names.iter().cloned());
        unread.is_for_unnamed |= class.has_unnamed;
        for item in items {
            // One place a field.
            let text = item.ours_by.as_ref().map(|by| by.text.clone());
            unread.places.entry(text).or_insert_with(|| place_of(&item));
            unread.usages.insert(item.usage);
        }
    }

    /// The differences, the biggest first.
    pub(super) fn divergences(self) -> Vec<Divergence> {
        let (named, asked, all) = (self.named, self.asked, self.readings);
        let against = all.first().copied().unwrap_or_default();
        let readings = |numbers: &[usize]| numbers.iter().filter_map(|number| all.get(*number).copied()).collect();
        let mut divergences = Vec::new();
        for ((one, numbers, usages), groups) in self.found {
            divergences.extend(groups.into_iter().map(|group| Divergence {
                readings: readings(&numbers),
                against,
                cause: one.cause,
                theirs: one.theirs.clone(),
                ours: Some(one.ours.clone()),
                others: named - group.crawlers.len(),
                crawlers: group.crawlers,
                is_for_unnamed: group.is_for_unnamed,
                usages: usages.clone(),
                asked,
                purpose: one.purpose.clone(),
                places: group.places,
            }));
        }
        for (numbers, unread) in self.unread {
            divergences.push(Divergence {
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
            });
        }
        divergences.sort_by(|one, other| one.size().cmp(&other.size()));
        divergences
    }
}

/// With more groups that differ by their examples alone a crawler is not compared.
const MAX_GROUPS_COMPARED: usize = 16;

/// What differs alike of one usage in one reading, each with its places.
type OfUse = BTreeMap<(Usage, usize), Vec<(Alike, Vec<DivergentPlace>)>>;

fn alike_of(items: Vec<DivergentDecision>) -> OfUse {
    type Verdicts = (Option<String>, DivergenceCause, Verdict, Verdict);
    let mut verdicts: BTreeMap<(Usage, usize), BTreeMap<Verdicts, Vec<DivergentDecision>>> = BTreeMap::new();
    for item in items {
        let key = (item.purpose.clone(), item.cause, item.ours.clone(), item.theirs.clone());
        verdicts.entry((item.usage.clone(), item.reading)).or_default().entry(key).or_default().push(item);
    }
    let mut found = OfUse::new();
    for (of, verdicts) in verdicts {
        let mut known: Vec<(Alike, Vec<DivergentPlace>)> = Vec::new();
        // Without a purpose first: what is so without one is so for every purpose of which nothing else is said.
        for ((purpose, cause, ours, theirs), items) in verdicts {
            let places = places_of(&items);
            let one =
                Alike { purpose: None, cause, ours, theirs, places: places.iter().map(DivergentPlace::key).collect() };
            if purpose.is_some() && known.iter().any(|(known, _)| *known == one) {
                continue;
            }
            known.push((Alike { purpose, ..one }, places));
        }
        found.insert(of, known);
    }
    found
}

fn places_of(items: &[DivergentDecision]) -> Vec<DivergentPlace> {
    let mut places: BTreeMap<Option<String>, DivergentPlace> = BTreeMap::new();
    for place in items.iter().map(place_of) {
        places.entry(place.pattern.clone()).or_insert(place);
    }
    in_order(places.into_values().collect())
}

/// The place of the narrower of the two rules that decide, which is the longer one.
fn place_of(item: &DivergentDecision) -> DivergentPlace {
    let deciders = [&item.ours_by, &item.theirs_by].into_iter().flatten();
    let patterns = deciders.map(|by| by.place());
    DivergentPlace {
        pattern: patterns.max_by_key(|pattern| pattern.len()).map(str::to_owned),
        ours_by: item.ours_by.clone(),
        theirs_by: item.theirs_by.clone(),
        example: item.path.clone(),
    }
}

fn in_order(mut places: Vec<DivergentPlace>) -> Vec<DivergentPlace> {
    places.sort_by(|one, other| one.size().cmp(&other.size()));
    places
}
