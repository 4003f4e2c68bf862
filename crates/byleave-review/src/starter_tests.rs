//! A first file of expectations for a site: what it decides today, on paths that tell its patterns apart.
//!
//! For each set of crawlers that the site tells apart, and for one that it does not name, each pattern is asked about
//! within, and each preference of today's dialects that decides something. The answers are the engine's, so the file passes at once; its use is to fail later.

use crate::convert::{Audience, RobotsTxtSource, UsagePattern};
use crate::names::unnamed;
use byleave::{
    Capabilities, Crawler, Evidence, EvidenceStatements, Explanation, Instant, Outcome, PreferenceStatement,
    ProposedUse, Usage,
};

/// What is expected of one question.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expectation {
    /// The crawler; for none that is named, a name that the site does not have.
    pub crawler: String,
    /// Further names to which the same is said.
    pub alike: Vec<String>,
    /// The usage.
    pub usage: Usage,
    /// A path.
    pub url: String,
    /// What it comes to.
    pub outcome: Outcome,
    /// The line that decides; nothing where a default does.
    pub line: Option<u32>,
    /// The conditions, in canonical spelling.
    pub conditions: Vec<String>,
    /// All of it in a sentence.
    pub sentence: String,
}

/// What a site decides at an instant, crawler by crawler; nothing where no robots.txt was read.
///
/// Cost: some hundred decisions.
#[must_use]
pub fn starter_tests(evidence: &Evidence<'_>, at: Instant) -> Option<Vec<Expectation>> {
    let source = RobotsTxtSource::of(evidence)?;
    let mut expectations: Vec<Expectation> = Vec::new();
    let preferences = EvidenceStatements::of(evidence, &Capabilities::default()).preferences();
    // A name that is no text is nobody's to be asked about.
    let is_text = |audience: &&Audience| audience.names.first().is_none_or(|name| std::str::from_utf8(name).is_ok());
    for audience in source.audiences.iter().filter(is_text) {
        let name = audience.shown().unwrap_or_else(|| unnamed(&[evidence], "ExampleBot"));
        let crawler = Crawler::named(&name);
        let alike = audience.names.iter().skip(1).map(|name| String::from_utf8_lossy(name).into_owned());
        let alike: Vec<String> = alike.collect();
        let mut known: Vec<(Usage, String)> = Vec::new();
        let mut expect = |usage: &Usage, url: &str, explanation: &Explanation<'_>, sentence: String| {
            expectations.push(Expectation {
                crawler: name.clone(),
                alike: alike.clone(),
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
            let explanation = byleave::explain(evidence, &proposed);
            let sentence = explanation.sentence(&proposed);
            (explanation, sentence)
        };
        for UsagePattern { usage, pattern } in source.spoken(audience) {
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

/// Whether a preference may be for the crawlers of an audience: by name, for any where it has none, or for everyone.
fn is_for(preference: &PreferenceStatement<'_>, audience: &Audience, name: &str) -> bool {
    let names = |wanted: &[u8]| preference.crawlers.iter().any(|known| known.eq_ignore_ascii_case(wanted));
    preference.crawlers.is_empty() || names(name.as_bytes()) || (audience.names.is_empty() && names(b"*"))
}

/// Enough to read.
const MAX_EXPECTATIONS: usize = 200;
const MAX_PER_AUDIENCE: usize = 12;

/// A path that a pattern matches, as one would write it.
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
    /// The patterns and usages to ask about for an audience, and the front page.
    fn spoken(&self, audience: &Audience) -> Vec<UsagePattern> {
        let front = UsagePattern { usage: Usage::Crawl, pattern: b"/$".to_vec() };
        let crawling = audience.all().map(|rule| UsagePattern { usage: Usage::Crawl, pattern: rule.pattern.clone() });
        let others = self.others(audience);
        std::iter::once(front).chain(crawling).chain(others).collect()
    }
}
