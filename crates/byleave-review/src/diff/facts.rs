//! Which fields that decide nothing were taken away or added: sitemaps, delays, requests.

use crate::crawler_classes::CrawlerClass;
use crate::crawlers::crawler;
use crate::scope::ReviewScope;
use byleave::model::{Carrier, Dialect};
use byleave::{
    Capabilities, Crawler, Evidence, EvidenceStatements, PreferenceStatement, ProposedUse, RobotsTxt, Usage,
};
use std::collections::{BTreeMap, BTreeSet};

/// A fact that only one of two policies has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactChange {
    /// Whether it was taken away or added.
    pub kind: FactChangeKind,
    /// The field, in its own spelling.
    pub field: String,
    /// Its value.
    pub value: String,
    /// The crawlers it is for, `*` for any; none: it is of the site.
    pub crawlers: Vec<String>,
    /// Its line in the policy that has it; nothing where that is not known.
    pub line: Option<u32>,
}

/// Whether a fact was taken away or added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactChangeKind {
    /// Only the old policy has it.
    Removed,
    /// Only the new one has it.
    Added,
}

/// A fact without its place.
type Plain = (String, String, Vec<String>);

/// The facts that are not in both. A fact that stands twice is one.
pub(crate) fn facts_changed(
    old: &Evidence<'_>,
    new: &Evidence<'_>,
    classes: &[CrawlerClass],
    asked: &ReviewScope,
) -> Vec<FactChange> {
    let (was, is) = (facts(old, classes, asked), facts(new, classes, asked));
    let only = |these: &BTreeMap<Plain, Option<u32>>, those: &BTreeMap<Plain, Option<u32>>, kind| -> Vec<FactChange> {
        let left = these.iter().filter(|(fact, _)| !those.contains_key(*fact));
        let change = |((field, value, crawlers), line): (&Plain, &Option<u32>)| FactChange {
            kind,
            field: field.clone(),
            value: value.clone(),
            crawlers: crawlers.clone(),
            line: *line,
        };
        left.map(change).collect()
    };
    let mut changes = only(&was, &is, FactChangeKind::Removed);
    changes.extend(only(&is, &was, FactChangeKind::Added));
    changes.sort_by(|one, other| {
        (&one.field, &one.crawlers, one.kind, one.line).cmp(&(&other.field, &other.crawlers, other.kind, other.line))
    });
    changes
}

fn facts(evidence: &Evidence<'_>, classes: &[CrawlerClass], asked: &ReviewScope) -> BTreeMap<Plain, Option<u32>> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut found = BTreeMap::new();
    let RobotsTxt::Read(policy) = evidence.robots_txt() else { return found };
    let only: Vec<Crawler> = asked.crawlers.iter().map(|name| crawler(name)).collect();
    let facts = match only.as_slice() {
        [] => policy.facts(),
        only => only.iter().flat_map(|crawler| policy.facts_for(&policy.bind(crawler))).collect(),
    };
    // What states a preference decides (S-40), and is told by what it decides. Which licence is named is told beside.
    let statements = EvidenceStatements::of(evidence, &Capabilities::default());
    let decides = |one: PreferenceStatement<'_>| {
        let statement = statements.get(one.id, one.usages.first()?)?;
        let is_here = statement.carrier == Carrier::RobotsTxt && one.dialect != Dialect::Rsl;
        is_here.then_some(statement.line)
    };
    let decides: BTreeSet<u32> = statements.preferences().into_iter().filter_map(decides).collect();
    for fact in facts.into_iter().filter(|fact| !decides.contains(&fact.line)) {
        let mut crawlers: Vec<String> = fact.crawlers.iter().map(|name| text(name)).collect();
        crawlers.sort_by_key(|name| name.to_ascii_lowercase());
        found.entry((fact.field.name().to_owned(), text(fact.value), crawlers)).or_insert(Some(fact.line));
    }
    for class in classes.iter().filter(|class| class.has_acap()) {
        let proposed = ProposedUse::new("/", &class.crawler, &Usage::OtherUsage);
        for (action, path) in byleave::explain(evidence, &proposed).actions {
            let mut crawlers = class.names.clone();
            crawlers.extend(class.has_unnamed.then(|| "*".to_owned()));
            found.entry((format!("ACAP-request-{action}"), path, crawlers)).or_insert(None);
        }
    }
    found
}
