//! Holds a draft against its source: both are asked the same, and where the draft permits what the source prohibits it
//! is made narrower.
//!
//! A permission that reaches too far first gets the prohibition of what it has in common with the line of the source
//! that prohibits; if that does not help, it is taken back. So this ends, and a target is never wider than its source
//! where the target's dialect could say it.

use super::all_paths::{DifferingPath, PathsSeen, PatternSpellings, walk};
use super::draft::{Draft, DraftDialect, DraftGroup, DraftPosition, LineContent};
use super::loss::{LossCause, LossEffect};
use super::paths::{PathCase, PathSampler, Paths};
use super::pattern::{meets, tidied};
use super::source::{Audience, RobotsTxtSource, SourceRule, slashed};
use crate::budget::Budget;
use crate::names::{is_product_token, product_token};
use byleave::model::{Modality, Scope, StatementId};
use byleave::{
    Capabilities, Crawler, Decision, Evidence, EvidenceStatements, LostTo, Outcome, ProposedUse, ROBOTS_TXT, Reading,
    Usage,
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A path on which source and target decide otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Mismatch {
    pub(crate) audience: usize,
    pub(crate) path: String,
    pub(crate) effect: LossEffect,
    pub(crate) cause: LossCause,
    /// The line of the source that decides there.
    pub(crate) source: Option<DecidingLine>,
    /// The line of the draft that decides there.
    pub(crate) target: Option<DraftPosition>,
    is_recased: bool,
}

/// What decides in the source.
#[derive(Clone, Debug)]
pub(crate) struct DecidingLine {
    /// Nothing where it stands in a file that the source refers to.
    pub(crate) line: Option<u32>,
    pub(crate) pattern: Vec<u8>,
}

/// How much could be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// A path of each region: all there is.
    Everywhere,
    /// The paths that stand for patterns and for where two meet.
    AtPatterns,
    /// There are more questions than are asked; nothing is known of the rest.
    InPart,
}

/// Makes a draft narrower until it permits nothing that its source prohibits, as far as it can be. Gives what is left
/// of differences.
///
/// Cost: at most [`MAX_QUESTIONS`] decisions a round, and [`MAX_ROUNDS`] rounds.
pub(crate) fn settle(source: &RobotsTxtSource<'_>, draft: &mut Draft, capitals: PathCase) -> (Vec<Mismatch>, Coverage) {
    let patterns = source.audiences.iter().flat_map(Audience::all).map(|rule| rule.pattern.as_slice());
    let Some(asking) = PathSampler::new(patterns, capitals) else { return (Vec::new(), Coverage::InPart) };
    let (mut asked, mut compared) = asked(source, &asking, draft.dialect);
    let mut tried = HashSet::new();
    let (budget, mut walks) = (Budget::of_conversion(), 0);
    for round in 0..MAX_ROUNDS {
        let differences = compare(source, draft, &asked);
        let wider: Vec<&Mismatch> = differences.iter().filter(|one| one.effect == LossEffect::LeftOut).collect();
        let mut is_changed = false;
        for one in wider {
            is_changed |= narrow(source, draft, one, round + 2 >= MAX_ROUNDS, &mut tried);
        }
        if is_changed {
            continue;
        }
        // What is left is looked for everywhere; what is found there is a question like the others.
        let (found, is_exact) = look_everywhere(source, draft, capitals, &budget);
        walks += 1;
        if is_exact && compared != Coverage::InPart {
            compared = Coverage::Everywhere;
        } else if compared == Coverage::Everywhere {
            compared = Coverage::AtPatterns;
        }
        let (mut is_new, mut is_wider) = (false, false);
        for one in found {
            if let Some(paths) = asked.get_mut(one.audience) {
                is_new |= paths.insert(one.path, one.is_recased).is_none();
                is_wider |= one.effect == LossEffect::LeftOut;
            }
        }
        // What is narrower there is told of; what is wider is to be mended first.
        if !is_new || !is_wider || walks >= MAX_WALKS {
            let differences = if is_new { compare(source, draft, &asked) } else { differences };
            return (with_ties(source, differences), compared);
        }
    }
    (
        with_ties(source, compare(source, draft, &asked)),
        if compared == Coverage::InPart { compared } else { Coverage::AtPatterns },
    )
}

