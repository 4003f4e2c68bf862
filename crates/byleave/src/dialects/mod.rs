//! The dialects: for each its vocabulary, its parsing, its conflict rule and its diagnostics.

pub mod acap;
pub mod ai_txt;
pub mod content_signal;
pub mod content_usage;
pub mod exclusion_profile;
pub mod preference;
pub mod rfc9309;
pub mod robots_directives;
pub mod rsl;
pub mod search_marks;
pub mod tdmrep;
pub mod trust_txt;
pub mod xmp;

use crate::model::{Dialect, Usage};
use acap::QUALIFIERS;
use robots_directives::search_engines::BING_WORDS;
use robots_directives::{WORDS, WordEffect};

/// Where a dialect may speak for a whole site, and which (S-50): paths of documents beside robots.txt.
pub const SITE_LOCATIONS: &[(&str, Dialect)] = &[
    (tdmrep::LOCATION, Dialect::TdmRep),
    (ai_txt::LOCATION, Dialect::AiTxt),
    (trust_txt::LOCATIONS[0], Dialect::TrustTxt),
    (trust_txt::LOCATIONS[1], Dialect::TrustTxt),
];

/// The prefixes, without case, of every class that states something.
pub(crate) const CLASS_BEGINNINGS: [&str; 3] =
    [acap::ACAP_CLASS, acap::STRAWMAN_CLASS, exclusion_profile::CLASS_PREFIX];

/// The names of what a crawler may be unable to interpret (S-38): usages, qualifiers, and words that limit.
pub fn abilities() -> impl Iterator<Item = &'static str> {
    let usages = Usage::NAMED.iter().map(Usage::name);
    // `max-snippet` is in the table of Google Search too, and told once.
    let words = WORDS.iter().chain(BING_WORDS);
    let limits = words.filter(|word| matches!(word.effect, WordEffect::Limits(_) | WordEffect::Requires(..)));
    usages.chain(QUALIFIERS.iter().map(|word| word.name)).chain(limits.map(|word| word.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_one_of_the_prefixes() {
        let is_covered = |class: &str| CLASS_BEGINNINGS.iter().any(|beginning| class.starts_with(beginning));
        let classes = exclusion_profile::PROFILE_CLASSES.iter().map(|class| class.name).chain(acap::CLASS_PREFIXES);
        assert!(classes.chain([search_marks::NOCONTENT_CLASS]).all(is_covered));
    }
}
