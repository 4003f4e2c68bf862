//! `Robots-Tag` and `X-Robots-Tag` (S-22, S-23), read from their values.

use super::conventional::s35_names_crawler;
use super::words::{self, Word, WrittenWord};
use super::{Place, Question};

/// Bytes of the combined value of `Robots-Tag` that are read.
const LIMIT: usize = 8_192;

/// A member of the list: whom it addresses, and its rules.
#[derive(Debug)]
pub struct Member {
    pub text: String,
    addressee: Addressee,
    words: Vec<WrittenWord>,
}

#[derive(Clone, Debug)]
enum Addressee {
    Any,
    Named(String),
}

impl Addressee {
    fn is(&self, question: &Question) -> bool {
        match self {
            Self::Any => true,
            Self::Named(name) => s35_names_crawler(name.as_bytes(), question),
        }
    }
}

/// What both fields say of the usage to this crawler or to everyone.
pub fn s23_said(question: &Question) -> Vec<Word> {
    let mut said = Vec::new();
    let mut take = |place: Place, words: &[WrittenWord]| {
        let effects = words.iter().filter_map(|word| words::effect(word, question));
        said.extend(effects.map(|effect| Word { place: place.clone(), effect }));
    };
    for (number, member) in (1..).zip(s23_members(&question.headers)) {
        if member.addressee.is(question) {
            take(("robots-tag".to_owned(), number), &member.words);
        }
    }
    for (number, line) in (1..).zip(lines(&question.headers, "X-Robots-Tag")) {
        for (addressee, words) in s23_legacy(line) {
            if addressee.is(question) {
                take(("x-robots-tag".to_owned(), number), &words);
            }
        }
    }
    said
}

/// The values of a field, line by line.
pub fn lines<'h>(headers: &'h [(String, String)], name: &'h str) -> impl Iterator<Item = &'h str> {
    headers.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// The members of the one list that all lines make. A malformed member is dropped, and reading goes on after
/// the next comma from its start on, quotes disregarded.
pub fn s23_members(headers: &[(String, String)]) -> Vec<Member> {
    let combined = lines(headers, "Robots-Tag").collect::<Vec<&str>>().join(", ");
    let mut text = combined.as_bytes();
    if text.len() > LIMIT {
        // S-22: the member at the cut is dropped whole.
        let within = &text[..LIMIT];
        text = &within[..within.iter().rposition(|octet| *octet == b',').unwrap_or(0)];
    }
    let mut members = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let mut reader = Reader { text, at: start };
        match reader.member() {
            Some(member) => {
                members.extend(member);
                start = reader.at + 1;
            }
            None => {
                let comma = text[start..].iter().position(|octet| *octet == b',');
                start = comma.map_or(text.len(), |comma| start + comma + 1);
            }
        }
    }
    members
}

/// A line of `X-Robots-Tag`: what is said to whom. A prefix holds until the next.
fn s23_legacy(line: &str) -> Vec<(Addressee, Vec<WrittenWord>)> {
    let mut parts = vec![(Addressee::Any, String::new())];
    for (number, segment) in line.split(',').enumerate() {
        let mut rest = segment;
        let name = segment.split_once(':').map(|(name, _)| name.trim());
        // Blanks may stand in a name, but a date has colons too: it goes on where a word with a value began.
        let is_date = |name: &str| name.starts_with(|letter: char| letter.is_ascii_digit());
        if let Some(name) = name.filter(|name| !words::is_valued(name) && !is_date(name)) {
            let everyone = name == "*" || name.eq_ignore_ascii_case("robots");
            let addressee = if everyone { Addressee::Any } else { Addressee::Named(name.to_owned()) };
            parts.push((addressee, String::new()));
            rest = segment.split_once(':').map_or("", |(_, rest)| rest);
        } else if number > 0 {
            parts.last_mut().expect("there is one").1.push(',');
        }
        parts.last_mut().expect("there is one").1.push_str(rest);
    }
    parts.into_iter().map(|(addressee, list)| (addressee, words::read_list(&list))).collect()
}

/// A reader of structured fields (RFC 9651), octet by octet.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

