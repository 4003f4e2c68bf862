//! Adversarial pages (S-34). The engine reads each page in time linear in its bytes, and has an answer.
//!
//! Set `BYLEAVE_TIMES` to print the time for each page at three sizes. The time should grow linearly with the size.

use byleave::Limits;
use byleave::analysis::html::{body_metas, decoded, head_metas};
use std::time::Instant;

/// The number of META tags in the head and outside it, the length of the longest content, and whether the whole page
/// was read.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    head: usize,
    body: usize,
    longest: usize,
    is_head_whole: bool,
    is_body_whole: bool,
}

const fn whole(head: usize, body: usize) -> Answer {
    Answer { head, body, longest: 0, is_head_whole: true, is_body_whole: true }
}

fn answer(bytes: &[u8]) -> Answer {
    let mut limits = Limits::default();
    limits.page = 1 << 30;
    let page = decoded(bytes, None, &limits);
    let mut found = whole(0, 0);
    let began = Instant::now();
    let read = head_metas(&page, |tag| {
        found.head += 1;
        assert!(tag.attribute("missing").is_none());
        found.longest = found.longest.max(tag.content().map_or(0, |content| content.len()));
    });
    let head = began.elapsed();
    let began = Instant::now();
    found.is_head_whole = read.is_whole;
    found.is_body_whole = body_metas(&page, |_| found.body += 1).is_whole;
    if std::env::var_os("BYLEAVE_TIMES").is_some() {
        eprintln!("{:>10} bytes  head {head:>12.1?}  body {:>12.1?}", bytes.len(), began.elapsed());
    }
    found
}

/// Checks pages with `times` parts, and with two and four times as many. `expect` returns the expected answer for each
/// number of parts.
fn ask(times: usize, page: impl Fn(usize) -> String, expect: impl Fn(usize) -> Answer) {
    // Debug builds are slow.
    ask_exactly(if cfg!(debug_assertions) { times / 50 } else { times }, page, expect);
}

fn ask_exactly(times: usize, page: impl Fn(usize) -> String, expect: impl Fn(usize) -> Answer) {
    for times in [times, 2 * times, 4 * times] {
        assert_eq!(answer(page(times).as_bytes()), expect(times));
    }
}

#[test]
fn s34_a_million_metas() {
    ask(
        250_000,
        |times| "<meta name=robots content=x>".repeat(times),
        |times| Answer { longest: 1, ..whole(times, 0) },
    );
}

#[test]
fn s34_a_long_attribute() {
    let page = |times| format!("<meta content='{}'>", "x".repeat(times));
    ask(2_500_000, page, |times| Answer { longest: times, ..whole(1, 0) });
    let page = |times| format!("<meta content='{}'>", "&".repeat(times));
    ask(2_500_000, page, |times| Answer { longest: times, ..whole(1, 0) });
    let page = |times| format!("<meta content=&#{}>", "1".repeat(times));
    ask(2_500_000, page, |_| Answer { longest: 3, ..whole(1, 0) });
    let page = |times| format!("<meta content='{}'>", "&amp".repeat(times));
    ask(600_000, page, |times| Answer { longest: times, ..whole(1, 0) });
    let page = |times| format!("<meta content='{}'>", "\r\0".repeat(times));
    ask(600_000, page, |times| Answer { longest: 4 * times, ..whole(1, 0) });
}

#[test]
fn s34_a_million_attributes() {
    let many = |times: usize| (0..times).map(|number| format!(" a{number}")).collect::<String>();
    ask(250_000, |times| format!("<meta{} content=x>", many(times)), |_| Answer { longest: 1, ..whole(1, 0) });
    ask(250_000, |times| format!("<meta{} content=x>", " b".repeat(times)), |_| Answer { longest: 1, ..whole(1, 0) });
    ask(250_000, |times| format!("<template><b{}></b></template><meta><b{0}><meta>", many(times)), |_| whole(1, 1));
    ask(250_000, |times| format!("<meta {}", "/".repeat(times)), |_| whole(0, 0));
    ask(250_000, |times| format!("<meta {}>", "=".repeat(times)), |_| whole(1, 0));
    ask(250_000, |times| format!("<meta {}>", "a=".repeat(times)), |_| whole(1, 0));
}

