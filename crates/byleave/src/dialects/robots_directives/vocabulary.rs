//! The table of directives for META tags, `Robots-Tag` and `X-Robots-Tag` (semantics, section 5).
//!
//! `directive.rs` does the parsing.

use crate::model::Usage;

/// A directive's effect on its usages, before its value is known (semantics, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DirectiveEffect {
    /// The usages are prohibited.
    Prohibits,
    /// The usages are limited by a value.
    Limits(ValueKind),
    /// The usages are permitted on a fixed condition, with this name and value.
    Requires(&'static str, &'static str),
    /// The usages are permitted, but no restriction is lifted.
    Permits,
    /// No effect. The directive is stored as data.
    Data,
}

/// The kind of value of a directive that limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueKind {
    /// The number of characters in an extract. -1 means no limit.
    Characters,
    /// `none`, `standard` or `large`.
    ImageSize,
    /// The number of seconds of a video. -1 means no limit.
    Seconds,
    /// A date from which the usages are prohibited.
    Date,
}

/// A row in the table of directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownDirective {
    /// The directive's spelling.
    pub name: &'static str,
    /// The directive's effect.
    pub effect: DirectiveEffect,
    /// The usages that the directive applies to.
    pub usages: &'static [Usage],
}

/// Every directive in section 5 of the semantics.
pub const DIRECTIVES: &[KnownDirective] = &[
    KnownDirective { name: "noindex", effect: DirectiveEffect::Prohibits, usages: &[Usage::Index] },
    KnownDirective { name: "nofollow", effect: DirectiveEffect::Prohibits, usages: &[Usage::Follow] },
    KnownDirective { name: "none", effect: DirectiveEffect::Prohibits, usages: &[Usage::Index, Usage::Follow] },
    KnownDirective {
        name: "nosnippet",
        effect: DirectiveEffect::Prohibits,
        usages: &[Usage::PresentSnippet, Usage::PresentOldsnippet],
    },
    KnownDirective {
        name: "max-snippet",
        effect: DirectiveEffect::Limits(ValueKind::Characters),
        usages: &[Usage::PresentSnippet, Usage::PresentOldsnippet],
    },
    KnownDirective {
        name: "noarchive",
        effect: DirectiveEffect::Prohibits,
        usages: &[Usage::PresentCurrentcopy, Usage::PresentOldcopy],
    },
    KnownDirective {
        name: "nocache",
        effect: DirectiveEffect::Prohibits,
        usages: &[Usage::PresentCurrentcopy, Usage::PresentOldcopy],
    },
    KnownDirective {
        name: "max-image-preview",
        effect: DirectiveEffect::Limits(ValueKind::ImageSize),
        usages: &[Usage::PresentThumbnail, Usage::PresentOldthumbnail],
    },
    KnownDirective {
        name: "max-video-preview",
        effect: DirectiveEffect::Limits(ValueKind::Seconds),
        usages: &[Usage::PresentVideoPreview],
    },
    KnownDirective {
        name: "unavailable_after",
        effect: DirectiveEffect::Limits(ValueKind::Date),
        usages: &[Usage::Index],
    },
    KnownDirective { name: "noimageindex", effect: DirectiveEffect::Prohibits, usages: &[Usage::IndexImage] },
    KnownDirective { name: "notranslate", effect: DirectiveEffect::Prohibits, usages: &[Usage::Translate] },
    KnownDirective { name: "indexifembedded", effect: DirectiveEffect::Data, usages: &[] },
    KnownDirective { name: "index", effect: DirectiveEffect::Permits, usages: &[Usage::Index] },
    KnownDirective { name: "follow", effect: DirectiveEffect::Permits, usages: &[Usage::Follow] },
    KnownDirective { name: "all", effect: DirectiveEffect::Permits, usages: &[Usage::Index, Usage::Follow] },
    KnownDirective {
        name: "archive",
        effect: DirectiveEffect::Permits,
        usages: &[Usage::PresentCurrentcopy, Usage::PresentOldcopy],
    },
    KnownDirective {
        name: "noai",
        effect: DirectiveEffect::Prohibits,
        usages: &[Usage::TrainAi, Usage::TrainGenai, Usage::AiInput],
    },
    KnownDirective { name: "noimageai", effect: DirectiveEffect::Requires("without", "images"), usages: TRAINING },
    KnownDirective { name: "DisallowAITraining", effect: DirectiveEffect::Prohibits, usages: TRAINING },
    KnownDirective { name: "AllowAITraining", effect: DirectiveEffect::Permits, usages: TRAINING },
    KnownDirective { name: "nopreview", effect: DirectiveEffect::Data, usages: &[] },
    KnownDirective { name: "noodp", effect: DirectiveEffect::Data, usages: &[] },
    KnownDirective { name: "noydir", effect: DirectiveEffect::Data, usages: &[] },
    KnownDirective { name: "noyaca", effect: DirectiveEffect::Data, usages: &[] },
    KnownDirective { name: "nositelinkssearchbox", effect: DirectiveEffect::Data, usages: &[] },
    KnownDirective { name: "noimageclick", effect: DirectiveEffect::Data, usages: &[] },
    KnownDirective { name: "noserve", effect: DirectiveEffect::Data, usages: &[] },
    KnownDirective { name: "nopagereadaloud", effect: DirectiveEffect::Data, usages: &[] },
];

/// AI training, and the training of generative models, which it includes.
pub(crate) const TRAINING: &[Usage] = &[Usage::TrainAi, Usage::TrainGenai];

/// Returns the directive with this name, ignoring ASCII case.
#[must_use]
pub fn known_directive(name: &str) -> Option<&'static KnownDirective> {
    DIRECTIVES.iter().find(|known| known.name.eq_ignore_ascii_case(name))
}
