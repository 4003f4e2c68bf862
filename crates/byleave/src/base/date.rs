//! Parses dates as publishers write them: RFC 822 and 1123, RFC 850, asctime, ISO 8601 and mixtures of these formats.
//!
//! Used for `unavailable_after` (semantics, section 5) and for HTTP date fields. Each part of a date is recognised by
//! its shape, so the parts may be in almost any order. Dates with a numeric month (`25/06/2010`) are not accepted,
//! because it is not clear which number is the day. Weekday names are ignored, even if they are wrong.

use crate::base::timestamp::{Timestamp, days_before, days_in};

impl Timestamp {
    /// Parses a date. Without a zone, the date is in UTC. Without a time of day, the time is 00:00:00.
    ///
    /// Cost: bounded, because no date is longer than [`MAX_LENGTH`].
    pub(crate) fn parse_date(text: &[u8]) -> Option<Self> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let mut parts = DateParts::default();
        for piece in text.split(|byte| is_separator(*byte)).filter(|piece| !piece.is_empty()) {
            parts.take(piece)?;
        }
        parts.timestamp()
    }

    /// Parses the longest date at the start of a text, and returns the date and the offset of its end. After the date
    /// and any separators, the text must end or continue with a letter, as in `25 Jun 2010, noindex`.
    ///
    /// Cost: bounded.
    pub(crate) fn parse_leading_date(text: &[u8]) -> Option<(Self, usize)> {
        let start = text.iter().position(|byte| !is_separator(*byte))?;
        let near = text.get(..text.len().min(start + MAX_LENGTH))?;
        let is_end = |at: usize| {
            let is_last = near.get(at).is_some_and(|byte| !is_separator(*byte));
            is_last && text.get(at + 1).is_none_or(|byte| is_separator(*byte))
        };
        let ends: Vec<usize> = (start..near.len()).filter(|at| is_end(*at)).take(MAX_PIECES).map(|at| at + 1).collect();
        ends.into_iter().rev().find_map(|end| {
            let next = text.get(end..)?.iter().take(MAX_LENGTH).find(|byte| !is_separator(**byte));
            let timestamp =
                next.is_none_or(u8::is_ascii_alphabetic).then(|| Self::parse_date(text.get(start..end)?))??;
            Some((timestamp, end))
        })
    }

    /// Returns the time this many seconds after 1970-01-01T00:00:00Z, clamped to the years that RFC 3339 can express.
    pub(crate) fn clamped(seconds: i64) -> Self {
        const YEAR_0: i64 = -62_167_219_200;
        const YEAR_10000: i64 = 253_402_300_800;
        Self::from_unix(seconds.clamp(YEAR_0, YEAR_10000 - 1))
    }
}

/// The maximum length of a date, in bytes.
const MAX_LENGTH: usize = 80;

/// The number of pieces in the longest date: weekday, day, month, year, time, AM or PM, zone, and a comment.
const MAX_PIECES: usize = 8;

/// Returns whether a byte separates the pieces of a date.
fn is_separator(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b',' | b'"' | b'\'' | 0x7F)
}

/// The parts of a date found so far. Each part may occur only once.
#[derive(Clone, Copy, Debug, Default)]
struct DateParts {
    year: Option<i64>,
    month: Option<u8>,
    day: Option<u8>,
    time: Option<(u8, u8, u8)>,
    half: Option<HalfDay>,
    /// Seconds east of Greenwich.
    offset: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HalfDay {
    Am,
    Pm,
}

impl DateParts {
    /// Adds one piece of the date. Returns `None` if the piece is not part of a date.
    fn take(&mut self, piece: &[u8]) -> Option<()> {
        match piece.first()? {
            b'(' => piece.ends_with(b")").then_some(()),
            b'+' | b'-' => set(&mut self.offset, offset(piece)?),
            first if first.is_ascii_digit() => self.take_figures(piece),
            _ => self.take_word(piece),
        }
    }

