//! Parses Structured Fields lists and dictionaries (RFC 9651).
//!
//! This parser is written by hand. A parser that follows the RFC rejects the whole field at the first fault and accepts
//! only lower-case keys. Also, the `sfv` crate does not return spans. Here, valid members of a list are kept, each with
//! its span (S-23). A test checks that valid input gives the same result as with the `sfv` crate.

mod bare_item;
mod dictionary;

pub(crate) use bare_item::BareItem;
pub(crate) use dictionary::{DictionaryMember, dictionary};

use crate::base::cursor::Cursor;
use bare_item::bare_item;

/// A member of a list, or malformed text in its place.
#[derive(Debug)]
pub(crate) enum Member<'t, 'm> {
    /// An item, or an inner list, with its parameters.
    Valid(&'m ValidMember<'t>),
    /// Malformed text, which is dropped up to the next comma.
    Malformed((usize, usize)),
}

/// A valid member. The parser reuses one `ValidMember` for all members.
#[derive(Debug, Default)]
pub(crate) struct ValidMember<'t> {
    pub(crate) span: (usize, usize),
    pub(crate) is_inner_list: bool,
    /// The item, or the items in the inner list.
    pub(crate) items: Vec<Item<'t>>,
    /// All parameters in the order written, including repeated ones.
    pub(crate) parameters: Vec<Parameter<'t>>,
}

/// A bare item and its span. Its parameters are in [`ValidMember::parameters`], where the parameters of an inner list's
/// items precede those of the list.
#[derive(Debug)]
pub(crate) struct Item<'t> {
    pub(crate) bare: BareItem<'t>,
    pub(crate) span: (usize, usize),
    /// The range of the item's own parameters if it is in an inner list, otherwise empty.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests compare it with the `sfv` crate"))]
    pub(crate) own: (usize, usize),
}

/// A parameter. `key` is as written, with any capitalization.
#[derive(Debug)]
pub(crate) struct Parameter<'t> {
    pub(crate) key: &'t [u8],
    pub(crate) value: BareItem<'t>,
    pub(crate) span: (usize, usize),
}

/// Calls `found` with every member in `text`, in order. If `is_cut`, the text was cut off, and a member that reaches
/// the end of the text is not reported.
///
/// A malformed member ends at the next comma after its start, even inside quotation marks. Parsing resumes at that
/// comma, outside any string.
///
/// Cost: O(text), because each byte is parsed only a few times.
pub(crate) fn members<'t>(text: &'t [u8], is_cut: bool, found: &mut dyn FnMut(Member<'t, '_>)) {
    let mut cursor = Cursor::new(text);
    let mut member = ValidMember::default();
    skip_blanks(&mut cursor);
    if cursor.is_at_end() {
        return;
    }
    loop {
        let start = cursor.at;
        let is_valid = parse_member(&mut cursor, &mut member).is_some();
        let end = cursor.at;
        skip_blanks(&mut cursor);
        if is_valid && (cursor.peek() == Some(b',') || (cursor.is_at_end() && !is_cut)) {
            member.span = (start, end);
            found(Member::Valid(&member));
        } else {
            let rest = text.get(start..).unwrap_or_default();
            match memchr::memchr(b',', rest) {
                Some(length) => {
                    cursor.at = start + length;
                    found(Member::Malformed((start, start + length)));
                }
                None if is_cut => return,
                None => {
                    found(Member::Malformed((start, text.len())));
                    return;
                }
            }
        }
        if cursor.take(b',').is_none() {
            return;
        }
        skip_blanks(&mut cursor);
    }
}

fn parse_member<'t>(cursor: &mut Cursor<'t>, member: &mut ValidMember<'t>) -> Option<()> {
    member.items.clear();
    member.parameters.clear();
    member.is_inner_list = cursor.peek() == Some(b'(');
    if member.is_inner_list {
        cursor.at += 1;
        loop {
            skip_spaces(cursor);
            if cursor.take(b')').is_some() {
                break;
            }
            let (item, before) = (parse_item(cursor)?, member.parameters.len());
            parse_parameters(cursor, &mut member.parameters)?;
            member.items.push(Item { own: (before, member.parameters.len()), ..item });
            if !matches!(cursor.peek(), Some(b' ' | b')')) {
                return None;
            }
        }
    } else {
        member.items.push(parse_item(cursor)?);
    }
    parse_parameters(cursor, &mut member.parameters)
}

fn parse_item<'t>(cursor: &mut Cursor<'t>) -> Option<Item<'t>> {
    let start = cursor.at;
    let bare = bare_item(cursor)?;
    Some(Item { bare, span: (start, cursor.at), own: (0, 0) })
}

fn parse_parameters<'t>(cursor: &mut Cursor<'t>, parameters: &mut Vec<Parameter<'t>>) -> Option<()> {
    while cursor.take(b';').is_some() {
        skip_spaces(cursor);
        let start = cursor.at;
        if !cursor.peek()?.is_ascii_alphabetic() && cursor.peek()? != b'*' {
            return None;
        }
        let key = cursor.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'*'));
        let value = if cursor.take(b'=').is_some() { bare_item(cursor)? } else { BareItem::Boolean(true) };
        parameters.push(Parameter { key, value, span: (start, cursor.at) });
    }
    Some(())
}

fn skip_spaces(cursor: &mut Cursor<'_>) {
    cursor.take_while(|byte| byte == b' ');
}

fn skip_blanks(cursor: &mut Cursor<'_>) {
    cursor.take_while(|byte| matches!(byte, b' ' | b'\t'));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sfv::{BareItem as SfvItem, List, ListEntry, Parser};

    /// Returns a bare item as text, to compare it with the result of the `sfv` crate.
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

    /// Returns the parameters with the last value for each key, as the RFC requires.
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

    /// A member: its items with their own parameters, and the member's parameters.
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

    /// Checks that both parsers return the same result. If the `sfv` crate rejects the text, this parser must report at
    /// least one malformed member.
    fn agree(text: &str) {
        match expected(text) {
            Some(expected) => assert_eq!(seen(text, false), (expected, 0), "{text}"),
            // This parser does not decode byte sequences (`:YQ==:`), so it accepts invalid ones.
            None => assert!(seen(text, false).1 > 0 || text.contains(':'), "{text}"),
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
            // Unlike the `sfv` crate, this parser accepts keys in upper case.
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
        /// Law: for a valid list, both parsers return the same result.
        #[test]
        fn s23_generated_lists_agree_with_sfv(list in prop::collection::vec(member(), 0..5)) {
            let text = list.join(" ,\t");
            prop_assert_eq!(Some(seen(&text, false)), expected(&text).map(|members| (members, 0)), "{}", text);
        }

        /// Law: for a list with a random change, both parsers return the same result, or a member is malformed.
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

        /// Law: the members before a malformed member are kept.
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
