//! ACAP: the groups, definitions and statements in a file.
//!
//! Most files do not use ACAP. The ACAP tables are separate from the conventional rules, so files without ACAP do not
//! need memory for them. If the first pass over the lines finds an ACAP field, [`parse`] builds the tables. Patterns
//! are stored in comparable form. `decide` selects the statements that apply to a crawler and a URL.

mod canonical;
mod content;
mod definitions;
mod fields;
mod meta;
mod parse;
mod purposes;
pub(crate) mod scope;
mod serialize;
mod terms;
mod vocabulary;

pub use canonical::CanonicalStatement;
pub(crate) use content::{AcapContent, MetaRole};
pub(crate) use meta::{
    AddressedNames, Meta, Strawman, addressed_names, is_robots, parse_classes, parse_fragments, parse_metas,
};
pub(crate) use parse::{is_colonless, parse};
pub(crate) use terms::{Locator, Term, TermValue};
pub(crate) use vocabulary::{ACAP_CLASS, ACTIONS, AcapName, CLASS_PREFIXES, LOCATION, STANDARD, STRAWMAN_CLASS};
pub use vocabulary::{AcapField, AcapVersion, KnownQualifier, QUALIFIERS, Readiness, Values};

use crate::base::source::{Location, TableRange};
use crate::dialects::rfc9309::key;
use crate::dialects::rfc9309::key::PathKeys;
use crate::dialects::rfc9309::pattern::{End, WILDCARD, matches};
use crate::dialects::rfc9309::resource::without_case;
use crate::model::Usage;
use crate::model::crawler::{AnyGroup, Crawler, token_of};
use crate::model::proposed_use::Capabilities;
use crate::model::reading::NameGrammar;
use crate::model::{Addressee, Uninterpretable};
use scope::Pattern;
use std::cell::Cell;

/// The ACAP statements in a file, or in a page's META tags or classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Acap {
    /// Whether conventional groups must be ignored (P1 2.9.1).
    pub(crate) ignores_conventional: bool,
    /// Whether statements for any crawler also bind crawlers that ignore the `*` groups in robots.txt. True for META
    /// tags and classes.
    pub(crate) binds_everyone: bool,
    pub(crate) arena: Vec<u8>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) terms: Vec<Term>,
    pub(crate) sets: Vec<Set>,
    pub(crate) locals: Vec<Local>,
    pub(crate) members: Vec<Member>,
    pub(crate) groups: Vec<Group>,
    pub(crate) names: Vec<Name>,
    /// The purposes of subgroups, each as a range of `purpose_patterns`.
    pub(crate) purposes: Vec<TableRange>,
    pub(crate) purpose_patterns: Vec<Purpose>,
    /// One filter for each statement. See [`Acap::each_candidate`].
    pub(crate) filters: Vec<Filter>,
    pub(crate) statements: Vec<Entry>,
    /// One bit for each usage that at least one statement can address.
    pub(crate) mask: u16,
    pub(crate) references: Vec<Reference>,
    pub(crate) actions: Vec<Action>,
    /// The statements, references and actions as written. Empty except in an owned policy, which does not keep the text
    /// of the file.
    pub(crate) written: Vec<u8>,
}

/// A named resource set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    pub(crate) name: TableRange,
    pub(crate) patterns: TableRange,
}

/// A local usage: a named usage that the file defines. It is qualified or composite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    pub(crate) name: TableRange,
    pub(crate) members: TableRange,
    pub(crate) is_composite: bool,
}

/// The usage that a statement, or a member of a local usage, addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsageRef {
    /// The number of a standard usage.
    Standard(u8),
    /// The number of a local usage.
    Local(u32),
    /// The name of a usage that is not standard.
    Other(TableRange),
}

/// One of the usages in a local usage, with its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) usage: UsageRef,
    pub(crate) terms: TableRange,
    pub(crate) uninterpretable: Option<Uninterpretable>,
}

