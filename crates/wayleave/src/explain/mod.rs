//! The explanation: the decision with every statement that bore on it, and why each lost.
//!
//! It runs the decision's own body with a recorder that keeps what it hears; there is no second
//! implementation of any rule here. Sentences are made in `narrative` alone.

mod narrative;
mod statement;

pub use statement::EvidenceStatements;

#[cfg(feature = "report")]
pub(crate) use narrative::ground_of;

use crate::crawler::AnyRecord;
use crate::decide::acap::{Fate, How, TierWalk};
use crate::decide::conditions::{condition, join};
use crate::decide::{self, Decision, Outcome, Reason, Recorder, decide_with, expressed};
use crate::diagnostic::Diagnostic;
use crate::evidence::{Evidence, RobotsTxt};
use crate::model::{Condition, Fall, Statement, StatementId, StatementKind};
use crate::policy::acap::What;
use crate::policy::{Bound, Ground, Policy, Winner};
use crate::proposed::ProposedUse;
use crate::reading::Reading;
use crate::source::Span;
use crate::vocabulary::{ACTIONS, Usage};
use std::collections::{HashMap, HashSet};

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
    /// Why these conventional records of robots.txt bind the crawler; nothing where none was read.
    pub ground: Option<Ground>,
    /// What a crawler that reads RFC 9309 alone would find, where that differs.
    pub plain: Option<PlainCrawler>,
    /// The walk through ACAP's tiers, in the order they were asked.
    pub walk: Vec<Tier>,
    /// What the site asks this crawler to do: the action and the path (S-30).
    pub actions: Vec<(&'static str, String)>,
    /// Files that robots.txt refers to for this crawler and that are not read (S-21).
    pub needs: Vec<String>,
    /// What was noticed in the documents.
    pub diagnostics: &'e [Diagnostic],
    /// Whether robots.txt speaks ACAP too.
    has_acap: bool,
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

/// What a crawler finds that reads conventional records alone.
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
pub struct Tier {
    /// The usage asked about in this tier.
    pub usage: Usage,
    /// The purpose it was asked for, if any.
    pub purpose: Option<String>,
    /// The statements, each with the line it stands in and what became of it in a sentence.
    pub steps: Vec<Step>,
}

/// What became of one statement in a tier.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// The statement.
    pub id: StatementId,
    /// The document it stands in.
    pub document: String,
    /// Its line there.
    pub line: u32,
    /// As written.
    pub text: String,
    /// Why it lost; nothing where it decides its tier.
    pub lost: Option<LostTo>,
    /// What became of it, in a sentence.
    pub sentence: String,
}

/// Why a statement did not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostTo {
    /// A longer pattern matches too (RFC 9309 2.2.2).
    LongerPattern(StatementId),
    /// A permission with a pattern of the same length matches too (RFC 9309 2.2.2).
    PermissionOfEqualLength(StatementId),
    /// It is for any crawler, and a record names this one (RFC 9309 2.2.1).
    NamedRecord,
    /// It is for any crawler, and a record names one this one falls back to (S-35).
    FallbackRecord,
    /// `/robots.txt` itself is always permitted (S-13).
    RobotsTxtItself,
    /// Conventional records are set aside by `ACAP-ignore-conventional-records` (S-12).
    ConventionalIgnored,
    /// A usage nearer to the one asked about is spoken of (S-03).
    NearerUsage,
    /// It is for any crawler, and a statement about the same usage names this one (S-04).
    NamedStatement(StatementId),
    /// A narrower pattern matches too (S-07).
    NarrowerScope(StatementId),
    /// The same pattern stands under a purpose of the crawler (S-05).
    PurposeStatement(StatementId),
    /// The same pattern stands in a statement that names the crawler (S-05).
    NamedOfEqualScope(StatementId),
    /// The same pattern stands in an ACAP field (S-13).
    AcapField(StatementId),
    /// A prohibition has the same pattern, and nothing makes the permission count as narrower (S-05).
    SamePattern(StatementId),
    /// It is not determined to be narrower than a prohibition (S-07).
    Undetermined(StatementId),
    /// A narrower permission supplies the conditions (S-08).
    NarrowerPermission(StatementId),
    /// A file that robots.txt refers to is not read (S-21).
    ReferenceUnread,
    /// The answer for another purpose of the crawler is graver (S-05).
    OtherPurpose,
    /// Another statement sets a limit that is over or broken (S-20, S-29, S-37).
    FailedCondition(StatementId),
}

