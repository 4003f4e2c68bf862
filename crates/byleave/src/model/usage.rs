//! Usages: what a crawler does with a resource (semantics, section 2). All dialects use this one table.

use std::fmt;
use std::str::FromStr;

macro_rules! usages {
    ($($(#[$about:meta])* $variant:ident = $name:literal, $kind:ident, within [$($within:ident),*], needs [$($needs:ident),*], also [$($alias:literal),*];)*) => {
        /// What a crawler does with a resource (semantics, section 2).
        ///
        /// ```
        /// use byleave::Usage;
        /// assert_eq!(Usage::named("AI-Train"), Usage::TrainAi);
        /// assert_eq!(Usage::TrainGenai.within(), [Usage::TrainAi, Usage::Tdm]);
        /// assert_eq!(Usage::TrainGenai.prerequisites(), [Usage::Crawl]);
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Usage {
            $($(#[$about])* $variant,)*
            /// A usage that this table does not define. Only statements that use the same name apply to it.
            Other(UsageName),
        }

        impl Usage {
            /// All usages that this table defines.
            pub const NAMED: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the usage's number in the table, or `None` for a usage that the table does not define.
            #[inline]
            pub(crate) fn number(&self) -> Option<u8> {
                #[repr(u8)]
                enum Number { $($variant,)* }
                match self { $(Self::$variant => Some(Number::$variant as u8),)* Self::Other(_) => None }
            }

            /// Returns the usage's name, as used in all output.
            #[must_use]
            pub fn name(&self) -> &str {
                match self { $(Self::$variant => $name,)* Self::Other(name) => &name.0 }
            }

            /// Returns where the usage is defined: in ACAP, in Byleave, or nowhere.
            #[must_use]
            pub fn kind(&self) -> UsageKind {
                match self { $(Self::$variant => UsageKind::$kind,)* Self::Other(_) => UsageKind::Unknown }
            }

            /// Returns the wider usages that include this one, nearest first. If no statement addresses this usage,
            /// statements about a wider usage decide (S-03). `other` is tried after all of them.
            #[must_use]
            pub fn within(&self) -> &'static [Self] {
                match self {
                    $(Self::$variant => &[$(Self::$within),*],)*
                    Self::Other(name) if name.0.starts_with("present-") => &[Self::Present],
                    Self::Other(_) => &[],
                }
            }

            /// Returns the prerequisites: the usages without which this usage is impossible. None of them may be
            /// prohibited (S-14).
            #[must_use]
            pub fn prerequisites(&self) -> &'static [Self] {
                match self { $(Self::$variant => &[$(Self::$needs),*],)* Self::Other(_) => &[Self::Crawl] }
            }

            /// Returns the usage's other names.
            #[must_use]
            pub fn aliases(&self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($alias),*],)* Self::Other(_) => &[] }
            }
        }
    };
}

usages! {
    /// Fetching the resource.
    Crawl = "crawl", Standard, within [], needs [], also [];
    /// Following the resource's links.
    Follow = "follow", Standard, within [], needs [Crawl], also [];
    /// Making the resource findable by search.
    Index = "index", Standard, within [], needs [Crawl], also [];
    /// Keeping a copy of the resource.
    Preserve = "preserve", Standard, within [], needs [Crawl], also [];
    /// Showing the resource in any way.
    Present = "present", Standard, within [], needs [Crawl], also [];
    /// Showing the resource as it appears on its site.
    PresentOriginal = "present-original", Standard, within [Present], needs [Crawl], also [];
    /// Showing the copy from the latest crawl.
    PresentCurrentcopy = "present-currentcopy", Standard, within [Present], needs [Crawl, Preserve], also [];
    /// Showing a copy from an earlier crawl.
    PresentOldcopy = "present-oldcopy", Standard, within [Present], needs [Crawl, Preserve], also [];
    /// Showing an extract of the resource.
    PresentSnippet = "present-snippet", Standard, within [Present], needs [Crawl], also [];
    /// Showing a small image of the resource.
    PresentThumbnail = "present-thumbnail", Standard, within [Present], needs [Crawl], also [];
    /// Showing an extract from an earlier crawl.
    PresentOldsnippet = "present-oldsnippet", Standard, within [Present], needs [Crawl, Preserve], also [];
    /// Showing a small image from an earlier crawl.
    PresentOldthumbnail = "present-oldthumbnail", Standard, within [Present], needs [Crawl, Preserve], also [];
    /// Showing a link to the resource.
    PresentLink = "present-link", Standard, within [Present], needs [], also [];
    /// Any use that has no other name.
    OtherUsage = "other", Standard, within [], needs [Crawl], also [];
    /// Mining the resource's text and data.
    Tdm = "tdm", Extension, within [], needs [Crawl], also [];
    /// Training AI models with the resource.
    TrainAi = "train-ai", Extension, within [Tdm], needs [Crawl], also ["ai-train"];
    /// Training generative AI models with the resource.
    TrainGenai = "train-genai", Extension, within [TrainAi, Tdm], needs [Crawl], also [];
    /// Giving the resource to AI models as input for grounding, retrieval and answers.
    AiInput = "ai-input", Extension, within [], needs [Crawl], also ["ai-use"];
    /// Building an index of the resource for AI.
    AiIndex = "ai-index", Extension, within [], needs [Crawl], also [];
    /// Using the resource for search, in AIPREF's sense.
    Search = "search", Extension, within [], needs [Crawl], also [];
    /// Indexing the target of a link under the link's text.
    AnchorText = "anchor-text", Extension, within [], needs [Crawl], also [];
    /// Making the resource's images findable by search.
    IndexImage = "index-image", Extension, within [], needs [Crawl], also [];
    /// Translating the resource.
    Translate = "translate", Extension, within [], needs [Crawl], also [];
    /// Showing part of the resource's video.
    PresentVideoPreview = "present-video-preview", Extension, within [Present], needs [Crawl], also [];
}

