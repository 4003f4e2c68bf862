//! The result of a rule: where the problem is, what is wrong, what to do, and an optional fix.
//!
//! A fix declares which decisions it may change ([`AllowedChange`]). The module `fix` checks the declaration by
//! comparing both versions of the file.

use crate::catalogue::Rule;
use crate::compare::VersionDifference;
use byleave::analysis::source::Span;
use byleave::{Outcome, Reading};

/// A problem that a rule found in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that reports the problem.
    pub rule: &'static Rule,
    /// The position of the problem in the document.
    pub span: Span,
    /// What is wrong: one line, lower case, input in backticks.
    pub message: String,
    /// What to do about the problem.
    pub help: Option<String>,
    /// Other places that help to explain the problem.
    pub related: Vec<Related>,
    /// The edits that would remove the problem.
    pub fix: Option<Fix>,
}

/// Another place that helps to explain a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The name of the document that contains the place.
    pub document: String,
    /// The position in that document.
    pub span: Span,
    /// How the place relates to the finding.
    pub label: String,
}

/// Edits that remove a problem from a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// The edits, in document order and without overlaps.
    pub edits: Vec<Edit>,
    /// Whether the fix can be applied without asking the publisher.
    pub safety: Safety,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The span to replace.
    pub span: Span,
    /// The bytes that replace the span.
    pub replacement: Vec<u8>,
}

/// Whether a fix changes decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Safety {
    /// No decision changes, in any reading.
    Safe,
    /// A decision, a fact or the result of another parser changes, so the publisher has to approve the fix.
    Suggested {
        /// What changes, in one line.
        effect: String,
        /// Which decisions may change. If any other decision changes, the fix is not applied.
        allowed: AllowedChange,
    },
}

/// The decisions that a suggested fix may change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllowedChange {
    /// No decision in our readings. The fix only affects other parsers.
    OtherParsers,
    /// Decisions in these readings.
    Readings(&'static [Reading]),
    /// Decisions about the crawlers with these names. Each changed decision must have this outcome afterwards.
    Crawlers(Vec<String>, Outcome),
    /// Decisions about crawlers that no group names.
    UnnamedCrawlers,
    /// Any decision. Each changed decision must have this outcome afterwards.
    ToOutcome(Outcome),
    /// No decisions, only facts such as sitemaps and delays.
    Facts,
}

impl Safety {
    /// The number of kinds that [`Safety::kind`] returns.
    pub(crate) const KINDS: usize = 7;

    /// Returns the kind of a fix. Fixes of one kind allow similar differences and are applied together. Kinds are
    /// applied one after the other, so that no fix hides a change made by a fix of another kind.
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

    /// Returns whether the fix declares that it may cause this difference between the versions.
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

/// Returns whether a `User-agent` name may refer to this crawler, because one name is a prefix of the other.
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
    /// Returns a fix with these edits, or `None` if there are none.
    pub(crate) fn new(safety: Safety, edits: impl IntoIterator<Item = Edit>) -> Option<Self> {
        let edits: Vec<_> = edits.into_iter().collect();
        (!edits.is_empty()).then_some(Self { edits, safety })
    }

    /// Returns the edited text, or `None` if edits overlap or lie outside the text.
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

/// Collects one rule's findings in one document.
pub(crate) struct Findings {
    rule: &'static Rule,
    found: Vec<Finding>,
}

impl Findings {
    pub(crate) fn new(rule: &'static Rule) -> Self {
        Self { rule, found: Vec::new() }
    }

    /// Adds a finding at this place.
    pub(crate) fn at(&mut self, span: Span, message: impl Into<String>) -> FindingBuilder<'_> {
        let (rule, message) = (self.rule, message.into());
        self.found.push(Finding { rule, span, message, help: None, related: Vec::new(), fix: None });
        FindingBuilder(self.found.last_mut())
    }

    pub(crate) fn into_vec(self) -> Vec<Finding> {
        self.found
    }
}

/// A handle to the most recent finding, for adding details.
pub(crate) struct FindingBuilder<'f>(Option<&'f mut Finding>);

impl FindingBuilder<'_> {
    /// Sets the advice on what to do.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        self.with(|finding| finding.help = Some(help.into()))
    }

    /// Adds another place that helps to explain the finding.
    pub(crate) fn related(self, document: &str, span: Span, label: impl Into<String>) -> Self {
        let related = Related { document: document.to_owned(), span, label: label.into() };
        self.with(|finding| finding.related.push(related))
    }

    /// Sets the fix. If there are no edits, the finding has no fix.
    pub(crate) fn fix(self, safety: Safety, edits: impl IntoIterator<Item = Edit>) -> Self {
        self.with_fix(Fix::new(safety, edits))
    }

    /// Sets the fix, if there is one.
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
    fn edits_are_applied_in_order_and_never_overlap() {
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
