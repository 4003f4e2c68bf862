//! RSL 1.0's words for usages and payments (S-45).

use crate::model::Usage;

/// A word for usages in RSL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LicenceWord {
    pub(crate) name: &'static str,
    pub(crate) usages: &'static [Usage],
    /// How wide the word is. For example, `ai-all` is wider than `ai-train`. If several words address a usage, the
    /// narrowest word (with the lowest width) counts.
    pub(crate) width: u8,
}

/// RSL 1.0's words for usages.
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

/// The kinds of payment in RSL 1.0. `inference` from RSL 0.9 is left out, and `free` is not a payment.
pub(crate) const PAYMENTS: &[&str] =
    &["purchase", "subscription", "training", "crawl", "use", "contribution", "attribution"];
