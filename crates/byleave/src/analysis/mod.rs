//! Collects the rules that may apply to a crawler, with comparable patterns, and the usages and purposes they address.
//!
//! This module does not decide anything. Tools use it to reason about all paths at once: two paths that match the same
//! patterns get the same decision. Everything else that a decision compares (lengths, scopes, addressees, purposes,
//! terms) belongs to the rule, not to the path. The only exception is `/robots.txt` itself (S-13).

mod preference;

pub use crate::base::source;
pub use crate::decide::decide_unchecked;
pub use crate::dialects::rfc9309::resource::{is_resource, origin};
pub use crate::dialects::well_known_documents;
pub use crate::explain::{AcapStatement, PreferenceStatement, SiteStatements, explain_unchecked};
pub use crate::formats::http::{BodyFraming, FieldLine, StoredResponse, StoredResponseProblem};
pub use crate::model::crawler::product_tokens;
pub use crate::model::semantics::RULES;
pub use crate::policy::diagnose::{field, tree};
pub use crate::policy::{CrawlerGroup, SharedPolicy, Statements};
pub use crate::site::{DOM, HEADERS, PAGE, ROBOTS_TXT, RobotsTxt};
pub use preference::{ApplicablePreference, CanonicalPreference};

/// The switches that distinguish the readings.
pub mod reading {
    pub use crate::model::reading::{DirectiveTable, Escapes, FieldMatching, Lifting, NameGrammar, Switches};
}

/// robots.txt as written: lines and the lossless tree.
pub mod robots_txt {
    pub use crate::robots_txt::{Leaf, LeafKind, Line, Separator, Tree};
}

/// Pages: META tags, encodings, and whether a document is HTML.
pub mod html {
    pub use crate::formats::html::{
        BodyRead, Decoded, HeadRead, MetaTag, body_metas, charset, decoded, head_metas, is_html, is_xml,
    };
}

/// The vocabularies of all dialects.
pub mod vocabulary {
    pub use crate::dialects::abilities;
    pub use crate::dialects::acap::{AcapField, AcapVersion, KnownQualifier, QUALIFIERS, Readiness, Values};
    pub use crate::dialects::exclusion_profile::{PROFILE_CLASSES, ProfileClass};
    pub use crate::dialects::robots_directives::vocabulary::{
        DIRECTIVES, DirectiveEffect, KnownDirective, ValueKind, known_directive,
    };
    pub use crate::model::{Usage, UsageKind, UsageName};
    pub use crate::robots_txt::{Field, Role};
}

use crate::dialects::acap::Acap;
use crate::dialects::acap::scope::Pattern;
use crate::dialects::acap::{CanonicalStatement, Entry, UsageRef};
use crate::dialects::rfc9309::pattern;
use crate::dialects::rfc9309::pattern::{End, WILDCARD};
use crate::dialects::rfc9309::resource;
use crate::model::BoundBy;
use crate::model::Usage;
use crate::model::crawler::Crawler;
use crate::model::proposed_use::Capabilities;
use crate::model::reading::Reading;
use crate::model::{Addressee, Modality, StatementId};
use crate::site::Site;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// A pattern in the form that is matched: literal pieces with wildcards between them (S-18, S-19).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComparablePattern {
    /// The octets of the pattern, with [`WILDCARD`] for each wildcard.
    octets: Vec<u8>,
    is_anchored: bool,
    ignores_case: bool,
}

impl ComparablePattern {
    /// Returns a pattern that matches exactly one comparable path.
    #[must_use]
    pub fn exactly(path: &[u8]) -> Self {
        Self { octets: path.to_vec(), is_anchored: true, ignores_case: false }
    }

    fn new(octets: &[u8], wildcard: u8, end: End, ignores_case: bool) -> Self {
        let octets = octets.iter().map(|byte| if *byte == wildcard { WILDCARD } else { *byte }).collect();
        Self { octets, is_anchored: end == End::Anchored, ignores_case }
    }

    /// Returns the pattern's literal pieces. A matching text begins with the first piece. The other pieces follow in
    /// order, with any octets between them. If the pattern is anchored, the text ends with the last piece.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.octets.split(|byte| *byte == WILDCARD)
    }

    /// Whether the pattern must match up to the end of the text.
    #[must_use]
    pub fn is_anchored(&self) -> bool {
        self.is_anchored
    }

    /// Whether the pattern ignores ASCII case. Its own letters are then in lower case.
    #[must_use]
    pub fn ignores_case(&self) -> bool {
        self.ignores_case
    }

    /// Whether the pattern matches a comparable text, such as a result of [`comparable_path`].
    #[must_use]
    pub fn matches(&self, text: &[u8]) -> bool {
        let end = if self.is_anchored { End::Anchored } else { End::Open };
        let matches = |text: &[u8]| pattern::matches(&self.octets, WILDCARD, end, text);
        if self.ignores_case { resource::without_case(text, matches) } else { matches(text) }
    }
}

