//! An index of the grams in a path, for paths that share grams with hundreds of rules.
//!
//! An adversarial URL can contain a gram of every rule, so that filtering by grams excludes no rule. With this index,
//! looking up a piece of a pattern by its first octets takes a few steps instead of a search over the path. All memory
//! is on the stack. The part of a long path that does not fit is searched without the index.

use crate::dialects::rfc9309::pattern;

/// The positions of the four-octet and eight-octet grams in a path.
pub(super) struct Occurrences {
    four: Chains,
    eight: Chains,
}

/// Chains of positions in ascending order, one chain for each hash of a gram.
struct Chains {
    /// The first position with each hash, plus one, or 0 if there is none.
    heads: [u16; HEADS],
    /// For each position, the next position with the same hash, plus one, or 0 if there is none.
    nexts: [u16; PLACES],
}

/// The number of indexed positions. The rest of a longer path is searched without the index.
const PLACES: usize = 4096;
const HEADS: usize = 4096;
/// How many positions in a chain are tried before the path is searched without the index.
const STEPS: usize = 24;

impl Occurrences {
    /// Indexes a path.
    ///
    /// Cost: O(path), with two short steps per octet.
    pub(super) fn of(path: &[u8]) -> Self {
        let empty = || Chains { heads: [0; HEADS], nexts: [0; PLACES] };
        let mut occurrences = Self { four: empty(), eight: empty() };
        let indexed = path.get(..PLACES.min(path.len())).unwrap_or(path);
        for (place, gram) in indexed.windows(4).enumerate().rev() {
            occurrences.four.push(hash_four(gram), place);
        }
        for (place, gram) in indexed.windows(8).enumerate().rev() {
            occurrences.eight.push(hash_eight(gram), place);
        }
        occurrences
    }

    /// Returns the first position of `piece` (a part of a pattern between wildcards) in `path` at or after `from`.
    pub(super) fn find(&self, piece: &[u8], path: &[u8], from: usize) -> Option<usize> {
        let (chain, is_missing) = match (piece.last_chunk::<8>(), piece.last_chunk::<4>()) {
            (Some(last), _) => (self.eight.places(hash_eight(piece)), self.eight.lacks(hash_eight(last), last, path)),
            (None, Some(last)) => (self.four.places(hash_four(piece)), self.four.lacks(hash_four(last), last, path)),
            (None, None) => return pattern::find(piece, path, from),
        };
        // The chain of the first gram is skipped if the last gram does not occur, because the piece then does not occur
        // either.
        if is_missing {
            return None;
        }
        let mut steps = 0;
        for place in chain {
            if place >= from && path.get(place..).is_some_and(|rest| rest.starts_with(piece)) {
                return Some(place);
            }
            steps += 1;
            if steps == STEPS {
                return pattern::find(piece, path, from.max(place + 1).min(path.len()));
            }
        }
        // The piece is not in the indexed part. Search the unindexed rest of a long path.
        let unindexed = PLACES.saturating_sub(8);
        if path.len() > PLACES { pattern::find(piece, path, from.max(unindexed)) } else { None }
    }
}

impl Chains {
    fn push(&mut self, hash: usize, place: usize) {
        if let (Some(head), Some(next)) = (self.heads.get_mut(hash), self.nexts.get_mut(place)) {
            *next = *head;
            *head = place as u16 + 1;
        }
    }

    /// Whether `gram` certainly does not occur in `path`.
    fn lacks(&self, hash: usize, gram: &[u8], path: &[u8]) -> bool {
        let is_here = |place: usize| path.get(place..).is_some_and(|rest| rest.starts_with(gram));
        let mut places = self.places(hash);
        path.len() <= PLACES && !places.by_ref().take(STEPS).any(is_here) && places.next().is_none()
    }

    fn places(&self, hash: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.heads.get(hash).copied().unwrap_or(0);
        let place = |next: u16| usize::from(next).checked_sub(1);
        std::iter::successors(place(first), move |at| self.nexts.get(*at).copied().and_then(place))
    }
}

fn hash_four(gram: &[u8]) -> usize {
    let octets = gram.first_chunk::<4>().map_or(0, |octets| u32::from_le_bytes(*octets));
    octets.wrapping_mul(0x9E37_79B1) as usize >> 20
}

fn hash_eight(gram: &[u8]) -> usize {
    let octets = gram.first_chunk::<8>().map_or(0, |octets| u64::from_le_bytes(*octets));
    (octets.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}

/// The set of buckets that were visited, among the first 65,536. A later bucket may be visited again, which costs only
/// time.
pub(super) struct Seen {
    bits: [u64; 1024],
}

impl Seen {
    pub(super) fn new() -> Self {
        Self { bits: [0; 1024] }
    }

    /// Adds a bucket to the set. Returns whether the bucket is new.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        match self.bits.get_mut(number / 64) {
            Some(word) => {
                let bit = 1 << (number % 64);
                let is_new = *word & bit == 0;
                *word |= bit;
                is_new
            }
            None => true,
        }
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_the_plain_way_finds() {
        let mut paths: Vec<Vec<u8>> =
            vec![b"/".to_vec(), b"/abcabcabcdefgh".to_vec(), b"/ab".repeat(700), b"/a".repeat(3000)];
        paths.push((0..5000u32).map(|n| b'a' + (n.wrapping_mul(2_654_435_761) >> 30) as u8).collect());
        for path in &paths {
            let occurrences = Occurrences::of(path);
            for length in [1, 2, 3, 4, 5, 7, 8, 9, 20] {
                for start in (0..path.len().saturating_sub(length)).step_by(37) {
                    for from in [0, start / 2, start, start + 1, path.len() - 1, path.len()] {
                        let piece = &path[start..start + length];
                        let expected = pattern::find(piece, path, from);
                        assert_eq!(occurrences.find(piece, path, from), expected, "{length} {start} {from}");
                    }
                }
                assert_eq!(occurrences.find(&b"zyxwvutsrqponmlkjihgf"[..length], path, 0), None);
            }
        }
    }
}
