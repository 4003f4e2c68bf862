//! Names of crawlers as groups write them, the forms in which readings take them (S-35), and names that nothing has.

use byleave::vocabulary::Field;
use byleave::{Crawler, Evidence};
use std::collections::HashSet;

/// GroupAddressee a group is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GroupAddressee {
    /// The crawler of this name.
    Name(String),
    /// All that have this purpose and that no group names (S-50).
    Purpose(String),
}

impl GroupAddressee {
    pub(crate) fn is_purpose(&self) -> bool {
        matches!(self, Self::Purpose(_))
    }

    /// The line of a group that says so.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Name(name) => format!("{}: {name}", Field::UserAgent.name()),
            Self::Purpose(purpose) => labelled(purpose),
        }
    }

    /// The name, or the purpose with its field, for people.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Name(name) => name.clone(),
            Self::Purpose(purpose) => labelled(purpose),
        }
    }
}

/// A purpose with its field.
pub(crate) fn labelled(purpose: &str) -> String {
    format!("{}: {purpose}", Field::UserAgentPurpose.name())
}

/// Whether a written name stands for any crawler (S-18).
pub(crate) fn is_any(written: &[u8]) -> bool {
    matches!(written, [b'*'] | [b'*', b' ' | b'\t', ..])
}

/// A written name up to what is in no name.
pub(crate) fn token(written: &[u8]) -> &[u8] {
    upto(written, |byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

/// A name as far as RFC 9309's grammar has it.
pub(crate) fn product_token(name: &[u8]) -> &[u8] {
    upto(name, |byte| byte.is_ascii_alphabetic() || b"_-".contains(&byte))
}

/// Whether RFC 9309's grammar has a name; what stands behind a slash is a version.
pub(crate) fn is_product_token(name: &[u8]) -> bool {
    let token = product_token(name);
    !token.is_empty() && matches!(name.get(token.len()), None | Some(b'/'))
}

/// The forms in which some reading takes a written name, the whole aside.
pub(crate) fn forms(written: &[u8]) -> impl Iterator<Item = &[u8]> {
    [token(written), product_token(written)].into_iter().filter(|form| !form.is_empty())
}

fn upto(name: &[u8], belongs: impl Fn(u8) -> bool) -> &[u8] {
    let length = name.iter().take_while(|byte| belongs(**byte)).count();
    name.get(..length).unwrap_or(name)
}

/// A name that nothing has in any of these, in any form: this one, or one that begins so.
pub(crate) fn unnamed(policies: &[&Evidence<'_>], like: &str) -> String {
    let written = policies.iter().flat_map(|policy| policy.crawlers_named());
    let taken: HashSet<Vec<u8>> =
        written.flat_map(|name| forms(name).chain([name])).map(<[u8]>::to_ascii_lowercase).collect();
    let mut name = like.to_owned();
    // Ends: each round makes another name, and finitely many are taken.
    while taken.contains(&name.as_bytes().to_ascii_lowercase()) {
        name.push_str("-x");
    }
    name
}

/// A crawler that nothing names in any of these.
pub(crate) fn nobody(policies: &[&Evidence<'_>]) -> Crawler {
    Crawler::named(&unnamed(policies, "nobody"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use byleave::Reading;

    #[test]
    fn s35_a_name_has_forms() {
        let forms = |name: &'static str| forms(name.as_bytes()).map(String::from_utf8_lossy).collect::<Vec<_>>();
        assert_eq!(forms("AI2Bot/1.0 (x)"), ["AI2Bot", "AI"]);
        assert_eq!(forms("(x)"), Vec::<String>::new());
        assert!(is_product_token(b"Foo-bot/2.1") && !is_product_token(b"AI2Bot") && !is_product_token(b"/1.0"));
        assert!(is_any(b"*") && is_any(b"* all") && !is_any(b"*bot"));
    }

    #[test]
    fn nobody_has_a_name_that_nothing_has_in_any_form() {
        let robots_txt = b"User-agent: Nobody2\nUser-agent: nobody-x\nDisallow: /\n";
        let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
        assert_eq!(nobody(&[&evidence]).name(), "nobody-x-x");
        assert_eq!(unnamed(&[&evidence], "AnyBot"), "AnyBot");
    }
}
