//! The index of a large block. It is built when the policy is compiled, so that decisions do not spend time on it.
//!
//! Literal patterns are sorted, and each links to the longest other pattern that is its prefix: `/news/2024/` links to
//! `/news/`. All patterns that are a prefix of a path are therefore on one chain, and one search finds the longest. A
//! pattern with wildcards is indexed by a gram: the rarest two to four adjacent octets that every matching path must
//! contain. A rule without a gram is called loose.
//!
//! ```text
//! head | parents | jumps | bits of first pairs | bits of grams | bucket starts
//! ```

use super::Rules;
use super::compile::Scratch;
use super::layout::{Block, Header, Meta, u32_at, u64_at};
use crate::dialects::rfc9309::key;
use crate::dialects::rfc9309::pattern::WILDCARD;

/// If a block has more fixed rules than this, its literals are sorted.
const FIXED_ABOVE: u32 = 1280;
/// The limit that replaces `FIXED_ABOVE` for blocks with long rules. Long patterns often begin with the same octets.
/// Their keys are then equal and exclude fewer rules.
const LONG_FIXED_ABOVE: u32 = 256;
/// Rules count as long if each takes more than this many bytes of the text on average.
const LONG: u32 = 96;
/// If a block has more floating rules than this, they are indexed by grams.
const FLOATING_ABOVE: u32 = 320;
/// The link value for a rule without a parent.
const NONE: u32 = u32::MAX;

/// The head of an index, before its tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Head {
    /// How many initial octets all literal patterns share. Keys leave these octets out.
    pub(crate) skip: u32,
    /// How many fixed rules are sorted literals, or 0 if they are not sorted.
    pub(crate) literals: u32,
    /// How many floating rules are loose. The loose rules come before the other floating rules.
    pub(crate) loose: u32,
    /// Which gram lengths occur (bits 2, 3, 4), or 0 if the floating rules are not indexed.
    lengths: u32,
    /// The base-2 logarithm of the number of presence bits.
    presence_log: u32,
    /// The base-2 logarithm of the number of buckets.
    bucket_log: u32,
}

impl Head {
    const BYTES: usize = 24;

    fn read(index: &[u8]) -> Self {
        let word = |n: usize| u32_at(index, n * 4);
        Self {
            skip: word(0),
            literals: word(1),
            loose: word(2),
            lengths: word(3),
            presence_log: word(4),
            bucket_log: word(5),
        }
    }

    fn write(&self, index: &mut Vec<u8>) {
        for word in [self.skip, self.literals, self.loose, self.lengths, self.presence_log, self.bucket_log] {
            index.extend_from_slice(&word.to_le_bytes());
        }
    }
}

/// A view of one block's index.
#[derive(Clone, Copy)]
pub(crate) struct Index<'p> {
    pub(crate) head: Head,
    links: &'p [u8],
    /// Which pairs of octets begin a gram. One lookup here excludes most positions in a path.
    pairs: &'p [u8],
    presence: &'p [u8],
    starts: &'p [u8],
    presence_shift: u32,
    bucket_shift: u32,
}

impl<'p> Index<'p> {
    /// Returns the index that starts at the beginning of these bytes.
    pub(crate) fn read(bytes: &'p [u8]) -> Self {
        let head = Head::read(bytes);
        let links_end = Head::BYTES + head.literals as usize * 8;
        let presence_bytes = if head.lengths == 0 { 0 } else { 1usize << head.presence_log.clamp(3, 31) >> 3 };
        Self {
            head,
            links: bytes.get(Head::BYTES..links_end).unwrap_or_default(),
            pairs: bytes.get(links_end..links_end + presence_bytes).unwrap_or_default(),
            presence: bytes.get(links_end + presence_bytes..links_end + presence_bytes * 2).unwrap_or_default(),
            starts: bytes.get(links_end + presence_bytes * 2..).unwrap_or_default(),
            presence_shift: 32 - head.presence_log.clamp(3, 31),
            bucket_shift: 32 - head.bucket_log.clamp(1, 31),
        }
    }

    pub(crate) fn is_filed(&self) -> bool {
        self.head.lengths != 0
    }

