//! Reads questions from case files, and writes questions as cases (`docs/cases.md`).

use super::html::Page;
use super::{Answer, Capabilities, Details, Place, Question, Robots, text};
use base64::Engine;
use byleave::{Reading, Usage};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// A case that the model can answer: its question and its expectation.
pub struct ModelCase {
    pub name: String,
    pub question: Question,
    expect: Value,
}

impl ModelCase {
    /// Reads the case on a line. Returns `None` if the case needs something that the model does not support: another
    /// reading of robots.txt, another kind of document, or ranges in a page's source (S-49).
    pub fn read(line: &str, folder: &Path) -> Option<Self> {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        let foreign = ["page_file", "page_b64", "documents_b64"];
        // The model does not read XML.
        let documents = case["documents"].as_object().into_iter().flatten();
        let documents: BTreeMap<String, String> =
            documents.map(|(place, text)| (place.clone(), text.as_str().expect("a text").to_owned())).collect();
        let is_foreign =
            documents.keys().any(|place| !text::re(r"(?:tdmrep\.json|/ai\.txt|/trust\.txt)$").is_match(place));
        let reading: Reading = case["reading"].as_str().unwrap_or("default").parse().expect("a reading");
        let is_known = !matches!(reading, Reading::Strict | Reading::Rfc9309 | Reading::Google);
        let has = |field: &str, form: &'static str| case[field].as_str().is_some_and(|it| text::re(form).is_match(it));
        let has_ranges = ["page", "dom"].iter().any(|page| has(page, r"<!--\s*(?:noindex|googleoff)|<noindex"));
        if !is_known || is_foreign || has_ranges || foreign.iter().any(|field| !case[*field].is_null()) {
            return None;
        }
        let headers = case["headers"].as_array().into_iter().flatten();
        let text = |field: &str| case[field].as_str().map(str::to_owned);
        let texts = |value: &Value| -> Vec<String> {
            let list = value.as_array().into_iter().flatten();
            list.map(|entry| entry.as_str().expect("a text").to_owned()).collect()
        };
        let time = |value: &Value| value.as_str().map(|text| text::instant(text).expect("a time"));
        let references = case["references"].as_object().into_iter().flatten();
        let question = Question {
            robots: robots(&case, folder),
            references: references
                .map(|(locator, text)| (locator.clone(), text.as_str().expect("a text").as_bytes().to_vec()))
                .collect(),
            documents,
            licences: BTreeMap::new(),
            headers: headers
                .map(|header| {
                    let part = |at: usize| header[at].as_str().expect("a name and a value").to_owned();
                    (part(0), part(1))
                })
                .collect(),
            page: case["page"].as_str().map(Page::read),
            dom: case["dom"].as_str().map(Page::read),
            reading,
            url: text("url").expect("a case has a URL"),
            crawler: text("crawler").expect("a case has a crawler"),
            user_agent: text("user_agent"),
            fallbacks: texts(&case["fallback"]),
            purposes: texts(&case["purposes"]),
            usage: Usage::named(&text("usage").expect("a case has a usage")),
            element: text("element"),
            at: time(&case["at"]).unwrap_or_else(|| text::instant("2026-01-01T00:00:00Z").expect("a time")),
            first_used: time(&case["history"]["first_used"]),
            is_recrawled: case["history"]["recrawled"].as_bool().unwrap_or(false),
            details: Details {
                snippet: case["details"]["snippet"].as_str().map(str::to_owned),
                modification: case["details"]["modification"].as_str().map(str::to_owned),
                context: case["details"]["context"].as_str().map(str::to_owned),
            },
            capabilities: Capabilities {
                has_prior_arrangement: case["capabilities"]["prior_arrangement"].as_bool().unwrap_or(false),
                reads_not_ready: case["capabilities"]["not_ready"].as_bool().unwrap_or(false),
                reads_body_meta: case["capabilities"]["body_meta"].as_bool().unwrap_or(false),
                reads_strawman: case["capabilities"]["strawman"].as_bool().unwrap_or(false),
                lacks_element_level: case["capabilities"]["element_level"] == false,
                unable: texts(&case["capabilities"]["unable"]),
            },
        };
        Some(Self { name: text("name").unwrap_or_default(), question, expect: case["expect"].clone() })
    }

