//! Generated files and sites, including sites stored as lists of tags. The tests ask questions about them, display
//! them, make them smaller, rewrite them without changing their meaning, and remove statements.

use super::gen_elements::{GenElements, Markup, PLAINLY, Piece, SEEMING, SEEMING_WITHOUT_CLASS, Tag};
use super::gen_files::{GenFile, Line};
use super::gen_pages::{GenHeader, GenPage, GenRobots, GenSite};
use super::html::{self, Page};
use super::{Question, Robots};
use crate::generate::Numbers;
use std::collections::BTreeMap;

pub trait Generated: Clone {
    /// Returns the question with this file or site as its evidence.
    fn asked(&self, question: &Question) -> Question;
    fn shown(&self) -> String;
    /// Returns all variants that lack one line, member, META tag, tag or class, or that have a plainer spelling.
    fn smaller(&self) -> Vec<Self>;
    /// Rewrites the file or site in a way that must not change any answer (S-32).
    fn rewritten(&self, numbers: &mut Numbers) -> Self;
    /// Returns the file or site without the statements for which `is_taken` returns `true`. The arguments of `is_taken`
    /// are the document or carrier, and the line or text of the statement. Versions and definitions stay.
    fn without(&self, is_taken: &dyn Fn(&str, &str) -> bool) -> Self;
    /// Returns two variants: one with only the page, and one with a DOM that scripts did not change.
    fn with_idle_scripts(&self, numbers: &mut Numbers) -> (Self, Self);
    fn file(&self) -> Option<&GenFile>;
}

/// Collects changed copies of a value. Each copy has one change.
pub struct Changes<'m, M>(pub &'m M, pub Vec<M>);

impl<M: Clone> Changes<'_, M> {
    pub fn take(&mut self, change: impl Fn(&mut M)) {
        let mut changed = self.0.clone();
        change(&mut changed);
        self.1.push(changed);
    }
}

impl Generated for GenFile {
    fn asked(&self, question: &Question) -> Question {
        let joined =
            |lines: &[Line], end: &str| -> String { lines.iter().map(|line| format!("{}{end}", line.text)).collect() };
        let references =
            self.references.iter().map(|(locator, lines)| (locator.clone(), joined(lines, "\n").into_bytes()));
        Question {
            robots: Robots::Read(format!("{}{}", self.mark, joined(&self.lines, self.end)).into_bytes()),
            references: references.collect(),
            ..question.clone()
        }
    }

    fn shown(&self) -> String {
        let files = [("robots.txt", &self.lines)]
            .into_iter()
            .chain(self.references.iter().map(|(name, lines)| (name.as_str(), lines)));
        files.map(|(name, lines)| format!("--- {name}\n{}", super::gen_files::joined(lines))).collect()
    }

    fn smaller(&self) -> Vec<Self> {
        let mut changes = Changes(self, Vec::new());
        for at in 0..self.lines.len() {
            changes.take(|file| drop(file.lines.remove(at)));
        }
        for (locator, lines) in &self.references {
            for at in 0..lines.len() {
                changes.take(|file| drop(file.references.get_mut(locator).map(|lines| lines.remove(at))));
            }
        }
        changes.1
    }

    /// Changes the order of fields in a group, line endings, the byte order mark, the case of field names, blank lines
    /// and comments.
    fn rewritten(&self, numbers: &mut Numbers) -> Self {
        let mut lines = Vec::new();
        for group in self.lines.chunk_by(|one, two| one.group == two.group) {
            let mut group = group.to_vec();
            numbers.shuffle(&mut group);
            for line in group {
                while numbers.one_in(4) {
                    let comments = ["", " \t", "# Disallow: /", "#ACAP-crawler: *", "  # ACAP-allow-index: /"];
                    lines.push(Line { text: numbers.pick(&comments).to_owned(), group: line.group });
                }
                lines.push(Line { text: disguised(&line.text, numbers), group: line.group });
            }
        }
        let mark = if numbers.one_in(2) { "\u{FEFF}" } else { "" };
        Self { lines, mark, end: numbers.pick(&["\n", "\r\n", "\r"]), references: self.references.clone() }
    }

    /// Replaces lines instead of removing them, so that groups stay separate.
    fn without(&self, is_taken: &dyn Fn(&str, &str) -> bool) -> Self {
        let mut silent = self.clone();
        for (number, line) in (1..).zip(&mut silent.lines) {
            if !is_taken("robots.txt", &i32::to_string(&number)) {
                continue;
            }
            let name = line.text.split(':').next().unwrap_or_default().to_ascii_lowercase();
            if name.starts_with("acap-allow-") || name.starts_with("acap-disallow-") {
                line.text = "ACAP-disallow-crawl:".to_owned();
            } else if name == "allow" || name == "disallow" {
                line.text = "Disallow:".to_owned();
            }
        }
        silent
    }

    fn with_idle_scripts(&self, _numbers: &mut Numbers) -> (Self, Self) {
        (self.clone(), self.clone())
    }

    fn file(&self) -> Option<&GenFile> {
        Some(self)
    }
}

