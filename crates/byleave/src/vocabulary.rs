//! The words of every dialect, in one table each: fields, usages, qualifiers, META and header words.
//!
//! To teach Byleave a new word, add a row here; no reader names a word of its own. Names are written in
//! their canonical spelling and compared without ASCII case.

mod acap;
mod elements;
mod preferences;
mod search_engines;

pub(crate) use acap::{ACTIONS, AcapName, LOCATION, STANDARD};
pub use acap::{AcapField, AcapVersion, QUALIFIERS, QualifierWord, Readiness, Values};
pub(crate) use elements::{
    CLASS_BEGINNINGS, CLASS_PREFIXES, GOOGLEOFF, GOOGLEON, MARKED_USAGES, NOCONTENT_CLASS, NOCONTENT_USAGES, NOINDEX,
    NOSNIPPET_AND_ANSWERS, NOSNIPPET_ATTRIBUTE, NOSNIPPET_USAGES, OffKind, REL_WORDS, RangeKind, STRAWMAN_CLASS,
};
pub use elements::{PROFILE_CLASSES, ProfileClass};
pub(crate) use preferences::{DATA_MINING, LABELS, LICENCE_WORDS, LicenceWord, PAYMENTS, SIGNALS};
pub(crate) use search_engines::{AMAZON_WORDS, BING_WORDS, GOOGLE_SEARCH_WORDS};

use std::fmt;

/// What part a robots.txt field plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// Opens a conventional group (RFC 9309: a group) or adds a name to it.
    Names,
    /// Permits or prohibits within a conventional group.
    Rule,
    /// Data about the site, wherever it stands.
    SiteFact,
    /// Data that belongs to the group it stands in.
    GroupFact,
    /// Opens an ACAP group.
    AcapNames,
    /// Any other ACAP field.
    Acap,
}

macro_rules! fields {
    ($($(#[$about:meta])* $variant:ident = $name:literal, $role:ident, [$($misspelt:literal),*];)*) => {
        /// A robots.txt field that some standard or habit defines.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Field { $($(#[$about])* $variant,)* }

        impl Field {
            /// Every field there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its canonical spelling.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The part it plays.
            #[must_use]
            pub fn role(self) -> Role {
                match self { $(Self::$variant => Role::$role,)* }
            }

            /// The misspellings that the default reading forgives (S-18).
            #[must_use]
            pub fn misspellings(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($misspelt),*],)* }
            }
        }
    };
}

fields! {
    /// Names the crawlers of a conventional group.
    UserAgent = "User-agent", Names, ["useragent", "user agent"];
    /// Permits crawling (RFC 9309).
    Allow = "Allow", Rule, [];
    /// Prohibits crawling (RFC 9309).
    Disallow = "Disallow", Rule, ["dissallow", "dissalow", "disalow", "diasllow", "disallaw"];
    /// Where a sitemap is.
    Sitemap = "Sitemap", SiteFact, ["site-map"];
    /// Seconds between two visits.
    CrawlDelay = "Crawl-delay", GroupFact, ["crawldelay"];
    /// How many documents in how much time.
    RequestRate = "Request-rate", GroupFact, [];
    /// At what hours to visit.
    VisitTime = "Visit-time", GroupFact, [];
    /// Seconds between two visits for caching.
    CacheDelay = "Cache-delay", GroupFact, [];
    /// The preferred host of mirrors.
    Host = "Host", SiteFact, [];
    /// Query parameters that do not change the page.
    CleanParam = "Clean-param", SiteFact, [];
    /// A META word misused as a field.
    Noindex = "Noindex", GroupFact, [];
    /// A META word misused as a field.
    Nofollow = "Nofollow", GroupFact, [];
    /// A META word misused as a field.
    Noarchive = "Noarchive", GroupFact, [];
    /// A META word misused as a field.
    Nosnippet = "Nosnippet", GroupFact, [];
    /// A META word misused as a field.
    Noimageindex = "Noimageindex", GroupFact, [];
    /// A META word misused as a field.
    Notranslate = "Notranslate", GroupFact, [];
    /// A message to whoever runs the crawler.
    Comment = "Comment", GroupFact, [];
    /// The version of the exclusion standard.
    RobotVersion = "Robot-version", GroupFact, [];
    /// AIPREF preferences.
    ContentUsage = "Content-Usage", GroupFact, [];
    /// Content Signals.
    ContentSignal = "Content-Signal", GroupFact, [];
    /// Where a licence (RSL) is.
    License = "License", GroupFact, [];
    /// Prohibits AI training of paths.
    DisallowAiTraining = "DisallowAITraining", GroupFact, [];
    /// Permits AI training of paths.
    AllowAiTraining = "AllowAITraining", GroupFact, [];
    /// A purpose for the crawlers of the group.
    UserAgentPurpose = "User-agent-purpose", GroupFact, [];
    /// Names a crawler of an ACAP group.
    AcapCrawler = "ACAP-crawler", AcapNames, [];
    /// Any field whose name begins with `ACAP-`.
    Acap = "ACAP-", Acap, [];
}

