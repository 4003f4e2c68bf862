//! The options of `byleave matrix`.

use super::{FromResponse, HowRead, SITE, Unstated, Usages, name, usages};
use byleave::Timestamp;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `byleave matrix`.
#[derive(Debug, Args)]
pub struct Matrix {
    #[arg(value_name = "SITE", help = SITE)]
    pub site: PathBuf,
    /// What is asked about: an http(s) URL, or a path that begins with `/`; may be repeated [default: /]
    #[arg(long = "url", value_name = "URL")]
    pub resources: Vec<String>,
    /// Read more URLs from a file, one a line; `#` begins a comment line
    #[arg(long, value_name = "FILE|-")]
    pub urls: Option<PathBuf>,
    /// Only this crawler; may be repeated. Without it: those the site names, any other, and a few of the catalogue
    #[arg(long, value_name = "NAME", value_parser = name, help_heading = "Who asks")]
    pub crawler: Vec<String>,
    /// Every crawler of the catalogue, beside those the site names and any other
    #[arg(long, conflicts_with = "crawler", help_heading = "Who asks")]
    pub all_crawlers: bool,
    /// What they would do, several by comma, or `all`; `x:NAME` for a name of your own
    /// [default: crawl,index,present-snippet,preserve,ai-input,train-ai]
    #[arg(long, value_name = "USAGE", value_parser = usages, help_heading = "What is asked")]
    pub usage: Vec<Usages>,
    /// A purpose the crawlers recognise as their own; may be repeated
    #[arg(long, value_name = "PURPOSE", help_heading = "What is asked")]
    pub purpose: Vec<String>,
    /// The time asked about, in RFC 3339
    #[arg(long, value_name = "TIME", help_heading = "What is asked")]
    pub at: Option<Timestamp>,
    /// What you do where nothing is stated: permit or prohibit
    #[arg(long, value_enum, value_name = "DO", default_value = "permit", hide_possible_values = true)]
    #[arg(help_heading = "What is asked")]
    pub unstated: Unstated,
    #[command(flatten)]
    pub reading: HowRead,
    #[command(flatten)]
    pub response: FromResponse,
    /// `text` for eyes, `markdown`, `html` (one file that needs no other), or `json` for programs
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: MatrixFormat,
    /// Write to this file, not to standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

pub(super) const MATRIX_HELP: &str = "\
Examples:
  byleave matrix examples/gazette --url /news/2026/budget.html
  byleave matrix examples/gazette --url / --url /account/ --crawler GPTBot --crawler Applebot --usage crawl
  byleave matrix examples/herald --url /news/1 --page examples/herald/page.html --usage all
  byleave matrix examples/herald --url /news/1 --all-crawlers --format html --output matrix.html
  byleave matrix examples/gazette --url /news/ --format markdown

A crawler that the catalogue knows falls back, or disregards `*`, as its operator documents (`byleave crawlers NAME`).
Exit: 0 whatever the answers are: it is a view; 2 could not answer.";

/// How a matrix is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MatrixFormat {
    /// For eyes
    Text,
    /// Tables of GitHub's Markdown
    Markdown,
    /// One HTML file that needs no other
    Html,
    /// One JSON object
    Json,
}
