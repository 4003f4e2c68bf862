//! Laws of preferences that need no second reading (S-40): what cannot be read never widens, and neither does one more
//! prohibition. That their order does not matter and that those named did it stands in `preference_reference`.
//!
//! `BYLEAVE_ROUNDS=20` makes twenty times as many sites.

#![cfg(feature = "cases")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod generate;
mod model;

use generate::Numbers;
use model::compared::{engine, rounds};
use model::made::Made;
use model::made_today::{MadeToday, site};
use model::{Answer, Question, cases};

/// How much an outcome lets be done.
fn width(answer: &Answer) -> usize {
    ["prohibited", "conditional", "unstated", "permitted"].iter().position(|known| answer.outcome == *known).unwrap()
}

fn never_wider(seed: u64, question: &Question, (one, two): (&MadeToday, &MadeToday)) {
    let (before, after) = (engine(&one.asked(question)), engine(&two.asked(question)));
    let about = || format!("seed {seed}\n{}\nbefore {before:?}\nafter {after:?}", cases::written(&two.asked(question)));
    assert!(width(&after) <= width(&before), "{}\n--- was\n{}", about(), one.shown());
}

/// Law: a statement that cannot be read lets nothing be done that would not be without it.
#[test]
fn s40_what_cannot_be_read_never_widens() {
    let mut asked = 0;
    for seed in 94_000_000..94_000_000 + 150 * rounds() {
        let (made, questions) = site(&mut Numbers::new(seed), 2);
        for (without, spoilt) in made.spoilt() {
            questions.iter().for_each(|question| never_wider(seed, question, (&without, &spoilt)));
            asked += questions.len();
        }
    }
    assert!(asked > 1000, "only {asked} were asked");
}

/// Law: one more statement that prohibits a usage never lets more be done.
#[test]
fn s40_one_more_prohibition_never_widens() {
    for seed in 96_000_000..96_000_000 + 600 * rounds() {
        let mut numbers = Numbers::new(seed);
        let (made, questions) = site(&mut numbers, 3);
        for question in questions {
            let more = made.with_prohibition(&question.usage, &mut numbers);
            never_wider(seed, &question, (&made, &more));
        }
    }
}
