//! Preferences: statements in AI-preference dialects, and where each of them is written (S-40).
//!
//! Every dialect has its own parser, and all parsers produce the same kind of table. For each statement, the table
//! contains the usages that the statement permits, prohibits or limits, and the paths that it applies to. Each dialect
//! has its own conflict rule, which `decide` applies.

use super::rsl::Licence;
use crate::base::source::{Location, TableRange};
use crate::dialects::rfc9309::pattern::{self, End, Side, WILDCARD};
use crate::dialects::rfc9309::resource;
use crate::formats::http::{FieldLine, Headers};
use crate::model::diagnostic::Code;
use crate::model::reading::Escapes;
use crate::model::{Carrier, Condition, Dialect, Usage};
use std::borrow::Cow;

/// A set of usages. If it contains the usage with the number `n`, bit `n` is set.
pub(crate) type Usages = u32;

/// Returns the set that contains only this usage, or an empty set if the usage has no number.
pub(crate) fn bit(usage: &Usage) -> Usages {
    usage.number().map_or(0, |number| 1 << number)
}

/// Returns these usages and all usages that they include. For example, `train-ai` includes `train-genai`.
pub(crate) fn with_contained(usages: &[Usage]) -> Usages {
    let is_within = |usage: &&Usage| usages.contains(usage) || usage.within().iter().any(|wide| usages.contains(wide));
    Usage::NAMED.iter().filter(is_within).map(bit).fold(0, |all, one| all | one)
}

/// The usages that some AI-preference dialect can address.
pub(crate) const PREFERENCE_USAGES: &[Usage] =
    &[Usage::Tdm, Usage::TrainAi, Usage::TrainGenai, Usage::AiInput, Usage::AiIndex, Usage::Search];

/// The preferences in one document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preferences {
    pub(crate) carrier: Option<Carrier>,
    /// The document's index among the site's documents, or `None` for robots.txt.
    pub(crate) document: Option<usize>,
    pub(crate) entries: Vec<Preference>,
    /// The usages that at least one entry addresses.
    pub(crate) usages: Usages,
    /// The texts that entries refer to: statements and patterns as written, origins and locations.
    pub(crate) text: Vec<u8>,
    /// If the document is a licence, how much of it could be read (S-45).
    pub(crate) licence: Option<Licence>,
    /// Whether the preferences apply only to the file that contains them (S-47).
    pub(crate) is_of_file: bool,
    /// If the document has groups of its own, as ai.txt has, the numbers of its groups for any crawler, in ascending
    /// order (S-46).
    pub(crate) general_groups: Option<Vec<u32>>,
    /// The locations of licences or terms that entries name, by entry number.
    locators: Vec<(u32, TableRange)>,
    /// The patterns in normalized form.
    arena: Vec<u8>,
}

/// One statement.
#[derive(Clone, Debug)]
pub(crate) struct Preference {
    pub(crate) dialect: Dialect,
    /// The group in robots.txt that contains the statement, if any.
    pub(crate) group: Option<u32>,
    /// The paths that the statement applies to, or `None` for all paths.
    pub(crate) path: Option<Path>,
    pub(crate) claims: Claims,
    pub(crate) place: Place,
}

/// Where a statement is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// The fact in robots.txt with this number.
    Fact(u32),
    /// A location in the document. The range in [`Preferences::text`] contains the statement as written.
    At(Location, TableRange),
}

/// The paths that a statement applies to, as a pattern in normalized form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// The normalized pattern, as a range of [`Preferences::arena`].
    pattern: TableRange,
    end: End,
    /// The start and end of the pattern as written. For a robots.txt field, they are offsets in the field's value,
    /// otherwise in [`Preferences::text`].
    written: (u32, u32),
    /// The origin to which the paths belong, if the statement names one, as a range of [`Preferences::text`].
    origin: Option<TableRange>,
}

/// A statement's effect on usages.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Claims {
    pub(crate) permits: Usages,
    pub(crate) prohibits: Usages,
    /// Usages for which the statement has an unreadable value, as in `ai-train=maybe`. For these usages, a statement
    /// with a shorter path can count instead.
    pub(crate) unreadable: Usages,
    pub(crate) limits: Vec<Limit>,
    /// How wide the statement's word for the usages is. For example, RSL's `ai-all` is wider than `ai-train`. A
    /// narrower word takes precedence over a wider one (S-45).
    pub(crate) width: u8,
}

/// A condition under which usages are permitted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Limit {
    pub(crate) usages: Usages,
    pub(crate) condition: Condition,
    /// The span of the condition, if it is written outside the statement.
    pub(crate) at: Option<(u32, u32)>,
}

