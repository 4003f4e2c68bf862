//! Changes put together that are alike, so that a person reads them in a minute: regions by the rule that makes the
//! change, usages and crawlers that change in the same places; the biggest first.

use super::ChangedDecision;
use crate::crawler_classes::CrawlerClass;
use crate::phrases::{
    crawlers_in_words, deciding_in_words, place_in_words, places_in_words, quoted, size, usages_in_words,
};
use crate::verdict::{DecidingStatement, Verdict};
use byleave::{Crawler, Outcome, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// Crawlers that gain or lose the same in the same places.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change {
    /// What class of change it is.
    pub turn: ChangeKind,
    /// The crawlers by name, as written; a crawler that no group names is not among them.
    pub crawlers: Vec<String>,
    /// Whether it is a change for every crawler that no group of either policy names.
    pub is_for_unnamed: bool,
    /// How many other crawlers are named, for which it is none.
    pub others: usize,
    /// The usages.
    pub usages: Vec<Usage>,
    /// How many usages were asked about.
    pub asked: usize,
    /// A purpose for which it is so, and without which it is not.
    pub purpose: Option<String>,
    /// What the old policy expresses there.
    pub before: Verdict,
    /// What the new one does.
    pub after: Verdict,
    /// Where, the biggest first.
    pub places: Vec<ChangedPlace>,
}

/// Paths that one rule makes the difference for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChangedPlace {
    /// The pattern of that rule as written; nothing where it is none with one pattern. Narrower rules may decide
    /// otherwise below it.
    pub pattern: Option<String>,
    /// What decided in the old policy; none where a default did.
    pub was_by: Vec<DecidingStatement>,
    /// Whether a default decided in the old policy, somewhere there.
    pub was_by_default: bool,
    /// What decides in the new policy.
    pub is_by: Vec<DecidingStatement>,
    /// Whether a default decides in the new one, somewhere there.
    pub is_by_default: bool,
    /// A path where it is so.
    pub example: String,
    /// Narrower rules there that keep what they say, as far as was looked.
    pub unchanged: Vec<UnchangedPattern>,
}

/// A narrower rule below which nothing changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct UnchangedPattern {
    /// What is expressed there, before and after.
    pub outcome: Outcome,
    /// Its pattern as written.
    pub pattern: String,
    /// A path where it is so.
    pub(super) path: String,
}

impl UnchangedPattern {
    pub(super) fn new(outcome: Outcome, pattern: String, path: String) -> Self {
        Self { outcome, pattern, path }
    }
}

/// What class of change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// Prohibited now, and was not.
    Loses,
    /// Was prohibited, and is not now.
    Gains,
    /// Permitted on conditions now, and was without.
    Limited,
    /// Permitted without conditions now, and was on some.
    Freed,
    /// Permitted on other conditions.
    Conditions,
    /// Spoken of now, and was not.
    Stated,
    /// Not spoken of now, and was permitted.
    Unstated,
}

impl ChangeKind {
    /// The change between two outcomes that are not the same, or of conditions.
    #[must_use]
    pub fn of(before: Outcome, after: Outcome) -> Self {
        match (before, after) {
            (_, Outcome::Prohibited) => Self::Loses,
            (Outcome::Prohibited, _) => Self::Gains,
            (Outcome::Unstated, _) => Self::Stated,
            (_, Outcome::Unstated) => Self::Unstated,
            (Outcome::Permitted, _) => Self::Limited,
            (Outcome::Conditional, Outcome::Permitted) => Self::Freed,
            (Outcome::Conditional, Outcome::Conditional) => Self::Conditions,
        }
    }

    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Loses => "loses",
            Self::Gains => "gains",
            Self::Limited => "limited",
            Self::Freed => "freed",
            Self::Conditions => "conditions",
            Self::Stated => "stated",
            Self::Unstated => "unstated",
        }
    }
}

impl ChangedPlace {
    /// It in words: its pattern, or the whole site.
    #[must_use]
    pub fn in_words(&self) -> String {
        place_in_words(self.pattern.as_deref(), &self.example)
    }

    fn size(&self) -> (bool, usize, &str) {
        size(self.pattern.as_deref())
    }

