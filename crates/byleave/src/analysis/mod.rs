//! What may bear on the decisions about a crawler: the patterns of every rule and field that binds it, as they are
//! matched, with usages and purposes that a site speaks of.
//!
//! It decides nothing. It is for those who want to know of all paths at once: paths that the same of these patterns
//! match are decided alike, since everything else that a decision compares (lengths, scopes, addressees, purposes,
//! terms) belongs to the rule and not to the path; only `/robots.txt` itself is a path of its own (S-13).

mod preference;

pub use preference::BearingPreference;

use crate::dialects::acap::Acap;
use crate::dialects::acap::scope::Pattern;
use crate::dialects::acap::{Entry, What};
use crate::dialects::rfc9309::pattern;
use crate::dialects::rfc9309::pattern::{End, WILDCARD};
use crate::dialects::rfc9309::resource;
use crate::model::BoundBy;
use crate::model::Usage;
use crate::model::crawler::Crawler;
use crate::model::proposed_use::Capabilities;
use crate::model::reading::Reading;
use crate::model::{Addressee, Modality, StatementId};
use crate::site::{Evidence, RobotsTxt};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// A pattern as it is matched: literal pieces with wildcards between them, in comparable form (S-18, S-19).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComparablePattern {
    /// Wildcards are [`WILDCARD`].
    octets: Vec<u8>,
    is_anchored: bool,
    ignores_case: bool,
}

impl ComparablePattern {
    /// The pattern of one comparable path and no other.
    #[must_use]
    pub fn exactly(path: &[u8]) -> Self {
        Self { octets: path.to_vec(), is_anchored: true, ignores_case: false }
    }

    fn new(octets: &[u8], wildcard: u8, end: End, ignores_case: bool) -> Self {
        let octets = octets.iter().map(|byte| if *byte == wildcard { WILDCARD } else { *byte }).collect();
        Self { octets, is_anchored: end == End::Anchored, ignores_case }
    }

    /// Its pieces: the first begins the text, the others follow in their order with anything between. Where it is
    /// anchored, the last one ends the text.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.octets.split(|byte| *byte == WILDCARD)
    }

    /// Whether it must match to the end.
    #[must_use]
    pub fn is_anchored(&self) -> bool {
        self.is_anchored
    }

    /// Whether ASCII capitals of the text count as small letters. Its own are small then.
    #[must_use]
    pub fn ignores_case(&self) -> bool {
        self.ignores_case
    }

    /// Whether it matches a comparable text, as [`comparable_path`] gives one.
    #[must_use]
    pub fn matches(&self, text: &[u8]) -> bool {
        let end = if self.is_anchored { End::Anchored } else { End::Open };
        let matches = |text: &[u8]| pattern::matches(&self.octets, WILDCARD, end, text);
        if self.ignores_case { resource::without_case(text, matches) } else { matches(text) }
    }
}

/// The path and query of a URL, as patterns are compared with it in a reading.
///
/// ```
/// use byleave::{Reading, comparable_path};
/// assert_eq!(comparable_path("https://site.example/%7Ea b#top", Reading::Default), b"/~a%20b");
/// assert_eq!(comparable_path("https://site.example/%7Ea b#top", Reading::Google), b"/%7Ea b");
/// ```
#[must_use]
pub fn comparable_path(url: &str, reading: Reading) -> Vec<u8> {
    resource::with_path(url.as_bytes(), reading.switches(), <[u8]>::to_vec)
}

/// What may bear on the decisions about one crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bearing {
    /// Why the conventional groups that bind it do; nothing where no robots.txt was read.
    pub bound_by: Option<BoundBy>,
    /// The conventional rules of those groups; none where they are to be ignored (P1 2.9.1).
    pub rules: Vec<BearingRule>,
    /// The ACAP fields that address it, of robots.txt and of the files it refers to: one entry a pattern, several for
    /// a field about a resource set.
    pub fields: Vec<BearingField>,
    /// The references for it that are not read and so prohibit everything (S-21).
    pub unread: Vec<StatementId>,
    /// The preferences in today's dialects that address it, of robots.txt and of other documents (S-40).
    pub preferences: Vec<BearingPreference>,
    /// Whether `fields` and `preferences` are all there is to know. If not, there are too many fields about a large set, or a
    /// preference is about one origin.
    pub is_whole: bool,
}

/// More patterns of fields that address one crawler are not told.
const MAX_FIELDS: usize = 200_000;