/// Returns a URL's path and query in the form that a reading compares with patterns.
///
/// ```
/// use byleave::Reading;
/// use byleave::analysis::comparable_path;
/// assert_eq!(comparable_path("https://site.example/%7Ea b#top", Reading::Default), b"/~a%20b");
/// assert_eq!(comparable_path("https://site.example/%7Ea b#top", Reading::Google), b"/%7Ea b");
/// ```
#[must_use]
pub fn comparable_path(url: &str, reading: Reading) -> Vec<u8> {
    resource::with_path(url.as_bytes(), reading.switches(), <[u8]>::to_vec)
}

/// The rules that may apply to one crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplicableRules {
    /// Why conventional groups bind the crawler, or `None` if no robots.txt was read.
    pub bound_by: Option<BoundBy>,
    /// The conventional rules that bind the crawler. Empty if robots.txt tells ACAP crawlers to ignore them (P1 2.9.1).
    pub rules: Vec<ApplicableRule>,
    /// The ACAP fields that address the crawler, in robots.txt and the files it refers to. There is one entry per
    /// pattern, so a field with a resource set has several entries.
    pub fields: Vec<ApplicableField>,
    /// The references for the crawler that were not read. Each of them prohibits everything (S-21).
    pub unread: Vec<StatementId>,
    /// The statements in AI-preference dialects that address the crawler, in robots.txt and other documents (S-40).
    pub preferences: Vec<ApplicablePreference>,
    /// Whether `fields` and `preferences` are complete. They are not if there are too many patterns, or if a preference
    /// applies to one origin only.
    pub is_whole: bool,
}

/// The maximum number of field patterns that are listed for one crawler.
const MAX_FIELDS: usize = 200_000;

/// The groups that bind a crawler. Crawlers with the same binding get the same decisions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The conventional groups, and whether they name the crawler.
    groups: (Vec<u32>, bool),
    /// The groups in other documents (S-46), by document number.
    others: Vec<(u16, Vec<u32>)>,
    /// The ACAP groups by file and number, and whether each group names the crawler.
    fields: Vec<((u8, u16), u32, bool)>,
    unread: Vec<StatementId>,
}

/// A conventional rule that binds a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplicableRule {
    /// The rule's id.
    pub statement: StatementId,
    /// Whether the rule permits or prohibits.
    pub modality: Modality,
    /// The rule's rank. The matching rules with the highest rank win. Rules with the same rank have the same modality
    /// (S-13).
    pub rank: u32,
    /// The rule's pattern.
    pub pattern: ComparablePattern,
}

/// A pattern in an ACAP field that addresses a crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplicableField {
    /// The field's id.
    pub statement: StatementId,
    /// Whether the field names the crawler.
    pub addressee: Addressee,
    /// The pattern.
    pub pattern: ComparablePattern,
    /// The usages that the field may address, as a bit mask. See `Filter`.
    mask: u16,
    /// Whether the field prohibits without terms and for every purpose.
    is_plain_prohibition: bool,
    canonical: Option<Arc<CanonicalStatement>>,
}

impl ApplicableField {
    /// Returns everything that a decision can depend on, except the addressee and the pattern. Two fields with the same
    /// canonical form have the same meaning, even in different policies. Returns `None` if the form is too long.
    #[must_use]
    pub fn canonical(&self) -> Option<&CanonicalStatement> {
        self.canonical.as_deref()
    }

    /// Whether the field may apply to this usage. It does if it addresses the usage, or a wider usage whose statements
    /// are considered if the usage has none (S-03).
    #[must_use]
    pub fn may_apply_to(&self, usage: &Usage) -> bool {
        let tiers = std::iter::once(usage).chain(usage.within()).chain([&Usage::OtherUsage]);
        tiers.into_iter().any(|tier| self.mask & crate::decide::bit_of(tier) != 0)
    }

    /// Whether the field prohibits exactly this usage, without terms and for every purpose. If all applicable fields
    /// do, every path that matches one of them is prohibited (S-07).
    #[must_use]
    pub fn prohibits(&self, usage: &Usage) -> bool {
        let bit = usage.standard_number().map_or(0, |_| crate::decide::bit_of(usage));
        self.is_plain_prohibition && self.mask & bit != 0
    }
}

