//! A robots.txt drafted in the groups of RFC 9309.
//!
//! Crawlers to which only conventional rules speak get these as they are. Where ACAP speaks too, each pattern says what
//! the source decides where it matches and nothing narrower does.

use super::draft::{Draft, DraftDialect, DraftGroup, DraftLine};
use super::facts;
use super::paths::{PathCase, PathSampler};
use super::pattern::tidied;
use super::source::{Audience, RobotsTxtSource, SourceRule};
use byleave::model::Modality;

/// The draft of a source.
pub(crate) fn draft(source: &RobotsTxtSource<'_>) -> Draft {
    let mut draft = Draft::new(DraftDialect::Conventional);
    let patterns = source.audiences.iter().flat_map(Audience::all).map(|rule| rule.pattern.as_slice());
    let asking = PathSampler::new(patterns, PathCase::Insensitive);
    draft.before = facts::outside_of_groups(source);
    // Who does not know purposes takes the rules below one for those of the group before, so these come first.
    let (with_purposes, others): (Vec<_>, Vec<_>) =
        source.audiences.iter().enumerate().partition(|(_, audience)| !audience.purposes.is_empty());
    for (number, audience) in with_purposes.into_iter().chain(others) {
        // A group of its own needs only a crawler that is told something of crawling by name.
        let is_told = audience.has_group || !audience.acap.is_empty() || has_reference(source, audience);
        if !audience.is_any() && !is_told {
            continue;
        }
        let is_plain = audience.acap.is_empty() && audience.acap_any.is_empty() && !has_reference(source, audience);
        let mut lines: Vec<DraftLine> = match &asking {
            Some(asking) if !is_plain => decided(source, audience, asking),
            _ => audience.rules.iter().map(|rule| line(rule, rule.modality)).collect(),
        };
        // Who has several purposes is bound by the groups of all, so there a permission would be one too many.
        if lines.is_empty() && audience.purposes.is_empty() {
            if !audience.has_group && audience.is_any() {
                continue;
            }
            lines.push(DraftLine::rule(Modality::Permission, b"/".to_vec(), None));
        }
        let (names, purposes) = (audience.names.clone(), audience.purposes.clone());
        let facts = facts::of_groups(source, audience);
        draft.groups.push(DraftGroup { audience: Some(number), names, purposes, lines, facts });
    }
    draft
}

fn line(rule: &SourceRule, modality: Modality) -> DraftLine {
    DraftLine::rule(modality, rule.pattern.clone(), Some(rule.line))
}

/// Each pattern with what the source decides on the path that stands for it.
fn decided(source: &RobotsTxtSource<'_>, audience: &Audience, asking: &PathSampler) -> Vec<DraftLine> {
    let whole = SourceRule { modality: Modality::Prohibition, pattern: b"/".to_vec(), line: 0, is_of_crawl: true };
    let mut lines: Vec<DraftLine> = Vec::new();
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
        lines.push(DraftLine::rule(modality, pattern.clone(), from));
        known.push(pattern);
    }
    lines
}

/// Whether the source prohibits all for want of a file that it refers to.
fn has_reference(source: &RobotsTxtSource<'_>, audience: &Audience) -> bool {
    use byleave::{ProposedUse, Reason, Usage};
    let proposed = ProposedUse::new("/", &audience.crawler, &Usage::Crawl);
    matches!(byleave::decide(source.evidence, &proposed).reason, Reason::ReferenceUnread(_))
}
