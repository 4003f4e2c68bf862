//! Typed access to facts. Facts are fields that hold data: sitemaps, crawl delays, request rates and visit times.
//!
//! No decision depends on these fields, because RFC 9309 does not define them (2.2.4). `Request-rate` and `Visit-time`
//! come from "An Extended Standard for Robot Exclusion" (1996). A malformed or ambiguous value is treated as absent
//! here, but [`Policy::facts_for`] returns it as written.

use super::layout::FactEntry;
use super::{Bound, Policy};
use crate::base::timestamp::Timestamp;
use crate::robots_txt::Field;
use core::time::Duration;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

impl Policy<'_> {
    /// Returns the locations of sitemaps, in file order and without duplicates.
    ///
    /// Sitemaps apply to all crawlers, whichever group they are written in. Bytes that are not UTF-8 become U+FFFD.
    ///
    /// ```
    /// let policy = byleave::Policy::parse(b"Sitemap: https://site.example/map.xml\nUser-agent: *\nDisallow: /private/\n");
    /// assert_eq!(policy.sitemaps().collect::<Vec<_>>(), ["https://site.example/map.xml"]);
    /// ```
    ///
    /// Cost: O(facts).
    pub fn sitemaps(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let header = self.header();
        let entries = self.blob.get(header.facts_at()..header.index_at()).unwrap_or_default();
        let source = self.source(&header);
        let mut seen = HashSet::new();
        entries
            .chunks_exact(FactEntry::BYTES)
            .map(FactEntry::read)
            .filter(|entry| entry.field == Field::Sitemap as u8)
            .filter_map(|entry| source.get(entry.offset as usize..)?.get(..entry.length as usize))
            .filter(move |value| !value.is_empty() && seen.insert(*value))
            .map(String::from_utf8_lossy)
    }
}

impl Bound<'_> {
    /// Returns the `Crawl-delay` in the groups that bind the crawler: how long to wait between two visits.
    ///
    /// The value is a decimal number of seconds. If there are several values, the longest is returned, because it
    /// satisfies all of them. A delay in a group for other crawlers, or before any group, does not count.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// use std::time::Duration;
    /// let policy = Policy::parse(b"User-agent: SlowBot\nCrawl-delay: 2.5\nDisallow: /private/\n\nUser-agent: *\nDisallow:\n");
    /// assert_eq!(policy.bind(&Crawler::named("SlowBot")).crawl_delay(), Some(Duration::from_millis(2_500)));
    /// assert_eq!(policy.bind(&Crawler::named("OtherBot")).crawl_delay(), None);
    /// ```
    ///
    /// Cost: O(facts).
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.values(Field::CrawlDelay, parse_delay).into_iter().max()
    }

    /// Returns the `Request-rate` in the groups that bind the crawler: how many requests it may send in a period.
    ///
    /// If there are several rates, the slowest is returned, because it satisfies all of them. That rate then applies at
    /// all hours, unless every rate has the same window. [`Bound::request_rates`] returns all rates.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// use std::time::Duration;
    /// let policy = Policy::parse(b"User-agent: *\nRequest-rate: 1/10m\nDisallow: /private/\n");
    /// let crawler = Crawler::named("AnyBot");
    /// let rate = policy.bind(&crawler).request_rate().unwrap();
    /// assert_eq!((rate.requests, rate.per, rate.window), (1, Duration::from_secs(600), None));
    /// ```
    ///
    /// Cost: O(facts).
    #[must_use]
    pub fn request_rate(&self) -> Option<RequestRate> {
        let rates = self.request_rates();
        let slowest = rates.iter().copied().reduce(|one, other| if other.is_slower_than(one) { other } else { one })?;
        let is_shared = rates.iter().all(|rate| rate.window == slowest.window);
        Some(RequestRate { window: slowest.window.filter(|_| is_shared), ..slowest })
    }

    /// Returns every `Request-rate` in the groups that bind the crawler, in file order.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let robots_txt = b"User-agent: *\nRequest-rate: 1/10 0600-1800\nRequest-rate: 1/2 1801-0559\nDisallow: /cart\n";
    /// let policy = Policy::parse(robots_txt);
    /// let crawler = Crawler::named("ExampleBot");
    /// let rates = policy.bind(&crawler).request_rates();
    /// assert_eq!((rates.len(), rates[1].per.as_secs()), (2, 2));
    /// ```
    ///
    /// Cost: O(facts).
    #[must_use]
    pub fn request_rates(&self) -> Vec<RequestRate> {
        self.values(Field::RequestRate, parse_rate)
    }

    /// Returns the `Visit-time` in the groups that bind the crawler: the hours in which it may visit, in UTC.
    ///
    /// If there are several different values, returns `None`, because the standard of 1996 allows only one.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let policy = Policy::parse(b"User-agent: *\nVisit-time: 2300-0545\nDisallow: /private/\n");
    /// let crawler = Crawler::named("AnyBot");
    /// let hours = policy.bind(&crawler).visit_time().unwrap();
    /// assert_eq!((hours.start.hour(), hours.end.minute()), (23, 45));
    /// assert!(hours.contains("2026-01-01T03:30:00Z".parse()?));
    /// assert!(!hours.contains("2026-01-01T12:00:00Z".parse()?));
    /// # Ok::<(), byleave::model::ParseTimestampError>(())
    /// ```
    ///
    /// Cost: O(facts).
    #[must_use]
    pub fn visit_time(&self) -> Option<VisitTime> {
        let times = self.values(Field::VisitTime, parse_hours);
        let (first, others) = times.split_first()?;
        others.iter().all(|other| other == first).then_some(*first)
    }

    /// Returns a field's values in the groups that bind the crawler, in file order.
    fn values<T>(&self, field: Field, parse: impl Fn(&str) -> Option<T>) -> Vec<T> {
        let blocks = self.blocks();
        let mut values = Vec::new();
        self.policy().each_fact(|_, found, (group, _), value| {
            if found == field && group.is_some_and(|group| blocks.binary_search(&group).is_ok()) {
                values.extend(std::str::from_utf8(value).ok().and_then(&parse));
            }
        });
        values
    }
}

