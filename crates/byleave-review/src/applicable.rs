//! What bears on decisions about a crawler, as the walk over paths takes it: rules, fields, and `/robots.txt` itself.

use crate::budget::Budget;
use crate::regions::{ApplicablePattern, Regions, Space, Ties, Wanted, is_reserved};
use byleave::model::Modality;
use byleave::{Bearing, BearingField, ComparablePattern, Reading, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// The conventional rules of several policies, each with the number of its reading: those that are the same in several
/// once.
pub(crate) fn rule_patterns(bearings: &[(&Bearing, usize)]) -> Vec<ApplicablePattern> {
    let mut sides: BTreeMap<(&ComparablePattern, u32, bool, usize), u8> = BTreeMap::new();
    let mut all = 0;
    for (side, (bearing, reading)) in bearings.iter().enumerate() {
        all |= 1 << side;
        for rule in &bearing.rules {
            let permits = rule.modality == Modality::Permission;
            *sides.entry((&rule.pattern, rule.rank, permits, *reading)).or_default() |= 1 << side;
        }
    }
    let entry =
        |((pattern, rank, permits, reading), sides): ((&ComparablePattern, u32, bool, usize), u8)| ApplicablePattern {
            pattern: pattern.clone(),
            reading,
            sides,
            rank: Some(rank),
            permits,
            is_changed: sides != all,
        };
    sides.into_iter().map(entry).collect()
}

/// The patterns of ACAP fields that bear on a usage, each once; those are changed of which the policies do not say the
/// same.
pub(crate) fn field_patterns(usage: &Usage, bearings: &[Bearing]) -> Vec<ApplicablePattern> {
    let mut patterns: BTreeMap<&ComparablePattern, Vec<Vec<&BearingField>>> = BTreeMap::new();
    for (side, bearing) in bearings.iter().enumerate() {
        for field in bearing.fields.iter().filter(|field| field.bears_on(usage)) {
            let sides = patterns.entry(&field.pattern).or_insert_with(|| vec![Vec::new(); bearings.len()]);
            sides.get_mut(side).into_iter().for_each(|fields| fields.push(field));
        }
    }
    let entry = |(pattern, sides): (&ComparablePattern, Vec<Vec<&BearingField>>)| ApplicablePattern {
        pattern: pattern.clone(),
        reading: 0,
        sides: u8::MAX,
        rank: None,
        permits: false,
        is_changed: !are_alike(sides),
    };
    patterns.into_iter().map(entry).collect()
}

/// Whether fields of several policies, all about one pattern, say the same. Which stands first makes no difference.
fn are_alike(mut sides: Vec<Vec<&BearingField>>) -> bool {
    if are_same(&sides) {
        return true;
    }
    let said = |field: &&BearingField| (field.addressee, field.spelling().map(<[u8]>::to_vec));
    sides.iter_mut().for_each(|fields| fields.sort_by_cached_key(said));
    are_same(&sides)
}

/// Whether they say the same one by one.
fn are_same(sides: &[Vec<&BearingField>]) -> bool {
    let is_same = |one: &BearingField, other: &BearingField| {
        let is_spelt_alike = one.spelling().is_some() && one.spelling() == other.spelling();
        one.addressee == other.addressee && is_spelt_alike
    };
    let mut others = sides.iter();
    let Some(first) = others.next() else { return true };
    others.all(|other| first.len() == other.len() && first.iter().zip(other).all(|(one, other)| is_same(one, other)))
}

/// The patterns of preferences that bear on a usage, each once; those are changed of which the policies do not say the same.
/// Where some permit only what may be crawled (S-31), conventional rules bear on the usage, too.
pub(crate) fn preference_patterns(usage: &Usage, bearings: &[(&Bearing, usize)]) -> Vec<ApplicablePattern> {
    let mut patterns: BTreeMap<&ComparablePattern, Vec<BTreeSet<&[u8]>>> = BTreeMap::new();
    let mut depends_on_rules = false;
    for (side, (bearing, _)) in bearings.iter().enumerate() {
        for one in bearing.preferences.iter().filter(|one| one.bears_on(usage)) {
            let sides = patterns.entry(&one.pattern).or_insert_with(|| vec![BTreeSet::new(); bearings.len()]);
            sides.get_mut(side).into_iter().for_each(|spellings| {
                spellings.insert(one.spelling());
            });
            depends_on_rules |= one.depends_on_rules;
        }
    }
    let is_alike = |sides: &[BTreeSet<&[u8]>]| sides.windows(2).all(|two| two.first() == two.last());
    let entry = |(pattern, sides): (&ComparablePattern, Vec<BTreeSet<&[u8]>>)| ApplicablePattern {
        pattern: pattern.clone(),
        reading: 0,
        sides: u8::MAX,
        rank: None,
        permits: false,
        is_changed: !is_alike(&sides),
    };
    let mut patterns: Vec<ApplicablePattern> = patterns.into_iter().map(entry).collect();
    // Of `crawl` no preference speaks, and its rules are there already.
    if depends_on_rules {
        patterns.extend(rule_patterns(bearings));
    }
    patterns
}

/// Every pattern that bears on one of these usages in some policy, to be told apart.
pub(crate) fn patterns_for_usages(usages: &[Usage], bearings: &[Bearing]) -> Vec<ApplicablePattern> {
    let mut patterns: BTreeSet<&ComparablePattern> = BTreeSet::new();
    for bearing in bearings {
        let fields = bearing.fields.iter().filter(|field| usages.iter().any(|usage| field.bears_on(usage)));
        patterns.extend(fields.map(|field| &field.pattern));
        patterns.extend(bearing.preferences.iter().map(|one| &one.pattern));
        // Where some permit only what may be crawled (S-31).
        let depends_on_rules = bearing.preferences.iter().any(|one| one.depends_on_rules);
        patterns.extend(bearing.rules.iter().filter(|_| depends_on_rules).map(|rule| &rule.pattern));
    }
    let entry = |pattern: &ComparablePattern| ApplicablePattern {
        pattern: pattern.clone(),
        reading: 0,
        sides: u8::MAX,
        rank: None,
        permits: false,
        is_changed: true,
    };
    patterns.into_iter().map(entry).collect()
}

/// Whether some preference bears on a usage.
pub(crate) fn has_preference(usage: &Usage, bearing: &Bearing) -> bool {
    bearing.preferences.iter().any(|one| one.bears_on(usage))
}

/// Everything that bears on a usage in several policies, each with the number of its reading, where all of it prohibits
/// and nothing more: what any of it matches is then prohibited, and so they are as rules of one rank. Nothing where
/// something permits, or has terms or purposes, or is not read.
pub(crate) fn prohibition_patterns(usage: &Usage, bearings: &[(&Bearing, usize)]) -> Option<Vec<ApplicablePattern>> {
    let mut sides: BTreeMap<(&ComparablePattern, usize), u8> = BTreeMap::new();
    let mut all = 0;
    for (side, (bearing, reading)) in bearings.iter().enumerate() {
        all |= 1 << side;
        // A file that is referred to and not given prohibits everywhere (S-21).
        if !bearing.unread.is_empty() || has_preference(usage, bearing) {
            return None;
        }
        for field in bearing.fields.iter().filter(|field| field.bears_on(usage)) {
            // ACAP is read as the default reading reads it, which is the first.
            *sides.entry((&field.pattern, 0)).or_default() |= field.prohibits(usage).then_some(1 << side)?;
        }
        // Conventional rules speak of `crawl` only (S-13).
        for rule in bearing.rules.iter().filter(|_| *usage == Usage::Crawl) {
            let prohibits = rule.modality == Modality::Prohibition;
            *sides.entry((&rule.pattern, *reading)).or_default() |= prohibits.then_some(1 << side)?;
        }
    }
    let entry = |((pattern, reading), sides): ((&ComparablePattern, usize), u8)| ApplicablePattern {
        pattern: pattern.clone(),
        reading,
        sides,
        rank: Some(0),
        permits: false,
        is_changed: sides != all,
    };
    // Where something is not the same, of that path too it is asked.
    let is_changed = sides.values().any(|sides| *sides != all);
    let itself = (*usage == Usage::Crawl).then(|| ApplicablePattern { is_changed, ..robots_txt_pattern() });
    Some(sides.into_iter().map(entry).chain(itself).collect())
}

/// `/robots.txt` itself, which is permitted whatever rules say (S-13): a rule above all others.
pub(crate) fn robots_txt_pattern() -> ApplicablePattern {
    let pattern = ComparablePattern::exactly(b"/robots.txt");
    ApplicablePattern { pattern, reading: 0, sides: u8::MAX, rank: Some(u32::MAX), permits: true, is_changed: false }
}

/// The regions of paths in normal form that policies, each in a reading of its own, tell apart for a usage: by these
/// fields, and for `crawl` by rules.
pub(crate) fn walk_in_readings(
    usage: &Usage,
    fields: Vec<ApplicablePattern>,
    policies: &[(&Bearing, Reading)],
    escaped: &BTreeSet<u8>,
    budget: &Budget,
) -> Regions {
    // Conventional rules speak of `crawl` only (S-13).
    let rules = if *usage == Usage::Crawl { policies } else { &[] };
    // A file that is referred to and not given decides everywhere (S-21).
    let is_by_rules = fields.is_empty() && policies.iter().all(|(bearing, _)| bearing.unread.is_empty());
    // ACAP is read as the default reading reads it.
    let mut readings = vec![Reading::Default];
    let mut numbered: Vec<(&Bearing, usize)> = Vec::new();
    for (bearing, reading) in rules {
        // Where no reserved character is escaped, what a URL comes to is the same in every reading.
        let is_alike = |known: &Reading| known.switches().escapes == reading.switches().escapes;
        let known = if escaped.is_empty() { Some(0) } else { readings.iter().position(is_alike) };
        numbered.push((bearing, known.unwrap_or(readings.len())));
        if known.is_none() {
            readings.push(*reading);
        }
    }
    let alone: Vec<(&Bearing, usize)> = policies.iter().map(|(bearing, _)| (*bearing, 0)).collect();
    let all = if rules.is_empty() { &alone } else { &numbered };
    let space = Space::NormalPaths(readings, escaped.clone());
    if let Some(patterns) = prohibition_patterns(usage, all).filter(|_| !is_by_rules) {
        return budget.walk(&space, &patterns, Ties::Equivalent, Wanted::Differing(policies.len()));
    }
    let (ties, wanted) =
        if is_by_rules { (Ties::Equivalent, Wanted::Differing(rules.len())) } else { (Ties::Distinct, Wanted::All) };
    let mut patterns = fields;
    if !rules.is_empty() {
        patterns.extend(rule_patterns(&numbered));
        patterns.push(robots_txt_pattern());
    }
    budget.walk(&space, &patterns, ties, wanted)
}

/// The reserved characters that some pattern escapes.
pub(crate) fn escaped_in<'b>(bearings: impl IntoIterator<Item = &'b Bearing>) -> BTreeSet<u8> {
    let patterns = bearings.into_iter().flat_map(|bearing| {
        let of_fields = bearing.fields.iter().map(|field| &field.pattern);
        let of_preferences = bearing.preferences.iter().map(|one| &one.pattern);
        bearing.rules.iter().map(|rule| &rule.pattern).chain(of_fields).chain(of_preferences)
    });
    let windows = patterns.flat_map(ComparablePattern::pieces).flat_map(|piece| piece.windows(3));
    let octet = |window: &[u8]| {
        let digits = std::str::from_utf8(window.strip_prefix(b"%")?).ok()?;
        u8::from_str_radix(digits, 16).ok().filter(|octet| is_reserved(*octet))
    };
    windows.filter_map(octet).collect()
}
