//! `docs/decision.schema.json` describes the real output exactly.

use crate::{byleave, byleave_with, root};
use serde_json::{Value, json};

fn schema() -> Value {
    serde_json::from_str(&std::fs::read_to_string(root().join("docs/decision.schema.json")).unwrap()).unwrap()
}

/// Reports that together contain every outcome and every kind of entry.
fn reports() -> Vec<Value> {
    let malformed = b"Disallow: /orphan\nUser-agent: Foo Bar\nDissalow: /x\nAllow: /x\nAcme: 1\nSitemap: no\n\xff\n";
    let gazette =
        ["examples/gazette", "--at", "2026-01-31T12:00:00Z", "--usage", "all", "/news/a.html", "/search/help"];
    let mut written = String::new();
    for crawler in ["GPTBot", "CCBot", "Googlebot", "Zed"] {
        written += &byleave(&[&["check", "--format", "json", "--crawler", crawler], &gazette[..]].concat()).stdout;
    }
    for status in ["404", "503", "unreachable", "too-many-redirects"] {
        let asked = ["--usage", "crawl,index", "--format", "json", "/a", "/robots.txt"];
        written += &byleave(&[&["check", "none", "--crawler", "A", "--status", status], &asked[..]].concat()).stdout;
    }
    for reading in ["default", "strict", "rfc9309", "google"] {
        let asked = ["check", "-", "--crawler", "Foo", "--reading", reading, "--format", "json", "/x", "/robots.txt"];
        written += &byleave_with(&asked, malformed).stdout;
    }
    written += &byleave_with(&["check", "-", "--crawler", "Foo", "--format", "json", "/x"], b"").stdout;
    let images = ["--crawler", "Googlebot-Image", "--fallback", "Googlebot", "--format", "json"];
    written += &byleave(&[&["explain", "examples/gazette"], &images[..]].concat()).stdout;
    written += &byleave(&[&["explain", "none"], &images[..]].concat()).stdout;
    written.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns a conditional report. It is built by hand, because no RFC 9309 statement is conditional.
fn conditional() -> Value {
    let mut report = reports().swap_remove(0);
    report["outcome"] = json!("conditional");
    report["effective"] = json!("conditional");
    report["conditions"] = json!(["max-length=50-chars", "time-limit=30-days"]);
    report["valid_until"] = json!("2026-03-01T00:00:00Z");
    report["actions"] = json!(["notify"]);
    report["needs"] = json!(["/.well-known/tdmrep.json"]);
    report
}

#[test]
fn every_report_is_valid() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let mut reports = reports();
    reports.push(conditional());
    for report in &reports {
        let errors: Vec<_> = validator.iter_errors(report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{report:#}");
    }
    for outcome in ["permitted", "conditional", "prohibited", "unstated"] {
        assert!(reports.iter().any(|report| report["outcome"] == outcome), "no report is {outcome}");
    }
    for list in ["determined_by", "considered", "prerequisites", "diagnostics", "evidence"] {
        assert!(reports.iter().any(|report| !report[list].as_array().unwrap().is_empty()), "no report has {list}");
    }
    for bound_by in ["named", "fallback", "any", "none"] {
        assert!(reports.iter().any(|report| report["bound_by"] == bound_by), "no report is bound by {bound_by}");
    }
}

#[test]
fn every_object_lists_exactly_its_required_properties() {
    let schema = schema();
    let objects = schema["$defs"].as_object().unwrap().values().chain([&schema]);
    for object in objects {
        assert_eq!(object["additionalProperties"], false, "{object:#}");
        let properties: Vec<_> = object["properties"].as_object().unwrap().keys().cloned().collect();
        let mut required: Vec<_> = object["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        required.sort_unstable();
        assert_eq!(properties, required);
    }
}

#[test]
fn a_missing_or_an_extra_field_is_invalid() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    let mut paths = std::collections::BTreeSet::new();
    for report in reports() {
        for path in objects(&report, String::new()) {
            // The first entry of each list is enough to cover each kind of object.
            if path.contains("/1") || path.contains("/2") || !paths.insert(path.clone()) {
                continue;
            }
            let fields: Vec<_> = report.pointer(&path).unwrap().as_object().unwrap().keys().cloned().collect();
            for field in fields {
                let mut less = report.clone();
                less.pointer_mut(&path).unwrap().as_object_mut().unwrap().remove(&field);
                assert!(!validator.is_valid(&less), "valid without {path}/{field}");
            }
            let mut more = report.clone();
            more.pointer_mut(&path).unwrap()["extra"] = json!(1);
            assert!(!validator.is_valid(&more), "valid with {path}/extra");
        }
    }
    assert!(paths.len() >= 6, "{paths:?}");
}

/// Returns the JSON pointers of all objects in a value.
fn objects(value: &Value, path: String) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            let within = fields.iter().flat_map(|(name, value)| objects(value, format!("{path}/{name}")));
            within.chain([path.clone()]).collect()
        }
        Value::Array(items) => {
            let within = items.iter().enumerate().flat_map(|(n, value)| objects(value, format!("{path}/{n}")));
            within.collect()
        }
        _ => Vec::new(),
    }
}
