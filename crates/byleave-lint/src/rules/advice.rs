//! Advice: rules that work but could be clearer, or that apply so widely that the publisher should check them.

use super::diagnostic_fixes::without_line;
use super::reach::min_length;
use crate::context::{RobotsTxtContext, RuleEffect, excerpt, unnamed_crawler};
use crate::finding::{AllowedChange, Edit, Findings, Safety};
use byleave::analysis::robots_txt::Line;
use byleave::analysis::source::Span;
use byleave::analysis::vocabulary::{Field, Role};
use byleave::model::BoundBy;
use byleave::model::StatementId;
use byleave::{Outcome, Reading, Reason};

/// Reports a `*` at the end of a pattern. It is redundant, because a pattern matches everything that begins with it.
pub(crate) fn trailing_star(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for rule in 0..context.rules.len() {
        let pattern = context.pattern(rule);
        if let Some(without) = pattern.strip_suffix(b"*").filter(|without| !without.is_empty() && *without != b"/") {
            let bare = without_stars(without);
            // The star makes the pattern longer. If an opposing pattern is about as long, the star may decide which
            // pattern wins.
            let is_irrelevant = context.is_length_irrelevant(rule, min_length(bare)..=min_length(pattern));
            let line = context.line_at(context.span(rule)).filter(|_| is_irrelevant);
            let edit = line.map(|line| Edit::new(line.value.0 + bare.len(), line.value.1, ""));
            let (pattern, without) = (excerpt(pattern), excerpt(bare));
            found
                .at(
                    context.span(rule),
                    format!("the final `*` is needless: `{pattern}` matches the same paths as `{without}`"),
                )
                .help(if is_irrelevant { NEEDLESS_STAR } else { STAR_THAT_MAY_COUNT })
                .fix(Safety::Safe, edit);
        }
    }
}

const NEEDLESS_STAR: &str = "remove it; it only makes the pattern count as longer";
const STAR_THAT_MAY_COUNT: &str =
    "remove it, unless it is there to make this pattern longer than an opposing one of about the same length";

fn without_stars(pattern: &[u8]) -> &[u8] {
    let stars = pattern.iter().rev().take_while(|byte| **byte == b'*').count();
    pattern.get(..pattern.len() - stars).unwrap_or_default()
}

/// Reports a pattern that looks like a folder, such as `/news`, but also matches the path in another rule, such as
/// `/newsletter`.
pub(crate) fn folder_without_slash(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let mut sorted: Vec<(&[u8], usize)> = (0..context.rules.len()).map(|rule| (context.pattern(rule), rule)).collect();
    sorted.sort_unstable();
    for group in context.groups() {
        for rule in context.rules_of(group) {
            let pattern = context.pattern(rule);
            let is_plain =
                pattern.len() > 1 && pattern.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/-_".contains(byte));
            if !is_plain || pattern.ends_with(b"/") {
                continue;
            }
            let from = sorted.partition_point(|(other, _)| *other <= pattern);
            let longer =
                sorted.get(from..).unwrap_or_default().iter().take_while(|(other, _)| other.starts_with(pattern));
            // The pattern of a neighbour continues the last name, as `/newsletter` continues `/news`. If both rules are
            // in one group and both permit or both prohibit, a slash after `/news` changes nothing for `/newsletter`.
            // Such a pair is not reported.
            let is_other = |other: usize| {
                context.permits(other) != context.permits(rule) || context.group_of(other) != context.group_of(rule)
            };
            let mut neighbours = longer.filter(|(other, number)| {
                other.get(pattern.len()).is_some_and(u8::is_ascii_alphanumeric) && is_other(*number)
            });
            if let Some((other, neighbour)) = neighbours.next() {
                let (pattern, other, line) = (excerpt(pattern), excerpt(other), context.line_of(*neighbour));
                found
                    .at(
                        context.span(rule),
                        format!(
                            "`{pattern}` matches every path that begins with it, including `{other}` in line {line}"
                        ),
                    )
                    .help(format!("to match only the folder, write `{pattern}/`"))
                    .related(context.name, context.span(*neighbour), "this rule's pattern also begins with it");
            }
        }
    }
}

