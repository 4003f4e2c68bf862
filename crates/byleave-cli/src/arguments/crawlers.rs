//! The options of `byleave crawlers`.

use super::Written;
use clap::Args;

/// `byleave crawlers`.
#[derive(Debug, Args)]
pub struct Crawlers {
    /// A part of a token or an operator, or a purpose, a kind or an evidence; without it all are listed
    #[arg(value_name = "QUERY")]
    pub query: Option<String>,
    #[command(flatten)]
    pub written: Written,
}

pub(super) const CRAWLERS_HELP: &str = "\
Examples:
  byleave crawlers
  byleave crawlers openai
  byleave crawlers train-ai
  byleave crawlers unverified --format plain
  byleave crawlers googlebot --format json

docs/crawlers.md says what the columns mean and how the catalogue is kept.
Exit: 0 found, 1 nothing found, 2 could not answer.";
