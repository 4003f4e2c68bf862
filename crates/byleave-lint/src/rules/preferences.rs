//! AI preferences in robots.txt that do not reach a crawler, or that contradict each other (S-40).

use crate::context::{MAX_QUESTIONS, RobotsTxtContext, crawler, excerpt, robots_txt_policy, unnamed_crawler};
use crate::finding::Findings;
use byleave::analysis::source::Span;
use byleave::analysis::vocabulary::Field;
use byleave::analysis::{CrawlerGroup, PreferenceStatement, ROBOTS_TXT, SiteStatements};
use byleave::model::Capabilities;
use byleave::model::{Dialect, Modality, Statement};
use byleave::{Crawler, Outcome, ProposedUse, Usage};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Reports a group that names a crawler but omits a restricting preference of the group for `*`, such as
/// `Content-Signal: ai-train=no`. The named group replaces the group for `*`, including its preferences. A group that
/// has a preference of its own in the same dialect is not reported.
pub(crate) fn dropped_preference(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    let Some((statements, preferences)) = preferences(context) else { return };
    let general = restricting(context, &preferences);
    if general.is_empty() {
        return;
    }
    let named = preferences.iter().flat_map(|one| one.crawlers.iter().map(|name| (one.dialect, name)));
    let own: HashSet<(Dialect, Vec<u8>)> = named.map(|(dialect, name)| (dialect, name.to_ascii_lowercase())).collect();
    let mut comparisons = 0;
    for (number, group) in context.groups().iter().enumerate() {
        // A crawler that several groups name is reported only once.
        let mut names = group.names.iter().zip(&group.spans);
        let Some((name, span)) = names.find(|(name, _)| context.groups_naming(name).first() == Some(&number)) else {
            continue;
        };
        comparisons += general.len() * preferences.len();
        if comparisons > MAX_COMPARISONS {
            return;
        }
        if group.names.contains(&&b"*"[..]) {
            continue;
        }
        let (named, key) = (crawler(name), name.to_ascii_lowercase());
        let is_missed = |one: &&RestrictingPreference<'_>| {
            !own.contains(&(one.preference.dialect, key.clone())) && is_less_restricted(context, one, &named)
        };
        let missed = general.iter().find(is_missed);
        let Some(one) = missed.filter(|one| may_crawl(context, group, &named, &one.path)) else { continue };
        let Some(statement) = statements.get(one.preference.id, one.usage) else { continue };
        let (name, line, text) = (excerpt(name), statement.line, excerpt(&statement.text));
        found
            .at(
                *span,
                format!("`{text}` in line {line} does not apply to `{name}`: this group replaces the group for `*`"),
            )
            .help(format!("repeat it in this group if it should also apply to `{name}`"))
            .related(context.name, statement.span, format!("does not apply to `{name}`"));
    }
}

/// Reports a preference that permits what another preference prohibits for the same crawlers on the same paths.
pub(crate) fn contradictory_preferences(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    contradictory_members(context, found);
    let Some((statements, preferences)) = preferences(context) else { return };
    let mut groups: BTreeMap<PreferenceKey<'_>, Vec<UsageStatement<'_>>> = BTreeMap::new();
    // A licence is a separate document, so its terms are not compared.
    for one in preferences.iter().filter(|one| one.dialect != Dialect::Rsl) {
        let whole: &[u8] = b"/";
        let pattern = one.pattern.filter(|pattern| !matches!(*pattern, b"*" | b"/*")).unwrap_or(whole);
        let stated = one.usages.iter().filter_map(|usage| Some((*usage, statements.get(one.id, usage)?)));
        groups.entry((&one.crawlers, pattern)).or_default().extend(stated);
    }
    for stated in groups.into_values() {
        let mut prohibiting: Vec<(&Usage, &Statement<'_>)> = Vec::new();
        for (usage, statement) in stated.iter().filter(|(_, one)| one.modality == Modality::Prohibition) {
            if !prohibiting.iter().any(|(known, _)| known == usage) {
                prohibiting.push((usage, statement));
            }
        }
        for (usage, permission) in stated.iter().filter(|(_, one)| one.modality == Modality::Permission) {
            let Some((_, other)) = prohibiting.iter().find(|(known, _)| known == usage) else { continue };
            let (name, line) = (usage.name(), other.line);
            found
                .at(
                    permission.span,
                    format!(
                        "this permits `{name}`, but line {line} prohibits it for the same \
                    crawlers on the same paths, and the prohibition wins"
                    ),
                )
                .help("remove the one that you do not want")
                .related(context.name, other.span, "prohibits it");
        }
    }
}

/// The crawlers of a group, and a pattern.
type PreferenceKey<'g> = (&'g [&'g [u8]], &'g [u8]);

/// A usage, and a statement about it.
type UsageStatement<'e> = (&'static Usage, Statement<'e>);

/// Reports a line that gives two values to one label.
fn contradictory_members(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for (line, _) in context.fields().filter(|(_, field)| matches!(field, Field::ContentUsage | Field::ContentSignal)) {
        let mut known: HashMap<&[u8], &[u8]> = HashMap::new();
        let value = context.value(line);
        // A path before the members is not a member.
        let path_end =
            value.iter().position(u8::is_ascii_whitespace).filter(|_| matches!(value.first(), Some(b'/' | b'*')));
        let members = value.get(path_end.unwrap_or(0)..).unwrap_or_default().split(|byte| *byte == b',');
        for member in members {
            let mut parts = member.splitn(2, |byte| *byte == b'=').map(<[u8]>::trim_ascii);
            let (Some(label), Some(value)) = (parts.next(), parts.next()) else { continue };
            let first = *known.entry(label).or_insert(value);
            if first != value {
                let (label, first, value) = (excerpt(label), excerpt(first), excerpt(value));
                let message = format!(
                    "`{label}` has two values, `{first}` and `{value}`, and readers disagree on which one wins"
                );
                found.at(Span::new(line.name.0, line.value.1), message).help("remove one of them");
                break;
            }
        }
    }
}

/// A preference for `*` that restricts a usage on a path.
struct RestrictingPreference<'p> {
    preference: &'p PreferenceStatement<'p>,
    path: String,
    usage: &'static Usage,
    outcome: Outcome,
}

