//! Preferences of robots.txt in today's dialects that do not reach a crawler, or say two things at once (S-40).

use crate::finding::Findings;
use crate::look::{MOST_QUESTIONS, OfRobotsTxt, crawler, policy_of, shown, unnamed};
use byleave::model::{Dialect, Modality, Statement};
use byleave::source::Span;
use byleave::vocabulary::Field;
use byleave::{
    Capabilities, Crawler, CrawlerGroup, EvidenceStatements, Outcome, PreferenceStatement, ProposedUse, ROBOTS_TXT,
    Usage,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A group that names crawlers and says nothing in a dialect in which the group for `*` restricts something: it
/// replaces that group, with its preferences.
pub(crate) fn dropped_preference(look: &OfRobotsTxt<'_>, found: &mut Findings) {
    let Some((statements, preferences)) = preferences(look) else { return };
    let general = restricting(look, &preferences);
    if general.is_empty() {
        return;
    }
    let named = preferences.iter().flat_map(|one| one.crawlers.iter().map(|name| (one.dialect, name)));
    let own: HashSet<(Dialect, Vec<u8>)> = named.map(|(dialect, name)| (dialect, name.to_ascii_lowercase())).collect();
    let mut looks = 0;
    for (number, group) in look.groups().iter().enumerate() {
        // A crawler that several groups name is told of once.
        let mut names = group.names.iter().zip(&group.spans);
        let Some((name, span)) = names.find(|(name, _)| look.naming(name).first() == Some(&number)) else { continue };
        looks += general.len() * preferences.len();
        if looks > MOST_LOOKS {
            return;
        }
        if group.names.contains(&&b"*"[..]) {
            continue;
        }
        let (named, key) = (crawler(name), name.to_ascii_lowercase());
        let is_missed = |one: &&Restricting<'_>| {
            !own.contains(&(one.preference.dialect, key.clone())) && is_looser(look, one, &named)
        };
        let missed = general.iter().find(is_missed);
        let Some(one) = missed.filter(|one| may_crawl(look, group, &named, &one.path)) else { continue };
        let Some(statement) = statements.get(one.preference.id, one.usage) else { continue };
        let (name, line, text) = (shown(name), statement.line, shown(&statement.text));
        found
            .at(*span, format!("what line {line} (`{text}`) says to `*` does not reach `{name}`: a group of its own replaces the one for `*`"))
            .help(format!("repeat it in this group, if it is meant for `{name}` too"))
            .also(look.name, statement.span, format!("is not for `{name}`"));
    }
}

/// A preference that permits what another prohibits to the same crawlers on the same paths.
pub(crate) fn contradictory_preferences(look: &OfRobotsTxt<'_>, found: &mut Findings) {
    contradictory_members(look, found);
    let Some((statements, preferences)) = preferences(look) else { return };
    let mut groups: BTreeMap<Group<'_>, Vec<Spoken<'_>>> = BTreeMap::new();
    // A licence says what it says where it is.
    for one in preferences.iter().filter(|one| one.dialect != Dialect::Rsl) {
        let whole: &[u8] = b"/";
        let pattern = one.pattern.filter(|pattern| !matches!(*pattern, b"*" | b"/*")).unwrap_or(whole);
        let said = one.usages.iter().filter_map(|usage| Some((*usage, statements.get(one.id, usage)?)));
        groups.entry((&one.crawlers, pattern)).or_default().extend(said);
    }
    for said in groups.into_values() {
        let mut prohibiting: Vec<(&Usage, &Statement<'_>)> = Vec::new();
        for (usage, statement) in said.iter().filter(|(_, one)| one.modality == Modality::Prohibition) {
            if !prohibiting.iter().any(|(known, _)| known == usage) {
                prohibiting.push((usage, statement));
            }
        }
        for (usage, permission) in said.iter().filter(|(_, one)| one.modality == Modality::Permission) {
            let Some((_, other)) = prohibiting.iter().find(|(known, _)| known == usage) else { continue };
            let (name, line) = (usage.name(), other.line);
            found
                .at(permission.span, format!("this permits `{name}`, which line {line} prohibits to the same crawlers on the same paths: the prohibition counts"))
                .help("remove the one that is not meant")
                .also(look.name, other.span, "prohibits it");
        }
    }
}

/// The crawlers of a group, and a pattern.
type Group<'g> = (&'g [&'g [u8]], &'g [u8]);

/// What a statement says of a usage.
type Spoken<'e> = (&'static Usage, Statement<'e>);

/// The same within one line: a word that has two values.
fn contradictory_members(look: &OfRobotsTxt<'_>, found: &mut Findings) {
    for (line, _) in look.fields().filter(|(_, field)| matches!(field, Field::ContentUsage | Field::ContentSignal)) {
        let mut known: HashMap<&[u8], &[u8]> = HashMap::new();
        let value = look.value(line);
        // The path before the words has none of them.
        let words =
            value.iter().position(u8::is_ascii_whitespace).filter(|_| matches!(value.first(), Some(b'/' | b'*')));
        let members = value.get(words.unwrap_or(0)..).unwrap_or_default().split(|byte| *byte == b',');
        for member in members {
            let mut parts = member.splitn(2, |byte| *byte == b'=').map(<[u8]>::trim_ascii);
            let (Some(word), Some(said)) = (parts.next(), parts.next()) else { continue };
            let first = *known.entry(word).or_insert(said);
            if first != said {
                let (word, first, said) = (shown(word), shown(first), shown(said));
                let message =
                    format!("this says both `{first}` and `{said}` of `{word}`, and readers take one or the other");
                found.at(Span::new(line.name.0, line.value.1), message).help("say one of both");
                break;
            }
        }
    }
}

/// A preference for `*` that restricts a usage of a path.
struct Restricting<'p> {
    preference: &'p PreferenceStatement<'p>,
    path: String,
    usage: &'static Usage,
    outcome: Outcome,
}

