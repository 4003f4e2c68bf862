//! The AI-preference dialects (S-40 to S-46). Each dialect has its own rules for what it states about the usage. The
//! results are combined with other statements in the way that directives are.

use super::robots::RobotsEvidence;
use super::statements::Statement;
use super::text::re;
use super::{Place, Question, Robots, rsl, said_in};
use crate::naive::{Naive, Other, Pattern, path_of};
use byleave::{Reading, Usage};
use serde_json::Value;
use sfv::{BareItem, Dictionary, ListEntry, Parser};
use std::collections::BTreeSet;
use url::Url;

/// The usages that AI-preference dialects address.
const USAGES: [Usage; 6] =
    [Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::AiIndex, Usage::Search];

/// Returns the applicable statements from all dialects.
pub fn s40_preferences(question: &Question, robots: &RobotsEvidence) -> Vec<Statement> {
    if !USAGES.contains(&question.usage) || question.reading == Reading::Rfc9309 {
        return Vec::new();
    }
    let disallows =
        matches!(question.robots, Robots::Read(_)) && robots.conventional.as_ref().is_some_and(|one| !one.permits);
    let fields = Fields::of(question);
    let mut said = s41_content_usage(question, &fields);
    said.extend(s42_content_signal(question, &fields));
    // S-31: if `Disallow` prohibits the resource, Content-Usage and Content-Signal permit nothing.
    said.retain(|one| !one.permits || !disallows);
    said.extend(s43_ai_training(question, &fields));
    said.extend(s44_tdm_reservation(question));
    if question.of_robots_txt() != Reading::Google {
        said.extend(s46_ai_txt(question));
        said.extend(s46_trust_txt(question));
        said.extend(rsl::s45_licences(question, &fields));
    }
    said
}

/// Calls `said` with the usage and then with the usages that contain it, nearest first. Returns the first result.
pub fn s40_nearest<T>(usage: &Usage, said: impl Fn(&Usage) -> Option<T>) -> Option<T> {
    [std::slice::from_ref(usage), usage.within()].concat().iter().find_map(said)
}

/// The robots.txt fields that are neither names nor rules, in three lists: fields in the groups that bind the crawler,
/// fields outside of groups, and all fields.
#[derive(Default)]
pub struct Fields {
    pub own: Vec<Other>,
    pub of_the_site: Vec<Other>,
    pub all: Vec<Other>,
    /// Lines that permit nothing, because it is unclear which crawlers they address.
    doubtful: BTreeSet<u32>,
}

impl Fields {
    fn of(question: &Question) -> Self {
        let Robots::Read(text) = &question.robots else { return Self::default() };
        if question.of_robots_txt() == Reading::Google {
            return Self::default();
        }
        let parting = ["content-usage", "content-signal", "disallowaitraining", "allowaitraining", "license"];
        let file = Naive::read_parted(text, question.of_robots_txt(), &parting);
        let all = file.groups.iter().flat_map(|group| &group.others).chain(&file.outside).cloned().collect();
        let own = question.s13_bound(&file, |_, bound| bound.iter().flat_map(|group| group.others.clone()).collect());
        Self { own, of_the_site: file.outside, all, doubtful: file.doubtful }
    }

    /// Returns what a line states: `true` if it permits. A permission is dropped if it is unclear which crawlers the
    /// line addresses.
    fn s40_certain(&self, line: u32, said: Option<bool>) -> Option<bool> {
        said.filter(|permits| !permits || !self.doubtful.contains(&line))
    }

    /// Returns the applicable lines in one dialect, as `read` parses them: the lines in the crawler's groups, or else
    /// the lines outside of groups. Malformed lines are omitted.
    pub fn s40_counting<T>(&self, read: impl Fn(&Other) -> Option<T>) -> Vec<T> {
        let own: Vec<T> = self.own.iter().filter_map(&read).collect();
        if own.is_empty() { self.of_the_site.iter().filter_map(&read).collect() } else { own }
    }
}

pub fn robots_line(line: u32) -> Place {
    ("robots.txt".to_owned(), line.to_string())
}

pub fn header_line(name: &str, value: &str) -> Place {
    said_in("header", &format!("{name}: {value}"))
}

/// A line with a path. `length` is the length of the path if it matches, and `said` is what the line states about the
/// usage.
struct Scoped<T> {
    length: Option<usize>,
    said: T,
    line: u32,
}

