//! Reads the files of a site: SITE, other documents, the page and its response. Standard input is read at most once.
//!
//! A file that cannot be read causes a one-line error. The engine interprets the bytes.

use crate::arguments::{ResponseDetails, ResponseOptions};
use crate::output::escaped;
use crate::sources::{documents_in, licences_named, references_in};
use crate::{Failure, stored_response, warn};
use byleave::analysis::source::Position;
use byleave::analysis::{DOM, HEADERS, PAGE, ROBOTS_TXT, StoredResponse, StoredResponseProblem};
use byleave::cases::CaseFiles;
use byleave::diagnostic::Code;
use byleave::{Document, Headers, Obtained, Reading, Site, SiteBuilder, Timestamp};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The files of a site, not yet interpreted.
pub struct SiteFiles {
    /// The file name and the bytes of robots.txt, or `None` if SITE is `none`.
    robots_txt: Option<(String, Vec<u8>)>,
    obtained: Option<Obtained>,
    documents: Vec<GivenDocument>,
    response: ResponseFiles,
}

/// Another document of the site.
struct GivenDocument {
    location: String,
    /// The name of the document's file, as the caller wrote it.
    file: String,
    bytes: Vec<u8>,
    source: DocumentSource,
}

/// Where a document comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DocumentSource {
    /// The option `--document`.
    CommandLine,
    /// The folder of the site.
    Folder,
}

/// A page and its response. Each part may be absent.
#[derive(Default)]
pub struct ResponseFiles {
    page: Option<(String, Vec<u8>)>,
    dom: Option<(String, Vec<u8>)>,
    headers: Option<(String, Headers)>,
    content_type: Option<String>,
    fetched: Option<Timestamp>,
}

/// Maps documents to the names of their files, as the caller wrote them.
pub struct DocumentNames(Vec<(String, String)>);

impl DocumentNames {
    /// Creates the map from pairs of a document and a file name.
    pub fn new<'n>(names: impl IntoIterator<Item = (&'n str, String)>) -> Self {
        Self(names.into_iter().map(|(document, name)| (document.to_owned(), name)).collect())
    }

    /// Returns the file name, or the document's own name if it was not read from a file.
    pub fn of<'n>(&'n self, document: &'n str) -> &'n str {
        self.0.iter().find(|(known, _)| *known == document).map_or(document, |(_, name)| name)
    }
}

impl SiteFiles {
    /// Reads SITE: a file, a folder that contains robots.txt, `-`, or `none`.
    pub fn read(site: &Path, obtained: Option<Obtained>, files: &mut FileReader) -> Result<Self, Failure> {
        let robots_txt = if site.as_os_str() == "none" {
            None
        } else {
            let path = robots_txt_of(site)?;
            Some((
                shown(&path),
                files.read(&path, "give a robots.txt file, a folder that contains one, `-`, or `none`")?,
            ))
        };
        if let (None, Some(Obtained::Status(code @ 200..=299))) = (&robots_txt, obtained) {
            return Err(Failure::new(format!(
                "`--status {code}` means that a robots.txt was fetched; give that file instead of `none`"
            )));
        }
        let mut read = Self { robots_txt, obtained, documents: Vec::new(), response: ResponseFiles::default() };
        if site.is_dir() {
            read.add_documents_in(site, files)?;
        }
        Ok(read)
    }

    /// Reads the documents in the folder that have the same location on every site, such as `/.well-known/tdmrep.json`.
    /// Also reads the licences that robots.txt names.
    fn add_documents_in(&mut self, folder: &Path, files: &mut FileReader) -> Result<(), Failure> {
        let robots_txt = self.robots_txt.as_ref().map_or(&[][..], |(_, bytes)| bytes);
        for (location, path) in documents_in(folder, robots_txt) {
            // The folder contains only files of this site, so the origin of the location is removed.
            let origin = byleave::analysis::origin(&location).map_or(0, str::len);
            let location = location.get(origin..).unwrap_or_default().to_owned();
            if !self.documents.iter().any(|known| known.location == location) {
                self.read_document(location, &path, DocumentSource::Folder, files)?;
            }
        }
        Ok(())
    }

