//! Parses the directives in META tags, `Robots-Tag` and `X-Robots-Tag` (S-17; semantics, section 5).
//!
//! META contents and `X-Robots-Tag` share a loose grammar: directives separated by commas, semicolons, bars or blanks,
//! some with a value after a colon. Malformed text must not hide a prohibition. So if a directive takes no value, a
//! colon after it only separates it from the next directive: `noindex: nofollow` contains two prohibitions. Other files
//! determine whom a directive addresses.

use super::vocabulary;
use super::{DirectiveEffect, KnownDirective, ValueKind};
use crate::base::timestamp::Timestamp;
use crate::model::Usage;
use crate::model::diagnostic::Code;
use crate::model::{Condition, LengthUnit, TimeLimit};

/// A parsed directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Directive {
    pub(crate) known: &'static KnownDirective,
    pub(crate) effect: Effect,
}

/// The effect of a directive and its value on the directive's usages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// The usages are prohibited.
    Prohibits,
    /// The usages are permitted, but no restriction is lifted (S-17).
    Permits,
    /// Extracts are limited to this many characters. The number is at least 1.
    MaxChars(u64),
    /// Image previews are limited to the standard size.
    ImagePreviewStandard,
    /// Video previews are limited to this many seconds. The number is at least 1.
    VideoPreview(u64),
    /// The usages are prohibited from this time on.
    Until(Timestamp),
    /// The usages are permitted on the fixed condition in the directive's table row.
    Requires,
    /// No effect: `-1`, `large`, or a directive that is only stored as data.
    Nothing,
}

impl Effect {
    /// Whether the effect is a prohibition or a limit.
    pub(crate) fn restricts(self) -> bool {
        match self {
            Self::Prohibits
            | Self::MaxChars(_)
            | Self::ImagePreviewStandard
            | Self::VideoPreview(_)
            | Self::Until(_)
            | Self::Requires => true,
            Self::Permits | Self::Nothing => false,
        }
    }
}

impl Directive {
    /// Returns the condition that the directive sets, or `None` if it does not set a limit.
    pub(crate) fn condition(&self) -> Option<Condition> {
        Some(match self.effect {
            Effect::MaxChars(limit) => Condition::MaxLength(limit, LengthUnit::Chars),
            Effect::ImagePreviewStandard => Condition::Term(self.known.name.to_owned(), "standard".to_owned()),
            Effect::VideoPreview(seconds) => Condition::MaxVideoPreview(seconds),
            Effect::Until(end) => Condition::TimeLimit(TimeLimit::Until(end)),
            Effect::Requires => match self.known.effect {
                DirectiveEffect::Requires(name, value) => Condition::Term(name.to_owned(), value.to_owned()),
                _ => return None,
            },
            Effect::Prohibits | Effect::Permits | Effect::Nothing => return None,
        })
    }

    /// Returns the directive as read by a search engine with its own rows in `table` (S-48). Each of these rows takes
    /// the same kind of value as the general row that it replaces.
    pub(crate) fn among(self, table: &'static [KnownDirective]) -> Self {
        let Some(known) = table.iter().find(|known| known.name == self.known.name) else { return self };
        let effect = match known.effect {
            DirectiveEffect::Prohibits => Effect::Prohibits,
            DirectiveEffect::Requires(..) => Effect::Requires,
            DirectiveEffect::Permits => Effect::Permits,
            DirectiveEffect::Data => Effect::Nothing,
            DirectiveEffect::Limits(_) => self.effect,
        };
        Self { known, effect }
    }

    /// Returns the directive as it applies to a response that is an image. An image cannot be used without images, so a
    /// condition to leave images out becomes a prohibition (S-48).
    pub(crate) fn of_image(self) -> Self {
        match self.known.effect {
            DirectiveEffect::Requires("without", "images") => Self { effect: Effect::Prohibits, ..self },
            _ => self,
        }
    }
}