#[test]
fn s34_markup_that_is_never_closed() {
    for opening in
        ["<!--", "<title>", "<style>", "<script>", "<script><!--", "<meta content='", "<!doctype ", "<noscript><style>"]
    {
        for filling in ["x", "-", "<", ">", "</", "<!--", "</title", "</script", "<script>", "-->", "&", "\0"] {
            let page = |times| format!("<meta>{opening}{}", filling.repeat(times));
            let expect = |_| whole(1, 0);
            let is_closing = match filling {
                ">" => opening == "<!doctype ",
                "-->" => opening == "<!--" || opening == "<!doctype ",
                "</script" => false,
                "<script>" => opening == "<!doctype ",
                _ => false,
            };
            if !is_closing {
                ask(100_000, page, expect);
            }
        }
    }
    ask(2_000_000, |times| format!("<meta>{}", "\0".repeat(times)), |_| whole(1, 0));
    ask(2_000_000, |times| format!("<meta>{}", " ".repeat(times)), |_| whole(1, 0));
    ask(500_000, |times| format!("<meta>{}<meta>", "&#32;".repeat(times)), |_| whole(2, 0));
    ask(2_000_000, |times| format!("<meta>{}", "<".repeat(times)), |_| whole(1, 0));
    ask(500_000, |times| format!("{}<meta>", "</>".repeat(times)), |_| whole(1, 0));
    ask(500_000, |times| format!("{}<meta>", "<!-->".repeat(times)), |_| whole(1, 0));
    ask(500_000, |times| format!("{}<meta>", "<!doctype>".repeat(times)), |_| whole(1, 0));
    ask(
        200_000,
        |times| format!("<script>{}</script><meta>", "<!--<script></script>-->".repeat(times)),
        |_| whole(1, 0),
    );
}

#[test]
fn s34_templates() {
    let nested =
        |times: usize| format!("<meta>{}<meta>{}<meta>", "<template>".repeat(times), "</template>".repeat(times));
    ask(250_000, nested, |_| whole(2, 0));
    ask(100_000, |times| "<template><meta></template><meta>".repeat(times), |times| whole(times, 0));
    ask(250_000, |times| format!("<meta>{}<meta>", "<template>".repeat(times)), |_| whole(1, 0));
    ask(250_000, |times| format!("<template>{}</template><meta>", "</p>".repeat(times)), |_| whole(1, 0));
    ask(250_000, |times| format!("<template><svg>{}</template><meta>", "<g>".repeat(times)), |_| whole(1, 0));
}

/// Tree construction that takes too long is abandoned. META tags after that point are not read, and the result says so.
#[test]
fn s22_trees_that_take_too_long_are_given_up() {
    let given_up = |head| Answer { is_head_whole: false, is_body_whole: false, ..whole(head, 0) };
    ask_exactly(50_000, |times| format!("<meta><template>{}</template><meta>", "<div>".repeat(times)), |_| given_up(1));
    let distinct = |times: usize| (0..times).map(|number| format!("<b x={number}>")).collect::<String>();
    ask_exactly(50_000, |times| format!("<meta><template>{}</template><meta>", distinct(times)), |_| given_up(1));
    let crossed = |times: usize| (0..times).map(|number| format!("<a x={number}><div></a>")).collect::<String>();
    ask_exactly(50_000, |times| format!("<meta><template>{}</template><meta>", crossed(times)), |_| given_up(1));
    let long = |times: usize| (0..times).map(|number| format!("<b {}={number}>", "x".repeat(1000))).collect::<String>();
    ask_exactly(2_000, |times| format!("<meta><template>{}</template><meta>", long(times)), |_| given_up(1));
    let body = |head| Answer { is_body_whole: false, ..whole(head, 0) };
    ask_exactly(50_000, |times| format!("<meta><body>{}<meta>", "<div>".repeat(times)), |_| body(1));
    ask_exactly(50_000, |times| format!("<meta><body>{}<meta>", distinct(times)), |_| body(1));
}

#[test]
fn s34_metas_outside_the_head() {
    ask(100_000, |times| format!("<body>{}", "<meta>".repeat(times)), |times| whole(0, times));
    ask(100_000, |times| format!("<table>{}", "<meta>".repeat(times)), |times| whole(0, times));
    ask(100_000, |times| format!("<body>{}", "<p><meta></p>".repeat(times)), |times| whole(0, times));
    let deep = |times: usize| format!("<svg>{}<foreignObject>{}", "<g>".repeat(times), "<meta>".repeat(times));
    ask(50_000, deep, |times| whole(0, times));
    let unknown = |times: usize| (0..times).map(|number| format!("<unknown{number}>")).collect::<String>();
    ask(250_000, |times| format!("{}<meta>", unknown(times)), |_| whole(0, 1));
}
