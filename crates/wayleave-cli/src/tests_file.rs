//! Files of tests in TOML: expectations beside the site's files, each made a case; and a first one of a site.
//!
//! ```toml
//! robots = "robots.txt"
//!
//! [defaults]
//! crawler = "GPTBot"
//!
//! [[test]]
//! url = "/news/"
//! expect = "prohibited"
//! line = 18
//! why = "our journalism is not training data"
//! ```

use crate::Failure;
use crate::arguments::nearest;
use crate::output::{Output, escaped, exit};
use crate::site::{Files, Site, shown, unwritable};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use wayleave::{Instant, Reading};
use wayleave_review::first_tests::{Expectation, first_tests};

/// What the file is called where nobody says otherwise.
pub const NAME: &str = "wayleave-tests.toml";

/// Whether a path is one of a file of tests.
pub fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// Which part of a case a key is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Of the question or the evidence, by its name there. It may be a default.
    Question(&'static str),
    /// Of this question alone.
    Own(&'static str),
    /// Of what is expected.
    Expected(&'static str),
}

/// Every key of a test.
const KEYS: &[(&str, Part)] = &[
    ("url", Part::Own("url")),
    ("name", Part::Own("name")),
    ("why", Part::Own("why")),
    ("crawler", Part::Question("crawler")),
    ("fallback", Part::Question("fallback")),
    ("user-agent", Part::Question("user_agent")),
    ("usage", Part::Question("usage")),
    ("purposes", Part::Question("purposes")),
    ("element", Part::Question("element")),
    ("at", Part::Question("at")),
    ("reading", Part::Question("reading")),
    ("robots", Part::Question("robots_file")),
    ("status", Part::Question("robots_status")),
    ("page", Part::Question("page_file")),
    ("headers", Part::Question("headers")),
    ("expect", Part::Expected("outcome")),
    ("effective", Part::Expected("effective")),
    ("line", Part::Expected("line")),
    ("by", Part::Expected("by")),
    ("reason", Part::Expected("rule")),
    ("conditions", Part::Expected("conditions")),
];

/// Every key at the top: files that all tests share, and the tables.
const TOP: &[&str] = &["robots", "page", "defaults", "test"];

/// The cases of a file, each with the line of its first key.
pub fn cases(path: &Path, text: &str) -> Result<Vec<(usize, String)>, Failure> {
    let file = File { name: shown(path), text };
    let table = DeTable::parse(text).map_err(|error| {
        file.wrong(error.span().map_or(0, |span| span.start), error.message().lines().next().unwrap_or("not TOML"))
    })?;
    let mut defaults = Map::new();
    let has_robots_txt = path.parent().unwrap_or(Path::new("")).join("robots.txt").exists();
    if has_robots_txt {
        defaults.insert("robots_file".to_owned(), "robots.txt".into());
    }
    let mut tests = Vec::new();
    for (key, value) in table.get_ref() {
        match key.get_ref().as_ref() {
            name @ ("robots" | "page") => {
                defaults.insert(format!("{name}_file"), file.value(name, value)?);
            }
            "defaults" => {
                let table = file.table("defaults", value)?;
                for (key, value) in table {
                    match file.part(key)? {
                        Part::Question(field) => {
                            defaults.insert(field.to_owned(), file.value(key.get_ref(), value)?);
                        }
                        Part::Own(_) | Part::Expected(_) => {
                            let what = format!("`{}` belongs to one test, not to the defaults", key.get_ref());
                            return Err(file.wrong(key.span().start, &what));
                        }
                    }
                }
            }
            "test" => {
                let list = value.get_ref().as_array();
                let list = list.ok_or_else(|| file.wrong(value.span().start, "write `[[test]]`, with two brackets"))?;
                for test in list.iter() {
                    tests.push(file.table("test", test)?);
                }
            }
            other => {
                return Err(file.unknown(key.span().start, other, "part of a file of tests", || TOP.iter().copied()));
            }
        }
    }
    if tests.is_empty() {
        return Err(file.wrong(0, "the file holds no tests; write `[[test]]`"));
    }
    tests.into_iter().map(|test| file.case(test, &defaults)).collect()
}

struct File<'t> {
    name: String,
    text: &'t str,
}

impl File<'_> {
    fn line(&self, offset: usize) -> usize {
        self.text.get(..offset).unwrap_or_default().matches('\n').count() + 1
    }

    fn wrong(&self, offset: usize, what: &str) -> Failure {
        let line = self.line(offset);
        Failure::new(format!("`{}` line {line}: {}; docs/cases.md has the keys of a test", self.name, escaped(what)))
    }

    fn unknown<N: Iterator<Item = &'static str>>(
        &self,
        offset: usize,
        key: &str,
        what: &str,
        known: impl Fn() -> N,
    ) -> Failure {
        let remedy = match nearest(key, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", known().collect::<Vec<_>>().join(", ")),
        };
        self.wrong(offset, &format!("`{key}` is no {what}; {remedy}"))
    }

    fn part(&self, key: &Spanned<std::borrow::Cow<'_, str>>) -> Result<Part, Failure> {
        let name = key.get_ref().as_ref();
        let found = KEYS.iter().find(|(known, _)| *known == name).map(|(_, part)| *part);
        found.ok_or_else(|| {
            self.unknown(key.span().start, name, "key of a test", || KEYS.iter().map(|(known, _)| *known))
        })
    }

    fn table<'v, 'i>(&self, name: &str, value: &'v Spanned<DeValue<'i>>) -> Result<&'v DeTable<'i>, Failure> {
        value.get_ref().as_table().ok_or_else(|| self.wrong(value.span().start, &format!("`{name}` is no table")))
    }

    /// A value as a case has it.
    fn value(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Value, Failure> {
        let wrong = |what: &str| self.wrong(value.span().start, &format!("`{key}` is {what}"));
        let text = |value: &DeValue<'_>| value.as_str().map(str::to_owned);
        let texts =
            || -> Option<Vec<String>> { value.get_ref().as_array()?.iter().map(|one| text(one.get_ref())).collect() };
        match key {
            "line" => {
                let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse::<u32>().ok());
                Ok(number.ok_or_else(|| wrong("no line; write a number, as `18`"))?.into())
            }
            "status" => {
                let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse::<u32>().ok());
                number
                    .map(Value::from)
                    .or_else(|| text(value.get_ref()).map(Value::from))
                    .ok_or_else(|| wrong("no status"))
            }
            "purposes" | "fallback" | "conditions" => {
                Ok(texts().ok_or_else(|| wrong("no list of words, as in `[\"a\", \"b\"]`"))?.into())
            }
            "headers" => {
                let lines = texts().ok_or_else(|| wrong("no list of headers, as in `[\"X-Robots-Tag: noindex\"]`"))?;
                let parted: Option<Vec<Value>> = lines
                    .iter()
                    .map(|line| line.split_once(':').map(|(name, value)| json!([name.trim(), value.trim()])))
                    .collect();
                Ok(parted.ok_or_else(|| wrong("no list of `Name: value`"))?.into())
            }
            "at" => {
                let written = text(value.get_ref()).or_else(|| value.get_ref().as_datetime().map(ToString::to_string));
                Ok(written.ok_or_else(|| wrong("no time, as in `2026-01-01T00:00:00Z`"))?.into())
            }
            _ => Ok(text(value.get_ref()).ok_or_else(|| wrong("no text; put it in quotation marks"))?.into()),
        }
    }

    /// One test as a case, and the line of its first key.
    fn case(&self, test: &DeTable<'_>, defaults: &Map<String, Value>) -> Result<(usize, String), Failure> {
        let first = test.keys().map(|key| key.span().start).min().unwrap_or(0);
        let (mut case, mut expect) = (defaults.clone(), Map::new());
        for (key, value) in test {
            let (part, value) = (self.part(key)?, self.value(key.get_ref(), value)?);
            match part {
                Part::Question(field) | Part::Own(field) => case.insert(field.to_owned(), value),
                Part::Expected(field) => expect.insert(field.to_owned(), value),
            };
        }
        case.entry("usage").or_insert("crawl".into());
        for needed in ["url", "crawler"] {
            if !case.contains_key(needed) {
                return Err(self.wrong(first, &format!("this test has no `{needed}`, and neither have the defaults")));
            }
        }
        if !expect.contains_key("outcome") {
            let outcomes = "permitted, conditional, prohibited or unstated";
            return Err(self.wrong(first, &format!("this test expects nothing; write `expect`: {outcomes}")));
        }
        let word = |field: &str| case.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let name = format!("{}: {} of {}", word("crawler"), word("usage"), word("url"));
        case.entry("name").or_insert(name.into());
        case.insert("expect".to_owned(), expect.into());
        Ok((self.line(first), Value::from(case).to_string()))
    }
}

