//! A second, slow and plain reading of robots.txt with ACAP, of META tags and of headers, written from
//! `docs/semantics.md` alone.
//!
//! It is there to be compared with the engine, and shares nothing with it but the names of readings and
//! usages, what contains them and what they need, and with html5ever, whose tree it takes as it is. Every rule is a
//! function that bears its number. `strict` is the default reading: only evidence without any deviation may be asked
//! about in it. [`files`] makes robots.txt files and questions that meet often, [`pages`] makes pages and headers for
//! them, [`made_elements`] pages with statements on their elements.

#![allow(dead_code)]

pub mod carriers;
pub mod cases;
pub mod compared;
pub mod conflict;
pub mod conventional;
pub mod dates;
pub mod document;
pub mod elements;
pub mod files;
pub mod headers;
pub mod html;
pub mod location;
pub mod made_elements;
pub mod made_headers;
#[path = "../naive/mod.rs"]
pub mod naive;
#[path = "../oracle/mod.rs"]
pub mod oracle;
pub mod page;
pub mod pages;
pub mod pattern;
pub mod qualifiers;
pub mod robots;
pub mod smaller;
pub mod statements;
pub mod times;
pub mod tree;
pub mod words;

use carriers::{s15_page_against_robots, s16_element_against_page};
use conflict::{Verdict, s04_set_aside};
use elements::ElementStatements;
use page::{MetaStatements, Page};
use pattern::resource;
use qualifiers::{Condition, s08_join};
use robots::RobotsEvidence;
use statements::Statement;
use std::collections::{BTreeMap, BTreeSet};
use wayleave::{Reading, Usage};
use words::{Effect, Word};

/// What is asked, and on what evidence.
#[derive(Clone, Debug)]
pub struct Question {
    pub robots: Robots,
    /// Locator as written to text; a locator that is not here could not be read.
    pub references: BTreeMap<String, Vec<u8>>,
    /// Names and values, one a field line.
    pub headers: Vec<(String, String)>,
    pub page: Option<Page>,
    /// The page after its scripts ran.
    pub dom: Option<Page>,
    pub reading: Reading,
    pub url: String,
    pub crawler: String,
    pub user_agent: Option<String>,
    pub fallbacks: Vec<String>,
    pub purposes: Vec<String>,
    pub usage: Usage,
    /// `#id` or `.class`; none for the page.
    pub element: Option<String>,
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
    pub reads_body_meta: bool,
    pub reads_strawman: bool,
    /// `element_level=false`.
    pub lacks_element_level: bool,
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
///
/// Of `page` and `dom` it is the number of a META, of `page elements` and `dom elements` that of a class or of
/// `nofollow`, of `robots-tag` that of a member of the list, of `x-robots-tag` that of a field line:
/// [`cases::text_at`] has their text.
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
    let is_robots_txt_itself = question.usage == Usage::Crawl && s13_is_robots_txt_itself(question);
    match is_robots_txt_itself && found.outcome != Outcome::Permitted {
        true => Expressed::plain(Outcome::Permitted),
        false => found,
    }
}

/// The order of deciding, steps 2 to 4: ACAP for each purpose, then the other dialects.
fn of_evidence(question: &Question) -> Expressed {
    let robots = RobotsEvidence::of(question);
    let reads_page = question.reading != Reading::Rfc9309;
    let said = if reads_page { words::s17_said_of_the_usage(question) } else { Vec::new() };
    let meta = if reads_page { MetaStatements::of(question, &robots) } else { MetaStatements::default() };
    let elements =
        if reads_page { ElementStatements::of(question, &robots, &meta) } else { ElementStatements::default() };
    let acap = Acap { robots, meta, elements, words_spoke: !said.is_empty() };
    s17_join(question, of_acap(question, &acap), &said)
}

/// What is said in ACAP, and whether other dialects spoke of the usage.
struct Acap {
    robots: RobotsEvidence,
    meta: MetaStatements,
    elements: ElementStatements,
    words_spoke: bool,
}

fn of_acap(question: &Question, acap: &Acap) -> Expressed {
    let robots = &acap.robots;
    if !robots.unread_references.is_empty() {
        // S-21: no META or class lifts it.
        return Expressed::prohibited_by(robots.unread_references.clone());
    }
    let purposes: Vec<Option<&str>> = match question.purposes.is_empty() {
        true => vec![None],
        false => question.purposes.iter().map(|purpose| Some(purpose.as_str())).collect(),
    };
    let results = purposes.iter().map(|purpose| for_purpose(question, *purpose, acap));
    over_purposes(results.collect())
}

/// It is always permitted, but not as Google reads; a line that says so too is still named.
fn s13_is_robots_txt_itself(question: &Question) -> bool {
    question.reading != Reading::Google && resource(&question.url) == b"/robots.txt"
}

/// The exact usage, those that contain it from near to far, then `other`.
fn s03_tiers(usage: &Usage) -> Vec<Usage> {
    let mut tiers = vec![usage.clone()];
    tiers.extend(usage.within().iter().cloned());
    tiers.push(Usage::OtherUsage);
    tiers
}

