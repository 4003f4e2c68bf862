//! Keys: what can be told of a rule without looking at its pattern.
//!
//! A fixed rule's key holds the seven octets after the initial `/`, in reading order, and in its lowest
//! byte how many of them do not count. A floating rule's key is the set of octets a path must contain.

/// The octets of a path that keys are compared with.
#[inline(always)]
pub(crate) fn of_path(path: &[u8], skip: usize) -> u64 {
    octets(path, skip)
}

/// The key of a pattern that begins with `length` literal octets.
#[inline(always)]
pub(crate) fn of_literal(pattern: &[u8], length: usize, skip: usize) -> u64 {
    let counted = length.saturating_sub(skip).min(7);
    let shift = 8 * (7 - counted) as u32;
    (((octets(pattern, skip) >> 8) >> shift) << shift) << 8 | u64::from(shift)
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

/// Whether a path with these octets can begin as the pattern of this key does.
#[inline(always)]
pub(crate) fn agrees(key: u64, path: u64) -> bool {
    ((key ^ path) >> 8) >> (key & 63) == 0
}

/// The octets of a key in the order of their patterns.
#[inline(always)]
pub(crate) fn order(key: u64) -> u64 {
    key >> 8
}

/// The set of octets of `bytes`: a bit may stand for several, a missing bit for none.
#[inline]
pub(crate) fn set_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |set, &byte| set | bit_of(byte))
}

/// Octets that every path matching this pattern contains: those of its first few.
#[inline]
pub(crate) fn required(pattern: &[u8], wildcard: u8) -> u64 {
    const FEW: usize = 40;
    let first = pattern.iter().take(FEW);
    first.fold(0, |set, &byte| set | if byte == wildcard { 0 } else { bit_of(byte) })
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
