//! Marks by which search engines let publishers exclude parts of a page (S-49): `rel`, `data-nosnippet`, `<noindex>`,
//! ranges between comments, and the class `robots-nocontent`.

mod ranges;

pub(crate) use ranges::{Mark, Ranges};

use crate::model::Usage;

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
    fn s49_every_usage_of_a_mark_is_one_of_the_marked_usages() {
        let of_ranges = RangeKind::ALL.iter().flat_map(|kind| kind.usages());
        assert!(of_ranges.chain(NOSNIPPET_AND_ANSWERS).all(|usage| MARKED_USAGES.contains(usage)));
    }
}
