//! A question for Byleave and a peer, and its parts: lines, fields and octets.
//!
//! This code implements the grammar of RFC 9309 and shares no code with the engines.

/// A file, a crawler and a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub robots_txt: Vec<u8>,
    pub crawler: String,
    /// Path, query and fragment.
    pub path: String,
    pub manner: Manner,
}

/// The way in which a peer is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// By URL, if the peer accepts a URL.
    Usual,
    /// By path.
    ByPath,
    /// With a corrected matching function (`engines.rs`).
    Mended,
}

/// A line without its line ending.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    pub content: &'t [u8],
}

/// An edit to a line.
pub enum Edit {
    Keep,
    Remove,
    Write(Vec<u8>),
}

impl From<Option<Vec<u8>>> for Edit {
    fn from(written: Option<Vec<u8>>) -> Self {
        written.map_or(Self::Keep, Self::Write)
    }
}

pub const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the lines of a file, without a byte order mark.
pub fn lines(robots_txt: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(robots_txt.strip_prefix(MARK).unwrap_or(robots_txt));
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(text.len());
        let (content, after) = text.split_at(end);
        rest = match after {
            [b'\r', b'\n', after @ ..] | [_, after @ ..] => Some(after),
            [] => None,
        };
        Some(Line { content })
    })
}

/// Returns the file with its lines edited. Keeps a byte order mark.
pub fn rewritten(robots_txt: &[u8], mut edit: impl FnMut(&Line<'_>) -> Edit) -> Vec<u8> {
    let mut written = if robots_txt.starts_with(MARK) { MARK.to_vec() } else { Vec::new() };
    for line in lines(robots_txt) {
        match edit(&line) {
            Edit::Keep => written.extend_from_slice(line.content),
            Edit::Remove => continue,
            Edit::Write(content) => written.extend_from_slice(&content),
        }
        written.push(b'\n');
    }
    written
}

impl<'t> Line<'t> {
    /// Returns the name and the value, if a colon separates them (RFC 9309 2.2).
    pub fn field(&self) -> Option<(&'t [u8], &'t [u8])> {
        let content = self.content.split(|byte| *byte == b'#').next()?;
        let colon = content.iter().position(|byte| *byte == b':')?;
        Some((trimmed(content.get(..colon)?), trimmed(content.get(colon + 1..)?)))
    }

    /// Returns the name and the pattern of a rule. The pattern may be empty.
    pub fn rule(&self) -> Option<(&'t [u8], &'t [u8])> {
        self.field().filter(|(name, _)| is_any_of(name, &["allow", "disallow"]))
    }

    /// Returns the value of `User-agent`.
    pub fn agent(&self) -> Option<&'t [u8]> {
        self.field().filter(|(name, _)| is_any_of(name, &["user-agent"])).map(|(_, value)| value)
    }

    /// Returns a line with this name and value.
    pub fn with_value(&self, name: &[u8], value: &[u8]) -> Vec<u8> {
        [name, b": ", value].concat()
    }
}

pub fn is_any_of(name: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| name.eq_ignore_ascii_case(word.as_bytes()))
}

pub fn trimmed(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = text.iter().take_while(|byte| is_blank(byte)).count();
    let text = text.get(start..).unwrap_or_default();
    let end = text.len() - text.iter().rev().take_while(|byte| is_blank(byte)).count();
    text.get(..end).unwrap_or_default()
}

/// An octet in a path or pattern, and its spelling: the octet itself or an escape such as `%41`.
#[derive(Clone, Copy, Debug)]
pub struct Octet<'t> {
    pub value: u8,
    pub written: &'t [u8],
}

impl Octet<'_> {
    pub fn is_escaped(&self) -> bool {
        self.written.len() == 3
    }

    pub fn is_unreserved(&self) -> bool {
        self.value.is_ascii_alphanumeric() || b"-._~".contains(&self.value)
    }

    pub fn is_reserved(&self) -> bool {
        b":/?#[]@!$&'()*+,;=".contains(&self.value)
    }

    pub fn escaped(&self) -> Vec<u8> {
        format!("%{:02X}", self.value).into_bytes()
    }
}

/// Returns the octets of a string. A `%` without two digits is a single octet.
pub fn octets(text: &[u8]) -> impl Iterator<Item = Octet<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let byte = *text.get(at)?;
        let digit = |place: usize| text.get(place).and_then(|byte| char::from(*byte).to_digit(16));
        let (value, length) = match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => ((high * 16 + low) as u8, 3),
            _ => (byte, 1),
        };
        let written = text.get(at..at + length)?;
        at += length;
        Some(Octet { value, written })
    })
}

impl Question {
    /// Returns the question with an edited file, or `None` if no line changes.
    pub fn with_lines(&self, mut edit: impl FnMut(&Line<'_>) -> Edit) -> Option<Self> {
        let mut is_same = true;
        let robots_txt = rewritten(&self.robots_txt, |line| {
            let edited = edit(line);
            is_same &= matches!(edited, Edit::Keep);
            edited
        });
        (!is_same).then(|| Self { robots_txt, ..self.clone() })
    }

    /// Returns the question with its patterns and its path rewritten, or `None` if nothing changes. Does not change
    /// wildcards in a pattern, or text after a `#` in the path.
    pub fn respelt(&self, spell: impl Fn(Octet<'_>) -> Option<Vec<u8>>) -> Option<Self> {
        let with = |text: &[u8], is_pattern: bool| -> Vec<u8> {
            let anchor = (is_pattern && text.ends_with(b"$")).then(|| text.len() - 1);
            let end = anchor.unwrap_or(text.len());
            let body = text.get(..end).unwrap_or_default();
            let write = |octet: Octet<'_>| match octet.written {
                b"*" if is_pattern => b"*".to_vec(),
                written => spell(octet).unwrap_or_else(|| written.to_vec()),
            };
            octets(body).flat_map(write).chain(anchor.map(|_| b'$')).collect()
        };
        let edited = self.with_lines(|line| match line.rule() {
            Some((name, value)) => {
                let pattern = with(value, true);
                if pattern == value { Edit::Keep } else { Edit::Write(line.with_value(name, &pattern)) }
            }
            None => Edit::Keep,
        });
        let (path, fragment) = self.path.split_at(self.path.find('#').unwrap_or(self.path.len()));
        let path = String::from_utf8(with(path.as_bytes(), false)).ok()? + fragment;
        match edited {
            None if path == self.path => None,
            None => Some(Self { path, ..self.clone() }),
            Some(edited) => Some(Self { path, ..edited }),
        }
    }

    /// Returns the patterns of all rules.
    pub fn patterns(&self) -> impl Iterator<Item = &[u8]> {
        lines(&self.robots_txt).filter_map(|line| line.rule()).map(|(_, value)| value)
    }
}
