//! The classes of crawlers there are for some policies: crawlers that the same rules bind get the same decisions, so
//! one of each class is asked about.
//!
//! A crawler is asked about by one name, which is each name that a policy has in each form that some reading takes
//! (S-35), and one that none has. Where the catalogue knows a crawler of a name, its fallbacks are its own. One that no
//! policy names and that falls back to the group of another is bound as that one is, and not told of.

use crate::applicable::has_preference;
use crate::crawlers::crawler;
use crate::names::{forms, labelled, nobody};
use byleave::model::{Addressee, StatementId};
use byleave::{Bearing, Binding, ComparablePattern, Crawler, Evidence, Ground, Usage};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Crawlers that all policies treat by_content.
pub(crate) struct CrawlerClass {
    /// Their names as written, in the order of the files.
    pub(crate) names: Vec<String>,
    /// Whether crawlers that no group names are among them.
    pub(crate) has_unnamed: bool,
    /// One of them.
    pub(crate) crawler: Crawler,
    /// What bears on it in each policy.
    pub(crate) applicable: Vec<Bearing>,
}

impl CrawlerClass {
    /// Whether some policy speaks ACAP to them.
    pub(crate) fn has_acap(&self) -> bool {
        self.applicable.iter().any(|one| !one.fields.is_empty() || !one.unread.is_empty())
    }

    /// Whether some policy states a preference of this usage to them (S-40).
    pub(crate) fn has_preferences_of(&self, usage: &Usage) -> bool {
        self.applicable.iter().any(|one| has_preference(usage, one))
    }
}

/// The classes of crawlers for these policies.
pub(crate) struct CrawlerClasses {
    pub(crate) classes: Vec<CrawlerClass>,
    /// Whether these are all; if not, too much binds too many.
    pub(crate) is_whole: bool,
}

