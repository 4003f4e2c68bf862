//! Page META against robots.txt (S-15, S-27), and elements against both (S-16).

use super::Question;
use super::conflict::{Verdict, s07_many_statements};
use super::statements::Statement;
use wayleave::Usage;

/// The result of both carriers in one tier and for one purpose; nothing where neither speaks.
///
/// Each carrier has its own result first. Where both say the same, both are named.
pub fn s15_page_against_robots(question: &Question, robots: &[Statement], meta: &[Statement]) -> Option<Verdict> {
    let result = |statements: &[Statement]| (!statements.is_empty()).then(|| s07_many_statements(statements));
    let (robots, meta) = match (result(robots), result(meta)) {
        (Some(robots), Some(meta)) => (robots, meta),
        (robots, meta) => return robots.or(meta),
    };
    Some(match (robots, meta) {
        (Verdict::Permitted(one), Verdict::Permitted(two)) => Verdict::Permitted([one, two].concat()),
        (Verdict::Prohibited(one), Verdict::Prohibited(two)) => Verdict::Prohibited([one, two].concat()),
        // It wins, or it is too general to win and the usage is prohibited for that.
        (Verdict::Permitted(_), Verdict::Prohibited(meta)) => Verdict::Prohibited(meta),
        (Verdict::Prohibited(robots), Verdict::Permitted(_)) if s27_speaks_after_the_fact(question) => {
            Verdict::Prohibited(robots)
        }
        (Verdict::Prohibited(robots), Verdict::Permitted(meta)) => s15_permission_against_prohibition(robots, meta),
    })
}

/// The element's own result joined with the page's; nothing where neither speaks.
///
/// A prohibition on an element wins. A permission there is one more carrier's: it does not disagree with permissions of
/// the page, and beats prohibitions that are no more specific than itself.
pub fn s16_element_against_page(page: Option<Verdict>, element: Option<Verdict>) -> Option<Verdict> {
    let (page, element) = match (page, element) {
        (Some(page), Some(element)) => (page, element),
        (page, element) => return page.or(element),
    };
    Some(match (page, element) {
        (Verdict::Permitted(one), Verdict::Permitted(two)) => Verdict::Permitted([one, two].concat()),
        (Verdict::Prohibited(one), Verdict::Prohibited(two)) => Verdict::Prohibited([one, two].concat()),
        (Verdict::Permitted(_), Verdict::Prohibited(element)) => Verdict::Prohibited(element),
        (Verdict::Prohibited(page), Verdict::Permitted(element)) => s15_permission_against_prohibition(page, element),
    })
}

/// META never lifts a prohibition to crawl: the page was crawled by then.
fn s27_speaks_after_the_fact(question: &Question) -> bool {
    question.usage == Usage::Crawl
}

/// The permissions of META, or of the element, win if all of them, which together are its result, are specific enough against every
/// prohibition; else the prohibitions that one of them does not beat stand.
fn s15_permission_against_prohibition(robots: Vec<Statement>, meta: Vec<Statement>) -> Verdict {
    let is_unbeaten = |prohibition: &&Statement| !meta.iter().all(|permission| s15_beats(permission, prohibition));
    let unbeaten: Vec<Statement> = robots.iter().filter(is_unbeaten).cloned().collect();
    if unbeaten.is_empty() { Verdict::Permitted(meta) } else { Verdict::Prohibited(unbeaten) }
}

/// The same or a more specific addressee level, and the same or a more specific purpose class.
fn s15_beats(meta: &Statement, field: &Statement) -> bool {
    (meta.is_named || !field.is_named) && (meta.is_purpose_specific() || !field.is_purpose_specific())
}
