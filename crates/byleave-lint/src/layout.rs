//! The canonical layout of a robots.txt: how it is written, and nothing of what it says.
//!
//! Line ends are LF, and the last line has one. Fields stand at the left margin as `Name: value`, known ones in their
//! own spelling; a group is parted from the one before by a blank line, and more than one is never left. Comments
//! keep their words and their places. Lines that are no fields, and names that only some readers forgive, stay as
//! they are. Both versions are compared, and where any decision would change, it is not laid out.

use crate::compare::{Difference, Questions, Versions, compare};
use crate::site::Site;
use byleave::syntax::{Line, Separator, Tree};
use byleave::vocabulary::{Field, Role};
use byleave::{Policy, Reading};
use std::fmt;

/// Why a robots.txt is not laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotLaidOut {
    /// It is not UTF-8 or another text of single bytes, or so long that the rest of it is not read.
    Unread,
    /// Something would change.
    Changes(Difference),
}

impl fmt::Display for NotLaidOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread => f.write_str("it is UTF-16, or longer than is read"),
            Self::Changes(Difference::Decision { reading, path, .. }) => {
                write!(f, "what reading {reading} says of `{path}` would change")
            }
            Self::Changes(Difference::Fact { reading }) => write!(f, "a fact of reading {reading} would change"),
            Self::Changes(Difference::Unknown) => f.write_str("it is too much to be compared"),
        }
    }
}

impl std::error::Error for NotLaidOut {}

/// The robots.txt of a site in canonical layout; nothing where it has none.
///
/// ```
/// use byleave_lint::{Site, lay_out};
/// let site = Site::new().with_robots_txt("robots.txt", b"user-agent:*\r\n  disallow :/a  # why\r\n");
/// assert_eq!(lay_out(&site).unwrap().unwrap(), b"User-agent: *\nDisallow: /a # why\n");
/// ```
///
/// # Errors
/// Where it cannot be laid out without a change of what it says.
pub fn lay_out(site: &Site<'_>) -> Option<Result<Vec<u8>, NotLaidOut>> {
    let before = site.robots_txt_text()?;
    let is_utf16 = before.starts_with(b"\xFF\xFE") || before.starts_with(b"\xFE\xFF");
    if is_utf16 || Policy::read(before).is_truncated() {
        return Some(Err(NotLaidOut::Unread));
    }
    let after = canonical(before);
    let references = site.references();
    let found = compare(&Versions { before, after: &after, references: &references }, &Questions::new(), |_| false);
    Some(found.map_or(Ok(after), |difference| Err(NotLaidOut::Changes(difference))))
}

/// Cost: linear in the text.
fn canonical(text: &[u8]) -> Vec<u8> {
    let tree = byleave::tree(text, Reading::Default);
    let mut page = Page { written: Vec::with_capacity(text.len()), held: Vec::new(), is_parted: true };
    let mut open = Open::Nothing;
    for line in tree.lines() {
        let is_field = line.name.0 < line.name.1;
        let field = byleave::field(&tree, line, Reading::Default);
        match (is_field, field.map(Field::role)) {
            (false, _) if line.comment == line.end => page.part(),
            (false, _) => page.hold(comment(&tree, line)),
            (true, Some(Role::Names | Role::AcapNames)) => {
                if open == Open::Rules {
                    page.part_before_held();
                }
                open = Open::Names;
                page.write(&laid(&tree, line, field));
            }
            (true, role) => {
                if open == Open::Names && matches!(role, Some(Role::Rule | Role::Acap)) {
                    open = Open::Rules;
                }
                page.write(&laid(&tree, line, field));
            }
        }
    }
    page.finished()
}

/// What a group has so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Names,
    Rules,
}

/// Lines as they are written out, with comments held back until it is known what they stand above.
struct Page {
    written: Vec<u8>,
    held: Vec<Vec<u8>>,
    /// Whether the last line written is blank, or none is.
    is_parted: bool,
}

impl Page {
    /// A blank line, unless one stands there.
    fn part(&mut self) {
        self.release();
        if !self.is_parted {
            self.written.push(b'\n');
            self.is_parted = true;
        }
    }

