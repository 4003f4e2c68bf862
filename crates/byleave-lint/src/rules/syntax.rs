//! How something is written, where that is more than what the engine notices while reading.

use crate::context::{RobotsTxtContext, excerpt};
use crate::finding::{AllowedChange, Edit, Findings, Fix, Safety};
use byleave::Outcome;
use byleave::source::Span;

/// A rule inside the pattern of another, because a line end is missing.
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
        // What is told apart prohibits more, if the first still matches what both did; of anything else nobody could
        // say what changes.
        let is_plain = name == b"disallow:" && !context.permits(rule) && !outer.trim_ascii_end().ends_with(b"$");
        let effect = format!("`{}` and what the second rule names are prohibited", excerpt(outer.trim_ascii_end()));
        let safety = Safety::Suggested { effect, allowed: AllowedChange::ToOutcome(Outcome::Prohibited) };
        let cut = outer.trim_ascii_end().len();
        let edit = Edit::new(line.value.0 + cut, start, context.line_end());
        found
            .at(
                Span::new(start, line.value.1),
                format!(
                    "`{}` stands inside a pattern: a line end is missing, so neither line does what it says",
                    excerpt(inner)
                ),
            )
            .help("put it on a line of its own")
            .with_fix(is_plain.then(|| Fix::new(safety, [edit])).flatten());
    }
}

/// The first of these words, and where it stands; the longer one where two begin together.
fn first_of<'w>(text: &[u8], words: &[&'w [u8]]) -> Option<(usize, &'w [u8])> {
    (1..text.len()).find_map(|at| {
        let rest = text.get(at..)?;
        words.iter().find(|word| rest.starts_with(word)).map(|word| (at, *word))
    })
}
