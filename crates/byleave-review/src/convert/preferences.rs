//! What a site decides of the usages that today's dialects speak of, said in one of these dialects, and held against it.
//!
//! What the source says is asked where each of its patterns stands alone, where two meet, where none matches, and of one path
//! of every region that its patterns part, for each crawler that it names and for all others. The target is then read by
//! itself and asked the same.

use super::Conversion;
use super::loss::{Loss, LossCause, LossEffect};
use super::paths::{PathCase, PathSampler, Paths};
use super::response::{MAX_NAMES, is_same};
use super::source::{sets, slashed};
use crate::applicable::patterns_for_usages;
use crate::budget::Budget;
use crate::crawler_classes::MAX_PURPOSES;
use crate::directive_writer::{UsageIntent, UsageIntents};
use crate::names::{GroupAddressee, nobody};
use crate::preference_writer::{PREFERENCE_USAGES, PreferenceWriter, TargetPreferences, read_back};
use crate::regions::{Regions, Space, Ties, Wanted};
use crate::scope::{is_truncated, purposes, unreadable};
use byleave::model::{Dialect, Modality, Scope};
use byleave::syntax::Line;
use byleave::vocabulary::Role;
use byleave::{
    Bearing, Capabilities, Crawler, Evidence, EvidenceStatements, Obtained, Outcome, ProposedUse, ROBOTS_TXT, Reading,
    RobotsTxt, Usage,
};
use std::collections::{BTreeMap, BTreeSet};

