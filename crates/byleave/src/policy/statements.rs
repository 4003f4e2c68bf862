//! The statements, groups and facts in a compiled policy, each with its place.
//!
//! Explanations and reports use them. Decisions use only `each_fact`, for preferences and purposes.

use super::layout::{Agent, Block, FactEntry, Header, Meta, u64_at};
use super::serialize::SerializedPlace;
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

/// The statements in a policy, from [`Policy::statements`]. This type keeps a table of line starts or places, so
/// looking up many statements is fast.
///
/// ```
/// let policy = byleave::Policy::parse(b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n");
/// let lines: Vec<u32> = policy.statements().iter().map(|statement| statement.line).collect();
/// assert_eq!(lines, [2, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct Statements<'p> {
    policy: &'p Policy<'p>,
    header: Header,
    /// The line starts of the text. `None` for an owned policy, which stores the places.
    lines: Option<LineStarts>,
    places: Vec<SerializedPlace>,
    /// The blocks whose names include `*`.
    general: HashSet<u32>,
}

/// A field that is data, such as a sitemap, a delay or a host.
///
/// ```
/// let policy = byleave::Policy::parse(b"User-agent: SlowBot\nCrawl-delay: 10\nDisallow: /cart\n");
/// let facts = policy.facts();
/// assert_eq!((facts[0].value, facts[0].line), (&b"10"[..], 2));
/// assert_eq!(*facts[0].crawlers, [b"SlowBot"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fact<'p> {
    /// The kind of field.
    pub field: Field,
    /// The field's value as written.
    pub value: &'p [u8],
    /// The names in the field's group. Empty if the field applies to the whole site.
    pub crawlers: Arc<[&'p [u8]]>,
    /// The index of the field's group in [`Policy::groups`], if it has one.
    pub group: Option<usize>,
    /// Whether it is uncertain which crawlers the field addresses (S-40). This is so if the field is in an ACAP group
    /// or, in a strict reading, if a name in its group needs leniency.
    pub is_doubtful: bool,
    /// The field's line, from 1.
    pub line: u32,
}

/// A conventional group: the names of crawlers, and the rules that follow them (RFC 9309 2.1). See [`Policy::groups`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrawlerGroup<'p> {
    /// The group's names as written, including `*`, in file order.
    pub names: Vec<&'p [u8]>,
    /// Where each name is written. Empty if the policy is owned.
    pub spans: Vec<Span>,
    /// The group's rules, in the order of the policy. Rules without a value are left out.
    pub rules: Vec<StatementId>,
    /// Whether the group is only for preferences (S-40). If so, the rules are in another group with the same names,
    /// although the file contains each name only once.
    pub is_for_preferences: bool,
}

/// Where a field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// From the field's name to the end of its value.
    pub(super) span: Span,
    pub(super) place: Position,
}

