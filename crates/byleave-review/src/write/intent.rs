//! An intent: clauses that permit or prohibit, and their combined effect for one crawler, usage and path.
//!
//! A clause for a named crawler overrides a clause for any crawler, and a narrower path overrides a wider one. Nothing
//! is guessed: an ambiguous intent is an error.

use crate::usage_intent::{UsageIntent, UsageIntents};
use byleave::analysis::vocabulary::QUALIFIERS;
use byleave::model::{Condition, LengthUnit, Modality, TimeLimit};
use byleave::{Outcome, Policy, Timestamp, Usage};
use std::fmt;

/// One clause of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Whether the clause permits or prohibits.
    pub modality: Modality,
    /// The usages.
    pub usages: Vec<Usage>,
    /// The names of the crawlers. Empty for any crawler.
    pub crawlers: Vec<String>,
    /// The paths, as robots.txt patterns. Empty for all paths.
    pub paths: Vec<String>,
    /// The maximum length of a snippet, in characters.
    pub snippet: Option<u64>,
    /// When the permission ends: the end of its last day.
    pub until: Option<Timestamp>,
}

/// Clauses that do not contradict each other.
#[derive(Clone, Debug)]
pub struct Intent {
    pub(crate) atoms: Vec<Atom>,
    /// The names in the clauses, without duplicates and in order.
    pub(crate) names: Vec<String>,
    /// The paths, without duplicates. `/` is always included.
    pub(crate) paths: Vec<String>,
}

/// The intent for one usage on one path, for one crawler or any crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Atom {
    pub(crate) name: Option<String>,
    pub(crate) usage: Usage,
    pub(crate) path: String,
    pub(crate) intended: UsageIntent,
}

/// Why the clauses are not a valid intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntentError(String);

impl fmt::Display for IntentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for IntentError {}

/// The maximum number of combinations of crawler, usage and path. A larger intent is easier to write as a robots.txt.
const MAX_ATOMS: usize = 400;