/// A group: the crawlers that it addresses, and its statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) names: TableRange,
    pub(crate) is_any: bool,
    /// The group's first line.
    pub(crate) line: u32,
    /// The group's permissions and prohibitions.
    pub(crate) statements: TableRange,
    /// The possible beginnings of the paths that the statements match, one bit for each (see `rfc9309::key`). All bits
    /// are set if a statement may match any path.
    pub(crate) starts: u64,
}

/// A crawler's name as written, with the hashes of the whole name and of the token at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) written: TableRange,
    pub(crate) whole: u16,
    pub(crate) token: u16,
}

/// Summarizes a statement, so that most statements that do not apply are excluded without accessing them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    /// The octets that a path must begin with, or must contain. See `rfc9309::key`.
    pub(crate) key: u64,
    /// One bit for each usage that the statement can address, [`OTHER_USAGES`] for usages that are not standard, and
    /// [`FLOATING`] if the key is a set of octets.
    pub(crate) mask: u16,
    /// The statement's pattern, or `None` if it uses a resource set.
    pub(crate) pattern: Option<Pattern>,
    /// `Some(true)` for a simple permission, `Some(false)` for a simple prohibition, and `None` for other statements. A
    /// simple statement is interpretable, has a standard usage and no terms, and applies to every purpose.
    pub(crate) simple: Option<bool>,
}

/// A pattern for purposes (S-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Purpose {
    pub(crate) pattern: TableRange,
    pub(crate) is_anchored: bool,
    /// Whether this is a URI, which matches as a prefix. A name matches as a whole.
    pub(crate) is_uri: bool,
}

/// One permission or prohibition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Whether the statement is written as a permission. [`Entry::uninterpretable`] and the crawler's capabilities may
    /// turn it into a prohibition.
    pub(crate) is_permission: bool,
    pub(crate) uninterpretable: Option<Uninterpretable>,
    /// Whether this is a malformed prohibition that applies nevertheless (S-10).
    pub(crate) is_forgiven: bool,
    pub(crate) usage: UsageRef,
    /// The number of the resource set, or `u32::MAX` for a path.
    pub(crate) set: u32,
    pub(crate) terms: TableRange,
    pub(crate) group: u32,
    /// The number of the subgroup's purposes, or [`GENERAL`] outside a subgroup.
    pub(crate) purposes: u32,
    /// Where the resource is written.
    pub(crate) resource: (u32, u32),
    pub(crate) at: Location,
}

/// The purposes of a field outside every subgroup.
pub(crate) const GENERAL: u32 = u32::MAX;

/// The bit for usages that are not standard.
pub(crate) const OTHER_USAGES: u16 = 1 << 15;
/// The bit for filters whose key is a set of octets.
pub(crate) const FLOATING: u16 = 1 << 14;

/// A permissions reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) group: u32,
    pub(crate) locator: TableRange,
    pub(crate) at: Location,
}

/// An action request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) group: u32,
    /// The action's index in [`ACTIONS`].
    pub(crate) action: u8,
    pub(crate) path: TableRange,
    pub(crate) at: Location,
}

/// A statement's effect on one usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatementEffect {
    pub(crate) is_permission: bool,
    pub(crate) uninterpretable: Option<Uninterpretable>,
    /// Whether several members of a composite usage have this effect. If so, the statement never counts as the
    /// narrowest one, because its members are equally narrow.
    pub(crate) is_many: bool,
}

impl Acap {
    /// Returns a statement's effect on the usage, or `None` if the statement does not address the usage.
    ///
    /// Cost: linear in the members of the statement's local usage, and their terms.
    #[inline]
    pub(crate) fn effect(&self, entry: &Entry, usage: &Usage, capabilities: &Capabilities) -> Option<StatementEffect> {
        if let (UsageRef::Standard(number), None, 0) = (entry.usage, entry.uninterpretable, entry.terms.length)
            && capabilities.unable.is_empty()
        {
            let effect = StatementEffect { is_permission: entry.is_permission, uninterpretable: None, is_many: false };
            return (usage.standard_number() == Some(number)).then_some(effect);
        }
        self.full_effect(entry, usage, capabilities)
    }

