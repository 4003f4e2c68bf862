//! The words of today's dialects: labels of AIPREF in every revision, content signals, words of RSL and PLUS (S-41, S-42,
//! S-45, S-47).

use super::Usage;

/// A label of `Content-Usage`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    pub(crate) name: &'static str,
    /// The usages it speaks of; of several labels for one usage that of the lowest number counts.
    pub(crate) usages: &'static [(Usage, u8)],
    /// Whether the newest draft does not have it.
    pub(crate) is_legacy: bool,
}

impl Label {
    /// Whether it is about a part of a usage only.
    pub(crate) fn is_part_of(&self, usage: &Usage) -> bool {
        *usage == Usage::TrainAi && matches!(self.name, "genai" | "train-genai")
    }
}

/// Every label from the first draft of the vocabulary to the ninth.
pub(crate) const LABELS: &[Label] = &[
    Label { name: "train-ai", usages: &[(Usage::TrainAi, 0), (Usage::TrainGenai, 0)], is_legacy: false },
    Label { name: "ai-use", usages: &[(Usage::AiInput, 0)], is_legacy: false },
    Label { name: "search", usages: &[(Usage::Search, 0)], is_legacy: false },
    Label { name: "train-genai", usages: GENERATIVE, is_legacy: true },
    Label { name: "genai", usages: GENERATIVE, is_legacy: true },
    Label { name: "ai", usages: &[(Usage::TrainAi, 1), (Usage::TrainGenai, 0)], is_legacy: true },
    Label { name: "inference", usages: &[(Usage::AiInput, 1)], is_legacy: true },
    Label { name: "ai-output", usages: &[(Usage::AiInput, 1), (Usage::Search, 1)], is_legacy: true },
    Label { name: "tdm", usages: EVERYTHING, is_legacy: true },
    Label { name: "all", usages: EVERYTHING, is_legacy: true },
    Label { name: "bots", usages: EVERYTHING, is_legacy: true },
];

const GENERATIVE: &[(Usage, u8)] = &[(Usage::TrainGenai, 0), (Usage::TrainAi, 1)];

const EVERYTHING: &[(Usage, u8)] = &[
    (Usage::Tdm, 3),
    (Usage::TrainAi, 3),
    (Usage::TrainGenai, 3),
    (Usage::AiInput, 3),
    (Usage::AiIndex, 3),
    (Usage::Search, 3),
];

/// The content signals that are `yes` or `no`.
pub(crate) const SIGNALS: &[(&str, &[Usage])] =
    &[("search", &[Usage::Search]), ("ai-input", &[Usage::AiInput]), ("ai-train", &[Usage::TrainAi])];

/// A word for usages in RSL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LicenceWord {
    pub(crate) name: &'static str,
    pub(crate) usages: &'static [Usage],
    /// Of several words for one usage that of the lowest number is the narrowest, and counts.
    pub(crate) width: u8,
}

/// The words for usages in RSL 1.0.
pub(crate) const LICENCE_WORDS: &[LicenceWord] = &[
    LicenceWord { name: "ai-train", usages: &[Usage::TrainAi], width: 0 },
    LicenceWord { name: "ai-input", usages: &[Usage::AiInput], width: 0 },
    LicenceWord { name: "ai-index", usages: &[Usage::AiIndex], width: 0 },
    LicenceWord { name: "search", usages: &[Usage::Search], width: 0 },
    LicenceWord { name: "ai-all", usages: &[Usage::TrainAi, Usage::AiInput, Usage::AiIndex], width: 1 },
    LicenceWord {
        name: "all",
        usages: &[Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::AiIndex, Usage::Search],
        width: 2,
    },
];

/// The kinds of payment in RSL 1.0, `inference` of RSL 0.9 aside; `free` is none.
pub(crate) const PAYMENTS: &[&str] =
    &["purchase", "subscription", "training", "crawl", "use", "contribution", "attribution"];

/// What `plus:DataMining` may be, in the order of the vocabulary: what it prohibits, and what it permits.
pub(crate) const DATA_MINING: &[(&str, &[Usage], &[Usage])] = &[
    ("DMI-UNSPECIFIED", &[], &[]),
    ("DMI-ALLOWED", &[], &[Usage::Tdm]),
    ("DMI-PROHIBITED-AIMLTRAINING", &[Usage::TrainAi], &[]),
    ("DMI-PROHIBITED-GENAIMLTRAINING", &[Usage::TrainGenai], &[]),
    ("DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING", &[Usage::Tdm], &[Usage::Search]),
    ("DMI-PROHIBITED", &[Usage::Tdm], &[]),
    ("DMI-PROHIBITED-SEECONSTRAINT", &[Usage::Tdm], &[]),
    ("DMI-PROHIBITED-SEEEMBEDDEDRIGHTSEXPR", &[Usage::Tdm], &[]),
    ("DMI-PROHIBITED-SEELINKEDRIGHTSEXPR", &[Usage::Tdm], &[]),
];
