//! How much work one comparison may be, whatever the files are.

use crate::kinds::CrawlerKind;
use crate::regions::{Bearer, Most, Regions, Space, Ties, Wanted, regions};
use std::cell::Cell;

/// What is left to be spent, on walks over paths and on questions.
pub(crate) struct Budget {
    most: Most,
    steps: Cell<usize>,
    questions: Cell<usize>,
}

impl Budget {
    /// The usual one. `most` bounds each walk.
    pub(crate) fn new(most: Most) -> Self {
        Self { most, steps: Cell::new(MOST_STEPS), questions: Cell::new(MOST_QUESTIONS) }
    }

    /// Walks over a space, as far as there is something left.
    pub(crate) fn walk(&self, space: &Space, bearers: &[Bearer], ties: Ties, wanted: Wanted) -> Regions {
        let most = Most { steps: self.most.steps.min(self.steps.get()), ..self.most };
        let walked = regions(space, bearers, ties, wanted, most);
        self.steps.set(self.steps.get().saturating_sub(walked.steps));
        walked
    }

    /// Whether one more question about a kind of crawler may be asked. Deciding looks at every field that addresses it.
    pub(crate) fn takes_question(&self, kind: &CrawlerKind) -> bool {
        let fields: usize = kind.bearings.iter().map(|bearing| bearing.fields.len()).sum();
        let left = self.questions.get().checked_sub(1 + fields / FIELDS);
        self.questions.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// Steps of all walks of one comparison together.
const MOST_STEPS: usize = 200_000_000;
/// Questions of one comparison, each asked of every policy.
const MOST_QUESTIONS: usize = 1_000_000;
/// So many fields cost as much as a question without any.
const FIELDS: usize = 16;
