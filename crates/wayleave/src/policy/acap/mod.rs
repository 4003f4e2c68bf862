//! What a file says in ACAP: its records, definitions and statements, ready to be asked.
//!
//! Most files have none of this, so it stands beside the conventional rules and costs them nothing. It is
//! made by a second walk over the lines ([`read`]) where the first one met an ACAP field, holds every
//! pattern in comparable form, and knows nothing of a crawler or a URL until `decide` asks.

mod definitions;
mod fields;
mod read;
mod saved;
pub(crate) mod scope;
mod terms;

pub(crate) use read::{is_colonless, read};
pub(crate) use terms::{Term, TermValue};

use crate::crawler::{AnyRecord, Crawler, token_of};
use crate::model::{Addressee, Fall};
use crate::proposed::Capabilities;
use crate::reading::NameGrammar;
use crate::resource::without_case;
use crate::vocabulary::{QUALIFIERS, Readiness, Usage};
use scope::Pattern;

/// A run of entries of a table, or of bytes of the arena.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) length: u32,
}

impl Run {
    /// The entries of a table that the run covers.
    pub(crate) fn of<T>(self, table: &[T]) -> &[T] {
        let start = self.start as usize;
        table.get(start..start + self.length as usize).unwrap_or_default()
    }
}

/// Where a field stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct At {
    /// From its name to the end of its value, half-open.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// The ACAP side of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Acap {
    /// Conventional records are to be ignored (P1 2.9.1).
    pub(crate) ignores_conventional: bool,
    pub(crate) arena: Vec<u8>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) terms: Vec<Term>,
    pub(crate) sets: Vec<Set>,
    pub(crate) locals: Vec<Local>,
    pub(crate) members: Vec<Member>,
    pub(crate) records: Vec<Record>,
    pub(crate) names: Vec<Run>,
    /// The purposes of sub-records, each a run of `purpose_patterns`.
    pub(crate) purposes: Vec<Run>,
    pub(crate) purpose_patterns: Vec<Purpose>,
    pub(crate) statements: Vec<Entry>,
    pub(crate) references: Vec<Reference>,
    pub(crate) actions: Vec<Action>,
    /// The statements, references and actions as written, where the text is not at hand.
    pub(crate) written: Vec<u8>,
}

/// A resource set: a run of patterns under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    pub(crate) name: Run,
    pub(crate) patterns: Run,
}

/// A qualified or composite usage under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    pub(crate) name: Run,
    pub(crate) members: Run,
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
    Word(Run),
}

/// One usage of a local usage, with its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) what: What,
    pub(crate) terms: Run,
    pub(crate) fall: Option<Fall>,
}

/// The crawlers of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) names: Run,
    pub(crate) is_any: bool,
    /// Where it begins.
    pub(crate) line: u32,
}

/// A pattern for purposes (S-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Purpose {
    pub(crate) pattern: Run,
    pub(crate) is_anchored: bool,
    /// URIs are matched by what they begin with, names whole.
    pub(crate) is_uri: bool,
}

/// One permission or prohibition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Which usages it may be about, a bit each; the highest for words that are none.
    pub(crate) mask: u16,
    /// As written; [`Entry::fall`] and the crawler's capabilities may turn it into a prohibition.
    pub(crate) is_permission: bool,
    pub(crate) fall: Option<Fall>,
    /// A prohibition that is not written as it should be, and holds all the same (S-10).
    pub(crate) is_mended: bool,
    pub(crate) what: What,
    /// Begins as every path it matches: see `policy::key`; 0 where nothing can be told.
    pub(crate) key: u64,
    pub(crate) patterns: Run,
    /// The number of the resource set it is about; none for a path.
    pub(crate) set: u32,
    pub(crate) terms: Run,
    pub(crate) record: u32,
    /// The sub-record's purposes; [`GENERAL`] outside of one.
    pub(crate) purposes: u32,
    /// The resource as written.
    pub(crate) resource: (u32, u32),
    pub(crate) at: At,
}

/// The purposes of a field that stands in no sub-record.
pub(crate) const GENERAL: u32 = u32::MAX;

/// The bit of words that are no standard usage.
pub(crate) const WORDS: u16 = 1 << 15;

/// A permissions reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) record: u32,
    pub(crate) locator: Run,
    pub(crate) at: At,
}

/// An action request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) record: u32,
    /// Its number in the table of actions.
    pub(crate) action: u8,
    pub(crate) path: Run,
    pub(crate) at: At,
}

/// What a statement says of one usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) is_permission: bool,
    pub(crate) fall: Option<Fall>,
    /// Whether several members of a composite usage say it: none of them is then narrower than all others.
    pub(crate) is_many: bool,
    /// Whether some of them permit and others, which fall alone, prohibit.
    pub(crate) is_mixed: bool,
}

