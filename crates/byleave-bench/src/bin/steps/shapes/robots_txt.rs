//! Adversarial robots.txt files (with many rules, groups or lines), and adversarial URLs.

use super::{Shape, filled};
use crate::operations::Input;
use byleave_bench::corpus::Numbers;

/// The size of the smallest file in bytes.
const SIZE: usize = 60_000;
const ANY: &str = "User-agent: *\n";
const LETTERS: &[u8; 24] = b"bcdefghijklmnopqrstuvwxy";

pub fn shapes() -> Vec<Shape> {
    [rules(), groups(), lines(), urls()].into_iter().flatten().collect()
}

/// Returns a shape for a file that repeats this line, with a question about this URL.
fn growing(name: &str, url: impl Into<String>, line: impl Fn(usize) -> String + 'static) -> Shape {
    let url = url.into();
    Shape::new(name, SIZE, move |size| Input::file(filled(ANY, size, &line), url.clone()))
}

fn letter(n: usize) -> char {
    LETTERS.get(n % LETTERS.len()).map_or('b', |letter| char::from(*letter))
}

fn rules() -> Vec<Shape> {
    let stem = "s".repeat(200);
    let (longest, url) = (stem.clone(), format!("/{stem}00100/x"));
    let fields: Vec<String> = (0..110).map(|n| format!("s{}=v{n}&x{n}=1", n * 7 % 2000)).collect();
    let words: Vec<String> = (0..250).map(|n| format!("w{n:03}x{:03}", (n * 37) % 1000)).collect();
    let all: String = words.concat();
    let falling: String = LETTERS.iter().rev().flat_map(|one| std::iter::repeat_n(char::from(*one), 83)).collect();
    let mut shapes = vec![
        growing("disjoint literals", "/d/00007/x/y", |n| format!("Disallow: /d/{n:05}/x\n")),
        growing("nested literals", format!("/{}b", "a".repeat(2000)), |n| {
            format!("{}: /{}\n", if n % 2 == 0 { "Disallow" } else { "Allow" }, "a".repeat(n + 1))
        }),
        growing("literals that share 200 bytes", url, move |n| format!("Disallow: /{longest}{n:05}\n")),
        growing("one literal, repeated", "/a", |_| "Disallow: /a\n".to_owned()),
        growing("one literal, permitted and prohibited", "/a", |n| {
            format!("{}: /a\n", if n % 2 == 0 { "Disallow" } else { "Allow" })
        }),
        growing("patterns of equal rank", format!("/{}", "a".repeat(2000)), |n| {
            format!("{}: /*a{}a\n", if n % 2 == 0 { "Disallow" } else { "Allow" }, ["*", "a"][n / 2 % 2])
        }),
        growing("escapes", "/%C3%A9", |n| format!("Disallow: /é%41%2a%zz{n}\n")),
        growing("/*xN*.pdf$", "/d/x00009/f.pdf", |n| format!("Disallow: /*x{n:05}*.pdf$\n")),
        growing("*.extN$", "/d/f.ext17", |n| format!("Disallow: *.ext{n}$\n")),
        growing("/*a*b*N*", "/xbxax/123/y", |n| format!("Disallow: /*a*b*{n}*\n")),
        growing("/*aaaa*b", format!("/b{}", "a".repeat(2000)), |_| "Disallow: /*aaaa*b\n".to_owned()),
        growing("/*?*sN=*&*tN=*", format!("/search?{}", fields.join("&")), |n| {
            format!("Disallow: /*?*s{n}=*&*t{n}=*\n")
        }),
        growing("one-letter pieces", format!("/{}", "bcdefghijklmnopqrstuvwxy".repeat(83)), |n| {
            format!("Disallow: /*{}*{}*{}*{}*Z\n", letter(n / 13_824), letter(n / 576), letter(n / 24), letter(n))
        }),
        growing("one-letter pieces, reversed in the URL", format!("/{falling}"), |n| {
            let letters = [0, 1, 2, 3, 4].map(|k| letter(n / 24usize.pow(k) + 5 * k as usize));
            format!("Disallow: /*{}\n", letters.map(String::from).join("*"))
        }),
        growing("/*a*b*c*d*e*xyzZ", format!("/{}", "abcdefghijklmnopqrstuvwxy".repeat(80)), |n| {
            format!("Disallow: /*a*b*c*d*e*{}{}{}Z\n", letter(n / 576), letter(n / 24), letter(n))
        }),
        growing("pieces all in the URL, out of order", format!("/{all}"), move |n| {
            let (first, second) = (&words[n % 200], &words[200 + n / 200 % 50]);
            format!("Disallow: /*{first}*{second}*{first}\n")
        }),
        growing("pieces on ababab", format!("/{}1", "ab".repeat(1000)), |n| format!("Disallow: /*ab*ba*abab*{n}$\n")),
    ];
    for (name, end) in [("pieces of two letters", "c"), ("absent pieces of two letters", "bbbbbbbb")] {
        let two = of_two_letters(&mut Numbers::new(7), 2000).replace("bbbbbbb", "bbbbbba");
        shapes.push(Shape::new(name, SIZE, move |size| {
            let mut numbers = Numbers::new(9);
            let mut piece = |length| of_two_letters(&mut numbers, length);
            let text = filled(ANY, size, |_| format!("Disallow: /*{}*{}*{}{end}\n", piece(5), piece(5), piece(6)));
            Input::file(text, format!("/{two}"))
        }));
    }
    shapes
}