    fn full_effect(&self, entry: &Entry, usage: &Usage, capabilities: &Capabilities) -> Option<StatementEffect> {
        let is_about = |stated: UsageRef| self.is_about(self.meant(stated, entry.is_permission), usage);
        let (mut count, mut uninterpretable) = (0, None);
        let mut add = |stated: UsageRef, terms: TableRange, member_fall: Option<Uninterpretable>| {
            if is_about(stated) {
                let capability = || self.uninterpretable_for(usage, terms, capabilities);
                let found = entry.uninterpretable.or(member_fall).or_else(capability).filter(|_| entry.is_permission);
                count += 1;
                uninterpretable = uninterpretable.or(found);
            }
        };
        match entry.usage {
            UsageRef::Local(local) => {
                let members = self.locals.get(local as usize).map_or(&[][..], |local| local.members.of(&self.members));
                for member in members {
                    add(member.usage, member.terms, member.uninterpretable);
                }
            }
            stated => add(stated, entry.terms, None),
        }
        (count > 0).then_some(StatementEffect {
            is_permission: entry.is_permission && uninterpretable.is_none(),
            uninterpretable,
            is_many: count > 1,
        })
    }

    /// Calls `visit` with the terms on which a statement permits the usage. `location` qualifiers are left out, because
    /// they are not conditions. [`Acap::is_located`] tests them (S-27).
    pub(crate) fn each_term(&self, entry: &Entry, usage: &Usage, mut visit: impl FnMut(&Term)) {
        self.each_qualifier(entry, usage, |term| {
            if term.qualifier != LOCATION {
                visit(term);
            }
        });
    }

    /// Whether the resource is at a location that the statement names, or `None` if the statement does not name a
    /// location (S-27). `is_there` tests one location.
    pub(crate) fn is_located(&self, entry: &Entry, usage: &Usage, is_there: impl Fn(&[u8]) -> bool) -> Option<bool> {
        let mut found = None;
        self.each_qualifier(entry, usage, |term| {
            if let (LOCATION, TermValue::Text(text)) = (term.qualifier, term.value) {
                found = Some(found == Some(true) || is_there(text.of(&self.arena)));
            }
        });
        found
    }

    fn each_qualifier(&self, entry: &Entry, usage: &Usage, mut visit: impl FnMut(&Term)) {
        match entry.usage {
            UsageRef::Local(local) => {
                let members = self.locals.get(local as usize).map_or(&[][..], |local| local.members.of(&self.members));
                for member in members.iter().filter(|member| self.is_about(member.usage, usage)) {
                    member.terms.of(&self.terms).iter().for_each(&mut visit);
                }
            }
            _ => entry.terms.of(&self.terms).iter().for_each(visit),
        }
    }

    /// Returns the usage that a statement means. A prohibition of an unknown `present-x` means `present` (S-10).
    pub(crate) fn meant(&self, stated: UsageRef, is_permission: bool) -> UsageRef {
        match stated {
            UsageRef::Other(name) if !is_permission && is_unknown_presentation(name.of(&self.arena)) => {
                UsageRef::Standard(Usage::Present.standard_number().unwrap_or(0))
            }
            stated => stated,
        }
    }

    fn is_about(&self, stated: UsageRef, usage: &Usage) -> bool {
        match stated {
            UsageRef::Standard(number) => usage.standard_number() == Some(number),
            UsageRef::Other(name) => {
                let written = name.of(&self.arena);
                let names = std::iter::once(usage.name()).chain(usage.aliases().iter().copied());
                usage.standard_number().is_none()
                    && names.into_iter().any(|name| name.as_bytes().eq_ignore_ascii_case(written))
            }
            UsageRef::Local(_) => false,
        }
    }

