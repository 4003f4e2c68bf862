//! `byleave rule`: prints the rules in `docs/semantics.md` and the pages for lint rules. Both are part of the binary.

use crate::Failure;
use crate::output::{Colour, Output, escaped};
use std::io::Write;

/// Writes the section or page for one rule, or lists all rules of the semantics.
pub fn rule(number: Option<&str>, out: &mut Output<'_>) -> Result<(), Failure> {
    let Some(number) = number else {
        for Section { number, title, .. } in sections() {
            writeln!(out, "{}  {title}", out.paint(Colour::Heading, number))?;
        }
        return Ok(());
    };
    if let Some(rule) = byleave_lint::Rule::named(number) {
        let (family, severity) = (rule.family.name(), rule.severity().name());
        let (title, rest) = rule.doc.text.split_once('\n').unwrap_or((rule.doc.text, ""));
        writeln!(out, "{}\n\n{family}, {severity}\n{}", out.paint(Colour::Heading, title), rest.trim_end())?;
        return Ok(());
    }
    let wanted = canonical(number);
    let Some(section) = sections().find(|section| Some(section.number) == wanted.as_deref()) else {
        let message = format!(
            "unknown rule `{}`; `byleave rule` lists the rules of the semantics, `byleave lint --list` the lint rules",
            escaped(number)
        );
        return Err(Failure::new(message));
    };
    writeln!(out, "{}", section.text.trim_end())?;
    Ok(())
}

/// A numbered rule in the semantics.
struct Section {
    number: &'static str,
    title: &'static str,
    /// The whole section, including its heading.
    text: &'static str,
}

fn sections() -> impl Iterator<Item = Section> {
    let starts = SEMANTICS.match_indices("\n### S-").map(|(at, _)| at + 1);
    starts.filter_map(|start| {
        let text = SEMANTICS.get(start..)?;
        let (heading, _) = text.split_once('\n')?;
        let (number, title) = heading.strip_prefix("### ")?.split_once(' ')?;
        let after = text.get(heading.len()..)?;
        let end = ["\n## ", "\n### "].iter().filter_map(|next| after.find(next)).min().unwrap_or(after.len());
        Some(Section { number, title, text: text.get(..heading.len() + end)? })
    })
}

/// Returns `S-06` for `S-06`, `s-6`, `S06` and `6`, or `None` if there is no number.
fn canonical(number: &str) -> Option<String> {
    let digits = number.trim_start_matches(['S', 's']).trim_start_matches('-');
    Some(format!("S-{:02}", digits.parse::<u32>().ok()?))
}

const SEMANTICS: &str = include_str!("../semantics.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_a_section_of_its_own() {
        let all: Vec<_> = sections().collect();
        assert!(all.len() >= 38, "{}", all.len());
        for section in &all {
            assert!(section.text.contains("**Source.**") && section.text.contains("**Why.**"), "{}", section.number);
            assert_eq!(section.text.matches("\n### ").count(), 0, "{}", section.number);
            assert!(!section.title.is_empty() && !section.text.contains("\n## "), "{}", section.number);
        }
    }

    #[test]
    fn numbers_are_found_in_any_spelling() {
        for number in ["S-06", "s-06", "S06", "s6", "6", "06"] {
            assert_eq!(canonical(number).as_deref(), Some("S-06"), "{number}");
        }
        assert_eq!(canonical("S-"), None);
        assert_eq!(canonical("six"), None);
    }
}