/// A bare item, as far as it matters here.
enum Item {
    Token(String),
    Text(String),
    Number(String),
    Boolean(bool),
    Date(String),
}

impl Reader<'_> {
    /// A member and the blanks around it, up to the comma or the end; nothing where it is malformed, and no
    /// member where it is well formed but addresses nobody.
    fn member(&mut self) -> Option<Option<Member>> {
        self.skip(b" \t");
        let start = self.at;
        let item = self.item()?;
        let parameters = self.parameters()?;
        let text = String::from_utf8_lossy(&self.text[start..self.at]).into_owned();
        self.skip(b" \t");
        if !matches!(self.peek(), None | Some(b',')) {
            return None;
        }
        let is_bare_rule = |name: &String| parameters.is_empty() && words::is_known(name);
        Some(match item {
            Item::Token(name) if is_bare_rule(&name) => {
                let word = WrittenWord { name: name.to_ascii_lowercase(), value: None };
                Some(Member { text, addressee: Addressee::Any, words: vec![word] })
            }
            Item::Token(name) if name == "*" => Some(Member { text, addressee: Addressee::Any, words: parameters }),
            Item::Token(name) | Item::Text(name) => {
                Some(Member { text, addressee: Addressee::Named(name), words: parameters })
            }
            Item::Number(_) | Item::Boolean(_) | Item::Date(_) => None,
        })
    }

    /// The rules. Keys count in lower case; a false one says nothing.
    fn parameters(&mut self) -> Option<Vec<WrittenWord>> {
        let mut words = Vec::new();
        while self.peek() == Some(b';') {
            self.at += 1;
            self.skip(b" ");
            let key = self.while_it_is(|octet| octet.is_ascii_alphanumeric() || b"_-.*".contains(&octet));
            if !key.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '*') {
                return None;
            }
            let name = key.to_ascii_lowercase();
            if self.peek() != Some(b'=') {
                words.push(WrittenWord { name, value: None });
                continue;
            }
            self.at += 1;
            match self.item()? {
                Item::Boolean(false) => {}
                Item::Boolean(true) => words.push(WrittenWord { name, value: None }),
                Item::Token(value) | Item::Text(value) | Item::Number(value) | Item::Date(value) => {
                    words.push(WrittenWord { name, value: Some(value) });
                }
            }
        }
        Some(words)
    }

    fn item(&mut self) -> Option<Item> {
        match self.peek()? {
            b'"' => self.text().map(Item::Text),
            b'?' => {
                let value = self.text.get(self.at + 1)?;
                self.at += 2;
                [b'0', b'1'].contains(value).then_some(Item::Boolean(*value == b'1'))
            }
            b'@' => {
                self.at += 1;
                let seconds = self.number()?;
                (!seconds.contains('.')).then(|| Item::Date(format!("@{seconds}")))
            }
            b'-' | b'0'..=b'9' => self.number().map(Item::Number),
            first if first.is_ascii_alphabetic() || first == b'*' => {
                let belongs = |octet: u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&octet);
                Some(Item::Token(self.while_it_is(belongs)))
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Option<String> {
        let sign = if self.peek() == Some(b'-') { "-" } else { "" };
        self.at += sign.len();
        let digits = self.while_it_is(|octet| octet.is_ascii_digit() || octet == b'.');
        let is_number = digits.starts_with(|letter: char| letter.is_ascii_digit()) && !digits.ends_with('.');
        let is_short = digits.len() <= 15 && digits.matches('.').count() <= 1;
        (is_number && is_short).then(|| format!("{sign}{digits}"))
    }

    fn text(&mut self) -> Option<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let octet = self.peek()?;
            self.at += 1;
            match octet {
                b'"' => return Some(text),
                b'\\' => {
                    let escaped = self.peek().filter(|octet| b"\"\\".contains(octet))?;
                    self.at += 1;
                    text.push(char::from(escaped));
                }
                b' '..=b'~' => text.push(char::from(octet)),
                _ => return None,
            }
        }
    }

    fn while_it_is(&mut self, belongs: impl Fn(u8) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.text[start..self.at]).into_owned()
    }

    fn skip(&mut self, blanks: &[u8]) {
        while self.peek().is_some_and(|octet| blanks.contains(&octet)) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
}
