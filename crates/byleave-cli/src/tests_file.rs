//! Test files in TOML: converts each test to a case, and generates a first test file for a site.
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
use crate::site::{FileReader, SiteFiles, is_same_location, read_file, shown, unwritable};
use crate::sources::documents_in;
use byleave::analysis::ROBOTS_TXT;
use byleave::{Reading, Timestamp};
use byleave_review::starter_tests::{Expectation, starter_tests};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The default name of a test file.
pub const NAME: &str = "byleave-tests.toml";

/// Returns whether a path is the path of a test file.
pub fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// The field of a case that a key sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyRole {
    /// A field of the question or the site. `[defaults]` may set it.
    Question(&'static str),
    /// A field that only a single test may set.
    Own(&'static str),
    /// A field of the expected answer.
    Expected(&'static str),
}

/// All keys of a test.
const KEYS: &[(&str, KeyRole)] = &[
    ("url", KeyRole::Own("url")),
    ("name", KeyRole::Own("name")),
    ("why", KeyRole::Own("why")),
    ("crawler", KeyRole::Question("crawler")),
    ("fallback", KeyRole::Question("fallback")),
    ("user-agent", KeyRole::Question("user_agent")),
    ("usage", KeyRole::Question("usage")),
    ("purposes", KeyRole::Question("purposes")),
    ("element", KeyRole::Question("element")),
    ("at", KeyRole::Question("at")),
    ("reading", KeyRole::Question("reading")),
    ("robots", KeyRole::Question("robots_file")),
    ("status", KeyRole::Question("robots_status")),
    ("page", KeyRole::Question("page_file")),
    ("headers", KeyRole::Question("headers")),
    ("documents", KeyRole::Question(DOCUMENTS)),
    ("expect", KeyRole::Expected("outcome")),
    ("effective", KeyRole::Expected("effective")),
    ("line", KeyRole::Expected("line")),
    ("by", KeyRole::Expected("by")),
    ("reason", KeyRole::Expected("rule")),
    ("conditions", KeyRole::Expected("conditions")),
];

/// All keys at the top level: files that all tests share, and the names of tables.
const TOP: &[&str] = &["robots", "page", "documents", "defaults", "test"];

/// The field of a case that holds documents. Before the documents are read, it holds their paths.
const DOCUMENTS: &str = "documents_b64";

/// Returns the cases in a file as JSON, each with the line of its first key.
pub fn cases(path: &Path, text: &str) -> Result<Vec<(usize, String)>, Failure> {
    let file = TestsFile { name: shown(path), text, folder: path.parent().unwrap_or(Path::new("")) };
    let table = DeTable::parse(text).map_err(|error| {
        file.wrong(error.span().map_or(0, |span| span.start), error.message().lines().next().unwrap_or("not TOML"))
    })?;
    let mut defaults = Map::new();
    if file.folder.join(ROBOTS_TXT).exists() {
        defaults.insert("robots_file".to_owned(), ROBOTS_TXT.into());
    }
    let mut tests = Vec::new();
    for (key, value) in table.get_ref() {
        match key.get_ref().as_ref() {
            name @ ("robots" | "page") => {
                defaults.insert(format!("{name}_file"), file.value(name, value)?);
            }
            "documents" => {
                defaults.insert(DOCUMENTS.to_owned(), file.value("documents", value)?);
            }
            "defaults" => {
                let table = file.table("defaults", value)?;
                for (key, value) in table {
                    match file.role(key)? {
                        KeyRole::Question(field) => {
                            defaults.insert(field.to_owned(), file.value(key.get_ref(), value)?);
                        }
                        KeyRole::Own(_) | KeyRole::Expected(_) => {
                            let what = format!("`{}` belongs in a test, not in the defaults", key.get_ref());
                            return Err(file.wrong(key.span().start, &what));
                        }
                    }
                }
            }
            "test" => {
                let list = value.get_ref().as_array();
                let list = list.ok_or_else(|| {
                    file.wrong(value.span().start, "`test` is not a list; write `[[test]]`, with two brackets")
                })?;
                for test in list.iter() {
                    tests.push(file.table("test", test)?);
                }
            }
            other => {
                return Err(file.unknown(key.span().start, other, "at the top level", || TOP.iter().copied()));
            }
        }
    }
    if tests.is_empty() {
        return Err(file.wrong(0, "the file contains no tests; write `[[test]]`"));
    }
    tests.into_iter().map(|test| file.case(test, &defaults)).collect()
}

struct TestsFile<'t> {
    name: String,
    text: &'t str,
    /// The folder of the test file. Paths in the file are relative to it.
    folder: &'t Path,
}

impl TestsFile<'_> {
    fn line(&self, offset: usize) -> usize {
        self.text.get(..offset).unwrap_or_default().matches('\n').count() + 1
    }

    fn wrong(&self, offset: usize, what: &str) -> Failure {
        let line = self.line(offset);
        Failure::new(format!("`{}` line {line}: {}; docs/cases.md lists the keys of a test", self.name, escaped(what)))
    }

    fn unknown<N: Iterator<Item = &'static str>>(
        &self,
        offset: usize,
        key: &str,
        level: &str,
        known: impl Fn() -> N,
    ) -> Failure {
        let remedy = match nearest(key, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known keys are {}", known().collect::<Vec<_>>().join(", ")),
        };
        self.wrong(offset, &format!("unknown key `{key}` {level}; {remedy}"))
    }

    fn role(&self, key: &Spanned<Cow<'_, str>>) -> Result<KeyRole, Failure> {
        let name = key.get_ref().as_ref();
        let found = KEYS.iter().find(|(known, _)| *known == name).map(|(_, role)| *role);
        found.ok_or_else(|| self.unknown(key.span().start, name, "in a test", || KEYS.iter().map(|(known, _)| *known)))
    }

    fn table<'v, 'i>(&self, name: &str, value: &'v Spanned<DeValue<'i>>) -> Result<&'v DeTable<'i>, Failure> {
        value.get_ref().as_table().ok_or_else(|| self.wrong(value.span().start, &format!("`{name}` is not a table")))
    }

    /// Returns a value in the form that the case format uses.
    fn value(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Value, Failure> {
        let wrong = |what: &str| self.wrong(value.span().start, &format!("`{key}` is not {what}"));
        let text = |value: &DeValue<'_>| value.as_str().map(str::to_owned);
        let texts =
            || -> Option<Vec<String>> { value.get_ref().as_array()?.iter().map(|one| text(one.get_ref())).collect() };
        match key {
            "line" => {
                let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse::<u32>().ok());
                Ok(number.ok_or_else(|| wrong("a line number, such as `18`"))?.into())
            }
            "status" => {
                let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse::<u32>().ok());
                number
                    .map(Value::from)
                    .or_else(|| text(value.get_ref()).map(Value::from))
                    .ok_or_else(|| wrong("a status; write an HTTP status, `unreachable` or `too-many-redirects`"))
            }
            "purposes" | "fallback" | "conditions" => {
                Ok(texts().ok_or_else(|| wrong("a list of words, such as `[\"a\", \"b\"]`"))?.into())
            }
            "headers" => {
                let lines = texts().ok_or_else(|| wrong("a list of headers, such as `[\"X-Robots-Tag: noindex\"]`"))?;
                let pairs: Option<Vec<Value>> = lines
                    .iter()
                    .map(|line| line.split_once(':').map(|(name, value)| json!([name.trim(), value.trim()])))
                    .collect();
                Ok(pairs.ok_or_else(|| wrong("a list of headers of the form `Name: value`"))?.into())
            }
            "documents" => {
                let wrong = || wrong("a table of files, such as `{ \"/ai.txt\" = \"ai.txt\" }`");
                let table = value.get_ref().as_table().ok_or_else(wrong)?;
                let file = |(location, path): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                    Some((location.get_ref().to_string(), text(path.get_ref())?.into()))
                };
                Ok(Value::Object(table.iter().map(file).collect::<Option<_>>().ok_or_else(wrong)?))
            }
            "at" => {
                let written = text(value.get_ref()).or_else(|| value.get_ref().as_datetime().map(ToString::to_string));
                Ok(written.ok_or_else(|| wrong("a time, such as `2026-01-01T00:00:00Z`"))?.into())
            }
            _ => Ok(text(value.get_ref()).ok_or_else(|| wrong("a text; put it in quotation marks"))?.into()),
        }
    }

    /// Returns one test as a JSON case, with the line of its first key.
    fn case(&self, test: &DeTable<'_>, defaults: &Map<String, Value>) -> Result<(usize, String), Failure> {
        let first = test.keys().map(|key| key.span().start).min().unwrap_or(0);
        let (mut case, mut expect) = (defaults.clone(), Map::new());
        for (key, value) in test {
            let (role, value) = (self.role(key)?, self.value(key.get_ref(), value)?);
            match role {
                KeyRole::Question(field) | KeyRole::Own(field) => case.insert(field.to_owned(), value),
                KeyRole::Expected(field) => expect.insert(field.to_owned(), value),
            };
        }
        case.entry("usage").or_insert("crawl".into());
        for needed in ["url", "crawler"] {
            if !case.contains_key(needed) {
                return Err(
                    self.wrong(first, &format!("this test has no `{needed}`, and the defaults have none either"))
                );
            }
        }
        if !expect.contains_key("outcome") {
            let outcomes = "permitted, conditional, prohibited or unstated";
            return Err(self.wrong(first, &format!("this test has no `expect`; write {outcomes}")));
        }
        let word = |field: &str| case.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let name = format!("{}: {} on {}", word("crawler"), word("usage"), word("url"));
        case.entry("name").or_insert(name.into());
        case.insert("expect".to_owned(), expect.into());
        self.read_documents(first, &mut case)?;
        Ok((self.line(first), Value::from(case).to_string()))
    }
}

