//! Definitions: local usages and resource sets, collected before any group is parsed (P1 2.7).
//!
//! A definition counts wherever it is in the file (S-12). A definition that cannot be interpreted is kept, because a
//! statement that uses it still prohibits the usage that the definition names, even an unknown one (S-09).

use super::fields::is_lenient;
use super::parse::AcapParser;
use super::terms;
use super::terms::parts;
use super::{Acap, Local, Member, Set, UsageRef};
use crate::base::source::TableRange;
use crate::dialects::acap::AcapField;
use crate::model::Uninterpretable;
use crate::model::Usage;
use crate::model::diagnostic::Code;
use std::collections::{HashMap, HashSet};

/// The names that a file defines, in lower case.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// The local usages that this document defines.
    pub(super) locals: HashMap<Vec<u8>, u32>,
    /// Local usages that are defined in the file that refers to this document. Each is copied when this document first
    /// names it.
    copied_locals: HashMap<Vec<u8>, u32>,
    sets: HashMap<Vec<u8>, Vec<Vec<u8>>>,
    pub(super) set_numbers: HashMap<Vec<u8>, u32>,
    /// The names of the sets with a pattern that needs a leniency.
    pub(super) lenient_sets: HashSet<Vec<u8>>,
    /// The names of the sets whose patterns are separated by commas.
    pub(super) sets_with_commas: HashSet<Vec<u8>>,
    /// The composite usages, each with the spans of its members. The members are resolved when all definitions are
    /// known.
    composites: Vec<(u32, Vec<(usize, usize)>)>,
}