/// Says in a dialect of today what a site decides of `tdm`, `train-ai`, `train-genai`, `ai-input`, `ai-index` and `search`.
///
/// ```
/// use byleave::{Evidence, Reading};
/// use byleave_review::convert::{PathCase, TargetPreferences, convert_preferences};
/// let robots_txt = b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow:\n";
/// let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
/// let converted = convert_preferences(&evidence, TargetPreferences::ContentUsage, PathCase::Sensitive);
/// assert_eq!(converted.text, b"User-agent: *\nContent-Usage: train-ai=n, search=y\nDisallow:\n");
/// assert!(converted.is_exact());
/// ```
///
/// Cost: a bounded number of decisions.
#[must_use]
pub fn convert_preferences(evidence: &Evidence<'_>, target: TargetPreferences, capitals: PathCase) -> Conversion {
    // Fields stand beside the rules of the source, under which they permit as little as its own do (S-31).
    let text = if target.has_names() { without_rules(evidence) } else { None };
    let bare = text.as_deref().map(|text| evidence.clone().with_robots_txt(Obtained::Status(200), text));
    let evidence = bare.as_ref().unwrap_or(evidence);
    let mut losses = Vec::new();
    let mut unknown = |message: String| losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
    if is_truncated(evidence) {
        unknown("the source is longer than is read, and what lies beyond is not converted".to_owned());
    }
    unreadable(evidence).into_iter().for_each(&mut unknown);
    let SourcePatterns { mut patterns, has_acap } = patterns(evidence, target);
    let source = PreferenceSource::of(evidence);
    let room = source.room();
    let most = (room / PATHS_PER_PATTERN).clamp(1, MAX_PATTERNS);
    if patterns.len() > most {
        unknown(format!("the source has {} patterns, and {most} are looked at", patterns.len()));
        patterns.truncate(most);
    }
    // A site whose patterns have every character in them is none.
    let capitals = if has_acap { capitals } else { PathCase::Insensitive };
    let Some(asking) = PathSampler::new(patterns.iter().map(Vec::as_slice), capitals) else {
        unknown("the patterns of the source leave no character to ask with, and nothing is converted".to_owned());
        return Conversion { text: Vec::new(), losses, is_proved: false };
    };
    let said = |modality| patterns.iter().map(move |pattern| (modality, pattern.as_slice()));
    let alone: Vec<_> = said(Modality::Permission).collect();
    let both: Vec<_> = alone.iter().copied().chain(said(Modality::Prohibition)).collect();
    let purposes = evidence.purposes_of_groups().len();
    if purposes > MAX_PURPOSES {
        unknown(format!("groups are for {purposes} purposes, and {MAX_PURPOSES} are looked at"));
    }
    let mut names = source.named();
    let named = names.len();
    names.truncate(MAX_NAMES);
    let having_all = source.having_all();
    let crawlers =
        names.iter().map(|whom| source.crawler(whom)).chain(having_all.iter().map(|one| one.crawler.clone()));
    let crawlers: Vec<Crawler> = crawlers.chain([nobody(&[evidence])]).collect();
    let budget = Budget::of_conversion();
    let walked = walk(&[evidence], &crawlers, &budget);
    let paths = asking.paths(&both, MAX_PATHS.min(room));
    if paths.is_none() && !walked.is_exact {
        unknown("the source has so many patterns that it is not looked at where all of them meet".to_owned());
    }
    let paths = paths.or_else(|| asking.paths(&alone, usize::MAX)).unwrap_or_default();
    let mut paths = with(paths, &walked, room);
    // Each is asked about every path.
    let most = (room / paths.len().max(1)).clamp(1, MAX_NAMES);
    names.truncate(most);
    if named > names.len() {
        unknown(format!("{named} crawlers are named, and {} are looked at", names.len()));
    }
    let mut audiences = source.audiences(&names, &paths, &asking.witness(b"/"));
    let mut by_names: Vec<Vec<GroupAddressee>> = audiences.iter().map(|audience| audience.names.clone()).collect();
    // Those that have every purpose are asked about. Their groups are those of each.
    by_names.extend(having_all.iter().map(|_| Vec::new()));
    audiences.extend(having_all);
    let at = |number: usize, path: &str| match audiences.get(number) {
        Some(audience) => source.at(&audience.crawler, path),
        None => UsageIntents::new(),
    };
    let witness = |pattern: &[u8]| asking.witness(pattern);
    let written = |paths: &Paths| {
        let paths: Vec<String> = paths.keys().cloned().collect();
        let audiences = &by_names;
        PreferenceWriter { target, patterns: &patterns, audiences, paths: &paths, at: &at, witness: &witness }.written()
    };
    let mut text = written(&paths);
    let mut rounds = 0;
    let (paths, walked, held) = loop {
        // The target has patterns where two of the source meet, and these meet others.
        let walked = walk(&[evidence, &read_back(target, &text)], &crawlers, &budget);
        let known = paths.len();
        paths = with(paths, &walked, room);
        let held = source.held(target, &text, &audiences, &paths);
        rounds += 1;
        let is_wider = held.iter().any(|loss| (loss.effect, loss.cause) == (LossEffect::LeftOut, LossCause::Scope));
        if !is_wider || paths.len() == known || rounds == MAX_ROUNDS {
            break (paths, walked, held);
        }
        text = written(&paths);
    };
    // Regions beyond the bound were walked over, and not asked about.
    let has_all = walked.regions.iter().all(|region| paths.contains_key(&region.path));
    let has_unknown = losses.iter().any(|one| one.cause == LossCause::Unknown);
    // Of three purposes and more some may be had without the others.
    let has_all_purposes = source.has_all_purposes && purposes <= 2;
    let is_proved = walked.is_exact && has_all && has_all_purposes && !has_unknown;
    losses.extend(held);
    losses.extend(source.needs(&audiences));
    losses.sort_by_key(|loss| (loss.effect, loss.cause, loss.line));
    Conversion { text: text.into_bytes(), losses, is_proved }
}

/// The robots.txt with its rules emptied, each of its fields where it was; nothing where its text is not known.
fn without_rules(evidence: &Evidence<'_>) -> Option<Vec<u8>> {
    let RobotsTxt::Read(policy) = evidence.robots_txt() else { return None };
    let written = policy.text()?;
    let tree = byleave::tree(written, evidence.reading());
    let mut text = written.to_vec();
    let is_rule =
        |line: &&Line| byleave::field(&tree, line, evidence.reading()).is_some_and(|field| field.role() == Role::Rule);
    for line in tree.lines().iter().filter(is_rule) {
        // A rule that is empty ends the list of names too; without its value it needs its colon.
        let rest = text.get_mut(line.name.1..line.value.1).into_iter().flatten();
        for (byte, blank) in rest.zip(std::iter::once(b':').chain(std::iter::repeat(b' '))) {
            *byte = blank;
        }
    }
    Some(text)
}

