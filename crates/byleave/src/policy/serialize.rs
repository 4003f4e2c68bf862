//! Owned policies. Instead of the text, an owned policy contains the patterns, names, values and places that it needs.
//! Policies are serialized in this form.
//!
//! Places are stored as variable-length numbers, first for each rule and then for each fact. The first two numbers of
//! an entry are the line and the offset, as differences from the previous entry. The third is the distance from the
//! field's name to its value, with a flag in the lowest bit. If the flag is set, the column follows. The layout and the
//! accessors are in `layout.rs`.

use super::Policy;
use super::layout::{Agent, Block, FactEntry, Header, Meta, u64_at};
use super::statements::{Written, written_in};
use crate::base::source::{LineStarts, Position, Span};
use crate::base::varint::{push_number, take_number};
use crate::dialects::acap::Acap;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

/// Why bytes cannot be loaded as a policy.
///
/// ```
/// use byleave::policy::{DecodePolicyError, Policy};
/// assert_eq!(Policy::from_bytes(b"User-agent: *\n").unwrap_err(), DecodePolicyError::Format);
/// let bytes = Policy::parse(b"User-agent: *\nDisallow: /private/\n").to_bytes();
/// assert_eq!(Policy::from_bytes(&bytes[..bytes.len() - 1]).unwrap_err(), DecodePolicyError::Damaged);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodePolicyError {
    /// The bytes are not a serialized policy, or they have a different version.
    Format,
    /// The bytes are truncated, damaged or inconsistent.
    Damaged,
}

impl fmt::Display for DecodePolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => "not a serialized policy of this version; parse the robots.txt again",
            Self::Damaged => "the serialized policy is damaged; parse the robots.txt again",
        })
    }
}

impl std::error::Error for DecodePolicyError {}

/// The start of every serialized policy: four letters and the version of the layout.
const MAGIC: &[u8; 8] = b"BYLV\0\0\0\x02";

