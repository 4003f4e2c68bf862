//! What `byleave lint`, `fmt`, `diff` and `compare` look at: files by what they are, and folders as sites with all that
//! is in them. Other commands take from here the files that a robots.txt refers to and the documents of a site.
//!
//! A folder that holds robots.txt is the root of a site: a page below it is at the path that it has there, and a
//! file that robots.txt refers to is looked for there. A file alone is a site of its own.

use crate::site::{Files, robots_txt_of, shown, unreadable, warn_of_broken};
use crate::{Failure, saved, warn};
use byleave::vocabulary::Field;
use byleave::{Crawler, Document, Evidence, Headers, Policy, ProposedUse, Reading, RobotsTxt, Usage};
use byleave_lint::{LintInput, ResponseInput};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The files of one site, read and not yet interpreted.
#[derive(Default)]
pub struct SiteFiles {
    robots_txt: Option<RobotsTxtFile>,
    /// Location, name and bytes of files that robots.txt refers to.
    references: Vec<(String, String, Vec<u8>)>,
    pages: Vec<Page>,
}

/// A robots.txt, and where it was read from.
pub struct RobotsTxtFile {
    /// Its path; `-` for standard input.
    pub path: PathBuf,
    /// The path as it may be shown.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// A page, or a response with its headers.
struct Page {
    name: String,
    /// Its path on the site, where the folder tells.
    path: Option<String>,
    bytes: Vec<u8>,
    kind: Kind,
    /// What its body comes to, where that is in chunks.
    joined: Option<Vec<u8>>,
}

/// What a file is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    RobotsTxt,
    Page,
    Response,
    /// Of one of today's dialects: tdmrep.json, ai.txt, trust.txt, or a licence.
    Document,
}

/// A robots.txt with the files that it refers to, as far as they are in its folder.
pub struct RobotsTxtWithReferences {
    /// The robots.txt as it may be shown.
    pub name: String,
    bytes: Vec<u8>,
    /// Location, name and bytes.
    references: Vec<(String, String, Vec<u8>)>,
    /// Whether other files than robots.txt were looked for.
    is_folder: bool,
}

impl RobotsTxtWithReferences {
    /// Reads a file, `-`, or a folder that holds robots.txt; only in a folder other files are looked for.
    pub fn read(source: &Path, files: &mut Files) -> Result<Self, Failure> {
        let remedy = "give a robots.txt file, a folder that holds one, or `-`";
        let path = robots_txt_of(source)?;
        let bytes = files.read(&path, remedy)?;
        let root = if source.is_dir() { Some(source) } else { None };
        let mut site = SiteFiles {
            robots_txt: Some(RobotsTxtFile { path: path.clone(), name: shown(&path), bytes }),
            ..SiteFiles::default()
        };
        if let Some(root) = root {
            site.add_references(root, files)?;
        }
        let references = site.references;
        let bytes = site.robots_txt.map(|file| file.bytes).unwrap_or_default();
        Ok(Self { name: shown(&path), bytes, references, is_folder: root.is_some() })
    }

    /// Tells of documents that are read for this side alone, where the other could not have any.
    pub fn warn_beside(&self, other: &Self, evidence: &Evidence<'_>) {
        if other.is_folder {
            return;
        }
        let read = self.references.iter().filter(|(location, ..)| evidence.reads(location));
        let names: Vec<String> = read.map(|(_, name, _)| format!("`{name}`")).collect();
        if !names.is_empty() {
            let remedy = "compare a folder with a folder, or a file with a file";
            let count = if names.len() == 1 { "counts" } else { "count" };
            warn(&format!(
                "{} {count} on one side only, for `{}` is no folder; {remedy}",
                names.join(", "),
                other.name
            ));
        }
    }

    /// Tells of documents that are not what they should be.
    pub fn warn_of_broken(&self, reading: Reading) {
        let documents = self.references.iter().map(|(location, name, bytes)| (&**location, &**name, &**bytes));
        warn_of_broken(reading, documents);
    }

    /// It all as evidence, in a reading.
    pub fn evidence(&self, reading: Reading) -> Evidence<'_> {
        let evidence = Evidence::of_robots_txt(&self.bytes, reading);
        let references = self.references.iter();
        references
            .fold(evidence, |evidence, (location, _, bytes)| evidence.with_document(Document::new(location, bytes)))
    }
}

