//! Folders as sites: which documents are read besides robots.txt, and warnings about malformed and unread documents.

use crate::{Ran, byleave, file};

const LICENCE: &str = "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"/\"><license>\
    <permits type=\"usage\">search</permits></license></content></rsl>";
const OPEN: &str = "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"/\"><license>\
    <permits type=\"usage\">all</permits></license></content></rsl>";

/// Creates a folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("sites").join(name);
    let _ = std::fs::remove_dir_all(&path);
    for (file_name, content) in files {
        file(&format!("sites/{name}/{file_name}"), content);
    }
    path.to_str().unwrap().to_owned()
}

fn licensed(name: &str, location: &str, licence: &str) -> String {
    let robots_txt = format!("License: {location}\nUser-agent: *\nDisallow:\n");
    folder(name, &[("robots.txt", &robots_txt), ("license.xml", licence)])
}

/// Returns the output of a run, without the path of the folder.
fn shown(ran: &Ran, site: &str) -> String {
    ran.shown().replace(site, "SITE")
}

#[test]
fn s45_licences_that_robots_txt_names_are_read_from_its_folder() {
    for (number, location) in ["/license.xml", "license.xml", "https://any.example/license.xml"].iter().enumerate() {
        let site = &licensed(&format!("licensed-{number}"), location, LICENCE);
        let asked = ["--crawler", "A", "--usage", "search,train-ai"];
        let ran = byleave(&[&["check", site][..], &asked, &["/a"]].concat());
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert!(
            lines[0].starts_with("permitted   search") && lines[1].starts_with("prohibited  train-ai"),
            "{lines:?}"
        );
        assert!(ran.stdout.contains("license.xml line 1: "), "{}", ran.stdout);
        assert_eq!(ran.stderr, "");
        let explained = |url: &str| byleave(&[&["explain", site][..], &asked, &[url]].concat());
        let ran = explained("https://any.example/a");
        assert!(!ran.stdout.contains("unread:"), "{}", ran.shown());
        // The folder contains only files of this site, so a licence at another origin is not in it.
        let ran = explained("https://site.example/a");
        assert_eq!(ran.stdout.contains("unread: https://any.example/license.xml"), number == 2, "{}", ran.shown());
        let ran = byleave(&["needs", site, "/a", "--format", "plain"]);
        assert!(ran.stdout.contains("given\tlicence\t"), "{}", ran.shown());
        let ran = byleave(&["matrix", site, "--usage", "search", "--crawler", "A"]);
        assert!(ran.stdout.contains("permitted"), "{}", ran.shown());
        let ran = byleave(&["convert", site, "--to", "content-signal"]);
        assert!(ran.stdout.contains("search=yes"), "{}", ran.shown());
        let ran = byleave(&["compare", site, "--usage", "search"]);
        assert!(ran.stdout.contains("permitted in default"), "{}", ran.shown());
    }
}

#[test]
fn s45_a_changed_licence_changes_decisions() {
    let [old, new] = [licensed("old", "/license.xml", OPEN), licensed("new", "/license.xml", LICENCE)];
    let ran = byleave(&["diff", &old, &new, "--usage", "train-ai"]);
    assert!(ran.code == 1 && ran.stdout.contains("loses `train-ai`"), "{}", ran.shown());
}

#[test]
fn s45_an_incomplete_licence_is_linted() {
    let site = licensed("broken-licence", "https://site.example/license.xml", LICENCE.split_at(120).0);
    let ran = byleave(&["lint", &site, "--format", "concise"]);
    assert!(ran.stdout.contains("license.xml:1:") && ran.stdout.contains("error[X034]"), "{}", ran.shown());
}

#[test]
fn files_outside_the_folder_are_not_read() {
    let outer = folder("outer", &[("license.xml", LICENCE), ("inner/robots.txt", "License: /../license.xml\n")]);
    for location in ["/../license.xml", "../license.xml", "https://site.example/../license.xml", "//a/license.xml"] {
        let robots_txt = format!("License: {location}\nUser-agent: *\nDisallow:\n");
        file("sites/outer/inner/robots.txt", robots_txt);
        let ran = byleave(&["check", &format!("{outer}/inner"), "--crawler", "A", "--usage", "search", "/a"]);
        assert!(ran.stdout.contains("line 1: License:"), "{}", shown(&ran, &outer));
    }
}