/// How many requests a crawler may send in a period. See [`Bound::request_rate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RequestRate {
    /// The number of requests, at least one.
    pub requests: u32,
    /// The period in which the requests may be sent, at least one second.
    pub per: Duration,
    /// The hours in which this rate applies, or `None` if it always applies.
    pub window: Option<VisitTime>,
}

impl RequestRate {
    /// Returns the time between two requests when they are spread evenly.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let policy = Policy::parse(b"User-agent: *\nRequest-rate: 6/1m\nDisallow: /cart\n");
    /// let crawler = Crawler::named("ExampleBot");
    /// let rate = policy.bind(&crawler).request_rate().unwrap();
    /// assert_eq!(rate.interval().as_secs(), 10);
    /// ```
    #[must_use]
    pub fn interval(&self) -> Duration {
        self.per / self.requests.max(1)
    }

    fn is_slower_than(self, other: Self) -> bool {
        let requests = |one: Self, other: Self| u128::from(one.requests) * other.per.as_nanos();
        requests(self, other) < requests(other, self)
    }
}

/// A daily range of hours in UTC, which may span midnight. See [`Bound::visit_time`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct VisitTime {
    /// The first minute of the range.
    pub start: TimeOfDay,
    /// The last minute of the range, inclusive: files write `0600-1159` and `1200-0559` to cover the whole day.
    pub end: TimeOfDay,
}

impl VisitTime {
    /// Whether the time of day of `timestamp` is in this range.
    #[must_use]
    pub fn contains(&self, timestamp: Timestamp) -> bool {
        let minute = timestamp.unix().div_euclid(60).rem_euclid(24 * 60);
        let (start, end) = (self.start.minutes(), self.end.minutes());
        if start <= end { (start..=end).contains(&minute) } else { minute >= start || minute <= end }
    }
}

impl fmt::Display for VisitTime {
    /// Writes the range as in robots.txt: `0600-0845`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, end } = self;
        write!(f, "{:02}{:02}-{:02}{:02}", start.hour, start.minute, end.hour, end.minute)
    }
}

/// An hour and a minute, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    hour: u8,
    minute: u8,
}

impl TimeOfDay {
    /// Returns the hour, from 0 to 23.
    #[must_use]
    pub fn hour(self) -> u8 {
        self.hour
    }

    /// Returns the minute, from 0 to 59.
    #[must_use]
    pub fn minute(self) -> u8 {
        self.minute
    }

    fn minutes(self) -> i64 {
        i64::from(self.hour) * 60 + i64::from(self.minute)
    }
}

impl fmt::Display for TimeOfDay {
    /// Writes the time as `06:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour, self.minute)
    }
}

/// Parses decimal seconds: `10`, `0.5`, `.5`, `2.`. Digits beyond nanoseconds are dropped.
fn parse_delay(value: &str) -> Option<Duration> {
    let value = value.trim();
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let seconds = if whole.is_empty() { 0 } else { parse_number(whole)? };
    if !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    let nanoseconds = digits.fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    Some(Duration::new(seconds.into(), nanoseconds))
}

