//! Compares conversions with their sources, using questions that the converter did not choose.
//!
//! The files come from the generator in the engine's tests. Its small alphabets make patterns overlap often, and it
//! adds misspellings, missing colons, unusual bytes and line endings. `BYLEAVE_SEEDS` sets the number of files.

use byleave::{Crawler, Outcome, Policy, ProposedUse, Reading, Site, Usage};
use byleave_review::convert::{
    Conversion, LossCause, LossEffect, PathCase, TargetDirectives, TargetFile, convert, convert_resource,
};
use byleave_testing::generate::{ASKERS, Group, NAMES, Noise, Numbers, groups, noisy, url};

fn converted(text: &[u8], reading: Reading, target: TargetFile, capitals: PathCase) -> Conversion {
    convert(&Site::of_robots_txt(text, reading), target, capitals).unwrap()
}

fn seeds() -> u64 {
    std::env::var("BYLEAVE_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(30)
}

fn urls(numbers: &mut Numbers, groups: &[Group]) -> Vec<String> {
    let patterns: Vec<&str> =
        groups.iter().flat_map(|group| &group.rules).map(|(_, pattern)| pattern.as_str()).collect();
    let mut urls: Vec<String> = (0..40).map(|_| url(numbers, &patterns)).collect();
    let recased: Vec<String> = urls.iter().map(|url| recased(url, numbers)).collect();
    urls.extend(recased);
    urls
}

/// Returns the URL with the letter case changed in part of it.
fn recased(url: &str, numbers: &mut Numbers) -> String {
    let from = numbers.below(url.len() + 1);
    let change = |(at, letter): (usize, char)| match letter {
        letter if at < from => letter,
        letter if letter.is_ascii_lowercase() => letter.to_ascii_uppercase(),
        letter => letter.to_ascii_lowercase(),
    };
    url.char_indices().map(change).collect()
}

/// Returns the file without comments and with the fields of only one dialect.
fn only(text: &[u8], is_kept: impl Fn(&str) -> bool) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let lines = text.lines().map(|line| line.split('#').next().unwrap());
    lines
        .filter(|line| line.is_empty() || is_kept(&line.to_ascii_lowercase()))
        .map(|line| format!("{line}\n"))
        .collect::<String>()
        .into_bytes()
}

#[test]
fn s04_a_group_that_admits_one_crawler_admits_it_in_acap() {
    let source = b"User-agent: GoodBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n";
    let target = converted(source, Reading::Default, TargetFile::Acap, PathCase::Sensitive);
    assert!(target.is_exact(), "{:?}", target.losses);
    let may = |name: &str| {
        let (site, crawler) = (Site::of_robots_txt(&target.text, Reading::Default), Crawler::named(name));
        byleave::analysis::decide_unchecked(&site, &ProposedUse::new("/a", &crawler, &Usage::Crawl)).outcome
    };
    assert_eq!((may("GoodBot"), may("OtherBot")), (Outcome::Permitted, Outcome::Prohibited));
}

#[test]
fn groups_of_one_crawler_are_combined() {
    let source = b"User-agent: A\nUser-agent: B\nDisallow: /1\n\nUser-agent: B\nAllow: /1\nDisallow: /2\n\nUser-agent: *\nDisallow: /3\n";
    let target = converted(source, Reading::Default, TargetFile::Acap, PathCase::Sensitive);
    let expected = "ACAP-crawler: A\nACAP-allow-crawl: /\nACAP-disallow-crawl: /1\n\n\
        ACAP-crawler: B\nACAP-allow-crawl: /\nACAP-allow-crawl: /1\nACAP-disallow-crawl: /2\n\n\
        ACAP-crawler: *\nACAP-disallow-crawl: /3\n";
    assert_eq!(String::from_utf8_lossy(&target.text), expected);
    assert!(target.is_exact(), "{:?}", target.losses);
}

#[test]
fn s19_a_difference_of_case_is_reported() {
    let source = b"User-agent: *\nDisallow: /\nAllow: /pub/\n";
    let target = converted(source, Reading::Default, TargetFile::Acap, PathCase::Sensitive);
    assert_eq!(target.text, b"ACAP-crawler: *\nACAP-disallow-crawl: /\n");
    let told: Vec<_> = target.losses.iter().map(|loss| (loss.cause, loss.effect, loss.line)).collect();
    assert_eq!(told, [(LossCause::Case, LossEffect::Narrower, Some(3))]);
    let alike = converted(source, Reading::Default, TargetFile::Acap, PathCase::Insensitive);
    assert!(alike.is_exact(), "{:?}", alike.losses);
    assert_eq!(alike.text, b"ACAP-crawler: *\nACAP-disallow-crawl: /\nACAP-allow-crawl: /pub/\n");
}