/// Returns the standard error of a run, without the path of the folder.
fn warnings(ran: &Ran, site: &str) -> String {
    ran.stderr.replace(site, "SITE")
}

#[test]
fn malformed_documents_are_reported() {
    let robots_txt = "License: /license.xml\nUser-agent: *\nDisallow:\n";
    let reservation = "[{\"location\": \"/\" \"tdm-reservation\": 1}]";
    let licence = LICENCE.split_at(120).0;
    let site = &folder(
        "broken",
        &[
            ("robots.txt", robots_txt),
            (".well-known/tdmrep.json", reservation),
            ("ai.txt", "hello\n"),
            ("license.xml", licence),
        ],
    );
    let expected = "byleave: `SITE/.well-known/tdmrep.json` line 1: this is not an array of rules, so it has no effect\n\
        byleave: `SITE/ai.txt` line 1: no rule follows a `User-agent` line here, so this is not Spawning's ai.txt\n\
        byleave: `SITE/license.xml` line 1: this is not well-formed from here on, so its permissions do not count\n";
    for format in ["text", "plain", "json"] {
        let ran = byleave(&["check", site, "--crawler", "A", "--usage", "tdm", "--format", format, "/a"]);
        assert_eq!(warnings(&ran, site), expected);
    }
    assert_eq!(warnings(&byleave(&["matrix", site, "--crawler", "A"]), site), expected);
    assert_eq!(warnings(&byleave(&["compare", site]), site), expected);
    assert_eq!(warnings(&byleave(&["diff", site, site]), site), expected.repeat(2));
    let ran = byleave(&["check", site, "--crawler", "A", "--reading", "rfc9309", "/a"]);
    assert_eq!(warnings(&ran, site), "");
}

#[test]
fn s45_a_given_but_malformed_licence_is_reported() {
    let robots_txt = file("sites/licensed.txt", "License: /license.xml\nUser-agent: *\nDisallow:\n");
    let broken = file("sites/broken.xml", LICENCE.split_at(120).0);
    let none = file("sites/none.xml", "<rs");
    let asked = ["--crawler", "A", "--usage", "search", "/a"];
    for licence in [&broken, &none] {
        let given = ["explain", &robots_txt, "--document", "/license.xml", licence];
        let ran = byleave(&[&given[..], &asked].concat());
        let (sentence, more) = ran.stdout.split_once('\n').unwrap();
        let expected = "A may not offer search results from `/a`: line 1 names a licence that cannot be read as RSL, so \
            nothing is licensed (`License: /license.xml`)";
        assert_eq!(sentence, expected);
        assert!(more.contains("= unreadable: /license.xml is given, but it is not readable RSL\n"), "{more}");
        assert!(!more.contains("= unread:"), "{more}");
    }
    let ran = byleave(&[&["check", &robots_txt, "--document", "/license.xml", &none][..], &asked].concat());
    assert_eq!(ran.stderr, "byleave: `/license.xml` is named as a licence, but it is not readable RSL\n");
}

#[test]
fn a_given_document_replaces_the_one_of_the_folder() {
    let reserved = |value| format!("[{{\"location\": \"/\", \"tdm-reservation\": {value}}}]");
    let robots_txt = ("robots.txt", "User-agent: *\nDisallow:\n");
    let site = folder("replaced", &[robots_txt, (".well-known/tdmrep.json", &reserved(1))]);
    let open = file("sites/open.json", reserved(0));
    for location in ["/.well-known/tdmrep.json", "https://site.example/.well-known/tdmrep.json"] {
        let asked = ["check", &site, "--crawler", "A", "--usage", "tdm", "https://site.example/a"];
        let ran = byleave(&[&asked[..], &["--document", location, &open]].concat());
        assert!(ran.code == 0 && ran.stdout.starts_with("permitted") && ran.stderr.is_empty(), "{}", ran.shown());
        let ran = byleave(&[&asked[..], &["--document", location, &open, "--document", location, &open]].concat());
        assert!(ran.code == 2 && ran.stderr.contains("is given twice"), "{}", ran.shown());
    }
}

