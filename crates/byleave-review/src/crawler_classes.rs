//! The kinds of crawlers there are for some policies: crawlers that the same rules bind get the same decisions, so
//! one of each kind is asked about.
//!
//! A crawler is asked about by one name, which is each name that a policy has in each form that some reading takes
//! (S-35), and one that none has. Where the catalogue knows a crawler of a name, its fallbacks are its own. One that no
//! policy names and that falls back to the group of another is bound as that one is, and not told of.

use crate::applicable::is_preferred;
use crate::crawlers::crawler;
use crate::names::{forms, labelled, nobody};
use byleave::model::{Addressee, StatementId};
use byleave::{Bearing, Binding, ComparablePattern, Crawler, Evidence, Ground, Usage};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Crawlers that all policies treat alike.
pub(crate) struct CrawlerKind {
    /// Their names as written, in the order of the files.
    pub(crate) names: Vec<String>,
    /// Whether crawlers that no group names are among them.
    pub(crate) has_unnamed: bool,
    /// One of them.
    pub(crate) crawler: Crawler,
    /// What bears on it in each policy.
    pub(crate) bearings: Vec<Bearing>,
}

impl CrawlerKind {
    /// Whether some policy speaks ACAP to them.
    pub(crate) fn has_acap(&self) -> bool {
        self.bearings.iter().any(|one| !one.fields.is_empty() || !one.unread.is_empty())
    }

    /// Whether some policy states a preference of this usage to them (S-40).
    pub(crate) fn has_preferences_of(&self, usage: &Usage) -> bool {
        self.bearings.iter().any(|one| is_preferred(usage, one))
    }
}

/// The kinds of crawlers for these policies.
pub(crate) struct Kinds {
    pub(crate) kinds: Vec<CrawlerKind>,
    /// Whether these are all; if not, too much binds too many.
    pub(crate) is_whole: bool,
}

