//! Patterns in ACAP fields, and which of two patterns is narrower (S-06, S-19).
//!
//! Patterns are compared without regard to case. `rfc9309::pattern` matches a pattern against a path.

use super::Acap;
use crate::base::source::TableRange;
use crate::dialects::rfc9309::key;
use crate::dialects::rfc9309::pattern;
use crate::dialects::rfc9309::pattern::{End, Side, WILDCARD};
use crate::model::reading::Escapes;

/// A pattern in the arena, in comparable form and in lower case.
///
/// A pattern that begins with `*` is stored as `/*…`, which matches the same paths, and has the flag
/// [`Pattern::LEADING`]. In the arena, every pattern is followed by one more wildcard, which is not part of the
/// pattern. For a pattern without `$`, it represents the rest of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) run: TableRange,
    pub(crate) flags: u8,
}

/// How two patterns relate (S-06).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Narrower {
    First,
    Second,
    /// The patterns are the same.
    Equal,
    Undetermined,
}

impl Pattern {
    /// The pattern ends in `$`.
    pub(crate) const ANCHORED: u8 = 1;
    /// The pattern has a wildcard.
    pub(crate) const STAR: u8 = 2;
    /// The pattern begins with `*` instead of `/*`.
    pub(crate) const LEADING: u8 = 4;

    fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether the pattern has no wildcard and no `$`. It then matches all paths that begin with it.
    pub(crate) fn is_plain(self) -> bool {
        self.flags == 0
    }

    /// Returns the pattern's length in comparable form.
    pub(crate) fn length(self) -> u32 {
        self.run.length
    }

    /// Returns the pattern's key, and whether the key is a set of octets. See `rfc9309::key`.
    pub(crate) fn key(self, arena: &[u8]) -> (u64, bool) {
        let bytes = self.bytes(arena);
        let literal = bytes.iter().position(|byte| *byte == WILDCARD).unwrap_or(bytes.len());
        if literal <= 1 && self.has(Self::STAR) {
            (key::required(bytes.get(literal..).unwrap_or_default(), WILDCARD), true)
        } else {
            (key::of_literal(bytes, literal, 1), false)
        }
    }

    /// Whether this pattern equals another pattern in the same arena.
    pub(crate) fn is_same(self, arena: &[u8], other: Self) -> bool {
        self.flags == other.flags && self.bytes(arena) == other.bytes(arena)
    }

    fn bytes(self, arena: &[u8]) -> &[u8] {
        self.run.of(arena)
    }

    /// Returns the pattern in comparable form, without the slash that is added before a leading `*`.
    fn written(self, arena: &[u8]) -> &[u8] {
        let bytes = self.bytes(arena);
        if self.has(Self::LEADING) { bytes.get(1..).unwrap_or_default() } else { bytes }
    }

    /// Whether the pattern matches a path, which must be in comparable form and in lower case.
    pub(crate) fn matches(self, arena: &[u8], path: &[u8]) -> bool {
        if self.is_plain() {
            return pattern::starts_with(path, self.bytes(arena));
        }
        pattern::matches(self.written(arena), WILDCARD, self.end(), path)
    }

    /// Returns the octets that are compared with paths, and how the pattern ends.
    pub(crate) fn as_matched(self, arena: &[u8]) -> (&[u8], End) {
        (self.written(arena), self.end())
    }

    fn end(self) -> End {
        if self.has(Self::ANCHORED) { End::Anchored } else { End::Open }
    }

    /// Whether this pattern matches every path that `other` matches.
    ///
    /// A wildcard in `other` matches any octets, including octets that no pattern can contain. Therefore, this pattern
    /// contains `other` exactly if it matches the text of `other` in which every wildcard is treated as an octet of
    /// this kind.
    ///
    /// Cost: one or two matches.
    fn contains(self, arena: &[u8], other: Self, other_arena: &[u8]) -> bool {
        let tail = u32::from(!other.has(Self::ANCHORED));
        let text = TableRange { start: other.run.start, length: other.run.length + tail }.of(other_arena);
        let matches = |text: &[u8]| pattern::matches(self.written(arena), WILDCARD, self.end(), text);
        // The leading wildcard of `other` can also match nothing if the text after it begins with `/`, as every path
        // does. Then this pattern must match that text too.
        let stars = text.get(1..).unwrap_or_default().iter().take_while(|byte| **byte == WILDCARD).count();
        let rest = text.get(1 + stars..).filter(|rest| other.has(Self::LEADING) && rest.first() == Some(&b'/'));
        matches(text) && rest.is_none_or(matches)
    }

