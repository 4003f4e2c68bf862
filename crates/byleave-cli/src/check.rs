//! `byleave check`: one verdict per line, and the formats that `check` and `explain` share.
//!
//! Verdicts come from `decide`, which allocates nothing, so long lists of URLs are fast. Each deciding statement is
//! looked up once. JSON lines are the engine's reports, unchanged.

use crate::output::{Colour, Format, Output, escaped, escaped_bytes, exit, shortened};
use crate::question::Question;
use crate::warn;
use byleave::analysis::{ROBOTS_TXT, SiteStatements};
use byleave::explain::report::Report;
use byleave::model::StatementId;
use byleave::{Decision, Outcome, ProposedUse, Reason, Site, Usage};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};

/// Writes the answers in the chosen format and returns the exit code.
pub fn check(site: &Site<'_>, question: &Question, format: Format, out: &mut Output<'_>) -> io::Result<u8> {
    match format {
        Format::Text => text(site, question, out),
        Format::Plain => plain(site, question, out),
        Format::Json => json(site, question, false, out),
    }
}

/// Writes one answer as a tab-separated line.
pub fn write_plain(line: &Answer<'_>, lookup: &mut StatementLookup<'_>, out: &mut Output<'_>) -> io::Result<()> {
    let Answer { proposed, decision } = line;
    let justification = lookup.justification(proposed, decision);
    let (place, statement) = match &justification.statement {
        Some(written) => (format!("{}:{}", written.document, written.line), written.text.as_str()),
        None => ("-".to_owned(), "-"),
    };
    let (effective, outcome) = (decision.effective.name(), decision.outcome.name());
    let (url, usage) = (escaped(proposed.url), escaped(proposed.usage.name()));
    let cut = if decision.is_truncated { ",S-22" } else { "" };
    writeln!(out, "{effective}\t{url}\t{usage}\t{place}\t{statement}\t{}{cut}\t{outcome}", justification.rule)
}

/// Writes one answer as a line of JSON: the engine's report, unchanged.
pub fn write_json(site: &Site<'_>, proposed: &ProposedUse<'_>, traces: bool, out: &mut Output<'_>) -> io::Result<()> {
    let explanation = byleave::analysis::explain_unchecked(site, proposed);
    let mut report = Report::new(site, proposed, &explanation);
    if traces {
        report = report.with_trace(&explanation);
    }
    serde_json::to_writer(&mut *out, &report)?;
    out.write_all(b"\n")
}

/// A proposed use and its decision.
pub struct Answer<'q> {
    /// The proposed use.
    pub proposed: ProposedUse<'q>,
    /// The decision.
    pub decision: Decision,
}

/// Looks up deciding statements, each only once.
pub struct StatementLookup<'e> {
    site: &'e Site<'e>,
    statements: Option<SiteStatements<'e>>,
    known: HashMap<StatementId, ShownStatement>,
}

/// A statement in the form in which it is shown.
#[derive(Clone, Debug)]
struct ShownStatement {
    document: String,
    line: u32,
    text: String,
}

/// The statement and the rule that justify a decision.
struct Justification<'l> {
    statement: Option<&'l ShownStatement>,
    reason: Reason,
    rule: &'static str,
    /// The prerequisite that bars the use: its usage, and whether it is permitted until the next crawl (otherwise it is
    /// prohibited).
    prerequisite: Option<(&'static Usage, bool)>,
}

impl<'e> StatementLookup<'e> {
    /// Creates an empty lookup.
    pub fn new(site: &'e Site<'e>) -> Self {
        Self { site, statements: None, known: HashMap::new() }
    }

    fn justification(&mut self, proposed: &ProposedUse<'_>, decision: &Decision) -> Justification<'_> {
        // S-14: a use with a prohibited prerequisite is justified by the statement that prohibits the prerequisite.
        let barred = decision.prerequisite.filter(|_| decision.outcome != Outcome::Prohibited);
        let reason = barred.map_or(decision.reason, |barred| barred.reason);
        let rule = if barred.is_some() { "S-14" } else { reason.rule() };
        let prerequisite = barred.map(|barred| (barred.usage, barred.ends_at_recrawl));
        Justification { statement: self.written(proposed, reason), reason, rule, prerequisite }
    }

    fn written(&mut self, proposed: &ProposedUse<'_>, reason: Reason) -> Option<&ShownStatement> {
        let id = reason.statement()?;
        Some(match self.known.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let site = self.site;
                let statements = self.statements.get_or_insert_with(|| SiteStatements::of(site, proposed.capabilities));
                let statement = statements.get(id, proposed.usage)?;
                let (document, text) = (statement.document.to_owned(), escaped_bytes(&statement.text));
                unknown.insert(ShownStatement { document, line: statement.line, text })
            }
        })
    }
}

/// Decides every proposed use in the question. Returns the answers and the exit code.
pub fn decide<'q>(site: &Site<'_>, question: &'q Question) -> (Vec<Answer<'q>>, u8) {
    let decide = |proposed| Answer { decision: byleave::analysis::decide_unchecked(site, &proposed), proposed };
    let lines: Vec<_> = question.proposed_uses().map(decide).collect();
    let code = exit::of(lines.iter().map(|line| line.decision.effective));
    (lines, code)
}

