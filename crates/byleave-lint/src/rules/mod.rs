//! The rules that are more than what the engine notices while reading, a file for each family.
//!
//! Each is a function that the catalogue names: it looks at a robots.txt or at one document of a response, and
//! tells what it finds.

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

/// Whether a name was found odd that is a crawler's own, such as `MJ12bot`: nobody could write it otherwise.
pub(crate) fn is_real_crawler_name(context: &RobotsTxtContext<'_>, finding: &Finding) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    matches!(finding.rule.check, RuleCheck::Diagnostic(Code::OddName))
        && finding.span.of(context.text).iter().all(is_name)
}

/// Comments that keep nothing quiet. It comes after all others, for only then is that known.
pub(crate) fn needless_ignores(ignores: &IgnoreComments, selection: &Selection) -> Vec<Finding> {
    let rule = RULES.iter().find(|rule| matches!(rule.check, RuleCheck::UnusedIgnore(_)));
    let Some(rule) = rule.filter(|rule| selection.includes(rule)) else { return Vec::new() };
    let mut found = Findings::new(rule);
    for (span, word, selector, edit) in ignores.unused() {
        match selector {
            // Rules that do not count had nothing to find.
            Some(one) if !RULES.iter().any(|rule| one.matches(rule) && selection.includes(rule)) => continue,
            Some(_) => {
                let message = format!("{word} finds nothing here, so there is nothing to ignore");
                found.at(span, message).help("remove it").fix(Safety::Safe, Some(edit))
            }
            None if word.is_empty() => found
                .at(span, "this names no rule, so nothing is ignored")
                .help("name what is to be ignored, as in `# byleave: ignore A003`"),
            None => found
                .at(span, format!("no rule is called `{word}`, so nothing is ignored by it"))
                .help("`byleave lint --list` lists codes and names"),
        };
    }
    found.into_vec()
}
