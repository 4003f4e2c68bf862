//! Determines the encoding of a page, and how much of the page is read (S-22).
//!
//! The encoding is determined by a byte order mark, else by the transport, else by a META tag or an XML declaration in
//! the first 1,024 bytes. The default is UTF-8. This is the HTML standard's sniffing algorithm without its optional
//! steps, such as guessing, and without changing the encoding at a later META tag.
//!
//! In most encodings, a byte below 0x40 that is not a digit is always an ASCII character. Pages in these encodings are
//! tokenized without conversion, and characters are decoded on demand. Other pages (UTF-16, ISO-2022-JP, and encodings
//! that the standard refuses to decode) are converted to UTF-8 first. A page with CDATA is also converted first if `]`
//! may be the second byte of a character in its encoding, because `]` ends CDATA.

use super::tokens::is_space;
use crate::base::limits::Limits;
use encoding_rs::{
    BIG5, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
    X_USER_DEFINED,
};
use memchr::{memchr, memmem};
use std::borrow::Cow;

/// The bytes of a page, ready for the tokenizer.
#[derive(Clone, Debug)]
pub struct Decoded<'p> {
    text: Cow<'p, [u8]>,
    start: usize,
    encoding: &'static Encoding,
    is_truncated: bool,
    is_transcoded: bool,
    is_xml: bool,
}

/// Returns a page's bytes, up to the limit, and their encoding. `transport_charset` is the `charset` in the page's
/// `Content-Type`. An unknown charset is ignored.
///
/// ```
/// use byleave::Limits;
/// use byleave::analysis::html as page;
/// let text = b"<meta charset=windows-1251><meta name=author content='\xC0\xED\xED\xE0'>";
/// let page = page::decoded(text, None, &Limits::default());
/// assert_eq!(page.encoding(), "windows-1251");
/// page::head_metas(&page, |meta| assert!(meta.content().is_none_or(|content| content == "Анна")));
/// ```
///
/// Cost: constant, or linear if the page has to be converted to UTF-8 or searched for CDATA.
#[must_use]
pub fn decoded<'p>(bytes: &'p [u8], transport_charset: Option<&str>, limits: &Limits) -> Decoded<'p> {
    let limit = limits.page.min(Limits::MAX_PAGE);
    let read = bytes.get(..limit).unwrap_or(bytes);
    let is_truncated = read.len() < bytes.len();
    let (encoding, start) = match Encoding::for_bom(read) {
        Some((encoding, length)) => (encoding, length),
        None => {
            let transport = transport_charset.and_then(|label| Encoding::for_label(label.as_bytes()));
            (transport.or_else(|| declared_encoding(read)).unwrap_or(UTF_8), 0)
        }
    };
    let may_hide_end = MAY_END_WITH_BRACKET.contains(&encoding) && memmem::find(read, b"<![CDATA[").is_some();
    if is_read_as_bytes(encoding) && !may_hide_end {
        return Decoded {
            text: Cow::Borrowed(read),
            start,
            encoding,
            is_truncated,
            is_transcoded: false,
            is_xml: false,
        };
    }
    let (text, _) = encoding.decode_without_bom_handling(read.get(start..).unwrap_or_default());
    let text = Cow::Owned(text.into_owned().into_bytes());
    Decoded { text, start: 0, encoding, is_truncated, is_transcoded: true, is_xml: false }
}

/// How a page is decoded, without the page's bytes. It is stored so that the encoding is determined only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecodingInfo {
    start: usize,
    length: usize,
    encoding: &'static Encoding,
    is_truncated: bool,
    is_transcoded: bool,
    is_xml: bool,
}

impl<'p> Decoded<'p> {
    /// Returns how the page is decoded, without the page's bytes.
    pub(crate) fn info(&self) -> DecodingInfo {
        let &Self { start, encoding, is_truncated, is_transcoded, is_xml, .. } = self;
        DecodingInfo { start, length: self.text.len(), encoding, is_truncated, is_transcoded, is_xml }
    }

