//! What of a page's text a crawler may use, part by part (S-16, S-37).
//!
//! Every run of text is kept or left out by the answer for the nearest element around it on which something is said,
//! or by the page's answer; and it is left out where it stands in a marked range (S-49). Where a permission says that only a part may be used, that part alone is kept. What the page
//! after its scripts prohibits is found by `after_scripts`.

mod after_scripts;
mod emptied;
pub mod snippet;

use crate::base::source::Span;
use crate::decide::{decide, work_of};
use crate::dialects::acap::Locator;
use crate::explain::{EvidenceStatements, Explanation, explain, ground_of};
use crate::formats::html::{Decoded, Elements, RunBoundary, TargetKind, TextRun, VisibleRun, VisibleText, head_metas};
use crate::model::ElementId;
use crate::model::Source;
use crate::model::Usage;
use crate::model::diagnostic::{Code, Diagnostic};
use crate::model::proposed_use::{PagePart, ProposedUse};
use crate::model::{Condition, StatementId};
use crate::model::{Decision, Outcome};
use crate::site::element_statements::{LookedAt, OnElements};
use crate::site::{AskedFor, Evidence, PAGE};
use after_scripts::AfterScripts;
use emptied::emptied;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// What may be used of a page, and what may not.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extract<'e> {
    /// The page's answer, or that of the element asked about.
    pub decision: Decision,
    /// What must be kept where it is used; that it is, is the caller's part, as that a snippet is [cut](crate::cut).
    pub conditions: Vec<Condition>,
    /// Its text in document order, in pieces that are kept or left out for one reason. What scripts and style sheets
    /// hold is no text.
    pub pieces: Vec<Piece>,
    /// Whether all of the page was read and looked at (S-22). What was not is in no piece, or left out.
    pub is_whole: bool,
    /// What is to be noticed in the question, such as an element that is not there.
    pub notes: Vec<Diagnostic>,
    page: Decoded<'e>,
    elements: Elements,
    /// For each element whether what is right inside of it is kept.
    kept: Vec<bool>,
    /// Where texts begin that are left out for themselves.
    left_out: HashSet<u32>,
}

/// A piece of a page's text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// Where it stands in the page; where that [had to be decoded first](Extract::is_transcoded), in the page as UTF-8.
    pub span: Span,
    /// Its characters.
    pub text: String,
    /// Whether a browser shows it right behind the piece before it: neither white space nor the edge of a block is between
    /// them.
    pub is_joined: bool,
    /// Whether it may be used.
    pub is_kept: bool,
    /// Why, in a sentence.
    pub because: Arc<str>,
}

impl Extract<'_> {
    /// The text that may be used, whitespace collapsed. Words go on over comments and inline elements, as a browser shows
    /// them, and end where something is left out.
    ///
    /// ```
    /// use byleave::{Crawler, Evidence, ProposedUse, Reading, Usage};
    /// let page = b"<p>un<b>believ</b>able<p>wea<!-- -->r<br>on a<i class='the-acap:disallow-index'> b </i>c";
    /// let evidence = Evidence::new(Reading::Default).with_page(page);
    /// let crawler = Crawler::named("AnyBot");
    /// let extract = byleave::extract(&evidence, &ProposedUse::new("/", &crawler, &Usage::Index)).ok_or("no page")?;
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

    /// The page with what may not be used taken out: prohibited elements are emptied, scripts and comments in them
    /// included, and of themselves the tags stay with nothing but `class` and `id`; texts go alone where their element has
    /// others that are kept. Elsewhere it is the same byte for byte. What was not read is left out.
    ///
    /// ```
    /// use byleave::{Crawler, Evidence, ProposedUse, Reading, Usage};
    /// let page = b"<p>News<div class='the-acap:disallow-index' title='Mine'>Comments <!-- and --> <b>more</b></div><P>End";
    /// let evidence = Evidence::new(Reading::Default).with_page(page);
    /// let crawler = Crawler::named("AnyBot");
    /// let extract = byleave::extract(&evidence, &ProposedUse::new("/", &crawler, &Usage::Index)).ok_or("no page")?;
    /// assert_eq!(extract.html(), b"<p>News<div class=\"the-acap:disallow-index\"></div><P>End");
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn html(&self) -> Vec<u8> {
        let is_kept = |element: ElementId| self.kept.get(element.0 as usize).copied().unwrap_or_default();
        let is_text_kept = |run: &TextRun| !self.left_out.contains(&run.span.start);
        emptied(&self.page, &self.elements, &is_kept, &is_text_kept)
    }

    /// Whether the page had to be turned into UTF-8 to be read, as UTF-16 has: then [`html`](Self::html) is UTF-8, with its
    /// mark.
    #[must_use]
    pub fn is_transcoded(&self) -> bool {
        self.page.is_transcoded()
    }
}

