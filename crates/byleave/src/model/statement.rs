//! Statements: one type for the statements of every dialect, and their identity within a site.

use super::{Carrier, Condition, Dialect, Usage};
use crate::base::source::Span;
use crate::base::table::table;

table! {
    /// Whether a statement permits or prohibits.
    ///
    /// ```
    /// use byleave::{Policy, model::Modality};
    /// let policy = Policy::parse(b"User-agent: *\nDisallow: /\nAllow: /public/\n");
    /// let statements = policy.statements();
    /// assert!(statements.iter().any(|statement| statement.modality == Modality::Permission && statement.line == 3));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Modality {
        /// The statement permits the usage.
        Permission = "permission";
        /// The statement prohibits the usage.
        Prohibition = "prohibition";
    }

    /// Returns the modality's name, as used in all output.
    pub fn name: &'static str;
}

table! {
    /// Why a permission cannot be interpreted and therefore counts as a prohibition (S-09).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Uninterpretable {
        /// The permission needs a leniency, and the reading is strict.
        Leniency = "it deviates from the specification", "S-09";
        /// ACAP does not define the usage.
        UnknownUsage = "it is about a usage that ACAP does not define", "S-09";
        /// The file does not define the local usage.
        UndefinedUsage = "its usage is not defined", "S-09";
        /// The definition of the local usage cannot be interpreted.
        BadDefinition = "the definition of its usage cannot be interpreted", "S-09";
        /// A local usage accepts no further qualifiers.
        QualifiedLocalUsage = "a usage in parentheses takes no further qualifiers", "S-09";
        /// ACAP does not define the qualifier.
        UnknownQualifier = "it has a qualifier that ACAP does not define", "S-09";
        /// The usage does not accept the qualifier.
        QualifierNotValid = "it has a qualifier that its usage does not accept", "S-09";
        /// The qualifier does not accept the value.
        BadValue = "a qualifier has a value that it does not accept", "S-09";
        /// A qualifier occurs more often than allowed.
        Repeated = "a qualifier occurs more often than allowed", "S-09";
        /// The statement names a second path.
        SecondResource = "it names more than one resource", "S-09";
        /// The statement contains text that is not a qualifier.
        StrayText = "it ends in text that is not a qualifier", "S-09";
        /// The document's major version of ACAP is not supported.
        UnsupportedMajor = "its document is written for a version of ACAP that is not supported", "S-11";
        /// A qualifier needs an arrangement between site and crawler, and there is none.
        NeedsArrangement = "a qualifier needs an arrangement between site and crawler, and there is none", "S-37";
        /// ACAP marks a qualifier as not ready.
        NotReady = "ACAP marks a qualifier as not ready", "S-37";
        /// ACAP does not define what a qualifier means here.
        Undefined = "ACAP does not define what a qualifier means here", "S-37";
        /// The crawler cannot interpret the usage or a qualifier.
        Unable = "the crawler cannot interpret it", "S-38";
        /// The META tag contains more than one statement.
        SeveralStatements = "its tag contains more than one statement", "S-09";
        /// A META tag names a local usage.
        LocalUsageInMeta = "a META tag may not name a usage that robots.txt defines", "S-09";
        /// The purposes are written as a list or in quotation marks.
        PurposeList = "its purposes are not written separately", "S-09";
        /// Commas separate the patterns in the resource set.
        CommasInSet = "commas separate the patterns of its resource set", "S-09";
    }

    /// Returns the reason as a clause for a sentence.
    pub fn because: &'static str;

    /// Returns the number of the rule in the semantics.
    pub fn rule: &'static str;
}

/// The crawlers that a statement addresses.
///
/// ```
/// use byleave::{Policy, model::Addressee};
/// let policy = Policy::parse(b"User-agent: GPTBot\nDisallow: /\n");
/// assert_eq!(policy.statements().iter().next().unwrap().addressee, Addressee::Named);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Addressee {
    /// Any crawler.
    Any,
    /// The crawlers that the statement or its group names.
    Named,
}

/// The resources that a statement applies to.
///
/// ```
/// use byleave::{Policy, model::Scope};
/// let policy = Policy::parse(b"User-agent: *\nDisallow: /*.pdf$\n");
/// let statements = policy.statements();
/// assert_eq!(statements.iter().next().unwrap().scope, Scope::Pattern(b"/*.pdf$"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope<'p> {
    /// Every path that matches this pattern, which is given as written.
    Pattern(&'p [u8]),
    /// The resources in the resource set with this name.
    ResourceSet(&'p [u8]),
    /// The resource that contains or is sent with the statement.
    Resource,
    /// A part of the page that contains the statement, at this span in the page.
    Element(Span),
}

/// A statement by a site, with everything that a decision can depend on.
///
/// ```
/// use byleave::Policy;
/// let policy = Policy::parse(b"User-agent: *\nDisallow: /private/ # not yet public\n");
/// let statements = policy.statements();
/// let statement = statements.iter().next().unwrap();
/// assert_eq!((statement.line, statement.text.as_ref()), (2, &b"Disallow: /private/"[..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statement<'p> {
    /// The statement's identity.
    pub id: StatementId,
    /// Whether the statement permits or prohibits, after leniencies and fallbacks are applied.
    pub modality: Modality,
    /// The usage that the statement permits or prohibits.
    pub usage: Usage,
    /// The dialect that the statement is written in.
    pub dialect: Dialect,
    /// The kind of document or tag that the statement comes from.
    pub carrier: Carrier,
    /// The name of the document that contains the statement.
    pub document: &'p str,
    /// The crawlers that the statement addresses.
    pub addressee: Addressee,
    /// The purposes that the statement is limited to. An empty list means any purpose.
    pub purposes: Vec<String>,
    /// The resources that the statement applies to.
    pub scope: Scope<'p>,
    /// The conditions of the permission.
    pub qualifiers: Vec<Condition>,
    /// The conditions in `qualifiers` that are written elsewhere in the document, with their locations.
    pub terms: Vec<Term>,
    /// Where the statement is written, from the start of its name to the end of its value.
    pub span: Span,
    /// The statement's line number in the document, counted from 1.
    pub line: u32,
    /// The statement's column in bytes, counted from 1.
    pub column: u32,
    /// The statement's text as written, without comments and surrounding blanks.
    pub text: std::borrow::Cow<'p, [u8]>,
    /// Why this permission counts as a prohibition, if it does (S-09).
    pub uninterpretable: Option<Uninterpretable>,
    /// Whether this is a malformed prohibition that applies nevertheless (S-10).
    pub is_forgiven: bool,
}

