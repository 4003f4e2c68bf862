//! Collects the preferences of the AI-preference dialects that may apply to a crawler (S-40).
//!
//! Each dialect has its own conflict rule. That rule depends on a path only through the patterns that match it; length and
//! order belong to the statement. If a dialect permits nothing that `Disallow` prohibits, conventional rules matter too
//! (S-31).

use super::{ApplicableRules, ComparablePattern};
use crate::decide::{Licences, may_be_moot};
use crate::dialects::preference::{PREFERENCE_USAGES, Preference, Preferences, Usages, bit};
use crate::dialects::rfc9309::pattern::{End, WILDCARD};
use crate::model::Source;
use crate::model::Usage;
use crate::model::crawler::Crawler;
use crate::model::{Dialect, StatementId};
use crate::policy::{Bound, Policy};
use crate::site::{RobotsTxt, Site};
use std::collections::BTreeSet;

/// A preference that addresses a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplicablePreference {
    /// Its number.
    pub statement: StatementId,
    /// Its pattern; if it applies to all paths, a pattern that matches every path.
    pub pattern: ComparablePattern,
    /// Whether its permissions also depend on conventional rules: it permits nothing where `Disallow` wins (S-31).
    pub depends_on_rules: bool,
    usages: Usages,
    canonical: Vec<u8>,
}

impl ApplicablePreference {
    /// Returns whether it may apply to this usage: it addresses the usage, or overrides a statement that does.
    #[must_use]
    pub fn may_apply_to(&self, usage: &Usage) -> bool {
        self.usages & bit(usage) != 0
    }

    /// Returns everything that a decision can depend on, except the pattern. Preferences of two policies with the same
    /// canonical form mean the same.
    #[must_use]
    pub fn canonical(&self) -> &[u8] {
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
            // A preference outside every group counts if the crawler's groups have none in the same dialect.
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
    // In tdmrep.json the first matching rule counts, so the order matters.
    let order = (one.dialect == Dialect::TdmRep).then_some(id.number);
    // Two locations may hold the same licence. They are then reported as different, although they are not.
    let location = table.locator(id.number).filter(|_| one.dialect == Dialect::Rsl);
    let about = (one.dialect, table.carrier, table.is_of_file, &one.claims, one.length(), order, is_unread, location);
    // In these dialects the longest path also counts for usages that it does not address (S-41, S-42).
    let usages = match one.dialect {
        Dialect::ContentUsage | Dialect::ContentSignal => {
            PREFERENCE_USAGES.iter().fold(0, |all, usage| all | bit(usage))
        }
        _ => one.claims.usages(),
    };
    ApplicablePreference {
        statement: id,
        pattern,
        depends_on_rules: may_be_moot(one.dialect),
        usages,
        canonical: format!("{about:?}").into_bytes(),
    }
}

/// Returns the usages that some preference addresses.
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
