//! The paths on which source and target are compared: those that stand for each pattern, those at its edges, those
//! where two that say the contrary meet, and all of them in other capitals.
//!
//! A star is taken for a character that no pattern has. Who decides on such a path decides wherever the pattern
//! matches and nothing narrower does.

use super::pattern::{meets, recased};
use byleave::model::Modality;
use std::collections::BTreeMap;

/// Whether paths that differ only in capitals are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathCase {
    /// They may be two resources: the letter of RFC 9309.
    #[default]
    Sensitive,
    /// The site says that they are one resource, so that only the spelling of its patterns is asked about.
    Insensitive,
}

/// Paths to ask about, each with whether it is in other capitals than the patterns.
pub(crate) type Paths = BTreeMap<String, bool>;

/// A pattern with what it does.
pub(crate) type PatternRule<'p> = (Modality, &'p [u8]);

/// The paths that patterns are asked about.
pub(crate) struct PathSampler {
    stranger: u8,
    capitals: PathCase,
}

impl PathSampler {
    /// With a character that none of these patterns has, written or escaped; nothing where none is left.
    pub(crate) fn new<'p>(patterns: impl IntoIterator<Item = &'p [u8]>, capitals: PathCase) -> Option<Self> {
        let mut is_used = [false; 256];
        let mut mark = |byte: u8| {
            if let Some(used) = is_used.get_mut(usize::from(byte.to_ascii_lowercase())) {
                *used = true;
            }
        };
        for pattern in patterns {
            for (at, byte) in pattern.iter().enumerate() {
                mark(*byte);
                let digits = pattern.get(at + 1..at + 3).filter(|_| *byte == b'%');
                if let Some(octet) =
                    digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())
                {
                    mark(octet);
                }
            }
        }
        // Characters that a URL holds as they are, the rarest in patterns first; no letter of an escape.
        let candidates = b"~!'@,;()[]+jqxzkvywughlmnoprsti0123456789";
        let stranger = candidates.iter().copied().find(|byte| is_used.get(usize::from(*byte)) == Some(&false))?;
        Some(Self { stranger, capitals })
    }

    /// Paths for all of these patterns; nothing where there would be more than `most`.
    ///
    /// Cost: O(permissions × prohibition_patterns), or of one pass over them where that is more than `most`.
    pub(crate) fn paths(&self, said: &[PatternRule<'_>], most: usize) -> Option<Paths> {
        let of_class = |kind: Modality| said.iter().filter(move |(modality, _)| *modality == kind);
        let (yes, no) = (of_class(Modality::Permission), of_class(Modality::Prohibition));
        let pairs = yes.clone().count().saturating_mul(no.clone().count());
        if said.len().saturating_mul(PATHS_PER_PATTERN).saturating_add(pairs.saturating_mul(PATHS_PER_PAIR)) > most {
            return None;
        }
        let mut paths = Paths::new();
        for path in ["/".to_owned(), format!("/{}", char::from(self.stranger))] {
            paths.insert(path, false);
        }
        for (_, pattern) in said {
            self.add(pattern, false, &mut paths);
            if self.capitals == PathCase::Sensitive {
                self.add(&recased(pattern, 0), true, &mut paths);
            }
        }
        for (_, permission) in yes {
            for (_, prohibition) in no.clone() {
                self.add_meeting(permission, prohibition, &mut paths);
            }
        }
        Some(paths)
    }

    /// The path that stands for a pattern.
    pub(crate) fn witness(&self, pattern: &[u8]) -> String {
        let (body, tail) = match pattern.strip_suffix(b"$") {
            Some(body) => (body, None),
            None => (pattern, Some(self.stranger)),
        };
        match body.strip_prefix(b"*") {
            Some(rest) => self.path(b"/*", rest, tail),
            None => self.path(b"", body, tail),
        }
    }

    /// Where two patterns meet, as they are spelled, and in capitals that only one of them has.
    fn add_meeting(&self, one: &[u8], other: &[u8], paths: &mut Paths) {
        let mut add = |one: &[u8], other: &[u8], is_recased: bool| {
            for met in meets(one, other) {
                self.add(&met, is_recased, paths);
            }
        };
        add(one, other, false);
        if self.capitals == PathCase::Insensitive {
            return;
        }
        let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
        for (one, other) in [(one, other), (other, one)] {
            for from in [0, same] {
                let recased = recased(one, from);
                if recased != one {
                    add(&recased, other, true);
                }
            }
        }
    }

    /// The paths that stand for a pattern, and those at its edges.
    fn add(&self, pattern: &[u8], is_recased: bool, paths: &mut Paths) {
        let (body, is_anchored) = match pattern.strip_suffix(b"$") {
            Some(body) => (body, true),
            None => (pattern, false),
        };
        let mut put = |path: String| {
            // Spelled as a pattern has it, a path is in no other capitals.
            paths.entry(path).and_modify(|known| *known &= is_recased).or_insert(is_recased);
        };
        let tail = (!is_anchored).then_some(self.stranger);
        match body.strip_prefix(b"*") {
            Some(rest) => {
                put(self.path(b"/*", rest, tail));
                put(self.path(b"/", rest.strip_prefix(b"/").unwrap_or(rest), tail));
            }
            None => put(self.path(b"", body, tail)),
        }
        let without_stars: Vec<u8> = body.iter().copied().filter(|byte| *byte != b'*').collect();
        put(self.path(b"", &without_stars, None));
        put(self.path(b"", body, Some(self.stranger)));
    }

    fn path(&self, before: &[u8], body: &[u8], tail: Option<u8>) -> String {
        let mut path = String::with_capacity(body.len() + 3);
        if !before.starts_with(b"/") && !body.starts_with(b"/") {
            path.push('/');
        }
        for byte in before.iter().chain(body).copied().chain(tail) {
            match byte {
                b'*' => path.push(char::from(self.stranger)),
                b' ' => path.push_str("%20"),
                b'#' => path.push_str("%23"),
                byte if byte.is_ascii() && !byte.is_ascii_control() => path.push(char::from(byte)),
                byte => path.push_str(&format!("%{byte:02X}")),
            }
        }
        path
    }
}