impl SiteFiles {
    /// The sites that a source stands for: one for a file, for a folder one for each robots.txt below it.
    /// Below a folder, what `is_excluded` is passed over.
    pub fn read(source: &Path, is_excluded: &dyn Fn(&Path) -> bool, files: &mut Files) -> Result<Vec<Self>, Failure> {
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
                    if is_left_out(&path) {
                        continue;
                    }
                    below.push((path, root.clone(), site));
                } else if let Some(kind) = kind_of_name(&path).filter(|kind| *kind != Kind::RobotsTxt) {
                    let path_there = path.strip_prefix(&root).ok().map(|there| format!("/{}", there.to_string_lossy()));
                    let page = Page::read(&path, path_there, files.read(&path, REMEDY)?, kind)?;
                    match site.and_then(|site: usize| sites.get_mut(site)) {
                        Some(site) => site.pages.push(page),
                        None => sites.push(Self { pages: vec![page], ..Self::default() }),
                    }
                }
            }
            // The last of these comes first.
            folders.extend(below.into_iter().rev());
        }
        if sites.is_empty() {
            return Err(Failure::new(format!("folder `{}` holds nothing to look at; {REMEDY}", shown(source))));
        }
        Ok(sites)
    }

    fn of_file(path: &Path, bytes: Vec<u8>) -> Result<Self, Failure> {
        Ok(match kind_of(path, &bytes) {
            Kind::RobotsTxt => {
                let file = RobotsTxtFile { path: path.to_owned(), name: shown(path), bytes };
                Self { robots_txt: Some(file), ..Self::default() }
            }
            Kind::Document => {
                let location = location_of_name(path).unwrap_or_else(|| format!("/{}", file_name(path)));
                Self { references: vec![(location, shown(path), bytes)], ..Self::default() }
            }
            kind @ (Kind::Page | Kind::Response) => {
                Self { pages: vec![Page::read(path, None, bytes, kind)?], ..Self::default() }
            }
        })
    }

    /// Reads the files that robots.txt refers to, as far as they are there.
    fn add_references(&mut self, root: &Path, files: &mut Files) -> Result<(), Failure> {
        let Some(RobotsTxtFile { bytes, .. }) = &self.robots_txt else { return Ok(()) };
        for (location, path) in references_in(root, bytes) {
            self.references.push((location, shown(&path), files.read(&path, REMEDY)?));
        }
        Ok(())
    }

    /// Its robots.txt, if it has one.
    pub fn robots_txt(&self) -> Option<&RobotsTxtFile> {
        self.robots_txt.as_ref()
    }

    /// The same, to be changed.
    pub fn robots_txt_mut(&mut self) -> Option<&mut RobotsTxtFile> {
        self.robots_txt.as_mut()
    }

    /// It all, to be linted.
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
    /// Whether it came from standard input.
    pub fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// Writes these bytes to where it was read from.
    pub fn write(&mut self, bytes: Vec<u8>) -> Result<(), Failure> {
        std::fs::write(&self.path, &bytes).map_err(|error| {
            let reason = match error.kind() {
                std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
                _ => error.to_string(),
            };
            Failure::new(format!("cannot write `{}`: {reason}; `--diff` shows what would be changed", self.name))
        })?;
        self.bytes = bytes;
        Ok(())
    }
}

impl Page {
    fn read(file: &Path, path: Option<String>, bytes: Vec<u8>, kind: Kind) -> Result<Self, Failure> {
        let joined = match kind {
            Kind::Response => saved::joined(file, &bytes, &Headers::read(&bytes))?,
            Kind::Page | Kind::RobotsTxt | Kind::Document => None,
        };
        Ok(Self { name: shown(file), path, bytes, kind, joined })
    }

    fn response(&self) -> ResponseInput<'_> {
        let response = match (self.kind, &self.joined) {
            (Kind::Response, Some(page)) => ResponseInput::stored(&self.name, &self.bytes).with_dechunked_page(page),
            (Kind::Response, None) => ResponseInput::stored(&self.name, &self.bytes),
            (Kind::Page | Kind::RobotsTxt | Kind::Document, _) => {
                ResponseInput::new().with_page(&self.name, &self.bytes)
            }
        };
        match &self.path {
            Some(path) => response.at(path),
            None => response,
        }
    }
}

/// The files in a folder that its robots.txt refers to, and all of [`documents_in`]: location and path.
pub fn references_in(root: &Path, robots_txt: &[u8]) -> Vec<(String, PathBuf)> {
    let mut found = files_at(root, referred_to(robots_txt));
    for document in documents_in(root, robots_txt) {
        if !found.contains(&document) {
            found.push(document);
        }
    }
    found
}

