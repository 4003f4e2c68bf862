//! How long a response stays fresh (RFC 9111, 4.2; Robots-Tag draft, 3.1.4). Only the response's own fields count, and
//! there are no heuristics.
//!
//! A crawler's storage is treated as a shared cache. An expired response should be fetched again, but its restrictions
//! still apply.

use super::quoted::split_outside_quotes;
use super::{Headers, trimmed};
use crate::base::timestamp::Timestamp;

/// Returns the time until which the response is fresh. Returns `None` if the response states no lifetime, or if it
/// states only a duration and neither `fetched` nor `Date` is known.
///
/// Cost: O(header fields).
pub(super) fn fresh_until(headers: &Headers, fetched: Option<Timestamp>) -> Option<Timestamp> {
    let date = headers.named("date").find_map(|line| Timestamp::parse_date(line.value));
    let age = headers.named("age").filter_map(|line| seconds(line.value)).max().unwrap_or(0);
    let stated = cache_control_lifetime(headers);
    let expires = headers.named("expires").map(|line| Timestamp::parse_date(line.value)).min();
    let lifetime = match (stated, expires) {
        (Some(lifetime), _) => lifetime,
        // RFC 9111, 5.3: an invalid date, which is usually `0`, is a time in the past.
        (None, Some(None)) => 0,
        (None, Some(Some(expires))) => match date.or(fetched) {
            Some(date) => expires.unix().saturating_sub(date.unix()).max(0),
            None => return Some(expires),
        },
        (None, None) => return None,
    };
    let Some(fetched) = fetched else {
        // The time of the fetch is unknown. It is assumed to be the date plus the age, so the age cancels out.
        return date.map(|date| Timestamp::clamped(date.unix().saturating_add(lifetime)));
    };
    let apparent_age = date.map_or(0, |date| fetched.unix().saturating_sub(date.unix()).max(0));
    let left = lifetime.saturating_sub(apparent_age.max(age)).max(0);
    Some(Timestamp::clamped(fetched.unix().saturating_add(left)))
}

/// Returns the lifetime in `Cache-Control`, in seconds. This is 0 if the response must not be stored or reused.
/// Otherwise, it is the smallest `s-maxage` or, if there is none, the smallest `max-age`. A malformed value counts as
/// 0.
fn cache_control_lifetime(headers: &Headers) -> Option<i64> {
    let (mut shared, mut any): (Option<i64>, Option<i64>) = (None, None);
    for line in headers.named("cache-control") {
        for written in split_outside_quotes(line.value, b',') {
            let equals = memchr::memchr(b'=', written).unwrap_or(written.len());
            let (name, value) = written.split_at_checked(equals).unwrap_or((written, b""));
            let name = trimmed(name);
            let lifetime = || seconds(value.get(1..).unwrap_or_default()).unwrap_or(0);
            if name.eq_ignore_ascii_case(b"no-store") || name.eq_ignore_ascii_case(b"no-cache") {
                return Some(0);
            } else if name.eq_ignore_ascii_case(b"s-maxage") {
                shared = Some(shared.unwrap_or(i64::MAX).min(lifetime()));
            } else if name.eq_ignore_ascii_case(b"max-age") {
                any = Some(any.unwrap_or(i64::MAX).min(lifetime()));
            }
        }
    }
    shared.or(any)
}

