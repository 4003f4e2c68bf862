//! `byleave compare`: where the four readings of one robots.txt differ, as text, Markdown or JSON.
//!
//! The crate `byleave-review` finds the differences and phrases them.

use crate::Failure;
use crate::arguments::{Compare, ReviewFormat};
use crate::diff::{MAX_PLACES, about, code, decider_as_json, more, proof_in_words, verdict_as_json};
use crate::output::{Colour, Output, escaped, exit};
use crate::site::FileReader;
use crate::sources::RobotsTxtWithReferences;
use byleave::{Reading, SEMANTICS_VERSION, Site, Usage};
use byleave_review::compare::{self, Comparison, Divergence};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Compares the readings, writes the differences, and returns the exit code.
pub fn compare(asked: Compare, files: &mut FileReader, out: &mut Output<'_>) -> Result<u8, Failure> {
    let site = RobotsTxtWithReferences::read(&asked.site, files)?;
    site.warn_malformed(Reading::Default);
    let read: Vec<Site<'_>> = Reading::OF_ROBOTS_TXT.iter().map(|reading| site.site(*reading)).collect();
    let comparison = compare::compare(&read.iter().collect::<Vec<_>>(), &about(&asked.about));
    let origin = asked.about.origin.unwrap_or_default();
    match asked.about.format {
        ReviewFormat::Text => write_text(&comparison, &origin, out)?,
        ReviewFormat::Markdown => write_markdown(&comparison, &origin, out)?,
        ReviewFormat::Json => {
            serde_json::to_writer(&mut *out, &as_json(&comparison, &site.name, &origin)).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(if comparison.divergences.is_empty() { exit::FINE } else { DIFFER })
}

/// The exit code if the readings differ.
const DIFFER: u8 = exit::PROHIBITED;

fn write_text(comparison: &Comparison, origin: &str, out: &mut Output<'_>) -> io::Result<()> {
    for divergence in &comparison.divergences {
        let sentence = escaped(&divergence.sentence()).into_owned();
        writeln!(out, "{}", out.paint(Colour::Heading, &sentence))?;
        writeln!(out, "  {}", divergence.because())?;
        let is_one = divergence.places.len() == 1;
        for place in divergence.places.iter().take(MAX_PLACES) {
            let named = if is_one { String::new() } else { format!("{}: ", place.in_words()) };
            let ground = divergence.decided_by(place);
            writeln!(out, "  {}", escaped(&format!("{named}{ground}; for example {origin}{}", place.example)))?;
        }
        if let Some(more) = more(divergence.places.len()) {
            writeln!(out, "  {more}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", out.paint(Colour::Heading, &summary(comparison)))
}

fn write_markdown(comparison: &Comparison, origin: &str, out: &mut Output<'_>) -> io::Result<()> {
    writeln!(out, "### Where readings differ\n")?;
    for divergence in &comparison.divergences {
        writeln!(out, "- **{}**, {}", escaped(&divergence.sentence()), divergence.because())?;
        for place in divergence.places.iter().take(MAX_PLACES) {
            let (ground, example) = (divergence.decided_by(place), code(origin, &place.example));
            writeln!(out, "  - {}", escaped(&format!("{}: {ground}; for example {example}", place.in_words())))?;
        }
        if let Some(more) = more(divergence.places.len()) {
            writeln!(out, "  - {more}")?;
        }
    }
    if !comparison.divergences.is_empty() {
        writeln!(out)?;
    }
    writeln!(out, "_{}_", summary(comparison))
}

fn summary(comparison: &Comparison) -> String {
    let what = match comparison.divergences.len() {
        0 => "all readings agree".to_owned(),
        1 => "1 difference".to_owned(),
        many => format!("{many} differences"),
    };
    format!("{what} ({})", proof_in_words(comparison.proof, comparison.is_truncated))
}

fn as_json(comparison: &Comparison, name: &str, origin: &str) -> Value {
    json!({
        "schema": "byleave.compare/1",
        "semantics": SEMANTICS_VERSION,
        "site": name,
        "proof": comparison.proof.name(),
        "truncated": comparison.is_truncated,
        "differences": comparison.divergences.iter().map(|one| divergence_as_json(one, origin)).collect::<Vec<_>>(),
    })
}

fn divergence_as_json(divergence: &Divergence, origin: &str) -> Value {
    let places = divergence.places.iter().map(|place| {
        json!({
            "pattern": place.pattern,
            "decided_by": place.theirs_by.as_ref().map(decider_as_json),
            "against_decided_by": place.ours_by.as_ref().map(decider_as_json),
            "example": format!("{origin}{}", place.example),
        })
    });
    let cause = divergence.cause;
    json!({
        "sentence": divergence.sentence(),
        "readings": divergence.readings.iter().map(|reading| reading.name()).collect::<Vec<_>>(),
        "verdict": verdict_as_json(&divergence.theirs),
        "against": divergence.against.name(),
        "against_verdict": divergence.ours.as_ref().map(verdict_as_json),
        "cause": {
            "name": cause.name(),
            "rule": cause.rule(),
            "sentence": cause.sentence(),
            "lint": cause.lint_rules(),
        },
        "crawlers": divergence.crawlers,
        "unnamed": divergence.is_for_unnamed,
        "usages": divergence.usages.iter().map(Usage::name).collect::<Vec<_>>(),
        "purpose": divergence.purpose,
        "places": places.collect::<Vec<_>>(),
    })
}
