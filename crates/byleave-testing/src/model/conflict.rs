//! Resolves conflicts: which statements are overridden (S-04), which of two statements is narrower (S-05, S-06, S-13),
//! which statements win (S-07, S-08) and apply before and after scripts (S-25, S-27), and which carrier prevails (S-15,
//! S-16, S-28).

use super::pattern::s06_is_narrower;
use super::statements::{Carrier, Statement};
use super::text::s27_place;
use super::{Question, fails};
use byleave::Usage;

/// The statements that determine a result. They are all permissions or all prohibitions. Empty if no statement applies.
pub type Verdict = Vec<Statement>;

/// Returns the result of the statements in one tier, for one purpose and one carrier.
pub fn resolved(statements: Vec<Statement>) -> Verdict {
    s07_many_statements(s04_set_aside(statements))
}

/// Removes the statements for any crawler from each purpose class that has a statement naming the crawler.
pub fn s04_set_aside(statements: Vec<Statement>) -> Vec<Statement> {
    let class = Statement::is_purpose_specific;
    let has_named = |one: &Statement| statements.iter().any(|other| other.is_named && class(other) == class(one));
    statements.iter().filter(|one| one.is_named || !has_named(one)).cloned().collect()
}

/// Applies S-07: a permission wins only if it is narrower than every prohibition. If it is unclear which statement is
/// narrower, the prohibition wins.
pub fn s07_many_statements(statements: Vec<Statement>) -> Verdict {
    let (permissions, prohibitions): (Verdict, Verdict) = statements.into_iter().partition(|one| one.permits);
    let beats_all = |permission: &&Statement| prohibitions.iter().all(|other| is_narrower(permission, other));
    let winners: Verdict = permissions.iter().filter(beats_all).cloned().collect();
    if !winners.is_empty() {
        return s08_suppliers(winners);
    }
    let is_unbeaten = |prohibition: &&Statement| !permissions.iter().any(|other| is_narrower(other, prohibition));
    let unbeaten: Verdict = prohibitions.iter().filter(is_unbeaten).cloned().collect();
    // If some permission beats each prohibition, but no single permission beats all prohibitions, all prohibitions
    // determine the result.
    if unbeaten.is_empty() { prohibitions } else { unbeaten }
}

/// Returns the permission that is narrower than all others, or all permissions if there is none.
fn s08_suppliers(permissions: Verdict) -> Verdict {
    let is_narrowest = |at: &usize| {
        let mut others = permissions.iter().enumerate().filter(|(other, _)| other != at);
        others.all(|(_, other)| is_narrower(&permissions[*at], other))
    };
    let narrowest = (0..permissions.len()).find(is_narrowest);
    narrowest.map_or(permissions.clone(), |at| vec![permissions[at].clone()])
}

/// Returns whether `statement` is narrower than `other`: each of its patterns must be narrower than each pattern of
/// `other`.
fn is_narrower(statement: &Statement, other: &Statement) -> bool {
    let (own, others) = (s06_patterns(statement), s06_patterns(other));
    let is_narrower = |pattern: &String, against: &String| match pattern == against {
        true => s05_breaks_the_tie(statement, other),
        false => s06_is_narrower(pattern, against),
    };
    own.iter().all(|pattern| others.iter().all(|against| is_narrower(pattern, against)))
}

/// Returns whether a statement wins a tie between equal patterns. Purpose-specific beats general, then named beats any.
/// An ACAP field is narrower than a conventional rule, unless only the conventional group names the crawler (S-13).
fn s05_breaks_the_tie(statement: &Statement, other: &Statement) -> bool {
    let rank = |one: &Statement| (one.is_purpose_specific(), one.is_named);
    match (statement.carrier, other.carrier) {
        (Carrier::Conventional, _) => false,
        (_, Carrier::Conventional) => statement.is_named || !other.is_named,
        _ => rank(statement) > rank(other),
    }
}

/// Returns the statement's narrowest pattern, or all its patterns if none is narrower than all others. RFC 9309 has no
/// preference between equally long conventional rules, so their patterns are all returned (S-02).
fn s06_patterns(statement: &Statement) -> &[String] {
    let all = &statement.patterns;
    let is_narrowest = |one: &&String| all.iter().all(|other| other == *one || s06_is_narrower(one, other));
    let narrowest = all.iter().find(is_narrowest).filter(|_| statement.carrier != Carrier::Conventional);
    narrowest.map_or(all, std::slice::from_ref)
}

/// Resolves conflicts between two carriers. The page is nearer than robots.txt, and the element is nearer than both.
///
/// If both carriers permit or both prohibit, both determine the result. A prohibition in the nearer carrier always
/// prohibits. Permissions in the nearer carrier win if each of them beats every prohibition in the further carrier
/// (`s15_beats`). Otherwise, the prohibitions that at least one permission does not beat determine the result.
pub fn s15_prevailing(further: Verdict, nearer: Verdict, question: &Question) -> Verdict {
    let (Some(far), Some(near)) = (further.first(), nearer.first()) else { return [further, nearer].concat() };
    match (far.permits, near.permits) {
        (true, false) => nearer,
        // S-27: the page has already been crawled when it is read.
        (false, true) if question.usage == Usage::Crawl => further,
        (false, true) => {
            let is_unbeaten = |prohibition: &&Statement| !nearer.iter().all(|one| s15_beats(one, prohibition));
            let unbeaten: Verdict = further.iter().filter(is_unbeaten).cloned().collect();
            if unbeaten.is_empty() { nearer } else { unbeaten }
        }
        (true, true) | (false, false) => [further, nearer].concat(),
    }
}

