//! Conflicts: who is set aside (S-04), which of two statements is narrower (S-05, S-06, S-13), who wins
//! (S-07), and which permissions supply the conditions (S-08).

use super::pattern::{Pattern, s06_is_narrower};
use super::statements::Statement;

/// The result, with the statements that determine it.
#[derive(Clone, Debug)]
pub enum Verdict {
    Prohibited(Vec<Statement>),
    Permitted(Vec<Statement>),
}

/// Without the any-crawler statements of each purpose class in which another names the crawler.
pub fn s04_set_aside(statements: Vec<Statement>) -> Vec<Statement> {
    let has_named = |is_purpose_specific: bool| {
        statements.iter().any(|other| other.is_named && other.is_purpose_specific() == is_purpose_specific)
    };
    let stays = |statement: &&Statement| statement.is_named || !has_named(statement.is_purpose_specific());
    statements.iter().filter(stays).cloned().collect()
}

/// A permission wins only if it is narrower than every prohibition; whatever is undetermined is prohibited.
pub fn s07_many_statements(statements: &[Statement]) -> Verdict {
    let (permissions, prohibitions): (Vec<Statement>, Vec<Statement>) =
        statements.iter().cloned().partition(|statement| statement.permits);
    let beats_all = |permission: &&Statement| prohibitions.iter().all(|other| is_narrower(permission, other));
    let winners: Vec<Statement> = permissions.iter().filter(beats_all).cloned().collect();
    if !winners.is_empty() {
        return Verdict::Permitted(s08_suppliers(winners));
    }
    let is_unbeaten = |prohibition: &&Statement| !permissions.iter().any(|other| is_narrower(other, prohibition));
    let unbeaten: Vec<Statement> = prohibitions.iter().filter(is_unbeaten).cloned().collect();
    // Where each is beaten by some permission and none of these beats them all, it takes all of them.
    Verdict::Prohibited(if unbeaten.is_empty() { prohibitions } else { unbeaten })
}

/// The permission that is narrower than all the others, or else all of them.
pub fn s08_suppliers(permissions: Vec<Statement>) -> Vec<Statement> {
    for (number, permission) in permissions.iter().enumerate() {
        let mut others = permissions.iter().enumerate().filter(|(other, _)| *other != number);
        if others.all(|(_, other)| is_narrower(permission, other)) {
            return vec![permission.clone()];
        }
    }
    permissions
}

/// Whether one statement is narrower than another: all pairs of their patterns must agree.
fn is_narrower(statement: &Statement, other: &Statement) -> bool {
    let (own, others) = (patterns_to_compare(statement), patterns_to_compare(other));
    own.iter().all(|pattern| {
        others.iter().all(|against| match pattern == against {
            true => is_narrower_on_equal_patterns(statement, other),
            false => s06_is_narrower(pattern, against),
        })
    })
}

fn is_narrower_on_equal_patterns(statement: &Statement, other: &Statement) -> bool {
    match (statement.is_conventional, other.is_conventional) {
        (false, false) => s05_breaks_the_tie(statement, other),
        (false, true) => s13_acap_comes_first(statement, other),
        (true, false) | (true, true) => false,
    }
}

/// Purpose-specific beats general; then named beats any.
fn s05_breaks_the_tie(statement: &Statement, other: &Statement) -> bool {
    match (statement.is_purpose_specific(), other.is_purpose_specific()) {
        (true, false) => true,
        (false, true) => false,
        (true, true) | (false, false) => statement.is_named && !other.is_named,
    }
}

/// The ACAP field counts as narrower, unless only the conventional record names the crawler.
fn s13_acap_comes_first(acap: &Statement, conventional: &Statement) -> bool {
    acap.is_named || !conventional.is_named
}

/// Of equally long conventional rules RFC 9309 prefers none, so each counts (S-02).
fn patterns_to_compare(statement: &Statement) -> Vec<Pattern> {
    match statement.is_conventional {
        true => statement.patterns.clone(),
        false => s06_patterns_of_set(&statement.patterns),
    }
}

/// Of the patterns of a set that match, the one narrower than all the others, or else all of them.
fn s06_patterns_of_set(patterns: &[Pattern]) -> Vec<Pattern> {
    let mut different: Vec<Pattern> = Vec::new();
    for pattern in patterns {
        if !different.contains(pattern) {
            different.push(pattern.clone());
        }
    }
    let narrowest = different
        .iter()
        .find(|pattern| different.iter().all(|other| other == *pattern || s06_is_narrower(pattern, other)));
    match narrowest {
        Some(pattern) => vec![pattern.clone()],
        None => different.clone(),
    }
}
