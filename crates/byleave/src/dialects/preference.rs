//! Preferences: what today's dialects say of usages (S-40), each with its place.
//!
//! Every dialect has a reader of its own here, and all of them make the same: for each statement the usages it permits,
//! prohibits or limits, and the paths it is about. Which of several statements counts is each dialect's own rule, and
//! `decide`'s to apply.

use super::rsl::Licence;
use crate::base::source::{Location, TableRange};
use crate::dialects::rfc9309::pattern::{self, End, Side, WILDCARD};
use crate::dialects::rfc9309::resource;
use crate::formats::http::{FieldLine, Headers};
use crate::model::diagnostic::Code;
use crate::model::reading::Escapes;
use crate::model::{Carrier, Condition, Dialect, Usage};
use std::borrow::Cow;

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
    /// How it is a licence, where it is one (S-45).
    pub(crate) licence: Option<Licence>,
    /// Whether it is about the one file that it stands in (S-47).
    pub(crate) is_of_file: bool,
    /// The numbers of its groups for any crawler, if it has groups of its own as robots.txt has (S-46); in order.
    pub(crate) general_groups: Option<Vec<u32>>,
    /// The locations that entries name, by their number: of a licence, or of terms.
    locators: Vec<(u32, TableRange)>,
    /// Patterns in comparable form.
    arena: Vec<u8>,
}

/// One statement.
#[derive(Clone, Debug)]
pub(crate) struct Preference {
    pub(crate) dialect: Dialect,
    /// The group of robots.txt it stands in, if it does.
    pub(crate) group: Option<u32>,
    /// The paths it is about; nothing: all.
    pub(crate) path: Option<Path>,
    pub(crate) said: Said,
    pub(crate) place: Place,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// It is this fact of robots.txt.
    Fact(u32),
    /// There, and as written it is this run of [`Preferences::text`].
    At(Location, TableRange),
}

/// A pattern in comparable form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// Of [`Preferences::arena`].
    pattern: TableRange,
    end: End,
    /// As written, of the value it stands in, or of [`Preferences::text`].
    written: (u32, u32),
    /// The origin that it is a path of, where it says so, of that text.
    origin: Option<TableRange>,
}

/// What a statement says of usages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) permits: Usages,
    pub(crate) prohibits: Usages,
    /// Usages it speaks of in a way that nobody can read, so that a wider statement goes on to count.
    pub(crate) unreadable: Usages,
    pub(crate) limits: Vec<Limit>,
    /// How wide the word is that says it, where narrower words count before wider ones (S-45).
    pub(crate) width: u8,
}

/// A condition on which usages are permitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) usages: Usages,
    pub(crate) condition: Condition,
    /// Where it stands, if that is not in the statement.
    pub(crate) at: Option<(u32, u32)>,
}

impl Said {
    /// The usages it speaks of.
    pub(crate) fn usages(&self) -> Usages {
        self.permits | self.prohibits | self.limited()
    }

    /// The usages it limits.
    pub(crate) fn limited(&self) -> Usages {
        self.limits.iter().fold(0, |all, limit| all | limit.usages)
    }

    /// What needed leniency, where that prohibits: permissions fall (S-09).
    pub(crate) fn uninterpretable(mut self) -> Self {
        self.prohibits |= std::mem::take(&mut self.permits);
        self
    }
}

/// What the value of a field in robots.txt says, and the path that it begins with, as offsets in the value.
pub(crate) struct FieldClaims {
    pub(crate) path: Option<(usize, usize)>,
    pub(crate) claims: Said,
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

    /// Adds what a header line says, unless that is nothing.
    pub(crate) fn push_header_line(&mut self, dialect: Dialect, headers: &Headers, line: &FieldLine<'_>, said: Said) {
        if said != Said::default() {
            let at = line_of_headers(headers, line);
            let place = Place::At(at, self.keep(at.of(headers.text())));
            self.push(Preference { dialect, group: None, path: None, said, place });
        }
    }

    /// Keeps what a statement is written in.
    pub(crate) fn keep(&mut self, written: &[u8]) -> TableRange {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(written);
        TableRange { start, length: written.len() as u32 }
    }

    /// Keeps a pattern in comparable form. A final `$` is the end.
    pub(crate) fn path(&mut self, written: &[u8], at: usize, escapes: Escapes) -> Path {
        let body = written.strip_suffix(b"$");
        let start = self.arena.len() as u32;
        pattern::rewrite(body.unwrap_or(written), Side::Pattern, escapes, &mut |byte| self.arena.push(byte));
        let pattern = TableRange { start, length: self.arena.len() as u32 - start };
        let end = if body.is_some() { End::Anchored } else { End::Open };
        Path { pattern, end, written: (at as u32, (at + written.len()) as u32), origin: None }
    }

    /// The same of a pattern that is kept as written, perhaps one of an origin.
    pub(crate) fn kept_path(&mut self, written: &[u8], origin: Option<&str>, escapes: Escapes) -> Path {
        let kept = self.keep(written);
        let origin = origin.map(|origin| self.keep(origin.as_bytes()));
        Path { origin, ..self.path(written, kept.start as usize, escapes) }
    }

    /// Adds a statement that names a location.
    pub(crate) fn push_naming(&mut self, preference: Preference, location: &[u8]) {
        let location = self.keep(location);
        self.locators.push((self.entries.len() as u32, location));
        self.push(preference);
    }

