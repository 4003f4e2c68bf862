//! The benchmark input: real files with URLs, and adversarial files.

use base64::Engine;
use std::io::Read;
use std::path::Path;

/// A robots.txt file, with the paths and URLs to decide.
pub struct Site {
    pub text: Vec<u8>,
    pub paths: Strings,
    pub urls: Strings,
}

/// Strings in one buffer, so that the benchmarks do not measure cache misses on scattered strings.
pub struct Strings {
    joined: String,
    ends: Vec<usize>,
}

impl Strings {
    pub fn new(strings: &[String]) -> Self {
        let ends = strings.iter().scan(0, |end, string| {
            *end += string.len();
            Some(*end)
        });
        Self { joined: strings.concat(), ends: ends.collect() }
    }

    pub fn count(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, n: usize) -> &str {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.joined[start..self.ends[n]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.count()).map(|n| self.get(n))
    }
}

impl Site {
    pub fn new(host: &str, text: Vec<u8>, paths: Vec<String>) -> Self {
        let urls: Vec<String> = paths.iter().map(|path| format!("https://{host}{path}")).collect();
        Self { text, paths: Strings::new(&paths), urls: Strings::new(&urls) }
    }
}

/// A small random number generator that gives the same numbers in every run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

const WORDS: [&str; 24] = [
    "news",
    "archive",
    "index.html",
    "images",
    "a",
    "search",
    "item",
    "wp-content",
    "2026",
    "page",
    "product",
    "en",
    "tag",
    "user",
    "blog",
    "feed",
    "css",
    "static",
    "files",
    "docs",
    "q",
    "about",
    "shop",
    "article-name-that-is-longer",
];

/// Returns every file in the corpus, with `each` paths per file. Half of the paths are derived from the file's rules.
pub fn load(file: &Path, each: usize) -> Result<Vec<Site>, String> {
    let files = files(file)?.into_iter().enumerate();
    Ok(files
        .map(|(number, (host, text))| {
            let paths = paths_for(&text, each, &mut Numbers::new(number as u64 + 1));
            Site::new(&host, text, paths)
        })
        .collect())
}

/// Returns every file in the corpus with its host.
pub fn files(file: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let packed = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut lines = String::new();
    flate2::read::MultiGzDecoder::new(packed.as_slice())
        .read_to_string(&mut lines)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    let mut files = Vec::new();
    for (number, line) in lines.lines().enumerate() {
        let group: serde_json::Value =
            serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", file.display(), number + 1))?;
        let text = match (group["robots"].as_str(), group["robots_b64"].as_str()) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (None, Some(coded)) => {
                base64::engine::general_purpose::STANDARD.decode(coded).map_err(|error| error.to_string())?
            }
            (None, None) => continue,
        };
        files.push((group["host"].as_str().unwrap_or("site.example").to_owned(), text));
    }
    Ok(files)
}

/// Returns paths for a file: half derived from its rules, with wildcards filled in, and half generated.
pub fn paths_for(text: &[u8], each: usize, numbers: &mut Numbers) -> Vec<String> {
    let rules: Vec<String> = text.split(|byte| matches!(byte, b'\n' | b'\r')).filter_map(rule_pattern).collect();
    (0..each)
        .map(|n| {
            if n % 2 == 0 && !rules.is_empty() {
                let pattern = &rules[numbers.below(rules.len())];
                let mut path = String::new();
                for letter in pattern.chars() {
                    match letter {
                        '*' => path.push_str(WORDS[numbers.below(WORDS.len())]),
                        '$' => {}
                        _ => path.push(letter),
                    }
                }
                if !path.starts_with('/') {
                    path.insert(0, '/');
                }
                if numbers.below(2) == 0 {
                    path.push_str(WORDS[numbers.below(WORDS.len())]);
                }
                path
            } else {
                let depth = 1 + numbers.below(5);
                let mut path: String = (0..depth).flat_map(|_| ["/", WORDS[numbers.below(WORDS.len())]]).collect();
                if numbers.below(4) == 0 {
                    path.push_str(&format!("?id={}&page={}", numbers.below(100_000), numbers.below(50)));
                }
                path
            }
        })
        .collect()
}

