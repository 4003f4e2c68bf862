//! A second, slow and simple implementation of robots.txt with ACAP, META tags, headers, elements and the AI-preference
//! dialects. It is based only on `docs/semantics.md`.
//!
//! The tests compare this model with the engine. The two share only the names of readings, outcomes and usages, and the
//! relations between usages (which usages contain or require others). Where possible, the model relies on other
//! parsers: html5ever, `regex`, `chrono`, `url`, and the naive reader for plain robots.txt ([`naive`](crate::naive)).
//! The names of functions begin with the number of the rule that they implement. The model implements the strictness of
//! the reading `strict` only for conventional groups. So with `strict`, the tests ask the model only about sites
//! without other deviations.
//!
//! [`gen_files`] generates robots.txt files and questions. [`gen_pages`] adds pages and headers, [`gen_elements`] adds
//! statements on elements, and [`gen_preferences`] generates sites with AI-preference dialects. [`compared`] asks the
//! engine and the model.

pub mod cases;
pub mod compared;
mod conflict;
mod directives;
mod document;
pub mod gen_elements;
pub mod gen_files;
pub mod gen_headers;
pub mod gen_html;
pub mod gen_pages;
pub mod gen_preferences;
pub mod generated;
pub mod html;
pub mod laws;
mod lists;
mod page;
mod pattern;
mod preference_changes;
mod preferences;
mod question;
mod robots;
pub mod rsl;
mod statements;
pub mod text;

use crate::naive;
use byleave::{Outcome, Reading, Usage};
use conflict::{
    resolved, s04_set_aside, s07_many_statements, s15_prevailing, s16_element, s25_together, s27_is_misplaced,
};
use directives::is_permissive;
pub use question::{Capabilities, Details, Question, Robots};
use robots::RobotsEvidence;
use statements::{Carrier, Statement, s08_amount, s08_joined};
use std::collections::BTreeSet;
use text::{DAY, plain, re, s37_url};

/// A place that determines an answer: a document and a line number, or a carrier (`meta`, `header`, `element`) and the
/// statement's text, normalized for comparison.
pub type Place = (String, String);

fn said_in(carrier: &str, text: &str) -> Place {
    (carrier.to_owned(), plain(text))
}

/// An answer, in the spelling that case files use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub outcome: String,
    pub effective: String,
    pub conditions: BTreeSet<String>,
    pub valid_until: Option<String>,
    pub determined_by: BTreeSet<Place>,
}

/// The result before prerequisites are applied.
#[derive(Clone, Debug)]
struct Expressed {
    outcome: Outcome,
    conditions: BTreeSet<String>,
    places: BTreeSet<Place>,
    valid_until: Option<i64>,
}

impl Expressed {
    fn new(outcome: Outcome, places: BTreeSet<Place>) -> Self {
        Self { outcome, conditions: BTreeSet::new(), places, valid_until: None }
    }

    /// Returns a permission with these conditions, and computes until when it is valid.
    fn permitted(question: &Question, conditions: impl Iterator<Item = String>, places: BTreeSet<Place>) -> Self {
        let conditions = s08_joined(conditions);
        Self {
            outcome: if conditions.is_empty() { Outcome::Permitted } else { Outcome::Conditional },
            valid_until: conditions.iter().filter_map(|condition| s20_end(question, condition)).min(),
            conditions,
            places,
        }
    }
}

fn places<'s>(statements: impl Iterator<Item = &'s Statement>) -> BTreeSet<Place> {
    statements.flat_map(|statement| statement.places.clone()).collect()
}

/// Returns the answer to a question.
pub fn decide(question: &Question) -> Answer {
    let expressed = expressed(question);
    let (effective, conditions, valid_until) = s14_prerequisites(question, &expressed);
    Answer {
        outcome: expressed.outcome.name().to_owned(),
        effective: effective.name().to_owned(),
        conditions,
        valid_until: valid_until.map(text::written),
        determined_by: expressed.places,
    }
}

