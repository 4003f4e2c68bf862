//! Generates robots.txt files with ACAP, and questions about them. Each file has few names, paths and usages, so that
//! statements often conflict.

use super::{Capabilities, Details, Question, Robots, text};
use crate::generate::Numbers;
use byleave::analysis::vocabulary::UsageKind;
use byleave::{Reading, Usage};
use std::collections::BTreeMap;

/// One line. The order of the lines in a group does not matter.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: String,
    pub group: usize,
}

/// A file, and the files that it refers to.
#[derive(Clone, Debug)]
pub struct GenFile {
    pub lines: Vec<Line>,
    pub references: BTreeMap<String, Vec<Line>>,
    /// A byte order mark, or empty.
    pub mark: &'static str,
    /// The line ending.
    pub end: &'static str,
}

impl GenFile {
    pub fn new(lines: Vec<Line>, references: BTreeMap<String, Vec<Line>>) -> Self {
        Self { lines, references, mark: "", end: "\n" }
    }
}

/// Returns the lines, each followed by a line feed.
pub fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}

/// Half of all patterns come from this list. Paths that match one of them often match others too.
const COMMON_PATTERNS: [&str; 10] = ["/", "/", "/a", "/a/", "/A/", "/a*", "/*b", "/a/b", "/a/*", "/%61/"];
const PATTERNS: [&str; 28] = [
    "/", "/a", "/a/", "/a/b", "/A", "/a*", "/a$", "/*b", "/*", "*.gif", "/*.gif$", "/%61", "/a/*", "/a/b$", "/a*b",
    "*b", "a/", "/a%2Fb", "/*a", "/a/*.gif", "/$", "*", "/a?b", "/*?b", "/ab", "/a**", "/*/", "/a/*$",
];
const PATHS: [&str; 16] = [
    "/", "/a", "/a/", "/A/B", "/a/x.gif", "/x.gif", "/ab", "/%61/b", "/a?b", "/a/b/c", "/b", "/a%2fb", "/a/b.gif", "",
    "/c", "/a/b?b",
];
const CRAWLER_NAMES: [&str; 10] = ["*", "*", "*", "*", "foo", "foo", "FOO", "Foo/1.0", "bar", "foo bot"];
const ASKERS: [&str; 9] = ["foo", "foo", "foo", "foo", "foo", "Foo/2.1", "bar", "baz", "Foo Bot"];
const PURPOSES: [&str; 11] =
    ["news", "news", "News", "news", "web", "*", "ne*", "http://p.example/", "http://*/n$", "", "$"];
/// Values that no qualifier accepts.
const BAD_VALUES: [&str; 8] = ["soon", "until-2026-02-30", "-1-days", "250", "'9'-chars", "colour", "popup", "0-days"];
const SITE: &str = "https://site.example";
const REFERENCE: &str = "/more.txt";

/// Topics. The usages in a file and in its questions come from one of these lists.
const TOPICS: [&[&str]; 9] = [
    &["crawl", "crawl", "other"],
    &["crawl", "index"],
    &["index", "index", "other"],
    &["preserve", "present-oldcopy", "present-currentcopy", "crawl"],
    &["present", "present-snippet", "other"],
    &["present", "present-original", "present-oldsnippet", "preserve"],
    &["present-thumbnail", "present-oldthumbnail", "present", "present-link"],
    &["follow", "other", "preserve"],
    &["tdm", "train-ai", "train-genai", "other", "present-hologram", "translate", "mine"],
];

/// The topics for dense files.
const DENSE_TOPICS: [&[&str]; 9] = [
    &["crawl"],
    &["crawl", "index"],
    &["index"],
    &["preserve", "present-oldcopy"],
    &["present", "present-snippet"],
    &["present-original", "present"],
    &["present-snippet", "crawl"],
    &["tdm", "train-ai", "train-genai"],
    &["other", "preserve", "present-currentcopy"],
];
/// Patterns that all match [`DENSE_PATH`].
const DENSE_PATTERNS: [&str; 24] = [
    "/", "/", "/a", "/a/", "/a/b", "/a/b$", "/A/B", "/a*", "/a/*", "/*", "/*b", "/*b$", "/*/", "/*/b", "/*a", "/*a/",
    "*b", "*/b$", "/a*b", "/a*$", "/*$", "*", "/%61/", "a/",
];
/// Four patterns. None of them is narrower than all the others (S-07).
const TANGLED_PATTERNS: [&str; 4] = ["/*/", "/*/b", "/*b", "/*b$"];
const DENSE_PATH: &str = "/a/b";

