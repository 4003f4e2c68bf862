//! The options of `byleave lint` and `byleave fmt`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `byleave lint`.
#[derive(Debug, Args)]
pub struct Lint {
    /// robots.txt files, pages (`.html`), saved responses (`.http`), `-`, or the folder of a site with all of them
    #[arg(value_name = "SOURCE", required_unless_present = "list")]
    pub sources: Vec<PathBuf>,
    /// List the rules instead
    #[arg(long)]
    pub list: bool,
    /// Only these rules: codes, beginnings of codes, names or families, by comma
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Without these; of two that name a rule the more specific one counts
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Exit with 1 only from this severity on: advice (the default), warning, error, or never
    #[arg(long, value_enum, value_name = "SEVERITY", hide_possible_values = true)]
    pub fail_on: Option<FailOn>,
    /// Mend robots.txt files where that changes no decision
    #[arg(long, group = "mends", help_heading = "Mending")]
    pub fix: bool,
    /// Show what `--fix` would change, and change nothing
    #[arg(long, group = "mends", help_heading = "Mending")]
    pub diff: bool,
    /// Make suggested fixes too, which change decisions as each says
    #[arg(long, alias = "unsafe-fixes", requires = "mends", help_heading = "Mending")]
    pub suggested: bool,
    /// Settings from this file, not from the nearest `byleave.toml`
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// No settings from any `byleave.toml`
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
    /// `text`, `concise` (a line a finding), `json` (JSON Lines), `sarif`, or `github` (annotations of a workflow)
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

A comment `# byleave: ignore R005` at the end of a line of robots.txt, or on the line before, keeps a rule quiet there.
`byleave.toml` in this folder or one above may hold select, ignore, fail-on, exclude and per-file-ignores under [lint].
With --fix, what is left is written; of `-`, the mended file goes to standard output and the rest to standard error.
Exit: 0 nothing found, 1 something found (with --diff: something to change), 2 could not answer.";

/// From which severity on findings fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Any finding
    #[default]
    Advice,
    /// A warning or an error
    Warning,
    /// An error
    Error,
    /// None
    Never,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For eyes
    Text,
    /// A line a finding
    Concise,
    /// JSON Lines, an object a finding
    Json,
    /// One SARIF 2.1.0 document
    Sarif,
    /// Annotations of a GitHub workflow
    Github,
}

/// `byleave fmt`.
#[derive(Debug, Args)]
pub struct Fmt {
    /// robots.txt files, folders that hold some, or `-` (which is written to standard output)
    #[arg(value_name = "SOURCE", required = true)]
    pub sources: Vec<PathBuf>,
    /// Change nothing; name the files that would be changed
    #[arg(long, group = "looks")]
    pub check: bool,
    /// Change nothing; show what would be changed
    #[arg(long, group = "looks")]
    pub diff: bool,
}

pub(super) const FMT_HELP: &str = "\
Examples:
  byleave fmt robots.txt
  byleave fmt --check site/
  byleave fmt --diff robots.txt
  byleave fmt - < robots.txt

A field a line, `Name: value`, known names in their own spelling, a blank line between groups, LF as line end. Values,
comments and the order of lines stay. A file of which any decision would change is left as it is, and told of.
Exit: 0 done, or nothing to change; 1 with --check or --diff: something would be changed; 2 a file cannot be laid out.";
