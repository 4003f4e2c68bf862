//! How much work one comparison may be, whatever the files are.

use crate::crawler_classes::CrawlerClass;
use crate::regions::{ApplicablePattern, Regions, Space, Ties, WalkLimit, Wanted, regions};
use std::cell::Cell;

/// What is left to be spent, on walks over paths and on questions.
pub(crate) struct Budget {
    /// The most for one walk.
    of_one: WalkLimit,
    states: Cell<usize>,
    steps: Cell<usize>,
    questions: Cell<usize>,
    /// Whether a walk came to its bound.
    is_unproven: Cell<bool>,
}

impl Budget {
    /// The usual one. `most` bounds each walk.
    pub(crate) fn new(most: WalkLimit) -> Self {
        Self::of(most, usize::MAX)
    }

    /// That of a conversion, which walks several times for each of its audiences.
    pub(crate) fn of_conversion() -> Self {
        Self::of(WalkLimit { states: 10_000, steps: 1_000_000 }, 100_000)
    }

    fn of(of_one: WalkLimit, states: usize) -> Self {
        let [states, steps, questions] = [states, MAX_STEPS, MAX_QUESTIONS].map(Cell::new);
        Self { of_one, states, steps, questions, is_unproven: Cell::new(false) }
    }

    /// Walks over a space, as far as there is something left. Once a walk came to its bound the whole is not proven, and
    /// others are not worth as much.
    pub(crate) fn walk(&self, space: &Space, patterns: &[ApplicablePattern], ties: Ties, wanted: Wanted) -> Regions {
        let part = if self.is_unproven.get() { REDUCED_SHARE } else { 1 };
        let WalkLimit { states, steps } = self.of_one;
        let most =
            WalkLimit { states: (states / part).min(self.states.get()), steps: (steps / part).min(self.steps.get()) };
        let walked = regions(space, patterns, ties, wanted, most);
        self.states.set(self.states.get().saturating_sub(walked.states));
        self.steps.set(self.steps.get().saturating_sub(walked.steps));
        self.is_unproven.set(self.is_unproven.get() || !walked.is_exact);
        walked
    }

    /// Whether one more question about a class of crawler may be asked. Deciding looks at every field and preference that
    /// addresses it.
    pub(crate) fn takes_question(&self, class: &CrawlerClass) -> bool {
        let fields: usize = class.applicable.iter().map(|one| one.fields.len() + one.preferences.len()).sum();
        let left = self.questions.get().checked_sub(1 + fields / FIELDS_PER_QUESTION);
        self.questions.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// What a walk may be after one that came to its bound, as a part of the whole.
const REDUCED_SHARE: usize = 8;
/// Steps of all walks of one comparison together.
const MAX_STEPS: usize = 200_000_000;
/// Questions of one comparison, each asked of every policy.
const MAX_QUESTIONS: usize = 1_000_000;
/// So many fields cost as much as a question without any.
const FIELDS_PER_QUESTION: usize = 16;
