//! `byleave write`: rules for each carrier that express an intent, and how much of the intent each carrier expresses.

use crate::Failure;
use crate::arguments::{ReportFormat, Write as WriteArguments};
use crate::output::{Colour, Output, escaped, exit};
use byleave::{Outcome, SEMANTICS_VERSION};
use byleave_review::write::{self, Block, Fidelity, Intent, WrittenIntent};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes each carrier's rules for an intent, and returns the exit code.
pub fn write(asked: &WriteArguments, out: &mut Output<'_>) -> Result<u8, Failure> {
    let intent = Intent::new(&asked.clauses.0).map_err(|refused| Failure::new(escaped(&refused.to_string())))?;
    let written = write::write(&intent);
    match asked.format {
        ReportFormat::Json => writeln!(out, "{}", as_json(&written))?,
        ReportFormat::Text => {
            for (number, one) in written.iter().enumerate() {
                if number > 0 {
                    writeln!(out)?;
                }
                write_one(one, out)?;
            }
        }
    }
    let is_said = written.iter().any(|one| one.fidelity == Fidelity::Exact);
    Ok(if is_said { exit::FINE } else { exit::PROHIBITED })
}

fn write_one(written: &WrittenIntent, out: &mut Output<'_>) -> io::Result<()> {
    let (says, colour) = match written.fidelity {
        Fidelity::Exact => ("expresses it exactly", Outcome::Permitted),
        Fidelity::Partial => ("expresses part of it", Outcome::Conditional),
        Fidelity::Nothing => ("cannot express it", Outcome::Prohibited),
    };
    let name = out.paint(Colour::Heading, written.carrier.name()).into_owned();
    let says = out.paint(Colour::Of(colour), says).into_owned();
    writeln!(out, "{name}: {says}")?;
    for (number, block) in written.blocks.iter().enumerate() {
        let is_alone = written.blocks.len() == 1 && block.path.as_deref() == Some("/");
        if let Some(path) = block.path.as_deref().filter(|_| !is_alone) {
            if number > 0 {
                writeln!(out)?;
            }
            writeln!(out, "  for resources that match `{}`:", escaped(path))?;
        }
        writeln!(out)?;
        for line in &block.lines {
            let line = escaped(line);
            if line.is_empty() { writeln!(out)? } else { writeln!(out, "    {line}")? }
        }
    }
    let (expressed, unexpressed) = ((EXPRESSED, &written.expressed), ("not expressed", &written.unexpressed));
    let lists = [expressed, unexpressed, ("beyond the intent", &written.beyond), ("note", &written.notes)];
    let shown = lists.iter().filter(|(label, _)| written.fidelity != Fidelity::Exact || *label != EXPRESSED);
    let shown: Vec<_> = shown.flat_map(|(label, lines)| lines.iter().map(move |line| (label, line))).collect();
    if !shown.is_empty() && !written.blocks.is_empty() {
        writeln!(out)?;
    }
    for (label, line) in shown {
        writeln!(out, "  {label}: {}", escaped(line))?;
    }
    Ok(())
}

/// The label for what a carrier expresses. If the carrier expresses the whole intent, this list is not shown.
const EXPRESSED: &str = "expressed";

fn as_json(written: &[WrittenIntent]) -> Value {
    let carrier = |one: &WrittenIntent| {
        let block = |block: &Block| json!({"path": block.path, "lines": block.lines});
        json!({
            "carrier": one.carrier.name(),
            "fidelity": one.fidelity.name(),
            "blocks": one.blocks.iter().map(block).collect::<Vec<_>>(),
            "expressed": one.expressed,
            "unexpressed": one.unexpressed,
            "beyond": one.beyond,
            "notes": one.notes,
        })
    };
    json!({
        "schema": "byleave.write/1",
        "semantics": SEMANTICS_VERSION,
        "carriers": written.iter().map(carrier).collect::<Vec<_>>(),
    })
}
