//! Preferences in today's dialects: each dialect settles by its own rule which of its statements count (S-31), and what
//! counts is laid over the rest as words are (S-40).

use super::licences::{Licences, groups};
use super::words::Worded;
use super::{LostTo, Recorder, Silent, conventional};
use crate::dialects::preference::{Preference, Preferences, SPOKEN_OF, Usages, bit, is_of_site};
use crate::dialects::rfc9309::resource::{is_same_location, resolved};
use crate::model::Outcome;
use crate::model::Source;
use crate::model::Usage;
use crate::model::proposed_use::ProposedUse;
use crate::model::{Carrier, Dialect, StatementId};
use crate::policy::{Bound, Policy};
use crate::site::{Evidence, RobotsTxt};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Whether some dialect of today may speak of a usage.
#[inline]
pub(crate) fn may_speak_of(usage: &Usage) -> bool {
    SPOKEN_OF.contains(usage)
}

/// A statement about the resource, to the crawler.
#[derive(Clone, Copy)]
struct Candidate<'p> {
    id: StatementId,
    carrier: Option<Carrier>,
    /// Whether it stands in the file that it is about (S-47).
    is_of_file: bool,
    table: &'p Preferences,
    preference: &'p Preference,
}

type Candidates<'p> = SmallVec<[Candidate<'p>; 8]>;

/// Adds the preferences that count for a usage.
pub(super) fn add<R: Recorder>(
    evidence: &Evidence<'_>,
    path: &[u8],
    proposed: &ProposedUse<'_>,
    usage: &Usage,
    words: &mut Option<Worded>,
    recorder: &mut R,
) {
    let policy = match evidence.robots_txt() {
        RobotsTxt::Read(policy) => Some(policy),
        RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
    };
    let fields = policy.and_then(|policy| Some((policy, policy.preferences()?)));
    let others = evidence.preferences();
    let outside = evidence.preferences_outside_head(proposed.capabilities);
    if fields.is_none() && others.is_empty() && outside.is_empty() {
        return;
    }
    let mut asking =
        Asking { usage, bit: bit(usage), words: words.get_or_insert_default(), disallowed_by: None, recorder };
    let mut candidates = Candidates::new();
    let resource = Resource { path, url: proposed.url };
    if let Some((policy, fields)) = fields {
        asking.of_groups(&policy.bind_for(proposed.crawler, proposed.purposes), (0, fields), resource, &mut candidates);
    }
    let licences = Licences::of(evidence, proposed.url, proposed.crawler, proposed.purposes);
    for (document, table) in (1..).zip(others.iter().chain(outside)) {
        let is_foreign = table.licence.is_some() && licences.as_ref().is_some_and(|all| !all.counts(document));
        if is_foreign || !is_about(evidence, table, proposed.url) {
            continue;
        }
        match evidence.groups_of(table) {
            Some(own) => {
                asking.of_groups(
                    &own.bind_for(proposed.crawler, proposed.purposes),
                    (document, table),
                    resource,
                    &mut candidates,
                );
            }
            None => each(table, document, resource, |_| true, |candidate| candidates.push(candidate)),
        }
    }
    let is_moot = |one: &Candidate<'_>| may_be_moot(one.preference.dialect) && !asking.is_prohibiting(one);
    if candidates.iter().any(is_moot) {
        asking.disallowed_by = policy.and_then(|policy| disallowing(policy, path, proposed));
    }
    asking.longest_path(Dialect::ContentUsage, &candidates);
    asking.longest_path(Dialect::ContentSignal, &candidates);
    asking.longest_pattern(Dialect::AiTraining, &candidates);
    asking.reservation(evidence, &candidates);
    asking.licence(licences.as_ref(), &candidates);
    asking.longest_pattern(Dialect::AiTxt, &candidates);
    asking.all_of(Dialect::TrustTxt, &candidates);
    asking.all_of(Dialect::PlusDataMining, &candidates);
}

