//! Reach: rules in robots.txt that never apply, and prohibitions that bind fewer crawlers than they seem to.

use super::diagnostic_fixes::without_line;
use crate::context::{MAX_QUESTIONS, RobotsTxtContext, RuleEffect, crawler, excerpt, unnamed_crawler};
use crate::finding::{AllowedChange, Findings, Fix, Safety};
use byleave::analysis::robots_txt::Line;
use byleave::analysis::source::Span;
use byleave::analysis::vocabulary::{Field, Role};
use byleave::analysis::{CrawlerGroup, SiteStatements};
use byleave::model::Modality;
use byleave::model::{BoundBy, Capabilities};
use byleave::{Outcome, ProposedUse, Reason, Usage};
use std::collections::{BTreeMap, HashMap};

/// Reports a permission that never applies, because a prohibition matches all its paths and wins.
pub(crate) fn shadowed_permission(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    each_shadowed(context, |rule, winner| {
        if context.permits(rule) && !context.permits(winner) {
            let (pattern, line) = (excerpt(context.pattern(rule)), context.line_of(winner));
            let message =
                format!("this permission never applies: line {line} prohibits everything that `{pattern}` matches");
            let longer = excerpt(context.pattern(winner));
            found
                .at(context.span(rule), message)
                .help(format!("the longer pattern wins: make this one longer than `{longer}`, or shorten that one"))
                .related(context.name, context.span(winner), "wins because its pattern is longer");
        }
    });
}

/// Reports a prohibition that never applies, because a permission matches all its paths and wins.
pub(crate) fn shadowed_prohibition(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    each_shadowed(context, |rule, winner| {
        if !context.permits(rule) && context.permits(winner) {
            let (pattern, line) = (excerpt(context.pattern(rule)), context.line_of(winner));
            let message =
                format!("this prohibition never applies: line {line} permits everything that `{pattern}` matches");
            let is_equal = context.pattern(rule).len() == context.pattern(winner).len();
            let (help, label) = if is_equal {
                (
                    "if patterns are equally long, the permission wins: remove one of the two",
                    "wins because it is a permission",
                )
            } else {
                ("the longer pattern wins: remove the permission, or shorten it", "wins because its pattern is longer")
            };
            found.at(context.span(rule), message).help(help).related(context.name, context.span(winner), label);
        }
    });
}

/// Reports an ACAP permission that never applies. Wherever it matches, a prohibition on the same usage matches too, and
/// the permission is not narrower.
pub(crate) fn void_permission(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let statements = SiteStatements::of(context.site, &Capabilities::default());
    for field in context.acap() {
        if field.statement.modality != Modality::Permission {
            continue;
        }
        let paths = context.witnesses(field.pattern);
        let asked = field.usages.iter().flat_map(|usage| field.crawlers.iter().map(move |crawler| (*usage, crawler)));
        let asked = asked.flat_map(|(usage, crawler)| paths.iter().map(move |path| (usage, crawler, path)));
        let mut winner = None;
        let mut loses = asked.map(|(usage, crawler, path)| {
            let decision = byleave::analysis::decide_unchecked(context.site, &ProposedUse::new(path, crawler, usage));
            let decided = decision.reason.statement();
            winner = winner.or(decided.map(|id| (id, usage)));
            decision.outcome == Outcome::Prohibited && decided != Some(field.statement.id)
        });
        if !paths.is_empty()
            && loses.all(|loses| loses)
            && let Some(winner) = winner.and_then(|(id, usage)| statements.get(id, usage))
        {
            let (pattern, line) = (excerpt(field.pattern), winner.line);
            found
                .at(field.statement.span, format!("this permission never applies: line {line} prohibits the same usage, and `{pattern}` is not a narrower pattern"))
                .help("in ACAP, the narrower pattern wins; if neither is narrower, the prohibition wins: narrow this \
                    pattern, or remove one of the two")
                .related(context.name, winner.span, "prohibits it");
        }
    }
}