/// Why a directive cannot be parsed. The directive then has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DirectiveError {
    /// The directive's name is not in any table.
    Unknown,
    /// The directive needs a value and has none.
    MissingValue(&'static KnownDirective),
    /// The directive's value cannot be parsed.
    UnreadableValue(&'static KnownDirective),
}

impl DirectiveError {
    /// Returns the diagnostic code for this error.
    pub(crate) fn code(self) -> Code {
        match self {
            Self::Unknown => Code::UnknownDirective,
            Self::MissingValue(_) | Self::UnreadableValue(_) => Code::UnreadableValue,
        }
    }

    /// Returns what is wrong with the directive, which is written as `written`, and what to do about it.
    pub(crate) fn message(self, written: &str) -> (String, Option<&'static str>) {
        let help = |known: &KnownDirective| match known.effect {
            DirectiveEffect::Limits(ValueKind::Characters | ValueKind::Seconds) => {
                Some("write a number, or -1 for no limit")
            }
            DirectiveEffect::Limits(ValueKind::ImageSize) => Some("write `none`, `standard` or `large`"),
            DirectiveEffect::Limits(ValueKind::Date) => Some("write a date such as `2026-01-31T12:00:00Z`"),
            DirectiveEffect::Prohibits
            | DirectiveEffect::Requires(..)
            | DirectiveEffect::Permits
            | DirectiveEffect::Data => None,
        };
        match self {
            Self::Unknown => (format!("unknown directive `{written}`, so it has no effect"), None),
            Self::MissingValue(known) => (format!("`{}` has no value, so it has no effect", known.name), help(known)),
            Self::UnreadableValue(known) => {
                (format!("the value in `{written}` is not valid, so the directive has no effect"), help(known))
            }
        }
    }
}

/// Parses a directive from its name and its value, if it has one. The value is ignored if the directive does not take
/// one.
pub(crate) fn directive(name: &[u8], value: Option<&[u8]>) -> Result<Directive, DirectiveError> {
    let known = directive_named(name).ok_or(DirectiveError::Unknown)?;
    let effect = match known.effect {
        DirectiveEffect::Prohibits => Effect::Prohibits,
        DirectiveEffect::Requires(..) => Effect::Requires,
        DirectiveEffect::Permits => Effect::Permits,
        DirectiveEffect::Data => Effect::Nothing,
        DirectiveEffect::Limits(kind) => {
            let value = value.map(bare).filter(|value| !value.is_empty()).ok_or(DirectiveError::MissingValue(known))?;
            limit(kind, value).ok_or(DirectiveError::UnreadableValue(known))?
        }
    };
    Ok(Directive { known, effect })
}

/// Calls `found` with each directive in the content of a conventional META tag, in order, and its span in `text`.
///
/// An unknown name before a colon is an unknown directive. The text after it is still parsed.
///
/// Cost: O(text).
pub(crate) fn content(text: &[u8], found: &mut dyn FnMut((usize, usize), Result<Directive, DirectiveError>)) {
    items(text, &mut |span, item| match item {
        Item::Directive(parsed) => found(span, parsed),
        Item::Name if span.0 < span.1 => found(span, Err(DirectiveError::Unknown)),
        Item::Name => {}
    });
}

/// An item in the loose grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A directive, including its value.
    Directive(Result<Directive, DirectiveError>),
    /// A name before a colon that is not a directive. In `X-Robots-Tag` this is a crawler's name.
    Name,
}

