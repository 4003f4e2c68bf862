//! Finds the rule in a block that wins for a path: the matching rule with the longest pattern. If patterns are equally
//! long, the permission wins (RFC 9309 2.2.2).
//!
//! The naive algorithm tries every pattern. This code first compares eight-byte keys. It tries a pattern only if the
//! key matches and the rule could still win. Large blocks have an index (`index.rs`).

use super::Policy;
use super::index;
use super::index::Index;
use super::layout::{Block, Header, Meta, u64_at};
use super::occurrences::{Occurrences, Seen};
use crate::dialects::rfc9309::key;
use crate::dialects::rfc9309::key::PathKeys;
use crate::dialects::rfc9309::pattern;
use crate::dialects::rfc9309::pattern::End;

/// The rules in one block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'p> {
    first: u32,
    fixed: usize,
    starts: u64,
    keys: &'p [u8],
    metas: &'p [u8],
    source: &'p [u8],
    arena: &'p [u8],
    /// The index section, starting with this block's index. It is empty if the block has no index.
    index: &'p [u8],
}

/// A rule and its rank, for example the best rule found so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Winner {
    /// The rule's rank, or 0 if no rule was found. Longer patterns rank higher. If patterns are equally long,
    /// permissions rank above prohibitions.
    pub(crate) priority: u32,
    /// The rule's number in the policy.
    pub(crate) rule: u32,
}

impl Winner {
    pub(crate) fn is_prohibition(&self) -> bool {
        self.priority != 0 && self.priority & 1 == 0
    }
}

/// How many indexed rules are inspected before an index of the path is built too.
const BUDGET: usize = 4096;
/// A pattern match counts as this many inspections, because it takes longer.
const TRY: usize = 32;

/// After this many fixed rules that begin like the path, the rule with the highest rank is tried next.
const MANY: usize = 48;

/// If more floating rules than this are to be tried, the octets in the path are computed first, to exclude rules.
const FEW: usize = 3;

impl<'p> Rules<'p> {
    #[inline(always)]
    pub(crate) fn of(policy: &'p Policy<'_>, header: &Header, number: u32) -> Self {
        let blob: &'p [u8] = &policy.blob;
        let block = Block::read(blob, header, number);
        let (start, count) = (block.start as usize * 8, (block.fixed as usize + block.floating as usize) * 8);
        let section = |at: usize| blob.get(at + start..at + start + count).unwrap_or_default();
        Self {
            first: block.start,
            fixed: block.fixed as usize,
            starts: block.starts,
            keys: section(header.keys_at()),
            metas: section(header.metas_at()),
            source: policy.source(header),
            arena: policy.arena(header),
            index: if block.is_indexed { index::of_block(blob, header, number) } else { &[] },
        }
    }

    /// Returns a block without rules.
    pub(crate) fn none() -> Self {
        Self { first: 0, fixed: 0, starts: 0, keys: &[], metas: &[], source: &[], arena: &[], index: &[] }
    }

    /// Stores the rule that wins for `path` in `best`, if it outranks the rule already stored there.
    #[inline(always)]
    pub(crate) fn best(&self, path: &[u8], best: &mut Winner) {
        if !self.index.is_empty() {
            return self.best_indexed(path, best);
        }
        self.best_fixed(path, best);
        if self.keys.len() > self.fixed * 8 {
            self.best_floating(path, self.count(), best);
        }
    }

    #[inline(always)]
    fn best_fixed(&self, path: &[u8], best: &mut Winner) {
        let path_keys = PathKeys::of(path, 1);
        if self.starts & path_keys.start_bit() == 0 {
            return;
        }
        let keys = self.keys.get(..self.fixed * 8).unwrap_or_default();
        let mut tried = 0;
        for (n, key) in keys.as_chunks::<8>().0.iter().enumerate() {
            if path_keys.agree(u64::from_le_bytes(*key)) {
                tried += 1;
                if tried > MANY {
                    return self.best_of_same_start(n, &path_keys, path, best);
                }
                self.try_rule(n, path, best);
            }
        }
    }

    /// Continues `best_fixed` from the rule `from`, if many rules begin like the path. It first tries the rule with the
    /// highest rank, because that rule usually matches if the patterns are nested.
    #[cold]
    #[inline(never)]
    fn best_of_same_start(&self, from: usize, keys: &PathKeys, path: &[u8], best: &mut Winner) {
        // A literal longer than the path cannot match. A pattern with a wildcard can, because a wildcard may match
        // nothing.
        let fits = |meta: Meta| meta.has(Meta::STAR) || meta.length() as usize <= path.len();
        let may_match = |n: &usize| keys.agree(self.key(*n)) && fits(self.meta(*n));
        if let Some(top) = (from..self.fixed).filter(may_match).max_by_key(|n| self.meta(*n).priority()) {
            self.try_rule(top, path, best);
        }
        for n in (from..self.fixed).filter(may_match) {
            self.try_rule(n, path, best);
        }
    }

    /// Tries the floating rules up to `end`, except those that need octets which the path does not contain.
    #[inline(never)]
    fn best_floating(&self, path: &[u8], end: usize, best: &mut Winner) {
        let octets = if end - self.fixed > FEW { key::set_of(path) } else { u64::MAX };
        let keys = self.keys.get(self.fixed * 8..end * 8).unwrap_or_default();
        for (n, key) in keys.as_chunks::<8>().0.iter().enumerate() {
            if u64::from_le_bytes(*key) & !octets == 0 {
                self.try_rule(self.fixed + n, path, best);
            }
        }
    }

