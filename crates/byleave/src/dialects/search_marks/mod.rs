//! Marks that hide parts of a page from search engines (S-49): `rel`, `data-nosnippet`, `<noindex>`, ranges between
//! comments, and the class `robots-nocontent`.

mod ranges;

pub(crate) use ranges::{Mark, Ranges};

use crate::model::Usage;

/// The words in `rel` that have an effect (S-17, S-49).
pub(crate) const REL_WORDS: [&str; 3] = ["nofollow", "ugc", "sponsored"];

const SNIPPETS: &[Usage] = &[Usage::PresentSnippet, Usage::PresentOldsnippet];

/// Yahoo's class for text that is not part of the page's main content, such as a menu (S-49).
pub(crate) const NOCONTENT_CLASS: &str = "robots-nocontent";
/// The usages that `robots-nocontent` restricts.
pub(crate) const NOCONTENT_USAGES: &[Usage] = &[Usage::Index, Usage::PresentSnippet, Usage::PresentOldsnippet];

/// The attribute for content that must not be shown in snippets (S-49).
pub(crate) const NOSNIPPET_ATTRIBUTE: &str = "data-nosnippet";
/// The usages that `data-nosnippet` restricts.
pub(crate) const NOSNIPPET_USAGES: &[Usage] = SNIPPETS;
/// The usages that `data-nosnippet` restricts for crawlers that make AI answers from snippets (S-48).
pub(crate) const NOSNIPPET_AND_ANSWERS: &[Usage] = &[Usage::PresentSnippet, Usage::PresentOldsnippet, Usage::AiInput];

/// The tag name, and the word in a comment, for content that must not be indexed (S-49).
pub(crate) const NOINDEX: &str = "noindex";
/// The words in comments that switch the Google Search Appliance off and on again.
pub(crate) const GOOGLEOFF: &str = "googleoff";
pub(crate) const GOOGLEON: &str = "googleon";

/// The kinds of marked ranges. Ranges of the same kind do not nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RangeKind {
    /// The `<noindex>` tag. The range ends at the end tag, even if the element ends elsewhere in the tree.
    Tag,
    /// `<!--noindex-->`.
    Comment,
    /// `<!--googleoff: …-->` with one of the kinds `index`, `anchor`, `snippet` and `all`.
    Off(OffKind),
}

/// The kinds of use that a `googleoff` comment can switch off.
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

    /// Returns the usages that a range of this kind restricts.
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

/// The usages that marks can address, apart from marks that are classes or links.
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