/// Parses `requests/time`, such as `1/10m 0600-1800`. The unit is optional and defaults to seconds. The hours are
/// optional.
fn parse_rate(value: &str) -> Option<RequestRate> {
    let (requests, rest) = value.trim().split_once('/')?;
    let rest = rest.trim_start();
    let (time, rest) =
        rest.split_at_checked(rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len()))?;
    let (unit, rest) = match rest.chars().next() {
        None | Some(' ' | '\t') => (1, rest),
        Some(letter) => {
            let seconds = match letter.to_ascii_lowercase() {
                's' => 1,
                'm' => 60,
                'h' => 3_600,
                'd' => 86_400,
                'w' => 604_800,
                _ => return None,
            };
            (seconds, rest.strip_prefix(letter)?)
        }
    };
    let window = match rest.trim_start() {
        "" => None,
        hours if hours.len() < rest.len() => Some(parse_hours(hours)?),
        _ => return None,
    };
    let (requests, time) = (parse_number(requests.trim_end())?, parse_number(time)?);
    let per = Duration::from_secs(u64::from(time) * unit);
    (requests > 0 && time > 0).then_some(RequestRate { requests, per, window })
}

/// Parses `HHMM-HHMM` or `HHMM HHMM`. Rejects a range that begins and ends in the same minute, because it could mean
/// the whole day or no time at all.
fn parse_hours(value: &str) -> Option<VisitTime> {
    let value = value.trim();
    let (start, end) = value.split_once('-').or_else(|| value.split_once([' ', '\t']))?;
    let (start, end) = (parse_time_of_day(start.trim())?, parse_time_of_day(end.trim())?);
    (start != end).then_some(VisitTime { start, end })
}

/// Parses `HHMM` or `HMM`.
fn parse_time_of_day(digits: &str) -> Option<TimeOfDay> {
    let number = parse_number(digits).filter(|_| matches!(digits.len(), 3 | 4))?;
    let (hour, minute) = (u8::try_from(number / 100).ok()?, u8::try_from(number % 100).ok()?);
    (hour < 24 && minute < 60).then_some(TimeOfDay { hour, minute })
}

