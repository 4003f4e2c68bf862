//! Explains a decision: every statement that applies, and why each statement lost.
//!
//! This module runs the same code as `decide`, with a recorder that keeps every step, so no rule is implemented twice.
//! Only `narrative` writes sentences.

mod general;
mod narrative;
mod parts;
#[cfg(feature = "report")]
pub mod report;
mod statement;
mod trail;

pub use parts::{DifferingPart, RequiredResource};
pub use statement::{AcapStatement, PreferenceStatement, SiteStatements};

pub(crate) use narrative::justification;

use crate::base::source::Span;
use crate::base::timestamp::Timestamp;
use crate::decide;
use crate::decide::conditions::join;
use crate::decide::{Licences, decide_with, expressed, may_address};
use crate::dialects::acap::ACTIONS;
use crate::dialects::rfc9309::resource;
use crate::dialects::robots_directives::Effect;
use crate::model::BoundBy;
use crate::model::LostTo;
use crate::model::Usage;
use crate::model::diagnostic::{Code, Diagnostic};
use crate::model::proposed_use::{InvalidUrlError, ProposedUse};
use crate::model::reading::Reading;
use crate::model::{
    Carrier, Condition, Dialect, Modality, Scope, Statement, StatementId, StatementKind, Uninterpretable,
};
use crate::model::{Decision, Outcome, Reason};
use crate::policy::Policy;
use crate::site::{RobotsTxt, Site};
use parts::{no_such_element, parts, required_resources};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use trail::Trail;

/// A decision with its reasons. [`explain()`] returns it.
///
/// ```
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
/// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /news/\nAllow: /news/today\n", Reading::Default);
/// let crawler = Crawler::named("ExampleBot");
/// let explanation = explain(&site, &ProposedUse::new("/news/today", &crawler, &Usage::Crawl))?;
/// assert_eq!(explanation.determined_by[0].line, 3);
/// assert_eq!(explanation.considered[0].statement.line, 2);
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation<'e> {
    /// The decision.
    pub decision: Decision,
    /// Every statement that is sufficient for the outcome. Empty if the decision rests on a default, a status or a
    /// limit.
    pub determined_by: Vec<Statement<'e>>,
    /// Every other statement that addresses the crawler and matches the resource, and why it lost.
    pub considered: Vec<SetAside<'e>>,
    /// The prerequisites that are prohibited or conditional (S-14).
    pub prerequisites: Vec<Prerequisite<'e>>,
    /// The conditions of a conditional permission, including those of prerequisites.
    pub conditions: Vec<Condition>,
    /// The conditions from statements about this usage itself, without those of prerequisites.
    pub expressed: Vec<Condition>,
    /// Why certain conventional groups in robots.txt bind the crawler, or `None` if no robots.txt was read.
    pub bound_by: Option<BoundBy>,
    /// The result for a crawler that reads only RFC 9309, if it is different.
    pub plain: Option<PlainCrawler>,
    /// The walk through ACAP's tiers, in order.
    pub walk: Vec<Tier<'e>>,
    /// The actions that the site requests from this crawler, each with its path (S-30).
    pub actions: Vec<(&'static str, String)>,
    /// Documents that the decision needs but that were not read, if they can affect the usage: files that robots.txt
    /// refers to for this crawler (S-21), and licences that the site names for it (S-45).
    pub needs: Vec<String>,
    /// The time until which the page and its headers are fresh, if they affect the decision (RT 3.1.4). After that time
    /// the crawler should fetch them again. Until it does, their restrictions remain in force.
    pub fresh_until: Option<Timestamp>,
    /// The resources that must be used or included, and whether each one may be crawled (S-37).
    pub required_resources: Vec<RequiredResource>,
    /// The parts of the page whose outcome differs from the page's, if the question is about the page (S-16).
    pub parts: Vec<DifferingPart>,
    /// Diagnostics about the question.
    pub notes: Vec<Diagnostic>,
    /// Diagnostics about the documents.
    pub diagnostics: &'e [Diagnostic],
    /// Licences that were given but cannot be read as RSL, each with the statement that names it (S-45).
    unreadable: Vec<(StatementId, String)>,
    /// Whether robots.txt contains ACAP fields.
    has_acap: bool,
    /// Whether robots.txt refers to files that were not read (S-21).
    has_unread_references: bool,
}

