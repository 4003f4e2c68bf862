//! A slow and simple reader for plain robots.txt, written only from `docs/semantics.md`.
//!
//! It shares only the names of readings with the engine. It splits lines byte by byte, tries every pattern on every
//! path, and follows all possible positions in a pattern at once. If the engine and this reader give different
//! verdicts, one of them is wrong.

use byleave::Reading;
use std::collections::BTreeSet;

/// A robots.txt file, as parsed by the naive reader.
pub struct Naive {
    reading: Reading,
    pub groups: Vec<Group>,
    /// The fields outside of groups that are neither names nor rules.
    pub outside: Vec<Other>,
    /// The lines in ACAP groups that are neither names nor rules. It is unclear which crawlers they address (S-40).
    pub doubtful: BTreeSet<u32>,
}

/// A field that is neither a name nor a rule: its line, its name in lower case, and its value.
pub type Other = (u32, String, String);

/// The names and rules of one group (RFC 9309).
#[derive(Default)]
pub struct Group {
    pub names: Vec<Vec<u8>>,
    /// The values of `User-agent-purpose` (S-50).
    pub purposes: Vec<Vec<u8>>,
    pub rules: Vec<Rule>,
    pub others: Vec<Other>,
    deviates: bool,
}

/// One Allow or Disallow line with a value.
pub struct Rule {
    pub line: u32,
    /// Whether the rule permits. In the strict reading, a permission that needs leniency is a prohibition.
    pub permits: bool,
    pub is_uninterpretable: bool,
    pub written: Vec<u8>,
    pattern: Pattern,
    directory: Option<Pattern>,
}

/// The verdict that follows from plain robots.txt.
#[derive(Debug, PartialEq, Eq)]
pub struct Verdict {
    pub is_allowed: bool,
    pub reason: &'static str,
    pub bound_by: &'static str,
    /// The lines of the determining rules. Each of these rules alone would give the verdict.
    pub determined: Vec<u32>,
    /// The lines of all other rules that address the crawler and match the path.
    pub considered: BTreeSet<u32>,
}

/// The crawler in a question: its own names, its fallback names and its purposes.
pub struct Asker<'a> {
    pub names: &'a [&'a str],
    pub fallbacks: &'a [&'a str],
    pub purposes: &'a [&'a str],
}

/// A field: its line number, its name and value, and whether the colon is missing.
pub struct Field<'t> {
    pub line: u32,
    pub name: &'t [u8],
    pub value: &'t [u8],
    pub lacks_colon: bool,
}

impl Naive {
    pub fn read(text: &[u8], reading: Reading) -> Self {
        let fields = lines(text, reading).filter_map(|(line, content)| field(line, content));
        Self::of_fields(fields, reading, &[])
    }

    /// Reads a file. Fields with the names in `parting` end a list of crawler names, as rules do (S-40).
    pub fn read_parted(text: &[u8], reading: Reading, parting: &[&str]) -> Self {
        let fields = lines(text, reading).filter_map(|(line, content)| field(line, content));
        Self::of_fields(fields, reading, parting)
    }

