//! What to write to say this: a statement of intent in every carrier, each held against the intent by deciding.
//!
//! `intent` says what is meant, `blocks` writes it, and here each carrier is asked alone whether it says so.

mod blocks;
mod intent;

pub use intent::{Clause, Intent, IntentError};

use crate::convert::is_same;
use crate::directive_writer::UsageIntent;
use crate::names::nobody;
use crate::preference_writer::PREFERENCE_USAGES;
use blocks::WrittenText;
use byleave::vocabulary::UsageKind;
use byleave::{Crawler, Evidence, Outcome, ProposedUse, Usage};
use intent::{said, whom, witness};

/// A carrier in which an intent is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteTarget {
    /// robots.txt, in the groups of RFC 9309.
    RobotsTxt,
    /// robots.txt, in ACAP.
    Acap,
    /// The header `Robots-Tag`.
    RobotsTag,
    /// The header `X-Robots-Tag`.
    XRobotsTag,
    /// META tags.
    Meta,
    /// Lines of `Content-Usage` in robots.txt.
    ContentUsage,
    /// Lines of `Content-Signal` in robots.txt.
    ContentSignal,
    /// `/.well-known/tdmrep.json`.
    TdmRep,
}

impl WriteTarget {
    /// Every carrier, in the order of output.
    pub const ALL: &'static [Self] = &[
        Self::RobotsTxt,
        Self::Acap,
        Self::RobotsTag,
        Self::XRobotsTag,
        Self::Meta,
        Self::ContentUsage,
        Self::ContentSignal,
        Self::TdmRep,
    ];

    /// Its name in every output.
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

    /// Whether it is one of today's dialects, which speak of AI and search only (S-40).
    fn is_preference(self) -> bool {
        matches!(self, Self::ContentUsage | Self::ContentSignal | Self::TdmRep)
    }
}

/// How far a carrier says what is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fidelity {
    /// All of it, and nothing more.
    Exact,
    /// A part of it, or more than it.
    Partial,
    /// Nothing of it.
    Nothing,
}

impl Fidelity {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exactly",
            Self::Partial => "in-part",
            Self::Nothing => "nothing",
        }
    }
}

/// An intent, written in one carrier.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrittenIntent {
    /// The carrier.
    pub carrier: WriteTarget,
    /// How far it says what is meant.
    pub fidelity: Fidelity,
    /// What to write, and on which paths; the file where none is named.
    pub blocks: Vec<Block>,
    /// What it says as meant, a line each.
    pub said: Vec<String>,
    /// What it does not say so, a line each.
    pub unsaid: Vec<String>,
    /// What it says beyond, a line each.
    pub beyond: Vec<String>,
    /// What else is to be known of it, a line each.
    pub notes: Vec<String>,
}

/// Lines to write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// The pattern of the paths on whose responses they belong; nothing for a file of the site.
    pub path: Option<String>,
    /// The lines.
    pub lines: Vec<String>,
}

/// Writes an intent in every carrier; in today's dialects where it is about a usage that these speak of.
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
    let mut asked = Verification::default();
    for path in &intent.paths {
        WrittenText::of(&blocks, carrier, path).with_evidence(|evidence| {
            for name in std::iter::once(None).chain(intent.names.iter().map(|name| Some(name.as_str()))) {
                asked.ask(intent, carrier, evidence, name, path);
            }
        });
    }
    let (said, unsaid) = (asked.said.lines(), asked.unsaid.lines());
    let mut beyond = asked.beyond.lines();
    let fidelity = match (said.is_empty(), unsaid.is_empty() && beyond.is_empty()) {
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
    WrittenIntent { carrier, fidelity, blocks, said, unsaid, beyond, notes }
}

/// Sentences, each with the crawlers it is about.
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

    /// What holds for any crawler goes without saying for those that are named.
    fn lines(&self) -> Vec<String> {
        let line = |(before, after, names): &(String, String, Vec<Option<String>>)| {
            let is_any = names.iter().any(Option::is_none);
            let named = names.iter().flatten().map(|name| whom(Some(name))).collect::<Vec<_>>().join(", ");
            format!("{before} {}{after}", if is_any { whom(None) } else { named })
        };
        self.0.iter().map(line).collect()
    }
}

/// What a carrier says of what was asked.
#[derive(Default)]
struct Verification {
    said: Sentences,
    unsaid: Sentences,
    beyond: Sentences,
}

