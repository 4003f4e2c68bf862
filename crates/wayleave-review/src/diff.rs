//! What a change of the rules changes: who gains or loses which usage where, over every path.
//!
//! For each kind of crawler (`kinds`) and each usage that either policy speaks of, both are asked about a path of
//! each region (`regions`). What is compared is what the site expresses of each usage, with its conditions. A usage
//! that is barred because `crawl` is (S-14) is told as the change of `crawl` that it is.
//!
//! Left out, exactly: crawlers for which both policies have the same conventional rules and no ACAP. What decides is
//! then a function of the same rules.

mod grouped;

pub use grouped::{Change, Place, Turn};

use crate::answer::{Decider, Policy, Use, Verdict};
use crate::budget::Budget;
use crate::facts::{FactChange, facts_changed};
use crate::kinds::{CrawlerKind, Kinds, kinds};
use crate::regions::{Bearer, Most, ORIGIN, Regions, Space, Ties, Wanted};
use grouped::{Alike, Changes, Grouping};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use wayleave::vocabulary::UsageKind;
use wayleave::{Bearing, ComparablePattern, Crawler, Evidence, Reading, Usage};

/// What to ask about; nothing given: everything.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Asked {
    /// Only the crawlers of these names.
    pub crawlers: Vec<String>,
    /// Only these usages.
    pub usages: Vec<Usage>,
}

impl Asked {
    /// Only about these crawlers and usages; of those of which none are given, about all.
    #[must_use]
    pub fn about(crawlers: Vec<String>, usages: Vec<Usage>) -> Self {
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
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::NotProven => "not-proven",
        }
    }
}

/// What is not the same under two policies.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The reading of both.
    pub reading: Reading,
    /// How far it holds.
    pub proof: Proof,
    /// The changes of decisions, the biggest first.
    pub changes: Vec<Change>,
    /// Fields that decide nothing, taken away and added.
    pub facts: Vec<FactChange>,
    /// Whether the end of a file is beyond the limit and so unread (S-22).
    pub is_truncated: bool,
    /// How many states the walks over paths had.
    pub states: usize,
    /// How many decisions were asked for.
    pub questions: usize,
}

impl Difference {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.facts.is_empty()
    }
}

/// What changes from one policy to another, both read in the same reading.
///
/// ```
/// use wayleave::{Evidence, Reading};
/// let old = Evidence::of_robots_txt(b"User-agent: *\nAllow: /\n", Reading::Default);
/// let new = Evidence::of_robots_txt(b"User-agent: *\nDisallow: /a/\n", Reading::Default);
/// let difference = wayleave_review::diff(&old, &new, &wayleave_review::Asked::default());
/// let change = &difference.changes[0];
/// assert_eq!(change.sentence(), "every crawler loses crawl of `/a/`");
/// assert_eq!(change.places[0].example, "/a/");
/// ```
///
/// Cost: bounded, whatever the files are; beyond the bound the result is not proven.
#[must_use]
pub fn diff(old: &Evidence<'_>, new: &Evidence<'_>, asked: &Asked) -> Difference {
    diff_within(old, new, asked, Most::USUAL)
}

/// The same with another bound.
pub(crate) fn diff_within(old: &Evidence<'_>, new: &Evidence<'_>, asked: &Asked, most: Most) -> Difference {
    let (old, new) = (Policy::new(old), Policy::new(new));
    let Kinds { kinds, is_whole } = kinds(&[old.evidence, new.evidence], &asked.crawlers);
    let comparing = Comparing::new(&old, &new, asked, most);
    let mut grouping = Grouping::of(comparing.usages.len());
    let (mut is_exact, mut states) = (is_whole && comparing.is_exact, 0);
    for kind in &kinds {
        let found = comparing.of_kind(kind);
        is_exact &= found.is_exact;
        states += found.states;
        grouping.add(kind, found.items, &comparing);
    }
    let is_truncated = [old.evidence, new.evidence].into_iter().any(is_truncated);
    Difference {
        reading: new.evidence.reading(),
        proof: if is_exact { Proof::Exact } else { Proof::NotProven },
        changes: grouping.changes(),
        facts: facts_changed(old.evidence, new.evidence, &kinds, asked),
        is_truncated,
        states,
        questions: old.questions.get() + new.questions.get(),
    }
}

