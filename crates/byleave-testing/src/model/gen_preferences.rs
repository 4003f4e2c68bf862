//! Generates sites with AI-preference dialects (S-40 to S-46, S-50): robots.txt fields next to conventional and ACAP
//! fields, headers, META tags and documents. Some values are malformed. Also generates questions about the sites.

use super::Question;
use super::gen_files::{self, GenFile, Line};
use super::rsl::{Content, Fault, Licence, Rsl};
use crate::generate::Numbers;
use byleave::{Reading, Usage};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct GenPreferences {
    pub reading: Reading,
    pub robots: Option<GenFile>,
    pub headers: Vec<(&'static str, String)>,
    /// The META tags in the page and in the DOM.
    pub pages: Vec<Vec<Meta>>,
    /// The documents: their locations and their lines.
    pub documents: BTreeMap<&'static str, Vec<String>>,
    pub licences: BTreeMap<&'static str, Rsl>,
}

#[derive(Clone, Debug)]
pub struct Meta {
    pub name: &'static str,
    pub content: &'static str,
    pub is_in_body: bool,
}

impl Meta {
    /// Returns the text by which answers refer to the tag: the content of a directive, or `name: content` for a TDM
    /// reservation.
    pub fn said(&self) -> String {
        if self.name.contains('-') { format!("{}: {}", self.name, self.content) } else { self.content.to_owned() }
    }
}

/// The topic of a site: usages for questions and ACAP, labels, signals, RSL usages, and META directives.
struct Topic {
    usages: &'static [&'static str],
    labels: &'static [&'static str],
    signals: &'static [&'static str],
    licensed: &'static [&'static str],
    words: &'static [&'static str],
}

const TOPICS: [Topic; 4] = [
    Topic {
        usages: &["train-ai", "train-ai", "train-genai", "tdm", "other"],
        labels: &["train-ai", "train-ai", "train-ai", "ai", "genai", "train-genai", "tdm", "all", "bots", "search"],
        signals: &["ai-train", "ai-train", "ai-train", "search", "ai-input"],
        licensed: &["ai-train", "ai-train", "ai-all", "all", "search"],
        words: &["noai", "AllowAITraining", "DisallowAITraining", "AllowAITraining", "noimageai", "noindex"],
    },
    Topic {
        usages: &["ai-input", "ai-input", "other"],
        labels: &["ai-use", "ai-use", "inference", "ai-output", "all", "train-ai"],
        signals: &["ai-input", "ai-input", "use", "use", "ai-train"],
        licensed: &["ai-input", "ai-input", "ai-all", "all", "ai-train"],
        words: &["noai", "noindex", "nosnippet"],
    },
    Topic {
        usages: &["search", "search", "ai-index", "other"],
        labels: &["search", "search", "search", "ai-output", "all", "tdm", "ai-use"],
        signals: &["search", "search", "ai-input"],
        licensed: &["search", "search", "ai-index", "ai-index", "ai-all", "all"],
        words: &["noindex", "noai"],
    },
    Topic {
        usages: &["tdm", "train-ai", "crawl", "index"],
        labels: &["tdm", "all", "train-ai"],
        signals: &["ai-train", "search"],
        licensed: &["all", "ai-train"],
        words: &["noai", "AllowAITraining"],
    },
];
const PATHS: [&str; 14] =
    ["/", "/a", "/a/", "/a/b", "/a/b$", "/*b", "/*/b", "*", "*b", "/%61/", "/A", "/x", "/a/*", "/a*b"];
const URLS: [&str; 5] = [
    "https://site.example/a/b",
    "https://site.example/a/b",
    "https://site.example/a/b",
    "https://site.example/x",
    "https://site.example/%61/b",
];
pub const TDMREP: &str = "/.well-known/tdmrep.json";

