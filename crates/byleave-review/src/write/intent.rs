//! A statement of intent: clauses that permit or prohibit, and what they come to for one crawler, usage and path.
//!
//! Of what is said to a crawler by name and to any crawler, the name counts; of two paths the narrower. Whatever would
//! have to be guessed is refused.

use crate::directive_writer::{UsageIntent, UsageIntents};
use byleave::model::{Condition, LengthUnit, Modality, TimeLimit};
use byleave::vocabulary::QUALIFIERS;
use byleave::{Instant, Outcome, Policy, Usage};
use std::fmt;

/// One clause of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Whether it permits or prohibits.
    pub modality: Modality,
    /// What.
    pub usages: Vec<Usage>,
    /// To whom by name; none: to any crawler.
    pub crawlers: Vec<String>,
    /// Of which paths, as patterns of robots.txt; none: all.
    pub paths: Vec<String>,
    /// How many characters a snippet may have.
    pub snippet: Option<u64>,
    /// The last day on which what is permitted may be done: its end.
    pub until: Option<Instant>,
}

/// What is to be said, free of contradictions.
#[derive(Clone, Debug)]
pub struct Intent {
    pub(crate) atoms: Vec<Atom>,
    /// The names, each once, in the order of the clauses.
    pub(crate) names: Vec<String>,
    /// The paths, each once; `/` is among them.
    pub(crate) paths: Vec<String>,
}

/// One usage of one path for one crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Atom {
    pub(crate) name: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) path: String,
    pub(crate) wish: UsageIntent,
}

/// Why a statement of intent cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntentError(String);

impl fmt::Display for IntentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for IntentError {}

/// More than this is no short statement.
const MAX_ATOMS: usize = 400;

impl Intent {
    /// The intent of these clauses.
    ///
    /// # Errors
    /// Where clauses contradict each other, or one says what cannot be meant: why, in one line.
    pub fn new(clauses: &[Clause]) -> Result<Self, IntentError> {
        let mut intent = Self { atoms: Vec::new(), names: Vec::new(), paths: vec!["/".to_owned()] };
        for clause in clauses {
            intent.add(clause)?;
        }
        if intent.atoms.is_empty() {
            return Err(IntentError(
                "nothing is permitted or prohibited; write a clause, as `--prohibit index`".to_owned(),
            ));
        }
        intent.check_overlaps()?;
        intent.check_prerequisites()?;
        Ok(intent)
    }

