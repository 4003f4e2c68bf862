//! Writes an intent in every carrier, and verifies each result with the engine.
//!
//! `intent` represents the intent and `blocks` writes it. This module reads each carrier's lines without other
//! documents and checks whether they express the intent.

mod blocks;
mod intent;

pub use intent::{Clause, Intent, IntentError};

use crate::names::nobody;
use crate::preference_writer::PREFERENCE_USAGES;
use crate::usage_intent::UsageIntent;
use blocks::WrittenText;
use byleave::analysis::vocabulary::UsageKind;
use byleave::{Crawler, Outcome, ProposedUse, Site, Usage};
use intent::{in_words, whom, witness};

/// A carrier that can express an intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteTarget {
    /// A robots.txt with RFC 9309 groups.
    RobotsTxt,
    /// A robots.txt in ACAP.
    Acap,
    /// The `Robots-Tag` header.
    RobotsTag,
    /// The `X-Robots-Tag` header.
    XRobotsTag,
    /// META tags.
    Meta,
    /// `Content-Usage` lines in robots.txt.
    ContentUsage,
    /// `Content-Signal` lines in robots.txt.
    ContentSignal,
    /// The file `/.well-known/tdmrep.json`.
    TdmRep,
}

impl WriteTarget {
    /// Every carrier, in output order.
    pub(crate) const ALL: &'static [Self] = &[
        Self::RobotsTxt,
        Self::Acap,
        Self::RobotsTag,
        Self::XRobotsTag,
        Self::Meta,
        Self::ContentUsage,
        Self::ContentSignal,
        Self::TdmRep,
    ];

    /// Returns the carrier's name, as used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RobotsTxt => "robots.txt",
            Self::Acap => "robots.txt in ACAP",
            Self::RobotsTag => "Robots-Tag",
            Self::XRobotsTag => "X-Robots-Tag",
            Self::Meta => "META",
            Self::ContentUsage => "Content-Usage",
            Self::ContentSignal => "Content-Signal",
            Self::TdmRep => "tdmrep.json",
        }
    }

    /// Returns whether the carrier is an AI-preference dialect. Such a dialect only addresses AI and search (S-40).
    fn is_preference(self) -> bool {
        matches!(self, Self::ContentUsage | Self::ContentSignal | Self::TdmRep)
    }
}

/// How much of an intent a carrier expresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fidelity {
    /// The carrier expresses the whole intent and nothing else.
    Exact,
    /// The carrier expresses part of the intent, or more than the intent.
    Partial,
    /// The carrier expresses nothing of the intent.
    Nothing,
}

impl Fidelity {
    /// Returns the value's name, as used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exactly",
            Self::Partial => "in-part",
            Self::Nothing => "nothing",
        }
    }
}

/// An intent as written in one carrier.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrittenIntent {
    /// The carrier.
    pub carrier: WriteTarget,
    /// How much of the intent the carrier expresses.
    pub fidelity: Fidelity,
    /// The lines to write, for the file or for each path.
    pub blocks: Vec<Block>,
    /// The parts that are expressed as intended, one sentence each.
    pub expressed: Vec<String>,
    /// The parts that are not expressed as intended, one sentence each.
    pub unexpressed: Vec<String>,
    /// What the carrier expresses beyond the intent, one sentence each.
    pub beyond: Vec<String>,
    /// Other notes, one sentence each.
    pub notes: Vec<String>,
}

/// Lines to write in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// The pattern of the paths whose responses get these lines, or `None` for a file on the site.
    pub path: Option<String>,
    /// The lines.
    pub lines: Vec<String>,
}

/// Writes an intent in every carrier. AI-preference dialects are written only if the intent has a usage that they
/// address.
///
/// ```
/// use byleave::{Usage, model::Modality};
/// use byleave_review::write::{Clause, Intent, Fidelity, WriteTarget, write};
/// let clause = Clause {
///     modality: Modality::Prohibition,
///     usages: vec![Usage::Index],
///     crawlers: vec!["ExampleBot".to_owned()],
///     paths: Vec::new(),
///     snippet: None,
///     until: None,
/// };
/// let written = write(&Intent::new(&[clause]).unwrap());
/// assert_eq!((written[0].carrier, written[0].fidelity), (WriteTarget::RobotsTxt, Fidelity::Nothing));
/// assert_eq!((written[2].carrier, written[2].fidelity), (WriteTarget::RobotsTag, Fidelity::Exact));
/// assert_eq!(written[2].blocks[0].lines, ["Robots-Tag: ExampleBot;noindex"]);
/// ```
#[must_use]
pub fn write(intent: &Intent) -> Vec<WrittenIntent> {
    let has_preference = intent.usages().iter().any(|usage| PREFERENCE_USAGES.contains(usage));
    let carriers = WriteTarget::ALL.iter().filter(|carrier| has_preference || !carrier.is_preference());
    carriers.map(|carrier| written(intent, *carrier)).collect()
}