impl Claims {
    /// Returns the usages that the statement addresses.
    pub(crate) fn usages(&self) -> Usages {
        self.permits | self.prohibits | self.limited()
    }

    /// Returns the usages that the statement limits.
    pub(crate) fn limited(&self) -> Usages {
        self.limits.iter().fold(0, |all, limit| all | limit.usages)
    }

    /// Turns the permissions into prohibitions. This is used if a permission needs a leniency and the reading is strict
    /// (S-09).
    pub(crate) fn uninterpretable(mut self) -> Self {
        self.prohibits |= std::mem::take(&mut self.permits);
        self
    }
}

/// The effect of a robots.txt field, and the path at the beginning of its value, as offsets in the value.
pub(crate) struct FieldClaims {
    pub(crate) path: Option<(usize, usize)>,
    pub(crate) claims: Claims,
}

/// Receives a parser's diagnostics: the code, the span in the value, the message, and the help text.
pub(crate) type Notes<'n> = &'n mut dyn FnMut(Code, (usize, usize), String, &'static str);

impl Preferences {
    pub(crate) fn new(carrier: Carrier, document: Option<usize>) -> Self {
        Self { carrier: Some(carrier), document, ..Self::default() }
    }

    pub(crate) fn push(&mut self, preference: Preference) {
        self.usages |= preference.claims.usages();
        self.entries.push(preference);
    }

    /// Adds a statement with the effect of a header line. Does nothing if the line has no effect.
    pub(crate) fn push_header_line(
        &mut self,
        dialect: Dialect,
        headers: &Headers,
        line: &FieldLine<'_>,
        claims: Claims,
    ) {
        if claims != Claims::default() {
            let at = line_of_headers(headers, line);
            let place = Place::At(at, self.keep(at.of(headers.text())));
            self.push(Preference { dialect, group: None, path: None, claims, place });
        }
    }

    /// Stores a text and returns its range in [`Preferences::text`].
    pub(crate) fn keep(&mut self, written: &[u8]) -> TableRange {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(written);
        TableRange { start, length: written.len() as u32 }
    }

    /// Stores a pattern in normalized form. `at` is the offset at which the pattern is written. A final `$` anchors the
    /// pattern at the end.
    pub(crate) fn path(&mut self, written: &[u8], at: usize, escapes: Escapes) -> Path {
        let body = written.strip_suffix(b"$");
        let start = self.arena.len() as u32;
        pattern::rewrite(body.unwrap_or(written), Side::Pattern, escapes, &mut |byte| self.arena.push(byte));
        let pattern = TableRange { start, length: self.arena.len() as u32 - start };
        let end = if body.is_some() { End::Anchored } else { End::Open };
        Path { pattern, end, written: (at as u32, (at + written.len()) as u32), origin: None }
    }

    /// Stores a pattern in normalized form and as written, and its origin, if it has one.
    pub(crate) fn kept_path(&mut self, written: &[u8], origin: Option<&str>, escapes: Escapes) -> Path {
        let kept = self.keep(written);
        let origin = origin.map(|origin| self.keep(origin.as_bytes()));
        Path { origin, ..self.path(written, kept.start as usize, escapes) }
    }

    /// Adds a statement that names the location of a licence or of terms.
    pub(crate) fn push_naming(&mut self, preference: Preference, location: &[u8]) {
        let location = self.keep(location);
        self.locators.push((self.entries.len() as u32, location));
        self.push(preference);
    }

    /// Returns the location that the statement with this number names, or `None` if it names no location.
    pub(crate) fn locator(&self, number: u32) -> Option<&[u8]> {
        let found = self.locators.binary_search_by_key(&number, |(own, _)| *own).ok()?;
        self.locators.get(found).map(|(_, location)| location.of(&self.text))
    }

    /// Returns the statements that name a licence, each with its number and the licence's location.
    pub(crate) fn licences_named(&self) -> impl Iterator<Item = (u32, &Preference, &[u8])> {
        let named = |(number, location): &(u32, TableRange)| {
            let entry = self.entries.get(*number as usize).filter(|entry| entry.dialect == Dialect::Rsl)?;
            Some((*number, entry, location.of(&self.text)))
        };
        self.locators.iter().filter_map(named)
    }

    /// Whether this group is for any crawler, or `None` if the document has no groups of its own.
    pub(crate) fn is_general(&self, group: u32) -> Option<bool> {
        self.general_groups.as_ref().map(|general| general.binary_search(&group).is_ok())
    }

    /// Calls `visit` with each statement that `is_wanted` accepts and that applies to the resource. `path` is the
    /// resource's path in normalized form. `url` is its URL, which identifies the site.
    ///
    /// Cost: O(statements), plus one match of the path for each wanted pattern. Statements that share a pattern are
    /// adjacent, so the pattern is matched only once.
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

    /// Returns a statement's pattern in normalized form and how the pattern ends, or `None` if the statement applies to
    /// all paths.
    pub(crate) fn comparable(&self, preference: &Preference) -> Option<(&[u8], End)> {
        preference.path.as_ref().map(|path| (path.pattern.of(&self.arena), path.end))
    }

    /// Returns a statement's normalized pattern, and whether it is anchored at the end. Two statements with equal
    /// results apply to the same paths.
    pub(crate) fn pattern_of(&self, preference: &Preference) -> (&[u8], bool) {
        let pattern = |path: &Path| (path.pattern.of(&self.arena), path.end == End::Anchored);
        preference.path.as_ref().map_or((&[], false), pattern)
    }

    /// Returns the heap size in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let locators = self.locators.capacity() * size_of::<(u32, TableRange)>();
        let entries = self.entries.capacity() * size_of::<Preference>();
        entries + locators + self.text.capacity() + self.arena.capacity()
    }
}

