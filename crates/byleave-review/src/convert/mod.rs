//! Converts a site's decisions into another carrier or dialect, and verifies the result with the engine.
//!
//! The converter drafts a target from the source and asks both the same questions. It reports everything that the
//! target cannot express, so nothing is dropped or widened silently. `robots_txt` and `acap` draft files, `response`
//! writes directives for one resource, and `preferences` writes AI-preference dialects.

mod acap;
mod all_paths;
mod draft;
mod facts;
mod loss;
mod paths;
mod pattern;
mod preferences;
mod purposes;
mod response;
mod robots_txt;
mod source;
mod verify;

pub use crate::preference_writer::TargetPreferences;
pub use loss::{Loss, LossCause, LossEffect};
pub use paths::PathCase;
pub use preferences::convert_preferences;
pub use response::{TargetDirectives, convert_resource};

pub(crate) use pattern::meets;
pub(crate) use source::{Audience, RobotsTxtSource, UsagePattern};

use crate::names::is_product_token;
use crate::scope::is_truncated;
use byleave::analysis::SiteStatements;
use byleave::analysis::source::LineStarts;
use byleave::model::Capabilities;
use byleave::model::Modality;
use byleave::{Document, ProposedUse, Site, Usage};
use draft::{Draft, DraftDialect, LineContent};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use verify::{Coverage, Mismatch, verify};

/// A file to convert to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetFile {
    /// A robots.txt with ACAP groups.
    Acap,
    /// A robots.txt with RFC 9309 groups.
    RobotsTxt,
}

/// The result of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conversion {
    /// The text of the target.
    pub text: Vec<u8>,
    /// The differences between the target and the source. Empty if both make the same decisions.
    pub losses: Vec<Loss>,
    /// Whether all paths were compared. Otherwise only paths that represent a pattern, or an overlap of two patterns,
    /// were compared.
    pub is_proved: bool,
}

impl Conversion {
    /// Returns whether the conversion has no losses.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.losses.is_empty()
    }
}

/// Converts a robots.txt. Returns `None` if no robots.txt was read.
///
/// ```
/// use byleave::{Site, Reading};
/// use byleave_review::convert::{PathCase, TargetFile, convert};
/// let robots_txt = b"User-agent: GoodBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n";
/// let site = Site::of_robots_txt(robots_txt, Reading::Default);
/// let converted = convert(&site, TargetFile::Acap, PathCase::Sensitive).unwrap();
/// let expected = b"ACAP-crawler: GoodBot\nACAP-allow-crawl: /\n\nACAP-crawler: *\nACAP-disallow-crawl: /\n";
/// assert_eq!(converted.text, expected);
/// assert!(converted.is_exact());
/// ```
///
/// Cost: a bounded number of decisions.
#[must_use]
pub fn convert(site: &Site<'_>, target: TargetFile, case: PathCase) -> Option<Conversion> {
    let mut source = RobotsTxtSource::of(site)?;
    if target == TargetFile::RobotsTxt {
        source.add_purposes();
    }
    let mut draft = match target {
        TargetFile::Acap => acap::draft(&source),
        TargetFile::RobotsTxt => robots_txt::draft(&source),
    };
    let (mismatches, mut coverage) = verify(&source, &mut draft, case);
    if coverage == Coverage::Everywhere && source.has_more_purposes() {
        coverage = Coverage::AtPatterns;
    }
    let mut losses = losses_of(&source, &draft, &mismatches);
    match target {
        TargetFile::Acap => {
            losses.extend(facts::not_in_acap(&source));
            losses.extend(purposes::not_in_acap(&source));
        }
        TargetFile::RobotsTxt => {
            losses.extend(odd_names(&source));
            losses.extend(usages_left_out(&source));
            losses.extend(references_left_out(&source));
            losses.extend(requests_and_needs(&source));
            losses.extend(facts::not_in_robots_txt(&source));
            let (counting, is_whole) = facts::counting_anew(&source, &draft);
            losses.extend(counting);
            if coverage == Coverage::Everywhere && !is_whole {
                coverage = Coverage::AtPatterns;
            }
        }
    }
    losses.extend(purposes::too_many(&source));
    if coverage == Coverage::InPart {
        let message = "comparison limit reached; the remaining paths were not checked".to_owned();
        losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
    }
    if is_truncated(site) {
        let message = "the source exceeds the size limit; its end was not converted".to_owned();
        losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
    }
    draft.after = facts::of_site(&source);
    losses.sort_by_key(|loss| (loss.effect, loss.cause, loss.line));
    Some(Conversion { text: draft.written().0, losses, is_proved: coverage == Coverage::Everywhere })
}

