//! Reads and runs case files: expected decisions as data, one JSON object per line (`docs/cases.md`).
//!
//! This module opens no files. The caller supplies the lines of a case file and the contents of the files that a case
//! names.

use crate::base::timestamp::Timestamp;
use crate::dialects::abilities;
use crate::dialects::rfc9309::resource::is_resource;
use crate::explain::report::Report;
use crate::explain::{Explanation, explain_unchecked};
use crate::formats::http::Headers;
use crate::model::Carrier;
use crate::model::Obtained;
use crate::model::Outcome;
use crate::model::Usage;
use crate::model::crawler::Crawler;
use crate::model::diagnostic::Code;
use crate::model::proposed_use;
use crate::model::proposed_use::{Capabilities, History, ProposedUse};
use crate::model::reading::Reading;
use crate::model::semantics::RULES;
use crate::site::{Document, Site};
use base64::Engine;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A case: a question, the documents it is about, and the expected decision.
///
/// ```
/// use byleave::cases::{Case, CaseFiles};
/// let line = r#"{"name": "a draft", "robots": "User-agent: *\nDisallow: /drafts/\n", "crawler": "ExampleBot",
///     "usage": "crawl", "url": "https://site.example/drafts/1", "expect": {"outcome": "prohibited", "line": 2}}"#;
/// let run = Case::read(line)?.run(CaseFiles::default())?;
/// assert!(run.failures.is_empty());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Case {
    /// The case's name, which is shown if the case fails.
    pub name: String,
    /// The suite that the case comes from.
    pub suite: Option<String>,
    /// Why this decision is expected.
    pub why: Option<String>,
    /// The requirements that the case covers.
    #[serde(default)]
    pub covers: Vec<String>,
    robots: Option<String>,
    robots_b64: Option<String>,
    /// The path of robots.txt, relative to the case file.
    pub robots_file: Option<String>,
    robots_status: Option<serde_json::Value>,
    #[serde(default)]
    references: BTreeMap<String, String>,
    #[serde(default)]
    documents: BTreeMap<String, String>,
    #[serde(default)]
    documents_b64: BTreeMap<String, String>,
    url: String,
    #[serde(default)]
    headers: Vec<(String, String)>,
    page: Option<String>,
    page_b64: Option<String>,
    /// The path of the page, relative to the case file.
    pub page_file: Option<String>,
    dom: Option<String>,
    crawler: String,
    #[serde(default)]
    fallback: Vec<String>,
    user_agent: Option<String>,
    #[serde(default)]
    purposes: Vec<String>,
    usage: String,
    element: Option<String>,
    at: Option<String>,
    fetched: Option<String>,
    #[serde(default)]
    history: CaseHistory,
    details: Option<Details>,
    #[serde(default)]
    capabilities: CaseCapabilities,
    reading: Option<String>,
    /// The expected decision.
    pub expect: Expect,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseHistory {
    first_used: Option<String>,
    #[serde(default)]
    recrawled: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Details {
    snippet: Option<String>,
    modification: Option<String>,
    context: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseCapabilities {
    element_level: Option<bool>,
    #[serde(default)]
    prior_arrangement: bool,
    #[serde(default)]
    not_ready: bool,
    #[serde(default)]
    strawman: bool,
    #[serde(default)]
    body_meta: bool,
    #[serde(default)]
    unable: Vec<String>,
}

/// The expected decision. Fields that are absent are not checked.
///
/// ```
/// use byleave::cases::Case;
/// let line = r#"{"name": "no rule matches", "robots": "User-agent: *\nDisallow: /cart\n", "crawler": "ExampleBot",
///     "usage": "crawl", "url": "https://site.example/news", "expect": {"outcome": "permitted", "rule": "S-01"}}"#;
/// assert_eq!(Case::read(line)?.expect.outcome.as_deref(), Some("permitted"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Expect {
    /// The outcome's name.
    pub outcome: Option<String>,
    /// Whether the outcome is anything other than `prohibited`.
    pub allowed: Option<bool>,
    /// All conditions, in any order.
    pub conditions: Option<Vec<String>>,
    /// The outcome after prerequisites.
    pub effective: Option<String>,
    /// The first point in time at which the decision is no longer valid.
    pub valid_until: Option<String>,
    /// The time until which the response is fresh.
    pub fresh_until: Option<String>,
    /// Text that one of the deciding statements must contain.
    pub by: Option<String>,
    /// The line of one of the deciding statements.
    pub line: Option<u32>,
    /// The carrier of one of the deciding statements, or `default`.
    pub carrier: Option<String>,
    /// The number of a rule that the explanation must cite.
    pub rule: Option<String>,
    /// The codes of diagnostics that must be reported.
    pub diagnostics: Option<Vec<String>>,
    /// The actions that the site requests.
    pub actions: Option<Vec<String>>,
    /// The documents that the decision needs.
    pub needs: Option<Vec<String>>,
}

impl Expect {
    /// Returns whether every field is absent.
    fn is_empty(&self) -> bool {
        let texts =
            [&self.outcome, &self.effective, &self.valid_until, &self.fresh_until, &self.by, &self.carrier, &self.rule];
        let lists = [&self.conditions, &self.diagnostics, &self.actions, &self.needs];
        let has_number = self.allowed.is_some() || self.line.is_some();
        !has_number && texts.iter().all(|text| text.is_none()) && lists.iter().all(|list| list.is_none())
    }
}

/// The contents of the files that a case names, and substitutes for documents that a case does not have.
///
/// ```
/// use byleave::cases::{Case, CaseFiles};
/// let line = r#"{"name": "a cart", "robots_file": "robots.txt", "crawler": "ExampleBot", "usage": "crawl",
///     "url": "https://site.example/cart", "expect": {"outcome": "prohibited"}}"#;
/// let files = CaseFiles { robots_txt: Some(b"User-agent: *\nDisallow: /cart\n"), ..CaseFiles::default() };
/// assert!(Case::read(line)?.run(files)?.failures.is_empty());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CaseFiles<'f> {
    /// The bytes of `robots_file`.
    pub robots_txt: Option<&'f [u8]>,
    /// The bytes of `page_file`, or a substitute page for a case without a page.
    pub page: Option<&'f [u8]>,
    /// A substitute DOM for a case without a DOM.
    pub dom: Option<&'f [u8]>,
    /// Substitute headers for a case without headers.
    pub headers: Option<&'f Headers>,
    /// The page's media type.
    pub content_type: Option<&'f str>,
}

