//! The words by which elements are told: classes and `rel`.
//!
//! A page is read for its elements only where one of these may stand on one (`page/skip.rs`), which looks at this table
//! and no other: a class that begins otherwise is never read.

use super::Usage;

/// How classes in ACAP begin.
pub(crate) const ACAP_CLASS: &str = "the-acap:";
/// How they began in 2007 (S-28).
pub(crate) const STRAWMAN_CLASS: &str = "acap:";
/// How classes of the Robot Exclusion Profile begin (S-26).
pub(crate) const PROFILE_CLASS: &str = "robots-";

/// How each class begins, without case, that says something.
pub(crate) const CLASS_BEGINNINGS: [&str; 3] = [ACAP_CLASS, STRAWMAN_CLASS, PROFILE_CLASS];

/// A class of the Robot Exclusion Profile (S-26): its axis restricts, or lifts what an outer element restricts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileClass {
    /// The token.
    pub name: &'static str,
    /// Which of the four axes it is on.
    pub axis: usize,
    /// Whether it restricts.
    pub restricts: bool,
    /// The usages of its axis.
    pub usages: &'static [Usage],
}

const COPIES: &[Usage] = &[Usage::PresentCurrentcopy, Usage::PresentOldcopy];

/// The eight classes, on four axes.
pub const PROFILE_CLASSES: &[ProfileClass] = &[
    ProfileClass { name: "robots-nofollow", axis: 0, restricts: true, usages: &[Usage::Follow] },
    ProfileClass { name: "robots-follow", axis: 0, restricts: false, usages: &[Usage::Follow] },
    ProfileClass { name: "robots-noindex", axis: 1, restricts: true, usages: &[Usage::Index] },
    ProfileClass { name: "robots-index", axis: 1, restricts: false, usages: &[Usage::Index] },
    ProfileClass { name: "robots-noanchortext", axis: 2, restricts: true, usages: &[Usage::AnchorText] },
    ProfileClass { name: "robots-anchortext", axis: 2, restricts: false, usages: &[Usage::AnchorText] },
    ProfileClass { name: "robots-noarchive", axis: 3, restricts: true, usages: COPIES },
    ProfileClass { name: "robots-archive", axis: 3, restricts: false, usages: COPIES },
];

/// The prefixes of ACAP's classes: the name of its scheme, and the one it had before (S-28).
pub(crate) const CLASS_PREFIXES: [&str; 2] = [ACAP_CLASS, STRAWMAN_CLASS];

/// The words of `rel` that say something (S-17).
pub(crate) const REL_WORDS: [&str; 1] = ["nofollow"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_begins_as_one_of_the_beginnings() {
        let is_covered = |class: &str| CLASS_BEGINNINGS.iter().any(|beginning| class.starts_with(beginning));
        assert!(PROFILE_CLASSES.iter().map(|class| class.name).chain(CLASS_PREFIXES).all(is_covered));
    }
}