impl Field {
    /// The field of exactly this name, in any ASCII case.
    #[must_use]
    pub fn named(name: &[u8]) -> Option<Self> {
        let found = Self::ALL.iter().copied().find(|field| field.name().as_bytes().eq_ignore_ascii_case(name));
        found.or_else(|| starts_with(name, Self::Acap.name().as_bytes()).then_some(Self::Acap))
    }

    /// The field that this name misspells in a way S-18 lists.
    #[must_use]
    pub fn misspelt(name: &[u8]) -> Option<Self> {
        let misspells =
            |field: &Self| field.misspellings().iter().any(|word| word.as_bytes().eq_ignore_ascii_case(name));
        Self::ALL.iter().copied().find(misspells)
    }

    /// The field whose name, or whose misspelling, this name begins with: the way of Google's parser.
    #[must_use]
    pub fn by_prefix(name: &[u8]) -> Option<Self> {
        [Self::UserAgent, Self::Allow, Self::Disallow, Self::Sitemap].into_iter().find(|field| {
            let spellings = std::iter::once(field.name()).chain(field.misspellings().iter().copied());
            spellings.into_iter().any(|word| starts_with(name, word.as_bytes()))
        })
    }

    /// The field whose name differs from this one by a letter, or by two that changed places.
    #[must_use]
    pub fn nearest(name: &[u8]) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let fields = Self::ALL.iter().copied().filter(|field| field.name().len() > 4);
        fields.into_iter().find(|field| is_one_off(&name, &field.name().to_ascii_lowercase().into_bytes()))
    }

    /// Whether it is a META word that some publishers write as a field.
    #[must_use]
    pub fn is_misused_word(self) -> bool {
        let has_a_meaning = matches!(self, Self::DisallowAiTraining | Self::AllowAiTraining);
        word(self.name()).is_some() && !has_a_meaning
    }

    /// Whether it states a preference in one of today's dialects (S-40).
    #[must_use]
    pub fn is_preference(self) -> bool {
        crate::preference::dialect_of(self).is_some()
    }

    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

fn is_one_off(a: &[u8], b: &[u8]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let rest = |text: &[u8], from: usize| text.get(from..).unwrap_or_default().to_vec();
    if short.len() == long.len() {
        let is_swapped = short.get(same) == long.get(same + 1)
            && short.get(same + 1) == long.get(same)
            && rest(short, same + 2) == rest(long, same + 2);
        rest(short, same + 1) == rest(long, same + 1) || is_swapped
    } else {
        rest(short, same) == rest(long, same + 1)
    }
}

pub(crate) fn starts_with(name: &[u8], prefix: &[u8]) -> bool {
    name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// The names of what a crawler may be unable to interpret (S-38): usages, qualifiers, and words that limit.
pub fn abilities() -> impl Iterator<Item = &'static str> {
    let usages = Usage::NAMED.iter().map(Usage::name);
    // `max-snippet` is in the table of Google Search too, and told once.
    let words = WORDS.iter().chain(BING_WORDS);
    let limits = words.filter(|word| matches!(word.effect, WordEffect::Limits(_) | WordEffect::Requires(..)));
    usages.chain(QUALIFIERS.iter().map(|word| word.name)).chain(limits.map(|word| word.name))
}

