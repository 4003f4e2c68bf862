//! Checks that every rule number that code cites or a decision returns is defined in `docs/semantics.md`.

use byleave::analysis::explain_unchecked;
use byleave::model::{BoundBy, LostTo};
use byleave::{Crawler, Obtained, ProposedUse, Reading, Reason, Site, Usage};
use std::collections::BTreeSet;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Returns the rule numbers that have a heading.
fn rules() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("docs/semantics.md")).unwrap();
    let headings = text.lines().filter_map(|line| line.strip_prefix("### S-"));
    let rules: BTreeSet<String> =
        headings.map(|rest| format!("S-{}", rest.split_once(' ').expect("a rule has a title").0)).collect();
    let numbered: BTreeSet<String> =
        byleave::analysis::RULES.into_iter().flatten().map(|number| format!("S-{number:02}")).collect();
    assert_eq!(rules, numbered);
    rules
}

/// Returns the rule numbers that a text cites.
fn cited(text: &str) -> impl Iterator<Item = String> {
    text.match_indices("S-").filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let digits: String = text[at + 2..].chars().take_while(char::is_ascii_digit).collect();
        let is_number = digits.len() == 2 && !before.is_some_and(char::is_alphanumeric);
        is_number.then(|| format!("S-{digits}"))
    })
}

fn check(folder: &Path, rules: &BTreeSet<String>, seen: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            check(&path, rules, seen);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for rule in cited(&text) {
                assert!(
                    rules.contains(&rule),
                    "{} cites {rule}, which docs/semantics.md does not have",
                    path.display()
                );
                seen.insert(rule);
            }
        }
    }
}

#[test]
fn every_rule_that_code_cites_exists() {
    let (rules, mut seen) = (rules(), BTreeSet::new());
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        check(&entry.unwrap().path().join("src"), &rules, &mut seen);
    }
    assert!(seen.contains("S-13") && seen.contains("S-35"), "no citation was found");
}

#[test]
fn every_rule_that_a_reason_returns_exists() {
    let rules = rules();
    let text = b"User-agent: *\nDisallow: /\nAllow: /\n";
    let site = Site::of_robots_txt(text, Reading::Default);
    let crawler = Crawler::named("AnyBot");
    let explanation = explain_unchecked(&site, &ProposedUse::new("/a", &crawler, &Usage::Crawl));
    let id = explanation.determined_by[0].id;
    let reasons = [
        Reason::LongestPattern(id),
        Reason::NoRuleMatches(BoundBy::Any),
        Reason::RobotsTxtItself,
        Reason::NoRobotsTxt(Obtained::Status(404)),
        Reason::RobotsTxtUnreachable(Obtained::Unreachable),
        Reason::RobotsTxtUnknown,
        Reason::NoStatementApplies,
    ];
    for reason in reasons {
        assert!(rules.contains(reason.rule()), "{} cites {}, which does not exist", reason.name(), reason.rule());
    }
    let losses = [
        LostTo::LongerPattern(id),
        LostTo::PermissionOfEqualLength(id),
        LostTo::NamedGroup,
        LostTo::FallbackGroup,
        LostTo::RobotsTxtItself,
    ];
    for lost in losses {
        assert!(rules.contains(lost.rule()), "{lost:?} cites {}, which does not exist", lost.rule());
    }
    assert!(explanation.rules().iter().all(|rule| rules.contains(*rule)));
}