    /// Reads a document given with `--document`. It replaces the document that the folder has at that location.
    pub fn add_document(&mut self, location: String, path: &Path, files: &mut FileReader) -> Result<(), Failure> {
        if location.trim().is_empty() {
            return Err(Failure::new(
                "`--document` has an empty location; write a URL or a path, such as `/library.txt`",
            ));
        }
        let is_known =
            |known: &GivenDocument| known.source == DocumentSource::CommandLine && known.location == location;
        if self.documents.iter().any(is_known) {
            return Err(Failure::new(format!(
                "`--document {}` is given twice; give each location once",
                escaped(&location)
            )));
        }
        self.documents.retain(|known| {
            known.source == DocumentSource::CommandLine || !is_same_location(&known.location, &location)
        });
        self.read_document(location, path, DocumentSource::CommandLine, files)
    }

    fn read_document(
        &mut self,
        location: String,
        path: &Path,
        source: DocumentSource,
        files: &mut FileReader,
    ) -> Result<(), Failure> {
        let remedy = match source {
            DocumentSource::CommandLine => "`--document` takes a location and a file",
            DocumentSource::Folder => "check that it is readable, or give SITE as a file",
        };
        let bytes = files.read(path, remedy)?;
        self.documents.push(GivenDocument { location, file: shown(path), bytes, source });
        Ok(())
    }

    /// Reads the files that robots.txt refers to, if they are in this folder and were not given already.
    pub fn add_references_in(&mut self, folder: &Path, files: &mut FileReader) -> Result<(), Failure> {
        let Some((_, robots_txt)) = &self.robots_txt else { return Ok(()) };
        for (location, path) in references_in(folder, robots_txt) {
            if !self.documents.iter().any(|known| is_same_location(&known.location, &location)) {
                self.read_document(location, &path, DocumentSource::Folder, files)?;
            }
        }
        Ok(())
    }

    /// Warns about documents that no dialect reads. Of the documents found in a folder, this can only happen to a
    /// licence (if it is not RSL), because all others are looked up at locations that a dialect reads.
    pub fn warn_unread(&self, reading: Reading) {
        if self.documents.is_empty() {
            return;
        }
        let site = self.site(reading);
        let reads_documents = byleave::analysis::well_known_documents().any(|(location, _)| site.reads(location));
        for unread in self.documents.iter().filter(|given| !site.reads(&given.location)) {
            let location = escaped(&unread.location);
            let is_licence = || {
                let robots_txt = self.robots_txt.as_ref().map_or(&[][..], |(_, bytes)| bytes);
                licences_named(robots_txt).iter().any(|named| is_same_location(named, &unread.location))
            };
            if !reads_documents {
                if unread.source == DocumentSource::CommandLine {
                    let name = reading.name();
                    warn(&format!("the reading {name} reads only robots.txt, so `{location}` is not read"));
                }
            } else if is_licence() {
                warn(&format!("`{location}` is named as a licence, but it is not readable RSL"));
            } else {
                warn(&format!(
                    "`{location}` is not read: nothing refers to it, and no dialect has a document at this location"
                ));
            }
        }
    }

    /// Warns about malformed documents.
    pub fn warn_malformed(&self, reading: Reading) {
        warn_malformed(reading, self.documents.iter().map(|given| (&*given.location, &*given.file, &*given.bytes)));
    }

    /// Adds a page and its response.
    pub fn with_response(self, response: ResponseFiles) -> Self {
        Self { response, ..self }
    }

    /// Returns the site as the engine sees it in the given reading.
    pub fn site(&self, reading: Reading) -> Site<'_> {
        let mut site = Site::builder(reading);
        let obtained = self.obtained.or(self.robots_txt.is_some().then_some(Obtained::Status(200)));
        if let Some(obtained) = obtained {
            let bytes = self.robots_txt.as_ref().map_or(&[][..], |(_, bytes)| bytes);
            site = site.with_robots_txt(obtained, bytes);
        }
        let documents = self.documents.iter().map(|given| Document::new(&given.location, &given.bytes));
        self.response.add_to(documents.fold(site, SiteBuilder::with_document)).build()
    }

    /// Returns the names of the files that the documents were read from.
    pub fn names(&self) -> DocumentNames {
        let ResponseFiles { page, dom, headers, .. } = &self.response;
        let name = |file: &Option<(String, Vec<u8>)>| file.as_ref().map(|(name, _)| name.clone());
        let robots_txt = (ROBOTS_TXT, name(&self.robots_txt));
        let headers = headers.as_ref().map(|(name, _)| name.clone());
        let names = [robots_txt, (PAGE, name(page)), (DOM, name(dom)), (HEADERS, headers)];
        let documents = self.documents.iter().map(|given| (given.location.as_str(), given.file.clone()));
        DocumentNames::new(names.into_iter().filter_map(|(document, name)| Some((document, name?))).chain(documents))
    }
}

