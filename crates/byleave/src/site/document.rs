//! Documents of a site: bytes with the name of their location, and how and when they were obtained.

use crate::base::shared_bytes::SharedBytes;
use crate::base::timestamp::Timestamp;
use crate::formats::html::DecodingInfo;
use crate::model::Obtained;

/// A document, named by its location.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document<'e> {
    /// `robots.txt`, or its location: a path or a URL.
    pub name: String,
    /// Its bytes.
    pub bytes: SharedBytes<'e>,
    /// How it was obtained, if known.
    pub obtained: Option<Obtained>,
    /// When it was obtained, if known.
    pub at: Option<Timestamp>,
    pub(super) role: Role,
    /// The text that spans refer to, if it is not its bytes.
    pub(super) transcoded: Option<Vec<u8>>,
    /// How a page is decoded, once that is known.
    pub(super) how: Option<DecodingInfo>,
}

/// The role of a document in a site. It does not depend on the name: a caller may give a document any name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    RobotsTxt,
    Headers,
    Page,
    Dom,
    /// A document that a caller supplied; robots.txt may refer to it.
    Supplied,
}

impl<'e> Document<'e> {
    /// Returns the text that lines and spans refer to: its bytes, unless they had to be transcoded, as UTF-16 has to
    /// be.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.transcoded.as_deref().unwrap_or(&self.bytes)
    }

    /// Returns a document with a name and bytes, and nothing else known.
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: impl Into<SharedBytes<'e>>) -> Self {
        let (name, bytes) = (name.into(), bytes.into());
        Self { name, bytes, obtained: None, at: None, role: Role::Supplied, transcoded: None, how: None }
    }

    /// Whether a caller supplied it and it was obtained successfully.
    pub(super) fn is_read(&self) -> bool {
        let is_there = self.obtained.is_none_or(|obtained| matches!(obtained, Obtained::Status(200..=299)));
        self.role == Role::Supplied && is_there
    }

    pub(super) fn with_role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Returns the document, obtained in this way.
    #[must_use]
    pub fn obtained(mut self, obtained: Obtained) -> Self {
        self.obtained = Some(obtained);
        self
    }

    /// Returns the document, obtained at this time.
    #[must_use]
    pub fn at(mut self, at: Timestamp) -> Self {
        self.at = Some(at);
        self
    }
}
