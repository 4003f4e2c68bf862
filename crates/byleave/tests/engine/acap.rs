//! Tests for ACAP in robots.txt that case files cannot express: adversarial files (S-34), serializing and loading, and
//! real files.
//!
//! These tests do not measure time. But with quadratic code, a test would take far too long to finish.

use byleave::analysis::{decide_unchecked, explain_unchecked};
use byleave::{Crawler, Document, Outcome, Policy, ProposedUse, Reading, Site, Usage};
use byleave_testing::real;

const SIZE: usize = 499_000;

/// Returns a file with `start` and as many lines as fit within the limit.
fn file(start: &str, line: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = start.to_owned();
    for n in 0.. {
        let line = line(n);
        if text.len() + line.len() > SIZE {
            break;
        }
        text.push_str(&line);
    }
    text.into_bytes()
}

fn verb(n: usize) -> &'static str {
    if n.is_multiple_of(2) { "allow" } else { "disallow" }
}

/// Decides and explains a file in every reading, for a path that matches all of its rules. Returns the outcome for
/// `crawl`.
fn survives(text: &[u8]) -> Outcome {
    let crawler = Crawler::named("AnyBot");
    let path = format!("/{}", "a".repeat(2000));
    for reading in Reading::OF_ROBOTS_TXT {
        let site = Site::of_robots_txt(text, *reading);
        for usage in [Usage::Crawl, Usage::PresentSnippet, Usage::named("zz")] {
            let proposed = ProposedUse::new(&path, &crawler, &usage);
            let decision = decide_unchecked(&site, &proposed);
            assert_eq!(explain_unchecked(&site, &proposed).decision, decision, "{reading}");
        }
    }
    let policy = Policy::parse(text);
    let saved = policy.to_bytes();
    let loaded = Policy::from_bytes(&saved).unwrap();
    assert_eq!(loaded.bind(&crawler).may_crawl(&path), policy.bind(&crawler).may_crawl(&path));
    let site = Site::of_robots_txt(text, Reading::Default);
    decide_unchecked(&site, &ProposedUse::new(&path, &crawler, &Usage::Crawl)).outcome
}

#[test]
fn s34_twenty_thousand_statements_that_oppose_each_other() {
    let any = "ACAP-crawler: *\n";
    let equal = file(any, |n| format!("ACAP-{}-crawl: /a\n", verb(n)));
    assert_eq!(survives(&equal), Outcome::Prohibited);
    let nested = file(any, |n| format!("ACAP-{}-crawl: /{}\n", verb(n), "a".repeat(n % 901)));
    assert_eq!(survives(&nested), Outcome::Permitted, "the longest, of 900 octets, permits");
    let wild = file(any, |n| format!("ACAP-{}-crawl: /*a*{}\n", verb(n), "a".repeat(n % 7)));
    assert_eq!(survives(&wild), Outcome::Prohibited);
    let mixed = file(any, |n| format!("ACAP-{}-crawl: /{}*a$\n", verb(n), "a".repeat(n % 100)));
    assert_eq!(survives(&mixed), Outcome::Prohibited);
}

#[test]
fn s34_adversarial_definitions() {
    let mut set = String::from("ACAP-resource-set: s");
    (0..10_000).for_each(|n| set.push_str(&format!(" /*a{}", "a".repeat(n % 10))));
    let start = format!("{set}\nACAP-crawler: *\n");
    let text = file(&start, |n| format!("ACAP-{}-crawl: the-acap:resource-set:s\n", verb(n)));
    assert_eq!(survives(&text), Outcome::Prohibited);

    let mut composite = String::from("ACAP-composite-usage: c");
    (0..20_000).for_each(|n| composite.push_str([" crawl", " index", " zz"][n % 3]));
    let start = format!("{composite}\nACAP-crawler: *\n");
    assert_eq!(survives(&file(&start, |_| "ACAP-allow-(c): /a\n".to_owned())), Outcome::Permitted);

    let composites: String = (0..10_000).map(|n| format!("ACAP-composite-usage: c{n} crawl\n")).collect();
    let start = format!("{composites}ACAP-crawler: *\n");
    assert_eq!(survives(&file(&start, |n| format!("ACAP-allow-(c{}): /a\n", n % 10_000))), Outcome::Permitted);

    let long = "n".repeat(100_000);
    let start = format!("ACAP-resource-set: {long} /a\nACAP-composite-usage: {long} crawl\nACAP-crawler: {long}\n");
    let text = format!("{start}ACAP-crawler: *\nACAP-allow-({long}): the-acap:resource-set:{long}\n");
    assert_eq!(survives(text.as_bytes()), Outcome::Permitted);
}

