//! `byleave test` with files in TOML, and `byleave test --init`.

use crate::{Ran, byleave, file, root};

fn shown(ran: &Ran) -> String {
    ran.shown().replace(env!("CARGO_TARGET_TMPDIR"), "TMP")
}

#[test]
fn init_generates_tests_that_pass_and_replaces_no_file() {
    let mut all = String::new();
    for site in ["gazette", "herald"] {
        let robots_txt = std::fs::read(root().join("examples").join(site).join("robots.txt")).unwrap();
        let path = file(&format!("first-{site}/robots.txt"), robots_txt);
        let folder = path.trim_end_matches("/robots.txt");
        let tests = format!("{folder}/byleave-tests.toml");
        let _ = std::fs::remove_file(&tests);
        all += &shown(&byleave(&["test", "--init", folder]));
        all += &format!("\n{}\n", std::fs::read_to_string(&tests).unwrap());
        all += &shown(&byleave(&["test", &tests]));
        all += &format!("\n{}\n", shown(&byleave(&["test", "--init", &path])));
        assert_eq!(byleave(&["test", "--init", folder, "--force"]).code, 0);
    }
    insta::assert_snapshot!(all);
}

#[test]
fn failures_show_the_deciding_line() {
    file("toml/robots.txt", "User-agent: *\nDisallow: /a/\n");
    file("toml/page.html", "<title>t</title><meta name=robots content=noindex>");
    let tests = "[defaults]\ncrawler = \"ExampleBot\"\n\n[[test]]\nurl = \"/a/b\"\nexpect = \"permitted\"\nline = 3\n\
        why = \"it is open\"\n\n[[test]]\nname = \"nobody indexes it\"\nurl = \"/b\"\nusage = \"index\"\n\
        page = \"page.html\"\nexpect = \"prohibited\"\nreason = \"S-17\"\n\n[[test]]\nurl = \"/c\"\nusage = \"index\"\n\
        headers = [\"X-Robots-Tag: max-snippet: 3\"]\nat = 2026-05-01T00:00:00Z\nexpect = \"unstated\"\nconditions = []\n";
    let path = file("toml/byleave-tests.toml", tests);
    let mut all = shown(&byleave(&["test", &path])) + "\n\n";
    all += &shown(&byleave(&["explain", "--case", &format!("{path}:6")]));
    insta::assert_snapshot!(all);
}

#[test]
fn mistakes_are_reported_with_the_line_and_a_suggestion() {
    let start = "[[test]]\nurl = \"/\"\ncrawler = \"A\"\n";
    for (more, line, word) in [
        ("expct = \"permitted\"\n", 4, "did you mean `expect`?"),
        ("expect = \"permitted\"\nuser_agent = \"A/1\"\n", 5, "did you mean `user-agent`?"),
        ("expect = \"permited\"\n", 2, "unknown outcome `permited`"),
        ("expect = \"permitted\"\nline = \"3\"\n", 5, "`line` is not a line number"),
        ("expect = \"permitted\"\nline = -3\n", 5, "`line` is not a line number"),
        ("expect = \"permitted\"\nheaders = [\"noindex\"]\n", 5, "`Name: value`"),
        ("expect = permitted\n", 4, ""),
        ("", 2, "this test has no `expect`"),
        ("expect = \"permitted\"\n[defaults]\nurl = \"/\"\n", 6, "belongs in a test"),
        ("expect = \"permitted\"\n[default]\nusage = \"index\"\n", 5, "did you mean `defaults`?"),
        ("expect = \"permitted\"\n[[tests]]\n", 5, "did you mean `test`?"),
    ] {
        let path = file("mistakes/tests.toml", format!("{start}{more}"));
        let ran = byleave(&["test", &path]);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.lines().count()), (2, "", 1), "{more}: {}", ran.stderr);
        let place = format!("`{path}` line {line}: ");
        assert!(ran.stderr.contains(&place) && ran.stderr.contains(word), "{more}: {}", ran.stderr);
    }
    let ran = byleave(&["test", &file("mistakes/none.toml", "robots = \"robots.txt\"\n")]);
    assert!(ran.code == 2 && ran.stderr.contains("contains no tests"), "{}", ran.stderr);
    let ran = byleave(&["test", "--init", "none"]);
    assert!(ran.code == 2 && ran.stderr.contains("next to a robots.txt"), "{}", ran.stderr);
    let ran = byleave(&["test", "--force", "a.toml"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}

#[test]
fn tests_run_with_documents_of_the_site_and_named_documents() {
    let reserved = |value| format!("[{{\"location\": \"/\", \"tdm-reservation\": {value}}}]");
    file("toml-documents/robots.txt", "User-agent: *\nDisallow:\n");
    file("toml-documents/.well-known/tdmrep.json", reserved(1));
    file("toml-documents/open.json", reserved(0));
    file("toml-documents/ai-\u{e9}.txt", b"# \xE9\nUser-agent: *\nDisallow: /");
    let tests = "defaults = { crawler = \"A\", usage = \"tdm\" }\n\
        [[test]]\nurl = \"/a\"\nexpect = \"prohibited\"\nby = \"tdm-reservation\"\n\n\
        [[test]]\nurl = \"/a\"\ndocuments = { \"/.well-known/tdmrep.json\" = \"open.json\" }\nexpect = \"permitted\"\n\n\
        [[test]]\nurl = \"/a\"\nusage = \"train-ai\"\ndocuments = { \"/ai.txt\" = \"ai-\u{e9}.txt\" }\n\
        expect = \"prohibited\"\nby = \"Disallow\"\n";
    let path = file("toml-documents/tests.toml", tests);
    let ran = byleave(&["test", &path]);
    assert!(ran.code == 0 && ran.stdout.ends_with("3 passed, 0 failed\n"), "{}", ran.shown());
    let ran = byleave(&["explain", "--case", &format!("{path}:3")]);
    assert!(ran.stdout.contains("tdmrep.json"), "{}", ran.shown());
    for (wrong, word) in [("open.json", "nope.json"), ("{ \"/.well-known/tdmrep.json\" = \"open.json\" }", "3")] {
        let path = file("toml-documents/wrong.toml", tests.replace(wrong, word));
        let ran = byleave(&["test", &path]);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.lines().count()), (2, "", 1), "{}", ran.stderr);
        assert!(ran.stderr.contains("documents"), "{}", ran.stderr);
    }
}

