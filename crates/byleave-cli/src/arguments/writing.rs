//! The options of `byleave write`: clauses, in the order of the command line.
//!
//! `--permit` and `--prohibit` begin a clause; what follows is about it. clap's derived structures forget the order of
//! options, so the clauses are taken from its matches here.

use super::converting::ReportFormat;
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
    /// `text` for eyes, `json`: one object
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

`--permit` and `--prohibit` begin a clause; `--for`, `--path`, `--snippet` and `--until` are about the clause before them.
What is said to a crawler by name counts before what is said to `*`, and a path within another before that.
Each carrier's lines are read by themselves and asked whether they say what is meant.
Exit: 0 some carrier says it exactly, 1 none does, 2 the clauses contradict each other.";

/// The clauses of a command line.
#[derive(Clone, Debug)]
pub struct Clauses(pub Vec<Clause>);

impl Args for Clauses {
    fn augment_args(command: Command) -> Command {
        let option = |name: &'static str, value: &'static str, help: &'static str| {
            Arg::new(name).long(name).value_name(value).action(ArgAction::Append).help(help)
        };
        command
            .arg(
                option("permit", "USAGES", "Begin a clause: these are permitted, several by comma")
                    .value_parser(usages),
            )
            .arg(
                option("prohibit", "USAGES", "Begin a clause: these are prohibited, several by comma")
                    .value_parser(usages),
            )
            .arg(option("for", "NAMES", "To these crawlers, several by comma; `*`, or nothing: to any crawler"))
            .arg(option("path", "PATTERN", "Of what this pattern of robots.txt matches; may be repeated [default: /]"))
            .arg(
                option("snippet", "LENGTH", "Snippets of at most so many characters are permitted")
                    .value_parser(clap::value_parser!(u64)),
            )
            .arg(option("until", "DATE", "Up to the end of this day, as 2027-12-31").value_parser(end_of_day))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// An option with its value.
enum Word {
    Begin(Modality, Usages),
    For(String),
    Path(String),
    Snippet(u64),
    Until(Timestamp),
}

impl FromArgMatches for Clauses {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut words: Vec<(usize, Word)> = Vec::new();
        let mut put = |name: &str, found: Vec<Word>| {
            let places = matches.indices_of(name).into_iter().flatten();
            words.extend(places.zip(found));
        };
        let all = |name: &str| matches.get_many::<Usages>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
        put("permit", all("permit").into_iter().map(|usages| Word::Begin(Modality::Permission, usages)).collect());
        put("prohibit", all("prohibit").into_iter().map(|usages| Word::Begin(Modality::Prohibition, usages)).collect());
        let texts = |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect::<Vec<_>>();
        put("for", texts("for").into_iter().map(Word::For).collect());
        put("path", texts("path").into_iter().map(Word::Path).collect());
        put("snippet", matches.get_many::<u64>("snippet").into_iter().flatten().copied().map(Word::Snippet).collect());
        put("until", matches.get_many::<Timestamp>("until").into_iter().flatten().copied().map(Word::Until).collect());
        words.sort_by_key(|(place, _)| *place);
        let mut clauses: Vec<Clause> = Vec::new();
        for (_, word) in words {
            if let Word::Begin(modality, usages) = word {
                let (crawlers, paths) = (Vec::new(), Vec::new());
                clauses.push(Clause { modality, usages: usages.0, crawlers, paths, snippet: None, until: None });
                continue;
            }
            let refused = |what: String| clap::Error::raw(ErrorKind::InvalidValue, what);
            let Some(clause) = clauses.last_mut() else {
                let what = "an option stands before the first clause; begin with `--permit` or `--prohibit`";
                return Err(refused(what.to_owned()));
            };
            match word {
                Word::Begin(..) => {}
                Word::For(names) => {
                    let names = names.split(',').map(|name| name.trim().to_owned());
                    clause.crawlers.extend(names);
                    if clause.crawlers.iter().any(String::is_empty) {
                        return Err(refused("a crawler has a name, such as GPTBot".to_owned()));
                    }
                }
                Word::Path(path) => clause.paths.push(path),
                Word::Snippet(length) => {
                    if clause.snippet.replace(length).is_some() {
                        return Err(refused("`--snippet` is given twice for one clause".to_owned()));
                    }
                }
                Word::Until(end) => {
                    if clause.until.replace(end).is_some() {
                        return Err(refused("`--until` is given twice for one clause".to_owned()));
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

/// The instant at which a day ends.
fn end_of_day(text: &str) -> Result<Timestamp, String> {
    let start: Result<Timestamp, _> = format!("{text}T00:00:00Z").parse();
    let start = start.map_err(|_| "write a day, as `2027-12-31`".to_owned())?;
    Ok(Timestamp::from_unix(start.unix().saturating_add(86_400)))
}
