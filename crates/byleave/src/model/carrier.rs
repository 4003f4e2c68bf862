//! Carriers: the kinds of document or tag that a statement comes from.

/// The kind of document or tag that a statement comes from.
///
/// ```
/// use byleave::{Policy, model::Carrier};
/// let policy = Policy::parse(b"User-agent: *\nDisallow: /cart\n");
/// let statement = policy.statements().iter().next().unwrap();
/// assert_eq!((statement.carrier, statement.carrier.name()), (Carrier::RobotsTxt, "robots.txt"));
/// ```
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
    /// Another document that the caller supplied.
    Document,
    /// No document: the decision rests on a default, a status or a limit.
    Default,
}

impl Carrier {
    /// All carriers, in the order of the variants.
    pub const ALL: &'static [Self] =
        &[Self::RobotsTxt, Self::Reference, Self::Header, Self::Meta, Self::Element, Self::Document, Self::Default];

    /// Returns the carrier's name, as used in all output.
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
