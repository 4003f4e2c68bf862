//! The words of RSL 1.0 for usages and payments (S-45).

use crate::model::Usage;

/// A word for usages in RSL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LicenceWord {
    pub(crate) name: &'static str,
    pub(crate) usages: &'static [Usage],
    /// Of several words for one usage, the one with the lowest width is the narrowest, and counts.
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

/// The kinds of payment in RSL 1.0, without `inference` of RSL 0.9; `free` is not a payment.
pub(crate) const PAYMENTS: &[&str] =
    &["purchase", "subscription", "training", "crawl", "use", "contribution", "attribution"];