/// A path of every region that the patterns of all these tell apart.
pub(super) fn walk(policies: &[&Evidence<'_>], crawlers: &[Crawler], budget: &Budget) -> Regions {
    let bearings: Vec<Bearing> =
        policies.iter().flat_map(|policy| crawlers.iter().map(|crawler| policy.bearing_on(crawler))).collect();
    let reading = policies.first().map_or(Reading::Default, |policy| policy.reading());
    let mut walked = budget.walk(
        &Space::Paths(reading),
        &patterns_for_usages(PREFERENCE_USAGES, &bearings),
        Ties::Distinct,
        Wanted::All,
    );
    walked.is_exact &= bearings.iter().all(|bearing| bearing.is_whole);
    walked
}

fn with(mut paths: Paths, walked: &Regions, most: usize) -> Paths {
    let room = MAX_PATHS.min(most).saturating_sub(paths.len());
    for region in walked.regions.iter().take(room) {
        paths.entry(region.path.clone()).or_insert(false);
    }
    paths
}

/// More patterns are not looked at.
const MAX_PATTERNS: usize = 500;
/// More paths are not asked about where two patterns meet.
const MAX_PATHS: usize = 20_000;
/// About so much is asked: a decision looks at every preference, and sixteen of these cost as much as one without any.
const MAX_QUESTIONS: usize = 2_000_000;
const PREFERENCES_PER_QUESTION: usize = 16;
/// So often at most is the target written again because it permits too much where its own patterns meet.
const MAX_ROUNDS: usize = 4;
/// How often each is asked: to find audiences, to write, to restrict, and to hold the target against it.
const PASSES: usize = 4;
/// About so many paths stand for a pattern, alone.
const PATHS_PER_PATTERN: usize = 16;

/// The patterns of statements that may speak of these usages.
struct SourcePatterns {
    patterns: Vec<Vec<u8>>,
    has_acap: bool,
}

fn patterns(evidence: &Evidence<'_>, target: TargetPreferences) -> SourcePatterns {
    let statements = EvidenceStatements::of(evidence, &Capabilities::default());
    let preferences = statements.preferences();
    let mut found: Vec<Vec<u8>> = preferences.iter().filter_map(|one| one.pattern).map(<[u8]>::to_vec).collect();
    // Where `Disallow` wins, these permit nothing (S-31), which in robots.txt is so by itself.
    let is_moot =
        preferences.iter().any(|one| one.dialect == Dialect::ContentUsage && one.usages.contains(&&Usage::Tdm));
    if let (RobotsTxt::Read(policy), false, true) = (evidence.robots_txt(), target.has_names(), is_moot) {
        let rules = policy.statements();
        found.extend(rules.iter().filter_map(|rule| match rule.scope {
            Scope::Pattern(pattern) => Some(pattern.to_vec()),
            _ => None,
        }));
    }
    let mut of_acap = acap_patterns(evidence);
    for document in evidence.documents().iter().filter(|document| evidence.refers_to(&document.name)) {
        of_acap.extend(acap_patterns(&Evidence::of_robots_txt(document.text(), evidence.reading())));
    }
    let has_acap = !of_acap.is_empty();
    found.extend(of_acap);
    let mut known = BTreeSet::new();
    let mut patterns = Vec::new();
    for pattern in found {
        // Anything else matches nothing, and of what matches all the shortest is no path. Others count by their length.
        let is_path = matches!(pattern.first(), Some(b'/' | b'*')) && pattern.len() > 1;
        if is_path && known.insert(pattern.clone()) {
            patterns.push(pattern);
        }
    }
    SourcePatterns { patterns, has_acap }
}

/// The patterns that ACAP has for these usages, or for `other`, which is asked where nothing else speaks (S-03).
fn acap_patterns(evidence: &Evidence<'_>) -> Vec<Vec<u8>> {
    let RobotsTxt::Read(policy) = evidence.robots_txt() else { return Vec::new() };
    let statements = EvidenceStatements::of(evidence, &Capabilities::default());
    let sets = sets(policy, evidence);
    let mut found = Vec::new();
    for one in statements.acap() {
        let usage = one.usages.iter().find(|usage| PREFERENCE_USAGES.contains(usage) || ***usage == Usage::OtherUsage);
        match usage.and_then(|usage| statements.get(one.id, usage)).map(|statement| statement.scope) {
            Some(Scope::Pattern(pattern)) => found.push(slashed(pattern)),
            // Which set is meant is not looked for: its patterns are asked about with all others.
            Some(Scope::ResourceSet(_)) => found.extend(sets.iter().flat_map(|(_, patterns)| patterns.clone())),
            _ => {}
        }
    }
    found
}

/// Crawlers to whom the source says the same.
struct PreferenceAudience {
    /// None: all that nobody names.
    names: Vec<GroupAddressee>,
    crawler: Crawler,
}

/// The site, to be asked.
struct PreferenceSource<'e> {
    evidence: &'e Evidence<'e>,
    statements: EvidenceStatements<'e>,
    purposes: Vec<Vec<String>>,
    has_all_purposes: bool,
}

