//! The sources for `byleave lint`, `fmt`, `diff` and `compare`: single files, and folders as sites. Other commands use
//! this module to find a site's documents and the files that its robots.txt refers to.
//!
//! A folder that contains robots.txt is the root of a site. A page's path on the site is its path in that folder, and
//! files that robots.txt refers to are looked up there. A single file is a site of its own.

use crate::site::{FileReader, robots_txt_of, shown, unreadable, warn_malformed};
use crate::{Failure, stored_response, warn};
use byleave::analysis::vocabulary::Field;
use byleave::analysis::{RobotsTxt, StoredResponse};
use byleave::{Crawler, Document, Policy, ProposedUse, Reading, Site, Usage};
use byleave_lint::{LintInput, ResponseInput};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The files of one site to lint or format, not yet interpreted.
#[derive(Default)]
pub struct SourceFiles {
    robots_txt: Option<RobotsTxtFile>,
    /// The location, name and bytes of each file that robots.txt refers to.
    references: Vec<(String, String, Vec<u8>)>,
    pages: Vec<PageFile>,
}

/// A robots.txt file.
pub struct RobotsTxtFile {
    /// The path of the file; `-` for standard input.
    pub path: PathBuf,
    /// The path as escaped text.
    pub name: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

/// A page, or a stored response.
struct PageFile {
    name: String,
    /// The page's path on the site, if the page was found in a folder.
    path: Option<String>,
    bytes: Vec<u8>,
    kind: FileKind,
}

/// The kind of document that a file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    RobotsTxt,
    Page,
    Response,
    /// A document of an AI-preference dialect: tdmrep.json, ai.txt, trust.txt, or a licence.
    Document,
}

/// A robots.txt, with the files in its folder that it refers to.
pub struct RobotsTxtWithReferences {
    /// The path of robots.txt as escaped text.
    pub name: String,
    bytes: Vec<u8>,
    /// The location, name and bytes of each file.
    references: Vec<(String, String, Vec<u8>)>,
    /// Whether the source is a folder. Only then are other files looked up.
    is_folder: bool,
}

impl RobotsTxtWithReferences {
    /// Reads a file, `-`, or a folder that contains robots.txt. Other files are looked up only in a folder.
    pub fn read(source: &Path, files: &mut FileReader) -> Result<Self, Failure> {
        let remedy = "give a robots.txt file, a folder that contains one, or `-`";
        let path = robots_txt_of(source)?;
        let bytes = files.read(&path, remedy)?;
        let root = if source.is_dir() { Some(source) } else { None };
        let mut site = SourceFiles {
            robots_txt: Some(RobotsTxtFile { path: path.clone(), name: shown(&path), bytes }),
            ..SourceFiles::default()
        };
        if let Some(root) = root {
            site.add_references(root, files)?;
        }
        let references = site.references;
        let bytes = site.robots_txt.map(|file| file.bytes).unwrap_or_default();
        Ok(Self { name: shown(&path), bytes, references, is_folder: root.is_some() })
    }

    /// Warns about documents that only this side of a comparison has, because the other side is not a folder.
    pub fn warn_one_sided(&self, other: &Self, site: &Site<'_>) {
        if other.is_folder {
            return;
        }
        let read = self.references.iter().filter(|(location, ..)| site.reads(location));
        let names: Vec<String> = read.map(|(_, name, _)| format!("`{name}`")).collect();
        if !names.is_empty() {
            let remedy = "compare a folder with a folder, or a file with a file";
            let are = if names.len() == 1 { "is" } else { "are" };
            warn(&format!(
                "{} {are} read on one side only, because `{}` is not a folder; {remedy}",
                names.join(", "),
                other.name
            ));
        }
    }

    /// Warns about malformed documents.
    pub fn warn_malformed(&self, reading: Reading) {
        let documents = self.references.iter().map(|(location, name, bytes)| (&**location, &**name, &**bytes));
        warn_malformed(reading, documents);
    }

    /// Returns the site as the engine sees it in the given reading.
    pub fn site(&self, reading: Reading) -> Site<'_> {
        let site = Site::builder(reading).with_robots_txt(byleave::Obtained::Status(200), &self.bytes);
        let references = self.references.iter();
        references.fold(site, |site, (location, _, bytes)| site.with_document(Document::new(location, bytes))).build()
    }
}