impl Preference {
    /// Returns the pattern's length in octets, or 0 if the statement applies to all paths. In some dialects, the
    /// longest pattern wins.
    pub(crate) fn length(&self) -> u32 {
        let anchor = |path: &Path| u32::from(path.end == End::Anchored);
        self.path.as_ref().map_or(0, |path| path.pattern.length + anchor(path))
    }

    /// Whether the statement names an origin and applies only to paths on that origin.
    pub(crate) fn has_origin(&self) -> bool {
        self.path.as_ref().is_some_and(|path| path.origin.is_some())
    }

    /// Returns the conditions under which the statement permits these usages.
    pub(crate) fn limits(&self, usages: Usages) -> impl Iterator<Item = &Limit> + '_ {
        self.claims.limits.iter().filter(move |limit| limit.usages & usages != 0)
    }

    /// Returns the pattern as written in the statement's value.
    pub(crate) fn pattern<'v>(&self, value: &'v [u8]) -> Option<&'v [u8]> {
        let (start, end) = self.path.as_ref()?.written;
        value.get(start as usize..end as usize)
    }
}

/// Whether a location may belong to the site of a URL. Returns `false` if the location is known to belong to another
/// site or is not UTF-8.
pub(crate) fn is_of_site(location: &[u8], url: &str) -> bool {
    let Ok(text) = std::str::from_utf8(location) else { return false };
    let is_known = resource::origin(text).is_some() && resource::origin(url).is_some();
    !is_known || resource::relative_to(url, location).is_some()
}

/// Returns the path of a location. The location is an absolute URL, or a path that may lack its initial slash.
pub(crate) fn path_of(location: &str) -> Cow<'_, str> {
    let after = location.split_once("://").and_then(|(_, rest)| rest.find('/').and_then(|at| rest.get(at..)));
    match after {
        Some(path) => Cow::Borrowed(path),
        None if location.starts_with('/') => Cow::Borrowed(location),
        None => Cow::Owned(format!("/{location}")),
    }
}

/// Splits a field value of robots.txt into a path and the rest, and returns both and the offset of the rest. The path
/// is `None` if the value does not begin with `/` or `*`. Only whitespace ends a path.
pub(crate) fn path_and_rest(value: &[u8]) -> (Option<&[u8]>, &[u8], usize) {
    if !matches!(value.first(), Some(b'/' | b'*')) {
        return (None, value, 0);
    }
    let end = value.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(value.len());
    let (path, rest) = value.split_at(end);
    let rest = rest.trim_ascii_start();
    (Some(path), rest, value.len() - rest.len())
}

/// Returns the location of a header line, from the start of its name to the end of its value.
pub(crate) fn line_of_headers(headers: &Headers, line: &FieldLine<'_>) -> Location {
    let before = headers.text().get(..line.span.start as usize).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end as u32 + 1);
    Location { start, end: line.span.end, line: line.line as u32 + 1, column: 1 }
}

/// Returns a function that receives notes on a part of a value and passes them on as notes on the whole value. The part
/// begins at the offset `from`, which is added to every span.
pub(crate) fn shifted<'n>(
    notes: Notes<'n>,
    from: usize,
) -> impl FnMut(Code, (usize, usize), String, &'static str) + 'n {
    move |code, (start, end), message, help| notes(code, (from + start, from + end), message, help)
}
