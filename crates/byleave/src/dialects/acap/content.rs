//! Determines whether a META tag contains conventional directives or ACAP (P2 2.2.2, S-09 to S-11).
//!
//! ACAP content can also contain a version or directives, although they should be in tags of their own. This file finds
//! them. `meta.rs` parses the statements.

use super::definitions::words;
use super::parse::version;
use crate::base::text::starts_with;
use crate::dialects::acap::{AcapField, AcapVersion};
use crate::dialects::robots_directives::DirectiveEffect;
use crate::dialects::robots_directives::directive_named;

/// The role of a META tag, according to its name and the beginning of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetaRole {
    /// Conventional robots directives, for one crawler or for all.
    Directives,
    /// An ACAP permission or prohibition.
    Statement,
    /// The version of ACAP that the page is written for.
    Version(AcapVersion),
    /// A definition as in ACAP's strawman of 2007 (S-28).
    Definition(AcapField),
    /// A version or a definition in a place where it has no effect (S-24).
    OutOfPlace,
}

impl MetaRole {
    /// Returns the role of each part of a META tag's content, and the span of each part.
    ///
    /// Cost: O(content).
    pub(crate) fn all_of(name: &[u8], content: &[u8]) -> Vec<(Self, (usize, usize))> {
        let whole = (0, content.len());
        if let Some(definition) = Self::definition(name) {
            return vec![(Self::Definition(definition), whole)];
        }
        let Some(acap) = AcapContent::of(content) else { return vec![(Self::Directives, whole)] };
        let directives = acap.directives.iter().map(|directives| (Self::Directives, *directives));
        let versions = acap.versions.iter().filter_map(|(version, _)| Some((Self::Version((*version)?), whole)));
        // Content without any statement is treated as a statement, so that it is reported.
        let is_version = acap.has_version() && !acap.has_verb && !acap.has_directives() && !acap.has_bad_version();
        let statement = (!is_version).then_some((Self::Statement, whole));
        directives.chain(versions).chain(statement).collect()
    }

    /// Whether a META tag with this name is a definition as in ACAP's strawman of 2007.
    pub(crate) fn is_definition(name: &[u8]) -> bool {
        Self::definition(name).is_some()
    }

    fn definition(name: &[u8]) -> Option<AcapField> {
        let field = starts_with(name, b"acap-").then(|| name.get(5..).unwrap_or_default())?;
        let definitions = [AcapField::QualifiedUsage, AcapField::CompositeUsage];
        definitions.into_iter().find(|definition| field.eq_ignore_ascii_case(definition.name().as_bytes()))
    }
}

/// The token at the beginning of ACAP content.
const ACAP: &[u8] = b"ACAP";

/// ACAP content. Spans are offsets in the content.
pub(crate) struct AcapContent {
    /// The offset of the first byte after the token `ACAP` and the blanks and marks that follow it.
    pub(super) start: usize,
    /// Whether a colon, comma, semicolon or equals sign follows the token `ACAP`.
    pub(super) is_odd: bool,
    /// The versions that the content declares, with `None` for a version that cannot be parsed.
    versions: Vec<(Option<AcapVersion>, (usize, usize))>,
    /// The spans of conventional directives that restrict. Each span ends at the next ACAP permission or prohibition.
    directives: Vec<(usize, usize)>,
    /// The spans of versions and directives, in order and without overlaps.
    not_statements: Vec<(usize, usize)>,
    has_verb: bool,
}

impl AcapContent {
    /// Parses ACAP content, or returns `None` if the content does not begin with the token `ACAP`. If a mark such as a
    /// colon directly follows the token, the content must also contain a statement or a version.
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
        let directives = restricting(content, &pieces);
        let not_statements = united(versions.iter().map(|(_, span)| *span).chain(directives.iter().copied()).collect());
        Some(Self { start, is_odd, versions, directives, not_statements, has_verb })
    }

    /// Whether the content begins with the token `ACAP`.
    pub(crate) fn is_in_front(content: &[u8]) -> bool {
        let is_end = content.get(ACAP.len()).is_none_or(|byte| is_blank(*byte) || is_mark(*byte));
        starts_with(content, ACAP) && is_end
    }

    pub(super) fn has_version(&self) -> bool {
        !self.versions.is_empty()
    }

    pub(super) fn has_directives(&self) -> bool {
        !self.directives.is_empty()
    }

    pub(super) fn has_bad_version(&self) -> bool {
        self.versions.iter().any(|(version, _)| version.is_none())
    }

    /// Whether the byte at `at` belongs to a version or a directive instead of a statement.
    pub(super) fn is_outside_statements(&self, at: usize) -> bool {
        let spans = &self.not_statements;
        let last = spans.partition_point(|span| span.0 <= at).checked_sub(1).and_then(|last| spans.get(last));
        last.is_some_and(|span| at < span.1)
    }
}

/// Returns the spans in order, with adjacent and overlapping spans joined.
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

/// Returns the pieces between blanks, commas and semicolons. Pieces that consist only of marks are left out.
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

/// Returns the versions among these pieces: `version 1.1`, `version: 1.1` or `version=1.1`.
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
                // This is a purpose with the name `version`.
                None => continue,
            },
            number if marks > 0 => (version(without_end(number)), piece.1),
            // `version1.1` does not declare a version.
            [b'0'..=b'9', ..] => (None, piece.1),
            _ => continue,
        };
        found.push((read, (piece.0, end)));
    }
    found
}

/// Returns a number without trailing full stops and marks.
fn without_end(number: &[u8]) -> &[u8] {
    let end = number.iter().rposition(|byte| !is_mark(*byte) && *byte != b'.').map_or(0, |last| last + 1);
    number.get(..end).unwrap_or_default()
}

/// Returns the spans of the conventional directives among these pieces that prohibit or limit. Each span ends at the
/// next `allow-` or `disallow-`.
fn restricting(content: &[u8], pieces: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let restricts = |piece: &(usize, usize)| {
        let name = of(content, *piece).split(|byte| is_mark(*byte)).next().unwrap_or_default();
        directive_named(name).is_some_and(|known| {
            matches!(
                known.effect,
                DirectiveEffect::Prohibits | DirectiveEffect::Limits(_) | DirectiveEffect::Requires(..)
            )
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
