//! The options of `byleave write`: clauses, in command-line order.
//!
//! `--permit` and `--prohibit` begin a clause, and the options after them belong to that clause. clap's derived
//! structures do not keep the order of options, so this module builds the clauses from clap's matches.

use super::convert::ReportFormat;
use super::{Usages, usages};
use byleave::Timestamp;
use byleave::model::Modality;
use byleave_review::write::Clause;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

/// `byleave write`.
#[derive(Debug, Args)]
pub struct Write {
    #[command(flatten)]
    pub clauses: Clauses,
    /// `text` for people, or `json` (one object)
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: ReportFormat,
}

pub(super) const WRITE_HELP: &str = "\
Examples:
  byleave write --prohibit index --for ExampleBot
  byleave write --prohibit train-ai --for GPTBot,CCBot --permit index --for '*' --snippet 160
  byleave write --prohibit crawl --path /drafts/ --permit crawl --path /drafts/open/
  byleave write --permit index --until 2027-12-31 --format json

`--permit` and `--prohibit` begin a clause.
`--for`, `--path`, `--snippet` and `--until` belong to the clause before them.
A clause for a named crawler overrides a clause for `*`.
A clause for a narrower path overrides a clause for a wider one.
Byleave reads each carrier's lines without other rules, and checks whether they express the intent.
Exit code: 0 at least one carrier expresses it exactly, 1 none does, 2 the clauses contradict each other.";

/// The clauses on a command line.
#[derive(Clone, Debug)]
pub struct Clauses(pub Vec<Clause>);

impl Args for Clauses {
    fn augment_args(command: Command) -> Command {
        let option = |name: &'static str, value: &'static str, help: &'static str| {
            Arg::new(name).long(name).value_name(value).action(ArgAction::Append).help(help)
        };
        command
            .arg(
                option("permit", "USAGES", "Begin a clause that permits these usages, separated by commas")
                    .value_parser(usages),
            )
            .arg(
                option("prohibit", "USAGES", "Begin a clause that prohibits these usages, separated by commas")
                    .value_parser(usages),
            )
            .arg(option(
                "for",
                "NAMES",
                "The crawlers that the clause addresses, separated by commas [default: *, any crawler]",
            ))
            .arg(option(
                "path",
                "PATTERN",
                "The paths that the clause covers, as a robots.txt pattern; may be repeated [default: /]",
            ))
            .arg(
                option("snippet", "LENGTH", "The maximum length of snippets, in characters")
                    .value_parser(clap::value_parser!(u64)),
            )
            .arg(
                option("until", "DATE", "The last day on which the permission holds, such as 2027-12-31")
                    .value_parser(end_of_day),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// An option of a clause, with its value.
enum ClauseOption {
    Begin(Modality, Usages),
    For(String),
    Path(String),
    AnnotatedSource(u64),
    Until(Timestamp),
}

impl FromArgMatches for Clauses {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options: Vec<(usize, ClauseOption)> = Vec::new();
        let mut put = |name: &str, found: Vec<ClauseOption>| {
            let positions = matches.indices_of(name).into_iter().flatten();
            options.extend(positions.zip(found));
        };
        let all = |name: &str| matches.get_many::<Usages>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
        put(
            "permit",
            all("permit").into_iter().map(|usages| ClauseOption::Begin(Modality::Permission, usages)).collect(),
        );
        put(
            "prohibit",
            all("prohibit").into_iter().map(|usages| ClauseOption::Begin(Modality::Prohibition, usages)).collect(),
        );
        let texts = |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
        put("for", texts("for").into_iter().map(ClauseOption::For).collect());
        put("path", texts("path").into_iter().map(ClauseOption::Path).collect());
        put(
            "snippet",
            matches
                .get_many::<u64>("snippet")
                .into_iter()
                .flatten()
                .copied()
                .map(ClauseOption::AnnotatedSource)
                .collect(),
        );
        put(
            "until",
            matches.get_many::<Timestamp>("until").into_iter().flatten().copied().map(ClauseOption::Until).collect(),
        );
        options.sort_by_key(|(position, _)| *position);
        let mut clauses: Vec<Clause> = Vec::new();
        for (_, option) in options {
            if let ClauseOption::Begin(modality, usages) = option {
                let (crawlers, paths) = (Vec::new(), Vec::new());
                clauses.push(Clause { modality, usages: usages.0, crawlers, paths, snippet: None, until: None });
                continue;
            }
            let refused = |what: String| clap::Error::raw(ErrorKind::InvalidValue, what);
            let Some(clause) = clauses.last_mut() else {
                let what = "an option comes before the first clause; begin with `--permit` or `--prohibit`";
                return Err(refused(what.to_owned()));
            };
            match option {
                ClauseOption::Begin(..) => {}
                ClauseOption::For(names) => {
                    let names = names.split(',').map(|name| name.trim().to_owned());
                    clause.crawlers.extend(names);
                    if clause.crawlers.iter().any(String::is_empty) {
                        return Err(refused(
                            "the name of a crawler is empty; write a name, such as `GPTBot`".to_owned(),
                        ));
                    }
                }
                ClauseOption::Path(path) => clause.paths.push(path),
                ClauseOption::AnnotatedSource(length) => {
                    if clause.snippet.replace(length).is_some() {
                        return Err(refused("`--snippet` is given twice in one clause; remove one".to_owned()));
                    }
                }
                ClauseOption::Until(end) => {
                    if clause.until.replace(end).is_some() {
                        return Err(refused("`--until` is given twice in one clause; remove one".to_owned()));
                    }
                }
            }
        }
        Ok(Self(clauses))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns midnight at the end of a day.
fn end_of_day(text: &str) -> Result<Timestamp, String> {
    let start: Result<Timestamp, _> = format!("{text}T00:00:00Z").parse();
    let start = start.map_err(|_| "write a day, such as `2027-12-31`".to_owned())?;
    Ok(Timestamp::from_unix(start.unix().saturating_add(86_400)))
}