/// A condition that is written in a different place than the statement it limits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Term {
    /// The condition.
    pub condition: Condition,
    /// Where the condition is written.
    pub span: Span,
    /// The condition's line in the document, from 1.
    pub line: u32,
    /// The condition's column, from 1, in bytes.
    pub column: u32,
}

impl Statement<'_> {
    /// Returns whether the statement is a directive or preference that only limits a use (S-17).
    #[must_use]
    pub fn is_limit(&self) -> bool {
        let is_word = self.dialect == Dialect::RobotsDirectives || self.dialect.is_preference();
        is_word && self.modality == Modality::Permission && !self.qualifiers.is_empty()
    }
}

/// Identifies a statement within its site.
///
/// ```
/// use byleave::{Crawler, Policy, Usage};
/// let policy = Policy::parse(b"User-agent: *\nDisallow: /cart\n");
/// let crawler = Crawler::named("ExampleBot");
/// let id = policy.bind(&crawler).decide(&Usage::Crawl, "/cart")?.reason.statement().unwrap();
/// assert_eq!(policy.statements().get(id).map(|statement| statement.line), Some(2));
/// # Ok::<(), byleave::InvalidUrlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatementId {
    pub(crate) source: Source,
    /// The statement's index in the table that `source` names.
    pub(crate) number: u32,
}

/// The table in a site that contains a statement. A `Source` takes four bytes, so that a `StatementId` takes eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// The conventional rules of robots.txt.
    Rules,
    /// The ACAP fields of robots.txt.
    Acap,
    /// The permissions references of robots.txt.
    References,
    /// The AI-preference fields of robots.txt.
    Preferences,
    /// The ACAP fields of a file that robots.txt refers to.
    ReferenceAcap(u16),
    /// The preferences of another document.
    DocumentPreferences(u16),
    /// ACAP in META tags in `head`, with the table's index among the response's tables.
    HeadAcap(u16),
    /// Directives in a header or in META tags in `head`, with the index among the response's documents.
    HeadDirectives(u16),
    /// ACAP in META tags outside `head` (S-24).
    BodyAcap(u16),
    /// Directives in META tags outside `head`.
    BodyDirectives(u16),
    /// ACAP on elements, with the table's index among the tables of all pages.
    ElementAcap(u16),
    /// Restrictions on the elements of a page, with the page's index.
    ElementRestrictions(u16),
}

/// The kind of statement that an id identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum StatementKind {
    Rule,
    Acap,
    Reference,
    /// A directive in META, `Robots-Tag` or `X-Robots-Tag`.
    Directive,
    /// A class of the Robot Exclusion Profile, a link with `nofollow`, or a search-engine mark.
    Restriction,
    /// A preference in an AI-preference dialect.
    Preference,
}

impl StatementId {
    pub(crate) fn new(source: Source, number: u32) -> Self {
        Self { source, number }
    }

    /// Returns the id of a conventional rule of robots.txt.
    pub(crate) fn rule(number: u32) -> Self {
        Self::new(Source::Rules, number)
    }

    #[inline]
    pub(crate) fn kind(self) -> StatementKind {
        match self.source {
            Source::Rules => StatementKind::Rule,
            Source::References => StatementKind::Reference,
            Source::Acap
            | Source::ReferenceAcap(_)
            | Source::HeadAcap(_)
            | Source::BodyAcap(_)
            | Source::ElementAcap(_) => StatementKind::Acap,
            Source::HeadDirectives(_) | Source::BodyDirectives(_) => StatementKind::Directive,
            Source::ElementRestrictions(_) => StatementKind::Restriction,
            Source::Preferences | Source::DocumentPreferences(_) => StatementKind::Preference,
        }
    }
}

impl Source {
    /// Returns the table for the preferences in robots.txt (0) or in another document (from 1).
    pub(crate) fn preferences(number: u16) -> Self {
        number.checked_sub(1).map_or(Self::Preferences, Self::DocumentPreferences)
    }

    /// Returns the sort key of the table's document. The order is robots.txt, other documents, headers and `head`, the
    /// rest of a page, elements.
    pub(crate) fn order(self) -> (u8, u16) {
        match self {
            Self::Rules | Self::Acap | Self::References | Self::Preferences => (0, 0),
            Self::ReferenceAcap(number) | Self::DocumentPreferences(number) => (1, number),
            Self::HeadAcap(number) | Self::HeadDirectives(number) => (2, number),
            Self::BodyAcap(number) | Self::BodyDirectives(number) => (3, number),
            Self::ElementAcap(number) | Self::ElementRestrictions(number) => (4, number),
        }
    }
}

impl Ord for StatementId {
    /// Compares by document, then by kind, then by number.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |id: &Self| (id.source.order(), id.kind(), id.number);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for StatementId {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Every decision contains ids, so they have to be small.
const _: () = assert!(size_of::<StatementId>() == 8);