/// A text without the quotation marks around it, straight or as typesetters have them.
pub(crate) fn without_quotes(text: &[u8]) -> &[u8] {
    const MARKS: [&str; 13] = ["\"", "'", "`", "“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»"];
    let mut inner = text;
    while let Some(rest) = MARKS.iter().find_map(|mark| inner.strip_prefix(mark.as_bytes())) {
        inner = rest;
    }
    while let Some(rest) = MARKS.iter().find_map(|mark| inner.strip_suffix(mark.as_bytes())) {
        inner = rest;
    }
    inner
}

macro_rules! usages {
    ($($(#[$about:meta])* $variant:ident = $name:literal, $kind:ident, within [$($within:ident),*], needs [$($needs:ident),*], also [$($alias:literal),*];)*) => {
        /// What is done with a resource (semantics, section 2).
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Usage {
            $($(#[$about])* $variant,)*
            /// A name that no table here defines. It meets only statements of that very name.
            Other(UsageName),
        }

        impl Usage {
            /// Every usage that has a name of its own here.
            pub const NAMED: &'static [Self] = &[$(Self::$variant,)*];

            /// Its number in the table; nothing for a name the table does not have.
            #[inline]
            pub(crate) fn number(&self) -> Option<u8> {
                #[repr(u8)]
                enum Number { $($variant,)* }
                match self { $(Self::$variant => Some(Number::$variant as u8),)* Self::Other(_) => None }
            }

            /// Its name in every output.
            #[must_use]
            pub fn name(&self) -> &str {
                match self { $(Self::$variant => $name,)* Self::Other(name) => &name.0 }
            }

            /// Whether ACAP defines it, or Byleave adds it.
            #[must_use]
            pub fn kind(&self) -> UsageKind {
                match self { $(Self::$variant => UsageKind::$kind,)* Self::Other(_) => UsageKind::Unknown }
            }

            /// The wider usages asked when nothing speaks of this one, nearest first (S-03); `other` comes after them.
            #[must_use]
            pub fn within(&self) -> &'static [Self] {
                match self {
                    $(Self::$variant => &[$(Self::$within),*],)*
                    Self::Other(name) if name.0.starts_with("present-") => &[Self::Present],
                    Self::Other(_) => &[],
                }
            }

            /// The usages that must not be prohibited for this one to be made (S-14).
            #[must_use]
            pub fn prerequisites(&self) -> &'static [Self] {
                match self { $(Self::$variant => &[$(Self::$needs),*],)* Self::Other(_) => &[Self::Crawl] }
            }

            /// Other names it is asked by.
            #[must_use]
            pub fn aliases(&self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($alias),*],)* Self::Other(_) => &[] }
            }
        }
    };
}