    /// Returns the longest literal pattern that is a prefix of `path`, as its number among the block's rules.
    ///
    /// Cost: O(log rules) comparisons, and O(log rules) links.
    pub(crate) fn longest_literal(&self, rules: &Rules<'p>, path: &[u8]) -> Option<usize> {
        let skip = self.head.skip as usize;
        let count = self.head.literals as usize;
        let octets = key::order_of_path(path, skip);
        let order = |n: usize| key::order(rules.key(n));
        let from = partition(0, count, |n| order(n) < octets);
        let to = partition(from, count, |n| order(n) <= octets);
        let path_rest = path.get(skip..).unwrap_or_default();
        let last = partition(from, to, |n| rules.pattern(n).get(skip..).unwrap_or_default() <= path_rest);
        let mut at = last.checked_sub(1)?;
        let shared = common(rules.pattern(at), path);
        // Any other pattern that is a prefix of the path is on the chain of this pattern.
        loop {
            if rules.meta(at).length() as usize <= shared {
                return Some(at);
            }
            let jump = u32_at(self.links, (count + at) * 4);
            let parent = u32_at(self.links, at * 4);
            let next = if rules.meta(jump as usize).length() as usize > shared { jump } else { parent };
            // Links only point backwards, so the loop ends even if the bytes are damaged.
            at = Some(next as usize).filter(|next| *next < at)?;
        }
    }

    /// Calls `visit` with each range of floating rules whose gram may occur in `path`. A range may be visited twice.
    ///
    /// Cost: O(path) lookups, plus the ranges found.
    #[inline]
    pub(crate) fn filed(&self, path: &[u8], mut visit: impl FnMut(u32, u32)) {
        let has = |length: u32| self.head.lengths >> length & 1 == 1;
        let (twos, threes, fours) = (has(2), has(3), has(4));
        for window in path.windows(4) {
            let octets = gram_octets(window);
            if !is_set(self.pairs, pair_hash(octets) >> self.presence_shift) {
                continue;
            }
            if fours && self.is_present(hash_octets(octets)) {
                self.visit_bucket(octets, &mut visit);
            }
            if threes && self.is_present(hash_octets(octets | THREE)) {
                self.visit_bucket(octets | THREE, &mut visit);
            }
            if twos && self.is_present(hash_octets(octets | TWO)) {
                self.visit_bucket(octets | TWO, &mut visit);
            }
        }
        // The last octets of the path also form grams of two and three octets.
        let tail = path.get(path.len().saturating_sub(3)..).unwrap_or_default();
        let last_three = (threes && tail.len() == 3).then(|| gram_octets(tail));
        let last_twos = tail.windows(2).filter(|_| twos).map(gram_octets);
        for octets in last_three.into_iter().chain(last_twos).filter(|octets| self.is_present(hash_octets(*octets))) {
            self.visit_bucket(octets, &mut visit);
        }
    }

    /// Calls `visit` with the bucket of a gram, if it has rules.
    fn visit_bucket(&self, octets: u32, visit: &mut impl FnMut(u32, u32)) {
        let bucket = (hash_octets(octets) >> self.bucket_shift) as usize;
        let (start, end) = (u32_at(self.starts, bucket * 4), u32_at(self.starts, bucket * 4 + 4));
        if start < end {
            visit(start, end);
        }
    }

    #[inline(always)]
    fn is_present(&self, hash: u32) -> bool {
        is_set(self.presence, hash >> self.presence_shift)
    }
}

#[inline(always)]
fn is_set(bits: &[u8], bit: u32) -> bool {
    bits.get(bit as usize >> 3).is_some_and(|byte| byte >> (bit & 7) & 1 == 1)
}

fn set(bits: &mut [u8], bit: u32) {
    if let Some(byte) = bits.get_mut(bit as usize >> 3) {
        *byte |= 1 << (bit & 7);
    }
}

