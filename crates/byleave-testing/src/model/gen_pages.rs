//! Generates sites: a robots.txt, headers, a page and the page after its scripts. All parts of a site are about one
//! topic, so that their statements conflict. Also generates questions about the sites.

use super::gen_files::{self, GenFile};
use super::{Question, gen_html, text};
use crate::generate::Numbers;
use byleave::{Reading, Usage};

#[derive(Clone, Debug)]
pub struct GenSite {
    pub reading: Reading,
    pub robots: GenRobots,
    pub headers: Vec<GenHeader>,
    pub page: Option<GenPage>,
    pub dom: Option<GenPage>,
}

#[derive(Clone, Debug)]
pub enum GenRobots {
    File(GenFile),
    NotThere,
    Failed,
    Unknown,
}

/// A header line. The field name may be in any letter case.
#[derive(Clone, Debug)]
pub struct GenHeader {
    pub name: &'static str,
    /// The members of `Robots-Tag`, whose order does not matter. For other fields, the whole value.
    pub members: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct GenPage {
    pub metas: Vec<Meta>,
    pub parts: Vec<String>,
    /// The seed for variations in the spelling.
    pub style: u64,
}

impl GenPage {
    pub fn written(&self) -> String {
        gen_html::written(&self.metas, &self.parts, self.style)
    }
}

/// A META tag and its position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meta {
    pub name: String,
    pub content: String,
    /// Whether the content is in the `value` attribute, as in the ACAP strawman (S-28).
    pub is_in_value: bool,
    pub place: Where,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Where {
    Head,
    NoscriptInHead,
    Body,
    Template,
}

impl Meta {
    /// Returns whether the tag declares a version or defines a usage.
    pub fn is_no_statement(&self) -> bool {
        let words: Vec<String> = self.content.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
        let is_version = words.len() == 3 && words[..2] == ["acap", "version"] && !words[2].contains("allow-");
        is_version || self.name.to_ascii_lowercase().starts_with("acap-")
    }
}

/// The topic of a site: the usages for ACAP statements and questions, and the directives.
pub struct Topic {
    pub usages: &'static [&'static str],
    pub words: &'static [&'static str],
}

const TOPICS: &[Topic] = &[
    Topic {
        usages: &["index", "index", "other"],
        words: &["noindex", "none", "index", "all", "index", "UNAVAILABLE", "UNAVAILABLE", "nofollow", "noindex"],
    },
    Topic { usages: &["index"], words: &["index", "all", "UNAVAILABLE", "UNAVAILABLE", "indexifembedded"] },
    Topic { usages: &["follow", "other", "follow"], words: &["nofollow", "none", "follow", "all", "follow"] },
    Topic {
        usages: &["present-snippet", "present", "other"],
        words: &["nosnippet", "SNIPPET", "SNIPPET", "SNIPPET", "noarchive"],
    },
    Topic {
        usages: &["present-oldsnippet", "present-snippet", "preserve", "present"],
        words: &["SNIPPET", "SNIPPET", "nosnippet"],
    },
    Topic {
        usages: &["present-currentcopy", "present-oldcopy", "preserve", "present", "other"],
        words: &["noarchive", "nocache", "archive", "archive", "nosnippet"],
    },
    Topic {
        usages: &["present-thumbnail", "present-oldthumbnail", "present"],
        words: &["IMAGE", "IMAGE", "IMAGE", "nosnippet"],
    },
    Topic {
        usages: &["present-video-preview", "index-image", "translate", "other", "present"],
        words: &["VIDEO", "VIDEO", "noimageindex", "notranslate"],
    },
    Topic { usages: &["crawl", "crawl", "other", "index"], words: &["noindex", "all", "index"] },
    Topic { usages: &["train-ai", "tdm", "other", "preserve"], words: &["noai", "noindex", "archive"] },
    Topic {
        usages: &["train-ai", "ai-input", "train-genai", "other"],
        words: &["noai", "noimageai", "noarchive", "nocache", "AllowAITraining", "nosnippet", "SNIPPET", "none"],
    },
];

