//! Crawler names as groups write them, the forms that readings give them (S-35), and names that no policy uses.

use byleave::analysis::vocabulary::Field;
use byleave::{Crawler, Site};
use std::collections::HashSet;

/// The addressee of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GroupAddressee {
    /// The crawler with this name.
    Name(String),
    /// Every crawler that has this purpose and that no group names (S-50).
    Purpose(String),
}

impl GroupAddressee {
    pub(crate) fn is_purpose(&self) -> bool {
        matches!(self, Self::Purpose(_))
    }

    /// Returns the robots.txt line for this addressee.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Name(name) => format!("{}: {name}", Field::UserAgent.name()),
            Self::Purpose(purpose) => labelled(purpose),
        }
    }

    /// Returns the name, or the purpose with its field name, for display.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Name(name) => name.clone(),
            Self::Purpose(purpose) => labelled(purpose),
        }
    }
}

/// Returns a purpose with its field name.
pub(crate) fn labelled(purpose: &str) -> String {
    format!("{}: {purpose}", Field::UserAgentPurpose.name())
}

/// Returns whether a written name means any crawler (S-18).
pub(crate) fn is_any(written: &[u8]) -> bool {
    matches!(written, [b'*'] | [b'*', b' ' | b'\t', ..])
}

/// Returns the part of a written name before the first character that names cannot contain.
pub(crate) fn token(written: &[u8]) -> &[u8] {
    upto(written, |byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

/// Returns the beginning of a name, as far as RFC 9309's grammar accepts it: `AI` for `AI2Bot`.
pub(crate) fn product_token(name: &[u8]) -> &[u8] {
    upto(name, |byte| byte.is_ascii_alphabetic() || b"_-".contains(&byte))
}

/// Returns whether RFC 9309's grammar accepts a name. A slash and the version after it are ignored.
pub(crate) fn is_product_token(name: &[u8]) -> bool {
    let token = product_token(name);
    !token.is_empty() && matches!(name.get(token.len()), None | Some(b'/'))
}

/// Returns the shorter forms that readings give to a written name.
pub(crate) fn forms(written: &[u8]) -> impl Iterator<Item = &[u8]> {
    [token(written), product_token(written)].into_iter().filter(|form| !form.is_empty())
}

fn upto(name: &[u8], belongs: impl Fn(u8) -> bool) -> &[u8] {
    let length = name.iter().take_while(|byte| belongs(**byte)).count();
    name.get(..length).unwrap_or(name)
}

/// Returns a name that none of these policies uses in any form: `like`, or a longer name that begins with it.
pub(crate) fn unnamed(policies: &[&Site<'_>], like: &str) -> String {
    let written = policies.iter().flat_map(|policy| policy.crawlers_named());
    let taken: HashSet<Vec<u8>> =
        written.flat_map(|name| forms(name).chain([name])).map(<[u8]>::to_ascii_lowercase).collect();
    let mut name = like.to_owned();
    // This terminates, because each round creates a new name and the policies use finitely many.
    while taken.contains(&name.as_bytes().to_ascii_lowercase()) {
        name.push_str("-x");
    }
    name
}

/// Returns a crawler that none of these policies names.
pub(crate) fn nobody(policies: &[&Site<'_>]) -> Crawler {
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
        let site = Site::of_robots_txt(robots_txt, Reading::Default);
        assert_eq!(nobody(&[&site]).name(), "nobody-x-x");
        assert_eq!(unnamed(&[&site], "AnyBot"), "AnyBot");
    }
}