/// Calls `found` with each directive and name in `text`, in order.
///
/// Cost: O(text). Every byte is read only a few times, because only unknown pieces are read again, to report them.
pub(crate) fn items(text: &[u8], found: &mut dyn FnMut((usize, usize), Item)) {
    let mut at = 0;
    // The span of the unknown pieces since the last separator or directive. If a colon follows, they are the first
    // words of a name with blanks, as in `Foo Bar: noindex`.
    let mut unknown: Option<(usize, usize)> = None;
    loop {
        let start = skip(text, at, is_blank);
        let Some(byte) = text.get(start) else { break };
        if is_separator(*byte) || is_mark(*byte) {
            report_unknown(text, unknown.take(), found);
            at = start + 1;
            continue;
        }
        let piece = Piece::at(text, start);
        let Some(known) = directive_named(piece.name(text)) else {
            let from = unknown.map_or(start, |(from, _)| from);
            if let Some((mark, b':')) = piece.mark {
                unknown = None;
                at = match end_of_figure(text, piece.value(text)) {
                    Some(end) => {
                        report_unknown(text, Some((from, end)), found);
                        end
                    }
                    None => {
                        found(without(text, (from, piece.name_end), is_quotation_mark), Item::Name);
                        mark + 1
                    }
                };
                continue;
            }
            // In `key=noindex`, the directive counts, whatever the key is.
            let is_key = piece.mark.is_some() && Piece::at(text, piece.value(text)).is_known(text);
            at = if is_key { piece.name_end } else { piece.end(text) };
            unknown = Some((from, at));
            continue;
        };
        let before = unknown.take();
        report_unknown(text, before, found);
        let (end, read) = match known.effect {
            DirectiveEffect::Limits(ValueKind::Date) => dated(text, &piece, known),
            DirectiveEffect::Limits(ValueKind::Characters | ValueKind::ImageSize | ValueKind::Seconds) => {
                valued(text, &piece, known)
            }
            // `index: no` is not a permission (S-02).
            DirectiveEffect::Permits if is_negated(text, before, &piece) => {
                (piece.end(text), Err(DirectiveError::UnreadableValue(known)))
            }
            DirectiveEffect::Prohibits
            | DirectiveEffect::Requires(..)
            | DirectiveEffect::Permits
            | DirectiveEffect::Data => (piece.name_end, directive(known.name.as_bytes(), None)),
        };
        found(without(text, (start, end), is_around), Item::Directive(read));
        at = end;
    }
    report_unknown(text, unknown, found);
}

/// Whether a directive is negated by the preceding word (`no index`) or by its value (`index=no`).
fn is_negated(text: &[u8], before: Option<(usize, usize)>, piece: &Piece) -> bool {
    const NO: [&[u8]; 5] = [b"no", b"not", b"false", b"off", b"0"];
    let is_no = |word: &[u8]| NO.iter().any(|no| no.eq_ignore_ascii_case(bare(word)));
    let last = before.and_then(|(from, to)| text.get(from..to)?.rsplit(|byte| is_blank(*byte)).next());
    let value = piece.mark.map(|_| {
        let from = piece.value(text);
        text.get(from..skip(text, from, |byte| !is_between(byte) && !is_mark(byte))).unwrap_or_default()
    });
    last.is_some_and(is_no) || value.is_some_and(is_no)
}

/// Parses a directive that takes a number or a size. Returns the end of its value, and the directive.
fn valued(text: &[u8], piece: &Piece, known: &'static KnownDirective) -> (usize, Result<Directive, DirectiveError>) {
    let from = piece.value(text);
    let to = skip(text, from, |byte| !is_between(byte) && !is_mark(byte));
    let value = bare(text.get(from..to).unwrap_or_default());
    let read = directive(known.name.as_bytes(), Some(value));
    let is_word = || self::directive_named(value).is_some() && !is_amount(value);
    match (read, piece.mark) {
        (Ok(_), _) => (to, read),
        // The next piece is not a value for this directive, but it may be another directive.
        (Err(_), None) => (piece.name_end, Err(DirectiveError::MissingValue(known))),
        (Err(_), Some((mark, _))) if value.is_empty() || is_word() => {
            (mark + 1, Err(DirectiveError::MissingValue(known)))
        }
        (Err(_), Some(_)) => (to, read),
    }
}

/// Parses a directive that takes a date, which may contain commas and blanks. Returns the end of the value, and the
/// directive. A value that is not a date ends at the first comma.
fn dated(text: &[u8], piece: &Piece, known: &'static KnownDirective) -> (usize, Result<Directive, DirectiveError>) {
    let from = piece.value(text);
    let (end, comma) = end_of_date(text, from);
    let value = text.get(from..end).unwrap_or_default();
    let date = bare_start(value);
    if let Some((instant, length)) = Timestamp::parse_leading_date(date) {
        return (end - date.len() + length, Ok(Directive { known, effect: Effect::Until(instant) }));
    }
    match (piece.mark, directive(known.name.as_bytes(), Some(value))) {
        (_, Ok(read)) => (end, Ok(read)),
        (None, Err(_)) => (piece.name_end, Err(DirectiveError::MissingValue(known))),
        (Some(_), Err(error)) => (comma, Err(error)),
    }
}

