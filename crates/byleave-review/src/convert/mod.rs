//! The same decisions in another carrier or dialect, held against the source by deciding.
//!
//! A target is drafted from what the source says, both are asked the same, and what the target cannot say is told:
//! never dropped or widened in silence. `robots_txt` and `acap` draft files; `response` puts what is decided of one
//! resource into the words of headers and META tags; `preferences` says it in today's dialects.

mod acap;
mod all_paths;
mod draft;
mod facts;
mod paths;
mod pattern;
mod preferences;
mod purposes;
mod report;
mod response;
mod robots_txt;
mod source;
mod verify;

pub use crate::preference_writer::TargetPreferences;
pub use paths::Capitals;
pub use preferences::convert_preferences;
pub use report::{Cause, Effect, Report};
pub use response::{TargetWords, convert_resource};

pub(crate) use pattern::meets;
pub(crate) use response::is_same;
pub(crate) use source::{Audience, Source, Spoken};

use crate::names::is_product_token;
use crate::scope::is_truncated;
use byleave::model::Modality;
use byleave::source::LineStarts;
use byleave::{Capabilities, Document, Evidence, EvidenceStatements, ProposedUse, Usage};
use draft::{Draft, Fields, Said};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use verify::{Compared, Difference, settle};

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
    pub reports: Vec<Report>,
    /// Whether all paths were compared, and not only those that stand for patterns and for where two meet.
    pub is_proved: bool,
}

impl Conversion {
    /// Whether nothing had to be told.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.reports.is_empty()
    }
}

/// Converts a robots.txt; nothing where the evidence has none that was read.
///
/// ```
/// use byleave::{Evidence, Reading};
/// use byleave_review::convert::{Capitals, TargetFile, convert};
/// let robots_txt = b"User-agent: GoodBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n";
/// let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
/// let converted = convert(&evidence, TargetFile::Acap, Capitals::Differ).unwrap();
/// let expected = b"ACAP-crawler: GoodBot\nACAP-allow-crawl: /\n\nACAP-crawler: *\nACAP-disallow-crawl: /\n";
/// assert_eq!(converted.text, expected);
/// assert!(converted.is_exact());
/// ```
///
/// Cost: see `held`; a bounded number of decisions.
#[must_use]
pub fn convert(evidence: &Evidence<'_>, target: TargetFile, capitals: Capitals) -> Option<Conversion> {
    let mut source = Source::of(evidence)?;
    if target == TargetFile::RobotsTxt {
        source.add_purposes();
    }
    let mut draft = match target {
        TargetFile::Acap => acap::draft(&source),
        TargetFile::RobotsTxt => robots_txt::draft(&source),
    };
    let (differences, mut compared) = settle(&source, &mut draft, capitals);
    if compared == Compared::Everywhere && source.has_more_purposes() {
        compared = Compared::AtPatterns;
    }
    let mut reports = told(&source, &draft, &differences);
    match target {
        TargetFile::Acap => {
            reports.extend(facts::not_in_acap(&source));
            reports.extend(purposes::not_in_acap(&source));
        }
        TargetFile::RobotsTxt => {
            reports.extend(odd_names(&source));
            reports.extend(usages_left_out(&source));
            reports.extend(references_left_out(&source));
            reports.extend(requests_and_needs(&source));
            reports.extend(facts::not_in_robots_txt(&source));
            let (counting, is_whole) = facts::counting_anew(&source, &draft);
            reports.extend(counting);
            if compared == Compared::Everywhere && !is_whole {
                compared = Compared::AtPatterns;
            }
        }
    }
    reports.extend(purposes::too_many(&source));
    if compared == Compared::InPart {
        let message = "there is more to compare than is compared; of the rest nothing is known".to_owned();
        reports.push(Report::new(Cause::Unknown, Effect::LeftOut, message));
    }
    if is_truncated(evidence) {
        let message = "the source is longer than is read, and what lies beyond is not converted".to_owned();
        reports.push(Report::new(Cause::Unknown, Effect::LeftOut, message));
    }
    draft.after = facts::of_site(&source);
    reports.sort_by_key(|report| (report.effect, report.cause, report.line));
    Some(Conversion { text: draft.written().0, reports, is_proved: compared == Compared::Everywhere })
}

