//! Commands that cannot answer write one line to standard error, exit with code 2, and write nothing to standard
//! output.

use crate::{byleave_with, file};

/// Asserts that the command refuses these arguments with one line that contains all of these words.
fn refuses(arguments: &[&str], words: &[&str]) {
    let ran = byleave_with(arguments, b"User-agent: *\nDisallow: /\n");
    let shown = ran.shown();
    assert_eq!(ran.code, 2, "{arguments:?}\n{shown}");
    assert_eq!(ran.stdout, "", "{arguments:?}");
    assert!(ran.stderr.starts_with("byleave: "), "{arguments:?}\n{shown}");
    assert!(ran.stderr.ends_with('\n') && ran.stderr.lines().count() == 1, "{arguments:?}\n{shown}");
    assert!(!ran.stderr.contains(|letter: char| letter != '\n' && letter.is_control()), "{arguments:?}\n{shown}");
    for word in words {
        assert!(ran.stderr.contains(word), "{arguments:?} lacks {word}\n{shown}");
    }
}

const GAZETTE: &str = "examples/gazette";

#[test]
fn a_site_that_cannot_be_read() {
    let crawler = ["--crawler", "A"];
    let refuses = |site: &str, words: &[&str]| refuses(&["check", site, crawler[0], crawler[1]], words);
    refuses("no/such/file", &["`no/such/file`", "no such file", "give a robots.txt"]);
    refuses("docs", &["`docs`", "contains no `robots.txt`", "`none`"]);
    refuses("https://gazette.example", &["`https://gazette.example`", "download its robots.txt"]);
    refuses("no\u{1b}[31m/such", &["no\\x1b[31m/such"]);
    refuses("", &["<SITE>", "try `byleave check --help`"]);
}

#[test]
fn extract_needs_one_usage() {
    let page = ["extract", "examples/herald/page.html", "--crawler", "A"];
    refuses(&page, &["the usable text depends on the usage", "--usage index"]);
    refuses(&[&page[..], &["--usage", "index,follow"]].concat(), &["the usable text depends on the usage"]);
}

#[test]
fn invalid_arguments() {
    let refuses = |more: &[&str], words: &[&str]| {
        refuses(&[&["check", GAZETTE, "--crawler", "A"], more].concat(), words);
    };
    refuses(&["gazette.example/news"], &["`gazette.example/news`", "https://"]);
    refuses(&["/fine", "ftp://gazette.example/"], &["`ftp://gazette.example/`"]);
    refuses(&[""], &["``", "begins with `/`"]);
    refuses(&["x\u{1b}[2J"], &["`x\\x1b[2J`"]);
    refuses(&["--usage", "indx"], &["`indx`", "did you mean `index`?", "x:indx"]);
    refuses(&["--usage", "crawl,snippet"], &["`snippet`", "present-snippet"]);
    refuses(&["--usage", "zebra"], &["`zebra`", "known usages are crawl, follow"]);
    refuses(&["--usage", ""], &["the name of the usage is empty"]);
    refuses(&["--at", "yesterday"], &["yesterday", "RFC 3339"]);
    refuses(&["--first-used", "2026-02-30T00:00:00Z"], &["2026-02-30T00:00:00Z", "RFC 3339"]);
    refuses(&["--reading", "altavista"], &["bing", "default, strict, rfc9309, google"]);
    refuses(&["--status", "99"], &["99", "200 to 599"]);
    refuses(&["--status", "lost"], &["lost", "`unreachable`"]);
    refuses(&["--capability", "telepathy"], &["telepathy", "prior-arrangement"]);
    refuses(&["--unstated", "maybe"], &["maybe", "permit, prohibit"]);
    refuses(&["--format", "xml"], &["xml", "text, plain, json", "try `byleave check --help`"]);
    refuses(&["--color", "mauve"], &["mauve", "auto, always, never"]);
    refuses(&["--document", "/only-one"], &["--document"]);
    refuses(&["--document", "/tdmrep.json", "no/such/file"], &["`no/such/file`", "no such file"]);
    refuses(&["--fetch"], &["--fetch", "try `byleave check --help`"]);
    refuses(&["--crawlr", "A"], &["--crawlr", "--crawler"]);
    refuses(&["--fallback", " "], &["the name of the crawler is empty"]);
    refuses(&["--unable", "max-lenght"], &["`max-lenght`", "did you mean `max-length`?", "x:max-lenght"]);
    refuses(&["--unable", "zebra"], &["`zebra`", "known names are crawl, follow", "time-limit", "max-snippet"]);
    let robots = "examples/gazette/robots.txt";
    refuses(&["--document", "/a", robots, "--document", "/a", robots], &["--document /a", "twice"]);
    refuses(&["--document", "", robots], &["an empty location", "`/library.txt`"]);
    refuses(&["--purpose", ""], &["the purpose is empty"]);
}

