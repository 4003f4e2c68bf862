//! Converts fields that are neither names nor rules, inside and outside of groups.
//!
//! A conversion to robots.txt copies them unchanged. Some of these fields state preferences (S-40), and the others
//! decide nothing.

use super::LossCause;
use super::draft::Draft;
use super::loss::{Loss, LossEffect};
use super::preferences::walk;
use super::purposes::PURPOSE;
use super::source::{Audience, RobotsTxtSource, is_of_site};
use crate::budget::Budget;
use crate::preference_writer::PREFERENCE_USAGES;
use byleave::analysis::vocabulary::Field;
use byleave::policy::Fact;
use byleave::{Crawler, Obtained, Outcome, ProposedUse};
use std::collections::BTreeMap;

/// Returns the fields in the groups that bind an audience.
pub(super) fn of_groups(source: &RobotsTxtSource<'_>, audience: &Audience) -> Vec<Vec<u8>> {
    let is_own = |fact: &&Fact<'_>| fact.group.is_some_and(|group| audience.groups.contains(&group));
    source.facts.iter().filter(|fact| is_copied(fact)).filter(is_own).map(written).collect()
}

/// Returns the fields outside of groups. They are written before all groups.
pub(super) fn outside_of_groups(source: &RobotsTxtSource<'_>) -> Vec<Vec<u8>> {
    let is_outside = |fact: &&Fact<'_>| fact.group.is_none() && !fact.is_doubtful;
    source.facts.iter().filter(|fact| is_copied(fact)).filter(is_outside).map(written).collect()
}

/// Returns the facts about the site. They are written after all groups.
pub(super) fn of_site(source: &RobotsTxtSource<'_>) -> Vec<Vec<u8>> {
    source.facts.iter().filter(|fact| is_of_site(fact.field)).map(written).collect()
}

/// Returns a loss for each field that is not copied to robots.txt: fields in ACAP groups, and purposes if the reading
/// does not read them.
pub(super) fn not_in_robots_txt(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let reads_purposes = source.policy.reading().switches().reads_preferences;
    let left_out = source.facts.iter().filter(|fact| match fact.field {
        PURPOSE => !reads_purposes,
        _ => is_copied(fact) && fact.group.is_none() && fact.is_doubtful,
    });
    let why = |fact: &Fact<'_>, times: &str| match fact.field {
        PURPOSE => format!("`{}`{times} decides nothing in this reading", PURPOSE.name()),
        field => format!("`{}`{times} is in an ACAP group, so it is unclear which crawlers it addresses", field.name()),
    };
    by_field(source, left_out, why)
}

/// Returns a loss for each group field that ACAP cannot express.
pub(super) fn not_in_acap(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let reads_preferences = source.policy.reading().switches().reads_preferences;
    let is_left_out = |fact: &&Fact<'_>| !is_of_site(fact.field) && (fact.field != PURPOSE || !reads_preferences);
    let why = |fact: &Fact<'_>, times: &str| match is_preference(source, fact.field) {
        true => format!("`{}`{times} states preferences, which ACAP groups cannot express", fact.field.name()),
        false => format!("`{}`{times} decides nothing and has no equivalent in ACAP groups", fact.field.name()),
    };
    by_field(source, source.facts.iter().filter(is_left_out), why)
}

/// Returns one loss per omitted field, at the line where the field first occurs.
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

/// Returns a loss for each usage that copied preferences permit or limit in the target but not in the source. This can
/// happen on paths where `Disallow` matches but ACAP permits crawling: preferences in the source permit nothing on
/// these paths (S-31). Also returns whether every path was checked.
///
/// Cost: at most [`MAX_QUESTIONS`] questions, each asked of both files.
pub(super) fn counting_anew(source: &RobotsTxtSource<'_>, draft: &Draft) -> (Vec<Loss>, bool) {
    let (mut losses, mut is_whole) = (Vec::new(), true);
    if source.statements.preferences().is_empty() || source.statements.acap().is_empty() {
        return (losses, is_whole);
    }
    let text = draft.written().0;
    let target = source.site.to_builder().with_robots_txt(Obtained::Status(200), &text).build();
    let budget = Budget::of_conversion();
    // A decision examines every preference, so fewer questions are asked if there are many preferences.
    let mut left = MAX_QUESTIONS / (1 + source.statements.preferences().len() / 16);
    for audience in &source.audiences {
        let crawlers: Vec<Crawler> =
            [Some(&audience.crawler), audience.having_all.as_ref()].into_iter().flatten().cloned().collect();
        let walked = walk(&[source.site, &target], &crawlers, &budget);
        let most = left / (PREFERENCE_USAGES.len() * crawlers.len());
        is_whole &= walked.is_exact && walked.regions.len() <= most;
        left = left
            .saturating_sub(PREFERENCE_USAGES.len() * crawlers.len() * walked.regions.len().max(PATHS_PER_AUDIENCE));
        for (usage, outcome) in
            PREFERENCE_USAGES.iter().flat_map(|usage| NEWLY_EXPRESSED.map(|outcome| (usage, outcome)))
        {
            let is_new_to = |crawler: &Crawler, path: &str| {
                let proposed = ProposedUse::new(path, crawler, usage);
                // If ACAP prohibits the usage on this path, the loss is already reported as an omitted usage.
                byleave::analysis::decide_unchecked(&target, &proposed).outcome == outcome
                    && byleave::analysis::decide_unchecked(source.site, &proposed).outcome == Outcome::Unstated
            };
            let mut paths = walked.regions.iter().map(|region| region.path.as_str()).take(most);
            let new = paths.find(|path| crawlers.iter().any(|crawler| is_new_to(crawler, path)));
            let Some(path) = new else { continue };
            let message = format!(
                "`{usage}` is {} for {} at `{path}`, but unstated in the source: there `Disallow` matches, so preferences \
                 permit nothing, although ACAP permits crawling",
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

/// The outcomes that preferences in the source cannot have on paths where `Disallow` wins (S-31).
const NEWLY_EXPRESSED: [Outcome; 2] = [Outcome::Permitted, Outcome::Conditional];

const MAX_QUESTIONS: usize = 200_000;
/// Finding an audience's paths costs as much as asking about this many paths.
const PATHS_PER_AUDIENCE: usize = 16;

/// Returns whether a field is copied to robots.txt, either into its group or before all groups.
fn is_copied(fact: &Fact<'_>) -> bool {
    !is_of_site(fact.field) && fact.field != PURPOSE
}

/// Returns whether a field states a preference in the source's reading.
fn is_preference(source: &RobotsTxtSource<'_>, field: Field) -> bool {
    field.is_preference() && source.policy.reading().switches().reads_preferences
}

fn written(fact: &Fact<'_>) -> Vec<u8> {
    [fact.field.name().as_bytes(), b": ", fact.value].concat()
}