#[test]
fn usages_that_robots_txt_cannot_express_are_reported() {
    let source = b"ACAP-crawler: *\nACAP-disallow-index: /1\nACAP-allow-preserve: / time-limit=3-days\nACAP-disallow-crawl: /2\n";
    let target = converted(source, Reading::Default, TargetFile::RobotsTxt, PathCase::Sensitive);
    assert_eq!(target.text, b"User-agent: *\nDisallow: /2\n");
    let told: Vec<_> = target.losses.iter().map(|loss| (loss.cause, loss.line)).collect();
    assert_eq!(told, [(LossCause::Usage, Some(2)), (LossCause::Usage, Some(3))]);
}

#[test]
fn reports_count_the_crawlers_of_a_group() {
    let source = b"User-agent: A\nUser-agent: B\nDisallow: /\nAllow: /pub/\n\nUser-agent: C\nDisallow: /\n";
    let target = converted(source, Reading::Default, TargetFile::Acap, PathCase::Sensitive);
    let told: Vec<_> = target.losses.iter().map(|loss| (loss.crawler.as_deref(), loss.crawlers)).collect();
    assert_eq!(told, [(Some("A"), 2)]);
}

#[test]
fn s50_groups_for_a_purpose_are_groups_of_their_own() {
    let source = b"User-agent: A\nDisallow: /a\nCrawl-delay: 3\n\nUser-agent-purpose: archive\nUser-agent-purpose: search\n\
        User-agent: B\nDisallow: /drafts/\nContent-Usage: train-ai=n\n\nUser-agent-purpose: search\nAllow: /drafts/s/\n\n\
        User-agent: *\nDisallow: /x\n";
    let target = converted(source, Reading::Default, TargetFile::RobotsTxt, PathCase::Sensitive);
    // Groups for purposes come first. A parser that does not know `User-agent-purpose` would add their rules to the
    // preceding group.
    let expected = "User-agent-purpose: archive\nDisallow: /drafts/\nContent-Usage: train-ai=n\n\n\
        User-agent-purpose: search\nDisallow: /drafts/\nAllow: /drafts/s/\nContent-Usage: train-ai=n\n\n\
        User-agent: A\nDisallow: /a\nCrawl-delay: 3\n\n\
        User-agent: B\nDisallow: /drafts/\nContent-Usage: train-ai=n\n\nUser-agent: *\nDisallow: /x\n";
    assert_eq!(String::from_utf8_lossy(&target.text), expected);
    assert!(target.is_exact() && target.is_proved, "{:?}", target.losses);
    let acap = converted(source, Reading::Default, TargetFile::Acap, PathCase::Insensitive);
    let told: Vec<_> = acap.losses.iter().map(|loss| (loss.cause, loss.effect, loss.line)).collect();
    let left_out = |cause, line| (cause, LossEffect::LeftOut, Some(line));
    let expected = [
        left_out(LossCause::Usage, 9),
        left_out(LossCause::Purpose, 5),
        left_out(LossCause::Purpose, 6),
        left_out(LossCause::Fact, 3),
    ];
    assert_eq!(told, expected, "{:#?}", acap.losses);
    assert!(!String::from_utf8_lossy(&acap.text).contains("/drafts/s/"));
}

#[test]
fn s50_a_group_for_a_purpose_that_prohibits_nothing_permits_nothing() {
    let source = b"User-agent-purpose: archive\nDisallow:\n\nUser-agent-purpose: search\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n";
    let target = converted(source, Reading::Default, TargetFile::RobotsTxt, PathCase::Sensitive);
    // A crawler with both purposes is bound by both groups.
    assert_eq!(String::from_utf8_lossy(&target.text), String::from_utf8_lossy(source));
    assert!(target.is_exact(), "{:?}", target.losses);
}

#[test]
fn s50_to_the_letter_of_rfc9309_a_purpose_is_a_field_that_decides_nothing() {
    let source = b"User-agent: A\nUser-agent-purpose: archive\nDisallow: /a\n";
    let target = converted(source, Reading::Rfc9309, TargetFile::RobotsTxt, PathCase::Sensitive);
    assert_eq!(target.text, b"User-agent: A\nDisallow: /a\n");
    let told: Vec<_> = target.losses.iter().map(|loss| (loss.cause, loss.line)).collect();
    assert_eq!(told, [(LossCause::Fact, Some(2))]);
}

