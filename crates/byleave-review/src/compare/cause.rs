//! Determines why two readings decide differently.
//!
//! The engine defines each reading by its switches, such as whether it reads ACAP. This module looks at each reading's
//! statements, at the crawlers that they bind, and at the deciding statement, and derives the switch that explains the
//! different decisions.

use crate::crawler_classes::CrawlerClass;
use crate::verdict::{QueriedPolicy, UseQuery};
use byleave::Usage;
use byleave::analysis::reading::FieldMatching;
use byleave::analysis::source::Span;
use byleave::analysis::vocabulary::{Field, Role};
use byleave::analysis::{ApplicableRules, RobotsTxt};
use byleave::model::BoundBy;
use byleave::model::{Dialect, Modality, Statement, StatementId, Uninterpretable};
use std::collections::{HashMap, HashSet};

/// The difference between readings that makes their decisions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DivergenceCause {
    /// The other reading does not read ACAP.
    AcapUnread,
    /// The other reading does not read AI-preference dialects.
    PreferencesUnread,
    /// The other reading has no groups for purposes.
    Purposes,
    /// `ACAP-crawler` ends a conventional group if ACAP is read.
    AcapEndsGroups,
    /// A permission that depends on a leniency is treated as a prohibition.
    Leniency,
    /// The other reading ends names earlier, so different groups bind the crawler.
    Names,
    /// A misspelt rule, or a rule without a colon, is accepted.
    Forgiven,
    /// A field is read as another field because its name begins with the other field's name.
    PrefixField,
    /// A permission for an index page also permits its folder.
    IndexPage,
    /// Escapes, and characters that need an escape, are compared differently.
    Escapes,
    /// Lines are split differently: their maximum length or the bytes that end a line differ.
    LineEnd,
}

impl DivergenceCause {
    /// Returns the cause's name, as used in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AcapUnread => "acap-unread",
            Self::PreferencesUnread => "preferences-unread",
            Self::Purposes => "purposes",
            Self::AcapEndsGroups => "acap-ends-groups",
            Self::Leniency => "leniency",
            Self::Names => "names",
            Self::Forgiven => "forgiven",
            Self::PrefixField => "prefix-field",
            Self::IndexPage => "index-page",
            Self::Escapes => "escapes",
            Self::LineEnd => "line-end",
        }
    }

    /// Returns the rule in the semantics that defines this difference.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::AcapUnread => "S-13",
            Self::PreferencesUnread => "S-40",
            Self::Purposes => "S-50",
            Self::AcapEndsGroups => "S-12",
            Self::Leniency => "S-09",
            Self::Names => "S-35",
            Self::Forgiven | Self::PrefixField | Self::IndexPage | Self::LineEnd => "S-18",
            Self::Escapes => "S-19",
        }
    }

    /// Returns a clause that explains the cause. In it, "there" means the other readings.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::AcapUnread => "ACAP fields are not read there",
            Self::PreferencesUnread => {
                "statements in AI-preference dialects, such as `Content-Signal` and `Content-Usage`, are not read there"
            }
            Self::Purposes => "`User-agent-purpose` does not begin a group there",
            Self::AcapEndsGroups => {
                "ACAP is not read there; readings that read ACAP end a conventional group at `ACAP-crawler`"
            }
            Self::Leniency => {
                "a permission that does not follow the standard to the letter is treated as a prohibition there"
            }
            Self::Names => {
                "names in the file end at the first character that is not a letter, `_` or `-` there, so different \
                 groups bind the crawler"
            }
            Self::Forgiven => "a misspelt line, or one without a colon, is not a rule there",
            Self::PrefixField => {
                "a field is read as `Allow`, `Disallow` or `User-agent` there even if its name only begins with that \
                 word"
            }
            Self::IndexPage => "a permission for an index page also permits its folder there",
            Self::Escapes => "escapes, and characters that need an escape, are compared differently there",
            Self::LineEnd => "the maximum line length, or the bytes that end a line, are different there",
        }
    }

    /// Returns the lint rules that report this cause in a file and suggest a fix.
    #[must_use]
    pub fn lint_rules(self) -> &'static [&'static str] {
        match self {
            Self::AcapUnread => &["D012", "D013"],
            Self::AcapEndsGroups | Self::PreferencesUnread | Self::Purposes => &[],
            Self::Leniency => &["D001", "D002", "D003", "D004", "D015"],
            Self::Names => &["D003"],
            Self::Forgiven => &["D001", "D002"],
            Self::PrefixField => &["D006"],
            Self::IndexPage => &["D007"],
            Self::Escapes => &["D008", "D009"],
            Self::LineEnd => &["D005", "X003"],
        }
    }
}

