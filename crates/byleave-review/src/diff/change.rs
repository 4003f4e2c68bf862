//! The changes in a diff, with the sentences that describe them.
//!
//! A change lists its paths under the rule that makes the difference. `grouping` groups the changes.

use crate::grouping::{DifferenceGroup, DifferingUse, GroupedPlace, Grouping};
use crate::phrases::{
    crawlers_in_words, deciding_in_words, place_in_words, places_in_words, quoted, size, usages_in_words,
};
use crate::verdict::{DecidingStatement, Verdict};
use byleave::{Outcome, Usage};
use std::collections::BTreeMap;

/// Crawlers for which the same usages change in the same way in the same places.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change {
    /// The kind of change.
    pub kind: ChangeKind,
    /// The names of the crawlers, as written. Crawlers that no group names are not listed.
    pub crawlers: Vec<String>,
    /// Whether the change also holds for every crawler that no group in either policy names.
    pub is_for_unnamed: bool,
    /// The number of other named crawlers, for which the change does not hold.
    pub others: usize,
    /// The usages that change.
    pub usages: Vec<Usage>,
    /// The number of usages that were compared.
    pub asked: usize,
    /// The purpose for which the change holds, or `None` if it holds without a purpose.
    pub purpose: Option<String>,
    /// The verdict in the old policy.
    pub before: Verdict,
    /// The verdict in the new policy.
    pub after: Verdict,
    /// The places that change, largest first.
    pub places: Vec<ChangedPlace>,
}

/// Paths on which one rule makes the difference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChangedPlace {
    /// The pattern of the rule as written, or `None` if no rule with a single pattern makes the difference. Narrower
    /// rules may decide differently for some of the paths.
    pub pattern: Option<String>,
    /// The deciding statements in the old policy.
    pub was_by: Vec<DecidingStatement>,
    /// Whether a default decided some of these paths in the old policy.
    pub was_by_default: bool,
    /// The deciding statements in the new policy.
    pub is_by: Vec<DecidingStatement>,
    /// Whether a default decides some of these paths in the new policy.
    pub is_by_default: bool,
    /// A path in this place.
    pub example: String,
    /// Narrower patterns whose outcome stays the same, as far as they were examined.
    pub unchanged: Vec<UnchangedPattern>,
}

/// A narrower pattern whose paths do not change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct UnchangedPattern {
    /// The outcome, which is the same before and after.
    pub outcome: Outcome,
    /// The pattern as written.
    pub pattern: String,
    /// A path that the pattern matches.
    pub(super) path: String,
}

impl UnchangedPattern {
    pub(super) fn new(outcome: Outcome, pattern: String, path: String) -> Self {
        Self { outcome, pattern, path }
    }
}

/// The kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The usage is prohibited now, and was not before.
    Loses,
    /// The usage was prohibited before, and is not now.
    Gains,
    /// The usage was permitted, and now has conditions.
    Limited,
    /// The usage had conditions, and is now permitted without conditions.
    Freed,
    /// The usage is permitted on different conditions than before.
    Conditions,
    /// The usage is permitted now, and was unstated before.
    Stated,
    /// The usage is unstated now, and was permitted before.
    Unstated,
}

impl ChangeKind {
    /// Returns the kind of change between two outcomes. If both are conditional, the conditions changed.
    fn of(before: Outcome, after: Outcome) -> Self {
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

    /// Returns the kind's name, as used in every output.
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
    /// Returns a phrase for the place: its pattern, or the whole site.
    #[must_use]
    pub fn in_words(&self) -> String {
        place_in_words(self.pattern.as_deref(), &self.example)
    }

    fn size(&self) -> (bool, usize, &str) {
        size(self.pattern.as_deref())
    }

    /// Returns a phrase for the patterns whose paths do not change, or `None` if none are known.
    #[must_use]
    pub fn unchanged_in_words(&self) -> Option<String> {
        let listed = |outcome: Outcome| {
            let patterns: Vec<String> =
                self.unchanged.iter().filter(|one| one.outcome == outcome).map(|one| quoted(&one.pattern)).collect();
            let shown = patterns.iter().take(MAX_UNCHANGED).cloned().collect::<Vec<_>>().join(", ");
            match patterns.len().saturating_sub(MAX_UNCHANGED) {
                _ if patterns.is_empty() => None,
                0 => Some(format!("{shown} {}", outcome.name())),
                more => Some(format!("{shown} and {more} more {}", outcome.name())),
            }
        };
        let listed: Vec<String> = [Outcome::Permitted, Outcome::Prohibited].into_iter().filter_map(listed).collect();
        (!listed.is_empty()).then(|| format!("unchanged: {}", listed.join("; ")))
    }
}

impl Change {
    /// Returns a sentence that states what changes, and for whom.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (who, is_one) = crawlers_in_words(&self.crawlers, self.is_for_unnamed, self.others);
        let what = usages_in_words(&self.usages, self.asked);
        let biggest = self.places.first().and_then(|place| place.pattern.as_deref());
        let place = places_in_words(biggest, &self.places.iter().map(ChangedPlace::in_words).collect::<Vec<_>>());
        let conditions =
            |verdict: &Verdict| verdict.conditions.iter().map(|one| quoted(one)).collect::<Vec<_>>().join(", ");
        let verb = |one: &'static str, many: &'static str| if is_one { one } else { many };
        let mut sentence = match self.kind {
            ChangeKind::Loses => format!("{who} {} {what} {place}", verb("loses", "lose")),
            ChangeKind::Gains => format!("{who} {} {what} {place}", verb("gains", "gain")),
            ChangeKind::Limited => {
                format!("{who} {} {what} {place} only on condition: {}", verb("keeps", "keep"), conditions(&self.after))
            }
            ChangeKind::Freed => format!("{who} {} {what} {place} without conditions", verb("gets", "get")),
            ChangeKind::Conditions => format!(
                "{who} {} {what} {place} on different conditions: {} instead of {}",
                verb("keeps", "keep"),
                conditions(&self.after),
                conditions(&self.before)
            ),
            ChangeKind::Stated if self.after.outcome == Outcome::Conditional => format!(
                "{who} {} {what} {place} on condition: {} (was unstated)",
                verb("gains", "gain"),
                conditions(&self.after)
            ),
            ChangeKind::Stated => {
                format!("{who} {} express permission for {what} {place} (was unstated)", verb("gains", "gain"))
            }
            ChangeKind::Unstated => {
                format!("{who} {} the express permission for {what} {place} (now unstated)", verb("loses", "lose"))
            }
        };
        if self.kind == ChangeKind::Gains && self.after.outcome == Outcome::Conditional {
            sentence += &format!(" on condition: {}", conditions(&self.after));
        }
        if self.kind == ChangeKind::Gains && self.after.outcome == Outcome::Unstated {
            sentence += " (now unstated)";
        }
        if let Some(purpose) = &self.purpose {
            sentence += &format!(", for the purpose {}", quoted(purpose));
        }
        sentence
    }