fn of_two_letters(numbers: &mut Numbers, length: usize) -> String {
    (0..length).map(|_| if numbers.below(2) == 0 { 'a' } else { 'b' }).collect()
}

fn groups() -> Vec<Shape> {
    let file = |crawler: &'static str, name: &str, make: fn(usize) -> String| {
        Shape::new(name, SIZE, move |size| Input::file_for(crawler, make(size), "/a"))
    };
    vec![
        file("bot77", "groups", |size| filled("", size, |n| format!("User-agent: bot{n}\nDisallow: /{n}\n"))),
        file("nobody", "groups for other crawlers", |size| {
            filled(ANY, size, |n| format!("User-agent: bot{n}\nDisallow: /{n}\n"))
        }),
        file("a", "groups for one name", |size| filled("", size, |n| format!("User-agent: a\nDisallow: /{n}\n"))),
        file("a", "one name, repeated", |size| filled("", size, |_| "User-agent:a\n".to_owned()) + "Disallow: /a\n"),
        file("a", "any crawler, repeated", |size| filled("", size, |_| "User-agent:*\n".to_owned()) + "Disallow: /a\n"),
        file("a", "a name repeated in one of many groups", |size| {
            let rules = filled("", size / 2, |n| format!("Disallow: /*{}*b{n}\n", "a*".repeat(300)));
            "User-agent:a\n".repeat(size / 26) + &rules + &"User-agent: a\nDisallow: /x\n".repeat(5)
        }),
        file("a", "names with facts", |size| {
            let names = filled("", size / 2, |n| format!("User-agent:{n}\n"));
            names + &"Crawl-delay:1\n".repeat(size / 28)
        }),
        file("a", "groups with facts", |size| {
            filled("", size, |n| format!("User-agent: a\nUser-agent: {n}\nCrawl-delay: {n}\n"))
        }),
        file("a", "names with the same hash", |size| {
            filled("", size, |n| format!("User-agent: a/{n} b\nDisallow: /\n"))
        }),
    ]
}

