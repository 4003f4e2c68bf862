//! Patterns of ACAP fields, and which of two is narrower (S-06, S-19).

use super::Acap;
use crate::base::source::TableRange;
use crate::dialects::rfc9309::key;
use crate::dialects::rfc9309::pattern;
use crate::dialects::rfc9309::pattern::{End, Side, WILDCARD};
use crate::model::reading::Escapes;

/// A pattern in comparable form, without case, in the arena.
///
/// One that begins with `*` is kept as `/*…`, which is the same over paths, with [`Pattern::LEADING`]
/// saying so; behind the last byte of every pattern stands one more wildcard, for the run of octets that
/// a pattern without `$` ends in.
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
    /// They are the same pattern.
    Equal,
    Undetermined,
}

impl Pattern {
    /// It ended in `$`.
    pub(crate) const ANCHORED: u8 = 1;
    /// It has a wildcard.
    pub(crate) const STAR: u8 = 2;
    /// It begins with `*`, not `/*`.
    pub(crate) const LEADING: u8 = 4;

    fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether it is the beginning of paths and nothing more: no wildcard, no `$`.
    pub(crate) fn is_plain(self) -> bool {
        self.flags == 0
    }

    /// How long it is as compared.
    pub(crate) fn length(self) -> u32 {
        self.run.length
    }

    /// What can be told of it without looking at it, and whether that is a set of octets: see `policy::key`.
    pub(crate) fn key(self, arena: &[u8]) -> (u64, bool) {
        let bytes = self.bytes(arena);
        let literal = bytes.iter().position(|byte| *byte == WILDCARD).unwrap_or(bytes.len());
        if literal <= 1 && self.has(Self::STAR) {
            (key::required(bytes.get(literal..).unwrap_or_default(), WILDCARD), true)
        } else {
            (key::of_literal(bytes, literal, 1), false)
        }
    }

    /// Whether another pattern of the same arena is the same.
    pub(crate) fn is_same(self, arena: &[u8], other: Self) -> bool {
        self.flags == other.flags && self.bytes(arena) == other.bytes(arena)
    }

    fn bytes(self, arena: &[u8]) -> &[u8] {
        self.run.of(arena)
    }

    /// As it was written, in comparable form.
    fn written(self, arena: &[u8]) -> &[u8] {
        let bytes = self.bytes(arena);
        if self.has(Self::LEADING) { bytes.get(1..).unwrap_or_default() } else { bytes }
    }

    /// Whether it matches a comparable path without capitals.
    pub(crate) fn matches(self, arena: &[u8], path: &[u8]) -> bool {
        if self.is_plain() {
            return pattern::starts_with(path, self.bytes(arena));
        }
        pattern::matches(self.written(arena), WILDCARD, self.end(), path)
    }

    /// What is compared with paths, and how it ends.
    pub(crate) fn as_matched(self, arena: &[u8]) -> (&[u8], End) {
        (self.written(arena), self.end())
    }

    fn end(self) -> End {
        if self.has(Self::ANCHORED) { End::Anchored } else { End::Open }
    }

    /// Whether every path that `other` matches is one that this pattern matches.
    ///
    /// A wildcard of `other` stands for any run of octets, so also for one that no pattern can spell: this
    /// pattern contains the other exactly if it matches the other's own text, wildcards taken for such
    /// octets.
    fn contains(self, arena: &[u8], other: Self, other_arena: &[u8]) -> bool {
        let tail = u32::from(!other.has(Self::ANCHORED));
        let word = TableRange { start: other.run.start, length: other.run.length + tail }.of(other_arena);
        let matches = |word: &[u8]| pattern::matches(self.written(arena), WILDCARD, self.end(), word);
        // A leading wildcard may stand for nothing where what follows it begins a path.
        let stars = word.get(1..).unwrap_or_default().iter().take_while(|byte| **byte == WILDCARD).count();
        let rest = word.get(1 + stars..).filter(|rest| other.has(Self::LEADING) && rest.first() == Some(&b'/'));
        matches(word) && rest.is_none_or(matches)
    }

    /// Which of two patterns is narrower: the literal method of P1 2.4.5, checked by inclusion.
    ///
    /// Cost: linear in both.
    pub(crate) fn narrower(self, arena: &[u8], other: Self, other_arena: &[u8]) -> Narrower {
        match self.literally_narrower(arena, other, other_arena) {
            Narrower::First if self.contains(arena, other, other_arena) => Narrower::Undetermined,
            Narrower::Second if other.contains(other_arena, self, arena) => Narrower::Undetermined,
            narrower => narrower,
        }
    }

    fn literally_narrower(self, arena: &[u8], other: Self, other_arena: &[u8]) -> Narrower {
        // A final `$` takes part as a character of its own, which no comparable pattern holds.
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
    /// Keeps a pattern in comparable form. `written` has its initial `/` or `*`.
    pub(super) fn keep_pattern(&mut self, written: &[u8]) -> Pattern {
        let pattern = pattern_of(written, &mut self.arena);
        self.patterns.push(pattern);
        pattern
    }
}

/// Puts the comparable form of a pattern, without case, into `arena`.
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