/// Which groups bind a crawler. Crawlers that the same ones bind get the same decisions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The conventional ones, and whether they name it.
    groups: (Vec<u32>, bool),
    /// The same of other documents that have groups (S-46), by their numbers.
    others: Vec<(u16, Vec<u32>)>,
    /// Those of ACAP by file and number, and whether each names it.
    fields: Vec<((u8, u16), u32, bool)>,
    unread: Vec<StatementId>,
}

/// A conventional rule that binds a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BearingRule {
    /// Which it is.
    pub statement: StatementId,
    /// What it does.
    pub modality: Modality,
    /// Of the rules that match, those of the highest rank are selected; rules of one rank do the same (S-13).
    pub rank: u32,
    /// Its pattern.
    pub pattern: ComparablePattern,
}

/// A pattern of an ACAP field that addresses a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BearingField {
    /// Which field it is of.
    pub statement: StatementId,
    /// Whether the field names the crawler.
    pub addressee: Addressee,
    /// The pattern.
    pub pattern: ComparablePattern,
    /// The usages the field may be about: see `Filter`.
    mask: u16,
    /// Whether it prohibits, on no terms and for every purpose.
    is_plain_prohibition: bool,
    spelling: Option<Arc<[u8]>>,
}

impl BearingField {
    /// Everything that a decision can depend on of the field, beside its addressee and its pattern. Fields of two
    /// policies in which this is the same say the same. Nothing where that is too long to be told.
    #[must_use]
    pub fn spelling(&self) -> Option<&[u8]> {
        self.spelling.as_deref()
    }

    /// Whether it may bear on this usage: it speaks of it, or of one that is asked where nothing speaks of it (S-03).
    #[must_use]
    pub fn bears_on(&self, usage: &Usage) -> bool {
        let tiers = std::iter::once(usage).chain(usage.within()).chain([&Usage::OtherUsage]);
        tiers.into_iter().any(|tier| self.mask & crate::decide::bit_of(tier) != 0)
    }

    /// Whether it prohibits this very usage, on no terms and for every purpose. Where all that bears on a usage does so,
    /// what any of it matches is prohibited (S-07).
    #[must_use]
    pub fn prohibits(&self, usage: &Usage) -> bool {
        let bit = usage.standard_number().map_or(0, |_| crate::decide::bit_of(usage));
        self.is_plain_prohibition && self.mask & bit != 0
    }
}

