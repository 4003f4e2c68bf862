//! Finds the groups that bind a crawler (RFC 9309 2.2.1, S-35, S-50).
//!
//! All groups that name the crawler bind it. If no group names it, the next lookups are by each fallback name, by the
//! crawler's purposes, and by `*`, in this order. The first lookup that finds groups decides, and all groups that it
//! finds bind the crawler.

use super::layout::{Agent, Header, u32_at};
use super::{Policy, Rules, Winner};
use crate::dialects::acap::Addressed;
use crate::dialects::rfc9309::pattern::End;
use crate::model::BoundBy;
use crate::model::crawler::{ANY_HASH, AnyGroup, Crawler, CrawlerName};
use crate::model::reading::Switches;
use crate::robots_txt::Field;

/// A policy as it applies to one crawler.
///
/// ```
/// use byleave::{Crawler, Policy};
/// use byleave::model::BoundBy;
/// let policy = Policy::parse(b"User-agent: Googlebot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n");
/// let images = Crawler::named("Googlebot-Image").with_fallback("Googlebot");
/// let bound = policy.bind(&images);
/// assert_eq!(bound.bound_by(), BoundBy::Fallback(0));
/// assert!(bound.may_crawl("/b"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bound<'p> {
    policy: &'p Policy<'p>,
    crawler: &'p Crawler,
    /// The purposes of the crawler.
    purposes: &'p [String],
    bound_by: BoundBy,
    blocks: [u32; INLINE],
    count: u32,
    switches: &'static Switches,
    /// The rules in the first block, which is usually the only block.
    first: Rules<'p>,
    /// The ACAP groups that address the crawler.
    addressed: Addressed,
}

/// How many groups are stored inline. If more groups bind a crawler, they are looked up again when needed.
const INLINE: usize = 4;

impl<'p> Bound<'p> {
    pub(super) fn new(policy: &'p Policy<'p>, crawler: &'p Crawler, purposes: &'p [String]) -> Self {
        let (switches, first, addressed) = (policy.reading().switches(), Rules::none(), Addressed::default());
        let mut bound = Self {
            policy,
            crawler,
            purposes,
            bound_by: BoundBy::NoGroup,
            blocks: [0; INLINE],
            count: 0,
            switches,
            first,
            addressed,
        };
        bound.find_groups();
        if let Some(acap) = policy.acap() {
            bound.addressed = Addressed::of(acap, crawler);
        }
        if let (1.., Some(block)) = (bound.count, bound.blocks.first()) {
            bound.first = Rules::of(policy, &policy.header(), *block);
        }
        bound
    }

    fn find_groups(&mut self) {
        if self.find(self.crawler.names(), BoundBy::Named) {
            return;
        }
        for (n, fallback) in self.crawler.fallbacks().iter().enumerate() {
            if self.find(std::slice::from_ref(fallback), BoundBy::Fallback(n)) {
                return;
            }
        }
        if self.policy.header().flags & Header::HAS_PURPOSES != 0 {
            let policy = self.policy;
            policy.each_block_of_purpose(self.crawler, self.purposes, |block| self.add(block));
            if self.count > 0 {
                self.bound_by = BoundBy::Purpose;
                return;
            }
        }
        if self.crawler.any_group() == AnyGroup::Applies {
            let policy = self.policy;
            policy.each_block_for(&policy.header(), ANY, |block| self.add(block));
            if self.count > 0 {
                self.bound_by = BoundBy::Any;
            }
        }
    }

    /// Returns why these groups bind the crawler.
    ///
    /// ```
    /// use byleave::{Crawler, Policy, model::BoundBy};
    /// let policy = Policy::parse(b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n");
    /// assert_eq!(policy.bind(&Crawler::named("GPTBot")).bound_by(), BoundBy::Named);
    /// assert_eq!(policy.bind(&Crawler::named("OtherBot")).bound_by(), BoundBy::Any);
    /// ```
    #[must_use]
    pub fn bound_by(&self) -> BoundBy {
        self.bound_by
    }

    /// Returns the policy that binds the crawler.
    #[must_use]
    pub fn policy(&self) -> &'p Policy<'p> {
        self.policy
    }

