//! Determines which of several licence terms count (S-45).
//!
//! `decide` calls this code with the terms that match the resource.

use crate::dialects::conflict::{Candidate, ConflictContext};
use crate::model::{Carrier, LostTo};
use std::collections::BTreeMap;

/// Reports which licence terms count and which lose.
///
/// If a line names a licence that was not read, the line prohibits. Among the terms that address the usage, only the
/// terms with the longest pattern count. Among terms with the same pattern in the same document, the narrowest usage
/// word wins. For example, `ai-train` is narrower than `ai-all`. If several terms remain, the restrictive one prevails.
///
/// Cost: O(terms x log terms) comparisons of patterns.
pub(crate) fn narrowest_licence<'p>(
    all: &[Candidate<'p>],
    context: &ConflictContext<'_>,
    settle: &mut dyn FnMut(&Candidate<'p>, Option<LostTo>),
) {
    let Some(is_unread) = context.is_licence_unread else { return };
    let usage = context.usage;
    let applying = || all.iter().filter(|one| one.preference.claims.usages() & usage != 0);
    let is_term = |one: &&Candidate<'_>| one.carrier == Some(Carrier::Document);
    for one in applying().filter(|one| !is_term(one) && is_unread(one.id)) {
        settle(one, None);
    }
    // Some terms have no usage word and are only a condition, such as the licence server of a `content`. They apply in
    // addition to a word, so they must not make a word with a shorter pattern lose.
    let is_word = |one: &Candidate<'_>| (one.preference.claims.permits | one.preference.claims.prohibits) & usage != 0;
    let rank = |one: &&Candidate<'_>| (is_word(one), one.preference.length());
    let Some(longest) = applying().filter(is_term).max_by_key(rank) else { return };
    let is_longest = |one: &Candidate<'_>| one.preference.length() >= longest.preference.length();
    let words = applying().filter(is_term).filter(|one| is_longest(one) && is_word(one));
    let scope = |one: &Candidate<'p>| (one.id.source.order(), one.table.pattern_of(one.preference));
    let mut narrowest: BTreeMap<_, &Candidate<'p>> = BTreeMap::new();
    for one in words {
        let known = narrowest.entry(scope(one)).or_insert(one);
        if one.preference.claims.width < known.preference.claims.width {
            *known = one;
        }
    }
    for one in applying().filter(is_term) {
        match narrowest.get(&scope(one)) {
            _ if !is_longest(one) => settle(one, Some(LostTo::LongerPath(longest.id))),
            Some(narrowest) if is_word(one) && one.preference.claims.width > narrowest.preference.claims.width => {
                settle(one, Some(LostTo::NarrowerUsage(narrowest.id)));
            }
            _ => settle(one, None),
        }
    }
}
