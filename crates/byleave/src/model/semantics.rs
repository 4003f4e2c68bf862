//! The version of the numbered rules, and which numbers there are.

/// The version of the numbered rules in `docs/semantics.md` that decisions follow.
pub const SEMANTICS_VERSION: u32 = 1;

/// The numbers of these rules; one was never given.
pub const RULES: [std::ops::RangeInclusive<u32>; 2] = [1..=38, 40..=50];