/// Returns two possible ends of a value that may be a date. The first end counts if the value is a date, which may
/// contain commas: the date ends before the next semicolon, bar, known directive, or name with a colon. The second end
/// counts for any other value, which also ends at a comma.
fn end_of_date(text: &[u8], from: usize) -> (usize, usize) {
    let (mut end, mut comma) = (from, None);
    if text.get(from) == Some(&b',') {
        return (from, from);
    }
    loop {
        let at = skip(text, end, is_blank_or_comma);
        if text.get(end..at).unwrap_or_default().contains(&b',') {
            comma.get_or_insert(end);
        }
        let next = Piece::at(text, at);
        let is_name = matches!(next.mark, Some((_, b':')));
        let is_over = text.get(at).is_none_or(|byte| matches!(byte, b';' | b'|'));
        if is_over || is_name || next.is_known(text) {
            return (end, comma.unwrap_or(end));
        }
        end = next.end(text);
    }
}

/// Parses a value of this kind. Returns its effect, or `None` if the value is not valid.
fn limit(kind: ValueKind, value: &[u8]) -> Option<Effect> {
    let amount = |effect: fn(u64) -> Effect| match value {
        b"-1" => Some(Effect::Nothing),
        _ => number(value).map(|number| if number == 0 { Effect::Prohibits } else { effect(number) }),
    };
    match kind {
        ValueKind::Characters => amount(Effect::MaxChars),
        ValueKind::Seconds => amount(Effect::VideoPreview),
        ValueKind::ImageSize => {
            let sizes = [
                (&b"none"[..], Effect::Prohibits),
                (b"standard", Effect::ImagePreviewStandard),
                (b"large", Effect::Nothing),
            ];
            let found = sizes.into_iter().find(|(size, _)| size.eq_ignore_ascii_case(value));
            found.map(|(_, effect)| effect)
        }
        ValueKind::Date => Timestamp::parse_leading_date(value).map(|(instant, _)| Effect::Until(instant)),
    }
}

/// Parses a number in digits. A number that is too large becomes the largest possible number.
fn number(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let add = |number: u64, digit: &u8| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    is_number.then(|| digits.iter().fold(0, add))
}

/// Returns the end of the value at `at` if it is a number, a size or a date, as in `max-audio-preview: 5`. Only
/// directives have such values. Without this check, an unknown directive would be mistaken for the name of a crawler,
/// which the following directives would then address.
fn end_of_figure(text: &[u8], at: usize) -> Option<usize> {
    let end = skip(text, at, |byte| !is_between(byte) && !is_mark(byte));
    let is_figure = match bare(text.get(at..end)?) {
        [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => Piece::at(text, at).mark.is_none(),
        value => value.eq_ignore_ascii_case(b"standard") || value.eq_ignore_ascii_case(b"large"),
    };
    // A date may begin with a weekday or a month.
    let date = bare_start(text.get(at..)?);
    let end_of_date = |(_, length): (Timestamp, usize)| text.len() - date.len() + length;
    is_figure.then_some(end).or_else(|| Timestamp::parse_leading_date(date).map(end_of_date))
}

/// Whether a directive's name is used as an amount. For example, `max-snippet: none` does not contain the directive
/// `none`.
fn is_amount(value: &[u8]) -> bool {
    value.eq_ignore_ascii_case(b"none") || value.eq_ignore_ascii_case(b"all")
}

/// Returns the directive with this name, ignoring ASCII case.
pub(crate) fn directive_named(name: &[u8]) -> Option<&'static KnownDirective> {
    std::str::from_utf8(name).ok().and_then(vocabulary::known_directive)
}

/// A name between separators, and the colon or equals sign after it.
struct Piece {
    start: usize,
    name_end: usize,
    mark: Option<(usize, u8)>,
}

