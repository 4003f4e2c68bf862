//! The explanation: the decision with every statement that bore on it, and why each lost.
//!
//! It runs the decision's own body with a recorder that keeps what it hears; there is no second
//! implementation of any rule here. Sentences are made in `narrative` alone.

mod general;
mod narrative;
mod parts;
#[cfg(feature = "report")]
pub mod report;
mod statement;
mod trail;

pub use parts::{MustHave, Part};
pub use statement::{AcapStatement, EvidenceStatements, PreferenceStatement};

pub(crate) use narrative::ground_of;

use crate::base::source::Span;
use crate::base::timestamp::Timestamp;
use crate::decide;
use crate::decide::conditions::join;
use crate::decide::{Licences, decide_with, expressed, may_speak_of};
use crate::dialects::acap::ACTIONS;
use crate::dialects::robots_directives::Effect;
use crate::model::BoundBy;
use crate::model::LostTo;
use crate::model::Usage;
use crate::model::diagnostic::{Code, Diagnostic};
use crate::model::proposed_use::ProposedUse;
use crate::model::reading::Reading;
use crate::model::{
    Carrier, Condition, Dialect, Modality, Scope, Statement, StatementId, StatementKind, Uninterpretable,
};
use crate::model::{Decision, Outcome, Reason};
use crate::policy::Policy;
use crate::site::{Evidence, RobotsTxt};
use parts::{must_have, no_such_element, parts};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use trail::Trail;

/// A decision with its reasons.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation<'e> {
    /// The decision itself.
    pub decision: Decision,
    /// Every statement that suffices for the outcome; none where a default, a status or a limit decides.
    pub determined_by: Vec<Statement<'e>>,
    /// Every other statement that addresses the crawler and matches the resource, and why it lost.
    pub considered: Vec<SetAside<'e>>,
    /// The prerequisites that make a difference: prohibited or conditional ones (S-14).
    pub prerequisites: Vec<Prerequisite<'e>>,
    /// What must be kept for a conditional permission to hold, prerequisites included.
    pub conditions: Vec<Condition>,
    /// What must be kept of that by what is said of this usage itself, prerequisites left out.
    pub expressed: Vec<Condition>,
    /// Why these conventional groups of robots.txt bind the crawler; nothing where none was read.
    pub bound_by: Option<BoundBy>,
    /// What a crawler that reads RFC 9309 alone would find, where that differs.
    pub plain: Option<PlainCrawler>,
    /// The walk through ACAP's tiers, in the order they were asked.
    pub walk: Vec<Tier<'e>>,
    /// What the site asks this crawler to do: the action and the path (S-30).
    pub actions: Vec<(&'static str, String)>,
    /// Files that robots.txt refers to for this crawler and that are not read (S-21), and licences that are named to it
    /// (S-45), where they bear on the usage.
    pub needs: Vec<String>,
    /// How long what the page and its headers say is fresh, where they bear on the decision (RT 3.1.4). After
    /// that it is to be fetched again; until it is, its restrictions hold on.
    pub fresh_until: Option<Timestamp>,
    /// What must be used or included for the use to be permitted, and whether it may be crawled (S-37).
    pub resources: Vec<MustHave>,
    /// The parts of the page whose answer differs from the page's, where the page is asked about (S-16).
    pub parts: Vec<Part>,
    /// What was noticed in the question itself.
    pub notes: Vec<Diagnostic>,
    /// What was noticed in the documents.
    pub diagnostics: &'e [Diagnostic],
    /// Licences that are named to it and given, but are no RSL that can be read, each by what names it (S-45).
    unreadable: Vec<(StatementId, String)>,
    /// Whether robots.txt speaks ACAP too.
    has_acap: bool,
    /// Whether it refers to files that are not read (S-21).
    has_unread_references: bool,
}

/// A statement that bears on the question and does not decide it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SetAside<'e> {
    /// The statement.
    pub statement: Statement<'e>,
    /// Why it lost.
    pub by: LostTo,
    /// What it lost to, where that is a statement.
    pub to: Option<Statement<'e>>,
}

/// A prerequisite of the usage, and what it came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Prerequisite<'e> {
    /// The usage that is needed.
    pub usage: &'static Usage,
    /// What the site expresses of it.
    pub outcome: Outcome,
    /// The ground of that.
    pub reason: Reason,
    /// Whether it bars the usage asked about.
    pub bars: bool,
    /// What determines it.
    pub determined_by: Vec<Statement<'e>>,
    /// The conditions it adds.
    pub conditions: Vec<Condition>,
}

/// What a crawler finds that reads conventional groups alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainCrawler {
    /// The outcome for it.
    pub outcome: Outcome,
    /// The line of robots.txt that decides; nothing where RFC 9309's default does.
    pub line: Option<u32>,
}