impl SourceFiles {
    /// Returns the sites in a source: one for a file, and one per robots.txt for a folder. Each page without a
    /// robots.txt in a parent folder is a site of its own. In a folder, paths that `is_excluded` accepts are skipped.
    pub fn read(
        source: &Path,
        is_excluded: &dyn Fn(&Path) -> bool,
        files: &mut FileReader,
    ) -> Result<Vec<Self>, Failure> {
        if !source.is_dir() {
            let bytes = files.read(source, REMEDY)?;
            return Ok(vec![Self::of_file(source, bytes)?]);
        }
        let mut sites = Vec::new();
        let mut folders = vec![(source.to_owned(), source.to_owned(), None)];
        while let Some((folder, root, site)) = folders.pop() {
            let robots_txt = folder.join("robots.txt");
            let (root, site) = if robots_txt.is_file() && !is_excluded(&robots_txt) {
                let mut read = Self::of_file(&robots_txt, files.read(&robots_txt, REMEDY)?)?;
                read.add_references(&folder, files)?;
                sites.push(read);
                (folder.clone(), Some(sites.len() - 1))
            } else {
                (root, site)
            };
            let mut below = Vec::new();
            for path in sorted(&folder)? {
                if is_excluded(&path) {
                    continue;
                }
                if path.is_dir() {
                    if is_skipped(&path) {
                        continue;
                    }
                    below.push((path, root.clone(), site));
                } else if let Some(kind) = kind_of_name(&path).filter(|kind| *kind != FileKind::RobotsTxt) {
                    let path_there = path.strip_prefix(&root).ok().map(|there| format!("/{}", there.to_string_lossy()));
                    let page = PageFile::read(&path, path_there, files.read(&path, REMEDY)?, kind)?;
                    match site.and_then(|site: usize| sites.get_mut(site)) {
                        Some(site) => site.pages.push(page),
                        None => sites.push(Self { pages: vec![page], ..Self::default() }),
                    }
                }
            }
            // Reversed, because `pop` takes the last folder first.
            folders.extend(below.into_iter().rev());
        }
        if sites.is_empty() {
            return Err(Failure::new(format!("folder `{}` contains no files to check; {REMEDY}", shown(source))));
        }
        Ok(sites)
    }

    fn of_file(path: &Path, bytes: Vec<u8>) -> Result<Self, Failure> {
        Ok(match kind_of(path, &bytes) {
            FileKind::RobotsTxt => {
                let file = RobotsTxtFile { path: path.to_owned(), name: shown(path), bytes };
                Self { robots_txt: Some(file), ..Self::default() }
            }
            FileKind::Document => {
                let location = location_of_name(path).unwrap_or_else(|| format!("/{}", file_name(path)));
                Self { references: vec![(location, shown(path), bytes)], ..Self::default() }
            }
            kind @ (FileKind::Page | FileKind::Response) => {
                Self { pages: vec![PageFile::read(path, None, bytes, kind)?], ..Self::default() }
            }
        })
    }

    /// Reads the files that robots.txt refers to and that exist.
    fn add_references(&mut self, root: &Path, files: &mut FileReader) -> Result<(), Failure> {
        let Some(RobotsTxtFile { bytes, .. }) = &self.robots_txt else { return Ok(()) };
        for (location, path) in references_in(root, bytes) {
            self.references.push((location, shown(&path), files.read(&path, REMEDY)?));
        }
        Ok(())
    }

    /// Returns the robots.txt file, if there is one.
    pub fn robots_txt(&self) -> Option<&RobotsTxtFile> {
        self.robots_txt.as_ref()
    }

    /// Returns a mutable reference to the robots.txt file, if there is one.
    pub fn robots_txt_mut(&mut self) -> Option<&mut RobotsTxtFile> {
        self.robots_txt.as_mut()
    }

    /// Returns the site as the linter's input.
    pub fn site(&self) -> LintInput<'_> {
        let mut site = LintInput::new();
        if let Some(RobotsTxtFile { name, bytes, .. }) = &self.robots_txt {
            site = site.with_robots_txt(name, bytes);
        }
        for (location, name, bytes) in &self.references {
            site = site.with_reference(location, name, bytes);
        }
        self.pages.iter().fold(site, |site, page| site.with_response(page.response()))
    }
}

impl RobotsTxtFile {
    /// Returns whether the file was read from standard input.
    pub fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// Replaces the content of the file.
    pub fn write(&mut self, bytes: Vec<u8>) -> Result<(), Failure> {
        std::fs::write(&self.path, &bytes).map_err(|error| {
            let reason = match error.kind() {
                std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
                _ => error.to_string(),
            };
            Failure::new(format!("cannot write `{}`: {reason}; `--diff` shows what would change", self.name))
        })?;
        self.bytes = bytes;
        Ok(())
    }
}

impl PageFile {
    fn read(file: &Path, path: Option<String>, bytes: Vec<u8>, kind: FileKind) -> Result<Self, Failure> {
        match kind {
            FileKind::Response => stored_response::check_complete(file, &StoredResponse::parse(&bytes))?,
            FileKind::Page | FileKind::RobotsTxt | FileKind::Document => {}
        }
        Ok(Self { name: shown(file), path, bytes, kind })
    }

    fn response(&self) -> ResponseInput<'_> {
        let response = match self.kind {
            FileKind::Response => ResponseInput::stored(&self.name, &self.bytes),
            FileKind::Page | FileKind::RobotsTxt | FileKind::Document => {
                ResponseInput::new().with_page(&self.name, &self.bytes)
            }
        };
        match &self.path {
            Some(path) => response.at(path),
            None => response,
        }
    }
}

/// Returns the location and path of each file that robots.txt refers to and that exists in its folder, and of each
/// document from [`documents_in`].
pub fn references_in(root: &Path, robots_txt: &[u8]) -> Vec<(String, PathBuf)> {
    let mut found = files_at(root, referred_to(robots_txt));
    for document in documents_in(root, robots_txt) {
        if !found.contains(&document) {
            found.push(document);
        }
    }
    found
}

