//! Groups decisions that differ between policies into readable summaries, for `diff` and `compare`.
//!
//! All other policies are compared with the first policy. First, policies that differ from it in the same way are
//! joined, then usages, then classes of crawlers. A new member joins a group only if the engine decides the example
//! paths of the group in the same way for that member. The caller defines what a place (a set of paths) is and how it
//! is described.

use crate::budget::Budget;
use crate::crawler_classes::CrawlerClass;
use crate::regions::{ORIGIN, Regions};
use crate::verdict::{DecidingStatement, QueriedPolicy, UseQuery, Verdict};
use byleave::Usage;
use std::collections::BTreeMap;
use std::slice;

/// A use that a policy decides differently from the first policy.
#[derive(Clone, Debug)]
pub(crate) struct DifferingUse<C> {
    pub(crate) usage: Usage,
    pub(crate) purpose: Option<String>,
    pub(crate) path: String,
    /// The number of the policy that differs.
    pub(crate) policy: usize,
    /// The cause of the difference, if the caller distinguishes causes.
    pub(crate) cause: C,
    /// The first policy's verdict, and its deciding statement (`None` if a default decides).
    pub(crate) first: Verdict,
    pub(crate) first_by: Option<DecidingStatement>,
    /// The verdict and the deciding statement in the policy that differs.
    pub(crate) other: Verdict,
    pub(crate) other_by: Option<DecidingStatement>,
    /// The pattern that overrides every statement about the use, if one policy leaves the use unstated for this reason.
    pub(crate) silenced_by: Option<String>,
}

/// The differing uses for one class of crawlers.
pub(crate) struct ClassFindings<C> {
    pub(crate) uses: Vec<DifferingUse<C>>,
    /// Whether every path was covered.
    pub(crate) is_exact: bool,
    /// The number of states that the walks over paths visited.
    pub(crate) states: usize,
}

impl<C> ClassFindings<C> {
    pub(crate) fn new(is_exact: bool) -> Self {
        Self { uses: Vec::new(), is_exact, states: 0 }
    }

    /// Asks every policy about one path per region, and records the paths on which a policy differs from the first one.
    ///
    /// `explain` receives the number of a policy, a URL and the two verdicts. It returns the cause, and the pattern
    /// that overrides a statement, if any.
    pub(crate) fn ask(
        &mut self,
        (policies, budget): (&[QueriedPolicy<'_>], &Budget),
        class: &CrawlerClass,
        query: UseQuery<'_>,
        walked: &Regions,
        explain: impl Fn(usize, &str, [&Verdict; 2]) -> (C, Option<String>),
    ) {
        self.is_exact &= walked.is_exact;
        self.states += walked.states;
        let Some((reference, others)) = policies.split_first() else { return };
        for region in &walked.regions {
            if !budget.takes_question(class) {
                self.is_exact = false;
                return;
            }
            let url = format!("{ORIGIN}{}", region.path);
            let first = reference.verdict(query, &url);
            for (policy, differing) in (1..).zip(others) {
                let other = differing.verdict(query, &url);
                if first == other {
                    continue;
                }
                let (cause, silenced_by) = explain(policy, &url, [&first, &other]);
                self.uses.push(DifferingUse {
                    usage: query.usage.clone(),
                    purpose: query.purposes.first().cloned(),
                    path: region.path.clone(),
                    policy,
                    cause,
                    first: first.clone(),
                    first_by: reference.decider(query, &url),
                    other,
                    other_by: differing.decider(query, &url),
                    silenced_by,
                });
            }
        }
    }
}

/// Paths that the same rule decides, with an example path.
pub(crate) trait GroupedPlace<C>: Sized {
    /// A key that is equal for the same place, even for another crawler, usage or policy.
    type Key: Clone + Ord;

    /// Returns the places for uses with the same verdicts and cause, largest first.
    fn places_of(uses: &[DifferingUse<C>]) -> Vec<Self>;

    fn key(&self) -> Self::Key;

    /// Returns a path in the place.
    fn example(&self) -> &str;
}

/// The differences for several classes of crawlers, while they are being grouped.
pub(crate) struct Grouping<'p, C, P: GroupedPlace<C>> {
    policies: &'p [QueriedPolicy<'p>],
    groups: BTreeMap<GroupKey<C, P::Key>, Vec<CrawlerGroup<P>>>,
    /// The number of crawlers named so far.
    pub(crate) named: usize,
}

