//! Writes the intents for one resource as directives for `Robots-Tag`, `X-Robots-Tag` and META tags.
//!
//! A directive cannot lift the restrictions of another directive (S-17), so a directive for everyone also binds a named
//! crawler. If no directive expresses an intent exactly, a stricter directive is written. If there is no stricter
//! directive either, nothing is written. The callers ask the engine whether the result has the intended effect.

use crate::usage_intent::UsageIntents;
use byleave::analysis::vocabulary::{DIRECTIVES, DirectiveEffect, KnownDirective, ValueKind};
use byleave::model::{Condition, LengthUnit, TimeLimit};
use byleave::{Outcome, Timestamp, Usage};

/// A directive with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenDirective {
    pub(crate) word: &'static str,
    pub(crate) value: Option<DirectiveValue>,
}

/// The value of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DirectiveValue {
    Number(u64),
    Token(&'static str),
    Until(Timestamp),
}

/// The directives for everyone, and those for each named crawler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WrittenDirectives {
    pub(crate) to_everyone: Vec<WrittenDirective>,
    pub(crate) by_name: Vec<(String, Vec<WrittenDirective>)>,
}

impl WrittenDirectives {
    /// Returns the directives for everyone, and for each named crawler the directives that go beyond them.
    pub(crate) fn of(everyone: &UsageIntents, named: &[(String, UsageIntents)]) -> Self {
        let to_everyone = directives_for(everyone);
        let by_name = named.iter().map(|(name, intents)| {
            let is_new = |directive: &WrittenDirective| {
                !to_everyone.contains(directive) && !has_no_effect(directive, &to_everyone)
            };
            let words = directives_for(intents).into_iter().filter(is_new);
            (name.clone(), words.collect::<Vec<_>>())
        });
        let by_name = by_name.filter(|(_, words)| !words.is_empty()).collect();
        Self { to_everyone, by_name }
    }

    /// Returns the `Robots-Tag` lines: one for everyone, and one per name.
    pub(crate) fn as_robots_tag(&self) -> Vec<String> {
        let parameter = |directive: &WrittenDirective| {
            // Keys are lower case (RFC 9651 3.1.2).
            let word = directive.word.to_ascii_lowercase();
            match directive.value {
                None => format!(";{word}"),
                Some(DirectiveValue::Number(number)) => format!(";{word}={number}"),
                Some(DirectiveValue::Token(token)) => format!(";{word}={token}"),
                Some(DirectiveValue::Until(instant)) => format!(";{word}=@{}", instant.unix()),
            }
        };
        self.each(|name, words| {
            let name = name.map_or("*".to_owned(), structured_name);
            format!("{name}{}", words.iter().map(parameter).collect::<String>())
        })
    }

    /// Returns the `X-Robots-Tag` lines.
    pub(crate) fn as_x_robots_tag(&self) -> Vec<String> {
        self.each(|name, words| {
            let prefix = name.map(|name| format!("{name}: ")).unwrap_or_default();
            format!("{prefix}{}", listed(words))
        })
    }

    /// Returns the META tags.
    pub(crate) fn as_meta(&self) -> Vec<String> {
        self.each(|name, words| {
            let name = attribute(name.unwrap_or("robots"));
            format!("<meta name=\"{name}\" content=\"{}\">", attribute(&listed(words)))
        })
    }

    fn each(&self, write: impl Fn(Option<&str>, &[WrittenDirective]) -> String) -> Vec<String> {
        let everyone = (!self.to_everyone.is_empty()).then(|| write(None, &self.to_everyone));
        let named = self.by_name.iter().map(|(name, words)| write(Some(name), words));
        everyone.into_iter().chain(named).collect()
    }
}

/// Returns whether a directive permits what a directive for everyone restricts. Such a directive has no effect (S-17).
fn has_no_effect(directive: &WrittenDirective, to_everyone: &[WrittenDirective]) -> bool {
    let read = |directive: &WrittenDirective| byleave::analysis::vocabulary::known_directive(directive.word);
    let restricted = to_everyone.iter().filter_map(read).filter(|word| word.effect != DirectiveEffect::Permits);
    let restricted: Vec<&Usage> = restricted.flat_map(|word| word.usages).collect();
    let is_restricted = |word: &KnownDirective| word.usages.iter().all(|usage| restricted.contains(&usage));
    read(directive).is_some_and(|word| word.effect == DirectiveEffect::Permits && is_restricted(word))
}

