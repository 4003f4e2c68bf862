//! Generates pages with statements on elements, and questions about the elements. The markup changes which content a
//! statement covers: missing or misordered end tags, content moved out of tables, formatting elements that the parser
//! repeats, templates, and foreign content.

use super::Question;
use super::gen_files::GenFile;
use super::gen_pages::{GenHeader, GenRobots, GenSite, Generator, Meta, Topic, Where};
use crate::generate::Numbers;
use byleave::Reading;

/// A site whose page is stored as a list of tags.
#[derive(Clone, Debug)]
pub struct GenElements {
    /// The site without a page.
    pub site: GenSite,
    pub page: Markup,
    pub dom: Option<Markup>,
}

#[derive(Clone, Debug)]
pub struct Markup {
    pub html: Tag,
    pub head: Tag,
    pub in_head: Vec<Piece>,
    pub body: Tag,
    pub in_body: Vec<Piece>,
}

#[derive(Clone, Debug)]
pub enum Piece {
    Start(Tag),
    End(&'static str),
    Meta(Meta),
    /// Text, written without changes.
    Text(&'static str),
}

#[derive(Clone, Debug, Default)]
pub struct Tag {
    pub name: &'static str,
    pub id: Option<&'static str>,
    pub classes: Vec<String>,
    /// Other attributes, written without changes.
    pub attributes: Vec<&'static str>,
    /// The seed for variations in the spelling.
    pub style: u64,
}

/// The style without variations.
pub const PLAINLY: u64 = 0;

impl GenElements {
    pub fn markups(&mut self) -> impl Iterator<Item = &mut Markup> {
        [&mut self.page].into_iter().chain(&mut self.dom)
    }
}

impl Markup {
    pub fn written(&self) -> String {
        let mut text = "<!DOCTYPE html>".to_owned();
        text.push_str(&self.html.written());
        text.push_str(&self.head.written());
        self.in_head.iter().for_each(|piece| text.push_str(&piece.written()));
        text.push_str("</head>");
        text.push_str(&self.body.written());
        self.in_body.iter().for_each(|piece| text.push_str(&piece.written()));
        text
    }

    pub fn pieces(&mut self) -> [&mut Vec<Piece>; 2] {
        [&mut self.in_head, &mut self.in_body]
    }

    pub fn tags(&mut self) -> impl Iterator<Item = &mut Tag> {
        let inner = self.in_body.iter_mut().filter_map(|piece| match piece {
            Piece::Start(tag) => Some(tag),
            Piece::End(_) | Piece::Meta(_) | Piece::Text(_) => None,
        });
        [&mut self.html, &mut self.body].into_iter().chain(inner)
    }
}

impl Piece {
    fn written(&self) -> String {
        match self {
            Self::Start(tag) => tag.written(),
            Self::End(name) => format!("</{name}>"),
            Self::Text(text) => (*text).to_owned(),
            Self::Meta(meta) => {
                let escaped = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;");
                let content = if meta.is_in_value { "value" } else { "content" };
                let tag = format!("<meta name=\"{}\" {content}=\"{}\">", escaped(&meta.name), escaped(&meta.content));
                match meta.place {
                    Where::Head | Where::Body => tag,
                    Where::NoscriptInHead => format!("<noscript>{tag}</noscript>"),
                    Where::Template => format!("<template>{tag}</template>"),
                }
            }
        }
    }
}

impl Tag {
    fn written(&self) -> String {
        if self.style == PLAINLY {
            let id = self.id.map(|id| format!(" id={id}")).unwrap_or_default();
            let rest: String = self.attributes.iter().map(|attribute| format!(" {attribute}")).collect();
            return format!("<{}{id} class=\"{}\"{rest}>", self.name, self.classes.join(" "))
                .replace(" class=\"\"", "");
        }
        let mut numbers = Numbers::new(self.style);
        let mut attributes: Vec<String> = self.attributes.iter().map(|attribute| (*attribute).to_owned()).collect();
        attributes.extend(self.id.map(|id| format!("id={id}")));
        if !self.classes.is_empty() {
            attributes.push(classes(&self.classes, &mut numbers));
        }
        numbers.shuffle(&mut attributes);
        if numbers.one_in(12) && !self.classes.is_empty() {
            // The first of several attributes with the same name applies.
            attributes.push("class='the-acap:disallow-index robots-noindex lead'".to_owned());
        }
        let name = if numbers.one_in(8) { self.name.to_ascii_uppercase() } else { self.name.to_owned() };
        let gap = numbers.pick(&[" ", " ", "\n", "\t "]);
        let attributes: String = attributes.into_iter().map(|attribute| format!("{gap}{attribute}")).collect();
        format!("<{name}{attributes}>")
    }
}

/// Returns the `class` attribute. Letters and blanks may be written as character references.
fn classes(classes: &[String], numbers: &mut Numbers) -> String {
    let gap = numbers.pick(&[" ", " ", " ", "  ", "\n\t", "&#32;", "&Tab;", "\u{c}"]);
    let is_coded = numbers.one_in(4);
    let mut coded = |class: &String| -> String {
        let code = |letter: char| match is_coded && letter.is_ascii_alphanumeric() && numbers.one_in(5) {
            true if numbers.one_in(2) => format!("&#{};", u32::from(letter)),
            true => format!("&#x{:X};", u32::from(letter)),
            false => letter.to_string(),
        };
        class.chars().map(code).collect()
    };
    let value = classes.iter().map(&mut coded).collect::<Vec<String>>().join(gap);
    let is_bare = value.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-:()&#;".contains(&octet));
    let name = numbers.pick(&["class", "class", "class", "CLASS"]);
    match numbers.below(3) {
        0 if is_bare => format!("{name}={value}"),
        1 => format!("{name}=' {value}'"),
        _ => format!("{name}=\"{value}\""),
    }
}

const TOPICS: [Topic; 8] = [
    Topic { usages: &["index"], words: &["index", "index", "nofollow", "noindex"] },
    Topic { usages: &["index", "index", "other"], words: &["nofollow", "index", "nosnippet"] },
    Topic { usages: &["follow", "follow", "other"], words: &["follow", "noindex", "nofollow"] },
    Topic { usages: &["present-snippet", "present", "other"], words: &["SNIPPET", "noindex", "SNIPPET"] },
    Topic {
        usages: &["present-currentcopy", "present-oldcopy", "preserve", "present"],
        words: &["archive", "noindex", "noarchive"],
    },
    Topic { usages: &["anchor-text", "index", "other"], words: &["noindex", "index"] },
    Topic { usages: &["train-ai", "ai-input", "tdm", "other"], words: &["noai", "noindex"] },
    Topic { usages: &["crawl", "other", "index"], words: &["noindex", "all"] },
];

const IDS: [&str; 9] = ["a", "b", "c", "i", "by", "A", "d", "e", "f"];
const PLAIN: [&str; 5] = ["lead", "x", "Lead", "abstract", "x"];
/// Classes that make no statement.
const DECOYS: [&str; 11] = [
    "robots-none",
    "noindex",
    "nofollow",
    "the-acap:index",
    "the-acap:",
    "acap:disallow",
    "ACAP-disallow-index",
    "x-the-acap:disallow-index",
    "robots-noindexed",
    "the-acap:disallowindex",
    "robots:noindex",
];
const PROFILE: &str = "profile=\"http://example.org/xmdp/robots-profile#\"";
const PROFILES: [&str; 6] = [
    PROFILE,
    PROFILE,
    "profile=http://example.org/xmdp/robots-profile",
    "PROFILE='http://else.example/ http://example.org/xmdp/robots-profile#'",
    "profile=\"https://example.org/xmdp/robots-profile#\"",
    "profile=\"http://example.org/xmdp/robots-profile#x\"",
];
const LINKS: [&str; 6] = [
    "<link rel=profile href=\"http://example.org/xmdp/robots-profile#\">",
    "<LINK REL=\"Profile\" HREF=\"http://example.org/xmdp/robots-profile\">",
    "<link href='http://example.org/xmdp/robots-profile#' rel='alternate profile'>",
    "<link rel=stylesheet href=\"http://example.org/xmdp/robots-profile#\">",
    "<template><link rel=profile href=\"http://example.org/xmdp/robots-profile#\"></template>",
    "<!-- <link rel=profile href=\"http://example.org/xmdp/robots-profile#\"> -->",
];
const RELS: [&str; 10] = [
    "rel=ugc",
    "rel='noopener Sponsored'",
    "rel=nofollow",
    "rel=\"NoFollow\"",
    "REL='external nofollow'",
    "rel=\"no&#102;ollow ugc\"",
    "rel=follow",
    "rel=nofollowing",
    "rel=noreferrer",
    "rel=no-follow",
];
/// A tag with a class that is only text, because it is inside `textarea`. Within SVG, however, `textarea` is an
/// ordinary element, so the tag is real.
pub const SEEMING: &str = "<textarea></div><p class=the-acap:disallow-index></textarea>";
pub const SEEMING_WITHOUT_CLASS: &str = "<textarea></div><p class=plain></textarea>";
/// Text, and markup whose content looks like tags.
const TEXTS: [&str; 9] = [
    "text",
    "text",
    " ",
    "<br>",
    "<!-- </div><p class=the-acap:disallow-index> -->",
    SEEMING,
    "<script>'</div>'</script>",
    "</p>",
    "<hr>",
];
/// Names of elements. In HTML parsing, a tag can close or move other elements of its row.
const NAMES: [&[&str]; 10] = [
    &["div", "p", "span", "section", "div"],
    &["ul", "li", "li", "li", "p", "div"],
    &["p", "p", "p", "div", "b", "h2"],
    &["table", "tr", "td", "td", "div", "p", "tbody", "caption"],
    &["b", "i", "a", "p", "div", "a", "b"],
    &["dl", "dt", "dd", "dd", "p"],
    &["select", "option", "option", "optgroup", "div"],
    &["svg", "g", "foreignObject", "p", "desc", "a", "math"],
    &["template", "div", "noscript", "p", "button", "button"],
    &["ruby", "rt", "rp", "form", "form", "nobr", "nobr", "div"],
];

const LINKING: &[&str] = &["a", "a", "a", "p", "area"];

/// Generates a site and questions about it.
pub fn site(numbers: &mut Numbers, questions: usize) -> (GenElements, Vec<Question>) {
    let topic = &TOPICS[numbers.below(TOPICS.len())];
    let reading = match numbers.below(20) {
        0 => Reading::Rfc9309,
        1 => Reading::Google,
        2 => Reading::GoogleSearch,
        3 => Reading::Bing,
        _ => Reading::Default,
    };
    let mut generator = Generator { numbers, topic, is_clean: false };
    let site = generator.site_with_elements(reading);
    let asked = (0..questions).map(|_| generator.question_of_element(reading, &site.page)).collect();
    (site, asked)
}

impl Generator<'_> {
    fn site_with_elements(&mut self, reading: Reading) -> GenElements {
        let robots = match self.numbers.below(8) {
            0 => GenRobots::NotThere,
            1 if self.numbers.one_in(3) => GenRobots::Failed,
            1..4 => GenRobots::Unknown,
            _ => GenRobots::File(self.file_with_targets()),
        };
        let headers: Vec<GenHeader> = if self.numbers.one_in(6) { self.headers() } else { Vec::new() };
        let page = self.markup();
        let dom = self.numbers.one_in(4).then(|| self.markup_after_scripts(&page));
        GenElements { site: GenSite { reading, robots, headers, page: None, dom: None }, page, dom }
    }

    fn file_with_targets(&mut self) -> GenFile {
        let mut file = self.file();
        for line in &mut file.lines {
            line.text = self.with_target(&line.text);
        }
        file
    }

    /// Returns the statement. If its condition names `extract:id:i`, the target may be replaced by another part of the
    /// page.
    fn with_target(&mut self, statement: &str) -> String {
        let target = self.numbers.pick(&["id:i", "id:i", "id:a", "id:B", "class:lead", "Class:x", "meta:Description"]);
        statement.replace("extract:id:i", &format!("extract:{target}"))
    }

    fn markup(&mut self) -> Markup {
        let mut head = Tag { name: "head", style: self.style(), ..Tag::default() };
        let mut in_head = Vec::new();
        if self.numbers.one_in(2) {
            head.attributes.push(self.numbers.pick(&PROFILES));
        }
        if self.numbers.one_in(3) {
            in_head.push(Piece::Text(self.numbers.pick(&LINKS)));
        }
        if self.numbers.one_in(6) {
            in_head.push(Piece::Text("<meta name=description content=short>"));
        }
        let has_fragments = self.numbers.one_in(4);
        let mut in_body = self.body(has_fragments);
        for meta in self.metas(has_fragments) {
            match meta.place {
                Where::Body => in_body.insert(self.numbers.below(in_body.len() + 1), Piece::Meta(meta)),
                Where::Head | Where::NoscriptInHead | Where::Template => in_head.push(Piece::Meta(meta)),
            }
        }
        Markup { html: self.outer("html"), head, in_head, body: self.outer("body"), in_body }
    }

    fn metas(&mut self, has_fragments: bool) -> Vec<Meta> {
        let mut metas = Vec::new();
        for _ in 0..self.numbers.pick(&[0, 0, 1, 1, 2]) {
            metas.push(self.acap());
        }
        if self.numbers.one_in(4) {
            metas.push(self.conventional());
        }
        if self.numbers.one_in(8) {
            metas.push(self.version());
        }
        if self.numbers.one_in(6) {
            metas.extend(self.definitions());
        }
        if self.numbers.one_in(4) {
            let usage = self.numbers.pick(self.topic.usages);
            let duty = match usage {
                "index" => "must-use-resource=the-acap:extract:id:i",
                _ => "must-include-resource=the-acap:credit:class:lead",
            };
            metas.push(Meta { place: Where::Head, ..self.meta(format!("ACAP allow-{usage} {duty}")) });
        }
        for meta in &mut metas {
            meta.content = self.with_target(&meta.content);
        }
        if !has_fragments {
            metas.retain(|meta| !meta.content.to_ascii_lowercase().contains("id-list"));
            return metas;
        }
        for _ in 0..1 + self.numbers.below(2) {
            let usage = self.numbers.pick(self.topic.usages);
            let purpose = self.numbers.pick(&["", "", "", "news "]);
            let ids =
                self.numbers.pick(&["= a", "=a b i", "= a b c d", "= i nosuch by", "=by A d", " = c i A", "= d e a"]);
            let rest = match usage {
                "index" | "present" | "present-snippet" | "preserve" => {
                    self.numbers.pick(&["", "", " time-limit=until-2026-01-01", " time-limit=soon", " odd=1"])
                }
                _ => self.numbers.pick(&["", "", "", " odd=1"]),
            };
            let list = self.numbers.pick(&["id-list", "id-list", "ID-List"]);
            // The letter case stays as it is, because ids are case-sensitive.
            let name = self.numbers.pick(&["robots", "robots", "foo", "bar"]).to_owned();
            let place = self.numbers.pick(&[Where::Head, Where::Head, Where::Head, Where::Body]);
            let content = format!("ACAP {purpose}allow-{usage} {list}{ids}{rest}");
            metas.push(Meta { name, content, is_in_value: false, place });
        }
        metas
    }

    fn outer(&mut self, name: &'static str) -> Tag {
        let mut tag = Tag { name, style: self.style(), ..Tag::default() };
        if self.numbers.one_in(5) {
            tag.classes = self.classes();
        }
        if self.numbers.one_in(6) {
            tag.id = Some(if name == "html" { "f" } else { "e" });
        }
        tag
    }

    fn body(&mut self, has_fragments: bool) -> Vec<Piece> {
        let mut rows = [self.numbers.pick(&NAMES), self.numbers.pick(&NAMES)];
        if self.topic.usages.contains(&"follow") {
            rows[1] = LINKING;
        }
        // A page may contain the same id twice. Questions may ask about that id.
        let mut ids = IDS[..7].to_vec();
        self.numbers.shuffle(&mut ids);
        let mut open: Vec<&'static str> = Vec::new();
        let mut pieces = Vec::new();
        for _ in 0..3 + self.numbers.below(12) {
            match self.numbers.below(10) {
                0..6 => {
                    let row = self.numbers.pick(&[rows[0], rows[0], rows[1]]);
                    let id = match has_fragments {
                        true => ids.pop(),
                        false => Some(self.numbers.pick(&IDS[..6])),
                    };
                    let name = self.numbers.pick(row);
                    let tag = self.tag(name, id);
                    open.push(tag.name);
                    pieces.push(Piece::Start(tag));
                }
                6 => pieces.push(Piece::Text(self.numbers.pick(&TEXTS))),
                7 if !open.is_empty() => {
                    // An end tag that is out of order or repeated.
                    pieces.push(Piece::End(self.numbers.pick(&open)));
                }
                8 if self.numbers.one_in(6) => {
                    let name = self.numbers.pick(&["body", "html"]);
                    let tag = self.outer(name);
                    pieces.push(Piece::Start(tag));
                }
                9 if self.numbers.one_in(6) => pieces.push(Piece::End(self.numbers.pick(&["body", "html", "p", "br"]))),
                _ => pieces.extend(open.pop().map(Piece::End)),
            }
        }
        pieces
    }

    fn tag(&mut self, name: &'static str, id: Option<&'static str>) -> Tag {
        let mut tag = Tag { name, style: self.style(), ..Tag::default() };
        if self.numbers.below(5) < 3 {
            tag.id = id;
        }
        if self.numbers.below(3) < 2 {
            tag.classes = self.classes();
        }
        let is_link = ["a", "area"].contains(&name);
        if is_link {
            tag.attributes.push(self.numbers.pick(&["href=/x", "HREF=\"/y\""]));
        }
        if self.numbers.one_in(12) {
            tag.attributes.push(self.numbers.pick(&["data-nosnippet", "DATA-NoSnippet=false", "data-nosnippets"]));
        }
        if (is_link && self.numbers.below(3) < 2) || self.numbers.one_in(20) {
            tag.attributes.push(self.numbers.pick(&RELS));
        }
        tag
    }

    fn classes(&mut self) -> Vec<String> {
        (0..self.numbers.pick(&[1, 1, 1, 2, 2, 3])).map(|_| self.class()).collect()
    }

    fn class(&mut self) -> String {
        let class = match self.numbers.below(12) {
            0 => return self.numbers.pick(&PLAIN).to_owned(),
            1 => return self.numbers.pick(&DECOYS).to_owned(),
            2 if self.numbers.one_in(3) => "robots-nocontent".to_owned(),
            2..6 => {
                let no = self.numbers.pick(&["", "no", "no"]);
                let axis = match self.numbers.pick(self.topic.usages) {
                    _ if self.numbers.one_in(5) => self.numbers.pick(&["follow", "index", "anchortext", "archive"]),
                    "follow" => "follow",
                    "anchor-text" => "anchortext",
                    "present-currentcopy" | "present-oldcopy" => "archive",
                    _ => "index",
                };
                format!("robots-{no}{axis}")
            }
            _ => {
                let prefix = self.numbers.pick(&["the-acap:", "the-acap:", "the-acap:", "acap:"]);
                let verb = self.numbers.pick(&["allow", "allow", "disallow"]);
                let usage = match self.numbers.below(10) {
                    0 => self.numbers.pick(&["(q)", "(m)", "(m)", "(N)", "(c)", "(nope)"]),
                    1 => self.numbers.pick(&["present-hologram", "crawl", "present", "other", "follow", "train-genai"]),
                    _ => self.numbers.pick(self.topic.usages),
                };
                let behind = match self.numbers.below(40) {
                    0 => self.numbers.pick(&["/x", "=1", "!important", ".", ",", ":"]),
                    1 => {
                        self.numbers.pick(&[",the-acap:disallow-follow", ";acap:allow-index", ",disallow-index", ",x"])
                    }
                    _ => "",
                };
                format!("{prefix}{verb}-{usage}{behind}")
            }
        };
        match self.numbers.below(8) {
            0 => class.to_ascii_uppercase(),
            1 => class.replace("acap", "Acap").replace("no", "No").replace("allow", "Allow"),
            _ => class,
        }
    }

    /// Returns the markup after scripts have run. They removed classes and tags, added some, or changed nothing.
    fn markup_after_scripts(&mut self, page: &Markup) -> Markup {
        let mut markup = page.clone();
        for tag in markup.tags().filter(|_| self.numbers.one_in(4)) {
            tag.classes.pop();
        }
        for tag in markup.tags() {
            if self.numbers.one_in(8) {
                tag.classes.push(self.class());
            }
        }
        if self.numbers.one_in(3) && !markup.in_body.is_empty() {
            markup.in_body.remove(self.numbers.below(markup.in_body.len()));
        }
        if self.numbers.one_in(5) {
            markup.head.attributes.clear();
        }
        markup
    }

    fn question_of_element(&mut self, reading: Reading, page: &Markup) -> Question {
        let mut question = self.question(reading);
        let has_fragments = page.in_head.iter().any(|piece| piece.written().to_ascii_lowercase().contains("id-list"));
        let ids: Vec<&'static str> = page.clone().tags().filter_map(|tag| tag.id).collect();
        let element = match self.numbers.below(16) {
            0..2 => None,
            2 => Some(self.numbers.pick(&[".lead", ".x"]).to_owned()),
            3 => Some(self.numbers.pick(&["#nosuch", ".nosuch", "#e", "#f", ".Lead", "#A"]).to_owned()),
            _ if ids.is_empty() => Some("#a".to_owned()),
            _ => Some(format!("#{}", self.numbers.pick(&ids))),
        };
        question.element = element;
        question.capabilities.lacks_element_level = self.numbers.one_in(8);
        question.capabilities.reads_strawman = self.numbers.below(3) < if has_fragments { 2 } else { 1 };
        question.capabilities.reads_body_meta = self.numbers.one_in(4);
        question
    }
}
