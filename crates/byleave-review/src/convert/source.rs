//! The robots.txt to convert: which crawlers it distinguishes, and what it states about crawling for each of them.
//!
//! Crawlers that the same groups name form one audience. Several groups for one crawler are combined (RFC 9309 2.2.1),
//! so an audience has the rules from all of them.

use crate::budget::Budget;
use crate::names::{is_any, labelled, nobody, token};
use crate::scope::purposes;
use byleave::analysis::vocabulary::{Field, Role};
use byleave::analysis::{CrawlerGroup, RobotsTxt, SiteStatements};
use byleave::model::Capabilities;
use byleave::model::{Modality, Scope};
use byleave::policy::Fact;
use byleave::{Crawler, Outcome, Policy, ProposedUse, Site, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// A rule about crawling in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceRule {
    pub(crate) modality: Modality,
    /// The pattern as written, with its initial `/` or `*`.
    pub(crate) pattern: Vec<u8>,
    pub(crate) line: u32,
    /// Whether the rule addresses `crawl`. If not, it addresses `other`, which applies if no statement addresses
    /// `crawl` (S-03).
    pub(crate) is_of_crawl: bool,
}

/// Crawlers that the same groups bind.
#[derive(Clone, Debug)]
pub(crate) struct Audience {
    /// The names as written. Empty for unnamed crawlers.
    pub(crate) names: Vec<Vec<u8>>,
    /// The purposes that groups address. An unnamed crawler with one of these purposes belongs to the audience (S-50).
    /// Empty for audiences of other kinds.
    pub(crate) purposes: Vec<Vec<u8>>,
    /// A crawler in the audience. If the audience has no names, a crawler that no group names.
    pub(crate) crawler: Crawler,
    /// A crawler with every purpose in the file. Only one audience has it, so that it is asked about once.
    pub(crate) having_all: Option<Crawler>,
    /// Whether a conventional group addresses this audience. If not, only groups for any crawler bind it.
    pub(crate) has_group: bool,
    /// The numbers of the conventional groups that bind the audience, and the rules in these groups.
    pub(crate) groups: BTreeSet<usize>,
    pub(crate) rules: Vec<SourceRule>,
    /// The ACAP rules about crawling that address the audience by name, and the ACAP rules that address any crawler.
    pub(crate) acap: Vec<SourceRule>,
    pub(crate) acap_any: Vec<SourceRule>,
}

impl Audience {
    /// Returns all rules about crawling that apply to the audience.
    pub(crate) fn all(&self) -> impl Iterator<Item = &SourceRule> {
        self.rules.iter().chain(&self.acap).chain(&self.acap_any)
    }

    pub(crate) fn is_any(&self) -> bool {
        self.names.is_empty() && self.purposes.is_empty()
    }

    /// Returns the first name, or the first purpose with its field name, for display.
    pub(crate) fn shown(&self) -> Option<String> {
        let purpose = self.purposes.first().map(|purpose| labelled(&String::from_utf8_lossy(purpose)));
        self.names.first().map(|name| String::from_utf8_lossy(name).into_owned()).or(purpose)
    }

    /// Returns a phrase that names the audience in a sentence.
    pub(crate) fn whom(&self) -> String {
        self.shown().map_or("any crawler".to_owned(), |name| format!("`{name}`"))
    }

    /// Returns the number of crawlers. All unnamed crawlers together count as one.
    pub(crate) fn count(&self) -> usize {
        (self.names.len() + self.purposes.len()).max(1)
    }
}

/// A usage and a pattern that the source addresses.
pub(crate) struct UsagePattern {
    pub(crate) usage: Usage,
    pub(crate) pattern: Vec<u8>,
}

/// A robots.txt, prepared for conversion.
pub(crate) struct RobotsTxtSource<'e> {
    pub(crate) site: &'e Site<'e>,
    pub(crate) policy: &'e Policy<'e>,
    pub(crate) statements: SiteStatements<'e>,
    pub(crate) facts: Vec<Fact<'e>>,
    /// Audiences with names in file order, followed by the audience of all other crawlers.
    pub(crate) audiences: Vec<Audience>,
    pub(crate) purposes: Vec<Vec<String>>,
}

