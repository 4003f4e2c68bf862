//! Drafts a robots.txt in ACAP. ACAP lines are copied, and conventional rules become permissions and prohibitions for
//! `crawl`.
//!
//! A conventional group that names a crawler replaces the group for any crawler, even if the named group has no rules.
//! An ACAP statement that names a crawler only overrides statements about the same resource (S-04). So an ACAP group
//! that names crawlers begins with a permission for `/`. Without this line, a crawler whose own group has only an empty
//! `Disallow:` would still be bound by the prohibitions for any crawler.

use super::draft::{Draft, DraftDialect, DraftGroup, DraftLine, LineContent};
use super::pattern::{tidied, without_blanks};
use super::source::{Audience, RobotsTxtSource, SourceRule};
use byleave::analysis::vocabulary::{Field, Role};
use byleave::model::Modality;

/// Returns the draft for a source.
pub(crate) fn draft(source: &RobotsTxtSource<'_>) -> Draft {
    let mut draft = Draft::new(DraftDialect::Acap);
    copy(source, &mut draft);
    let has_any_rules = source.audiences.last().is_some_and(|any| !any.rules.is_empty());
    for (number, audience) in source.audiences.iter().enumerate() {
        let is_bound_by_name = audience.is_any() || audience.has_group;
        // A crawler that only ACAP names is bound by the conventional rules for any crawler. ACAP statements that
        // address it by name would override these rules, so the rules are copied into its ACAP group.
        let needs_copies = !is_bound_by_name && audience.acap.iter().any(|rule| rule.is_of_crawl) && has_any_rules;
        if !audience.has_group && !needs_copies {
            continue;
        }
        let mut lines: Vec<DraftLine> = Vec::new();
        let guard = DraftLine::rule(Modality::Permission, b"/".to_vec(), None);
        let is_guarded = !audience.is_any() && (has_any_rules || !audience.acap_any.is_empty());
        let rules = chosen(audience);
        let is_whole = |rule: &&SourceRule| rule.pattern == b"/";
        if audience.has_group && (rules.is_empty() || is_guarded && !rules.iter().any(|rule| is_whole(&rule))) {
            lines.push(guard);
        }
        lines.extend(rules.into_iter().map(line));
        if is_guarded {
            // The lines above override ACAP statements for any crawler, so these statements are repeated for the named
            // crawlers.
            lines.extend(audience.acap_any.iter().filter(|rule| rule.is_of_crawl).cloned().map(line));
        }
        let mut known: Vec<LineContent> = Vec::new();
        lines.retain(|line| {
            let is_new = !known.contains(&line.content);
            if is_new {
                known.push(line.content.clone());
            }
            is_new
        });
        let names = audience.names.clone();
        draft.groups.push(DraftGroup { audience: Some(number), names, lines, ..DraftGroup::default() });
    }
    draft
}

fn line(rule: SourceRule) -> DraftLine {
    DraftLine::rule(rule.modality, without_blanks(&rule.pattern), Some(rule.line))
}

/// Returns the rules for an audience, one per pattern. If several rules have the same pattern, the rule that RFC 9309
/// prefers is chosen. A rule is omitted if an ACAP rule has the same pattern (S-13).
fn chosen(audience: &Audience) -> Vec<SourceRule> {
    let mut chosen: Vec<(SourceRule, (usize, bool))> = Vec::new();
    let of_acap: &[SourceRule] = if audience.is_any() { &audience.acap_any } else { &audience.acap };
    for rule in &audience.rules {
        let pattern = tidied(&rule.pattern);
        if of_acap.iter().any(|other| tidied(&other.pattern).eq_ignore_ascii_case(&pattern)) {
            continue;
        }
        let rank = (rule.pattern.len(), rule.modality == Modality::Permission);
        match chosen.iter_mut().find(|(known, _)| known.pattern == pattern) {
            Some((_, known)) if *known >= rank => {}
            Some((known, known_rank)) => {
                *known = SourceRule { pattern, ..rule.clone() };
                *known_rank = rank;
            }
            None => chosen.push((SourceRule { pattern, ..rule.clone() }, rank)),
        }
    }
    chosen.into_iter().map(|(rule, _)| rule).collect()
}

/// Copies the effective ACAP lines from the source. ACAP lines in conventional groups have no effect (S-12).
fn copy(source: &RobotsTxtSource<'_>, draft: &mut Draft) {
    let Some(text) = source.policy.text() else { return };
    let reading = source.site.reading();
    if !reading.switches().reads_acap {
        return;
    }
    let tree = byleave::analysis::tree(text, reading);
    let mut open: Option<(DraftGroup, bool)> = None;
    let close = |open: &mut Option<(DraftGroup, bool)>, draft: &mut Draft| {
        draft.groups.extend(open.take().map(|(group, _)| group).filter(|group| !group.lines.is_empty()));
    };
    for (number, line) in (1..).zip(tree.lines()) {
        let part = |(start, end): (usize, usize)| text.get(start..end).unwrap_or_default();
        let (name, value) = (part(line.name), part(line.value));
        if is_version_mark(part((line.comment, line.end))) && name.is_empty() {
            draft.before.push(part((line.comment, line.end)).to_vec());
            continue;
        }
        let is_acap = |role: Role| matches!(role, Role::Acap | Role::AcapNames);
        match byleave::analysis::field(&tree, line, reading) {
            Some(Field::UserAgent) => close(&mut open, draft),
            Some(Field::AcapCrawler) => {
                if open.as_ref().is_none_or(|(_, takes_names)| !takes_names) {
                    close(&mut open, draft);
                    open = Some((DraftGroup::default(), true));
                }
                if let Some((group, _)) = &mut open {
                    group.names.push(value.to_vec());
                }
            }
            Some(field) if is_acap(field.role()) => {
                let written = [name, b": ", value].concat();
                if is_of_file(name) {
                    draft.before.push(written);
                } else if let Some((group, takes_names)) = &mut open {
                    group.lines.push(DraftLine {
                        content: LineContent::Copied(written),
                        from: Some(number),
                        is_out: false,
                        because: None,
                    });
                    *takes_names = false;
                }
            }
            _ => {}
        }
    }
    close(&mut open, draft);
}

/// Returns whether an ACAP field takes effect anywhere in the file (S-12).
fn is_of_file(name: &[u8]) -> bool {
    let fields = ["ACAP-version", "ACAP-qualified-usage", "ACAP-composite-usage", "ACAP-resource-set"];
    fields.iter().any(|field| field.as_bytes().eq_ignore_ascii_case(name))
}

/// Returns whether a comment declares the ACAP version (S-11).
fn is_version_mark(comment: &[u8]) -> bool {
    let rest = comment.to_ascii_lowercase();
    let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
    let rest = rest.get(hashes..).unwrap_or_default().trim_ascii();
    rest.strip_prefix(b"acap").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"version"))
}
