//! Parses lists and dictionaries of Structured Fields (RFC 9651).
//!
//! Written by hand: a parser that follows the RFC rejects the whole field at the first fault, distinguishes the case
//! of keys and returns no spans. Here, valid members of a list survive, each with its span (S-23). A test checks that
//! valid input gives the same result as the `sfv` crate.

use std::borrow::Cow;
use std::collections::HashSet;

/// A member of a list, or malformed text in its place.
#[derive(Debug)]
pub(crate) enum Member<'t, 'm> {
    /// An item, or an inner list, with its parameters.
    Valid(&'m ValidMember<'t>),
    /// Malformed text; it is dropped up to the next comma.
    Malformed((usize, usize)),
}

/// A valid member. One value is reused for all members.
#[derive(Debug, Default)]
pub(crate) struct ValidMember<'t> {
    pub(crate) span: (usize, usize),
    pub(crate) is_inner_list: bool,
    /// The item, or the items of the inner list.
    pub(crate) items: Vec<Item<'t>>,
    /// All parameters in the order written, including repeated ones.
    pub(crate) parameters: Vec<Parameter<'t>>,
}

/// A bare item and its span. In an inner list, the parameters of the items come before those of the list.
#[derive(Debug)]
pub(crate) struct Item<'t> {
    pub(crate) bare: BareItem<'t>,
    pub(crate) span: (usize, usize),
    /// The range of its own parameters, if it is in an inner list; else empty.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests compare it with the `sfv` crate"))]
    pub(crate) own: (usize, usize),
}

/// A parameter. `key` is as written, in any case.
#[derive(Debug)]
pub(crate) struct Parameter<'t> {
    pub(crate) key: &'t [u8],
    pub(crate) value: BareItem<'t>,
    pub(crate) span: (usize, usize),
}

/// A bare item (RFC 9651, 3.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BareItem<'t> {
    Integer(&'t [u8]),
    Decimal(&'t [u8]),
    String(Cow<'t, [u8]>),
    Token(&'t [u8]),
    Bytes(&'t [u8]),
    Boolean(bool),
    Date(i64),
    Display(Vec<u8>),
}

/// Calls `found` with every member of `text`, in order. `is_cut` means that the text continues after its end; a
/// member that reaches the end is then not reported.
///
/// A malformed member ends at the next comma after its start, even inside quotation marks. Cost: O(text). After a
/// malformed member, parsing resumes at that comma, where a string that was open before is closed. So each byte is
/// parsed only a few times.
pub(crate) fn members<'t>(text: &'t [u8], is_cut: bool, found: &mut dyn FnMut(Member<'t, '_>)) {
    let mut reader = FieldReader { text, at: 0 };
    let mut member = ValidMember::default();
    reader.skip_blanks();
    if reader.is_at_end() {
        return;
    }
    loop {
        let start = reader.at;
        let is_valid = reader.member(&mut member).is_some();
        let end = reader.at;
        reader.skip_blanks();
        if is_valid && (reader.peek() == Some(b',') || (reader.is_at_end() && !is_cut)) {
            member.span = (start, end);
            found(Member::Valid(&member));
        } else {
            let rest = text.get(start..).unwrap_or_default();
            match memchr::memchr(b',', rest) {
                Some(length) => {
                    reader.at = start + length;
                    found(Member::Malformed((start, start + length)));
                }
                None if is_cut => return,
                None => {
                    found(Member::Malformed((start, text.len())));
                    return;
                }
            }
        }
        if reader.take(b',').is_none() {
            return;
        }
        reader.skip_blanks();
    }
}

/// A member of a dictionary: its key, its value if that is a token, and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DictionaryMember<'t> {
    pub(crate) key: &'t [u8],
    pub(crate) token: Option<&'t [u8]>,
    pub(crate) span: (usize, usize),
}

/// Parses a dictionary (RFC 9651, 4.2.2). Returns the last member of each key, or `None` at the first fault, as the
/// RFC requires.
///
/// Cost: O(text).
pub(crate) fn dictionary(text: &[u8]) -> Option<Vec<DictionaryMember<'_>>> {
    let mut keyed = members_by_key(text)?;
    let mut known = HashSet::new();
    keyed.reverse();
    keyed.retain(|member| known.insert(member.key));
    keyed.reverse();
    Some(keyed)
}

fn members_by_key(text: &[u8]) -> Option<Vec<DictionaryMember<'_>>> {
    let mut found = Vec::new();
    let mut reader = FieldReader { text, at: 0 };
    let mut member = ValidMember::default();
    reader.skip_spaces();
    while !reader.is_at_end() {
        let start = reader.at;
        let key =
            reader.take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.*".contains(&byte));
        if !key.first().is_some_and(|byte| byte.is_ascii_lowercase() || *byte == b'*') {
            return None;
        }
        let token = if reader.take(b'=').is_some() {
            reader.member(&mut member)?;
            match member.items.as_slice() {
                [Item { bare: BareItem::Token(token), .. }] if !member.is_inner_list => Some(*token),
                _ => None,
            }
        } else {
            member.parameters.clear();
            reader.parameters(&mut member.parameters)?;
            None
        };
        if member.parameters.iter().any(|parameter| parameter.key.iter().any(u8::is_ascii_uppercase)) {
            return None;
        }
        found.push(DictionaryMember { key, token, span: (start, reader.at) });
        reader.skip_blanks();
        if reader.is_at_end() {
            return Some(found);
        }
        reader.take(b',')?;
        reader.skip_blanks();
        if reader.is_at_end() {
            return None;
        }
    }
    Some(found)
}