/// The rules in an ACAP statement that may apply to crawling.
struct AcapRules {
    names: Vec<Vec<u8>>,
    rules: Vec<SourceRule>,
}

impl<'e> RobotsTxtSource<'e> {
    /// Prepares a source. Returns `None` if no robots.txt was read.
    pub(crate) fn of(site: &'e Site<'e>) -> Option<Self> {
        let RobotsTxt::Read(policy) = site.robots_txt() else { return None };
        let statements = SiteStatements::of(site, &Capabilities::default());
        let acap = acap(site, policy, &statements);
        let (purposes, _) = purposes(&[site], &Budget::of_conversion());
        let facts = policy.facts();
        let mut source = Self { site, policy, statements, facts, audiences: Vec::new(), purposes };
        source.find_audiences(&acap);
        Some(source)
    }

    fn find_audiences(&mut self, acap: &[AcapRules]) {
        let groups = groups(self.policy);
        let by_form = |names: &mut dyn Iterator<Item = (usize, &Vec<u8>)>| {
            let mut by_form: BTreeMap<Vec<u8>, BTreeSet<usize>> = BTreeMap::new();
            for (number, name) in names {
                for form in forms(name) {
                    by_form.entry(form).or_default().insert(number);
                }
            }
            by_form
        };
        let numbered = |(number, names): (usize, &'_ [Vec<u8>])| -> Vec<(usize, Vec<u8>)> {
            names.iter().map(|name| (number, name.clone())).collect()
        };
        let conventional: Vec<_> =
            groups.iter().map(|(names, _)| names.as_slice()).enumerate().flat_map(numbered).collect();
        let in_acap: Vec<_> = acap.iter().map(|one| one.names.as_slice()).enumerate().flat_map(numbered).collect();
        let naming = by_form(&mut conventional.iter().map(|(number, name)| (*number, name)));
        let naming_acap = by_form(&mut in_acap.iter().map(|(number, name)| (*number, name)));
        let find = |known: &BTreeMap<Vec<u8>, BTreeSet<usize>>, name: &[u8]| -> BTreeSet<usize> {
            crawler_names(name).iter().filter_map(|name| known.get(name)).flatten().copied().collect()
        };
        let any = |known: &BTreeMap<Vec<u8>, BTreeSet<usize>>| known.get(&b"*"[..]).cloned().unwrap_or_default();
        let acap_of = |numbers: &BTreeSet<usize>| -> Vec<SourceRule> {
            numbers.iter().filter_map(|number| acap.get(*number)).flat_map(|one| one.rules.clone()).collect()
        };
        let (any_groups, any_acap) = (any(&naming), any(&naming_acap));
        let mut places: BTreeMap<(BTreeSet<usize>, BTreeSet<usize>), usize> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        // Names in ACAP groups that do not address crawling come last. A file that these groups refer to may address
        // crawling.
        let others: Vec<Vec<u8>> = self.policy.crawlers_named().into_iter().map(<[u8]>::to_vec).collect();
        for name in conventional.iter().chain(&in_acap).map(|(_, name)| name).chain(&others) {
            if is_any(name) || !seen.insert(name.to_ascii_lowercase()) {
                continue;
            }
            let (of_groups, of_acap) = (find(&naming, name), find(&naming_acap, name));
            let key = (of_groups.clone(), of_acap.clone());
            let is_other = of_groups.is_empty() && of_acap.is_empty();
            let known = places.get(&key).filter(|_| !is_other);
            if let Some(audience) = known.and_then(|place| self.audiences.get_mut(*place)) {
                audience.names.push(name.clone());
                continue;
            }
            places.insert(key, self.audiences.len());
            let has_group = !of_groups.is_empty();
            let binding = if has_group { of_groups } else { any_groups.clone() };
            self.audiences.push(Audience {
                names: vec![name.clone()],
                purposes: Vec::new(),
                crawler: Crawler::named(&String::from_utf8_lossy(name)),
                having_all: None,
                has_group,
                rules: combined(&groups, &binding),
                groups: binding,
                acap: acap_of(&of_acap),
                acap_any: acap_of(&any_acap),
            });
        }
        self.audiences.push(Audience {
            names: Vec::new(),
            purposes: Vec::new(),
            crawler: nobody(&[self.site]),
            having_all: None,
            has_group: !any_groups.is_empty(),
            rules: combined(&groups, &any_groups),
            groups: any_groups,
            acap: Vec::new(),
            acap_any: acap_of(&any_acap),
        });
    }