/// Spellings of one URL. Most questions use the first spelling.
const HERE: [&str; 7] = [
    "https://site.example/a/b",
    "https://site.example/a/b",
    "https://site.example/a/b",
    "HTTPS://Site.Example:443/a/b",
    "https://site.example/%61/b",
    "https://site.example/a/b#part",
    "https://site.example:/a/b",
];
/// More spellings of the URL in `HERE`, for META tags only. A path pattern that matches `HERE` may not match these.
const ALSO_HERE: [&str; 3] =
    ["https://site.example/x/../a/./b", "https://SITE.example/a/b", "https://site.example/a/%62"];
const ELSEWHERE: [&str; 7] = [
    "http://site.example/a/b",
    "https://site.example/a/b/",
    "https://site.example/A/b",
    "https://site.example/a/b?",
    "https://site.example:8443/a/b",
    "https://www.site.example/a/b",
    "https://site.example/a%2Fb",
];
const DATES: [&str; 20] = [
    "2026-01-01",
    "2026-01-02",
    "2025-12-31",
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:01Z",
    "2026-01-02T01:00:00+01:00",
    "01 Jan 2026 00:00:00 GMT",
    "Thu, 01 Jan 2026 23:59:59 GMT",
    "Thursday, 01-Jan-26 00:00:01 UTC",
    "31 Dec 2025 16:00:00 PST",
    "31-Dec-2025 24:00:00 GMT",
    "1 Apr 2026",
    "2027-01-01",
    "01-Jul-26 12:00:00 PDT",
    "01 Apr 2026 00:00 EDT",
    "31 Dec 2025 19:00:00 -0500",
    "Wed, 01 Apr 2026 00:00:00 +0000",
    "soon",
    "2026-02-30",
    "31 Feb 2026 00:00:00 GMT",
];
const META_NAMES: [&str; 12] =
    ["robots", "robots", "robots", "robots", "ROBOTS", "Robots", "foo", "foo", "FOO", "Foo/1.0", "bar", "foo bot"];

/// The state while a site is being generated.
pub struct Generator<'n> {
    pub numbers: &'n mut Numbers,
    pub topic: &'static Topic,
    /// Whether to generate only text without deviations from the syntax, for the reading `strict`.
    pub is_clean: bool,
}

/// Generates a site and questions about it.
pub fn site(numbers: &mut Numbers, questions: usize) -> (GenSite, Vec<Question>) {
    let topic = &TOPICS[numbers.below(TOPICS.len())];
    let reading = match numbers.below(4) {
        0 => numbers.pick(&[Reading::GoogleSearch, Reading::Bing, Reading::Yandex, Reading::Amazon]),
        _ => gen_files::reading(numbers),
    };
    let mut generator = Generator { numbers, topic, is_clean: reading == Reading::Strict };
    let site = generator.site(reading);
    let asked = (0..questions).map(|_| generator.question(reading)).collect();
    (site, asked)
}

