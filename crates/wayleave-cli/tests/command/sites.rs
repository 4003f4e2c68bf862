//! Folders as sites: which documents are read with robots.txt, and what is told of those that say nothing.

use crate::{Ran, file, wayleave};

const LICENCE: &str = "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"/\"><license>\
    <permits type=\"usage\">search</permits></license></content></rsl>";
const OPEN: &str = "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"/\"><license>\
    <permits type=\"usage\">all</permits></license></content></rsl>";

/// A folder of these files, by a name of its own.
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

/// What a run wrote, with the folder left out.
fn shown(ran: &Ran, site: &str) -> String {
    ran.shown().replace(site, "SITE")
}

#[test]
fn s45_licences_that_robots_txt_names_are_read_from_its_folder() {
    for (number, location) in ["/license.xml", "license.xml", "https://any.example/license.xml"].iter().enumerate() {
        let site = &licensed(&format!("licensed-{number}"), location, LICENCE);
        let asked = ["--crawler", "A", "--usage", "search,train-ai"];
        let ran = wayleave(&[&["check", site][..], &asked, &["/a"]].concat());
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert!(
            lines[0].starts_with("permitted   search") && lines[1].starts_with("prohibited  train-ai"),
            "{lines:?}"
        );
        assert!(ran.stdout.contains("license.xml line 1: "), "{}", ran.stdout);
        assert_eq!(ran.stderr, "");
        let ran = wayleave(&[&["explain", site][..], &asked, &["https://site.example/a"]].concat());
        assert!(!ran.stdout.contains("unread:"), "{}", ran.shown());
        let ran = wayleave(&["needs", site, "/a", "--format", "plain"]);
        assert!(ran.stdout.contains("given\tlicence\t"), "{}", ran.shown());
        let ran = wayleave(&["matrix", site, "--usage", "search", "--crawler", "A"]);
        assert!(ran.stdout.contains("permitted"), "{}", ran.shown());
        let ran = wayleave(&["convert", site, "--to", "content-signal"]);
        assert!(ran.stdout.contains("search=yes"), "{}", ran.shown());
        let ran = wayleave(&["compare", site, "--usage", "search"]);
        assert!(ran.stdout.contains("permitted in default"), "{}", ran.shown());
    }
}

#[test]
fn s45_a_change_of_a_licence_alone_is_a_change() {
    let [old, new] = [licensed("old", "/license.xml", OPEN), licensed("new", "/license.xml", LICENCE)];
    let ran = wayleave(&["diff", &old, &new, "--usage", "train-ai"]);
    assert!(ran.code == 1 && ran.stdout.contains("loses train-ai"), "{}", ran.shown());
}

#[test]
fn s45_a_licence_that_breaks_off_is_linted() {
    let site = licensed("broken-licence", "https://site.example/license.xml", LICENCE.split_at(120).0);
    let ran = wayleave(&["lint", &site, "--format", "concise"]);
    assert!(ran.stdout.contains("license.xml:1:") && ran.stdout.contains("error[X034]"), "{}", ran.shown());
}

#[test]
fn nothing_outside_of_the_folder_is_read() {
    let outer = folder("outer", &[("license.xml", LICENCE), ("inner/robots.txt", "License: /../license.xml\n")]);
    for location in ["/../license.xml", "../license.xml", "https://site.example/../license.xml", "//a/license.xml"] {
        let robots_txt = format!("License: {location}\nUser-agent: *\nDisallow:\n");
        file("sites/outer/inner/robots.txt", robots_txt);
        let ran = wayleave(&["check", &format!("{outer}/inner"), "--crawler", "A", "--usage", "search", "/a"]);
        assert!(ran.stdout.contains("line 1: License:"), "{}", shown(&ran, &outer));
    }
}
