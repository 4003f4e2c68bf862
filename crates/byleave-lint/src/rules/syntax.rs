//! How something is written, where that is more than what the engine notices while reading.

use crate::finding::{Edit, Findings, Fix, Only, Safety};
use crate::look::{OfRobotsTxt, shown};
use byleave::Outcome;
use byleave::source::Span;

/// A rule inside the pattern of another, because a line end is missing.
pub(crate) fn joined_rules(look: &OfRobotsTxt<'_>, found: &mut Findings) {
    for rule in 0..look.rules.len() {
        let pattern = look.pattern(rule);
        let lower = pattern.to_ascii_lowercase();
        let Some((at, name)) = first_of(&lower, &[b"disallow:", b"allow:", b"user-agent:", b"sitemap:"]) else {
            continue;
        };
        let Some(line) = look.line_at(look.span(rule)) else { continue };
        let start = line.value.0 + at;
        let (inner, outer) = (pattern.get(at..).unwrap_or_default(), pattern.get(..at).unwrap_or_default());
        // What is told apart prohibits more, if the first still matches what both did; of anything else nobody could
        // say what changes.
        let is_plain = name == b"disallow:" && !look.permits(rule) && !outer.trim_ascii_end().ends_with(b"$");
        let says = format!("`{}` and what the second rule names are prohibited", shown(outer.trim_ascii_end()));
        let safety = Safety::Suggested { says, only: Only::Towards(Outcome::Prohibited) };
        let cut = outer.trim_ascii_end().len();
        let edit = Edit::new(line.value.0 + cut, start, look.line_end());
        found
            .at(
                Span::new(start, line.value.1),
                format!(
                    "`{}` stands inside a pattern: a line end is missing, so neither line does what it says",
                    shown(inner)
                ),
            )
            .help("put it on a line of its own")
            .mended_by(is_plain.then(|| Fix::new(safety, [edit])).flatten());
    }
}

/// The first of these words, and where it stands; the longer one where two begin together.
fn first_of<'w>(text: &[u8], words: &[&'w [u8]]) -> Option<(usize, &'w [u8])> {
    (1..text.len()).find_map(|at| {
        let rest = text.get(at..)?;
        words.iter().find(|word| rest.starts_with(word)).map(|word| (at, *word))
    })
}
