//! The same decisions in another carrier or dialect, held against the source by deciding.
//!
//! A target is drafted from what the source says, both are asked the same, and what the target cannot say is told:
//! never dropped or widened in silence. `robots_txt` and `acap` draft files; `response` puts what is decided of one
//! resource into the words of headers and META tags; `preferences` says it in today's dialects.

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
pub(crate) use response::is_same;
pub(crate) use source::{Audience, RobotsTxtSource, UsagePattern};

use crate::names::is_product_token;
use crate::scope::is_truncated;
use byleave::model::Modality;
use byleave::source::LineStarts;
use byleave::{Capabilities, Document, Evidence, EvidenceStatements, ProposedUse, Usage};
use draft::{Draft, DraftDialect, LineContent};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use verify::{Coverage, Mismatch, settle};

/// A file to convert to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetFile {
    /// ACAP's groups of robots.txt.
    Acap,
    /// The groups of RFC 9309.
    RobotsTxt,
}

/// What came of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conversion {
    /// The target.
    pub text: Vec<u8>,
    /// What it does not say as the source does; none where both decide alike.
    pub losses: Vec<Loss>,
    /// Whether all paths were compared, and not only those that stand for patterns and for where two meet.
    pub is_proved: bool,
}

impl Conversion {
    /// Whether nothing had to be told.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.losses.is_empty()
    }
}

/// Converts a robots.txt; nothing where the evidence has none that was read.
///
/// ```
/// use byleave::{Evidence, Reading};
/// use byleave_review::convert::{PathCase, TargetFile, convert};
/// let robots_txt = b"User-agent: GoodBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n";
/// let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
/// let converted = convert(&evidence, TargetFile::Acap, PathCase::Sensitive).unwrap();
/// let expected = b"ACAP-crawler: GoodBot\nACAP-allow-crawl: /\n\nACAP-crawler: *\nACAP-disallow-crawl: /\n";
/// assert_eq!(converted.text, expected);
/// assert!(converted.is_exact());
/// ```
///
/// Cost: see `held`; a bounded number of decisions.
#[must_use]
pub fn convert(evidence: &Evidence<'_>, target: TargetFile, capitals: PathCase) -> Option<Conversion> {
    let mut source = RobotsTxtSource::of(evidence)?;
    if target == TargetFile::RobotsTxt {
        source.add_purposes();
    }
    let mut draft = match target {
        TargetFile::Acap => acap::draft(&source),
        TargetFile::RobotsTxt => robots_txt::draft(&source),
    };
    let (differences, mut compared) = settle(&source, &mut draft, capitals);
    if compared == Coverage::Everywhere && source.has_more_purposes() {
        compared = Coverage::AtPatterns;
    }
    let mut losses = told(&source, &draft, &differences);
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
            if compared == Coverage::Everywhere && !is_whole {
                compared = Coverage::AtPatterns;
            }
        }
    }
    losses.extend(purposes::too_many(&source));
    if compared == Coverage::InPart {
        let message = "there is more to compare than is compared; of the rest nothing is known".to_owned();
        losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
    }
    if is_truncated(evidence) {
        let message = "the source is longer than is read, and what lies beyond is not converted".to_owned();
        losses.push(Loss::new(LossCause::Unknown, LossEffect::LeftOut, message));
    }
    draft.after = facts::of_site(&source);
    losses.sort_by_key(|loss| (loss.effect, loss.cause, loss.line));
    Some(Conversion { text: draft.written().0, losses, is_proved: compared == Coverage::Everywhere })
}