/// The classes of crawlers for these policies; only those of these names, where any are given.
///
/// Cost: for each name, up to [`MAX_NAMES`], a look at the names, and for each set of groups that binds one a look at
/// its rules, up to [`MAX_RULES`].
pub(crate) fn crawler_classes(policies: &[&Evidence<'_>], only: &[String]) -> CrawlerClasses {
    let mut classifier = Classifier {
        policies,
        known: HashMap::new(),
        by_content: HashMap::new(),
        contents: HashMap::new(),
        classes: Vec::new(),
        rules: 0,
    };
    if !only.is_empty() {
        for name in only {
            classifier.add(crawler(name), Some(name));
        }
        return classifier.whole();
    }
    let mut seen = HashSet::new();
    let written = policies.iter().flat_map(|policy| policy.crawlers_spoken_of());
    let mut names: Vec<&[u8]> = written.filter(|name| seen.insert(name.to_ascii_lowercase())).collect();
    let has_all = names.len() <= MAX_NAMES;
    names.truncate(MAX_NAMES);
    let texts: Vec<&str> = names.iter().filter_map(|name| std::str::from_utf8(name).ok()).collect();
    for name in &texts {
        classifier.add(crawler(name), Some(name));
    }
    for name in &names {
        for form in forms(name) {
            if seen.insert(form.to_ascii_lowercase()) {
                classifier.add_form(form, name);
            }
        }
    }
    let has_all_purposes = classifier.add_purposes();
    classifier.add(nobody(policies), None);
    // In an order that does not depend on which policy is the first.
    let mut whole = classifier.whole();
    whole.is_whole &= has_all && has_all_purposes;
    whole.classes.sort_by_cached_key(|class| {
        let first = class.names.iter().map(|name| name.to_ascii_lowercase()).min();
        (first.is_none(), first)
    });
    whole
}

/// Whether conventional groups name a crawler, or one that it falls back to.
pub(crate) fn is_named(bearing: &Bearing) -> bool {
    matches!(bearing.ground, Some(Ground::Named | Ground::Fallback(_)))
}

/// More names are not looked at. Real files have a few hundred at most.
const MAX_NAMES: usize = 5_000;

/// More purposes are not looked at.
pub(crate) const MAX_PURPOSES: usize = 64;

/// More rules and fields of all classes together are not looked at.
const MAX_RULES: usize = 500_000;

/// How many rules, fields and preferences bear on a crawler.
fn size(bearing: &Bearing) -> usize {
    bearing.rules.len() + bearing.fields.len() + bearing.preferences.len()
}

/// Crawlers on their way to be sorted into classes.
struct Classifier<'p, 'e> {
    policies: &'p [&'p Evidence<'e>],
    /// CrawlerClasses by the groups that bind them.
    known: HashMap<Vec<Binding>, usize>,
    /// CrawlerClasses by what those groups say.
    by_content: HashMap<Vec<ClassContent>, usize>,
    /// What conventional groups say, numbered.
    contents: HashMap<BTreeSet<(ComparablePattern, u32)>, usize>,
    classes: Vec<CrawlerClass>,
    /// How many rules and fields were looked at.
    rules: usize,
}

/// What binds a crawler in one policy, so far as decisions depend on it.
#[derive(PartialEq, Eq, Hash)]
struct ClassContent {
    rules: usize,
    /// Whether groups name it, which matters only beside ACAP (S-13).
    is_named: bool,
    fields: Vec<(StatementId, Addressee)>,
    unread: Vec<StatementId>,
    preferences: BTreeSet<(ComparablePattern, Vec<u8>)>,
}

impl Classifier<'_, '_> {
    fn whole(self) -> CrawlerClasses {
        let has_all = |class: &CrawlerClass| class.applicable.iter().all(|bearing| bearing.is_whole);
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

    /// Adds crawlers that no group names and that have a purpose of groups (S-50), or all of these; whether those are all
    /// there are.
    fn add_purposes(&mut self) -> bool {
        let mut known = HashSet::new();
        let spoken = self.policies.iter().flat_map(|policy| policy.purposes_of_groups());
        let purposes: Vec<&str> = spoken
            .filter(|purpose| known.insert(purpose.to_ascii_lowercase()))
            .filter_map(|purpose| std::str::from_utf8(purpose).ok())
            .take(MAX_PURPOSES)
            .collect();
        let having = |crawler: Crawler, purpose: &&str| crawler.also_named(purpose);
        for purpose in &purposes {
            let crawler = having(nobody(self.policies), purpose);
            self.add(crawler, Some(&labelled(purpose)));
        }
        if purposes.len() > 1 {
            let crawler = purposes.iter().fold(nobody(self.policies), having);
            self.add(crawler, Some(&labelled(&purposes.join(", "))));
        }
        // Of three and more some may be had without the others.
        purposes.len() <= 2 && known.len() == purposes.len()
    }

    /// Adds a form of a written name, unless crawlers of the whole name are of the same class.
    fn add_form(&mut self, form: &[u8], whole: &[u8]) {
        let Ok(form) = std::str::from_utf8(form) else { return };
        let crawler = crawler(form);
        let number = self.number_of(&crawler);
        let is_told =
            self.classes.get(number).is_some_and(|class| class.names.iter().any(|name| name.as_bytes() == whole));
        if !is_told {
            self.add(crawler, Some(form));
        }
    }

    fn number_of(&mut self, crawler: &Crawler) -> usize {
        let binding: Vec<Binding> = self.policies.iter().map(|policy| policy.binding_of(crawler)).collect();
        if let Some(known) = self.known.get(&binding) {
            return *known;
        }
        // No class has this number.
        if self.rules > MAX_RULES {
            return usize::MAX;
        }
        let applicable: Vec<Bearing> = self.policies.iter().map(|policy| policy.bearing_on(crawler)).collect();
        let contents: Vec<ClassContent> = applicable.iter().map(|bearing| self.content(bearing)).collect();
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

    fn content(&mut self, bearing: &Bearing) -> ClassContent {
        let next = self.contents.len();
        let rules = bearing.rules.iter().map(|rule| (rule.pattern.clone(), rule.rank)).collect();
        let has_acap = !bearing.fields.is_empty() || !bearing.unread.is_empty();
        ClassContent {
            rules: *self.contents.entry(rules).or_insert(next),
            is_named: has_acap && is_named(bearing),
            fields: bearing.fields.iter().map(|field| (field.statement, field.addressee)).collect(),
            unread: bearing.unread.clone(),
            preferences: bearing.preferences.iter().map(|one| (one.pattern.clone(), one.spelling().to_vec())).collect(),
        }
    }
}
