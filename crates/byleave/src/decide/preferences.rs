//! Decides which statements in AI-preference dialects count for a usage.
//!
//! Each dialect has its own rule for which of its statements count (S-31). The result is combined with the other
//! statements in the same way as directives (S-40).

use super::directives::DirectiveVerdict;
use super::licences::{Licences, groups};
use super::{Recorder, Silent, conventional};
use crate::dialects::conflict::{Candidate, Candidates, ConflictContext};
use crate::dialects::preference::{PREFERENCE_USAGES, Preference, Preferences, Usages, bit, is_of_site};
use crate::dialects::rfc9309::resource::{is_same_location, resolved};
use crate::dialects::{PREFERENCE_DIALECTS, conflict_traits};
use crate::model::LostTo;
use crate::model::Outcome;
use crate::model::Source;
use crate::model::Usage;
use crate::model::proposed_use::ProposedUse;
use crate::model::{Dialect, StatementId};
use crate::policy::{Bound, Policy};
use crate::site::{RobotsTxt, Site};
use smallvec::SmallVec;

/// Whether an AI-preference dialect can address a usage.
#[inline]
pub(crate) fn may_address(usage: &Usage) -> bool {
    PREFERENCE_USAGES.contains(usage)
}

/// Adds the preferences that count for a usage to the directives' verdict.
pub(super) fn add<R: Recorder>(
    site: &Site<'_>,
    path: &[u8],
    proposed: &ProposedUse<'_>,
    usage: &Usage,
    directives: &mut Option<DirectiveVerdict>,
    recorder: &mut R,
) {
    let policy = match site.robots_txt() {
        RobotsTxt::Read(policy) => Some(policy),
        RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
    };
    let fields = policy.and_then(|policy| Some((policy, policy.preferences()?)));
    let others = site.preferences();
    let outside = site.preferences_outside_head(proposed.capabilities);
    if fields.is_none() && others.is_empty() && outside.is_empty() {
        return;
    }
    let mut asking = Asking {
        usage,
        bit: bit(usage),
        directives: directives.get_or_insert_default(),
        disallowed_by: None,
        recorder,
    };
    let mut candidates = Candidates::new();
    let resource = Resource { path, url: proposed.url };
    if let Some((policy, fields)) = fields {
        asking.of_groups(&policy.bind_for(proposed.crawler, proposed.purposes), (0, fields), resource, &mut candidates);
    }
    let licences = Licences::of(site, proposed.url, proposed.crawler, proposed.purposes);
    for (document, table) in (1..).zip(others.iter().chain(outside)) {
        let is_foreign = table.licence.is_some() && licences.as_ref().is_some_and(|all| !all.counts(document));
        if is_foreign || !is_about(site, table, proposed.url) {
            continue;
        }
        match site.groups_of(table) {
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
    let is_moot =
        |one: &Candidate<'_>| conflict_traits(one.preference.dialect).yields_to_disallow && !asking.is_prohibiting(one);
    if candidates.iter().any(is_moot) {
        asking.disallowed_by = policy.and_then(|policy| disallowing(policy, path, proposed));
    }
    let is_unread = licences.as_ref().map(|licences| |id: StatementId| licences.is_unread(id));
    let context = ConflictContext {
        usage: asking.bit,
        has_source_and_dom: site.has_source_and_dom(),
        is_licence_unread: is_unread.as_ref().map(|is_unread| is_unread as &dyn Fn(StatementId) -> bool),
    };
    for entry in PREFERENCE_DIALECTS {
        let is_own = |one: &&Candidate<'_>| one.preference.dialect == entry.dialect;
        let own: Candidates<'_> = candidates.iter().filter(is_own).copied().collect();
        if !own.is_empty() {
            (entry.conflict)(&own, &context, &mut |one, lost| match lost {
                None => asking.counts(one),
                Some(by) => asking.lost(one, by),
            });
        }
    }
}

/// The resource in question: its normalized path and its URL.
#[derive(Clone, Copy)]
struct Resource<'r> {
    path: &'r [u8],
    url: &'r str,
}

/// Whether a document may apply to a resource. Metadata applies to the file that contains it, a licence to the
/// resources it names, and any other document to its own site.
fn is_about(site: &Site<'_>, table: &Preferences, url: &str) -> bool {
    match site.location(table) {
        None => true,
        Some(location) if table.is_of_file => is_same_location(&resolved(url, location), url),
        Some(_) if table.licence.is_some() => true,
        Some(location) => is_of_site(location.as_bytes(), url),
    }
}

/// Calls `visit` with each wanted statement in a document that applies to the path.
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
    directives: &'a mut DirectiveVerdict,
    /// The `Disallow` rule that wins, set only if a candidate depends on it.
    disallowed_by: Option<StatementId>,
    recorder: &'a mut R,
}

impl<R: Recorder> Asking<'_, R> {
    /// Adds to `found` the preferences in the groups that bind the crawler. A field outside every group counts only if
    /// these groups have no preference in the same dialect (S-40).
    fn of_groups<'p>(
        &mut self,
        bound: &Bound<'_>,
        (document, table): (u16, &'p Preferences),
        about: Resource<'_>,
        found: &mut Candidates<'p>,
    ) {
        let groups = groups(bound);
        let is_own = |one: &Preference| one.group.is_some_and(|group| groups.binary_search(&group).is_ok());
        // The first preference in the crawler's own groups, for each dialect. An unreadable preference does not set
        // other preferences aside.
        let mut own: SmallVec<[(Dialect, u32); 4]> = SmallVec::new();
        let is_read = |one: &Preference| one.claims.unreadable & self.bit == 0;
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

    /// Records that a statement counts under the rules of its dialect, if it addresses the usage.
    fn counts(&mut self, one: &Candidate<'_>) {
        let claims = &one.preference.claims;
        let outcome = if claims.prohibits & self.bit != 0 {
            Outcome::Prohibited
        } else if claims.limited() & self.bit != 0 {
            Outcome::Conditional
        } else if claims.permits & self.bit != 0 {
            Outcome::Permitted
        } else {
            return;
        };
        match self.disallowed_by {
            Some(rule)
                if conflict_traits(one.preference.dialect).yields_to_disallow && outcome != Outcome::Prohibited =>
            {
                self.lost(one, LostTo::Disallowed(rule));
            }
            _ => {
                self.recorder.directive(one.id, self.usage, None);
                self.directives.prefer(one.id, outcome);
            }
        }
    }

    fn is_prohibiting(&self, one: &Candidate<'_>) -> bool {
        one.preference.claims.prohibits & self.bit != 0
    }

    fn lost(&mut self, one: &Candidate<'_>, by: LostTo) {
        if one.preference.claims.usages() & self.bit != 0 {
            self.recorder.directive(one.id, self.usage, Some(by));
        }
    }
}

/// Returns the `Disallow` rule that wins for the path, or `None` if there is none.
fn disallowing(policy: &Policy<'_>, path: &[u8], proposed: &ProposedUse<'_>) -> Option<StatementId> {
    if policy.acap().is_some_and(|acap| acap.ignores_conventional) {
        return None;
    }
    let (outcome, reason) = conventional(&policy.bind_for(proposed.crawler, proposed.purposes), path, &mut Silent);
    reason.statement().filter(|_| outcome == Outcome::Prohibited)
}
