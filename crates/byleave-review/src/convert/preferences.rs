//! Converts a site's decisions about AI and search into an AI-preference dialect, and verifies the result.
//!
//! The source is asked about paths that match one pattern, two overlapping patterns or no pattern, and about one path
//! per region (`regions`). Each question is asked for every crawler that the source names, and for an unnamed crawler.
//! The target is then read without other documents and asked the same questions.

use super::Conversion;
use super::loss::{Loss, LossCause, LossEffect};
use super::paths::{PathCase, PathSampler, Paths};
use super::response::MAX_NAMES;
use super::source::{sets, slashed};
use crate::applicable::patterns_for_usages;
use crate::budget::Budget;
use crate::crawler_classes::MAX_PURPOSES;
use crate::names::{GroupAddressee, nobody};
use crate::preference_writer::{PREFERENCE_USAGES, PreferenceWriter, TargetPreferences, read_back};
use crate::regions::{Regions, Space, Ties, Wanted};
use crate::scope::{is_truncated, purposes, unreadable};
use crate::usage_intent::{UNSTATED, UsageIntent, UsageIntents};
use byleave::analysis::robots_txt::Line;
use byleave::analysis::vocabulary::Role;
use byleave::analysis::{ApplicableRules, ROBOTS_TXT, RobotsTxt, SiteStatements};
use byleave::model::Capabilities;
use byleave::model::{Dialect, Modality, Scope};
use byleave::{Crawler, Obtained, Outcome, ProposedUse, Reading, Site, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// Converts a site's decisions about `tdm`, `train-ai`, `train-genai`, `ai-input`, `ai-index` and `search` into an
/// AI-preference dialect.
///
/// ```
/// use byleave::{Site, Reading};
/// use byleave_review::convert::{PathCase, TargetPreferences, convert_preferences};
/// let robots_txt = b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow:\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let converted = convert_preferences(&site, TargetPreferences::ContentUsage, PathCase::Sensitive);
/// assert_eq!(converted.text, b"User-agent: *\nContent-Usage: train-ai=n, search=y\nDisallow:\n");
/// assert!(converted.is_exact());
/// ```
///
/// Cost: a bounded number of decisions.
#[must_use]
pub fn convert_preferences(site: &Site<'_>, target: TargetPreferences, case: PathCase) -> Conversion {
    // The publisher adds the new fields to the existing robots.txt. Its rules then limit the new fields as they limit
    // the source's own fields (S-31), so the source and the target are compared without rules.
    let text = if target.has_names() { without_rules(site) } else { None };
    let bare = text.as_deref().map(|text| site.to_builder().with_robots_txt(Obtained::Status(200), text).build());
    let site = bare.as_ref().unwrap_or(site);
    let mut losses = Vec::new();
    let mut unknown = |message: String| losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
    if is_truncated(site) {
        unknown("the source exceeds the size limit; its end was not converted".to_owned());
    }
    unreadable(site).into_iter().for_each(&mut unknown);
    let SourcePatterns { mut patterns, has_acap } = patterns(site, target);
    let source = PreferenceSource::of(site);
    let room = source.room();
    let most = (room / PATHS_PER_PATTERN).clamp(1, MAX_PATTERNS);
    if patterns.len() > most {
        unknown(format!("the source has {} patterns; only {most} were examined", patterns.len()));
        patterns.truncate(most);
    }
    // Only ACAP ignores case. Without ACAP, no paths in a different case are needed.
    let case = if has_acap { case } else { PathCase::Insensitive };
    // This fails only if the patterns contain every character, which does not happen on real sites.
    let Some(sampler) = PathSampler::new(patterns.iter().map(Vec::as_slice), case) else {
        unknown(
            "the patterns in the source use every character, so none is left to test with; nothing was converted"
                .to_owned(),
        );
        return Conversion { text: Vec::new(), losses, is_proved: false };
    };
    let rules_with = |modality| patterns.iter().map(move |pattern| (modality, pattern.as_slice()));
    let alone: Vec<_> = rules_with(Modality::Permission).collect();
    let both: Vec<_> = alone.iter().copied().chain(rules_with(Modality::Prohibition)).collect();
    let purposes = site.purposes_of_groups().len();
    if purposes > MAX_PURPOSES {
        unknown(format!("the source has groups for {purposes} purposes; only {MAX_PURPOSES} were examined"));
    }
    let mut names = source.named();
    let named = names.len();
    names.truncate(MAX_NAMES);
    let having_all = source.having_all();
    let crawlers =
        names.iter().map(|whom| source.crawler(whom)).chain(having_all.iter().map(|one| one.crawler.clone()));
    let crawlers: Vec<Crawler> = crawlers.chain([nobody(&[site])]).collect();
    let budget = Budget::of_conversion();
    let walked = walk(&[site], &crawlers, &budget);
    let paths = sampler.paths(&both, MAX_PATHS.min(room));
    if paths.is_none() && !walked.is_exact {
        unknown("the source has too many patterns; not all overlaps were examined".to_owned());
    }
    let paths = paths.or_else(|| sampler.paths(&alone, usize::MAX)).unwrap_or_default();
    let mut paths = with(paths, &walked, room);
    // Each crawler is asked about every path, so the limits depend on each other.
    let most = (room / paths.len().max(1)).clamp(1, MAX_NAMES);
    names.truncate(most);
    if named > names.len() {
        unknown(format!("the source names {named} crawlers; only {} were examined", names.len()));
    }
    let mut audiences = source.audiences(&names, &paths, &sampler.witness(b"/"));
    let mut by_names: Vec<Vec<GroupAddressee>> = audiences.iter().map(|audience| audience.names.clone()).collect();
    // A crawler with every purpose is compared, but it needs no group of its own: the groups for each purpose bind it.
    by_names.extend(having_all.iter().map(|_| Vec::new()));
    audiences.extend(having_all);
    let at = |number: usize, path: &str| match audiences.get(number) {
        Some(audience) => source.at(&audience.crawler, path),
        None => UsageIntents::new(),
    };
    let witness = |pattern: &[u8]| sampler.witness(pattern);
    let written = |paths: &Paths| {
        let paths: Vec<String> = paths.keys().cloned().collect();
        let audiences = &by_names;
        PreferenceWriter { target, patterns: &patterns, audiences, paths: &paths, at: &at, witness: &witness }.written()
    };
    let mut text = written(&paths);
    let mut rounds = 0;
    let (paths, walked, found) = loop {
        // The target may contain new patterns for overlaps, and the new patterns may overlap others.
        let walked = walk(&[site, &read_back(target, &text)], &crawlers, &budget);
        let known = paths.len();
        paths = with(paths, &walked, room);
        let found = source.losses_of(target, &text, &audiences, &paths);
        rounds += 1;
        let is_wider = found.iter().any(|loss| (loss.effect, loss.cause) == (LossEffect::LeftOut, LossCause::Scope));
        if !is_wider || paths.len() == known || rounds == MAX_ROUNDS {
            break (paths, walked, found);
        }
        text = written(&paths);
    };
    // Regions beyond the limit were found but not compared.
    let has_all = walked.regions.iter().all(|region| paths.contains_key(&region.path));
    let has_unknown = losses.iter().any(|one| one.cause == LossCause::Unknown);
    // If there are three or more purposes, a crawler may have two of them. Such combinations are not compared.
    let has_all_purposes = source.has_all_purposes && purposes <= 2;
    let is_proved = walked.is_exact && has_all && has_all_purposes && !has_unknown;
    losses.extend(found);
    losses.extend(source.needs(&audiences));
    losses.sort_by_key(|loss| (loss.effect, loss.cause, loss.line));
    Conversion { text: text.into_bytes(), losses, is_proved }
}

/// Returns robots.txt with empty rules and all other fields unchanged, or `None` if its text is not known.
fn without_rules(site: &Site<'_>) -> Option<Vec<u8>> {
    let RobotsTxt::Read(policy) = site.robots_txt() else { return None };
    let written = policy.text()?;
    let tree = byleave::analysis::tree(written, site.reading());
    let mut text = written.to_vec();
    let is_rule = |line: &&Line| {
        byleave::analysis::field(&tree, line, site.reading()).is_some_and(|field| field.role() == Role::Rule)
    };
    for line in tree.lines().iter().filter(is_rule) {
        // The rule keeps its field name, because a rule ends the list of names in a group. An empty rule needs a colon.
        let rest = text.get_mut(line.name.1..line.value.1).into_iter().flatten();
        for (byte, blank) in rest.zip(std::iter::once(b':').chain(std::iter::repeat(b' '))) {
            *byte = blank;
        }
    }
    Some(text)
}

/// Returns one path for every region that the patterns of all these policies distinguish.
pub(super) fn walk(policies: &[&Site<'_>], crawlers: &[Crawler], budget: &Budget) -> Regions {
    let all_applicable: Vec<ApplicableRules> =
        policies.iter().flat_map(|policy| crawlers.iter().map(|crawler| policy.applicable_to(crawler))).collect();
    let reading = policies.first().map_or(Reading::Default, |policy| policy.reading());
    let mut walked = budget.walk(
        &Space::Paths(reading),
        &patterns_for_usages(PREFERENCE_USAGES, &all_applicable),
        Ties::Distinct,
        Wanted::All,
    );
    walked.is_exact &= all_applicable.iter().all(|applicable| applicable.is_whole);
    walked
}

fn with(mut paths: Paths, walked: &Regions, most: usize) -> Paths {
    let room = MAX_PATHS.min(most).saturating_sub(paths.len());
    for region in walked.regions.iter().take(room) {
        paths.entry(region.path.clone()).or_insert(false);
    }
    paths
}

/// At most this many patterns are examined.
const MAX_PATTERNS: usize = 500;
/// At most this many paths are compared.
const MAX_PATHS: usize = 20_000;
/// The approximate maximum number of questions.
const MAX_QUESTIONS: usize = 2_000_000;
/// A decision examines every preference. This many preferences cost as much as a question without preferences.
const PREFERENCES_PER_QUESTION: usize = 16;
/// The target is written at most this many times. It is written again if it permits too much where its patterns
/// overlap.
const MAX_ROUNDS: usize = 4;
/// How often each question is asked: to find audiences, to write, to restrict and to verify.
const PASSES: usize = 4;
/// The approximate number of paths that represent one pattern.
const PATHS_PER_PATTERN: usize = 16;

/// The patterns of statements that may address a usage in [`PREFERENCE_USAGES`].
struct SourcePatterns {
    patterns: Vec<Vec<u8>>,
    has_acap: bool,
}

fn patterns(site: &Site<'_>, target: TargetPreferences) -> SourcePatterns {
    let statements = SiteStatements::of(site, &Capabilities::default());
    let preferences = statements.preferences();
    let mut found: Vec<Vec<u8>> = preferences.iter().filter_map(|one| one.pattern).map(<[u8]>::to_vec).collect();
    // Where `Disallow` wins, `Content-Usage` permits nothing (S-31). A target in robots.txt needs no line for that, but
    // tdmrep.json does, so the patterns of the rules are added.
    let is_moot =
        preferences.iter().any(|one| one.dialect == Dialect::ContentUsage && one.usages.contains(&&Usage::Tdm));
    if let (RobotsTxt::Read(policy), false, true) = (site.robots_txt(), target.has_names(), is_moot) {
        let rules = policy.statements();
        found.extend(rules.iter().filter_map(|rule| match rule.scope {
            Scope::Pattern(pattern) => Some(pattern.to_vec()),
            _ => None,
        }));
    }
    let mut of_acap = acap_patterns(site);
    for document in site.documents().iter().filter(|document| site.refers_to(&document.name)) {
        of_acap.extend(acap_patterns(&Site::of_robots_txt(document.text(), site.reading())));
    }
    let has_acap = !of_acap.is_empty();
    found.extend(of_acap);
    let mut known = BTreeSet::new();
    let mut patterns = Vec::new();
    for pattern in found {
        // A pattern that does not begin with `/` or `*` matches nothing. The patterns `/` and `*` match every path and
        // need no line of their own.
        let is_path = matches!(pattern.first(), Some(b'/' | b'*')) && pattern.len() > 1;
        if is_path && known.insert(pattern.clone()) {
            patterns.push(pattern);
        }
    }
    SourcePatterns { patterns, has_acap }
}

/// Returns the ACAP patterns for a usage in [`PREFERENCE_USAGES`], or for `other`, which applies if no other statement
/// does (S-03).
fn acap_patterns(site: &Site<'_>) -> Vec<Vec<u8>> {
    let RobotsTxt::Read(policy) = site.robots_txt() else { return Vec::new() };
    let statements = SiteStatements::of(site, &Capabilities::default());
    let sets = sets(policy, site);
    let mut found = Vec::new();
    for one in statements.acap() {
        let usage = one.usages.iter().find(|usage| PREFERENCE_USAGES.contains(usage) || ***usage == Usage::OtherUsage);
        match usage.and_then(|usage| statements.get(one.id, usage)).map(|statement| statement.scope) {
            Some(Scope::Pattern(pattern)) => found.push(slashed(pattern)),
            // The patterns of all resource sets are added, not only of the set that the statement names.
            Some(Scope::ResourceSet(_)) => found.extend(sets.iter().flat_map(|(_, patterns)| patterns.clone())),
            _ => {}
        }
    }
    found
}

/// Crawlers that the source treats the same way.
struct PreferenceAudience {
    /// The addressees of the groups. Empty for the audience of all unnamed crawlers.
    names: Vec<GroupAddressee>,
    crawler: Crawler,
}

/// The site to convert, prepared for questions.
struct PreferenceSource<'e> {
    site: &'e Site<'e>,
    statements: SiteStatements<'e>,
    purposes: Vec<Vec<String>>,
    has_all_purposes: bool,
}

impl<'e> PreferenceSource<'e> {
    fn of(site: &'e Site<'_>) -> Self {
        let (purposes, has_all_purposes) = purposes(&[site], &Budget::of_conversion());
        let statements = SiteStatements::of(site, &Capabilities::default());
        Self { site, statements, purposes, has_all_purposes }
    }

    /// Returns how many paths may be asked about, for all crawlers together.
    fn room(&self) -> usize {
        // A decision searches all fields once more for each purpose of a crawler.
        let purposes = self.site.purposes_of_groups().len().min(MAX_PURPOSES);
        let cost = 1 + self.statements.preferences().len() * (1 + purposes) / PREFERENCES_PER_QUESTION;
        (MAX_QUESTIONS / (cost * PASSES * PREFERENCE_USAGES.len() * self.purposes.len().max(1))).max(1)
    }

    /// Returns the addressees of all groups except `*`, with purposes first.
    fn named(&self) -> Vec<GroupAddressee> {
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let purposes = self.site.purposes_of_groups().into_iter().take(MAX_PURPOSES);
        let purposes = purposes.map(|name| GroupAddressee::Purpose(text(name)));
        purposes
            .chain(self.site.crawlers_with_groups().into_iter().map(|name| GroupAddressee::Name(text(name))))
            .collect()
    }

    /// Returns a crawler that groups with this addressee bind.
    fn crawler(&self, whom: &GroupAddressee) -> Crawler {
        match whom {
            GroupAddressee::Name(name) => Crawler::named(name),
            GroupAddressee::Purpose(purpose) => nobody(&[self.site]).also_named(purpose),
        }
    }

    /// Returns a crawler that has every purpose that groups address, if there are several purposes (S-50).
    fn having_all(&self) -> Option<PreferenceAudience> {
        let purposes = self.site.purposes_of_groups();
        let purposes: Vec<_> = purposes.into_iter().map(String::from_utf8_lossy).take(MAX_PURPOSES).collect();
        let crawler = || purposes.iter().fold(nobody(&[self.site]), |one, purpose| one.also_named(purpose));
        let names = || vec![GroupAddressee::Purpose(purposes.join(", "))];
        (purposes.len() > 1).then(|| PreferenceAudience { names: names(), crawler: crawler() })
    }

    /// Returns the audience of all unnamed crawlers, followed by the audiences of named crawlers. Named crawlers that
    /// get the same decisions on these paths share an audience.
    fn audiences(&self, names: &[GroupAddressee], paths: &Paths, general: &str) -> Vec<PreferenceAudience> {
        let mut audiences = vec![PreferenceAudience { names: Vec::new(), crawler: nobody(&[self.site]) }];
        let mut known: Vec<((bool, Vec<UsageIntents>), usize)> = Vec::new();
        for name in names {
            let crawler = self.crawler(name);
            let paths = paths.keys().map(String::as_str).chain([general]);
            let intents = (name.is_purpose(), paths.map(|path| self.at(&crawler, path)).collect());
            let place = known.iter().find(|(known, _)| *known == intents).map(|(_, place)| *place);
            match place.and_then(|place| audiences.get_mut(place)) {
                Some(audience) => audience.names.push(name.clone()),
                None => {
                    known.push((intents, audiences.len()));
                    audiences.push(PreferenceAudience { names: vec![name.clone()], crawler });
                }
            }
        }
        audiences
    }

    /// Returns the source's intent for each usage on a path, for the purpose with the strictest outcome.
    fn at(&self, crawler: &Crawler, path: &str) -> UsageIntents {
        let mut intents = UsageIntents::new();
        for usage in PREFERENCE_USAGES {
            let stricter =
                |one: UsageIntent, other: UsageIntent| if other.severity() > one.severity() { other } else { one };
            let asked = self.purposes.iter().map(|purposes| intent(self.site, crawler, path, usage, purposes));
            let strictest = asked.reduce(stricter).filter(|intent| intent.outcome != Outcome::Unstated);
            intents.extend(strictest.map(|intent| (usage.clone(), intent)));
        }
        intents
    }

    /// Compares the target with the source on each of these paths. Returns the losses.
    fn losses_of(
        &self,
        target: TargetPreferences,
        text: &str,
        audiences: &[PreferenceAudience],
        paths: &Paths,
    ) -> Vec<Loss> {
        let target_evidence = read_back(target, text);
        let mut found: BTreeMap<LossKey, LossDetails> = BTreeMap::new();
        for (number, audience) in audiences.iter().enumerate() {
            for (path, is_recased) in paths {
                let intents = self.at(&audience.crawler, path);
                for usage in PREFERENCE_USAGES {
                    let intended = intents.get(usage).unwrap_or(&UNSTATED);
                    let got = intent(&target_evidence, &audience.crawler, path, usage, &[]);
                    if got.is_same(intended) {
                        continue;
                    }
                    let mismatch = UsageMismatch {
                        target,
                        usage,
                        intended,
                        got: &got,
                        is_recased: *is_recased,
                        intents: &intents,
                    };
                    let (effect, cause) = self.why(&mismatch, number, path, &audience.crawler);
                    let place = self.place(&audience.crawler, path, usage);
                    let key = LossKey { effect, cause, intended: intended.outcome, got: got.outcome, place };
                    let found = found.entry(key).or_insert_with(|| LossDetails::at(path));
                    found.usages.insert(usage.clone());
                    found.audiences.insert(number);
                }
            }
        }
        found.iter().map(|(key, found)| found.loss(key, target, audiences)).collect()
    }

    /// Returns how the target differs from the intent, and why.
    fn why(
        &self,
        mismatch: &UsageMismatch<'_>,
        audience: usize,
        path: &str,
        crawler: &Crawler,
    ) -> (LossEffect, LossCause) {
        let UsageMismatch { target, usage, intended, got, is_recased, intents } = *mismatch;
        // The target could express this if it could address crawlers separately.
        let is_named = audience > 0 && target.addresses(usage);
        let is_for_one =
            !target.has_names() && (is_named || intended.outcome == Outcome::Permitted && is_expressible(mismatch));
        let is_restricted = |intent: &UsageIntent| intent.severity() > 0;
        let (is, should) = (got.severity(), intended.severity());
        if is > should {
            let plain = intent(self.site, crawler, path, usage, &[]);
            let others = intents.iter().filter(|(other, _)| *other != usage);
            let is_together =
                others.into_iter().any(|(other, intent)| is_restricted(intent) && target.addresses_both(usage, other));
            let cause = match () {
                () if intended.outcome == Outcome::Conditional => LossCause::Condition,
                () if plain.outcome != intended.outcome => LossCause::Purpose,
                () if is_together => LossCause::Together,
                () if is_for_one => LossCause::Crawler,
                () => LossCause::Scope,
            };
            return (LossEffect::Narrower, cause);
        }
        let cause = match () {
            () if !target.addresses(usage) && is_restricted(intended) => LossCause::Usage,
            () if is_recased => LossCause::Case,
            () if is_for_one => LossCause::Crawler,
            () if is == should && intended.outcome == Outcome::Permitted => LossCause::Permission,
            () if is == should && should > 0 => LossCause::Condition,
            () => LossCause::Scope,
        };
        (LossEffect::LeftOut, cause)
    }

    /// Returns the position of the deciding statement, or `None` if a default decides.
    fn place(&self, crawler: &Crawler, path: &str, usage: &Usage) -> Option<StatementPlace> {
        let decision = byleave::analysis::decide_unchecked(self.site, &ProposedUse::new(path, crawler, usage));
        let statement = decision.reason.statement().and_then(|id| self.statements.get(id, usage))?;
        let document = (statement.document != ROBOTS_TXT).then(|| statement.document.to_owned());
        let pattern = match statement.scope {
            Scope::Pattern(b"/" | b"*" | b"/*") => None,
            Scope::Pattern(pattern) => Some(String::from_utf8_lossy(pattern).into_owned()),
            _ => None,
        };
        Some(StatementPlace { document, line: statement.line, pattern })
    }

    /// Returns a loss for each missing file. The usages that a missing file may address are prohibited (S-21, S-45).
    fn needs(&self, audiences: &[PreferenceAudience]) -> Vec<Loss> {
        let mut found: BTreeMap<String, Loss> = BTreeMap::new();
        for audience in audiences {
            for usage in PREFERENCE_USAGES {
                let explanation =
                    byleave::analysis::explain_unchecked(self.site, &ProposedUse::new("/", &audience.crawler, usage));
                for location in explanation.needs {
                    let message = format!("`{location}` is missing, so the usages that it may address are prohibited");
                    let name = audience.names.first().map(GroupAddressee::shown);
                    let loss =
                        || Loss::new(LossCause::Reference, LossEffect::Narrower, message).of_crawler(name.as_deref());
                    found.entry(location).or_insert_with(loss);
                }
            }
        }
        found.into_values().collect()
    }
}

/// One usage on one path, as intended and as expressed by the target.
struct UsageMismatch<'a> {
    target: TargetPreferences,
    usage: &'a Usage,
    intended: &'a UsageIntent,
    got: &'a UsageIntent,
    is_recased: bool,
    intents: &'a UsageIntents,
}

