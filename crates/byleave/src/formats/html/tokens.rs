//! Splits a page into tokens: tags, comments, doctypes and text, each with its bytes.
//!
//! This is the tokenization stage of the HTML standard (13.2.5), on bytes. Every byte that controls tokenization is
//! below 0x40 and not a digit, or is a letter directly after `<`. In all encodings that are tokenized this way, such a
//! byte is never part of another character (`encoding.rs`), so nothing has to be decoded first. `characters.rs` decodes
//! tags and texts. `head.rs` and `tree.rs` decide when to switch to raw text.

use crate::base::source::Span;
use memchr::{memchr, memchr_iter, memchr2_iter, memmem};

/// A token. End tags can have attributes too, but they have no effect.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'p> {
    Start(Tag<'p>),
    End(Tag<'p>),
    Text(Text<'p>),
    /// A comment from `<!--` to its end, or a bogus comment from `<!`, `<?` or `</` to `>`.
    Comment(Span),
    Doctype(Doctype<'p>),
}

/// A start or end tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag<'p> {
    /// The name as written, with any capitalization.
    pub name: &'p [u8],
    /// The span of the tag, including `<` and `>`.
    pub span: Span,
    pub is_self_closing: bool,
    /// The text after the name, up to and including `>`.
    attributes: &'p [u8],
}

/// A run of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'p> {
    pub raw: &'p [u8],
    pub span: Span,
    /// How the text was tokenized. Only [`Content::Data`] and [`Raw::Rcdata`] contain character references. A NUL stays
    /// a NUL in `Data` and CDATA, and becomes U+FFFD elsewhere.
    pub content: Content,
    pub is_cdata: bool,
}

impl Text<'_> {
    /// Returns the span of the text's characters. For CDATA, returns the span of its content.
    pub fn inside(&self) -> Span {
        let from = self.span.start as usize + if self.is_cdata { CDATA.len() + 2 } else { 0 };
        Span::new(from, from + self.raw.len())
    }
}

/// The start of CDATA, without the initial `<!`.
const CDATA: &[u8] = b"[CDATA[";

/// A doctype: the text between `<!doctype` and `>`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doctype<'p> {
    pub raw: &'p [u8],
    #[cfg_attr(not(test), expect(dead_code, reason = "every token has a span"))]
    pub span: Span,
    /// Whether the doctype ends with `>`. `doctype.rs` needs this to determine quirks mode.
    pub is_closed: bool,
}

/// An attribute as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attribute<'p> {
    pub name: &'p [u8],
    /// The value without quotes. Empty if there is no value.
    pub value: &'p [u8],
}

/// How the following text is tokenized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Data,
    Raw(Raw),
    /// Text up to the end of the page.
    Plaintext,
}

/// Text up to the end tag that matches the last start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Raw {
    /// RCDATA in the HTML standard.
    Rcdata,
    /// RAWTEXT in the HTML standard.
    Rawtext,
    /// Script data in the HTML standard.
    ScriptData,
}

/// Whether the adjusted current node is an HTML element. If it is not, `<![CDATA[` starts CDATA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surroundings {
    Html,
    Foreign,
}

/// The tokenizer.
///
/// Cost: linear in the length of the input, whatever it contains.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'p> {
    text: &'p [u8],
    at: usize,
    content: Content,
    /// The name of the last start tag. Raw text ends at the matching end tag.
    last_start: &'p [u8],
}

impl<'p> Tokens<'p> {
    /// Returns the tokens in `text`, starting at `at` in the data state.
    pub fn new(text: &'p [u8], at: usize) -> Self {
        Self { text, at, content: Content::Data, last_start: b"" }
    }

    /// Tokenizes the following text as `content`, up to the end tag that matches the last start tag.
    pub fn read_as(&mut self, content: Content) {
        self.content = content;
    }

    /// Returns whether the tokenizer is in the data state.
    pub fn is_data(&self) -> bool {
        self.content == Content::Data
    }

