//! What a file says in ACAP: its groups, definitions and statements, ready to be asked.
//!
//! Most files have none of this, so it stands beside the conventional rules and costs them nothing. It is
//! made by a second walk over the lines ([`read`]) where the first one met an ACAP field, holds every
//! pattern in comparable form, and knows nothing of a crawler or a URL until `decide` asks.

mod content;
mod definitions;
mod fields;
mod meta;
mod purposes;
mod read;
mod saved;
pub(crate) mod scope;
mod spelt;
mod terms;
mod vocabulary;

pub(crate) use content::{AcapContent, MetaRole};
pub(crate) use meta::{Listed, Meta, Strawman, is_robots, listed, read_classes, read_fragments, read_metas};
pub(crate) use read::{is_colonless, read};
pub(crate) use terms::{Locator, Term, TermValue};
pub(crate) use vocabulary::{ACAP_CLASS, ACTIONS, AcapName, CLASS_PREFIXES, LOCATION, STANDARD, STRAWMAN_CLASS};
pub use vocabulary::{AcapField, AcapVersion, QUALIFIERS, QualifierWord, Readiness, Values};

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

/// The ACAP side of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Acap {
    /// Conventional groups are to be ignored (P1 2.9.1).
    pub(crate) ignores_conventional: bool,
    /// What is for any crawler is for one, too, that obeys no such group of robots.txt: in META tags.
    pub(crate) binds_everyone: bool,
    pub(crate) arena: Vec<u8>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) terms: Vec<Term>,
    pub(crate) sets: Vec<Set>,
    pub(crate) locals: Vec<Local>,
    pub(crate) members: Vec<Member>,
    pub(crate) groups: Vec<Group>,
    pub(crate) names: Vec<Name>,
    /// The purposes of subgroups, each a run of `purpose_patterns`.
    pub(crate) purposes: Vec<TableRange>,
    pub(crate) purpose_patterns: Vec<Purpose>,
    /// What can be told of each statement without looking at it: see [`Acap::each_candidate`].
    pub(crate) filters: Vec<Filter>,
    pub(crate) statements: Vec<Entry>,
    /// Every usage that some statement may be about.
    pub(crate) mask: u16,
    pub(crate) references: Vec<Reference>,
    pub(crate) actions: Vec<Action>,
    /// The statements, references and actions as written, where the text is not at hand.
    pub(crate) written: Vec<u8>,
}

/// A resource set: a run of patterns under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    pub(crate) name: TableRange,
    pub(crate) patterns: TableRange,
}

/// A qualified or composite usage under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    pub(crate) name: TableRange,
    pub(crate) members: TableRange,
    pub(crate) is_composite: bool,
}

/// What a statement, or a member of a local usage, is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A standard usage by number.
    Standard(u8),
    /// A local usage by number.
    Local(u32),
    /// A word that is no standard usage.
    Word(TableRange),
}

/// One usage of a local usage, with its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) what: What,
    pub(crate) terms: TableRange,
    pub(crate) uninterpretable: Option<Uninterpretable>,
}

/// The crawlers of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) names: TableRange,
    pub(crate) is_any: bool,
    /// Where it begins.
    pub(crate) line: u32,
    /// Its permissions and prohibitions.
    pub(crate) statements: TableRange,
    /// The ways in which paths that they match begin: see `policy::key`; all, where one may match any path.
    pub(crate) starts: u64,
}

/// A crawler's name as written, with the hashes of the whole and of the token it begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) written: TableRange,
    pub(crate) whole: u16,
    pub(crate) token: u16,
}

/// What can be told of a statement without looking at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    /// What a path must begin with, or the octets it must contain: see `policy::key`.
    pub(crate) key: u64,
    /// Which usages it may be about, a bit each; [`WORDS`] for words that are none, [`FLOATING`] where
    /// the key is a set of octets.
    pub(crate) mask: u16,
    /// Its pattern; nothing where it is about a set.
    pub(crate) pattern: Option<Pattern>,
    /// Whether it permits, where that is all there is to it: a standard usage without terms, for every purpose.
    pub(crate) simple: Option<bool>,
}

/// A pattern for purposes (S-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Purpose {
    pub(crate) pattern: TableRange,
    pub(crate) is_anchored: bool,
    /// URIs are matched by what they begin with, names whole.
    pub(crate) is_uri: bool,
}