/// Returns the directives for these intents.
fn directives_for(intents: &UsageIntents) -> Vec<WrittenDirective> {
    let mut written: Vec<WrittenDirective> = Vec::new();
    let addresses = |written: &[WrittenDirective], usage: &Usage| {
        let known =
            written.iter().filter_map(|directive| byleave::analysis::vocabulary::known_directive(directive.word));
        known.into_iter().any(|word| word.usages.contains(usage))
    };
    // If two directives are equally suitable, the first in `DIRECTIVES` is written, because it is the usual one.
    for (usage, intent) in intents {
        let directive = match intent.outcome {
            Outcome::Prohibited => prohibition_of(usage),
            Outcome::Conditional => limit_of(usage, &intent.conditions).or_else(|| prohibition_of(usage)),
            Outcome::Permitted | Outcome::Unstated => None,
        };
        let Some(directive) = directive else { continue };
        match written.iter_mut().find(|known| known.word == directive.word) {
            Some(known) => known.value = stricter(known.value, directive.value),
            None => written.push(directive),
        }
    }
    // A directive is redundant if another directive prohibits all its usages and further usages. So `noai` is written
    // if both `ai-input` and training are prohibited, and `DisallowAITraining` if only training is prohibited.
    let prohibitions: Vec<&KnownDirective> = written
        .iter()
        .filter_map(|directive| byleave::analysis::vocabulary::known_directive(directive.word))
        .filter(|word| word.effect == DirectiveEffect::Prohibits)
        .collect();
    let is_within = |word: &KnownDirective, other: &KnownDirective| {
        word.usages.len() < other.usages.len() && word.usages.iter().all(|usage| other.usages.contains(usage))
    };
    let is_redundant = |directive: &WrittenDirective| {
        let word = prohibitions.iter().find(|word| word.name == directive.word);
        word.is_some_and(|word| prohibitions.iter().any(|other| is_within(word, other)))
    };
    written.retain(|directive| !is_redundant(directive));
    // A limit is redundant if another directive prohibits the usage.
    let prohibited: Vec<&Usage> = written
        .iter()
        .filter_map(|directive| byleave::analysis::vocabulary::known_directive(directive.word))
        .filter(|word| word.effect == DirectiveEffect::Prohibits)
        .flat_map(|word| word.usages)
        .collect();
    let is_needed = |directive: &WrittenDirective| {
        let word = byleave::analysis::vocabulary::known_directive(directive.word);
        !word.is_some_and(|word| {
            matches!(word.effect, DirectiveEffect::Limits(_))
                && word.usages.iter().all(|usage| prohibited.contains(&usage))
        })
    };
    written.retain(is_needed);
    for word in DIRECTIVES.iter().filter(|word| word.effect == DirectiveEffect::Permits) {
        let is_permitted =
            |usage: &Usage| intents.get(usage).is_some_and(|intent| intent.outcome == Outcome::Permitted);
        let is_new = word.usages.iter().any(|usage| !addresses(&written, usage));
        if word.usages.iter().all(is_permitted) && is_new {
            written.push(WrittenDirective { word: word.name, value: None });
        }
    }
    written
}

/// Returns the directive that prohibits a usage and as little else as possible.
fn prohibition_of(usage: &Usage) -> Option<WrittenDirective> {
    let words =
        DIRECTIVES.iter().filter(|word| word.effect == DirectiveEffect::Prohibits && word.usages.contains(usage));
    let word = words.min_by_key(|word| word.usages.len());
    let word = word.map(|word| WrittenDirective { word: word.name, value: None });
    word.or_else(|| {
        // A limit of zero is a prohibition.
        let limit = DIRECTIVES.iter().find(|word| limits(word, usage).is_some())?;
        let value = match limits(limit, usage)? {
            ValueKind::Characters | ValueKind::Seconds => DirectiveValue::Number(0),
            ValueKind::ImageSize => DirectiveValue::Token("none"),
            ValueKind::Date => return None,
            _ => return None,
        };
        Some(WrittenDirective { word: limit.name, value: Some(value) })
    })
}

fn limits(word: &KnownDirective, usage: &Usage) -> Option<ValueKind> {
    match word.effect {
        DirectiveEffect::Limits(kind) if word.usages.contains(usage) => Some(kind),
        _ => None,
    }
}

/// Returns the directive that sets these conditions for a usage, or `None` if a condition cannot be expressed.
fn limit_of(usage: &Usage, conditions: &[Condition]) -> Option<WrittenDirective> {
    let word = DIRECTIVES.iter().find(|word| limits(word, usage).is_some())?;
    let kind = limits(word, usage)?;
    let value = |condition: &Condition| match (kind, condition) {
        (ValueKind::Characters, Condition::MaxLength(length, LengthUnit::Chars)) => {
            Some(DirectiveValue::Number(*length))
        }
        // A text of n characters has at most (n + 1) / 2 words.
        (ValueKind::Characters, Condition::MaxLength(length, LengthUnit::Words)) => {
            Some(DirectiveValue::Number(length.saturating_mul(2).saturating_sub(1)))
        }
        (ValueKind::Seconds, Condition::MaxVideoPreview(seconds)) => Some(DirectiveValue::Number(*seconds)),
        (ValueKind::ImageSize, Condition::Term(name, value)) if name == "max-image-preview" && value == "standard" => {
            Some(DirectiveValue::Token("standard"))
        }
        (ValueKind::Date, Condition::TimeLimit(TimeLimit::Until(end) | TimeLimit::UntilDate(end))) => {
            Some(DirectiveValue::Until(*end))
        }
        _ => None,
    };
    let values = conditions.iter().map(value).collect::<Option<Vec<_>>>()?;
    let least = values.into_iter().map(Some).reduce(stricter)??;
    Some(WrittenDirective { word: word.name, value: Some(least) })
}

