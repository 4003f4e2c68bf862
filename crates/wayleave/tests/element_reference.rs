//! The engine equals the model on statements on elements: classes, the Robot Exclusion Profile, `rel=nofollow`, the
//! strawman's fragments, and the parts that conditions name.
//!
//! The scope of a statement is a subtree, so every comparison here is one of trees too: the model takes html5ever's own
//! tree, and the pages leave out end tags, put them out of order, and put into tables what moves out of them. An
//! engine that forgets an implied end tag (`<li class=X>A<li id=b>B`) has `#b` inside of X, names X as what determines
//! the answer, and differs from the model. [`wrong_trees_show`] has the model itself do that, with a stack of tags for a
//! tree, and counts how often its answers change.
//!
//! `WAYLEAVE_ROUNDS=20` makes twenty times as many sites. `WAYLEAVE_CASES` names a further case file whose pages
//! the model must judge as expected.

#![cfg(feature = "cases")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod generate;
mod model;

use generate::Numbers;
use model::cases::{self, ModelCase};
use model::compared::{Decide, as_compared, assert_model_passes, engine, model, rounds};
use model::made_elements::{self, MadeElements, Markup, PLAINLY, Piece, SEEMING, SEEMING_WITHOUT_CLASS, Tag};
use model::oracle::elements::as_tags_nest;
use model::page::Page;
use model::pages::MadeRobots;
use model::smaller::{plainer_question, smaller_sites};
use model::tree::{self, Kind};
use model::{Capabilities, Question};
use wayleave::{Reading, Usage};

/// How the names of cases begin that are about what the model does not do: pages that are no HTML, locations in
/// definitions, and what is outside of the grammar of META.
const UNMODELLED: [&str; 9] = [
    "S-24 in XHTML",
    "S-24 META in ",
    "S-28 strawman: location in a definition",
    "S-09 beyond the grammar",
    "S-10 beyond the grammar",
    "S-11 beyond the grammar",
    "S-24 beyond the grammar",
    "S-10 prohibitions parted by a comma alone",
    "S-10 a prohibition written as a field",
];

/// Law: the model passes every case of the default reading that has a page.
#[test]
fn the_model_passes_the_cases_with_elements() {
    assert_model_passes(ModelCase::read_with_tree, &UNMODELLED);
}

