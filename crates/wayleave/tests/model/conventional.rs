//! Conventional records: which of them bind a crawler (S-35), and which rule RFC 9309 selects (S-13).

use super::Question;
use super::document::{ConventionalRecord, ConventionalRule, Document};
use super::pattern::{Pattern, resource};
use super::statements::Statement;
use wayleave::Usage;

/// The rule that RFC 9309 selects, as one statement with all that are equally long and say the same; nothing
/// where no rule matches.
pub fn s13_select(robots: &Document, question: &Question) -> Option<Statement> {
    if robots.ignores_conventional_records {
        return None;
    }
    let (is_named, records) = s13_records(robots, question);
    let path = resource(&question.url);
    let mut matching: Vec<(Pattern, &ConventionalRule)> = Vec::new();
    for rule in records.iter().flat_map(|record| &record.rules) {
        let pattern = Pattern::read(&rule.value);
        if matches!(rule.value.first(), Some(b'/' | b'*')) && pattern.matches(&path) {
            matching.push((pattern, rule));
        }
    }
    let longest = matching.iter().map(|(pattern, _)| pattern.length()).max()?;
    matching.retain(|(pattern, _)| pattern.length() == longest);
    let permits = matching.iter().any(|(_, rule)| rule.permits);
    matching.retain(|(_, rule)| rule.permits == permits);
    Some(Statement {
        places: matching.iter().map(|(_, rule)| (robots.name.clone(), rule.line)).collect(),
        permits,
        usage: Usage::Crawl,
        patterns: matching.iter().map(|(pattern, _)| pattern.folded()).collect(),
        is_named,
        purposes: Vec::new(),
        conditions: Vec::new(),
        is_conventional: true,
        locations: Vec::new(),
    })
}

/// The records that bind the crawler, and whether they name it.
fn s13_records<'d>(robots: &'d Document, question: &Question) -> (bool, Vec<&'d ConventionalRecord>) {
    let those = |meets: &dyn Fn(&[u8]) -> bool| -> Vec<&'d ConventionalRecord> {
        robots.conventional.iter().filter(|record| record.names.iter().any(|name| meets(name))).collect()
    };
    let own = those(&|written| s35_names_crawler(written, question));
    if !own.is_empty() {
        return (true, own);
    }
    for fallback in &question.fallbacks {
        let found = those(&|written| s35_is_name(written, fallback));
        if !found.is_empty() {
            return (true, found);
        }
    }
    (false, those(&s35_is_any))
}

/// `*`, alone or followed by a blank and more.
pub fn s35_is_any(written: &[u8]) -> bool {
    matches!(written, [b'*'] | [b'*', b' ' | b'\t', ..])
}

/// Whether a written name is one of the crawler's.
pub fn s35_names_crawler(written: &[u8], question: &Question) -> bool {
    let mut names = vec![question.crawler.clone()];
    if let Some(text) = &question.user_agent {
        names.extend(s35_product_tokens(text));
    }
    names.iter().any(|name| s35_is_name(written, name))
}

/// Whether a written name, whole or cut, is the crawler's name, with its version or without.
fn s35_is_name(written: &[u8], name: &str) -> bool {
    let is_name_octet = |octet: &u8| octet.is_ascii_alphanumeric() || b"_.-".contains(octet);
    let end = written.iter().position(|octet| !is_name_octet(octet)).unwrap_or(written.len());
    let cut = &written[..end];
    let without_version = name.split('/').next().unwrap_or_default();
    [name, without_version].iter().any(|own| {
        let is_own = |written: &[u8]| !written.is_empty() && written.eq_ignore_ascii_case(own.as_bytes());
        is_own(written) || is_own(cut)
    }) && written.len() <= 65_535
}

/// The products of a User-Agent string, comments left out.
fn s35_product_tokens(text: &str) -> Vec<String> {
    let mut depth = 0;
    let mut outside = String::new();
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            letter if depth <= 0 => outside.push(letter),
            _ => {}
        }
    }
    let products = outside.split_whitespace().filter_map(|word| word.split('/').next());
    products.filter(|product| !product.is_empty()).map(str::to_owned).collect()
}
