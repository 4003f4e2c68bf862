//! Every rule page has all its sections, its bad example triggers the rule, and its good example does not.

use byleave_lint::{Example, Family, FixLevel, LintInput, RULES, Safety, Selection, fix, lint};
use std::collections::BTreeSet;

/// Returns the codes of the rules that an example triggers.
fn found(example: &Example) -> BTreeSet<&'static str> {
    let documents = lint(&example.input(), &Selection::everything()).into_iter();
    documents.flat_map(|document| document.findings).map(|finding| finding.rule.code).collect()
}

#[test]
fn bad_examples_trigger_their_rule_and_good_ones_do_not() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let (bad, good) = (rule.doc.bad(), rule.doc.good());
        if bad.is_empty() || good.is_empty() {
            wrong.push(format!("{rule:?}: an example is missing"));
            continue;
        }
        let in_bad = found(&bad);
        if !in_bad.contains(rule.code) {
            wrong.push(format!("{rule:?}: the bad example triggers {in_bad:?}"));
        }
        if found(&good).contains(rule.code) {
            wrong.push(format!("{rule:?}: the good example triggers it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_page_has_its_sections_in_order() {
    for rule in RULES {
        let page = rule.doc;
        assert_eq!(page.title(), format!("{} {}", rule.code, rule.name));
        let parts = ["## What it finds", "## Why it matters", "## Example", "## Use instead", "## References"];
        let places: Vec<_> =
            parts.iter().map(|part| page.text.find(part).unwrap_or_else(|| panic!("{rule:?}: {part}"))).collect();
        assert!(places.is_sorted(), "{rule:?}: its sections are out of order");
        assert!(page.summary().ends_with('.'), "{rule:?}: {}", page.summary());
    }
}

#[test]
fn every_page_belongs_to_a_rule() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules");
    let known: BTreeSet<_> = RULES.iter().map(|rule| format!("{}-{}.md", rule.code, rule.name)).collect();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "README.md" || known.contains(&name), "{name} belongs to no rule");
    }
}

#[test]
fn codes_are_a_letter_and_a_number_and_every_family_has_eight() {
    let codes: BTreeSet<_> = RULES.iter().map(|rule| rule.code).collect();
    let names: BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!((codes.len(), names.len()), (RULES.len(), RULES.len()));
    assert!(RULES.len() >= 60);
    for rule in RULES {
        let (letter, number) = rule.code.split_at(1);
        assert_eq!(letter, rule.family.letter().to_string(), "{rule:?}");
        assert!(number.len() == 3 && number.parse::<u16>().is_ok(), "{rule:?}");
        assert!(rule.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
        assert!(!["no-", "avoid-", "invalid-"].iter().any(|start| rule.name.starts_with(start)), "{rule:?}");
    }
    for family in Family::ALL {
        let count = RULES.iter().filter(|rule| rule.family == *family).count();
        assert!(count >= 8, "{} has only {count} rules", family.name());
    }
}

#[test]
fn every_diagnostic_of_the_engine_is_a_rule() {
    for code in byleave::diagnostic::Code::ALL {
        // This diagnostic is about the question, not about a document.
        let is_about_question = code.name() == "no-such-element";
        assert!(is_about_question || RULES.iter().any(|rule| rule.name == code.name()), "{}", code.name());
    }
}

/// Returns the fixes that a rule proposes for the bad example on its page.
fn fixes(rule: &'static byleave_lint::Rule) -> Vec<byleave_lint::Fix> {
    let bad = rule.doc.bad();
    let documents = lint(&bad.input(), &Selection::everything()).into_iter();
    let found = documents.flat_map(|document| document.findings).filter(|finding| finding.rule == rule);
    found.filter_map(|finding| finding.fix).collect()
}

#[test]
fn a_page_documents_the_fix_of_its_bad_example_and_the_fix_removes_the_finding() {
    for rule in RULES {
        let fixes = fixes(rule);
        let section = rule.doc.text.split_once("\n## Fix\n").map(|(_, section)| section);
        assert_eq!(section.is_some(), !fixes.is_empty(), "{rule:?}: page and bad example disagree on a fix");
        let Some(section) = section else { continue };
        let is_safe = fixes.iter().all(|fix| fix.safety == Safety::Safe);
        let command = if is_safe { "`--fix` " } else { "`--fix --suggested` " };
        assert!(section.trim_start().starts_with(command), "{rule:?}: its Fix section should begin with {command}");
        let bad = rule.doc.bad();
        let which = if is_safe { FixLevel::Safe } else { FixLevel::Suggested };
        let fixed = fix(&bad.input(), &Selection::everything(), which).unwrap();
        assert!(fixed.findings.iter().any(|finding| finding.rule == rule), "{rule:?}: its fix is not applied");
        let documents = lint(&LintInput::new().with_robots_txt("robots.txt", &fixed.text), &Selection::everything());
        let is_left = documents.iter().flat_map(|document| &document.findings).any(|finding| finding.rule == rule);
        assert!(!is_left, "{rule:?}: it still reports the fixed file");
    }
}
