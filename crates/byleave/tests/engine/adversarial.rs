//! Adversarial files (S-34). The engine reads each of them without a panic, and makes the same decisions as brute
//! force.
//!
//! These tests do not measure time. But with quadratic code, a test would take far too long to finish.

use byleave::analysis::{decide_unchecked, tree};
use byleave::diagnostic::diagnose;
use byleave::{Crawler, Policy, ProposedUse, Reading, Site, Usage};
use byleave_testing::generate::Numbers;
use byleave_testing::naive::{Asker, Naive};

const SIZE: usize = 499_000;

/// Returns a file with `User-agent: *` and the lines that `line` returns. Stops at the size limit, or when `line`
/// returns `None`.
fn file(mut line: impl FnMut(usize) -> Option<String>) -> Vec<u8> {
    let mut text = String::from("User-agent: *\n");
    for n in 0.. {
        match line(n) {
            Some(line) if text.len() + line.len() < SIZE => text.push_str(&line),
            _ => break,
        }
    }
    text.into_bytes()
}

/// Reads the file in two readings, and compares the engine's decisions about these URLs with brute force.
fn survives(text: &[u8], urls: &[&str]) {
    survives_as(text, urls, "AnyBot");
}

fn survives_as(text: &[u8], urls: &[&str], name: &str) {
    let reading = Reading::Default;
    let policy = Policy::parse_as(text, reading);
    let site = Site::of_robots_txt(text, reading);
    let saved = policy.to_bytes();
    let loaded = Policy::from_bytes(&saved).unwrap();
    let naive = Naive::read(text, reading);
    let crawler = Crawler::named(name);
    for url in urls {
        let expected = naive.decide(&Asker { names: &[name], fallbacks: &[], purposes: &[] }, url);
        assert_eq!(policy.bind(&crawler).may_crawl(url), expected.is_allowed, "{url:.200}");
        assert_eq!(loaded.bind(&crawler).may_crawl(url), expected.is_allowed, "{url:.200}");
        let decision = decide_unchecked(&site, &ProposedUse::new(url, &crawler, &Usage::Crawl));
        assert_eq!(decision.reason.name(), expected.reason, "{url:.200}");
    }
    let _ = Policy::parse_as(text, Reading::Google);
    let _ = diagnose(text, reading);
    assert_eq!(tree(text, reading).leaves().last().map_or(0, |leaf| leaf.span.end as usize), text.len());
}

#[test]
fn s34_twenty_thousand_disjoint_literals() {
    let text = file(|n| Some(format!("Disallow: /d/{n:05}/x\n")));
    survives(&text, &["/d/00007/x/y", "/d/19999/x", "/d/00007/", "/d/99999/x", "/e"]);
}

#[test]
fn s34_nested_literals() {
    let text = file(|n| Some(format!("{}: /{}\n", if n % 2 == 0 { "Disallow" } else { "Allow" }, "a".repeat(n + 1))));
    let (even, odd) = (format!("/{}b", "a".repeat(500)), format!("/{}b", "a".repeat(501)));
    survives(&text, &[&even, &odd, "/b", "/a"]);
}

#[test]
fn s34_literals_that_share_two_hundred_bytes() {
    let stem = "s".repeat(200);
    let text = file(|n| Some(format!("Disallow: /{stem}{n:05}\n")));
    survives(&text, &[&format!("/{stem}00100/x"), &format!("/{stem}99999"), &format!("/{stem}"), "/s"]);
}

#[test]
fn s34_thirteen_thousand_groups() {
    let text = file(|n| Some(format!("User-agent: bot{n}\nDisallow: /{n}\n")));
    survives_as(&text, &["/77/x", "/78/x"], "bot77");
    survives_as(&text, &["/77/x"], "nobody");
}

#[test]
fn s34_one_line() {
    let long = "x".repeat(SIZE - 40);
    survives(format!("User-agent: *\nDisallow: /{long}\n").as_bytes(), &[&format!("/{long}y"), "/xxx"]);
    survives("x".repeat(SIZE).as_bytes(), &["/"]);
    survives(format!("Disallow{}:/", " ".repeat(SIZE)).as_bytes(), &["/"]);
    survives(format!("User-agent: {long}\nDisallow: /\n").as_bytes(), &["/"]);
}

#[test]
fn s34_twenty_thousand_patterns_with_an_end() {
    let text = file(|n| Some(format!("Disallow: /*x{n:05}*.pdf$\n")));
    survives(&text, &["/d/x00009/f.pdf", "/d/x00009/f.pdf?"]);
    let text = file(|n| Some(format!("Disallow: *.ext{n}$\n")));
    survives(&text, &["/d/f.ext17", "/d/f.ext"]);
}