/// A group of crawlers, policies and usages that differ in the same way in the same places.
pub(crate) struct DifferenceGroup<C, P> {
    pub(crate) purpose: Option<String>,
    pub(crate) cause: C,
    pub(crate) first: Verdict,
    pub(crate) other: Verdict,
    /// The numbers of the policies that differ from the first.
    pub(crate) policies: Vec<usize>,
    pub(crate) usages: Vec<Usage>,
    pub(crate) crawlers: Vec<String>,
    pub(crate) is_for_unnamed: bool,
    pub(crate) places: Vec<P>,
}

/// The values that all members of a group share, the policies of the group, and its usages.
type GroupKey<C, K> = (SharedDifference<C, K>, Vec<usize>, Vec<Usage>);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct SharedDifference<C, K> {
    purpose: Option<String>,
    cause: C,
    first: Verdict,
    other: Verdict,
    places: Vec<K>,
}

struct CrawlerGroup<P> {
    crawlers: Vec<String>,
    is_for_unnamed: bool,
    places: Vec<P>,
}

/// Groups of joined policies or usages, each with its places.
type Joined<T, P> = Vec<(Vec<T>, Vec<P>)>;

impl<'p, C: Clone + Ord, P: GroupedPlace<C>> Grouping<'p, C, P> {
    pub(crate) fn new(policies: &'p [QueriedPolicy<'p>]) -> Self {
        Self { policies, groups: BTreeMap::new(), named: 0 }
    }

    /// Adds the differing uses for one class of crawlers.
    ///
    /// `opened` is called with the places of each new group, and `joined` with the places of each group that the class
    /// joins.
    pub(crate) fn add(
        &mut self,
        class: &CrawlerClass,
        uses: Vec<DifferingUse<C>>,
        opened: impl Fn(&[Usage], &mut [P]),
        joined: impl Fn(&[Usage], &mut [P]),
    ) {
        self.named += class.names.len();
        let asked = self.policies;
        let is_so = |usages: &[Usage], policies: &[usize], shared: &SharedDifference<C, P::Key>, places: &[P]| {
            let mut uses = places.iter().flat_map(|place| usages.iter().map(move |usage| (usage, place.example())));
            uses.all(|(usage, path)| {
                let query = UseQuery { crawler: &class.crawler, usage, purposes: shared.purpose.as_slice() };
                shared.is_decided(asked, policies, query, path)
            })
        };
        let mut by_policies: BTreeMap<_, Joined<usize, P>> = BTreeMap::new();
        for ((usage, policy), differences) in shared_differences(uses) {
            for (shared, places) in differences {
                let known = by_policies.entry((usage.clone(), shared.clone())).or_default();
                join(known, policy, places, |known| is_so(slice::from_ref(&usage), &[policy], &shared, known));
            }
        }
        let mut by_usages: BTreeMap<_, Joined<Usage, P>> = BTreeMap::new();
        for ((usage, shared), groups) in by_policies {
            for (policies, places) in groups {
                let known = by_usages.entry((shared.clone(), policies.clone())).or_default();
                let is_example = |known: &[P]| is_so(slice::from_ref(&usage), &policies, &shared, known);
                join(known, usage.clone(), places, is_example);
            }
        }
        for ((shared, policies), groups) in by_usages {
            for (usages, mut places) in groups {
                let groups = self.groups.entry((shared.clone(), policies.clone(), usages.clone())).or_default();
                let is_member = |group: &&mut CrawlerGroup<P>| is_so(&usages, &policies, &shared, &group.places);
                let (crawlers, is_for_unnamed) = (class.names.clone(), class.has_unnamed);
                match groups.iter_mut().take(MAX_GROUPS_COMPARED).find(is_member) {
                    Some(group) => {
                        group.crawlers.extend(crawlers);
                        group.is_for_unnamed |= is_for_unnamed;
                        joined(&usages, &mut group.places);
                    }
                    None => {
                        opened(&usages, &mut places);
                        groups.push(CrawlerGroup { crawlers, is_for_unnamed, places });
                    }
                }
            }
        }
    }

    /// Returns the groups, sorted by the values that their members share.
    pub(crate) fn groups(self) -> impl Iterator<Item = DifferenceGroup<C, P>> {
        self.groups.into_iter().flat_map(|((shared, policies, usages), groups)| {
            groups.into_iter().map(move |CrawlerGroup { crawlers, is_for_unnamed, places }| {
                let SharedDifference { purpose, cause, first, other, .. } = shared.clone();
                let (policies, usages) = (policies.clone(), usages.clone());
                DifferenceGroup { purpose, cause, first, other, policies, usages, crawlers, is_for_unnamed, places }
            })
        })
    }
}