    /// What stays as it was there, in words; nothing where no rule is known that does.
    #[must_use]
    pub fn unchanged_in_words(&self) -> Option<String> {
        let told = |outcome: Outcome| {
            let alike: Vec<String> =
                self.unchanged.iter().filter(|one| one.outcome == outcome).map(|one| quoted(&one.pattern)).collect();
            let shown = alike.iter().take(MAX_UNCHANGED).cloned().collect::<Vec<_>>().join(", ");
            match alike.len().saturating_sub(MAX_UNCHANGED) {
                _ if alike.is_empty() => None,
                0 => Some(format!("{shown} {}", outcome.name())),
                more => Some(format!("{shown} and {more} more {}", outcome.name())),
            }
        };
        let told: Vec<String> = [Outcome::Permitted, Outcome::Prohibited].into_iter().filter_map(told).collect();
        (!told.is_empty()).then(|| format!("as before: {}", told.join("; ")))
    }

    /// What makes it the same place for another crawler.
    fn key(&self) -> PlaceKey {
        let texts = |deciders: &[DecidingStatement]| deciders.iter().map(|by| by.text.clone()).collect();
        (self.pattern.clone(), texts(&self.was_by), texts(&self.is_by), self.was_by_default, self.is_by_default)
    }
}

impl Change {
    /// What changes for whom, in a sentence without its grounds.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (who, is_one) = crawlers_in_words(&self.crawlers, self.is_for_unnamed, self.others);
        let what = usages_in_words(&self.usages, self.asked);
        let biggest = self.places.first().and_then(|place| place.pattern.as_deref());
        let place = places_in_words(biggest, &self.places.iter().map(ChangedPlace::in_words).collect::<Vec<_>>());
        let conditions =
            |verdict: &Verdict| verdict.conditions.iter().map(|one| quoted(one)).collect::<Vec<_>>().join(", ");
        let verb = |one: &'static str, many: &'static str| if is_one { one } else { many };
        let mut sentence = match self.turn {
            ChangeKind::Loses => format!("{who} {} {what} of {place}", verb("loses", "lose")),
            ChangeKind::Gains => format!("{who} {} {what} of {place}", verb("gains", "gain")),
            ChangeKind::Limited => {
                format!(
                    "{who} {} {what} of {place} only on condition: {}",
                    verb("keeps", "keep"),
                    conditions(&self.after)
                )
            }
            ChangeKind::Freed => format!("{who} {} {what} of {place} without conditions", verb("gets", "get")),
            ChangeKind::Conditions => format!(
                "{who} {} {what} of {place} on other conditions: {} instead of {}",
                verb("keeps", "keep"),
                conditions(&self.after),
                conditions(&self.before)
            ),
            ChangeKind::Stated if self.after.outcome == Outcome::Conditional => format!(
                "{who} {} {what} of {place} on condition: {}; nothing was said",
                verb("is given", "are given"),
                conditions(&self.after)
            ),
            ChangeKind::Stated => {
                format!("{who} {} {what} of {place} expressly; nothing was said", verb("is given", "are given"))
            }
            ChangeKind::Unstated => {
                format!(
                    "{who} {} the express permission of {what} of {place}; nothing is said now",
                    verb("loses", "lose")
                )
            }
        };
        if self.turn == ChangeKind::Gains && self.after.outcome == Outcome::Conditional {
            sentence += &format!(" on condition: {}", conditions(&self.after));
        }
        if self.turn == ChangeKind::Gains && self.after.outcome == Outcome::Unstated {
            sentence += ": nothing is said of it any more";
        }
        if let Some(purpose) = &self.purpose {
            sentence += &format!(", for the purpose {}", quoted(purpose));
        }
        sentence
    }

    /// What decided in a place and what does now, in words.
    #[must_use]
    pub fn ground(&self, place: &ChangedPlace) -> String {
        let was = deciding_in_words(&place.was_by, place.was_by_default);
        let is = deciding_in_words(&place.is_by, place.is_by_default);
        let (before, after) = (self.before.outcome, self.after.outcome);
        // Silence is by nobody.
        let told = |outcome: Outcome, by: String| match outcome {
            Outcome::Unstated => outcome.name().to_owned(),
            outcome => format!("{} {by}", outcome.name()),
        };
        format!("was {}, is {}", told(before, was), told(after, is))
    }

    fn size(&self) -> impl Ord + '_ {
        let place = self.places.first().map(ChangedPlace::size);
        let crawlers = self.crawlers.len() + usize::from(self.is_for_unnamed);
        let is_whole = place.is_none_or(|(is_part, ..)| is_part);
        (is_whole, self.turn, !self.is_for_unnamed, std::cmp::Reverse(crawlers), place, self.purpose.clone())
    }
}

type PlaceKey = (Option<String>, Vec<String>, Vec<String>, bool, bool);

