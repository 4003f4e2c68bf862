//! The text output of each command, as snapshots.

use crate::{Ran, byleave, byleave_with, file};

/// Returns the output without the path of the temporary folder, which differs between machines.
fn shown(ran: &Ran) -> String {
    ran.shown().replace(env!("CARGO_TARGET_TMPDIR"), "TMP")
}

#[test]
fn check() {
    let urls = ["/", "/news/2026/budget.html", "/news/2026/open/letters.html", "/reports/annual.pdf", "/other"];
    let ran = byleave(&[&["check", "examples/gazette", "--crawler", "GPTBot"], &urls[..]].concat());
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn check_of_several_usages() {
    let usages = ["--usage", "crawl,index,train-ai,x:zip"];
    let ran = byleave(&[&["check", "examples/gazette", "--crawler", "CCBot", "/news/"], &usages[..]].concat());
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn check_without_robots_txt() {
    let mut all = String::new();
    for status in ["404", "503", "unreachable", "too-many-redirects"] {
        all += &shown(&byleave(&["check", "none", "--crawler", "A", "--status", status, "/a", "/robots.txt"]));
        all += "\n";
    }
    all += &shown(&byleave(&["check", "none", "--crawler", "A", "/a"]));
    insta::assert_snapshot!(all);
}

#[test]
fn explain() {
    let url = "https://gazette.example/news/2026/budget.html";
    insta::assert_snapshot!(shown(&byleave(&["explain", "examples/gazette", "--crawler", "GPTBot", url])));
}

#[test]
fn explain_preferences() {
    let asked = ["--usage", "train-ai,ai-input", "https://courier.example/news/"];
    let ran = byleave(&[&["explain", "examples/courier", "--crawler", "AnyBot"], &asked[..]].concat());
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn explain_a_licence() {
    let robots = "License: https://site.example/license.xml\nUser-agent: *\nDisallow:\n";
    let licence = "<rsl xmlns=\"https://rslstandard.org/rsl\">\n  <content url=\"/\">\n    <license>\n\
        \x20     <permits type=\"usage\">search ai-train</permits>\n      <permits type=\"geo\">DE FR</permits>\n\
        \x20     <payment type=\"subscription\"/>\n    </license>\n  </content>\n</rsl>\n";
    let licence = file("licence.xml", licence);
    let asked = ["explain", "-", "--crawler", "A", "--usage", "train-ai", "https://site.example/a"];
    let document = ["--document", "https://site.example/license.xml", &licence];
    insta::assert_snapshot!(shown(&byleave_with(&[&asked[..], &document].concat(), robots.as_bytes())));
    let ran = byleave_with(&[&asked[..], &document, &["--format", "json"]].concat(), robots.as_bytes());
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let lines = |at: &str| report.pointer(at).and_then(serde_json::Value::as_u64);
    assert_eq!((lines("/determined_by/0/terms/0/line"), lines("/determined_by/0/terms/1/line")), (Some(5), Some(6)));
}

#[test]
fn explain_several() {
    let asked = ["--usage", "crawl,index", "/search/help", "/robots.txt", "/news/?print=1"];
    let ran = byleave(&[&["explain", "examples/gazette", "--crawler", "Googlebot"], &asked[..]].concat());
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn explain_with_diagnostics() {
    let robots = "Disallow: /orphan\nUser-agent: *\nDissalow: /private/ # not for you\nAllow: private/open\n\
        Crawl-dealy: 10\nDisallow: /p\nDisallow: /private/a*\n";
    let ran = byleave_with(&["explain", "-", "--crawler", "A", "/private/a", "/q"], robots.as_bytes());
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn explain_distant_and_long_lines() {
    let rules: String = (0..30).map(|n| format!("Disallow: /{n}/\n")).collect();
    let long = "x".repeat(500);
    let robots = format!("User-agent: *\n{rules}   \tDisallow:\t/{long}*\n\nAllow: /\n");
    let ran = byleave_with(&["explain", "-", "--crawler", "A", &format!("/{}", "x".repeat(600))], robots.as_bytes());
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn explain_in_the_strict_reading() {
    let robots = b"User-agent: *\nDisallow: /\nAllow /open\n";
    let ran = byleave_with(&["explain", "-", "--crawler", "A", "--reading", "strict", "/open"], robots);
    insta::assert_snapshot!(shown(&ran));
}

#[test]
fn explain_a_case() {
    insta::assert_snapshot!(shown(&byleave(&["explain", "--case", "examples/gazette/cases.jsonl:7"])));
}

#[test]
fn extract() {
    const NO: &str = "class=the-acap:disallow-index";
    let page = file(
        "extracted.html",
        "<title>t</title>un<b>believ</b>able<br>wea<!-- -->r<p id=a>A1<p id=a>A2<p>Se<i>cret</i>",
    );
    let dom = file("scripted.html", format!("<p id=x>X<p id=a>A1<p id=a {NO}>A2<p {NO}>Secret"));
    let mut all = String::new();
    for more in [&[][..], &["--dom", &dom], &["--dom", &dom, "--as", "html"], &["--dom", &dom, "--element", "#x"]] {
        let asked = ["extract", &page, "--crawler", "A", "--usage", "index"];
        all += &(shown(&byleave(&[&asked[..], more].concat())) + "\n");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn extract_from_a_stored_response_and_explain_a_prohibition() {
    let stored = |header: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{header}\r\n<p>Harbour</p>");
    let asked = |page: &str| byleave(&["extract", page, "--crawler", "A", "--usage", "index"]);
    let open = file("extracted-open.http", stored(""));
    assert_eq!(asked(&open).shown(), "Harbour\n[exit 0]");
    let closed = file("extracted-closed.http", stored("X-Robots-Tag: noindex\r\n"));
    let why = "[stderr]\nbyleave: A may not index `/`: header line 3 prohibits it (`X-Robots-Tag: noindex`)\n";
    assert_eq!(asked(&closed).shown(), format!("\n{why}[exit 1]"));
    let asked = ["check", "none", "--crawler", "A", "--usage", "index", "--page", &closed, "/"];
    assert_eq!(byleave(&asked).code, 1);
}

#[test]
fn extract_from_a_page_beyond_the_limit() {
    let lines = |class: &str| (0..400).map(|n| format!("<p {class}>t{n}</p>")).collect::<String>();
    let page = file("many.html", lines(""));
    let dom = file("many-scripted.html", lines("class=the-acap:disallow-index"));
    let rules = format!("ACAP-allow-index: /{}\n", "b".repeat(20_000)).repeat(25);
    let site = file("much-work.txt", format!("ACAP-crawler: *\n{rules}"));
    let asked = ["extract", &page, "--crawler", "A", "--usage", "index", "--dom", &dom, "--site", &site];
    insta::assert_snapshot!(shown(&byleave(&asked)));
}

#[test]
fn facts() {
    insta::assert_snapshot!(shown(&byleave(&["facts", "examples/gazette"])));
}

#[test]
fn facts_of_one_crawler() {
    insta::assert_snapshot!(shown(&byleave(&["facts", "examples/gazette", "--crawler", "GPTBot"])));
}

#[test]
fn facts_of_nothing() {
    let mut all = shown(&byleave(&["facts", "none"])) + "\n";
    all += &shown(&byleave_with(&["facts", "-"], b""));
    insta::assert_snapshot!(all);
}

#[test]
fn test() {
    let cases = r#"{"name": "fine", "robots": "", "url": "/", "crawler": "A", "usage": "crawl", "expect": {"outcome": "permitted"}}
{"name": "the archive is open", "why": "S-13", "robots": "User-agent: *\nDisallow: /archive/\nDisallow: /a\n", "url": "/archive/1999", "crawler": "A", "usage": "crawl", "expect": {"outcome": "permitted", "by": "Allow:", "line": 3, "carrier": "robots.txt", "rule": "S-06"}}

{"name": "a header is not read yet", "headers": [["X-Robots-Tag", "noindex"]], "url": "/", "crawler": "A", "usage": "index", "expect": {"outcome": "prohibited"}}
"#;
    insta::assert_snapshot!(shown(&byleave(&["test", &file("three-cases.jsonl", cases)])));
}

#[test]
fn rule() {
    insta::assert_snapshot!(shown(&byleave(&["rule", "s34"])));
}

#[test]
fn rules() {
    let ran = byleave(&["rule"]);
    let first: Vec<_> = ran.stdout.lines().take(3).collect();
    assert_eq!(first[0], "S-01  Four outcomes, and silence is one of them");
    assert!(ran.stdout.lines().count() >= 38 && ran.stdout.lines().all(|line| line.starts_with("S-")));
}

#[test]
fn completions_and_man_pages() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = byleave(&["completions", shell]);
        assert!(ran.code == 0 && ran.stdout.contains("ignores-any"), "{shell}");
    }
    let page = byleave(&["man"]).stdout;
    assert!(page.contains(".TH byleave 1") && page.contains("byleave\\-check(1)"), "{page}");
    let page = byleave(&["man", "check"]).stdout;
    assert!(page.contains("byleave\\-check") && page.contains("\\-\\-ignores\\-any"), "{page}");
}

#[test]
fn help() {
    let all = ["check", "test"].map(|command| byleave(&[command, "--help"]).stdout);
    insta::assert_snapshot!(all.join("\n----\n"));
}
