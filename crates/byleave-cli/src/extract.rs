//! `byleave extract`: the text of a page that a crawler may use, and why the other text is omitted.

use crate::Failure;
use crate::arguments::ExtractFormat;
use crate::output::{Output, escaped, exit};
use crate::question::Question;
use byleave::extract::Extract;
use byleave::extract::TextPiece;
use byleave::{Outcome, Site};
use std::io::{self, Write};

/// Writes the usable text of a page and returns the exit code for the page. Messages refer to the page as `name`.
pub fn extract(
    name: &str,
    site: &Site<'_>,
    question: &Question,
    form: ExtractFormat,
    out: &mut Output<'_>,
) -> Result<u8, Failure> {
    let mut proposed = question.proposed_uses();
    let (Some(proposed), None) = (proposed.next(), proposed.next()) else {
        return Err(Failure::new("the usable text depends on the usage; give only one usage"));
    };
    let Some(extract) = byleave::extract::extract(site, &proposed) else {
        return Err(Failure::new(format!("`{name}` is not an HTML page; give an HTML file")));
    };
    write(&extract, form, out)?;
    let error = &mut io::stderr().lock();
    if extract.decision.effective == Outcome::Prohibited {
        let sentence = byleave::analysis::explain_unchecked(site, &proposed).sentence(&proposed);
        writeln!(error, "byleave: {}", escaped(&sentence))?;
    }
    for note in &extract.notes {
        writeln!(error, "byleave: {}", escaped(&note.message))?;
    }
    if !extract.is_whole {
        writeln!(error, "byleave: the page `{name}` is over a limit; the part after the limit is omitted (S-22)")?;
    } else if extract.decision.is_truncated {
        writeln!(error, "byleave: another document is over the size limit, and its end was not read (S-22)")?;
    }
    if !extract.conditions.is_empty() {
        let conditions: Vec<String> = extract.conditions.iter().map(ToString::to_string).collect();
        writeln!(error, "byleave: on condition: {}", escaped(&conditions.join("; ")))?;
    }
    if extract.is_transcoded() && matches!(form, ExtractFormat::Html) {
        writeln!(error, "byleave: `{name}` was converted to UTF-8")?;
    }
    Ok(exit::of(std::iter::once(extract.decision.effective)))
}

fn write(extract: &Extract<'_>, form: ExtractFormat, out: &mut Output<'_>) -> io::Result<()> {
    match form {
        ExtractFormat::Text => writeln!(out, "{}", extract.text()),
        ExtractFormat::Html => out.write_all(&extract.html()),
        ExtractFormat::Json => {
            serde_json::to_writer(&mut *out, &json(extract))?;
            out.write_all(b"\n")
        }
    }
}

fn json(extract: &Extract<'_>) -> serde_json::Value {
    let piece = |piece: &TextPiece| {
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
