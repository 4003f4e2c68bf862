//! `byleave convert`: rewrites a site's rules in another dialect or carrier, and reports what the target cannot
//! express.

use crate::arguments::{Convert, ConvertTo, ReportFormat};
use crate::output::{Colour, Output, escaped, exit};
use crate::site::{FileReader, ResponseFiles, unwritable};
use crate::{Failure, question};
use byleave::SEMANTICS_VERSION;
use byleave::analysis::{RobotsTxt, is_resource};
use byleave_review::convert::{
    self, Conversion, Loss, LossCause, PathCase, TargetDirectives, TargetFile, TargetPreferences,
};
use serde_json::{Value, json};
use std::io::Write;

/// Converts the source, writes the result and the reports, and returns the exit code.
pub fn convert(mut asked: Convert, files: &mut FileReader, out: &mut Output<'_>) -> Result<u8, Failure> {
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
    site.warn_malformed(asked.reading.reading);
    let site = site.with_response(response);
    let site = site.site(asked.reading.reading);
    let name = asked.to.name();
    let capitals = if asked.any_case { PathCase::Insensitive } else { PathCase::Sensitive };
    let is_read = matches!(site.robots_txt(), RobotsTxt::Read(_));
    let site_is_empty = site.documents().is_empty();
    let converted = match (target, &asked.url) {
        (Target::File(_) | Target::Preferences(_), Some(_)) => {
            return Err(Failure::new(format!(
                "`--url` names one resource, but `{name}` is a whole file; omit `--url`"
            )));
        }
        (Target::File(_) | Target::Preferences(_), None) if has_response => {
            return Err(Failure::new(format!(
                "a page or response belongs to one resource, but `{name}` is a whole file; omit it"
            )));
        }
        (Target::Preferences(_), None) if !is_read && site_is_empty => {
            return Err(Failure::new(
                "nothing to convert; give a robots.txt with status 2xx, or a document with `--document`",
            ));
        }
        (Target::Preferences(target), None) => convert::convert_preferences(&site, target, capitals),
        (Target::File(target), None) => convert::convert(&site, target, capitals)
            .ok_or_else(|| Failure::new("no robots.txt to convert; give one with status 2xx, not `none`"))?,
        (Target::Words(_), None) => {
            return Err(Failure::new(format!(
                "`{name}` is for one resource; name the resource, for example with `--url /news/1`"
            )));
        }
        (Target::Words(_), Some(url)) if !is_resource(url) => {
            let remedy = "write a full URL, such as `https://site.example/page`, or a path that begins with `/`";
            return Err(Failure::new(format!("`{}` is not an http(s) URL; {remedy}", escaped(url))));
        }
        (Target::Words(_), Some(_)) if matches!(site.robots_txt(), RobotsTxt::Unknown) && !has_response => {
            return Err(Failure::new("nothing to convert; give a robots.txt, `--page`, `--header` or `--response`"));
        }
        (Target::Words(target), Some(url)) => convert::convert_resource(&site, url, target),
    };
    if let Some(path) = &asked.output {
        let remedy = "`--output` takes a writable file";
        std::fs::write(path, &converted.text).map_err(|error| unwritable(path, &error, remedy))?;
    }
    match asked.format {
        ReportFormat::Json => writeln!(out, "{}", as_json(&converted, name))?,
        ReportFormat::Text => {
            if asked.output.is_none() {
                out.write_all(&converted.text)?;
                out.flush()?;
            }
            write_reports(&converted, &asked, out)?;
        }
    }
    Ok(if converted.is_exact() { exit::FINE } else { exit::PROHIBITED })
}

enum Target {
    File(TargetFile),
    Preferences(TargetPreferences),
    Words(TargetDirectives),
}

/// Writes one line per report to standard error.
fn write_reports(converted: &Conversion, asked: &Convert, out: &Output<'_>) -> Result<(), Failure> {
    let reports = &converted.losses;
    let mut err = Output::stderr_beside(out);
    for report in reports {
        let kind = err.paint(Colour::Warning, report.effect.name()).into_owned();
        let line = report.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let others = match report.crawlers {
            0 | 1 => String::new(),
            2 => " (the same for 1 more crawler)".to_owned(),
            more => format!(" (the same for {} more crawlers)", more - 1),
        };
        let message = escaped(&report.message).into_owned();
        writeln!(err, "byleave: {kind}[{}]: {line}{message}{others}", report.cause.name())?;
    }
    if asked.to == ConvertTo::Acap && !asked.any_case && reports.iter().any(|report| report.cause == LossCause::Case) {
        writeln!(err, "byleave: if the site treats paths that differ only in letter case as one, add `--any-case`")?;
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
        let reason = "a separate group would replace the group for `*`";
        writeln!(err, "byleave: move the lines for {whom} into its group in the existing robots.txt: {reason}")?;
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