    /// Collects fields into groups: names, then rules. A name after a rule opens the next group.
    pub fn of_fields<'t>(fields: impl Iterator<Item = Field<'t>>, reading: Reading, parting: &[&str]) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let (mut outside, mut doubtful) = (Vec::new(), BTreeSet::new());
        let (mut is_open, mut takes_names, mut is_acap) = (false, false, false);
        for mut field in fields {
            if reading == Reading::Google {
                (field.name, field.value) = (without_white_space(field.name), without_white_space(field.value));
            }
            let Some((kind, is_misspelt)) = kind(field.name, reading) else {
                let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
                let other = (field.line, text(field.name).to_ascii_lowercase(), text(field.value));
                if is_acap {
                    doubtful.insert(field.line);
                }
                takes_names &= !parting.contains(&other.1.as_str());
                match groups.last_mut().filter(|_| is_open) {
                    Some(group) => group.others.push(other),
                    None => outside.push(other),
                }
                continue;
            };
            if field.lacks_colon && reading == Reading::Rfc9309 {
                continue;
            }
            let is_lenient = is_misspelt || field.lacks_colon;
            match kind {
                "user-agent" | "user-agent-purpose" => {
                    if !takes_names {
                        groups.push(Group::default());
                    }
                    (is_open, takes_names, is_acap) = (true, true, false);
                    let group = groups.last_mut().unwrap();
                    if kind == "user-agent-purpose" {
                        group.purposes.push(field.value.to_vec());
                        continue;
                    }
                    group.names.push(field.value.to_vec());
                    let is_odd = !is_any(field.value) && cut(field.value, b"_-", false).len() != field.value.len();
                    group.deviates |= is_lenient || is_odd;
                }
                "acap-crawler" => (is_open, takes_names, is_acap) = (false, false, true),
                _ if is_open => {
                    takes_names = false;
                    let group = groups.last_mut().unwrap();
                    if !field.value.is_empty() {
                        let needs_leniency = is_lenient || group.deviates || field.value[0] == b'*';
                        let is_uninterpretable = kind == "allow" && reading == Reading::Strict && needs_leniency;
                        let permits = kind == "allow" && !is_uninterpretable;
                        group.rules.push(Rule::new(field.line, permits, is_uninterpretable, field.value, reading));
                    }
                }
                _ => {}
            }
        }
        Self { reading, groups, outside, doubtful }
    }

    /// Returns the verdict for one crawler and URL.
    pub fn decide(&self, asker: &Asker<'_>, url: &str) -> Verdict {
        let path = path_of(url, self.reading);
        let (bound_by, bound) = self.bound(asker);
        let matching = |group: &Group| -> Vec<(usize, bool, u32)> {
            group.rules.iter().filter_map(|rule| Some((rule.length(&path)?, rule.permits, rule.line))).collect()
        };
        let matches: Vec<_> = bound.iter().flat_map(|group| matching(group)).collect();
        let mut considered: BTreeSet<u32> = matches.iter().map(|(.., line)| *line).collect();
        if bound_by == "named" || bound_by == "fallback" {
            let general = self.groups.iter().filter(|group| group.names.iter().any(|name| is_any(name)));
            considered.extend(general.flat_map(matching).map(|(.., line)| line));
        }
        let is_itself = self.reading != Reading::Google && path == b"/robots.txt";
        let selected = self.selected(asker, url).1;
        let (is_allowed, reason) = match selected.first().map(|rule| rule.permits) {
            None => (true, "no-rule-matches"),
            Some(true) => (true, "longest-pattern"),
            Some(false) if is_itself => (true, "robots-txt-itself"),
            Some(false) => (false, "longest-pattern"),
        };
        let mut determined: Vec<u32> = selected.iter().map(|rule| rule.line).collect();
        if reason == "robots-txt-itself" {
            determined.clear();
        }
        determined.sort_unstable();
        considered.retain(|line| !determined.contains(line));
        Verdict { is_allowed, reason, bound_by, determined, considered }
    }

    /// S-13: returns the longest matching rules. If a permission and a prohibition are equally long, returns only
    /// permissions. Also returns how the groups address the crawler.
    pub fn selected(&self, asker: &Asker<'_>, url: &str) -> (bool, Vec<&Rule>) {
        let path = path_of(url, self.reading);
        let (bound_by, bound) = self.bound(asker);
        let rank = |rule: &Rule| rule.length(&path).map(|length| (length, rule.permits));
        let rules = || bound.iter().flat_map(|group| &group.rules);
        let best = rules().filter_map(rank).max();
        (
            ["named", "fallback"].contains(&bound_by),
            rules().filter(|rule| best.is_some() && rank(rule) == best).collect(),
        )
    }

    /// S-13, S-35, S-50: returns the groups that bind the crawler: all groups that name it, or else the groups for its
    /// first fallback name that occurs, or else the groups for one of its purposes, or else the groups for any crawler.
    pub fn bound(&self, asker: &Asker<'_>) -> (&'static str, Vec<&Group>) {
        let named = |name: &str| -> Vec<&Group> {
            let is_named = |group: &&Group| group.names.iter().any(|written| self.names(written, name));
            self.groups.iter().filter(is_named).collect()
        };
        let own =
            |group: &&Group| group.names.iter().any(|written| asker.names.iter().any(|name| self.names(written, name)));
        let own: Vec<&Group> = self.groups.iter().filter(own).collect();
        if !own.is_empty() {
            return ("named", own);
        }
        for fallback in asker.fallbacks {
            let found = named(fallback);
            if !found.is_empty() {
                return ("fallback", found);
            }
        }
        let is_own = |written: &Vec<u8>| asker.purposes.iter().any(|own| written.eq_ignore_ascii_case(own.as_bytes()));
        let purposes: Vec<&Group> = self.groups.iter().filter(|group| group.purposes.iter().any(is_own)).collect();
        if !purposes.is_empty() {
            return ("purpose", purposes);
        }
        let any = self.groups.iter().filter(|group| group.names.iter().any(|name| is_any(name)));
        let any: Vec<&Group> = any.collect();
        if any.is_empty() { ("no-group", any) } else { ("any", any) }
    }

    /// S-35: compares the whole written name, then its beginning, up to the first character that a name cannot contain.
    fn names(&self, written: &[u8], name: &str) -> bool {
        if is_any(written) {
            return false;
        }
        let is = |part: &[u8]| !part.is_empty() && part.eq_ignore_ascii_case(name.as_bytes());
        match self.reading {
            Reading::Rfc9309 | Reading::Google => is(cut(written, b"_-", false)),
            _ => is(written) || is(cut(written, b"_.-", true)),
        }
    }
}