impl AcapParser<'_> {
    /// Parses one definition, whose value is `text[start..end]`.
    pub(super) fn definition(&mut self, field: AcapField, (start, end): (usize, usize)) {
        let text = self.text;
        let words = words(text, start, end);
        let Some((&name, rest)) = words.split_first() else {
            return self.note(Code::EmptyDefinition, (start, end), "this definition defines nothing", "give it a name");
        };
        if !is_name(self.of(name)) {
            return self.note(
                Code::BadName,
                name,
                "a name begins with a letter and continues with letters, digits, `-`, `_` and `.`",
                "rename it; until then, the definition is ignored",
            );
        }
        match field {
            AcapField::ResourceSet => self.set(name, rest),
            AcapField::CompositeUsage if rest.is_empty() => self.note(
                Code::EmptyDefinition,
                name,
                "this composite usage has no members",
                "write its usages after its name",
            ),
            AcapField::CompositeUsage => {
                if let Some(number) = self.define_local(name, true) {
                    self.definitions.composites.push((number, rest.to_vec()));
                }
            }
            _ => self.qualified(name, rest.first().copied(), end),
        }
    }

    /// Adds a local usage and returns its number, or `None` if the name is already defined.
    fn define_local(&mut self, name: (usize, usize), is_composite: bool) -> Option<u32> {
        let key = self.of(name).to_ascii_lowercase();
        if self.definitions.locals.contains_key(&key) {
            self.note(
                Code::DuplicateUsage,
                name,
                "a usage with this name is already defined; the first definition counts",
                "give each usage a name of its own",
            );
            return None;
        }
        let number = self.acap.locals.len() as u32;
        let kept = self.acap.keep(&key);
        self.acap.locals.push(Local { name: kept, members: TableRange::default(), is_composite });
        self.definitions.locals.insert(key, number);
        Some(number)
    }

    fn qualified(&mut self, name: (usize, usize), base: Option<(usize, usize)>, end: usize) {
        let text = self.text;
        let Some(base) = base else {
            return self.note(
                Code::EmptyDefinition,
                name,
                "this definition has no usage after the name",
                "write a standard usage and its qualifiers after the name",
            );
        };
        let parts = parts(text, base.0, end);
        if self.is_too_new(&parts.qualifiers) {
            return;
        }
        let Some(number) = self.define_local(name, false) else { return };
        let member = match Usage::standard_named(self.of(base)) {
            None => {
                self.note(
                    Code::BadDefinition,
                    base,
                    "this is not a standard usage",
                    "define it in terms of one of ACAP's fourteen usages",
                );
                let word = self.acap.keep(&self.of(base).to_ascii_lowercase());
                Member {
                    usage: UsageRef::Other(word),
                    terms: TableRange::default(),
                    uninterpretable: Some(Uninterpretable::UnknownUsage),
                }
            }
            Some(usage) => {
                let terms = self.terms(&parts.qualifiers, Usage::standard(usage));
                let is_bad = terms.is_err() || parts.qualifiers.is_empty() || parts.stray.is_some();
                if is_bad {
                    self.note(
                        Code::BadDefinition,
                        (name.0, end),
                        "this definition cannot be interpreted, so permissions that use it count as prohibitions",
                        "give the usage at least one qualifier, and only qualifiers it takes",
                    );
                }
                let uninterpretable = is_bad.then_some(Uninterpretable::BadDefinition);
                Member { usage: UsageRef::Standard(usage), terms: terms.unwrap_or_default(), uninterpretable }
            }
        };
        let start = self.acap.members.len() as u32;
        self.acap.members.push(member);
        if let Some(local) = self.acap.locals.get_mut(number as usize) {
            local.members = TableRange { start, length: 1 };
        }
    }

    fn set(&mut self, name: (usize, usize), members: &[(usize, usize)]) {
        let key = self.of(name).to_ascii_lowercase();
        if members.is_empty() {
            self.note(
                Code::EmptySet,
                name,
                "this set has no patterns and matches nothing",
                "write its patterns after its name",
            );
        }
        if self.definitions.sets.contains_key(&key) {
            self.note(
                Code::DuplicateSet,
                name,
                "a set with this name is already defined; the patterns of both count",
                "write all patterns in one line",
            );
        }
        let mut members = members.to_vec();
        let ends_in_comma = |member: &[u8]| matches!(member, [_, .., b',' | b';']);
        if members.len() > 1 && members.iter().rev().skip(1).any(|member| ends_in_comma(self.of(*member))) {
            self.note_comma(
                name,
                "commas between patterns are ignored, and permissions for this set count as prohibitions",
            );
            self.definitions.sets_with_commas.insert(key.clone());
            for member in &mut members {
                member.1 -= usize::from(ends_in_comma(self.of(*member)));
            }
        }
        if members.iter().any(|member| is_lenient(self.of(*member))) {
            self.definitions.lenient_sets.insert(key.clone());
        }
        let mut patterns: Vec<Vec<u8>> = members.iter().filter_map(|member| self.path_pattern(*member)).collect();
        self.definitions.sets.entry(key).or_default().append(&mut patterns);
    }

    /// Builds sets and composite usages. Must be called after all definitions are parsed.
    pub(super) fn resolve_definitions(&mut self) {
        let mut sets: Vec<_> = std::mem::take(&mut self.definitions.sets).into_iter().collect();
        sets.sort();
        for (name, patterns) in sets {
            let start = self.acap.patterns.len() as u32;
            for pattern in &patterns {
                self.acap.keep_pattern(pattern);
            }
            let kept = self.acap.keep(&name);
            let number = self.acap.sets.len() as u32;
            self.acap.sets.push(Set { name: kept, patterns: TableRange { start, length: patterns.len() as u32 } });
            self.definitions.set_numbers.insert(name, number);
        }
        for (number, words) in std::mem::take(&mut self.definitions.composites) {
            let members: Vec<Member> = words.iter().map(|word| self.composite_member(number, *word)).collect();
            let start = self.acap.members.len() as u32;
            self.acap.members.extend(members);
            if let Some(local) = self.acap.locals.get_mut(number as usize) {
                local.members = TableRange { start, length: words.len() as u32 };
            }
        }
    }

    fn composite_member(&mut self, composite: u32, word: (usize, usize)) -> Member {
        let written = self.of(word).to_ascii_lowercase();
        if let Some(usage) = Usage::standard_named(&written) {
            return Member { usage: UsageRef::Standard(usage), terms: TableRange::default(), uninterpretable: None };
        }
        let inner = written.strip_prefix(b"(").and_then(|inner| inner.strip_suffix(b")"));
        let Some(inner) = inner else {
            self.note(
                Code::UnknownUsage,
                word,
                "this is not a standard usage",
                "put a usage of your own in parentheses",
            );
            let kept = self.acap.keep(&written);
            return Member {
                usage: UsageRef::Other(kept),
                terms: TableRange::default(),
                uninterpretable: Some(Uninterpretable::UnknownUsage),
            };
        };
        let own = self.definitions.locals.get(inner).copied();
        // Definitions in the file that refers to this document count too (S-21), although P1 3 requires them in the
        // same file.
        let found = own.or_else(|| self.local_named(inner));
        let local = found.and_then(|number| self.acap.locals.get(number as usize)).filter(|local| !local.is_composite);
        let member = local.and_then(|local| local.members.of(&self.acap.members).first().copied());
        if own.is_none() || member.is_none() {
            self.note(
                Code::UndefinedLocalUsage,
                word,
                "no qualified usage in this file has this name",
                "define it with `ACAP-qualified-usage`; a composite usage cannot contain another",
            );
        } else if own > Some(composite) {
            self.note(
                Code::ForwardReference,
                word,
                "this usage is defined further down",
                "define it before it is used",
            );
        }
        member.unwrap_or_else(|| {
            // The name is stored with its parentheses, so that it is not mistaken for another usage.
            let kept = self.acap.keep(&written);
            Member {
                usage: UsageRef::Other(kept),
                terms: TableRange::default(),
                uninterpretable: Some(Uninterpretable::UndefinedUsage),
            }
        })
    }

    /// Returns the local usage with this name, or `None` if it is not defined. If only the file that refers to this
    /// document defines the usage, it is copied (S-21).
    pub(super) fn local_named(&mut self, name: &[u8]) -> Option<u32> {
        let key = name.to_ascii_lowercase();
        let Definitions { locals, copied_locals, .. } = &self.definitions;
        if let Some(number) = locals.get(&key).or_else(|| copied_locals.get(&key)) {
            return Some(*number);
        }
        let parent = self.parent?;
        let local = parent.locals.get(*self.parent_locals.get(key.as_slice())? as usize)?;
        let start = self.acap.members.len() as u32;
        for member in local.members.of(&parent.members) {
            let copied = self.acap.copy_member(parent, member);
            self.acap.members.push(copied);
        }
        let number = self.acap.locals.len() as u32;
        let kept = self.acap.keep(&key);
        let members = TableRange { start, length: local.members.length };
        self.acap.locals.push(Local { name: kept, members, is_composite: local.is_composite });
        self.definitions.copied_locals.insert(key, number);
        Some(number)
    }

    /// Returns the resource set with this name, or `None` if it is not defined. If only the file that refers to this
    /// document defines the set, it is copied.
    pub(super) fn set_named(&mut self, name: &[u8]) -> Option<u32> {
        let key = name.to_ascii_lowercase();
        if let Some(number) = self.definitions.set_numbers.get(&key) {
            return Some(*number);
        }
        let parent = self.parent?;
        let set = parent.sets.get(*self.parent_sets.get(key.as_slice())? as usize)?;
        let start = self.acap.patterns.len() as u32;
        for pattern in set.patterns.of(&parent.patterns) {
            // The copy includes the wildcard that follows every pattern in the arena.
            let whole = TableRange { length: pattern.run.length + 1, ..pattern.run };
            let run = self.acap.keep(whole.of(&parent.arena));
            let copied = super::scope::Pattern { run: TableRange { length: pattern.run.length, ..run }, ..*pattern };
            self.acap.patterns.push(copied);
        }
        let kept = self.acap.keep(&key);
        let number = self.acap.sets.len() as u32;
        let patterns = TableRange { start, length: set.patterns.length };
        self.acap.sets.push(Set { name: kept, patterns });
        self.definitions.set_numbers.insert(key, number);
        Some(number)
    }
}

