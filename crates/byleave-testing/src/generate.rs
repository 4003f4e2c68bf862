//! Generates robots.txt files and URLs whose patterns and paths often match. To achieve this, it uses small alphabets,
//! and derives each URL from a pattern, with small changes. The same seed gives the same files on every machine.

/// A small generator of pseudorandom numbers.
pub struct Numbers {
    state: u64,
    /// Bytes that determine the first numbers, at least two bytes per number.
    given: Vec<u8>,
}

impl Numbers {
    pub fn new(seed: u64) -> Self {
        let state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut numbers = Self { state, given: Vec::new() };
        for _ in 0..8 {
            numbers.below(2);
        }
        numbers
    }

    /// Takes the first numbers from these bytes, so that a fuzzer controls what is generated. A small change in the
    /// bytes makes a small change in the result. When all bytes are used, pseudorandom numbers follow.
    pub fn given(bytes: &[u8]) -> Self {
        Self { given: bytes.iter().rev().copied().collect(), ..Self::new(0) }
    }

    pub fn below(&mut self, limit: usize) -> usize {
        if !self.given.is_empty() {
            let bytes = if limit <= 1 << 16 { 2 } else { 8 };
            return (0..bytes).fold(0, |number, _| number << 8 | usize::from(self.given.pop().unwrap_or(0)))
                % limit.max(1);
        }
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as usize % limit.max(1)
    }

    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for n in (1..items.len()).rev() {
            items.swap(n, self.below(n + 1));
        }
    }
}

/// A group to write. It always has a rule, because a group without a rule would merge with the next group.
#[derive(Clone)]
pub struct Group {
    pub names: Vec<String>,
    pub rules: Vec<(bool, String)>,
}

/// Crawler names in the groups. [`ASKERS`] lists the names of the crawlers in the questions.
pub const NAMES: [&str; 16] = [
    "FooBot",
    "foobot",
    "Foo",
    "Foo Bar",
    "AI2Bot",
    "MSNPTC/1.0",
    "bar-bot",
    "Bar_Bot",
    "*",
    "*",
    "* all",
    "*\tall",
    "*foo",
    "FooBot2",
    "barbot",
    "foo.bot",
];
/// Names of crawlers. Most of them match some of [`NAMES`], and one matches none. Purely alphabetic names come first.
pub const ASKERS: [&str; 8] = ["FooBot", "foo", "BAR-BOT", "msnptc", "nobody", "AI2bot", "Foo Bar", "foobot2"];

const PIECES: [&str; 28] = [
    "a",
    "b",
    "a",
    "b",
    "ab",
    "/",
    "/",
    "/",
    "*",
    "*",
    "$",
    "%",
    ".",
    "?",
    "&",
    "=",
    "%61",
    "%2A",
    "%2a",
    "%24",
    "%2f",
    "%e3",
    "%3D",
    "%E3%83%84",
    "ツ",
    "~",
    "index.html",
    "robots.txt",
];

/// Generates a pattern from a few pieces. Most patterns begin with a slash, and some end in `$`.
pub fn pattern(numbers: &mut Numbers) -> String {
    let mut pattern = numbers.pick(&["/", "/", "/", "/", "/", "/", "/", "*", "", "/*"]).to_owned();
    for _ in 0..numbers.below(6) {
        pattern.push_str(numbers.pick(&PIECES));
    }
    if numbers.one_in(6) {
        pattern.push('$');
    }
    pattern
}

/// Generates a few groups with a few names.
pub fn groups(numbers: &mut Numbers) -> Vec<Group> {
    let count = 1 + numbers.below(5);
    (0..count)
        .map(|_| {
            let names = (0..1 + numbers.below(3)).map(|_| numbers.pick(&NAMES).to_owned()).collect();
            let rules = (0..1 + numbers.below(6)).map(|_| (numbers.one_in(2), pattern(numbers))).collect();
            Group { names, rules }
        })
        .collect()
}

