//! Fuzz targets for the AI-preference dialects (S-40): robots.txt fields, headers, META tags and documents.

use super::decisions::{self, essence};
use super::{Asked, parted};
use base64::Engine;
use byleave::analysis::{StoredResponse, decide_unchecked};
use byleave::{Document, Headers, Obtained, Outcome, Reading, Site, Usage};
use serde_json::Value;

/// The locations of documents: the well-known ones, a licence, and the resource itself.
const PLACES: [&str; 6] =
    ["/.well-known/tdmrep.json", "/ai.txt", "/trust.txt", "/.well-known/trust.txt", "/license.xml", "/a/b"];

const USAGES: [Usage; 6] =
    [Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::AiIndex, Usage::Search];

/// Checks fields and headers. The input is a question, robots.txt, and a stored response with its page.
pub fn fields(input: &[u8]) {
    let (asked, rest) = Asked::read(input);
    let (robots_txt, response) = parted(rest);
    let stored = StoredResponse::parse(response.unwrap_or_default());
    let page = &*stored.body;
    for reading in [Reading::Default, Reading::Strict, Reading::Google] {
        let of = |headers: Headers| {
            let site = Site::builder(reading).with_robots_txt(Obtained::Status(200), robots_txt);
            site.with_headers(headers).with_page(page).build()
        };
        let site = of(stored.headers.clone());
        for usage in USAGES.iter().chain([&asked.usage]) {
            decisions::hold(&site, &asked.about(usage));
        }
        // A site with an additional prohibiting field prohibits, whatever else it states.
        let signal = of(stored.headers.clone().with("Content-Signal", "ai-train=no"));
        assert_eq!(decide_unchecked(&signal, &asked.about(&Usage::TrainAi)).outcome, Outcome::Prohibited, "{reading}");
        // AI-preference dialects never address `crawl`.
        let bare = Site::builder(reading).with_robots_txt(Obtained::Status(200), robots_txt).with_page(page);
        let crawl = |site| essence(&decide_unchecked(site, &asked.about(&Usage::Crawl)));
        assert_eq!(crawl(&signal), crawl(&bare.with_headers(stored.headers.clone()).build()), "{reading}");
    }
}

/// Checks documents. The input is a question, and bytes that serve as the text of every document and as the page.
pub fn document(input: &[u8]) {
    let (asked, bytes) = Asked::read(input);
    let headers = || Headers::new().with("Content-Type", "application/octet-stream");
    for reading in [Reading::Default, Reading::Strict] {
        for place in PLACES {
            let site = Site::builder(reading).with_document(Document::new(place, bytes)).build();
            for usage in [&Usage::TrainAi, &Usage::Search, &asked.usage] {
                decisions::hold(&site, &asked.about(usage));
            }
            let crawl = decide_unchecked(&site, &asked.about(&Usage::Crawl));
            assert_eq!(crawl.outcome, Outcome::Unstated, "a document at {place} addresses crawling");
        }
        decisions::hold(
            &Site::builder(reading).with_headers(headers()).with_page(bytes).build(),
            &asked.about(&Usage::TrainAi),
        );
    }
    let outcome = |place: &str, bytes: &[u8]| {
        let site = Site::builder(Reading::Default).with_document(Document::new(place, bytes)).build();
        decide_unchecked(&site, &asked.about(&Usage::Tdm)).outcome
    };
    // A `tdmrep.json` that is not a JSON array states nothing.
    let json = serde_json::from_slice::<Value>(bytes);
    if json.as_ref().is_ok_and(|json| !json.is_array()) {
        assert_eq!(outcome(PLACES[0], bytes), Outcome::Unstated, "{}", bytes.escape_ascii());
    }
    // If there are several lines, a `no` wins.
    let more = [bytes, b"\ndatatrainingallowed=no\n"].concat();
    let site = Site::builder(Reading::Default).with_document(Document::new("/trust.txt", &more[..])).build();
    if is_absolute(&asked.url) && bytes.len() < 100_000 {
        assert_eq!(decide_unchecked(&site, &asked.about(&Usage::TrainAi)).outcome, Outcome::Prohibited);
    }
}

fn is_absolute(url: &str) -> bool {
    url.starts_with('/') || url.starts_with("https://") || url.starts_with("http://")
}

pub fn fields_seed(case: &Value) -> Option<Vec<u8>> {
    let text = case.to_string().to_ascii_lowercase();
    let fields = ["content-usage", "content-signal", "aitraining", "tdm-", "license", "purpose:"];
    if !fields.iter().any(|word| text.contains(word)) {
        return None;
    }
    super::site::with_response(case)
}

pub fn document_seed(case: &Value) -> Option<Vec<u8>> {
    let decode = |coded: &str| base64::engine::general_purpose::STANDARD.decode(coded).ok();
    let first = |field: &str| Some(case[field].as_object()?.values().next()?.as_str()?.to_owned());
    let bytes = first("documents").map(String::into_bytes);
    let bytes = bytes.or_else(|| decode(&first("documents_b64")?)).or_else(|| decode(case["page_b64"].as_str()?))?;
    Some([Asked::line(case)?.into_bytes(), bytes].concat())
}