/// Returns a line with its field name in a different case, extra blanks and a comment.
fn disguised(text: &str, numbers: &mut Numbers) -> String {
    let Some((name, value)) = text.split_once(':').filter(|_| !text.starts_with('#')) else {
        return text.to_owned();
    };
    let name = match numbers.below(3) {
        0 => name.to_ascii_uppercase(),
        1 => name.to_ascii_lowercase(),
        _ => name.to_owned(),
    };
    let (before, after) = (numbers.pick(&["", " ", "\t"]), numbers.pick(&["", " "]));
    format!("{before}{name}{after}:{value}{}", numbers.pick(&["", " ", " # a comment", "\t#"]))
}

impl Generated for GenSite {
    fn asked(&self, question: &Question) -> Question {
        let plain = |robots: Robots| Question { robots, references: BTreeMap::new(), ..question.clone() };
        let with_robots = match &self.robots {
            GenRobots::File(file) => file.asked(question),
            GenRobots::NotThere => plain(Robots::NotThere),
            GenRobots::Failed => plain(Robots::Failed),
            GenRobots::Unknown => plain(Robots::Unknown),
        };
        let header = |header: &GenHeader| (header.name.to_owned(), header.members.join(", "));
        let page = |page: &GenPage| Page::read(&page.written());
        Question {
            reading: self.reading,
            headers: self.headers.iter().map(header).collect(),
            page: self.page.as_ref().map(page),
            dom: self.dom.as_ref().map(page),
            ..with_robots
        }
    }

    fn shown(&self) -> String {
        let mut text = format!("reading {}\n", self.reading);
        text.push_str(&self.file().map_or(format!("robots.txt: {:?}\n", self.robots), GenFile::shown));
        for header in &self.headers {
            text.push_str(&format!("--- {}: {}\n", header.name, header.members.join(", ")));
        }
        for (name, page) in [("page", &self.page), ("dom", &self.dom)] {
            for meta in page.iter().flat_map(|page| &page.metas) {
                text.push_str(&format!("--- {name}: {meta:?}\n"));
            }
        }
        text
    }

    fn smaller(&self) -> Vec<Self> {
        let mut changes = Changes(self, Vec::new());
        if self.dom.is_some() {
            changes.take(|site| site.dom = None);
        } else if self.page.is_some() {
            changes.take(|site| site.page = None);
        }
        if let Some(file) = self.file() {
            changes.take(|site| site.robots = GenRobots::Unknown);
            for smaller in file.smaller() {
                changes.take(|site| site.robots = GenRobots::File(smaller.clone()));
            }
        }
        for (at, header) in self.headers.iter().enumerate() {
            changes.take(|site| drop(site.headers.remove(at)));
            for member in (0..header.members.len()).filter(|_| header.members.len() > 1) {
                changes.take(|site| drop(site.headers[at].members.remove(member)));
            }
        }
        for (number, page) in self.page.iter().chain(&self.dom).enumerate() {
            for at in 0..page.metas.len() {
                changes.take(|site| drop(site.pages().nth(number).map(|page| page.metas.remove(at))));
            }
            // Try the same META tags in a plainer style.
            for style in 0..page.style.min(3) {
                changes.take(|site| site.pages().for_each(|page| page.style = style));
            }
        }
        changes.1
    }

    /// Changes the order of META tags, header lines and members, and the style of the documents.
    fn rewritten(&self, numbers: &mut Numbers) -> Self {
        let mut site = self.clone();
        if let GenRobots::File(file) = &mut site.robots {
            *file = file.rewritten(numbers);
        }
        for page in site.pages() {
            numbers.shuffle(&mut page.metas);
            page.style = numbers.below(1 << 40) as u64;
        }
        let is_list = |header: &GenHeader| header.name.eq_ignore_ascii_case("Robots-Tag");
        let (lists, mut headers): (Vec<GenHeader>, Vec<GenHeader>) = site.headers.into_iter().partition(is_list);
        let mut members: Vec<String> = lists.into_iter().flat_map(|header| header.members).collect();
        numbers.shuffle(&mut members);
        while !members.is_empty() {
            let rest = members.split_off(1 + numbers.below(members.len()));
            headers.push(GenHeader { name: "Robots-Tag", members });
            members = rest;
        }
        numbers.shuffle(&mut headers);
        Self { headers, ..site }
    }

    fn without(&self, is_taken: &dyn Fn(&str, &str) -> bool) -> Self {
        let mut site = self.clone();
        if let GenRobots::File(file) = &mut site.robots {
            *file = file.without(is_taken);
        }
        for page in site.pages() {
            page.metas.retain(|meta| meta.is_no_statement() || !is_taken("meta", &meta.content));
        }
        for header in &mut site.headers {
            header.members.retain(|member| !is_taken("header", member));
        }
        site
    }

    fn with_idle_scripts(&self, numbers: &mut Numbers) -> (Self, Self) {
        let alone = Self { dom: None, ..self.clone() };
        let dom = alone.page.clone().map(|page| GenPage { style: numbers.below(1 << 40) as u64, ..page });
        (alone.clone(), Self { dom, ..alone })
    }

