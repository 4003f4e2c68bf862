//! `byleave lint --fix`, `lint --diff` and `byleave fmt`: changed files, output and exit codes.

use crate::{byleave, byleave_with, file};

const SITE: &str = "User-agent: *\nDisallow: /a/\nDisallow: /b/*\nDisallow: /a/\nDissalow: /c/\n";

#[test]
fn fix_changes_the_file_and_prints_remaining_findings() {
    let path = file("fixing/fix/robots.txt", SITE);
    let ran = byleave(&["lint", &path, "--fix", "--format", "concise"]);
    let expected = format!(
        "{path}:4:1: warning[D001] `Dissalow` is read as `Disallow` here, but not by every crawler\n[stderr]\nfixed 2 findings: 1 A001, 1 R003\n[exit 1]"
    );
    assert_eq!(ran.shown(), expected);
    let fixed = std::fs::read_to_string(&path).unwrap();
    assert_eq!(fixed, "User-agent: *\nDisallow: /a/\nDisallow: /b/\nDissalow: /c/\n");
    let ran = byleave(&["lint", &path, "--fix", "--suggested"]);
    assert_eq!(ran.shown(), "fixed 1 finding: 1 D001\nno findings in 1 document\n[exit 0]");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "User-agent: *\nDisallow: /a/\nDisallow: /b/\nDisallow: /c/\n");
}

#[test]
fn text_shows_how_to_fix_each_finding() {
    let ran = byleave_with(&["lint", "-"], SITE.as_bytes());
    insta::assert_snapshot!(ran.shown());
}

#[test]
fn a_diff_changes_nothing_and_can_be_applied() {
    let path = file("fixing/diff/robots.txt", SITE);
    let ran = byleave(&["lint", &path, "--diff", "--suggested"]);
    let expected = format!(
        "--- {path}\n+++ {path}\n@@ -1,5 +1,4 @@\n User-agent: *\n Disallow: /a/\n-Disallow: /b/*\n-Disallow: /a/\n\
        -Dissalow: /c/\n+Disallow: /b/\n+Disallow: /c/\n[exit 1]"
    );
    assert_eq!(ran.shown(), expected);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), SITE);
    assert_eq!(byleave_with(&["lint", "-", "--diff"], b"User-agent: *\nDisallow: /a/\n").shown(), "[exit 0]");
}

#[test]
fn a_diff_marks_a_missing_last_line_end() {
    let ran = byleave_with(&["lint", "-", "--diff"], b"User-agent: *\nDisallow: /a\nDisallow: /a");
    let expected = "--- <stdin>\n+++ <stdin>\n@@ -1,3 +1,2 @@\n User-agent: *\n Disallow: /a\n-Disallow: /a\n\\ No newline at end of file\n[exit 1]";
    assert_eq!(ran.shown(), expected);
}

#[test]
fn fixed_standard_input_goes_to_standard_output() {
    let ran = byleave_with(&["lint", "-", "--fix", "--format", "concise"], SITE.as_bytes());
    assert_eq!(ran.stdout, "User-agent: *\nDisallow: /a/\nDisallow: /b/\nDissalow: /c/\n");
    assert_eq!(
        ran.stderr,
        "<stdin>:4:1: warning[D001] `Dissalow` is read as `Disallow` here, but not by every crawler\nfixed 2 findings: 1 A001, 1 R003\n"
    );
}