/// Reports a rule that repeats another rule for the same crawlers.
pub(crate) fn repeated_rule(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let mut first_of = HashMap::new();
    let mut again = BTreeMap::new();
    for rule in 0..context.rules.len() {
        let key = (context.group_of(rule), context.permits(rule), context.pattern(rule));
        let first = *first_of.entry(key).or_insert(rule);
        if first != rule {
            again.insert(rule, first);
        }
    }
    // Groups that name the same crawlers may repeat each other's rules.
    each_shadowed(context, |rule, winner| {
        if context.permits(rule) == context.permits(winner) && context.pattern(rule) == context.pattern(winner) {
            // When two rules are identical, report the later one.
            let (first, later) =
                if context.span(winner) < context.span(rule) { (winner, rule) } else { (rule, winner) };
            again.entry(later).or_insert(first);
        }
    });
    for (later, first) in again {
        found
            .at(context.span(later), format!("this repeats line {} for the same crawlers", context.line_of(first)))
            .help("remove one of them")
            .related(context.name, context.span(first), "the first of the two")
            .fix(Safety::Safe, context.without(later));
    }
    repeated_acap(context, found);
}

/// Reports an ACAP field that repeats another ACAP field for the same crawlers.
fn repeated_acap(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let statements = SiteStatements::of(context.site, &Capabilities::default());
    let mut first_of = HashMap::new();
    for one in statements.acap() {
        let read = one.usages.first().and_then(|usage| statements.get(one.id, usage));
        let Some(statement) = read.filter(|statement| statement.document == byleave::analysis::ROBOTS_TXT) else {
            continue;
        };
        let (span, line) = (statement.span, statement.line);
        let key = (one.crawlers, statement.purposes, statement.text);
        let (first, at) = *first_of.entry(key).or_insert((span, line));
        if first != span {
            found
                .at(span, format!("this repeats line {at} for the same crawlers"))
                .help("remove one of them")
                .related(context.name, first, "the first of the two")
                .fix(Safety::Safe, context.line_at(span).and_then(without_line));
        }
    }
}

/// Reports a rule that never decides, because another rule of the same kind matches all its paths and wins.
pub(crate) fn covered_rule(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    each_shadowed(context, |rule, winner| {
        let (pattern, other) = (context.pattern(rule), context.pattern(winner));
        // A `*` at the end of a pattern is reported by another rule (A001).
        let is_starred = other.strip_suffix(b"*") == Some(pattern);
        // Two spellings of one pattern may be intended for crawlers that do not normalize patterns.
        let has_escapes = |pattern: &[u8]| pattern.iter().any(|byte| *byte == b'%' || !byte.is_ascii_graphic());
        let is_plain = !has_escapes(pattern) && !has_escapes(other);
        if context.permits(rule) == context.permits(winner) && pattern != other && !is_starred && is_plain {
            let (pattern, line) = (excerpt(pattern), context.line_of(winner));
            found
                .at(
                    context.span(rule),
                    format!("this rule has no effect: line {line} covers everything that `{pattern}` matches"),
                )
                .help("remove it, unless it is meant for human readers")
                .related(context.name, context.span(winner), "covers it")
                .fix(Safety::Safe, context.without(rule));
        }
    });
}

/// Returns the length of a pattern without a final `$`, which some readers do not count.
pub(super) fn min_length(pattern: &[u8]) -> usize {
    pattern.strip_suffix(b"$").unwrap_or(pattern).len()
}

/// Calls `visit` with each rule that never decides, and with the rule that wins against it.
fn each_shadowed(context: &RobotsTxtContext<'_>, mut visit: impl FnMut(usize, usize)) {
    for rule in 0..context.rules.len() {
        if let Some(RuleEffect::ShadowedBy(winner)) = context.effect(rule) {
            // Strict readers ignore a pattern that begins with `*`, so for them such a rule never wins.
            let is_repeated = context.pattern(rule) == context.pattern(winner);
            if is_repeated || !context.pattern(winner).starts_with(b"*") {
                visit(rule, winner);
            }
        }
    }
}

