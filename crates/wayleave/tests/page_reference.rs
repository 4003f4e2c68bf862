//! The engine equals the model on made-up sites: robots.txt, headers, a page, and the page after its scripts, in
//! one decision. And two laws that need no second reading (S-32, S-33).
//!
//! `WAYLEAVE_ROUNDS=20` makes twenty times as many sites. `WAYLEAVE_CASES` names a further case file whose pages
//! the model must judge as expected.

#![cfg(feature = "cases")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod generate;
mod model;

use generate::Numbers;
use model::cases::{self, ModelCase};
use model::html;
use model::page::Meta;
use model::pages::{self, MadeHeader, MadePage, MadeRobots, MadeSite};
use model::{Place, Question};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use wayleave::case::Case;

/// How many times as many sites as usual.
fn rounds() -> u64 {
    std::env::var("WAYLEAVE_ROUNDS").ok().map_or(1, |rounds| rounds.parse().expect("WAYLEAVE_ROUNDS is a number"))
}

/// An answer, with what determines it as it is written: for lines the document and the number, for METAs and
/// headers the carrier and the text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    outcome: String,
    effective: String,
    conditions: BTreeSet<String>,
    valid_until: Option<String>,
    determined_by: BTreeSet<(String, String)>,
}

/// Whoever answers: the engine or the model.
type Decide = fn(&Question) -> Answer;

fn engine(question: &Question) -> Answer {
    let line = cases::written(question);
    let run = Case::read(&line)
        .and_then(|case| case.run(wayleave::case::CaseFiles::default()))
        .unwrap_or_else(|error| panic!("{error}\n{line}"));
    let report = run.report;
    let statements = report.determined_by.iter().filter_map(|statement| match statement.carrier.as_str() {
        "meta" | "header" => Some((statement.carrier.clone(), as_compared(statement.text.as_ref()?))),
        _ => Some((statement.document.clone()?, statement.line?.to_string())),
    });
    Answer {
        determined_by: statements.collect(),
        conditions: report.conditions.into_iter().collect(),
        outcome: report.outcome,
        effective: report.effective,
        valid_until: report.valid_until,
    }
}

fn model(question: &Question) -> Answer {
    let answer = model::decide(question);
    let statement = |place: &Place| match place.0.as_str() {
        document if cases::is_page(document) => ("meta".to_owned(), as_compared(&cases::text_at(question, place))),
        document if cases::is_header(document) => ("header".to_owned(), as_compared(&cases::text_at(question, place))),
        document => (document.to_owned(), place.1.to_string()),
    };
    Answer {
        determined_by: answer.determined_by.iter().map(statement).collect(),
        outcome: answer.outcome,
        effective: answer.effective,
        conditions: answer.conditions,
        valid_until: answer.valid_until,
    }
}

/// A text without what one may write or leave: whitespace, case, the field's name before its value.
fn as_compared(text: &str) -> String {
    let text = text.split_ascii_whitespace().collect::<Vec<&str>>().join(" ").to_ascii_lowercase();
    let name = ["x-robots-tag:", "robots-tag:"].into_iter().find(|name| text.starts_with(name));
    text[name.map_or(0, str::len)..].trim().to_owned()
}

/// The case files of the repository, and the one that `WAYLEAVE_CASES` names.
fn case_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let entries = std::fs::read_dir(folder).expect("there is a conformance suite");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    paths.extend(std::env::var_os("WAYLEAVE_CASES").map(PathBuf::from));
    paths.sort();
    paths
}

/// How the names of cases begin that are about what the model does not do: HTML beyond the plainest, the finer points
/// of structured fields, locations in definitions, and what is outside of the grammars of META and headers.
const UNMODELLED: [&str; 13] = [
    "S-24 ",
    "S-23 a malformed member says nothing: a bad value of another parameter",
    "S-23 a rule in the place of a name, with rules of its own",
    "S-23 X-Robots-Tag: an unknown word with a number",
    "S-23 a rule behind",
    "S-23 rules parted by a bar",
    "S-23 the name of X-Robots-Tag written twice",
    "S-02 a denied word",
    "S-10 prohibitions parted by a comma alone",
    "S-10 a prohibition written as a field",
    "S-28 strawman: location in a definition",
    "S-09 beyond the grammar of META",
    "S-10 beyond the grammar of META",
];

