//! A pattern as an automaton, which moves to the next position with each octet of a text.
//!
//! Each piece between wildcards is matched at the leftmost possible place, as in the engine. The leftmost place is
//! always sufficient, so the state is one position in one piece. The automaton is therefore deterministic, and has
//! about as many states as the pattern has octets. Within a piece, it works like the algorithm of Knuth, Morris and
//! Pratt.

use byleave::analysis::ComparablePattern;

/// A pattern that can be matched one octet at a time.
pub(super) struct Automaton {
    /// The pieces between wildcards, in order. The first piece must be at the beginning of the text.
    pieces: Vec<Piece>,
    is_anchored: bool,
}

struct Piece {
    octets: Vec<u8>,
    /// For each number of matched octets, the number that remains matched if the next octet differs.
    fails: Vec<u32>,
}

/// A position in a pattern: the current piece, and the number of its octets that have matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PatternPosition {
    pub(super) piece: u32,
    pub(super) octets: u32,
}

/// The result of advancing a pattern by one octet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The pattern can no longer match.
    Dead,
    /// The pattern matches, whatever follows.
    Matched,
    /// The pattern may still match.
    At(PatternPosition),
}

impl Automaton {
    pub(super) fn of(pattern: &ComparablePattern) -> Self {
        let mut pieces: Vec<Piece> = pattern.pieces().map(Piece::of).collect();
        // Consecutive wildcards are equivalent to one.
        let last = pieces.len().saturating_sub(1);
        let mut number = 0;
        pieces.retain(|piece| {
            let is_end = number == 0 || number == last;
            number += 1;
            is_end || !piece.octets.is_empty()
        });
        Self { pieces, is_anchored: pattern.is_anchored() }
    }

    /// Returns the position before the first octet.
    pub(super) fn start(&self) -> Step {
        self.settle(PatternPosition { piece: 0, octets: 0 })
    }

    /// Returns the position after an octet. If the pattern ignores case, the octet must be lower case.
    pub(super) fn step(&self, place: PatternPosition, octet: u8) -> Step {
        let Some(piece) = self.pieces.get(place.piece as usize) else { return Step::Dead };
        if place.piece == 0 {
            let agrees = piece.octets.get(place.octets as usize) == Some(&octet);
            return if agrees {
                self.settle(PatternPosition { octets: place.octets + 1, ..place })
            } else {
                Step::Dead
            };
        }
        let mut octets = place.octets;
        loop {
            if piece.octets.get(octets as usize) == Some(&octet) {
                return self.settle(PatternPosition { octets: octets + 1, ..place });
            }
            match piece.fails.get(octets as usize) {
                Some(fewer) if octets > 0 => octets = *fewer,
                _ => return Step::At(PatternPosition { octets: 0, ..place }),
            }
        }
    }

    /// Moves to the next piece while the current piece is complete.
    fn settle(&self, place: PatternPosition) -> Step {
        let mut place = place;
        loop {
            let Some(piece) = self.pieces.get(place.piece as usize) else { return Step::Dead };
            let is_complete = place.octets as usize == piece.octets.len();
            let is_last = place.piece as usize + 1 == self.pieces.len();
            // If the last piece is empty, the wildcard before it matches any end.
            let is_free = place.piece > 0 && piece.octets.is_empty();
            match (is_complete, is_last) {
                (false, _) => return Step::At(place),
                (true, true) if self.is_anchored && !is_free => return Step::At(place),
                (true, true) => return Step::Matched,
                (true, false) => place = PatternPosition { piece: place.piece + 1, octets: 0 },
            }
        }
    }

    /// Returns whether the pattern matches a text that ends at this position.
    pub(super) fn accepts(&self, place: PatternPosition) -> bool {
        let is_last = place.piece as usize + 1 == self.pieces.len();
        let piece = self.pieces.get(place.piece as usize);
        self.is_anchored && is_last && piece.is_some_and(|piece| place.octets as usize == piece.octets.len())
    }

    /// For a position before the first wildcard, returns the only octet with which the pattern can continue, or the
    /// inner `None` if it cannot continue. For a position after a wildcard, returns the outer `None`.
    pub(super) fn only(&self, place: PatternPosition) -> Option<Option<u8>> {
        (place.piece == 0)
            .then(|| self.pieces.first().and_then(|piece| piece.octets.get(place.octets as usize)).copied())
    }

    /// For a position after a wildcard, calls `visit` with each octet that the pattern distinguishes from other octets.
    pub(super) fn each_expected(&self, place: PatternPosition, mut visit: impl FnMut(u8)) {
        let Some(piece) = self.pieces.get(place.piece as usize) else { return };
        let mut octets = place.octets;
        loop {
            if let Some(octet) = piece.octets.get(octets as usize) {
                visit(*octet);
            }
            match piece.fails.get(octets as usize) {
                Some(fewer) if octets > 0 => octets = *fewer,
                _ => return,
            }
        }
    }
}

impl Piece {
    fn of(octets: &[u8]) -> Self {
        // fails[n]: the length of the longest proper suffix of the first n octets that is also their prefix.
        let mut fails = vec![0u32; octets.len() + 1];
        let mut known = 0u32;
        for (number, octet) in octets.iter().enumerate().skip(1) {
            while known > 0 && octets.get(known as usize) != Some(octet) {
                known = fails.get(known as usize).copied().unwrap_or(0);
            }
            if octets.get(known as usize) == Some(octet) {
                known += 1;
            }
            if let Some(place) = fails.get_mut(number + 1) {
                *place = known;
            }
        }
        Self { octets: octets.to_vec(), fails }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop where it fails")]
mod tests {
    use super::*;
    use byleave::{Crawler, Reading, Site};
    use proptest::prelude::*;

    fn matches(automaton: &Automaton, text: &[u8]) -> bool {
        let mut step = automaton.start();
        for octet in text {
            match step {
                Step::At(place) => step = automaton.step(place, *octet),
                Step::Dead | Step::Matched => break,
            }
        }
        match step {
            Step::Matched => true,
            Step::Dead => false,
            Step::At(place) => automaton.accepts(place),
        }
    }

    proptest! {
        /// Law: an automaton matches the same texts as the engine.
        #[test]
        fn s19_it_matches_what_the_engine_matches(
            pattern in "[/*][ab*]{0,7}[$]?",
            texts in prop::collection::vec("/[ab]{0,9}", 1..20),
        ) {
            let robots_txt = format!("User-agent: *\nDisallow: {pattern}\n");
            let evidence = Site::of_robots_txt(robots_txt.as_bytes(), Reading::Default);
            for rule in evidence.applicable_to(&Crawler::named("a")).rules {
                let automaton = Automaton::of(&rule.pattern);
                for text in &texts {
                    prop_assert_eq!(matches(&automaton, text.as_bytes()), rule.pattern.matches(text.as_bytes()));
                }
            }
        }
    }
}