impl<C, K> SharedDifference<C, K> {
    /// Returns whether the first policy and the given other policies decide a use of a path as the difference states.
    fn is_decided(&self, policies: &[QueriedPolicy<'_>], others: &[usize], query: UseQuery<'_>, path: &str) -> bool {
        let url = format!("{ORIGIN}{path}");
        let mut others = others.iter().filter_map(|number| policies.get(*number));
        policies.first().is_some_and(|first| first.verdict(query, &url) == self.first)
            && others.all(|other| other.verdict(query, &url) == self.other)
    }
}

/// Adds a member to the first group whose examples also hold for this member, or opens a new group.
fn join<T, P>(groups: &mut Joined<T, P>, member: T, places: Vec<P>, is_example: impl Fn(&[P]) -> bool) {
    match groups.iter_mut().find(|(_, places)| is_example(places)) {
        Some((members, _)) => members.push(member),
        None => groups.push((vec![member], places)),
    }
}

/// A class is compared with at most this many groups that have the same key and differ only in their examples.
const MAX_GROUPS_COMPARED: usize = 16;

/// The differences for one usage in one policy, each with its places.
type WithPlaces<C, P> = Vec<(SharedDifference<C, <P as GroupedPlace<C>>::Key>, Vec<P>)>;

/// Groups uses by usage and policy, then by purpose, cause and verdicts.
fn shared_differences<C, P>(uses: Vec<DifferingUse<C>>) -> BTreeMap<(Usage, usize), WithPlaces<C, P>>
where
    C: Clone + Ord,
    P: GroupedPlace<C>,
{
    let mut by_use: BTreeMap<_, BTreeMap<_, Vec<DifferingUse<C>>>> = BTreeMap::new();
    for one in uses {
        let verdicts = (one.purpose.clone(), one.cause.clone(), one.first.clone(), one.other.clone());
        by_use.entry((one.usage.clone(), one.policy)).or_default().entry(verdicts).or_default().push(one);
    }
    let mut found = BTreeMap::new();
    for (of, by_verdicts) in by_use {
        let mut known: WithPlaces<C, P> = Vec::new();
        // Uses without a purpose come first. A difference without a purpose also holds for every purpose, so it is not
        // repeated for each purpose.
        for ((purpose, cause, first, other), uses) in by_verdicts {
            let places = P::places_of(&uses);
            let keys = places.iter().map(P::key).collect();
            let shared = SharedDifference { purpose: None, cause, first, other, places: keys };
            if purpose.is_none() || !known.iter().any(|(known, _)| *known == shared) {
                known.push((SharedDifference { purpose, ..shared }, places));
            }
        }
        found.insert(of, known);
    }
    found
}
