//! Adversarial ACAP files: opposing statements, definitions, groups and references.

use super::{Bound, Shape, filled};
use crate::operations::Input;

/// The size of the smallest file in bytes.
const SIZE: usize = 60_000;
const ANY: &str = "ACAP-crawler: *\n";

pub fn shapes() -> Vec<Shape> {
    [opposing(), in_pairs(), definitions(), groups()].into_iter().flatten().collect()
}

fn verb(n: usize) -> &'static str {
    if n.is_multiple_of(2) { "allow" } else { "disallow" }
}

/// Returns a shape for a file that repeats this line.
fn growing(name: &str, line: fn(usize) -> String) -> Shape {
    Shape::new(name, SIZE, move |size| Input::acap(filled(ANY, size, line)))
}

fn opposing() -> Vec<Shape> {
    vec![
        growing("ACAP: equal literals that oppose each other", |n| format!("ACAP-{}-crawl: /a\n", verb(n))),
        growing("ACAP: nested literals that oppose each other", |n| {
            format!("ACAP-{}-crawl: /{}\n", verb(n), "a".repeat(n % 901))
        }),
        growing("ACAP: wildcards that oppose each other", |n| {
            format!("ACAP-{}-crawl: /*a*{}\n", verb(n), "a".repeat(n % 7))
        }),
        growing("ACAP: wildcards that oppose each other in pairs", |n| {
            format!("ACAP-{}-crawl: /{}*a$\n", verb(n), "a".repeat(n % 100))
        }),
        growing("ACAP: wildcards that oppose one literal", |n| match n {
            0 => "ACAP-disallow-crawl: /\n".to_owned(),
            _ => format!("ACAP-allow-crawl: /{}*a\n", "a".repeat(n % 30)),
        }),
        growing("ACAP: literals that oppose one wildcard", |n| match n {
            0 => "ACAP-disallow-crawl: /*\n".to_owned(),
            _ => format!("ACAP-allow-crawl: /{}\n", "a".repeat(n % 30)),
        }),
        growing("ACAP: permissions with wildcards", |n| format!("ACAP-allow-crawl: /{}*a\n", "a".repeat(n % 30))),
        growing("ACAP: permissions of one scope, each with a term", |n| {
            format!("ACAP-allow-present-snippet: /a max-length={n}-words\n")
        }),
        growing("ACAP: prohibitions of many usages", |n| {
            let usage = ["index", "follow", "preserve", "present", "present-snippet", "other", "zz"][n % 7];
            format!("ACAP-disallow-{usage}: /a\n")
        }),
        growing("ACAP: literals, one of which matches", |n| format!("ACAP-disallow-crawl: /a{n}/\n")),
        growing("ACAP: with conventional rules", |n| {
            format!("ACAP-crawler: *\nACAP-{}-crawl: /a\n\nUser-agent: *\nDisallow: /{n}\n\n", verb(n))
        }),
    ]
}

/// Returns shapes of smaller files, in which patterns are compared in pairs. The largest files are near the limit for
/// compared pairs.
fn in_pairs() -> Vec<Shape> {
    const BOUNDS: &[(&str, Bound)] = &[
        ("may crawl", Bound::COMPARED_IN_PAIRS),
        ("decide", Bound::COMPARED_IN_PAIRS),
        ("explain", Bound::EXPLAINED_IN_PAIRS),
    ];
    let small = |name: &str, size: usize, line: fn(usize) -> String| {
        Shape::new(name, size, move |size| Input::acap(filled(ANY, size, line))).bounded(BOUNDS)
    };
    vec![
        small("ACAP: few wildcards that oppose each other", 5_000, |n| {
            format!("ACAP-{}-crawl: /*a*{}\n", verb(n), "a".repeat(n % 7))
        }),
        small("ACAP: few long wildcards that oppose each other", 10_000, |n| {
            format!("ACAP-{}-crawl: /*{}*a\n", verb(n), "a".repeat(100 + n))
        }),
        small("ACAP: few patterns with many stars", 5_000, |n| {
            format!("ACAP-{}-crawl: /{}{}\n", verb(n), "*a".repeat(20), "a".repeat(n % 7))
        }),
    ]
}

