//! Writes each carrier's lines for an intent, and reads them back.

use super::intent::{Atom, Intent, witness};
use super::{Block, WriteTarget};
use crate::convert::{PathCase, TargetFile, convert};
use crate::directive_writer::{WrittenDirectives, is_header_name};
use crate::names::GroupAddressee;
use crate::preference_writer::{PreferenceWriter, TargetPreferences, read_back};
use crate::usage_intent::UsageIntents;
use byleave::analysis::vocabulary::UsageKind;
use byleave::{Headers, Outcome, Reading, Site, Usage};

/// Returns the lines to write in a carrier.
pub(super) fn blocks(intent: &Intent, carrier: WriteTarget) -> Vec<Block> {
    match carrier {
        WriteTarget::Acap => file(acap(intent, |_| true)),
        WriteTarget::RobotsTxt => {
            let crawling = acap(intent, |usage| *usage == Usage::Crawl).join("\n") + "\n";
            let site = Site::of_robots_txt(crawling.as_bytes(), Reading::Default);
            let converted =
                convert(&site, TargetFile::RobotsTxt, PathCase::Insensitive).map(|converted| converted.text);
            let text = String::from_utf8_lossy(&converted.unwrap_or_default()).into_owned();
            file(text.lines().map(str::to_owned).collect())
        }
        WriteTarget::RobotsTag | WriteTarget::XRobotsTag | WriteTarget::Meta => of_responses(intent, carrier),
        WriteTarget::ContentUsage => file(preferences(intent, TargetPreferences::ContentUsage)),
        WriteTarget::ContentSignal => file(preferences(intent, TargetPreferences::ContentSignal)),
        WriteTarget::TdmRep => file(preferences(intent, TargetPreferences::TdmRep)),
    }
}

/// Returns the lines in an AI-preference dialect.
fn preferences(intent: &Intent, target: TargetPreferences) -> Vec<String> {
    let everyone = std::iter::once(Vec::new());
    let named = intent.names.iter().map(|name| vec![GroupAddressee::Name(name.clone())]);
    let audiences: Vec<Vec<GroupAddressee>> = everyone.chain(named).collect();
    let paths = intent.paths.iter().filter(|path| !matches!(path.as_str(), "/" | "/*" | "*"));
    let patterns: Vec<Vec<u8>> = paths.map(|path| path.clone().into_bytes()).collect();
    let at = |number: usize, path: &str| {
        let name = number.checked_sub(1).and_then(|number| intent.names.get(number));
        intent.all_intended(name.map(String::as_str), path)
    };
    let witness = |pattern: &[u8]| witness(&String::from_utf8_lossy(pattern));
    let paths: Vec<String> = intent.paths.iter().map(|path| witness(path.as_bytes())).collect();
    let writer = PreferenceWriter {
        target,
        patterns: &patterns,
        audiences: &audiences,
        paths: &paths,
        at: &at,
        witness: &witness,
    };
    writer.written().lines().map(str::to_owned).collect()
}

fn file(lines: Vec<String>) -> Vec<Block> {
    if lines.is_empty() { Vec::new() } else { vec![Block { path: None, lines }] }
}

/// Returns the ACAP fields, with one group for each set of names that share the same lines.
fn acap(intent: &Intent, is_wanted: impl Fn(&Usage) -> bool) -> Vec<String> {
    let lines_for = |name: Option<&str>| -> Vec<String> {
        let atoms = intent.atoms.iter().filter(|atom| match (&atom.name, name) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            (None, None) => true,
            _ => false,
        });
        atoms.filter(|atom| is_wanted(&atom.usage)).filter_map(acap_line).collect()
    };
    let mut groups: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    for name in &intent.names {
        let lines = lines_for(Some(name));
        match groups.iter_mut().find(|(_, known)| *known == lines) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], lines)),
        }
    }
    groups.push((vec!["*"], lines_for(None)));
    let mut text = Vec::new();
    for (names, lines) in groups.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        if !text.is_empty() {
            text.push(String::new());
        }
        text.extend(names.iter().map(|name| format!("ACAP-crawler: {name}")));
        text.extend(lines);
    }
    text
}