    /// Adds a piece that begins with a digit: a date, a time, both, or a number.
    fn take_figures(&mut self, piece: &[u8]) -> Option<()> {
        if let Some(at) = (1..piece.len()).find(|at| is_time_mark(piece, *at)) {
            self.take_figures(piece.get(..at)?)?;
            return self.take_time(piece.get(at + 1..)?);
        }
        if piece.contains(&b':') {
            return self.take_time(piece);
        }
        if piece.iter().any(|byte| matches!(byte, b'-' | b'/')) {
            return self.take_compound(piece);
        }
        let (digits, rest) = piece.split_at_checked(leading_digits(piece))?;
        match (digits, rest) {
            ([year @ .., m1, m2, d1, d2], b"") if year.len() == 4 => {
                self.take_year_month_day(year, &[*m1, *m2], &[*d1, *d2])
            }
            (_, b"") => self.take_number(digits),
            (_, [a, b])
                if matches!(&[a.to_ascii_lowercase(), b.to_ascii_lowercase()], b"st" | b"nd" | b"rd" | b"th") =>
            {
                set(&mut self.day, small(digits)?)
            }
            _ => None,
        }
    }

    /// Adds a whole date, such as `2020-09-21`, `25-Jun-10` or `Jun-25-2010`.
    fn take_compound(&mut self, piece: &[u8]) -> Option<()> {
        let mut three = piece.split(|byte| matches!(byte, b'-' | b'/'));
        let (first, second, third) = (three.next()?, three.next()?, three.next()?);
        if three.next().is_some() {
            return None;
        }
        match (month(first), month(second)) {
            (None, None) if first.len() == 4 => self.take_year_month_day(first, second, third),
            (None, Some(month)) => {
                set(&mut self.month, month)?;
                self.take_number(first)?;
                self.take_number(third)
            }
            (Some(month), None) => {
                set(&mut self.month, month)?;
                self.take_number(second)?;
                self.take_number(third)
            }
            _ => None,
        }
    }

    fn take_year_month_day(&mut self, year: &[u8], month: &[u8], day: &[u8]) -> Option<()> {
        set(&mut self.year, number(year)?)?;
        set(&mut self.month, small(month)?)?;
        set(&mut self.day, small(day)?)
    }

    /// Adds a day or a year. A number with one or two digits is the day, unless the day is already known.
    fn take_number(&mut self, digits: &[u8]) -> Option<()> {
        let number = number(digits)?;
        match digits.len() {
            1 | 2 if self.day.is_none() => set(&mut self.day, small(digits)?),
            // RFC 2822 4.3: the years 00 to 49 mean 2000 to 2049. The years 50 to 99 and three-digit years are added to
            // 1900.
            2 if number < 50 => set(&mut self.year, 2000 + number),
            2 | 3 => set(&mut self.year, 1900 + number),
            4 => set(&mut self.year, number),
            _ => None,
        }
    }

    /// Adds a time, such as `15:00`, `15:00:00.5`, `1500` or `150000`, with or without AM, PM or a zone after it.
    fn take_time(&mut self, piece: &[u8]) -> Option<()> {
        let (hour, rest) = piece.split_at_checked(leading_digits(piece))?;
        let (time, rest) = match (hour, rest) {
            ([h1, h2, m1, m2], _) => ((small(&[*h1, *h2])?, small(&[*m1, *m2])?, 0), rest),
            ([h1, h2, m1, m2, s1, s2], _) => ((small(&[*h1, *h2])?, small(&[*m1, *m2])?, small(&[*s1, *s2])?), rest),
            ([_] | [_, _], [b':', m1, m2, b':', s1, s2, rest @ ..]) => {
                ((small(hour)?, small(&[*m1, *m2])?, small(&[*s1, *s2])?), rest)
            }
            ([_] | [_, _], [b':', m1, m2, rest @ ..]) => ((small(hour)?, small(&[*m1, *m2])?, 0), rest),
            _ => return None,
        };
        set(&mut self.time, time)?;
        let rest = match rest.strip_prefix(b".") {
            Some(fraction) => fraction.get(leading_digits(fraction)..).filter(|rest| rest.len() < fraction.len())?,
            None => rest,
        };
        match rest.first() {
            None => Some(()),
            Some(b'+' | b'-') => set(&mut self.offset, offset(rest)?),
            Some(_) => self.take_half_or_zone(rest),
        }
    }