/// Reports a group that restricts the crawlers it names but omits prohibitions from the group for `*`. RFC 9309,
/// section 2.2.1: groups for `*` bind a crawler only if no group names it.
pub(crate) fn dropped_prohibition(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let any = unnamed_crawler();
    let mut general: Vec<(usize, String)> = Vec::new();
    for group in context.groups().iter().filter(|group| group.names.contains(&&b"*"[..])) {
        // If the whole site is closed to other crawlers, a group for one crawler is an intended exception.
        let is_part = |rule: &usize| !matches!(context.pattern(*rule), b"/" | b"/*" | b"*");
        for rule in context.rules_of(group).filter(|rule| !context.permits(*rule)).filter(is_part) {
            if let Some(path) = context.witnesses(context.pattern(rule)).into_iter().next() {
                // A prohibition is considered only if it binds other crawlers in the default reading and in `rfc9309`.
                let is_plain = || {
                    let proposed = ProposedUse::new(&path, &any, &Usage::Crawl);
                    byleave::analysis::decide_unchecked(context.plain(), &proposed).outcome == Outcome::Prohibited
                };
                let winner = context.crawl(&any, &path).reason.statement();
                if winner == context.rules.get(rule).map(|rule| rule.id) && is_plain() {
                    general.push((rule, path));
                }
            }
        }
    }
    let mut questions = 0;
    for (number, group) in context.groups().iter().enumerate() {
        let restricts = context.rules_of(group).any(|rule| !context.permits(rule));
        // A crawler that several groups name is reported only once.
        let mut names = group.names.iter().zip(&group.spans);
        let Some((name, span)) = names.find(|(name, _)| context.groups_naming(name).first() == Some(&number)) else {
            continue;
        };
        if !restricts || group.names.contains(&&b"*"[..]) {
            continue;
        }
        questions += general.len();
        if questions > MAX_QUESTIONS {
            return;
        }
        let named = crawler(name);
        let missed: Vec<usize> = general
            .iter()
            .filter(|(_, path)| {
                let decision = context.crawl(&named, path);
                decision.outcome == Outcome::Permitted && decision.reason == Reason::NoRuleMatches(BoundBy::Named)
            })
            .map(|(rule, _)| *rule)
            .collect();
        if let Some(rule) = missed.first() {
            let (name, pattern) = (excerpt(name), excerpt(context.pattern(*rule)));
            let what = match missed.len() {
                1 => format!("`{pattern}`, which line {} prohibits for `*`", context.line_of(*rule)),
                count => format!("paths that {count} lines prohibit for `*`, such as `{pattern}`"),
            };
            found
                .at(*span, format!("`{name}` may crawl {what}: this group replaces the group for `*`"))
                .help(format!(
                    "`{name}` ignores the rules for `*`; copy those that should also apply to it into its group"
                ))
                .related(context.name, context.span(*rule), format!("does not bind `{name}`"))
                .with_fix(repeated_in(context, group, &missed));
        }
    }
}

/// Returns the fix that repeats these rules after the last rule of a group.
fn repeated_in<'e>(context: &RobotsTxtContext<'e>, group: &CrawlerGroup<'e>, rules: &[usize]) -> Option<Fix> {
    let last = context.rules_of(group).map(|rule| context.span(rule)).max()?;
    let lines = rules.iter().map(|rule| String::from_utf8(context.pattern(*rule).to_vec()).ok());
    let lines: Vec<String> = lines.map(|pattern| Some(format!("Disallow: {}", pattern?))).collect::<Option<_>>()?;
    let end = String::from_utf8_lossy(context.line_end());
    let names: Vec<String> = group.names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let whom = names.iter().map(|name| format!("`{}`", excerpt(name.as_bytes()))).collect::<Vec<_>>().join(", ");
    let safety = Safety::Suggested {
        effect: format!("these prohibitions for `*` will then also bind {whom}"),
        allowed: AllowedChange::Crawlers(names, Outcome::Prohibited),
    };
    Fix::new(safety, [context.line_after(context.line_at(last)?, &lines.join(&end))])
}

/// A `User-agent` line, the `User-agent` line above it, and the first group field between them.
type MergedLines<'l> = (&'l Line, &'l Line, Option<(&'l Line, Field)>);

/// Reports a `User-agent` line that joins the group above it, although a blank line, a comment or a field separates
/// them.
pub(crate) fn merged_group(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let mut names: Option<(&Line, &Line)> = None;
    let mut between: Option<(&Line, Field)> = None;
    // Crawler names that only preferences separate share the rules below, but not the preferences (S-40). So they are
    // reported only if a rule follows.
    let mut separated: Vec<MergedLines<'_>> = Vec::new();
    for (line, field) in context.fields() {
        match field.role() {
            Role::Names => {
                if let Some((first, last)) = names {
                    let gap = context.text.get(last.next..line.start).unwrap_or_default();
                    let is_apart = between.is_some() || gap.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
                    // If the line repeats the name above it, no other crawler joins the group.
                    if is_apart && !context.value(last).eq_ignore_ascii_case(context.value(line)) {
                        match between {
                            Some((_, field)) if field.is_preference() => separated.push((line, last, between)),
                            _ => report_merged(context, found, line, last, between),
                        }
                    }
                    names = Some((first, line));
                } else {
                    names = Some((line, line));
                }
                between = None;
            }
            Role::Rule => {
                for (line, last, between) in separated.drain(..) {
                    report_merged(context, found, line, last, between);
                }
                (names, between) = (None, None);
            }
            Role::AcapNames => {
                separated.clear();
                (names, between) = (None, None);
            }
            Role::GroupFact => between = between.or(Some((line, field))),
            Role::SiteFact | Role::Acap => {}
            _ => {}
        }
    }
}