/// Writes a first file of tests beside a robots.txt.
pub fn init(site: &Path, replaces: bool, files: &mut Files, out: &mut Output<'_>) -> Result<u8, Failure> {
    let folder: PathBuf =
        if site.is_dir() { site.to_owned() } else { site.parent().unwrap_or(Path::new("")).to_owned() };
    let robots_txt = if site.is_dir() { site.join("robots.txt") } else { site.to_owned() };
    if matches!(site.to_str(), Some("-" | "none")) {
        return Err(Failure::new("--init writes beside a robots.txt; give that file, or the folder that holds it"));
    }
    let target = folder.join(NAME);
    if target.exists() && !replaces {
        return Err(Failure::new(format!("`{}` is there already; add `--force` to replace it", shown(&target))));
    }
    let read = Site::read(&robots_txt, None, files)?;
    let evidence = read.evidence(Reading::Default);
    // As a case that names no time is asked.
    let at = Instant::from_unix(1_767_225_600);
    let expectations = first_tests(&evidence, at)
        .filter(|expectations| !expectations.is_empty())
        .ok_or_else(|| Failure::new(format!("nothing is known of `{}` to expect", shown(&robots_txt))))?;
    let name = robots_txt.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    std::fs::write(&target, written(&name, &expectations))
        .map_err(|error| unwritable(&target, &error, "see whether the folder can be written"))?;
    let tests = if expectations.len() == 1 { "test" } else { "tests" };
    let (count, target) = (expectations.len(), shown(&target));
    writeln!(out, "{count} {tests} written to {target}; run with `wayleave test {target}`")?;
    Ok(exit::FINE)
}