/// Reports a file that closes the whole site to every crawler.
pub(crate) fn closed_site(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let any = unnamed_crawler();
    let Some(unused_byte) = context.witnesses(b"/").into_iter().next() else { return };
    let decision = context.crawl(&any, &unused_byte);
    if decision.outcome != Outcome::Prohibited {
        return;
    }
    let permits = |rule: usize| context.permits(rule);
    let Some(rule) = decision.reason.statement().and_then(|id| number(context, id)) else { return };
    if !(0..context.rules.len()).any(permits) && context.groups().len() == 1 {
        found
            .at(context.span(rule), "this prohibits every crawler, including search engines, from crawling the site")
            .help("remove it if it was meant for a test site; if it is intended, no change is needed");
    }
}

fn number(context: &RobotsTxtContext<'_>, id: StatementId) -> Option<usize> {
    context.rules.iter().position(|rule| rule.id == id)
}

/// Reports a file that has groups for some crawlers but none for `*`. All other crawlers may then crawl everything.
pub(crate) fn missing_default_group(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let Some(path) = context.witnesses(b"/").into_iter().next() else { return };
    let decision = context.crawl(&unnamed_crawler(), &path);
    let restricts = (0..context.rules.len()).any(|rule| !context.permits(rule));
    if decision.reason == Reason::NoRuleMatches(BoundBy::NoGroup) && restricts {
        let last = context.groups().iter().flat_map(|group| group.spans.last()).next_back();
        if let Some(span) = last {
            found
                .at(*span, "there is no group for `*`, so crawlers that no group names may crawl everything")
                .help("add a group for `*`; an empty `Disallow:` in it permits everything");
        }
    }
}

/// Reports a permission that never decides, because it is shorter than every prohibition in its group.
pub(crate) fn needless_permission(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for group in context.groups() {
        // In a group without prohibitions, a permission makes clear that everything is permitted.
        let prohibitions = context.rules_of(group).filter(|rule| !context.permits(*rule));
        let Some(shortest) = prohibitions.map(|rule| min_length(context.pattern(rule))).min() else { continue };
        // An escape counts as one character, not three. Groups with escapes are skipped for simplicity.
        let is_special = |rule| context.pattern(rule).iter().any(|byte| *byte == b'%' || !byte.is_ascii());
        let is_named_once = group.names.iter().all(|name| context.groups_naming(name).len() == 1);
        if !is_named_once || context.rules_of(group).any(is_special) {
            continue;
        }
        // A permission wins only against prohibitions that are not longer. Readers disagree on whether a final `$`
        // counts, and on patterns that begin with `*`.
        for rule in
            context.rules_of(group).filter(|rule| context.permits(*rule) && !context.pattern(*rule).starts_with(b"*"))
        {
            let pattern = context.pattern(rule);
            // A permission that a prohibition covers is reported as shadowed (R001).
            let is_covered =
                matches!(context.effect(rule), Some(RuleEffect::ShadowedBy(winner)) if !context.permits(winner));
            if pattern.len() < shortest && !is_covered {
                let pattern = excerpt(pattern);
                found
                    .at(
                        context.span(rule),
                        format!(
                            "this permission has no effect: every prohibition in this group has a longer pattern \
                            than `{pattern}` and wins"
                        ),
                    )
                    .help("remove it, unless it is meant for human readers")
                    .fix(
                        Safety::Suggested { effect: FIRST_MATCH.to_owned(), allowed: AllowedChange::OtherParsers },
                        context.without(rule),
                    );
            }
        }
    }
}

/// The effect of the fix on parsers that do not follow RFC 9309, such as older versions of Python's
/// `urllib.robotparser`.
const FIRST_MATCH: &str = "old parsers that obey the first matching rule will then also obey the prohibitions below \
    it";

