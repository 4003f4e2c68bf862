//! The scope of a review (which crawlers, usages and purposes), and how far its result is proven.

use crate::budget::Budget;
use crate::regions::{ApplicablePattern, Space, Ties, Wanted};
use byleave::analysis::vocabulary::UsageKind;
use byleave::analysis::{ComparablePattern, RobotsTxt};
use byleave::diagnostic::Code;
use byleave::{Site, Usage};
use std::collections::BTreeSet;

/// The crawlers and usages to review. An empty list means all of them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReviewScope {
    /// The names of the crawlers.
    pub crawlers: Vec<String>,
    /// The usages.
    pub usages: Vec<Usage>,
    /// Which crawlers are asked about for a name in a group.
    pub named: NamedCrawlers,
}

/// Which crawlers are asked about for a name in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamedCrawlers {
    /// The crawler in the catalogue, with its fallbacks. If the catalogue does not list the name, a crawler without
    /// fallbacks.
    #[default]
    Known,
    /// Two crawlers: the one in the catalogue with its fallbacks, and one without fallbacks.
    KnownAndPlain,
}

impl ReviewScope {
    /// Limits a review to these crawlers and usages. An empty list means no limit.
    #[must_use]
    pub fn only(crawlers: Vec<String>, usages: Vec<Usage>) -> Self {
        Self { crawlers, usages, ..Self::default() }
    }
}

/// How complete a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The result holds for every path.
    Exact,
    /// A limit was reached, usually because patterns overlap in too many ways. Only some paths were checked, such as
    /// paths for each pattern and for overlaps of two patterns. There may be further differences on other paths.
    NotProven,
}

impl Proof {
    pub(crate) fn of(is_exact: bool) -> Self {
        if is_exact { Self::Exact } else { Self::NotProven }
    }

    /// Returns the value's name, as used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::NotProven => "not-proven",
        }
    }
}

/// Returns whether robots.txt exceeds the size limit, so that its end was not read (S-22).
pub(crate) fn is_truncated(site: &Site<'_>) -> bool {
    matches!(site.robots_txt(), RobotsTxt::Read(policy) if policy.is_truncated())
}

/// Returns one sentence for each document that cannot be read. The statements in such a document are unknown.
pub(crate) fn unreadable(site: &Site<'_>) -> Vec<String> {
    let bad = site.diagnostics().iter().filter(|one| one.code == Code::BadDocument);
    bad.map(|one| format!("`{}` was not converted: {}", one.document, one.message)).collect()
}

/// Returns the usages to ask about: the standard ones, and all others that a policy addresses. All remaining usages are
/// decided like `other` or `present`.
pub(crate) fn usages(policies: &[&Site<'_>], scope: &ReviewScope) -> Vec<Usage> {
    if !scope.usages.is_empty() {
        return scope.usages.clone();
    }
    let addressed: BTreeSet<Usage> = policies.iter().flat_map(|policy| policy.usages_addressed()).collect();
    let standard = Usage::NAMED.iter().filter(|usage| usage.kind() == UsageKind::Standard).cloned();
    let mut usages: Vec<Usage> = standard.collect();
    usages.extend(addressed.into_iter().filter(|usage| usage.kind() != UsageKind::Standard));
    usages
}

/// Returns the lists of purposes to ask about: an empty list, and a list with one purpose for each set of stated
/// purposes that a single purpose can match. Also returns whether these lists cover every purpose.
pub(crate) fn purposes(policies: &[&Site<'_>], budget: &Budget) -> (Vec<Vec<String>>, bool) {
    let patterns: BTreeSet<ComparablePattern> =
        policies.iter().flat_map(|policy| policy.purposes_addressed()).collect();
    let entry =
        |pattern| ApplicablePattern { pattern, reading: 0, sides: 1, rank: None, permits: false, is_changed: true };
    let patterns: Vec<ApplicablePattern> = patterns.into_iter().map(entry).collect();
    let mut purposes = vec![Vec::new()];
    if patterns.is_empty() {
        return (purposes, true);
    }
    let walked = budget.walk(&Space::Words, &patterns, Ties::Distinct, Wanted::Changed);
    purposes.extend(walked.regions.into_iter().map(|region| vec![region.path]));
    // Generated words are ASCII. A purpose that is not ASCII is asked about as written, and then the result is not
    // proven.
    let foreign = patterns.iter().filter(|entry| !entry.pattern.pieces().all(<[u8]>::is_ascii));
    let foreign: Vec<Vec<u8>> = foreign.map(|entry| entry.pattern.pieces().collect::<Vec<_>>().concat()).collect();
    purposes.extend(foreign.iter().map(|word| vec![String::from_utf8_lossy(word).into_owned()]));
    (purposes, walked.is_exact && foreign.is_empty())
}
