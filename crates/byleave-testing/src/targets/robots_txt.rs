//! Fuzz targets for robots.txt. `robots_txt` checks the rules of RFC 9309. `acap` checks ACAP, with a second file that
//! robots.txt may refer to.

use super::decisions::{self, essence};
use super::{Asked, BETWEEN, parted};
use crate::checks::brute_force::Pair;
use crate::checks::{saved, tree};
use crate::naive::Asker;
use byleave::analysis::{RobotsTxt, explain_unchecked, is_resource};
use byleave::diagnostic::Code;
use byleave::diagnostic::diagnose;
use byleave::{Compiler, Crawler, Document, Obtained, Outcome, Policy, Reading, Site, Usage};
use serde_json::Value;
use std::collections::BTreeSet;

/// Checks an input that consists of a question and robots.txt.
pub fn conventional(input: &[u8]) {
    let (asked, text) = Asked::read(input);
    let mut compiler = Compiler::new(Reading::Default);
    for reading in Reading::OF_ROBOTS_TXT {
        let leaves = tree::tiles(text, *reading);
        if let Some(leaf) = leaves.get(asked.url.len() % leaves.len().max(1)) {
            tree::replaces(text, *reading, *leaf, asked.name.as_bytes());
        }
        for diagnostic in diagnose(text, *reading) {
            assert!(diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end as usize <= text.len());
        }
        survives_saving(text, *reading, &asked);
        s32_line_ends_never_matter(text, *reading, &asked);
        decisions::hold(&Site::of_robots_txt(text, *reading), &asked.proposed());
        equals_brute_force(text, *reading, &asked);
        if *reading == Reading::Default {
            // A compiler that is used again must give the same policy as a new compiler.
            compiler.compile(b"User-agent: x\nDisallow: /\nSitemap: y\nACAP-crawler: *\nACAP-disallow-crawl: /\n");
            let again = compiler.compile(text);
            assert_eq!(again.to_bytes(), Policy::parse(text).to_bytes());
        }
    }
}

/// Law: a policy makes the same decisions after it is serialized and loaded, although it no longer has its text.
fn survives_saving(text: &[u8], reading: Reading, asked: &Asked) {
    let policy = Policy::parse_as(text, reading);
    let bytes = policy.to_bytes();
    let loaded = Policy::from_bytes(&bytes).expect("what was saved can be loaded");
    assert_eq!(loaded.to_bytes(), bytes);
    let bound = policy.bind(&asked.crawler);
    let expected = (bound.may_crawl(&asked.url), bound.bound_by());
    for other in [&loaded, &policy.clone().into_owned()] {
        saved::same(&policy, other, "saved");
        saved::same_names(&policy, other, "saved");
        let bound = other.bind(&asked.crawler);
        assert_eq!((bound.may_crawl(&asked.url), bound.bound_by()), expected);
    }
    let usages = [&asked.usage, &Usage::Crawl, &Usage::Index, &Usage::PresentSnippet];
    let (whole, alone) =
        (Site::builder(reading).with_policy(policy).build(), Site::builder(reading).with_policy(loaded).build());
    for usage in usages {
        let proposed = asked.about(usage);
        let (one, other) = (explain_unchecked(&whole, &proposed), explain_unchecked(&alone, &proposed));
        assert_eq!(essence(&one.decision), essence(&other.decision), "{usage:?}");
        assert_eq!(one.conditions, other.conditions, "{usage:?}");
        let places = |explanation: &byleave::Explanation<'_>| -> Vec<_> {
            let statements = explanation.determined_by.iter();
            statements.map(|one| (one.line, one.column, one.span)).collect()
        };
        assert_eq!(places(&one), places(&other), "{usage:?}");
    }
}

/// Law: CRLF line endings and a byte order mark do not change the decision, the lines or the diagnostics.
fn s32_line_ends_never_matter(text: &[u8], reading: Reading, asked: &Asked) {
    if text.contains(&b'\r') || text.starts_with(b"\xEF") {
        return;
    }
    let mut other = b"\xEF\xBB\xBF".to_vec();
    for byte in text {
        other.extend_from_slice(if *byte == b'\n' { b"\r\n" } else { std::slice::from_ref(byte) });
    }
    let told = |text: &[u8]| {
        let site = Site::of_robots_txt(text, reading);
        let explanation = explain_unchecked(&site, &asked.proposed());
        let lines = explanation.determined_by.iter().map(|one| (one.line, one.text.to_vec())).collect::<Vec<_>>();
        let lost = explanation.considered.iter().map(|lost| (lost.statement.line, lost.by.rule()));
        let lost: BTreeSet<(u32, &str)> = lost.collect();
        let codes = explanation.diagnostics.iter().map(|diagnostic| diagnostic.code);
        let codes: Vec<Code> = codes.filter(|code| *code != Code::ByteOrderMark).collect();
        (essence(&explanation.decision), explanation.conditions, lines, lost, codes)
    };
    assert_eq!(told(text), told(&other), "{reading}");
}