impl<'t> Policy<'t> {
    /// Returns the policy as bytes. [`Policy::from_bytes`] loads them without parsing the text again.
    ///
    /// ```
    /// use byleave::Policy;
    /// let bytes = Policy::parse(b"User-agent: *\nDisallow: /private/\n").to_bytes();
    /// let policy = Policy::from_bytes(&bytes)?;
    /// assert!(!policy.may_crawl("AnyBot", "/private/"));
    /// # Ok::<(), byleave::policy::DecodePolicyError>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let detached = if self.text.is_some() { Cow::Owned(self.detached()) } else { Cow::Borrowed(self) };
        let acap = detached.acap.as_ref().map_or_else(Vec::new, |acap| acap.to_bytes());
        let body = [detached.blob.as_ref(), &acap].concat();
        let mut bytes = Vec::with_capacity(16 + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&checksum(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Loads a policy that [`Policy::to_bytes`] serialized. The policy borrows the bytes.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a complete policy of this version.
    pub fn from_bytes(bytes: &'t [u8]) -> Result<Self, DecodePolicyError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(DecodePolicyError::Format)?;
        let (sum, body) = rest.split_at_checked(8).ok_or(DecodePolicyError::Damaged)?;
        if u64_at(sum, 0) != checksum(body) {
            return Err(DecodePolicyError::Damaged);
        }
        let (blob, acap) = body.split_at_checked(Header::read(body).end()).ok_or(DecodePolicyError::Damaged)?;
        let acap = match acap {
            [] => None,
            _ => Some(Box::new(Acap::from_bytes(acap).ok_or(DecodePolicyError::Damaged)?)),
        };
        let policy = Policy { blob: Cow::Borrowed(blob), text: None, acap, preferences: OnceLock::new() };
        if policy.is_sound() { Ok(policy) } else { Err(DecodePolicyError::Damaged) }
    }

    /// Returns an owned policy, which neither borrows nor contains the text.
    ///
    /// ```
    /// use byleave::Policy;
    /// fn load(robots_txt: &[u8]) -> Policy<'static> {
    ///     Policy::parse(robots_txt).into_owned()
    /// }
    /// let policy = load(b"User-agent: *\nDisallow: /private/\n");
    /// assert!(!policy.may_crawl("AnyBot", "/private/") && policy.text().is_none());
    /// ```
    ///
    /// Cost: linear in the policy.
    #[must_use]
    pub fn into_owned(self) -> Policy<'static> {
        self.detached()
    }

    fn detached(&self) -> Policy<'static> {
        let Some(text) = self.text.as_deref() else {
            let (blob, acap) = (Cow::Owned(self.blob.to_vec()), self.acap.clone());
            return Policy { blob, text: None, acap, preferences: OnceLock::new() };
        };
        let mut header = self.header();
        let (from_agents, from_metas, from_facts) = (header.agents_at(), header.metas_at(), header.facts_at());
        let mut blob = self.blob.get(..header.arena_at()).unwrap_or_default().to_vec();
        let mut arena = Arena { text, bytes: Vec::new(), known: HashMap::new() };
        let mut places = Places::new(text);
        // Names are copied first and in text order, so that their new offsets are in file order too.
        let agent_at = |at: &usize| Agent::read(self.blob.get(*at..).unwrap_or_default());
        let mut agents: Vec<usize> = (from_agents..header.keys_at()).step_by(Agent::BYTES).collect();
        agents.sort_by_key(|at| (agent_at(at).offset, std::cmp::Reverse(agent_at(at).length)));
        let (mut last, mut start) = (None, 0);
        for at in agents {
            let agent = agent_at(&at);
            // A whole name and its token begin at the same offset, and the longer one comes first, so they share bytes.
            // Other names do not, because their offsets must stay in file order.
            if last != Some(agent.offset) {
                start = arena.append(agent.offset as usize, usize::from(agent.length));
            }
            last = Some(agent.offset);
            put(&mut blob, at, &Agent { offset: start, ..agent }.bytes());
        }
        for at in (from_metas..from_facts).step_by(8) {
            let meta = Meta(u64_at(&self.blob, at));
            let (start, length) = self.written_value(&header, meta);
            places.push(start);
            let offset = if meta.has(Meta::REWRITTEN) {
                let written = arena.copy(start, length);
                arena.bytes.extend_from_slice(&written.to_le_bytes());
                arena.bytes.extend_from_slice(&(length as u32).to_le_bytes());
                let offset = arena.bytes.len() as u32;
                let from = meta.offset() as usize;
                arena.bytes.extend_from_slice(
                    self.arena(&header).get(from..from + meta.length() as usize).unwrap_or_default(),
                );
                offset
            } else {
                arena.copy(start, length)
            };
            put(&mut blob, at, &Meta::new(offset, meta.length(), meta.flags()).0.to_le_bytes());
        }
        for at in (from_facts..header.index_at()).step_by(FactEntry::BYTES) {
            let fact = FactEntry::read(self.blob.get(at..).unwrap_or_default());
            places.push(fact.offset as usize);
            let offset = arena.copy(fact.offset as usize, fact.length as usize);
            put(&mut blob, at, &FactEntry { offset, ..fact }.bytes());
        }
        header.flags |= Header::DETACHED;
        header.arena_bytes = arena.bytes.len() as u32;
        header.position_bytes = places.bytes.len() as u32;
        let mut head = Vec::with_capacity(Header::BYTES);
        header.write(&mut head);
        put(&mut blob, 0, &head);
        blob.reserve_exact(arena.bytes.len() + places.bytes.len());
        blob.extend_from_slice(&arena.bytes);
        blob.extend_from_slice(&places.bytes);
        let acap = self.acap.as_ref().map(|acap| Box::new(acap.detached(text)));
        Policy { blob: Cow::Owned(blob), text: None, acap, preferences: OnceLock::new() }
    }

    /// Returns the places in an owned policy, first those of the rules and then those of the facts.
    pub(super) fn serialized_places(&self, header: &Header) -> Vec<SerializedPlace> {
        let mut bytes = self.blob.get(header.positions_at()..header.end()).unwrap_or_default();
        let mut places = Vec::new();
        let mut place = SerializedPlace::default();
        while let Some(next) = place.next(&mut bytes) {
            place = next;
            places.push(place);
        }
        places
    }

