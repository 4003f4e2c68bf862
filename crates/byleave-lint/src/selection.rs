//! Selects which rules to apply, by code, code prefix, family or name.

use crate::catalogue::{Family, RULES, Rule};
use std::fmt;

/// The rules from the catalogue to apply.
///
/// ```
/// use byleave_lint::{RULES, Selection};
/// let selection = Selection::new(["reach", "X001"], ["R0"]).unwrap();
/// let included: Vec<_> = RULES.iter().filter(|rule| selection.includes(rule)).map(|rule| rule.code).collect();
/// assert_eq!(included, ["X001"]);
/// let error = Selection::new(["Z9"], []).unwrap_err();
/// assert_eq!(error.to_string(), "`Z9` is not a rule, a family or the beginning of a code");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    select: Vec<Selector>,
    ignore: Vec<Selector>,
}

/// A parsed selector, which matches one or more rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
    /// All rules whose code begins with this text. A family is represented by its letter.
    Codes(String),
    /// The rule with this name.
    Name(&'static str),
}

/// The error for a selector that matches no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSelector(String);

impl fmt::Display for UnknownSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a rule, a family or the beginning of a code", self.0)
    }
}

impl std::error::Error for UnknownSelector {}

impl Selection {
    /// Returns a selection of every rule.
    #[must_use]
    pub fn everything() -> Self {
        Self { select: Vec::new(), ignore: Vec::new() }
    }

    /// Returns the rules that `select` matches (all rules if it is empty), except those that `ignore` matches. If both
    /// match a rule, the more specific selector wins. A whole code is more specific than a prefix.
    ///
    /// # Errors
    /// If a selector matches no rule.
    pub fn new<'w>(
        select: impl IntoIterator<Item = &'w str>,
        ignore: impl IntoIterator<Item = &'w str>,
    ) -> Result<Self, UnknownSelector> {
        let select = select.into_iter().map(Selector::parse).collect::<Result<_, _>>()?;
        let ignore = ignore.into_iter().map(Selector::parse).collect::<Result<_, _>>()?;
        Ok(Self { select, ignore })
    }

    /// Returns whether this rule is applied.
    #[must_use]
    pub fn includes(&self, rule: &Rule) -> bool {
        let best = |selectors: &[Selector]| selectors.iter().filter_map(|one| one.specificity(rule)).max();
        let selected = if self.select.is_empty() { Some(0) } else { best(&self.select) };
        match (selected, best(&self.ignore)) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(selected), Some(ignored)) => selected > ignored,
        }
    }
}

impl Selector {
    /// Parses a family, a name, a code or the beginning of a code, ignoring case.
    pub(crate) fn parse(word: &str) -> Result<Self, UnknownSelector> {
        if let Some(family) = Family::ALL.iter().find(|family| family.name().eq_ignore_ascii_case(word)) {
            return Ok(Self::Codes(family.letter().to_string()));
        }
        if let Some(rule) = RULES.iter().find(|rule| rule.name.eq_ignore_ascii_case(word)) {
            return Ok(Self::Name(rule.name));
        }
        let code = word.to_ascii_uppercase();
        let is_known = !code.is_empty() && RULES.iter().any(|rule| rule.code.starts_with(&code));
        if is_known { Ok(Self::Codes(code)) } else { Err(UnknownSelector(word.to_owned())) }
    }

    /// Returns whether the selector matches this rule.
    pub(crate) fn matches(&self, rule: &Rule) -> bool {
        self.specificity(rule).is_some()
    }

    /// Returns how specifically the selector matches this rule, or `None` if it does not match.
    fn specificity(&self, rule: &Rule) -> Option<usize> {
        match self {
            Self::Codes(code) => rule.code.starts_with(code.as_str()).then_some(code.len()),
            Self::Name(name) => (*name == rule.name).then_some(rule.code.len()),
        }
    }
}

impl Default for Selection {
    fn default() -> Self {
        Self::everything()
    }
}
