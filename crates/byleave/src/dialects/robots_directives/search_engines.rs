//! Directives to which search engines give another meaning than the general table (S-48).
//!
//! A row here replaces the general row with the same name. A directive that a search engine ignores is stored as data.

use super::{DirectiveEffect, KnownDirective, TRAINING, ValueKind};
use crate::model::Usage;
use crate::model::reading::DirectiveTable;

/// Returns the rows that replace rows of the general table for this search engine.
pub(crate) fn table(directives: DirectiveTable) -> &'static [KnownDirective] {
    match directives {
        DirectiveTable::General => &[],
        DirectiveTable::GoogleSearch => GOOGLE_SEARCH_DIRECTIVES,
        DirectiveTable::Bing => BING_DIRECTIVES,
        DirectiveTable::Amazon => AMAZON_DIRECTIVES,
    }
}

const fn ignored(name: &'static str) -> KnownDirective {
    KnownDirective { name, effect: DirectiveEffect::Data, usages: &[] }
}

/// Google Search: AI answers use snippets, there are no cached copies, and permissive directives are ignored.
pub(crate) const GOOGLE_SEARCH_DIRECTIVES: &[KnownDirective] = &[
    KnownDirective { name: "nosnippet", effect: DirectiveEffect::Prohibits, usages: SNIPPETS_AND_ANSWERS },
    KnownDirective {
        name: "max-snippet",
        effect: DirectiveEffect::Limits(ValueKind::Characters),
        usages: SNIPPETS_AND_ANSWERS,
    },
    ignored("noarchive"),
    ignored("nocache"),
    ignored("archive"),
    ignored("index"),
    ignored("follow"),
    ignored("all"),
    ignored("noai"),
    ignored("noimageai"),
    ignored("DisallowAITraining"),
    ignored("AllowAITraining"),
];

/// Bing: AI answers and training use cached copies.
pub(crate) const BING_DIRECTIVES: &[KnownDirective] = &[
    KnownDirective {
        name: "noarchive",
        effect: DirectiveEffect::Prohibits,
        usages: &[Usage::PresentCurrentcopy, Usage::PresentOldcopy, Usage::AiInput, Usage::TrainAi, Usage::TrainGenai],
    },
    KnownDirective {
        name: "nocache",
        effect: DirectiveEffect::Requires("limited-to", "url-title-snippet"),
        usages: &[Usage::AiInput, Usage::TrainAi, Usage::TrainGenai],
    },
];

/// Amazon: `noarchive` prohibits training, and `none` prohibits only indexing.
pub(crate) const AMAZON_DIRECTIVES: &[KnownDirective] = &[
    KnownDirective { name: "noarchive", effect: DirectiveEffect::Prohibits, usages: TRAINING },
    KnownDirective { name: "none", effect: DirectiveEffect::Prohibits, usages: &[Usage::Index] },
];

const SNIPPETS_AND_ANSWERS: &[Usage] = &[Usage::PresentSnippet, Usage::PresentOldsnippet, Usage::AiInput];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s48_a_row_takes_a_value_if_the_row_it_replaces_does() {
        for own in [GOOGLE_SEARCH_DIRECTIVES, BING_DIRECTIVES, AMAZON_DIRECTIVES].concat() {
            let known = crate::dialects::robots_directives::vocabulary::known_directive(own.name)
                .map(|known| (known.name, known.effect));
            let is_valued = |effect: DirectiveEffect| matches!(effect, DirectiveEffect::Limits(_));
            assert!(known.is_some_and(|(name, effect)| name == own.name && is_valued(effect) == is_valued(own.effect)));
        }
    }
}