/// One tier of ACAP's walk: a usage, and what became of each statement about it (S-03).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tier<'e> {
    /// The usage asked about in this tier.
    pub usage: Usage,
    /// The purpose it was asked for, if any.
    pub purpose: Option<String>,
    /// The statements; those of one tag to which the same happened are one.
    pub steps: Vec<Step<'e>>,
}

/// What became of one statement in a tier.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step<'e> {
    /// The statement.
    pub statement: Statement<'e>,
    /// Why it lost; nothing where it decides its tier.
    pub lost: Option<LostTo>,
    /// What became of it, in a sentence.
    pub sentence: String,
}

/// Decides and keeps the reasons.
///
/// ```
/// use byleave::{Crawler, Evidence, ProposedUse, Reading, Usage};
/// let evidence = Evidence::of_robots_txt(b"User-agent: *\nDisallow: /news/\n", Reading::Default);
/// let crawler = Crawler::named("GPTBot");
/// let proposed = ProposedUse::new("/news/today", &crawler, &Usage::Crawl);
/// let explanation = byleave::explain(&evidence, &proposed);
/// assert_eq!(explanation.determined_by[0].line, 2);
/// assert_eq!(explanation.sentence(&proposed), "GPTBot may not crawl `/news/today`: line 2 prohibits `/news/`");
/// ```
#[must_use]
pub fn explain<'e>(evidence: &'e Evidence<'_>, proposed: &ProposedUse<'_>) -> Explanation<'e> {
    let mut trail = Trail::default();
    let decision = decide_with(evidence, proposed, &mut trail);
    let written = EvidenceStatements::of(evidence, proposed.capabilities);
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
        resources: Vec::new(),
        parts: Vec::new(),
        notes: Vec::new(),
        diagnostics: evidence.diagnostics(),
        unreadable: Vec::new(),
        has_acap: evidence.acap().is_some(),
        has_unread_references: false,
    };
    explanation.place(evidence, &written, &trail);
    explanation.general_preferences(evidence, &written, proposed);
    explanation.expressed = trail.conditions(evidence, decision.outcome);
    explanation.conditions = explanation.expressed.clone();
    let has_acap = evidence.acap().is_some();
    for usage in proposed.usage.prerequisites() {
        let (prerequisite, ground) = prerequisite(evidence, &written, proposed, usage);
        // Where conventional groups say all there is, why they bind is worth telling for every usage.
        explanation.bound_by = explanation.bound_by.or(ground.filter(|_| prerequisite.bars || !has_acap));
        if prerequisite.bars || prerequisite.outcome == Outcome::Conditional {
            explanation.prerequisites.push(prerequisite);
        }
    }
    if decision.effective == Outcome::Conditional {
        let added = explanation.prerequisites.iter().flat_map(|prerequisite| prerequisite.conditions.clone());
        explanation.conditions = join(explanation.conditions.iter().cloned().chain(added).collect::<Vec<_>>());
    }
    if evidence.acap().is_some_and(|acap| acap.ignores_conventional) {
        explanation.bound_by = None;
    }
    explanation.walk = trail.walk(&written);
    explanation.plain = plain_crawler(evidence, proposed, decision.outcome);
    explanation.requests(evidence, proposed);
    explanation.resources = must_have(evidence, proposed, &explanation.conditions);
    explanation.notes.extend(no_such_element(evidence, proposed));
    let (parts, note) = parts(evidence, &written, proposed, decision.outcome);
    explanation.parts = parts;
    explanation.notes.extend(note);
    let barring = explanation.prerequisites.iter().flat_map(|prerequisite| &prerequisite.determined_by);
    let is_of_response =
        |statement: &Statement<'_>| matches!(statement.carrier, Carrier::Header | Carrier::Meta | Carrier::Element);
    if explanation.determined_by.iter().chain(barring).any(is_of_response) {
        explanation.fresh_until = evidence.fresh_until();
    }
    explanation
}

fn prerequisite<'e>(
    evidence: &'e Evidence<'_>,
    written: &EvidenceStatements<'e>,
    proposed: &ProposedUse<'_>,
    usage: &'static Usage,
) -> (Prerequisite<'e>, Option<BoundBy>) {
    let mut trail = Trail::default();
    let answer = expressed(evidence, &decide::prerequisite(proposed), usage, &mut trail);
    let bars = decide::bars(proposed.usage, usage, &answer);
    let (outcome, reason) = (answer.outcome, answer.reason);
    let mut determined_by: Vec<_> =
        trail.deciding(outcome, reason).filter_map(|(id, usage)| written.get(id, usage)).collect();
    tell_once(&mut determined_by, reason);
    let conditions = trail.conditions(evidence, outcome);
    (Prerequisite { usage, outcome, reason, bars, determined_by, conditions }, trail.bound_by)
}

