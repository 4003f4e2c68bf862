//! `byleave matrix`: all formats, the choice of crawlers, and files that try to inject markup.

use crate::{byleave, byleave_with, command, file, root};
use html5ever::tokenizer::states::RawKind::{Rawtext, Rcdata};
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use serde_json::Value;
use std::cell::RefCell;

const GAZETTE: [&str; 6] = ["matrix", "examples/gazette", "--url", "/news/2026/budget.html", "--url", "/about/"];
const HERALD: [&str; 6] = ["matrix", "examples/herald", "--page", "examples/herald/page.html", "--url", "/news/1"];

/// Names and values that would be markup in some format.
const ADVERSARIAL: &[u8] =
    b"User-agent: <script>alert(1)</script>\nUser-agent: a|b\nUser-agent: `x`\nUser-agent: \"><img src=x onerror=y>\n\
    User-agent: \xe2\x80\xaertl\nUser-agent: [a](javascript:b)\nUser-agent: \x1b[31mred\nUser-agent: \xff\n\
    Disallow: /<img/src=x>\nDisallow: /a`b|c\nDisallow: /\xe2\x80\xae\x1b[2J\nDisallow: /`</td><b>\n\
    Disallow: /` www.evil.example `\nDisallow: /&lt;'\"\n";
const ADVERSARIAL_URLS: [&str; 6] =
    ["/<img/src=x>", "/a`b|c", "/\u{202e}\u{1b}[2J", "/`</td><b>", "/` www.evil.example `", "/&lt;'\""];

fn adversarial(format: &str) -> String {
    let urls = ADVERSARIAL_URLS.iter().flat_map(|url| ["--url", url]);
    let asked: Vec<_> =
        ["matrix", "-", "--format", format, "--usage", "crawl,x:<u>|`u`"].into_iter().chain(urls).collect();
    let ran = byleave_with(&asked, ADVERSARIAL);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", 0));
    ran.stdout
}

#[test]
fn text() {
    insta::assert_snapshot!(byleave(&GAZETTE).shown());
}

#[test]
fn text_with_a_page() {
    insta::assert_snapshot!(byleave(&HERALD).shown());
}

#[test]
fn text_on_a_narrow_terminal() {
    let output = command(&HERALD).env("COLUMNS", "60").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn text_fits_the_width_or_is_a_list() {
    for columns in [20, 40, 60, 80, 100, 120, 160, 300] {
        let output = command(&GAZETTE).env("COLUMNS", columns.to_string()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        // Only a word longer than the line may exceed the width; here none is longer than 50 columns.
        assert!(widest <= columns.max(50), "{widest} of {columns}:\n{text}");
    }
}

#[test]
fn colour_adds_nothing_but_colour() {
    let plain = byleave(&GAZETTE).stdout;
    let coloured = byleave(&[&GAZETTE[..], &["--color", "always"]].concat()).stdout;
    assert!(coloured.contains("\u{1b}[1;31mprohibited\u{1b}[0m"));
    let mut parts = coloured.split("\u{1b}[");
    let mut bare = parts.next().unwrap().to_owned();
    parts.for_each(|part| bare.push_str(part.split_once('m').unwrap().1));
    assert_eq!(bare, plain);
}

#[test]
fn markdown() {
    insta::assert_snapshot!(byleave(&[&HERALD[..], &["--format", "markdown"]].concat()).shown());
}

#[test]
fn markdown_of_an_adversarial_file() {
    let page = adversarial("markdown");
    insta::assert_snapshot!(page);
    assert!(!page.contains(|letter: char| letter.is_control() && letter != '\n') && !page.contains('\u{202e}'));
    for line in page.lines() {
        assert!(!outside_code(line).contains(['<', '[', '*', '`']), "{line}");
        assert!(!outside_code(line).contains("www."), "{line}");
        if line.starts_with('|') {
            assert_eq!(line.matches('|').count(), 4, "{line}");
        }
    }
}

/// Returns the part of a line that is outside code spans. As in CommonMark, a run of backticks is closed by the next
/// run of the same length.
#[allow(clippy::string_slice, reason = "a backtick is one byte, and all places are found by one")]
fn outside_code(line: &str) -> String {
    let mut outside = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        outside.push_str(&rest[..start]);
        let marks = rest[start..].chars().take_while(|letter| *letter == '`').count();
        let inner = &rest[start + marks..];
        let mut at = 0;
        let end = loop {
            let Some(found) = inner[at..].find('`') else { break None };
            let run = inner[at + found..].chars().take_while(|letter| *letter == '`').count();
            if run == marks {
                break Some(at + found + run);
            }
            at += found + run;
        };
        match end {
            Some(end) => rest = &inner[end..],
            None => {
                outside.push_str(&rest[start..start + marks]);
                rest = inner;
            }
        }
    }
    outside + rest
}

#[test]
fn html() {
    let page = byleave(&[&HERALD[..], &["--format", "html"]].concat()).stdout;
    is_self_contained(&page);
    // The style sheet changes often and has no behaviour to test.
    let (before, rest) = page.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    insta::assert_snapshot!(format!("{before}<style>…</style>{after}"));
}

#[test]
fn html_of_an_adversarial_file_has_no_injected_markup() {
    let page = adversarial("html");
    is_self_contained(&page);
    assert!(!page.contains(|letter: char| letter.is_control() && letter != '\n') && !page.contains('\u{202e}'));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !page.contains("<script"));
}