/// Law: in a file without ACAP, the engine and the naive reader, which tries every rule, agree.
fn equals_brute_force(text: &[u8], reading: Reading, asked: &Asked) {
    let site = Site::of_robots_txt(text, reading);
    let RobotsTxt::Read(policy) = site.robots_txt() else { panic!("robots.txt was given") };
    let speaks_acap = policy.statements().iter().any(|statement| statement.dialect == byleave::model::Dialect::Acap)
        || text.windows(4).any(|window| window.eq_ignore_ascii_case(b"acap"));
    // The semantics do not define odd crawler names, or text that is not a URL.
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let is_plain = !asked.name.is_empty() && asked.name.bytes().all(is_token) && is_resource(&asked.url);
    // The naive reader does not treat a NUL byte as the end of a line.
    let is_c_string = reading == Reading::Google && text.contains(&0);
    if !speaks_acap && is_plain && !is_c_string && text.len() < 100_000 {
        let asker = Asker { names: &[&asked.name], fallbacks: &[], purposes: &[] };
        Pair::new(text, reading).compare(&asker, &asked.url, true);
    }
}

/// Checks an input that consists of a question, robots.txt, and optionally a file that it refers to as `/more.txt`.
pub fn acap(input: &[u8]) {
    let (asked, rest) = Asked::read(input);
    let (text, more) = parted(rest);
    for reading in Reading::OF_ROBOTS_TXT {
        survives_saving(text, *reading, &asked);
        s32_line_ends_never_matter(text, *reading, &asked);
        let mut site = Site::builder(*reading).with_robots_txt(Obtained::Status(200), text);
        if let Some(more) = more {
            site = site.with_document(Document::new(MORE, more));
        }
        let site = site.build();
        for usage in [&asked.usage, &Usage::Crawl, &Usage::PresentSnippet] {
            decisions::hold(&site, &asked.about(usage));
        }
    }
    for reading in [Reading::Default, Reading::Strict] {
        s10_a_prohibition_of_the_resource_alone_holds(text, more, reading, &asked);
    }
}

const MORE: &str = "/more.txt";

/// Law: a prohibition for this crawler, this usage and exactly this resource prohibits, whatever else the file states.
fn s10_a_prohibition_of_the_resource_alone_holds(text: &[u8], more: Option<&[u8]>, reading: Reading, asked: &Asked) {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let is_plain_octet = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte);
    let path = &asked.url;
    let is_plain = path.starts_with('/') && !path.starts_with("//") && path.bytes().all(is_plain_octet);
    let name = if !asked.name.is_empty() && asked.name.bytes().all(is_token) { &asked.name } else { "AnyBot" };
    if !is_plain || path == "/robots.txt" || text.len() > 500_000 {
        return;
    }
    let usage = Usage::NAMED.iter().find(|usage| **usage == asked.usage).unwrap_or(&Usage::Index);
    let line = format!("\nACAP-crawler: {name}\nACAP-disallow-{}: {path}$ stray=1 junk\n", usage.name());
    let longer = [text, line.as_bytes()].concat();
    let mut site = Site::builder(reading).with_robots_txt(Obtained::Status(200), &longer);
    if let Some(more) = more {
        site = site.with_document(Document::new(MORE, more));
    }
    let site = site.build();
    let crawler = Crawler::named(name);
    let proposed = byleave::ProposedUse::new(path, &crawler, usage);
    let explanation = decisions::hold(&site, &proposed);
    assert_eq!(explanation.decision.outcome, Outcome::Prohibited, "{reading} {usage:?} {path}");
}

pub fn seed(case: &Value) -> Option<Vec<u8>> {
    Some(format!("{}{}", Asked::line(case)?, case["robots"].as_str()?).into_bytes())
}

pub fn acap_seed(case: &Value) -> Option<Vec<u8>> {
    let mut seed = seed(case).filter(|_| case["robots"].as_str().is_some_and(|text| text.contains("ACAP")))?;
    if let Some((locator, text)) = case["references"].as_object().and_then(|references| references.iter().next()) {
        seed = String::from_utf8(seed).ok()?.replace(locator, MORE).into_bytes();
        seed.extend_from_slice(BETWEEN);
        seed.extend_from_slice(text.as_str()?.as_bytes());
    }
    Some(seed)
}
