//! Fuzz target for response headers. The input is a question, followed by a stored response.

use super::{Asked, decisions};
use crate::checks::headers::holds_together;
use byleave::analysis::StoredResponse;
use byleave::analysis::vocabulary::{DirectiveEffect, known_directive};
use byleave::testing::meta_directive_views;
use byleave::{Headers, Limits, Outcome, Reading, Site, Timestamp, Usage};
use serde_json::Value;

pub fn check(input: &[u8]) {
    let (asked, response) = Asked::read(input);
    let stored = StoredResponse::parse(response);
    spans_cover_the_file(&stored);
    let headers = stored.headers;
    holds_together(&headers, &Limits::default());
    let _ = (headers.content_type(), headers.charset(), headers.fresh_until(None));
    for line in headers.lines() {
        assert_eq!(line.span.of(headers.text()), line.value);
        is_heard_as_any_field(line.value);
    }
    hears_what_sfv_hears(&headers);
    for reading in [Reading::Default, Reading::Strict] {
        let site = Site::builder(reading).with_headers(headers.clone()).fetched_at(Timestamp::from_unix(0)).build();
        decisions::hold(&site, &asked.proposed());
    }
    s10_no_other_field_takes_a_word_away(&headers, &asked);
}

/// Law: the head and the body cover the whole file, every header line is in the head, and decoding never makes a body
/// longer.
fn spans_cover_the_file(stored: &StoredResponse<'_>) {
    let (head, body) = (stored.head_span.range(), stored.body_span.range());
    assert_eq!((head.start, head.end, body.end), (0, body.start, stored.bytes().len()));
    assert!(stored.body.len() <= body.len());
    for line in stored.headers.lines() {
        let span = stored.span_in_file(line.span);
        assert!(span.range().end <= head.end);
        let written = |bytes: &[u8]| bytes.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != 0).count();
        assert!(written(span.of(stored.bytes())) >= written(line.value));
    }
}

/// Reads any value as every header field and as META content. A parsed date must be equal after it is written and
/// parsed again.
fn is_heard_as_any_field(value: &[u8]) {
    for name in ["Robots-Tag", "X-Robots-Tag", "Content-Type", "Cache-Control", "Expires", "Date", "Age"] {
        let headers = Headers::new().with(name, value).with("Cache-Control", "max-age=5");
        holds_together(&headers, &Limits::default());
        let _ = (headers.charset(), headers.content_type(), headers.fresh_until(Some(Timestamp::from_unix(0))));
    }
    for heard in meta_directive_views(value) {
        assert!(heard.span.start < heard.span.end && heard.span.end as usize <= value.len());
    }
    if let Some(instant) = std::str::from_utf8(value).ok().and_then(|text| text.parse::<Timestamp>().ok()) {
        assert_eq!(instant.to_string().parse(), Ok(instant));
    }
}

/// Law: in a list that the crate `sfv` accepts, the engine finds every prohibiting directive, for the crawler name that
/// the directive addresses.
fn hears_what_sfv_hears(headers: &Headers) {
    let lines: Vec<&[u8]> = headers.named("Robots-Tag").map(|line| line.value).collect();
    let combined = lines.join(&b", "[..]);
    let Ok(list) = sfv::Parser::new(&combined[..]).parse::<sfv::List>() else { return };
    if combined.len() > Limits::MIN_ROBOTS_TAG {
        return;
    }
    let (words, _) = headers.directive_views(&Limits::default());
    for entry in &list {
        let sfv::ListEntry::Item(item) = entry else { continue };
        let name = match &item.bare_item {
            sfv::BareItem::Token(token) => token.as_str(),
            sfv::BareItem::String(string) => string.as_str(),
            _ => continue,
        };
        // A directive in place of a name addresses every crawler.
        if known_directive(name).is_some() {
            continue;
        }
        for (key, value) in &item.params {
            let prohibits =
                known_directive(key.as_str()).is_some_and(|word| matches!(word.effect, DirectiveEffect::Prohibits));
            if prohibits && *value == sfv::BareItem::Boolean(true) {
                let is_heard = words.iter().any(|heard| {
                    let is_named = match &heard.crawler {
                        Some(own) => own.eq_ignore_ascii_case(name.as_bytes()),
                        // A name that looks like a misspelt directive is treated as a directive. Its parameters then
                        // apply to every crawler.
                        None => true,
                    };
                    is_named && heard.directive.is_some_and(|word| word.eq_ignore_ascii_case(key.as_str()))
                });
                assert!(is_heard, "{key} for {name} in {}", combined.escape_ascii());
            }
        }
    }
}

/// Law: a `noindex` for every crawler prohibits `index`, whatever the other fields state.
fn s10_no_other_field_takes_a_word_away(headers: &Headers, asked: &Asked) {
    let length: usize = headers.named("Robots-Tag").map(|line| line.value.len() + 2).sum();
    for (field, value) in [("X-Robots-Tag", "noindex"), ("Robots-Tag", "*;noindex")] {
        if field == "Robots-Tag" && length + value.len() > Limits::MIN_ROBOTS_TAG {
            continue;
        }
        let site = Site::builder(Reading::Default).with_headers(headers.clone().with(field, value)).build();
        let decision = byleave::analysis::decide_unchecked(&site, &asked.about(&Usage::Index));
        assert_eq!(decision.outcome, Outcome::Prohibited, "{field} behind {}", headers.text().escape_ascii());
    }
}

pub fn seed(case: &Value) -> Option<Vec<u8>> {
    let headers = case["headers"].as_array()?;
    let mut text = Asked::line(case)? + "HTTP/1.1 200 OK\n";
    for header in headers {
        text += &format!("{}: {}\n", header[0].as_str()?, header[1].as_str()?);
    }
    Some(text.into_bytes())
}
