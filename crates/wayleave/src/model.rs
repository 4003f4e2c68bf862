//! The one model every dialect is read into: statements, who they address, what they are about, and on
//! what terms.
//!
//! A compiled policy stores statements in a few bytes each; a [`Statement`] is how one is looked at.

use crate::instant::Instant;
use crate::source::Span;
use crate::vocabulary::Usage;

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modality {
    /// It permits.
    Permission,
    /// It prohibits.
    Prohibition,
}

impl Modality {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Prohibition => "prohibition",
        }
    }
}

/// The language a statement is in. Each resolves its own conflicts by its own rule (S-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// RFC 9309's Allow and Disallow.
    Conventional,
    /// ACAP 1.0 and 1.1, in robots.txt, META and class attributes.
    Acap,
    /// The words of META, `Robots-Tag` and `X-Robots-Tag`.
    RobotsWords,
    /// The Robot Exclusion Profile.
    ExclusionProfile,
}

/// How statements of one dialect that disagree are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConflictRule {
    /// The longest pattern; of equally long ones the permission (RFC 9309 2.2.2).
    LongestPattern,
    /// The narrowest scope; undetermined means prohibited (S-06, S-07).
    NarrowestScope,
    /// All restrictions together; no permission lifts one (S-17).
    Union,
    /// The nearest enclosing element; on one element the restriction (S-26).
    NearestElement,
}

impl Dialect {
    /// Every dialect, with the rule that resolves its conflicts: the one table.
    pub const ALL: &'static [(Self, ConflictRule)] = &[
        (Self::Conventional, ConflictRule::LongestPattern),
        (Self::Acap, ConflictRule::NarrowestScope),
        (Self::RobotsWords, ConflictRule::Union),
        (Self::ExclusionProfile, ConflictRule::NearestElement),
    ];
}

/// What a statement was carried by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Carrier {
    /// The site's robots.txt.
    RobotsTxt,
    /// A file that robots.txt refers to.
    Reference,
    /// A header of the page's response.
    Header,
    /// A META tag.
    Meta,
    /// An element's class or attribute.
    Element,
    /// Another document a caller supplied.
    Document,
    /// No document: a default, a status or a limit.
    Default,
}

impl Carrier {
    /// Its name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RobotsTxt => "robots.txt",
            Self::Reference => "reference",
            Self::Header => "header",
            Self::Meta => "meta",
            Self::Element => "element",
            Self::Document => "document",
            Self::Default => "default",
        }
    }
}

/// Whom a statement addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Addressee {
    /// Any crawler.
    Any,
    /// Crawlers by name.
    Named,
}

/// What a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope<'p> {
    /// Every path that matches a pattern, as written.
    Pattern(&'p [u8]),
    /// The patterns of a named resource set.
    ResourceSet(&'p [u8]),
    /// The one resource the statement came with.
    Resource,
    /// A part of that resource.
    Element(Span),
}

/// A term on a usage, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Qualifier<'p> {
    /// Its name.
    pub name: &'p [u8],
    /// Its value.
    pub value: &'p [u8],
}

/// One statement of a site, with everything the decision can depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statement<'p> {
    /// Which it is.
    pub id: StatementId,
    /// What it does, after leniency and fallback.
    pub modality: Modality,
    /// What may or may not be done.
    pub usage: Usage,
    /// Its language.
    pub dialect: Dialect,
    /// What carried it.
    pub carrier: Carrier,
    /// The name of its document.
    pub document: &'p str,
    /// Whom it addresses.
    pub addressee: Addressee,
    /// The purposes it is limited to; none: any.
    pub purposes: &'p [&'p str],
    /// What it is about.
    pub scope: Scope<'p>,
    /// Its terms.
    pub qualifiers: &'p [Qualifier<'p>],
    /// Where it stands, name and value.
    pub span: Span,
    /// Its line in the document, from 1.
    pub line: u32,
    /// Its column, from 1, in bytes.
    pub column: u32,
    /// As written, without comment and outer blanks.
    pub text: std::borrow::Cow<'p, [u8]>,
    /// Whether it was a permission that counts as a prohibition (S-09).
    pub is_fallen: bool,
}

/// A statement within its policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub(crate) u32);

/// What must hold for a conditional permission to be one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Condition {
    /// `time-limit=`: how long the use may last.
    TimeLimit(TimeLimit),
    /// `max-length=`: how much may be shown.
    MaxLength(u64, LengthUnit),
    /// Any other, as `name=value` in canonical spelling.
    Term(String, String),
}

/// How long a use may last (S-20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TimeLimit {
    /// Until the resource is crawled again.
    UntilRecrawled,
    /// Until an instant, that instant excluded.
    Until(Instant),
    /// That many days from the first use.
    Days(u32),
}

/// What a length is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LengthUnit {
    /// Unicode scalar values.
    Chars,
    /// Runs between blanks.
    Words,
}

impl std::fmt::Display for Condition {
    /// The canonical spelling of case files.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TimeLimit(TimeLimit::UntilRecrawled) => f.write_str("time-limit=until-recrawled"),
            Self::TimeLimit(TimeLimit::Until(instant)) => write!(f, "time-limit=until-{instant}"),
            Self::TimeLimit(TimeLimit::Days(days)) => write!(f, "time-limit={days}-days"),
            Self::MaxLength(length, LengthUnit::Chars) => write!(f, "max-length={length}-chars"),
            Self::MaxLength(length, LengthUnit::Words) => write!(f, "max-length={length}-words"),
            Self::Term(name, value) => write!(f, "{name}={value}"),
        }
    }
}
