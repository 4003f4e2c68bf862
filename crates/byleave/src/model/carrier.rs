//! Carriers: the kinds of document or tag that a statement comes from.

use crate::base::table::table;

table! {
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
        RobotsTxt = "robots.txt";
        /// A file that robots.txt refers to.
        Reference = "reference";
        /// A header of the page's response.
        Header = "header";
        /// A META tag.
        Meta = "meta";
        /// An element's class or attribute.
        Element = "element";
        /// Another document that the caller supplied.
        Document = "document";
        /// No document: the decision rests on a default, a status or a limit.
        Default = "default";
    }

    /// Returns the carrier's name, as used in all output.
    pub fn name: &'static str;
}