/// Generates a site and questions about it.
pub fn site(numbers: &mut Numbers, questions: usize) -> (GenPreferences, Vec<Question>) {
    let topic = &TOPICS[numbers.below(TOPICS.len())];
    let reading = match numbers.below(12) {
        0 => numbers.pick(&[Reading::Google, Reading::GoogleSearch, Reading::Rfc9309]),
        1 => numbers.pick(&[Reading::Bing, Reading::Yandex, Reading::Amazon]),
        _ => Reading::Default,
    };
    let mut generator = Generator { numbers, topic };
    let site = generator.site(reading);
    let asked = (0..questions).map(|_| generator.question(reading)).collect();
    (site, asked)
}

struct Generator<'n> {
    numbers: &'n mut Numbers,
    topic: &'static Topic,
}

impl Generator<'_> {
    fn site(&mut self, reading: Reading) -> GenPreferences {
        let robots = (!self.numbers.one_in(5)).then(|| self.robots());
        let mut headers = Vec::new();
        if self.numbers.one_in(3) {
            for _ in 0..1 + self.numbers.below(3) {
                headers.push(self.header());
            }
        }
        let mut pages = Vec::new();
        if self.numbers.one_in(3) {
            pages.push(self.metas());
            if self.numbers.one_in(2) {
                let dom = if self.numbers.one_in(3) { pages[0].clone() } else { self.metas() };
                pages.push(dom);
            }
        }
        let mut documents = BTreeMap::new();
        for _ in 0..self.numbers.pick(&[0, 0, 1, 1, 2]) {
            let (place, lines) = self.document();
            documents.insert(place, lines);
        }
        let mut licences = BTreeMap::new();
        for _ in 0..self.numbers.pick(&[0, 0, 1, 1, 2]) {
            let place = self.numbers.pick(&["/one.xml", "https://site.example/two.xml", "https://other.example/l.xml"]);
            licences.insert(place, self.licence());
        }
        GenPreferences { reading, robots, headers, pages, documents, licences }
    }

    fn robots(&mut self) -> GenFile {
        let mut lines: Vec<Line> = Vec::new();
        let mut group = 0;
        let mut write = |texts: Vec<String>| {
            group += 1;
            lines.extend(texts.into_iter().map(|text| Line { text, group }));
        };
        if self.numbers.one_in(4) {
            write((0..1 + self.numbers.below(2)).map(|_| self.field()).collect());
        }
        for _ in 0..1 + self.numbers.below(3) {
            if self.numbers.one_in(5) {
                write(vec![format!("ACAP-crawler: {}", self.numbers.pick(&["*", "foo"]))]);
                let verbs = ["allow", "disallow"];
                let fields = (0..1 + self.numbers.below(2)).map(|_| {
                    let (verb, usage) = (self.numbers.pick(&verbs), self.numbers.pick(self.topic.usages));
                    format!("ACAP-{verb}-{usage}: {}", self.numbers.pick(&["/", "/a/", "/x"]))
                });
                write(fields.collect());
                if self.numbers.one_in(4) {
                    write(vec![self.field()]);
                }
                continue;
            }
            for _ in 0..self.numbers.pick(&[1, 1, 1, 2]) {
                write(vec![match self.numbers.below(6) {
                    0 => format!("User-agent-purpose: {}", self.numbers.pick(&["news", "News", "web", "web mail", ""])),
                    _ => format!("User-agent: {}", self.numbers.pick(&["*", "*", "*", "foo", "Foo/1.0", "bar"])),
                }]);
                if self.numbers.one_in(8) {
                    // A field between two `User-agent` lines, which does not end the list of names.
                    write(vec![self.field()]);
                }
            }
            let mut fields = Vec::new();
            for _ in 0..self.numbers.pick(&[1, 2, 2, 3, 4]) {
                fields.push(self.field());
            }
            if self.numbers.one_in(3) {
                let path = self.numbers.pick(&PATHS);
                fields.push(format!("{}: {path}", self.numbers.pick(&["Allow", "Disallow", "Disallow"])));
            }
            write(fields);
        }
        GenFile::new(lines, BTreeMap::new())
    }

    /// Generates a field in one of the dialects.
    fn field(&mut self) -> String {
        match self.numbers.below(10) {
            0..4 => {
                let name = self.numbers.pick(&["Content-Usage", "Content-Usage", "content-usage"]);
                format!("{name}: {}{}", self.path(), self.dictionary())
            }
            4..7 => {
                let name = self.numbers.pick(&["Content-Signal", "Content-signal"]);
                format!("{name}: {}{}", self.path(), self.signals())
            }
            7 | 8 => {
                let name = self.numbers.pick(&["DisallowAITraining", "AllowAITraining", "disallowaitraining"]);
                let path = match self.numbers.below(8) {
                    0 => self.numbers.pick(&["", "a/", "https://site.example/a"]),
                    _ => self.numbers.pick(&PATHS),
                };
                format!("{name}: {path}")
            }
            _ => {
                let place = self.numbers.pick(&[
                    "/one.xml",
                    "https://site.example/one.xml",
                    "/two.xml",
                    "https://other.example/l.xml",
                    "three.xml",
                    "MIT",
                    "see the terms",
                    "",
                ]);
                format!("License: {place}")
            }
        }
    }

    fn path(&mut self) -> String {
        match self.numbers.below(2) {
            0 => String::new(),
            _ => format!("{}{}", self.numbers.pick(&PATHS), self.numbers.pick(&[" ", " ", "  ", "\t"])),
        }
    }

    fn dictionary(&mut self) -> String {
        let members = (0..self.numbers.pick(&[1, 1, 1, 2, 3])).map(|_| {
            let label = self.numbers.pick(self.topic.labels);
            match self.numbers.below(12) {
                0 => format!("{label}{}", self.numbers.pick(&["", "=?0", "=no", "=N", "=\"n\"", "=(n)", "=1", ";x=n"])),
                1 => format!("foo={}", self.numbers.pick(&["y", "n"])),
                2 => format!("{label}={};x=1", self.numbers.pick(&["y", "n"])),
                _ => format!("{label}={}", self.numbers.pick(&["y", "n"])),
            }
        });
        let members: Vec<String> = members.collect();
        let gap = self.numbers.pick(&[", ", ", ", ","]);
        let text = members.join(gap);
        match self.numbers.below(20) {
            0 => format!("{text},"),
            1 => text.to_ascii_uppercase(),
            2 => text.replace(gap, " "),
            3 => format!("{text};"),
            4 => self.numbers.pick(&["", "=", "nothing at all", "train-ai: n", "ツ"]).to_owned(),
            _ => text,
        }
    }

    fn signals(&mut self) -> String {
        let members = (0..self.numbers.pick(&[1, 1, 2, 3])).map(|_| {
            let signal = self.numbers.pick(self.topic.signals);
            let value = match (signal, self.numbers.below(10)) {
                ("use", 0) => self.numbers.pick(&["now", ""]),
                ("use", _) => self.numbers.pick(&["immediate", "reference", "reference", "full", "Reference"]),
                (_, 0) => self.numbers.pick(&["maybe", "n", "", "yes no", "1"]),
                _ => self.numbers.pick(&["yes", "no", "yes", "no", "YES", "No"]),
            };
            match self.numbers.below(20) {
                0 => signal.to_owned(),
                1 => format!("foo={value}"),
                2 => format!("{}={value}", signal.to_ascii_uppercase()),
                _ => format!("{signal}={value}"),
            }
        });
        let members: Vec<String> = members.collect();
        let text = members.join(self.numbers.pick(&[", ", ",", " , "]));
        match self.numbers.below(20) {
            0 => format!("{text},"),
            1 => members.join(" "),
            2 => String::new(),
            _ => text,
        }
    }

    fn header(&mut self) -> (&'static str, String) {
        match self.numbers.below(8) {
            0..3 => {
                let name = self.numbers.pick(&["Content-Usage", "content-usage"]);
                let text = self.dictionary();
                // The semantics do not define the meaning of an empty line.
                (name, if text.is_empty() { "foo=y".to_owned() } else { text })
            }
            3 | 4 => ("Content-Signal", self.signals()),
            5 | 6 => ("TDM-Reservation", self.reservation().to_owned()),
            _ => {
                let place = self.numbers.pick(&["/one.xml", "https://site.example/two.xml", "l.xml"]);
                let kind = self.numbers.pick(&["application/rsl+xml", "application/rsl+xml", "text/html"]);
                ("Link", format!("<{place}>; rel=\"license\"; type=\"{kind}\""))
            }
        }
    }

    fn reservation(&mut self) -> &'static str {
        self.numbers.pick(&["1", "0", "1", "0", "1", "0", " 1 ", "2", "true", "", "1, 0", "01"])
    }

    fn metas(&mut self) -> Vec<Meta> {
        let mut metas = Vec::new();
        for _ in 0..self.numbers.below(3) {
            let name = self.numbers.pick(&["tdm-reservation", "tdm-reservation", "TDM-Reservation", "tdm-policy"]);
            metas.push(Meta { name, content: self.reservation(), is_in_body: self.numbers.one_in(5) });
        }
        if self.numbers.one_in(4) {
            let name = self.numbers.pick(&["robots", "foo", "bar"]);
            metas.push(Meta { name, content: self.numbers.pick(self.topic.words), is_in_body: self.numbers.one_in(5) });
        }
        metas
    }

    fn document(&mut self) -> (&'static str, Vec<String>) {
        match self.numbers.below(6) {
            0..3 => {
                let place = self.numbers.pick(&[
                    TDMREP,
                    TDMREP,
                    "https://site.example/.well-known/tdmrep.json",
                    "https://other.example/.well-known/tdmrep.json",
                ]);
                (place, self.tdmrep())
            }
            3 | 4 => {
                let place = self.numbers.pick(&["/ai.txt", "/ai.txt", "https://other.example/ai.txt"]);
                let mut lines = Vec::new();
                for _ in 0..1 + self.numbers.below(2) {
                    if !self.numbers.one_in(6) {
                        lines.push(format!("User-Agent: {}", self.numbers.pick(&["*", "*", "foo", "bar"])));
                    }
                    for _ in 0..self.numbers.below(4) {
                        let path = self.numbers.pick(&PATHS);
                        lines.push(format!("{}: {path}", self.numbers.pick(&["Allow", "Disallow", "Disalow", "Note"])));
                    }
                }
                (place, lines)
            }
            _ => {
                let place =
                    self.numbers.pick(&["/trust.txt", "/.well-known/trust.txt", "https://other.example/trust.txt"]);
                let lines = (0..1 + self.numbers.below(3)).map(|_| {
                    self.numbers.pick(&[
                        "datatrainingallowed=no",
                        "datatrainingallowed=yes",
                        "DataTrainingAllowed = YES # so",
                        "datatrainingallowed=maybe",
                        "datatrainingallowed=",
                        "#datatrainingallowed=no",
                        "member=https://a.example",
                    ])
                });
                (place, lines.map(str::to_owned).collect())
            }
        }
    }

    /// Generates the lines of a `tdmrep.json`: an array with one rule per line, or text that is not an array.
    fn tdmrep(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..1 + self.numbers.below(4) {
            let location = match self.numbers.below(10) {
                0 => self.numbers.pick(&["null", "7", "\"\"", "\"a/\"", "[\"/\"]"]).to_owned(),
                _ => format!("\"{}\"", self.numbers.pick(&PATHS)),
            };
            let value = self.numbers.pick(&["1", "0", "1", "0", "\"1\"", "\"0\"", "2", "true", "null", "[1]", "\"\""]);
            lines.push(match self.numbers.below(14) {
                0 => self.numbers.pick(&["7", "[]", "\"}, {\"", "null", "{}"]).to_owned(),
                1 => format!("{{\"tdm-reservation\": {value}}}"),
                2 => {
                    format!("{{\"tdm-policy\": \"/p,\\\"]\", \"tdm-reservation\": {value}, \"location\": {location}}}")
                }
                _ => format!("{{\"location\": {location}, \"tdm-reservation\": {value}}}"),
            });
        }
        if self.numbers.one_in(12) {
            lines.push(self.numbers.pick(&["{", "\"", "]", "x"]).to_owned());
        }
        lines
    }

    fn licence(&mut self) -> Rsl {
        let fault =
            self.numbers.pick(&[Fault::None, Fault::None, Fault::None, Fault::None, Fault::CutOff, Fault::NoNamespace]);
        let contents = (0..1 + self.numbers.below(3)).map(|_| {
            let url = match self.numbers.below(10) {
                0 => None,
                1 => Some(""),
                2 => Some(self.numbers.pick(&[
                    "https://site.example/a/",
                    "https://other.example/",
                    "https://site.example",
                    "a/",
                ])),
                _ => Some(self.numbers.pick(&PATHS)),
            };
            let server = self.numbers.one_in(6).then_some("https://lic.example");
            let count = self.numbers.pick(&[0, 1, 1, 1, 2]);
            Content { url, server, licences: (0..count).map(|_| self.terms(fault == Fault::None)).collect() }
        });
        Rsl { contents: contents.collect(), fault }
    }

    fn terms(&mut self, may_be_unknowable: bool) -> Licence {
        let mut licence = Licence::default();
        for _ in 0..self.numbers.pick(&[0, 1, 1, 1, 2]) {
            let count = self.numbers.pick(&[0, 1, 1, 1, 2]);
            let words = (0..count).map(|_| self.licensed()).collect();
            if self.numbers.one_in(2) { licence.permits.push(words) } else { licence.prohibits.push(words) }
        }
        if self.numbers.one_in(4) {
            let (kind, words): (_, &[&str]) = self.numbers.pick(&[
                ("user", &["commercial", "education"] as &[&str]),
                ("geo", &["US", "EU"]),
                ("geo", &["DE"]),
            ]);
            let permits = self.numbers.one_in(2);
            let is_empty = permits && may_be_unknowable && self.numbers.one_in(6);
            licence.terms.push((permits, kind, if is_empty { Vec::new() } else { words.to_vec() }));
        }
        if self.numbers.one_in(4) {
            licence.payment = Some(self.numbers.pick(&["free", "purchase", "use", "attribution"]));
        }
        if self.numbers.one_in(8) {
            licence.reporting = Some("telemetry");
        }
        if may_be_unknowable && self.numbers.one_in(8) {
            licence.unknown =
                Some(self.numbers.pick(&["<until>2026</until>", "<permits type=\"purpose\">x</permits>"]));
        }
        if self.numbers.one_in(8) {
            licence.foreign =
                Some(self.numbers.pick(&["<x:until>2026</x:until>", "<x:permits type=\"usage\">all</x:permits>"]));
        }
        licence
    }

    fn licensed(&mut self) -> &'static str {
        if self.numbers.one_in(10) {
            self.numbers.pick(&["everything", "x:mine"])
        } else {
            self.numbers.pick(self.topic.licensed)
        }
    }

    fn question(&mut self, reading: Reading) -> Question {
        let usage = self.numbers.pick(self.topic.usages);
        let mut question = gen_files::question(self.numbers, self.topic.usages, usage);
        question.reading = reading;
        question.url = self.numbers.pick(&URLS).to_owned();
        question.crawler = self.numbers.pick(&["foo", "foo", "bar", "baz"]).to_owned();
        question.purposes.retain(|purpose| ["news", "web"].contains(&purpose.as_str()));
        question.usage = match self.numbers.below(8) {
            0 => Usage::named(self.numbers.pick(&["search", "tdm", "train-genai", "ai-input", "ai-index", "index"])),
            _ => question.usage,
        };
        if self.numbers.one_in(6) {
            question.user_agent =
                Some(self.numbers.pick(&["foo/1.0 news", "baz/2 (news) web", "x/1; News;"]).to_owned());
        }
        question.capabilities.reads_body_meta = self.numbers.one_in(4);
        question.capabilities.unable.clear();
        question
    }
}