/// The file of these expectations.
fn written(robots_txt: &str, expectations: &[Expectation]) -> String {
    let quoted = |text: &str| Value::from(text).to_string().replace('\u{7F}', "\\u007f");
    let mut text = format!(
        "# What {robots_txt} decides. `wayleave test` tells when that changes.\n\
         # Written by `wayleave test --init`: keep what you mean, change what you do not, add what is missing.\n\
         # docs/cases.md has every key.\n\n\
         robots = {}\n\n[defaults]\nusage = \"crawl\"\n",
        quoted(robots_txt)
    );
    let mut last = None;
    for one in expectations {
        if last.replace(&one.crawler) != Some(&one.crawler) {
            let alike = if one.alike.is_empty() { String::new() } else { format!(", and so {}", one.alike.join(", ")) };
            text += &format!("\n# {}{}\n", escaped(&one.crawler), escaped(&alike));
        }
        text += &format!("\n[[test]]\nurl = {}\ncrawler = {}\n", quoted(&one.url), quoted(&one.crawler));
        if one.usage != wayleave::Usage::Crawl {
            text += &format!("usage = {}\n", quoted(one.usage.name()));
        }
        text += &format!("expect = {}\n", quoted(one.outcome.name()));
        if let Some(line) = one.line {
            text += &format!("line = {line}\n");
        }
        if !one.conditions.is_empty() {
            text += &format!("conditions = {}\n", Value::from(one.conditions.clone()));
        }
        text += &format!("why = {}\n", quoted(&one.sentence));
    }
    text
}
