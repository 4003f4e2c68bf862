//! What is held of whatever is made: the engine answers as the model does; and laws that need no second reading, of
//! both (S-25, S-32, S-33).

use super::compared::{as_compared, engine, rounds};
use super::files::Line;
use super::made::Made;
use super::{Answer, Question, cases, decide};
use crate::generate::Numbers;

/// Whoever answers: the engine or the model.
pub type Decide = fn(&Question) -> Answer;

/// Whoever makes something, and so many questions about it.
pub type Maker<M> = fn(&mut Numbers, usize) -> (M, Vec<Question>);

/// Law: outcome, effective outcome, conditions, validity and what determines are the model's.
pub fn the_model_decides_alike<M: Made>(first: u64, count: u64, make: Maker<M>) {
    let mut compared = 0;
    for seed in first..first + count * rounds() {
        let (made, questions) = make(&mut Numbers::new(seed), 4);
        for question in questions {
            compared += 1;
            if differs(&made, &question) {
                let (made, question) = shrunk(made, question);
                let asked = made.asked(&question);
                let (engine, model) = (engine(&asked), decide(&asked));
                panic!("seed {seed}\n{}\nengine {engine:#?}\nmodel {model:#?}", shown(&made, &question));
            }
        }
    }
    println!("compared {compared} questions");
}

fn differs<M: Made>(made: &M, question: &Question) -> bool {
    let asked = made.asked(question);
    engine(&asked) != decide(&asked)
}

fn shown<M: Made>(made: &M, question: &Question) -> String {
    format!("{}---\n{}", made.shown(), cases::written(&made.asked(question)))
}

/// What was made and the question without all that can be left out while the difference stays.
pub fn shrunk<M: Made>(mut made: M, mut question: Question) -> (M, Question) {
    while let Some(smaller) = made.smaller().into_iter().find(|smaller| differs(smaller, &question)) {
        made = smaller;
    }
    let plainer: [fn(&mut Question); 13] = [
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
        |question| question.element = None,
        |question| question.capabilities.lacks_element_level = false,
    ];
    for change in plainer {
        let mut changed = question.clone();
        change(&mut changed);
        if differs(&made, &changed) {
            question = changed;
        }
    }
    (made, question)
}

/// Law: how it is written never matters: order, line ends, comments, case.
pub fn s32_holds<M: Made>(decide: Decide, first: u64, count: u64, make: Maker<M>) {
    for seed in first..first + count * rounds() {
        let mut numbers = Numbers::new(seed);
        let (made, questions) = make(&mut numbers, 3);
        let again = made.rewritten(&mut numbers);
        for question in questions {
            let essence = |made: &M| s32_essence(&made.asked(&question), decide);
            let about = || format!("seed {seed}\n{}\nagainst\n{}", shown(&made, &question), shown(&again, &question));
            assert_eq!(essence(&made), essence(&again), "{}", about());
        }
    }
}

/// The answer with lines as they read, wherever they stand, without comments and blanks.
fn s32_essence(question: &Question, decide: Decide) -> Answer {
    let answer = decide(question);
    let read = |place: &(String, String)| match cases::line_at(question, place) {
        None => place.clone(),
        Some(line) => (place.0.clone(), line.split('#').next().unwrap_or_default().replace([' ', '\t'], "")),
    };
    Answer { determined_by: answer.determined_by.iter().map(read).collect(), ..answer }
}

/// Law: a DOM in which the scripts changed nothing changes nothing.
pub fn s25_holds<M: Made>(decide: Decide, first: u64, count: u64, make: Maker<M>) {
    for seed in first..first + count * rounds() {
        let mut numbers = Numbers::new(seed);
        let (made, questions) = make(&mut numbers, 3);
        let (alone, twice) = made.with_idle_scripts(&mut numbers);
        for question in questions {
            let (one, two) = (decide(&alone.asked(&question)), decide(&twice.asked(&question)));
            assert_eq!(one, two, "seed {seed}\n{}", shown(&twice, &question));
        }
    }
}

/// Law: without what is not named as determining the outcome stays; without what is named, outcome or what determines
/// it change.
pub fn s33_holds<M: Made>(decide: Decide, first: u64, count: u64, make: Maker<M>) {
    for seed in first..first + count * rounds() {
        let (made, questions) = make(&mut Numbers::new(seed), 3);
        // A newer qualifier makes its line absent where no version is declared: no statement to take away.
        let has_newer = |line: &Line| line.text.contains("ref") || line.text.contains("target-condition");
        if made.file().is_some_and(|file| file.lines.iter().any(has_newer)) {
            continue;
        }
        for mut question in questions {
            // A substitute's own statements are not the question's.
            question.capabilities.has_prior_arrangement = false;
            let before = decide(&made.asked(&question));
            let about = || format!("seed {seed}\n{}\nnamed {:?}", shown(&made, &question), before.determined_by);
            let is_named =
                |document: &str, text: &str| before.determined_by.contains(&(document.to_owned(), as_compared(text)));
            let only_named = decide(&made.without(&|document, text| !is_named(document, text)).asked(&question));
            assert_eq!(before.outcome, only_named.outcome, "{}", about());
            if !before.determined_by.is_empty() {
                let none_named = decide(&made.without(&is_named).asked(&question));
                let is_other = before.outcome != none_named.outcome || before.determined_by != none_named.determined_by;
                assert!(is_other, "{}", about());
            }
        }
    }
}