/// The paths on which both differ, the first for each pair of lines that decide, and whether there are no others.
fn look_everywhere(
    source: &RobotsTxtSource<'_>,
    draft: &Draft,
    capitals: PathCase,
    budget: &Budget,
) -> (Vec<DifferingPath>, bool) {
    let (text, places) = draft.written();
    let (by_name, by_whole_name) =
        (read_again(source, draft, &text, draft.dialect.reading()), read_again(source, draft, &text, Reading::Default));
    let target = ReadTarget {
        by_name: TargetReading::of(&by_name),
        by_whole_name: TargetReading::of(&by_whole_name),
        places: &places,
    };
    let (mut found, mut is_exact) = (Vec::new(), true);
    for (number, audience) in source.audiences.iter().enumerate().filter(|(number, one)| is_asked(*number, one)) {
        for (crawler, read) in target.askers(audience, draft.dialect) {
            let walked = walk(source.evidence, read.evidence, &crawler, budget);
            is_exact &= walked.is_exact;
            let spelled = PatternSpellings::of(audience);
            let mut known: HashMap<_, PathsSeen> = HashMap::new();
            for region in walked.regions {
                let proposed = ProposedUse::new(&region.path, &crawler, &Usage::Crawl);
                let is = byleave::decide(read.evidence, &proposed);
                let was = byleave::decide(source.evidence, &proposed);
                let was_prohibited = was.outcome == Outcome::Prohibited || source.prohibits_for_some(&proposed);
                let is_prohibited = is.outcome == Outcome::Prohibited;
                if is_prohibited == was_prohibited {
                    continue;
                }
                let looks = known.entry((was.reason.statement(), is.reason.statement())).or_default();
                if !looks.wants_more() {
                    continue;
                }
                let is_recased = spelled.is_recased(&region.path);
                if looks.add(is_recased) && (capitals == PathCase::Sensitive || !is_recased) {
                    let effect = if is_prohibited { LossEffect::Narrower } else { LossEffect::LeftOut };
                    found.push(DifferingPath { audience: number, path: region.path, is_recased, effect });
                }
            }
        }
    }
    (found, is_exact)
}

/// A draft as it is read. In ACAP it refers to the files that its source refers to.
fn read_again<'t>(source: &'t RobotsTxtSource<'_>, draft: &Draft, text: &'t [u8], reading: Reading) -> Evidence<'t> {
    let target = Evidence::of_robots_txt(text, reading);
    let documents = source.evidence.documents().iter().filter(|one| source.evidence.refers_to(&one.name));
    let documents = documents.filter(|_| draft.dialect == DraftDialect::Acap);
    documents.fold(target, |target, document| target.with_document(document.clone()))
}

/// How often all paths are looked at.
const MAX_WALKS: usize = 3;
const MAX_ROUNDS: usize = 12;
const MAX_QUESTIONS: usize = 400_000;
/// More audiences with names are not asked about. Real files tell far fewer apart.
const MAX_AUDIENCES: usize = 1_000;
/// Rules of others that RFC 9309 may take for an audience's own; where there are more, it is not asked about.
const MAX_MISTAKEN_RULES: usize = 5_000;

fn is_asked(number: usize, audience: &Audience) -> bool {
    number < MAX_AUDIENCES || audience.is_any()
}

/// The paths that each audience is asked about.
fn asked(source: &RobotsTxtSource<'_>, asking: &PathSampler, fields: DraftDialect) -> (Vec<Paths>, Coverage) {
    let mut left = MAX_QUESTIONS / source.purposes.len().max(1);
    let mut compared = Coverage::AtPatterns;
    let any: &[SourceRule] = source.audiences.last().map(|any| any.rules.as_slice()).unwrap_or_default();
    let of = |(number, audience): (usize, &Audience)| {
        let may_mistake = fields == DraftDialect::Conventional && is_asked(number, audience);
        let mistaken = source.audiences.iter().filter(|other| may_mistake && is_taken_for(other, audience));
        let mistaken: Vec<&SourceRule> = mistaken.flat_map(|other| &other.rules).take(MAX_MISTAKEN_RULES).collect();
        if !is_asked(number, audience) || mistaken.len() == MAX_MISTAKEN_RULES {
            compared = Coverage::InPart;
            return Paths::new();
        }
        let all = audience.all().chain(any).chain(mistaken);
        let all = all.map(|rule| (rule.modality, rule.pattern.clone())).collect::<BTreeSet<_>>();
        let said: Vec<_> = all.iter().map(|(modality, pattern)| (*modality, pattern.as_slice())).collect();
        let paths = asking.paths(&said, left);
        left = left.saturating_sub(paths.as_ref().map_or(0, Paths::len));
        paths.unwrap_or_else(|| {
            compared = Coverage::InPart;
            Paths::new()
        })
    };
    let asked = source.audiences.iter().enumerate().map(of).collect();
    (asked, compared)
}

/// Whether RFC 9309, which cuts names, may take one of these for one of those.
fn is_taken_for(these: &Audience, those: &Audience) -> bool {
    let odd = these.names.iter().filter(|name| !is_product_token(name));
    let mut cut = odd.map(|name| product_token(name));
    cut.any(|cut| those.names.iter().any(|name| !cut.is_empty() && product_token(name).eq_ignore_ascii_case(cut)))
}

