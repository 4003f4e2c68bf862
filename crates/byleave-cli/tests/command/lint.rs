//! `byleave lint`: formats, exit codes, rule selection, and folders as sites.

use crate::{byleave, byleave_with, file};

const SITE: &[u8] = b"User-agent: *\nDisallow: /a/\nAllow: /a/\nDisallow: /b/*\n";

#[test]
fn text_shows_the_line_related_lines_and_help() {
    let ran = byleave_with(&["lint", "-"], SITE);
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn concise_has_one_line_per_finding() {
    let ran = byleave_with(&["lint", "-", "--format", "concise"], SITE);
    let expected = "<stdin>:2:1: error[R002] this prohibition never applies: line 3 permits everything that `/a/` matches\n\
        <stdin>:4:1: advice[A001] the final `*` is needless: `/b/*` matches the same paths as `/b/`\n[exit 1]";
    assert_eq!(ran.shown(), expected);
}

#[test]
fn json_has_positions_related_positions_and_fixes() {
    let ran = byleave_with(&["lint", "-", "--format", "json"], b"User-agent: *\nDisallow: /a\nDisallow: /a\n");
    let object: serde_json::Value = serde_json::from_str(ran.stdout.trim_end()).unwrap();
    assert_eq!(object["schema"], "byleave.lint/1");
    assert_eq!((&object["code"], &object["line"], &object["column"]), (&"R003".into(), &3.into(), &1.into()));
    assert_eq!(object["related"][0]["line"], 2);
    assert_eq!(object["fix"]["safety"], "safe");
    assert_eq!(object["fix"]["edits"][0]["span"], serde_json::json!([27, 40]));
}

/// Returns the findings in a robots.txt and a page. They cover every severity, with and without fixes.
fn findings(format: &str) -> String {
    let robots_txt = file(
        "lint-formats/robots.txt",
        "User-agent: *\nDisallow: /a/\nAllow: /a/\nDisallow: /basket/*\nDissalow: /\u{e9}x\nDisallow: c,d:%\n",
    );
    file("lint-formats/a/page.html", "<!DOCTYPE html><title>t</title>\n<meta name=robots content=noindx>");
    let folder = robots_txt.trim_end_matches("/robots.txt").to_owned();
    byleave(&["lint", &folder, "--format", format]).stdout.replace(&folder, "site")
}

#[test]
fn json_matches_its_schema() {
    let schema = std::fs::read_to_string(crate::root().join("docs/lint.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let objects: Vec<serde_json::Value> =
        findings("json").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for object in &objects {
        let errors: Vec<_> = validator.iter_errors(object).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{object:#}");
    }
    for safety in ["safe", "suggested"] {
        assert!(objects.iter().any(|object| object["fix"]["safety"] == safety), "no fix is {safety}");
    }
}

#[test]
fn a_chunked_stored_response_is_joined_and_a_compressed_one_is_refused() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let chunks = "Transfer-Encoding: chunked\r\n\r\nd\r\n<title>t</tit\r\n24\r\nle>\n<meta name=robots content=noindx>\r\n0\r\n\r\n";
    let chunked = file("lint-chunks/page.http", format!("{head}{chunks}"));
    let ran = byleave(&["lint", &chunked, "--format", "concise"]);
    let expected = format!("{chunked} (page):2:1: warning[X018]");
    assert!(ran.code == 1 && ran.stdout.lines().count() == 1 && ran.stdout.starts_with(&expected), "{}", ran.shown());
    let zipped = file("lint-chunks/zipped.http", format!("{head}Content-Encoding: gzip\r\n\r\n\u{1f}\0\0"));
    let ran = byleave(&["lint", &zipped]);
    assert!(ran.code == 2 && ran.stderr.contains("is compressed; store it uncompressed"), "{}", ran.shown());
}

#[test]
fn a_stored_response_is_recognized_by_its_first_line() {
    let text = "HTTP/1.1 200 OK\r\nX-Robots-Tag: noindex\r\n\r\n<meta name=robots content=index>";
    let response = file("lint-response/response.txt", text);
    let ran = byleave(&["lint", &response, "--format", "concise"]);
    assert!(ran.stdout.contains("[C008]") && ran.stdout.lines().count() == 1, "{}", ran.shown());
}

#[test]
fn github_has_one_annotation_per_finding() {
    insta::assert_snapshot!(findings("github"));
}

#[test]
fn sarif_is_one_document_with_rules_positions_and_fixes() {
    let log: serde_json::Value = serde_json::from_str(&findings("sarif")).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&run["results"]).unwrap());
    let clean = byleave_with(&["lint", "-", "--format", "sarif"], b"User-agent: *\nDisallow: /a/\n");
    let log: serde_json::Value = serde_json::from_str(&clean.stdout).unwrap();
    assert_eq!((log["runs"][0]["results"].as_array().map(Vec::len), clean.code), (Some(0), 0));
}

#[test]
fn exit_codes_follow_fail_on() {
    let code = |more: &[&str]| byleave_with(&[&["lint", "-"], more].concat(), SITE).code;
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["--fail-on", "never"]), 0);
    assert_eq!(code(&["--ignore", "R002", "--fail-on", "warning"]), 0);
    assert_eq!(code(&["--select", "advice"]), 1);
    assert_eq!(code(&["--select", "syntax"]), 0);
    assert_eq!(code(&["--select", "Q1"]), 2);
    assert_eq!(byleave(&["lint", "no-such-file"]).code, 2);
    assert_eq!(byleave(&["lint"]).code, 2);
}