#[test]
fn s40_fields_outside_of_groups_are_kept() {
    let source = b"License: https://a.example/licence.xml\nContent-Usage: train-ai=n\nCrawl-delay: 2\n\n\
        User-agent: *\nDisallow: /x\n\nACAP-crawler: *\nContent-Signal: ai-train=no\n";
    let target = converted(source, Reading::Default, TargetFile::RobotsTxt, PathCase::Sensitive);
    let expected = "License: https://a.example/licence.xml\nContent-Usage: train-ai=n\nCrawl-delay: 2\n\n\
        User-agent: *\nDisallow: /x\n";
    assert_eq!(String::from_utf8_lossy(&target.text), expected);
    // In an ACAP group, it is unclear which crawlers the field addresses.
    let told: Vec<_> = target.losses.iter().map(|loss| (loss.cause, loss.effect, loss.line)).collect();
    assert_eq!(told, [(LossCause::Usage, LossEffect::LeftOut, Some(9))]);
}

#[test]
fn s40_preferences_for_everyone_bind_those_that_acap_alone_names() {
    let source =
        b"User-agent: *\nDisallow: /x\nContent-Usage: train-ai=n\n\nACAP-crawler: A\nACAP-disallow-crawl: /a\n";
    let target = converted(source, Reading::Default, TargetFile::RobotsTxt, PathCase::Insensitive);
    let (after, crawler) = (Site::of_robots_txt(&target.text, Reading::Default), Crawler::named("A"));
    let decision = byleave::analysis::decide_unchecked(&after, &ProposedUse::new("/b", &crawler, &Usage::TrainAi));
    assert_eq!(decision.outcome, Outcome::Prohibited, "{}", String::from_utf8_lossy(&target.text));
}

#[test]
fn s31_what_acap_admits_may_be_used_no_more_than_before() {
    let source = b"User-agent: *\nDisallow: /x\nContent-Usage: train-ai=y\n\nACAP-crawler: *\nACAP-allow-crawl: /x/y\n";
    let target = converted(source, Reading::Default, TargetFile::RobotsTxt, PathCase::Insensitive);
    let ask = |text: &[u8]| {
        let (site, crawler) = (Site::of_robots_txt(text, Reading::Default), Crawler::named("A"));
        byleave::analysis::decide_unchecked(&site, &ProposedUse::new("/x/y", &crawler, &Usage::TrainAi)).outcome
    };
    assert_eq!((ask(source), ask(&target.text)), (Outcome::Unstated, Outcome::Permitted));
    let is_told = |loss: &byleave_review::convert::Loss| loss.usage == Some(Usage::TrainAi);
    assert!(target.losses.iter().any(is_told), "{:#?}", target.losses);
}

#[test]
fn preferences_that_acap_cannot_express_are_reported_as_such() {
    let source =
        b"User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /a search=y\nCrawl-delay: 2\nDisallow: /x\n";
    let target = converted(source, Reading::Default, TargetFile::Acap, PathCase::Insensitive);
    let told: Vec<_> = target.losses.iter().map(|loss| (loss.cause, loss.line)).collect();
    assert_eq!(told, [(LossCause::Usage, Some(2)), (LossCause::Fact, Some(4))]);
    assert!(target.losses.iter().all(|one| one.message.contains("decides nothing") == (one.cause == LossCause::Fact)));
}

/// Law: converting a robots.txt to its own dialect changes no decision.
#[test]
fn converting_to_the_same_dialect_changes_no_decision() {
    for seed in 0..seeds() {
        let numbers = &mut Numbers::new(seed);
        let groups = groups(numbers);
        let source = noisy(&groups, numbers, Noise::Any);
        let target = converted(&source, Reading::Rfc9309, TargetFile::RobotsTxt, PathCase::Sensitive);
        let (before, after) =
            (Policy::parse_as(&source, Reading::Rfc9309), Policy::parse_as(&target.text, Reading::Rfc9309));
        for name in ASKERS.iter().chain(&NAMES).chain(&["MSNPTC", "foo"]) {
            let crawler = Crawler::named(name);
            for url in urls(numbers, &groups) {
                let (before, after) = (before.bind(&crawler).may_crawl(&url), after.bind(&crawler).may_crawl(&url));
                assert_eq!(
                    before,
                    after,
                    "seed {seed}, `{name}` at `{url}`\n{}\n---\n{}",
                    source.escape_ascii(),
                    target.text.escape_ascii()
                );
            }
        }
    }
}

