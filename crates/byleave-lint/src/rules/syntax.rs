//! Syntax: malformed text that the engine does not report as a diagnostic.

use crate::context::{RobotsTxtContext, excerpt};
use crate::finding::{AllowedChange, Edit, Findings, Fix, Safety};
use byleave::Outcome;
use byleave::analysis::source::Span;

/// Reports a field inside the pattern of a rule, which means that a line break is missing.
pub(crate) fn joined_rules(context: &RobotsTxtContext<'_>, found: &mut Findings) {
    for rule in 0..context.rules.len() {
        let pattern = context.pattern(rule);
        let lower = pattern.to_ascii_lowercase();
        let Some((at, name)) = first_of(&lower, &[b"disallow:", b"allow:", b"user-agent:", b"sitemap:"]) else {
            continue;
        };
        let Some(line) = context.line_at(context.span(rule)) else { continue };
        let start = line.value.0 + at;
        let (inner, outer) = (pattern.get(at..).unwrap_or_default(), pattern.get(..at).unwrap_or_default());
        // If the first pattern still matches what the joined one did, splitting two prohibitions can only prohibit
        // more. For any other pair of fields, the effect of splitting is unknown.
        let is_plain = name == b"disallow:" && !context.permits(rule) && !outer.trim_ascii_end().ends_with(b"$");
        let effect =
            format!("`{}` and the paths in the second rule will then be prohibited", excerpt(outer.trim_ascii_end()));
        let safety = Safety::Suggested { effect, allowed: AllowedChange::ToOutcome(Outcome::Prohibited) };
        let cut = outer.trim_ascii_end().len();
        let edit = Edit::new(line.value.0 + cut, start, context.line_end());
        found
            .at(
                Span::new(start, line.value.1),
                format!("`{}` is inside a pattern: a line break is missing, so neither rule works", excerpt(inner)),
            )
            .help("put it on a line of its own")
            .with_fix(is_plain.then(|| Fix::new(safety, [edit])).flatten());
    }
}

/// Returns the position of the earliest field name after the first byte, and the name. If two names begin at the same
/// position, the one listed first is returned.
fn first_of<'w>(text: &[u8], words: &[&'w [u8]]) -> Option<(usize, &'w [u8])> {
    (1..text.len()).find_map(|at| {
        let rest = text.get(at..)?;
        words.iter().find(|word| rest.starts_with(word)).map(|word| (at, *word))
    })
}