impl<'e> PreferenceSource<'e> {
    fn of(evidence: &'e Evidence<'_>) -> Self {
        let (purposes, has_all_purposes) = purposes(&[evidence], &Budget::of_conversion());
        let statements = EvidenceStatements::of(evidence, &Capabilities::default());
        Self { evidence, statements, purposes, has_all_purposes }
    }

    /// How many paths may be asked about, those of each crawler counted.
    fn room(&self) -> usize {
        // A purpose is looked for among all fields, for each purpose that is had.
        let purposes = self.evidence.purposes_of_groups().len().min(MAX_PURPOSES);
        let cost = 1 + self.statements.preferences().len() * (1 + purposes) / PREFERENCES_PER_QUESTION;
        (MAX_QUESTIONS / (cost * PASSES * PREFERENCE_USAGES.len() * self.purposes.len().max(1))).max(1)
    }

    /// GroupAddressee groups are for, any crawler aside: purposes first.
    fn named(&self) -> Vec<GroupAddressee> {
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let purposes = self.evidence.purposes_of_groups().into_iter().take(MAX_PURPOSES);
        let purposes = purposes.map(|name| GroupAddressee::Purpose(text(name)));
        purposes
            .chain(self.evidence.crawlers_spoken_of().into_iter().map(|name| GroupAddressee::Name(text(name))))
            .collect()
    }

    /// One of those that a group is for.
    fn crawler(&self, whom: &GroupAddressee) -> Crawler {
        match whom {
            GroupAddressee::Name(name) => Crawler::named(name),
            GroupAddressee::Purpose(purpose) => nobody(&[self.evidence]).also_named(purpose),
        }
    }

    /// Those that have every purpose of groups, where there are several (S-50).
    fn having_all(&self) -> Option<PreferenceAudience> {
        let purposes = self.evidence.purposes_of_groups();
        let purposes: Vec<_> = purposes.into_iter().map(String::from_utf8_lossy).take(MAX_PURPOSES).collect();
        let crawler = || purposes.iter().fold(nobody(&[self.evidence]), |one, purpose| one.also_named(purpose));
        let names = || vec![GroupAddressee::Purpose(purposes.join(", "))];
        (purposes.len() > 1).then(|| PreferenceAudience { names: names(), crawler: crawler() })
    }

