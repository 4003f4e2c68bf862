//! Reading what is known of a site: SITE, further documents, the page and its response, lists, and standard input
//! at most once.
//!
//! It opens files and says in one line why it cannot. What the bytes mean is the engine's.

use crate::arguments::{BesidePage, FromResponse};
use crate::output::escaped;
use crate::sources::{documents_in, is_saved_response, licences_named, references_in};
use crate::{Failure, saved, warn};
use byleave::case::CaseFiles;
use byleave::diagnostic::Code;
use byleave::source::Position;
use byleave::{DOM, Document, Evidence, HEADERS, Headers, Obtained, PAGE, ROBOTS_TXT, Reading, Timestamp};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What is known of a site, read and not yet interpreted.
pub struct Site {
    /// The bytes of robots.txt and where they come from; nothing where none is known.
    robots_txt: Option<(String, Vec<u8>)>,
    obtained: Option<Obtained>,
    documents: Vec<Given>,
    response: ResponseFiles,
}

/// A further document: its location, the file it was read from as the caller wrote it, and what that holds.
struct Given {
    location: String,
    file: String,
    bytes: Vec<u8>,
    whence: Whence,
}

/// Who brought a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whence {
    /// The caller named it.
    Named,
    /// It is in the folder of the site.
    Folder,
}

/// What was given of a page and its response.
#[derive(Default)]
pub struct ResponseFiles {
    page: Option<(String, Vec<u8>)>,
    dom: Option<(String, Vec<u8>)>,
    headers: Option<(String, Headers)>,
    content_type: Option<String>,
    fetched: Option<Timestamp>,
}

/// Where documents were read from, as the caller wrote it; others go by their own names.
pub struct Names(Vec<(String, String)>);

impl Names {
    /// Of these documents.
    pub fn new<'n>(names: impl IntoIterator<Item = (&'n str, String)>) -> Self {
        Self(names.into_iter().map(|(document, name)| (document.to_owned(), name)).collect())
    }

    /// What a document is shown as.
    pub fn of<'n>(&'n self, document: &'n str) -> &'n str {
        self.0.iter().find(|(known, _)| *known == document).map_or(document, |(_, name)| name)
    }
}

impl Site {
    /// Reads SITE: a file, a folder that holds robots.txt, `-`, or `none`.
    pub fn read(site: &Path, obtained: Option<Obtained>, files: &mut Files) -> Result<Self, Failure> {
        let robots_txt = if site.as_os_str() == "none" {
            None
        } else {
            let path = robots_txt_of(site)?;
            Some((shown(&path), files.read(&path, "give a robots.txt file, a folder that holds one, `-`, or `none`")?))
        };
        if let (None, Some(Obtained::Status(code @ 200..=299))) = (&robots_txt, obtained) {
            return Err(Failure::new(format!(
                "--status {code} says that robots.txt was read; give the file instead of `none`"
            )));
        }
        let mut read = Self { robots_txt, obtained, documents: Vec::new(), response: ResponseFiles::default() };
        if site.is_dir() {
            read.add_documents_in(site, files)?;
        }
        Ok(read)
    }

    /// Reads the documents of a folder that have their place at every site, such as `/.well-known/tdmrep.json`, and the
    /// licences that its robots.txt names.
    fn add_documents_in(&mut self, folder: &Path, files: &mut Files) -> Result<(), Failure> {
        let robots_txt = self.robots_txt.as_ref().map_or(&[][..], |(_, bytes)| bytes);
        for (location, path) in documents_in(folder, robots_txt) {
            // The folder is the site's: a licence of another site is not in it, though its path may be.
            let origin = byleave::origin(&location).map_or(0, str::len);
            let location = location.get(origin..).unwrap_or_default().to_owned();
            if !self.documents.iter().any(|known| known.location == location) {
                self.read_document(location, &path, Whence::Folder, files)?;
            }
        }
        Ok(())
    }

    /// Reads a further document, in the place of the folder's of that location.
    pub fn add_document(&mut self, location: String, path: &Path, files: &mut Files) -> Result<(), Failure> {
        if location.trim().is_empty() {
            return Err(Failure::new("`--document` is given no location; write a URL or a path, as `/library.txt`"));
        }
        let is_known = |known: &Given| known.whence == Whence::Named && known.location == location;
        if self.documents.iter().any(is_known) {
            return Err(Failure::new(format!(
                "`--document {}` is given twice; give each location once",
                escaped(&location)
            )));
        }
        self.documents.retain(|known| known.whence == Whence::Named || !is_same_place(&known.location, &location));
        self.read_document(location, path, Whence::Named, files)
    }

    fn read_document(
        &mut self,
        location: String,
        path: &Path,
        whence: Whence,
        files: &mut Files,
    ) -> Result<(), Failure> {
        let remedy = match whence {
            Whence::Named => "--document takes a location and a readable file",
            Whence::Folder => "see whether it can be read, or give SITE as a file",
        };
        let bytes = files.read(path, remedy)?;
        self.documents.push(Given { location, file: shown(path), bytes, whence });
        Ok(())
    }

