//! `byleave needs`: documents that are given, and documents that are wanted.

use crate::{byleave, root};
use serde_json::Value;

const LINK: &str = "Link: </license.xml>; rel=license; type=\"application/rsl+xml\"";

#[test]
fn wanted_documents_are_listed_with_reasons() {
    let all = [
        byleave(&["needs", "examples/gazette", "https://gazette.example/news/", "--crawler", "GPTBot"]),
        byleave(&["needs", "none", "https://site.example/a", "--header", LINK, "--format", "plain"]),
        byleave(&["needs", "none", "nowhere"]),
    ];
    insta::assert_snapshot!(all.map(|ran| ran.shown()).join("\n----\n"));
}

#[test]
fn json_matches_its_schema() {
    let schema = std::fs::read_to_string(root().join("docs/needs.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    for site in ["examples/gazette", "examples/herald", "none"] {
        let ran = byleave(&["needs", site, "https://site.example/a", "--header", LINK, "--format", "json"]);
        let object: Value = serde_json::from_str(&ran.stdout).unwrap();
        let errors: Vec<_> = validator.iter_errors(&object).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{object:#}");
        let is_licence = |need: &Value| need["wanted"] == "licence" && need["given"] == false;
        assert!(object["needs"].as_array().unwrap().iter().any(is_licence), "{object:#}");
    }
}

#[test]
fn documents_with_a_fixed_location_are_read_from_a_folder() {
    let folder = std::env::temp_dir().join(format!("byleave-needs-{}", std::process::id()));
    std::fs::create_dir_all(folder.join(".well-known")).unwrap();
    std::fs::write(folder.join("robots.txt"), "User-agent: *\nDisallow:\n").unwrap();
    let rules = "[{\"location\": \"/\", \"tdm-reservation\": 1}]";
    std::fs::write(folder.join(".well-known/tdmrep.json"), rules).unwrap();
    let site = folder.to_str().unwrap();
    let ran = byleave(&["check", site, "--crawler", "A", "--usage", "tdm", "/a"]);
    assert!(ran.code == 1 && ran.stdout.contains("/.well-known/tdmrep.json"), "{}", ran.shown());
    let ran = byleave(&["needs", site, "/a", "--format", "plain"]);
    assert!(ran.stdout.contains("given\ttdmrep\t"), "{}", ran.shown());
    std::fs::remove_dir_all(&folder).unwrap();
}
