//! The command `byleave`: reads arguments and files, asks the engine, and writes the answers.
//!
//! No decision is made here. Answers go to standard output. If a command cannot answer, it writes one line to standard
//! error and nothing to standard output.

mod annotate;
mod arguments;
mod check;
mod compare;
mod convert;
mod crawlers;
mod diff;
mod explain;
mod extract;
mod facts;
mod fmt;
mod lint;
mod matrix;
mod needs;
mod output;
mod question;
mod rule;
mod site;
mod sources;
mod stored_response;
mod test;
mod tests_file;
mod text_diff;
mod write;

use arguments::{Arguments, Command, ResponseOptions};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use output::{Format, Output, escaped, exit};
use question::Question;
use site::{FileReader, ResponseFiles};
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let code = match Arguments::try_parse() {
        Ok(arguments) => run(arguments).unwrap_or_else(|failure| failure.report()),
        Err(error) => refuse(&error),
    };
    ExitCode::from(code)
}

/// Why there is no answer: a message of one line, with the problem and the remedy.
pub struct Failure(String);

impl Failure {
    /// Creates a failure from its message, which must be one line.
    pub fn new(line: impl Into<String>) -> Self {
        Self(line.into())
    }

    fn report(&self) -> u8 {
        // If standard error is closed, nobody can read the message anyway.
        let _ = writeln!(io::stderr(), "byleave: {}", self.0);
        exit::NO_ANSWER
    }
}

/// An error while writing the answer. Read errors are converted where files are read.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::new(format!("cannot write the answer: {error}; check that the output is writable"))
    }
}

const PAGE_REMEDY: &str = "`--page` takes an HTML file";

/// Writes a warning about an answer to standard error. The answer is written anyway.
pub fn warn(line: &str) {
    let _ = writeln!(io::stderr(), "byleave: {line}");
}