/// The kinds of crawlers for these policies; only those of these names, where any are given.
///
/// Cost: for each name, up to [`MOST_NAMES`], a look at the names, and for each set of groups that binds one a look at
/// its rules, up to [`MOST_RULES`].
pub(crate) fn kinds(policies: &[&Evidence<'_>], only: &[String]) -> Kinds {
    let mut sorting = Sorting {
        policies,
        known: HashMap::new(),
        alike: HashMap::new(),
        contents: HashMap::new(),
        kinds: Vec::new(),
        rules: 0,
    };
    if !only.is_empty() {
        for name in only {
            sorting.add(crawler(name), Some(name));
        }
        return sorting.whole();
    }
    let mut seen = HashSet::new();
    let written = policies.iter().flat_map(|policy| policy.crawlers_spoken_of());
    let mut names: Vec<&[u8]> = written.filter(|name| seen.insert(name.to_ascii_lowercase())).collect();
    let has_all = names.len() <= MOST_NAMES;
    names.truncate(MOST_NAMES);
    let texts: Vec<&str> = names.iter().filter_map(|name| std::str::from_utf8(name).ok()).collect();
    for name in &texts {
        sorting.add(crawler(name), Some(name));
    }
    for name in &names {
        for form in forms(name) {
            if seen.insert(form.to_ascii_lowercase()) {
                sorting.add_form(form, name);
            }
        }
    }
    let has_all_purposes = sorting.add_purposes();
    sorting.add(nobody(policies), None);
    // In an order that does not depend on which policy is the first.
    let mut whole = sorting.whole();
    whole.is_whole &= has_all && has_all_purposes;
    whole.kinds.sort_by_cached_key(|kind| {
        let first = kind.names.iter().map(|name| name.to_ascii_lowercase()).min();
        (first.is_none(), first)
    });
    whole
}

/// Whether conventional groups name a crawler, or one that it falls back to.
pub(crate) fn is_named(bearing: &Bearing) -> bool {
    matches!(bearing.ground, Some(Ground::Named | Ground::Fallback(_)))
}

/// More names are not looked at. Real files have a few hundred at most.
const MOST_NAMES: usize = 5_000;

/// More purposes are not looked at.
pub(crate) const MOST_PURPOSES: usize = 64;

/// More rules and fields of all kinds together are not looked at.
const MOST_RULES: usize = 500_000;

/// How many rules, fields and preferences bear on a crawler.
fn size(bearing: &Bearing) -> usize {
    bearing.rules.len() + bearing.fields.len() + bearing.preferences.len()
}

/// Crawlers on their way to be sorted into kinds.
struct Sorting<'p, 'e> {
    policies: &'p [&'p Evidence<'e>],
    /// Kinds by the groups that bind them.
    known: HashMap<Vec<Binding>, usize>,
    /// Kinds by what those groups say.
    alike: HashMap<Vec<Content>, usize>,
    /// What conventional groups say, numbered.
    contents: HashMap<BTreeSet<(ComparablePattern, u32)>, usize>,
    kinds: Vec<CrawlerKind>,
    /// How many rules and fields were looked at.
    rules: usize,
}

/// What binds a crawler in one policy, so far as decisions depend on it.
#[derive(PartialEq, Eq, Hash)]
struct Content {
    rules: usize,
    /// Whether groups name it, which matters only beside ACAP (S-13).
    is_named: bool,
    fields: Vec<(StatementId, Addressee)>,
    unread: Vec<StatementId>,
    preferences: BTreeSet<(ComparablePattern, Vec<u8>)>,
}

impl Sorting<'_, '_> {
    fn whole(self) -> Kinds {
        let has_all = |kind: &CrawlerKind| kind.bearings.iter().all(|bearing| bearing.is_whole);
        Kinds { is_whole: self.rules <= MOST_RULES && self.kinds.iter().all(has_all), kinds: self.kinds }
    }

    fn add(&mut self, crawler: Crawler, name: Option<&str>) {
        let number = self.number_of(&crawler);
        if let Some(kind) = self.kinds.get_mut(number) {
            match name {
                Some(name) => kind.names.push(name.to_owned()),
                None => kind.has_unnamed = true,
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
            .take(MOST_PURPOSES)
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

    /// Adds a form of a written name, unless crawlers of the whole name are of the same kind.
    fn add_form(&mut self, form: &[u8], whole: &[u8]) {
        let Ok(form) = std::str::from_utf8(form) else { return };
        let crawler = crawler(form);
        let number = self.number_of(&crawler);
        let is_told = self.kinds.get(number).is_some_and(|kind| kind.names.iter().any(|name| name.as_bytes() == whole));
        if !is_told {
            self.add(crawler, Some(form));
        }
    }

    fn number_of(&mut self, crawler: &Crawler) -> usize {
        let binding: Vec<Binding> = self.policies.iter().map(|policy| policy.binding_of(crawler)).collect();
        if let Some(known) = self.known.get(&binding) {
            return *known;
        }
        // No kind has this number.
        if self.rules > MOST_RULES {
            return usize::MAX;
        }
        let bearings: Vec<Bearing> = self.policies.iter().map(|policy| policy.bearing_on(crawler)).collect();
        let contents: Vec<Content> = bearings.iter().map(|bearing| self.content(bearing)).collect();
        self.rules += bearings.iter().map(size).sum::<usize>();
        let next = self.kinds.len();
        let number = *self.alike.entry(contents).or_insert(next);
        if number == next {
            self.kinds.push(CrawlerKind { names: Vec::new(), has_unnamed: false, crawler: crawler.clone(), bearings });
        }
        self.known.insert(binding, number);
        number
    }

    fn content(&mut self, bearing: &Bearing) -> Content {
        let next = self.contents.len();
        let rules = bearing.rules.iter().map(|rule| (rule.pattern.clone(), rule.rank)).collect();
        let has_acap = !bearing.fields.is_empty() || !bearing.unread.is_empty();
        Content {
            rules: *self.contents.entry(rules).or_insert(next),
            is_named: has_acap && is_named(bearing),
            fields: bearing.fields.iter().map(|field| (field.statement, field.addressee)).collect(),
            unread: bearing.unread.clone(),
            preferences: bearing.preferences.iter().map(|one| (one.pattern.clone(), one.spelling().to_vec())).collect(),
        }
    }
}
