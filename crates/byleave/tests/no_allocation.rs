//! Checks that deciding does not allocate, with a counting allocator around `Bound::may_crawl` and `decide`.
//!
//! This is a separate test binary, because an allocator is global to the program. A documented exception is a URL of
//! more than 2,048 bytes that has to be normalized (`resource.rs`).

#![allow(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

use byleave::analysis::decide_unchecked;
use byleave::{Crawler, Policy, ProposedUse, Reading, Site, Usage};
use byleave_testing::generate::Numbers;
use byleave_testing::{generate, real};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // Tests run in parallel, so each thread has its own counter. A thread that is ending has no counter any more, so
    // ignore the error.
    let _ = ASKED.try_with(|asked| asked.set(asked.get() + 1));
}

// SAFETY: every call goes to the system allocator without changes. The only addition is a counter.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller upholds `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller upholds `alloc_zeroed`'s contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller upholds `realloc`'s contract.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds `dealloc`'s contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the number of allocations while `act` runs.
fn allocations(act: impl FnOnce()) -> usize {
    let before = ASKED.get();
    act();
    ASKED.get() - before
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))) > 0);
    assert_eq!(allocations(|| ()), 0);
}

/// Checks every function that decides, for one file in one reading, with a few crawlers and some URLs.
fn check(about: &str, text: &[u8], reading: Reading, urls: &[String]) {
    let policy = Policy::parse_as(text, reading);
    let alone = policy.clone().into_owned();
    let site = Site::of_robots_txt(text, reading);
    for crawler in [
        Crawler::named("FooBot"),
        Crawler::named("Nobody"),
        Crawler::named("Nobody").also_named("Other").with_fallback("Googlebot").with_fallback("Foo"),
    ] {
        for url in urls {
            let asked = allocations(|| {
                for policy in [&policy, &alone] {
                    let bound = policy.bind(&crawler);
                    std::hint::black_box(bound.may_crawl(url));
                }
                for usage in [Usage::Crawl, Usage::Index] {
                    std::hint::black_box(decide_unchecked(&site, &ProposedUse::new(url, &crawler, &usage)));
                }
            });
            assert_eq!(asked, 0, "{about} in the reading {reading}: {} at {url}", crawler.name());
        }
    }
}

/// Law: no decision about a generated file allocates. Some files have indexed groups, and some URLs have to be
/// normalized.
#[test]
fn deciding_allocates_nothing_on_generated_files() {
    for seed in 0..60 {
        let mut numbers = Numbers::new(seed);
        let mut groups = generate::groups(&mut numbers);
        if seed % 6 == 0 {
            groups.push(generate::large_group(&mut numbers, name_for(seed)));
        }
        if seed % 5 == 0 {
            // So many groups for one name that they are not stored inline, and so many names that they are sorted.
            for n in 0..120 {
                let names = vec!["FooBot".to_owned(), format!("other{n}")];
                groups.push(generate::Group { names, rules: vec![(n % 2 == 0, format!("/{n}/"))] });
            }
        }
        let text = generate::plain(&groups);
        let patterns: Vec<&str> =
            groups.iter().flat_map(|group| &group.rules).map(|(_, pattern)| pattern.as_str()).collect();
        let mut urls: Vec<String> = (0..12).map(|_| generate::url(&mut numbers, &patterns)).collect();
        urls.push(format!("https://site.example/{}", "x".repeat(5_000)));
        urls.push(format!("https://site.example/{}", "%61ツ".repeat(340)));
        for reading in Reading::OF_ROBOTS_TXT {
            check("a generated file", text.as_bytes(), *reading, &urls);
        }
    }
}

fn name_for(seed: u64) -> &'static str {
    if seed.is_multiple_of(12) { "*" } else { "FooBot" }
}

/// Law: no decision about a real file allocates, for ten URLs derived from the file's own rules.
#[test]
fn deciding_allocates_nothing_on_real_files() {
    let Some(files) = real::files() else { return };
    for (number, (name, text)) in files.iter().enumerate() {
        let mut numbers = Numbers::new(number as u64);
        let rules = real::values(text, &["allow", "disallow"]);
        let urls: Vec<String> = (0..10).map(|_| generate::url(&mut numbers, &rules)).collect();
        check(name, text, Reading::Default, &urls);
    }
}

/// Law: no decision about a conformance case allocates, except in the cases of `MAY_ALLOCATE`. Some of the cases use
/// ACAP.
#[test]
fn deciding_allocates_nothing_on_the_conformance_cases() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut count = 0;
    for file in ["acap", "seeds", "rfc9309", "names", "usages", "contested", "readings", "headers", "meta", "words"] {
        let text = std::fs::read_to_string(root.join(format!("conformance/{file}.jsonl"))).unwrap();
        for line in text.lines() {
            let case = byleave::cases::Case::read(line).unwrap();
            if case.robots_file.is_some() {
                continue;
            }
            let asked = case.with(byleave::cases::CaseFiles::default(), |site, proposed| {
                // Statements on elements are parsed when they are first needed (S-16).
                std::hint::black_box(decide_unchecked(site, proposed));
                allocations(|| {
                    std::hint::black_box(decide_unchecked(site, proposed));
                })
            });
            // Exceptions: resolving a relative reference to a resource that must be used (S-37), comparing a location
            // (S-27), combining source and DOM (S-25), parsing a page beyond its head (S-24, S-37), collecting
            // statements on elements (S-16), and storing many conventional rules of the same rank (S-13).
            const MAY_ALLOCATE: [&str; 8] = [
                "must-use-",
                "must-include-",
                "location",
                "\"dom\"",
                "\"body_meta\": true",
                "\"element\"",
                "acap:",
                "conventional rules of one rank",
            ];
            let may_allocate = MAY_ALLOCATE.iter().any(|word| line.contains(word));
            assert!(asked == Ok(0) || may_allocate, "{file}: {}: {asked:?}", case.name);
            count += 1;
        }
    }
    assert!(count > 2500, "only {count} cases");
}