#[test]
fn html_of_many_crawlers_usages_and_urls_is_well_formed() {
    let more = ["--all-crawlers", "--usage", "all", "--url", "/a?b=c&d", "--format", "html"];
    is_self_contained(&byleave(&[&GAZETTE[..], &more].concat()).stdout);
    let ran = byleave(&["matrix", "none", "--status", "503", "--format", "html"]);
    is_self_contained(&ran.stdout);
}

/// Asserts that tags are balanced, nothing is fetched or run, each cell has a header, and ids are unique.
fn is_self_contained(page: &str) {
    let buffer = BufferQueue::default();
    buffer.push_back(page.into());
    let tokenizer = Tokenizer::new(Seen::default(), TokenizerOpts { exact_errors: true, ..Default::default() });
    let _ = tokenizer.feed(&buffer);
    tokenizer.end();
    let Seen { open, ids, described, rows, style } = tokenizer.sink;
    assert!(open.borrow().is_empty(), "left open: {open:?}");
    let mut sorted = ids.borrow().clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), ids.borrow().len(), "an id is used twice");
    assert!(described.borrow().iter().all(|id| sorted.contains(id)), "a description is missing");
    let rows = rows.borrow();
    assert!(rows.len() > 1 && rows.iter().all(|cells| *cells == rows[0]), "{rows:?}");
    let style = style.borrow();
    for word in ["url(", "@import", "http", "expression", "<"] {
        assert!(!style.contains(word), "{word} in the style");
    }
    assert!(style.contains("prefers-color-scheme: dark") && style.contains("focus-within"));
}

#[derive(Default)]
struct Seen {
    open: RefCell<Vec<String>>,
    ids: RefCell<Vec<String>>,
    described: RefCell<Vec<String>>,
    /// The number of cells in each row.
    rows: RefCell<Vec<usize>>,
    style: RefCell<String>,
}

const ELEMENTS: [&str; 28] = [
    "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "h1", "h2", "p", "ul",
    "li", "b", "code", "span", "div", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "small",
];
const ATTRIBUTES: [&str; 12] = [
    "lang",
    "charset",
    "name",
    "content",
    "class",
    "role",
    "scope",
    "id",
    "tabindex",
    "aria-describedby",
    "aria-hidden",
    "data-usage",
];

impl TokenSink for Seen {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => self.tag(&tag, line),
            Token::CharacterTokens(text) => {
                if self.open.borrow().last().is_some_and(|name| name == "style") {
                    self.style.borrow_mut().push_str(&text);
                }
                TokenSinkResult::Continue
            }
            Token::ParseError(error) => panic!("line {line}: {error}"),
            Token::NullCharacterToken => panic!("line {line}: a NUL"),
            Token::CommentToken(_) | Token::DoctypeToken(_) | Token::EOFToken => TokenSinkResult::Continue,
        }
    }
}

impl Seen {
    fn tag(&self, tag: &Tag, line: u64) -> TokenSinkResult<()> {
        let name = tag.name.to_string();
        assert!(ELEMENTS.contains(&name.as_str()), "line {line}: <{name}>");
        if tag.kind == TagKind::EndTag {
            assert_eq!(self.open.borrow_mut().pop().as_deref(), Some(name.as_str()), "line {line}");
            return TokenSinkResult::Continue;
        }
        for own in &tag.attrs {
            let (attribute, value) = (own.name.local.to_string(), own.value.to_string());
            let is_known = ATTRIBUTES.contains(&attribute.as_str())
                || matches!(attribute.as_str(), "aria-label" | "aria-labelledby");
            assert!(is_known, "line {line}: {attribute}");
            match attribute.as_str() {
                "id" => self.ids.borrow_mut().push(value),
                "aria-describedby" | "aria-labelledby" => self.described.borrow_mut().push(value),
                _ => {}
            }
        }
        let has =
            |name: &str, value: &str| tag.attrs.iter().any(|own| *own.name.local == *name && &*own.value == value);
        match name.as_str() {
            "tr" => self.rows.borrow_mut().push(0),
            "th" | "td" => {
                assert!(name == "td" || has("scope", "col") || has("scope", "row"), "line {line}");
                *self.rows.borrow_mut().last_mut().unwrap() += 1;
            }
            _ => {}
        }
        if name != "meta" {
            self.open.borrow_mut().push(name.clone());
        }
        match name.as_str() {
            "title" => TokenSinkResult::RawData(Rcdata),
            "style" => TokenSinkResult::RawData(Rawtext),
            _ => TokenSinkResult::Continue,
        }
    }
}

