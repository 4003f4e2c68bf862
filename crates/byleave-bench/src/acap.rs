//! Compares ACAP with plain robots.txt: the corpus translated line by line, and adversarial files. No other parser
//! interprets ACAP, so there is no peer to compare with.

use byleave_bench::corpus::{Site, Strings};

/// Translates a site's rules to ACAP fields: `User-agent` becomes `ACAP-crawler`, and rules become permissions and
/// prohibitions for `crawl`. Other lines do not change.
pub fn translated(site: &Site) -> Site {
    let text = String::from_utf8_lossy(&site.text);
    let line = |line: &str| {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let field = match name.trim().to_ascii_lowercase().as_str() {
            "user-agent" => "ACAP-crawler",
            // Drop empty rules. In RFC 9309 they have no effect, but an empty ACAP field is an error.
            "disallow" | "allow" if value.split('#').next().unwrap_or("").trim().is_empty() => return String::new(),
            "disallow" => "ACAP-disallow-crawl",
            "allow" => "ACAP-allow-crawl",
            _ => return line.to_owned(),
        };
        format!("{field}:{value}")
    };
    let text: Vec<String> = text.lines().map(line).collect();
    Site::new("site.example", text.join("\n").into_bytes(), site.paths.iter().map(str::to_owned).collect())
}

/// An ACAP file of about 500 KB that is slow to parse or to evaluate, and a path that all its patterns match.
pub struct Shape {
    pub name: &'static str,
    pub text: Vec<u8>,
    pub paths: Strings,
}

pub fn shapes() -> Vec<Shape> {
    const SIZE: usize = 499_000;
    let path = || Strings::new(&[format!("/{}", "a".repeat(2000))]);
    let fill = |start: String, line: &dyn Fn(usize) -> String| {
        let mut text = start;
        for n in 0.. {
            let line = line(n);
            if text.len() + line.len() > SIZE {
                break;
            }
            text.push_str(&line);
        }
        text.into_bytes()
    };
    let any = || "ACAP-crawler: *\n".to_owned();
    let verb = |n: usize| if n.is_multiple_of(2) { "allow" } else { "disallow" };
    let mut set = String::from("ACAP-resource-set: s");
    (0..10_000).for_each(|n| set.push_str(&format!(" /*a{}a", n % 10)));
    set.push_str("\nACAP-crawler: *\n");
    let mut composite = String::from("ACAP-composite-usage: c");
    (0..20_000).for_each(|n| composite.push_str([" crawl", " index", " zz"][n % 3]));
    composite.push_str("\nACAP-crawler: *\n");
    let names: String = (0..15_000).map(|n| format!("ACAP-crawler: n{n}\n")).collect();
    let composites: String = (0..10_000).map(|n| format!("ACAP-composite-usage: c{n} crawl\n")).collect();
    vec![
        ("equal literals that oppose each other", fill(any(), &|n| format!("ACAP-{}-crawl: /a\n", verb(n)))),
        (
            "nested literals that oppose each other",
            fill(any(), &|n| format!("ACAP-{}-crawl: /{}\n", verb(n), "a".repeat(n % 900))),
        ),
        (
            "wildcards that oppose each other",
            fill(any(), &|n| format!("ACAP-{}-crawl: /*a*{}\n", verb(n), "a".repeat(n % 7))),
        ),
        ("permissions with wildcards", fill(any(), &|n| format!("ACAP-allow-crawl: /{}*a\n", "a".repeat(n % 300)))),
        ("literals, one of which matches", fill(any(), &|n| format!("ACAP-disallow-crawl: /a{n}/\n"))),
        (
            "a set of 10,000 patterns in every statement",
            fill(set, &|n| format!("ACAP-{}-crawl: the-acap:resource-set:s\n", verb(n))),
        ),
        ("a composite of 20,000 members in every statement", fill(composite, &|_| "ACAP-allow-(c): /a\n".to_owned())),
        (
            "10,000 composites, each used once",
            fill(composites + "ACAP-crawler: *\n", &|n| format!("ACAP-allow-(c{n}): /a\n")),
        ),
        ("a group of 15,000 names", fill(names, &|_| "ACAP-allow-crawl: /a\n".to_owned())),
        (
            "a name of 100 KB",
            fill(format!("ACAP-crawler: {}\n", "n".repeat(100_000)), &|_| "ACAP-allow-crawl: /a\n".into()),
        ),
    ]
    .into_iter()
    .map(|(name, text)| Shape { name, text, paths: path() })
    .collect()
}
