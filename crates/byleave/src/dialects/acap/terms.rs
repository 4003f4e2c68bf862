//! Terms: the parsed qualifiers of a permission (P1 2.5).
//!
//! This file also splits a field's value into the resource and the qualifiers. `decide` checks whether a use meets the
//! terms.

use super::Acap;
use crate::base::source::TableRange;
use crate::base::timestamp::Timestamp;
use crate::dialects::acap::{KnownQualifier, LOCATION, QUALIFIERS, Values};
use crate::dialects::rfc9309::pattern::escaped_octet;
use crate::formats::html::TargetKind;
use crate::model::Uninterpretable;
use crate::model::Usage;
use crate::model::diagnostic::Code;

/// A qualifier with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// The qualifier's index in the table of qualifiers.
    pub(crate) qualifier: u8,
    pub(crate) value: TermValue,
    /// Whether ACAP does not define the meaning of this term (`the-acap:link:`).
    pub(crate) is_undefined: bool,
}

/// The value of a qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TermValue {
    UntilRecrawled,
    /// Until the end of a day. The value is the time at which the next day begins.
    Until(Timestamp),
    Days(u64),
    Chars(u64),
    Words(u64),
    /// A value from the table, or a URI as written.
    Text(TableRange),
}

/// What a locator points to: the resource or part that must be used or included (S-37).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locator<'a> {
    /// The URI of a resource outside the page.
    Resource(&'a [u8]),
    /// A part of the page.
    Part(TargetKind, &'a [u8]),
    /// Neither a resource nor a part of the page.
    Unknown,
}

impl<'a> Locator<'a> {
    pub(crate) fn of(value: &'a [u8]) -> Self {
        let Some(rest) = of_acap(value) else { return Self::Resource(value) };
        // A role comes first, then a part of the page or a URI.
        let colon = rest.iter().position(|byte| *byte == b':').unwrap_or(rest.len());
        let (role, locator) = (rest.get(..colon).unwrap_or_default(), rest.get(colon + 1..));
        match locator.map(|locator| (part(locator), locator)) {
            Some((Some((kind, name)), _)) => Self::Part(kind, name),
            Some((None, uri)) if !role.eq_ignore_ascii_case(b"extract") => Self::Resource(uri),
            _ => Self::Unknown,
        }
    }
}

impl Term {
    /// Returns the URI of a resource outside the page that must be used or included, or `None` for other terms.
    pub(crate) fn resource<'a>(&self, acap: &'a Acap) -> Option<&'a [u8]> {
        match self.locator(acap)? {
            Locator::Resource(uri) => Some(uri),
            Locator::Part(..) | Locator::Unknown => None,
        }
    }

    /// Returns the part of the page that must be used or included, or `None` for other terms.
    pub(crate) fn part<'a>(&self, acap: &'a Acap) -> Option<(TargetKind, &'a [u8])> {
        match self.locator(acap)? {
            Locator::Part(kind, name) => Some((kind, name)),
            Locator::Resource(_) | Locator::Unknown => None,
        }
    }

    fn locator<'a>(&self, acap: &'a Acap) -> Option<Locator<'a>> {
        QUALIFIERS.get(usize::from(self.qualifier)).filter(|known| known.name.starts_with("must-"))?;
        let TermValue::Text(text) = self.value else { return None };
        Some(Locator::of(text.of(&acap.arena)))
    }
}

/// Returns the part of a page that a locator names.
fn part(locator: &[u8]) -> Option<(TargetKind, &[u8])> {
    let kinds = [(&b"id:"[..], TargetKind::Id), (b"class:", TargetKind::Class), (b"meta:", TargetKind::Meta)];
    kinds.into_iter().find_map(|(prefix, kind)| Some((kind, without_prefix(locator, prefix)?)))
}

/// Whether a value is a locator with the legacy name of ACAP's scheme.
pub(super) fn is_legacy(value: &[u8]) -> bool {
    without_prefix(value, b"acap:").is_some()
}

/// Returns the text after ACAP's own scheme, in its current or legacy name (S-28).
fn of_acap(value: &[u8]) -> Option<&[u8]> {
    without_prefix(value, b"the-acap:").or_else(|| without_prefix(value, b"acap:"))
}

fn without_prefix<'a>(text: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    let is_there = text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    is_there.then(|| text.get(prefix.len()..).unwrap_or_default())
}

/// The spans of a qualifier's name and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) name: (usize, usize),
    pub(super) value: (usize, usize),
}

/// The parts of a permission's or prohibition's value.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) resource: (usize, usize),
    pub(super) qualifiers: Vec<Written>,
    /// The first word after the resource that is not a qualifier.
    pub(super) stray: Option<(usize, usize)>,
}

