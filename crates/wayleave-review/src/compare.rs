//! Where the readings of one site differ: for which crawlers, usages and paths, and which difference of the readings
//! it is.
//!
//! The paths are those of URLs in the normal form of RFC 3986 6.2.2: an octet is escaped only where it has to be, and
//! reserved characters only where some pattern of the site escapes the same. Outside of that, readings differ for
//! every site alike: Google's parser does not take `%61` for `a`, and to the letter of RFC 9309 `%2F` is `/`. For the
//! same reason `/robots.txt` itself is left out, which is always permitted but in the reading `google`.

mod cause;
mod grouped;

pub use cause::Cause;
pub use grouped::{Answered, Divergence, DivergentPlace};

use crate::answer::{Decider, Policy, Use, Verdict};
use crate::crawlers::{CrawlerKind, kinds};
use crate::diff::{Asked, Proof, bearers_of_fields, bearers_of_rules, is_truncated, purposes, usages};
use crate::regions::{Bearer, Most, ORIGIN, Regions, Space, Ties, Wanted, is_reserved, regions};
use cause::Causes;
use grouped::{Grouping, Verdicts};
use std::collections::{BTreeSet, HashMap};
use wayleave::{Bearing, ComparablePattern, Crawler, Evidence, Reading, Usage};

/// Where readings of one site are not alike.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// How far it holds.
    pub proof: Proof,
    /// The differences, the biggest first.
    pub divergences: Vec<Divergence>,
    /// Whether the end of the file is beyond the limit and so unread (S-22).
    pub is_truncated: bool,
    /// How many states the walks over paths had.
    pub states: usize,
    /// How many decisions were asked for.
    pub questions: usize,
}

/// Where one site, given as it is read in each reading, is decided otherwise. The first is what others are held against.
///
/// ```
/// use wayleave::{Evidence, Reading};
/// let robots_txt = b"User-agent: *\nDissalow: /a/\n";
/// let read: Vec<_> = Reading::ALL.iter().map(|reading| Evidence::of_robots_txt(robots_txt, *reading)).collect();
/// let compared = wayleave_review::compare(&read.iter().collect::<Vec<_>>(), &wayleave_review::Asked::default());
/// let found = &compared.divergences[0];
/// assert_eq!(found.sentence(), "every crawler: crawl of `/a/` is not the same in every reading");
/// assert_eq!(found.places[0].example, "/a/");
/// ```
///
/// Cost: bounded for each kind of crawler and usage, and by a number of questions in all.
#[must_use]
pub fn compare(readings: &[&Evidence<'_>], asked: &Asked) -> Comparison {
    let policies: Vec<Policy<'_>> = readings.iter().take(MOST_READINGS).map(|evidence| Policy::new(evidence)).collect();
    let evidences: Vec<&Evidence<'_>> = policies.iter().map(|policy| policy.evidence).collect();
    let kinds = kinds(&evidences, &asked.crawlers);
    let most = Most::USUAL;
    let (purposes, has_all_purposes) = purposes(&evidences, most);
    let escaped = escaped_by(&kinds);
    let comparing = Comparing {
        policies: &policies,
        causes: Causes::new(&policies),
        usages: usages(&evidences, asked),
        purposes,
        escaped,
        most,
    };
    let mut grouping = Grouping::of(comparing.usages.len());
    let (mut is_exact, mut states) = (has_all_purposes, 0);
    for kind in &kinds {
        let found = comparing.of_kind(kind);
        is_exact &= found.is_exact;
        states += found.states;
        grouping.add(kind, found.items, &comparing);
    }
    Comparison {
        proof: if is_exact { Proof::Exact } else { Proof::NotProven },
        divergences: grouping.divergences(),
        is_truncated: evidences.iter().any(|evidence| is_truncated(evidence)),
        states,
        questions: policies.iter().map(|policy| policy.questions.get()).sum(),
    }
}

/// More readings are not compared at once.
const MOST_READINGS: usize = 8;
/// More decisions than this are not asked for in one reading.
const MOST_QUESTIONS: usize = 500_000;

/// Where readings do not answer alike.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) usage: Usage,
    pub(crate) purpose: Option<String>,
    pub(crate) path: String,
    pub(crate) verdicts: Vec<(Reading, Verdict)>,
    pub(crate) deciders: Vec<(Reading, Option<Decider>)>,
    /// Why each reading differs that does.
    pub(crate) causes: Vec<(Reading, Cause)>,
}

#[derive(Default)]
struct Found {
    items: Vec<Item>,
    is_exact: bool,
    states: usize,
}

struct Comparing<'a> {
    policies: &'a [Policy<'a>],
    causes: Causes<'a>,
    usages: Vec<Usage>,
    purposes: Vec<Vec<String>>,
    /// The reserved characters that some pattern escapes.
    escaped: BTreeSet<u8>,
    most: Most,
}