    /// Returns the crawler's purposes (S-50).
    #[must_use]
    pub fn purposes(&self) -> &'p [String] {
        self.purposes
    }

    /// Returns the crawler that the policy binds.
    #[must_use]
    pub fn crawler(&self) -> &'p Crawler {
        self.crawler
    }

    /// Returns the ACAP groups that address the crawler.
    pub(crate) fn addressed(&self) -> &Addressed {
        &self.addressed
    }

    /// Returns the switches for the policy's reading.
    #[inline(always)]
    pub(crate) fn switches(&self) -> &'static Switches {
        self.switches
    }

    /// Returns the rule that wins for a path in comparable form.
    #[inline(always)]
    pub(crate) fn winner(&self, path: &[u8]) -> Winner {
        let mut best = Winner::default();
        self.first.best(path, &mut best);
        if self.count > 1 {
            self.best_of_others(path, &mut best);
        }
        best
    }

    #[inline(never)]
    fn best_of_others(&self, path: &[u8], best: &mut Winner) {
        let header = self.policy.header();
        self.each_block(|block| Rules::of(self.policy, &header, block).best(path, best));
    }

    /// Calls `visit` once with every rule that matches a path in comparable form.
    pub(crate) fn each_match(&self, path: &[u8], mut visit: impl FnMut(Winner)) {
        let header = self.policy.header();
        for block in self.blocks() {
            Rules::of(self.policy, &header, block).each_match(path, &mut visit);
        }
    }

    /// Calls `visit` once with every rule that binds the crawler: see [`Rules::each`].
    pub(crate) fn each_rule(&self, mut visit: impl FnMut(Winner, &[u8], u8, End)) {
        let header = self.policy.header();
        for block in self.blocks() {
            Rules::of(self.policy, &header, block).each(&mut visit);
        }
    }

    /// Returns the blocks that bind the crawler, sorted and without duplicates.
    pub(crate) fn blocks(&self) -> Vec<u32> {
        let mut blocks = Vec::new();
        self.each_block(|block| blocks.push(block));
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// Calls `visit` with every rule that wins for a path in comparable form: all matching rules with the highest rank.
    /// If very many groups bind the crawler, a rule may be visited twice.
    pub(crate) fn each_winner(&self, path: &[u8], mut visit: impl FnMut(u32)) {
        let priority = self.winner(path).priority;
        if priority > 0 {
            let header = self.policy.header();
            self.each_block(|block| Rules::of(self.policy, &header, block).each_of_rank(priority, path, &mut visit));
        }
    }

    /// Calls `visit` with each block that binds the crawler. If very many blocks bind it, a block may be visited twice.
    #[inline(always)]
    pub(crate) fn each_block(&self, mut visit: impl FnMut(u32)) {
        match self.blocks.get(..self.count as usize) {
            Some(blocks) => blocks.iter().copied().for_each(visit),
            None => self.each_block_again(&mut visit),
        }
    }

    #[cold]
    fn each_block_again(&self, visit: &mut impl FnMut(u32)) {
        match self.bound_by {
            BoundBy::Named => self.policy.each_block_naming(self.crawler.names(), visit),
            BoundBy::Fallback(n) => {
                self.policy.each_block_naming(self.crawler.fallbacks().get(n..=n).unwrap_or_default(), visit);
            }
            BoundBy::Purpose => self.policy.each_block_of_purpose(self.crawler, self.purposes, visit),
            BoundBy::Any => self.policy.each_block_for(&self.policy.header(), ANY, visit),
            BoundBy::NoGroup => {}
        }
    }

    fn find(&mut self, names: &[CrawlerName], bound_by: BoundBy) -> bool {
        self.policy.each_block_naming(names, |block| self.add(block));
        if self.count > 0 {
            self.bound_by = bound_by;
        }
        self.count > 0
    }

    fn add(&mut self, block: u32) {
        let known = self.blocks.get(..self.count as usize).unwrap_or_default();
        if !known.contains(&block) {
            if let Some(place) = self.blocks.get_mut(self.count as usize) {
                *place = block;
            }
            self.count += 1;
        }
    }
}

const ANY: (&[u8], u16) = (b"*", ANY_HASH);

