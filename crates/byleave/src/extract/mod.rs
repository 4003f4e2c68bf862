//! Extracts the text of a page that a crawler may use (S-16, S-37).
//!
//! The decision for the nearest enclosing element with a statement determines whether a run of text is kept. If there
//! is no such element, the decision for the page applies. Text in a marked range is left out (S-49). If a permission
//! covers only a part of the page, only that part is kept. `after_scripts` finds the content that the page after its
//! scripts prohibits.

mod after_scripts;
mod redact;
mod snippet;

pub use snippet::{cut, is_within};

use crate::base::source::Span;
use crate::decide::{decide_unchecked, work_of};
use crate::dialects::acap::Locator;
use crate::explain::{Explanation, SiteStatements, explain_unchecked, justification};
use crate::formats::html::{Decoded, Elements, RunBoundary, TargetKind, TextRun, VisibleRun, VisibleText, head_metas};
use crate::model::ElementId;
use crate::model::Source;
use crate::model::Usage;
use crate::model::diagnostic::{Code, Diagnostic};
use crate::model::proposed_use::{PagePart, ProposedUse};
use crate::model::{Condition, StatementId};
use crate::model::{Decision, Outcome};
use crate::site::element_statements::{ElementStatements, ExaminedElements};
use crate::site::{AskedFor, PAGE, Site};
use after_scripts::AfterScripts;
use redact::redact;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The text of a page, separated into what may be used and what may not. [`extract()`] returns it.
///
/// ```
/// use byleave::{Crawler, Outcome, ProposedUse, Reading, Site, Usage, extract::extract};
/// let page = b"<p>News</p><p class='the-acap:disallow-index'>Comments</p>";
/// let site = Site::builder(Reading::Default).with_page(page).build();
/// let crawler = Crawler::named("ExampleBot");
/// let extract = extract(&site, &ProposedUse::new("/", &crawler, &Usage::Index)).unwrap();
/// assert_eq!(extract.decision.outcome, Outcome::Unstated);
/// assert!(extract.is_whole && extract.text() == "News");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extract<'e> {
    /// The decision for the page, or for the element in question.
    pub decision: Decision,
    /// The conditions of use. The caller must meet them, for example by [shortening](cut) a snippet.
    pub conditions: Vec<Condition>,
    /// The text in document order. Each piece is kept or left out as a whole. Scripts and style sheets are not text.
    pub pieces: Vec<TextPiece>,
    /// Whether the whole page was read and examined (S-22). Text that was not read is missing, and text that was not
    /// examined is left out.
    pub is_whole: bool,
    /// Diagnostics about the question, such as an element that the page does not have.
    pub notes: Vec<Diagnostic>,
    page: Decoded<'e>,
    elements: Elements,
    /// For each element, whether its direct content is kept.
    kept: Vec<bool>,
    /// The start offsets of texts that are left out although their element is kept.
    left_out: HashSet<u32>,
}

/// A piece of a page's text.
///
/// ```
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage, extract::extract};
/// let page = b"<p>News</p><p class='robots-noindex the-acap:disallow-index'>Comments</p>";
/// let site = Site::builder(Reading::Default).with_page(page).build();
/// let crawler = Crawler::named("ExampleBot");
/// let extract = extract(&site, &ProposedUse::new("/", &crawler, &Usage::Index)).unwrap();
/// let pieces: Vec<_> = extract.pieces.iter().map(|piece| (piece.text.as_str(), piece.is_kept)).collect();
/// assert_eq!(pieces, [("News", true), ("Comments", false)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextPiece {
    /// The piece's bytes in the page. If the page [was transcoded](Extract::is_transcoded), the bytes in the UTF-8
    /// text.
    pub span: Span,
    /// The piece's text, with character references resolved.
    pub text: String,
    /// Whether a browser shows the piece directly after the previous one, with no whitespace or block boundary between
    /// them.
    pub is_joined: bool,
    /// Whether the piece may be used.
    pub is_kept: bool,
    /// Why the piece may or may not be used, in a sentence.
    pub because: Arc<str>,
}

