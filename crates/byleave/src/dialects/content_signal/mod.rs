//! Content Signals: `search`, `ai-input` and `ai-train`, each with `yes` or `no`, and `use` (S-42).
//!
//! Signals are parsed in robots.txt, headers and META tags.

use crate::dialects::preference::bit;
use crate::dialects::preference::{Claims, Limit, Notes, with_contained};
use crate::dialects::preference::{FieldClaims, Preferences, path_and_rest, shifted};
use crate::formats::http::{FieldLine, Headers};
use crate::model::Condition;
use crate::model::Dialect;
use crate::model::Usage;
use crate::model::diagnostic::{Code, shown};
use crate::model::reading::Switches;
use crate::robots_txt::Field;

/// Returns the effect of a list of signals. If a signal occurs twice, the restrictive value counts. If one value of a
/// signal is unreadable, the signal permits nothing.
pub(crate) fn read(value: &[u8], notes: Notes<'_>) -> Claims {
    let mut claims = Claims::default();
    let mut at = 0;
    for part in value.split(|byte| matches!(byte, b',' | b';')) {
        let (start, end) = (at + part.len() - part.trim_ascii_start().len(), at + part.trim_ascii_end().len());
        at += part.len() + 1;
        if start >= end {
            continue;
        }
        match is_unparted(value.get(start..end).unwrap_or_default()) {
            true => unparted(value, (start, end), &mut claims, notes),
            false => one(value, (start, end), &mut claims, notes),
        }
    }
    claims.permits &= !(claims.prohibits | claims.unreadable);
    claims.unreadable &= !(claims.prohibits | claims.limited());
    claims
}

/// Whether a part between commas contains several signals, as in `search=yes ai-train=no`.
fn is_unparted(part: &[u8]) -> bool {
    let has_value = |signal: &&[u8]| memchr::memchr(b'=', signal).is_some_and(|equals| equals > 0);
    part.split(u8::is_ascii_whitespace).filter(has_value).count() > 1
}

/// Adds signals that are not separated by a comma. Their prohibitions and limits count, but their permissions do not.
fn unparted(value: &[u8], (start, end): (usize, usize), claims: &mut Claims, notes: Notes<'_>) {
    let message = format!("`{}` lacks a comma between signals, so they permit nothing", shown(value, (start, end)));
    notes(Code::BadPreference, (start, end), message, "put a comma between signals");
    let mut found = Claims::default();
    let part = value.get(start..end).unwrap_or_default();
    for signal in part.split(u8::is_ascii_whitespace).filter(|signal| memchr::memchr(b'=', signal).is_some()) {
        // A second `=` in a signal is part of its value.
        one(signal, (0, signal.len()), &mut found, &mut |_, _, _, _| {});
    }
    claims.prohibits |= found.prohibits;
    claims.unreadable |= found.permits | found.unreadable;
    claims.limits.extend(found.limits);
}

fn one(value: &[u8], span: (usize, usize), claims: &mut Claims, notes: Notes<'_>) {
    let part = value.get(span.0..span.1).unwrap_or_default();
    let written = || shown(value, span);
    let equals = part.iter().position(|byte| *byte == b'=').unwrap_or(part.len());
    let (key, setting) = (part.get(..equals).unwrap_or_default(), part.get(equals + 1..).unwrap_or_default());
    let (key, setting) = (key.trim_ascii(), setting.trim_ascii());
    let is = |word: &str| setting.eq_ignore_ascii_case(word.as_bytes());
    if key.eq_ignore_ascii_case(b"use") {
        let level = LEVELS.iter().find(|level| is(level));
        if level.is_none() {
            let message =
                format!("`{}` is not a level of use; it is read as the strictest level, `{}`", written(), LEAST);
            notes(Code::BadPreference, span, message, "write `immediate`, `reference` or `full`");
        }
        // The level `full` does not set a limit.
        let level = level.copied().unwrap_or(LEAST);
        if level != FULL {
            let condition = Condition::Term("use".to_owned(), level.to_owned());
            claims.limits.push(Limit { usages: bit(&Usage::AiInput), condition, at: None });
        }
        return;
    }
    let Some((_, usages)) = SIGNALS.iter().find(|(name, _)| key.eq_ignore_ascii_case(name.as_bytes())) else {
        let message = format!("`{}` is not a content signal, so it has no effect", written());
        notes(Code::UnknownPreference, span, message, "write `search`, `ai-input` or `ai-train`");
        return;
    };
    let usages = with_contained(usages);
    if is("no") {
        claims.prohibits |= usages;
    } else if is("yes") {
        claims.permits |= usages;
    } else {
        claims.unreadable |= usages;
        let message = format!("`{}` has neither `yes` nor `no`, so it has no effect", written());
        notes(Code::BadPreference, span, message, "write `yes` or `no`");
    }
}

