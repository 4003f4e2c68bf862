//! The fields of robots.txt: one table with each field's name, role and accepted misspellings.
//!
//! To add a field, append a row, because row numbers are part of serialized policies. Names are compared without regard
//! to ASCII case. ACAP fields have their own table (`dialects/acap/vocabulary.rs`).

use super::{Line, Separator};
use crate::base::table::table;
use crate::base::text::starts_with;
use crate::model::Dialect;
use crate::model::reading::{FieldMatching, Switches};

/// The role of a robots.txt field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// Opens a conventional group (RFC 9309), or adds a name to the open group.
    Names,
    /// Permits or prohibits crawling, in a conventional group.
    Rule,
    /// Data about the whole site, either inside or outside a group.
    SiteFact,
    /// Data about the group that contains the field.
    GroupFact,
    /// Opens an ACAP group.
    AcapNames,
    /// Any other ACAP field.
    Acap,
}

table! {
    /// A robots.txt field that a standard or a convention defines.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Field {
        /// Names a crawler in a conventional group.
        UserAgent = "User-agent", Role::Names, &["useragent", "user agent"];
        /// Permits crawling (RFC 9309).
        Allow = "Allow", Role::Rule, &[];
        /// Prohibits crawling (RFC 9309).
        Disallow = "Disallow", Role::Rule, &["dissallow", "dissalow", "disalow", "diasllow", "disallaw"];
        /// The location of a sitemap.
        Sitemap = "Sitemap", Role::SiteFact, &["site-map"];
        /// The number of seconds between two visits.
        CrawlDelay = "Crawl-delay", Role::GroupFact, &["crawldelay"];
        /// How many documents may be fetched in a period.
        RequestRate = "Request-rate", Role::GroupFact, &[];
        /// The hours in which crawlers may visit.
        VisitTime = "Visit-time", Role::GroupFact, &[];
        /// The number of seconds between two visits for caching.
        CacheDelay = "Cache-delay", Role::GroupFact, &[];
        /// The preferred host among mirrors.
        Host = "Host", Role::SiteFact, &[];
        /// Query parameters that do not affect the page.
        CleanParam = "Clean-param", Role::SiteFact, &[];
        /// A META directive misused as a field.
        Noindex = "Noindex", Role::GroupFact, &[];
        /// A META directive misused as a field.
        Nofollow = "Nofollow", Role::GroupFact, &[];
        /// A META directive misused as a field.
        Noarchive = "Noarchive", Role::GroupFact, &[];
        /// A META directive misused as a field.
        Nosnippet = "Nosnippet", Role::GroupFact, &[];
        /// A META directive misused as a field.
        Noimageindex = "Noimageindex", Role::GroupFact, &[];
        /// A META directive misused as a field.
        Notranslate = "Notranslate", Role::GroupFact, &[];
        /// A message to the crawler's operator.
        Comment = "Comment", Role::GroupFact, &[];
        /// The version of the robots exclusion standard.
        RobotVersion = "Robot-version", Role::GroupFact, &[];
        /// AIPREF preferences.
        ContentUsage = "Content-Usage", Role::GroupFact, &[];
        /// Content Signals.
        ContentSignal = "Content-Signal", Role::GroupFact, &[];
        /// The location of a licence (RSL).
        License = "License", Role::GroupFact, &[];
        /// Prohibits AI training on the given paths.
        DisallowAiTraining = "DisallowAITraining", Role::GroupFact, &[];
        /// Permits AI training on the given paths.
        AllowAiTraining = "AllowAITraining", Role::GroupFact, &[];
        /// A purpose. The group applies to crawlers with this purpose.
        UserAgentPurpose = "User-agent-purpose", Role::GroupFact, &[];
        /// Names a crawler in an ACAP group.
        AcapCrawler = "ACAP-crawler", Role::AcapNames, &[];
        /// Any other field whose name begins with `ACAP-`.
        Acap = "ACAP-", Role::Acap, &[];
    }

    /// Returns the field's canonical spelling.
    pub fn name: &'static str;

    /// Returns the field's role.
    pub fn role: Role;

    /// Returns the misspellings of the field's name that the default reading accepts (S-18).
    pub fn misspellings: &'static [&'static str];
}

impl Field {
    /// Returns the field with this name, ignoring ASCII case. Every other name that begins with `ACAP-` is
    /// [`Field::Acap`].
    #[must_use]
    pub fn named(name: &[u8]) -> Option<Self> {
        let found = Self::ALL.iter().copied().find(|field| field.name().as_bytes().eq_ignore_ascii_case(name));
        found.or_else(|| starts_with(name, Self::Acap.name().as_bytes()).then_some(Self::Acap))
    }

    /// Returns the field that this name misspells, if S-18 lists the misspelling.
    #[must_use]
    pub fn misspelt(name: &[u8]) -> Option<Self> {
        let misspells =
            |field: &Self| field.misspellings().iter().any(|word| word.as_bytes().eq_ignore_ascii_case(name));
        Self::ALL.iter().copied().find(misspells)
    }

