//! Laws of ACAP decisions, checked on generated files without a second implementation: how an added line may change a
//! decision, and that inlining a definition changes nothing (S-02, S-07, S-10, S-32).
//!
//! `BYLEAVE_ROUNDS=20` generates twenty times as many files.

use byleave_testing::generate::Numbers;
use byleave_testing::model::compared::{engine, rounds};
use byleave_testing::model::gen_files::{self, GenFile, Line};
use byleave_testing::model::generated::Generated;
use byleave_testing::model::{Question, cases};

/// Returns whether an outcome permits. `unstated` does not.
fn permits(outcome: &str) -> bool {
    matches!(outcome, "permitted" | "conditional")
}

fn shown(file: &GenFile, question: &Question) -> String {
    format!("{}---\n{}", gen_files::joined(&file.lines), cases::written(&file.asked(question)))
}

/// Returns an ACAP field's name in lower case, and the text after the colon.
fn field(line: &Line) -> Option<(String, String)> {
    let (name, value) = line.text.split_once(':')?;
    let name = name.trim().to_ascii_lowercase();
    let value = value.split('#').next().unwrap_or_default().trim();
    name.starts_with("acap-").then(|| (name, value.to_owned()))
}

/// Law: adding a prohibition to a group never turns a prohibited or unstated usage into a permitted one.
#[test]
fn s07_one_more_prohibition_never_permits_more() {
    let mut added = 0;
    for seed in 0..1_000 * rounds() {
        let mut numbers = Numbers::new(30_000_000 + seed);
        let (file, questions) = gen_files::file(&mut numbers, 3);
        let statements: Vec<usize> = (0..file.lines.len())
            .filter(|at| field(&file.lines[*at]).is_some_and(|(name, _)| name.starts_with("acap-allow-")))
            .collect();
        if statements.is_empty() {
            continue;
        }
        // The prohibition has the usage of an existing permission. Half of the time it also has the permission's path,
        // so that the two often conflict.
        let at = numbers.pick(&statements);
        let (name, value) = field(&file.lines[at]).expect("the line is a field");
        let resource = value.split_whitespace().next().unwrap_or("/").to_owned();
        let resource = if numbers.one_in(2) { resource } else { numbers.pick(&["/", "/a", "/a/", "/*b"]).to_owned() };
        let text = format!("{}: {resource}", name.replacen("allow", "disallow", 1));
        let mut more = file.clone();
        more.lines.insert(at + 1, Line { text, group: file.lines[at].group });
        for question in questions {
            let (before, after) = (engine(&file.asked(&question)), engine(&more.asked(&question)));
            let about = || format!("seed {seed}\n{}\nbefore {before:?}\nafter {after:?}", shown(&more, &question));
            assert!(permits(&before.outcome) || !permits(&after.outcome), "{}", about());
            assert!(before.outcome != "prohibited" || after.outcome == "prohibited", "{}", about());
            added += usize::from(before != after);
        }
    }
    assert!(added > 100, "only {added} added prohibitions changed an answer");
}

/// Law: a group for another crawler changes nothing, unless it merges with a group that has no fields (S-12).
#[test]
fn s32_a_group_for_another_crawler_changes_nothing() {
    for seed in 0..500 * rounds() {
        let mut numbers = Numbers::new(31_000_000 + seed);
        let (file, questions) = gen_files::file(&mut numbers, 3);
        let (other, _) = gen_files::file(&mut numbers, 1);
        let is_open = |line: &Line| {
            let name = field(line).map_or_else(|| line.text.to_ascii_lowercase(), |(name, _)| name);
            name.starts_with("acap-allow-") || name.starts_with("acap-disallow-") || name.starts_with("user-agent")
        };
        let last_name = file.lines.iter().rposition(|line| field(line).is_some_and(|(name, _)| name == "acap-crawler"));
        if last_name.is_some_and(|last| !file.lines[last..].iter().any(is_open)) {
            continue;
        }
        let mut more = file.clone();
        let group = 1 + file.lines.iter().map(|line| line.group).max().unwrap_or(0);
        more.lines.push(Line { text: "ACAP-crawler: unrelatedbot".to_owned(), group });
        let is_statement = |name: &str| name.starts_with("acap-allow-") || name.starts_with("acap-disallow-");
        let statements = other.lines.iter().filter(|line| field(line).is_some_and(|(name, _)| is_statement(&name)));
        more.lines.extend(statements.map(|line| Line { text: line.text.clone(), group }));
        more.lines.push(Line { text: "User-agent: unrelatedbot\nDisallow: /".to_owned(), group: group + 1 });
        for question in questions {
            let (before, after) = (engine(&file.asked(&question)), engine(&more.asked(&question)));
            assert_eq!(before, after, "seed {seed}\n{}", shown(&more, &question));
        }
    }
}