/// A statement that applies to the question but does not decide it.
///
/// ```
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
/// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /news/\nAllow: /news/today\n", Reading::Default);
/// let crawler = Crawler::named("ExampleBot");
/// let explanation = explain(&site, &ProposedUse::new("/news/today", &crawler, &Usage::Crawl))?;
/// assert_eq!(explanation.considered[0].sentence(), "line 2 also matches, but line 3 has a longer pattern");
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SetAside<'e> {
    /// The statement.
    pub statement: Statement<'e>,
    /// Why the statement lost.
    pub by: LostTo,
    /// The statement that it lost to, if there is one.
    pub to: Option<Statement<'e>>,
}

/// A prerequisite of the usage, and its outcome.
///
/// ```
/// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, explain};
/// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /drafts/\n", Reading::Default);
/// let crawler = Crawler::named("ExampleBot");
/// let explanation = explain(&site, &ProposedUse::new("/drafts/1", &crawler, &Usage::Index))?;
/// let prerequisite = &explanation.prerequisites[0];
/// assert_eq!((prerequisite.usage, prerequisite.outcome), (&Usage::Crawl, Outcome::Prohibited));
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Prerequisite<'e> {
    /// The required usage.
    pub usage: &'static Usage,
    /// The outcome that the site's statements lead to for the required usage.
    pub outcome: Outcome,
    /// The reason for that outcome.
    pub reason: Reason,
    /// Whether the prerequisite bars the usage in question.
    pub bars: bool,
    /// The statements that determine the outcome.
    pub determined_by: Vec<Statement<'e>>,
    /// The conditions that the prerequisite adds.
    pub conditions: Vec<Condition>,
}

/// The result for a crawler that reads only conventional groups.
///
/// ```
/// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, explain};
/// let robots_txt = b"User-agent: *\nDisallow: /\n\nACAP-crawler: *\nACAP-allow-crawl: /news/\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let crawler = Crawler::named("ExampleBot");
/// let explanation = explain(&site, &ProposedUse::new("/news/1", &crawler, &Usage::Crawl))?;
/// assert_eq!(explanation.decision.outcome, Outcome::Permitted);
/// let plain = explanation.plain.unwrap();
/// assert_eq!((plain.outcome, plain.line), (Outcome::Prohibited, Some(2)));
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainCrawler {
    /// The outcome.
    pub outcome: Outcome,
    /// The line in robots.txt that decides, or `None` if RFC 9309's default decides.
    pub line: Option<u32>,
}

/// One tier in ACAP's walk: a usage, and what happened to each statement about it (S-03).
///
/// ```
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
/// let robots_txt = b"ACAP-crawler: *\nACAP-disallow-index: /private/\nACAP-allow-index: /\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let crawler = Crawler::named("ExampleBot");
/// let explanation = explain(&site, &ProposedUse::new("/private/1", &crawler, &Usage::Index))?;
/// let tier = &explanation.walk[0];
/// assert_eq!((&tier.usage, tier.steps.len()), (&Usage::Index, 2));
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tier<'e> {
    /// The usage of this tier.
    pub usage: Usage,
    /// The purpose for which the tier was examined, if any.
    pub purpose: Option<String>,
    /// The statements. Statements in one tag with the same result appear once.
    pub steps: Vec<Step<'e>>,
}