/// Law: the model passes every case of the default reading whose page it can read.
#[test]
fn the_model_passes_the_cases_with_pages() {
    let mut passed = 0;
    let mut failures = Vec::new();
    for path in case_files() {
        let text = std::fs::read_to_string(&path).expect("a case file");
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let folder = path.parent().expect("a folder");
            let Some(case) = ModelCase::read_with_page(line, folder) else { continue };
            if UNMODELLED.iter().any(|start| case.name.starts_with(start)) {
                continue;
            }
            let found = case.failures(&model::decide(&case.question));
            passed += usize::from(found.is_empty());
            failures
                .extend(found.iter().map(|what| format!("{}:{} {}: {what}", path.display(), number + 1, case.name)));
        }
    }
    assert!(failures.is_empty(), "{passed} passed\n{}", failures.join("\n"));
    println!("{passed} cases passed");
}

/// Law: the pages that are made say what they are meant to say, as far as simple reading finds it.
#[test]
fn the_pages_that_are_made_have_the_metas_that_were_asked_for() {
    for seed in 0..1500 * rounds() {
        let (site, _) = pages::site(&mut Numbers::new(seed), 0);
        for page in site.page.iter().chain(&site.dom) {
            let page = page.page();
            let read = html::read(&page.html).unwrap_or_else(|| panic!("seed {seed}: {}", page.html));
            let sorted = |metas: &[Meta]| {
                let is_decoy = |meta: &&Meta| meta.name == "description";
                let mut metas: Vec<Meta> = metas.iter().filter(|meta| !is_decoy(meta)).cloned().collect();
                metas.sort();
                metas
            };
            assert_eq!(sorted(&read.metas), sorted(&page.metas), "seed {seed}: {}", page.html);
        }
    }
}

/// Law: outcome, effective outcome, conditions, validity and determining statements are the model's.
#[test]
fn s15_made_up_sites_are_decided_as_the_model_decides() {
    for seed in 0..3000 * rounds() {
        let mut numbers = Numbers::new(30_000_000 + seed);
        let (site, questions) = pages::site(&mut numbers, 4);
        for question in questions {
            let asked = site.asked(&question);
            if engine(&asked) != model(&asked) {
                let (site, question) = shrunk(site, question);
                let asked = site.asked(&question);
                let (engine, model) = (engine(&asked), model(&asked));
                panic!("seed {seed}\n{}\nengine {engine:#?}\nmodel {model:#?}", shown(&site, &question));
            }
        }
    }
}

/// The site and the question without all that can be left out while the difference stays.
fn shrunk(mut site: MadeSite, mut question: Question) -> (MadeSite, Question) {
    let differs = |site: &MadeSite, question: &Question| {
        let asked = site.asked(question);
        engine(&asked) != model(&asked)
    };
    while let Some(smaller) = smaller_sites(&site).into_iter().find(|smaller| differs(smaller, &question)) {
        site = smaller;
    }
    let plainer: [fn(&mut Question); 11] = [
        |question| question.fallbacks.clear(),
        |question| question.purposes.clear(),
        |question| question.purposes.truncate(1),
        |question| question.capabilities.unable.clear(),
        |question| question.capabilities.has_prior_arrangement = false,
        |question| question.capabilities.reads_not_ready = false,
        |question| question.capabilities.reads_body_meta = false,
        |question| question.capabilities.reads_strawman = false,
        |question| question.details = Default::default(),
        |question| question.first_used = None,
        |question| question.is_recrawled = false,
    ];
    for change in plainer {
        let mut changed = question.clone();
        change(&mut changed);
        if differs(&site, &changed) {
            question = changed;
        }
    }
    (site, question)
}