/// About so many paths stand for one pattern, and for where two meet.
const PATHS_PER_PATTERN: usize = 8;
const PATHS_PER_PAIR: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(said: &[(Modality, &str)], capitals: PathCase) -> Vec<String> {
        let said: Vec<PatternRule<'_>> =
            said.iter().map(|(modality, pattern)| (*modality, pattern.as_bytes())).collect();
        let asking = PathSampler::new(said.iter().map(|(_, pattern)| *pattern), capitals);
        let paths = asking.and_then(|asking| asking.paths(&said, 1_000)).unwrap_or_default();
        paths.into_keys().collect()
    }

    #[test]
    fn a_pattern_is_asked_about_within_and_at_its_edges() {
        let paths = asked(&[(Modality::Prohibition, "/a$")], PathCase::Insensitive);
        assert_eq!(paths, ["/", "/a", "/a~", "/~"]);
    }

    #[test]
    fn where_two_meet_the_capitals_of_one_alone_are_changed() {
        let said = [(Modality::Prohibition, "/ab/"), (Modality::Permission, "/ab/c")];
        let paths = asked(&said, PathCase::Sensitive);
        for path in ["/ab/c~", "/ab/C~", "/AB/C~", "/AB/~"] {
            assert!(paths.iter().any(|known| known == path), "{path} of {paths:?}");
        }
        assert!(!asked(&said, PathCase::Insensitive).iter().any(|path| path.contains('C')));
    }

    #[test]
    fn more_than_may_be_asked_is_not_asked() {
        let asking = PathSampler::new([&b"/a"[..]], PathCase::Insensitive);
        assert_eq!(asking.and_then(|asking| asking.paths(&[(Modality::Permission, b"/a")], 7)), None);
    }
}
