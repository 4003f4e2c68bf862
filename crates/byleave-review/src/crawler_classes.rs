//! Sorts crawlers into classes. The same rules bind all crawlers in a class, so they get the same decisions, and the
//! engine is asked about only one crawler per class.
//!
//! The classified names are the names in the policies, also in the forms to which readings shorten them (`AI2Bot`
//! becomes `AI` in strict RFC 9309, S-35), and one name that no policy contains. A crawler in the catalogue has its
//! documented fallbacks. If no policy names such a crawler, it is bound like the crawler that it falls back to, and is
//! not listed.

use crate::applicable::has_preference;
use crate::crawlers::crawler;
use crate::names::{forms, labelled, nobody};
use crate::scope::{NamedCrawlers, ReviewScope};
use byleave::analysis::{ApplicableRules, Binding, CanonicalPreference, ComparablePattern};
use byleave::model::BoundBy;
use byleave::model::{Addressee, StatementId};
use byleave::{Crawler, Site, Usage};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Crawlers that no policy distinguishes from each other.
pub(crate) struct CrawlerClass {
    /// The names as written, in file order.
    pub(crate) names: Vec<String>,
    /// Whether the class includes crawlers that no group names.
    pub(crate) has_unnamed: bool,
    /// The crawler of this class that the engine is asked about.
    pub(crate) crawler: Crawler,
    /// The rules that apply to the class in each policy.
    pub(crate) applicable: Vec<ApplicableRules>,
}

impl CrawlerClass {
    /// Returns whether any policy addresses the class in ACAP.
    pub(crate) fn has_acap(&self) -> bool {
        self.applicable.iter().any(|one| !one.fields.is_empty() || !one.unread.is_empty())
    }

    /// Returns whether any policy states a preference about this usage for the class (S-40).
    pub(crate) fn has_preferences_of(&self, usage: &Usage) -> bool {
        self.applicable.iter().any(|one| has_preference(usage, one))
    }
}

/// The crawler classes for a set of policies.
pub(crate) struct CrawlerClasses {
    pub(crate) classes: Vec<CrawlerClass>,
    /// Whether the list is complete. It is incomplete if a limit was reached.
    pub(crate) is_whole: bool,
}

/// Returns the crawler classes for these policies. If the scope names crawlers, only these crawlers are classified.
///
/// Cost: one lookup per name, for at most [`MAX_NAMES`] names. Each set of groups that binds a crawler also costs one
/// pass over its rules, for about [`MAX_RULES`] rules in total.
pub(crate) fn crawler_classes(policies: &[&Site<'_>], scope: &ReviewScope) -> CrawlerClasses {
    let mut classifier = Classifier {
        policies,
        known: HashMap::new(),
        by_content: HashMap::new(),
        contents: HashMap::new(),
        classes: Vec::new(),
        rules: 0,
    };
    if !scope.crawlers.is_empty() {
        for name in &scope.crawlers {
            classifier.add(crawler(name), Some(name));
        }
        return classifier.whole();
    }
    let mut seen = HashSet::new();
    let written = policies.iter().flat_map(|policy| policy.crawlers_with_groups());
    let mut names: Vec<&[u8]> = written.filter(|name| seen.insert(name.to_ascii_lowercase())).collect();
    let has_all = names.len() <= MAX_NAMES;
    names.truncate(MAX_NAMES);
    let texts: Vec<&str> = names.iter().filter_map(|name| std::str::from_utf8(name).ok()).collect();
    for name in &texts {
        classifier.add(crawler(name), Some(name));
        if scope.named == NamedCrawlers::KnownAndPlain {
            classifier.add_unless_listed(Crawler::named(name), name, name.as_bytes());
        }
    }
    for name in &names {
        for form in forms(name).filter_map(|form| std::str::from_utf8(form).ok()) {
            if seen.insert(form.to_ascii_lowercase().into_bytes()) {
                classifier.add_unless_listed(crawler(form), form, name);
            }
        }
    }
    let has_all_purposes = classifier.add_purposes();
    classifier.add(nobody(policies), None);
    // The order must not depend on which policy comes first.
    let mut whole = classifier.whole();
    whole.is_whole &= has_all && has_all_purposes;
    whole.classes.sort_by_cached_key(|class| {
        let first = class.names.iter().map(|name| name.to_ascii_lowercase()).min();
        (first.is_none(), first)
    });
    whole
}

/// Returns whether a conventional group names the crawler or one of its fallbacks.
pub(crate) fn is_named(applicable: &ApplicableRules) -> bool {
    matches!(applicable.bound_by, Some(BoundBy::Named | BoundBy::Fallback(_)))
}

/// At most this many names are examined. Real files contain a few hundred at most.
const MAX_NAMES: usize = 5_000;

/// At most this many purposes are examined.
pub(crate) const MAX_PURPOSES: usize = 64;

/// If there are at most this many purposes, every set of purposes is examined.
const MAX_COMBINED_PURPOSES: usize = 6;

/// Classification stops when more than this many rules and fields were examined, in all classes together.
const MAX_RULES: usize = 500_000;

/// Returns all non-empty subsets of these purposes, smallest first.
fn subsets<'p>(purposes: &[&'p str]) -> Vec<Vec<&'p str>> {
    let mut sets = vec![Vec::new()];
    for purpose in purposes {
        let with: Vec<Vec<&str>> = sets.iter().map(|set| [set.as_slice(), &[*purpose]].concat()).collect();
        sets.extend(with);
    }
    sets.sort_by_key(Vec::len);
    sets.split_off(1)
}

