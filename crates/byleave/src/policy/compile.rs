//! Compiles the bytes of robots.txt directly into a policy, for all crawlers at once.
//!
//! A group consists of user-agent lines and the rules after them (RFC 9309 2.1). Other fields neither separate nor join
//! groups (2.2.4), except that preferences belong to the names above them (S-40). In readings that read ACAP, an ACAP
//! group ends a conventional group (S-12). Diagnostics come from a second pass over the tree, in `diagnose.rs`.

use super::layout::{Agent, Block, FactEntry, Header, Meta};
use super::{Policy, index};
use crate::base::limits::Limits;
use crate::base::shared_bytes::SharedBytes;
use crate::dialects::acap::Acap;
use crate::dialects::rfc9309::key;
use crate::dialects::rfc9309::pattern;
use crate::dialects::rfc9309::pattern::{Side, WILDCARD};
use crate::model::crawler::{ANY_HASH, hash_of_first, is_any, token_length, token_of};
use crate::model::reading::{NameGrammar, Reading, Switches};
use crate::robots_txt::{CommonField, Line, Separator};
use crate::robots_txt::{Field, Role};
use crate::robots_txt::{classify, is_space};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Compiles robots.txt files, and reuses its working memory from one file to the next.
///
/// ```
/// use byleave::{Compiler, Reading};
/// let mut compiler = Compiler::new(Reading::Default);
/// let policy = compiler.compile(b"User-agent: *\nDisallow: /private/\n");
/// assert!(!policy.may_crawl("AnyBot", "/private/page"));
/// ```
#[derive(Debug)]
pub struct Compiler {
    reading: Reading,
    limits: Limits,
    scratch: Scratch,
}

/// The tables that grow while a file is parsed. Each table becomes a section of the policy.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) blocks: Vec<u8>,
    agents: Vec<Agent>,
    pub(crate) keys: Vec<u8>,
    pub(crate) metas: Vec<u8>,
    floating_keys: Vec<u8>,
    floating_metas: Vec<u8>,
    /// The first octets of the open block's fixed rules, as a set of `key::start_bits`.
    starts: u64,
    facts: Vec<u8>,
    /// The names in the open group that are separated from later names by preferences.
    above: Vec<Agent>,
    pub(crate) index: Vec<u8>,
    pub(crate) directory: Vec<(u32, u32)>,
    pub(crate) arena: Vec<u8>,
    pub(crate) indexing: index::Workspace,
}

impl Compiler {
    /// Returns a compiler for one reading, with the default limits.
    #[must_use]
    pub fn new(reading: Reading) -> Self {
        Self::with_limits(reading, Limits::default())
    }

    /// Returns a compiler for one reading, with other limits.
    ///
    /// ```
    /// use byleave::{Compiler, Limits, Reading};
    /// let mut limits = Limits::default();
    /// limits.robots_txt = 24;
    /// let mut compiler = Compiler::with_limits(Reading::Default, limits);
    /// let policy = compiler.compile(b"User-agent: *\nDisallow:\nDisallow: /private/\n");
    /// assert!(policy.is_truncated() && policy.may_crawl("AnyBot", "/private/"));
    /// ```
    #[must_use]
    pub fn with_limits(reading: Reading, limits: Limits) -> Self {
        Self { reading, limits, scratch: Scratch::default() }
    }

    /// Compiles a robots.txt file. Any bytes result in a policy.
    ///
    /// Cost: linear in the length of the file. A group with hundreds of rules is also sorted.
    pub fn compile<'t>(&mut self, text: impl Into<SharedBytes<'t>>) -> Policy<'t> {
        let text = text.into();
        let (blob, acap) = self.compile_text(&text);
        Policy { blob: Cow::Owned(blob), text: Some(text), acap, preferences: OnceLock::new() }
    }

    fn compile_text(&mut self, text: &[u8]) -> (Vec<u8>, Option<Box<Acap>>) {
        let read = self.limits.cut(text);
        let read_text = text.get(..read).unwrap_or(text);
        self.scratch.clear();
        let switches = self.reading.switches();
        let mut groups = Groups {
            text: read_text,
            switches,
            scratch: &mut self.scratch,
            open: Open::Nothing,
            inspects_rules: switches.leniency_prohibits || switches.line_limit.is_some(),
            deviates: false,
            has_preferences: false,
            first_fact: 0,
            preference_block: None,
            flags: 0,
        };
        let mut at = body_start(read_text, switches);
        while at < read_text.len() {
            let line = Line::read(read_text, at);
            at = line.next;
            groups.line(line);
        }
        groups.close_block();
        let mut flags = groups.flags;
        if read < text.len() {
            flags |= Header::TRUNCATED;
        }
        let acap = if flags & Header::HAS_ACAP == 0 {
            None
        } else {
            crate::dialects::acap::parse(read_text, body_start(read_text, switches), switches, None, None).map(Box::new)
        };
        (self.scratch.assemble(self.reading, flags), acap)
    }
}

