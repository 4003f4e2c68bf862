//! Ignore comments: `# byleave: ignore R001` suppresses a rule's findings. Several selectors are separated by commas,
//! and a remark may follow. The selectors are the same as on the command line: codes, code prefixes, families and
//! names.
//!
//! At the end of a line, the comment applies to that line. On a line of its own, it applies to the next field. An entry
//! that suppresses nothing is reported (A007).

use crate::finding::{Edit, Finding};
use crate::selection::Selector;
use byleave::analysis::robots_txt::{Line, Tree};
use byleave::analysis::source::Span;

/// The ignore comments in a file.
pub(crate) struct IgnoreComments(Vec<IgnoreEntry>);

struct IgnoreEntry {
    /// The selector as written, or an empty string if the comment has none.
    word: String,
    /// The parsed selector, or `None` if it matches no rule.
    selector: Option<Selector>,
    /// The position of the selector.
    span: Span,
    /// The edit that removes the entry, together with its separator or the whole comment.
    removal: Edit,
    /// The line that the entry applies to.
    target: Span,
    is_used: bool,
}

impl IgnoreComments {
    /// Returns the ignore comments in a file.
    pub(crate) fn of(tree: &Tree<'_>) -> Self {
        let mut ignores = Vec::new();
        let mut first_pending = 0;
        for line in tree.lines() {
            let first = ignores.len();
            each_entry(tree, line, |word, selector, span| {
                let removal = Edit { span, replacement: Vec::new() };
                let target = Span::new(line.start, line.next);
                ignores.push(IgnoreEntry { word, selector, span, removal, target, is_used: false });
            });
            set_removals(tree, line, ignores.get_mut(first..).unwrap_or_default());
            let is_field = line.name.0 < line.name.1;
            if is_field {
                // Comments on lines of their own between the previous field and this field apply to this field.
                for ignore in ignores.iter_mut().take(first).skip(first_pending) {
                    ignore.target = Span::new(line.start, line.next);
                }
                first_pending = ignores.len();
            }
        }
        Self(ignores)
    }

    /// Returns whether one of the comments suppresses this finding, and marks that comment as used.
    pub(crate) fn suppresses(&mut self, finding: &Finding) -> bool {
        let mut is_suppressed = false;
        for ignore in &mut self.0 {
            let is_here = ignore.target.range().contains(&(finding.span.start as usize));
            if is_here && ignore.selector.as_ref().is_some_and(|selector| selector.matches(finding.rule)) {
                ignore.is_used = true;
                is_suppressed = true;
            }
        }
        is_suppressed
    }

    /// Returns the entries that suppressed nothing: the span, the selector as written and parsed, and the removing
    /// edit.
    pub(crate) fn unused(&self) -> impl Iterator<Item = (Span, &str, Option<&Selector>, Edit)> {
        let unused = self.0.iter().filter(|ignore| !ignore.is_used);
        unused.map(|ignore| (ignore.span, ignore.word.as_str(), ignore.selector.as_ref(), ignore.removal.clone()))
    }
}

/// Sets the edits that remove the entries of a comment. A single entry is removed together with its comment, and with
/// its line if the line contains nothing else. One of several entries is removed together with a separator.
fn set_removals(tree: &Tree<'_>, line: &Line, words: &mut [IgnoreEntry]) {
    if let [only] = words {
        let is_all = line.name.0 == line.name.1;
        let before = tree.text().get(line.start..line.comment).unwrap_or_default();
        let (start, end) =
            if is_all { (line.start, line.next) } else { (line.start + before.trim_ascii_end().len(), line.end) };
        only.removal.span = Span::new(start, end);
        return;
    }
    let mut starts: Vec<u32> = words.iter().skip(1).map(|word| word.span.start).collect();
    let before_last = words.iter().rev().nth(1).map(|word| word.span.end);
    starts.push(words.last().map_or(0, |word| word.span.end));
    for (word, next) in words.iter_mut().zip(starts) {
        word.removal.span.end = next;
    }
    // The last entry is removed together with the separator before it.
    if let (Some(last), Some(end)) = (words.last_mut(), before_last) {
        last.removal.span.start = end;
    }
}

/// Calls `visit` with each selector in an ignore comment. A word that names no rule begins the remark, unless it is the
/// first word or follows a comma.
fn each_entry(tree: &Tree<'_>, line: &Line, mut visit: impl FnMut(String, Option<Selector>, Span)) {
    let comment = tree.text().get(line.comment..line.end).unwrap_or_default();
    let Ok(comment) = std::str::from_utf8(comment) else { return };
    let Some(rest) = comment.strip_prefix('#').map(str::trim_start).and_then(|rest| rest.strip_prefix("byleave:"))
    else {
        return;
    };
    let Some(words) = rest.trim_start().strip_prefix("ignore") else { return };
    let is_whole = words.is_empty() || words.starts_with([' ', '\t', ':', ',']);
    if !is_whole {
        return;
    }
    let from = line.comment + (comment.len() - words.len());
    let mut at = from;
    let (mut is_named, mut is_after_comma) = (false, true);
    for part in words.split_inclusive([',', ' ', '\t', ':']) {
        let word = part.trim_end_matches([',', ' ', '\t', ':']);
        if !word.is_empty() {
            let selector = Selector::parse(word).ok();
            if selector.is_none() && !is_after_comma {
                break;
            }
            visit(word.to_owned(), selector, Span::new(at, at + word.len()));
            is_named = true;
        }
        is_after_comma = part.ends_with(',') || (is_after_comma && word.is_empty());
        at += part.len();
    }
    if !is_named {
        visit(String::new(), None, Span::new(line.comment, line.end));
    }
}

#[cfg(test)]
mod tests {
    use crate::{LintInput, Selection, lint};

    fn codes(robots_txt: &str) -> Vec<&'static str> {
        let input = LintInput::new().with_robots_txt("robots.txt", robots_txt.as_bytes());
        let documents = lint(&input, &Selection::everything());
        documents.iter().flat_map(|document| &document.findings).map(|finding| finding.rule.code).collect()
    }

    #[test]
    fn a_comment_applies_to_its_line_or_the_next_field() {
        assert_eq!(codes("User-agent: *\nDisallow: /\n"), ["A003"]);
        assert_eq!(codes("User-agent: *\nDisallow: / # byleave: ignore A003\n"), [""; 0]);
        assert_eq!(codes("User-agent: *\n#byleave:ignore closed-site, R003\n\n# so it is\nDisallow: /\n"), ["A007"]);
        assert_eq!(codes("User-agent: * # byleave: ignore A003\nDisallow: /\n"), ["A007", "A003"]);
        assert_eq!(codes("User-agent: *\nDisallow: / # byleave: ignored A003\n"), ["A003"]);
        for quiet in ["advice", "a0", "A003 since it is a test site", "A003 A1 B2: why", ": A003"] {
            assert_eq!(codes(&format!("User-agent: *\nDisallow: / # byleave: ignore {quiet}\n")), [""; 0], "{quiet}");
        }
        for words in ["", "everything", "A003x"] {
            let found = codes(&format!("User-agent: *\nDisallow: / # byleave: ignore {words}\n"));
            assert_eq!(found, ["A003", "A007"], "{words}");
        }
    }

    #[test]
    fn an_ignored_rule_that_is_not_selected_is_not_reported() {
        let input =
            LintInput::new().with_robots_txt("robots.txt", b"User-agent: *\nDisallow: / # byleave: ignore A003\n");
        let selection = Selection::new([], ["A003"]).unwrap_or_default();
        assert!(lint(&input, &selection).iter().all(|document| document.findings.is_empty()));
    }
}