/// The differences of both, one report for each line of the source, cause and effect.
fn told(source: &Source<'_>, draft: &Draft, differences: &[Difference]) -> Vec<Report> {
    type Key = (Effect, Cause, Option<u32>);
    let mut by_line: BTreeMap<Key, (Report, BTreeSet<usize>)> = BTreeMap::new();
    let mut taken_back: BTreeMap<u32, &(Cause, String)> = BTreeMap::new();
    for line in draft.groups.iter().flat_map(|group| &group.lines).filter(|line| line.is_out) {
        if let (Some(from), Some(because)) = (line.from, &line.because) {
            taken_back.insert(from, because);
        }
    }
    for one in differences {
        let line = one.target.and_then(|place| draft.line(place));
        let of_source = one.source.as_ref().and_then(|decided| decided.line);
        let lost = of_source.filter(|_| one.effect == Effect::Narrower).and_then(|line| taken_back.get(&line));
        // What was added or taken back for another path, was so for that path's cause.
        let because = line.and_then(|line| line.because.as_ref()).filter(|_| one.effect == Effect::Narrower);
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
        let written = line.map(|line| match &line.said {
            Said::Rule(_, pattern) => String::from_utf8_lossy(pattern).into_owned(),
            Said::Copied(text) => String::from_utf8_lossy(text).into_owned(),
        });
        let why = why(cause, draft.fields);
        let message = match (one.effect, of_source, written, lost.copied().or(because)) {
            (Effect::Narrower, Some(_), _, Some((_, wider))) if lost.is_some() => {
                format!(
                    "this permission is left out: it would permit `{wider}` to {whom}, which the source prohibits: {why}"
                )
            }
            (Effect::Narrower, _, Some(by), Some((_, wider))) => {
                format!("`{path}` is prohibited to {whom} by `{by}`, without which `{wider}` would be permitted: {why}")
            }
            (Effect::Narrower, Some(line), Some(by), None) => {
                format!("`{path}` is prohibited to {whom} by `{by}`, though line {line} permits it: {why}")
            }
            (Effect::Narrower, None, Some(by), None) => {
                format!("`{path}` is prohibited to {whom} by `{by}`, though nothing in the source does: {why}")
            }
            (Effect::Narrower, ..) => format!("`{path}` is prohibited to {whom}, though the source permits it: {why}"),
            (Effect::LeftOut, Some(line), ..) => {
                format!("`{path}` is not prohibited to {whom}, though line {line} prohibits it: {why}")
            }
            (Effect::LeftOut, None, ..) => {
                format!("`{path}` is not prohibited to {whom}, as it is in the source: {why}")
            }
        };
        let mut report =
            Report::new(cause, one.effect, message).at(from).of_usage(&Usage::Crawl).of_crawler(name.as_deref());
        report.path = Some(path.clone());
        by_line.insert(key, (report, BTreeSet::from([one.audience])));
    }
    // A line of ACAP that was copied may speak of more than crawling.
    for line in draft.groups.iter().flat_map(|group| &group.lines).filter(|line| line.is_out) {
        if let (Said::Copied(text), Some((cause, wider))) = (&line.said, &line.because) {
            let text = String::from_utf8_lossy(text);
            let message =
                format!("`{text}` is left out: with it `{wider}` would be permitted, which the source prohibits");
            let report = Report::new(*cause, Effect::Narrower, message).at(line.from);
            by_line.insert((Effect::Narrower, *cause, line.from), (report, BTreeSet::new()));
        }
    }
    let counted = |(report, numbers): (Report, BTreeSet<usize>)| {
        let audiences = numbers.iter().filter_map(|number| source.audiences.get(*number));
        Report { crawlers: audiences.map(Audience::count).sum(), ..report }
    };
    by_line.into_values().map(counted).collect()
}