    fn add(&mut self, clause: &Clause) -> Result<(), IntentError> {
        let is_permission = clause.modality == Modality::Permission;
        if !is_permission && (clause.snippet.is_some() || clause.until.is_some()) {
            let what = if clause.snippet.is_some() { "snippet" } else { "until" };
            return Err(IntentError(format!("a prohibition has no limits; put `--{what}` behind a `--permit`")));
        }
        if clause.snippet == Some(0) {
            return Err(IntentError(
                "a snippet of 0 characters is none; write `--prohibit present-snippet`".to_owned(),
            ));
        }
        let whom: Vec<Option<String>> = match clause.crawlers.as_slice() {
            [] => vec![None],
            names => names.iter().map(|name| (name != "*").then(|| name.clone())).collect(),
        };
        let paths = if clause.paths.is_empty() { vec!["/".to_owned()] } else { clause.paths.clone() };
        for path in &paths {
            if !path.starts_with(['/', '*']) || path.contains(char::is_whitespace) || path.contains('#') {
                return Err(IntentError(format!("`{path}` is no path; begin with `/`, and write a blank as `%20`")));
            }
        }
        for usage in wished(clause) {
            let wish = wish(clause, &usage)?;
            for name in &whom {
                for path in &paths {
                    self.put(Atom {
                        name: name.clone(),
                        usage: usage.clone(),
                        path: path.clone(),
                        wish: wish.clone(),
                    })?;
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, atom: Atom) -> Result<(), IntentError> {
        let is_same_name = |one: &Option<String>| match (one, &atom.name) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            (None, None) => true,
            _ => false,
        };
        let known =
            self.atoms.iter().find(|one| is_same_name(&one.name) && one.usage == atom.usage && one.path == atom.path);
        match known {
            Some(known) if known.wish == atom.wish => return Ok(()),
            Some(known) => {
                let (one, other) = (said(&known.wish), said(&atom.wish));
                return Err(IntentError(format!(
                    "`{}` of `{}` is {one} and {other} to {}; say one of both",
                    atom.usage,
                    atom.path,
                    whom(atom.name.as_deref())
                )));
            }
            None => {}
        }
        if let Some(name) = &atom.name
            && !self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
        {
            self.names.push(name.clone());
        }
        if !self.paths.contains(&atom.path) {
            self.paths.push(atom.path.clone());
        }
        self.atoms.push(atom);
        if self.atoms.len() > MAX_ATOMS {
            return Err(IntentError(format!(
                "that is more than {MAX_ATOMS} usages of paths; write a robots.txt, and lint it"
            )));
        }
        Ok(())
    }

    /// Refuses paths that meet without one lying within the other, where both are spoken of and not alike.
    fn check_overlaps(&self) -> Result<(), IntentError> {
        for (number, one) in self.atoms.iter().enumerate() {
            for other in self.atoms.iter().skip(number + 1) {
                let is_about_same = one.usage == other.usage && one.name == other.name && one.wish != other.wish;
                if is_about_same && !contains(&one.path, &other.path) && !contains(&other.path, &one.path) {
                    let is_met = !crate::convert::meets(one.path.as_bytes(), other.path.as_bytes()).is_empty();
                    if is_met {
                        return Err(IntentError(format!(
                            "`{}` and `{}` have paths in common, and `{}` is not the same in both; name paths of which one lies within the other",
                            one.path, other.path, one.usage
                        )));
                    }
                }
            }
        }
        Ok(())
    }

    /// Refuses to permit what a prohibited prerequisite makes impossible (S-14).
    fn check_prerequisites(&self) -> Result<(), IntentError> {
        for atom in self.atoms.iter().filter(|atom| atom.wish.outcome != Outcome::Prohibited) {
            for needed in atom.usage.prerequisites() {
                let wish = self.wish(atom.name.as_deref(), needed, &witness(&atom.path));
                if wish.is_some_and(|wish| wish.outcome == Outcome::Prohibited) {
                    return Err(IntentError(format!(
                        "`{}` of `{}` is permitted to {}, but needs `{needed}`, which is prohibited (S-14)",
                        atom.usage,
                        atom.path,
                        whom(atom.name.as_deref())
                    )));
                }
            }
        }
        Ok(())
    }

    /// What is wished for a crawler, a usage and a path; nothing where nothing is said of it.
    pub(crate) fn wish(&self, name: Option<&str>, usage: &Usage, path: &str) -> Option<&UsageIntent> {
        // A usage that lies within another is spoken of with it (S-03).
        let tiers = std::iter::once(usage).chain(usage.within());
        tiers.into_iter().find_map(|usage| {
            let of_usage = || self.atoms.iter().filter(move |atom| atom.usage == *usage && matches(&atom.path, path));
            let is_name = |atom: &&Atom| match (&atom.name, name) {
                (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
                _ => false,
            };
            let named = narrowest(of_usage().filter(is_name));
            named.or_else(|| narrowest(of_usage().filter(|atom| atom.name.is_none())))
        })
    }

    /// What is wished of every usage, for a crawler and a path.
    pub(crate) fn wishes(&self, name: Option<&str>, path: &str) -> UsageIntents {
        let wish = |usage: &Usage| Some((usage.clone(), self.wish(name, usage, path)?.clone()));
        Usage::NAMED.iter().filter_map(wish).collect()
    }

    /// Every usage that is spoken of, each once.
    pub(crate) fn usages(&self) -> Vec<&Usage> {
        let mut usages: Vec<&Usage> = Vec::new();
        for atom in &self.atoms {
            if !usages.contains(&&atom.usage) {
                usages.push(&atom.usage);
            }
        }
        usages
    }
}

/// The usages of a clause; a length of snippets is about those.
fn wished(clause: &Clause) -> Vec<Usage> {
    let mut usages = clause.usages.clone();
    if clause.snippet.is_some() {
        usages.extend([Usage::PresentSnippet, Usage::PresentOldsnippet]);
    }
    usages
}

fn wish(clause: &Clause, usage: &Usage) -> Result<UsageIntent, IntentError> {
    if clause.modality == Modality::Prohibition {
        return Ok(UsageIntent { outcome: Outcome::Prohibited, conditions: Vec::new() });
    }
    let mut conditions = Vec::new();
    if let Some(length) = clause.snippet.filter(|_| matches!(usage, Usage::PresentSnippet | Usage::PresentOldsnippet)) {
        conditions.push(Condition::MaxLength(length, LengthUnit::Chars));
    }
    if let Some(end) = clause.until {
        let takes_limits = QUALIFIERS.iter().find(|word| word.name == "time-limit");
        if takes_limits.and_then(|word| word.readiness(usage)).is_none() {
            let remedy = "say it in a clause of its own, without `--until`";
            return Err(IntentError(format!("no dialect limits `{usage}` in time; {remedy}")));
        }
        conditions.push(Condition::TimeLimit(TimeLimit::UntilDate(end)));
    }
    conditions.sort();
    let outcome = if conditions.is_empty() { Outcome::Permitted } else { Outcome::Conditional };
    Ok(UsageIntent { outcome, conditions })
}

/// A wish in words.
pub(crate) fn said(wish: &UsageIntent) -> String {
    let conditions: Vec<String> = wish.conditions.iter().map(ToString::to_string).collect();
    match wish.outcome {
        Outcome::Conditional => format!("permitted with {}", conditions.join(", ")),
        outcome => outcome.name().to_owned(),
    }
}

/// A crawler in words.
pub(crate) fn whom(name: Option<&str>) -> String {
    name.map_or("any crawler".to_owned(), |name| format!("`{name}`"))
}

/// The atom whose path lies within those of all others.
fn narrowest<'a>(atoms: impl Iterator<Item = &'a Atom>) -> Option<&'a UsageIntent> {
    let narrower = |one: &'a Atom, other: &'a Atom| if contains(&one.path, &other.path) { other } else { one };
    atoms.reduce(narrower).map(|atom| &atom.wish)
}

/// Whether a pattern matches a path, asked of the engine.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let text = format!("User-agent: *\nDisallow: {pattern}\n");
    !Policy::read(text.as_bytes()).may_crawl("\u{FFFD}", path)
}

/// Whether a pattern matches all that another does.
fn contains(pattern: &str, other: &str) -> bool {
    matches(pattern, &witness(other))
}

/// A path that stands for a pattern: its stars taken for a character that few paths have.
pub(crate) fn witness(pattern: &str) -> String {
    let (body, tail) = pattern.strip_suffix('$').map_or((pattern, "~"), |body| (body, ""));
    let path = body.replace('*', "~");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("{slash}{path}{tail}")
}