fn lines() -> Vec<Shape> {
    let file =
        |name: &str, make: fn(usize) -> Vec<u8>| Shape::new(name, SIZE, move |size| Input::file(make(size), "/a"));
    let line = |name: &str, line: fn(usize) -> String| {
        Shape::new(name, SIZE, move |size| Input::file(filled(ANY, size, line), "/a"))
    };
    vec![
        file("a line without a colon", |size| "x".repeat(size).into_bytes()),
        file("blanks before the colon", |size| format!("Disallow{}:/", " ".repeat(size)).into_bytes()),
        file("blanks after the colon", |size| format!("Disallow:{}/", " \t".repeat(size / 2)).into_bytes()),
        file("a long name", |size| format!("User-agent: {}\nDisallow: /\n", "x".repeat(size)).into_bytes()),
        file("a long comment", |size| format!("User-agent: *\nDisallow: /#{}", "#".repeat(size)).into_bytes()),
        file("colons", |size| ":".repeat(size).into_bytes()),
        file("empty lines", |size| b"\n".repeat(size)),
        file("empty lines, CRLF", |size| b"\r\n".repeat(size / 2)),
        file("empty lines, CR", |size| [b"User-agent: *\n", &b"\r".repeat(size)[..], b"Disallow: /"].concat()),
        file("NULs", |size| vec![0; size]),
        file("random bytes", |size| {
            let mut numbers = Numbers::new(3);
            (0..size).map(|_| numbers.below(256) as u8).collect()
        }),
        file("telling bytes", |size| {
            const BYTES: &[u8] = b"\r\n\t :#*$%/auser-gent";
            let mut numbers = Numbers::new(5);
            (0..size).map(|_| BYTES[numbers.below(BYTES.len())]).collect()
        }),
        line("comments", |_| "# a\n".to_owned()),
        line("empty rules", |_| "Disallow:\n".to_owned()),
        line("unknown fields", |n| format!("Field-{n}: x\n")),
        line("misspelt fields", |_| "Dissalow: /b\n".to_owned()),
        line("fields without a colon", |_| "Disallow /b\n".to_owned()),
        line("patterns without a slash", |n| format!("Disallow: b{n}\n")),
        line("sitemaps", |n| format!("Sitemap: https://site.example/{n}\n")),
        line("META directives", |_| "Noindex: /a\n".to_owned()),
        line("delays", |n| format!("Crawl-delay: {n}\n")),
        line("odd names", |n| format!("User-agent: a b {n}\nDisallow: /\n")),
    ]
}

/// Returns files with fixed rules and a growing URL, and files with one rule that grows with the URL.
fn urls() -> Vec<Shape> {
    let url = |name: &str, rules: &str, make: fn(usize) -> String| {
        let text = format!("{ANY}{rules}");
        Shape::new(name, 8_000, move |size| Input::file(text.clone(), make(size)))
    };
    let letters = |size| format!("/{}", "a".repeat(size));
    let stars = "*a".repeat(20);
    let many = filled("", SIZE, |n| {
        format!("Disallow: /*{}*{}*{}*{}*Z\n", letter(n / 13_824), letter(n / 576), letter(n / 24), letter(n))
    });
    let queries: String = (0..1000).map(|n| format!("Disallow: /*?*s{n}=*&*t{n}=*\n")).collect();
    vec![
        url("a long URL on five stars", "Disallow: /*a*a*a*a*a*b\n", letters),
        url("a long URL on 20 stars", &format!("Disallow: /{stars}b\n"), letters),
        url("a long URL on 20 stars and an end", &format!("Disallow: /{stars}b$\n"), letters),
        url("a long URL on one-letter pieces", &many, |size| {
            format!("/{}", "bcdefghijklmnopqrstuvwxy".repeat(size / 24))
        }),
        url("a long query on query patterns", &queries, |size| {
            format!("/search?{}", filled("", size, |n| format!("s{}=v{n}&x{n}=1&", n * 7 % 2000)))
        }),
        url("a long URL of escapes", "Disallow: /*%41b\n", |size| format!("/{}", "%61ツ%2f%zz".repeat(size / 10))),
        url("a long URL of dots and slashes", "Disallow: /*/./b\n", |size| format!("/{}", ".././/".repeat(size / 6))),
        Shape::new("a long pattern on a long URL", SIZE, |size| {
            let long = "x".repeat(size);
            Input::file(format!("{ANY}Disallow: /{long}\n"), format!("/{long}y"))
        }),
        Shape::new("a long pattern of stars on a long URL", SIZE, |size| {
            Input::file(format!("{ANY}Disallow: /{}b\n", "*".repeat(size)), format!("/{}", "a".repeat(size)))
        }),
        Shape::new("a long pattern of escapes on a long URL", SIZE, |size| {
            let long = "é".repeat(size / 2);
            Input::file(format!("{ANY}Disallow: /*{long}\n"), format!("/{long}y"))
        }),
    ]
}