/// Returns one permission or prohibition. Returns `None` for a permission of a usage that ACAP does not define, because
/// such a permission would count as a prohibition (S-09).
fn acap_line(atom: &Atom) -> Option<String> {
    let Atom { usage, path, intended, .. } = atom;
    if intended.outcome == Outcome::Prohibited {
        return Some(format!("ACAP-disallow-{usage}: {path}"));
    }
    let conditions: String = intended.conditions.iter().map(|condition| format!(" {condition}")).collect();
    (usage.kind() == UsageKind::Standard).then(|| format!("ACAP-allow-{usage}: {path}{conditions}"))
}

/// Returns the directives for each path in the intent.
fn of_responses(intent: &Intent, carrier: WriteTarget) -> Vec<Block> {
    let block = |path: &String| {
        let at = witness(path);
        let everyone = intent.all_intended(None, &at);
        let named: Vec<(String, UsageIntents)> = intent
            .names
            .iter()
            .filter(|name| is_header_name(name))
            .map(|name| (name.clone(), intent.all_intended(Some(name), &at)))
            .collect();
        let directives = WrittenDirectives::of(&everyone, &named);
        let field = |name: &str, lines: Vec<String>| lines.iter().map(|line| format!("{name}: {line}")).collect();
        let lines: Vec<String> = match carrier {
            WriteTarget::RobotsTag => field("Robots-Tag", directives.as_robots_tag()),
            WriteTarget::XRobotsTag => field("X-Robots-Tag", directives.as_x_robots_tag()),
            WriteTarget::Meta => directives.as_meta(),
            WriteTarget::RobotsTxt
            | WriteTarget::Acap
            | WriteTarget::ContentUsage
            | WriteTarget::ContentSignal
            | WriteTarget::TdmRep => Vec::new(),
        };
        (!lines.is_empty()).then(|| Block { path: Some(path.clone()), lines })
    };
    intent.paths.iter().filter_map(block).collect()
}

/// A carrier's text for one path.
pub(super) struct WrittenText {
    text: String,
    carrier: WriteTarget,
}

impl WrittenText {
    pub(super) fn of(blocks: &[Block], carrier: WriteTarget, path: &str) -> Self {
        let block = blocks.iter().find(|block| block.path.as_deref().is_none_or(|known| known == path));
        let lines = block.map(|block| block.lines.join("\n") + "\n").unwrap_or_default();
        Self { text: lines, carrier }
    }

    /// Calls `ask` with a site that consists of this text only.
    pub(super) fn with_evidence(&self, ask: impl FnOnce(&Site<'_>)) {
        let text = self.text.as_bytes();
        match self.carrier {
            WriteTarget::RobotsTxt => ask(&Site::of_robots_txt(text, Reading::Rfc9309)),
            WriteTarget::Acap => ask(&Site::of_robots_txt(text, Reading::Default)),
            WriteTarget::ContentUsage => ask(&read_back(TargetPreferences::ContentUsage, &self.text)),
            WriteTarget::ContentSignal => ask(&read_back(TargetPreferences::ContentSignal, &self.text)),
            WriteTarget::TdmRep => ask(&read_back(TargetPreferences::TdmRep, &self.text)),
            WriteTarget::RobotsTag | WriteTarget::XRobotsTag => {
                let lines = self.text.lines().filter_map(|line| line.split_once(": "));
                let headers = lines.fold(Headers::new(), |headers, (name, value)| headers.with(name, value));
                ask(&Site::builder(Reading::Default).with_headers(headers).build());
            }
            WriteTarget::Meta => {
                let page = format!("<!doctype html><title>t</title>\n{}", self.text);
                ask(&Site::builder(Reading::Default).with_page(page.as_bytes()).build());
            }
        }
    }
}
