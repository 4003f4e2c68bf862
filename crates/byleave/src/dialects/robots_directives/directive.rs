//! The words of META, `Robots-Tag` and `X-Robots-Tag`, and what each comes to (S-17; semantics, section 5).
//!
//! Also the loose grammar that META content and `X-Robots-Tag` share: words between commas, semicolons, bars or
//! blanks, some with a value behind a colon. No prohibition is lost to bad form: a colon behind a word that
//! takes no value only parts it from the next word. Whom the words address is the business of others.

use super::vocabulary;
use super::{ValueKind, Word, WordEffect};
use crate::base::timestamp::Timestamp;
use crate::model::Usage;
use crate::model::diagnostic::Code;
use crate::model::{Condition, LengthUnit, TimeLimit};

/// A word, with what it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Directive {
    pub(crate) word: &'static Word,
    pub(crate) effect: Effect,
}

/// What a word comes to for the usages of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// They are prohibited.
    Prohibits,
    /// They have been spoken of; nothing is lifted (S-17).
    Permits,
    /// At most that many characters, more than none.
    MaxChars(u64),
    /// Pictures of the standard size at most.
    ImagePreviewStandard,
    /// At most that many seconds of a video, more than none.
    VideoPreview(u64),
    /// Prohibited from that instant on.
    Until(Timestamp),
    /// On the condition that is always that of the word.
    Requires,
    /// Nothing: `-1`, `large`, or a word that is kept as data.
    Nothing,
}

impl Effect {
    /// Whether it prohibits or limits.
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
    /// What it says must be kept, where it limits.
    pub(crate) fn condition(&self) -> Option<Condition> {
        Some(match self.effect {
            Effect::MaxChars(most) => Condition::MaxLength(most, LengthUnit::Chars),
            Effect::ImagePreviewStandard => Condition::Term(self.word.name.to_owned(), "standard".to_owned()),
            Effect::VideoPreview(seconds) => Condition::MaxVideoPreview(seconds),
            Effect::Until(end) => Condition::TimeLimit(TimeLimit::Until(end)),
            Effect::Requires => match self.word.effect {
                WordEffect::Requires(name, value) => Condition::Term(name.to_owned(), value.to_owned()),
                _ => return None,
            },
            Effect::Prohibits | Effect::Permits | Effect::Nothing => return None,
        })
    }

    /// The same as a reading has it in which these words mean something else (S-48). The values of both have one form.
    pub(crate) fn among(self, words: &'static [Word]) -> Self {
        let Some(word) = words.iter().find(|word| word.name == self.word.name) else { return self };
        let effect = match word.effect {
            WordEffect::Prohibits => Effect::Prohibits,
            WordEffect::Requires(..) => Effect::Requires,
            WordEffect::Permits => Effect::Permits,
            WordEffect::Data => Effect::Nothing,
            WordEffect::Limits(_) => self.effect,
        };
        Self { word, effect }
    }

    /// The same where it is said of an image: without its images there is nothing of it (S-48).
    pub(crate) fn of_image(self) -> Self {
        match self.word.effect {
            WordEffect::Requires("without", "images") => Self { effect: Effect::Prohibits, ..self },
            _ => self,
        }
    }
}

