//! `byleave extract`: the text of a page that a crawler may use, and what is left out and why.

use crate::Failure;
use crate::arguments::As;
use crate::output::{Output, escaped, exit};
use crate::question::Question;
use byleave::{Evidence, Extract, Outcome, Piece};
use std::io::{self, Write};

/// Writes what may be used of a page, which goes by `name`, and gives the exit code of its answer.
pub fn extract(
    name: &str,
    evidence: &Evidence<'_>,
    question: &Question,
    form: As,
    out: &mut Output<'_>,
) -> Result<u8, Failure> {
    let mut proposed = question.proposed_uses();
    let (Some(proposed), None) = (proposed.next(), proposed.next()) else {
        return Err(Failure::new("what may be used depends on what for; give one usage"));
    };
    let Some(extract) = byleave::extract(evidence, &proposed) else {
        return Err(Failure::new(format!("`{name}` is no HTML page; give one")));
    };
    write(&extract, form, out)?;
    let error = &mut io::stderr().lock();
    if extract.decision.effective == Outcome::Prohibited {
        let sentence = byleave::explain(evidence, &proposed).sentence(&proposed);
        writeln!(error, "byleave: {}", escaped(&sentence))?;
    }
    for note in &extract.notes {
        writeln!(error, "byleave: {}", escaped(&note.message))?;
    }
    if !extract.is_whole {
        writeln!(error, "byleave: not all of `{name}` was read and looked at; what was not is left out (S-22)")?;
    } else if extract.decision.is_truncated {
        writeln!(error, "byleave: the end of another document is unread (S-22)")?;
    }
    if !extract.conditions.is_empty() {
        let conditions: Vec<String> = extract.conditions.iter().map(ToString::to_string).collect();
        writeln!(error, "byleave: on condition: {}", escaped(&conditions.join("; ")))?;
    }
    if extract.is_transcoded() && matches!(form, As::Html) {
        writeln!(error, "byleave: `{name}` was turned into UTF-8")?;
    }
    Ok(exit::of(std::iter::once(extract.decision.effective)))
}

fn write(extract: &Extract<'_>, form: As, out: &mut Output<'_>) -> io::Result<()> {
    match form {
        As::Text => writeln!(out, "{}", extract.text()),
        As::Html => out.write_all(&extract.html()),
        As::Json => {
            serde_json::to_writer(&mut *out, &json(extract))?;
            out.write_all(b"\n")
        }
    }
}

fn json(extract: &Extract<'_>) -> serde_json::Value {
    let piece = |piece: &Piece| {
        serde_json::json!({
            "kept": piece.is_kept,
            "span": [piece.span.start, piece.span.end],
            "text": piece.text,
            "joined": piece.is_joined,
            "because": &*piece.because,
        })
    };
    serde_json::json!({
        "schema": "byleave.extract/1",
        "outcome": extract.decision.outcome.name(),
        "effective": extract.decision.effective.name(),
        "conditions": extract.conditions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "whole": extract.is_whole,
        "transcoded": extract.is_transcoded(),
        "pieces": extract.pieces.iter().map(piece).collect::<Vec<_>>(),
    })
}