impl Intent {
    /// Combines clauses into an intent.
    ///
    /// # Errors
    /// Returns a one-line reason if clauses contradict each other or a clause makes no sense.
    pub fn new(clauses: &[Clause]) -> Result<Self, IntentError> {
        let mut intent = Self { atoms: Vec::new(), names: Vec::new(), paths: vec!["/".to_owned()] };
        for clause in clauses {
            intent.add(clause)?;
        }
        if intent.atoms.is_empty() {
            return Err(IntentError(
                "nothing is permitted or prohibited; add a clause, such as `--prohibit index`".to_owned(),
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
            return Err(IntentError(format!("a prohibition cannot have limits; put `--{what}` after a `--permit`")));
        }
        if clause.snippet == Some(0) {
            return Err(IntentError(
                "a snippet of 0 characters is not a snippet; write `--prohibit present-snippet`".to_owned(),
            ));
        }
        let whom: Vec<Option<String>> = match clause.crawlers.as_slice() {
            [] => vec![None],
            names => names.iter().map(|name| (name != "*").then(|| name.clone())).collect(),
        };
        let paths = if clause.paths.is_empty() { vec!["/".to_owned()] } else { clause.paths.clone() };
        for path in &paths {
            if !path.starts_with(['/', '*']) || path.contains(char::is_whitespace) || path.contains('#') {
                return Err(IntentError(format!(
                    "`{path}` is not a path; begin it with `/`, and write a space as `%20`"
                )));
            }
        }
        for usage in usages_of(clause) {
            let intended = intended(clause, &usage)?;
            for name in &whom {
                for path in &paths {
                    self.put(Atom {
                        name: name.clone(),
                        usage: usage.clone(),
                        path: path.clone(),
                        intended: intended.clone(),
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
            Some(known) if known.intended == atom.intended => return Ok(()),
            Some(known) => {
                let (one, other) = (in_words(&known.intended), in_words(&atom.intended));
                return Err(IntentError(format!(
                    "`{}` on `{}` is both {one} and {other} for {}; remove one of the clauses",
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
                "the clauses have more than {MAX_ATOMS} combinations of crawler, usage and path; write a robots.txt \
                 and lint it"
            )));
        }
        Ok(())
    }

    /// Rejects two paths that overlap, such as `/a/` and `/*.pdf`, if neither contains the other and their clauses
    /// differ.
    fn check_overlaps(&self) -> Result<(), IntentError> {
        for (number, one) in self.atoms.iter().enumerate() {
            for other in self.atoms.iter().skip(number + 1) {
                let is_about_same =
                    one.usage == other.usage && one.name == other.name && one.intended != other.intended;
                if is_about_same && !contains(&one.path, &other.path) && !contains(&other.path, &one.path) {
                    let is_met = !crate::convert::meets(one.path.as_bytes(), other.path.as_bytes()).is_empty();
                    if is_met {
                        return Err(IntentError(format!(
                            "`{}` and `{}` overlap, but their clauses about `{}` differ; use paths where one contains the other",
                            one.path, other.path, one.usage
                        )));
                    }
                }
            }
        }
        Ok(())
    }

    /// Rejects a permission whose prerequisite is prohibited (S-14).
    fn check_prerequisites(&self) -> Result<(), IntentError> {
        for atom in self.atoms.iter().filter(|atom| atom.intended.outcome != Outcome::Prohibited) {
            for needed in atom.usage.prerequisites() {
                let intended = self.intended(atom.name.as_deref(), needed, &witness(&atom.path));
                if intended.is_some_and(|intended| intended.outcome == Outcome::Prohibited) {
                    return Err(IntentError(format!(
                        "`{}` on `{}` is permitted for {}, but it requires `{needed}`, which is prohibited (S-14)",
                        atom.usage,
                        atom.path,
                        whom(atom.name.as_deref())
                    )));
                }
            }
        }
        Ok(())
    }

    /// Returns the intent for a crawler, a usage and a path, or `None` if no clause addresses this combination.
    pub(crate) fn intended(&self, name: Option<&str>, usage: &Usage, path: &str) -> Option<&UsageIntent> {
        // A clause about a usage also addresses the usages within it (S-03).
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

    /// Returns the intents for all usages, for a crawler and a path.
    pub(crate) fn all_intended(&self, name: Option<&str>, path: &str) -> UsageIntents {
        let intended = |usage: &Usage| Some((usage.clone(), self.intended(name, usage, path)?.clone()));
        Usage::NAMED.iter().filter_map(intended).collect()
    }

    /// Returns all usages in the clauses, without duplicates.
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

/// Returns the usages in a clause. A maximum length adds the snippet usages.
fn usages_of(clause: &Clause) -> Vec<Usage> {
    let mut usages = clause.usages.clone();
    if clause.snippet.is_some() {
        usages.extend([Usage::PresentSnippet, Usage::PresentOldsnippet]);
    }
    usages
}

fn intended(clause: &Clause, usage: &Usage) -> Result<UsageIntent, IntentError> {
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
            let remedy = "put it into a clause of its own, without `--until`";
            return Err(IntentError(format!("no dialect can put a time limit on `{usage}`; {remedy}")));
        }
        conditions.push(Condition::TimeLimit(TimeLimit::UntilDate(end)));
    }
    conditions.sort();
    let outcome = if conditions.is_empty() { Outcome::Permitted } else { Outcome::Conditional };
    Ok(UsageIntent { outcome, conditions })
}

/// Returns a phrase for an intent.
pub(crate) fn in_words(intended: &UsageIntent) -> String {
    let conditions: Vec<String> = intended.conditions.iter().map(ToString::to_string).collect();
    match intended.outcome {
        Outcome::Conditional => format!("permitted with {}", conditions.join(", ")),
        outcome => outcome.name().to_owned(),
    }
}

/// Returns a phrase for a crawler.
pub(crate) fn whom(name: Option<&str>) -> String {
    name.map_or("any crawler".to_owned(), |name| format!("`{name}`"))
}

/// Returns the intent with the narrowest path. The paths of all other intents contain that path.
fn narrowest<'a>(atoms: impl Iterator<Item = &'a Atom>) -> Option<&'a UsageIntent> {
    let narrower = |one: &'a Atom, other: &'a Atom| if contains(&one.path, &other.path) { other } else { one };
    atoms.reduce(narrower).map(|atom| &atom.intended)
}

/// Returns whether a pattern matches a path, as the engine decides.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let text = format!("User-agent: *\nDisallow: {pattern}\n");
    !Policy::parse(text.as_bytes()).may_crawl("\u{FFFD}", path)
}

/// Returns whether a pattern matches every path that another pattern matches.
fn contains(pattern: &str, other: &str) -> bool {
    matches(pattern, &witness(other))
}

/// Returns a path that represents a pattern, with a rare character in place of each star.
pub(crate) fn witness(pattern: &str) -> String {
    let (body, tail) = pattern.strip_suffix('$').map_or((pattern, "~"), |body| (body, ""));
    let path = body.replace('*', "~");
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("{slash}{path}{tail}")
}
