//! `byleave lint`: writes findings, applies fixes, and lists the rules.
//!
//! The crate `byleave-lint` finds problems and fixes them. This module reads and writes files.

mod formats;
mod progress;
mod settings;

use crate::Failure;
use crate::arguments::{FailOn, Lint, LintFormat};
use crate::output::{Colour, Output, exit};
use crate::site::FileReader;
use crate::sources::SourceFiles;
use crate::text_diff::write_diff;
use byleave_lint::{FixLevel, LintedDocument, RULES, Safety, Selection, Severity};
use formats::FindingWriter;
use progress::Progress;
use serde_json::json;
use settings::Settings;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// Checks every source, applies fixes if asked, writes the findings, and returns the exit code.
pub fn lint(asked: &Lint, files: &mut FileReader, out: &mut Output<'_>) -> Result<u8, Failure> {
    let settings = Settings::read(asked, files)?;
    let selection = settings.selection(None)?;
    if asked.list {
        list(&selection, asked.format, out)?;
        return Ok(exit::FINE);
    }
    let mut sites = Vec::new();
    for source in &asked.sources {
        sites.extend(SourceFiles::read(source, &|path| settings.excludes(path), files)?);
    }
    let mut progress = Progress::of(sites.len());
    if asked.diff {
        return diff(asked, &settings, &mut sites, &mut progress, out);
    }
    // When standard input is fixed, standard output contains only the fixed file. Everything else goes to standard
    // error.
    let is_piped = asked.fix && sites.iter().any(|site| site.robots_txt().is_some_and(|file| file.is_stdin()));
    let stderr = &mut Output::stderr_beside(out);
    let mut tally = Tally::default();
    let mut report = FindingWriter::new(asked.format);
    for site in &mut sites {
        let selection = settings.selection(site.robots_txt().map(|file| file.path.as_path()))?;
        if asked.fix {
            fix(asked, site, &selection, &mut tally, out)?;
        }
        let mut documents = byleave_lint::lint(&site.site(), &selection);
        if settings.has_per_file_ignores() {
            for document in &mut documents {
                let own = settings.selection(Some(Path::new(&document.name)))?;
                document.findings.retain(|finding| own.includes(finding.rule));
            }
        }
        progress.step();
        let has_no_findings = documents.iter().all(|document| document.findings.is_empty());
        let is_drawn = !has_no_findings && progress.clear();
        let page = if is_piped { &mut *stderr } else { &mut *out };
        for document in &documents {
            tally.count(document);
            report.write(document, &documents, page)?;
        }
        if is_drawn {
            page.flush()?;
        }
    }
    progress.clear();
    let page = if is_piped { &mut *stderr } else { &mut *out };
    report.finish(page)?;
    let summary = if asked.format == LintFormat::Text { page } else { &mut *stderr };
    if let Some(sentence) = tally.of_fixes().filter(|_| asked.fix) {
        writeln!(summary, "{sentence}")?;
    }
    if asked.format == LintFormat::Text {
        writeln!(summary, "{}", summary.paint(Colour::Heading, &tally.sentence()))?;
        if let Some(sentence) = tally.of_fixable(asked) {
            writeln!(summary, "{sentence}")?;
        }
    }
    stderr.flush()?;
    Ok(if tally.fails(settings.fail_on) { FOUND } else { exit::FINE })
}

/// The exit code if something was found.
const FOUND: u8 = exit::PROHIBITED;

fn which(asked: &Lint) -> FixLevel {
    if asked.suggested { FixLevel::Suggested } else { FixLevel::Safe }
}

/// Fixes the robots.txt of a site in place.
fn fix(
    asked: &Lint,
    site: &mut SourceFiles,
    selection: &Selection,
    tally: &mut Tally,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let fixed = byleave_lint::fix(&site.site(), selection, which(asked));
    let (Some(fixed), Some(file)) = (fixed, site.robots_txt_mut()) else { return Ok(()) };
    for finding in &fixed.findings {
        *tally.fixed.entry(finding.rule.code).or_default() += 1;
    }
    tally.left_out += fixed.left_out;
    if file.is_stdin() {
        out.write_all(&fixed.text)?;
        file.bytes = fixed.text;
    } else if fixed.text != file.bytes {
        file.write(fixed.text)?;
    }
    Ok(())
}

/// Writes the changes that fixes would make, as a diff, and returns the exit code.
fn diff(
    asked: &Lint,
    settings: &Settings,
    sites: &mut [SourceFiles],
    progress: &mut Progress,
    out: &mut Output<'_>,
) -> Result<u8, Failure> {
    let mut code = exit::FINE;
    for site in sites {
        let selection = settings.selection(site.robots_txt().map(|file| file.path.as_path()))?;
        let fixed = byleave_lint::fix(&site.site(), &selection, which(asked));
        progress.step();
        if let (Some(fixed), Some(file)) = (fixed, site.robots_txt())
            && fixed.text != file.bytes
        {
            code = FOUND;
            let is_drawn = progress.clear();
            write_diff(&file.name, &file.bytes, &fixed.text, out)?;
            if is_drawn {
                out.flush()?;
            }
        }
    }
    progress.clear();
    Ok(code)
}