/// What happened to one statement in a tier.
///
/// ```
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
/// let robots_txt = b"ACAP-crawler: *\nACAP-disallow-index: /private/\nACAP-allow-index: /\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let crawler = Crawler::named("ExampleBot");
/// let explanation = explain(&site, &ProposedUse::new("/private/1", &crawler, &Usage::Index))?;
/// let deciding = explanation.walk[0].steps.iter().find(|step| step.lost.is_none()).unwrap();
/// assert_eq!(deciding.statement.line, 2);
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step<'e> {
    /// The statement.
    pub statement: Statement<'e>,
    /// Why the statement lost, or `None` if it decides its tier.
    pub lost: Option<LostTo>,
    /// What happened to the statement, in a sentence.
    pub sentence: String,
}

/// Decides on a proposed use, and returns the decision with its reasons.
///
/// Cost: one decision for the use, one for each prerequisite, and one for each part of the page that has a statement.
///
/// ```
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
/// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /news/\n", Reading::Default);
/// let crawler = Crawler::named("GPTBot");
/// let proposed = ProposedUse::new("/news/today", &crawler, &Usage::Crawl);
/// let explanation = explain(&site, &proposed)?;
/// assert_eq!(explanation.determined_by[0].line, 2);
/// assert_eq!(explanation.sentence(&proposed), "GPTBot may not crawl `/news/today`: line 2 prohibits `/news/`");
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
///
/// # Errors
/// Returns an error if the URL is neither an http(s) URL nor a path that begins with `/`.
pub fn explain<'e>(site: &'e Site<'_>, proposed: &ProposedUse<'_>) -> Result<Explanation<'e>, InvalidUrlError> {
    match resource::is_resource(proposed.url) {
        true => Ok(explain_unchecked(site, proposed)),
        false => Err(InvalidUrlError { url: proposed.url.to_owned() }),
    }
}

/// Explains a decision without checking the URL, for callers that built the URL themselves.
#[must_use]
pub fn explain_unchecked<'e>(site: &'e Site<'_>, proposed: &ProposedUse<'_>) -> Explanation<'e> {
    let mut trail = Trail::default();
    let decision = decide_with(site, proposed, &mut trail);
    let written = SiteStatements::of(site, proposed.capabilities);
    let mut explanation = Explanation {
        decision,
        determined_by: Vec::new(),
        considered: Vec::new(),
        prerequisites: Vec::new(),
        conditions: Vec::new(),
        expressed: Vec::new(),
        bound_by: trail.bound_by,
        plain: None,
        walk: Vec::new(),
        actions: Vec::new(),
        needs: Vec::new(),
        fresh_until: None,
        required_resources: Vec::new(),
        parts: Vec::new(),
        notes: Vec::new(),
        diagnostics: site.diagnostics(),
        unreadable: Vec::new(),
        has_acap: site.acap().is_some(),
        has_unread_references: false,
    };
    explanation.sort_trail(site, &written, &trail);
    explanation.general_preferences(site, &written, proposed);
    explanation.expressed = trail.conditions(site, decision.outcome);
    explanation.conditions = explanation.expressed.clone();
    let has_acap = site.acap().is_some();
    for usage in proposed.usage.prerequisites() {
        let (prerequisite, bound_by) = prerequisite(site, &written, proposed, usage);
        // Without ACAP, only conventional groups apply, so the reason why they bind is reported for every usage.
        explanation.bound_by = explanation.bound_by.or(bound_by.filter(|_| prerequisite.bars || !has_acap));
        if prerequisite.bars || prerequisite.outcome == Outcome::Conditional {
            explanation.prerequisites.push(prerequisite);
        }
    }
    if decision.effective == Outcome::Conditional {
        let added = explanation.prerequisites.iter().flat_map(|prerequisite| prerequisite.conditions.clone());
        explanation.conditions = join(explanation.conditions.iter().cloned().chain(added).collect::<Vec<_>>());
    }
    if site.acap().is_some_and(|acap| acap.ignores_conventional) {
        explanation.bound_by = None;
    }
    explanation.walk = trail.walk(&written);
    explanation.plain = plain_crawler(site, proposed, decision.outcome);
    explanation.requests(site, proposed);
    explanation.required_resources = required_resources(site, proposed, &explanation.conditions);
    explanation.notes.extend(no_such_element(site, proposed));
    let (parts, note) = parts(site, &written, proposed, decision.outcome);
    explanation.parts = parts;
    explanation.notes.extend(note);
    let barring = explanation.prerequisites.iter().flat_map(|prerequisite| &prerequisite.determined_by);
    let is_of_response =
        |statement: &Statement<'_>| matches!(statement.carrier, Carrier::Header | Carrier::Meta | Carrier::Element);
    if explanation.determined_by.iter().chain(barring).any(is_of_response) {
        explanation.fresh_until = site.fresh_until();
    }
    explanation
}

