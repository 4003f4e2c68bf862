//! The vocabulary of ACAP fields: names, actions, versions and qualifiers.
//!
//! This file only contains tables. `parse.rs` and `terms.rs` do the parsing.

use crate::base::table::table;
use crate::base::text::starts_with;
use crate::model::Usage;
use crate::robots_txt::Field;

/// The prefix of ACAP classes.
pub(crate) const ACAP_CLASS: &str = "the-acap:";
/// The prefix of ACAP classes in the strawman of 2007 (S-28).
pub(crate) const STRAWMAN_CLASS: &str = "acap:";
/// Both prefixes of ACAP classes.
pub(crate) const CLASS_PREFIXES: [&str; 2] = [ACAP_CLASS, STRAWMAN_CLASS];

/// The number of standard usages. They are the first entries in [`Usage::NAMED`].
pub(crate) const STANDARD: usize = 14;

impl Usage {
    /// Returns the index of a standard usage in the table, or `None` for other usages.
    #[inline]
    pub(crate) fn standard_number(&self) -> Option<u8> {
        self.number().filter(|number| usize::from(*number) < STANDARD)
    }

    /// Returns the standard usage with this index.
    pub(crate) fn standard(number: u8) -> &'static Self {
        Self::NAMED.get(usize::from(number)).unwrap_or(&Self::OtherUsage)
    }

    /// Returns the index of the standard usage with this name, ignoring ASCII case. ACAP fields accept no other usages
    /// (S-09).
    pub(crate) fn standard_named(name: &[u8]) -> Option<u8> {
        let standard = Self::NAMED.get(..STANDARD).unwrap_or_default();
        let number = standard.iter().position(|usage| usage.name().as_bytes().eq_ignore_ascii_case(name))?;
        u8::try_from(number).ok()
    }
}

table! {
    /// An ACAP field in robots.txt, other than permissions, prohibitions and requests.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum AcapField {
        /// Names a crawler in a group (P1 2.3.1).
        Crawler = "crawler";
        /// The location of a file with further permissions (P1 2.3.2).
        PermissionsReference = "permissions-reference";
        /// A purpose, which opens a subgroup (P1 2.3.3).
        UsagePurpose = "usage-purpose";
        /// Sets conventional groups aside (P1 2.9.1).
        IgnoreConventionalRecords = "ignore-conventional-records";
        /// The version of ACAP. The definition of this field in ACAP 1.1 was reconstructed.
        Version = "version";
        /// Defines a usage with its terms (P1 2.7.1).
        QualifiedUsage = "qualified-usage";
        /// Defines a usage that consists of other usages (P1 2.7.2).
        CompositeUsage = "composite-usage";
        /// Defines a set of resources (P1 2.7.3).
        ResourceSet = "resource-set";
    }

    /// Returns the field's name without `ACAP-`.
    pub fn name: &'static str;
}

/// The meaning of an ACAP field's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AcapName<'t> {
    Field(AcapField),
    /// `ACAP-allow-` and the usage as written.
    Allow(&'t [u8]),
    /// `ACAP-disallow-` and the usage as written.
    Disallow(&'t [u8]),
    /// `ACAP-request-` and the action as written.
    Request(&'t [u8]),
    Unknown,
}

impl<'t> AcapName<'t> {
    /// Returns the meaning of a field's name, which begins with `ACAP-`.
    pub(crate) fn of(name: &'t [u8]) -> Self {
        let rest = name.get(Field::Acap.name().len()..).unwrap_or_default();
        if let Some(field) = AcapField::ALL.iter().find(|field| field.name().as_bytes().eq_ignore_ascii_case(rest)) {
            return Self::Field(*field);
        }
        let after = |verb: &str| starts_with(rest, verb.as_bytes()).then(|| rest.get(verb.len()..).unwrap_or_default());
        let allow = after("allow-").map(Self::Allow);
        let disallow = || after("disallow-").map(Self::Disallow);
        let request = || after("request-").map(Self::Request);
        allow.or_else(disallow).or_else(request).unwrap_or(Self::Unknown)
    }
}

/// The actions that an ACAP group may request (P1 2.6).
pub(crate) const ACTIONS: &[&str] = &["take-down", "re-crawl"];

/// A version of ACAP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AcapVersion {
    /// The major version. Only version 1 is supported.
    pub major: u32,
    /// The minor version. So far, there are 0 and 1.
    pub minor: u32,
}

impl AcapVersion {
    /// The version that applies to a file without a declared version.
    pub const UNDECLARED: Self = Self { major: 1, minor: 0 };
    /// The version that Part 2 defines.
    pub const V1_1: Self = Self { major: 1, minor: 1 };
}

/// The values that a qualifier accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// `until-recrawled`, `until-YYYY-MM-DD` or `N-days`.
    TimeLimit,
    /// `N-chars` or `N-words`.
    Length,
    /// One of these values.
    OneOf(&'static [&'static str]),
    /// A URI or a locator, stored as written.
    Resource,
    /// Unknown, because the specification is lost. No value can be parsed.
    Unrecovered,
}

