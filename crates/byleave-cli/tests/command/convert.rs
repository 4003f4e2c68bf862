//! `byleave convert` and `byleave write`: text, JSON and its schema, exit codes and errors.

use crate::{Ran, byleave, byleave_with, file, root};
use serde_json::Value;

fn valid(schema: &str, ran: &Ran) -> Value {
    let schema = std::fs::read_to_string(root().join("docs").join(schema)).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    let errors: Vec<_> = validator.iter_errors(&object).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{object:#}");
    object
}

#[test]
fn conversion_to_robots_txt_files() {
    let mut all = String::new();
    for arguments in [
        &["convert", "examples/gazette", "--to", "acap"][..],
        &["convert", "examples/gazette", "--to", "acap", "--any-case"],
        &["convert", "examples/gazette", "--to", "robots-txt"],
        &["convert", "examples/herald", "--to", "robots-txt"],
        &["convert", "examples/herald", "--to", "acap"],
    ] {
        all += &format!("$ byleave {}\n{}\n\n", arguments.join(" "), byleave(arguments).shown());
    }
    insta::assert_snapshot!(all);
}

#[test]
fn conversion_to_ai_preference_dialects() {
    let mut all = String::new();
    for to in ["content-usage", "content-signal", "tdmrep"] {
        for source in ["examples/courier", "examples/herald", "examples/gazette"] {
            let arguments = ["convert", source, "--to", to];
            all += &format!("$ byleave {}\n{}\n\n", arguments.join(" "), byleave(&arguments).shown());
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn s40_preferences_outside_robots_txt_are_converted() {
    let rules = root().join("examples/courier/.well-known/tdmrep.json");
    let document = ["--document", "/.well-known/tdmrep.json", rules.to_str().unwrap()];
    let ran = byleave(&[&["convert", "none", "--to", "tdmrep"][..], &document].concat());
    assert_eq!(
        ran.shown(),
        "[\n  {\"location\": \"/archive/open/\", \"tdm-reservation\": 0},\n  {\"location\": \"/\", \"tdm-reservation\": 1}\n]\n[exit 0]"
    );
}

#[test]
fn conversion_to_directives_of_one_resource() {
    let mut all = String::new();
    for arguments in [
        &["convert", "examples/herald", "--to", "robots-tag", "--url", "/news/1"][..],
        &["convert", "examples/gazette", "--to", "meta", "--url", "/news/"],
        &["convert", "none", "--page", "examples/herald/page.html", "--to", "robots-tag", "--url", "/news/1"],
        &["convert", "none", "--header", "X-Robots-Tag: bot: noindex", "--to", "meta", "--url", "/a"],
    ] {
        all += &format!("$ byleave {}\n{}\n\n", arguments.join(" "), byleave(arguments).shown());
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_group_that_permits_one_crawler_is_kept() {
    let source = b"User-agent: GoodBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n";
    let ran = byleave_with(&["convert", "-", "--to", "acap"], source);
    assert_eq!(
        ran.shown(),
        "ACAP-crawler: GoodBot\nACAP-allow-crawl: /\n\nACAP-crawler: *\nACAP-disallow-crawl: /\n[exit 0]"
    );
    let check = |name: &str| byleave_with(&["check", "-", "--crawler", name, "/a"], ran.stdout.as_bytes()).code;
    assert_eq!((check("GoodBot"), check("OtherBot")), (0, 1));
}

#[test]
fn json_of_convert_matches_its_schema() {
    for to in ["acap", "robots-txt"] {
        let exact =
            valid("convert.schema.json", &byleave(&["convert", "examples/gazette", "--to", to, "--format", "json"]));
        assert_eq!(exact["exact"], to == "robots-txt");
    }
    let herald = byleave(&["convert", "examples/herald", "--to", "robots-txt", "--format", "json"]);
    assert!(!valid("convert.schema.json", &herald)["reports"].as_array().unwrap().is_empty());
    for to in ["content-usage", "content-signal", "tdmrep"] {
        let converted =
            valid("convert.schema.json", &byleave(&["convert", "examples/courier", "--to", to, "--format", "json"]));
        assert_eq!((&converted["target"], &converted["proved"]), (&Value::from(to), &Value::from(true)));
    }
    for to in ["robots-tag", "meta"] {
        let words = ["convert", "examples/herald", "--to", to, "--url", "/news/1", "--format", "json"];
        assert_eq!(valid("convert.schema.json", &byleave(&words))["target"], to);
    }
}

#[test]
fn s21_files_that_robots_txt_refers_to_are_read_from_a_folder() {
    let robots_txt = "ACAP-crawler: SearchBot\nACAP-permissions-reference: /more.txt\n";
    let path = file("referring/robots.txt", robots_txt);
    file("referring/more.txt", "ACAP-crawler: SearchBot\nACAP-disallow-crawl: /drafts/\n");
    let folder = path.trim_end_matches("/robots.txt");
    let ran = byleave(&["convert", folder, "--to", "robots-txt"]);
    assert!(ran.stdout.contains("User-agent: SearchBot\nDisallow: /drafts/\n"), "{}", ran.shown());
    // If only robots.txt is given, the file that it refers to is not available, so everything is prohibited.
    let alone = byleave(&["convert", &path, "--to", "robots-txt"]);
    assert!(alone.stdout.contains("User-agent: SearchBot\nDisallow: /\n"), "{}", alone.shown());
    assert!(alone.stderr.contains("[reference]"), "{}", alone.shown());
    let given = ["convert", folder, "--to", "robots-txt", "--document", "/more.txt", &path];
    assert!(!byleave(&given).stdout.contains("/drafts/"), "the given document replaces the one in the folder");
}

#[test]
fn the_target_can_be_written_to_a_file() {
    let path = file("converted.txt", "");
    let ran = byleave(&["convert", "examples/gazette", "--to", "robots-txt", "--output", &path]);
    assert_eq!(ran.shown(), "[exit 0]");
    let written = std::fs::read_to_string(path).unwrap();
    assert!(written.starts_with("User-agent: Googlebot\n"), "{written}");
}

#[test]
fn convert_errors_are_one_line() {
    for (arguments, word) in [
        (&["none", "--to", "acap"][..], "no robots.txt"),
        (&["none", "--to", "content-usage"], "nothing to convert"),
        (&["examples/courier", "--to", "tdmrep", "--url", "/a"], "whole file"),
        (&["examples/gazette", "--to", "meta"], "`--url /news/1`"),
        (&["examples/gazette", "--to", "acap", "--url", "/a"], "whole file"),
        (&["examples/gazette", "--to", "meta", "--url", "a b"], "not an http(s) URL"),
        (&["none", "--to", "meta", "--url", "/a"], "nothing to convert"),
        (&["examples/gazette", "--to", "html"], "invalid value 'html'"),
        (&["no-such-file", "--to", "acap"], "no such file"),
    ] {
        let ran = byleave(&[&["convert"], arguments].concat());
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr.lines().count()),
            (2, "", 1),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains(word), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn write_generates_rules_for_every_carrier() {
    let mut all = String::new();
    for arguments in [
        "write --prohibit train-ai --for GPTBot,CCBot --permit index --for * --snippet 160",
        "write --prohibit crawl --path /drafts/ --permit crawl --path /drafts/open/",
        "write --permit index --until 2027-12-31 --prohibit index --for BadBot",
        "write --prohibit index --permit index --for GoodBot",
        "write --prohibit train-ai,ai-input --permit search,train-ai,tdm --path /open/",
        "write --prohibit tdm",
    ] {
        let ran = byleave(&arguments.split(' ').collect::<Vec<_>>());
        all += &format!("$ byleave {arguments}\n{}\n\n", ran.shown());
    }
    insta::assert_snapshot!(all);
}

#[test]
fn json_of_write_matches_its_schema() {
    let arguments = "write --prohibit train-ai,index --for GPTBot --permit follow --path /a/ --format json";
    let object = valid("write.schema.json", &byleave(&arguments.split(' ').collect::<Vec<_>>()));
    let fidelities: Vec<_> =
        object["carriers"].as_array().unwrap().iter().map(|one| one["fidelity"].as_str().unwrap()).collect();
    let expected = ["nothing", "exactly", "exactly", "exactly", "exactly", "in-part", "in-part", "nothing"];
    assert_eq!(fidelities, expected);
    // The AI-preference dialects do not address other usages, so their carriers are not tried.
    let plain = "write --prohibit index --format json";
    let object = valid("write.schema.json", &byleave(&plain.split(' ').collect::<Vec<_>>()));
    assert_eq!(object["carriers"].as_array().unwrap().len(), 5);
}

#[test]
fn write_refuses_contradictions_in_one_line() {
    for (arguments, word) in [
        ("", "nothing is permitted or prohibited"),
        ("--for A --permit index", "comes before the first clause"),
        ("--permit index --prohibit index", "remove one of the clauses"),
        ("--prohibit crawl --permit index", "requires `crawl`"),
        ("--prohibit index --snippet 10", "cannot have limits"),
        ("--permit crawl --until 2027-01-01", "no dialect can put a time limit on `crawl`"),
        ("--permit index --until soon", "write a day"),
        ("--permit index --path x", "`x` is not a path"),
        ("--permit index --path /*a --prohibit index --path /*b", "overlap"),
        ("--permit indx", "did you mean `index`"),
        ("--permit index --snippet 0", "0 characters"),
    ] {
        let ran = byleave(&[&["write"], arguments.split_whitespace().collect::<Vec<_>>().as_slice()].concat());
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr.lines().count()),
            (2, "", 1),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains(word), "{arguments:?}: {}", ran.stderr);
    }
}