impl ResponseFiles {
    /// Reads the files that the options name. If the page cannot be read, the error message ends with `page_remedy`.
    pub fn read(given: ResponseOptions, page_remedy: &str, files: &mut FileReader) -> Result<Self, Failure> {
        let ResponseDetails { dom, header, content_type, fetched } = given.details;
        let mut read = Self { content_type, fetched, ..Self::default() };
        let mut headers = Headers::new();
        let mut name = HEADERS.to_owned();
        if let Some(path) = &given.page {
            let bytes = files.read(path, page_remedy)?;
            // No HTML page begins with a status line, so this is a stored response. Its headers may contain rules.
            if StoredResponse::begins_with_http(&bytes) {
                (name, headers) = read.take_stored_response(path, &bytes)?;
            } else {
                read.page = Some((shown(path), bytes));
            }
        }
        if let Some(path) = &dom {
            read.dom = Some((shown(path), files.read(path, "`--dom` takes an HTML file")?));
        }
        if let Some(path) = &given.response {
            let bytes = files.read(path, "`--response` takes a file with headers, a blank line and the page")?;
            (name, headers) = read.take_stored_response(path, &bytes)?;
        }
        headers = header.iter().fold(headers, |headers, (name, value)| headers.with(name, value));
        if !headers.is_empty() {
            read.headers = Some((name, headers));
        }
        Ok(read)
    }

    /// Splits a stored response. Keeps the page, and returns the file name and the headers.
    fn take_stored_response(&mut self, path: &Path, bytes: &[u8]) -> Result<(String, Headers), Failure> {
        let stored = StoredResponse::parse(bytes);
        if stored.problems.contains(&StoredResponseProblem::NoHeaders) {
            let remedy = "store the response with `curl -i URL`, or give the page with `--page`";
            return Err(Failure::new(format!("`{}` does not begin with headers; {remedy}", shown(path))));
        }
        stored_response::check_complete(path, &stored)?;
        self.page = Some((shown(path), stored.body.into_owned()));
        Ok((format!("{} (headers)", shown(path)), stored.headers))
    }

    /// Returns whether no page, DOM, headers or content type is given.
    pub fn is_empty(&self) -> bool {
        self.page.is_none() && self.dom.is_none() && self.headers.is_none() && self.content_type.is_none()
    }

    fn add_to<'e>(&'e self, mut site: SiteBuilder<'e>) -> SiteBuilder<'e> {
        if let Some(fetched) = self.fetched {
            site = site.fetched_at(fetched);
        }
        if let Some(content_type) = &self.content_type {
            site = site.with_content_type(content_type);
        }
        if let Some((_, headers)) = &self.headers {
            site = site.with_headers(headers.clone());
        }
        if let Some((_, page)) = &self.page {
            site = site.with_page(page);
        }
        match &self.dom {
            Some((_, dom)) => site.with_dom(dom),
            None => site,
        }
    }

    /// Returns the page and the response for cases that have no page, DOM or headers of their own.
    pub fn for_cases(&self) -> CaseFiles<'_> {
        CaseFiles {
            robots_txt: None,
            page: self.page.as_ref().map(|(_, page)| page.as_slice()),
            dom: self.dom.as_ref().map(|(_, dom)| dom.as_slice()),
            headers: self.headers.as_ref().map(|(_, headers)| headers),
            content_type: self.content_type.as_deref(),
        }
    }
}

