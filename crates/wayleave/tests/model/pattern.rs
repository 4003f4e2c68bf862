//! Paths, patterns, and which of two patterns is narrower (S-06, S-19).
//!
//! A pattern is a machine whose states are places in it: after each octet of a path it is known at which
//! places the pattern can be. Matching and inclusion both walk that machine and do nothing cleverer.

use std::collections::{BTreeSet, VecDeque};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Octet(u8),
    /// `*`
    Star,
    /// `$` at the end
    End,
}

/// A pattern in comparable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(pub Vec<Token>);

impl Pattern {
    /// The pattern as written, escapes made comparable.
    pub fn read(written: &[u8]) -> Self {
        let mut tokens = Vec::new();
        let mut rest = written;
        while let Some((first, after)) = rest.split_first() {
            match first {
                b'*' => tokens.push(Token::Star),
                b'$' if after.is_empty() => tokens.push(Token::End),
                _ => {
                    let (octets, taken) = comparable_unit(rest);
                    tokens.extend(octets.into_iter().map(Token::Octet));
                    rest = &rest[taken..];
                    continue;
                }
            }
            rest = after;
        }
        Self(tokens)
    }

    /// The pattern in lower case.
    pub fn folded(&self) -> Self {
        let fold = |token: &Token| match token {
            Token::Octet(octet) => Token::Octet(octet.to_ascii_lowercase()),
            other => *other,
        };
        Self(self.0.iter().map(fold).collect())
    }

    /// How many octets it counts for RFC 9309.
    pub fn length(&self) -> usize {
        self.0.len()
    }

    /// Whether it matches a path in comparable form.
    pub fn matches(&self, path: &[u8]) -> bool {
        let machine = Machine::of(self);
        let places = path.iter().fold(machine.start(), |places, octet| machine.after(&places, *octet));
        machine.is_at_end(&places)
    }

    fn octets(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().filter_map(|token| if let Token::Octet(octet) = token { Some(*octet) } else { None })
    }
}

/// A pattern's tokens without `$`, or with the `*` that is implied where there is none.
struct Machine(Vec<Token>);

impl Machine {
    fn of(pattern: &Pattern) -> Self {
        let mut tokens = pattern.0.clone();
        if tokens.last() == Some(&Token::End) {
            tokens.pop();
        } else {
            tokens.push(Token::Star);
        }
        Self(tokens)
    }

    fn start(&self) -> BTreeSet<usize> {
        self.with_stars_passed(BTreeSet::from([0]))
    }

    /// A `*` may stand for nothing.
    fn with_stars_passed(&self, mut places: BTreeSet<usize>) -> BTreeSet<usize> {
        for place in 0..self.0.len() {
            if places.contains(&place) && self.0[place] == Token::Star {
                places.insert(place + 1);
            }
        }
        places
    }

    fn after(&self, places: &BTreeSet<usize>, octet: u8) -> BTreeSet<usize> {
        let mut next = BTreeSet::new();
        for place in places {
            match self.0.get(*place) {
                Some(Token::Star) => next.insert(*place),
                Some(Token::Octet(expected)) if *expected == octet => next.insert(place + 1),
                _ => false,
            };
        }
        self.with_stars_passed(next)
    }

    fn is_at_end(&self, places: &BTreeSet<usize>) -> bool {
        places.contains(&self.0.len())
    }
}