/// The result for one purpose, or for none: the first tier that has a statement, of robots.txt or of the page.
fn for_purpose(question: &Question, purpose: Option<&str>, acap: &Acap) -> Expressed {
    let Acap { robots, meta, elements, words_spoke } = acap;
    for tier in s03_tiers(&question.usage) {
        if tier == Usage::OtherUsage && *words_spoke {
            // Order of deciding, step 3: `other` is what no dialect spoke of.
            continue;
        }
        let applies = |statement: &&Statement| statement.usage == tier && statement.is_for(purpose);
        let mut found = s04_set_aside(robots.acap.iter().filter(applies).cloned().collect());
        if tier == Usage::Crawl {
            found.extend(robots.conventional.iter().cloned());
        }
        let in_page = s04_set_aside(meta.s25_that_count(question, &tier, purpose));
        let page = s15_page_against_robots(question, &found, &in_page);
        match s16_element_against_page(page, elements.s16_verdict(question, &tier, purpose)) {
            None => {}
            Some(Verdict::Prohibited(by)) => {
                return Expressed::prohibited_by(by.into_iter().flat_map(|statement| statement.places));
            }
            Some(Verdict::Permitted(by)) => return with_conditions(question, &by),
        }
    }
    s01_nothing_speaks(question)
}

/// RFC 9309's default for `crawl`, where robots.txt was read or is not there; silence for everything else.
fn s01_nothing_speaks(question: &Question) -> Expressed {
    let is_known = matches!(question.robots, Robots::Read(_) | Robots::NotThere);
    let is_default = question.usage == Usage::Crawl && is_known;
    Expressed::plain(if is_default { Outcome::Permitted } else { Outcome::Unstated })
}

/// The words of META and headers laid over the result of ACAP: any prohibition prohibits, limits unite, and a
/// permissive word counts only where nothing else speaks.
fn s17_join(question: &Question, acap: Expressed, said: &[Word]) -> Expressed {
    let places = |wanted: &dyn Fn(&Effect) -> bool| -> Vec<Place> {
        said.iter().filter(|word| wanted(&word.effect)).map(|word| word.place.clone()).collect()
    };
    let is_limit = |effect: &Effect| matches!(effect, Effect::Limits(_));
    let is_broken = |effect: &Effect| match effect {
        Effect::Prohibits => true,
        Effect::Limits(limit) => s20_is_lapsed(question, limit) || s29_is_broken(question, limit),
        Effect::Permits => false,
    };
    let prohibiting = places(&is_broken);
    if acap.outcome == Outcome::Prohibited || !prohibiting.is_empty() {
        let own = if acap.outcome == Outcome::Prohibited { acap.places } else { BTreeSet::new() };
        return Expressed::prohibited_by(own.into_iter().chain(prohibiting));
    }
    if acap.outcome == Outcome::Unstated && !said.is_empty() && said.iter().all(|word| word.effect == Effect::Permits) {
        return Expressed { places: places(&|_| true).into_iter().collect(), ..Expressed::plain(Outcome::Permitted) };
    }
    let limits = said.iter().filter_map(|word| word.limit()).cloned();
    let conditions = s08_join(&acap.conditions.iter().cloned().chain(limits).collect::<Vec<Condition>>());
    let ends = conditions.iter().filter_map(|condition| s20_lapses_at(question, condition));
    Expressed {
        outcome: if conditions.is_empty() { acap.outcome } else { Outcome::Conditional },
        valid_until: ends.chain(acap.valid_until).min(),
        places: acap.places.into_iter().chain(places(&is_limit)).collect(),
        conditions,
    }
}

/// The permissions that apply together, their conditions checked one by one.
fn with_conditions(question: &Question, permissions: &[Statement]) -> Expressed {
    let failing = permissions.iter().filter(|permission| fails(question, permission));
    let broken: Vec<Place> = failing.flat_map(|permission| permission.places.clone()).collect();
    if !broken.is_empty() {
        return Expressed::prohibited_by(broken);
    }
    let all: Vec<Condition> = permissions.iter().flat_map(|permission| permission.conditions.clone()).collect();
    let conditions = s08_join(&all);
    Expressed {
        outcome: if conditions.is_empty() { Outcome::Permitted } else { Outcome::Conditional },
        valid_until: conditions.iter().filter_map(|condition| s20_lapses_at(question, condition)).min(),
        conditions,
        places: permissions.iter().flat_map(|permission| permission.places.clone()).collect(),
    }
}

/// Whether a permission prohibits after all: for time, details, substitutes or place.
fn fails(question: &Question, permission: &Statement) -> bool {
    let is_broken = |condition: &Condition| {
        s20_is_lapsed(question, condition) || s29_is_broken(question, condition) || s37_is_closed(question, condition)
    };
    permission.permits
        && (permission.conditions.iter().any(is_broken) || location::s27_is_misplaced(permission, question))
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
        Condition::UntilInstant(end) => Some(*end),
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
        | Condition::UntilInstant(_)
        | Condition::Days(_)
        | Condition::MustUse(_)
        | Condition::MustInclude(_)
        | Condition::Reference(_)
        | Condition::StandardImagePreview
        | Condition::MaxVideoPreview(_) => false,
    }
}

/// Whether the condition names a resource of this site that the crawler may not crawl, or a part that the page
/// does not have.
fn s37_is_closed(question: &Question, condition: &Condition) -> bool {
    if let Some(part) = qualifiers::s37_named_part(condition) {
        let mut pages = question.page.iter().chain(&question.dom);
        return pages.any(|page| !page.has_part(&part) || page.s37_is_outside(&part, question));
    }
    let Some(target) = qualifiers::s37_named_resource(condition) else { return false };
    let Some(url) = pattern::resolved(&question.url, &target) else { return false };
    // The page and the headers speak of the page alone.
    let crawl = Question {
        url,
        usage: Usage::Crawl,
        element: None,
        headers: Vec::new(),
        page: None,
        dom: None,
        ..question.clone()
    };
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
        let asked = Question {
            usage: usage.clone(),
            element: None,
            details: Details::default(),
            first_used: None,
            ..question.clone()
        };
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