    /// Reads the files that robots.txt refers to, as far as they are in this folder and not given.
    pub fn add_references_in(&mut self, folder: &Path, files: &mut Files) -> Result<(), Failure> {
        let Some((_, robots_txt)) = &self.robots_txt else { return Ok(()) };
        for (location, path) in references_in(folder, robots_txt) {
            if !self.documents.iter().any(|known| is_same_place(&known.location, &location)) {
                self.read_document(location, &path, Whence::Folder, files)?;
            }
        }
        Ok(())
    }

    /// Tells of documents that are given and not read. Of those that a folder has, only a licence can be one.
    pub fn warn_of_unread(&self, reading: Reading) {
        if self.documents.is_empty() {
            return;
        }
        let evidence = self.evidence(reading);
        let reads_documents = byleave::well_known_documents().any(|(location, _)| evidence.reads(location));
        for unread in self.documents.iter().filter(|given| !evidence.reads(&given.location)) {
            let location = escaped(&unread.location);
            let is_licence = || {
                let robots_txt = self.robots_txt.as_ref().map_or(&[][..], |(_, bytes)| bytes);
                licences_named(robots_txt).iter().any(|named| is_same_place(named, &unread.location))
            };
            if !reads_documents {
                if unread.whence == Whence::Named {
                    let name = reading.name();
                    warn(&format!("reading {name} reads no documents beside robots.txt, so `{location}` is not read"));
                }
            } else if is_licence() {
                warn(&format!("`{location}` is named as a licence, and is no RSL that can be read"));
            } else {
                warn(&format!(
                    "nothing refers to `{location}`, and no dialect has a document there, so it is not read"
                ));
            }
        }
    }

    /// Tells of documents that are read, but not as what they should be.
    pub fn warn_of_broken(&self, reading: Reading) {
        warn_of_broken(reading, self.documents.iter().map(|given| (&*given.location, &*given.file, &*given.bytes)));
    }

    /// The same site with a page and its response.
    pub fn with_response(self, response: ResponseFiles) -> Self {
        Self { response, ..self }
    }

    /// It all as evidence, in a reading.
    pub fn evidence(&self, reading: Reading) -> Evidence<'_> {
        let mut evidence = Evidence::new(reading);
        let obtained = self.obtained.or(self.robots_txt.is_some().then_some(Obtained::Status(200)));
        if let Some(obtained) = obtained {
            let bytes = self.robots_txt.as_ref().map_or(&[][..], |(_, bytes)| bytes);
            evidence = evidence.with_robots_txt(obtained, bytes);
        }
        let documents = self.documents.iter().map(|given| Document::new(&given.location, &given.bytes));
        let evidence = documents.fold(evidence, Evidence::with_document);
        self.response.add_to(evidence)
    }

    /// Where its documents were read from, as the caller wrote it.
    pub fn names(&self) -> Names {
        let ResponseFiles { page, dom, headers, .. } = &self.response;
        let name = |file: &Option<(String, Vec<u8>)>| file.as_ref().map(|(name, _)| name.clone());
        let robots_txt = (ROBOTS_TXT, name(&self.robots_txt));
        let headers = headers.as_ref().map(|(name, _)| name.clone());
        let names = [robots_txt, (PAGE, name(page)), (DOM, name(dom)), (HEADERS, headers)];
        let documents = self.documents.iter().map(|given| (given.location.as_str(), given.file.clone()));
        Names::new(names.into_iter().filter_map(|(document, name)| Some((document, name?))).chain(documents))
    }
}

impl ResponseFiles {
    /// Reads what the options name; `page_remedy` says what to do where the page cannot be read.
    pub fn read(given: FromResponse, page_remedy: &str, files: &mut Files) -> Result<Self, Failure> {
        let BesidePage { dom, header, content_type, fetched } = given.beside;
        let mut read = Self { content_type, fetched, ..Self::default() };
        let mut headers = Headers::new();
        let mut name = HEADERS.to_owned();
        if let Some(path) = &given.page {
            let bytes = files.read(path, page_remedy)?;
            // No page begins so, and what its headers say is not to be lost.
            if is_saved_response(&bytes) {
                (name, headers) = read.take_saved(path, bytes)?;
            } else {
                read.page = Some((shown(path), bytes));
            }
        }
        if let Some(path) = &dom {
            read.dom = Some((shown(path), files.read(path, "--dom takes an HTML file")?));
        }
        if let Some(path) = &given.response {
            let bytes = files.read(path, "--response takes a file with headers, a blank line and the page")?;
            (name, headers) = read.take_saved(path, bytes)?;
        }
        headers = header.iter().fold(headers, |headers, (name, value)| headers.with(name, value));
        if !headers.is_empty() {
            read.headers = Some((name, headers));
        }
        Ok(read)
    }

