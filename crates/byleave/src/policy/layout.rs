//! The layout of a compiled policy: one buffer, which is read in place.
//!
//! ```text
//! header | blocks | agents | keys | metas | facts | indexes | arena | positions
//! ```
//!
//! A block contains the rules of one group. An agent is one crawler name in a group. A rule consists of a key, which
//! excludes most paths without examining the pattern, and a meta, which contains the pattern's location and flags. All
//! numbers are little-endian. All access is checked: damaged bytes may give wrong answers, but never a panic. Loading
//! rejects damaged bytes by their checksum.

/// Reads a number at an offset. Returns zero if the offset is out of range.
#[inline(always)]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk::<4>).map_or(0, |chunk| u32::from_le_bytes(*chunk))
}

/// Reads a number at an offset. Returns zero if the offset is out of range.
#[inline(always)]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk::<8>).map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

/// The reading, the flags, and the counts from which the start of each section is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) reading: u8,
    pub(crate) flags: u8,
    /// How many blocks have an index. The index section begins with one eight-byte entry (block, offset) for each of
    /// these blocks.
    pub(crate) indexes: u16,
    pub(crate) blocks: u32,
    pub(crate) agents: u32,
    pub(crate) rules: u32,
    pub(crate) facts: u32,
    pub(crate) index_bytes: u32,
    pub(crate) arena_bytes: u32,
    pub(crate) position_bytes: u32,
}

impl Header {
    pub(crate) const BYTES: usize = 32;
    /// The text was longer than the limit.
    pub(crate) const TRUNCATED: u8 = 1;
    /// The policy is owned: it contains its patterns and places, and does not need the text.
    pub(crate) const DETACHED: u8 = 2;
    /// At least one line is an ACAP field.
    pub(crate) const HAS_ACAP: u8 = 4;
    /// At least one group is for a purpose.
    pub(crate) const HAS_PURPOSES: u8 = 8;

    #[inline(always)]
    pub(crate) fn read(blob: &[u8]) -> Self {
        let word = |n: usize| u32_at(blob, n * 4);
        let first = word(0);
        Self {
            reading: first as u8,
            flags: (first >> 8) as u8,
            indexes: (first >> 16) as u16,
            blocks: word(1),
            agents: word(2),
            rules: word(3),
            facts: word(4),
            index_bytes: word(5),
            arena_bytes: word(6),
            position_bytes: word(7),
        }
    }

    pub(crate) fn write(&self, blob: &mut Vec<u8>) {
        let first = u32::from(self.reading) | u32::from(self.flags) << 8 | u32::from(self.indexes) << 16;
        let words = [
            first,
            self.blocks,
            self.agents,
            self.rules,
            self.facts,
            self.index_bytes,
            self.arena_bytes,
            self.position_bytes,
        ];
        for word in words {
            blob.extend_from_slice(&word.to_le_bytes());
        }
    }

    #[inline(always)]
    pub(crate) fn agents_at(&self) -> usize {
        Self::BYTES + self.blocks as usize * Block::BYTES
    }

    #[inline(always)]
    pub(crate) fn keys_at(&self) -> usize {
        self.agents_at() + self.agents as usize * Agent::BYTES
    }

    #[inline(always)]
    pub(crate) fn metas_at(&self) -> usize {
        self.keys_at() + self.rules as usize * 8
    }

    pub(crate) fn facts_at(&self) -> usize {
        self.metas_at() + self.rules as usize * 8
    }

    #[inline(always)]
    pub(crate) fn index_at(&self) -> usize {
        self.facts_at() + self.facts as usize * FactEntry::BYTES
    }

    #[inline(always)]
    pub(crate) fn arena_at(&self) -> usize {
        self.index_at() + self.index_bytes as usize
    }

    pub(crate) fn positions_at(&self) -> usize {
        self.arena_at() + self.arena_bytes as usize
    }

    pub(crate) fn end(&self) -> usize {
        self.positions_at() + self.position_bytes as usize
    }
}

/// The rules of one group: first the fixed rules, then the floating rules. The next block begins after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) start: u32,
    /// The number of fixed rules, whose key holds the first octets of the pattern.
    pub(crate) fixed: u32,
    /// The number of floating rules, whose key holds octets that the path must contain.
    pub(crate) floating: u32,
    pub(crate) is_indexed: bool,
    /// The first octets of the fixed rules, as a set of `key::start_bits`.
    pub(crate) starts: u64,
}

impl Block {
    pub(crate) const BYTES: usize = 16;
    const INDEXED: u32 = 1 << 31;

    #[inline(always)]
    pub(crate) fn read(blob: &[u8], header: &Header, number: u32) -> Self {
        let at = Header::BYTES + number as usize * Self::BYTES;
        let (start, fixed) = (u32_at(blob, at), u32_at(blob, at + 4));
        let end = if number < header.blocks.saturating_sub(1) { u32_at(blob, at + Self::BYTES) } else { header.rules };
        let is_indexed = fixed & Self::INDEXED != 0;
        let fixed = fixed & !Self::INDEXED;
        let floating = end.saturating_sub(start).saturating_sub(fixed);
        Self { start, fixed, floating, is_indexed, starts: u64_at(blob, at + 8) }
    }