/// Returns the losses in a file, one per combination of source line, cause and effect.
fn losses_of(source: &RobotsTxtSource<'_>, draft: &Draft, mismatches: &[Mismatch]) -> Vec<Loss> {
    type Key = (LossEffect, LossCause, Option<u32>);
    let mut by_line: BTreeMap<Key, (Loss, BTreeSet<usize>)> = BTreeMap::new();
    let mut taken_back: BTreeMap<u32, &(LossCause, String)> = BTreeMap::new();
    for line in draft.groups.iter().flat_map(|group| &group.lines).filter(|line| line.is_out) {
        if let (Some(from), Some(because)) = (line.from, &line.because) {
            taken_back.insert(from, because);
        }
    }
    for one in mismatches {
        let line = one.target.and_then(|place| draft.line(place));
        let source_line = one.source.as_ref().and_then(|decided| decided.line);
        let lost = source_line.filter(|_| one.effect == LossEffect::Narrower).and_then(|line| taken_back.get(&line));
        // If a line was added or removed because of another path, the cause is taken from that path.
        let because = line.and_then(|line| line.because.as_ref()).filter(|_| one.effect == LossEffect::Narrower);
        let cause = lost.copied().or(because).map_or(one.cause, |(cause, _)| *cause);
        let from = source_line.or(line.and_then(|line| line.from));
        let audience = source.audiences.get(one.audience);
        let name = audience.and_then(Audience::shown);
        let key = (one.effect, cause, from);
        if let Some((_, audiences)) = by_line.get_mut(&key) {
            audiences.insert(one.audience);
            continue;
        }
        let whom = audience.map(Audience::whom).unwrap_or_default();
        let path = &one.path;
        let written = line.map(|line| match &line.content {
            LineContent::Rule(_, pattern) => String::from_utf8_lossy(pattern).into_owned(),
            LineContent::Copied(text) => String::from_utf8_lossy(text).into_owned(),
        });
        let why = why(cause, draft.dialect);
        let message = match (one.effect, source_line, written, lost.copied().or(because)) {
            (LossEffect::Narrower, Some(_), _, Some((_, wider))) if lost.is_some() => {
                format!(
                    "this permission is omitted: it would permit `{wider}` for {whom}, which the source prohibits: \
                     {why}"
                )
            }
            (LossEffect::Narrower, _, Some(by), Some((_, wider))) => {
                format!(
                    "`{path}` is prohibited for {whom} by `{by}`; without that line, `{wider}` would be permitted: \
                     {why}"
                )
            }
            (LossEffect::Narrower, Some(line), Some(by), None) => {
                format!("`{path}` is prohibited for {whom} by `{by}`, but line {line} permits it: {why}")
            }
            (LossEffect::Narrower, None, Some(by), None) => {
                format!("`{path}` is prohibited for {whom} by `{by}`, but the source does not prohibit it: {why}")
            }
            (LossEffect::Narrower, ..) => {
                format!("`{path}` is prohibited for {whom}, but the source permits it: {why}")
            }
            (LossEffect::LeftOut, Some(line), ..) => {
                format!("`{path}` is not prohibited for {whom}, but line {line} prohibits it: {why}")
            }
            (LossEffect::LeftOut, None, ..) => {
                format!("`{path}` is not prohibited for {whom}, but the source prohibits it: {why}")
            }
        };
        let mut loss =
            Loss::new(cause, one.effect, message).at(from).of_usage(&Usage::Crawl).of_crawler(name.as_deref());
        loss.path = Some(path.clone());
        by_line.insert(key, (loss, BTreeSet::from([one.audience])));
    }
    // A removed ACAP line is always reported, because it may also address usages other than crawling.
    for line in draft.groups.iter().flat_map(|group| &group.lines).filter(|line| line.is_out) {
        if let (LineContent::Copied(text), Some((cause, wider))) = (&line.content, &line.because) {
            let text = String::from_utf8_lossy(text);
            let message = format!("`{text}` is omitted: it would permit `{wider}`, which the source prohibits");
            let loss = Loss::new(*cause, LossEffect::Narrower, message).at(line.from);
            by_line.insert((LossEffect::Narrower, *cause, line.from), (loss, BTreeSet::new()));
        }
    }
    let counted = |(loss, numbers): (Loss, BTreeSet<usize>)| {
        let audiences = numbers.iter().filter_map(|number| source.audiences.get(*number));
        Loss { crawlers: audiences.map(Audience::count).sum(), ..loss }
    };
    by_line.into_values().map(counted).collect()
}

fn why(cause: LossCause, dialect: DraftDialect) -> &'static str {
    match (cause, dialect) {
        (LossCause::Case, DraftDialect::Acap) => "ACAP ignores letter case in paths",
        (LossCause::Case, DraftDialect::Conventional) => {
            "robots.txt distinguishes letter case in paths, but ACAP does not"
        }
        (LossCause::Tie, _) => {
            "between equally long patterns, RFC 9309 prefers the permission and ACAP the prohibition"
        }
        (LossCause::Fallback, _) => {
            "ACAP statements for any crawler also bind a named crawler, unless a statement addresses it by name"
        }
        (LossCause::Name, _) => "strict RFC 9309 readers shorten names, so this name is mistaken for another",
        (LossCause::Escape, _) => "for strict RFC 9309 readers, a reserved character equals its escape",
        (LossCause::Purpose, _) => "the source prohibits it for a purpose, and the target cannot express purposes",
        _ => "RFC 9309 prefers the longer pattern, and ACAP the narrower one",
    }
}

