//! The command line as types: commands, options and their help. This module opens no files.
//!
//! Help, man pages and completions are generated from these types. The engine defines the names of usages and other
//! terms. This module looks them up, and suggests the nearest name if one is mistyped.

mod convert;
mod crawlers;
mod lint;
mod matrix;
mod needs;
mod review;
mod suggest;
mod write;

pub use convert::{Convert, ConvertTo, ReportFormat};
pub use crawlers::Crawlers;
pub use lint::{FailOn, Fmt, Lint, LintFormat};
pub use matrix::{Matrix, MatrixFormat};
pub use needs::Needs;
pub use review::{Compare, Diff, ReviewFormat, ReviewOptions};
pub use suggest::nearest;
pub use write::Write;

use crate::output::{ColorWhen, Format};
use byleave::analysis::vocabulary::{UsageKind, abilities};
use byleave::{Headers, Obtained, Reading, Timestamp, Usage};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Find out whether a crawler may use a resource, on what conditions, and which line decides
#[derive(Debug, Parser)]
#[command(name = "byleave", version, arg_required_else_help = true, after_help = AFTER_HELP)]
pub struct Arguments {
    /// The command to run
    #[command(subcommand)]
    pub command: Command,
    /// When to use colour: `auto` (on a terminal, unless NO_COLOR is set), `always` or `never`
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Output")]
    #[arg(hide_possible_values = true)]
    pub color: ColorWhen,
}

const AFTER_HELP: &str = "\
Examples:
  byleave check examples/gazette --crawler GPTBot https://gazette.example/news/
  byleave explain examples/gazette --crawler GPTBot /news/2026/budget.html
  byleave test examples/gazette/cases.jsonl
  byleave lint examples/gazette
  byleave fmt --check examples/gazette/robots.txt
  byleave matrix examples/gazette --url /news/2026/budget.html
  byleave crawlers openai
  byleave diff old/robots.txt new/robots.txt
  byleave convert examples/gazette --to acap
  byleave write --prohibit index --for ExampleBot
  byleave rule S-13

Exit code: 0 permitted or unstated, 1 prohibited, 2 could not answer, 3 conditional.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print one verdict per URL and usage
    #[command(override_usage = "byleave check [OPTIONS] <SITE> --crawler <NAME> [URL]...", after_help = CHECK_HELP)]
    Check(Check),
    /// Show the line that decides, the lines that lost, and why
    #[command(
        override_usage = "byleave explain [OPTIONS] <SITE> --crawler <NAME> [URL]...\n       byleave explain [OPTIONS] --case <FILE:LINE>",
        after_help = EXPLAIN_HELP
    )]
    Explain(Explain),
    /// Print the text of a page that a crawler may use, without prohibited elements
    #[command(override_usage = "byleave extract [OPTIONS] <PAGE> --crawler <NAME> --usage <USAGE> [URL]", after_help = EXTRACT_HELP)]
    Extract(Extract),
    /// List sitemaps, crawl delays and other facts, and the crawlers that the site names
    #[command(after_help = FACTS_HELP)]
    Facts(Facts),
    /// List the documents that may apply to a resource, and whether each is given
    #[command(after_help = needs::NEEDS_HELP)]
    Needs(Needs),
    /// Run tests of expected decisions, or generate a first test file
    #[command(after_help = TEST_HELP)]
    Test(Test),
    /// Find rules in robots.txt, headers and pages that do not work as intended
    #[command(override_usage = "byleave lint [OPTIONS] <SOURCE>...\n       byleave lint --list", after_help = lint::LINT_HELP)]
    Lint(Lint),
    /// Format robots.txt files without changing any decision
    #[command(override_usage = "byleave fmt [OPTIONS] <SOURCE>...", after_help = lint::FMT_HELP)]
    Fmt(Fmt),
    /// Show crawlers and usages in one table per resource
    #[command(override_usage = "byleave matrix [OPTIONS] <SITE> --url <URL>...", after_help = matrix::MATRIX_HELP)]
    Matrix(Matrix),
    /// List or search the catalogue of crawlers: operators, purposes, and how well each is documented
    #[command(after_help = crawlers::CRAWLERS_HELP)]
    Crawlers(Crawlers),
    /// Show which decisions change between two versions of a site's rules
    #[command(after_help = review::DIFF_HELP)]
    Diff(Diff),
    /// Show where the four readings of one robots.txt differ, and why
    #[command(after_help = review::COMPARE_HELP)]
    Compare(Compare),
    /// Rewrite a site's rules in another dialect or carrier, and report what the target cannot express
    #[command(after_help = convert::CONVERT_HELP)]
    Convert(Convert),
    /// Generate rules that express an intent, for robots.txt, headers and META tags
    #[command(after_help = write::WRITE_HELP)]
    Write(Write),
    /// Print a rule of the semantics (S-13) or a lint rule (R005), or list the rules of the semantics
    #[command(after_help = RULE_HELP)]
    Rule(Rule),
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_HELP)]
    Completions(Completions),
    /// Print the man page for Byleave or for one command
    #[command(after_help = MAN_HELP)]
    Man(Man),
}

