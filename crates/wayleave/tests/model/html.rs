//! Pages as HTML: written in many ways from their METAs, and read back if they are as simple as those written
//! here. Nothing in this file knows HTML in general.

use super::page::{Meta, Page, Where};
use crate::generate::Numbers;

/// A page with these METAs and parts. The same style gives the same text.
pub fn written(metas: &[Meta], parts: &[String], style: u64) -> String {
    let mut writer = Writer { numbers: Numbers::new(style), text: String::new() };
    writer.page(metas, parts);
    writer.text
}

struct Writer {
    numbers: Numbers,
    text: String,
}

/// What looks like a META and is none. They are as restrictive as can be, so that one who reads them differs.
const DECOYS: [&str; 8] = [
    "<!-- <meta name=\"robots\" content=\"none, nosnippet, noarchive\"> -->",
    "<title><meta name=robots content=none></title>",
    "<script>var x = '<meta name=\"robots\" content=\"noindex\">';</script>",
    "<style>/* <meta name=robots content=nosnippet> */</style>",
    "<meta property=\"robots\" content=\"ACAP disallow-index\">",
    "<meta http-equiv=\"robots\" content=\"noindex, nosnippet\">",
    "<meta charset=\"utf-8\">",
    "<meta name=\"description\" content=\"noindex\">",
];

impl Writer {
    fn page(&mut self, metas: &[Meta], parts: &[String]) {
        let is_in_body = |meta: &&Meta| meta.place == Where::Body;
        let (body, head): (Vec<&Meta>, Vec<&Meta>) = metas.iter().partition(is_in_body);
        let doctype = self.numbers.pick(&["", "<!DOCTYPE html>\n", "<!doctype HTML>"]);
        self.push(doctype);
        let has_tags = !self.numbers.one_in(4);
        if has_tags {
            let tags = self.numbers.pick(&["<html><head>", "<HTML>\n<HEAD>\n", "<html lang=en><head>", "<head>"]);
            self.push(tags);
        }
        // Between the head's end and the body a META still goes into the head; `noscript` does not.
        let last_is_late = self.numbers.one_in(6) && head.last().is_some_and(|meta| meta.place == Where::Head);
        let early = if last_is_late { head.len() - 1 } else { head.len() };
        for meta in &head[..early] {
            self.decoy();
            self.meta(meta);
        }
        self.decoy();
        let closes_head = last_is_late || (has_tags && !self.numbers.one_in(3));
        if closes_head {
            self.push("</head>\n");
            head[early..].iter().for_each(|meta| self.meta(meta));
        }
        let start = self.numbers.pick(&["<body>", "<BODY class=plain>", "<p>Text ", "<div>"]);
        self.push(start);
        for meta in body {
            let text = self.numbers.pick(&[
                "<p>Some text</p>",
                "Text.",
                "\n",
                "<textarea><meta name=robots content=none></textarea>",
            ]);
            self.push(text);
            self.meta(meta);
        }
        for part in parts {
            let (kind, name) = part.split_once(':').expect("a kind and a name");
            self.push(&format!("<p {kind}=\"{name}\">part</p>"));
        }
        let end = self.numbers.pick(&["</body></html>", "", "\n</body>\n</html>\n"]);
        self.push(end);
    }

    fn decoy(&mut self) {
        let decoy = match self.numbers.below(12) {
            0 => self.numbers.pick(&DECOYS),
            1..4 => "\n",
            _ => "",
        };
        self.push(decoy);
    }

    fn meta(&mut self, meta: &Meta) {
        let (before, after) = match meta.place {
            Where::Head => ("", ""),
            Where::NoscriptInHead => ("<noscript>", "</noscript>"),
            Where::Template => ("<template>", "</template>"),
            Where::Body if self.numbers.one_in(3) => ("<noscript>", "</noscript>"),
            Where::Body => ("", ""),
        };
        let content = if meta.is_in_value { "value" } else { "content" };
        let mut attributes = vec![self.attribute("name", &meta.name), self.attribute(content, &meta.content)];
        if self.numbers.one_in(3) {
            attributes.swap(0, 1);
        }
        if self.numbers.one_in(8) {
            attributes.push("name=\"nobody\"".to_owned());
        }
        let tag = self.numbers.pick(&["<meta", "<meta", "<META", "<Meta"]);
        let gap = self.numbers.pick(&[" ", " ", "\n  ", " \t"]);
        let close = self.numbers.pick(&[">", ">", " >", " />"]);
        self.push(&format!("{before}{tag}{gap}{}{close}{after}", attributes.join(gap)));
    }

