//! `byleave crawlers`: the catalogue listed, searched, and as JSON.

use crate::{byleave, root};
use serde_json::Value;

#[test]
fn a_query_finds_tokens_operators_and_purposes() {
    let all = ["anthropic", "googlebot-image", "AdsBot-Google-Mobile", "preserve"]
        .map(|word| byleave(&["crawlers", word]).shown());
    insta::assert_snapshot!(all.join("\n----\n"));
}

#[test]
fn without_a_query_all_are_listed_one_per_line() {
    let ran = byleave(&["crawlers"]);
    let lines: Vec<_> = ran.stdout.lines().collect();
    let count = byleave_review::crawlers::all().len();
    assert_eq!((lines.len(), ran.code), (count + 2, 0));
    assert_eq!(lines[count + 1], format!("{count} crawlers"));
    let json = byleave(&["crawlers", "--format", "json"]).stdout;
    assert_eq!(json.lines().count(), count);
}

#[test]
fn a_query_without_results_gives_one_line() {
    let ran = byleave(&["crawlers", "GPTBto"]);
    let line = "byleave: nothing in the catalogue matches `GPTBto`; did you mean `GPTBot`?\n";
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.code), ("", line, 1));
    let ran = byleave(&["crawlers", "\u{1b}[31mqqqqqqqqqqqq"]);
    assert!(
        ran.code == 1 && ran.stderr.contains("\\x1b[31m") && ran.stderr.ends_with("; `byleave crawlers` lists all\n")
    );
    let ran = byleave(&["crawlers", " "]);
    assert!(ran.code == 2 && ran.stderr.lines().count() == 1, "{}", ran.shown());
}

#[test]
fn plain_has_ten_fields_per_crawler() {
    let ran = byleave(&["crawlers", "--format", "plain"]);
    assert!(
        ran.stdout.lines().all(|line| line.split('\t').count() == 10 && line.split('\t').all(|part| !part.is_empty()))
    );
    let ran = byleave(&["crawlers", "applebot-extended", "--format", "plain"]);
    let fields = "Applebot-Extended\tApple\ttrain-ai\ttoken\tobeys\t-\t*\tdocumented\thttps://support.apple.com/en-us/119829\t\
        never fetches; controls whether content that Applebot fetched may be used to train models\n";
    assert_eq!(ran.stdout, fields);
}

#[test]
fn json_matches_its_schema() {
    let schema = std::fs::read_to_string(root().join("docs/crawler.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let objects: Vec<Value> = byleave(&["crawlers", "--format", "json"])
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for object in &objects {
        let errors: Vec<_> = validator.iter_errors(object).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{object:#}");
    }
    // Each value that the schema lists occurs for at least one crawler.
    let has = |field: &str, word: &Value| {
        objects
            .iter()
            .any(|object| object[field] == *word || object[field].as_array().is_some_and(|list| list.contains(word)))
    };
    for (field, words) in [
        ("kind", &schema["properties"]["kind"]["enum"]),
        ("robots_txt", &schema["properties"]["robots_txt"]["enum"]),
        ("evidence", &schema["properties"]["evidence"]["enum"]),
        ("purposes", &schema["properties"]["purposes"]["items"]["enum"]),
    ] {
        for word in words.as_array().unwrap() {
            assert!(has(field, word), "no crawler has {field} {word}");
        }
    }
    let mut less = objects[0].clone();
    less.as_object_mut().unwrap().remove("evidence");
    assert!(!validator.is_valid(&less));
}
