//! Generates a first set of tests for a site: its current decisions, on paths that distinguish its patterns.
//!
//! For each set of crawlers that the site distinguishes, and for an unnamed crawler, the tests contain one path per
//! pattern and one per preference that decides something. The engine gives the expected answers, so the tests pass at
//! first. They fail when a later change alters a decision.

use crate::convert::{Audience, RobotsTxtSource, UsagePattern};
use crate::names::unnamed;
use byleave::analysis::{PreferenceStatement, SiteStatements};
use byleave::model::Capabilities;
use byleave::{Crawler, Explanation, Outcome, ProposedUse, Site, Timestamp, Usage};

/// The expected answer to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expectation {
    /// The name of the crawler. For unnamed crawlers, a name that the site does not use.
    pub crawler: String,
    /// Other names that the site treats in the same way.
    pub other_names: Vec<String>,
    /// The usage.
    pub usage: Usage,
    /// The path that the question is about.
    pub url: String,
    /// The expected outcome.
    pub outcome: Outcome,
    /// The deciding line, or `None` if a default decides.
    pub line: Option<u32>,
    /// The conditions, in canonical spelling.
    pub conditions: Vec<String>,
    /// The answer as a sentence.
    pub sentence: String,
}

/// Returns a site's decisions at a point in time, one crawler after the other. Returns `None` if no robots.txt was
/// read.
///
/// Cost: a few hundred decisions.
#[must_use]
pub fn starter_tests(site: &Site<'_>, at: Timestamp) -> Option<Vec<Expectation>> {
    let source = RobotsTxtSource::of(site)?;
    let mut expectations: Vec<Expectation> = Vec::new();
    let preferences = SiteStatements::of(site, &Capabilities::default()).preferences();
    // A name that is not UTF-8 cannot be written into a test.
    let is_text = |audience: &&Audience| audience.names.first().is_none_or(|name| std::str::from_utf8(name).is_ok());
    for audience in source.audiences.iter().filter(is_text) {
        let name = audience.shown().unwrap_or_else(|| unnamed(&[site], "ExampleBot"));
        let crawler = Crawler::named(&name);
        let other_names = audience.names.iter().skip(1).map(|name| String::from_utf8_lossy(name).into_owned());
        let other_names: Vec<String> = other_names.collect();
        let mut known: Vec<(Usage, String)> = Vec::new();
        let mut expect = |usage: &Usage, url: &str, explanation: &Explanation<'_>, sentence: String| {
            expectations.push(Expectation {
                crawler: name.clone(),
                other_names: other_names.clone(),
                usage: usage.clone(),
                outcome: explanation.decision.outcome,
                line: explanation.determined_by.first().map(|statement| statement.line),
                conditions: explanation.conditions.iter().map(ToString::to_string).collect(),
                sentence,
                url: url.to_owned(),
            });
        };
        let asked = |usage: &Usage, url: &str| {
            let mut proposed = ProposedUse::new(url, &crawler, usage);
            proposed.at = Some(at);
            let explanation = byleave::analysis::explain_unchecked(site, &proposed);
            let sentence = explanation.sentence(&proposed);
            (explanation, sentence)
        };
        for UsagePattern { usage, pattern } in source.questions(audience) {
            let url = readable(&pattern);
            if known.len() >= MAX_PER_AUDIENCE || known.contains(&(usage.clone(), url.clone())) {
                continue;
            }
            let (explanation, sentence) = asked(&usage, &url);
            expect(&usage, &url, &explanation, sentence);
            known.push((usage, url));
        }
        let addressed = preferences.iter().filter(|one| is_for(one, audience, &name)).take(MAX_PER_AUDIENCE);
        for preference in addressed {
            let url = readable(preference.pattern.unwrap_or(b"/"));
            for usage in &preference.usages {
                let (explanation, sentence) = asked(usage, &url);
                let decides = explanation.determined_by.iter().any(|statement| statement.id == preference.id);
                if decides && !known.contains(&((*usage).clone(), url.clone())) {
                    expect(usage, &url, &explanation, sentence);
                    known.push(((*usage).clone(), url));
                    break;
                }
            }
        }
        if expectations.len() >= MAX_EXPECTATIONS {
            break;
        }
    }
    Some(expectations)
}

/// Returns whether a preference may address an audience: by name, by `*` for unnamed crawlers, or because it addresses
/// everyone.
fn is_for(preference: &PreferenceStatement<'_>, audience: &Audience, name: &str) -> bool {
    let names = |wanted: &[u8]| preference.crawlers.iter().any(|known| known.eq_ignore_ascii_case(wanted));
    preference.crawlers.is_empty() || names(name.as_bytes()) || (audience.names.is_empty() && names(b"*"))
}

/// Limits that keep the file readable: for all audiences together, and for each audience.
const MAX_EXPECTATIONS: usize = 200;
const MAX_PER_AUDIENCE: usize = 12;

/// Returns a path that a pattern matches and that looks like a real path.
fn readable(pattern: &[u8]) -> String {
    let (body, is_anchored) = match pattern.strip_suffix(b"$") {
        Some(body) => (body, true),
        None => (pattern, false),
    };
    let mut path = String::new();
    if body.first() != Some(&b'/') {
        path.push('/');
    }
    for byte in body {
        match byte {
            b'*' => path.push_str("any"),
            byte if byte.is_ascii_graphic() => path.push(char::from(*byte)),
            byte => path.push_str(&format!("%{byte:02X}")),
        }
    }
    if !is_anchored && path.ends_with('/') {
        path.push_str("page");
    }
    path
}

impl RobotsTxtSource<'_> {
    /// Returns the patterns and usages to ask about for an audience, starting with the front page.
    fn questions(&self, audience: &Audience) -> Vec<UsagePattern> {
        let front = UsagePattern { usage: Usage::Crawl, pattern: b"/$".to_vec() };
        let crawling = audience.all().map(|rule| UsagePattern { usage: Usage::Crawl, pattern: rule.pattern.clone() });
        let others = self.others(audience);
        std::iter::once(front).chain(crawling).chain(others).collect()
    }
}