/// Returns whether the target can permit the usage without permitting a usage that the source does not permit. A key
/// may address several usages.
fn is_expressible(mismatch: &UsageMismatch<'_>) -> bool {
    let intents = mismatch.intents;
    let is_permitted = |usage: &Usage| intents.get(usage).is_some_and(|intent| intent.outcome == Outcome::Permitted);
    let with_it = PREFERENCE_USAGES.iter().filter(|other| mismatch.target.addresses_both(mismatch.usage, other));
    mismatch.target.addresses(mismatch.usage) && with_it.into_iter().all(is_permitted)
}

fn intent(site: &Site<'_>, crawler: &Crawler, path: &str, usage: &Usage, purposes: &[String]) -> UsageIntent {
    let mut proposed = ProposedUse::new(path, crawler, usage);
    proposed.purposes = purposes;
    let outcome = byleave::analysis::decide_unchecked(site, &proposed).outcome;
    let conditions = match outcome {
        Outcome::Conditional => byleave::analysis::explain_unchecked(site, &proposed).expressed,
        Outcome::Permitted | Outcome::Prohibited | Outcome::Unstated => Vec::new(),
    };
    UsageIntent { outcome, conditions }
}

/// The values that all mismatches in one loss share.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LossKey {
    effect: LossEffect,
    cause: LossCause,
    intended: Outcome,
    got: Outcome,
    /// The deciding statement in the source.
    place: Option<StatementPlace>,
}

