//! Converts the decisions about one resource into header and META tag directives, and verifies the result.

use super::Conversion;
use super::loss::{Loss, LossCause, LossEffect};
use crate::crawler_classes::MAX_PURPOSES;
use crate::directive_writer::{WrittenDirectives, is_header_name};
use crate::names::{labelled, nobody};
use crate::scope::{is_truncated, unreadable};
use crate::usage_intent::{CONDITIONAL, UNSTATED, UsageIntent, UsageIntents, are_same};
use byleave::analysis::vocabulary::{DIRECTIVES, DirectiveEffect};
use byleave::{Crawler, Headers, Outcome, ProposedUse, Reading, Site, Usage};
use std::collections::BTreeMap;

/// A carrier of directives about one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetDirectives {
    /// The `Robots-Tag` header.
    RobotsTag,
    /// META tags.
    Meta,
}

/// Converts the decisions about a resource into directives, for everyone and for each crawler that the site names.
///
/// The effective outcome is converted (S-14): if a page may not be crawled, all other usages are prohibited too.
///
/// ```
/// use byleave::{Site, Reading};
/// use byleave_review::convert::{TargetDirectives, convert_resource};
/// let robots_txt = b"ACAP-crawler: *\nACAP-allow-index: / time-limit=until-2027-12-31\nACAP-disallow-follow: /\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let converted = convert_resource(&site, "/news/1", TargetDirectives::RobotsTag);
/// assert_eq!(converted.text, b"Robots-Tag: *;nofollow;unavailable_after=@1830297600\n");
/// assert!(converted.is_exact());
/// ```
///
/// Cost: one decision per usage and named crawler. At most 512 crawlers are examined.
#[must_use]
pub fn convert_resource(site: &Site<'_>, url: &str, target: TargetDirectives) -> Conversion {
    let mut losses = Vec::new();
    let mut names = names(site);
    if names.len() > MAX_NAMES {
        let message = format!("the source names {} crawlers; only {MAX_NAMES} were examined", names.len());
        losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
        names.truncate(MAX_NAMES);
    }
    names.retain(|name| {
        let can = is_header_name(name);
        if !can {
            let message = format!("`{name}` cannot be written in a header");
            losses.push(Loss::new(LossCause::Name, LossEffect::LeftOut, message).of_crawler(Some(name)));
        }
        can
    });
    if is_truncated(site) {
        let message = "the source exceeds the size limit; its end was not converted".to_owned();
        losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
    }
    losses.extend(
        unreadable(site).into_iter().map(|message| Loss::new(LossCause::Unknown, LossEffect::LeftOut, message)),
    );
    let nobody = nobody(&[site]);
    let apart = |usage: &&Usage| {
        !byleave::analysis::explain_unchecked(site, &ProposedUse::new(url, &nobody, usage)).parts.is_empty()
    };
    let apart: Vec<String> = Usage::NAMED.iter().filter(apart).map(|usage| format!("`{usage}`")).collect();
    if !apart.is_empty() {
        let usages = apart.join(", ");
        let message = format!(
            "parts of the page state something different about {usages}, but directives only address the whole page"
        );
        losses.push(Loss::new(LossCause::Element, LossEffect::LeftOut, message));
    }
    let everyone = intents(site, url, &nobody);
    let named: Vec<(String, UsageIntents)> = names
        .iter()
        .map(|name| (name.clone(), intents(site, url, &Crawler::named(name))))
        .filter(|(_, intents)| *intents != everyone)
        .collect();
    // Directives can address only names, while groups can also address purposes (S-50).
    for purpose in site.purposes_of_groups().into_iter().take(MAX_PURPOSES).map(String::from_utf8_lossy) {
        if intents(site, url, &nobody.clone().also_named(&purpose)) != everyone {
            let label = labelled(&purpose);
            let message = format!("`{label}` and its statements are omitted: directives only address names");
            losses.push(Loss::new(LossCause::Purpose, LossEffect::LeftOut, message).of_crawler(Some(&label)));
        }
    }
    let directives = WrittenDirectives::of(&everyone, &named);
    let text = written(&directives, target);
    let read_back = read_back(&text, target);
    let whom =
        std::iter::once((None, &everyone)).chain(named.iter().map(|(name, intents)| (Some(name.as_str()), intents)));
    let read_back = read_back.site(target);
    let mut differences: BTreeMap<DirectiveMismatch, Vec<Option<&str>>> = BTreeMap::new();
    for (name, intents) in whom {
        for mismatch in verify(name, &nobody, intents, &everyone, url, &read_back) {
            differences.entry(mismatch).or_default().push(name);
        }
    }
    losses.extend(differences.iter().map(|(mismatch, whom)| mismatch.loss(whom, url)));
    losses.sort_by_key(|loss| (loss.effect, loss.cause));
    Conversion { text: text.into_bytes(), losses, is_proved: true }
}

/// At most this many names are examined.
pub(crate) const MAX_NAMES: usize = 512;

