//! The options of `byleave crawlers`.

use super::FormatOptions;
use clap::Args;

/// `byleave crawlers`.
#[derive(Debug, Args)]
pub struct Crawlers {
    /// Part of a token or operator name, or a purpose, a kind, or a level of evidence [default: list all]
    #[arg(value_name = "QUERY")]
    pub query: Option<String>,
    #[command(flatten)]
    pub output: FormatOptions,
}

pub(super) const CRAWLERS_HELP: &str = "\
Examples:
  byleave crawlers
  byleave crawlers openai
  byleave crawlers train-ai
  byleave crawlers unverified --format plain
  byleave crawlers googlebot --format json

docs/crawlers.md explains the columns and how the catalogue is maintained.
Exit code: 0 found, 1 nothing found, 2 could not answer.";