/// `byleave check`.
#[derive(Debug, Args)]
pub struct Check {
    #[arg(value_name = "SITE", help = SITE)]
    pub site: PathBuf,
    #[command(flatten)]
    pub resources: ResourceOptions,
    #[command(flatten)]
    pub use_options: UseOptions,
    #[command(flatten)]
    pub response: ResponseOptions,
    #[command(flatten)]
    pub output: FormatOptions,
}

const CHECK_HELP: &str = "\
Examples:
  byleave check examples/gazette --crawler GPTBot https://gazette.example/news/
  byleave check examples/gazette --crawler Googlebot-News --fallback Googlebot /search?q=a /news/
  byleave check examples/gazette --crawler CCBot --usage crawl,index,train-ai /news/
  byleave check - --crawler CCBot --urls examples/gazette/urls.txt --format plain < examples/gazette/robots.txt
  byleave check none --status 503 --crawler CCBot /
  byleave check none --page examples/herald/page.html --crawler NewsBot --usage index,present-snippet /news/1
  byleave check none --header 'X-Robots-Tag: noindex' --crawler NewsBot --usage index /report.pdf

Exit code: 0 permitted or unstated, 1 prohibited, 2 could not answer, 3 conditional.
If there are several answers, the most severe one sets the exit code.";

/// `byleave explain`.
#[derive(Debug, Args)]
pub struct Explain {
    #[arg(value_name = "SITE", help = SITE, required_unless_present = "case")]
    pub site: Option<PathBuf>,
    /// Explain the case at this line of a case file
    #[arg(long, value_name = "FILE:LINE", conflicts_with_all = ["site", "ResourceOptions", "UseOptions", "CrawlerOptions", "ReadingOptions", "ResponseOptions"])]
    pub case: Option<OsString>,
    /// Show every tier of ACAP statements that was consulted, and which statement overrides which
    #[arg(long)]
    pub trace: bool,
    #[command(flatten)]
    pub resources: ResourceOptions,
    #[command(flatten)]
    pub use_options: UseOptions,
    #[command(flatten)]
    pub response: ResponseOptions,
    #[command(flatten)]
    pub output: FormatOptions,
}

const EXPLAIN_HELP: &str = "\
Examples:
  byleave explain examples/gazette --crawler GPTBot https://gazette.example/news/2026/budget.html
  byleave explain examples/gazette --crawler Googlebot-Image --fallback Googlebot /photos/1.jpg
  byleave explain examples/gazette --crawler ExampleBot --reading google /a
  byleave explain examples/herald --crawler NewsBot --usage present-snippet --trace /news/1
  byleave explain examples/herald --page examples/herald/page.html --crawler NewsBot --usage index /news/1
  byleave explain none --response examples/herald/response.txt --crawler NewsBot --usage index /report.pdf
  byleave explain --case examples/gazette/cases.jsonl:3

