//! The options of `byleave convert`.

use super::{FromResponse, HowRead};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `byleave convert`.
#[derive(Debug, Args)]
pub struct Convert {
    /// A robots.txt file, a folder that holds one, `-`, or `none` where only a page or its headers are converted
    #[arg(value_name = "SOURCE")]
    pub source: PathBuf,
    /// What to write: `acap` or `robots-txt` for a file, `content-usage`, `content-signal` or `tdmrep` for what is said of AI
    /// and search, `robots-tag` or `meta` for one resource
    #[arg(long, value_enum, value_name = "TARGET", hide_possible_values = true)]
    pub to: ConvertTo,
    /// With `robots-tag` and `meta`: the resource whose decisions are carried
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Paths that differ only in capitals are one resource of this site: compare them as patterns spell them
    #[arg(long)]
    pub any_case: bool,
    /// Write the target to this file, not to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub reading: HowRead,
    #[command(flatten)]
    pub response: FromResponse,
    /// `text`: the target, what it cannot say on standard error; `json`: one object with both
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

`content-usage`, `content-signal` and `tdmrep` say what is decided of tdm, train-ai, train-genai, ai-input, ai-index and
search, by whatever the site says it. Lines for a crawler that they name belong into its group of the existing robots.txt.

Source and target are asked the same, and compared: a robots.txt in the reading rfc9309, ACAP with no other fields beside
it, words alone. What the target cannot say is told: `narrower` where it is the more prohibitive, `left-out` where it is
not said. Fields that decide nothing are kept where the target has a place for them; comments are not.
Exit: 0 both decide alike, 1 something is told, 2 could not answer.";

/// What a source is converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConvertTo {
    /// ACAP's fields of robots.txt
    Acap,
    /// The groups of RFC 9309
    RobotsTxt,
    /// Lines of `Content-Usage` for robots.txt
    ContentUsage,
    /// Lines of `Content-Signal` for robots.txt
    ContentSignal,
    /// `/.well-known/tdmrep.json`
    Tdmrep,
    /// The header `Robots-Tag`
    RobotsTag,
    /// META tags
    Meta,
}

impl ConvertTo {
    /// Its name in every output.
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

/// How what is told is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For eyes
    Text,
    /// One JSON object
    Json,
}