/// The preferences of a robots.txt; nothing where names and preferences are too many.
fn preferences<'l>(look: &OfRobotsTxt<'l>) -> Option<(EvidenceStatements<'l>, Vec<PreferenceStatement<'l>>)> {
    let facts = policy_of(look.evidence)?.facts();
    if facts.iter().map(|fact| fact.crawlers.len()).sum::<usize>() > MOST_QUESTIONS {
        return None;
    }
    let statements = EvidenceStatements::of(look.evidence, &Capabilities::default());
    let mut preferences = statements.preferences();
    let is_here = |one: &PreferenceStatement<'_>| {
        let statement = one.usages.first().and_then(|usage| statements.get(one.id, usage));
        statement.is_some_and(|statement| statement.document == ROBOTS_TXT)
    };
    preferences.retain(is_here);
    Some((statements, preferences))
}

/// Of the preferences for `*` the first of each dialect by which something is restricted to a crawler that no group
/// names.
fn restricting<'p>(look: &OfRobotsTxt<'_>, preferences: &'p [PreferenceStatement<'p>]) -> Vec<Restricting<'p>> {
    let any = unnamed();
    let of_any = preferences.iter().filter(|one| one.crawlers.contains(&&b"*"[..])).take(MOST_PREFERENCES);
    let restricts = |preference: &'p PreferenceStatement<'p>| {
        let path = match preference.pattern {
            Some(pattern) => look.witnesses(pattern).into_iter().next()?,
            None => "/".to_owned(),
        };
        let decided =
            |usage: &'static Usage| (usage, byleave::decide(look.evidence, &ProposedUse::new(&path, &any, usage)));
        let mut decided = preference.usages.iter().map(|usage| decided(usage));
        let (usage, decision) = decided.find(|(_, decision)| {
            let is_restricted = matches!(decision.outcome, Outcome::Prohibited | Outcome::Conditional);
            is_restricted && decision.reason.statement() == Some(preference.id)
        })?;
        Some(Restricting { preference, usage, outcome: decision.outcome, path: path.clone() })
    };
    let mut found: Vec<Restricting<'p>> = Vec::new();
    for preference in of_any {
        if !found.iter().any(|known| known.preference.dialect == preference.dialect) {
            found.extend(restricts(preference));
        }
    }
    found
}

/// Whether a crawler may do what a preference restricts to others.
fn is_looser(look: &OfRobotsTxt<'_>, one: &Restricting<'_>, crawler: &Crawler) -> bool {
    let outcome = byleave::decide(look.evidence, &ProposedUse::new(&one.path, crawler, one.usage)).outcome;
    match outcome {
        Outcome::Permitted | Outcome::Unstated => true,
        Outcome::Conditional => one.outcome == Outcome::Prohibited,
        Outcome::Prohibited => false,
    }
}

