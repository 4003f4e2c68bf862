//! A permission or prohibition spelt out: everything that a decision can depend on, beside whom it addresses and its
//! pattern. Fields of two files that are spelt alike say the same.

use super::{Acap, Entry, GENERAL, Term, TermValue, What};
use crate::base::source::TableRange;

/// What takes more bytes is not spelt out: a file could define a usage of very many members and speak of it very often.
const LONGEST: usize = 4_096;

impl Acap {
    /// A statement of a document spelt out; nothing where that is too long.
    ///
    /// Cost: linear in its local usage, its terms and its purposes, up to a bound.
    pub(crate) fn spelt_out(&self, entry: &Entry, document: (u8, u16)) -> Option<Vec<u8>> {
        let mut spelling = Spelling { acap: self, bytes: Vec::new() };
        spelling.debug(&(entry.is_permission, entry.uninterpretable));
        spelling.what(entry.what, entry.is_permission);
        if let What::Local(number) = entry.what {
            let local = self.locals.get(number as usize)?;
            let members = local.members.of(&self.members);
            spelling.debug(&(local.is_composite, members.len()));
            for member in members {
                spelling.debug(&member.uninterpretable);
                spelling.what(member.what, entry.is_permission);
                spelling.terms(member.terms);
                if spelling.bytes.len() > LONGEST {
                    return None;
                }
            }
        }
        spelling.terms(entry.terms);
        spelling.purposes(entry.purposes);
        // The patterns of a set are told one by one, and which of them are of one set by its name there.
        if let Some(set) = self.sets.get(entry.set as usize) {
            spelling.debug(&(document, set.patterns.length));
            spelling.text(set.name);
        }
        Some(spelling.bytes).filter(|bytes| bytes.len() <= LONGEST)
    }
}

struct Spelling<'a> {
    acap: &'a Acap,
    bytes: Vec<u8>,
}

impl Spelling<'_> {
    fn debug(&mut self, value: &impl std::fmt::Debug) {
        self.bytes.extend_from_slice(format!("{value:?};").as_bytes());
    }

    /// A text behind its length, so that nothing in it can be taken for what follows.
    fn text(&mut self, text: TableRange) {
        let text = text.of(&self.acap.arena);
        self.debug(&text.len());
        self.bytes.extend(text.iter().take(LONGEST + 1));
    }

    fn what(&mut self, what: What, is_permission: bool) {
        match self.acap.meant(what, is_permission) {
            What::Standard(number) => self.debug(&number),
            What::Word(word) => self.text(word),
            What::Local(_) => self.debug(&"local"),
        }
    }

    fn terms(&mut self, terms: TableRange) {
        for Term { qualifier, value, is_undefined } in terms.of(&self.acap.terms) {
            self.debug(&(qualifier, is_undefined));
            match value {
                TermValue::Text(text) => self.text(*text),
                value => self.debug(value),
            }
            if self.bytes.len() > LONGEST {
                return;
            }
        }
        self.debug(&terms.length);
    }

    fn purposes(&mut self, purposes: u32) {
        if purposes == GENERAL {
            return self.debug(&"any");
        }
        let run = self.acap.purposes.get(purposes as usize).copied().unwrap_or_default();
        for purpose in run.of(&self.acap.purpose_patterns) {
            self.debug(&(purpose.is_anchored, purpose.is_uri));
            self.text(purpose.pattern);
            if self.bytes.len() > LONGEST {
                return;
            }
        }
        self.debug(&run.length);
    }
}
