//! Generates intents, writes rules for them, and checks with the engine that the rules express the intents. Also checks
//! that starter tests match the site's decisions.

use byleave::model::Modality;
use byleave::{Crawler, Document, Headers, Outcome, ProposedUse, Reading, Site, Usage};
use byleave_review::starter_tests::starter_tests;
use byleave_review::write::{Clause, Fidelity, Intent, WriteTarget, WrittenIntent, write};
use byleave_testing::generate::Numbers;

fn clause(modality: Modality, usages: &[Usage], crawlers: &[&str], paths: &[&str]) -> Clause {
    Clause {
        modality,
        usages: usages.to_vec(),
        crawlers: crawlers.iter().map(|name| (*name).to_owned()).collect(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        snippet: None,
        until: None,
    }
}

/// Returns the outcome of a carrier's lines, read without other documents, for a resource at this path.
fn outcome(written: &WrittenIntent, path: &str, pattern: &str, name: &str, usage: &Usage) -> Outcome {
    let block = written.blocks.iter().find(|block| block.path.as_deref().is_none_or(|known| known == pattern));
    let text = block.map(|block| block.lines.join("\n") + "\n").unwrap_or_default();
    let crawler = Crawler::named(name);
    let proposed = ProposedUse::new(path, &crawler, usage);
    let decide = |site: &Site<'_>| byleave::analysis::decide_unchecked(site, &proposed).outcome;
    match written.carrier {
        WriteTarget::RobotsTxt => decide(&Site::of_robots_txt(text.as_bytes(), Reading::Rfc9309)),
        WriteTarget::Acap | WriteTarget::ContentUsage | WriteTarget::ContentSignal => {
            decide(&Site::of_robots_txt(text.as_bytes(), Reading::Default))
        }
        WriteTarget::TdmRep => {
            let document = Document::new("/.well-known/tdmrep.json", text.as_bytes());
            decide(&Site::builder(Reading::Default).with_document(document).build())
        }
        WriteTarget::Meta => {
            let page = format!("<!doctype html><head>{text}</head><body>t</body>");
            decide(&Site::builder(Reading::Default).with_page(page.as_bytes()).build())
        }
        _ => {
            let lines = text.lines().map(|line| line.split_once(": ").unwrap());
            let headers = lines.fold(Headers::new(), |headers, (name, value)| headers.with(name, value));
            decide(&Site::builder(Reading::Default).with_headers(headers).build())
        }
    }
}

/// Law: a carrier that expresses an intent exactly decides as each clause states. The clauses here have different
/// usages.
#[test]
fn what_is_written_decides_as_intended() {
    let all = [
        Usage::Crawl,
        Usage::Index,
        Usage::Follow,
        Usage::Preserve,
        Usage::PresentSnippet,
        Usage::TrainAi,
        Usage::Translate,
    ];
    let names = ["FooBot", "Bar-Bot", "MJ12bot", "360Spider"];
    let paths = ["/", "/a/", "/a/b/", "/*.pdf$", "/x$"];
    let (mut exact, mut refused) = (0, 0);
    for seed in 0..300 {
        let numbers = &mut Numbers::new(seed);
        let mut usages = all.to_vec();
        numbers.shuffle(&mut usages);
        let mut clauses = Vec::new();
        for _ in 0..=numbers.below(3) {
            let Some(usage) = usages.pop() else { break };
            let modality = if numbers.one_in(2) { Modality::Permission } else { Modality::Prohibition };
            let crawlers: Vec<&str> = (0..numbers.below(3)).map(|_| numbers.pick(&names)).collect();
            let path = numbers.pick(&paths);
            clauses.push(clause(modality, &[usage], &crawlers, &[path]));
        }
        let Ok(intent) = Intent::new(&clauses) else {
            refused += 1;
            continue;
        };
        for written in write(&intent) {
            assert!(written.fidelity != Fidelity::Nothing || written.blocks.is_empty(), "seed {seed}");
            if written.fidelity != Fidelity::Exact {
                assert!(!written.unexpressed.is_empty() || !written.beyond.is_empty(), "seed {seed}: {written:?}");
                continue;
            }
            exact += 1;
            for clause in &clauses {
                let whom: Vec<&str> = if clause.crawlers.is_empty() {
                    vec!["Nobody"]
                } else {
                    clause.crawlers.iter().map(String::as_str).collect()
                };
                let pattern = &clause.paths[0];
                let path = pattern.trim_end_matches('$').replace('*', "q");
                for name in whom {
                    let is_odd =
                        written.carrier == WriteTarget::RobotsTxt && name.bytes().any(|byte| byte.is_ascii_digit());
                    let is = outcome(&written, &path, pattern, name, &clause.usages[0]);
                    let expected =
                        if clause.modality == Modality::Permission { Outcome::Permitted } else { Outcome::Prohibited };
                    assert!(
                        !is_odd || expected == Outcome::Permitted || is == expected,
                        "seed {seed}: robots.txt cannot exactly express a prohibition for a name with digits"
                    );
                    assert_eq!(is, expected, "seed {seed}, `{name}`: {clause:?}\n{written:#?}");
                }
            }
        }
    }
    println!("{exact} carriers express an intent exactly, {refused} intents refused");
    assert!(exact > 100 && refused > 5, "{exact} exact, {refused} refused");
}

/// Law: the starter tests match the site's decisions.
#[test]
fn starter_tests_are_what_is_decided() {
    let at = byleave::Timestamp::from_unix(1_767_225_600);
    for seed in 0..100 {
        let numbers = &mut Numbers::new(seed);
        let groups = byleave_testing::generate::groups(numbers);
        let text = byleave_testing::generate::noisy(&groups, numbers, byleave_testing::generate::Noise::Any);
        let site = Site::of_robots_txt(&text, Reading::Default);
        for one in starter_tests(&site, at).unwrap() {
            let crawler = Crawler::named(&one.crawler);
            let decision =
                byleave::analysis::decide_unchecked(&site, &ProposedUse::new(&one.url, &crawler, &one.usage));
            assert_eq!(decision.outcome, one.outcome, "seed {seed}: {one:?}");
            assert!(byleave::analysis::is_resource(&one.url), "seed {seed}: {one:?}");
        }
    }
}
