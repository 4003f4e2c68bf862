//! The table of directives for META tags, `Robots-Tag` and `X-Robots-Tag` (semantics, section 5).
//!
//! Parsing is in `directive.rs`.

use crate::model::Usage;

/// What a directive does to its usages, before its value is known (semantics, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DirectiveEffect {
    /// It prohibits them.
    Prohibits,
    /// It limits them by a value.
    Limits(ValueKind),
    /// It permits them on a fixed condition: the name and the value of the condition.
    Requires(&'static str, &'static str),
    /// It permits them, but lifts no restriction.
    Permits,
    /// It has no effect and is kept as data.
    Data,
}

/// The value of a directive that limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueKind {
    /// Number of characters of an extract; -1 means no limit.
    Characters,
    /// `none`, `standard` or `large`.
    ImageSize,
    /// Seconds of a video; -1 means no limit.
    Seconds,
    /// A date from which the usages are prohibited.
    Date,
}

/// A row of the table of directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownDirective {
    /// Its spelling.
    pub name: &'static str,
    /// What it does.
    pub effect: DirectiveEffect,
    /// The usages it applies to.
    pub usages: &'static [Usage],
}

/// Every directive of semantics section 5.
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

/// Training of AI models, and the usage it contains.
pub(crate) const TRAINING: &[Usage] = &[Usage::TrainAi, Usage::TrainGenai];

/// Returns the directive of this name, in any ASCII case.
#[must_use]
pub fn known_directive(name: &str) -> Option<&'static KnownDirective> {
    DIRECTIVES.iter().find(|known| known.name.eq_ignore_ascii_case(name))
}