Exit code: 0 permitted or unstated, 1 prohibited, 2 could not answer, 3 conditional.
If there are several answers, the most severe one sets the exit code.";

/// `byleave extract`.
#[derive(Debug, Args)]
pub struct Extract {
    /// The page: an HTML file, a stored response that begins with `HTTP/`, or `-` for standard input
    #[arg(value_name = "PAGE")]
    pub page: PathBuf,
    /// The URL or the path of the page [default: /]
    #[arg(value_name = "URL")]
    pub url: Option<String>,
    /// A robots.txt file, a folder that contains one, or `none`
    #[arg(long, value_name = "SITE", default_value = "none", hide_default_value = true)]
    pub site: PathBuf,
    /// Write `text` (the usable text), `html` (the page without the prohibited parts), or `json` (all pieces with spans
    /// and reasons)
    #[arg(long = "as", value_enum, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub form: ExtractFormat,
    #[command(flatten)]
    pub use_options: UseOptions,
    #[command(flatten)]
    pub details: ResponseDetails,
}

const EXTRACT_HELP: &str = "\
Examples:
  byleave extract examples/herald/page.html --usage index --crawler NewsBot
  byleave extract examples/herald/page.html --usage index --crawler NewsBot --as html
  byleave extract examples/herald/page.html --usage index --crawler NewsBot --as json --site examples/herald /news/1

Exit code, for the page as a whole: 0 permitted or unstated, 1 prohibited, 2 could not answer, 3 conditional.";

/// The output format of `extract`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ExtractFormat {
    /// The text that may be used
    Text,
    /// The page with prohibited elements emptied
    Html,
    /// All pieces of text, included or omitted, with spans and reasons
    Json,
}

/// `byleave facts`.
#[derive(Debug, Args)]
pub struct Facts {
    #[arg(value_name = "SITE", help = SITE)]
    pub site: PathBuf,
    #[command(flatten)]
    pub crawler: CrawlerOptions,
    #[command(flatten)]
    pub reading: ReadingOptions,
    #[command(flatten)]
    pub output: FormatOptions,
}

const FACTS_HELP: &str = "\
Examples:
  byleave facts examples/gazette
  byleave facts examples/gazette --crawler Bingbot
  byleave facts examples/gazette --format plain | grep ^Sitemap";

/// `byleave test`.
#[derive(Debug, Args)]
pub struct Test {
    /// Case files (JSON Lines) or test files (TOML), see docs/cases.md [default: byleave-tests.toml]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write a first `byleave-tests.toml` next to this robots.txt, from its current decisions
    #[arg(long, value_name = "SITE", conflicts_with_all = ["files", "ResponseOptions"])]
    pub init: Option<PathBuf>,
    /// With --init: replace an existing file
    #[arg(long, requires = "init")]
    pub force: bool,
    #[command(flatten)]
    pub response: ResponseOptions,
}

