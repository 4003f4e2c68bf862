//! The words by which elements and ranges of a page are told: classes, `rel`, and the marks of search engines.
//!
//! A page is read for its elements only where one of these may stand in it (`page/skip.rs`), which looks at this table
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

/// The words of `rel` that say something (S-17, S-49).
pub(crate) const REL_WORDS: [&str; 3] = ["nofollow", "ugc", "sponsored"];

const SNIPPETS: &[Usage] = &[Usage::PresentSnippet, Usage::PresentOldsnippet];

/// The class that Yahoo had for what is not the page's own (S-49).
pub(crate) const NOCONTENT_CLASS: &str = "robots-nocontent";
/// What it restricts.
pub(crate) const NOCONTENT_USAGES: &[Usage] = &[Usage::Index, Usage::PresentSnippet, Usage::PresentOldsnippet];

/// The attribute for what is not to be shown in snippets (S-49).
pub(crate) const NOSNIPPET_ATTRIBUTE: &str = "data-nosnippet";
/// What it restricts.
pub(crate) const NOSNIPPET_USAGES: &[Usage] = SNIPPETS;
/// The same where answers by AI are made of snippets (S-48).
pub(crate) const NOSNIPPET_AND_ANSWERS: &[Usage] = &[Usage::PresentSnippet, Usage::PresentOldsnippet, Usage::AiInput];

/// The tag, and the word of a comment, for what is not to be indexed (S-49).
pub(crate) const NOINDEX: &str = "noindex";
/// The words of comments by which the Google Search Appliance is switched off, and on again.
pub(crate) const GOOGLEOFF: &str = "googleoff";
pub(crate) const GOOGLEON: &str = "googleon";

/// What a range of a page is marked as. Those of one kind are open or not; they do not nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RangeKind {
    /// `<noindex>` as a tag, wherever the tree ends it.
    Tag,
    /// `<!--noindex-->`.
    Comment,
    /// `<!--googleoff: …-->`: index, anchor, snippet, all.
    Off(OffKind),
}

/// What is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OffKind {
    Index,
    Anchor,
    Snippet,
    All,
}

impl OffKind {
    pub(crate) const ALL: [(&'static str, Self); 4] =
        [("index", Self::Index), ("anchor", Self::Anchor), ("snippet", Self::Snippet), ("all", Self::All)];
}

impl RangeKind {
    pub(crate) const ALL: [Self; 6] = [
        Self::Tag,
        Self::Comment,
        Self::Off(OffKind::Index),
        Self::Off(OffKind::Anchor),
        Self::Off(OffKind::Snippet),
        Self::Off(OffKind::All),
    ];

    /// The usages that such a range restricts.
    pub(crate) fn usages(self) -> &'static [Usage] {
        match self {
            Self::Tag | Self::Comment | Self::Off(OffKind::Index) => &[Usage::Index],
            Self::Off(OffKind::Anchor) => &[Usage::AnchorText],
            Self::Off(OffKind::Snippet) => SNIPPETS,
            Self::Off(OffKind::All) => {
                &[Usage::Index, Usage::AnchorText, Usage::PresentSnippet, Usage::PresentOldsnippet]
            }
        }
    }
}

/// The usages of which a mark may speak that is no class and no link.
pub(crate) const MARKED_USAGES: [Usage; 5] =
    [Usage::Index, Usage::AnchorText, Usage::PresentSnippet, Usage::PresentOldsnippet, Usage::AiInput];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_begins_as_one_of_the_beginnings() {
        let is_covered = |class: &str| CLASS_BEGINNINGS.iter().any(|beginning| class.starts_with(beginning));
        let classes = PROFILE_CLASSES.iter().map(|class| class.name).chain(CLASS_PREFIXES);
        assert!(classes.chain([NOCONTENT_CLASS]).all(is_covered));
    }

    #[test]
    fn s49_every_usage_of_a_mark_is_one_that_marks_speak_of() {
        let of_ranges = RangeKind::ALL.iter().flat_map(|kind| kind.usages());
        assert!(of_ranges.chain(NOSNIPPET_AND_ANSWERS).all(|usage| MARKED_USAGES.contains(usage)));
    }
}