    /// All that nobody names, and those who are named and treated alike on all of these paths.
    fn audiences(&self, names: &[GroupAddressee], paths: &Paths, general: &str) -> Vec<PreferenceAudience> {
        let mut audiences = vec![PreferenceAudience { names: Vec::new(), crawler: nobody(&[self.evidence]) }];
        let mut known: Vec<((bool, Vec<UsageIntents>), usize)> = Vec::new();
        for name in names {
            let crawler = self.crawler(name);
            let paths = paths.keys().map(String::as_str).chain([general]);
            let wishes = (name.is_purpose(), paths.map(|path| self.at(&crawler, path)).collect());
            let place = known.iter().find(|(known, _)| *known == wishes).map(|(_, place)| *place);
            match place.and_then(|place| audiences.get_mut(place)) {
                Some(audience) => audience.names.push(name.clone()),
                None => {
                    known.push((wishes, audiences.len()));
                    audiences.push(PreferenceAudience { names: vec![name.clone()], crawler });
                }
            }
        }
        audiences
    }

    /// What the source says of each usage at a path, for whatever purpose restricts the most.
    fn at(&self, crawler: &Crawler, path: &str) -> UsageIntents {
        let mut wishes = UsageIntents::new();
        for usage in PREFERENCE_USAGES {
            let graver =
                |one: UsageIntent, other: UsageIntent| if gravity(&other) > gravity(&one) { other } else { one };
            let asked = self.purposes.iter().map(|purposes| wish(self.evidence, crawler, path, usage, purposes));
            let gravest = asked.reduce(graver).filter(|wish| wish.outcome != Outcome::Unstated);
            wishes.extend(gravest.map(|wish| (usage.clone(), wish)));
        }
        wishes
    }

    /// Holds the target against the source, on each of these paths.
    fn held(
        &self,
        target: TargetPreferences,
        text: &str,
        audiences: &[PreferenceAudience],
        paths: &Paths,
    ) -> Vec<Loss> {
        let heard = read_back(target, text);
        let mut told: BTreeMap<LossKey, LossDetails> = BTreeMap::new();
        for (number, audience) in audiences.iter().enumerate() {
            for (path, is_recased) in paths {
                let there = self.at(&audience.crawler, path);
                for usage in PREFERENCE_USAGES {
                    let unstated = UsageIntent { outcome: Outcome::Unstated, conditions: Vec::new() };
                    let wished = there.get(usage).unwrap_or(&unstated);
                    let got = wish(&heard, &audience.crawler, path, usage, &[]);
                    let is_alike = got.outcome == wished.outcome && is_same(&got.conditions, &wished.conditions);
                    if is_alike {
                        continue;
                    }
                    let asked =
                        UsageMismatch { target, usage, wished, got: &got, is_recased: *is_recased, there: &there };
                    let (effect, cause) = self.why(&asked, number, path, &audience.crawler);
                    let place = self.place(&audience.crawler, path, usage);
                    let key = LossKey { effect, cause, wished: wished.outcome, got: got.outcome, place };
                    let told = told.entry(key).or_insert_with(|| LossDetails::at(path));
                    told.usages.insert(usage.clone());
                    told.audiences.insert(number);
                }
            }
        }
        told.iter().map(|(key, told)| told.loss(key, target, audiences)).collect()
    }

    /// Why the target does not say what is wished, and on which side it is.
    fn why(
        &self,
        asked: &UsageMismatch<'_>,
        audience: usize,
        path: &str,
        crawler: &Crawler,
    ) -> (LossEffect, LossCause) {
        let UsageMismatch { target, usage, wished, got, is_recased, there } = *asked;
        // What could be said, if it were not for others.
        let is_named = audience > 0 && target.speaks_of(usage);
        let is_for_one = !target.has_names() && (is_named || wished.outcome == Outcome::Permitted && is_said(asked));
        let is_restricted = |wish: &UsageIntent| gravity(wish) > 0;
        let (is, should) = (gravity(got), gravity(wished));
        if is > should {
            let plain = wish(self.evidence, crawler, path, usage, &[]);
            let others = there.iter().filter(|(other, _)| *other != usage);
            let is_together =
                others.into_iter().any(|(other, wish)| is_restricted(wish) && target.says_together(usage, other));
            let cause = match () {
                () if wished.outcome == Outcome::Conditional => LossCause::Condition,
                () if plain.outcome != wished.outcome => LossCause::Purpose,
                () if is_together => LossCause::Together,
                () if is_for_one => LossCause::Crawler,
                () => LossCause::Scope,
            };
            return (LossEffect::Narrower, cause);
        }
        let cause = match () {
            () if !target.speaks_of(usage) && is_restricted(wished) => LossCause::Usage,
            () if is_recased => LossCause::Case,
            () if is_for_one => LossCause::Crawler,
            () if is == should && wished.outcome == Outcome::Permitted => LossCause::Permission,
            () if is == should && should > 0 => LossCause::Condition,
            () => LossCause::Scope,
        };
        (LossEffect::LeftOut, cause)
    }

