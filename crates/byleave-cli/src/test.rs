//! `byleave test` and `explain --case`. All case files are read and checked before the first case runs.

use crate::Failure;
use crate::check;
use crate::explain::{write_diagnostics, write_explanation, write_trace};
use crate::output::{Colour, Format, Output, escaped, exit};
use crate::site::{DocumentNames, FileReader, ResponseFiles, read_file, shown};
use crate::tests_file;
use byleave::Outcome;
use byleave::analysis::{PAGE, ROBOTS_TXT};
use byleave::cases::{Case, CaseFiles, CaseRun};
use byleave::explain::report::StatementReport;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

/// Runs every case in these files, writes the failures and the totals, and returns the exit code.
pub fn test(
    paths: &[impl AsRef<Path>],
    response: &ResponseFiles,
    files: &mut FileReader,
    out: &mut Output<'_>,
) -> Result<u8, Failure> {
    let mut cases = Vec::new();
    let default = [Path::new(tests_file::NAME)];
    let given: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    for path in if given.is_empty() { &default[..] } else { &given } {
        cases.extend(read(path, files)?);
    }
    let mut runs = Vec::with_capacity(cases.len());
    for located in &cases {
        runs.push((located, located.run(response)?));
    }
    let failed = runs.iter().filter(|(_, run)| !run.failures.is_empty());
    for (located, run) in &runs {
        if !run.failures.is_empty() {
            write_failure(located, run, out)?;
        } else if located.is_listed {
            write_pass(located, run, out)?;
        }
    }
    let failed = failed.count();
    writeln!(out, "{} passed, {failed} failed", runs.len() - failed)?;
    Ok(if failed == 0 { exit::FINE } else { exit::PROHIBITED })
}

/// Explains the case at `FILE:LINE` and returns the exit code for its answer.
pub fn explain_case(place: &OsStr, format: Format, traces: bool, out: &mut Output<'_>) -> Result<u8, Failure> {
    let written = place.to_string_lossy();
    let parts = written.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse::<usize>().ok()?)));
    let Some((path, line)) = parts.filter(|(path, _)| !path.is_empty()) else {
        let remedy = "write FILE:LINE, such as `cases.jsonl:3`";
        return Err(Failure::new(format!("`{}` is not the location of a case; {remedy}", escaped(&written))));
    };
    let path = Path::new(path);
    let text = FileReader::default().read_text(path, REMEDY)?;
    let located = if tests_file::is_toml(path) {
        let mut cases = tests_file::cases(path, &text)?.into_iter().rev();
        let Some((first, json)) = cases.find(|(first, _)| *first <= line) else {
            return Err(Failure::new(format!(
                "`{}` has no test at line {line}; give the line of a `[[test]]` table",
                shown(path)
            )));
        };
        LocatedCase::read(path, first, &json)?
    } else {
        let at = line.checked_sub(1).and_then(|index| text.lines().nth(index));
        let Some(json) = at.filter(|json| is_case(json)) else {
            let (name, most) = (shown(path), text.lines().count());
            return Err(Failure::new(format!(
                "`{name}` has no case at line {line}; it has {most} lines, one case per line"
            )));
        };
        LocatedCase::read(path, line, json)?
    };
    let response = ResponseFiles::default();
    let run = located.run(&response)?;
    let named = [(ROBOTS_TXT, &located.case.robots_file), (PAGE, &located.case.page_file)];
    let named = named.into_iter().filter_map(|(document, file)| Some((document, shown(&beside(path, file.as_ref()?)))));
    let names = DocumentNames::new(named);
    let effective = located.case.with(located.files(&response), |site, proposed| -> io::Result<Outcome> {
        let explanation = byleave::analysis::explain_unchecked(site, proposed);
        let decision = explanation.decision;
        match format {
            Format::Json => check::write_json(site, proposed, traces, out)?,
            Format::Plain => {
                let line = check::Answer { proposed: *proposed, decision };
                check::write_plain(&line, &mut check::StatementLookup::new(site), out)?;
                check::warn_missing_element(site, proposed);
            }
            Format::Text => {
                write_explanation(site, proposed, &explanation, &names, out)?;
                write_diagnostics(site, &explanation.notes, &names, out)?;
                if traces {
                    write_trace(&explanation, out)?;
                }
                write_expectation(&located, &run, out)?;
                write_diagnostics(site, explanation.diagnostics, &names, out)?;
            }
        }
        Ok(decision.effective)
    });
    let effective = effective.map_err(|reason| located.failure(&reason))??;
    Ok(exit::of(std::iter::once(effective)))
}

/// A case, its file and line, and the content of the files that it names.
struct LocatedCase {
    file: String,
    line: usize,
    case: Case,
    robots_file: Option<Vec<u8>>,
    page_file: Option<Vec<u8>>,
    /// Whether the case is listed even if it passes.
    is_listed: bool,
}