/// Returns the offset of the first line. A byte order mark is skipped. Google's parser also skips an incomplete mark.
pub(crate) fn body_start(text: &[u8], switches: &Switches) -> usize {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    let same = text.iter().zip(MARK).take_while(|(byte, mark)| byte == mark).count();
    if same == MARK.len() || switches.skips_partial_bom { same } else { 0 }
}

/// The kind of group that the next line is in, with the number of the group's block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// No group yet.
    Nothing,
    /// An ACAP group.
    Acap,
    /// A group that still takes names.
    Names(u32),
    /// Like `Names`, but preferences lie between these names and earlier names of the group. The rules that follow
    /// belong to the earlier names too (S-40).
    Separated(u32),
    /// A group that has rules. The next name opens a new group.
    Rules(u32),
}

/// The state of reading a file's lines: the open group and the tables filled so far.
struct Groups<'t, 's> {
    text: &'t [u8],
    switches: &'static Switches,
    scratch: &'s mut Scratch,
    open: Open,
    /// Whether every rule needs inspection, because the reading limits the line length or turns permissions that need
    /// leniency into prohibitions.
    inspects_rules: bool,
    /// Whether a crawler name in the open group was accepted only through leniency.
    deviates: bool,
    /// Whether preferences follow the names of the open group.
    has_preferences: bool,
    /// Where the facts of the open group begin, in bytes.
    first_fact: usize,
    /// The block for preferences that follow the open group's rules, if it differs from the block of the rules.
    preference_block: Option<u32>,
    flags: u8,
}

impl Groups<'_, '_> {
    #[inline(always)]
    fn line(&mut self, line: Line) {
        match line.common {
            Some(CommonField::Disallow) => self.rule(line, 0, false),
            Some(CommonField::Allow) => self.rule(line, Meta::ALLOW, false),
            Some(CommonField::UserAgent) => self.names(line, false),
            // A blank line, a comment, or text that is not a field. One ACAP field has no colon, so it is checked here.
            None if line.separator == Separator::Missing => {
                if self.text.get(line.name.0).is_some_and(|byte| matches!(byte, b'A' | b'a')) {
                    self.colonless(line);
                }
            }
            None => self.other_line(line),
        }
    }

    #[cold]
    #[inline(never)]
    fn colonless(&mut self, line: Line) {
        let name = self.text.get(line.name.0..line.name.1).unwrap_or_default();
        if self.switches.reads_acap && crate::dialects::acap::is_colonless(name) {
            self.flags |= Header::HAS_ACAP;
        }
    }

    #[inline(never)]
    fn other_line(&mut self, line: Line) {
        let Some((field, is_lenient)) = classify(self.text, &line, self.switches) else { return };
        match field.role() {
            Role::Names => self.names(line, is_lenient),
            Role::Rule => self.rule(line, if field == Field::Allow { Meta::ALLOW } else { 0 }, is_lenient),
            Role::SiteFact => self.fact(line, field, FactEntry::OF_SITE),
            // S-50: a purpose takes the place of a name.
            Role::GroupFact if field == Field::UserAgentPurpose && self.switches.reads_preferences => {
                let block = self.open_names();
                self.flags |= Header::HAS_PURPOSES;
                self.fact(line, field, block);
            }
            Role::GroupFact => {
                let is_preference = self.switches.reads_preferences && field.is_preference();
                let block = match self.open {
                    Open::Nothing | Open::Acap => FactEntry::OF_SITE,
                    Open::Names(block) | Open::Separated(block) => block,
                    Open::Rules(block) => self.preference_block.filter(|_| is_preference).unwrap_or(block),
                };
                self.fact(line, field, block);
                self.has_preferences |= is_preference;
            }
            Role::AcapNames | Role::Acap if !self.switches.reads_acap => {}
            Role::AcapNames => {
                self.flags |= Header::HAS_ACAP;
                self.close_block();
                self.open = Open::Acap;
            }
            Role::Acap => self.flags |= Header::HAS_ACAP,
        }
    }