impl Policy<'_> {
    /// Calls `visit` with the block of each agent that has one of these names.
    fn each_block_naming(&self, names: &[CrawlerName], mut visit: impl FnMut(u32)) {
        let header = self.header();
        let counts_cut_names = self.reading().switches().cuts_versions;
        for name in names.iter().filter(|name| counts_cut_names || !name.is_cut()) {
            self.each_block_for(&header, (name.as_str().as_bytes(), name.hash()), &mut visit);
        }
    }

    /// Calls `visit` with the block of each group for a purpose of the crawler. A purpose is one of `purposes`, or one
    /// of the crawler's names after the first (S-50).
    #[cold]
    fn each_block_of_purpose(&self, crawler: &Crawler, purposes: &[String], mut visit: impl FnMut(u32)) {
        self.each_fact(|_, field, (group, _), value| {
            let is_own = |own: &str| own.as_bytes().eq_ignore_ascii_case(value);
            let is_purpose = || {
                // The first name is the crawler's own name, not a purpose.
                purposes.iter().any(|purpose| is_own(purpose))
                    || crawler.names().iter().skip(1).any(|name| is_own(name.as_str()))
            };
            if let Some(group) = group.filter(|_| field == Field::UserAgentPurpose && is_purpose()) {
                visit(group);
            }
        });
    }

    /// Calls `visit` with the block of each agent with this name, ignoring ASCII case.
    ///
    /// Cost: linear in the agents if there are few. Otherwise, a binary search and a comparison with each agent that
    /// has the same hash.
    pub(super) fn each_block_for(&self, header: &Header, (name, hash): (&[u8], u16), mut visit: impl FnMut(u32)) {
        let agents = self.blob.get(header.agents_at()..header.keys_at()).unwrap_or_default();
        let source = self.source(header);
        let is_named = |agent: &Agent| {
            let start = agent.offset as usize;
            source
                .get(start..start + usize::from(agent.length))
                .is_some_and(|written| written.eq_ignore_ascii_case(name))
        };
        let is_sorted = header.agents as usize > Agent::SORTED_ABOVE;
        let from = if is_sorted { first_with(agents, hash) } else { 0 };
        // The names in one block are adjacent, so a block that repeats a name is visited only once if it is compared
        // with the last visited block.
        let mut last = None;
        for bytes in agents.get(from..).unwrap_or_default().chunks_exact(Agent::BYTES) {
            if (u32_at(bytes, 0) >> 16) as u16 == hash {
                let agent = Agent::read(bytes);
                if Some(agent.block) != last && is_named(&agent) {
                    last = Some(agent.block);
                    visit(agent.block);
                }
            } else if is_sorted {
                break;
            }
        }
    }

    /// Whether a group names this crawler itself. If so, `*` and fallbacks do not bind it.
    ///
    /// ```
    /// use byleave::{Crawler, Policy};
    /// let policy = Policy::parse(b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n");
    /// assert!(policy.names(&Crawler::named("gptbot")));
    /// assert!(!policy.names(&Crawler::named("OtherBot")));
    /// ```
    #[must_use]
    pub fn names(&self, crawler: &Crawler) -> bool {
        self.bind(crawler).bound_by() == BoundBy::Named
    }
}

/// Returns the byte offset of the first agent with this hash.
fn first_with(agents: &[u8], hash: u16) -> usize {
    let (mut low, mut high) = (0, agents.len() / Agent::BYTES);
    while low < high {
        let middle = low + (high - low) / 2;
        if u32_at(agents, middle * Agent::BYTES) >> 16 < u32::from(hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low * Agent::BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Agents are searched linearly if there are few, otherwise by hash. The groups that bind a crawler are stored if
    /// there are few, otherwise looked up again. Every name must be found in all of these cases.
    #[test]
    fn s35_every_name_is_found_among_however_many() {
        for count in [1, 2, 15, 16, 17, 40, Agent::SORTED_ABOVE / 2, 333] {
            let group = |n: usize| format!("User-agent: bot{n}\nUser-agent: all\nDisallow: /{n}-\n");
            let text: String = (0..count).map(group).collect();
            let policy = Policy::parse(text.as_bytes());
            for n in 0..count {
                let crawler = Crawler::named(&format!("BOT{n}"));
                let bound = policy.bind(&crawler);
                assert!(policy.names(&crawler) && bound.bound_by() == BoundBy::Named, "{n} of {count}");
                assert!(
                    !bound.may_crawl(&format!("/{n}-")) && bound.may_crawl(&format!("/{}-", n + 1)),
                    "{n} of {count}"
                );
            }
            let all = Crawler::named("all");
            let (bound, mut winners) = (policy.bind(&all), Vec::new());
            for n in 0..count {
                assert!(!bound.may_crawl(&format!("/{n}-")), "{n} of {count}");
                bound.each_winner(format!("/{n}-").as_bytes(), |rule| winners.push(rule));
            }
            winners.sort_unstable();
            winners.dedup();
            assert_eq!(winners.len(), count);
            bound.each_winner(b"/none", |rule| winners.push(rule));
            assert_eq!(winners.len(), count);
            let nobody = Crawler::named("bot");
            assert!(!policy.names(&nobody) && policy.bind(&nobody).bound_by() == BoundBy::NoGroup);
            let falling = Crawler::named("bot").with_fallback("x").with_fallback("bot0");
            assert!(!policy.names(&falling) && policy.bind(&falling).bound_by() == BoundBy::Fallback(1));
        }
    }
}
