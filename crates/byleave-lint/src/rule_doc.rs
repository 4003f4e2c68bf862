//! A rule's documentation page, parsed: its title, its summary, and examples that can be linted.
//!
//! The bad example consists of the fenced blocks marked `bad`, and the good example of the fenced blocks marked `good`.
//! The info string begins with the kind of document: `robots.txt`, `reference`, `http` (headers, or a whole response)
//! or `html`. `at=/path` gives the document's path on the site. In a block marked `escaped`, `\xNN` is a byte and
//! `\N*{text}` is the text repeated N times.

use crate::input::{LintInput, ResponseInput};
use byleave::analysis::StoredResponse;

/// A rule's documentation page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleDoc {
    /// The whole page, as Markdown.
    pub text: &'static str,
}

/// The kind of document in a fenced block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExampleKind {
    /// A robots.txt file.
    RobotsTxt,
    /// A file that robots.txt refers to, at the given path.
    Reference,
    /// The header fields of a response, optionally followed by a page.
    Http,
    /// An HTML page.
    Html,
}

/// The documents in an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    documents: Vec<(ExampleKind, Option<String>, Vec<u8>)>,
}

impl RuleDoc {
    /// Returns the title: the code and the name of the rule.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// Returns the first paragraph of "What it finds", on one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let body = self.text.split_once("## What it finds").map_or("", |(_, body)| body).trim_start();
        body.split("\n\n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Returns the example that triggers the rule.
    #[must_use]
    pub fn bad(&self) -> Example {
        self.example("bad")
    }

    /// Returns the example that does not trigger the rule.
    #[must_use]
    pub fn good(&self) -> Example {
        self.example("good")
    }

    fn example(&self, which: &str) -> Example {
        let mut example = Example::default();
        let mut lines = self.text.split_inclusive('\n');
        while let Some(line) = lines.next() {
            let Some(info) = line.trim_end().strip_prefix("```") else { continue };
            let block: String = lines.by_ref().take_while(|line| line.trim_end() != "```").collect();
            let mut words = info.split_whitespace();
            let kind = match words.next() {
                Some("robots.txt") => ExampleKind::RobotsTxt,
                Some("reference") => ExampleKind::Reference,
                Some("http") => ExampleKind::Http,
                Some("html") => ExampleKind::Html,
                _ => continue,
            };
            let words: Vec<&str> = words.collect();
            if words.contains(&which) {
                let at = words.iter().find_map(|word| word.strip_prefix("at=")).map(str::to_owned);
                let bytes = if words.contains(&"escaped") { unescaped(&block) } else { block.into_bytes() };
                example.documents.push((kind, at, bytes));
            }
        }
        example
    }
}

impl Example {
    /// Returns whether the example contains no documents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Returns the example's documents as linter input.
    #[must_use]
    pub fn input(&self) -> LintInput<'_> {
        let mut input = LintInput::new();
        let mut response: Option<ResponseInput<'_>> = None;
        for (kind, at, bytes) in &self.documents {
            let url = at.as_deref().unwrap_or("/");
            match kind {
                ExampleKind::RobotsTxt => input = input.with_robots_txt("robots.txt", bytes),
                ExampleKind::Reference => input = input.with_reference(url, url, bytes),
                ExampleKind::Http => {
                    let (headers, page) = ("headers".to_owned(), "page".to_owned());
                    let parsed = ResponseInput::new().with_parts(headers, page, StoredResponse::parse(bytes));
                    response = Some(parsed.at(url));
                }
                ExampleKind::Html => response = Some(response.unwrap_or_default().at(url).with_page("page", bytes)),
            }
        }
        match response {
            Some(response) => input.with_response(response),
            None => input,
        }
    }
}

/// Returns the bytes of a block, with `\xNN` and `\N*{text}` expanded.
fn unescaped(block: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = block;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        let octet = after.strip_prefix('x').and_then(|hex| u8::from_str_radix(hex.get(..2)?, 16).ok());
        let repeated = after.split_once("*{").and_then(|(times, rest)| {
            let (text, rest) = rest.split_once('}')?;
            Some((times.parse::<usize>().ok()?, text, rest))
        });
        rest = match (octet, repeated) {
            (Some(octet), _) => {
                bytes.push(octet);
                after.get(3..).unwrap_or_default()
            }
            (None, Some((times, text, rest))) => {
                bytes.extend_from_slice(text.repeat(times).as_bytes());
                rest
            }
            (None, None) => after,
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
