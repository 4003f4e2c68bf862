//! Response headers and META directives: laws, comparison with the `sfv` crate, dates, and adversarial fields.

use byleave::analysis::StoredResponse;
use byleave::diagnostic::Code;
use byleave::testing::{DirectiveView, meta_directive_views};
use byleave::{Headers, Limits, Timestamp};
use byleave_testing::checks::header_pieces::PIECES;
use byleave_testing::checks::headers::holds_together;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A directive without its positions: field, name, directive, effect.
type Said = BTreeSet<(&'static str, Option<Vec<u8>>, Option<&'static str>, String)>;

fn said(words: &[DirectiveView]) -> Said {
    words.iter().map(|heard| (heard.field, heard.crawler.clone(), heard.directive, heard.effect.clone())).collect()
}

fn words(field: &str, value: impl AsRef<[u8]>) -> Vec<DirectiveView> {
    Headers::new().with(field, value).directive_views(&Limits::default()).0
}

/// Returns the directives that bind a crawler with this name, each as `directive effect`.
fn binding(headers: &Headers, crawler: &str) -> Vec<String> {
    let (words, _) = headers.directive_views(&Limits::default());
    let binds = |heard: &&DirectiveView| {
        heard.crawler.as_ref().is_none_or(|name| name.eq_ignore_ascii_case(crawler.as_bytes()))
    };
    let mut words: Vec<String> = words
        .iter()
        .filter(binds)
        .map(|heard| format!("{} {}", heard.directive.unwrap_or("?"), heard.effect))
        .collect();
    words.sort();
    words.dedup();
    words
}

#[test]
fn rt_the_examples_of_the_requirements() {
    let tag = |value: &str| Headers::new().with("Robots-Tag", value);
    let legacy = |value: &str| Headers::new().with("X-Robots-Tag", value);
    let (noindex, nosnippet, nofollow) = ("noindex Prohibits", "nosnippet Prohibits", "nofollow Prohibits");
    for (headers, crawler, expected) in [
        (tag("*;nosnippet, ExampleBot;noindex"), "examplebot", &[noindex, nosnippet][..]),
        (tag("*;nosnippet, ExampleBot;noindex"), "OtherBot", &[nosnippet]),
        (tag("ExampleBot;noindex, ExampleBot;nosnippet"), "ExampleBot", &[noindex, nosnippet]),
        (tag("*;noindex, ExampleBot"), "ExampleBot", &[noindex]),
        (tag("*;noindex=?0"), "ExampleBot", &[]),
        (tag("*;NoIndex"), "ExampleBot", &[noindex]),
        (tag("*;noindex, ;;;, b;nosnippet"), "b", &[noindex, nosnippet]),
        (tag("noindex"), "ExampleBot", &[noindex]),
        (tag("*;x-new-rule"), "ExampleBot", &["? unknown-directive"]),
        (tag("*;nosnippet").with("x-robots-tag", "noindex"), "ExampleBot", &[noindex, nosnippet]),
        (legacy("googlebot: noindex"), "googlebot", &[noindex]),
        (legacy("googlebot: noindex"), "bingbot", &[]),
        (legacy("nofollow").with("X-Robots-Tag", "googlebot: noindex"), "googlebot", &[nofollow, noindex]),
        (legacy("nofollow").with("X-Robots-Tag", "googlebot: noindex"), "bingbot", &[nofollow]),
        (legacy("googlebot: nofollow, otherbot: noindex, nofollow"), "googlebot", &[nofollow]),
        (legacy("googlebot: max-image-preview:none"), "googlebot", &["max-image-preview Prohibits"]),
        (legacy("otherbot: noindex, nofollow"), "x", &[]),
    ] {
        let mut expected: Vec<&str> = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(binding(&headers, crawler), expected, "{}", String::from_utf8_lossy(headers.text()));
    }
}