impl Acap {
    fn copy_member(&mut self, parent: &Self, member: &Member) -> Member {
        let usage = match member.usage {
            UsageRef::Other(name) => UsageRef::Other(self.keep(name.of(&parent.arena))),
            usage => usage,
        };
        let start = self.terms.len() as u32;
        for term in member.terms.of(&parent.terms) {
            let value = match term.value {
                terms::TermValue::Text(text) => terms::TermValue::Text(self.keep(text.of(&parent.arena))),
                value => value,
            };
            self.terms.push(terms::Term { value, ..*term });
        }
        Member {
            usage,
            terms: TableRange { start, length: member.terms.length },
            uninterpretable: member.uninterpretable,
        }
    }
}

/// Returns the spans of the words in `text[start..end]`, which are separated by blanks.
pub(super) fn words(text: &[u8], start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut from = None;
    for at in start..=end {
        let is_blank = at == end || matches!(text.get(at), Some(b' ' | b'\t'));
        match (is_blank, from) {
            (false, None) => from = Some(at),
            (true, Some(first)) => {
                words.push((first, at));
                from = None;
            }
            _ => {}
        }
    }
    words
}

/// Whether a string is a valid name (P1 3): a letter, then letters, digits, `-`, `_` and `.`.
fn is_name(text: &[u8]) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    text.first().is_some_and(u8::is_ascii_alphabetic) && text.iter().all(is_inner)
}