/// Law: outcome, effective outcome, conditions, validity and determining statements are the model's.
#[test]
fn s16_made_up_elements_are_decided_as_the_model_decides() {
    let mut compared = 0;
    for seed in 0..if cfg!(debug_assertions) { 1_000 } else { 4_000 } * rounds() {
        let mut numbers = Numbers::new(70_000_000 + seed);
        let (site, questions) = made_elements::site(&mut numbers, 4);
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

fn shown(site: &MadeElements, question: &Question) -> String {
    let mut text = format!("--- page\n{}\n", site.page.written());
    if let Some(dom) = &site.dom {
        text.push_str(&format!("--- dom\n{}\n", dom.written()));
    }
    if let MadeRobots::File(file) = &site.site.robots {
        text.push_str(&format!("--- robots.txt\n{}", model::files::joined(&file.lines)));
    }
    format!("{text}---\n{}", cases::written(&site.asked(question)))
}

/// The site and the question without all that can be left out while the difference stays.
fn shrunk(mut site: MadeElements, question: Question) -> (MadeElements, Question) {
    let differs = |site: &MadeElements, question: &Question| {
        let asked = site.asked(question);
        engine(&asked) != model(&asked)
    };
    while let Some(smaller) = smaller(&site).into_iter().find(|smaller| differs(smaller, &question)) {
        site = smaller;
    }
    let question = plainer_question(question, |question| differs(&site, question));
    (site, question)
}

/// The site without one of its lines, tags, classes or METAs, in every way.
fn smaller(site: &MadeElements) -> Vec<MadeElements> {
    let mut smaller: Vec<MadeElements> =
        smaller_sites(&site.site).into_iter().map(|inner| MadeElements { site: inner, ..site.clone() }).collect();
    if site.dom.is_some() {
        smaller.push(MadeElements { dom: None, ..site.clone() });
    }
    for page in smaller_markups(&site.page) {
        smaller.push(MadeElements { page, ..site.clone() });
    }
    for dom in site.dom.iter().flat_map(smaller_markups) {
        smaller.push(MadeElements { dom: Some(dom), ..site.clone() });
    }
    smaller
}

fn smaller_markups(markup: &Markup) -> Vec<Markup> {
    let mut smaller = Vec::new();
    let mut take = |change: &dyn Fn(&mut Markup)| {
        let mut without = markup.clone();
        change(&mut without);
        smaller.push(without);
    };
    for at in 0..markup.in_body.len() {
        take(&|markup| drop(markup.in_body.remove(at)));
    }
    for at in 0..markup.in_head.len() {
        take(&|markup| drop(markup.in_head.remove(at)));
    }
    for at in 0..markup.head.attributes.len() {
        take(&|markup| markup.head.attributes.truncate(at));
    }
    if markup.head.style != PLAINLY {
        take(&|markup| markup.head.style = PLAINLY);
    }
    for (number, tag) in markup.clone().tags().enumerate() {
        let of =
            |markup: &mut Markup, change: &dyn Fn(&mut Tag)| markup.tags().nth(number).into_iter().for_each(change);
        for at in 0..tag.classes.len() {
            take(&|markup| of(markup, &|tag| drop(tag.classes.remove(at))));
        }
        for at in 0..tag.attributes.len() {
            take(&|markup| of(markup, &|tag| tag.attributes.truncate(at)));
        }
        if tag.id.is_some() {
            take(&|markup| of(markup, &|tag| tag.id = None));
        }
        if tag.style != PLAINLY {
            take(&|markup| of(markup, &|tag| tag.style = PLAINLY));
        }
    }
    smaller
}

/// Law: without tree construction the model's answers change, and often. What is compared with it is compared by its
/// trees.
#[test]
fn wrong_trees_show() {
    let with_stack = |question: &Question| {
        let nested = |page: &Page| Page { elements: as_tags_nest(&page.html), ..page.clone() };
        Question {
            page: question.page.as_ref().map(nested),
            dom: question.dom.as_ref().map(nested),
            ..question.clone()
        }
    };
    let (mut asked, mut differ) = (0, 0);
    for seed in 0..1000 {
        let (site, questions) = made_elements::site(&mut Numbers::new(80_000_000 + seed), 4);
        for question in questions {
            let question = site.asked(&question);
            asked += 1;
            differ += usize::from(model(&question) != model(&with_stack(&question)));
        }
    }
    assert!(differ * 20 > asked, "{differ} of {asked} answers depend on the tree");
    println!("{differ} of {asked} answers depend on the tree");
}

/// What stands inside of the element that is prohibited, and what the tags only seem to put there.
const MOVES: [(&str, bool); 12] = [
    ("<ul><li class=X>A<li id=b>B</ul>", false),
    ("<p class=X>A<p id=b>B", false),
    ("<p class=X>A<div id=b>B</div>", false),
    ("<dl><dt class=X>A<dd id=b>B</dl>", false),
    ("<select><option class=X>A<option id=b>B</select>", false),
    ("<table><tr><td class=X>A<td id=b>B</table>", false),
    ("<table class=X><tr><div id=b>B</div></table>", false),
    ("<b class=X><p id=b>A</b>B</p>", false),
    ("<p><b class=X>A</p><i id=b>B</i>", true),
    ("<svg class=X><g><p id=b>B</p></g></svg>", false),
    ("<template><p class=X id=b>A</p></template><p id=b>B</p>", false),
    ("<noscript class=X><p id=b>B</p></noscript>", true),
];

/// Law: end tags are implied, tables give back what is not theirs, formatting goes on in the next paragraph.
fn s16_scopes_are_subtrees(decide: Decide) {
    let (_, questions) = made_elements::site(&mut Numbers::new(0), 1);
    for (markup, is_inside) in MOVES {
        let html = format!("<!DOCTYPE html><body>{}", markup.replace('X', "the-acap:disallow-index"));
        let question = Question {
            page: Some(tree::read(&html)),
            element: Some("#b".to_owned()),
            usage: Usage::Index,
            reading: Reading::Default,
            capabilities: Capabilities::default(),
            ..questions[0].clone()
        };
        let answer = decide(&question);
        assert_eq!(answer.outcome, if is_inside { "prohibited" } else { "unstated" }, "{html} {answer:?}");
    }
}

#[test]
fn s16_scopes_are_subtrees_of_the_page() {
    s16_scopes_are_subtrees(engine);
}

#[test]
fn s16_scopes_are_subtrees_of_the_page_in_the_model() {
    s16_scopes_are_subtrees(model);
}

/// Law: the order of classes and of METAs, and how tags are written, change nothing.
fn s32_holds(decide: Decide) {
    for seed in 0..400 * rounds() {
        let mut numbers = Numbers::new(90_000_000 + seed);
        let (site, questions) = made_elements::site(&mut numbers, 3);
        let again = permuted(&site, &mut numbers);
        for question in questions {
            let (one, two) = (decide(&site.asked(&question)), decide(&again.asked(&question)));
            let about = || format!("seed {seed}\n{}\nagainst\n{}", shown(&site, &question), shown(&again, &question));
            assert_eq!(one, two, "{}", about());
        }
    }
}

#[test]
fn s32_the_order_of_classes_never_matters() {
    s32_holds(engine);
}

#[test]
fn s32_the_order_of_classes_never_matters_in_the_model() {
    s32_holds(model);
}

fn permuted(site: &MadeElements, numbers: &mut Numbers) -> MadeElements {
    let mut site = site.clone();
    for markup in site.markups() {
        numbers.shuffle(&mut markup.in_head);
        for tag in markup.tags() {
            numbers.shuffle(&mut tag.classes);
            tag.style = numbers.below(1 << 40) as u64;
        }
    }
    site
}

/// Law: a DOM in which the scripts changed nothing changes nothing.
fn s25_holds(decide: Decide) {
    for seed in 0..400 * rounds() {
        let mut numbers = Numbers::new(100_000_000 + seed);
        let (site, questions) = made_elements::site(&mut numbers, 3);
        let alone = MadeElements { dom: None, ..site };
        let again = permuted(&alone, &mut numbers);
        let twice = MadeElements { dom: Some(again.page), ..alone.clone() };
        for question in questions {
            let (one, two) = (decide(&alone.asked(&question)), decide(&twice.asked(&question)));
            assert_eq!(one, two, "seed {seed}\n{}", shown(&twice, &question));
        }
    }
}

#[test]
fn s25_a_dom_with_the_same_elements_changes_nothing() {
    s25_holds(engine);
}

#[test]
fn s25_a_dom_with_the_same_elements_changes_nothing_in_the_model() {
    s25_holds(model);
}

/// Law: without what is not named as determining the outcome stays; without what is named, outcome or determining
/// statements change.
fn s33_holds(decide: Decide) {
    for seed in 0..400 * rounds() {
        let (site, questions) = made_elements::site(&mut Numbers::new(110_000_000 + seed), 3);
        if let MadeRobots::File(file) = &site.site.robots {
            // A newer qualifier makes its line absent where no version is declared: no statement to take away.
            let has_newer = |text: &str| text.contains("ref") || text.contains("target-condition");
            if file.lines.iter().any(|line| has_newer(&line.text)) {
                continue;
            }
        }
        for mut question in questions {
            // A substitute's own statements are not the question's.
            question.capabilities.has_prior_arrangement = false;
            let before = decide(&site.asked(&question));
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
fn s33_the_statements_on_elements_that_are_named_did_it() {
    s33_holds(engine);
}

#[test]
fn s33_the_statements_on_elements_that_are_named_did_it_in_the_model() {
    s33_holds(model);
}

/// The site without some of its statements. Versions and definitions stay, and so do positive classes of the profile,
/// which state nothing.
fn without(site: &MadeElements, is_taken: impl Fn(&str, &str) -> bool) -> MadeElements {
    let mut site = site.clone();
    site.site = site.site.without(&is_taken);
    for markup in site.markups() {
        for tag in markup.tags() {
            let states = |class: &str| {
                tree::of_class(class).iter().any(|kind| !matches!(kind, Kind::Profile { restricts: false, .. }))
            };
            tag.classes.retain(|class| !states(class) || !is_taken("element", class));
            tag.attributes.retain(|attribute| {
                !attribute.to_ascii_lowercase().starts_with("rel") || !is_taken("element", "nofollow")
            });
        }
        for piece in markup.in_body.iter_mut() {
            if matches!(piece, Piece::Text(SEEMING)) && is_taken("element", "the-acap:disallow-index") {
                *piece = Piece::Text(SEEMING_WITHOUT_CLASS);
            }
        }
        for pieces in markup.pieces() {
            pieces.retain(|piece| match piece {
                Piece::Meta(meta) => meta.is_no_statement() || !is_taken("meta", &meta.content),
                Piece::Start(_) | Piece::End(_) | Piece::Text(_) => true,
            });
        }
    }
    site
}
