//! Fields that are neither names nor rules: those of groups, and those that stand outside of every group.
//!
//! They go into robots.txt as they are. Some state preferences (S-40), and the others decide nothing.

use super::LossCause;
use super::draft::Draft;
use super::loss::{Loss, LossEffect};
use super::preferences::walk;
use super::purposes::PURPOSE;
use super::source::{Audience, RobotsTxtSource, is_of_site};
use crate::budget::Budget;
use crate::preference_writer::PREFERENCE_USAGES;
use byleave::vocabulary::Field;
use byleave::{Crawler, Fact, Obtained, Outcome, ProposedUse};
use std::collections::BTreeMap;

/// The fields of the groups that bind an audience.
pub(super) fn of_groups(source: &RobotsTxtSource<'_>, audience: &Audience) -> Vec<Vec<u8>> {
    let is_own = |fact: &&Fact<'_>| fact.group.is_some_and(|group| audience.groups.contains(&group));
    source.facts.iter().filter(|fact| is_copied(fact)).filter(is_own).map(written).collect()
}

/// The fields outside of every group, which stand before them all.
pub(super) fn outside_of_groups(source: &RobotsTxtSource<'_>) -> Vec<Vec<u8>> {
    let is_outside = |fact: &&Fact<'_>| fact.group.is_none() && !fact.is_doubtful;
    source.facts.iter().filter(|fact| is_copied(fact)).filter(is_outside).map(written).collect()
}

/// What is about the site, which stands behind all groups.
pub(super) fn of_site(source: &RobotsTxtSource<'_>) -> Vec<Vec<u8>> {
    source.facts.iter().filter(|fact| is_of_site(fact.field)).map(written).collect()
}

/// Fields that robots.txt does not get: those in groups of ACAP, and purposes where they are not read.
pub(super) fn not_in_robots_txt(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let reads_purposes = source.policy.reading().switches().reads_preferences;
    let left_out = source.facts.iter().filter(|fact| match fact.field {
        PURPOSE => !reads_purposes,
        _ => is_copied(fact) && fact.group.is_none() && fact.is_doubtful,
    });
    let why = |fact: &Fact<'_>, times: &str| match fact.field {
        PURPOSE => format!("`{}`{times} decides nothing in this reading", PURPOSE.name()),
        field => format!("`{}`{times} stands in a group of ACAP, and it is in doubt whom it addresses", field.name()),
    };
    by_field(source, left_out, why)
}

/// Fields of groups for which ACAP has no place.
pub(super) fn not_in_acap(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let reads_preferences = source.policy.reading().switches().reads_preferences;
    let is_left_out = |fact: &&Fact<'_>| !is_of_site(fact.field) && (fact.field != PURPOSE || !reads_preferences);
    let why = |fact: &Fact<'_>, times: &str| match is_preference(source, fact.field) {
        true => format!("`{}`{times} states preferences, which are not put into ACAP's groups", fact.field.name()),
        false => format!("`{}`{times} decides nothing and has no place in ACAP's groups", fact.field.name()),
    };
    by_field(source, source.facts.iter().filter(is_left_out), why)
}

