//! Collects the statements in AI-preference dialects that may apply to a crawler (S-40).
//!
//! Each dialect has its own conflict rule. The rule depends on a path only through the patterns that match it, because
//! length and order are properties of the statement. In a dialect whose permissions have no effect where `Disallow`
//! prohibits, conventional rules matter too (S-31).

use super::{ApplicableRules, ComparablePattern};
use crate::decide::Licences;
use crate::dialects::conflict_traits;
use crate::dialects::preference::{Claims, PREFERENCE_USAGES, Preference, Preferences, Usages, bit};
use crate::dialects::rfc9309::pattern::{End, WILDCARD};
use crate::model::Source;
use crate::model::Usage;
use crate::model::crawler::Crawler;
use crate::model::{Carrier, Dialect, StatementId};
use crate::policy::{Bound, Policy};
use crate::site::{RobotsTxt, Site};
use std::collections::BTreeSet;

/// A preference that addresses a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplicablePreference {
    /// The preference's id.
    pub statement: StatementId,
    /// The preference's pattern. If the preference applies to all paths, the pattern matches every path.
    pub pattern: ComparablePattern,
    /// Whether the preference's permissions also depend on conventional rules. They then have no effect where
    /// `Disallow` wins (S-31).
    pub depends_on_rules: bool,
    usages: Usages,
    canonical: CanonicalPreference,
}

/// Everything in a preference that a decision can depend on, except its pattern.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalPreference {
    dialect: Dialect,
    carrier: Option<Carrier>,
    is_of_file: bool,
    claims: Claims,
    length: u32,
    /// The preference's number, if the order of statements matters in its dialect.
    order: Option<u32>,
    is_unread: bool,
    /// The location of the licence that the preference names. If two locations hold the same licence, preferences that
    /// name them are reported as different, although they are not.
    licence: Option<Vec<u8>>,
}

impl ApplicablePreference {
    /// Whether the preference may apply to this usage. It does if it addresses the usage, or if it overrides a
    /// statement that addresses the usage.
    #[must_use]
    pub fn may_apply_to(&self, usage: &Usage) -> bool {
        self.usages & bit(usage) != 0
    }

    /// Returns everything that a decision can depend on, except the pattern. Two preferences with the same canonical
    /// form have the same meaning, even in different policies.
    #[must_use]
    pub fn canonical(&self) -> &CanonicalPreference {
        &self.canonical
    }
}

/// Adds the preferences that address a crawler.
///
/// Cost: linear in the preferences.
pub(super) fn add(site: &Site<'_>, crawler: &Crawler, applicable: &mut ApplicableRules) {
    let policy = policy(site);
    let fields = policy.and_then(|policy| Some((policy, policy.preferences()?)));
    let others = site.preferences();
    if fields.is_none() && others.is_empty() {
        return;
    }
    let licences = Licences::of(site, "/", crawler, &[]);
    let unread: BTreeSet<StatementId> = licences.iter().flat_map(Licences::unread).map(|licence| licence.id).collect();
    let mut add = |document: u16, table: &Preferences, groups: Option<BTreeSet<u32>>| {
        let is_own = |one: &Preference| match (&groups, one.group) {
            (Some(groups), Some(group)) => groups.contains(&group),
            _ => false,
        };
        let own: BTreeSet<&str> =
            table.entries.iter().filter(|one| is_own(one)).map(|one| one.dialect.name()).collect();
        for (number, one) in (0..).zip(&table.entries) {
            // A preference outside every group counts if the crawler's groups have no preference in the same dialect.
            let counts = if one.group.is_some() { is_own(one) } else { !own.contains(one.dialect.name()) };
            if !counts {
                continue;
            }
            applicable.is_whole &= !one.has_origin();
            let id = StatementId::new(Source::preferences(document), number);
            applicable.preferences.push(of(table, id, one, unread.contains(&id)));
        }
    };
    if let Some((policy, fields)) = fields {
        add(0, fields, Some(blocks(&policy.bind(crawler))));
    }
    for (document, table) in (1..).zip(others) {
        let is_foreign = table.licence.is_some() && licences.as_ref().is_some_and(|all| !all.counts(document));
        if !is_foreign {
            add(document, table, site.groups_of(table).map(|own| blocks(&own.bind(crawler))));
        }
    }
}

fn of(table: &Preferences, id: StatementId, one: &Preference, is_unread: bool) -> ApplicablePreference {
    let pattern = match table.comparable(one) {
        Some((octets, end)) => ComparablePattern::new(octets, WILDCARD, end, false),
        None => ComparablePattern::new(b"", WILDCARD, End::Open, false),
    };
    let traits = conflict_traits(one.dialect);
    let canonical = CanonicalPreference {
        dialect: one.dialect,
        carrier: table.carrier,
        is_of_file: table.is_of_file,
        claims: one.claims.clone(),
        length: one.length(),
        order: traits.order_matters.then_some(id.number),
        is_unread,
        licence: table.locator(id.number).filter(|_| traits.names_licences).map(<[u8]>::to_vec),
    };
    let usages = match traits.excludes_other_usages {
        true => PREFERENCE_USAGES.iter().fold(0, |all, usage| all | bit(usage)),
        false => one.claims.usages(),
    };
    ApplicablePreference { statement: id, pattern, depends_on_rules: traits.yields_to_disallow, usages, canonical }
}

/// Returns the usages that at least one preference addresses.
pub(super) fn usages(site: &Site<'_>) -> Vec<Usage> {
    let fields = policy(site).and_then(|policy| policy.preferences());
    let tables = fields.into_iter().chain(site.preferences());
    let addressed = tables.fold(0, |all, table| all | table.usages);
    Usage::NAMED.iter().filter(|usage| addressed & bit(usage) != 0).cloned().collect()
}

/// Returns the groups that bind a crawler in documents other than robots.txt, with the number of each document.
pub(super) fn groups(site: &Site<'_>, crawler: &Crawler) -> Vec<(u16, Vec<u32>)> {
    let bound = |(document, table): (u16, &Preferences)| {
        Some((document, blocks(&site.groups_of(table)?.bind(crawler)).into_iter().collect()))
    };
    (1..).zip(site.preferences()).filter_map(bound).collect()
}

fn policy<'e>(site: &'e Site<'_>) -> Option<&'e Policy<'e>> {
    match site.robots_txt() {
        RobotsTxt::Read(policy) => Some(policy),
        RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
    }
}

/// Returns the numbers of the groups that bind the crawler.
fn blocks(bound: &Bound<'_>) -> BTreeSet<u32> {
    let mut blocks = BTreeSet::new();
    bound.each_block(|block| {
        blocks.insert(block);
    });
    blocks
}
