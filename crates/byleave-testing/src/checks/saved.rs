//! Compares a policy with its copy after loading, and forges serialized policies.

use byleave::Policy;

/// Asserts that two policies have equal rules, positions, names and facts. Serialization must preserve all of these.
pub fn same(policy: &Policy<'_>, other: &Policy<'_>, about: &str) {
    assert_eq!(policy.reading(), other.reading(), "{about}");
    assert_eq!(policy.is_truncated(), other.is_truncated(), "{about}");
    let places = |policy: &Policy<'_>| -> Vec<_> {
        let statements = policy.statements();
        statements
            .iter()
            .map(|one| (one.id, one.modality, one.uninterpretable, one.addressee, one.line, one.column, one.span))
            .collect()
    };
    assert_eq!(places(policy), places(other), "{about}");
}

/// Asserts that two policies have equal names and facts, in the same order.
pub fn same_names(policy: &Policy<'_>, other: &Policy<'_>, about: &str) {
    assert_eq!(policy.crawlers_named(), other.crawlers_named(), "{about}");
    assert_eq!(policy.facts(), other.facts(), "{about}");
}

/// Returns a serialized policy with this body and a valid checksum. The checksum algorithm is a copy of the engine's.
/// The checksum protects against accidents, not against forgery.
pub fn forged(saved: &[u8], body: &[u8]) -> Vec<u8> {
    [&saved[..8], &checksum(body).to_le_bytes(), body].concat()
}

fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31);
    let chunks = bytes.chunks_exact(8);
    let rest = chunks.remainder();
    let sum = chunks.fold(bytes.len() as u64, |sum, chunk| step(sum, u64::from_le_bytes(chunk.try_into().unwrap())));
    rest.iter().fold(sum, |sum, byte| step(sum, u64::from(*byte)))
}
