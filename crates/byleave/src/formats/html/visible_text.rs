//! The texts in a page as a browser shows them, and which of them are identical (S-25).
//!
//! A text continues across comments and inline elements. It ends at the edge of any other element and at `br`. Style
//! sheets are ignored. The fixed list in `edge` determines which elements are inline.

use super::Decoded;
use super::elements::Elements;
use super::nodes::Name;
use super::texts::TextRun;
use crate::model::ElementId;
use std::ops::Range;

/// The visible runs of text, including whitespace, in document order.
pub(crate) struct VisibleText<'e> {
    elements: &'e Elements,
    runs: Vec<VisibleRun>,
}

/// A visible run of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VisibleRun {
    pub(crate) run: TextRun,
    /// What separates the run from the previous run.
    pub(crate) boundary: RunBoundary,
    /// The run's index among all texts in the page.
    number: usize,
}

/// What separates two runs of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RunBoundary {
    Comments,
    /// Tags of inline elements.
    Inline,
    /// The edge of a block, or a line break.
    Block,
}

impl<'e> VisibleText<'e> {
    /// Finds the visible text in a page with these elements.
    ///
    /// Cost: linear in elements and texts.
    pub(crate) fn of(page: &Decoded<'_>, elements: &'e Elements) -> Self {
        let mut runs = Vec::with_capacity(elements.texts().len());
        let (mut begun, mut before) = (elements.ids(), None);
        let mut boundary = RunBoundary::Block;
        let mut next = begun.next();
        for (number, run) in elements.texts().iter().enumerate() {
            // Processes the elements that begin or end between two runs. Each element begins and ends once, so the cost
            // is linear.
            while let Some(element) = next.filter(|element| elements.first_text(*element) <= number) {
                boundary = boundary.max(edge(elements.name(element)));
                next = begun.next();
            }
            let ended = before.into_iter().flat_map(|before| elements.lineage(before));
            let ended = ended.take_while(|element| !elements.is_within(run.element, *element));
            boundary = ended.fold(boundary, |boundary, element| boundary.max(edge(elements.name(element))));
            before = Some(run.element);
            if is_visible(elements, page, run) {
                runs.push(VisibleRun { run: *run, boundary, number });
                boundary = RunBoundary::Comments;
            }
        }
        Self { elements, runs }
    }

    pub(crate) fn runs(&self) -> &[VisibleRun] {
        &self.runs
    }

    /// Returns the range of runs in an element.
    ///
    /// Cost: O(log texts).
    pub(crate) fn within(&self, element: ElementId) -> Range<usize> {
        let first = self.elements.first_text(element);
        let start = self.runs.partition_point(|shown| shown.number < first);
        let is_within = |shown: &VisibleRun| self.elements.is_within(shown.run.element, element);
        let count = self.runs.get(start..).unwrap_or_default().partition_point(is_within);
        start..start + count
    }

    /// Calls `visit` with the runs of each text. A text is between two tags, between two block edges, or in one
    /// element.
    ///
    /// Cost: linear in the runs, plus O(log texts) for each element.
    pub(crate) fn each_text(&self, mut visit: impl FnMut(Range<usize>)) {
        for least in [RunBoundary::Inline, RunBoundary::Block] {
            let mut start = 0;
            let parting = self.runs.iter().enumerate().skip(1).filter(|(_, shown)| shown.boundary >= least);
            for end in parting.map(|(number, _)| number).chain([self.runs.len()]) {
                visit(start..end);
                start = end;
            }
        }
        self.elements.ids().for_each(|element| visit(self.within(element)));
    }
}

