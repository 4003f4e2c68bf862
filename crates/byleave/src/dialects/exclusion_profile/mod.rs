//! The Robot Exclusion Profile (S-26): eight classes on four axes (following links, indexing, anchor text, copies). The
//! classes count only on pages that name the profile.

use crate::model::Usage;

/// The prefix of every class in the profile.
pub(crate) const CLASS_PREFIX: &str = "robots-";

/// The URI by which a page names the profile. The final `#` is optional.
pub(crate) const PROFILE: &str = "http://example.org/xmdp/robots-profile#";

/// A class of the Robot Exclusion Profile (S-26). It sets a restriction on its axis, or lifts a restriction that an
/// outer element sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileClass {
    /// The class name.
    pub name: &'static str,
    /// The number of the class's axis, from 0 to 3.
    pub axis: usize,
    /// Whether the class sets a restriction.
    pub restricts: bool,
    /// The usages on the class's axis.
    pub usages: &'static [Usage],
}

const COPIES: &[Usage] = &[Usage::PresentCurrentcopy, Usage::PresentOldcopy];

/// The eight classes, two on each axis.
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