/// Why a word is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// No table has it.
    UnknownWord,
    /// It needs a value and has none.
    MissingValue(&'static Word),
    /// Its value cannot be read.
    UnreadableValue(&'static Word),
}

impl Unread {
    /// The kind of diagnostic that tells of it.
    pub(crate) fn code(self) -> Code {
        match self {
            Self::UnknownWord => Code::UnknownWord,
            Self::MissingValue(_) | Self::UnreadableValue(_) => Code::UnreadableValue,
        }
    }

    /// What is wrong with a word that is written so, and what to do.
    pub(crate) fn message(self, written: &str) -> (String, Option<&'static str>) {
        let help = |word: &Word| match word.effect {
            WordEffect::Limits(ValueKind::Characters | ValueKind::Seconds) => Some("write a number; -1 is no limit"),
            WordEffect::Limits(ValueKind::ImageSize) => Some("write `none`, `standard` or `large`"),
            WordEffect::Limits(ValueKind::Date) => Some("write a date such as `2026-01-31T12:00:00Z`"),
            WordEffect::Prohibits | WordEffect::Requires(..) | WordEffect::Permits | WordEffect::Data => None,
        };
        match self {
            Self::UnknownWord => (format!("unknown word `{written}`, which says nothing"), None),
            Self::MissingValue(word) => (format!("`{}` has no value, so it says nothing", word.name), help(word)),
            Self::UnreadableValue(word) => {
                (format!("the value in `{written}` cannot be read, so it says nothing"), help(word))
            }
        }
    }
}

/// Reads a word with its value, if it has one. A value behind a word that takes none changes nothing.
pub(crate) fn directive(name: &[u8], value: Option<&[u8]>) -> Result<Directive, Unread> {
    let word = word(name).ok_or(Unread::UnknownWord)?;
    let effect = match word.effect {
        WordEffect::Prohibits => Effect::Prohibits,
        WordEffect::Requires(..) => Effect::Requires,
        WordEffect::Permits => Effect::Permits,
        WordEffect::Data => Effect::Nothing,
        WordEffect::Limits(kind) => {
            let value = value.map(bare).filter(|value| !value.is_empty()).ok_or(Unread::MissingValue(word))?;
            limit(kind, value).ok_or(Unread::UnreadableValue(word))?
        }
    };
    Ok(Directive { word, effect })
}

/// The words of a conventional META's content, in order, each with its span within `text`.
///
/// A name before a colon that no table has is an unknown word: what follows it is read all the same.
/// Cost: O(text).
pub(crate) fn content(text: &[u8], found: &mut dyn FnMut((usize, usize), Result<Directive, Unread>)) {
    items(text, &mut |span, item| match item {
        Item::Word(read) => found(span, read),
        Item::Name if span.0 < span.1 => found(span, Err(Unread::UnknownWord)),
        Item::Name => {}
    });
}

/// A piece of the loose grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A word, its value included.
    Word(Result<Directive, Unread>),
    /// A name before a colon that is no word: in `X-Robots-Tag` a crawler's.
    Name,
}

/// Calls `found` with each word and name of `text`, in order.
///
/// Cost: O(text). Every byte is looked at a fixed number of times: pieces are never gone back to, except
/// those that no table has, once, to tell of them.
pub(crate) fn items(text: &[u8], found: &mut dyn FnMut((usize, usize), Item)) {
    let mut at = 0;
    // Unknown words since the last comma: the first words of a name with blanks, should a colon follow.
    let mut unknown: Option<(usize, usize)> = None;
    loop {
        let start = skip(text, at, is_blank);
        let Some(byte) = text.get(start) else { break };
        if is_separator(*byte) || is_mark(*byte) {
            tell_unknown(text, unknown.take(), found);
            at = start + 1;
            continue;
        }
        let piece = Piece::at(text, start);
        let Some(word) = word(piece.name(text)) else {
            let from = unknown.map_or(start, |(from, _)| from);
            if let Some((mark, b':')) = piece.mark {
                unknown = None;
                at = match end_of_figure(text, piece.value(text)) {
                    Some(end) => {
                        tell_unknown(text, Some((from, end)), found);
                        end
                    }
                    None => {
                        found(without(text, (from, piece.name_end), is_quotation_mark), Item::Name);
                        mark + 1
                    }
                };
                continue;
            }
            // `key=noindex`: the word counts, whatever the key.
            let is_key = piece.mark.is_some() && Piece::at(text, piece.value(text)).is_known(text);
            at = if is_key { piece.name_end } else { piece.end(text) };
            unknown = Some((from, at));
            continue;
        };
        let before = unknown.take();
        tell_unknown(text, before, found);
        let (end, read) = match word.effect {
            WordEffect::Limits(ValueKind::Date) => dated(text, &piece, word),
            WordEffect::Limits(ValueKind::Characters | ValueKind::ImageSize | ValueKind::Seconds) => {
                valued(text, &piece, word)
            }
            // `index: no` is no permission (S-02).
            WordEffect::Permits if is_negated(text, before, &piece) => {
                (piece.end(text), Err(Unread::UnreadableValue(word)))
            }
            WordEffect::Prohibits | WordEffect::Requires(..) | WordEffect::Permits | WordEffect::Data => {
                (piece.name_end, directive(word.name.as_bytes(), None))
            }
        };
        found(without(text, (start, end), is_around), Item::Word(read));
        at = end;
    }
    tell_unknown(text, unknown, found);
}