#[test]
fn s34_adversarial_groups() {
    let names: String = (0..15_000).map(|n| format!("ACAP-crawler: n{n}\n")).collect();
    let start = format!("{names}ACAP-crawler: *\n");
    assert_eq!(survives(&file(&start, |n| format!("ACAP-{}-crawl: /a\n", verb(n)))), Outcome::Prohibited);
    let groups = file("", |n| format!("ACAP-crawler: *\nACAP-{}-crawl: /a\n", verb(n)));
    assert_eq!(survives(&groups), Outcome::Prohibited);
    let purposes = file("ACAP-crawler: *\n", |n| format!("ACAP-usage-purpose: p{n}\nACAP-disallow-crawl: /a\n"));
    assert_eq!(survives(&purposes), Outcome::Permitted, "the crawler has no purpose");
    let references = file("ACAP-crawler: *\n", |n| format!("ACAP-permissions-reference: /{n}\n"));
    assert_eq!(survives(&references), Outcome::Prohibited);
    let qualifiers =
        format!("ACAP-crawler: *\nACAP-allow-present: /{}\n", " prohibited-modification=style".repeat(15_000));
    assert_eq!(survives(qualifiers.as_bytes()), Outcome::Permitted);
}

/// Law: a policy has the same ACAP statements after it is serialized and loaded, with the same lines and texts.
#[test]
fn a_serialized_policy_explains_the_same() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let text = std::fs::read(root.join("examples/herald/robots.txt")).unwrap();
    let library = std::fs::read(root.join("examples/herald/library.txt")).unwrap();
    let policy = Policy::parse(&text);
    let saved = policy.to_bytes();
    let loaded = Policy::from_bytes(&saved).unwrap();
    let document = || Document::new("/library.txt", &library);
    let before = Site::builder(Reading::Default)
        .with_robots_txt(byleave::Obtained::Status(200), &text)
        .with_document(document())
        .build();
    let after = Site::builder(Reading::Default).with_policy(loaded).with_document(document()).build();
    for name in ["NewsBot", "LibraryBot", "AnyBot"] {
        let crawler = Crawler::named(name);
        for usage in Usage::NAMED {
            for path in ["/news/1", "/news/drafts/2", "/subscribers/a.png", "/print/", "/robots.txt"] {
                let proposed = ProposedUse::new(path, &crawler, usage);
                let (read, kept) = (explain_unchecked(&before, &proposed), explain_unchecked(&after, &proposed));
                assert_eq!(read.decision, kept.decision, "{name} {} {path}", usage.name());
                assert_eq!(read.conditions, kept.conditions);
                let lines = |explanation: &byleave::Explanation<'_>| -> Vec<(String, u32, Vec<u8>)> {
                    let all = explanation.determined_by.iter();
                    all.map(|one| (one.document.to_owned(), one.line, one.text.to_vec())).collect()
                };
                assert_eq!(lines(&read), lines(&kept), "{name} {} {path}", usage.name());
                assert_eq!(read.sentence(&proposed), kept.sentence(&proposed));
            }
        }
    }
    for cut in 0..saved.len() {
        assert!(Policy::from_bytes(&saved[..cut]).is_err(), "{cut} bytes of {}", saved.len());
    }
}

/// Reads, decides and explains real ACAP files for every usage, and compares the results after serializing and loading.
#[test]
fn every_real_file_with_acap_decides_and_explains() {
    let Some(files) = real::files() else { return };
    let acap = files.iter().filter(|(_, text)| text.windows(5).any(|five| five.eq_ignore_ascii_case(b"acap-")));
    let mut count = 0;
    for (name, text) in acap {
        count += 1;
        let site = Site::of_robots_txt(text, Reading::Default);
        let saved = Policy::parse(text).to_bytes();
        let loaded = Site::builder(Reading::Default).with_policy(Policy::from_bytes(&saved).unwrap()).build();
        for crawler in ["AnyBot", "Googlebot", "gsa-crawler", "MSNPTC"].map(Crawler::named) {
            for usage in Usage::NAMED {
                for path in ["/", "/news/a.html", "/login/x?id=1", "/images/a.gif"] {
                    let proposed = ProposedUse::new(path, &crawler, usage);
                    let explanation = explain_unchecked(&site, &proposed);
                    assert_eq!(decide_unchecked(&site, &proposed), explanation.decision, "{name} {}", usage.name());
                    assert_eq!(decide_unchecked(&loaded, &proposed), explanation.decision, "{name} {}", usage.name());
                }
            }
        }
    }
    assert!(count > 20, "only {count} files contain ACAP fields");
}
