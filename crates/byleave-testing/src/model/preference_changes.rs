//! Variants of sites with AI-preference dialects, for the tests: smaller sites, and sites in a different order, without
//! statements, with malformed statements, or with an additional statement.

use super::Question;
use super::Robots;
use super::gen_files::{GenFile, Line};
use super::gen_preferences::{GenPreferences, Meta};
use super::generated::{Changes, Generated};
use super::html::Page;
use super::rsl::{Content, Fault, Licence, Rsl};
use crate::generate::Numbers;
use byleave::Usage;
use std::collections::BTreeMap;

impl GenPreferences {
    /// Returns two sites for each statement: the site without the statement, and the site with a malformed statement in
    /// its place.
    pub fn spoilt(&self) -> Vec<(Self, Self)> {
        let mut all = Vec::new();
        let mut both = |taken: &dyn Fn(&mut Self), spoilt: &dyn Fn(&mut Self)| {
            let (mut without, mut with) = (self.clone(), self.clone());
            taken(&mut without);
            spoilt(&mut with);
            all.push((without, with));
        };
        for (at, line) in self.robots.iter().flat_map(|file| file.lines.iter().enumerate()) {
            let Some((name, value)) = line.text.split_once(':').filter(|(name, _)| is_field(name)) else { continue };
            let path = value.trim().split([' ', '\t']).next().filter(|path| path.starts_with(['/', '*']));
            let junk = match name.to_ascii_lowercase().as_str() {
                "content-usage" => {
                    format!("{} train-ai=maybe, ai-use=\"y\", search=Y, tdm, all=1", path.unwrap_or_default())
                }
                "content-signal" => format!("{} ai-train=maybe, search, ai-input=y", path.unwrap_or_default()),
                _ => "no path and no place".to_owned(),
            };
            let text = format!("{name}: {junk}");
            let set = |site: &mut Self, text: &str| {
                site.robots.iter_mut().for_each(|file| file.lines[at].text = text.to_owned());
            };
            both(&|site| set(site, "# gone"), &|site| set(site, &text));
        }
        for name in ["Content-Usage", "Content-Signal", "TDM-Reservation"] {
            let is_it = |own: &str| own.eq_ignore_ascii_case(name);
            both(&|site| site.headers.retain(|(own, _)| !is_it(own)), &|site| {
                let lines = site.headers.iter_mut().filter(|(own, _)| is_it(own));
                lines.for_each(|(_, value)| *value = "ai-train=maybe,".to_owned());
            });
        }
        for (number, metas) in self.pages.iter().enumerate() {
            for at in 0..metas.len() {
                both(&|site| site.pages[number][at].name = "gone", &|site| site.pages[number][at].content = "maybe");
            }
        }
        for (place, lines) in &self.documents {
            for (at, line) in lines.iter().enumerate() {
                let junk = match place.ends_with("json") {
                    true => "{\"location\": \"/\", \"tdm-reservation\": \"maybe\"}".to_owned(),
                    false if line.contains('=') => "datatrainingallowed=maybe".to_owned(),
                    false => format!("{}: no path", line.split(':').next().unwrap_or_default()),
                };
                if line.to_ascii_lowercase().starts_with("user-agent") {
                    continue;
                }
                let gone = if place.ends_with("json") { "{}" } else { "# gone" };
                let set = |site: &mut Self, text: &str| {
                    site.documents.values_mut().for_each(|own| {
                        if own == lines {
                            own[at] = text.to_owned()
                        }
                    });
                };
                both(&|site| set(site, gone), &|site| set(site, &junk));
            }
        }
        for (place, rsl) in &self.licences {
            for (number, content) in rsl.contents.iter().enumerate() {
                for at in 0..content.licences.len() {
                    let of = |site: &mut Self, change: &dyn Fn(&mut Vec<Licence>)| {
                        site.licences.get_mut(place).map(|rsl| change(&mut rsl.contents[number].licences)).unwrap_or(())
                    };
                    let junk = "<permits type=\"maybe\">all</permits>";
                    both(&|site| of(site, &|own| drop(own.remove(at))), &|site| {
                        of(site, &|own| own[at].unknown = Some(junk))
                    });
                }
            }
        }
        all
    }

    /// Returns the site with an additional statement that prohibits a usage everywhere.
    pub fn with_prohibition(&self, usage: &Usage, numbers: &mut Numbers) -> Self {
        let mut site = self.clone();
        let (label, signal, word) = match usage {
            Usage::TrainAi | Usage::TrainGenai => ("train-ai", "ai-train", "ai-train"),
            Usage::AiInput => ("ai-use", "ai-input", "ai-input"),
            Usage::Search => ("search", "search", "search"),
            _ => ("all", "", "all"),
        };
        let path = numbers.pick(&["", "/ ", "/a/b$ ", "* "]);
        let mut lines = vec![format!("Content-Usage: {path}{label}=n"), "License: /absent.xml".to_owned()];
        if !signal.is_empty() {
            lines.push(format!("Content-Signal: {path}{signal}=no"));
        }
        if label == "train-ai" {
            lines.push(format!("DisallowAITraining: {}", path.trim()));
        }
        let line = lines[numbers.below(lines.len())].clone();
        match numbers.below(4) {
            0 | 1 if site.robots.is_some() => {
                let Some(file) = &mut site.robots else { return site };
                let at = numbers.below(file.lines.len() + 1);
                file.lines.insert(at, Line { text: line, group: 0 });
            }
            2 => {
                let content = Content {
                    url: Some(numbers.pick(&["", "/", "/a/b$", "*"])),
                    server: None,
                    licences: vec![Licence { prohibits: vec![vec![word]], ..Licence::default() }],
                };
                let rsl = Rsl { contents: vec![content], fault: Fault::None };
                site.licences.insert("https://more.example/l.xml", rsl);
            }
            _ => site.headers.push(("Content-Signal", format!("{signal}=no"))),
        }
        site
    }
}

