//! Preferences: what today's dialects say of usages (S-40), each with its place.
//!
//! Every dialect has a reader of its own here, and all of them make the same: for each statement the usages it permits,
//! prohibits or limits, and the paths it is about. Which of several statements counts is each dialect's own rule, and
//! `decide`'s to apply.

mod content_signal;
mod content_usage;
mod fields;
mod json;
mod response;
mod tdmrep;

pub(crate) use fields::{dialect_of, of_policy, read};
pub(crate) use response::{is_reservation, notice_headers, notice_reservation, of_headers, of_metas};

use crate::diagnostic::Code;
use crate::model::{Carrier, Condition, Dialect};
use crate::pattern::{self, End, Side, WILDCARD};
use crate::policy::acap::{At, Run};
use crate::reading::{Escapes, Switches};
use crate::vocabulary::Usage;

/// Usages as bits, each that of its number.
pub(crate) type Usages = u32;

/// The bit of a named usage.
pub(crate) fn bit(usage: &Usage) -> Usages {
    usage.number().map_or(0, |number| 1 << number)
}

/// These usages, with all that they contain.
pub(crate) fn with_contained(usages: &[Usage]) -> Usages {
    let is_within = |usage: &&Usage| usages.contains(usage) || usage.within().iter().any(|wide| usages.contains(wide));
    Usage::NAMED.iter().filter(is_within).map(bit).fold(0, |all, one| all | one)
}

/// The usages that some dialect of today may speak of.
pub(crate) const SPOKEN_OF: &[Usage] =
    &[Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::AiIndex, Usage::Search];

/// What one document says in today's dialects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preferences {
    pub(crate) carrier: Option<Carrier>,
    /// Its number among the documents of the evidence; nothing for robots.txt.
    pub(crate) document: Option<usize>,
    pub(crate) entries: Vec<Preference>,
    /// The usages that some entry speaks of.
    pub(crate) usages: Usages,
    /// What entries are written in, where it is not a part of the document as it is.
    pub(crate) text: Vec<u8>,
    /// Patterns in comparable form.
    arena: Vec<u8>,
}

/// One statement.
#[derive(Clone, Debug)]
pub(crate) struct Preference {
    pub(crate) dialect: Dialect,
    /// The record of robots.txt it stands in, if it does.
    pub(crate) record: Option<u32>,
    /// The paths it is about; nothing: all.
    path: Option<Path>,
    pub(crate) said: Said,
    pub(crate) place: Place,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// It is this fact of robots.txt.
    Fact(u32),
    /// There, and as written it is this run of [`Preferences::text`].
    At(At, Run),
}

/// A pattern in comparable form.
#[derive(Clone, Copy, Debug)]
struct Path {
    /// Of [`Preferences::arena`].
    pattern: Run,
    end: End,
    /// As written, of the value it stands in.
    written: (u32, u32),
}

/// What a statement says of usages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) permits: Usages,
    pub(crate) prohibits: Usages,
    /// Usages it speaks of in a way that nobody can read, so that a wider statement goes on to count.
    pub(crate) unreadable: Usages,
    pub(crate) limits: Vec<(Usages, Condition)>,
}

impl Said {
    /// The usages it speaks of.
    pub(crate) fn usages(&self) -> Usages {
        self.permits | self.prohibits | self.limits.iter().fold(0, |all, (usages, _)| all | usages)
    }

    /// What needed leniency, where that prohibits: permissions fall (S-09).
    fn fallen(mut self) -> Self {
        self.prohibits |= std::mem::take(&mut self.permits);
        self
    }
}

/// What a reader notices: what it is, where in the value, a sentence, and what to do.
pub(crate) type Notes<'n> = &'n mut dyn FnMut(Code, (usize, usize), String, &'static str);

impl Preferences {
    pub(crate) fn new(carrier: Carrier, document: Option<usize>) -> Self {
        Self { carrier: Some(carrier), document, ..Self::default() }
    }

    pub(crate) fn push(&mut self, preference: Preference) {
        self.usages |= preference.said.usages();
        self.entries.push(preference);
    }

    /// Keeps what a statement is written in.
    fn keep(&mut self, written: &[u8]) -> Run {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(written);
        Run { start, length: written.len() as u32 }
    }

    /// Keeps a pattern in comparable form. A final `$` is the end.
    fn path(&mut self, written: &[u8], at: usize, escapes: Escapes) -> Path {
        let body = written.strip_suffix(b"$");
        let start = self.arena.len() as u32;
        pattern::rewrite(body.unwrap_or(written), Side::Pattern, escapes, &mut |byte| self.arena.push(byte));
        let pattern = Run { start, length: self.arena.len() as u32 - start };
        let end = if body.is_some() { End::Anchored } else { End::Open };
        Path { pattern, end, written: (at as u32, (at + written.len()) as u32) }
    }

    /// Whether a statement is about a comparable path.
    pub(crate) fn matches(&self, preference: &Preference, path: &[u8]) -> bool {
        let is_matched = |own: &Path| pattern::matches(own.pattern.of(&self.arena), WILDCARD, own.end, path);
        preference.path.as_ref().is_none_or(is_matched)
    }

    /// How many bytes it holds on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Preference>() + self.text.capacity() + self.arena.capacity()
    }
}

impl Preference {
    /// The octets of its pattern, as they are counted where the longest wins.
    pub(crate) fn length(&self) -> u32 {
        let anchor = |path: &Path| u32::from(path.end == End::Anchored);
        self.path.as_ref().map_or(0, |path| path.pattern.length + anchor(path))
    }

    /// The conditions on which it permits these usages.
    pub(crate) fn conditions(&self, usages: Usages) -> impl Iterator<Item = Condition> + '_ {
        let limits = self.said.limits.iter().filter(move |(limited, _)| limited & usages != 0);
        limits.map(|(_, condition)| condition.clone())
    }

    /// Its pattern as written, in its value.
    pub(crate) fn pattern<'v>(&self, value: &'v [u8]) -> Option<&'v [u8]> {
        let (start, end) = self.path.as_ref()?.written;
        value.get(start as usize..end as usize)
    }
}

/// What a document says that a caller supplied, by its location; nothing where no dialect has it.
pub(crate) fn of_document(
    number: usize,
    location: &str,
    bytes: &[u8],
    switches: &Switches,
    notes: Notes<'_>,
) -> Option<Preferences> {
    match path_of(location) {
        tdmrep::LOCATION => Some(tdmrep::of_json(number, bytes, switches.escapes, notes)),
        _ => None,
    }
}

/// The path of a location: an absolute URL or a path.
fn path_of(location: &str) -> &str {
    let after = location.split_once("://").and_then(|(_, rest)| rest.find('/').and_then(|at| rest.get(at..)));
    after.unwrap_or(location)
}

/// A value of a field in robots.txt that may begin with a path, and what follows the path. Only white space can end one.
pub(crate) fn path_and_rest(value: &[u8]) -> (Option<&[u8]>, &[u8], usize) {
    if !matches!(value.first(), Some(b'/' | b'*')) {
        return (None, value, 0);
    }
    let end = value.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(value.len());
    let (path, rest) = value.split_at(end);
    let rest = rest.trim_ascii_start();
    (Some(path), rest, value.len() - rest.len())
}