/// Decides without prerequisites. Crawling robots.txt itself is always permitted, except in Google's reading (S-13). If
/// a line permits the crawl, that line determines the answer.
fn expressed(question: &Question) -> Expressed {
    let found = of_evidence(question);
    let is_robots_txt =
        question.usage == Usage::Crawl && naive::path_of(&question.url, question.of_robots_txt()) == b"/robots.txt";
    match is_robots_txt && question.of_robots_txt() != Reading::Google && found.outcome != Outcome::Permitted {
        true => Expressed::new(Outcome::Permitted, BTreeSet::new()),
        false => found,
    }
}

/// Applies steps 2 to 4 of the order of deciding (section 3 of the semantics): ACAP for each purpose, then the other
/// dialects.
fn of_evidence(question: &Question) -> Expressed {
    let robots = RobotsEvidence::of(question);
    let reads_page = question.reading != Reading::Rfc9309;
    let mut statements = if reads_page { directives::s17_statements(question) } else { Vec::new() };
    statements.extend(preferences::s40_preferences(question, &robots));
    let pages = question.pages().filter(|_| reads_page).map(|page| page.statements(robots.document.as_ref(), question));
    let acap = Acap { pages: pages.collect(), has_directives: !statements.is_empty(), robots };
    s17_combined(question, of_acap(question, &acap), &statements)
}

/// The statements in ACAP and in conventional groups, and whether other dialects address the usage.
struct Acap {
    robots: RobotsEvidence,
    /// The statements in the page and in the DOM.
    pages: Vec<Vec<Statement>>,
    has_directives: bool,
}

/// Decides for each purpose, and returns the most restrictive outcome. The order is: prohibited, conditional, unstated,
/// permitted.
fn of_acap(question: &Question, acap: &Acap) -> Expressed {
    if !acap.robots.unread_references.is_empty() {
        // S-21: META tags and classes cannot lift the prohibition that follows from an unread reference.
        return Expressed::new(Outcome::Prohibited, acap.robots.unread_references.clone());
    }
    let purposes: Vec<Option<&str>> = question.purposes.iter().map(|purpose| Some(purpose.as_str())).collect();
    let purposes = if purposes.is_empty() { vec![None] } else { purposes };
    let results: Vec<Expressed> = purposes.into_iter().map(|purpose| for_purpose(question, purpose, acap)).collect();
    let order = [Outcome::Prohibited, Outcome::Conditional, Outcome::Unstated, Outcome::Permitted];
    let outcome = order.into_iter().find(|outcome| results.iter().any(|result| result.outcome == *outcome));
    let outcome = outcome.expect("there is a result even without a purpose");
    let those = || results.iter().filter(|result| result.outcome == outcome);
    let places = those().flat_map(|result| result.places.clone()).collect();
    let conditions = those().flat_map(|result| result.conditions.clone());
    Expressed { outcome, ..Expressed::permitted(question, conditions, places) }
}

/// Returns the result for one purpose, or for a use without a purpose. The first usage tier that has a statement in
/// robots.txt or in the page decides.
fn for_purpose(question: &Question, purpose: Option<&str>, acap: &Acap) -> Expressed {
    for tier in s03_tiers(&question.usage) {
        if tier == Usage::OtherUsage && acap.has_directives {
            // Step 3 of the order of deciding: `other` applies only if no dialect addresses the usage.
            continue;
        }
        let applies = |one: &&Statement| one.usage == tier && one.is_for(purpose);
        let mut robots = s04_set_aside(acap.robots.acap.iter().filter(applies).cloned().collect());
        robots.extend(acap.robots.conventional.clone().filter(|_| tier == Usage::Crawl));
        let (metas, elements): (Vec<_>, Vec<_>) = acap.pages.iter().map(|page| s03_of_tier(page, applies)).unzip();
        let page =
            s15_prevailing(s07_many_statements(robots), resolved(s25_together(&metas, question, |all| all)), question);
        let verdict = s15_prevailing(page, s16_element(&elements, question), question);
        if let Some(first) = verdict.first() {
            let failing: Vec<&Statement> =
                verdict.iter().filter(|one| !first.permits || fails(question, one)).collect();
            return match failing.is_empty() {
                true => {
                    let conditions = verdict.iter().flat_map(|one| one.conditions.clone());
                    Expressed::permitted(question, conditions, places(verdict.iter()))
                }
                false => Expressed::new(Outcome::Prohibited, places(failing.into_iter())),
            };
        }
    }
    s01_nothing_speaks(question)
}