    /// Returns every expectation that the answer does not meet.
    pub fn failures(&self, answer: &Answer) -> Vec<String> {
        let mut failures = Vec::new();
        let mut expect = |what: &str, is_met: bool| {
            if !is_met {
                failures.push(format!("{what}: expected {}, got {answer:?}", self.expect[what]));
            }
        };
        let text = |field: &str| self.expect[field].as_str();
        expect("outcome", text("outcome").is_none_or(|outcome| outcome == answer.outcome));
        let is_allowed = answer.outcome != "prohibited";
        expect("allowed", self.expect["allowed"].as_bool().is_none_or(|allowed| allowed == is_allowed));
        expect("effective", text("effective").is_none_or(|effective| effective == answer.effective));
        expect("valid_until", text("valid_until").is_none_or(|until| Some(until) == answer.valid_until.as_deref()));
        let conditions = self.expect["conditions"]
            .as_array()
            .map(|list| list.iter().map(|condition| condition.as_str().expect("a text").to_owned()).collect());
        expect("conditions", conditions.is_none_or(|conditions| answer.conditions == conditions));
        let places = &answer.determined_by;
        let line = self.expect["line"].as_u64();
        // In pages and headers, the model knows statements but not their lines.
        let is_carrier = |document: &str| ["meta", "header", "element"].contains(&document);
        let is_line = |place: &Place, line: u64| is_carrier(&place.0) || place.1 == line.to_string();
        expect("line", line.is_none_or(|line| places.iter().any(|place| is_line(place, line))));
        let text_at = |place: &Place| line_at(&self.question, place).unwrap_or(place.1.clone());
        let is_by = |by: &str| places.iter().any(|place| text_at(place).contains(&by.to_ascii_lowercase()));
        expect("by", text("by").is_none_or(is_by));
        let is_in = |carrier: &str| match carrier {
            "default" => places.is_empty(),
            "reference" => places.iter().any(|(document, _)| self.question.references.contains_key(document)),
            "document" => places.iter().any(|(document, _)| self.question.documents.contains_key(document)),
            carrier => places.iter().any(|(document, _)| document == carrier),
        };
        expect("carrier", text("carrier").is_none_or(is_in));
        failures
    }
}

/// Returns the line at a place, in lower case, or `None` if the place is in a page or a header.
pub fn line_at(question: &Question, place: &Place) -> Option<String> {
    let bytes = match (&question.robots, question.references.get(&place.0)) {
        (_, Some(reference)) => reference.as_slice(),
        _ if question.documents.contains_key(&place.0) => question.documents[&place.0].as_bytes(),
        (Robots::Read(text), None) if place.0 == "robots.txt" => text,
        _ => return None,
    };
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let line = text.lines().nth(place.1.parse::<usize>().ok()? - 1).unwrap_or_default();
    Some(line.trim_start_matches('\u{FEFF}').to_ascii_lowercase())
}

fn robots(case: &Value, folder: &Path) -> Robots {
    let decode = |coded: &str| base64::engine::general_purpose::STANDARD.decode(coded).expect("base64");
    let file = |name: &str| std::fs::read(folder.join(name)).expect("the file that the case names");
    let text = case["robots"].as_str().map(|text| text.as_bytes().to_vec());
    let text = text.or_else(|| case["robots_b64"].as_str().map(decode));
    let text = text.or_else(|| case["robots_file"].as_str().map(file));
    match (&case["robots_status"], text) {
        (Value::Null, Some(text)) => Robots::Read(text),
        (Value::Null, None) => Robots::Unknown,
        (Value::String(failure), _) if failure == "unreachable" => Robots::Failed,
        (Value::String(_), _) => Robots::NotThere,
        (status, text) => match status.as_u64().expect("a status") {
            200..=299 => Robots::Read(text.unwrap_or_default()),
            500.. => Robots::Failed,
            _ => Robots::NotThere,
        },
    }
}

/// Writes the question as a line in a case file. The format requires an expectation, so the line has a placeholder,
/// which nobody reads.
pub fn written(question: &Question) -> String {
    let references: BTreeMap<&String, String> = question
        .references
        .iter()
        .map(|(locator, text)| (locator, String::from_utf8(text.clone()).expect("generated files are UTF-8")))
        .collect();
    let details = &question.details;
    let capabilities = &question.capabilities;
    let mut case = json!({
        "name": "generated",
        "references": references,
        "url": question.url,
        "crawler": question.crawler,
        "fallback": question.fallbacks,
        "purposes": question.purposes,
        "usage": question.usage.name(),
        "at": text::written(question.at),
        "history": {"recrawled": question.is_recrawled},
        "details": {"snippet": details.snippet, "modification": details.modification, "context": details.context},
        "capabilities": {
            "prior_arrangement": capabilities.has_prior_arrangement,
            "not_ready": capabilities.reads_not_ready,
            "body_meta": capabilities.reads_body_meta,
            "strawman": capabilities.reads_strawman,
            "unable": capabilities.unable,
        },
        "expect": {"outcome": "permitted"},
    });
    match &question.robots {
        Robots::Read(text) => {
            case["robots"] = json!(String::from_utf8(text.clone()).expect("generated files are UTF-8"));
        }
        Robots::NotThere => case["robots_status"] = json!(404),
        Robots::Failed => case["robots_status"] = json!(503),
        Robots::Unknown => {}
    }
    if !question.documents.is_empty() {
        case["documents"] = json!(question.documents);
    }
    if let Some(user_agent) = &question.user_agent {
        case["user_agent"] = json!(user_agent);
    }
    if !question.headers.is_empty() {
        case["headers"] = json!(question.headers);
    }
    for (field, page) in [("page", &question.page), ("dom", &question.dom)] {
        if let Some(page) = page {
            case[field] = json!(page.html);
        }
    }
    match question.reading {
        Reading::Default => {}
        reading => case["reading"] = json!(reading.to_string()),
    }
    if let Some(element) = &question.element {
        case["element"] = json!(element);
    }
    if capabilities.lacks_element_level {
        case["capabilities"]["element_level"] = json!(false);
    }
    if let Some(first_used) = question.first_used {
        case["history"]["first_used"] = json!(text::written(first_used));
    }
    case.to_string()
}