/// Law: a date has the same effect in META, in `X-Robots-Tag` and in a `Robots-Tag` string.
#[test]
fn s17_dates_mean_the_same_everywhere() {
    let valid = [
        ("Wed, 03 Dec 2025 13:09:53 GMT", "2025-12-03T13:09:53Z"),
        ("Mon, 03 Dec 2025 13:09:53 +0100", "2025-12-03T12:09:53Z"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        ("Saturday, 25-Jun-10 15:00:00 GMT", "2010-06-25T15:00:00Z"),
        ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"),
        ("25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"),
        ("25 jun 2010 15:00:00 pdt", "2010-06-25T22:00:00Z"),
        ("25-Aug-2011 15:00:00 EST", "2011-08-25T20:00:00Z"),
        ("31-Dec-2007 24:00:00 GMT", "2008-01-01T00:00:00Z"),
        ("1-Jan-3000 00:00:00 EST", "3000-01-01T05:00:00Z"),
        ("2020-09-21", "2020-09-21T00:00:00Z"),
        ("2020-09-21T15:00:00Z", "2020-09-21T15:00:00Z"),
        ("2020-09-21T15:00:00+02:00", "2020-09-21T13:00:00Z"),
        ("2020-09-21T15:00:00+0200", "2020-09-21T13:00:00Z"),
        ("2020-09-21T15:00:00.123456Z", "2020-09-21T15:00:00Z"),
        ("2020-09-21 15:00:00 CEST", "2020-09-21T13:00:00Z"),
        ("2020-09-21 15:00", "2020-09-21T15:00:00Z"),
        ("20200921T150000Z", "2020-09-21T15:00:00Z"),
        ("21 Jul 2010", "2010-07-21T00:00:00Z"),
        ("Jul 21, 2010", "2010-07-21T00:00:00Z"),
        ("July 21, 2010 3:00 PM", "2010-07-21T15:00:00Z"),
        ("Fri Jun 25 15:00:00 MST 2010", "2010-06-25T22:00:00Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
        ("29 Feb 2024 00:00 UT", "2024-02-29T00:00:00Z"),
        ("2020-09-21, behind", "2020-09-21T00:00:00Z"),
        ("21 Jul 2010 10:00 XYZ", "2010-07-21T10:00:00Z"),
    ];
    let invalid = [
        "someday",
        "0",
        "30 Feb 2010",
        "2023-02-29",
        "2020-13-01",
        "2020-09-21T25:00:00Z",
        "2020-09-21 25:00:00",
        "25/06/2010",
        "25 Jun",
        "2020",
        "15:00:00 GMT",
        "25 Jun 20100",
    ];
    let expected = valid.into_iter().map(|(text, date)| (text, Some(date.parse::<Timestamp>().unwrap())));
    for (text, expected) in expected.chain(invalid.into_iter().map(|text| (text, None))) {
        let effect = expected.map_or("unreadable-value".to_owned(), |date| format!("Until({date:?})"));
        let heard = [
            meta_directive_views(format!("unavailable_after: {text}, noindex").as_bytes()),
            words("X-Robots-Tag", format!("a: unavailable_after: {text}, noindex")),
            words("Robots-Tag", format!("*;unavailable_after=\"{text}\";noindex")),
        ];
        for words in heard {
            let of =
                |name: &str| words.iter().find(|heard| heard.directive == Some(name)).map(|heard| heard.effect.clone());
            assert_eq!(of("unavailable_after"), Some(effect.clone()), "{text}: {words:?}");
            assert_eq!(of("noindex"), Some("Prohibits".to_owned()), "{text}");
        }
    }
}

const DIRECTIVES: [&str; 14] = [
    "noindex",
    "NOFOLLOW",
    "none",
    "nosnippet",
    "max-snippet:0",
    "max-snippet: 20",
    "max-image-preview:standard",
    "max-video-preview : 5",
    "unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT",
    "unavailable_after: 2020-09-21",
    "index",
    "indexifembedded",
    "noodp",
    "max-snippet:x",
];

fn permuted() -> impl Strategy<Value = (Vec<&'static str>, Vec<&'static str>)> {
    prop::sample::subsequence(DIRECTIVES.to_vec(), 1..=DIRECTIVES.len())
        .prop_flat_map(|words| (Just(words.clone()), Just(words).prop_shuffle()))
}

/// Generates bytes, many of which have a special meaning in the grammars.
fn adversarial() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => prop::sample::select(&b",;:=\"'\\()*?@% \t\r\n\0a1-"[..]).prop_map(|byte| vec![byte]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        2 => prop::sample::select(&DIRECTIVES[..]).prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::sample::select(&["Robots-Tag:", "X-Robots-Tag:", "HTTP/1.1 200 OK\n", "*;", "bot: ", "\r\n "][..])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Law: the order of directives does not change their effect.
    #[test]
    fn s32_the_order_of_words_never_matters((words_in_order, shuffled) in permuted()) {
        let (one, other) = (words_in_order.join(", "), shuffled.join(", "));
        prop_assert_eq!(said(&meta_directive_views(one.as_bytes())), said(&meta_directive_views(other.as_bytes())), "{} / {}", one, other);
        let legacy = |text: &str| said(&words("X-Robots-Tag", format!("bot: {text}")));
        prop_assert_eq!(legacy(&one), legacy(&other));
        let flags = |words: &[&str]| {
            let flags: Vec<String> =
                words.iter().filter(|word| !word.contains(':')).map(|word| format!(";{word}")).collect();
            said(&self::words("Robots-Tag", format!("*{}", flags.concat())))
        };
        prop_assert_eq!(flags(&words_in_order), flags(&shuffled));
    }

    /// Law: the order of members, and their distribution over lines, do not change their effect.
    #[test]
    fn s32_the_order_of_members_never_matters(
        members in prop::collection::vec("(\\*|a|\"b c\")(;(noindex|NoFollow|max-snippet=(0|5)|x)){0,3}", 1..6),
        at in any::<prop::sample::Index>(),
    ) {
        let at = at.index(members.len() + 1);
        let (one, other) = (members[..at].join(","), members[at..].join(" , "));
        let joined = said(&words("Robots-Tag", members.join(", ")));
        let swapped = Headers::new().with("robots-tag", &other).with("Other", "x").with("ROBOTS-TAG", &one);
        prop_assert_eq!(joined, said(&swapped.directive_views(&Limits::default()).0));
    }

    /// Law: any bytes can be read, and the span of every directive is correct.
    #[test]
    fn s34_any_bytes_are_read(text in adversarial()) {
        let stored = StoredResponse::parse(&text);
        prop_assert!(stored.body.len() <= text.len());
        holds_together(&stored.headers, &Limits::default());
        let headers = Headers::new().with("Robots-Tag", &text).with("X-Robots-Tag", &text).with("Robots-Tag", &text);
        holds_together(&headers, &Limits::default());
        let _ = (headers.charset(), headers.content_type());
        for name in ["Content-Type", "Cache-Control", "Expires", "Date", "Age"] {
            let headers = Headers::new().with(name, &text).with("Cache-Control", "max-age=5");
            let _ = (headers.charset(), headers.content_type(), headers.fresh_until(None));
            let _ = headers.fresh_until(Some(Timestamp::from_unix(0)));
        }
        for heard in meta_directive_views(&text) {
            prop_assert!(heard.span.start < heard.span.end && heard.span.end as usize <= text.len());
        }
    }

    /// Law: in META, a prohibition between commas is found, whatever precedes and follows it. In `X-Robots-Tag`, it is
    /// found for at least one crawler.
    #[test]
    fn s10_no_directive_is_lost(before in adversarial(), after in adversarial()) {
        let text = [&before[..], b", noindex ,", &after[..]].concat();
        let hears = |words: &[DirectiveView]| words.iter().any(|heard| heard.directive == Some("noindex"));
        prop_assert!(hears(&meta_directive_views(&text)));
        prop_assert!(hears(&words("X-Robots-Tag", &text)));
    }

    /// Law: valid members before and after a malformed member are found.
    #[test]
    fn s23_valid_members_survive(junk in "[^,\"]{0,12}") {
        let text = format!("a;noindex, {junk}, b;nofollow");
        let heard = said(&words("Robots-Tag", &text));
        prop_assert!(said(&words("Robots-Tag", "a;noindex, b;nofollow")).is_subset(&heard), "{}", text);
        let unclosed = format!("a;noindex, \"{junk}, b;nofollow");
        let heard = said(&words("Robots-Tag", &unclosed));
        prop_assert!(said(&words("Robots-Tag", "a;noindex, b;nofollow")).is_subset(&heard), "{}", unclosed);
    }

    /// Law: in every valid list, the engine finds exactly the parameters that the `sfv` crate returns.
    #[test]
    fn s23_rules_are_those_that_sfv_sees(
        list in prop::collection::vec(
            "(\\*|[A-Z][a-z]{1,5}Bot|\"[0-9] ?[a-z]{1,4}\")(; ?(noindex|nosnippet|none|x|y)(=(\\?1|7|\"a, b\"|tok))?){0,4}",
            0..6,
        ),
    ) {
        let text = list.join(",\t");
        let parsed: sfv::List = sfv::Parser::new(&text).parse().unwrap();
        let mut expected = BTreeSet::new();
        for entry in &parsed {
            let sfv::ListEntry::Item(item) = entry else { panic!("{entry:?}") };
            let name = match &item.bare_item {
                sfv::BareItem::Token(token) => token.as_str().as_bytes().to_vec(),
                sfv::BareItem::String(string) => string.as_str().as_bytes().to_vec(),
                other => panic!("{other:?}"),
            };
            let name = Some(name).filter(|name| name != b"*");
            expected.extend(item.params.keys().map(|key| (name.clone(), key.as_str().to_owned())));
        }
        let headers = Headers::new().with("Robots-Tag", &text);
        let (words, notes) = headers.directive_views(&Limits::default());
        let written = |heard: &DirectiveView| {
            let span = String::from_utf8_lossy(heard.span.of(headers.text())).into_owned();
            heard.directive.map_or_else(|| span.split('=').next().unwrap().to_owned(), str::to_owned)
        };
        let heard: BTreeSet<_> = words.iter().map(|heard| (heard.crawler.clone(), written(heard))).collect();
        prop_assert_eq!(heard, expected, "{}", text);
        prop_assert!(notes.iter().all(|(code, _)| *code == Code::NameWithoutRules));
    }
}

/// Law: header fields with every kind of malformed text have an answer. Each kind is tried with 64 KiB, with 10 MB
/// (read up to the limit), and with 100 KB without a limit. The test does not measure time. But with quadratic code, it
/// would take far too long to finish.
#[test]
fn s34_long_headers_have_an_answer() {
    let mut raised = Limits::default();
    raised.robots_tag = usize::MAX;
    for piece in PIECES {
        let filled = |length: usize| piece.repeat(length / piece.len());
        for start in ["a;noindex, \"", "unavailable_after: "] {
            has_an_answer(&format!("{start}{}", filled(65_536)), &Limits::default());
        }
        let headers = Headers::new().with("Robots-Tag", filled(10_000_000)).with("X-Robots-Tag", filled(10_000_000));
        holds(&headers, &Limits::default());
        let response = format!("HTTP/1.1 200 OK\nRobots-Tag: *{}", filled(1_000_000));
        holds(&StoredResponse::parse(response.as_bytes()).headers, &Limits::default());
        has_an_answer(&format!("*{}", filled(100_000)), &raised);
        let _ = meta_directive_views(filled(100_000).as_bytes());
    }
}

/// Reads a text as every field that the engine knows.
fn has_an_answer(text: &str, limits: &Limits) {
    let headers: Headers = ["Robots-Tag", "X-Robots-Tag", "Expires", "Date", "Age", "Cache-Control", "Content-Type"]
        .map(|name| (name, text))
        .into_iter()
        .collect();
    holds(&headers, limits);
    let _ = (headers.fresh_until(Some(Timestamp::from_unix(0))), headers.fresh_until(None), headers.charset());
    holds(&StoredResponse::parse(text.as_bytes()).headers, limits);
}

/// Asserts that the number of directives is at most what a field of this length can contain.
fn holds(headers: &Headers, limits: &Limits) {
    let (words, notes) = headers.directive_views(limits);
    assert!(words.len() + notes.len() <= headers.text().len() + 2);
}

#[test]
fn s34_very_many_lines_have_an_answer() {
    let text = "Robots-Tag: a;noindex\nX-Robots-Tag: b: noindex\n nofollow\nno field\n".repeat(100_000);
    let stored = StoredResponse::parse(text.as_bytes());
    assert_eq!(stored.headers.lines().count(), 200_000);
    let (words, notes) = stored.headers.directive_views(&Limits::default());
    assert!(words.len() >= 200_000 && notes.iter().any(|(code, _)| *code == Code::HeaderTooLong));
}

/// Law: a list of names in parentheses does not multiply directives, because an inner list is not a valid member.
#[test]
fn s34_names_in_parentheses_are_dropped() {
    let mut limits = Limits::default();
    limits.robots_tag = usize::MAX;
    let text = format!("({}){}, *;nosnippet", "a ".repeat(500_000), ";noindex".repeat(100_000));
    let (words, notes) = Headers::new().with("Robots-Tag", text).directive_views(&limits);
    assert_eq!(words.iter().map(|heard| heard.directive).collect::<Vec<_>>(), [Some("nosnippet")]);
    assert_eq!(notes.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [Code::MalformedMember]);
}

/// Requirements RT-3.1.1-8 to RT-3.1.1-10: complete members within the limit count, on any line.
#[test]
fn s22_members_within_the_limit_count() {
    let member = "bot;noindex;x=\"0123456789\"";
    let many = vec![member; 1000];
    let one = Headers::new().with("Robots-Tag", many.join(", "));
    let spread: Headers = many.iter().map(|member| ("Robots-Tag", member)).collect();
    for headers in [one, spread] {
        let (words, notes) = headers.directive_views(&Limits::default());
        let complete = Limits::MIN_ROBOTS_TAG / (member.len() + 2);
        assert_eq!(words.iter().filter(|heard| heard.directive == Some("noindex")).count(), complete);
        assert_eq!(notes.len(), 1);
        assert_eq!(notes[0].0, Code::HeaderTooLong);
        holds_together(&headers, &Limits::default());
    }
}