struct FieldReader<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> FieldReader<'t> {
    fn member(&mut self, member: &mut ValidMember<'t>) -> Option<()> {
        member.items.clear();
        member.parameters.clear();
        member.is_inner_list = self.peek() == Some(b'(');
        if member.is_inner_list {
            self.at += 1;
            loop {
                self.skip_spaces();
                if self.take(b')').is_some() {
                    break;
                }
                let (item, before) = (self.item()?, member.parameters.len());
                self.parameters(&mut member.parameters)?;
                member.items.push(Item { own: (before, member.parameters.len()), ..item });
                if !matches!(self.peek(), Some(b' ' | b')')) {
                    return None;
                }
            }
        } else {
            member.items.push(self.item()?);
        }
        self.parameters(&mut member.parameters)
    }

    fn item(&mut self) -> Option<Item<'t>> {
        let start = self.at;
        let bare = self.bare()?;
        Some(Item { bare, span: (start, self.at), own: (0, 0) })
    }

    fn parameters(&mut self, parameters: &mut Vec<Parameter<'t>>) -> Option<()> {
        while self.take(b';').is_some() {
            self.skip_spaces();
            let start = self.at;
            if !self.peek()?.is_ascii_alphabetic() && self.peek()? != b'*' {
                return None;
            }
            let key = self.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'*'));
            let value = if self.take(b'=').is_some() { self.bare()? } else { BareItem::Boolean(true) };
            parameters.push(Parameter { key, value, span: (start, self.at) });
        }
        Some(())
    }

    fn bare(&mut self) -> Option<BareItem<'t>> {
        match self.peek()? {
            b'"' => self.string().map(BareItem::String),
            b'-' | b'0'..=b'9' => self.number(),
            b'*' | b'a'..=b'z' | b'A'..=b'Z' => Some(BareItem::Token(self.take_while(is_token_character))),
            b':' => self.bytes().map(BareItem::Bytes),
            b'?' => {
                self.at += 1;
                let is_true = self.take(b'1').is_some();
                (is_true || self.take(b'0').is_some()).then_some(BareItem::Boolean(is_true))
            }
            b'@' => {
                self.at += 1;
                let BareItem::Integer(digits) = self.number()? else { return None };
                std::str::from_utf8(digits).ok()?.parse().ok().map(BareItem::Date)
            }
            b'%' => self.display().map(BareItem::Display),
            _ => None,
        }
    }

    /// Parses a number (RFC 9651, 4.2.4): up to fifteen digits, or up to twelve digits, a point and up to three
    /// digits.
    fn number(&mut self) -> Option<BareItem<'t>> {
        let start = self.at;
        let _ = self.take(b'-');
        let whole = self.take_while(|byte| byte.is_ascii_digit()).len();
        let fraction = if whole > 0 && self.take(b'.').is_some() {
            Some(self.take_while(|byte| byte.is_ascii_digit()).len())
        } else {
            None
        };
        let written = self.text.get(start..self.at)?;
        match fraction {
            None => (1..=15).contains(&whole).then_some(BareItem::Integer(written)),
            Some(places) => {
                ((1..=12).contains(&whole) && (1..=3).contains(&places)).then_some(BareItem::Decimal(written))
            }
        }
    }

    fn string(&mut self) -> Option<Cow<'t, [u8]>> {
        self.take(b'"')?;
        let start = self.at;
        let plain = self.take_while(is_plain);
        if self.take(b'"').is_some() {
            return Some(Cow::Borrowed(plain));
        }
        self.at = start;
        let mut string = Vec::new();
        loop {
            string.extend_from_slice(self.take_while(is_plain));
            match self.next()? {
                b'"' => return Some(Cow::Owned(string)),
                b'\\' => string.push(self.next().filter(|byte| matches!(byte, b'"' | b'\\'))?),
                _ => return None,
            }
        }
    }

    fn bytes(&mut self) -> Option<&'t [u8]> {
        self.take(b':')?;
        let base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        let bytes = self.take_while(base64);
        self.take(b':').map(|()| bytes)
    }

    /// Parses a display string (RFC 9651, 4.2.10): UTF-8, with escapes in lower case.
    fn display(&mut self) -> Option<Vec<u8>> {
        self.take(b'%')?;
        self.take(b'"')?;
        let mut string = Vec::new();
        loop {
            match self.next()? {
                b'"' => return std::str::from_utf8(&string).is_ok().then_some(string),
                b'%' => string.push(lower_hex(self.next()?)? << 4 | lower_hex(self.next()?)?),
                byte @ 0x20..=0x7E => string.push(byte),
                _ => return None,
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'t [u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| belongs(**byte)).count();
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    fn skip_spaces(&mut self) {
        self.take_while(|byte| byte == b' ');
    }

    fn skip_blanks(&mut self) {
        self.take_while(|byte| matches!(byte, b' ' | b'\t'));
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }
}

/// Whether a byte may be in a token after its first character (RFC 9651, 3.3.4).
fn is_token_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.')
        || matches!(byte, b'^' | b'_' | b'`' | b'|' | b'~' | b':' | b'/')
}

/// Whether a character of a string needs no escape.
fn is_plain(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7E) && !matches!(byte, b'"' | b'\\')
}

