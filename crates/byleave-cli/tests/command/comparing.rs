//! `byleave diff` and `byleave compare`: formats, exit codes, filters and errors.

use crate::{byleave, byleave_with, file, root};
use serde_json::Value;

const PROPOSED: [&str; 3] = ["diff", "examples/gazette", "examples/gazette/proposed.txt"];

fn diff(more: &[&str]) -> crate::Ran {
    byleave(&[&PROPOSED[..], more].concat())
}

/// Two versions of an ACAP file that differ by one change of every kind.
fn acap() -> [String; 2] {
    let old = "ACAP-crawler: *\nACAP-allow-crawl: /\nACAP-allow-index: /\nACAP-allow-preserve: /a/ time-limit=3-days\n\
        ACAP-allow-present-snippet: / max-length=50-chars\nACAP-allow-follow: /f/\nACAP-request-take-down: /gone\n";
    let new = "ACAP-crawler: *\nACAP-allow-crawl: /\nACAP-disallow-crawl: /b/\nACAP-allow-index: / time-limit=3-days\n\
        ACAP-allow-preserve: /a/ time-limit=2-days\nACAP-allow-present-snippet: /\nACAP-allow-present-link: /\n\
        ACAP-usage-purpose: archive\nACAP-disallow-preserve: /\n";
    [file("comparing/old.txt", old), file("comparing/new.txt", new)]
}

#[test]
fn diff_shows_who_gains_and_loses_which_usage() {
    insta::assert_snapshot!(diff(&[]).shown());
}

#[test]
fn diff_in_markdown() {
    insta::assert_snapshot!(diff(&["--format", "markdown", "--origin", "https://gazette.example/"]).shown());
}

#[test]
fn diff_shows_conditions_purposes_and_requests() {
    let [old, new] = acap();
    insta::assert_snapshot!(byleave(&["diff", &old, &new]).shown());
}

#[test]
fn options_limit_the_crawlers_and_usages() {
    let ran = diff(&["--crawler", "CCBot"]);
    assert!(ran.stdout.starts_with("`CCBot` gains `crawl` on `/about/licensing`\n"), "{}", ran.shown());
    let ran = diff(&["--usage", "index"]);
    assert!(ran.stdout.starts_with("facts\n") && !ran.stdout.contains("gains"), "{}", ran.shown());
    let ran = diff(&["--crawler", "Googlebot", "--usage", "crawl", "--reading", "rfc9309"]);
    assert_eq!((ran.stdout.contains("Crawl-delay: 5"), ran.stdout.contains("loses")), (true, false), "{}", ran.shown());
}

#[test]
fn no_change_gives_exit_code_0() {
    let ran = byleave_with(
        &["diff", "-", "examples/gazette"],
        &std::fs::read(root().join("examples/gazette/robots.txt")).unwrap(),
    );
    assert_eq!(ran.shown(), "nothing changed (exact: the result holds for every path)\n[exit 0]");
    let [old, _] = acap();
    assert_eq!(byleave(&["diff", &old, &old]).code, 0);
}

#[test]
fn s40_a_changed_preference_changes_decisions() {
    let ran = byleave(&["diff", "examples/courier/robots.txt", "examples/courier/proposed.txt"]);
    insta::assert_snapshot!(ran.shown());
    // Only the order of the preferences changes.
    let old = file("courier-old.txt", "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /a/\n");
    let new = b"User-agent: *\nContent-Signal: ai-train=no, search=yes\nDisallow: /a/\n";
    assert_eq!(byleave_with(&["diff", &old, "-"], new).code, 0);
    // The reading rfc9309 does not evaluate this field, so the change is listed as a fact.
    let changed = b"User-agent: *\nContent-Signal: search=yes, ai-train=yes\nDisallow: /a/\n";
    let ran = byleave_with(&["diff", &old, "-", "--reading", "rfc9309"], changed);
    assert!(ran.stdout.contains("Content-Signal"), "{}", ran.shown());
    assert!(!ran.stdout.contains("train-ai"), "{}", ran.shown());
}

#[test]
fn s40_compare_shows_readings_that_ignore_preferences() {
    insta::assert_snapshot!(byleave(&["compare", "examples/courier"]).shown());
}

#[test]
fn places_beyond_the_limit_are_counted() {
    let rules: String = (0..14).map(|n| format!("Disallow: /{n}/\n")).collect();
    let ran = byleave_with(&["diff", "/dev/null", "-"], format!("User-agent: *\n{rules}").as_bytes());
    assert!(ran.stdout.starts_with("every crawler loses `crawl` in 14 places\n"), "{}", ran.shown());
    assert!(ran.stdout.contains("  and 4 more places (`--format json` lists all)\n"), "{}", ran.shown());
    assert!(
        ran.stdout.contains(
            "  `/3/`: was permitted by default, now prohibited by line 5 (`Disallow: /3/`); for example /3/\n"
        )
    );
}

