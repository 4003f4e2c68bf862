//! Checks that the engine and the naive reader ([`naive`](crate::naive)), which tries every rule, agree on one
//! robots.txt.

use crate::naive::{Asker, Naive};
use byleave::analysis::{decide_unchecked, explain_unchecked};
use byleave::model::BoundBy;
use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage};
use std::collections::BTreeSet;

/// One robots.txt, read by the engine and by the naive reader.
pub struct Pair<'t> {
    text: &'t [u8],
    reading: Reading,
    naive: Naive,
    site: Site<'t>,
    policy: byleave::Policy<'t>,
}

impl<'t> Pair<'t> {
    pub fn new(text: &'t [u8], reading: Reading) -> Self {
        let naive = Naive::read(text, reading);
        let site = Site::of_robots_txt(text, reading);
        Self { text, reading, naive, site, policy: byleave::Policy::parse_as(text, reading) }
    }

    /// Asserts that every function of the engine that gives a verdict gives the naive reader's verdict.
    pub fn compare(&self, asker: &Asker<'_>, url: &str, explains: bool) {
        let crawler = asker.names.iter().skip(1).fold(Crawler::named(asker.names[0]), |all, name| all.also_named(name));
        let crawler = asker.fallbacks.iter().fold(crawler, |all, name| all.with_fallback(name));
        let expected = self.naive.decide(asker, url);
        let about = || {
            format!(
                "reading {}, crawler {:?} falling back to {:?}, url {url:?}\nexpected {expected:?}\n{}",
                self.reading,
                asker.names,
                asker.fallbacks,
                self.text.escape_ascii().to_string().replace("\\n", "\n").chars().take(4000).collect::<String>(),
            )
        };
        let bound = self.policy.bind(&crawler);
        assert_eq!(bound.may_crawl(url), expected.is_allowed, "{}", about());
        let ground = match bound.bound_by() {
            BoundBy::Named => "named",
            BoundBy::Fallback(_) => "fallback",
            BoundBy::Purpose => "purpose",
            BoundBy::Any => "any",
            BoundBy::NoGroup => "no-group",
            _ => "another",
        };
        assert_eq!(ground, expected.bound_by, "{}", about());
        let proposed = ProposedUse::new(url, &crawler, &Usage::Crawl);
        let decision = decide_unchecked(&self.site, &proposed);
        assert_eq!(decision.outcome == Outcome::Permitted, expected.is_allowed, "{}", about());
        assert_eq!(decision.reason.name(), expected.reason, "{}", about());
        if !explains {
            return;
        }
        let explanation = explain_unchecked(&self.site, &proposed);
        assert_eq!(explanation.decision.outcome, decision.outcome, "{}", about());
        assert_eq!(explanation.decision.reason.name(), expected.reason, "{}", about());
        let lines: Vec<u32> = explanation.determined_by.iter().map(|statement| statement.line).collect();
        assert_eq!(lines, expected.determined, "{}", about());
        let considered: BTreeSet<u32> = explanation.considered.iter().map(|lost| lost.statement.line).collect();
        assert_eq!(considered, expected.considered, "{}", about());
    }
}
