//! Mends a robots.txt: makes the fixes of its findings, and makes none that changes more than it says.
//!
//! Fixes of one kind that do not touch each other are made together, and the versions without and with them compared
//! (`compare`). Where something differs that none of them answers for, they are tried in halves, so that only the ones at
//! fault are left out.
//! What was mended may show something else to mend, so it is looked at again, a few times.

use crate::compare::{QuestionBudget, Versions, compare};
use crate::finding::{Edit, Finding, Fix, Safety};
use crate::input::LintInput;
use crate::linter::lint_with_unchecked_fixes;
use crate::selection::Selection;
use std::cell::Cell;
use std::collections::HashSet;

/// FixLevel fixes are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixLevel {
    /// Those that change no decision.
    Safe,
    /// Suggested ones too, which change what they say.
    Suggested,
}

/// A robots.txt with fixes made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixed {
    /// Its text now.
    pub text: Vec<u8>,
    /// The findings that were mended, in the order that they were.
    pub findings: Vec<Finding>,
    /// How many fixes were left out at last, because they would have changed more than they say.
    pub left_out: usize,
}

/// Makes the fixes of the robots.txt of a site; nothing where it has none. Pages and headers are left alone.
///
/// ```
/// use byleave_lint::{Selection, LintInput, FixLevel, fix};
/// let site = LintInput::new().with_robots_txt("robots.txt", b"User-agent: *\nDisallow: /a/\nDisallow: /a/\n");
/// let fixed = fix(&site, &Selection::everything(), FixLevel::Safe).unwrap();
/// assert_eq!(fixed.text, b"User-agent: *\nDisallow: /a/\n");
/// assert_eq!(fixed.findings[0].rule.code, "R003");
/// ```
#[must_use]
pub fn fix(input: &LintInput<'_>, selection: &Selection, which: FixLevel) -> Option<Fixed> {
    let mut fixed = Fixed { text: input.robots_txt_text()?.to_vec(), findings: Vec::new(), left_out: 0 };
    let (left, questions) = (Cell::new(MAX_COMPARISONS), QuestionBudget::new());
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
        let round = FixRound { text: &text, references: &references, left: &left, questions: &questions };
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

/// Takes away the fixes of a robots.txt that `mend` would leave out, so that none is offered that does not hold.
///
/// Fixes are tried on the file as it is, those of one kind together, and those that touch others after them. Cost: less
/// than that of `mend`, and of a long file only some comparisons; what is not compared is not offered.
pub(crate) fn drop_unsound_fixes(text: &[u8], references: &[(&str, &[u8])], findings: &mut [Finding]) {
    if findings.iter().all(|finding| finding.fix.is_none()) {
        return;
    }
    let comparisons = (MAX_BYTES / text.len().max(1)).clamp(1, MAX_COMPARISONS);
    let (left, questions) = (Cell::new(comparisons), QuestionBudget::small());
    let round = FixRound { text, references, left: &left, questions: &questions };
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

/// A fix may uncover another; more often than this is not looked.
const MAX_ROUNDS: usize = 6;
/// More comparisons than this are not made of one file; what is not compared is not made.
const MAX_COMPARISONS: usize = 100;

/// So many bytes of a file are compared, all comparisons together, to find out what can be offered.
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

/// Keeps of findings whose fixes touch each other the first.
fn keep_disjoint(candidates: &mut Vec<&Finding>) {
    let first = |finding: &Finding| edits(finding).first().map_or(0, |edit| edit.span.start);
    candidates.sort_by_key(|finding| first(finding));
    let mut end = 0;
    candidates.retain(|finding| {
        let spans = || edits(finding).iter().map(|edit| edit.span);
        let is_apart = spans().all(|span| span.start as usize >= end);
        if is_apart {
            // An insertion takes its place, too: two of them at one place could not be told apart.
            end = spans().map(|span| span.range().end + usize::from(span.is_empty())).max().unwrap_or(end);
        }
        is_apart
    });
}

struct FixRound<'t> {
    text: &'t [u8],
    references: &'t [(&'t str, &'t [u8])],
    /// How many comparisons may yet be made.
    left: &'t Cell<usize>,
    questions: &'t QuestionBudget,
}

impl FixRound<'_> {
    /// Adds to `made` those of the candidates that may be made beside them.
    ///
    /// Cost: a comparison where all may, and else some for each that may not.
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

    /// Whether these, made beside what is made already, change only what they say.
    fn changes_only_what_is_allowed(&self, applied: &[&Finding], more: &[&Finding]) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else { return false };
        self.left.set(left);
        let (Some(before), Some(after)) = (self.text_with(applied), self.text_with(&[applied, more].concat())) else {
            return false;
        };
        let versions = Versions { before: &before, after: &after, references: self.references };
        let safeties: Vec<&Safety> = more.iter().filter_map(|finding| Some(&finding.fix.as_ref()?.safety)).collect();
        let found =
            compare(&versions, self.questions, |difference| safeties.iter().any(|safety| safety.expects(difference)));
        found.is_none()
    }

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
    use byleave::source::Span;

    fn fixed(robots_txt: &str, which: FixLevel) -> String {
        let input = LintInput::new().with_robots_txt("robots.txt", robots_txt.as_bytes());
        let fixed = fix(&input, &Selection::everything(), which);
        fixed.map(|fixed| String::from_utf8_lossy(&fixed.text).into_owned()).unwrap_or_default()
    }

    #[test]
    fn safe_fixes_take_out_what_changes_nothing() {
        let robots_txt =
            "\u{feff}User-agent: *\nDisallow: /a/*\nDisallow: /a/b\nDisallow:\nDisallow: /c\nDisallow: /c\n";
        assert_eq!(fixed(robots_txt, FixLevel::Safe), "User-agent: *\nDisallow: /a/\nDisallow: /c\n");
    }

    /// Law: no fix answers for what a fix of another kind changes beside it.
    #[test]
    fn a_fix_that_changes_more_than_it_says_is_not_hidden_by_another() {
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
        // The first takes a prohibition away and says that nothing changes; the second answers for every reading.
        let mut findings = [
            finding(14, 27, "", AllowedChange::OtherParsers),
            finding(27, 35, "Disallow", AllowedChange::Readings(Reading::OF_ROBOTS_TXT)),
        ];
        drop_unsound_fixes(text, &[], &mut findings);
        assert_eq!(findings.map(|finding| finding.fix.is_some()), [false, true]);
    }

    #[test]
    fn a_star_that_gives_a_pattern_its_rank_stays() {
        let robots_txt = "User-agent: *\nAllow: /a/*\nDisallow: /*b/\n";
        assert_eq!(fixed(robots_txt, FixLevel::Suggested), robots_txt);
    }

    #[test]
    fn suggested_fixes_are_made_only_when_asked_for() {
        let robots_txt = "User-agent: *\nDissalow: /a/\nDisallow /b/\nDisallow: c/\n";
        assert_eq!(fixed(robots_txt, FixLevel::Safe), robots_txt);
        assert_eq!(
            fixed(robots_txt, FixLevel::Suggested),
            "User-agent: *\nDisallow: /a/\nDisallow: /b/\nDisallow: /c/\n"
        );
    }

    #[test]
    fn what_changes_more_than_it_says_is_left_out() {
        // With its rule read, the first group would end, and `A` be free of what binds `B`.
        let robots_txt = "User-agent: A\nDisalllow: /a/\nUser-agent: B\nDisallow: /b/\n";
        let input = LintInput::new().with_robots_txt("robots.txt", robots_txt.as_bytes());
        let selection = Selection::new(["X005"], []).unwrap_or_default();
        let fixed = fix(&input, &selection, FixLevel::Suggested);
        assert_eq!(fixed.map(|fixed| (fixed.findings.len(), fixed.left_out)), Some((0, 1)));
    }

    #[test]
    fn a_star_before_a_slash_is_not_even_tried() {
        let input = LintInput::new().with_robots_txt("robots.txt", b"User-agent: *\nDisallow: */x\n");
        let fixed = fix(&input, &Selection::everything(), FixLevel::Suggested);
        assert_eq!(fixed.map(|fixed| (fixed.findings.len(), fixed.left_out)), Some((0, 0)));
    }

    #[test]
    fn what_is_left_out_is_not_offered() {
        let robots_txt = b"User-agent: A\nDisalllow: /a/\nUser-agent: B\nDisallow: /b/\nDisallow: /b/\n";
        let input = LintInput::new().with_robots_txt("robots.txt", robots_txt);
        let documents = crate::lint(&input, &Selection::new(["X005", "R003"], []).unwrap_or_default());
        let offered = documents.iter().flat_map(|document| &document.findings);
        let offered: Vec<_> = offered.map(|finding| (finding.rule.code, finding.fix.is_some())).collect();
        assert_eq!(offered, [("X005", false), ("R003", true)]);
    }

    #[test]
    fn a_line_that_ends_in_a_comment_is_not_taken_out() {
        let robots_txt = "User-agent: *\nDisallow: /a/\nDisallow: /a/ # as Ann asked\n";
        assert_eq!(fixed(robots_txt, FixLevel::Suggested), robots_txt);
    }
}