/// Returns the lines with the longest matching path.
fn s41_longest<T>(lines: Vec<Scoped<T>>) -> Vec<Scoped<T>> {
    let longest = lines.iter().filter_map(|line| line.length).max();
    lines.into_iter().filter(|line| line.length.is_some() && line.length == longest).collect()
}

/// Splits a value into a path and the rest. Returns the length of the path, or `None` if the path does not match, and
/// the rest of the value.
fn s41_path<'v>(value: &'v str, question: &Question) -> (Option<usize>, &'v str) {
    if !value.starts_with(['/', '*']) || value.starts_with('*') && Parser::new(value).parse::<Dictionary>().is_ok() {
        return (Some(0), value);
    }
    let (path, rest) = value.split_once([' ', '\t']).unwrap_or((value, ""));
    (s13_length(path, question), rest.trim())
}

/// Returns the length of a pattern, if it matches.
pub fn s13_length(pattern: &str, question: &Question) -> Option<usize> {
    let compiled = Pattern::new(pattern.as_bytes(), Reading::Default);
    let matches = pattern.starts_with(['/', '*']) && compiled.matches(&path_of(&question.url, Reading::Default));
    matches.then(|| compiled.length())
}

/// Returns the lines that prohibit (`n`), or the lines that permit (`y`) if none prohibits.
fn s41_statements(lines: &[(Place, Option<bool>)], usage: &Usage) -> Vec<Statement> {
    let permits = !lines.iter().any(|(_, said)| *said == Some(false));
    let those = lines.iter().filter(|(_, said)| *said == Some(permits));
    those.map(|(place, _)| Statement::new(std::slice::from_ref(place), permits, usage.clone())).collect()
}

fn s41_content_usage(question: &Question, fields: &Fields) -> Vec<Statement> {
    let read = |(line, name, value): &Other| {
        let (length, rest) = s41_path(value, question);
        let dictionary = Parser::new(rest).parse::<Dictionary>().ok().filter(|_| name == "content-usage")?;
        // A line without a readable statement overrides nothing.
        let certain = |usage: &Usage| s41_heard(&dictionary, usage).map(|said| fields.s40_certain(*line, said));
        USAGES.iter().find(|usage| matches!(certain(usage), Ok(Some(_))))?;
        Some(Scoped { length, said: certain(&question.usage).ok()?, line: *line })
    };
    let lines = s41_longest(fields.s40_counting(read));
    let mut said = s41_statements(
        &lines.iter().map(|line| (robots_line(line.line), line.said)).collect::<Vec<_>>(),
        &question.usage,
    );
    let header: Vec<&str> = question.header("Content-Usage").filter(|line| !line.trim().is_empty()).collect();
    if let Ok(dictionary) = Parser::new(&header.join(", ")).parse::<Dictionary>()
        && let Ok(Some(permits)) = s41_heard(&dictionary, &question.usage)
    {
        // The place of the statement: the last line that alone makes the statement, or else all lines together.
        let says = |line: &&&str| {
            let own = Parser::new(line).parse::<Dictionary>();
            own.is_ok_and(|own| s41_heard(&own, &question.usage) == Ok(Some(permits)))
        };
        let told = header.iter().rev().find(says).map_or(header.clone(), |line| vec![*line]);
        let lines: Vec<String> = told.iter().map(|line| format!("Content-Usage: {line}")).collect();
        said.push(Statement::new(&[said_in("header", &lines.join(" "))], permits, question.usage.clone()));
    }
    said
}

/// Returns the labels for a usage, nearest first.
fn s41_labels(usage: &Usage) -> Vec<&'static [&'static str]> {
    const ALL: &[&str] = &["tdm", "all", "bots"];
    match usage {
        Usage::TrainAi => vec![&["train-ai"], &["ai", "genai", "train-genai"], ALL],
        Usage::TrainGenai => vec![&["train-genai", "genai", "train-ai", "ai"], ALL],
        Usage::AiInput => vec![&["ai-use"], &["inference", "ai-output"], ALL],
        Usage::Search => vec![&["search"], &["ai-output"], ALL],
        _ => vec![ALL],
    }
}