impl Acap {
    /// What a statement says of the usage, if anything.
    ///
    /// Cost: the members of its local usage, and their terms.
    pub(crate) fn said(&self, entry: &Entry, usage: &Usage, capabilities: &Capabilities) -> Option<Said> {
        let is_about = |what: What| self.is_about(self.meant(what, entry.is_permission), usage);
        let (mut count, mut fallen, mut fall) = (0, 0, None);
        let mut add = |what: What, terms: Run, member_fall: Option<Fall>| {
            if is_about(what) {
                let capability = || self.capability_fall(usage, terms, capabilities);
                let found = entry.fall.or(member_fall).or_else(capability).filter(|_| entry.is_permission);
                count += 1;
                fallen += usize::from(found.is_some());
                fall = fall.or(found);
            }
        };
        match entry.what {
            What::Local(local) => {
                let members = self.locals.get(local as usize).map_or(&[][..], |local| local.members.of(&self.members));
                for member in members {
                    add(member.what, member.terms, member.fall);
                }
            }
            what => add(what, entry.terms, None),
        }
        (count > 0).then_some(Said {
            is_permission: entry.is_permission && fallen == 0,
            fall,
            is_many: count > 1,
            is_mixed: 0 < fallen && fallen < count,
        })
    }

    /// Calls `visit` with the terms on which a statement permits the usage.
    pub(crate) fn each_term(&self, entry: &Entry, usage: &Usage, mut visit: impl FnMut(&Term)) {
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
            What::Word(word) if !is_permission && word.of(&self.arena).starts_with(b"present-") => {
                What::Standard(Usage::Present.standard_number().unwrap_or(0))
            }
            what => what,
        }
    }

    fn is_about(&self, what: What, usage: &Usage) -> bool {
        match what {
            What::Standard(number) => Usage::standard(number) == usage,
            What::Word(word) => {
                usage.standard_number().is_none() && usage.name().as_bytes().eq_ignore_ascii_case(word.of(&self.arena))
            }
            What::Local(_) => false,
        }
    }

    /// Why this crawler cannot interpret a usage or its terms, if so (S-37, S-38).
    fn capability_fall(&self, usage: &Usage, terms: Run, capabilities: &Capabilities) -> Option<Fall> {
        let is_unable = |name: &str| capabilities.unable.iter().any(|unable| unable.eq_ignore_ascii_case(name));
        if is_unable(usage.name()) {
            return Some(Fall::Unable);
        }
        terms.of(&self.terms).iter().find_map(|term| {
            let word = QUALIFIERS.get(usize::from(term.qualifier))?;
            if is_unable(word.name) {
                return Some(Fall::Unable);
            }
            match word.readiness(usage)? {
                _ if term.is_undefined => Some(Fall::Undefined),
                Readiness::Ready => None,
                Readiness::Undefined => Some(Fall::Undefined),
                Readiness::ByArrangement => (!capabilities.prior_arrangement).then_some(Fall::NeedsArrangement),
                Readiness::NotReady if !capabilities.not_ready => Some(Fall::NotReady),
                Readiness::NotReady => (!capabilities.prior_arrangement).then_some(Fall::NeedsArrangement),
            }
        })
    }

    /// How a record addresses a crawler, if it does (S-04, S-35).
    pub(crate) fn addressee(&self, record: u32, crawler: &Crawler) -> Option<Addressee> {
        let record = self.records.get(record as usize)?;
        let is_named = record.names.of(&self.names).iter().any(|name| {
            let written = name.of(&self.arena);
            let token = token_of(written, NameGrammar::WholeOrToken);
            crawler.names().iter().any(|name| name.equals(written) || name.equals(token))
        });
        if is_named {
            return Some(Addressee::Named);
        }
        (record.is_any && crawler.any_record() == AnyRecord::Applies).then_some(Addressee::Any)
    }

    /// Whether a purpose of the crawler is one of a sub-record's.
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

    fn keep(&mut self, bytes: &[u8]) -> Run {
        let start = self.arena.len() as u32;
        self.arena.extend_from_slice(bytes);
        Run { start, length: bytes.len() as u32 }
    }
}

impl Purpose {
    /// Names match whole, URIs by what they begin with, both with `*` and `$` and without case (S-19).
    fn matches(&self, pattern: &[u8], purpose: &str) -> bool {
        use crate::pattern::{End, WILDCARD, matches};
        let end = if self.is_uri && !self.is_anchored { End::Open } else { End::Anchored };
        without_case(purpose.as_bytes(), |folded| matches(pattern, WILDCARD, end, folded))
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
            + of(&self.records)
            + of(&self.names)
            + of(&self.purposes)
            + of(&self.purpose_patterns)
            + of(&self.statements)
            + of(&self.references)
            + of(&self.actions)
            + of(&self.written)
    }
}