fn text(site: &Site<'_>, question: &Question, out: &mut Output<'_>) -> io::Result<u8> {
    let (lines, code) = decide(site, question);
    let widths = Widths::of(&lines);
    let mut lookup = StatementLookup::new(site);
    for Answer { proposed, decision } in &lines {
        let verdict = verdict(decision);
        let pad = widths.verdict.saturating_sub(verdict.chars().count());
        write!(out, "{}{:pad$}  ", out.paint(Colour::Of(decision.effective), &verdict), "")?;
        if let Some(width) = widths.usage {
            write!(out, "{:width$}  ", escaped(proposed.usage.name()))?;
        }
        write!(out, "{:width$}  (", what(proposed), width = widths.url)?;
        write_justification(&lookup.justification(proposed, decision), out)?;
        if decision.effective == Outcome::Conditional {
            for condition in byleave::analysis::explain_unchecked(site, proposed).conditions {
                write!(out, "; {}", escaped(&condition.to_string()))?;
            }
        }
        if decision.is_truncated {
            write!(out, "; the end of a document was not read, S-22")?;
        }
        if proposed.element.is_some() {
            for note in byleave::analysis::explain_unchecked(site, proposed).notes {
                write!(out, "; {}, S-16", escaped(&note.message))?;
            }
        }
        out.write_all(b")\n")?;
    }
    Ok(code)
}

/// Returns the resource, or the part of the resource, that the question is about.
fn what(proposed: &ProposedUse<'_>) -> String {
    let part = proposed.element.map_or_else(String::new, |element| format!(" {}", escaped(element)));
    format!("{}{part}", escaped(proposed.url))
}

fn plain(site: &Site<'_>, question: &Question, out: &mut Output<'_>) -> io::Result<u8> {
    let (lines, code) = decide(site, question);
    let mut lookup = StatementLookup::new(site);
    for line in &lines {
        write_plain(line, &mut lookup, out)?;
    }
    if let Some(asked) = lines.first() {
        warn_missing_element(site, &asked.proposed);
    }
    Ok(code)
}

/// Warns if the element in the question does not exist (S-16). The `plain` format has no column for this.
pub fn warn_missing_element(site: &Site<'_>, proposed: &ProposedUse<'_>) {
    if proposed.element.is_some() {
        byleave::analysis::explain_unchecked(site, proposed)
            .notes
            .iter()
            .for_each(|note| warn(&escaped(&note.message)));
    }
}

/// Writes the answers as JSON Lines; with `traces`, also the tiers of ACAP statements that were consulted.
pub fn json(site: &Site<'_>, question: &Question, traces: bool, out: &mut Output<'_>) -> io::Result<u8> {
    let (lines, code) = decide(site, question);
    for line in &lines {
        write_json(site, &line.proposed, traces, out)?;
    }
    Ok(code)
}

/// Returns the outcome, followed by the effective outcome if it differs.
fn verdict(decision: &Decision) -> String {
    let (outcome, effective) = (decision.outcome.name(), decision.effective.name());
    if outcome == effective { outcome.to_owned() } else { format!("{outcome} → {effective}") }
}

fn write_justification(justification: &Justification<'_>, out: &mut Output<'_>) -> io::Result<()> {
    match justification.prerequisite {
        Some((usage, false)) => write!(out, "{} is prohibited, ", usage.name())?,
        Some((usage, true)) => write!(out, "{} ends at the next crawl, ", usage.name())?,
        None => {}
    }
    match justification.statement {
        Some(written) if written.document != ROBOTS_TXT => {
            let (document, line) = (escaped(&written.document), written.line);
            write!(out, "{document} line {line}: {}", shortened(&written.text, MAX_STATEMENT))
        }
        Some(written) => write!(out, "line {}: {}", written.line, shortened(&written.text, MAX_STATEMENT)),
        None => {
            let name = justification.reason.name().replace("robots-txt", "robots.txt").replace('-', " ");
            write!(out, "{name}, {}", justification.reason.rule())
        }
    }
}

struct Widths {
    verdict: usize,
    /// `None` if the only usage is `crawl`.
    usage: Option<usize>,
    url: usize,
}

impl Widths {
    fn of(lines: &[Answer<'_>]) -> Self {
        let widest = |width: &dyn Fn(&Answer<'_>) -> usize| lines.iter().map(width).max().unwrap_or(0);
        let is_crawl_alone = lines.iter().all(|line| *line.proposed.usage == byleave::Usage::Crawl);
        let usage = || widest(&|line| escaped(line.proposed.usage.name()).chars().count());
        Self {
            verdict: widest(&|line| verdict(&line.decision).chars().count()),
            usage: (!is_crawl_alone).then(usage),
            url: widest(&|line| escaped(line.proposed.url).chars().count()).min(MAX_URL_WIDTH),
        }
    }
}

/// Columns are aligned for URLs up to this width.
const MAX_URL_WIDTH: usize = 64;
const MAX_STATEMENT: usize = 100;
