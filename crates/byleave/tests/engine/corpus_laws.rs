//! Checks S-32, S-33 and the effect of an added prohibition on real files. Each test changes every file in a way that
//! must not change a decision, or may only make it more restrictive.
//!
//! These tests run only if `BYLEAVE_CORPUS` names the folder with real files, as in `corpus`. No real file defines its
//! own usages, so inlining definitions is tested only on generated files (`acap_laws`).

use byleave::analysis::robots_txt::LeafKind;
use byleave::analysis::{decide_unchecked, explain_unchecked, tree};
use byleave::{Crawler, Outcome, Policy, ProposedUse, Reading, Site, Usage};
use byleave_testing::generate::Numbers;
use byleave_testing::{generate, real};
use std::collections::BTreeSet;

/// The maximum length of a file. A change might move the position at which a longer file is cut off (S-22).
const LONGEST: usize = 300_000;

/// A path that no question is about.
const NEVER: &str = "/never-asked-for/";

/// The questions about one file.
struct Asked {
    reading: Reading,
    crawlers: Vec<String>,
    urls: Vec<String>,
    usages: Vec<Usage>,
}

/// The outcome, the reason, and the text of the statements that determine the outcome.
#[derive(Debug, PartialEq)]
struct Answer {
    outcome: Outcome,
    effective: Outcome,
    reason: &'static str,
    statements: BTreeSet<String>,
}

impl Asked {
    fn of(text: &[u8], number: usize) -> Self {
        let mut numbers = Numbers::new(number as u64);
        let named = real::values(text, &["user-agent", "acap-crawler"]);
        let named = if named.is_empty() { "Nobody" } else { numbers.pick(&named) };
        let rules = real::values(text, &["allow", "disallow", "acap-allow-crawl", "acap-disallow-crawl"]);
        let has_acap = text.windows(5).any(|five| five.eq_ignore_ascii_case(b"acap-"));
        let usages = match has_acap {
            true => vec![Usage::Crawl, Usage::Index, Usage::PresentSnippet, Usage::Preserve],
            false => vec![Usage::Crawl],
        };
        Self {
            reading: Reading::OF_ROBOTS_TXT[number % Reading::OF_ROBOTS_TXT.len()],
            crawlers: vec![named.to_owned(), "ByleaveUnknownCrawler".to_owned()],
            urls: (0..3).map(|_| generate::url(&mut numbers, &rules)).collect(),
            usages,
        }
    }

    /// Calls `ask` with every question.
    fn each(&self, mut ask: impl FnMut(&ProposedUse<'_>)) {
        for name in &self.crawlers {
            let crawler = Crawler::named(name);
            for url in &self.urls {
                self.usages.iter().for_each(|usage| ask(&ProposedUse::new(url, &crawler, usage)));
            }
        }
    }

    fn answers(&self, text: &[u8]) -> Vec<Answer> {
        let site = Site::of_robots_txt(text, self.reading);
        let mut answers = Vec::new();
        self.each(|proposed| {
            let explanation = explain_unchecked(&site, proposed);
            let decision = explanation.decision;
            let written = explanation.determined_by.iter();
            let statements = written.map(|one| String::from_utf8_lossy(&one.text).to_ascii_lowercase()).collect();
            let (outcome, effective, reason) = (decision.outcome, decision.effective, decision.reason.name());
            answers.push(Answer { outcome, effective, reason, statements });
        });
        answers
    }
}

/// Calls `check` with each real file that is short enough, and with the questions about it.
fn each_file(mut check: impl FnMut(&str, &[u8], &Asked)) {
    let Some(files) = real::files() else { return };
    let mut count = 0;
    for (number, (name, text)) in files.iter().enumerate().filter(|(_, (_, text))| text.len() <= LONGEST) {
        let asked = Asked::of(text, number);
        check(&format!("{name} in the reading {}", asked.reading), text, &asked);
        count += 1;
    }
    eprintln!("checked {count} files");
    assert!(count > 1000);
}

/// Law: comments between lines and the case of field names do not change any answer (S-32).
#[test]
fn s32_layout_never_matters_in_real_files() {
    each_file(|about, text, asked| {
        let mut changed = Vec::new();
        for (number, leaf) in tree(text, asked.reading).leaves().enumerate() {
            let written = leaf.span.of(text);
            match leaf.kind {
                LeafKind::Name if number % 2 == 0 => changed.extend(written.to_ascii_uppercase()),
                LeafKind::Name => changed.extend(written.to_ascii_lowercase()),
                LeafKind::LineEnd => {
                    changed.extend_from_slice(written);
                    changed.extend_from_slice(b"# a comment\n");
                }
                _ => changed.extend_from_slice(written),
            }
        }
        assert_eq!(asked.answers(&changed), asked.answers(text), "{about}");
    });
}

/// Law: groups for another crawler do not change any answer (S-32). The test adds them before all other groups, where
/// they cannot merge with another list of names.
#[test]
fn s32_a_group_for_another_crawler_changes_nothing_in_real_files() {
    const OTHER: &[u8] =
        b"User-agent: unrelated-x\nDisallow: /\nAllow: /*a\nACAP-crawler: unrelated-x\nACAP-disallow-index: /\n";
    each_file(|about, text, asked| {
        let (mark, rest) = text.split_at(if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 });
        let changed = [mark, OTHER, rest].concat();
        assert_eq!(asked.answers(&changed), asked.answers(text), "{about}");
    });
}