/// Returns a loss for each name that RFC 9309's grammar does not accept. A strict parser reads a different name.
fn odd_names(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let lines = source.policy.text().map(LineStarts::of);
    let groups = source.policy.groups();
    let named = groups.iter().flat_map(|group| group.names.iter().zip(&group.spans));
    let mut places: HashMap<&[u8], u32> = HashMap::new();
    for (name, span) in named {
        if let Some(lines) = &lines {
            places.entry(name).or_insert_with(|| lines.position(span.start).line);
        }
    }
    let losses_of = source.audiences.iter().filter(|audience| audience.has_group || !audience.acap.is_empty());
    let odd = losses_of.flat_map(|audience| &audience.names).filter(|name| !is_product_token(name));
    let loss = |name: &Vec<u8>| {
        let shown = String::from_utf8_lossy(name).into_owned();
        let belongs = |letter: &char| letter.is_ascii_alphabetic() || "_-".contains(*letter);
        let read: String = shown.chars().take_while(belongs).collect();
        let read = if read.is_empty() { "no name".to_owned() } else { format!("`{read}`") };
        let message = format!(
            "`{shown}` is not an RFC 9309 product token; a strict reader reads it as {read}, while others compare \
             the whole name"
        );
        Loss::new(LossCause::Name, LossEffect::LeftOut, message)
            .at(places.get(name.as_slice()).copied())
            .of_crawler(Some(&shown))
    };
    odd.map(loss).collect()
}

/// Returns a loss for each ACAP statement about a usage other than crawling.
fn usages_left_out(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let statements = SiteStatements::of(source.site, &Capabilities::default());
    let mut losses = Vec::new();
    for one in statements.acap() {
        let Some(usage) = one.usages.iter().find(|usage| ***usage != Usage::Crawl) else { continue };
        let Some(statement) = statements.get(one.id, usage) else { continue };
        let names: Vec<&str> =
            one.usages.iter().filter(|usage| ***usage != Usage::Crawl).map(|usage| usage.name()).collect();
        let verb = if statement.modality == Modality::Permission { "permits" } else { "prohibits" };
        let text = String::from_utf8_lossy(&statement.text).into_owned();
        let message = format!("`{text}` {verb} {}, but robots.txt only addresses crawling", names.join(", "));
        losses.push(Loss::new(LossCause::Usage, LossEffect::LeftOut, message).at(Some(statement.line)).of_usage(usage));
    }
    losses
}

/// Returns a loss for each referenced file that addresses usages other than crawling.
fn references_left_out(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let site = source.site;
    let documents = site.documents().iter().filter(|document| site.refers_to(&document.name));
    let loss = |document: &Document<'_>| {
        let usages = Site::of_robots_txt(document.text(), site.reading()).usages_addressed();
        let names: Vec<&str> = usages.iter().filter(|usage| **usage != Usage::Crawl).map(Usage::name).collect();
        let message = format!(
            "the reference to `{}` is omitted; that file addresses {}, but robots.txt only addresses crawling",
            document.name,
            names.join(", ")
        );
        (!names.is_empty()).then(|| Loss::new(LossCause::Usage, LossEffect::LeftOut, message))
    };
    documents.filter_map(loss).collect()
}

/// Returns the losses for requests, which no other dialect can express, and for missing files, which prohibit
/// everything.
fn requests_and_needs(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let mut losses_of: BTreeMap<String, Loss> = BTreeMap::new();
    for audience in &source.audiences {
        let explanation =
            byleave::analysis::explain_unchecked(source.site, &ProposedUse::new("/", &audience.crawler, &Usage::Crawl));
        let name = audience.shown();
        for (action, path) in &explanation.actions {
            let message = format!("the request `{action} {path}` cannot be expressed in RFC 9309 groups");
            losses_of.entry(message.clone()).or_insert_with(|| {
                Loss::new(LossCause::Request, LossEffect::LeftOut, message).of_crawler(name.as_deref())
            });
        }
        for locator in &explanation.needs {
            let message = format!(
                "`{locator}` is missing, so everything is prohibited for the crawlers whose groups refer to it"
            );
            losses_of.entry(message.clone()).or_insert_with(|| {
                Loss::new(LossCause::Reference, LossEffect::Narrower, message).of_crawler(name.as_deref())
            });
        }
    }
    losses_of.into_values().collect()
}