/// What a crawler that reads conventional groups alone would find, where it differs (P1 2.9).
fn plain_crawler(evidence: &Evidence<'_>, proposed: &ProposedUse<'_>, outcome: Outcome) -> Option<PlainCrawler> {
    let RobotsTxt::Read(policy) = evidence.robots_txt() else { return None };
    let text = policy.text().filter(|_| policy.has_acap_fields() && *proposed.usage == Usage::Crawl)?;
    let plain = Evidence::of_robots_txt(text, Reading::Rfc9309);
    let decision = decide::decide(&plain, proposed);
    let RobotsTxt::Read(policy) = plain.robots_txt() else { return None };
    let line = decision.reason.statement().and_then(|id| policy.statements().get(id)).map(|statement| statement.line);
    let differs = (decision.outcome == Outcome::Prohibited) != (outcome == Outcome::Prohibited);
    differs.then_some(PlainCrawler { outcome: decision.outcome, line })
}

fn place_of(statement: &Statement<'_>) -> ((u8, u16), Span) {
    (statement.id.source.order(), statement.span)
}

/// The order of two statements by how they are written. Statements of one tag share their text, which may be long.
fn by_text(one: &Statement<'_>, other: &Statement<'_>) -> Ordering {
    if std::ptr::eq(&*one.text, &*other.text) { Ordering::Equal } else { one.text.cmp(&other.text) }
}

/// Puts statements in order. What one tag says in one text is told once, by the ground if that is one of them; several
/// classes of one tag are several texts.
fn tell_once(statements: &mut Vec<Statement<'_>>, reason: Reason) {
    let ground = reason.statement();
    statements.sort_by(|one, other| {
        let key = |one: &Statement<'_>| (place_of(one), Some(one.id) != ground);
        key(one).cmp(&key(other)).then_with(|| by_text(one, other)).then(one.id.cmp(&other.id))
    });
    statements.dedup_by(|one, other| place_of(one) == place_of(other) && by_text(one, other).is_eq());
}

/// What was told already: of the statements of one tag to which the same happened, one is.
#[derive(Default)]
struct Known(HashSet<(((u8, u16), Span), *const u8, Fate)>);

/// What a statement does, and why it does not.
type Fate = (Modality, Option<Uninterpretable>, Option<LostTo>);

impl Known {
    fn is_new(&mut self, statement: &Statement<'_>, lost: Option<LostTo>) -> bool {
        let fate = (statement.modality, statement.uninterpretable, lost);
        self.0.insert((place_of(statement), statement.text.as_ptr(), fate))
    }
}

