//! Checks that a serialized policy is the same after loading, and forges bytes that look like a serialized policy.

use byleave::Policy;

/// Asserts that everything that serialization preserves is the same: rules with their positions, names, and facts.
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

/// Asserts that names and facts are the same and in the same order.
pub fn same_names(policy: &Policy<'_>, other: &Policy<'_>, about: &str) {
    assert_eq!(policy.crawlers_named(), other.crawlers_named(), "{about}");
    assert_eq!(policy.facts(), other.facts(), "{about}");
}

/// Returns a serialized policy with this body and a valid checksum. The checksum algorithm is copied from the engine on
/// purpose, because the checksum guards against accidents and not against forgery.
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