/// What a crawler needs to interpret a qualifier on a usage (P1 1.1, S-37).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Readiness {
    /// No requirements.
    Ready,
    /// An arrangement between site and crawler.
    ByArrangement,
    /// An arrangement, and a crawler that interprets qualifiers that ACAP marks as not ready.
    NotReady,
    /// The meaning is undefined, so no crawler can interpret the qualifier.
    Undefined,
}

/// A qualifier for ACAP permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownQualifier {
    /// The qualifier's name.
    pub name: &'static str,
    /// The values that the qualifier accepts.
    pub values: Values,
    /// If the qualifier may be repeated in a field, the value that excludes all others. `None` if it may not be
    /// repeated.
    pub repeats: Option<&'static str>,
    /// The version that introduced the qualifier.
    pub since: AcapVersion,
    /// The usages that the qualifier is valid for, and the requirements for each.
    pub on: &'static [(&'static [Usage], Readiness)],
}

const SHOWN: &[Usage] = &[Usage::PresentOriginal, Usage::PresentCurrentcopy, Usage::PresentOldcopy];
const EXTRACTS: &[Usage] = &[Usage::PresentSnippet, Usage::PresentOldsnippet];
const PICTURES: &[Usage] = &[Usage::PresentThumbnail, Usage::PresentOldthumbnail];
const PRESENT: &[Usage] = &[Usage::Present];

/// Every qualifier (P1 2.5, and what is known about Annex A of ACAP 1.1).
pub const QUALIFIERS: &[KnownQualifier] = &[
    KnownQualifier {
        name: "time-limit",
        values: Values::TimeLimit,
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[
            (&[Usage::Index, Usage::Preserve, Usage::PresentLink], Readiness::Ready),
            (PRESENT, Readiness::Ready),
            (SHOWN, Readiness::Ready),
            (EXTRACTS, Readiness::Ready),
            (PICTURES, Readiness::Ready),
        ],
    },
    KnownQualifier {
        name: "max-length",
        values: Values::Length,
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[(EXTRACTS, Readiness::Ready)],
    },
    KnownQualifier {
        name: "prohibited-modification",
        values: Values::OneOf(&["any", "format", "style", "translation", "annotation"]),
        repeats: Some("any"),
        since: AcapVersion::UNDECLARED,
        on: &[(PRESENT, Readiness::Ready), (SHOWN, Readiness::Ready)],
    },
    KnownQualifier {
        name: "prohibited-context",
        values: Values::OneOf(&["within-user-frame"]),
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[(SHOWN, Readiness::Ready)],
    },
    KnownQualifier {
        name: "required-context",
        values: Values::OneOf(&["within-original-frame"]),
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[(SHOWN, Readiness::Ready)],
    },
    KnownQualifier {
        name: "must-use-resource",
        values: Values::Resource,
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[
            (&[Usage::Index], Readiness::ByArrangement),
            (EXTRACTS, Readiness::NotReady),
            (PICTURES, Readiness::NotReady),
            (PRESENT, Readiness::Undefined),
        ],
    },
    KnownQualifier {
        name: "must-include-resource",
        values: Values::Resource,
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[
            (&[Usage::PresentLink], Readiness::NotReady),
            (PRESENT, Readiness::NotReady),
            (SHOWN, Readiness::NotReady),
            (EXTRACTS, Readiness::NotReady),
            (PICTURES, Readiness::NotReady),
        ],
    },
    KnownQualifier {
        // Valid only in META tags (S-27).
        name: "location",
        values: Values::Resource,
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[],
    },
    KnownQualifier {
        name: "target-condition",
        values: Values::Unrecovered,
        repeats: None,
        since: AcapVersion::V1_1,
        on: &[
            (&[Usage::PresentLink], Readiness::Ready),
            (PRESENT, Readiness::Ready),
            (SHOWN, Readiness::Ready),
            (EXTRACTS, Readiness::Ready),
            (PICTURES, Readiness::Ready),
        ],
    },
    KnownQualifier {
        name: "ref",
        values: Values::Resource,
        repeats: None,
        since: AcapVersion::V1_1,
        on: &[(&[Usage::OtherUsage], Readiness::Ready)],
    },
];

/// The index of `location`, which is a test and not a condition (S-27).
pub(crate) const LOCATION: u8 = 7;

impl KnownQualifier {
    /// Returns the index of the qualifier with this name, ignoring ASCII case.
    pub(crate) fn number_of(name: &[u8]) -> Option<usize> {
        QUALIFIERS.iter().position(|known| known.name.as_bytes().eq_ignore_ascii_case(name))
    }

    /// Returns what a crawler needs to interpret the qualifier for a usage, or `None` if it is not valid for that
    /// usage.
    #[must_use]
    pub fn readiness(&self, usage: &Usage) -> Option<Readiness> {
        self.on.iter().find(|(usages, _)| usages.contains(usage)).map(|(_, readiness)| *readiness)
    }
}