/// Returns the usage, the usages that contain it from nearest to furthest, and `other`.
fn s03_tiers(usage: &Usage) -> Vec<Usage> {
    [std::slice::from_ref(usage), usage.within(), &[Usage::OtherUsage]].concat()
}

/// Returns the applicable statements in a page, in two lists: those in META tags, and those on elements (S-16).
fn s03_of_tier(page: &[Statement], applies: impl Fn(&&Statement) -> bool) -> (Vec<Statement>, Vec<Statement>) {
    page.iter().filter(applies).cloned().partition(|one| one.carrier == Carrier::Meta)
}

/// Returns the outcome without statements: permitted for `crawl` if robots.txt was read or does not exist (RFC 9309),
/// and otherwise unstated.
fn s01_nothing_speaks(question: &Question) -> Expressed {
    let is_known = matches!(question.robots, Robots::Read(_) | Robots::NotThere);
    let is_default = question.usage == Usage::Crawl && is_known;
    Expressed::new(if is_default { Outcome::Permitted } else { Outcome::Unstated }, BTreeSet::new())
}

/// Combines META, header and profile directives with the result from ACAP. Any prohibition prohibits, and all limits
/// apply. A permissive directive applies only if there is no other statement.
fn s17_combined(question: &Question, acap: Expressed, statements: &[Statement]) -> Expressed {
    let prohibiting = places(statements.iter().filter(|word| !word.permits || fails(question, word)));
    let is_prohibited = acap.outcome == Outcome::Prohibited;
    if is_prohibited || !prohibiting.is_empty() {
        let own = if is_prohibited { acap.places } else { BTreeSet::new() };
        return Expressed::new(Outcome::Prohibited, &own | &prohibiting);
    }
    if acap.outcome == Outcome::Unstated && !statements.is_empty() && statements.iter().all(is_permissive) {
        return Expressed::new(Outcome::Permitted, places(statements.iter()));
    }
    let limits = || statements.iter().filter(|word| !is_permissive(word));
    let conditions = acap.conditions.into_iter().chain(limits().flat_map(|word| word.conditions.clone()));
    let joined = Expressed::permitted(question, conditions, &acap.places | &places(limits()));
    let outcome = if joined.conditions.is_empty() { acap.outcome } else { joined.outcome };
    Expressed { outcome, ..joined }
}

/// Returns whether a permission fails, and therefore prohibits: its time is over, a detail of the use violates it, its
/// substitute is closed, or it is for another location.
fn fails(question: &Question, permission: &Statement) -> bool {
    let is_broken = |condition: &String| {
        s20_is_lapsed(question, condition) || s29_is_broken(question, condition) || s37_is_closed(question, condition)
    };
    permission.permits && (permission.conditions.iter().any(is_broken) || s27_is_misplaced(permission, question))
}

/// Returns the end of a time limit, or `None` if the end is unknown.
fn s20_end(question: &Question, condition: &str) -> Option<i64> {
    match s08_amount(condition)? {
        ("until", end) => Some(end),
        ("days", days) => question.first_used.map(|first| first + days * DAY),
        _ => None,
    }
}