/// The result of running a case.
///
/// ```
/// use byleave::cases::{Case, CaseFiles};
/// let line = r#"{"name": "wrong", "robots": "User-agent: *\nDisallow: /cart\n", "crawler": "ExampleBot",
///     "usage": "crawl", "url": "https://site.example/cart", "expect": {"outcome": "permitted"}}"#;
/// let run = Case::read(line)?.run(CaseFiles::default())?;
/// assert_eq!((run.failures.len(), run.report.outcome.as_str()), (1, "prohibited"));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CaseRun {
    /// The expectations that failed, one line each. Empty if the case passed.
    pub failures: Vec<String>,
    /// The report of the actual decision.
    pub report: Report,
}

/// The time of the question if the case does not state a time.
const AT: &str = "2026-01-01T00:00:00Z";

impl Case {
    /// Reads one line of a case file.
    ///
    /// # Errors
    /// Returns the reason in one line if the line is not a valid case.
    pub fn read(line: &str) -> Result<Self, String> {
        if !line.trim_start().starts_with('{') {
            return Err("a case is a JSON object on one line".to_owned());
        }
        let case: Self = serde_json::from_str(line).map_err(|error| error.to_string())?;
        case.check()?;
        Ok(case)
    }

    /// Runs the case with the files that it names.
    ///
    /// # Errors
    /// Returns the reason in one line if the case contradicts itself.
    pub fn run(&self, files: CaseFiles<'_>) -> Result<CaseRun, String> {
        self.with(files, |site, proposed| {
            let explanation = explain_unchecked(site, proposed);
            let report = Report::new(site, proposed, &explanation);
            CaseRun { failures: self.failures(&explanation, &report), report }
        })
    }

