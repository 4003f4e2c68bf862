//! Differences between readings put together that are alike: the same answers for the same reasons.

use super::{Cause, Item};
use crate::answer::{Decider, Verdict};
use crate::crawlers::CrawlerKind;
use crate::words::{crawlers_in_words, deciders_in_words, place_in_words, quoted, usages_in_words};
use std::collections::{BTreeMap, BTreeSet};
use wayleave::{Crawler, Reading, Usage};

/// Crawlers to which readings give the same different answers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Divergence {
    /// The crawlers by name, as written.
    pub crawlers: Vec<String>,
    /// Whether it is so for every crawler that no record names.
    pub is_for_unnamed: bool,
    /// How many other crawlers are named, for which it is not.
    pub others: usize,
    /// The usages.
    pub usages: Vec<Usage>,
    /// How many usages were asked about.
    pub asked: usize,
    /// A purpose for which it is so, and without which it is not.
    pub purpose: Option<String>,
    /// What each reading answers, and why it differs from the first, where it does.
    pub answers: Vec<Answered>,
    /// Where, the biggest first.
    pub places: Vec<DivergentPlace>,
}

/// What one reading answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answered {
    /// The reading.
    pub reading: Reading,
    /// What the site expresses in it; nothing where that is one thing here and another there.
    pub verdict: Option<Verdict>,
    /// Why that is not what the first reading finds; nothing where it is.
    pub cause: Option<Cause>,
}

/// Paths for which readings differ by one rule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DivergentPlace {
    /// The pattern of the rule as written; nothing where it is none with one pattern.
    pub pattern: Option<String>,
    /// What decides in each reading; nothing where a default does.
    pub deciders: Vec<(Reading, Option<Decider>)>,
    /// A path where it is so.
    pub example: String,
}

impl DivergentPlace {
    /// Whether it is the whole site, narrower rules aside.
    #[must_use]
    pub fn is_whole_site(&self) -> bool {
        self.pattern.as_deref().is_none_or(|pattern| matches!(pattern, "/" | "/*" | "*"))
    }

    /// It in words: its pattern, or the whole site.
    #[must_use]
    pub fn in_words(&self) -> String {
        place_in_words(self.pattern.as_deref())
    }

    /// What decides in each reading, in words; readings in which the same does are told together.
    #[must_use]
    pub fn lines_in_words(&self) -> String {
        let mut told: Vec<(Vec<&str>, String)> = Vec::new();
        for (reading, by) in &self.deciders {
            let words = deciders_in_words(by.as_slice(), false);
            match told.iter_mut().find(|(_, known)| *known == words) {
                Some((readings, _)) => readings.push(reading.name()),
                None => told.push((vec![reading.name()], words)),
            }
        }
        told.into_iter()
            .map(|(readings, words)| format!("{words} in {}", readings.join(", ")))
            .collect::<Vec<_>>()
            .join("; ")
    }

    fn size(&self) -> (bool, usize, &str) {
        let pattern = self.pattern.as_deref().unwrap_or_default();
        (!self.is_whole_site(), pattern.len(), pattern)
    }
}

impl Divergence {
    /// What differs for whom, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (who, _) = crawlers_in_words(&self.crawlers, self.is_for_unnamed, self.others);
        let what = usages_in_words(&self.usages, self.asked);
        let place = match self.places.as_slice() {
            [one] => one.in_words(),
            several if several.first().is_some_and(DivergentPlace::is_whole_site) => {
                "the whole site, by several rules".to_owned()
            }
            several => format!("{} places", several.len()),
        };
        let purpose =
            self.purpose.as_ref().map(|purpose| format!(", for the purpose {}", quoted(purpose))).unwrap_or_default();
        format!("{who}: {what} of {place} is not the same in every reading{purpose}")
    }

    /// What the readings answer, those that answer alike and for the same reason together: their names, and the answer
    /// with the reason why it is another than the first one's.
    #[must_use]
    pub fn answers_in_words(&self) -> Vec<(String, String)> {
        let mut told: Vec<(String, String)> = Vec::new();
        for answer in &self.answers {
            let mut words = match &answer.verdict {
                Some(verdict) => verdict.outcome.name().to_owned(),
                None => "as the ACAP fields say".to_owned(),
            };
            let conditions = answer.verdict.iter().flat_map(|verdict| &verdict.conditions);
            let conditions: Vec<String> = conditions.map(|one| quoted(one)).collect();
            if !conditions.is_empty() {
                words += &format!(", {}", conditions.join(", "));
            }
            if let Some(cause) = answer.cause {
                words += &format!(": {} ({})", cause.sentence(), cause.rule());
            }
            match told.iter_mut().find(|(_, known)| *known == words) {
                Some((readings, _)) => *readings += &format!(", {}", answer.reading.name()),
                None => told.push((answer.reading.name().to_owned(), words)),
            }
        }
        told
    }

    fn size(&self) -> impl Ord + '_ {
        let place = self.places.first().map(DivergentPlace::size);
        let crawlers = self.crawlers.len() + usize::from(self.is_for_unnamed);
        (place.is_none_or(|(is_part, ..)| is_part), !self.is_for_unnamed, std::cmp::Reverse(crawlers), place)
    }
}