impl Piece {
    /// Returns the piece that begins at `start`.
    fn at(text: &[u8], start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default().iter().enumerate();
        let ends = |at: usize, byte: u8| is_between(byte) || (is_mark(byte) && !is_in_time(text, at));
        let length = rest.take_while(|(at, byte)| !ends(start + at, **byte)).count();
        let name_end = start + length;
        let next = skip(text, name_end, is_blank);
        let mark = text.get(next).copied().filter(|byte| is_mark(*byte)).map(|byte| (next, byte));
        Self { start, name_end, mark }
    }

    /// Returns the piece's name, without surrounding quotation marks and full stops.
    fn name<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        bare(text.get(self.start..self.name_end).unwrap_or_default())
    }

    fn is_known(&self, text: &[u8]) -> bool {
        directive_named(self.name(text)).is_some()
    }

    /// Returns the offset at which the piece's value begins, if it has one.
    fn value(&self, text: &[u8]) -> usize {
        skip(text, self.mark.map_or(self.name_end, |(mark, _)| mark + 1), is_blank)
    }

    /// Returns the offset of the next separator.
    fn end(&self, text: &[u8]) -> usize {
        skip(text, self.name_end, |byte| !is_between(byte))
    }
}

/// Calls `found` with each piece in a run of unknown pieces.
fn report_unknown(text: &[u8], run: Option<(usize, usize)>, found: &mut dyn FnMut((usize, usize), Item)) {
    let Some((mut at, end)) = run else { return };
    let text = text.get(..end).unwrap_or(text);
    loop {
        let start = skip(text, at, is_between);
        if start >= end {
            return;
        }
        at = skip(text, start, |byte| !is_between(byte));
        let is_mere_marks = text.get(start..at).unwrap_or_default().iter().all(|byte| is_quotation_mark(*byte));
        if !is_mere_marks {
            found((start, at), Item::Directive(Err(DirectiveError::Unknown)));
        }
    }
}

/// Returns the first position at or after `at` whose byte `passes` rejects.
fn skip(text: &[u8], at: usize, passes: impl Fn(u8) -> bool) -> usize {
    at + text.get(at..).unwrap_or_default().iter().take_while(|byte| passes(**byte)).count()
}

fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F
}

fn is_blank_or_comma(byte: u8) -> bool {
    is_blank(byte) || byte == b','
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|')
}

fn is_between(byte: u8) -> bool {
    is_blank(byte) || is_separator(byte)
}

/// Whether a byte may separate a directive from its value.
fn is_mark(byte: u8) -> bool {
    matches!(byte, b':' | b'=')
}

/// Whether the byte at `at` is a colon between two digits, as in a time of day.
fn is_in_time(text: &[u8], at: usize) -> bool {
    let around = at.checked_sub(1).and_then(|before| text.get(before..at + 2));
    matches!(around, Some([before, b':', after]) if before.is_ascii_digit() && after.is_ascii_digit())
}