    /// Returns the block for the next name or purpose, and opens a block if necessary.
    fn open_names(&mut self) -> u32 {
        let (block, open) = match self.open {
            Open::Names(block) if !self.has_preferences => (block, Open::Names(block)),
            Open::Separated(block) if !self.has_preferences => (block, self.open),
            Open::Names(block) | Open::Separated(block) => {
                let block = self.separate(block);
                (block, Open::Separated(block))
            }
            Open::Nothing | Open::Acap | Open::Rules(_) => {
                self.close_block();
                self.deviates = false;
                self.first_fact = self.scratch.facts.len();
                let block = self.scratch.open_block();
                (block, Open::Names(block))
            }
        };
        self.open = open;
        self.has_preferences = false;
        block
    }

    /// Closes the block of names that preferences apply to. Returns a new block for the names or rules that follow.
    #[cold]
    fn separate(&mut self, block: u32) -> u32 {
        let Scratch { agents, above, .. } = &mut *self.scratch;
        let first = agents.iter().rposition(|agent| agent.block != block).map_or(0, |at| at + 1);
        above.extend_from_slice(agents.get(first..).unwrap_or_default());
        self.scratch.close_block(self.text);
        self.scratch.open_block()
    }

    /// Returns a block for rules that belong to all names above, even if preferences separate the names.
    #[cold]
    #[inline(never)]
    fn join(&mut self, block: u32) -> u32 {
        let rules = self.separate(block);
        self.preference_block = Some(block);
        let Scratch { agents, above, facts, .. } = &mut *self.scratch;
        agents.extend(above.drain(..).map(|agent| Agent { block: rules, ..agent }));
        // Like names, purposes are copied to the new block. Facts other than preferences are moved to it.
        let mut purposes = Vec::new();
        for bytes in facts.get_mut(self.first_fact..).unwrap_or_default().chunks_exact_mut(FactEntry::BYTES) {
            let entry = FactEntry::read(bytes);
            let field = Field::from_number(entry.field).filter(|_| entry.block != FactEntry::OF_SITE);
            let moved = FactEntry { block: rules, ..entry };
            match field {
                Some(Field::UserAgentPurpose) => purposes.extend(FactEntry { is_copy: true, ..moved }.bytes()),
                Some(field) if !field.is_preference() => bytes.copy_from_slice(&moved.bytes()),
                _ => {}
            }
        }
        facts.extend(purposes);
        rules
    }

    fn names(&mut self, line: Line, is_lenient: bool) {
        let block = self.open_names();
        let (start, end) = clamp(self.text, &line, self.switches);
        let written = self.text.get(start..end).unwrap_or_default();
        self.deviates |= is_lenient;
        if is_any(written) {
            self.scratch.agents.push(Agent { hash: ANY_HASH, length: 1, offset: start as u32, block });
            return;
        }
        let from = self.text.get(start..).unwrap_or_default();
        let mut push = |length: usize| {
            if length > 0 {
                let hash = hash_of_first(from, length);
                let length = u16::try_from(length).unwrap_or(u16::MAX);
                self.scratch.agents.push(Agent { hash, length, offset: start as u32, block });
            }
        };
        let token = token_length(from, written.len(), self.switches.names);
        if self.switches.names == NameGrammar::WholeOrToken {
            push(written.len());
        }
        if token != written.len() || self.switches.names == NameGrammar::ProductToken {
            push(token);
        }
        if self.switches.leniency_prohibits {
            self.deviates |= token_of(written, NameGrammar::ProductToken).len() != written.len();
        }
    }

    #[inline(always)]
    fn rule(&mut self, line: Line, flags: u8, is_lenient: bool) {
        let block = match self.open {
            Open::Names(block) | Open::Rules(block) => block,
            Open::Separated(block) => self.join(block),
            Open::Nothing | Open::Acap => return,
        };
        self.open = Open::Rules(block);
        let (start, end) = line.value;
        if start == end {
            return;
        }
        if line.is_special || self.inspects_rules {
            return self.special_rule(line, flags, is_lenient);
        }
        let pattern = self.text.get(start..).unwrap_or_default();
        if pattern.first() == Some(&b'/') {
            let meta = Meta::new(start as u32, (end - start) as u32, flags);
            self.scratch.push_fixed(key::of_literal(pattern, end - start, 1), meta);
        }
    }

