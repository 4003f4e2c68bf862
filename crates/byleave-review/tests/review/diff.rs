//! Which cases a diff skips, and which crawlers it asks about.

use byleave::{Reading, Site};
use byleave_review::diff::{Difference, diff};
use byleave_review::{Proof, ReviewScope};

fn changes(old: &str, new: &str, asked: &ReviewScope) -> Difference {
    let [old, new] = [old, new].map(|text| Site::of_robots_txt(text.as_bytes(), Reading::Default));
    diff(&old, &new, asked)
}

/// Returns a file whose patterns overlap in too many ways for a complete walk.
fn heavy() -> String {
    let field = |n: u8| format!("ACAP-disallow-crawl: /*{n:02}*a*{}\nACAP-allow-index: /*b{n:02}*c\n", n + 30);
    format!("ACAP-crawler: *\n{}", (0..40).map(field).collect::<String>())
}

#[test]
fn acap_fields_of_both_versions_are_not_walked() {
    let (old, all) = (heavy(), &ReviewScope::default());
    let same = changes(&old, &format!("# new\n\n{old}Sitemap: https://site.example/map.xml\n"), all);
    assert_eq!((same.proof, same.changes.len(), same.facts.len()), (Proof::Exact, 0, 1));
    assert_eq!(same.states, 0);
    // Only one usage changes, so the patterns for the other usage are not examined.
    let one = changes(&old, &format!("{old}ACAP-disallow-preserve: /a/\n"), all);
    assert_eq!((one.proof, one.changes.len()), (Proof::Exact, 1));
    assert_eq!(one.changes[0].sentence(), "every crawler loses `preserve` on `/a/`");
    // The new pattern overlaps the others in too many ways, so the result is marked as not proven.
    let met = changes(&old, &format!("{old}ACAP-allow-crawl: /*z\n"), all);
    assert_eq!(met.proof, Proof::NotProven);
}

#[test]
fn fields_that_state_something_else_are_changes() {
    let file = |set: &str, usage: &str, field: &str| {
        format!(
            "ACAP-resource-set: s {set}\nACAP-qualified-usage: q preserve {usage}\nACAP-crawler: *\n\
             ACAP-allow-(q): the-acap:resource-set:s\nACAP-allow-index: /a {field}\n"
        )
    };
    let old = file("/a /b", "time-limit=2-days", "time-limit=2-days");
    for new in [
        file("/a /c", "time-limit=2-days", "time-limit=2-days"),
        file("/a /b", "time-limit=3-days", "time-limit=2-days"),
        file("/a /b", "time-limit=2-days", "time-limit=3-days"),
        old.replace("ACAP-crawler: *", "ACAP-crawler: SomeBot"),
        old.replace("allow-index", "disallow-index"),
        old.replace("ACAP-allow-index", "ACAP-usage-purpose: news\nACAP-allow-index"),
    ] {
        let found = changes(&old, &new, &ReviewScope::default());
        assert!(found.proof == Proof::Exact && !found.changes.is_empty(), "{new}");
    }
    let turned = file("/b /a", "time-limit=2-days", "time-limit=2-days");
    assert!(changes(&old, &turned, &ReviewScope::default()).is_empty());
}

#[test]
fn a_crawler_of_the_catalogue_falls_back_as_its_operator_says() {
    let any = "User-agent: *\nDisallow: /\n";
    let old = format!("User-agent: Googlebot\nDisallow: /a/\n\nUser-agent: Googlebot-Image\nDisallow: /b/\n\n{any}");
    let new = format!("User-agent: Googlebot\nDisallow: /a/\n\n{any}");
    let found = changes(&old, &new, &ReviewScope::default());
    let sentences: Vec<String> = found.changes.iter().map(|change| change.sentence()).collect();
    assert_eq!(sentences, ["`Googlebot-Image` loses `crawl` on `/a/`", "`Googlebot-Image` gains `crawl` on `/b/`"]);
    // If neither version names the crawler, it is listed only if the caller asks for it.
    let asked = ReviewScope::only(vec!["Googlebot-News".to_owned()], Vec::new());
    let found = changes(&new, any, &asked);
    assert!(found.changes.iter().any(|change| change.crawlers == ["Googlebot-News"]), "{:#?}", found.changes);
}

#[test]
fn s50_crawlers_with_a_purpose_of_groups_are_asked_for() {
    let any = "User-agent: *\nDisallow:\n";
    let group = |purpose: &str, rule: &str| format!("User-agent-purpose: {purpose}\n{rule}\n\n");
    let old = format!("{}{any}", group("train", "Disallow: /x"));
    let found = changes(&old, any, &ReviewScope::default());
    let sentences: Vec<String> = found.changes.iter().map(|change| change.sentence()).collect();
    assert_eq!(sentences, ["`User-agent-purpose: train` gains `crawl` on `/x`"]);
    assert_eq!(found.proof, Proof::Exact);
    // A crawler with both purposes is bound by both groups. Nothing changes for a crawler with only one purpose.
    let both = |rule: &str| format!("{}{}{any}", group("a", "Disallow: /x/"), group("b", rule));
    let found = changes(&both("Disallow:"), &both("Allow: /x/y"), &ReviewScope::default());
    let sentences: Vec<String> = found.changes.iter().map(|change| change.sentence()).collect();
    assert_eq!(sentences, ["`User-agent-purpose: a, b` gains `crawl` on `/x/y`"]);
    // With three purposes, a crawler may have only some of them. If there are many, not every set is examined.
    let more = |purposes: &[&str], rule: &str| {
        let others = purposes.iter().map(|purpose| group(purpose, "Disallow: /c/"));
        format!("{}{}", others.collect::<String>(), both(rule))
    };
    let three = changes(&more(&["c"], "Disallow:"), &more(&["c"], "Allow: /c/d"), &ReviewScope::default());
    let sentences: Vec<String> = three.changes.iter().map(|change| change.sentence()).collect();
    let expected = "`User-agent-purpose: c, a, b` and `User-agent-purpose: c, b` gain `crawl` on `/c/d`";
    assert_eq!((sentences, three.proof), (vec![expected.to_owned()], Proof::Exact));
    let many = ["c", "d", "e", "f", "g"];
    let found = changes(&more(&many, "Disallow:"), &more(&many, "Disallow: /z"), &ReviewScope::default());
    assert_eq!(found.proof, Proof::NotProven);
}

#[test]
fn unchanged_preferences_below_a_place_are_listed() {
    let old = "User-agent: *\nDisallowAITraining: /\n";
    let new = format!("{old}AllowAITraining: /open/\nContent-Usage: /open/b/ train-ai=n\n");
    let found = changes(old, &new, &ReviewScope::default());
    let places: Vec<_> = found.changes.iter().flat_map(|change| &change.places).collect();
    assert_eq!(places.len(), 1);
    assert_eq!(places[0].unchanged_in_words().as_deref(), Some("unchanged: `/open/b/` prohibited"));
}
