//! Adds the preferences for any crawler that do not bind this crawler, because it has its own group (S-35, S-40).
//!
//! These preferences do not affect the decision. An explanation lists them so that a publisher sees why they do not
//! apply.

use super::{Explanation, LostTo, SetAside, SiteStatements, position_of};
use crate::decide::may_address;
use crate::dialects::preference::{Preference, Preferences, bit};
use crate::dialects::rfc9309::resource;
use crate::model::BoundBy;
use crate::model::Source;
use crate::model::StatementId;
use crate::model::crawler::{AnyGroup, Crawler};
use crate::model::proposed_use::ProposedUse;
use crate::policy::{Bound, Policy};
use crate::site::{RobotsTxt, Site};
use std::collections::HashSet;

impl<'e> Explanation<'e> {
    /// Adds the preferences in groups for any crawler if other groups bind this crawler.
    ///
    /// Cost: O(preferences).
    pub(super) fn general_preferences(
        &mut self,
        site: &'e Site<'_>,
        written: &SiteStatements<'e>,
        proposed: &ProposedUse<'_>,
    ) {
        if !may_address(proposed.usage) || proposed.crawler.any_group() != AnyGroup::Applies {
            return;
        }
        let mut known: HashSet<_> = self.determined_by.iter().map(position_of).collect();
        known.extend(self.considered.iter().map(|one| position_of(&one.statement)));
        let fields = match site.robots_txt() {
            RobotsTxt::Read(policy) => policy.preferences().map(|table| (0, policy, table)),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
        };
        let Some((document, policy, table)) = fields else { return };
        for (number, by) in passed_over(site, policy, table, proposed) {
            let id = StatementId::new(Source::preferences(document), number);
            let Some(statement) = written.get(id, proposed.usage) else { continue };
            if known.insert(position_of(&statement)) {
                self.considered.push(SetAside { statement, by, to: None });
            }
        }
        self.considered.sort_by_key(|set_aside| (position_of(&set_aside.statement), set_aside.statement.id));
    }
}

/// Returns the numbers of the preferences that are in groups for any crawler and address the use, but do not bind this
/// crawler, each with the reason why the preference does not bind it.
fn passed_over(
    site: &Site<'_>,
    policy: &Policy<'_>,
    table: &Preferences,
    proposed: &ProposedUse<'_>,
) -> Vec<(u32, LostTo)> {
    let bound = policy.bind_for(proposed.crawler, proposed.purposes);
    let by = match bound.bound_by() {
        BoundBy::Named => LostTo::NamedGroup,
        BoundBy::Fallback(_) => LostTo::FallbackGroup,
        BoundBy::Purpose => LostTo::PurposeGroup,
        BoundBy::Any | BoundBy::NoGroup => return Vec::new(),
    };
    let own = blocks(&bound);
    let general = blocks(&policy.bind(&Crawler::nobody()));
    let is_passed = |group: u32| general.contains(&group) && !own.contains(&group);
    resource::with_path(proposed.url.as_bytes(), site.reading().switches(), |path| {
        let mut found = Vec::new();
        let is_wanted =
            |one: &Preference| one.claims.usages() & bit(proposed.usage) != 0 && one.group.is_some_and(&is_passed);
        table.each_about(path, proposed.url, is_wanted, |number, _| found.push((number, by)));
        found
    })
}

/// Returns the numbers of the groups that bind the crawler.
fn blocks(bound: &Bound<'_>) -> HashSet<u32> {
    let mut blocks = HashSet::new();
    bound.each_block(|block| {
        blocks.insert(block);
    });
    blocks
}
