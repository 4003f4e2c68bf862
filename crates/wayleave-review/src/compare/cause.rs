//! Which difference of the readings makes an answer differ, told from what decides in each.
//!
//! The switches of the readings are the engine's; this only looks at which statements a reading has, whom they bind and
//! which of them decides, and names the switch that explains it.

use crate::answer::{Policy, Use};
use std::collections::HashSet;
use wayleave::model::{Dialect, Fall, Modality, Statement};
use wayleave::reading::FieldMatching;
use wayleave::{Ground, RobotsTxt, Usage};

/// A difference between readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The reading does not read ACAP.
    AcapUnread,
    /// `ACAP-crawler` ends a conventional record where ACAP is read.
    AcapEndsRecords,
    /// A permission that needed leniency counts as a prohibition.
    Leniency,
    /// Names in the file end elsewhere, so that other records bind the crawler.
    Names,
    /// A line that is no rule to the letter, and is forgiven.
    Forgiven,
    /// A field is taken for another because its name begins so.
    PrefixField,
    /// A permission of an index page is one of its folder.
    IndexPage,
    /// Escapes, and characters that need one, are compared otherwise.
    Escapes,
    /// Something else: how long a line may be, or a byte that ends one.
    LineEnd,
}

impl Cause {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AcapUnread => "acap-unread",
            Self::AcapEndsRecords => "acap-ends-records",
            Self::Leniency => "leniency",
            Self::Names => "names",
            Self::Forgiven => "forgiven",
            Self::PrefixField => "prefix-field",
            Self::IndexPage => "index-page",
            Self::Escapes => "escapes",
            Self::LineEnd => "line-end",
        }
    }

    /// The rule of the semantics it stands on.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::AcapUnread => "S-13",
            Self::AcapEndsRecords => "S-12",
            Self::Leniency => "S-09",
            Self::Names => "S-35",
            Self::Forgiven | Self::PrefixField | Self::IndexPage | Self::LineEnd => "S-18",
            Self::Escapes => "S-19",
        }
    }

    /// It in a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::AcapUnread => "it does not read ACAP fields",
            Self::AcapEndsRecords => {
                "it does not read ACAP, where `ACAP-crawler` ends a conventional record for those that do"
            }
            Self::Leniency => "a permission that is not written to the letter counts as a prohibition in it",
            Self::Names => {
                "names in the file end at the first character that is no letter, `_` or `-`, so other records bind the crawler"
            }
            Self::Forgiven => "a line that is misspelt or has no colon is no rule in it",
            Self::PrefixField => "it takes a field for `Allow` or `Disallow` whose name only begins so",
            Self::IndexPage => "it takes a permission of an index page for one of its folder too",
            Self::Escapes => "it compares escapes, and characters that need one, otherwise",
            Self::LineEnd => "it reads lines otherwise: how long one may be, and which bytes end it",
        }
    }

    /// The rules of the linter that find what makes such a difference, and say how to mend it.
    #[must_use]
    pub fn lint_rules(self) -> &'static [&'static str] {
        match self {
            Self::AcapUnread => &["D012", "D013"],
            Self::AcapEndsRecords => &[],
            Self::Leniency => &["D001", "D002", "D003", "D004"],
            Self::Names => &["D003"],
            Self::Forgiven => &["D001", "D002"],
            Self::PrefixField => &["D006"],
            Self::IndexPage => &["D007"],
            Self::Escapes => &["D008", "D009"],
            Self::LineEnd => &["D005", "X003"],
        }
    }
}

/// The readings, to be asked for causes.
pub(super) struct Causes<'a> {
    policies: &'a [Policy<'a>],
    /// Where the rules of each reading begin.
    rules: Vec<HashSet<u32>>,
}

