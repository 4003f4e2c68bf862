//! `byleave facts`: robots.txt fields that decide nothing (sitemaps, delays, hosts), and the crawlers that the file
//! names.

use crate::output::{Colour, Format, Output, escaped, escaped_bytes};
use byleave::policy::Fact;
use byleave::{Crawler, Policy, ProposedUse, Site, Usage};
use serde_json::json;
use std::collections::HashMap;
use std::io::{self, Write};

/// Writes the facts about a site, or only the facts that apply to one crawler.
pub fn facts(site: &Site<'_>, crawler: Option<&Crawler>, format: Format, out: &mut Output<'_>) -> io::Result<()> {
    let policy = site.policy();
    let names = policy.map(Policy::crawlers_named).unwrap_or_default();
    let bound = policy.zip(crawler).map(|(policy, crawler)| policy.bind(crawler));
    let facts: Vec<Fact<'_>> = match (policy, &bound) {
        (Some(policy), Some(bound)) => policy.facts_for(bound),
        (Some(policy), None) => policy.facts(),
        (None, _) => Vec::new(),
    };
    match format {
        Format::Text if policy.is_none() => writeln!(out, "no robots.txt was read, so no facts are known"),
        Format::Text => text(site, crawler, &names, &facts, out),
        Format::Plain => plain(crawler, &names, &facts, out),
        Format::Json => json(site, crawler, &names, &facts, out),
    }
}

fn text(
    site: &Site<'_>,
    crawler: Option<&Crawler>,
    names: &[&[u8]],
    facts: &[Fact<'_>],
    out: &mut Output<'_>,
) -> io::Result<()> {
    match crawler {
        Some(crawler) => {
            let proposed = ProposedUse::new("/", crawler, &Usage::Crawl);
            let ground = byleave::analysis::explain_unchecked(site, &proposed).binding_sentence(&proposed);
            writeln!(out, "{}", escaped(&ground.unwrap_or_default()))?;
        }
        None if names.is_empty() => writeln!(out, "no crawlers are named")?,
        None => writeln!(out, "{}\n  {}", out.paint(Colour::Heading, "crawlers named"), joined(names))?,
    }
    let width = facts.iter().map(|fact| fact.field.name().len()).max().unwrap_or(0);
    let digits = facts.iter().map(|fact| fact.line.to_string().len()).max().unwrap_or(1);
    // Facts about the whole site come before facts about groups, which keep the order of the file.
    let mut groups: Vec<(&[&[u8]], Vec<&Fact<'_>>)> = vec![(&[], Vec::new())];
    let mut places: HashMap<&[&[u8]], usize> = HashMap::from([(&[][..], 0)]);
    for fact in facts {
        let place = *places.entry(&fact.crawlers).or_insert_with(|| {
            groups.push((&fact.crawlers, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, members)) = groups.get_mut(place) {
            members.push(fact);
        }
    }
    for (group, members) in groups.iter().filter(|(_, members)| !members.is_empty()) {
        let heading = if group.is_empty() { "the site".to_owned() } else { format!("for {}", joined(group)) };
        writeln!(out, "\n{}", out.paint(Colour::Heading, &heading))?;
        for fact in members {
            let (line, field, value) = (fact.line, fact.field.name(), escaped_bytes(fact.value));
            writeln!(out, "  line {line:digits$}  {field:width$}  {value}")?;
        }
    }
    if facts.is_empty() {
        writeln!(out, "\nno sitemaps, delays or other facts")?;
    }
    if is_truncated(site) {
        writeln!(out, "\nrobots.txt is over the size limit, and its end was not read (S-22)")?;
    }
    Ok(())
}

fn plain(crawler: Option<&Crawler>, names: &[&[u8]], facts: &[Fact<'_>], out: &mut Output<'_>) -> io::Result<()> {
    if crawler.is_none() {
        for name in names {
            writeln!(out, "User-agent\t{}\t-\t-", escaped_bytes(name))?;
        }
    }
    for fact in facts {
        let crawlers = if fact.crawlers.is_empty() { "-".to_owned() } else { joined(&fact.crawlers) };
        let (field, value) = (fact.field.name(), escaped_bytes(fact.value));
        writeln!(out, "{field}\t{value}\t{crawlers}\trobots.txt:{}", fact.line)?;
    }
    Ok(())
}

fn json(
    site: &Site<'_>,
    crawler: Option<&Crawler>,
    names: &[&[u8]],
    facts: &[Fact<'_>],
    out: &mut Output<'_>,
) -> io::Result<()> {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let all = |names: &[&[u8]]| names.iter().map(|name| lossy(name)).collect::<Vec<_>>();
    let facts: Vec<_> = facts
        .iter()
        .map(|fact| {
            json!({
                "field": fact.field.name(),
                "value": lossy(fact.value),
                "crawlers": all(&fact.crawlers),
                "document": "robots.txt",
                "line": fact.line,
            })
        })
        .collect();
    let object = json!({
        "schema": "byleave.facts/1",
        "semantics": byleave::SEMANTICS_VERSION,
        "reading": site.reading().name(),
        "crawler": crawler.map(Crawler::name),
        "truncated": is_truncated(site),
        "crawlers_named": all(names),
        "facts": facts,
    });
    serde_json::to_writer(&mut *out, &object)?;
    out.write_all(b"\n")
}

fn is_truncated(site: &Site<'_>) -> bool {
    site.policy().is_some_and(Policy::is_truncated)
}

fn joined(names: &[&[u8]]) -> String {
    names.iter().map(|name| escaped_bytes(name)).collect::<Vec<_>>().join(", ")
}