/// Reports an empty rule in a group that has other rules, where it has no effect.
pub(crate) fn empty_prohibition(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let mut empty: Vec<Span> = Vec::new();
    let mut has_rule = false;
    let mut has_names = false;
    let mut report = |empty: &mut Vec<Span>, has_rule: bool| {
        for span in empty.drain(..).filter(|_| has_rule) {
            found
                .at(span, "this empty rule has no effect: it does not lift the other rules in its group")
                .help("remove it; to permit everything, remove the other rules instead")
                .fix(Safety::Safe, context.line_at(span).and_then(without_line));
        }
    };
    for (line, field) in context.fields() {
        match field.role() {
            Role::Names => {
                if has_rule || !empty.is_empty() {
                    report(&mut empty, has_rule);
                    has_rule = false;
                }
                has_names = true;
            }
            Role::AcapNames => {
                report(&mut empty, has_rule);
                (has_rule, has_names) = (false, false);
            }
            Role::Rule if has_names && line.value.0 == line.value.1 => empty.push(Span::new(line.name.0, line.value.1)),
            Role::Rule if has_names => has_rule = true,
            _ => {}
        }
    }
    report(&mut empty, has_rule);
}

/// Reports a preference in a comment, where it has no effect.
pub(crate) fn signal_in_comment(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for line in context.tree().lines() {
        let comment = context.text.get(line.comment..line.end).unwrap_or_default();
        let text = comment.trim_ascii_start();
        let text = text.get(text.iter().take_while(|byte| **byte == b'#').count()..).unwrap_or_default();
        // Parse the comment as if it were the field that it resembles.
        let tree = byleave::analysis::tree(text, Reading::Default);
        let is_preference = |field: Field| matches!(field, Field::ContentSignal | Field::ContentUsage);
        let has_value = |one: &&Line| {
            one.name.0 < one.name.1
                && tree.text().get(one.value.0..one.value.1).is_some_and(|value| value.contains(&b'='))
        };
        let mut fields = tree
            .lines()
            .iter()
            .filter(has_value)
            .filter_map(|one| byleave::analysis::field(&tree, one, Reading::Default));
        if let Some(field) = fields.find(|field| is_preference(*field)) {
            found
                .at(
                    Span::new(line.comment, line.end),
                    format!("this `{}` is in a comment, which crawlers ignore", field.name()),
                )
                .help("if it is intended as a preference, remove the `#` and put the line into a group");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{LintInput, Selection, lint};

    fn found(robots_txt: &str) -> Vec<&'static str> {
        let input = LintInput::new().with_robots_txt("robots.txt", robots_txt.as_bytes());
        let documents = lint(&input, &Selection::everything());
        documents.iter().flat_map(|document| &document.findings).map(|finding| finding.rule.code).collect()
    }

    #[test]
    fn a_permission_is_needless_only_if_it_is_shorter_in_every_reading() {
        let of_group = |rules: &str| found(&format!("User-agent: *\n{rules}"));
        assert_eq!(of_group("Disallow: /ab\nAllow: /\n"), ["A005"]);
        assert!(!of_group("Disallow: /*\nAllow: /$\n").contains(&"A005"));
        assert!(!of_group("Disallow: /shop/*\nAllow: /shop/$\n").contains(&"A005"));
        assert!(!of_group("Disallow: /bcc\nAllow: *b\n").contains(&"A005"));
        // A prohibition that only lenient readers accept is not reported as dropped.
        let others = "\nUser-agent: NewsBot\nDisallow: /c\n";
        assert!(of_group(&format!("Disallow: /b\n{others}")).contains(&"R005"));
        assert!(!of_group(&format!("disallow /b\nDisallow: /\nAllow: /\n{others}")).contains(&"R005"));
        // Strict readers ignore `*b`, so the prohibition applies.
        assert!(!of_group("Allow: *b\nDisallow: /b\n").contains(&"R002"));
    }
}
