//! The words of META, Robots-Tag and X-Robots-Tag: how a list of them is read, and what each says of a usage
//! (S-17, S-38, section Words).

use super::page::{Counts, Page};
use super::qualifiers::Condition;
use super::{Place, Question, dates, elements, headers};
use wayleave::Usage;

/// What one word says of the usage that is asked about.
#[derive(Clone, Debug)]
pub struct Word {
    pub place: Place,
    pub effect: Effect,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Prohibits,
    Limits(Condition),
    Permits,
}

impl Word {
    pub fn limit(&self) -> Option<&Condition> {
        if let Effect::Limits(limit) = &self.effect { Some(limit) } else { None }
    }
}

/// A word as written, in lower case, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenWord {
    pub name: String,
    pub value: Option<String>,
}

/// The words that have a value after a colon.
const VALUED: [&str; 4] = ["max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"];
const FLAGS: [&str; 14] = [
    "noindex",
    "nofollow",
    "none",
    "nosnippet",
    "noarchive",
    "nocache",
    "noimageindex",
    "notranslate",
    "indexifembedded",
    "index",
    "follow",
    "all",
    "archive",
    "nositelinkssearchbox",
];

pub fn is_valued(word: &str) -> bool {
    VALUED.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether it is spelt like a rule.
pub fn is_known(word: &str) -> bool {
    is_valued(word) || FLAGS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Every word that addresses the crawler or everyone and says something of the usage.
pub fn s17_said_of_the_usage(question: &Question) -> Vec<Word> {
    let mut said = headers::s23_said(question);
    let effects = |document: &str, page: &Page| -> Vec<Word> {
        let metas = page.s24_metas(question).filter(|(_, meta, _)| !meta.is_acap());
        let mut found = Vec::new();
        for (number, meta, counts) in metas {
            for word in read_list(&meta.content) {
                let effect =
                    effect(&word, question).filter(|effect| counts == Counts::Whole || *effect != Effect::Permits);
                found.extend(effect.map(|effect| Word { place: (document.to_owned(), number), effect }));
            }
        }
        found
    };
    let source = question.page.as_ref().map(|page| effects("page", page)).unwrap_or_default();
    let dom = question.dom.as_ref().map(|page| effects("dom", page));
    said.extend(s25_words(source, dom));
    said.extend(elements::s17_said_on_elements(question));
    said
}

/// The restrictions of both; permissive words only where both documents have one for the usage.
fn s25_words(source: Vec<Word>, dom: Option<Vec<Word>>) -> Vec<Word> {
    let Some(dom) = dom else { return source };
    let permits = |words: &[Word]| words.iter().any(|word| word.effect == Effect::Permits);
    let both_permit = permits(&source) && permits(&dom);
    source.into_iter().chain(dom).filter(|word| word.effect != Effect::Permits || both_permit).collect()
}

/// What a word says of the usage that is asked about, if anything.
pub fn effect(word: &WrittenWord, question: &Question) -> Option<Effect> {
    said(word, question).map(|said| s38_as_able(&word.name, said, question))
}

fn said(word: &WrittenWord, question: &Question) -> Option<Effect> {
    let usage = &question.usage;
    let value = word.value.as_deref().unwrap_or_default();
    let is_snippet = [Usage::PresentSnippet, Usage::PresentOldsnippet].contains(usage);
    let is_copy = [Usage::PresentCurrentcopy, Usage::PresentOldcopy].contains(usage);
    let is_thumbnail = [Usage::PresentThumbnail, Usage::PresentOldthumbnail].contains(usage);
    match word.name.as_str() {
        "noindex" if *usage == Usage::Index => Some(Effect::Prohibits),
        "nofollow" if *usage == Usage::Follow => Some(Effect::Prohibits),
        "none" if [Usage::Index, Usage::Follow].contains(usage) => Some(Effect::Prohibits),
        "nosnippet" if is_snippet => Some(Effect::Prohibits),
        "max-snippet" if is_snippet => limited(value, |most| Effect::Limits(Condition::MaxChars(most))),
        "noarchive" | "nocache" if is_copy => Some(Effect::Prohibits),
        "max-image-preview" if is_thumbnail => match value.to_ascii_lowercase().as_str() {
            "none" => Some(Effect::Prohibits),
            "standard" => Some(Effect::Limits(Condition::StandardImagePreview)),
            _ => None,
        },
        "max-video-preview" if *usage == Usage::PresentVideoPreview => {
            limited(value, |most| Effect::Limits(Condition::MaxVideoPreview(most)))
        }
        "unavailable_after" if *usage == Usage::Index => dates::read(value).map(|end| match question.at >= end {
            true => Effect::Prohibits,
            false => Effect::Limits(Condition::UntilInstant(end)),
        }),
        "noimageindex" if *usage == Usage::IndexImage => Some(Effect::Prohibits),
        "notranslate" if *usage == Usage::Translate => Some(Effect::Prohibits),
        "index" if *usage == Usage::Index => Some(Effect::Permits),
        "follow" if *usage == Usage::Follow => Some(Effect::Permits),
        "all" if [Usage::Index, Usage::Follow].contains(usage) => Some(Effect::Permits),
        "archive" if is_copy => Some(Effect::Permits),
        _ => None,
    }
}

/// Nothing allowed at 0, a limit above; -1 and what cannot be read say nothing.
fn limited(value: &str, limit: impl Fn(i64) -> Effect) -> Option<Effect> {
    if value.is_empty() || !value.bytes().all(|octet| octet.is_ascii_digit()) {
        return None;
    }
    match value.parse().ok()? {
        0 => Some(Effect::Prohibits),
        most => Some(limit(most)),
    }
}

/// A limit that the crawler cannot keep prohibits: one it lists by its word, by its usage, or as `max-length`.
fn s38_as_able(word: &str, said: Effect, question: &Question) -> Effect {
    let mut names = vec![word, question.usage.name()];
    if word == "max-snippet" {
        names.push("max-length");
    }
    let is_listed = |name: &&str| question.capabilities.unable.iter().any(|unable| unable.eq_ignore_ascii_case(name));
    match said {
        Effect::Limits(_) if names.iter().any(is_listed) => Effect::Prohibits,
        said => said,
    }
}

/// The words of a list, parted by commas or whitespace. The date of `unavailable_after` may have both in it.
pub fn read_list(content: &str) -> Vec<WrittenWord> {
    let segments: Vec<&str> = content.split(',').collect();
    let mut words = Vec::new();
    let mut at = 0;
    while at < segments.len() {
        let mut rest = segments[at].trim();
        at += 1;
        while !rest.is_empty() {
            let end = rest.find(|letter: char| letter == ':' || letter.is_ascii_whitespace()).unwrap_or(rest.len());
            let name = rest[..end].to_ascii_lowercase();
            rest = rest[end..].trim_start();
            let Some(after) = rest.strip_prefix(':').filter(|_| is_valued(&name)) else {
                rest = rest.trim_start_matches(':').trim_start();
                words.push(WrittenWord { name, value: None });
                continue;
            };
            let mut value = after.trim_start().to_owned();
            if name == "unavailable_after" {
                rest = "";
                at += read_date(&mut value, &segments[at..]);
            } else {
                let end = value.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(value.len());
                rest = after.trim_start()[end..].trim_start();
                value.truncate(end);
            }
            words.push(WrittenWord { name, value: Some(value.trim().to_owned()) });
        }
    }
    words
}

/// Adds to a date what follows its comma; says how many segments that took. A date ends where a segment begins
/// with a word that is known or with a prefix.
fn read_date(date: &mut String, segments: &[&str]) -> usize {
    let begins_anew = |segment: &&&str| {
        let first = segment.split_ascii_whitespace().next().unwrap_or_default();
        let token = first.split(':').next().unwrap_or_default();
        is_known(token) || first.len() > token.len()
    };
    let taken = segments.iter().take_while(|segment| !begins_anew(segment)).count();
    for segment in &segments[..taken] {
        date.push(',');
        date.push_str(segment);
    }
    taken
}