/// Returns how an element's start or end separates text.
fn edge(name: Name) -> RunBoundary {
    match name {
        Name::A | Name::Abbr | Name::Acronym | Name::B | Name::Bdi | Name::Bdo | Name::Big | Name::Cite => {
            RunBoundary::Inline
        }
        Name::Code | Name::Data | Name::Del | Name::Dfn | Name::Em | Name::Font | Name::I | Name::Ins => {
            RunBoundary::Inline
        }
        Name::Kbd | Name::Label | Name::Mark | Name::Nobr | Name::Q | Name::S | Name::Samp | Name::Small => {
            RunBoundary::Inline
        }
        Name::Span | Name::Strike | Name::Strong | Name::Sub | Name::Sup | Name::Time | Name::Tt => RunBoundary::Inline,
        Name::U | Name::Var | Name::Wbr => RunBoundary::Inline,
        // These elements are not visible.
        Name::Link | Name::Meta | Name::Script | Name::Style | Name::Template => RunBoundary::Inline,
        Name::Area | Name::Base | Name::Body | Name::Br | Name::Colgroup | Name::Form | Name::Frameset => {
            RunBoundary::Block
        }
        Name::Head | Name::Html | Name::Img | Name::P | Name::Tbody | Name::Title | Name::Tr => RunBoundary::Block,
        Name::Other | Name::Foreign => RunBoundary::Block,
    }
}

/// Returns whether a text is visible. Scripts, style sheets and fallback content such as `noframes` are not visible.
fn is_visible(elements: &Elements, page: &Decoded<'_>, run: &TextRun) -> bool {
    let is_named = |names: &[&str]| names.contains(&&*elements.written_name(page, run.element));
    match elements.name(run.element) {
        Name::Script | Name::Style => false,
        Name::Foreign => !is_named(&["script", "style"]),
        _ => !run.kind.is_raw() || !is_named(&["iframe", "noembed", "noframes"]),
    }
}

/// The hash of a text with collapsed whitespace. Identical texts have the same fingerprint.
///
/// It is a polynomial over the characters. After one pass, the fingerprint of every range of runs is known. Two
/// different texts have the same fingerprint with a probability of about one in 2^61. In that case, too much text is
/// left out, never too little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(PrefixHash);

/// The number of characters before a position, and their hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct PrefixHash {
    length: u64,
    sum: u64,
}

/// The fingerprints of the texts in a page.
pub(crate) struct Fingerprints {
    /// For each run, the hash before its first visible character, and the hash after its last visible character.
    hashes: Vec<(PrefixHash, PrefixHash)>,
}

impl Fingerprints {
    /// Computes the fingerprints.
    ///
    /// Cost: linear in the text.
    pub(crate) fn of(page: &Decoded<'_>, shown: &VisibleText<'_>) -> Self {
        let mut hashes: Vec<(PrefixHash, PrefixHash)> = Vec::with_capacity(shown.runs.len());
        let (mut now, mut is_separated) = (PrefixHash::default(), false);
        // The first run that has no visible character so far.
        let mut first = 0;
        for VisibleRun { run, boundary, .. } in &shown.runs {
            is_separated |= *boundary == RunBoundary::Block;
            hashes.push((now, now));
            for character in run.text(page).chars() {
                if character.is_whitespace() {
                    is_separated = true;
                    continue;
                }
                if std::mem::take(&mut is_separated) {
                    now = now.with(' ');
                }
                hashes.iter_mut().skip(first).for_each(|(start, _)| *start = now);
                first = hashes.len();
                now = now.with(character);
            }
            if let Some((_, end)) = hashes.last_mut() {
                *end = now;
            }
        }
        Self { hashes }
    }

    /// Returns the fingerprint of a range of runs, or `None` if the range has no visible characters.
    pub(crate) fn fingerprint(&self, runs: &Range<usize>) -> Option<Fingerprint> {
        let (start, _) = self.hashes.get(runs.start)?;
        let (_, end) = self.hashes.get(runs.end.checked_sub(1)?)?;
        end.since(*start).map(Fingerprint)
    }

    /// Returns whether a run has a visible character.
    pub(crate) fn has_characters(&self, run: usize) -> bool {
        self.fingerprint(&(run..run + 1)).is_some()
    }
}

impl PrefixHash {
    /// 2^61 - 1, a prime.
    const MODULUS: u64 = (1 << 61) - 1;
    /// An arbitrary large number.
    const BASE: u64 = 0x0B5A_D4EC_D5E1_7F33;