impl LostTo {
    /// The rule of the semantics by which it lost.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::LongerPattern(_)
            | Self::PermissionOfEqualLength(_)
            | Self::NamedRecord
            | Self::RobotsTxtItself
            | Self::AcapField(_) => "S-13",
            Self::FallbackRecord => "S-35",
            Self::ConventionalIgnored => "S-12",
            Self::NearerUsage => "S-03",
            Self::NamedStatement(_) => "S-04",
            Self::PurposeStatement(_) | Self::NamedOfEqualScope(_) | Self::OtherPurpose => "S-05",
            // With a conventional rule that names the crawler it is S-13 that makes neither narrower.
            Self::SamePattern(id) => {
                if id.kind == StatementKind::Rule {
                    "S-13"
                } else {
                    "S-05"
                }
            }
            Self::NarrowerScope(_) | Self::Undetermined(_) => "S-07",
            Self::NarrowerPermission(_) => "S-08",
            Self::ReferenceUnread => "S-21",
            Self::FailedCondition(_) => "S-20",
        }
    }

    /// The statement it lost to, where it is one.
    fn winner(self) -> Option<StatementId> {
        match self {
            Self::LongerPattern(id)
            | Self::PermissionOfEqualLength(id)
            | Self::NamedStatement(id)
            | Self::NarrowerScope(id)
            | Self::PurposeStatement(id)
            | Self::NamedOfEqualScope(id)
            | Self::AcapField(id)
            | Self::SamePattern(id)
            | Self::Undetermined(id)
            | Self::NarrowerPermission(id)
            | Self::FailedCondition(id) => Some(id),
            Self::NamedRecord
            | Self::FallbackRecord
            | Self::RobotsTxtItself
            | Self::ConventionalIgnored
            | Self::NearerUsage
            | Self::ReferenceUnread
            | Self::OtherPurpose => None,
        }
    }

    fn of(fate: Fate) -> Option<Self> {
        Some(match fate {
            Fate::Decides => return None,
            Fate::NamedStatement(id) => Self::NamedStatement(id),
            Fate::Narrower(id, How::Scope) => Self::NarrowerScope(id),
            Fate::Narrower(id, How::Purpose) => Self::PurposeStatement(id),
            Fate::Narrower(id, How::Named) => Self::NamedOfEqualScope(id),
            Fate::Narrower(id, How::Acap) => Self::AcapField(id),
            Fate::SamePattern(id) => Self::SamePattern(id),
            Fate::Undetermined(id) => Self::Undetermined(id),
            Fate::NarrowerPermission(id) => Self::NarrowerPermission(id),
            Fate::LaterTier => Self::NearerUsage,
        })
    }
}

/// Decides and keeps the reasons.
///
/// ```
/// use wayleave::{Crawler, Evidence, ProposedUse, Reading, Usage};
/// let evidence = Evidence::of_robots_txt(b"User-agent: *\nDisallow: /news/\n", Reading::Default);
/// let crawler = Crawler::named("GPTBot");
/// let proposed = ProposedUse::new("/news/today", &crawler, &Usage::Crawl);
/// let explanation = wayleave::explain(&evidence, &proposed);
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
        ground: trail.ground,
        plain: None,
        walk: Vec::new(),
        actions: Vec::new(),
        needs: Vec::new(),
        diagnostics: evidence.diagnostics(),
        has_acap: evidence.sources().acap(0).is_some(),
    };
    explanation.place(evidence, &written, &trail);
    explanation.conditions = trail.conditions(evidence, decision.outcome);
    let has_acap = evidence.sources().acap(0).is_some();
    for usage in proposed.usage.prerequisites() {
        let (prerequisite, ground) = prerequisite(evidence, &written, proposed, usage);
        // Where conventional records say all there is, why they bind is worth telling for every usage.
        explanation.ground = explanation.ground.or(ground.filter(|_| prerequisite.bars || !has_acap));
        if prerequisite.bars || prerequisite.outcome == Outcome::Conditional {
            explanation.prerequisites.push(prerequisite);
        }
    }
    if decision.effective == Outcome::Conditional {
        let added = explanation.prerequisites.iter().flat_map(|prerequisite| prerequisite.conditions.clone());
        explanation.conditions = join(explanation.conditions.iter().cloned().chain(added).collect::<Vec<_>>());
    }
    if evidence.sources().acap(0).is_some_and(|acap| acap.ignores_conventional) {
        explanation.ground = None;
    }
    explanation.walk = trail.walk(&written);
    explanation.plain = plain_crawler(evidence, proposed, decision.outcome);
    explanation.requests(evidence, proposed);
    explanation
}