pub(crate) fn is_truncated(evidence: &Evidence<'_>) -> bool {
    matches!(evidence.robots_txt(), wayleave::RobotsTxt::Read(policy) if policy.is_truncated())
}

/// Where a use is answered otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) usage: Usage,
    pub(crate) purpose: Option<String>,
    pub(crate) before: Verdict,
    pub(crate) after: Verdict,
    pub(crate) was_by: Option<Decider>,
    pub(crate) is_by: Option<Decider>,
    pub(crate) path: String,
}

/// What was found for one kind of crawler.
#[derive(Default)]
struct Found {
    items: Vec<Item>,
    is_exact: bool,
    states: usize,
}

struct Comparing<'a> {
    old: &'a Policy<'a>,
    new: &'a Policy<'a>,
    usages: Vec<Usage>,
    /// Those that stand for every purpose there is, and none.
    purposes: Vec<Vec<String>>,
    is_exact: bool,
    budget: Budget,
}

impl<'a> Comparing<'a> {
    fn new(old: &'a Policy<'a>, new: &'a Policy<'a>, asked: &Asked, most: Most) -> Self {
        let policies = [old.evidence, new.evidence];
        let budget = Budget::new(most);
        let (purposes, is_exact) = purposes(&policies, &budget);
        Self { old, new, usages: usages(&policies, asked), purposes, is_exact, budget }
    }

    fn of_kind(&self, kind: &CrawlerKind) -> Found {
        let [before, after] = kind.bearings.as_slice() else { return Found::default() };
        let has_acap = [before, after].into_iter().any(|one| !one.fields.is_empty() || !one.unread.is_empty());
        if has_acap { self.by_acap(kind) } else { self.by_rules(kind, before, after) }
    }

    fn reading(&self) -> Reading {
        self.new.evidence.reading()
    }

    /// Conventional records alone: they speak of `crawl` only (S-13).
    fn by_rules(&self, kind: &CrawlerKind, before: &Bearing, after: &Bearing) -> Found {
        let mut found = Found { is_exact: true, ..Found::default() };
        let mut bearers = bearers_of_rules(&[(before, 0), (after, 0)]);
        if !self.usages.contains(&Usage::Crawl) || !bearers.iter().any(|bearer| bearer.is_changed) {
            return found;
        }
        bearers.extend(robots_txt_itself(self.reading()));
        let space = Space::Paths(self.reading());
        let walked = self.budget.walk(&space, &bearers, Ties::Alike, Wanted::Changed);
        self.ask(kind, &Usage::Crawl, &[], &walked, &mut found);
        found
    }

    /// Every usage and purpose, with conditions.
    fn by_acap(&self, kind: &CrawlerKind) -> Found {
        let mut found = Found { is_exact: true, ..Found::default() };
        // Usages on which the same patterns bear have the same regions; only on `crawl` rules bear too.
        let mut known: HashMap<(Vec<ComparablePattern>, bool), Regions> = HashMap::new();
        for usage in &self.usages {
            let is_crawl = *usage == Usage::Crawl;
            let mut bearers = bearers_of_fields(usage, &kind.bearings);
            let key = (bearers.iter().map(|bearer| bearer.pattern.clone()).collect(), is_crawl);
            let walk = || {
                if is_crawl {
                    let rules: Vec<(&Bearing, usize)> = kind.bearings.iter().map(|one| (one, 0)).collect();
                    bearers.extend(bearers_of_rules(&rules));
                    bearers.extend(robots_txt_itself(self.reading()));
                }
                self.budget.walk(&Space::Paths(self.reading()), &bearers, Ties::Apart, Wanted::All)
            };
            let walked = &*known.entry(key).or_insert_with(walk);
            for purposes in &self.purposes {
                self.ask(kind, usage, purposes, walked, &mut found);
            }
        }
        found
    }

