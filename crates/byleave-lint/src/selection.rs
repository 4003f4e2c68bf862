//! FixLevel rules count: chosen and left out by code, by the beginning of codes, by family or by name.

use crate::catalogue::{Family, RULES, Rule};
use std::fmt;

/// FixLevel rules of the catalogue count.
///
/// ```
/// use byleave_lint::{RULES, Selection};
/// let selection = Selection::new(["reach", "X001"], ["R0"]).unwrap();
/// let counted: Vec<_> = RULES.iter().filter(|rule| selection.includes(rule)).map(|rule| rule.code).collect();
/// assert_eq!(counted, ["X001"]);
/// assert_eq!(Selection::new(["Z9"], []).unwrap_err().to_string(), "no rule is called `Z9`, and no code begins so");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    select: Vec<Selector>,
    ignore: Vec<Selector>,
}

/// Words that stand for rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
    /// All whose code begins so; a family is its letter.
    Codes(String),
    Name(&'static str),
}

/// A word that stands for no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSelector(String);

impl fmt::Display for UnknownSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no rule is called `{}`, and no code begins so", self.0)
    }
}

impl std::error::Error for UnknownSelector {}

impl Selection {
    /// Every rule.
    #[must_use]
    pub fn everything() -> Self {
        Self { select: Vec::new(), ignore: Vec::new() }
    }

    /// The rules that `select` names (all, where it names none) without those that `ignore` names. Of two that
    /// name the same rule the more specific one counts: a whole code before the beginning of one.
    ///
    /// # Errors
    /// Where a word stands for no rule.
    pub fn new<'w>(
        select: impl IntoIterator<Item = &'w str>,
        ignore: impl IntoIterator<Item = &'w str>,
    ) -> Result<Self, UnknownSelector> {
        let select = select.into_iter().map(Selector::parse).collect::<Result<_, _>>()?;
        let ignore = ignore.into_iter().map(Selector::parse).collect::<Result<_, _>>()?;
        Ok(Self { select, ignore })
    }

    /// Whether what this rule finds counts.
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

    /// Whether it stands for this rule.
    pub(crate) fn matches(&self, rule: &Rule) -> bool {
        self.specificity(rule).is_some()
    }

    /// How exactly it names this rule, if it does.
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
