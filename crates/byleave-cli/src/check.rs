//! `byleave check`: a verdict a line, and the formats that `check` and `explain` share.
//!
//! Verdicts come from `decide`, which allocates nothing, so lists of many URLs are quick; the deciding
//! line is looked up once per statement. JSON is the engine's own report.

use crate::output::{Colour, Format, Output, escaped, escaped_bytes, exit, shortened};
use crate::question::Question;
use crate::warn;
use byleave::model::StatementId;
use byleave::report::Report;
use byleave::{Decision, Evidence, EvidenceStatements, Outcome, ProposedUse, ROBOTS_TXT, Reason, Usage};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};

/// Writes the answers in a format and gives the exit code.
pub fn check(evidence: &Evidence<'_>, question: &Question, format: Format, out: &mut Output<'_>) -> io::Result<u8> {
    match format {
        Format::Text => text(evidence, question, out),
        Format::Plain => plain(evidence, question, out),
        Format::Json => json(evidence, question, false, out),
    }
}

/// One answer as a tab-separated line.
pub fn write_plain(line: &Line<'_>, lookup: &mut Lookup<'_>, out: &mut Output<'_>) -> io::Result<()> {
    let Line { proposed, decision } = line;
    let ground = lookup.ground(proposed, decision);
    let (place, statement) = match &ground.statement {
        Some(written) => (format!("{}:{}", written.document, written.line), written.text.as_str()),
        None => ("-".to_owned(), "-"),
    };
    let (effective, outcome) = (decision.effective.name(), decision.outcome.name());
    let (url, usage) = (escaped(proposed.url), escaped(proposed.usage.name()));
    let cut = if decision.is_truncated { ",S-22" } else { "" };
    writeln!(out, "{effective}\t{url}\t{usage}\t{place}\t{statement}\t{}{cut}\t{outcome}", ground.rule)
}

/// One answer as a line of JSON: the engine's report, as it is.
pub fn write_json(
    evidence: &Evidence<'_>,
    proposed: &ProposedUse<'_>,
    traces: bool,
    out: &mut Output<'_>,
) -> io::Result<()> {
    let explanation = byleave::explain(evidence, proposed);
    let mut report = Report::new(evidence, proposed, &explanation);
    if traces {
        report = report.with_trace(&explanation);
    }
    serde_json::to_writer(&mut *out, &report)?;
    out.write_all(b"\n")
}

/// A question with its answer.
pub struct Line<'q> {
    /// The question.
    pub proposed: ProposedUse<'q>,
    /// The answer.
    pub decision: Decision,
}

/// Finds the statement that a decision stands on, each once.
pub struct Lookup<'e> {
    evidence: &'e Evidence<'e>,
    statements: Option<EvidenceStatements<'e>>,
    known: HashMap<StatementId, Written>,
}

/// A statement as it is shown.
#[derive(Clone, Debug)]
struct Written {
    document: String,
    line: u32,
    text: String,
}

/// What a decision stands on.
struct Ground<'l> {
    statement: Option<&'l Written>,
    reason: Reason,
    rule: &'static str,
    /// The prerequisite that bars it, and whether it is to be had until a re-crawl.
    prerequisite: Option<(&'static Usage, bool)>,
}

impl<'e> Lookup<'e> {
    /// Nothing looked up yet.
    pub fn new(evidence: &'e Evidence<'e>) -> Self {
        Self { evidence, statements: None, known: HashMap::new() }
    }

    fn ground(&mut self, proposed: &ProposedUse<'_>, decision: &Decision) -> Ground<'_> {
        // S-14: a use that its prerequisite bars stands on what prohibits the prerequisite.
        let barred = decision.prerequisite.filter(|_| decision.outcome != Outcome::Prohibited);
        let reason = barred.map_or(decision.reason, |barred| barred.reason);
        let rule = if barred.is_some() { "S-14" } else { reason.rule() };
        let prerequisite = barred.map(|barred| (barred.usage, barred.ends_at_recrawl));
        Ground { statement: self.written(proposed, reason), reason, rule, prerequisite }
    }

    fn written(&mut self, proposed: &ProposedUse<'_>, reason: Reason) -> Option<&Written> {
        let id = reason.statement()?;
        Some(match self.known.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let evidence = self.evidence;
                let statements =
                    self.statements.get_or_insert_with(|| EvidenceStatements::of(evidence, proposed.capabilities));
                let statement = statements.get(id, proposed.usage)?;
                let (document, text) = (statement.document.to_owned(), escaped_bytes(&statement.text));
                unknown.insert(Written { document, line: statement.line, text })
            }
        })
    }
}

/// Every answer, decided and not yet shown.
pub fn decide<'q>(evidence: &Evidence<'_>, question: &'q Question) -> (Vec<Line<'q>>, u8) {
    let decide = |proposed| Line { decision: byleave::decide(evidence, &proposed), proposed };
    let lines: Vec<_> = question.proposed_uses().map(decide).collect();
    let code = exit::of(lines.iter().map(|line| line.decision.effective));
    (lines, code)
}

