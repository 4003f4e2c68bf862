//! Checks that the answer to a question does not depend on earlier questions to the same site.

use byleave::analysis::{decide_unchecked, explain_unchecked};
use byleave::explain::report::Report;
use byleave::model::Capabilities;
use byleave::{Crawler, Decision, Document, Headers, Obtained, ProposedUse, Reading, Site, Usage};
use byleave_testing::generate::Numbers;

const ROBOTS_TXT: &str = "User-agent: *\nDisallow: /private/\nContent-Signal: ai-train=no\nLicense: /licence.xml\n\n\
     ACAP-crawler: *\nACAP-allow-index: /news/ time-limit=until-recrawled\nACAP-disallow-present-snippet: /\n\
     ACAP-permissions-reference: /more.txt\n";
/// No statement in these pages addresses `crawl`. The classes, marks and links address various other usages.
const PAGES: &[&str] = &[
    "<title>a</title><meta name=robots content=nofollow><body><p class=the-acap:disallow-index id=x>a</p>",
    "<title>a</title><p data-nosnippet id=x>a</p><!--googleoff: index-->b<!--googleon: index--><meta name=robots content=noindex>",
    "<title>a</title><body class=robots-nocontent><a rel=nofollow href=/b id=x>a</a>",
    "<title>a</title><p id=x>a</p>",
];

fn site<'s>(page: &'s str, dom: Option<&'s str>, reading: Reading) -> Site<'s> {
    let site = Site::builder(reading)
        .with_robots_txt(Obtained::Status(200), ROBOTS_TXT)
        .with_headers(Headers::new().with("X-Robots-Tag", "noarchive").with("Content-Usage", "search=y"))
        .with_page(page)
        .with_document(Document::new("/more.txt", "ACAP-crawler: *\nACAP-allow-index: /news/a$\n"))
        .with_document(Document::new("/ai.txt", "User-agent: *\nAllow: /news/\n"));
    dom.map_or(site.clone(), |dom| site.with_dom(dom)).build()
}

/// Returns every answer to a question, as values that can be compared.
fn answer(site: &Site<'_>, question: &Question) -> (Decision, Decision, String) {
    let crawler = Crawler::named("AnyBot");
    let mut capabilities = Capabilities::default();
    capabilities.body_meta = question.body_meta;
    let proposed = ProposedUse::new(question.path, &crawler, question.usage).with_capabilities(&capabilities);
    let proposed = question.element.map_or(proposed, |element| proposed.with_element(element));
    let explanation = explain_unchecked(site, &proposed);
    let report = Report::new(site, &proposed, &explanation);
    (decide_unchecked(site, &proposed), explanation.decision, serde_json::to_string(&report).unwrap())
}

struct Question {
    usage: &'static Usage,
    path: &'static str,
    element: Option<&'static str>,
    body_meta: bool,
}

fn questions() -> Vec<Question> {
    let mut all = Vec::new();
    for usage in [Usage::Crawl, Usage::Index, Usage::Follow, Usage::PresentSnippet, Usage::TrainAi, Usage::AiInput] {
        let usage = Usage::NAMED.iter().find(|named| **named == usage).unwrap();
        for (path, element) in [("/news/a", None), ("/private/", None), ("/news/a", Some("#x"))] {
            all.extend([false, true].map(|body_meta| Question { usage, path, element, body_meta }));
        }
    }
    all
}

#[test]
fn s32_the_order_of_questions_never_matters() {
    let questions = questions();
    for reading in [Reading::Default, Reading::Google, Reading::Bing] {
        for page in PAGES {
            for dom in [None, Some("<title>a</title><p id=x class=the-acap:disallow-index>a</p>")] {
                // Each question is asked separately, to a new site.
                let alone: Vec<_> = questions.iter().map(|one| answer(&site(page, dom, reading), one)).collect();
                for seed in 0..12 {
                    let mut numbers = Numbers::new(seed);
                    let mut order: Vec<usize> = (0..questions.len()).collect();
                    numbers.shuffle(&mut order);
                    let asked = site(page, dom, reading);
                    for number in order {
                        let question = &questions[number];
                        let about = (question.usage, question.path, question.element, question.body_meta);
                        assert_eq!(
                            answer(&asked, question),
                            alone[number],
                            "{reading} {about:?} of {page} in order {seed}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn sites_are_shared_between_threads() {
    fn is_shared<T: Send + Sync + 'static>(_: &T) {}
    let owned: Site<'static> = Site::builder(Reading::Default)
        .with_robots_txt(Obtained::Status(200), ROBOTS_TXT.as_bytes().to_vec())
        .with_page(PAGES[0].as_bytes().to_vec())
        .build();
    is_shared(&owned);
    let questions = questions();
    let alone: Vec<_> = questions.iter().map(|one| answer(&owned.to_builder().build(), one)).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (question, expected) in questions.iter().zip(&alone) {
                    assert_eq!(answer(&owned, question), *expected);
                }
            });
        }
    });
}