    /// Returns the ACAP patterns for an audience and usages other than crawling.
    pub(crate) fn others(&self, audience: &Audience) -> Vec<UsagePattern> {
        let statements = SiteStatements::of(self.site, &Capabilities::default());
        let is_for = |name: &&[u8]| {
            let is_named = audience.names.iter().any(|known| known.eq_ignore_ascii_case(name));
            is_named || is_any(name)
        };
        let mut found = Vec::new();
        for one in statements.acap().into_iter().filter(|one| one.crawlers.iter().any(&is_for)) {
            for usage in one.usages.iter().filter(|usage| ***usage != Usage::Crawl) {
                if let Some(Scope::Pattern(pattern)) = statements.get(one.id, usage).map(|statement| statement.scope) {
                    found.push(UsagePattern { usage: (*usage).clone(), pattern: slashed(pattern) });
                }
            }
        }
        found
    }

    /// Returns whether the source prohibits crawling, either for some stated purpose or without a purpose.
    pub(crate) fn prohibits(&self, crawler: &Crawler, path: &str) -> bool {
        self.purposes.iter().any(|purposes| self.answer(crawler, path, purposes) == Outcome::Prohibited)
    }

    /// Returns whether the source prohibits a use for some stated purpose.
    pub(crate) fn prohibits_for_some(&self, proposed: &ProposedUse<'_>) -> bool {
        let purposes = self.purposes.iter().filter(|purposes| !purposes.is_empty());
        let mut answers = purposes.map(|purposes| self.answer(proposed.crawler, proposed.url, purposes));
        answers.any(|outcome| outcome == Outcome::Prohibited)
    }

    pub(crate) fn answer(&self, crawler: &Crawler, path: &str, purposes: &[String]) -> Outcome {
        let mut proposed = ProposedUse::new(path, crawler, &Usage::Crawl);
        proposed.purposes = purposes;
        byleave::analysis::decide_unchecked(self.site, &proposed).outcome
    }
}

/// The names of a conventional group, and its rules.
pub(super) type NamedRules = (Vec<Vec<u8>>, Vec<SourceRule>);

/// Returns the conventional groups, in file order.
pub(super) fn groups(policy: &Policy<'_>) -> Vec<NamedRules> {
    let statements = policy.statements();
    let rule = |id| {
        let statement = statements.get(id)?;
        let Scope::Pattern(pattern) = statement.scope else { return None };
        // RFC 9309: a pattern that does not begin with `/` or `*` matches nothing.
        let is_pattern = matches!(pattern.first(), Some(b'/' | b'*'));
        let (modality, line) = (statement.modality, statement.line);
        is_pattern.then(|| SourceRule { modality, pattern: pattern.to_vec(), line, is_of_crawl: true })
    };
    let group = |group: CrawlerGroup<'_>| {
        let names = group.names.iter().map(|name| name.to_vec()).collect();
        (names, group.rules.into_iter().filter_map(rule).collect())
    };
    policy.groups().into_iter().map(group).collect()
}

/// Returns the combined rules of these groups, without duplicates.
pub(super) fn combined(groups: &[NamedRules], numbers: &BTreeSet<usize>) -> Vec<SourceRule> {
    let mut rules: Vec<SourceRule> = Vec::new();
    let mut known = BTreeSet::new();
    for rule in numbers.iter().filter_map(|number| groups.get(*number)).flat_map(|(_, rules)| rules) {
        if known.insert((rule.modality, rule.pattern.clone())) {
            rules.push(rule.clone());
        }
    }
    rules.sort_by_key(|rule| rule.line);
    rules
}