impl Comparing<'_> {
    fn of_kind(&self, kind: &CrawlerKind) -> Found {
        let mut found = Found { is_exact: true, ..Found::default() };
        let has_acap = kind.bearings.iter().any(|one| !one.fields.is_empty() || !one.unread.is_empty());
        let mut known: HashMap<Vec<ComparablePattern>, Regions> = HashMap::new();
        for usage in &self.usages {
            // Conventional rules speak of `crawl` only (S-13).
            if !has_acap && *usage != Usage::Crawl {
                continue;
            }
            let fields = bearers_of_fields(usage, &kind.bearings);
            let key = fields.iter().map(|bearer| bearer.pattern.clone()).collect();
            let walk = || self.walk(fields, &kind.bearings, *usage == Usage::Crawl);
            // The regions of `crawl` are its own: rules are among its patterns.
            let own;
            let walked = if *usage == Usage::Crawl {
                own = walk();
                &own
            } else {
                &*known.entry(key).or_insert_with(walk)
            };
            for purposes in &self.purposes {
                self.ask(kind, usage, purposes, walked, &mut found);
            }
        }
        found
    }

    fn walk(&self, fields: Vec<Bearer>, bearings: &[Bearing], is_crawl: bool) -> Regions {
        let escaped = &self.escaped;
        // Where no reserved character is escaped, what a URL comes to is the same in every reading.
        let mut readings = vec![Reading::Default];
        let mut sides = Vec::new();
        for policy in self.policies {
            let reading = policy.evidence.reading();
            let is_alike = |known: &Reading| known.switches().escapes == reading.switches().escapes;
            let number = if escaped.is_empty() { Some(0) } else { readings.iter().position(is_alike) };
            sides.push(number.unwrap_or(readings.len()));
            if number.is_none() {
                readings.push(reading);
            }
        }
        let has_fields = !fields.is_empty();
        let mut bearers = fields;
        if is_crawl {
            let rules: Vec<(&Bearing, usize)> = bearings.iter().zip(sides).collect();
            bearers.extend(bearers_of_rules(&rules));
            let itself = ComparablePattern::exactly(b"/robots.txt");
            bearers.push(Bearer {
                pattern: itself,
                reading: 0,
                sides: u8::MAX,
                rank: Some(u32::MAX),
                is_changed: false,
            });
        }
        let (ties, wanted) = if has_fields { (Ties::Apart, Wanted::All) } else { (Ties::Alike, Wanted::Changed) };
        regions(&Space::NormalPaths(readings, escaped.clone()), &bearers, ties, wanted, self.most)
    }

    fn ask(&self, kind: &CrawlerKind, usage: &Usage, purposes: &[String], walked: &Regions, found: &mut Found) {
        found.is_exact &= walked.is_exact;
        found.states += walked.states;
        let asked = Use { crawler: &kind.crawler, usage, purposes };
        for region in walked.regions.iter().filter(|region| region.path != "/robots.txt") {
            if self.policies.first().is_none_or(|policy| policy.questions.get() > MOST_QUESTIONS) {
                found.is_exact = false;
                return;
            }
            let url = format!("{ORIGIN}{}", region.path);
            let ask = |policy: &Policy<'_>| (policy.evidence.reading(), policy.verdict(asked, &url));
            let verdicts: Vec<(Reading, Verdict)> = self.policies.iter().map(ask).collect();
            let Some((_, ours)) = verdicts.first() else { return };
            if verdicts.iter().all(|(_, theirs)| theirs == ours) {
                continue;
            }
            let differing = verdicts.iter().enumerate().filter(|(_, (_, theirs))| theirs != ours);
            let causes = differing.map(|(number, (reading, _))| (*reading, self.causes.of(number, asked, &url)));
            found.items.push(Item {
                usage: usage.clone(),
                purpose: purposes.first().cloned(),
                path: region.path.clone(),
                causes: causes.collect(),
                deciders: self.policies.iter().map(|one| (one.evidence.reading(), one.decider(asked, &url))).collect(),
                verdicts,
            });
        }
    }
}

impl Verdicts for Comparing<'_> {
    fn verdicts(&self, crawler: &Crawler, usage: &Usage, purpose: Option<&String>, path: &str) -> Vec<Verdict> {
        let url = format!("{ORIGIN}{path}");
        let asked = Use { crawler, usage, purposes: purpose.map(std::slice::from_ref).unwrap_or_default() };
        self.policies.iter().map(|policy| policy.verdict(asked, &url)).collect()
    }
}

/// The reserved characters that some pattern escapes.
fn escaped_by(kinds: &[CrawlerKind]) -> BTreeSet<u8> {
    let patterns = kinds.iter().flat_map(|kind| &kind.bearings).flat_map(|bearing| {
        bearing.rules.iter().map(|rule| &rule.pattern).chain(bearing.fields.iter().map(|field| &field.pattern))
    });
    let mut escaped = BTreeSet::new();
    for piece in patterns.flat_map(ComparablePattern::pieces) {
        for window in piece.windows(3) {
            if let [b'%', high, low] = window
                && let (Some(high), Some(low)) = (char::from(*high).to_digit(16), char::from(*low).to_digit(16))
                && let Ok(octet) = u8::try_from(high << 4 | low)
                && is_reserved(octet)
            {
                escaped.insert(octet);
            }
        }
    }
    escaped
}
