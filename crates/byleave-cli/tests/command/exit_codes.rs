//! Exit codes depend on the effective outcome, and the most severe answer sets the code.

use crate::{byleave, byleave_with};

fn code(arguments: &[&str]) -> i32 {
    let ran = byleave(&[&["check"], arguments].concat());
    assert_eq!(ran.stderr, "", "{arguments:?}");
    ran.code
}

#[test]
fn the_exit_code_follows_the_answer() {
    assert_eq!(code(&["examples/gazette", "--crawler", "GPTBot", "/about/"]), 0);
    assert_eq!(code(&["examples/gazette", "--crawler", "GPTBot", "/news/"]), 1);
    assert_eq!(code(&["examples/gazette", "--crawler", "GPTBot", "/about/", "/news/", "/about/"]), 1);
    assert_eq!(code(&["none", "--crawler", "GPTBot"]), 0, "unstated is not prohibited");
    assert_eq!(code(&["none", "--crawler", "GPTBot", "--unstated", "prohibit"]), 1);
    assert_eq!(
        code(&["examples/gazette", "--crawler", "CCBot", "--usage", "index", "/"]),
        1,
        "its prerequisite `crawl` is prohibited"
    );
}

#[test]
fn s36_how_robots_txt_was_obtained() {
    let status = |status| code(&["none", "--crawler", "A", "--status", status, "/a"]);
    assert_eq!([status("404"), status("too-many-redirects")], [0, 0]);
    assert_eq!([status("503"), status("unreachable")], [1, 1]);
    assert_eq!(code(&["examples/gazette", "--crawler", "CCBot", "--status", "404", "/"]), 0);
}

#[test]
fn s35_every_option_adds_names() {
    let print = "/news/a?print=1";
    assert_eq!(code(&["examples/gazette", "--crawler", "Googlebot-News", print]), 0);
    assert_eq!(code(&["examples/gazette", "--crawler", "Googlebot-News", "--fallback", "Googlebot", print]), 1);
    assert_eq!(code(&["examples/gazette", "--user-agent", "CCBot/2.0 (https://commoncrawl.org/faq/)", "/"]), 1);
    assert_eq!(code(&["examples/gazette", "--crawler", "A", "--user-agent", "CCBot/2.0", "/"]), 1);
    assert_eq!(code(&["examples/gazette", "--crawler", "A", "/account/"]), 1);
    assert_eq!(code(&["examples/gazette", "--crawler", "A", "--ignores-any", "/account/"]), 0);
}

#[test]
fn readings_differ() {
    let read = |reading| {
        let arguments = ["check", "-", "--crawler", "A", "--reading", reading, "/a"];
        byleave_with(&arguments, b"User-agent: A\nDisallow /\n").code
    };
    assert_eq!(["default", "strict", "google", "rfc9309"].map(read), [1, 1, 1, 0]);
}

#[test]
fn every_field_of_a_case_has_an_option() {
    let all = "--usage all --purpose news --purpose https://a.example/p --at 2026-01-31T12:00:00Z \
        --first-used 2026-01-01T00:00:00+01:00 --recrawled --capability no-element-level --capability not_ready \
        --capability prior-arrangement --capability strawman --capability body_meta --unable max-length \
        --unable time-limit --document /tdmrep.json examples/gazette/cases.jsonl";
    let mut arguments = vec!["examples/gazette", "--crawler", "GPTBot", "--format", "json"];
    arguments.extend(all.split_whitespace());
    arguments.push("/about/");
    let ran = byleave(&[&["check"], arguments.as_slice()].concat());
    let warning =
        "byleave: `/tdmrep.json` is not read: nothing refers to it, and no dialect has a document at this location\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (0, warning));
    assert!(ran.stdout.lines().count() >= 24, "an answer for every named usage");
    assert!(ran.stdout.lines().all(|line| line.contains("2026-01-31T12:00:00Z") && line.contains("tdmrep.json")));
}

#[test]
fn the_default_url_is_the_front_page() {
    let ran = byleave(&["check", "examples/gazette", "--crawler", "GPTBot"]);
    assert_eq!(ran.shown(), "permitted  /  (line 15: Allow: /$)\n[exit 0]");
}

#[test]
fn facts_help_and_version_exit_0() {
    for arguments in [&["facts", "none"][..], &["--help"], &["--version"], &["check", "--help"], &["help", "test"]] {
        let ran = byleave(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(ran.stdout.ends_with('\n'), "{arguments:?}");
    }
    let commands = ["check", "explain", "facts", "test", "rule", "completions", "man"];
    for command in commands {
        let ran = byleave(&[command, "--help"]);
        assert!(ran.stdout.contains(&format!("Examples:\n  byleave {command}")), "{command}: {}", ran.stdout);
    }
}