/// Returns the ACAP statements that may apply to crawling: statements about `crawl`, and statements about `other`,
/// which apply if no other statement does (S-03).
fn acap(site: &Site<'_>, policy: &Policy<'_>, statements: &SiteStatements<'_>) -> Vec<AcapRules> {
    let sets = sets(policy, site);
    let read = |one: byleave::analysis::AcapStatement<'_>| {
        let usage = one
            .usages
            .iter()
            .copied()
            .find(|usage| matches!(usage, Usage::Crawl))
            .or_else(|| one.usages.iter().copied().find(|usage| matches!(usage, Usage::OtherUsage)))?;
        let statement = statements.get(one.id, usage)?;
        let patterns: Vec<Vec<u8>> = match statement.scope {
            Scope::Pattern(pattern) => vec![slashed(pattern)],
            Scope::ResourceSet(name) => {
                let name = set_name(name);
                sets.iter().filter(|(known, _)| *known == name).flat_map(|(_, patterns)| patterns.clone()).collect()
            }
            _ => Vec::new(),
        };
        let is_of_crawl = *usage == Usage::Crawl;
        let rule = |pattern| SourceRule { modality: statement.modality, pattern, line: statement.line, is_of_crawl };
        let names = one.crawlers.iter().map(|name| name.to_vec()).collect();
        Some(AcapRules { names, rules: patterns.into_iter().map(rule).collect() })
    };
    statements.acap().into_iter().filter_map(read).collect()
}

/// Returns the resource sets that the file defines, keyed by their lower-case names.
pub(crate) fn sets(policy: &Policy<'_>, site: &Site<'_>) -> Vec<(Vec<u8>, Vec<Vec<u8>>)> {
    let Some(text) = policy.text() else { return Vec::new() };
    let tree = byleave::analysis::tree(text, site.reading());
    let defined = tree.lines().iter().filter_map(|line| {
        let part = |(start, end): (usize, usize)| text.get(start..end).unwrap_or_default();
        byleave::analysis::field(&tree, line, site.reading()).filter(|field| *field == Field::Acap)?;
        part(line.name).eq_ignore_ascii_case(b"ACAP-resource-set").then(|| part(line.value))
    });
    let set = |value: &[u8]| {
        let mut words = value.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
        let name = set_name(words.next()?);
        Some((name, words.map(|word| slashed(word.strip_suffix(b",").unwrap_or(word))).collect()))
    };
    defined.filter_map(set).collect()
}

/// Returns the name of a resource set in the form used for comparison: in lower case, without prefix and parentheses.
fn set_name(written: &[u8]) -> Vec<u8> {
    let lower = written.to_ascii_lowercase();
    let name = lower.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    name.iter().copied().filter(|byte| !matches!(byte, b'(' | b')')).collect()
}

/// Returns an ACAP pattern with an initial slash. In the file, the slash may be missing (S-19).
pub(crate) fn slashed(pattern: &[u8]) -> Vec<u8> {
    if matches!(pattern.first(), Some(b'/' | b'*')) { pattern.to_vec() } else { [b"/", pattern].concat() }
}

/// Returns the forms in which a written name is compared: the whole name, and the part before the first character that
/// names cannot contain (S-35). Returns `*` for any crawler.
fn forms(written: &[u8]) -> BTreeSet<Vec<u8>> {
    if is_any(written) {
        return BTreeSet::from([b"*".to_vec()]);
    }
    let lower = written.to_ascii_lowercase();
    let token = token(&lower).to_vec();
    [lower, token].into_iter().filter(|form| !form.is_empty()).collect()
}

/// Returns the names by which groups may address a crawler. For `Name/1.0`, they include the part before the slash.
fn crawler_names(name: &[u8]) -> BTreeSet<Vec<u8>> {
    let lower = name.to_ascii_lowercase();
    let before = lower.split(|byte| *byte == b'/').next().unwrap_or_default().to_vec();
    [lower, before].into_iter().filter(|name| !name.is_empty()).collect()
}

/// Returns whether a field is a fact about the site and not about a group.
pub(crate) fn is_of_site(field: Field) -> bool {
    field.role() == Role::SiteFact
}
