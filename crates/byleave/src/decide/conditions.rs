//! Checks conditions against the time, history and details of a proposed use (S-20, S-29).
//!
//! This file also joins the conditions of several statements (S-08). `dialects/acap` parses qualifiers.

use crate::base::timestamp::Timestamp;
use crate::dialects::acap::Acap;
use crate::dialects::acap::QUALIFIERS;
use crate::dialects::acap::{Term, TermValue};
use crate::dialects::content_signal::level_of_use;
use crate::model::proposed_use::ProposedUse;
use crate::model::{Condition, LengthUnit, TimeLimit};
use std::collections::BTreeSet;

/// The result of checking a term against a proposed use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConditionStatus {
    /// The use can meet the term. Contains the time at which the term ends, if it is known.
    Open(Option<Timestamp>),
    /// The time limit has passed.
    Lapsed,
    /// The use as described breaks the term.
    Broken,
}

/// Checks a term against the proposed use.
pub(super) fn check(term: &Term, acap: &Acap, proposed: &ProposedUse<'_>) -> ConditionStatus {
    let details = &proposed.details;
    let by = |end: Option<Timestamp>| match (end, proposed.at) {
        (Some(end), Some(at)) if at >= end => ConditionStatus::Lapsed,
        // Leaves out an end after the year 9999, which RFC 3339 cannot express.
        (end, _) => ConditionStatus::Open(end.filter(|end| end.is_writable())),
    };
    let is_longer = |most: u64, count: fn(&str) -> u64| {
        if details.snippet.is_some_and(|snippet| count(snippet) > most) {
            ConditionStatus::Broken
        } else {
            ConditionStatus::Open(None)
        }
    };
    match term.value {
        TermValue::UntilRecrawled if proposed.history.is_recrawled => ConditionStatus::Lapsed,
        TermValue::UntilRecrawled => ConditionStatus::Open(None),
        TermValue::Until(end) => by(Some(end)),
        TermValue::Days(days) => by(proposed.history.first_used.and_then(|first| first.after_days(days))),
        TermValue::Chars(most) => is_longer(most, characters),
        TermValue::Words(most) => is_longer(most, words),
        TermValue::Text(text) => {
            let value = text.of(&acap.arena);
            let is_broken = match QUALIFIERS.get(usize::from(term.qualifier)).map(|word| word.name) {
                Some("prohibited-modification") => details.modification.is_some_and(|done| {
                    let done = done.as_bytes();
                    !done.eq_ignore_ascii_case(b"none")
                        && (value == b"any" || done.eq_ignore_ascii_case(b"any") || done.eq_ignore_ascii_case(value))
                }),
                Some("prohibited-context") => {
                    details.context.is_some_and(|context| context.as_bytes().eq_ignore_ascii_case(value))
                }
                Some("required-context") => {
                    details.context.is_some_and(|context| !context.as_bytes().eq_ignore_ascii_case(value))
                }
                _ => false,
            };
            if is_broken { ConditionStatus::Broken } else { ConditionStatus::Open(None) }
        }
    }
}

/// Returns the number of Unicode scalar values after whitespace is collapsed and trimmed.
pub(super) fn characters(text: &str) -> u64 {
    let words = text.split_whitespace();
    let (letters, count) = words.fold((0, 0u64), |(letters, count), word| (letters + word.chars().count(), count + 1));
    letters as u64 + count.saturating_sub(1)
}

/// Returns the number of words, which are separated by whitespace.
fn words(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}

/// Returns the condition that a term states.
pub(crate) fn condition(term: &Term, acap: &Acap) -> Condition {
    match term.value {
        TermValue::UntilRecrawled => Condition::TimeLimit(TimeLimit::UntilRecrawled),
        TermValue::Until(end) => Condition::TimeLimit(TimeLimit::UntilDate(end)),
        TermValue::Days(days) => Condition::TimeLimit(TimeLimit::Days(days)),
        TermValue::Chars(most) => Condition::MaxLength(most, LengthUnit::Chars),
        TermValue::Words(most) => Condition::MaxLength(most, LengthUnit::Words),
        TermValue::Text(text) => {
            let name = QUALIFIERS.get(usize::from(term.qualifier)).map_or("", |word| word.name);
            Condition::Term(name.to_owned(), String::from_utf8_lossy(text.of(&acap.arena)).into_owned())
        }
    }
}

/// Joins conditions (S-08). If conditions have the same kind and unit, the smallest of them counts. All other
/// conditions are kept.
pub(crate) fn join(conditions: impl IntoIterator<Item = Condition>) -> Vec<Condition> {
    use Condition::{MaxLength, MaxVideoPreview, TimeLimit as Limit};
    use TimeLimit::{Days, Until, UntilDate};
    let mut smallest: [Option<Condition>; 6] = [const { None }; 6];
    let mut others: BTreeSet<Condition> = BTreeSet::new();
    // Sorts by time, earliest first. If two times are equal, the one written as a date comes first.
    let instant = |end: &Timestamp| (end.unix() as u64) ^ 1 << 63;
    let kind_and_size = |condition: &Condition| {
        Some(match condition {
            MaxLength(length, LengthUnit::Chars) => (0, (*length, 0)),
            MaxLength(length, LengthUnit::Words) => (1, (*length, 0)),
            Limit(Days(days)) => (2, (*days, 0)),
            Limit(UntilDate(end)) => (3, (instant(end), 0)),
            Limit(Until(end)) => (3, (instant(end), 1)),
            MaxVideoPreview(seconds) => (4, (*seconds, 0)),
            Condition::Term(..) => (5, (level_of_use(condition)? as u64, 0)),
            Limit(TimeLimit::UntilRecrawled) => return None,
        })
    };
    for condition in conditions {
        let Some((kind, size)) = kind_and_size(&condition) else {
            others.insert(condition);
            continue;
        };
        if let Some(known) = smallest.get_mut(kind)
            && known.as_ref().and_then(kind_and_size).is_none_or(|(_, known)| size < known)
        {
            *known = Some(condition);
        }
    }
    others.extend(smallest.into_iter().flatten());
    others.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s08_of_one_kind_and_unit_the_smaller() {
        let days = |n| Condition::TimeLimit(TimeLimit::Days(n));
        let length = |n, unit| Condition::MaxLength(n, unit);
        let joined = join([days(9), length(5, LengthUnit::Words), days(3), length(7, LengthUnit::Chars), days(4)]);
        assert_eq!(joined, [days(3), length(5, LengthUnit::Words), length(7, LengthUnit::Chars)]);
    }

    #[test]
    fn s29_characters_are_counted_after_whitespace_is_collapsed() {
        assert_eq!(characters("  a\n bc  "), 4);
        assert_eq!(characters("ツツ"), 2);
        assert_eq!(words(" a\tb  c "), 3);
    }
}
