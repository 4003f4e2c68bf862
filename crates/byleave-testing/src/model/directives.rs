//! The effect of each META, Robots-Tag and X-Robots-Tag directive on a usage (S-17, S-38, section 5 of the semantics),
//! and the restrictions on elements.

use super::html::Page;
use super::lists::{Directive, s23_list, s23_robots_tag, s23_x_robots_tag};
use super::statements::Statement;
use super::text::{plain, re, s17_date, written};
use super::{Question, said_in};
use byleave::Reading;

const COPIES: &str = "present-currentcopy present-oldcopy";
const SNIPPETS: &str = "present-snippet present-oldsnippet";
const TRAINING: &str = "train-ai train-genai";
const THUMBNAILS: &str = "present-thumbnail present-oldthumbnail";

/// Each directive with the usages that it addresses, and its effect on them.
const DIRECTIVES: [(&str, &str, Effect); 29] = [
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
    ("noai", "train-ai train-genai ai-input", Effect::Prohibits),
    ("noimageai", TRAINING, Effect::Requires("without=images")),
    ("disallowaitraining", TRAINING, Effect::Prohibits),
    ("allowaitraining", TRAINING, Effect::Permits),
    ("indexifembedded", "", Effect::Permits),
    ("nositelinkssearchbox", "", Effect::Permits),
    ("nopreview", "", Effect::Permits),
    ("noodp", "", Effect::Permits),
    ("noydir", "", Effect::Permits),
    ("noyaca", "", Effect::Permits),
    ("noimageclick", "", Effect::Permits),
    ("noserve", "", Effect::Permits),
    ("nopagereadaloud", "", Effect::Permits),
    ("max-snippet", SNIPPETS, Effect::Limits("max-length", "-chars")),
    ("max-video-preview", "present-video-preview", Effect::Limits("max-video-preview", "")),
    ("max-image-preview", THUMBNAILS, Effect::Limits("max-image-preview", "")),
    ("unavailable_after", "index", Effect::Limits("time-limit", "")),
];