fn written(intent: &Intent, carrier: WriteTarget) -> WrittenIntent {
    let blocks = blocks::blocks(intent, carrier);
    let mut verification = Verification::default();
    for path in &intent.paths {
        WrittenText::of(&blocks, carrier, path).with_evidence(|site| {
            for name in std::iter::once(None).chain(intent.names.iter().map(|name| Some(name.as_str()))) {
                verification.ask(intent, carrier, site, name, path);
            }
        });
    }
    let (expressed, unexpressed) = (verification.expressed.lines(), verification.unexpressed.lines());
    let mut beyond = verification.beyond.lines();
    let fidelity = match (expressed.is_empty(), unexpressed.is_empty() && beyond.is_empty()) {
        (_, true) => Fidelity::Exact,
        (true, false) => Fidelity::Nothing,
        (false, false) => Fidelity::Partial,
    };
    let notes = notes(intent, carrier, fidelity);
    let mut blocks = blocks;
    if fidelity == Fidelity::Nothing {
        blocks.clear();
        beyond.clear();
    }
    WrittenIntent { carrier, fidelity, blocks, expressed, unexpressed, beyond, notes }
}

/// Sentences, each with the crawlers that it is about.
#[derive(Default)]
struct Sentences(Vec<(String, String, Vec<Option<String>>)>);

impl Sentences {
    fn add(&mut self, before: String, after: String, name: Option<&str>) {
        let name = name.map(str::to_owned);
        match self.0.iter_mut().find(|known| (&known.0, &known.1) == (&before, &after)) {
            Some((_, _, names)) => names.push(name),
            None => self.0.push((before, after, vec![name])),
        }
    }

    /// Returns the sentences. If a sentence holds for any crawler, named crawlers are not listed.
    fn lines(&self) -> Vec<String> {
        let line = |(before, after, names): &(String, String, Vec<Option<String>>)| {
            let is_any = names.iter().any(Option::is_none);
            let named = names.iter().flatten().map(|name| whom(Some(name))).collect::<Vec<_>>().join(", ");
            format!("{before} {}{after}", if is_any { whom(None) } else { named })
        };
        self.0.iter().map(line).collect()
    }
}

/// What a carrier expresses, compared with the intent.
#[derive(Default)]
struct Verification {
    expressed: Sentences,
    unexpressed: Sentences,
    beyond: Sentences,
}

impl Verification {
    fn ask(&mut self, intent: &Intent, carrier: WriteTarget, site: &Site<'_>, name: Option<&str>, pattern: &str) {
        let crawler = name.map_or_else(|| nobody(&[site]), Crawler::named);
        let path = witness(pattern);
        let of = if pattern == "/" { String::new() } else { format!(" on `{pattern}`") };
        let usages = intent.usages();
        let mut beyond: Vec<(String, Vec<&str>)> = Vec::new();
        for usage in Usage::NAMED {
            let got =
                UsageIntent::of(byleave::analysis::explain_unchecked(site, &ProposedUse::new(&path, &crawler, usage)));
            let Some(intended) = intent.intended(name, usage, &path) else {
                // RFC 9309 permits crawling by default, without any line.
                let is_default = *usage == Usage::Crawl && got.outcome == Outcome::Permitted;
                if got.outcome != Outcome::Unstated && !is_default {
                    let phrase = in_words(&got);
                    match beyond.iter_mut().find(|(known, _)| *known == phrase) {
                        Some((_, usages)) => usages.push(usage.name()),
                        None => beyond.push((phrase, vec![usage.name()])),
                    }
                }
                continue;
            };
            let line = format!("`{usage}`{of} is {} for", in_words(intended));
            // A usage that no clause names, but that is part of a named usage, is reported only if its outcome differs.
            let is_asked_for = usages.contains(&usage);
            match got.is_same(intended) {
                true if is_asked_for => self.expressed.add(line, String::new(), name),
                false if is_asked_for || got.outcome != Outcome::Unstated => {
                    self.unexpressed.add(line, format!(": {}", why(carrier, usage, intended, &got)), name);
                }
                _ => {}
            }
        }
        for (phrase, usages) in beyond {
            let usages: Vec<String> = usages.iter().map(|usage| format!("`{usage}`")).collect();
            let is = if usages.len() == 1 { "is" } else { "are" };
            self.beyond.add(format!("{}{of} {is} {phrase} for", usages.join(", ")), " too".to_owned(), name);
        }
    }
}

