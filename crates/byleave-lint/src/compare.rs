//! Compares two versions of a robots.txt by asking the engine for decisions, in every reading.
//!
//! A crawler whose groups are identical in both versions needs no questions. For every other crawler it asks about the
//! test paths of each pattern of either version, and about paths that a changed pattern and an opposing one both match.
//! If a version has ACAP fields and they changed, it asks about every usage and purpose and compares conditions too.
//! Facts, such as sitemaps and delays, have to be equal as well.

use crate::context::{robots_txt_policy, unnamed_crawler};
use crate::witness::{common_path, probe_paths, unused_byte};
use byleave::analysis::SiteStatements;
use byleave::analysis::robots_txt::{Line, Tree};
use byleave::analysis::vocabulary::{Field, Role};
use byleave::model::Capabilities;
use byleave::model::{Condition, Modality, Scope};
use byleave::{Crawler, Document, Obtained, Outcome, Policy, ProposedUse, Reading, Site, Usage};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A difference between two versions of a robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionDifference {
    /// A decision.
    Decision {
        /// In this reading.
        reading: Reading,
        /// For this crawler, or `None` for one that no group names.
        crawler: Option<String>,
        /// About this usage.
        usage: Usage,
        /// About this path.
        path: String,
        /// The outcome in the first version.
        before: Outcome,
        /// The outcome in the second version.
        after: Outcome,
    },
    /// A fact, or how much of the file is read.
    Fact {
        /// In this reading.
        reading: Reading,
    },
    /// The comparison limit was reached; the versions may differ.
    Unknown,
}

/// Two versions of a robots.txt, with the files it refers to.
pub(crate) struct Versions<'t> {
    pub(crate) before: &'t [u8],
    pub(crate) after: &'t [u8],
    /// Location and text of each.
    pub(crate) references: &'t [(&'t str, &'t [u8])],
}

/// Compares two versions in every reading of robots.txt, for every crawler, usage and pattern of either. Returns the first
/// difference that `is_expected` does not accept, or `None` if there is none.
///
/// Cost: at most as many decisions as are left in `questions`; beyond that it returns [`VersionDifference::Unknown`].
pub(crate) fn compare(
    versions: &Versions<'_>,
    questions: &QuestionBudget,
    is_expected: impl Fn(&VersionDifference) -> bool,
) -> Option<VersionDifference> {
    let comparison = Comparison { questions, is_expected: &is_expected };
    Reading::OF_ROBOTS_TXT.iter().find_map(|reading| comparison.compare_in_reading(versions, *reading))
}

/// How many questions about a file are left.
pub(crate) struct QuestionBudget(Cell<usize>);

impl QuestionBudget {
    /// Returns a budget that suffices for any file that is not adversarial.
    pub(crate) fn new() -> Self {
        Self(Cell::new(500_000))
    }

    /// Returns a budget that suffices for nearly all real files.
    pub(crate) fn small() -> Self {
        Self(Cell::new(100_000))
    }

    /// Takes this many questions and returns whether so many were left.
    fn take(&self, count: usize) -> bool {
        let left = self.0.get().checked_sub(count);
        left.inspect(|left| self.0.set(*left)).is_some()
    }
}

/// About this many paths are tested per pattern.
const PATHS_PER_PATTERN: usize = 4;
/// A question about ACAP costs this many others, because it may compare very many statements.
const ACAP_QUESTION_COST: usize = 4;

struct Comparison<'a> {
    questions: &'a QuestionBudget,
    is_expected: &'a dyn Fn(&VersionDifference) -> bool,
}

/// Both versions, parsed in one reading.
struct VersionPair<'e> {
    reading: Reading,
    before: &'e Site<'e>,
    after: &'e Site<'e>,
    policies: [&'e Policy<'e>; 2],
    groups: [GroupIndex; 2],
    trees: [Tree<'e>; 2],
    unused_byte: u8,
}

