//! Timestamps: seconds in UTC, parsed from and formatted as RFC 3339.
//!
//! The engine has no clock. Every timestamp comes from the caller or from a document (S-20). The two conversions are
//! written by hand, because they take only sixty lines, and a calendar crate is larger than the engine. `date.rs`
//! parses the other date formats in headers and META tags.

use std::fmt;
use std::str::FromStr;

/// A point in time in UTC, to the second.
///
/// ```
/// use byleave::Timestamp;
/// let time: Timestamp = "2026-01-31T13:00:00+01:00".parse()?;
/// assert_eq!(time.to_string(), "2026-01-31T12:00:00Z");
/// assert_eq!(time, Timestamp::from_unix(1_769_860_800));
/// # Ok::<(), byleave::model::ParseTimestampError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    seconds: i64,
}

impl Timestamp {
    /// Returns the time this many seconds after 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn from_unix(seconds: i64) -> Self {
        Self { seconds }
    }

    /// Returns the number of seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn unix(self) -> i64 {
        self.seconds
    }

    /// Returns the end of the day `YYYY-MM-DD`, which is the start of the next day (S-20).
    pub(crate) fn end_of_day(date: &[u8]) -> Option<Self> {
        let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *date else { return None };
        let year = i64::from(two(y1, y2)?) * 100 + i64::from(two(y3, y4)?);
        let (month, day) = (two(m1, m2)?, two(d1, d2)?);
        let is_date = (1..=12).contains(&month) && day >= 1 && day <= days_in(year, month);
        is_date.then(|| Self { seconds: (days_before(year, month, day) + 1) * 86_400 })
    }

    /// Returns the date of the last second before this time, as `YYYY-MM-DD`.
    pub(crate) fn date_before(self) -> String {
        let (year, month, day) = date_of(self.seconds.saturating_sub(1).div_euclid(86_400));
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// Returns whether RFC 3339 can express this time.
    pub(crate) fn is_writable(self) -> bool {
        self == Self::clamped(self.seconds)
    }

    /// Returns the time this many days later, or `None` if RFC 3339 cannot express it.
    pub(crate) fn after_days(self, days: u64) -> Option<Self> {
        const YEAR_10000: i64 = 253_402_300_800;
        let seconds = i64::try_from(days).ok()?.checked_mul(86_400)?;
        self.seconds.checked_add(seconds).filter(|seconds| *seconds < YEAR_10000).map(|seconds| Self { seconds })
    }
}

/// The error for a text that is not an RFC 3339 time.
///
/// ```
/// use byleave::Timestamp;
/// let error = "tomorrow".parse::<Timestamp>().unwrap_err();
/// assert_eq!(error.to_string(), "not an RFC 3339 time such as 2026-01-31T12:00:00Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTimestampError;

impl fmt::Display for ParseTimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an RFC 3339 time such as 2026-01-31T12:00:00Z")
    }
}

impl std::error::Error for ParseTimestampError {}

impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    /// Parses `YYYY-MM-DDThh:mm:ss[.fraction](Z|±hh:mm)`. The fraction is dropped, and second 60 is treated as 59.
    fn from_str(text: &str) -> Result<Self, ParseTimestampError> {
        parse(text.as_bytes()).ok_or(ParseTimestampError)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, second) = (self.seconds.div_euclid(86_400), self.seconds.rem_euclid(86_400));
        let (year, month, day) = date_of(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

fn parse(text: &[u8]) -> Option<Timestamp> {
    let (date, rest) = text.split_at_checked(10)?;
    let (time, rest) = rest.split_at_checked(9)?;
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *date else { return None };
    let [b'T' | b't' | b' ', h1, h2, b':', n1, n2, b':', s1, s2] = *time else { return None };
    let year = i64::from(two(y1, y2)?) * 100 + i64::from(two(y3, y4)?);
    let (month, day) = (two(m1, m2)?, two(d1, d2)?);
    let (hour, minute, second) = (two(h1, h2)?, two(n1, n2)?, two(s1, s2)?);
    if !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let rest = match rest.strip_prefix(b".") {
        Some(fraction) => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return None;
            }
            fraction.get(digits..)?
        }
        None => rest,
    };
    let offset = match *rest {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (two(h1, h2)?, two(m1, m2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = i64::from(hours) * 3600 + i64::from(minutes) * 60;
            if sign == b'-' { -offset } else { offset }
        }
        _ => return None,
    };
    let day_seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second.min(59));
    Some(Timestamp::clamped(days_before(year, month, day) * 86_400 + day_seconds - offset))
}

fn two(tens: u8, ones: u8) -> Option<u8> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
}

pub(crate) fn days_in(year: i64, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Returns the number of days from 1970-01-01 to a Gregorian date. The computation lets each year begin in March, so
/// that a leap day is the last day of its year.
pub(crate) fn days_before(year: i64, month: u8, day: u8) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month_from_march = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Returns the year, month and day of the date this many days after 1970-01-01.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s20_times_are_utc_instants() {
        let at = |text: &str| text.parse::<Timestamp>().map(Timestamp::unix);
        assert_eq!(at("1970-01-01T00:00:00Z"), Ok(0));
        assert_eq!(at("2026-01-01T00:00:00Z"), Ok(1_767_225_600));
        assert_eq!(at("2026-01-01T01:00:00+01:00"), Ok(1_767_225_600));
        assert_eq!(at("2024-02-29T12:30:15.250-05:30"), Ok(1_709_229_615));
        for bad in [
            "",
            "2026-01-01",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-01-01T00:00:00",
            "2026-01-01T24:00:00Z",
        ] {
            assert_eq!(at(bad), Err(ParseTimestampError), "{bad}");
        }
    }

    #[test]
    fn formatted_timestamps_parse_to_the_same_value() {
        for seconds in (-5_000_000_000..20_000_000_000i64).step_by(86_399 * 97) {
            let timestamp = Timestamp::from_unix(seconds);
            assert_eq!(timestamp.to_string().parse(), Ok(timestamp));
        }
    }

    #[test]
    fn parsed_timestamps_can_be_formatted_and_parsed_again() {
        for text in ["0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-00:01", "2026-02-28T23:59:60+14:00"] {
            let timestamp = text.parse::<Timestamp>();
            assert_eq!(timestamp.map(|timestamp| timestamp.to_string().parse()), Ok(timestamp), "{text}");
        }
    }
}