/// Whether every path that begins with `/` and matches `inner` also matches `outer`: all pairs of states
/// that the two machines can be in together are visited.
pub fn contains(outer: &Pattern, inner: &Pattern) -> bool {
    let (wide, narrow) = (Machine::of(outer), Machine::of(inner));
    let mut octets: BTreeSet<u8> = outer.octets().chain(inner.octets()).collect();
    octets.insert(b'/');
    // One octet that stands in neither pattern stands for all such.
    let strange = (1..=255).find(|octet| !octets.contains(octet));
    octets.extend(strange);
    let first = (wide.after(&wide.start(), b'/'), narrow.after(&narrow.start(), b'/'));
    let mut seen = BTreeSet::from([first.clone()]);
    let mut waiting = VecDeque::from([first]);
    while let Some((in_wide, in_narrow)) = waiting.pop_front() {
        if narrow.is_at_end(&in_narrow) && !wide.is_at_end(&in_wide) {
            return false;
        }
        for octet in &octets {
            let next = (wide.after(&in_wide, *octet), narrow.after(&in_narrow, *octet));
            if seen.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
    }
    true
}

/// Whether the first of two different patterns is narrower: by the method from left to right, and then
/// not contradicted by inclusion. Both are in lower case.
pub fn s06_is_narrower(pattern: &Pattern, other: &Pattern) -> bool {
    is_called_narrower(pattern, other) && !contains(pattern, other)
}

fn is_called_narrower(pattern: &Pattern, other: &Pattern) -> bool {
    let longest = pattern.0.len().max(other.0.len());
    for place in 0..longest {
        match (pattern.0.get(place), other.0.get(place)) {
            (one, two) if one == two => {}
            // A pattern has ended: the other is narrower.
            (None, _) => return false,
            (_, None) => return true,
            // `$` against anything else: the other is narrower.
            (Some(Token::End), _) => return false,
            (_, Some(Token::End)) => return true,
            // `*` against anything but `$`: the other is narrower.
            (Some(Token::Star), _) => return false,
            (_, Some(Token::Star)) => return true,
            // Two different ordinary characters: undetermined.
            (Some(Token::Octet(_)), Some(Token::Octet(_))) => return false,
        }
    }
    false
}

/// The pattern that an ACAP field or set names, with its slash added, in lower case; nothing where it names
/// none: it is empty, or a URI.
pub fn s19_acap_pattern(written: &[u8]) -> Option<Pattern> {
    if written.is_empty() || has_scheme(written) {
        return None;
    }
    let with_slash = match written.first() {
        Some(b'/' | b'*') => written.to_vec(),
        _ => [b"/", written].concat(),
    };
    Some(Pattern::read(&with_slash).folded())
}

/// Whether it begins with letters and a colon, as a URI does.
pub fn has_scheme(written: &[u8]) -> bool {
    let Some(colon) = written.iter().position(|octet| *octet == b':') else { return false };
    let scheme = &written[..colon];
    let is_scheme_octet = |octet: &u8| octet.is_ascii_alphanumeric() || b"+-.".contains(octet);
    scheme.first().is_some_and(u8::is_ascii_alphabetic) && scheme.iter().all(is_scheme_octet)
}

/// Whether a purpose of the crawler meets a written one: names whole, URIs by prefix, without case.
pub fn s19_purpose_matches(written: &str, purpose: &str) -> bool {
    if written.is_empty() {
        return false;
    }
    let mut tokens = Vec::new();
    let lower = written.to_ascii_lowercase();
    for (place, octet) in lower.bytes().enumerate() {
        match octet {
            b'*' => tokens.push(Token::Star),
            b'$' if place + 1 == lower.len() => tokens.push(Token::End),
            _ => tokens.push(Token::Octet(octet)),
        }
    }
    if !has_scheme(written.as_bytes()) && tokens.last() != Some(&Token::End) {
        tokens.push(Token::End);
    }
    Pattern(tokens).matches(purpose.to_ascii_lowercase().as_bytes())
}

/// The path and query of a URL in comparable form.
pub fn resource(url: &str) -> Vec<u8> {
    let path = path_of(url);
    let mut octets = Vec::new();
    let mut rest = path.as_bytes();
    while !rest.is_empty() {
        let (unit, taken) = comparable_unit(rest);
        octets.extend(unit);
        rest = &rest[taken..];
    }
    octets
}

/// What follows the authority, up to `#`.
fn path_of(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let path = match site_of(url) {
        Some(site) => &url[site.len()..],
        None => url,
    };
    if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
}

/// The scheme and authority of an absolute URL, as written.
fn site_of(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    if !has_scheme(format!("{scheme}:").as_bytes()) {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    Some(&url[..scheme.len() + 3 + authority.len()])
}

/// The URL that a URI written on a site means, where that is on the same site.
pub fn resolved(url: &str, written: &str) -> Option<String> {
    let site = site_of(url).unwrap_or_default();
    // A port that is empty, or the default one, makes no other site.
    let plain = |site: &str| {
        let site = site.to_ascii_lowercase();
        let default = if site.starts_with("https") { ":443" } else { ":80" };
        let bare = site.strip_suffix(default).or_else(|| site.strip_suffix(':')).map(str::to_owned);
        bare.unwrap_or(site)
    };
    if let Some(other) = site_of(written) {
        return (plain(other) == plain(site)).then(|| written.to_owned());
    }
    if has_scheme(written.as_bytes()) || written.starts_with("//") {
        return None;
    }
    if written.starts_with('/') {
        return Some(format!("{site}{written}"));
    }
    let path = path_of(url);
    let path = path.split('?').next().unwrap_or_default();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    Some(format!("{site}{folder}/{written}"))
}

/// One octet or escape at the start of `text` in comparable form, and how many octets it took.
///
/// Escapes of unreserved octets, of `*` and of `$` are decoded, others written in upper case; octets that
/// are neither reserved nor unreserved are escaped.
fn comparable_unit(text: &[u8]) -> (Vec<u8>, usize) {
    let hex = |at: usize| text.get(at).and_then(|octet| char::from(*octet).to_digit(16));
    let (octet, is_escape) = match (text[0], hex(1), hex(2)) {
        (b'%', Some(high), Some(low)) => ((high * 16 + low) as u8, true),
        (octet, ..) => (octet, false),
    };
    let is_unreserved = octet.is_ascii_alphanumeric() || b"-._~".contains(&octet);
    let is_reserved = b":/?#[]@!$&'()*+,;=".contains(&octet);
    let stays = match is_escape {
        true => is_unreserved || octet == b'*' || octet == b'$',
        false => is_unreserved || is_reserved,
    };
    let unit = if stays { vec![octet] } else { format!("%{octet:02X}").into_bytes() };
    (unit, if is_escape { 3 } else { 1 })
}
