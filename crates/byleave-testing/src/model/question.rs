//! A question: the proposed use, the evidence, and the crawler (S-35).

use super::html::Page;
use super::rsl::Rsl;
use super::text::re;
use crate::naive::{Asker, Group, Naive};
use byleave::{Reading, Usage};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Question {
    pub robots: Robots,
    /// Locator as written to text; a locator that is not here could not be read.
    pub references: BTreeMap<String, Vec<u8>>,
    /// Location to text, of documents in AI-preference dialects (S-40).
    pub documents: BTreeMap<String, String>,
    /// The content of documents that are licences: the model does not read XML.
    pub licences: BTreeMap<String, Rsl>,
    /// Names and values, one entry per field line.
    pub headers: Vec<(String, String)>,
    pub page: Option<Page>,
    /// The page after its scripts ran.
    pub dom: Option<Page>,
    pub reading: Reading,
    pub url: String,
    pub crawler: String,
    pub user_agent: Option<String>,
    pub fallbacks: Vec<String>,
    pub purposes: Vec<String>,
    pub usage: Usage,
    /// `#id` or `.class`; `None` for the page.
    pub element: Option<String>,
    /// Seconds since 1970.
    pub at: i64,
    pub first_used: Option<i64>,
    pub is_recrawled: bool,
    pub details: Details,
    pub capabilities: Capabilities,
}

#[derive(Clone, Debug, Default)]
pub struct Details {
    pub snippet: Option<String>,
    pub modification: Option<String>,
    pub context: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Capabilities {
    pub has_prior_arrangement: bool,
    pub reads_not_ready: bool,
    pub reads_body_meta: bool,
    pub reads_strawman: bool,
    /// `element_level=false`.
    pub lacks_element_level: bool,
    pub unable: Vec<String>,
}

/// How robots.txt was obtained.
#[derive(Clone, Debug)]
pub enum Robots {
    Read(Vec<u8>),
    NotThere,
    Failed,
    Unknown,
}

impl Question {
    /// The reading that applies to robots.txt (S-48).
    pub fn of_robots_txt(&self) -> Reading {
        match self.reading {
            Reading::GoogleSearch => Reading::Google,
            Reading::Bing | Reading::Yandex | Reading::Amazon => Reading::Default,
            reading => reading,
        }
    }

    /// The page and, where it is given, the DOM.
    pub fn pages(&self) -> impl Iterator<Item = &Page> {
        self.page.iter().chain(&self.dom)
    }

    /// The values of a header field, line by line.
    pub fn header(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.headers.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The crawler's names: its own, with its version and without, and the products of its User-Agent string, comments
    /// left out.
    pub fn s35_names(&self) -> Vec<String> {
        let mut products = self.user_agent.clone().unwrap_or_default();
        while let Some(comment) = re(r"\([^()]*(?:\)|$)").find(&products) {
            products.replace_range(comment.range(), " ");
        }
        let mut names = vec![self.crawler.clone()];
        if self.of_robots_txt() != Reading::Google {
            names.push(self.crawler.split('/').next().unwrap_or_default().to_owned());
        }
        let words = products.split_whitespace().map(|word| word.trim_end_matches([';', ',']));
        names.extend(words.filter_map(|word| word.split('/').next()).map(str::to_owned));
        names
    }

    /// Returns the crawler's purposes: those of the question, and the words of its User-Agent string that are not
    /// products.
    pub fn s50_purposes(&self) -> Vec<String> {
        let words = self.user_agent.iter().flat_map(|text| text.split([' ', ';']));
        let words = words.filter(|word| !word.is_empty() && !word.contains('/'));
        self.purposes.iter().cloned().chain(words.map(str::to_owned)).collect()
    }

    /// Calls `then` with the crawler and the groups of a file that bind it.
    pub fn s13_bound<T>(&self, file: &Naive, then: impl FnOnce(&Asker<'_>, &[&Group]) -> T) -> T {
        let (names, purposes) = (self.s35_names(), self.s50_purposes());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let fallbacks: Vec<&str> = self.fallbacks.iter().map(String::as_str).collect();
        let purposes: Vec<&str> = purposes.iter().map(String::as_str).collect();
        let asker = Asker { names: &names, fallbacks: &fallbacks, purposes: &purposes };
        then(&asker, &file.bound(&asker).1)
    }

    /// Whether a written name is the crawler's (true), means every crawler (false), or is another's (`None`).
    pub fn s35_level(&self, written: &str, everyone: &str) -> Option<bool> {
        let cut = re("^[a-z0-9_.-]*").find(written).map_or("", |cut| cut.as_str());
        let is = |name: &str| !name.is_empty() && [written, cut].iter().any(|own| own.eq_ignore_ascii_case(name));
        let is_any = re(r"^\*(?:\s|$)").is_match(written) || is(everyone);
        let is_named = self.s35_names().iter().any(|name| is(name)) && written.len() <= 65_535;
        if is_any { Some(false) } else { is_named.then_some(true) }
    }
}
