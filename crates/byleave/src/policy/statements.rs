//! Looking at a compiled policy: its statements and the facts of its site, each with its place.

use super::layout::{Agent, Block, FactEntry, Header, Meta, u64_at};
use super::saved::SavedPlace;
use super::{Bound, Policy};
use crate::base::source::{LineStarts, Position, Span};
use crate::model::Usage;
use crate::model::crawler::{ANY_HASH, Crawler, token_of};
use crate::model::{
    Addressee, Carrier, Dialect, Modality, Scope, Statement, StatementId, StatementKind, Uninterpretable,
};
use crate::robots_txt::Field;
use crate::robots_txt::Line;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The statements of a policy. Made once, it finds each one's place quickly.
#[derive(Clone, Debug)]
pub struct Statements<'p> {
    policy: &'p Policy<'p>,
    header: Header,
    /// The lines of the text; a policy that stands alone has none and knows its places itself.
    lines: Option<LineStarts>,
    places: Vec<SavedPlace>,
    /// The blocks that address any crawler.
    general: HashSet<u32>,
}

/// A field that is data and decides nothing: a sitemap, a delay, a host.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fact<'p> {
    /// Which field.
    pub field: Field,
    /// Its value as written.
    pub value: &'p [u8],
    /// The names of the group it belongs to; none where it belongs to the site.
    pub crawlers: Arc<[&'p [u8]]>,
    /// Which of [`Policy::groups`] it belongs to, if to any.
    pub group: Option<usize>,
    /// Whether it is in doubt whom it addresses: it stands in a group of ACAP (S-40).
    pub is_doubtful: bool,
    /// Its line, from 1.
    pub line: u32,
}

/// A conventional group, which RFC 9309 calls a group: the names of crawlers, and the rules that follow them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrawlerGroup<'p> {
    /// Its names as written, `*` among them, in the order of the file.
    pub names: Vec<&'p [u8]>,
    /// Where each name stands; nothing is known of that where the policy stands alone.
    pub spans: Vec<Span>,
    /// Its rules, in the order of the policy. An empty rule is none.
    pub rules: Vec<StatementId>,
    /// Whether it is there for preferences alone (S-40): a later group has the same names, written once, and the rules.
    pub is_for_preferences: bool,
}

/// Where something stands, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// From the field's name to the end of its value.
    pub(super) span: Span,
    pub(super) place: Position,
}

