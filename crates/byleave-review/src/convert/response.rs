//! What is decided of one resource, put into the words of headers and META tags, and held against them.

use super::Conversion;
use super::report::{Cause, Effect, Report};
use crate::crawler_classes::MOST_PURPOSES;
use crate::directive_writer::{Sayings, Wish, Wishes, is_header_name};
use crate::names::{labelled, nobody};
use crate::scope::{is_truncated, unread};
use byleave::model::{Condition, TimeLimit};
use byleave::vocabulary::{WORDS, WordEffect};
use byleave::{Crawler, Evidence, Headers, Outcome, ProposedUse, Reading, Usage};
use std::collections::BTreeMap;

/// A carrier of words about one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetWords {
    /// The header `Robots-Tag`.
    RobotsTag,
    /// META tags.
    Meta,
}

/// Puts into words what is decided of a resource, for everyone and for each crawler that the evidence names.
///
/// What a use comes to is carried (`effective`, S-14): of what may not be crawled, nothing may be made.
///
/// ```
/// use byleave::{Evidence, Reading};
/// use byleave_review::convert::{TargetWords, convert_resource};
/// let robots_txt = b"ACAP-crawler: *\nACAP-allow-index: / time-limit=until-2027-12-31\nACAP-disallow-follow: /\n";
/// let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
/// let converted = convert_resource(&evidence, "/news/1", TargetWords::RobotsTag);
/// assert_eq!(converted.text, b"Robots-Tag: *;nofollow;unavailable_after=@1830297600\n");
/// assert!(converted.is_exact());
/// ```
///
/// Cost: a decision for each usage and each crawler named, of whom 512 are looked at.
#[must_use]
pub fn convert_resource(evidence: &Evidence<'_>, url: &str, target: TargetWords) -> Conversion {
    let mut reports = Vec::new();
    let mut names = names(evidence);
    if names.len() > MOST_NAMES {
        let message = format!("{} crawlers are named, and {MOST_NAMES} are looked at", names.len());
        reports.push(Report::new(Cause::Unknown, Effect::LeftOut, message));
        names.truncate(MOST_NAMES);
    }
    names.retain(|name| {
        let can = is_header_name(name);
        if !can {
            let message = format!("`{name}` cannot be named in a header");
            reports.push(Report::new(Cause::Name, Effect::LeftOut, message).of_crawler(Some(name)));
        }
        can
    });
    if is_truncated(evidence) {
        let message = "the source is longer than is read, and what lies beyond is not converted".to_owned();
        reports.push(Report::new(Cause::Unknown, Effect::LeftOut, message));
    }
    reports.extend(unread(evidence).into_iter().map(|message| Report::new(Cause::Unknown, Effect::LeftOut, message)));
    let nobody = nobody(&[evidence]);
    let apart = |usage: &&Usage| !byleave::explain(evidence, &ProposedUse::new(url, &nobody, usage)).parts.is_empty();
    let apart: Vec<String> = Usage::NAMED.iter().filter(apart).map(|usage| format!("`{usage}`")).collect();
    if !apart.is_empty() {
        let message =
            format!("of {} parts of the page say otherwise than the page; words are about the whole", apart.join(", "));
        reports.push(Report::new(Cause::Element, Effect::LeftOut, message));
    }
    let everyone = wishes(evidence, url, &nobody);
    let named: Vec<(String, Wishes)> = names
        .iter()
        .map(|name| (name.clone(), wishes(evidence, url, &Crawler::named(name))))
        .filter(|(_, wishes)| *wishes != everyone)
        .collect();
    // No word is for a purpose in the place of a name (S-50).
    for purpose in evidence.purposes_of_groups().into_iter().take(MOST_PURPOSES).map(String::from_utf8_lossy) {
        if wishes(evidence, url, &nobody.clone().also_named(&purpose)) != everyone {
            let label = labelled(&purpose);
            let message = format!("`{label}` is left out with what is said to it: words are for names only");
            reports.push(Report::new(Cause::Purpose, Effect::LeftOut, message).of_crawler(Some(&label)));
        }
    }
    let sayings = Sayings::of(&everyone, &named);
    let text = written(&sayings, target);
    let heard = heard(&text, target);
    let whom =
        std::iter::once((None, &everyone)).chain(named.iter().map(|(name, wishes)| (Some(name.as_str()), wishes)));
    let heard = heard.evidence(target);
    let mut differences: BTreeMap<Unsaid, Vec<Option<&str>>> = BTreeMap::new();
    for (name, wishes) in whom {
        for unsaid in held(name, &nobody, wishes, &everyone, url, &heard) {
            differences.entry(unsaid).or_default().push(name);
        }
    }
    reports.extend(differences.iter().map(|(unsaid, whom)| unsaid.told(whom, url)));
    reports.sort_by_key(|report| (report.effect, report.cause));
    Conversion { text: text.into_bytes(), reports, is_proved: true }
}

