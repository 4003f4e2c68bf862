//! The engine equals a second reading of ACAP and RFC 9309 that shares nothing with it: `model`, written from
//! the semantics rule by rule. And two laws that need no second reading (S-32, S-33).
//!
//! `WAYLEAVE_ROUNDS=20` makes twenty times as many files. `WAYLEAVE_CASES` names a further case file that the
//! model must pass.

#![cfg(feature = "cases")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod generate;
mod model;

use generate::Numbers;
use model::cases::{self, ModelCase};
use model::compared::{assert_model_passes, rounds};
use model::files::{self, Line, MadeFile};
use model::{Answer, Question, Robots};
use std::collections::BTreeSet;
use wayleave::case::Case;

/// Whoever answers: the engine or the model.
type Decide = fn(&Question) -> Answer;

/// The engine's answer in the form of the model's.
fn engine(question: &Question) -> Answer {
    let line = cases::written(question);
    let run = Case::read(&line)
        .and_then(|case| case.run(wayleave::case::CaseFiles::default()))
        .unwrap_or_else(|error| panic!("{error}\n{line}"));
    let report = run.report;
    let statements = report.determined_by.iter();
    Answer {
        determined_by: statements
            .filter_map(|statement| Some((statement.document.clone()?, statement.line?)))
            .collect(),
        conditions: report.conditions.into_iter().collect(),
        outcome: report.outcome,
        effective: report.effective,
        valid_until: report.valid_until,
    }
}

/// How the names of cases begin that are about what the model does not do: lists where one thing is meant.
const UNMODELLED: [&str; 2] = ["S-09 beyond the grammar", "S-10 beyond the grammar"];

/// Law: the model passes every case of the default reading that needs neither page nor header.
#[test]
fn the_model_passes_the_conformance_suite() {
    let passed = assert_model_passes(ModelCase::read, &UNMODELLED);
    assert!(passed > 300, "only {passed} cases were found");
}

/// Law: outcome, effective outcome, conditions, validity and determining lines are the model's.
#[test]
fn s07_made_up_files_are_decided_as_the_model_decides() {
    let mut compared = 0;
    for seed in 0..1500 * rounds() {
        let mut numbers = Numbers::new(seed);
        let (file, questions) = files::file(&mut numbers, 4);
        for question in questions {
            compared += 1;
            let asked = file.asked(&question);
            if engine(&asked) != model::decide(&asked) {
                let (file, question) = shrunk(file, question);
                let asked = file.asked(&question);
                let (engine, model) = (engine(&asked), model::decide(&asked));
                panic!("seed {seed}\n{}\nengine {engine:#?}\nmodel {model:#?}", shown(&file, &question));
            }
        }
    }
    println!("compared {compared} questions");
}

/// The file and the question without all that can be left out while the difference stays.
fn shrunk(mut file: MadeFile, mut question: Question) -> (MadeFile, Question) {
    let differs = |file: &MadeFile, question: &Question| {
        let asked = file.asked(question);
        engine(&asked) != model::decide(&asked)
    };
    while let Some(smaller) = smaller_files(&file).into_iter().find(|smaller| differs(smaller, &question)) {
        file = smaller;
    }
    let plainer: [fn(&mut Question); 9] = [
        |question| question.fallbacks.clear(),
        |question| question.purposes.clear(),
        |question| question.purposes.truncate(1),
        |question| question.capabilities.unable.clear(),
        |question| question.capabilities.has_prior_arrangement = false,
        |question| question.capabilities.reads_not_ready = false,
        |question| question.details = Default::default(),
        |question| question.first_used = None,
        |question| question.is_recrawled = false,
    ];
    for change in plainer {
        let mut changed = question.clone();
        change(&mut changed);
        if differs(&file, &changed) {
            question = changed;
        }
    }
    (file, question)
}

/// The file without one of its lines, in every way.
fn smaller_files(file: &MadeFile) -> Vec<MadeFile> {
    let mut smaller = Vec::new();
    for at in 0..file.lines.len() {
        let mut without = file.clone();
        without.lines.remove(at);
        smaller.push(without);
    }
    for (locator, lines) in &file.references {
        for at in 0..lines.len() {
            let mut without = file.clone();
            without.references.get_mut(locator).expect("it is there").remove(at);
            smaller.push(without);
        }
    }
    smaller
}

fn shown(file: &MadeFile, question: &Question) -> String {
    let mut text = files::joined(&file.lines);
    for (locator, lines) in &file.references {
        text.push_str(&format!("--- {locator}\n{}", files::joined(lines)));
    }
    format!("{text}---\n{question:?}\n{}", cases::written(&file.asked(question)))
}