    /// Returns the start of the next token.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns the next token, or `None` at the end of the page. A tag without a `>` is not a token.
    pub fn next(&mut self, surroundings: Surroundings) -> Option<Token<'p>> {
        match self.content {
            Content::Data => self.data(surroundings),
            Content::Raw(raw) => self.raw(raw),
            Content::Plaintext => self.rest(Content::Plaintext),
        }
    }

    fn data(&mut self, surroundings: Surroundings) -> Option<Token<'p>> {
        loop {
            let end = self.markup(self.at);
            if end > self.at {
                return Some(Token::Text(self.text_to(end, Content::Data)));
            }
            let start = self.at;
            match (self.byte(start + 1)?, self.byte(start + 2)) {
                (b'!', _) => return Some(self.declaration(surroundings)),
                (b'?', _) => return Some(self.bogus_comment(start + 1)),
                (b'/', Some(letter)) if letter.is_ascii_alphabetic() => return self.tag(start + 2).map(Token::End),
                // `</>` does not produce a token.
                (b'/', Some(b'>')) => self.at = start + 3,
                (b'/', _) => return Some(self.bogus_comment(start + 2)),
                _ => {
                    let tag = self.tag(start + 1)?;
                    self.last_start = tag.name;
                    return Some(Token::Start(tag));
                }
            }
        }
    }

    /// Returns the start of the next markup at or after `from`, which is where a text ends.
    fn markup(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let opens = |found: &usize| match rest.get(found + 1) {
            Some(b'/') => rest.get(found + 2).is_some(),
            Some(next) => next.is_ascii_alphabetic() || matches!(next, b'!' | b'?'),
            None => false,
        };
        // Between most tags there is only a little whitespace, for which a search would cost more than this check.
        let spaces = rest.len() - trimmed(rest).len();
        if rest.get(spaces) == Some(&b'<') && opens(&spaces) {
            return from + spaces;
        }
        memchr_iter(b'<', rest).find(opens).map_or(self.text.len(), |found| from + found)
    }

    /// Parses the tag whose name begins at `name`. Returns `None` if the page ends before the `>`.
    fn tag(&mut self, name: usize) -> Option<Tag<'p>> {
        let start = self.at;
        self.at = self.text.len();
        let rest = self.text.get(name..)?;
        let length = rest.iter().position(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'))?;
        let (name, rest) = rest.split_at_checked(length)?;
        let mut attributes = Attributes { rest };
        while attributes.next().is_some() {}
        let is_self_closing = *attributes.rest.first()? == b'/';
        let left = attributes.rest.len() - if is_self_closing { 2 } else { 1 };
        self.at = self.text.len() - left;
        let attributes = rest.get(..rest.len() - left)?;
        Some(Tag { name, span: Span::new(start, self.at), is_self_closing, attributes })
    }

    /// Parses markup that begins with `<!`.
    fn declaration(&mut self, surroundings: Surroundings) -> Token<'p> {
        let start = self.at;
        let inside = self.text.get(start + 2..).unwrap_or_default();
        let begins = |word: &[u8]| inside.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        if inside.starts_with(b"--") {
            return self.comment();
        }
        if begins(b"doctype") {
            let from = start + 2 + b"doctype".len();
            let (end, after) = self.to_greater_than(from);
            self.at = after;
            let raw = self.text.get(from..end).unwrap_or_default();
            return Token::Doctype(Doctype { raw, span: Span::new(start, after), is_closed: after > end });
        }
        if surroundings == Surroundings::Foreign && inside.starts_with(CDATA) {
            let from = start + 2 + CDATA.len();
            let rest = self.text.get(from..).unwrap_or_default();
            let length = memmem::find(rest, b"]]>");
            let (end, after) = length.map_or((self.text.len(), self.text.len()), |end| (from + end, from + end + 3));
            self.at = after;
            let raw = self.text.get(from..end).unwrap_or_default();
            let span = Span::new(start, after);
            return Token::Text(Text { raw, span, content: Content::Data, is_cdata: true });
        }
        self.bogus_comment(start + 2)
    }

    /// Parses a comment that begins with `<!--`. It ends at `-->`, at `--!>` or at the end of the page. The dashes of
    /// `<!--` may also be the dashes of `-->`, as in `<!-->`, but not the dashes of `--!>`.
    fn comment(&mut self) -> Token<'p> {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let ends = |greater: &usize| {
            let before = |length: usize| rest.get(greater.saturating_sub(length)..*greater);
            (*greater >= 4 && before(2) == Some(b"--")) || (*greater >= 7 && before(3) == Some(b"--!"))
        };
        let end = memchr_iter(b'>', rest).find(ends).map_or(rest.len(), |greater| greater + 1);
        self.at = start + end;
        Token::Comment(Span::new(start, self.at))
    }

    fn bogus_comment(&mut self, from: usize) -> Token<'p> {
        let start = self.at;
        self.at = self.to_greater_than(from).1;
        Token::Comment(Span::new(start, self.at))
    }

    /// Returns the offset of the next `>` and the offset after it. If there is none, both are the end of the page.
    fn to_greater_than(&self, from: usize) -> (usize, usize) {
        let found = memchr(b'>', self.text.get(from..).unwrap_or_default());
        found.map_or((self.text.len(), self.text.len()), |found| (from + found, from + found + 1))
    }

    fn raw(&mut self, raw: Raw) -> Option<Token<'p>> {
        let end = match raw {
            Raw::Rcdata | Raw::Rawtext => self.end_tag(self.at),
            Raw::ScriptData => self.script_end(),
        };
        if end > self.at {
            return Some(Token::Text(self.text_to(end, Content::Raw(raw))));
        }
        self.content = Content::Data;
        if end == self.text.len() {
            return None;
        }
        self.tag(end + 2).map(Token::End)
    }

    /// Returns the start of the end tag that matches the last start tag, at or after `from`.
    fn end_tag(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let mut found = memchr_iter(b'<', rest).map(|less| from + less);
        found.find(|less| self.is_end_tag(*less)).unwrap_or(self.text.len())
    }

    /// Returns whether the `<` at `less` begins the end tag that matches the last start tag.
    fn is_end_tag(&self, less: usize) -> bool {
        self.byte(less + 1) == Some(b'/') && self.is_name(less + 2, self.last_start)
    }

    /// Returns whether exactly this name is at `at`, ignoring ASCII case.
    fn is_name(&self, at: usize, name: &[u8]) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let is_over = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>');
        rest.get(name.len()).is_some_and(is_over)
            && rest.get(..name.len()).is_some_and(|written| written.eq_ignore_ascii_case(name))
    }

    /// Returns the end of the script. Between `<!--` and `-->`, a `<script>` hides the next `</script>`.
    fn script_end(&self) -> usize {
        let mut from = self.at;
        loop {
            let rest = self.text.get(from..).unwrap_or_default();
            let stops = |less: &usize| match self.byte(from + less + 1) {
                Some(b'/') => self.is_end_tag(from + less),
                Some(b'!') => self.text.get(from + less + 2..from + less + 4) == Some(b"--"),
                _ => false,
            };
            let Some(stop) = memchr_iter(b'<', rest).find(stops).map(|less| from + less) else {
                return self.text.len();
            };
            if self.byte(stop + 1) == Some(b'/') {
                return stop;
            }
            match self.escaped_end(stop + 2) {
                EscapedEnd::Script(end) => return end,
                EscapedEnd::Comment(after) => from = after,
            }
        }
    }

    /// Returns the end of the escaped part of a script. The first dash of the part is at `dashes`.
    fn escaped_end(&self, dashes: usize) -> EscapedEnd {
        let rest = self.text.get(dashes..).unwrap_or_default();
        let mut is_doubly = false;
        for at in memchr2_iter(b'<', b'>', rest) {
            let is_less = rest.get(at) == Some(&b'<');
            let place = dashes + at;
            if !is_less {
                if at >= 2 && rest.get(at - 2..at) == Some(b"--") {
                    return EscapedEnd::Comment(place + 1);
                }
            } else if is_doubly {
                is_doubly = !(self.byte(place + 1) == Some(b'/') && self.is_name(place + 2, b"script"));
            } else if self.is_end_tag(place) {
                return EscapedEnd::Script(place);
            } else {
                is_doubly = self.is_name(place + 1, b"script");
            }
        }
        EscapedEnd::Script(self.text.len())
    }

    fn rest(&mut self, content: Content) -> Option<Token<'p>> {
        let end = self.text.len();
        (end > self.at).then(|| Token::Text(self.text_to(end, content)))
    }

    fn text_to(&mut self, end: usize, content: Content) -> Text<'p> {
        let span = Span::new(self.at, end);
        let raw = self.text.get(self.at..end).unwrap_or_default();
        self.at = end;
        Text { raw, span, content, is_cdata: false }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }
}