    /// Adds a rule that needs more than copying: it has a wildcard, an escape or an octet to escape, or the reading
    /// inspects rules.
    #[inline(never)]
    fn special_rule(&mut self, line: Line, flags: u8, is_lenient: bool) {
        let mut flags = flags;
        let text = self.text;
        let (start, end) = clamp(text, &line, self.switches);
        let written = text.get(start..end).unwrap_or_default();
        if !matches!(written.first(), Some(b'/' | b'*')) {
            // The pattern matches nothing. That is also true if it begins with an escaped `/`.
            return;
        }
        if self.switches.leniency_prohibits
            && flags & Meta::ALLOW != 0
            && (is_lenient || self.deviates || written.first() == Some(&b'*'))
        {
            flags = flags & !Meta::ALLOW | Meta::UNINTERPRETABLE;
        }
        let body = match written.strip_suffix(b"$") {
            Some(body) => {
                flags |= Meta::ANCHORED;
                body
            }
            None => written,
        };
        let scan = pattern::scan(text, start, start + body.len(), self.switches.escapes);
        if scan.is_rewritten {
            let meta = self.rewritten(body, (start, written.len()), flags);
            self.scratch.push_rewritten(meta);
        } else {
            self.scratch.push_pattern(body, scan.literal, b'*', Meta::new(start as u32, body.len() as u32, flags));
        }
        if self.switches.index_page_is_directory && flags & Meta::ALLOW != 0 {
            // `Allow: /docs/index.html` also permits the URL `/docs/`, but nothing else below it.
            if let Some(directory) = index_page_directory(body) {
                let meta = self.rewritten(directory, (start, written.len()), flags | Meta::ANCHORED);
                self.scratch.push_rewritten(meta);
            }
        }
    }

    /// Writes the comparable form of a pattern into the arena, after the offset and length of the written form.
    fn rewritten(&mut self, body: &[u8], (start, length): (usize, usize), flags: u8) -> Meta {
        let arena = &mut self.scratch.arena;
        arena.extend_from_slice(&(start as u32).to_le_bytes());
        arena.extend_from_slice(&(length as u32).to_le_bytes());
        let offset = arena.len();
        pattern::rewrite(body, Side::Pattern, self.switches.escapes, &mut |byte| arena.push(byte));
        Meta::new(offset as u32, (arena.len() - offset) as u32, flags | Meta::REWRITTEN)
    }

    fn fact(&mut self, line: Line, field: Field, block: u32) {
        let length = (line.value.1 - line.value.0) as u32;
        let is_doubtful = self.open == Open::Acap || self.switches.leniency_prohibits && self.deviates;
        let entry =
            FactEntry { field: field as u8, block, offset: line.value.0 as u32, length, is_doubtful, is_copy: false };
        self.scratch.facts.extend_from_slice(&entry.bytes());
    }

    fn close_block(&mut self) {
        if matches!(self.open, Open::Names(_) | Open::Separated(_) | Open::Rules(_)) {
            self.scratch.close_block(self.text);
        }
        self.scratch.above.clear();
        self.preference_block = None;
        self.has_preferences = false;
        self.open = Open::Nothing;
    }
}

/// Returns the directory part of a pattern for an index page, for example `/docs/` for `/docs/index.html`. Returns
/// `None` for any other pattern.
fn index_page_directory(pattern: &[u8]) -> Option<&[u8]> {
    let slash = memchr::memrchr(b'/', pattern)?;
    let (directory, page) = pattern.split_at_checked(slash + 1)?;
    page.starts_with(b"index.htm").then_some(directory)
}

/// Returns the span of the value. If the reading limits the line length, the rest of the value is cut off.
#[inline(always)]
fn clamp(text: &[u8], line: &Line, switches: &Switches) -> (usize, usize) {
    match switches.line_limit {
        Some(limit) => as_a_c_string(text, line, limit),
        None => line.value,
    }
}

/// Returns the span of the value as Google's parser sees it. That parser treats a line as a C string: the value ends at
/// a NUL or at the length limit, and all kinds of whitespace around it are stripped.
fn as_a_c_string(text: &[u8], line: &Line, limit: usize) -> (usize, usize) {
    let (start, end) = (line.value.0.min(line.start + limit), line.value.1.min(line.start + limit));
    let value = text.get(start..end).unwrap_or_default();
    let value = value.split(|byte| *byte == 0).next().unwrap_or_default();
    let before = value.iter().take_while(|byte| is_space(byte)).count();
    let after = value.iter().rev().take_while(|byte| is_space(byte)).count();
    if before == value.len() { (start, start) } else { (start + before, start + value.len() - after) }
}

impl Scratch {
    fn clear(&mut self) {
        self.agents.clear();
        self.above.clear();
        self.directory.clear();
        for part in [
            &mut self.blocks,
            &mut self.keys,
            &mut self.metas,
            &mut self.floating_keys,
            &mut self.floating_metas,
            &mut self.facts,
            &mut self.index,
            &mut self.arena,
        ] {
            part.clear();
        }
    }

