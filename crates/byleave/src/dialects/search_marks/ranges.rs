//! Ranges that are marked in a page's source by comments and by `<noindex>` (S-49).
//!
//! A range extends from mark to mark in byte order, regardless of the tree. An element is in a range if its start tag
//! and all tags and texts inside it are in the range, wherever the tree puts them.

use crate::base::source::Span;
use crate::dialects::search_marks::{GOOGLEOFF, GOOGLEON, NOINDEX, OffKind, RangeKind};
use crate::formats::html::Decoded;
use crate::formats::html::elements::Elements;
use crate::formats::html::tokens::{Token, is_space};
use crate::model::ElementId;
use std::collections::HashSet;

/// A mark that begins or ends ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The comment or tag.
    pub(crate) span: Span,
    does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Begin(Kinds),
    End(Kinds),
}

/// Kinds of ranges, one bit per kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kinds(u8);

impl Kinds {
    fn of(kind: RangeKind) -> Self {
        let number = RangeKind::ALL.iter().position(|known| *known == kind);
        Self(number.map_or(0, |number| 1 << number))
    }

    fn has(self, kind: RangeKind) -> bool {
        self.0 & Self::of(kind).0 != 0
    }
}

impl Mark {
    /// Returns the mark for a token, or `None` if the token is not a mark.
    pub(crate) fn of(token: &Token<'_>, text: &[u8]) -> Option<Self> {
        match token {
            Token::Comment(span) => Some(Self { span: *span, does: marker(span.of(text))? }),
            Token::Start(tag) if tag.is(NOINDEX) => {
                Some(Self { span: tag.span, does: Does::Begin(Kinds::of(RangeKind::Tag)) })
            }
            Token::End(tag) if tag.is(NOINDEX) => {
                Some(Self { span: tag.span, does: Does::End(Kinds::of(RangeKind::Tag)) })
            }
            Token::Start(_) | Token::End(_) | Token::Text(_) | Token::Doctype(_) => None,
        }
    }
}

/// Returns the effect of a comment, or `None` if it is not a mark. `googleoff` without a kind, or with an unknown kind,
/// switches everything off. An unknown kind in `googleon` has no effect.
fn marker(comment: &[u8]) -> Option<Does> {
    let inside = comment.strip_prefix(b"<!--")?;
    let inside = inside.strip_suffix(b"-->").or_else(|| inside.strip_suffix(b"--!>")).unwrap_or(inside);
    let inside = inside.trim_ascii();
    if inside.eq_ignore_ascii_case(NOINDEX.as_bytes()) {
        return Some(Does::Begin(Kinds::of(RangeKind::Comment)));
    }
    if let Some(ended) = inside.strip_prefix(b"/") {
        let is_noindex = ended.trim_ascii_start().eq_ignore_ascii_case(NOINDEX.as_bytes());
        return is_noindex.then(|| Does::End(Kinds::of(RangeKind::Comment)));
    }
    let (is_off, kinds) = match (after(inside, GOOGLEOFF), after(inside, GOOGLEON)) {
        (Some(kinds), _) => (true, kinds),
        (None, Some(kinds)) => (false, kinds),
        (None, None) => return None,
    };
    let mut found = Kinds(0);
    let mut is_known = true;
    for word in kinds.split(|byte| is_space(*byte) || matches!(byte, b',' | b';')).filter(|word| !word.is_empty()) {
        match OffKind::ALL.iter().find(|(name, _)| name.as_bytes().eq_ignore_ascii_case(word)) {
            Some((_, kind)) => found.0 |= Kinds::of(RangeKind::Off(*kind)).0,
            None => is_known = false,
        }
    }
    let all = Kinds::of(RangeKind::Off(OffKind::All));
    Some(match is_off {
        true if found.0 == 0 || !is_known => Does::Begin(Kinds(found.0 | all.0)),
        true => Does::Begin(found),
        // `googleon: all` ends the ranges that `googleoff` began, of every kind and not only of the kind `all`.
        false if found.has(RangeKind::Off(OffKind::All)) => {
            Does::End(Kinds(OffKind::ALL.iter().fold(0, |all, (_, kind)| all | Kinds::of(RangeKind::Off(*kind)).0)))
        }
        false => Does::End(found),
    })
}