    fn ask(&self, kind: &CrawlerKind, usage: &Usage, purposes: &[String], walked: &Regions, found: &mut Found) {
        found.is_exact &= walked.is_exact;
        found.states += walked.states;
        let asked = Use { crawler: &kind.crawler, usage, purposes };
        for region in &walked.regions {
            if !self.budget.takes_question(kind) {
                found.is_exact = false;
                return;
            }
            let url = format!("{ORIGIN}{}", region.path);
            let (before, after) = (self.old.verdict(asked, &url), self.new.verdict(asked, &url));
            if before != after {
                found.items.push(Item {
                    usage: usage.clone(),
                    purpose: purposes.first().cloned(),
                    before,
                    after,
                    was_by: self.old.decider(asked, &url),
                    is_by: self.new.decider(asked, &url),
                    path: region.path.clone(),
                });
            }
        }
    }
}

impl Changes for Comparing<'_> {
    fn changes(&self, crawler: &Crawler, usage: &Usage, alike: &Alike, path: &str) -> bool {
        let url = format!("{ORIGIN}{path}");
        let asked = Use { crawler, usage, purposes: alike.purpose.as_slice() };
        self.old.verdict(asked, &url) == alike.before && self.new.verdict(asked, &url) == alike.after
    }
}

/// The conventional rules of several policies, each with the number of its reading: those that are the same in several
/// once.
pub(crate) fn bearers_of_rules(bearings: &[(&Bearing, usize)]) -> Vec<Bearer> {
    let mut sides: BTreeMap<(&ComparablePattern, u32, usize), u8> = BTreeMap::new();
    let mut all = 0;
    for (side, (bearing, reading)) in bearings.iter().enumerate() {
        all |= 1 << side;
        for rule in &bearing.rules {
            *sides.entry((&rule.pattern, rule.rank, *reading)).or_default() |= 1 << side;
        }
    }
    let bearer = |((pattern, rank, reading), sides): ((&ComparablePattern, u32, usize), u8)| Bearer {
        pattern: pattern.clone(),
        reading,
        sides,
        rank: Some(rank),
        is_changed: sides != all,
    };
    sides.into_iter().map(bearer).collect()
}

/// `/robots.txt` itself, where it is permitted whatever rules say (S-13): a rule above all others.
fn robots_txt_itself(reading: Reading) -> Option<Bearer> {
    let pattern = ComparablePattern::exactly(b"/robots.txt");
    let bearer = Bearer { pattern, reading: 0, sides: u8::MAX, rank: Some(u32::MAX), is_changed: false };
    reading.switches().permits_robots_txt.then_some(bearer)
}

/// The patterns of ACAP fields that bear on a usage, each once.
pub(crate) fn bearers_of_fields(usage: &Usage, bearings: &[Bearing]) -> Vec<Bearer> {
    let fields = bearings.iter().flat_map(|bearing| &bearing.fields).filter(|field| field.bears_on(usage));
    let patterns: BTreeSet<&ComparablePattern> = fields.map(|field| &field.pattern).collect();
    let bearer = |pattern: &ComparablePattern| Bearer {
        pattern: pattern.clone(),
        reading: 0,
        sides: u8::MAX,
        rank: None,
        is_changed: true,
    };
    patterns.into_iter().map(bearer).collect()
}

/// The usages to ask about: where a policy speaks ACAP, the standard ones and whatever else is spoken of. Others are
/// answered as `other` is, or `present`.
pub(crate) fn usages(policies: &[&Evidence<'_>], asked: &Asked) -> Vec<Usage> {
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
    let bearer = |pattern| Bearer { pattern, reading: 0, sides: 1, rank: None, is_changed: true };
    let bearers: Vec<Bearer> = patterns.into_iter().map(bearer).collect();
    let mut purposes = vec![Vec::new()];
    if bearers.is_empty() {
        return (purposes, true);
    }
    let walked = budget.walk(&Space::Words, &bearers, Ties::Apart, Wanted::Changed);
    purposes.extend(walked.regions.into_iter().map(|region| vec![region.path]));
    // Words are made of ASCII. A purpose that is not is asked about as it is written, and nothing is proven of it.
    let foreign = bearers.iter().filter(|bearer| !bearer.pattern.pieces().all(<[u8]>::is_ascii));
    let foreign: Vec<Vec<u8>> = foreign.map(|bearer| bearer.pattern.pieces().collect::<Vec<_>>().concat()).collect();
    purposes.extend(foreign.iter().map(|word| vec![String::from_utf8_lossy(word).into_owned()]));
    (purposes, walked.is_exact && foreign.is_empty())
}