/// The documents in a folder that have their place at every site, and the licences that its robots.txt names (S-45):
/// location and path.
pub fn documents_in(root: &Path, robots_txt: &[u8]) -> Vec<(String, PathBuf)> {
    let mut locations: Vec<String> = byleave::well_known_documents().map(|(path, _)| path.to_owned()).collect();
    for location in licences_named(robots_txt) {
        if !locations.contains(&location) {
            locations.push(location);
        }
    }
    files_at(root, locations)
}

/// Those of these locations that are files in a folder. Of a URL the path counts, and nothing is looked for outside of
/// the folder.
fn files_at(root: &Path, locations: impl IntoIterator<Item = String>) -> Vec<(String, PathBuf)> {
    let found = |location: String| {
        let path = location.get(byleave::origin(&location).map_or(0, str::len)..)?.strip_prefix('/')?;
        let path = Path::new(path.split(['?', '#']).next()?);
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        let path = root.join(path);
        (is_inside && path.is_file()).then_some((location, path))
    };
    locations.into_iter().filter_map(found).collect()
}

/// The locations of the licences that a robots.txt names, as URLs or as paths of the site.
pub fn licences_named(robots_txt: &[u8]) -> BTreeSet<String> {
    let policy = Policy::read(robots_txt);
    let facts = policy.facts().into_iter().filter(|fact| fact.field == Field::License);
    let values = facts.filter_map(|fact| std::str::from_utf8(fact.value).ok());
    let is_rooted = |value: &str| value.starts_with('/') || byleave::origin(value).is_some();
    values.map(|value| if is_rooted(value) { value.to_owned() } else { format!("/{value}") }).collect()
}

/// The locations that some group of a robots.txt refers to.
fn referred_to(robots_txt: &[u8]) -> BTreeSet<String> {
    let evidence = Evidence::of_robots_txt(robots_txt, Reading::Default);
    let RobotsTxt::Read(policy) = evidence.robots_txt() else { return BTreeSet::new() };
    let mut locations = BTreeSet::new();
    for name in policy.crawlers_named() {
        let crawler = Crawler::named(&String::from_utf8_lossy(name));
        let explanation = byleave::explain(&evidence, &ProposedUse::new("/", &crawler, &Usage::OtherUsage));
        locations.extend(explanation.needs);
    }
    locations
}

fn kind_of_name(path: &Path) -> Option<Kind> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "html" | "htm" | "xhtml" => Some(Kind::Page),
        "http" | "headers" => Some(Kind::Response),
        "txt" => Some(Kind::RobotsTxt),
        _ => None,
    }
}

/// What a file is by its name, else by its beginning; the status line of a saved response is the beginning of no other.
fn kind_of(path: &Path, bytes: &[u8]) -> Kind {
    match (kind_of_name(path), kind_of_bytes(bytes)) {
        (Some(Kind::RobotsTxt) | None, Kind::Response) => Kind::Response,
        (Some(Kind::RobotsTxt) | None, _) if location_of_name(path).is_some() => Kind::Document,
        (None, Kind::Page) if is_licence(bytes) => Kind::Document,
        (by_name, by_bytes) => by_name.unwrap_or(by_bytes),
    }
}

/// Where a document has its place that is called so, if every site has one such (S-50).
fn location_of_name(path: &Path) -> Option<String> {
    let name = file_name(path);
    let of_name = |(location, _): &&(&str, _)| location.rsplit('/').next() == Some(name.as_str());
    byleave::well_known_documents().find(of_name).map(|(location, _)| location.to_owned())
}

/// Whether something that begins with a tag is a licence in RSL, well-formed or not (S-45).
fn is_licence(bytes: &[u8]) -> bool {
    const ANYWHERE: &str = "/licence";
    Evidence::new(Reading::Default).with_document(Document::new(ANYWHERE, bytes)).reads(ANYWHERE)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whether a file begins with a status line, whatever blanks or marks stand before it.
pub fn is_saved_response(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    bytes.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"))
}

fn kind_of_bytes(bytes: &[u8]) -> Kind {
    if is_saved_response(bytes) {
        Kind::Response
    } else if bytes.trim_ascii_start().starts_with(b"<") {
        Kind::Page
    } else {
        Kind::RobotsTxt
    }
}

/// Whether a folder is none of the site's: a hidden one, or a link, which may lead round in a circle.
fn is_left_out(folder: &Path) -> bool {
    let name = file_name(folder);
    folder.is_symlink() || (name.starts_with('.') && name != ".well-known")
}

/// What is in a folder, in the order of names.
fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| unreadable(folder, &error, REMEDY);
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    paths.sort();
    Ok(paths)
}

const REMEDY: &str = "give a robots.txt file, a page, a saved response, or a folder that holds some";