fn prerequisite<'e>(
    evidence: &'e Evidence<'_>,
    written: &EvidenceStatements<'e>,
    proposed: &ProposedUse<'_>,
    usage: &'static Usage,
) -> (Prerequisite<'e>, Option<Ground>) {
    let mut trail = Trail::default();
    let answer = expressed(evidence, &decide::prerequisite(proposed), usage, &mut trail);
    let bars = decide::bars(proposed.usage, usage, &answer);
    let (outcome, reason) = (answer.outcome, answer.reason);
    let mut determined_by: Vec<_> =
        trail.deciding(outcome, reason).filter_map(|(id, usage)| written.get(id, usage)).collect();
    determined_by.sort_by_key(|statement| (statement.id.document, statement.span));
    let conditions = trail.conditions(evidence, outcome);
    (Prerequisite { usage, outcome, reason, bars, determined_by, conditions }, trail.ground)
}

/// What a crawler that reads conventional records alone would find, where it differs (P1 2.9).
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

impl<'e> Explanation<'e> {
    /// The rules of the semantics that the explanation rests on, sorted.
    #[must_use]
    pub fn rules(&self) -> Vec<&'static str> {
        let mut rules = vec![self.decision.reason.rule()];
        rules.extend(self.considered.iter().map(|set_aside| set_aside.by.rule()));
        // Which records bind is a matter of names, and which rules match one of patterns.
        rules.extend(self.ground.map(|_| "S-35"));
        rules.extend((!self.determined_by.is_empty() || !self.prerequisites.is_empty()).then_some("S-19"));
        for prerequisite in &self.prerequisites {
            rules.extend(["S-14", prerequisite.reason.rule()]);
        }
        // No robots.txt: permitted by RFC 9309's default.
        rules.extend(matches!(self.decision.reason, Reason::NoRobotsTxt(_)).then_some("S-01"));
        rules.extend(self.decision.is_truncated.then_some("S-22"));
        for fall in self.determined_by.iter().filter_map(|statement| statement.fall) {
            rules.extend(["S-09", fall.rule()]);
        }
        rules.extend(self.determined_by.iter().any(|statement| statement.is_mended).then_some("S-10"));
        rules.extend((!self.conditions.is_empty()).then_some("S-08"));
        rules.extend((!self.actions.is_empty()).then_some("S-30"));
        rules.extend((!self.needs.is_empty()).then_some("S-21"));
        rules.sort_unstable();
        rules.dedup();
        rules
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
        let mut lost: HashMap<StatementId, (LostTo, &Usage)> = HashMap::new();
        let ignores = evidence.sources().acap(0).is_some_and(|acap| acap.ignores_conventional);
        trail.conventional_losers(reason, ignores, &mut lost);
        for tier in &trail.tiers {
            for (id, _, fate) in &tier.candidates {
                let by = match (LostTo::of(*fate), reason.statement()) {
                    _ if reason == Reason::RobotsTxtItself => LostTo::RobotsTxtItself,
                    (Some(by), _) => by,
                    (None, Some(winner)) if trail.has_failed(reason) => LostTo::FailedCondition(winner),
                    (None, _) => LostTo::OtherPurpose,
                };
                lost.insert(*id, (by, &tier.usage));
            }
        }
        // What became of the rule that RFC 9309 selects became of those of the same rank.
        let selected =
            trail.tiers.iter().flat_map(|tier| &tier.candidates).find(|one| one.0.kind == StatementKind::Rule);
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
        for (id, usage) in &deciding {
            self.determined_by.extend(written.get(*id, usage));
        }
        for (id, (by, usage)) in lost.iter().filter(|(id, _)| !deciding.contains_key(id)) {
            let to = by.winner().and_then(|id| written.get(id, usage));
            self.considered.extend(written.get(*id, usage).map(|statement| SetAside { statement, by: *by, to }));
        }
        let place = |statement: &Statement<'_>| (statement.id.document, statement.span);
        self.determined_by.sort_by_key(place);
        self.considered.sort_by_key(|set_aside| place(&set_aside.statement));
        // A line may stand for two rules in one reading; where it decides, it has not lost.
        let winners: HashSet<(u16, Span)> = self.determined_by.iter().map(place).collect();
        self.considered.retain(|set_aside| !winners.contains(&place(&set_aside.statement)));
        self.determined_by.dedup_by_key(|statement| place(statement));
    }

    /// The actions asked of the crawler, and the files it would need.
    fn requests(&mut self, evidence: &Evidence<'_>, proposed: &ProposedUse<'_>) {
        let sources = evidence.sources();
        let mut known = HashSet::new();
        sources.each(proposed.crawler, |_, acap| {
            for action in &acap.actions {
                let name = ACTIONS.get(usize::from(action.action)).copied().unwrap_or_default();
                let path = String::from_utf8_lossy(action.path.of(&acap.arena)).into_owned();
                let is_for = acap.addressee(action.record, proposed.crawler).is_some();
                if is_for && known.insert((name, path.clone())) {
                    self.actions.push((name, path));
                }
            }
        });
        let mut needs = HashSet::new();
        for id in sources.unread(proposed.crawler) {
            let Some(acap) = sources.acap(0) else { break };
            let Some(reference) = acap.references.get(id.number as usize) else { continue };
            let locator = String::from_utf8_lossy(reference.locator.of(&acap.arena)).into_owned();
            if needs.insert(locator.clone()) {
                self.needs.push(locator);
            }
        }
    }
}

