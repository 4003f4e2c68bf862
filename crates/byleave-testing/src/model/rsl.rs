//! RSL licences (S-45) as a structure. The tests write it as XML for the engine, and the model decides from the
//! structure.

use super::preferences::{Fields, robots_line, s13_length, s40_nearest, s40_place};
use super::statements::Statement;
use super::text::re;
use super::{Place, Question, said_in};
use crate::naive::{comparable, path_of};
use byleave::{Reading, Usage};
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// An RSL document. When it is written, each content tag and each licence has a line of its own.
#[derive(Clone, Debug)]
pub struct Rsl {
    pub contents: Vec<Content>,
    pub fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// The document ends after the last content.
    CutOff,
    /// No element has a namespace.
    NoNamespace,
}

#[derive(Clone, Debug)]
pub struct Content {
    pub url: Option<&'static str>,
    pub server: Option<&'static str>,
    pub licences: Vec<Licence>,
}

#[derive(Clone, Debug, Default)]
pub struct Licence {
    /// The words in each `permits` of type `usage`. `prohibits` has the same form.
    pub permits: Vec<Vec<&'static str>>,
    pub prohibits: Vec<Vec<&'static str>>,
    /// The `permits` and `prohibits` elements of other types: whether the element permits, its type, and its values.
    pub terms: Vec<(bool, &'static str, Vec<&'static str>)>,
    pub payment: Option<&'static str>,
    pub reporting: Option<&'static str>,
    /// An element that RSL does not define, as XML.
    pub unknown: Option<&'static str>,
    /// An element from another namespace, as XML.
    pub foreign: Option<&'static str>,
}

impl Licence {
    pub fn is_termless(&self) -> bool {
        self.permits.is_empty() && self.prohibits.is_empty()
    }
}

impl Rsl {
    pub fn written(&self) -> String {
        let space = if self.fault == Fault::NoNamespace { "" } else { " xmlns=\"https://rslstandard.org/rsl\"" };
        let mut text = format!("<rsl{space} xmlns:x=\"https://x.example/\">\n");
        for content in &self.contents {
            let attribute =
                |name: &str, value: Option<&str>| value.map_or(String::new(), |value| format!(" {name}=\"{value}\""));
            text.push_str(&format!(
                "<content{}{}>\n",
                attribute("url", content.url),
                attribute("server", content.server)
            ));
            for licence in &content.licences {
                text.push_str(&format!("{}\n", licence.written()));
            }
            text.push_str("</content>\n");
        }
        text.push_str(if self.fault == Fault::CutOff { "<content url=\"/\"" } else { "</rsl>\n" });
        text
    }
}

impl Licence {
    fn written(&self) -> String {
        let mut text = "<license>".to_owned();
        let mut list = |name: &str, kind: &str, words: &[&str]| {
            text.push_str(&format!("<{name} type=\"{kind}\">{}</{name}>", words.join(" ")));
        };
        self.permits.iter().for_each(|words| list("permits", "usage", words));
        self.prohibits.iter().for_each(|words| list("prohibits", "usage", words));
        for (permits, kind, words) in &self.terms {
            list(if *permits { "permits" } else { "prohibits" }, kind, words);
        }
        self.payment.iter().for_each(|kind| text.push_str(&format!("<payment type=\"{kind}\"/>")));
        self.reporting
            .iter()
            .for_each(|kind| text.push_str(&format!("<reporting type=\"{kind}\" endpoint=\"https://e.example\"/>")));
        text.push_str(self.unknown.unwrap_or_default());
        text.push_str(self.foreign.unwrap_or_default());
        text + "</license>"
    }

    /// Returns the width of the narrowest word that permits the usage. A list of permissions is complete, so the usage
    /// is permitted only if every list contains it.
    fn permitted(&self, usage: &Usage) -> Option<usize> {
        let has = |words: &Vec<&'static str>| words.iter().any(|word| s45_width(word, usage).is_some());
        Self::width(&self.permits, usage).filter(|_| self.permits.iter().all(has))
    }