impl Rule {
    fn new(line: u32, permits: bool, is_uninterpretable: bool, written: &[u8], reading: Reading) -> Self {
        let pattern = Pattern::new(written, reading);
        let directory = pattern.directory().filter(|_| permits && reading == Reading::Google);
        Self { line, permits, is_uninterpretable, written: written.to_vec(), pattern, directory }
    }

    /// Returns the length of the pattern, if it matches.
    pub fn length(&self, path: &[u8]) -> Option<usize> {
        // S-18: a pattern that begins with neither `/` nor `*` matches nothing.
        let can_match = self.written.starts_with(b"/") || self.written.starts_with(b"*");
        let of = |pattern: &Pattern| (can_match && pattern.matches(path)).then(|| pattern.length());
        of(&self.pattern).or_else(|| self.directory.as_ref().and_then(of))
    }
}

/// A normalized pattern: octets, with `None` for a wildcard.
pub struct Pattern {
    octets: Vec<Option<u8>>,
    is_anchored: bool,
}

impl Pattern {
    pub fn new(written: &[u8], reading: Reading) -> Self {
        let is_anchored = written.ends_with(b"$");
        let body = if is_anchored { &written[..written.len() - 1] } else { written };
        let mut octets = Vec::new();
        // A wildcard is not an octet, so only the text between wildcards is normalized.
        for (n, piece) in body.split(|byte| *byte == b'*').enumerate() {
            if n > 0 {
                octets.push(None);
            }
            octets.extend(comparable(piece, reading).into_iter().map(Some));
        }
        Self { octets, is_anchored }
    }

    pub fn length(&self) -> usize {
        self.octets.len() + usize::from(self.is_anchored)
    }

    /// Returns whether the pattern matches. Goes through the pattern, and keeps the set of all positions in the path
    /// that the match may have reached.
    pub fn matches(&self, path: &[u8]) -> bool {
        // Before the first wildcard, there is at most one position.
        let literal = self.octets.iter().position(Option::is_none).unwrap_or(self.octets.len());
        if path.len() < literal || (0..literal).any(|at| self.octets[at] != Some(path[at])) {
            return false;
        }
        let mut places = vec![literal];
        for octet in &self.octets[literal..] {
            match octet {
                None => places = (places[0]..=path.len()).collect(),
                Some(octet) => {
                    places.retain(|at| path.get(*at) == Some(octet));
                    places.iter_mut().for_each(|at| *at += 1);
                }
            }
            if places.is_empty() {
                return false;
            }
        }
        !self.is_anchored || places.contains(&path.len())
    }

    /// Returns the pattern for the folder of an index page. In Google's reading, `Allow: /a/index.html` also permits
    /// `/a/`.
    fn directory(&self) -> Option<Self> {
        let slash = self.octets.iter().rposition(|octet| *octet == Some(b'/'))?;
        let rest: Vec<u8> = self.octets[slash..].iter().map_while(|octet| *octet).collect();
        rest.starts_with(b"/index.htm").then(|| Self { octets: self.octets[..=slash].to_vec(), is_anchored: true })
    }
}

/// Normalizes the octets of a path or of a pattern between wildcards (section 6.3 of the semantics). The reading
/// `google` does not normalize the URL.
pub fn comparable(text: &[u8], reading: Reading) -> Vec<u8> {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let is_reserved = |byte: u8| b":/?#[]@!$&'()*+,;=".contains(&byte);
    let escape = |byte: u8| format!("%{byte:02X}").into_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        let digits = text.get(at + 1..at + 3).filter(|two| byte == b'%' && two.iter().all(u8::is_ascii_hexdigit));
        if let Some(digits) = digits {
            let octet = u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap();
            let is_decoded = match reading {
                Reading::Google => false,
                Reading::Rfc9309 => is_unreserved(octet) || is_reserved(octet),
                _ => is_unreserved(octet) || b"*$".contains(&octet),
            };
            out.extend(if is_decoded { vec![octet] } else { escape(octet) });
            at += 3;
            continue;
        }
        let is_kept = match reading {
            Reading::Google => byte.is_ascii(),
            _ => is_unreserved(byte) || is_reserved(byte),
        };
        out.extend(if is_kept { vec![byte] } else { escape(byte) });
        at += 1;
    }
    out
}

