//! Divergence: text that is interpreted differently by Google's parser, strict RFC 9309 parsers or ACAP readers.
//!
//! Most findings are based on a question that the engine answers differently in two readings.

use crate::context::{RobotsTxtContext, excerpt, robots_txt_policy};
use crate::finding::{AllowedChange, Edit, Findings, Fix, Safety};
use crate::witness::{decoded, escaped, must_be_escaped, unreserved_character};
use byleave::analysis::source::Span;
use byleave::analysis::vocabulary::{Field, Role};
use byleave::model::Modality;
use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage};
use std::collections::HashSet;

/// Reports a field whose name begins with `Allow`, `Disallow` or `User-agent`. Google's parser reads it as that field.
pub(crate) fn prefix_field(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for (line, _) in context.fields().filter(|(_, field)| *field == Field::UserAgentPurpose) {
        let (name, value) =
            (excerpt(context.text.get(line.name.0..line.name.1).unwrap_or_default()), excerpt(context.value(line)));
        found
            .at(
                Span::new(line.name.0, line.value.1),
                format!("Google's parser reads `{name}` as `User-agent`, so `{value}` becomes a crawler's name"),
            )
            .help("put it directly after the `User-agent` lines of its group, where an extra name does no harm");
    }
    let Some(policy) = robots_txt_policy(context.google()) else { return };
    let ours: HashSet<Span> = context.rules.iter().map(|rule| rule.span).collect();
    let mut reported = HashSet::new();
    for rule in policy.statements().iter().filter(|rule| !ours.contains(&rule.span)) {
        let line = context.line_at(rule.span).map_or((0, 0), |line| line.name);
        let name = context.text.get(line.0..line.1).unwrap_or_default();
        let is_exact = matches!(Field::named(name).map(Field::role), Some(Role::Rule));
        if !is_exact && reported.insert(rule.span) {
            let field = if rule.modality == Modality::Permission { "Allow" } else { "Disallow" };
            let name = excerpt(name);
            found
                .at(
                    rule.span,
                    format!(
                        "Google's parser reads `{name}` as `{field}`, because the name begins with it; other parsers \
                         do not"
                    ),
                )
                .help(format!(
                    "if it is about crawling, write `{field}`; otherwise use a name that does not begin with `{field}`"
                ));
        }
    }
}

/// Reports a permission for an index page, which Google's parser extends to the folder.
pub(crate) fn index_page_permission(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for rule in (0..context.rules.len()).filter(|rule| context.permits(*rule)) {
        let Ok(pattern) = std::str::from_utf8(context.pattern(rule)) else { continue };
        let Some((folder, page)) = pattern.rsplit_once('/') else { continue };
        if page.starts_with("index.htm") && !folder.contains('*') {
            let folder = format!("{folder}/");
            if differs(context, context.google(), &folder) {
                found
                    .at(
                        context.span(rule),
                        format!("Google's parser applies this permission to `{folder}` too; other parsers do not"),
                    )
                    .help(format!("to permit both for every crawler, add `Allow: {folder}$`"));
            }
        }
    }
}

/// Reports an escape for a character that needs none. Google's parser does not decode such escapes.
pub(crate) fn needless_escape(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for rule in 0..context.rules.len() {
        let pattern = context.pattern(rule);
        let Some((escape, letter)) = first_escape(pattern) else { continue };
        let decoded = decoded(pattern);
        if context.witnesses(&decoded).iter().any(|path| differs(context, context.google(), path)) {
            let (escape, letter) = (excerpt(escape), char::from(letter));
            found
                .at(context.span(rule), format!("`{escape}` encodes `{letter}`, but Google's parser does not decode it, so for Google this rule does not match `{letter}`"))
                .help(format!("write `{}`", excerpt(&decoded)))
                .with_fix(for_google(context, rule, decoded));
        }
    }
}

/// Reports a character that must be escaped in URLs. Google's parser compares it unescaped.
pub(crate) fn raw_character(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for rule in 0..context.rules.len() {
        let pattern = context.pattern(rule);
        let Some(raw) = pattern.iter().copied().find(|byte| must_be_escaped(*byte)) else { continue };
        let escaped = escaped(pattern);
        if context.witnesses(&escaped).iter().any(|path| differs(context, context.google(), path)) {
            // A space next to a slash is most likely a typing error, but only the publisher knows.
            let is_slip = pattern.windows(2).any(|two| two == b"/ " || two == b" /");
            let fix = if is_slip { None } else { for_google(context, rule, escaped.clone()) };
            let help = match raw {
                b' ' => format!("remove the space, or write `{}` if it is intended", excerpt(&escaped)),
                _ => format!("write `{}`", excerpt(&escaped)),
            };
            let what = if raw == b' ' { "a space".to_owned() } else { format!("`{}`", char::from(raw)) };
            found
                .at(
                    context.span(rule),
                    format!(
                        "URLs contain {what} only as `%{raw:02X}`, which this pattern does not match in Google's \
                         parser"
                    ),
                )
                .help(help)
                .with_fix(fix);
        }
    }
}

/// Returns the fix that rewrites a pattern so that Google's parser interprets it as other parsers do.
fn for_google(context: &RobotsTxtContext<'_>, rule: usize, pattern: Vec<u8>) -> Option<Fix> {
    let line = context.line_at(context.span(rule))?;
    let effect = "Google's parser will then apply the rule as other crawlers do".to_owned();
    let safety = Safety::Suggested { effect, allowed: AllowedChange::Readings(&[Reading::Google]) };
    Fix::new(safety, [Edit::new(line.value.0, line.value.1, pattern)])
}