/// Whether a word is denied by what stands before it (`no index`) or behind its mark (`index=no`).
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

/// A word that takes a number or a size, with the value that follows it: where both end, and what they come to.
fn valued(text: &[u8], piece: &Piece, word: &'static Word) -> (usize, Result<Directive, Unread>) {
    let from = piece.value(text);
    let to = skip(text, from, |byte| !is_between(byte) && !is_mark(byte));
    let value = bare(text.get(from..to).unwrap_or_default());
    let read = directive(word.name.as_bytes(), Some(value));
    let is_word = || self::word(value).is_some() && !is_amount(value);
    match (read, piece.mark) {
        (Ok(_), _) => (to, read),
        // What follows is no value of this word, but perhaps a word.
        (Err(_), None) => (piece.name_end, Err(Unread::MissingValue(word))),
        (Err(_), Some((mark, _))) if value.is_empty() || is_word() => (mark + 1, Err(Unread::MissingValue(word))),
        (Err(_), Some(_)) => (to, read),
    }
}

/// A word that takes a date, commas and blanks included, likewise. Of what is no date, only what stands before
/// a comma is its value.
fn dated(text: &[u8], piece: &Piece, word: &'static Word) -> (usize, Result<Directive, Unread>) {
    let from = piece.value(text);
    let (end, comma) = end_of_date(text, from);
    let value = text.get(from..end).unwrap_or_default();
    let date = bare_start(value);
    if let Some((instant, length)) = Timestamp::parse_leading_date(date) {
        return (end - date.len() + length, Ok(Directive { word, effect: Effect::Until(instant) }));
    }
    match (piece.mark, directive(word.name.as_bytes(), Some(value))) {
        (_, Ok(read)) => (end, Ok(read)),
        (None, Err(_)) => (piece.name_end, Err(Unread::MissingValue(word))),
        (Some(_), Err(unread)) => (comma, Err(unread)),
    }
}

/// Where a value ends at the latest that may be a date: before a known word, or a name with a colon, or a
/// semicolon. And where it ends if it has no commas in it.
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

/// What a value comes to.
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

/// A number in digits; one too large is the largest.
fn number(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let add = |number: u64, digit: &u8| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    is_number.then(|| digits.iter().fold(0, add))
}

/// Where the value ends that begins there, if it is one that only a word takes, though nobody knows the word yet:
/// `max-audio-preview: 5`. Else what comes after it would be read as for a crawler of that name.
fn end_of_figure(text: &[u8], at: usize) -> Option<usize> {
    let end = skip(text, at, |byte| !is_between(byte) && !is_mark(byte));
    let is_figure = match bare(text.get(at..end)?) {
        [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => Piece::at(text, at).mark.is_none(),
        value => value.eq_ignore_ascii_case(b"standard") || value.eq_ignore_ascii_case(b"large"),
    };
    // A date may begin with the name of a day or a month.
    let date = bare_start(text.get(at..)?);
    let end_of_date = |(_, length): (Timestamp, usize)| text.len() - date.len() + length;
    is_figure.then_some(end).or_else(|| Timestamp::parse_leading_date(date).map(end_of_date))
}

/// Whether a word is rather an amount where a value is expected: `max-snippet: none` is not `none`.
fn is_amount(value: &[u8]) -> bool {
    value.eq_ignore_ascii_case(b"none") || value.eq_ignore_ascii_case(b"all")
}

/// The word of this spelling, in any ASCII case.
pub(crate) fn word(name: &[u8]) -> Option<&'static Word> {
    std::str::from_utf8(name).ok().and_then(vocabulary::word)
}

/// A name between separators, and the colon or equals sign behind it.
struct Piece {
    start: usize,
    name_end: usize,
    mark: Option<(usize, u8)>,
}