/// Returns the normalized part of a URL between the authority and `#`, or `/` if that part is empty.
pub fn path_of(url: &str, reading: Reading) -> Vec<u8> {
    let is_path = url.starts_with('/') && !(reading == Reading::Google && url.starts_with("//"));
    let from = match (is_path, url.find("://")) {
        (true, _) => 0,
        (false, Some(scheme)) if !url.starts_with("//") => scheme + 3,
        (false, _) if url.starts_with("//") => 2,
        (false, _) => 0,
    };
    let rest = url[from..].split('#').next().unwrap();
    let ends: &[char] = if reading == Reading::Google { &['/', '?', ';'] } else { &['/', '?'] };
    let start = if is_path { 0 } else { rest.find(ends).unwrap_or(rest.len()) };
    let mut path = rest[start..].to_owned();
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    if reading == Reading::Google { path.into_bytes() } else { comparable(path.as_bytes(), reading) }
}

/// Returns the content of each line, including comments, with its number. Text after the size limit of S-22 is omitted.
pub fn lines(text: &[u8], reading: Reading) -> impl Iterator<Item = (u32, &[u8])> {
    const LIMIT: usize = 512_000;
    const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];
    let same = MARK.iter().zip(text).take_while(|(mark, byte)| mark == byte).count();
    let mut start = if same == 3 || reading == Reading::Google { same } else { 0 };
    let mut found = Vec::new();
    let mut at = start;
    while start < text.len() {
        while at < text.len() && text[at] != b'\n' && text[at] != b'\r' {
            at += 1;
        }
        let is_cut = text.len() > LIMIT && at >= LIMIT;
        if !is_cut {
            found.push(&text[start..at]);
        }
        at += if text[at..].starts_with(b"\r\n") { 2 } else { 1 };
        start = at;
    }
    let most = if reading == Reading::Google { 16_663 } else { usize::MAX };
    found.into_iter().enumerate().map(move |(n, line)| (n as u32 + 1, &line[..line.len().min(most)]))
}

/// Returns the name and value in a line, or `None` if the line is blank, a comment, or not a field.
pub fn field(line: u32, content: &[u8]) -> Option<Field<'_>> {
    let content = trim(content.split(|byte| *byte == b'#').next().unwrap());
    if let Some(colon) = content.iter().position(|byte| *byte == b':') {
        let (name, value) = (trim(&content[..colon]), trim(&content[colon + 1..]));
        return Some(Field { line, name, value, lacks_colon: false });
    }
    let words: Vec<&[u8]> = content.split(|byte| b" \t".contains(byte)).filter(|word| !word.is_empty()).collect();
    match words[..] {
        [name, value] => Some(Field { line, name, value, lacks_colon: true }),
        _ => None,
    }
}

/// Returns which relevant field a name denotes, and whether it is misspelt.
fn kind(name: &[u8], reading: Reading) -> Option<(&'static str, bool)> {
    const DISALLOW: [&str; 5] = ["dissallow", "dissalow", "disalow", "diasllow", "disallaw"];
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let is = |word: &str| if reading == Reading::Google { name.starts_with(word) } else { name == word };
    let exact = ["user-agent", "allow", "disallow"].into_iter().find(|word| is(word));
    if let Some(word) = exact {
        return Some((word, false));
    }
    match reading {
        Reading::Rfc9309 => None,
        _ if ["useragent", "user agent"].into_iter().any(is) => Some(("user-agent", true)),
        _ if DISALLOW.into_iter().any(is) => Some(("disallow", true)),
        Reading::Google => None,
        _ => ["acap-crawler", "user-agent-purpose"].into_iter().find(|word| name == *word).map(|word| (word, false)),
    }
}

/// Returns whether a name is `*`, alone or followed by a blank.
fn is_any(written: &[u8]) -> bool {
    written == b"*" || written.starts_with(b"* ") || written.starts_with(b"*\t")
}

fn cut<'t>(written: &'t [u8], marks: &[u8], digits: bool) -> &'t [u8] {
    let belongs = |byte: &u8| byte.is_ascii_alphabetic() || marks.contains(byte) || (digits && byte.is_ascii_digit());
    let end = written.iter().position(|byte| !belongs(byte)).unwrap_or(written.len());
    &written[..end]
}

fn trim(text: &[u8]) -> &[u8] {
    without(b" \t", text)
}

/// Strips white space in the way that Google's parser does.
fn without_white_space(text: &[u8]) -> &[u8] {
    without(b" \t\x0B\x0C", text)
}

fn without<'t>(blanks: &[u8], text: &'t [u8]) -> &'t [u8] {
    let is_blank = |byte: &u8| blanks.contains(byte);
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
    &text[start..end]
}
