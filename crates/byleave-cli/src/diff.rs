//! `byleave diff`: the decisions that change between two versions, as text, Markdown or JSON.
//!
//! The crate `byleave-review` finds the changes and phrases them.

use crate::Failure;
use crate::arguments::{Diff, ReviewFormat, ReviewOptions};
use crate::output::{Colour, Output, escaped, exit};
use crate::site::FileReader;
use crate::sources::RobotsTxtWithReferences;
use byleave::{Outcome, SEMANTICS_VERSION, Usage};
use byleave_review::diff::{self, Change, ChangeKind, ChangedPlace, Difference, FactChange, FactChangeKind};
use byleave_review::{DecidingStatement, Proof, ReviewScope, Verdict};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Compares two versions, writes the changes, and returns the exit code.
pub fn diff(asked: Diff, files: &mut FileReader, out: &mut Output<'_>) -> Result<u8, Failure> {
    let old = RobotsTxtWithReferences::read(&asked.old, files)?;
    let new = RobotsTxtWithReferences::read(&asked.new, files)?;
    [&old, &new].iter().for_each(|side| side.warn_malformed(asked.reading));
    let (before, after) = (old.site(asked.reading), new.site(asked.reading));
    old.warn_one_sided(&new, &before);
    new.warn_one_sided(&old, &after);
    let difference = diff::diff(&before, &after, &about(&asked.about));
    let origin = asked.about.origin.unwrap_or_default();
    match asked.about.format {
        ReviewFormat::Text => write_text(&difference, &origin, out)?,
        ReviewFormat::Markdown => write_markdown(&difference, &origin, out)?,
        ReviewFormat::Json => {
            let object = as_json(&difference, [&old.name, &new.name], &origin);
            serde_json::to_writer(&mut *out, &object).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(if difference.is_empty() { exit::FINE } else { CHANGED })
}

/// The exit code if something changed.
const CHANGED: u8 = exit::PROHIBITED;

/// The text and Markdown formats show at most this many places per change. JSON lists all of them.
pub const MAX_PLACES: usize = 10;

/// Converts the options that restrict the comparison.
pub fn about(about: &ReviewOptions) -> ReviewScope {
    let mut usages: Vec<Usage> = Vec::new();
    for usage in about.usage.iter().flat_map(|usages| &usages.0) {
        if !usages.contains(usage) {
            usages.push(usage.clone());
        }
    }
    ReviewScope::only(about.crawler.clone(), usages)
}

fn write_text(difference: &Difference, origin: &str, out: &mut Output<'_>) -> io::Result<()> {
    for change in &difference.changes {
        let sentence = escaped(&change.sentence()).into_owned();
        writeln!(out, "{}", out.paint(colour(change.kind), &sentence))?;
        let is_one = change.places.len() == 1;
        for place in change.places.iter().take(MAX_PLACES) {
            let named = if is_one { String::new() } else { format!("{}: ", place.in_words()) };
            let ground = format!("  {named}{}; for example {origin}{}", change.decided_by(place), place.example);
            writeln!(out, "{}", escaped(&ground))?;
            if let Some(unchanged) = place.unchanged_in_words() {
                writeln!(out, "    {}", escaped(&unchanged))?;
            }
        }
        if let Some(more) = more(change.places.len()) {
            writeln!(out, "  {more}")?;
        }
        writeln!(out)?;
    }
    if !difference.facts.is_empty() {
        writeln!(out, "{}", out.paint(Colour::Heading, "facts"))?;
        for fact in &difference.facts {
            writeln!(out, "  {}", escaped(&fact_in_words(fact)))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", out.paint(Colour::Heading, &summary(difference)))
}

fn colour(turn: ChangeKind) -> Colour {
    match turn {
        ChangeKind::Loses => Colour::Of(Outcome::Prohibited),
        ChangeKind::Gains | ChangeKind::Freed => Colour::Of(Outcome::Permitted),
        ChangeKind::Limited | ChangeKind::Conditions => Colour::Of(Outcome::Conditional),
        _ => Colour::Of(Outcome::Unstated),
    }
}

fn write_markdown(difference: &Difference, origin: &str, out: &mut Output<'_>) -> io::Result<()> {
    writeln!(out, "### What changes for crawlers\n")?;
    for change in &difference.changes {
        let sentence = escaped(&change.sentence()).into_owned();
        match change.places.as_slice() {
            [place] => {
                let ground = format!("{}; for example {}", change.decided_by(place), code(origin, &place.example));
                writeln!(out, "- **{sentence}**: {}", escaped(&ground))?;
                if let Some(unchanged) = place.unchanged_in_words() {
                    writeln!(out, "  - {}", escaped(&unchanged))?;
                }
            }
            places => {
                writeln!(out, "- **{sentence}**")?;
                for place in places.iter().take(MAX_PLACES) {
                    let example = code(origin, &place.example);
                    let ground = format!("{}: {}; for example {example}", place.in_words(), change.decided_by(place));
                    writeln!(out, "  - {}", escaped(&ground))?;
                    if let Some(unchanged) = place.unchanged_in_words() {
                        writeln!(out, "    - {}", escaped(&unchanged))?;
                    }
                }
                if let Some(more) = more(places.len()) {
                    writeln!(out, "  - {more}")?;
                }
            }
        }
    }
    if !difference.changes.is_empty() {
        writeln!(out)?;
    }
    if !difference.facts.is_empty() {
        writeln!(out, "Facts (they decide nothing):\n")?;
        for fact in &difference.facts {
            writeln!(out, "- {}", escaped(&fact_in_words(fact)))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "_{}_", summary(difference))
}

/// Returns an example URL or path as a Markdown code span.
pub fn code(origin: &str, path: &str) -> String {
    byleave_review::quoted(&format!("{origin}{path}"))
}

/// Returns a line that counts the places beyond the limit, or `None` if all places are shown.
pub fn more(places: usize) -> Option<String> {
    let more = match places.checked_sub(MAX_PLACES)? {
        0 => return None,
        1 => "1 more place".to_owned(),
        more => format!("{more} more places"),
    };
    Some(format!("and {more} (`--format json` lists all)"))
}

fn fact_in_words(fact: &FactChange) -> String {
    let sign = match fact.kind {
        FactChangeKind::Removed => "removed",
        FactChangeKind::Added => "added",
    };
    let whose = if fact.crawlers.is_empty() { String::new() } else { format!(", for {}", fact.crawlers.join(", ")) };
    let line = fact.line.map(|line| format!(" (line {line})")).unwrap_or_default();
    format!("{sign} {}{whose}{line}", byleave_review::quoted(&format!("{}: {}", fact.field, fact.value)))
}

fn summary(difference: &Difference) -> String {
    let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let what = if difference.is_empty() {
        "nothing changed".to_owned()
    } else {
        let changes = count(difference.changes.len(), "change", "changes");
        let facts = (!difference.facts.is_empty()).then(|| count(difference.facts.len(), "fact", "facts"));
        std::iter::once(changes).chain(facts).collect::<Vec<_>>().join(", ")
    };
    format!("{what} ({})", proof_in_words(difference.proof, difference.is_truncated))
}

/// Describes how complete a result is.
pub fn proof_in_words(proof: Proof, is_truncated: bool) -> String {
    let proof = match proof {
        Proof::Exact => "exact: the result holds for every path",
        Proof::NotProven => {
            "not proven: there are too many patterns or crawlers to compare all of them, so there may be more"
        }
    };
    let truncated = if is_truncated { "; a file is longer than the limit, and its end was not read" } else { "" };
    format!("{proof}{truncated}")
}

fn as_json(difference: &Difference, [old, new]: [&str; 2], origin: &str) -> Value {
    json!({
        "schema": "byleave.diff/1",
        "semantics": SEMANTICS_VERSION,
        "reading": difference.reading.name(),
        "old": old,
        "new": new,
        "proof": difference.proof.name(),
        "truncated": difference.is_truncated,
        "changes": difference.changes.iter().map(|change| change_as_json(change, origin)).collect::<Vec<_>>(),
        "facts": difference.facts.iter().map(fact_as_json).collect::<Vec<_>>(),
    })
}

fn change_as_json(change: &Change, origin: &str) -> Value {
    json!({
        "change": change.kind.name(),
        "sentence": change.sentence(),
        "crawlers": change.crawlers,
        "unnamed": change.is_for_unnamed,
        "usages": change.usages.iter().map(Usage::name).collect::<Vec<_>>(),
        "purpose": change.purpose,
        "before": verdict_as_json(&change.before),
        "after": verdict_as_json(&change.after),
        "places": change.places.iter().map(|place| place_as_json(place, origin)).collect::<Vec<_>>(),
    })
}

fn place_as_json(place: &ChangedPlace, origin: &str) -> Value {
    let unchanged = place.unchanged.iter().map(|one| json!({ "pattern": one.pattern, "outcome": one.outcome.name() }));
    json!({
        "pattern": place.pattern,
        "was_by": place.was_by.iter().map(decider_as_json).collect::<Vec<_>>(),
        "was_by_default": place.was_by_default,
        "is_by": place.is_by.iter().map(decider_as_json).collect::<Vec<_>>(),
        "is_by_default": place.is_by_default,
        "example": format!("{origin}{}", place.example),
        "unchanged": unchanged.collect::<Vec<_>>(),
    })
}

/// Returns an outcome with its conditions as JSON.
pub fn verdict_as_json(verdict: &Verdict) -> Value {
    json!({ "outcome": verdict.outcome.name(), "conditions": verdict.conditions })
}

/// Returns a deciding line as JSON.
pub fn decider_as_json(by: &DecidingStatement) -> Value {
    json!({ "document": by.document, "line": by.line, "text": by.text })
}

fn fact_as_json(fact: &FactChange) -> Value {
    let change = match fact.kind {
        FactChangeKind::Removed => "removed",
        FactChangeKind::Added => "added",
    };
    json!({
        "change": change,
        "field": fact.field,
        "value": fact.value,
        "crawlers": fact.crawlers,
        "line": fact.line,
    })
}
