//! A second, slow and plain reading of robots.txt with ACAP, written from `docs/semantics.md` alone.
//!
//! It is there to be compared with the engine, and shares nothing with it but the names of usages, what
//! contains them and what they need. Every rule is a function that bears its number. Only the default
//! reading is known here, and no page and no header. [`files`] makes files and questions that meet often.

#![allow(dead_code)]

pub mod cases;
pub mod conflict;
pub mod conventional;
pub mod document;
pub mod files;
pub mod pattern;
pub mod qualifiers;
pub mod statements;
pub mod times;

use conflict::{Verdict, s04_set_aside, s07_many_statements};
use document::Document;
use pattern::resource;
use qualifiers::{Condition, s08_join};
use statements::Statement;
use std::collections::{BTreeMap, BTreeSet};
use wayleave::Usage;

/// What is asked, and on what evidence.
#[derive(Clone, Debug)]
pub struct Question {
    pub robots: Robots,
    /// Locator as written to text; a locator that is not here could not be read.
    pub references: BTreeMap<String, Vec<u8>>,
    pub url: String,
    pub crawler: String,
    pub user_agent: Option<String>,
    pub fallbacks: Vec<String>,
    pub purposes: Vec<String>,
    pub usage: Usage,
    /// Seconds since 1970.
    pub at: i64,
    pub first_used: Option<i64>,
    pub is_recrawled: bool,
    pub details: Details,
    pub capabilities: Capabilities,
}

#[derive(Clone, Debug, Default)]
pub struct Details {
    pub snippet: Option<String>,
    pub modification: Option<String>,
    pub context: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Capabilities {
    pub has_prior_arrangement: bool,
    pub reads_not_ready: bool,
    pub unable: Vec<String>,
}

/// How robots.txt was obtained.
#[derive(Clone, Debug)]
pub enum Robots {
    Read(Vec<u8>),
    NotThere,
    Failed,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Permitted,
    Conditional,
    Prohibited,
    Unstated,
}

impl Outcome {
    pub fn name(self) -> &'static str {
        match self {
            Self::Permitted => "permitted",
            Self::Conditional => "conditional",
            Self::Prohibited => "prohibited",
            Self::Unstated => "unstated",
        }
    }
}

/// A document's name and a line in it, from 1.
pub type Place = (String, u32);

/// What comes out, in the spelling of case files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub outcome: String,
    pub effective: String,
    pub conditions: BTreeSet<String>,
    pub valid_until: Option<String>,
    pub determined_by: BTreeSet<Place>,
}

/// What was expressed, before prerequisites.
#[derive(Clone, Debug)]
struct Expressed {
    outcome: Outcome,
    conditions: Vec<Condition>,
    places: BTreeSet<Place>,
    valid_until: Option<i64>,
}

impl Expressed {
    fn plain(outcome: Outcome) -> Self {
        Self { outcome, conditions: Vec::new(), places: BTreeSet::new(), valid_until: None }
    }

    fn prohibited_by(places: impl IntoIterator<Item = Place>) -> Self {
        Self { places: places.into_iter().collect(), ..Self::plain(Outcome::Prohibited) }
    }
}

/// The answer to a question.
pub fn decide(question: &Question) -> Answer {
    let expressed = expressed(question);
    let (effective, conditions, valid_until) = s14_prerequisites(question, &expressed);
    Answer {
        outcome: expressed.outcome.name().to_owned(),
        effective: effective.name().to_owned(),
        conditions: conditions.iter().map(Condition::spelling).collect(),
        valid_until: valid_until.map(times::written),
        determined_by: expressed.places,
    }
}

fn expressed(question: &Question) -> Expressed {
    let found = of_evidence(question);
    let is_robots_txt_itself = question.usage == Usage::Crawl && s13_is_robots_txt_itself(&question.url);
    match is_robots_txt_itself && found.outcome != Outcome::Permitted {
        true => Expressed::plain(Outcome::Permitted),
        false => found,
    }
}