/// Where a usage is defined.
///
/// ```
/// use byleave::{Usage, model::UsageKind};
/// assert_eq!(Usage::Index.kind(), UsageKind::Standard);
/// assert_eq!(Usage::TrainAi.kind(), UsageKind::Extension);
/// assert_eq!(Usage::named("listen").kind(), UsageKind::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UsageKind {
    /// ACAP Part 1, section 2.5, defines the usage.
    Standard,
    /// Byleave adds the usage, because another dialect needs it.
    Extension,
    /// The table does not define the usage.
    Unknown,
}

/// The name of a usage that the table does not define, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UsageName(Box<str>);

impl Usage {
    /// Returns the usage with this name or alias, in any ASCII case. An unknown name becomes [`Usage::Other`].
    #[must_use]
    pub fn named(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let found = Self::NAMED.iter().find(|usage| usage.name() == name || usage.aliases().contains(&name.as_str()));
        found.cloned().unwrap_or_else(|| Self::Other(UsageName(name.into())))
    }
}

/// The error for an unknown usage name. For a usage of your own, write `x:NAME`.
///
/// ```
/// use byleave::Usage;
/// let error = "train-ia".parse::<Usage>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown usage `train-ia`; did you mean `train-ai`?");
/// assert_eq!("AI-Train".parse(), Ok(Usage::TrainAi));
/// assert_eq!("x:listen".parse(), Ok(Usage::named("listen")));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseUsageError {
    name: String,
}

impl ParseUsageError {
    /// Returns the known name that is most similar to the unknown name, or `None` if no name is similar.
    #[must_use]
    pub fn suggestion(&self) -> Option<&'static str> {
        let name = self.name.to_ascii_lowercase();
        let names = Usage::NAMED.iter().map(Usage::name);
        let distances = names.map(|known| (edit_distance(name.as_bytes(), known.as_bytes()), known));
        distances.filter(|(distance, known)| *distance <= 1 + known.len() / 6).min().map(|(_, known)| known)
    }
}

impl fmt::Display for ParseUsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown usage `{}`", self.name.escape_debug())?;
        match self.suggestion() {
            Some(known) => write!(f, "; did you mean `{known}`?"),
            None => f.write_str("; write `x:NAME` for a usage of your own"),
        }
    }
}

impl std::error::Error for ParseUsageError {}

impl FromStr for Usage {
    type Err = ParseUsageError;

    /// Parses a usage's name or alias, ignoring ASCII case. `x:NAME` gives a usage that the table does not define.
    fn from_str(name: &str) -> Result<Self, ParseUsageError> {
        if let Some(own) = name.strip_prefix("x:").filter(|own| !own.is_empty()) {
            return Ok(Self::named(own));
        }
        match Self::named(name) {
            Self::Other(_) => Err(ParseUsageError { name: name.to_owned() }),
            known => Ok(known),
        }
    }
}

/// Returns how many edits turn `one` into `other`. An edit adds, removes or replaces a letter, or swaps two adjacent
/// letters.
///
/// Cost: O(length x length).
fn edit_distance(one: &[u8], other: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX - 1);
            let replaced = at(&row, j) + usize::from(a != b);
            let mut least = replaced.min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            let is_swapped = i > 0 && j > 0 && one.get(i - 1) == Some(b) && other.get(j - 1) == Some(a);
            if is_swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or_default()
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_usage_is_listed_twice() {
        let mut usages = BTreeSet::new();
        for usage in Usage::NAMED {
            for name in std::iter::once(usage.name()).chain(usage.aliases().iter().copied()) {
                assert!(usages.insert(name.to_owned()), "{name}");
            }
        }
    }

    #[test]
    fn usages_are_found_in_any_case_and_by_alias() {
        assert_eq!(Usage::named("AI-Train"), Usage::TrainAi);
        assert_eq!(Usage::named("present-poster").within(), &[Usage::Present]);
    }
}