fn run(arguments: Arguments) -> Result<u8, Failure> {
    let out = &mut Output::stdout(arguments.color);
    let files = &mut FileReader::default();
    let code = match arguments.command {
        Command::Check(check) => {
            let site = question::site(&check.site, &check.use_options.reading, files)?;
            let reading = check.use_options.reading.reading;
            let response = ResponseFiles::read(check.response, PAGE_REMEDY, files)?;
            let question = Question::new(check.resources, check.use_options, files)?;
            let site = question.with_response(site, response)?;
            site.warn_malformed(reading);
            check::check(&site.site(reading), &question, check.output.format, out)?
        }
        Command::Explain(explain) => match (explain.case, explain.site) {
            (Some(case), _) => test::explain_case(&case, explain.output.format, explain.trace, out)?,
            (None, Some(site)) => {
                let site = question::site(&site, &explain.use_options.reading, files)?;
                let reading = explain.use_options.reading.reading;
                let response = ResponseFiles::read(explain.response, PAGE_REMEDY, files)?;
                let question = Question::new(explain.resources, explain.use_options, files)?;
                let site = question.with_response(site, response)?;
                let (format, traces) = (explain.output.format, explain.trace);
                // The text and JSON formats contain the diagnostics themselves.
                if format == Format::Plain {
                    site.warn_malformed(reading);
                }
                explain::explain(&site.site(reading), &question, &site.names(), format, traces, out)?
            }
            (None, None) => return Err(Failure::new("nothing to explain; give SITE or `--case FILE:LINE`")),
        },
        Command::Extract(asked) => {
            let reading = asked.use_options.reading.reading;
            if reading == byleave::Reading::Rfc9309 {
                return Err(Failure::new(
                    "the reading rfc9309 does not read pages; omit `--reading`, or choose another reading",
                ));
            }
            if asked.use_options.usage.is_empty() {
                return Err(Failure::new(
                    "the usable text depends on the usage; name a usage, for example with `--usage index`",
                ));
            }
            let site = question::site(&asked.site, &asked.use_options.reading, files)?;
            let page = site::shown(&asked.page);
            let response = ResponseOptions { page: Some(asked.page), response: None, details: asked.details };
            let response = ResponseFiles::read(response, "give an HTML file, a stored response, or `-`", files)?;
            let resources = asked.url.into_iter().collect();
            let question =
                Question::new(arguments::ResourceOptions { resources, urls: None }, asked.use_options, files)?;
            let site = question.with_response(site, response)?;
            site.warn_malformed(reading);
            extract::extract(&page, &site.site(reading), &question, asked.form, out)?
        }
        Command::Facts(facts) => {
            let site = question::site(&facts.site, &facts.reading, files)?;
            let crawler = question::crawler(&facts.crawler)?;
            facts::facts(&site.site(facts.reading.reading), crawler.as_ref(), facts.output.format, out)?;
            exit::FINE
        }
        Command::Needs(asked) => {
            let site = question::site(&asked.site, &asked.reading, files)?;
            let response = ResponseFiles::read(asked.response, PAGE_REMEDY, files)?;
            let urls =
                question::resources(arguments::ResourceOptions { resources: vec![asked.url], urls: None }, files)?;
            let url = urls.first().map(String::as_str).unwrap_or("/");
            let crawler = question::crawler(&asked.crawler)?.unwrap_or_else(|| byleave::Crawler::named("*"));
            let site = site.with_response(response);
            needs::needs(&site.site(asked.reading.reading), url, &crawler, asked.output.format, out)?;
            exit::FINE
        }
        Command::Test(arguments::Test { init: Some(site), force, .. }) => tests_file::init(&site, force, files, out)?,
        Command::Test(test) => {
            let response = ResponseFiles::read(test.response, PAGE_REMEDY, files)?;
            test::test(&test.files, &response, files, out)?
        }
        Command::Lint(asked) => lint::lint(&asked, files, out)?,
        Command::Fmt(asked) => fmt::fmt(&asked, files, out)?,
        Command::Matrix(asked) => {
            matrix::matrix(asked, files, out)?;
            exit::FINE
        }
        Command::Crawlers(asked) => crawlers::crawlers(&asked, out)?,
        Command::Diff(asked) => diff::diff(asked, files, out)?,
        Command::Compare(asked) => compare::compare(asked, files, out)?,
        Command::Convert(asked) => convert::convert(asked, files, out)?,
        Command::Write(asked) => write::write(&asked, out)?,
        Command::Rule(rule) => {
            rule::rule(rule.rule.as_deref(), out)?;
            exit::FINE
        }
        Command::Completions(completions) => {
            let mut script = Vec::new();
            clap_complete::generate(completions.shell, &mut Arguments::command(), "byleave", &mut script);
            out.write_all(&script)?;
            exit::FINE
        }
        Command::Man(man) => {
            write_man_page(man.command.as_deref(), out)?;
            exit::FINE
        }
    };
    out.flush()?;
    Ok(code)
}

/// Writes the man page for Byleave, or for one command.
fn write_man_page(name: Option<&str>, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut whole = Arguments::command();
    whole.build();
    let command = match name {
        None => whole,
        Some(name) => whole.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::new(format!("unknown command `{}`; `byleave --help` lists the commands", escaped(name)))
        })?,
    };
    clap_mangen::Man::new(command).render(out)?;
    Ok(())
}

/// Writes help and version unchanged, and any error in the arguments as one line. Returns the exit code.
fn refuse(error: &clap::Error) -> u8 {
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let mut out = Output::stdout(output::ColorWhen::Never);
            let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            written.map_or_else(|error| Failure::from(error).report(), |()| exit::FINE)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = io::stderr().write_all(text.as_bytes());
            exit::NO_ANSWER
        }
        _ => Failure::new(format!("{}; try `{} --help`", one_line(&text), command_in_arguments())).report(),
    }
}

/// Returns clap's message on one line, without the usage text and the hint about `--help`.
fn one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let end = ["\n\nUsage:", "\n\nFor more information"].iter().filter_map(|next| text.find(next)).min();
    let message = end.and_then(|end| text.get(..end)).unwrap_or(text);
    let parts = message.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    escaped(&parts.join("; ")).into_owned()
}

/// Returns `byleave`, followed by the subcommand if the arguments contain one.
fn command_in_arguments() -> String {
    let definition = Arguments::command();
    let mut words = std::env::args_os().skip(1);
    let named = words.find_map(|word| definition.find_subcommand(word).map(|command| command.get_name().to_owned()));
    named.map_or("byleave".to_owned(), |name| format!("byleave {name}"))
}
