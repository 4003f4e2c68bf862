//! Fuzz target for a whole site. The input is a question, robots.txt, a stored response with its page, and optionally
//! the page after its scripts.

use super::decisions::{self, essence};
use super::{Asked, BETWEEN, parted};
use byleave::analysis::{StoredResponse, decide_unchecked, explain_unchecked};
use byleave::model::Capabilities;
use byleave::{Obtained, Outcome, Reading, Site, Timestamp, Usage};
use serde_json::Value;

pub fn check(input: &[u8]) {
    let (asked, rest) = Asked::read(input);
    let (robots_txt, rest) = parted(rest);
    let (response, dom) = rest.map_or((&b""[..], None), parted);
    let stored = StoredResponse::parse(response);
    let page = &*stored.body;
    // The length of the crawler's name determines its capabilities. Any number from the input would do.
    let mut capabilities = Capabilities::default();
    let bit = |number: usize| asked.name.len() >> number & 1 == 1;
    (capabilities.body_meta, capabilities.strawman, capabilities.not_ready) = (bit(0), bit(1), bit(2));
    (capabilities.element_level, capabilities.prior_arrangement) = (!bit(3), bit(4));
    for reading in Reading::ALL {
        let mut site = Site::builder(*reading)
            .with_robots_txt(Obtained::Status(200), robots_txt)
            .with_headers(stored.headers.clone())
            .with_page(page);
        let mut other_way = Site::builder(*reading);
        if let Some(dom) = dom {
            site = site.with_dom(dom);
            other_way = other_way.with_dom(dom);
        }
        let other_way = other_way
            .with_page(page)
            .with_headers(stored.headers.clone())
            .with_robots_txt(Obtained::Status(200), robots_txt)
            .build();
        let given = site.clone();
        let site = site.build();
        for usage in [&asked.usage, &Usage::Index] {
            let mut proposed = asked.about(usage);
            proposed.capabilities = &capabilities;
            proposed.at = Some(Timestamp::from_unix(1_767_225_600));
            let explanation = decisions::hold(&site, &proposed);
            // The order in which the documents are added to the site must not change the answer.
            let other = explain_unchecked(&other_way, &proposed);
            assert_eq!(essence(&other.decision), essence(&explanation.decision), "{reading} {usage:?}");
            assert_eq!(other.conditions, explanation.conditions, "{reading} {usage:?}");
        }
        if *reading != Reading::Rfc9309 {
            // S-17: no permission in any dialect lifts the prohibition of a directive.
            let site = given.with_headers(stored.headers.clone().with("X-Robots-Tag", "noindex")).build();
            let mut proposed = asked.about(&Usage::Index);
            proposed.capabilities = &capabilities;
            assert_eq!(decide_unchecked(&site, &proposed).outcome, Outcome::Prohibited, "{reading}");
        }
    }
}

/// Returns the input for a case: the question, its robots.txt, and its response with headers and page.
pub fn with_response(case: &Value) -> Option<Vec<u8>> {
    let mut seed = Asked::line(case)?.into_bytes();
    seed.extend_from_slice(case["robots"].as_str().unwrap_or_default().as_bytes());
    seed.extend_from_slice(BETWEEN);
    seed.extend_from_slice(b"HTTP/1.1 200 OK\n");
    for header in case["headers"].as_array().into_iter().flatten() {
        seed.extend_from_slice(format!("{}: {}\n", header[0].as_str()?, header[1].as_str()?).as_bytes());
    }
    seed.extend_from_slice(format!("\n{}", case["page"].as_str().unwrap_or_default()).as_bytes());
    Some(seed)
}

pub fn seed(case: &Value) -> Option<Vec<u8>> {
    if case["page"].is_null() && case["headers"].is_null() {
        return None;
    }
    let mut seed = with_response(case)?;
    if let Some(dom) = case["dom"].as_str() {
        seed.extend_from_slice(BETWEEN);
        seed.extend_from_slice(dom.as_bytes());
    }
    Some(seed)
}