#[test]
fn an_unknown_rule_is_reported() {
    let ran = byleave_with(&["lint", "-", "--select", "R001,R9"], SITE);
    assert_eq!(
        ran.stderr,
        "byleave: `R9` is not a rule, a family or the beginning of a code; `byleave lint --list` lists the rules\n"
    );
}

#[test]
fn a_folder_is_a_site() {
    let robots_txt = file("lint-site/robots.txt", "User-agent: *\nDisallow: /private/\n");
    file("lint-site/private/page.html", "<!DOCTYPE html><title>t</title><meta name=robots content=noindex>");
    file("lint-site/.git/page.html", "<meta name=robots content=noindx>");
    file("lint-site/public/page.http", "HTTP/1.1 200 OK\r\nRobots-Tag: noindex\r\n\r\n");
    let folder = robots_txt.trim_end_matches("/robots.txt");
    let ran = byleave(&["lint", folder, "--format", "concise"]);
    let found: Vec<_> = ran.stdout.lines().map(|line| line.trim_start_matches(folder)).collect();
    assert_eq!(
        found,
        [
            "/private/page.html:1:32: warning[R018] crawlers that obey robots.txt never see `noindex`: line 2 of robots.txt prohibits crawling this page",
            "/public/page.http:2:13: warning[M025] `noindex` is in the place of a crawler's name; its rules count for the name before the colon, or for everyone if there is none",
        ]
    );
}

#[test]
fn rules_are_listed_and_their_pages_shown() {
    let list = byleave(&["lint", "--list", "--select", "R005"]);
    let line = "R005  dropped-prohibition  warning  A group that restricts the crawlers it names and omits prohibitions of the group for `*`.\n";
    assert_eq!(list.stdout, line);
    for name in ["R005", "r005", "dropped-prohibition"] {
        let page = byleave(&["rule", name]);
        assert!(
            page.stdout.starts_with("# R005 dropped-prohibition\n\nreach, warning\n\n## What it finds\n"),
            "{}",
            page.stdout
        );
    }
}

#[test]
fn adversarial_text_in_findings_is_escaped() {
    let robots =
        b"User-agent: \x1b[31m*\nDisallow: x\x1b]0;title\x07\nDissalow: /\xe2\x80\xae\x1b[2J\nDisallow: /\x1b[2J*\n\
        Disallow: /\x1b[2J*\n# byleave: ignore \x1b[31m\n";
    for format in ["text", "concise"] {
        let ran = byleave_with(&["lint", "-", "--format", format], robots);
        assert!(
            !ran.stdout.contains(|letter: char| letter.is_control() && letter != '\n'),
            "{}",
            ran.stdout.escape_debug()
        );
    }
}