/// Parses decimal digits without a sign. Rejects a number that does not fit: a delay of centuries must be a mistake.
fn parse_number(digits: &str) -> Option<u32> {
    digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::model::crawler::Crawler;

    fn hours(start: (u8, u8), end: (u8, u8)) -> VisitTime {
        let time = |(hour, minute)| TimeOfDay { hour, minute };
        VisitTime { start: time(start), end: time(end) }
    }

    #[test]
    fn delays_are_decimal_seconds() {
        let of = |value: &str| parse_delay(value).map(|delay| delay.as_nanos());
        for (value, nanoseconds) in [
            ("10", 10_000_000_000),
            ("0", 0),
            ("0.5", 500_000_000),
            (".5", 500_000_000),
            ("10.0", 10_000_000_000),
            ("2.", 2_000_000_000),
            ("007", 7_000_000_000),
            ("0.0000000019", 1),
            ("4294967295", 4_294_967_295_000_000_000),
        ] {
            assert_eq!(of(value), Some(nanoseconds), "{value}");
        }
        for value in
            ["", ".", "-1", "+1", "1e3", "inf", "nan", "1s", "1,5", "1.2.3", "400 0", "0100-0800", "4294967296", "１"]
        {
            assert_eq!(of(value), None, "{value}");
        }
    }

    #[test]
    fn rates_have_units_and_windows() {
        let of = |value: &str| parse_rate(value).map(|rate| (rate.requests, rate.per.as_secs(), rate.window));
        let morning = Some(hours((6, 0), (8, 45)));
        for (value, expected) in [
            ("1/5", (1, 5, None)),
            ("1/10m", (1, 600, None)),
            ("1/60s", (1, 60, None)),
            ("5/1h", (5, 3_600, None)),
            ("5/1H", (5, 3_600, None)),
            ("100/1d", (100, 86_400, None)),
            ("100/1w", (100, 604_800, None)),
            ("1 / 5", (1, 5, None)),
            ("1/5 0600-0845", (1, 5, morning)),
            ("1/5m\t0600 - 0845", (1, 300, morning)),
            ("18/1m 2100-0529", (18, 60, Some(hours((21, 0), (5, 29))))),
            ("4294967295/4294967295w", (u32::MAX, 4_294_967_295 * 604_800, None)),
        ] {
            assert_eq!(of(value), Some(expected), "{value}");
        }
        for value in [
            "",
            "/",
            "1",
            "1/",
            "/5",
            "0/5",
            "5/0",
            "-1/5",
            "1/-5",
            "1.5/5",
            "1/1.5",
            "1/s",
            "1/5x",
            "1/5 m",
            "1/5min",
            "1/5m0600-0845",
            "1/5 0600",
            "1/5 0600-2460",
            "1/5/6",
            "4294967296/1",
            "1/5 always",
        ] {
            assert_eq!(of(value), None, "{value}");
        }
    }

    #[test]
    fn hours_are_of_one_day_or_contain_midnight() {
        assert_eq!(parse_hours("0600-0845"), Some(hours((6, 0), (8, 45))));
        assert_eq!(parse_hours("600 0845"), Some(hours((6, 0), (8, 45))));
        assert_eq!(parse_hours(" 2300 - 0300 ").map(|hours| hours.to_string()), Some("2300-0300".to_owned()));
        assert_eq!(hours((6, 5), (8, 45)).start.to_string(), "06:05");
        for value in [
            "",
            "-",
            "0600",
            "0600-",
            "0600-2400",
            "0660-0700",
            "06:00-08:45",
            "6-8",
            "00600-0845",
            "0600-0600",
            "0600-0700-0800",
        ] {
            assert_eq!(parse_hours(value), None, "{value}");
        }
        let at = |minute: i64| Timestamp::from_unix(minute * 60 + 59);
        for day in [-24 * 60, 0, 20_000 * 24 * 60] {
            let (morning, night) = (hours((6, 0), (8, 45)), hours((23, 0), (3, 0)));
            let is_in = |hours: VisitTime, hour: i64, minute: i64| hours.contains(at(day + hour * 60 + minute));
            assert!(is_in(morning, 6, 0) && is_in(morning, 8, 45) && !is_in(morning, 8, 46) && !is_in(morning, 5, 59));
            assert!(is_in(night, 23, 0) && is_in(night, 0, 0) && is_in(night, 3, 0) && !is_in(night, 3, 1));
            assert!(!is_in(night, 22, 59));
        }
    }

    #[test]
    fn facts_of_other_groups_and_of_no_group_do_not_bind() {
        let text = b"Crawl-delay: 9\nUser-agent: a\nCrawl-delay: 1\nCrawl-delay: soon\nDisallow: /x\n\n\
            User-agent: b\nCrawl-delay: 2\nDisallow:\n\nUser-agent: A\nCrawl-delay: 3\nDisallow: /y\n\n\
            User-agent: *\nCrawl-delay: 4\nVisit-time: 0600-0845\nVisit-time: 600-845\nDisallow: /\n\n\
            User-agent: c\nDisallow: /\nVisit-time: 0600-0845\nVisit-time: 0600-0846\n";
        let policy = Policy::parse(text);
        let bytes = policy.to_bytes();
        let owned = Policy::from_bytes(&bytes).unwrap();
        for policy in [&policy, &owned] {
            for (name, seconds, visits) in
                [("a", Some(3), false), ("b", Some(2), false), ("c", None, false), ("d", Some(4), true)]
            {
                let crawler = Crawler::named(name);
                let bound = policy.bind(&crawler);
                assert_eq!(bound.crawl_delay(), seconds.map(Duration::from_secs), "{name}");
                assert_eq!(bound.visit_time().is_some(), visits, "{name}");
            }
        }
    }

    #[test]
    fn the_slowest_of_several_rates_satisfies_all() {
        let of = |lines: &str| {
            let text = format!("User-agent: *\n{lines}\nDisallow: /x\n");
            let (policy, crawler) = (Policy::parse(text.as_bytes()), Crawler::named("a"));
            let bound = policy.bind(&crawler);
            bound
                .request_rate()
                .map(|rate| (rate.requests, rate.per.as_secs(), rate.window, bound.request_rates().len()))
        };
        assert_eq!(of("Request-rate: 10/1m 0600-2159\nRequest-rate: 40/1m 2200-0559"), Some((10, 60, None, 2)));
        assert_eq!(of("Request-rate: 1/1s\nRequest-rate: 59/1m\nRequest-rate: fast"), Some((59, 60, None, 2)));
        let window = Some(hours((6, 0), (8, 45)));
        assert_eq!(of("Request-rate: 1/5 0600-0845\nRequest-rate: 1/6 0600-0845"), Some((1, 6, window, 2)));
        assert_eq!(of("Request-rate: fast"), None);
        let rate = RequestRate { requests: 4, per: Duration::from_secs(60), window };
        assert_eq!(rate.interval(), Duration::from_secs(15));
    }

    #[test]
    fn sitemaps_are_listed_once_in_order() {
        let text = b"Sitemap: https://a.example/2\nUser-agent: a\nDisallow: /\nSITEMAP: /1\nSitemap:\n\
            Host: a.example\nSitemap: https://a.example/2 # again\nSitemap: \xFF\n";
        let policy = Policy::parse(text);
        let bytes = policy.to_bytes();
        let owned = Policy::from_bytes(&bytes).unwrap();
        for policy in [&policy, &owned] {
            assert_eq!(policy.sitemaps().collect::<Vec<_>>(), ["https://a.example/2", "/1", "\u{FFFD}"]);
        }
        assert_eq!(Policy::parse(b"").sitemaps().count(), 0);
    }
}
