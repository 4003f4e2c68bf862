//! Asks the engine about one use, and stores the answer for comparison and display.

use byleave::analysis::SiteStatements;
use byleave::explain::SetAside;
use byleave::model::{Capabilities, LostTo};
use byleave::model::{Scope, Statement, StatementId};
use byleave::{Crawler, Outcome, ProposedUse, Site, Usage};
use std::cell::{Cell, OnceCell};

/// What a site expresses about a use: the outcome and its conditions. Prerequisites (S-14) are not included, because
/// they are usages and have verdicts of their own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// The conditions, in canonical spelling.
    pub conditions: Vec<String>,
}

/// The deciding statement, or the first one if several decide together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecidingStatement {
    /// The name of the statement's document.
    pub document: String,
    /// The line number of the statement, from 1.
    pub line: u32,
    /// The statement as written.
    pub text: String,
    /// The statement's pattern as written, or its resource set.
    pub pattern: Option<String>,
    /// The byte offset of the statement in the document.
    pub(crate) start: u32,
    /// Whether the statement addresses the whole site and therefore has no pattern (S-41, S-42).
    pub(crate) is_of_site: bool,
}

/// A policy that is asked questions, and the number of questions so far.
pub(crate) struct QueriedPolicy<'e> {
    pub(crate) site: &'e Site<'e>,
    statements: OnceCell<SiteStatements<'e>>,
    /// The number of questions asked.
    pub(crate) questions: Cell<usize>,
}

/// A question to the engine, without the resource.
#[derive(Clone, Copy)]
pub(crate) struct UseQuery<'q> {
    pub(crate) crawler: &'q Crawler,
    pub(crate) usage: &'q Usage,
    pub(crate) purposes: &'q [String],
}

impl<'q> UseQuery<'q> {
    fn of(self, url: &'q str) -> ProposedUse<'q> {
        let mut proposed = ProposedUse::new(url, self.crawler, self.usage);
        proposed.purposes = self.purposes;
        proposed
    }
}

impl<'e> QueriedPolicy<'e> {
    pub(crate) fn new(site: &'e Site<'e>) -> Self {
        Self { site, statements: OnceCell::new(), questions: Cell::new(0) }
    }

    pub(crate) fn verdict(&self, query: UseQuery<'_>, url: &str) -> Verdict {
        self.questions.set(self.questions.get() + 1);
        let proposed = query.of(url);
        let outcome = byleave::analysis::decide_unchecked(self.site, &proposed).outcome;
        let conditions = match outcome {
            Outcome::Conditional => byleave::analysis::explain_unchecked(self.site, &proposed).expressed,
            Outcome::Permitted | Outcome::Prohibited | Outcome::Unstated => Vec::new(),
        };
        Verdict { outcome, conditions: conditions.iter().map(ToString::to_string).collect() }
    }

    /// Returns the pattern of a statement, as written.
    pub(crate) fn pattern_of(&self, statement: StatementId, usage: &Usage) -> Option<String> {
        DecidingStatement::of(&self.statements().get(statement, usage)?).pattern
    }

    /// Returns the deciding statement, or `None` if a default decides.
    pub(crate) fn decider(&self, query: UseQuery<'_>, url: &str) -> Option<DecidingStatement> {
        self.deciding(query, url).map(|statement| DecidingStatement::of(&statement))
    }

    /// Returns the deciding statement as the engine's model represents it, or `None` if a default decides.
    pub(crate) fn deciding(&self, query: UseQuery<'_>, url: &str) -> Option<Statement<'e>> {
        let id = byleave::analysis::decide_unchecked(self.site, &query.of(url)).reason.statement()?;
        self.statements().get(id, query.usage)
    }

    /// Returns the pattern that overrides every statement about a use, so that the use is unstated. The pattern belongs
    /// to a line with a longer path that does not address the use, or to a rule that prohibits crawling (S-31, S-41).
    pub(crate) fn silenced_by(&self, query: UseQuery<'_>, url: &str) -> Option<String> {
        let explanation = byleave::analysis::explain_unchecked(self.site, &query.of(url));
        let is_silenced = |one: &SetAside<'_>| {
            matches!(one.by, LostTo::LongerPath(_) | LostTo::Disallowed(_) | LostTo::EarlierRule(_))
        };
        let by = explanation.considered.iter().filter(|one| is_silenced(one)).filter_map(|one| one.to.as_ref());
        by.filter_map(|statement| DecidingStatement::of(statement).pattern).max_by_key(String::len)
    }

    fn statements(&self) -> &SiteStatements<'e> {
        self.statements.get_or_init(|| SiteStatements::of(self.site, &Capabilities::default()))
    }
}

impl DecidingStatement {
    fn of(statement: &Statement<'_>) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            document: statement.document.to_owned(),
            line: statement.line,
            text: text(&statement.text),
            pattern: match statement.scope {
                Scope::Pattern(pattern) | Scope::ResourceSet(pattern) => Some(text(pattern)),
                _ => None,
            },
            start: statement.span.start,
            is_of_site: statement.dialect.is_preference() && statement.scope == Scope::Resource,
        }
    }

    /// Returns the pattern that identifies the statement's place, or the statement's text if it has no pattern.
    pub(crate) fn place(&self) -> &str {
        let whole = if self.is_of_site { "/" } else { &self.text };
        self.pattern.as_deref().unwrap_or(whole)
    }
}