impl Generator<'_> {
    fn site(&mut self, reading: Reading) -> GenSite {
        let robots = match self.numbers.below(12) {
            0 => GenRobots::NotThere,
            1 => GenRobots::Failed,
            2 | 3 => GenRobots::Unknown,
            _ if self.is_clean => GenRobots::File(gen_files::clean_file(self.numbers, self.topic.usages)),
            _ => GenRobots::File(self.file()),
        };
        let headers = if self.numbers.one_in(2) { self.headers() } else { Vec::new() };
        let page = (!self.numbers.one_in(6)).then(|| self.page());
        let dom = page.as_ref().filter(|_| self.numbers.one_in(3)).cloned().map(|page| self.after_scripts(page));
        GenSite { reading, robots, headers, page, dom }
    }

    pub fn file(&mut self) -> GenFile {
        let mut file = gen_files::file_about(self.numbers, self.topic.usages);
        // The semantics do not define whether a page's own META tags apply if the page names itself as the resource to
        // credit.
        for line in file.lines.iter_mut().chain(file.references.values_mut().flatten()) {
            line.text = line.text.replace("credit:/a/b", "credit:/a/x");
        }
        file
    }

    fn page(&mut self) -> GenPage {
        let mut metas = Vec::new();
        if self.numbers.one_in(4) {
            metas.push(self.version());
            if !self.is_clean && self.numbers.one_in(3) {
                metas.push(self.version());
            }
        }
        for _ in 0..self.numbers.pick(&[0, 1, 1, 2, 2, 3, 4, 5]) {
            metas.push(self.acap());
        }
        for _ in 0..self.numbers.pick(&[0, 0, 1, 1, 2]) {
            metas.push(self.conventional());
        }
        if !self.is_clean && self.numbers.one_in(4) {
            metas.extend(self.siblings());
        }
        if !self.is_clean && self.numbers.one_in(6) {
            metas.extend(self.definitions());
        }
        self.numbers.shuffle(&mut metas);
        let parts = ["id:i", "id:by"].into_iter().filter(|_| !self.numbers.one_in(3)).map(str::to_owned).collect();
        GenPage { metas, parts, style: self.style() }
    }

    pub fn style(&mut self) -> u64 {
        self.numbers.below(1 << 40) as u64
    }

    /// Returns the page after its scripts have run. They removed META tags, added some, or changed nothing.
    fn after_scripts(&mut self, mut page: GenPage) -> GenPage {
        if self.numbers.one_in(3) && !page.metas.is_empty() {
            let at = self.numbers.below(page.metas.len());
            page.metas.remove(at);
        }
        if self.numbers.one_in(3) {
            let meta = if self.numbers.one_in(2) { self.acap() } else { self.conventional() };
            page.metas.push(meta);
        }
        if self.numbers.one_in(4) {
            page.metas.clear();
            page.metas.push(self.acap());
        }
        self.numbers.shuffle(&mut page.metas);
        GenPage { style: self.style(), ..page }
    }

    pub fn meta(&mut self, content: String) -> Meta {
        let name = match self.is_clean {
            true => self.numbers.pick(&["robots", "robots", "foo"]),
            false => self.numbers.pick(&META_NAMES),
        };
        let place = match self.numbers.below(12) {
            _ if self.is_clean => Where::Head,
            0 => Where::NoscriptInHead,
            1 | 3 => Where::Body,
            2 if self.numbers.one_in(2) => Where::Template,
            _ => Where::Head,
        };
        Meta { name: name.to_owned(), content: self.disguised(content), is_in_value: false, place }
    }

    /// Returns the content with extra white space or in a different case.
    fn disguised(&mut self, content: String) -> String {
        if self.is_clean {
            return content;
        }
        match self.numbers.below(12) {
            0 => content.replacen(' ', "\n   ", 1),
            1 => format!(" {content}\t"),
            2 if !content.contains("://") => content.to_ascii_uppercase(),
            3 if !content.contains("://") => content.to_ascii_lowercase(),
            _ => content,
        }
    }

    pub fn version(&mut self) -> Meta {
        let number = self.numbers.pick(&["1.0", "1.1", "1.1", "1.1", "1.1", "1.2", "1.10", "2.0"]);
        if self.is_clean {
            let content = format!("ACAP version {}", if number == "1.0" { number } else { "1.1" });
            return Meta { name: "robots".to_owned(), ..self.meta(content) };
        }
        let word = self.numbers.pick(&["Version", "version"]);
        self.meta(format!("ACAP {word} {number}"))
    }

    /// Generates a permission or prohibition.
    pub fn acap(&mut self) -> Meta {
        let purpose = match self.numbers.below(12) {
            0 | 1 => "news ",
            2 => self.numbers.pick(&["web ", "News ", "ne* ", "http://p.example/ ", "version ", "web news "]),
            _ => "",
        };
        if self.is_clean {
            let statement = gen_files::clean_statement(self.numbers, self.topic.usages);
            let purpose = if purpose.is_empty() { "" } else { "news " };
            return self.meta(format!("ACAP {purpose}{statement}"));
        }
        let permits = self.numbers.below(5) < 3;
        let verb = if permits { "allow" } else { "disallow" };
        if self.numbers.one_in(12) {
            let local = self.numbers.pick(&["(m)", "(n)", "(m)", "(nope)", "(q)"]);
            return self.meta(format!("ACAP {purpose}{verb}-{local}"));
        }
        let usage = self.usage();
        let mut content = format!("ACAP {purpose}{verb}-{usage}");
        if self.numbers.one_in(if permits { 3 } else { 12 }) {
            let qualifiers = gen_files::qualifiers(self.numbers, usage).replace("credit:/a/b", "credit:/a/x");
            content.push_str(&qualifiers);
        }
        if self.numbers.one_in(if permits { 4 } else { 20 }) {
            for _ in 0..self.numbers.pick(&[1, 1, 1, 2]) {
                let name = self.numbers.pick(&["location", "location", "location", "Location"]);
                let location = self.location();
                content.push_str(&format!(" {name}={location}"));
            }
        }
        if self.numbers.one_in(25) {
            content.push_str(" id-list= i by");
        } else if self.numbers.one_in(25) {
            // Several statements in one tag, or a statement with an invalid ending. A comma after a URI would be part
            // of the URI.
            let usage = self.usage();
            let ends: &[&str] = match content.contains('=') {
                true => &[", ACAP disallow-X", " disallow-X", " allow-X"],
                false => &[", ACAP disallow-X", ",allow-X", ",disallow-X", ",", ";"],
            };
            content.push_str(&self.numbers.pick(ends).replace('X', usage));
        }
        self.meta(content)
    }

    /// Generates several permissions for one usage, addressee and purpose, with different locations or conditions. Also
    /// generates a more general permission that conflicts with them.
    fn siblings(&mut self) -> Vec<Meta> {
        let usage = self.numbers.pick(self.topic.usages);
        let purpose = self.numbers.pick(&["", "", "news "]);
        let has_locations = self.numbers.one_in(2);
        let name = self.numbers.pick(&["robots", "foo"]);
        let mut metas = Vec::new();
        for _ in 0..2 + self.numbers.below(2) {
            let rest = match has_locations {
                true => format!(" location={}", self.location()),
                false if self.numbers.one_in(2) => gen_files::qualifiers(self.numbers, usage),
                false => String::new(),
            };
            let content = format!("ACAP {purpose}allow-{usage}{}", rest.replace("credit:/a/b", "credit:/a/x"));
            metas.push(Meta { name: name.to_owned(), place: Where::Head, ..self.meta(content) });
        }
        if self.numbers.one_in(2) {
            let qualifiers = gen_files::qualifiers(self.numbers, usage).replace("credit:/a/b", "credit:/a/x");
            metas.push(self.meta(format!("ACAP allow-{usage}{qualifiers}")));
        }
        metas
    }

    fn usage(&mut self) -> &'static str {
        match self.numbers.below(20) {
            0 => Usage::NAMED[self.numbers.below(14)].name(),
            1 => self.numbers.pick(&["present-hologram", "tdm", "crawl"]),
            _ => self.numbers.pick(self.topic.usages),
        }
    }

    fn location(&mut self) -> &'static str {
        match self.numbers.below(8) {
            0..4 => self.numbers.pick(&HERE),
            4 => self.numbers.pick(&ALSO_HERE),
            _ => self.numbers.pick(&ELSEWHERE),
        }
    }

    /// Generates definitions as in the ACAP strawman. Each name is defined once.
    pub fn definitions(&mut self) -> Vec<Meta> {
        let usage = self.usage();
        let qualifiers = gen_files::qualifiers(self.numbers, usage).replace("credit:/a/b", "credit:/a/x");
        let other = self.usage();
        let second = match self.numbers.below(2) {
            0 => ("ACAP-composite-usage", format!("n {other} (m)")),
            _ => ("ACAP-Qualified-Usage", format!("N {other} time-limit=until-2026-03-31")),
        };
        // A member is not repeated, because a second permission for it would change nothing.
        let second = if other == usage { ("ACAP-composite-usage", "n (m)".to_owned()) } else { second };
        let mut metas = Vec::new();
        for (name, definition) in [("ACAP-qualified-usage", format!("m {usage}{qualifiers}")), second] {
            let acap = self.numbers.pick(&["", "ACAP "]);
            let place = self.numbers.pick(&[Where::Head, Where::Head, Where::Head, Where::Body]);
            metas.push(Meta {
                name: name.to_owned(),
                content: format!("{acap}{definition}"),
                is_in_value: self.numbers.one_in(2),
                place,
            });
        }
        for _ in 0..self.numbers.below(3) {
            let statement = self.numbers.pick(&["allow-(m)", "allow-(n)", "disallow-(m)"]);
            metas.push(self.meta(format!("ACAP {statement}")));
        }
        metas
    }

    /// Generates a META tag with directives.
    pub fn conventional(&mut self) -> Meta {
        let gap = match self.is_clean {
            true => ", ",
            false => self.numbers.pick(&[", ", ", ", ",", " ", " , ", ",,"]),
        };
        let words: Vec<String> = (0..self.numbers.pick(&[1, 1, 2, 3])).map(|_| self.word(": ")).collect();
        // Separates directives with commas, because a date contains blanks and ends at a comma.
        let gap = if words.iter().any(|word| word.contains("unavailable")) { ", " } else { gap };
        self.meta(words.join(gap))
    }

    /// Generates a directive for the topic. Its value follows the given separator.
    pub fn word(&mut self, mark: &str) -> String {
        let colon = if mark == ": " && !self.is_clean { self.numbers.pick(&[":", ": ", " : "]) } else { mark };
        let (name, value) = match self.numbers.pick(self.topic.words) {
            "SNIPPET" => ("max-snippet", self.numbers.pick(&["5", "10", "10", "20", "010", "0", "-1", "-5", "ten"])),
            "IMAGE" => ("max-image-preview", self.numbers.pick(&["none", "standard", "Standard", "large", "huge"])),
            "VIDEO" => ("max-video-preview", self.numbers.pick(&["0", "7", "30", "-1", "x"])),
            "UNAVAILABLE" => {
                let date = self.numbers.pick(&DATES);
                return match mark {
                    "=" => format!("unavailable_after=\"{date}\""),
                    _ => format!("unavailable_after{}{date}", colon.trim_start()),
                };
            }
            word => return word.to_owned(),
        };
        match mark {
            // Other tests cover leading zeros and letter case in structured fields.
            "=" if value == "010" => format!("{name}=10"),
            _ => format!("{name}{colon}{value}"),
        }
    }

    pub fn question(&mut self, reading: Reading) -> Question {
        let usage = self.numbers.pick(self.topic.usages);
        let mut question = gen_files::question(self.numbers, self.topic.usages, usage);
        question.reading = reading;
        question.url = match self.is_clean {
            true => HERE[0].to_owned(),
            false => self.numbers.pick(&HERE).to_owned(),
        };
        let start = text::instant("2026-01-01T00:00:00Z").expect("a time");
        question.at =
            start + self.numbers.pick(&[0, 0, 1, -1, 86_399, 86_400, 90 * text::DAY, 90 * text::DAY + 14_400]);
        question.crawler = match reading {
            Reading::Default => self.numbers.pick(&["foo", "foo", "foo", "foo", "bar", "Foo/2.1", "Foo Bot"]),
            _ => self.numbers.pick(&["foo", "foo", "bar"]),
        }
        .to_owned();
        question.purposes.retain(|purpose| ["news", "web"].contains(&purpose.as_str()));
        question.capabilities.reads_body_meta = self.numbers.one_in(3);
        question.capabilities.reads_strawman = self.numbers.one_in(3);
        if self.numbers.one_in(8) {
            let unable = self.numbers.pick(&["max-length", "max-length", "location", "time-limit"]);
            question.capabilities.unable = vec![unable.to_owned()];
        }
        question
    }
}
