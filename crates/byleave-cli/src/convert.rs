//! `byleave convert`: the same decisions in another carrier or dialect, and what it cannot say.

use crate::arguments::{Convert, ConvertTo, ReportFormat};
use crate::output::{Colour, Output, escaped, exit};
use crate::site::{Files, ResponseFiles, unwritable};
use crate::{Failure, question};
use byleave::{RobotsTxt, SEMANTICS_VERSION, is_resource};
use byleave_review::convert::{
    self, Conversion, Loss, LossCause, PathCase, TargetDirectives, TargetFile, TargetPreferences,
};
use serde_json::{Value, json};
use std::io::Write;

/// Converts, writes the target and what it cannot say, and gives the exit code.
pub fn convert(mut asked: Convert, files: &mut Files, out: &mut Output<'_>) -> Result<u8, Failure> {
    let mut site = question::site(&asked.source, &asked.reading, files)?;
    if asked.source.is_dir() {
        site.add_references_in(&asked.source, files)?;
    }
    let response = ResponseFiles::read(std::mem::take(&mut asked.response), crate::PAGE_REMEDY, files)?;
    let target = match asked.to {
        ConvertTo::Acap => Target::File(TargetFile::Acap),
        ConvertTo::RobotsTxt => Target::File(TargetFile::RobotsTxt),
        ConvertTo::ContentUsage => Target::Preferences(TargetPreferences::ContentUsage),
        ConvertTo::ContentSignal => Target::Preferences(TargetPreferences::ContentSignal),
        ConvertTo::Tdmrep => Target::Preferences(TargetPreferences::TdmRep),
        ConvertTo::RobotsTag => Target::Words(TargetDirectives::RobotsTag),
        ConvertTo::Meta => Target::Words(TargetDirectives::Meta),
    };
    let has_response = !response.is_empty();
    site.warn_of_broken(asked.reading.reading);
    let site = site.with_response(response);
    let evidence = site.evidence(asked.reading.reading);
    let name = asked.to.name();
    let capitals = if asked.any_case { PathCase::Insensitive } else { PathCase::Sensitive };
    let is_read = matches!(evidence.robots_txt(), RobotsTxt::Read(_));
    let site_is_empty = evidence.documents().is_empty();
    let converted = match (target, &asked.url) {
        (Target::File(_) | Target::Preferences(_), Some(_)) => {
            return Err(Failure::new(format!(
                "`--url` names one resource, and `{name}` is a whole file; leave it out"
            )));
        }
        (Target::File(_) | Target::Preferences(_), None) if has_response => {
            return Err(Failure::new(format!("a page or response is of one resource, and `{name}` is a whole file")));
        }
        (Target::Preferences(_), None) if !is_read && site_is_empty => {
            return Err(Failure::new("there is nothing to convert; give a robots.txt that was read, or `--document`"));
        }
        (Target::Preferences(target), None) => convert::convert_preferences(&evidence, target, capitals),
        (Target::File(target), None) => convert::convert(&evidence, target, capitals)
            .ok_or_else(|| Failure::new("there is no robots.txt to convert; give one that was read, not `none`"))?,
        (Target::Words(_), None) => {
            return Err(Failure::new(format!("`{name}` is about one resource; name it, as with `--url /news/1`")));
        }
        (Target::Words(_), Some(url)) if !is_resource(url) => {
            let remedy = "write it in full, as `https://site.example/page`, or a path that begins with `/`";
            return Err(Failure::new(format!("`{}` is no http(s) URL; {remedy}", escaped(url))));
        }
        (Target::Words(_), Some(_)) if matches!(evidence.robots_txt(), RobotsTxt::Unknown) && !has_response => {
            return Err(Failure::new(
                "there is nothing to convert; give a robots.txt, `--page`, `--header` or `--response`",
            ));
        }
        (Target::Words(target), Some(url)) => convert::convert_resource(&evidence, url, target),
    };
    if let Some(path) = &asked.output {
        let remedy = "--output takes a file that can be written";
        std::fs::write(path, &converted.text).map_err(|error| unwritable(path, &error, remedy))?;
    }
    match asked.format {
        ReportFormat::Json => writeln!(out, "{}", as_json(&converted, name))?,
        ReportFormat::Text => {
            if asked.output.is_none() {
                out.write_all(&converted.text)?;
                out.flush()?;
            }
            tell(&converted, &asked, out)?;
        }
    }
    Ok(if converted.is_exact() { exit::FINE } else { exit::PROHIBITED })
}

enum Target {
    File(TargetFile),
    Preferences(TargetPreferences),
    Words(TargetDirectives),
}

/// What the target cannot say, a line each.
fn tell(converted: &Conversion, asked: &Convert, out: &Output<'_>) -> Result<(), Failure> {
    let reports = &converted.losses;
    let mut err = Output::stderr_beside(out);
    for report in reports {
        let kind = err.paint(Colour::Warning, report.effect.name()).into_owned();
        let line = report.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let others = match report.crawlers {
            0 | 1 => String::new(),
            more => format!(" (so it is for {} more)", more - 1),
        };
        let message = escaped(&report.message).into_owned();
        writeln!(err, "byleave: {kind}[{}]: {line}{message}{others}", report.cause.name())?;
    }
    if asked.to == ConvertTo::Acap && !asked.any_case && reports.iter().any(|report| report.cause == LossCause::Case) {
        writeln!(err, "byleave: if the site takes paths that differ only in capitals for one, add `--any-case`")?;
    }
    let text = String::from_utf8_lossy(&converted.text);
    let is_for = |field: &str| {
        let mut named = text.lines().filter_map(|line| line.split_once(": "));
        named.any(|(known, name)| known == field && name != "*")
    };
    let whom = match () {
        () if !matches!(asked.to, ConvertTo::ContentUsage | ConvertTo::ContentSignal) => None,
        () if is_for("User-agent") => Some("a named crawler"),
        () => is_for("User-agent-purpose").then_some("a purpose"),
    };
    if let Some(whom) = whom {
        let whole = "a group of its own replaces the one for `*`";
        writeln!(err, "byleave: lines for {whom} belong into its group of the existing robots.txt: {whole}")?;
    }
    err.flush()?;
    Ok(())
}

fn as_json(converted: &Conversion, target: &str) -> Value {
    let report = |report: &Loss| {
        json!({
            "cause": report.cause.name(),
            "effect": report.effect.name(),
            "line": report.line,
            "crawler": report.crawler,
            "crawlers": report.crawlers,
            "usage": report.usage.as_ref().map(byleave::Usage::name),
            "path": report.path,
            "message": report.message,
        })
    };
    json!({
        "schema": "byleave.convert/1",
        "semantics": SEMANTICS_VERSION,
        "target": target,
        "exact": converted.is_exact(),
        "proved": converted.is_proved,
        "text": String::from_utf8_lossy(&converted.text),
        "reports": converted.losses.iter().map(report).collect::<Vec<_>>(),
    })
}