/// Both, asked the same. Of paths on which the same lines decide, the first is given.
fn compare(source: &RobotsTxtSource<'_>, draft: &Draft, asked: &[Paths]) -> Vec<Mismatch> {
    let (text, places) = draft.written();
    let (by_name, by_whole_name) =
        (read_again(source, draft, &text, draft.dialect.reading()), read_again(source, draft, &text, Reading::Default));
    let target = ReadTarget {
        by_name: TargetReading::of(&by_name),
        by_whole_name: TargetReading::of(&by_whole_name),
        places: &places,
    };
    let mut differences = Vec::new();
    for (number, (audience, paths)) in source.audiences.iter().zip(asked).enumerate() {
        if paths.is_empty() {
            continue;
        }
        for (crawler, read) in target.askers(audience, draft.dialect) {
            let mut known = HashSet::new();
            for (path, is_recased) in paths {
                let proposed = ProposedUse::new(path, &crawler, &Usage::Crawl);
                let decision = byleave::decide(read.evidence, &proposed);
                let is_prohibited = decision.outcome == Outcome::Prohibited;
                let was_prohibited = source.prohibits(&crawler, path);
                if is_prohibited == was_prohibited {
                    continue;
                }
                let was = byleave::decide(source.evidence, &proposed);
                if !known.insert((was.reason.statement(), decision.reason.statement(), *is_recased)) {
                    continue;
                }
                let effect = if is_prohibited { LossEffect::Narrower } else { LossEffect::LeftOut };
                let decided = decided(source, &proposed);
                let place = target.place(read, decision.reason.statement());
                let is_of_any = |place: DraftPosition| draft.groups.get(place.group).is_some_and(DraftGroup::is_any);
                let is_of_other = |place: DraftPosition, audience: usize| {
                    draft.groups.get(place.group).is_some_and(|one| one.audience != Some(audience))
                };
                let cause = match () {
                    () if *is_recased => LossCause::Case,
                    () if draft.dialect == DraftDialect::Conventional
                        && place.is_some_and(|at| is_of_other(at, number)) =>
                    {
                        LossCause::Name
                    }
                    () if draft.dialect == DraftDialect::Conventional
                        && target.is_by_whole_name(&proposed, was_prohibited) =>
                    {
                        LossCause::Escape
                    }
                    () if was.outcome != Outcome::Prohibited && was_prohibited => LossCause::Purpose,
                    () if !audience.is_any() && place.is_some_and(is_of_any) => LossCause::Fallback,
                    () => LossCause::Scope,
                };
                let (path, is_recased) = (path.clone(), *is_recased);
                let audience = number;
                differences.push(Mismatch {
                    audience,
                    path,
                    effect,
                    cause,
                    source: decided,
                    target: place,
                    is_recased,
                });
            }
        }
    }
    differences
}

/// The target, read as it is judged.
struct ReadTarget<'t> {
    by_name: TargetReading<'t>,
    /// In the default reading, for names that RFC 9309's grammar does not have.
    by_whole_name: TargetReading<'t>,
    places: &'t [Option<DraftPosition>],
}

/// A target in one reading, with its statements.
struct TargetReading<'t> {
    evidence: &'t Evidence<'t>,
    statements: EvidenceStatements<'t>,
}

impl<'t> TargetReading<'t> {
    fn of(evidence: &'t Evidence<'t>) -> Self {
        Self { evidence, statements: EvidenceStatements::of(evidence, &Capabilities::default()) }
    }
}

impl<'t> ReadTarget<'t> {
    /// The crawlers of an audience that are asked for, and of whom.
    fn askers(&self, audience: &Audience, fields: DraftDialect) -> Vec<(Crawler, &TargetReading<'t>)> {
        if audience.is_any() {
            return vec![(audience.crawler.clone(), &self.by_name)];
        }
        if !audience.purposes.is_empty() {
            // To the letter of RFC 9309 there are no purposes.
            let crawlers = [Some(&audience.crawler), audience.having_all.as_ref()];
            return crawlers.into_iter().flatten().map(|crawler| (crawler.clone(), &self.by_whole_name)).collect();
        }
        let mut askers = Vec::new();
        let is_plain = |name: &&Vec<u8>| fields == DraftDialect::Acap || is_product_token(name);
        let plain = audience.names.iter().find(is_plain);
        let odd = audience.names.iter().find(|name| !is_plain(name));
        for (name, read) in [(plain, &self.by_name), (odd, &self.by_whole_name)] {
            // A name that is no text is nobody's to be asked about.
            if let Some(name) = name.and_then(|name| std::str::from_utf8(name).ok()) {
                askers.push((Crawler::named(name), read));
            }
        }
        askers
    }