/// The resource asked about: its comparable path, and its URL.
#[derive(Clone, Copy)]
struct Resource<'r> {
    path: &'r [u8],
    url: &'r str,
}

/// Whether a document may be about a resource: metadata is about the file it stands in, a licence about whatever it says,
/// and others are about the site they are of.
fn is_about(evidence: &Evidence<'_>, table: &Preferences, url: &str) -> bool {
    match evidence.location(table) {
        None => true,
        Some(location) if table.is_of_file => is_same_location(&resolved(url, location), url),
        Some(_) if table.licence.is_some() => true,
        Some(location) => is_of_site(location.as_bytes(), url),
    }
}

/// Calls `visit` with each statement of a document that is wanted and about a path.
fn each<'p>(
    table: &'p Preferences,
    document: u16,
    about: Resource<'_>,
    is_wanted: impl Fn(&Preference) -> bool,
    mut visit: impl FnMut(Candidate<'p>),
) {
    table.each_about(about.path, about.url, is_wanted, |number, preference| {
        let id = StatementId::new(Source::preferences(document), number);
        visit(Candidate { id, carrier: table.carrier, is_of_file: table.is_of_file, table, preference });
    });
}

struct Asking<'a, R> {
    usage: &'a Usage,
    bit: Usages,
    words: &'a mut Worded,
    /// The rule by which `Disallow` wins, where that matters.
    disallowed_by: Option<StatementId>,
    recorder: &'a mut R,
}

/// Whether a dialect permits nothing where `Disallow` wins (S-31).
pub(crate) fn may_be_moot(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::ContentUsage | Dialect::ContentSignal)
}