#[test]
fn no_crawler_is_given() {
    for command in ["check", "explain"] {
        refuses(&[command, GAZETTE, "/"], &["--crawler NAME", "--user-agent"]);
        refuses(&[command, GAZETTE, "--user-agent", "(nothing but a comment)", "/"], &["no product token"]);
        refuses(&[command, GAZETTE, "--crawler", "", "/"], &["the name of the crawler is empty"]);
    }
}

#[test]
fn invalid_lists_of_urls() {
    let refuses = |list: &str, words: &[&str]| refuses(&["check", GAZETTE, "--crawler", "A", "--urls", list], words);
    refuses("no/such/list", &["`no/such/list`", "no such file", "one URL per line"]);
    refuses(&file("bad-urls.txt", "# a list\n/fine\n\nnot a url\n"), &["bad-urls.txt", "line 4", "`not a url`"]);
    refuses(&file("no-urls.txt", "# nothing\n\n"), &["no-urls.txt", "contains no URLs"]);
    refuses(&file("latin-1-urls.txt", b"/fine\n/caf\xe9\n"), &["latin-1-urls.txt", "line 2", "not UTF-8"]);
    refuses("docs", &["`docs`", "folder"]);
}

#[test]
fn standard_input_is_read_once() {
    refuses(&["check", "-", "--crawler", "A", "--urls", "-"], &["`-` is given twice"]);
    refuses(&["facts", "-", "--document", "/x", "-"], &["`-` is given twice"]);
    refuses(&["test", "-", "-"], &["line 1"]);
}