/// Returns whether `nearer` is at least as specific as `further` in both addressee level and purpose class.
fn s15_beats(nearer: &Statement, further: &Statement) -> bool {
    nearer.is_named >= further.is_named && nearer.is_purpose_specific() >= further.is_purpose_specific()
}

/// Returns the result of the statements on the element and its ancestors, in the page and in the DOM. Classes and
/// fragments are resolved separately, and a prohibition in either result prohibits. Neither of them addresses `crawl`.
pub fn s16_element(pages: &[Vec<Statement>], question: &Question) -> Verdict {
    if question.usage == Usage::Crawl {
        return Verdict::new();
    }
    let deciding = if question.capabilities.reads_strawman { s28_outermost } else { s16_prohibitions_or_nearest };
    let together = s25_together(pages, question, deciding);
    let (classes, fragments) = together.into_iter().partition(|one| one.carrier == Carrier::Class);
    let mut both = [resolved(classes), resolved(fragments)].concat();
    if both.iter().any(|one| !one.permits) {
        both.retain(|one| !one.permits);
    }
    both
}

/// Returns every prohibition on the element or its ancestors, or the nearest permissions if there are none.
fn s16_prohibitions_or_nearest(all: Vec<Statement>) -> Vec<Statement> {
    let nearest = all.iter().map(|one| one.distance).min();
    let (permissions, prohibitions): (Verdict, Verdict) = all.into_iter().partition(|one| one.permits);
    match prohibitions.is_empty() {
        true => permissions.into_iter().filter(|one| Some(one.distance) == nearest).collect(),
        false => prohibitions,
    }
}

/// Returns the statements on the outermost element that has statements. They override all statements on elements inside
/// it.
fn s28_outermost(all: Vec<Statement>) -> Vec<Statement> {
    let outermost = all.iter().map(|one| one.distance).max();
    all.into_iter().filter(|one| Some(one.distance) == outermost).collect()
}

/// Returns the applicable statements of the page and, if given, of the DOM. A restriction applies if it is in either
/// document, and a permission only if it is in both. `deciding` selects statements within each document. A statement
/// that is in both documents is returned once, with both places.
pub fn s25_together(
    pages: &[Vec<Statement>],
    question: &Question,
    deciding: fn(Vec<Statement>) -> Vec<Statement>,
) -> Vec<Statement> {
    let pages: Vec<Vec<Statement>> = pages.iter().map(|page| s27_alternatives(page, question)).collect();
    let counting = |own: &[Statement], other: &[Statement]| {
        deciding(own.iter().filter(|one| s25_counts(one, other, question)).cloned().collect())
    };
    let [page, dom] = pages.as_slice() else { return deciding(pages.concat()) };
    let (mut all, mut waiting) = (counting(page, dom), counting(dom, page));
    for statement in &mut all {
        if let Some(at) = waiting.iter().position(|other| s25_says_the_same(other, statement)) {
            statement.places.extend(waiting.remove(at).places);
        }
    }
    [all, waiting].concat()
}

/// Returns whether a statement in one document applies, given the statements in the other document. A permission that
/// fails is a restriction, so it always applies.
fn s25_counts(statement: &Statement, others: &[Statement], question: &Question) -> bool {
    let is_like =
        |other: &Statement| other.permits && other.carrier == statement.carrier && is_of_one_class(other, statement);
    !statement.permits || fails(question, statement) || others.iter().any(is_like)
}

/// Returns whether both statements have the same addressee level and purpose class.
fn is_of_one_class(one: &Statement, two: &Statement) -> bool {
    one.is_named == two.is_named && one.is_purpose_specific() == two.is_purpose_specific()
}

fn s25_says_the_same(one: &Statement, two: &Statement) -> bool {
    let said = |one: &Statement| {
        (one.permits, one.is_named, one.conditions.clone(), one.purposes.join(" ").to_ascii_lowercase())
    };
    one.carrier == two.carrier && said(one) == said(two)
}

/// Removes permissions that are only for other places, if a permission for this place has the same addressee level and
/// purpose class.
fn s27_alternatives(statements: &[Statement], question: &Question) -> Vec<Statement> {
    let is_placed =
        |one: &Statement| one.permits && one.locations().next().is_some() && !s27_is_misplaced(one, question);
    let has_alternative =
        |one: &Statement| statements.iter().any(|other| is_placed(other) && is_of_one_class(other, one));
    statements.iter().filter(|one| !(s27_is_misplaced(one, question) && has_alternative(one))).cloned().collect()
}

/// Returns whether a permission is only for places other than this one.
pub fn s27_is_misplaced(permission: &Statement, question: &Question) -> bool {
    let here = s27_place(&question.url);
    let is_here = |location: &str| here.is_some() && s27_place(location) == here;
    permission.permits && permission.locations().next().is_some() && !permission.locations().any(is_here)
}