    /// Calls `use_parts` with the site and the question that the case describes.
    ///
    /// # Errors
    /// Returns the reason in one line if the case contradicts itself.
    pub fn with<T>(
        &self,
        files: CaseFiles<'_>,
        use_parts: impl FnOnce(&Site<'_>, &ProposedUse<'_>) -> T,
    ) -> Result<T, String> {
        let reading = self
            .reading
            .as_deref()
            .map_or(Ok(Reading::Default), |name| name.parse().map_err(|error| format!("reading `{name}`: {error}")))?;
        let decoded = self.robots_b64.as_deref().map(decode).transpose()?;
        let text = self.robots.as_deref().map(str::as_bytes).or(decoded.as_deref()).or(files.robots_txt);
        let mut site = Site::builder(reading);
        if let Some(obtained) = self.obtained(text.is_some())? {
            site = site.with_robots_txt(obtained, text.unwrap_or_default());
        }
        // The substitutes for the response are used only if the case itself has no part of a response.
        let has_response = !self.headers.is_empty()
            || [&self.page, &self.page_b64, &self.page_file, &self.dom].iter().any(|part| part.is_some());
        let page = files.page.filter(|_| !has_response || self.page_file.is_some());
        let (dom, headers) = (files.dom.filter(|_| !has_response), files.headers.filter(|_| !has_response));
        let content_type = files.content_type.filter(|_| !has_response);
        let files = CaseFiles { page, dom, headers, content_type, ..files };
        if !self.headers.is_empty() {
            let headers = self.headers.iter().fold(Headers::new(), |headers, (name, value)| headers.with(name, value));
            site = site.with_headers(headers);
        } else if let Some(headers) = files.headers {
            site = site.with_headers(headers.clone());
        }
        if let Some(content_type) = files.content_type {
            site = site.with_content_type(content_type);
        }
        let page = self.page_b64.as_deref().map(decode).transpose()?;
        if let Some(page) = self.page.as_deref().map(str::as_bytes).or(page.as_deref()).or(files.page) {
            site = site.with_page(page);
        }
        if let Some(dom) = self.dom.as_deref().map(str::as_bytes).or(files.dom) {
            site = site.with_dom(dom);
        }
        if let Some(fetched) = &self.fetched {
            site = site.fetched_at(instant("fetched", fetched)?);
        }
        let coded: Vec<(&String, Vec<u8>)> =
            self.documents_b64.iter().map(|(name, coded)| Ok((name, decode(coded)?))).collect::<Result<_, String>>()?;
        for (name, text) in self.documents.iter().chain(&self.references) {
            site = site.with_document(Document::new(name, text.as_bytes()));
        }
        for (name, bytes) in &coded {
            site = site.with_document(Document::new(*name, bytes.as_slice()));
        }
        let site = site.build();
        let crawler =
            self.fallback.iter().fold(Crawler::named(&self.crawler), |crawler, name| crawler.with_fallback(name));
        let crawler = self.user_agent.iter().fold(crawler, |crawler, text| crawler.with_user_agent(text));
        let capabilities = self.capabilities.read();
        let usage = Usage::named(&self.usage);
        let mut proposed = ProposedUse::new(&self.url, &crawler, &usage);
        proposed.element = self.element.as_deref();
        proposed.purposes = &self.purposes;
        proposed.at = Some(instant("at", self.at.as_deref().unwrap_or(AT))?);
        let first_used = self.history.first_used.as_deref().map(|text| instant("first_used", text)).transpose()?;
        proposed.history = History { first_used, is_recrawled: self.history.recrawled };
        if let Some(details) = &self.details {
            proposed.details = proposed_use::Details {
                snippet: details.snippet.as_deref(),
                modification: details.modification.as_deref(),
                context: details.context.as_deref(),
            };
        }
        proposed.capabilities = &capabilities;
        Ok(use_parts(&site, &proposed))
    }

    fn obtained(&self, has_text: bool) -> Result<Option<Obtained>, String> {
        let Some(status) = &self.robots_status else { return Ok(has_text.then_some(Obtained::Status(200))) };
        let code = status.as_u64().and_then(|code| u16::try_from(code).ok()).filter(|code| (200..600).contains(code));
        match (code, status.as_str()) {
            (Some(code), _) => Ok(Some(Obtained::Status(code))),
            (_, Some("unreachable")) => Ok(Some(Obtained::Unreachable)),
            (_, Some("too-many-redirects")) => Ok(Some(Obtained::TooManyRedirects)),
            _ => Err(format!(
                "robots_status {status}: write a status from 200 to 599, \"unreachable\" or \"too-many-redirects\""
            )),
        }
    }

