//! What words of META and headers mean to search engines, where that is not what the table of words says (S-48).
//!
//! A row here stands in the place of the one of the same name. What a search engine does not read is kept as data.

use super::{TRAINING, ValueKind, Word, WordEffect};
use crate::model::Usage;
use crate::model::reading::DirectiveTable;

/// Returns the rows that come before those of the general table.
pub(crate) fn table(directives: DirectiveTable) -> &'static [Word] {
    match directives {
        DirectiveTable::General => &[],
        DirectiveTable::GoogleSearch => GOOGLE_SEARCH_WORDS,
        DirectiveTable::Bing => BING_WORDS,
        DirectiveTable::Amazon => AMAZON_WORDS,
    }
}

const fn unread(name: &'static str) -> Word {
    Word { name, effect: WordEffect::Data, usages: &[] }
}

/// Google Search: answers by AI are made of snippets, there are no copies, and what is permitted anyway need not be said.
pub(crate) const GOOGLE_SEARCH_WORDS: &[Word] = &[
    Word { name: "nosnippet", effect: WordEffect::Prohibits, usages: SNIPPETS_AND_ANSWERS },
    Word { name: "max-snippet", effect: WordEffect::Limits(ValueKind::Characters), usages: SNIPPETS_AND_ANSWERS },
    unread("noarchive"),
    unread("nocache"),
    unread("archive"),
    unread("index"),
    unread("follow"),
    unread("all"),
    unread("noai"),
    unread("noimageai"),
    unread("DisallowAITraining"),
    unread("AllowAITraining"),
];

/// Bing: a copy is what answers by AI and training are made of.
pub(crate) const BING_WORDS: &[Word] = &[
    Word {
        name: "noarchive",
        effect: WordEffect::Prohibits,
        usages: &[Usage::PresentCurrentcopy, Usage::PresentOldcopy, Usage::AiInput, Usage::TrainAi, Usage::TrainGenai],
    },
    Word {
        name: "nocache",
        effect: WordEffect::Requires("limited-to", "url-title-snippet"),
        usages: &[Usage::AiInput, Usage::TrainAi, Usage::TrainGenai],
    },
];

/// Amazon.
pub(crate) const AMAZON_WORDS: &[Word] = &[
    Word { name: "noarchive", effect: WordEffect::Prohibits, usages: TRAINING },
    Word { name: "none", effect: WordEffect::Prohibits, usages: &[Usage::Index] },
];

const SNIPPETS_AND_ANSWERS: &[Usage] = &[Usage::PresentSnippet, Usage::PresentOldsnippet, Usage::AiInput];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s48_a_row_has_the_form_of_the_word_it_stands_for() {
        for own in [GOOGLE_SEARCH_WORDS, BING_WORDS, AMAZON_WORDS].concat() {
            let known =
                crate::dialects::robots_directives::vocabulary::word(own.name).map(|known| (known.name, known.effect));
            let is_valued = |effect: WordEffect| matches!(effect, WordEffect::Limits(_));
            assert!(known.is_some_and(|(name, effect)| name == own.name && is_valued(effect) == is_valued(own.effect)));
        }
    }
}
