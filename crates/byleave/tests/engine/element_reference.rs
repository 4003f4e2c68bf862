//! Checks that the engine agrees with the model about statements on elements: classes, the Robot Exclusion Profile,
//! `rel=nofollow`, fragments as in ACAP's strawman, and the parts that conditions name.
//!
//! The scope of a statement is a subtree, so every comparison here also compares trees. The model uses html5ever's own
//! tree. In the pages, end tags are missing or out of order, and tables contain content that a parser must move out of
//! the table. If the engine forgot an implied end tag in `<li class=X>A<li id=b>B`, it would put `#b` inside X, name X
//! as the determining statement, and differ from the model. [`a_wrong_tree_changes_the_answers_of_the_model`] gives the
//! model a stack of tags instead of a tree, and counts how often its answers change.
//!
//! `BYLEAVE_ROUNDS=20` generates twenty times as many sites.

use byleave::{Reading, Usage};
use byleave_testing::generate::Numbers;
use byleave_testing::model::compared::engine;
use byleave_testing::model::gen_elements::site;
use byleave_testing::model::generated::Generated;
use byleave_testing::model::html::Page;
use byleave_testing::model::laws::{Decide, s25_holds, s32_holds, s33_holds, the_engine_decides_as_the_model};
use byleave_testing::model::{Capabilities, Question, decide};
use byleave_testing::oracle::elements::as_tags_nest;

#[test]
fn s16_generated_elements_are_decided_as_the_model_decides() {
    the_engine_decides_as_the_model(70_000_000, if cfg!(debug_assertions) { 1_000 } else { 4_000 }, site);
}

/// Law: many of the model's answers change if it has no tree construction. So a comparison of answers also compares
/// trees.
#[test]
fn a_wrong_tree_changes_the_answers_of_the_model() {
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
        let (generated, questions) = site(&mut Numbers::new(80_000_000 + seed), 4);
        for question in questions {
            let question = generated.asked(&question);
            asked += 1;
            differ += usize::from(decide(&question) != decide(&with_stack(&question)));
        }
    }
    assert!(differ * 20 > asked, "{differ} of {asked} answers depend on the tree");
    println!("{differ} of {asked} answers depend on the tree");
}

/// Markup, and whether `#b` is inside the prohibited element X. In some of the markup, the order of the tags is
/// misleading.
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

/// Law: end tags are implied, content that does not belong in a table is moved out of it, and formatting continues in
/// the next paragraph.
fn s16_scopes_are_subtrees(decide: Decide) {
    let (_, questions) = site(&mut Numbers::new(0), 1);
    for (markup, is_inside) in MOVES {
        let html = format!("<!DOCTYPE html><body>{}", markup.replace('X', "the-acap:disallow-index"));
        let question = Question {
            page: Some(Page::read(&html)),
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
    s16_scopes_are_subtrees(decide);
}

#[test]
fn s32_the_order_of_classes_never_matters() {
    s32_holds(engine, 90_000_000, 400, site);
}

#[test]
fn s32_the_order_of_classes_never_matters_in_the_model() {
    s32_holds(decide, 90_000_000, 400, site);
}

#[test]
fn s25_a_dom_with_the_same_elements_changes_nothing() {
    s25_holds(engine, 100_000_000, 400, site);
}

#[test]
fn s25_a_dom_with_the_same_elements_changes_nothing_in_the_model() {
    s25_holds(decide, 100_000_000, 400, site);
}

#[test]
fn s33_the_named_statements_on_elements_determine_the_outcome() {
    s33_holds(engine, 110_000_000, 400, site);
}

#[test]
fn s33_the_named_statements_on_elements_determine_the_outcome_in_the_model() {
    s33_holds(decide, 110_000_000, 400, site);
}