/// What no harmless change of a file may touch: everything but where the lines stand.
fn essence(question: &Question, decide: Decide) -> (Answer, BTreeSet<String>) {
    let mut answer = decide(question);
    let texts = answer.determined_by.iter().map(|place| {
        let text = cases::line_at(question, place);
        // Field names may have changed their case, and comments come and gone.
        text.split('#').next().unwrap_or_default().replace([' ', '\t'], "")
    });
    let texts = texts.collect();
    answer.determined_by.clear();
    (answer, texts)
}

/// Law: field order within a record, line ends, a byte order mark, the case of field names, blank lines and
/// comments change nothing.
fn s32_holds(decide: Decide) {
    for seed in 0..300 * rounds() {
        let mut numbers = Numbers::new(10_000_000 + seed);
        let (file, questions) = files::file(&mut numbers, 3);
        let text = disguised(&permuted(&file.lines, &mut numbers), &mut numbers);
        for question in questions {
            let asked = file.asked(&question);
            let again = Question { robots: Robots::Read(text.clone().into_bytes()), ..asked.clone() };
            let about = || format!("seed {seed}\n{}\nagainst\n{text}", shown(&file, &question));
            assert_eq!(essence(&asked, decide), essence(&again, decide), "{}", about());
        }
    }
}

#[test]
fn s32_what_never_matters_changes_nothing() {
    s32_holds(engine);
}

#[test]
fn s32_what_never_matters_changes_nothing_in_the_model() {
    s32_holds(model::decide);
}

/// The lines, those of each group in another order.
fn permuted(lines: &[Line], numbers: &mut Numbers) -> Vec<Line> {
    let mut permuted = Vec::new();
    for group in lines.chunk_by(|one, two| one.group == two.group) {
        let mut group = group.to_vec();
        numbers.shuffle(&mut group);
        permuted.extend(group);
    }
    permuted
}

fn disguised(lines: &[Line], numbers: &mut Numbers) -> String {
    let end = numbers.pick(&["\n", "\r\n", "\r"]);
    let mut text = String::from(if numbers.one_in(2) { "\u{FEFF}" } else { "" });
    for line in lines {
        while numbers.one_in(4) {
            text.push_str(numbers.pick(&["", " \t", "# Disallow: /", "#ACAP-crawler: *", "  # ACAP-allow-index: /"]));
            text.push_str(end);
        }
        let written = match line.text.split_once(':').filter(|_| !line.text.starts_with('#')) {
            Some((name, value)) => {
                let name = match numbers.below(3) {
                    0 => name.to_ascii_uppercase(),
                    1 => name.to_ascii_lowercase(),
                    _ => name.to_owned(),
                };
                format!("{}{name}{}:{value}", numbers.pick(&["", " ", "\t"]), numbers.pick(&["", " "]))
            }
            None => line.text.clone(),
        };
        text.push_str(&written);
        if !line.text.starts_with('#') {
            text.push_str(numbers.pick(&["", " ", " # a comment", "\t#"]));
        }
        text.push_str(end);
    }
    text
}

/// Law: without what is not named as determining the outcome stays; without what is named, outcome or
/// determining lines change.
fn s33_holds(decide: Decide) {
    for seed in 0..300 * rounds() {
        let mut numbers = Numbers::new(20_000_000 + seed);
        let (file, questions) = files::file(&mut numbers, 3);
        // A newer qualifier makes its line absent where no version is declared: no statement to take away.
        let has_newer = |line: &Line| line.text.contains("ref") || line.text.contains("target-condition");
        if file.lines.iter().any(has_newer) {
            continue;
        }
        for mut question in questions {
            // A substitute's own statements are not the question's.
            question.capabilities.has_prior_arrangement = false;
            let asked = file.asked(&question);
            let before = decide(&asked);
            let is_named = |line: u32| before.determined_by.contains(&("robots.txt".to_owned(), line));
            let about = || format!("seed {seed}\n{}\nnamed {:?}", shown(&file, &question), before.determined_by);
            let only_named = decide(&file.silenced(|line| !is_named(line)).asked(&question));
            assert_eq!(before.outcome, only_named.outcome, "{}", about());
            if !before.determined_by.is_empty() {
                let none_named = decide(&file.silenced(is_named).asked(&question));
                let is_other = before.outcome != none_named.outcome || before.determined_by != none_named.determined_by;
                assert!(is_other, "{}", about());
            }
        }
    }
}

#[test]
fn s33_the_lines_that_are_named_did_it() {
    s33_holds(engine);
}

#[test]
fn s33_the_lines_that_are_named_did_it_in_the_model() {
    s33_holds(model::decide);
}