fn s20_is_lapsed(question: &Question, condition: &str) -> bool {
    let is_over = s20_end(question, condition).is_some_and(|end| question.at >= end);
    is_over || (condition == "time-limit=until-recrawled" && question.is_recrawled)
}

/// Returns whether the known details of the use violate the condition.
fn s29_is_broken(question: &Question, condition: &str) -> bool {
    let Details { snippet, modification, context } = &question.details;
    let (name, value) = condition.split_once('=').unwrap_or_default();
    let is = |given: &String| given.eq_ignore_ascii_case(value);
    let is_longer = |text: &String, most: (&str, i64)| match most {
        ("chars", most) => plain(text).chars().count() as i64 > most,
        (_, most) => text.split_whitespace().count() as i64 > most,
    };
    match name {
        "max-length" => snippet.as_ref().zip(s08_amount(condition)).is_some_and(|(text, most)| is_longer(text, most)),
        "prohibited-modification" => modification
            .as_ref()
            .is_some_and(|given| is(given) || (value == "any" && !given.eq_ignore_ascii_case("none"))),
        "prohibited-context" => context.as_ref().is_some_and(is),
        "required-context" => context.as_ref().is_some_and(|given| !is(given)),
        _ => false,
    }
}

/// Returns whether the condition names a resource on this site that the crawler must not crawl, or a part of the page
/// that does not exist.
fn s37_is_closed(question: &Question, condition: &str) -> bool {
    let form = "^must-(?:use|include)-resource=(?:(?:the-)?acap:[^:]*:(?:(id|class|meta):(.+)|(.*))|(.*))$";
    let Some(named) = re(form).captures(condition) else { return false };
    if let (Some(kind), Some(name)) = (named.get(1), named.get(2)) {
        let kind = kind.as_str().to_ascii_lowercase();
        return question.pages().any(|page| page.s37_lacks(&kind, name.as_str(), question));
    }
    let uri = named.get(3).or(named.get(4)).map_or("", |uri| uri.as_str());
    let Some(url) = s37_url(&question.url, uri) else { return false };
    // The page and its headers say nothing about the named resource.
    let bare = Question {
        url,
        usage: Usage::Crawl,
        element: None,
        headers: Vec::new(),
        page: None,
        dom: None,
        ..question.clone()
    };
    expressed(&bare).outcome == Outcome::Prohibited
}

/// Applies prerequisites: returns the effective outcome, the conditions of all usages, and the earliest end of
/// validity.
fn s14_prerequisites(question: &Question, expressed: &Expressed) -> (Outcome, BTreeSet<String>, Option<i64>) {
    let own = (expressed.conditions.clone(), expressed.valid_until);
    let is_old = question.usage.name().starts_with("present-old");
    let (mut conditions, mut ends) = (own.0.clone(), Vec::from_iter(own.1));
    for usage in question.usage.prerequisites() {
        let asked = Question {
            usage: usage.clone(),
            element: None,
            details: Details::default(),
            first_used: None,
            ..question.clone()
        };
        let needed = self::expressed(&asked);
        // To present an old copy, the crawler must keep it after the next crawl. A permission until the next crawl is
        // not enough.
        let ends_too_soon =
            is_old && *usage == Usage::Preserve && needed.conditions.contains("time-limit=until-recrawled");
        if needed.outcome == Outcome::Prohibited || ends_too_soon {
            return (Outcome::Prohibited, own.0, own.1);
        }
        conditions.extend(needed.conditions);
        ends.extend(needed.valid_until);
    }
    match expressed.outcome {
        Outcome::Prohibited => (Outcome::Prohibited, own.0, own.1),
        Outcome::Unstated => (Outcome::Unstated, own.0, ends.into_iter().min()),
        Outcome::Permitted | Outcome::Conditional => {
            let effective = if conditions.is_empty() { Outcome::Permitted } else { Outcome::Conditional };
            (effective, s08_joined(conditions), ends.into_iter().min())
        }
    }
}
