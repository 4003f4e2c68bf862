//! `byleave lint`: what was found, mended where that is asked for; and the list of rules.
//!
//! Every finding and every fix is of the crate `byleave-lint`; this reads files and writes lines.

mod formats;
mod progress;
mod settings;

use crate::Failure;
use crate::arguments::{FailOn, Lint, LintFormat};
use crate::diff::write_diff;
use crate::output::{Colour, Output, exit};
use crate::site::Files;
use crate::sources::SiteFiles;
use byleave_lint::{FixLevel, LintedDocument, RULES, Safety, Selection, Severity};
use formats::Report;
use progress::Progress;
use serde_json::json;
use settings::Settings;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// Looks at every source, mends it if asked, writes what was found, and gives the exit code.
pub fn lint(asked: &Lint, files: &mut Files, out: &mut Output<'_>) -> Result<u8, Failure> {
    let settings = Settings::read(asked, files)?;
    let selection = settings.selection(None)?;
    if asked.list {
        list(&selection, asked.format, out)?;
        return Ok(exit::FINE);
    }
    let mut sites = Vec::new();
    for source in &asked.sources {
        sites.extend(SiteFiles::read(source, &|path| settings.excludes(path), files)?);
    }
    let mut progress = Progress::of(sites.len());
    if asked.diff {
        return diff(asked, &settings, &mut sites, &mut progress, out);
    }
    // A mended file from standard input is what goes to standard output; all else makes room for it.
    let is_piped = asked.fix && sites.iter().any(|site| site.robots_txt().is_some_and(|file| file.is_stdin()));
    let stderr = &mut Output::stderr_beside(out);
    let mut tally = Tally::default();
    let mut report = Report::new(asked.format);
    for site in &mut sites {
        let selection = settings.selection(site.robots_txt().map(|file| file.path.as_path()))?;
        if asked.fix {
            mend(asked, site, &selection, &mut tally, out)?;
        }
        let mut documents = byleave_lint::lint(&site.site(), &selection);
        if settings.tells_files_apart() {
            for document in &mut documents {
                let own = settings.selection(Some(Path::new(&document.name)))?;
                document.findings.retain(|finding| own.includes(finding.rule));
            }
        }
        progress.step();
        let is_quiet = documents.iter().all(|document| document.findings.is_empty());
        let is_drawn = !is_quiet && progress.clear();
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

/// Something was found.
const FOUND: u8 = exit::PROHIBITED;

fn which(asked: &Lint) -> FixLevel {
    if asked.suggested { FixLevel::Suggested } else { FixLevel::Safe }
}

/// Makes the fixes of a site's robots.txt where it stands.
fn mend(
    asked: &Lint,
    site: &mut SiteFiles,
    selection: &Selection,
    tally: &mut Tally,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let mended = byleave_lint::fix(&site.site(), selection, which(asked));
    let (Some(mended), Some(file)) = (mended, site.robots_txt_mut()) else { return Ok(()) };
    for finding in &mended.findings {
        *tally.fixed.entry(finding.rule.code).or_default() += 1;
    }
    tally.left_out += mended.left_out;
    if file.is_stdin() {
        out.write_all(&mended.text)?;
        file.bytes = mended.text;
    } else if mended.text != file.bytes {
        file.write(mended.text)?;
    }
    Ok(())
}

/// Shows what would be mended.
fn diff(
    asked: &Lint,
    settings: &Settings,
    sites: &mut [SiteFiles],
    progress: &mut Progress,
    out: &mut Output<'_>,
) -> Result<u8, Failure> {
    let mut code = exit::FINE;
    for site in sites {
        let selection = settings.selection(site.robots_txt().map(|file| file.path.as_path()))?;
        let mended = byleave_lint::fix(&site.site(), &selection, which(asked));
        progress.step();
        if let (Some(mended), Some(file)) = (mended, site.robots_txt())
            && mended.text != file.bytes
        {
            code = FOUND;
            let is_drawn = progress.clear();
            write_diff(&file.name, &file.bytes, &mended.text, out)?;
            if is_drawn {
                out.flush()?;
            }
        }
    }
    progress.clear();
    Ok(code)
}

/// How much was found, and how much of it mended.
#[derive(Default)]
struct Tally {
    documents: usize,
    errors: usize,
    warnings: usize,
    advice: usize,
    /// Findings that could be mended, safely and as suggested.
    fixable: (usize, usize),
    /// How many were, by rule.
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
        let graver = match on {
            FailOn::Never => 0,
            FailOn::Error => self.errors,
            FailOn::Warning => self.errors + self.warnings,
            FailOn::Advice => self.errors + self.warnings + self.advice,
        };
        graver > 0
    }

    fn sentence(&self) -> String {
        let documents = counted(self.documents, "document", "documents");
        let all = self.errors + self.warnings + self.advice;
        if all == 0 {
            return format!("nothing found in {documents}");
        }
        let errors = counted(self.errors, "error", "errors");
        let warnings = counted(self.warnings, "warning", "warnings");
        format!(
            "{} in {documents}: {errors}, {warnings}, {} of advice",
            counted(all, "finding", "findings"),
            counted(self.advice, "piece", "pieces")
        )
    }

    /// What was mended.
    fn of_fixes(&self) -> Option<String> {
        let all: usize = self.fixed.values().sum();
        let by_rule = self.fixed.iter().map(|(code, count)| format!("{count} {code}")).collect::<Vec<_>>().join(", ");
        let fixed = (all > 0).then(|| format!("fixed {}: {by_rule}", counted(all, "finding", "findings")));
        let left_out = (self.left_out > 0).then(|| {
            let fixes = counted(self.left_out, "fix was", "fixes were");
            format!("{fixes} left out: more would change than they say")
        });
        let told: Vec<_> = fixed.into_iter().chain(left_out).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// What could be.
    fn of_fixable(&self, asked: &Lint) -> Option<String> {
        let (safe, suggested) = if asked.fix { (0, self.fixable.1) } else { self.fixable };
        match (safe, suggested) {
            _ if asked.suggested => None,
            (0, 0) => None,
            (safe, 0) => Some(format!("`--fix` mends {safe} of them and changes no decision")),
            (0, suggested) => {
                Some(format!("`--fix --suggested` mends {suggested} of them and changes only what each says"))
            }
            (safe, suggested) => Some(format!(
                "`--fix` mends {safe} of them and changes no decision; `--fix --suggested` mends {suggested} more and changes only what each says"
            )),
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Writes the rules that are selected, one a line.
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