    /// Adds a piece that begins with neither a digit nor a sign.
    fn take_word(&mut self, piece: &[u8]) -> Option<()> {
        if let [b'T' | b't', time @ ..] = piece
            && time.first().is_some_and(u8::is_ascii_digit)
        {
            return self.take_time(time);
        }
        let word = piece.strip_suffix(b".").unwrap_or(piece);
        if let Some(month) = month(word) {
            return set(&mut self.month, month);
        }
        if find_name(word, &WEEKDAYS).is_some() {
            return Some(());
        }
        self.take_half_or_zone(word).or_else(|| self.take_compound(word))
    }

    fn take_half_or_zone(&mut self, word: &[u8]) -> Option<()> {
        let half = [(&b"am"[..], HalfDay::Am), (b"pm", HalfDay::Pm)].into_iter();
        if let Some((_, half)) = half.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
            return set(&mut self.half, half);
        }
        set(&mut self.offset, zone(word)?)
    }

    /// Returns the timestamp for these parts, or `None` if the date does not exist.
    fn timestamp(self) -> Option<Timestamp> {
        let (year, month, day) = (self.year?, self.month?, self.day?);
        let (hour, minute, second) = self.time.unwrap_or((0, 0, 0));
        let hour = match self.half {
            Some(_) if self.time.is_none() || !(1..=12).contains(&hour) => return None,
            Some(HalfDay::Am) => hour % 12,
            Some(HalfDay::Pm) => hour % 12 + 12,
            None => hour,
        };
        // 24:00 is the start of the next day (ISO 8601). Second 60 is a leap second and is treated as second 59.
        let is_time = (hour < 24 && minute < 60 && second <= 60) || (hour, minute, second) == (24, 0, 0);
        let is_date = (1..=12).contains(&month) && day >= 1 && day <= days_in(year, month);
        let time = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second.min(59));
        let seconds = days_before(year, month, day) * 86_400 + time - self.offset.unwrap_or(0);
        (is_time && is_date).then(|| Timestamp::clamped(seconds))
    }
}

fn set<T>(part: &mut Option<T>, value: T) -> Option<()> {
    part.replace(value).is_none().then_some(())
}

/// Returns whether the byte at `at` is a `T` between two digits, which separates a date from a time.
fn is_time_mark(piece: &[u8], at: usize) -> bool {
    let around = at.checked_sub(1).and_then(|before| piece.get(before..at + 2));
    matches!(around, Some([before, b'T' | b't', after]) if before.is_ascii_digit() && after.is_ascii_digit())
}

fn leading_digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Parses a number with one to four digits.
fn number(digits: &[u8]) -> Option<i64> {
    let is_number = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
}

/// Parses a number with one or two digits.
fn small(digits: &[u8]) -> Option<u8> {
    u8::try_from(number(digits).filter(|_| digits.len() <= 2)?).ok()
}

/// Parses an offset such as `+0200`, `-08:00` or `+2`, and returns it in seconds.
fn offset(text: &[u8]) -> Option<i64> {
    let (hours, minutes) = match text {
        [_, h1, h2, m1, m2] => ([*h1, *h2], [*m1, *m2]),
        [_, h1, h2, b':', m1, m2] => ([*h1, *h2], [*m1, *m2]),
        [_, h1, h2] => ([*h1, *h2], [b'0', b'0']),
        [_, h] => ([b'0', *h], [b'0', b'0']),
        _ => return None,
    };
    let (hours, minutes) = (small(&hours)?, small(&minutes)?);
    let seconds = i64::from(hours) * 3600 + i64::from(minutes) * 60;
    let is_offset = hours <= 23 && minutes <= 59;
    is_offset.then_some(if text.starts_with(b"-") { -seconds } else { seconds })
}

/// Returns the offset for a zone name, or for a form like `GMT+2`, in seconds.
fn zone(word: &[u8]) -> Option<i64> {
    if let Some(at) = word.iter().position(|byte| matches!(byte, b'+' | b'-')) {
        let (name, rest) = word.split_at_checked(at)?;
        return if zone(name)? == 0 { offset(rest) } else { None };
    }
    let found = ZONES.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(word));
    found.map(|(_, minutes)| minutes * 60)
}

