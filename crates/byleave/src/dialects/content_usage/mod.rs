//! `Content-Usage` (AIPREF): a dictionary of labels with `y` or `n` (S-41).
//!
//! The value is a Structured Field dictionary and is parsed strictly. A value that is not a dictionary has no effect. A
//! label whose value is not the token `y` or `n` has no effect either. Labels from earlier drafts keep their meaning.

pub(crate) mod vocabulary;

use crate::base::source::Location;
use crate::dialects::content_usage::vocabulary::LABELS;
use crate::dialects::preference::{Claims, Notes, bit};
use crate::dialects::preference::{
    FieldClaims, Place, Preference, Preferences, line_of_headers, path_and_rest, shifted,
};
use crate::formats::http::{DictionaryMember, dictionary};
use crate::formats::http::{FieldLine, Headers};
use crate::model::Dialect;
use crate::model::Usage;
use crate::model::diagnostic::{Code, shown};
use crate::model::reading::Switches;
use crate::robots_txt::Field;

/// Returns the effect of a dictionary, or `None` if the value is not a dictionary.
///
/// If `is_strict`, labels from earlier drafts permit nothing (S-18).
pub(crate) fn read(value: &[u8], is_strict: bool, notes: Notes<'_>) -> Option<Claims> {
    let Some(members) = dictionary(value) else {
        let message = format!("`{}` is not a dictionary, so none of it has an effect", shown(value, (0, value.len())));
        notes(Code::BadPreference, (0, value.len()), message, DICTIONARY);
        return None;
    };
    let mut claims = Claims::default();
    // If two labels address a usage, the nearer label counts. For example, `search` takes precedence over `all` for the
    // usage `search`.
    let mut nearest = [u8::MAX; Usage::NAMED.len()];
    for DictionaryMember { key, token, span } in members {
        let Some(label) = LABELS.iter().find(|label| label.name.as_bytes() == key) else {
            let message = format!("`{}` is not an AIPREF label, so it has no effect", shown(key, (0, key.len())));
            notes(Code::UnknownPreference, span, message, "write `train-ai`, `ai-use` or `search`");
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
                claims.unreadable |= label.usages.iter().fold(0, |all, (usage, _)| all | bit(usage));
                let message = format!("`{}` has neither `y` nor `n`, so it has no effect", shown(value, span));
                notes(Code::BadPreference, span, message, "write `y` or `n`, in lower case and without quotes");
                continue;
            }
        };
        for (usage, rank) in label.usages {
            // A label that covers only generative models can prohibit all AI training, but it cannot permit it (S-02).
            if permits && label.is_part_of(usage) {
                continue;
            }
            let Some(known) = usage.number().and_then(|number| nearest.get_mut(usize::from(number))) else { continue };
            let one = bit(usage);
            if *rank < *known {
                *known = *rank;
                claims.permits &= !one;
                claims.prohibits &= !one;
            }
            if *rank == *known {
                if permits { claims.permits |= one } else { claims.prohibits |= one }
            }
        }
    }
    claims.permits &= !claims.prohibits;
    claims.unreadable &= !(claims.permits | claims.prohibits);
    Some(claims)
}

const DICTIONARY: &str = "write labels in lower case with `y` or `n`, separated by commas: `train-ai=n, search=y`";

/// The name of the header field, the META tag and the robots.txt field.
const NAME: &str = "content-usage";

/// Parses the robots.txt field's value: an optional path, then the dictionary. A label may also begin with `*`.
pub(crate) fn parse_field(_: Field, value: &[u8], switches: &Switches, notes: Notes<'_>) -> Option<FieldClaims> {
    let is_dictionary = value.starts_with(b"*") && dictionary(value).is_some();
    let (path, rest, from) = if is_dictionary { (None, value, 0) } else { path_and_rest(value) };
    let claims = read(rest, switches.leniency_prohibits, &mut shifted(notes, from))?;
    Some(FieldClaims { path: path.map(|path| (0, path.len())), claims })
}