#[test]
fn adversarial_text_is_escaped() {
    let text = adversarial("text");
    assert!(
        !text.contains(|letter: char| letter.is_control() && letter != '\n') && !text.contains('\u{202e}'),
        "{text}"
    );
}

#[test]
fn json_matches_its_schema_and_contains_complete_decisions() {
    let schema = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(root().join("docs").join(name)).unwrap()).unwrap()
    };
    let whole = jsonschema::validator_for(&schema("matrix.schema.json")).unwrap();
    let decision = jsonschema::validator_for(&schema("decision.schema.json")).unwrap();
    let texts = [
        byleave(&[&GAZETTE[..], &["--format", "json"]].concat()).stdout,
        byleave(&[&HERALD[..], &["--format", "json", "--all-crawlers", "--usage", "index"]].concat()).stdout,
        byleave(&["matrix", "none", "--crawler", "A", "--format", "json"]).stdout,
        adversarial("json"),
    ];
    for text in texts {
        let object: Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<_> = whole.iter_errors(&object).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let count = object["crawlers"].as_array().unwrap().len() * object["usages"].as_array().unwrap().len();
        for table in object["tables"].as_array().unwrap() {
            let decisions = table["decisions"].as_array().unwrap();
            assert_eq!(decisions.len(), count);
            for one in decisions {
                let errors: Vec<_> = decision.iter_errors(one).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{errors:?}\n{one:#}");
            }
            let count_in_rows: usize =
                table["alike"].as_array().unwrap().iter().map(|row| row.as_array().unwrap().len()).sum();
            assert_eq!(count_in_rows, object["crawlers"].as_array().unwrap().len());
        }
        let mut less = object.clone();
        less.as_object_mut().unwrap().remove("left_out");
        assert!(!whole.is_valid(&less));
    }
}

#[test]
fn decisions_are_the_same_as_those_of_check() {
    let object: Value = serde_json::from_str(&byleave(&[&GAZETTE[..], &["--format", "json"]].concat()).stdout).unwrap();
    for one in object["tables"][0]["decisions"].as_array().unwrap() {
        let (crawler, usage) = (one["crawler"].as_str().unwrap(), one["usage"].as_str().unwrap());
        let known = object["crawlers"].as_array().unwrap().iter().find(|known| known["name"] == crawler).unwrap();
        let mut asked = vec!["check", "examples/gazette", "--crawler", crawler, "--usage", usage, "--format", "json"];
        for fallback in known["fallbacks"].as_array().unwrap() {
            asked.extend(["--fallback", fallback.as_str().unwrap()]);
        }
        asked.push("/news/2026/budget.html");
        let mut alone: Value = serde_json::from_str(&byleave(&asked).stdout).unwrap();
        alone["diagnostics"] = Value::Array(Vec::new());
        assert_eq!(*one, alone);
    }
}

#[test]
fn given_crawlers_are_shown_with_their_fallbacks() {
    let robots = b"User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /\n";
    let asked = ["matrix", "-", "--url", "/g", "--usage", "crawl"];
    let more = ["--crawler", "applebot", "--crawler", "AdsBot-Google", "--crawler", "Zed"];
    insta::assert_snapshot!(byleave_with(&[&asked[..], &more].concat(), robots).shown());
}

#[test]
fn output_can_be_written_to_a_file() {
    let path = file("matrix/out.html", "old");
    let ran = byleave(&[&GAZETTE[..], &["--format", "html", "--output", &path]].concat());
    assert_eq!(ran.shown(), "[exit 0]");
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        byleave(&[&GAZETTE[..], &["--format", "html"]].concat()).stdout
    );
    let folder = path.trim_end_matches("/out.html");
    let ran = byleave(&[&GAZETTE[..], &["--format", "html", "--output", folder]].concat());
    assert!(ran.code == 2 && ran.stderr.starts_with("byleave: cannot write `") && ran.stderr.lines().count() == 1);
}

#[test]
fn errors_are_one_line() {
    let urls: Vec<String> = (0..400).map(|n| format!("/{n}")).collect();
    let list = file("matrix/urls.txt", urls.join("\n"));
    for (asked, message) in [
        (&["matrix", "no-such-file"][..], "no such file"),
        (&["matrix", "examples/gazette", "--url", "news"], "is not an http(s) URL"),
        (&["matrix", "examples/gazette", "--usage", "indx"], "did you mean `index`?"),
        (&["matrix", "examples/gazette", "--urls", &list], "the limit is 20000"),
        (&["matrix", "examples/gazette", "--all-crawlers", "--crawler", "A"], "cannot be used with"),
        (
            &["matrix", "examples/herald", "--page", "examples/herald/page.html", "--url", "/a", "--url", "/b"],
            "one URL",
        ),
    ] {
        let ran = byleave(asked);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.lines().count()), (2, "", 1), "{}", ran.shown());
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}