/// Returns the rank of the level in a `use` condition, or `None` for other conditions. The lower the rank, the less AI
/// systems may keep.
pub(crate) fn level_of_use(condition: &Condition) -> Option<usize> {
    let Condition::Term(name, level) = condition else { return None };
    LEVELS.iter().position(|known| name == "use" && level == known)
}

/// The levels of `use`, ordered by how much AI systems may keep, least first.
const LEVELS: [&str; 3] = [LEAST, "reference", FULL];
const LEAST: &str = "immediate";
const FULL: &str = "full";

/// The name of the header field, the META tag and the robots.txt field.
const NAME: &str = "content-signal";

/// Parses the robots.txt field's value: an optional path, then the signals.
pub(crate) fn parse_field(_: Field, value: &[u8], _: &Switches, notes: Notes<'_>) -> Option<FieldClaims> {
    let (path, rest, from) = path_and_rest(value);
    let claims = read(rest, &mut shifted(notes, from));
    Some(FieldClaims { path: path.map(|path| (0, path.len())), claims })
}

/// Adds the effect of each header line.
pub(crate) fn add_headers(preferences: &mut Preferences, headers: &Headers, _: &Switches) {
    for line in headers.named(NAME) {
        let claims = read(line.value, &mut |_, _, _, _| {});
        preferences.push_header_line(Dialect::ContentSignal, headers, &line, claims);
    }
}

/// Reports problems in a header line.
pub(crate) fn diagnose_header(line: &FieldLine<'_>, notes: Notes<'_>) {
    if line.name.eq_ignore_ascii_case(NAME.as_bytes()) {
        read(line.value, notes);
    }
}

/// Parses a META tag. No draft defines this META tag, so it permits nothing.
pub(crate) fn parse_meta(name: &[u8], content: &[u8], notes: Notes<'_>) -> Option<Claims> {
    let claims = name.eq_ignore_ascii_case(NAME.as_bytes()).then(|| read(content, notes))?;
    Some(Claims { permits: 0, ..claims })
}

/// The content signals that have the values `yes` and `no`.
pub(crate) const SIGNALS: &[(&str, &[Usage])] =
    &[("search", &[Usage::Search]), ("ai-input", &[Usage::AiInput]), ("ai-train", &[Usage::TrainAi])];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s42_signals_are_yes_or_no_and_the_restrictive_one_counts() {
        let claims = |value: &str| read(value.as_bytes(), &mut |_, _, _, _| {});
        let search = claims("search=yes,ai-train=no");
        assert_eq!(search.permits, bit(&Usage::Search));
        assert_eq!(search.prohibits, bit(&Usage::TrainAi) | bit(&Usage::TrainGenai));
        assert_eq!(claims("AI-Train=NO, ai-train=yes").permits, 0);
        assert_eq!(
            claims("ai-input = yes ; search=maybe, train-ai=n, =, x"),
            Claims { permits: bit(&Usage::AiInput), unreadable: bit(&Usage::Search), ..Claims::default() }
        );
        let training = bit(&Usage::TrainAi) | bit(&Usage::TrainGenai);
        assert_eq!(claims("ai-train=maybe, ai-train=no"), Claims { prohibits: training, ..Claims::default() });
        assert_eq!(claims("ai-train=yes, ai-train"), Claims { unreadable: training, ..Claims::default() });
        assert_eq!(claims("ai-input=maybe, use=reference").unreadable, 0);
        let limit = |value: &str| claims(value).limits.first().map(|limit| limit.condition.to_string());
        assert_eq!(limit("use=reference").as_deref(), Some("use=reference"));
        assert_eq!(limit("use=some").as_deref(), Some("use=immediate"));
        assert_eq!(limit("use=full"), None);
    }
}