    /// Returns a page that was decoded before, from its bytes or its converted text.
    ///
    /// Cost: constant.
    pub(crate) fn restored(info: DecodingInfo, text: &'p [u8]) -> Self {
        let DecodingInfo { start, length, encoding, is_truncated, is_transcoded, is_xml } = info;
        let text = Cow::Borrowed(text.get(..length).unwrap_or(text));
        Self { text, start, encoding, is_truncated, is_transcoded, is_xml }
    }
}

impl Decoded<'_> {
    /// Returns the bytes that spans refer to. These are the page's bytes, or their conversion to UTF-8 if
    /// [`is_transcoded`](Self::is_transcoded).
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the encoding's standard name, such as `UTF-8`.
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        self.encoding.name()
    }

    /// Returns whether the page was converted to UTF-8 before it was tokenized.
    #[must_use]
    pub fn is_transcoded(&self) -> bool {
        self.is_transcoded
    }

    /// Returns whether the page is longer than the limit.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    /// Returns the same page, to be parsed as XHTML, in which `/>` ends any element (S-24).
    #[must_use]
    pub fn as_xml(self) -> Self {
        Self { is_xml: true, ..self }
    }

    /// Returns whether `/>` ends any element.
    pub(crate) fn is_xml(&self) -> bool {
        self.is_xml
    }

    /// Returns the offset at which the page begins, after a byte order mark.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Returns the encoding of [`text`](Self::text).
    pub(crate) fn text_encoding(&self) -> &'static Encoding {
        if self.is_transcoded() { UTF_8 } else { self.encoding }
    }
}

/// Returns whether a byte below 0x40 that is not a digit is always an ASCII character. If so, only names and values
/// have to be decoded. `tests/heads.rs` checks this for every encoding.
fn is_read_as_bytes(encoding: &'static Encoding) -> bool {
    ![UTF_16BE, UTF_16LE, ISO_2022_JP, REPLACEMENT].contains(&encoding)
}

/// The encodings with two-byte characters whose second byte may be `]`.
const MAY_END_WITH_BRACKET: [&Encoding; 5] = [BIG5, EUC_KR, GB18030, GBK, SHIFT_JIS];

/// Returns the encoding that the page declares. This is the HTML standard's prescan.
fn declared_encoding(page: &[u8]) -> Option<&'static Encoding> {
    const PRESCANNED: usize = 1024;
    let page = page.get(..PRESCANNED).unwrap_or(page);
    if page.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if page.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    prescan(page).or_else(|| xml_declaration(page))
}

fn prescan(page: &[u8]) -> Option<&'static Encoding> {
    let mut rest = page;
    loop {
        rest = rest.get(memchr(b'<', rest)?..)?;
        rest = match rest {
            // The two dashes may also be part of `-->`, as in `<!-->`.
            [b'<', b'!', b'-', b'-', ..] => rest.get(2 + memmem::find(rest.get(2..)?, b"-->")? + 3..)?,
            [b'<', name @ ..] if is_meta(name) => {
                let mut attributes = Prescanned { rest: name.get(4..)?, is_cut: false };
                let encoding = meta_encoding(&mut attributes);
                if encoding.is_some() || attributes.is_cut {
                    return encoding.filter(|_| !attributes.is_cut);
                }
                attributes.rest
            }
            [b'<', b'/', letter, ..] | [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                let end = rest.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
                let mut attributes = Prescanned { rest: rest.get(end..)?, is_cut: false };
                while attributes.next().is_some() {}
                if attributes.is_cut {
                    return None;
                }
                attributes.rest
            }
            [b'<', b'!' | b'/' | b'?', ..] => rest.get(memchr(b'>', rest)? + 1..)?,
            _ => rest.get(1..)?,
        };
    }
}

fn is_meta(name: &[u8]) -> bool {
    name.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
        && name.get(4).is_some_and(|next| is_space(*next) || *next == b'/')
}

