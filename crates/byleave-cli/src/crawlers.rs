//! `byleave crawlers`: the catalogue of crawlers, listed and searched.

use crate::Failure;
use crate::arguments::{Crawlers, nearest};
use crate::output::{Colour, Format, Output, escaped, exit};
use byleave::model::AnyGroup;
use byleave_review::crawlers::{KnownCrawler, all, matching, search_terms};
use serde_json::json;
use std::io::{self, Write};

/// Lists the crawlers that match the query, or all crawlers if there is no query. Returns the exit code.
pub fn crawlers(asked: &Crawlers, out: &mut Output<'_>) -> Result<u8, Failure> {
    let found: Vec<&KnownCrawler> = match asked.query.as_deref() {
        Some(query) if query.trim().is_empty() => {
            return Err(Failure::new("the query is empty; write part of a name, or omit it to list all"));
        }
        Some(query) => matching(query),
        None => all().iter().collect(),
    };
    if let (Some(query), true) = (&asked.query, found.is_empty()) {
        let remedy = match nearest(query, search_terms) {
            Some(known) => format!("did you mean `{known}`?"),
            None => "`byleave crawlers` lists all".to_owned(),
        };
        crate::warn(&format!("nothing in the catalogue matches `{}`; {remedy}", escaped(query)));
        return Ok(exit::PROHIBITED);
    }
    match asked.output.format {
        Format::Text => text(&found, asked.query.is_some(), out)?,
        Format::Plain => plain(&found, out)?,
        Format::Json => json(&found, out)?,
    }
    Ok(exit::FINE)
}

/// Writes one line per crawler. With `has_details`, also writes everything that is known about each crawler.
fn text(found: &[&KnownCrawler], has_details: bool, out: &mut Output<'_>) -> io::Result<()> {
    let width = |of: &dyn Fn(&KnownCrawler) -> usize| found.iter().map(|known| of(known)).max().unwrap_or(0);
    let token = width(&|known| known.token.chars().count());
    let operator = width(&|known| operator_of(known).chars().count());
    let purposes = width(&|known| purposes_of(known).len());
    for known in found {
        let pad = token - known.token.chars().count();
        let name = out.paint(Colour::Heading, known.token).into_owned();
        let (whose, what, evidence) = (operator_of(known), purposes_of(known), known.evidence.name());
        writeln!(out, "{name}{:pad$}  {whose:operator$}  {what:purposes$}  {evidence}", "")?;
        if has_details {
            writeln!(out, "    {}; robots.txt: {}", known.kind.name(), known.obedience.name())?;
            for line in [binding_of(known), known.note.to_owned(), known.evidence.address().unwrap_or("").to_owned()] {
                if !line.is_empty() {
                    writeln!(out, "    {line}")?;
                }
            }
        }
    }
    let s = if found.len() == 1 { "" } else { "s" };
    writeln!(out, "\n{} crawler{s}", found.len())
}

fn plain(found: &[&KnownCrawler], out: &mut Output<'_>) -> io::Result<()> {
    for known in found {
        let some = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let fields = [
            known.token.to_owned(),
            some(known.operator.to_owned()),
            some(known.purposes.iter().map(|purpose| purpose.name()).collect::<Vec<_>>().join(",")),
            known.kind.name().to_owned(),
            known.obedience.name().to_owned(),
            some(known.fallbacks.join(",")),
            if known.any_group == AnyGroup::Applies { "*" } else { "-" }.to_owned(),
            known.evidence.name().to_owned(),
            some(known.evidence.address().unwrap_or("").to_owned()),
            some(known.note.to_owned()),
        ];
        writeln!(out, "{}", fields.join("\t"))?;
    }
    Ok(())
}

fn json(found: &[&KnownCrawler], out: &mut Output<'_>) -> io::Result<()> {
    for known in found {
        let object = json!({
            "schema": "byleave.crawler/1",
            "token": known.token,
            "operator": Some(known.operator).filter(|operator| !operator.is_empty()),
            "purposes": known.purposes.iter().map(|purpose| purpose.name()).collect::<Vec<_>>(),
            "kind": known.kind.name(),
            "robots_txt": known.obedience.name(),
            "fallbacks": known.fallbacks,
            "any_group": known.any_group == AnyGroup::Applies,
            "product_token": known.is_product_token(),
            "evidence": known.evidence.name(),
            "address": known.evidence.address(),
            "note": Some(known.note).filter(|note| !note.is_empty()),
        });
        serde_json::to_writer(&mut *out, &object)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn operator_of(known: &KnownCrawler) -> &'static str {
    if known.operator.is_empty() { "-" } else { known.operator }
}

fn purposes_of(known: &KnownCrawler) -> String {
    known.purposes.iter().map(|purpose| purpose.name()).collect::<Vec<_>>().join(", ")
}

/// Returns how a crawler chooses its group, if that differs from RFC 9309; otherwise an empty string.
fn binding_of(known: &KnownCrawler) -> String {
    match (known.fallbacks, known.any_group) {
        ([], AnyGroup::Applies) => String::new(),
        ([], AnyGroup::DoesNotApply) => "groups for any crawler (`*`) do not bind it".to_owned(),
        (names, AnyGroup::Applies) => format!("falls back to the group for {} if no group names it", names.join(", ")),
        (names, AnyGroup::DoesNotApply) => {
            format!("falls back to the group for {} if no group names it, never to a group for `*`", names.join(", "))
        }
    }
}
