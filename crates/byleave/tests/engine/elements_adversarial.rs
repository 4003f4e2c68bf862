//! Adversarial pages for the element parser (S-34). The parser parses or abandons each page, in time linear in its
//! bytes.
//!
//! Set `BYLEAVE_TIMES` to print the time for each page at three sizes. The time should grow linearly with the size.

use byleave::Limits;
use byleave::analysis::html::decoded;
use byleave::testing::Outline;
use std::time::{Duration, Instant};

/// The parser's result: the numbers of elements and texts, whether the whole page was read, and whether the page may
/// contain statements.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    elements: u32,
    texts: usize,
    is_whole: bool,
    may_matter: bool,
}

/// A generous time limit. None of these pages comes close to it.
const MOST_NANOSECONDS_A_BYTE: u128 = 5_000;

fn answer(bytes: &[u8]) -> Answer {
    let mut limits = Limits::default();
    limits.page = 1 << 30;
    let page = decoded(bytes, None, &limits);
    let mut times = Vec::new();
    let mut timed = |began: Instant| times.push(began.elapsed());
    let began = Instant::now();
    let may_matter = Outline::may_matter(&page, true, &["x-missing", "\u{e9}"]);
    assert!(may_matter || !Outline::may_matter(&page, true, &[]));
    timed(began);
    let began = Instant::now();
    let outline = Outline::of(&page);
    timed(began);
    let began = Instant::now();
    assert_eq!(outline.with_id("x-missing").or(outline.with_class("x-missing")), None);
    assert!(!outline.has_profile("x-missing"));
    timed(began);
    let whole: Duration = times.iter().sum();
    if std::env::var_os("BYLEAVE_TIMES").is_some() {
        eprintln!("{:>10} bytes  skip, tree, index {times:>9.1?}", bytes.len());
    }
    let allowed = 4_000_000_000 + MOST_NANOSECONDS_A_BYTE * bytes.len() as u128;
    assert!(cfg!(debug_assertions) || whole.as_nanos() < allowed, "{} bytes took {whole:?}", bytes.len());
    Answer { elements: outline.count(), texts: outline.text_count(), is_whole: outline.is_whole(), may_matter }
}

/// Checks pages with `times` parts, and with two and four times as many.
fn ask(times: usize, page: impl Fn(usize) -> String, check: impl Fn(usize, &Answer) -> bool) {
    // Debug builds are slow.
    let times = if cfg!(debug_assertions) { times / 50 } else { times };
    for times in [times, 2 * times, 4 * times] {
        let answer = answer(page(times).as_bytes());
        assert!(check(times, &answer), "{times}: {answer:?}");
    }
}

#[test]
fn s34_nested_elements() {
    let whole = |times: usize, answer: &Answer| answer.is_whole && answer.elements as usize == times + 3;
    ask(100_000, |times| "<span>".repeat(times), whole);
    ask(100_000, |times| format!("<svg>{}", "<g>".repeat(times - 1)), whole);
    // Each `div` searches all open elements for a `p`.
    let given_up = |times: usize, answer: &Answer| !answer.is_whole || times < 10_000;
    ask(100_000, |times| "<div>".repeat(times), given_up);
    ask(100_000, |times| "<ul><li>".repeat(times), given_up);
    let few = |times: usize, answer: &Answer| answer.elements as usize <= 40_000 + 6 * times;
    ask(50_000, |times| "<b><p>".repeat(times), few);
    ask(50_000, |times| "<table><td>".repeat(times), few);
    let formatting: String = (0..1_000).map(|number| format!("<b id={number}>")).collect();
    ask(50_000, |times| format!("<p>{formatting}{}", "<p>x".repeat(times)), few);
    ask(50_000, |times| format!("<p>{formatting}{}", "<p><b>".repeat(times)), few);
    ask(50_000, |times| (0..times).map(|number| format!("<a id={number}><div></a>")).collect(), given_up);
}

#[test]
fn s34_many_classes_ids_and_tags() {
    let all = |_: usize, answer: &Answer| answer.is_whole;
    ask(250_000, |times| format!("<p class='{}'>", "a ".repeat(times)), all);
    let distinct = |times: usize| (0..times).map(|number| format!("c{number} ")).collect::<String>();
    ask(250_000, |times| format!("<p class='{}'>", distinct(times)), all);
    ask(250_000, |times| "<p class=a id=b>".repeat(times), all);
    ask(250_000, |times| (0..times).map(|number| format!("<br id={number} class=c{number}>")).collect(), all);
    ask(250_000, |times| (0..times).map(|number| format!("<body a{number}>")).collect(), all);
    ask(250_000, |times| "<html class=a><body class=b>x".repeat(times), all);
    ask(100_000, |times| "<link rel=profile href=x>".repeat(times), all);
}

#[test]
fn s34_many_texts() {
    let all = |_: usize, answer: &Answer| answer.is_whole;
    ask(500_000, |times| "x<br>".repeat(times), |times, answer| answer.is_whole && answer.texts == times);
    ask(1_000_000, |times| format!("<p>{}", "\0 ".repeat(times)), all);
    ask(1_000_000, |times| format!("<svg>{}", "\0a".repeat(times)), |_, answer| answer.is_whole && answer.texts == 1);
    ask(1_000_000, |times| format!("<frameset>{}", " x".repeat(times)), |_, answer| answer.texts == 1);
    ask(250_000, |times| format!("<table>{}", "x<!doctype>".repeat(times)), all);
    ask(250_000, |times| format!("<table>{}", "x<tr>".repeat(times)), all);
    ask(500_000, |times| format!("<p>{}", "&#32;".repeat(times)), all);
}

#[test]
fn s34_pages_that_nearly_matter() {
    let any = |_: usize, _: &Answer| true;
    let never = |_: usize, answer: &Answer| !answer.may_matter;
    for part in ["class=", "class='", "class=\"", "rel=x", "id =", "= ", "=", "&#", "&#0", "acap", "acap=", "b - ", "&"]
    {
        ask(500_000, |times| format!("{}>", part.repeat(times)), any);
    }
    ask(2_000_000, |times| format!("acap class={}", "x".repeat(times)), never);
    ask(1_000_000, |times| format!("acap {}", "class=x ".repeat(times)), never);
    ask(1_000_000, |times| format!("<p title='&#{}97'>", "0".repeat(times)), never);
    ask(1_000_000, |times| format!("<p class='{}acap:'>", "a".repeat(times)), never);
    ask(500_000, |times| format!("<p class='{}acap:'>", "a\n".repeat(times)), |_, answer| answer.may_matter);
}

#[test]
fn s34_a_page_of_fifty_megabytes() {
    let times = if cfg!(debug_assertions) { 10_000 } else { 1_200_000 };
    let page = "<p class=a>Some text, <b>bold</b>.</p>\n  ".repeat(times);
    let answer = answer(page.as_bytes());
    assert!(answer.is_whole && answer.elements as usize == 2 * times + 3, "{answer:?}");
    assert!(cfg!(debug_assertions) || page.len() > 48_000_000);
}