/// Keeps every step.
#[derive(Debug, Default)]
struct Trail {
    ground: Option<Ground>,
    matched: Vec<Winner>,
    /// Rules for any crawler that match too but do not bind one that a record names.
    general: Vec<Winner>,
    tiers: Vec<TierWalk>,
    decided: Vec<(Outcome, StatementId, Usage)>,
}

impl Recorder for Trail {
    const KEEPS: bool = true;

    fn bound(&mut self, bound: &Bound<'_>, path: &[u8]) {
        self.ground = Some(bound.ground());
        let is_named = matches!(bound.ground(), Ground::Named | Ground::Fallback(_));
        if is_named && bound.crawler().any_record() == AnyRecord::Applies {
            let nobody = crate::crawler::Crawler::nobody();
            let general = bound.policy().bind(&nobody);
            general.each_match(path, |rule| self.general.push(rule));
        }
    }

    fn matches(&mut self, rule: Winner) {
        self.matched.push(rule);
    }

    fn tier(&mut self, tier: TierWalk) {
        self.tiers.push(tier);
    }

    fn decides(&mut self, outcome: Outcome, id: StatementId, usage: &Usage) {
        self.decided.push((outcome, id, usage.clone()));
    }
}

impl Trail {
    /// What suffices for the outcome, each with the usage it was asked about.
    fn deciding(&self, outcome: Outcome, reason: Reason) -> impl Iterator<Item = (StatementId, &Usage)> {
        const CRAWL: &Usage = &Usage::Crawl;
        let by_acap = self.decided.iter().filter(move |(of, ..)| *of == outcome).map(|(_, id, usage)| (*id, usage));
        // Where no ACAP was asked, the rules that RFC 9309 selects: all of the highest rank.
        let best = self.matched.iter().map(|rule| rule.priority).max();
        let is_plain = matches!(reason, Reason::LongestPattern(_)) && self.decided.is_empty();
        let by_rule = |(of, id, _): &(Outcome, StatementId, Usage)| *of == outcome && id.kind == StatementKind::Rule;
        let is_plain = is_plain || self.decided.iter().any(by_rule);
        let rules = self.matched.iter().filter(move |rule| is_plain && Some(rule.priority) == best);
        let itself = reason == Reason::RobotsTxtItself;
        by_acap.chain(rules.map(|rule| (StatementId::rule(rule.rule), CRAWL))).filter(move |_| !itself)
    }

