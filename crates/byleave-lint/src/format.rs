//! Formats a robots.txt without changing its meaning.
//!
//! Every line ends in LF. Fields are written as `Name: value` without indentation, and known names get their usual
//! spelling. One blank line separates groups, and there are never two blank lines in a row. Comments keep their text
//! and position. Lines that are not fields, and names that only some readers accept, do not change. The formatted
//! version is compared with the original. If any decision would change, the file is not formatted.

use crate::compare::{VersionDifference, Versions, compare, full_budget};
use crate::input::LintInput;
use byleave::analysis::robots_txt::{Line, Separator, Tree};
use byleave::analysis::vocabulary::{Field, Role};
use byleave::{Policy, Reading};
use std::fmt;

/// Why a robots.txt cannot be formatted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// The file is UTF-16, or so long that its end is not read.
    Unread,
    /// A decision or a fact would change.
    Changes(VersionDifference),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread => f.write_str("it is UTF-16, or longer than the part that crawlers read"),
            Self::Changes(VersionDifference::Decision { reading, path, .. }) => {
                write!(f, "a decision about `{path}` in the reading {reading} would change")
            }
            Self::Changes(VersionDifference::Fact { reading }) => {
                write!(f, "a fact in the reading {reading} would change")
            }
            Self::Changes(VersionDifference::Unknown) => {
                f.write_str("it is too complex to compare with its formatted version")
            }
        }
    }
}

impl std::error::Error for FormatError {}

/// Returns the formatted robots.txt, or `None` if the input has no robots.txt.
///
/// ```
/// use byleave_lint::{LintInput, format_robots_txt};
/// let input = LintInput::new().with_robots_txt("robots.txt", b"user-agent:*\r\n  disallow :/a  # why\r\n");
/// assert_eq!(format_robots_txt(&input).unwrap().unwrap(), b"User-agent: *\nDisallow: /a # why\n");
/// ```
///
/// # Errors
/// If the file is not read completely, if formatting would change a decision or a fact, or if this cannot be ruled out.
pub fn format_robots_txt(input: &LintInput<'_>) -> Option<Result<Vec<u8>, FormatError>> {
    let before = input.robots_txt_text()?;
    let is_utf16 = before.starts_with(b"\xFF\xFE") || before.starts_with(b"\xFE\xFF");
    if is_utf16 || Policy::parse(before).is_truncated() {
        return Some(Err(FormatError::Unread));
    }
    let after = canonical(before);
    let references = input.references();
    let found = compare(&Versions { before, after: &after, references: &references }, &full_budget(), |_| false);
    Some(found.map_or(Ok(after), |difference| Err(FormatError::Changes(difference))))
}

/// Returns the text in canonical format. Cost: linear in the text.
fn canonical(text: &[u8]) -> Vec<u8> {
    let tree = byleave::analysis::tree(text, Reading::Default);
    let mut output =
        FormattedText { written: Vec::with_capacity(text.len()), pending: Vec::new(), ends_with_blank_line: true };
    let mut state = GroupState::Outside;
    for line in tree.lines() {
        let is_field = line.name.0 < line.name.1;
        let field = byleave::analysis::field(&tree, line, Reading::Default);
        match (is_field, field.map(Field::role)) {
            (false, _) if line.comment == line.end => output.add_blank_line(),
            (false, _) => output.add_pending(comment(&tree, line)),
            (true, Some(Role::Names | Role::AcapNames)) => {
                if state == GroupState::Rules {
                    output.add_blank_line_before_pending();
                }
                state = GroupState::Names;
                output.write(&format_line(&tree, line, field));
            }
            (true, role) => {
                if state == GroupState::Names && matches!(role, Some(Role::Rule | Role::Acap)) {
                    state = GroupState::Rules;
                }
                output.write(&format_line(&tree, line, field));
            }
        }
    }
    output.finish()
}

/// The part of the current group that has been read so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupState {
    Outside,
    Names,
    Rules,
}

/// The formatted lines. Comments are held back until the next line shows whether a blank line must precede them.
struct FormattedText {
    written: Vec<u8>,
    pending: Vec<Vec<u8>>,
    /// Whether the last line is blank, or there are no lines yet.
    ends_with_blank_line: bool,
}