    fn with(self, character: char) -> Self {
        let sum = times(self.sum, Self::BASE) + u64::from(u32::from(character)) + 1;
        Self { length: self.length + 1, sum: sum % Self::MODULUS }
    }

    /// Returns the hash of the characters since `start`, or `None` if there are none.
    fn since(self, start: Self) -> Option<Self> {
        let length = self.length.checked_sub(start.length).filter(|length| *length > 0)?;
        let (mut power, mut base, mut rest) = (1, Self::BASE, length);
        while rest > 0 {
            if rest & 1 == 1 {
                power = times(power, base);
            }
            base = times(base, base);
            rest >>= 1;
        }
        let before = times(start.sum, power);
        Some(Self { length, sum: (self.sum + Self::MODULUS - before) % Self::MODULUS })
    }
}

fn times(a: u64, b: u64) -> u64 {
    // The result is less than the modulus, so it fits into 64 bits.
    (u128::from(a) * u128::from(b) % u128::from(PrefixHash::MODULUS)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::limits::Limits;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Returns the visible text in a range of runs, computed in the naive way.
    fn visible_text(page: &Decoded<'_>, shown: &VisibleText<'_>, runs: Range<usize>) -> String {
        let mut text = String::new();
        for VisibleRun { run, boundary, .. } in shown.runs().get(runs).unwrap_or_default() {
            text.push_str(if *boundary == RunBoundary::Block { " " } else { "" });
            text.push_str(&run.text(page));
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn texts(html: &str) -> Vec<String> {
        let page = super::super::decoded(html.as_bytes(), Some("utf-8"), &Limits::default());
        let elements = Elements::of(&page);
        let shown = VisibleText::of(&page, &elements);
        let mut texts = Vec::new();
        shown.each_text(|runs| texts.push(visible_text(&page, &shown, runs)));
        texts.sort_unstable();
        texts.dedup();
        texts.retain(|text| !text.is_empty());
        texts
    }

    #[test]
    fn s25_texts_are_between_tags_between_blocks_and_in_elements() {
        assert_eq!(texts("<p>a<b>b</b><!-- -->c<br>d"), ["a", "abc", "abc d", "b", "c", "d"]);
        assert_eq!(texts("<div>a<!-- -->b <p>c</p></div>"), ["ab", "ab c", "c"]);
        assert_eq!(texts("<p>a<script>b</script>c"), ["a", "ac", "c"]);
        assert_eq!(texts(" <p> "), [""; 0]);
    }

    proptest! {
        /// Law: two ranges have the same fingerprint if and only if their visible texts are identical.
        #[test]
        fn s25_identical_texts_have_one_fingerprint(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "a", "b", "ab", " ", "\u{a0}", "\n", "&#32;", "<b>", "</b>", "<i>", "</i>", "<p>", "<div>", "</div>", "<br>",
                "<!---->", "<script>a</script>", "<table>", "<td>", "</table>", "<textarea>", "</textarea>", "<svg>", "</svg>",
            ]), 0..40)
        ) {
            let html = pieces.concat();
            let page = super::super::decoded(html.as_bytes(), Some("utf-8"), &Limits::default());
            let elements = Elements::of(&page);
            let shown = VisibleText::of(&page, &elements);
            let fingerprints = Fingerprints::of(&page, &shown);
            let mut known: HashMap<String, Option<Fingerprint>> = HashMap::new();
            for start in 0..shown.runs().len() {
                for end in start + 1..=shown.runs().len() {
                    let (text, found) = (visible_text(&page, &shown, start..end), fingerprints.fingerprint(&(start..end)));
                    prop_assert_eq!(text.is_empty(), found.is_none());
                    prop_assert_eq!(*known.entry(text).or_insert(found), found);
                }
            }
            let different: std::collections::HashSet<_> = known.values().collect();
            prop_assert_eq!(different.len(), known.len());
            for element in elements.ids() {
                let within = shown.within(element);
                let is_within = |(number, one): (usize, &VisibleRun)| {
                    elements.is_within(one.run.element, element) == within.contains(&number)
                };
                prop_assert!(shown.runs().iter().enumerate().all(is_within));
            }
        }
    }
}
