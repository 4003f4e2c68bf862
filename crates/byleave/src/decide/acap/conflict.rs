//! Resolves conflicts between the statements in one ACAP tier (S-04, S-05, S-07, S-08).

use super::{Bench, COMPARED, Candidate, Candidates, Contest, How, Members};
use crate::dialects::acap::scope::Pattern;
use crate::model::LostTo;
use crate::model::Outcome;
use crate::model::StatementId;
use smallvec::SmallVec;

/// Sets statements for any crawler aside if a statement in the same class of purposes names the crawler (S-04). Returns
/// the statements set aside, each with the statement it lost to.
pub(super) fn s04_named_sets_any_aside<'a>(
    candidates: &mut Candidates<'a>,
) -> SmallVec<[(Candidate<'a>, StatementId); 4]> {
    let mut aside = SmallVec::new();
    for has_purpose in [false, true] {
        let is_of_class = |one: &Candidate<'_>| one.has_purpose == has_purpose;
        let Some(by) = candidates.iter().find(|one| is_of_class(one) && one.is_named).map(|one| one.id) else {
            continue;
        };
        candidates.retain(|one| {
            let stays = !is_of_class(one) || one.is_named;
            if !stays {
                aside.push((*one, by));
            }
            stays
        });
    }
    aside
}

/// Returns the outcome and what settled the conflict. A permission wins only if it is narrower than every opposing
/// prohibition (S-07, S-08).
///
/// Patterns without wildcards that match the same path are nested (`/` contains `/news`), so only the longest of them
/// can matter. Other patterns are compared pair by pair, up to [`COMPARED`] octets.
pub(super) fn resolve<'a>(
    candidates: &Candidates<'a>,
    members: &Members,
    winners: &mut Candidates<'a>,
) -> (Outcome, Contest) {
    if let [one] = candidates.as_slice() {
        winners.push(*one);
        return (if one.is_permission { Outcome::Permitted } else { Outcome::Prohibited }, Contest::Unopposed);
    }
    if let Some(contested) = resolve_plain(candidates, winners) {
        return contested;
    }
    let of_kind = |is_permission: bool| candidates.iter().filter(move |one| one.is_permission == is_permission);
    let permissions = of_kind(true).count();
    if permissions == candidates.len() {
        s08_narrowest(candidates, members, winners);
        return (Outcome::Permitted, Contest::Unopposed);
    }
    if permissions == 0 {
        winners.extend(candidates.iter().copied());
        return (Outcome::Prohibited, Contest::Unopposed);
    }
    let (leading, opposing) = (opponents(candidates, true), opponents(candidates, false));
    let beats_all = |one: &Candidate<'_>| opposing.iter().all(|other| one.narrower_than(other, members).is_some());
    let mut contest = Contest::Uncompared;
    if pair_cost(&leading, &opposing, members) <= COMPARED {
        contest = Contest::Scope;
        let winning: Candidates<'a> = leading.iter().copied().filter(beats_all).collect();
        if !winning.is_empty() {
            s08_narrowest(&winning, members, winners);
            s08_with_shorter(candidates, &winning, &opposing, members, winners);
            return (Outcome::Permitted, contest);
        }
        let is_unbeaten = |one: &Candidate<'_>| leading.iter().all(|other| other.narrower_than(one, members).is_none());
        let all: Candidates<'a> = of_kind(false).copied().collect();
        if pair_cost(&all, &leading, members) <= COMPARED {
            winners.extend(all.into_iter().filter(is_unbeaten));
        }
    }
    if winners.is_empty() {
        winners.extend(of_kind(false).copied());
    }
    (Outcome::Prohibited, contest)
}

/// Resolves the common case by length alone: every scope is a plain path prefix, and equal lengths do not affect the
/// result. Returns `None` in other cases.
fn resolve_plain<'a>(candidates: &Candidates<'a>, winners: &mut Candidates<'a>) -> Option<(Outcome, Contest)> {
    let mut longest = [(0, 0u32); 2];
    let mut top = None;
    for one in candidates {
        let length = one.plain().filter(|_| !one.is_many)?.length();
        let (known, count) = longest.get_mut(usize::from(one.is_permission))?;
        if length > *known || *count == 0 {
            (*known, *count) = (length, 1);
            top = if one.is_permission { Some(one) } else { top };
        } else {
            *count += u32::from(length == *known);
        }
    }
    let [(prohibited, prohibitions), (permitted, permissions)] = longest;
    let contest = match (prohibitions, permissions) {
        (0, _) | (_, 0) => Contest::Unopposed,
        _ => Contest::Scope,
    };
    if permissions > 0 && (prohibitions == 0 || permitted > prohibited) {
        winners.push(*top.filter(|_| permissions == 1)?);
        return Some((Outcome::Permitted, contest));
    }
    // A prohibition is unbeaten if it is longer than every permission.
    let is_unbeaten = |one: &&Candidate<'_>| {
        !one.is_permission && (permissions == 0 || one.plain().is_some_and(|pattern| pattern.length() > permitted))
    };
    let twins = permissions > 0
        && candidates.iter().any(|one| !one.is_permission && one.plain().map(Pattern::length) == Some(permitted));
    if twins {
        return None;
    }
    winners.extend(candidates.iter().filter(is_unbeaten).copied());
    Some((Outcome::Prohibited, contest))
}