/// Reports a crawler that several groups name. RFC 9309 merges the groups, but some parsers obey only the first.
pub(crate) fn split_group(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let mut first: std::collections::HashMap<Vec<u8>, (usize, Span)> = std::collections::HashMap::new();
    for (number, group) in context.groups().iter().enumerate() {
        for (name, span) in group.names.iter().zip(&group.spans) {
            let (known, place) = *first.entry(name.to_ascii_lowercase()).or_insert((number, *span));
            if known != number {
                let (line, name) = (context.line(place), excerpt(name));
                found
                    .at(
                        *span,
                        format!(
                            "`{name}` already has a group in line {line}; RFC 9309 merges the groups, but some \
                             crawlers obey only the first"
                        ),
                    )
                    .help("put the rules of both groups into one")
                    .related(context.name, place, "its first group");
            }
        }
    }
}

/// Reports a delay so long that some crawlers treat it as a prohibition.
pub(crate) fn long_delay(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for (line, field) in context.fields().filter(|(_, field)| *field == Field::CrawlDelay) {
        let value = std::str::from_utf8(context.value(line)).ok().and_then(|value| value.parse::<f64>().ok());
        if let Some(seconds) = value.filter(|seconds| seconds.is_finite() && *seconds > MAX_DELAY) {
            let span = Span::new(line.name.0, line.value.1);
            found
                .at(
                    span,
                    format!(
                        "some crawlers treat a delay of more than 300 seconds (here {seconds}) as a \
                    prohibition of the whole site, and Google ignores `{}`",
                        field.name()
                    ),
                )
                .help("use a delay of a few seconds, or prohibit the paths that crawlers should not visit");
        }
    }
}

/// Above this delay, crawler-commons and the crawlers that use it skip the whole site.
const MAX_DELAY: f64 = 300.0;

/// Reports an ACAP prohibition on crawling paths that no conventional rule prohibits.
pub(crate) fn acap_only_prohibition(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    each_acap_difference(context, |span, pattern, ours| {
        if ours == Outcome::Prohibited {
            found
                .at(
                    span,
                    format!("only crawlers that read ACAP obey this: no `Disallow` prohibits `{pattern}` for others"),
                )
                .help(format!("add `Disallow: {pattern}` to the groups for the same crawlers"));
        }
    });
}

/// Reports an ACAP permission to crawl paths that a conventional rule prohibits.
pub(crate) fn acap_only_permission(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    each_acap_difference(context, |span, pattern, ours| {
        if ours != Outcome::Prohibited {
            found
                .at(
                    span,
                    format!("only crawlers that read ACAP may crawl `{pattern}`: a `Disallow` prohibits it for others"),
                )
                .help(format!("add `Allow: {pattern}`, or prohibit it in ACAP too"));
        }
    });
}

/// Calls `visit` with the span, pattern and outcome of each ACAP field about crawling that contradicts the conventional
/// rules.
fn each_acap_difference(context: &RobotsTxtContext<'_>, mut visit: impl FnMut(Span, String, Outcome)) {
    for field in context.acap().iter().filter(|field| field.usages.contains(&&Usage::Crawl)) {
        let paths = context.witnesses(field.pattern);
        let asked = field.crawlers.iter().flat_map(|crawler| paths.iter().map(move |path| (crawler, path)));
        let differing = asked.filter_map(|(crawler, path)| {
            let (ours, theirs) = (context.crawl(crawler, path), crawl_outcome(context.plain(), crawler, path));
            let is_this = ours.reason.statement() == Some(field.statement.id);
            let differs = (ours.outcome == Outcome::Prohibited) != (theirs == Outcome::Prohibited);
            (is_this && differs).then_some(ours.outcome)
        });
        if let Some(ours) = differing.take(1).next() {
            visit(field.statement.span, excerpt(field.pattern), ours);
        }
    }
}

/// Returns whether the default reading and another reading decide differently for some crawler in the file.
fn differs(context: &RobotsTxtContext<'_>, other: &Site<'_>, path: &str) -> bool {
    let groups = (0..context.groups().len()).flat_map(|group| context.crawlers(group));
    groups.take(MAX_CRAWLERS).any(|crawler| {
        let ours = context.crawl(&crawler, path).outcome == Outcome::Prohibited;
        ours != (crawl_outcome(other, &crawler, path) == Outcome::Prohibited)
    })
}

fn crawl_outcome(site: &Site<'_>, crawler: &Crawler, path: &str) -> Outcome {
    byleave::analysis::decide_unchecked(site, &ProposedUse::new(path, crawler, &Usage::Crawl)).outcome
}

/// Returns the first escape of an unreserved character, and the character.
fn first_escape(pattern: &[u8]) -> Option<(&[u8], u8)> {
    pattern.windows(3).find_map(|escape| Some((escape, unreserved_character(escape)?)))
}

/// At most this many crawlers per file are tested for a pattern.
const MAX_CRAWLERS: usize = 32;

#[cfg(test)]
mod tests {
    use crate::{LintInput, Selection, lint};

    /// Returns the lines that D006 reports.
    fn found(text: &str) -> Vec<&str> {
        let input = LintInput::new().with_robots_txt("robots.txt", text.as_bytes());
        let documents = lint(&input, &Selection::everything());
        let findings = documents.iter().flat_map(|document| &document.findings);
        findings.filter(|finding| finding.rule.code == "D006").filter_map(|one| text.get(one.span.range())).collect()
    }

    #[test]
    fn a_field_that_begins_like_another_is_reported() {
        let text = "User-agent: *\nUser-agent-purpose: training\nDisallow: /\nAllowed: /a\n";
        assert_eq!(found(text), ["User-agent-purpose: training", "Allowed: /a"]);
        assert!(found("User-agent: *\nUser agent: a\nDisallow: /\n").is_empty());
    }
}
