//! The directives of META tags, `Robots-Tag` and `X-Robots-Tag`: one table (semantics, section 5).

use crate::model::Usage;

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
pub(crate) const TRAINING: &[Usage] = &[Usage::TrainAi, Usage::TrainGenai];

/// The word of this spelling, in any ASCII case.
#[must_use]
pub fn word(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name.eq_ignore_ascii_case(name))
}
