//! The words of ACAP's fields: names, actions, versions and qualifiers.

use crate::base::text::starts_with;
use crate::model::Usage;
use crate::robots_txt::Field;

/// The prefix of ACAP's classes.
pub(crate) const ACAP_CLASS: &str = "the-acap:";
/// Their prefix in 2007 (S-28).
pub(crate) const STRAWMAN_CLASS: &str = "acap:";
/// Both prefixes.
pub(crate) const CLASS_PREFIXES: [&str; 2] = [ACAP_CLASS, STRAWMAN_CLASS];

/// How many standard usages there are: the first of [`Usage::NAMED`].
pub(crate) const STANDARD: usize = 14;

impl Usage {
    /// The number of a standard usage, in the order of the table; nothing for any other.
    #[inline]
    pub(crate) fn standard_number(&self) -> Option<u8> {
        self.number().filter(|number| usize::from(*number) < STANDARD)
    }

    /// The standard usage of this number.
    pub(crate) fn standard(number: u8) -> &'static Self {
        Self::NAMED.get(usize::from(number)).unwrap_or(&Self::OtherUsage)
    }

    /// The standard usage of this name, in any ASCII case. ACAP's fields know no other (S-09).
    pub(crate) fn standard_named(name: &[u8]) -> Option<u8> {
        let standard = Self::NAMED.get(..STANDARD).unwrap_or_default();
        let number = standard.iter().position(|usage| usage.name().as_bytes().eq_ignore_ascii_case(name))?;
        u8::try_from(number).ok()
    }
}

macro_rules! acap_fields {
    ($($(#[$about:meta])* $variant:ident = $name:literal;)*) => {
        /// An ACAP field of robots.txt that is neither a permission, a prohibition nor a request.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum AcapField { $($(#[$about])* $variant,)* }

        impl AcapField {
            /// Every such field.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// What follows `ACAP-` in its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

acap_fields! {
    /// Names a crawler of a group (P1 2.3.1).
    Crawler = "crawler";
    /// Where further permissions are (P1 2.3.2).
    PermissionsReference = "permissions-reference";
    /// A purpose, which opens a subgroup (P1 2.3.3).
    UsagePurpose = "usage-purpose";
    /// Sets conventional groups aside (P1 2.9.1).
    IgnoreConventionalRecords = "ignore-conventional-records";
    /// The version of ACAP (recovered from 1.1).
    Version = "version";
    /// Defines a usage with its terms (P1 2.7.1).
    QualifiedUsage = "qualified-usage";
    /// Defines a usage made of others (P1 2.7.2).
    CompositeUsage = "composite-usage";
    /// Defines a set of resources (P1 2.7.3).
    ResourceSet = "resource-set";
}

/// What an ACAP field's name says.
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
    /// The meaning of a field's name that begins with `ACAP-`.
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

/// What ACAP groups may ask a crawler to do (P1 2.6).
pub(crate) const ACTIONS: &[&str] = &["take-down", "re-crawl"];

/// A version of ACAP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AcapVersion {
    /// Only major version 1 is supported.
    pub major: u32,
    /// 0 or 1 so far.
    pub minor: u32,
}

impl AcapVersion {
    /// What a file that declares nothing is read as.
    pub const UNDECLARED: Self = Self { major: 1, minor: 0 };
    /// The version of Part 2.
    pub const V1_1: Self = Self { major: 1, minor: 1 };
}

/// Which values a qualifier takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// `until-recrawled`, `until-YYYY-MM-DD` or `N-days`.
    TimeLimit,
    /// `N-chars` or `N-words`.
    Length,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A URI or a locator, kept as written.
    Resource,
    /// Unrecovered: no value can be read.
    Unrecovered,
}

/// What it takes to interpret a qualifier on a usage (P1 1.1, S-37).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Readiness {
    /// Nothing.
    Ready,
    /// An arrangement between site and crawler.
    ByArrangement,
    /// An arrangement, and a crawler that interprets what ACAP calls not ready.
    NotReady,
    /// It is undefined and never interpreted.
    Undefined,
}

/// A qualifier of ACAP permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QualifierWord {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub values: Values,
    /// The value that may only stand alone, where the qualifier may stand more than once in a field.
    pub repeats: Option<&'static str>,
    /// The version that brought it.
    pub since: AcapVersion,
    /// The usages it is valid for.
    pub on: &'static [(&'static [Usage], Readiness)],
}

const SHOWN: &[Usage] = &[Usage::PresentOriginal, Usage::PresentCurrentcopy, Usage::PresentOldcopy];
const EXTRACTS: &[Usage] = &[Usage::PresentSnippet, Usage::PresentOldsnippet];
const PICTURES: &[Usage] = &[Usage::PresentThumbnail, Usage::PresentOldthumbnail];
const PRESENT: &[Usage] = &[Usage::Present];

/// Every qualifier (P1 2.5, and what is recovered of 1.1's Annex A).
pub const QUALIFIERS: &[QualifierWord] = &[
    QualifierWord {
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
    QualifierWord {
        name: "max-length",
        values: Values::Length,
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[(EXTRACTS, Readiness::Ready)],
    },
    QualifierWord {
        name: "prohibited-modification",
        values: Values::Words(&["any", "format", "style", "translation", "annotation"]),
        repeats: Some("any"),
        since: AcapVersion::UNDECLARED,
        on: &[(PRESENT, Readiness::Ready), (SHOWN, Readiness::Ready)],
    },
    QualifierWord {
        name: "prohibited-context",
        values: Values::Words(&["within-user-frame"]),
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[(SHOWN, Readiness::Ready)],
    },
    QualifierWord {
        name: "required-context",
        values: Values::Words(&["within-original-frame"]),
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[(SHOWN, Readiness::Ready)],
    },
    QualifierWord {
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
    QualifierWord {
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
    QualifierWord {
        // A word of META tags alone (S-27).
        name: "location",
        values: Values::Resource,
        repeats: None,
        since: AcapVersion::UNDECLARED,
        on: &[],
    },
    QualifierWord {
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
    QualifierWord {
        name: "ref",
        values: Values::Resource,
        repeats: None,
        since: AcapVersion::V1_1,
        on: &[(&[Usage::OtherUsage], Readiness::Ready)],
    },
];

/// The number of `location`, which is a test and no condition (S-27).
pub(crate) const LOCATION: u8 = 7;

impl QualifierWord {
    /// The number of the qualifier of this name, in any ASCII case.
    pub(crate) fn number_of(name: &[u8]) -> Option<usize> {
        QUALIFIERS.iter().position(|word| word.name.as_bytes().eq_ignore_ascii_case(name))
    }

    /// What it takes to interpret it on a usage; nothing where it is not valid there.
    #[must_use]
    pub fn readiness(&self, usage: &Usage) -> Option<Readiness> {
        self.on.iter().find(|(usages, _)| usages.contains(usage)).map(|(_, readiness)| *readiness)
    }
}