fn is_field(name: &str) -> bool {
    super::text::re("^(?:content-|(?:dis)?allowai|license)").is_match(name)
}

impl Generated for GenPreferences {
    fn asked(&self, question: &Question) -> Question {
        let mut asked = match &self.robots {
            Some(file) => file.asked(question),
            None => Question { robots: Robots::Unknown, references: BTreeMap::new(), ..question.clone() },
        };
        asked.reading = self.reading;
        asked.headers = self.headers.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let mut pages = self.pages.iter().map(|metas| Page::read(&html(metas)));
        (asked.page, asked.dom) = (pages.next(), pages.next());
        asked.documents =
            self.documents.iter().map(|(place, lines)| ((*place).to_owned(), text(place, lines))).collect();
        let licences = self.licences.iter().map(|(place, rsl)| ((*place).to_owned(), rsl.written()));
        asked.documents.extend(licences);
        asked.licences = self.licences.iter().map(|(place, rsl)| ((*place).to_owned(), rsl.clone())).collect();
        asked
    }

    fn shown(&self) -> String {
        let mut shown = format!("reading {}\n", self.reading);
        shown.push_str(&self.robots.as_ref().map_or("no robots.txt\n".to_owned(), GenFile::shown));
        self.headers.iter().for_each(|(name, value)| shown.push_str(&format!("--- {name}: {value}\n")));
        self.pages.iter().for_each(|metas| shown.push_str(&format!("--- {metas:?}\n")));
        self.documents
            .iter()
            .for_each(|(place, lines)| shown.push_str(&format!("--- {place}\n{}\n", text(place, lines))));
        self.licences.iter().for_each(|(place, rsl)| shown.push_str(&format!("--- {place}\n{}\n", rsl.written())));
        shown
    }

    fn smaller(&self) -> Vec<Self> {
        let mut changes = Changes(self, Vec::new());
        changes.take(|site| drop(site.robots.take()));
        for file in self.robots.iter().flat_map(GenFile::smaller) {
            changes.take(|site| site.robots = Some(file.clone()));
        }
        for at in 0..self.headers.len() {
            changes.take(|site| drop(site.headers.remove(at)));
        }
        changes.take(|site| drop(site.pages.pop()));
        for (number, metas) in self.pages.iter().enumerate() {
            for at in 0..metas.len() {
                changes.take(|site| {
                    site.pages[number].remove(at);
                });
            }
        }
        for (place, lines) in &self.documents {
            changes.take(|site| drop(site.documents.remove(place)));
            for at in 0..lines.len() {
                changes.take(|site| drop(site.documents.get_mut(place).map(|lines| lines.remove(at))));
            }
        }
        for (place, rsl) in &self.licences {
            changes.take(|site| drop(site.licences.remove(place)));
            for smaller in rsl.smaller() {
                changes.take(|site| drop(site.licences.insert(place, smaller.clone())));
            }
        }
        // Drop variants that are not smaller, because there was nothing to remove.
        changes.1.retain(|site| site.shown().len() < self.shown().len());
        changes.1
    }

    /// Changes the order of fields in a group, of META tags and of licences. Of the header lines, keeps those of
    /// `Content-Usage` in order, because together they form a dictionary.
    fn rewritten(&self, numbers: &mut Numbers) -> Self {
        let mut site = self.clone();
        site.robots = site.robots.map(|file| file.rewritten(numbers));
        let is_dictionary = |header: &(&str, String)| header.0.eq_ignore_ascii_case("Content-Usage");
        let (mut headers, mut others): (Vec<_>, Vec<_>) = site.headers.into_iter().partition(is_dictionary);
        numbers.shuffle(&mut others);
        headers.extend(others);
        site.headers = headers;
        site.pages.iter_mut().for_each(|metas| numbers.shuffle(metas));
        for rsl in site.licences.values_mut() {
            numbers.shuffle(&mut rsl.contents);
            rsl.contents.iter_mut().for_each(|content| numbers.shuffle(&mut content.licences));
        }
        site
    }

