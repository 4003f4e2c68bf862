//! The dialects: for each its vocabulary, its parsing, its conflict rule and its diagnostics.

pub mod acap;
pub mod ai_training;
pub mod ai_txt;
pub(crate) mod conflict;
pub mod content_signal;
pub mod content_usage;
#[cfg(test)]
mod example;
pub mod exclusion_profile;
pub mod preference;
pub mod rfc9309;
pub mod robots_directives;
pub mod rsl;
pub mod search_marks;
pub mod tdmrep;
pub mod trust_txt;
pub mod xmp;

use crate::formats::http::{FieldLine, Headers};
use crate::model::reading::Switches;
use crate::model::{Dialect, Usage};
use crate::robots_txt::Field;
use acap::QUALIFIERS;
use conflict::ConflictRule;
use preference::{Claims, FieldClaims, Notes, Preferences};
use robots_directives::search_engines::BING_DIRECTIVES;
use robots_directives::{DIRECTIVES, DirectiveEffect};

/// An AI-preference dialect: how each carrier is parsed, and which of several statements counts (S-31, S-40).
pub(crate) struct PreferenceDialect {
    pub(crate) dialect: Dialect,
    /// Parses the value of one of its fields of robots.txt ([`Field::preference_dialect`]).
    pub(crate) field: Option<FieldParser>,
    /// Adds what its header fields say.
    pub(crate) headers: Option<fn(&mut Preferences, &Headers, &Switches)>,
    /// Reports what is wrong in a header line, if the line is its own.
    pub(crate) diagnose_header: Option<fn(&FieldLine<'_>, Notes<'_>)>,
    /// Parses a META tag by name and content; `None` if the tag is not its own.
    pub(crate) meta: Option<MetaParser>,
    /// The paths of its documents; a dialect without any recognises documents by their content.
    pub(crate) locations: &'static [&'static str],
    pub(crate) document: DocumentParser,
    pub(crate) conflict: ConflictRule,
    pub(crate) traits: ConflictTraits,
}

/// Properties of a conflict rule that comparing two sites depends on.
#[derive(Clone, Copy)]
pub(crate) struct ConflictTraits {
    /// Whether it permits nothing where `Disallow` wins (S-31).
    pub(crate) yields_to_disallow: bool,
    /// Whether the longest path also counts for usages that it does not address (S-41, S-42).
    pub(crate) excludes_other_usages: bool,
    /// Whether the first matching statement counts (S-44).
    pub(crate) order_matters: bool,
    /// Whether statements name licences, which are other documents (S-45).
    pub(crate) names_licences: bool,
}

impl ConflictTraits {
    const NONE: Self =
        Self { yields_to_disallow: false, excludes_other_usages: false, order_matters: false, names_licences: false };
}