impl Verification {
    fn ask(
        &mut self,
        intent: &Intent,
        carrier: WriteTarget,
        evidence: &Evidence<'_>,
        name: Option<&str>,
        pattern: &str,
    ) {
        let crawler = name.map_or_else(|| nobody(&[evidence]), Crawler::named);
        let path = witness(pattern);
        let of = if pattern == "/" { String::new() } else { format!(" of `{pattern}`") };
        let usages = intent.usages();
        let mut beyond: Vec<(String, Vec<&str>)> = Vec::new();
        for usage in Usage::NAMED {
            let explanation = byleave::explain(evidence, &ProposedUse::new(&path, &crawler, usage));
            let got = UsageIntent { outcome: explanation.decision.outcome, conditions: explanation.conditions };
            let Some(wish) = intent.wish(name, usage, &path) else {
                // RFC 9309's own default is no saying of ours.
                let is_default = *usage == Usage::Crawl && got.outcome == Outcome::Permitted;
                if got.outcome != Outcome::Unstated && !is_default {
                    let said = said(&got);
                    match beyond.iter_mut().find(|(known, _)| *known == said) {
                        Some((_, usages)) => usages.push(usage.name()),
                        None => beyond.push((said, vec![usage.name()])),
                    }
                }
                continue;
            };
            let is_alike = got.outcome == wish.outcome && is_same(&got.conditions, &wish.conditions);
            let line = format!("`{usage}`{of} is {} to", said(wish));
            // What lies within a usage is told of only where it is not said although that usage is.
            let is_asked_for = usages.contains(&usage);
            match is_alike {
                true if is_asked_for => self.said.add(line, String::new(), name),
                false if is_asked_for || got.outcome != Outcome::Unstated => {
                    self.unsaid.add(line, format!(": {}", why(carrier, usage, wish, &got)), name);
                }
                _ => {}
            }
        }
        for (said, usages) in beyond {
            let usages: Vec<String> = usages.iter().map(|usage| format!("`{usage}`")).collect();
            let is = if usages.len() == 1 { "is" } else { "are" };
            self.beyond.add(format!("{}{of} {is} {said} to", usages.join(", ")), " too".to_owned(), name);
        }
    }
}

/// What else is to be known of a carrier.
fn notes(intent: &Intent, carrier: WriteTarget, fidelity: Fidelity) -> Vec<String> {
    let prohibited: Vec<&Usage> = intent
        .usages()
        .into_iter()
        .filter(|usage| {
            intent.atoms.iter().any(|atom| atom.usage == **usage && atom.wish.outcome == Outcome::Prohibited)
        })
        .collect();
    let listed = |usages: &[&Usage]| usages.iter().map(|usage| format!("`{usage}`")).collect::<Vec<_>>().join(", ");
    match carrier {
        WriteTarget::Acap => {
            let own: Vec<&Usage> = prohibited.into_iter().filter(|usage| usage.kind() != UsageKind::Standard).collect();
            let note = format!(
                "ACAP does not define {}: a prohibition of it holds for that word alone, and for who knows it (S-09)",
                listed(&own)
            );
            if own.is_empty() || fidelity == Fidelity::Nothing { Vec::new() } else { vec![note] }
        }
        WriteTarget::RobotsTxt => {
            let others: Vec<&Usage> = prohibited.into_iter().filter(|usage| **usage != Usage::Crawl).collect();
            let note = format!(
                "what may not be crawled is not used either: `--prohibit crawl` says more than {}",
                listed(&others)
            );
            if others.is_empty() { Vec::new() } else { vec![note] }
        }
        WriteTarget::ContentUsage | WriteTarget::ContentSignal => {
            let is_named =
                intent.atoms.iter().any(|atom| atom.name.is_some() && PREFERENCE_USAGES.contains(&atom.usage));
            let note = "lines for a named crawler belong into its group of the existing robots.txt: a group of its own \
                        replaces the one for `*`";
            if is_named && fidelity != Fidelity::Nothing { vec![note.to_owned()] } else { Vec::new() }
        }
        WriteTarget::TdmRep if fidelity != Fidelity::Nothing => {
            vec!["its place is `/.well-known/tdmrep.json`".to_owned()]
        }
        WriteTarget::TdmRep | WriteTarget::RobotsTag | WriteTarget::XRobotsTag | WriteTarget::Meta => Vec::new(),
    }
}

/// Why a carrier does not say what is wished.
fn why(carrier: WriteTarget, usage: &Usage, wish: &UsageIntent, got: &UsageIntent) -> String {
    let reason = match (carrier, got.outcome) {
        (WriteTarget::RobotsTxt, _) if *usage != Usage::Crawl => "RFC 9309 speaks of crawling only".to_owned(),
        (WriteTarget::RobotsTxt | WriteTarget::Acap, Outcome::Unstated) => "ACAP has no permission of it".to_owned(),
        (WriteTarget::TdmRep, Outcome::Unstated) if *usage == Usage::Tdm || usage.within().contains(&Usage::Tdm) => {
            "it says the same to every crawler, and nothing of a part of `tdm` alone".to_owned()
        }
        (_, Outcome::Unstated) if wish.outcome == Outcome::Permitted => "no word permits it".to_owned(),
        (_, Outcome::Unstated) => "no word speaks of it".to_owned(),
        (WriteTarget::TdmRep, _) => format!("here it is {}; it says the same to every crawler", said(got)),
        (WriteTarget::ContentUsage | WriteTarget::ContentSignal, _) => {
            format!("here it is {}; no word says it alone", said(got))
        }
        (_, _) => format!("here it is {}; what is said to everyone binds all, and words only restrict", said(got)),
    };
    match dialects(usage) {
        Some(dialects) if got.outcome == Outcome::Unstated && !carrier.is_preference() => {
            format!("{reason} ({dialects} can say it)")
        }
        _ => reason,
    }
}

/// The dialects of today that have a word for a usage (S-40).
fn dialects(usage: &Usage) -> Option<&'static str> {
    match usage {
        Usage::TrainAi | Usage::Search | Usage::AiInput => Some("`Content-Usage`, `Content-Signal` or RSL"),
        Usage::TrainGenai => Some("metadata of PLUS"),
        Usage::AiIndex => Some("RSL"),
        Usage::Tdm => Some("TDMRep"),
        _ => None,
    }
}