fn definitions() -> Vec<Shape> {
    let start = |name: &str, start: fn(usize) -> String, line: fn(usize) -> String| {
        Shape::new(name, SIZE, move |size| Input::acap(filled(start(size / 2) + "\n" + ANY, size, line)))
    };
    vec![
        start(
            "ACAP: a set in every statement",
            |size| filled("ACAP-resource-set: s", size, |n| format!(" /*a{}", "a".repeat(n % 10))),
            |n| format!("ACAP-{}-crawl: the-acap:resource-set:s\n", verb(n)),
        ),
        start(
            "ACAP: a set without matches in every statement",
            |size| filled("ACAP-resource-set: s", size, |n| format!(" /*a{n}b")),
            |n| format!("ACAP-{}-crawl: the-acap:resource-set:s\n", verb(n)),
        ),
        start(
            "ACAP: a set of patterns none of which is the narrowest",
            |size| filled("ACAP-resource-set: s", size, |n| format!(" /{}*a", "a".repeat(n % 7))),
            |n| format!("ACAP-{}-crawl: the-acap:resource-set:s\n", verb(n)),
        ),
        start(
            "ACAP: many sets, each used once",
            |size| filled("", size, |n| format!("ACAP-resource-set: s{n} /a /b\n")),
            |n| format!("ACAP-{}-crawl: the-acap:resource-set:s{n}\n", verb(n)),
        ),
        start(
            "ACAP: one set, defined many times",
            |size| filled("", size, |n| format!("ACAP-resource-set: s /a{n}\n")),
            |n| format!("ACAP-{}-crawl: the-acap:resource-set:s\n", verb(n)),
        ),
        start(
            "ACAP: a composite in every statement",
            |size| filled("ACAP-composite-usage: c", size, |n| [" crawl", " index", " zz"][n % 3].to_owned()),
            |_| "ACAP-allow-(c): /a\n".to_owned(),
        ),
        start(
            "ACAP: a composite of unknown usages in every statement",
            |size| filled("ACAP-composite-usage: c", size, |n| format!(" z{n}")),
            |_| "ACAP-allow-(c): /a\n".to_owned(),
        ),
        start(
            "ACAP: many composites, each used once",
            |size| filled("", size, |n| format!("ACAP-composite-usage: c{n} crawl\n")),
            |n| format!("ACAP-allow-(c{n}): /a\n"),
        ),
        start(
            "ACAP: composites of composites",
            |size| {
                filled("ACAP-composite-usage: c0 crawl\n", size, |n| {
                    format!("ACAP-composite-usage: c{} (c{n}) (c{n})\n", n + 1)
                })
            },
            |n| format!("ACAP-allow-(c{n}): /a\n"),
        ),
        start(
            "ACAP: many qualified usages, each used once",
            |size| filled("", size, |n| format!("ACAP-qualified-usage: q{n} preserve time-limit={n}-days\n")),
            |n| format!("ACAP-allow-(q{n}): /a\n"),
        ),
        Shape::new("ACAP: a long name", SIZE, |size| {
            let long = "n".repeat(size / 5);
            Input::acap(format!(
                "ACAP-resource-set: {long} /a\nACAP-composite-usage: {long} crawl\nACAP-crawler: {long}\n{ANY}\
                 ACAP-allow-({long}): the-acap:resource-set:{long}\n"
            ))
        }),
    ]
}

fn groups() -> Vec<Shape> {
    vec![
        Shape::new("ACAP: a group with many names", SIZE, |size| {
            let names = filled("", size / 2, |n| format!("ACAP-crawler: n{n}\n"));
            Input::acap(filled(names + ANY, size, |n| format!("ACAP-{}-crawl: /a\n", verb(n))))
        }),
        growing("ACAP: groups", |n| format!("ACAP-crawler: *\nACAP-{}-crawl: /a\n", verb(n))),
        growing("ACAP: groups for other crawlers", |n| format!("ACAP-crawler: n{n}\nACAP-{}-crawl: /a\n", verb(n))),
        growing("ACAP: groups, named and any", |n| {
            format!("ACAP-crawler: {}\nACAP-{}-crawl: /a\n", ["*", "AnyBot"][n % 2], verb(n / 2))
        }),
        growing("ACAP: purposes", |n| format!("ACAP-usage-purpose: p{n}\nACAP-disallow-crawl: /a\n")),
        growing("ACAP: references that are not given", |n| format!("ACAP-permissions-reference: /{n}\n")),
        growing("ACAP: qualifiers that are not valid", |n| format!("ACAP-allow-crawl: /a unknown-{n}=1\n")),
        growing("ACAP: unknown fields", |n| format!("ACAP-{n}: /a\n")),
        growing("ACAP: resources that must be used", |n| {
            format!("ACAP-allow-present-snippet: /a must-use-resource=/{n}\n")
        }),
        Shape::new("ACAP: one statement with many qualifiers", SIZE, |size| {
            Input::acap(format!("{ANY}ACAP-allow-present: /{}\n", " prohibited-modification=style".repeat(size / 30)))
        }),
        Shape::new("ACAP: one statement with many resources that must be used", SIZE, |size| {
            let must = filled("", size, |n| format!(" must-use-resource=/{n}"));
            Input::acap(format!("{ANY}ACAP-allow-present-snippet: /{must}\n"))
        }),
        Shape::new("ACAP: one statement with many resources", SIZE, |size| {
            Input::acap(format!("{ANY}ACAP-disallow-crawl:{}\n", filled("", size, |n| format!(" /a{n}"))))
        }),
        Shape::new("ACAP: repeated references to one long file", SIZE, |size| {
            let text = filled(ANY, size / 2, |_| "ACAP-permissions-reference: /r\n".to_owned());
            let reference = filled(ANY, size / 2, |n| format!("ACAP-{}-crawl: /a\n", verb(n)));
            match Input::acap(text) {
                Input::RobotsTxt { text, url, crawler, usages, .. } => {
                    Input::RobotsTxt { text, url, crawler, usages, reference: Some(reference.into_bytes()) }
                }
                other => other,
            }
        }),
    ]
}