    fn check(&self) -> Result<(), String> {
        let given = [self.robots.is_some(), self.robots_b64.is_some(), self.robots_file.is_some()];
        if given.iter().filter(|is_given| **is_given).count() > 1 {
            return Err("give only one of `robots`, `robots_b64`, `robots_file`".to_owned());
        }
        let given = [self.page.is_some(), self.page_b64.is_some(), self.page_file.is_some()];
        if given.iter().filter(|is_given| **is_given).count() > 1 {
            return Err("give only one of `page`, `page_b64`, `page_file`".to_owned());
        }
        if let Some((name, _)) = self.headers.iter().find(|(name, _)| !Headers::is_name(name)) {
            return Err(format!("headers: `{name}` is not a header name"));
        }
        let is_element = |named: &String| named.len() > 1 && named.starts_with(['#', '.']);
        if let Some(element) = self.element.iter().find(|named| !is_element(named)) {
            return Err(format!("element `{element}`: write `#` and an id, or `.` and a class"));
        }
        self.check_question()?;
        self.with(CaseFiles::default(), |_, _| ())?;
        let expect = &self.expect;
        if expect.is_empty() {
            return Err("`expect` is empty, so the case cannot fail; write at least an outcome".to_owned());
        }
        let outcomes =
            [Outcome::Permitted, Outcome::Conditional, Outcome::Prohibited, Outcome::Unstated].map(Outcome::name);
        for outcome in expect.outcome.iter().chain(&expect.effective) {
            if !outcomes.contains(&outcome.as_str()) {
                return Err(format!("unknown outcome `{outcome}`; write one of {}", outcomes.join(", ")));
            }
        }
        for (field, text) in [("valid_until", &expect.valid_until), ("fresh_until", &expect.fresh_until)] {
            text.as_deref().map(|text| instant(field, text)).transpose()?;
        }
        if expect.line == Some(0) {
            return Err("line 0: lines are counted from 1".to_owned());
        }
        if let Some(carrier) =
            expect.carrier.iter().find(|name| !Carrier::ALL.iter().any(|known| known.name() == **name))
        {
            let names: Vec<_> = Carrier::ALL.iter().map(|carrier| carrier.name()).collect();
            return Err(format!("unknown carrier `{carrier}`; write one of {}", names.join(", ")));
        }
        if let Some(rule) = expect.rule.iter().find(|rule| !is_rule(rule)) {
            return Err(format!("unknown rule `{rule}`; `byleave rule` lists all rules"));
        }
        let mut codes = expect.diagnostics.iter().flatten();
        if let Some(code) = codes.find(|name| !Code::ALL.iter().any(|known| known.name() == **name)) {
            return Err(format!("unknown diagnostic `{code}`"));
        }
        Ok(())
    }

    /// Checks the question by the same rules as the command line.
    fn check_question(&self) -> Result<(), String> {
        if !is_resource(&self.url) {
            return Err(format!("url `{}`: write an http(s) URL, or a path that begins with `/`", self.url));
        }
        if std::iter::once(&self.crawler).chain(&self.fallback).any(|name| name.trim().is_empty()) {
            return Err("the name of the crawler is empty; write a name, such as `GPTBot`".to_owned());
        }
        if self.purposes.iter().any(|purpose| purpose.trim().is_empty()) {
            return Err("the purpose is empty; write a name or a URI".to_owned());
        }
        let documents = self.references.keys().chain(self.documents.keys()).chain(self.documents_b64.keys());
        if documents.into_iter().any(|location| location.trim().is_empty()) {
            return Err("the location of a document is empty; write one, such as `/library.txt`".to_owned());
        }
        if self.usage.trim().is_empty() {
            return Err("the name of the usage is empty; write a name, such as `crawl` or `index`".to_owned());
        }
        let modification = self.details.as_ref().and_then(|details| details.modification.as_deref());
        let kinds = ["format", "style", "translation", "annotation", "none", "any"];
        if let Some(kind) = modification.filter(|kind| !kinds.iter().any(|known| known.eq_ignore_ascii_case(kind))) {
            return Err(format!("unknown modification `{kind}`; write one of {}", kinds.join(", ")));
        }
        let is_ability =
            |name: &&String| abilities().any(|known| known.eq_ignore_ascii_case(name)) || **name == self.usage;
        if let Some(name) = self.capabilities.unable.iter().find(|name| !is_ability(name)) {
            return Err(format!("unable: unknown usage, qualifier or directive `{name}`"));
        }
        let has_robots = self.robots.is_some() || self.robots_b64.is_some() || self.robots_file.is_some();
        if let (false, Some(Obtained::Status(code @ 200..=299))) = (has_robots, self.obtained(false)?) {
            return Err(format!("robots_status {code} means that robots.txt was read; give `robots`"));
        }
        Ok(())
    }

