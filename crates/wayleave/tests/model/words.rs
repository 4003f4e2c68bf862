//! What each word of META, Robots-Tag and X-Robots-Tag says of a usage (S-17, S-38, section Words), and the
//! restrictions on elements.

use super::html::Page;
use super::lists::{Word, s23_list, s23_robots_tag, s23_x_robots_tag};
use super::statements::Statement;
use super::text::{plain, re, s17_date, written};
use super::{Question, said_in};

const COPIES: &str = "present-currentcopy present-oldcopy";
const SNIPPETS: &str = "present-snippet present-oldsnippet";
const THUMBNAILS: &str = "present-thumbnail present-oldthumbnail";

/// Each word with the usages it is about, and what it says of them.
const WORDS: [(&str, &str, Effect); 18] = [
    ("noindex", "index", Effect::Prohibits),
    ("nofollow", "follow", Effect::Prohibits),
    ("none", "index follow", Effect::Prohibits),
    ("nosnippet", SNIPPETS, Effect::Prohibits),
    ("noarchive", COPIES, Effect::Prohibits),
    ("nocache", COPIES, Effect::Prohibits),
    ("noimageindex", "index-image", Effect::Prohibits),
    ("notranslate", "translate", Effect::Prohibits),
    ("index", "index", Effect::Permits),
    ("follow", "follow", Effect::Permits),
    ("all", "index follow", Effect::Permits),
    ("archive", COPIES, Effect::Permits),
    ("indexifembedded", "", Effect::Permits),
    ("nositelinkssearchbox", "", Effect::Permits),
    ("max-snippet", SNIPPETS, Effect::Limits("max-length", "-chars")),
    ("max-video-preview", "present-video-preview", Effect::Limits("max-video-preview", "")),
    ("max-image-preview", THUMBNAILS, Effect::Limits("max-image-preview", "")),
    ("unavailable_after", "index", Effect::Limits("time-limit", "")),
];

#[derive(Clone, Copy, PartialEq)]
enum Effect {
    Prohibits,
    Permits,
    /// The name of the condition, and what follows the value in it.
    Limits(&'static str, &'static str),
}

pub fn is_known(word: &str) -> bool {
    WORDS.iter().any(|(known, ..)| word.eq_ignore_ascii_case(known))
}

/// Every word that addresses the crawler or everyone and says something of the usage; a limit is a permission with a
/// condition.
pub fn s17_said(question: &Question) -> Vec<Statement> {
    let said = |carrier: &str, text: &str, words: &[Word]| -> Vec<Statement> {
        let said = words.iter().filter_map(|word| s17_word(word, question));
        said.map(|said| Statement { places: [said_in(carrier, text)].into(), ..said }).collect()
    };
    let header = |(text, words): &(String, Vec<Word>)| said("header", text, words);
    let headers: Vec<Statement> =
        s23_robots_tag(question).iter().chain(&s23_x_robots_tag(question)).flat_map(header).collect();
    let metas = |page: &Page| -> Vec<Statement> {
        let words = page.s24_metas(question).filter(|(meta, _)| meta.acap().is_none()).flat_map(|(meta, _)| {
            let mut words = said("meta", &meta.content, &s23_list(&meta.content));
            // S-24: elsewhere only restrictions count.
            words.retain(|word| meta.is_in_head || !is_permissive(word));
            words
        });
        words.collect()
    };
    let pages: Vec<Vec<Statement>> = question.pages().map(metas).collect();
    let on_elements = question.pages().flat_map(|page| page.s26_restrictions(question));
    let on_elements =
        on_elements.map(|text| Statement::new(&[said_in("element", &text)], false, question.usage.clone()));
    // S-25: permissive words count where both documents have one for the usage.
    let all_permit = pages.iter().all(|page| page.iter().any(is_permissive));
    let in_metas = pages.concat().into_iter().filter(|word| all_permit || !is_permissive(word));
    [headers, in_metas.collect(), on_elements.collect()].concat()
}

/// Whether a word permits without a limit.
pub fn is_permissive(word: &Statement) -> bool {
    word.permits && word.conditions.is_empty()
}

/// What a word says of the usage that is asked about, if anything.
fn s17_word((name, value): &Word, question: &Question) -> Option<Statement> {
    let is_it = |usages: &str| usages.split(' ').any(|usage| usage == question.usage.name());
    let (name, _, effect) =
        WORDS.iter().find(|(known, usages, _)| name.eq_ignore_ascii_case(known) && is_it(usages))?;
    let Effect::Limits(condition, unit) = effect else {
        return Some(Statement::new(&[], *effect == Effect::Permits, question.usage.clone()));
    };
    let value = plain(value.as_ref()?);
    let limit = match *name {
        "unavailable_after" => format!("until-{}", written(s17_date(&value)?)),
        "max-image-preview" => re("^(none|standard)$").is_match(&value).then_some(value)?,
        _ => re(r"^\d+$").is_match(&value).then(|| value.parse::<i64>().ok())??.to_string(),
    };
    // S-38: a limit that the crawler cannot keep prohibits.
    let also = if *name == "max-snippet" { "max-length" } else { "" };
    let is_own =
        |unable: &String| [*name, question.usage.name(), also].iter().any(|own| unable.eq_ignore_ascii_case(own));
    let prohibits = limit == "0" || limit == "none" || question.capabilities.unable.iter().any(is_own);
    let conditions = if prohibits { Vec::new() } else { vec![format!("{condition}={limit}{unit}")] };
    Some(Statement { conditions, ..Statement::new(&[], !prohibits, question.usage.clone()) })
}