#[derive(Clone, Copy, PartialEq)]
enum Effect {
    Prohibits,
    Permits,
    /// Permits on this condition.
    Requires(&'static str),
    /// Permits on a condition with a value. The fields are the name of the condition and the unit of the value.
    Limits(&'static str, &'static str),
}

pub fn is_known(directive: &str) -> bool {
    DIRECTIVES.iter().any(|(known, ..)| directive.eq_ignore_ascii_case(known))
}

/// Returns every directive about the usage that addresses this crawler or all crawlers. A limit such as `max-snippet`
/// is a permission with a condition.
pub fn s17_statements(question: &Question) -> Vec<Statement> {
    let statements =
        |carrier: &str, text: &str, directives: &[Directive], can_be_lifted: bool| -> Vec<NamedStatement> {
            let statements = directives
                .iter()
                .filter_map(|directive| Some((directive.0.to_ascii_lowercase(), s17_directive(directive, question)?)));
            let place = |(name, found)| {
                let statement = Statement { places: [said_in(carrier, text)].into(), ..found };
                NamedStatement { name, statement, can_be_lifted }
            };
            statements.map(place).collect()
        };
    let header = |(text, directives): &(String, Vec<Directive>)| statements("header", text, directives, true);
    let mut headers: Vec<NamedStatement> =
        s23_robots_tag(question).iter().chain(&s23_x_robots_tag(question)).flat_map(header).collect();
    let metas = |page: &Page| -> Vec<NamedStatement> {
        let metas = page.s24_metas(question).filter(|(meta, _)| meta.acap().is_none());
        let directives = metas.filter(|(meta, _)| s48_is_heard(&meta.name, question)).flat_map(|(meta, _)| {
            let mut directives = statements("meta", &meta.content, &s23_list(&meta.content), meta.is_in_head);
            // S-24: outside the head, only restrictions apply.
            directives.retain(|directive| meta.is_in_head || !is_permissive(&directive.statement));
            directives
        });
        directives.collect()
    };
    let mut pages: Vec<Vec<NamedStatement>> = question.pages().map(metas).collect();
    s48_lifted(question, &mut headers, &mut pages);
    let plain = |directives: Vec<NamedStatement>| -> Vec<Statement> {
        directives.into_iter().map(|directive| directive.statement).collect()
    };
    let (headers, pages) = (plain(headers), pages.into_iter().map(plain).collect::<Vec<_>>());
    let on_elements = question.pages().flat_map(|page| page.s26_restrictions(question));
    let on_elements =
        on_elements.map(|text| Statement::new(&[said_in("element", &text)], false, question.usage.clone()));
    // S-25: permissive directives apply only if both documents have one for the usage.
    let all_permit = pages.iter().all(|page| page.iter().any(is_permissive));
    let in_metas = pages.concat().into_iter().filter(|directive| all_permit || !is_permissive(directive));
    [headers, in_metas.collect(), on_elements.collect()].concat()
}

/// A directive with its name, and whether a search engine may let another directive lift it (S-48).
struct NamedStatement {
    name: String,
    statement: Statement,
    can_be_lifted: bool,
}

/// For Yandex, removes the restrictions that permissive META directives lift. For Bing, removes `noarchive` if
/// `nocache` replaces it.
fn s48_lifted(question: &Question, headers: &mut Vec<NamedStatement>, pages: &mut [Vec<NamedStatement>]) {
    let is_other = |directive: &NamedStatement| {
        !["noindex", "nofollow", "none", "noarchive", "nocache"].contains(&&*directive.name)
    };
    if question.reading == Reading::Yandex {
        headers.retain(|directive| !is_permissive(&directive.statement));
        if pages.iter().all(|page| page.iter().any(|directive| is_permissive(&directive.statement))) {
            pages.iter_mut().for_each(|page| page.retain(|directive| !directive.can_be_lifted || is_other(directive)));
        }
    }
    let has = |directives: &[NamedStatement]| {
        directives.iter().any(|directive| directive.name == "nocache" && directive.can_be_lifted)
    };
    let in_all = !pages.is_empty() && pages.iter().all(|page| has(page));
    if question.reading == Reading::Bing && (has(headers) || in_all) {
        let stays = |directive: &NamedStatement| directive.name != "noarchive" || !directive.can_be_lifted;
        headers.retain(stays);
        pages.iter_mut().for_each(|page| page.retain(stays));
    }
}

/// Returns whether the reading uses directives in a META tag with this name. Google Search ignores all names except its
/// own.
fn s48_is_heard(name: &str, question: &Question) -> bool {
    question.reading != Reading::GoogleSearch
        || re("^(?:robots|googlebot|googlebot-news)(?:[^a-z0-9_.-]|$)").is_match(name)
}

/// Returns the usages and the effect of a directive for a search engine, if they differ from the usual ones.
fn s48_word(name: &str, reading: Reading) -> Option<(&'static str, Effect)> {
    Some(match (reading, name) {
        (Reading::GoogleSearch, "nosnippet") => ("present-snippet present-oldsnippet ai-input", Effect::Prohibits),
        (Reading::GoogleSearch, "max-snippet") => {
            ("present-snippet present-oldsnippet ai-input", Effect::Limits("max-length", "-chars"))
        }
        (
            Reading::GoogleSearch,
            "noarchive" | "nocache" | "archive" | "index" | "follow" | "all" | "noai" | "noimageai"
            | "disallowaitraining" | "allowaitraining",
        ) => ("", Effect::Permits),
        (Reading::Bing, "noarchive") => {
            ("present-currentcopy present-oldcopy ai-input train-ai train-genai", Effect::Prohibits)
        }
        (Reading::Bing, "nocache") => {
            ("ai-input train-ai train-genai", Effect::Requires("limited-to=url-title-snippet"))
        }
        (Reading::Amazon, "noarchive") => (TRAINING, Effect::Prohibits),
        (Reading::Amazon, "none") => ("index", Effect::Prohibits),
        _ => return None,
    })
}

/// Returns whether a directive permits without a limit.
pub fn is_permissive(directive: &Statement) -> bool {
    directive.permits && directive.conditions.is_empty()
}

/// Returns the statement that a directive makes about the usage in the question, if any.
fn s17_directive((name, value): &Directive, question: &Question) -> Option<Statement> {
    let is_it = |usages: &str| usages.split(' ').any(|usage| usage == question.usage.name());
    let (name, usages, effect) = DIRECTIVES.iter().find(|(known, ..)| name.eq_ignore_ascii_case(known))?;
    let (usages, effect) = s48_word(name, question.reading).unwrap_or((*usages, *effect));
    if !is_it(usages) {
        return None;
    }
    let is_unable = |own: &str| question.capabilities.unable.iter().any(|unable| unable.eq_ignore_ascii_case(own));
    if let Effect::Requires(condition) = effect {
        let is_image = question.header("Content-Type").any(|kind| re("^image/").is_match(kind)) && *name == "noimageai";
        let permits = !is_unable(name) && !is_unable(question.usage.name()) && !is_image;
        let conditions = if permits { vec![condition.to_owned()] } else { Vec::new() };
        return Some(Statement { conditions, ..Statement::new(&[], permits, question.usage.clone()) });
    }
    let Effect::Limits(condition, unit) = effect else {
        return Some(Statement::new(&[], effect == Effect::Permits, question.usage.clone()));
    };
    let value = plain(value.as_ref()?);
    let limit = match *name {
        "unavailable_after" => format!("until-{}", written(s17_date(&value)?)),
        "max-image-preview" => re("^(none|standard)$").is_match(&value).then_some(value)?,
        _ => re(r"^\d+$").is_match(&value).then(|| value.parse::<i64>().ok())??.to_string(),
    };
    // S-38: a limit that the crawler cannot observe prohibits.
    let also = if *name == "max-snippet" { "max-length" } else { "" };
    let prohibits =
        limit == "0" || limit == "none" || [*name, question.usage.name(), also].iter().any(|own| is_unable(own));
    let conditions = if prohibits { Vec::new() } else { vec![format!("{condition}={limit}{unit}")] };
    Some(Statement { conditions, ..Statement::new(&[], !prohibits, question.usage.clone()) })
}
