//! Applies fixes to a robots.txt, except fixes that change more than they declare.
//!
//! Fixes of one kind that do not overlap are applied together, and the result is compared with the text before these
//! fixes (`compare`). If there is a difference that none of the fixes declares, each half of the fixes is tried
//! separately. In this way only the fixes at fault are left out. A fixed file may have new findings, so these steps are
//! repeated a few times.

use crate::compare::{Versions, compare, full_budget, small_budget};
use crate::finding::{Edit, Finding, Fix, Safety};
use crate::input::LintInput;
use crate::linter::lint_with_unchecked_fixes;
use crate::selection::Selection;
use byleave_review::Budget;
use std::cell::Cell;
use std::collections::HashSet;

/// Which fixes to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixLevel {
    /// Only fixes that change no decision.
    Safe,
    /// Also suggested fixes, which change the decisions that they declare.
    Suggested,
}

/// A robots.txt with fixes applied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixed {
    /// The new text.
    pub text: Vec<u8>,
    /// The findings that were fixed, in the order of fixing.
    pub findings: Vec<Finding>,
    /// The number of fixes that were left out in the last round, because they would have changed more than they
    /// declare.
    pub left_out: usize,
}

/// Applies fixes to the robots.txt in the input. Returns `None` if the input has no robots.txt. Pages and headers do
/// not change.
///
/// ```
/// use byleave_lint::{FixLevel, LintInput, Selection, fix};
/// let input = LintInput::new().with_robots_txt("robots.txt", b"User-agent: *\nDisallow: /a/\nDisallow: /a/\n");
/// let fixed = fix(&input, &Selection::everything(), FixLevel::Safe).unwrap();
/// assert_eq!(fixed.text, b"User-agent: *\nDisallow: /a/\n");
/// assert_eq!(fixed.findings[0].rule.code, "R003");
/// ```
#[must_use]
pub fn fix(input: &LintInput<'_>, selection: &Selection, which: FixLevel) -> Option<Fixed> {
    let mut fixed = Fixed { text: input.robots_txt_text()?.to_vec(), findings: Vec::new(), left_out: 0 };
    let (left, budget) = (Cell::new(MAX_COMPARISONS), full_budget());
    for _ in 0..MAX_ROUNDS {
        let text = std::mem::take(&mut fixed.text);
        let input = input.with_robots_txt_text(&text);
        let findings = lint_with_unchecked_fixes(&input, selection)
            .into_iter()
            .next()
            .map(|document| document.findings)
            .unwrap_or_default();
        let mut candidates: Vec<&Finding> = findings.iter().filter(|finding| is_wanted(finding, which)).collect();
        keep_disjoint(&mut candidates);
        let references = input.references();
        let round = FixRound { text: &text, references: &references, left: &left, budget: &budget };
        let mut applied = Vec::new();
        for kind in 0..Safety::KINDS {
            let group: Vec<&Finding> = candidates.iter().copied().filter(|one| is_of_kind(one, kind)).collect();
            round.apply(&group, &mut applied);
        }
        fixed.left_out = candidates.len() - applied.len();
        let after = round.text_with(&applied);
        let is_done = applied.is_empty();
        fixed.findings.extend(applied.into_iter().cloned());
        fixed.text = after.unwrap_or(text);
        if is_done {
            break;
        }
    }
    Some(fixed)
}

/// Removes the fixes that `fix` would leave out, so that the linter offers only fixes that work.
///
/// Each fix is tried on the original file: fixes of one kind together, and overlapping fixes in later rounds. Cost:
/// less than that of `fix`. The longer the file, the fewer comparisons are made. Fixes that were not compared are
/// removed.
pub(crate) fn drop_unsound_fixes(text: &[u8], references: &[(&str, &[u8])], findings: &mut [Finding]) {
    if findings.iter().all(|finding| finding.fix.is_none()) {
        return;
    }
    let comparisons = (MAX_BYTES / text.len().max(1)).clamp(1, MAX_COMPARISONS);
    let (left, budget) = (Cell::new(comparisons), small_budget());
    let round = FixRound { text, references, left: &left, budget: &budget };
    let place = |finding: &Finding| (finding.span, finding.rule.code);
    let mut sound = HashSet::new();
    for kind in 0..Safety::KINDS {
        let mut waiting: Vec<&Finding> = findings.iter().filter(|finding| is_of_kind(finding, kind)).collect();
        for _ in 0..MAX_ROUNDS {
            let mut tried = waiting.clone();
            keep_disjoint(&mut tried);
            let mut applied = Vec::new();
            round.apply(&tried, &mut applied);
            sound.extend(applied.into_iter().map(place));
            let tried: HashSet<_> = tried.into_iter().map(place).collect();
            waiting.retain(|finding| !tried.contains(&place(finding)));
        }
    }
    for finding in findings.iter_mut() {
        finding.fix = finding.fix.take().filter(|_| sound.contains(&place(finding)));
    }
}