/// How many names are looked at.
pub(crate) const MOST_NAMES: usize = 512;

/// The crawlers that the evidence names.
fn names(evidence: &Evidence<'_>) -> Vec<String> {
    evidence.crawlers_named().into_iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// What each usage comes to for a crawler, what is unstated left out.
fn wishes(evidence: &Evidence<'_>, url: &str, crawler: &Crawler) -> Wishes {
    let wish = |usage: &Usage| {
        let explanation = byleave::explain(evidence, &ProposedUse::new(url, crawler, usage));
        let outcome = explanation.decision.effective;
        let conditions = if outcome == Outcome::Conditional { explanation.conditions } else { Vec::new() };
        (outcome != Outcome::Unstated).then(|| (usage.clone(), Wish { outcome, conditions }))
    };
    Usage::NAMED.iter().filter_map(wish).collect()
}

fn written(sayings: &Sayings, target: TargetWords) -> String {
    let lines = match target {
        TargetWords::RobotsTag => sayings.as_robots_tag().iter().map(|line| format!("Robots-Tag: {line}")).collect(),
        TargetWords::Meta => sayings.as_meta(),
    };
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The target, to be asked.
pub(crate) struct Heard {
    text: String,
}

/// The text of a target, to be read by the engine.
pub(crate) fn heard(text: &str, target: TargetWords) -> Heard {
    let text = match target {
        TargetWords::RobotsTag => text.to_owned(),
        TargetWords::Meta => format!("<!doctype html><title>t</title>\n{text}"),
    };
    Heard { text }
}

impl Heard {
    pub(crate) fn evidence(&self, target: TargetWords) -> Evidence<'_> {
        let evidence = Evidence::new(Reading::Default);
        match target {
            TargetWords::Meta => evidence.with_page(self.text.as_bytes()),
            TargetWords::RobotsTag => {
                let lines = self.text.lines().filter_map(|line| line.split_once(": "));
                evidence.with_headers(lines.fold(Headers::new(), |headers, (name, value)| headers.with(name, value)))
            }
        }
    }
}

/// Usages of which the words do not say what is wished, all for the same cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Unsaid {
    effect: Effect,
    cause: Cause,
    wished: Outcome,
    usages: Vec<Usage>,
}

