//! What is decided of one resource, put into the words of headers and META tags, and verify against them.

use super::Conversion;
use super::loss::{Loss, LossCause, LossEffect};
use crate::crawler_classes::MAX_PURPOSES;
use crate::directive_writer::{UsageIntent, UsageIntents, WrittenDirectives, is_header_name};
use crate::names::{labelled, nobody};
use crate::scope::{is_truncated, unreadable};
use byleave::model::{Condition, TimeLimit};
use byleave::vocabulary::{WORDS, WordEffect};
use byleave::{Crawler, Evidence, Headers, Outcome, ProposedUse, Reading, Usage};
use std::collections::BTreeMap;

/// A carrier of words about one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetDirectives {
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
/// use byleave_review::convert::{TargetDirectives, convert_resource};
/// let robots_txt = b"ACAP-crawler: *\nACAP-allow-index: / time-limit=until-2027-12-31\nACAP-disallow-follow: /\n";
/// let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
/// let converted = convert_resource(&evidence, "/news/1", TargetDirectives::RobotsTag);
/// assert_eq!(converted.text, b"Robots-Tag: *;nofollow;unavailable_after=@1830297600\n");
/// assert!(converted.is_exact());
/// ```
///
/// Cost: a decision for each usage and each crawler named, of whom 512 are looked at.
#[must_use]
pub fn convert_resource(evidence: &Evidence<'_>, url: &str, target: TargetDirectives) -> Conversion {
    let mut losses = Vec::new();
    let mut names = names(evidence);
    if names.len() > MAX_NAMES {
        let message = format!("{} crawlers are named, and {MAX_NAMES} are looked at", names.len());
        losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
        names.truncate(MAX_NAMES);
    }
    names.retain(|name| {
        let can = is_header_name(name);
        if !can {
            let message = format!("`{name}` cannot be named in a header");
            losses.push(Loss::new(LossCause::Name, LossEffect::LeftOut, message).of_crawler(Some(name)));
        }
        can
    });
    if is_truncated(evidence) {
        let message = "the source is longer than is read, and what lies beyond is not converted".to_owned();
        losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
    }
    losses.extend(
        unreadable(evidence).into_iter().map(|message| Loss::new(LossCause::Unknown, LossEffect::LeftOut, message)),
    );
    let nobody = nobody(&[evidence]);
    let apart = |usage: &&Usage| !byleave::explain(evidence, &ProposedUse::new(url, &nobody, usage)).parts.is_empty();
    let apart: Vec<String> = Usage::NAMED.iter().filter(apart).map(|usage| format!("`{usage}`")).collect();
    if !apart.is_empty() {
        let message =
            format!("of {} parts of the page say otherwise than the page; words are about the whole", apart.join(", "));
        losses.push(Loss::new(LossCause::Element, LossEffect::LeftOut, message));
    }
    let everyone = wishes(evidence, url, &nobody);
    let named: Vec<(String, UsageIntents)> = names
        .iter()
        .map(|name| (name.clone(), wishes(evidence, url, &Crawler::named(name))))
        .filter(|(_, wishes)| *wishes != everyone)
        .collect();
    // No word is for a purpose in the place of a name (S-50).
    for purpose in evidence.purposes_of_groups().into_iter().take(MAX_PURPOSES).map(String::from_utf8_lossy) {
        if wishes(evidence, url, &nobody.clone().also_named(&purpose)) != everyone {
            let label = labelled(&purpose);
            let message = format!("`{label}` is left out with what is said to it: words are for names only");
            losses.push(Loss::new(LossCause::Purpose, LossEffect::LeftOut, message).of_crawler(Some(&label)));
        }
    }
    let directives = WrittenDirectives::of(&everyone, &named);
    let text = written(&directives, target);
    let read_back = read_back(&text, target);
    let whom =
        std::iter::once((None, &everyone)).chain(named.iter().map(|(name, wishes)| (Some(name.as_str()), wishes)));
    let read_back = read_back.evidence(target);
    let mut differences: BTreeMap<DirectiveMismatch, Vec<Option<&str>>> = BTreeMap::new();
    for (name, wishes) in whom {
        for mismatch in verify(name, &nobody, wishes, &everyone, url, &read_back) {
            differences.entry(mismatch).or_default().push(name);
        }
    }
    losses.extend(differences.iter().map(|(mismatch, whom)| mismatch.told(whom, url)));
    losses.sort_by_key(|loss| (loss.effect, loss.cause));
    Conversion { text: text.into_bytes(), losses, is_proved: true }
}

/// How many names are looked at.
pub(crate) const MAX_NAMES: usize = 512;