usages! {
    /// To fetch the resource.
    Crawl = "crawl", Standard, within [], needs [], also [];
    /// To follow its links.
    Follow = "follow", Standard, within [], needs [Crawl], also [];
    /// To make it findable.
    Index = "index", Standard, within [], needs [Crawl], also [];
    /// To keep a copy.
    Preserve = "preserve", Standard, within [], needs [Crawl], also [];
    /// To show it in any way.
    Present = "present", Standard, within [], needs [Crawl], also [];
    /// To show it as it is at its site.
    PresentOriginal = "present-original", Standard, within [Present], needs [Crawl], also [];
    /// To show the copy of the latest crawl.
    PresentCurrentcopy = "present-currentcopy", Standard, within [Present], needs [Crawl, Preserve], also [];
    /// To show a copy of an earlier crawl.
    PresentOldcopy = "present-oldcopy", Standard, within [Present], needs [Crawl, Preserve], also [];
    /// To show an extract.
    PresentSnippet = "present-snippet", Standard, within [Present], needs [Crawl], also [];
    /// To show a small picture of it.
    PresentThumbnail = "present-thumbnail", Standard, within [Present], needs [Crawl], also [];
    /// To show an extract of an earlier crawl.
    PresentOldsnippet = "present-oldsnippet", Standard, within [Present], needs [Crawl, Preserve], also [];
    /// To show a small picture of an earlier crawl.
    PresentOldthumbnail = "present-oldthumbnail", Standard, within [Present], needs [Crawl, Preserve], also [];
    /// To show a link to it.
    PresentLink = "present-link", Standard, within [Present], needs [], also [];
    /// Any use that nothing else names.
    OtherUsage = "other", Standard, within [], needs [Crawl], also [];
    /// Text and data mining.
    Tdm = "tdm", Extension, within [], needs [Crawl], also [];
    /// Training of AI models.
    TrainAi = "train-ai", Extension, within [Tdm], needs [Crawl], also ["ai-train"];
    /// Training of generative AI models.
    TrainGenai = "train-genai", Extension, within [TrainAi, Tdm], needs [Crawl], also [];
    /// Grounding, retrieval and answers by AI.
    AiInput = "ai-input", Extension, within [], needs [Crawl], also ["ai-use"];
    /// An index for AI.
    AiIndex = "ai-index", Extension, within [], needs [Crawl], also [];
    /// Search in the sense of AIPREF.
    Search = "search", Extension, within [], needs [Crawl], also [];
    /// To index a link's target under the words of the link.
    AnchorText = "anchor-text", Extension, within [], needs [Crawl], also [];
    /// To make its pictures findable.
    IndexImage = "index-image", Extension, within [], needs [Crawl], also [];
    /// To translate it.
    Translate = "translate", Extension, within [], needs [Crawl], also [];
    /// To show a part of a video.
    PresentVideoPreview = "present-video-preview", Extension, within [Present], needs [Crawl], also [];
}

/// Where a usage comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UsageKind {
    /// ACAP Part 1, 2.5.
    Standard,
    /// Added by Byleave for today's dialects.
    Extension,
    /// In no table.
    Unknown,
}

/// The name of a usage that no table defines, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UsageName(Box<str>);

