//! The dates of `unavailable_after` (section Words): RFC 822, RFC 850, ISO 8601, and the Date of structured fields.

use super::times::{self, Date};

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Hours from UTC of the zones that have a name.
const ZONES: [(&str, i64); 11] = [
    ("utc", 0),
    ("gmt", 0),
    ("z", 0),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
];

/// The instant, in seconds since 1970; nothing where the date cannot be read.
pub fn read(written: &str) -> Option<i64> {
    let written = written.trim();
    if let Some(seconds) = written.strip_prefix('@') {
        return seconds.parse().ok();
    }
    if let Some(date) = Date::read(written) {
        return Some(times::midnight_after(date) - times::DAY);
    }
    times::read(written).or_else(|| of_mail(written))
}

/// `[Wed,] 03 Dec 2025 [13:09[:53] [GMT]]`, or with `03-Dec-25`.
fn of_mail(written: &str) -> Option<i64> {
    let after_day_name = written.split_once(',').map_or(written, |(_, rest)| rest);
    let mut words: Vec<String> = after_day_name.split_whitespace().map(str::to_ascii_lowercase).collect();
    if words.first().is_some_and(|first| first.contains('-')) {
        let date: Vec<String> = words.remove(0).split('-').map(str::to_owned).collect();
        words.splice(0..0, date);
    }
    let mut words = words.iter().map(String::as_str);
    let (day, month, year) = (words.next()?, words.next()?, words.next()?);
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let year = if year.len() == 2 { format!("20{year}") } else { year.to_owned() };
    let date = Date::read(&format!("{year}-{month:02}-{day:0>2}"))?;
    let clock = words.next().map_or(Some(0), seconds_of_clock)?;
    let zone = words.next().map_or(Some(0), seconds_of_zone)?;
    if words.next().is_some() {
        return None;
    }
    Some(times::midnight_after(date) - times::DAY + clock - zone)
}

/// `HH:MM` or `HH:MM:SS`; `24:00:00` is the end of the day.
fn seconds_of_clock(written: &str) -> Option<i64> {
    let parts: Vec<i64> = written.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    match parts.as_slice() {
        [24, 0] | [24, 0, 0] => Some(times::DAY),
        [hours @ 0..24, minutes @ 0..60] => Some(hours * 3600 + minutes * 60),
        [hours @ 0..24, minutes @ 0..60, seconds @ 0..60] => Some(hours * 3600 + minutes * 60 + seconds),
        _ => None,
    }
}

fn seconds_of_zone(written: &str) -> Option<i64> {
    if let Some((_, hours)) = ZONES.iter().find(|(name, _)| *name == written) {
        return Some(hours * 3600);
    }
    let sign = match written.get(..1)? {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let (hours, minutes) = (written.get(1..3)?, written.get(3..5)?);
    Some(sign * (hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60))
}