#[test]
fn s40_only_given_documents_are_reported_as_unread() {
    let robots_txt = ("robots.txt", "User-agent: *\nDisallow:\n");
    let site = folder("unread", &[robots_txt, (".well-known/tdmrep.json", "[]")]);
    let given = file("sites/given.json", "[]");
    for reading in ["rfc9309", "google", "google-search"] {
        let asked = ["check", &site, "--crawler", "A", "--reading", reading, "/a"];
        let ran = byleave(&asked);
        assert!(ran.code == 0 && ran.stderr.is_empty(), "{}", ran.shown());
        let ran = byleave(&[&asked[..], &["--document", "/.well-known/tdmrep.json", &given]].concat());
        let expected = format!(
            "byleave: the reading {reading} reads only robots.txt, so `/.well-known/tdmrep.json` is not read\n"
        );
        assert_eq!(ran.stderr, expected);
    }
}

#[test]
fn a_single_document_is_linted_by_its_kind() {
    let broken = LICENCE.split_at(120).0;
    for (name, content) in [
        ("tdmrep.json", "[{\"location\": \"/\" \"tdm-reservation\": 1}]"),
        ("ai.txt", "hello\n"),
        ("license.xml", broken),
        ("terms.rsl", broken),
    ] {
        let path = file(&format!("sites/alone/{name}"), content);
        let ran = byleave(&["lint", &path, "--format", "concise"]);
        assert!(ran.stdout.contains("error[X034]") && ran.stdout.lines().count() == 1, "{name}: {}", ran.shown());
    }
    for (name, content) in [
        ("good/tdmrep.json", "[{\"location\": \"/\", \"tdm-reservation\": 1}]"),
        ("good/ai.txt", "User-agent: *\nDisallow: /\n"),
        ("good/trust.txt", "member=https://site.example/\n"),
        ("good/license.xml", LICENCE),
    ] {
        let path = file(&format!("sites/alone/{name}"), content);
        let ran = byleave(&["lint", &path, "--format", "concise"]);
        assert_eq!(ran.shown(), "[exit 0]", "{name}");
    }
    let ran = byleave(&["lint", &file("sites/alone/page.xml", "<html><meta name=robots content=noindx></html>")]);
    assert!(ran.stdout.contains("unknown directive `noindx`"), "{}", ran.shown());
}

#[test]
fn documents_of_one_side_only_are_reported() {
    let robots_txt = "License: /license.xml\nUser-agent: *\nDisallow:\n";
    let reserved = "[{\"location\": \"/\", \"tdm-reservation\": 1}]";
    let files = [("robots.txt", robots_txt), (".well-known/tdmrep.json", reserved), ("license.xml", LICENCE)];
    let site = &folder("one-side", &files);
    let alone = &file("sites/one-side.txt", robots_txt);
    let tmp = env!("CARGO_TARGET_TMPDIR");
    let expected = "byleave: `TMP/sites/one-side/.well-known/tdmrep.json`, `TMP/sites/one-side/license.xml` are read on \
        one side only, because `TMP/sites/one-side.txt` is not a folder; compare a folder with a folder, or a file with a file\n";
    for sides in [[site, alone], [alone, site]] {
        let ran = byleave(&["diff", sides[0], sides[1]]);
        assert_eq!(ran.stderr.replace(tmp, "TMP"), expected);
    }
    assert_eq!(byleave(&["diff", site, alone, "--reading", "rfc9309"]).stderr, "");
    assert_eq!(byleave(&["diff", site, site]).stderr, "");
}

#[test]
fn s40_a_losing_preference_is_shown_in_its_group() {
    let robots_txt = "User-agent: *\nDisallow: /b/\nContent-Usage: train-ai=n\n\nUser-agent: GPTBot\nDisallow: /x\n\n\
        ACAP-crawler: *\nACAP-allow-crawl: /\n";
    let site = file("sites/lost.txt", robots_txt);
    let ran = byleave(&["explain", &site, "--crawler", "GPTBot", "--usage", "train-ai", "/a"]);
    let expected = "1 | User-agent: *\n2 | Disallow: /b/\n3 | Content-Usage: train-ai=n\n  | ------------------------- \
        line 3 is for any crawler, but this crawler has its own group (S-13)\n";
    assert!(ran.stdout.contains(expected) && !ran.stdout.contains("ACAP-crawler"), "{}", ran.shown());
}
