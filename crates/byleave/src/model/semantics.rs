//! The version and the numbers of the rules in `docs/semantics.md`.

/// The version of the numbered rules in `docs/semantics.md` that decisions follow.
pub const SEMANTICS_VERSION: u32 = 1;

/// The rule numbers in use. The number 39 was never used.
pub const RULES: [std::ops::RangeInclusive<u32>; 2] = [1..=38, 40..=50];