    fn file(&self) -> Option<&GenFile> {
        if let GenRobots::File(file) = &self.robots { Some(file) } else { None }
    }
}

impl GenSite {
    fn pages(&mut self) -> impl Iterator<Item = &mut GenPage> {
        self.page.iter_mut().chain(&mut self.dom)
    }
}

impl Generated for GenElements {
    fn asked(&self, question: &Question) -> Question {
        let page = |markup: &Markup| Page::read(&markup.written());
        Question { page: Some(page(&self.page)), dom: self.dom.as_ref().map(page), ..self.site.asked(question) }
    }

    fn shown(&self) -> String {
        let dom = self.dom.iter().map(|dom| format!("--- dom\n{}\n", dom.written()));
        format!("{}--- page\n{}\n{}", self.site.shown(), self.page.written(), dom.collect::<String>())
    }

    fn smaller(&self) -> Vec<Self> {
        let mut changes = Changes(self, Vec::new());
        for smaller in self.site.smaller() {
            changes.take(|site| site.site = smaller.clone());
        }
        if self.dom.is_some() {
            changes.take(|site| site.dom = None);
        }
        for page in self.page.smaller() {
            changes.take(|site| site.page = page.clone());
        }
        for dom in self.dom.iter().flat_map(Markup::smaller) {
            changes.take(|site| site.dom = Some(dom.clone()));
        }
        changes.1
    }

    /// Changes the order of classes and META tags, and the style of tags.
    fn rewritten(&self, numbers: &mut Numbers) -> Self {
        let mut site = Self { site: self.site.rewritten(numbers), ..self.clone() };
        for markup in site.markups() {
            numbers.shuffle(&mut markup.in_head);
            for tag in markup.tags() {
                numbers.shuffle(&mut tag.classes);
                tag.style = numbers.below(1 << 40) as u64;
            }
        }
        site
    }

    /// Keeps positive profile classes such as `robots-index` too, because they make no statement.
    fn without(&self, is_taken: &dyn Fn(&str, &str) -> bool) -> Self {
        let mut site = Self { site: self.site.without(is_taken), ..self.clone() };
        let is_link = |attribute: &str| attribute.to_ascii_lowercase().starts_with("rel");
        let link = |attribute: &str| {
            let value = attribute.split_once('=').map_or("", |(_, value)| value.trim_matches(['\'', '"']));
            html::link_text(&value.replace("&#102;", "f"))
        };
        let is_mark = |attribute: &str| attribute.to_ascii_lowercase().starts_with("data-nosnippet");
        for markup in site.markups() {
            for tag in markup.tags() {
                tag.classes.retain(|class| !html::states(class) || !is_taken("element", class));
                tag.attributes.retain(|attribute| !is_link(attribute) || !is_taken("element", &link(attribute)));
                tag.attributes.retain(|attribute| !is_mark(attribute) || !is_taken("element", "data-nosnippet"));
            }
            for piece in markup.in_body.iter_mut() {
                if matches!(piece, Piece::Text(SEEMING)) && is_taken("element", "the-acap:disallow-index") {
                    *piece = Piece::Text(SEEMING_WITHOUT_CLASS);
                }
            }
            for pieces in markup.pieces() {
                pieces.retain(|piece| match piece {
                    Piece::Meta(meta) => meta.is_no_statement() || !is_taken("meta", &meta.content),
                    Piece::Start(_) | Piece::End(_) | Piece::Text(_) => true,
                });
            }
        }
        site
    }

    fn with_idle_scripts(&self, numbers: &mut Numbers) -> (Self, Self) {
        let alone = Self { dom: None, ..self.clone() };
        let dom = Some(alone.rewritten(numbers).page);
        (alone.clone(), Self { dom, ..alone })
    }

    fn file(&self) -> Option<&GenFile> {
        self.site.file()
    }
}

impl Markup {
    fn smaller(&self) -> Vec<Self> {
        let mut changes = Changes(self, Vec::new());
        for at in 0..self.in_body.len() {
            changes.take(|markup| drop(markup.in_body.remove(at)));
        }
        for at in 0..self.in_head.len() {
            changes.take(|markup| drop(markup.in_head.remove(at)));
        }
        for at in 0..self.head.attributes.len() {
            changes.take(|markup| markup.head.attributes.truncate(at));
        }
        if self.head.style != PLAINLY {
            changes.take(|markup| markup.head.style = PLAINLY);
        }
        for (number, tag) in self.clone().tags().enumerate() {
            let mut of = |change: &dyn Fn(&mut Tag)| {
                changes.take(|markup| markup.tags().nth(number).into_iter().for_each(change))
            };
            for at in 0..tag.classes.len() {
                of(&|tag| drop(tag.classes.remove(at)));
            }
            for at in 0..tag.attributes.len() {
                of(&|tag| tag.attributes.truncate(at));
            }
            if tag.id.is_some() {
                of(&|tag| tag.id = None);
            }
            if tag.style != PLAINLY {
                of(&|tag| tag.style = PLAINLY);
            }
        }
        changes.1
    }
}