    /// Returns the field whose name or misspelling is a prefix of this name, as in Google's parser.
    #[must_use]
    pub fn by_prefix(name: &[u8]) -> Option<Self> {
        [Self::UserAgent, Self::Allow, Self::Disallow, Self::Sitemap].into_iter().find(|field| {
            let spellings = std::iter::once(field.name()).chain(field.misspellings().iter().copied());
            spellings.into_iter().any(|word| starts_with(name, word.as_bytes()))
        })
    }

    /// Returns the field whose name differs from this name by one letter, or by two swapped letters.
    #[must_use]
    pub fn nearest(name: &[u8]) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let fields = Self::ALL.iter().copied().filter(|field| field.name().len() > 4);
        fields.into_iter().find(|field| is_one_off(&name, &field.name().to_ascii_lowercase().into_bytes()))
    }

    /// Returns whether the field is a META directive that some publishers write as a field.
    #[must_use]
    pub fn is_misused_directive(self) -> bool {
        matches!(
            self,
            Self::Noindex | Self::Nofollow | Self::Noarchive | Self::Nosnippet | Self::Noimageindex | Self::Notranslate
        )
    }

    /// Returns the AI-preference dialect that the field belongs to (S-40), or `None` for every other field.
    #[must_use]
    pub fn preference_dialect(self) -> Option<Dialect> {
        match self {
            Self::ContentUsage => Some(Dialect::ContentUsage),
            Self::ContentSignal => Some(Dialect::ContentSignal),
            Self::DisallowAiTraining | Self::AllowAiTraining => Some(Dialect::AiTraining),
            Self::License => Some(Dialect::Rsl),
            _ => None,
        }
    }

    /// Returns whether the field states a preference in an AI-preference dialect (S-40).
    #[must_use]
    pub fn is_preference(self) -> bool {
        self.preference_dialect().is_some()
    }

    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

fn is_one_off(a: &[u8], b: &[u8]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let rest = |text: &[u8], from: usize| text.get(from..).unwrap_or_default().to_vec();
    if short.len() == long.len() {
        let is_swapped = short.get(same) == long.get(same + 1)
            && short.get(same + 1) == long.get(same)
            && rest(short, same + 2) == rest(long, same + 2);
        rest(short, same + 1) == rest(long, same + 1) || is_swapped
    } else {
        rest(short, same) == rest(long, same + 1)
    }
}

/// Returns the field on a line, and whether a leniency of S-18 was needed to recognise it.
pub(crate) fn classify(text: &[u8], line: &Line, switches: &Switches) -> Option<(Field, bool)> {
    let name = text.get(line.name.0..line.name.1).unwrap_or_default();
    let is_lenient = match line.separator {
        Separator::Colon => false,
        Separator::Blanks if switches.forgives_missing_colon => true,
        Separator::Blanks | Separator::Missing => return None,
    };
    let found = match switches.fields {
        FieldMatching::Whole => Field::named(name),
        // In Google's parser, a NUL ends the line, so a colon after it does not count.
        FieldMatching::Prefix if name.contains(&0) => return None,
        FieldMatching::Prefix => {
            let blanks = name.iter().take_while(|byte| is_space(byte)).count();
            let name = name.get(blanks..).unwrap_or_default();
            Field::by_prefix(name).or_else(|| Field::named(name))
        }
    };
    match found {
        Some(field) => Some((field, is_lenient)),
        None if switches.forgives_misspellings => Field::misspelt(name).map(|field| (field, true)),
        None => None,
    }
}

/// Returns whether C's `isspace` accepts a byte.
pub(crate) fn is_space(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == 0x0B
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_field_is_listed_twice() {
        let mut fields = BTreeSet::new();
        for field in Field::ALL {
            for name in std::iter::once(field.name()).chain(field.misspellings().iter().copied()) {
                assert!(fields.insert(name.to_ascii_lowercase()), "{name}");
            }
        }
    }

    #[test]
    fn fields_are_found_in_any_case() {
        assert_eq!(Field::named(b"DISALLOW"), Some(Field::Disallow));
        assert_eq!(Field::named(b"acap-allow-index"), Some(Field::Acap));
        assert_eq!(Field::named(b"DisallowAITraining"), Some(Field::DisallowAiTraining));
        assert_eq!(Field::by_prefix(b"DisallowAITraining"), Some(Field::Disallow));
        assert_eq!(Field::misspelt(b"Dissallow"), Some(Field::Disallow));
    }

    #[test]
    fn field_numbers_give_the_field_back() {
        for (number, field) in Field::ALL.iter().enumerate() {
            assert_eq!(*field as usize, number);
            assert_eq!(Field::from_number(number as u8), Some(*field));
        }
    }
}
