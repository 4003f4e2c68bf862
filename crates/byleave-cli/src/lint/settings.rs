//! The lint settings for a repository: `[lint]` in the nearest `byleave.toml`, combined with the command line.
//!
//! ```toml
//! [lint]
//! select = ["reach", "divergence"]
//! ignore = ["D003"]
//! fail-on = "warning"
//! exclude = ["drafts"]
//!
//! [lint.per-file-ignores]
//! "legacy/robots.txt" = ["R005"]
//! ```
//!
//! Paths are relative to the folder that contains the file. `--select` and `--fail-on` replace the settings in the
//! file. `--ignore` adds to the rules that the file ignores.

use crate::Failure;
use crate::arguments::{FailOn, Lint};
use crate::output::escaped;
use crate::site::{FileReader, shown};
use byleave_lint::Selection;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The settings for one run.
#[derive(Debug, Default)]
pub struct Settings {
    select: Vec<String>,
    ignore: Vec<String>,
    /// The lowest severity of a finding that leads to exit code 1.
    pub fail_on: FailOn,
    exclude: Vec<PathBuf>,
    per_file: Vec<(PathBuf, Vec<String>)>,
    /// The settings file; `None` if all settings come from the command line.
    file: Option<String>,
}

impl Settings {
    /// Reads the given settings file, or the nearest one, and applies the command-line options.
    pub fn read(asked: &Lint, files: &mut FileReader) -> Result<Self, Failure> {
        let path = match &asked.config {
            Some(path) => Some(path.clone()),
            None if asked.no_config => None,
            None => nearest(),
        };
        let mut settings = match path {
            Some(path) => {
                let text = files.read_text(&path, "`--config` takes a settings file in TOML")?;
                Self::of_file(&path, &text)?
            }
            None => Self::default(),
        };
        let words = |words: &[String]| words.iter().map(|word| word.trim().to_owned()).collect::<Vec<_>>();
        if !asked.select.is_empty() {
            settings.select = words(&asked.select);
        }
        settings.ignore.extend(words(&asked.ignore));
        settings.fail_on = asked.fail_on.unwrap_or(settings.fail_on);
        Ok(settings)
    }

    fn of_file(path: &Path, text: &str) -> Result<Self, Failure> {
        let name = shown(path);
        let wrong = |what: String| Failure::new(format!("settings in `{name}`: {}; {REMEDY}", escaped(&what)));
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = text.get(..start).unwrap_or_default().matches('\n').count() + 1;
            wrong(format!("line {line}: {}", error.message().lines().next().unwrap_or("not TOML")))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut settings = Self { file: Some(name.clone()), ..Self::default() };
        for (section, value) in &table {
            let Some(lint) = value.as_table().filter(|_| section == "lint") else {
                return Err(wrong(format!("unknown section `{section}`; the only section is `[lint]`")));
            };
            for (key, value) in lint {
                match key.as_str() {
                    "select" => settings.select = words(key, value).map_err(wrong)?,
                    "ignore" => settings.ignore = words(key, value).map_err(wrong)?,
                    "fail-on" => settings.fail_on = severity(value).map_err(wrong)?,
                    "exclude" => {
                        let paths = words(key, value).map_err(wrong)?;
                        settings.exclude = paths.iter().map(|path| normalized(&folder.join(path))).collect();
                    }
                    "per-file-ignores" => {
                        let Some(table) = value.as_table() else {
                            return Err(wrong(format!("`{key}` must be a table")));
                        };
                        for (path, rules) in table {
                            let rules = words(path, rules).map_err(wrong)?;
                            let known = Selection::new([], rules.iter().map(String::as_str));
                            known.map_err(|unknown| wrong(unknown.to_string()))?;
                            settings.per_file.push((normalized(&folder.join(path)), rules));
                        }
                    }
                    _ => {
                        let known = "select, ignore, fail-on, exclude and per-file-ignores";
                        return Err(wrong(format!("unknown setting `{key}`; known settings are {known}")));
                    }
                }
            }
        }
        Ok(settings)
    }

    /// Returns the rules that are selected for a file.
    pub fn selection(&self, path: Option<&Path>) -> Result<Selection, Failure> {
        let path = path.map(normalized);
        let is_here = |(known, _): &&(PathBuf, Vec<String>)| path.as_ref().is_some_and(|path| path.starts_with(known));
        let more = self.per_file.iter().filter(is_here).flat_map(|(_, rules)| rules);
        let ignore = self.ignore.iter().chain(more).map(String::as_str);
        Selection::new(self.select.iter().map(String::as_str), ignore).map_err(|unknown| {
            let place =
                self.file.as_ref().map(|file| format!(" (from the command line or `{file}`)")).unwrap_or_default();
            Failure::new(format!("{}{place}; `byleave lint --list` lists the rules", escaped(&unknown.to_string())))
        })
    }

    /// Returns whether the settings ignore rules for individual files.
    pub fn has_per_file_ignores(&self) -> bool {
        !self.per_file.is_empty()
    }

    /// Returns whether the settings exclude this path.
    pub fn excludes(&self, path: &Path) -> bool {
        let path = normalized(path);
        self.exclude.iter().any(|excluded| path.starts_with(excluded))
    }
}

const REMEDY: &str = "see `byleave lint --help`";

/// Returns the nearest settings file, in this folder or a parent folder.
fn nearest() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join("byleave.toml")).find(|path| path.is_file())
}

/// Returns an absolute path without `.` and `..`. Links are not resolved.
fn normalized(path: &Path) -> PathBuf {
    use std::path::Component;
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut normalized = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => {
                normalized.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => normalized.push(part),
        }
    }
    normalized
}

fn words(key: &str, value: &Value) -> Result<Vec<String>, String> {
    let list = value.as_array().and_then(|list| list.iter().map(|word| word.as_str().map(str::to_owned)).collect());
    list.ok_or_else(|| format!("`{key}` must be a list of strings, such as `[\"R005\", \"advice\"]`"))
}

fn severity(value: &Value) -> Result<FailOn, String> {
    let known = value.as_str().and_then(|word| FailOn::from_str(word, false).ok());
    known.ok_or_else(|| "`fail-on` must be advice, warning, error or never".to_owned())
}