fn prerequisite<'e>(
    site: &'e Site<'_>,
    written: &SiteStatements<'e>,
    proposed: &ProposedUse<'_>,
    usage: &'static Usage,
) -> (Prerequisite<'e>, Option<BoundBy>) {
    let mut trail = Trail::default();
    let answer = expressed(site, &decide::prerequisite(proposed), usage, &mut trail);
    let bars = decide::bars(proposed.usage, usage, &answer);
    let (outcome, reason) = (answer.outcome, answer.reason);
    let mut determined_by: Vec<_> =
        trail.deciding(outcome, reason).filter_map(|(id, usage)| written.get(id, usage)).collect();
    sort_and_merge(&mut determined_by, reason);
    let conditions = trail.conditions(site, outcome);
    (Prerequisite { usage, outcome, reason, bars, determined_by, conditions }, trail.bound_by)
}

/// Returns the result for a crawler that reads only conventional groups, or `None` if it is not different (P1 2.9).
fn plain_crawler(site: &Site<'_>, proposed: &ProposedUse<'_>, outcome: Outcome) -> Option<PlainCrawler> {
    let RobotsTxt::Read(policy) = site.robots_txt() else { return None };
    let text = policy.text().filter(|_| policy.has_acap_fields() && *proposed.usage == Usage::Crawl)?;
    let plain = Site::of_robots_txt(text, Reading::Rfc9309);
    let decision = decide::decide_unchecked(&plain, proposed);
    let RobotsTxt::Read(policy) = plain.robots_txt() else { return None };
    let line = decision.reason.statement().and_then(|id| policy.statements().get(id)).map(|statement| statement.line);
    let differs = (decision.outcome == Outcome::Prohibited) != (outcome == Outcome::Prohibited);
    differs.then_some(PlainCrawler { outcome: decision.outcome, line })
}

fn position_of(statement: &Statement<'_>) -> StatementPosition {
    (statement.id.source.order(), statement.span)
}

/// Compares two statements by their text. Statements in one tag share their text, which may be long.
fn by_text(one: &Statement<'_>, other: &Statement<'_>) -> Ordering {
    if std::ptr::eq(&*one.text, &*other.text) { Ordering::Equal } else { one.text.cmp(&other.text) }
}

/// Sorts statements. If several statements in one tag have the same text, keeps one of them, preferably the statement
/// that the reason names. Each class name in a tag is a separate text.
fn sort_and_merge(statements: &mut Vec<Statement<'_>>, reason: Reason) {
    let decisive = reason.statement();
    statements.sort_by(|one, other| {
        let key = |one: &Statement<'_>| (position_of(one), Some(one.id) != decisive);
        key(one).cmp(&key(other)).then_with(|| by_text(one, other)).then(one.id.cmp(&other.id))
    });
    statements.dedup_by(|one, other| position_of(one) == position_of(other) && by_text(one, other).is_eq());
}

/// The statements that are already listed. Statements in one tag with the same result are listed once.
#[derive(Default)]
struct SeenStatements(HashSet<(StatementPosition, *const u8, StatementFate)>);

/// The position of a document in the order of documents, and a span in the document.
type StatementPosition = ((u8, u16), Span);