/// The statements in all readings, prepared for finding causes.
pub(super) struct Causes<'a> {
    policies: &'a [QueriedPolicy<'a>],
    /// For each reading, the position where each rule begins.
    rules: Vec<HashMap<StatementId, u32>>,
    /// For each reading, the end of the rule that begins at a position.
    ends: Vec<HashMap<u32, u32>>,
    /// Whether a group addresses a purpose (S-50).
    has_purposes: bool,
}

/// The data for finding causes, restricted to one class of crawlers.
pub(super) struct CausesOf<'c, 'a> {
    causes: &'c Causes<'a>,
    /// For each reading, why groups bind the class.
    grounds: Vec<Option<BoundBy>>,
    /// For each reading, the start positions of the rules that bind the class.
    bound: Vec<HashSet<u32>>,
}

impl<'a> Causes<'a> {
    /// Collects the positions of all rules.
    ///
    /// Cost: one pass over the rules of each reading.
    pub(super) fn new(policies: &'a [QueriedPolicy<'a>]) -> Self {
        let spans = |policy: &QueriedPolicy<'_>| -> Vec<(StatementId, Span)> {
            let RobotsTxt::Read(read) = policy.site.robots_txt() else { return Vec::new() };
            read.statements().iter().map(|rule| (rule.id, rule.span)).collect()
        };
        let spans: Vec<Vec<(StatementId, Span)>> = policies.iter().map(spans).collect();
        let rules = spans.iter().map(|rules| rules.iter().map(|(id, span)| (*id, span.start)).collect());
        let ends = spans.iter().map(|rules| rules.iter().map(|(_, span)| (span.start, span.end)).collect());
        let has_purposes = policies.iter().any(|policy| !policy.site.purposes_of_groups().is_empty());
        Self { policies, rules: rules.collect(), ends: ends.collect(), has_purposes }
    }

    pub(super) fn of_class(&self, class: &CrawlerClass) -> CausesOf<'_, 'a> {
        let bound = |(applicable, known): (&ApplicableRules, &HashMap<StatementId, u32>)| {
            applicable.rules.iter().filter_map(|rule| known.get(&rule.statement).copied()).collect()
        };
        CausesOf {
            causes: self,
            grounds: class.applicable.iter().map(|applicable| applicable.bound_by).collect(),
            bound: class.applicable.iter().zip(&self.rules).map(bound).collect(),
        }
    }
}

