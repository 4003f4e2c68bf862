//! Adversarial files: the linter terminates, reports findings, and applies fixes.

use byleave_lint::{FixLevel, LintInput, Selection, fix, format_robots_txt, lint};

fn found(robots_txt: &str) -> usize {
    let input = LintInput::new().with_robots_txt("robots.txt", robots_txt.as_bytes());
    lint(&input, &Selection::everything()).iter().map(|document| document.findings.len()).sum()
}

/// Fixes and formats a file, and lints both results.
fn fix_and_format(robots_txt: &str) {
    let input = LintInput::new().with_robots_txt("robots.txt", robots_txt.as_bytes());
    let fixed = fix(&input, &Selection::everything(), FixLevel::Suggested).map(|fixed| fixed.text);
    for text in [fixed, format_robots_txt(&input).and_then(Result::ok)] {
        found(&String::from_utf8_lossy(&text.unwrap_or_default()));
    }
}

#[test]
fn fixing_very_many_findings_ends() {
    let groups: String =
        (0..150).map(|n| format!("User-agent: bot{n}/1.0\nDisallow: /{n}/*\nDisallow: x\n\n")).collect();
    fix_and_format(&format!("{groups}User-agent: *\nDisallow: /a\nAllow: /*b\n"));
    let rules: String = (0..150).map(|n| format!("Disallow: /*a{n}*\nAllow: /*b{n}*\nDisallow: *c{n}\n")).collect();
    fix_and_format(&format!("User-agent: *\n{rules}"));
    let acap: String = (0..30).map(|n| format!("ACAP-allow-index: /*a{n}*\nACAP-disallow-index: /*a{n}*\n")).collect();
    fix_and_format(&format!("User-agent: *\nDisallow: /a\nDisallow: /a\n\nACAP-crawler: *\n{acap}"));
}

#[test]
fn very_many_groups_rules_and_names() {
    let groups: String = (0..8_000).map(|n| format!("User-agent: bot{n}\nDisallow: /{n}/\n\n")).collect();
    let general: String = (0..8_000).map(|n| format!("Disallow: /x{n}\n")).collect();
    assert!(found(&format!("{groups}User-agent: *\n{general}")) > 0);
    let names: String = (0..10_000).map(|n| format!("User-agent: bot{}\n", n % 5_000)).collect();
    let rules: String = (0..10_000).map(|n| format!("Disallow: /a{}*\nAllow: /a\n", n % 100)).collect();
    assert!(found(&format!("{names}{rules}")) > 0);
}

#[test]
fn very_many_fields_of_acap_that_oppose_each_other() {
    let fields: String =
        (0..2_000).map(|n| format!("ACAP-allow-index: /*a{n}*\nACAP-disallow-index: /*a{n}*\n")).collect();
    assert!(found(&format!("ACAP-crawler: *\n{fields}")) > 0);
}

#[test]
fn every_character_in_use() {
    let all: String = (b'!'..=b'~').filter(|byte| *byte != b'#').map(char::from).collect();
    assert!(found(&format!("User-agent: *\nDisallow: /{all}\nDisallow: /{all}\nAllow: /{all}\nAllow: x\n")) > 0);
}

#[test]
fn any_bytes() {
    for seed in 0..200_u32 {
        let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
        let pieces = [
            "User-agent:",
            "Disallow:",
            "Allow: /",
            "*",
            "$",
            "#",
            "\r",
            "\n",
            "%7",
            "\u{e9}",
            " ",
            "\0",
            "ACAP-crawler: *",
            "/a",
        ];
        let text: String = (0..200)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                *pieces.get(state as usize % pieces.len()).unwrap()
            })
            .collect();
        found(&text);
        if seed % 10 == 0 {
            fix_and_format(&text);
        }
    }
}

#[test]
fn very_many_preferences_groups_and_names() {
    let groups: String = (0..4_000).map(|n| format!("User-agent: bot{n}\nDisallow: /{n}/\n\n")).collect();
    let general: String = (0..4_000).map(|n| format!("Content-Signal: /x{n} ai-train=no, search=yes\n")).collect();
    assert!(found(&format!("{groups}User-agent: *\n{general}Disallow:\n")) >= 4_000);
    let names: String = (0..10_000).map(|n| format!("User-agent: bot{n}\n")).collect();
    let opposed = "Content-Usage: train-ai=n\nContent-Usage: train-ai=y\n".repeat(5_000);
    found(&format!("{names}{opposed}Disallow:\n"));
    assert!(found(&format!("User-agent: *\n{opposed}Disallow:\n")) >= 5_000);
}