    /// Returns why this crawler cannot interpret a usage or its terms, or `None` if it can interpret both (S-37, S-38).
    fn uninterpretable_for(
        &self,
        usage: &Usage,
        terms: TableRange,
        capabilities: &Capabilities,
    ) -> Option<Uninterpretable> {
        let is_unable = |name: &str| capabilities.unable.iter().any(|unable| unable.eq_ignore_ascii_case(name));
        if is_unable(usage.name()) {
            return Some(Uninterpretable::Unable);
        }
        terms.of(&self.terms).iter().find_map(|term| {
            let qualifier = QUALIFIERS.get(usize::from(term.qualifier))?;
            if is_unable(qualifier.name) {
                return Some(Uninterpretable::Unable);
            }
            match qualifier.readiness(usage)? {
                _ if term.is_undefined => Some(Uninterpretable::Undefined),
                Readiness::Ready => None,
                Readiness::Undefined => Some(Uninterpretable::Undefined),
                Readiness::ByArrangement => {
                    (!capabilities.prior_arrangement).then_some(Uninterpretable::NeedsArrangement)
                }
                Readiness::NotReady if !capabilities.not_ready => Some(Uninterpretable::NotReady),
                Readiness::NotReady => (!capabilities.prior_arrangement).then_some(Uninterpretable::NeedsArrangement),
            }
        })
    }

    /// Returns how a group addresses a crawler, or `None` if the group does not address the crawler (S-04, S-35).
    pub(crate) fn addressee(&self, group: u32, crawler: &Crawler) -> Option<Addressee> {
        let group = self.groups.get(group as usize)?;
        let is_named = group.names.of(&self.names).iter().any(|name| {
            crawler.names().iter().any(|own| {
                let hash = own.hash();
                (name.whole == hash || name.token == hash) && {
                    let written = name.written.of(&self.arena);
                    own.equals(written) || own.equals(token_of(written, NameGrammar::WholeOrToken))
                }
            })
        });
        if is_named {
            return Some(Addressee::Named);
        }
        let is_bound = self.binds_everyone || crawler.any_group() == AnyGroup::Applies;
        (group.is_any && is_bound).then_some(Addressee::Any)
    }

    /// Calls `visit` with every group that addresses the crawler.
    #[inline]
    pub(crate) fn each_group_for(&self, crawler: &Crawler, mut visit: impl FnMut(u32, Addressee)) {
        for number in 0..self.groups.len() as u32 {
            if let Some(addressee) = self.addressee(number, crawler) {
                visit(number, addressee);
            }
        }
    }

    /// Calls `visit` with the number and the filter of every statement in a group that can address a usage. `bit` is
    /// the usage's bit in [`Filter::mask`]. A statement is skipped if its pattern does not match the path. A statement
    /// with a resource set is never skipped, because the set's patterns are not checked here.
    ///
    /// Cost: a few comparisons for each statement, plus a match for each pattern that passes the filter.
    #[inline]
    pub(crate) fn each_candidate(&self, group: u32, bit: u16, path: &Paths<'_>, mut visit: impl FnMut(u32, &Filter)) {
        let Some(group) = self.groups.get(group as usize) else { return };
        if group.starts & path.keys.start_bit() == 0 {
            return;
        }
        let filters = group.statements.of(&self.filters);
        let mut octets = None;
        for (n, filter) in filters.iter().enumerate() {
            if filter.mask & bit == 0 {
                continue;
            }
            let passes = if filter.mask & FLOATING == 0 {
                path.keys.agree(filter.key)
            } else {
                filter.key & !*octets.get_or_insert_with(|| path.octets()) == 0
            };
            let is_match = || filter.pattern.is_none_or(|pattern| pattern.matches(&self.arena, path.path));
            if passes && is_match() {
                visit(group.statements.start.wrapping_add(n as u32), filter);
            }
        }
    }

    /// Whether a subgroup's purposes include this purpose of a crawler.
    pub(crate) fn is_for(&self, purposes: u32, purpose: &str) -> bool {
        let patterns = self.purposes.get(purposes as usize).map_or(&[][..], |run| run.of(&self.purpose_patterns));
        patterns.iter().any(|pattern| pattern.matches(pattern.pattern.of(&self.arena), purpose))
    }

    /// Whether the tables contain nothing that has an effect. Groups without statements have no effect.
    fn is_empty(&self) -> bool {
        self.statements.is_empty()
            && self.references.is_empty()
            && self.actions.is_empty()
            && self.locals.is_empty()
            && self.sets.is_empty()
            && !self.ignores_conventional
    }

