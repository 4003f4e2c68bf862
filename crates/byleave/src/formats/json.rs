//! Parses JSON into values with spans, so that a decision can point at a rule in tdmrep.json.
//!
//! This parser is written by hand, because common parsers return values without spans. For a text that is not valid
//! JSON, the parser returns `None`.

use crate::base::cursor::Cursor;
use crate::base::source::Span;

/// A value and its span.
#[derive(Debug)]
pub(crate) struct Json {
    pub(crate) span: Span,
    pub(crate) kind: JsonKind,
}

#[derive(Debug)]
pub(crate) enum JsonKind {
    /// `null`, `true` or `false`.
    Word,
    Number,
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// The maximum nesting depth. Deeper arrays and objects are skipped, because no rule in tdmrep.json is nested that
/// deeply.
const MAX_DEPTH: usize = 32;

impl Json {
    /// Parses a text that consists of one value. A byte order mark before the value is ignored.
    ///
    /// Cost: O(text).
    pub(crate) fn read(text: &[u8]) -> Option<Self> {
        let at = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let mut reader = JsonReader { cursor: Cursor { text, at } };
        let value = reader.value(0)?;
        reader.blanks();
        reader.cursor.is_at_end().then_some(value)
    }

    pub(crate) fn array(&self) -> Option<&[Self]> {
        match &self.kind {
            JsonKind::Array(values) => Some(values),
            _ => None,
        }
    }

    pub(crate) fn string(&self) -> Option<&str> {
        match &self.kind {
            JsonKind::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the member with this name. If there are several, the last counts, as in most parsers. RFC 8259 does not
    /// define this.
    pub(crate) fn member<'j>(&'j self, name: &'j str) -> Option<&'j Self> {
        self.members(name).last()
    }

    /// Returns all members with this name.
    pub(crate) fn members<'j>(&'j self, name: &'j str) -> impl Iterator<Item = &'j Self> {
        let members = match &self.kind {
            JsonKind::Object(members) => members.as_slice(),
            _ => &[],
        };
        members.iter().filter(move |(own, _)| own == name).map(|(_, value)| value)
    }
}

/// Parses the values in a text.
struct JsonReader<'t> {
    cursor: Cursor<'t>,
}

impl JsonReader<'_> {
    fn value(&mut self, depth: usize) -> Option<Json> {
        self.blanks();
        let start = self.cursor.at;
        let kind = match self.cursor.peek()? {
            b'[' | b'{' if depth > MAX_DEPTH => self.passed_over()?,
            b'"' => JsonKind::String(self.string()?),
            b'[' => JsonKind::Array(self.array(depth)?),
            b'{' => JsonKind::Object(self.object(depth)?),
            b'-' | b'0'..=b'9' => self.number()?,
            _ => {
                let word =
                    [&b"null"[..], b"true", b"false"].into_iter().find(|word| self.cursor.rest().starts_with(word))?;
                self.cursor.at += word.len();
                JsonKind::Word
            }
        };
        Some(Json { span: Span::new(start, self.cursor.at), kind })
    }

    /// Skips an array or object without parsing it, up to its closing bracket.
    fn passed_over(&mut self) -> Option<JsonKind> {
        let mut open: usize = 0;
        loop {
            match self.cursor.peek()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'[' | b'{' => open += 1,
                b']' | b'}' => open = open.checked_sub(1)?,
                _ => {}
            }
            self.cursor.at += 1;
            if open == 0 {
                return Some(JsonKind::Word);
            }
        }
    }

    fn array(&mut self, depth: usize) -> Option<Vec<Json>> {
        let mut values = Vec::new();
        self.cursor.take(b'[')?;
        self.blanks();
        if self.cursor.take(b']').is_some() {
            return Some(values);
        }
        loop {
            values.push(self.value(depth + 1)?);
            self.blanks();
            if self.cursor.take(b']').is_some() {
                return Some(values);
            }
            self.cursor.take(b',')?;
        }
    }