fn rule_pattern(line: &[u8]) -> Option<String> {
    let line = String::from_utf8_lossy(line);
    let line = line.split('#').next()?.trim();
    let (name, value) = line.split_once(':')?;
    let is_rule = name.trim().eq_ignore_ascii_case("disallow") || name.trim().eq_ignore_ascii_case("allow");
    let value = value.trim();
    (is_rule && !value.is_empty() && value.len() < 300 && !value.contains(char::is_control))
        .then(|| value.replace(' ', "%20"))
}

/// An adversarial file of about 500 KB, or a file with few rules, and URLs that are slow to decide.
pub struct Shape {
    pub name: &'static str,
    pub site: Site,
    /// Peers that are skipped, because they need minutes for this file.
    pub too_slow: &'static [&'static str],
}

pub fn shapes() -> Vec<Shape> {
    const SIZE: usize = 499_000;
    let mut shapes = Vec::new();
    let file = |line: &mut dyn FnMut(usize) -> Option<String>| {
        let mut text = String::from("User-agent: *\n");
        for n in 0.. {
            match line(n) {
                Some(line) if text.len() + line.len() < SIZE => text.push_str(&line),
                _ => break,
            }
        }
        text.into_bytes()
    };
    let mut add = |name, text: Vec<u8>, paths: Vec<String>, too_slow: &'static [&'static str]| {
        shapes.push(Shape { name, site: Site::new("site.example", text, paths), too_slow });
    };
    let distinct = |count: usize, path: &dyn Fn(usize) -> String| (0..count).map(path).collect::<Vec<_>>();
    let pick = |n: usize| n.wrapping_mul(7919) % 40_000;

    for (name, count) in [("20 literal rules", 20usize), ("20,000 literal rules", 20_000)] {
        let text = file(&mut |n| (n < count).then(|| format!("Disallow: /dir/{n:05}/x\n")));
        add(name, text, distinct(2000, &|n| format!("/dir/{:05}/x/page", pick(n) % (count * 2))), &["robotstxt"]);
    }
    let text = file(&mut |n| (n < 899).then(|| format!("Disallow: /{}\n", "a".repeat(n + 1))));
    add("899 nested literals", text, distinct(200, &|n| format!("/{}b", "a".repeat(n * 4 + 1))), &[]);
    let stem = "s".repeat(200);
    let text = file(&mut |n| Some(format!("Disallow: /{stem}{n:05}\n")));
    add(
        "literals sharing 200 bytes",
        text,
        distinct(200, &|n| format!("/{stem}{:05}/x", pick(n) % 5000)),
        &["robotstxt"],
    );
    let text = file(&mut |n| Some(format!("User-agent: bot{n}\nDisallow: /{n}\n\n")));
    add("13,000 groups", text, distinct(200, &|n| format!("/{n}/x")), &["robotstxt"]);
    let text = format!("User-agent: *\nDisallow: /{}\n", "x".repeat(SIZE - 40)).into_bytes();
    add("one line of 499 KB", text, distinct(20, &|n| format!("/{}", "x".repeat(n * 100))), &[]);
    let text = file(&mut |n| Some(format!("Disallow: /*x{n:05}*.pdf$\n")));
    add("20,000 /*xN*.pdf$", text, distinct(2000, &|n| format!("/docs/x{:05}/file.pdf", pick(n))), &["robotstxt"]);
    let text = file(&mut |n| Some(format!("Disallow: *.ext{n}$\n")));
    add("*.extN$", text, distinct(2000, &|n| format!("/docs/file.ext{}", pick(n))), &["robotstxt"]);
    let text = file(&mut |n| Some(format!("Disallow: /*a*b*{n}*\n")));
    add("/*a*b*N*", text, distinct(500, &|n| format!("/xaxbx/{}/y", pick(n))), &["robotstxt"]);
    let long = "a".repeat(2000);
    for (name, pattern) in [
        ("/*a*a*a*a*a*b on 2,000 a", "/*a*a*a*a*a*b".to_owned()),
        ("20 stars on 2,000 a", format!("/{}b", "*a".repeat(20))),
        ("20 stars and $ on 2,000 a", format!("/{}b$", "*a".repeat(20))),
    ] {
        add(
            name,
            format!("User-agent: *\nDisallow: {pattern}\n").into_bytes(),
            vec![format!("/{long}")],
            &["robotstxt"],
        );
    }
    let text = file(&mut |n| (n < 1000).then(|| format!("Disallow: /*?*s{n}=*&*t{n}=*\n")));
    let query = |n: usize| {
        let fields: Vec<String> = (0..110).map(|m| format!("s{}=v{}&x{m}=1", (n * 31 + m * 7) % 2000, m)).collect();
        format!("/search?{}", fields.join("&"))
    };
    add("1,000 /*?*sN=*&*tN=* on 1.6 KB", text, distinct(200, &query), &["robotstxt"]);

    // The following patterns defeat filters that look in the URL for a pattern's pieces (the texts between its stars).
    // For example, every piece is a single octet, or the URL contains all pieces but in the wrong order.
    let letters = b"bcdefghijklmnopqrstuvwxy";
    let text = file(&mut |n| {
        let pick = |k: usize| letters[n / 24usize.pow(k as u32) % 24] as char;
        Some(format!("Disallow: /*{}*{}*{}*{}*Z\n", pick(3), pick(2), pick(1), pick(0)))
    });
    let all = "bcdefghijklmnopqrstuvwxy".repeat(83);
    add("17,000 one-letter pieces", text, vec![format!("/{all}"), format!("/{}A", &all[..1990])], &["robotstxt"]);
    let text = file(&mut |n| {
        Some(format!(
            "Disallow: /*a*b*c*d*e*{}{}{}Z\n",
            letters[n / 576 % 24] as char,
            letters[n / 24 % 24] as char,
            letters[n % 24] as char
        ))
    });
    add("17,000 /*a*b*c*d*e*xyzZ", text, vec![format!("/{}", "abcdefghijklmnopqrstuvwxy".repeat(80))], &["robotstxt"]);
    let words: Vec<String> = (0..250).map(|n| format!("w{:03}x{:03}", n, (n * 37) % 1000)).collect();
    let text = file(&mut |n| {
        let (first, second) = (n % 200, 200 + n / 200 % 50);
        Some(format!("Disallow: /*{}*{}*{}\n", words[first], words[second], words[first]))
    });
    add("17,000 pieces all in the URL, out of order", text, vec![format!("/{}", words.concat())], &["robotstxt"]);
    let mut numbers = Numbers::new(7);
    let two: String = (0..2000).map(|_| if numbers.below(2) == 0 { 'a' } else { 'b' }).collect();
    let text = file(&mut |_| {
        let piece: String = (0..7).map(|_| if numbers.below(2) == 0 { 'a' } else { 'b' }).collect();
        Some(format!("Disallow: /*{}*{}*{piece}c\n", &piece[..5], &piece[1..6]))
    });
    add("17,000 pieces of two letters", text, vec![format!("/{two}")], &["robotstxt"]);
    let text = file(&mut |_| {
        let mut piece =
            |length: usize| -> String { (0..length).map(|_| if numbers.below(2) == 0 { 'a' } else { 'b' }).collect() };
        Some(format!("Disallow: /*{}*{}bbbbbbbb\n", piece(5), piece(6)))
    });
    let two = two.replace("bbbbbbb", "bbbbbba");
    add("17,000 absent pieces of two letters", text, vec![format!("/{two}")], &["robotstxt"]);
    let text = file(&mut |n| {
        let letters: Vec<char> = (0..5).map(|k| letters[(n / 24usize.pow(k) + 5 * k as usize) % 24] as char).collect();
        Some(format!("Disallow: /*{}*{}*{}*{}*{}\n", letters[0], letters[1], letters[2], letters[3], letters[4]))
    });
    let falling: String = letters.iter().rev().flat_map(|letter| std::iter::repeat_n(*letter as char, 83)).collect();
    add("17,000 one-letter pieces, reversed in the URL", text, vec![format!("/{falling}")], &["robotstxt"]);
    let text = file(&mut |n| Some(format!("Disallow: /*ab*ba*abab*{}$\n", n)));
    add("17,000 pieces on ababab", text, vec![format!("/{}1", "ab".repeat(1000))], &["robotstxt"]);
    shapes
}
