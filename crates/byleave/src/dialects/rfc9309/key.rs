//! Keys: what can be told of a rule without looking at its pattern.
//!
//! A fixed rule's key holds the seven octets after the initial `/`, in reading order, and in its lowest
//! byte how many of them count; the others are zero. A floating rule's key is the set of octets a path
//! must contain.

/// The keys that rules can have which begin as a path does: one for each number of octets that count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathKeys([u64; 8]);

impl PathKeys {
    /// The keys of a path, past the octets that `skip` leaves out.
    #[inline(always)]
    pub(crate) fn of(path: &[u8], skip: usize) -> Self {
        let octets = octets(path, skip);
        let mut keys = [0; 8];
        for (count, key) in keys.iter_mut().enumerate() {
            *key = masked(octets, count);
        }
        Self(keys)
    }

    /// The bit of the path's start among [`start_bits`].
    #[inline(always)]
    pub(crate) fn start_bit(&self) -> u64 {
        self.0.last().map_or(0, |key| start_bit(*key))
    }

    /// Whether the pattern of this key can begin the path.
    #[inline(always)]
    pub(crate) fn agree(&self, key: u64) -> bool {
        self.0.get(key as usize & 7) == Some(&key)
    }
}

/// How many octets a key holds.
pub(crate) const OCTETS: usize = 7;

/// Whether the pattern of the key `first` can begin the pattern of the key `second`.
#[inline(always)]
pub(crate) fn agree(first: u64, second: u64) -> bool {
    masked(second & !0xFF, first as usize & 7) == first
}

/// Whether a key holds all of its pattern.
#[inline(always)]
pub(crate) fn is_whole(key: u64) -> bool {
    (key as usize & 7) < OCTETS
}

/// Which paths a fixed rule's key can agree with, told by the two octets after the `/`: one bit, or all.
#[inline(always)]
pub(crate) fn start_bits(key: u64) -> u64 {
    if key & 7 < 2 { u64::MAX } else { start_bit(key) }
}

/// The bit of a path's own start.
#[inline(always)]
fn start_bit(octets: u64) -> u64 {
    1 << ((octets >> 56 ^ (octets >> 48 & 0xFF) << 3) & 63)
}

/// The octets of a path in the order of [`order`].
#[inline(always)]
pub(crate) fn order_of_path(path: &[u8], skip: usize) -> u64 {
    order(octets(path, skip))
}

/// The key of a pattern that begins with `length` literal octets.
#[inline(always)]
pub(crate) fn of_literal(pattern: &[u8], length: usize, skip: usize) -> u64 {
    masked(octets(pattern, skip), length.saturating_sub(skip).min(7))
}

/// The first `count` of seven octets, and how many they are.
#[inline(always)]
fn masked(octets: u64, count: usize) -> u64 {
    let shift = 8 * (8 - count as u32);
    octets.checked_shr(shift).map_or(0, |high| high << shift) | count as u64
}

/// The eight octets of a pattern from `from` on, the first one highest; past its end stand zeros.
#[inline]
pub(crate) fn eight_octets(pattern: &[u8], from: usize) -> u64 {
    let rest = pattern.get(from..).unwrap_or_default();
    match rest.first_chunk::<8>() {
        Some(chunk) => u64::from_be_bytes(*chunk),
        None => rest.iter().enumerate().fold(0, |word, (n, byte)| word | u64::from(*byte) << (56 - 8 * n)),
    }
}

/// The octets of a key in the order of their patterns.
#[inline(always)]
pub(crate) fn order(key: u64) -> u64 {
    key >> 8
}

/// The set of octets of `bytes`: a bit may stand for several, a missing bit for none.
#[inline]
pub(crate) fn set_of(bytes: &[u8]) -> u64 {
    const LONG: usize = 256;
    if bytes.len() > LONG {
        return set_of_long(bytes);
    }
    bytes.iter().fold(0, |set, &byte| set | bit_of(byte))
}

/// The same, first noting which octets occur at all, which is quicker an octet.
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

/// Octets that every path matching this pattern contains: those of its first few. An octet that shares the
/// wildcard's bit is left out too, which only makes the set weaker.
#[inline]
pub(crate) fn required(pattern: &[u8], wildcard: u8) -> u64 {
    const FEW: usize = 40;
    let first = pattern.get(..FEW).unwrap_or(pattern);
    first.iter().fold(0, |set, &byte| set | bit_of(byte)) & !bit_of(wildcard)
}

#[inline(always)]
fn bit_of(byte: u8) -> u64 {
    // Small letters get bits of their own; capitals share theirs with digits and marks.
    1 << ((byte ^ (byte & 0x40) >> 1) & 63)
}

/// Seven octets from `skip` on, the first one highest, then an empty byte; past the end stand zeros.
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