/// One permission or prohibition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// As written; [`Entry::fall`] and the crawler's capabilities may turn it into a prohibition.
    pub(crate) is_permission: bool,
    pub(crate) uninterpretable: Option<Uninterpretable>,
    /// A prohibition that is not written as it should be, and holds all the same (S-10).
    pub(crate) is_forgiven: bool,
    pub(crate) what: What,
    /// The number of the resource set it is about; none for a path.
    pub(crate) set: u32,
    pub(crate) terms: TableRange,
    pub(crate) group: u32,
    /// The subgroup's purposes; [`GENERAL`] outside of one.
    pub(crate) purposes: u32,
    /// The resource as written.
    pub(crate) resource: (u32, u32),
    pub(crate) at: Location,
}

/// The purposes of a field that stands in no subgroup.
pub(crate) const GENERAL: u32 = u32::MAX;

/// The bit of words that are no standard usage.
pub(crate) const WORDS: u16 = 1 << 15;
/// The bit of filters whose key is a set of octets.
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
    /// Its number in the table of actions.
    pub(crate) action: u8,
    pub(crate) path: TableRange,
    pub(crate) at: Location,
}

/// What a statement says of one usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) is_permission: bool,
    pub(crate) uninterpretable: Option<Uninterpretable>,
    /// Whether several members of a composite usage say it: none of them is then narrower than all others.
    pub(crate) is_many: bool,
}

impl Acap {
    /// What a statement says of the usage, if anything.
    ///
    /// Cost: the members of its local usage, and their terms.
    #[inline]
    pub(crate) fn said(&self, entry: &Entry, usage: &Usage, capabilities: &Capabilities) -> Option<Said> {
        if let (What::Standard(number), None, 0) = (entry.what, entry.uninterpretable, entry.terms.length)
            && capabilities.unable.is_empty()
        {
            let said = Said { is_permission: entry.is_permission, uninterpretable: None, is_many: false };
            return (usage.standard_number() == Some(number)).then_some(said);
        }
        self.said_in_full(entry, usage, capabilities)
    }

    fn said_in_full(&self, entry: &Entry, usage: &Usage, capabilities: &Capabilities) -> Option<Said> {
        let is_about = |what: What| self.is_about(self.meant(what, entry.is_permission), usage);
        let (mut count, mut uninterpretable) = (0, None);
        let mut add = |what: What, terms: TableRange, member_uninterpretable: Option<Uninterpretable>| {
            if is_about(what) {
                let capability = || self.uninterpretable_for(usage, terms, capabilities);
                let found = entry
                    .uninterpretable
                    .or(member_uninterpretable)
                    .or_else(capability)
                    .filter(|_| entry.is_permission);
                count += 1;
                uninterpretable = uninterpretable.or(found);
            }
        };
        match entry.what {
            What::Local(local) => {
                let members = self.locals.get(local as usize).map_or(&[][..], |local| local.members.of(&self.members));
                for member in members {
                    add(member.what, member.terms, member.uninterpretable);
                }
            }
            what => add(what, entry.terms, None),
        }
        (count > 0).then_some(Said {
            is_permission: entry.is_permission && uninterpretable.is_none(),
            uninterpretable,
            is_many: count > 1,
        })
    }

    /// Calls `visit` with the terms on which a statement permits the usage. Where the resource has to be is a
    /// test of its own (S-27).
    pub(crate) fn each_term(&self, entry: &Entry, usage: &Usage, mut visit: impl FnMut(&Term)) {
        self.each_qualifier(entry, usage, |term| {
            if term.qualifier != LOCATION {
                visit(term);
            }
        });
    }

    /// Whether the resource is where a statement says it has to be, as `is_there` tells of each place; nothing
    /// where it says none (S-27).
    pub(crate) fn is_located(&self, entry: &Entry, usage: &Usage, is_there: impl Fn(&[u8]) -> bool) -> Option<bool> {
        let mut found = None;
        self.each_qualifier(entry, usage, |term| {
            if let (LOCATION, TermValue::Text(text)) = (term.qualifier, term.value) {
                found = Some(found == Some(true) || is_there(text.of(&self.arena)));
            }
        });
        found
    }

    /// What makes two statements the same, beside addressee and usage: purposes and terms, in one spelling.
    pub(crate) fn spelling(&self, entry: &Entry, usage: &Usage) -> Vec<u8> {
        let mut parts: Vec<Vec<u8>> = Vec::new();
        self.each_qualifier(entry, usage, |term| {
            let mut part = vec![term.qualifier];
            match term.value {
                TermValue::Text(text) => part.extend_from_slice(text.of(&self.arena)),
                value => part.extend_from_slice(format!("{value:?}").as_bytes()),
            }
            parts.push(part);
        });
        parts.sort();
        let purposes = self.purposes.get(entry.purposes as usize).map_or(&[][..], |run| run.of(&self.purpose_patterns));
        parts.extend(purposes.iter().map(|purpose| purpose.pattern.of(&self.arena).to_vec()));
        parts.join(&0)
    }