const TEST_HELP: &str = "\
Examples:
  byleave test examples/gazette/cases.jsonl
  byleave test conformance/*.jsonl
  byleave test cases.jsonl --page new/index.html
  byleave test --init site/
  byleave test site/byleave-tests.toml

A `.toml` file has one [[test]] table per expectation, and a [defaults] table for values that the tests share.
--page, --dom, --header, --content-type and --response apply to cases without a page, DOM or headers of their own.
Use them to check a new page against existing expectations.
The last line is `N passed, N failed`.
Exit code: 0 all passed, 1 some failed, 2 a file cannot be read or has no cases.";

/// `byleave rule`.
#[derive(Debug, Args)]
pub struct Rule {
    /// A rule of the semantics, such as S-13, or the code or name of a lint rule, such as R005 [default: list the rules
    /// of the semantics]
    #[arg(value_name = "RULE")]
    pub rule: Option<String>,
}

const RULE_HELP: &str = "\
Examples:
  byleave rule
  byleave rule S-13
  byleave rule R005";

/// `byleave completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

const COMPLETIONS_HELP: &str = "\
Examples:
  byleave completions bash > ~/.local/share/bash-completion/completions/byleave
  byleave completions fish > ~/.config/fish/completions/byleave.fish";

/// `byleave man`.
#[derive(Debug, Args)]
pub struct Man {
    /// Print the man page for this command
    pub command: Option<String>,
}

const MAN_HELP: &str = "\
Examples:
  byleave man > byleave.1
  byleave man check | man -l -";

const SITE: &str = "A robots.txt file, a folder that contains one, `-` for standard input, or `none`";

/// The resources that the question is about.
#[derive(Debug, Args)]
pub struct ResourceOptions {
    /// The resources: http(s) URLs, or paths that begin with `/` [default: /]
    #[arg(value_name = "URL")]
    pub resources: Vec<String>,
    /// Read more URLs from a file, one per line; lines that begin with `#` are skipped
    #[arg(long, value_name = "FILE|-")]
    pub urls: Option<PathBuf>,
}

/// The crawler that the question is about.
#[derive(Debug, Args)]
#[command(next_help_heading = "Crawler")]
pub struct CrawlerOptions {
    /// The crawler's product token, such as `GPTBot`
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub crawler: Option<String>,
    /// Another name for the crawler, used if no group names it; may be repeated
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub fallback: Vec<String>,
    /// The crawler's full User-Agent string; its product tokens are also names for the crawler
    #[arg(long, value_name = "STRING")]
    pub user_agent: Option<String>,
    /// Do not apply the groups for `*` (any crawler) to this crawler
    #[arg(long)]
    pub ignores_any: bool,
}

/// How the site's documents are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Site")]
pub struct ReadingOptions {
    /// How to interpret the documents: default, strict, rfc9309, google, google-search, bing, yandex or amazon
    #[arg(long, value_name = "READING", default_value = "default", hide_default_value = true)]
    pub reading: Reading,
    /// The result of fetching robots.txt: an HTTP status, `unreachable` or `too-many-redirects`
    #[arg(long, value_name = "STATUS", value_parser = status)]
    pub status: Option<Obtained>,
    /// Another document of the site: its location, and the file to read it from; may be repeated
    #[arg(long, num_args = 2, value_names = ["LOCATION", "FILE"], action = clap::ArgAction::Append)]
    pub document: Vec<OsString>,
}

/// A page and its response, which belong to one resource.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Page and response")]
pub struct ResponseOptions {
    /// The page, an HTML file
    #[arg(long, value_name = "FILE|-", conflicts_with = "response")]
    pub page: Option<PathBuf>,
    /// A stored response: headers, a blank line and the page, as `curl -i` writes it
    #[arg(long, value_name = "FILE|-")]
    pub response: Option<PathBuf>,
    #[command(flatten)]
    pub details: ResponseDetails,
}

/// The options that describe a response, apart from its page.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Page and response")]
pub struct ResponseDetails {
    /// The page after its scripts have run, as an HTML file
    #[arg(long, value_name = "FILE|-")]
    pub dom: Option<PathBuf>,
    /// A header of the page's response; may be repeated
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    pub header: Vec<(String, String)>,
    /// The media type of the page; it overrides the Content-Type header
    #[arg(long, value_name = "TYPE")]
    pub content_type: Option<String>,
    /// When the response was fetched, in RFC 3339 format; freshness counts from this time
    #[arg(long, value_name = "TIME")]
    pub fetched: Option<Timestamp>,
}

/// The proposed use, the crawler, and the reading of the site.
#[derive(Debug, Args)]
#[command(next_help_heading = "Use")]
pub struct UseOptions {
    /// The usages, separated by commas, or `all`; write `x:NAME` for a custom usage [default: crawl]
    #[arg(long, value_name = "USAGE", value_parser = usages)]
    pub usage: Vec<Usages>,
    /// A part of the page: the first element that matches `#id` or `.class` [default: the whole page]
    #[arg(long, value_name = "ELEMENT", value_parser = element)]
    pub element: Option<String>,
    /// A purpose that the crawler recognises as its own; may be repeated
    #[arg(long, value_name = "PURPOSE", value_parser = purpose)]
    pub purpose: Vec<String>,
    /// The time of the use, in RFC 3339 format
    #[arg(long, value_name = "TIME")]
    pub at: Option<Timestamp>,
    /// The time when the resource was first used this way, in RFC 3339 format
    #[arg(long, value_name = "TIME")]
    pub first_used: Option<Timestamp>,
    /// The resource has been crawled again since the first use
    #[arg(long)]
    pub recrawled: bool,
    /// The text of the snippet, to check it against a maximum length
    #[arg(long, value_name = "TEXT")]
    pub snippet: Option<String>,
    /// How the use modifies the resource: format, style, translation, annotation, any or none
    #[arg(long, value_name = "KIND", value_parser = modification)]
    pub modification: Option<String>,
    /// Where the resource is shown: within-user-frame or within-original-frame
    #[arg(long, value_name = "CONTEXT")]
    pub context: Option<String>,
    /// A capability: prior-arrangement, not-ready, strawman, body-meta, element-level or no-element-level; may be
    /// repeated
    #[arg(long, value_name = "NAME", value_parser = capability)]
    pub capability: Vec<Capability>,
    /// A usage, qualifier or directive that the crawler cannot interpret; may be repeated
    #[arg(long, value_name = "NAME", value_parser = unable)]
    pub unable: Vec<String>,
    /// What to assume if no statement applies: permit or prohibit
    #[arg(long, value_enum, value_name = "DO", default_value = "permit", hide_possible_values = true)]
    pub unstated: Unstated,
    #[command(flatten)]
    pub crawler: CrawlerOptions,
    #[command(flatten)]
    pub reading: ReadingOptions,
}

/// The output format.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct FormatOptions {
    /// `text` for people, `plain` for scripts and screen readers (tab-separated), `json` for programs (JSON Lines)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// What the caller does if no statement applies.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Unstated {
    /// Make the use
    Permit,
    /// Do not make the use
    Prohibit,
}

/// One value of `--usage`.
#[derive(Clone, Debug)]
pub struct Usages(pub Vec<Usage>);

/// One value of `--capability`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// The crawler can, or cannot, apply different rules to different elements of a page.
    ElementLevel(bool),
    /// The site and the crawler have agreed on the features that need prior arrangement.
    PriorArrangement,
    /// The crawler interprets features that ACAP calls "not ready".
    NotReady,
    /// The crawler interprets the ACAP strawman of 2007.
    Strawman,
    /// The crawler obeys restrictions in META tags outside `head`.
    BodyMeta,
}

fn name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        Err("the name of the crawler is empty; write a name, such as `GPTBot`".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

fn purpose(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        Err("the purpose is empty; write a name or a URI".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

fn element(text: &str) -> Result<String, String> {
    let name = text.strip_prefix(['#', '.']).filter(|name| !name.is_empty() && !name.contains(char::is_whitespace));
    name.map(|_| text.to_owned())
        .ok_or_else(|| "write `#` and an id, or `.` and a class, such as `#comments`".to_owned())
}

fn header(text: &str) -> Result<(String, String), String> {
    let remedy = "write `Name: value`, such as `X-Robots-Tag: noindex`";
    let (name, value) = text.split_once(':').ok_or(remedy)?;
    let name = name.trim();
    if !Headers::is_name(name) {
        return Err(format!("the name of the header is not valid; {remedy}"));
    }
    if value.contains(['\n', '\r', '\0']) {
        return Err(format!("a header must be one line; {remedy}"));
    }
    Ok((name.to_owned(), value.trim().to_owned()))
}

fn modification(text: &str) -> Result<String, String> {
    let known = ["format", "style", "translation", "annotation", "none", "any"];
    if known.contains(&text) {
        Ok(text.to_owned())
    } else {
        Err(format!("known modifications are {}", known.join(", ")))
    }
}

fn status(text: &str) -> Result<Obtained, String> {
    match (text, text.parse()) {
        ("unreachable", _) => Ok(Obtained::Unreachable),
        ("too-many-redirects", _) => Ok(Obtained::TooManyRedirects),
        (_, Ok(code @ 200..=599)) => Ok(Obtained::Status(code)),
        _ => Err("write a status from 200 to 599, `unreachable` or `too-many-redirects`".to_owned()),
    }
}

fn capability(text: &str) -> Result<Capability, String> {
    let known = [
        ("element-level", Capability::ElementLevel(true)),
        ("no-element-level", Capability::ElementLevel(false)),
        ("prior-arrangement", Capability::PriorArrangement),
        ("not-ready", Capability::NotReady),
        ("strawman", Capability::Strawman),
        ("body-meta", Capability::BodyMeta),
    ];
    let name = text.replace('_', "-");
    let found = known.iter().find(|(known, _)| *known == name).map(|(_, capability)| *capability);
    found.ok_or_else(|| format!("known capabilities are {}", known.map(|(name, _)| name).join(", ")))
}

fn unable(text: &str) -> Result<String, String> {
    if let Some(own) = text.strip_prefix("x:").filter(|own| !own.is_empty()) {
        return Ok(own.to_owned());
    }
    let word = text.to_ascii_lowercase();
    if abilities().any(|name| name == word) {
        return Ok(word);
    }
    let remedy = match nearest(&word, abilities) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("known names are {}", abilities().collect::<Vec<_>>().join(", ")),
    };
    Err(format!("unknown usage, qualifier or directive `{text}`; {remedy} (for a custom name, write `x:{text}`)"))
}

fn usages(text: &str) -> Result<Usages, String> {
    let mut usages = Vec::new();
    for word in text.split(',').map(str::trim) {
        if word == "all" {
            usages.extend(Usage::NAMED.iter().cloned());
        } else {
            usages.push(usage(word)?);
        }
    }
    Ok(Usages(usages))
}

fn usage(word: &str) -> Result<Usage, String> {
    if let Some(own) = word.strip_prefix("x:").filter(|own| !own.is_empty()) {
        return Ok(Usage::named(own));
    }
    let usage = Usage::named(word);
    if usage.kind() != UsageKind::Unknown {
        return Ok(usage);
    }
    if word.is_empty() || word == "x:" {
        return Err("the name of the usage is empty; write a name, such as `crawl` or `index`".to_owned());
    }
    let remedy = match nearest_usage(&word.to_ascii_lowercase()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => {
            let names: Vec<_> = Usage::NAMED.iter().map(Usage::name).collect();
            format!("known usages are {}", names.join(", "))
        }
    };
    Err(format!("unknown usage `{word}`; {remedy} (for a custom usage, write `x:{word}`)"))
}

fn nearest_usage(word: &str) -> Option<&'static str> {
    nearest(word, || {
        Usage::NAMED.iter().flat_map(|usage| std::iter::once(usage.name()).chain(usage.aliases().iter().copied()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_mistyped_usage_is_suggested() {
        assert_eq!(nearest_usage("indx"), Some("index"));
        assert_eq!(nearest_usage("train_ai"), Some("train-ai"));
        assert_eq!(nearest_usage("snippet"), Some("present-snippet"));
        assert_eq!(nearest_usage("zebra"), None);
        assert_eq!(usages("all").map(|usages| usages.0.len()), Ok(Usage::NAMED.len()));
        assert_eq!(usage("x:zebra").map(|usage| usage.name().to_owned()), Ok("zebra".to_owned()));
        assert_eq!(usage("AI-train"), Ok(Usage::TrainAi));
        assert!(usages("crawl,,index").is_err() && usage("x:").is_err());
    }
}
