//! Checks that every cell in a matrix equals the result of `decide`, on generated files and, with `BYLEAVE_CORPUS`, on
//! real files.
//!
//! `BYLEAVE_CORPUS=… cargo test --release -p byleave-review --test review matrix:: -- --nocapture` prints the time.

use byleave::analysis::decide_unchecked;
use byleave::{Headers, Obtained, Outcome, Reading, Site, Usage};
use byleave_review::matrix::{Cell, Matrix, MatrixQuestions};
use byleave_testing::generate::{Noise, Numbers, groups, noisy, url};
use std::time::{Duration, Instant};

/// Compares every cell with the engine's decision. Returns the number of cells.
fn check(site: &Site<'_>, asked: &MatrixQuestions, name: &str) -> usize {
    let matrix = Matrix::new(site, asked);
    let mut seen = 0;
    assert_eq!(matrix.tables.len(), asked.urls.len());
    for table in &matrix.tables {
        let told: usize = table.rows.iter().map(|row| row.crawlers.len()).sum();
        assert_eq!(told, asked.crawlers.len(), "{name}: every crawler is in one row");
        for who in &asked.crawlers {
            let row = table.row_of(who.crawler.name()).expect("a crawler has a row");
            assert_eq!(row.cells.len(), asked.usages.len());
            for (cell, usage) in row.cells.iter().zip(&asked.usages) {
                let decision = decide_unchecked(site, &asked.proposed(&table.url, &who.crawler, usage));
                let place = format!("{name}, {}, {usage:?} of {}", who.crawler.name(), table.url);
                assert_eq!((cell.outcome, cell.effective), (decision.outcome, decision.effective), "{place}");
                is_whole(cell, &place);
                let is_barred = decision.prerequisite.is_some() && decision.outcome != Outcome::Prohibited;
                let reason =
                    decision.prerequisite.filter(|_| is_barred).map_or(decision.reason, |barrier| barrier.reason);
                assert_eq!(reason.statement().is_none(), cell.statements.is_empty(), "{place}: {cell:?}");
                assert_eq!(cell.rule, if is_barred { "S-14" } else { decision.reason.rule() }, "{place}");
                seen += 1;
            }
        }
    }
    seen
}

/// Checks that a cell has a reason, a rule and complete statements.
fn is_whole(cell: &Cell, place: &str) {
    assert!(!cell.because.is_empty() && cell.rule.starts_with("S-"), "{place}: {cell:?}");
    assert!(cell.effective != Outcome::Conditional || !cell.conditions.is_empty(), "{place}: {cell:?}");
    for ground in &cell.statements {
        assert!(ground.line > 0 && !ground.document.is_empty(), "{place}: {cell:?}");
    }
}

const USAGES: [Usage; 5] = [Usage::Crawl, Usage::Index, Usage::PresentSnippet, Usage::Preserve, Usage::TrainAi];

#[test]
fn every_cell_is_what_decide_says_on_generated_files() {
    let mut seen = 0;
    for seed in 0..24 {
        let numbers = &mut Numbers::new(seed);
        let groups = groups(numbers);
        let text = noisy(&groups, numbers, Noise::Any);
        let acap = b"\nACAP-crawler: *\nACAP-allow-preserve: / time-limit=3-days\nACAP-crawler: foobot\n\
            ACAP-disallow-present: /a\nACAP-allow-present-snippet: / max-length=9-words\n";
        let text = if seed % 2 == 0 { text } else { [&text[..], acap].concat() };
        let patterns: Vec<&str> =
            groups.iter().flat_map(|group| &group.rules).map(|(_, pattern)| pattern.as_str()).collect();
        for reading in Reading::OF_ROBOTS_TXT {
            let site = Site::builder(*reading)
                .with_robots_txt(Obtained::Status(200), &text)
                .with_headers(
                    Headers::new().with("X-Robots-Tag", "foobot: noindex").with("Robots-Tag", "*;max-snippet=9"),
                )
                .build();
            let asked = USAGES.into_iter().fold(MatrixQuestions::new(&site), MatrixQuestions::of);
            let asked = (0..3).fold(asked, |asked, _| asked.about(url(numbers, &patterns)));
            seen += check(&site, &asked, &format!("seed {seed} in {reading}"));
        }
    }
    assert!(seen > 15_000, "{seen}");
}

#[test]
fn every_cell_is_what_decide_says_without_robots_txt() {
    for obtained in [Obtained::Status(404), Obtained::Status(503), Obtained::Unreachable, Obtained::TooManyRedirects] {
        let site = Site::builder(Reading::Default).with_robots_txt(obtained, b"").build();
        let asked = USAGES
            .into_iter()
            .fold(MatrixQuestions::of_all(&site), MatrixQuestions::of)
            .about("/a")
            .about("/robots.txt");
        check(&site, &asked, &format!("{obtained:?}"));
    }
    let nothing = Site::builder(Reading::Default).build();
    check(
        &nothing,
        &USAGES.into_iter().fold(MatrixQuestions::of_all(&nothing), MatrixQuestions::of).about("/a"),
        "nothing",
    );
}

#[test]
fn an_adversarial_file_is_asked_about_in_part() {
    let mut text: String = (0..3_000).map(|n| format!("User-agent: bot{n}\n")).collect();
    text.extend((0..1_000).map(|n| format!("Disallow: /*a*{n}\n")));
    let site = Site::of_robots_txt(text.as_bytes(), Reading::Default);
    let asked = MatrixQuestions::new(&site).of(Usage::Crawl).about("/aaaa");
    assert_eq!((asked.left_out, check(&site, &asked, "adversarial")), (2_800, 213));
}

#[test]
fn every_cell_is_what_decide_says_on_real_files() {
    let Some(files) = byleave_testing::real::files() else { return };
    let (mut seen, mut slowest, started) = (0, (Duration::ZERO, String::new()), Instant::now());
    for (number, (name, text)) in files.iter().enumerate() {
        let begun = Instant::now();
        let site = Site::of_robots_txt(text, Reading::Default);
        // For every tenth file, all crawlers in the catalogue are asked about.
        let asked = if number % 10 == 0 { MatrixQuestions::of_all(&site) } else { MatrixQuestions::new(&site) };
        let rules = byleave_testing::real::values(text, &["disallow", "allow"]);
        let path = rules.get(number % rules.len().max(1)).map_or("/", |rule| *rule).replace(['*', '$'], "x");
        let path = if path.starts_with('/') { path } else { "/".to_owned() };
        let asked = asked.of(Usage::Crawl).of(Usage::Index).about(path);
        seen += check(&site, &asked, name);
        slowest = slowest.max((begun.elapsed(), name.clone()));
    }
    eprintln!("{} files, {seen} cells, {:?}; slowest: {slowest:?}", files.len(), started.elapsed());
    assert!(seen > 100_000, "{seen}");
}