/// Returns the index section from the beginning of a block's index. The result is empty if the block has no index.
pub(crate) fn of_block<'p>(blob: &'p [u8], header: &Header, number: u32) -> &'p [u8] {
    let section = blob.get(header.index_at()..header.arena_at()).unwrap_or_default();
    let entry = |n: usize| u64_at(section, n * 8);
    let count = usize::from(header.indexes);
    let found = partition(0, count, |n| (entry(n) as u32) < number);
    if found < count && entry(found) as u32 == number {
        section.get(count * 8 + (entry(found) >> 32) as usize..).unwrap_or_default()
    } else {
        &[]
    }
}

/// Memory for building indexes, reused from one index to the next.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    rules: Vec<(u64, u64)>,
    floating: Vec<(u64, u64)>,
    placed: Vec<(u64, u64)>,
    /// For each floating rule, the hash of its gram and the hash of the gram's first two octets.
    hashes: Vec<(u32, u32)>,
    counts: Vec<u16>,
    stack: Vec<u32>,
    depths: Vec<u32>,
    links: Vec<u32>,
    runs: Vec<(usize, usize, usize)>,
}

/// Reorders the rules of a block and builds an index, if the block is large enough to benefit.
pub(crate) fn build(scratch: &mut Scratch, text: &[u8], block: Block) -> Block {
    let is_small = !sorts_literals(scratch, block) && block.floating <= FLOATING_ABOVE;
    // The header stores the number of indexes in 16 bits, so any further block gets no index. A file within the limits
    // never has that many large blocks.
    if is_small || scratch.directory.len() >= usize::from(u16::MAX) {
        return block;
    }
    let mut work = std::mem::take(&mut scratch.indexing);
    let built = build_with(&mut work, scratch, text, block);
    scratch.indexing = work;
    built
}

fn sorts_literals(scratch: &Scratch, block: Block) -> bool {
    let offset = |n: u32| Meta(u64_at(&scratch.metas, (block.start + n) as usize * 8)).offset();
    block.fixed > FIXED_ABOVE
        || block.fixed > LONG_FIXED_ABOVE && offset(block.fixed - 1).saturating_sub(offset(0)) / block.fixed > LONG
}

fn build_with(work: &mut Workspace, scratch: &mut Scratch, text: &[u8], block: Block) -> Block {
    let start = block.start as usize;
    let rule =
        |scratch: &Scratch, n: usize| (u64_at(&scratch.keys, (start + n) * 8), u64_at(&scratch.metas, (start + n) * 8));
    let is_literal = |meta: u64| !Meta(meta).has(Meta::STAR | Meta::ANCHORED);
    work.rules.clear();
    work.floating.clear();
    let mut head = Head { skip: 1, ..Head::default() };
    let sorts_literals = sorts_literals(scratch, block);
    for n in 0..block.fixed as usize {
        let (key, meta) = rule(scratch, n);
        if !sorts_literals || is_literal(meta) {
            work.rules.push((key, meta));
        } else {
            let pattern = scratch.pattern(text, Meta(meta));
            work.floating.push((key::required(pattern, wildcard(Meta(meta))), meta));
        }
    }
    for n in block.fixed as usize..(block.fixed + block.floating) as usize {
        work.floating.push(rule(scratch, n));
    }
    work.links.clear();
    if sorts_literals {
        sort_literals(work, scratch, text, &mut head);
    }
    let mut starts = Vec::new();
    let mut presence = Vec::new();
    if work.floating.len() > FLOATING_ABOVE as usize {
        file_by_grams(work, scratch, text, &mut head, &mut presence, &mut starts);
    }
    scratch.keys.truncate(start * 8);
    scratch.metas.truncate(start * 8);
    for (key, meta) in work.rules.iter().chain(&work.floating) {
        scratch.keys.extend_from_slice(&key.to_le_bytes());
        scratch.metas.extend_from_slice(&meta.to_le_bytes());
    }
    let number = (scratch.blocks.len() / Block::BYTES) as u32 - 1;
    scratch.directory.push((number, scratch.index.len() as u32));
    head.write(&mut scratch.index);
    for link in &work.links {
        scratch.index.extend_from_slice(&link.to_le_bytes());
    }
    scratch.index.extend_from_slice(&presence);
    for bucket in &starts {
        scratch.index.extend_from_slice(&bucket.to_le_bytes());
    }
    Block { fixed: work.rules.len() as u32, floating: work.floating.len() as u32, is_indexed: true, ..block }
}