    fn keep(&mut self, bytes: &[u8]) -> TableRange {
        let start = self.arena.len() as u32;
        self.arena.extend_from_slice(bytes);
        TableRange { start, length: bytes.len() as u32 }
    }
}

/// Whether a name begins with `present-` and is not a known usage.
fn is_unknown_presentation(name: &[u8]) -> bool {
    name.starts_with(b"present-") && !Usage::NAMED.iter().any(|usage| usage.name().as_bytes() == name)
}

/// The groups that address one crawler, if there are at most four. They are determined once and then used for many
/// paths.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Addressed {
    groups: [(u32, bool); Self::MAX_GROUPS],
    count: usize,
}

impl Addressed {
    const MAX_GROUPS: usize = 4;

    pub(crate) fn of(acap: &Acap, crawler: &Crawler) -> Self {
        let mut addressed = Self::default();
        acap.each_group_for(crawler, |number, addressee| {
            if let Some(place) = addressed.groups.get_mut(addressed.count) {
                *place = (number, addressee == Addressee::Named);
            }
            addressed.count += 1;
        });
        addressed
    }

    /// Returns each group and whether it names the crawler, or `None` if there are too many groups.
    pub(crate) fn known(&self) -> Option<&[(u32, bool)]> {
        self.groups.get(..self.count)
    }
}

/// A path, and the keys that are compared with filters.
pub(crate) struct Paths<'a> {
    path: &'a [u8],
    keys: PathKeys,
    octets: Cell<Option<u64>>,
}

impl<'a> Paths<'a> {
    pub(crate) fn of(path: &'a [u8]) -> Self {
        Self { path, keys: PathKeys::of(path, 1), octets: Cell::new(None) }
    }

    /// Returns the set of octets in the path. It is computed at the first call.
    fn octets(&self) -> u64 {
        self.octets.get().unwrap_or_else(|| {
            let octets = key::set_of(self.path);
            self.octets.set(Some(octets));
            octets
        })
    }
}

impl Purpose {
    /// Whether a purpose matches, ignoring case (S-19). A name matches as a whole, and a URI matches as a prefix. Both
    /// may contain `*` and `$`.
    fn matches(&self, pattern: &[u8], purpose: &str) -> bool {
        without_case(purpose.as_bytes(), |folded| matches(pattern, WILDCARD, self.end(), folded))
    }

    /// Returns how the purpose's pattern ends.
    pub(crate) fn end(&self) -> End {
        if self.is_uri && !self.is_anchored { End::Open } else { End::Anchored }
    }
}

impl Acap {
    /// Returns the size in bytes, including the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        fn of<T>(table: &Vec<T>) -> usize {
            table.capacity() * size_of::<T>()
        }
        size_of::<Self>()
            + of(&self.arena)
            + of(&self.patterns)
            + of(&self.terms)
            + of(&self.sets)
            + of(&self.locals)
            + of(&self.members)
            + of(&self.groups)
            + of(&self.names)
            + of(&self.purposes)
            + of(&self.purpose_patterns)
            + of(&self.filters)
            + of(&self.statements)
            + of(&self.references)
            + of(&self.actions)
            + of(&self.written)
    }

    /// Computes the mask of all usages and frees unused memory. Must be called once, after parsing.
    fn finish(&mut self) {
        self.mask = self.filters.iter().fold(0, |mask, filter| mask | filter.mask);
        self.filters.shrink_to_fit();
        self.arena.shrink_to_fit();
        self.patterns.shrink_to_fit();
        self.terms.shrink_to_fit();
        self.sets.shrink_to_fit();
        self.locals.shrink_to_fit();
        self.members.shrink_to_fit();
        self.groups.shrink_to_fit();
        self.names.shrink_to_fit();
        self.purposes.shrink_to_fit();
        self.purpose_patterns.shrink_to_fit();
        self.statements.shrink_to_fit();
        self.references.shrink_to_fit();
        self.actions.shrink_to_fit();
    }
}
