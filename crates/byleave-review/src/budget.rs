//! Limits the work of one comparison, for any input.
//!
//! A budget is shared by all walks over paths and all questions to the engine. When it runs out, the result is marked
//! as not proven.

use crate::crawler_classes::CrawlerClass;
use crate::regions::{ApplicablePattern, Regions, Space, Ties, WalkLimit, Wanted, regions};
use std::cell::Cell;

/// How much work comparisons may still do, in walks over paths and in questions to the engine.
#[derive(Debug)]
pub struct Budget {
    /// The limit for a single walk.
    per_walk: WalkLimit,
    states: Cell<usize>,
    steps: Cell<usize>,
    questions: Cell<usize>,
    /// Whether a walk has reached its limit.
    is_unproven: Cell<bool>,
}

impl Budget {
    /// Returns the usual budget. Each walk is limited to `most`.
    pub(crate) fn new(most: WalkLimit) -> Self {
        Self::of(most, usize::MAX, MAX_STEPS, MAX_QUESTIONS)
    }

    /// Returns the budget for a conversion, which walks several times per audience.
    pub(crate) fn of_conversion() -> Self {
        Self::of(
            WalkLimit { states: 10_000, steps: 1_000_000, probes: WalkLimit::DEFAULT.probes },
            100_000,
            MAX_STEPS,
            MAX_QUESTIONS,
        )
    }

    /// Returns a shared budget for many small comparisons. It allows this many states, the same number of questions,
    /// and twenty times as many steps.
    #[must_use]
    pub fn of_states(states: usize) -> Self {
        Self::of(WalkLimit { states: 10_000, steps: 200_000, probes: 0 }, states, states.saturating_mul(20), states)
    }

    fn of(per_walk: WalkLimit, states: usize, steps: usize, questions: usize) -> Self {
        let [states, steps, questions] = [states, steps, questions].map(Cell::new);
        Self { per_walk, states, steps, questions, is_unproven: Cell::new(false) }
    }

    /// Walks over a space within the remaining budget. Once a walk has reached its limit, the result cannot be proven
    /// any more, so later walks get a smaller share.
    pub(crate) fn walk(&self, space: &Space, patterns: &[ApplicablePattern], ties: Ties, wanted: Wanted) -> Regions {
        let part = if self.is_unproven.get() { REDUCED_SHARE } else { 1 };
        let WalkLimit { states, steps, probes } = self.per_walk;
        let (states, steps) = ((states / part).min(self.states.get()), (steps / part).min(self.steps.get()));
        let walked = regions(space, patterns, ties, wanted, WalkLimit { states, steps, probes });
        self.states.set(self.states.get().saturating_sub(walked.states));
        self.steps.set(self.steps.get().saturating_sub(walked.steps));
        self.is_unproven.set(self.is_unproven.get() || !walked.is_exact);
        walked
    }

    /// Takes steps from the budget. Returns whether enough steps were left.
    pub(crate) fn takes_steps(&self, count: usize) -> bool {
        let left = self.steps.get().checked_sub(count);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Takes one question about a class of crawlers from the budget. Returns whether the question may be asked. A
    /// decision examines every field and preference that addresses the crawler, so these are charged too.
    pub(crate) fn takes_question(&self, class: &CrawlerClass) -> bool {
        let fields: usize = class.applicable.iter().map(|one| one.fields.len() + one.preferences.len()).sum();
        let left = self.questions.get().checked_sub(1 + fields / FIELDS_PER_QUESTION);
        self.questions.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// After a walk has reached its limit, the limit of each later walk is divided by this number.
const REDUCED_SHARE: usize = 8;
/// The maximum number of steps, for all walks of one comparison together.
const MAX_STEPS: usize = 200_000_000;
/// The maximum number of questions in one comparison. Each question is asked of every policy.
const MAX_QUESTIONS: usize = 1_000_000;
/// This many fields cost as much as a question without fields.
const FIELDS_PER_QUESTION: usize = 16;