    #[inline(always)]
    fn push_fixed(&mut self, key: u64, meta: Meta) {
        self.starts |= key::start_bits(key);
        self.keys.extend_from_slice(&key.to_le_bytes());
        self.metas.extend_from_slice(&meta.0.to_le_bytes());
    }

    /// Adds a rule whose pattern is in the arena.
    fn push_rewritten(&mut self, meta: Meta) {
        let arena = std::mem::take(&mut self.arena);
        let pattern = arena.get(meta.offset() as usize..).unwrap_or_default();
        let literal = memchr::memchr(WILDCARD, pattern).unwrap_or(pattern.len());
        self.push_pattern(pattern, literal, WILDCARD, meta);
        self.arena = arena;
    }

    /// Adds a rule whose first wildcard, if any, follows `literal` octets. A rule that can match nothing is not added.
    #[inline(always)]
    fn push_pattern(&mut self, pattern: &[u8], literal: usize, wildcard: u8, meta: Meta) {
        if pattern.is_empty() || literal > 0 && pattern.first() != Some(&b'/') {
            return;
        }
        let has_star = literal < pattern.len();
        let meta = if has_star { Meta(meta.0 | u64::from(Meta::STAR) << 56) } else { meta };
        if has_star && literal <= 1 {
            let set = key::required(pattern.get(literal..).unwrap_or_default(), wildcard);
            self.floating_keys.extend_from_slice(&set.to_le_bytes());
            self.floating_metas.extend_from_slice(&meta.0.to_le_bytes());
        } else {
            let key = key::of_literal(pattern, literal, 1);
            self.push_fixed(key, meta);
        }
    }

    fn open_block(&mut self) -> u32 {
        let number = (self.blocks.len() / Block::BYTES) as u32;
        let block = Block { start: (self.keys.len() / 8) as u32, fixed: 0, floating: 0, is_indexed: false, starts: 0 };
        self.starts = 0;
        self.blocks.extend_from_slice(&block.bytes());
        number
    }

    /// Counts the open block's rules, moves the floating rules after the fixed ones, and builds an index if the block
    /// is large.
    fn close_block(&mut self, text: &[u8]) {
        let at = self.blocks.len() - Block::BYTES;
        let start = super::layout::u32_at(&self.blocks, at);
        let fixed = (self.keys.len() / 8) as u32 - start;
        let floating = (self.floating_keys.len() / 8) as u32;
        self.keys.append(&mut self.floating_keys);
        self.metas.append(&mut self.floating_metas);
        let block = index::build(self, text, Block { start, fixed, floating, is_indexed: false, starts: self.starts });
        self.blocks.truncate(at);
        self.blocks.extend_from_slice(&block.bytes());
    }

    /// Returns the comparable form of a rule's pattern.
    pub(crate) fn pattern<'a>(&'a self, text: &'a [u8], meta: Meta) -> &'a [u8] {
        let source = if meta.has(Meta::REWRITTEN) { &self.arena } else { text };
        let start = meta.offset() as usize;
        source.get(start..start + meta.length() as usize).unwrap_or_default()
    }

    fn assemble(&mut self, reading: Reading, flags: u8) -> Vec<u8> {
        if self.agents.len() > Agent::SORTED_ABOVE {
            self.agents.sort_unstable_by_key(|agent| (agent.hash, agent.offset));
        }
        let header = Header {
            reading: reading as u8,
            flags,
            indexes: self.directory.len() as u16,
            blocks: (self.blocks.len() / Block::BYTES) as u32,
            agents: self.agents.len() as u32,
            rules: (self.keys.len() / 8) as u32,
            facts: (self.facts.len() / FactEntry::BYTES) as u32,
            index_bytes: (self.directory.len() * 8 + self.index.len()) as u32,
            arena_bytes: self.arena.len() as u32,
            position_bytes: 0,
        };
        let mut blob = Vec::with_capacity(header.end());
        header.write(&mut blob);
        blob.extend_from_slice(&self.blocks);
        for agent in &self.agents {
            blob.extend_from_slice(&agent.bytes());
        }
        for section in [&self.keys, &self.metas, &self.facts] {
            blob.extend_from_slice(section);
        }
        for (block, offset) in &self.directory {
            blob.extend_from_slice(&(u64::from(*block) | u64::from(*offset) << 32).to_le_bytes());
        }
        for section in [&self.index, &self.arena] {
            blob.extend_from_slice(section);
        }
        blob
    }
}