/// A statement's effect, and why it lost.
type StatementFate = (Modality, Option<Uninterpretable>, Option<LostTo>);

impl SeenStatements {
    fn is_new(&mut self, statement: &Statement<'_>, lost: Option<LostTo>) -> bool {
        let fate = (statement.modality, statement.uninterpretable, lost);
        self.0.insert((position_of(statement), statement.text.as_ptr(), fate))
    }
}

impl<'e> Explanation<'e> {
    /// Returns the revisions of the AI-preference dialects that the deciding statements are written in (S-40).
    ///
    /// ```
    /// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
    /// let site = Site::of_robots_txt(b"User-agent: *\nLicense: https://site.example/license.xml\n", Reading::Default);
    /// let crawler = Crawler::named("ExampleBot");
    /// let explanation = explain(&site, &ProposedUse::new("https://site.example/", &crawler, &Usage::TrainAi))?;
    /// assert_eq!(explanation.revisions(), ["RSL 1.0"]);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn revisions(&self) -> Vec<&'static str> {
        let deciding = self.determined_by.iter().chain(self.barred_by()).map(|statement| statement.dialect);
        let mut revisions: Vec<&str> = deciding.filter(|one| one.is_preference()).map(Dialect::revision).collect();
        revisions.sort_unstable();
        revisions.dedup();
        revisions
    }

    /// Returns the locations of licences that were supplied but cannot be read as RSL (S-45).
    #[must_use]
    pub fn unreadable(&self) -> Vec<&str> {
        let mut locations: Vec<&str> = self.unreadable.iter().map(|(_, location)| location.as_str()).collect();
        locations.sort_unstable();
        locations.dedup();
        locations
    }

    /// Returns the numbers of the rules in the semantics that the explanation cites, sorted.
    ///
    /// ```
    /// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /news/\n", Reading::Default);
    /// let crawler = Crawler::named("ExampleBot");
    /// let explanation = explain(&site, &ProposedUse::new("/news/today", &crawler, &Usage::Crawl))?;
    /// assert!(explanation.rules().contains(&"S-13"));
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    #[must_use]
    pub fn rules(&self) -> Vec<&'static str> {
        let mut rules = vec![self.decision.reason.rule()];
        rules.extend(self.considered.iter().map(|set_aside| set_aside.by.rule()));
        // S-35 defines which groups bind. S-19, below, defines which rules match.
        rules.extend(self.bound_by.map(|_| "S-35"));
        rules.extend((self.bound_by == Some(BoundBy::Purpose)).then_some("S-50"));
        let barring = self.prerequisites.iter().flat_map(|prerequisite| &prerequisite.determined_by);
        let is_matched = |statement: &Statement<'_>| !matches!(statement.scope, Scope::Resource | Scope::Element(_));
        rules.extend(self.determined_by.iter().chain(barring).any(is_matched).then_some("S-19"));
        for prerequisite in &self.prerequisites {
            rules.extend(["S-14", prerequisite.reason.rule()]);
        }
        // If there is no robots.txt, RFC 9309's default permits the use.
        rules.extend(matches!(self.decision.reason, Reason::NoRobotsTxt(_)).then_some("S-01"));
        rules.extend(self.decision.is_truncated.then_some("S-22"));
        for uninterpretable in self.determined_by.iter().filter_map(|statement| statement.uninterpretable) {
            rules.extend(["S-09", uninterpretable.rule()]);
        }
        rules.extend(self.determined_by.iter().any(|statement| statement.is_forgiven).then_some("S-10"));
        rules.extend((!self.conditions.is_empty()).then_some("S-08"));
        rules.extend((!self.actions.is_empty()).then_some("S-30"));
        rules.extend(self.has_unread_references.then_some("S-21"));
        for statement in &self.determined_by {
            match statement.dialect {
                Dialect::RobotsDirectives => rules.push("S-17"),
                Dialect::ExclusionProfile => rules.extend(["S-16", "S-17", "S-26"]),
                Dialect::SearchMarks => rules.extend(["S-16", "S-17", "S-49"]),
                Dialect::Acap if statement.carrier == Carrier::Element => rules.push("S-16"),
                Dialect::Acap | Dialect::Conventional => {}
                preference => rules.extend(["S-40", preference.rule()]),
            }
        }
        rules.extend(self.notes.iter().any(|note| note.code == Code::NoSuchElement).then_some("S-16"));
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// Returns the number of the rule by which a deciding statement decides.
    #[must_use]
    pub fn rule_of(&self, statement: &Statement<'_>) -> &'static str {
        let is_directive = matches!(statement.dialect, Dialect::RobotsDirectives | Dialect::ExclusionProfile);
        let is_decisive = self.decision.reason.statement() == Some(statement.id);
        if statement.dialect.is_preference() || statement.dialect == Dialect::SearchMarks {
            return statement.dialect.rule();
        }
        if is_directive && !is_decisive { "S-17" } else { self.decision.reason.rule() }
    }

    /// Returns the statements that bar the use because they prohibit a prerequisite (S-14).
    ///
    /// ```
    /// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, explain};
    /// let site = Site::of_robots_txt(b"User-agent: *\nDisallow: /drafts/\n", Reading::Default);
    /// let crawler = Crawler::named("ExampleBot");
    /// let explanation = explain(&site, &ProposedUse::new("/drafts/1", &crawler, &Usage::Index))?;
    /// assert_eq!(explanation.barred_by().map(|statement| statement.line).collect::<Vec<_>>(), [2]);
    /// # Ok::<(), byleave::InvalidUrlError>(())
    /// ```
    pub fn barred_by(&self) -> impl Iterator<Item = &Statement<'e>> {
        let barring = self.prerequisites.iter().filter(|prerequisite| prerequisite.bars).take(1);
        barring.flat_map(|prerequisite| &prerequisite.determined_by)
    }

    /// Sorts the statements in the trail into those that decide and those that lost, each with its reason.
    fn sort_trail(&mut self, site: &'e Site<'_>, written: &SiteStatements<'e>, trail: &Trail) {
        let (outcome, reason) = (self.decision.outcome, self.decision.reason);
        let deciding: HashMap<StatementId, &Usage> = trail.deciding(outcome, reason).collect();
        for (id, usage) in &deciding {
            self.determined_by.extend(written.get(*id, usage));
        }
        sort_and_merge(&mut self.determined_by, reason);
        let winners: HashSet<StatementPosition> = self.determined_by.iter().map(position_of).collect();
        let mut known = SeenStatements::default();
        let mut lost: Vec<_> = self.losers(site, trail).into_iter().collect();
        lost.sort_unstable_by_key(|(id, _)| *id);
        for (id, (by, usage)) in lost {
            let Some(statement) = written.get(id, usage) else { continue };
            // In some readings, one line has two rules: `Allow: /docs/index.html` also permits `/docs/`. If one of the
            // rules decides, the line did not lose.
            let has_won = deciding.contains_key(&id) || winners.contains(&position_of(&statement));
            if !has_won && known.is_new(&statement, Some(by)) {
                let to = by.winner().and_then(|id| written.get(id, usage));
                self.considered.push(SetAside { statement, by, to });
            }
        }
        self.considered.sort_by_key(|set_aside| (position_of(&set_aside.statement), set_aside.statement.id));
    }

    /// Returns why the statements in the trail lost, and for which usage. The result may also contain deciding
    /// statements, so the caller must leave them out.
    fn losers<'t>(&self, site: &Site<'_>, trail: &'t Trail) -> HashMap<StatementId, (LostTo, &'t Usage)> {
        let (outcome, reason) = (self.decision.outcome, self.decision.reason);
        let mut lost: HashMap<StatementId, (LostTo, &Usage)> = HashMap::new();
        let ignores = site.acap().is_some_and(|acap| acap.ignores_conventional);
        trail.conventional_losers(reason, ignores, &mut lost);
        for tier in &trail.tiers {
            for (id, _, lost_to) in &tier.candidates {
                let by = match (*lost_to, reason.statement()) {
                    _ if reason == Reason::RobotsTxtItself => LostTo::RobotsTxtItself,
                    (Some(by), _) => by,
                    (None, _) if matches!(reason, Reason::RobotsTxtUnreachable(_)) => LostTo::Unreachable,
                    (None, Some(winner))
                        if matches!(reason, Reason::Restriction(_) | Reason::Unable(_) | Reason::Preference(_)) =>
                    {
                        LostTo::Restriction(winner)
                    }
                    (None, Some(winner)) if trail.has_failed(reason) => LostTo::FailedCondition(winner),
                    (None, _) => LostTo::OtherPurpose,
                };
                lost.insert(*id, (by, &tier.usage));
            }
        }
        for (id, usage, own) in &trail.directives {
            let prohibits = Some(outcome).filter(|outcome| *outcome == Outcome::Prohibited).and(reason.statement());
            let is_limit = site.directive(*id).is_some_and(|(_, entry)| entry.directive.effect != Effect::Permits);
            let by = match (*own, prohibits) {
                (Some(own), _) => own,
                (None, Some(winner)) if id.kind() == StatementKind::Preference => LostTo::Refused(winner),
                (None, Some(winner)) if is_limit => LostTo::OtherProhibits(winner),
                (None, _) => LostTo::LiftsNothing,
            };
            lost.insert(*id, (by, usage));
        }
        // Rules with the same rank lose for the same reason as the rule that RFC 9309 selects.
        let selected =
            trail.tiers.iter().flat_map(|tier| &tier.candidates).find(|one| one.0.kind() == StatementKind::Rule);
        if let Some((by, _)) = selected.and_then(|(id, ..)| lost.get(id)).copied() {
            let best = trail.matched.iter().map(|rule| rule.priority).max();
            for rule in trail.matched.iter().filter(|rule| Some(rule.priority) == best) {
                lost.insert(StatementId::rule(rule.rule), (by, &Usage::Crawl));
            }
        }
        if matches!(reason, Reason::ReferenceUnread(_)) {
            for (by, _) in lost.values_mut() {
                *by = LostTo::ReferenceUnread;
            }
        }
        lost
    }

    /// Adds the actions that the site requests, and the documents that the decision needs.
    fn requests(&mut self, site: &Site<'_>, proposed: &ProposedUse<'_>) {
        let sources = site.sources(proposed.capabilities, None);
        let mut known = HashSet::new();
        sources.each(proposed.crawler, |_, acap| {
            for action in &acap.actions {
                let name = ACTIONS.get(usize::from(action.action)).copied().unwrap_or_default();
                let path = String::from_utf8_lossy(action.path.of(&acap.arena)).into_owned();
                let is_for = acap.addressee(action.group, proposed.crawler).is_some();
                if is_for && known.insert((name, path.clone())) {
                    self.actions.push((name, path));
                }
            }
        });
        let mut needs = HashSet::new();
        for id in sources.unread(proposed.crawler) {
            let Some(acap) = site.acap() else { break };
            let Some(reference) = acap.references.get(id.number as usize) else { continue };
            let locator = String::from_utf8_lossy(reference.locator.of(&acap.arena)).into_owned();
            if needs.insert(locator.clone()) {
                self.needs.push(locator);
            }
        }
        self.has_unread_references = !self.needs.is_empty();
        if may_address(proposed.usage)
            && let Some(licences) = Licences::of(site, proposed.url, proposed.crawler, proposed.purposes)
        {
            for licence in licences.unread() {
                if site.has_document(proposed.url, &licence.location) {
                    self.unreadable.push((licence.id, licence.location.clone()));
                }
                if needs.insert(licence.location.clone()) {
                    self.needs.push(licence.location.clone());
                }
            }
        }
    }
}
