//! Verifies a draft: the source and the draft are asked the same questions, and the draft is made stricter where it
//! permits too much.
//!
//! If a permission covers paths that a line in the source prohibits, a prohibition is added for the overlap of the two.
//! If that does not help, the permission is removed. The permissions are finite in number, so the process terminates.
//! In the end, the target permits no more than the source, unless its dialect cannot express that.

use super::all_paths::{DifferingPath, PathsSeen, PatternSpellings, walk};
use super::draft::{Draft, DraftDialect, DraftGroup, DraftPosition, LineContent};
use super::loss::{LossCause, LossEffect};
use super::paths::{PathCase, PathSampler, Paths};
use super::pattern::{meets, tidied};
use super::source::{Audience, RobotsTxtSource, SourceRule, slashed};
use crate::budget::Budget;
use crate::names::{is_product_token, product_token};
use byleave::analysis::{ROBOTS_TXT, SiteStatements};
use byleave::model::{Capabilities, LostTo};
use byleave::model::{Modality, Scope, StatementId};
use byleave::{Crawler, Decision, Obtained, Outcome, ProposedUse, Reading, Site, Usage};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A path on which the source and the target decide differently.
#[derive(Clone, Debug)]
pub(crate) struct Mismatch {
    pub(crate) audience: usize,
    pub(crate) path: String,
    pub(crate) effect: LossEffect,
    pub(crate) cause: LossCause,
    /// The deciding line in the source.
    pub(crate) source: Option<DecidingLine>,
    /// The deciding line in the draft.
    pub(crate) target: Option<DraftPosition>,
    is_recased: bool,
}

/// A deciding line in the source.
#[derive(Clone, Debug)]
pub(crate) struct DecidingLine {
    /// `None` if the line is in a file that the source refers to.
    pub(crate) line: Option<u32>,
    pub(crate) pattern: Vec<u8>,
}

/// How much was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// One path per region was compared, which covers all paths.
    Everywhere,
    /// Paths that represent patterns, and overlaps of two patterns, were compared.
    AtPatterns,
    /// Only some of the paths that represent patterns and overlaps were compared, because a limit was reached.
    InPart,
}

/// Makes a draft stricter until it permits nothing that its source prohibits, as far as possible. Returns the remaining
/// mismatches, and how much was compared.
///
/// Cost: at most [`MAX_QUESTIONS`] decisions per round, and [`MAX_ROUNDS`] rounds.
pub(crate) fn verify(source: &RobotsTxtSource<'_>, draft: &mut Draft, case: PathCase) -> (Vec<Mismatch>, Coverage) {
    let patterns = source.audiences.iter().flat_map(Audience::all).map(|rule| rule.pattern.as_slice());
    let Some(sampler) = PathSampler::new(patterns, case) else { return (Vec::new(), Coverage::InPart) };
    let (mut all_paths, mut coverage) = paths_of(source, &sampler, draft.dialect);
    let mut tried = HashSet::new();
    let (budget, mut walks) = (Budget::of_conversion(), 0);
    for round in 0..MAX_ROUNDS {
        let mismatches = compare(source, draft, &all_paths);
        let wider: Vec<&Mismatch> = mismatches.iter().filter(|one| one.effect == LossEffect::LeftOut).collect();
        let mut is_changed = false;
        for one in wider {
            is_changed |= narrow(source, draft, one, round + 2 >= MAX_ROUNDS, &mut tried);
        }
        if is_changed {
            continue;
        }
        // All paths are searched for remaining mismatches. Paths found in the search are then compared like the others.
        let (found, is_exact) = search_all_paths(source, draft, case, &budget);
        walks += 1;
        if is_exact && coverage != Coverage::InPart {
            coverage = Coverage::Everywhere;
        } else if coverage == Coverage::Everywhere {
            coverage = Coverage::AtPatterns;
        }
        let (mut is_new, mut is_wider) = (false, false);
        for one in found {
            if let Some(paths) = all_paths.get_mut(one.audience) {
                is_new |= paths.insert(one.path, one.is_recased).is_none();
                is_wider |= one.effect == LossEffect::LeftOut;
            }
        }
        // Paths on which the draft is stricter are only reported. Paths on which it is wider are corrected in the next
        // round.
        if !is_new || !is_wider || walks >= MAX_WALKS {
            let mismatches = if is_new { compare(source, draft, &all_paths) } else { mismatches };
            return (separate_ties(source, mismatches), coverage);
        }
    }
    (
        separate_ties(source, compare(source, draft, &all_paths)),
        if coverage == Coverage::InPart { coverage } else { Coverage::AtPatterns },
    )
}

