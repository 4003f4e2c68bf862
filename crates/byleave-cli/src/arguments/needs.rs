//! The options of `byleave needs`.

use super::{CrawlerOptions, FormatOptions, ReadingOptions, ResponseOptions, SITE};
use clap::Args;
use std::path::PathBuf;

/// `byleave needs`.
#[derive(Debug, Args)]
pub struct Needs {
    #[arg(value_name = "SITE", help = SITE)]
    pub site: PathBuf,
    /// The resource: an http(s) URL, or a path that begins with `/`
    #[arg(value_name = "URL", default_value = "/")]
    pub url: String,
    #[command(flatten)]
    pub crawler: CrawlerOptions,
    #[command(flatten)]
    pub reading: ReadingOptions,
    #[command(flatten)]
    pub response: ResponseOptions,
    #[command(flatten)]
    pub output: FormatOptions,
}

pub(super) const NEEDS_HELP: &str = "\
Examples:
  byleave needs examples/gazette https://gazette.example/news/
  byleave needs examples/gazette /news/ --crawler GPTBot
  byleave needs none https://site.example/a --header 'Link: </license.xml>; rel=license; type=\"application/rsl+xml\"'
  byleave needs examples/gazette /news/ --format plain | grep ^wanted

A document may name further documents. To see them, give the document with `--document` and run the command again.";
