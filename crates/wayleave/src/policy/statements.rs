//! Looking at a compiled policy: its statements and the facts of its site, each with its place.

use super::layout::{Agent, Block, FactEntry, Header, Meta, u64_at};
use super::{Policy, saved};
use crate::crawler::{ANY_HASH, token_of};
use crate::model::{Addressee, Carrier, Dialect, Modality, Scope, Statement, StatementId};
use crate::source::{Place, Span};
use crate::syntax::Line;
use crate::vocabulary::{Field, Usage};
use std::borrow::Cow;
use std::collections::HashSet;

/// A field that is data and decides nothing: a sitemap, a delay, a host.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fact<'p> {
    /// Which field.
    pub field: Field,
    /// Its value as written.
    pub value: Cow<'p, [u8]>,
    /// The names of the record it belongs to; none where it belongs to the site.
    pub crawlers: Vec<Cow<'p, [u8]>>,
    /// Its line, from 1.
    pub line: u32,
}

/// Where something stands, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// From the field's name to the end of its value.
    pub(super) span: Span,
    pub(super) place: Place,
}

impl Policy<'_> {
    /// The statement of this number, or nothing where the policy has no such rule.
    #[must_use]
    pub fn statement(&self, id: StatementId) -> Option<Statement<'_>> {
        let header = self.header();
        let number = id.0 as usize;
        if number >= header.rules as usize {
            return None;
        }
        let meta = Meta(u64_at(&self.blob, header.metas_at() + number * 8));
        let (start, length) = self.written_value(&header, meta);
        let value = self.source(&header).get(start..start + length).unwrap_or_default();
        let modality = if meta.has(Meta::ALLOW) { Modality::Permission } else { Modality::Prohibition };
        let is_fallen = meta.has(Meta::FALLEN);
        let field = if meta.has(Meta::ALLOW) || is_fallen { Field::Allow } else { Field::Disallow };
        let (written, text) = self.written(&header, saved::Entry::Rule(id.0), start, field, value);
        Some(Statement {
            id,
            modality,
            usage: Usage::Crawl,
            dialect: Dialect::Conventional,
            carrier: Carrier::RobotsTxt,
            document: "robots.txt",
            addressee: self.addressee(&header, id.0),
            purposes: &[],
            scope: Scope::Pattern(value),
            qualifiers: &[],
            span: written.span,
            line: written.place.line,
            column: written.place.column,
            text,
            is_fallen,
        })
    }

    /// Every statement, in the order of the policy.
    pub fn statements(&self) -> impl Iterator<Item = Statement<'_>> {
        (0..self.header().rules).filter_map(|number| self.statement(StatementId(number)))
    }

    /// Every fact of the site, in the order of the file.
    pub fn facts(&self) -> impl Iterator<Item = Fact<'_>> {
        let header = self.header();
        (0..header.facts).filter_map(move |number| self.fact(&header, number))
    }

    /// The facts that bind the records of one crawler, and those of the site.
    pub fn facts_for<'p>(&'p self, bound: &super::Bound<'p>) -> impl Iterator<Item = Fact<'p>> {
        let header = self.header();
        let mut blocks = Vec::new();
        bound.each_block(|block| blocks.push(block));
        (0..header.facts).filter_map(move |number| {
            let block = self.fact_entry(&header, number).block;
            (block == FactEntry::OF_SITE || blocks.contains(&block)).then(|| self.fact(&header, number)).flatten()
        })
    }

    /// Every name that some record addresses, as written, in the order of the file; `*` among them.
    #[must_use]
    pub fn crawlers_named(&self) -> Vec<Cow<'_, [u8]>> {
        let header = self.header();
        self.names_of(&header, |_| true)
    }

    /// The line of the first name of the record that a statement stands in, for those who want to see
    /// the record; nothing where the policy stands alone.
    #[must_use]
    pub fn record_line(&self, id: StatementId) -> Option<u32> {
        let (header, text) = (self.header(), self.text?);
        let block = self.block_of(&header, id.0)?;
        let first = self.agents(&header).filter(|agent| agent.block == block).map(|agent| agent.offset).min()?;
        Some(Place::of(text, first).line)
    }

    fn addressee(&self, header: &Header, rule: u32) -> Addressee {
        let block = self.block_of(header, rule);
        let is_any = self.agents(header).any(|agent| Some(agent.block) == block && agent.hash == ANY_HASH);
        if is_any { Addressee::Any } else { Addressee::Named }
    }

    fn block_of(&self, header: &Header, rule: u32) -> Option<u32> {
        (0..header.blocks).find(|number| {
            let block = Block::read(&self.blob, header, *number);
            (block.start..block.start + block.fixed + block.floating).contains(&rule)
        })
    }

    fn agents(&self, header: &Header) -> impl Iterator<Item = Agent> + '_ {
        let agents = self.blob.get(header.agents_at()..header.keys_at()).unwrap_or_default();
        agents.chunks_exact(Agent::BYTES).map(Agent::read)
    }

    fn agent_name(&self, header: &Header, agent: Agent) -> Cow<'_, [u8]> {
        let start = agent.offset as usize;
        Cow::Borrowed(self.source(header).get(start..start + usize::from(agent.length)).unwrap_or_default())
    }

    fn fact_entry(&self, header: &Header, number: u32) -> FactEntry {
        let at = header.facts_at() + number as usize * FactEntry::BYTES;
        FactEntry::read(self.blob.get(at..).unwrap_or_default())
    }

    fn fact(&self, header: &Header, number: u32) -> Option<Fact<'_>> {
        let entry = self.fact_entry(header, number);
        let field = Field::from_number(entry.field)?;
        let start = entry.offset as usize;
        let value = self.source(header).get(start..start + entry.length as usize).unwrap_or_default();
        let (written, _) = self.written(header, saved::Entry::Fact(number), start, field, value);
        let crawlers = self.names_of(header, |agent| agent.block == entry.block);
        Some(Fact { field, value: Cow::Borrowed(value), crawlers, line: written.place.line })
    }

    /// The names that the chosen agents stand for, as written, none twice, in the order of the file. A
    /// line whose name is more than a token has two agents: the token that a whole name of the same
    /// record begins with is left out.
    fn names_of(&self, header: &Header, is_chosen: impl Fn(&Agent) -> bool) -> Vec<Cow<'_, [u8]>> {
        let mut agents: Vec<Agent> = self.agents(header).filter(is_chosen).collect();
        agents.sort_by_key(|agent| (agent.offset, std::cmp::Reverse(agent.length)));
        let grammar = self.reading().switches().names;
        let names: Vec<(u32, Cow<'_, [u8]>)> =
            agents.iter().map(|agent| (agent.block, self.agent_name(header, *agent))).collect();
        let mut tokens = HashSet::new();
        for (block, name) in &names {
            let token = token_of(name, grammar);
            if token.len() != name.len() {
                tokens.insert((*block, token.to_ascii_lowercase()));
            }
        }
        let mut seen = HashSet::new();
        let is_new = |(block, name): &(u32, Cow<'_, [u8]>)| {
            let lower = name.to_ascii_lowercase();
            !tokens.contains(&(*block, lower.clone())) && seen.insert(lower)
        };
        names.iter().cloned().filter(is_new).map(|(_, name)| name).collect()
    }

    /// Where a rule's pattern is as written, in the text or the arena.
    pub(super) fn written_value(&self, header: &Header, meta: Meta) -> (usize, usize) {
        let start = meta.offset() as usize;
        if meta.has(Meta::REWRITTEN) {
            let before = self.arena(header).get(start.saturating_sub(8)..).unwrap_or_default();
            let word = u64_at(before, 0);
            (word as u32 as usize, (word >> 32) as usize)
        } else {
            (start, meta.octets() as usize)
        }
    }

    /// The place and the text of a field whose value is at `start`.
    fn written<'p>(
        &'p self,
        header: &Header,
        entry: saved::Entry,
        start: usize,
        field: Field,
        value: &[u8],
    ) -> (Written, Cow<'p, [u8]>) {
        match self.text {
            Some(text) => {
                let written = written_in(text, start);
                (written, Cow::Borrowed(written.span.of(text)))
            }
            None => {
                let text = [field.name().as_bytes(), b": ", value].concat();
                (self.saved_place(header, entry, value.len()), Cow::Owned(text))
            }
        }
    }
}

/// Where the field stands in whose line the byte `value` is.
fn written_in(text: &[u8], value: usize) -> Written {
    let before = text.get(..value).unwrap_or_default();
    let line_start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
    let name = name_start(text, line_start);
    let end = Line::read(text, name).value.1;
    Written { span: Span::new(name, end), place: Place::of(text, name as u32) }
}

/// Where the field's name begins on the line that begins at `line_start`.
pub(super) fn name_start(text: &[u8], line_start: usize) -> usize {
    let has_mark = line_start == 0 && text.starts_with(b"\xEF\xBB\xBF");
    Line::read(text, if has_mark { 3 } else { line_start }).name.0
}