impl Piece {
    /// The piece that starts there.
    fn at(text: &[u8], start: usize) -> Self {
        let rest = text.get(start..).unwrap_or_default().iter().enumerate();
        let ends = |at: usize, byte: u8| is_between(byte) || (is_mark(byte) && !is_in_time(text, at));
        let length = rest.take_while(|(at, byte)| !ends(start + at, **byte)).count();
        let name_end = start + length;
        let behind = skip(text, name_end, is_blank);
        let mark = text.get(behind).copied().filter(|byte| is_mark(*byte)).map(|byte| (behind, byte));
        Self { start, name_end, mark }
    }

    /// Its name, without quotation marks and the like.
    fn name<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        bare(text.get(self.start..self.name_end).unwrap_or_default())
    }

    fn is_known(&self, text: &[u8]) -> bool {
        word(self.name(text)).is_some()
    }

    /// Where its value begins, should it have one.
    fn value(&self, text: &[u8]) -> usize {
        skip(text, self.mark.map_or(self.name_end, |(mark, _)| mark + 1), is_blank)
    }

    /// Where the next separator stands.
    fn end(&self, text: &[u8]) -> usize {
        skip(text, self.name_end, |byte| !is_between(byte))
    }
}

/// Tells of each word in a run of unknown ones.
fn tell_unknown(text: &[u8], run: Option<(usize, usize)>, found: &mut dyn FnMut((usize, usize), Item)) {
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
            found((start, at), Item::Word(Err(Unread::UnknownWord)));
        }
    }
}

/// The first place from `at` on whose byte is not passed over.
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

/// Whether a byte may part a word from its value.
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

/// Whether a byte at either end of a word is no part of it: quotation marks, curly ones too, a full stop.
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

/// The same span without such bytes at its ends.
fn without(text: &[u8], (start, end): (usize, usize), is_outer: impl Fn(u8) -> bool) -> (usize, usize) {
    let piece = text.get(start..end).unwrap_or_default();
    let before = piece.iter().take_while(|byte| is_outer(**byte)).count();
    let behind = piece.iter().skip(before).rev().take_while(|byte| is_outer(**byte)).count();
    (start + before, end - behind)
}

/// Of words that stand together, the first that permits what another prohibits, with that one (S-17).
///
/// Cost: O(words).
pub(crate) fn contradiction<P: Copy>(words: &[(P, Directive)]) -> Option<(P, P)> {
    let mut prohibiting = [None; Usage::NAMED.len()];
    for (place, word) in words.iter().rev().filter(|(_, word)| word.effect == Effect::Prohibits) {
        for usage in word.word.usages {
            if let Some(first) = usage.number().and_then(|number| prohibiting.get_mut(usize::from(number))) {
                *first = Some(*place);
            }
        }
    }
    let against = |usage: &Usage| prohibiting.get(usize::from(usage.number()?)).copied().flatten();
    let mut permitting = words.iter().filter(|(_, word)| word.effect == Effect::Permits);
    permitting.find_map(|(place, word)| Some((*place, word.word.usages.iter().find_map(against)?)))
}

/// What is wrong with two words of which one permits what the other restricts, and what to do.
pub(crate) fn contradictory(permitting: &str, restricting: &str) -> (String, &'static str) {
    let message = format!("`{permitting}` lifts nothing of `{restricting}` beside it: what restricts counts");
    (message, "remove the one that is not meant")
}

/// Whether a name is nearly that of a header field or META tag that crawlers read, and none of theirs: without its `s`,
/// its `X-` or its hyphens.
pub(crate) fn is_misspelt_carrier(name: &[u8]) -> bool {
    let is_kept = |byte: &u8| byte.is_ascii_alphanumeric() && *byte != b's';
    let letters: Vec<u8> = name.to_ascii_lowercase().into_iter().filter(is_kept).collect();
    [&b"robot"[..], b"xrobot", b"robottag", b"xrobottag", b"robottxt", b"metarobot"].contains(&letters.as_slice())
}