/// Returns the stricter of two values.
fn stricter(one: Option<DirectiveValue>, other: Option<DirectiveValue>) -> Option<DirectiveValue> {
    match (one, other) {
        (Some(DirectiveValue::Number(one)), Some(DirectiveValue::Number(other))) => {
            Some(DirectiveValue::Number(one.min(other)))
        }
        (Some(DirectiveValue::Until(one)), Some(DirectiveValue::Until(other))) => {
            Some(DirectiveValue::Until(one.min(other)))
        }
        (Some(DirectiveValue::Token("none")), _) | (_, Some(DirectiveValue::Token("none"))) => {
            Some(DirectiveValue::Token("none"))
        }
        (one, _) => one,
    }
}

/// Returns the directives as a list, in the form that META tags and `X-Robots-Tag` use.
fn listed(words: &[WrittenDirective]) -> String {
    let word = |directive: &WrittenDirective| match directive.value {
        None => directive.word.to_owned(),
        Some(DirectiveValue::Number(number)) => format!("{}:{number}", directive.word),
        Some(DirectiveValue::Token(token)) => format!("{}:{token}", directive.word),
        Some(DirectiveValue::Until(instant)) => format!("{}: {}", directive.word, date(instant)),
    };
    words.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// Returns a point in time in the form that the documentation of directives uses, without commas: `31 Dec 2027 23:00:00
/// GMT`.
fn date(instant: Timestamp) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = instant.to_string();
    let (day, time) = text.trim_end_matches('Z').split_once('T').unwrap_or((&text, "00:00:00"));
    let mut parts = day.split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let month = month.and_then(|month| MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?));
    match (year, month, day) {
        (Some(year), Some(month), Some(day)) => format!("{day} {month} {year} {time} GMT"),
        _ => text,
    }
}

/// Returns a name as a Structured Fields token, or as a string if it is not a token (RFC 9651 3.3).
fn structured_name(name: &str) -> String {
    let is_token_letter = |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~:/".contains(letter);
    if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) && name.chars().all(is_token_letter) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// Escapes a text for a quoted attribute.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// Returns whether a name can be written in a header: visible ASCII and spaces.
pub(crate) fn is_header_name(name: &str) -> bool {
    name.bytes().all(|byte| (0x20..0x7F).contains(&byte)) && !name.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage_intent::UsageIntent;

    fn intents(intents: &[(Usage, Outcome, &[Condition])]) -> UsageIntents {
        let intent = |(usage, outcome, conditions): &(Usage, Outcome, &[Condition])| {
            (usage.clone(), UsageIntent { outcome: *outcome, conditions: conditions.to_vec() })
        };
        intents.iter().map(intent).collect()
    }

    #[test]
    fn each_form_says_the_same() {
        let end = Timestamp::from_unix(1_830_294_000);
        let everyone = intents(&[
            (Usage::Index, Outcome::Conditional, &[Condition::TimeLimit(TimeLimit::Until(end))]),
            (Usage::PresentSnippet, Outcome::Conditional, &[Condition::MaxLength(160, LengthUnit::Chars)]),
            (Usage::Follow, Outcome::Permitted, &[]),
        ]);
        let named = [("360 \"Spider\"".to_owned(), intents(&[(Usage::Index, Outcome::Prohibited, &[])]))];
        let directives = WrittenDirectives::of(&everyone, &named);
        assert_eq!(
            directives.as_robots_tag(),
            ["*;unavailable_after=@1830294000;max-snippet=160;follow", "\"360 \\\"Spider\\\"\";noindex"]
        );
        assert_eq!(
            directives.as_x_robots_tag(),
            ["unavailable_after: 31 Dec 2027 23:00:00 GMT, max-snippet:160, follow", "360 \"Spider\": noindex"]
        );
        assert_eq!(
            directives.as_meta().last().map(String::as_str),
            Some("<meta name=\"360 &quot;Spider&quot;\" content=\"noindex\">")
        );
    }

    #[test]
    fn what_no_word_limits_is_prohibited() {
        let days = [Condition::TimeLimit(TimeLimit::Days(7))];
        let directives = WrittenDirectives::of(&intents(&[(Usage::Index, Outcome::Conditional, &days)]), &[]);
        assert_eq!(directives.as_x_robots_tag(), ["noindex"]);
        let words = [Condition::MaxLength(30, LengthUnit::Words)];
        let directives = WrittenDirectives::of(&intents(&[(Usage::PresentSnippet, Outcome::Conditional, &words)]), &[]);
        assert_eq!(directives.as_x_robots_tag(), ["max-snippet:59"]);
        let directives = WrittenDirectives::of(&intents(&[(Usage::PresentThumbnail, Outcome::Prohibited, &[])]), &[]);
        assert_eq!(directives.as_x_robots_tag(), ["max-image-preview:none"]);
    }
}
