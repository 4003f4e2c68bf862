//! The documents to lint together: the robots.txt of a site, the files it refers to, and responses with their pages.
//!
//! Nothing is read from disk or network here; whoever calls the linter supplies every document as bytes.

use crate::stored_response::StoredResponse;
use byleave::{Document, Headers, Obtained, Reading, Site, SiteBuilder};

/// The documents of one site that are linted together. All are optional.
#[derive(Clone, Debug, Default)]
pub struct LintInput<'t> {
    /// Name and text.
    pub(crate) robots_txt: Option<(String, &'t [u8])>,
    pub(crate) references: Vec<ReferencedFile<'t>>,
    pub(crate) responses: Vec<ResponseInput<'t>>,
}

/// A file that robots.txt refers to, or that has a well-known location.
#[derive(Clone, Debug)]
pub(crate) struct ReferencedFile<'t> {
    pub(crate) location: String,
    pub(crate) name: String,
    pub(crate) text: &'t [u8],
}

/// A response to lint: a page with its headers, or either alone.
#[derive(Clone, Debug, Default)]
pub struct ResponseInput<'t> {
    pub(crate) url: Option<String>,
    pub(crate) stored: Option<StoredResponse<'t>>,
    /// Name and content.
    pub(crate) headers: Option<(String, Headers)>,
    /// Name and text.
    pub(crate) page: Option<(String, &'t [u8])>,
}

impl<'t> LintInput<'t> {
    /// Creates an input without documents.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets robots.txt. `name` is how reports call it.
    #[must_use]
    pub fn with_robots_txt(mut self, name: impl Into<String>, text: &'t [u8]) -> Self {
        self.robots_txt = Some((name.into(), text));
        self
    }

    /// Adds a file that robots.txt refers to or that has a well-known location. `location` is the path or URL that
    /// refers to it; `name` is how reports call it.
    #[must_use]
    pub fn with_reference(mut self, location: impl Into<String>, name: impl Into<String>, text: &'t [u8]) -> Self {
        self.references.push(ReferencedFile { location: location.into(), name: name.into(), text });
        self
    }

    /// Adds a response.
    #[must_use]
    pub fn with_response(mut self, response: ResponseInput<'t>) -> Self {
        self.responses.push(response);
        self
    }

    /// Returns the text of robots.txt.
    pub(crate) fn robots_txt_text(&self) -> Option<&'t [u8]> {
        self.robots_txt.as_ref().map(|(_, text)| *text)
    }

    /// Returns this input with another text of robots.txt and without responses.
    pub(crate) fn with_robots_txt_text<'o>(&self, text: &'o [u8]) -> LintInput<'o>
    where
        't: 'o,
    {
        let name = self.robots_txt.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
        LintInput { robots_txt: Some((name, text)), references: self.references.clone(), responses: Vec::new() }
    }

    /// Returns location and text of each referenced file.
    pub(crate) fn references(&self) -> Vec<(&str, &'t [u8])> {
        self.references.iter().map(|file| (file.location.as_str(), file.text)).collect()
    }

    /// Returns a builder of the site that has robots.txt and the referenced files.
    pub(crate) fn site(&self, reading: Reading) -> SiteBuilder<'t> {
        let mut site = Site::builder(reading);
        if let Some((_, text)) = &self.robots_txt {
            site = site.with_robots_txt(Obtained::Status(200), *text);
        }
        let references = self.references.iter();
        references.fold(site, |site, file| site.with_document(Document::new(&file.location, file.text)))
    }
}

impl<'t> ResponseInput<'t> {
    /// Creates a response without headers or page.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a response stored in one file, headers and page together. `name` is how reports call the file.
    #[must_use]
    pub fn stored(name: impl Into<String>, bytes: &'t [u8]) -> Self {
        let read = Headers::read(bytes);
        let stored = StoredResponse::new(name.into(), bytes, &read);
        let response = Self::new().with_headers(stored.headers_name(), read.headers);
        let response = match bytes.get(read.body..) {
            Some(page) if !page.is_empty() => response.with_page(stored.page_name(), page),
            _ => response,
        };
        Self { stored: Some(stored), ..response }
    }

    /// Replaces the page of a stored response by its text without chunk framing. Spans then point into `page`, not
    /// into the file. Does nothing if the response is not a stored one.
    #[must_use]
    pub fn with_dechunked_page(self, page: &'t [u8]) -> Self {
        match self.stored.as_ref().map(StoredResponse::page_name) {
            Some(name) => self.with_page(name, page),
            None => self,
        }
    }

    /// Sets the URL, or the path on the site, that the response comes from.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Sets the headers. `name` is how reports call them.
    #[must_use]
    pub fn with_headers(mut self, name: impl Into<String>, headers: Headers) -> Self {
        self.headers = Some((name.into(), headers));
        self
    }

    /// Sets the page. `name` is how reports call it.
    #[must_use]
    pub fn with_page(mut self, name: impl Into<String>, page: &'t [u8]) -> Self {
        self.page = Some((name.into(), page));
        self
    }
}