/// Finds what of the page's text may be used; nothing where there is no page, it is no HTML, or the reading reads none.
///
/// ```
/// use byleave::{Crawler, Evidence, ProposedUse, Reading, Usage};
/// let page = b"<p>News</p><p class='the-acap:disallow-index'>Comments</p><p>More";
/// let evidence = Evidence::new(Reading::Default).with_page(page);
/// let crawler = Crawler::named("AnyBot");
/// let proposed = ProposedUse::new("https://site.example/", &crawler, &Usage::Index);
/// assert_eq!(byleave::extract(&evidence, &proposed).map(|extract| extract.text()), Some("News More".to_owned()));
/// ```
///
/// Cost: the page's tree, and a decision for each element on which something is said.
#[must_use]
pub fn extract<'e>(evidence: &'e Evidence<'_>, proposed: &ProposedUse<'_>) -> Option<Extract<'e>> {
    let page = evidence.page()?;
    let elements = Elements::of(&page);
    let explanation = explain(evidence, proposed);
    let asking = Asking::of(evidence, proposed);
    let after_scripts = AfterScripts::of(&asking);
    let answers = Answers::of(&asking, &elements, &explanation, &after_scripts);
    let targets: Vec<Target> = targets(evidence, &explanation);
    let (asked, note) = asked(evidence, proposed, &elements);
    let is_asked = |element: ElementId| asked.contains(&element.0);
    let meta = |target: &Target| meta_piece(&page, target, answers.of_page());
    let mut pieces: Vec<Piece> = targets.iter().filter_map(meta).collect();
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
    let outside: Arc<str> = "it is outside of the part that must be used".into();
    let mut ranges = RangesOfText::of(&asking);
    let mut left_out: HashSet<u32> = HashSet::new();
    let mut is_parted = true;
    for (VisibleRun { run, boundary, .. }, is_same) in shown.runs().iter().zip(&same_text.runs) {
        is_parted |= *boundary == RunBoundary::Block;
        if !is_asked(run.element) {
            continue;
        }
        let text = run.text(&page);
        if text.trim().is_empty() {
            is_parted |= !text.is_empty();
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
        let (text, is_joined) = (text.into_owned(), !std::mem::take(&mut is_parted));
        pieces.push(Piece { span: run.span, text, is_joined, is_kept: is_kept && is_in_target, because });
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

/// The numbers of the elements that are asked about: all of them where the page is, or where no page has the one that is
/// named (S-16); none where only the page after its scripts has it (S-25).
fn asked(evidence: &Evidence<'_>, proposed: &ProposedUse<'_>, elements: &Elements) -> (Range<u32>, Option<Diagnostic>) {
    let all = 0..elements.count();
    let Some(named) = proposed.element else { return (all, None) };
    let found = evidence.find(proposed);
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
                help: Some("to extract from that one, give it as the page".to_owned()),
            };
            (0..0, Some(note))
        }
    }
}

/// The content of the META that must be used, if it is one; of several the first counts.
fn meta_piece(page: &Decoded<'_>, target: &Target, Answer { is_kept, because }: Answer) -> Option<Piece> {
    let Target::Meta(name) = target else { return None };
    let mut found = None;
    head_metas(page, |tag| {
        if found.is_none() && tag.name().is_some_and(|own| own.trim().eq_ignore_ascii_case(name)) {
            found = Some((tag.span(), tag.content().unwrap_or_default().into_owned()));
        }
    });
    found.map(|(span, text)| Piece { span, text, is_joined: false, is_kept, because })
}

/// A question about all elements of a page and of the page after its scripts, one by one.
struct Asking<'a> {
    evidence: &'a Evidence<'a>,
    proposed: &'a ProposedUse<'a>,
    /// What is said on elements, if anything is that counts.
    pages: &'a [OnElements],
    /// How much work a decision is.
    work: u64,
}

impl<'a> Asking<'a> {
    fn of(evidence: &'a Evidence<'_>, proposed: &'a ProposedUse<'_>) -> Self {
        let pages = evidence.elements(AskedFor::Parts(proposed.usage)).unwrap_or_default();
        let pages = if proposed.capabilities.element_level { pages } else { &[] };
        let work = work_of(&evidence.sources(proposed.capabilities, None));
        Self { evidence, proposed, pages, work }
    }

    /// The elements of a page that are looked at: those on which something is said, and these others.
    fn looked_at(&self, page: usize, others: &[ElementId]) -> LookedAt {
        let page = self.pages.get(page);
        page.map(|page| page.looked_at(self.proposed.usage, others, self.work)).unwrap_or_default()
    }

    fn decide(&self, page: usize, element: ElementId) -> Decision {
        decide(self.evidence, &ProposedUse { element: None, part: Some(PagePart { page, element }), ..*self.proposed })
    }
}

