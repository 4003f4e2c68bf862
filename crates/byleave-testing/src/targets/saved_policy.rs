//! Fuzz target for serialized policies. The input is the body of a serialized policy. The target adds a valid checksum
//! before it. Forged bytes may give wrong answers, but no panic and no endless loop.

use crate::checks::saved::forged;
use byleave::analysis::explain_unchecked;
use byleave::explain::report::Report;
use byleave::{Crawler, Policy, ProposedUse, Reading, Site, Usage};
use serde_json::Value;

/// Law: any bytes are either refused, or give a policy that answers questions. Nothing panics or runs forever.
pub fn check(input: &[u8]) {
    let _ = Policy::from_bytes(input);
    let bytes = forged(&Policy::parse(b"").to_bytes(), input);
    let Ok(policy) = Policy::from_bytes(&bytes) else { return };
    let _ = (policy.statements().iter().count(), policy.facts().len(), policy.crawlers_named().len());
    let _ = (policy.reading(), policy.is_truncated(), policy.heap_bytes(), policy.rule_count());
    let crawlers = [Crawler::named("FooBot"), Crawler::named("x").with_fallback("foobot")];
    for crawler in &crawlers {
        let bound = policy.bind(crawler);
        for url in URLS {
            let _ = (bound.may_crawl(url), bound.bound_by());
        }
        let _ = policy.facts_for(&bound).len();
    }
    let again = policy.clone().into_owned().to_bytes();
    let _ = Policy::from_bytes(&again).map(|policy| policy.may_crawl("FooBot", "/a/b"));
    let site = Site::builder(Reading::Default).with_policy(policy).with_page(b"<p class='the-acap:(x)'>").build();
    for usage in [Usage::Crawl, Usage::PresentSnippet, Usage::named("zz")] {
        for url in URLS {
            let proposed = ProposedUse::new(url, &crawlers[0], &usage);
            let explanation = explain_unchecked(&site, &proposed);
            let _ = (explanation.sentence(&proposed), explanation.rules());
            let _ = Report::new(&site, &proposed, &explanation).with_trace(&explanation);
        }
    }
}

const URLS: [&str; 3] = ["/", "/a/b", "https://site.example/a/b.html?c=d&e=%66"];

pub fn seed(case: &Value) -> Option<Vec<u8>> {
    Some(Policy::parse(case["robots"].as_str()?.as_bytes()).to_bytes().split_off(16))
}