/// What is alike: the answers, and why they differ.
type Alike = (Option<String>, Vec<(usize, Option<Verdict>, Option<Cause>)>);

/// The places of one kind of crawler, without lines.
type PlaceKeys = Vec<(Option<String>, Vec<Option<String>>)>;

/// Differences on their way to be put together.
#[derive(Default)]
pub(super) struct Grouping {
    /// Kinds of crawlers by what differs for them; apart where the example of one is none of another.
    found: BTreeMap<(Alike, PlaceKeys, Vec<Usage>), Vec<Group>>,
    /// What is said of other usages than `crawl` in ACAP, where some readings do not read that.
    unread: Unread,
    named: usize,
    asked: usize,
}

/// Everything that readings without ACAP do not hear of: one difference, however much is said.
#[derive(Default)]
struct Unread {
    crawlers: Vec<String>,
    is_for_unnamed: bool,
    usages: BTreeSet<Usage>,
    answers: Vec<Answered>,
    places: BTreeMap<Option<String>, DivergentPlace>,
}

struct Group {
    crawlers: Vec<String>,
    is_for_unnamed: bool,
    answers: Vec<Answered>,
    places: Vec<DivergentPlace>,
}

/// What each reading answers to a use by a crawler at a path.
pub(super) trait Verdicts {
    fn verdicts(&self, crawler: &Crawler, usage: &Usage, purpose: Option<&String>, path: &str) -> Vec<Verdict>;
}

impl Grouping {
    /// Nothing yet, of so many usages.
    pub(super) fn of(asked: usize) -> Self {
        Self { asked, ..Self::default() }
    }

    /// Adds what was found for a kind of crawler.
    pub(super) fn add(&mut self, kind: &CrawlerKind, items: Vec<Item>, ask: &dyn Verdicts) {
        self.named += kind.names.len();
        let is_unread = |item: &Item| {
            item.usage != Usage::Crawl && item.causes.iter().all(|(_, cause)| *cause == Cause::AcapUnread)
        };
        let (unread, items): (Vec<Item>, Vec<Item>) = items.into_iter().partition(is_unread);
        self.add_unread(kind, unread);
        let mut by_usage: BTreeMap<(Usage, Alike), Vec<Item>> = BTreeMap::new();
        for item in items {
            let alike = (
                item.purpose.clone(),
                answers(&item).enumerate().map(|(n, one)| (n, one.verdict, one.cause)).collect(),
            );
            by_usage.entry((item.usage.clone(), alike)).or_default().push(item);
        }
        let is_so = |usage: &Usage, alike: &Alike, places: &[DivergentPlace]| {
            let verdicts: Vec<&Verdict> = alike.1.iter().filter_map(|(_, verdict, _)| verdict.as_ref()).collect();
            places.iter().all(|place| {
                let found = ask.verdicts(&kind.crawler, usage, alike.0.as_ref(), &place.example);
                found.iter().eq(verdicts.iter().copied())
            })
        };
        type Known = Vec<(Vec<Usage>, Vec<Answered>, Vec<DivergentPlace>)>;
        let mut alike: BTreeMap<(Alike, PlaceKeys), Known> = BTreeMap::new();
        let mut general: BTreeSet<(Usage, Alike, PlaceKeys)> = BTreeSet::new();
        for ((usage, one), items) in by_usage {
            let answered = items.first().map(|item| answers(item).collect()).unwrap_or_default();
            let places = places_of(&items);
            let keys: PlaceKeys = places.iter().map(key_of).collect();
            // What is so without a purpose is so for every purpose of which nothing else is said.
            let without = (usage.clone(), (None, one.1.clone()), keys.clone());
            if one.0.is_none() {
                general.insert(without);
            } else if general.contains(&without) {
                continue;
            }
            let known = alike.entry((one.clone(), keys)).or_default();
            match known.iter_mut().find(|(.., places)| is_so(&usage, &one, places)) {
                Some((usages, ..)) => usages.push(usage),
                None => known.push((vec![usage], answered, places)),
            }
        }
        for ((one, keys), known) in alike {
            for (usages, answers, places) in known {
                let groups = self.found.entry((one.clone(), keys.clone(), usages.clone())).or_default();
                let is_here = |group: &&mut Group| usages.iter().all(|usage| is_so(usage, &one, &group.places));
                let (crawlers, is_for_unnamed) = (kind.names.clone(), kind.has_unnamed);
                match groups.iter_mut().find(is_here) {
                    Some(group) => {
                        group.crawlers.extend(crawlers);
                        group.is_for_unnamed |= is_for_unnamed;
                    }
                    None => groups.push(Group { crawlers, is_for_unnamed, answers, places }),
                }
            }
        }
    }

