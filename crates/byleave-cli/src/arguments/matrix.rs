//! The options of `byleave matrix`.

use super::{ReadingOptions, ResponseOptions, SITE, Unstated, Usages, name, usages};
use byleave::Timestamp;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `byleave matrix`.
#[derive(Debug, Args)]
pub struct Matrix {
    #[arg(value_name = "SITE", help = SITE)]
    pub site: PathBuf,
    /// A resource: an http(s) URL, or a path that begins with `/`; may be repeated [default: /]
    #[arg(long = "url", value_name = "URL")]
    pub resources: Vec<String>,
    /// Read more URLs from a file, one per line; lines that begin with `#` are skipped
    #[arg(long, value_name = "FILE|-")]
    pub urls: Option<PathBuf>,
    /// Show only this crawler; may be repeated [default: the crawlers that the site names, any other crawler, and some
    /// well-known ones]
    #[arg(long, value_name = "NAME", value_parser = name, help_heading = "Crawler")]
    pub crawler: Vec<String>,
    /// Show the whole catalogue, in addition to the crawlers that the site names and any other crawler
    #[arg(long, conflicts_with = "crawler", help_heading = "Crawler")]
    pub all_crawlers: bool,
    /// The usages, separated by commas, or `all`; write `x:NAME` for a custom usage [default:
    /// crawl,index,present-snippet,preserve,ai-input,train-ai]
    #[arg(long, value_name = "USAGE", value_parser = usages, help_heading = "Use")]
    pub usage: Vec<Usages>,
    /// A purpose that the crawlers recognise as their own; may be repeated
    #[arg(long, value_name = "PURPOSE", help_heading = "Use")]
    pub purpose: Vec<String>,
    /// The time of the use, in RFC 3339 format
    #[arg(long, value_name = "TIME", help_heading = "Use")]
    pub at: Option<Timestamp>,
    /// What to assume if no statement applies: permit or prohibit
    #[arg(long, value_enum, value_name = "DO", default_value = "permit", hide_possible_values = true)]
    #[arg(help_heading = "Use")]
    pub unstated: Unstated,
    #[command(flatten)]
    pub reading: ReadingOptions,
    #[command(flatten)]
    pub response: ResponseOptions,
    /// `text` for people, `markdown`, `html` (one self-contained file), or `json` for programs
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: MatrixFormat,
    /// Write to this file instead of standard output
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

Some operators document that a crawler obeys another crawler's group, or ignores groups for `*`.
The matrix takes this into account.
`byleave crawlers NAME` shows what is known about a crawler.
Exit code: 0 whatever the answers are, 2 could not answer.";

/// The output format of `matrix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MatrixFormat {
    /// For people
    Text,
    /// Tables in GitHub's Markdown
    Markdown,
    /// One self-contained HTML file
    Html,
    /// One JSON object
    Json,
}