    /// Whether the sections fill the bytes exactly and every block refers only to existing rules.
    fn is_sound(&self) -> bool {
        let header = self.header();
        let bytes = |count: u32, each: usize| u64::from(count) * each as u64;
        let sections = [
            bytes(header.blocks, Block::BYTES),
            bytes(header.agents, Agent::BYTES),
            bytes(header.rules, 16),
            bytes(header.facts, FactEntry::BYTES),
        ];
        let tail = [header.index_bytes, header.arena_bytes, header.position_bytes].map(u64::from);
        let length = sections.iter().chain(&tail).sum::<u64>() + Header::BYTES as u64;
        let is_owned = header.flags & Header::DETACHED != 0;
        is_owned
            && length == self.blob.len() as u64
            && (0..header.blocks).all(|number| {
                let block = Block::read(&self.blob, &header, number);
                let end = u64::from(block.start) + u64::from(block.fixed) + u64::from(block.floating);
                end <= u64::from(header.rules)
            })
    }
}

/// The bytes of the text that an owned policy copies.
struct Arena<'t> {
    text: &'t [u8],
    bytes: Vec<u8>,
    known: HashMap<&'t [u8], u32>,
}

impl<'t> Arena<'t> {
    /// Copies some bytes and returns their offset in the arena. Equal bytes are stored once, because sites repeat
    /// patterns.
    fn copy(&mut self, start: usize, length: usize) -> u32 {
        let run = self.run(start, length);
        if let Some(offset) = self.known.get(run) {
            return *offset;
        }
        let offset = self.append(start, length);
        self.known.insert(run, offset);
        offset
    }

    fn append(&mut self, start: usize, length: usize) -> u32 {
        let offset = self.bytes.len() as u32;
        let run = self.run(start, length);
        self.bytes.extend_from_slice(run);
        offset
    }

    fn run(&self, start: usize, length: usize) -> &'t [u8] {
        self.text.get(start..start + length).unwrap_or_default()
    }
}

/// The place of one entry: its line, the offset and column (from 0) of its name, and the distance from the name to the
/// value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SerializedPlace {
    line: i64,
    start: i64,
    column: u64,
    gap: u64,
}

impl SerializedPlace {
    /// Returns the place of a field whose value has `length` bytes.
    pub(super) fn written(self, length: usize) -> Written {
        let start = self.start.max(0) as usize;
        let end = start.saturating_add(self.gap as usize).saturating_add(length);
        let column = u32::try_from(self.column).unwrap_or(u32::MAX).saturating_add(1);
        Written { span: Span::new(start, end), place: Position { line: self.line.max(0) as u32, column } }
    }

    fn next(self, bytes: &mut &[u8]) -> Option<Self> {
        let line = self.line.wrapping_add(signed(take_number(bytes)?));
        let start = self.start.wrapping_add(signed(take_number(bytes)?));
        let gap = take_number(bytes)?;
        // The column is stored only if the name does not begin its line, which is rare.
        let column = if gap & 1 == 1 { take_number(bytes)? } else { 0 };
        Some(Self { line, start, column, gap: gap >> 1 })
    }
}

/// Writes the places of entries, each as differences from the previous entry.
struct Places<'t> {
    text: &'t [u8],
    lines: LineStarts,
    bytes: Vec<u8>,
    last: SerializedPlace,
}

impl<'t> Places<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { text, lines: LineStarts::of(text), bytes: Vec::new(), last: SerializedPlace::default() }
    }

    /// Adds the place of the field whose value begins at `value`.
    fn push(&mut self, value: usize) {
        let written = written_in(self.text, &self.lines, value);
        let (line, start) = (i64::from(written.place.line), i64::from(written.span.start));
        let column = u64::from(written.place.column - 1);
        push_number(&mut self.bytes, unsigned(line - self.last.line));
        push_number(&mut self.bytes, unsigned(start - self.last.start));
        let gap = value.saturating_sub(written.span.start as usize) as u64;
        push_number(&mut self.bytes, gap << 1 | u64::from(column > 0));
        if column > 0 {
            push_number(&mut self.bytes, column);
        }
        self.last = SerializedPlace { line, start, column, gap };
    }
}

fn put(blob: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = blob.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

fn unsigned(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

fn signed(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Returns a checksum that detects accidental damage. It does not protect against forged bytes, but these cannot cause
/// a panic, because every access to a policy is checked.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        sum = (sum ^ u64_at(chunk, 0)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31);
    }
    chunks
        .remainder()
        .iter()
        .fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31))
}