/// Returns paths on which the source and the draft differ: the first path for each pair of deciding lines. Also returns
/// whether there are no other differences.
fn search_all_paths(
    source: &RobotsTxtSource<'_>,
    draft: &Draft,
    case: PathCase,
    budget: &Budget,
) -> (Vec<DifferingPath>, bool) {
    let (text, places) = draft.written();
    let (by_name, by_whole_name) =
        (read_draft(source, draft, &text, draft.dialect.reading()), read_draft(source, draft, &text, Reading::Default));
    let target = ReadTarget {
        by_name: TargetReading::of(&by_name),
        by_whole_name: TargetReading::of(&by_whole_name),
        places: &places,
    };
    let (mut found, mut is_exact) = (Vec::new(), true);
    for (number, audience) in source.audiences.iter().enumerate().filter(|(number, one)| is_asked(*number, one)) {
        for (crawler, read) in target.crawlers_of(audience, draft.dialect) {
            let walked = walk(source.site, read.site, &crawler, budget);
            is_exact &= walked.is_exact;
            let spelled = PatternSpellings::of(audience);
            let mut known: HashMap<_, PathsSeen> = HashMap::new();
            for region in walked.regions {
                let proposed = ProposedUse::new(&region.path, &crawler, &Usage::Crawl);
                let is = byleave::analysis::decide_unchecked(read.site, &proposed);
                let was = byleave::analysis::decide_unchecked(source.site, &proposed);
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
                if looks.add(is_recased) && (case == PathCase::Sensitive || !is_recased) {
                    let effect = if is_prohibited { LossEffect::Narrower } else { LossEffect::LeftOut };
                    found.push(DifferingPath { audience: number, path: region.path, is_recased, effect });
                }
            }
        }
    }
    (found, is_exact)
}

/// Reads a draft. An ACAP draft refers to the same files as its source.
fn read_draft<'t>(source: &'t RobotsTxtSource<'_>, draft: &Draft, text: &'t [u8], reading: Reading) -> Site<'t> {
    let target = Site::builder(reading).with_robots_txt(Obtained::Status(200), text);
    let documents = source.site.documents().iter().filter(|one| source.site.refers_to(&one.name));
    let documents = documents.filter(|_| draft.dialect == DraftDialect::Acap);
    documents.fold(target, |target, document| target.with_document(document.clone())).build()
}

/// The maximum number of searches over all paths, of rounds, and of questions per round.
const MAX_WALKS: usize = 3;
const MAX_ROUNDS: usize = 12;
const MAX_QUESTIONS: usize = 400_000;
/// At most this many named audiences are compared. Real files distinguish far fewer.
const MAX_AUDIENCES: usize = 1_000;
/// A strict RFC 9309 parser shortens names, so it may apply the rules of other crawlers to an audience. An audience
/// with this many such rules, or more, is not compared.
const MAX_MISTAKEN_RULES: usize = 5_000;

fn is_asked(number: usize, audience: &Audience) -> bool {
    number < MAX_AUDIENCES || audience.is_any()
}

/// Returns the paths to compare for each audience.
fn paths_of(source: &RobotsTxtSource<'_>, sampler: &PathSampler, dialect: DraftDialect) -> (Vec<Paths>, Coverage) {
    let mut left = MAX_QUESTIONS / source.purposes.len().max(1);
    let mut coverage = Coverage::AtPatterns;
    let any: &[SourceRule] = source.audiences.last().map(|any| any.rules.as_slice()).unwrap_or_default();
    let of = |(number, audience): (usize, &Audience)| {
        let may_mistake = dialect == DraftDialect::Conventional && is_asked(number, audience);
        let mistaken = source.audiences.iter().filter(|other| may_mistake && may_be_mistaken(other, audience));
        let mistaken: Vec<&SourceRule> = mistaken.flat_map(|other| &other.rules).take(MAX_MISTAKEN_RULES).collect();
        if !is_asked(number, audience) || mistaken.len() == MAX_MISTAKEN_RULES {
            coverage = Coverage::InPart;
            return Paths::new();
        }
        let all = audience.all().chain(any).chain(mistaken);
        let all = all.map(|rule| (rule.modality, rule.pattern.clone())).collect::<BTreeSet<_>>();
        let rules: Vec<_> = all.iter().map(|(modality, pattern)| (*modality, pattern.as_slice())).collect();
        let paths = sampler.paths(&rules, left);
        left = left.saturating_sub(paths.as_ref().map_or(0, Paths::len));
        paths.unwrap_or_else(|| {
            coverage = Coverage::InPart;
            Paths::new()
        })
    };
    let all_paths = source.audiences.iter().enumerate().map(of).collect();
    (all_paths, coverage)
}