/// The position of a statement, and its pattern.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct StatementPlace {
    /// `None` for robots.txt.
    document: Option<String>,
    line: u32,
    /// `None` if the statement addresses all paths.
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
        let intended = key.intended.name();
        // Overlaps and case differences affect only some of the statement's paths, so the message names one path. Other
        // causes affect all its paths, so the message names the pattern.
        let is_local = matches!(key.cause, LossCause::Scope | LossCause::Case) || key.place.is_none();
        let pattern = key.place.as_ref().and_then(|place| place.pattern.as_deref());
        let of = match pattern {
            _ if is_local && self.path != "/" => format!(" at `{}`", self.path),
            Some(pattern) if !is_local => format!(" on `{pattern}`"),
            _ => String::new(),
        };
        let by = match &key.place {
            Some(StatementPlace { document: Some(document), line, .. }) => format!("by line {line} of {document}"),
            _ => "in the source".to_owned(),
        };
        let why = why(key, target);
        let message = format!("{} {is} {intended} for {whom}{of} {by}; {why}", listed.join(", "));
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
            format!("{name} cannot express that condition, so the usage is prohibited")
        }
        (LossEffect::Narrower, LossCause::Purpose) => {
            format!("the source prohibits it for a purpose, and {name} cannot express purposes")
        }
        (LossEffect::Narrower, LossCause::Together) => "a key that prohibits other usages also covers this".to_owned(),
        (_, LossCause::Crawler) => format!("{name} cannot address crawlers separately"),
        (LossEffect::Narrower, _) => "a narrower line can only prohibit what a wider line permits".to_owned(),
        (LossEffect::LeftOut, LossCause::Usage) => format!("{name} cannot express that"),
        (LossEffect::LeftOut, LossCause::Permission) => {
            format!("{name} cannot permit that without permitting more")
        }
        (LossEffect::LeftOut, LossCause::Condition) => format!("{name} cannot express that condition"),
        (LossEffect::LeftOut, LossCause::Case) => "the target distinguishes letter case in paths".to_owned(),
        (LossEffect::LeftOut, _) => {
            format!("in the target it is {}, because the longest matching path decides", key.got.name())
        }
    }
}