/// What changes alike: from what, to what, where, and for which purpose.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Alike {
    pub(super) purpose: Option<String>,
    pub(super) before: Verdict,
    pub(super) after: Verdict,
    places: Vec<PlaceKey>,
}

/// Changes on their way to be put together.
#[derive(Default)]
pub(super) struct Grouping {
    /// CrawlerClasses of crawlers by what changes for them, and of which usages; apart where the example of one is none of
    /// another.
    found: BTreeMap<(Alike, Vec<Usage>), Vec<Group>>,
    /// How many crawlers are named.
    named: usize,
    /// How many usages were asked about.
    asked: usize,
}

struct Group {
    crawlers: Vec<String>,
    is_for_unnamed: bool,
    places: Vec<ChangedPlace>,
}

/// Usages that change alike, and where.
type Placed = (Vec<Usage>, Vec<ChangedPlace>);

/// So many patterns are told of those below which nothing changes.
const MAX_UNCHANGED: usize = 5;

/// What both policies answer.
pub(super) trait Changes {
    /// Whether a use by a crawler changes at a path from one verdict to another.
    fn changes(&self, crawler: &Crawler, usage: &Usage, alike: &Alike, path: &str) -> bool;

    /// The rules or preferences for crawlers of a class that are narrower than a pattern, and change nothing of a usage.
    fn unchanged(&self, class: &CrawlerClass, usage: &Usage, pattern: &str) -> Vec<UnchangedPattern>;

    /// Whether nothing changes for a crawler where nothing does for another.
    fn is_unchanged(&self, crawler: &Crawler, usage: &Usage, one: &UnchangedPattern) -> bool;
}

impl Grouping {
    /// Nothing yet, of so many usages.
    pub(super) fn of(asked: usize) -> Self {
        Self { asked, ..Self::default() }
    }

    /// Adds what was found for a class of crawler.
    pub(super) fn add(&mut self, class: &CrawlerClass, items: Vec<ChangedDecision>, ask: &dyn Changes) {
        self.named += class.names.len();
        let mut by_usage: BTreeMap<(Usage, Option<String>), Vec<ChangedDecision>> = BTreeMap::new();
        for item in items {
            by_usage.entry((item.usage.clone(), item.purpose.clone())).or_default().push(item);
        }
        let is_so = |usage: &Usage, alike: &Alike, places: &[ChangedPlace]| {
            places.iter().all(|place| ask.changes(&class.crawler, usage, alike, &place.example))
        };
        // What is so without a purpose is so for every purpose of which nothing else is said.
        let mut alike: BTreeMap<Alike, Vec<Placed>> = BTreeMap::new();
        let mut general: BTreeMap<Usage, BTreeSet<Alike>> = BTreeMap::new();
        for ((usage, purpose), items) in by_usage {
            for (one, places) in alike_of(items) {
                let known = general.entry(usage.clone()).or_default();
                if purpose.is_none() {
                    known.insert(one.clone());
                } else if known.contains(&one) {
                    continue;
                }
                let one = Alike { purpose: purpose.clone(), ..one };
                let known = alike.entry(one.clone()).or_default();
                match known.iter_mut().find(|(_, places)| is_so(&usage, &one, places)) {
                    Some((usages, _)) => usages.push(usage.clone()),
                    None => known.push((vec![usage.clone()], places)),
                }
            }
        }
        for (one, known) in alike {
            for (usages, places) in known {
                // What stays is told of `crawl`, or of the first usage.
                let told_of = usages.iter().find(|usage| **usage == Usage::Crawl).or(usages.first());
                let Some(told_of) = told_of else { continue };
                let groups = self.found.entry((one.clone(), usages.clone())).or_default();
                let is_here = |group: &&mut Group| usages.iter().all(|usage| is_so(usage, &one, &group.places));
                let (crawlers, is_for_unnamed) = (class.names.clone(), class.has_unnamed);
                match groups.iter_mut().take(MAX_GROUPS_COMPARED).find(is_here) {
                    Some(group) => {
                        group.crawlers.extend(crawlers);
                        group.is_for_unnamed |= is_for_unnamed;
                        for place in &mut group.places {
                            place.unchanged.retain(|one| ask.is_unchanged(&class.crawler, told_of, one));
                        }
                    }
                    None => {
                        let mut places = places;
                        for place in &mut places {
                            let unchanged = place.pattern.as_ref().map(|own| ask.unchanged(class, told_of, own));
                            place.unchanged = unchanged.unwrap_or_default();
                        }
                        groups.push(Group { crawlers, is_for_unnamed, places });
                    }
                }
            }
        }
    }

