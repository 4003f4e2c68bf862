//! Every path, not only those that stand for patterns: the regions of source and draft together (`regions`).
//!
//! Paths that the same patterns of both match are decided alike by both. So one path of each region is asked about, and
//! where all regions could be found, both are known to decide alike everywhere else.

use super::draft::Fields;
use super::report::Effect;
use super::source::Audience;
use crate::diff::{bearers_of_fields, bearers_of_rules};
use crate::regions::{Bearer, Most, Regions, Space, Ties, Wanted, is_reserved, regions};
use std::collections::BTreeSet;
use wayleave::{Bearing, ComparablePattern, Crawler, Evidence, Reading, Usage};

/// How much is yet to be walked for one conversion.
pub(crate) struct Left {
    states: usize,
}

impl Left {
    /// Enough for nearly every real file.
    pub(crate) const USUAL: Self = Self { states: 100_000 };

    /// The regions of what two files say of crawling to a crawler.
    ///
    /// Cost: at most [`OF_ONE`] states; none once all are used up, and then the regions are not exact.
    pub(crate) fn walk(&mut self, source: &Evidence<'_>, target: &Evidence<'_>, crawler: &Crawler) -> Regions {
        let bearings = [source.bearing_on(crawler), target.bearing_on(crawler)];
        let escaped = escaped_in(&bearings);
        // Where nothing reserved is escaped, a path comes to the same in every reading.
        let is_alike = source.reading().switches().escapes == target.reading().switches().escapes || escaped.is_empty();
        let (readings, second) = match is_alike {
            true => (vec![source.reading()], 0),
            false => (vec![source.reading(), target.reading()], 1),
        };
        let fields = bearers_of_fields(&Usage::Crawl, &bearings);
        let is_plain = fields.is_empty();
        let mut bearers = fields;
        let [before, after] = &bearings;
        bearers.extend(bearers_of_rules(&[(before, 0), (after, second)]));
        bearers.push(robots_txt_itself());
        let (ties, wanted) = if is_plain { (Ties::Alike, Wanted::Changed) } else { (Ties::Apart, Wanted::All) };
        let most = Most { states: OF_ONE.min(self.states), steps: OF_ONE.min(self.states) * STEPS_OF_A_STATE };
        let walked = regions(&Space::NormalPaths(readings, escaped), &bearers, ties, wanted, most);
        self.states = self.states.saturating_sub(walked.states);
        walked
    }
}

const OF_ONE: usize = 10_000;
const STEPS_OF_A_STATE: usize = 100;

/// `/robots.txt` itself is permitted whatever is said of it (S-13).
fn robots_txt_itself() -> Bearer {
    let pattern = ComparablePattern::exactly(b"/robots.txt");
    Bearer { pattern, reading: 0, sides: u8::MAX, rank: Some(u32::MAX), is_changed: false }
}

/// The reserved characters that some pattern escapes.
fn escaped_in(bearings: &[Bearing]) -> BTreeSet<u8> {
    let of = |bearing: &Bearing| -> Vec<ComparablePattern> {
        let rules = bearing.rules.iter().map(|rule| rule.pattern.clone());
        rules.chain(bearing.fields.iter().map(|field| field.pattern.clone())).collect()
    };
    let patterns: Vec<ComparablePattern> = bearings.iter().flat_map(of).collect();
    let windows = patterns.iter().flat_map(ComparablePattern::pieces).flat_map(|piece| piece.windows(3));
    let octet = |window: &[u8]| {
        let digits = std::str::from_utf8(window.strip_prefix(b"%")?).ok()?;
        u8::from_str_radix(digits, 16).ok().filter(|octet| is_reserved(*octet))
    };
    windows.filter_map(octet).collect()
}

/// The pieces of an audience's patterns, as they are spelled and in small letters.
pub(crate) struct Spelled(Vec<(Vec<u8>, Vec<u8>)>);

impl Spelled {
    pub(crate) fn of(audience: &Audience) -> Self {
        let bodies = audience.all().map(|rule| rule.pattern.strip_suffix(b"$").unwrap_or(&rule.pattern));
        let pieces = bodies.flat_map(|body| body.split(|byte| *byte == b'*'));
        let pieces: BTreeSet<&[u8]> = pieces.filter(|piece| piece.iter().any(u8::is_ascii_alphabetic)).collect();
        Self(pieces.into_iter().map(|piece| (piece.to_vec(), piece.to_ascii_lowercase())).collect())
    }

    /// Whether a path has a piece of a pattern in other capitals than the pattern.
    pub(crate) fn is_recased(&self, path: &str) -> bool {
        let (path, folded) = (path.as_bytes(), path.to_ascii_lowercase());
        let holds = |text: &[u8], piece: &[u8]| text.windows(piece.len()).any(|window| window == piece);
        self.0.iter().any(|(piece, small)| holds(folded.as_bytes(), small) && !holds(path, piece))
    }
}

/// A path on which both differ.
pub(crate) struct Found {
    pub(crate) audience: usize,
    pub(crate) path: String,
    pub(crate) is_recased: bool,
    pub(crate) effect: Effect,
}

/// Which paths of one pair of deciding lines were looked at: in the capitals of the patterns, and in others.
#[derive(Default)]
pub(crate) struct Looks {
    seen: [bool; 2],
    count: usize,
}

impl Looks {
    /// A few looks tell whether there are both.
    pub(crate) fn wants_more(&self) -> bool {
        self.seen != [true, true] && self.count < 16
    }

    /// Whether it is the first of its kind.
    pub(crate) fn add(&mut self, is_recased: bool) -> bool {
        self.count += 1;
        self.seen.get_mut(usize::from(is_recased)).is_some_and(|seen| !std::mem::replace(seen, true))
    }
}

impl Fields {
    /// The reading in which a target of these fields is judged.
    pub(crate) fn reading(self) -> Reading {
        match self {
            Self::Conventional => Reading::Rfc9309,
            Self::Acap => Reading::Default,
        }
    }
}
