//! Evidence: the documents a site was read from, and how and when each was obtained.
//!
//! robots.txt is read, and so are the files its ACAP records refer to, where they are given (S-21); other
//! documents are kept by name and shown in the report.

use crate::crawler::Crawler;
use crate::diagnose::diagnose;
use crate::diagnostic::{Code, Diagnostic};
use crate::instant::Instant;
use crate::limits::Limits;
use crate::model::{StatementId, StatementKind};
use crate::policy::acap::Entry;
use crate::policy::{self, Acap, Compiler, Policy};
use crate::reading::Reading;
use crate::source::Span;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Everything that is known of a site, read in one reading.
#[derive(Clone, Debug)]
pub struct Evidence<'e> {
    reading: Reading,
    robots_txt: RobotsTxt<'e>,
    documents: Vec<Document<'e>>,
    /// The files that robots.txt refers to and that are given.
    references: Vec<ReadReference>,
    /// For each reference of robots.txt, which of them it is.
    links: Vec<Option<u16>>,
    /// Made when first asked for.
    diagnostics: OnceLock<Vec<Diagnostic>>,
}

/// A file that robots.txt refers to, read.
#[derive(Clone, Debug)]
pub(crate) struct ReadReference {
    /// Its number among the documents.
    pub(crate) document: usize,
    pub(crate) acap: Acap,
    is_truncated: bool,
}

/// What is read of a site in ACAP: robots.txt and the files it refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sources<'a> {
    robots_txt: Option<&'a Acap>,
    references: &'a [ReadReference],
    links: &'a [Option<u16>],
}

impl<'a> Sources<'a> {
    /// A policy alone: no file it refers to is read.
    pub(crate) fn of_policy(policy: &'a Policy<'_>) -> Self {
        Self { robots_txt: policy.acap(), references: &[], links: &[] }
    }

    /// Calls `visit` with each file that counts for the crawler, by number: 0 is robots.txt.
    pub(crate) fn each(&self, crawler: &Crawler, mut visit: impl FnMut(u16, &'a Acap)) {
        let Some(robots_txt) = self.robots_txt else { return };
        visit(0, robots_txt);
        if self.references.is_empty() {
            return;
        }
        let mut numbers: SmallVec<[u16; 8]> = SmallVec::new();
        let mut is_for = LastRecord::default();
        for (link, to) in robots_txt.references.iter().zip(self.links) {
            numbers.extend(to.filter(|_| is_for.is_addressed(robots_txt, link.record, crawler)));
        }
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            if let Some(reference) = self.references.get(usize::from(number)) {
                visit(number + 1, &reference.acap);
            }
        }
    }

    /// The references for the crawler that are not read (S-21).
    pub(crate) fn unread(&self, crawler: &'a Crawler) -> impl Iterator<Item = StatementId> + 'a {
        let (robots_txt, links) = (self.robots_txt, self.links);
        let references = robots_txt.map_or(&[][..], |acap| &acap.references);
        let mut is_for = LastRecord::default();
        let unread = (0u32..).zip(references).filter(move |(number, reference)| {
            let is_read = links.get(*number as usize).is_some_and(Option::is_some);
            !is_read && robots_txt.is_some_and(|acap| is_for.is_addressed(acap, reference.record, crawler))
        });
        unread.map(|(number, _)| StatementId { document: 0, kind: StatementKind::Reference, number })
    }

    /// The file of this number.
    pub(crate) fn acap(&self, document: u16) -> Option<&'a Acap> {
        match document.checked_sub(1) {
            None => self.robots_txt,
            Some(number) => self.references.get(usize::from(number)).map(|reference| &reference.acap),
        }
    }

    /// An ACAP permission or prohibition, with its file.
    pub(crate) fn entry(&self, id: StatementId) -> Option<(&'a Acap, &'a Entry)> {
        let acap = self.acap(id.document).filter(|_| id.kind == StatementKind::Acap)?;
        Some((acap, acap.statements.get(id.number as usize)?))
    }
}

/// Whether the record asked about last addresses the crawler: references of one record stand together.
#[derive(Default)]
struct LastRecord(Option<(u32, bool)>);