    /// Returns a phrase for the statements that decided a place before, and those that decide it now.
    #[must_use]
    pub fn decided_by(&self, place: &ChangedPlace) -> String {
        let was = deciding_in_words(&place.was_by, place.was_by_default);
        let is = deciding_in_words(&place.is_by, place.is_by_default);
        let (before, after) = (self.before.outcome, self.after.outcome);
        // An unstated outcome has no deciding statement.
        let listed = |outcome: Outcome, by: String| match outcome {
            Outcome::Unstated => outcome.name().to_owned(),
            outcome => format!("{} {by}", outcome.name()),
        };
        format!("was {}, now {}", listed(before, was), listed(after, is))
    }

    fn size(&self) -> impl Ord + '_ {
        let place = self.places.first().map(ChangedPlace::size);
        let crawlers = self.crawlers.len() + usize::from(self.is_for_unnamed);
        let is_whole = place.is_none_or(|(is_part, ..)| is_part);
        (is_whole, self.kind, !self.is_for_unnamed, std::cmp::Reverse(crawlers), place, self.purpose.clone())
    }
}

/// At most this many unchanged patterns are listed for each outcome.
const MAX_UNCHANGED: usize = 5;

/// Returns the changes in all groups, largest first.
pub(super) fn changes_of(grouping: Grouping<'_, (), ChangedPlace>, asked: usize) -> Vec<Change> {
    let named = grouping.named;
    let change = |group: DifferenceGroup<(), ChangedPlace>| Change {
        kind: ChangeKind::of(group.first.outcome, group.other.outcome),
        others: named - group.crawlers.len(),
        crawlers: group.crawlers,
        is_for_unnamed: group.is_for_unnamed,
        usages: group.usages,
        asked,
        purpose: group.purpose,
        before: group.first,
        after: group.other,
        places: group.places,
    };
    let mut changes: Vec<Change> = grouping.groups().map(change).collect();
    changes.sort_by(|one, other| one.size().cmp(&other.size()));
    changes
}

impl GroupedPlace<()> for ChangedPlace {
    /// The pattern, the texts of the deciding statements before and after, and whether a default decided before and
    /// after.
    type Key = (Option<String>, Vec<String>, Vec<String>, bool, bool);

    /// Lists places under the rule that decides now or under the rule that decided before, whichever gives fewer
    /// places.
    fn places_of(uses: &[DifferingUse<()>]) -> Vec<Self> {
        let by_new = places_by(uses, |one| one.other_by.as_ref().or(one.first_by.as_ref()));
        let by_old = places_by(uses, |one| one.first_by.as_ref().or(one.other_by.as_ref()));
        // On a tie, the longer patterns win. They describe the places more precisely, and a reversed diff then has the
        // same places.
        let order = |places: &[Self]| {
            let patterns: Vec<Option<String>> = places.iter().map(|place| place.pattern.clone()).collect();
            let octets: usize = patterns.iter().flatten().map(String::len).sum();
            (places.len(), std::cmp::Reverse(octets), patterns)
        };
        if order(&by_old) < order(&by_new) { by_old } else { by_new }
    }

    fn key(&self) -> Self::Key {
        let texts = |deciders: &[DecidingStatement]| deciders.iter().map(|by| by.text.clone()).collect();
        (self.pattern.clone(), texts(&self.was_by), texts(&self.is_by), self.was_by_default, self.is_by_default)
    }

    fn example(&self) -> &str {
        &self.example
    }
}

fn places_by(
    uses: &[DifferingUse<()>],
    maker: impl Fn(&DifferingUse<()>) -> Option<&DecidingStatement>,
) -> Vec<ChangedPlace> {
    let mut places: BTreeMap<Option<&str>, ChangedPlace> = BTreeMap::new();
    for one in uses {
        // If a pattern overrides the statement, the longer of the two patterns describes the place more precisely.
        let made = maker(one).map(DecidingStatement::place);
        let pattern = one.silenced_by.as_deref().into_iter().chain(made).max_by_key(|pattern| pattern.len());
        let place = places.entry(pattern).or_insert_with(|| ChangedPlace {
            pattern: pattern.map(str::to_owned),
            was_by: Vec::new(),
            was_by_default: false,
            is_by: Vec::new(),
            is_by_default: false,
            example: one.path.clone(),
            unchanged: Vec::new(),
        });
        add(&one.first_by, &mut place.was_by, &mut place.was_by_default);
        add(&one.other_by, &mut place.is_by, &mut place.is_by_default);
        if one.path.len() < place.example.len() {
            place.example = one.path.clone();
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