#[test]
fn s34_twenty_thousand_patterns_of_short_pieces() {
    let text = file(|n| Some(format!("Disallow: /*a*b*{n}*\n")));
    survives(&text, &["/xaxbx/123/y", "/xbxax/123/y"]);
}

#[test]
fn s34_many_wildcards_on_a_long_path() {
    let long = format!("/{}", "a".repeat(2000));
    for pattern in ["/*a*a*a*a*a*b".to_owned(), format!("/{}b", "*a".repeat(20)), format!("/{}b$", "*a".repeat(20))] {
        survives(format!("User-agent: *\nDisallow: {pattern}\n").as_bytes(), &[&long, &format!("{long}b")]);
    }
}

#[test]
fn s34_a_thousand_query_patterns_on_a_long_query() {
    let text = file(|n| (n < 1000).then(|| format!("Disallow: /*?*s{n}=*&*t{n}=*\n")));
    let fields: Vec<String> = (0..110).map(|n| format!("s{}=v{n}&x{n}=1", n * 7 % 2000)).collect();
    let query = format!("/search?{}", fields.join("&"));
    survives(&text, &[&query, &format!("{query}&t7=1")]);
}

#[test]
fn s34_fifty_thousand_empty_lines() {
    survives(&b"\n".repeat(50_000), &["/"]);
    survives(&b"\r\n".repeat(50_000), &["/"]);
    survives(&[b"User-agent: *\n", &b"\r".repeat(50_000)[..], b"Disallow: /"].concat(), &["/a"]);
}

#[test]
fn s34_sixty_thousand_lines_with_one_name() {
    let text = [b"User-agent:*\n".repeat(35_000), b"Disallow: /a\n".to_vec()].concat();
    survives(&text, &["/a", "/b"]);
    let text = [b"User-agent:a\n".repeat(35_000), b"Disallow: /a\n".to_vec()].concat();
    survives_as(&text, &["/a", "/b"], "a");
}

#[test]
fn s34_nuls_and_random_bytes() {
    survives(&vec![0; SIZE], &["/"]);
    let mut numbers = Numbers::new(3);
    let random: Vec<u8> = (0..SIZE).map(|_| numbers.below(256) as u8).collect();
    survives(&random, &["/", "/a"]);
    let telling: Vec<u8> = (0..SIZE).map(|_| numbers.pick(b"\r\n\t :#*$%/auser-gent")).collect();
    survives(&telling, &["/", "/a"]);
}

/// A sequence of octets may occur everywhere in the URL and in every rule. The engine must not inspect all these rules
/// at every position, because this would be slower than brute force.
#[test]
fn s34_rules_filed_under_a_run_that_fills_the_path() {
    let text = file(|_| Some("Disallow: /*aaaa*b\n".to_owned()));
    let url = format!("/b{}", "a".repeat(2000));
    let policy = Policy::parse(&text);
    for _ in 0..20 {
        assert!(policy.may_crawl("AnyBot", &url));
    }
}

/// A file has more than four groups, and one of them repeats a name many times. The engine must not inspect all rules
/// for each repetition.
#[test]
fn s34_a_name_written_often_in_one_of_many_groups() {
    let mut text = b"User-agent:a\n".repeat(25_000);
    for n in 0..120 {
        text.extend_from_slice(format!("Disallow: /*{}*b{n}\n", "a*".repeat(300)).as_bytes());
    }
    text.extend_from_slice(&b"User-agent: a\nDisallow: /x\n".repeat(5));
    let policy = Policy::parse(&text);
    for _ in 0..20 {
        assert!(policy.may_crawl("a", &format!("/{}", "b0123456789a".repeat(160))));
    }
}

/// Tests the facts of a group with very many names.
#[test]
fn s34_facts_and_names_of_a_group_with_many_names() {
    let text: String = (0..15_000)
        .map(|n| format!("User-agent:{n}\n"))
        .chain((0..15_000).map(|_| "Crawl-delay:1\n".to_owned()))
        .collect();
    let policy = Policy::parse(text.as_bytes());
    assert_eq!(policy.crawlers_named().len(), 15_000);
    assert_eq!(policy.facts().len(), 15_000);
}

/// Tests a pattern whose length exceeds 24 bits when its octets are escaped, with a limit that the caller raised.
#[test]
fn s22_a_raised_limit_keeps_the_length_of_a_pattern() {
    let mut limits = byleave::Limits::default();
    limits.robots_txt = byleave::Limits::MAX_DOCUMENT;
    let text = format!("User-agent: *\nDisallow: /{}\n", "é".repeat(3_000_000));
    let policy = byleave::Compiler::with_limits(Reading::Default, limits).compile(text.as_bytes());
    assert!(policy.may_crawl("AnyBot", &format!("/{}", "é".repeat(210_000))));
}