    /// Whether a winning permission failed by its conditions.
    fn has_failed(&self, reason: Reason) -> bool {
        matches!(reason, Reason::Lapsed(_) | Reason::ConditionBroken(_) | Reason::SubstituteProhibited(_))
    }

    /// The conventional rules that match and are not the one RFC 9309 selects.
    fn conventional_losers<'t>(
        &'t self,
        reason: Reason,
        ignores: bool,
        lost: &mut HashMap<StatementId, (LostTo, &'t Usage)>,
    ) {
        const CRAWL: &Usage = &Usage::Crawl;
        let best = self.matched.iter().max_by_key(|rule| rule.priority);
        for rule in &self.matched {
            let by = match (reason, best) {
                _ if ignores => LostTo::ConventionalIgnored,
                (Reason::RobotsTxtItself, _) => LostTo::RobotsTxtItself,
                (_, Some(best)) if best.priority >> 1 == rule.priority >> 1 => {
                    LostTo::PermissionOfEqualLength(StatementId::rule(best.rule))
                }
                (_, Some(best)) => LostTo::LongerPattern(StatementId::rule(best.rule)),
                (_, None) => continue,
            };
            lost.insert(StatementId::rule(rule.rule), (by, CRAWL));
        }
        let by = match self.ground {
            _ if ignores => LostTo::ConventionalIgnored,
            Some(Ground::Fallback(_)) => LostTo::FallbackRecord,
            _ => LostTo::NamedRecord,
        };
        // A record may be both: for any crawler and for this one.
        for rule in &self.general {
            lost.entry(StatementId::rule(rule.rule)).or_insert((by, CRAWL));
        }
    }

    /// The conditions of the statements that decide, joined.
    fn conditions(&self, evidence: &Evidence<'_>, outcome: Outcome) -> Vec<Condition> {
        if outcome != Outcome::Conditional {
            return Vec::new();
        }
        let sources = evidence.sources();
        let mut conditions = Vec::new();
        let mut known = HashSet::new();
        for (_, id, usage) in self.decided.iter().filter(|(of, ..)| *of == outcome) {
            if let Some((acap, entry)) = sources.entry(*id) {
                // One local usage has the same terms in every statement.
                if let What::Local(local) = entry.what
                    && !known.insert((id.document, local, usage.name()))
                {
                    continue;
                }
                acap.each_term(entry, usage, |term| conditions.push(condition(term, acap)));
            }
        }
        join(conditions)
    }

    fn walk(&self, written: &EvidenceStatements<'_>) -> Vec<Tier> {
        let step = |usage: &Usage, id: StatementId, fall: Option<Fall>, fate: Fate| {
            let statement = written.get(id, usage)?;
            let lost = LostTo::of(fate);
            let to = lost.and_then(LostTo::winner).and_then(|id| written.get(id, usage));
            Some(Step {
                id,
                document: statement.document.to_owned(),
                line: statement.line,
                text: String::from_utf8_lossy(&statement.text).into_owned(),
                lost,
                sentence: narrative::step(&statement, fall, lost, to.as_ref()),
            })
        };
        let tier = |tier: &TierWalk| Tier {
            usage: tier.usage.clone(),
            purpose: tier.purpose.clone(),
            steps: tier.candidates.iter().filter_map(|(id, fall, fate)| step(&tier.usage, *id, *fall, *fate)).collect(),
        };
        self.tiers.iter().map(tier).collect()
    }
}
