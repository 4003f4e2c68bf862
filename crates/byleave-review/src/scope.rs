//! What a comparison of policies is about, and how far its result holds.

use crate::budget::Budget;
use crate::regions::{ApplicablePattern, Space, Ties, Wanted};
use byleave::diagnostic::Code;
use byleave::vocabulary::UsageKind;
use byleave::{ComparablePattern, Evidence, RobotsTxt, Usage};
use std::collections::BTreeSet;

/// What to ask about; nothing given: everything.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReviewScope {
    /// Only the crawlers of these names.
    pub crawlers: Vec<String>,
    /// Only these usages.
    pub usages: Vec<Usage>,
}

impl ReviewScope {
    /// Only about these crawlers and usages; of those of which none are given, about all.
    #[must_use]
    pub fn only(crawlers: Vec<String>, usages: Vec<Usage>) -> Self {
        Self { crawlers, usages }
    }
}

/// How far a result holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// For every path.
    Exact,
    /// There are too many ways in which patterns meet. Paths were asked about at which patterns match, alone and
    /// together; elsewhere there may be more.
    NotProven,
}

impl Proof {
    pub(crate) fn of(is_exact: bool) -> Self {
        if is_exact { Self::Exact } else { Self::NotProven }
    }

    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::NotProven => "not-proven",
        }
    }
}

/// Whether the end of a robots.txt is beyond the limit and so unreadable (S-22).
pub(crate) fn is_truncated(evidence: &Evidence<'_>) -> bool {
    matches!(evidence.robots_txt(), RobotsTxt::Read(policy) if policy.is_truncated())
}

/// The documents that cannot be read, so that nothing is known of what they say; a sentence for each.
pub(crate) fn unreadable(evidence: &Evidence<'_>) -> Vec<String> {
    let bad = evidence.diagnostics().iter().filter(|one| one.code == Code::BadDocument);
    bad.map(|one| format!("`{}` is not converted: {}", one.document, one.message)).collect()
}

/// The usages to ask about: where a policy speaks ACAP, the standard ones and whatever else is spoken of. Others are
/// answered as `other` is, or `present`.
pub(crate) fn usages(policies: &[&Evidence<'_>], asked: &ReviewScope) -> Vec<Usage> {
    if !asked.usages.is_empty() {
        return asked.usages.clone();
    }
    let spoken: BTreeSet<Usage> = policies.iter().flat_map(|policy| policy.usages_spoken_of()).collect();
    let standard = Usage::NAMED.iter().filter(|usage| usage.kind() == UsageKind::Standard).cloned();
    let mut usages: Vec<Usage> = standard.collect();
    usages.extend(spoken.into_iter().filter(|usage| usage.kind() != UsageKind::Standard));
    usages
}

/// The purposes to ask about: none, and one for each set of those that are spoken of that a purpose can meet.
pub(crate) fn purposes(policies: &[&Evidence<'_>], budget: &Budget) -> (Vec<Vec<String>>, bool) {
    let patterns: BTreeSet<ComparablePattern> =
        policies.iter().flat_map(|policy| policy.purposes_spoken_of()).collect();
    let entry =
        |pattern| ApplicablePattern { pattern, reading: 0, sides: 1, rank: None, permits: false, is_changed: true };
    let patterns: Vec<ApplicablePattern> = patterns.into_iter().map(entry).collect();
    let mut purposes = vec![Vec::new()];
    if patterns.is_empty() {
        return (purposes, true);
    }
    let walked = budget.walk(&Space::Words, &patterns, Ties::Distinct, Wanted::Changed);
    purposes.extend(walked.regions.into_iter().map(|region| vec![region.path]));
    // Words are made of ASCII. A purpose that is not is asked about as it is written, and nothing is proven of it.
    let foreign = patterns.iter().filter(|entry| !entry.pattern.pieces().all(<[u8]>::is_ascii));
    let foreign: Vec<Vec<u8>> = foreign.map(|entry| entry.pattern.pieces().collect::<Vec<_>>().concat()).collect();
    purposes.extend(foreign.iter().map(|word| vec![String::from_utf8_lossy(word).into_owned()]));
    (purposes, walked.is_exact && foreign.is_empty())
}