    pub(crate) fn bytes(&self) -> [u8; Self::BYTES] {
        let fixed = self.fixed | if self.is_indexed { Self::INDEXED } else { 0 };
        let words = u128::from(self.start) | u128::from(fixed) << 32 | u128::from(self.starts) << 64;
        words.to_le_bytes()
    }
}

/// A crawler name in a group: its location, its length (at most 65,535 bytes), its hash and its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Agent {
    pub(crate) hash: u16,
    pub(crate) length: u16,
    pub(crate) offset: u32,
    pub(crate) block: u32,
}

impl Agent {
    pub(crate) const BYTES: usize = 12;
    /// If a policy has more agents than this, they are sorted by hash.
    pub(crate) const SORTED_ABOVE: usize = 512;

    #[inline(always)]
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let word = u32_at(bytes, 0);
        Self { hash: (word >> 16) as u16, length: word as u16, offset: u32_at(bytes, 4), block: u32_at(bytes, 8) }
    }

    pub(crate) fn bytes(&self) -> [u8; Self::BYTES] {
        words([u32::from(self.hash) << 16 | u32::from(self.length), self.offset, self.block])
    }
}

/// A fact: a field that is data, such as `Sitemap`, with its block and the location of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FactEntry {
    pub(crate) field: u8,
    /// The block that the fact belongs to, or [`FactEntry::OF_SITE`].
    pub(crate) block: u32,
    pub(crate) offset: u32,
    pub(crate) length: u32,
    /// Whether it is uncertain which crawlers the fact addresses. If so, the fact permits nothing (S-40).
    pub(crate) is_doubtful: bool,
    /// Whether the fact is a copy of a fact in another block (S-50).
    pub(crate) is_copy: bool,
}

impl FactEntry {
    pub(crate) const BYTES: usize = 12;
    pub(crate) const OF_SITE: u32 = 0xFF_FFFF;
    /// The flags `DOUBTFUL` and `COPY` are stored in the two highest bits of the length. No length is large enough to
    /// use these bits.
    const DOUBTFUL: u32 = 1 << 31;
    const COPY: u32 = 1 << 30;

    pub(crate) fn read(bytes: &[u8]) -> Self {
        let word = u32_at(bytes, 0);
        Self {
            field: (word >> 24) as u8,
            block: word & Self::OF_SITE,
            offset: u32_at(bytes, 4),
            length: u32_at(bytes, 8) & !(Self::DOUBTFUL | Self::COPY),
            is_doubtful: u32_at(bytes, 8) & Self::DOUBTFUL != 0,
            is_copy: u32_at(bytes, 8) & Self::COPY != 0,
        }
    }

    pub(crate) fn bytes(&self) -> [u8; Self::BYTES] {
        let doubt = if self.is_doubtful { Self::DOUBTFUL } else { 0 };
        let copy = if self.is_copy { Self::COPY } else { 0 };
        words([
            u32::from(self.field) << 24 | self.block & Self::OF_SITE,
            self.offset,
            self.length & !(Self::DOUBTFUL | Self::COPY) | doubt | copy,
        ])
    }
}

/// The location, length and flags of a rule's pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meta(pub(crate) u64);

impl Meta {
    /// The rule is a permission.
    pub(crate) const ALLOW: u8 = 1;
    /// The pattern has a wildcard.
    pub(crate) const STAR: u8 = 2;
    /// The pattern ends in `$`, which is not counted in the length.
    pub(crate) const ANCHORED: u8 = 4;
    /// The pattern is in the arena, in comparable form, after the offset and length of the written form.
    pub(crate) const REWRITTEN: u8 = 8;
    /// The rule is a permission that needs leniency, so it counts as a prohibition (S-09).
    pub(crate) const UNINTERPRETABLE: u8 = 16;

    pub(crate) fn new(offset: u32, length: u32, flags: u8) -> Self {
        Self(u64::from(offset) | u64::from(length & 0xFF_FFFF) << 32 | u64::from(flags) << 56)
    }

    #[inline(always)]
    pub(crate) fn offset(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub(crate) fn length(self) -> u32 {
        (self.0 >> 32) as u32 & 0xFF_FFFF
    }

    #[inline(always)]
    pub(crate) fn flags(self) -> u8 {
        (self.0 >> 56) as u8
    }

    #[inline(always)]
    pub(crate) fn has(self, flag: u8) -> bool {
        self.flags() & flag != 0
    }

    /// Returns the pattern's length in octets as RFC 9309 2.2.2 counts it, including `$`.
    #[inline(always)]
    pub(crate) fn octets(self) -> u32 {
        self.length() + u32::from(self.has(Self::ANCHORED))
    }

    /// Returns the rule's rank. The longer pattern wins. If patterns are equally long, the permission wins (RFC 9309
    /// 2.2.2).
    #[inline(always)]
    pub(crate) fn priority(self) -> u32 {
        self.octets() << 1 | u32::from(self.has(Self::ALLOW))
    }
}

fn words(words: [u32; 3]) -> [u8; 12] {
    let mut bytes = [0; 12];
    for (to, word) in bytes.chunks_exact_mut(4).zip(words) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}