/// The site without one of its documents, lines, METAs or members, in every way.
fn smaller_sites(site: &MadeSite) -> Vec<MadeSite> {
    let mut smaller = Vec::new();
    let mut take = |change: &dyn Fn(&mut MadeSite)| {
        let mut without = site.clone();
        change(&mut without);
        smaller.push(without);
    };
    if site.dom.is_some() {
        take(&|site| site.dom = None);
    } else if site.page.is_some() {
        take(&|site| site.page = None);
    }
    if let MadeRobots::File(file) = &site.robots {
        take(&|site| site.robots = MadeRobots::Unknown);
        let of = |site: &mut MadeSite, change: &dyn Fn(&mut model::files::MadeFile)| {
            if let MadeRobots::File(file) = &mut site.robots {
                change(file);
            }
        };
        for at in 0..file.lines.len() {
            take(&|site| of(site, &|file| drop(file.lines.remove(at))));
        }
        for (locator, lines) in &file.references {
            for at in 0..lines.len() {
                take(&|site| of(site, &|file| drop(file.references.get_mut(locator).map(|lines| lines.remove(at)))));
            }
        }
    }
    for (at, header) in site.headers.iter().enumerate() {
        take(&|site| drop(site.headers.remove(at)));
        for member in 0..header.members.len() {
            take(&|site| drop(site.headers[at].members.remove(member)));
        }
    }
    for at in 0..site.page.as_ref().map_or(0, |page| page.metas.len()) {
        take(&|site| drop(site.page.as_mut().map(|page| page.metas.remove(at))));
    }
    for at in 0..site.dom.as_ref().map_or(0, |page| page.metas.len()) {
        take(&|site| drop(site.dom.as_mut().map(|page| page.metas.remove(at))));
    }
    // The same METAs, plainly written.
    for style in 0..3 {
        let is_plain = |page: &&MadePage| page.style <= style;
        if site.page.iter().chain(&site.dom).any(|page| !is_plain(&page)) {
            take(&|site| site.page.iter_mut().chain(&mut site.dom).for_each(|page| page.style = style));
        }
    }
    smaller.retain(|smaller| smaller.headers.iter().all(|header| !header.members.is_empty()));
    smaller
}

fn shown(site: &MadeSite, question: &Question) -> String {
    let mut text = format!("reading {}\n", site.reading);
    match &site.robots {
        MadeRobots::File(file) => {
            text.push_str(&model::files::joined(&file.lines));
            for (locator, lines) in &file.references {
                text.push_str(&format!("--- {locator}\n{}", model::files::joined(lines)));
            }
        }
        robots => text.push_str(&format!("robots.txt: {robots:?}\n")),
    }
    for header in &site.headers {
        text.push_str(&format!("--- {}: {}\n", header.name, header.members.join(", ")));
    }
    for (name, page) in [("page", &site.page), ("dom", &site.dom)] {
        for meta in page.iter().flat_map(|page| &page.metas) {
            text.push_str(&format!("--- {name}: {meta:?}\n"));
        }
    }
    let asked = site.asked(question);
    let plain = Question { page: None, dom: None, headers: Vec::new(), ..question.clone() };
    format!("{text}---\n{plain:?}\n{}", cases::written(&asked))
}

/// Law: the order of METAs and how they are written, the order of header lines and of members change nothing.
fn s32_holds(decide: Decide) {
    for seed in 0..400 * rounds() {
        let mut numbers = Numbers::new(40_000_000 + seed);
        let (site, questions) = pages::site(&mut numbers, 3);
        let again = permuted(&site, &mut numbers);
        for question in questions {
            let (one, two) = (decide(&site.asked(&question)), decide(&again.asked(&question)));
            let about = || format!("seed {seed}\n{}\nagainst\n{}", shown(&site, &question), shown(&again, &question));
            assert_eq!(one, two, "{}", about());
        }
    }
}

#[test]
fn s32_the_order_of_metas_and_headers_never_matters() {
    s32_holds(engine);
}

#[test]
fn s32_the_order_of_metas_and_headers_never_matters_in_the_model() {
    s32_holds(model);
}