fn why(cause: Cause, fields: Fields) -> &'static str {
    match (cause, fields) {
        (Cause::Case, Fields::Acap) => "ACAP takes capitals and small letters for the same",
        (Cause::Case, Fields::Conventional) => "robots.txt tells capitals from small letters, and ACAP does not",
        (Cause::Tie, _) => "of equally long patterns RFC 9309 prefers the permission, ACAP the prohibition",
        (Cause::Fallback, _) => {
            "what ACAP says to any crawler holds for a named one where nothing is said to it by name"
        }
        (Cause::Name, _) => "to the letter of RFC 9309 names are cut, and this one is taken for another",
        (Cause::Escape, _) => "to the letter of RFC 9309 a reserved character equals its escape",
        (Cause::Purpose, _) => "the source prohibits it for a purpose, and the target knows no purposes",
        _ => "RFC 9309 goes by the longer pattern, ACAP by the narrower one",
    }
}

/// Names that RFC 9309's grammar does not have: whoever reads them to the letter reads another.
fn odd_names(source: &Source<'_>) -> Vec<Report> {
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
    let report = |name: &Vec<u8>| {
        let shown = String::from_utf8_lossy(name).into_owned();
        let belongs = |letter: &char| letter.is_ascii_alphabetic() || "_-".contains(*letter);
        let read: String = shown.chars().take_while(belongs).collect();
        let read = if read.is_empty() { "no name".to_owned() } else { format!("`{read}`") };
        let message = format!(
            "`{shown}` is no product token of RFC 9309: read to its letter it is {read}; who compares whole names obeys it"
        );
        Report::new(Cause::Name, Effect::LeftOut, message)
            .at(places.get(name.as_slice()).copied())
            .of_crawler(Some(&shown))
    };
    odd.map(report).collect()
}

/// What ACAP says of other usages than crawling.
fn usages_left_out(source: &Source<'_>) -> Vec<Report> {
    let statements = EvidenceStatements::of(source.evidence, &Capabilities::default());
    let mut reports = Vec::new();
    for one in statements.acap() {
        let Some(usage) = one.usages.iter().find(|usage| ***usage != Usage::Crawl) else { continue };
        let Some(statement) = statements.get(one.id, usage) else { continue };
        let names: Vec<&str> =
            one.usages.iter().filter(|usage| ***usage != Usage::Crawl).map(|usage| usage.name()).collect();
        let verb = if statement.modality == Modality::Permission { "permits" } else { "prohibits" };
        let text = String::from_utf8_lossy(&statement.text).into_owned();
        let message = format!("`{text}` {verb} {}: robots.txt speaks of crawling only", names.join(", "));
        reports.push(Report::new(Cause::Usage, Effect::LeftOut, message).at(Some(statement.line)).of_usage(usage));
    }
    reports
}

/// What files that the source refers to say of other usages than crawling.
fn references_left_out(source: &Source<'_>) -> Vec<Report> {
    let evidence = source.evidence;
    let documents = evidence.documents().iter().filter(|document| evidence.refers_to(&document.name));
    let report = |document: &Document<'_>| {
        let spoken = Evidence::of_robots_txt(document.text(), evidence.reading()).usages_spoken_of();
        let names: Vec<&str> = spoken.iter().filter(|usage| **usage != Usage::Crawl).map(Usage::name).collect();
        let message = format!(
            "`{}` is not referred to, and speaks of {}: robots.txt speaks of crawling only",
            document.name,
            names.join(", ")
        );
        (!names.is_empty()).then(|| Report::new(Cause::Usage, Effect::LeftOut, message))
    };
    documents.filter_map(report).collect()
}

/// Requests, which no other dialect has, and files that are not given and so prohibit all.
fn requests_and_needs(source: &Source<'_>) -> Vec<Report> {
    let mut told: BTreeMap<String, Report> = BTreeMap::new();
    for audience in &source.audiences {
        let explanation = byleave::explain(source.evidence, &ProposedUse::new("/", &audience.crawler, &Usage::Crawl));
        let name = audience.shown();
        for (action, path) in &explanation.actions {
            let message = format!("the request `{action} {path}` has no place in the groups of RFC 9309");
            told.entry(message.clone())
                .or_insert_with(|| Report::new(Cause::Request, Effect::LeftOut, message).of_crawler(name.as_deref()));
        }
        for locator in &explanation.needs {
            let message = format!("`{locator}` is not given, so all is prohibited to whom the source refers to it");
            told.entry(message.clone()).or_insert_with(|| {
                Report::new(Cause::Reference, Effect::Narrower, message).of_crawler(name.as_deref())
            });
        }
    }
    told.into_values().collect()
}
