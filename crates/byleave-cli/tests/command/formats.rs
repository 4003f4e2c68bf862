//! The formats `plain` and `json`, colour, and the escaping of control characters.

use crate::{byleave, byleave_with, command, file};

#[test]
fn plain_has_seven_fields_per_answer() {
    let urls = ["https://gazette.example/news/", "/about/", "/other", "/a\tb\u{1b}[31m"];
    let arguments = ["check", "examples/gazette", "--crawler", "GPTBot", "--format", "plain"];
    let ran = byleave(&[&arguments[..], &urls].concat());
    let lines: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(
        lines,
        [
            ["prohibited", urls[0], "crawl", "robots.txt:18", "Disallow: /news/", "S-13", "prohibited"],
            ["permitted", "/about/", "crawl", "robots.txt:16", "Allow: /about/", "S-13", "permitted"],
            ["permitted", "/other", "crawl", "-", "-", "S-01", "permitted"],
            ["permitted", "/a\\tb\\x1b[31m", "crawl", "-", "-", "S-01", "permitted"],
        ]
    );
}

#[test]
fn s14_plain_shows_the_statement_that_prohibits_a_prerequisite() {
    let arguments = ["check", "examples/gazette", "--crawler", "CCBot", "--format", "plain", "--usage", "index", "/a"];
    let ran = byleave(&arguments);
    assert_eq!(ran.shown(), "prohibited\t/a\tindex\trobots.txt:24\tDisallow: /\tS-14\tunstated\n[exit 1]");
}

#[test]
fn check_and_explain_write_the_same_plain_and_json() {
    for format in ["plain", "json"] {
        let ask = |command| {
            let usages = ["--usage", "crawl,index", "--format", format];
            let ran =
                byleave(&[&[command, "examples/gazette", "--crawler", "GPTBot", "/news/", "/"], &usages[..]].concat());
            (ran.stdout, ran.code)
        };
        assert_eq!(ask("check"), ask("explain"), "{format}");
        assert_eq!(ask("check").0.lines().count(), 4);
    }
}

#[test]
fn a_case_is_explained_in_every_format() {
    let case = ["explain", "--case", "examples/gazette/cases.jsonl:1", "--format"];
    let plain = byleave(&[&case[..], &["plain"]].concat());
    assert!(
        plain.stdout.starts_with("prohibited\thttps://gazette.example/news/2026/budget.html\tcrawl\trobots.txt:18\t")
    );
    let json = byleave(&[&case[..], &["json"]].concat());
    assert!(json.stdout.starts_with("{\"schema\":\"byleave.decision/1\","));
    assert_eq!((plain.code, json.code), (1, 1));
}

#[test]
fn plain_and_json_agree_on_the_line() {
    let robots =
        b"User-agent: *\nDisallow: /a*\nDisallow: /*b\nDisallow: /a*\nAllow: /a$\n\nUser-agent: *\nAllow: /ab\n";
    for url in ["/a", "/ab", "/axb", "/b", "/ac", "/c"] {
        let ask = |format| byleave_with(&["check", "-", "--crawler", "A", "--format", format, url], robots).stdout;
        let report: serde_json::Value = serde_json::from_str(&ask("json")).unwrap();
        let place = match &report["determined_by"][0]["line"] {
            serde_json::Value::Null => "-".to_owned(),
            line => format!("robots.txt:{line}"),
        };
        assert_eq!(ask("plain").split('\t').nth(3), Some(place.as_str()), "{url}");
    }
}

#[test]
fn urls_can_come_from_a_list() {
    let list = file("urls.txt", "\u{feff}# the news\r\n/news/a\r\n\r\n  https://gazette.example/about/  \r\n");
    let arguments = ["check", "examples/gazette", "--crawler", "GPTBot", "--format", "plain", "/first", "--urls"];
    let ran = byleave(&[&arguments[..], &[&list]].concat());
    let urls: Vec<_> = ran.stdout.lines().filter_map(|line| line.split('\t').nth(1)).collect();
    assert_eq!(urls, ["/first", "/news/a", "https://gazette.example/about/"]);
    let ran = byleave_with(&[&arguments[..], &["-"]].concat(), b"/news/a\n");
    assert_eq!(ran.stdout.lines().count(), 2);
}

#[test]
fn colour_is_used_on_terminals_and_on_request() {
    let arguments = ["explain", "examples/gazette", "--crawler", "GPTBot", "/news/"];
    let plain = byleave(&arguments).stdout;
    assert!(!plain.contains('\u{1b}'));
    let run = |when, no_color| {
        let mut command = command(&[&arguments[..], &["--color", when]].concat());
        String::from_utf8(command.env("NO_COLOR", no_color).output().unwrap().stdout).unwrap()
    };
    let coloured = run("always", "1");
    assert!(coloured.contains("\u{1b}[1;31m"));
    assert_eq!(run("auto", ""), plain);
    assert_eq!(run("never", ""), plain);
    let mut bare = String::new();
    let mut parts = coloured.split("\u{1b}[");
    bare.push_str(parts.next().unwrap());
    parts.for_each(|part| bare.push_str(part.split_once('m').unwrap().1));
    assert_eq!(bare, plain, "colour must not change the text");
}

#[test]
fn adversarial_text_is_escaped() {
    let robots = b"User-agent: *\x1b[2J\nDisallow: /\x1b]0;title\x07\xff\xc2\x9b31m\nDisallow: /*\x00\n\
        Sitemap: https://a.example/\x1b[31m\nDissalow: /\xe2\x80\xae\x08x\nAcme\x1b: x\n";
    for format in ["text", "plain"] {
        for arguments in
            [&["explain", "-", "--crawler", "\u{1b}[1mA", "/\u{1b}[31m", "/\u{9b}\r\n"][..], &["facts", "-"]]
        {
            let ran = byleave_with(&[arguments, &["--format", format]].concat(), robots);
            assert_eq!(ran.stderr, "");
            let is_raw = |letter: char| letter.is_control() && letter != '\n' && !(format == "plain" && letter == '\t');
            assert!(!ran.stdout.contains(is_raw), "{}", ran.stdout.escape_debug());
            assert!(!ran.stdout.contains('\u{202e}'));
        }
    }
}

#[test]
fn facts_in_plain_and_json() {
    let plain = byleave(&["facts", "examples/gazette", "--format", "plain"]).stdout;
    assert!(plain.contains("Sitemap\thttps://gazette.example/sitemap.xml\t-\trobots.txt:34\n"), "{plain}");
    assert!(plain.contains("Crawl-delay\t2\tGooglebot, Bingbot\trobots.txt:10\n"), "{plain}");
    assert!(plain.starts_with("User-agent\tGooglebot\t-\t-\n"), "{plain}");
    let json = byleave(&["facts", "examples/gazette", "--format", "json", "--crawler", "Bingbot"]).stdout;
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["crawler"], "Bingbot");
    assert_eq!(object["facts"].as_array().unwrap().len(), 3);
    assert_eq!(object["facts"][0]["field"], "Crawl-delay");
}