/// Parses seconds in digits, with or without quotation marks. A number that is too large saturates.
fn seconds(value: &[u8]) -> Option<i64> {
    let value = trimmed(value);
    let value = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value);
    let value = trimmed(value);
    let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    let add = |number: i64, digit: &u8| number.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    is_number.then(|| value.iter().fold(0, add))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the remaining seconds of freshness after a fetch at noon on 1 January 2026. The fields may contain
    /// `Date`.
    fn left(fields: &[(&str, &str)]) -> Option<i64> {
        let headers: Headers = fields.iter().copied().collect();
        fresh_until(&headers, Some(Timestamp::from_unix(NOON))).map(|until| until.unix() - NOON)
    }

    const NOON: i64 = 1_767_268_800;
    const DATE: (&str, &str) = ("Date", "Thu, 01 Jan 2026 12:00:00 GMT");
    const EARLIER: (&str, &str) = ("Date", "Thu, 01 Jan 2026 11:59:00 GMT");
    const ELEVEN: (&str, &str) = ("Expires", "Thu, 01 Jan 2026 11:00:00 GMT");
    const ONE: (&str, &str) = ("Expires", "Thu, 01 Jan 2026 13:00:00 GMT");

    #[test]
    fn cache_control_states_the_lifetime() {
        let stated = |value: &str| left(&[("Cache-Control", value)]);
        assert_eq!(stated("max-age=60"), Some(60));
        assert_eq!(stated("public, MAX-AGE = \"60\" , must-revalidate"), Some(60));
        assert_eq!(stated("max-age=60, s-maxage=600"), Some(600));
        assert_eq!(stated("max-age=600, max-age=60"), Some(60));
        assert_eq!(stated("max-age=600, no-cache"), Some(0));
        assert_eq!(stated("max-age=600, no-cache=\"set-cookie, max-age=5\""), Some(0));
        assert_eq!(stated("no-store"), Some(0));
        assert_eq!(stated("x=\"no-store, \\\" no-store\", max-age=60"), Some(60));
        assert_eq!(stated("max-age=soon"), Some(0));
        assert_eq!(stated("max-age"), Some(0));
        assert_eq!(stated("max-age=-5"), Some(0));
        assert_eq!(stated("public"), None);
        assert_eq!(stated(""), None);
        assert_eq!(stated(",,,"), None);
        assert_eq!(left(&[("cache-control", "max-age=600"), ("Cache-Control", "max-age=60")]), Some(60));
        let headers = Headers::new().with("Cache-Control", "max-age=99999999999999999999");
        let until = fresh_until(&headers, Some(Timestamp::from_unix(NOON))).map(|until| until.to_string());
        assert_eq!(until.as_deref(), Some("9999-12-31T23:59:59Z"));
    }

    #[test]
    fn expires_is_counted_from_the_date() {
        assert_eq!(left(&[ONE, DATE]), Some(3600));
        assert_eq!(left(&[ONE]), Some(3600));
        assert_eq!(left(&[ONE, EARLIER]), Some(3600));
        assert_eq!(left(&[ELEVEN, DATE]), Some(0));
        assert_eq!(left(&[("Expires", "0"), ("Expires", "-1")]), Some(0));
        assert_eq!(left(&[ONE, ("Expires", "0")]), Some(0));
        assert_eq!(left(&[("Expires", "0"), ("Cache-Control", "max-age=60")]), Some(60));
        assert_eq!(left(&[]), None);
    }

    #[test]
    fn age_is_taken_off() {
        assert_eq!(left(&[("Cache-Control", "max-age=100"), ("Age", "40")]), Some(60));
        assert_eq!(left(&[("Cache-Control", "max-age=100"), EARLIER]), Some(40));
        assert_eq!(left(&[("Cache-Control", "max-age=100"), EARLIER, ("Age", "70")]), Some(30));
        assert_eq!(left(&[("Cache-Control", "max-age=100"), ("Age", "500")]), Some(0));
        assert_eq!(left(&[("Cache-Control", "max-age=100"), ("Age", "young")]), Some(100));
    }

    #[test]
    fn the_date_replaces_an_unknown_fetch_time() {
        let until = |fields: &[(&str, &str)]| {
            let headers: Headers = fields.iter().copied().collect();
            fresh_until(&headers, None).map(|until| until.unix() - NOON)
        };
        assert_eq!(until(&[("Cache-Control", "max-age=100"), DATE, ("Age", "40")]), Some(100));
        assert_eq!(until(&[("Cache-Control", "no-store"), DATE]), Some(0));
        assert_eq!(until(&[("Cache-Control", "max-age=100")]), None);
        assert_eq!(until(&[ONE]), Some(3600));
        assert_eq!(until(&[ONE, DATE]), Some(3600));
        assert_eq!(until(&[("Expires", "0")]), None);
    }
}