impl<'t> Policy<'t> {
    /// Returns the policy's statements, with their places.
    ///
    /// Cost: one pass over the text and the names.
    #[must_use]
    pub fn statements(&self) -> Statements<'_> {
        let header = self.header();
        let general = self.agents(&header).filter(|agent| agent.hash == ANY_HASH).map(|agent| agent.block).collect();
        let places = if self.text.is_some() { Vec::new() } else { self.serialized_places(&header) };
        Statements { policy: self, header, lines: self.text().map(LineStarts::of), places, general }
    }

    /// Returns every fact, in file order.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact<'_>> {
        self.facts_where(|_| true)
    }

    /// Returns the facts in the groups that bind a crawler, and the facts for the whole site.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let robots_txt = b"User-agent: *\nCrawl-delay: 5\nDisallow:\n\nSitemap: https://site.example/sitemap.xml\n";
    /// let policy = Policy::parse(robots_txt);
    /// let crawler = Crawler::named("ExampleBot");
    /// assert_eq!(policy.facts_for(&policy.bind(&crawler)).len(), 2);
    /// ```
    #[must_use]
    pub fn facts_for<'p>(&'p self, bound: &Bound<'p>) -> Vec<Fact<'p>> {
        let mut blocks = HashSet::new();
        bound.each_block(|block| {
            blocks.insert(block);
        });
        self.facts_where(|block| block == FactEntry::OF_SITE || blocks.contains(&block))
    }

    /// Returns the conventional groups, in file order. If several groups name the same crawler, all of them bind it
    /// together.
    ///
    /// ```
    /// let text = b"User-agent: A\nUser-agent: B\nDisallow: /a\n\nUser-agent: *\nDisallow:\n";
    /// let policy = byleave::Policy::parse(text);
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
        // If preferences separate the names of a group, a name is in two blocks here, although the text contains it
        // once.
        let mut last: HashMap<u32, u32> = HashMap::new();
        for (number, agents) in (0..).zip(&agents) {
            last.extend(agents.iter().map(|agent| (agent.offset, number)));
        }
        let is_separated = |number: u32, agents: &[Agent]| {
            agents.first().is_some_and(|agent| last.get(&agent.offset).is_some_and(|last| *last > number))
        };
        let start = |number: u32| Block::read(&self.blob, &header, number).start;
        let end = |number: u32| if number + 1 < header.blocks { start(number + 1) } else { header.rules };
        let group = |(number, mut agents): (u32, Vec<Agent>)| {
            agents.sort_by_key(|agent| (agent.offset, std::cmp::Reverse(agent.length)));
            agents.dedup_by_key(|agent| agent.offset);
            let span = |agent: &Agent| Span::new(agent.offset as usize, agent.offset as usize + agent.length as usize);
            CrawlerGroup {
                is_for_preferences: is_separated(number, &agents),
                names: agents.iter().map(|agent| self.agent_name(&header, agent)).collect(),
                spans: if self.text.is_some() { agents.iter().map(span).collect() } else { Vec::new() },
                rules: (start(number)..end(number)).map(StatementId::rule).collect(),
            }
        };
        (0..).zip(agents).map(group).collect()
    }

    /// Returns every name that a group addresses, including `*`, as written and in file order. Names in ACAP groups
    /// come last.
    ///
    /// ```
    /// let robots_txt = b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n";
    /// let policy = byleave::Policy::parse(robots_txt);
    /// assert_eq!(policy.crawlers_named(), [&b"GPTBot"[..], b"CCBot", b"*"]);
    /// ```
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

    /// Calls `visit` with each fact's number, field, group (if any), whether it is uncertain which crawlers the fact
    /// addresses, and value.
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

    /// Returns the names of these agents as written, in file order and without duplicates. A line whose name is more
    /// than a token has two agents, the whole name and the token. Only the whole name is returned.
    fn names_of(&self, header: &Header, mut agents: Vec<Agent>) -> Vec<&[u8]> {
        agents.sort_by_key(|agent| (agent.offset, std::cmp::Reverse(agent.length)));
        // If two agents begin at the same offset, the longer one is the whole name.
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

    /// Returns a rule's pattern as written.
    pub(crate) fn rule_pattern(&self, number: u32) -> &[u8] {
        let header = self.header();
        let meta = Meta(u64_at(&self.blob, header.metas_at() + number as usize * 8));
        let (start, length) = self.written_value(&header, meta);
        self.source(&header).get(start..start + length).unwrap_or_default()
    }

    /// Returns the offset and length of a rule's pattern as written, in the text or the arena.
    pub(super) fn written_value(&self, header: &Header, meta: Meta) -> (usize, usize) {
        let start = meta.offset() as usize;
        if meta.has(Meta::REWRITTEN) {
            let before = self.arena(header).get(start.saturating_sub(8)..).unwrap_or_default();
            let place = u64_at(before, 0);
            (place as u32 as usize, (place >> 32) as usize)
        } else {
            (start, meta.octets() as usize)
        }
    }
}

impl<'p> Statements<'p> {
    /// Returns a statement, or `None` if the policy does not contain it.
    ///
    /// Cost: O(log lines), plus the length of the statement's line.
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

    /// Returns an iterator over all statements, in the order of the policy.
    pub fn iter(&self) -> impl Iterator<Item = Statement<'p>> + '_ {
        (0..self.header.rules).filter_map(|number| self.get(StatementId::rule(number)))
    }

    /// Returns the field of a fact, its value, and where it is written.
    pub(crate) fn fact(&self, number: u32) -> Option<(Field, &'p [u8], Span, Position)> {
        let (policy, header) = (self.policy, &self.header);
        let from = header.facts_at() + number as usize * FactEntry::BYTES;
        let entry = FactEntry::read(policy.blob.get(from..from + FactEntry::BYTES)?);
        let start = entry.offset as usize;
        let value = policy.source(header).get(start..start + entry.length as usize)?;
        let written = self.written(header.rules as usize + number as usize, start, value.len());
        Some((Field::from_number(entry.field)?, value, written.span, written.place))
    }

    /// Whether a group's names include `*`.
    pub(crate) fn is_general(&self, group: u32) -> bool {
        self.general.contains(&group)
    }

    /// Returns the line of the name by which a statement's group binds this crawler. If no name in the group does,
    /// returns the line of the group's first name. Returns `None` if the policy is owned.
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

    /// Returns the block that contains a rule. Blocks are in the order of their rules.
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
        // Take the last block that begins at or before the rule. This skips empty blocks, which begin where the next
        // block does.
        low.checked_sub(1)
    }

    /// Returns the place of an entry whose value has `length` bytes from `start`. The numbers of entries count the
    /// rules first, then the facts.
    fn written(&self, number: usize, start: usize, length: usize) -> Written {
        match (self.policy.text(), &self.lines) {
            (Some(text), Some(lines)) => {
                // A reading may cut the value off before the end of the line. The span then ends with the value.
                let Written { span, place } = written_in(text, lines, start);
                Written { span: Span::new(span.start as usize, start + length), place }
            }
            _ => self.places.get(number).copied().unwrap_or_default().written(length),
        }
    }
}

/// Returns where a field is written, given the offset of a byte in its value.
pub(super) fn written_in(text: &[u8], lines: &LineStarts, value: usize) -> Written {
    let line = lines.position(value as u32).line;
    let line_start = lines.start(line).unwrap_or(0) as usize;
    let has_mark = line_start == 0 && text.starts_with(b"\xEF\xBB\xBF");
    let read = Line::read(text, if has_mark { 3 } else { line_start });
    let column = (read.name.0 - line_start) as u32 + 1;
    Written { span: Span::new(read.name.0, read.value.1), place: Position { line, column } }
}
