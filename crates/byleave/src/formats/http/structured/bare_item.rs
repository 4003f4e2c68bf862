//! Parses bare items in Structured Fields: numbers, strings, tokens and other values (RFC 9651, 3.3).

use crate::base::cursor::Cursor;
use std::borrow::Cow;

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

/// Parses a bare item.
pub(super) fn bare_item<'t>(cursor: &mut Cursor<'t>) -> Option<BareItem<'t>> {
    match cursor.peek()? {
        b'"' => string(cursor).map(BareItem::String),
        b'-' | b'0'..=b'9' => number(cursor),
        b'*' | b'a'..=b'z' | b'A'..=b'Z' => Some(BareItem::Token(cursor.take_while(is_token_character))),
        b':' => bytes(cursor).map(BareItem::Bytes),
        b'?' => {
            cursor.at += 1;
            let is_true = cursor.take(b'1').is_some();
            (is_true || cursor.take(b'0').is_some()).then_some(BareItem::Boolean(is_true))
        }
        b'@' => {
            cursor.at += 1;
            let BareItem::Integer(digits) = number(cursor)? else { return None };
            std::str::from_utf8(digits).ok()?.parse().ok().map(BareItem::Date)
        }
        b'%' => display(cursor).map(BareItem::Display),
        _ => None,
    }
}

/// Parses a number (RFC 9651, 4.2.4). It has up to fifteen digits, or up to twelve digits, a point and up to three
/// digits.
fn number<'t>(cursor: &mut Cursor<'t>) -> Option<BareItem<'t>> {
    let start = cursor.at;
    let _ = cursor.take(b'-');
    let whole = cursor.take_while(|byte| byte.is_ascii_digit()).len();
    let fraction = if whole > 0 && cursor.take(b'.').is_some() {
        Some(cursor.take_while(|byte| byte.is_ascii_digit()).len())
    } else {
        None
    };
    let written = cursor.text.get(start..cursor.at)?;
    match fraction {
        None => (1..=15).contains(&whole).then_some(BareItem::Integer(written)),
        Some(places) => ((1..=12).contains(&whole) && (1..=3).contains(&places)).then_some(BareItem::Decimal(written)),
    }
}

fn string<'t>(cursor: &mut Cursor<'t>) -> Option<Cow<'t, [u8]>> {
    cursor.take(b'"')?;
    let start = cursor.at;
    let plain = cursor.take_while(is_plain);
    if cursor.take(b'"').is_some() {
        return Some(Cow::Borrowed(plain));
    }
    cursor.at = start;
    let mut string = Vec::new();
    loop {
        string.extend_from_slice(cursor.take_while(is_plain));
        match cursor.next_byte()? {
            b'"' => return Some(Cow::Owned(string)),
            b'\\' => string.push(cursor.next_byte().filter(|byte| matches!(byte, b'"' | b'\\'))?),
            _ => return None,
        }
    }
}

fn bytes<'t>(cursor: &mut Cursor<'t>) -> Option<&'t [u8]> {
    cursor.take(b':')?;
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let bytes = cursor.take_while(base64);
    cursor.take(b':').map(|()| bytes)
}

/// Parses a display string (RFC 9651, 4.2.10), which is UTF-8 with lower-case escapes.
fn display(cursor: &mut Cursor<'_>) -> Option<Vec<u8>> {
    cursor.take(b'%')?;
    cursor.take(b'"')?;
    let mut string = Vec::new();
    loop {
        match cursor.next_byte()? {
            b'"' => return std::str::from_utf8(&string).is_ok().then_some(string),
            b'%' => string.push(lower_hex(cursor.next_byte()?)? << 4 | lower_hex(cursor.next_byte()?)?),
            byte @ 0x20..=0x7E => string.push(byte),
            _ => return None,
        }
    }
}

/// Returns whether a token may contain a byte after its first character (RFC 9651, 3.3.4).
fn is_token_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.')
        || matches!(byte, b'^' | b'_' | b'`' | b'|' | b'~' | b':' | b'/')
}

/// Returns whether a character in a string needs no escape.
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
