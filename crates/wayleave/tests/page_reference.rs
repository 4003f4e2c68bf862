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
use model::Question;
use model::cases::{self, ModelCase};
use model::compared::{Decide, as_compared, assert_model_passes, engine, model, rounds};
use model::html;
use model::page::Meta;
use model::pages::{self, MadeHeader, MadePage, MadeRobots, MadeSite};
use model::smaller::{plainer_question, smaller_sites};

/// How the names of cases begin that are about what the model does not do: HTML beyond the plainest, the finer points
/// of structured fields, locations in definitions, and what is outside of the grammars of META and headers.
const UNMODELLED: [&str; 15] = [
    "S-28 a fragment",
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
    "S-09 beyond the grammar",
    "S-10 beyond the grammar",
    "S-11 beyond the grammar",
];

/// Law: the model passes every case of the default reading whose page it can read.
#[test]
fn the_model_passes_the_cases_with_pages() {
    assert_model_passes(ModelCase::read_with_page, &UNMODELLED);
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
    let mut compared = 0;
    for seed in 0..3000 * rounds() {
        let mut numbers = Numbers::new(30_000_000 + seed);
        let (site, questions) = pages::site(&mut numbers, 4);
        for question in questions {
            compared += 1;
            let asked = site.asked(&question);
            if engine(&asked) != model(&asked) {
                let (site, question) = shrunk(site, question);
                let asked = site.asked(&question);
                let (engine, model) = (engine(&asked), model(&asked));
                panic!("seed {seed}\n{}\nengine {engine:#?}\nmodel {model:#?}", shown(&site, &question));
            }
        }
    }
    println!("compared {compared} questions");
}

/// The site and the question without all that can be left out while the difference stays.
fn shrunk(mut site: MadeSite, question: Question) -> (MadeSite, Question) {
    let differs = |site: &MadeSite, question: &Question| {
        let asked = site.asked(question);
        engine(&asked) != model(&asked)
    };
    while let Some(smaller) = smaller_sites(&site).into_iter().find(|smaller| differs(smaller, &question)) {
        site = smaller;
    }
    let question = plainer_question(question, |question| differs(&site, question));
    (site, question)
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
            let only_named = decide(&site.without(&|document, text| !is_named(document, text)).asked(&question));
            assert_eq!(before.outcome, only_named.outcome, "{}", about());
            if !before.determined_by.is_empty() {
                let none_named = decide(&site.without(&is_named).asked(&question));
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
