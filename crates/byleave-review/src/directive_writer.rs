//! What is wished of the usages of one resource, put into the words of `Robots-Tag`, `X-Robots-Tag` and META tags.
//!
//! Words only restrict, and add up (S-17): what is said to everyone holds for whoever is named. Where no word says what
//! is wished, a word that says more is taken; where there is none, nothing is said. Whether the words come to what was
//! wished is asked of the engine by whoever uses this.

use byleave::model::{Condition, LengthUnit, TimeLimit};
use byleave::vocabulary::{ValueKind, WORDS, Word, WordEffect};
use byleave::{Instant, Outcome, Usage};
use std::collections::BTreeMap;

/// What is wished of one usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UsageIntent {
    pub(crate) outcome: Outcome,
    pub(crate) conditions: Vec<Condition>,
}

/// What is wished of each usage; what is not in it is not spoken of.
pub(crate) type UsageIntents = BTreeMap<Usage, UsageIntent>;

/// A word with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenDirective {
    pub(crate) word: &'static str,
    pub(crate) value: Option<DirectiveValue>,
}

/// The value of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DirectiveValue {
    Number(u64),
    Token(&'static str),
    Until(Instant),
}

/// What is said to everyone, and to each by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WrittenDirectives {
    pub(crate) to_everyone: Vec<WrittenDirective>,
    pub(crate) by_name: Vec<(String, Vec<WrittenDirective>)>,
}

impl WrittenDirectives {
    /// The words for what is wished for everyone, and for each crawler by name what goes beyond it.
    pub(crate) fn of(everyone: &UsageIntents, named: &[(String, UsageIntents)]) -> Self {
        let to_everyone = worded(everyone);
        let by_name = named.iter().map(|(name, wishes)| {
            let is_new =
                |directive: &WrittenDirective| !to_everyone.contains(directive) && !is_vain(directive, &to_everyone);
            let words = worded(wishes).into_iter().filter(is_new);
            (name.clone(), words.collect::<Vec<_>>())
        });
        let by_name = by_name.filter(|(_, words)| !words.is_empty()).collect();
        Self { to_everyone, by_name }
    }