/// Adds the permissions with shorter plain scopes if no single permission supplies the conditions. If another
/// permission has the same rank and length as the winner, all winning permissions supply conditions.
fn s08_with_shorter<'a>(
    candidates: &Candidates<'a>,
    winning: &Candidates<'a>,
    opposing: &Candidates<'a>,
    members: &Members,
    winners: &mut Candidates<'a>,
) {
    let plain = || candidates.iter().filter(|one| one.is_permission && one.plain().is_some());
    let is_twin = |one: &Candidate<'a>, winner: &Candidate<'a>| {
        one.id != winner.id
            && one.rank() == winner.rank()
            && one.plain().map(Pattern::length) == winner.plain().map(Pattern::length)
    };
    if let [winner] = winners.as_slice()
        && !winner.is_many
        && (winner.plain().is_none() || !plain().any(|one| is_twin(one, winner)))
    {
        return;
    }
    *winners = winning.clone();
    let shorter: Candidates<'a> =
        plain().filter(|one| winning.iter().all(|winner| winner.id != one.id)).copied().collect();
    // If there are too many permissions to compare, all of them count. This can only add conditions.
    let is_known = pair_cost(&shorter, opposing, members) <= COMPARED;
    let beats_all = |one: &Candidate<'_>| opposing.iter().all(|other| one.narrower_than(other, members).is_some());
    winners.extend(shorter.into_iter().filter(|one| !is_known || beats_all(one)));
}

/// Returns the permissions, or the prohibitions, that the candidates of the other kind have to be compared with. Among
/// plain scopes, only the longest matter, and only one candidate for each rank, because ranks break ties.
fn opponents<'a>(candidates: &Candidates<'a>, is_permission: bool) -> Candidates<'a> {
    let of_kind = || candidates.iter().filter(|one| one.is_permission == is_permission);
    let longest = of_kind().filter_map(|one| one.plain().map(Pattern::length)).max();
    let mut opponents: Candidates<'a> = of_kind().filter(|one| one.plain().is_none()).copied().collect();
    for rank in [(false, false), (false, true), (true, false), (true, true)] {
        let is_top = |one: &&Candidate<'_>| one.rank() == rank && one.plain().map(Pattern::length) == longest;
        // If several candidates have the same rank, one that represents a composite usage is chosen, because it never
        // counts as the narrowest.
        let mut top = of_kind().filter(|one| one.plain().is_some()).filter(is_top);
        let first = top.clone().find(|one| one.is_many).or_else(|| top.next());
        opponents.extend(first.copied());
    }
    opponents
}

/// Returns how many octets are examined to compare every candidate in one list with every candidate in the other.
fn pair_cost(ones: &Candidates<'_>, others: &Candidates<'_>, members: &Members) -> u64 {
    let sum = |candidates: &Candidates<'_>| candidates.iter().map(|one| one.cost(members)).sum::<u64>();
    let of_ones = sum(ones).saturating_mul(others.len() as u64);
    of_ones.saturating_add(sum(others).saturating_mul(ones.len() as u64))
}

/// Adds the permission that is narrower than all others, which supplies the conditions. If there is none, adds all
/// permissions (S-08).
fn s08_narrowest<'a>(permissions: &Candidates<'a>, members: &Members, winners: &mut Candidates<'a>) {
    let narrower = |one: &Candidate<'a>, other: &Candidate<'a>| one.narrower_than(other, members).is_some();
    let best = permissions.iter().reduce(|best, one| if narrower(one, best) { one } else { best });
    let is_narrowest = |best: &&Candidate<'a>| {
        let beats = |other: &Candidate<'a>| other.id == best.id || narrower(best, other);
        permissions.len() == 1 || !best.is_many && permissions.iter().all(beats)
    };
    match best.filter(is_narrowest) {
        Some(best) => winners.push(*best),
        None => winners.extend(permissions.iter().copied()),
    }
}

/// Finds what the losing candidates lost to, for explanations.
pub(super) struct Fates<'b, 'a> {
    bench: &'b Bench<'a>,
    outcome: Outcome,
    contest: Contest,
    /// The permissions that prohibitions are compared with.
    leading: Candidates<'a>,
    /// The prohibitions that permissions are compared with.
    opposing: Candidates<'a>,
}

/// How many opponents of one candidate are examined. It hardly matters which of them an explanation names.
const NAMED: usize = 64;

impl<'b, 'a> Fates<'b, 'a> {
    pub(super) fn of(bench: &'b Bench<'a>, outcome: Outcome, contest: Contest) -> Self {
        let (leading, opposing) = match contest {
            Contest::Scope => (opponents(&bench.candidates, true), opponents(&bench.candidates, false)),
            _ => (Candidates::new(), Candidates::new()),
        };
        Self { bench, outcome, contest, leading, opposing }
    }

    pub(super) fn lost_to(&self, one: &Candidate<'_>) -> LostTo {
        let Bench { members, winners, .. } = self.bench;
        let first = winners.first().map_or(one.id, |winner| winner.id);
        if self.contest == Contest::Uncompared {
            return LostTo::Uncompared(first);
        }
        if one.is_permission {
            // The first prohibition that the permission does not beat.
            let opposing = self.opposing.iter().take(NAMED);
            let unbeaten = opposing.into_iter().find(|other| one.narrower_than(other, members).is_none());
            return match unbeaten {
                Some(other) => match other.narrower_than(one, members) {
                    Some(how) => how.lost_to(other.id),
                    None if one.has_pattern_of(other) => LostTo::SamePattern(other.id),
                    None => LostTo::Undetermined(other.id),
                },
                None if self.outcome == Outcome::Prohibited => LostTo::Undetermined(first),
                None => LostTo::NarrowerPermission(first),
            };
        }
        let beating = winners.iter().filter(|winner| winner.is_permission).chain(&self.leading).take(NAMED);
        let beating = beating.into_iter().find_map(|other| Some((other.id, other.narrower_than(one, members)?)));
        let (id, how) = beating.unwrap_or((first, How::Scope));
        how.lost_to(id)
    }
}