    /// The location that a statement names.
    pub(crate) fn locator(&self, number: u32) -> Option<&[u8]> {
        let found = self.locators.binary_search_by_key(&number, |(own, _)| *own).ok()?;
        self.locators.get(found).map(|(_, location)| location.of(&self.text))
    }

    /// The statements that name a licence, by number, and its location.
    pub(crate) fn licences_named(&self) -> impl Iterator<Item = (u32, &Preference, &[u8])> {
        let named = |(number, location): &(u32, TableRange)| {
            let entry = self.entries.get(*number as usize).filter(|entry| entry.dialect == Dialect::Rsl)?;
            Some((*number, entry, location.of(&self.text)))
        };
        self.locators.iter().filter_map(named)
    }

    /// Whether a group of it is for any crawler; nothing where it has no groups of its own.
    pub(crate) fn is_general(&self, group: u32) -> Option<bool> {
        self.general_groups.as_ref().map(|general| general.binary_search(&group).is_ok())
    }

    /// Calls `visit` with each statement that is wanted and about a comparable path, and about the site that a URL is of.
    ///
    /// Cost: O(statements + patterns + path for each pattern that is wanted): those that share one stand together.
    pub(crate) fn each_about<'p>(
        &'p self,
        path: &[u8],
        url: &str,
        is_wanted: impl Fn(&Preference) -> bool,
        mut visit: impl FnMut(u32, &'p Preference),
    ) {
        let mut last: Option<(Path, bool)> = None;
        for (number, preference) in (0..).zip(&self.entries).filter(|(_, preference)| is_wanted(preference)) {
            let is_about = match (&preference.path, last) {
                (None, _) => true,
                (Some(own), Some((known, is_about))) if *own == known => is_about,
                (Some(own), _) => {
                    let is_about = self.is_about(own, path, url);
                    last = Some((*own, is_about));
                    is_about
                }
            };
            if is_about {
                visit(number, preference);
            }
        }
    }

    fn is_about(&self, own: &Path, path: &[u8], url: &str) -> bool {
        pattern::matches(own.pattern.of(&self.arena), WILDCARD, own.end, path)
            && own.origin.is_none_or(|origin| is_of_site(origin.of(&self.text), url))
    }

    /// The octets of a statement's pattern in comparable form, and how it ends; nothing where it is about all.
    pub(crate) fn comparable(&self, preference: &Preference) -> Option<(&[u8], End)> {
        preference.path.as_ref().map(|path| (path.pattern.of(&self.arena), path.end))
    }

    /// The pattern of a statement in comparable form, and whether it has an end; two are about the same if these are equal.
    pub(crate) fn pattern_of(&self, preference: &Preference) -> (&[u8], bool) {
        let pattern = |path: &Path| (path.pattern.of(&self.arena), path.end == End::Anchored);
        preference.path.as_ref().map_or((&[], false), pattern)
    }

    /// How many bytes it holds on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let locators = self.locators.capacity() * size_of::<(u32, TableRange)>();
        let entries = self.entries.capacity() * size_of::<Preference>();
        entries + locators + self.text.capacity() + self.arena.capacity()
    }
}

impl Preference {
    /// The octets of its pattern, as they are counted where the longest wins.
    pub(crate) fn length(&self) -> u32 {
        let anchor = |path: &Path| u32::from(path.end == End::Anchored);
        self.path.as_ref().map_or(0, |path| path.pattern.length + anchor(path))
    }

    /// Whether it is about the paths of one origin, which it names.
    pub(crate) fn has_origin(&self) -> bool {
        self.path.as_ref().is_some_and(|path| path.origin.is_some())
    }

    /// The conditions on which it permits these usages.
    pub(crate) fn limits(&self, usages: Usages) -> impl Iterator<Item = &Limit> + '_ {
        self.said.limits.iter().filter(move |limit| limit.usages & usages != 0)
    }

    /// Its pattern as written, in its value.
    pub(crate) fn pattern<'v>(&self, value: &'v [u8]) -> Option<&'v [u8]> {
        let (start, end) = self.path.as_ref()?.written;
        value.get(start as usize..end as usize)
    }
}

/// Whether a location is not one of another site than a URL is of, as far as is known.
pub(crate) fn is_of_site(location: &[u8], url: &str) -> bool {
    let Ok(text) = std::str::from_utf8(location) else { return false };
    let is_known = resource::origin(text).is_some() && resource::origin(url).is_some();
    !is_known || resource::relative_to(url, location).is_some()
}

/// The path of a location: an absolute URL, or a path, which may be written without its first slash.
pub(crate) fn path_of(location: &str) -> Cow<'_, str> {
    let after = location.split_once("://").and_then(|(_, rest)| rest.find('/').and_then(|at| rest.get(at..)));
    match after {
        Some(path) => Cow::Borrowed(path),
        None if location.starts_with('/') => Cow::Borrowed(location),
        None => Cow::Owned(format!("/{location}")),
    }
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

/// Returns where a header line is, from its name to the end of its value.
pub(crate) fn line_of_headers(headers: &Headers, line: &FieldLine<'_>) -> Location {
    let before = headers.text().get(..line.span.start as usize).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end as u32 + 1);
    Location { start, end: line.span.end, line: line.line as u32 + 1, column: 1 }
}

/// Returns notes on a part of a value as notes on the value: the part begins at `from`.
pub(crate) fn shifted<'n>(
    notes: Notes<'n>,
    from: usize,
) -> impl FnMut(Code, (usize, usize), String, &'static str) + 'n {
    move |code, (start, end), message, help| notes(code, (from + start, from + end), message, help)
}