/// Returns whether a strict RFC 9309 parser may mistake a crawler in one audience for a crawler in the other, because
/// it shortens names (`AI2Bot` becomes `AI`).
fn may_be_mistaken(these: &Audience, those: &Audience) -> bool {
    let odd = these.names.iter().filter(|name| !is_product_token(name));
    let mut cut = odd.map(|name| product_token(name));
    cut.any(|cut| those.names.iter().any(|name| !cut.is_empty() && product_token(name).eq_ignore_ascii_case(cut)))
}

/// Asks the source and the draft about the same paths. Returns the first mismatch for each pair of deciding lines.
fn compare(source: &RobotsTxtSource<'_>, draft: &Draft, all_paths: &[Paths]) -> Vec<Mismatch> {
    let (text, places) = draft.written();
    let (by_name, by_whole_name) =
        (read_draft(source, draft, &text, draft.dialect.reading()), read_draft(source, draft, &text, Reading::Default));
    let target = ReadTarget {
        by_name: TargetReading::of(&by_name),
        by_whole_name: TargetReading::of(&by_whole_name),
        places: &places,
    };
    let mut mismatches = Vec::new();
    for (number, (audience, paths)) in source.audiences.iter().zip(all_paths).enumerate() {
        if paths.is_empty() {
            continue;
        }
        for (crawler, read) in target.crawlers_of(audience, draft.dialect) {
            let mut known = HashSet::new();
            for (path, is_recased) in paths {
                let proposed = ProposedUse::new(path, &crawler, &Usage::Crawl);
                let decision = byleave::analysis::decide_unchecked(read.site, &proposed);
                let is_prohibited = decision.outcome == Outcome::Prohibited;
                let was_prohibited = source.prohibits(&crawler, path);
                if is_prohibited == was_prohibited {
                    continue;
                }
                let was = byleave::analysis::decide_unchecked(source.site, &proposed);
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
                mismatches.push(Mismatch { audience, path, effect, cause, source: decided, target: place, is_recased });
            }
        }
    }
    mismatches
}

/// The target, in each reading that is used to verify it.
struct ReadTarget<'t> {
    by_name: TargetReading<'t>,
    /// The target in the default reading, for names that RFC 9309's grammar does not accept.
    by_whole_name: TargetReading<'t>,
    places: &'t [Option<DraftPosition>],
}

/// A target in one reading, with its statements.
struct TargetReading<'t> {
    site: &'t Site<'t>,
    statements: SiteStatements<'t>,
}

impl<'t> TargetReading<'t> {
    fn of(site: &'t Site<'t>) -> Self {
        Self { site, statements: SiteStatements::of(site, &Capabilities::default()) }
    }
}

impl<'t> ReadTarget<'t> {
    /// Returns the crawlers to ask about for an audience, each with the target in the matching reading.
    fn crawlers_of(&self, audience: &Audience, dialect: DraftDialect) -> Vec<(Crawler, &TargetReading<'t>)> {
        if audience.is_any() {
            return vec![(audience.crawler.clone(), &self.by_name)];
        }
        if !audience.purposes.is_empty() {
            // Strict RFC 9309 has no purposes.
            let crawlers = [Some(&audience.crawler), audience.having_all.as_ref()];
            return crawlers.into_iter().flatten().map(|crawler| (crawler.clone(), &self.by_whole_name)).collect();
        }
        let mut crawlers_of = Vec::new();
        let is_plain = |name: &&Vec<u8>| dialect == DraftDialect::Acap || is_product_token(name);
        let plain = audience.names.iter().find(is_plain);
        let odd = audience.names.iter().find(|name| !is_plain(name));
        for (name, read) in [(plain, &self.by_name), (odd, &self.by_whole_name)] {
            // A name that is not UTF-8 cannot be asked about.
            if let Some(name) = name.and_then(|name| std::str::from_utf8(name).ok()) {
                crawlers_of.push((Crawler::named(name), read));
            }
        }
        crawlers_of
    }

