//! Documents of the evidence: bytes by the name of a location, and how and when they were obtained.

use crate::base::shared_bytes::SharedBytes;
use crate::base::timestamp::Timestamp;
use crate::formats::html::DecodingInfo;
use crate::model::Obtained;

/// A document by the name of its location.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document<'e> {
    /// `robots.txt`, or its location: a path or a URL.
    pub name: String,
    /// Its bytes.
    pub bytes: SharedBytes<'e>,
    /// How it was obtained, where that is known.
    pub obtained: Option<Obtained>,
    /// When it was obtained, where that is known.
    pub at: Option<Timestamp>,
    pub(super) role: Role,
    /// The text that places in it are places of, where that is another than its bytes.
    pub(super) transcoded: Option<Vec<u8>>,
    /// How it is read, once that is found, where it is a page.
    pub(super) how: Option<DecodingInfo>,
}

/// What a document is to the evidence. It does not go by names: a caller may give a document any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    RobotsTxt,
    Headers,
    Page,
    Dom,
    /// A document that a caller supplied, perhaps one that robots.txt refers to.
    Supplied,
}

impl<'e> Document<'e> {
    /// The text that lines and spans are counted in: its bytes, except where those had to be transcoded to be
    /// read, as UTF-16 has.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.transcoded.as_deref().unwrap_or(&self.bytes)
    }

    /// A document of which only name and bytes are known.
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: impl Into<SharedBytes<'e>>) -> Self {
        let (name, bytes) = (name.into(), bytes.into());
        Self { name, bytes, obtained: None, at: None, role: Role::Supplied, transcoded: None, how: None }
    }

    /// Whether it is one that a caller supplied, and was obtained without trouble.
    pub(super) fn is_read(&self) -> bool {
        let is_there = self.obtained.is_none_or(|obtained| matches!(obtained, Obtained::Status(200..=299)));
        self.role == Role::Supplied && is_there
    }

    pub(super) fn with_role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// The same document, obtained so.
    #[must_use]
    pub fn obtained(mut self, obtained: Obtained) -> Self {
        self.obtained = Some(obtained);
        self
    }

    /// The same document, obtained then.
    #[must_use]
    pub fn at(mut self, at: Timestamp) -> Self {
        self.at = Some(at);
        self
    }
}