/// Returns the preferences in a robots.txt, or `None` if there are too many names and preferences.
fn preferences<'l>(context: &RobotsTxtContext<'l>) -> Option<(SiteStatements<'l>, Vec<PreferenceStatement<'l>>)> {
    let facts = robots_txt_policy(context.site)?.facts();
    if facts.iter().map(|fact| fact.crawlers.len()).sum::<usize>() > MAX_QUESTIONS {
        return None;
    }
    let statements = SiteStatements::of(context.site, &Capabilities::default());
    let mut preferences = statements.preferences();
    let is_here = |one: &PreferenceStatement<'_>| {
        let statement = one.usages.first().and_then(|usage| statements.get(one.id, usage));
        statement.is_some_and(|statement| statement.document == ROBOTS_TXT)
    };
    preferences.retain(is_here);
    Some((statements, preferences))
}

/// Returns, for each dialect, the first preference for `*` that restricts a crawler that no group names.
fn restricting<'p>(
    context: &RobotsTxtContext<'_>,
    preferences: &'p [PreferenceStatement<'p>],
) -> Vec<RestrictingPreference<'p>> {
    let any = unnamed_crawler();
    let of_any = preferences.iter().filter(|one| one.crawlers.contains(&&b"*"[..])).take(MAX_PREFERENCES);
    let restricts = |preference: &'p PreferenceStatement<'p>| {
        let path = match preference.pattern {
            Some(pattern) => context.witnesses(pattern).into_iter().next()?,
            None => "/".to_owned(),
        };
        let decided = |usage: &'static Usage| {
            (usage, byleave::analysis::decide_unchecked(context.site, &ProposedUse::new(&path, &any, usage)))
        };
        let mut decided = preference.usages.iter().map(|usage| decided(usage));
        let (usage, decision) = decided.find(|(_, decision)| {
            let is_restricted = matches!(decision.outcome, Outcome::Prohibited | Outcome::Conditional);
            is_restricted && decision.reason.statement() == Some(preference.id)
        })?;
        Some(RestrictingPreference { preference, usage, outcome: decision.outcome, path: path.clone() })
    };
    let mut found: Vec<RestrictingPreference<'p>> = Vec::new();
    for preference in of_any {
        if !found.iter().any(|known| known.preference.dialect == preference.dialect) {
            found.extend(restricts(preference));
        }
    }
    found
}

/// Returns whether the engine restricts this crawler less than the preference restricts other crawlers.
fn is_less_restricted(context: &RobotsTxtContext<'_>, one: &RestrictingPreference<'_>, crawler: &Crawler) -> bool {
    let outcome =
        byleave::analysis::decide_unchecked(context.site, &ProposedUse::new(&one.path, crawler, one.usage)).outcome;
    match outcome {
        Outcome::Permitted | Outcome::Unstated => true,
        Outcome::Conditional => one.outcome == Outcome::Prohibited,
        Outcome::Prohibited => false,
    }
}