fn meta_encoding(attributes: &mut Prescanned<'_>) -> Option<&'static Encoding> {
    let mut seen: Vec<&[u8]> = Vec::new();
    let (mut has_pragma, mut needs_pragma, mut charset) = (false, None, None);
    for (name, value) in attributes {
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        if seen.iter().any(|seen| is(seen)) {
            continue;
        }
        if is(b"http-equiv") {
            has_pragma = value.eq_ignore_ascii_case(b"content-type");
        } else if is(b"charset") {
            charset = Some(Encoding::for_label(value));
            needs_pragma = Some(false);
        } else if is(b"content")
            && charset.is_none()
            && let Some(found) = content_encoding(value)
        {
            charset = Some(Some(found));
            needs_pragma = Some(true);
        }
        seen.push(name);
    }
    if needs_pragma? && !has_pragma {
        return None;
    }
    charset?.map(|encoding| match encoding {
        found if found == UTF_16BE || found == UTF_16LE => UTF_8,
        found if found == X_USER_DEFINED => WINDOWS_1252,
        found => found,
    })
}

/// Returns the encoding in a value such as `text/html; charset=utf-8`.
fn content_encoding(value: &[u8]) -> Option<&'static Encoding> {
    const WORD: &[u8] = b"charset";
    let mut rest = value;
    loop {
        let found = rest.windows(WORD.len()).position(|window| window.eq_ignore_ascii_case(WORD))?;
        rest = rest.get(found + WORD.len()..)?.trim_ascii_start();
        if let Some(after) = rest.strip_prefix(b"=") {
            rest = after.trim_ascii_start();
            break;
        }
    }
    let label = match rest {
        [quote @ (b'"' | b'\''), quoted @ ..] => quoted.get(..memchr(*quote, quoted)?)?,
        _ => {
            let is_over = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
            rest.get(..rest.iter().position(is_over).unwrap_or(rest.len()))?
        }
    };
    Encoding::for_label(label)
}

/// Returns the encoding in `<?xml version="1.0" encoding="…"?>`.
fn xml_declaration(page: &[u8]) -> Option<&'static Encoding> {
    let after = |text: &[u8]| text.iter().position(|byte| *byte > b' ').unwrap_or(text.len());
    let inside = page.strip_prefix(b"<?xml")?;
    let inside = inside.get(..memchr(b'>', inside)?)?;
    let rest = inside.get(memmem::find(inside, b"encoding")? + b"encoding".len()..)?;
    let rest = rest.get(after(rest)..)?.strip_prefix(b"=")?;
    let (quote, rest) = rest.get(after(rest)..)?.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = rest.get(..memchr(*quote, rest)?)?;
    let encoding = Encoding::for_label(label).filter(|_| !label.iter().any(|byte| *byte <= b' '))?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding })
}

/// An iterator over attributes by the prescan's rules, which differ from the tokenizer's. After the last attribute,
/// `rest` begins after the `>`.
struct Prescanned<'p> {
    rest: &'p [u8],
    /// Whether the prescanned bytes end before the tag does.
    is_cut: bool,
}

impl<'p> Iterator for Prescanned<'p> {
    type Item = (&'p [u8], &'p [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.rest.iter().position(|byte| !is_space(*byte) && *byte != b'/');
        self.rest = self.rest.get(start.unwrap_or(self.rest.len())..)?;
        if let Some(after) = self.rest.strip_prefix(b">") {
            self.rest = after;
            return None;
        }
        let attribute = self.attribute();
        self.is_cut = attribute.is_none();
        attribute
    }
}

impl<'p> Prescanned<'p> {
    /// Parses the next attribute. Returns `None` if the attribute is cut off.
    fn attribute(&mut self) -> Option<(&'p [u8], &'p [u8])> {
        let name_ends =
            |(at, byte): (usize, &u8)| is_space(*byte) || matches!(byte, b'/' | b'>') || (at > 0 && *byte == b'=');
        let length = self.rest.iter().enumerate().position(name_ends)?;
        let name = self.rest.get(..length)?;
        self.rest = self.rest.get(length..)?.trim_ascii_start();
        let Some(value) = self.rest.strip_prefix(b"=") else { return Some((name, b"")) };
        let value = value.trim_ascii_start();
        let (value, after) = match value {
            [quote @ (b'"' | b'\''), quoted @ ..] => {
                let length = memchr(*quote, quoted)?;
                (quoted.get(..length)?, quoted.get(length + 1..)?)
            }
            _ => {
                let length = value.iter().position(|byte| is_space(*byte) || *byte == b'>')?;
                value.split_at_checked(length)?
            }
        };
        self.rest = after;
        Some((name, value))
    }
}