impl Site<'_> {
    /// Returns the rules that may apply to this crawler, in robots.txt and the other documents.
    ///
    /// ```
    /// use byleave::{Crawler, Reading, Site};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /*.pdf$\n", Reading::Default);
    /// let applicable = site.applicable_to(&Crawler::named("AnyBot"));
    /// let pattern = &applicable.rules[0].pattern;
    /// assert_eq!(pattern.pieces().collect::<Vec<_>>(), [&b"/"[..], b".pdf"]);
    /// assert!(pattern.matches(b"/a.pdf") && !pattern.matches(b"/a.pdf?"));
    /// ```
    ///
    /// Cost: linear in the rules and fields that bind the crawler.
    #[must_use]
    pub fn applicable_to(&self, crawler: &Crawler) -> ApplicableRules {
        let mut applicable = ApplicableRules {
            bound_by: None,
            rules: Vec::new(),
            fields: Vec::new(),
            unread: Vec::new(),
            preferences: Vec::new(),
            is_whole: true,
        };
        preference::add(self, crawler, &mut applicable);
        let RobotsTxt::Read(policy) = self.robots_txt() else { return applicable };
        let bound = policy.bind(crawler);
        applicable.bound_by = Some(bound.bound_by());
        if !policy.acap().is_some_and(|acap| acap.ignores_conventional) {
            bound.each_rule(|rule, octets, wildcard, end| {
                applicable.rules.push(ApplicableRule {
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
                    if applicable.fields.len() + members.len() >= MAX_FIELDS {
                        applicable.is_whole = false;
                        return;
                    }
                    let patterns = filter.pattern.into_iter().chain(members.iter().copied());
                    let canonical = acap.canonical(entry, document.order()).map(Arc::new);
                    applicable.fields.extend(patterns.map(|pattern| ApplicableField {
                        statement,
                        addressee,
                        pattern: of_acap(acap, pattern),
                        mask: filter.mask,
                        is_plain_prohibition: filter.simple == Some(false),
                        canonical: canonical.clone(),
                    }));
                }
            });
        });
        applicable.unread = sources.unread(crawler).collect();
        applicable
    }

    /// Returns the groups that bind this crawler in robots.txt, the files it refers to, and other documents.
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

    /// Returns the usages that the site addresses: `crawl` if there are conventional groups, the usages in ACAP fields
    /// in robots.txt and the files it refers to, including unknown names, and the usages of preferences in any document
    /// (S-40).
    #[must_use]
    pub fn usages_addressed(&self) -> Vec<Usage> {
        let mut known = BTreeSet::new();
        let mut words = BTreeSet::new();
        if matches!(self.robots_txt(), RobotsTxt::Read(policy) if !policy.groups().is_empty()) {
            known.extend(Usage::Crawl.standard_number());
        }
        for acap in self.robots_acaps() {
            for entry in &acap.statements {
                let mut add = |what: UsageRef| match acap.meant(what, entry.is_permission) {
                    UsageRef::Standard(number) => {
                        known.insert(number);
                    }
                    UsageRef::Other(word) => {
                        words.insert(String::from_utf8_lossy(word.of(&acap.arena)).into_owned());
                    }
                    UsageRef::Local(_) => {}
                };
                add(entry.usage);
                let local = match entry.usage {
                    UsageRef::Local(number) => acap.locals.get(number as usize),
                    UsageRef::Standard(_) | UsageRef::Other(_) => None,
                };
                let members = local.map_or(&[][..], |local| local.members.of(&acap.members));
                members.iter().for_each(|member| add(member.usage));
            }
        }
        let preferred = preference::usages(self);
        let words: BTreeSet<Usage> = words.iter().map(|word| Usage::named(word)).chain(preferred).collect();
        known.into_iter().map(|number| Usage::standard(number).clone()).chain(words).collect()
    }

    /// Returns the purposes that ACAP fields in robots.txt and the files it refers to are limited to, as patterns.
    #[must_use]
    pub fn purposes_addressed(&self) -> Vec<ComparablePattern> {
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

/// Returns the patterns in a statement's resource set. Empty if the statement is about a path.
fn members<'a>(acap: &'a Acap, entry: &Entry) -> &'a [Pattern] {
    acap.sets.get(entry.set as usize).map_or(&[], |set| set.patterns.of(&acap.patterns))
}

fn of_acap(acap: &Acap, pattern: Pattern) -> ComparablePattern {
    let (octets, end) = pattern.as_matched(&acap.arena);
    ComparablePattern::new(octets, WILDCARD, end, true)
}
