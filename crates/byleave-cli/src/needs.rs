//! `byleave needs`: the documents that may apply to a resource, and whether each is given.

use crate::output::{Colour, Format, Output, escaped};
use byleave::needs::Need;
use byleave::{Crawler, Site};
use serde_json::json;
use std::io::{self, Write};

/// Writes the documents that are given and those that are still needed.
pub fn needs(site: &Site<'_>, url: &str, crawler: &Crawler, format: Format, out: &mut Output<'_>) -> io::Result<()> {
    let needs = byleave::needs::needs(site, url, crawler);
    match format {
        Format::Text => text(&needs, out),
        Format::Plain => plain(&needs, out),
        Format::Json => json(site, url, crawler, &needs, out),
    }
}

fn text(needs: &[Need], out: &mut Output<'_>) -> io::Result<()> {
    let width = needs.iter().map(|need| need.location.chars().count()).max().unwrap_or(0);
    for (heading, is_given) in [("given", true), ("wanted", false)] {
        let mut these = needs.iter().filter(|need| need.is_given == is_given).peekable();
        if these.peek().is_some() {
            writeln!(out, "{}", out.paint(Colour::Heading, heading))?;
        }
        for need in these {
            let (location, wanted) = (escaped(&need.location), need.wanted);
            writeln!(out, "  {location:width$}  {} ({})", wanted.because(), wanted.rule())?;
        }
    }
    Ok(())
}

fn plain(needs: &[Need], out: &mut Output<'_>) -> io::Result<()> {
    for need in needs {
        let is = if need.is_given { "given" } else { "wanted" };
        writeln!(out, "{is}\t{}\t{}", need.wanted.name(), escaped(&need.location))?;
    }
    Ok(())
}

fn json(site: &Site<'_>, url: &str, crawler: &Crawler, needs: &[Need], out: &mut Output<'_>) -> io::Result<()> {
    let need = |need: &Need| {
        json!({
            "location": need.location,
            "wanted": need.wanted.name(),
            "given": need.is_given,
            "rule": need.wanted.rule(),
            "because": need.wanted.because(),
        })
    };
    let object = json!({
        "schema": "byleave.needs/1",
        "semantics": byleave::SEMANTICS_VERSION,
        "reading": site.reading().name(),
        "crawler": crawler.name(),
        "url": url,
        "needs": needs.iter().map(need).collect::<Vec<_>>(),
    });
    serde_json::to_writer(&mut *out, &object)?;
    out.write_all(b"\n")
}