/// A fix may lead to new findings, so fixing is repeated. At most this many rounds are made.
const MAX_ROUNDS: usize = 6;
/// At most this many comparisons are made per file. Fixes that were not compared are not applied.
const MAX_COMPARISONS: usize = 100;

/// To decide which fixes to offer for a file, the comparisons read about this many bytes in total.
const MAX_BYTES: usize = 2_000_000;

fn is_wanted(finding: &Finding, which: FixLevel) -> bool {
    match finding.fix.as_ref().map(|fix| &fix.safety) {
        Some(Safety::Safe) => true,
        Some(Safety::Suggested { .. }) => which == FixLevel::Suggested,
        None => false,
    }
}

fn is_of_kind(finding: &Finding, kind: usize) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.safety.kind() == kind)
}

fn edits(finding: &Finding) -> &[Edit] {
    finding.fix.as_ref().map(|fix| fix.edits.as_slice()).unwrap_or_default()
}

/// If the fixes of several findings overlap, keeps only the first of these findings.
fn keep_disjoint(candidates: &mut Vec<&Finding>) {
    let first = |finding: &Finding| edits(finding).first().map_or(0, |edit| edit.span.start);
    candidates.sort_by_key(|finding| first(finding));
    let mut end = 0;
    candidates.retain(|finding| {
        let spans = || edits(finding).iter().map(|edit| edit.span);
        let is_apart = spans().all(|span| span.start as usize >= end);
        if is_apart {
            // An insertion also occupies its position, because two insertions there would have no defined order.
            end = spans().map(|span| span.range().end + usize::from(span.is_empty())).max().unwrap_or(end);
        }
        is_apart
    });
}

struct FixRound<'t> {
    text: &'t [u8],
    references: &'t [(&'t str, &'t [u8])],
    /// The number of comparisons that are left.
    left: &'t Cell<usize>,
    budget: &'t Budget,
}