impl<'t> Policy<'t> {
    /// Its statements, with their places.
    ///
    /// Cost: one pass over the text and the names.
    #[must_use]
    pub fn statements(&self) -> Statements<'_> {
        let header = self.header();
        let general = self.agents(&header).filter(|agent| agent.hash == ANY_HASH).map(|agent| agent.block).collect();
        let places = if self.text.is_some() { Vec::new() } else { self.saved_places(&header) };
        Statements { policy: self, header, lines: self.text().map(LineStarts::of), places, general }
    }

    /// Every fact of the site, in the order of the file.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact<'_>> {
        self.facts_where(|_| true)
    }

    /// The facts that bind the groups of one crawler, and those of the site.
    #[must_use]
    pub fn facts_for<'p>(&'p self, bound: &Bound<'p>) -> Vec<Fact<'p>> {
        let mut blocks = HashSet::new();
        bound.each_block(|block| {
            blocks.insert(block);
        });
        self.facts_where(|block| block == FactEntry::OF_SITE || blocks.contains(&block))
    }

    /// Its conventional groups, in the order of the file. Several may name the same crawler: it is bound by all of
    /// them together.
    ///
    /// ```
    /// let policy = byleave::Policy::read(b"User-agent: A\nUser-agent: B\nDisallow: /a\n\nUser-agent: *\nDisallow:\n");
    /// let groups = policy.groups();
    /// assert_eq!(groups[0].names, [b"A", b"B"]);
    /// assert_eq!((groups[0].rules.len(), groups[1].rules.len()), (1, 0));
    /// ```
    #[must_use]
    pub fn groups(&self) -> Vec<CrawlerGroup<'_>> {
        let header = self.header();
        let mut agents: Vec<Vec<Agent>> = vec![Vec::new(); header.blocks as usize];
        for agent in self.agents(&header) {
            if let Some(agents) = agents.get_mut(agent.block as usize) {
                agents.push(agent);
            }
        }
        // Names of rules that preferences part stand once in the text, and in two blocks here.
        let mut last: HashMap<u32, u32> = HashMap::new();
        for (number, agents) in (0..).zip(&agents) {
            last.extend(agents.iter().map(|agent| (agent.offset, number)));
        }
        let is_parted = |number: u32, agents: &[Agent]| {
            agents.first().is_some_and(|agent| last.get(&agent.offset).is_some_and(|last| *last > number))
        };
        let start = |number: u32| Block::read(&self.blob, &header, number).start;
        let end = |number: u32| if number + 1 < header.blocks { start(number + 1) } else { header.rules };
        let group = |(number, mut agents): (u32, Vec<Agent>)| {
            agents.sort_by_key(|agent| (agent.offset, std::cmp::Reverse(agent.length)));
            agents.dedup_by_key(|agent| agent.offset);
            let span = |agent: &Agent| Span::new(agent.offset as usize, agent.offset as usize + agent.length as usize);
            CrawlerGroup {
                is_for_preferences: is_parted(number, &agents),
                names: agents.iter().map(|agent| self.agent_name(&header, agent)).collect(),
                spans: if self.text.is_some() { agents.iter().map(span).collect() } else { Vec::new() },
                rules: (start(number)..end(number)).map(StatementId::rule).collect(),
            }
        };
        (0..).zip(agents).map(group).collect()
    }

    /// Every name that some group addresses, as written, in the order of the file, those of ACAP groups last;
    /// `*` among them.
    #[must_use]
    pub fn crawlers_named(&self) -> Vec<&[u8]> {
        let header = self.header();
        let mut names = self.names_of(&header, self.agents(&header).collect());
        if let Some(acap) = self.acap() {
            let mut known: HashSet<Vec<u8>> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
            let is_any = acap.groups.iter().any(|group| group.is_any);
            let any = Some(&b"*"[..]).filter(|_| is_any);
            let named = acap.names.iter().map(|name| name.written.of(&acap.arena));
            names.extend(named.chain(any).filter(|name| known.insert(name.to_ascii_lowercase())));
        }
        names
    }

    /// Calls `visit` with each fact: its number, its field, its group where it has one, whether it is doubtful whom it
    /// addresses, and its value.
    pub(crate) fn each_fact(&self, mut visit: impl FnMut(u32, Field, (Option<u32>, bool), &[u8])) {
        let header = self.header();
        let entries = self.blob.get(header.facts_at()..header.index_at()).unwrap_or_default();
        for (number, bytes) in (0..).zip(entries.chunks_exact(FactEntry::BYTES)) {
            let entry = FactEntry::read(bytes);
            let start = entry.offset as usize;
            let value = self.source(&header).get(start..start + entry.length as usize).unwrap_or_default();
            if let Some(field) = Field::from_number(entry.field) {
                let group = Some(entry.block).filter(|block| *block != FactEntry::OF_SITE);
                visit(number, field, (group, entry.is_doubtful), value);
            }
        }
    }

    fn facts_where(&self, is_wanted: impl Fn(u32) -> bool) -> Vec<Fact<'_>> {
        let header = self.header();
        let entries = self.blob.get(header.facts_at()..header.index_at()).unwrap_or_default();
        if entries.is_empty() {
            return Vec::new();
        }
        let mut groups: HashMap<u32, Vec<Agent>> = HashMap::new();
        for agent in self.agents(&header) {
            groups.entry(agent.block).or_default().push(agent);
        }
        let mut names: HashMap<u32, Arc<[&[u8]]>> = HashMap::new();
        let statements = self.statements();
        let fact = |(number, bytes): (usize, &[u8])| {
            let entry = FactEntry::read(bytes);
            let field = Field::from_number(entry.field).filter(|_| !entry.is_copy && is_wanted(entry.block))?;
            let start = entry.offset as usize;
            let value = self.source(&header).get(start..start + entry.length as usize).unwrap_or_default();
            let written = statements.written(header.rules as usize + number, start, value.len());
            let crawlers = names.entry(entry.block).or_insert_with(|| {
                let agents = groups.remove(&entry.block).unwrap_or_default();
                self.names_of(&header, agents).into()
            });
            let group = Some(entry.block as usize).filter(|_| entry.block != FactEntry::OF_SITE);
            let (crawlers, is_doubtful) = (Arc::clone(crawlers), entry.is_doubtful);
            Some(Fact { field, value, crawlers, group, is_doubtful, line: written.place.line })
        };
        entries.chunks_exact(FactEntry::BYTES).enumerate().filter_map(fact).collect()
    }

    /// The names these agents stand for, as written, none twice, in the order of the file. A line whose
    /// name is more than a token has two agents: the token that a whole name of the same group begins
    /// with is left out.
    fn names_of(&self, header: &Header, mut agents: Vec<Agent>) -> Vec<&[u8]> {
        agents.sort_by_key(|agent| (agent.offset, std::cmp::Reverse(agent.length)));
        // The longer of two agents that begin at one place is the line's whole name.
        agents.dedup_by_key(|agent| agent.offset);
        let mut seen = HashSet::new();
        let names = agents.iter().map(|agent| self.agent_name(header, agent));
        names.filter(|name| seen.insert(name.to_ascii_lowercase())).collect()
    }

    fn agents(&self, header: &Header) -> impl Iterator<Item = Agent> + '_ {
        let agents = self.blob.get(header.agents_at()..header.keys_at()).unwrap_or_default();
        agents.chunks_exact(Agent::BYTES).map(Agent::read)
    }

    fn agent_name(&self, header: &Header, agent: &Agent) -> &[u8] {
        let start = agent.offset as usize;
        self.source(header).get(start..start + usize::from(agent.length)).unwrap_or_default()
    }

    /// The pattern of a rule, as written.
    pub(crate) fn rule_pattern(&self, number: u32) -> &[u8] {
        let header = self.header();
        let meta = Meta(u64_at(&self.blob, header.metas_at() + number as usize * 8));
        let (start, length) = self.written_value(&header, meta);
        self.source(&header).get(start..start + length).unwrap_or_default()
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
}

