//! Lists fields that decide nothing (sitemaps, delays, requests) and that only one of two policies contains.

use crate::crawler_classes::CrawlerClass;
use crate::crawlers::crawler;
use crate::scope::ReviewScope;
use byleave::analysis::{PreferenceStatement, RobotsTxt, SiteStatements};
use byleave::model::Capabilities;
use byleave::model::{Carrier, Dialect};
use byleave::{Crawler, ProposedUse, Site, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// A fact that only one of two policies states.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FactChange {
    /// Whether the fact was removed or added.
    pub kind: FactChangeKind,
    /// The field name, in its standard spelling.
    pub field: String,
    /// The field's value.
    pub value: String,
    /// The crawlers that the fact addresses, with `*` for any crawler. Empty if it is a fact about the site.
    pub crawlers: Vec<String>,
    /// The line number in the policy that contains the fact, or `None` if it is not known.
    pub line: Option<u32>,
}

/// Whether a fact was removed or added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactChangeKind {
    /// Only the old policy contains the fact.
    Removed,
    /// Only the new policy contains the fact.
    Added,
}

/// A fact without its line: field, value and crawlers.
type Plain = (String, String, Vec<String>);

/// Returns the facts that only one policy contains. A repeated fact is listed once.
pub(crate) fn facts_changed(
    old: &Site<'_>,
    new: &Site<'_>,
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

fn facts(site: &Site<'_>, classes: &[CrawlerClass], asked: &ReviewScope) -> BTreeMap<Plain, Option<u32>> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut found = BTreeMap::new();
    let RobotsTxt::Read(policy) = site.robots_txt() else { return found };
    let only: Vec<Crawler> = asked.crawlers.iter().map(|name| crawler(name)).collect();
    let facts = match only.as_slice() {
        [] => policy.facts(),
        only => only.iter().flat_map(|crawler| policy.facts_for(&policy.bind(crawler))).collect(),
    };
    // Fields that state preferences affect decisions (S-40), so `diff` lists them as changed decisions and not as
    // facts. The licence (RSL) that robots.txt names is an exception: it is listed as a fact too.
    let statements = SiteStatements::of(site, &Capabilities::default());
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
        for (action, path) in byleave::analysis::explain_unchecked(site, &proposed).actions {
            let mut crawlers = class.names.clone();
            crawlers.extend(class.has_unnamed.then(|| "*".to_owned()));
            found.entry((format!("ACAP-request-{action}"), path, crawlers)).or_insert(None);
        }
    }
    found
}