    /// Returns whether the target's decision in the default reading agrees with `prohibits`.
    fn is_by_whole_name(&self, proposed: &ProposedUse<'_>, prohibits: bool) -> bool {
        let is = byleave::analysis::decide_unchecked(self.by_whole_name.site, proposed);
        (is.outcome == Outcome::Prohibited) == prohibits
    }

    fn place(&self, read: &TargetReading<'_>, id: Option<StatementId>) -> Option<DraftPosition> {
        let line = read.statements.get(id?, &Usage::Crawl)?.line;
        self.places.get(line as usize).copied().flatten()
    }
}

/// Returns the deciding line in the source.
fn decided(source: &RobotsTxtSource<'_>, proposed: &ProposedUse<'_>) -> Option<DecidingLine> {
    let statement = source.statements.get(strictest_decision(source, proposed).1.reason.statement()?, &Usage::Crawl)?;
    let pattern = match statement.scope {
        Scope::Pattern(pattern) => pattern.to_vec(),
        _ => b"/".to_vec(),
    };
    let line = (statement.document == ROBOTS_TXT).then_some(statement.line);
    Some(DecidingLine { line, pattern })
}

/// Returns the source's strictest decision over all purposes, and the purposes that lead to it.
fn strictest_decision<'s>(source: &'s RobotsTxtSource<'_>, proposed: &ProposedUse<'_>) -> (&'s [String], Decision) {
    let mut proposed = *proposed;
    let decision = |purposes: &'s Vec<String>| {
        let mut proposed = proposed;
        proposed.purposes = purposes;
        (purposes.as_slice(), byleave::analysis::decide_unchecked(source.site, &proposed))
    };
    let all = source.purposes.iter().map(decision);
    let prohibiting = all.into_iter().find(|(_, decision)| decision.outcome == Outcome::Prohibited);
    proposed.purposes = &[];
    prohibiting.unwrap_or_else(|| (&[], byleave::analysis::decide_unchecked(source.site, &proposed)))
}

/// Returns whether a tie decides the path of a mismatch: a permission and a prohibition of equal length match it. Cost:
/// one pass over the source.
fn is_tie(source: &RobotsTxtSource<'_>, one: &Mismatch) -> bool {
    let Some(audience) = source.audiences.get(one.audience) else { return false };
    let explanation = byleave::analysis::explain_unchecked(
        source.site,
        &ProposedUse::new(&one.path, &audience.crawler, &Usage::Crawl),
    );
    explanation.considered.iter().any(|lost| matches!(lost.by, LostTo::PermissionOfEqualLength(_)))
}

/// Sets the cause to [`LossCause::Tie`] for scope conflicts between patterns of equal length. Checks one mismatch per
/// effect and source line.
fn separate_ties(source: &RobotsTxtSource<'_>, mut mismatches: Vec<Mismatch>) -> Vec<Mismatch> {
    let mut known: HashMap<(LossEffect, Option<u32>), bool> = HashMap::new();
    for one in mismatches.iter_mut().filter(|one| one.cause == LossCause::Scope) {
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
    mismatches
}

/// At most this many lines are examined for ties. Later lines are reported as scope conflicts.
const MAX_EXPLAINED: usize = 64;

/// Makes a draft stricter for one path on which it is wider than its source. Returns whether the draft changed.
fn narrow(
    source: &RobotsTxtSource<'_>,
    draft: &mut Draft,
    one: &Mismatch,
    is_last_round: bool,
    tried: &mut HashSet<(DraftPosition, Vec<u8>)>,
) -> bool {
    // Patterns in robots.txt always distinguish letter case, so no line can prohibit every spelling of the path.
    if draft.dialect == DraftDialect::Conventional && one.is_recased {
        return false;
    }
    let because = || (one.cause, one.path.clone());
    let prohibited = one.source.as_ref().map(|decided| (tidied(&slashed(&decided.pattern)), decided.line));
    let Some(place) = one.target else {
        // If no line in the source prohibits the path, nothing can be added.
        let Some((pattern, line)) = prohibited else { return false };
        let Some(audience) = source.audiences.get(one.audience) else { return false };
        let group = draft.group_of(one.audience, audience);
        return draft.prohibit(group, pattern, line, because());
    };
    let permitted = match draft.line(place).map(|line| &line.content) {
        Some(LineContent::Rule(Modality::Permission, pattern)) => Some(pattern.clone()),
        _ => None,
    };
    if let (Some(permitted), Some((prohibited, line)), false) = (permitted, prohibited, is_last_round)
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
