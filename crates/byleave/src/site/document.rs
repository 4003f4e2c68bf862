//! A site's documents: bytes with a location, and how and when they were obtained.

use crate::base::shared_bytes::SharedBytes;
use crate::base::timestamp::Timestamp;
use crate::formats::html::DecodingInfo;
use crate::model::Obtained;

/// A document, named by its location.
///
/// ```
/// use byleave::{Document, Obtained};
/// let document = Document::new("/ai.txt", &b"User-Agent: *\nDisallow: *.jpg\n"[..]).obtained(Obtained::Status(200));
/// assert_eq!(document.name, "/ai.txt");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document<'e> {
    /// `robots.txt`, or the document's location as a path or a URL.
    pub name: String,
    /// The document's bytes.
    pub bytes: SharedBytes<'e>,
    /// How the document was obtained, if known.
    pub obtained: Option<Obtained>,
    /// When the document was obtained, if known.
    pub at: Option<Timestamp>,
    pub(super) role: Role,
    /// The text that spans refer to, if it differs from the bytes.
    pub(super) transcoded: Option<Vec<u8>>,
    /// How a page is decoded, once this is known.
    pub(super) how: Option<DecodingInfo>,
}

/// A document's role in a site. The role does not depend on the name, because a caller may give a document any name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    RobotsTxt,
    Headers,
    Page,
    Dom,
    /// A document that a caller supplied, to which robots.txt may refer.
    Supplied,
}

impl<'e> Document<'e> {
    /// Returns the text that lines and spans refer to. This is the document's bytes, unless they had to be transcoded,
    /// for example from UTF-16.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.transcoded.as_deref().unwrap_or(&self.bytes)
    }

    /// Returns a document with this name and these bytes. How and when it was obtained is not known.
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: impl Into<SharedBytes<'e>>) -> Self {
        let (name, bytes) = (name.into(), bytes.into());
        Self { name, bytes, obtained: None, at: None, role: Role::Supplied, transcoded: None, how: None }
    }

    /// Whether a caller supplied the document and, as far as is known, it was obtained successfully.
    pub(super) fn is_read(&self) -> bool {
        let is_there = self.obtained.is_none_or(|obtained| matches!(obtained, Obtained::Status(200..=299)));
        self.role == Role::Supplied && is_there
    }

    pub(super) fn with_role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Sets how the document was obtained.
    #[must_use]
    pub fn obtained(mut self, obtained: Obtained) -> Self {
        self.obtained = Some(obtained);
        self
    }

    /// Sets when the document was obtained.
    #[must_use]
    pub fn at(mut self, at: Timestamp) -> Self {
        self.at = Some(at);
        self
    }
}
