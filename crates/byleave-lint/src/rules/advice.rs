//! What works and could be clearer, or is so wide that somebody should look at it twice.

use super::diagnostic_fixes::without_line;
use super::reach::min_length;
use crate::context::{RobotsTxtContext, RuleEffect, excerpt, unnamed_crawler};
use crate::finding::{AllowedChange, Edit, Findings, Safety};
use byleave::model::StatementId;
use byleave::source::Span;
use byleave::syntax::Line;
use byleave::vocabulary::{Field, Role};
use byleave::{Ground, Outcome, Reading, Reason};

/// A `*` at the end of a pattern, which says nothing: a pattern matches whatever follows it.
pub(crate) fn trailing_star(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for rule in 0..context.rules.len() {
        let pattern = context.pattern(rule);
        if let Some(without) = pattern.strip_suffix(b"*").filter(|without| !without.is_empty() && *without != b"/") {
            let bare = without_stars(without);
            // The star counts when patterns are compared; where another is as long, it may decide.
            let is_irrelevant = context.is_length_irrelevant(rule, min_length(bare)..=min_length(pattern));
            let line = context.line_at(context.span(rule)).filter(|_| is_irrelevant);
            let edit = line.map(|line| Edit::new(line.value.0 + bare.len(), line.value.1, ""));
            let (pattern, without) = (excerpt(pattern), excerpt(bare));
            found
                .at(
                    context.span(rule),
                    format!("the `*` at the end of `{pattern}` matches nothing more than `{without}` does"),
                )
                .help(if is_irrelevant { NEEDLESS_STAR } else { STAR_THAT_MAY_COUNT })
                .fix(Safety::Safe, edit);
        }
    }
}

const NEEDLESS_STAR: &str = "leave it out; it only makes the pattern count as longer than it is";
const STAR_THAT_MAY_COUNT: &str =
    "leave it out, unless it is there to make the pattern win over an opposing one that is about as long";

fn without_stars(pattern: &[u8]) -> &[u8] {
    let stars = pattern.iter().rev().take_while(|byte| **byte == b'*').count();
    pattern.get(..pattern.len() - stars).unwrap_or_default()
}

/// A pattern that reads like a folder's and also matches a neighbour that the file itself names.
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
            // The name of a neighbour goes on where this one ends; of one that says the same, nothing changes.
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
                        format!("`{pattern}` matches everything that begins so, `{other}` of line {line} too"),
                    )
                    .help(format!("if a folder is meant, write `{pattern}/`"))
                    .related(context.name, context.span(*neighbour), "a neighbour that it matches, too");
            }
        }
    }
}

/// A prohibition of the whole site to every crawler.
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
            .at(context.span(rule), "this closes the whole site to every crawler, search engines too")
            .help("if that is left over from a test site, remove it; if it is meant, nothing needs to be done");
    }
}

fn number(context: &RobotsTxtContext<'_>, id: StatementId) -> Option<usize> {
    context.rules.iter().position(|rule| rule.id == id)
}

/// Groups for some crawlers and none for the others, which may then crawl everything.
pub(crate) fn missing_default_group(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let Some(path) = context.witnesses(b"/").into_iter().next() else { return };
    let decision = context.crawl(&unnamed_crawler(), &path);
    let restricts = (0..context.rules.len()).any(|rule| !context.permits(rule));
    if decision.reason == Reason::NoRuleMatches(Ground::NoGroup) && restricts {
        let last = context.groups().iter().flat_map(|group| group.spans.last()).next_back();
        if let Some(span) = last {
            found.at(*span, "no group is for `*`, so a crawler that is not named here may crawl everything").help(
                "to say something to all others, add a group for `*`; an empty `Disallow:` in it permits everything",
            );
        }
    }
}