impl FormattedText {
    /// Adds a blank line, unless the text ends with one.
    fn add_blank_line(&mut self) {
        self.write_pending();
        if !self.ends_with_blank_line {
            self.written.push(b'\n');
            self.ends_with_blank_line = true;
        }
    }

    /// Adds a blank line above the pending comments.
    fn add_blank_line_before_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.add_blank_line();
        self.pending = pending;
    }

    fn add_pending(&mut self, comment: Vec<u8>) {
        self.pending.push(comment);
    }

    fn write_pending(&mut self) {
        for line in std::mem::take(&mut self.pending) {
            self.push(&line);
        }
    }

    fn write(&mut self, line: &[u8]) {
        self.write_pending();
        self.push(line);
    }

    fn push(&mut self, line: &[u8]) {
        self.written.extend_from_slice(line);
        self.written.push(b'\n');
        self.ends_with_blank_line = false;
    }

    fn finish(mut self) -> Vec<u8> {
        self.write_pending();
        let end = self.written.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 2);
        self.written.truncate(end);
        self.written
    }
}

fn format_line(tree: &Tree<'_>, line: &Line, field: Option<Field>) -> Vec<u8> {
    let part = |(start, end): (usize, usize)| tree.text().get(start..end).unwrap_or_default();
    let name = part(line.name);
    let mut text = Vec::new();
    match field {
        Some(field) if line.separator == Separator::Colon => {
            let is_known = name.eq_ignore_ascii_case(field.name().as_bytes());
            text.extend_from_slice(if is_known { field.name().as_bytes() } else { name });
            text.push(b':');
            if line.value.0 < line.value.1 {
                text.push(b' ');
                text.extend_from_slice(part(line.value));
            }
        }
        // Lines that are not fields, or that only lenient readers accept as fields, do not change.
        _ => text.extend_from_slice(part((line.name.0, line.value.1.max(line.name.1))).trim_ascii_end()),
    }
    if line.comment < line.end {
        // A `#` right after a value may have been meant as part of the value. Do not hide that by adding a space.
        let is_apart = line.value.0 == line.value.1 || line.value.1 < line.comment;
        text.extend_from_slice(if is_apart { b" " } else { b"" });
        text.extend_from_slice(&comment(tree, line));
    }
    text
}

fn comment(tree: &Tree<'_>, line: &Line) -> Vec<u8> {
    tree.text().get(line.comment..line.end).unwrap_or_default().trim_ascii_end().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(text: &str) -> String {
        String::from_utf8_lossy(&canonical(text.as_bytes())).into_owned()
    }

    #[test]
    fn groups_are_separated_above_their_comments_and_nothing_else_is_moved() {
        let text =
            "\n\n# Ours\nUSER-AGENT : a\nDisallow:/x\n# For B\nUser-agent: B\nDisallow:\n\n\n\nSitemap:https://a/\n\n";
        let expected =
            "# Ours\nUser-agent: a\nDisallow: /x\n\n# For B\nUser-agent: B\nDisallow:\n\nSitemap: https://a/\n";
        assert_eq!(formatted(text), expected);
        assert_eq!(formatted(expected), expected);
    }

    #[test]
    fn lines_that_are_not_strictly_fields_stay() {
        let text = "User-agent: *\nDisallow  /a\nDissalow:  /b\nsee http://site.example/\n<html>\nAcap-crawler: x\n";
        let expected =
            "User-agent: *\nDisallow  /a\nDissalow: /b\nsee http://site.example/\n<html>\n\nACAP-crawler: x\n";
        assert_eq!(formatted(text), expected);
    }

    #[test]
    fn formatting_is_idempotent() {
        for line in ["Alow: # x", "Alow:   # x", "Disallow # x", "Disallow: /a#x", "Disallow:#x", "Disallow: /a   # x"]
        {
            let once = formatted(&format!("User-agent: *\n{line}\n"));
            assert_eq!(formatted(&once), once, "{line}");
        }
    }

    #[test]
    fn any_line_end_becomes_lf_and_the_last_line_has_one() {
        assert_eq!(
            formatted("User-agent: *\r\nDisallow: /a\rAllow: /b#c"),
            "User-agent: *\nDisallow: /a\nAllow: /b#c\n"
        );
        assert_eq!(formatted(""), "");
        assert_eq!(formatted("\n\n"), "");
    }
}