/// Writes the groups without any variation.
pub fn plain(groups: &[Group]) -> String {
    let mut text = String::new();
    for group in groups {
        for name in &group.names {
            text.push_str(&format!("User-agent: {name}\n"));
        }
        for (permits, pattern) in &group.rules {
            text.push_str(&format!("{}: {pattern}\n", if *permits { "Allow" } else { "Disallow" }));
        }
    }
    text
}

/// The ways in which a written file may vary.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Noise {
    /// Variations that must not change an answer (S-32): comments, blank lines, line endings, blanks, and the case of
    /// field names.
    Harmless,
    /// Additional variations, which some readings treat differently: misspellings, missing colons, unknown fields,
    /// invalid bytes.
    Any,
}

/// Writes the groups with variations.
pub fn noisy(groups: &[Group], numbers: &mut Numbers, noise: Noise) -> Vec<u8> {
    let mut text = Vec::new();
    let end = numbers.pick(&["\n", "\r", "\r\n", "mixed"]);
    let end_of = |numbers: &mut Numbers| if end == "mixed" { numbers.pick(&["\n", "\r", "\r\n"]) } else { end };
    if noise == Noise::Any && numbers.one_in(8) {
        text.extend_from_slice(numbers.pick(&[&b"Disallow: /"[..], b"Allow: /a", b"\xEF", b"\xEF\xBB", b"junk"]));
        text.extend_from_slice(end_of(numbers).as_bytes());
    }
    for group in groups {
        let names = group.names.iter().map(|name| ("User-agent", name));
        let rules = group.rules.iter().map(|(permits, rule)| (if *permits { "Allow" } else { "Disallow" }, rule));
        for (name, value) in names.chain(rules) {
            while numbers.one_in(5) {
                text.extend_from_slice(between(numbers, noise));
                text.extend_from_slice(end_of(numbers).as_bytes());
            }
            line(&mut text, name, value, numbers, noise);
            text.extend_from_slice(end_of(numbers).as_bytes());
        }
    }
    if numbers.one_in(3) {
        while matches!(text.last(), Some(b'\n' | b'\r')) {
            text.pop();
        }
    }
    text
}

fn between(numbers: &mut Numbers, noise: Noise) -> &'static [u8] {
    match noise {
        Noise::Harmless => numbers.pick(&[&b""[..], b" \t", b"# Disallow: /", b"\t#", b"Sitemap: https://a.example/s"]),
        Noise::Any => numbers.pick(&[
            &b""[..],
            b"#",
            b"Crawl-delay: 1",
            b"Sitemap: /",
            b"Unknown: /a",
            b"DisallowAITraining: /",
            b"Allowed: /a",
            b"ACAP-crawler: *",
            b"ACAP-disallow-index: /",
            b"Disallow:",
            b"Allow:",
            b"User-agent:",
            b": /",
            b"/a",
            b"three words here",
            b"disallow /",
            b"user agent: Foo",
            b"useragent: *",
            b"\xFF\xFE\x00",
            b"Disallow: /a\xFF",
            b"Allow: /\xE3\x83\x84",
            b"\xEF\xBB\xBFDisallow: /",
        ]),
    }
}

fn line(text: &mut Vec<u8>, name: &str, value: &str, numbers: &mut Numbers, noise: Noise) {
    let mut name = match numbers.below(4) {
        0 => name.to_ascii_uppercase(),
        1 => name.to_ascii_lowercase(),
        _ => name.to_owned(),
    };
    let mut separator = numbers.pick(&[": ", ": ", ":", " : ", "\t:\t", ":  "]);
    if noise == Noise::Any && numbers.one_in(12) {
        let misspelt = match name.to_ascii_lowercase().as_str() {
            "user-agent" => numbers.pick(&["useragent", "User Agent", "user-agents"]),
            "disallow" => numbers.pick(&["Dissallow", "dissalow", "disalow", "DIASLLOW", "disallaw", "disallows"]),
            _ => numbers.pick(&["alow", "allow-x", "Allow"]),
        };
        name = misspelt.to_owned();
    }
    if noise == Noise::Any && numbers.one_in(12) {
        separator = numbers.pick(&[" ", "\t", "  "]);
    }
    text.extend_from_slice(numbers.pick(&["", "", "", " ", "\t"]).as_bytes());
    text.extend_from_slice(name.as_bytes());
    text.extend_from_slice(separator.as_bytes());
    text.extend_from_slice(value.as_bytes());
    text.extend_from_slice(numbers.pick(&["", "", "", "", " ", "\t ", " # Allow: /", "#"]).as_bytes());
}