impl Usage {
    /// The usage of this name or alias, in any ASCII case; an unknown name is kept as [`Usage::Other`].
    #[must_use]
    pub fn named(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let found = Self::NAMED.iter().find(|usage| usage.name() == name || usage.aliases().contains(&name.as_str()));
        found.cloned().unwrap_or_else(|| Self::Other(UsageName(name.into())))
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a word of META tags and headers does (semantics, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WordEffect {
    /// Prohibits its usages.
    Prohibits,
    /// Limits its usages by a value.
    Limits(ValueKind),
    /// Limits its usages to a condition that is always the same: its name and its value.
    Requires(&'static str, &'static str),
    /// Speaks for its usages and lifts nothing.
    Permits,
    /// Kept as data.
    Data,
}

/// What the value of a word that limits is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueKind {
    /// Characters of an extract; -1: as many as one likes.
    Characters,
    /// `none`, `standard` or `large`.
    ImageSize,
    /// Seconds of a video; -1: as many as one likes.
    Seconds,
    /// A date, from which on the usages are prohibited.
    Date,
}

/// A word of META tags, `Robots-Tag` and `X-Robots-Tag`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its spelling.
    pub name: &'static str,
    /// What it does.
    pub effect: WordEffect,
    /// The usages it speaks of.
    pub usages: &'static [Usage],
}

/// Every word of semantics section 5.
pub const WORDS: &[Word] = &[
    Word { name: "noindex", effect: WordEffect::Prohibits, usages: &[Usage::Index] },
    Word { name: "nofollow", effect: WordEffect::Prohibits, usages: &[Usage::Follow] },
    Word { name: "none", effect: WordEffect::Prohibits, usages: &[Usage::Index, Usage::Follow] },
    Word {
        name: "nosnippet",
        effect: WordEffect::Prohibits,
        usages: &[Usage::PresentSnippet, Usage::PresentOldsnippet],
    },
    Word {
        name: "max-snippet",
        effect: WordEffect::Limits(ValueKind::Characters),
        usages: &[Usage::PresentSnippet, Usage::PresentOldsnippet],
    },
    Word {
        name: "noarchive",
        effect: WordEffect::Prohibits,
        usages: &[Usage::PresentCurrentcopy, Usage::PresentOldcopy],
    },
    Word {
        name: "nocache",
        effect: WordEffect::Prohibits,
        usages: &[Usage::PresentCurrentcopy, Usage::PresentOldcopy],
    },
    Word {
        name: "max-image-preview",
        effect: WordEffect::Limits(ValueKind::ImageSize),
        usages: &[Usage::PresentThumbnail, Usage::PresentOldthumbnail],
    },
    Word {
        name: "max-video-preview",
        effect: WordEffect::Limits(ValueKind::Seconds),
        usages: &[Usage::PresentVideoPreview],
    },
    Word { name: "unavailable_after", effect: WordEffect::Limits(ValueKind::Date), usages: &[Usage::Index] },
    Word { name: "noimageindex", effect: WordEffect::Prohibits, usages: &[Usage::IndexImage] },
    Word { name: "notranslate", effect: WordEffect::Prohibits, usages: &[Usage::Translate] },
    Word { name: "indexifembedded", effect: WordEffect::Data, usages: &[] },
    Word { name: "index", effect: WordEffect::Permits, usages: &[Usage::Index] },
    Word { name: "follow", effect: WordEffect::Permits, usages: &[Usage::Follow] },
    Word { name: "all", effect: WordEffect::Permits, usages: &[Usage::Index, Usage::Follow] },
    Word { name: "archive", effect: WordEffect::Permits, usages: &[Usage::PresentCurrentcopy, Usage::PresentOldcopy] },
    Word { name: "noai", effect: WordEffect::Prohibits, usages: &[Usage::TrainAi, Usage::TrainGenai, Usage::AiInput] },
    Word { name: "noimageai", effect: WordEffect::Requires("without", "images"), usages: TRAINING },
    Word { name: "DisallowAITraining", effect: WordEffect::Prohibits, usages: TRAINING },
    Word { name: "AllowAITraining", effect: WordEffect::Permits, usages: TRAINING },
    Word { name: "nopreview", effect: WordEffect::Data, usages: &[] },
    Word { name: "noodp", effect: WordEffect::Data, usages: &[] },
    Word { name: "noydir", effect: WordEffect::Data, usages: &[] },
    Word { name: "noyaca", effect: WordEffect::Data, usages: &[] },
    Word { name: "nositelinkssearchbox", effect: WordEffect::Data, usages: &[] },
    Word { name: "noimageclick", effect: WordEffect::Data, usages: &[] },
    Word { name: "noserve", effect: WordEffect::Data, usages: &[] },
    Word { name: "nopagereadaloud", effect: WordEffect::Data, usages: &[] },
];

/// Training of AI models, with what it contains.
const TRAINING: &[Usage] = &[Usage::TrainAi, Usage::TrainGenai];

/// The word of this spelling, in any ASCII case.
#[must_use]
pub fn word(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_word_stands_twice() {
        let mut fields = BTreeSet::new();
        for field in Field::ALL {
            for name in std::iter::once(field.name()).chain(field.misspellings().iter().copied()) {
                assert!(fields.insert(name.to_ascii_lowercase()), "{name}");
            }
        }
        let mut usages = BTreeSet::new();
        for usage in Usage::NAMED {
            for name in std::iter::once(usage.name()).chain(usage.aliases().iter().copied()) {
                assert!(usages.insert(name.to_owned()), "{name}");
            }
        }
    }

    #[test]
    fn names_are_found_in_any_case() {
        assert_eq!(Field::named(b"DISALLOW"), Some(Field::Disallow));
        assert_eq!(Field::named(b"acap-allow-index"), Some(Field::Acap));
        assert_eq!(Field::named(b"DisallowAITraining"), Some(Field::DisallowAiTraining));
        assert_eq!(Field::by_prefix(b"DisallowAITraining"), Some(Field::Disallow));
        assert_eq!(Field::misspelt(b"Dissallow"), Some(Field::Disallow));
        assert_eq!(Usage::named("AI-Train"), Usage::TrainAi);
        assert_eq!(Usage::named("present-poster").within(), &[Usage::Present]);
    }

    #[test]
    fn field_numbers_give_the_field_back() {
        for (number, field) in Field::ALL.iter().enumerate() {
            assert_eq!(*field as usize, number);
            assert_eq!(Field::from_number(number as u8), Some(*field));
        }
    }
}