impl<'e> Explanation<'e> {
    /// The revisions of today's dialects by which those statements were read that decide (S-40).
    #[must_use]
    pub fn revisions(&self) -> Vec<&'static str> {
        let deciding = self.determined_by.iter().chain(self.barred_by()).map(|statement| statement.dialect);
        let mut revisions: Vec<&str> = deciding.filter(|one| one.is_preference()).map(Dialect::revision).collect();
        revisions.sort_unstable();
        revisions.dedup();
        revisions
    }

    /// Where licences are that are named to the crawler and given, but are no RSL that can be read (S-45).
    #[must_use]
    pub fn unreadable(&self) -> Vec<&str> {
        let mut locations: Vec<&str> = self.unreadable.iter().map(|(_, location)| location.as_str()).collect();
        locations.sort_unstable();
        locations.dedup();
        locations
    }

    /// The rules of the semantics that the explanation rests on, sorted.
    #[must_use]
    pub fn rules(&self) -> Vec<&'static str> {
        let mut rules = vec![self.decision.reason.rule()];
        rules.extend(self.considered.iter().map(|set_aside| set_aside.by.rule()));
        // Which groups bind is a matter of names, and which rules match one of patterns.
        rules.extend(self.bound_by.map(|_| "S-35"));
        rules.extend((self.bound_by == Some(BoundBy::Purpose)).then_some("S-50"));
        let barring = self.prerequisites.iter().flat_map(|prerequisite| &prerequisite.determined_by);
        let is_matched = |statement: &Statement<'_>| !matches!(statement.scope, Scope::Resource | Scope::Element(_));
        rules.extend(self.determined_by.iter().chain(barring).any(is_matched).then_some("S-19"));
        for prerequisite in &self.prerequisites {
            rules.extend(["S-14", prerequisite.reason.rule()]);
        }
        // No robots.txt: permitted by RFC 9309's default.
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
                Dialect::RobotsWords => rules.push("S-17"),
                Dialect::ExclusionProfile => rules.extend(["S-16", "S-17", "S-26"]),
                Dialect::SearchMarks => rules.extend(["S-16", "S-17", "S-49"]),
                Dialect::Acap if statement.carrier == Carrier::Element => rules.push("S-16"),
                Dialect::Acap | Dialect::Conventional => {}
                today => rules.extend(["S-40", today.rule()]),
            }
        }
        rules.extend(self.notes.iter().any(|note| note.code == Code::NoSuchElement).then_some("S-16"));
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The rule by which one of the statements that decide does so.
    #[must_use]
    pub fn rule_of(&self, statement: &Statement<'_>) -> &'static str {
        let is_word = matches!(statement.dialect, Dialect::RobotsWords | Dialect::ExclusionProfile);
        let is_ground = self.decision.reason.statement() == Some(statement.id);
        if statement.dialect.is_preference() || statement.dialect == Dialect::SearchMarks {
            return statement.dialect.rule();
        }
        if is_word && !is_ground { "S-17" } else { self.decision.reason.rule() }
    }

    /// The statements that bar the use by prohibiting a prerequisite (S-14).
    pub fn barred_by(&self) -> impl Iterator<Item = &Statement<'e>> {
        let barring = self.prerequisites.iter().filter(|prerequisite| prerequisite.bars).take(1);
        barring.flat_map(|prerequisite| &prerequisite.determined_by)
    }

    /// Puts each statement of the trail where it belongs: winner, or loser with its reason.
    fn place(&mut self, evidence: &'e Evidence<'_>, written: &EvidenceStatements<'e>, trail: &Trail) {
        let (outcome, reason) = (self.decision.outcome, self.decision.reason);
        let deciding: HashMap<StatementId, &Usage> = trail.deciding(outcome, reason).collect();
        for (id, usage) in &deciding {
            self.determined_by.extend(written.get(*id, usage));
        }
        tell_once(&mut self.determined_by, reason);
        let winners: HashSet<((u8, u16), Span)> = self.determined_by.iter().map(place_of).collect();
        let mut known = Known::default();
        let mut lost: Vec<_> = self.losers(evidence, trail).into_iter().collect();
        lost.sort_unstable_by_key(|(id, _)| *id);
        for (id, (by, usage)) in lost {
            let Some(statement) = written.get(id, usage) else { continue };
            // A line may stand for two rules in one reading; where it decides, it has not lost.
            let has_won = deciding.contains_key(&id) || winners.contains(&place_of(&statement));
            if !has_won && known.is_new(&statement, Some(by)) {
                let to = by.winner().and_then(|id| written.get(id, usage));
                self.considered.push(SetAside { statement, by, to });
            }
        }
        self.considered.sort_by_key(|set_aside| (place_of(&set_aside.statement), set_aside.statement.id));
    }

    /// Why each statement of the trail lost if it does not decide, and what it was asked about.
    fn losers<'t>(&self, evidence: &Evidence<'_>, trail: &'t Trail) -> HashMap<StatementId, (LostTo, &'t Usage)> {
        let (outcome, reason) = (self.decision.outcome, self.decision.reason);
        let mut lost: HashMap<StatementId, (LostTo, &Usage)> = HashMap::new();
        let ignores = evidence.acap().is_some_and(|acap| acap.ignores_conventional);
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
        for (id, usage, own) in &trail.words {
            let prohibits = Some(outcome).filter(|outcome| *outcome == Outcome::Prohibited).and(reason.statement());
            let is_limit = evidence.directive(*id).is_some_and(|(_, entry)| entry.directive.effect != Effect::Permits);
            let by = match (*own, prohibits) {
                (Some(own), _) => own,
                (None, Some(winner)) if id.kind() == StatementKind::Preference => LostTo::Refused(winner),
                (None, Some(winner)) if is_limit => LostTo::OtherProhibits(winner),
                (None, _) => LostTo::LiftsNothing,
            };
            lost.insert(*id, (by, usage));
        }
        // What became of the rule that RFC 9309 selects became of those of the same rank.
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

    /// The actions asked of the crawler, and the files it would need.
    fn requests(&mut self, evidence: &Evidence<'_>, proposed: &ProposedUse<'_>) {
        let sources = evidence.sources(proposed.capabilities, None);
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
            let Some(acap) = evidence.acap() else { break };
            let Some(reference) = acap.references.get(id.number as usize) else { continue };
            let locator = String::from_utf8_lossy(reference.locator.of(&acap.arena)).into_owned();
            if needs.insert(locator.clone()) {
                self.needs.push(locator);
            }
        }
        self.has_unread_references = !self.needs.is_empty();
        if may_speak_of(proposed.usage)
            && let Some(licences) = Licences::of(evidence, proposed.url, proposed.crawler, proposed.purposes)
        {
            for licence in licences.unread() {
                if evidence.has_document(proposed.url, &licence.location) {
                    self.unreadable.push((licence.id, licence.location.clone()));
                }
                if needs.insert(licence.location.clone()) {
                    self.needs.push(licence.location.clone());
                }
            }
        }
    }
}
