//! One operation on one shape: its cost at three sizes, and whether the cost is linear or within a bound.

use crate::counters::Count;
use crate::shapes::{Bound, Shape};
use std::fmt;

/// When the input doubles, the cost of a linear operation may grow by at most this factor. It is more than 2 because
/// sorting is allowed.
const MOST_GROWTH: f64 = 2.3;
/// Operations with fewer steps than this at the largest size are not checked.
const FEW_STEPS: u64 = 5_000;
/// Operations that allocate fewer bytes than this at the largest size are not checked.
const FEW_BYTES: u64 = 500_000;

/// One operation on one shape.
pub struct Row {
    pub shape: String,
    pub operation: String,
    counts: [Count; 3],
    /// The bound of the operation, if it is not linear.
    bound: Option<Bound>,
}

impl Row {
    /// Returns the heading of the table.
    pub fn heading() -> String {
        format!("{:58} {:42} {:>12}  {:6}  {:6}  memory  bound", "shape", "operation", "steps at n", "at 2n", "at 4n")
    }

    /// Returns the cost of every operation on a shape.
    pub fn of(shape: &Shape) -> Vec<Self> {
        let inputs = [1, 2, 4].map(|times| (shape.make)(shape.size * times));
        let [first, second, third] = [0, 1, 2].map(|n| inputs[n].operations());
        let rows = first.into_iter().zip(second).zip(third);
        rows.map(|(((operation, first), (_, second)), (_, third))| {
            let bound = shape.bound(&operation);
            Self { shape: shape.name.clone(), operation, counts: [first, second, third], bound }
        })
        .collect()
    }

    /// Returns whether the operation is linear or within its bound.
    pub fn is_kept(&self) -> bool {
        let [_, _, largest] = self.counts;
        match self.bound {
            Some(Bound { growth, most, .. }) => self.growth() <= growth && largest.steps <= most,
            None => self.growth() <= MOST_GROWTH,
        }
    }

    /// Returns the growth of steps or of memory when the input doubles, whichever is larger. Each is the average of two
    /// doublings, because a buffer that grows in jumps, or work that starts only at some size, may cause one jump. For
    /// steps, the result is at least the growth in the second doubling.
    pub fn growth(&self) -> f64 {
        let [first, last] = self.steps_grown();
        last.max((first * last).sqrt()).max(self.memory_grown())
    }

    /// Returns the growth of steps in each of the two doublings.
    fn steps_grown(&self) -> [f64; 2] {
        let [first, second, third] = self.counts.map(|count| count.steps);
        if third < FEW_STEPS {
            return [0.0; 2];
        }
        [(first, second), (second, third)].map(|(less, more)| more as f64 / less.max(1) as f64)
    }

    fn memory_grown(&self) -> f64 {
        let [first, _, third] = self.counts.map(|count| count.bytes);
        if third < FEW_BYTES { 0.0 } else { (third as f64 / first.max(1) as f64).sqrt() }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape, operation, counts: [first, ..], .. } = self;
        let ([second, third], memory) = (self.steps_grown(), self.memory_grown());
        let bound = match self.bound {
            Some(Bound { growth, most: u64::MAX, because }) => format!("x{growth} ({because})"),
            Some(Bound { most, because, .. }) => format!("{} of {most} ({because})", self.counts[2].steps),
            None => format!("x{MOST_GROWTH}"),
        };
        let verdict = if self.is_kept() { "" } else { "  NOT KEPT" };
        write!(
            formatter,
            "{shape:58} {operation:42} {:>12}  x{second:5.2}  x{third:5.2}  x{memory:5.2}  {bound}{verdict}",
            first.steps
        )
    }
}