/// Returns whether a dictionary permits the usage, or `None` if it states nothing about the usage. Returns an error if
/// the statement is malformed.
fn s41_heard(dictionary: &Dictionary, usage: &Usage) -> Result<Option<bool>, ()> {
    let value = |label: &str| {
        let entry = dictionary.iter().find(|(key, _)| key.as_str() == label).map(|(_, entry)| entry)?;
        let ListEntry::Item(item) = entry else { return Some(None) };
        let BareItem::Token(token) = &item.bare_item else { return Some(None) };
        Some(["n", "y"].iter().position(|known| token.as_str() == *known).map(|at| at == 1))
    };
    let mut is_bad = false;
    for labels in s41_labels(usage) {
        // A permission for `train-genai`, which is a part of `train-ai`, does not permit all of `train-ai`.
        let is_part = |label: &str| *usage == Usage::TrainAi && label.ends_with("genai");
        let values = labels.iter().filter_map(|label| Some((*label, value(label)?)));
        let values: Vec<_> = values.filter(|(label, said)| *said != Some(true) || !is_part(label)).collect();
        is_bad |= values.iter().any(|(_, said)| said.is_none());
        for permits in [false, true] {
            if values.iter().any(|(_, said)| *said == Some(permits)) {
                return Ok(Some(permits));
            }
        }
    }
    if is_bad { Err(()) } else { Ok(None) }
}

/// What a list of signals states about the usage: whether the usage is permitted, and the highest permitted level
/// (`use=reference`).
type Signals = (Option<bool>, Option<&'static str>);

/// Returns what a list of signals states. Returns an error if the statement is malformed, or if the list has no valid
/// signal. A list with an error overrides no other line.
fn s42_signals(text: &str, usage: &Usage) -> Result<Signals, ()> {
    let says = |usage: &Usage| s42_heard(text, usage).is_ok_and(|said| said != (None, None));
    if USAGES.iter().any(says) { s42_heard(text, usage) } else { Err(()) }
}

fn s42_heard(text: &str, usage: &Usage) -> Result<Signals, ()> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let signals = |member: &'_ str| -> Vec<(String, bool)> {
        let several: Vec<&str> = member.split_whitespace().filter(|one| one.find('=') > Some(0)).collect();
        match several.len() > 1 {
            // These signals are not separated by a comma, so they permit nothing.
            true => several.iter().map(|one| ((*one).to_owned(), true)).collect(),
            false => vec![(member.to_owned(), false)],
        }
    };
    for (member, is_unparted) in text.split(',').flat_map(signals) {
        let member = member.as_str();
        let (name, value) = member.split_once('=').unwrap_or((member, ""));
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
        let own = match name.as_str() {
            "search" => Usage::Search,
            "ai-input" => Usage::AiInput,
            "ai-train" => Usage::TrainAi,
            "use" => {
                levels.push(["full", "reference"].into_iter().find(|level| value == *level).unwrap_or("immediate"));
                continue;
            }
            _ => continue,
        };
        let said = ["no", "yes"].iter().position(|known| value == *known).map(|at| at == 1).ok_or(());
        let said = said.and_then(|permits| if permits && is_unparted { Err(()) } else { Ok(permits) });
        if s40_nearest(usage, |one| (*one == own).then_some(())).is_some() {
            values.push(said);
        }
    }
    let level = ["immediate", "reference"].into_iter().find(|level| *usage == Usage::AiInput && levels.contains(level));
    // A malformed statement about the usage cancels a permission in the list.
    let said =
        [false, true].into_iter().find(|said| values.contains(&Ok(*said)) && !(*said && values.contains(&Err(()))));
    let is_bad = !values.is_empty() && said.is_none() && level.is_none();
    if is_bad { Err(()) } else { Ok((said, level)) }
}

fn s42_content_signal(question: &Question, fields: &Fields) -> Vec<Statement> {
    let read = |(line, name, value): &Other| {
        let (length, rest) = s41_path(value, question);
        let (said, level) = s42_signals(rest, &question.usage).ok().filter(|_| name == "content-signal")?;
        let speaks = |usage: &Usage| {
            let said = s42_signals(rest, usage);
            said.is_ok_and(|(said, level)| fields.s40_certain(*line, said).is_some() || level.is_some())
        };
        if fields.doubtful.contains(line) && !USAGES.iter().any(speaks) {
            return None;
        }
        Some(Scoped { length, said: (fields.s40_certain(*line, said), level), line: *line })
    };
    let lines = s41_longest(fields.s40_counting(read)).into_iter().map(|line| (robots_line(line.line), line.said));
    let headers = question.header("Content-Signal");
    let headers = headers
        .filter_map(|text| Some((header_line("Content-Signal", text), s42_signals(text, &question.usage).ok()?)));
    let mut statements = s42_restrictive(&lines.collect::<Vec<_>>(), &question.usage);
    statements.extend(s42_restrictive(&headers.collect::<Vec<_>>(), &question.usage));
    statements
}