impl Evidence<'_> {
    /// What robots.txt, and the files it refers to, have that may bear on decisions about this crawler.
    ///
    /// ```
    /// use byleave::{Crawler, Evidence, Reading};
    /// let evidence = Evidence::of_robots_txt(b"User-agent: *\nDisallow: /*.pdf$\n", Reading::Default);
    /// let bearing = evidence.bearing_on(&Crawler::named("AnyBot"));
    /// let pattern = &bearing.rules[0].pattern;
    /// assert_eq!(pattern.pieces().collect::<Vec<_>>(), [&b"/"[..], b".pdf"]);
    /// assert!(pattern.matches(b"/a.pdf") && !pattern.matches(b"/a.pdf?"));
    /// ```
    ///
    /// Cost: linear in the rules and fields that bind the crawler.
    #[must_use]
    pub fn bearing_on(&self, crawler: &Crawler) -> Bearing {
        let mut bearing = Bearing {
            bound_by: None,
            rules: Vec::new(),
            fields: Vec::new(),
            unread: Vec::new(),
            preferences: Vec::new(),
            is_whole: true,
        };
        preference::add(self, crawler, &mut bearing);
        let RobotsTxt::Read(policy) = self.robots_txt() else { return bearing };
        let bound = policy.bind(crawler);
        bearing.bound_by = Some(bound.bound_by());
        if !policy.acap().is_some_and(|acap| acap.ignores_conventional) {
            bound.each_rule(|rule, octets, wildcard, end| {
                bearing.rules.push(BearingRule {
                    statement: StatementId::rule(rule.rule),
                    modality: if rule.is_prohibition() { Modality::Prohibition } else { Modality::Permission },
                    rank: rule.priority,
                    pattern: ComparablePattern::new(octets, wildcard, end, false),
                });
            });
        }
        let sources = self.sources(&Capabilities::default(), None);
        sources.each(crawler, |document, acap| {
            acap.each_group_for(crawler, |group, addressee| {
                let Some(group) = acap.groups.get(group as usize) else { return };
                let first = group.statements.start;
                let entries = group.statements.of(&acap.statements).iter().zip(group.statements.of(&acap.filters));
                for (number, (entry, filter)) in (first..).zip(entries) {
                    let statement = StatementId::new(document, number);
                    let members = members(acap, entry);
                    if bearing.fields.len() + members.len() >= MAX_FIELDS {
                        bearing.is_whole = false;
                        return;
                    }
                    let patterns = filter.pattern.into_iter().chain(members.iter().copied());
                    let spelling: Option<Arc<[u8]>> = acap.spelt_out(entry, document.order()).map(Arc::from);
                    bearing.fields.extend(patterns.map(|pattern| BearingField {
                        statement,
                        addressee,
                        pattern: of_acap(acap, pattern),
                        mask: filter.mask,
                        is_plain_prohibition: filter.simple == Some(false),
                        spelling: spelling.clone(),
                    }));
                }
            });
        });
        bearing.unread = sources.unread(crawler).collect();
        bearing
    }

    /// Which groups of robots.txt, and of the files it refers to, bind this crawler.
    ///
    /// Cost: linear in the names.
    #[must_use]
    pub fn binding_of(&self, crawler: &Crawler) -> Binding {
        let mut binding = Binding {
            groups: (Vec::new(), false),
            others: preference::groups(self, crawler),
            fields: Vec::new(),
            unread: Vec::new(),
        };
        let RobotsTxt::Read(policy) = self.robots_txt() else { return binding };
        let bound = policy.bind(crawler);
        let is_named = matches!(bound.bound_by(), BoundBy::Named | BoundBy::Fallback(_));
        binding.groups = (bound.blocks(), is_named);
        let sources = self.sources(&Capabilities::default(), None);
        sources.each(crawler, |document, acap| {
            acap.each_group_for(crawler, |group, addressee| {
                binding.fields.push((document.order(), group, addressee == Addressee::Named));
            });
        });
        binding.unread = sources.unread(crawler).collect();
        binding
    }

    /// The usages that robots.txt, and the files it refers to, speak of: `crawl` where there are conventional groups,
    /// and those of ACAP fields; then those of preferences, of whatever document (S-40), and words that are no known usage.
    #[must_use]
    pub fn usages_spoken_of(&self) -> Vec<Usage> {
        let mut known = BTreeSet::new();
        let mut words = BTreeSet::new();
        if matches!(self.robots_txt(), RobotsTxt::Read(policy) if !policy.groups().is_empty()) {
            known.extend(Usage::Crawl.standard_number());
        }
        for acap in self.robots_acaps() {
            for entry in &acap.statements {
                let mut add = |what: What| match acap.meant(what, entry.is_permission) {
                    What::Standard(number) => {
                        known.insert(number);
                    }
                    What::Word(word) => {
                        words.insert(String::from_utf8_lossy(word.of(&acap.arena)).into_owned());
                    }
                    What::Local(_) => {}
                };
                add(entry.what);
                let local = match entry.what {
                    What::Local(number) => acap.locals.get(number as usize),
                    What::Standard(_) | What::Word(_) => None,
                };
                let members = local.map_or(&[][..], |local| local.members.of(&acap.members));
                members.iter().for_each(|member| add(member.what));
            }
        }
        let preferred = preference::usages(self);
        let words: BTreeSet<Usage> = words.iter().map(|word| Usage::named(word)).chain(preferred).collect();
        known.into_iter().map(|number| Usage::standard(number).clone()).chain(words).collect()
    }

    /// The purposes that ACAP fields of robots.txt, and of the files it refers to, are limited to, as patterns.
    #[must_use]
    pub fn purposes_spoken_of(&self) -> Vec<ComparablePattern> {
        let mut known = HashSet::new();
        let mut patterns = Vec::new();
        for acap in self.robots_acaps() {
            for purpose in &acap.purpose_patterns {
                let pattern = ComparablePattern::new(purpose.pattern.of(&acap.arena), WILDCARD, purpose.end(), true);
                if known.insert(pattern.clone()) {
                    patterns.push(pattern);
                }
            }
        }
        patterns
    }
}

/// The patterns of the resource set that a statement is about; none where it is about a path.
fn members<'a>(acap: &'a Acap, entry: &Entry) -> &'a [Pattern] {
    acap.sets.get(entry.set as usize).map_or(&[], |set| set.patterns.of(&acap.patterns))
}

fn of_acap(acap: &Acap, pattern: Pattern) -> ComparablePattern {
    let (octets, end) = pattern.as_matched(&acap.arena);
    ComparablePattern::new(octets, WILDCARD, end, true)
}