fn is_quotation_mark(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Whether a byte is removed from both ends of a piece: blanks, quotation marks, a full stop, and bytes outside ASCII,
/// which may be curly quotation marks.
fn is_around(byte: u8) -> bool {
    is_quotation_mark(byte) || is_blank(byte) || byte == b'.' || !byte.is_ascii()
}

fn bare_start(text: &[u8]) -> &[u8] {
    text.get(skip(text, 0, is_around)..).unwrap_or_default()
}

fn bare(text: &[u8]) -> &[u8] {
    let (start, end) = without(text, (0, text.len()), is_around);
    text.get(start..end).unwrap_or_default()
}

/// Returns the span without the bytes at its ends that `is_outer` accepts.
fn without(text: &[u8], (start, end): (usize, usize), is_outer: impl Fn(u8) -> bool) -> (usize, usize) {
    let piece = text.get(start..end).unwrap_or_default();
    let before = piece.iter().take_while(|byte| is_outer(**byte)).count();
    let after = piece.iter().skip(before).rev().take_while(|byte| is_outer(**byte)).count();
    (start + before, end - after)
}

/// Returns the places of two contradictory directives: the first directive that permits a usage that another directive
/// prohibits, and the directive that prohibits it (S-17).
///
/// Cost: O(directives).
pub(crate) fn contradiction<P: Copy>(directives: &[(P, Directive)]) -> Option<(P, P)> {
    let mut prohibiting = [None; Usage::NAMED.len()];
    for (place, directive) in directives.iter().rev().filter(|(_, directive)| directive.effect == Effect::Prohibits) {
        for usage in directive.known.usages {
            if let Some(first) = usage.number().and_then(|number| prohibiting.get_mut(usize::from(number))) {
                *first = Some(*place);
            }
        }
    }
    let against = |usage: &Usage| prohibiting.get(usize::from(usage.number()?)).copied().flatten();
    let mut permitting = directives.iter().filter(|(_, directive)| directive.effect == Effect::Permits);
    permitting.find_map(|(place, directive)| Some((*place, directive.known.usages.iter().find_map(against)?)))
}

/// Returns the message and the help text for a directive that permits what another directive restricts.
pub(crate) fn contradictory(permitting: &str, restricting: &str) -> (String, &'static str) {
    let message = format!("`{permitting}` does not lift `{restricting}`: the restriction counts");
    (message, "remove the directive that you do not mean")
}

/// Whether a name resembles the name of a header field or META tag that crawlers read, if case, punctuation and the
/// letter `s` are ignored. For example, `XRobotTag` resembles `X-Robots-Tag`.
pub(crate) fn is_misspelt_carrier(name: &[u8]) -> bool {
    let is_kept = |byte: &u8| byte.is_ascii_alphanumeric() && *byte != b's';
    let letters: Vec<u8> = name.to_ascii_lowercase().into_iter().filter(is_kept).collect();
    [&b"robot"[..], b"xrobot", b"robottag", b"xrobottag", b"robottxt", b"metarobot"].contains(&letters.as_slice())
}

/// Whether a value is short and contains at least one known directive.
pub(crate) fn has_directives(value: &[u8]) -> bool {
    const MAX_DIRECTIVES: usize = 12;
    let (mut known, mut all) = (0, 0);
    if value.len() < 256 {
        content(value, &mut |_, parsed| {
            all += 1;
            known += usize::from(parsed != Err(DirectiveError::Unknown));
        });
    }
    known > 0 && all <= MAX_DIRECTIVES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns each directive as written, and its effect.
    fn parse(text: &str) -> Vec<(&str, String)> {
        let mut found = Vec::new();
        content(text.as_bytes(), &mut |(start, end), parsed| {
            let effect = match parsed {
                Ok(directive) => format!("{} {:?}", directive.known.name, directive.effect),
                Err(DirectiveError::Unknown) => "unknown".to_owned(),
                Err(DirectiveError::MissingValue(known)) => format!("{} missing", known.name),
                Err(DirectiveError::UnreadableValue(known)) => format!("{} unreadable", known.name),
            };
            found.push((text.get(start..end).unwrap_or_default(), effect));
        });
        found
    }

    fn check(text: &str, expected: &[(&str, &str)]) {
        let parsed = parse(text);
        let parsed: Vec<(&str, &str)> = parsed.iter().map(|(written, effect)| (*written, effect.as_str())).collect();
        assert_eq!(parsed, expected, "{text}");
    }

    #[test]
    fn s17_every_directive_of_the_table_is_parsed() {
        for known in vocabulary::DIRECTIVES {
            let value = match known.effect {
                DirectiveEffect::Limits(ValueKind::Characters | ValueKind::Seconds) => Some("7"),
                DirectiveEffect::Limits(ValueKind::ImageSize) => Some("standard"),
                DirectiveEffect::Limits(ValueKind::Date) => Some("2020-09-21"),
                DirectiveEffect::Prohibits
                | DirectiveEffect::Requires(..)
                | DirectiveEffect::Permits
                | DirectiveEffect::Data => None,
            };
            let upper = known.name.to_ascii_uppercase();
            let read = directive(upper.as_bytes(), value.map(str::as_bytes));
            let expected = match known.effect {
                DirectiveEffect::Prohibits => Effect::Prohibits,
                DirectiveEffect::Requires(..) => Effect::Requires,
                DirectiveEffect::Permits => Effect::Permits,
                DirectiveEffect::Data => Effect::Nothing,
                DirectiveEffect::Limits(ValueKind::Characters) => Effect::MaxChars(7),
                DirectiveEffect::Limits(ValueKind::Seconds) => Effect::VideoPreview(7),
                DirectiveEffect::Limits(ValueKind::ImageSize) => Effect::ImagePreviewStandard,
                DirectiveEffect::Limits(ValueKind::Date) => Effect::Until(Timestamp::from_unix(1_600_646_400)),
            };
            assert_eq!(read, Ok(Directive { known, effect: expected }));
        }
    }

    #[test]
    fn s17_values_have_the_effects_of_section_5() {
        let effect =
            |name: &str, value: &str| directive(name.as_bytes(), Some(value.as_bytes())).ok().map(|read| read.effect);
        for (name, value, expected) in [
            ("max-snippet", "0", Some(Effect::Prohibits)),
            ("max-snippet", "000", Some(Effect::Prohibits)),
            ("max-snippet", "-1", Some(Effect::Nothing)),
            ("max-snippet", "-2", None),
            ("max-snippet", "", None),
            ("max-snippet", "20.5", None),
            ("max-snippet", " \"20\" ", Some(Effect::MaxChars(20))),
            ("max-snippet", "99999999999999999999999", Some(Effect::MaxChars(u64::MAX))),
            ("max-image-preview", "NONE", Some(Effect::Prohibits)),
            ("max-image-preview", "large", Some(Effect::Nothing)),
            ("max-image-preview", "huge", None),
            ("max-video-preview", "0", Some(Effect::Prohibits)),
            ("max-video-preview", "-1", Some(Effect::Nothing)),
            ("max-video-preview", "x", None),
            ("unavailable_after", "someday", None),
            ("noindex", "0", Some(Effect::Prohibits)),
            ("noodp", "", Some(Effect::Nothing)),
            ("noai", "", Some(Effect::Prohibits)),
            ("NoImageAI", "", Some(Effect::Requires)),
            ("disallowaitraining", "", Some(Effect::Prohibits)),
            ("AllowAITraining", "", Some(Effect::Permits)),
        ] {
            assert_eq!(effect(name, value), expected, "{name}: {value}");
        }
        assert_eq!(directive(b"max-snippet", None).map_err(DirectiveError::code), Err(Code::UnreadableValue));
        assert_eq!(directive(b"noaii", None).map_err(DirectiveError::code), Err(Code::UnknownDirective));
    }

    #[test]
    fn s17_commas_semicolons_bars_and_blanks_separate_directives() {
        let both = [("noindex", "noindex Prohibits"), ("NoFollow", "nofollow Prohibits")];
        for text in [
            "noindex,NoFollow",
            "noindex NoFollow",
            " noindex;\tNoFollow ",
            ",,noindex,\n,NoFollow;,",
            "\"noindex, NoFollow\"",
            "\u{201D}noindex\u{201D}, \u{A0}NoFollow.",
            "noindex: NoFollow",
            "noindex|NoFollow",
            "noindex | NoFollow",
            "noindex=NoFollow",
            "noindex:NoFollow",
        ] {
            check(text, &both);
        }
        check("", &[]);
        check(" ,;:= \"", &[]);
        check("\":noindex", &[("noindex", "noindex Prohibits")]);
    }

    #[test]
    fn s17_values_follow_a_colon() {
        for text in ["max-snippet:50", "max-snippet: 50", "max-snippet : 50", "max-snippet=50", "max-snippet 50"] {
            check(text, &[(text, "max-snippet MaxChars(50)")]);
        }
        check(
            "max-image-preview:none, max-video-preview:-1 noindex",
            &[
                ("max-image-preview:none", "max-image-preview Prohibits"),
                ("max-video-preview:-1", "max-video-preview Nothing"),
                ("noindex", "noindex Prohibits"),
            ],
        );
    }

    #[test]
    fn s10_bad_values_hide_no_directive() {
        check("max-snippet, noindex", &[("max-snippet", "max-snippet missing"), ("noindex", "noindex Prohibits")]);
        check("max-snippet: noindex", &[("max-snippet:", "max-snippet missing"), ("noindex", "noindex Prohibits")]);
        check("max-snippet: none", &[("max-snippet: none", "max-snippet unreadable")]);
        check(
            "max-snippet:x:noindex",
            &[("max-snippet:x", "max-snippet unreadable"), ("noindex", "noindex Prohibits")],
        );
        check("noindex: foo", &[("noindex", "noindex Prohibits"), ("foo", "unknown")]);
        check("noindex=1", &[("noindex", "noindex Prohibits"), ("1", "unknown")]);
        check("key=noindex", &[("key", "unknown"), ("noindex", "noindex Prohibits")]);
        check("googlebot: noindex", &[("googlebot", "unknown"), ("noindex", "noindex Prohibits")]);
        check("max-snipet=50, noaii", &[("max-snipet=50", "unknown"), ("noaii", "unknown")]);
        let nofollow = ("nofollow", "nofollow Prohibits");
        check("max-audio-preview: large", &[("max-audio-preview:", "unknown"), ("large", "unknown")]);
        check("index=no, nofollow", &[("index=no", "index unreadable"), nofollow]);
        check("no index, nofollow", &[("no", "unknown"), ("index", "index unreadable"), nofollow]);
    }

    #[test]
    fn s17_the_message_says_what_is_wrong_with_a_directive() {
        for (name, value, message, help) in [
            ("noidex", None, "unknown directive `as written`, so it has no effect", None),
            (
                "max-snippet",
                None,
                "`max-snippet` has no value, so it has no effect",
                Some("write a number, or -1 for no limit"),
            ),
            (
                "max-image-preview",
                Some("huge"),
                "the value in `as written` is not valid, so the directive has no effect",
                Some("write `none`, `standard` or `large`"),
            ),
        ] {
            let read = directive(name.as_bytes(), value.map(str::as_bytes));
            assert_eq!(read.map_err(|error| error.message("as written")), Err((message.to_owned(), help)), "{name}");
        }
    }

    #[test]
    fn s17_dates_may_contain_commas_and_blanks() {
        let date = "unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT";
        let until = format!("unavailable_after Until({:?})", Timestamp::from_unix(1_764_767_393));
        for (following, more) in [
            ("", &[][..]),
            (", nofollow", &[("nofollow", "nofollow Prohibits")]),
            (" nofollow", &[("nofollow", "nofollow Prohibits")]),
            ("; nofollow", &[("nofollow", "nofollow Prohibits")]),
            (", noodp", &[("noodp", "noodp Nothing")]),
            (", noopd", &[("noopd", "unknown")]),
            (", Foo Bar: nofollow", &[("Foo Bar", "unknown"), ("nofollow", "nofollow Prohibits")]),
            (", 360spider: nofollow", &[("360spider", "unknown"), ("nofollow", "nofollow Prohibits")]),
            (", max-snippet:1", &[("max-snippet:1", "max-snippet MaxChars(1)")]),
        ] {
            let expected: Vec<(&str, &str)> =
                [(date, until.as_str())].into_iter().chain(more.iter().copied()).collect();
            check(&format!("{date}{following}"), &expected);
        }
        check(
            "unavailable_after: Wed, 99 Dec 2025, noindex",
            &[
                ("unavailable_after: Wed", "unavailable_after unreadable"),
                ("99", "unknown"),
                ("Dec", "unknown"),
                ("2025", "unknown"),
                ("noindex", "noindex Prohibits"),
            ],
        );
        check("unavailable_after", &[("unavailable_after", "unavailable_after missing")]);
        check(
            "unavailable_after, 2020-09-21",
            &[("unavailable_after", "unavailable_after missing"), ("2020-09-21", "unknown")],
        );
        check(
            "unavailable_after: noindex",
            &[("unavailable_after:", "unavailable_after missing"), ("noindex", "noindex Prohibits")],
        );
    }
}
