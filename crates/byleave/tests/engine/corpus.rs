//! Checks laws on real files: every file in the corpus, in every reading. Other tests check the same laws on generated
//! files.
//!
//! These tests run only if `BYLEAVE_CORPUS` names the folder with `data/robots.jsonl.gz` and `data/acap-real/`. Run
//! them with `--release`, because debug builds are slow.

use byleave::analysis::{decide_unchecked, explain_unchecked, tree};
use byleave::diagnostic::diagnose;
use byleave::{Compiler, Crawler, Policy, ProposedUse, Reading, Site, Usage};
use byleave_testing::generate::Numbers;
use byleave_testing::naive::{Asker, Naive};
use byleave_testing::{generate, real};

/// Law: the leaves of each file's tree cover the file, its decisions agree with brute force and with its explanations,
/// its diagnostics can be computed, and serializing and loading changes nothing.
#[test]
fn s34_every_real_file_reads_decides_explains_and_loads() {
    let Some(files) = real::files() else { return };
    for reading in Reading::OF_ROBOTS_TXT {
        let mut compiler = Compiler::new(*reading);
        for (number, (name, text)) in files.iter().enumerate() {
            let about = format!("{name} in the reading {reading}");
            let mut end = 0;
            for leaf in tree(text, *reading).leaves() {
                assert_eq!(leaf.span.start, end, "{about}");
                end = leaf.span.end;
            }
            assert_eq!(end as usize, text.len(), "{about}");
            let found = diagnose(text, *reading);
            assert!(found.iter().all(|diagnostic| diagnostic.span.end as usize <= text.len()), "{about}");
            ask(&about, text, &compiler.compile(text), number as u64);
        }
    }
    eprintln!("read {} files in {} readings", files.len(), Reading::OF_ROBOTS_TXT.len());
}

fn ask(about: &str, text: &[u8], policy: &Policy<'_>, seed: u64) {
    const URLS: usize = 6;
    let reading = policy.reading();
    let mut numbers = Numbers::new(seed);
    let is_letters = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphabetic() || b"_-".contains(&byte));
    let named: Vec<&str> = real::values(text, &["user-agent"]).into_iter().filter(is_letters).collect();
    let named = if named.is_empty() { "Nobody" } else { numbers.pick(&named) };
    let rules = real::values(text, &["allow", "disallow"]);
    let site = Site::of_robots_txt(text, reading);
    let naive = Naive::read(text, reading);
    let has_acap = text.windows(5).any(|five| five.eq_ignore_ascii_case(b"acap-"));
    let speaks_acap = has_acap && reading.switches().reads_acap;
    let saved = policy.to_bytes();
    let loaded = Policy::from_bytes(&saved).unwrap_or_else(|error| panic!("{about}: {error}"));
    for name in [named, "ByleaveUnknownCrawler"] {
        let crawler = Crawler::named(name);
        for _ in 0..URLS {
            let url = generate::url(&mut numbers, &rules);
            let about = format!("{about}, {name} at {url}");
            let proposed = ProposedUse::new(&url, &crawler, &Usage::Crawl);
            let decision = decide_unchecked(&site, &proposed);
            let explanation = explain_unchecked(&site, &proposed);
            let expected = naive.decide(&Asker { names: &[name], fallbacks: &[], purposes: &[] }, &url);
            if speaks_acap {
                // Brute force implements only RFC 9309. Other tests compare ACAP decisions with the model.
                assert_eq!(policy.bind(&crawler).may_crawl(&url), decision.is_allowed(), "{about}");
                assert_eq!(loaded.bind(&crawler).may_crawl(&url), decision.is_allowed(), "{about}");
                assert_eq!(explanation.decision, decision, "{about}");
                continue;
            }
            assert_eq!(policy.bind(&crawler).may_crawl(&url), expected.is_allowed, "{about}");
            assert_eq!(loaded.bind(&crawler).may_crawl(&url), expected.is_allowed, "{about}");
            assert_eq!(decision.is_allowed(), expected.is_allowed, "{about}");
            assert_eq!(explanation.decision.outcome, decision.outcome, "{about}");
            assert_eq!(explanation.decision.reason.name(), decision.reason.name(), "{about}");
            let lines: Vec<u32> = explanation.determined_by.iter().map(|statement| statement.line).collect();
            assert_eq!(lines, expected.determined, "{about}");
            for statement in &explanation.determined_by {
                let again = loaded.statements().get(statement.id).unwrap();
                assert_eq!((again.line, again.column), (statement.line, statement.column), "{about}");
            }
        }
    }
}