    /// Returns the width of the narrowest word that covers the usage.
    fn width(lists: &[Vec<&'static str>], usage: &Usage) -> Option<usize> {
        lists.iter().flatten().filter_map(|word| s45_width(word, usage)).min()
    }

    fn conditions(&self) -> Vec<String> {
        let mut conditions: Vec<String> = Vec::new();
        for (permits, kind, words) in &self.terms {
            match permits {
                true => conditions.push(format!("{kind}={}", words.join(","))),
                false => conditions.extend(words.iter().map(|word| format!("{kind}=!{word}"))),
            }
        }
        conditions.extend(self.payment.filter(|kind| *kind != "free").map(|kind| format!("payment={kind}")));
        conditions.extend(self.reporting.map(|kind| format!("reporting={kind}")));
        conditions
    }

    /// Returns whether the licence permits nothing, because it has an unknown term or an empty list of permissions.
    fn is_unknowable(&self) -> bool {
        self.unknown.is_some() || self.terms.iter().any(|(permits, _, words)| *permits && words.is_empty())
    }
}

/// Returns how broad a word is, from 0 (one usage) to 2 (`all`), or `None` if the word does not cover the usage.
fn s45_width(word: &str, usage: &Usage) -> Option<usize> {
    const AI: [Usage; 3] = [Usage::TrainAi, Usage::AiInput, Usage::AiIndex];
    let is_in = |usages: &[Usage]| s40_nearest(usage, |one| usages.contains(one).then_some(())).is_some();
    match word.to_ascii_lowercase().as_str() {
        "all" => Some(2),
        "ai-all" => is_in(&AI).then_some(1),
        "ai-train" => is_in(&[Usage::TrainAi]).then_some(0),
        "ai-input" => is_in(&[Usage::AiInput]).then_some(0),
        "ai-index" => is_in(&[Usage::AiIndex]).then_some(0),
        "search" => is_in(&[Usage::Search]).then_some(0),
        _ => None,
    }
}

/// Returns what licences state about the usage. A line that names an unreadable licence prohibits.
pub fn s45_licences(question: &Question, fields: &Fields) -> Vec<Statement> {
    let (named, to_others) = s45_named(question, fields);
    let mut said = Vec::new();
    let places: BTreeMap<Url, (&String, &Rsl)> = question
        .licences
        .iter()
        .filter_map(|(location, rsl)| Some((s40_place(location, question)?, (location, rsl))))
        .collect();
    for (url, place) in &named {
        if places.get(url).is_none_or(|(_, rsl)| rsl.fault != Fault::None) {
            said.push(Statement::new(std::slice::from_ref(place), false, question.usage.clone()));
        }
    }
    let counts = |url: &Url| named.iter().any(|(own, _)| own == url) || !to_others.contains(url);
    let mut found: Vec<(usize, Vec<Statement>)> = Vec::new();
    for (_, (location, rsl)) in places.iter().filter(|(url, _)| counts(url)) {
        found.extend(s45_said(location, rsl, question));
    }
    // The condition to ask a licence server is added to the other statements and overrides none of them.
    let is_server =
        |one: &Statement| one.permits && one.conditions.first().is_some_and(|one| one.starts_with("license-server="));
    let longest = |is_counted: &dyn Fn(&Statement) -> bool| {
        found.iter().filter(|(_, said)| said.iter().any(is_counted)).map(|(length, _)| *length).max()
    };
    let longest = longest(&|one| !is_server(one)).or_else(|| longest(&|_| true));
    said.extend(found.into_iter().filter(|(length, _)| Some(*length) >= longest).flat_map(|(_, said)| said));
    said
}

/// Returns the licences that are named for this crawler, with the lines that name them, and all licences that
/// robots.txt names.
fn s45_named(question: &Question, fields: &Fields) -> (BTreeSet<(Url, Place)>, BTreeSet<Url>) {
    let read = |(line, name, value): &(u32, String, String)| {
        let is_location = name == "license" && !value.contains([' ', '\t']) && value.contains(['/', '.']);
        let site = Url::parse(&question.url).ok()?.join("/robots.txt").ok()?;
        Some((site.join(value).ok().filter(|_| is_location)?, robots_line(*line)))
    };
    let mut named: BTreeSet<(Url, Place)> = fields.s40_counting(read).into_iter().collect();
    let to_others = fields.all.iter().filter_map(read).map(|(url, _)| url).collect();
    for value in question.header("Link") {
        let form = r#"^<([^>]*)>; *rel="?license"?; *type="?application/rsl\+xml"?$"#;
        let parts = re(form).captures(value);
        let url = parts.and_then(|parts| Url::parse(&question.url).ok()?.join(&parts[1]).ok());
        named.extend(url.map(|url| (url, said_in("header", value))));
    }
    (named, to_others)
}

/// A line with its content. The licence on the line, or `None` if the line is a content tag that names a server.
type Written<'r> = (u32, &'r Content, Option<&'r Licence>);

/// Returns a document's statements about the usage, grouped by matching pattern, with the length of each pattern.
fn s45_said(location: &str, rsl: &Rsl, question: &Question) -> Vec<(usize, Vec<Statement>)> {
    let mut patterns: BTreeMap<Vec<u8>, (usize, Vec<Written>)> = BTreeMap::new();
    let mut line = 1;
    for content in &rsl.contents {
        line += 1;
        let scope = s45_scope(content.url.unwrap_or_default(), question);
        let mut of_pattern = scope.map(|(pattern, length)| patterns.entry(pattern).or_insert((length, Vec::new())));
        if let Some((_, own)) = &mut of_pattern {
            own.extend(content.server.map(|_| (line, content, None)));
        }
        for licence in &content.licences {
            line += 1;
            if let Some((_, own)) = &mut of_pattern {
                own.push((line, content, Some(licence)));
            }
        }
        line += 1;
    }
    let said =
        patterns.into_values().map(|(length, licences)| (length, s45_of_pattern(location, rsl, &licences, question)));
    said.filter(|(_, said)| !said.is_empty()).collect()
}

/// Returns the normalized pattern of a content and its length, or `None` if the pattern does not match the URL in the
/// question.
fn s45_scope(url: &str, question: &Question) -> Option<(Vec<u8>, usize)> {
    if url.is_empty() {
        return Some((Vec::new(), 0));
    }
    let path = match Url::parse(url) {
        Ok(own) => {
            let here = Url::parse(&question.url).ok()?;
            if own.origin() != here.origin() {
                return None;
            }
            String::from_utf8(path_of(url, Reading::Default)).ok()?
        }
        Err(_) if url.starts_with(['/', '*']) => url.to_owned(),
        Err(_) => format!("/{url}"),
    };
    let length = s13_length(&path, question)?;
    Some((comparable(path.as_bytes(), Reading::Default), length))
}

/// Returns the statements in the licences for one pattern. The narrowest word applies. Between equally narrow words, a
/// prohibition beats a permission. A usage that is missing from all lists of permissions is prohibited.
fn s45_of_pattern(location: &str, rsl: &Rsl, written: &[Written], question: &Question) -> Vec<Statement> {
    let usage = &question.usage;
    let statement = |line: u32, permits: bool, conditions: Vec<String>| {
        let place = (location.to_owned(), line.to_string());
        Statement { conditions, ..Statement::new(&[place], permits, usage.clone()) }
    };
    let prohibition = |line: u32| statement(line, false, Vec::new());
    let lists = |licence: &Licence| licence.permitted(usage).is_some();
    // In a malformed document, the list of one licence does not lift what the list of another licence prohibits.
    let is_listed = rsl.fault == Fault::None && written.iter().any(|(.., licence)| licence.is_some_and(lists));
    let mut words: Vec<(usize, Statement)> = Vec::new();
    let mut asked: Vec<Statement> = Vec::new();
    for (line, content, licence) in written {
        let Some(licence) = licence else {
            // The condition to ask the server is added to every licence. Without `url`, the scope of the server is
            // unknown, so it prohibits.
            let condition = content.server.map(|server| format!("license-server={server}"));
            match (content.url, rsl.fault) {
                (None, _) => words.push((WIDEST, prohibition(*line))),
                (Some(_), Fault::None) => asked.push(statement(*line, true, condition.into_iter().collect())),
                (Some(_), Fault::CutOff | Fault::NoNamespace) => {}
            }
            continue;
        };
        words.extend(Licence::width(&licence.prohibits, usage).map(|width| (width, prohibition(*line))));
        let termless = licence.is_termless().then_some(WIDEST);
        if let Some(width) = licence.permitted(usage).or(termless) {
            let permits = !licence.is_unknowable() && content.url.is_some();
            if permits && rsl.fault == Fault::None {
                words.push((width, statement(*line, true, licence.conditions())));
            } else if !permits {
                words.push((width, prohibition(*line)));
            }
        }
        // A usage that no list contains is prohibited, although no word names it.
        if !is_listed && !lists(licence) && !licence.permits.is_empty() {
            words.push((WIDEST, prohibition(*line)));
        }
    }
    let narrowest = words.iter().map(|(width, _)| *width).min();
    let counting = || words.iter().filter(|(width, _)| Some(*width) == narrowest).map(|(_, said)| said.clone());
    let prohibiting: Vec<Statement> = counting().filter(|said| !said.permits).collect();
    if prohibiting.is_empty() { counting().chain(asked).collect() } else { prohibiting }
}

/// The width of statements that come from no word. It is greater than the width of every word.
const WIDEST: usize = 3;