impl LocatedCase {
    fn read(path: &Path, line: usize, json: &str) -> Result<Self, Failure> {
        let file = shown(path);
        let case = Case::read(json).map_err(|reason| not_a_case(&file, line, &reason))?;
        let named = |field: &str, name: &Option<String>| {
            let remedy = format!("`{file}` line {line} names it as `{field}`, relative to the case file");
            name.as_ref().map(|name| read_file(&beside(path, name), &remedy)).transpose()
        };
        let robots_file = named("robots_file", &case.robots_file)?;
        let page_file = named("page_file", &case.page_file)?;
        Ok(Self { file, line, case, robots_file, page_file, is_listed: false })
    }

    /// Returns the files that the case names. The headers, and the page if the case names none, come from the given
    /// response.
    fn files<'f>(&'f self, response: &'f ResponseFiles) -> CaseFiles<'f> {
        let given = response.for_cases();
        CaseFiles { robots_txt: self.robots_file.as_deref(), page: self.page_file.as_deref().or(given.page), ..given }
    }

    fn run(&self, response: &ResponseFiles) -> Result<CaseRun, Failure> {
        self.case.run(self.files(response)).map_err(|reason| self.failure(&reason))
    }

    fn failure(&self, reason: &str) -> Failure {
        not_a_case(&self.file, self.line, reason)
    }
}

/// Reads a case file. Blank lines are skipped.
fn read(path: &Path, files: &mut FileReader) -> Result<Vec<LocatedCase>, Failure> {
    let text = files.read_text(path, REMEDY)?;
    if tests_file::is_toml(path) {
        let cases = tests_file::cases(path, &text)?.into_iter();
        return cases
            .map(|(line, json)| Ok(LocatedCase { is_listed: true, ..LocatedCase::read(path, line, &json)? }))
            .collect();
    }
    let numbered = (1..).zip(text.lines()).filter(|(_, json)| is_case(json));
    let cases = numbered.map(|(line, json)| LocatedCase::read(path, line, json)).collect::<Result<Vec<_>, _>>()?;
    if cases.is_empty() {
        return Err(Failure::new(format!("`{}` line 1: the file contains no cases; {REMEDY}", shown(path))));
    }
    Ok(cases)
}

fn is_case(json: &str) -> bool {
    !json.trim().is_empty()
}

fn beside(path: &Path, name: &str) -> std::path::PathBuf {
    path.parent().map_or_else(|| name.into(), |folder| folder.join(name))
}

fn not_a_case(file: &str, line: usize, reason: &str) -> Failure {
    // A case is one line, so the parser's `at line 1` would mislead.
    let reason = reason.replace(" at line 1 column ", " at column ");
    Failure::new(format!("`{file}` line {line}: {}; docs/cases.md lists the fields of a case", escaped(&reason)))
}

fn write_failure(located: &LocatedCase, run: &CaseRun, out: &mut Output<'_>) -> io::Result<()> {
    let LocatedCase { file, line, case, .. } = located;
    let failed = out.paint(Colour::Error, "failed").into_owned();
    writeln!(out, "{failed}: {}\n  --> {file}:{line}", escaped(&case.name))?;
    for failure in &run.failures {
        writeln!(out, "  {}", escaped(failure))?;
    }
    if let Some(why) = &case.why {
        writeln!(out, "  expected because: {}", escaped(why))?;
    }
    let report = &run.report;
    writeln!(out, "  explanation: {}", escaped(&report.sentence))?;
    for statement in &report.determined_by {
        if let (Some(place), Some(text)) = (place_of(statement), &statement.text) {
            writeln!(out, "    {place}: {} ({})", escaped(text), statement.rule)?;
        }
    }
    for lost in &report.considered {
        writeln!(out, "    {} ({})", escaped(&lost.sentence), lost.rule)?;
    }
    writeln!(out, "  for details: byleave explain --case {file}:{line}\n")
}

fn write_pass(located: &LocatedCase, run: &CaseRun, out: &mut Output<'_>) -> io::Result<()> {
    let passed = out.paint(Colour::Of(Outcome::Permitted), "passed").into_owned();
    let by = match run.report.determined_by.first() {
        Some(one) => match (&one.text, place_of(one)) {
            (Some(text), Some(place)) => format!("{place}: {}", escaped(text)),
            _ => one.rule.to_string(),
        },
        None => "no statement applies, S-01".to_owned(),
    };
    writeln!(out, "{passed}: {} is {} ({by})", escaped(&located.case.name), run.report.outcome)
}

/// Returns the line of a statement, preceded by its document if that is not robots.txt.
fn place_of(statement: &StatementReport) -> Option<String> {
    let line = statement.line?;
    Some(match &statement.document {
        Some(document) if document != ROBOTS_TXT => format!("{} line {line}", escaped(document)),
        _ => format!("line {line}"),
    })
}

fn write_expectation(located: &LocatedCase, run: &CaseRun, out: &mut Output<'_>) -> io::Result<()> {
    let LocatedCase { file, line, case, .. } = located;
    let result = if run.failures.is_empty() { "passed" } else { "failed" };
    writeln!(out, "\ncase `{}` ({file}:{line}) {result}", escaped(&case.name))?;
    for failure in &run.failures {
        writeln!(out, "  {}", escaped(failure))?;
    }
    Ok(())
}

const REMEDY: &str = "give a file of cases or tests (see docs/cases.md), or write a first one with `--init SITE`";