/// Holds the words against what is wished for one crawler.
fn held(
    name: Option<&str>,
    nobody: &Crawler,
    wishes: &Wishes,
    everyone: &Wishes,
    url: &str,
    heard: &Evidence<'_>,
) -> Vec<Unsaid> {
    let crawler = name.map_or_else(|| nobody.clone(), Crawler::named);
    let mut groups: BTreeMap<(Effect, Cause, Outcome), Vec<Usage>> = BTreeMap::new();
    for usage in Usage::NAMED {
        let unstated = Wish { outcome: Outcome::Unstated, conditions: Vec::new() };
        let wish = wishes.get(usage).unwrap_or(&unstated);
        // That crawling is permitted is no word's to say, and nobody misses it.
        if *usage == Usage::Crawl && wish.outcome != Outcome::Prohibited {
            continue;
        }
        let explanation = byleave::explain(heard, &ProposedUse::new(url, &crawler, usage));
        let outcome = explanation.decision.outcome;
        if outcome == wish.outcome && is_same(&explanation.conditions, &wish.conditions) {
            continue;
        }
        let has_word = WORDS.iter().any(|word| word.effect != WordEffect::Permits && word.usages.contains(usage));
        let (is, wished) = (gravity(outcome), gravity(wish.outcome));
        let said_to_all = everyone.get(usage).map_or(0, |wish| gravity(wish.outcome));
        let (effect, cause) = match () {
            () if is > wished || is == LIMITED && wished == LIMITED => {
                let is_other = everyone.get(usage) != wishes.get(usage);
                let limits = everyone.get(usage).map(|wish| wish.conditions.as_slice()).unwrap_or_default();
                let to_everyone = byleave::explain(heard, &ProposedUse::new(url, nobody, usage)).conditions;
                let is_limit_of_everyone = is != LIMITED || is_same(&explanation.conditions, limits);
                let is_of_everyone =
                    name.is_some() && is_other && said_to_all > 0 && said_to_all >= is && is_limit_of_everyone;
                let cause = match wish.outcome {
                    _ if is_of_everyone => Cause::Fallback,
                    // A word to it alone, that was needed for another usage.
                    _ if !is_other && !is_same(&explanation.conditions, &to_everyone) => Cause::Together,
                    Outcome::Conditional => Cause::Condition,
                    Outcome::Permitted | Outcome::Prohibited | Outcome::Unstated => Cause::Together,
                };
                (Effect::Narrower, cause)
            }
            () if is == wished => (Effect::LeftOut, Cause::Permission),
            () if !has_word => (Effect::LeftOut, Cause::Usage),
            () => (Effect::LeftOut, Cause::Condition),
        };
        groups.entry((effect, cause, wish.outcome)).or_default().push(usage.clone());
    }
    let unsaid = |((effect, cause, wished), usages)| Unsaid { effect, cause, wished, usages };
    groups.into_iter().map(unsaid).collect()
}

impl Unsaid {
    /// The report of it, for these crawlers.
    fn told(&self, whom: &[Option<&str>], url: &str) -> Report {
        let listed: Vec<String> = self.usages.iter().map(|usage| format!("`{usage}`")).collect();
        let is = if listed.len() == 1 { "is" } else { "are" };
        let first = whom.first().copied().flatten();
        let said = match self.wished {
            Outcome::Unstated => "not spoken of",
            outcome => outcome.name(),
        };
        let said = format!(
            "{} {is} {said} to {}",
            listed.join(", "),
            first.map_or("everyone".to_owned(), |name| format!("`{name}`"))
        );
        let why = match (self.effect, self.cause) {
            (Effect::Narrower, Cause::Fallback) => "what is said to everyone binds it here too",
            (Effect::Narrower, Cause::Condition) => "no word has those conditions, so more is prohibited here",
            (Effect::Narrower, _) => "the word that says the rest speaks of that too",
            (Effect::LeftOut, Cause::Permission) => "no word permits that, so nothing is said",
            (Effect::LeftOut, _) => "no word speaks of that",
        };
        let report = Report::new(self.cause, self.effect, format!("{said} in the source; {why}")).of_crawler(first);
        let report = self.usages.first().into_iter().fold(report, Report::of_usage);
        Report { crawlers: whom.len(), path: Some(url.to_owned()), ..report }
    }
}

/// The gravity of a use that is limited.
const LIMITED: u8 = 1;

/// How much an outcome restricts.
fn gravity(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Permitted | Outcome::Unstated => 0,
        Outcome::Conditional => LIMITED,
        Outcome::Prohibited => 2,
    }
}

/// Whether conditions are the same; a day's end and that instant are (S-08).
pub(crate) fn is_same(one: &[Condition], other: &[Condition]) -> bool {
    let plain = |conditions: &[Condition]| {
        let mut plain: Vec<Condition> = conditions
            .iter()
            .map(|condition| match condition {
                Condition::TimeLimit(TimeLimit::UntilDate(end)) => Condition::TimeLimit(TimeLimit::Until(*end)),
                other => other.clone(),
            })
            .collect();
        plain.sort();
        plain
    };
    plain(one) == plain(other)
}