    fn failures(&self, explanation: &Explanation<'_>, report: &Report) -> Vec<String> {
        let mut failures = Vec::new();
        let mut expect = |what: &str, expected: String, got: String| {
            if expected != got {
                failures.push(format!("{what}: expected {expected}, got {got}"));
            }
        };
        let wanted = &self.expect;
        if let Some(outcome) = &wanted.outcome {
            expect("outcome", outcome.clone(), report.outcome.clone());
        }
        if let Some(allowed) = wanted.allowed {
            expect("allowed", allowed.to_string(), (explanation.decision.outcome != Outcome::Prohibited).to_string());
        }
        if let Some(effective) = &wanted.effective {
            expect("effective", effective.clone(), report.effective.clone());
        }
        for (what, wanted, got) in [
            ("valid_until", &wanted.valid_until, &report.valid_until),
            ("fresh_until", &wanted.fresh_until, &report.fresh_until),
        ] {
            if let Some(wanted) = wanted {
                // Compares parsed times, because one time can be written in several ways.
                let is_same = got.as_ref().is_some_and(|got| wanted.parse::<Timestamp>() == got.parse::<Timestamp>());
                let got = if is_same { wanted.clone() } else { got.clone().unwrap_or_else(|| "none".to_owned()) };
                expect(what, wanted.clone(), got);
            }
        }
        for (what, wanted, got) in [
            ("conditions", &wanted.conditions, &report.conditions),
            ("actions", &wanted.actions, &report.actions),
            ("needs", &wanted.needs, &report.needs),
        ] {
            if let Some(wanted) = wanted {
                expect(what, sorted(wanted), sorted(got));
            }
        }
        let statements = &explanation.determined_by;
        if let Some(by) = &wanted.by {
            let is_there = statements.iter().any(|statement| contains_without_case(&statement.text, by.as_bytes()));
            let texts: Vec<_> =
                statements.iter().map(|statement| String::from_utf8_lossy(&statement.text).into_owned()).collect();
            if !is_there {
                failures.push(format!(
                    "by: expected `{by}` in a deciding statement, got {}",
                    if texts.is_empty() { "no statement".to_owned() } else { format!("`{}`", texts.join("`, `")) }
                ));
            }
        }
        if let Some(line) = wanted.line {
            let lines: Vec<_> = statements.iter().map(|statement| statement.line.to_string()).collect();
            if !statements.iter().any(|statement| statement.line == line) {
                failures.push(format!(
                    "line: expected {line}, got {}",
                    if lines.is_empty() { "no line".to_owned() } else { lines.join(", ") }
                ));
            }
        }
        if let Some(carrier) = &wanted.carrier {
            let is_there = if statements.is_empty() {
                carrier == Carrier::Default.name()
            } else {
                statements.iter().any(|statement| statement.carrier.name() == carrier)
            };
            if !is_there {
                failures.push(format!(
                    "carrier: expected {carrier}, got {}",
                    report
                        .determined_by
                        .iter()
                        .map(|statement| statement.carrier.as_str())
                        .collect::<Vec<_>>()
                        .join(", ")
                ));
            }
        }
        if let Some(rule) = &wanted.rule {
            let rules = explanation.rules();
            if !rules.contains(&rule.as_str()) {
                failures.push(format!("rule: expected {rule} in the explanation, got {}", rules.join(", ")));
            }
        }
        for code in wanted.diagnostics.iter().flatten() {
            if !report.diagnostics.iter().any(|diagnostic| diagnostic.code == *code) {
                let codes: Vec<_> = report.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
                failures.push(format!(
                    "diagnostics: expected {code}, got {}",
                    if codes.is_empty() { "none".to_owned() } else { codes.join(", ") }
                ));
            }
        }
        failures
    }
}

impl CaseCapabilities {
    fn read(&self) -> Capabilities {
        let mut capabilities = Capabilities::default();
        capabilities.element_level = self.element_level.unwrap_or(capabilities.element_level);
        capabilities.prior_arrangement = self.prior_arrangement;
        capabilities.not_ready = self.not_ready;
        capabilities.strawman = self.strawman;
        capabilities.body_meta = self.body_meta;
        capabilities.unable.clone_from(&self.unable);
        capabilities
    }
}