impl LastRecord {
    fn is_addressed(&mut self, acap: &Acap, record: u32, crawler: &Crawler) -> bool {
        match self.0 {
            Some((known, answer)) if known == record => answer,
            _ => {
                let answer = acap.addressee(record, crawler).is_some();
                self.0 = Some((record, answer));
                answer
            }
        }
    }
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
        Self {
            reading,
            robots_txt: RobotsTxt::Unknown,
            documents: Vec::new(),
            references: Vec::new(),
            links: Vec::new(),
            diagnostics: OnceLock::new(),
        }
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
        self.documents.push(Document::new(ROBOTS_TXT, body).obtained(obtained));
        self.link()
    }

    /// The same evidence with a policy that was compiled or loaded before, and its reading.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy<'e>) -> Self {
        self.reading = policy.reading();
        if let Some(text) = policy.text() {
            self.documents.push(Document::new(ROBOTS_TXT, text));
        }
        self.robots_txt = RobotsTxt::Read(policy);
        self.link()
    }

    /// The same evidence with a further document.
    #[must_use]
    pub fn with_document(mut self, document: Document<'e>) -> Self {
        self.documents.push(document);
        let number = self.documents.len() - 1;
        self.link_from(number)
    }

    /// Reads the documents that robots.txt refers to, each once.
    fn link(mut self) -> Self {
        self.references.clear();
        self.links.clear();
        if let RobotsTxt::Read(policy) = &self.robots_txt
            && let Some(acap) = policy.acap()
        {
            self.links.resize(acap.references.len(), None);
        }
        self.link_from(0)
    }

    /// Reads those from this number on.
    fn link_from(mut self, first: usize) -> Self {
        self.diagnostics = OnceLock::new();
        let RobotsTxt::Read(policy) = &self.robots_txt else { return self };
        let Some(acap) = policy.acap().filter(|acap| !acap.references.is_empty()) else { return self };
        let mut wanted: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (number, reference) in acap.references.iter().enumerate() {
            wanted.entry(reference.locator.of(&acap.arena)).or_default().push(number);
        }
        for (number, document) in self.documents.iter().enumerate().skip(first) {
            let is_read = document.obtained.is_none_or(|obtained| matches!(obtained, Obtained::Status(200..=299)));
            let Some(references) = wanted.get(document.name.as_bytes()).filter(|_| is_read) else { continue };
            let Some(next) = u16::try_from(self.references.len()).ok().filter(|next| *next < u16::MAX - 1) else {
                break;
            };
            let (read, is_truncated) = read_reference(document.bytes, self.reading, acap, None);
            self.references.push(ReadReference { document: number, acap: read, is_truncated });
            for reference in references {
                if let Some(link) = self.links.get_mut(*reference) {
                    *link = Some(next);
                }
            }
        }
        self
    }

    /// What is read of it in ACAP.
    pub(crate) fn sources(&self) -> Sources<'_> {
        let robots_txt = match &self.robots_txt {
            RobotsTxt::Read(policy) => policy.acap(),
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => None,
        };
        Sources { robots_txt, references: &self.references, links: &self.links }
    }

    /// The file of this number among the sources: its document, which has no text where the policy stands alone.
    pub(crate) fn source(&self, number: u16) -> Option<&Document<'e>> {
        match number.checked_sub(1) {
            None => self.documents.iter().find(|document| document.name == ROBOTS_TXT),
            Some(number) => self.documents.get(self.references.get(usize::from(number))?.document),
        }
    }

    /// Whether any of it was cut at a limit (S-22).
    pub(crate) fn is_truncated(&self) -> bool {
        matches!(&self.robots_txt, RobotsTxt::Read(policy) if policy.is_truncated())
            || self.references.iter().any(|reference| reference.is_truncated)
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
            RobotsTxt::Read(policy) => {
                let mut found = policy.text().map_or_else(Vec::new, |text| diagnose(text, self.reading));
                if let Some(acap) = policy.acap() {
                    self.diagnose_references(acap, &mut found);
                }
                found
            }
            RobotsTxt::NotThere(_) | RobotsTxt::Unreachable(_) | RobotsTxt::Unknown => Vec::new(),
        })
    }

    fn diagnose_references(&self, acap: &Acap, found: &mut Vec<Diagnostic>) {
        for (reference, link) in acap.references.iter().zip(&self.links) {
            if link.is_none() {
                let locator = String::from_utf8_lossy(reference.locator.of(&acap.arena));
                found.push(Diagnostic {
                    code: Code::ReferenceUnread,
                    severity: Code::ReferenceUnread.severity(),
                    document: ROBOTS_TXT.to_owned(),
                    span: Span::new(reference.at.start as usize, reference.at.end as usize),
                    message: format!("`{locator}` is not given, so everything is prohibited to the record's crawlers"),
                    help: Some("give the file, as with `--document LOCATION FILE`".to_owned()),
                });
            }
        }
        for reference in &self.references {
            let Some(document) = self.documents.get(reference.document) else { continue };
            let mut notes = Vec::new();
            read_reference(document.bytes, self.reading, acap, Some(&mut notes));
            found.extend(notes.into_iter().map(|note| Diagnostic { document: document.name.clone(), ..note }));
        }
    }

    /// Its documents, in the order they were given.
    #[must_use]
    pub fn documents(&self) -> &[Document<'e>] {
        &self.documents
    }
}

/// Reads a file that robots.txt refers to: ACAP only, with the definitions of robots.txt in sight (S-21).
fn read_reference(
    bytes: &[u8],
    reading: Reading,
    robots_txt: &Acap,
    notes: Option<&mut Vec<Diagnostic>>,
) -> (Acap, bool) {
    let switches = reading.switches();
    let read = Limits::default().cut(bytes);
    let text = bytes.get(..read).unwrap_or(bytes);
    let body = policy::body_start(text, switches);
    let acap = policy::acap::read(text, body, switches, Some(robots_txt), notes);
    (acap.unwrap_or_default(), read < bytes.len())
}