    /// Where the statement stands that decides, if one does.
    fn place(&self, crawler: &Crawler, path: &str, usage: &Usage) -> Option<StatementPlace> {
        let decision = byleave::decide(self.evidence, &ProposedUse::new(path, crawler, usage));
        let statement = decision.reason.statement().and_then(|id| self.statements.get(id, usage))?;
        let document = (statement.document != ROBOTS_TXT).then(|| statement.document.to_owned());
        let pattern = match statement.scope {
            Scope::Pattern(b"/" | b"*" | b"/*") => None,
            Scope::Pattern(pattern) => Some(String::from_utf8_lossy(pattern).into_owned()),
            _ => None,
        };
        Some(StatementPlace { document, line: statement.line, pattern })
    }

    /// Files that are not given, and so prohibit (S-21, S-45).
    fn needs(&self, audiences: &[PreferenceAudience]) -> Vec<Loss> {
        let mut told: BTreeMap<String, Loss> = BTreeMap::new();
        for audience in audiences {
            for usage in PREFERENCE_USAGES {
                let explanation = byleave::explain(self.evidence, &ProposedUse::new("/", &audience.crawler, usage));
                for location in explanation.needs {
                    let message = format!("`{location}` is not given, so what it may say is prohibited");
                    let name = audience.names.first().map(GroupAddressee::shown);
                    let loss =
                        || Loss::new(LossCause::Reference, LossEffect::Narrower, message).of_crawler(name.as_deref());
                    told.entry(location).or_insert_with(loss);
                }
            }
        }
        told.into_values().collect()
    }
}

/// One usage of one path, as it is wished and as the target has it.
struct UsageMismatch<'a> {
    target: TargetPreferences,
    usage: &'a Usage,
    wished: &'a UsageIntent,
    got: &'a UsageIntent,
    is_recased: bool,
    there: &'a UsageIntents,
}

/// Whether the target has a word that would say what is wished to this audience alone.
fn is_said(asked: &UsageMismatch<'_>) -> bool {
    let wishes = asked.there;
    let is_permitted = |usage: &Usage| wishes.get(usage).is_some_and(|wish| wish.outcome == Outcome::Permitted);
    let with_it = PREFERENCE_USAGES.iter().filter(|other| asked.target.says_together(asked.usage, other));
    asked.target.speaks_of(asked.usage) && with_it.into_iter().all(is_permitted)
}

fn wish(evidence: &Evidence<'_>, crawler: &Crawler, path: &str, usage: &Usage, purposes: &[String]) -> UsageIntent {
    let mut proposed = ProposedUse::new(path, crawler, usage);
    proposed.purposes = purposes;
    let outcome = byleave::decide(evidence, &proposed).outcome;
    let conditions = match outcome {
        Outcome::Conditional => byleave::explain(evidence, &proposed).expressed,
        Outcome::Permitted | Outcome::Prohibited | Outcome::Unstated => Vec::new(),
    };
    UsageIntent { outcome, conditions }
}

/// How much a wish restricts.
fn gravity(wish: &UsageIntent) -> u8 {
    match wish.outcome {
        Outcome::Permitted | Outcome::Unstated => 0,
        Outcome::Conditional => 1,
        Outcome::Prohibited => 2,
    }
}

