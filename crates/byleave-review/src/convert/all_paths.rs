//! Compares the source and the draft on every path, using the regions that both files together distinguish (`regions`).
//!
//! Paths that match the same patterns in both files get the same decisions, so one path per region is enough. If all
//! regions were found, the comparison covers every path.

use super::draft::DraftDialect;
use super::loss::LossEffect;
use super::source::Audience;
use crate::applicable::{escaped_in, field_patterns, walk_in_readings};
use crate::budget::Budget;
use crate::regions::{ORIGIN, Regions};
use byleave::analysis::comparable_path;
use byleave::{Crawler, Reading, Site, Usage};
use std::collections::{BTreeSet, HashMap};

/// Returns the regions that two files distinguish for a crawler and `crawl`.
pub(crate) fn walk(source: &Site<'_>, target: &Site<'_>, crawler: &Crawler, budget: &Budget) -> Regions {
    let all_applicable = [source.applicable_to(crawler), target.applicable_to(crawler)];
    let [before, after] = &all_applicable;
    let policies = [(before, source.reading()), (after, target.reading())];
    let fields = field_patterns(&Usage::Crawl, &all_applicable);
    let mut walked = walk_in_readings(&Usage::Crawl, fields, &policies, &escaped_in(&all_applicable), budget);
    walked.is_exact &= all_applicable.iter().all(|applicable| applicable.is_whole);
    walked
}

/// The literal pieces of an audience's patterns as spelled, keyed by their lower-case form.
pub(crate) struct PatternSpellings {
    pieces: HashMap<Vec<u8>, Vec<Vec<u8>>>,
    lengths: BTreeSet<usize>,
}

impl PatternSpellings {
    pub(crate) fn of(audience: &Audience) -> Self {
        let bodies = audience.all().map(|rule| rule.pattern.strip_suffix(b"$").unwrap_or(&rule.pattern));
        let written = bodies.flat_map(|body| body.split(|byte| *byte == b'*'));
        let written: BTreeSet<&[u8]> = written.filter(|piece| piece.iter().any(u8::is_ascii_alphabetic)).collect();
        let (mut pieces, mut lengths) = (HashMap::<_, Vec<_>>::new(), BTreeSet::new());
        for piece in written.into_iter().map(comparable) {
            lengths.insert(piece.len());
            pieces.entry(piece.to_ascii_lowercase()).or_default().push(piece);
        }
        Self { pieces, lengths }
    }

    /// Returns whether a path contains a piece of a pattern in a different case.
    ///
    /// Cost: one lookup for each part of the path that is as long as some piece.
    pub(crate) fn is_recased(&self, path: &str) -> bool {
        let path = comparable_path(&format!("{ORIGIN}{path}"), Reading::Default);
        let folded = path.to_ascii_lowercase();
        let holds = |piece: &Vec<u8>| path.windows(piece.len()).any(|window| window == piece);
        let mut parts = self.lengths.iter().filter(|length| **length > 0).flat_map(|length| folded.windows(*length));
        parts.any(|part| self.pieces.get(part).is_some_and(|spelled| !spelled.iter().all(holds)))
    }
}

/// Returns a piece of a pattern in the form that is compared, or unchanged if it cannot occur in a URL.
fn comparable(piece: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(piece).ok().filter(|text| !text.contains('#'));
    let path = text.map(|text| comparable_path(&format!("{ORIGIN}/{text}"), Reading::Default));
    path.and_then(|path| path.strip_prefix(b"/").map(<[u8]>::to_vec)).unwrap_or_else(|| piece.to_vec())
}

/// A path on which the source and the draft differ.
pub(crate) struct DifferingPath {
    pub(crate) audience: usize,
    pub(crate) path: String,
    pub(crate) is_recased: bool,
    pub(crate) effect: LossEffect,
}

/// Which paths were seen for one pair of deciding lines: paths in the letter case that the patterns use, and paths in a
/// different case.
#[derive(Default)]
pub(crate) struct PathsSeen {
    seen: [bool; 2],
    count: usize,
}

impl PathsSeen {
    /// Returns whether more paths should be examined. A few paths show whether both cases occur.
    pub(crate) fn wants_more(&self) -> bool {
        self.seen != [true, true] && self.count < 16
    }

    /// Records a path. Returns whether it is the first path of its kind.
    pub(crate) fn add(&mut self, is_recased: bool) -> bool {
        self.count += 1;
        self.seen.get_mut(usize::from(is_recased)).is_some_and(|seen| !std::mem::replace(seen, true))
    }
}

impl DraftDialect {
    /// Returns the reading that verifies a target in this dialect.
    pub(crate) fn reading(self) -> Reading {
        match self {
            Self::Conventional => Reading::Rfc9309,
            Self::Acap => Reading::Default,
        }
    }
}