/// Returns other notes about a carrier.
fn notes(intent: &Intent, carrier: WriteTarget, fidelity: Fidelity) -> Vec<String> {
    let prohibited: Vec<&Usage> = intent
        .usages()
        .into_iter()
        .filter(|usage| {
            intent.atoms.iter().any(|atom| atom.usage == **usage && atom.intended.outcome == Outcome::Prohibited)
        })
        .collect();
    let listed = |usages: &[&Usage]| usages.iter().map(|usage| format!("`{usage}`")).collect::<Vec<_>>().join(", ");
    match carrier {
        WriteTarget::Acap => {
            let own: Vec<&Usage> = prohibited.into_iter().filter(|usage| usage.kind() != UsageKind::Standard).collect();
            let note = format!(
                "ACAP does not define {}; such a prohibition binds only crawlers that know the name (S-09)",
                listed(&own)
            );
            if own.is_empty() || fidelity == Fidelity::Nothing { Vec::new() } else { vec![note] }
        }
        WriteTarget::RobotsTxt => {
            let others: Vec<&Usage> = prohibited.into_iter().filter(|usage| **usage != Usage::Crawl).collect();
            let note = format!(
                "a resource that may not be crawled cannot be used either, but `--prohibit crawl` prohibits more \
                 than {}",
                listed(&others)
            );
            if others.is_empty() { Vec::new() } else { vec![note] }
        }
        WriteTarget::ContentUsage | WriteTarget::ContentSignal => {
            let is_named =
                intent.atoms.iter().any(|atom| atom.name.is_some() && PREFERENCE_USAGES.contains(&atom.usage));
            let note = "put lines for a named crawler into its group in the existing robots.txt: a separate group would \
                        replace the group for `*`";
            if is_named && fidelity != Fidelity::Nothing { vec![note.to_owned()] } else { Vec::new() }
        }
        WriteTarget::TdmRep if fidelity != Fidelity::Nothing => {
            vec!["publish it as `/.well-known/tdmrep.json`".to_owned()]
        }
        WriteTarget::TdmRep | WriteTarget::RobotsTag | WriteTarget::XRobotsTag | WriteTarget::Meta => Vec::new(),
    }
}

/// Returns the reason why a carrier does not express the intent.
fn why(carrier: WriteTarget, usage: &Usage, intended: &UsageIntent, got: &UsageIntent) -> String {
    let word = if carrier.is_preference() { "key" } else { "directive" };
    let reason = match (carrier, got.outcome) {
        (WriteTarget::RobotsTxt, _) if *usage != Usage::Crawl => "RFC 9309 only addresses crawling".to_owned(),
        (WriteTarget::RobotsTxt | WriteTarget::Acap, Outcome::Unstated) => "ACAP cannot permit it".to_owned(),
        (WriteTarget::TdmRep, Outcome::Unstated) if *usage == Usage::Tdm || usage.within().contains(&Usage::Tdm) => {
            "tdmrep.json can neither address crawlers separately nor address only part of `tdm`".to_owned()
        }
        (_, Outcome::Unstated) if intended.outcome == Outcome::Permitted => format!("no {word} permits it"),
        (_, Outcome::Unstated) => format!("no {word} addresses it"),
        (WriteTarget::TdmRep, _) => format!("it is {} here, because all crawlers get the same rules", in_words(got)),
        (WriteTarget::ContentUsage | WriteTarget::ContentSignal, _) => {
            format!("it is {} here, because no key addresses it alone", in_words(got))
        }
        (_, _) => {
            format!(
                "it is {} here, because directives for everyone bind all crawlers and can only restrict",
                in_words(got)
            )
        }
    };
    match dialects(usage) {
        Some(dialects) if got.outcome == Outcome::Unstated && !carrier.is_preference() => {
            format!("{reason} ({dialects} can express it)")
        }
        _ => reason,
    }
}

/// Returns the AI-preference dialects that address a usage (S-40).
fn dialects(usage: &Usage) -> Option<&'static str> {
    match usage {
        Usage::TrainAi | Usage::Search | Usage::AiInput => Some("`Content-Usage`, `Content-Signal` or RSL"),
        Usage::TrainGenai => Some("PLUS metadata"),
        Usage::AiIndex => Some("RSL"),
        Usage::Tdm => Some("TDMRep"),
        _ => None,
    }
}