/// Law: replacing the name of a qualified usage by its definition (a usage and qualifiers) changes nothing.
#[test]
fn s09_inlining_a_definition_changes_nothing() {
    let mut written_out = 0;
    for seed in 0..4_000 * rounds() {
        let mut numbers = Numbers::new(32_000_000 + seed);
        let (file, questions) = gen_files::file(&mut numbers, 3);
        let (out, is_changed) = with_definitions_written_out(&file);
        if !is_changed {
            continue;
        }
        for question in questions {
            let answer = |file: &GenFile| engine(&file.asked(&question));
            assert_eq!(
                answer(&file),
                answer(&out),
                "seed {seed}\n{}\nagainst\n{}",
                shown(&file, &question),
                shown(&out, &question)
            );
            written_out += 1;
        }
    }
    assert!(written_out > 200, "only {written_out} files had a definition to inline");
}

/// Inlines the qualified usages in a file. A usage is inlined only if it has exactly one definition, before its first
/// use. Also returns whether the file changed.
fn with_definitions_written_out(file: &GenFile) -> (GenFile, bool) {
    let mut out = file.clone();
    let mut is_changed = false;
    let definitions = |name: &str| -> Vec<(usize, String)> {
        let is_own = |(at, line): (usize, &Line)| {
            let (field, value) = field(line)?;
            let (own, rest) = value.split_once(char::is_whitespace)?;
            (field.ends_with("-usage") && own.eq_ignore_ascii_case(name)).then(|| (at, format!("{field} {rest}")))
        };
        file.lines.iter().enumerate().filter_map(is_own).collect()
    };
    for at in 0..file.lines.len() {
        let Some((name, value)) = field(&file.lines[at]) else { continue };
        let Some((verb, local)) = name.split_once("-(") else { continue };
        let local = local.trim_end_matches(')');
        let [(defined, definition)] = &definitions(local)[..] else { continue };
        let Some(meant) = definition.strip_prefix("acap-qualified-usage ") else { continue };
        let (usage, qualifiers) = meant.trim().split_once(char::is_whitespace).unwrap_or((meant.trim(), ""));
        // A field with qualifiers of its own stays as it is: a local usage accepts no further qualifiers (S-09).
        let is_plain = value.split_whitespace().count() == 1 && !usage.contains(['(', '=']) && usage != "other";
        if *defined < at && is_plain {
            out.lines[at].text = format!("{verb}-{usage}: {value} {qualifiers}");
            is_changed = true;
        }
    }
    (out, is_changed)
}

/// Checks that an explanation states why a permission lost: a prohibition has the same pattern, or the permission is
/// not narrower than a prohibition.
#[test]
fn s07_explanations_say_why_a_permission_lost() {
    let why = |robots_txt: &str, rule: &str| -> bool {
        let case = serde_json::json!({
            "name": "why", "robots": robots_txt, "url": "https://site.example/a/b", "crawler": "foo", "usage": "index",
            "expect": {"outcome": "prohibited"},
        });
        let case = byleave::cases::Case::read(&case.to_string()).expect("a case");
        let report = case.run(byleave::cases::CaseFiles::default()).expect("an answer").report;
        report.considered.iter().any(|lost| lost.sentence.contains(rule))
    };
    let same = "ACAP-crawler: *\nACAP-allow-index: /a/\nACAP-disallow-index: /a/\n";
    assert!(why(same, "prohibits the same pattern"));
    let other = "ACAP-crawler: *\nACAP-allow-index: /a/\nACAP-disallow-index: /*b\n";
    assert!(!why(other, "prohibits the same pattern"));
}

/// Checks that a diagnostic about a class is reported at the tag with the class.
#[test]
fn s16_diagnostics_of_classes_are_at_their_tags() {
    let told = |page: &str| {
        let site = byleave::Site::builder(byleave::Reading::Default).with_page(page.as_bytes()).build();
        let notes = site.diagnostics();
        notes
            .iter()
            .map(|note| format!("{} {} {}", note.code.name(), &page[note.span.range()], note.message))
            .collect::<Vec<_>>()
    };
    let old = told("<p class=acap:disallow-index>a</p><p class=x>b</p><p class='y acap:disallow-follow'>c</p>");
    assert!(old[0].contains(" <p class=acap:disallow-index> "), "{old:?}");
    assert!(old[1].contains(" <p class='y acap:disallow-follow'> "), "{old:?}");
    assert_eq!(old.len(), 2, "{old:?}");
    assert_eq!(
        told("<i class=the-acap:allow-index>a</i><p class=the-acap:Disallow-crawl>b</p><b class=robots-noindex>c</b>"),
        [
            "crawl-on-element <p class=the-acap:Disallow-crawl> `the-acap:Disallow-crawl`: a class cannot control \
             crawling: the page is crawled before it is read",
            "profile-missing <b class=robots-noindex> `robots-noindex`: this class has an effect only on a page that \
             names the Robot Exclusion Profile",
        ]
    );
}