/// Splits `text[from..to]` into a first word and qualifiers. Blanks may surround the `=` of a qualifier.
///
/// Cost: O(text).
pub(super) fn parts(text: &[u8], from: usize, to: usize) -> Parts {
    let is_blank = |at: usize| at < to && matches!(text.get(at), Some(b' ' | b'\t'));
    let skip = |mut at: usize| {
        while is_blank(at) {
            at += 1;
        }
        at
    };
    let word = |mut at: usize, stops_at_equals: bool| {
        while at < to && !is_blank(at) && !(stops_at_equals && text.get(at) == Some(&b'=')) {
            at += 1;
        }
        at
    };
    let resource_end = word(from, false);
    let mut parts = Parts { resource: (from, resource_end), ..Parts::default() };
    let mut at = skip(resource_end);
    while at < to {
        let name = (at, word(at, true));
        let equals = skip(name.1);
        if text.get(equals) == Some(&b'=') && equals < to && name.0 < name.1 {
            let start = skip(equals + 1);
            let value = (start, word(start, false));
            parts.qualifiers.push(Written { name, value });
            at = skip(value.1);
        } else {
            let end = if name.0 < name.1 { name.1 } else { word(at, false) };
            parts.stray.get_or_insert((name.0, end));
            at = skip(end);
        }
    }
    parts
}

/// What is wrong with a qualifier: why the permission is uninterpretable, and the code to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) uninterpretable: Uninterpretable,
    pub(super) code: Code,
    pub(super) at: (usize, usize),
}

/// Returns the table row for a qualifier, and its index.
pub(super) fn known_qualifier(text: &[u8], written: &Written) -> Option<(usize, &'static KnownQualifier)> {
    let number = KnownQualifier::number_of(text.get(written.name.0..written.name.1).unwrap_or_default())?;
    Some((number, QUALIFIERS.get(number)?))
}

impl Acap {
    /// Parses the qualifiers of a permission for a usage. If several are wrong, returns the first error.
    pub(super) fn parse_terms(
        &mut self,
        text: &[u8],
        written: &[Written],
        usage: &Usage,
        takes_locations: bool,
        mut misspelt: impl FnMut((usize, usize)),
    ) -> Result<TableRange, Wrong> {
        let start = self.terms.len();
        let (mut seen, mut alone) = (0u32, 0u32);
        for qualifier in written {
            let parsed = self.parse_term(text, qualifier, usage, takes_locations, &mut misspelt);
            let mut repeated = |term: &Term| {
                let bit = 1 << term.qualifier;
                let (was_seen, was_alone) = (seen & bit != 0, alone & bit != 0);
                let known = QUALIFIERS.get(usize::from(term.qualifier));
                let is_alone = known.and_then(|known| known.repeats).is_none_or(|alone| {
                    let value = text.get(qualifier.value.0..qualifier.value.1).unwrap_or_default();
                    value.eq_ignore_ascii_case(alone.as_bytes())
                });
                seen |= bit;
                alone |= if is_alone { bit } else { 0 };
                // Several locations are allowed, and the page may be at any of them (S-27).
                term.qualifier != LOCATION && (was_alone || was_seen && is_alone)
            };
            match parsed {
                Ok(term) if repeated(&term) => {
                    self.terms.truncate(start);
                    return Err(Wrong {
                        uninterpretable: Uninterpretable::Repeated,
                        code: Code::RepeatedQualifier,
                        at: qualifier.name,
                    });
                }
                Ok(term) => self.terms.push(term),
                Err(wrong) => {
                    self.terms.truncate(start);
                    return Err(wrong);
                }
            }
        }
        Ok(TableRange { start: start as u32, length: (self.terms.len() - start) as u32 })
    }

    fn parse_term(
        &mut self,
        text: &[u8],
        written: &Written,
        usage: &Usage,
        takes_locations: bool,
        misspelt: &mut impl FnMut((usize, usize)),
    ) -> Result<Term, Wrong> {
        let Some((number, known)) = known_qualifier(text, written) else {
            return Err(Wrong {
                uninterpretable: Uninterpretable::UnknownQualifier,
                code: Code::UnknownQualifier,
                at: written.name,
            });
        };
        let is_location = takes_locations && number == usize::from(LOCATION);
        if known.readiness(usage).is_none() && !is_location {
            return Err(Wrong {
                uninterpretable: Uninterpretable::QualifierNotValid,
                code: Code::QualifierNotValid,
                at: written.name,
            });
        }
        let value = text.get(written.value.0..written.value.1).unwrap_or_default();
        let bad = |code: Code| Wrong { uninterpretable: Uninterpretable::BadValue, code, at: written.value };
        if value.is_empty() || value.iter().any(|byte| matches!(byte, b'"' | b'\'')) {
            return Err(bad(Code::BadQualifierValue));
        }
        let plain = decoded(value);
        let parsed = match known.values {
            Values::TimeLimit => {
                if plain == b"until-recrawl" {
                    misspelt(written.value);
                }
                time_limit(&plain).map_err(bad)?
            }
            Values::Length => length(&plain).ok_or(bad(Code::BadQualifierValue))?,
            Values::OneOf(values) => {
                let value =
                    values.iter().find(|value| value.as_bytes() == plain).ok_or(bad(Code::BadQualifierValue))?;
                TermValue::Text(self.keep(value.as_bytes()))
            }
            Values::Resource if !is_locator(value, known) => return Err(bad(Code::BadQualifierValue)),
            Values::Resource => TermValue::Text(self.keep(value)),
            Values::Unrecovered => return Err(bad(Code::BadQualifierValue)),
        };
        let is_link = of_acap(value).is_some_and(|rest| without_prefix(rest, b"link:").is_some());
        Ok(Term { qualifier: number as u8, value: parsed, is_undefined: is_link })
    }
}