fn of_evidence(question: &Question) -> Expressed {
    let text = match s36_obtained(question) {
        Ok(text) => text,
        Err(outcome) => return Expressed::plain(outcome),
    };
    let robots = Document::read("robots.txt", text);
    let read = statements::gather(&robots, question);
    if !read.unread_references.is_empty() {
        return Expressed::prohibited_by(read.unread_references);
    }
    let conventional = conventional::s13_select(&robots, question);
    let purposes: Vec<Option<&str>> = match question.purposes.is_empty() {
        true => vec![None],
        false => question.purposes.iter().map(|purpose| Some(purpose.as_str())).collect(),
    };
    let results = purposes.iter().map(|purpose| for_purpose(question, *purpose, &read.statements, &conventional));
    over_purposes(results.collect())
}

/// The text to be read, or the answer where there is none.
fn s36_obtained(question: &Question) -> Result<&[u8], Outcome> {
    let is_crawl = question.usage == Usage::Crawl;
    match &question.robots {
        Robots::Read(text) => Ok(text),
        Robots::NotThere if is_crawl => Err(Outcome::Permitted),
        Robots::Failed if is_crawl => Err(Outcome::Prohibited),
        Robots::NotThere | Robots::Failed | Robots::Unknown => Err(Outcome::Unstated),
    }
}

/// It is always permitted; a line that says so too is still named.
fn s13_is_robots_txt_itself(url: &str) -> bool {
    resource(url) == b"/robots.txt"
}

/// The exact usage, those that contain it from near to far, then `other`.
fn s03_tiers(usage: &Usage) -> Vec<Usage> {
    let mut tiers = vec![usage.clone()];
    tiers.extend(usage.within().iter().cloned());
    tiers.push(Usage::OtherUsage);
    tiers
}

/// The result for one purpose, or for none.
fn for_purpose(
    question: &Question,
    purpose: Option<&str>,
    statements: &[Statement],
    conventional: &Option<Statement>,
) -> Expressed {
    for tier in s03_tiers(&question.usage) {
        let applies = |statement: &&Statement| statement.usage == tier && statement.is_for(purpose);
        let mut found = s04_set_aside(statements.iter().filter(applies).cloned().collect());
        if tier == Usage::Crawl {
            found.extend(conventional.iter().cloned());
        }
        if !found.is_empty() {
            return match s07_many_statements(&found) {
                Verdict::Prohibited(by) => Expressed::prohibited_by(by.iter().flat_map(Statement::places)),
                Verdict::Permitted(by) => with_conditions(question, &by),
            };
        }
    }
    s01_nothing_speaks(question)
}

/// RFC 9309's default for `crawl`; silence for everything else.
fn s01_nothing_speaks(question: &Question) -> Expressed {
    Expressed::plain(if question.usage == Usage::Crawl { Outcome::Permitted } else { Outcome::Unstated })
}

/// The permissions that apply together, their conditions checked one by one.
fn with_conditions(question: &Question, permissions: &[Statement]) -> Expressed {
    let is_broken = |condition: &Condition| {
        s20_is_lapsed(question, condition) || s29_is_broken(question, condition) || s37_is_closed(question, condition)
    };
    let broken: Vec<Place> = permissions
        .iter()
        .filter(|permission| permission.conditions.iter().any(is_broken))
        .flat_map(Statement::places)
        .collect();
    if !broken.is_empty() {
        return Expressed::prohibited_by(broken);
    }
    let all: Vec<Condition> = permissions.iter().flat_map(|permission| permission.conditions.clone()).collect();
    let conditions = s08_join(&all);
    Expressed {
        outcome: if conditions.is_empty() { Outcome::Permitted } else { Outcome::Conditional },
        valid_until: conditions.iter().filter_map(|condition| s20_lapses_at(question, condition)).min(),
        conditions,
        places: permissions.iter().flat_map(Statement::places).collect(),
    }
}

/// Of several purposes, the first that occurs: prohibited, conditional, unstated, permitted.
fn over_purposes(results: Vec<Expressed>) -> Expressed {
    let order = [Outcome::Prohibited, Outcome::Conditional, Outcome::Unstated, Outcome::Permitted];
    let outcome = order.into_iter().find(|outcome| results.iter().any(|result| result.outcome == *outcome));
    let outcome = outcome.expect("there is a result for every purpose, and for none");
    let those: Vec<&Expressed> = results.iter().filter(|result| result.outcome == outcome).collect();
    let conditions: Vec<Condition> = those.iter().flat_map(|result| result.conditions.clone()).collect();
    Expressed {
        outcome,
        conditions: s08_join(&conditions),
        places: those.iter().flat_map(|result| result.places.clone()).collect(),
        valid_until: those.iter().filter_map(|result| result.valid_until).min(),
    }
}