fn report_merged(
    context: &RobotsTxtContext<'_>,
    found: &mut Findings,
    line: &Line,
    last: &Line,
    between: Option<(&Line, Field)>,
) {
    let (above, name) = (excerpt(context.value(last)), excerpt(context.value(line)));
    let at = context.line(Span::new(last.name.0, last.value.1));
    let span = Span::new(line.name.0, line.value.1);
    let what = if between.is_some_and(|(_, field)| field.is_preference()) { "the rules below" } else { "one group" };
    let message = format!("there is no rule between line {at} and this line, so `{above}` and `{name}` share {what}");
    let help = format!(
        "if `{above}` may crawl everything, add an empty `Disallow:` below it; otherwise put the two lines together"
    );
    let reported = found.at(span, message).help(help);
    if let Some((between, field)) = between {
        let why = if field.is_preference() {
            "not a rule in RFC 9309"
        } else {
            "not a rule, so it does not end the list of crawler names"
        };
        reported.related(context.name, Span::new(between.name.0, between.value.1), why);
    }
}

/// Reports a `$` inside a conventional pattern, where it is an ordinary character, if the text after it suggests that
/// the end of the path was intended. A `$` among letters is accepted as a dollar sign.
pub(crate) fn dollar_inside(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for rule in 0..context.rules.len() {
        let pattern = context.pattern(rule);
        let body = pattern.strip_suffix(b"$").unwrap_or(pattern);
        let is_end = |(at, byte): (usize, &u8)| {
            let is_odd = |next: &u8| b"*$?&|\"' \t".contains(next) || !next.is_ascii();
            // If there are several `$`, only the last one means the end of the path.
            *byte == b'$' && body.get(at + 1).map_or(pattern.len() > body.len(), is_odd)
        };
        if body.iter().enumerate().any(is_end) {
            let pattern = excerpt(pattern);
            found
                .at(
                    context.span(rule),
                    format!(
                        "`$` means the end of the path only as the last character; here, `{pattern}` requires a \
                         dollar sign"
                    ),
                )
                .help("end the pattern at the `$`, or write `%24` if you want a dollar sign");
        }
    }
}

/// Reports a `#` directly after a pattern. It begins a comment, so the pattern is shorter than it looks.
pub(crate) fn cut_pattern(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for (line, field) in context.fields() {
        // A space after the `#` shows that a comment is intended.
        let is_fragment =
            context.text.get(line.comment + 1).is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'#');
        let is_cut = matches!(context.value(line).first(), Some(b'/' | b'*'))
            && line.comment == line.value.1
            && line.comment + 1 < line.end
            && is_fragment;
        if field.role() == Role::Rule && is_cut {
            let (pattern, rest) = (excerpt(context.value(line)), Span::new(line.comment, line.end));
            found
                .at(rest, format!("`#` begins a comment, so this rule matches every path that begins with `{pattern}`"))
                .help("fragments are never sent to a server; remove it, or write `%23` if the path contains a `#`");
        }
    }
}

/// Reports a prohibition on robots.txt itself, which crawlers may always fetch.
pub(crate) fn prohibited_robots_txt(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for rule in (0..context.rules.len()).filter(|rule| !context.permits(*rule)) {
        let pattern = context.pattern(rule);
        if matches!(pattern, b"/robots.txt" | b"/robots.txt$" | b"/robots.txt*")
            && context.crawl(&unnamed_crawler(), "/robots.txt").reason == Reason::RobotsTxtItself
        {
            found
                .at(context.span(rule), "this prohibition has no effect: robots.txt itself may always be crawled")
                .help("remove it; a crawler that may not fetch robots.txt could not obey it");
        }
    }
}