/// How an escaped part of a script ends.
enum EscapedEnd {
    /// The script ends at this offset, at its end tag or at the end of the page.
    Script(usize),
    /// The script continues at this offset, after `-->`.
    Comment(usize),
}

impl<'p> Tag<'p> {
    /// Returns whether the tag has this name, which must be in lower case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the tag's attributes in order. If an attribute is repeated, all are returned, but only the first counts.
    pub fn attributes(&self) -> Attributes<'p> {
        Attributes { rest: self.attributes }
    }

    /// Returns the text from the start of an attribute's value to the end of the tag. Returns `None` if the value is in
    /// quotation marks.
    pub fn unquoted_to_tag_end(&self, name: &str) -> Option<&'p [u8]> {
        let mut attributes = self.attributes();
        let found = attributes.find(|attribute| attribute.name.eq_ignore_ascii_case(name.as_bytes()))?;
        let start = (found.value.as_ptr() as usize).checked_sub(self.attributes.as_ptr() as usize)?;
        let is_unquoted = start + found.value.len() + attributes.rest.len() == self.attributes.len();
        self.attributes.get(start..).filter(|_| is_unquoted)
    }

    /// Returns the raw value of an attribute. `name` must be in lower case.
    pub fn attribute(&self, name: &str) -> Option<&'p [u8]> {
        self.attributes()
            .find(|attribute| attribute.name.eq_ignore_ascii_case(name.as_bytes()))
            .map(|found| found.value)
    }
}

