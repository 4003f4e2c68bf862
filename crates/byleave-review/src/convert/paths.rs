//! The paths on which the source and the target are compared: paths that represent each pattern, paths at its edges,
//! overlaps of a permission and a prohibition, and all of these in a different case.
//!
//! A wildcard is replaced with a character that no pattern contains. The statement that decides such a path decides
//! every path that the pattern matches, unless a narrower pattern matches too.

use super::pattern::{meets, recased};
use byleave::model::Modality;
use std::collections::BTreeMap;

/// Whether paths that differ only in letter case are different resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathCase {
    /// They may be different resources, as in RFC 9309.
    #[default]
    Sensitive,
    /// The site treats them as one resource, so paths are compared only in the case that the patterns use.
    Insensitive,
}

/// Paths to compare. The value states whether the path differs in letter case from the patterns.
pub(crate) type Paths = BTreeMap<String, bool>;

/// A pattern with its modality.
pub(crate) type PatternRule<'p> = (Modality, &'p [u8]);

/// Chooses the paths that represent patterns.
pub(crate) struct PathSampler {
    unused: u8,
    case: PathCase,
}

impl PathSampler {
    /// Chooses a character that none of these patterns contains, plain or escaped. Returns `None` if there is no such
    /// character.
    pub(crate) fn new<'p>(patterns: impl IntoIterator<Item = &'p [u8]>, case: PathCase) -> Option<Self> {
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
        // Characters that need no escape in a URL and do not occur in escapes. The characters that are rarest in
        // patterns come first.
        let candidates = b"~!'@,;()[]+jqxzkvywughlmnoprsti0123456789";
        let unused = candidates.iter().copied().find(|byte| is_used.get(usize::from(*byte)) == Some(&false))?;
        Some(Self { unused, case })
    }

    /// Returns paths for all of these patterns, or `None` if there would be more than `most`.
    ///
    /// Cost: O(permissions × prohibitions), or one pass over the rules if there would be more than `most` paths.
    pub(crate) fn paths(&self, rules: &[PatternRule<'_>], most: usize) -> Option<Paths> {
        let of_class = |kind: Modality| rules.iter().filter(move |(modality, _)| *modality == kind);
        let (yes, no) = (of_class(Modality::Permission), of_class(Modality::Prohibition));
        let pairs = yes.clone().count().saturating_mul(no.clone().count());
        if rules.len().saturating_mul(PATHS_PER_PATTERN).saturating_add(pairs.saturating_mul(PATHS_PER_PAIR)) > most {
            return None;
        }
        let mut paths = Paths::new();
        for path in ["/".to_owned(), format!("/{}", char::from(self.unused))] {
            paths.insert(path, false);
        }
        for (_, pattern) in rules {
            self.add(pattern, false, &mut paths);
            if self.case == PathCase::Sensitive {
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

    /// Returns the path that represents a pattern.
    pub(crate) fn witness(&self, pattern: &[u8]) -> String {
        let (body, tail) = match pattern.strip_suffix(b"$") {
            Some(body) => (body, None),
            None => (pattern, Some(self.unused)),
        };
        match body.strip_prefix(b"*") {
            Some(rest) => self.path(b"/*", rest, tail),
            None => self.path(b"", body, tail),
        }
    }

    /// Adds paths in the overlap of two patterns, both with the patterns as spelled and with the case of one pattern
    /// changed.
    fn add_meeting(&self, one: &[u8], other: &[u8], paths: &mut Paths) {
        let mut add = |one: &[u8], other: &[u8], is_recased: bool| {
            for met in meets(one, other) {
                self.add(&met, is_recased, paths);
            }
        };
        add(one, other, false);
        if self.case == PathCase::Insensitive {
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

    /// Adds the paths that represent a pattern, and paths at its edges.
    fn add(&self, pattern: &[u8], is_recased: bool, paths: &mut Paths) {
        let (body, is_anchored) = match pattern.strip_suffix(b"$") {
            Some(body) => (body, true),
            None => (pattern, false),
        };
        let mut put = |path: String| {
            // If any pattern spells the path this way, its case does not differ.
            paths.entry(path).and_modify(|known| *known &= is_recased).or_insert(is_recased);
        };
        let tail = (!is_anchored).then_some(self.unused);
        match body.strip_prefix(b"*") {
            Some(rest) => {
                put(self.path(b"/*", rest, tail));
                put(self.path(b"/", rest.strip_prefix(b"/").unwrap_or(rest), tail));
            }
            None => put(self.path(b"", body, tail)),
        }
        let without_stars: Vec<u8> = body.iter().copied().filter(|byte| *byte != b'*').collect();
        put(self.path(b"", &without_stars, None));
        put(self.path(b"", body, Some(self.unused)));
    }

    fn path(&self, before: &[u8], body: &[u8], tail: Option<u8>) -> String {
        let mut path = String::with_capacity(body.len() + 3);
        if !before.starts_with(b"/") && !body.starts_with(b"/") {
            path.push('/');
        }
        for byte in before.iter().chain(body).copied().chain(tail) {
            match byte {
                b'*' => path.push(char::from(self.unused)),
                b' ' => path.push_str("%20"),
                b'#' => path.push_str("%23"),
                byte if byte.is_ascii() && !byte.is_ascii_control() => path.push(char::from(byte)),
                byte => path.push_str(&format!("%{byte:02X}")),
            }
        }
        path
    }
}

/// The approximate number of paths that represent one pattern, or the overlap of two patterns.
const PATHS_PER_PATTERN: usize = 8;
const PATHS_PER_PAIR: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(rules: &[(Modality, &str)], case: PathCase) -> Vec<String> {
        let rules: Vec<PatternRule<'_>> =
            rules.iter().map(|(modality, pattern)| (*modality, pattern.as_bytes())).collect();
        let sampler = PathSampler::new(rules.iter().map(|(_, pattern)| *pattern), case);
        let paths = sampler.and_then(|sampler| sampler.paths(&rules, 1_000)).unwrap_or_default();
        paths.into_keys().collect()
    }

    #[test]
    fn a_pattern_is_asked_about_within_and_at_its_edges() {
        let paths = sampled(&[(Modality::Prohibition, "/a$")], PathCase::Insensitive);
        assert_eq!(paths, ["/", "/a", "/a~", "/~"]);
    }

    #[test]
    fn where_two_meet_the_capitals_of_one_alone_are_changed() {
        let rules = [(Modality::Prohibition, "/ab/"), (Modality::Permission, "/ab/c")];
        let paths = sampled(&rules, PathCase::Sensitive);
        for path in ["/ab/c~", "/ab/C~", "/AB/C~", "/AB/~"] {
            assert!(paths.iter().any(|known| known == path), "{path} of {paths:?}");
        }
        assert!(!sampled(&rules, PathCase::Insensitive).iter().any(|path| path.contains('C')));
    }

    #[test]
    fn more_than_may_be_asked_is_not_asked() {
        let sampler = PathSampler::new([&b"/a"[..]], PathCase::Insensitive);
        assert_eq!(sampler.and_then(|sampler| sampler.paths(&[(Modality::Permission, b"/a")], 7)), None);
    }
}
