//! The rules that need more than a diagnostic from the engine, one file per family.
//!
//! Each rule is a function that the catalogue names. It checks a robots.txt, or one document of a response, and adds
//! its findings.

pub(crate) mod advice;
pub(crate) mod carriers;
pub(crate) mod diagnostic_fixes;
pub(crate) mod divergence;
pub(crate) mod misspelt;
pub(crate) mod preferences;
pub(crate) mod reach;
pub(crate) mod syntax;

use crate::catalogue::{RULES, RuleCheck};
use crate::context::RobotsTxtContext;
use crate::finding::{Finding, Findings, Safety};
use crate::ignore::IgnoreComments;
use crate::selection::Selection;
use byleave::diagnostic::Code;

/// Returns whether a finding about an odd name concerns a crawler's real name, such as `MJ12bot`. Such a name cannot be
/// written differently.
pub(crate) fn is_real_crawler_name(context: &RobotsTxtContext<'_>, finding: &Finding) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    matches!(finding.rule.check, RuleCheck::Diagnostic(Code::OddName))
        && finding.span.of(context.text).iter().all(is_name)
}

/// Reports ignore comments that suppress nothing. This is known only after all other rules have run.
pub(crate) fn needless_ignores(ignores: &IgnoreComments, selection: &Selection) -> Vec<Finding> {
    let rule = RULES.iter().find(|rule| matches!(rule.check, RuleCheck::UnusedIgnore(_)));
    let Some(rule) = rule.filter(|rule| selection.includes(rule)) else { return Vec::new() };
    let mut found = Findings::new(rule);
    for (span, word, selector, edit) in ignores.unused() {
        match selector {
            // A rule that does not run cannot have findings to ignore.
            Some(one) if !RULES.iter().any(|rule| one.matches(rule) && selection.includes(rule)) => continue,
            Some(_) => {
                let message = format!("`{word}` reports nothing here, so this comment has no effect");
                found.at(span, message).help("remove it").fix(Safety::Safe, Some(edit))
            }
            None if word.is_empty() => found
                .at(span, "this comment names no rule, so it has no effect")
                .help("name the rule to ignore, as in `# byleave: ignore A003`"),
            None => found
                .at(span, format!("there is no rule `{word}`, so this has no effect"))
                .help("run `byleave lint --list` to list codes and names"),
        };
    }
    found.into_vec()
}