/// Warns about each malformed document. The iterator yields locations, file names and bytes.
pub fn warn_malformed<'d>(reading: Reading, documents: impl Iterator<Item = (&'d str, &'d str, &'d [u8])>) {
    for (location, name, bytes) in documents {
        let site = Site::builder(reading).with_document(Document::new(location, bytes)).build();
        let malformed = site.diagnostics().iter().find(|diagnostic| diagnostic.code == Code::BadDocument);
        if let Some(malformed) = malformed {
            let line = Position::of(bytes, malformed.span.start).line;
            warn(&format!("`{name}` line {line}: {}", escaped(&malformed.message)));
        }
    }
}

/// Returns whether two locations may be the same. A path without an origin is the same as this path on any site.
pub fn is_same_location(one: &str, other: &str) -> bool {
    let (own, theirs) = (byleave::analysis::origin(one), byleave::analysis::origin(other));
    path_of(one) == path_of(other) && (own == theirs || own.is_none() || theirs.is_none())
}

/// Returns the path in a location, without its leading slash.
fn path_of(location: &str) -> &str {
    let origin = byleave::analysis::origin(location).map_or(0, str::len);
    location.get(origin..).unwrap_or_default().trim_start_matches('/')
}

/// Reads files, and standard input at most once.
#[derive(Default)]
pub struct FileReader {
    is_stdin_taken: bool,
}

impl FileReader {
    /// Returns the bytes of a file, or standard input for `-`. On failure, the error message ends with `remedy`.
    pub fn read(&mut self, path: &Path, remedy: &str) -> Result<Vec<u8>, Failure> {
        if path.as_os_str() != "-" {
            return read_file(path, remedy);
        }
        if std::mem::replace(&mut self.is_stdin_taken, true) {
            return Err(Failure::new("`-` is given twice, but standard input can be read only once; give a file"));
        }
        read_all(io::stdin().lock(), path, remedy)
    }

    /// Returns the content of a file as text, without a byte order mark.
    pub fn read_text(&mut self, path: &Path, remedy: &str) -> Result<String, Failure> {
        let bytes = self.read(path, remedy)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let before = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            Failure::new(format!("`{}` line {line} is not UTF-8; {remedy}", shown(path)))
        })?;
        Ok(text.strip_prefix('\u{FEFF}').map(ToOwned::to_owned).unwrap_or(text))
    }
}

/// Returns the bytes of a file, even if its name is `-`.
pub fn read_file(path: &Path, remedy: &str) -> Result<Vec<u8>, Failure> {
    read_all(File::open(path).map_err(|error| unreadable(path, &error, remedy))?, path, remedy)
}

fn read_all(from: impl Read, path: &Path, remedy: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let length =
        from.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error, remedy))?;
    if length as u64 > MAX_FILE_SIZE {
        return Err(Failure::new(format!(
            "`{}` is longer than {} MiB; give a shorter file",
            shown(path),
            MAX_FILE_SIZE >> 20
        )));
    }
    Ok(bytes)
}

/// The maximum size of a file. It is larger than any real robots.txt, and ends reads from devices such as `/dev/zero`.
const MAX_FILE_SIZE: u64 = 256 << 20;

/// Returns a path as escaped text; `<stdin>` for `-`.
pub fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { escaped(&path.to_string_lossy()).into_owned() }
}

/// Returns the path of robots.txt: the path itself if it is a file, or `robots.txt` in the folder.
pub fn robots_txt_of(site: &Path) -> Result<PathBuf, Failure> {
    let name = shown(site);
    if name.starts_with("http://") || name.starts_with("https://") {
        let remedy = "download its robots.txt and give that file";
        return Err(Failure::new(format!("`{name}` is a URL, but Byleave reads only files; {remedy}")));
    }
    if !site.is_dir() {
        return Ok(site.to_owned());
    }
    let path = site.join("robots.txt");
    if path.exists() {
        return Ok(path);
    }
    Err(Failure::new(format!("folder `{name}` contains no `robots.txt`; give a folder that contains one, or `none`")))
}

/// Returns the failure for a path that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error, remedy: &str) -> Failure {
    Failure::new(format!("cannot read `{}`: {}; {remedy}", shown(path), reason(error)))
}

/// Returns the failure for a path that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error, remedy: &str) -> Failure {
    Failure::new(format!("cannot write `{}`: {}; {remedy}", shown(path), reason(error)))
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}
