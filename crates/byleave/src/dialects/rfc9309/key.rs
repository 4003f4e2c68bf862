//! Keys: eight bytes for each rule. Most rules that do not match a path are excluded by their keys, without examining
//! their patterns.
//!
//! A floating rule has a pattern that begins with `*` or `/*`. All other rules are fixed. The key of a fixed rule holds
//! the seven octets after the initial `/`, with the first octet in the highest byte. The lowest byte states how many of
//! these octets count. Octets that do not count are zero. For example, the key of `/ab*c` holds `ab` and the count 2.
//! The key of a floating rule is a set of octets that a path must contain, stored as bits.

/// Every key that a fixed rule can have if it matches a path: one key for each number of octets that count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathKeys([u64; 8]);

impl PathKeys {
    /// Returns the keys for a path, without its first `skip` octets.
    #[inline(always)]
    pub(crate) fn of(path: &[u8], skip: usize) -> Self {
        let octets = octets(path, skip);
        let mut keys = [0; 8];
        for (count, key) in keys.iter_mut().enumerate() {
            *key = masked(octets, count);
        }
        Self(keys)
    }

    /// Returns the bit for the path's start, as in [`start_bits`].
    #[inline(always)]
    pub(crate) fn start_bit(&self) -> u64 {
        self.0.last().map_or(0, |key| start_bit(*key))
    }

    /// Whether the path begins with the octets in this key. If not, the rule with this key cannot match the path.
    #[inline(always)]
    pub(crate) fn agree(&self, key: u64) -> bool {
        self.0.get(key as usize & 7) == Some(&key)
    }
}

/// How many octets a key holds.
pub(crate) const OCTETS: usize = 7;

/// Whether the octets in the key `second` begin with the octets in the key `first`. If not, the first pattern is not a
/// prefix of the second pattern.
#[inline(always)]
pub(crate) fn agree(first: u64, second: u64) -> bool {
    masked(second & !0xFF, first as usize & 7) == first
}

/// Whether a key contains all literal octets at the start of its pattern.
#[inline(always)]
pub(crate) fn is_whole(key: u64) -> bool {
    (key as usize & 7) < OCTETS
}

/// Returns the starts of the paths that a fixed rule can match, as a set of bits. The start of a path is the two octets
/// after the `/`. The set has one bit, or all bits if the key has fewer than two octets.
#[inline(always)]
pub(crate) fn start_bits(key: u64) -> u64 {
    if key & 7 < 2 { u64::MAX } else { start_bit(key) }
}

/// Returns the bit for a path's start. Different starts can share a bit.
#[inline(always)]
fn start_bit(octets: u64) -> u64 {
    1 << ((octets >> 56 ^ (octets >> 48 & 0xFF) << 3) & 63)
}

/// Returns the path's octets as a number that can be compared with the results of [`order`].
#[inline(always)]
pub(crate) fn order_of_path(path: &[u8], skip: usize) -> u64 {
    order(octets(path, skip))
}

/// Returns the key for a pattern that begins with `length` literal octets.
#[inline(always)]
pub(crate) fn of_literal(pattern: &[u8], length: usize, skip: usize) -> u64 {
    masked(octets(pattern, skip), length.saturating_sub(skip).min(7))
}

/// Returns the first `count` of seven octets, with `count` in the lowest byte.
#[inline(always)]
fn masked(octets: u64, count: usize) -> u64 {
    let shift = 8 * (8 - count as u32);
    octets.checked_shr(shift).map_or(0, |high| high << shift) | count as u64
}

/// Returns eight octets of a pattern, starting at `from`, with the first octet in the highest byte and zeros after the
/// pattern's end.
#[inline]
pub(crate) fn eight_octets(pattern: &[u8], from: usize) -> u64 {
    let rest = pattern.get(from..).unwrap_or_default();
    match rest.first_chunk::<8>() {
        Some(chunk) => u64::from_be_bytes(*chunk),
        None => rest.iter().enumerate().fold(0, |octets, (n, byte)| octets | u64::from(*byte) << (56 - 8 * n)),
    }
}

/// Returns a key's octets as a number. The numbers sort in the same order as the patterns.
#[inline(always)]
pub(crate) fn order(key: u64) -> u64 {
    key >> 8
}

/// Returns the set of octets in `bytes`. Several octets share a bit. If a bit is not set, `bytes` contains none of the
/// octets that share this bit.
#[inline]
pub(crate) fn set_of(bytes: &[u8]) -> u64 {
    const LONG: usize = 256;
    if bytes.len() > LONG {
        return set_of_long(bytes);
    }
    bytes.iter().fold(0, |set, &byte| set | bit_of(byte))
}

/// Like [`set_of`], but first records which octets occur. This is faster for many bytes.
#[inline(never)]
fn set_of_long(bytes: &[u8]) -> u64 {
    let mut occurs = [false; 256];
    for byte in bytes {
        if let Some(occurs) = occurs.get_mut(usize::from(*byte)) {
            *occurs = true;
        }
    }
    let found = (0..=u8::MAX).zip(occurs).filter(|(_, occurs)| *occurs);
    found.fold(0, |set, (byte, _)| set | bit_of(byte))
}

/// Returns a set of octets that every matching path contains, taken from the beginning of the pattern. An octet that
/// shares its bit with the wildcard is left out. This makes the filter weaker, but not wrong.
#[inline]
pub(crate) fn required(pattern: &[u8], wildcard: u8) -> u64 {
    const FEW: usize = 40;
    let first = pattern.get(..FEW).unwrap_or(pattern);
    first.iter().fold(0, |set, &byte| set | bit_of(byte)) & !bit_of(wildcard)
}

#[inline(always)]
fn bit_of(byte: u8) -> u64 {
    // Lower-case letters have bits of their own. Capitals share their bits with digits and punctuation.
    1 << ((byte ^ (byte & 0x40) >> 1) & 63)
}

/// Returns seven octets, starting at `skip`, with the first octet in the highest byte, and a zero byte after them.
/// Missing octets are zero.
#[inline(always)]
fn octets(bytes: &[u8], skip: usize) -> u64 {
    let from = bytes.get(skip..).unwrap_or_default();
    match from.first_chunk::<8>() {
        Some(chunk) => u64::from_be_bytes(*chunk) & !0xFF,
        None => short_octets(from),
    }
}

#[inline(never)]
fn short_octets(bytes: &[u8]) -> u64 {
    let mut chunk = [0u8; 8];
    for (to, from) in chunk.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_be_bytes(chunk) & !0xFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_begins_a_path_is_not_passed_over() {
        let paths: [&[u8]; 6] = [b"/", b"/a", b"/ab", b"/abc", b"/abcdefghij", b"/\xFF\x00z"];
        for path in paths {
            for length in 1..=path.len() {
                let key = of_literal(path, length, 1);
                let keys = PathKeys::of(path, 1);
                assert!(keys.agree(key), "{path:?} {length}");
                assert_ne!(start_bits(key) & keys.start_bit(), 0, "{path:?} {length}");
                let longer = PathKeys::of(&[path, b"!x"].concat(), 1);
                assert!(longer.agree(key) && start_bits(key) & longer.start_bit() != 0, "{path:?} {length}");
            }
        }
    }
}
