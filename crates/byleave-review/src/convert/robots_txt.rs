//! Drafts a robots.txt with RFC 9309 groups.
//!
//! If only conventional rules address a crawler, the rules are copied. If ACAP addresses the crawler too, each pattern
//! becomes a rule with the source's outcome for the paths that this pattern and no narrower pattern matches.

use super::draft::{Draft, DraftDialect, DraftGroup, DraftLine};
use super::facts;
use super::paths::{PathCase, PathSampler};
use super::pattern::tidied;
use super::source::{Audience, RobotsTxtSource, SourceRule};
use byleave::model::Modality;

/// Returns the draft for a source.
pub(crate) fn draft(source: &RobotsTxtSource<'_>) -> Draft {
    let mut draft = Draft::new(DraftDialect::Conventional);
    let patterns = source.audiences.iter().flat_map(Audience::all).map(|rule| rule.pattern.as_slice());
    let sampler = PathSampler::new(patterns, PathCase::Insensitive);
    draft.before = facts::outside_of_groups(source);
    // Groups for purposes come first. A parser that does not know `User-agent-purpose` would add their rules to the
    // preceding group.
    let (with_purposes, others): (Vec<_>, Vec<_>) =
        source.audiences.iter().enumerate().partition(|(_, audience)| !audience.purposes.is_empty());
    for (number, audience) in with_purposes.into_iter().chain(others) {
        // A crawler needs a group of its own only if statements about crawling address it by name.
        let is_addressed = audience.has_group || !audience.acap.is_empty() || has_reference(source, audience);
        if !audience.is_any() && !is_addressed {
            continue;
        }
        let is_plain = audience.acap.is_empty() && audience.acap_any.is_empty() && !has_reference(source, audience);
        let mut lines: Vec<DraftLine> = match &sampler {
            Some(sampler) if !is_plain => decided_lines(source, audience, sampler),
            _ => audience.rules.iter().map(|rule| line(rule, rule.modality)).collect(),
        };
        // A group without rules gets `Allow: /`, unless it is a group for a purpose. The groups for all its purposes
        // bind a crawler together, so the permission could override a prohibition in another group.
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

/// Returns one rule per pattern, with the source's outcome for the path that represents the pattern.
fn decided_lines(source: &RobotsTxtSource<'_>, audience: &Audience, sampler: &PathSampler) -> Vec<DraftLine> {
    let whole = SourceRule { modality: Modality::Prohibition, pattern: b"/".to_vec(), line: 0, is_of_crawl: true };
    let mut lines: Vec<DraftLine> = Vec::new();
    let mut known: Vec<Vec<u8>> = Vec::new();
    for rule in audience.all().chain([&whole]) {
        let pattern = tidied(&rule.pattern);
        if known.contains(&pattern) {
            continue;
        }
        let path = sampler.witness(&pattern);
        let is_prohibited = source.prohibits(&audience.crawler, &path);
        let modality = if is_prohibited { Modality::Prohibition } else { Modality::Permission };
        // Line 0 marks `whole`, the rule for all other paths. They are permitted by default, so a permission is not
        // needed.
        if rule.line == 0 && !is_prohibited {
            continue;
        }
        let from = (rule.line > 0).then_some(rule.line);
        lines.push(DraftLine::rule(modality, pattern.clone(), from));
        known.push(pattern);
    }
    lines
}

/// Returns whether the source prohibits everything because a referenced file is missing.
fn has_reference(source: &RobotsTxtSource<'_>, audience: &Audience) -> bool {
    use byleave::{ProposedUse, Reason, Usage};
    let proposed = ProposedUse::new("/", &audience.crawler, &Usage::Crawl);
    matches!(byleave::analysis::decide_unchecked(source.site, &proposed).reason, Reason::ReferenceUnread(_))
}