#[test]
fn conflicting_options_are_refused_in_one_line() {
    for arguments in [&["lint", "-", "--suggested"][..], &["lint", "-", "--fix", "--diff"], &["fmt", "--check"]] {
        let ran = byleave(arguments);
        assert_eq!((ran.code, ran.stderr.lines().count()), (2, 1), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn fmt_formats_checks_and_shows_a_diff() {
    let loose = "user-agent:*\r\n  DISALLOW : /a/   # why\r\n\r\n\r\nUser-Agent: B\r\nAllow: /\r\n";
    let formatted = "User-agent: *\nDisallow: /a/ # why\n\nUser-agent: B\nAllow: /\n";
    let path = file("fixing/fmt/robots.txt", loose);
    assert_eq!(byleave(&["fmt", "--check", &path]).shown(), format!("{path}\n[exit 1]"));
    let diff = byleave(&["fmt", "--diff", &path]);
    assert!(diff.code == 1 && diff.stdout.contains("\n-  DISALLOW : /a/   # why\r\n"), "{}", diff.stdout);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), loose);
    assert_eq!(byleave(&["fmt", &path]).shown(), "[exit 0]");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), formatted);
    assert_eq!(byleave(&["fmt", "--check", &path]).shown(), "[exit 0]");
    assert_eq!(byleave_with(&["fmt", "-"], loose.as_bytes()).stdout, formatted);
}

#[test]
fn fmt_keeps_a_file_that_it_cannot_format() {
    let path = file("fixing/utf-16/robots.txt", b"\xff\xfeU\0");
    let ran = byleave(&["fmt", &path]);
    assert_eq!(
        ran.stderr,
        format!("byleave: `{path}` stays unchanged: it is UTF-16, or longer than the part that crawlers read\n")
    );
    assert_eq!(ran.code, 2);
    assert_eq!(std::fs::read(&path).unwrap(), b"\xff\xfeU\0");
    let page = file("fixing/page.html", "<p>");
    assert_eq!(byleave(&["fmt", &page]).code, 2);
}

#[test]
fn settings_of_a_repository_are_combined_with_the_command_line() {
    let path = file("settings/site/robots.txt", SITE);
    file("settings/site/old/robots.txt", SITE);
    file("settings/site/drafts/robots.txt", SITE);
    let settings = file(
        "settings/byleave.toml",
        "[lint]\nignore = [\"A\"]\nfail-on = \"error\"\nexclude = [\"site/drafts\"]\n\n[lint.per-file-ignores]\n\"site/old\" = [\"R003\"]\n",
    );
    let folder = path.trim_end_matches("/robots.txt");
    let codes = |more: &[&str]| {
        let ran = byleave(&[&["lint", folder, "--config", &settings, "--format", "concise"], more].concat());
        let found = ran.stdout.lines().map(|line| {
            let line = line.trim_start_matches(folder);
            let (place, rest) = line.split_once(": ").unwrap();
            let (file, _) = place.split_once(':').unwrap();
            format!("{file} {}", rest.split(['[', ']']).nth(1).unwrap())
        });
        (found.collect::<Vec<_>>(), ran.code)
    };
    assert_eq!(
        codes(&[]),
        (["/robots.txt R003", "/robots.txt D001", "/old/robots.txt D001"].map(str::to_owned).to_vec(), 0)
    );
    assert_eq!(codes(&["--ignore", "R", "--fail-on", "warning"]).1, 1);
    // The more specific of the two settings applies.
    assert_eq!(codes(&["--select", "A001"]).0, ["/robots.txt A001", "/old/robots.txt A001"]);
}

#[test]
fn errors_in_settings_are_one_line() {
    for (text, message) in [
        ("[lint]\nselct = []\n", "unknown setting `selct`"),
        ("[fmt]\n", "unknown section `fmt`"),
        ("[lint]\nselect = \"A\"\n", "`select` must be a list of strings"),
        ("[lint]\nfail-on = \"bad\"\n", "`fail-on` must be advice, warning, error or never"),
        ("[lint\n", "line 1"),
        ("[lint]\nignore = [\"Q\"]\n", "`Q` is not a rule"),
        ("[lint.per-file-ignores]\n\"elsewhere\" = [\"Q\"]\n", "`Q` is not a rule"),
    ] {
        let settings = file("settings/wrong.toml", text);
        let ran = byleave_with(&["lint", "-", "--config", &settings], b"");
        assert!(
            ran.stderr.contains(message) && ran.stderr.lines().count() == 1 && ran.code == 2,
            "{text}: {}",
            ran.stderr
        );
    }
}
