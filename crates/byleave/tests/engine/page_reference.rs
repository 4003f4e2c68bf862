//! Checks that the engine agrees with the model on generated sites: robots.txt, headers, a page, and the page after its
//! scripts, in one decision. Also checks laws that need no second implementation (S-25, S-32, S-33).
//!
//! `BYLEAVE_ROUNDS=20` generates twenty times as many sites.

use byleave_testing::generate::Numbers;
use byleave_testing::model;
use byleave_testing::model::compared::{engine, rounds};
use byleave_testing::model::gen_pages::{Where, site};
use byleave_testing::model::html::{self, Page};
use byleave_testing::model::laws::{s25_holds, s32_holds, s33_holds, the_engine_decides_as_the_model};

/// Law: a generated page contains exactly the META tags that it was generated from, in the right places. This is a test
/// of the generator.
#[test]
fn generated_pages_have_the_metas_they_were_generated_from() {
    for seed in 0..1500 * rounds() {
        let (site, _) = site(&mut Numbers::new(seed), 0);
        for generated in site.page.iter().chain(&site.dom) {
            let page = Page::read(&generated.written());
            let is_decoy = |meta: &html::Meta| meta.name == "description";
            let mut read: Vec<html::Meta> = page.metas.into_iter().filter(|meta| !is_decoy(meta)).collect();
            let metas = generated.metas.iter().filter(|meta| meta.place != Where::Template).cloned();
            let mut asked_for: Vec<html::Meta> = metas
                .map(|meta| html::Meta {
                    is_in_head: meta.place != Where::Body,
                    name: meta.name,
                    content: meta.content,
                    is_in_value: meta.is_in_value,
                })
                .collect();
            read.sort();
            asked_for.sort();
            assert_eq!(read, asked_for, "seed {seed}: {}", page.html);
        }
    }
}

#[test]
fn s15_generated_sites_are_decided_as_the_model_decides() {
    the_engine_decides_as_the_model(30_000_000, 3000, site);
}

#[test]
fn s32_the_order_of_metas_and_headers_never_matters() {
    s32_holds(engine, 40_000_000, 400, site);
}

#[test]
fn s32_the_order_of_metas_and_headers_never_matters_in_the_model() {
    s32_holds(model::decide, 40_000_000, 400, site);
}

#[test]
fn s25_a_dom_like_the_page_changes_nothing() {
    s25_holds(engine, 60_000_000, 400, site);
}

#[test]
fn s25_a_dom_like_the_page_changes_nothing_in_the_model() {
    s25_holds(model::decide, 60_000_000, 400, site);
}

#[test]
fn s33_the_named_statements_determine_the_outcome() {
    s33_holds(engine, 50_000_000, 400, site);
}

#[test]
fn s33_the_named_statements_determine_the_outcome_in_the_model() {
    s33_holds(model::decide, 50_000_000, 400, site);
}