/// Returns whether the semantics have a rule with this number.
fn is_rule(text: &str) -> bool {
    RULES.into_iter().flatten().any(|number| format!("S-{number:02}") == text)
}

fn instant(field: &str, text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|error| format!("{field} `{text}`: {error}"))
}

fn decode(coded: &str) -> Result<Vec<u8>, String> {
    base64::engine::general_purpose::STANDARD
        .decode(coded)
        .map_err(|_| "the value of a field that ends in `_b64` is not base64".to_owned())
}

fn sorted(words: &[String]) -> String {
    let mut words = words.to_vec();
    words.sort();
    format!("[{}]", words.join(", "))
}

fn contains_without_case(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(more: &str, expect: &str) -> Result<Case, String> {
        let fields = [
            ("url", "\"/a\""),
            ("crawler", "\"bot\""),
            ("usage", "\"index\""),
            ("robots", "\"ACAP-crawler: *\\nACAP-allow-index: / time-limit=until-2026-03-31\""),
        ];
        let given = fields.iter().filter(|(name, _)| !more.contains(&format!("\"{name}\":")));
        let given: String = given.map(|(name, value)| format!("\"{name}\": {value}, ")).collect();
        Case::read(&format!("{{\"name\": \"n\", {given}{more} \"expect\": {{{expect}}}}}"))
    }

    #[test]
    fn s20_instants_are_compared_as_instants() {
        for (until, failures) in [("2026-04-01T02:00:00+02:00", 0), ("2026-04-01T02:00:00Z", 1)] {
            let read = case("", &format!("\"valid_until\": \"{until}\""));
            let run = read.and_then(|case| case.run(CaseFiles::default()));
            assert_eq!(run.map(|run| run.failures.len()), Ok(failures), "{until}");
        }
        assert!(case("", "\"fresh_until\": \"soon\"").is_err());
    }

    #[test]
    fn impossible_expectations_are_rejected() {
        for number in ["0", "00", "1", "001", "99", "x"] {
            let why = case("", &format!("\"rule\": \"S-{number}\"")).err().unwrap_or_default();
            assert!(why.contains(&format!("unknown rule `S-{number}`")), "{why}");
        }
        for (expect, word) in [
            ("\"carrier\": \"foo\"", "unknown carrier `foo`"),
            ("\"line\": 0", "line 0"),
            ("\"diagnostics\": [\"truncated\", \"foo\"]", "unknown diagnostic `foo`"),
        ] {
            let why = case("", expect).err().unwrap_or_default();
            assert!(why.contains(word), "{expect}: {why}");
        }
        for expect in
            ["\"rule\": \"S-01\"", "\"carrier\": \"default\"", "\"diagnostics\": [\"truncated\"]", "\"line\": 1"]
        {
            assert!(case("", expect).is_ok(), "{expect}");
        }
    }

    #[test]
    fn questions_that_the_command_refuses_are_rejected() {
        assert!(case("", "\"outcome\": \"conditional\"").is_ok());
        for (more, word) in [
            ("\"crawler\": \"\",", "crawler"),
            ("\"fallback\": [\" \"],", "crawler"),
            ("\"usage\": \"\",", "usage"),
            ("\"url\": \"a\",", "url `a`"),
            ("\"details\": {\"modification\": \"foo\"},", "annotation"),
            ("\"capabilities\": {\"unable\": [\"max-lenght\"]},", "`max-lenght`"),
            ("\"robots\": null, \"robots_status\": 200,", "robots_status 200"),
            ("\"purposes\": [\"news\", \"\"],", "purpose"),
            ("\"references\": {\" \": \"\"},", "location"),
        ] {
            let why = case(more, "\"outcome\": \"conditional\"").err().unwrap_or_default();
            assert!(why.contains(word), "{more}: {why}");
        }
        for more in [
            "\"capabilities\": {\"unable\": [\"MAX-length\", \"max-snippet\", \"location\"]},",
            "\"usage\": \"zebra\", \"capabilities\": {\"unable\": [\"zebra\"]},",
        ] {
            assert!(case(more, "\"outcome\": \"conditional\"").is_ok(), "{more}");
        }
    }
}