/// When a time limit ends, where that is known.
fn s20_lapses_at(question: &Question, condition: &Condition) -> Option<i64> {
    match condition {
        Condition::UntilDate(date) => Some(times::midnight_after(*date)),
        Condition::Days(days) => question.first_used.map(|first| first + days * times::DAY),
        _ => None,
    }
}

fn s20_is_lapsed(question: &Question, condition: &Condition) -> bool {
    let is_over = s20_lapses_at(question, condition).is_some_and(|end| question.at >= end);
    is_over || (*condition == Condition::UntilRecrawled && question.is_recrawled)
}

/// Whether what is known of the use breaks the condition.
fn s29_is_broken(question: &Question, condition: &Condition) -> bool {
    let Details { snippet, modification, context } = &question.details;
    let words = |text: &String| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
    match condition {
        Condition::MaxChars(most) => {
            snippet.as_ref().is_some_and(|text| words(text).join(" ").chars().count() as i64 > *most)
        }
        Condition::MaxWords(most) => snippet.as_ref().is_some_and(|text| words(text).len() as i64 > *most),
        Condition::ProhibitedModification(kind) => modification.as_ref().is_some_and(|made| {
            made.eq_ignore_ascii_case(kind) || (kind == "any" && !made.eq_ignore_ascii_case("none"))
        }),
        Condition::ProhibitedContext(wrong) => context.as_ref().is_some_and(|given| given.eq_ignore_ascii_case(wrong)),
        Condition::RequiredContext(right) => context.as_ref().is_some_and(|given| !given.eq_ignore_ascii_case(right)),
        Condition::UntilRecrawled
        | Condition::UntilDate(_)
        | Condition::Days(_)
        | Condition::MustUse(_)
        | Condition::MustInclude(_)
        | Condition::Reference(_) => false,
    }
}

/// Whether the condition names a resource of this site that the crawler may not crawl.
fn s37_is_closed(question: &Question, condition: &Condition) -> bool {
    let Some(target) = qualifiers::s37_named_resource(condition) else { return false };
    let Some(url) = pattern::resolved(&question.url, &target) else { return false };
    let crawl = Question { url, usage: Usage::Crawl, ..question.clone() };
    expressed(&crawl).outcome == Outcome::Prohibited
}

/// The outcome after prerequisites, all conditions, and until when both hold.
fn s14_prerequisites(question: &Question, expressed: &Expressed) -> (Outcome, Vec<Condition>, Option<i64>) {
    let needs_more_than_a_crawl =
        [Usage::PresentOldcopy, Usage::PresentOldsnippet, Usage::PresentOldthumbnail].contains(&question.usage);
    let mut conditions = expressed.conditions.clone();
    let mut is_barred = false;
    let mut ends: Vec<i64> = Vec::new();
    for usage in question.usage.prerequisites() {
        let asked =
            Question { usage: usage.clone(), details: Details::default(), first_used: None, ..question.clone() };
        let needed = self::expressed(&asked);
        let ends_too_soon = needs_more_than_a_crawl
            && *usage == Usage::Preserve
            && needed.conditions.contains(&Condition::UntilRecrawled);
        is_barred |= needed.outcome == Outcome::Prohibited || ends_too_soon;
        conditions.extend(needed.conditions);
        ends.extend(needed.valid_until);
    }
    let own = (expressed.conditions.clone(), expressed.valid_until);
    match expressed.outcome {
        Outcome::Prohibited => (Outcome::Prohibited, own.0, own.1),
        _ if is_barred => (Outcome::Prohibited, own.0, own.1),
        Outcome::Unstated => (Outcome::Unstated, own.0, ends.into_iter().min()),
        Outcome::Permitted | Outcome::Conditional => {
            let is_plain = conditions.is_empty();
            let effective = if is_plain { Outcome::Permitted } else { Outcome::Conditional };
            (effective, s08_join(&conditions), ends.into_iter().chain(own.1).min())
        }
    }
}