    /// As lines of `Robots-Tag`, one for everyone and one for each name.
    pub(crate) fn as_robots_tag(&self) -> Vec<String> {
        let parameter = |directive: &WrittenDirective| {
            // A key has no capitals (RFC 9651 3.1.2).
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

    /// As lines of `X-Robots-Tag`.
    pub(crate) fn as_x_robots_tag(&self) -> Vec<String> {
        self.each(|name, words| {
            let prefix = name.map(|name| format!("{name}: ")).unwrap_or_default();
            format!("{prefix}{}", listed(words))
        })
    }

    /// As META tags.
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

/// Whether a word permits what one to everyone restricts, and so comes to nothing (S-17).
fn is_vain(directive: &WrittenDirective, to_everyone: &[WrittenDirective]) -> bool {
    let read = |directive: &WrittenDirective| byleave::vocabulary::word(directive.word);
    let restricted = to_everyone.iter().filter_map(read).filter(|word| word.effect != WordEffect::Permits);
    let restricted: Vec<&Usage> = restricted.flat_map(|word| word.usages).collect();
    let is_restricted = |word: &Word| word.usages.iter().all(|usage| restricted.contains(&usage));
    read(directive).is_some_and(|word| word.effect == WordEffect::Permits && is_restricted(word))
}

/// The words for these wishes.
fn worded(wishes: &UsageIntents) -> Vec<WrittenDirective> {
    let mut said: Vec<WrittenDirective> = Vec::new();
    let says = |said: &[WrittenDirective], usage: &Usage| {
        let spoken = said.iter().filter_map(|directive| byleave::vocabulary::word(directive.word));
        spoken.into_iter().any(|word| word.usages.contains(usage))
    };
    // Two words for each: the one that is listed first is the usual one.
    for (usage, wish) in wishes {
        let directive = match wish.outcome {
            Outcome::Prohibited => prohibiting(usage),
            Outcome::Conditional => limiting(usage, &wish.conditions).or_else(|| prohibiting(usage)),
            Outcome::Permitted | Outcome::Unstated => None,
        };
        let Some(directive) = directive else { continue };
        match said.iter_mut().find(|known| known.word == directive.word) {
            Some(known) => known.value = smaller(known.value, directive.value),
            None => said.push(directive),
        }
    }
    // Where a word prohibits all that another does, and more that is prohibited, the other says nothing more: `noai` where
    // `ai-input` is prohibited with training, else `DisallowAITraining`.
    let prohibiting: Vec<&Word> = said
        .iter()
        .filter_map(|directive| byleave::vocabulary::word(directive.word))
        .filter(|word| word.effect == WordEffect::Prohibits)
        .collect();
    let is_within = |word: &Word, other: &Word| {
        word.usages.len() < other.usages.len() && word.usages.iter().all(|usage| other.usages.contains(usage))
    };
    let is_said_by_another = |directive: &WrittenDirective| {
        let word = prohibiting.iter().find(|word| word.name == directive.word);
        word.is_some_and(|word| prohibiting.iter().any(|other| is_within(word, other)))
    };
    said.retain(|directive| !is_said_by_another(directive));
    // Where a word prohibits, a limit says nothing more.
    let prohibited: Vec<&Usage> = said
        .iter()
        .filter_map(|directive| byleave::vocabulary::word(directive.word))
        .filter(|word| word.effect == WordEffect::Prohibits)
        .flat_map(|word| word.usages)
        .collect();
    let is_needed = |directive: &WrittenDirective| {
        let word = byleave::vocabulary::word(directive.word);
        !word.is_some_and(|word| {
            matches!(word.effect, WordEffect::Limits(_)) && word.usages.iter().all(|usage| prohibited.contains(&usage))
        })
    };
    said.retain(is_needed);
    for word in WORDS.iter().filter(|word| word.effect == WordEffect::Permits) {
        let is_wished = |usage: &Usage| wishes.get(usage).is_some_and(|wish| wish.outcome == Outcome::Permitted);
        let is_new = word.usages.iter().any(|usage| !says(&said, usage));
        if word.usages.iter().all(is_wished) && is_new {
            said.push(WrittenDirective { word: word.name, value: None });
        }
    }
    said
}

/// The word that prohibits a usage, and the least else.
fn prohibiting(usage: &Usage) -> Option<WrittenDirective> {
    let words = WORDS.iter().filter(|word| word.effect == WordEffect::Prohibits && word.usages.contains(usage));
    let word = words.min_by_key(|word| word.usages.len());
    let word = word.map(|word| WrittenDirective { word: word.name, value: None });
    word.or_else(|| {
        // Limits of nothing at all prohibit too.
        let limit = WORDS.iter().find(|word| limits(word, usage).is_some())?;
        let value = match limits(limit, usage)? {
            ValueKind::Characters | ValueKind::Seconds => DirectiveValue::Number(0),
            ValueKind::ImageSize => DirectiveValue::Token("none"),
            ValueKind::Date => return None,
            _ => return None,
        };
        Some(WrittenDirective { word: limit.name, value: Some(value) })
    })
}

fn limits(word: &Word, usage: &Usage) -> Option<ValueKind> {
    match word.effect {
        WordEffect::Limits(kind) if word.usages.contains(usage) => Some(kind),
        _ => None,
    }
}

/// The word that sets these conditions to a usage; nothing where one of them has none.
fn limiting(usage: &Usage, conditions: &[Condition]) -> Option<WrittenDirective> {
    let word = WORDS.iter().find(|word| limits(word, usage).is_some())?;
    let kind = limits(word, usage)?;
    let value = |condition: &Condition| match (kind, condition) {
        (ValueKind::Characters, Condition::MaxLength(length, LengthUnit::Chars)) => {
            Some(DirectiveValue::Number(*length))
        }
        // No more words than that fit into so many characters.
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
    let least = values.into_iter().map(Some).reduce(smaller)??;
    Some(WrittenDirective { word: word.name, value: Some(least) })
}

/// The value that restricts more.
fn smaller(one: Option<DirectiveValue>, other: Option<DirectiveValue>) -> Option<DirectiveValue> {
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

/// The words as a list, as META and `X-Robots-Tag` have it.
fn listed(words: &[WrittenDirective]) -> String {
    let word = |directive: &WrittenDirective| match directive.value {
        None => directive.word.to_owned(),
        Some(DirectiveValue::Number(number)) => format!("{}:{number}", directive.word),
        Some(DirectiveValue::Token(token)) => format!("{}:{token}", directive.word),
        Some(DirectiveValue::Until(instant)) => format!("{}: {}", directive.word, date(instant)),
    };
    words.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// An instant as the words' own documents write it, without commas: `31 Dec 2027 23:00:00 GMT`.
fn date(instant: Instant) -> String {
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

/// A name as a token of Structured Fields, or as a string (RFC 9651 3.3).
fn structured_name(name: &str) -> String {
    let is_token_letter = |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~:/".contains(letter);
    if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) && name.chars().all(is_token_letter) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// A text within the quotation marks of an attribute.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// Whether a name can stand in a header: visible ASCII and blanks.
pub(crate) fn is_header_name(name: &str) -> bool {
    name.bytes().all(|byte| (0x20..0x7F).contains(&byte)) && !name.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(wishes: &[(Usage, Outcome, &[Condition])]) -> UsageIntents {
        let wish = |(usage, outcome, conditions): &(Usage, Outcome, &[Condition])| {
            (usage.clone(), UsageIntent { outcome: *outcome, conditions: conditions.to_vec() })
        };
        wishes.iter().map(wish).collect()
    }

    #[test]
    fn each_form_says_the_same() {
        let end = Instant::from_unix(1_830_294_000);
        let everyone = wishes(&[
            (Usage::Index, Outcome::Conditional, &[Condition::TimeLimit(TimeLimit::Until(end))]),
            (Usage::PresentSnippet, Outcome::Conditional, &[Condition::MaxLength(160, LengthUnit::Chars)]),
            (Usage::Follow, Outcome::Permitted, &[]),
        ]);
        let named = [("360 \"Spider\"".to_owned(), wishes(&[(Usage::Index, Outcome::Prohibited, &[])]))];
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
        let directives = WrittenDirectives::of(&wishes(&[(Usage::Index, Outcome::Conditional, &days)]), &[]);
        assert_eq!(directives.as_x_robots_tag(), ["noindex"]);
        let words = [Condition::MaxLength(30, LengthUnit::Words)];
        let directives = WrittenDirectives::of(&wishes(&[(Usage::PresentSnippet, Outcome::Conditional, &words)]), &[]);
        assert_eq!(directives.as_x_robots_tag(), ["max-snippet:59"]);
        let directives = WrittenDirectives::of(&wishes(&[(Usage::PresentThumbnail, Outcome::Prohibited, &[])]), &[]);
        assert_eq!(directives.as_x_robots_tag(), ["max-image-preview:none"]);
    }
}