/// Whether a value is a URI, or an ACAP locator that the qualifier accepts (P1 2.5.3.2, 2.5.5.2.5).
fn is_locator(value: &[u8], known: &KnownQualifier) -> bool {
    let Some(rest) = of_acap(value) else { return true };
    let part = |locator: &[u8]| part(locator).is_some_and(|(_, name)| !name.is_empty());
    match known.name {
        "must-use-resource" => without_prefix(rest, b"extract:").is_some_and(part),
        "must-include-resource" => {
            let located = without_prefix(rest, b"credit:").or_else(|| without_prefix(rest, b"link:"));
            located.is_some_and(|locator| !locator.is_empty())
        }
        _ => true,
    }
}

/// Returns a plain value in lower case, with escapes decoded once (P1 3).
fn decoded(value: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(value.len());
    let mut rest = value;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match (byte, escaped_octet(after)) {
            (b'%', Some(octet)) => {
                plain.push(octet.to_ascii_lowercase());
                rest = after.get(2..).unwrap_or_default();
            }
            _ => plain.push(byte.to_ascii_lowercase()),
        }
    }
    plain
}

fn time_limit(value: &[u8]) -> Result<TermValue, Code> {
    if matches!(value, b"until-recrawled" | b"until-recrawl") {
        return Ok(TermValue::UntilRecrawled);
    }
    if let Some(date) = value.strip_prefix(b"until-") {
        return Timestamp::end_of_day(date).map(TermValue::Until).ok_or(Code::BadDate);
    }
    let days = value.strip_suffix(b"-days").and_then(number).ok_or(Code::BadQualifierValue)?;
    Ok(TermValue::Days(days))
}

fn length(value: &[u8]) -> Option<TermValue> {
    let chars = value.strip_suffix(b"-chars").and_then(number).map(TermValue::Chars);
    chars.or_else(|| value.strip_suffix(b"-words").and_then(number).map(TermValue::Words))
}

/// Parses a whole number. Returns `None` if it is too large, so that it is not reported as a different number.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    digits.iter().try_fold(0u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s37_a_locator_is_a_resource_or_a_part() {
        for (value, expected) in [
            ("/s", Locator::Resource(b"/s")),
            ("https://site.example/s", Locator::Resource(b"https://site.example/s")),
            ("the-acap:credit:/credit.html", Locator::Resource(b"/credit.html")),
            ("acap:credit:id:by", Locator::Part(TargetKind::Id, b"by")),
            ("THE-ACAP:extract:CLASS:a:b", Locator::Part(TargetKind::Class, b"a:b")),
            ("the-acap:extract:meta:description", Locator::Part(TargetKind::Meta, b"description")),
            ("the-acap:extract:/s", Locator::Unknown),
            ("the-acap:extract", Locator::Unknown),
            ("the-acap:", Locator::Unknown),
        ] {
            assert_eq!(Locator::of(value.as_bytes()), expected, "{value}");
        }
    }

    #[test]
    fn blanks_may_surround_the_equals_sign() {
        let cut = |text: &str| {
            let parts = parts(text.as_bytes(), 0, text.len());
            let of = |(start, end): (usize, usize)| text.get(start..end).unwrap_or_default().to_owned();
            let qualifiers: Vec<_> = parts.qualifiers.iter().map(|q| (of(q.name), of(q.value))).collect();
            (of(parts.resource), qualifiers, parts.stray.map(of))
        };
        let limit = vec![("time-limit".to_owned(), "3-days".to_owned())];
        for text in
            ["/a time-limit=3-days", "/a time-limit = 3-days", "/a\ttime-limit= 3-days", "/a time-limit =3-days"]
        {
            assert_eq!(cut(text), ("/a".to_owned(), limit.clone(), None), "{text}");
        }
        assert_eq!(cut("/a /b").2.as_deref(), Some("/b"));
        assert_eq!(cut("/a x=1 junk y=2").1.len(), 2);
        assert_eq!(cut("/a = x").2.as_deref(), Some("="));
        assert_eq!(cut(""), (String::new(), Vec::new(), None));
    }

    #[test]
    fn s20_values_are_read() {
        assert_eq!(time_limit(b"007-days"), Ok(TermValue::Days(7)));
        assert_eq!(time_limit(b"until-2007-2-30"), Err(Code::BadDate));
        assert_eq!(time_limit(b"-3-days"), Err(Code::BadQualifierValue));
        assert_eq!(length(b"250"), None);
        assert_eq!(length(b"18446744073709551615-words"), Some(TermValue::Words(u64::MAX)));
        assert_eq!(length(b"18446744073709551616-words"), None);
        assert_eq!(time_limit(b"99999999999999999999-days"), Err(Code::BadQualifierValue));
    }
}
