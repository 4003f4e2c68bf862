//! Text that other crates parse for the model: regular expressions, dates (S-17, S-20), and places as URLs (S-27,
//! S-37).

use crate::naive::comparable;
use byleave::Reading;
use chrono::{DateTime, NaiveDate, NaiveDateTime};
use regex::{Regex, RegexBuilder};
use std::cell::RefCell;
use std::collections::HashMap;
use url::Url;

/// The number of seconds in a day.
pub const DAY: i64 = 86_400;

/// Returns a case-insensitive regular expression, compiled once.
pub fn re(pattern: &'static str) -> &'static Regex {
    thread_local!(static COMPILED: RefCell<HashMap<&'static str, &'static Regex>> = RefCell::default());
    let new = || RegexBuilder::new(pattern).case_insensitive(true).dot_matches_new_line(true).build();
    COMPILED.with_borrow_mut(|compiled| {
        *compiled.entry(pattern).or_insert_with(|| Box::leak(Box::new(new().expect("it is one"))))
    })
}

/// Returns whether a regular expression matches the whole text.
pub fn is(pattern: &'static str, text: &str) -> bool {
    re(pattern).find(text).is_some_and(|found| found.range() == (0..text.len()))
}

/// Returns the words of a text, separated by single blanks and in lower case.
pub fn plain(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<&str>>().join(" ").to_ascii_lowercase()
}

/// Returns the first second of the day `YYYY-MM-DD`.
pub fn day(written: &str) -> Option<i64> {
    let date = NaiveDate::parse_from_str(written, "%Y-%m-%d").ok().filter(|_| written.len() == 10)?;
    Some(date.and_hms_opt(0, 0, 0)?.and_utc().timestamp())
}

/// Parses an RFC 3339 time. Returns the seconds since 1970.
pub fn instant(written: &str) -> Option<i64> {
    DateTime::parse_from_rfc3339(&written.to_ascii_uppercase()).ok().map(|instant| instant.timestamp())
}

/// Returns the instant as an RFC 3339 time, in UTC.
pub fn written(instant: i64) -> String {
    DateTime::from_timestamp(instant, 0).expect("a time").format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Parses the date of `unavailable_after`: a structured field date, ISO 8601, RFC 822 or RFC 850.
pub fn s17_date(written: &str) -> Option<i64> {
    if let Some(seconds) = written.strip_prefix('@') {
        return seconds.parse().ok();
    }
    if let Some(instant) = day(written).or_else(|| instant(written)) {
        return Some(instant);
    }
    let form = r"^(?:[a-z]+,\s*)?(\d\d?)[ -]([a-z]{3})[ -](\d\d)?(\d\d)(?: +(\d\d):(\d\d)(?::(\d\d))?(?: *(\S+))?)?$";
    let parts = re(form).captures(written)?;
    let part = |at: usize, otherwise: &'static str| parts.get(at).map_or(otherwise, |part| part.as_str());
    // `24:00:00` is the end of the day.
    let (hour, more) = if part(5, "00") == "24" { ("00", DAY) } else { (part(5, "00"), 0) };
    let date = format!("{} {} {}{}", part(1, ""), part(2, ""), part(3, "20"), part(4, ""));
    let clock = format!("{date} {hour}:{}:{}", part(6, "00"), part(7, "00"));
    let local = NaiveDateTime::parse_from_str(&clock, "%d %b %Y %H:%M:%S").ok()?.and_utc().timestamp();
    Some(local + more - s17_zone(&part(8, "z").to_ascii_lowercase())?)
}

/// Returns the offset from UTC in seconds. Named zones have fixed offsets.
fn s17_zone(zone: &str) -> Option<i64> {
    const HOURS: [(&str, i64); 4] = [("e", -5), ("c", -6), ("m", -7), ("p", -8)];
    if ["z", "utc", "gmt"].contains(&zone) {
        return Some(0);
    }
    if let Some((_, hours)) = HOURS.iter().find(|(name, _)| zone == format!("{name}st") || zone == format!("{name}dt"))
    {
        return Some((hours + i64::from(zone.ends_with("dt"))) * 3600);
    }
    let parts = re(r"^([+-])(\d\d)(\d\d)$").captures(zone)?;
    let seconds = parts[2].parse::<i64>().ok()? * 3600 + parts[3].parse::<i64>().ok()? * 60;
    Some(if &parts[1] == "-" { -seconds } else { seconds })
}

/// Returns a URL normalized as in RFC 3986 6.2.2 and 6.2.3, without its fragment. Returns `None` if it is only a path.
pub fn s27_place(written: &str) -> Option<Vec<u8>> {
    let mut url = Url::parse(written).ok()?;
    url.set_fragment(None);
    Some(comparable(url.as_str().as_bytes(), Reading::Default))
}

/// Returns the URL that a URI on a page refers to, if it is on the same site.
pub fn s37_url(here: &str, written: &str) -> Option<String> {
    let here = Url::parse("https://path.invalid").and_then(|base| base.join(here)).ok()?;
    let target = here.join(written).ok()?;
    (target.origin() == here.origin()).then(|| target.to_string())
}
