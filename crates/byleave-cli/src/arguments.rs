//! The command line as types: commands, options and their help. Its checks need no file.
//!
//! Help, man page and completions all come from here. What the words mean is the engine's; this only
//! finds them, and suggests one where a name is mistyped.

mod comparing;
mod converting;
mod crawlers;
mod linting;
mod matrix;
mod mistyped;
mod needing;
mod writing;

pub use comparing::{About, Compare, Diff, ReviewFormat};
pub use converting::{Convert, ConvertTo, ReportFormat};
pub use crawlers::Crawlers;
pub use linting::{FailOn, Fmt, Lint, LintFormat};
pub use matrix::{Matrix, MatrixFormat};
pub use mistyped::nearest;
pub use needing::Needs;
pub use writing::Write;

use crate::output::{ColorWhen, Format};
use byleave::vocabulary::{UsageKind, abilities};
use byleave::{Headers, Obtained, Reading, Timestamp, Usage};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// May this crawler make this use of this resource, on what conditions, and which line says so?
#[derive(Debug, Parser)]
#[command(name = "byleave", version, arg_required_else_help = true, after_help = AFTER_HELP)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
    /// Use colour: `auto` on a terminal unless NO_COLOR is set, `always` or `never`
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

Exit: 0 permitted or unstated, 1 prohibited, 2 could not answer, 3 conditional.";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say for each URL whether the crawler may use it
    #[command(override_usage = "byleave check [OPTIONS] <SITE> --crawler <NAME> [URL]...", after_help = CHECK_HELP)]
    Check(Check),
    /// The same with the line that decides, what lost to it, and why
    #[command(
        override_usage = "byleave explain [OPTIONS] <SITE> --crawler <NAME> [URL]...\n       byleave explain [OPTIONS] --case <FILE:LINE>",
        after_help = EXPLAIN_HELP
    )]
    Explain(Explain),
    /// Give the text of a page that the crawler may use: prohibited elements left out
    #[command(override_usage = "byleave extract [OPTIONS] <PAGE> --crawler <NAME> --usage <USAGE> [URL]", after_help = EXTRACT_HELP)]
    Extract(Extract),
    /// List sitemaps, crawl delays and other facts, and the crawlers named
    #[command(after_help = FACTS_HELP)]
    Facts(Facts),
    /// Say which documents may speak of a resource, and which of them are given
    #[command(after_help = needing::NEEDS_HELP)]
    Needs(Needs),
    /// Run files of expected decisions, or write a first one
    #[command(after_help = TEST_HELP)]
    Test(Test),
    /// Find what in robots.txt, headers and pages does not work as meant
    #[command(override_usage = "byleave lint [OPTIONS] <SOURCE>...\n       byleave lint --list", after_help = linting::LINT_HELP)]
    Lint(Lint),
    /// Lay out robots.txt files canonically; no decision changes
    #[command(override_usage = "byleave fmt [OPTIONS] <SOURCE>...", after_help = linting::FMT_HELP)]
    Fmt(Fmt),
    /// Show who may do what: crawlers by usages, in one table a resource
    #[command(override_usage = "byleave matrix [OPTIONS] <SITE> --url <URL>...", after_help = matrix::MATRIX_HELP)]
    Matrix(Matrix),
    /// List and search the crawlers of the catalogue: whose they are, what for, and who says so
    #[command(after_help = crawlers::CRAWLERS_HELP)]
    Crawlers(Crawlers),
    /// Say what a change of robots.txt changes: who gains or loses which usage where
    #[command(after_help = comparing::DIFF_HELP)]
    Diff(Diff),
    /// Say where the four readings of one robots.txt differ, and why
    #[command(after_help = comparing::COMPARE_HELP)]
    Compare(Compare),
    /// Say the same in another carrier or dialect, and tell what that cannot say
    #[command(after_help = converting::CONVERT_HELP)]
    Convert(Convert),
    /// Write what says this, for robots.txt, headers and META tags
    #[command(after_help = writing::WRITE_HELP)]
    Write(Write),
    /// Print a rule of the semantics or of the linter, or list those of the semantics
    #[command(after_help = RULE_HELP)]
    Rule(Rule),
    /// Print a completion script
    #[command(after_help = COMPLETIONS_HELP)]
    Completions(Completions),
    /// Print the man page
    #[command(after_help = MAN_HELP)]
    Man(Man),
}