/// The differences of both, one loss for each line of the source, cause and effect.
fn told(source: &RobotsTxtSource<'_>, draft: &Draft, differences: &[Mismatch]) -> Vec<Loss> {
    type Key = (LossEffect, LossCause, Option<u32>);
    let mut by_line: BTreeMap<Key, (Loss, BTreeSet<usize>)> = BTreeMap::new();
    let mut taken_back: BTreeMap<u32, &(LossCause, String)> = BTreeMap::new();
    for line in draft.groups.iter().flat_map(|group| &group.lines).filter(|line| line.is_out) {
        if let (Some(from), Some(because)) = (line.from, &line.because) {
            taken_back.insert(from, because);
        }
    }
    for one in differences {
        let line = one.target.and_then(|place| draft.line(place));
        let of_source = one.source.as_ref().and_then(|decided| decided.line);
        let lost = of_source.filter(|_| one.effect == LossEffect::Narrower).and_then(|line| taken_back.get(&line));
        // What was added or taken back for another path, was so for that path's cause.
        let because = line.and_then(|line| line.because.as_ref()).filter(|_| one.effect == LossEffect::Narrower);
        let cause = lost.copied().or(because).map_or(one.cause, |(cause, _)| *cause);
        let from = of_source.or(line.and_then(|line| line.from));
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
        let message = match (one.effect, of_source, written, lost.copied().or(because)) {
            (LossEffect::Narrower, Some(_), _, Some((_, wider))) if lost.is_some() => {
                format!(
                    "this permission is left out: it would permit `{wider}` to {whom}, which the source prohibits: {why}"
                )
            }
            (LossEffect::Narrower, _, Some(by), Some((_, wider))) => {
                format!("`{path}` is prohibited to {whom} by `{by}`, without which `{wider}` would be permitted: {why}")
            }
            (LossEffect::Narrower, Some(line), Some(by), None) => {
                format!("`{path}` is prohibited to {whom} by `{by}`, though line {line} permits it: {why}")
            }
            (LossEffect::Narrower, None, Some(by), None) => {
                format!("`{path}` is prohibited to {whom} by `{by}`, though nothing in the source does: {why}")
            }
            (LossEffect::Narrower, ..) => {
                format!("`{path}` is prohibited to {whom}, though the source permits it: {why}")
            }
            (LossEffect::LeftOut, Some(line), ..) => {
                format!("`{path}` is not prohibited to {whom}, though line {line} prohibits it: {why}")
            }
            (LossEffect::LeftOut, None, ..) => {
                format!("`{path}` is not prohibited to {whom}, as it is in the source: {why}")
            }
        };
        let mut loss =
            Loss::new(cause, one.effect, message).at(from).of_usage(&Usage::Crawl).of_crawler(name.as_deref());
        loss.path = Some(path.clone());
        by_line.insert(key, (loss, BTreeSet::from([one.audience])));
    }
    // A line of ACAP that was copied may speak of more than crawling.
    for line in draft.groups.iter().flat_map(|group| &group.lines).filter(|line| line.is_out) {
        if let (LineContent::Copied(text), Some((cause, wider))) = (&line.content, &line.because) {
            let text = String::from_utf8_lossy(text);
            let message =
                format!("`{text}` is left out: with it `{wider}` would be permitted, which the source prohibits");
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

fn why(cause: LossCause, fields: DraftDialect) -> &'static str {
    match (cause, fields) {
        (LossCause::Case, DraftDialect::Acap) => "ACAP takes capitals and small letters for the same",
        (LossCause::Case, DraftDialect::Conventional) => {
            "robots.txt tells capitals from small letters, and ACAP does not"
        }
        (LossCause::Tie, _) => "of equally long patterns RFC 9309 prefers the permission, ACAP the prohibition",
        (LossCause::Fallback, _) => {
            "what ACAP says to any crawler holds for a named one where nothing is said to it by name"
        }
        (LossCause::Name, _) => "to the letter of RFC 9309 names are cut, and this one is taken for another",
        (LossCause::Escape, _) => "to the letter of RFC 9309 a reserved character equals its escape",
        (LossCause::Purpose, _) => "the source prohibits it for a purpose, and the target knows no purposes",
        _ => "RFC 9309 goes by the longer pattern, ACAP by the narrower one",
    }
}

/// Names that RFC 9309's grammar does not have: whoever reads them to the letter reads another.
fn odd_names(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let lines = source.policy.text().map(LineStarts::of);
    let groups = source.policy.groups();
    let named = groups.iter().flat_map(|group| group.names.iter().zip(&group.spans));
    let mut places: HashMap<&[u8], u32> = HashMap::new();
    for (name, span) in named {
        if let Some(lines) = &lines {
            places.entry(name).or_insert_with(|| lines.place(span.start).line);
        }
    }
    let told = source.audiences.iter().filter(|audience| audience.has_group || !audience.acap.is_empty());
    let odd = told.flat_map(|audience| &audience.names).filter(|name| !is_product_token(name));
    let loss = |name: &Vec<u8>| {
        let shown = String::from_utf8_lossy(name).into_owned();
        let belongs = |letter: &char| letter.is_ascii_alphabetic() || "_-".contains(*letter);
        let read: String = shown.chars().take_while(belongs).collect();
        let read = if read.is_empty() { "no name".to_owned() } else { format!("`{read}`") };
        let message = format!(
            "`{shown}` is no product token of RFC 9309: read to its letter it is {read}; who compares whole names obeys it"
        );
        Loss::new(LossCause::Name, LossEffect::LeftOut, message)
            .at(places.get(name.as_slice()).copied())
            .of_crawler(Some(&shown))
    };
    odd.map(loss).collect()
}

/// What ACAP says of other usages than crawling.
fn usages_left_out(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let statements = EvidenceStatements::of(source.evidence, &Capabilities::default());
    let mut losses = Vec::new();
    for one in statements.acap() {
        let Some(usage) = one.usages.iter().find(|usage| ***usage != Usage::Crawl) else { continue };
        let Some(statement) = statements.get(one.id, usage) else { continue };
        let names: Vec<&str> =
            one.usages.iter().filter(|usage| ***usage != Usage::Crawl).map(|usage| usage.name()).collect();
        let verb = if statement.modality == Modality::Permission { "permits" } else { "prohibits" };
        let text = String::from_utf8_lossy(&statement.text).into_owned();
        let message = format!("`{text}` {verb} {}: robots.txt speaks of crawling only", names.join(", "));
        losses.push(Loss::new(LossCause::Usage, LossEffect::LeftOut, message).at(Some(statement.line)).of_usage(usage));
    }
    losses
}

/// What files that the source refers to say of other usages than crawling.
fn references_left_out(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let evidence = source.evidence;
    let documents = evidence.documents().iter().filter(|document| evidence.refers_to(&document.name));
    let loss = |document: &Document<'_>| {
        let spoken = Evidence::of_robots_txt(document.text(), evidence.reading()).usages_spoken_of();
        let names: Vec<&str> = spoken.iter().filter(|usage| **usage != Usage::Crawl).map(Usage::name).collect();
        let message = format!(
            "`{}` is not referred to, and speaks of {}: robots.txt speaks of crawling only",
            document.name,
            names.join(", ")
        );
        (!names.is_empty()).then(|| Loss::new(LossCause::Usage, LossEffect::LeftOut, message))
    };
    documents.filter_map(loss).collect()
}

/// Requests, which no other dialect has, and files that are not given and so prohibit all.
fn requests_and_needs(source: &RobotsTxtSource<'_>) -> Vec<Loss> {
    let mut told: BTreeMap<String, Loss> = BTreeMap::new();
    for audience in &source.audiences {
        let explanation = byleave::explain(source.evidence, &ProposedUse::new("/", &audience.crawler, &Usage::Crawl));
        let name = audience.shown();
        for (action, path) in &explanation.actions {
            let message = format!("the request `{action} {path}` has no place in the groups of RFC 9309");
            told.entry(message.clone()).or_insert_with(|| {
                Loss::new(LossCause::Request, LossEffect::LeftOut, message).of_crawler(name.as_deref())
            });
        }
        for locator in &explanation.needs {
            let message = format!("`{locator}` is not given, so all is prohibited to whom the source refers to it");
            told.entry(message.clone()).or_insert_with(|| {
                Loss::new(LossCause::Reference, LossEffect::Narrower, message).of_crawler(name.as_deref())
            });
        }
    }
    told.into_values().collect()
}
