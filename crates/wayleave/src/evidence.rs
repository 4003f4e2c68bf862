//! Evidence: the documents a site was read from, and how and when each was obtained.
//!
//! Only robots.txt is read so far; other documents a caller supplies are kept by name and shown in
//! the report.

use crate::diagnose::diagnose;
use crate::diagnostic::Diagnostic;
use crate::instant::Instant;
use crate::policy::{Compiler, Policy};
use crate::reading::Reading;
use std::sync::OnceLock;

/// Everything that is known of a site, read in one reading.
#[derive(Clone, Debug)]
pub struct Evidence<'e> {
    reading: Reading,
    robots_txt: RobotsTxt<'e>,
    documents: Vec<Document<'e>>,
    /// Made when first asked for.
    diagnostics: OnceLock<Vec<Diagnostic>>,
}

/// How a document was obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obtained {
    /// With this HTTP status.
    Status(u16),
    /// Not at all: the server or the network failed.
    Unreachable,
    /// Not at all: more than five redirects.
    TooManyRedirects,
}

/// What is known of a site's robots.txt (S-36).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RobotsTxt<'e> {
    /// It was read.
    Read(Policy<'e>),
    /// There is none: the status of the 4xx kind, or redirects without end.
    NotThere(Obtained),
    /// It could not be fetched: the status of the 5xx kind, or a network failure.
    Unreachable(Obtained),
    /// Neither bytes nor status are known.
    Unknown,
}

impl<'e> RobotsTxt<'e> {
    /// What robots.txt says, from how it was obtained and its bytes (S-36).
    ///
    /// 2xx: read. 4xx, redirects without end, and a redirect that nobody followed: there is none.
    /// Anything else: unreachable.
    #[must_use]
    pub fn obtained(obtained: Obtained, body: &'e [u8], reading: Reading) -> Self {
        match obtained {
            Obtained::Status(200..=299) => Self::Read(Compiler::new(reading).compile(body)),
            Obtained::Status(300..=499) | Obtained::TooManyRedirects => Self::NotThere(obtained),
            Obtained::Status(_) | Obtained::Unreachable => Self::Unreachable(obtained),
        }
    }
}

/// A document by the name of its location.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document<'e> {
    /// `robots.txt`, or its location: a path or a URL.
    pub name: String,
    /// Its bytes.
    pub bytes: &'e [u8],
    /// How it was obtained, where that is known.
    pub obtained: Option<Obtained>,
    /// When it was obtained, where that is known.
    pub at: Option<Instant>,
}

impl<'e> Document<'e> {
    /// A document of which only name and bytes are known.
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: &'e [u8]) -> Self {
        Self { name: name.into(), bytes, obtained: None, at: None }
    }

    /// The same document, obtained so.
    #[must_use]
    pub fn obtained(mut self, obtained: Obtained) -> Self {
        self.obtained = Some(obtained);
        self
    }

    /// The same document, obtained then.
    #[must_use]
    pub fn at(mut self, at: Instant) -> Self {
        self.at = Some(at);
        self
    }
}

/// The name of robots.txt among the documents.
pub const ROBOTS_TXT: &str = "robots.txt";

impl<'e> Evidence<'e> {
    /// No evidence yet, to be read in this reading.
    #[must_use]
    pub fn new(reading: Reading) -> Self {
        Self { reading, robots_txt: RobotsTxt::Unknown, documents: Vec::new(), diagnostics: OnceLock::new() }
    }

    /// The evidence of a robots.txt file that was read without trouble.
    #[must_use]
    pub fn of_robots_txt(text: &'e [u8], reading: Reading) -> Self {
        Self::new(reading).with_robots_txt(Obtained::Status(200), text)
    }

    /// The same evidence with robots.txt, obtained so.
    #[must_use]
    pub fn with_robots_txt(mut self, obtained: Obtained, body: &'e [u8]) -> Self {
        self.robots_txt = RobotsTxt::obtained(obtained, body, self.reading);
        self.diagnostics = OnceLock::new();
        self.documents.push(Document::new(ROBOTS_TXT, body).obtained(obtained));
        self
    }

    /// The same evidence with a policy that was compiled or loaded before, and its reading.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy<'e>) -> Self {
        self.reading = policy.reading();
        if let Some(text) = policy.text() {
            self.documents.push(Document::new(ROBOTS_TXT, text));
        }
        self.robots_txt = RobotsTxt::Read(policy);
        self.diagnostics = OnceLock::new();
        self
    }

    /// The same evidence with a further document.
    #[must_use]
    pub fn with_document(mut self, document: Document<'e>) -> Self {
        self.documents.push(document);
        self
    }

    /// The reading it is read in.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// What is known of robots.txt.
    #[must_use]
    pub fn robots_txt(&self) -> &RobotsTxt<'e> {
        &self.robots_txt
    }

    /// What is to be noticed in its documents; looked for once.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.diagnostics.get_or_init(|| match &self.robots_txt {
            RobotsTxt::Read(policy) => policy.text().map_or_else(Vec::new, |text| diagnose(text, self.reading)),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => Vec::new(),
        })
    }

    /// Its documents, in the order they were given.
    #[must_use]
    pub fn documents(&self) -> &[Document<'e>] {
        &self.documents
    }
}
