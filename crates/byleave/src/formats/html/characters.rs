//! Converts the bytes of a page to characters: encoding, line ends, NULs and character references.
//!
//! Only the requested parts are decoded. Bytes that need no conversion are not copied.

use super::tokens::{Content, Raw, Text, is_space};
use encoding_rs::{Encoding, UTF_8};
use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};
use memchr::memchr3;
use std::borrow::Cow;

/// Returns an attribute's value. It is decoded, line ends become LF, NULs become U+FFFD, and character references are
/// replaced.
///
/// Cost: linear in the value.
pub(crate) fn attribute_value<'p>(raw: &'p [u8], encoding: &'static Encoding) -> Cow<'p, str> {
    replaced(raw, encoding, Nulls::Replaced, decoded, |from| reference(from, ReferenceContext::Attribute))
}

/// Returns a text that has no character references. It is decoded, line ends become LF, and NULs become U+FFFD.
pub(crate) fn plain<'p>(raw: &'p [u8], encoding: &'static Encoding) -> Cow<'p, str> {
    replaced(raw, encoding, Nulls::Replaced, decoded, |_| None)
}

/// Decodes a text, and converts line ends to LF.
///
/// Cost: linear in the text.
pub(crate) fn text<'p>(
    raw: &'p [u8],
    encoding: &'static Encoding,
    (references, nulls): (References, Nulls),
    end: TextEnd,
) -> Cow<'p, str> {
    let last = match end {
        TextEnd::Markup => decoded,
        TextEnd::Page => decoded_last,
    };
    replaced(raw, encoding, nulls, last, |from| match references {
        References::Replaced => reference(from, ReferenceContext::Text),
        References::Kept => None,
    })
}

/// What follows a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextEnd {
    Markup,
    Page,
}

/// Whether character references are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum References {
    Replaced,
    Kept,
}

/// How NULs are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nulls {
    Dropped,
    /// NULs become U+FFFD.
    Replaced,
}

fn replaced<'p>(
    raw: &'p [u8],
    encoding: &'static Encoding,
    nulls: Nulls,
    last: fn(&'p [u8], &'static Encoding) -> Cow<'p, str>,
    reference: impl Fn(&[u8]) -> Option<Reference>,
) -> Cow<'p, str> {
    if memchr3(b'&', b'\r', 0, raw).is_none() {
        return last(raw, encoding);
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(special) = memchr3(b'&', b'\r', 0, rest) {
        let (before, from) = rest.split_at_checked(special).unwrap_or((rest, b""));
        if !before.is_empty() {
            value.push_str(&decoded(before, encoding));
        }
        let length = match from {
            [b'&', ..] => match reference(from) {
                Some(reference) => {
                    value.extend(reference.characters());
                    reference.length
                }
                None => {
                    value.push('&');
                    1
                }
            },
            [b'\r', ..] => {
                value.push('\n');
                if from.starts_with(b"\r\n") { 2 } else { 1 }
            }
            _ => {
                value.extend(Some('\u{FFFD}').filter(|_| nulls == Nulls::Replaced));
                1
            }
        };
        rest = from.get(length..).unwrap_or_default();
    }
    value.push_str(&last(rest, encoding));
    Cow::Owned(value)
}

/// Returns a name in lower case, with U+FFFD for each NUL.
pub(crate) fn name<'p>(raw: &'p [u8], encoding: &'static Encoding) -> Cow<'p, str> {
    let mut name = decoded(raw, encoding);
    if name.contains('\0') {
        name = Cow::Owned(name.replace('\0', "\u{FFFD}"));
    }
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        name.to_mut().make_ascii_lowercase();
    }
    name
}

/// Decodes a part of a page. Invalid bytes become U+FFFD.
///
/// In a page, an ASCII byte always follows the part, so the part is decoded as if a quote followed it. This matters if
/// the part ends with an incomplete multi-byte character: its ASCII bytes are kept if another character follows, but
/// not at the end of the input.
pub(crate) fn decoded<'p>(raw: &'p [u8], encoding: &'static Encoding) -> Cow<'p, str> {
    if encoding == UTF_8 {
        return match std::str::from_utf8(raw) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => encoding.decode_without_bom_handling(raw).0,
        };
    }
    if let (true, Ok(text)) = (raw.is_ascii(), std::str::from_utf8(raw)) {
        return Cow::Borrowed(text);
    }
    let followed: Vec<u8> = raw.iter().copied().chain([b'"']).collect();
    let mut text = encoding.decode_without_bom_handling(&followed).0.into_owned();
    text.pop();
    Cow::Owned(text)
}

/// Decodes the last bytes of a page.
fn decoded_last<'p>(raw: &'p [u8], encoding: &'static Encoding) -> Cow<'p, str> {
    encoding.decode_without_bom_handling(raw).0
}