#[test]
fn init_generates_tests_of_preferences_in_every_dialect() {
    let robots_txt = "User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: /a/ search=y\nDisallow:\n\n\
        User-agent: NewsBot\nContent-Usage: train-ai=y\nDisallow: /b/\n";
    let path = file("first-preferences/robots.txt", robots_txt);
    file("first-preferences/.well-known/tdmrep.json", "[{\"location\": \"/c/\", \"tdm-reservation\": 1}]");
    let ran = byleave(&["test", "--init", &path, "--force"]);
    assert_eq!(ran.code, 0, "{}", ran.shown());
    let tests = path.replace("robots.txt", "byleave-tests.toml");
    let written = std::fs::read_to_string(&tests).unwrap();
    let asked = |url: &str, crawler: &str, usage: &str, outcome: &str| {
        let test = format!("url = \"{url}\"\ncrawler = \"{crawler}\"\nusage = \"{usage}\"\nexpect = \"{outcome}\"");
        assert!(written.contains(&test), "{test}\n\n{written}");
    };
    asked("/page", "ExampleBot", "train-ai", "prohibited");
    asked("/a/page", "ExampleBot", "search", "permitted");
    asked("/c/page", "ExampleBot", "tdm", "prohibited");
    asked("/page", "NewsBot", "train-ai", "permitted");
    let ran = byleave(&["test", &tests]);
    assert!(ran.code == 0 && ran.stdout.ends_with(" passed, 0 failed\n"), "{}", ran.shown());
}

/// Law: a generated first test file passes, whatever the robots.txt contains.
#[test]
fn generated_tests_of_generated_sites_pass() {
    for seed in 0..20 {
        let numbers = &mut byleave_testing::generate::Numbers::new(seed);
        let groups = byleave_testing::generate::groups(numbers);
        let robots_txt = byleave_testing::generate::noisy(&groups, numbers, byleave_testing::generate::Noise::Any);
        let path = file(&format!("generated-{seed}/robots.txt"), robots_txt);
        let ran = byleave(&["test", "--init", &path, "--force"]);
        assert_eq!(ran.code, 0, "seed {seed}: {}", ran.stderr);
        let ran = byleave(&["test", &path.replace("robots.txt", "byleave-tests.toml")]);
        assert!(
            ran.code == 0 && ran.stdout.ends_with(" passed, 0 failed\n"),
            "seed {seed}: {}{}",
            ran.stdout,
            ran.stderr
        );
    }
}