/// Sorts the literal rules, links each rule to its prefixes, and computes the keys. A key leaves out the octets that
/// all patterns share.
fn sort_literals(work: &mut Workspace, scratch: &Scratch, text: &[u8], head: &mut Head) {
    let pattern = |meta: u64| scratch.pattern(text, Meta(meta));
    let first = work.rules.first().map_or(&[][..], |rule| pattern(rule.1));
    // All patterns begin with `/`. If they share nothing more, their keys do not change.
    let shared = work.rules.iter().try_fold(first.len(), |shared, rule| {
        let shared = common(first.get(..shared).unwrap_or(first), pattern(rule.1));
        (shared > 1).then_some(shared)
    });
    let skip = shared.unwrap_or(1).max(1);
    if skip > 1 {
        for rule in &mut work.rules {
            rule.0 = key::of_literal(pattern(rule.1), Meta(rule.1).length() as usize, skip);
        }
    }
    sort_by_octets(&mut work.rules, &mut work.runs, skip, pattern);
    head.skip = skip as u32;
    head.literals = work.rules.len() as u32;
    let count = work.rules.len();
    work.links.resize(count * 2, NONE);
    work.depths.clear();
    work.stack.clear();
    let (parents, jumps) = work.links.split_at_mut(count);
    for (n, (key, meta)) in work.rules.iter().enumerate() {
        let begins = |other: u32| {
            work.rules.get(other as usize).is_some_and(|(other_key, other_meta)| {
                key::agree(*other_key, *key)
                    && (key::is_whole(*other_key) || pattern(*meta).starts_with(pattern(*other_meta)))
            })
        };
        while work.stack.last().is_some_and(|top| !begins(*top)) {
            work.stack.pop();
        }
        // Each rule has two links: one to its parent, and a jump over several ancestors. The lengths of the jumps
        // follow the skew binary numbers, so that any ancestor is a logarithmic number of links away.
        let parent = work.stack.last().copied();
        let depth_of = |rule: u32| work.depths.get(rule as usize).copied().unwrap_or(0);
        let jump_of = |rule: u32| jumps.get(rule as usize).copied().unwrap_or(rule);
        let (link, jump, depth) = match parent {
            None => (NONE, n as u32, 0),
            Some(parent) => {
                let jump = jump_of(parent);
                let far = jump_of(jump);
                let is_even = depth_of(parent) - depth_of(jump) == depth_of(jump) - depth_of(far);
                (parent, if is_even { far } else { parent }, depth_of(parent) + 1)
            }
        };
        for (links, value) in [(&mut *parents, link), (&mut *jumps, jump)] {
            if let Some(place) = links.get_mut(n) {
                *place = value;
            }
        }
        work.depths.push(depth);
        work.stack.push(n as u32);
    }
}

/// Sorts rules by their patterns. All patterns share the first `skip` octets, and a key holds the next octets.
///
/// The naive algorithm compares whole patterns, with a memory access for each comparison. This one sorts the keys as
/// numbers, and continues with the next eight octets only for runs of equal keys.
fn sort_by_octets<'a>(
    rules: &mut [(u64, u64)],
    runs: &mut Vec<(usize, usize, usize)>,
    skip: usize,
    pattern: impl Fn(u64) -> &'a [u8],
) {
    rules.sort_unstable_by_key(|rule| rule.0);
    runs.clear();
    push_runs(rules, runs, 0, skip + key::OCTETS);
    while let Some((start, end, depth)) = runs.pop() {
        let run = rules.get_mut(start..end).unwrap_or_default();
        if run.iter().all(|rule| Meta(rule.1).length() as usize <= depth) {
            // If patterns are equal, the permission comes last, because a search returns the last of them.
            run.sort_unstable_by_key(|rule| (Meta(rule.1).length(), Meta(rule.1).priority(), rule.1));
            continue;
        }
        // All rules in a run have the same key, so the field for the key can hold the next octets until the run is
        // sorted.
        let key = run.first().map_or(0, |rule| rule.0);
        for rule in run.iter_mut() {
            rule.0 = key::eight_octets(pattern(rule.1), depth);
        }
        run.sort_unstable_by_key(|rule| rule.0);
        push_runs(run, runs, start, depth + 8);
        for rule in run {
            rule.0 = key;
        }
    }
}

