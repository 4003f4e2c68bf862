//! The preferences in today's dialects that may bear on the decisions about a crawler (S-40).
//!
//! Which of them count is each dialect's own rule, and compares nothing of a path but which patterns match it: how long a
//! pattern is, and which rule of a file stands first, belong to the statement. Conventional rules matter beside them where
//! a dialect permits nothing that they prohibit (S-31).

use super::{Bearing, ComparablePattern};
use crate::decide::{Licences, may_be_moot};
use crate::dialects::preference::{Preference, Preferences, SPOKEN_OF, Usages, bit};
use crate::dialects::rfc9309::pattern::{End, WILDCARD};
use crate::model::Source;
use crate::model::Usage;
use crate::model::crawler::Crawler;
use crate::model::{Dialect, StatementId};
use crate::policy::{Bound, Policy};
use crate::site::{Evidence, RobotsTxt};
use std::collections::BTreeSet;

/// A preference that addresses a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BearingPreference {
    /// Which it is.
    pub statement: StatementId,
    /// Its pattern; where it is about all, one that matches every path.
    pub pattern: ComparablePattern,
    /// Whether its permissions depend on conventional rules, too: where `Disallow` wins it permits nothing (S-31).
    pub depends_on_rules: bool,
    usages: Usages,
    spelling: Vec<u8>,
}

impl BearingPreference {
    /// Whether it may bear on this usage: it speaks of it, or sets aside what speaks of it.
    #[must_use]
    pub fn bears_on(&self, usage: &Usage) -> bool {
        self.usages & bit(usage) != 0
    }

    /// Everything that a decision can depend on of it, beside its pattern. Preferences of two policies in which this is the
    /// same say the same.
    #[must_use]
    pub fn spelling(&self) -> &[u8] {
        &self.spelling
    }
}

/// Adds the preferences that address a crawler.
///
/// Cost: linear in the preferences.
pub(super) fn add(evidence: &Evidence<'_>, crawler: &Crawler, bearing: &mut Bearing) {
    let policy = policy(evidence);
    let fields = policy.and_then(|policy| Some((policy, policy.preferences()?)));
    let others = evidence.preferences();
    if fields.is_none() && others.is_empty() {
        return;
    }
    let licences = Licences::of(evidence, "/", crawler, &[]);
    let unread: BTreeSet<StatementId> = licences.iter().flat_map(Licences::unread).map(|licence| licence.id).collect();
    let mut add = |document: u16, table: &Preferences, groups: Option<BTreeSet<u32>>| {
        let is_own = |one: &Preference| match (&groups, one.group) {
            (Some(groups), Some(group)) => groups.contains(&group),
            _ => false,
        };
        let own: BTreeSet<&str> =
            table.entries.iter().filter(|one| is_own(one)).map(|one| one.dialect.name()).collect();
        for (number, one) in (0..).zip(&table.entries) {
            // What stands outside of every group counts where those of the crawler have none in the same dialect.
            let counts = if one.group.is_some() { is_own(one) } else { !own.contains(one.dialect.name()) };
            if !counts {
                continue;
            }
            bearing.is_whole &= !one.has_origin();
            let id = StatementId::new(Source::preferences(document), number);
            bearing.preferences.push(of(table, id, one, unread.contains(&id)));
        }
    };
    if let Some((policy, fields)) = fields {
        add(0, fields, Some(blocks(&policy.bind(crawler))));
    }
    for (document, table) in (1..).zip(others) {
        let is_foreign = table.licence.is_some() && licences.as_ref().is_some_and(|all| !all.counts(document));
        if !is_foreign {
            add(document, table, evidence.groups_of(table).map(|own| blocks(&own.bind(crawler))));
        }
    }
}

fn of(table: &Preferences, id: StatementId, one: &Preference, is_unread: bool) -> BearingPreference {
    let pattern = match table.comparable(one) {
        Some((octets, end)) => ComparablePattern::new(octets, WILDCARD, end, false),
        None => ComparablePattern::new(b"", WILDCARD, End::Open, false),
    };
    // Of a file of reservations the first rule counts that matches.
    let order = (one.dialect == Dialect::TdmRep).then_some(id.number);
    // A licence may be named by another name, and say the same; what it is called is then told as a difference that is none.
    let location = table.locator(id.number).filter(|_| one.dialect == Dialect::Rsl);
    let about = (one.dialect, table.carrier, table.is_of_file, &one.said, one.length(), order, is_unread, location);
    // Of these dialects the longest path counts with all that it does not say (S-41, S-42).
    let usages = match one.dialect {
        Dialect::ContentUsage | Dialect::ContentSignal => SPOKEN_OF.iter().fold(0, |all, usage| all | bit(usage)),
        _ => one.said.usages(),
    };
    BearingPreference {
        statement: id,
        pattern,
        depends_on_rules: may_be_moot(one.dialect),
        usages,
        spelling: format!("{about:?}").into_bytes(),
    }
}

/// The usages that some preference speaks of.
pub(super) fn usages(evidence: &Evidence<'_>) -> Vec<Usage> {
    let fields = policy(evidence).and_then(|policy| policy.preferences());
    let tables = fields.into_iter().chain(evidence.preferences());
    let spoken = tables.fold(0, |all, table| all | table.usages);
    Usage::NAMED.iter().filter(|usage| spoken & bit(usage) != 0).cloned().collect()
}

/// The groups that bind a crawler in other documents than robots.txt, by the numbers of these.
pub(super) fn groups(evidence: &Evidence<'_>, crawler: &Crawler) -> Vec<(u16, Vec<u32>)> {
    let bound = |(document, table): (u16, &Preferences)| {
        Some((document, blocks(&evidence.groups_of(table)?.bind(crawler)).into_iter().collect()))
    };
    (1..).zip(evidence.preferences()).filter_map(bound).collect()
}

fn policy<'e>(evidence: &'e Evidence<'_>) -> Option<&'e Policy<'e>> {
    match evidence.robots_txt() {
        RobotsTxt::Read(policy) => Some(policy),
        RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
    }
}

fn blocks(bound: &Bound<'_>) -> BTreeSet<u32> {
    let mut blocks = BTreeSet::new();
    bound.each_block(|block| {
        blocks.insert(block);
    });
    blocks
}
