//! The intents that a writer of directives or preferences must express, and what its output expresses.

use byleave::model::{Condition, TimeLimit};
use byleave::{Explanation, Outcome, Usage};
use std::collections::BTreeMap;

/// The intent for one usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UsageIntent {
    pub(crate) outcome: Outcome,
    pub(crate) conditions: Vec<Condition>,
}

/// The intent for each usage. A usage that is not in the map is left unstated.
pub(crate) type UsageIntents = BTreeMap<Usage, UsageIntent>;

/// The absence of an intent.
pub(crate) static UNSTATED: UsageIntent = UsageIntent { outcome: Outcome::Unstated, conditions: Vec::new() };

impl UsageIntent {
    /// Returns the intent that an explanation expresses.
    pub(crate) fn of(explanation: Explanation<'_>) -> Self {
        Self { outcome: explanation.decision.outcome, conditions: explanation.conditions }
    }

    /// Returns how restrictive the intent is: 0 for no restriction, [`CONDITIONAL`], or 2 for a prohibition.
    pub(crate) fn severity(&self) -> u8 {
        match self.outcome {
            Outcome::Permitted | Outcome::Unstated => 0,
            Outcome::Conditional => CONDITIONAL,
            Outcome::Prohibited => 2,
        }
    }

    /// Returns whether both intents have the same outcome and conditions.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.outcome == other.outcome && are_same(&self.conditions, &other.conditions)
    }
}

/// The severity of a conditional outcome.
pub(crate) const CONDITIONAL: u8 = 1;

/// Returns whether two lists of conditions are the same. A date equals the end of its day (S-08).
pub(crate) fn are_same(one: &[Condition], other: &[Condition]) -> bool {
    let plain = |conditions: &[Condition]| {
        let mut plain: Vec<Condition> = conditions
            .iter()
            .map(|condition| match condition {
                Condition::TimeLimit(TimeLimit::UntilDate(end)) => Condition::TimeLimit(TimeLimit::Until(*end)),
                other => other.clone(),
            })
            .collect();
        plain.sort();
        plain
    };
    plain(one) == plain(other)
}
