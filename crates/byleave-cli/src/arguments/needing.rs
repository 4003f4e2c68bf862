//! The options of `byleave needs`.

use super::{FromResponse, HowRead, SITE, WhichCrawler, Written};
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
    pub crawler: WhichCrawler,
    #[command(flatten)]
    pub reading: HowRead,
    #[command(flatten)]
    pub response: FromResponse,
    #[command(flatten)]
    pub written: Written,
}

pub(super) const NEEDS_HELP: &str = "\
Examples:
  byleave needs examples/gazette https://gazette.example/news/
  byleave needs examples/gazette /news/ --crawler GPTBot
  byleave needs none https://site.example/a --header 'Link: </license.xml>; rel=license; type=\"application/rsl+xml\"'
  byleave needs examples/gazette /news/ --format plain | grep ^wanted

What a document names is known once it is given: ask again when more was read.";
