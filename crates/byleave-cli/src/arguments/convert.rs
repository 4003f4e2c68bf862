//! The options of `byleave convert`.

use super::{ReadingOptions, ResponseOptions};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `byleave convert`.
#[derive(Debug, Args)]
pub struct Convert {
    /// A robots.txt file, a folder that contains one, `-`, or `none` to convert only a page or its headers
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// The target: `acap` or `robots-txt` (a whole file), `content-usage`, `content-signal` or `tdmrep` (AI and search), or
    /// `robots-tag` or `meta` (one resource)
    #[arg(long, value_enum, value_name = "TARGET", hide_possible_values = true)]
    pub to: ConvertTo,
    /// With `robots-tag` and `meta`: the resource
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Treat paths that differ only in letter case as one resource of this site
    #[arg(long)]
    pub any_case: bool,
    /// Write the result to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingOptions,
    #[command(flatten)]
    pub response: ResponseOptions,
    /// `text` (the result; reports go to standard error) or `json` (one object with the result and the reports)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: ReportFormat,
}

pub(super) const CONVERT_HELP: &str = "\
Examples:
  byleave convert examples/gazette --to acap
  byleave convert examples/gazette --to acap --any-case --output acap-robots.txt
  byleave convert examples/herald --to robots-txt
  byleave convert examples/courier --to content-usage
  byleave convert examples/courier --to tdmrep --output tdmrep.json
  byleave convert examples/herald --to robots-tag --url /news/1
  byleave convert none --page examples/herald/page.html --to meta --url /news/1
  byleave convert examples/herald --to robots-txt --format json

`content-usage`, `content-signal` and `tdmrep` cover six usages, in any dialect of the source:
tdm, train-ai, train-genai, ai-input, ai-index and search.
Move the lines for a named crawler into its group in the existing robots.txt.

Byleave asks the source and the target the same questions and compares the answers.
It reads a robots.txt target in the reading rfc9309, and ACAP fields or directives without other rules.
It reports `narrower` if the target prohibits more, and `left-out` if it cannot express something.
Fields that decide nothing are kept if the target allows them. Comments are not kept.
Exit code: 0 both make the same decisions, 1 there are reports, 2 could not answer.";

/// The target of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConvertTo {
    /// ACAP fields in robots.txt
    Acap,
    /// Groups of RFC 9309 rules
    RobotsTxt,
    /// `Content-Usage` lines for robots.txt
    ContentUsage,
    /// `Content-Signal` lines for robots.txt
    ContentSignal,
    /// `/.well-known/tdmrep.json`
    Tdmrep,
    /// The `Robots-Tag` header
    RobotsTag,
    /// META tags
    Meta,
}

impl ConvertTo {
    /// Returns the name of the target, as it appears in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Acap => "acap",
            Self::RobotsTxt => "robots-txt",
            Self::ContentUsage => "content-usage",
            Self::ContentSignal => "content-signal",
            Self::Tdmrep => "tdmrep",
            Self::RobotsTag => "robots-tag",
            Self::Meta => "meta",
        }
    }
}

/// The output format of `convert` and `write`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}