/// Returns the names of the crawlers that the site names.
fn names(site: &Site<'_>) -> Vec<String> {
    site.crawlers_named().into_iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// Returns the effective outcome of each usage for a crawler. Omits usages whose outcome is unstated.
fn intents(site: &Site<'_>, url: &str, crawler: &Crawler) -> UsageIntents {
    let intent = |usage: &Usage| {
        let explanation = byleave::analysis::explain_unchecked(site, &ProposedUse::new(url, crawler, usage));
        let outcome = explanation.decision.effective;
        let conditions = if outcome == Outcome::Conditional { explanation.conditions } else { Vec::new() };
        (outcome != Outcome::Unstated).then(|| (usage.clone(), UsageIntent { outcome, conditions }))
    };
    Usage::NAMED.iter().filter_map(intent).collect()
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

/// The written target in a form that the engine can read.
pub(crate) struct TargetText {
    text: String,
}

/// Returns a written target as a document that the engine can read.
pub(crate) fn read_back(text: &str, target: TargetDirectives) -> TargetText {
    let text = match target {
        TargetDirectives::RobotsTag => text.to_owned(),
        TargetDirectives::Meta => format!("<!doctype html><title>t</title>\n{text}"),
    };
    TargetText { text }
}

impl TargetText {
    pub(crate) fn site(&self, target: TargetDirectives) -> Site<'_> {
        let site = Site::builder(Reading::Default);
        let site = match target {
            TargetDirectives::Meta => site.with_page(self.text.as_bytes()),
            TargetDirectives::RobotsTag => {
                let lines = self.text.lines().filter_map(|line| line.split_once(": "));
                site.with_headers(lines.fold(Headers::new(), |headers, (name, value)| headers.with(name, value)))
            }
        };
        site.build()
    }
}

/// Usages for which the directives do not express the intent, all with the same cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DirectiveMismatch {
    effect: LossEffect,
    cause: LossCause,
    intended: Outcome,
    usages: Vec<Usage>,
}

/// Compares the directives with the intent for one crawler.
fn verify(
    name: Option<&str>,
    nobody: &Crawler,
    intents: &UsageIntents,
    everyone: &UsageIntents,
    url: &str,
    read_back: &Site<'_>,
) -> Vec<DirectiveMismatch> {
    let crawler = name.map_or_else(|| nobody.clone(), Crawler::named);
    let mut groups: BTreeMap<(LossEffect, LossCause, Outcome), Vec<Usage>> = BTreeMap::new();
    for usage in Usage::NAMED {
        let intent = intents.get(usage).unwrap_or(&UNSTATED);
        // No directive permits crawling, and none is needed.
        if *usage == Usage::Crawl && intent.outcome != Outcome::Prohibited {
            continue;
        }
        let got =
            UsageIntent::of(byleave::analysis::explain_unchecked(read_back, &ProposedUse::new(url, &crawler, usage)));
        if got.is_same(intent) {
            continue;
        }
        let has_directive =
            DIRECTIVES.iter().any(|word| word.effect != DirectiveEffect::Permits && word.usages.contains(usage));
        let (is, intended) = (got.severity(), intent.severity());
        let to_everyone_else = everyone.get(usage).map_or(0, UsageIntent::severity);
        let (effect, cause) = match () {
            () if is > intended || is == CONDITIONAL && intended == CONDITIONAL => {
                let is_other = everyone.get(usage) != intents.get(usage);
                let limits = everyone.get(usage).map(|intent| intent.conditions.as_slice()).unwrap_or_default();
                let to_everyone =
                    byleave::analysis::explain_unchecked(read_back, &ProposedUse::new(url, nobody, usage)).conditions;
                let is_limit_of_everyone = is != CONDITIONAL || are_same(&got.conditions, limits);
                let is_of_everyone = name.is_some()
                    && is_other
                    && to_everyone_else > 0
                    && to_everyone_else >= is
                    && is_limit_of_everyone;
                let cause = match intent.outcome {
                    _ if is_of_everyone => LossCause::Fallback,
                    // The directive was written for this crawler because of another usage, and it also covers this
                    // usage.
                    _ if !is_other && !are_same(&got.conditions, &to_everyone) => LossCause::Together,
                    Outcome::Conditional => LossCause::Condition,
                    Outcome::Permitted | Outcome::Prohibited | Outcome::Unstated => LossCause::Together,
                };
                (LossEffect::Narrower, cause)
            }
            () if is == intended => (LossEffect::LeftOut, LossCause::Permission),
            () if !has_directive => (LossEffect::LeftOut, LossCause::Usage),
            () => (LossEffect::LeftOut, LossCause::Condition),
        };
        groups.entry((effect, cause, intent.outcome)).or_default().push(usage.clone());
    }
    let mismatch = |((effect, cause, intended), usages)| DirectiveMismatch { effect, cause, intended, usages };
    groups.into_iter().map(mismatch).collect()
}

impl DirectiveMismatch {
    /// Returns the loss for these crawlers.
    fn loss(&self, crawlers: &[Option<&str>], url: &str) -> Loss {
        let listed: Vec<String> = self.usages.iter().map(|usage| format!("`{usage}`")).collect();
        let is = if listed.len() == 1 { "is" } else { "are" };
        let first = crawlers.first().copied().flatten();
        let (usages, intended) = (listed.join(", "), self.intended.name());
        let whom = first.map_or("everyone".to_owned(), |name| format!("`{name}`"));
        let why = match (self.effect, self.cause) {
            (LossEffect::Narrower, LossCause::Fallback) => "directives for everyone also bind this crawler",
            (LossEffect::Narrower, LossCause::Condition) => {
                "no directive has those conditions, so a stricter directive is written"
            }
            (LossEffect::Narrower, _) => "a directive for other usages also covers this",
            (LossEffect::LeftOut, LossCause::Permission) => {
                "no directive permits this, so the target does not state it"
            }
            (LossEffect::LeftOut, _) => "no directive addresses this",
        };
        let message = format!("{usages} {is} {intended} for {whom} in the source; {why}");
        let loss = Loss::new(self.cause, self.effect, message).of_crawler(first);
        let loss = self.usages.first().into_iter().fold(loss, Loss::of_usage);
        Loss { crawlers: crawlers.len(), path: Some(url.to_owned()), ..loss }
    }
}
