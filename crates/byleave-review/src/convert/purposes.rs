//! Crawlers that have a purpose of groups, and that no group names (S-50).
//!
//! Those with the purposes of the same groups are an audience like those with the same names. Who has several purposes is
//! bound by the groups of all of them, in the source and in a target that has these groups.

use super::loss::{Loss, LossCause, LossEffect};
use super::source::{Audience, RobotsTxtSource, groups, pooled};
use crate::crawler_classes::MAX_PURPOSES;
use crate::names::{labelled, nobody};
use byleave::vocabulary::Field;
use byleave::{Crawler, Fact};
use std::collections::{BTreeSet, HashSet};

/// A purpose of groups, as first written.
struct GroupPurpose<'p> {
    written: &'p [u8],
    line: u32,
    groups: BTreeSet<usize>,
}

impl RobotsTxtSource<'_> {
    /// Adds those that have a purpose, before all others that nobody names.
    pub(super) fn add_purposes(&mut self) {
        let (purposes, _) = purposes(self);
        let groups = groups(self.policy);
        let nobody = nobody(&[self.evidence]);
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
                rules: pooled(&groups, &one.groups),
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

    /// Whether some may have several purposes, others among them than all there are, and not be asked about.
    pub(super) fn has_more_purposes(&self) -> bool {
        let having = self.audiences.iter().filter(|audience| !audience.purposes.is_empty());
        // Where only rules bind them, the groups of several together are those of the source.
        having.clone().count() > 2 && having.into_iter().any(|audience| !audience.acap_any.is_empty())
    }
}

/// The first [`MAX_PURPOSES`] purposes of groups, in the order of the file, and how many others there are.
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

/// Purposes, where the target names crawlers only.
pub(super) fn not_in_acap(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let loss = |one: GroupPurpose<'_>| {
        let label = labelled(&String::from_utf8_lossy(one.written));
        let message = format!("`{label}` is left out with what is said to it: ACAP's groups are for names only");
        Loss::new(LossCause::Purpose, LossEffect::LeftOut, message).at(Some(one.line)).of_crawler(Some(&label))
    };
    purposes(source).0.into_iter().map(loss).collect()
}

/// Purposes that are not looked at.
pub(super) fn too_many(source: &RobotsTxtSource<'_>) -> Option<Loss> {
    let (_, others) = purposes(source);
    let message = format!("groups are for {} purposes, and {MAX_PURPOSES} are looked at", MAX_PURPOSES + others);
    (others > 0).then(|| Loss::new(LossCause::Unknown, LossEffect::LeftOut, message))
}

pub(super) const PURPOSE: Field = Field::UserAgentPurpose;
