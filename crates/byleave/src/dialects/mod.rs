//! The dialects. Each has its own vocabulary, parsers, conflict rule and diagnostics.

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
    /// Parses the value of one of the dialect's robots.txt fields ([`Field::preference_dialect`]).
    pub(crate) field: Option<FieldParser>,
    /// Adds the claims in the dialect's header fields.
    pub(crate) headers: Option<fn(&mut Preferences, &Headers, &Switches)>,
    /// Reports problems in a header line, if the line belongs to the dialect.
    pub(crate) diagnose_header: Option<fn(&FieldLine<'_>, Notes<'_>)>,
    /// Parses a META tag by its name and content. Returns `None` if the tag does not belong to the dialect.
    pub(crate) meta: Option<MetaParser>,
    /// The paths at which sites publish the dialect's documents. If the list is empty, the documents are recognised by
    /// their content.
    pub(crate) locations: &'static [&'static str],
    pub(crate) document: DocumentParser,
    pub(crate) conflict: ConflictRule,
    pub(crate) traits: ConflictTraits,
}

/// The properties of a conflict rule that matter when two sites are compared.
#[derive(Clone, Copy)]
pub(crate) struct ConflictTraits {
    /// Whether the dialect's permissions have no effect where `Disallow` wins (S-31).
    pub(crate) yields_to_disallow: bool,
    /// Whether only the statement with the longest path counts, even for usages that it does not address (S-41, S-42).
    pub(crate) excludes_other_usages: bool,
    /// Whether only the first matching statement counts (S-44).
    pub(crate) order_matters: bool,
    /// Whether statements name licences, which are other documents (S-45).
    pub(crate) names_licences: bool,
}

impl ConflictTraits {
    const NONE: Self =
        Self { yields_to_disallow: false, excludes_other_usages: false, order_matters: false, names_licences: false };
}

/// Parses a field value in robots.txt.
type FieldParser = fn(Field, &[u8], &Switches, Notes<'_>) -> Option<FieldClaims>;

/// Parses a META tag, given its name and content.
type MetaParser = fn(&[u8], &[u8], Notes<'_>) -> Option<Claims>;

/// How a dialect's documents are parsed.
pub(crate) enum DocumentParser {
    /// The dialect has no documents.
    None,
    /// This function parses the document's bytes. Its first argument is the document's index among the site's
    /// documents.
    Bytes(fn(usize, &[u8], &'static Switches, Notes<'_>) -> Option<Preferences>),
    /// The document has the grammar of robots.txt. [`ai_txt::of_groups`] turns its groups into preferences.
    Groups,
}

impl PreferenceDialect {
    /// Returns a dialect without carriers. Each row of the table starts from it and adds its own parsers.
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

/// The AI-preference dialects. This table drives both parsing and conflict resolution.
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

/// Returns the properties of a dialect's conflict rule.
pub(crate) fn conflict_traits(dialect: Dialect) -> ConflictTraits {
    let entry = PREFERENCE_DIALECTS.iter().find(|entry| entry.dialect == dialect);
    entry.map_or(ConflictTraits::NONE, |entry| entry.traits)
}

/// Returns the paths of documents, other than robots.txt, that may apply to a whole site, with their dialects (S-50).
pub fn well_known_documents() -> impl Iterator<Item = (&'static str, Dialect)> {
    PREFERENCE_DIALECTS.iter().flat_map(|entry| entry.locations.iter().map(|location| (*location, entry.dialect)))
}

/// Every class that makes a statement begins with one of these prefixes. They are compared without regard to case.
pub(crate) const CLASS_BEGINNINGS: [&str; 3] =
    [acap::ACAP_CLASS, acap::STRAWMAN_CLASS, exclusion_profile::CLASS_PREFIX];

/// Returns the names of everything that a crawler may be unable to interpret (S-38): usages, qualifiers, and limiting
/// directives.
pub fn abilities() -> impl Iterator<Item = &'static str> {
    let usages = Usage::NAMED.iter().map(Usage::name);
    // Google Search's table is left out: its only limit is `max-snippet`, which the general table already lists.
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