/// A permission where nothing shorter is prohibited, so that it permits what is permitted anyway.
pub(crate) fn needless_permission(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for group in context.groups() {
        // Without any prohibition it is a way of saying that all is permitted.
        let prohibitions = context.rules_of(group).filter(|rule| !context.permits(*rule));
        let Some(shortest) = prohibitions.map(|rule| min_length(context.pattern(rule))).min() else { continue };
        // Escapes are counted as what they stand for; where there are some, nothing is said.
        let is_special = |rule| context.pattern(rule).iter().any(|byte| *byte == b'%' || !byte.is_ascii());
        let is_named_once = group.names.iter().all(|name| context.groups_naming(name).len() == 1);
        if !is_named_once || context.rules_of(group).any(is_special) {
            continue;
        }
        // A permission can only decide against a prohibition that is not longer. Readers do not agree whether a final `$`
        // counts, nor on patterns that begin with `*`.
        for rule in
            context.rules_of(group).filter(|rule| context.permits(*rule) && !context.pattern(*rule).starts_with(b"*"))
        {
            let pattern = context.pattern(rule);
            // Where a prohibition covers it, nothing is permitted anyway; that is another rule's to tell.
            let is_covered =
                matches!(context.effect(rule), Some(RuleEffect::ShadowedBy(winner)) if !context.permits(winner));
            if pattern.len() < shortest && !is_covered {
                let pattern = excerpt(pattern);
                found
                    .at(
                        context.span(rule),
                        format!("`{pattern}` is permitted anyway: every prohibition of this group has a longer pattern, and the longer one wins"),
                    )
                    .help("remove it, unless it is there for people to read")
                    .fix(Safety::Suggested { effect: FIRST_MATCH.to_owned(), allowed: AllowedChange::OtherParsers }, context.without(rule));
            }
        }
    }
}

/// Python's parser was so before it followed RFC 9309.
const FIRST_MATCH: &str = "old parsers that obey the first rule that matches obey the prohibitions below it too";

/// An empty prohibition in a group that also prohibits something, where it says nothing.
pub(crate) fn empty_prohibition(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let mut empty: Vec<Span> = Vec::new();
    let mut has_rule = false;
    let mut has_names = false;
    let mut report = |empty: &mut Vec<Span>, has_rule: bool| {
        for span in empty.drain(..).filter(|_| has_rule) {
            found
                .at(span, "an empty rule says nothing: it does not lift the other rules of its group")
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

/// A preference that is written as a comment, where it says nothing.
pub(crate) fn signal_in_comment(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for line in context.tree().lines() {
        let comment = context.text.get(line.comment..line.end).unwrap_or_default();
        let said = comment.trim_ascii_start();
        let said = said.get(said.iter().take_while(|byte| **byte == b'#').count()..).unwrap_or_default();
        // The comment is asked about as the field it looks like.
        let tree = byleave::tree(said, Reading::Default);
        let is_said = |field: Field| matches!(field, Field::ContentSignal | Field::ContentUsage);
        let has_value = |one: &&Line| {
            one.name.0 < one.name.1
                && tree.text().get(one.value.0..one.value.1).is_some_and(|value| value.contains(&b'='))
        };
        let mut fields =
            tree.lines().iter().filter(has_value).filter_map(|one| byleave::field(&tree, one, Reading::Default));
        if let Some(field) = fields.find(|field| is_said(*field)) {
            found
                .at(
                    Span::new(line.comment, line.end),
                    format!("this `{}` is a comment, and says nothing to crawlers", field.name()),
                )
                .help("remove the `#`, if it is meant, and put it into a group");
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
    fn a_permission_is_needless_only_where_all_readers_find_it_shorter() {
        let of_group = |rules: &str| found(&format!("User-agent: *\n{rules}"));
        assert_eq!(of_group("Disallow: /ab\nAllow: /\n"), ["A005"]);
        assert!(!of_group("Disallow: /*\nAllow: /$\n").contains(&"A005"));
        assert!(!of_group("Disallow: /shop/*\nAllow: /shop/$\n").contains(&"A005"));
        assert!(!of_group("Disallow: /bcc\nAllow: *b\n").contains(&"A005"));
        // A prohibition that only some read is not one to be repeated.
        let others = "\nUser-agent: NewsBot\nDisallow: /c\n";
        assert!(of_group(&format!("Disallow: /b\n{others}")).contains(&"R005"));
        assert!(!of_group(&format!("disallow /b\nDisallow: /\nAllow: /\n{others}")).contains(&"R005"));
        // Strict readers take `*b` for nothing, so that the prohibition applies.
        assert!(!of_group("Allow: *b\nDisallow: /b\n").contains(&"R002"));
    }
}