    fn each_qualifier(&self, entry: &Entry, usage: &Usage, mut visit: impl FnMut(&Term)) {
        match entry.what {
            What::Local(local) => {
                let members = self.locals.get(local as usize).map_or(&[][..], |local| local.members.of(&self.members));
                for member in members.iter().filter(|member| self.is_about(member.what, usage)) {
                    member.terms.of(&self.terms).iter().for_each(&mut visit);
                }
            }
            _ => entry.terms.of(&self.terms).iter().for_each(visit),
        }
    }

    /// What a statement is about: a prohibition of an unknown `present-x` is one of `present` (S-10).
    pub(crate) fn meant(&self, what: What, is_permission: bool) -> What {
        match what {
            What::Word(word) if !is_permission && is_unknown_presentation(word.of(&self.arena)) => {
                What::Standard(Usage::Present.standard_number().unwrap_or(0))
            }
            what => what,
        }
    }

    fn is_about(&self, what: What, usage: &Usage) -> bool {
        match what {
            What::Standard(number) => usage.standard_number() == Some(number),
            What::Word(word) => {
                let word = word.of(&self.arena);
                let names = std::iter::once(usage.name()).chain(usage.aliases().iter().copied());
                usage.standard_number().is_none()
                    && names.into_iter().any(|name| name.as_bytes().eq_ignore_ascii_case(word))
            }
            What::Local(_) => false,
        }
    }

    /// Why this crawler cannot interpret a usage or its terms, if so (S-37, S-38).
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
            let word = QUALIFIERS.get(usize::from(term.qualifier))?;
            if is_unable(word.name) {
                return Some(Uninterpretable::Unable);
            }
            match word.readiness(usage)? {
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

    /// How a group addresses a crawler, if it does (S-04, S-35).
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

    /// Calls `visit` with every statement of a group that may be about a usage, by number, and what can be told
    /// of it; its pattern, where it is not about a set, matches the path.
    ///
    /// Cost: a few bytes a statement, and the patterns of those that pass.
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

    /// Whether a purpose of the crawler is one of a subgroup's.
    pub(crate) fn is_for(&self, purposes: u32, purpose: &str) -> bool {
        let patterns = self.purposes.get(purposes as usize).map_or(&[][..], |run| run.of(&self.purpose_patterns));
        patterns.iter().any(|pattern| pattern.matches(pattern.pattern.of(&self.arena), purpose))
    }

    /// Whether it says nothing at all.
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

/// Whether a word begins as presentations do and is not one of our own extensions.
fn is_unknown_presentation(word: &[u8]) -> bool {
    word.starts_with(b"present-") && !Usage::NAMED.iter().any(|usage| usage.name().as_bytes() == word)
}

/// The groups that address one crawler, where they are few: found once, for many paths.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Addressed {
    groups: [(u32, bool); Self::MAX],
    count: usize,
}

impl Addressed {
    const MAX: usize = 4;

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

    /// The groups, each with whether it names the crawler; nothing where they are too many.
    pub(crate) fn known(&self) -> Option<&[(u32, bool)]> {
        self.groups.get(..self.count)
    }
}

/// A path with what filters are compared with.
pub(crate) struct Paths<'a> {
    path: &'a [u8],
    keys: PathKeys,
    octets: Cell<Option<u64>>,
}

impl<'a> Paths<'a> {
    pub(crate) fn of(path: &'a [u8]) -> Self {
        Self { path, keys: PathKeys::of(path, 1), octets: Cell::new(None) }
    }

    /// The octets it contains, found out when first asked for.
    fn octets(&self) -> u64 {
        self.octets.get().unwrap_or_else(|| {
            let octets = key::set_of(self.path);
            self.octets.set(Some(octets));
            octets
        })
    }
}

impl Purpose {
    /// Names match whole, URIs by what they begin with, both with `*` and `$` and without case (S-19).
    fn matches(&self, pattern: &[u8], purpose: &str) -> bool {
        without_case(purpose.as_bytes(), |folded| matches(pattern, WILDCARD, self.end(), folded))
    }

    /// How its pattern ends.
    pub(crate) fn end(&self) -> End {
        if self.is_uri && !self.is_anchored { End::Open } else { End::Anchored }
    }
}

impl Acap {
    /// How many bytes it holds on the heap, itself counted.
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

    /// What is left to do when all is read: the sum of usages, and giving back room that grew.
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