/// Returns whether the group's crawler may crawl this path or any path that the group permits. A crawler that may crawl
/// nothing needs no preferences.
fn may_crawl<'e>(context: &RobotsTxtContext<'e>, group: &CrawlerGroup<'e>, crawler: &Crawler, path: &str) -> bool {
    let permitting = context.rules_of(group).filter(|rule| context.permits(*rule)).take(MAX_PREFERENCES);
    let mut paths = permitting.flat_map(|rule| context.witnesses(context.pattern(rule)));
    let may = |path: &str| context.crawl(crawler, path).outcome != Outcome::Prohibited;
    may(path) || paths.any(|path| may(&path))
}

/// At most this many preferences for `*`, and this many permissions in a group, are checked.
const MAX_PREFERENCES: usize = 32;
/// At most this many pairs of preferences are compared. The rest of the file is not checked.
const MAX_COMPARISONS: usize = 20_000_000;

#[cfg(test)]
mod tests {
    use crate::{LintInput, Selection, lint};

    fn messages(rule: &str, robots_txt: &str) -> Vec<String> {
        let selection = Selection::new([rule], []).unwrap_or_default();
        let documents = lint(&LintInput::new().with_robots_txt("robots.txt", robots_txt.as_bytes()), &selection);
        documents.into_iter().flat_map(|document| document.findings).map(|finding| finding.message).collect()
    }

    #[test]
    fn s40_a_preference_for_any_crawler_does_not_reach_one_with_a_group_of_its_own() {
        let any = "User-agent: *\nContent-Usage: train-ai=n\nDisallow:\n\n";
        let own = |group: &str| messages("R025", &format!("{any}User-agent: NewsBot\n{group}\n"));
        let expected = "`Content-Usage: train-ai=n` in line 2 does not apply to `NewsBot`: this group replaces the group \
            for `*`";
        assert_eq!(own("Disallow: /drafts/"), [expected]);
        assert_eq!(own("Disallow: /\nAllow: /open/"), [expected]);
        assert_eq!(own("Content-Usage: search=y\nDisallow:"), [""; 0], "it has a preference in that dialect");
        assert_eq!(own("Content-Signal: ai-train=no\nDisallow:"), [""; 0], "it states this in another dialect");
        assert_eq!(own("Disallow: /"), [""; 0], "it may crawl nothing");
        assert_eq!(own("Disallow: *"), [""; 0], "it may crawl nothing");
    }

    #[test]
    fn s40_every_dialect_of_robots_txt_can_be_dropped() {
        for field in ["Content-Signal: /a/ ai-train=no", "DisallowAITraining: /", "License: https://a.example/l.xml"] {
            let robots_txt = format!("User-agent: NewsBot\nDisallow: /b/\n\nUser-agent: *\n{field}\nDisallow:\n");
            assert_eq!(messages("R025", &robots_txt).len(), 1, "{field}");
        }
        let permits = "User-agent: NewsBot\nDisallow: /b/\n\nUser-agent: *\nContent-Signal: search=yes\nDisallow:\n";
        assert_eq!(messages("R025", permits), [""; 0], "nothing is restricted");
        let of_site = "License: https://a.example/l.xml\n\nUser-agent: NewsBot\nDisallow: /b/\n";
        assert_eq!(messages("R025", of_site), [""; 0], "it applies to every crawler");
    }

    #[test]
    fn s31_contradictions_are_reported() {
        let messages_of = |lines: &str| messages("M033", &format!("User-agent: *\n{lines}\nDisallow:\n"));
        let expected = "this permits `train-ai`, but line 2 prohibits it for the same crawlers on the same paths, and \
            the prohibition wins";
        assert_eq!(messages_of("Content-Usage: /a train-ai=n\nContent-Usage: /a train-ai=y"), [expected]);
        assert_eq!(messages_of("DisallowAITraining: /\nContent-Signal: ai-train=yes"), [expected]);
        let expected = "`ai-train` has two values, `no` and `yes`, and readers disagree on which one wins";
        assert_eq!(messages_of("Content-Signal: /a ai-train=no, search=yes, ai-train=yes"), [expected]);
        assert_eq!(messages_of("Content-Usage: /a train-ai=n\nContent-Usage: /b train-ai=y"), [""; 0]);
        assert_eq!(messages_of("Content-Usage: train-ai=n\nContent-Usage: search=y"), [""; 0]);
        assert_eq!(messages_of("License: https://a.example/l.xml\nContent-Usage: search=y"), [""; 0]);
    }
}