/// Law: the target prohibits what the source prohibits. If the target is robots.txt, paths in a different case are
/// exempt.
#[test]
fn no_conversion_permits_what_its_source_prohibits() {
    let (mut exact, mut asked) = (0, 0);
    for seed in 0..seeds() {
        let numbers = &mut Numbers::new(seed);
        let groups = groups(numbers);
        let source = noisy(&groups, numbers, Noise::Any);
        let site = Site::of_robots_txt(&source, Reading::Default);
        let urls = urls(numbers, &groups);
        for target in [TargetFile::Acap, TargetFile::RobotsTxt] {
            let converted = converted(&source, Reading::Default, target, PathCase::Sensitive);
            exact += usize::from(converted.is_exact());
            let (text, reading) = match target {
                TargetFile::Acap => (only(&converted.text, |line| line.starts_with("acap-")), Reading::Default),
                _ => (only(&converted.text, |line| !line.starts_with("acap-")), Reading::Rfc9309),
            };
            let after = Site::of_robots_txt(&text, reading);
            // In strict RFC 9309, a reserved character equals its escape. The default reading distinguishes them (C14).
            let has_escapes = |text: &[u8]| text.windows(2).any(|two| matches!(two, [b'%', b'2' | b'3' | b'4' | b'5']));
            let after_by_default = Site::of_robots_txt(&text, Reading::Default);
            for name in ASKERS.iter().chain(&NAMES) {
                let is_plain = name.bytes().all(|byte| byte.is_ascii_alphabetic() || b"_-".contains(&byte));
                // Names that are not plain are reported as losses. A name is also skipped if a strict parser shortens
                // another crawler's name to it.
                let is_cut = |other: &str| {
                    let cut =
                        other.split(|letter: char| !letter.is_ascii_alphabetic() && !"_-".contains(letter)).next();
                    other.len() > name.len() && cut.is_some_and(|cut| cut.eq_ignore_ascii_case(name))
                };
                let is_named = Policy::parse(&source).names(&Crawler::named(name));
                let is_mistaken = !is_named && NAMES.iter().any(|other| is_cut(other));
                if target == TargetFile::RobotsTxt && (!is_plain || is_mistaken) {
                    continue;
                }
                let crawler = Crawler::named(name);
                for url in &urls {
                    let proposed = ProposedUse::new(url, &crawler, &Usage::Crawl);
                    let is_escaped = has_escapes(url.as_bytes()) || has_escapes(&source);
                    let after = if is_escaped { &after_by_default } else { &after };
                    let (was, is) = (
                        byleave::analysis::decide_unchecked(&site, &proposed),
                        byleave::analysis::decide_unchecked(after, &proposed),
                    );
                    asked += 1;
                    assert!(
                        was.outcome != Outcome::Prohibited || is.outcome == Outcome::Prohibited,
                        "seed {seed}, {target:?}, `{name}` at `{url}`\n{}\n---\n{}\n{:#?}",
                        source.escape_ascii(),
                        converted.text.escape_ascii(),
                        converted.losses
                    );
                    let is_other = was.outcome != is.outcome;
                    assert!(
                        !is_other || !converted.is_exact(),
                        "seed {seed}, {target:?}, `{name}` at `{url}`: the conversion is reported as exact"
                    );
                }
            }
        }
    }
    println!("{asked} questions, {exact} exact");
    assert!(exact > 0);
}

/// Law: for every usage that has a directive, the directives restrict at least as much as the decisions about the
/// resource.
#[test]
fn directives_express_what_is_decided() {
    let source = b"ACAP-crawler: *\nACAP-allow-index: / time-limit=until-2030-12-31\nACAP-disallow-follow: /\n\
        ACAP-allow-present-snippet: / max-length=20-words\nACAP-crawler: B\nACAP-disallow-index: /\n";
    let site = Site::of_robots_txt(source, Reading::Default);
    let converted = convert_resource(&site, "/a", TargetDirectives::RobotsTag);
    assert_eq!(
        String::from_utf8_lossy(&converted.text),
        "Robots-Tag: *;nofollow;unavailable_after=@1924992000;max-snippet=39\nRobots-Tag: B;noindex\n"
    );
    let told: Vec<_> = converted.losses.iter().map(|loss| (loss.cause, loss.effect)).collect();
    assert_eq!(told, [(LossCause::Together, LossEffect::Narrower), (LossCause::Condition, LossEffect::Narrower)]);
}

#[test]
fn s50_directives_cannot_address_a_purpose() {
    let source = b"User-agent-purpose: archive\nDisallow: /d\n\nUser-agent: *\nDisallow: /x\n";
    let site = Site::of_robots_txt(source, Reading::Default);
    let told = |url: &str| -> Vec<_> {
        let converted = convert_resource(&site, url, TargetDirectives::RobotsTag);
        converted.losses.iter().map(|loss| (loss.cause, loss.crawler.clone())).collect()
    };
    assert_eq!(told("/d"), [(LossCause::Purpose, Some("User-agent-purpose: archive".to_owned()))]);
    assert_eq!(told("/e"), []);
}