impl Extract<'_> {
    /// Returns the text that may be used, with whitespace collapsed. As in a browser, a word continues across comments
    /// and inline elements. A word ends where text is left out.
    ///
    /// ```
    /// use byleave::{Crawler, ProposedUse, Reading, Site, Usage};
    /// let page = b"<p>un<b>believ</b>able<p>wea<!-- -->r<br>on a<i class='the-acap:disallow-index'> b </i>c";
    /// let site = Site::builder(Reading::Default).with_page(page).build();
    /// let crawler = Crawler::named("AnyBot");
    /// let extract = byleave::extract::extract(&site, &ProposedUse::new("/", &crawler, &Usage::Index)).ok_or("no page")?;
    /// assert_eq!(extract.text(), "unbelievable wear on a c");
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let (mut text, mut is_open) = (String::new(), false);
        for piece in &self.pieces {
            if piece.is_kept {
                text.push_str(if is_open && piece.is_joined { "" } else { " " });
                text.push_str(&piece.text);
            }
            is_open = piece.is_kept;
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Returns the page without the content that may not be used. All other bytes are unchanged.
    ///
    /// Prohibited elements are emptied, including their scripts and comments. Their own tags remain, with only the
    /// attributes `class` and `id`. If an element is kept, only its prohibited texts are removed. Content that was not
    /// read is left out.
    ///
    /// ```
    /// use byleave::{Crawler, ProposedUse, Reading, Site, Usage};
    /// let page = b"<p>News<div class='the-acap:disallow-index' title='Mine'>Comments <!-- and --> <b>more</b></div><P>End";
    /// let site = Site::builder(Reading::Default).with_page(page).build();
    /// let crawler = Crawler::named("AnyBot");
    /// let extract = byleave::extract::extract(&site, &ProposedUse::new("/", &crawler, &Usage::Index)).ok_or("no page")?;
    /// assert_eq!(extract.html(), b"<p>News<div class=\"the-acap:disallow-index\"></div><P>End");
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn html(&self) -> Vec<u8> {
        let is_kept = |element: ElementId| self.kept.get(element.0 as usize).copied().unwrap_or_default();
        let is_text_kept = |run: &TextRun| !self.left_out.contains(&run.span.start);
        redact(&self.page, &self.elements, &is_kept, &is_text_kept)
    }

    /// Whether the page was transcoded to UTF-8, for example from UTF-16. [`html`](Self::html) then returns UTF-8 with
    /// a byte order mark.
    #[must_use]
    pub fn is_transcoded(&self) -> bool {
        self.page.is_transcoded()
    }
}

/// Returns the text of the page that may be used. Returns `None` if there is no page, if it is not HTML, or if the
/// reading ignores pages.
///
/// ```
/// use byleave::{Crawler, ProposedUse, Reading, Site, Usage};
/// let page = b"<p>News</p><p class='the-acap:disallow-index'>Comments</p><p>More";
/// let site = Site::builder(Reading::Default).with_page(page).build();
/// let crawler = Crawler::named("AnyBot");
/// let proposed = ProposedUse::new("https://site.example/", &crawler, &Usage::Index);
/// assert_eq!(byleave::extract::extract(&site, &proposed).map(|extract| extract.text()), Some("News More".to_owned()));
/// ```
///
/// Cost: building the page's tree, plus one decision for each element with a statement.
#[must_use]
pub fn extract<'e>(site: &'e Site<'_>, proposed: &ProposedUse<'_>) -> Option<Extract<'e>> {
    let page = site.page()?;
    let elements = Elements::of(&page);
    let explanation = explain_unchecked(site, proposed);
    let question = PageQuestion::of(site, proposed);
    let after_scripts = AfterScripts::of(&question);
    let answers = Answers::of(&question, &elements, &explanation, &after_scripts);
    let targets: Vec<Target> = targets(site, &explanation);
    let (asked, note) = asked(site, proposed, &elements);
    let is_asked = |element: ElementId| asked.contains(&element.0);
    let meta = |target: &Target| meta_piece(&page, target, answers.of_page());
    let mut pieces: Vec<TextPiece> = targets.iter().filter_map(meta).collect();
    let metas: Vec<u32> = pieces.iter().map(|piece| piece.span.start).collect();
    let is_in_target = |element: ElementId| {
        targets.iter().all(|target| match target {
            Target::Element(target) => elements.is_within(element, *target),
            Target::Meta(_) => elements.tag_start(element).is_some_and(|tag| metas.contains(&tag)),
            Target::Elsewhere => false,
        })
    };
    let shown = VisibleText::of(&page, &elements);
    let same_text = after_scripts.same_text(&page, &elements, &shown);
    let outside: Arc<str> = "it is outside the part that must be used".into();
    let mut ranges = TextRanges::of(&question);
    let mut left_out: HashSet<u32> = HashSet::new();
    let mut is_separated = true;
    for (VisibleRun { run, boundary, .. }, is_same) in shown.runs().iter().zip(&same_text.runs) {
        is_separated |= *boundary == RunBoundary::Block;
        if !is_asked(run.element) {
            continue;
        }
        let text = run.text(&page);
        if text.trim().is_empty() {
            is_separated |= !text.is_empty();
            continue;
        }
        let Answer { mut is_kept, mut because } = answers.get(run.element);
        if is_kept && let Some(range) = ranges.around(run) {
            (is_kept, because) = (false, range);
            left_out.insert(run.span.start);
        }
        if is_kept && *is_same {
            (is_kept, because) = (false, Arc::clone(&same_text.because));
        }
        let is_in_target = is_in_target(run.element);
        let because = if is_in_target { because } else { Arc::clone(&outside) };
        let (text, is_joined) = (text.into_owned(), !std::mem::take(&mut is_separated));
        pieces.push(TextPiece { span: run.span, text, is_joined, is_kept: is_kept && is_in_target, because });
    }
    let is_kept = |element| answers.get(element).is_kept && is_asked(element) && is_in_target(element);
    let kept = elements.ids().zip(&same_text.elements).map(|(element, is_same)| !is_same && is_kept(element)).collect();
    let same = shown.runs().iter().zip(&same_text.runs).filter(|(_, is_same)| **is_same);
    left_out.extend(same.map(|(shown, _)| shown.run.span.start));
    let mut notes = explanation.notes;
    notes.extend(note);
    let (decision, conditions) = (explanation.decision, explanation.conditions);
    let is_whole = elements.is_whole() && answers.is_all && !after_scripts.is_cut;
    Some(Extract { decision, conditions, pieces, is_whole, notes, page, elements, kept, left_out })
}