/// Returns the location and path of documents in a folder: documents that have the same location on every site, such as
/// `/ai.txt`, and the licences that robots.txt names (S-45).
pub fn documents_in(root: &Path, robots_txt: &[u8]) -> Vec<(String, PathBuf)> {
    let mut locations: Vec<String> =
        byleave::analysis::well_known_documents().map(|(path, _)| path.to_owned()).collect();
    for location in licences_named(robots_txt) {
        if !locations.contains(&location) {
            locations.push(location);
        }
    }
    files_at(root, locations)
}

/// Returns the locations that exist as files in a folder, with their file paths. Of a URL, only its path is looked up.
/// Files outside the folder are never returned.
fn files_at(root: &Path, locations: impl IntoIterator<Item = String>) -> Vec<(String, PathBuf)> {
    let found = |location: String| {
        let path = location.get(byleave::analysis::origin(&location).map_or(0, str::len)..)?.strip_prefix('/')?;
        let path = Path::new(path.split(['?', '#']).next()?);
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        let path = root.join(path);
        (is_inside && path.is_file()).then_some((location, path))
    };
    locations.into_iter().filter_map(found).collect()
}

/// Returns the locations of the licences that a robots.txt names, as URLs or as paths on the site.
pub fn licences_named(robots_txt: &[u8]) -> BTreeSet<String> {
    let policy = Policy::parse(robots_txt);
    let facts = policy.facts().into_iter().filter(|fact| fact.field == Field::License);
    let values = facts.filter_map(|fact| std::str::from_utf8(fact.value).ok());
    let is_rooted = |value: &str| value.starts_with('/') || byleave::analysis::origin(value).is_some();
    values.map(|value| if is_rooted(value) { value.to_owned() } else { format!("/{value}") }).collect()
}

/// Returns the locations that the groups in a robots.txt refer to.
fn referred_to(robots_txt: &[u8]) -> BTreeSet<String> {
    let site = Site::of_robots_txt(robots_txt, Reading::Default);
    let RobotsTxt::Read(policy) = site.robots_txt() else { return BTreeSet::new() };
    let mut locations = BTreeSet::new();
    for name in policy.crawlers_named() {
        let crawler = Crawler::named(&String::from_utf8_lossy(name));
        let explanation =
            byleave::analysis::explain_unchecked(&site, &ProposedUse::new("/", &crawler, &Usage::OtherUsage));
        locations.extend(explanation.needs);
    }
    locations
}

fn kind_of_name(path: &Path) -> Option<FileKind> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "html" | "htm" | "xhtml" => Some(FileKind::Page),
        "http" | "headers" => Some(FileKind::Response),
        "txt" => Some(FileKind::RobotsTxt),
        _ => None,
    }
}

/// Returns the kind of a file. The name decides, or else the beginning of the file. A file that begins with a status
/// line is a stored response even if its name ends in `.txt`.
fn kind_of(path: &Path, bytes: &[u8]) -> FileKind {
    match (kind_of_name(path), kind_of_bytes(bytes)) {
        (Some(FileKind::RobotsTxt) | None, FileKind::Response) => FileKind::Response,
        (Some(FileKind::RobotsTxt) | None, _) if location_of_name(path).is_some() => FileKind::Document,
        (None, FileKind::Page) if is_licence(bytes) => FileKind::Document,
        (by_name, by_bytes) => by_name.unwrap_or(by_bytes),
    }
}

/// Returns the location that a document with this file name has on every site, such as `/.well-known/tdmrep.json` for
/// `tdmrep.json` (S-50). Returns `None` for any other name.
fn location_of_name(path: &Path) -> Option<String> {
    let name = file_name(path);
    let of_name = |(location, _): &(&str, _)| location.rsplit('/').next() == Some(name.as_str());
    byleave::analysis::well_known_documents().find(of_name).map(|(location, _)| location.to_owned())
}

/// Returns whether a file that begins with a tag is an RSL licence, well-formed or not (S-45).
fn is_licence(bytes: &[u8]) -> bool {
    const ANYWHERE: &str = "/licence";
    Site::builder(Reading::Default).with_document(Document::new(ANYWHERE, bytes)).build().reads(ANYWHERE)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn kind_of_bytes(bytes: &[u8]) -> FileKind {
    if StoredResponse::begins_with_http(bytes) {
        FileKind::Response
    } else if bytes.trim_ascii_start().starts_with(b"<") {
        FileKind::Page
    } else {
        FileKind::RobotsTxt
    }
}

/// Returns whether a folder is skipped because it is hidden or a link. Links can form a cycle.
fn is_skipped(folder: &Path) -> bool {
    let name = file_name(folder);
    folder.is_symlink() || (name.starts_with('.') && name != ".well-known")
}

/// Returns the paths in a folder, sorted by name.
fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| unreadable(folder, &error, REMEDY);
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    paths.sort();
    Ok(paths)
}

const REMEDY: &str = "give a robots.txt file, a page, a stored response, or a folder that contains such files";
