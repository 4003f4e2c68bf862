//! Statements in canonical form: two statements with the same form have the same meaning.
//!
//! The form contains everything that a decision can depend on, except the addressee and the pattern. It contains no
//! indexes into a file's tables, because they mean nothing in another file.

use super::{Acap, Entry, GENERAL, TermValue, UsageRef};
use crate::base::source::TableRange;
use crate::base::timestamp::Timestamp;
use crate::model::{Uninterpretable, Usage};

/// A permission or prohibition in canonical form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalStatement {
    is_permission: bool,
    uninterpretable: Option<Uninterpretable>,
    usage: CanonicalUsage,
    /// The members of a local usage, and whether the usage is composite.
    local: Option<(bool, Vec<CanonicalMember>)>,
    terms: Vec<CanonicalTerm>,
    /// The purposes of the subgroup. `None` means that the statement is in no subgroup, so it applies to every purpose.
    purposes: Option<Vec<CanonicalPurpose>>,
    set: Option<CanonicalSet>,
}

/// A statement's terms and purposes, independent of the order of its terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TermsAndPurposes {
    terms: Vec<(u8, CanonicalValue)>,
    purposes: Vec<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum CanonicalUsage {
    Standard(u8),
    Other(Vec<u8>),
    Local,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CanonicalMember {
    uninterpretable: Option<Uninterpretable>,
    usage: CanonicalUsage,
    terms: Vec<CanonicalTerm>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CanonicalTerm {
    qualifier: u8,
    is_undefined: bool,
    value: CanonicalValue,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum CanonicalValue {
    UntilRecrawled,
    Until(Timestamp),
    Days(u64),
    Chars(u64),
    Words(u64),
    Text(Vec<u8>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CanonicalPurpose {
    is_anchored: bool,
    is_uri: bool,
    pattern: Vec<u8>,
}

/// A resource set. Its patterns are not part of the form, because they are compared elsewhere, one by one. The fields
/// here identify the patterns that belong to the same set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CanonicalSet {
    document: (u8, u16),
    patterns: u32,
    name: Vec<u8>,
}

impl Acap {
    /// Returns the canonical form of a statement in this document, or `None` if the form is too long.
    ///
    /// Cost: linear in the statement's local usage, terms and purposes, up to [`MAX_BYTES`].
    pub(crate) fn canonical(&self, entry: &Entry, document: (u8, u16)) -> Option<CanonicalStatement> {
        let mut builder = Builder { acap: self, room: MAX_BYTES };
        let local = match entry.usage {
            UsageRef::Local(number) => {
                let local = self.locals.get(number as usize)?;
                let member = |member: &super::Member| {
                    Some(CanonicalMember {
                        uninterpretable: member.uninterpretable,
                        usage: builder.usage(member.usage, entry.is_permission)?,
                        terms: builder.terms(member.terms)?,
                    })
                };
                let members: Option<Vec<_>> = local.members.of(&self.members).iter().map(member).collect();
                Some((local.is_composite, members?))
            }
            UsageRef::Standard(_) | UsageRef::Other(_) => None,
        };
        let set = match self.sets.get(entry.set as usize) {
            Some(set) => Some(CanonicalSet { document, patterns: set.patterns.length, name: builder.text(set.name)? }),
            None => None,
        };
        Some(CanonicalStatement {
            is_permission: entry.is_permission,
            uninterpretable: entry.uninterpretable,
            usage: builder.usage(entry.usage, entry.is_permission)?,
            local,
            terms: builder.terms(entry.terms)?,
            purposes: builder.purposes(entry.purposes)?,
            set,
        })
    }

    /// Returns a statement's terms and purposes for one usage. They show, together with addressee and usage, whether a
    /// statement in the source and a statement in the DOM are the same statement (S-25).
    ///
    /// Cost: linear in the terms for this usage and the purposes, plus sorting the terms.
    pub(crate) fn terms_and_purposes(&self, entry: &Entry, usage: &Usage) -> TermsAndPurposes {
        let mut terms = Vec::new();
        self.each_qualifier(entry, usage, |term| terms.push((term.qualifier, self.canonical_value(term.value))));
        terms.sort();
        let purposes = self.purposes.get(entry.purposes as usize).map_or(&[][..], |run| run.of(&self.purpose_patterns));
        let purposes = purposes.iter().map(|purpose| purpose.pattern.of(&self.arena).to_vec()).collect();
        TermsAndPurposes { terms, purposes }
    }

    fn canonical_value(&self, value: TermValue) -> CanonicalValue {
        match value {
            TermValue::UntilRecrawled => CanonicalValue::UntilRecrawled,
            TermValue::Until(end) => CanonicalValue::Until(end),
            TermValue::Days(days) => CanonicalValue::Days(days),
            TermValue::Chars(chars) => CanonicalValue::Chars(chars),
            TermValue::Words(words) => CanonicalValue::Words(words),
            TermValue::Text(text) => CanonicalValue::Text(text.of(&self.arena).to_vec()),
        }
    }
}

/// Builds a canonical form within a size limit. Its methods return `None` when the limit is reached.
struct Builder<'a> {
    acap: &'a Acap,
    room: usize,
}

impl Builder<'_> {
    fn spend(&mut self, bytes: usize) -> Option<()> {
        self.room = self.room.checked_sub(bytes)?;
        Some(())
    }

    fn text(&mut self, text: TableRange) -> Option<Vec<u8>> {
        self.spend(text.length as usize)?;
        Some(text.of(&self.acap.arena).to_vec())
    }

    fn usage(&mut self, usage: UsageRef, is_permission: bool) -> Option<CanonicalUsage> {
        self.spend(ITEM_BYTES)?;
        Some(match self.acap.meant(usage, is_permission) {
            UsageRef::Standard(number) => CanonicalUsage::Standard(number),
            UsageRef::Other(name) => CanonicalUsage::Other(self.text(name)?),
            UsageRef::Local(_) => CanonicalUsage::Local,
        })
    }

    fn terms(&mut self, terms: TableRange) -> Option<Vec<CanonicalTerm>> {
        let acap = self.acap;
        let term = |term: &super::Term| {
            let text = if let TermValue::Text(text) = term.value { text.length as usize } else { 0 };
            self.spend(ITEM_BYTES + text)?;
            let value = acap.canonical_value(term.value);
            Some(CanonicalTerm { qualifier: term.qualifier, is_undefined: term.is_undefined, value })
        };
        terms.of(&acap.terms).iter().map(term).collect()
    }

    fn purposes(&mut self, purposes: u32) -> Option<Option<Vec<CanonicalPurpose>>> {
        if purposes == GENERAL {
            return Some(None);
        }
        let acap = self.acap;
        let run = acap.purposes.get(purposes as usize).copied().unwrap_or_default();
        let purpose = |purpose: &super::Purpose| {
            self.spend(ITEM_BYTES)?;
            let pattern = self.text(purpose.pattern)?;
            Some(CanonicalPurpose { is_anchored: purpose.is_anchored, is_uri: purpose.is_uri, pattern })
        };
        run.of(&acap.purpose_patterns).iter().map(purpose).collect::<Option<_>>().map(Some)
    }
}

/// The maximum size of a canonical form. Without a limit, a file that defines a usage with many members and names it in
/// many statements would take too much memory.
const MAX_BYTES: usize = 4_096;
/// The size that a usage, a term or a purpose adds, in addition to its text.
const ITEM_BYTES: usize = 16;
