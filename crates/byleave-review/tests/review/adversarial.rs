//! Checks that adversarial files have a bounded cost, and that the result states whether it is proven.

use byleave::{Reading, Site};
use byleave_review::compare::{Comparison, compare};
use byleave_review::convert::{PathCase, TargetFile, TargetPreferences, convert, convert_preferences};
use byleave_review::diff::{Difference, diff};
use byleave_review::{Proof, ReviewScope};

fn changes(old: &[u8], new: &[u8]) -> Difference {
    let [was, is] = [old, new].map(|text| Site::of_robots_txt(text, Reading::Default));
    diff(&was, &is, &ReviewScope::default())
}

fn readings(text: &[u8]) -> Comparison {
    let read: Vec<_> = Reading::OF_ROBOTS_TXT.iter().map(|reading| Site::of_robots_txt(text, *reading)).collect();
    compare(&read.iter().collect::<Vec<_>>(), &ReviewScope::default())
}

#[test]
fn many_wildcards_give_a_result_that_is_not_proven() {
    let rules: String = (0..40).map(|n| format!("Allow: /*{n}a*{n}b*{n}c\nDisallow: /*{n}c*{n}a\n")).collect();
    let (old, new) = (format!("User-agent: *\n{rules}"), format!("User-agent: *\n{rules}Disallow: /*z*y\n"));
    let found = changes(old.as_bytes(), new.as_bytes());
    assert_eq!(found.proof, Proof::NotProven);
    assert!(found.changes.iter().any(|change| change.places[0].pattern.as_deref() == Some("/*z*y")));
}

#[test]
fn any_bytes_have_an_answer() {
    let mut seed = 7u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u8
    };
    for _ in 0..40 {
        let mut noise = |length: usize| (0..length).map(|_| next()).collect::<Vec<u8>>();
        let lines: Vec<Vec<u8>> = (0..30)
            .map(|n| {
                let heads: [&[u8]; 6] =
                    [b"User-agent: ", b"Disallow: /", b"Allow: *", b"ACAP-crawler: ", b"ACAP-disallow-crawl: /", b""];
                [heads[n % 6], &noise(9), b"\n"].concat()
            })
            .collect();
        let new: Vec<u8> = lines.concat();
        let old: Vec<u8> = lines[..20].concat();
        let (found, compared) = (changes(&old, &new), readings(&new));
        assert!(found.changes.iter().all(|change| !change.sentence().is_empty()));
        assert!(compared.divergences.iter().all(|one| !one.sentence().is_empty()));
    }
}

#[test]
fn many_crawlers_with_many_rules_are_bounded() {
    let names: String = (0..600).map(|n| format!("User-agent: bot{n}\n")).collect();
    let rules: String = (0..1000).map(|n| format!("Disallow: /{n}/\n")).collect();
    let own: String = (0..600).map(|n| format!("User-agent: bot{n}\nDisallow: /own{n}/\n")).collect();
    let old = format!("{names}{rules}{own}");
    let found = changes(old.as_bytes(), (old.clone() + "Disallow: /more/\n").as_bytes());
    assert_eq!(found.proof, Proof::NotProven);
}

#[test]
fn many_fields_about_a_large_set_are_bounded() {
    let set: String = (0..10_000).map(|n| format!(" /{n}/")).collect();
    let fields = "ACAP-disallow-index: the-acap:resource-set:large\n".repeat(1_000);
    let old = format!("ACAP-resource-set: large{set}\nACAP-crawler: *\n{fields}");
    let found = changes(old.as_bytes(), (old.clone() + "ACAP-allow-follow: /a\n").as_bytes());
    assert_eq!(found.proof, Proof::NotProven);
}

#[test]
fn many_purposes_are_bounded_and_the_rest_is_reported() {
    let own = |n: usize| format!("User-agent-purpose: p{n}\nContent-Usage: /{n}/ train-ai=y\nDisallow: /own{n}/\n");
    let text: String = (0..3_000).map(own).chain(["ACAP-crawler: *\nACAP-allow-crawl: /own\n".to_owned()]).collect();
    let site = Site::of_robots_txt(text.as_bytes(), Reading::Default);
    let files =
        [TargetFile::Acap, TargetFile::RobotsTxt].map(|target| convert(&site, target, PathCase::Insensitive).unwrap());
    let usage = convert_preferences(&site, TargetPreferences::ContentUsage, PathCase::Insensitive);
    for converted in files.into_iter().chain([usage]) {
        assert!(converted.losses.iter().any(|loss| loss.message.contains("3000 purposes")));
    }
}