/// Parses the value of a field of robots.txt.
type FieldParser = fn(Field, &[u8], &Switches, Notes<'_>) -> Option<FieldClaims>;

/// Parses a META tag: its name, its content.
type MetaParser = fn(&[u8], &[u8], Notes<'_>) -> Option<Claims>;

/// How a document of a dialect is parsed.
pub(crate) enum DocumentParser {
    /// It has no documents.
    None,
    /// From its bytes; the number is that of the document among those of the site.
    Bytes(fn(usize, &[u8], &'static Switches, Notes<'_>) -> Option<Preferences>),
    /// It has the grammar of robots.txt: from its groups ([`ai_txt::of_groups`]).
    Groups,
}

impl PreferenceDialect {
    /// A dialect without carriers, for rows to start from.
    const fn new(dialect: Dialect, conflict: ConflictRule) -> Self {
        Self {
            dialect,
            field: None,
            headers: None,
            diagnose_header: None,
            meta: None,
            locations: &[],
            document: DocumentParser::None,
            conflict,
            traits: ConflictTraits::NONE,
        }
    }
}

/// The AI-preference dialects: the one table that drives both parsing and conflict resolution.
pub(crate) static PREFERENCE_DIALECTS: &[PreferenceDialect] = &[
    PreferenceDialect {
        field: Some(content_usage::parse_field),
        headers: Some(content_usage::add_headers),
        diagnose_header: Some(content_usage::diagnose_header),
        meta: Some(content_usage::parse_meta),
        traits: ConflictTraits { yields_to_disallow: true, excludes_other_usages: true, ..ConflictTraits::NONE },
        ..PreferenceDialect::new(Dialect::ContentUsage, conflict::longest_path)
    },
    PreferenceDialect {
        field: Some(content_signal::parse_field),
        headers: Some(content_signal::add_headers),
        diagnose_header: Some(content_signal::diagnose_header),
        meta: Some(content_signal::parse_meta),
        traits: ConflictTraits { yields_to_disallow: true, excludes_other_usages: true, ..ConflictTraits::NONE },
        ..PreferenceDialect::new(Dialect::ContentSignal, conflict::longest_path)
    },
    PreferenceDialect {
        field: Some(ai_training::parse_field),
        headers: Some(ai_training::add_headers),
        ..PreferenceDialect::new(Dialect::AiTraining, conflict::longest_pattern)
    },
    PreferenceDialect {
        headers: Some(tdmrep::add_headers),
        diagnose_header: Some(tdmrep::diagnose_header),
        meta: Some(tdmrep::parse_meta),
        locations: &[tdmrep::LOCATION],
        document: DocumentParser::Bytes(tdmrep::of_json),
        traits: ConflictTraits { order_matters: true, ..ConflictTraits::NONE },
        ..PreferenceDialect::new(Dialect::TdmRep, tdmrep::last_layer)
    },
    PreferenceDialect {
        field: Some(rsl::parse_field),
        headers: Some(rsl::add_headers),
        document: DocumentParser::Bytes(rsl::of_xml),
        traits: ConflictTraits { names_licences: true, ..ConflictTraits::NONE },
        ..PreferenceDialect::new(Dialect::Rsl, rsl::narrowest_licence)
    },
    PreferenceDialect {
        locations: &[ai_txt::LOCATION],
        document: DocumentParser::Groups,
        ..PreferenceDialect::new(Dialect::AiTxt, conflict::longest_pattern)
    },
    PreferenceDialect {
        locations: trust_txt::LOCATIONS,
        document: DocumentParser::Bytes(trust_txt::of_text),
        ..PreferenceDialect::new(Dialect::TrustTxt, conflict::all_count)
    },
    PreferenceDialect {
        document: DocumentParser::Bytes(xmp::of_file),
        ..PreferenceDialect::new(Dialect::PlusDataMining, conflict::all_count)
    },
    #[cfg(test)]
    example::DIALECT,
];

/// Returns the properties of the conflict rule of a dialect.
pub(crate) fn conflict_traits(dialect: Dialect) -> ConflictTraits {
    let entry = PREFERENCE_DIALECTS.iter().find(|entry| entry.dialect == dialect);
    entry.map_or(ConflictTraits::NONE, |entry| entry.traits)
}

/// Returns the paths of documents beside robots.txt that may speak for a whole site, with their dialects (S-50).
pub fn well_known_documents() -> impl Iterator<Item = (&'static str, Dialect)> {
    PREFERENCE_DIALECTS.iter().flat_map(|entry| entry.locations.iter().map(|location| (*location, entry.dialect)))
}

/// The prefixes, without case, of every class that states something.
pub(crate) const CLASS_BEGINNINGS: [&str; 3] =
    [acap::ACAP_CLASS, acap::STRAWMAN_CLASS, exclusion_profile::CLASS_PREFIX];

/// The names of what a crawler may be unable to interpret (S-38): usages, qualifiers, and words that limit.
pub fn abilities() -> impl Iterator<Item = &'static str> {
    let usages = Usage::NAMED.iter().map(Usage::name);
    // `max-snippet` is in the table of Google Search too, and told once.
    let words = DIRECTIVES.iter().chain(BING_DIRECTIVES);
    let limits = words.filter(|word| matches!(word.effect, DirectiveEffect::Limits(_) | DirectiveEffect::Requires(..)));
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