/// The site with its METAs, header lines and members in another order, and its pages written in another way.
fn permuted(site: &MadeSite, numbers: &mut Numbers) -> MadeSite {
    let mut site = site.clone();
    for page in site.page.iter_mut().chain(&mut site.dom) {
        numbers.shuffle(&mut page.metas);
        page.style = numbers.below(1 << 40) as u64;
    }
    let is_list = |header: &MadeHeader| header.name.eq_ignore_ascii_case("Robots-Tag");
    let (lists, mut headers): (Vec<MadeHeader>, Vec<MadeHeader>) = site.headers.into_iter().partition(is_list);
    let mut members: Vec<String> = lists.into_iter().flat_map(|header| header.members).collect();
    numbers.shuffle(&mut members);
    while !members.is_empty() {
        let rest = members.split_off(1 + numbers.below(members.len()));
        headers.push(MadeHeader { name: "Robots-Tag", members });
        members = rest;
    }
    numbers.shuffle(&mut headers);
    MadeSite { headers, ..site }
}

/// Law: a DOM in which the scripts changed nothing changes nothing.
fn s25_holds(decide: Decide) {
    for seed in 0..400 * rounds() {
        let mut numbers = Numbers::new(60_000_000 + seed);
        let (site, questions) = pages::site(&mut numbers, 3);
        let alone = MadeSite { dom: None, ..site };
        let dom = alone.page.clone().map(|page| MadePage { style: numbers.below(1 << 40) as u64, ..page });
        let twice = MadeSite { dom, ..alone.clone() };
        for question in questions {
            let (one, two) = (decide(&alone.asked(&question)), decide(&twice.asked(&question)));
            assert_eq!(one, two, "seed {seed}\n{}", shown(&twice, &question));
        }
    }
}

#[test]
fn s25_a_dom_like_the_page_changes_nothing() {
    s25_holds(engine);
}

#[test]
fn s25_a_dom_like_the_page_changes_nothing_in_the_model() {
    s25_holds(model);
}

/// Law: without what is not named as determining the outcome stays; without what is named, outcome or
/// determining statements change.
fn s33_holds(decide: Decide) {
    for seed in 0..400 * rounds() {
        let mut numbers = Numbers::new(50_000_000 + seed);
        let (site, questions) = pages::site(&mut numbers, 3);
        if let MadeRobots::File(file) = &site.robots {
            // A newer qualifier makes its line absent where no version is declared: no statement to take away.
            let has_newer = |text: &str| text.contains("ref") || text.contains("target-condition");
            if file.lines.iter().any(|line| has_newer(&line.text)) {
                continue;
            }
        }
        for mut question in questions {
            // A substitute's own statements are not the question's.
            question.capabilities.has_prior_arrangement = false;
            let asked = site.asked(&question);
            let before = decide(&asked);
            let about = || format!("seed {seed}\n{}\nnamed {:?}", shown(&site, &question), before.determined_by);
            let is_named =
                |document: &str, text: &str| before.determined_by.contains(&(document.to_owned(), as_compared(text)));
            let only_named = decide(&without(&site, |document, text| !is_named(document, text)).asked(&question));
            assert_eq!(before.outcome, only_named.outcome, "{}", about());
            if !before.determined_by.is_empty() {
                let none_named = decide(&without(&site, is_named).asked(&question));
                let is_other = before.outcome != none_named.outcome || before.determined_by != none_named.determined_by;
                assert!(is_other, "{}", about());
            }
        }
    }
}

#[test]
fn s33_the_statements_that_are_named_did_it() {
    s33_holds(engine);
}

#[test]
fn s33_the_statements_that_are_named_did_it_in_the_model() {
    s33_holds(model);
}

/// The site without some of its statements. Versions and definitions stay.
fn without(site: &MadeSite, is_taken: impl Fn(&str, &str) -> bool) -> MadeSite {
    let mut site = site.clone();
    if let MadeRobots::File(file) = &mut site.robots {
        *file = file.silenced(|line| is_taken("robots.txt", &line.to_string()));
    }
    for page in site.page.iter_mut().chain(&mut site.dom) {
        let stays = |meta: &Meta| {
            let is_definition = meta.name.to_ascii_lowercase().starts_with("acap-");
            let words: Vec<String> = meta.content.split_ascii_whitespace().map(str::to_ascii_lowercase).collect();
            let is_version = words.len() == 3 && words[..2] == ["acap", "version"];
            is_definition || is_version && !words[2].contains("allow-") || !is_taken("meta", &meta.content)
        };
        page.metas.retain(stays);
    }
    for header in &mut site.headers {
        header.members.retain(|member| !is_taken("header", member));
    }
    site
}
