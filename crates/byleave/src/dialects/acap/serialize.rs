//! Serializes the ACAP tables of a policy as a sequence of variable-length numbers.
//!
//! Loading does not check offsets, because every access to a table uses `get`, so a wrong offset finds nothing.

use super::scope::Pattern;
use super::{
    Acap, Action, Entry, Filter, Group, Local, Member, Name, Purpose, Reference, Set, Term, TermValue, UsageRef,
};
use crate::base::source::{Location, TableRange};
use crate::base::timestamp::Timestamp;
use crate::base::varint::{push_number, take_number};
use crate::dialects::acap::STANDARD;
use crate::model::Uninterpretable;

/// A value that can be written to bytes and read back.
trait Serialize: Sized {
    fn put(&self, bytes: &mut Vec<u8>);
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

impl Acap {
    /// Returns the tables as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.put(&mut bytes);
        bytes
    }

    /// Returns the tables that [`Acap::to_bytes`] wrote, or `None` if the bytes are not valid.
    pub(crate) fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let acap = Self::take(&mut bytes)?;
        bytes.is_empty().then_some(acap)
    }

    /// Returns a copy that does not need the text, because it stores the written statements in its own tables.
    pub(crate) fn detached(&self, text: &[u8]) -> Self {
        let mut detached = self.clone();
        detached.written = self.places().flat_map(|at| at.of(text).iter().copied()).collect();
        detached
    }

    /// Returns the positions of all statements, then references, then actions.
    pub(crate) fn places(&self) -> impl Iterator<Item = Location> + '_ {
        let statements = self.statements.iter().map(|entry| entry.at);
        let references = self.references.iter().map(|reference| reference.at);
        statements.chain(references).chain(self.actions.iter().map(|action| action.at))
    }
}

impl Serialize for u64 {
    fn put(&self, bytes: &mut Vec<u8>) {
        push_number(bytes, *self);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        take_number(bytes)
    }
}

macro_rules! serialize_number {
    ($($number:ty),*) => { $(
        impl Serialize for $number {
            fn put(&self, bytes: &mut Vec<u8>) {
                u64::from(*self).put(bytes);
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Self::try_from(u64::take(bytes)?).ok()
            }
        }
    )* };
}

serialize_number!(u8, u16, u32);

impl Serialize for bool {
    fn put(&self, bytes: &mut Vec<u8>) {
        u8::from(*self).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u8::take(bytes).map(|number| number != 0)
    }
}

impl Serialize for Timestamp {
    fn put(&self, bytes: &mut Vec<u8>) {
        (self.unix() as u64).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        u64::take(bytes).map(|seconds| Self::from_unix(seconds as i64))
    }
}

impl Serialize for Option<Uninterpretable> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.map_or(0, |uninterpretable| uninterpretable as u8 + 1).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let number = u8::take(bytes)?;
        match number.checked_sub(1) {
            None => Some(None),
            Some(number) => Uninterpretable::ALL.get(usize::from(number)).map(|uninterpretable| Some(*uninterpretable)),
        }
    }
}

impl Serialize for Option<bool> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.map_or(0, |is_so| u8::from(is_so) + 1).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(u8::take(bytes)?.checked_sub(1).map(|number| number != 0))
    }
}

impl Serialize for Option<Pattern> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.is_some().put(bytes);
        if let Some(pattern) = self {
            pattern.put(bytes);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(if bool::take(bytes)? { Some(Pattern::take(bytes)?) } else { None })
    }
}

impl<T: Serialize> Serialize for Vec<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        (self.len() as u64).put(bytes);
        for entry in self {
            entry.put(bytes);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let count = u64::take(bytes)?;
        // An entry takes at least one byte, so a wrong count cannot make us allocate much memory.
        if count > bytes.len() as u64 {
            return None;
        }
        (0..count).map(|_| T::take(bytes)).collect()
    }
}

impl<A: Serialize, B: Serialize> Serialize for (A, B) {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
        self.1.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::take(bytes)?, B::take(bytes)?))
    }
}

impl Serialize for UsageRef {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Standard(number) => (0u8, *number).put(bytes),
            Self::Local(local) => (1u8, *local).put(bytes),
            Self::Other(name) => (2u8, *name).put(bytes),
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(bytes)? {
            0 => Self::Standard(u8::take(bytes).filter(|number| usize::from(*number) < STANDARD)?),
            1 => Self::Local(u32::take(bytes)?),
            2 => Self::Other(TableRange::take(bytes)?),
            _ => return None,
        })
    }
}

impl Serialize for TermValue {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::UntilRecrawled => 0u8.put(bytes),
            Self::Until(instant) => (1u8, *instant).put(bytes),
            Self::Days(days) => (2u8, *days).put(bytes),
            Self::Chars(count) => (3u8, *count).put(bytes),
            Self::Words(count) => (4u8, *count).put(bytes),
            Self::Text(text) => (5u8, *text).put(bytes),
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(match u8::take(bytes)? {
            0 => Self::UntilRecrawled,
            1 => Self::Until(Timestamp::take(bytes)?),
            2 => Self::Days(u64::take(bytes)?),
            3 => Self::Chars(u64::take(bytes)?),
            4 => Self::Words(u64::take(bytes)?),
            5 => Self::Text(TableRange::take(bytes)?),
            _ => return None,
        })
    }
}

macro_rules! serialize {
    ($($kind:ident { $($part:ident),* })*) => { $(
        impl Serialize for $kind {
            fn put(&self, bytes: &mut Vec<u8>) {
                $(self.$part.put(bytes);)*
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                $(let $part = Serialize::take(bytes)?;)*
                Some(Self { $($part),* })
            }
        }
    )* };
}

serialize! {
    TableRange { start, length }
    Location { start, end, line, column }
    Pattern { run, flags }
    Term { qualifier, value, is_undefined }
    Set { name, patterns }
    Local { name, members, is_composite }
    Member { usage, terms, uninterpretable }
    Group { names, is_any, line, statements, starts }
    Name { written, whole, token }
    Filter { key, mask, pattern, simple }
    Purpose { pattern, is_anchored, is_uri }
    Entry { is_permission, uninterpretable, is_forgiven, usage, set, terms, group, purposes, resource, at }
    Reference { group, locator, at }
    Action { group, action, path, at }
    Acap {
        ignores_conventional, binds_everyone, arena, patterns, terms, sets, locals, members, groups, names, purposes,
        purpose_patterns, filters, statements, mask, references, actions, written
    }
}