impl Comparison<'_> {
    fn compare_in_reading(&self, versions: &Versions<'_>, reading: Reading) -> Option<VersionDifference> {
        let evidence = |text| {
            let site = Site::builder(reading).with_robots_txt(Obtained::Status(200), text);
            let references = versions.references.iter();
            references.fold(site, |site, (at, text)| site.with_document(Document::new(*at, *text))).build()
        };
        let (before, after) = (&evidence(versions.before), &evidence(versions.after));
        let policies = [robots_txt_policy(before)?, robots_txt_policy(after)?];
        let [facts_were, facts_are] = policies.map(|policy| (facts(policy), policy.is_truncated()));
        if facts_were != facts_are {
            let difference = VersionDifference::Fact { reading };
            if !(self.is_expected)(&difference) {
                return Some(difference);
            }
        }
        let trees = [versions.before, versions.after].map(|text| byleave::analysis::tree(text, reading));
        let Some(unused_byte) = unused_byte(&trees) else { return Some(VersionDifference::Unknown) };
        let pair =
            VersionPair { reading, before, after, policies, groups: policies.map(GroupIndex::of), trees, unused_byte };
        let [was, is] = &pair.groups;
        // Names do not show which crawlers a group for a purpose binds (S-50).
        if was != is && policies.iter().any(|policy| has_purposes(policy)) {
            return Some(VersionDifference::Unknown);
        }
        if (has_acap(before) || has_acap(after)) && !(was == is && have_same_acap_fields(&pair.trees)) {
            self.compare_acap(&pair)
        } else if was == is {
            None
        } else {
            self.compare_groups(&pair)
        }
    }

    /// Compares the conventional groups, for each crawler whose groups differ.
    fn compare_groups(&self, pair: &VersionPair<'_>) -> Option<VersionDifference> {
        let [groups, changed_groups] = &pair.groups;
        let mut contents = HashMap::new();
        let (ids, changed_ids) = (groups.ids(&mut contents), changed_groups.ids(&mut contents));
        let mut known = HashSet::new();
        for name in groups.names().chain(changed_groups.names()).map(Some).chain([None]) {
            let crawler = crawler_of(name);
            let [is_named, is_named_now] = pair.policies.map(|policy| policy.names(&crawler));
            let was = groups.applicable_to(name.filter(|_| is_named));
            let is = changed_groups.applicable_to(name.filter(|_| is_named_now));
            let is_same = was.by == is.by && was.ids(&ids) == is.ids(&changed_ids);
            if is_same || !known.insert((was.by.clone(), is.by.clone())) {
                continue;
            }
            let (was, is) = (groups.rules_of(&was), changed_groups.rules_of(&is));
            let all: BTreeSet<&PlainRule> = was.union(&is).copied().collect();
            let changed: BTreeSet<&PlainRule> = was.symmetric_difference(&is).copied().collect();
            let count = |rules: &BTreeSet<&PlainRule>, kind| rules.iter().filter(|rule| rule.0 == kind).count();
            let (yes, no) = (Modality::Permission, Modality::Prohibition);
            let meetings = count(&changed, yes) * count(&all, no) + count(&changed, no) * count(&all, yes);
            if !self.questions.take(PATHS_PER_PATTERN * all.len() + meetings) {
                return Some(VersionDifference::Unknown);
            }
            let alone = all.iter().flat_map(|(_, pattern)| probe_paths(pattern, pair.unused_byte));
            // Where a changed rule meets one of the same kind, no decision can change.
            let (permissions, prohibitions): (Vec<&PlainRule>, Vec<&PlainRule>) =
                all.iter().copied().partition(|rule| rule.0 == Modality::Permission);
            let met = changed.iter().flat_map(|one| {
                let opposing = if one.0 == Modality::Permission { &prohibitions } else { &permissions };
                opposing.iter().filter_map(|other| common_path(&one.1, &other.1, pair.unused_byte))
            });
            let asked: BTreeSet<String> = alone.chain(met).chain(default_paths(pair.unused_byte)).collect();
            for path in asked {
                let proposed = ProposedUse::new(&path, &crawler, &Usage::Crawl);
                let answer = |evidence| byleave::analysis::decide_unchecked(evidence, &proposed).effective;
                let (was, is) = (answer(pair.before), answer(pair.after));
                let found = (was != is).then(|| pair.difference(name, &proposed, was, is));
                if let Some(found) = found.filter(|found| !(self.is_expected)(found)) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Compares every usage with its conditions, without a purpose and for each purpose that a statement has.
    fn compare_acap(&self, pair: &VersionPair<'_>) -> Option<VersionDifference> {
        let patterns = pair.trees.iter().flat_map(acap_patterns);
        let patterns: BTreeSet<Vec<u8>> = patterns.chain(pair.groups.iter().flat_map(GroupIndex::patterns)).collect();
        let paths = patterns.iter().flat_map(|pattern| probe_paths(pattern, pair.unused_byte));
        let paths: BTreeSet<String> = paths.chain(default_paths(pair.unused_byte)).collect();
        let purposes = purposes(pair.before).into_iter().chain(purposes(pair.after)).map(|one| vec![one]);
        let purposes: BTreeSet<Vec<String>> = purposes.chain([Vec::new()]).collect();
        let names = pair.policies.iter().flat_map(|policy| policy.crawlers_named());
        let names: BTreeSet<Option<&[u8]>> = names.filter(|name| *name != b"*").map(Some).chain([None]).collect();
        let questions = paths.len() * Usage::NAMED.len() * purposes.len() * names.len();
        if !self.questions.take(questions.saturating_mul(ACAP_QUESTION_COST)) {
            return Some(VersionDifference::Unknown);
        }
        for name in names {
            let crawler = crawler_of(name);
            let about = paths.iter().flat_map(|path| purposes.iter().map(move |purposes| (path, purposes)));
            for (path, purposes) in about {
                for usage in Usage::NAMED {
                    let mut proposed = ProposedUse::new(path, &crawler, usage);
                    proposed.purposes = purposes;
                    let (was, is) = (answer(pair.before, &proposed), answer(pair.after, &proposed));
                    let found = (was != is).then(|| pair.difference(name, &proposed, was.0, is.0));
                    if let Some(found) = found.filter(|found| !(self.is_expected)(found)) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }
}

impl VersionPair<'_> {
    fn difference(
        &self,
        name: Option<&[u8]>,
        proposed: &ProposedUse<'_>,
        before: Outcome,
        after: Outcome,
    ) -> VersionDifference {
        VersionDifference::Decision {
            reading: self.reading,
            crawler: name.map(|name| String::from_utf8_lossy(name).into_owned()),
            usage: proposed.usage.clone(),
            path: proposed.url.to_owned(),
            before,
            after,
        }
    }
}

fn crawler_of(name: Option<&[u8]>) -> Crawler {
    name.map_or_else(unnamed_crawler, |name| Crawler::named(&String::from_utf8_lossy(name)))
}

/// An answer reduced to what is compared: effective and expressed outcome, conditions, requests, and needs.
type Answer = (Outcome, Outcome, Vec<Condition>, Vec<(&'static str, String)>, Vec<String>);

fn answer(evidence: &Site<'_>, proposed: &ProposedUse<'_>) -> Answer {
    let explanation = byleave::analysis::explain_unchecked(evidence, proposed);
    let decision = explanation.decision;
    (decision.effective, decision.outcome, explanation.conditions, explanation.actions, explanation.needs)
}

/// A fact without its position: field, value, and the crawlers it applies to.
type PlainFact<'p> = (Field, &'p [u8], Vec<&'p [u8]>);

fn facts<'p>(policy: &'p Policy<'_>) -> Vec<PlainFact<'p>> {
    policy.facts().into_iter().map(|fact| (fact.field, fact.value, fact.crawlers.to_vec())).collect()
}

/// Whether a group is for a purpose.
fn has_purposes(policy: &Policy<'_>) -> bool {
    policy.facts().iter().any(|fact| fact.field == Field::UserAgentPurpose)
}

/// Whether two versions have the same fields with the same values in the same order.
fn have_same_acap_fields(trees: &[Tree<'_>; 2]) -> bool {
    let [before, after] = trees.each_ref().map(|tree| {
        let part = |(start, end): (usize, usize)| tree.text().get(start..end).unwrap_or_default();
        let fields = tree.lines().iter().filter(|line| line.name.0 < line.name.1);
        fields.map(|line| (part(line.name).to_ascii_lowercase(), line.separator, part(line.value))).collect::<Vec<_>>()
    });
    before == after
}

fn has_acap(evidence: &Site<'_>) -> bool {
    !SiteStatements::of(evidence, &Capabilities::default()).acap().is_empty()
}

/// Returns the parts of ACAP fields that may be patterns.
fn acap_patterns(tree: &Tree<'_>) -> Vec<Vec<u8>> {
    let is_acap = |line: &&Line| {
        byleave::analysis::field(tree, line, Reading::Default).is_some_and(|field| field.role() == Role::Acap)
    };
    let values = tree.lines().iter().filter(is_acap).filter_map(|line| tree.text().get(line.value.0..line.value.1));
    let words = values.flat_map(|value| value.split(|byte| matches!(byte, b' ' | b'\t')));
    words.filter(|word| matches!(word.first(), Some(b'/' | b'*'))).map(<[u8]>::to_vec).collect()
}

/// Returns the purposes of ACAP statements.
fn purposes(evidence: &Site<'_>) -> BTreeSet<String> {
    let statements = SiteStatements::of(evidence, &Capabilities::default());
    let acap = statements.acap();
    let read = acap.iter().filter_map(|one| statements.get(one.id, one.usages.first()?));
    read.flat_map(|statement| statement.purposes).collect()
}

fn default_paths(unused_byte: u8) -> [String; 3] {
    ["/".to_owned(), "/robots.txt".to_owned(), format!("/{}", char::from(unused_byte))]
}

/// The parts of a rule that decisions depend on.
type PlainRule = (Modality, Vec<u8>);

/// The names of a group in lower case, and its rules.
type PlainGroup = (BTreeSet<Vec<u8>>, BTreeSet<PlainRule>);

/// The conventional groups of a policy, reduced to what decisions depend on.
#[derive(PartialEq, Eq)]
struct GroupIndex {
    /// In file order.
    groups: Vec<PlainGroup>,
    /// The groups that contain each form of a name.
    by_form: HashMap<Vec<u8>, Vec<usize>>,
}

/// The groups that may bind a crawler.
struct ApplicableGroups {
    by: BTreeMap<usize, Vec<usize>>,
    numbers: BTreeSet<usize>,
}

impl ApplicableGroups {
    fn ids(&self, ids: &[usize]) -> Vec<Option<usize>> {
        self.numbers.iter().map(|number| ids.get(*number).copied()).collect()
    }
}

impl GroupIndex {
    fn of(policy: &Policy<'_>) -> Self {
        let statements = policy.statements();
        let rule = |id| {
            let statement = statements.get(id)?;
            let Scope::Pattern(pattern) = statement.scope else { return None };
            Some((statement.modality, pattern.to_vec()))
        };
        let mut groups = Vec::new();
        let mut by_form: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        for (number, group) in policy.groups().into_iter().enumerate() {
            let names: BTreeSet<Vec<u8>> = group.names.iter().map(|name| name.to_ascii_lowercase()).collect();
            for form in names.iter().flat_map(|name| forms(name)).collect::<BTreeSet<_>>() {
                by_form.entry(form.to_vec()).or_default().push(number);
            }
            groups.push((names, group.rules.into_iter().filter_map(rule).collect()));
        }
        Self { groups, by_form }
    }

    fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.groups.iter().flat_map(|(names, _)| names).map(Vec::as_slice).filter(|name| *name != b"*")
    }

    fn patterns(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.groups.iter().flat_map(|(_, rules)| rules).map(|(_, pattern)| pattern.clone())
    }

    /// Returns the groups that may bind the crawler with this name: those that contain some form of the name, or without
    /// a name those for `*`.
    fn applicable_to(&self, name: Option<&[u8]>) -> ApplicableGroups {
        let known = |form: &[u8]| self.by_form.get(form).cloned().unwrap_or_default();
        let mut by: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, form) in name.iter().flat_map(|name| forms(name)).enumerate() {
            by.insert(number, known(form));
        }
        if name.is_none() {
            by.insert(forms(b"").len(), known(b"*"));
        }
        let numbers: BTreeSet<usize> = by.values().flatten().copied().collect();
        ApplicableGroups { by, numbers }
    }

    fn rules_of(&self, applicable: &ApplicableGroups) -> BTreeSet<&PlainRule> {
        let groups = applicable.numbers.iter().filter_map(|number| self.groups.get(*number));
        groups.flat_map(|(_, rules)| rules).collect()
    }

    /// Returns a number for each group; equal groups have equal numbers.
    fn ids<'r>(&'r self, known: &mut HashMap<&'r PlainGroup, usize>) -> Vec<usize> {
        let id = |group| {
            let next = known.len();
            *known.entry(group).or_insert(next)
        };
        self.groups.iter().map(id).collect()
    }
}

/// Returns the forms in which some reading compares a name: whole, up to the first character that names cannot have, and
/// RFC 9309's product token.
fn forms(name: &[u8]) -> [&[u8]; 3] {
    let upto = |belongs: fn(u8) -> bool| {
        let length = name.iter().take_while(|byte| belongs(**byte)).count();
        name.get(..length).unwrap_or(name)
    };
    let whole = upto(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    [name, whole, upto(|byte| byte.is_ascii_alphabetic() || b"_-".contains(&byte))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{AllowedChange, Safety};

    fn differs(before: &str, after: &str, safety: &Safety) -> Option<VersionDifference> {
        let versions = Versions { before: before.as_bytes(), after: after.as_bytes(), references: &[] };
        compare(&versions, &QuestionBudget::new(), |difference| safety.expects(difference))
    }

    #[test]
    fn s40_no_fix_that_changes_a_preference_is_safe() {
        let group = |line: &str| format!("User-agent: *\n{line}\nDisallow: /z/\n");
        let suggested = |allowed| Safety::Suggested { effect: String::new(), allowed };
        let changed = [
            ("Content-Signal: ai-train=no", "Content-Signal: ai-train=yes"),
            ("Content-Usage: /a train-ai=n", "Content-Usage: /b train-ai=n"),
            ("Content-Usage: train-ai=n", "Content-Usage: ai=n"),
            ("DisallowAITraining: /a", "DisallowAITraining: /a/"),
            ("License: /license.xml", ""),
        ];
        for (one, other) in changed {
            for (before, after) in [(group(one), group(other)), (group(other), group(one))] {
                let others = [
                    AllowedChange::OtherParsers,
                    AllowedChange::UnnamedCrawlers,
                    AllowedChange::ToOutcome(Outcome::Prohibited),
                ]
                .map(suggested);
                for safety in others.iter().chain([&Safety::Safe]) {
                    let found = differs(&before, &after, safety);
                    let expected = VersionDifference::Fact { reading: Reading::Default };
                    assert_eq!(found, Some(expected), "{before}{after}{safety:?}");
                }
            }
        }
        // The group of a preference is part of it.
        let apart = "User-agent: a\nDisallow: /z/\nUser-agent: *\nContent-Signal: search=no\nDisallow: /z/\n";
        let joined = "User-agent: a\nUser-agent: *\nContent-Signal: search=no\nDisallow: /z/\n";
        assert!(differs(apart, joined, &Safety::Safe).is_some());
    }
}