/// Pushes each run of rules with equal keys, to be sorted further.
fn push_runs(rules: &[(u64, u64)], runs: &mut Vec<(usize, usize, usize)>, start: usize, depth: usize) {
    let mut from = start;
    for equal in rules.chunk_by(|a, b| a.0 == b.0) {
        if equal.len() > 1 {
            runs.push((from, from + equal.len(), depth));
        }
        from += equal.len();
    }
}

/// Indexes the floating rules by their rarest grams, and moves loose rules to the front.
fn file_by_grams(
    work: &mut Workspace,
    scratch: &Scratch,
    text: &[u8],
    head: &mut Head,
    presence: &mut Vec<u8>,
    starts: &mut Vec<u32>,
) {
    let bucket_log = (work.floating.len() as u32 * 2).next_power_of_two().trailing_zeros().clamp(1, 31);
    let presence_log = (bucket_log + 2).min(31);
    head.lengths = hash_rarest_grams(work, scratch, text);
    head.loose = work.hashes.iter().filter(|(hash, _)| *hash == 0).count() as u32;
    head.presence_log = presence_log;
    head.bucket_log = bucket_log;
    if head.lengths == 0 {
        // All rules are loose. The lengths must still not be 0, because 0 means that the rules are not indexed.
        head.lengths = 1;
    }
    let presence_bytes = 1 << presence_log >> 3;
    presence.resize(presence_bytes * 2, 0);
    let (pairs, grams) = presence.split_at_mut(presence_bytes);
    // Each entry holds three values in turn: a bucket's number of rules, then the bucket's end, and finally its start,
    // because the buckets are filled from the back.
    starts.resize((1 << bucket_log) + 1, 0);
    for (hash, pair) in work.hashes.iter().filter(|(hash, _)| *hash != 0) {
        set(pairs, pair >> (32 - presence_log));
        set(grams, hash >> (32 - presence_log));
        if let Some(count) = starts.get_mut((hash >> (32 - bucket_log)) as usize) {
            *count += 1;
        }
    }
    starts.iter_mut().fold(head.loose, |sum, bucket| {
        *bucket += sum;
        *bucket
    });
    place_in_buckets(work, head, starts);
}

/// Computes the hashes of each floating rule's rarest gram, or zeros if it has none. Returns one bit for each gram
/// length that occurs.
fn hash_rarest_grams(work: &mut Workspace, scratch: &Scratch, text: &[u8]) -> u32 {
    // Two grams that share a counter seem more frequent than they are. With 64 counters per rule, and at most 65,536 in
    // all, sharing is rare.
    let count_log = (work.floating.len() as u32 * 64).next_power_of_two().trailing_zeros().clamp(14, 16);
    let count_of = |counts: &[u16], hash: u32| counts.get((hash >> (32 - count_log)) as usize).copied().unwrap_or(0);
    work.counts.clear();
    work.counts.resize(1 << count_log, 0);
    for (_, meta) in &work.floating {
        each_gram(scratch.pattern(text, Meta(*meta)), wildcard(Meta(*meta)), |gram| {
            if let Some(count) = work.counts.get_mut((gram_hash(gram) >> (32 - count_log)) as usize) {
                *count = count.saturating_add(1);
            }
        });
    }
    work.hashes.clear();
    let mut lengths = 0;
    for (_, meta) in &work.floating {
        let mut best: Option<(u32, &[u8])> = None;
        each_gram(scratch.pattern(text, Meta(*meta)), wildcard(Meta(*meta)), |gram| {
            let hash = gram_hash(gram);
            // Short grams occur in more paths. The factor for that is a guess, which affects only speed. If grams are
            // equally rare, the last gram is taken, because matching from the left would reach it last.
            let cost = u32::from(count_of(&work.counts, hash)) << (2 * (4 - gram.len()));
            if best.is_none_or(|(least, ..)| cost <= least) {
                best = Some((cost, gram));
            }
        });
        match best {
            Some((_, gram)) => {
                lengths |= 1 << gram.len();
                // Hash 0 means loose. Setting the low bit changes neither the bucket nor the presence bit.
                work.hashes.push((gram_hash(gram) | 1, pair_hash(gram_octets(gram))));
            }
            None => work.hashes.push((0, 0)),
        }
    }
    lengths
}