/// The ranges of the page that restrict the usage of texts in them (S-49).
struct RangesOfText<'a> {
    page: Option<&'a OnElements>,
    usage: &'a Usage,
    written: EvidenceStatements<'a>,
    /// The last one, and what it says.
    last: Option<(u32, Arc<str>)>,
}

impl<'a> RangesOfText<'a> {
    fn of(asking: &Asking<'a>) -> Self {
        let written = EvidenceStatements::of(asking.evidence, asking.proposed.capabilities);
        Self { page: asking.pages.first(), usage: asking.proposed.usage, written, last: None }
    }

    /// What the range says that a text stands in.
    fn around(&mut self, run: &TextRun) -> Option<Arc<str>> {
        let number = self.page?.restriction_of_text(run.span, self.usage)?;
        if self.last.as_ref().is_none_or(|(last, _)| *last != number) {
            let id = StatementId::new(Source::ElementRestrictions(0), number);
            let because = self.written.get(id, self.usage).map_or_else(String::new, |one| ground_of(&one));
            self.last = Some((number, because.into()));
        }
        self.last.as_ref().map(|(_, because)| Arc::clone(because))
    }
}

/// What a part of a page comes to.
#[derive(Clone, Debug)]
struct Answer {
    is_kept: bool,
    because: Arc<str>,
}

/// The answers for the elements of a page.
struct Answers {
    /// The page's, and that of each element that is looked at.
    answers: Vec<Answer>,
    /// Which of them is an element's: that of the nearest around it that is looked at.
    of_element: Vec<u32>,
    /// Whether all were looked at that should be.
    is_all: bool,
}

impl Answers {
    fn of(
        asking: &Asking<'_>,
        elements: &Elements,
        explanation: &Explanation<'_>,
        after_scripts: &AfterScripts,
    ) -> Self {
        let because = explanation.sentence(asking.proposed).into();
        let mut answers = vec![Answer { is_kept: explanation.decision.is_allowed(), because }];
        let mut of_element: Vec<u32> = Vec::with_capacity(elements.count() as usize);
        let looked_at = asking.looked_at(0, &after_scripts.in_both());
        let written = EvidenceStatements::of(asking.evidence, asking.proposed.capabilities);
        let too_many: Arc<str> = "the page has more such elements than are looked at".into();
        let same_id = after_scripts.because("an element of this id");
        let mut barred: Vec<bool> = Vec::with_capacity(elements.count() as usize);
        for id in elements.ids() {
            let inherited = elements.parent(id).and_then(|parent| of_element.get(parent.0 as usize)).copied();
            let outer = elements.parent(id).and_then(|parent| barred.get(parent.0 as usize)).copied();
            let is_barred = after_scripts.bars(id).or(outer).unwrap_or_default();
            barred.push(is_barred);
            let Ok(number) = looked_at.elements.binary_search(&id) else {
                of_element.push(inherited.unwrap_or(0));
                continue;
            };
            of_element.push(answers.len() as u32);
            // What is not looked at is not known to be permitted (S-22).
            if number >= looked_at.count {
                answers.push(Answer { is_kept: false, because: Arc::clone(&too_many) });
                continue;
            }
            let decision = asking.decide(0, id);
            if decision.is_allowed() && is_barred {
                answers.push(Answer { is_kept: false, because: Arc::clone(&same_id) });
                continue;
            }
            let statement = decision.reason.statement().and_then(|id| written.get(id, asking.proposed.usage));
            let because = statement.map_or_else(|| decision.reason.name().to_owned(), |one| ground_of(&one));
            answers.push(Answer { is_kept: decision.is_allowed(), because: because.into() });
        }
        Self { answers, of_element, is_all: looked_at.is_all() }
    }

    fn of_page(&self) -> Answer {
        self.answers.first().cloned().unwrap_or(Answer { is_kept: false, because: "".into() })
    }

    fn get(&self, element: ElementId) -> Answer {
        let answer = self.of_element.get(element.0 as usize).and_then(|answer| self.answers.get(*answer as usize));
        answer.cloned().unwrap_or_else(|| self.of_page())
    }
}

/// What alone may be used (S-37).
enum Target {
    Element(ElementId),
    Meta(String),
    /// Another resource, or a part that is not there.
    Elsewhere,
}

fn targets(evidence: &Evidence<'_>, explanation: &Explanation<'_>) -> Vec<Target> {
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
            Locator::Part(kind, name) => evidence.part(kind, name).map_or(Target::Elsewhere, Target::Element),
            Locator::Resource(_) | Locator::Unknown => Target::Elsewhere,
        })
    };
    explanation.conditions.iter().filter_map(target).collect()
}