impl<'p> Statements<'p> {
    /// The statement of this number, or nothing where the policy has no such rule.
    ///
    /// Cost: O(log lines), and the statement's own line.
    #[must_use]
    pub fn get(&self, id: StatementId) -> Option<Statement<'p>> {
        let (policy, header) = (self.policy, &self.header);
        let number = id.number as usize;
        if id.kind() != StatementKind::Rule || number >= header.rules as usize {
            return None;
        }
        let meta = Meta(u64_at(&policy.blob, header.metas_at() + number * 8));
        let (start, length) = policy.written_value(header, meta);
        let value = policy.source(header).get(start..start + length).unwrap_or_default();
        let is_uninterpretable = meta.has(Meta::UNINTERPRETABLE);
        let is_permission = meta.has(Meta::ALLOW);
        let written = self.written(number, start, length);
        let text = match policy.text() {
            Some(text) => Cow::Borrowed(written.span.of(text)),
            None => {
                let field = if is_permission || is_uninterpretable { Field::Allow } else { Field::Disallow };
                Cow::Owned([field.name().as_bytes(), b": ", value].concat())
            }
        };
        let is_general = self.block_of(id.number).is_some_and(|block| self.general.contains(&block));
        Some(Statement {
            id,
            modality: if is_permission { Modality::Permission } else { Modality::Prohibition },
            usage: Usage::Crawl,
            dialect: Dialect::Conventional,
            carrier: Carrier::RobotsTxt,
            document: "robots.txt",
            addressee: if is_general { Addressee::Any } else { Addressee::Named },
            purposes: Vec::new(),
            scope: Scope::Pattern(value),
            qualifiers: Vec::new(),
            terms: Vec::new(),
            span: written.span,
            line: written.place.line,
            column: written.place.column,
            text,
            uninterpretable: is_uninterpretable.then_some(Uninterpretable::Leniency),
            is_forgiven: false,
        })
    }

    /// Every statement, in the order of the policy.
    pub fn iter(&self) -> impl Iterator<Item = Statement<'p>> + '_ {
        (0..self.header.rules).filter_map(|number| self.get(StatementId::rule(number)))
    }

    /// The field that this fact is, its value, and where it stands.
    pub(crate) fn fact(&self, number: u32) -> Option<(Field, &'p [u8], Span, Position)> {
        let (policy, header) = (self.policy, &self.header);
        let from = header.facts_at() + number as usize * FactEntry::BYTES;
        let entry = FactEntry::read(policy.blob.get(from..from + FactEntry::BYTES)?);
        let start = entry.offset as usize;
        let value = policy.source(header).get(start..start + entry.length as usize)?;
        let written = self.written(header.rules as usize + number as usize, start, value.len());
        Some((Field::from_number(entry.field)?, value, written.span, written.place))
    }

    /// Whether a group is for any crawler.
    pub(crate) fn is_general(&self, group: u32) -> bool {
        self.general.contains(&group)
    }

    /// The line of the name by which the group of a statement binds this crawler, or of the group's
    /// first name; nothing where the policy stands alone.
    #[must_use]
    pub fn group_line(&self, id: StatementId, crawler: &Crawler) -> Option<u32> {
        let (policy, lines) = (self.policy, self.lines.as_ref()?);
        let block = self.block_of(id.number)?;
        let grammar = policy.reading().switches().names;
        let is_named = |agent: &Agent| {
            let written = policy.agent_name(&self.header, agent);
            let names = crawler.names().iter().chain(crawler.fallbacks());
            names.into_iter().any(|name| name.equals(written) || name.equals(token_of(written, grammar)))
        };
        let agents = || policy.agents(&self.header).filter(|agent| agent.block == block);
        let first = agents().filter(is_named).map(|agent| agent.offset).min();
        let first = first.or_else(|| agents().map(|agent| agent.offset).min())?;
        Some(lines.position(first).line)
    }

    /// The block that holds a rule: blocks lie in the order of their rules.
    fn block_of(&self, rule: u32) -> Option<u32> {
        let block = |number: u32| Block::read(&self.policy.blob, &self.header, number);
        let (mut low, mut high) = (0, self.header.blocks);
        while low < high {
            let middle = low + (high - low) / 2;
            if block(middle).start <= rule {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // The last block that begins at or before the rule: empty ones begin where the next one does.
        low.checked_sub(1)
    }

    /// The place of the rule, or after all rules the fact, of this number, whose value is so long and
    /// begins there.
    fn written(&self, number: usize, start: usize, length: usize) -> Written {
        match (self.policy.text(), &self.lines) {
            (Some(text), Some(lines)) => {
                // A reading may end the value before its line does: what is unread was not said.
                let Written { span, place } = written_in(text, lines, start);
                Written { span: Span::new(span.start as usize, start + length), place }
            }
            _ => self.places.get(number).copied().unwrap_or_default().written(length),
        }
    }
}

/// Where the field stands in whose line the byte `value` is.
pub(super) fn written_in(text: &[u8], lines: &LineStarts, value: usize) -> Written {
    let line = lines.position(value as u32).line;
    let line_start = lines.start(line).unwrap_or(0) as usize;
    let has_mark = line_start == 0 && text.starts_with(b"\xEF\xBB\xBF");
    let read = Line::read(text, if has_mark { 3 } else { line_start });
    let column = (read.name.0 - line_start) as u32 + 1;
    Written { span: Span::new(read.name.0, read.value.1), place: Position { line, column } }
}