    fn object(&mut self, depth: usize) -> Option<Vec<(String, Json)>> {
        let mut members = Vec::new();
        self.cursor.take(b'{')?;
        self.blanks();
        if self.cursor.take(b'}').is_some() {
            return Some(members);
        }
        loop {
            self.blanks();
            let name = self.string()?;
            self.blanks();
            self.cursor.take(b':')?;
            members.push((name, self.value(depth + 1)?));
            self.blanks();
            if self.cursor.take(b'}').is_some() {
                return Some(members);
            }
            self.cursor.take(b',')?;
        }
    }

    fn number(&mut self) -> Option<JsonKind> {
        let number = self.cursor.take_while(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        let is_number = std::str::from_utf8(number).ok()?.parse::<f64>().is_ok();
        is_number.then_some(JsonKind::Number)
    }

    fn string(&mut self) -> Option<String> {
        self.cursor.take(b'"')?;
        let mut bytes = Vec::new();
        loop {
            match self.cursor.next_byte()? {
                b'"' => return String::from_utf8(bytes).ok(),
                b'\\' => {
                    let escaped = match self.cursor.next_byte()? {
                        b'u' => self.unicode()?,
                        b'b' => '\u{8}',
                        b'f' => '\u{C}',
                        b'n' => '\n',
                        b'r' => '\r',
                        b't' => '\t',
                        byte @ (b'"' | b'\\' | b'/') => char::from(byte),
                        _ => return None,
                    };
                    bytes.extend_from_slice(escaped.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..=0x1F => return None,
                byte => bytes.push(byte),
            }
        }
    }

    /// Parses the digits of a `\u` escape. A character above U+FFFF is written as two escapes.
    fn unicode(&mut self) -> Option<char> {
        let high = self.hex()?;
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high);
        }
        self.cursor.take(b'\\')?;
        self.cursor.take(b'u')?;
        let low = self.hex()?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
        char::from_u32(0x10000 + ((high - 0xD800) << 10) + low)
    }

    fn hex(&mut self) -> Option<u32> {
        let digits =
            std::str::from_utf8(self.cursor.rest().get(..4)?).ok().filter(|digits| !digits.starts_with('+'))?;
        let number = u32::from_str_radix(digits, 16).ok();
        self.cursor.at += 4;
        number
    }

    fn blanks(&mut self) {
        self.cursor.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(json: &Json) -> serde_json::Value {
        match &json.kind {
            JsonKind::Word | JsonKind::Number => serde_json::Value::Null,
            JsonKind::String(text) => text.clone().into(),
            JsonKind::Array(values) => values.iter().map(shown).collect(),
            JsonKind::Object(members) => members
                .iter()
                .map(|(name, value)| (name.clone(), shown(value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }

    fn plain(value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => Value::Null,
            Value::String(text) => text.into(),
            Value::Array(values) => values.into_iter().map(plain).collect(),
            Value::Object(members) => {
                members.into_iter().map(|(name, value)| (name, plain(value))).collect::<serde_json::Map<_, _>>().into()
            }
        }
    }

    proptest! {
        /// Law: every text that `serde_json` accepts is accepted, with the same value.
        #[test]
        fn json_agrees_with_serde_json(text in r#"[\[\]{},:"\\u0-9a-f\- tr ]{0,24}|\[(\{"a": ?("x"|1|\[\]|null)(, "b": "\\u00e9\\n")?\},?){0,3}\]"#) {
            let theirs = serde_json::from_str::<serde_json::Value>(&text).ok();
            let ours = Json::read(text.as_bytes());
            if let Some(theirs) = theirs {
                prop_assert_eq!(ours.as_ref().map(shown), Some(plain(theirs)), "{}", text);
            }
        }
    }

    #[test]
    fn invalid_json_has_no_value() {
        let is_json = |text: &str| Json::read(text.as_bytes()).is_some();
        for text in ["", "[", "[1,]", "{\"a\"}", "[1] x", "\"\n\"", "\"\\x\"", "\"\\ud800\"", "nul", "-", "{a: 1}"] {
            assert!(!is_json(text), "{text}");
        }
        assert!(!is_json(&"[".repeat(100_000)));
        for depth in [1, 32, 33, 34, 50_000] {
            assert!(is_json(&format!("{}\"]\"{}", "[".repeat(depth), "]".repeat(depth))), "{depth}");
        }
    }
}
