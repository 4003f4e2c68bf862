//! Laws of the AI-preference dialects that need no second implementation (S-40): a malformed statement and an
//! additional prohibition never permit more. `preference_reference` checks the laws about order and about determining
//! statements.
//!
//! `BYLEAVE_ROUNDS=20` generates twenty times as many sites.

use byleave_testing::generate::Numbers;
use byleave_testing::model::compared::{engine, rounds};
use byleave_testing::model::gen_preferences::{GenPreferences, site};
use byleave_testing::model::generated::Generated;
use byleave_testing::model::{Answer, Question, cases};

/// Returns a rank: the higher the rank, the more the outcome permits.
fn width(answer: &Answer) -> usize {
    ["prohibited", "conditional", "unstated", "permitted"].iter().position(|known| answer.outcome == *known).unwrap()
}

fn never_wider(seed: u64, question: &Question, (one, two): (&GenPreferences, &GenPreferences)) {
    let (before, after) = (engine(&one.asked(question)), engine(&two.asked(question)));
    let about = || format!("seed {seed}\n{}\nbefore {before:?}\nafter {after:?}", cases::written(&two.asked(question)));
    assert!(width(&after) <= width(&before), "{}\n--- was\n{}", about(), one.shown());
}

/// Law: a malformed statement never permits anything that would not be permitted without it.
#[test]
fn s40_what_cannot_be_read_never_widens() {
    let mut asked = 0;
    for seed in 94_000_000..94_000_000 + 150 * rounds() {
        let (generated, questions) = site(&mut Numbers::new(seed), 2);
        for (without, spoilt) in generated.spoilt() {
            questions.iter().for_each(|question| never_wider(seed, question, (&without, &spoilt)));
            asked += questions.len();
        }
    }
    assert!(asked > 1000, "only {asked} were asked");
}

/// Law: an additional statement that prohibits a usage never permits more.
#[test]
fn s40_one_more_prohibition_never_widens() {
    for seed in 96_000_000..96_000_000 + 600 * rounds() {
        let mut numbers = Numbers::new(seed);
        let (generated, questions) = site(&mut numbers, 3);
        for question in questions {
            let more = generated.with_prohibition(&question.usage, &mut numbers);
            never_wider(seed, &question, (&generated, &more));
        }
    }
}