/// Returns the range of elements in question. It includes all elements if the question is about the page, or if no page
/// has the named element (S-16). It is empty if only the page after its scripts has that element (S-25).
fn asked(site: &Site<'_>, proposed: &ProposedUse<'_>, elements: &Elements) -> (Range<u32>, Option<Diagnostic>) {
    let all = 0..elements.count();
    let Some(named) = proposed.element else { return (all, None) };
    let found = site.find(proposed);
    match found.first() {
        Some(Some(element)) => (element.0..elements.end(*element), None),
        _ if found.iter().all(Option::is_none) => (all, None),
        _ => {
            let note = Diagnostic {
                code: Code::NoSuchElement,
                severity: Code::NoSuchElement.severity(),
                document: PAGE.to_owned(),
                span: Span::default(),
                message: format!("the page has no element `{named}`; only the page after its scripts has it"),
                help: Some("to extract from the page after its scripts, supply that version as the page".to_owned()),
            };
            (0..0, Some(note))
        }
    }
}

/// Returns the content of the META tag that must be used, if the target is a META tag. The first matching tag counts.
fn meta_piece(page: &Decoded<'_>, target: &Target, Answer { is_kept, because }: Answer) -> Option<TextPiece> {
    let Target::Meta(name) = target else { return None };
    let mut found = None;
    head_metas(page, |tag| {
        if found.is_none() && tag.name().is_some_and(|own| own.trim().eq_ignore_ascii_case(name)) {
            found = Some((tag.span(), tag.content().unwrap_or_default().into_owned()));
        }
    });
    found.map(|(span, text)| TextPiece { span, text, is_joined: false, is_kept, because })
}

/// A question about each element in the page and in the page after its scripts.
struct PageQuestion<'a> {
    site: &'a Site<'a>,
    proposed: &'a ProposedUse<'a>,
    /// The statements on elements in both pages. Empty if no statement counts.
    pages: &'a [ElementStatements],
    /// The cost of one decision.
    work: u64,
}

impl<'a> PageQuestion<'a> {
    fn of(site: &'a Site<'_>, proposed: &'a ProposedUse<'_>) -> Self {
        let pages = site.elements(AskedFor::Parts(proposed.usage)).unwrap_or_default();
        let pages = if proposed.capabilities.element_level { pages } else { &[] };
        let work = work_of(&site.sources(proposed.capabilities, None));
        Self { site, proposed, pages, work }
    }

    /// Returns the elements in a page that must be examined: those with statements, and `others`.
    fn examined_elements(&self, page: usize, others: &[ElementId]) -> ExaminedElements {
        let page = self.pages.get(page);
        page.map(|page| page.examined_elements(self.proposed.usage, others, self.work)).unwrap_or_default()
    }

    fn decide(&self, page: usize, element: ElementId) -> Decision {
        decide_unchecked(
            self.site,
            &ProposedUse { element: None, part: Some(PagePart { page, element }), ..*self.proposed },
        )
    }
}

/// The marked ranges in the page that restrict the use of the text inside them (S-49).
struct TextRanges<'a> {
    page: Option<&'a ElementStatements>,
    usage: &'a Usage,
    written: SiteStatements<'a>,
    /// The most recent range, and the sentence about it.
    last: Option<(u32, Arc<str>)>,
}

