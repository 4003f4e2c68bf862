//! The `Content-Usage` labels in every revision of the AIPREF vocabulary (S-41).

use crate::model::Usage;

/// A `Content-Usage` label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    pub(crate) name: &'static str,
    /// The usages that the label addresses, each with a rank. If several labels address a usage, the label with the
    /// lowest rank counts.
    pub(crate) usages: &'static [(Usage, u8)],
    /// Whether the newest draft no longer defines the label.
    pub(crate) is_legacy: bool,
}

impl Label {
    /// Whether the label addresses only a part of this usage. For example, `genai` addresses only a part of AI
    /// training.
    pub(crate) fn is_part_of(&self, usage: &Usage) -> bool {
        *usage == Usage::TrainAi && matches!(self.name, "genai" | "train-genai")
    }
}

/// Every label from the first to the ninth draft of the vocabulary.
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
