//! The options of `byleave diff` and `byleave compare`.

use super::{Usages, name, usages};
use byleave::Reading;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `byleave diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// The old robots.txt: a file, a folder that contains one, or `-` for standard input
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The new robots.txt: a file, a folder that contains one, or `-` for standard input
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// How to interpret both files: default, strict, rfc9309 or google
    #[arg(long, value_name = "READING", default_value = "default", hide_default_value = true)]
    pub reading: Reading,
    #[command(flatten)]
    pub about: ReviewOptions,
}

pub(super) const DIFF_HELP: &str = "\
Examples:
  byleave diff old/robots.txt new/robots.txt
  byleave diff examples/gazette examples/gazette/proposed.txt --crawler GPTBot
  git show HEAD~1:robots.txt | byleave diff - robots.txt --format markdown
  git difftool --no-prompt --extcmd 'byleave diff' HEAD~1 -- robots.txt

Byleave compares decisions, not text.
It covers every path, and every crawler, usage and purpose that either file addresses.
In a folder, it also reads the files that robots.txt refers to. Pages and headers are not compared.
Exit code: 0 nothing changed, 1 something changed, 2 could not answer.";

/// `byleave compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// A robots.txt file, a folder that contains one, or `-` for standard input
    #[arg(value_name = "SITE")]
    pub site: PathBuf,
    #[command(flatten)]
    pub about: ReviewOptions,
}

pub(super) const COMPARE_HELP: &str = "\
Examples:
  byleave compare examples/herald
  byleave compare examples/gazette --crawler Googlebot
  byleave compare robots.txt --format json

Byleave compares the four readings: default, strict, rfc9309 and google.
It covers every normalized path except `/robots.txt`, and every crawler and usage that the file addresses.
Exit code: 0 all readings agree, 1 they differ, 2 could not answer.";

/// What to compare, and the output format.
#[derive(Debug, Args)]
pub struct ReviewOptions {
    /// Compare only this crawler; may be repeated
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub crawler: Vec<String>,
    /// Compare only these usages, separated by commas, or `all`; write `x:NAME` for a custom usage
    #[arg(long, value_name = "USAGE", value_parser = usages)]
    pub usage: Vec<Usages>,
    /// Show examples as URLs at this origin, such as `https://site.example`, instead of paths
    #[arg(long, value_name = "ORIGIN", value_parser = origin, help_heading = "Output")]
    pub origin: Option<String>,
    /// `text`, `markdown` (for a comment on a pull request) or `json` (one object)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: ReviewFormat,
}

/// The output format of `diff` and `compare`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReviewFormat {
    /// For people
    Text,
    /// For a comment on a pull request
    Markdown,
    /// One object, for programs
    Json,
}

fn origin(text: &str) -> Result<String, String> {
    let origin = text.trim_end_matches('/');
    if byleave::analysis::origin(origin) == Some(origin) && byleave::analysis::is_resource(origin) {
        return Ok(origin.to_owned());
    }
    Err("write a scheme and a host, such as `https://site.example`".to_owned())
}
