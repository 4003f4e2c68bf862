//! Fuzz target that compares the engine with the model. The generators of the other tests create the site and the
//! questions, controlled by the bytes of the input.

use crate::generate::Numbers;
use crate::model::compared::engine;
use crate::model::generated::Generated;
use crate::model::{Question, cases, decide, gen_elements, gen_files, gen_pages, gen_preferences};
use serde_json::Value;

/// Law: the engine and the model agree on the outcome, the effective outcome, conditions, validity and the determining
/// statements.
pub fn check(input: &[u8]) {
    let Some((kind, rest)) = input.split_first() else { return };
    let mut numbers = Numbers::given(rest);
    let asked: Vec<Question> = match kind % 4 {
        0 => {
            let (file, questions) = gen_files::file(&mut numbers, 3);
            questions.iter().map(|question| file.asked(question)).collect()
        }
        1 => {
            let (site, questions) = gen_pages::site(&mut numbers, 3);
            questions.iter().map(|question| site.asked(question)).collect()
        }
        2 => {
            let (site, questions) = gen_preferences::site(&mut numbers, 3);
            questions.iter().map(|question| site.asked(question)).collect()
        }
        _ => {
            let (site, questions) = gen_elements::site(&mut numbers, 3);
            questions.iter().map(|question| site.asked(question)).collect()
        }
    };
    for question in asked {
        let (engine, model) = (engine(&question), decide(&question));
        assert_eq!(engine, model, "the engine, then the model\n{}", cases::written(&question));
    }
}

/// Returns pseudorandom bytes, because any bytes generate a site. The case determines only the seed of the random
/// numbers.
pub fn seed(case: &Value) -> Option<Vec<u8>> {
    let mut numbers = Numbers::new(case.to_string().len() as u64);
    let length = 40 + numbers.below(800);
    Some((0..length).map(|_| numbers.below(256) as u8).collect())
}