    #[inline(never)]
    fn best_indexed(&self, path: &[u8], best: &mut Winner) {
        let index = Index::read(self.index);
        if index.head.literals == 0 {
            self.best_fixed(path, best);
        } else if let Some(n) = index.longest_literal(self, path) {
            self.keep(n, self.meta(n).priority(), best);
        }
        if !index.is_filed() {
            if self.count() > self.fixed {
                self.best_floating(path, self.count(), best);
            }
            return;
        }
        if index.head.loose > 0 {
            self.best_floating(path, self.fixed + index.head.loose as usize, best);
        }
        let mut budget = BUDGET;
        let mut known = None;
        index.filed(path, |start, end| {
            let range = self.fixed + start as usize..self.count().min(self.fixed + end as usize);
            budget = budget.saturating_sub(range.len());
            let octets = *known.get_or_insert_with(|| key::set_of(path));
            for n in range {
                if budget == 0 {
                    return;
                }
                if self.key(n) & !octets == 0 && self.meta(n).priority() > best.priority {
                    budget = budget.saturating_sub(TRY);
                    self.try_rule(n, path, best);
                }
            }
        });
        if budget == 0 {
            self.best_of_many(&index, path, known.unwrap_or(u64::MAX), best);
        }
    }

    /// Tries the indexed rules again, for a path that contains the grams of many rules. It visits each bucket once,
    /// with an index of the path's own grams.
    #[cold]
    #[inline(never)]
    fn best_of_many(&self, index: &Index<'p>, path: &[u8], octets: u64, best: &mut Winner) {
        let occurrences = Occurrences::of(path);
        let mut seen = Seen::new();
        index.filed(path, |start, end| {
            if !seen.insert(start as usize) {
                return;
            }
            for n in self.fixed + start as usize..self.count().min(self.fixed + end as usize) {
                let meta = self.meta(n);
                if self.key(n) & !octets != 0 || meta.priority() <= best.priority {
                    continue;
                }
                let end = if meta.has(Meta::ANCHORED) { End::Anchored } else { End::Open };
                let find = |piece: &[u8], from: usize| occurrences.find(piece, path, from);
                if pattern::matches_with(self.pattern(n), index::wildcard(meta), end, path, find) {
                    self.keep(n, meta.priority(), best);
                }
            }
        });
    }

    /// Calls `visit` with every rule that matches `path`, in any order.
    pub(crate) fn each_match(&self, path: &[u8], mut visit: impl FnMut(Winner)) {
        for n in 0..self.count() {
            if self.matches(n, path) {
                visit(Winner { priority: self.meta(n).priority(), rule: self.first + n as u32 });
            }
        }
    }

    /// Calls `visit` with every rule, its pattern in comparable form, its wildcard byte, and how it ends.
    pub(crate) fn each(&self, visit: &mut impl FnMut(Winner, &'p [u8], u8, End)) {
        for n in 0..self.count() {
            let meta = self.meta(n);
            let end = if meta.has(Meta::ANCHORED) { End::Anchored } else { End::Open };
            let rule = Winner { priority: meta.priority(), rule: self.first + n as u32 };
            visit(rule, self.pattern(n), index::wildcard(meta), end);
        }
    }

    /// Calls `visit` with every rule that has this rank and matches `path`, in any order.
    pub(crate) fn each_of_rank(&self, priority: u32, path: &[u8], visit: &mut impl FnMut(u32)) {
        for n in (0..self.count()).filter(|n| self.meta(*n).priority() == priority) {
            if self.matches(n, path) {
                visit(self.first + n as u32);
            }
        }
    }

    #[inline(always)]
    fn try_rule(&self, n: usize, path: &[u8], best: &mut Winner) {
        let priority = self.meta(n).priority();
        if priority > best.priority && self.matches(n, path) {
            self.keep(n, priority, best);
        }
    }

    #[inline(always)]
    fn keep(&self, n: usize, priority: u32, best: &mut Winner) {
        if priority > best.priority {
            *best = Winner { priority, rule: self.first + n as u32 };
        }
    }

    #[inline(always)]
    fn matches(&self, n: usize, path: &[u8]) -> bool {
        let meta = self.meta(n);
        if !meta.has(Meta::STAR | Meta::ANCHORED) {
            return pattern::starts_with(path, self.pattern(n));
        }
        let end = if meta.has(Meta::ANCHORED) { End::Anchored } else { End::Open };
        pattern::matches(self.pattern(n), index::wildcard(meta), end, path)
    }

    fn count(&self) -> usize {
        self.metas.len() / 8
    }

    #[inline(always)]
    pub(super) fn key(&self, n: usize) -> u64 {
        u64_at(self.keys, n * 8)
    }

    #[inline(always)]
    pub(super) fn meta(&self, n: usize) -> Meta {
        Meta(u64_at(self.metas, n * 8))
    }

    /// Returns the comparable form of a rule's pattern.
    #[inline(always)]
    pub(super) fn pattern(&self, n: usize) -> &'p [u8] {
        let meta = self.meta(n);
        let source = if meta.has(Meta::REWRITTEN) { self.arena } else { self.source };
        let start = meta.offset() as usize;
        source.get(start..start + meta.length() as usize).unwrap_or_default()
    }
}