impl FixRound<'_> {
    /// Adds the candidates to `applied`, except those whose fixes change more than they declare.
    ///
    /// Cost: one comparison if all candidates are added. Otherwise O(log candidates) comparisons for each candidate
    /// that is left out.
    fn apply<'f>(&self, candidates: &[&'f Finding], applied: &mut Vec<&'f Finding>) {
        if candidates.is_empty() {
            return;
        }
        if self.changes_only_what_is_allowed(applied, candidates) {
            applied.extend_from_slice(candidates);
        } else if candidates.len() > 1 {
            let (first, second) = candidates.split_at(candidates.len() / 2);
            self.apply(first, applied);
            self.apply(second, applied);
        }
    }

    /// Returns whether applying `more` on top of `applied` changes only what `more` declares.
    fn changes_only_what_is_allowed(&self, applied: &[&Finding], more: &[&Finding]) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else { return false };
        self.left.set(left);
        let (Some(before), Some(after)) = (self.text_with(applied), self.text_with(&[applied, more].concat())) else {
            return false;
        };
        let versions = Versions { before: &before, after: &after, references: self.references };
        let safeties: Vec<&Safety> = more.iter().filter_map(|finding| Some(&finding.fix.as_ref()?.safety)).collect();
        let found =
            compare(&versions, self.budget, |difference| safeties.iter().any(|safety| safety.expects(difference)));
        found.is_none()
    }

    /// Returns the text with the fixes of these findings applied.
    fn text_with(&self, applied: &[&Finding]) -> Option<Vec<u8>> {
        let mut edits: Vec<Edit> = applied.iter().flat_map(|finding| edits(finding)).cloned().collect();
        edits.sort_by_key(|edit| edit.span);
        Fix { edits, safety: Safety::Safe }.applied(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::RULES;
    use crate::finding::AllowedChange;
    use byleave::Reading;
    use byleave::analysis::source::Span;

    fn fixed(robots_txt: &str, which: FixLevel) -> String {
        let input = LintInput::new().with_robots_txt("robots.txt", robots_txt.as_bytes());
        let fixed = fix(&input, &Selection::everything(), which);
        fixed.map(|fixed| String::from_utf8_lossy(&fixed.text).into_owned()).unwrap_or_default()
    }

    #[test]
    fn safe_fixes_remove_what_has_no_effect() {
        let robots_txt =
            "\u{feff}User-agent: *\nDisallow: /a/*\nDisallow: /a/b\nDisallow:\nDisallow: /c\nDisallow: /c\n";
        assert_eq!(fixed(robots_txt, FixLevel::Safe), "User-agent: *\nDisallow: /a/\nDisallow: /c\n");
    }

    /// Law: no fix hides a change made by a fix of another kind.
    #[test]
    fn a_fix_that_changes_more_than_it_declares_is_not_hidden_by_another() {
        let [rule, ..] = RULES else { return };
        let text = b"User-agent: *\nDisallow: /a\nDissalow: /b\n";
        let finding = |start, end, replacement: &str, allowed| Finding {
            rule,
            span: Span::new(start, end),
            message: String::new(),
            help: None,
            related: Vec::new(),
            fix: Fix::new(
                Safety::Suggested { effect: String::new(), allowed },
                [Edit::new(start, end, replacement.as_bytes())],
            ),
        };
        // The first fix removes a prohibition but declares that no decision changes. The second allows changes in any
        // reading.
        let mut findings = [
            finding(14, 27, "", AllowedChange::OtherParsers),
            finding(27, 35, "Disallow", AllowedChange::Readings(Reading::OF_ROBOTS_TXT)),
        ];
        drop_unsound_fixes(text, &[], &mut findings);
        assert_eq!(findings.map(|finding| finding.fix.is_some()), [false, true]);
    }

    #[test]
    fn a_star_that_decides_which_pattern_is_longer_stays() {
        let robots_txt = "User-agent: *\nAllow: /a/*\nDisallow: /*b/\n";
        assert_eq!(fixed(robots_txt, FixLevel::Suggested), robots_txt);
    }

    #[test]
    fn suggested_fixes_are_applied_only_on_request() {
        let robots_txt = "User-agent: *\nDissalow: /a/\nDisallow /b/\nDisallow: c/\n";
        assert_eq!(fixed(robots_txt, FixLevel::Safe), robots_txt);
        assert_eq!(
            fixed(robots_txt, FixLevel::Suggested),
            "User-agent: *\nDisallow: /a/\nDisallow: /b/\nDisallow: /c/\n"
        );
    }

    #[test]
    fn a_fix_that_changes_more_than_it_declares_is_left_out() {
        // If `Disalllow` became a rule, the first group would end there, and the rules for `B` would not bind `A`.
        let robots_txt = "User-agent: A\nDisalllow: /a/\nUser-agent: B\nDisallow: /b/\n";
        let input = LintInput::new().with_robots_txt("robots.txt", robots_txt.as_bytes());
        let selection = Selection::new(["X005"], []).unwrap_or_default();
        let fixed = fix(&input, &selection, FixLevel::Suggested);
        assert_eq!(fixed.map(|fixed| (fixed.findings.len(), fixed.left_out)), Some((0, 1)));
    }

    #[test]
    fn a_star_before_a_slash_has_no_fix() {
        let input = LintInput::new().with_robots_txt("robots.txt", b"User-agent: *\nDisallow: */x\n");
        let fixed = fix(&input, &Selection::everything(), FixLevel::Suggested);
        assert_eq!(fixed.map(|fixed| (fixed.findings.len(), fixed.left_out)), Some((0, 0)));
    }

    #[test]
    fn a_fix_that_would_be_left_out_is_not_offered() {
        let robots_txt = b"User-agent: A\nDisalllow: /a/\nUser-agent: B\nDisallow: /b/\nDisallow: /b/\n";
        let input = LintInput::new().with_robots_txt("robots.txt", robots_txt);
        let documents = crate::lint(&input, &Selection::new(["X005", "R003"], []).unwrap_or_default());
        let offered = documents.iter().flat_map(|document| &document.findings);
        let offered: Vec<_> = offered.map(|finding| (finding.rule.code, finding.fix.is_some())).collect();
        assert_eq!(offered, [("X005", false), ("R003", true)]);
    }

    #[test]
    fn a_line_with_a_comment_is_not_removed() {
        let robots_txt = "User-agent: *\nDisallow: /a/\nDisallow: /a/ # as Ann asked\n";
        assert_eq!(fixed(robots_txt, FixLevel::Suggested), robots_txt);
    }
}