/// Generates a URL that one of these patterns matches or nearly matches.
pub fn url(numbers: &mut Numbers, patterns: &[&str]) -> String {
    let mut path = match patterns.is_empty() || numbers.one_in(10) {
        true => pattern(numbers),
        false => numbers.pick(patterns).to_owned(),
    };
    path = filled(&path, numbers);
    for _ in 0..numbers.below(3) {
        path = disturbed(&path, numbers);
    }
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    if numbers.one_in(12) {
        path.push_str("#b");
    }
    match numbers.below(3) {
        0 => path,
        1 => format!("https://site.example{path}"),
        _ => format!("http://site.example:80{path}"),
    }
}

/// Returns a path for the pattern: every wildcard is replaced, and the final `$` is removed.
pub fn filled(pattern: &str, numbers: &mut Numbers) -> String {
    let body = pattern.strip_suffix('$').unwrap_or(pattern);
    let mut path = String::new();
    for letter in body.chars() {
        match letter {
            '*' => path.push_str(numbers.pick(&["", "", "a", "b", "/", "ab", "a/b", "*", "?a"])),
            letter => path.push(letter),
        }
    }
    path
}

fn disturbed(path: &str, numbers: &mut Numbers) -> String {
    let mut letters: Vec<String> = path.chars().map(String::from).collect();
    let at = numbers.below(letters.len() + 1);
    match numbers.below(5) {
        0 => letters.insert(at, numbers.pick(&PIECES).to_owned()),
        1 if at < letters.len() => drop(letters.remove(at)),
        2 if at < letters.len() => letters[at] = numbers.pick(&PIECES).to_owned(),
        3 if at < letters.len() => {
            letters[at] = letters[at].bytes().map(|byte| format!("%{byte:02x}")).collect();
        }
        _ => letters.push(numbers.pick(&["a", "/", "b", ".", "?a"]).to_owned()),
    }
    letters.concat()
}

/// Generates one group with very many rules over a tiny alphabet. The rules contain duplicates, nested prefixes, and
/// many patterns that the engine's index stores under the same key.
pub fn large_group(numbers: &mut Numbers, name: &str) -> Group {
    let count = 900 + numbers.below(1_600);
    let stem = numbers.pick(&["", "", "/shared/stem", "/a/a/a/a/a/a/a/a"]);
    let starred = numbers.pick(&[0, 5, 30, 60, 95, 100]);
    let alphabet: &[&str] = numbers.pick(&[
        &["a", "b", "/"][..],
        &["a", "b", "c", "d", "/", "."],
        &["a", "/"],
        &["ab", "ba", "/", ".", "?", "%61", "%2A", "ツ"],
    ]);
    let longest = numbers.pick(&[4, 8, 14, 40]);
    let mut rules: Vec<(bool, String)> = Vec::new();
    for _ in 0..count {
        let is_starred = numbers.below(100) < starred;
        let mut pattern = if is_starred { String::from(numbers.pick(&["/", "/", "*", stem])) } else { stem.to_owned() };
        if pattern.is_empty() {
            pattern.push('/');
        }
        if !rules.is_empty() && numbers.one_in(3) {
            // Start with an earlier pattern, to get nested prefixes and duplicates.
            pattern = rules[numbers.below(rules.len())].1.trim_end_matches('$').to_owned();
        }
        for _ in 0..numbers.below(longest) {
            let is_star = is_starred && numbers.one_in(4);
            pattern.push_str(if is_star { "*" } else { numbers.pick(alphabet) });
            if pattern.len() > 120 {
                break;
            }
        }
        if numbers.below(100) < starred / 4 {
            pattern.push('$');
        }
        rules.push((numbers.one_in(2), pattern));
    }
    Group { names: vec![name.to_owned()], rules }
}