impl<R: Recorder> Asking<'_, R> {
    /// What stands in the groups that bind the crawler. Fields outside of every group count where these have none in the
    /// same dialect (S-40).
    fn of_groups<'p>(
        &mut self,
        bound: &Bound<'_>,
        (document, table): (u16, &'p Preferences),
        about: Resource<'_>,
        found: &mut Candidates<'p>,
    ) {
        let groups = groups(bound);
        let is_own = |one: &Preference| one.group.is_some_and(|group| groups.binary_search(&group).is_ok());
        // The first of the crawler's own in each dialect, looked for once. One that nobody can read sets nothing aside.
        let mut own: SmallVec<[(Dialect, u32); 4]> = SmallVec::new();
        let is_read = |one: &Preference| one.said.unreadable & self.bit == 0;
        for (number, one) in (0..).zip(&table.entries).filter(|(_, one)| is_own(one) && is_read(one)) {
            if !own.iter().any(|(dialect, _)| *dialect == one.dialect) {
                own.push((one.dialect, number));
            }
        }
        let is_wanted = |one: &Preference| one.group.is_none() || is_own(one);
        each(table, document, about, is_wanted, |candidate| match candidate.preference.group {
            Some(_) => found.push(candidate),
            None => match own.iter().find(|(dialect, _)| *dialect == candidate.preference.dialect) {
                None => found.push(candidate),
                Some((_, number)) => {
                    let own = StatementId { number: *number, ..candidate.id };
                    self.lost(&candidate, LostTo::OwnGroup(own));
                }
            },
        });
    }

    /// The longest path; of equally long ones all, of which the restrictive counts. What a header says stands beside it.
    fn longest_path(&mut self, dialect: Dialect, candidates: &Candidates<'_>) {
        // What cannot be read leaves the matter to what is wider.
        let is_of_dialect =
            |one: &&Candidate<'_>| one.preference.dialect == dialect && one.preference.said.unreadable & self.bit == 0;
        let of_dialect: Candidates<'_> = candidates.iter().filter(is_of_dialect).copied().collect();
        let is_field = |one: &&Candidate<'_>| one.carrier == Some(Carrier::RobotsTxt);
        let longest = of_dialect.iter().filter(is_field).max_by_key(|one| one.preference.length());
        for one in &of_dialect {
            match longest {
                Some(longest) if is_field(&one) && one.preference.length() < longest.preference.length() => {
                    self.lost(one, LostTo::LongerPath(longest.id));
                }
                _ => self.counts(one),
            }
        }
    }

    /// The longest pattern; of equally long ones the permission, as in RFC 9309. What a header says stands beside it.
    fn longest_pattern(&mut self, dialect: Dialect, candidates: &Candidates<'_>) {
        let all = || candidates.iter().filter(|one| one.preference.dialect == dialect);
        let is_header = |one: &&Candidate<'_>| one.carrier == Some(Carrier::Header);
        for one in all().filter(is_header) {
            self.counts(one);
        }
        let of_dialect = || all().filter(|one| !is_header(one));
        let rank = |one: &Candidate<'_>| (one.preference.length(), one.preference.said.permits != 0);
        let Some(best) = of_dialect().max_by_key(|one| rank(one)) else { return };
        for one in of_dialect() {
            if rank(one) == rank(best) {
                self.counts(one);
            } else if rank(one).0 == rank(best).0 {
                self.lost(one, LostTo::PermissionOfEqualLength(best.id));
            } else {
                self.lost(one, LostTo::LongerPath(best.id));
            }
        }
    }

    /// RSL: a licence that is named and not read prohibits. Of the terms that speak of the usage those of the longest
    /// pattern count, and of these, for each pattern of each document, those of the narrowest word; of equally narrow ones,
    /// and of several patterns, the restrictive (S-45).
    ///
    /// Cost: O(terms x log terms) of their patterns.
    fn licence<'p>(&mut self, licences: Option<&Licences>, candidates: &Candidates<'p>) {
        let Some(licences) = licences else { return };
        let bit = self.bit;
        let speaks =
            |one: &&Candidate<'_>| one.preference.dialect == Dialect::Rsl && one.preference.said.usages() & bit != 0;
        let of_dialect = || candidates.iter().filter(speaks);
        let is_term = |one: &&Candidate<'_>| one.carrier == Some(Carrier::Document);
        for one in of_dialect().filter(|one| !is_term(one) && licences.is_unread(one.id)) {
            self.counts(one);
        }
        // What only limits stands beside every word that is not of a longer pattern, and sets none aside.
        let is_word = |one: &Candidate<'_>| (one.preference.said.permits | one.preference.said.prohibits) & bit != 0;
        let rank = |one: &&Candidate<'_>| (is_word(one), one.preference.length());
        let Some(longest) = of_dialect().filter(is_term).max_by_key(rank) else { return };
        let is_longest = |one: &Candidate<'_>| one.preference.length() >= longest.preference.length();
        let words = of_dialect().filter(is_term).filter(|one| is_longest(one) && is_word(one));
        let scope = |one: &Candidate<'p>| (one.id.source.order(), one.table.pattern_of(one.preference));
        let mut narrowest: BTreeMap<_, &Candidate<'p>> = BTreeMap::new();
        for one in words {
            let known = narrowest.entry(scope(one)).or_insert(one);
            if one.preference.said.width < known.preference.said.width {
                *known = one;
            }
        }
        for one in of_dialect().filter(is_term) {
            match narrowest.get(&scope(one)) {
                _ if !is_longest(one) => self.lost(one, LostTo::LongerPath(longest.id)),
                Some(narrowest) if is_word(one) && one.preference.said.width > narrowest.preference.said.width => {
                    self.lost(one, LostTo::NarrowerWord(narrowest.id));
                }
                _ => self.counts(one),
            }
        }
    }

    /// Everything that is said in a dialect, of which the restrictive counts.
    fn all_of(&mut self, dialect: Dialect, candidates: &Candidates<'_>) {
        for one in candidates.iter().filter(|one| one.preference.dialect == dialect) {
            self.counts(one);
        }
    }

    /// TDMRep: of the file the first rule that matches; the header supersedes the file, the page both, and metadata
    /// in the file all of them.
    fn reservation(&mut self, evidence: &Evidence<'_>, candidates: &Candidates<'_>) {
        let is_reservation = |one: &&Candidate<'_>| one.preference.dialect == Dialect::TdmRep;
        let mut layers: [Candidates<'_>; LAYERS] = Default::default();
        for one in candidates.iter().filter(is_reservation) {
            let layer = match one.carrier {
                Some(Carrier::Header) => 1,
                Some(Carrier::Meta) => METAS,
                _ if one.is_of_file => 3,
                _ => 0,
            };
            let Some(layer) = layers.get_mut(layer) else { continue };
            // Documents come one after another, each with its first rule that matches.
            match layer.last().copied() {
                Some(first)
                    if one.carrier == Some(Carrier::Document)
                        && !one.is_of_file
                        && first.id.source == one.id.source =>
                {
                    self.lost(one, LostTo::EarlierRule(first.id));
                }
                _ => layer.push(*one),
            }
        }
        // A permission of the page counts where source and DOM both have it (S-25).
        if let Some(metas) = layers.get_mut(METAS)
            && evidence.has_source_and_dom()
            && metas.iter().all(|one| metas.first().is_some_and(|first| first.id.source == one.id.source))
        {
            let permits = |one: &Candidate<'_>| one.preference.said.permits & self.bit != 0;
            for one in metas.iter().filter(|one| permits(one)) {
                self.recorder.word(one.id, self.usage, Some(LostTo::NotInBoth));
            }
            metas.retain(|one| one.preference.said.permits & self.bit == 0);
        }
        let last = layers.iter().rev().find(|layer| !layer.is_empty());
        let Some(winner) = last.and_then(|layer| layer.first()).map(|one| one.id) else { return };
        for layer in &layers {
            for one in layer {
                if layer.first().map(|first| first.id) == Some(winner) {
                    self.counts(one);
                } else {
                    self.lost(one, LostTo::LaterLayer(winner));
                }
            }
        }
    }

    /// A statement counts for its dialect, if it speaks of the usage.
    fn counts(&mut self, one: &Candidate<'_>) {
        let said = &one.preference.said;
        let outcome = if said.prohibits & self.bit != 0 {
            Outcome::Prohibited
        } else if said.limited() & self.bit != 0 {
            Outcome::Conditional
        } else if said.permits & self.bit != 0 {
            Outcome::Permitted
        } else {
            return;
        };
        match self.disallowed_by {
            Some(rule) if may_be_moot(one.preference.dialect) && outcome != Outcome::Prohibited => {
                self.lost(one, LostTo::Disallowed(rule));
            }
            _ => {
                self.recorder.word(one.id, self.usage, None);
                self.words.prefer(one.id, outcome);
            }
        }
    }

    fn is_prohibiting(&self, one: &Candidate<'_>) -> bool {
        one.preference.said.prohibits & self.bit != 0
    }

    fn lost(&mut self, one: &Candidate<'_>, by: LostTo) {
        if one.preference.said.usages() & self.bit != 0 {
            self.recorder.word(one.id, self.usage, Some(by));
        }
    }
}

/// The rule by which `Disallow` wins there, if it does.
fn disallowing(policy: &Policy<'_>, path: &[u8], proposed: &ProposedUse<'_>) -> Option<StatementId> {
    if policy.acap().is_some_and(|acap| acap.ignores_conventional) {
        return None;
    }
    let (outcome, reason) = conventional(&policy.bind_for(proposed.crawler, proposed.purposes), path, &mut Silent);
    reason.statement().filter(|_| outcome == Outcome::Prohibited)
}

/// The layers of TDMRep: tdmrep.json, header, page, metadata in the file.
const LAYERS: usize = 4;
const METAS: usize = 2;