/// The way in which a file is generated.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// The file may contain anything, valid or invalid.
    Broad,
    /// The file has few usages, one crawler and one path, so that nearly all statements conflict.
    Dense,
}

/// The state while a file is being generated.
struct Generator<'n> {
    numbers: &'n mut Numbers,
    manner: Manner,
    /// The patterns in a dense file. The list is short, so that statements often have the same pattern.
    patterns: Vec<&'static str>,
    topic: &'static [&'static str],
    /// The usage that most statements in the file address.
    main: &'static str,
    lines: Vec<Line>,
    group: usize,
}

/// Picks a reading, in most cases the default.
pub fn reading(numbers: &mut Numbers) -> Reading {
    match numbers.below(12) {
        0 => Reading::Rfc9309,
        1 => Reading::Google,
        2 => Reading::Strict,
        _ => Reading::Default,
    }
}

/// Generates a file and questions about it.
pub fn file(numbers: &mut Numbers, questions: usize) -> (GenFile, Vec<Question>) {
    let reading = reading(numbers);
    let manner = numbers.pick(&[Manner::Broad, Manner::Dense]);
    let topic = match manner {
        Manner::Broad => numbers.pick(&TOPICS),
        Manner::Dense => numbers.pick(&DENSE_TOPICS),
    };
    let main = numbers.pick(topic);
    let file = match reading {
        Reading::Strict => clean_file(numbers, topic),
        _ => generated(numbers, manner, topic, main),
    };
    let mut asked: Vec<Question> = (0..questions).map(|_| question(numbers, topic, main)).collect();
    asked.iter_mut().for_each(|question| question.reading = reading);
    if manner == Manner::Dense {
        asked.iter_mut().for_each(|question| make_dense(question, numbers, topic));
    }
    (file, asked)
}

/// Generates a file about a topic, without questions.
pub fn file_about(numbers: &mut Numbers, topic: &'static [&'static str]) -> GenFile {
    let manner = numbers.pick(&[Manner::Broad, Manner::Dense, Manner::Dense]);
    let main = numbers.pick(topic);
    generated(numbers, manner, topic, main)
}

