//! Intents: the outcome and the conditions that written directives or preferences should express for each usage. The
//! same types represent what the written text actually expresses.

use byleave::model::{Condition, TimeLimit};
use byleave::{Explanation, Outcome, Usage};
use std::collections::BTreeMap;

/// The intended outcome for one usage, and its conditions.
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

/// Returns whether two lists contain the same conditions, in any order. A time limit that is a date equals a limit at
/// the end of that day (S-08).
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
