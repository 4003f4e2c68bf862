//! Writes a page as HTML from its META tags and parts, in many spellings.

use super::gen_pages::{Meta, Where};
use crate::generate::Numbers;

/// Returns a page with these META tags and parts. `style` is a seed: equal seeds give equal text.
pub fn written(metas: &[Meta], parts: &[String], style: u64) -> String {
    let mut writer = Writer { numbers: Numbers::new(style), text: String::new() };
    writer.page(metas, parts);
    writer.text
}

struct Writer {
    numbers: Numbers,
    text: String,
}

/// Text that looks like a META tag but is not one. Each is as restrictive as possible, so that a parser that reads it
/// by mistake gives a different answer.
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
        // An HTML parser moves a META tag between `</head>` and `<body>` into the head. It does not move a `noscript`
        // element there.
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
