//! Reading what is known of a site: SITE, further documents, lists, and standard input at most once.
//!
//! It opens files and says in one line why it cannot. What the bytes mean is the engine's.

use crate::Failure;
use crate::output::escaped;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use wayleave::{Document, Evidence, Obtained, Reading};

/// What is known of a site, read and not yet interpreted.
pub struct Site {
    /// The bytes of robots.txt and where they come from; nothing where none is known.
    robots_txt: Option<(String, Vec<u8>)>,
    obtained: Option<Obtained>,
    documents: Vec<(String, Vec<u8>)>,
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
        Ok(Self { robots_txt, obtained, documents: Vec::new() })
    }

    /// Reads a further document.
    pub fn add_document(&mut self, location: String, path: &Path, files: &mut Files) -> Result<(), Failure> {
        let bytes = files.read(path, "--document takes a location and a readable file")?;
        self.documents.push((location, bytes));
        Ok(())
    }

    /// It all as evidence, in a reading.
    pub fn evidence(&self, reading: Reading) -> Evidence<'_> {
        let mut evidence = Evidence::new(reading);
        let obtained = self.obtained.or(self.robots_txt.is_some().then_some(Obtained::Status(200)));
        if let Some(obtained) = obtained {
            let bytes = self.robots_txt.as_ref().map_or(&[][..], |(_, bytes)| bytes);
            evidence = evidence.with_robots_txt(obtained, bytes);
        }
        let documents = self.documents.iter();
        documents.fold(evidence, |evidence, (name, bytes)| evidence.with_document(Document::new(name, bytes)))
    }

    /// Where robots.txt was read from, as the caller wrote it.
    pub fn name(&self) -> &str {
        self.robots_txt.as_ref().map_or("robots.txt", |(name, _)| name)
    }
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

fn robots_txt_of(site: &Path) -> Result<PathBuf, Failure> {
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

fn unreadable(path: &Path, error: &io::Error, remedy: &str) -> Failure {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    };
    Failure::new(format!("cannot read `{}`: {reason}; {remedy}", shown(path)))
}
