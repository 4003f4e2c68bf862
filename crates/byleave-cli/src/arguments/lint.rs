//! The options of `byleave lint` and `byleave fmt`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `byleave lint`.
#[derive(Debug, Args)]
pub struct Lint {
    /// robots.txt files, pages (`.html`), stored responses (`.http`), folders of sites, or `-` for standard input
    #[arg(value_name = "SOURCE", required_unless_present = "list")]
    pub sources: Vec<PathBuf>,
    /// List the rules instead of checking files
    #[arg(long)]
    pub list: bool,
    /// Report only these rules: codes, prefixes of codes, names or families, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Skip these rules; the more specific of --select and --ignore counts
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// The lowest severity that gives exit code 1: advice (the default), warning, error, or never
    #[arg(long, value_enum, value_name = "SEVERITY", hide_possible_values = true)]
    pub fail_on: Option<FailOn>,
    /// Fix robots.txt files in place, as far as no decision changes
    #[arg(long, group = "fixes", help_heading = "Fixes")]
    pub fix: bool,
    /// Show what `--fix` would change, and change nothing
    #[arg(long, group = "fixes", help_heading = "Fixes")]
    pub diff: bool,
    /// Include suggested fixes; each one says which decisions it changes
    #[arg(long, alias = "unsafe-fixes", requires = "fixes", help_heading = "Fixes")]
    pub suggested: bool,
    /// Read settings from this file instead of the nearest `byleave.toml`
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Do not read settings from `byleave.toml`
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
    /// `text`, `concise` (one finding per line), `json` (JSON Lines), `sarif`, or `github` (workflow annotations)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: LintFormat,
}

pub(super) const LINT_HELP: &str = "\
Examples:
  byleave lint examples/gazette/robots.txt
  byleave lint examples/herald --select reach,divergence --format concise
  byleave lint site/ --ignore A --fail-on warning
  byleave lint site/ --diff --suggested
  byleave rule R005

A comment `# byleave: ignore R005` at the end of a line of robots.txt, or on the line before, silences that rule there.
`byleave.toml` in this folder or a parent folder may set select, ignore, fail-on, exclude and per-file-ignores in [lint].
--fix prints the remaining findings. For `-`, the fixed file goes to standard output and the findings to standard error.
Exit code: 0 nothing found, 1 something found (with --diff: something to fix), 2 could not answer.";

/// The lowest severity of findings that gives exit code 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Any finding
    #[default]
    Advice,
    /// A warning or an error
    Warning,
    /// An error
    Error,
    /// No finding
    Never,
}

/// The output format of `lint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people
    Text,
    /// One finding per line
    Concise,
    /// JSON Lines, one object per finding
    Json,
    /// One SARIF 2.1.0 document
    Sarif,
    /// Annotations for GitHub workflows
    Github,
}

/// `byleave fmt`.
#[derive(Debug, Args)]
pub struct Fmt {
    /// robots.txt files, folders that contain some, or `-` to format standard input to standard output
    #[arg(value_name = "SOURCE", required = true)]
    pub sources: Vec<PathBuf>,
    /// Change nothing; list the files that would change
    #[arg(long, group = "dry_run")]
    pub check: bool,
    /// Change nothing; show what would change
    #[arg(long, group = "dry_run")]
    pub diff: bool,
}

pub(super) const FMT_HELP: &str = "\
Examples:
  byleave fmt robots.txt
  byleave fmt --check site/
  byleave fmt --diff robots.txt
  byleave fmt - < robots.txt

The format: one field per line as `Name: value`, known names in their usual spelling, one blank line between groups, LF as
line end. Values, comments and the order of lines stay the same. If a decision would change, the file stays unchanged.
Exit code: 0 done, or nothing to change; 1 with --check or --diff: a file would change; 2 a file cannot be formatted.";
