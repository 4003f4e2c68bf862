//! Parses a doctype (the DOCTYPE states in the HTML standard). Tree construction needs it for quirks mode.

use super::characters::{name, plain};
use super::tokens::{Doctype, is_space};
use encoding_rs::Encoding;
use memchr::memchr;
use std::borrow::Cow;

/// The parts of a doctype.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct DoctypeParts<'p> {
    pub name: Option<Cow<'p, str>>,
    pub public: Option<Cow<'p, str>>,
    pub system: Option<Cow<'p, str>>,
    pub forces_quirks: bool,
}

/// Parses a doctype, which ends at the first `>`, even if that is in quotes.
pub(crate) fn parse_doctype<'p>(doctype: &Doctype<'p>, encoding: &'static Encoding) -> DoctypeParts<'p> {
    let mut parts = DoctypeParts { forces_quirks: true, ..DoctypeParts::default() };
    let mut rest = Rest { raw: doctype.raw };
    rest.skip_space();
    let written = rest.word();
    if written.is_empty() {
        return parts;
    }
    parts.name = Some(name(written, encoding));
    rest.skip_space();
    let mut is_whole = rest.raw.is_empty();
    if rest.skip_keyword(b"public") {
        if let Some(public) = rest.quoted() {
            parts.public = Some(plain(public.raw, encoding));
            rest.skip_space();
            is_whole = public.is_closed && rest.raw.is_empty();
            if public.is_closed
                && let Some(system) = rest.quoted()
            {
                parts.system = Some(plain(system.raw, encoding));
                is_whole = system.is_closed;
            }
        }
    } else if rest.skip_keyword(b"system")
        && let Some(system) = rest.quoted()
    {
        parts.system = Some(plain(system.raw, encoding));
        is_whole = system.is_closed;
    }
    rest.skip_space();
    // Text after the system identifier is ignored (the bogus DOCTYPE state). In that state, a missing `>` does not
    // force quirks mode.
    let is_passed_over = is_whole && !rest.raw.is_empty();
    parts.forces_quirks = !(is_whole && (doctype.is_closed || is_passed_over));
    parts
}

struct Rest<'p> {
    raw: &'p [u8],
}

struct Quoted<'p> {
    raw: &'p [u8],
    is_closed: bool,
}

impl<'p> Rest<'p> {
    fn skip_space(&mut self) {
        self.raw = self.raw.trim_ascii_start();
    }

    fn word(&mut self) -> &'p [u8] {
        let length = self.raw.iter().position(|byte| is_space(*byte)).unwrap_or(self.raw.len());
        let (word, rest) = self.raw.split_at_checked(length).unwrap_or_default();
        self.raw = rest;
        word
    }

    fn skip_keyword(&mut self, keyword: &[u8]) -> bool {
        let is_it = self.raw.get(..keyword.len()).is_some_and(|written| written.eq_ignore_ascii_case(keyword));
        if is_it {
            self.raw = self.raw.get(keyword.len()..).unwrap_or_default();
            self.skip_space();
        }
        is_it
    }

    fn quoted(&mut self) -> Option<Quoted<'p>> {
        let (quote @ (b'"' | b'\''), inside) = self.raw.split_first()? else { return None };
        let end = memchr(*quote, inside);
        let raw = inside.get(..end.unwrap_or(inside.len()))?;
        self.raw = end.and_then(|end| inside.get(end + 1..)).unwrap_or_default();
        Some(Quoted { raw, is_closed: end.is_some() })
    }
}