impl<'a> TextRanges<'a> {
    fn of(question: &PageQuestion<'a>) -> Self {
        let written = SiteStatements::of(question.site, question.proposed.capabilities);
        Self { page: question.pages.first(), usage: question.proposed.usage, written, last: None }
    }

    /// Returns the sentence about the range that contains a text.
    fn around(&mut self, run: &TextRun) -> Option<Arc<str>> {
        let number = self.page?.restriction_of_text(run.span, self.usage)?;
        if self.last.as_ref().is_none_or(|(last, _)| *last != number) {
            let id = StatementId::new(Source::ElementRestrictions(0), number);
            let because = self.written.get(id, self.usage).map_or_else(String::new, |one| justification(&one));
            self.last = Some((number, because.into()));
        }
        self.last.as_ref().map(|(_, because)| Arc::clone(because))
    }
}

/// Whether a part of a page is kept, and why.
#[derive(Clone, Debug)]
struct Answer {
    is_kept: bool,
    because: Arc<str>,
}

/// The answers for a page's elements.
struct Answers {
    /// The answer for the page, then the answers for the examined elements.
    answers: Vec<Answer>,
    /// For each element, the index of its answer. This is the answer for the nearest examined element that encloses it.
    of_element: Vec<u32>,
    /// Whether every element with a statement was examined.
    is_all: bool,
}

impl Answers {
    fn of(
        question: &PageQuestion<'_>,
        elements: &Elements,
        explanation: &Explanation<'_>,
        after_scripts: &AfterScripts,
    ) -> Self {
        let because = explanation.sentence(question.proposed).into();
        let mut answers = vec![Answer { is_kept: explanation.decision.is_allowed(), because }];
        let mut of_element: Vec<u32> = Vec::with_capacity(elements.count() as usize);
        let examined = question.examined_elements(0, &after_scripts.in_both());
        let written = SiteStatements::of(question.site, question.proposed.capabilities);
        let too_many: Arc<str> = "the page has more elements with statements than are examined".into();
        let same_id = after_scripts.because("an element with this id");
        let mut barred: Vec<bool> = Vec::with_capacity(elements.count() as usize);
        for id in elements.ids() {
            let inherited = elements.parent(id).and_then(|parent| of_element.get(parent.0 as usize)).copied();
            let outer = elements.parent(id).and_then(|parent| barred.get(parent.0 as usize)).copied();
            let is_barred = after_scripts.bars(id).or(outer).unwrap_or_default();
            barred.push(is_barred);
            let Ok(number) = examined.elements.binary_search(&id) else {
                of_element.push(inherited.unwrap_or(0));
                continue;
            };
            of_element.push(answers.len() as u32);
            // An element that is not examined is not known to be permitted (S-22).
            if number >= examined.count {
                answers.push(Answer { is_kept: false, because: Arc::clone(&too_many) });
                continue;
            }
            let decision = question.decide(0, id);
            if decision.is_allowed() && is_barred {
                answers.push(Answer { is_kept: false, because: Arc::clone(&same_id) });
                continue;
            }
            let statement = decision.reason.statement().and_then(|id| written.get(id, question.proposed.usage));
            let because = statement.map_or_else(|| decision.reason.name().to_owned(), |one| justification(&one));
            answers.push(Answer { is_kept: decision.is_allowed(), because: because.into() });
        }
        Self { answers, of_element, is_all: examined.is_all() }
    }

    fn of_page(&self) -> Answer {
        self.answers.first().cloned().unwrap_or(Answer { is_kept: false, because: "".into() })
    }

    fn get(&self, element: ElementId) -> Answer {
        let answer = self.of_element.get(element.0 as usize).and_then(|answer| self.answers.get(*answer as usize));
        answer.cloned().unwrap_or_else(|| self.of_page())
    }
}

/// A part that must be used instead of the whole page (S-37).
enum Target {
    Element(ElementId),
    Meta(String),
    /// Another resource, or a part that the page does not have.
    Elsewhere,
}

/// Returns the parts that conditions require instead of the whole page.
fn targets(site: &Site<'_>, explanation: &Explanation<'_>) -> Vec<Target> {
    if explanation.decision.effective != Outcome::Conditional {
        return Vec::new();
    }
    let target = |condition: &Condition| {
        let Condition::Term(name, locator) = condition else { return None };
        if name != "must-use-resource" {
            return None;
        }
        Some(match Locator::of(locator.as_bytes()) {
            Locator::Part(TargetKind::Meta, name) => Target::Meta(String::from_utf8_lossy(name).into_owned()),
            Locator::Part(kind, name) => site.part(kind, name).map_or(Target::Elsewhere, Target::Element),
            Locator::Resource(_) | Locator::Unknown => Target::Elsewhere,
        })
    };
    explanation.conditions.iter().filter_map(target).collect()
}