/// `byleave check`.
#[derive(Debug, Args)]
pub struct Check {
    #[arg(value_name = "SITE", help = SITE)]
    pub site: PathBuf,
    #[command(flatten)]
    pub asked: Asked,
    #[command(flatten)]
    pub terms: Terms,
    #[command(flatten)]
    pub response: FromResponse,
    #[command(flatten)]
    pub written: Written,
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

Exit: 0 permitted or unstated, 1 prohibited, 2 could not answer, 3 conditional; the gravest of all.";

/// `byleave explain`.
#[derive(Debug, Args)]
pub struct Explain {
    #[arg(value_name = "SITE", help = SITE, required_unless_present = "case")]
    pub site: Option<PathBuf>,
    /// Explain the case at this line of a case file
    #[arg(long, value_name = "FILE:LINE", conflicts_with_all = ["site", "Asked", "Terms", "WhichCrawler", "HowRead", "FromResponse"])]
    pub case: Option<OsString>,
    /// Show the whole walk through ACAP's tiers: every statement, and who set aside whom
    #[arg(long)]
    pub trace: bool,
    #[command(flatten)]
    pub asked: Asked,
    #[command(flatten)]
    pub terms: Terms,
    #[command(flatten)]
    pub response: FromResponse,
    #[command(flatten)]
    pub written: Written,
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

Exit: 0 permitted or unstated, 1 prohibited, 2 could not answer, 3 conditional; the gravest of all.";

/// `byleave extract`.
#[derive(Debug, Args)]
pub struct Extract {
    /// The page, an HTML file or a saved response that begins with `HTTP/`, or `-` for standard input
    #[arg(value_name = "PAGE")]
    pub page: PathBuf,
    /// Its URL, or the path of it [default: /]
    #[arg(value_name = "URL")]
    pub url: Option<String>,
    /// A robots.txt file, a folder that holds one, or `none`
    #[arg(long, value_name = "SITE", default_value = "none", hide_default_value = true)]
    pub site: PathBuf,
    /// `text`: what may be used; `html`: the page, with what may not taken out; `json`: all pieces with spans and reasons
    #[arg(long = "as", value_enum, value_name = "FORM", default_value = "text", hide_possible_values = true)]
    pub form: As,
    #[command(flatten)]
    pub terms: Terms,
    #[command(flatten)]
    pub beside: BesidePage,
}

const EXTRACT_HELP: &str = "\
Examples:
  byleave extract examples/herald/page.html --usage index --crawler NewsBot
  byleave extract examples/herald/page.html --usage index --crawler NewsBot --as html
  byleave extract examples/herald/page.html --usage index --crawler NewsBot --as json --site examples/herald /news/1

Exit: that of the page's answer: 0 permitted or unstated, 1 prohibited, 2 could not answer, 3 conditional.";

/// What `extract` writes.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum As {
    /// The text that may be used
    Text,
    /// The page with what may not taken out: prohibited elements emptied
    Html,
    /// All pieces, kept or left out, with spans and reasons
    Json,
}

/// `byleave facts`.
#[derive(Debug, Args)]
pub struct Facts {
    #[arg(value_name = "SITE", help = SITE)]
    pub site: PathBuf,
    #[command(flatten)]
    pub crawler: WhichCrawler,
    #[command(flatten)]
    pub reading: HowRead,
    #[command(flatten)]
    pub written: Written,
}

const FACTS_HELP: &str = "\
Examples:
  byleave facts examples/gazette
  byleave facts examples/gazette --crawler Bingbot
  byleave facts examples/gazette --format plain | grep ^Sitemap";

/// `byleave test`.
#[derive(Debug, Args)]
pub struct Test {
    /// Case files (JSON Lines) and files of tests (TOML), as docs/cases.md has them [default: byleave-tests.toml]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write a first `byleave-tests.toml` beside this robots.txt, from what it decides today
    #[arg(long, value_name = "SITE", conflicts_with_all = ["files", "FromResponse"])]
    pub init: Option<PathBuf>,
    /// With --init: replace a file that is there
    #[arg(long, requires = "init")]
    pub force: bool,
    #[command(flatten)]
    pub response: FromResponse,
}

const TEST_HELP: &str = "\
Examples:
  byleave test examples/gazette/cases.jsonl
  byleave test conformance/*.jsonl
  byleave test cases.jsonl --page new/index.html
  byleave test --init site/
  byleave test site/byleave-tests.toml

A file that ends in `.toml` has a table [[test]] for each expectation, and [defaults] for what they share.
With --page, --dom, --header, --content-type or --response, cases that have neither page, DOM nor headers of their own
are run with these: so a new page can be tried against the old expectations.
The last line is `N passed, N failed`.
Exit: 0 all passed, 1 some failed, 2 a file cannot be read as cases or holds none.";

/// `byleave rule`.
#[derive(Debug, Args)]
pub struct Rule {
    /// A number of the semantics, as S-06, or a code or name of the linter, as R005; without it S-01 and on are listed
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
    /// A command, for the page of its own
    pub command: Option<String>,
}

const MAN_HELP: &str = "\
Examples:
  byleave man > byleave.1
  byleave man check | man -l -";

const SITE: &str = "A robots.txt file, a folder that holds one, `-` for standard input, or `none`";

/// Which resources.
#[derive(Debug, Args)]
pub struct Asked {
    /// What is asked about: http(s) URLs, or paths that begin with `/` [default: /]
    #[arg(value_name = "URL")]
    pub resources: Vec<String>,
    /// Read more URLs from a file, one a line; `#` begins a comment line
    #[arg(long, value_name = "FILE|-")]
    pub urls: Option<PathBuf>,
}

/// Who asks.
#[derive(Debug, Args)]
#[command(next_help_heading = "Who asks")]
pub struct WhichCrawler {
    /// The crawler's product token
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub crawler: Option<String>,
    /// A name it falls back to where no group names it; may be repeated
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub fallback: Vec<String>,
    /// Its full User-Agent string, whose product tokens are names too
    #[arg(long, value_name = "STRING")]
    pub user_agent: Option<String>,
    /// The crawler obeys only groups that name it, not those for any crawler (`*`)
    #[arg(long)]
    pub ignores_any: bool,
}

/// How the site is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "How the site is read")]
pub struct HowRead {
    /// How to read: default, strict, rfc9309, google, google-search, bing, yandex or amazon
    #[arg(long, value_name = "READING", default_value = "default", hide_default_value = true)]
    pub reading: Reading,
    /// How robots.txt was obtained: an HTTP status, `unreachable` or `too-many-redirects`
    #[arg(long, value_name = "STATUS", value_parser = status)]
    pub status: Option<Obtained>,
    /// A further document of the site: its location and the file that holds it; may be repeated
    #[arg(long, num_args = 2, value_names = ["LOCATION", "FILE"], action = clap::ArgAction::Append)]
    pub document: Vec<OsString>,
}

/// What the page and its response say. One page: it is asked about one resource.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "The page and its response")]
pub struct FromResponse {
    /// The page, an HTML file
    #[arg(long, value_name = "FILE|-", conflicts_with = "response")]
    pub page: Option<PathBuf>,
    /// A saved response: headers, a blank line and the page, as `curl -i` writes it
    #[arg(long, value_name = "FILE|-")]
    pub response: Option<PathBuf>,
    #[command(flatten)]
    pub beside: BesidePage,
}

/// What came with a page.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "The response")]
pub struct BesidePage {
    /// The page's DOM after its scripts were run, as an HTML file
    #[arg(long, value_name = "FILE|-")]
    pub dom: Option<PathBuf>,
    /// A header of the page's response; may be repeated
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    pub header: Vec<(String, String)>,
    /// The page's type, as Content-Type has it; it counts before the header
    #[arg(long, value_name = "TYPE")]
    pub content_type: Option<String>,
    /// When the response was fetched, in RFC 3339; how long it is fresh is counted from there
    #[arg(long, value_name = "TIME")]
    pub fetched: Option<Timestamp>,
}

/// On what terms.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is asked")]
pub struct Terms {
    /// What it would do, several by comma, or `all`; `x:NAME` for a name of your own [default: crawl]
    #[arg(long, value_name = "USAGE", value_parser = usages)]
    pub usage: Vec<Usages>,
    /// The part of the page it is about, `#id` or `.class`: the first such element; without it, the page
    #[arg(long, value_name = "ELEMENT", value_parser = element)]
    pub element: Option<String>,
    /// A purpose the crawler recognises as its own; may be repeated
    #[arg(long, value_name = "PURPOSE", value_parser = purpose)]
    pub purpose: Vec<String>,
    /// The time asked about, in RFC 3339
    #[arg(long, value_name = "TIME")]
    pub at: Option<Timestamp>,
    /// When this use was first made, in RFC 3339
    #[arg(long, value_name = "TIME")]
    pub first_used: Option<Timestamp>,
    /// The resource was crawled again since
    #[arg(long)]
    pub recrawled: bool,
    /// The text of the snippet to be shown, to be held against a length
    #[arg(long, value_name = "TEXT")]
    pub snippet: Option<String>,
    /// How the resource would be changed: format, style, translation, annotation, any or none
    #[arg(long, value_name = "KIND", value_parser = modification)]
    pub modification: Option<String>,
    /// What it would be shown in: within-user-frame or within-original-frame
    #[arg(long, value_name = "CONTEXT")]
    pub context: Option<String>,
    /// What the crawler can do: prior-arrangement, not-ready, strawman, body-meta, element-level, no-element-level
    #[arg(long, value_name = "NAME", value_parser = capability)]
    pub capability: Vec<Capability>,
    /// A usage, qualifier or word the crawler cannot interpret; may be repeated
    #[arg(long, value_name = "NAME", value_parser = unable)]
    pub unable: Vec<String>,
    /// What you do where nothing is stated: permit or prohibit
    #[arg(long, value_enum, value_name = "DO", default_value = "permit", hide_possible_values = true)]
    pub unstated: Unstated,
    #[command(flatten)]
    pub crawler: WhichCrawler,
    #[command(flatten)]
    pub reading: HowRead,
}

/// How answers are written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct Written {
    /// `text` for eyes, `plain` for ears and grep (tab-separated), `json` for programs (JSON Lines)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// What the caller does where nothing is stated.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Unstated {
    /// Go ahead
    Permit,
    /// Do not
    Prohibit,
}

/// One value of `--usage`.
#[derive(Clone, Debug)]
pub struct Usages(pub Vec<Usage>);

/// One value of `--capability`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// It can, or it cannot, tell the elements of a page apart.
    ElementLevel(bool),
    /// Site and crawler have arranged the features that need it.
    PriorArrangement,
    /// It interprets what ACAP calls not ready.
    NotReady,
    /// It interprets the strawman of 2007.
    Strawman,
    /// It takes restrictions from META tags outside `head`.
    BodyMeta,
}

fn name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("a crawler has a name, such as GPTBot".to_owned()) } else { Ok(text.to_owned()) }
}

fn purpose(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("a purpose has a name, or is a URI".to_owned()) } else { Ok(text.to_owned()) }
}

fn element(text: &str) -> Result<String, String> {
    let name = text.strip_prefix(['#', '.']).filter(|name| !name.is_empty() && !name.contains(char::is_whitespace));
    name.map(|_| text.to_owned()).ok_or_else(|| "write `#` and an id, or `.` and a class".to_owned())
}

fn header(text: &str) -> Result<(String, String), String> {
    let remedy = "write it as `Name: value`, as in `X-Robots-Tag: noindex`";
    let (name, value) = text.split_once(':').ok_or(remedy)?;
    let name = name.trim();
    if !Headers::is_name(name) {
        return Err(format!("no header has such a name; {remedy}"));
    }
    if value.contains(['\n', '\r', '\0']) {
        return Err(format!("a header is one line; {remedy}"));
    }
    Ok((name.to_owned(), value.trim().to_owned()))
}

fn modification(text: &str) -> Result<String, String> {
    let known = ["format", "style", "translation", "annotation", "none", "any"];
    if known.contains(&text) { Ok(text.to_owned()) } else { Err(format!("there are {}", known.join(", "))) }
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
    found.ok_or_else(|| format!("there are {}", known.map(|(name, _)| name).join(", ")))
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
        None => format!("there are {}", abilities().collect::<Vec<_>>().join(", ")),
    };
    Err(format!("no usage, qualifier or word is called `{text}`; {remedy} (a name of your own is written `x:{text}`)"))
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
        return Err("a usage has a name, such as `crawl` or `index`".to_owned());
    }
    let remedy = match nearest_usage(&word.to_ascii_lowercase()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => {
            let names: Vec<_> = Usage::NAMED.iter().map(Usage::name).collect();
            format!("there are {}", names.join(", "))
        }
    };
    Err(format!("no usage is called `{word}`; {remedy} (a name of your own is written `x:{word}`)"))
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
    fn the_definition_is_sound() {
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
