//! The version of the numbered rules, and their numbers.

/// The version of the numbered rules in `docs/semantics.md` that decisions follow.
pub const SEMANTICS_VERSION: u32 = 1;

/// The numbers of these rules. One number was never used.
pub const RULES: [std::ops::RangeInclusive<u32>; 2] = [1..=38, 40..=50];