fn text(evidence: &Evidence<'_>, question: &Question, out: &mut Output<'_>) -> io::Result<u8> {
    let (lines, code) = decide(evidence, question);
    let widths = Widths::of(&lines);
    let mut lookup = Lookup::new(evidence);
    for Line { proposed, decision } in &lines {
        let verdict = verdict(decision);
        let pad = widths.verdict.saturating_sub(verdict.chars().count());
        write!(out, "{}{:pad$}  ", out.paint(Colour::Of(decision.effective), &verdict), "")?;
        if let Some(width) = widths.usage {
            write!(out, "{:width$}  ", escaped(proposed.usage.name()))?;
        }
        write!(out, "{:width$}  (", what(proposed), width = widths.url)?;
        write_ground(&lookup.ground(proposed, decision), out)?;
        if decision.effective == Outcome::Conditional {
            for condition in byleave::explain(evidence, proposed).conditions {
                write!(out, "; {}", escaped(&condition.to_string()))?;
            }
        }
        if decision.is_truncated {
            write!(out, "; the end of a document is unread, S-22")?;
        }
        if proposed.element.is_some() {
            for note in byleave::explain(evidence, proposed).notes {
                write!(out, "; {}, S-16", escaped(&note.message))?;
            }
        }
        out.write_all(b")\n")?;
    }
    Ok(code)
}

/// What is asked about: the resource, or a part of it.
fn what(proposed: &ProposedUse<'_>) -> String {
    let part = proposed.element.map_or_else(String::new, |element| format!(" {}", escaped(element)));
    format!("{}{part}", escaped(proposed.url))
}

fn plain(evidence: &Evidence<'_>, question: &Question, out: &mut Output<'_>) -> io::Result<u8> {
    let (lines, code) = decide(evidence, question);
    let mut lookup = Lookup::new(evidence);
    for line in &lines {
        write_plain(line, &mut lookup, out)?;
    }
    if let Some(asked) = lines.first() {
        warn_of_element(evidence, &asked.proposed);
    }
    Ok(code)
}

/// Says on standard error that the element asked about is not there, which a plain line has no column for (S-16).
pub fn warn_of_element(evidence: &Evidence<'_>, proposed: &ProposedUse<'_>) {
    if proposed.element.is_some() {
        byleave::explain(evidence, proposed).notes.iter().for_each(|note| warn(&escaped(&note.message)));
    }
}

/// The answers as JSON Lines, with the walk through ACAP's tiers where that is wanted.
pub fn json(evidence: &Evidence<'_>, question: &Question, traces: bool, out: &mut Output<'_>) -> io::Result<u8> {
    let (lines, code) = decide(evidence, question);
    for line in &lines {
        write_json(evidence, &line.proposed, traces, out)?;
    }
    Ok(code)
}

/// The outcome, and what it comes to where that differs.
fn verdict(decision: &Decision) -> String {
    let (outcome, effective) = (decision.outcome.name(), decision.effective.name());
    if outcome == effective { outcome.to_owned() } else { format!("{outcome} → {effective}") }
}

fn write_ground(ground: &Ground<'_>, out: &mut Output<'_>) -> io::Result<()> {
    match ground.prerequisite {
        Some((usage, false)) => write!(out, "{} is prohibited, ", usage.name())?,
        Some((usage, true)) => write!(out, "{} ends at the next crawl, ", usage.name())?,
        None => {}
    }
    match ground.statement {
        Some(written) if written.document != ROBOTS_TXT => {
            let (document, line) = (escaped(&written.document), written.line);
            write!(out, "{document} line {line}: {}", shortened(&written.text, LONGEST_STATEMENT))
        }
        Some(written) => write!(out, "line {}: {}", written.line, shortened(&written.text, LONGEST_STATEMENT)),
        None => {
            let name = ground.reason.name().replace("robots-txt", "robots.txt").replace('-', " ");
            write!(out, "{name}, {}", ground.reason.rule())
        }
    }
}

struct Widths {
    verdict: usize,
    /// Nothing where only crawling is asked about.
    usage: Option<usize>,
    url: usize,
}

impl Widths {
    fn of(lines: &[Line<'_>]) -> Self {
        let widest = |width: &dyn Fn(&Line<'_>) -> usize| lines.iter().map(width).max().unwrap_or(0);
        let is_crawl_alone = lines.iter().all(|line| *line.proposed.usage == byleave::Usage::Crawl);
        let usage = || widest(&|line| escaped(line.proposed.usage.name()).chars().count());
        Self {
            verdict: widest(&|line| verdict(&line.decision).chars().count()),
            usage: (!is_crawl_alone).then(usage),
            url: widest(&|line| escaped(line.proposed.url).chars().count()).min(WIDEST_URL),
        }
    }
}

/// Columns are aligned up to URLs of this length; longer ones stand out.
const WIDEST_URL: usize = 64;
const LONGEST_STATEMENT: usize = 100;
