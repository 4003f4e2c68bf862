//! Searches a page for words, ignoring case, at many positions at a time.

use super::Decoded;
use wide::u8x16;

/// Returns whether a page contains a word, ignoring case. `word` must be in lower case.
pub(crate) fn has_word(page: &Decoded<'_>, word: &str) -> bool {
    Needle::new(word).is_none_or(|needle| needle.is_in(page.text()))
}

/// A word to search for, ignoring case. The search first compares three of its bytes that are rare in pages.
#[derive(Clone, Debug)]
pub(crate) struct Needle {
    /// The word in lower case.
    pub(crate) word: Vec<u8>,
    rare: [(usize, u8); 3],
}

impl Needle {
    /// The number of positions that are compared at once.
    const PLACES: usize = 64;

    /// Returns a needle for a word with at least three ASCII characters.
    pub(crate) fn new(word: &str) -> Option<Self> {
        // From the most common bytes to the rarest. Bytes that are not listed are even rarer.
        const COMMON: &[u8] = b"etaisornlcdp-mhu0gf1b2v";
        let commonness = |byte: u8| COMMON.iter().rev().position(|known| *known == byte).map_or(0, |place| place + 1);
        let mut rare: Vec<(usize, u8)> = word.bytes().enumerate().collect();
        rare.sort_by_key(|(_, byte)| commonness(*byte));
        rare.first_chunk().map(|rare| Self { word: word.as_bytes().to_vec(), rare: *rare })
    }

    pub(crate) fn is_in(&self, text: &[u8]) -> bool {
        self.any_in(text, |_| true)
    }

    /// Returns whether the word is at any position that `check` accepts.
    pub(crate) fn any_in(&self, text: &[u8], check: impl Fn(usize) -> bool) -> bool {
        let Some(last) = text.len().checked_sub(self.word.len()) else { return false };
        let starts_at = |at: usize| {
            let written = text.get(at..at + self.word.len());
            written.is_some_and(|written| written.eq_ignore_ascii_case(&self.word)) && check(at)
        };
        // Each rare byte is `by` bytes after the start of the word, so its slice begins `by` bytes after the start of
        // the text.
        let [one, two, three] = self.rare.map(|(by, byte)| {
            let further = text.get(by..=last + by).unwrap_or_default();
            (further.as_chunks::<{ Self::PLACES }>().0, u8x16::splat(byte))
        });
        let places = one.0.iter().zip(two.0).zip(three.0).enumerate();
        for (number, ((ones, twos), threes)) in places {
            if has_all([(ones, one.1), (twos, two.1), (threes, three.1)]) {
                let first = number * Self::PLACES;
                if (first..first + Self::PLACES).any(starts_at) {
                    return true;
                }
            }
        }
        let rest = (last + 1) / Self::PLACES * Self::PLACES;
        (rest..=last).any(starts_at)
    }
}

/// Returns whether all three bytes match at the same position, ignoring case.
#[inline(always)]
fn has_all([one, two, three]: [(&[u8; Needle::PLACES], u8x16); 3]) -> bool {
    // Setting bit 0x20 converts letters to lower case, and never turns another byte into a letter.
    let is = |lanes: &[u8; 16], byte: u8x16| (u8x16::new(*lanes) | u8x16::splat(0x20)).simd_eq(byte);
    let lanes = one.0.as_chunks::<16>().0.iter().zip(two.0.as_chunks::<16>().0).zip(three.0.as_chunks::<16>().0);
    let all = lanes.map(|((ones, twos), threes)| is(ones, one.1) & is(twos, two.1) & is(threes, three.1));
    all.fold(u8x16::splat(0), |any, all| any | all).to_bitmask() != 0
}