/// A statement in a file: its line, the span of its value, and whether it is an ACAP statement.
struct Said {
    line: u32,
    value: std::ops::Range<usize>,
    is_acap: bool,
}

fn statements(text: &[u8], reading: Reading) -> Vec<Said> {
    let rules: BTreeSet<u32> = Policy::parse_as(text, reading).statements().iter().map(|one| one.line).collect();
    let mut found = Vec::new();
    let (mut line, mut is_acap) = (1, false);
    for leaf in tree(text, reading).leaves() {
        match leaf.kind {
            LeafKind::Name => {
                let name = leaf.span.of(text).to_ascii_lowercase();
                is_acap = name.starts_with(b"acap-allow-") || name.starts_with(b"acap-disallow-");
            }
            LeafKind::Value if is_acap || rules.contains(&line) => {
                found.push(Said { line, value: leaf.span.range(), is_acap });
            }
            LeafKind::LineEnd => line += 1,
            _ => {}
        }
    }
    found
}

/// Replaces the path of the statements on some lines by a path that no question is about.
fn elsewhere(text: &[u8], statements: &[Said], is_changed: impl Fn(u32) -> bool) -> Vec<u8> {
    let (mut changed, mut end) = (Vec::new(), 0);
    for said in statements.iter().filter(|said| is_changed(said.line)) {
        let value = &text[said.value.clone()];
        let path = value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len());
        changed.extend_from_slice(&text[end..said.value.start]);
        changed.extend_from_slice(NEVER.as_bytes());
        end = said.value.start + path;
    }
    changed.extend_from_slice(&text[end..]);
    changed
}

/// Law: the outcome stays if all statements are removed except the ones that the answer names as determining. If the
/// determining statements are removed, the outcome, the reason or the determining statements change (S-33).
#[test]
fn s33_the_named_statements_determine_the_outcome_in_real_files() {
    let mut changes = 0;
    each_file(|about, text, asked| {
        let site = Site::of_robots_txt(text, asked.reading);
        let statements = statements(text, asked.reading);
        asked.each(|proposed| {
            let whole = explain_unchecked(&site, proposed);
            let lines = |explanation: &byleave::Explanation<'_>| -> BTreeSet<u32> {
                explanation.determined_by.iter().map(|one| one.line).collect()
            };
            let named = lines(&whole);
            let only = elsewhere(text, &statements, |line| !named.contains(&line));
            let of_only = Site::of_robots_txt(&only, asked.reading);
            let only_named = explain_unchecked(&of_only, proposed);
            let about = format!("{about}: {proposed:?}\nnamed {named:?}");
            assert_eq!(only_named.decision.outcome, whole.decision.outcome, "{about}");
            assert_eq!(lines(&only_named), named, "{about}");
            if named.is_empty() {
                return;
            }
            let rest = elsewhere(text, &statements, |line| named.contains(&line));
            let of_rest = Site::of_robots_txt(&rest, asked.reading);
            assert!(lines(&explain_unchecked(&of_rest, proposed)).is_disjoint(&named), "{about}");
            changes += 1;
        });
    });
    eprintln!("{changes} answers were checked by removing statements");
}

/// Law: a prohibition that is added directly after an existing statement never turns a prohibited use into a permitted
/// one (S-07).
#[test]
fn s07_one_more_prohibition_never_permits_more_in_real_files() {
    let mut changes = 0;
    each_file(|about, text, asked| {
        let statements = statements(text, asked.reading);
        if statements.is_empty() {
            return;
        }
        let mut numbers = Numbers::new(text.len() as u64);
        let said = &statements[numbers.below(statements.len())];
        let at = said.value.end;
        let end = text[at..].iter().position(|byte| b"\r\n".contains(byte)).map_or(text.len(), |end| at + end);
        let field = match said.is_acap {
            true => numbers.pick(&["ACAP-disallow-crawl", "ACAP-disallow-index", "ACAP-disallow-preserve"]),
            false => "Disallow",
        };
        let more = format!("\n{field}: {}", numbers.pick(&["/", "/*a", "/a", "/*.html$", "/*?"]));
        let changed = [&text[..end], more.as_bytes(), &text[end..]].concat();
        let site = (Site::of_robots_txt(text, asked.reading), Site::of_robots_txt(&changed, asked.reading));
        asked.each(|proposed| {
            let (before, after) = (decide_unchecked(&site.0, proposed), decide_unchecked(&site.1, proposed));
            let about = format!("{about}: {proposed:?}\nwith{more} after byte {end}");
            assert!(before.outcome != Outcome::Prohibited || after.outcome == Outcome::Prohibited, "{about}");
            assert!(before.is_allowed() || !after.is_allowed(), "{about}");
            changes += usize::from(before.outcome != after.outcome);
        });
    });
    eprintln!("{changes} answers became prohibitions");
}