fn lower_hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sfv::{BareItem as SfvItem, Dictionary, List, ListEntry, Parser};

    /// A bare item in the form in which both parsers are compared.
    fn ours(bare: &BareItem<'_>) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match bare {
            BareItem::Integer(digits) => format!("integer {}", text(digits).parse::<i64>().unwrap_or(i64::MAX)),
            // Zero and negative zero are equal.
            BareItem::Decimal(digits) => {
                format!("decimal {:.3}", text(digits).parse::<f64>().unwrap_or(f64::NAN) + 0.0)
            }
            BareItem::String(string) => format!("string {}", text(string)),
            BareItem::Token(token) => format!("token {}", text(token)),
            BareItem::Bytes(_) => "bytes".to_owned(),
            BareItem::Boolean(value) => format!("boolean {value}"),
            BareItem::Date(seconds) => format!("date {seconds}"),
            BareItem::Display(string) => format!("display {}", text(string)),
        }
    }

    fn theirs(bare: &SfvItem) -> String {
        match bare {
            SfvItem::Integer(number) => format!("integer {}", i64::from(*number)),
            SfvItem::Decimal(number) => format!("decimal {:.3}", f64::from(*number) + 0.0),
            SfvItem::String(string) => format!("string {}", string.as_str()),
            SfvItem::Token(token) => format!("token {}", token.as_str()),
            SfvItem::ByteSequence(_) => "bytes".to_owned(),
            SfvItem::Boolean(value) => format!("boolean {value}"),
            SfvItem::Date(date) => format!("date {}", i64::from(date.unix_seconds())),
            SfvItem::DisplayString(string) => format!("display {string}"),
        }
    }

    /// The parameters with the last value of each key, as the RFC requires.
    fn collapsed(parameters: &[Parameter<'_>]) -> Vec<(String, String)> {
        let mut kept: Vec<(String, String)> = Vec::new();
        for parameter in parameters {
            let (key, value) = (String::from_utf8_lossy(parameter.key).to_ascii_lowercase(), ours(&parameter.value));
            match kept.iter_mut().find(|(known, _)| *known == key) {
                Some(entry) => entry.1 = value,
                None => kept.push((key, value)),
            }
        }
        kept
    }

    /// A member: its items with their own parameters, and the parameters of the member.
    type Comparable = (Vec<(String, Vec<(String, String)>)>, Vec<(String, String)>);

    fn seen(text: &str, is_cut: bool) -> (Vec<Comparable>, usize) {
        let (mut valid, mut malformed) = (Vec::new(), 0);
        members(text.as_bytes(), is_cut, &mut |member| match member {
            Member::Valid(member) => {
                let shared = member.items.last().map_or(0, |item| item.own.1);
                let own =
                    |item: &Item<'_>| collapsed(member.parameters.get(item.own.0..item.own.1).unwrap_or_default());
                let items = member.items.iter().map(|item| (ours(&item.bare), own(item))).collect();
                valid.push((items, collapsed(member.parameters.get(shared..).unwrap_or_default())));
            }
            Member::Malformed((start, end)) => {
                assert!(start <= end && end <= text.len());
                malformed += 1;
            }
        });
        (valid, malformed)
    }

    fn expected(text: &str) -> Option<Vec<Comparable>> {
        let list: List = Parser::new(text).parse().ok()?;
        let parameters = |parameters: &sfv::Parameters| -> Vec<(String, String)> {
            parameters.iter().map(|(key, value)| (key.as_str().to_owned(), theirs(value))).collect()
        };
        let shown = list.iter().map(|entry| match entry {
            ListEntry::Item(item) => (vec![(theirs(&item.bare_item), Vec::new())], parameters(&item.params)),
            ListEntry::InnerList(inner) => {
                let items = inner.items.iter().map(|item| (theirs(&item.bare_item), parameters(&item.params)));
                (items.collect(), parameters(&inner.params))
            }
        });
        Some(shown.collect())
    }

    /// Both return the same, or the crate fails and at least one member is malformed here.
    fn agree(text: &str) {
        match expected(text) {
            Some(expected) => assert_eq!(seen(text, false), (expected, 0), "{text}"),
            // Byte sequences are not decoded here, so invalid ones are accepted.
            None => assert!(seen(text, false).1 > 0 || text.contains(':'), "{text}"),
        }
    }

    /// Both return the same dictionary, or both fail.
    fn agree_on_dictionary(text: &str) {
        let theirs = Parser::new(text).parse::<Dictionary>().ok();
        let theirs = theirs.map(|dictionary| {
            let token = |entry: &ListEntry| match entry {
                ListEntry::Item(item) => item.bare_item.as_token().map(|token| token.as_str().to_owned()),
                ListEntry::InnerList(_) => None,
            };
            let mut shown: Vec<_> =
                dictionary.iter().map(|(key, entry)| (key.as_str().to_owned(), token(entry))).collect();
            shown.sort();
            shown
        });
        let owned = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let ours = dictionary(text.as_bytes()).map(|members| {
            let mut shown: Vec<_> = members.iter().map(|member| (owned(member.key), member.token.map(owned))).collect();
            shown.sort();
            shown
        });
        // Byte sequences are not decoded here, so invalid ones are accepted.
        assert!(ours == theirs || text.contains(':'), "{text}: {ours:?} {theirs:?}");
    }

    #[test]
    fn s41_dictionaries_agree_with_sfv() {
        for text in [
            "train-ai=n, search=y",
            "train-ai=y, train-ai, search=n, search=\"n\"",
            "train-ai;allow=n, train-ai=y",
            "a;B",
            "A=n",
            "a=n,",
            ",a",
            "a=n b",
            "a=(b c);d, e",
            "a = n",
            "a=n\t,\tb",
            " a=n ",
            "a=n\t",
            "*a=1",
            "1a=1",
            "a=",
            "a;b=?0;c, d=1.5",
            "",
        ] {
            agree_on_dictionary(text);
        }
    }

    #[test]
    fn s23_lists_agree_with_sfv() {
        for text in [
            "",
            "  ",
            "*;noindex",
            "*;nosnippet, ExampleBot;noindex",
            "\"360Spider\";noindex;max-snippet=20",
            "a;b=\"x, \\\"y\\\" \\\\\";c=?0;c;d=@1767225600;e=-1.5;f=:aGk=:;g=%\"f%c3%bc\"",
            "(a b;x);noindex, ()",
            "( a  b );y",
            "a ,\tb",
            "a;  b",
            "*foo/bar:baz",
            "123456789012345, 123456789012.123, -0",
            "a,",
            "a,,b",
            ",a",
            "a b",
            "a;",
            "a;;b",
            "a;B",
            "a;b=",
            "a; b =c",
            "1234567890123456",
            "1234567890123.1",
            "1.",
            "1.1234",
            "-",
            "--1",
            "?2",
            "@1.5",
            "@",
            "\"a",
            "\"\\x\"",
            "\"\u{7F}\"",
            "\"\u{E9}\"",
            "(a",
            "(a\tb)",
            "(a,b)",
            "%\"%C3\"",
            "%\"%ff\"",
            "%a",
            "\u{E9}",
            "\0",
            "360Spider;noindex",
        ] {
            // Keys may be in upper case here.
            if text != "a;B" {
                agree(text);
            }
        }
    }

    #[test]
    fn s23_there_is_one_zero() {
        agree("-0.000, 0.0");
    }

    #[test]
    fn s23_keys_may_be_in_any_case() {
        assert_eq!(seen("*;NoIndex;b=C", false), (expected("*;noindex;b=C").unwrap_or_default(), 0));
    }

    #[test]
    fn s23_reading_resumes_after_the_next_comma() {
        let names = |text: &str| -> Vec<String> {
            seen(text, false).0.into_iter().flat_map(|(items, _)| items.into_iter().map(|(item, _)| item)).collect()
        };
        assert_eq!(names("a, ;;;, b"), ["token a", "token b"]);
        assert_eq!(names("a;x=\"unclosed, b, c"), ["token b", "token c"]);
        assert_eq!(names("a b, \"c\" d, e"), ["token e"]);
        assert_eq!(names("a;x=\"1, b\" junk, c"), ["token c"]);
        assert_eq!(names(",,,a"), ["token a"]);
    }

    #[test]
    fn s22_the_member_at_the_cut_is_not_reported() {
        let count = |text: &str| seen(text, true).0.len();
        assert_eq!(count("a, b"), 1);
        assert_eq!(count("a, b,"), 2);
        assert_eq!(count("a, b, "), 2);
        assert_eq!(count("a, b;x=\"y"), 1);
        assert_eq!(count("a"), 0);
        assert_eq!(seen("a, b;", true).1, 0);
    }

    fn bare() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-zA-Z*][a-zA-Z0-9*!#$%&'+.^_`|~:/-]{0,6}",
            "-?[0-9]{1,15}",
            "-?[0-9]{1,12}\\.[0-9]{1,3}",
            "\"([ -!#-\\[\\]-~]|\\\\\"|\\\\\\\\){0,8}\"",
            Just(":aGVsbG8=:".to_owned()),
            Just("?0".to_owned()),
            Just("?1".to_owned()),
            "@-?[0-9]{1,12}",
            Just("%\"f%c3%bcr, \"".to_owned()),
        ]
    }

    fn parameters() -> impl Strategy<Value = String> {
        let parameter = ("; {0,2}[a-z*][a-z0-9_.*-]{0,2}", prop::option::of(bare()));
        let parameter = parameter.prop_map(|(key, value)| value.map_or(key.clone(), |value| format!("{key}={value}")));
        prop::collection::vec(parameter, 0..4).prop_map(|parameters| parameters.concat())
    }

    fn member() -> impl Strategy<Value = String> {
        let item = || (bare(), parameters()).prop_map(|(bare, parameters)| bare + &parameters);
        let inner = (prop::collection::vec(item(), 0..3), parameters());
        prop_oneof![
            4 => item(),
            1 => inner.prop_map(|(items, parameters)| format!("({}){parameters}", items.join(" "))),
        ]
    }

    proptest! {
        /// Law: a valid list gives the same result as the crate.
        #[test]
        fn s23_generated_lists_agree_with_sfv(list in prop::collection::vec(member(), 0..5)) {
            let text = list.join(" ,\t");
            prop_assert_eq!(Some(seen(&text, false)), expected(&text).map(|members| (members, 0)), "{}", text);
        }

        /// Law: a disturbed list gives the same result as the crate, or has a malformed member.
        #[test]
        fn s23_disturbed_lists_too(
            list in prop::collection::vec(member(), 1..4),
            at in any::<prop::sample::Index>(),
            byte in "[ -~]",
        ) {
            let mut text = list.join(", ");
            let at = at.index(text.len());
            text.replace_range(at..=at, &byte);
            if text == text.to_ascii_lowercase() {
                agree(&text);
            }
        }

        /// Law: the members before a malformed one survive.
        #[test]
        fn s23_members_before_a_malformed_one_survive(
            list in prop::collection::vec(member(), 0..4),
            junk in "[ -~]{0,10}",
        ) {
            let valid = list.join(", ");
            let (before, _) = seen(&valid, false);
            let (both, _) = seen(&format!("{valid}{}{junk}", if list.is_empty() { "" } else { ", " }), false);
            prop_assert!(both.starts_with(&before));
        }
    }
}
