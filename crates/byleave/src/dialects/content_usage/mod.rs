//! `Content-Usage` (AIPREF): a dictionary of labels with `y` or `n` (S-41).
//!
//! The grammar is that of a Structured Field, and to the letter: a value that is no dictionary says nothing, and a label
//! with another value than the tokens `y` and `n` neither. Labels of earlier revisions are read as they were meant.

pub(crate) mod vocabulary;

use crate::dialects::content_usage::vocabulary::LABELS;
use crate::dialects::preference::{Notes, Said, bit};
use crate::formats::http::{DictionaryMember, dictionary};
use crate::model::Usage;
use crate::model::diagnostic::{Code, shown};

/// What a dictionary says. Nothing where it is none.
///
/// `is_strict`: labels of earlier revisions permit nothing (S-18).
pub(crate) fn read(value: &[u8], is_strict: bool, notes: Notes<'_>) -> Option<Said> {
    let Some(members) = dictionary(value) else {
        let message = format!("`{}` is no dictionary, so all of it says nothing", shown(value, (0, value.len())));
        notes(Code::BadPreference, (0, value.len()), message, DICTIONARY);
        return None;
    };
    let mut said = Said::default();
    // The nearer label of two counts: for `search` its own before `all`.
    let mut nearest = [u8::MAX; Usage::NAMED.len()];
    for DictionaryMember { key, token, span } in members {
        let Some(label) = LABELS.iter().find(|label| label.name.as_bytes() == key) else {
            let message = format!("`{}` is no label of AIPREF, so it says nothing", shown(key, (0, key.len())));
            notes(Code::UnknownPreference, span, message, "there are `train-ai`, `ai-use` and `search`");
            continue;
        };
        if label.is_legacy {
            let message = format!("`{}` is a label of an earlier draft", label.name);
            notes(Code::LegacyLabel, span, message, "write `train-ai`, `ai-use` or `search`");
        }
        let permits = match token {
            Some(b"y") => !(label.is_legacy && is_strict),
            Some(b"n") => false,
            _ => {
                said.unreadable |= label.usages.iter().fold(0, |all, (usage, _)| all | bit(usage));
                let message = format!("`{}` has neither `y` nor `n`, so it says nothing", shown(value, span));
                notes(Code::BadPreference, span, message, "write `y` or `n`, in lower case and without quotes");
                continue;
            }
        };
        for (usage, rank) in label.usages {
            // What is said of generative models alone prohibits training, and permits no other (S-02).
            if permits && label.is_part_of(usage) {
                continue;
            }
            let Some(known) = usage.number().and_then(|number| nearest.get_mut(usize::from(number))) else { continue };
            let one = bit(usage);
            if *rank < *known {
                *known = *rank;
                said.permits &= !one;
                said.prohibits &= !one;
            }
            if *rank == *known {
                if permits { said.permits |= one } else { said.prohibits |= one }
            }
        }
    }
    said.permits &= !said.prohibits;
    said.unreadable &= !(said.permits | said.prohibits);
    Some(said)
}

const DICTIONARY: &str = "write labels in lower case with `y` or `n`, parted by commas: `train-ai=n, search=y`";

#[cfg(test)]
mod tests {
    use super::*;

    fn said(value: &str) -> Vec<(&'static str, char)> {
        let said = read(value.as_bytes(), false, &mut |_, _, _, _| {}).unwrap_or_default();
        let of = |usage: &Usage| match bit(usage) {
            one if said.prohibits & one != 0 => Some('n'),
            one if said.permits & one != 0 => Some('y'),
            _ => None,
        };
        let usages = [Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::Search];
        let names = ["tdm", "train-ai", "train-genai", "ai-input", "search"];
        usages.iter().zip(names).filter_map(|(usage, name)| Some((name, of(usage)?))).collect()
    }

    #[test]
    fn s41_only_the_tokens_y_and_n_say_something() {
        assert_eq!(said("train-ai=n, search=y"), [("train-ai", 'n'), ("train-genai", 'n'), ("search", 'y')]);
        assert_eq!(said("train-ai=y, train-ai, search=n, search=\"n\""), []);
        assert_eq!(said("train-ai;allow=n, train-ai=y"), [("train-ai", 'y'), ("train-genai", 'y')]);
        assert_eq!(said("train-ai;has;parameters=\"?\""), []);
        assert_eq!(said("TRAIN-AI=n"), []);
        assert_eq!(said("train-ai=n,"), []);
        assert_eq!(said("train-ai=no, ai-use=?0"), []);
        assert_eq!(said(""), []);
    }

    #[test]
    fn s41_labels_of_earlier_drafts_are_read_as_they_were_meant() {
        assert_eq!(said("ai=n"), [("train-ai", 'n'), ("train-genai", 'n')]);
        assert_eq!(said("genai=n"), [("train-ai", 'n'), ("train-genai", 'n')]);
        assert_eq!(said("genai=y"), [("train-genai", 'y')]);
        let all = [("tdm", 'n'), ("train-ai", 'n'), ("train-genai", 'n'), ("ai-input", 'n'), ("search", 'n')];
        assert_eq!(said("bots=n"), all);
        assert_eq!(said("all=n, search=y").last(), Some(&("search", 'y')));
        assert_eq!(said("ai-output=n"), [("ai-input", 'n'), ("search", 'n')]);
        assert_eq!(said("train-ai=y, train-genai=n"), [("train-ai", 'y'), ("train-genai", 'n')]);
        assert_eq!(said("search=maybe, all=n").last(), Some(&("search", 'n')));
    }
}