/// What is told in one loss.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LossKey {
    effect: LossEffect,
    cause: LossCause,
    wished: Outcome,
    got: Outcome,
    /// What decides in the source.
    place: Option<StatementPlace>,
}

/// Where a statement stands, and what it is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct StatementPlace {
    /// Nothing for robots.txt.
    document: Option<String>,
    line: u32,
    /// Nothing where it is about all.
    pattern: Option<String>,
}

struct LossDetails {
    usages: BTreeSet<Usage>,
    audiences: BTreeSet<usize>,
    path: String,
}

impl LossDetails {
    fn at(path: &str) -> Self {
        Self { usages: BTreeSet::new(), audiences: BTreeSet::new(), path: path.to_owned() }
    }

    fn loss(&self, key: &LossKey, target: TargetPreferences, audiences: &[PreferenceAudience]) -> Loss {
        let listed: Vec<String> = self.usages.iter().map(|usage| format!("`{usage}`")).collect();
        let is = if listed.len() == 1 { "is" } else { "are" };
        let first =
            self.audiences.first().and_then(|number| audiences.get(*number)?.names.first()).map(GroupAddressee::shown);
        let whom = first.as_ref().map_or("everyone".to_owned(), |name| format!("`{name}`"));
        let said = match key.wished {
            Outcome::Unstated => "not spoken of",
            outcome => outcome.name(),
        };
        // Where patterns meet, or capitals differ, it is so at some paths of what decides, and else at all of them.
        let is_local = matches!(key.cause, LossCause::Scope | LossCause::Case) || key.place.is_none();
        let pattern = key.place.as_ref().and_then(|place| place.pattern.as_deref());
        let of = match pattern {
            _ if is_local && self.path != "/" => format!(" at `{}`", self.path),
            Some(pattern) if !is_local => format!(" of `{pattern}`"),
            _ => String::new(),
        };
        let by = match &key.place {
            Some(StatementPlace { document: Some(document), line, .. }) => format!("by line {line} of {document}"),
            _ => "in the source".to_owned(),
        };
        let why = why(key, target);
        let message = format!("{} {is} {said} to {whom}{of} {by}; {why}", listed.join(", "));
        let line = key.place.as_ref().filter(|place| place.document.is_none()).map(|place| place.line);
        let loss = Loss::new(key.cause, key.effect, message).at(line).of_crawler(first.as_deref());
        let loss = self.usages.first().into_iter().fold(loss, Loss::of_usage);
        let crawlers = self.audiences.iter().filter_map(|number| audiences.get(*number));
        Loss {
            crawlers: crawlers.map(|audience| audience.names.len().max(1)).sum(),
            path: Some(self.path.clone()),
            ..loss
        }
    }
}

fn why(key: &LossKey, target: TargetPreferences) -> String {
    let name = target.name();
    match (key.effect, key.cause) {
        (LossEffect::Narrower, LossCause::Condition) => {
            format!("{name} has no word for that condition, and prohibits it")
        }
        (LossEffect::Narrower, LossCause::Purpose) => {
            format!("the source prohibits it for a purpose, and {name} knows no purposes")
        }
        (LossEffect::Narrower, LossCause::Together) => "the word that prohibits the rest speaks of that too".to_owned(),
        (_, LossCause::Crawler) => format!("{name} says the same to every crawler"),
        (LossEffect::Narrower, _) => "no line takes back what a wider one says without prohibiting it".to_owned(),
        (LossEffect::LeftOut, LossCause::Usage) => format!("{name} has no word for that"),
        (LossEffect::LeftOut, LossCause::Permission) => {
            format!("{name} has no word that permits that and nothing else")
        }
        (LossEffect::LeftOut, LossCause::Condition) => format!("{name} has no word for that condition"),
        (LossEffect::LeftOut, LossCause::Case) => "here capitals are told from small letters".to_owned(),
        (LossEffect::LeftOut, _) => format!("here it is {}: of paths that meet the longer counts", key.got.name()),
    }
}