/// Returns the text after `word` and a colon, or `None` if `text` does not begin with `word`. Blanks may replace the
/// colon.
fn after<'t>(text: &'t [u8], word: &str) -> Option<&'t [u8]> {
    let (start, rest) = text.split_at_checked(word.len())?;
    let is_over = rest.first().is_none_or(|byte| is_space(*byte) || *byte == b':');
    let rest = rest.trim_ascii_start();
    let is_it = start.eq_ignore_ascii_case(word.as_bytes()) && is_over;
    is_it.then(|| rest.strip_prefix(b":").unwrap_or(rest))
}

/// A marked range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MarkedRange {
    pub(crate) kind: RangeKind,
    /// The mark that begins the range.
    pub(crate) mark: Span,
    /// The offset at which the range begins.
    start: u32,
    /// The offset at which the range ends.
    end: u32,
}

impl MarkedRange {
    /// Whether the range contains the bytes of the page from `first` to `last`.
    pub(crate) fn has(&self, (first, last): (u32, u32)) -> bool {
        self.start <= first && last < self.end
    }
}

/// The marked ranges in a page. Ranges of each kind are in page order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    /// All ranges. Ranges of the same kind are adjacent.
    all: Vec<MarkedRange>,
    /// For each kind, the index of its first range in `all`. The last entry is the number of all ranges.
    kinds: [usize; RangeKind::ALL.len() + 1],
}

impl Ranges {
    /// Returns the ranges between marks in a page. A range without an end mark extends to the end of the page.
    ///
    /// Cost: linear in the marks.
    pub(crate) fn of(marks: &[Mark]) -> Self {
        let mut ranges = Self::default();
        for (number, kind) in RangeKind::ALL.into_iter().enumerate() {
            let mut open: Option<Span> = None;
            for mark in marks {
                match mark.does {
                    Does::Begin(kinds) if kinds.has(kind) => open = open.or(Some(mark.span)),
                    Does::End(kinds) if kinds.has(kind) => {
                        ranges.all.extend(open.take().map(|begun| of_kind(kind, begun, mark.span.start)));
                    }
                    Does::Begin(_) | Does::End(_) => {}
                }
            }
            ranges.all.extend(open.map(|begun| of_kind(kind, begun, u32::MAX)));
            if let Some(end) = ranges.kinds.get_mut(number + 1) {
                *end = ranges.all.len();
            }
        }
        ranges
    }

    pub(crate) fn all(&self) -> &[MarkedRange] {
        &self.all
    }

    /// Returns the indexes of the ranges that contain all of these bytes, at most one range of each kind.
    ///
    /// Cost: O(log ranges).
    pub(crate) fn around(&self, bytes: (u32, u32)) -> impl Iterator<Item = usize> {
        self.kinds.windows(2).filter_map(move |kinds| {
            let [from, to] = *kinds else { return None };
            let of_kind = self.all.get(from..to)?;
            let number = of_kind.partition_point(|range| range.start <= bytes.0).checked_sub(1)?;
            of_kind.get(number)?.has(bytes).then_some(from + number)
        })
    }

    /// Returns the outermost elements in each range, in document order, each with the index of the range.
    ///
    /// Cost: linear in the page, plus O(log ranges) for each element.
    pub(crate) fn covered(&self, page: &Decoded<'_>, elements: &Elements) -> Vec<(ElementId, usize)> {
        let extents = extents(page, elements);
        let extent = |id: ElementId| extents.get(id.0 as usize).copied().flatten();
        let mut covered = Vec::new();
        for id in elements.ids() {
            let Some(own) = extent(id) else { continue };
            let outer = elements.parent(id).and_then(extent);
            for number in self.around(own) {
                let is_inner = outer.is_some_and(|outer| self.all.get(number).is_some_and(|range| range.has(outer)));
                if !is_inner {
                    covered.push((id, number));
                }
            }
        }
        covered
    }
}