/// Generates a file that the strict reading accepts without a diagnostic.
pub fn clean_file(numbers: &mut Numbers, usages: &[&'static str]) -> GenFile {
    let mut lines = Vec::new();
    for name in ["*", "foo"] {
        if numbers.one_in(4) {
            continue;
        }
        let is_conventional = numbers.one_in(4);
        lines.push(format!("{}: {name}", if is_conventional { "User-agent" } else { "ACAP-crawler" }));
        for _ in 0..1 + numbers.below(3) {
            let pattern = numbers.pick(&["/", "/", "/a", "/a/", "/a/b", "/a/b$", "/x"]);
            lines.push(match is_conventional {
                true => format!("{}: {pattern}", numbers.pick(&["Allow", "Disallow"])),
                false => {
                    let statement = clean_statement(numbers, usages);
                    let (said, rest) = statement.split_once(' ').unwrap_or((&statement, ""));
                    format!("ACAP-{said}: {pattern} {rest}").trim_end().to_owned()
                }
            });
        }
    }
    let lines = lines.into_iter().enumerate().map(|(group, text)| Line { text, group });
    GenFile::new(lines.collect(), BTreeMap::new())
}

/// Generates a permission or prohibition for a standard usage, in the standard spelling.
pub fn clean_statement(numbers: &mut Numbers, usages: &[&'static str]) -> String {
    let usage = Some(numbers.pick(usages)).filter(|usage| Usage::named(usage).kind() == UsageKind::Standard);
    let usage = usage.unwrap_or("other");
    if numbers.one_in(2) {
        return format!("disallow-{usage}");
    }
    let qualifier = match usage {
        "present-snippet" | "present-oldsnippet" => numbers.pick(&["", " max-length=5-chars", " max-length=2-words"]),
        "index" | "preserve" | "present" => numbers.pick(&["", " time-limit=until-2026-01-01", " time-limit=3-days"]),
        _ => "",
    };
    format!("allow-{usage}{qualifier}")
}

/// Generates zero or more qualifiers for a usage, each preceded by a blank.
pub fn qualifiers(numbers: &mut Numbers, usage: &'static str) -> String {
    let manner = numbers.pick(&[Manner::Broad, Manner::Dense, Manner::Dense]);
    Generator::new(numbers, manner, &[], usage).qualifiers(usage)
}

fn generated(numbers: &mut Numbers, manner: Manner, topic: &'static [&'static str], main: &'static str) -> GenFile {
    let lines = Generator::new(numbers, manner, topic, main).file();
    let mut references = BTreeMap::new();
    if lines.iter().any(|line| line.text.contains("reference")) && !numbers.one_in(4) {
        let lines = Generator::new(numbers, manner, topic, main).file();
        references.insert(REFERENCE.to_owned(), lines);
    }
    GenFile::new(lines, references)
}

impl<'n> Generator<'n> {
    fn new(numbers: &'n mut Numbers, manner: Manner, topic: &'static [&'static str], main: &'static str) -> Self {
        let patterns = match numbers.below(8) {
            0 => TANGLED_PATTERNS.to_vec(),
            _ => (0..2 + numbers.below(4)).map(|_| numbers.pick(&DENSE_PATTERNS)).collect(),
        };
        Self { numbers, manner, patterns, topic, main, lines: Vec::new(), group: 0 }
    }

    fn file(self) -> Vec<Line> {
        match self.manner {
            Manner::Broad => self.broad_file(),
            Manner::Dense => self.dense_file(),
        }
    }

    fn dense_file(mut self) -> Vec<Line> {
        self.write("##ACAP version=1.1");
        for _ in 0..1 + self.numbers.below(3) {
            let name = self.numbers.pick(&["*", "foo"]);
            let is_conventional = self.topic.contains(&"crawl") && self.numbers.one_in(3);
            let mut fields = Vec::new();
            for _ in 0..1 + self.numbers.below(4) {
                fields.push(if is_conventional { self.rule() } else { self.field() });
            }
            self.write(format!("{}: {name}", if is_conventional { "User-agent" } else { "ACAP-crawler" }));
            self.write_group(fields);
            if !is_conventional && self.numbers.one_in(3) {
                let purpose = self.numbers.pick(&["news", "web"]);
                self.write(format!("ACAP-usage-purpose: {purpose}"));
                let fields = (0..1 + self.numbers.below(2)).map(|_| self.field()).collect();
                self.write_group(fields);
            }
        }
        if self.numbers.one_in(6) {
            self.define();
        }
        self.lines
    }

    fn broad_file(mut self) -> Vec<Line> {
        if self.numbers.one_in(2) {
            self.declare_version();
        }
        if self.numbers.one_in(10) {
            self.write("ACAP-ignore-conventional-records");
        }
        if self.numbers.one_in(10) {
            // Fields before the first group are ignored.
            let field = self.field();
            self.write(field);
        }
        self.define();
        let (before, after) = (self.numbers.below(2), self.numbers.below(3));
        for number in 0..before + 1 + after {
            match self.numbers.below(3) {
                0 if number != before => self.conventional_group(),
                _ => self.acap_group(),
            }
            if self.numbers.one_in(8) {
                self.define();
            }
            if self.numbers.one_in(12) {
                self.declare_version();
            }
        }
        self.lines
    }

    fn write(&mut self, text: impl Into<String>) {
        self.group += 1;
        self.lines.push(Line { text: text.into(), group: self.group });
    }

    /// Writes lines whose order does not matter.
    fn write_group(&mut self, texts: Vec<String>) {
        self.group += 1;
        let group = self.group;
        self.lines.extend(texts.into_iter().map(|text| Line { text, group }));
    }

    fn declare_version(&mut self) {
        let form = self.numbers.pick(&["##ACAP version=", "##ACAP version=", "#acap Version=", "ACAP-version: "]);
        let version = self.numbers.pick(&["1.0", "1.1", "1.1", "1.1", "1.1", "1.1", "1.1", "1.1", "1.1", "2.0"]);
        self.write(format!("{form}{version}"));
    }

    fn define(&mut self) {
        for _ in 0..self.numbers.below(4) {
            let usage = self.usage();
            let qualifiers = self.qualifiers(usage);
            let text = match self.numbers.below(5) {
                0 | 1 => format!("ACAP-qualified-usage: {} {usage}{qualifiers}", self.numbers.pick(&["q", "r", "Q"])),
                2 | 3 => {
                    let members = [self.usage(), self.numbers.pick(&["(q)", "(r)", "(nope)", "index", "crawl", "odd"])];
                    // A member is not repeated, because a second permission for it would change nothing.
                    let count = if members[0] == members[1] { 1 } else { 1 + self.numbers.below(2) };
                    format!("ACAP-composite-usage: {} {}", self.numbers.pick(&["c", "C"]), members[..count].join(" "))
                }
                _ => {
                    let count = self.numbers.below(4);
                    let members: Vec<&str> = (0..count).map(|_| self.pattern()).collect();
                    format!("ACAP-resource-set: {} {}", self.numbers.pick(&["s", "t"]), members.join(" "))
                }
            };
            self.write(text);
        }
    }

    fn conventional_group(&mut self) {
        for _ in 0..1 + usize::from(self.numbers.one_in(4)) {
            let name = self.numbers.pick(&CRAWLER_NAMES);
            self.write(format!("User-agent: {name}"));
        }
        let mut rules = Vec::new();
        for _ in 0..1 + self.numbers.below(3) {
            rules.push(self.rule());
        }
        if self.numbers.one_in(8) {
            // Misplaced fields are ignored.
            let field = self.field();
            rules.push(field);
        }
        self.write_group(rules);
    }

    fn rule(&mut self) -> String {
        let name = self.numbers.pick(&["Allow", "Disallow", "Disallow"]);
        let pattern = if self.numbers.one_in(10) { "" } else { self.pattern() };
        format!("{name}: {pattern}")
    }

    fn acap_group(&mut self) {
        for _ in 0..1 + usize::from(self.numbers.one_in(4)) {
            let name = self.numbers.pick(&CRAWLER_NAMES);
            self.write(format!("ACAP-crawler: {name}"));
            if self.numbers.one_in(12) {
                let ignored =
                    self.numbers.pick(&["Disallow: /", "ACAP-frobnicate: /", "Sitemap: /s", "Crawl-delay: 1"]);
                self.write(ignored);
            }
        }
        let fields = self.fields();
        self.write_group(fields);
        for _ in 0..self.numbers.below(3) / 2 + usize::from(self.numbers.one_in(6)) {
            for _ in 0..1 + usize::from(self.numbers.one_in(4)) {
                let purpose = self.numbers.pick(&PURPOSES);
                self.write(format!("ACAP-usage-purpose: {purpose}"));
            }
            let fields = self.fields();
            self.write_group(fields);
        }
    }

    fn fields(&mut self) -> Vec<String> {
        let mut fields = Vec::new();
        for _ in 0..1 + self.numbers.below(4) {
            let field = match self.numbers.below(24) {
                0 => self.rule(),
                1 => self.numbers.pick(&["ACAP-request-take-down: /a", "ACAP-request-re-crawl: /a"]).to_owned(),
                2 if self.numbers.one_in(3) => format!("ACAP-permissions-reference: {REFERENCE}"),
                3 => self.numbers.pick(&["Sitemap: /s", "# a comment", "", "ACAP-frobnicate: x"]).to_owned(),
                _ => self.field(),
            };
            fields.push(field);
        }
        fields
    }

    /// Generates a permission or prohibition.
    fn field(&mut self) -> String {
        let permits = self.numbers.below(5) < 3;
        let name = if permits { "ACAP-allow" } else { "ACAP-disallow" };
        let resource = match self.numbers.below(16) {
            _ if self.manner == Manner::Dense => self.pattern(),
            0 | 1 => self.numbers.pick(&["the-acap:resource-set:s", "acap:Resource-Set:T", "the-acap:resource-set:no"]),
            2 if self.numbers.one_in(2) => self.numbers.pick(&["", "http://site.example/a"]),
            _ => self.pattern(),
        };
        if self.manner == Manner::Broad && self.numbers.one_in(6) {
            let local = self.numbers.pick(&["(q)", "(r)", "(c)", "(Q)", "( c )", "(nope)"]);
            let junk = if self.numbers.one_in(8) { " time-limit=3-days" } else { "" };
            return format!("{name}-{local}: {resource}{}", if resource.is_empty() { "" } else { junk });
        }
        let usage = self.usage();
        let qualified = self.numbers.one_in(if permits { 2 } else { 12 }) && !resource.is_empty();
        let qualifiers = if qualified { self.qualifiers(usage) } else { String::new() };
        format!("{name}-{usage}: {resource}{qualifiers}")
    }

    fn pattern(&mut self) -> &'static str {
        match self.manner {
            Manner::Dense => self.numbers.pick(&self.patterns),
            Manner::Broad if self.numbers.one_in(2) => self.numbers.pick(&COMMON_PATTERNS),
            Manner::Broad => self.numbers.pick(&PATTERNS),
        }
    }

    fn usage(&mut self) -> &'static str {
        match self.numbers.below(20) {
            _ if self.manner == Manner::Dense => self.numbers.pick(self.topic),
            0 => Usage::NAMED[self.numbers.below(14)].name(),
            1 => self.numbers.pick(&["present-hologram", "mine", "tdm"]),
            2..8 => self.numbers.pick(self.topic),
            _ => self.main,
        }
    }

    /// Generates zero or more qualifiers. Most of them are valid for the usage.
    fn qualifiers(&mut self, usage: &str) -> String {
        let mut written = String::new();
        for _ in 0..self.numbers.pick(&[1, 1, 1, 1, 2]) {
            let is_any = self.manner == Manner::Broad && self.numbers.one_in(16);
            let kinds: &[&str] = match usage {
                _ if is_any => &["time-limit", "max-length", "prohibited-context", "target-condition", "ref", "odd"],
                "present-snippet" | "present-oldsnippet" => {
                    &["time-limit", "max-length", "max-length", "must-use-resource"]
                }
                "present-thumbnail" | "present-oldthumbnail" => {
                    &["time-limit", "must-use-resource", "must-include-resource"]
                }
                "present" => &["time-limit", "prohibited-modification", "must-include-resource", "must-use-resource"],
                "index" => &["time-limit", "time-limit", "must-use-resource"],
                "other" => &["ref"],
                _ if usage.starts_with("present-") => {
                    &["time-limit", "prohibited-modification", "prohibited-context", "required-context"]
                }
                _ => &["time-limit"],
            };
            let kind = self.numbers.pick(kinds);
            if self.manner == Manner::Dense && written.contains(kind) && kind != "prohibited-modification" {
                continue;
            }
            let values: &[&str] = match kind {
                "time-limit" => &[
                    "until-recrawled",
                    "until-recrawl",
                    "Until-Recrawled",
                    "until-2026-01-01",
                    "until-2025-12-31",
                    "until-2026-03-31",
                    "until-2026-03-31",
                    "until-2026-02-28",
                    "3-days",
                    "03-days",
                    "0-days",
                    "30-days",
                    "4-days",
                    "90-days",
                    "soon",
                    "until-2026-02-30",
                    "-1-days",
                ],
                "max-length" => &[
                    "5-chars",
                    "10-chars",
                    "20-chars",
                    "2-words",
                    "1-words",
                    "9-words",
                    "010-Chars",
                    "250",
                    "'9'-chars",
                ],
                "prohibited-modification" => &["any", "style", "style", "translation", "format", "colour"],
                "prohibited-context" => &["within-user-frame", "within-user-frame", "popup"],
                "required-context" => &["within-original-frame", "within-original-frame", "popup"],
                "must-use-resource" => {
                    &["/a/x", "/b", "https://site.example/a", "https://else.example/", "the-acap:extract:id:i"]
                }
                "must-include-resource" => &["/a", "the-acap:credit:id:by", "the-acap:credit:/a/b", "the-acap:link:/t"],
                "ref" => &["https://licence.example/?a=b", "/licence"],
                _ => &["x", "9"],
            };
            let mut value = self.numbers.pick(values);
            while self.manner == Manner::Dense && BAD_VALUES.contains(&value) {
                value = self.numbers.pick(values);
            }
            let equals = self.numbers.pick(&["=", "=", "=", " = ", "= "]);
            written.push_str(&format!(" {kind}{equals}{value}"));
        }
        if self.manner == Manner::Broad && self.numbers.one_in(30) {
            written.push_str(self.numbers.pick(&[" /b", " junk"]));
        }
        written
    }
}