#[test]
fn control_characters_of_files_are_escaped() {
    let ran = byleave_with(&["diff", "/dev/null", "-"], b"User-agent: a\x1b[31m\nDisallow: /`\x1b[2J\nSitemap: \x07\n");
    assert!(!ran.stdout.contains(|letter: char| letter.is_control() && letter != '\n'), "{}", ran.shown());
    assert!(ran.stdout.contains("`` /`\\x1b[2J ``"), "{}", ran.shown());
}

#[test]
fn compare_shows_causes() {
    let robots_txt = "User-agent: AI2Bot\nDisallow: /ai/\n\nUser-agent: *\nDissalow: /slip/\nDisallow: /a b/\n\
        Disallow: /*.pdf$\nAllow: /docs/index.html\nDisallow: /docs/\nDisallowAITraining: /train/\nAllow: *.txt\n\
        Disallow: /x%2Fy\n";
    let ran = byleave_with(&["compare", "-"], robots_txt.as_bytes());
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn agreeing_readings_give_exit_code_0() {
    let ran = byleave(&["compare", "examples/gazette"]);
    assert_eq!(ran.shown(), "all readings agree (exact: the result holds for every path)\n[exit 0]");
}

#[test]
fn unread_acap_is_one_difference() {
    let ran = byleave(&["compare", "examples/herald", "--format", "markdown", "--crawler", "NewsBot"]);
    insta::assert_snapshot!(ran.shown());
}

fn is_valid(schema: &str, written: &str) -> Value {
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(root().join(schema)).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let object: Value = serde_json::from_str(written.trim_end()).unwrap();
    let errors: Vec<_> = validator.iter_errors(&object).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{object:#}");
    let mut more = object.clone();
    more["extra"] = Value::Null;
    assert!(!validator.is_valid(&more), "an extra field must not pass unnoticed");
    for field in object.as_object().unwrap().keys() {
        let mut less = object.clone();
        less.as_object_mut().unwrap().remove(field);
        assert!(!validator.is_valid(&less), "valid without {field}");
    }
    object
}

#[test]
fn json_matches_its_schema() {
    let schema = "docs/diff.schema.json";
    let found = is_valid(schema, &diff(&["--format", "json"]).stdout);
    assert_eq!(found["changes"][0]["change"], "loses");
    assert_eq!(found["proof"], "exact");
    let [old, new] = acap();
    let found = is_valid(schema, &byleave(&["diff", &old, &new, "--format", "json"]).stdout);
    let kinds: Vec<&str> =
        found["changes"].as_array().unwrap().iter().filter_map(|one| one["change"].as_str()).collect();
    for kind in ["loses", "limited", "freed", "conditions", "stated", "unstated"] {
        assert!(kinds.contains(&kind), "no change is {kind}: {kinds:?}");
    }
    let schema = "docs/compare.schema.json";
    let found = is_valid(schema, &byleave(&["compare", "examples/herald", "--format", "json"]).stdout);
    assert_eq!(found["differences"][0]["readings"], serde_json::json!(["rfc9309", "google"]));
    is_valid(schema, &byleave_with(&["compare", "-", "--format", "json"], b"User-agent: a1\nDisallow: /\n").stdout);
}

#[test]
fn errors_are_one_line() {
    let refuses = |arguments: &[&str], words: &[&str]| {
        let ran = byleave_with(arguments, b"");
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.lines().count()), (2, "", 1), "{}", ran.shown());
        for word in words {
            assert!(ran.stderr.contains(word), "{arguments:?} lacks {word}: {}", ran.stderr);
        }
    };
    refuses(&["diff", "examples/gazette", "no/such/file"], &["no/such/file", "no such file"]);
    refuses(&["diff", "examples/gazette"], &["<NEW>", "try `byleave diff --help`"]);
    refuses(&["diff", "-", "-"], &["`-` is given twice"]);
    refuses(&["diff", "docs", "examples/gazette"], &["`docs`", "contains no `robots.txt`"]);
    refuses(&["diff", "examples/gazette", "-", "--origin", "gazette"], &["https://site.example"]);
    refuses(&["diff", "examples/gazette", "-", "--usage", "indx"], &["did you mean `index`?"]);
    refuses(&["compare", "examples/gazette", "--format", "plain"], &["text, markdown, json"]);
}

#[test]
fn compare_shows_causes_for_groups_of_purposes() {
    let site = file(
        "purposes.txt",
        "User-agent: GPTBot\nDisallow: /a\n\nUser-agent-purpose: train\nContent-Usage: ai=y\nDisallow: /x\n",
    );
    insta::assert_snapshot!(byleave(&["compare", &site]).shown().replace(&site, "purposes.txt"));
}