/// Whether the crawler of a group may crawl this path, or something that a line of the group permits: who may crawl
/// nothing needs no preferences.
fn may_crawl<'e>(look: &OfRobotsTxt<'e>, group: &CrawlerGroup<'e>, crawler: &Crawler, path: &str) -> bool {
    let permitting = look.rules_of(group).filter(|rule| look.permits(*rule)).take(MOST_PREFERENCES);
    let mut paths = permitting.flat_map(|rule| look.witnesses(look.pattern(rule)));
    let may = |path: &str| look.crawl(crawler, path).outcome != Outcome::Prohibited;
    may(path) || paths.any(|path| may(&path))
}

/// More preferences for `*` than these, or more permissions of a group, are not looked at.
const MOST_PREFERENCES: usize = 32;
/// More looks at preferences than this are not taken; the rest of the file is not judged.
const MOST_LOOKS: usize = 20_000_000;

#[cfg(test)]
mod tests {
    use crate::{Selection, Site, lint};

    fn found(rule: &str, robots_txt: &str) -> Vec<String> {
        let selection = Selection::new([rule], []).unwrap_or_default();
        let documents = lint(&Site::new().with_robots_txt("robots.txt", robots_txt.as_bytes()), &selection);
        documents.into_iter().flat_map(|document| document.findings).map(|finding| finding.message).collect()
    }

    #[test]
    fn s40_a_preference_for_any_crawler_does_not_reach_one_with_a_group_of_its_own() {
        let any = "User-agent: *\nContent-Usage: train-ai=n\nDisallow:\n\n";
        let own = |group: &str| found("R025", &format!("{any}User-agent: NewsBot\n{group}\n"));
        let expected = "what line 2 (`Content-Usage: train-ai=n`) says to `*` does not reach `NewsBot`: a group of its \
            own replaces the one for `*`";
        assert_eq!(own("Disallow: /drafts/"), [expected]);
        assert_eq!(own("Disallow: /\nAllow: /open/"), [expected]);
        assert_eq!(own("Content-Usage: search=y\nDisallow:"), [""; 0], "it says in that dialect what it means");
        assert_eq!(own("Content-Signal: ai-train=no\nDisallow:"), [""; 0], "it says the same in another dialect");
        assert_eq!(own("Disallow: /"), [""; 0], "it may crawl nothing");
        assert_eq!(own("Disallow: *"), [""; 0], "it may crawl nothing");
    }

    #[test]
    fn s40_every_dialect_of_robots_txt_can_be_dropped() {
        for field in ["Content-Signal: /a/ ai-train=no", "DisallowAITraining: /", "License: https://a.example/l.xml"] {
            let robots_txt = format!("User-agent: NewsBot\nDisallow: /b/\n\nUser-agent: *\n{field}\nDisallow:\n");
            assert_eq!(found("R025", &robots_txt).len(), 1, "{field}");
        }
        let permits = "User-agent: NewsBot\nDisallow: /b/\n\nUser-agent: *\nContent-Signal: search=yes\nDisallow:\n";
        assert_eq!(found("R025", permits), [""; 0], "nothing is restricted");
        let of_site = "License: https://a.example/l.xml\n\nUser-agent: NewsBot\nDisallow: /b/\n";
        assert_eq!(found("R025", of_site), [""; 0], "it is for everyone");
    }

    #[test]
    fn s31_what_is_permitted_and_prohibited_at_once_is_told() {
        let told = |lines: &str| found("M033", &format!("User-agent: *\n{lines}\nDisallow:\n"));
        let expected = "this permits `train-ai`, which line 2 prohibits to the same crawlers on the same paths: the \
            prohibition counts";
        assert_eq!(told("Content-Usage: /a train-ai=n\nContent-Usage: /a train-ai=y"), [expected]);
        assert_eq!(told("DisallowAITraining: /\nContent-Signal: ai-train=yes"), [expected]);
        let expected = "this says both `no` and `yes` of `ai-train`, and readers take one or the other";
        assert_eq!(told("Content-Signal: /a ai-train=no, search=yes, ai-train=yes"), [expected]);
        assert_eq!(told("Content-Usage: /a train-ai=n\nContent-Usage: /b train-ai=y"), [""; 0]);
        assert_eq!(told("Content-Usage: train-ai=n\nContent-Usage: search=y"), [""; 0]);
        assert_eq!(told("License: https://a.example/l.xml\nContent-Usage: search=y"), [""; 0]);
    }
}