    fn attribute(&mut self, name: &str, value: &str) -> String {
        let name = match self.numbers.below(6) {
            0 => name.to_ascii_uppercase(),
            _ => name.to_owned(),
        };
        let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-_.,:;/()*".contains(&octet);
        let may_be_bare = !value.is_empty() && value.bytes().all(is_plain);
        let has_references = self.numbers.one_in(5);
        let mut written = String::new();
        for letter in value.chars() {
            match letter {
                '&' => written.push_str("&amp;"),
                '"' => written.push_str("&quot;"),
                '\'' => written.push_str("&#39;"),
                '<' => written.push_str("&lt;"),
                letter if has_references && letter.is_ascii_alphanumeric() && self.numbers.one_in(6) => {
                    let number = u32::from(letter);
                    let reference = match self.numbers.below(3) {
                        0 => format!("&#{number};"),
                        1 => format!("&#x{number:x};"),
                        _ => format!("&#X{number:04X};"),
                    };
                    written.push_str(&reference);
                }
                letter => written.push(letter),
            }
        }
        let equals = self.numbers.pick(&["=", "=", "=", " = "]);
        match self.numbers.below(4) {
            0 if may_be_bare => format!("{name}{equals}{written}"),
            1 => format!("{name}{equals}'{written}'"),
            _ => format!("{name}{equals}\"{written}\""),
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// Elements whose content is text.
const TEXT_ELEMENTS: [&str; 4] = ["title", "script", "style", "textarea"];
/// Elements that leave the head open.
const HEAD_ELEMENTS: [&str; 10] =
    ["html", "head", "meta", "title", "script", "style", "link", "base", "noscript", "template"];

/// The METAs and parts of simple HTML; nothing where it has statements in classes or is not simple.
pub fn read(text: &str) -> Option<Page> {
    let mut page = Page { html: text.to_owned(), ..Page::default() };
    let mut is_in_head = true;
    let (mut is_in_noscript, mut is_in_template) = (false, false);
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        is_in_head &= rest[..open].trim().is_empty() || is_in_template;
        rest = &rest[open..];
        if rest.starts_with("<!--") {
            rest = &rest[rest.find("-->")? + 3..];
            continue;
        }
        let tag = Tag::read(rest)?;
        rest = &rest[tag.length..];
        match (tag.is_end, tag.name.as_str()) {
            (false, name) if name.starts_with('!') => {}
            (true, "noscript") => is_in_noscript = false,
            (true, "template") => is_in_template = false,
            (true, _) => {}
            (false, name) => {
                is_in_head &= HEAD_ELEMENTS.contains(&name) || is_in_template;
                is_in_noscript |= name == "noscript";
                is_in_template |= name == "template";
                if name == "meta" {
                    let place = match (is_in_template, is_in_head, is_in_noscript) {
                        (true, ..) => Where::Template,
                        (false, true, true) => Where::NoscriptInHead,
                        (false, true, false) => Where::Head,
                        (false, false, _) => Where::Body,
                    };
                    page.metas.extend(tag.meta(place));
                }
                if TEXT_ELEMENTS.contains(&name) {
                    rest = &rest[rest.to_ascii_lowercase().find(&format!("</{name}"))?..];
                }
                page.parts.extend(tag.attribute("id").map(|id| format!("id:{id}")));
                let classes = tag.attribute("class").unwrap_or_default();
                if ["acap:", "robots-"].iter().any(|kind| classes.to_ascii_lowercase().contains(kind)) {
                    return None;
                }
                page.parts.extend(classes.split_ascii_whitespace().map(|class| format!("class:{class}")));
            }
        }
    }
    Some(page)
}

struct Tag {
    name: String,
    is_end: bool,
    attributes: Vec<(String, String)>,
    /// In octets, angle brackets included.
    length: usize,
}

impl Tag {
    fn read(text: &str) -> Option<Self> {
        let is_end = text.starts_with("</");
        let start = if is_end { 2 } else { 1 };
        let space = |letter: char| letter.is_ascii_whitespace();
        let mut rest = &text[start..];
        let end = rest.find(|letter: char| space(letter) || letter == '>' || letter == '/')?;
        let name = rest[..end].to_ascii_lowercase();
        rest = &rest[end..];
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start_matches(|letter| space(letter) || letter == '/');
            if let Some(after) = rest.strip_prefix('>') {
                return Some(Self { name, is_end, attributes, length: text.len() - after.len() });
            }
            let end = rest.find(|letter: char| space(letter) || "=>/".contains(letter))?;
            let attribute = rest[..end].to_ascii_lowercase();
            rest = rest[end..].trim_start_matches(space);
            let mut value = "";
            if let Some(after) = rest.strip_prefix('=') {
                let after = after.trim_start_matches(space);
                let quote = after.chars().next().filter(|letter| "\"'".contains(*letter));
                let (found, left) = match quote {
                    Some(quote) => after[1..].split_once(quote)?,
                    None => after.split_at(after.find(|letter: char| space(letter) || letter == '>')?),
                };
                (value, rest) = (found, left);
            }
            attributes.push((attribute, resolved(value)));
        }
    }

    /// The first of the name counts.
    fn attribute(&self, name: &str) -> Option<String> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    fn meta(&self, place: Where) -> Option<Meta> {
        let name = self.attribute("name")?;
        let content = self.attribute("content");
        let is_in_value = content.is_none();
        Some(Meta { name, content: content.or(self.attribute("value"))?, is_in_value, place })
    }
}

/// The text with its character references resolved, those that are written here.
fn resolved(text: &str) -> String {
    let mut resolved = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        resolved.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').unwrap_or(0);
        let reference = &rest[usize::from(end > 0)..end];
        let letter = match reference {
            "amp" => Some('&'),
            "quot" => Some('"'),
            "lt" => Some('<'),
            _ => reference.strip_prefix('#').and_then(|number| {
                let hexadecimal = number.strip_prefix(['x', 'X']).map(|digits| u32::from_str_radix(digits, 16).ok());
                hexadecimal.unwrap_or_else(|| number.parse().ok()).and_then(char::from_u32)
            }),
        };
        match letter {
            Some(letter) => {
                resolved.push(letter);
                rest = &rest[end + 1..];
            }
            None => {
                resolved.push('&');
                rest = &rest[1..];
            }
        }
    }
    resolved.push_str(rest);
    resolved
}