/// An iterator over a tag's attributes. After the last attribute, `rest` begins with the tag's `>` or `/>`, or is empty
/// if the page ends before them.
#[derive(Clone, Debug)]
pub(crate) struct Attributes<'p> {
    rest: &'p [u8],
}

impl<'p> Iterator for Attributes<'p> {
    type Item = Attribute<'p>;

    #[inline(always)]
    fn next(&mut self) -> Option<Attribute<'p>> {
        let mut rest = self.rest;
        // Before an attribute's name, a `/` that is not followed by `>` counts as whitespace.
        loop {
            match rest {
                [byte, tail @ ..] if is_space(*byte) => rest = tail,
                [b'/', b'>', ..] | [b'>', ..] | [] => {
                    self.rest = rest;
                    return None;
                }
                [b'/', tail @ ..] => rest = tail,
                _ => break,
            }
        }
        // A name may begin with `=` and contain quotes.
        let is_over = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>' | b'=');
        let length = rest.iter().skip(1).position(is_over).map_or(rest.len(), |length| length + 1);
        let (name, after) = rest.split_at_checked(length)?;
        let Some(value) = trimmed(after).strip_prefix(b"=") else {
            self.rest = after;
            return Some(Attribute { name, value: b"" });
        };
        let value = trimmed(value);
        let (value, after) = match value {
            [quote @ (b'"' | b'\''), quoted @ ..] => {
                // If the quote is not closed, the page ends here, and there is no tag.
                let length = memchr(*quote, quoted).unwrap_or(quoted.len());
                (quoted.get(..length)?, quoted.get(length + 1..).unwrap_or_default())
            }
            _ => {
                let length = value.iter().position(|byte| is_space(*byte) || *byte == b'>').unwrap_or(value.len());
                value.split_at_checked(length)?
            }
        };
        self.rest = after;
        Some(Attribute { name, value })
    }
}