/// Sorts the floating rules by bucket, loose rules first, and by rank within each bucket. `starts` holds each bucket's
/// end before the call, and its start after the call.
fn place_in_buckets(work: &mut Workspace, head: &Head, starts: &mut [u32]) {
    let mut loose_end = head.loose;
    work.placed.clear();
    work.placed.resize(work.floating.len(), (0, 0));
    for ((hash, _), rule) in work.hashes.iter().zip(&work.floating) {
        let bucket = match hash {
            0 => Some(&mut loose_end),
            _ => starts.get_mut((hash >> (32 - head.bucket_log)) as usize),
        };
        if let Some(end) = bucket {
            *end -= 1;
            if let Some(place) = work.placed.get_mut(*end as usize) {
                *place = *rule;
            }
        }
    }
    let by_rank = |rules: &mut [(u64, u64)]| {
        rules.sort_unstable_by_key(|rule| (std::cmp::Reverse(Meta(rule.1).priority()), rule.1));
    };
    let mut from = 0;
    for end in starts.iter().map(|start| *start as usize) {
        if end > from + 1 {
            by_rank(work.placed.get_mut(from..end).unwrap_or_default());
        }
        from = end;
    }
    std::mem::swap(&mut work.floating, &mut work.placed);
}

/// Calls `use_gram` with the grams of a pattern: four adjacent octets between wildcards, or a whole piece of two or
/// three octets. For a long pattern, it takes only the first grams, because further ones are rarely rarer.
fn each_gram<'a>(pattern: &'a [u8], wildcard: u8, mut use_gram: impl FnMut(&'a [u8])) {
    const MAX_OCTETS: usize = 24;
    let mut left = MAX_OCTETS;
    for piece in pattern.split(|byte| *byte == wildcard) {
        match piece.len() {
            0 | 1 => {}
            2 | 3 => use_gram(piece),
            _ => piece.windows(4).take(left).for_each(&mut use_gram),
        }
        left = left.saturating_sub(piece.len());
        if left == 0 {
            return;
        }
    }
}

#[inline(always)]
fn gram_hash(gram: &[u8]) -> u32 {
    hash_octets(gram_octets(gram))
}

/// Returns a gram as a number. A gram of two or three octets is padded with `0xFF`.
#[inline(always)]
fn gram_octets(gram: &[u8]) -> u32 {
    match *gram {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]) | THREE,
        [a, b] => u32::from_le_bytes([a, b, 0, 0]) | TWO,
        _ => u32::MAX,
    }
}

const THREE: u32 = 0xFF00_0000;
const TWO: u32 = 0xFFFF_0000;

/// Returns the hash of a gram's first two octets.
#[inline(always)]
fn pair_hash(octets: u32) -> u32 {
    (octets & 0xFFFF).wrapping_mul(0x9E37_79B1)
}

#[inline(always)]
fn hash_octets(octets: u32) -> u32 {
    let hash = octets.wrapping_mul(0x9E37_79B1);
    hash ^ hash >> 15
}

/// Returns the wildcard byte in this rule's pattern.
#[inline(always)]
pub(crate) fn wildcard(meta: Meta) -> u8 {
    if meta.has(Meta::REWRITTEN) { WILDCARD } else { b'*' }
}

/// Returns the first number in `from..to` for which `below` is false, or `to`. All numbers for which `below` is true
/// must come first.
#[inline]
fn partition(from: usize, to: usize, below: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut size) = (from, to - from);
    while size > 0 {
        let half = size / 2;
        let middle = low + half;
        if below(middle) {
            low = middle + 1;
            size -= half + 1;
        } else {
            size = half;
        }
    }
    low
}

/// Returns the length of the common prefix of two byte strings.
fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