/// Returns the month for a name, or for an abbreviation with at least three letters.
fn month(word: &[u8]) -> Option<u8> {
    find_name(word, &MONTHS).and_then(|at| u8::try_from(at + 1).ok())
}

fn find_name(word: &[u8], names: &[&str]) -> Option<usize> {
    let begins = |name: &str| name.as_bytes().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    names.iter().position(|name| word.len() >= 3 && begins(name))
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const WEEKDAYS: [&str; 8] = ["Monday", "Tuesday", "Wednesday", "Weds", "Thursday", "Friday", "Saturday", "Sunday"];

/// Zone names and their offsets in minutes east of Greenwich. The names defined in RFC 822 come first, then other names
/// that are used in practice. A name has one fixed offset all year. If several zones share a name, only the zone listed
/// here is recognised.
const ZONES: [(&str, i64); 51] = [
    ("GMT", 0),
    ("UTC", 0),
    ("UT", 0),
    ("Z", 0),
    ("EST", -300),
    ("EDT", -240),
    ("CST", -360),
    ("CDT", -300),
    ("MST", -420),
    ("MDT", -360),
    ("PST", -480),
    ("PDT", -420),
    ("AKST", -540),
    ("AKDT", -480),
    ("HST", -600),
    ("AST", -240),
    ("ADT", -180),
    ("NST", -210),
    ("NDT", -150),
    ("BRT", -180),
    ("ART", -180),
    ("CLT", -240),
    ("WET", 0),
    ("WEST", 60),
    ("BST", 60),
    ("CET", 60),
    ("CEST", 120),
    ("MET", 60),
    ("MEST", 120),
    ("MEZ", 60),
    ("MESZ", 120),
    ("EET", 120),
    ("EEST", 180),
    ("WAT", 60),
    ("CAT", 120),
    ("SAST", 120),
    ("EAT", 180),
    ("MSK", 180),
    ("GST", 240),
    ("PKT", 300),
    ("IST", 330),
    ("ICT", 420),
    ("HKT", 480),
    ("SGT", 480),
    ("AWST", 480),
    ("JST", 540),
    ("KST", 540),
    ("ACST", 570),
    ("AEST", 600),
    ("AEDT", 660),
    ("NZST", 720),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        Timestamp::parse_date(text.as_bytes()).map(|timestamp| timestamp.to_string())
    }

    #[test]
    fn s17_dates_in_all_common_forms() {
        for (text, expected) in [
            ("Wed, 03 Dec 2025 13:09:53 GMT", "2025-12-03T13:09:53Z"),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
            ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
            ("Saturday, 25-Jun-10 15:00:00 GMT", "2010-06-25T15:00:00Z"),
            ("Monday, 25-Jun-10 15:00:00 GMT", "2010-06-25T15:00:00Z"),
            ("25-Jun-49", "2049-06-25T00:00:00Z"),
            ("25-Jun-50", "1950-06-25T00:00:00Z"),
            ("25 Jun 110", "2010-06-25T00:00:00Z"),
            ("25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"),
            ("25-Aug-2011 15:00:00 EST", "2011-08-25T20:00:00Z"),
            ("31-Dec-2007 24:00:00 GMT", "2008-01-01T00:00:00Z"),
            ("1-Jan-3000 00:00:00 EST", "3000-01-01T05:00:00Z"),
            ("Fri Jun 25 15:00:00 PDT 2010", "2010-06-25T22:00:00Z"),
            ("2020-09-21", "2020-09-21T00:00:00Z"),
            ("2020/09/21", "2020-09-21T00:00:00Z"),
            ("2020-9-1", "2020-09-01T00:00:00Z"),
            ("20200921", "2020-09-21T00:00:00Z"),
            ("20200921T150000Z", "2020-09-21T15:00:00Z"),
            ("2020-09-21T15:00:00Z", "2020-09-21T15:00:00Z"),
            ("2020-09-21t15:00:00z", "2020-09-21T15:00:00Z"),
            ("2020-09-21T15:00", "2020-09-21T15:00:00Z"),
            ("2020-09-21 15:00:00", "2020-09-21T15:00:00Z"),
            ("2020-09-21T15:00:00.999+02:00", "2020-09-21T13:00:00Z"),
            ("2020-09-21 15:00:00 +0200", "2020-09-21T13:00:00Z"),
            ("2020-09-21 15:00:00-08:00", "2020-09-21T23:00:00Z"),
            ("2020-09-21T24:00:00Z", "2020-09-22T00:00:00Z"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
            ("21 Jul 2010", "2010-07-21T00:00:00Z"),
            ("Jul 21, 2010", "2010-07-21T00:00:00Z"),
            ("July 21st, 2010 3:05 PM EDT", "2010-07-21T19:05:00Z"),
            ("12:30am 21 Jul 2010", "2010-07-21T00:30:00Z"),
            ("Sept. 5, 2021 10:00 CET", "2021-09-05T09:00:00Z"),
            ("Jul-21-2010", "2010-07-21T00:00:00Z"),
            ("2010 Jul 21", "2010-07-21T00:00:00Z"),
            ("21 jul 2010 10:00 GMT+2", "2010-07-21T08:00:00Z"),
            ("21 jul 2010 10:00 UTC-05:30", "2010-07-21T15:30:00Z"),
            ("Tues, 1 Jun 2021 00:00:00 +0000 (UTC)", "2021-06-01T00:00:00Z"),
            ("29 Feb 2024", "2024-02-29T00:00:00Z"),
            ("2020-09-21 T15:00:00Z", "2020-09-21T15:00:00Z"),
            (" \t2020-09-21 ", "2020-09-21T00:00:00Z"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn s17_malformed_dates_are_rejected() {
        for text in [
            "",
            "soon",
            "0",
            "-1",
            "2020",
            "2020-09",
            "30 Feb 2010",
            "2023-02-29",
            "2020-13-01",
            "2020-00-10",
            "2020-09-00",
            "2020-09-21T25:00:00Z",
            "2020-09-21T24:00:01Z",
            "2020-09-21T15:60:00Z",
            "2020-09-21T15:00:61Z",
            "2020-09-21T15:00:00.Z",
            "2020-09-21T15:00:00+24:00",
            "25/06/2010",
            "06-25-2010",
            "25 Jun",
            "Jun 2010",
            "25 Ju 2010",
            "25 Jun 2010 15:00:00 XYZ",
            "25 Jun 2010 15:00:00 PST GMT",
            "25 Jun 2010 13:00 pm",
            "25 Jun 2010 pm",
            "25 Jun 2010 26 Jun 2010",
            "25 Jun 20100",
            "15:00:00 GMT",
            "1767225600",
            "@1767225600",
            "25 Jun 2010 15:00:00 PST+2",
            "25 \u{4E00} 2010",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn words_may_follow_a_date() {
        let leading = |text: &str| {
            let (timestamp, end) = Timestamp::parse_leading_date(text.as_bytes())?;
            Some((timestamp.to_string(), end))
        };
        assert_eq!(leading("2020-09-21, foo"), Some(("2020-09-21T00:00:00Z".to_owned(), 10)));
        assert_eq!(leading(" 21 Jul 2010 10:00 XYZ foo"), Some(("2010-07-21T10:00:00Z".to_owned(), 18)));
        assert_eq!(leading("Wed, 03 Dec 2025 13:09:53 GMT"), Some(("2025-12-03T13:09:53Z".to_owned(), 29)));
        assert_eq!(leading("2020-09-21 25:00:00"), None);
        assert_eq!(leading("30 Feb 2010 foo"), None);
        assert_eq!(leading(""), None);
        assert_eq!(leading(&"2020-09-21 ".repeat(1000)), None);
        assert_eq!(leading(&"9".repeat(1000)), None);
    }

    #[test]
    fn every_written_instant_is_read_back() {
        for seconds in (-60_000_000_000..250_000_000_000i64).step_by(86_399 * 997) {
            let timestamp = Timestamp::from_unix(seconds);
            assert_eq!(Timestamp::parse_date(timestamp.to_string().as_bytes()), Some(timestamp), "{timestamp}");
        }
    }
}