/// Returns the most restrictive of several lines with equal rank: the prohibitions, or else the limits, or else the
/// permissions.
fn s42_restrictive(lines: &[(Place, Signals)], usage: &Usage) -> Vec<Statement> {
    let statement = |place: &Place, permits| Statement::new(std::slice::from_ref(place), permits, usage.clone());
    let those = |is_it: &dyn Fn(&Signals) -> bool| -> Vec<Place> {
        lines.iter().filter(|(_, said)| is_it(said)).map(|(place, _)| place.clone()).collect()
    };
    let no = those(&|said| said.0 == Some(false));
    if !no.is_empty() {
        return no.iter().map(|place| statement(place, false)).collect();
    }
    // Returns every limit. The lowest limit applies (`s08_joined`).
    let limit = |(place, said): &(Place, Signals)| {
        let conditions = vec![format!("use={}", said.1?)];
        Some(Statement { conditions, ..statement(place, true) })
    };
    let limits: Vec<Statement> = lines.iter().filter_map(limit).collect();
    if !limits.is_empty() {
        return limits;
    }
    those(&|said| said.0 == Some(true)).iter().map(|place| statement(place, true)).collect()
}

fn s43_ai_training(question: &Question, fields: &Fields) -> Vec<Statement> {
    if s40_nearest(&question.usage, |one| (*one == Usage::TrainAi).then_some(())).is_none() {
        return Vec::new();
    }
    let read = |(line, name, value): &Other| {
        let permits = ["disallowaitraining", "allowaitraining"].iter().position(|own| name == own)? == 1;
        let is_said = value.starts_with(['/', '*']) && fields.s40_certain(*line, Some(permits)).is_some();
        is_said.then(|| Scoped { length: s13_length(value, question), said: permits, line: *line })
    };
    let lines = s41_longest(fields.s40_counting(read));
    let permits = lines.iter().any(|line| line.said);
    let those = lines.iter().filter(|line| line.said == permits);
    those.map(|line| Statement::new(&[robots_line(line.line)], permits, question.usage.clone())).collect()
}

/// Returns the URL of a document. A path is resolved against the URL in the question.
pub fn s40_place(location: &str, question: &Question) -> Option<Url> {
    Url::parse(&question.url).ok()?.join(location).ok()
}

/// Returns the site's documents at these paths.
fn s40_documents<'q>(question: &'q Question, paths: &'q [&str]) -> impl Iterator<Item = (&'q String, &'q String)> {
    let site = Url::parse(&question.url).ok().map(|url| url.origin());
    question.documents.iter().filter(move |(location, _)| {
        let place = s40_place(location, question);
        place.is_some_and(|place| paths.contains(&place.path()) && (site.is_none() || Some(place.origin()) == site))
            || paths.contains(&location.as_str())
    })
}

