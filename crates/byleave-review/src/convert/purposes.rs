//! Converts groups for purposes. Such a group binds the crawlers that have its purpose and that no group names (S-50).
//!
//! Purposes that the same groups address form one audience, as crawler names do. A crawler with several purposes is
//! bound by the groups for all of them, in the source and in a target that has these groups.

use super::loss::{Loss, LossCause, LossEffect};
use super::source::{Audience, RobotsTxtSource, combined, groups};
use crate::crawler_classes::MAX_PURPOSES;
use crate::names::{labelled, nobody};
use byleave::Crawler;
use byleave::analysis::vocabulary::Field;
use byleave::policy::Fact;
use std::collections::{BTreeSet, HashSet};

/// A purpose that groups address, in its first spelling.
struct GroupPurpose<'p> {
    written: &'p [u8],
    line: u32,
    groups: BTreeSet<usize>,
}

impl RobotsTxtSource<'_> {
    /// Adds audiences for purposes, before the audience of all other unnamed crawlers.
    pub(super) fn add_purposes(&mut self) {
        let (purposes, _) = purposes(self);
        let groups = groups(self.policy);
        let nobody = nobody(&[self.site]);
        let having =
            |crawler: Crawler, one: &GroupPurpose<'_>| crawler.also_named(&String::from_utf8_lossy(one.written));
        let acap_any = self.audiences.last().map(|any| any.acap_any.clone()).unwrap_or_default();
        let mut added: Vec<Audience> = Vec::new();
        for one in &purposes {
            if let Some(known) = added.iter_mut().find(|known| known.groups == one.groups) {
                known.purposes.push(one.written.to_vec());
                continue;
            }
            added.push(Audience {
                names: Vec::new(),
                purposes: vec![one.written.to_vec()],
                crawler: having(nobody.clone(), one),
                having_all: None,
                has_group: true,
                rules: combined(&groups, &one.groups),
                groups: one.groups.clone(),
                acap: Vec::new(),
                acap_any: acap_any.clone(),
            });
        }
        if let (2.., Some(last)) = (added.len(), added.last_mut()) {
            last.having_all = Some(purposes.iter().fold(nobody, having));
        }
        let any = self.audiences.pop();
        self.audiences.extend(added.into_iter().chain(any));
    }

    /// Returns whether crawlers may have combinations of purposes that are not compared.
    pub(super) fn has_more_purposes(&self) -> bool {
        let having = self.audiences.iter().filter(|audience| !audience.purposes.is_empty());
        // If only conventional rules bind such crawlers, the source and the target combine the same groups, so their
        // decisions are equal.
        having.clone().count() > 2 && having.into_iter().any(|audience| !audience.acap_any.is_empty())
    }
}

/// Returns the first [`MAX_PURPOSES`] purposes in the file, and the number of further purposes.
fn purposes<'e>(source: &RobotsTxtSource<'e>) -> (Vec<GroupPurpose<'e>>, usize) {
    let mut purposes: Vec<GroupPurpose<'e>> = Vec::new();
    let mut others = HashSet::new();
    if !source.policy.reading().switches().reads_preferences {
        return (purposes, 0);
    }
    for Fact { value, group, line, .. } in source.facts.iter().filter(|fact| fact.field == PURPOSE) {
        let Some(group) = group.filter(|_| !value.is_empty()) else { continue };
        let is_full = purposes.len() == MAX_PURPOSES;
        match purposes.iter_mut().find(|known| known.written.eq_ignore_ascii_case(value)) {
            Some(known) => {
                known.groups.insert(group);
            }
            None if is_full => {
                others.insert(value.to_ascii_lowercase());
            }
            None => purposes.push(GroupPurpose { written: value, line: *line, groups: BTreeSet::from([group]) }),
        }
    }
    (purposes, others.len())
}

/// Returns a loss for each purpose, because ACAP groups address crawlers only by name.
pub(super) fn not_in_acap(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let loss = |one: GroupPurpose<'_>| {
        let label = labelled(&String::from_utf8_lossy(one.written));
        let message = format!("`{label}` and its statements are omitted: ACAP groups only address names");
        Loss::new(LossCause::Purpose, LossEffect::LeftOut, message).at(Some(one.line)).of_crawler(Some(&label))
    };
    purposes(source).0.into_iter().map(loss).collect()
}

/// Returns a loss if there are more purposes than the limit.
pub(super) fn too_many(source: &RobotsTxtSource<'_>) -> Option<Loss> {
    let (_, others) = purposes(source);
    let message =
        format!("the source has groups for {} purposes; only {MAX_PURPOSES} were examined", MAX_PURPOSES + others);
    (others > 0).then(|| Loss::new(LossCause::Unknown, LossEffect::LeftOut, message))
}

pub(super) const PURPOSE: Field = Field::UserAgentPurpose;