/// Whether a value has a known word, and few others.
pub(crate) fn has_words(value: &[u8]) -> bool {
    const SHORT: usize = 12;
    let (mut known, mut all) = (0, 0);
    if value.len() < 256 {
        content(value, &mut |_, word| {
            all += 1;
            known += usize::from(word != Err(Unread::UnknownWord));
        });
    }
    known > 0 && all <= SHORT
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each word as written, and what it comes to.
    fn read(text: &str) -> Vec<(&str, String)> {
        let mut read = Vec::new();
        content(text.as_bytes(), &mut |(start, end), word| {
            let effect = match word {
                Ok(directive) => format!("{} {:?}", directive.word.name, directive.effect),
                Err(Unread::UnknownWord) => "unknown".to_owned(),
                Err(Unread::MissingValue(word)) => format!("{} missing", word.name),
                Err(Unread::UnreadableValue(word)) => format!("{} unreadable", word.name),
            };
            read.push((text.get(start..end).unwrap_or_default(), effect));
        });
        read
    }

    fn check(text: &str, expected: &[(&str, &str)]) {
        let read = read(text);
        let read: Vec<(&str, &str)> = read.iter().map(|(word, effect)| (*word, effect.as_str())).collect();
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn s17_every_word_of_the_table_is_read() {
        for word in vocabulary::WORDS {
            let value = match word.effect {
                WordEffect::Limits(ValueKind::Characters | ValueKind::Seconds) => Some("7"),
                WordEffect::Limits(ValueKind::ImageSize) => Some("standard"),
                WordEffect::Limits(ValueKind::Date) => Some("2020-09-21"),
                WordEffect::Prohibits | WordEffect::Requires(..) | WordEffect::Permits | WordEffect::Data => None,
            };
            let upper = word.name.to_ascii_uppercase();
            let read = directive(upper.as_bytes(), value.map(str::as_bytes));
            let expected = match word.effect {
                WordEffect::Prohibits => Effect::Prohibits,
                WordEffect::Requires(..) => Effect::Requires,
                WordEffect::Permits => Effect::Permits,
                WordEffect::Data => Effect::Nothing,
                WordEffect::Limits(ValueKind::Characters) => Effect::MaxChars(7),
                WordEffect::Limits(ValueKind::Seconds) => Effect::VideoPreview(7),
                WordEffect::Limits(ValueKind::ImageSize) => Effect::ImagePreviewStandard,
                WordEffect::Limits(ValueKind::Date) => Effect::Until(Timestamp::from_unix(1_600_646_400)),
            };
            assert_eq!(read, Ok(Directive { word, effect: expected }));
        }
    }

    #[test]
    fn s17_values_come_to_what_section_5_says() {
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
        assert_eq!(directive(b"max-snippet", None).map_err(Unread::code), Err(Code::UnreadableValue));
        assert_eq!(directive(b"noaii", None).map_err(Unread::code), Err(Code::UnknownWord));
    }

    #[test]
    fn s17_words_stand_between_commas_semicolons_or_blanks() {
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
    fn s17_values_stand_behind_a_colon() {
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
    fn s10_bad_values_hide_no_word() {
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
    fn s17_it_is_told_what_is_wrong_with_a_word() {
        for (name, value, message, help) in [
            ("noidex", None, "unknown word `as written`, which says nothing", None),
            (
                "max-snippet",
                None,
                "`max-snippet` has no value, so it says nothing",
                Some("write a number; -1 is no limit"),
            ),
            (
                "max-image-preview",
                Some("huge"),
                "the value in `as written` cannot be read, so it says nothing",
                Some("write `none`, `standard` or `large`"),
            ),
        ] {
            let read = directive(name.as_bytes(), value.map(str::as_bytes));
            assert_eq!(read.map_err(|unread| unread.message("as written")), Err((message.to_owned(), help)), "{name}");
        }
    }

    #[test]
    fn s17_dates_have_commas_and_blanks_in_them() {
        let date = "unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT";
        let until = format!("unavailable_after Until({:?})", Timestamp::from_unix(1_764_767_393));
        for (behind, more) in [
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
            check(&format!("{date}{behind}"), &expected);
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