    /// Takes a saved response apart: the page is kept; the headers are given, with a name.
    fn take_saved(&mut self, path: &Path, mut bytes: Vec<u8>) -> Result<(String, Headers), Failure> {
        let response = Headers::read(&bytes);
        let begins_with_field = response.headers.lines().next().is_some_and(|line| line.line == 0);
        if response.status.is_none() && !begins_with_field {
            let remedy = "save one with `curl -i URL`, or give the page with `--page`";
            return Err(Failure::new(format!("`{}` does not begin with headers; {remedy}", shown(path))));
        }
        let joined = saved::joined(path, &bytes, &response)?;
        let body = joined.unwrap_or_else(|| bytes.split_off(response.body));
        self.page = Some((shown(path), body));
        Ok((format!("{} (headers)", shown(path)), response.headers))
    }

    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        self.page.is_none() && self.dom.is_none() && self.headers.is_none() && self.content_type.is_none()
    }

    fn add_to<'e>(&'e self, mut evidence: Evidence<'e>) -> Evidence<'e> {
        if let Some(fetched) = self.fetched {
            evidence = evidence.fetched_at(fetched);
        }
        if let Some(content_type) = &self.content_type {
            evidence = evidence.with_content_type(content_type);
        }
        if let Some((_, headers)) = &self.headers {
            evidence = evidence.with_headers(headers.clone());
        }
        if let Some((_, page)) = &self.page {
            evidence = evidence.with_page(page);
        }
        match &self.dom {
            Some((_, dom)) => evidence.with_dom(dom),
            None => evidence,
        }
    }

    /// The same for cases that have none of their own.
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

/// Tells of each of these documents of a site, by location, name and bytes, that is not what it should be.
pub fn warn_of_broken<'d>(reading: Reading, documents: impl Iterator<Item = (&'d str, &'d str, &'d [u8])>) {
    for (location, name, bytes) in documents {
        let evidence = Evidence::new(reading).with_document(Document::new(location, bytes));
        let broken = evidence.diagnostics().iter().find(|noticed| noticed.code == Code::BadDocument);
        if let Some(broken) = broken {
            let line = Position::of(bytes, broken.span.start).line;
            warn(&format!("`{name}` line {line}: {}", escaped(&broken.message)));
        }
    }
}

/// Whether two locations are one as far as is known: a path may be one of any site.
pub fn is_same_place(one: &str, other: &str) -> bool {
    let (own, theirs) = (byleave::origin(one), byleave::origin(other));
    path_of(one) == path_of(other) && (own == theirs || own.is_none() || theirs.is_none())
}

/// The path of a location, without its first slash.
fn path_of(location: &str) -> &str {
    let origin = byleave::origin(location).map_or(0, str::len);
    location.get(origin..).unwrap_or_default().trim_start_matches('/')
}

/// Opens files, and standard input once.
#[derive(Default)]
pub struct Files {
    is_stdin_taken: bool,
}

impl Files {
    /// The bytes of a file, or of standard input for `-`. `remedy` says what to do where that fails.
    pub fn read(&mut self, path: &Path, remedy: &str) -> Result<Vec<u8>, Failure> {
        if path.as_os_str() != "-" {
            return read_file(path, remedy);
        }
        if std::mem::replace(&mut self.is_stdin_taken, true) {
            return Err(Failure::new("`-` is given twice, but standard input can be read only once; give a file"));
        }
        read_all(io::stdin().lock(), path, remedy)
    }

    /// The same as text.
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

/// The bytes of a file, whatever it is called.
pub fn read_file(path: &Path, remedy: &str) -> Result<Vec<u8>, Failure> {
    read_all(File::open(path).map_err(|error| unreadable(path, &error, remedy))?, path, remedy)
}

fn read_all(from: impl Read, path: &Path, remedy: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let length = from.take(MOST + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error, remedy))?;
    if length as u64 > MOST {
        return Err(Failure::new(format!("`{}` is longer than {} MiB; give a shorter file", shown(path), MOST >> 20)));
    }
    Ok(bytes)
}

/// Far beyond any robots.txt, and short of what an endless device would fill.
const MOST: u64 = 256 << 20;

/// A path as it may be shown.
pub fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { escaped(&path.to_string_lossy()).into_owned() }
}

/// The robots.txt that a file or folder stands for.
pub fn robots_txt_of(site: &Path) -> Result<PathBuf, Failure> {
    let name = shown(site);
    if name.starts_with("http://") || name.starts_with("https://") {
        let remedy = "save its robots.txt and give that file";
        return Err(Failure::new(format!("`{name}` is a live site, and this version reads only files; {remedy}")));
    }
    if !site.is_dir() {
        return Ok(site.to_owned());
    }
    let path = site.join("robots.txt");
    if path.exists() {
        return Ok(path);
    }
    Err(Failure::new(format!("folder `{name}` holds no `robots.txt`; give a folder that does, or `none`")))
}

/// Why a path cannot be read.
pub fn unreadable(path: &Path, error: &io::Error, remedy: &str) -> Failure {
    Failure::new(format!("cannot read `{}`: {}; {remedy}", shown(path), reason(error)))
}

/// Why a path cannot be written.
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
