//! What the content of a META tag holds (P2 2.2.2, S-09 to S-11): words, or ACAP, and what stands beside a statement
//! in the same tag though it should have one of its own.

use super::definitions::words;
use super::read::version;
use crate::base::text::starts_with;
use crate::dialects::acap::{AcapField, AcapVersion};
use crate::dialects::robots_directives::WordEffect;
use crate::dialects::robots_directives::word;

/// What a META tag is, by its name and the word its content begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetaRole {
    /// Words of conventional robots META, to a crawler or to all.
    Words,
    /// An ACAP permission or prohibition.
    Statement,
    /// The version of ACAP that the page is written for.
    Version(AcapVersion),
    /// A definition of the strawman of 2007 (S-28).
    Definition(AcapField),
    /// One of the last two where it does not count (S-24).
    OutOfPlace,
}

impl MetaRole {
    /// The role of each thing that a META tag of this name holds, and where it stands in the content.
    ///
    /// Cost: O(content).
    pub(crate) fn all_of(name: &[u8], content: &[u8]) -> Vec<(Self, (usize, usize))> {
        let whole = (0, content.len());
        if let Some(definition) = Self::definition(name) {
            return vec![(Self::Definition(definition), whole)];
        }
        let Some(acap) = AcapContent::of(content) else { return vec![(Self::Words, whole)] };
        let words = acap.words.iter().map(|words| (Self::Words, *words));
        let versions = acap.versions.iter().filter_map(|(version, _)| Some((Self::Version((*version)?), whole)));
        // What says nothing is a statement too, to be told of as one.
        let is_version = acap.has_version() && !acap.has_verb && !acap.has_words() && !acap.has_bad_version();
        let statement = (!is_version).then_some((Self::Statement, whole));
        words.chain(versions).chain(statement).collect()
    }

    /// Whether a META tag of this name is a definition of the strawman.
    pub(crate) fn is_definition(name: &[u8]) -> bool {
        Self::definition(name).is_some()
    }

    fn definition(name: &[u8]) -> Option<AcapField> {
        let field = starts_with(name, b"acap-").then(|| name.get(5..).unwrap_or_default())?;
        let definitions = [AcapField::QualifiedUsage, AcapField::CompositeUsage];
        definitions.into_iter().find(|definition| field.eq_ignore_ascii_case(definition.name().as_bytes()))
    }
}

/// What a content in ACAP begins with.
const ACAP: &[u8] = b"ACAP";

/// A content in ACAP. Places are offsets within it.
pub(crate) struct AcapContent {
    /// Where what follows the token begins.
    pub(super) start: usize,
    /// Whether a colon or the like stands behind the token.
    pub(super) is_odd: bool,
    /// The versions that it declares, if they can be read.
    versions: Vec<(Option<AcapVersion>, (usize, usize))>,
    /// Words of conventional META that restrict, each up to the next permission or prohibition.
    words: Vec<(usize, usize)>,
    /// Both, in order and apart.
    beside: Vec<(usize, usize)>,
    has_verb: bool,
}

impl AcapContent {
    /// What a content holds in ACAP, where it begins with the token. Behind a colon or the like there has to be a
    /// statement or a version.
    ///
    /// Cost: O(content).
    pub(crate) fn of(content: &[u8]) -> Option<Self> {
        let rest = content.get(ACAP.len()..).filter(|_| Self::is_in_front(content))?;
        let start = ACAP.len() + rest.iter().take_while(|byte| is_blank(**byte) || is_mark(**byte)).count();
        let pieces = pieces(content, start);
        let versions = versions(content, &pieces);
        let has_verb = pieces.iter().any(|piece| is_verb(of(content, *piece)));
        if rest.first().is_some_and(|byte| !is_blank(*byte)) && !has_verb && versions.is_empty() {
            return None;
        }
        let is_odd = of(content, (ACAP.len(), start)).iter().any(|byte| is_mark(*byte));
        let words = restricting(content, &pieces);
        let beside = united(versions.iter().map(|(_, span)| *span).chain(words.iter().copied()).collect());
        Some(Self { start, is_odd, versions, words, beside, has_verb })
    }

    /// Whether a content begins with the token.
    pub(crate) fn is_in_front(content: &[u8]) -> bool {
        let is_end = content.get(ACAP.len()).is_none_or(|byte| is_blank(*byte) || is_mark(*byte));
        starts_with(content, ACAP) && is_end
    }