/// Returns how many rules, fields and preferences apply to a crawler.
fn size(applicable: &ApplicableRules) -> usize {
    applicable.rules.len() + applicable.fields.len() + applicable.preferences.len()
}

/// Sorts crawlers into classes, one at a time.
struct Classifier<'p, 'e> {
    policies: &'p [&'p Site<'e>],
    /// The class number for each list of bindings. A list has one binding per policy.
    known: HashMap<Vec<Binding>, usize>,
    /// The class number for the contents of the groups that bind a crawler. Crawlers in different groups with equal
    /// contents form one class.
    by_content: HashMap<Vec<ClassContent>, usize>,
    /// A number for each distinct set of conventional rules.
    contents: HashMap<BTreeSet<(ComparablePattern, u32)>, usize>,
    classes: Vec<CrawlerClass>,
    /// The number of rules and fields examined so far.
    rules: usize,
}

/// The parts of one policy that bind a crawler and affect decisions about it.
#[derive(PartialEq, Eq, Hash)]
struct ClassContent {
    rules: usize,
    /// Whether groups name the crawler. This matters only if ACAP is present (S-13).
    is_named: bool,
    fields: Vec<(StatementId, Addressee)>,
    unread: Vec<StatementId>,
    preferences: BTreeSet<(ComparablePattern, CanonicalPreference)>,
}

impl Classifier<'_, '_> {
    fn whole(self) -> CrawlerClasses {
        let has_all = |class: &CrawlerClass| class.applicable.iter().all(|applicable| applicable.is_whole);
        CrawlerClasses { is_whole: self.rules <= MAX_RULES && self.classes.iter().all(has_all), classes: self.classes }
    }

    fn add(&mut self, crawler: Crawler, name: Option<&str>) {
        let number = self.number_of(&crawler);
        if let Some(class) = self.classes.get_mut(number) {
            match name {
                Some(name) => class.names.push(name.to_owned()),
                None => class.has_unnamed = true,
            }
        }
    }

    /// Adds crawlers that no group names, one for each set of purposes that groups address (S-50). If there are too
    /// many purposes, adds only one crawler for each single purpose and one crawler with all purposes. Returns whether
    /// every set of purposes is covered.
    fn add_purposes(&mut self) -> bool {
        let mut known = HashSet::new();
        let written = self.policies.iter().flat_map(|policy| policy.purposes_of_groups());
        let purposes: Vec<&str> = written
            .filter(|purpose| known.insert(purpose.to_ascii_lowercase()))
            .filter_map(|purpose| std::str::from_utf8(purpose).ok())
            .take(MAX_PURPOSES)
            .collect();
        let has_all_sets = purposes.len() <= MAX_COMBINED_PURPOSES;
        let sets = if has_all_sets {
            subsets(&purposes)
        } else {
            purposes.chunks(1).map(<[&str]>::to_vec).chain([purposes.clone()]).collect()
        };
        for set in sets {
            let crawler = set.iter().fold(nobody(self.policies), |crawler, purpose| crawler.also_named(purpose));
            self.add(crawler, Some(&labelled(&set.join(", "))));
        }
        has_all_sets && known.len() == purposes.len()
    }

    /// Adds a crawler, unless its class already contains the name as written in the policy.
    fn add_unless_listed(&mut self, crawler: Crawler, name: &str, written: &[u8]) {
        let number = self.number_of(&crawler);
        let class = self.classes.get(number);
        if !class.is_some_and(|class| class.names.iter().any(|name| name.as_bytes() == written)) {
            self.add(crawler, Some(name));
        }
    }

    fn number_of(&mut self, crawler: &Crawler) -> usize {
        let binding: Vec<Binding> = self.policies.iter().map(|policy| policy.binding_of(crawler)).collect();
        if let Some(known) = self.known.get(&binding) {
            return *known;
        }
        // The limit is reached. No class has this number, so the crawler is not added.
        if self.rules > MAX_RULES {
            return usize::MAX;
        }
        let applicable: Vec<ApplicableRules> =
            self.policies.iter().map(|policy| policy.applicable_to(crawler)).collect();
        let contents: Vec<ClassContent> = applicable.iter().map(|applicable| self.content(applicable)).collect();
        self.rules += applicable.iter().map(size).sum::<usize>();
        let next = self.classes.len();
        let number = *self.by_content.entry(contents).or_insert(next);
        if number == next {
            self.classes.push(CrawlerClass {
                names: Vec::new(),
                has_unnamed: false,
                crawler: crawler.clone(),
                applicable,
            });
        }
        self.known.insert(binding, number);
        number
    }

    fn content(&mut self, applicable: &ApplicableRules) -> ClassContent {
        let next = self.contents.len();
        let rules = applicable.rules.iter().map(|rule| (rule.pattern.clone(), rule.rank)).collect();
        let has_acap = !applicable.fields.is_empty() || !applicable.unread.is_empty();
        ClassContent {
            rules: *self.contents.entry(rules).or_insert(next),
            is_named: has_acap && is_named(applicable),
            fields: applicable.fields.iter().map(|field| (field.statement, field.addressee)).collect(),
            unread: applicable.unread.clone(),
            preferences: applicable
                .preferences
                .iter()
                .map(|one| (one.pattern.clone(), one.canonical().clone()))
                .collect(),
        }
    }
}
