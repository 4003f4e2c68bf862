//! The engine beside the model: the bytes choose the site and the questions, the makers of the other tests make them.

use crate::generate::Numbers;
use crate::model::compared::engine;
use crate::model::made::Made;
use crate::model::{Question, cases, decide, files, made_elements, made_today, pages};
use serde_json::Value;

/// Law: outcome, effective outcome, conditions, validity and what determines are the model's.
pub fn check(input: &[u8]) {
    let Some((kind, rest)) = input.split_first() else { return };
    let mut numbers = Numbers::given(rest);
    let asked: Vec<Question> = match kind % 4 {
        0 => {
            let (file, questions) = files::file(&mut numbers, 3);
            questions.iter().map(|question| file.asked(question)).collect()
        }
        1 => {
            let (site, questions) = pages::site(&mut numbers, 3);
            questions.iter().map(|question| site.asked(question)).collect()
        }
        2 => {
            let (site, questions) = made_today::site(&mut numbers, 3);
            questions.iter().map(|question| site.asked(question)).collect()
        }
        _ => {
            let (site, questions) = made_elements::site(&mut numbers, 3);
            questions.iter().map(|question| site.asked(question)).collect()
        }
    };
    for question in asked {
        let (engine, model) = (engine(&question), decide(&question));
        assert_eq!(engine, model, "the engine, then the model\n{}", cases::written(&question));
    }
}

/// Of a case nothing but its length goes in: a site is made of what these bytes happen to be.
pub fn seed(case: &Value) -> Option<Vec<u8>> {
    let mut numbers = Numbers::new(case.to_string().len() as u64);
    let length = 40 + numbers.below(800);
    Some((0..length).map(|_| numbers.below(256) as u8).collect())
}