fn s44_tdm_reservation(question: &Question) -> Vec<Statement> {
    if s40_nearest(&question.usage, |one| (*one == Usage::Tdm).then_some(())).is_none() {
        return Vec::new();
    }
    let value = |text: &str| match text.trim() {
        "1" => Some(false),
        "0" => Some(true),
        _ => None,
    };
    let mut layers: Vec<Vec<(Place, Option<bool>)>> = Vec::new();
    if question.of_robots_txt() != Reading::Google {
        let files = s40_documents(question, &["/.well-known/tdmrep.json"]);
        let rules = files.filter_map(|(location, text)| Some((location.clone(), s44_first(text, question)?)));
        layers.push(rules.map(|(location, (line, said))| ((location, line), Some(said))).collect());
    }
    let headers = question.header("tdm-reservation");
    layers.push(headers.map(|text| (header_line("TDM-Reservation", text), value(text))).collect());
    let pages: Vec<Vec<(Place, Option<bool>)>> = question
        .pages()
        .map(|page| {
            let reads_body = question.capabilities.reads_body_meta || question.reading == Reading::GoogleSearch;
            let metas =
                page.metas.iter().filter(|meta| meta.name.eq_ignore_ascii_case("tdm-reservation") && !meta.is_in_value);
            let metas = metas.map(|meta| {
                (
                    meta.is_in_head,
                    (said_in("meta", &format!("tdm-reservation: {}", meta.content)), value(&meta.content)),
                )
            });
            metas
                .filter(|(is_in_head, one)| *is_in_head || (reads_body && one.1 == Some(false)))
                .map(|(_, one)| one)
                .collect()
        })
        .collect();
    let all_permit = pages.iter().all(|page| page.iter().any(|(_, said)| *said == Some(true)));
    layers.push(pages.concat().into_iter().filter(|(_, said)| *said != Some(true) || all_permit).collect());
    let last = layers.iter().rev().map(|layer| s41_statements(layer, &question.usage)).find(|said| !said.is_empty());
    last.unwrap_or_default()
}

/// Returns the line and the value of the first valid rule that matches.
fn s44_first(text: &str, question: &Question) -> Option<(String, bool)> {
    let Value::Array(rules) = serde_json::from_str(text).ok()? else { return None };
    rules.iter().enumerate().find_map(|(number, rule)| {
        s13_length(rule.get("location")?.as_str()?, question)?;
        let reservation = rule.get("tdm-reservation")?;
        let value = match reservation {
            Value::String(text) => text.clone(),
            // The number 1.0 is treated as 1.
            number => number.as_f64()?.to_string(),
        };
        let said = ["1", "0"].iter().position(|known| value == *known)? == 1;
        Some((s44_line(text, number).to_string(), said))
    })
}

/// Returns the line on which the rule with this index in the array begins.
fn s44_line(text: &str, number: usize) -> usize {
    let (mut depth, mut is_text, mut is_escaped, mut commas, mut line) = (0, false, false, 0, 1);
    for letter in text.chars() {
        line += usize::from(letter == '\n');
        if depth == 1 && commas == number && !letter.is_whitespace() && letter != ',' {
            return line;
        }
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_text,
            '"' => is_text = !is_text,
            '[' | '{' if !is_text => depth += 1,
            ']' | '}' if !is_text => depth -= 1,
            ',' if !is_text && depth == 1 => commas += 1,
            _ => {}
        }
    }
    line
}

fn s46_ai_txt(question: &Question) -> Vec<Statement> {
    if s40_nearest(&question.usage, |one| (*one == Usage::TrainAi).then_some(())).is_none() {
        return Vec::new();
    }
    let mut said = Vec::new();
    for (location, text) in s40_documents(question, &["/ai.txt"]) {
        let file = Naive::read(text.as_bytes(), Reading::Default);
        let (_, rules) = question.s13_bound(&file, |asker, _| file.selected(asker, &question.url));
        let place = |line: u32| (location.clone(), line.to_string());
        said.extend(rules.iter().map(|rule| Statement::new(&[place(rule.line)], rule.permits, question.usage.clone())));
    }
    said
}

fn s46_trust_txt(question: &Question) -> Vec<Statement> {
    if s40_nearest(&question.usage, |one| (*one == Usage::TrainAi).then_some(())).is_none() {
        return Vec::new();
    }
    let mut said = Vec::new();
    for (location, text) in s40_documents(question, &["/trust.txt", "/.well-known/trust.txt"]) {
        let lines = (1..).zip(text.trim_start_matches('\u{FEFF}').lines()).filter_map(|(number, line)| {
            let parts = re(r"^\s*datatrainingallowed\s*=\s*([^#]*?)\s*(?:#.*)?$").captures(line)?;
            let value = ["no", "yes"].iter().position(|known| parts[1].eq_ignore_ascii_case(known)).map(|at| at == 1);
            Some(((location.clone(), i32::to_string(&number)), value))
        });
        let lines: Vec<(Place, Option<bool>)> = lines.collect();
        let counts = |statement: &Statement| !statement.permits || lines.len() == 1;
        said.extend(s41_statements(&lines, &question.usage).into_iter().filter(counts));
    }
    said
}
