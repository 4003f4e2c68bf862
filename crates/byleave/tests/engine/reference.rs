//! Checks that the engine agrees with brute force (S-13, S-18, S-19, S-35), on generated files and URLs. Brute force is
//! a slow implementation that shares no code with the engine. Some groups are so large that the engine indexes them.

use byleave::analysis::explain_unchecked;
use byleave::{Crawler, ProposedUse, Reading, Site, Usage};
use byleave_testing::checks::brute_force::Pair;
use byleave_testing::generate;
use byleave_testing::generate::{ASKERS, Group, Noise, Numbers};
use byleave_testing::naive::Asker;

/// In the reading `rfc9309`, only crawler names within its grammar are used, because no rule defines what other names
/// mean.
fn asker_names(numbers: &mut Numbers, reading: Reading) -> Vec<&'static str> {
    let known = if reading == Reading::Rfc9309 { &ASKERS[..5] } else { &ASKERS[..] };
    (0..1 + usize::from(numbers.one_in(6))).map(|_| numbers.pick(known)).collect()
}

fn patterns_of(groups: &[Group]) -> Vec<&str> {
    groups.iter().flat_map(|group| &group.rules).map(|(_, pattern)| pattern.as_str()).collect()
}

/// Returns the factor by which the number of generated files is multiplied. Set `BYLEAVE_ROUNDS=20` for a thorough run
/// after changing the index.
fn rounds() -> u64 {
    std::env::var("BYLEAVE_ROUNDS").ok().map_or(1, |rounds| rounds.parse().expect("BYLEAVE_ROUNDS is a number"))
}

fn small_files(reading: Reading, files: u64, each: usize) {
    for seed in 0..files * rounds() {
        let mut numbers = Numbers::new(seed * 4 + reading as u64);
        let groups = generate::groups(&mut numbers);
        let text = match numbers.below(4) {
            0 => generate::plain(&groups).into_bytes(),
            _ => generate::noisy(&groups, &mut numbers, Noise::Any),
        };
        let pair = Pair::new(&text, reading);
        let patterns = patterns_of(&groups);
        for n in 0..each {
            let names = asker_names(&mut numbers, reading);
            let fallbacks: &[&str] = if numbers.one_in(3) { &["bar-bot", "Foo"] } else { &[] };
            let url = generate::url(&mut numbers, &patterns);
            pair.compare(&Asker { names: &names, fallbacks, purposes: &[] }, &url, n % 3 == 0);
        }
    }
}

fn large_blocks(reading: Reading, files: u64, each: usize) {
    for seed in 0..files * rounds() {
        let mut numbers = Numbers::new(1_000_000 + seed * 4 + reading as u64);
        let mut groups = vec![generate::large_group(&mut numbers, "*")];
        if numbers.one_in(3) {
            groups.push(generate::large_group(&mut numbers, "FooBot"));
            groups.extend(generate::groups(&mut numbers));
        }
        let text = generate::plain(&groups).into_bytes();
        let pair = Pair::new(&text, reading);
        let patterns = patterns_of(&groups);
        for n in 0..each {
            let name = numbers.pick(&["nobody", "FooBot"]);
            let url = generate::url(&mut numbers, &patterns);
            pair.compare(&Asker { names: &[name], fallbacks: &[], purposes: &[] }, &url, n % 10 == 0);
        }
    }
}

/// Law: in the default reading, the engine and brute force agree about any file and any URL.
#[test]
fn s13_small_files_in_the_default_reading_equal_brute_force() {
    small_files(Reading::Default, 1500, 10);
}

/// Law: the engine and brute force agree in the strict reading, in which a permission that needs leniency prohibits
/// (S-09).
#[test]
fn s09_small_files_in_the_strict_reading_equal_brute_force() {
    small_files(Reading::Strict, 1500, 10);
}

/// Law: the engine and brute force agree in the reading `rfc9309`.
#[test]
fn s13_small_files_in_the_reading_rfc9309_equal_brute_force() {
    small_files(Reading::Rfc9309, 1500, 10);
}

/// Law: the engine and brute force agree in the reading `google`, including index pages and prefixes of field names.
#[test]
fn s13_small_files_in_the_reading_google_equal_brute_force() {
    small_files(Reading::Google, 1500, 10);
}

/// Law: in every reading, the index of a large group finds the rule that brute force finds by trying every rule.
#[test]
fn s13_large_blocks_equal_brute_force_in_every_reading() {
    for reading in Reading::OF_ROBOTS_TXT {
        large_blocks(*reading, 6, 60);
    }
}

/// In the reading `strict`, if one user-agent line of a group needs leniency, all permissions of the group count as
/// prohibitions, even for a crawler that another user-agent line addresses.
#[test]
fn s09_a_lenient_line_for_any_crawler_makes_its_permissions_prohibit() {
    for names in ["Useragent: *", "User agent: *", "User-agent *", "useragent *"] {
        let text = format!("{names}\nAllow: /a\n");
        Pair::new(text.as_bytes(), Reading::Strict).compare(
            &Asker { names: &["AnyBot"], fallbacks: &[], purposes: &[] },
            "/a",
            true,
        );
    }
}

/// S-33: a line that determines the decision is not also listed as a line that lost.
#[test]
fn google_a_line_is_not_beaten_by_itself() {
    let site = Site::of_robots_txt(b"User-agent: *\nAllow: */index.htm\n", Reading::Google);
    let crawler = Crawler::named("AnyBot");
    let explanation = explain_unchecked(&site, &ProposedUse::new("/a/index.html/", &crawler, &Usage::Crawl));
    assert_eq!(explanation.determined_by.len(), 1);
    assert!(explanation.considered.is_empty(), "{:?}", explanation.considered);
}

/// The reading `google` reads the first 16,663 bytes of a line. As in Google's parser, the value is trimmed after the
/// line is cut off.
#[test]
fn google_a_line_is_read_up_to_its_limit() {
    for (pad, url) in [(16_640, "a"), (16_648, "a"), (16_652, "a"), (16_653, "a"), (16_654, "a"), (16_700, "a")] {
        let text = format!("User-agent: *\nDisallow: /{}a\n", "b".repeat(pad - 1));
        for url in [
            format!("/{}{url}", "b".repeat(pad - 1)),
            format!("/{}", "b".repeat(pad)),
            format!("/{}", "b".repeat(16_652)),
        ] {
            Pair::new(text.as_bytes(), Reading::Google).compare(
                &Asker { names: &["x"], fallbacks: &[], purposes: &[] },
                &url,
                true,
            );
        }
    }
}

/// In the reading `google`, blanks before the limit of a line are trimmed, so they are not part of the pattern.
#[test]
fn google_blanks_at_the_limit_of_a_line_are_no_part_of_the_pattern() {
    let text = format!("User-agent: *\nDisallow: /{} {}\n", "b".repeat(16_640), "c".repeat(100));
    let text = text.replace(" c", &format!("{}c", " ".repeat(40)));
    let url = format!("/{}", "b".repeat(16_641));
    Pair::new(text.as_bytes(), Reading::Google).compare(
        &Asker { names: &["x"], fallbacks: &[], purposes: &[] },
        &url,
        true,
    );
}