fn trimmed(text: &[u8]) -> &[u8] {
    let length = text.iter().position(|byte| !is_space(*byte)).unwrap_or(text.len());
    text.get(length..).unwrap_or_default()
}

/// Returns whether HTML treats a byte as whitespace. This includes CR, because HTML converts CR to LF first.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

    use super::super::characters::{ReferenceContext, attribute_value, name, plain, reference};
    use super::super::doctype::parse_doctype;
    use super::*;
    use encoding_rs::UTF_8;
    use serde_json::{Value, json};

    /// Returns the tokens of a text in the format of html5lib-tests.
    fn shown(text: &[u8], content: Content, last_start: &str) -> Vec<Value> {
        let mut tokens = Tokens::new(text, 0);
        tokens.read_as(content);
        // No end tag can have this name, so no end tag ends the text.
        tokens.last_start = if last_start.is_empty() { b"/" } else { last_start.as_bytes() };
        let mut shown: Vec<Value> = Vec::new();
        let mut end = 0;
        while let Some(token) = tokens.next(Surroundings::Html) {
            let (span, token) = match token {
                Token::Start(tag) => {
                    let mut attributes = serde_json::Map::new();
                    for attribute in tag.attributes() {
                        let value = attribute_value(attribute.value, UTF_8);
                        attributes.entry(name(attribute.name, UTF_8)).or_insert(value.into());
                    }
                    let mut shown = json!(["StartTag", name(tag.name, UTF_8), attributes]);
                    if tag.is_self_closing {
                        shown.as_array_mut().unwrap().push(true.into());
                    }
                    (tag.span, shown)
                }
                Token::End(tag) => (tag.span, json!(["EndTag", name(tag.name, UTF_8)])),
                Token::Comment(span) => (span, json!(["Comment", plain(comment(span.of(text)), UTF_8)])),
                Token::Doctype(doctype) => {
                    let parts = parse_doctype(&doctype, UTF_8);
                    let shown = json!(["DOCTYPE", parts.name, parts.public, parts.system, !parts.forces_quirks]);
                    (doctype.span, shown)
                }
                Token::Text(text) => (text.span, json!(["Character", characters(&text)])),
            };
            assert!(span.start >= end && !span.is_empty(), "{shown:?}");
            end = span.end;
            match (shown.last_mut(), &token) {
                // `</>` separates two texts, but is not a token.
                (Some(last), _) if last[0] == "Character" && token[0] == "Character" => {
                    last[1] = format!("{}{}", last[1].as_str().unwrap(), token[1].as_str().unwrap()).into();
                }
                _ => shown.push(token),
            }
        }
        shown
    }

    /// Returns the content of a comment.
    fn comment(written: &[u8]) -> &[u8] {
        let Some(inside) = written.strip_prefix(b"<!--") else {
            let inside = written.strip_prefix(b"<!").or(written.strip_prefix(b"</")).unwrap_or(&written[1..]);
            return inside.strip_suffix(b">").unwrap_or(inside);
        };
        let endings: [&[u8]; 7] = [b"-->", b"--!>", b"--!", b"--", b"->", b">", b"-"];
        let is_closed = inside.ends_with(b">");
        let ends = |ending: &&&[u8]| match **ending {
            // `<!-->` and `<!--->` are empty comments.
            b"->" | b">" => inside == **ending,
            _ => inside.ends_with(ending) && (!is_closed || ending.ends_with(b">")),
        };
        &inside[..inside.len() - endings.iter().find(ends).map_or(0, |ending| ending.len())]
    }

    fn characters(text: &Text<'_>) -> String {
        let raw = String::from_utf8_lossy(text.raw).replace("\r\n", "\n").replace('\r', "\n");
        let mut shown = String::new();
        let mut rest = raw.as_str();
        let has_references = matches!(text.content, Content::Data | Content::Raw(Raw::Rcdata));
        while let Some(first) = rest.chars().next() {
            let found = reference(rest.as_bytes(), ReferenceContext::Text).filter(|_| has_references);
            match (first, &found) {
                (_, Some(reference)) => shown.extend(reference.characters()),
                ('\0', _) if text.content != Content::Data => shown.push('\u{FFFD}'),
                (first, None) => shown.push(first),
            }
            rest = rest.get(found.map_or(first.len_utf8(), |found| found.length)..).unwrap();
        }
        shown
    }

    /// Decodes `\uXXXX` in doubly escaped tests. Returns `None` for half of a surrogate pair.
    fn unescaped(text: &str) -> Option<String> {
        let mut parts = text.split("\\u");
        let mut whole = parts.next()?.to_owned();
        for part in parts {
            whole.push(char::from_u32(u32::from_str_radix(part.get(..4)?, 16).ok()?)?);
            whole.push_str(part.get(4..)?);
        }
        Some(whole)
    }

    fn unescaped_all(value: &Value) -> Option<Value> {
        Some(match value {
            Value::String(text) => unescaped(text)?.into(),
            Value::Array(values) => values.iter().map(unescaped_all).collect::<Option<Vec<_>>>()?.into(),
            Value::Object(values) => Value::Object(
                values
                    .iter()
                    .map(|(key, value)| Some((unescaped(key)?, unescaped_all(value)?)))
                    .collect::<Option<_>>()?,
            ),
            other => other.clone(),
        })
    }

    #[test]
    fn the_tests_of_html5lib_pass() {
        let Some(folder) = std::env::var_os("BYLEAVE_CORPUS").map(std::path::PathBuf::from) else {
            eprintln!("skipped: BYLEAVE_CORPUS is not set");
            return;
        };
        let mut compared = 0;
        for entry in std::fs::read_dir(folder.join("data/html5lib-tests/tokenizer")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "test") {
                continue;
            }
            let file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
            for test in file["tests"].as_array().into_iter().flatten() {
                compared += compare(test, &path.display().to_string());
            }
        }
        assert!(compared > 6_500, "{compared} tests compared");
        eprintln!("compared {compared} tests");
    }

    fn compare(test: &Value, about: &str) -> usize {
        let mut test = test.clone();
        if test["doubleEscaped"] == true {
            let (Some(input), Some(output)) = (unescaped_all(&test["input"]), unescaped_all(&test["output"])) else {
                return 0;
            };
            (test["input"], test["output"]) = (input, output);
        }
        let states = test["initialStates"].as_array().cloned().unwrap_or(vec!["Data state".into()]);
        let mut compared = 0;
        for state in &states {
            let content = match state.as_str().unwrap() {
                "Data state" => Content::Data,
                "PLAINTEXT state" => Content::Plaintext,
                "RCDATA state" => Content::Raw(Raw::Rcdata),
                "RAWTEXT state" => Content::Raw(Raw::Rawtext),
                "Script data state" => Content::Raw(Raw::ScriptData),
                // The tokenizer cannot start inside CDATA.
                "CDATA section state" => continue,
                other => panic!("{other}"),
            };
            let shown = shown(
                test["input"].as_str().unwrap().as_bytes(),
                content,
                test["lastStartTag"].as_str().unwrap_or_default(),
            );
            assert_eq!(
                Value::Array(shown),
                test["output"],
                "{about}: {}, {state}: {}",
                test["description"],
                test["input"]
            );
            compared += 1;
        }
        compared
    }
}
