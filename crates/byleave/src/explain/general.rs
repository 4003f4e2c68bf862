//! Preferences for any crawler that do not bind one with a group of its own, which is to be told (S-35, S-40).

use super::{EvidenceStatements, Explanation, SetAside, place_of};
use crate::decide::may_speak_of;
use crate::dialects::preference::{Preference, Preferences, bit};
use crate::dialects::rfc9309::resource;
use crate::model::BoundBy;
use crate::model::LostTo;
use crate::model::Source;
use crate::model::StatementId;
use crate::model::crawler::{AnyGroup, Crawler};
use crate::model::proposed_use::ProposedUse;
use crate::policy::{Bound, Policy};
use crate::site::{Evidence, RobotsTxt};
use std::collections::HashSet;

impl<'e> Explanation<'e> {
    /// Adds the preferences that the groups for any crawler have, where the crawler is bound by others.
    ///
    /// Cost: O(preferences), where there are any.
    pub(super) fn general_preferences(
        &mut self,
        evidence: &'e Evidence<'_>,
        written: &EvidenceStatements<'e>,
        proposed: &ProposedUse<'_>,
    ) {
        if !may_speak_of(proposed.usage) || proposed.crawler.any_group() != AnyGroup::Applies {
            return;
        }
        let mut known: HashSet<_> = self.determined_by.iter().map(place_of).collect();
        known.extend(self.considered.iter().map(|one| place_of(&one.statement)));
        let fields = match evidence.robots_txt() {
            RobotsTxt::Read(policy) => policy.preferences().map(|table| (0, policy, table)),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
        };
        let Some((document, policy, table)) = fields else { return };
        for (number, by) in passed_over(evidence, policy, table, proposed) {
            let id = StatementId::new(Source::preferences(document), number);
            let Some(statement) = written.get(id, proposed.usage) else { continue };
            if known.insert(place_of(&statement)) {
                self.considered.push(SetAside { statement, by, to: None });
            }
        }
        self.considered.sort_by_key(|set_aside| (place_of(&set_aside.statement), set_aside.statement.id));
    }
}

/// The preferences in groups for any crawler that are about the use and do not bind the crawler, by number, and why.
fn passed_over(
    evidence: &Evidence<'_>,
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
    resource::with_path(proposed.url.as_bytes(), evidence.reading().switches(), |path| {
        let mut found = Vec::new();
        let is_wanted =
            |one: &Preference| one.said.usages() & bit(proposed.usage) != 0 && one.group.is_some_and(&is_passed);
        table.each_about(path, proposed.url, is_wanted, |number, _| found.push((number, by)));
        found
    })
}

fn blocks(bound: &Bound<'_>) -> HashSet<u32> {
    let mut blocks = HashSet::new();
    bound.each_block(|block| {
        blocks.insert(block);
    });
    blocks
}
