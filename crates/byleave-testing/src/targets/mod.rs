//! The fuzz targets. Each target accepts any bytes, and checks that the engine's answers about them satisfy laws
//! (`docs/fuzzing.md`).
//!
//! The targets are in this crate so that they also run under `cargo test`. Most inputs are text, so that people can
//! read an input that fails: the first line is the question, and the documents follow.

mod case_file;
mod decisions;
mod headers;
mod pages;
mod preferences;
mod reference;
mod robots_txt;
mod saved_policy;
pub mod seeds;
mod site;

use byleave::{Crawler, ProposedUse, Usage};
use serde_json::Value;

/// A fuzz target.
pub struct Target {
    pub name: &'static str,
    /// Checks an input. Panics if a law does not hold.
    pub check: fn(&[u8]),
    /// Converts a case to an input. Returns `None` if the case lacks a document that the target needs.
    pub seed: fn(&Value) -> Option<Vec<u8>>,
}

pub const TARGETS: [Target; 11] = [
    Target { name: "robots_txt", check: robots_txt::conventional, seed: robots_txt::seed },
    Target { name: "acap", check: robots_txt::acap, seed: robots_txt::acap_seed },
    Target { name: "headers", check: headers::check, seed: headers::seed },
    Target { name: "page", check: pages::page, seed: pages::page_seed },
    Target { name: "extract", check: pages::extracted, seed: pages::extract_seed },
    Target { name: "site", check: site::check, seed: site::seed },
    Target { name: "preferences", check: preferences::fields, seed: preferences::fields_seed },
    Target { name: "document", check: preferences::document, seed: preferences::document_seed },
    Target { name: "case_file", check: case_file::check, seed: case_file::seed },
    Target { name: "saved_policy", check: saved_policy::check, seed: saved_policy::seed },
    Target { name: "reference", check: reference::check, seed: reference::seed },
];

/// Checks one input with the named target.
pub fn check(name: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("there is such a target");
    (target.check)(input);
}

/// The question: usage, crawler, URL and element, separated by tabs in the first line of an input.
pub struct Asked {
    pub usage: Usage,
    pub name: String,
    pub crawler: Crawler,
    pub url: String,
    pub element: Option<String>,
}

impl Asked {
    /// Returns the question in the first line, and the rest of the input.
    pub fn read(input: &[u8]) -> (Self, &[u8]) {
        let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
        let line = String::from_utf8_lossy(&input[..end]);
        let mut words = line.split('\t');
        let usage = Usage::named(words.next().unwrap_or_default());
        let name = words.next().unwrap_or_default().to_owned();
        let url = words.next().unwrap_or_default().to_owned();
        let is_element = |named: &&str| named.len() > 1 && named.starts_with(['#', '.']);
        let element = words.next().filter(is_element).map(str::to_owned);
        (Self { usage, crawler: Crawler::named(&name), name, url, element }, input.get(end + 1..).unwrap_or_default())
    }

    /// Returns the question line for a case.
    pub fn line(case: &Value) -> Option<String> {
        let word = |field: &str| case[field].as_str();
        let element = word("element").map_or(String::new(), |element| format!("\t{element}"));
        Some(format!("{}\t{}\t{}{element}\n", word("usage")?, word("crawler")?, word("url")?))
    }

    pub fn proposed(&self) -> ProposedUse<'_> {
        self.about(&self.usage)
    }

    /// Returns the same question about another usage.
    pub fn about<'a>(&'a self, usage: &'a Usage) -> ProposedUse<'a> {
        let mut proposed = ProposedUse::new(&self.url, &self.crawler, usage);
        proposed.element = self.element.as_deref();
        proposed
    }
}

/// The separator between documents in an input.
pub const BETWEEN: &[u8] = b"\n===\n";

/// Splits an input at the first separator. Returns the first document, and the rest if there is a separator.
pub fn parted(input: &[u8]) -> (&[u8], Option<&[u8]>) {
    match input.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
        // The line ending before the separator belongs to the document.
        Some(at) => (&input[..at + 1], Some(&input[at + BETWEEN.len()..])),
        None => (input, None),
    }
}
