//! The patterns that apply to a crawler and a usage, prepared for the walk over paths (`regions`).
//!
//! Patterns come from conventional rules, ACAP fields and preferences. One more pattern represents `/robots.txt`
//! itself. Each pattern records which policies contain it and whether they agree about it.

use crate::budget::Budget;
use crate::regions::{ApplicablePattern, Regions, Space, Ties, Wanted, is_reserved};
use byleave::analysis::{ApplicableField, ApplicableRules, CanonicalPreference, ComparablePattern};
use byleave::model::Modality;
use byleave::{Reading, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the patterns of the conventional rules in several policies. Each policy comes with the number of its
/// reading. A rule that several policies share is listed once.
pub(crate) fn rule_patterns(all_applicable: &[(&ApplicableRules, usize)]) -> Vec<ApplicablePattern> {
    let mut sides: BTreeMap<(&ComparablePattern, u32, bool, usize), u8> = BTreeMap::new();
    let mut all = 0;
    for (side, (applicable, reading)) in all_applicable.iter().enumerate() {
        all |= 1 << side;
        for rule in &applicable.rules {
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

/// Returns the distinct patterns of the ACAP fields that apply to a usage. A pattern is marked as changed if the
/// policies state different things about it.
pub(crate) fn field_patterns(usage: &Usage, all_applicable: &[ApplicableRules]) -> Vec<ApplicablePattern> {
    let mut patterns: BTreeMap<&ComparablePattern, Vec<Vec<&ApplicableField>>> = BTreeMap::new();
    for (side, applicable) in all_applicable.iter().enumerate() {
        for field in applicable.fields.iter().filter(|field| field.may_apply_to(usage)) {
            let sides = patterns.entry(&field.pattern).or_insert_with(|| vec![Vec::new(); all_applicable.len()]);
            sides.get_mut(side).into_iter().for_each(|fields| fields.push(field));
        }
    }
    let entry = |(pattern, sides): (&ComparablePattern, Vec<Vec<&ApplicableField>>)| ApplicablePattern {
        pattern: pattern.clone(),
        reading: 0,
        sides: u8::MAX,
        rank: None,
        permits: false,
        is_changed: !state_the_same(sides),
    };
    patterns.into_iter().map(entry).collect()
}

/// Returns whether all policies state the same things about one pattern, in any order.
fn state_the_same(mut sides: Vec<Vec<&ApplicableField>>) -> bool {
    if are_equal(&sides) {
        return true;
    }
    let key = |field: &&ApplicableField| (field.addressee, field.canonical().cloned());
    sides.iter_mut().for_each(|fields| fields.sort_by_cached_key(key));
    are_equal(&sides)
}

/// Returns whether all policies have the same fields in the same order.
fn are_equal(sides: &[Vec<&ApplicableField>]) -> bool {
    let is_same = |one: &ApplicableField, other: &ApplicableField| {
        let is_canonically_equal = one.canonical().is_some() && one.canonical() == other.canonical();
        one.addressee == other.addressee && is_canonically_equal
    };
    let mut others = sides.iter();
    let Some(first) = others.next() else { return true };
    others.all(|other| first.len() == other.len() && first.iter().zip(other).all(|(one, other)| is_same(one, other)))
}

/// Returns the distinct patterns of the preferences that apply to a usage. A pattern is marked as changed if the
/// policies state different things about it. If a preference permits only what may be crawled (S-31), the patterns of
/// conventional rules are included.
pub(crate) fn preference_patterns(
    usage: &Usage,
    all_applicable: &[(&ApplicableRules, usize)],
) -> Vec<ApplicablePattern> {
    let mut patterns: BTreeMap<&ComparablePattern, Vec<BTreeSet<&CanonicalPreference>>> = BTreeMap::new();
    let mut depends_on_rules = false;
    for (side, (applicable, _)) in all_applicable.iter().enumerate() {
        for one in applicable.preferences.iter().filter(|one| one.may_apply_to(usage)) {
            let sides = patterns.entry(&one.pattern).or_insert_with(|| vec![BTreeSet::new(); all_applicable.len()]);
            sides.get_mut(side).into_iter().for_each(|forms| {
                forms.insert(one.canonical());
            });
            depends_on_rules |= one.depends_on_rules;
        }
    }
    let is_known = |sides: &[BTreeSet<&CanonicalPreference>]| sides.windows(2).all(|two| two.first() == two.last());
    let entry = |(pattern, sides): (&ComparablePattern, Vec<BTreeSet<&CanonicalPreference>>)| ApplicablePattern {
        pattern: pattern.clone(),
        reading: 0,
        sides: u8::MAX,
        rank: None,
        permits: false,
        is_changed: !is_known(&sides),
    };
    let mut patterns: Vec<ApplicablePattern> = patterns.into_iter().map(entry).collect();
    // No preference addresses `crawl`, so this never adds the conventional rules a second time.
    if depends_on_rules {
        patterns.extend(rule_patterns(all_applicable));
    }
    patterns
}

/// Returns every pattern that applies to one of these usages in any policy, marked as changed.
pub(crate) fn patterns_for_usages(usages: &[Usage], all_applicable: &[ApplicableRules]) -> Vec<ApplicablePattern> {
    let mut patterns: BTreeSet<&ComparablePattern> = BTreeSet::new();
    for applicable in all_applicable {
        let fields = applicable.fields.iter().filter(|field| usages.iter().any(|usage| field.may_apply_to(usage)));
        patterns.extend(fields.map(|field| &field.pattern));
        patterns.extend(applicable.preferences.iter().map(|one| &one.pattern));
        // Some preferences permit only what may be crawled (S-31).
        let depends_on_rules = applicable.preferences.iter().any(|one| one.depends_on_rules);
        patterns.extend(applicable.rules.iter().filter(|_| depends_on_rules).map(|rule| &rule.pattern));
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

/// Returns whether a preference applies to a usage.
pub(crate) fn has_preference(usage: &Usage, applicable: &ApplicableRules) -> bool {
    applicable.preferences.iter().any(|one| one.may_apply_to(usage))
}

/// Returns all patterns that apply to a usage in several policies, if every statement about the usage prohibits it.
/// Every matching path is then prohibited, so the patterns act like rules of equal rank. Each policy comes with the
/// number of its reading.
///
/// Returns `None` if a statement permits or has conditions or purposes, if a preference addresses the usage, or if a
/// referenced file is missing.
pub(crate) fn prohibition_patterns(
    usage: &Usage,
    all_applicable: &[(&ApplicableRules, usize)],
) -> Option<Vec<ApplicablePattern>> {
    let mut sides: BTreeMap<(&ComparablePattern, usize), u8> = BTreeMap::new();
    let mut all = 0;
    for (side, (applicable, reading)) in all_applicable.iter().enumerate() {
        all |= 1 << side;
        // A missing referenced file prohibits everything (S-21).
        if !applicable.unread.is_empty() || has_preference(usage, applicable) {
            return None;
        }
        for field in applicable.fields.iter().filter(|field| field.may_apply_to(usage)) {
            // ACAP patterns are matched as in the default reading, which is reading 0.
            *sides.entry((&field.pattern, 0)).or_default() |= field.prohibits(usage).then_some(1 << side)?;
        }
        // Conventional rules address only `crawl` (S-13).
        for rule in applicable.rules.iter().filter(|_| *usage == Usage::Crawl) {
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
    // If anything changed, `/robots.txt` must be checked too.
    let is_changed = sides.values().any(|sides| *sides != all);
    let itself = (*usage == Usage::Crawl).then(|| ApplicablePattern { is_changed, ..robots_txt_pattern() });
    Some(sides.into_iter().map(entry).chain(itself).collect())
}

/// Returns the pattern for `/robots.txt` itself, which is always permitted (S-13). It outranks all rules.
pub(crate) fn robots_txt_pattern() -> ApplicablePattern {
    let pattern = ComparablePattern::exactly(b"/robots.txt");
    ApplicablePattern { pattern, reading: 0, sides: u8::MAX, rank: Some(u32::MAX), permits: true, is_changed: false }
}

/// Returns one normalized path for each region that the policies distinguish for a usage, each policy in its own
/// reading. The regions depend on `fields` and, for `crawl`, also on conventional rules.
pub(crate) fn walk_in_readings(
    usage: &Usage,
    fields: Vec<ApplicablePattern>,
    policies: &[(&ApplicableRules, Reading)],
    escaped: &BTreeSet<u8>,
    budget: &Budget,
) -> Regions {
    // Conventional rules address only `crawl` (S-13).
    let rules = if *usage == Usage::Crawl { policies } else { &[] };
    // A missing referenced file decides for every path (S-21).
    let is_by_rules = fields.is_empty() && policies.iter().all(|(applicable, _)| applicable.unread.is_empty());
    // ACAP patterns are matched as in the default reading.
    let mut readings = vec![Reading::Default];
    let mut numbered: Vec<(&ApplicableRules, usize)> = Vec::new();
    for (applicable, reading) in rules {
        // If no pattern escapes a reserved character, all readings compare a URL in the same way.
        let is_known = |known: &Reading| known.switches().escapes == reading.switches().escapes;
        let known = if escaped.is_empty() { Some(0) } else { readings.iter().position(is_known) };
        numbered.push((applicable, known.unwrap_or(readings.len())));
        if known.is_none() {
            readings.push(*reading);
        }
    }
    let alone: Vec<(&ApplicableRules, usize)> = policies.iter().map(|(applicable, _)| (*applicable, 0)).collect();
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

/// Returns the reserved characters that some pattern escapes, such as `/` if a pattern contains `%2F`.
pub(crate) fn escaped_in<'b>(all_applicable: impl IntoIterator<Item = &'b ApplicableRules>) -> BTreeSet<u8> {
    let patterns = all_applicable.into_iter().flat_map(|applicable| {
        let of_fields = applicable.fields.iter().map(|field| &field.pattern);
        let of_preferences = applicable.preferences.iter().map(|one| &one.pattern);
        applicable.rules.iter().map(|rule| &rule.pattern).chain(of_fields).chain(of_preferences)
    });
    let windows = patterns.flat_map(ComparablePattern::pieces).flat_map(|piece| piece.windows(3));
    let octet = |window: &[u8]| {
        let digits = std::str::from_utf8(window.strip_prefix(b"%")?).ok()?;
        u8::from_str_radix(digits, 16).ok().filter(|octet| is_reserved(*octet))
    };
    windows.filter_map(octet).collect()
}