/// The crawlers that the evidence names.
fn names(evidence: &Evidence<'_>) -> Vec<String> {
    evidence.crawlers_named().into_iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// What each usage comes to for a crawler, what is unstated left out.
fn wishes(evidence: &Evidence<'_>, url: &str, crawler: &Crawler) -> UsageIntents {
    let wish = |usage: &Usage| {
        let explanation = byleave::explain(evidence, &ProposedUse::new(url, crawler, usage));
        let outcome = explanation.decision.effective;
        let conditions = if outcome == Outcome::Conditional { explanation.conditions } else { Vec::new() };
        (outcome != Outcome::Unstated).then(|| (usage.clone(), UsageIntent { outcome, conditions }))
    };
    Usage::NAMED.iter().filter_map(wish).collect()
}

fn written(directives: &WrittenDirectives, target: TargetDirectives) -> String {
    let lines = match target {
        TargetDirectives::RobotsTag => {
            directives.as_robots_tag().iter().map(|line| format!("Robots-Tag: {line}")).collect()
        }
        TargetDirectives::Meta => directives.as_meta(),
    };
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The target, to be asked.
pub(crate) struct TargetText {
    text: String,
}

/// The text of a target, to be read by the engine.
pub(crate) fn read_back(text: &str, target: TargetDirectives) -> TargetText {
    let text = match target {
        TargetDirectives::RobotsTag => text.to_owned(),
        TargetDirectives::Meta => format!("<!doctype html><title>t</title>\n{text}"),
    };
    TargetText { text }
}

impl TargetText {
    pub(crate) fn evidence(&self, target: TargetDirectives) -> Evidence<'_> {
        let evidence = Evidence::new(Reading::Default);
        match target {
            TargetDirectives::Meta => evidence.with_page(self.text.as_bytes()),
            TargetDirectives::RobotsTag => {
                let lines = self.text.lines().filter_map(|line| line.split_once(": "));
                evidence.with_headers(lines.fold(Headers::new(), |headers, (name, value)| headers.with(name, value)))
            }
        }
    }
}

/// Usages of which the words do not say what is wished, all for the same cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DirectiveMismatch {
    effect: LossEffect,
    cause: LossCause,
    wished: Outcome,
    usages: Vec<Usage>,
}

/// Holds the words against what is wished for one crawler.
fn verify(
    name: Option<&str>,
    nobody: &Crawler,
    wishes: &UsageIntents,
    everyone: &UsageIntents,
    url: &str,
    read_back: &Evidence<'_>,
) -> Vec<DirectiveMismatch> {
    let crawler = name.map_or_else(|| nobody.clone(), Crawler::named);
    let mut groups: BTreeMap<(LossEffect, LossCause, Outcome), Vec<Usage>> = BTreeMap::new();
    for usage in Usage::NAMED {
        let unstated = UsageIntent { outcome: Outcome::Unstated, conditions: Vec::new() };
        let wish = wishes.get(usage).unwrap_or(&unstated);
        // That crawling is permitted is no word's to say, and nobody misses it.
        if *usage == Usage::Crawl && wish.outcome != Outcome::Prohibited {
            continue;
        }
        let explanation = byleave::explain(read_back, &ProposedUse::new(url, &crawler, usage));
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
                let to_everyone = byleave::explain(read_back, &ProposedUse::new(url, nobody, usage)).conditions;
                let is_limit_of_everyone = is != LIMITED || is_same(&explanation.conditions, limits);
                let is_of_everyone =
                    name.is_some() && is_other && said_to_all > 0 && said_to_all >= is && is_limit_of_everyone;
                let cause = match wish.outcome {
                    _ if is_of_everyone => LossCause::Fallback,
                    // A word to it alone, that was needed for another usage.
                    _ if !is_other && !is_same(&explanation.conditions, &to_everyone) => LossCause::Together,
                    Outcome::Conditional => LossCause::Condition,
                    Outcome::Permitted | Outcome::Prohibited | Outcome::Unstated => LossCause::Together,
                };
                (LossEffect::Narrower, cause)
            }
            () if is == wished => (LossEffect::LeftOut, LossCause::Permission),
            () if !has_word => (LossEffect::LeftOut, LossCause::Usage),
            () => (LossEffect::LeftOut, LossCause::Condition),
        };
        groups.entry((effect, cause, wish.outcome)).or_default().push(usage.clone());
    }
    let mismatch = |((effect, cause, wished), usages)| DirectiveMismatch { effect, cause, wished, usages };
    groups.into_iter().map(mismatch).collect()
}

impl DirectiveMismatch {
    /// The loss of it, for these crawlers.
    fn told(&self, whom: &[Option<&str>], url: &str) -> Loss {
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
            (LossEffect::Narrower, LossCause::Fallback) => "what is said to everyone binds it here too",
            (LossEffect::Narrower, LossCause::Condition) => "no word has those conditions, so more is prohibited here",
            (LossEffect::Narrower, _) => "the word that says the rest speaks of that too",
            (LossEffect::LeftOut, LossCause::Permission) => "no word permits that, so nothing is said",
            (LossEffect::LeftOut, _) => "no word speaks of that",
        };
        let loss = Loss::new(self.cause, self.effect, format!("{said} in the source; {why}")).of_crawler(first);
        let loss = self.usages.first().into_iter().fold(loss, Loss::of_usage);
        Loss { crawlers: whom.len(), path: Some(url.to_owned()), ..loss }
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