/// Where a character reference occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReferenceContext {
    /// In an attribute value, where `&copy=` and `&copyx` are not references.
    Attribute,
    Text,
}

/// The characters of a character reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    first: char,
    second: Option<char>,
    /// The length of the reference in bytes, including `&` and `;`.
    pub length: usize,
}

impl Reference {
    pub fn characters(&self) -> impl Iterator<Item = char> + use<> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// Parses the character reference at the start of `raw`. Returns `None` if the `&` does not begin a reference.
///
/// Cost: linear in the reference.
pub(crate) fn reference(raw: &[u8], context: ReferenceContext) -> Option<Reference> {
    match raw {
        [b'&', b'#', b'x' | b'X', digits @ ..] => numeric(digits, 16, 3),
        [b'&', b'#', digits @ ..] => numeric(digits, 10, 2),
        [b'&', name @ ..] if name.first().is_some_and(u8::is_ascii_alphanumeric) => named(name, context),
        _ => None,
    }
}

fn numeric(digits: &[u8], radix: u32, prefix: usize) -> Option<Reference> {
    let values = digits.iter().map_while(|byte| char::from(*byte).to_digit(radix));
    let (mut number, mut count) = (0_u32, 0);
    for value in values {
        number = number.saturating_mul(radix).saturating_add(value);
        count += 1;
    }
    if count == 0 {
        return None;
    }
    let replaced = number.checked_sub(0x80).and_then(|index| C1_REPLACEMENTS.get(index as usize).copied().flatten());
    let first = match number {
        0 => '\u{FFFD}',
        _ => replaced.or(char::from_u32(number)).unwrap_or('\u{FFFD}'),
    };
    let semicolon = usize::from(digits.get(count) == Some(&b';'));
    Some(Reference { first, second: None, length: prefix + count + semicolon })
}

/// Finds the longest prefix of `name` that is in the standard's table.
fn named(name: &[u8], context: ReferenceContext) -> Option<Reference> {
    let mut found = None;
    // The table also contains every prefix of a name, with an empty result.
    for length in 1..=name.len() {
        let Some(written) = name.get(..length).and_then(|written| std::str::from_utf8(written).ok()) else { break };
        match NAMED_ENTITIES.get(written) {
            Some((0, _)) => {}
            Some(characters) => found = Some((*characters, length)),
            None => break,
        }
    }
    let ((first, second), length) = found?;
    let has_semicolon = name.get(length - 1) == Some(&b';');
    let goes_on = name.get(length).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'=');
    if context == ReferenceContext::Attribute && !has_semicolon && goes_on {
        return None;
    }
    let second = char::from_u32(second).filter(|second| *second != '\0');
    Some(Reference { first: char::from_u32(first)?, second, length: length + 1 })
}

/// The kind of a text's first character, as far as it matters for tree construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leading {
    /// A line feed, which may be written as LF, CR, CRLF or a reference.
    LineFeed,
    /// Other whitespace.
    Space,
    Null,
    /// Anything else.
    Character,
}

impl<'p> Text<'p> {
    /// Returns the kind of the character at byte `at`, and its length in bytes. Returns `None` at the end of the text.
    pub fn leading(&self, at: usize) -> Option<(Leading, usize)> {
        let rest = self.raw.get(at..)?;
        let has_references = !self.is_cdata && matches!(self.content, Content::Data | Content::Raw(Raw::Rcdata));
        Some(match rest {
            [] => return None,
            [b'\r', b'\n', ..] => (Leading::LineFeed, 2),
            [b'\n' | b'\r', ..] => (Leading::LineFeed, 1),
            [byte, ..] if is_space(*byte) => (Leading::Space, 1),
            [0, ..] if self.content == Content::Data => (Leading::Null, 1),
            [b'&', ..] if has_references => match reference(rest, ReferenceContext::Text) {
                Some(reference) => (Leading::of(&reference), reference.length),
                None => (Leading::Character, 1),
            },
            _ => (Leading::Character, 1),
        })
    }

    /// Returns the offset of the first character that is not whitespace.
    pub fn first_character(&self) -> Option<usize> {
        let mut at = self.raw.iter().position(|byte| !is_space(*byte))?;
        loop {
            match self.leading(at)? {
                (Leading::LineFeed | Leading::Space, length) => at += length,
                (Leading::Null | Leading::Character, _) => return Some(at),
            }
        }
    }
}

impl Leading {
    fn of(reference: &Reference) -> Self {
        match reference.first {
            '\n' => Self::LineFeed,
            ' ' | '\t' | '\r' | '\u{C}' => Self::Space,
            _ => Self::Character,
        }
    }
}
