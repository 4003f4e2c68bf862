//! The rules that are more than what the engine notices while reading, a file for each family.
//!
//! Each is a function that the catalogue names: it looks at a robots.txt or at one document of a response, and
//! tells what it finds.

pub(crate) mod advice;
pub(crate) mod carriers;
pub(crate) mod divergence;
pub(crate) mod reach;

use crate::catalogue::{Check, RULES};
use crate::finding::{Finding, Findings};
use crate::ignore::Ignores;
use crate::selection::Selection;

/// Comments that keep nothing quiet. It comes after all others, for only then is that known.
pub(crate) fn needless_ignores(ignores: &Ignores, selection: &Selection) -> Vec<Finding> {
    let rule = RULES.iter().find(|rule| matches!(rule.check, Check::Ignores(_)));
    let Some(rule) = rule.filter(|rule| selection.counts(rule)) else { return Vec::new() };
    let mut found = Findings::of(rule);
    for (span, word, is_rule) in ignores.unused() {
        if is_rule {
            found.at(span, format!("`{word}` is ignored here, and finds nothing here")).help("remove it");
        } else {
            found
                .at(span, format!("`{word}` is to be ignored here, but no rule is called so"))
                .help("`wayleave lint --list` lists codes and names");
        }
    }
    found.into_vec()
}
