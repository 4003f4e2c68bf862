//! Finds the RSL licences that a site names for a crawler, and determines which of them were supplied (S-45).
//!
//! A licence that is named but was not supplied is unread. The dialect defines what an unread licence means
//! (`dialects/rsl`).

use crate::dialects::rfc9309::resource::{is_same_location, resolved};
use crate::dialects::rsl::Licence;
use crate::model::Source;
use crate::model::crawler::Crawler;
use crate::model::{Carrier, StatementId};
use crate::policy::Bound;
use crate::site::{ROBOTS_TXT, RobotsTxt, Site};
use smallvec::SmallVec;

/// The licences on a site that concern one crawler and one resource.
#[derive(Clone, Debug, Default)]
pub(crate) struct Licences {
    /// The licences that the site names for the crawler, in the order of the statements that name them.
    pub(crate) named: Vec<NamedLicence>,
    /// The numbers of the licence documents that the site names only for other crawlers.
    of_others: SmallVec<[u16; 4]>,
}

/// A licence that a statement names.
#[derive(Clone, Debug)]
pub(crate) struct NamedLicence {
    pub(crate) id: StatementId,
    /// The licence's URL, or its path if the site's origin is not known.
    pub(crate) location: String,
    /// Whether the licence document was supplied and could be read.
    pub(crate) is_read: bool,
}

/// A licence whose document was supplied.
struct Given {
    document: u16,
    location: String,
    is_whole: bool,
    is_named: bool,
    is_named_to_it: bool,
}

impl Licences {
    /// Returns the licences that concern this crawler, or `None` if no licence is named or supplied.
    ///
    /// Cost: O(names x supplied licences).
    pub(crate) fn of(site: &Site<'_>, url: &str, crawler: &Crawler, purposes: &[String]) -> Option<Self> {
        let policy = match site.robots_txt() {
            RobotsTxt::Read(policy) => Some(policy),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
        };
        let fields = policy.and_then(|policy| policy.preferences());
        let others = site.preferences();
        let mut tables = fields.into_iter().chain(others);
        if tables.all(|table| table.licence.is_none() && table.licences_named().next().is_none()) {
            return None;
        }
        let mut licences = Self::default();
        let given = |(document, table): (u16, &crate::dialects::preference::Preferences)| {
            let is_whole = table.licence? == Licence::Whole;
            let location = resolved(url, site.location(table)?);
            Some(Given { document, location, is_whole, is_named: false, is_named_to_it: false })
        };
        let mut given: Vec<Given> = (1..).zip(others).filter_map(given).collect();
        let mut name = |id: StatementId, base: &str, written: &[u8], is_to_it: bool| {
            let location = resolved(base, &String::from_utf8_lossy(written));
            let mut is_read = false;
            for one in given.iter_mut().filter(|one| is_same_location(&one.location, &location)) {
                one.is_named = true;
                one.is_named_to_it |= is_to_it;
                is_read |= one.is_whole;
            }
            if is_to_it {
                licences.named.push(NamedLicence { id, location, is_read });
            }
        };
        if let (Some(policy), Some(fields)) = (policy, fields) {
            let groups = groups(&policy.bind_for(crawler, purposes));
            let is_own = |group: Option<u32>| group.is_some_and(|group| groups.binary_search(&group).is_ok());
            // Licences that are named in the crawler's own groups replace those named for the whole site.
            let has_own = fields.licences_named().any(|(_, entry, _)| is_own(entry.group));
            let base = resolved(url, &format!("/{ROBOTS_TXT}"));
            for (number, entry, location) in fields.licences_named() {
                let is_to_it = if has_own { is_own(entry.group) } else { entry.group.is_none() };
                name(id(0, number), &base, location, is_to_it);
            }
        }
        for (document, table) in (1..).zip(others).filter(|(_, table)| table.carrier != Some(Carrier::Document)) {
            for (number, _, location) in table.licences_named() {
                name(id(document, number), url, location, true);
            }
        }
        let is_of_others = |one: &&Given| one.is_named && !one.is_named_to_it;
        licences.of_others = given.iter().filter(is_of_others).map(|one| one.document).collect();
        Some(licences)
    }

    /// Whether a licence document counts for the crawler. The site must name it for this crawler, or for no crawler at
    /// all.
    pub(crate) fn counts(&self, document: u16) -> bool {
        !self.of_others.contains(&document)
    }

    /// Whether a statement names a licence that was not read.
    pub(super) fn is_unread(&self, id: StatementId) -> bool {
        let found = self.named.binary_search_by_key(&id, |named| named.id);
        found.is_ok_and(|found| self.named.get(found).is_some_and(|named| !named.is_read))
    }

    /// Returns the licences that the site names for the crawler but that were not read.
    pub(crate) fn unread(&self) -> impl Iterator<Item = &NamedLicence> {
        self.named.iter().filter(|named| !named.is_read)
    }
}

/// Returns the groups that bind a crawler, in ascending order.
pub(super) fn groups(bound: &Bound<'_>) -> SmallVec<[u32; 8]> {
    let mut groups = SmallVec::new();
    bound.each_block(|block| groups.push(block));
    groups.sort_unstable();
    groups
}

fn id(document: u16, number: u32) -> StatementId {
    StatementId::new(Source::preferences(document), number)
}
