//! The words of META, Robots-Tag and X-Robots-Tag: how they are read (S-22, S-23), and what each says of a usage (S-17,
//! S-38, section Words); and the restrictions on elements.

use super::page::Page;
use super::statements::Statement;
use super::text::{re, s17_date, written};
use super::{Question, said_in};
use regex::Captures;

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

/// A word as written, with its value.
type Word = (String, Option<String>);

fn is_known(word: &str) -> bool {
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
    let value = value.as_ref()?.trim().to_ascii_lowercase();
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

/// The words of a list, parted by commas, semicolons or blanks, their values after a colon, an equals sign or a blank.
/// A permissive word that is denied says nothing.
fn s23_list(text: &str) -> Vec<Word> {
    let form = r"(?x)
        no\s+(?:index|follow|all|archive) | (?:index|follow|all|archive)\s*[:=]\s*(?:no|false)\b
        | (unavailable_after)\s*[:=]?\s*( \d{4}-\d\d-\d\d(?:t[^\s,;]+)?
            | (?:[a-z]+,\s*)?\d\d?[\ -][a-z]{3}[\ -]\d+(?:\ +[\d:]+(?:\ *(?:z|utc|gmt|[ecmp][sd]t|[+-]\d{4}))?)? )
        | (max-(?:snippet|image-preview|video-preview))\s*[:=\s]\s*([^\s,;]+)
        | ([^\s,;:=]+)";
    let word = |parts: Captures| {
        let first = |groups: &[usize]| groups.iter().find_map(|at| parts.get(*at)).map(|part| part.as_str().to_owned());
        (first(&[1, 3, 5]).unwrap_or_default(), first(&[2, 4]))
    };
    re(form).captures_iter(text).map(word).collect()
}

/// What is read of a value: what is too long ends at the last comma before the limit.
fn s22_within(text: &str) -> &str {
    const LIMIT: usize = 8_192;
    let comma = text.as_bytes().iter().take(LIMIT).rposition(|octet| *octet == b',').unwrap_or(0);
    if text.len() <= LIMIT { text } else { &text[..comma] }
}

/// A token, a string, a boolean, a date or a number (RFC 9651), in any case.
macro_rules! item {
    () => {
        r#"(?:[a-z*][!#$%&'*+.^_`|~:/a-z0-9-]*|"(?:[ !#-\[\]-~]|\\["\\])*"|\?[01]|@?-?[0-9]{1,15}(?:\.[0-9]{1,3})?)"#
    };
}

/// The members of the one list that all lines make that address the crawler: each as written, with its rules. A
/// malformed member is dropped, and reading goes on after the next comma from its start on.
fn s23_robots_tag(question: &Question) -> Vec<(String, Vec<Word>)> {
    let member = concat!(r"^[ \t]*((", item!(), r")((?:; *[a-z*][a-z0-9_.*-]*(?:=", item!(), r")?)*))[ \t]*(?:,|$)");
    let parameter = concat!(r"; *([a-z*][a-z0-9_.*-]*)(?:=(", item!(), "))?");
    let plain = |item: &str| item.trim_matches('"').replace('\\', "");
    let combined = question.header("Robots-Tag").collect::<Vec<&str>>().join(", ");
    let mut rest = s22_within(&combined);
    let mut found = Vec::new();
    while !rest.is_empty() {
        let Some(parts) = re(member).captures(rest) else {
            rest = rest.split_once(',').map_or("", |(_, rest)| rest);
            continue;
        };
        rest = &rest[parts[0].len()..];
        let name = plain(&parts[2]);
        let rules =
            re(parameter).captures_iter(&parts[3]).map(|own| (own[1].to_owned(), own.get(2).map(|own| own.as_str())));
        let rules = rules.filter(|(_, value)| *value != Some("?0")).map(|(name, value)| (name, value.map(plain)));
        let mut words: Vec<Word> = rules.collect();
        // Rules in the place of a name are for everyone.
        let in_name = name.split([':', '|', ',', ' ']).filter(|part| !["", "*"].contains(part));
        let are_rules = in_name.clone().next().is_some() && in_name.clone().all(is_known);
        words.extend(in_name.filter(|_| are_rules).map(|rule| (rule.to_owned(), None)));
        let is_name = parts[2].starts_with(|first: char| first.is_ascii_alphabetic() || "*\"".contains(first));
        if is_name && (are_rules || question.s35_level(&name, "robots").is_some()) {
            found.push((parts[1].to_owned(), words));
        }
    }
    found
}

/// The lines of `X-Robots-Tag`, each with its words for this crawler. A prefix holds until the next; the field's own
/// name means everyone. What stands before a number is none, nor is the beginning of a date.
fn s23_x_robots_tag(question: &Question) -> Vec<(String, Vec<Word>)> {
    let of_line = |line: &str| {
        let (mut is_addressed, mut list) = (true, String::new());
        for segment in s22_within(line).split(',') {
            let prefix = re(r"^\s*([^:\d][^:]*?)\s*:(\s*[^\s\d].*)$").captures(segment);
            let prefix = prefix.filter(|parts| !is_known(&parts[1]));
            if let Some(parts) = &prefix {
                let is_field = parts[1].eq_ignore_ascii_case("X-Robots-Tag");
                is_addressed = is_field || question.s35_level(&parts[1], "robots").is_some();
            }
            if is_addressed {
                list = format!(
                    "{list},{}",
                    prefix.as_ref().map_or(segment, |parts| parts.get(2).map_or("", |rest| rest.as_str()))
                );
            }
        }
        (line.to_owned(), s23_list(&list))
    };
    question.header("X-Robots-Tag").map(of_line).collect()
}