impl<'a> Causes<'a> {
    pub(super) fn new(policies: &'a [Policy<'a>]) -> Self {
        let rules = |policy: &Policy<'_>| match policy.evidence.robots_txt() {
            RobotsTxt::Read(policy) => policy.statements().iter().map(|rule| rule.span.start).collect(),
            _ => HashSet::new(),
        };
        Self { policies, rules: policies.iter().map(rules).collect() }
    }

    /// Why a reading answers otherwise than the first one does.
    pub(super) fn of(&self, number: usize, asked: Use<'_>, url: &str) -> Cause {
        let (Some(first), Some(other)) = (self.policies.first(), self.policies.get(number)) else {
            return Cause::LineEnd;
        };
        let (ours, theirs) = (first.evidence.reading().switches(), other.evidence.reading().switches());
        let (we, they) = (first.deciding(asked, url), other.deciding(asked, url));
        let has = |number: usize, one: &Statement<'_>| {
            self.rules.get(number).is_some_and(|rules| rules.contains(&one.span.start))
        };
        let is_acap = |one: &Option<Statement<'_>>| one.as_ref().is_some_and(|one| one.dialect == Dialect::Acap);
        if ours.reads_acap != theirs.reads_acap && (is_acap(&we) || is_acap(&they) || *asked.usage != Usage::Crawl) {
            return Cause::AcapUnread;
        }
        let fell = |one: &Option<Statement<'_>>| one.as_ref().is_some_and(|one| one.fall == Some(Fall::Leniency));
        if ours.leniency_prohibits != theirs.leniency_prohibits && (fell(&we) || fell(&they)) {
            return Cause::Leniency;
        }
        let names = |one: &Policy<'_>| {
            let bearing = one.evidence.bearing_on(asked.crawler);
            matches!(bearing.ground, Some(Ground::Named))
        };
        if names(first) != names(other) && ours.names != theirs.names {
            return Cause::Names;
        }
        let is_only_theirs = they.as_ref().is_some_and(|one| !has(0, one));
        let is_only_ours = we.as_ref().is_some_and(|one| !has(number, one));
        if is_only_theirs && theirs.fields == FieldMatching::Prefix && ours.fields != theirs.fields {
            return Cause::PrefixField;
        }
        if is_only_theirs && ours.reads_acap && !theirs.reads_acap {
            return Cause::AcapEndsRecords;
        }
        if is_only_ours && ours.forgives_misspellings && !theirs.forgives_misspellings {
            return Cause::Forgiven;
        }
        if is_only_ours || is_only_theirs {
            return Cause::LineEnd;
        }
        let is_index_page = |one: &Statement<'_>| {
            let has_page = one.text.windows(INDEX_PAGE.len()).any(|part| part == INDEX_PAGE);
            one.modality == Modality::Permission && has_page
        };
        if theirs.index_page_is_directory && !ours.index_page_is_directory && they.as_ref().is_some_and(is_index_page) {
            return Cause::IndexPage;
        }
        if self.binds_otherwise(first, other, asked) && ours.names != theirs.names {
            return Cause::Names;
        }
        if self.binds_otherwise(first, other, asked) && ours.reads_acap != theirs.reads_acap {
            return Cause::AcapEndsRecords;
        }
        if ours.escapes != theirs.escapes { Cause::Escapes } else { Cause::LineEnd }
    }

    /// Whether other rules bind the crawler.
    fn binds_otherwise(&self, one: &Policy<'_>, other: &Policy<'_>, asked: Use<'_>) -> bool {
        let places = |policy: &Policy<'_>| -> HashSet<u32> {
            let RobotsTxt::Read(read) = policy.evidence.robots_txt() else { return HashSet::new() };
            let statements = read.statements();
            let rules = policy.evidence.bearing_on(asked.crawler).rules;
            rules.iter().filter_map(|rule| statements.get(rule.statement)).map(|rule| rule.span.start).collect()
        };
        places(one) != places(other)
    }
}

/// What the name of an index page begins with.
const INDEX_PAGE: &[u8] = b"/index.htm";
