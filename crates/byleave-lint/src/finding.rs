//! What a rule found: where, what is wrong, what to do, and how it could be mended.

use crate::catalogue::Rule;
use crate::compare::VersionDifference;
use byleave::source::Span;
use byleave::{Outcome, Reading};

/// Something in a document that does not work as meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// Where it stands in its document.
    pub span: Span,
    /// What is wrong, in one line, lower case, input in backticks.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that bear on it.
    pub related: Vec<Related>,
    /// How it could be mended.
    pub fix: Option<Fix>,
}

/// Another place that bears on a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The name of its document.
    pub document: String,
    /// Where it stands there.
    pub span: Span,
    /// What it has to do with the finding.
    pub label: String,
}

/// A change of a document that does away with a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// What is replaced, in the order of the document; no two overlap.
    pub edits: Vec<Edit>,
    /// Whether it can be made without asking.
    pub safety: Safety,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub span: Span,
    /// The bytes that come.
    pub replacement: Vec<u8>,
}

/// Whether a fix changes what a document says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Safety {
    /// No decision changes, in any reading.
    Safe,
    /// Something changes; somebody has to want it.
    Suggested {
        /// What changes, in one line.
        effect: String,
        /// FixLevel decisions may change. Where others do, the fix is not made.
        allowed: AllowedChange,
    },
}

/// The decisions that a suggested fix may change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllowedChange {
    /// None in our readings: it is for crawlers that read in yet another way.
    OtherParsers,
    /// Those in these readings.
    Readings(&'static [Reading]),
    /// Those of the crawlers that these names are for, and only to this outcome.
    Crawlers(Vec<String>, Outcome),
    /// Those of crawlers that no group names.
    UnnamedCrawlers,
    /// Any, but only to this outcome.
    ToOutcome(Outcome),
    /// No decisions: facts, such as sitemaps and delays.
    Facts,
}

impl Safety {
    /// How many kinds of fixes there are.
    pub(crate) const KINDS: usize = 7;

    /// Fixes of one kind answer for the same differences. Kinds are made one after the other, so that none answers for
    /// what another changes.
    pub(crate) fn kind(&self) -> usize {
        match self {
            Self::Safe => 0,
            Self::Suggested { allowed, .. } => match allowed {
                AllowedChange::OtherParsers => 1,
                AllowedChange::Facts => 2,
                AllowedChange::UnnamedCrawlers => 3,
                AllowedChange::Readings(_) => 4,
                AllowedChange::Crawlers(..) => 5,
                AllowedChange::ToOutcome(_) => 6,
            },
        }
    }

    /// Whether what differs after a fix is what the fix is for.
    pub(crate) fn expects(&self, difference: &VersionDifference) -> bool {
        let Self::Suggested { allowed, .. } = self else { return false };
        match (allowed, difference) {
            (_, VersionDifference::Unknown) | (AllowedChange::OtherParsers, _) => false,
            (
                AllowedChange::Readings(readings),
                VersionDifference::Decision { reading, .. } | VersionDifference::Fact { reading },
            ) => readings.contains(reading),
            (AllowedChange::Facts, VersionDifference::Fact { .. }) => true,
            (AllowedChange::UnnamedCrawlers, VersionDifference::Decision { crawler, .. }) => crawler.is_none(),
            (AllowedChange::ToOutcome(outcome), VersionDifference::Decision { after, .. }) => after == outcome,
            (AllowedChange::Crawlers(names, outcome), VersionDifference::Decision { crawler, after, .. }) => {
                let is_meant = |crawler: &String| names.iter().any(|name| is_of(crawler, name));
                after == outcome && crawler.as_ref().is_some_and(is_meant)
            }
            (
                AllowedChange::UnnamedCrawlers | AllowedChange::ToOutcome(_) | AllowedChange::Crawlers(..),
                VersionDifference::Fact { .. },
            )
            | (AllowedChange::Facts, VersionDifference::Decision { .. }) => false,
        }
    }
}

/// Whether the crawler called so may be one that a written name is for: the name, or a form of it.
fn is_of(crawler: &str, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let crawler = crawler.to_ascii_lowercase();
    crawler.starts_with(&name) || name.starts_with(&crawler)
}

impl Edit {
    pub(crate) fn new(start: usize, end: usize, replacement: impl Into<Vec<u8>>) -> Self {
        Self { span: Span::new(start, end), replacement: replacement.into() }
    }
}

impl Fix {
    /// These edits; nothing where there are none.
    pub(crate) fn new(safety: Safety, edits: impl IntoIterator<Item = Edit>) -> Option<Self> {
        let edits: Vec<_> = edits.into_iter().collect();
        (!edits.is_empty()).then_some(Self { edits, safety })
    }

    /// The text with its edits made; nothing where they overlap or lie outside.
    #[must_use]
    pub fn applied(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut edited = Vec::with_capacity(text.len());
        let mut at = 0;
        for Edit { span, replacement } in &self.edits {
            edited.extend_from_slice(text.get(at..span.range().start)?);
            edited.extend_from_slice(replacement);
            at = span.range().end;
        }
        edited.extend_from_slice(text.get(at..)?);
        Some(edited)
    }
}

/// Takes what one rule finds in one document.
pub(crate) struct Findings {
    rule: &'static Rule,
    found: Vec<Finding>,
}

impl Findings {
    pub(crate) fn new(rule: &'static Rule) -> Self {
        Self { rule, found: Vec::new() }
    }

    /// Something is wrong here.
    pub(crate) fn at(&mut self, span: Span, message: impl Into<String>) -> FindingBuilder<'_> {
        let (rule, message) = (self.rule, message.into());
        self.found.push(Finding { rule, span, message, help: None, related: Vec::new(), fix: None });
        FindingBuilder(self.found.last_mut())
    }

    pub(crate) fn into_vec(self) -> Vec<Finding> {
        self.found
    }
}

/// The finding that was told of last, to say more of it.
pub(crate) struct FindingBuilder<'f>(Option<&'f mut Finding>);

impl FindingBuilder<'_> {
    /// What to do about it.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        self.with(|finding| finding.help = Some(help.into()))
    }

    /// Another place that bears on it.
    pub(crate) fn related(self, document: &str, span: Span, label: impl Into<String>) -> Self {
        let related = Related { document: document.to_owned(), span, label: label.into() };
        self.with(|finding| finding.related.push(related))
    }

    /// How it could be mended, if it can by editing.
    pub(crate) fn fix(self, safety: Safety, edits: impl IntoIterator<Item = Edit>) -> Self {
        self.with_fix(Fix::new(safety, edits))
    }

    /// The same, where it was made already.
    pub(crate) fn with_fix(self, fix: Option<Fix>) -> Self {
        self.with(|finding| finding.fix = fix)
    }

    fn with(mut self, change: impl FnOnce(&mut Finding)) -> Self {
        if let Some(finding) = &mut self.0 {
            change(finding);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_in_order_and_never_over_each_other() {
        let edit = |start, end, replacement: &str| Edit {
            span: Span::new(start, end),
            replacement: replacement.as_bytes().to_vec(),
        };
        let fix = |edits| Fix { edits, safety: Safety::Safe };
        assert_eq!(fix(vec![edit(0, 1, "A"), edit(2, 2, "-")]).applied(b"abc"), Some(b"Ab-c".to_vec()));
        assert_eq!(fix(vec![edit(0, 2, ""), edit(1, 3, "")]).applied(b"abc"), None);
        assert_eq!(fix(vec![edit(2, 9, "")]).applied(b"abc"), None);
    }
}