    /// The same above the comments that are held.
    fn part_before_held(&mut self) {
        let held = std::mem::take(&mut self.held);
        self.part();
        self.held = held;
    }

    fn hold(&mut self, comment: Vec<u8>) {
        self.held.push(comment);
    }

    fn release(&mut self) {
        for line in std::mem::take(&mut self.held) {
            self.push(&line);
        }
    }

    fn write(&mut self, line: &[u8]) {
        self.release();
        self.push(line);
    }

    fn push(&mut self, line: &[u8]) {
        self.written.extend_from_slice(line);
        self.written.push(b'\n');
        self.is_parted = false;
    }

    fn finished(mut self) -> Vec<u8> {
        self.release();
        let end = self.written.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 2);
        self.written.truncate(end);
        self.written
    }
}

fn laid(tree: &Tree<'_>, line: &Line, field: Option<Field>) -> Vec<u8> {
    let part = |(start, end): (usize, usize)| tree.text().get(start..end).unwrap_or_default();
    let name = part(line.name);
    let mut laid = Vec::new();
    match field {
        Some(field) if line.separator == Separator::Colon => {
            let is_known = name.eq_ignore_ascii_case(field.name().as_bytes());
            laid.extend_from_slice(if is_known { field.name().as_bytes() } else { name });
            laid.push(b':');
            if line.value.0 < line.value.1 {
                laid.push(b' ');
                laid.extend_from_slice(part(line.value));
            }
        }
        // What is no field, or forgiven only by some, is none of ours.
        _ => laid.extend_from_slice(part((line.name.0, line.value.1.max(line.name.1))).trim_ascii_end()),
    }
    if line.comment < line.end {
        // A `#` right behind a value may have been meant as a part of it, which should be seen.
        let is_apart = line.value.0 == line.value.1 || line.value.1 < line.comment;
        laid.extend_from_slice(if is_apart { b" " } else { b"" });
        laid.extend_from_slice(&comment(tree, line));
    }
    laid
}

fn comment(tree: &Tree<'_>, line: &Line) -> Vec<u8> {
    tree.text().get(line.comment..line.end).unwrap_or_default().trim_ascii_end().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(text: &str) -> String {
        String::from_utf8_lossy(&canonical(text.as_bytes())).into_owned()
    }

    #[test]
    fn groups_are_parted_above_their_comments_and_nothing_else_is_moved() {
        let text =
            "\n\n# Ours\nUSER-AGENT : a\nDisallow:/x\n# For B\nUser-agent: B\nDisallow:\n\n\n\nSitemap:https://a/\n\n";
        let expected =
            "# Ours\nUser-agent: a\nDisallow: /x\n\n# For B\nUser-agent: B\nDisallow:\n\nSitemap: https://a/\n";
        assert_eq!(laid_out(text), expected);
        assert_eq!(laid_out(expected), expected);
    }

    #[test]
    fn what_is_no_field_or_only_forgiven_stays() {
        let text = "User-agent: *\nDisallow  /a\nDissalow:  /b\nsee http://site.example/\n<html>\nAcap-crawler: x\n";
        let expected =
            "User-agent: *\nDisallow  /a\nDissalow: /b\nsee http://site.example/\n<html>\n\nACAP-crawler: x\n";
        assert_eq!(laid_out(text), expected);
    }

    #[test]
    fn laid_out_again_it_is_the_same() {
        for line in ["Alow: # x", "Alow:   # x", "Disallow # x", "Disallow: /a#x", "Disallow:#x", "Disallow: /a   # x"]
        {
            let once = laid_out(&format!("User-agent: *\n{line}\n"));
            assert_eq!(laid_out(&once), once, "{line}");
        }
    }

    #[test]
    fn any_line_end_becomes_lf_and_the_last_line_has_one() {
        assert_eq!(
            laid_out("User-agent: *\r\nDisallow: /a\rAllow: /b#c"),
            "User-agent: *\nDisallow: /a\nAllow: /b#c\n"
        );
        assert_eq!(laid_out(""), "");
        assert_eq!(laid_out("\n\n"), "");
    }
}
