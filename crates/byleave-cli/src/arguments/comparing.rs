//! The options of `byleave diff` and `byleave compare`.

use super::{Usages, name, usages};
use byleave::Reading;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `byleave diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// The old robots.txt: a file, a folder that holds one, or `-` for standard input
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The new one
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// How to read both: default, strict, rfc9309 or google
    #[arg(long, value_name = "READING", default_value = "default", hide_default_value = true)]
    pub reading: Reading,
    #[command(flatten)]
    pub about: About,
}

pub(super) const DIFF_HELP: &str = "\
Examples:
  byleave diff old/robots.txt new/robots.txt
  byleave diff examples/gazette examples/gazette/proposed.txt --crawler GPTBot
  git show HEAD~1:robots.txt | byleave diff - robots.txt --format markdown
  git difftool --no-prompt --extcmd 'byleave diff' HEAD~1 -- robots.txt

Compared are the decisions by robots.txt and the files that it refers to (which are read from a folder), not their text:
for every path, crawler, usage and purpose that either file speaks of. Pages and headers are not.
Exit: 0 nothing changed, 1 something changed, 2 could not answer.";

/// `byleave compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// A robots.txt file, a folder that holds one, or `-` for standard input
    #[arg(value_name = "SITE")]
    pub site: PathBuf,
    #[command(flatten)]
    pub about: About,
}

pub(super) const COMPARE_HELP: &str = "\
Examples:
  byleave compare examples/herald
  byleave compare examples/gazette --crawler Googlebot
  byleave compare robots.txt --format json

Each of the four readings (default, strict, rfc9309, google) is asked about every path, crawler and usage that robots.txt
speaks of. Paths are those of URLs in normal form; `/robots.txt` itself is left out.
Exit: 0 all readings are alike, 1 they differ somewhere, 2 could not answer.";

/// What is looked at, and how it is written.
#[derive(Debug, Args)]
pub struct About {
    /// Only this crawler; may be repeated
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub crawler: Vec<String>,
    /// Only these usages, several by comma, or `all`; `x:NAME` for a name of your own
    #[arg(long, value_name = "USAGE", value_parser = usages)]
    pub usage: Vec<Usages>,
    /// Show examples as URLs of this site, as `https://site.example`, not as paths
    #[arg(long, value_name = "ORIGIN", value_parser = origin, help_heading = "Output")]
    pub origin: Option<String>,
    /// `text`, `markdown` (for a comment on a pull request) or `json` (one object)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: ReviewFormat,
}

/// How changes and differences are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReviewFormat {
    /// For eyes
    Text,
    /// For a comment on a pull request
    Markdown,
    /// One object, for programs
    Json,
}

fn origin(text: &str) -> Result<String, String> {
    let origin = text.trim_end_matches('/');
    if byleave::origin(origin) == Some(origin) && byleave::is_resource(origin) {
        return Ok(origin.to_owned());
    }
    Err("write scheme and host, as `https://site.example`".to_owned())
}