    /// Returns which of two patterns is narrower, by the literal method in P1 2.4.5. The result is then checked: if the
    /// pattern that the method calls narrower contains the other pattern, the result is [`Narrower::Undetermined`].
    ///
    /// Cost: linear in both patterns.
    pub(crate) fn narrower(self, arena: &[u8], other: Self, other_arena: &[u8]) -> Narrower {
        match self.literally_narrower(arena, other, other_arena) {
            Narrower::First if self.contains(arena, other, other_arena) => Narrower::Undetermined,
            Narrower::Second if other.contains(other_arena, self, arena) => Narrower::Undetermined,
            narrower => narrower,
        }
    }

    fn literally_narrower(self, arena: &[u8], other: Self, other_arena: &[u8]) -> Narrower {
        // A final `$` is compared as a character that no comparable pattern contains.
        const END: u8 = 0xFE;
        let tail = |pattern: Self| pattern.has(Self::ANCHORED).then_some(END);
        let mut first = self.written(arena).iter().copied().chain(tail(self));
        let mut second = other.written(other_arena).iter().copied().chain(tail(other));
        loop {
            return match (first.next(), second.next()) {
                (None, None) => Narrower::Equal,
                (None, Some(_)) => Narrower::Second,
                (Some(_), None) => Narrower::First,
                (Some(a), Some(b)) if a == b => continue,
                (Some(END), Some(_)) => Narrower::Second,
                (Some(_), Some(END)) => Narrower::First,
                (Some(WILDCARD), Some(_)) => Narrower::Second,
                (Some(_), Some(WILDCARD)) => Narrower::First,
                (Some(_), Some(_)) => Narrower::Undetermined,
            };
        }
    }
}

impl Acap {
    /// Adds a pattern in comparable form. `written` begins with `/` or `*`.
    pub(super) fn keep_pattern(&mut self, written: &[u8]) -> Pattern {
        let pattern = pattern_of(written, &mut self.arena);
        self.patterns.push(pattern);
        pattern
    }
}

/// Writes the comparable form of a pattern, in lower case, into `arena`.
pub(crate) fn pattern_of(written: &[u8], arena: &mut (impl Extend<u8> + AsRef<[u8]>)) -> Pattern {
    let mut flags = 0;
    let body = match written.strip_suffix(b"$") {
        Some(body) => {
            flags |= Pattern::ANCHORED;
            body
        }
        None => written,
    };
    let start = arena.as_ref().len();
    if !body.starts_with(b"/") {
        arena.extend([b'/']);
    }
    if body.starts_with(b"*") {
        flags |= Pattern::LEADING;
    }
    pattern::rewrite(body, Side::Pattern, Escapes::Full, &mut |byte| arena.extend([byte.to_ascii_lowercase()]));
    let bytes = arena.as_ref().get(start..).unwrap_or_default();
    if bytes.contains(&WILDCARD) {
        flags |= Pattern::STAR;
    }
    let run = TableRange { start: start as u32, length: bytes.len() as u32 };
    arena.extend([WILDCARD]);
    Pattern { run, flags }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrower(a: &str, b: &str) -> Narrower {
        let mut arena = Vec::new();
        let first = pattern_of(a.as_bytes(), &mut arena);
        let second = pattern_of(b.as_bytes(), &mut arena);
        first.narrower(&arena, second, &arena)
    }

    #[test]
    fn s06_the_literal_method_is_checked_by_inclusion() {
        assert_eq!(narrower("/a/b", "/a/"), Narrower::First);
        assert_eq!(narrower("/A/", "/a/b"), Narrower::Second);
        assert_eq!(narrower("/a", "/A"), Narrower::Equal);
        assert_eq!(narrower("/a*", "/a"), Narrower::Undetermined);
        assert_eq!(narrower("/a$", "/a*"), Narrower::Undetermined);
        assert_eq!(narrower("/a$", "/a"), Narrower::First);
        assert_eq!(narrower("/images/", "/*.gif"), Narrower::First);
        assert_eq!(narrower("/*.gif", "/*private"), Narrower::Undetermined);
        assert_eq!(narrower("*.gif", "/*.gif"), Narrower::Undetermined);
        assert_eq!(narrower("*.gif", "/"), Narrower::Undetermined);
        assert_eq!(narrower("*/a", "/a"), Narrower::Second);
        assert_eq!(narrower("/%61/", "/a/b"), Narrower::Second);
    }
}
