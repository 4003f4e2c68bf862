//! A robots.txt drafted in the records of RFC 9309.
//!
//! Crawlers to which only conventional rules speak get these as they are. Where ACAP speaks too, each pattern says what
//! the source decides where it matches and nothing narrower does.

use super::draft::{Draft, Fields, Line, Record};
use super::paths::{Asking, Capitals};
use super::pattern::tidied;
use super::source::{Audience, Rule, Source, is_of_site};
use crate::names::is_any;
use wayleave::model::Modality;

/// The draft of a source.
pub(crate) fn draft(source: &Source<'_>) -> Draft {
    let mut draft = Draft::new(Fields::Conventional);
    let patterns = source.audiences.iter().flat_map(Audience::all).map(|rule| rule.pattern.as_slice());
    let asking = Asking::new(patterns, Capitals::Alike);
    for (number, audience) in source.audiences.iter().enumerate() {
        // A record of its own needs only a crawler that is told something of crawling by name.
        let is_told = audience.has_record || !audience.acap.is_empty() || has_reference(source, audience);
        if !audience.is_any() && !is_told {
            continue;
        }
        let is_plain = audience.acap.is_empty() && audience.acap_any.is_empty() && !has_reference(source, audience);
        let mut lines: Vec<Line> = match &asking {
            Some(asking) if !is_plain => decided(source, audience, asking),
            _ => audience.rules.iter().map(|rule| line(rule, rule.modality)).collect(),
        };
        if lines.is_empty() && (!audience.is_any() || audience.has_record) {
            lines.push(Line::rule(Modality::Permission, b"/".to_vec(), None));
        }
        if lines.is_empty() {
            continue;
        }
        let names = audience.names.clone();
        let facts = facts(source, audience);
        draft.records.push(Record { audience: Some(number), names, lines, facts });
    }
    draft
}

fn line(rule: &Rule, modality: Modality) -> Line {
    Line::rule(modality, rule.pattern.clone(), Some(rule.line))
}

/// Each pattern with what the source decides on the path that stands for it.
fn decided(source: &Source<'_>, audience: &Audience, asking: &Asking) -> Vec<Line> {
    let whole = Rule { modality: Modality::Prohibition, pattern: b"/".to_vec(), line: 0, is_of_crawl: true };
    let mut lines: Vec<Line> = Vec::new();
    let mut known: Vec<Vec<u8>> = Vec::new();
    for rule in audience.all().chain([&whole]) {
        let pattern = tidied(&rule.pattern);
        if known.contains(&pattern) {
            continue;
        }
        let path = asking.witness(&pattern);
        let is_prohibited = source.prohibits(&audience.crawler, &path);
        let modality = if is_prohibited { Modality::Prohibition } else { Modality::Permission };
        // What nothing prohibits is permitted without a line.
        if rule.line == 0 && !is_prohibited {
            continue;
        }
        let from = (rule.line > 0).then_some(rule.line);
        lines.push(Line::rule(modality, pattern.clone(), from));
        known.push(pattern);
    }
    lines
}

/// Whether the source prohibits all for want of a file that it refers to.
fn has_reference(source: &Source<'_>, audience: &Audience) -> bool {
    use wayleave::{ProposedUse, Reason, Usage};
    let proposed = ProposedUse::new("/", &audience.crawler, &Usage::Crawl);
    matches!(wayleave::decide(source.evidence, &proposed).reason, Reason::ReferenceUnread(_))
}

/// The fields that belong to records of these crawlers and decide nothing.
fn facts(source: &Source<'_>, audience: &Audience) -> Vec<Vec<u8>> {
    let is_for = |crawlers: &[&[u8]]| {
        let is_named = |name: &&[u8]| audience.names.iter().any(|known| known.eq_ignore_ascii_case(name));
        if audience.is_any() { crawlers.iter().any(|name| is_any(name)) } else { crawlers.iter().any(is_named) }
    };
    let facts = source.policy.facts();
    let own = facts.iter().filter(|fact| !is_of_site(fact.field) && is_for(&fact.crawlers));
    own.map(|fact| [fact.field.name().as_bytes(), b": ", fact.value].concat()).collect()
}
