//! The documents to lint together: a site's robots.txt, the files that it refers to, and responses with their pages.
//!
//! This module reads nothing from disk or network. The caller supplies every document as bytes.

use crate::response_file::ResponseFile;
use byleave::analysis::StoredResponse;
use byleave::{Document, Headers, Obtained, Reading, Site, SiteBuilder};
use std::borrow::Cow;

/// The documents of one site that are linted together. All are optional.
#[derive(Clone, Debug, Default)]
pub struct LintInput<'t> {
    /// The name and the text.
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

/// A response to lint: headers, a page, or both.
#[derive(Clone, Debug, Default)]
pub struct ResponseInput<'t> {
    pub(crate) url: Option<String>,
    /// The file that contains both the headers and the page, if they are stored in one file.
    pub(crate) file: Option<ResponseFile<'t>>,
    /// The name and the headers.
    pub(crate) headers: Option<(String, Headers)>,
    /// The name and the text.
    pub(crate) page: Option<(String, Cow<'t, [u8]>)>,
}

impl<'t> LintInput<'t> {
    /// Creates an input without documents.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets robots.txt. Reports refer to it as `name`.
    #[must_use]
    pub fn with_robots_txt(mut self, name: impl Into<String>, text: &'t [u8]) -> Self {
        self.robots_txt = Some((name.into(), text));
        self
    }

    /// Adds a file that robots.txt refers to or that has a well-known location. `location` is the path or URL of the
    /// file. Reports refer to it as `name`.
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

    /// Returns this input with a different robots.txt text and without responses.
    pub(crate) fn with_robots_txt_text<'o>(&self, text: &'o [u8]) -> LintInput<'o>
    where
        't: 'o,
    {
        let name = self.robots_txt.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
        LintInput { robots_txt: Some((name, text)), references: self.references.clone(), responses: Vec::new() }
    }

    /// Returns the location and the text of each referenced file.
    pub(crate) fn references(&self) -> Vec<(&str, &'t [u8])> {
        self.references.iter().map(|file| (file.location.as_str(), file.text)).collect()
    }

    /// Returns a builder for a site with robots.txt and the referenced files.
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

    /// Parses a response whose headers and page are stored in one file. Reports refer to the file as `name`.
    ///
    /// If the page was sent in chunks, they are joined, and the page is linted as a document of its own.
    #[must_use]
    pub fn stored(name: impl Into<String>, bytes: &'t [u8]) -> Self {
        let file = ResponseFile { name: name.into(), stored: StoredResponse::parse(bytes) };
        let (headers, page) = (file.headers_name(), file.page_name());
        let response = Self::new().with_parts(headers, page, file.stored.clone());
        Self { file: Some(file), ..response }
    }

    /// Sets the headers, and the page if it is not empty, under these names.
    pub(crate) fn with_parts(self, headers: String, page: String, stored: StoredResponse<'t>) -> Self {
        let response = self.with_headers(headers, stored.headers);
        if stored.body.is_empty() { response } else { response.with_page(page, stored.body) }
    }

    /// Sets the URL, or the path on the site, that the response comes from.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Sets the headers. Reports refer to them as `name`.
    #[must_use]
    pub fn with_headers(mut self, name: impl Into<String>, headers: Headers) -> Self {
        self.headers = Some((name.into(), headers));
        self
    }

    /// Sets the page. Reports refer to it as `name`.
    #[must_use]
    pub fn with_page(mut self, name: impl Into<String>, page: impl Into<Cow<'t, [u8]>>) -> Self {
        self.page = Some((name.into(), page.into()));
        self
    }
}