    fn add_unread(&mut self, kind: &CrawlerKind, items: Vec<Item>) {
        let unread = &mut self.unread;
        if let Some(first) = items.first() {
            unread.crawlers.extend(kind.names.iter().cloned());
            unread.is_for_unnamed |= kind.has_unnamed;
            let without_verdict = |answer: Answered| match answer.cause {
                None => Answered { verdict: None, ..answer },
                Some(_) => answer,
            };
            unread.answers = answers(first).map(without_verdict).collect();
        }
        for item in items {
            // One place a field.
            let text = item.deciders.iter().find_map(|(_, by)| by.as_ref()).map(|by| by.text.clone());
            let place = places_of(std::slice::from_ref(&item)).pop();
            unread.usages.insert(item.usage);
            if let Some(place) = place {
                unread.places.entry(text).or_insert(place);
            }
        }
    }

    /// The differences, the biggest first.
    pub(super) fn divergences(self) -> Vec<Divergence> {
        let (named, asked) = (self.named, self.asked);
        let groups =
            self.found.into_iter().flat_map(|(key, groups)| groups.into_iter().map(move |group| (key.clone(), group)));
        let divergence = |((one, _, usages), group): ((Alike, PlaceKeys, Vec<Usage>), Group)| Divergence {
            others: named - group.crawlers.len(),
            crawlers: group.crawlers,
            is_for_unnamed: group.is_for_unnamed,
            usages,
            asked,
            purpose: one.0,
            answers: group.answers,
            places: group.places,
        };
        let mut divergences: Vec<Divergence> = groups.map(divergence).collect();
        let unread = self.unread;
        if !unread.places.is_empty() {
            let mut places: Vec<DivergentPlace> = unread.places.into_values().collect();
            places.sort_by(|one, other| one.size().cmp(&other.size()));
            divergences.push(Divergence {
                others: named - unread.crawlers.len(),
                crawlers: unread.crawlers,
                is_for_unnamed: unread.is_for_unnamed,
                usages: unread.usages.into_iter().collect(),
                asked,
                purpose: None,
                answers: unread.answers,
                places,
            });
        }
        divergences.sort_by(|one, other| one.size().cmp(&other.size()));
        divergences
    }
}

fn answers(item: &Item) -> impl Iterator<Item = Answered> + '_ {
    let cause = |reading: Reading| item.causes.iter().find(|(known, _)| *known == reading).map(|(_, cause)| *cause);
    let answered = move |(reading, verdict): &(Reading, Verdict)| Answered {
        reading: *reading,
        verdict: Some(verdict.clone()),
        cause: cause(*reading),
    };
    item.verdicts.iter().map(answered)
}

/// The places by the first rule that decides in a reading that others do not follow.
fn places_of(items: &[Item]) -> Vec<DivergentPlace> {
    let mut places: BTreeMap<Option<&str>, DivergentPlace> = BTreeMap::new();
    for item in items {
        // The longest pattern is the narrowest of those that decide, and so what the difference is about.
        let patterns = item.deciders.iter().filter_map(|(_, by)| by.as_ref());
        let patterns = patterns.map(|by| by.pattern.as_deref().unwrap_or(&by.text));
        let pattern = patterns.max_by_key(|pattern| pattern.len());
        let place = || DivergentPlace {
            pattern: pattern.map(str::to_owned),
            deciders: item.deciders.clone(),
            example: item.path.clone(),
        };
        places.entry(pattern).or_insert_with(place);
    }
    let mut places: Vec<DivergentPlace> = places.into_values().collect();
    places.sort_by(|one, other| one.size().cmp(&other.size()));
    places
}

fn key_of(place: &DivergentPlace) -> (Option<String>, Vec<Option<String>>) {
    let texts = place.deciders.iter().map(|(_, by)| by.as_ref().map(|by| by.text.clone())).collect();
    (place.pattern.clone(), texts)
}
