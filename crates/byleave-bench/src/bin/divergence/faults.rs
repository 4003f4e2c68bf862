//! Injects faults into Byleave, to show that no class of differences hides them.
//!
//! A fault changes Byleave's input or its answer. The engine itself does not change.

use crate::engines::{Asked, Verdict, url};
use crate::question::{Line, rewritten};
use byleave::{Compiler, Crawler, Reading};

/// A fault that makes Byleave's verdicts wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// About one in `n` answers is reversed, where `n` is this number.
    Negates(u32),
    /// A final `$` is ignored.
    IgnoresAnchor,
    /// The shorter of two patterns without `$` wins.
    ShortestWins,
    /// A group for any crawler also binds crawlers with a group of their own.
    AnyBindsNamed,
    /// Paths are compared case-insensitively.
    IgnoresCase,
    /// Only the first of several groups with the same name is read.
    FirstGroupOnly,
}

impl Fault {
    pub const ALL: [Self; 6] = [
        Self::Negates(1000),
        Self::IgnoresAnchor,
        Self::ShortestWins,
        Self::AnyBindsNamed,
        Self::IgnoresCase,
        Self::FirstGroupOnly,
    ];
}

/// Parses the file as a faulty Byleave would.
pub fn read<'q>(reading: Reading, fault: Fault, robots_txt: &[u8], crawler: &'q str) -> Asked<'q> {
    let given = match fault {
        Fault::Negates(_) => robots_txt.to_vec(),
        Fault::IgnoresAnchor => {
            with_patterns(robots_txt, |pattern| pattern.strip_suffix(b"$").unwrap_or(pattern).to_vec())
        }
        // Adds trailing stars, which make a pattern without `$` longer but do not change its meaning.
        Fault::ShortestWins => with_patterns(robots_txt, |pattern| {
            let stars = if pattern.ends_with(b"$") { 0 } else { 600usize.saturating_sub(2 * pattern.len()) };
            [pattern, "*".repeat(stars).as_bytes()].concat()
        }),
        Fault::AnyBindsNamed => {
            let name = |line: &Line<'_>| {
                (line.agent()? == b"*").then(|| format!("User-agent: *\nUser-agent: {crawler}").into_bytes())
            };
            rewritten(robots_txt, |line| name(line).into())
        }
        Fault::IgnoresCase => with_patterns(robots_txt, <[u8]>::to_ascii_lowercase),
        Fault::FirstGroupOnly => first_groups(robots_txt),
    };
    let known = Crawler::named(crawler);
    Box::new(move |path, _| {
        let policy = Compiler::new(reading).compile(&given);
        let path = if fault == Fault::IgnoresCase { path.to_ascii_lowercase() } else { path.to_owned() };
        let verdict = Verdict::of(policy.bind(&known).may_crawl(&url(&path)));
        let mix = |sum: u32, byte: u8| (sum ^ u32::from(byte)).wrapping_mul(16_777_619);
        let number = path.bytes().chain(crawler.bytes()).fold(2_166_136_261, mix);
        match fault {
            Fault::Negates(times) if number.is_multiple_of(times) => verdict.negated(),
            _ => verdict,
        }
    })
}

fn with_patterns(robots_txt: &[u8], pattern: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    rewritten(robots_txt, |line| line.rule().map(|(name, value)| line.with_value(name, &pattern(value))).into())
}

/// Renames names that occur in an earlier group, so that they match no crawler.
fn first_groups(robots_txt: &[u8]) -> Vec<u8> {
    let (mut seen, mut open): (Vec<Vec<u8>>, Vec<Vec<u8>>) = (Vec::new(), Vec::new());
    let mut takes_names = true;
    rewritten(robots_txt, |line| {
        if line.rule().is_some() {
            takes_names = false;
        }
        let name = line.agent().map(<[u8]>::to_ascii_lowercase);
        let is_known = name.as_ref().is_some_and(|name| {
            if !takes_names {
                seen.append(&mut open);
                takes_names = true;
            }
            open.push(name.clone());
            seen.contains(name)
        });
        is_known.then(|| b"User-agent: 1".to_vec()).into()
    })
}