    pub(super) fn has_version(&self) -> bool {
        !self.versions.is_empty()
    }

    pub(super) fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    pub(super) fn has_bad_version(&self) -> bool {
        self.versions.iter().any(|(version, _)| version.is_none())
    }

    /// Whether what stands there belongs to a version or to words, not to a statement.
    pub(super) fn is_beside(&self, at: usize) -> bool {
        let last =
            self.beside.partition_point(|span| span.0 <= at).checked_sub(1).and_then(|last| self.beside.get(last));
        last.is_some_and(|span| at < span.1)
    }
}

/// The same spans in order, those that meet as one.
fn united(mut spans: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    spans.sort_unstable();
    let mut united: Vec<(usize, usize)> = Vec::new();
    for span in spans {
        match united.last_mut().filter(|last| span.0 <= last.1) {
            Some(last) => last.1 = last.1.max(span.1),
            None => united.push(span),
        }
    }
    united
}

fn of(content: &[u8], (start, end): (usize, usize)) -> &[u8] {
    content.get(start..end).unwrap_or_default()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub(super) fn is_mark(byte: u8) -> bool {
    matches!(byte, b':' | b',' | b';' | b'=')
}

fn is_separator(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b',' | b';')
}

/// What stands between blanks, commas and semicolons, marks alone aside.
fn pieces(content: &[u8], from: usize) -> Vec<(usize, usize)> {
    let mut pieces = Vec::new();
    for (start, end) in words(content, from, content.len()) {
        let mut start = start;
        for piece in of(content, (start, end)).split(|byte| is_separator(*byte)) {
            if !piece.iter().all(|byte| is_mark(*byte)) {
                pieces.push((start, start + piece.len()));
            }
            start += piece.len() + 1;
        }
    }
    pieces
}

fn is_verb(piece: &[u8]) -> bool {
    starts_with(piece, b"allow-") || starts_with(piece, b"disallow-")
}

/// The versions among these pieces: `version 1.1`, and in other forms `version: 1.1` or `version=1.1`.
fn versions(content: &[u8], pieces: &[(usize, usize)]) -> Vec<(Option<AcapVersion>, (usize, usize))> {
    const VERSION: &[u8] = b"version";
    let mut found = Vec::new();
    for (n, piece) in pieces.iter().enumerate() {
        let rest = of(content, *piece);
        if !starts_with(rest, VERSION) {
            continue;
        }
        let rest = rest.get(VERSION.len()..).unwrap_or_default();
        let marks = rest.iter().take_while(|byte| is_mark(**byte)).count();
        let next = pieces.get(n + 1).copied().filter(|next| of(content, *next).first().is_some_and(u8::is_ascii_digit));
        let (read, end) = match rest.get(marks..).unwrap_or_default() {
            [] => match next {
                Some(next) => (version(without_end(of(content, next))), next.1),
                None if marks > 0 => (None, piece.1),
                // A purpose of that name.
                None => continue,
            },
            number if marks > 0 => (version(without_end(number)), piece.1),
            // `version1.1`, which declares nothing.
            [b'0'..=b'9', ..] => (None, piece.1),
            _ => continue,
        };
        found.push((read, (piece.0, end)));
    }
    found
}

/// The same without full stops and marks at its end.
fn without_end(number: &[u8]) -> &[u8] {
    let end = number.iter().rposition(|byte| !is_mark(*byte) && *byte != b'.').map_or(0, |last| last + 1);
    number.get(..end).unwrap_or_default()
}

/// The words of conventional META among these pieces that prohibit or limit, each with what follows it.
fn restricting(content: &[u8], pieces: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let restricts = |piece: &(usize, usize)| {
        let name = of(content, *piece).split(|byte| is_mark(*byte)).next().unwrap_or_default();
        word(name).is_some_and(|word| {
            matches!(word.effect, WordEffect::Prohibits | WordEffect::Limits(_) | WordEffect::Requires(..))
        })
    };
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (n, piece) in pieces.iter().enumerate().filter(|(_, piece)| restricts(piece)) {
        if found.last().is_none_or(|last| last.1 <= piece.0) {
            let next = pieces.iter().skip(n).find(|piece| is_verb(of(content, **piece)));
            found.push((piece.0, next.map_or(content.len(), |next| next.0)));
        }
    }
    found
}