#[test]
fn invalid_case_files() {
    let good =
        r#"{"name": "a", "robots": "", "url": "/", "crawler": "A", "usage": "crawl", "expect": {"allowed": true}}"#;
    let refuses = |name: &str, content: &str, words: &[&str]| {
        refuses(&["test", "examples/gazette/cases.jsonl", &file(name, content)], words);
    };
    refuses("empty.jsonl", "", &["empty.jsonl", "line 1", "contains no cases"]);
    refuses("blank.jsonl", "\n  \n", &["blank.jsonl", "contains no cases"]);
    refuses("broken.jsonl", &format!("{good}\n\n{{\"name\":"), &["broken.jsonl` line 3", "EOF", "docs/cases.md"]);
    refuses("odd.jsonl", &good.replace("\"url\"", "\"uri\""), &["odd.jsonl` line 1", "unknown field `uri`"]);
    refuses("time.jsonl", &good.replace("\"usage\"", "\"at\": \"now\", \"usage\""), &["time.jsonl` line 1", "`now`"]);
    for (name, expect, words) in [
        ("rule.jsonl", r#""rule": "S-99""#, "unknown rule `S-99`"),
        ("carrier.jsonl", r#""carrier": "foo""#, "unknown carrier `foo`"),
        ("line.jsonl", r#""line": 0"#, "counted from 1"),
        ("code.jsonl", r#""diagnostics": ["foo"]"#, "unknown diagnostic `foo`"),
    ] {
        refuses(name, &good.replace("\"allowed\": true", expect), &[&format!("{name}` line 1"), words]);
    }
    let lost = good.replace("\"robots\": \"\"", "\"robots_file\": \"no-such-robots.txt\"");
    refuses("lost.jsonl", &lost, &["no-such-robots.txt", "no such file", "lost.jsonl` line 1"]);
    // An unreadable file is reported even if a case in another file fails.
    let failing = file("failing.jsonl", good.replace("{}", r#"{"outcome": "prohibited"}"#));
    crate::errors::refuses(&["test", &failing, "no/such/cases"], &["`no/such/cases`", "no such file"]);
    crate::errors::refuses(&["test"], &["`byleave-tests.toml`", "no such file", "`--init SITE`"]);
}

#[test]
fn a_case_that_cannot_be_explained() {
    let cases = "examples/gazette/cases.jsonl";
    refuses(&["explain", "--case", cases], &["is not the location of a case", "cases.jsonl:3"]);
    refuses(&["explain", "--case", &format!("{cases}:0")], &["no case at line 0", "14 lines"]);
    refuses(&["explain", "--case", &format!("{cases}:99")], &["no case at line 99"]);
    refuses(&["explain", "--case", "no/such:1"], &["`no/such`", "no such file"]);
    refuses(&["explain", "--case", "a:1", "--crawler", "A"], &["cannot be used with"]);
    refuses(&["explain", "--case", "a:1", GAZETTE], &["cannot be used with"]);
    refuses(&["explain"], &["<SITE>", "try `byleave explain --help`"]);
}

#[test]
fn errors_of_other_commands() {
    refuses(&["rule", "S-99"], &["`S-99`", "`byleave rule` lists"]);
    refuses(&["rule", "six"], &["`six`"]);
    refuses(&["man", "nothing"], &["`nothing`"]);
    refuses(&["completions", "cmd"], &["cmd", "bash"]);
    refuses(&["chekc"], &["chekc", "check", "try `byleave --help`"]);
    refuses(&["facts", "no/such/file"], &["no such file"]);
}

#[test]
fn no_command_shows_the_help() {
    let ran = byleave_with(&[], b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: byleave") && ran.stderr.contains("Examples:"), "{}", ran.stderr);
}

#[test]
fn a_compressed_page_is_refused() {
    let refuses = |name: &str, response: &[u8]| {
        let response = file(name, response);
        refuses(&["check", "none", "--crawler", "A", "--response", &response], &["is compressed", "--compressed"]);
    };
    refuses(
        "gzip.txt",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n\x1F\x8B\x08\x00x",
    );
    refuses("gzip-unsaid.txt", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n\x1F\x8B\x08\x00x");
    refuses("brotli.txt", b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\x8B\x02\x80<p>\x03");
    // `curl --compressed` decodes the body but keeps the `Content-Encoding` header.
    let undone =
        file("undone.txt", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n<meta name=robots content=noindex>");
    let arguments = ["check", "none", "--crawler", "A", "--usage", "index", "--response", &undone];
    assert_eq!(byleave_with(&arguments, b"").code, 1);
}

#[test]
fn header_lines_that_end_in_cr_alone_are_refused() {
    for (name, response) in [
        ("cr.txt", "HTTP/1.1 200 OK\rX-Robots-Tag: noindex\r\r<p>x"),
        ("cr-in-line.txt", "HTTP/1.1 200 OK\r\nA: 1\rX-Robots-Tag: noindex\r\n\r\n<p>x"),
        ("cr-twice.txt", "HTTP/1.1 200 OK\r\r\nX-Robots-Tag: noindex\r\r\n\r\r\n<p>x"),
    ] {
        let response = file(name, response);
        refuses(&["check", "none", "--crawler", "A", "--response", &response], &[name, "CR alone", "curl -i"]);
    }
    let fine = file("cr-in-page.txt", "HTTP/1.1 200 OK\r\nX-Robots-Tag: noindex\r\n\r\n<p>x\ry\r");
    let arguments = ["check", "none", "--crawler", "A", "--usage", "index", "--response", &fine];
    assert_eq!(byleave_with(&arguments, b"").code, 1);
}

#[test]
fn a_chunked_page_is_joined() {
    const HEADERS: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (name, body, warnings) in [
        ("chunks.txt", "d\r\n<title>t</tit\r\n2a\r\nle>\n<meta name=robots content=noindex><p>x\r\n0\r\n\r\n", 0),
        ("chunks-undone.txt", "<title>t</title>\n<meta name=robots content=noindex><p>x", 0),
        ("chunks-broken-off.txt", "d\r\n<title>t</tit\r\n2a\r\nle>\n<meta name=robots content=noindex>", 1),
        ("chunks-of-other-sizes.txt", "7\r\n<title>t</title>\n<meta name=robots content=noindex><p>x", 1),
    ] {
        let response = file(name, format!("{HEADERS}{body}"));
        let arguments = ["check", "none", "--crawler", "A", "--usage", "index", "--response", &response];
        let ran = byleave_with(&arguments, b"");
        assert_eq!((ran.code, ran.stderr.lines().count()), (1, warnings), "{name}: {}", ran.shown());
        assert!(ran.stdout.contains("page line 2: noindex"), "{name}: {}", ran.shown());
        assert!(ran.stderr.lines().all(|line| line.contains("is malformed or incomplete")), "{}", ran.shown());
    }
}

#[test]
fn a_blank_line_or_a_byte_order_mark_before_a_response_hides_no_header() {
    for (name, before, line) in [("mark.txt", "\u{FEFF}", 2), ("blank.txt", "\r\n", 3), ("both.txt", "\u{FEFF}\n", 3)] {
        let response = file(name, format!("{before}HTTP/1.1 200 OK\r\nX-Robots-Tag: noindex\r\n\r\n<p>x"));
        for option in ["--page", "--response"] {
            let ran = byleave_with(&["check", "none", "--crawler", "A", "--usage", "index", option, &response], b"");
            let place = format!("headers line {line}: X-Robots-Tag: noindex");
            assert!(ran.code == 1 && ran.stdout.contains(&place), "{name} {option}: {}", ran.shown());
        }
    }
}

#[test]
fn warnings_are_written_in_addition_to_the_answer() {
    let warns = |more: &[&str], words: &[&str]| {
        let ran = byleave_with(more, b"");
        assert!(ran.code != 2 && !ran.stdout.is_empty() && ran.stderr.lines().count() == 1, "{}", ran.shown());
        assert!(words.iter().all(|word| ran.stderr.contains(word)), "{}", ran.shown());
    };
    let herald =
        |more: &[&str], words: &[&str]| warns(&[&["check", "examples/herald", "--crawler", "A"], more].concat(), words);
    let warns = |more: &[&str], words: &[&str]| warns(&[&["check", GAZETTE], more].concat(), words);
    warns(&["--user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1)"], &["`Mozilla`", "--crawler NAME"]);
    warns(&["--crawler", "A", "--document", "/lost.txt", "examples/gazette/robots.txt"], &["`/lost.txt`", "refers to"]);
    herald(&["--document", "/lib", "examples/herald/library.txt"], &["`/lib`", "refers to"]);
    let element = ["--page", "examples/herald/page.html", "--element", "#zz", "--usage", "index,follow"];
    herald(&[&element[..], &["--format", "plain"]].concat(), &["the page has no element `#zz`"]);
}

#[test]
fn a_page_to_extract_that_cannot_be_read() {
    let asked = ["extract", "nope.html", "--crawler", "A", "--usage", "index"];
    refuses(&asked, &["`nope.html`", "no such file", "give an HTML file"]);
}
