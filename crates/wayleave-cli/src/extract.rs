//! `wayleave extract`: the text of a page that a crawler may use, and what is left out and why.

use crate::arguments::As;
use crate::output::{Output, exit};
use std::io::{self, Write};
use wayleave::{Extract, Piece};

/// Writes what may be used of a page and gives the exit code of its answer.
pub fn extract(page: &[u8], extract: &Extract, form: As, out: &mut Output<'_>) -> io::Result<u8> {
    match form {
        As::Text => writeln!(out, "{}", extract.text())?,
        As::Html => html(page, extract, out)?,
        As::Json => {
            serde_json::to_writer(&mut *out, &json(extract))?;
            out.write_all(b"\n")?;
        }
    }
    Ok(exit::of(std::iter::once(extract.decision.effective)))
}

/// The page without the text that is left out, byte for byte the same elsewhere.
fn html(page: &[u8], extract: &Extract, out: &mut Output<'_>) -> io::Result<()> {
    let mut left_out: Vec<_> = extract.pieces.iter().filter(|piece| !piece.is_kept).map(|piece| piece.span).collect();
    left_out.sort_unstable();
    let mut at = 0;
    for span in left_out {
        out.write_all(page.get(at..span.start as usize).unwrap_or_default())?;
        at = at.max(span.end as usize);
    }
    out.write_all(page.get(at..).unwrap_or_default())
}

fn json(extract: &Extract) -> serde_json::Value {
    let piece = |piece: &Piece| {
        serde_json::json!({
            "kept": piece.is_kept,
            "span": [piece.span.start, piece.span.end],
            "text": piece.text,
            "because": piece.because,
        })
    };
    serde_json::json!({
        "schema": "wayleave.extract/1",
        "outcome": extract.decision.outcome.name(),
        "effective": extract.decision.effective.name(),
        "whole": extract.is_whole,
        "pieces": extract.pieces.iter().map(piece).collect::<Vec<_>>(),
    })
}