    fn without(&self, is_taken: &dyn Fn(&str, &str) -> bool) -> Self {
        let mut site = self.clone();
        if let Some(file) = &mut site.robots {
            *file = file.without(is_taken);
            for (number, line) in (1..).zip(&mut file.lines) {
                if is_field(&line.text) && is_taken("robots.txt", &i32::to_string(&number)) {
                    line.text = "# gone".to_owned();
                }
            }
        }
        // An answer names either one line of the `Content-Usage` dictionary or all lines together. If it names neither,
        // all lines are treated alike: `takes_others` tells whether to remove them.
        let takes_others = is_taken("header", "");
        let is_dictionary = |name: &str| name.eq_ignore_ascii_case("Content-Usage");
        let lines = site.headers.iter().filter(|(name, _)| is_dictionary(name));
        let dictionary: Vec<String> = lines.map(|(name, value)| format!("{name}: {value}")).collect();
        let is_dictionary_taken = is_taken("header", &dictionary.join(" "));
        site.headers.retain(|(name, value)| match is_dictionary(name) {
            true => {
                let is_line_taken = is_taken("header", &format!("{name}: {value}"));
                match takes_others {
                    true => !(is_line_taken && is_dictionary_taken),
                    false => !is_line_taken && !is_dictionary_taken,
                }
            }
            false if *name == "Link" => !is_taken("header", value),
            false => !is_taken("header", &format!("{name}: {value}")),
        });
        site.pages.iter_mut().for_each(|metas| metas.retain(|meta| !is_taken("meta", &meta.said())));
        for (place, lines) in &mut site.documents {
            let is_json = place.ends_with("json");
            for (number, line) in (1..).zip(lines.iter_mut()) {
                let is_rule = is_json || super::text::re("^(?:(?:dis)?al+ow|datatraining)").is_match(line);
                if is_rule && is_taken(place, &i32::to_string(&number)) {
                    *line = if is_json { "{}".to_owned() } else { "# gone".to_owned() };
                }
            }
        }
        for (place, rsl) in &mut site.licences {
            let mut line = 1;
            for content in &mut rsl.contents {
                line += 1;
                if is_taken(place, &i32::to_string(&line)) {
                    content.server = None;
                }
                for licence in &mut content.licences {
                    line += 1;
                    if is_taken(place, &i32::to_string(&line)) {
                        // An empty licence prohibits nothing. It stays, so that the following lines keep their numbers.
                        *licence = Licence { prohibits: vec![Vec::new()], ..Licence::default() };
                    }
                }
                line += 1;
            }
        }
        site
    }

    fn with_idle_scripts(&self, numbers: &mut Numbers) -> (Self, Self) {
        let alone = Self { pages: self.pages.iter().take(1).cloned().collect(), ..self.clone() };
        let mut twice = alone.clone();
        if let Some(metas) = alone.pages.first() {
            let mut metas = metas.clone();
            numbers.shuffle(&mut metas);
            twice.pages.push(metas);
        }
        (alone, twice)
    }

    fn file(&self) -> Option<&GenFile> {
        self.robots.as_ref()
    }
}

impl Rsl {
    fn smaller(&self) -> Vec<Self> {
        let mut changes = Changes(self, Vec::new());
        changes.take(|rsl| rsl.fault = Fault::None);
        for (number, content) in self.contents.iter().enumerate() {
            changes.take(|rsl| drop(rsl.contents.remove(number)));
            changes.take(|rsl| rsl.contents[number].server = None);
            for (at, licence) in content.licences.iter().enumerate() {
                changes.take(|rsl| drop(rsl.contents[number].licences.remove(at)));
                let mut of =
                    |change: &dyn Fn(&mut Licence)| changes.take(|rsl| change(&mut rsl.contents[number].licences[at]));
                of(&|licence| drop(licence.permits.pop()));
                of(&|licence| drop(licence.prohibits.pop()));
                of(&|licence| drop(licence.terms.pop()));
                of(&|licence| licence.payment = None);
                of(&|licence| licence.reporting = None);
                of(&|licence| licence.unknown = None);
                of(&|licence| licence.foreign = None);
                for (list, words) in lengths(&licence.permits) {
                    of(&|licence| licence.permits[list].truncate(words - 1));
                }
                for (list, words) in lengths(&licence.prohibits) {
                    of(&|licence| licence.prohibits[list].truncate(words - 1));
                }
            }
        }
        changes.1
    }
}

/// Returns the number of words in each list that is not empty.
fn lengths(lists: &[Vec<&str>]) -> impl Iterator<Item = (usize, usize)> {
    lists.iter().map(Vec::len).enumerate().filter(|(_, words)| *words > 0)
}

/// Returns the text of a document with these lines.
fn text(place: &str, lines: &[String]) -> String {
    match place.ends_with("json") {
        true => format!("[{}]", lines.join(",\n")),
        false => lines.iter().map(|line| format!("{line}\n")).collect(),
    }
}

fn html(metas: &[Meta]) -> String {
    let written = |is_in_body: bool| -> String {
        let metas = metas.iter().filter(|meta| meta.is_in_body == is_in_body);
        metas.map(|meta| format!("<meta name=\"{}\" content=\"{}\">\n", meta.name, meta.content)).collect()
    };
    format!("<html><head><title>t</title>\n{}</head><body><p>Text</p>{}</body></html>", written(false), written(true))
}
