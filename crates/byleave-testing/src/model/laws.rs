//! Laws that every generated file or site must satisfy. The first law is that the engine and the model give equal
//! answers. The other laws need no second implementation, so the tests check them for the engine and for the model
//! (S-25, S-32, S-33).

use super::compared::{as_compared, engine, rounds};
use super::gen_files::Line;
use super::generated::Generated;
use super::{Answer, Question, cases, decide};
use crate::generate::Numbers;

/// A function that answers questions: the engine or the model.
pub type Decide = fn(&Question) -> Answer;

/// A function that generates a file or site, and the given number of questions about it.
pub type Generator<M> = fn(&mut Numbers, usize) -> (M, Vec<Question>);

/// Law: the engine and the model agree on the outcome, the effective outcome, conditions, validity and the determining
/// statements.
pub fn the_engine_decides_as_the_model<M: Generated>(first: u64, count: u64, generate: Generator<M>) {
    let mut compared = 0;
    for seed in first..first + count * rounds() {
        let (generated, questions) = generate(&mut Numbers::new(seed), 4);
        for question in questions {
            compared += 1;
            if differs(&generated, &question) {
                let (generated, question) = shrunk(generated, question);
                let asked = generated.asked(&question);
                let (engine, model) = (engine(&asked), decide(&asked));
                panic!("seed {seed}\n{}\nengine {engine:#?}\nmodel {model:#?}", shown(&generated, &question));
            }
        }
    }
    println!("compared {compared} questions");
}

fn differs<M: Generated>(generated: &M, question: &Question) -> bool {
    let asked = generated.asked(question);
    engine(&asked) != decide(&asked)
}

fn shown<M: Generated>(generated: &M, question: &Question) -> String {
    format!("{}---\n{}", generated.shown(), cases::written(&generated.asked(question)))
}

/// Removes everything from the site and the question that is not needed to reproduce the difference between engine and
/// model.
pub fn shrunk<M: Generated>(mut generated: M, mut question: Question) -> (M, Question) {
    while let Some(smaller) = generated.smaller().into_iter().find(|smaller| differs(smaller, &question)) {
        generated = smaller;
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
        if differs(&generated, &changed) {
            question = changed;
        }
    }
    (generated, question)
}

/// Law: order, line endings, comments and letter case never change an answer.
pub fn s32_holds<M: Generated>(decide: Decide, first: u64, count: u64, generate: Generator<M>) {
    for seed in first..first + count * rounds() {
        let mut numbers = Numbers::new(seed);
        let (generated, questions) = generate(&mut numbers, 3);
        let again = generated.rewritten(&mut numbers);
        for question in questions {
            let essence = |generated: &M| s32_essence(&generated.asked(&question), decide);
            let about =
                || format!("seed {seed}\n{}\nagainst\n{}", shown(&generated, &question), shown(&again, &question));
            assert_eq!(essence(&generated), essence(&again), "{}", about());
        }
    }
}

/// Returns the answer with the text of each line in place of its number. Comments and blanks are removed from the text.
fn s32_essence(question: &Question, decide: Decide) -> Answer {
    let answer = decide(question);
    let read = |place: &(String, String)| match cases::line_at(question, place) {
        None => place.clone(),
        Some(line) => (place.0.clone(), line.split('#').next().unwrap_or_default().replace([' ', '\t'], "")),
    };
    Answer { determined_by: answer.determined_by.iter().map(read).collect(), ..answer }
}

/// Law: a DOM that is equal to the page does not change the answer.
pub fn s25_holds<M: Generated>(decide: Decide, first: u64, count: u64, generate: Generator<M>) {
    for seed in first..first + count * rounds() {
        let mut numbers = Numbers::new(seed);
        let (generated, questions) = generate(&mut numbers, 3);
        let (alone, twice) = generated.with_idle_scripts(&mut numbers);
        for question in questions {
            let (one, two) = (decide(&alone.asked(&question)), decide(&twice.asked(&question)));
            assert_eq!(one, two, "seed {seed}\n{}", shown(&twice, &question));
        }
    }
}

/// Law: the outcome stays if all statements are removed except the ones that the answer names as determining. If the
/// determining statements are removed, the outcome changes, or other statements determine it.
pub fn s33_holds<M: Generated>(decide: Decide, first: u64, count: u64, generate: Generator<M>) {
    for seed in first..first + count * rounds() {
        let (generated, questions) = generate(&mut Numbers::new(seed), 3);
        // If the file declares no version, a line with a newer qualifier counts as absent, so it has no statement to
        // remove.
        let has_newer = |line: &Line| line.text.contains("ref") || line.text.contains("target-condition");
        if generated.file().is_some_and(|file| file.lines.iter().any(has_newer)) {
            continue;
        }
        for mut question in questions {
            // With a prior arrangement, the decision also depends on statements about the substitute resource (S-37),
            // which the answer does not name.
            question.capabilities.has_prior_arrangement = false;
            let before = decide(&generated.asked(&question));
            let about = || format!("seed {seed}\n{}\nnamed {:?}", shown(&generated, &question), before.determined_by);
            let is_named =
                |document: &str, text: &str| before.determined_by.contains(&(document.to_owned(), as_compared(text)));
            let only_named = decide(&generated.without(&|document, text| !is_named(document, text)).asked(&question));
            assert_eq!(before.outcome, only_named.outcome, "{}", about());
            if !before.determined_by.is_empty() {
                let none_named = decide(&generated.without(&is_named).asked(&question));
                let is_other = before.outcome != none_named.outcome || before.determined_by != none_named.determined_by;
                assert!(is_other, "{}", about());
            }
        }
    }
}
