//! The page of a rule, taken apart: what it finds, why it matters, and examples that can be run.
//!
//! An example is the fenced blocks whose info string says `bad`, or those that say `good`, each after the kind of
//! document it is: `robots.txt`, `http` (headers, or a whole response) or `html`. `at=/path` gives the path that a page
//! or response comes from. In a block that says `escaped`, `\xNN` is a byte and `\N*{text}` is the text N times.

use crate::input::{LintInput, ResponseInput};
use byleave::Headers;

/// A rule's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleDoc {
    /// All of it, as Markdown.
    pub text: &'static str,
}

/// What kind of document a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExampleKind {
    /// A robots.txt file.
    RobotsTxt,
    /// A file that robots.txt refers to, at the path given.
    Reference,
    /// The header fields of a response, and what follows them.
    Http,
    /// A page.
    Html,
}

/// The documents of an example.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    documents: Vec<(ExampleKind, Option<String>, Vec<u8>)>,
}

impl RuleDoc {
    /// Its first line without the mark: the code and the name of the rule.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// What the rule finds: the first paragraph.
    #[must_use]
    pub fn summary(&self) -> String {
        let body = self.text.split_once("## What it finds").map_or("", |(_, body)| body).trim_start();
        body.split("\n\n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The example that the rule finds something in.
    #[must_use]
    pub fn bad(&self) -> Example {
        self.example("bad")
    }

    /// The example that it finds nothing in.
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
    /// Whether it has no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Its documents as a input.
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
                    let saved = Headers::read(bytes);
                    let page = bytes.get(saved.body..).unwrap_or_default();
                    let mut read = ResponseInput::new().at(url).with_headers("headers", saved.headers);
                    if !page.is_empty() {
                        read = read.with_page("page", page);
                    }
                    response = Some(read);
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

/// The bytes that a block stands for: `\xNN`, and `\N*{text}`.
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