/// Adds the effect of the header fields. Several lines form one dictionary (RFC 9110, 5.3). Empty lines are skipped.
/// Each effect is attributed to the last line that has this effect on its own, or to all lines together if there is no
/// such line.
pub(crate) fn add_headers(preferences: &mut Preferences, headers: &Headers, switches: &Switches) {
    let lines: Vec<_> = headers.named(NAME).filter(|line| !line.value.trim_ascii().is_empty()).collect();
    let read = |value: &[u8]| read(value, switches.leniency_prohibits, &mut |_, _, _, _| {});
    let joined = lines.iter().map(|line| line.value).collect::<Vec<_>>().join(&b", "[..]);
    let Some(mut left) = read(&joined) else { return };
    let mut shares = Vec::with_capacity(lines.len());
    for line in lines.iter().rev() {
        let own = read(line.value).unwrap_or_default();
        let claims = Claims {
            permits: left.permits & own.permits,
            prohibits: left.prohibits & own.prohibits,
            unreadable: left.unreadable & own.unreadable,
            ..Claims::default()
        };
        left.permits &= !claims.permits;
        left.prohibits &= !claims.prohibits;
        left.unreadable &= !claims.unreadable;
        shares.push((line, claims));
    }
    for (line, claims) in shares.into_iter().rev() {
        preferences.push_header_line(Dialect::ContentUsage, headers, line, claims);
    }
    if let ([first, .., last], true) = (lines.as_slice(), left != Claims::default()) {
        let written: Vec<&[u8]> = lines.iter().map(|line| line_of_headers(headers, line).of(headers.text())).collect();
        let at = Location { end: last.span.end, ..line_of_headers(headers, first) };
        let place = Place::At(at, preferences.keep(&written.join(&b"\n"[..])));
        preferences.push(Preference { dialect: Dialect::ContentUsage, group: None, path: None, claims: left, place });
    }
}

/// Reports problems in a header line.
pub(crate) fn diagnose_header(line: &FieldLine<'_>, notes: Notes<'_>) {
    if line.name.eq_ignore_ascii_case(NAME.as_bytes()) {
        read(line.value, false, notes);
    }
}

/// Parses a META tag. No draft defines this META tag, so it permits nothing.
pub(crate) fn parse_meta(name: &[u8], content: &[u8], notes: Notes<'_>) -> Option<Claims> {
    let claims = name.eq_ignore_ascii_case(NAME.as_bytes()).then(|| read(content, false, notes))??;
    Some(Claims { permits: 0, ..claims })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(value: &str) -> Vec<(&'static str, char)> {
        let claims = read(value.as_bytes(), false, &mut |_, _, _, _| {}).unwrap_or_default();
        let of = |usage: &Usage| match bit(usage) {
            one if claims.prohibits & one != 0 => Some('n'),
            one if claims.permits & one != 0 => Some('y'),
            _ => None,
        };
        let usages = [Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::Search];
        let names = ["tdm", "train-ai", "train-genai", "ai-input", "search"];
        usages.iter().zip(names).filter_map(|(usage, name)| Some((name, of(usage)?))).collect()
    }

    #[test]
    fn s41_only_the_tokens_y_and_n_say_something() {
        assert_eq!(claims("train-ai=n, search=y"), [("train-ai", 'n'), ("train-genai", 'n'), ("search", 'y')]);
        assert_eq!(claims("train-ai=y, train-ai, search=n, search=\"n\""), []);
        assert_eq!(claims("train-ai;allow=n, train-ai=y"), [("train-ai", 'y'), ("train-genai", 'y')]);
        assert_eq!(claims("train-ai;has;parameters=\"?\""), []);
        assert_eq!(claims("TRAIN-AI=n"), []);
        assert_eq!(claims("train-ai=n,"), []);
        assert_eq!(claims("train-ai=no, ai-use=?0"), []);
        assert_eq!(claims(""), []);
    }

    #[test]
    fn s41_labels_of_earlier_drafts_are_read_as_they_were_meant() {
        assert_eq!(claims("ai=n"), [("train-ai", 'n'), ("train-genai", 'n')]);
        assert_eq!(claims("genai=n"), [("train-ai", 'n'), ("train-genai", 'n')]);
        assert_eq!(claims("genai=y"), [("train-genai", 'y')]);
        let all = [("tdm", 'n'), ("train-ai", 'n'), ("train-genai", 'n'), ("ai-input", 'n'), ("search", 'n')];
        assert_eq!(claims("bots=n"), all);
        assert_eq!(claims("all=n, search=y").last(), Some(&("search", 'y')));
        assert_eq!(claims("ai-output=n"), [("ai-input", 'n'), ("search", 'n')]);
        assert_eq!(claims("train-ai=y, train-genai=n"), [("train-ai", 'y'), ("train-genai", 'n')]);
        assert_eq!(claims("search=maybe, all=n").last(), Some(&("search", 'n')));
    }
}
