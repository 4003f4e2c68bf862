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
    /// Report only these rules: codes, code prefixes, names or families, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Skip these rules; if --select and --ignore both match a rule, the more specific one applies
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Exit with code 1 if a finding has at least this severity: advice (the default), warning, error, or never
    #[arg(long, value_enum, value_name = "SEVERITY", hide_possible_values = true)]
    pub fail_on: Option<FailOn>,
    /// Fix robots.txt files in place, with the fixes that change no decision
    #[arg(long, group = "fixes", help_heading = "Fixes")]
    pub fix: bool,
    /// Show what `--fix` would change, without changing any file
    #[arg(long, group = "fixes", help_heading = "Fixes")]
    pub diff: bool,
    /// Include suggested fixes; each fix describes the decisions that it changes
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

A comment `# byleave: ignore R005` on a robots.txt line, or on the line before, disables that rule there.
`byleave.toml` in this folder or a parent folder may contain settings in [lint]:
select, ignore, fail-on, exclude and per-file-ignores.
--fix prints the remaining findings.
For `-`, the fixed file goes to standard output, and the findings go to standard error.
Exit code: 0 no findings, 1 findings (with --diff: something to fix), 2 could not answer.";

/// The lowest severity of a finding that leads to exit code 1.
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
    /// robots.txt files, folders that contain them, or `-` to format standard input to standard output
    #[arg(value_name = "SOURCE", required = true)]
    pub sources: Vec<PathBuf>,
    /// List the files that would change, without changing them
    #[arg(long, group = "dry_run")]
    pub check: bool,
    /// Show what would change, without changing any file
    #[arg(long, group = "dry_run")]
    pub diff: bool,
}

pub(super) const FMT_HELP: &str = "\
Examples:
  byleave fmt robots.txt
  byleave fmt --check site/
  byleave fmt --diff robots.txt
  byleave fmt - < robots.txt

Each field is on one line as `Name: value`, with known names in their usual spelling.
One blank line separates groups, and lines end in LF.
Values, comments and the order of lines do not change.
If formatting would change a decision, the file is not changed.
Exit code: 0 formatted or nothing to change, 1 a file would change (with --check or --diff), 2 a file cannot be formatted.";