/// The numbers of findings and fixes.
#[derive(Default)]
struct Tally {
    documents: usize,
    errors: usize,
    warnings: usize,
    advice: usize,
    /// The number of findings with a safe fix, and with a suggested fix.
    fixable: (usize, usize),
    /// The number of fixed findings, by rule.
    fixed: BTreeMap<&'static str, usize>,
    left_out: usize,
}

impl Tally {
    fn count(&mut self, document: &LintedDocument<'_>) {
        self.documents += 1;
        for finding in &document.findings {
            match finding.rule.severity() {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                _ => self.advice += 1,
            }
            match finding.fix.as_ref().map(|fix| &fix.safety) {
                Some(Safety::Safe) => self.fixable.0 += 1,
                Some(_) => self.fixable.1 += 1,
                None => {}
            }
        }
    }

    fn fails(&self, on: FailOn) -> bool {
        let counted = match on {
            FailOn::Never => 0,
            FailOn::Error => self.errors,
            FailOn::Warning => self.errors + self.warnings,
            FailOn::Advice => self.errors + self.warnings + self.advice,
        };
        counted > 0
    }

    fn sentence(&self) -> String {
        let documents = counted(self.documents, "document", "documents");
        let all = self.errors + self.warnings + self.advice;
        if all == 0 {
            return format!("no findings in {documents}");
        }
        let errors = counted(self.errors, "error", "errors");
        let warnings = counted(self.warnings, "warning", "warnings");
        format!(
            "{} in {documents}: {errors}, {warnings}, {}",
            counted(all, "finding", "findings"),
            counted(self.advice, "suggestion", "suggestions")
        )
    }

    /// Returns a line about applied and skipped fixes, or `None` if there are none.
    fn of_fixes(&self) -> Option<String> {
        let all: usize = self.fixed.values().sum();
        let by_rule = self.fixed.iter().map(|(code, count)| format!("{count} {code}")).collect::<Vec<_>>().join(", ");
        let fixed = (all > 0).then(|| format!("fixed {}: {by_rule}", counted(all, "finding", "findings")));
        let left_out = (self.left_out > 0).then(|| {
            let skipped = counted(self.left_out, "fix was skipped: it", "fixes were skipped: they");
            format!("{skipped} would change more than described")
        });
        let parts: Vec<_> = fixed.into_iter().chain(left_out).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// Returns a line about findings that can still be fixed, or `None` if there are none or all fixes were applied.
    fn of_fixable(&self, asked: &Lint) -> Option<String> {
        let (safe, suggested) = if asked.fix { (0, self.fixable.1) } else { self.fixable };
        match (safe, suggested) {
            _ if asked.suggested => None,
            (0, 0) => None,
            (safe, 0) => Some(format!("{safe} fixable with `--fix`, which changes no decision")),
            (0, suggested) => {
                Some(format!("{suggested} fixable with `--fix --suggested`; each fix describes what it changes"))
            }
            (safe, suggested) => Some(format!(
                "{safe} fixable with `--fix`, which changes no decision; {suggested} more with `--fix --suggested`; each fix describes what it changes"
            )),
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Writes the selected rules, one per line.
fn list(selection: &Selection, format: LintFormat, out: &mut Output<'_>) -> io::Result<()> {
    let rules = || RULES.iter().filter(|rule| selection.includes(rule));
    let width = rules().map(|rule| rule.name.len()).max().unwrap_or(0);
    for rule in rules() {
        let (severity, summary) = (rule.severity().name(), rule.doc.summary());
        match format {
            LintFormat::Text => {
                let code = out.paint(Colour::Heading, rule.code);
                writeln!(out, "{code}  {:width$}  {severity:7}  {summary}", rule.name)?;
            }
            LintFormat::Concise | LintFormat::Github => {
                writeln!(out, "{}\t{}\t{severity}\t{}", rule.code, rule.name, rule.family.name())?
            }
            LintFormat::Json | LintFormat::Sarif => {
                let object = json!({
                    "schema": "byleave.lint-rule/1",
                    "code": rule.code,
                    "name": rule.name,
                    "family": rule.family.name(),
                    "severity": severity,
                    "summary": summary,
                });
                serde_json::to_writer(&mut *out, &object)?;
                out.write_all(b"\n")?;
            }
        }
    }
    Ok(())
}