/// A loss for each field that is left out, at its first line.
fn by_field<'f>(
    source: &RobotsTxtSource<'_>,
    facts: impl Iterator<Item = &'f Fact<'f>>,
    why: impl Fn(&Fact<'_>, &str) -> String,
) -> Vec<Loss> {
    let mut by_field: BTreeMap<&str, (&Fact<'_>, usize)> = BTreeMap::new();
    for fact in facts {
        by_field.entry(fact.field.name()).or_insert((fact, 0)).1 += 1;
    }
    let loss = |(fact, count): (&Fact<'_>, usize)| {
        let times = if count == 1 { String::new() } else { format!(" (and {} more)", count - 1) };
        let cause = if is_preference(source, fact.field) { LossCause::Usage } else { LossCause::Fact };
        Loss::new(cause, LossEffect::LeftOut, why(fact, &times)).at(Some(fact.line))
    };
    by_field.into_values().map(loss).collect()
}

/// Tells where preferences that were copied permit, or limit, what they do not in the source, and whether there is nowhere else:
/// where `Disallow` wins they permit nothing (S-31), and ACAP may have admitted to crawl there.
///
/// Cost: at most [`MAX_QUESTIONS`], each asked of both.
pub(super) fn counting_anew(source: &RobotsTxtSource<'_>, draft: &Draft) -> (Vec<Loss>, bool) {
    let (mut losses, mut is_whole) = (Vec::new(), true);
    if source.statements.preferences().is_empty() || source.statements.acap().is_empty() {
        return (losses, is_whole);
    }
    let text = draft.written().0;
    let target = source.evidence.clone().with_robots_txt(Obtained::Status(200), &text);
    let budget = Budget::of_conversion();
    // Deciding looks at every preference.
    let mut left = MAX_QUESTIONS / (1 + source.statements.preferences().len() / 16);
    for audience in &source.audiences {
        let crawlers: Vec<Crawler> =
            [Some(&audience.crawler), audience.having_all.as_ref()].into_iter().flatten().cloned().collect();
        let walked = walk(&[source.evidence, &target], &crawlers, &budget);
        let most = left / (PREFERENCE_USAGES.len() * crawlers.len());
        is_whole &= walked.is_exact && walked.regions.len() <= most;
        left = left
            .saturating_sub(PREFERENCE_USAGES.len() * crawlers.len() * walked.regions.len().max(PATHS_PER_AUDIENCE));
        for (usage, outcome) in
            PREFERENCE_USAGES.iter().flat_map(|usage| NEWLY_EXPRESSED.map(|outcome| (usage, outcome)))
        {
            let is_new_to = |crawler: &Crawler, path: &str| {
                let proposed = ProposedUse::new(path, crawler, usage);
                // What is prohibited there is so by ACAP, and left out as a usage.
                byleave::decide(&target, &proposed).outcome == outcome
                    && byleave::decide(source.evidence, &proposed).outcome == Outcome::Unstated
            };
            let mut paths = walked.regions.iter().map(|region| region.path.as_str()).take(most);
            let new = paths.find(|path| crawlers.iter().any(|crawler| is_new_to(crawler, path)));
            let Some(path) = new else { continue };
            let message = format!(
                "`{usage}` is {} to {} at `{path}`, and not spoken of in the source: there ACAP admits what `Disallow` does \
                 not, and where that wins preferences permit nothing",
                outcome.name(),
                audience.whom()
            );
            let effect = if outcome == Outcome::Permitted { LossEffect::LeftOut } else { LossEffect::Narrower };
            let loss = Loss::new(LossCause::Scope, effect, message).of_usage(usage);
            let loss = loss.of_crawler(audience.shown().as_deref());
            losses.push(Loss { path: Some(path.to_owned()), crawlers: audience.count(), ..loss });
        }
    }
    (losses, is_whole)
}

/// What preferences do not come to where `Disallow` wins.
const NEWLY_EXPRESSED: [Outcome; 2] = [Outcome::Permitted, Outcome::Conditional];

const MAX_QUESTIONS: usize = 200_000;
/// An audience costs as much as so many paths, to look for them.
const PATHS_PER_AUDIENCE: usize = 16;

/// Whether a field goes into robots.txt, to its group or before all.
fn is_copied(fact: &Fact<'_>) -> bool {
    !is_of_site(fact.field) && fact.field != PURPOSE
}

/// Whether a field states a preference, in the reading of the source.
fn is_preference(source: &RobotsTxtSource<'_>, field: Field) -> bool {
    field.is_preference() && source.policy.reading().switches().reads_preferences
}

fn written(fact: &Fact<'_>) -> Vec<u8> {
    [fact.field.name().as_bytes(), b": ", fact.value].concat()
}