pub fn question(numbers: &mut Numbers, topic: &[&str], main: &str) -> Question {
    let at = text::instant("2026-01-01T00:00:00Z").expect("a time");
    let usage = match numbers.below(12) {
        0 => Usage::NAMED[numbers.below(Usage::NAMED.len())].name(),
        1..4 => numbers.pick(topic),
        _ => main,
    };
    let path = match numbers.below(30) {
        0 => "/robots.txt",
        1..14 => numbers.pick(&PATHS),
        _ => "/a/b",
    };
    let purposes: &[&str] = match numbers.below(6) {
        0 | 1 => &["news"],
        2 => numbers.pick(&[&["web"], &["http://p.example/x"], &["HTTP://p.example/n"], &["newsletter"]]),
        3 => numbers.pick(&[&["news", "web"], &["web", "x"]]),
        _ => &[],
    };
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
    let detail = |numbers: &mut Numbers, texts: &[&str]| numbers.one_in(4).then(|| numbers.pick(texts).to_owned());
    let unable: &[&str] = match numbers.below(10) {
        0 => numbers.pick(&[&["max-length"], &["time-limit"], &["present"], &["index", "ref"]]),
        _ => &[],
    };
    Question {
        robots: Robots::Unknown,
        references: BTreeMap::new(),
        documents: BTreeMap::new(),
        licences: BTreeMap::new(),
        headers: Vec::new(),
        page: None,
        dom: None,
        reading: Reading::Default,
        url: format!("{SITE}{path}"),
        crawler: numbers.pick(&ASKERS).to_owned(),
        user_agent: None,
        fallbacks: if numbers.one_in(5) { owned(&["bar", "Foo"]) } else { Vec::new() },
        purposes: owned(purposes),
        usage: Usage::named(usage),
        element: None,
        at: at + numbers.pick(&[0, 0, 0, 1, 86_399, 86_400, 90 * text::DAY, -text::DAY]),
        first_used: numbers.one_in(3).then(|| at - numbers.pick(&[0, 1, 2, 3, 4, 31]) * text::DAY),
        is_recrawled: numbers.one_in(6),
        details: Details {
            snippet: detail(numbers, &["five", " two  words ", "ten chars.", "eleven char", ""]),
            modification: detail(numbers, &["none", "style", "translation", "annotation"]),
            context: detail(numbers, &["none", "within-user-frame", "within-original-frame"]),
        },
        capabilities: Capabilities {
            has_prior_arrangement: !numbers.one_in(4),
            reads_not_ready: !numbers.one_in(4),
            unable: owned(unable),
            ..Capabilities::default()
        },
    }
}

/// Changes a question so that nearly every statement in a dense file applies to it.
fn make_dense(question: &mut Question, numbers: &mut Numbers, topic: &[&str]) {
    question.url = format!("{SITE}{DENSE_PATH}");
    question.crawler = "foo".to_owned();
    question.usage = Usage::named(numbers.pick(topic));
    question.capabilities.unable.clear();
    question.purposes.retain(|purpose| ["news", "web"].contains(&purpose.as_str()));
}