impl TestsFile<'_> {
    /// Replaces the paths of documents with their content, and adds the documents in the folder of robots.txt.
    fn read_documents(&self, first: usize, case: &mut Map<String, Value>) -> Result<(), Failure> {
        let mut documents = Map::new();
        let named = case.remove(DOCUMENTS);
        for (location, path) in named.as_ref().and_then(Value::as_object).into_iter().flatten() {
            let remedy = format!("`{}` line {} names it in `documents`", self.name, self.line(first));
            let bytes = read_file(&self.folder.join(path.as_str().unwrap_or_default()), &remedy)?;
            documents.insert(location.clone(), base64(&bytes).into());
        }
        let robots_txt = case.get("robots_file").and_then(Value::as_str).map(|name| self.folder.join(name));
        // Documents are looked up only next to a file that is called robots.txt.
        if let Some(robots_txt) = robots_txt.filter(|path| is_robots_txt(path)) {
            let bytes = read_file(&robots_txt, "the tests name it in `robots`").unwrap_or_default();
            for (location, path) in documents_in(robots_txt.parent().unwrap_or(self.folder), &bytes) {
                if !documents.keys().any(|known| is_same_location(known, &location)) {
                    let remedy = "it is a document of the tested site; check that it is readable";
                    documents.insert(location, base64(&read_file(&path, remedy)?).into());
                }
            }
        }
        if !documents.is_empty() {
            case.insert(DOCUMENTS.to_owned(), documents.into());
        }
        Ok(())
    }
}

