//! The canonical layout of a robots.txt: how it is written, and nothing of what it says.
//!
//! Line ends are LF, and the last line has one. Fields stand at the left margin as `Name: value`, known ones in their
//! own spelling; a group is parted from the one before by a blank line, and more than one is never left. Comments
//! keep their words and their places. Lines that are no fields, and names that only some readers forgive, stay as
//! they are. Both versions are compared, and where any decision would change, it is not laid out.

use crate::compare::{QuestionBudget, VersionDifference, Versions, compare};
use crate::input::LintInput;
use byleave::syntax::{Line, Separator, Tree};
use byleave::vocabulary::{Field, Role};
use byleave::{Policy, Reading};
use std::fmt;

/// Why a robots.txt is not laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// It is not UTF-8 or another text of single bytes, or so long that the rest of it is not read.
    Unread,
    /// Something would change.
    Changes(VersionDifference),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread => f.write_str("it is UTF-16, or longer than is read"),
            Self::Changes(VersionDifference::Decision { reading, path, .. }) => {
                write!(f, "what reading {reading} says of `{path}` would change")
            }
            Self::Changes(VersionDifference::Fact { reading }) => write!(f, "a fact of reading {reading} would change"),
            Self::Changes(VersionDifference::Unknown) => f.write_str("it is too much to be compared"),
        }
    }
}

impl std::error::Error for FormatError {}

/// The robots.txt of a site in canonical layout; nothing where it has none.
///
/// ```
/// use byleave_lint::{LintInput, format_robots_txt};
/// let site = LintInput::new().with_robots_txt("robots.txt", b"user-agent:*\r\n  disallow :/a  # why\r\n");
/// assert_eq!(format_robots_txt(&site).unwrap().unwrap(), b"User-agent: *\nDisallow: /a # why\n");
/// ```
///
/// # Errors
/// Where it cannot be laid out without a change of what it says.
pub fn format_robots_txt(input: &LintInput<'_>) -> Option<Result<Vec<u8>, FormatError>> {
    let before = input.robots_txt_text()?;
    let is_utf16 = before.starts_with(b"\xFF\xFE") || before.starts_with(b"\xFE\xFF");
    if is_utf16 || Policy::read(before).is_truncated() {
        return Some(Err(FormatError::Unread));
    }
    let after = canonical(before);
    let references = input.references();
    let found =
        compare(&Versions { before, after: &after, references: &references }, &QuestionBudget::new(), |_| false);
    Some(found.map_or(Ok(after), |difference| Err(FormatError::Changes(difference))))
}

/// Cost: linear in the text.
fn canonical(text: &[u8]) -> Vec<u8> {
    let tree = byleave::tree(text, Reading::Default);
    let mut output =
        FormattedText { written: Vec::with_capacity(text.len()), pending: Vec::new(), ends_with_blank_line: true };
    let mut state = GroupState::Nothing;
    for line in tree.lines() {
        let is_field = line.name.0 < line.name.1;
        let field = byleave::field(&tree, line, Reading::Default);
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

/// What a group has so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupState {
    Nothing,
    Names,
    Rules,
}

/// Lines as they are written out, with comments held back until it is known what they stand above.
struct FormattedText {
    written: Vec<u8>,
    pending: Vec<Vec<u8>>,
    /// Whether the last line written is blank, or none is.
    ends_with_blank_line: bool,
}

impl FormattedText {
    /// A blank line, unless one stands there.
    fn add_blank_line(&mut self) {
        self.write_pending();
        if !self.ends_with_blank_line {
            self.written.push(b'\n');
            self.ends_with_blank_line = true;
        }
    }

    /// The same above the comments that are held.
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
        // What is no field, or forgiven only by some, is none of ours.
        _ => text.extend_from_slice(part((line.name.0, line.value.1.max(line.name.1))).trim_ascii_end()),
    }
    if line.comment < line.end {
        // A `#` right behind a value may have been meant as a part of it, which should be seen.
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
    fn what_is_no_field_or_only_forgiven_stays() {
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