    /// The changes, the biggest first.
    pub(super) fn changes(self) -> Vec<Change> {
        let (named, asked) = (self.named, self.asked);
        let groups =
            self.found.into_iter().flat_map(|(key, groups)| groups.into_iter().map(move |group| (key.clone(), group)));
        let change = |((one, usages), group): ((Alike, Vec<Usage>), Group)| Change {
            turn: ChangeKind::of(one.before.outcome, one.after.outcome),
            others: named - group.crawlers.len(),
            crawlers: group.crawlers,
            is_for_unnamed: group.is_for_unnamed,
            usages,
            asked,
            purpose: one.purpose,
            before: one.before,
            after: one.after,
            places: group.places,
        };
        let mut changes: Vec<Change> = groups.map(change).collect();
        changes.sort_by(|one, other| one.size().cmp(&other.size()));
        changes
    }
}

/// With more groups that differ by their examples alone a crawler is not compared.
const MAX_GROUPS_COMPARED: usize = 16;

/// What changes alike for one usage and purpose, each with its places; the purpose left out.
fn alike_of(items: Vec<ChangedDecision>) -> Vec<(Alike, Vec<ChangedPlace>)> {
    let mut verdicts: BTreeMap<(Verdict, Verdict), Vec<ChangedDecision>> = BTreeMap::new();
    for item in items {
        verdicts.entry((item.before.clone(), item.after.clone())).or_default().push(item);
    }
    let alike = |((before, after), items): ((Verdict, Verdict), Vec<ChangedDecision>)| {
        let places = places_of(items);
        let keys = places.iter().map(ChangedPlace::key).collect();
        (Alike { purpose: None, before, after, places: keys }, places)
    };
    verdicts.into_iter().map(alike).collect()
}

/// The places of items: by the rule that decides now, or by the one that did, whichever comes to fewer places.
fn places_of(items: Vec<ChangedDecision>) -> Vec<ChangedPlace> {
    let by_new = places_by(&items, |item| item.is_by.as_ref().or(item.was_by.as_ref()));
    let by_old = places_by(&items, |item| item.was_by.as_ref().or(item.is_by.as_ref()));
    // Of as many places those are told that have the longer patterns, which are nearer; so it is the same backwards.
    let order = |places: &[ChangedPlace]| {
        let patterns: Vec<Option<String>> = places.iter().map(|place| place.pattern.clone()).collect();
        let octets: usize = patterns.iter().flatten().map(String::len).sum();
        (places.len(), std::cmp::Reverse(octets), patterns)
    };
    if order(&by_old) < order(&by_new) { by_old } else { by_new }
}

fn places_by(
    items: &[ChangedDecision],
    maker: impl Fn(&ChangedDecision) -> Option<&DecidingStatement>,
) -> Vec<ChangedPlace> {
    let mut places: BTreeMap<Option<&str>, ChangedPlace> = BTreeMap::new();
    for item in items {
        // What set a statement aside that would have decided is nearer than that statement.
        let made = maker(item).map(DecidingStatement::place);
        let pattern = item.silenced_by.as_deref().into_iter().chain(made).max_by_key(|pattern| pattern.len());
        let place = places.entry(pattern).or_insert_with(|| ChangedPlace {
            pattern: pattern.map(str::to_owned),
            was_by: Vec::new(),
            was_by_default: false,
            is_by: Vec::new(),
            is_by_default: false,
            example: item.path.clone(),
            unchanged: Vec::new(),
        });
        add(&item.was_by, &mut place.was_by, &mut place.was_by_default);
        add(&item.is_by, &mut place.is_by, &mut place.is_by_default);
        if item.path.len() < place.example.len() {
            place.example = item.path.clone();
        }
    }
    let mut places: Vec<ChangedPlace> = places.into_values().collect();
    for place in &mut places {
        place.was_by.sort_by_key(|by| (by.document.clone(), by.line));
        place.is_by.sort_by_key(|by| (by.document.clone(), by.line));
    }
    places.sort_by(|one, other| one.size().cmp(&other.size()));
    places
}

fn add(by: &Option<DecidingStatement>, to: &mut Vec<DecidingStatement>, by_default: &mut bool) {
    match by {
        Some(by) if to.contains(by) => {}
        Some(by) => to.push(by.clone()),
        None => *by_default = true,
    }
}