impl CausesOf<'_, '_> {
    /// Returns why a reading decides differently from the first one.
    pub(super) fn of(&self, number: usize, asked: UseQuery<'_>, url: &str) -> DivergenceCause {
        let Causes { policies, ends, .. } = self.causes;
        let (Some(first), Some(other)) = (policies.first(), policies.get(number)) else {
            return DivergenceCause::LineEnd;
        };
        let (ours, theirs) = (first.site.reading().switches(), other.site.reading().switches());
        let (we, they) = (first.deciding(asked, url), other.deciding(asked, url));
        let end_in = |number: usize, one: &Statement<'_>| ends.get(number).and_then(|ends| ends.get(&one.span.start));
        let binds = |number: usize, one: &Statement<'_>| {
            self.bound.get(number).is_some_and(|starts| starts.contains(&one.span.start))
        };
        let is_preference = |one: &Option<Statement<'_>>| one.as_ref().is_some_and(|one| one.dialect.is_preference());
        let decides_by_preference = is_preference(&we) || is_preference(&they);
        if ours.reads_preferences != theirs.reads_preferences && decides_by_preference {
            return DivergenceCause::PreferencesUnread;
        }
        if ours.leniency_prohibits != theirs.leniency_prohibits && decides_by_preference {
            return DivergenceCause::Leniency;
        }
        let is_prefix = theirs.fields == FieldMatching::Prefix && ours.fields != theirs.fields;
        let is_bound = |number: usize, bound_by: BoundBy| self.grounds.get(number) == Some(&Some(bound_by));
        let is_named_otherwise = is_bound(0, BoundBy::Named) != is_bound(number, BoundBy::Named);
        if is_prefix && is_named_otherwise && self.causes.has_purposes {
            return DivergenceCause::PrefixField;
        }
        if is_bound(0, BoundBy::Purpose) && !is_bound(number, BoundBy::Purpose) {
            return DivergenceCause::Purposes;
        }
        let is_acap = |one: &Option<Statement<'_>>| one.as_ref().is_some_and(|one| one.dialect == Dialect::Acap);
        if ours.reads_acap != theirs.reads_acap && (is_acap(&we) || is_acap(&they) || *asked.usage != Usage::Crawl) {
            return DivergenceCause::AcapUnread;
        }
        let fell = |one: &Option<Statement<'_>>| {
            one.as_ref().is_some_and(|one| one.uninterpretable == Some(Uninterpretable::Leniency))
        };
        if ours.leniency_prohibits != theirs.leniency_prohibits && (fell(&we) || fell(&they)) {
            return DivergenceCause::Leniency;
        }
        if is_named_otherwise && ours.names != theirs.names {
            return DivergenceCause::Names;
        }
        let is_only_theirs = they.as_ref().is_some_and(|one| end_in(0, one).is_none());
        let is_only_ours = we.as_ref().is_some_and(|one| end_in(number, one).is_none());
        if is_only_theirs && is_prefix && !they.as_ref().is_some_and(is_called_a_rule) {
            return DivergenceCause::PrefixField;
        }
        if is_only_theirs && ours.reads_acap && !theirs.reads_acap {
            return DivergenceCause::AcapEndsGroups;
        }
        if is_only_ours && ours.forgives_misspellings && !theirs.forgives_misspellings {
            return DivergenceCause::Forgiven;
        }
        let is_cut = we.iter().chain(&they).any(|one| end_in(0, one) != end_in(number, one));
        if is_only_ours || is_only_theirs || is_cut {
            return DivergenceCause::LineEnd;
        }
        let is_index_page = |one: &Statement<'_>| {
            let has_page = one.text.windows(INDEX_PAGE.len()).any(|part| part == INDEX_PAGE);
            one.modality == Modality::Permission && has_page
        };
        if theirs.index_page_is_directory && !ours.index_page_is_directory && they.as_ref().is_some_and(is_index_page) {
            return DivergenceCause::IndexPage;
        }
        let is_bound_otherwise =
            we.as_ref().is_some_and(|one| !binds(number, one)) || they.as_ref().is_some_and(|one| !binds(0, one));
        if is_bound_otherwise && self.causes.has_purposes && ours.reads_preferences && !theirs.reads_preferences {
            return DivergenceCause::Purposes;
        }
        if is_bound_otherwise && ours.names != theirs.names {
            return DivergenceCause::Names;
        }
        if is_bound_otherwise && ours.reads_acap != theirs.reads_acap {
            return DivergenceCause::AcapEndsGroups;
        }
        if ours.escapes != theirs.escapes { DivergenceCause::Escapes } else { DivergenceCause::LineEnd }
    }
}

/// Returns whether the field of a rule is called `Allow` or `Disallow` (or a known misspelling), and not a longer name
/// such as `DisallowAITraining`.
fn is_called_a_rule(rule: &Statement<'_>) -> bool {
    let name = rule.text.split(|byte| *byte == b':').next().unwrap_or_default();
    matches!(Field::named(name.trim_ascii()).map(Field::role), Some(Role::Rule))
}

/// The beginning of an index page's name.
const INDEX_PAGE: &[u8] = b"/index.htm";
