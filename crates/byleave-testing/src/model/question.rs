//! A question: the proposed use, the site's documents, and the crawler (S-35).

use super::html::Page;
use super::rsl::Rsl;
use super::text::re;
use crate::naive::{Asker, Group, Naive};
use byleave::{Reading, Usage};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Question {
    pub robots: Robots,
    /// Maps the locators in `ACAP-permissions-reference` fields to the text of the files. If a locator is missing, its
    /// file could not be read.
    pub references: BTreeMap<String, Vec<u8>>,
    /// Maps locations to the text of documents in AI-preference dialects (S-40).
    pub documents: BTreeMap<String, String>,
    /// The content of the documents that are licences. The model gets it as a structure, because it does not read XML.
    pub licences: BTreeMap<String, Rsl>,
    /// Names and values, one entry per header line.
    pub headers: Vec<(String, String)>,
    pub page: Option<Page>,
    /// The page after its scripts have run.
    pub dom: Option<Page>,
    pub reading: Reading,
    pub url: String,
    pub crawler: String,
    pub user_agent: Option<String>,
    pub fallbacks: Vec<String>,
    pub purposes: Vec<String>,
    pub usage: Usage,
    /// `#id` or `.class`, or `None` for the page.
    pub element: Option<String>,
    /// The time in seconds since 1970.
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
    /// Whether the capability `element_level` is false.
    pub lacks_element_level: bool,
    pub unable: Vec<String>,
}

/// The result of fetching robots.txt.
#[derive(Clone, Debug)]
pub enum Robots {
    Read(Vec<u8>),
    NotThere,
    Failed,
    Unknown,
}

impl Question {
    /// Returns the reading that applies to robots.txt (S-48).
    pub fn of_robots_txt(&self) -> Reading {
        match self.reading {
            Reading::GoogleSearch => Reading::Google,
            Reading::Bing | Reading::Yandex | Reading::Amazon => Reading::Default,
            reading => reading,
        }
    }

    /// Returns the page and, if given, the DOM.
    pub fn pages(&self) -> impl Iterator<Item = &Page> {
        self.page.iter().chain(&self.dom)
    }

    /// Returns the values of a header field, one per line.
    pub fn header(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.headers.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Returns the crawler's names: its own name with and without version, and the products in its User-Agent string
    /// except comments.
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

    /// Returns the crawler's purposes: the purposes in the question, and the words in its User-Agent string that are
    /// not products such as `foo/1.0`.
    pub fn s50_purposes(&self) -> Vec<String> {
        let words = self.user_agent.iter().flat_map(|text| text.split([' ', ';']));
        let words = words.filter(|word| !word.is_empty() && !word.contains('/'));
        self.purposes.iter().cloned().chain(words.map(str::to_owned)).collect()
    }

    /// Calls `then` with the crawler and with the groups in a file that bind the crawler.
    pub fn s13_bound<T>(&self, file: &Naive, then: impl FnOnce(&Asker<'_>, &[&Group]) -> T) -> T {
        let (names, purposes) = (self.s35_names(), self.s50_purposes());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let fallbacks: Vec<&str> = self.fallbacks.iter().map(String::as_str).collect();
        let purposes: Vec<&str> = purposes.iter().map(String::as_str).collect();
        let asker = Asker { names: &names, fallbacks: &fallbacks, purposes: &purposes };
        then(&asker, &file.bound(&asker).1)
    }

    /// Returns `true` if a written name is the crawler's, `false` if it means every crawler, and `None` if it is the
    /// name of another crawler.
    pub fn s35_level(&self, written: &str, everyone: &str) -> Option<bool> {
        let cut = re("^[a-z0-9_.-]*").find(written).map_or("", |cut| cut.as_str());
        let is = |name: &str| !name.is_empty() && [written, cut].iter().any(|own| own.eq_ignore_ascii_case(name));
        let is_any = re(r"^\*(?:\s|$)").is_match(written) || is(everyone);
        let is_named = self.s35_names().iter().any(|name| is(name)) && written.len() <= 65_535;
        if is_any { Some(false) } else { is_named.then_some(true) }
    }
}
