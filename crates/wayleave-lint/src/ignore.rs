//! Comments that keep a rule quiet: `# wayleave: ignore R001`, several codes by comma.
//!
//! At the end of a line the comment is about that line; on a line of its own it is about the next field. It is a
//! comment of the tree, so it can stand wherever robots.txt has comments. One that keeps nothing quiet is told of.

use crate::finding::{Edit, Finding};
use wayleave::source::Span;
use wayleave::syntax::{Line, Tree};

/// The comments of a file that keep rules quiet.
pub(crate) struct Ignores(Vec<Ignore>);

struct Ignore {
    /// The word as written: a code or a name.
    word: String,
    /// Where the word stands.
    span: Span,
    /// What goes with the word where it is taken out: what parts it from others, or the whole comment.
    alone: Edit,
    /// The line it is about.
    about: Span,
    is_used: bool,
}

impl Ignores {
    /// Those of a file.
    pub(crate) fn of(tree: &Tree<'_>) -> Self {
        let mut ignores = Vec::new();
        let mut waiting = 0;
        for line in tree.lines() {
            let first = ignores.len();
            each_word(tree, line, |word, span| {
                let alone = Edit { span, replacement: Vec::new() };
                ignores.push(Ignore { word, span, alone, about: Span::new(line.start, line.next), is_used: false });
            });
            take_out(tree, line, ignores.get_mut(first..).unwrap_or_default());
            let is_field = line.name.0 < line.name.1;
            if is_field {
                // Comments of their own since the last field are about this one.
                for ignore in ignores.iter_mut().take(first).skip(waiting) {
                    ignore.about = Span::new(line.start, line.next);
                }
                waiting = ignores.len();
            }
        }
        Self(ignores)
    }

    /// Whether one of them keeps this finding quiet.
    pub(crate) fn is_quiet(&mut self, finding: &Finding) -> bool {
        let mut is_quiet = false;
        for ignore in &mut self.0 {
            let is_here = ignore.about.range().contains(&(finding.span.start as usize));
            let word = &ignore.word;
            if is_here && (word.eq_ignore_ascii_case(finding.rule.code) || word == finding.rule.name) {
                ignore.is_used = true;
                is_quiet = true;
            }
        }
        is_quiet
    }

    /// The words that kept nothing quiet, with their places and how each is taken out.
    pub(crate) fn unused(&self) -> impl Iterator<Item = (Span, &str, Option<Edit>)> {
        let unused = self.0.iter().filter(|ignore| !ignore.is_used);
        unused.map(|ignore| (ignore.span, ignore.word.as_str(), Some(ignore.alone.clone())))
    }
}

/// Says of each word of a comment what goes where it is taken out. A word that stands alone takes the comment with
/// it, and the line where that is all it has; of several, each takes what parts it from its neighbour.
fn take_out(tree: &Tree<'_>, line: &Line, words: &mut [Ignore]) {
    if let [only] = words {
        let is_all = line.name.0 == line.name.1;
        let before = tree.text().get(line.start..line.comment).unwrap_or_default();
        let (start, end) =
            if is_all { (line.start, line.next) } else { (line.start + before.trim_ascii_end().len(), line.end) };
        only.alone.span = Span::new(start, end);
        return;
    }
    let mut starts: Vec<u32> = words.iter().skip(1).map(|word| word.span.start).collect();
    let before_last = words.iter().rev().nth(1).map(|word| word.span.end);
    starts.push(words.last().map_or(0, |word| word.span.end));
    for (word, next) in words.iter_mut().zip(starts) {
        word.alone.span.end = next;
    }
    // The last has nothing behind it, and takes what is before it.
    if let (Some(last), Some(end)) = (words.last_mut(), before_last) {
        last.alone.span.start = end;
    }
}

/// Calls `visit` with each code or name that a line's comment ignores.
fn each_word(tree: &Tree<'_>, line: &Line, mut visit: impl FnMut(String, Span)) {
    let comment = tree.text().get(line.comment..line.end).unwrap_or_default();
    let Ok(comment) = std::str::from_utf8(comment) else { return };
    let Some(rest) = comment.strip_prefix('#').map(str::trim_start).and_then(|rest| rest.strip_prefix("wayleave:"))
    else {
        return;
    };
    let Some(words) = rest.trim_start().strip_prefix("ignore").filter(|words| words.starts_with([' ', '\t'])) else {
        return;
    };
    let from = line.comment + (comment.len() - words.len());
    let mut at = from;
    for part in words.split([',', ' ', '\t']) {
        if !part.is_empty() {
            visit(part.to_owned(), Span::new(at, at + part.len()));
        }
        at += part.len() + 1;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Selection, Site, lint};

    fn codes(robots_txt: &str) -> Vec<&'static str> {
        let site = Site::new().with_robots_txt("robots.txt", robots_txt.as_bytes());
        let documents = lint(&site, &Selection::everything());
        documents.iter().flat_map(|document| &document.findings).map(|finding| finding.rule.code).collect()
    }

    #[test]
    fn a_comment_is_about_its_line_or_the_next_field() {
        assert_eq!(codes("User-agent: *\nDisallow: /\n"), ["A003"]);
        assert_eq!(codes("User-agent: *\nDisallow: / # wayleave: ignore A003\n"), [""; 0]);
        assert_eq!(codes("User-agent: *\n#wayleave:ignore closed-site, R003\n\n# so it is\nDisallow: /\n"), ["A007"]);
        assert_eq!(codes("User-agent: * # wayleave: ignore A003\nDisallow: /\n"), ["A007", "A003"]);
        assert_eq!(codes("User-agent: *\nDisallow: / # wayleave: ignored A003\n"), ["A003"]);
    }

    #[test]
    fn a_rule_that_is_not_selected_is_not_missed() {
        let site = Site::new().with_robots_txt("robots.txt", b"User-agent: *\nDisallow: / # wayleave: ignore A003\n");
        let selection = Selection::new([], ["A003"]).unwrap_or_default();
        assert!(lint(&site, &selection).iter().all(|document| document.findings.is_empty()));
    }
}
