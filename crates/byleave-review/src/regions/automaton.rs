//! One pattern as an automaton: where it stands after each octet of a text.
//!
//! Taking the leftmost place for each piece is exact (the engine matches so), and so one place in one piece is all
//! there is to know: the automaton is deterministic, and its states are as many as the pattern has octets. Within a
//! piece it goes on as Knuth, Morris and Pratt do.

use byleave::ComparablePattern;

/// A pattern, ready to be stepped through.
pub(super) struct Automaton {
    /// What begins the text, what must follow in this order, and what is last.
    pieces: Vec<Piece>,
    is_anchored: bool,
}

struct Piece {
    octets: Vec<u8>,
    /// For each number of octets that agree, how many still do if the next one does not.
    fails: Vec<u32>,
}

/// How far a pattern has come: which piece is next, and how many of its octets are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PatternPosition {
    pub(super) piece: u32,
    pub(super) octets: u32,
}

/// What an octet makes of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It cannot match any more.
    Dead,
    /// It matches, whatever follows.
    Matched,
    /// It may yet match.
    At(PatternPosition),
}

impl Automaton {
    pub(super) fn of(pattern: &ComparablePattern) -> Self {
        let mut pieces: Vec<Piece> = pattern.pieces().map(Piece::of).collect();
        // Of several wildcards in a row one will do.
        let last = pieces.len().saturating_sub(1);
        let mut number = 0;
        pieces.retain(|piece| {
            let is_end = number == 0 || number == last;
            number += 1;
            is_end || !piece.octets.is_empty()
        });
        Self { pieces, is_anchored: pattern.is_anchored() }
    }

    /// Where it stands before the first octet.
    pub(super) fn start(&self) -> Step {
        self.settle(PatternPosition { piece: 0, octets: 0 })
    }

    /// Where an octet leads from a place. Where the pattern ignores case, it is a small one.
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

    /// Goes on to the next piece where one is complete.
    fn settle(&self, place: PatternPosition) -> Step {
        let mut place = place;
        loop {
            let Some(piece) = self.pieces.get(place.piece as usize) else { return Step::Dead };
            let is_complete = place.octets as usize == piece.octets.len();
            let is_last = place.piece as usize + 1 == self.pieces.len();
            // Where a wildcard stands before an empty end, anything may end it.
            let is_free = place.piece > 0 && piece.octets.is_empty();
            match (is_complete, is_last) {
                (false, _) => return Step::At(place),
                (true, true) if self.is_anchored && !is_free => return Step::At(place),
                (true, true) => return Step::Matched,
                (true, false) => place = PatternPosition { piece: place.piece + 1, octets: 0 },
            }
        }
    }

    /// Whether a text that ends at this place is matched.
    pub(super) fn accepts(&self, place: PatternPosition) -> bool {
        let is_last = place.piece as usize + 1 == self.pieces.len();
        let piece = self.pieces.get(place.piece as usize);
        self.is_anchored && is_last && piece.is_some_and(|piece| place.octets as usize == piece.octets.len())
    }

    /// The one octet with which it goes on from a place before its first wildcard; nothing behind that.
    pub(super) fn only(&self, place: PatternPosition) -> Option<Option<u8>> {
        (place.piece == 0)
            .then(|| self.pieces.first().and_then(|piece| piece.octets.get(place.octets as usize)).copied())
    }

    /// Calls `visit` with each octet that leads to another place than a stranger does, from behind a wildcard.
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
        // fails[n]: how long the longest end of the first n octets is that also begins them, all n aside.
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
    use byleave::{Crawler, Evidence, Reading};
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
        /// An automaton says of every text what the engine's own matching says.
        #[test]
        fn s19_it_matches_what_the_engine_matches(
            pattern in "[/*][ab*]{0,7}[$]?",
            texts in prop::collection::vec("/[ab]{0,9}", 1..20),
        ) {
            let robots_txt = format!("User-agent: *\nDisallow: {pattern}\n");
            let evidence = Evidence::of_robots_txt(robots_txt.as_bytes(), Reading::Default);
            for rule in evidence.bearing_on(&Crawler::named("a")).rules {
                let automaton = Automaton::of(&rule.pattern);
                for text in &texts {
                    prop_assert_eq!(matches(&automaton, text.as_bytes()), rule.pattern.matches(text.as_bytes()));
                }
            }
        }
    }
}
