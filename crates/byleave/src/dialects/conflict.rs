//! Determines which of several preferences in one dialect counts (S-31).
//!
//! A conflict rule receives the statements in its dialect that address the crawler and match the resource. For each
//! statement, it reports whether the statement counts or which statement it loses to. This file contains the rules that
//! several dialects share. A rule that only one dialect uses is in that dialect's folder. `decide` combines the results
//! from all dialects.

use super::preference::{Preference, Preferences, Usages};
use crate::model::{Carrier, LostTo, StatementId};
use smallvec::SmallVec;

/// A preference that addresses the crawler and matches the resource.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'p> {
    pub(crate) id: StatementId,
    pub(crate) carrier: Option<Carrier>,
    /// Whether the statement is metadata in the file that it applies to (S-47).
    pub(crate) is_of_file: bool,
    pub(crate) table: &'p Preferences,
    pub(crate) preference: &'p Preference,
}

pub(crate) type Candidates<'p> = SmallVec<[Candidate<'p>; 8]>;

/// What a conflict rule needs to know in addition to the statements.
pub(crate) struct ConflictContext<'c> {
    /// The usage in question.
    pub(crate) usage: Usages,
    /// Whether the page was supplied both as sent and after its scripts ran (S-25).
    pub(crate) has_source_and_dom: bool,
    /// Returns whether the licence that a statement names was not read. `None` if the site has no licences (S-45).
    pub(crate) is_licence_unread: Option<&'c dyn Fn(StatementId) -> bool>,
}

/// A conflict rule. For each statement that takes part, it calls its last argument: with `None` if the statement
/// counts, otherwise with the reason why it lost. It makes no call for statements that do not take part.
pub(crate) type ConflictRule =
    for<'p> fn(&[Candidate<'p>], &ConflictContext<'_>, &mut dyn FnMut(&Candidate<'p>, Option<LostTo>));

/// The statement with the longest path wins. If several statements have the longest path, all of them count, and the
/// restrictive one prevails. Header lines count in addition. A statement with an unreadable value for the usage is
/// ignored, so a statement with a shorter path can win.
pub(crate) fn longest_path<'p>(
    all: &[Candidate<'p>],
    context: &ConflictContext<'_>,
    settle: &mut dyn FnMut(&Candidate<'p>, Option<LostTo>),
) {
    let is_readable = |one: &&Candidate<'_>| one.preference.claims.unreadable & context.usage == 0;
    let is_field = |one: &&Candidate<'_>| one.carrier == Some(Carrier::RobotsTxt);
    let readable = || all.iter().filter(is_readable);
    let longest = readable().filter(is_field).max_by_key(|one| one.preference.length());
    for one in readable() {
        match longest {
            Some(longest) if is_field(&one) && one.preference.length() < longest.preference.length() => {
                settle(one, Some(LostTo::LongerPath(longest.id)));
            }
            _ => settle(one, None),
        }
    }
}

/// The statement with the longest pattern wins. If a permission and a prohibition have equally long patterns, the
/// permission wins, as in RFC 9309. Header lines count in addition to the winner.
pub(crate) fn longest_pattern<'p>(
    all: &[Candidate<'p>],
    _: &ConflictContext<'_>,
    settle: &mut dyn FnMut(&Candidate<'p>, Option<LostTo>),
) {
    let is_header = |one: &&Candidate<'_>| one.carrier == Some(Carrier::Header);
    for one in all.iter().filter(is_header) {
        settle(one, None);
    }
    let others = || all.iter().filter(|one| !is_header(one));
    let rank = |one: &Candidate<'_>| (one.preference.length(), one.preference.claims.permits != 0);
    let Some(best) = others().max_by_key(|one| rank(one)) else { return };
    for one in others() {
        if rank(one) == rank(best) {
            settle(one, None);
        } else if rank(one).0 == rank(best).0 {
            settle(one, Some(LostTo::PermissionOfEqualLength(best.id)));
        } else {
            settle(one, Some(LostTo::LongerPath(best.id)));
        }
    }
}

/// Every statement counts, and the restrictive one prevails.
pub(crate) fn all_count<'p>(
    all: &[Candidate<'p>],
    _: &ConflictContext<'_>,
    settle: &mut dyn FnMut(&Candidate<'p>, Option<LostTo>),
) {
    for one in all {
        settle(one, None);
    }
}