    /// Whether the default reading of the target prohibits so.
    fn is_by_whole_name(&self, proposed: &ProposedUse<'_>, prohibits: bool) -> bool {
        let is = byleave::decide(self.by_whole_name.evidence, proposed);
        (is.outcome == Outcome::Prohibited) == prohibits
    }

    fn place(&self, read: &TargetReading<'_>, id: Option<StatementId>) -> Option<DraftPosition> {
        let line = read.statements.get(id?, &Usage::Crawl)?.line;
        self.places.get(line as usize).copied().flatten()
    }
}

/// What decides in the source.
fn decided(source: &RobotsTxtSource<'_>, proposed: &ProposedUse<'_>) -> Option<DecidingLine> {
    let statement = source.statements.get(asked_for(source, proposed).1.reason.statement()?, &Usage::Crawl)?;
    let pattern = match statement.scope {
        Scope::Pattern(pattern) => pattern.to_vec(),
        _ => b"/".to_vec(),
    };
    let line = (statement.document == ROBOTS_TXT).then_some(statement.line);
    Some(DecidingLine { line, pattern })
}

/// The purposes for which the source prohibits, or none, and its decision.
fn asked_for<'s>(source: &'s RobotsTxtSource<'_>, proposed: &ProposedUse<'_>) -> (&'s [String], Decision) {
    let mut proposed = *proposed;
    let decision = |purposes: &'s Vec<String>| {
        let mut proposed = proposed;
        proposed.purposes = purposes;
        (purposes.as_slice(), byleave::decide(source.evidence, &proposed))
    };
    let all = source.purposes.iter().map(decision);
    let prohibiting = all.into_iter().find(|(_, decision)| decision.outcome == Outcome::Prohibited);
    proposed.purposes = &[];
    prohibiting.unwrap_or_else(|| (&[], byleave::decide(source.evidence, &proposed)))
}

/// Whether equally long rules met where both differ; asked of the explanation, which costs a pass over the source.
fn is_tie(source: &RobotsTxtSource<'_>, one: &Mismatch) -> bool {
    let Some(audience) = source.audiences.get(one.audience) else { return false };
    let explanation = byleave::explain(source.evidence, &ProposedUse::new(&one.path, &audience.crawler, &Usage::Crawl));
    explanation.considered.iter().any(|lost| matches!(lost.by, LostTo::PermissionOfEqualLength(_)))
}

/// Tells ties from other conflicts of scope, a line of the source at a time.
fn with_ties(source: &RobotsTxtSource<'_>, mut differences: Vec<Mismatch>) -> Vec<Mismatch> {
    let mut known: HashMap<(LossEffect, Option<u32>), bool> = HashMap::new();
    for one in differences.iter_mut().filter(|one| one.cause == LossCause::Scope) {
        let key = (one.effect, one.source.as_ref().and_then(|decided| decided.line));
        let is_known = known.contains_key(&key) || known.len() >= MAX_EXPLAINED;
        if !is_known {
            let tie = is_tie(source, one);
            known.insert(key, tie);
        }
        if known.get(&key) == Some(&true) {
            one.cause = LossCause::Tie;
        }
    }
    differences
}

/// So many lines are explained; those after them are conflicts of scope.
const MAX_EXPLAINED: usize = 64;

/// Makes a draft narrower where it is wider than its source; whether that changed it.
fn narrow(
    source: &RobotsTxtSource<'_>,
    draft: &mut Draft,
    one: &Mismatch,
    is_late: bool,
    tried: &mut HashSet<(DraftPosition, Vec<u8>)>,
) -> bool {
    // robots.txt tells capitals apart, and no pattern of it does not.
    if draft.dialect == DraftDialect::Conventional && one.is_recased {
        return false;
    }
    let because = || (one.cause, one.path.clone());
    let prohibited = one.source.as_ref().map(|decided| (tidied(&slashed(&decided.pattern)), decided.line));
    let Some(place) = one.target else {
        // Nothing speaks there.
        let Some((pattern, line)) = prohibited else { return false };
        let Some(audience) = source.audiences.get(one.audience) else { return false };
        let group = draft.group_of(one.audience, audience);
        return draft.prohibit(group, pattern, line, because());
    };
    let permitted = match draft.line(place).map(|line| &line.content) {
        Some(LineContent::Rule(Modality::Permission, pattern)) => Some(pattern.clone()),
        _ => None,
    };
    if let (Some(permitted), Some((prohibited, line)), false) = (permitted, prohibited, is_late)
        && tried.insert((place, prohibited.clone()))
    {
        let mut is_changed = false;
        for met in meets(&permitted, &prohibited).into_iter().map(|met| tidied(&met)) {
            if met != permitted {
                is_changed |= draft.prohibit(place.group, met, line, because());
            }
        }
        if is_changed {
            return true;
        }
    }
    draft.take_back(place, because())
}