/// Returns whether a file is called robots.txt.
fn is_robots_txt(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == ROBOTS_TXT)
}

/// Returns bytes in Base64, as cases store them.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |bits: u32| DIGITS.get((bits & 63) as usize).map_or('=', |digit| char::from(*digit));
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let octet = |at: usize| u32::from(chunk.get(at).copied().unwrap_or_default());
        let bits = octet(0) << 16 | octet(1) << 8 | octet(2);
        let digits = [bits >> 18, bits >> 12, bits >> 6, bits].map(digit);
        text.extend(digits.iter().take(chunk.len() + 1));
        text.extend(std::iter::repeat_n('=', 3 - chunk.len()));
    }
    text
}

/// Writes a first test file next to robots.txt, and returns the exit code.
pub fn init(site: &Path, replaces: bool, files: &mut FileReader, out: &mut Output<'_>) -> Result<u8, Failure> {
    let folder: PathBuf =
        if site.is_dir() { site.to_owned() } else { site.parent().unwrap_or(Path::new("")).to_owned() };
    let robots_txt = if site.is_dir() { site.join("robots.txt") } else { site.to_owned() };
    if matches!(site.to_str(), Some("-" | "none")) {
        return Err(Failure::new(
            "`--init` writes next to a robots.txt; give that file, or the folder that contains it",
        ));
    }
    let target = folder.join(NAME);
    if target.exists() && !replaces {
        return Err(Failure::new(format!("`{}` exists already; add `--force` to replace it", shown(&target))));
    }
    // Tests run with the documents in the folder, so the answers must be generated with these documents too.
    let is_folder = is_robots_txt(&robots_txt) && robots_txt.exists();
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
    let read = SiteFiles::read(if is_folder { here } else { &robots_txt }, None, files)?;
    let site = read.site(Reading::Default);
    // The time that a case assumes by default.
    let at = Timestamp::from_unix(1_767_225_600);
    let expectations = starter_tests(&site, at).filter(|expectations| !expectations.is_empty()).ok_or_else(|| {
        Failure::new(format!("no tests can be derived from `{}`; give a robots.txt with rules", shown(&robots_txt)))
    })?;
    let name = robots_txt.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    std::fs::write(&target, written(&name, &expectations))
        .map_err(|error| unwritable(&target, &error, "check that the folder is writable"))?;
    let tests = if expectations.len() == 1 { "test" } else { "tests" };
    let (count, target) = (expectations.len(), shown(&target));
    writeln!(out, "wrote {count} {tests} to {target}; run with `byleave test {target}`")?;
    Ok(exit::FINE)
}

/// Returns the text of a test file that contains these expectations.
fn written(robots_txt: &str, expectations: &[Expectation]) -> String {
    let quoted = |text: &str| Value::from(text).to_string().replace('\u{7F}', "\\u007f");
    let mut text = format!(
        "# Decisions of {robots_txt}. `byleave test` reports when one changes.\n\
         # Generated by `byleave test --init`: keep the tests that you agree with, change the others, and add more.\n\
         # docs/cases.md lists all keys.\n\n\
         robots = {}\n\n[defaults]\nusage = \"crawl\"\n",
        quoted(robots_txt)
    );
    let mut last = None;
    for one in expectations {
        if last.replace(&one.crawler) != Some(&one.crawler) {
            let same = if one.other_names.is_empty() {
                String::new()
            } else {
                format!("; the same for {}", one.other_names.join(", "))
            };
            text += &format!("\n# {}{}\n", escaped(&one.crawler), escaped(&same));
        }
        text += &format!("\n[[test]]\nurl = {}\ncrawler = {}\n", quoted(&one.url), quoted(&one.crawler));
        if one.usage != byleave::Usage::Crawl {
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