fn of_kind(kind: RangeKind, begun: Span, end: u32) -> MarkedRange {
    // The element that a `<noindex>` tag creates is part of the tag's range.
    let start = if kind == RangeKind::Tag { begun.start } else { begun.end };
    MarkedRange { kind, mark: begun, start, end }
}

/// Returns the offsets of the first and last byte of each element. They cover the first byte of every start tag, and
/// every text, in the element's subtree. Text that is only white space is ignored. The result is `None` for an element
/// without start tags and texts.
fn extents(page: &Decoded<'_>, elements: &Elements) -> Vec<Option<(u32, u32)>> {
    let mut extents: Vec<Option<(u32, u32)>> = vec![None; elements.count() as usize];
    let mut add = |id: ElementId, (first, last): (u32, u32)| {
        if let Some(own) = extents.get_mut(id.0 as usize) {
            *own = Some(own.map_or((first, last), |(least, most)| (least.min(first), most.max(last))));
        }
    };
    // A reconstructed formatting element has the tag of the original element, which may be far away. So each tag is
    // used only once.
    let mut tags = HashSet::new();
    for id in elements.ids() {
        if let Some(tag) = elements.tag_start(id).filter(|tag| tags.insert(*tag)) {
            add(id, (tag, tag));
        }
    }
    for run in elements.texts() {
        let bytes = run.span.of(page.text());
        if !bytes.iter().all(|byte| is_space(*byte)) {
            add(run.element, (run.span.start, run.span.end.saturating_sub(1)));
        }
    }
    // Elements are in document order, so the reverse order visits descendants before their ancestors.
    for number in (0..elements.count()).rev() {
        let own = extents.get(number as usize).copied().flatten();
        if let (Some((first, last)), Some(parent)) = (own, elements.parent(ElementId(number)))
            && let Some(outer) = extents.get_mut(parent.0 as usize)
        {
            *outer = Some(outer.map_or((first, last), |(least, most)| (least.min(first), most.max(last))));
        }
    }
    extents
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::*;
    use crate::base::limits::Limits;
    use crate::formats::html::decoded;

    /// Returns the covered elements, each as its id or name, with the kind of the range.
    fn covered(text: &str) -> Vec<String> {
        let page = decoded(text.as_bytes(), Some("utf-8"), &Limits::default());
        let mut marks = Vec::new();
        Elements::observed(&page, |token| marks.extend(Mark::of(token, page.text())));
        let (elements, ranges) = (Elements::of(&page), Ranges::of(&marks));
        let shown = |(id, number): (ElementId, usize)| {
            let name = elements.attribute(&page, id, "id").unwrap_or(elements.written_name(&page, id));
            format!("{name} {:?}", ranges.all()[number].kind)
        };
        ranges.covered(&page, &elements).into_iter().map(shown).collect()
    }

    #[test]
    fn s49_comments_are_told_without_case_and_blanks() {
        let text = |span: &[u8]| marker(span);
        let begins = Some(Does::Begin(Kinds::of(RangeKind::Comment)));
        let ends = Some(Does::End(Kinds::of(RangeKind::Comment)));
        for (comment, expected) in [
            ("<!--noindex-->", begins),
            ("<!-- NoIndex\n-->", begins),
            ("<!--noindex--!>", begins),
            ("<!--noindex", begins),
            ("<!--/noindex-->", ends),
            ("<!-- / noindex -->", ends),
            ("<!--noindex this-->", None),
            ("<!-- no index -->", None),
            ("<!noindex>", None),
            ("<?noindex?>", None),
            ("<!---->", None),
            ("<!-- googleoffice: all -->", None),
        ] {
            assert_eq!(text(comment.as_bytes()), expected, "{comment}");
        }
        let kinds = |comment: &str| match marker(comment.as_bytes()) {
            Some(Does::Begin(kinds)) => format!("off {:b}", kinds.0),
            Some(Does::End(kinds)) => format!("on {:b}", kinds.0),
            None => String::new(),
        };
        for (comment, expected) in [
            ("<!--googleoff: index-->", "off 100"),
            ("<!-- GOOGLEOFF:anchor -->", "off 1000"),
            ("<!--googleoff snippet-->", "off 10000"),
            ("<!--googleoff: index, snippet-->", "off 10100"),
            ("<!--googleoff: all-->", "off 100000"),
            ("<!--googleoff-->", "off 100000"),
            ("<!--googleoff: indx-->", "off 100000"),
            ("<!--googleon: index-->", "on 100"),
            ("<!--googleon: all-->", "on 111100"),
            ("<!--googleon: indx-->", "on 0"),
            ("<!--googleon-->", "on 0"),
        ] {
            assert_eq!(kinds(comment), expected, "{comment}");
        }
    }

    #[test]
    fn s49_an_element_is_in_a_range_if_all_of_it_is() {
        let page = |body: &str| format!("<!doctype html><title>t</title><body><i id=z>z</i>{body}");
        for (body, expected) in [
            ("<!--noindex--><p id=a>A</p><!--/noindex--><p id=b>B", &["a Comment"][..]),
            ("<!--noindex--><p id=a>A<b>B</b></p>C<!--/noindex-->", &["a Comment"]),
            // The end of the element may be outside the range, but its content may not.
            ("<!--noindex--><div id=a>A<!--/noindex--> </div>", &["a Comment"]),
            ("<!--noindex--><div id=a><u id=u>A</u><!--/noindex-->B</div>", &["u Comment"]),
            ("<p id=a><!--noindex-->A<!--/noindex--></p>", &[]),
            // A range without an end mark continues. A second start mark or a second end mark changes nothing.
            (
                "<!--noindex--><p id=a>A<!--noindex--><p id=b>B<!--/noindex--><p id=c>C<!--/noindex-->",
                &["a Comment", "b Comment"],
            ),
            ("<!--noindex--><p id=a>A<p id=b>B", &["a Comment", "b Comment"]),
            // Raw text has no comments.
            ("<textarea><!--noindex--></textarea><p id=a>A", &[]),
            (
                "<!--noindex--><p id=a>A</p><script><!--/noindex--></script><p id=b>B",
                &["a Comment", "script Comment", "b Comment"],
            ),
            // The range of a tag can be larger than the element. Here, the tree ends the element with the paragraph.
            ("<p id=a>A<noindex id=n>B</p><p id=b>C</p></noindex><p id=c>D", &["n Tag", "b Tag"]),
            // Ranges of other kinds.
            (
                "<!--googleoff: index--><p id=a>A</p><!--googleon: snippet--><p id=b>B</p><!--googleon: all--><p id=c>C",
                &["a Off(Index)", "b Off(Index)"],
            ),
            (
                "<!--googleoff: all--><p id=a>A</p><!--googleon: index--><p id=b>B</p><!--googleon: all--><p id=c>C",
                &["a Off(All)", "b Off(All)"],
            ),
            // Formatting elements are reconstructed.
            ("<p><b id=x>A</p><!--noindex--><p id=a>B</p><!--/noindex--><p>C", &["a Comment"]),
            // Foster-parented text keeps its source position.
            ("<table id=t><tr><td>A</td></tr><!--noindex--><p id=a>B</p><!--/noindex--></table>", &["a Comment"]),
        ] {
            assert_eq!(covered(&page(body)), expected, "{body}");
        }
        assert_eq!(covered("<!--noindex--><html><body><p>A"), ["html Comment"]);
        assert_eq!(covered("<title>t</title><!--noindex--><p>A</p><!--/noindex-->"), ["body Comment"]);
        assert_eq!(covered("<body><!--noindex--><p>A</p><!--/noindex--></body>"), ["p Comment"]);
    }
}
